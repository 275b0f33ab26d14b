"""Accepts clients on the home's socket, in the engine's thread, without ever waiting for one of them.

Limits and manners are those of design/decisions.md 13: the peer's uid is asked of every connection, 256 of them
at once, the oldest idle one makes room; an unlinked socket is made again; a loosened home stops serving. What all
of them together make us hold is bounded, too: whoever neither sends on nor reads, and holds most, goes first.
"""

from __future__ import annotations

import errno
import logging
import socket
from collections.abc import Callable

from coven_desktop.api.client import LARGE_BYTES, Client, Handle
from coven_desktop.api.http_connection import Phase
from coven_desktop.api.messages import Request, Response, render, route_error
from coven_desktop.api.peers import Strangers, peer_of
from coven_desktop.api.socket_file import CannotServe, SocketFile
from coven_desktop.clock import Cancellable, Clock, Loop
from coven_desktop.home import Home

log = logging.getLogger(__name__)

CONNECTIONS = 256
HELD_BYTES = 64 * 1024 * 1024
"""What the requests and answers of all clients may take together before the idlest large one is turned away."""
IDLE_MS = 1_000
"""When all places are taken, a client that moved no byte of its body or answer for so long is idle as well."""
WATCH_MS = 1_000
"""How often the socket's place is looked at."""

_ACCEPTED_AT_ONCE = 32
_PAUSE_MS = 200
_EXHAUSTED = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)

TOO_MANY = route_error(
    503, "too_many_connections", "Too many connections are open. Try again in a moment.", headers={"Retry-After": "1"}
)
TOO_MUCH = route_error(
    503,
    "too_many_connections",
    "Too much is being sent and read at once. Try again in a moment.",
    headers={"Retry-After": "1"},
)
STOPPING = route_error(
    503,
    "stopping",
    "The app is stopping. What was asked may or may not be done; asking again with the same key tells.",
    headers={"Retry-After": "1"},
)
NOT_YOURS = route_error(403, "forbidden", "This socket serves the account that owns it and nobody else.")


class Listener:
    """Serves requests to `handle` from `open` to `close`."""

    def __init__(
        self,
        loop: Loop,
        home: Home,
        clock: Clock,
        handle: Handle,
        *,
        told: Callable[[str | None], None] = lambda sentence: None,
        connections: int = CONNECTIONS,
        held: int = HELD_BYTES,
    ) -> None:
        """`told` gets the sentence when serving stops because of the home, and None when it goes on."""
        self._loop = loop
        self._clock = clock
        self._handle = handle
        self._told = told
        self._limit = connections
        self._held_limit = held
        self._strangers = Strangers(clock)
        self._file = SocketFile(home)
        self._listening: socket.socket | None = None
        self._accepting: Cancellable | None = None
        self._timer: Cancellable | None = None
        self._clients: set[Client] = set()
        self._trouble: str | None = None

    @property
    def trouble(self) -> str | None:
        """Why nothing is served at present, or None."""
        return self._trouble

    def open(self) -> None:
        """Begin to serve. Raises CannotServe."""
        try:
            self._listen()
        except CannotServe:
            self._file.close()
            raise
        self._schedule_watch()

    def close(self) -> None:
        """End serving at once: whoever waits is told, nobody is waited for."""
        for watch in (self._accepting, self._timer):
            if watch is not None:
                watch.cancel()
        self._accepting = self._timer = None
        self._file.close()
        if self._listening is not None:
            self._listening.close()
            self._listening = None
        for client in list(self._clients):
            client.turn_away(STOPPING)

    def _listen(self) -> None:
        listening = self._file.open()
        if self._accepting is not None:
            self._accepting.cancel()
        if self._listening is not None:
            self._listening.close()
        self._listening = listening
        self._accepting = self._loop.add_reader(listening.fileno(), self._accept)

    # the socket's place

    def _schedule_watch(self) -> None:
        self._timer = self._loop.call_at(self._clock.monotonic() + WATCH_MS, self._watch)

    def _watch(self) -> None:
        self._look()
        self._schedule_watch()

    def _look(self) -> str | None:
        """Look at the socket's place and mend what can be mended. The sentence why nothing is served, or None."""
        try:
            look = self._file.look()
            if look.state == "gone":
                self._listen()
                log.warning("The socket was gone and has been made again")
            trouble = look.sentence or None
        except (CannotServe, OSError) as error:
            trouble = str(error)
        if trouble != self._trouble:
            self._trouble = trouble
            self._told(trouble)
            if trouble is None:
                log.info("Serving again")
            else:
                log.warning("Not serving: %s", trouble)
        return trouble

    # clients

    def _accept(self) -> None:
        listening = self._listening
        for _ in range(_ACCEPTED_AT_ONCE):
            if listening is None or listening is not self._listening:
                return
            try:
                accepted, _ = listening.accept()
            except BlockingIOError:
                return
            except OSError as error:
                if error.errno in _EXHAUSTED and not self._make_room():
                    self._pause_accepting(error)
                    return
                continue
            accepted.setblocking(False)
            self._take(accepted)
            self._loop.breathe()

    def _take(self, accepted: socket.socket) -> None:
        peer = peer_of(accepted)
        if not peer.is_ours:
            self._strangers.note(peer)
            _say_and_close(accepted, NOT_YOURS)
        elif len(self._clients) >= self._limit and not self._make_room():
            _say_and_close(accepted, TOO_MANY)
        else:
            client = Client(self._loop, self._clock, accepted, self._guarded, self._clients.discard, self._weigh)
            self._clients.add(client)
            client.begin()

    def _guarded(self, request: Request, reply: Callable[[Response], None]) -> None:
        """Hand a request on, unless the home is open to others."""
        trouble = self._look()
        if trouble is None:
            self._handle(request, reply)
        else:
            reply(route_error(503, "not_serving", trouble))

    def _make_room(self) -> bool:
        """Turn away the oldest client that is not being served. False when all are."""
        still = self._clock.monotonic() - IDLE_MS
        for phases, since in (
            ((Phase.DRAINING,), None),
            ((Phase.WAITING,), None),
            ((Phase.HEAD,), None),
            ((Phase.BODY, Phase.WRITING), still),
        ):
            idle = [c for c in self._clients if c.phase in phases and (since is None or c.active_at <= since)]
            if idle:
                min(idle, key=lambda client: client.active_at).turn_away(TOO_MANY)
                return True
        return False

    def _weigh(self, client: Client) -> None:
        """A client holds much: when all of them hold too much, whoever holds most for longest without a move goes.

        By idleness alone a crowd of large answers would push out a small one that its reader is about to take.
        """
        held = sum(other.held for other in self._clients)
        large = [other for other in self._clients if other is not client and other.held >= LARGE_BYTES]
        now = self._clock.monotonic()
        large.sort(key=lambda other: (other.held * (now - other.active_at), -other.active_at))
        while held > self._held_limit and large:
            worst = large.pop()
            held -= worst.held
            worst.turn_away(TOO_MUCH)

    def _pause_accepting(self, error: OSError) -> None:
        # the waiting client keeps the descriptor readable: without a pause this would be a busy loop
        log.warning("No more connections can be accepted for the moment: %s", error.strerror)
        if self._accepting is not None:
            self._accepting.cancel()
        self._accepting = self._loop.call_at(self._clock.monotonic() + _PAUSE_MS, self._resume_accepting)

    def _resume_accepting(self) -> None:
        if self._listening is not None:
            self._accepting = self._loop.add_reader(self._listening.fileno(), self._accept)


def _say_and_close(accepted: socket.socket, response: Response) -> None:
    """One answer to a client that is not served, as far as its buffer takes it."""
    try:
        accepted.send(render(response, keep_alive=False))
        accepted.shutdown(socket.SHUT_WR)
        accepted.recv(65_536)
    except OSError:
        log.debug("A client that was turned away had left", exc_info=True)
    finally:
        accepted.close()
