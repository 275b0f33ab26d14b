"""Carries an import out: one routine after another, by the commands that every door uses, each of them paused."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from coven_desktop.contract import exported
from coven_desktop.contract import routine as routines
from coven_desktop.engine.answers import Answer, Outcome
from coven_desktop.engine.commands import carrying, routine_settings, saving
from coven_desktop.qt.core import QObject, Signal
from coven_desktop.ui.acts import reason_of
from coven_desktop.ui.doors import Gateway
from coven_desktop.ui.family import document_of
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

        if planned.mine is None:
            body = {"adoptionKey": _key(), "document": exported.document([planned.entry])}
            self._gateway.submit(carrying.import_document, body, lambda outcome: self._imported(planned, outcome))
            return

        def taken(outcome: Outcome) -> None:
            if not isinstance(outcome, Answer):
                self._end(planned, reason_of(outcome))
            else:
                self._give_settings(planned, mine)

        mine, definition = planned.mine, planned.definition
        if mine["family"] != "rrule" and definition.get("schemaVersion") != routines.SCHEMA_VERSION:
            definition = _of_our_form(definition)
        body = {"adoptionKey": _key(), "definition": dict(definition), "expectedRevision": mine["revision"]}
        self._gateway.submit(saving.save, body, taken)

    def _imported(self, planned: Planned, outcome: Outcome) -> None:
        """One that is new came with its settings."""
        if not isinstance(outcome, Answer):
            self._end(planned, reason_of(outcome))
            return
        (told,) = outcome.payload["result"]["routines"]
        self._end(planned, "" if told["outcome"] == "imported" else str(told["reason"]))

    def _give_settings(self, planned: Planned, mine: Mapping[str, Any]) -> None:
        wanted = {
            "environment": planned.settings.get("environment") or {},
            "secrets": planned.settings.get("secrets") or [],
        }
        before = mine["settings"]
        if wanted == {name: before.get(name) or type(value)() for name, value in wanted.items()}:
            self._end(planned, "")
            return
        body = {
            "adoptionKey": _key(),
            "automationId": planned.id,
            "settings": wanted,
            "expectedRevision": before["revision"],
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


def _key() -> str:
    return f"import:{uuid.uuid4().hex}"


def _of_our_form(definition: Mapping[str, Any]) -> dict[str, Any]:
    """A flat definition as it takes the place of a routine of another family."""
    kept = {name: definition[name] for name in routines.SHARED if name in definition}
    return {**kept, "schemaVersion": routines.SCHEMA_VERSION, "schedule": document_of(definition)}
