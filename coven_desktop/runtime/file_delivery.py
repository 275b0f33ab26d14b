"""Deliveries into files, each by a helper process of its own: a disk that does not answer keeps nobody waiting.

What the helper does is told in `delivery_helper.py`. Here it is started, watched and ended at its limit.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from coven_desktop.clock import Cancellable, Clock, Loop
from coven_desktop.home import Home
from coven_desktop.runtime.seam import Delivered, DeliveryOrder

LIMIT_MS = 60_000
FINISH_MS = 500
"""What is under way when the app ends has so long to come to its end."""
_DYING_MS = 100
_PIPE_SIZE = 65_536
_ARGUMENTS = (sys.executable, "-I", "-B", "-m", "coven_desktop.runtime.delivery_helper")

Done = Callable[[Delivered], None]


class FileDeliveries:
    """The helpers that are at work."""

    def __init__(self, home: Home, loop: Loop, clock: Clock) -> None:
        self._home = home
        self._loop = loop
        self._clock = clock
        self._open: list[_Helper] = []

    def begin(self, order: DeliveryOrder, done: Done) -> None:
        """See `Deliveries`."""
        helper = _Helper(order, done)
        try:
            helper.spawn(self._home.session(order.session_id).output)
        except OSError as error:
            told = Delivered(f"the helper that writes the file cannot be started: {error.strerror}")
            self._loop.call_soon(lambda: done(told))
            return
        self._open.append(helper)
        limit = self._clock.monotonic() + LIMIT_MS
        helper.watches = [
            self._loop.add_reader(helper.source, helper.read),
            self._loop.add_reader(helper.pidfd, lambda: self._end(helper, timed_out=False)),
            self._loop.call_at(limit, lambda: self._end(helper, timed_out=True)),
        ]

    def finish(self) -> None:
        """See `Deliveries`."""
        until = self._clock.monotonic() + FINISH_MS
        for helper in list(self._open):
            poll = select.poll()
            poll.register(helper.pidfd, select.POLLIN)
            if poll.poll(max(0, until - self._clock.monotonic())):
                self._end(helper, timed_out=False)

    def close(self) -> None:
        """End those that are still at work. Nobody is told: the next app finds what was to be delivered."""
        for helper in self._open:
            helper.end()
        self._open.clear()

    def _end(self, helper: _Helper, *, timed_out: bool) -> None:
        if helper not in self._open:
            return
        self._open.remove(helper)
        helper.read()
        told = helper.told(timed_out=timed_out)
        helper.end()
        helper.done(told)


@dataclass
class _Helper:
    """One helper, from its start to its end."""

    order: DeliveryOrder
    done: Done

    def __post_init__(self) -> None:
        self.watches: list[Cancellable] = []
        self.source = self.pidfd = -1
        self._pid = 0
        self._seen = b""

    def spawn(self, output: Path) -> None:
        """Start it with its order. Raises OSError with nothing left of it."""
        order = {
            "output": str(output),
            "path": self.order.path,
            "mode": self.order.mode,
            "mark": self.order.run_id,
            "parent": os.getpid(),
        }
        pipes = [*os.pipe(), *os.pipe()]
        try:
            source, target, self.source, answer = pipes
            # whole at once: it is smaller than a pipe holds
            os.write(target, json.dumps(order).encode())
            self._pid = os.posix_spawn(
                sys.executable,
                _ARGUMENTS,
                {name: os.environ[name] for name in ("LD_LIBRARY_PATH",) if name in os.environ},
                file_actions=[
                    (os.POSIX_SPAWN_DUP2, source, 0),
                    (os.POSIX_SPAWN_DUP2, answer, 1),
                    (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
                ],
                setsid=True,
                setsigmask=(),
                setsigdef=tuple(signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}),
            )
            self.pidfd = os.pidfd_open(self._pid)
            pipes.remove(self.source)
            os.set_blocking(self.source, False)
        except OSError:
            self.source = -1
            self.end()
            raise
        finally:
            for descriptor in pipes:
                os.close(descriptor)

    def read(self) -> None:
        """Take what it has said so far."""
        with contextlib.suppress(BlockingIOError):
            while data := os.read(self.source, _PIPE_SIZE):
                self._seen += data
            # its end: what is left is the end of the process
            if self.watches:
                self.watches[0].cancel()

    def told(self, *, timed_out: bool) -> Delivered:
        """What became of the delivery by what it said until it ended, or until its time was over."""
        lines: list[dict[str, Any]] = [
            json.loads(line) for line in self._seen.splitlines(keepends=True) if line.endswith(b"\n")
        ]
        for line in lines:
            if "error" in line:
                return Delivered(line["error"])
        wrote = any("writing" in line for line in lines)
        if timed_out:
            return Delivered(f"{self.order.path} could not be written within {LIMIT_MS // 1000} s", known=not wrote)
        return Delivered("what writes the file ended in the middle of it", known=not wrote)

    def end(self) -> None:
        """End it, if it lives, and give back what it took."""
        for watch in self.watches:
            watch.cancel()
        self.watches = []
        if self._pid:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self._pid, signal.SIGKILL)
            self._collect()
            self._pid = 0
        for descriptor in (self.pidfd, self.source):
            if descriptor >= 0:
                os.close(descriptor)
        self.pidfd = self.source = -1

    def _collect(self) -> None:
        """Wait for its end, a moment: one that a disk holds dies when that lets go of it."""
        poll = select.poll()
        if self.pidfd >= 0:
            poll.register(self.pidfd, select.POLLIN)
            poll.poll(_DYING_MS)
        with contextlib.suppress(ChildProcessError):
            os.waitpid(self._pid, os.WNOHANG)
