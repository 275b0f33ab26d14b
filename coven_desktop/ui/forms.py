"""The open forms: which routine each one is of, what it reads, and where its definition goes when it is saved."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, TypeVar

from coven_desktop.contract.errors import Code, TypedRefusal
from coven_desktop.engine import beside
from coven_desktop.engine.answers import Answer, Outcome
from coven_desktop.engine.beside import Beside
from coven_desktop.engine.listing import Listing, RoutineRow, StoreFault
from coven_desktop.qt.core import QObject
from coven_desktop.qt.widgets import QWidget
from coven_desktop.schedule import zone_search
from coven_desktop.ui import draft, questions
from coven_desktop.ui.acts import Acts, reason_of
from coven_desktop.ui.doors import Runtimes
from coven_desktop.ui.form_doors import FormDoors, Subject, Wanted
from coven_desktop.ui.kept_forms import KeptForm
from coven_desktop.ui.reader import ReaderThread
from coven_desktop.ui.routine_form import RoutineForm
from coven_desktop.ui.times import Times
from coven_desktop.ui.window import MainWindow

T = TypeVar("T")


class Forms(QObject):
    """See the file's docstring. `shown` are the open forms, oldest first.

    `failures` gives after how many failed runs in a row a cron routine is paused, 0: never.
    """

    def __init__(
        self,
        window: MainWindow,
        listing: Listing,
        reader: ReaderThread,
        acts: Acts,
        times: Times,
        runtimes: Runtimes,
        failures: Callable[[], int],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._window = window
        self._listing = listing
        self._reader = reader
        self._acts = acts
        self._times = times
        self._runtimes = runtimes
        self._failures = failures
        self.shown: list[RoutineForm] = []
        self._discarded: dict[int, dict[str, Any]] = {}

    def new(self) -> None:
        """Open an empty form."""
        self._open(None)

    def edit(self, automation_id: str) -> None:
        """Open the form of a routine, or bring the one that is open to the front."""
        for form in self.shown:
            if form.automation_id == automation_id:
                form.showNormal() if form.isMinimized() else form.show()
                form.raise_()
                form.activateWindow()
                return
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

    def unsaved(self) -> list[KeptForm]:
        """What stands in the open forms and is saved nowhere, save what the person was ready to lose."""
        return [form.kept() for form in self.shown if form.unsaved and form.wanted() != self._discarded.get(id(form))]

    def open_kept(self, kept: KeptForm) -> None:
        """Open a form as it was; that of a routine which is there no more makes a new one."""
        automation_id = kept.automation_id
        routine = None if automation_id is None else self._read(lambda: self._listing.routine(automation_id))
        self._open(routine)
        self.shown[-1].take(kept)

    def refresh(self) -> None:
        """Something may have changed: let each open form know how its routine is now."""
        for form in self.shown:
            if form.automation_id is not None:
                self._look_again(form, form.automation_id)
                self._look_beside(form, form.automation_id)

    def ask_before_quit(self, does: Callable[[], None], parent: QWidget | None) -> None:
        """Quit loses what is entered and not saved: ask once, then `does`; at once when there is nothing to lose."""
        unsaved = [form for form in self.shown if form.unsaved]
        if not unsaved:
            does()
        else:
            unsaved[0].raise_()
            questions.confirm_discard_all(len(unsaved), partial(self._discard, unsaved, does), parent)

    def _discard(self, forms: list[RoutineForm], does: Callable[[], None]) -> None:
        self._discarded = {id(form): form.wanted() for form in forms}
        does()

    def _open(
        self, routine: RoutineRow | None, copied: Mapping[str, Any] | None = None, copied_of: str | None = None
    ) -> None:
        doors = FormDoors(
            lambda wanted: self._save(form, wanted),
            tuple(self._runtimes()),
            id_taken=lambda chosen: bool(self._read(lambda: self._listing.id_taken(chosen))),
            check_folder=self._check_folder,
            failures=self._failures(),
        )
        slots = self._open_slots(routine.id) if routine is not None else ()
        parent = self._window if self._window.isVisible() else None
        form = RoutineForm(self._times, doors, Subject(routine, copied, slots), parent)
        self.shown.append(form)
        form.finished.connect(lambda: self._gone(form))
        form.show()
        form.raise_()
        # not here: it takes a tenth of a second, once
        self._reader.ask("zones", lambda _: zone_search.prepare(), lambda _: None)
        self._look_beside(form, routine.id if routine is not None else copied_of)

    def _look_beside(self, form: RoutineForm, automation_id: str | None) -> None:
        def told(found: Beside) -> None:
            if form in self.shown:
                form.show_beside(found)

        self._reader.ask(f"beside {id(form)}", lambda sources: beside.read(sources.reads.reader, automation_id), told)

    # --- saving ------------------------------------------------------------------------------------------------------

    def _save(self, form: RoutineForm, wanted: Wanted) -> None:
        """First the definition, then what stands beside it, which needs a routine that is there."""
        if wanted.definition is None:
            self._save_beside(form, wanted, None)
            return

        def done(outcome: Outcome) -> None:
            if isinstance(outcome, Answer) and wanted.settings is not None:
                self._save_beside(form, wanted, outcome)
            elif isinstance(outcome, Answer):
                self._finish(form, wanted, outcome)
            elif isinstance(outcome, TypedRefusal) and outcome.code == Code.REVISION_CONFLICT and wanted.revision:
                form.show_theirs(self._read(lambda: self._listing.routine(wanted.automation_id)))
            else:
                form.refuse(reason_of(outcome), _field(outcome))

        self._acts.save(wanted.definition, wanted.revision, done)

    def _save_beside(self, form: RoutineForm, wanted: Wanted, made: Answer | None) -> None:
        """`made` is how the definition was saved, None when it stays as it is."""

        def done(outcome: Outcome) -> None:
            if isinstance(outcome, Answer):
                self._finish(form, wanted, made)
                return
            row = self._read(lambda: self._listing.routine(wanted.automation_id)) if made is not None else None
            if isinstance(outcome, TypedRefusal) and outcome.code == Code.REVISION_CONFLICT:
                reason = self.tr("they were changed elsewhere meanwhile. Look at them, then save again.")
            else:
                reason = reason_of(outcome)
            if row is not None:
                form.saved_in_part(row, reason)
            else:
                form.refuse(reason)
            self._look_beside(form, wanted.automation_id)

        assert wanted.settings is not None
        self._acts.save_settings(wanted.automation_id, wanted.settings, wanted.settings_revision, done)

    def _finish(self, form: RoutineForm, wanted: Wanted, made: Answer | None) -> None:
        form.accept()
        if wanted.revision is None:
            row = self._read(lambda: self._listing.routine(wanted.automation_id))
            if row is not None:
                self._window.show_new_routine(row.number)
        elif made is not None and wanted.definition is not None and made.payload.get("statusRefused"):
            if wanted.definition["status"] == "ACTIVE":
                text = self.tr("“{name}” is saved, but it could not be made active: {reason}")
            else:
                text = self.tr("“{name}” is saved, but it could not be paused: {reason}")
            reason = draft.reason(made.payload["statusRefused"])
            self._window.notice.say(text.format(name=wanted.definition["name"], reason=reason), stays=True)

    def _look_again(self, form: RoutineForm, automation_id: str) -> None:
        try:
            form.look_again(self._listing.routine(automation_id), self._open_slots(automation_id))
        except StoreFault as fault:
            form.notice.say(str(fault), stays=True)

    def _open_slots(self, automation_id: str) -> tuple[int, ...]:
        return tuple(self._read(lambda: self._listing.open_slots(automation_id)) or ())

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


def _field(outcome: Outcome) -> str | None:
    """The member of the routine that a refusal names."""
    if isinstance(outcome, TypedRefusal):
        named = (outcome.details or {}).get("field")
        return named if isinstance(named, str) else None
    return getattr(outcome, "field", None)
