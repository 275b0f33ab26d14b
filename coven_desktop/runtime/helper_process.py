"""A helper process: asked one thing on its standard input, heard until it ends or its time is over, then ended.

What may hang (a keyring's prompt, a disk that does not answer) is done in one, so that it keeps nobody waiting.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import sys
from collections.abc import Callable, Mapping

from coven_desktop.clock import Cancellable, Clock, Loop

_DYING_MS = 100
_PIPE_SIZE = 65_536


def arguments(module: str) -> tuple[str, ...]:
    """The command line of a helper that is a module of ours: isolated, and nothing is written beside the code."""
    return (sys.executable, "-I", "-B", "-m", module)


class HelperProcess:
    """One helper. `seen`: what it has said so far."""

    def __init__(self) -> None:
        self.seen = b""
        self._pid = 0
        self._pidfd = self._source = -1
        self._watches: list[Cancellable] = []

    def start(self, command: tuple[str, ...], question: bytes, environ: Mapping[str, str]) -> None:
        """Start it with its question, which is shorter than a pipe holds. Raises OSError with nothing left of it."""
        pipes = [*os.pipe(), *os.pipe()]
        try:
            source, target, self._source, answer = pipes
            os.write(target, question)
            self._pid = os.posix_spawn(
                command[0],
                command,
                environ,
                file_actions=[
                    (os.POSIX_SPAWN_DUP2, source, 0),
                    (os.POSIX_SPAWN_DUP2, answer, 1),
                    (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
                ],
                setsid=True,
                setsigmask=(),
                setsigdef=tuple(signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}),
            )
            self._pidfd = os.pidfd_open(self._pid)
            pipes.remove(self._source)
            os.set_blocking(self._source, False)
        except OSError:
            self._source = -1
            self.end()
            raise
        finally:
            for descriptor in pipes:
                os.close(descriptor)

    def watch(self, loop: Loop, clock: Clock, limit_ms: int, ended: Callable[[bool], None]) -> None:
        """Hear it on the loop. `ended` comes once: False when it has ended, True when its time is over."""
        self._watches = [
            loop.add_reader(self._source, self.read),
            loop.add_reader(self._pidfd, lambda: ended(False)),
            loop.call_at(clock.monotonic() + limit_ms, lambda: ended(True)),
        ]

    def read(self) -> None:
        """Take what it has said so far."""
        with contextlib.suppress(BlockingIOError):
            while data := os.read(self._source, _PIPE_SIZE):
                self.seen += data
            # its end: what is left is the end of the process
            if self._watches:
                self._watches[0].cancel()

    def wait(self, limit_ms: int) -> bool:
        """Wait for its end, with no loop; whether it came in time."""
        poll = select.poll()
        poll.register(self._pidfd, select.POLLIN)
        return bool(poll.poll(max(0, limit_ms)))

    def end(self) -> None:
        """End it, if it lives, and give back what it took."""
        for watch in self._watches:
            watch.cancel()
        self._watches = []
        if self._pid:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self._pid, signal.SIGKILL)
            if self._pidfd >= 0:
                # a moment: one that a disk holds dies when that lets go of it
                self.wait(_DYING_MS)
            with contextlib.suppress(ChildProcessError):
                os.waitpid(self._pid, os.WNOHANG)
            self._pid = 0
        for descriptor in (self._pidfd, self._source):
            if descriptor >= 0:
                os.close(descriptor)
        self._pidfd = self._source = -1
