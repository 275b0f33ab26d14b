"""The reader thread: every question that scans the database is asked here, never on the GUI thread.

Questions have a key; a newer question under a key replaces one that has not begun, and makes the answer of one that
has begun worthless. Answers come in the GUI thread, in turn with its other events.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from coven_desktop.engine.listing import Listing, StoreFault
from coven_desktop.engine.reads import Reads
from coven_desktop.qt.core import QObject, Qt, QThread, Signal, Slot

log = logging.getLogger(__name__)

T = TypeVar("T")


class Sources:
    """What a question may read from: two views of one read-only connection, opened on the thread that reads."""

    def __init__(self, reads: Reads) -> None:
        self.reads = reads
        self.listing = Listing(reads.reader)

    def interrupt(self) -> None:
        """From any thread: break off the question that is being answered."""
        self.reads.reader.interrupt()

    def close(self) -> None:
        """Give the connection back."""
        self.reads.close()


@dataclass(frozen=True)
class _Asked:
    serial: int
    key: str
    question: Callable[[Sources], Any]
    answer: Callable[[Any], None]
    refused: Callable[[str], None] | None


class ReaderThread(QObject):
    """One thread, one question at a time. Made, asked and closed on the GUI thread."""

    _answered = Signal(object, object, object)

    def __init__(self, open_reads: Callable[[], Reads], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._open_reads = open_reads
        self._wakened = threading.Condition()
        self._waiting: dict[str, _Asked] = {}
        self._newest: dict[str, int] = {}
        self._serial = 0
        self._closing = False
        self._sources: Sources | None = None
        self._answered.connect(self._deliver, Qt.ConnectionType.QueuedConnection)
        self._thread = _Thread(self._work, self)
        self._thread.start()

    def ask(
        self,
        key: str,
        question: Callable[[Sources], T],
        answer: Callable[[T], None],
        refused: Callable[[str], None] | None = None,
    ) -> None:
        """Ask `question` on the reader thread and call `answer` here with what it returned.

        `refused` gets a sentence when the database refuses. A later question with the same key wins.
        """
        with self._wakened:
            self._serial += 1
            self._newest[key] = self._serial
            self._waiting.pop(key, None)  # the newest goes to the end of the queue
            self._waiting[key] = _Asked(self._serial, key, question, answer, refused)
            self._wakened.notify()

    def forget(self, key: str) -> None:
        """The answer to this question is not wanted any more."""
        with self._wakened:
            self._waiting.pop(key, None)
            self._newest.pop(key, None)

    def close(self) -> None:
        """End the thread; the question it is at is broken off. No answer comes after this."""
        with self._wakened:
            self._closing = True
            self._waiting.clear()
            self._newest.clear()
            self._wakened.notify()
        while not self._thread.wait(50):
            # again, because a question may have been between two statements
            with self._wakened:
                if self._sources is not None:
                    self._sources.interrupt()

    @Slot(object, object, object)
    def _deliver(self, asked: _Asked, value: object, sentence: str | None) -> None:
        if self._newest.get(asked.key) != asked.serial:
            return
        del self._newest[asked.key]
        if sentence is None:
            asked.answer(value)
        elif asked.refused is not None:
            asked.refused(sentence)

    def _work(self) -> None:
        try:
            while (asked := self._next()) is not None:
                try:
                    if self._sources is None:
                        self._sources = Sources(self._open_reads())
                    value = asked.question(self._sources)
                except StoreFault as fault:
                    self._answered.emit(asked, None, str(fault))
                except Exception as error:  # a bug in one question must not end the thread
                    if self._closing:
                        break
                    log.exception("a question to the database failed: %s", asked.key)
                    self._answered.emit(asked, None, str(error))
                else:
                    self._answered.emit(asked, value, None)
        finally:
            with self._wakened:
                sources, self._sources = self._sources, None
            if sources is not None:
                sources.close()

    def _next(self) -> _Asked | None:
        with self._wakened:
            while not self._waiting and not self._closing:
                self._wakened.wait()
            if self._closing:
                return None
            return self._waiting.pop(next(iter(self._waiting)))


class _Thread(QThread):
    def __init__(self, work: Callable[[], None], parent: QObject) -> None:
        super().__init__(parent)
        self._work = work

    def run(self) -> None:
        """See `QThread`."""
        self._work()
