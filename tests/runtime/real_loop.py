"""A small `Loop` on poll and the real clock, for tests with real processes."""

from __future__ import annotations

import heapq
import itertools
import os
import select
from collections.abc import Callable

from coven_desktop.clock import SystemClock


class Asked:
    """One thing asked of the loop."""

    def __init__(self, callback: Callable[[], None]) -> None:
        self.callback = callback
        self.cancelled = False

    def cancel(self) -> None:
        """See `Cancellable`."""
        self.cancelled = True


class RealLoop:
    """Runs in the test's thread, as long as `run_until` is told to."""

    def __init__(self, shift_ms: int = 0) -> None:
        self.clock = SystemClock(shift_ms)
        self._timers: list[tuple[int, int, Asked]] = []
        self._order = itertools.count()
        self._soon: list[Callable[[], None]] = []
        self._descriptors: list[tuple[int, int, Asked]] = []
        self._wake, self._wake_end = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)

    def close(self) -> None:
        """Give the descriptors back."""
        os.close(self._wake)
        os.close(self._wake_end)

    def call_at(self, monotonic_ms: int, callback: Callable[[], None]) -> Asked:
        """See `Loop`."""
        asked = Asked(callback)
        heapq.heappush(self._timers, (monotonic_ms, next(self._order), asked))
        return asked

    def call_soon(self, callback: Callable[[], None]) -> None:
        """See `Loop`."""
        self._soon.append(callback)
        os.write(self._wake_end, b"x")

    def breathe(self) -> None:
        """See `Loop`. Nobody else is there."""

    def add_reader(self, fd: int, callback: Callable[[], None]) -> Asked:
        """See `Loop`."""
        asked = Asked(callback)
        self._descriptors.append((fd, select.POLLIN, asked))
        return asked

    def add_writer(self, fd: int, callback: Callable[[], None]) -> Asked:
        """See `Loop`."""
        asked = Asked(callback)
        self._descriptors.append((fd, select.POLLOUT, asked))
        return asked

    def run_until(self, condition: Callable[[], bool], limit_ms: int = 20_000) -> None:
        """Run until the condition holds. TimeoutError when it does not come to hold in time."""
        end = self.clock.monotonic() + limit_ms
        while not condition():
            now = self.clock.monotonic()
            if now >= end:
                raise TimeoutError(f"not within {limit_ms} ms")
            self._turn(min(end - now, 20))

    def _turn(self, wait_ms: int) -> None:
        self._descriptors = [one for one in self._descriptors if not one[2].cancelled]
        if self._timers:
            wait_ms = max(0, min(wait_ms, self._timers[0][0] - self.clock.monotonic()))
        poll = select.poll()
        wanted: dict[int, int] = {self._wake: select.POLLIN}
        for fd, events, _ in self._descriptors:
            wanted[fd] = wanted.get(fd, 0) | events
        for fd, events in wanted.items():
            poll.register(fd, events)
        ready = dict(poll.poll(wait_ms))
        if ready.pop(self._wake, 0):
            os.read(self._wake, 4096)
        soon, self._soon = self._soon, []
        for callback in soon:
            callback()
        while self._timers and self._timers[0][0] <= self.clock.monotonic():
            asked = heapq.heappop(self._timers)[2]
            if not asked.cancelled:
                asked.callback()
        for fd, events, asked in list(self._descriptors):
            if not asked.cancelled and ready.get(fd, 0) & (events | select.POLLHUP | select.POLLERR):
                asked.callback()
