"""HTTP/1.1 for one connection without a socket: bytes and instants in, requests and bytes out.

h11 parses; what it lets through although we refuse it is checked here (design/decisions.md 13): sizes, folded
lines, two kinds of length, versions. Every request gets its own h11 object, because we close after each answer
unless the client asks otherwise, also on HTTP/1.0, which h11 would not let us do.

Whatever comes in, there is always an answer or a close, and it does not matter how the input was cut in pieces.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum

import h11

from coven_desktop.api.messages import Request, Response, render, route_error

HEAD_BYTES = 16_384
HEAD_LINES = 100
TARGET_BYTES = 8_192
BODY_BYTES = 4_194_304
PIECE_BYTES = 262_144


@dataclass(frozen=True)
class Deadlines:
    """How long each part may take, in milliseconds."""

    head: int = 10_000
    body: int = 30_000
    idle: int = 60_000
    write: int = 30_000
    drain: int = 30_000


class Phase(Enum):
    """What the connection waits for."""

    WAITING = "waiting"
    """the first byte of a request"""
    HEAD = "head"
    BODY = "body"
    REQUEST = "request"
    """its own owner, to answer the request"""
    WRITING = "writing"
    """the client, to take the answer"""
    DRAINING = "draining"
    """the client, to see the last answer: what it still sends is thrown away"""
    CLOSED = "closed"


_VERSIONED_LINE = re.compile(rb"[!-~]+ [!-~]+ ([!-~]+)")
_SPOKEN = (b"1.0", b"1.1")


class HttpConnection:
    """See the file's docstring. `now` is the monotonic clock in milliseconds everywhere.

    The owner calls `feed` with what it read (b"" for the end of the input), answers the request that
    `request` shows with `answer`, sends `outgoing` and says so with `sent`, calls `expire` when `deadline`
    has come, and closes the socket when `phase` is CLOSED.
    """

    def __init__(self, now: int, deadlines: Deadlines = Deadlines()) -> None:
        self._deadlines = deadlines
        self._phase = Phase.WAITING
        self._deadline: int | None = now + deadlines.head
        self._input = bytearray()
        self._input_ended = False
        self._output = bytearray()
        self._request: Request | None = None
        self._served = False
        self._closing = False
        self._more_expected = False
        self._begin()

    @property
    def phase(self) -> Phase:
        """What the connection waits for."""
        return self._phase

    @property
    def deadline(self) -> int | None:
        """When `expire` is due, or None while the answer is ours to give."""
        return self._deadline

    @property
    def request(self) -> Request | None:
        """The request that waits for `answer`."""
        return self._request

    @property
    def outgoing(self) -> bytes:
        """What is to be sent next: a piece of it, when it is long."""
        return bytes(self._output[:PIECE_BYTES])

    @property
    def wants_input(self) -> bool:
        """Whether reading on makes sense: not while an answer is owed or half sent."""
        return self._phase not in (Phase.REQUEST, Phase.WRITING, Phase.CLOSED) and not self._input_ended

    @property
    def ends_output(self) -> bool:
        """Whether everything is sent and nothing will follow, so that the sending side can be shut."""
        return self._phase is Phase.DRAINING and not self._output

    @property
    def more_expected(self) -> bool:
        """Whether the client was cut short by the last answer and may still be sending."""
        return self._more_expected

    def feed(self, data: bytes, now: int) -> None:
        """Take what was read; b"" says that the client will send no more."""
        if self._phase is Phase.DRAINING:
            if not data and not self._output:
                self._close()
            self._input_ended = self._input_ended or not data
            return
        if data:
            self._input += data
        else:
            self._input_ended = True
        if self._phase in (Phase.WAITING, Phase.HEAD, Phase.BODY):
            self._read(now)

    def answer(self, response: Response, now: int) -> None:
        """Answer the request that `request` shows."""
        request = self._request
        if request is None:
            raise RuntimeError("there is no request to answer")
        self._request = None
        self._closing = not request.keep_alive
        self._output += render(response, keep_alive=request.keep_alive, head_only=request.method == "HEAD")
        self._phase = Phase.WRITING
        self._deadline = now + self._deadlines.write

    def refuse(self, response: Response, now: int) -> None:
        """Say why nothing more is taken on this connection, whatever it was doing; the last answer."""
        if self._phase in (Phase.WRITING, Phase.DRAINING, Phase.CLOSED):
            return
        self._more_expected = self._phase is not Phase.REQUEST
        self._request = None
        self._output += render(response, keep_alive=False)
        self._drain(now)

    def sent(self, count: int, now: int) -> None:
        """So many bytes of `outgoing` have been sent."""
        del self._output[:count]
        if self._phase is Phase.DRAINING:
            if not self._output and self._input_ended:
                self._close()
        elif self._phase is Phase.WRITING:
            if self._output:
                self._deadline = now + self._deadlines.write
            else:
                self._after_answer(now)

    def expire(self, now: int) -> None:
        """The deadline has come."""
        if self._phase in (Phase.HEAD, Phase.BODY):
            self.refuse(route_error(408, "request_timeout", "The request did not arrive in time."), now)
        elif self._phase is Phase.WAITING and not self._served:
            self.refuse(route_error(408, "request_timeout", "No request arrived in time."), now)
        else:
            self._close()

    # reading

    def _begin(self) -> None:
        """Get ready for the head of a request."""
        self._parser = h11.Connection(h11.SERVER, max_incomplete_event_size=HEAD_BYTES)
        self._head = bytearray()
        self._head_request: h11.Request | None = None
        self._body = bytearray()

    def _read(self, now: int) -> None:
        if self._phase is Phase.WAITING and self._input:
            self._phase = Phase.HEAD
            if self._served:  # the first request's time began with the connection
                self._deadline = now + self._deadlines.head
        try:
            if self._phase is Phase.HEAD:
                self._read_head(now)
            if self._phase is Phase.BODY:
                self._read_body(now)
        except h11.RemoteProtocolError as error:
            self.refuse(self._refusal(error), now)
        if self._input_ended and self._phase is Phase.WAITING:
            self._close()

    def _read_head(self, now: int) -> None:
        # fed at most a head's worth until the head is complete, so that h11 cannot be made to take a larger one
        piece = bytes(self._input[: HEAD_BYTES - len(self._head)])
        del self._input[: len(piece)]
        self._head += piece
        if piece:
            self._parser.receive_data(piece)
        if self._input_ended and not self._input:
            self._parser.receive_data(b"")
        event = self._parser.next_event()
        if event is h11.NEED_DATA:
            if len(self._head) >= HEAD_BYTES:
                self.refuse(self._too_large(), now)
            return
        if not isinstance(event, h11.Request):
            raise h11.RemoteProtocolError("a request was expected")
        rest, _ = self._parser.trailing_data
        del self._head[len(self._head) - len(rest) :]
        refusal = _check_head(event, bytes(self._head))
        if refusal is not None:
            self.refuse(refusal, now)
            return
        self._head_request = event
        self._phase = Phase.BODY
        self._deadline = now + self._deadlines.body
        if self._parser.they_are_waiting_for_100_continue and _expects_body(event):
            self._output += b"HTTP/1.1 100 Continue\r\n\r\n"

    def _read_body(self, now: int) -> None:
        while True:
            event = self._parser.next_event()
            if isinstance(event, h11.Data):
                self._body += event.data
                if len(self._body) > BODY_BYTES:
                    self.refuse(BODY_TOO_LARGE, now)
                    return
            elif isinstance(event, h11.EndOfMessage):
                self._end_request()
                return
            elif self._input:
                # What the parser holds back is an unfinished line of the chunked coding. It never gets more than
                # a head's worth, so that the limit of such a line does not depend on how the input was cut.
                room = HEAD_BYTES - len(self._parser.trailing_data[0])
                if room <= 0:
                    raise h11.RemoteProtocolError("a line of the chunked coding is too long")
                piece = bytes(self._input[:room])
                del self._input[: len(piece)]
                self._parser.receive_data(piece)
            elif self._input_ended:
                self._parser.receive_data(b"")
                self._parser.next_event()  # raises: the body is cut off
            else:
                return

    def _end_request(self) -> None:
        head = self._head_request
        assert head is not None
        rest, _ = self._parser.trailing_data
        self._input[:0] = rest
        self._request = Request(
            method=head.method.decode("ascii"),
            target=head.target.decode("ascii"),
            body=bytes(self._body),
            keep_alive=_asks_to_keep(head),
        )
        self._served = True
        self._phase = Phase.REQUEST
        self._deadline = None

    def _refusal(self, error: h11.RemoteProtocolError) -> Response:
        """What h11's complaint means to the client."""
        if self._head_request is not None:
            return route_error(400, "bad_request", "The body of the request is cut off or malformed.")
        line = bytes(self._head).split(b"\n", 1)[0].rstrip(b"\r")
        spoken = _VERSIONED_LINE.fullmatch(line)
        if spoken is not None and spoken[1] not in (b"HTTP/1.0", b"HTTP/1.1") and b"\n" in self._head:
            return VERSION_UNKNOWN
        if error.error_status_hint == 431:
            return self._too_large()
        if error.error_status_hint == 501:
            return route_error(501, "not_implemented", "Only the transfer encoding chunked is understood.")
        return route_error(400, "bad_request", "This is not a complete HTTP/1.1 request.")

    def _too_large(self) -> Response:
        line, newline, _ = bytes(self._head).partition(b"\n")
        parts = line.split(b" ")
        if not newline or (len(parts) > 1 and len(parts[1]) > TARGET_BYTES):
            return TARGET_TOO_LONG
        return HEAD_TOO_LARGE

    # after an answer

    def _after_answer(self, now: int) -> None:
        if self._closing:
            self._drain(now)
            return
        self._begin()
        self._phase = Phase.WAITING
        self._deadline = now + self._deadlines.idle
        self._read(now)

    def _drain(self, now: int) -> None:
        """Closing with unread input would make the client lose the answer: throw the input away first."""
        self._input.clear()
        self._phase = Phase.DRAINING
        self._deadline = now + self._deadlines.drain
        if self._input_ended and not self._output:
            self._close()

    def _close(self) -> None:
        self._phase = Phase.CLOSED
        self._deadline = None
        self._request = None
        self._input.clear()
        self._output.clear()


HEAD_TOO_LARGE = route_error(
    431, "header_too_large", f"The head of a request may have {HEAD_BYTES} bytes and {HEAD_LINES} lines."
)
TARGET_TOO_LONG = route_error(414, "uri_too_long", f"The target of a request may have {TARGET_BYTES} bytes.")
BODY_TOO_LARGE = route_error(
    413, "payload_too_large", f"The body of a request may have {BODY_BYTES} bytes.", leading={"ok": False}
)
VERSION_UNKNOWN = route_error(505, "http_version_not_supported", "HTTP/1.1 and HTTP/1.0 are spoken here.")


def _check_head(event: h11.Request, head: bytes) -> Response | None:
    """The answer to a head that h11 lets through and we refuse, or None."""
    if event.http_version not in _SPOKEN:
        return VERSION_UNKNOWN
    if len(event.target) > TARGET_BYTES:
        return TARGET_TOO_LONG
    lines = head.split(b"\n")[1:-2]
    if len(lines) > HEAD_LINES:
        return HEAD_TOO_LARGE
    if any(line[:1] in (b" ", b"\t") for line in lines):
        return route_error(400, "bad_request", "A header line continues on the next line.")
    names = [name for name, _ in event.headers]
    if b"transfer-encoding" in names:
        if b"content-length" in names:
            return route_error(400, "bad_request", "The request has a length and a transfer encoding.")
        if event.http_version == b"1.0":
            return route_error(400, "bad_request", "HTTP/1.0 has no transfer encoding.")
    if _length(event) > BODY_BYTES:
        return BODY_TOO_LARGE
    return None


def _length(event: h11.Request) -> int:
    """The content length of a request; 0 when there is none."""
    return next((int(value) for name, value in event.headers if name == b"content-length"), 0)


def _expects_body(event: h11.Request) -> bool:
    return _length(event) > 0 or any(name == b"transfer-encoding" for name, _ in event.headers)


def _asks_to_keep(event: h11.Request) -> bool:
    """Whether the client asks for the connection to be kept; closing is what clients of the contract expect."""
    asked = {
        part.strip().lower() for name, value in event.headers if name == b"connection" for part in value.split(b",")
    }
    return b"keep-alive" in asked and b"close" not in asked
