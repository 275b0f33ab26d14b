"""The run view on real processes: output that follows, a stop that is proven, a loss that waits for the person."""

from __future__ import annotations

import os
from contextlib import suppress

import psutil
import pytest

from coven_desktop.qt.gui import QGuiApplication
from coven_desktop.ui.decide_dialog import DecideDialog
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


def test_a_long_output_is_bounded_on_the_screen(desk: Desk, shell: Shell) -> None:
    desk.routine("Flood", "seq 1 400000")
    window = open_run(shell, desk.run("flood"))
    until("it has succeeded", lambda: window.state.text().startswith("Succeeded"), 30)
    until("the end is shown", lambda: window.output.toPlainText().endswith("400000\n"), 30)
    assert window.output.blockCount() <= window.output.maximumBlockCount()


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
    shell.acts.stop_changed.connect(lambda _: said.append(window._reason.text()))
    window.stop_button.click()
    press(question(), "Stop it")
    assert "Waiting for the proof" in said[0]
    assert not window.stop_button.isEnabled()
    until("it is confirmed", lambda: "The stop is confirmed" in window._reason.text(), 30)
    assert window.state.text() == "Stopped"
    assert not psutil.pid_exists(pid)


def test_stopping_what_is_over_says_that_it_is_over(desk: Desk, shell: Shell) -> None:
    desk.routine("Short", "true")
    occurrence = desk.run("short")
    window = open_run(shell, occurrence)
    until("it has succeeded", lambda: window.state.text().startswith("Succeeded"))
    shell.acts.stop(occurrence)
    until("it is refused", lambda: window._reason.text().startswith("Not stopped: "))
    assert window.state.text().startswith("Succeeded")


@pytest.fixture
def lost(desk: Desk, shell: Shell) -> RunWindow:
    """A run whose session host and command were killed: nobody can say how it ended."""
    desk.routine("Lost", "echo half of it; sleep 300")
    window = open_run(shell, desk.run("lost"))
    host = psutil.Process(pid_of(window))
    until("it has printed", lambda: "half" in window.output.toPlainText())
    assert host.ppid() == os.getpid()
    # the host first: it must not live to see its command end
    for each in (host, *host.children(recursive=True)):
        with suppress(psutil.NoSuchProcess):
            each.kill()
    until("the loss is seen", lambda: window.decide_button.isVisible(), 30)
    return window


def test_a_lost_run_waits_and_shows_its_evidence(lost: RunWindow, shell: Shell) -> None:
    assert lost.state.text() == "Needs your decision"
    assert not lost.stop_button.isVisible()
    lost.decide_button.click()
    dialog = until("the dialog", lambda: lost.findChild(DecideDialog))
    assert "no evidence file was left" in dialog.evidence.text()
    assert "Outcome unknown" in dialog.evidence.text()
    assert not dialog.failed.isDefault()
    assert not dialog.failed.autoDefault()
    dialog.statement.setText("the disk was full")
    dialog.failed.click()
    until("it is decided", lambda: lost.state.text().startswith("Failed"))
    assert "the disk was full" in lost._reason.text()


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


def test_the_output_can_be_searched(desk: Desk, shell: Shell) -> None:
    desk.routine("Noise", "seq 1 500")
    window = open_run(shell, desk.run("noise"))
    until("all is shown", lambda: window.output.toPlainText().endswith("500\n"))
    window.search.setText("321")
    window.search.returnPressed.emit()
    assert window.output.textCursor().selectedText() == "321"
    window.search.returnPressed.emit()
    assert window.output.textCursor().selectedText() == "321"


def test_one_window_for_one_run_and_none_after_it_is_closed(desk: Desk, shell: Shell) -> None:
    desk.routine("Short", "true")
    occurrence = desk.run("short")
    first = open_run(shell, occurrence)
    shell.deciding.show_run(occurrence)
    assert shell.deciding.runs[occurrence] is first
    first.close()
    assert occurrence not in shell.deciding.runs
