"""The form for a routine: fields on the left, what they mean on the right, and why Save is off.

The contract's own parser judges every change, so that a refusal stands at its field in the contract's words. What
somebody else changes meanwhile is noticed while the form is open, and nothing of either is lost unasked.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from html import escape
from types import MappingProxyType
from typing import Any

from coven_desktop.contract.definition import DefinitionError
from coven_desktop.contract.routine_settings import SettingsError
from coven_desktop.engine.beside import Beside
from coven_desktop.engine.listing import RoutineRow
from coven_desktop.qt.core import QEvent, QTimer
from coven_desktop.qt.gui import QKeySequence, QShortcut
from coven_desktop.qt.widgets import QDialog, QHBoxLayout, QVBoxLayout, QWidget
from coven_desktop.ui import changes, draft, environment_editor, form_frame, questions, tones
from coven_desktop.ui.bars import NoticeBar
from coven_desktop.ui.bounded import Roomy, room_for
from coven_desktop.ui.changes_view import ChangesView
from coven_desktop.ui.conflict_dialog import ConflictDialog
from coven_desktop.ui.explaining import explain_on_f1
from coven_desktop.ui.family import NoRule, Rule
from coven_desktop.ui.form_doors import FormDoors, Subject, Wanted
from coven_desktop.ui.kept_forms import KeptForm
from coven_desktop.ui.preview_pane import PreviewPane
from coven_desktop.ui.routine_fields import MORE, RoutineFields
from coven_desktop.ui.texts import Tone
from coven_desktop.ui.times import Times
from coven_desktop.ui.zone_picker import clocks

PAUSE_MS = 120
# What stands beside a definition that has nothing beside it.
_NOTHING: Mapping[str, Any] = MappingProxyType({"environment": {}, "secrets": []})


class RoutineForm(QDialog):
    """Makes a new routine, or a new revision of one. `reason` is why Save is off, as a sentence."""

    def __init__(self, times: Times, doors: FormDoors, subject: Subject, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._times = times
        self._doors = doors
        self._routine = subject.routine
        self._base: dict[str, Any] = dict(subject.copied or {})
        # a copy is given its secrets beside it, as the form gives them
        self._named = tuple(self._base.pop("secrets", ()))
        self._beside: Beside | None = None
        self._beside_base: dict[str, Any] = dict(_NOTHING)
        self._open_slots = subject.open_slots
        self._theirs: RoutineRow | None = None
        self._deleted = False
        self._taken: KeptForm | None = None
        self._comparing: ConflictDialog | None = None
        self.reason = ""
        self._missing_folder = ""
        self._touched: set[str] = set()
        self._id_by_hand = False
        self._saving = False
        self.setModal(False)
        self.resize(room_for(self, 1020, 720))
        self.notice = NoticeBar(self)
        self.inputs = RoutineFields(
            times, doors.runtimes, failures=doors.failures, id_is_fixed=subject.routine is not None, parent=self
        )
        self.preview = PreviewPane(times, self)
        self.changes = ChangesView(self)
        self._lay_out()
        self._changes_later = QTimer(self)
        self._changes_later.setSingleShot(True)
        self._changes_later.setInterval(PAUSE_MS)
        self._changes_later.timeout.connect(self._say_changes)
        self.inputs.edited.connect(self._edited)
        self.inputs.zone.search_ended.connect(lambda: self._edited("timezone"))
        if subject.routine is not None:
            self._begin_with(subject.routine)
        else:
            self._begin_new()
        self.inputs.name.setFocus()

    def _lay_out(self) -> None:
        self.why = form_frame.why_line(self)
        self.why.linkActivated.connect(self.inputs.go_to)
        self.buttons, self.save_button = form_frame.buttons(self)
        self.buttons.accepted.connect(self._accept)
        self.buttons.rejected.connect(self.reject)
        bottom = QHBoxLayout()
        bottom.addWidget(self.why, 1)
        bottom.addWidget(self.buttons)
        whole = QVBoxLayout(self)
        whole.addWidget(self.notice)
        whole.addWidget(Roomy(form_frame.side_by_side(self.inputs, self.preview, self.changes, self), self), 1)
        whole.addLayout(bottom)
        for keys in ("Ctrl+S", "Ctrl+Return", "Ctrl+Enter"):
            QShortcut(QKeySequence(keys), self, self._accept)
        explain_on_f1(self)

    # --- what it is of ------------------------------------------------------------------------------------------------

    def _begin_new(self) -> None:
        self.setWindowTitle(self.tr("New routine"))
        self.changes.hide()
        self.inputs.show_body(self._base, draft.free_id(str(self._base.get("name", "")), self._doors.id_taken))
        self._at_first = self.wanted()
        self._shown_anew()

    def _begin_with(self, routine: RoutineRow, entered: Mapping[str, Any] | None = None) -> None:
        """Show a routine; `entered` is what the person wants of it, else it is as it is stored."""
        self._routine, self._theirs = routine, None
        self._base = dict(routine.body)
        self.setWindowTitle(self.tr("Edit “{name}”").format(name=routine.name))
        self.inputs.show_body(self._base, routine.id)
        self.inputs.schedule.allow(*form_frame.families(ours=draft.is_ours(self._base)))
        self._at_first = {**self.entered(), **self._beside_base}
        # what is wrong with it as it is stored is said at once
        self._touched = set(self.problems())
        if entered is not None:
            self.inputs.fill(entered, routine.id)
            self.inputs.schedule.allow(*form_frame.families(ours=draft.is_ours(self._base)))
        self._shown_anew()

    def _shown_anew(self) -> None:
        self._judge()
        self._preview_now()
        self._look_for_folder()

    def show_beside(self, found: Beside) -> None:
        """What stands beside the definition, when it is known and when it has changed; of a copy, that of the other."""
        known, self._beside = self._beside, found
        untouched = known is None or self._entered_beside() == self._beside_base
        written = {"environment": dict(found.environment), "secrets": list(found.secrets)}
        if self._routine is not None:
            self._beside_base = written
            self._at_first |= written
        else:
            self._beside = replace(found, environment={}, secrets=(), revision=0)
        if untouched:
            names = tuple(dict.fromkeys((*found.secrets, *self._named)))
            self.inputs.show_beside(found.environment, names, found.known)
        elif known is not None and found.revision != known.revision:
            text = self.tr(
                "Its environment or secrets were changed elsewhere meanwhile. What you entered is still here."
            )
            self.notice.say(text, stays=True)
        else:
            self.inputs.secrets.show_names(self.inputs.secrets.names(), found.known)
        if known is None:
            self._say_beyond(found.beyond)
            if self._taken is not None:
                self.inputs.environment.setPlainText(self._taken.environment)
                self.inputs.secrets.show_names(self._taken.secrets, found.known)
        self._judge()

    def _say_beyond(self, places: Sequence[str]) -> None:
        """Say what the routine holds that no form shows: an edit keeps it, a copy leaves it out."""
        held = [changes.name_of(place) for place in places]
        if draft.is_ours(self._base) and self._base.get("secrets"):
            names = ", ".join(self._base["secrets"])
            held.append(self.tr("secrets that its definition names ({names})").format(names=names))
        names = ", ".join(held)
        if self._routine is not None:
            self.inputs.say_kept(names)
        elif names:
            text = self.tr("The copy holds what this form shows. It leaves out, of the routine it is made of: {names}.")
            self.notice.say(text.format(names=names), stays=True)

    # --- what is entered ----------------------------------------------------------------------------------------------

    def entered(self) -> dict[str, Any]:
        """The definition as it stands in the form, good or not."""
        return self.inputs.entered(self._base)

    def _entered_beside(self) -> dict[str, Any]:
        """What stands beside it as it is entered; what cannot be read is the same as nothing stored."""
        try:
            return self.inputs.beside()
        except SettingsError as error:
            return {"environment": str(error), "secrets": list(self.inputs.secrets.names())}

    def wanted(self) -> dict[str, Any]:
        """All that is entered: the definition and what stands beside it."""
        return {**self.entered(), **self._entered_beside()}

    def problems(self) -> dict[str, DefinitionError]:
        """Every field that cannot be saved, with its refusal."""
        entered = self.entered()
        fresh = self._routine is None or entered.get("schedule") != self._base.get("schedule")
        found = draft.problems(
            entered,
            now=self._times.now(),
            schedule=self.inputs.schedule.problem(self.inputs.zone.name(), fresh=fresh),
            id_taken=self._doors.id_taken if self._routine is None else None,
        )
        try:
            beside = environment_editor.problem(**self.inputs.beside())
        except SettingsError as error:
            beside = DefinitionError(error.member, str(error))
        if beside is not None:
            found[beside.field] = beside
        return found

    def _judge(self) -> None:
        """Say at each touched field what is wrong with it, and beside Save why it is off."""
        problems = self.problems()
        for name, field in self.inputs.fields.items():
            error = problems.get(name)
            if name == "schedule" and self.inputs.schedule.refuse(error if name in self._touched else None):
                field.calm()
            elif name == "timezone" and self.inputs.zone.searching():
                field.calm(self.tr("Choose one of those that were found."))
            elif error is not None and name in self._touched:
                field.refuse(draft.reason(error.message), error.suggestion)
            elif name == "secrets":
                field.calm(self.inputs.secrets_hint())
            elif name == "delivery":
                field.calm(self.inputs.delivery.hint())
            else:
                field.calm(clocks(self.inputs.zone.name(), self._times) if name == "timezone" else "")
        if "runtime" not in problems and (warning := self.inputs.runtime.warning()):
            self.inputs.fields["runtime"].warn(warning)
        if "cwd" not in problems:
            self._hint_folder()
        self._say_why(problems)
        if any(name in problems and name in self._touched for name in MORE):
            self.inputs.more.setChecked(True)
        if self._routine is not None:
            self._changes_later.start()

    def _say_why(self, problems: Mapping[str, DefinitionError]) -> None:
        closed = self._closed()
        if not closed and not problems and self._same_as_stored():
            closed = self.tr("nothing is changed")
        if closed:
            self._tell_why(self.tr("Save is off: {reason}"), closed, escape(closed))
        elif problems:
            error = draft.first(problems)
            reason = draft.reason(error.message)
            field = draft.field_of(error.field)
            if field in self.inputs.fields:
                # the palette's own colour of links cannot be read on every ground
                colour = tones.colour(Tone.BUSY, self.palette()).name()
                text = f'<a href="{field}" style="color:{colour}">{escape(reason)}</a>'
            else:
                text = escape(reason)
            self._tell_why(self.tr("Save is off: {reason}"), reason, text)
        else:
            self._tell_why("{reason}", self.tr("Saving…") if self._saving else "")
        self.save_button.setEnabled(not problems and not self._saving and not closed)

    def _tell_why(self, sentence: str, reason: str, shown: str | None = None) -> None:
        self.reason = sentence.format(reason=reason)
        self.why.setText(sentence.format(reason=shown or reason))
        self.save_button.setAccessibleDescription(self.reason)

    def _closed(self) -> str:
        """Why nothing of this routine can be saved, whatever is entered."""
        if self._routine is not None and self._routine.lifecycle == "disabled":
            return self.tr("the routine is disabled, and must be enabled before it can be changed")
        return ""

    def _same_as_stored(self) -> bool:
        """Whether saving would only make a revision of the same; a draft becomes something else by it."""
        stored = self._routine is not None and self._routine.lifecycle in ("active", "paused")
        return stored and self.wanted() == {**self._base, **self._beside_base}

    def _hint_folder(self) -> None:
        """Decisions.md 19: the form warns before a run is refused."""
        folder = self.inputs.folder.text().strip()
        if not folder:
            self.inputs.fields["cwd"].warn(self.tr("Without a folder, Run now is refused."))
        elif folder == self._missing_folder:
            text = self.tr("There is no such folder now: until there is, runs are refused.")
            self.inputs.fields["cwd"].warn(text)

    def _look_for_folder(self) -> None:
        folder = self.inputs.folder.text().strip()
        if os.path.isabs(folder):
            self._doors.check_folder(folder, lambda there: self._folder_looked(folder, there))

    def _folder_looked(self, folder: str, there: bool) -> None:
        self._missing_folder = "" if there else folder
        self._judge()

    def _rule(self) -> Rule:
        return self.inputs.schedule.rule(self.inputs.zone.name())

    def _preview_now(self) -> None:
        if self.inputs.zone.searching():
            return  # the zone before stays in sight until one is chosen
        counted = 0 if self._routine is None else self._routine.runs_counted
        self.preview.show_rule(self._rule, active=self.inputs.active.isChecked(), counted=counted)

    def _say_changes(self) -> None:
        """For an edit: what the new revision changes, and what it means for what is planned (decisions.md 5)."""
        if self._routine is None:
            return
        entered = self.entered()
        wanted = self.wanted()
        if not isinstance(wanted["environment"], Mapping):  # it cannot be read: that is said at its field
            wanted["environment"] = self._beside_base["environment"]
        found = changes.between({**self._base, **self._beside_base}, wanted)
        if found and entered == self._base:
            heading = self.tr("Saving changes what its next runs are given")
            self.changes.show_changes(heading, found, (), "")
            return
        if not found:
            self.changes.show_changes(changes.unchanged(self._routine.lifecycle), (), (), "")
            return
        try:
            rule = self._rule()
        except NoRule:
            rule = None
        active = entered["status"] == "ACTIVE"
        lost = self._open_slots if changes.withdraws(self._base, entered) else ()
        losses, following = changes.consequences(rule, active, lost, self._times, self._routine.runs_counted)
        heading = self.tr("Saving makes revision {number}").format(number=self._routine.revision + 1)
        self.changes.show_changes(heading, found, losses, following)

    # --- events -------------------------------------------------------------------------------------------------------

    def reject(self) -> None:
        """Cancel, Escape and the window's cross: what was entered is not thrown away unasked."""
        if self._saving or not self.unsaved:
            super().reject()
        else:
            questions.confirm_discard(super().reject, self)

    @property
    def automation_id(self) -> str | None:
        """The routine that it changes, None for a new one."""
        return None if self._routine is None else self._routine.id

    def kept(self) -> KeptForm:
        """What is entered, to be kept when nobody can be asked about it."""
        text = self.inputs.environment.toPlainText()
        return KeptForm(self.automation_id, self.entered(), text, list(self.inputs.secrets.names()))

    def take(self, kept: KeptForm) -> None:
        """Enter what was kept; what stands beside it as soon as it is known what stands there."""
        self._taken = kept
        self.inputs.fill(kept.entered, str(kept.entered.get("id") or self.inputs.id.text()))
        self._touched = set(self.problems())
        self._shown_anew()
        self._changes_later.start()
        self.notice.say(self.tr("This is what you had entered when Coven Desktop was ended. It is not saved yet."))

    @property
    def unsaved(self) -> bool:
        """Whether something was entered that is saved nowhere."""
        return not self._saving and self.wanted() != self._at_first

    def _edited(self, name: str) -> None:
        self._touched.add(name)
        if name == "id":
            self._id_by_hand = True
        elif name == "name" and self._routine is None and not self._id_by_hand:
            self.inputs.id.setText(draft.free_id(self.inputs.name.text(), self._doors.id_taken))
        self._judge()
        if name in ("schedule", "timezone", "status"):
            self._preview_now()
        elif name == "cwd":
            self._look_for_folder()

    def changeEvent(self, event: QEvent) -> None:
        """A new palette: what is said beside Save is written in its colours."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.ApplicationPaletteChange:
            self._judge()

    # --- what others do meanwhile -------------------------------------------------------------------------------------

    def look_again(self, routine: RoutineRow | None, open_slots: tuple[int, ...]) -> None:
        """The routine as it is stored now, None when it is deleted, and what is planned of it."""
        if self._routine is None or self._saving:
            return
        if open_slots != self._open_slots:
            self._open_slots = open_slots
            self._changes_later.start()
        if routine is None:
            if not self._deleted:
                self._say_deleted()
        elif routine.revision not in (self._routine.revision, self._theirs and self._theirs.revision):
            mine = self.entered() if self.entered() != self._base else None
            if mine is not None and routine.body != self._base:
                self._theirs = routine
                self._say_changed(routine)
            else:
                text = self.tr("It was changed elsewhere; this is revision {number}.").format(number=routine.revision)
                self._begin_with(routine, mine)
                self.notice.say(text)

    def _say_changed(self, theirs: RoutineRow) -> None:
        names = ", ".join(change.name for change in changes.between(self._base, theirs.body))
        text = self.tr("It was changed elsewhere meanwhile: {names}. What you entered is still here.")
        self.notice.say(text.format(names=names), self.tr("Compare…"), self._compare, stays=True)

    def _say_deleted(self) -> None:
        self._deleted, self._theirs = True, None
        if self._comparing is not None:
            # there is nothing to compare with any more; what can be done now is said by the notice
            self._comparing.done(0)
        text = self.tr("This routine was deleted meanwhile. What is here can be kept as a new one.")
        self.notice.say(text, self.tr("Keep as new"), self._become_new, stays=True)

    def _become_new(self) -> None:
        entered = self.entered()
        self._routine, self._theirs, self._base, self._deleted = None, None, {}, False
        self._beside_base = dict(_NOTHING)
        if self._beside is not None:
            self._beside = replace(self._beside, environment={}, secrets=(), revision=0)
        self.inputs.id.setReadOnly(False)
        self.setWindowTitle(self.tr("New routine"))
        self.changes.hide()
        self.inputs.show_body(entered, draft.free_id(str(entered.get("name", "")), self._doors.id_taken))
        self._at_first = {}
        self._shown_anew()

    def _compare(self) -> None:
        if self._theirs is None:
            return
        theirs = self._theirs
        dialog = ConflictDialog(self._base, self.entered(), theirs.body, theirs.revision, self)
        dialog.chosen.connect(lambda merged: self._begin_with(theirs, merged))
        dialog.rejected.connect(lambda: self._say_changed(theirs) if self._theirs is theirs else None)
        dialog.finished.connect(self._compared)
        self._comparing = dialog
        dialog.open()

    def _compared(self) -> None:
        self._comparing = None

    # --- saving -------------------------------------------------------------------------------------------------------

    def _accept(self) -> None:
        problems = self.problems()
        if self._saving or self._closed() or (not problems and self._same_as_stored()):
            return
        if problems:
            self._touched |= set(problems)
            self._judge()
            self.inputs.go_to(draft.field_of(draft.first(problems).field))
            return
        if self._theirs is not None:
            self._compare()
            return
        self._saving = True
        self._judge()
        self._doors.save(self._to_save())

    def _to_save(self) -> Wanted:
        entered, beside = self.entered(), self._entered_beside()
        routine = self._routine
        same = entered == self._base and beside != self._beside_base
        return Wanted(
            entered["id"],
            None if routine is not None and same else entered,
            None if routine is None else routine.revision,
            beside if beside != self._beside_base else None,
            0 if self._beside is None else self._beside.revision,
        )

    def saved_in_part(self, routine: RoutineRow, reason: str) -> None:
        """The definition is saved, and is `routine` now; what stands beside it was refused."""
        self._saving = False
        self._begin_with(routine)
        self.inputs.id.setReadOnly(True)
        self.changes.show()
        text = self.tr("The routine is saved, but not its environment and secrets: {reason}")
        self.notice.say(text.format(reason=draft.reason(reason)), stays=True)

    def refuse(self, reason: str, field: str | None = None) -> None:
        """The engine refused what was sent: say it at its field when it has one, and above the form."""
        self._saving = False
        self._judge()
        text = draft.reason(reason)
        place = "" if field is None else draft.field_of(field)
        if place in self.inputs.fields:
            told = place == "schedule" and self.inputs.schedule.refuse(DefinitionError(str(field), text))
            if not told:
                self.inputs.fields[place].refuse(text)
            self.inputs.go_to(place)
        self.notice.say(self.tr("Not saved: {reason}").format(reason=text), stays=True)

    def show_theirs(self, routine: RoutineRow | None) -> None:
        """The engine refused because the routine is at another revision; `routine` is as it is stored now."""
        self._saving = False
        self._judge()
        if routine is None:
            self._say_deleted()
            return
        self._theirs = routine
        self._compare()
