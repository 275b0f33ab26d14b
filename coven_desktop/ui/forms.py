"""The open forms: which routine each one is of, what it reads, and where its definition goes when it is saved."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from coven_desktop.contract.errors import Code, TypedRefusal
from coven_desktop.engine.answers import Answer, Outcome
from coven_desktop.engine.listing import Listing, RoutineRow, StoreFault
from coven_desktop.engine.rich_members import beyond_flat
from coven_desktop.qt.core import QObject
from coven_desktop.qt.widgets import QWidget
from coven_desktop.schedule import zone_search
from coven_desktop.ui import draft, questions
from coven_desktop.ui.acts import Acts, reason_of
from coven_desktop.ui.doors import Runtimes
from coven_desktop.ui.reader import ReaderThread
from coven_desktop.ui.routine_form import FormDoors, RoutineForm, Subject
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
            copied = {member: value for member, value in routine.body.items() if member != "id"}
            self._open(None, copied | {"name": name}, automation_id)

    def close(self) -> None:
        """Close all, unasked: the app ends."""
        for form in list(self.shown):
            form.done(0)

    def refresh(self) -> None:
        """Something may have changed: let each open form know how its routine is now."""
        for form in self.shown:
            if form.automation_id is not None:
                self._look_again(form, form.automation_id)

    def ask_before_quit(self, does: Callable[[], None], parent: QWidget | None) -> None:
        """Quit loses what is entered and not saved: ask once, then `does`; at once when there is nothing to lose."""
        unsaved = [form for form in self.shown if form.unsaved]
        if not unsaved:
            does()
        else:
            unsaved[0].raise_()
            questions.confirm_discard_all(len(unsaved), does, parent)

    def _open(
        self, routine: RoutineRow | None, copied: Mapping[str, Any] | None = None, copied_of: str | None = None
    ) -> None:
        def save(definition: Mapping[str, Any], revision: int | None) -> None:
            self._acts.save(
                definition, revision, lambda outcome: self._answered(form, definition, revision is None, outcome)
            )

        slots = self._open_slots(routine.id) if routine is not None else ()
        doors = FormDoors(
            save,
            tuple(self._runtimes()),
            id_taken=lambda chosen: bool(self._read(lambda: self._listing.id_taken(chosen))),
            check_folder=self._check_folder,
        )
        parent = self._window if self._window.isVisible() else None
        form = RoutineForm(self._times, doors, Subject(routine, copied, slots), parent)
        self.shown.append(form)
        form.finished.connect(lambda: self._gone(form))
        form.show()
        form.raise_()
        # not here: it takes a tenth of a second, once
        self._reader.ask("zones", lambda _: zone_search.prepare(), lambda _: None)
        self._say_beyond(form, routine.id if routine is not None else copied_of)

    def _say_beyond(self, form: RoutineForm, automation_id: str | None) -> None:
        if automation_id is None:
            return

        def told(places: tuple[str, ...]) -> None:
            if form in self.shown:
                form.show_beyond(places)

        self._reader.ask(f"beyond {id(form)}", lambda sources: beyond_flat(sources.reads.reader, automation_id), told)

    def _answered(self, form: RoutineForm, definition: Mapping[str, Any], new: bool, outcome: Outcome) -> None:
        if isinstance(outcome, Answer):
            form.accept()
            self._saved(definition, new, outcome)
        elif isinstance(outcome, TypedRefusal) and outcome.code == Code.REVISION_CONFLICT and not new:
            form.show_theirs(self._read(lambda: self._listing.routine(definition["id"])))
        else:
            form.refuse(reason_of(outcome), getattr(outcome, "field", None))

    def _look_again(self, form: RoutineForm, automation_id: str) -> None:
        try:
            form.look_again(self._listing.routine(automation_id), self._open_slots(automation_id))
        except StoreFault as fault:
            form.notice.say(str(fault), stays=True)

    def _open_slots(self, automation_id: str) -> tuple[int, ...]:
        return tuple(self._read(lambda: self._listing.open_slots(automation_id)) or ())

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
