"""Clients of the socket for the benches: one connection for each request, one kept, and many at once in one thread.

They speak bytes and do as little as they can, because they share the machine with the app that is measured.
"""

from __future__ import annotations

import heapq
import itertools
import json
import selectors
import socket
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from coven_desktop.home import socket_address

PIECE = 262_144


@dataclass(frozen=True)
class Ask:
    """One request: what it is called in the figures, and its bytes for a connection that is closed or kept."""

    name: str
    method: str
    target: str
    body: bytes = b""

    def wire(self, *, kept: bool) -> bytes:
        """The bytes of it."""
        keep = "Connection: keep-alive\r\n" if kept else ""
        head = f"{self.method} {self.target} HTTP/1.1\r\nHost: coven\r\n{keep}Content-Length: {len(self.body)}\r\n\r\n"
        return head.encode() + self.body


def health() -> Ask:
    """The handshake."""
    return Ask("health", "GET", "/api/v1/health")


def action(name: str, **members: object) -> Ask:
    """An action of the contract."""
    body = json.dumps({"action": f"coven.automations.{name}", **members}).encode()
    return Ask(name, "POST", "/api/v1/actions", body)


def connect(folder: int) -> socket.socket:
    """A connection to the home whose folder is open under this descriptor."""
    client = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    client.connect(socket_address(folder))
    return client


def fresh(folder: int, ask: Ask) -> bytes:
    """The response to one request on a connection of its own, read to the end."""
    with connect(folder) as client:
        client.sendall(ask.wire(kept=False))
        got = bytearray()
        while piece := client.recv(PIECE):
            got += piece
    return _checked(bytes(got))


class Kept:
    """One client on one connection."""

    def __init__(self, folder: int) -> None:
        self._socket = connect(folder)

    def ask(self, wire: bytes) -> bytes:
        """The response to these bytes of a request that keeps the connection."""
        self._socket.sendall(wire)
        got = self._socket.recv(PIECE)
        while not _is_whole(got):
            got += self._socket.recv(PIECE)
        return _checked(got)

    def close(self) -> None:
        """Leave."""
        self._socket.close()


@dataclass
class _One:
    """One client of a crowd and what it is waiting for."""

    turns: deque[Ask]
    socket: socket.socket | None = None
    asked: Ask | None = None
    asked_at: int = 0
    got: bytearray = field(default_factory=bytearray)


def crowd(
    folder: int, scripts: Sequence[Sequence[Ask]], *, kept: bool, every_ms: float = 0.0
) -> list[tuple[str, float]]:
    """Let as many clients as there are scripts go through them, each asking as soon as it is answered.

    With `every_ms` a client asks once in that time, or as soon as it is answered if that is later; they begin spread
    over it. Returns name and milliseconds of every request, connecting included. Raises RuntimeError if any fails.
    """
    waiting = selectors.DefaultSelector()
    found: list[tuple[str, float]] = []
    due: list[tuple[int, int, _One]] = []  # when, a number that orders equal ones, who
    order = itertools.count()

    def ask(one: _One) -> None:
        one.asked = one.turns.popleft()
        one.got.clear()
        one.asked_at = time.perf_counter_ns()
        if one.socket is None:
            one.socket = connect(folder)
            one.socket.setblocking(False)
            waiting.register(one.socket, selectors.EVENT_READ, one)
        one.socket.send(one.asked.wire(kept=kept))

    def look(one: _One) -> None:
        assert one.socket is not None
        assert one.asked is not None
        piece = one.socket.recv(PIECE)
        one.got += piece
        if kept and not _is_whole(one.got):
            if not piece:
                raise RuntimeError("a connection was closed")
            return
        if not kept and piece:
            return
        found.append((one.asked.name, (time.perf_counter_ns() - one.asked_at) / 1e6))
        _checked(bytes(one.got))
        if not kept or not one.turns:
            waiting.unregister(one.socket)
            one.socket.close()
            one.socket = None
        if one.turns:
            heapq.heappush(due, (one.asked_at + int(every_ms * 1e6), next(order), one))

    begin = time.perf_counter_ns()
    for number, script in enumerate(scripts):
        heapq.heappush(due, (begin + int(every_ms * 1e6 * number / len(scripts)), next(order), _One(deque(script))))
    while due or waiting.get_map():
        while due and due[0][0] <= time.perf_counter_ns():
            ask(heapq.heappop(due)[2])
        patience = max(0.0, (due[0][0] - time.perf_counter_ns()) / 1e9) if due else 30.0
        ready = waiting.select(patience)
        if not ready and not due:
            raise RuntimeError("nobody was answered for 30 s")
        for key, _ in ready:
            look(key.data)
    waiting.close()
    return found


def timed(once: Callable[[], object], count: int) -> list[float]:
    """Milliseconds of each of `count` calls."""
    found = []
    for _ in range(count):
        begin = time.perf_counter_ns()
        once()
        found.append((time.perf_counter_ns() - begin) / 1e6)
    return found


def _is_whole(got: bytes | bytearray) -> bool:
    head, end, body = got.partition(b"\r\n\r\n")
    if not end:
        return False
    place = head.index(b"Content-Length: ") + len(b"Content-Length: ")
    return len(body) >= int(head[place:].split(b"\r\n", 1)[0])


def _checked(got: bytes) -> bytes:
    if not got.startswith(b"HTTP/1.1 200 "):
        raise RuntimeError(got[:300].decode(errors="replace"))
    return got
