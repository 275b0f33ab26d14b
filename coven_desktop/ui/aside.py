"""One piece of work beside the GUI thread: it may take seconds, and nobody waits for it."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Generic, TypeVar

from coven_desktop.qt.core import QObject, Qt, Signal, Slot

log = logging.getLogger(__name__)

T = TypeVar("T")


class Aside(QObject, Generic[T]):
    """Begins at once. `answer` is called later on the GUI thread, unless the parent is gone or the work failed.

    The thread is a daemon: work must end by itself in a known time, and leave nothing half done when the app ends.
    """

    _done = Signal(object)

    def __init__(self, work: Callable[[], T], answer: Callable[[T], None], parent: QObject) -> None:
        super().__init__(parent)
        self._work = work
        self._answer = answer
        self._done.connect(self._deliver, Qt.ConnectionType.QueuedConnection)
        threading.Thread(target=self._carry_out, name="aside", daemon=True).start()

    def _carry_out(self) -> None:
        try:
            value = self._work()
        except Exception:
            log.exception("Work beside the window failed")
            return
        with suppress(RuntimeError):  # the parent, and this with it, was deleted meanwhile
            self._done.emit(value)

    @Slot(object)
    def _deliver(self, value: T) -> None:
        self.deleteLater()
        self._answer(value)
