"""Running by hand: at once when nothing stands in the way, else what does is said first, each with its next step."""

from __future__ import annotations

from pathlib import Path

import pytest

from coven_desktop.engine.circumstances import Circumstances
from coven_desktop.engine.commands import definitions, pausing, quarantine
from coven_desktop.engine.listing import OccurrenceRow, Question
from coven_desktop.qt.widgets import QApplication, QPushButton
from coven_desktop.ui.acts import new_key
from coven_desktop.ui.release_dialog import ReleaseDialog
from coven_desktop.ui.run_now_dialog import RunNowDialog
from coven_desktop.ui.shell import Shell
from tests.ui.desk import Desk, definition, until
from tests.ui.test_waiting import MISSING, held, retry, retry_dialog, row_of  # noqa: F401 - fixtures too

LONG = "sleep 300"


def open_dialog() -> RunNowDialog | None:
    found = [top for top in QApplication.topLevelWidgets() if isinstance(top, RunNowDialog) and top.isVisible()]
    return found[0] if found else None


def dialog_of(shell: Shell, automation_id: str) -> RunNowDialog:
    """The dialog of Run now…, once it has looked around."""
    shell.deciding.ask_run(automation_id)
    dialog = until("the dialog", open_dialog)
    until("it has looked around", lambda: dialog._around)
    return dialog


def said(dialog: RunNowDialog) -> list[tuple[str, str, str]]:
    return [(obstacle.weight, obstacle.step, obstacle.text) for obstacle in dialog.obstacles]


def step(dialog: RunNowDialog, text: str) -> None:
    next(button for button in dialog.findChildren(QPushButton) if button.text() == text).click()


def runs(shell: Shell) -> list[OccurrenceRow]:
    return shell._listing.occurrences(shell._listing.occurrence_page(Question("due"), 0).numbers)


def test_with_nothing_in_the_way_it_starts_at_once(desk: Desk, shell: Shell) -> None:
    desk.routine("Short", "true")
    shell.deciding.run("short", "Short")
    until("it has succeeded", lambda: [row.state for row in runs(shell)] == ["succeeded"])
    assert open_dialog() is None


def test_the_dialog_takes_a_note_that_is_kept_with_the_run(desk: Desk, shell: Shell) -> None:
    desk.routine("Short", "true")
    dialog = dialog_of(shell, "short")
    assert said(dialog) == []
    assert dialog.clear.isVisible()
    assert not any(button.isDefault() or button.autoDefault() for button in dialog.findChildren(QPushButton))
    dialog.note.edit.setPlainText("after the login")
    dialog.run.click()
    until("it has succeeded", lambda: [row.state for row in runs(shell)] == ["succeeded"])
    until("the dialog is gone", lambda: open_dialog() is None)
    assert Circumstances(shell._listing.reader).note_of(runs(shell)[0].id) == "after the login"


def test_a_note_that_is_too_long_stays_and_is_not_sent(desk: Desk, shell: Shell) -> None:
    desk.routine("Short", "true")
    dialog = dialog_of(shell, "short")
    dialog.note.edit.setPlainText("x" * 501)
    assert not dialog.run.isEnabled()
    assert dialog.run.toolTip() == "The note is too long to be kept."
    dialog.note.edit.setPlainText("x" * 500)
    assert dialog.run.isEnabled()


def test_a_run_that_goes_on_is_in_the_way_until_it_ends(desk: Desk, shell: Shell) -> None:
    desk.routine("Long", LONG)
    occurrence = desk.run("long")
    until("it runs", lambda: row_of(shell, occurrence).state == "running")
    shell.deciding.run("long", "Long")
    dialog = until("the dialog", open_dialog)
    weight, next_step, text = said(dialog)[0]
    assert (weight, next_step) == ("refused", "show")
    assert text.startswith("A run of it has been going on since ")
    assert [weight for weight, _, _ in said(dialog)] == ["refused"]  # it is not counted among the others
    assert not dialog.run.isEnabled()
    dialog.note.edit.setPlainText("kept")
    step(dialog, "&Show it")
    assert shell.deciding.runs[occurrence].isVisible()
    shell.acts.stop(occurrence)
    until("nothing is in the way any more", dialog.run.isEnabled, 30)
    assert dialog.note.text() == "kept"
    dialog.close()


def test_a_held_run_is_in_the_way_and_can_be_retried_from_here(
    shell: Shell,
    held: str,  # noqa: F811 - the fixture
) -> None:
    shell.deciding.run("issue-triage", "Issue triage")
    dialog = until("the dialog", open_dialog)
    (_, next_step, text) = said(dialog)[0]
    assert next_step == "retry"
    assert text.startswith("Its last run is still open. Failed, held for your retry until ")
    step(dialog, "Re&try…")
    assert retry_dialog(shell.deciding.runs[held]).isVisible()


def test_a_quarantine_is_in_the_way_until_it_is_released(desk: Desk, shell: Shell) -> None:
    desk.routine("Ask claude", retry=retry(1), **MISSING)
    desk.run("ask-claude")
    shell.deciding.run("ask-claude", "Ask claude")
    dialog = until("the dialog", open_dialog)
    assert [next_step for _, next_step, _ in said(dialog)] == ["release", "retry", "edit"]
    step(dialog, "Re&lease…")
    release = next(top for top in QApplication.topLevelWidgets() if isinstance(top, ReleaseDialog) and top.isVisible())
    desk.do(quarantine.unquarantine, {"id": "ask-claude"})
    until("it is told there", lambda: release.message.text().startswith("It was released elsewhere meanwhile"))
    assert not release.release.isEnabled()
    until("it is not said here any more", lambda: [s for _, s, _ in said(dialog)] == ["retry", "edit"])
    release.close()
    dialog.close()


def test_a_paused_routine_asks_once_and_takes_no_note(desk: Desk, shell: Shell) -> None:
    desk.routine("Short", "true", status="PAUSED")
    shell.deciding.run("short", "Short", paused=True)
    dialog = until("the dialog", open_dialog)
    assert [weight for weight, _, _ in said(dialog)] == ["asks"]
    assert dialog.run.text() == "&Run it once"
    assert not dialog.note.isVisible()
    assert dialog.no_note.isVisible()
    dialog.run.click()
    until("it has succeeded", lambda: [row.state for row in runs(shell)] == ["succeeded"])
    until("the dialog is gone", lambda: open_dialog() is None)


def test_a_folder_that_is_not_there_is_told_before_it_fails(desk: Desk, shell: Shell, tmp_path: Path) -> None:
    folder = tmp_path / "later"
    desk.routine("Short", "true", cwd=str(folder))
    shell.deciding.run("short", "Short")
    dialog = until("the dialog", open_dialog)
    until("it is told", lambda: said(dialog))
    assert said(dialog)[0][:2] == ("fails", "edit")
    assert str(folder) in said(dialog)[0][2]
    assert dialog.run.isEnabled()
    folder.mkdir()
    dialog.refresh()
    until("it is there now", lambda: not said(dialog))
    dialog.close()


def test_a_runtime_without_a_command_is_told(desk: Desk, shell: Shell) -> None:
    desk.routine("Ask claude", **MISSING)
    shell.deciding.run("ask-claude", "Ask claude")
    dialog = until("the dialog", open_dialog)
    text = "The command of its runtime “claude” was not found, so the run may fail at once."
    assert said(dialog) == [("fails", "edit", text)]
    dialog.close()


def test_what_does_not_matter_for_a_run_by_hand_is_only_told(desk: Desk, shell: Shell) -> None:
    desk.routine("Short", "true")
    desk.routine("Long", LONG)
    long = desk.run("long")
    desk.do(pausing.pause_all, {"adoptionKey": new_key("pause")})
    dialog = dialog_of(shell, "short")
    until("it is told", lambda: len(said(dialog)) == 2)
    assert {weight for weight, _, _ in said(dialog)} == {"tells"}
    assert "All schedules are paused. A run by hand starts all the same." in [text for _, _, text in said(dialog)]
    dialog.close()
    shell.deciding.run("short", "Short")
    until("it has succeeded", lambda: "succeeded" in [row.state for row in runs(shell)])
    assert open_dialog() is None
    shell.acts.stop(long)
    until("it is stopped", lambda: row_of(shell, long).state == "cancelled", 30)


def test_a_refusal_is_said_in_the_dialog_and_nothing_typed_is_lost(
    desk: Desk, shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.routine("Short", "true")
    dialog = dialog_of(shell, "short")
    dialog.note.edit.setPlainText("after the login")
    monkeypatch.setattr(dialog, "refresh", lambda: None)  # the change has not come to the window yet
    body = definition("Short", "true", str(desk.home.root), status="PAUSED")
    desk.do(definitions.update, {"definition": body})
    dialog.run.click()
    until("it is refused", lambda: dialog.message.isVisible())
    assert dialog.message.text() == "Routine `short` is paused, not active."
    assert dialog.isVisible()
    assert dialog.note.text() == "after the login"
    assert shell.window.notice.isHidden()
    dialog.close()


def test_a_deleted_routine_is_told_and_cannot_be_run(desk: Desk, shell: Shell) -> None:
    desk.routine("Short", "true")
    dialog = dialog_of(shell, "short")
    desk.do(definitions.delete, {"id": "short"})
    until("it is told", lambda: said(dialog) == [("refused", "", "The routine was deleted.")])
    assert not dialog.run.isEnabled()
    dialog.close()
