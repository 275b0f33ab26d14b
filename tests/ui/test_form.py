"""The form: refusals at their fields in the contract's words, suggestions to take, a preview that tells the truth."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from coven_desktop.qt.core import Qt
from coven_desktop.ui.doors import RuntimeChoice
from coven_desktop.ui.family import rule_of
from coven_desktop.ui.form_doors import FormDoors, Subject, Wanted
from coven_desktop.ui.preview_pane import PreviewPane
from coven_desktop.ui.questions import Question
from coven_desktop.ui.routine_form import RoutineForm
from coven_desktop.ui.shell import Shell
from coven_desktop.ui.times import Times
from tests.ui.desk import Desk, until
from tests.ui.test_texts import StoppedClock
from tests.ui.test_window import press, question

Saved = list[Wanted]


@pytest.fixture
def saved() -> Saved:
    return []


@pytest.fixture
def form(qtbot: QtBot, saved: Saved, monkeypatch: pytest.MonkeyPatch) -> RoutineForm:
    """An empty form of a person in New York, three days before clocks go forward in Paris."""
    monkeypatch.setenv("TZ", "America/New_York")
    times = Times(StoppedClock("2027-03-25T12:00:00Z"))
    runtimes = (RuntimeChoice("claude", False), RuntimeChoice("shell", True))
    doors = FormDoors(saved.append, runtimes)
    made = RoutineForm(times, doors, Subject())
    qtbot.addWidget(made, before_close_func=lambda _: made.done(0))
    made.show()
    return made


def type_name(form: RoutineForm, name: str) -> None:
    form.inputs.name.setText(name)
    form.inputs.name.textEdited.emit(name)


def rows(pane: PreviewPane) -> list[str]:
    """The preview's rows, cells joined."""
    found = []
    for row in range(pane.table.rowCount()):
        cells = [pane.table.item(row, column) for column in range(3)]
        found.append(" | ".join(cell.text() for cell in cells if cell is not None and cell.text()))
    return found


def marks(pane: PreviewPane) -> dict[int, str]:
    """The rows that bear a mark, and what a screen reader says of it."""
    items = [pane.table.item(row, 0) for row in range(pane.table.rowCount())]
    return {
        row: item.data(Qt.ItemDataRole.AccessibleTextRole)
        for row, item in enumerate(items)
        if item is not None and not item.icon().isNull()
    }


def test_an_empty_form_says_why_save_is_off_and_complains_at_no_field(form: RoutineForm) -> None:
    assert not form.save_button.isEnabled()
    assert form.reason == "Save is off: it needs a name"
    assert form.inputs.fields["name"].message == ""
    assert form.inputs.zone.currentText() == "America/New_York"
    assert form.inputs.runtime.name() == "shell"


def test_what_was_typed_is_thrown_away_only_after_a_question(form: RoutineForm) -> None:
    form.inputs.prompt.setPlainText("a long one")
    form.close()
    press(question(), "Keep editing")
    assert form.isVisible()
    form.reject()
    press(question(), "Discard")
    assert not form.isVisible()


def test_a_form_as_it_came_closes_unasked(form: RoutineForm) -> None:
    form.inputs.name.setText("Daily notes")
    form.inputs.name.setText("")
    form.reject()
    assert not form.isVisible()
    assert form.findChild(Question) is None


def test_saving_hands_over_the_definition_as_entered(form: RoutineForm, saved: Saved, tmp_path: Path) -> None:
    type_name(form, "Daily notes")
    form.inputs.prompt.setPlainText("Write the notes of today")
    form.inputs.folder.setText(str(tmp_path))
    form.inputs.folder.textEdited.emit(str(tmp_path))
    form.inputs.tags.setText("notes, daily,")
    form.inputs.tags.textEdited.emit("notes, daily,")
    assert form.reason == ""
    form.save_button.click()
    assert saved[0].revision is None
    assert saved[0].settings is None
    assert saved[0].definition == {
        "schemaVersion": 1,
        "id": "daily-notes",
        "name": "Daily notes",
        "status": "ACTIVE",
        "rrule": "FREQ=DAILY;BYHOUR=9",
        "timezone": "America/New_York",
        "misfire": "latest",
        "overlap": "forbid",
        "timeoutMinutes": 30,
        "runtime": "shell",
        "prompt": "Write the notes of today",
        "cwd": str(tmp_path),
        "tags": ["notes", "daily"],
    }
    assert not form.save_button.isEnabled()


def test_a_refusal_stands_at_its_field_with_a_suggestion_that_can_be_taken(form: RoutineForm) -> None:
    form.inputs.zone.setEditText("Europe/Pariss")
    field = form.inputs.fields["timezone"]
    assert field.message.startswith("“Europe/Pariss” is no time zone that is known here.")
    assert form.inputs.zone.accessibleDescription() == f"Time zone. {field.message}"
    field._use.click()
    assert form.inputs.zone.currentText() == "Europe/Paris"
    assert field.message == "13:00 now, UTC+1 (CET, CEST)"


def test_a_tilde_is_refused_with_the_whole_path(form: RoutineForm) -> None:
    form.inputs.folder.setText("~/notes")
    form.inputs.folder.textEdited.emit("~/notes")
    field = form.inputs.fields["cwd"]
    assert "not expanded" in field.message
    field._use.click()
    assert form.inputs.folder.text() == str(Path("~/notes").expanduser())


def test_buttons_and_text_of_the_rule_say_the_same(form: RoutineForm) -> None:
    schedule = form.inputs.schedule.rrule
    schedule._frequency.setCurrentIndex(1)
    schedule._frequency.activated.emit(1)
    schedule._days.choose([0, 3])
    schedule._hours.choose([7, 19])
    schedule._hours.changed.emit()
    assert schedule.members()["rrule"] == "FREQ=WEEKLY;BYDAY=MO,TH;BYHOUR=7,19"
    schedule._text.setText("freq=daily;byhour=22")
    schedule._text.textEdited.emit("")
    assert schedule._frequency.currentData() == "DAILY"
    assert schedule._hours.chosen() == [22]
    assert form.entered()["rrule"] == "freq=daily;byhour=22"
    schedule._hours.choose([])
    schedule._hours.changed.emit()
    assert form.inputs.fields["schedule"].message == "rrule BYHOUR has an empty value"


def test_a_rule_that_is_refused_offers_what_was_meant(form: RoutineForm) -> None:
    form.inputs.schedule.rrule._text.setText("RRULE:FREQ=DAILY;BYHOUR=7")
    form.inputs.schedule.rrule._text.textEdited.emit("")
    field = form.inputs.fields["schedule"]
    assert "a Coven rule has no" in field.message
    assert field._suggestion is not None
    field._use.click()
    assert field.message == ""
    assert form.inputs.schedule.rrule._hours.chosen() == [7]


def test_the_preview_marks_an_hour_that_clocks_skip(form: RoutineForm) -> None:
    form.inputs.zone.setEditText("Europe/Paris")
    form.inputs.schedule.take("FREQ=DAILY;BYHOUR=2")
    until("the preview is there", lambda: form.preview.sentence == "Every day at 02:00 (Europe/Paris)")
    shown = rows(form.preview)
    assert len(shown) == 11
    assert shown[0].startswith("Fri 26 Mar, 02:00 | Thu 25 Mar, 21:00")
    assert shown[2].startswith("02:00 on Sunday 28 March 2027 does not exist in Europe/Paris")
    assert shown[3].startswith("Mon 29 Mar, 02:00 | Sun 28 Mar, 20:00")
    assert form.preview.table.columnSpan(2, 1) == 2
    assert marks(form.preview) == {2: "Skipped"}


def test_the_preview_marks_an_hour_that_comes_twice(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Europe/Paris")
    pane = PreviewPane(Times(StoppedClock("2026-10-24T12:00:00Z")))
    qtbot.addWidget(pane)
    pane.show_rule(partial(rule_of, {"kind": "rrule", "rrule": "FREQ=DAILY;BYHOUR=2", "timezone": "Europe/Paris"}))
    until("the preview is there", lambda: pane.table.rowCount() == 11)
    shown = rows(pane)
    assert shown[0] == "Sun 25 Oct, 02:00 | Sun 25 Oct, 02:00"
    assert "comes twice in Europe/Paris" in shown[1]
    assert marks(pane) == {0: "Comes twice"}
    assert pane.table.isColumnHidden(2)


def test_a_runtime_that_is_not_here_is_warned_of_but_can_be_saved(form: RoutineForm) -> None:
    type_name(form, "Daily notes")
    form.inputs.prompt.setPlainText("x")
    form.inputs.runtime.box.setEditText("claude")
    assert "was not found on this machine" in form.inputs.fields["runtime"].message
    form.inputs.runtime.box.setEditText("nonsense")
    assert "No runtime of this name" in form.inputs.fields["runtime"].message
    assert form.save_button.isEnabled()


def test_a_folder_that_is_not_there_is_warned_of(desk: Desk, shell: Shell, tmp_path: Path) -> None:
    shell.forms.new()
    form = shell.forms.shown[0]
    field = form.inputs.fields["cwd"]
    missing = str(tmp_path / "later")
    form.inputs.folder.setText(missing)
    form.inputs.folder.textEdited.emit(missing)
    until("it is warned of", lambda: "no such folder" in field.message)
    form.inputs.folder.setText(str(tmp_path))
    form.inputs.folder.textEdited.emit(str(tmp_path))
    until("it is calm", lambda: field.message == "")


def test_retry_is_stored_only_when_there_is_one(form: RoutineForm) -> None:
    assert "retry" not in form.entered()
    form.inputs.retry.attempts.setValue(3)
    form.inputs.retry.backoff.setCurrentIndex(1)
    form.inputs.retry.seconds.setValue(90)
    form.inputs.retry.classes["lease_expired"].setChecked(False)
    assert form.entered()["retry"] == {
        "maxAttempts": 3,
        "backoffPolicy": "fixed",
        "backoffSeconds": 90,
        "retryableClasses": ["transient_dispatch", "runtime_unavailable"],
    }


def test_the_number_of_attempts_reads_as_a_sentence(form: RoutineForm) -> None:
    assert form.inputs.retry.attempts.text() == "No second attempt"
    form.inputs.retry.attempts.setValue(2)
    assert form.inputs.retry.attempts.text() == "up to 2 attempts"


def test_a_new_routine_is_made_and_listed(desk: Desk, shell: Shell, tmp_path: Path) -> None:
    shell.forms.new()
    form = shell.forms.shown[0]
    type_name(form, "Daily notes")
    form.inputs.prompt.setPlainText("echo hello")
    form.save_button.click()
    until("the form is done", lambda: not shell.forms.shown)
    until("it is listed", lambda: shell.window.routines.model.rowCount() == 1)
    row = shell._listing.routine("daily-notes")
    assert row is not None
    assert row.lifecycle == "active"


def test_a_new_routine_is_selected_and_in_view(desk: Desk, shell: Shell) -> None:
    for number in range(40):
        desk.routine(f"Routine {number:02}")
    page = shell.window.routines
    until("they are listed", lambda: page.model.rowCount() == 40)
    page.table.selectRow(0)
    shell.window.tabs.setCurrentIndex(1)
    shell.forms.new()
    form = shell.forms.shown[0]
    type_name(form, "Weekly notes")
    form.inputs.prompt.setPlainText("echo hello")
    form.save_button.click()
    until("it is selected", lambda: (row := page.selected()) is not None and row.id == "weekly-notes")
    assert shell.window.page is page
    assert shell.window.run.isEnabled()
    assert shell.window.edit.isEnabled()
    index = page.table.selectionModel().selectedRows()[0]
    until("it is in view", lambda: page.table.viewport().rect().contains(page.table.visualRect(index).center()))


def test_an_id_that_is_taken_is_not_offered(desk: Desk, shell: Shell) -> None:
    desk.routine("Daily notes")
    shell.forms.new()
    form = shell.forms.shown[0]
    type_name(form, "Daily notes")
    assert form.inputs.id.text() == "daily-notes-2"
    form.inputs.id.setText("daily-notes")
    form.inputs.id.textEdited.emit("daily-notes")
    assert form.inputs.fields["id"].message == "A routine with this id exists or existed."
    assert form.inputs.more.isChecked()


def test_an_edit_says_what_changes_and_saves_the_next_revision(desk: Desk, shell: Shell) -> None:
    desk.routine("Daily notes", familiarId="raven")
    shell.forms.edit("daily-notes")
    form = shell.forms.shown[0]
    until("it says so", lambda: "Nothing is changed yet." in form.changes.text)
    form.inputs.prompt.setPlainText("echo new")
    until("the change is told", lambda: "Saving makes revision 2" in form.changes.text)
    assert "Prompt\n\u2212 true\n+ echo new" in form.changes.text.replace("\u2028", "\n")
    assert form.inputs.id.isReadOnly()
    form.save_button.click()
    until("the form is done", lambda: not shell.forms.shown)
    row = shell._listing.routine("daily-notes")
    assert row is not None
    assert (row.revision, row.body["prompt"], row.body["familiarId"]) == (2, "echo new", "raven")
