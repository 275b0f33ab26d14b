"""A client of a real app in another process: it blocks, in bytes, and gives up after a while."""

from __future__ import annotations

import contextlib
import json
import os
import socket
from collections.abc import Iterator
from typing import Any

from coven_desktop.home import Home, socket_address
from tests.api.wire import Reply

PATIENCE_S = 30.0


def connect(home: Home) -> socket.socket:
    """A connected socket. Raises OSError."""
    folder = os.open(home.root, os.O_RDONLY | os.O_DIRECTORY)
    try:
        client = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        client.settimeout(PATIENCE_S)
        client.connect(socket_address(folder))
        return client
    finally:
        os.close(folder)


@contextlib.contextmanager
def connections(home: Home, count: int) -> Iterator[list[socket.socket]]:
    """So many connections at once, closed at the end."""
    with contextlib.ExitStack() as stack:
        yield [stack.enter_context(connect(home)) for _ in range(count)]


def request(method: str, target: str, body: object = None, *, kept: bool = False) -> bytes:
    """The bytes of a request."""
    data = b"" if body is None else json.dumps(body).encode()
    keep = "Connection: keep-alive\r\n" if kept else ""
    head = f"{method} {target} HTTP/1.1\r\nHost: coven\r\n{keep}Content-Length: {len(data)}\r\n\r\n"
    return head.encode() + data


def read_reply(client: socket.socket) -> Reply:
    """The next response. Raises OSError, or AssertionError when the connection ends before it is whole."""
    got = bytearray()
    length = None
    while length is None or len(got) < length:
        piece = client.recv(1 if length is None else length - len(got))
        assert piece, f"closed after {bytes(got[:200])!r}"
        got += piece
        if length is None and got.endswith(b"\r\n\r\n"):
            first, *lines = got.decode().removesuffix("\r\n\r\n").split("\r\n")
            headers = dict(line.split(": ", 1) for line in lines)
            length = int(headers["Content-Length"])
            got.clear()
    return Reply(int(first.split(" ")[1]), headers, json.loads(bytes(got)) if got else None)


def send(home: Home, wire: bytes) -> Reply:
    """The response to these bytes on a connection of their own; what the app did not want to read is no fault."""
    with connect(home) as client:
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            client.sendall(wire)
        return read_reply(client)


def get(home: Home, target: str = "/api/v1/health") -> Reply:
    """What a GET answers."""
    return send(home, request("GET", target))


def act(home: Home, name: str, **members: Any) -> Reply:
    """What an action of the contract answers."""
    return send(home, request("POST", "/api/v1/actions", {"action": f"coven.automations.{name}", **members}))


def resident(pid: int) -> int:
    """The resident memory of a process in bytes."""
    with open(f"/proc/{pid}/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
