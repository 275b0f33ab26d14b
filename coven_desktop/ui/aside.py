"""One piece of work beside the GUI thread: it may take seconds, and nobody waits for it."""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable
from typing import Any, Generic, TypeVar

from coven_desktop.qt.core import QCoreApplication, QObject, QTimer, is_alive

log = logging.getLogger(__name__)

LOOK_MS = 30

T = TypeVar("T")


class Aside(Generic[T]):
    """Begins at once. `answer` is called later on the GUI thread, unless `parent` is gone or the work failed.

    The thread is a daemon and holds nothing of Qt, so that neither has to wait for the other's end: the work must end
    by itself in a known time, and leave nothing half done when the app ends. One timer of the app looks for all
    results; nothing of it is a child of `parent`, which may be taken apart at any time.
    """

    def __init__(self, work: Callable[[], T], answer: Callable[[T], None], parent: QObject) -> None:
        self.parent = parent
        self.answer = answer
        self.results: queue.SimpleQueue[tuple[T] | tuple[()]] = queue.SimpleQueue()
        _looker().watch(self)
        threading.Thread(target=_carry_out, args=(work, self.results), name="aside", daemon=True).start()


class _Looker(QObject):
    """Lives as long as the app."""

    def __init__(self, parent: QObject | None) -> None:
        super().__init__(parent)
        self._waiting: list[Aside[Any]] = []
        self._timer = QTimer(self)
        self._timer.setInterval(LOOK_MS)
        self._timer.timeout.connect(self._look)

    def watch(self, aside: Aside[Any]) -> None:
        self._waiting.append(aside)
        self._timer.start()

    def _look(self) -> None:
        for aside in list(self._waiting):
            try:
                found = aside.results.get_nowait()
            except queue.Empty:
                continue
            self._waiting.remove(aside)
            for result in found:
                if is_alive(aside.parent):
                    aside.answer(result)
        if not self._waiting:
            self._timer.stop()


_made: list[_Looker] = []


def _looker() -> _Looker:
    if not _made or not is_alive(_made[0]):
        _made[:] = [_Looker(QCoreApplication.instance())]
    return _made[0]


def _carry_out(work: Callable[[], T], results: queue.SimpleQueue[tuple[T] | tuple[()]]) -> None:
    try:
        results.put((work(),))
    except Exception:
        log.exception("Work beside the window failed")
        results.put(())
