"""A client that speaks bytes over the real socket while the loop of the test is moved by hand."""

from __future__ import annotations

import json
import os
import socket
from dataclasses import dataclass
from typing import Any

from coven_desktop.home import Home, socket_address
from coven_desktop.loop.manual import ManualLoop


@dataclass(frozen=True)
class Reply:
    """One response."""

    status: int
    headers: dict[str, str]
    body: Any


def connect(home: Home) -> socket.socket:
    """A connected, non-blocking socket."""
    folder = os.open(home.root, os.O_RDONLY | os.O_DIRECTORY)
    try:
        client = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        client.connect(socket_address(folder))
        client.setblocking(False)
        return client
    finally:
        os.close(folder)


class Peer:
    """One connection. Everything it waits for, it waits for by running the loop."""

    def __init__(self, loop: ManualLoop, home: Home) -> None:
        self.loop = loop
        self.socket = connect(home)
        self.got = bytearray()
        self.ended = False
        self.reset = False

    def __enter__(self) -> Peer:
        return self

    def __exit__(self, *_: object) -> None:
        self.socket.close()

    def send(self, data: bytes) -> Peer:
        """Send everything, running the loop whenever the socket is full."""
        left = memoryview(data)
        while left:
            try:
                left = left[self.socket.send(left) :]
            except BlockingIOError:
                self.loop.run_until_idle()
        return self

    def finish(self) -> Peer:
        """Half-close."""
        self.socket.shutdown(socket.SHUT_WR)
        return self

    def look(self) -> None:
        """Take what has come."""
        try:
            while data := self.socket.recv(1 << 20):
                self.got += data
            self.ended = True
        except BlockingIOError:
            return
        except ConnectionResetError:
            self.ended = self.reset = True

    def reply(self) -> Reply:
        """The next response, when it has come whole."""
        self.loop.run_until(self._has_reply)
        head, _, rest = bytes(self.got).partition(b"\r\n\r\n")
        first, *lines = head.decode().split("\r\n")
        headers = dict(line.split(": ", 1) for line in lines)
        length = int(headers["Content-Length"])
        self.got = bytearray(rest[length:])
        return Reply(int(first.split(" ")[1]), headers, json.loads(rest[:length]) if length else None)

    def _has_reply(self) -> bool:
        self.look()
        head, end, rest = bytes(self.got).partition(b"\r\n\r\n")
        if not end:
            if self.ended:
                raise AssertionError(f"closed without a whole response: {bytes(self.got)!r}")
            return False
        length = next(int(line.split(b":")[1]) for line in head.split(b"\r\n") if line.startswith(b"Content-Length"))
        return len(rest) >= length

    def is_closed(self) -> bool:
        """Whether the other side has closed; true as soon as the end is seen."""
        self.look()
        return self.ended


def ask(
    loop: ManualLoop, home: Home, method: str, target: str, body: object = None, *, raw: bytes | None = None
) -> Reply:
    """One request on a connection of its own."""
    data = raw if raw is not None else b"" if body is None else json.dumps(body).encode()
    head = f"{method} {target} HTTP/1.1\r\nHost: coven\r\nContent-Length: {len(data)}\r\n\r\n".encode()
    with Peer(loop, home) as peer:
        reply = peer.send(head + data).reply()
        loop.run_until(peer.is_closed)
        assert not peer.reset
        return reply
