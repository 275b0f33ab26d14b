"""The window on a real engine: rows that live, empty states, what can be done, Undo, and honest notices."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from coven_desktop.engine import reads
from coven_desktop.engine.commands import definitions
from coven_desktop.qt.core import Qt
from coven_desktop.qt.widgets import QApplication, QPushButton
from coven_desktop.ui import acts
from coven_desktop.ui.questions import Question
from coven_desktop.ui.shell import Shell
from coven_desktop.ui.table_page import TablePage
from tests.ui.desk import Desk, until


def column(page: TablePage, place: int) -> list[str]:
    """What a column shows, a screen reader's text where marks are drawn."""
    role = Qt.ItemDataRole.AccessibleTextRole
    model = page.model
    return [str(model.data(model.index(row, place), role)) for row in range(model.rowCount())]


def question() -> Question:
    """The question that is open."""

    def found() -> Question | None:
        tops = [top for top in QApplication.topLevelWidgets() if isinstance(top, Question) and top.isVisible()]
        return tops[0] if tops else None

    return until("a question is asked", found)


def press(asked: Question, text: str) -> None:
    """Press the button that says so."""
    next(button for button in asked.buttons if button.text() == text).click()


def select(page: TablePage, name: str, place: int = 0) -> None:
    """Select the row that says `name` in a column."""
    until(f"{name} is listed", lambda: name in column(page, place))
    page.table.selectRow(column(page, place).index(name))


def test_an_empty_home_offers_the_first_routine(shell: Shell) -> None:
    page = shell.window.routines
    until("the empty state is shown", page.empty.isVisible)
    button = page.empty.findChild(QPushButton)
    assert button is not None
    assert button.text() == "Make the first routine"
    button.click()
    assert len(shell.forms.shown) == 1
    assert shell.window._state_label.text() in ("", "No routines yet")


def test_a_filter_that_finds_nothing_offers_to_clear_it(desk: Desk, shell: Shell) -> None:
    desk.routine("Daily notes")
    page = shell.window.routines
    until("it is listed", lambda: column(page, 0) == ["Daily notes"])
    page.filter.setText("zzz")
    until("nothing matches", page.empty.isVisible)
    button = page.empty.findChild(QPushButton)
    assert button is not None
    button.click()
    until("it is listed again", lambda: column(page, 0) == ["Daily notes"])


def test_what_other_doors_do_appears_by_itself(desk: Desk, shell: Shell) -> None:
    page = shell.window.routines
    desk.routine("Daily notes", rrule="FREQ=DAILY;BYHOUR=9,17")
    until("it is listed", lambda: column(page, 0) == ["Daily notes"])
    assert column(page, 1) == ["Active"]
    assert column(page, 2) == ["Every day at 09:00 and 17:00"]
    assert column(page, 3) == ["Europe/Paris"]
    assert column(page, 5) == ["not run yet"]
    desk.routine("Paused one", status="PAUSED")
    until("the second is listed", lambda: len(column(page, 0)) == 2)
    assert column(page, 4)[1] == "none while paused"
    desk.do(definitions.delete, {"id": "daily-notes"})
    until("it is gone", lambda: column(page, 0) == ["Paused one"])


def test_only_what_can_be_done_with_the_row_is_on(desk: Desk, shell: Shell) -> None:
    window = shell.window
    assert not any(action.isEnabled() for action in (window.edit, window.run, window.pause, window.delete, window.stop))
    desk.routine("Daily notes", status="PAUSED")
    select(window.routines, "Daily notes")
    assert all(action.isEnabled() for action in (window.edit, window.run, window.pause, window.delete))
    assert window.pause.text() == "Resum&e"
    assert not window.stop.isEnabled()
    # its next step is that very act: one button is enough
    offered = [each for each in window.routines._buttons if each.defaultAction().text() == "Resum&e"]
    assert [each.isHidden() for each in offered].count(False) == 1


def test_pause_and_resume_are_one_action(desk: Desk, shell: Shell) -> None:
    window = shell.window
    desk.routine("Daily notes")
    select(window.routines, "Daily notes")
    window.pause.trigger()
    until("it is paused", lambda: column(window.routines, 1) == ["Paused"])
    until("the action says the other thing", lambda: window.pause.text() == "Resum&e")
    window.pause.trigger()
    until("it is active", lambda: column(window.routines, 1) == ["Active"])


def test_delete_can_be_undone_and_nothing_was_sent(desk: Desk, shell: Shell) -> None:
    window = shell.window
    desk.routine("Daily notes")
    desk.routine("Weekly review")
    select(window.routines, "Daily notes")
    window.delete.trigger()
    until("it is not shown", lambda: column(window.routines, 0) == ["Weekly review"])
    assert window.undo.isVisible()
    assert "Daily notes" in window.undo.text.text()
    window.undo.button.click()
    until("it is back", lambda: column(window.routines, 0) == ["Daily notes", "Weekly review"])
    assert not window.undo.isVisible()
    assert shell._listing.routine("daily-notes") is not None


def test_a_name_that_steers_the_writing_is_shown_in_one_plain_line_and_stored_as_it_is(
    desk: Desk, shell: Shell
) -> None:
    name = "one\ntwo \u202egnp.exe"
    desk.routine(name, id="steering")
    until("it is listed", lambda: column(shell.window.routines, 0) == ["one two �gnp.exe"])
    row = shell._listing.routine("steering")
    assert row is not None
    assert row.name == name
    shell.acts.refused.emit(f"Pause “{name}”", "It was changed.")
    assert "\u202e" not in shell.window.notice.text.text()


def test_ctrl_z_takes_back_a_deletion(desk: Desk, shell: Shell, qtbot: QtBot) -> None:
    window = shell.window
    qtbot.waitExposed(window)
    desk.routine("Daily notes")
    select(window.routines, "Daily notes")
    assert not window.menus.undo.isEnabled()
    window.delete.trigger()
    until("it is not shown", lambda: not column(window.routines, 0))
    assert window.menus.undo.isEnabled()
    window.activateWindow()
    until("it is the active one", window.isActiveWindow)
    qtbot.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)  # type: ignore[no-untyped-call]
    until("it is back", lambda: column(window.routines, 0) == ["Daily notes"])
    assert not window.menus.undo.isEnabled()


@pytest.mark.parametrize("key", [Qt.Key.Key_1, Qt.Key.Key_2, Qt.Key.Key_4])
def test_who_goes_to_a_page_by_key_is_in_its_rows(desk: Desk, shell: Shell, qtbot: QtBot, key: Qt.Key) -> None:
    window = shell.window
    qtbot.waitExposed(window)
    desk.routine("Daily notes")
    desk.run("daily-notes")
    until("it has run", lambda: column(window.routines, 0) == ["Daily notes"])
    window.activateWindow()
    until("it is the active one", window.isActiveWindow)
    window.page.filter.setFocus()
    qtbot.keyClick(window, key, Qt.KeyboardModifier.ControlModifier)  # type: ignore[no-untyped-call]
    until("a row is selected", lambda: window.page.selected())
    assert window.page.table.hasFocus()


def test_where_a_page_has_no_rows_the_keys_go_to_what_it_offers(shell: Shell, qtbot: QtBot) -> None:
    window = shell.window
    qtbot.waitExposed(window)
    until("it is empty", lambda: window.routines.empty.isVisible())
    # shortcuts are the active window's
    window.activateWindow()
    until("it is the active one", window.isActiveWindow)
    qtbot.keyClick(window, Qt.Key.Key_3, Qt.KeyboardModifier.ControlModifier)  # type: ignore[no-untyped-call]
    until("its page is there", lambda: window.page is window.needs)
    until("nothing is there", lambda: window.needs.model.loaded)
    qtbot.keyClick(window, Qt.Key.Key_3, Qt.KeyboardModifier.ControlModifier)  # type: ignore[no-untyped-call]
    until("the keys are there", lambda: window.needs.empty.button.hasFocus() or window.needs.filter.hasFocus())


def test_a_refusal_is_not_told_any_more_after_what_was_asked_is_done(desk: Desk, shell: Shell) -> None:
    window = shell.window
    desk.routine("Daily notes")
    until("it is listed", lambda: column(window.routines, 0) == ["Daily notes"])
    shell.acts.refused.emit("Pause “Daily notes”", "It was changed elsewhere meanwhile.")
    assert window.notice.isVisible()
    select(window.routines, "Daily notes")
    window.pause.trigger()
    until("it is done", lambda: column(window.routines, 1) == ["Paused"])
    assert not window.notice.isVisible()


def test_a_fault_of_the_database_is_not_told_any_more_after_it_was_read(desk: Desk, shell: Shell) -> None:
    window = shell.window
    until("it is read", lambda: window.routines.model.loaded)
    window.routines.model.refused.emit("The database is locked.")
    assert window.notice.isVisible()
    desk.routine("Daily notes")
    until("it is read again", lambda: column(window.routines, 0) == ["Daily notes"])
    assert not window.notice.isVisible()


def test_delete_is_sent_when_its_time_is_over(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(acts, "UNDO_MS", 30)
    desk.routine("Daily notes")
    shell = desk.shell_started()
    select(shell.window.routines, "Daily notes")
    shell.window.delete.trigger()
    until("it is deleted", lambda: shell._listing.routine("daily-notes") is None)
    until("nothing is hidden any more", lambda: shell.acts.hidden == ())
    assert not shell.window.undo.isVisible()


def test_delete_is_sent_when_the_app_quits(desk: Desk) -> None:
    desk.routine("Daily notes")
    shell = desk.shell_started()
    shell.acts.delete("daily-notes", "Daily notes")
    listing_says = desk.shell()._listing.routine
    assert listing_says("daily-notes") is not None
    shell.close()
    until("it is deleted", lambda: listing_says("daily-notes") is None)


def test_run_now_says_that_it_started_and_shows_the_run(desk: Desk, shell: Shell) -> None:
    window = shell.window
    desk.routine("Daily notes", "echo hello")
    select(window.routines, "Daily notes")
    window.run.trigger()
    until("it is said", window.notice.isVisible)
    assert window.notice.text.text() == "“Daily notes” is started."
    window.notice.button.click()
    assert len(shell.deciding.runs) == 1
    window.tabs.setCurrentIndex(1)
    until("it has succeeded", lambda: column(window.occurrences, 2) == ["Succeeded"])
    window.tabs.setCurrentIndex(0)
    until("its result is marked", lambda: column(window.routines, 5) == ["Succeeded"])


def test_no_question_has_a_default_button(desk: Desk, shell: Shell) -> None:
    desk.routine("Backup", "sleep 300")
    occurrence = desk.run("backup")
    shell.deciding.ask_stop(occurrence, "Backup")
    asked = question()
    assert not any(button.isDefault() or button.autoDefault() for button in asked.buttons)
    assert asked.buttons[-1].text() == "Keep it running"
    asked.close()
    shell.acts.stop(occurrence)
    until("it is stopped", lambda: (stop := shell.acts.stop_of(occurrence)) and stop.progress == "confirmed", 30)


def test_the_status_bar_tells_the_last_pass_and_the_next_wake(desk: Desk, shell: Shell) -> None:
    desk.routine("Daily notes")
    label = shell.window._pass_label
    until("a pass is told", lambda: "Last pass" in label.text() and "Next wake" in label.text())
    until("the state is told", lambda: shell.window._state_label.text() == "Idle")


def test_a_disk_that_runs_full_is_told_with_what_to_do_until_there_is_room(
    desk: Desk, shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = shell.window
    until("the status is there", lambda: window.status)
    assert not window.notice.isVisible()
    monkeypatch.setattr(reads, "LOW_DISK_BYTES", 1 << 62)
    desk.routine("Daily notes")
    until("it is told", window.notice.isVisible)
    assert "Free some space" in window.notice.text.text()
    assert "The disk is almost full" in window._state_label.text()
    assert "Free some space" in window._state_label.toolTip()
    window.notice.close_button.click()
    desk.routine("Weekly notes")
    until("it is listed", lambda: len(column(window.routines, 0)) == 2)
    assert not window.notice.isVisible()  # told once
    monkeypatch.setattr(reads, "LOW_DISK_BYTES", 0)
    desk.routine("Monthly notes")
    until("there is room", lambda: "almost full" not in window._state_label.text())


def test_quit_says_what_happens_to_running_work(desk: Desk, shell: Shell) -> None:
    quits: list[bool] = []
    shell.quit_wanted.connect(lambda: quits.append(True))
    desk.routine("Backup", "sleep 300")
    occurrence = desk.run("backup")
    until("it is known", lambda: shell._status is not None and shell._status.tray.summary.running)
    shell.ask_quit()
    press(question(), "Stay")
    assert not quits
    shell.ask_quit()
    press(question(), "Stop them, then quit")
    until("it is stopped and quits", lambda: quits, 30)
    detail = shell._listing.run_detail(occurrence)
    assert detail is not None
    assert detail.occurrence.state == "cancelled"


def test_with_nothing_running_quit_asks_nothing(shell: Shell) -> None:
    quits: list[bool] = []
    shell.quit_wanted.connect(lambda: quits.append(True))
    shell.ask_quit()
    assert quits == [True]


def test_columns_order_and_page_are_kept_between_starts(desk: Desk) -> None:
    desk.routine("Daily notes")
    first = desk.shell_started()
    first.window.tabs.setCurrentIndex(1)
    first.window.routines.order_by("runtime", descending=True)
    first.window.routines.table.horizontalHeader().resizeSection(0, 333)
    first.close()
    second = desk.shell_started()
    assert second.window.tabs.currentIndex() == 1
    question = second.window.routines.model.question
    assert (question.order, question.descending) == ("runtime", True)
    assert second.window.routines.table.horizontalHeader().sectionSize(0) == 333
    assert (desk.home.root / "window.ini").stat().st_mode & 0o077 == 0


def test_a_second_launch_brings_the_window_back(shell: Shell) -> None:
    shell.window.hide()
    shell.raise_()
    assert shell.window.isVisible()
