"""The run view on real processes: output that follows, a stop that is proven, a loss that waits for the person."""

from __future__ import annotations

import os
from contextlib import suppress

import psutil
import pytest
from PySide6.QtTest import QTest

from coven_desktop import __version__
from coven_desktop.engine.listing import Question
from coven_desktop.qt.core import Qt
from coven_desktop.qt.gui import QGuiApplication
from coven_desktop.ui.decide_dialog import DecideDialog
from coven_desktop.ui.output_text import LINES
from coven_desktop.ui.run_window import RunWindow
from coven_desktop.ui.shell import Shell
from tests.ui.desk import Desk, until
from tests.ui.test_window import press, question

LOUD = "echo begin; echo wrong >&2; i=0; while true; do i=$((i+1)); echo line $i; sleep 0.05; done"


def open_run(shell: Shell, occurrence_id: str) -> RunWindow:
    """The run view, once the command runs."""
    shell.deciding.show_run(occurrence_id)
    window = shell.deciding.runs[occurrence_id]
    until("it runs", lambda: window.detail is not None and window.detail.session_id)
    return window


def pid_of(window: RunWindow) -> int:
    """The pid of the session's host."""

    def pid() -> int | None:
        return None if window.detail is None else window.detail.attempts[-1].pid

    return until("the pid is known", pid)


def test_output_is_shown_while_it_comes_and_to_its_end(desk: Desk, shell: Shell) -> None:
    desk.routine("Noise", "echo begin; sleep 0.3; printf 'the end' ")
    window = open_run(shell, desk.run("noise"))
    until("the beginning is shown", lambda: "begin" in window.output.toPlainText())
    until("it has succeeded", lambda: window.state.text().startswith("Succeeded"))
    until("the end is shown", lambda: window.output.toPlainText() == "begin\nthe end")
    assert window.state.text() == "Succeeded  ·  exit 0"
    assert not window.stop_button.isVisible()
    assert window.attempts.rowCount() == 1
    assert window.attempts.item(0, 4) is not None


def test_the_note_of_a_start_by_hand_is_shown(desk: Desk, shell: Shell) -> None:
    desk.routine("Short", "true")
    shell.acts.run_now("short", "Short", "after the login")
    window = until("it is listed", lambda: _shown(shell))
    assert "Note: after the login" in window.facts.text()


def _shown(shell: Shell) -> RunWindow | None:
    page = shell._listing.occurrence_page(Question("due"), 0)
    rows = shell._listing.occurrences(page.numbers)
    if not rows:
        return None
    shell.deciding.show_run(rows[0].id)
    return shell.deciding.runs[rows[0].id]


def test_a_long_output_is_bounded_on_the_screen(desk: Desk, shell: Shell) -> None:
    desk.routine("Flood", "seq 1 400000")
    window = open_run(shell, desk.run("flood"))
    until("it has succeeded", lambda: window.state.text().startswith("Succeeded"), 30)
    until("the end is shown", lambda: window.output.toPlainText().endswith("400000\n"), 30)
    assert window.output.blockCount() <= LINES
    assert window.extent.text() == "The newest 20,000 lines at most; more is in the log"


def test_following_stops_when_the_person_wants_to_read(desk: Desk, shell: Shell) -> None:
    desk.routine("Noise", "seq 1 300; sleep 0.4; seq 301 600")
    window = open_run(shell, desk.run("noise"))
    until("the first part is shown", lambda: "300\n" in window.output.toPlainText())
    window.follow.setChecked(False)
    bar = window.output.verticalScrollBar()
    bar.setValue(10)
    until("the second part is shown", lambda: "600\n" in window.output.toPlainText())
    assert bar.value() == 10
    window.follow.setChecked(True)
    assert bar.value() == bar.maximum()


def test_a_stop_is_asked_then_confirmed_and_nothing_is_left(desk: Desk, shell: Shell) -> None:
    desk.routine("Noise", LOUD)
    occurrence = desk.run("noise")
    window = open_run(shell, occurrence)
    pid = pid_of(window)
    said: list[str] = []
    shell.acts.stop_changed.connect(lambda _: said.append(window.stop_line.text.text()))
    window.stop_button.click()
    press(question(), "Stop it")
    assert "Waiting for the proof" in said[0]
    assert not window.stop_button.isEnabled()
    until("it is confirmed", lambda: "The stop was confirmed at " in window.stop_line.text.text(), 30)
    assert not window.stop_line.bar.isVisible()
    assert window.state.text() == "Stopped"
    assert not psutil.pid_exists(pid)


def test_stopping_what_is_over_says_that_it_is_over(desk: Desk, shell: Shell) -> None:
    desk.routine("Short", "true")
    occurrence = desk.run("short")
    window = open_run(shell, occurrence)
    until("it has succeeded", lambda: window.state.text().startswith("Succeeded"))
    shell.acts.stop(occurrence)
    until("it is told", lambda: window.stop_line.text.text().startswith("The stop came too late. "))
    assert window.state.text().startswith("Succeeded")


@pytest.fixture
def lost(desk: Desk, shell: Shell) -> RunWindow:
    """A run whose session host and command were killed: nobody can say how it ended."""
    desk.routine("Lost", "echo half of it; sleep 300")
    window = open_run(shell, desk.run("lost"))
    lose(window)
    until("the loss is seen", lambda: window.decide_button.isVisible(), 30)
    return window


def lose(window: RunWindow) -> None:
    """Kill all of a run that has printed half of it."""
    host = psutil.Process(pid_of(window))
    until("it has printed", lambda: "half" in window.output.toPlainText())
    assert host.ppid() == os.getpid()
    # the host first: it must not live to see its command end
    for each in (host, *host.children(recursive=True)):
        with suppress(psutil.NoSuchProcess):
            each.kill()


def test_a_lost_run_waits_and_shows_its_evidence(lost: RunWindow, shell: Shell) -> None:
    assert lost.state.text() == "Needs your decision"
    assert not lost.stop_button.isVisible()
    lost.decide_button.click()
    dialog = until("the dialog", lambda: lost.findChild(DecideDialog))
    until("all is looked at", lambda: ", gone" in dialog.evidence.text())
    assert "Exit: not known: it left no record of its end" in dialog.evidence.text()
    assert "Attempt: 1 of 1: Outcome unknown" in dialog.evidence.text()
    assert "Still there: nothing that can be recognised as its own" in dialog.evidence.text()
    until("its output is read", lambda: dialog.output.toPlainText() == "half of it")
    assert "after it began" in dialog.evidence.text()
    assert "It succeeded: Cannot be chosen: only the end of a run itself proves success." in dialog.choices.text()
    assert not dialog.failed.isDefault()
    assert not dialog.failed.autoDefault()
    assert not dialog.failed.isEnabled()
    assert not dialog.retry.isEnabled()
    assert dialog.hint.text() == "Write what you found; then you can decide."
    dialog.statement.edit.setPlainText("the disk was full")
    assert not dialog.hint.isVisible()
    dialog.failed.click()
    until("it is decided", lambda: lost.state.text().startswith("Failed"))
    assert "the disk was full" in lost.reason.text()
    until("the dialog is gone", lambda: lost.findChild(DecideDialog) is None)


def test_what_a_lost_run_had_left_running_is_told_before_the_decision(desk: Desk, shell: Shell) -> None:
    desk.routine("Lost", "sleep 301 & echo begun; wait")
    window = open_run(shell, desk.run("lost"))
    until("it has printed", lambda: "begun" in window.output.toPlainText())
    psutil.Process(pid_of(window)).kill()
    until("the loss is seen", lambda: window.decide_button.isVisible(), 30)
    window.decide_button.click()
    dialog = until("the dialog", lambda: window.findChild(DecideDialog))
    until("all is looked at", lambda: "Left behind: " in dialog.evidence.text())
    assert "found running without it, and ended then: sleep (" in dialog.evidence.text()


def test_diagnostics_hold_ids_times_and_evidence_but_no_prompt(desk: Desk, shell: Shell) -> None:
    desk.routine("Short", "echo secret-prompt-text")
    occurrence = desk.run("short")
    window = open_run(shell, occurrence)
    until("it has succeeded", lambda: window.state.text().startswith("Succeeded"))
    window.copy_button.click()
    text = QGuiApplication.clipboard().text()
    assert occurrence in text
    assert '"outcome": "exited"' in text
    assert "secret-prompt-text" not in text
    assert f"Coven Desktop {__version__}" in text


def test_the_output_can_be_searched(desk: Desk, shell: Shell) -> None:
    desk.routine("Noise", "seq 1 500")
    window = open_run(shell, desk.run("noise"))
    until("all is shown", lambda: window.output.toPlainText().endswith("500\n"))
    window.search.line.setText("3")
    assert window.search.count.text() == "found 200 times"
    window.search.line.setText("321")
    assert window.search.count.text() == "found once"
    QTest.keyClick(window.search.line, Qt.Key.Key_Return)
    assert window.output.textCursor().selectedText() == "321"
    assert window.search.count.text() == "1 of 1"
    assert not window.follow.isChecked()
    QTest.keyClick(window.search.line, Qt.Key.Key_Return)
    assert window.output.textCursor().selectedText() == "321"
    window.search.line.setText("no such thing")
    assert window.search.count.text() == "not found"


def test_the_search_goes_on_and_back_around_the_ends(desk: Desk, shell: Shell) -> None:
    desk.routine("Noise", "printf 'Alpha\nbeta\nALPHA\nalpha\n'")
    window = open_run(shell, desk.run("noise"))
    until("all is shown", lambda: window.output.toPlainText().endswith("alpha\n"))
    search = window.search
    search.line.setText("alpha")
    places = []
    for step in (search.go_on, search.go_on, search.go_on, search.go_on, search.go_back):
        step()
        places.append(search.count.text())
    assert places == ["1 of 3", "2 of 3", "3 of 3", "1 of 3", "3 of 3"]
    QTest.keyClick(search.line, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert search.count.text() == "2 of 3"
    QTest.keyClick(search.line, Qt.Key.Key_Escape)
    assert search.line.text() == ""
    assert search.count.text() == ""


def test_either_stream_can_be_shown_alone(desk: Desk, shell: Shell) -> None:
    desk.routine("Both", "echo good; sleep 0.2; echo wrong >&2; sleep 0.2; echo fine")
    window = open_run(shell, desk.run("both"))
    until("it has succeeded", lambda: window.state.text().startswith("Succeeded"))
    until("all is shown", lambda: window.output.toPlainText() == "good\nwrong\nfine\n")
    until("its lines are counted", lambda: window.extent.text() == "3 lines")
    window.streams.setCurrentIndex(window.streams.findData("err"))
    until("errors are shown", lambda: window.output.toPlainText() == "wrong\n")
    window.streams.setCurrentIndex(window.streams.findData("out"))
    until("the rest is shown", lambda: window.output.toPlainText() == "good\nfine\n")


def test_error_output_is_told_apart_by_more_than_its_colour(desk: Desk, shell: Shell) -> None:
    desk.routine("Both", "echo good; sleep 0.2; echo wrong >&2")
    window = open_run(shell, desk.run("both"))
    until("all is shown", lambda: window.output.toPlainText() == "good\nwrong\n")
    cursor = window.output.textCursor()
    slanted = []
    for line in range(2):
        cursor.setPosition(window.output.document().findBlockByNumber(line).position() + 1)
        slanted.append(cursor.charFormat().fontItalic())
    assert slanted == [False, True]


def test_one_window_for_one_run_and_none_after_it_is_closed(desk: Desk, shell: Shell) -> None:
    desk.routine("Short", "true")
    occurrence = desk.run("short")
    first = open_run(shell, occurrence)
    shell.deciding.show_run(occurrence)
    assert shell.deciding.runs[occurrence] is first
    first.close()
    assert occurrence not in shell.deciding.runs
