"""What tray and status bar show, read as one question on the reader thread: small, for it is asked at every change."""

from __future__ import annotations

from dataclasses import dataclass

from coven_desktop.engine.overlooked import Overlooked, overlooked
from coven_desktop.ui.reader import Sources
from coven_desktop.ui.tray_state import TrayState

# Run now in the tray offers this many routines; the rest is in the window.
OFFERED = 15
STALLED_AFTER_MS = 150_000
"""A pass ends every 60 s: when none has ended for this long, the scheduler stands still."""


@dataclass(frozen=True)
class Status:
    """The state, what the tray offers, and what failed since the person last looked."""

    tray: TrayState
    overlooked: Overlooked | None = None


def read_status(sources: Sources, known: Overlooked) -> Status:
    """Ask the database; on the reader thread. `known` is what was read before of what failed."""
    total, startable = sources.listing.startable(OFFERED)
    failed = overlooked(sources.reads.reader, known)
    summary = sources.reads.state_summary()
    return Status(TrayState(summary, tuple(startable), total, failed=failed.amount), failed)


class Heartbeat:
    """Whether passes still end, measured on this thread's monotonic clock: it stands still while the machine sleeps,
    and nobody sets it. Whatever holds the engine, its thread or the database, no pass is seen to end.
    """

    def __init__(self, monotonic: int) -> None:
        self._last: int | None = None
        self._seen_at = monotonic

    def see(self, last_pass_at: int | None, monotonic: int) -> None:
        """What was read of the last pass."""
        if last_pass_at != self._last:
            self._last = last_pass_at
            self._seen_at = monotonic

    def late(self, monotonic: int) -> bool:
        """Whether no pass was seen to end for too long."""
        return monotonic - self._seen_at > STALLED_AFTER_MS
