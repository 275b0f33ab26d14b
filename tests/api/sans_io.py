"""A whole conversation with an `HttpConnection`, without a socket: pieces of input in, answers out."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import Any

from coven_desktop.api.http_connection import HttpConnection, Phase
from coven_desktop.api.messages import Response, json_response

HOST = b"Host: coven\r\n"
KEEP = b"Connection: keep-alive\r\n"


def echo(connection: HttpConnection) -> Response:
    request = connection.request
    assert request is not None
    return json_response(
        200,
        {"method": request.method, "target": request.target, "body": hashlib.sha256(request.body).hexdigest()},
    )


def target_of(connection: HttpConnection) -> str | None:
    return connection.request.target if connection.request else None


def phase_of(connection: HttpConnection) -> Phase:
    return connection.phase


def converse(pieces: Sequence[bytes], *, ended: bool = True) -> tuple[bytes, Phase]:
    """Everything the client gets for these pieces, and where the connection then stands."""
    connection = HttpConnection(0)
    got = bytearray()

    def serve() -> None:
        while True:
            while connection.outgoing:
                got.extend(connection.outgoing)
                connection.sent(len(connection.outgoing), 0)
            if connection.request is None:
                return
            connection.answer(echo(connection), 0)

    for piece in pieces:
        if piece and connection.phase is not Phase.CLOSED:
            connection.feed(piece, 0)
            serve()
    if ended and connection.phase is not Phase.CLOSED:
        connection.feed(b"", 0)
        serve()
    return bytes(got), connection.phase


def answers(got: bytes) -> list[tuple[int, dict[str, str], Any]]:
    """The responses in what a client got, each as status, headers and JSON body."""
    found = []
    while got:
        head, _, got = got.partition(b"\r\n\r\n")
        first, *lines = head.decode().split("\r\n")
        version, status, _ = first.split(" ", 2)
        assert version == "HTTP/1.1"
        headers = dict(line.split(": ", 1) for line in lines)
        if status == "100":
            assert headers == {}
            continue
        length = int(headers["Content-Length"])
        found.append((int(status), headers, json.loads(got[:length]) if got[:length] else None))
        got = got[length:]
    return found


def only(data: bytes, *, ended: bool = False) -> tuple[int, Any]:
    """The one answer to this input, after which the connection is to be closed."""
    got, phase = converse([data], ended=ended)
    [(status, headers, body)] = answers(got)
    assert headers["Connection"] == "close"
    assert headers["Content-Type"] == "application/json"
    assert phase in (Phase.DRAINING, Phase.CLOSED)
    return status, body


def code(data: bytes, *, ended: bool = False) -> tuple[int, str]:
    status, body = only(data, ended=ended)
    return status, body["error"]["code"]
