"""What is entered in forms and not saved when the app is ended from outside: kept, offered once, opened as it was."""

from __future__ import annotations

import json
import stat

import pytest

from coven_desktop.engine.commands import definitions
from coven_desktop.ui import kept_forms
from coven_desktop.ui.kept_forms import KeptForm
from coven_desktop.ui.shell import Shell
from tests.ui.desk import Desk, until
from tests.ui.test_window import press, question


def entered(desk: Desk, shell: Shell) -> None:
    """A new routine and an edit, both not saved; the edit changes the environment too."""
    desk.routine("Daily notes")
    shell.forms.new()
    new = shell.forms.shown[0]
    new.inputs.name.setText("Weekly review")
    new.inputs.prompt.setPlainText("echo review")
    shell.forms.edit("daily-notes")
    edit = shell.forms.shown[1]
    until("what stands beside it is known", lambda: edit._beside)
    edit.inputs.prompt.setPlainText("echo changed")
    edit.inputs.environment.setPlainText("LANG=C\nhalf a line")


def test_it_is_kept_and_offered_at_the_next_start(desk: Desk) -> None:
    first = desk.shell_started()
    entered(desk, first)
    first.close()
    assert stat.S_IMODE(desk.home.unsaved.stat().st_mode) == 0o600
    second = desk.shell_started()
    notice = second.window.notice
    until("it is offered", notice.isVisible)
    assert notice.text.text() == "2 routines were not saved when Coven Desktop was ended. What you entered is kept."
    notice.button.click()
    new, edit = second.forms.shown
    assert (new.automation_id, new.inputs.name.text(), new.inputs.prompt.toPlainText()) == (
        None,
        "Weekly review",
        "echo review",
    )
    assert edit.automation_id == "daily-notes"
    assert edit.inputs.prompt.toPlainText() == "echo changed"
    until("the environment is there", lambda: edit.inputs.environment.toPlainText() == "LANG=C\nhalf a line")
    assert new.unsaved
    assert edit.unsaved
    assert not desk.home.unsaved.exists()


def test_what_is_not_opened_is_offered_again(desk: Desk) -> None:
    first = desk.shell_started()
    entered(desk, first)
    first.close()
    second = desk.shell_started()
    second.window.notice.close_button.click()
    second.close()
    third = desk.shell_started()
    assert "2 routines were not saved" in third.window.notice.text.text()


def test_a_logout_keeps_it_too(desk: Desk) -> None:
    shell = desk.shell_started()
    entered(desk, shell)
    shell.session_ends()
    assert [form.name for form in kept_forms.read(desk.home.unsaved)] == ["Weekly review", "Daily notes"]


def test_what_the_person_discarded_is_not_kept(desk: Desk) -> None:
    shell = desk.shell_started()
    entered(desk, shell)
    quits: list[bool] = []
    shell.quit_wanted.connect(lambda: quits.append(True))
    shell.ask_quit()
    press(question(), "Discard and quit")
    assert quits
    shell.close()
    assert not desk.home.unsaved.exists()


def test_an_edit_of_what_is_deleted_makes_a_new_one(desk: Desk) -> None:
    first = desk.shell_started()
    entered(desk, first)
    first.close()
    desk.do(definitions.delete, {"id": "daily-notes"})
    second = desk.shell_started()
    second.window.notice.button.click()
    edit = second.forms.shown[1]
    assert edit.automation_id is None
    assert edit.inputs.prompt.toPlainText() == "echo changed"


@pytest.mark.parametrize("content", ["", "[", "{}", '[{"entered": 1}]', '["x"]'])
def test_what_cannot_be_read_is_nothing(desk: Desk, content: str) -> None:
    desk.home.unsaved.write_text(content)
    assert kept_forms.read(desk.home.unsaved) == []
    shell = desk.shell_started()
    assert not shell.window.notice.isVisible()


def test_it_is_written_whole(desk: Desk) -> None:
    form = KeptForm(None, {"name": "x"}, "A=1", ["TOKEN"])
    kept_forms.write(desk.home.unsaved, [form])
    assert json.loads(desk.home.unsaved.read_text())[0]["secrets"] == ["TOKEN"]
    assert kept_forms.read(desk.home.unsaved) == [form]
    kept_forms.write(desk.home.unsaved, [])
    assert not desk.home.unsaved.exists()
