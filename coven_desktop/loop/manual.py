"""A clock and a loop that move only when told, so that tests decide what time it is and what comes next.

`ManualLoop` knows nothing of Qt. Its timers look at the clock it was given; descriptors are asked with a
timeout of zero. Exceptions of callbacks come out of the call that ran them, so that a test sees them.
"""

from __future__ import annotations

import heapq
import itertools
import select
import threading
import time
from collections import deque
from collections.abc import Callable

from coven_desktop.clock import Clock

START_MS = 1_788_253_200_000
"""2026-09-01T09:00:00.000Z: where a manual clock stands unless told otherwise."""

_SLICE_MS = 10
_TURNS = 100_000


class ManualClock:
    """A `Clock` that stands still. Both of its clocks can be set; `advance` moves them together."""

    def __init__(self, wall: int = START_MS, monotonic: int = 1_000_000, shift_ms: int = 0) -> None:
        self.wall_ms = wall
        self.monotonic_ms = monotonic
        self.shift = shift_ms

    @property
    def shift_ms(self) -> int:
        """See `Clock`."""
        return self.shift

    def wall(self) -> int:
        """See `Clock`."""
        return self.wall_ms

    def wall_ns(self) -> int:
        """See `Clock`."""
        return self.wall_ms * 1_000_000

    def monotonic(self) -> int:
        """See `Clock`."""
        return self.monotonic_ms

    def advance(self, milliseconds: int) -> None:
        """Let time pass: both clocks go forward."""
        if milliseconds < 0:
            raise ValueError("time does not run backward: use jump for the wall clock")
        self.wall_ms += milliseconds
        self.monotonic_ms += milliseconds

    def jump(self, milliseconds: int) -> None:
        """Set the wall clock forward or backward, as a person or NTP does; the monotonic clock stays."""
        self.wall_ms += milliseconds


class Entry:
    """One thing asked of a manual loop."""

    def __init__(self, callback: Callable[[], None]) -> None:
        self.callback = callback
        self.cancelled = False

    def cancel(self) -> None:
        """See `Cancellable`."""
        self.cancelled = True


class ManualLoop:
    """A `Loop` driven by hand: `run_until_idle`, `advance`, `run_until`."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._order = itertools.count()
        self._timers: list[tuple[int, int, Entry]] = []
        self._soon: deque[Callable[[], None]] = deque()
        self._readers: list[tuple[int, Entry]] = []
        self._writers: list[tuple[int, Entry]] = []

    def call_at(self, monotonic_ms: int, callback: Callable[[], None]) -> Entry:
        """See `Loop`."""
        entry = Entry(callback)
        heapq.heappush(self._timers, (monotonic_ms, next(self._order), entry))
        return entry

    def call_soon(self, callback: Callable[[], None]) -> None:
        """See `Loop`."""
        self._soon.append(callback)

    def breathe(self) -> None:
        """See `Loop`. Nobody else is there."""

    def add_reader(self, fd: int, callback: Callable[[], None]) -> Entry:
        """See `Loop`."""
        entry = Entry(callback)
        self._readers.append((fd, entry))
        return entry

    def add_writer(self, fd: int, callback: Callable[[], None]) -> Entry:
        """See `Loop`."""
        entry = Entry(callback)
        self._writers.append((fd, entry))
        return entry

    def next_timer(self) -> int | None:
        """The monotonic instant of the first timer that still stands, or None."""
        while self._timers and self._timers[0][2].cancelled:
            heapq.heappop(self._timers)
        return self._timers[0][0] if self._timers else None

    def run_until_idle(self) -> None:
        """Run everything that is due by the clock as it stands, until nothing is left to do.

        Raises RuntimeError when it never ends, e.g. because a reader does not read.
        """
        for _ in range(_TURNS):
            if not self._turn(0):
                return
        raise RuntimeError(f"the loop is still busy after {_TURNS} turns")

    def advance(self, milliseconds: int) -> None:
        """Let time pass on a manual clock from timer to timer, each running at its own instant."""
        if not isinstance(self._clock, ManualClock):
            raise TypeError("only a manual clock can be advanced")
        end = self._clock.monotonic() + milliseconds
        self.run_until_idle()
        while (due := self.next_timer()) is not None and due <= end:
            self._clock.advance(max(0, due - self._clock.monotonic()))
            self.run_until_idle()
        self._clock.advance(max(0, end - self._clock.monotonic()))
        self.run_until_idle()

    def run_until(self, condition: Callable[[], bool], limit_ms: int = 10_000) -> None:
        """Run, waiting for real descriptors and other threads in real time, until the condition holds.

        Timers still follow the clock of this loop. Raises TimeoutError after `limit_ms`.
        """
        end = time.monotonic_ns() + limit_ms * 1_000_000
        while not condition():
            if time.monotonic_ns() > end:
                raise TimeoutError(f"the condition did not come to hold within {limit_ms} ms")
            self._turn(_SLICE_MS)

    def _turn(self, wait_ms: int) -> bool:
        """One turn; waits for descriptors only when nothing else is to be done. True when something ran."""
        ran = self._run_soon()
        ran = self._run_timers() or ran
        return self._run_descriptors(0 if ran or self._soon else wait_ms) or ran

    def _run_soon(self) -> bool:
        # only what was there at the start of the turn: a chain of call_soon must not starve the rest
        count = len(self._soon)
        for _ in range(count):
            self._soon.popleft()()
        return count > 0

    def _run_timers(self) -> bool:
        ran = False
        now = self._clock.monotonic()
        while (due := self.next_timer()) is not None and due <= now:
            entry = heapq.heappop(self._timers)[2]
            entry.cancelled = True
            entry.callback()
            ran = True
        return ran

    def _run_descriptors(self, wait_ms: int) -> bool:
        self._readers = [found for found in self._readers if not found[1].cancelled]
        self._writers = [found for found in self._writers if not found[1].cancelled]
        if not self._readers and not self._writers:
            if wait_ms:
                threading.Event().wait(wait_ms / 1000)
            return False
        poll = select.poll()
        asked: dict[int, int] = {}
        for fd, _ in self._readers:
            asked[fd] = asked.get(fd, 0) | select.POLLIN
        for fd, _ in self._writers:
            asked[fd] = asked.get(fd, 0) | select.POLLOUT
        for fd, mask in asked.items():
            poll.register(fd, mask)
        found = dict(poll.poll(wait_ms))
        ran = False
        broken = select.POLLERR | select.POLLHUP
        for entries, wanted in ((self._readers, select.POLLIN | broken), (self._writers, select.POLLOUT | broken)):
            for fd, entry in list(entries):
                if not entry.cancelled and found.get(fd, 0) & wanted:
                    entry.callback()
                    ran = True
        return ran
