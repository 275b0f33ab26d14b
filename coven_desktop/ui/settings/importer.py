"""Carries an import out: one routine after another, by the commands that every door uses, each of them paused."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from typing import NamedTuple

from coven_desktop.engine.answers import Answer, Outcome
from coven_desktop.engine.commands import definitions, routine_settings, saving, versioned
from coven_desktop.qt.core import QObject, Signal
from coven_desktop.ui.acts import reason_of
from coven_desktop.ui.doors import Gateway
from coven_desktop.ui.settings.import_plan import Planned


class Result(NamedTuple):
    """How it went with one routine; `reason` is empty when it was taken."""

    planned: Planned
    reason: str


class Importer(QObject):
    """`done` comes once, with a Result for each."""

    done = Signal(object)

    def __init__(self, gateway: Gateway, chosen: Sequence[Planned], parent: QObject) -> None:
        super().__init__(parent)
        self._gateway = gateway
        self._left = list(chosen)
        self._results: list[Result] = []

    def start(self) -> None:
        """Begin; the first is asked for at once."""
        self._next()

    def _next(self) -> None:
        if not self._left:
            self.done.emit(self._results)
            return
        planned = self._left.pop(0)

        def taken(outcome: Outcome) -> None:
            if not isinstance(outcome, Answer):
                self._end(planned, reason_of(outcome))
            else:
                self._give_settings(planned)

        self._take(planned, taken)

    def _take(self, planned: Planned, taken: Callable[[Outcome], None]) -> None:
        definition, key = dict(planned.definition), f"import:{uuid.uuid4().hex}"
        if planned.mine is not None:
            body = {"adoptionKey": key, "definition": definition, "expectedRevision": planned.mine["revision"]}
            self._gateway.submit(saving.save, body, taken)
        elif planned.managed == "v1":
            self._gateway.submit(versioned.create, {"adoptionKey": key, "definition": definition}, taken)
        else:
            self._gateway.submit(definitions.create, {"definition": definition}, taken)

    def _give_settings(self, planned: Planned) -> None:
        wanted = {
            "environment": planned.settings.get("environment") or {},
            "secrets": planned.settings.get("secrets") or [],
        }
        mine = planned.mine["settings"] if planned.mine is not None else {"revision": 0}
        if wanted == {name: mine.get(name) or type(value)() for name, value in wanted.items()}:
            self._end(planned, "")
            return
        body = {
            "adoptionKey": f"import:{uuid.uuid4().hex}",
            "automationId": planned.id,
            "settings": wanted,
            "expectedRevision": mine["revision"],
        }

        def given(outcome: Outcome) -> None:
            if isinstance(outcome, Answer):
                self._end(planned, "")
            else:
                text = self.tr("it is taken over, but not its variables and secrets: {reason}")
                self._end(planned, text.format(reason=reason_of(outcome)))

        self._gateway.submit(routine_settings.put, body, given)

    def _end(self, planned: Planned, reason: str) -> None:
        self._results.append(Result(planned, reason))
        self._next()
