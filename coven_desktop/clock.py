"""The two things nobody may ask the system for directly: what time it is, and to be called later.

Everything that needs the time takes a `Clock`; everything that waits takes a `Loop`. Production has
`SystemClock` here and the Qt loop in `loop/`; tests have manual ones that move only when told
(design/architecture.md, Time and Threads).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Protocol


class Clock(Protocol):
    """Wall clock in UTC milliseconds since the epoch, and a monotonic clock in milliseconds."""

    @property
    def shift_ms(self) -> int:
        """Milliseconds by which the wall clock is ahead of the machine's (0 outside demo and tests)."""

    def wall(self) -> int:
        """The wall clock: UTC milliseconds since the epoch, truncated."""

    def wall_ns(self) -> int:
        """The wall clock in nanoseconds, for identities that need more than milliseconds."""

    def monotonic(self) -> int:
        """Milliseconds that never run backward and do not notice a change of the wall clock."""


class SystemClock:
    """The machine's clocks; the wall clock may be shifted by a constant for demo and tests."""

    def __init__(self, shift_ms: int = 0) -> None:
        self._shift_ms = shift_ms

    @property
    def shift_ms(self) -> int:
        """See `Clock`."""
        return self._shift_ms

    def wall(self) -> int:
        """See `Clock`."""
        return time.time_ns() // 1_000_000 + self._shift_ms

    def wall_ns(self) -> int:
        """See `Clock`."""
        return time.time_ns() + self._shift_ms * 1_000_000

    def monotonic(self) -> int:
        """See `Clock`."""
        return time.monotonic_ns() // 1_000_000


class Cancellable(Protocol):
    """Something asked of a loop that can be taken back; taking it back twice is harmless."""

    def cancel(self) -> None:
        """Take it back: the callback will not be called any more."""


class Loop(Protocol):
    """One thread's event loop. All callbacks come in that thread, one after another."""

    def call_at(self, monotonic_ms: int, callback: Callable[[], None]) -> Cancellable:
        """Call back once, not before the given instant of the monotonic clock."""

    def call_soon(self, callback: Callable[[], None]) -> None:
        """Call back once in a later turn of the loop. May be called from any thread."""

    def breathe(self) -> None:
        """Long work that cannot be cut calls this now and then; it rests there when others need the processor."""

    def add_reader(self, fd: int, callback: Callable[[], None]) -> Cancellable:
        """Call back whenever the descriptor can be read, until cancelled."""

    def add_writer(self, fd: int, callback: Callable[[], None]) -> Cancellable:
        """Call back whenever the descriptor can be written, until cancelled."""
