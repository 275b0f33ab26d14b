"""Deliveries into files, each by a helper process of its own: a disk that does not answer keeps nobody waiting.

What the helper does is told in `delivery_helper.py`. Here it is started, watched and ended at its limit.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from coven_desktop.clock import Clock, Loop
from coven_desktop.home import Home
from coven_desktop.runtime import helper_process
from coven_desktop.runtime.helper_process import HelperProcess
from coven_desktop.runtime.seam import Delivered, DeliveryOrder

LIMIT_MS = 60_000
FINISH_MS = 500
"""What is under way when the app ends has so long to come to its end."""
_COMMAND = helper_process.arguments("coven_desktop.runtime.delivery_helper")

Done = Callable[[Delivered], None]


class FileDeliveries:
    """The helpers that are at work."""

    def __init__(self, home: Home, loop: Loop, clock: Clock) -> None:
        self._home = home
        self._loop = loop
        self._clock = clock
        self._open: list[_Delivery] = []

    def begin(self, order: DeliveryOrder, done: Done) -> None:
        """See `Deliveries`."""
        delivery = _Delivery(order, done)
        try:
            delivery.begin(self._home.session(order.session_id).output)
        except OSError as error:
            told = Delivered(f"the helper that writes the file cannot be started: {error.strerror}")
            self._loop.call_soon(lambda: done(told))
            return
        self._open.append(delivery)
        delivery.watch(self._loop, self._clock, LIMIT_MS, partial(self._end, delivery))

    def finish(self) -> None:
        """See `Deliveries`."""
        until = self._clock.monotonic() + FINISH_MS
        for delivery in list(self._open):
            if delivery.wait(until - self._clock.monotonic()):
                self._end(delivery, timed_out=False)

    def close(self) -> None:
        """End those that are still at work. Nobody is told: the next app finds what was to be delivered."""
        for delivery in self._open:
            delivery.end()
        self._open.clear()

    def _end(self, delivery: _Delivery, timed_out: bool) -> None:
        if delivery not in self._open:
            return
        self._open.remove(delivery)
        delivery.read()
        told = delivery.told(timed_out=timed_out)
        delivery.end()
        delivery.done(told)


class _Delivery(HelperProcess):
    """One delivery, by its helper."""

    def __init__(self, order: DeliveryOrder, done: Done) -> None:
        super().__init__()
        self.order = order
        self.done = done

    def begin(self, output: Path) -> None:
        """Start the helper with its order. Raises OSError with nothing left of it."""
        order = {
            "output": str(output),
            "path": self.order.path,
            "mode": self.order.mode,
            "mark": self.order.run_id,
            "parent": os.getpid(),
        }
        environ = {name: os.environ[name] for name in ("LD_LIBRARY_PATH",) if name in os.environ}
        self.start(_COMMAND, json.dumps(order).encode(), environ)

    def told(self, *, timed_out: bool) -> Delivered:
        """What became of the delivery by what it said until it ended, or until its time was over."""
        lines: list[dict[str, Any]] = [
            json.loads(line) for line in self.seen.splitlines(keepends=True) if line.endswith(b"\n")
        ]
        for line in lines:
            if "error" in line:
                return Delivered(line["error"])
        wrote = any("writing" in line for line in lines)
        if timed_out:
            return Delivered(f"{self.order.path} could not be written within {LIMIT_MS // 1000} s", known=not wrote)
        return Delivered("what writes the file ended in the middle of it", known=not wrote)
