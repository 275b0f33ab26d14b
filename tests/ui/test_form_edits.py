"""An edit: what it changes, what it takes from what is planned, and what somebody else changed meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from coven_desktop.contract import timestamps
from coven_desktop.engine import beside
from coven_desktop.engine.answers import Answer
from coven_desktop.engine.commands import definitions, envelope, reading, routine_settings, versioned
from coven_desktop.engine.listing import RoutineRow
from coven_desktop.qt.core import Qt
from coven_desktop.qt.widgets import QApplication, QLabel, QWhatsThis, QWidget
from coven_desktop.ui.conflict_dialog import ConflictDialog
from coven_desktop.ui.form_doors import FormDoors, Subject
from coven_desktop.ui.routine_form import RoutineForm
from coven_desktop.ui.shell import Shell
from tests.contract.rich_bodies import request, rich
from tests.ui.desk import Desk, until
from tests.ui.test_dialogs import nameless
from tests.ui.test_window import press, question

NOTES = "daily-notes"
SLOT = timestamps.parse("2030-01-02T08:00:00Z")


@pytest.fixture
def row(desk: Desk, shell: Shell) -> RoutineRow:
    """A routine as it is stored."""
    desk.routine("Daily notes", "echo one\necho two\necho three")
    return stored(shell)


def stored(shell: Shell, automation_id: str = NOTES) -> RoutineRow:
    found = shell._listing.routine(automation_id)
    assert found is not None
    return found


@pytest.fixture
def form_of(qtbot: QtBot, shell: Shell) -> Callable[..., RoutineForm]:
    """A form that stands alone; what it saves goes nowhere."""

    def make(row: RoutineRow, **subject: Any) -> RoutineForm:
        form = RoutineForm(shell._times, FormDoors(lambda *_: None), Subject(row, **subject))
        qtbot.addWidget(form, before_close_func=lambda _: form.done(0))
        form.show()
        return form

    return make


def text(form: RoutineForm) -> str:
    """What the form says that saving changes."""
    form._say_changes()
    return form.changes.text.replace("\u2028", "\n")


def elsewhere(desk: Desk, row: RoutineRow, **members: Any) -> None:
    """Somebody else saves the routine."""
    desk.do(definitions.update, {"definition": dict(row.body) | members})


def conflict(form: RoutineForm) -> ConflictDialog:
    """The dialog that compares both."""

    def shown() -> ConflictDialog | None:
        return next((found for found in form.findChildren(ConflictDialog) if found.isVisible()), None)

    return until("both are shown", shown)


# --- what changes -----------------------------------------------------------------------------------------------------


def test_a_prompt_is_told_line_by_line(form_of: Callable[..., RoutineForm], row: RoutineRow) -> None:
    form = form_of(row)
    form.inputs.prompt.setPlainText("echo one\necho 2\necho three")
    assert "Prompt\n  echo one\n\u2212 echo two\n+ echo 2\n  echo three" in text(form).replace("\u00a0", " ")


def test_a_schedule_is_told_as_sentences(form_of: Callable[..., RoutineForm], row: RoutineRow) -> None:
    form = form_of(row)
    form.inputs.schedule.take("FREQ=WEEKLY;BYDAY=MO;BYHOUR=7")
    form.inputs.zone.setEditText("Asia/Tokyo")
    said = text(form)
    assert "\u2212 Every day at 03:00 (Europe/Paris)" in said
    assert "+ Every Monday at 07:00 (Asia/Tokyo)" in said


def test_the_same_rule_in_other_words_is_told_as_it_is_written(
    form_of: Callable[..., RoutineForm], row: RoutineRow
) -> None:
    form = form_of(row)
    form.inputs.schedule.take("BYHOUR=3;FREQ=DAILY")
    assert "+ BYHOUR=3;FREQ=DAILY" in text(form)


def test_the_planned_run_that_is_lost_and_the_next_one_are_told(
    form_of: Callable[..., RoutineForm], row: RoutineRow
) -> None:
    form = form_of(row, open_slots=(SLOT,))
    form.inputs.prompt.setPlainText("x")
    said = text(form)
    assert "The run planned for Wed 2 Jan 2030, 03:00 has not begun, and will not" in said
    # after the slot that is lost: the new revision does not plan it again
    assert "It runs next: Wed 2 Jan 2030, 21:00" in said
    form.inputs.active.setChecked(False)
    assert "It is paused then" in text(form)


def test_a_slot_that_is_planned_while_the_form_is_open_is_told(
    form_of: Callable[..., RoutineForm], row: RoutineRow
) -> None:
    form = form_of(row)
    form.inputs.prompt.setPlainText("x")
    assert "has not begun" not in text(form)
    form.look_again(row, (SLOT,))
    until("it is told", lambda: "has not begun" in form.changes.text)


def test_what_a_control_cannot_show_as_it_is_written_stays(desk: Desk, shell: Shell) -> None:
    retry = {"maxAttempts": 1, "backoffPolicy": "fixed", "backoffSeconds": 5}
    desk.routine("Daily notes", tags=["a,b"], retry=retry, cwd=" /tmp ")
    before = stored(shell).body
    shell.forms.edit(NOTES)
    form = shell.forms.shown[0]
    assert form.entered() == before
    assert not form.unsaved
    form.inputs.name.setText("Notes")
    form.inputs.name.textEdited.emit("Notes")
    assert form.entered() == {**before, "name": "Notes"}
    form.done(0)


# --- why Save is off --------------------------------------------------------------------------------------------------


def test_the_line_beside_save_names_the_first_field_and_leads_to_it(
    form_of: Callable[..., RoutineForm], row: RoutineRow
) -> None:
    form = form_of(row)
    form.inputs.prompt.setPlainText("")
    form.inputs.tags.setText("x")
    form.inputs.timeout.setValue(3)
    assert form.reason == "Save is off: it needs a prompt"
    form.why.linkActivated.emit("prompt")
    until("it has the focus", form.inputs.prompt.hasFocus)


def test_what_is_typed_is_shown_as_text_never_as_markup(form_of: Callable[..., RoutineForm], row: RoutineRow) -> None:
    form = form_of(row)
    form.inputs.zone.setEditText("<b>x</b>")
    assert "“<b>x</b>”" in form.reason
    assert "&lt;b&gt;" in form.why.text()


def test_saving_by_keyboard_leads_to_what_is_wrong(form_of: Callable[..., RoutineForm], row: RoutineRow) -> None:
    form = form_of(row)
    form.inputs.name.setFocus()
    until("it is the active window", form.isActiveWindow)
    form.inputs.prompt.setPlainText("")
    QTest.keyClick(form, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    until("it has the focus", form.inputs.prompt.hasFocus)


def test_a_disabled_routine_says_that_it_cannot_be_saved(desk: Desk, shell: Shell, row: RoutineRow) -> None:
    body = {"adoptionKey": "test:disable:1", "id": NOTES, "expectedRevision": 1}
    desk.do(versioned.disable, body)
    shell.forms.edit(NOTES)
    form = shell.forms.shown[0]
    assert "disabled" in form.reason
    assert not form.save_button.isEnabled()


def test_a_draft_says_what_saving_makes_of_it(desk: Desk, shell: Shell) -> None:
    send(desk, "definition.create.v1", rich({}))
    shell.forms.edit("harbour-log")
    form = shell.forms.shown[0]
    assert "It is a draft. Saving makes it a routine that is paused" in text(form)
    form.inputs.active.setChecked(True)
    form.save_button.click()
    until("the form is done", lambda: not shell.forms.shown)
    assert stored(shell, "harbour-log").lifecycle == "active"


def test_a_routine_has_one_form(shell: Shell, row: RoutineRow) -> None:
    shell.forms.edit(NOTES)
    first = shell.forms.shown[0]
    first.inputs.prompt.setPlainText("echo mine")
    shell.forms.edit(NOTES)
    assert shell.forms.shown == [first]
    assert first.inputs.prompt.toPlainText() == "echo mine"


# --- what others do meanwhile -----------------------------------------------------------------------------------------


def test_a_change_elsewhere_shows_at_once_in_a_form_that_was_not_touched(
    desk: Desk, shell: Shell, row: RoutineRow
) -> None:
    shell.forms.edit(NOTES)
    form = shell.forms.shown[0]
    elsewhere(desk, row, prompt="echo other")
    until("it shows", lambda: form.inputs.prompt.toPlainText() == "echo other")
    assert form.notice.text.text() == "It was changed elsewhere; this is revision 2."
    assert not form.unsaved


def test_a_change_elsewhere_is_told_and_what_was_entered_stays(desk: Desk, shell: Shell, row: RoutineRow) -> None:
    shell.forms.edit(NOTES)
    form = shell.forms.shown[0]
    form.inputs.prompt.setPlainText("echo mine")
    elsewhere(desk, row, name="Notes", timeoutMinutes=9)
    until("it is told", form.notice.isVisible)
    assert "Name, Stop after" in form.notice.text.text()
    assert form.inputs.prompt.toPlainText() == "echo mine"
    form.notice.button.click()
    dialog = conflict(form)
    # each changed what the other did not: nothing has to be chosen
    assert dialog.open_fields() == []
    dialog.use.click()
    assert form.inputs.name.text() == "Notes"
    assert form.inputs.timeout.value() == 9
    form.save_button.click()
    until("the form is done", lambda: not shell.forms.shown)
    after = stored(shell)
    assert (after.revision, after.name, after.body["prompt"]) == (3, "Notes", "echo mine")
    assert after.body["timeoutMinutes"] == 9


def test_what_both_changed_is_chosen_by_the_person(desk: Desk, shell: Shell, row: RoutineRow) -> None:
    shell.forms.edit(NOTES)
    form = shell.forms.shown[0]
    form.inputs.prompt.setPlainText("echo mine")
    form.inputs.timeout.setValue(7)
    elsewhere(desk, row, prompt="echo theirs", rrule="FREQ=DAILY;BYHOUR=5")
    until("it is told", form.notice.isVisible)
    form.save_button.click()
    dialog = conflict(form)
    assert dialog.open_fields() == ["prompt"]
    assert not dialog.use.isEnabled()
    assert dialog.open_choices.text() == "Both changed Prompt: choose."
    dialog.buttons["prompt"]["theirs"].click()
    dialog.use.click()
    assert form.inputs.prompt.toPlainText() == "echo theirs"
    assert form.entered()["rrule"] == "FREQ=DAILY;BYHOUR=5"
    assert form.inputs.timeout.value() == 7
    assert "Stop after" in text(form)
    assert "Prompt" not in text(form)
    form.save_button.click()
    until("the form is done", lambda: not shell.forms.shown)
    assert stored(shell).revision == 3


def test_what_is_deleted_while_both_are_compared_can_still_be_kept_as_new(
    desk: Desk, shell: Shell, row: RoutineRow
) -> None:
    shell.forms.edit(NOTES)
    form = shell.forms.shown[0]
    form.inputs.prompt.setPlainText("echo mine")
    elsewhere(desk, row, prompt="echo theirs")
    until("it is told", form.notice.isVisible)
    form.notice.button.click()
    conflict(form)
    desk.do(definitions.delete, {"id": NOTES})
    until("it is told", lambda: "deleted meanwhile" in form.notice.text.text())
    until("there is nothing to compare", lambda: not form.findChildren(ConflictDialog))
    assert form.notice.button.text() == "Keep as new"
    form.notice.button.click()
    assert form.inputs.prompt.toPlainText() == "echo mine"
    assert form.automation_id is None


def test_all_of_one_side_can_be_chosen(desk: Desk, shell: Shell, row: RoutineRow) -> None:
    shell.forms.edit(NOTES)
    form = shell.forms.shown[0]
    form.inputs.prompt.setPlainText("echo mine")
    elsewhere(desk, row, prompt="echo theirs", tags=["x"])
    until("it is told", form.notice.isVisible)
    form.notice.button.click()
    dialog = conflict(form)
    dialog._choose_all("mine")
    assert dialog.merged() == {**row.body, "prompt": "echo mine"}
    dialog._choose_all("theirs")
    assert dialog.merged() == {**row.body, "prompt": "echo theirs", "tags": ["x"]}
    dialog.reject()
    # what was entered stays, and the way to compare too
    assert form.inputs.prompt.toPlainText() == "echo mine"
    assert form.notice.isVisible()
    form.done(0)


def test_a_save_that_comes_too_late_shows_both(form_of: Callable[..., RoutineForm], row: RoutineRow) -> None:
    form = form_of(row)
    form.inputs.prompt.setPlainText("echo mine")
    form.save_button.click()
    assert not form.save_button.isEnabled()
    form.show_theirs(replace(row, revision=2, body={**row.body, "prompt": "echo theirs"}))
    dialog = conflict(form)
    assert dialog.open_fields() == ["prompt"]
    dialog.reject()
    assert form.save_button.isEnabled()


def test_the_same_change_made_twice_is_no_conflict(desk: Desk, shell: Shell, row: RoutineRow) -> None:
    shell.forms.edit(NOTES)
    form = shell.forms.shown[0]
    form.inputs.prompt.setPlainText("echo same")
    elsewhere(desk, row, prompt="echo same")
    until("it is told", form.notice.isVisible)
    form.notice.button.click()
    assert conflict(form).open_fields() == []
    conflict(form).use.click()
    assert not form.unsaved


def test_a_routine_deleted_meanwhile_can_be_kept_as_a_new_one(desk: Desk, shell: Shell, row: RoutineRow) -> None:
    shell.forms.edit(NOTES)
    form = shell.forms.shown[0]
    form.inputs.prompt.setPlainText("echo mine")
    desk.do(definitions.delete, {"id": NOTES})
    until("it is told", form.notice.isVisible)
    assert "deleted" in form.notice.text.text()
    form.notice.button.click()
    assert form.inputs.id.text() == "daily-notes-2"
    form.save_button.click()
    until("the form is done", lambda: not shell.forms.shown)
    assert stored(shell, "daily-notes-2").body["prompt"] == "echo mine"


def test_quit_asks_before_what_is_entered_is_lost(desk: Desk, shell: Shell, row: RoutineRow) -> None:
    quits: list[bool] = []
    shell.quit_wanted.connect(lambda: quits.append(True))
    shell.forms.edit(NOTES)
    form = shell.forms.shown[0]
    form.inputs.prompt.setPlainText("echo mine")
    shell.ask_quit()
    press(question(), "Keep editing")
    assert not quits
    shell.ask_quit()
    press(question(), "Discard and quit")
    assert quits


# --- what stands beside the definition ----------------------------------------------------------------------------


def settings(shell: Shell, automation_id: str = NOTES) -> tuple[dict[str, str], tuple[str, ...], int]:
    """What is stored beside a routine."""
    found = beside.read(shell._listing._reader, automation_id)
    return dict(found.environment), found.secrets, found.revision


def give(desk: Desk, expected: int, environment: dict[str, str], secrets: list[str]) -> None:
    """Somebody else gives the routine an environment and secrets."""
    body = {
        "adoptionKey": f"test:settings:{expected}",
        "automationId": NOTES,
        "settings": {"environment": environment, "secrets": secrets},
        "expectedRevision": expected,
    }
    desk.do(routine_settings.put, body)


def edited(shell: Shell) -> RoutineForm:
    """The form of the routine, once it knows what stands beside it."""
    shell.forms.edit(NOTES)
    form = shell.forms.shown[0]
    until("it knows what stands beside", lambda: form._beside)
    return form


def test_environment_and_secrets_alone_are_saved_without_a_revision(desk: Desk, shell: Shell, row: RoutineRow) -> None:
    give(desk, 0, {"LANG": "C"}, ["MY_TOKEN"])
    form = edited(shell)
    assert form.inputs.environment.toPlainText() == "LANG=C"
    assert form.inputs.secrets.item(0).text() == "MY_TOKEN (not kept yet)"
    assert not form.unsaved
    form.inputs.environment.setPlainText("LANG=C\nTERM=dumb")
    form.inputs.secrets.item(0).setCheckState(Qt.CheckState.Unchecked)
    said = text(form)
    assert "Saving changes what its next runs are given" in said
    assert "+ TERM=dumb" in said
    assert "Secrets\n\u2212 MY_TOKEN\n+ none" in said
    form.save_button.click()
    until("the form is done", lambda: not shell.forms.shown)
    assert settings(shell) == ({"LANG": "C", "TERM": "dumb"}, (), 2)
    assert stored(shell).revision == 1


def test_both_are_saved_together_also_of_a_new_routine(desk: Desk, shell: Shell) -> None:
    shell.forms.new()
    form = shell.forms.shown[0]
    form.inputs.name.setText("Daily notes")
    form.inputs.name.textEdited.emit("Daily notes")
    form.inputs.prompt.setPlainText("true")
    form.inputs.environment.setPlainText("A=1=2\n\nB=")
    form.save_button.click()
    until("the form is done", lambda: not shell.forms.shown)
    assert settings(shell) == ({"A": "1=2", "B": ""}, (), 1)


@pytest.mark.parametrize(
    ("entered", "reason"),
    [
        ("LANG", "Line 1 must be NAME=value."),
        ("A=1\nA=2", "A stands here twice."),
        ("COVEN_RUN_ID=x", "which every run is given already"),
        ("1A=x", "not a digit first"),
    ],
)
def test_what_is_no_variable_is_refused_at_its_field(
    desk: Desk, shell: Shell, row: RoutineRow, entered: str, reason: str
) -> None:
    form = edited(shell)
    form.inputs.environment.setPlainText(entered)
    assert reason in form.inputs.fields["environment"].message
    assert not form.save_button.isEnabled()
    assert form.inputs.more.isChecked()
    form.done(0)


def test_an_environment_that_cannot_be_read_is_no_change(desk: Desk, shell: Shell, row: RoutineRow) -> None:
    form = edited(shell)
    form.inputs.environment.setPlainText("LANG")
    form.inputs.prompt.setPlainText("x")
    assert "Prompt" in text(form)
    assert "Environment" not in text(form)
    assert form.unsaved
    form.done(0)


def test_a_value_of_several_lines_stays_as_it_is(desk: Desk, shell: Shell, row: RoutineRow) -> None:
    give(desk, 0, {"KEY": "a\nb", "LANG": "C"}, [])
    form = edited(shell)
    assert form.inputs.environment.toPlainText() == "LANG=C"
    assert not form.unsaved
    form.inputs.environment.setPlainText("LANG=D")
    form.save_button.click()
    until("the form is done", lambda: not shell.forms.shown)
    assert settings(shell)[0] == {"KEY": "a\nb", "LANG": "D"}


def test_what_others_give_meanwhile_shows_or_is_told(desk: Desk, shell: Shell, row: RoutineRow) -> None:
    form = edited(shell)
    give(desk, 0, {"LANG": "C"}, [])
    until("it shows", lambda: form.inputs.environment.toPlainText() == "LANG=C")
    form.inputs.environment.setPlainText("LANG=D")
    give(desk, 1, {"LANG": "E"}, [])
    until("it is told", lambda: "environment or secrets were changed elsewhere" in form.notice.text.text())
    assert form.inputs.environment.toPlainText() == "LANG=D"
    # what saving replaces is in sight
    assert "\u2212 LANG=E\n+ LANG=D" in text(form)
    form.save_button.click()
    until("the form is done", lambda: not shell.forms.shown)
    assert settings(shell) == ({"LANG": "D"}, (), 3)


def test_a_routine_whose_settings_are_refused_says_that_the_rest_is_saved(
    desk: Desk, shell: Shell, row: RoutineRow
) -> None:
    form = edited(shell)
    form.inputs.prompt.setPlainText("echo mine")
    form.inputs.environment.setPlainText("LANG=D")
    # it has not heard of the change yet
    form.look_again, shell.forms.refresh = (lambda *_: None), (lambda: None)  # type: ignore[method-assign]
    give(desk, 0, {"LANG": "C"}, [])
    form.save_button.click()
    until("it is told", form.notice.isVisible)
    assert stored(shell).body["prompt"] == "echo mine"
    until("it knows the others'", lambda: form._beside is not None and form._beside.revision == 1)
    assert form.inputs.environment.toPlainText() == "LANG=D"
    form.save_button.click()
    until("the form is done", lambda: not shell.forms.shown)
    assert settings(shell) == ({"LANG": "D"}, (), 2)
    assert stored(shell).revision == 2


def test_a_copy_is_given_the_same(desk: Desk, shell: Shell, row: RoutineRow) -> None:
    give(desk, 0, {"LANG": "C"}, ["MY_TOKEN"])
    shell.forms.duplicate(NOTES)
    form = shell.forms.shown[0]
    until("it shows", lambda: form.inputs.environment.toPlainText() == "LANG=C")
    form.save_button.click()
    until("the form is done", lambda: not shell.forms.shown)
    assert settings(shell, "copy-of-daily-notes") == ({"LANG": "C"}, ("MY_TOKEN",), 1)


# --- routines of the versioned API ------------------------------------------------------------------------------------


def send(desk: Desk, command: str, definition: Mapping[str, Any], expected: int | None = None) -> None:
    body = request(command, {"definition": definition}, f"test:{command}:{expected}", expected)
    outcome = desk.ask(envelope.command, body)
    assert isinstance(outcome, Answer), outcome


def test_a_rich_routine_says_what_it_keeps_and_keeps_it(desk: Desk, shell: Shell) -> None:
    changes = {"display.description": "What the harbour sees.", "extensions": {"x-reviewed": True}}
    send(desk, "definition.create.v1", rich(changes))
    shell.forms.edit("harbour-log")
    form = shell.forms.shown[0]
    until("it is told", lambda: "description" in form.inputs.kept.text())
    assert "extensions.x-reviewed" in form.inputs.kept.text()
    form.inputs.prompt.setPlainText("Count the gulls.")
    form.save_button.click()
    until("the form is done", lambda: not shell.forms.shown)
    written = desk.do(reading.get_definition, {"id": "harbour-log"})["definition"]
    assert written["display"]["description"] == "What the harbour sees."
    assert written["extensions"] == {"x-reviewed": True}
    assert written["action"]["prompt"] == "Count the gulls."


def test_a_copy_of_a_rich_routine_says_what_it_leaves_out(desk: Desk, shell: Shell) -> None:
    send(desk, "definition.create.v1", rich({"display.description": "What the harbour sees."}))
    shell.forms.duplicate("harbour-log")
    form = shell.forms.shown[0]
    until("it is told", form.notice.isVisible)
    assert "leaves out" in form.notice.text.text()
    assert "description" in form.notice.text.text()


def test_a_refusal_of_one_field_stands_at_it(form_of: Callable[..., RoutineForm], row: RoutineRow) -> None:
    form = form_of(row)
    form.inputs.prompt.setPlainText("x")
    form.save_button.click()
    form.refuse("display.tags must be text of 1 to 64 characters", "tags")
    assert form.inputs.fields["tags"].message == "display.tags must be text of 1 to 64 characters"
    until("it is in view", form.inputs.tags.hasFocus)


# --- by keyboard, and read aloud --------------------------------------------------------------------------------------


def test_every_control_has_a_name_and_every_label_leads_to_its_field(desk: Desk, shell: Shell, row: RoutineRow) -> None:
    form = edited(shell)
    form.inputs.more.setChecked(True)
    form.inputs.prompt.setPlainText("echo mine")
    form.inputs.zone.setEditText("Europe/Pariss")
    assert nameless(form) == []
    for label in form.inputs.findChildren(QLabel):
        if "&" in label.text():
            assert label.buddy() is not None, label.text()
    letters = [label.text().partition("&")[2][0].lower() for label in form.findChildren(QLabel) if "&" in label.text()]
    assert len(set(letters)) == len(letters)
    dialog = ConflictDialog(row.body, {**row.body, "prompt": "a"}, {**row.body, "prompt": "b"}, 2, form)
    dialog.open()
    assert nameless(dialog) == []
    assert dialog.buttons["prompt"]["mine"].accessibleName() == "Prompt as you entered it: a"
    dialog.close()
    form.done(0)


def test_f1_explains_the_field_with_the_focus(form_of: Callable[..., RoutineForm], row: RoutineRow) -> None:
    form = form_of(row)
    until("it is the active window", form.isActiveWindow)
    form.inputs.folder.setFocus()
    QTest.keyClick(form, Qt.Key.Key_F1)
    shown = until("it is explained", lambda: [top for top in QApplication.topLevelWidgets() if _explains(top)])
    QWhatsThis.hideText()
    assert shown


def _explains(top: QWidget) -> bool:
    return top.isVisible() and top.metaObject().className() == "QWhatsThat"


def test_from_right_to_left_arrows_walk_as_they_point(qtbot: QtBot, row: RoutineRow, shell: Shell) -> None:
    form = RoutineForm(shell._times, FormDoors(lambda _: None), Subject(row))
    form.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    qtbot.addWidget(form, before_close_func=lambda _: form.done(0))
    form.show()
    until("it is the active window", form.isActiveWindow)
    hours = form.inputs.schedule.rrule._hours
    hours._buttons[3].setFocus()
    QTest.keyClick(hours._buttons[3], Qt.Key.Key_Left)
    assert hours._buttons[4].hasFocus()
