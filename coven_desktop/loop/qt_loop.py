"""The `Loop` of the app: Qt's event loop of the thread in which it is made.

One precise QTimer serves all instants (a heap holds them), because a timer object for each of a thousand
instants would cost more than it tells. Descriptors are watched by QSocketNotifier.

Beside a busy thread a repaint waits for the interpreter's lock at every call into Python. So while a window
is shown (`share`), callbacks that ran for 3 ms at a stretch are followed by a rest of 1.5 ms
(design/architecture.md, Threads: one interpreter lock). Work that takes longer cuts itself into slices, and
where it cannot, as inside a transaction, it calls `breathe`.
"""

from __future__ import annotations

import contextlib
import heapq
import itertools
import logging
import threading
import time
from collections import deque
from collections.abc import Callable

from coven_desktop.clock import Clock
from coven_desktop.qt.core import QObject, QSocketNotifier, Qt, QTimer, Signal, Slot

log = logging.getLogger(__name__)

LONGEST_WAIT_MS = 3_600_000
"""Longer waits are cut: a QTimer holds 24 days, and asking the clock once an hour costs nothing."""

STRETCH_NS = 3_000_000
REST_NS = 1_500_000


class Timer:
    """One instant asked for."""

    def __init__(self, callback: Callable[[], None]) -> None:
        self.callback: Callable[[], None] | None = callback

    def cancel(self) -> None:
        """See `Cancellable`."""
        self.callback = None


class Watch:
    """One watched descriptor."""

    def __init__(self, notifier: QSocketNotifier) -> None:
        self._notifier: QSocketNotifier | None = notifier

    def cancel(self) -> None:
        """See `Cancellable`."""
        if self._notifier is not None:
            notifier, self._notifier = self._notifier, None
            with contextlib.suppress(RuntimeError):  # destroyed with its loop
                notifier.setEnabled(False)
                notifier.activated.disconnect()  # it holds the loop, its parent, that must not go together with it
                notifier.deleteLater()


class QtLoop(QObject):
    """See the file's docstring. All but `call_soon` and `share` belong to the thread that made it.

    A callback that raises is logged with its traceback, and the loop goes on.
    """

    _woken = Signal()

    def __init__(self, clock: Clock) -> None:
        super().__init__()
        self._clock = clock
        self._home_thread = threading.get_ident()
        self._order = itertools.count()
        self._timers: list[tuple[int, int, Timer]] = []
        self._soon: deque[Callable[[], None]] = deque()
        self._sharing = False
        self._closed = False
        self._stretch_ns = 0
        self._began_ns = 0
        self._ended_ns = 0
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._run_timers)
        # queued even within the thread: call_soon promises a later turn
        self._woken.connect(self._run_soon, Qt.ConnectionType.QueuedConnection)

    def share(self, sharing: bool) -> None:
        """Whether a window is shown, for which this loop rests between stretches of work. Any thread."""
        self._sharing = sharing

    def call_at(self, monotonic_ms: int, callback: Callable[[], None]) -> Timer:
        """See `Loop`."""
        self._check_thread()
        timer = Timer(callback)
        heapq.heappush(self._timers, (monotonic_ms, next(self._order), timer))
        if self._timers[0][2] is timer and not self._closed:
            self._arm()
        return timer

    def call_soon(self, callback: Callable[[], None]) -> None:
        """See `Loop`."""
        if not self._closed:
            self._soon.append(callback)
            # a thread that is late by a moment finds the loop gone: nobody is there to call back to
            with contextlib.suppress(RuntimeError):
                self._woken.emit()

    def breathe(self) -> None:
        """See `Loop`: a rest inside a callback that has worked for a whole stretch."""
        if self._sharing and self._stretch_ns + time.monotonic_ns() - self._began_ns >= STRETCH_NS:
            self._rest()

    def add_reader(self, fd: int, callback: Callable[[], None]) -> Watch:
        """See `Loop`."""
        return self._watch(fd, QSocketNotifier.Type.Read, callback)

    def add_writer(self, fd: int, callback: Callable[[], None]) -> Watch:
        """See `Loop`."""
        return self._watch(fd, QSocketNotifier.Type.Write, callback)

    def close(self) -> None:
        """Forget every timer, watch and callback. What is asked of it afterwards is dropped.

        Qt's objects are destroyed in this thread: left to Python they would go in whichever thread collects them,
        and Qt's timers do not bear that.
        """
        self._closed = True
        self._timer.stop()
        self._timers.clear()
        self._soon.clear()
        self.deleteLater()

    def _watch(self, fd: int, kind: QSocketNotifier.Type, callback: Callable[[], None]) -> Watch:
        self._check_thread()
        notifier = QSocketNotifier(fd, kind, self)
        watch = Watch(notifier)

        def activated() -> None:
            # an event that was on its way when the watch was cancelled is not delivered
            if watch._notifier is not None:
                self._run(callback)

        notifier.activated.connect(activated)
        return watch

    def _check_thread(self) -> None:
        if threading.get_ident() != self._home_thread:
            raise RuntimeError("this loop belongs to another thread: use call_soon")

    def _arm(self) -> None:
        while self._timers and self._timers[0][2].callback is None:
            heapq.heappop(self._timers)
        if self._timers:
            wait = self._timers[0][0] - self._clock.monotonic()
            self._timer.start(max(0, min(wait, LONGEST_WAIT_MS)))

    @Slot()
    def _run_timers(self) -> None:
        now = self._clock.monotonic()
        while self._timers and self._timers[0][0] <= now:
            callback = heapq.heappop(self._timers)[2].callback
            if callback is not None:
                self._run(callback)
        self._arm()

    @Slot()
    def _run_soon(self) -> None:
        # one callback for each event, so that timers and sockets have their turn between them
        if self._soon:
            self._run(self._soon.popleft())

    def _run(self, callback: Callable[[], None]) -> None:
        self._began_ns = time.monotonic_ns()
        if self._sharing:
            if self._began_ns - self._ended_ns >= REST_NS:
                self._stretch_ns = 0
            elif self._stretch_ns >= STRETCH_NS:
                self._rest()
        try:
            callback()
        except Exception:
            log.exception("A callback of the engine's loop failed")
        self._ended_ns = time.monotonic_ns()
        self._stretch_ns += self._ended_ns - self._began_ns

    def _rest(self) -> None:
        time.sleep(REST_NS / 1_000_000_000)
        self._stretch_ns = 0
        self._began_ns = time.monotonic_ns()
