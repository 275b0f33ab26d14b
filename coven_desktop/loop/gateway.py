"""The GUI's door to the engine: commands go over into its thread, outcomes and changes come back.

The GUI thread never waits: `submit` returns at once, and `done` is called later in the GUI thread, exactly
once, with an answer or an exception, also when the engine stops meanwhile.

What another thread's signal calls is declared a slot: PySide would otherwise add it to the class while that
thread emits, and now and then find no slot, or crash.
"""

from __future__ import annotations

import itertools
import logging
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any

from coven_desktop.contract.errors import Refusal
from coven_desktop.engine.answers import Answer, Outcome, Pending
from coven_desktop.engine.engine import Engine
from coven_desktop.loop.engine_thread import EngineStopped, EngineThread
from coven_desktop.qt.core import QObject, Qt, QTimer, Signal, Slot
from coven_desktop.store.errors import StoreFault

log = logging.getLogger(__name__)

CHANGE_MS = 50
"""Changes are joined to one signal in this time (design/architecture.md, Threads)."""

Command = Callable[[Engine, Mapping[str, Any]], Answer | Pending]


class EngineGateway(QObject):
    """Lives in the GUI thread. `changed`: something a view shows may have changed."""

    changed = Signal()
    _outcome_came = Signal()
    _change_came = Signal()

    def __init__(self, thread: EngineThread, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._thread = thread
        self._tickets = itertools.count()
        self._waiting: dict[int, Callable[[Outcome], None]] = {}
        self._outcomes: deque[tuple[int, Outcome]] = deque()
        self._change_on_its_way = False
        self._changed_again = False
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(CHANGE_MS)
        self._pause.timeout.connect(self._end_pause)
        queued = Qt.ConnectionType.QueuedConnection
        self._outcome_came.connect(self._deliver, queued)
        self._change_came.connect(self._take_change, queued)
        thread.finished.connect(self._take_end, queued)
        thread.post(lambda engine: engine.subscribe(self._note_change))

    def submit(self, command: Command, body: Mapping[str, Any], done: Callable[[Outcome], None]) -> None:
        """Carry out a command; `done` gets its Answer, or Refusal, StoreFault, EngineStopped, or a bug's exception."""
        ticket = next(self._tickets)
        self._waiting[ticket] = done
        try:
            self._thread.post(lambda engine: self._carry_out(ticket, engine, command, body))
        except EngineStopped as error:
            self._tell(ticket, error)

    # in the engine's thread

    def _carry_out(self, ticket: int, engine: Engine, command: Command, body: Mapping[str, Any]) -> None:
        try:
            given = command(engine, body)
        except (Refusal, StoreFault) as refusal:
            self._tell(ticket, refusal)
            return
        except Exception as bug:
            log.exception("A command of the window failed")
            self._tell(ticket, bug)
            return
        if isinstance(given, Pending):
            given.when_done(lambda outcome: self._tell(ticket, outcome))
        else:
            self._tell(ticket, given)

    def _tell(self, ticket: int, outcome: Outcome) -> None:
        self._outcomes.append((ticket, outcome))
        self._outcome_came.emit()

    def _note_change(self) -> None:
        # one event on its way is enough, however many commits it stands for
        if not self._change_on_its_way:
            self._change_on_its_way = True
            self._change_came.emit()

    # in the GUI thread

    @Slot()
    def _deliver(self) -> None:
        while self._outcomes:
            ticket, outcome = self._outcomes.popleft()
            done = self._waiting.pop(ticket, None)
            if done is not None:
                done(outcome)

    @Slot()
    def _take_change(self) -> None:
        self._change_on_its_way = False
        if self._pause.isActive():
            self._changed_again = True
        else:
            self._pause.start()
            self.changed.emit()

    @Slot()
    def _end_pause(self) -> None:
        if self._changed_again:
            self._changed_again = False
            self._pause.start()
            self.changed.emit()

    @Slot()
    def _take_end(self) -> None:
        self._deliver()
        waiting, self._waiting = self._waiting, {}
        for done in waiting.values():
            done(EngineStopped("The engine stopped before it answered. What was asked may or may not have been done."))
