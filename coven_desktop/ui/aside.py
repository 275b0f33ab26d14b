"""One piece of work beside the GUI thread: it may take seconds, and nobody waits for it."""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable
from typing import Generic, TypeAlias, TypeVar

from coven_desktop.qt.core import QObject, QTimer

log = logging.getLogger(__name__)

LOOK_MS = 30

T = TypeVar("T")
# One result, or none when the work failed.
_Results: TypeAlias = "queue.SimpleQueue[tuple[T] | tuple[()]]"


class Aside(QObject, Generic[T]):
    """Begins at once. `answer` is called later on the GUI thread, unless the parent is gone or the work failed.

    The thread is a daemon and holds nothing of Qt, so that neither has to wait for the other's end: the work must end
    by itself in a known time, and leave nothing half done when the app ends. Here it is looked for every 30 ms.
    """

    def __init__(self, work: Callable[[], T], answer: Callable[[T], None], parent: QObject) -> None:
        super().__init__(parent)
        self._answer = answer
        self._results: _Results[T] = queue.SimpleQueue()
        self._looking = QTimer(self)
        self._looking.setInterval(LOOK_MS)
        self._looking.timeout.connect(self._look)
        self._looking.start()
        threading.Thread(target=_carry_out, args=(work, self._results), name="aside", daemon=True).start()

    def _look(self) -> None:
        try:
            results = self._results.get_nowait()
        except queue.Empty:
            return
        self._looking.stop()
        self.deleteLater()
        for result in results:
            self._answer(result)


def _carry_out(work: Callable[[], T], results: _Results[T]) -> None:
    try:
        results.put((work(),))
    except Exception:
        log.exception("Work beside the window failed")
        results.put(())
