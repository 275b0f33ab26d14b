"""The open forms: which routine each one is of, what it reads, and where its definition goes when it is saved."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from coven_desktop.contract.errors import Code, TypedRefusal
from coven_desktop.engine.answers import Answer, Outcome
from coven_desktop.engine.listing import Listing, RoutineRow, StoreFault
from coven_desktop.qt.core import QObject
from coven_desktop.ui import draft
from coven_desktop.ui.acts import Acts, reason_of
from coven_desktop.ui.doors import Runtimes
from coven_desktop.ui.reader import ReaderThread
from coven_desktop.ui.routine_form import RoutineForm
from coven_desktop.ui.times import Times
from coven_desktop.ui.window import MainWindow

T = TypeVar("T")


class Forms(QObject):
    """See the file's docstring. `shown` are the open forms, oldest first."""

    def __init__(
        self,
        window: MainWindow,
        listing: Listing,
        reader: ReaderThread,
        acts: Acts,
        times: Times,
        runtimes: Runtimes,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._window = window
        self._listing = listing
        self._reader = reader
        self._acts = acts
        self._times = times
        self._runtimes = runtimes
        self.shown: list[RoutineForm] = []

    def new(self) -> None:
        """Open an empty form."""
        self._open(None)

    def edit(self, automation_id: str) -> None:
        """Open the form of a routine."""
        routine = self._read(lambda: self._listing.routine(automation_id))
        if routine is not None:
            self._open(routine)

    def duplicate(self, automation_id: str) -> None:
        """Open a new form filled as a routine is."""
        routine = self._read(lambda: self._listing.routine(automation_id))
        if routine is not None:
            name = self.tr("Copy of {name}").format(name=routine.name)
            self._open(None, copied={**routine.body, "name": name})

    def close(self) -> None:
        """Close all, unasked: the app ends."""
        for form in list(self.shown):
            form.done(0)

    def _open(self, routine: RoutineRow | None, copied: Mapping[str, Any] | None = None) -> None:
        def save(definition: Mapping[str, Any], revision: int | None) -> None:
            def done(outcome: Outcome) -> None:
                if isinstance(outcome, Answer):
                    form.accept()
                    self._saved(definition, revision is None, outcome)
                elif isinstance(outcome, TypedRefusal) and outcome.code == Code.REVISION_CONFLICT:
                    form.refuse(self.tr("it was changed elsewhere meanwhile. Close this form and open it again."))
                else:
                    form.refuse(reason_of(outcome), getattr(outcome, "field", None))

            self._acts.save(definition, revision, done)

        slots: tuple[int, ...] = ()
        if routine is not None:
            slots = tuple(self._read(lambda: self._listing.open_slots(routine.id)) or ())
        form = RoutineForm(
            self._times,
            tuple(self._runtimes()),
            save,
            routine=routine,
            copied=copied,
            id_taken=lambda chosen: bool(self._read(lambda: self._listing.id_taken(chosen))),
            check_folder=self._check_folder,
            open_slots=slots,
            parent=self._window if self._window.isVisible() else None,
        )
        self.shown.append(form)
        form.finished.connect(lambda: self._gone(form))
        form.show()
        form.raise_()

    def _saved(self, definition: Mapping[str, Any], new: bool, answer: Answer) -> None:
        if new:
            made = self._read(lambda: self._listing.routine(definition["id"]))
            if made is not None:
                self._window.show_new_routine(made.number)
        elif answer.payload.get("statusRefused"):
            if definition["status"] == "ACTIVE":
                text = self.tr("“{name}” is saved, but it could not be made active: {reason}")
            else:
                text = self.tr("“{name}” is saved, but it could not be paused: {reason}")
            text = text.format(name=definition["name"], reason=draft.reason(answer.payload["statusRefused"]))
            self._window.notice.say(text, stays=True)

    def _gone(self, form: RoutineForm) -> None:
        self.shown.remove(form)
        form.deleteLater()

    def _check_folder(self, path: str, answer: Callable[[bool], None]) -> None:
        # not here: a folder of a network disk can take its time
        self._reader.ask("folder", lambda _: os.path.isdir(path), answer)

    def _read(self, question: Callable[[], T]) -> T | None:
        """A read by key; None, and a notice, when the database refuses."""
        try:
            return question()
        except StoreFault as fault:
            self._window.notice.say(str(fault), stays=True)
            return None
