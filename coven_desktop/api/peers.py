"""Who is at the other end of a connection, and the log about those who have no business there.

Only the account that owns the home is served (design/decisions.md 13). The kernel says who connected; others are
turned away, and the log says so without letting them fill it.
"""

from __future__ import annotations

import logging
import os
import socket
import struct
from typing import NamedTuple

from coven_desktop.clock import Clock

log = logging.getLogger(__name__)

SAID_EVERY_MS = 60_000
"""Strangers are told of at once, and then once in this time with their number."""

_CREDENTIALS = struct.Struct("3i")


class Peer(NamedTuple):
    """The process that connected, as the kernel saw it then. `pid` is 0 when it lives in another namespace."""

    pid: int
    uid: int

    @property
    def is_ours(self) -> bool:
        """Whether it belongs to the account of this process. Root is another account, too."""
        return self.uid == os.geteuid()


def peer_of(accepted: socket.socket) -> Peer:
    """Who connected. Raises OSError."""
    raw = accepted.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size)
    pid, uid, _ = _CREDENTIALS.unpack(raw)
    return Peer(pid, uid)


class Strangers:
    """Counts and logs the clients of other accounts."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._unsaid = 0
        self._quiet_until: int | None = None

    def note(self, peer: Peer) -> None:
        """One was turned away."""
        now = self._clock.monotonic()
        if self._quiet_until is not None and now < self._quiet_until:
            self._unsaid += 1
            return
        more = f"; {self._unsaid} more since the last one that was logged" if self._unsaid else ""
        log.warning("A client of another account (uid %d, process %d) was turned away%s", peer.uid, peer.pid, more)
        self._unsaid = 0
        self._quiet_until = now + SAID_EVERY_MS
