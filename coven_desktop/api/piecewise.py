"""Answers that are made piece by piece: a little at once, the rest while the loop does its other work.

What is done within one stretch is answered in the very call. Longer work stands in one line and is done one after the
other, so that a hundred long answers do not hold a hundred halves of themselves.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator

from coven_desktop.api.messages import Response
from coven_desktop.clock import Clock, Loop

Work = Generator[None, None, Response]
"""Yields between pieces; the response is what it returns."""

Fault = Callable[[Exception], Response]

STRETCH_MS = 3
"""How long the loop is held at a stretch (design/architecture.md, One interpreter lock)."""


class Piecewise:
    """Works for everybody who asked."""

    def __init__(self, loop: Loop, clock: Clock) -> None:
        self._loop = loop
        self._clock = clock
        self._line: deque[tuple[Work, Callable[[Response], None], Fault]] = deque()

    def run(self, work: Work, reply: Callable[[Response], None], fault: Fault) -> None:
        """Do the work and reply once, at once or later. `fault` makes a response of what it raises."""
        response = self._stretch(work, fault)
        if response is not None:
            reply(response)
            return
        self._line.append((work, reply, fault))
        if len(self._line) == 1:
            self._schedule()

    def _schedule(self) -> None:
        self._loop.call_at(self._clock.monotonic(), self._go_on)

    def _go_on(self) -> None:
        work, reply, fault = self._line[0]
        response = self._stretch(work, fault)
        if response is not None:
            self._line.popleft()
        if self._line:
            self._schedule()
        if response is not None:
            reply(response)

    def _stretch(self, work: Work, fault: Fault) -> Response | None:
        """Work for a stretch; the response when it is done."""
        until = self._clock.monotonic() + STRETCH_MS
        try:
            while True:
                next(work)
                if self._clock.monotonic() >= until:
                    return None
        except StopIteration as done:
            response: Response = done.value
            return response
        except Exception as error:  # noqa: BLE001 - whatever it is, whoever asked gets an answer
            return fault(error)
