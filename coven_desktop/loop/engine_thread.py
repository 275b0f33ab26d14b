"""The thread the engine lives in, with its own Qt event loop (design/architecture.md, Threads).

A builder given by the app makes the store, the runtime, the engine and the socket inside this thread, because
all of them belong to it. What goes wrong there is told to the thread that made the object; nothing is lost
in a thread that nobody looks at.
"""

from __future__ import annotations

import logging
import sys
import threading
from collections.abc import Callable
from functools import partial
from typing import Protocol

from coven_desktop.clock import Clock
from coven_desktop.engine.engine import Engine
from coven_desktop.loop.qt_loop import QtLoop
from coven_desktop.qt.core import QObject, QThread, Signal

log = logging.getLogger(__name__)

STOP_MS = 2_000
"""How long a clean stop may take (design/decisions.md 27)."""
TURN_S = 0.000_5
"""How long this thread may go on when the window's waits for the interpreter.

The window gives it away at each call of Qt's, and waits to have it back: at the usual 5 ms a repaint beside a busy
engine took hundreds of milliseconds.
"""


class EngineStopped(Exception):
    """The engine has ended, or ended before it could answer."""


class House(Protocol):
    """What the builder made: the engine, and one way to end everything it made."""

    @property
    def engine(self) -> Engine:
        """The engine, started."""

    def close(self) -> None:
        """End serving and close the store. Called once, in the engine's thread."""


class EngineThread(QThread):
    """Runs one house. Start it with `start`, end it with `stop`; both from the thread that made it.

    Signals: `ready` when the house is built; `failed` with the exception when it could not be built or not
    be closed; `finished` (Qt's own) in any case at the end.
    """

    ready = Signal()
    failed = Signal(object)

    def __init__(self, build: Callable[[QtLoop], House], clock: Clock, parent: QObject | None = None) -> None:
        super().__init__(parent)
        sys.setswitchinterval(TURN_S)
        self._build = build
        self._clock = clock
        self._guard = threading.Lock()
        self._loop: QtLoop | None = None
        self._house: House | None = None
        self._backlog: list[Callable[[Engine], None]] = []
        self._sharing = False
        self._ended = False

    def post(self, callback: Callable[[Engine], None]) -> None:
        """Call back in the engine's thread, with the engine, once it is built. Any thread.

        Raises EngineStopped when the thread has ended. A callback that waits when it ends is dropped.
        """
        with self._guard:
            if self._ended:
                raise EngineStopped("The engine has stopped.")
            if self._loop is None or self._house is None:
                self._backlog.append(callback)
                return
            engine = self._house.engine
            self._loop.call_soon(partial(callback, engine))

    def share(self, sharing: bool) -> None:
        """Whether a window is shown: see `QtLoop.share`. Any thread."""
        with self._guard:
            self._sharing = sharing
            if self._loop is not None:
                self._loop.share(sharing)

    def stop(self, limit_ms: int = STOP_MS) -> bool:
        """Close the house and end the thread. True when it has ended within the limit."""
        with self._guard:
            # a house that is still being built sees this as soon as its loop begins
            self._backlog.clear()
            self.requestInterruption()
            if self._loop is not None:
                self._loop.call_soon(self.quit)
        return self.wait(limit_ms)

    def run(self) -> None:
        """The thread itself: build, serve, close. Called by Qt."""
        loop = QtLoop(self._clock)
        house: House | None = None
        try:
            house = self._build(loop)
            self._open_to_others(loop, house)
            self.ready.emit()
            if not self.isInterruptionRequested():
                self.exec()
        except Exception as error:
            log.info("The engine could not be started", exc_info=True)
            self.failed.emit(error)
        finally:
            self._close(loop, house)

    def _open_to_others(self, loop: QtLoop, house: House) -> None:
        with self._guard:
            self._loop, self._house = loop, house
            loop.share(self._sharing)
            engine = house.engine
            for callback in self._backlog:
                loop.call_soon(partial(callback, engine))
            self._backlog.clear()

    def _close(self, loop: QtLoop, house: House | None) -> None:
        with self._guard:
            self._ended = True
            self._loop = self._house = None
        try:
            if house is not None:
                house.close()
        except Exception as error:
            log.exception("The engine could not be closed in order")
            self.failed.emit(error)
        finally:
            loop.close()
