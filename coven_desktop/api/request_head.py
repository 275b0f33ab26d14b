"""The head of a request: its limits, what h11 lets through although we refuse it, and what is said to a bad one.

design/decisions.md 13: 16 KiB and 100 lines (431), 8 KiB of target (414), a body of 4,194,304 bytes (413), versions
1.0 and 1.1 (505), no length beside a transfer encoding, no folded lines (400).
"""

from __future__ import annotations

import re
from typing import NamedTuple

import h11

from coven_desktop.api.messages import Response, route_error

HEAD_BYTES = 16_384
HEAD_LINES = 100
TARGET_BYTES = 8_192
BODY_BYTES = 4_194_304

_VERSIONED_LINE = re.compile(rb"[!-~]+ [!-~]+ ([!-~]+)")
_SPOKEN = (b"1.0", b"1.1")

HEAD_TOO_LARGE = route_error(
    431, "header_too_large", f"The head of a request may have {HEAD_BYTES} bytes and {HEAD_LINES} lines."
)
TARGET_TOO_LONG = route_error(414, "uri_too_long", f"The target of a request may have {TARGET_BYTES} bytes.")
BODY_TOO_LARGE = route_error(
    413, "payload_too_large", f"The body of a request may have {BODY_BYTES} bytes.", leading={"ok": False}
)
VERSION_UNKNOWN = route_error(505, "http_version_not_supported", "HTTP/1.1 and HTTP/1.0 are spoken here.")


class Head(NamedTuple):
    """What a request's head says. `length` is its body's in bytes, 0 when it has none or it is `chunked`."""

    method: str
    target: str
    length: int
    chunked: bool
    keep_alive: bool


def judge(event: h11.Request, raw: bytes) -> Head | Response:
    """What a head that h11 has taken says, or the answer that refuses it. `raw`: its bytes, the empty line included."""
    if event.http_version not in _SPOKEN:
        return VERSION_UNKNOWN
    if len(event.target) > TARGET_BYTES:
        return TARGET_TOO_LONG
    lines = raw.split(b"\n")[1:-2]
    if len(lines) > HEAD_LINES:
        return HEAD_TOO_LARGE
    if any(line[:1] in (b" ", b"\t") for line in lines):
        return route_error(400, "bad_request", "A header line continues on the next line.")
    # the content length: h11 has made sure that there is one, and that it is a number
    length = next((int(value) for name, value in event.headers if name == b"content-length"), None)
    chunked = any(name == b"transfer-encoding" for name, _ in event.headers)
    if chunked and length is not None:
        return route_error(400, "bad_request", "The request has a length and a transfer encoding.")
    if chunked and event.http_version == b"1.0":
        return route_error(400, "bad_request", "HTTP/1.0 has no transfer encoding.")
    if length is not None and length > BODY_BYTES:
        return BODY_TOO_LARGE
    return Head(event.method.decode("ascii"), event.target.decode("ascii"), length or 0, chunked, _asks_to_keep(event))


def complaint(error: h11.RemoteProtocolError, raw: bytes) -> Response:
    """What h11's complaint about a head means to the client. `raw`: what has come of it."""
    line, newline, _ = raw.partition(b"\n")
    spoken = _VERSIONED_LINE.fullmatch(line.rstrip(b"\r"))
    if newline and spoken is not None and spoken[1] not in (b"HTTP/1.0", b"HTTP/1.1"):
        return VERSION_UNKNOWN
    if error.error_status_hint == 431:
        return too_large(raw)
    if error.error_status_hint == 501:
        return route_error(501, "not_implemented", "Only the transfer encoding chunked is understood.")
    return route_error(400, "bad_request", "This is not a complete HTTP/1.1 request.")


def too_large(raw: bytes) -> Response:
    """The answer to a head over the limit: it says whether the target is to blame."""
    line, newline, _ = raw.partition(b"\n")
    parts = line.split(b" ")
    if not newline or (len(parts) > 1 and len(parts[1]) > TARGET_BYTES):
        return TARGET_TOO_LONG
    return HEAD_TOO_LARGE


def _asks_to_keep(event: h11.Request) -> bool:
    """Whether the client asks for the connection to be kept; closing is what clients of the contract expect."""
    asked = {
        part.strip().lower() for name, value in event.headers if name == b"connection" for part in value.split(b",")
    }
    return b"keep-alive" in asked and b"close" not in asked
