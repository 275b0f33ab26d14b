"""What waits for the person, or for its next attempt: told apart in every place, each with its lawful next step."""

from __future__ import annotations

import pytest

from coven_desktop.engine.commands import definitions, recovery
from coven_desktop.engine.listing import OccurrenceRow
from coven_desktop.qt.widgets import QApplication
from coven_desktop.ui.acts import new_key
from coven_desktop.ui.decide_dialog import DecideDialog
from coven_desktop.ui.pages import ATTENTION
from coven_desktop.ui.release_dialog import ReleaseDialog
from coven_desktop.ui.retry_dialog import RetryDialog
from coven_desktop.ui.run_window import RunWindow
from coven_desktop.ui.shell import Shell
from coven_desktop.ui.table_page import TablePage
from tests.ui.desk import Desk, definition, until
from tests.ui.test_run_window import lost as lost  # a fixture
from tests.ui.test_window import column, press, question, select

FAILS_UNTIL_MENDED = "if test -e mended; then echo good; else echo 'no login' >&2; exit 3; fi"
MISSING = {"runtime": "claude"}


def retry(attempts: int, wait: int = 3_600) -> dict[str, object]:
    """A policy that retries a command that is not there."""
    return {
        "maxAttempts": attempts,
        "backoffPolicy": "fixed",
        "backoffSeconds": wait,
        "retryableClasses": ["runtime_unavailable"],
    }


def row_of(shell: Shell, occurrence_id: str) -> OccurrenceRow:
    detail = shell._listing.run_detail(occurrence_id)
    assert detail is not None
    return detail.occurrence


@pytest.fixture
def held(desk: Desk, shell: Shell) -> str:
    """A run that failed and is held; the occurrence's id."""
    desk.routine("Issue triage", FAILS_UNTIL_MENDED)
    occurrence = desk.run("issue-triage")
    until("it is held", lambda: row_of(shell, occurrence).phase == "held")
    return occurrence


@pytest.fixture
def waiting(desk: Desk, shell: Shell) -> str:
    """A run whose second attempt waits for an hour."""
    desk.routine("Ask claude", retry=retry(3), timeoutMinutes=240, **MISSING)
    occurrence = desk.run("ask-claude")
    assert row_of(shell, occurrence).phase == "waiting"
    return occurrence


@pytest.fixture
def quarantined(desk: Desk, shell: Shell) -> str:
    """A routine that used up its only attempt; the occurrence that did."""
    desk.routine("Ask claude", retry=retry(1), **MISSING)
    return desk.run("ask-claude")


def says(page: TablePage, state: str) -> bool:
    """Whether the only row's state begins so."""
    return [text[: len(state)] for text in column(page, 1)] == [state]


def summary(shell: Shell, attention: int) -> None:
    until("it is counted", lambda: shell._status is not None and shell._status.tray.summary.attention == attention)


def open_run(shell: Shell, occurrence_id: str) -> RunWindow:
    shell.deciding.show_run(occurrence_id)
    return shell.deciding.runs[occurrence_id]


def retry_dialog(window: RunWindow) -> RetryDialog:
    return until("the dialog", lambda: window.findChild(RetryDialog))


def test_a_held_run_is_told_with_its_end_and_counted_but_is_not_running(shell: Shell, held: str) -> None:
    window = shell.window
    until(
        "its routine says so",
        lambda: says(window.routines, "Failed, held for your retry until "),
    )
    summary(shell, 1)
    assert shell._status is not None
    assert shell._status.tray.summary.running == ()
    assert window._state_label.text() == "1 needs attention"
    assert window.attention.toolTip() == "1 failed run is held for your retry"
    window.attention.click()
    until("it is listed", lambda: column(window.routines, 0) == ["Issue triage"])
    window.show_occurrences("status:held")
    until("it is found", lambda: len(column(window.occurrences, 2)) == 1)
    assert column(window.occurrences, 2)[0].startswith("Failed, held for your retry until ")
    assert column(window.occurrences, 3)[0].startswith("failed today ")
    assert column(window.occurrences, 5) == ["it ended with exit code 3"]
    window.show_occurrences("status:running")
    until("it is not among the running", window.occurrences.empty.isVisible)


def test_a_held_run_is_retried_within_its_deadline(desk: Desk, shell: Shell, held: str) -> None:
    window = open_run(shell, held)
    assert window.state.text().startswith("Failed, held for your retry until ")
    assert "no other run of this routine starts" in window.reason.text()
    window.retry_button.click()
    dialog = retry_dialog(window)
    assert dialog.attempts.text().startswith("1, Failed, ")
    assert "exit 3" in dialog.attempts.text()
    assert "A retry does not extend it." in dialog.left.text()
    assert "A retry is: attempt 2; a run has 10 at most" in dialog.left.text()
    until("its output is read", lambda: dialog.output.toPlainText() == "no login")
    assert not any(button.isDefault() or button.autoDefault() for button in (dialog.retry, dialog.give_up_button))
    (desk.home.root / "mended").touch()
    dialog.note.edit.setPlainText("logged in again")
    dialog.retry.click()
    until("it has succeeded", lambda: window.state.text() == "Succeeded  ·  exit 0")
    assert window.attempts.rowCount() == 2
    assert "Retry 2 is asked for" in shell.window.notice.text.text()
    summary(shell, 0)


def test_the_time_it_runs_is_of_the_attempt_that_runs(desk: Desk, shell: Shell) -> None:
    desk.routine("Slow", "if test -e mended; then sleep 300; else exit 3; fi")
    occurrence = desk.run("slow")
    until("it is held", lambda: row_of(shell, occurrence).phase == "held")
    desk.clock.sleep(60 * 60_000 // 4)
    (desk.home.root / "mended").touch()
    window = open_run(shell, occurrence)
    window.decide()
    retry_dialog(window).retry.click()
    until("it runs", lambda: window.state.text().startswith("Running  ·  "))
    assert window.state.text().startswith("Running  ·  0:0")
    shell.acts.stop(occurrence)
    until("it is stopped", lambda: window.state.text() == "Stopped", 30)


def test_the_output_of_a_held_run_is_shown_from_what_needs_attention(shell: Shell, held: str) -> None:
    window = shell.window
    window.tabs.setCurrentIndex(ATTENTION)
    until("it is listed", lambda: column(window.needs, 0) == ["Issue triage"])
    assert column(window.needs, 1)[0].endswith(" · it ended with exit code 3")
    select(window.needs, "Issue triage")
    until("it can be shown", window.output.isEnabled)
    window.output.trigger()
    assert list(shell.deciding.runs) == [held]


def test_a_retry_says_why_it_is_off(desk: Desk, shell: Shell, held: str) -> None:
    body = definition("Issue triage", FAILS_UNTIL_MENDED, str(desk.home.root), status="PAUSED")
    desk.do(definitions.update, {"definition": body})
    window = open_run(shell, held)
    window.decide()
    dialog = retry_dialog(window)
    assert dialog.off.text() == "Retry is off: Its routine is paused: resume it first."
    assert not dialog.retry.isEnabled()
    desk.do(definitions.update, {"definition": body | {"status": "ACTIVE"}})
    until("it is on again", dialog.retry.isEnabled)
    assert not dialog.off.isVisible()


def test_a_held_run_is_given_up(shell: Shell, held: str) -> None:
    window = open_run(shell, held)
    assert window.stop_button.text() == "&Give up…"
    window.stop_button.click()
    press(question(), "Give it up")
    until("it is settled", lambda: window.state.text() == "Stopped")
    until("it is said", lambda: window.stop_line.text.text() == "Given up: nothing of this run was running any more.")
    assert not window.retry_button.isVisible()
    summary(shell, 0)


def test_what_was_confirmed_for_a_held_run_does_not_stop_its_retry(desk: Desk, shell: Shell, held: str) -> None:
    shell.deciding.ask_stop(held, "Issue triage")
    asked = question()
    row = row_of(shell, held)
    assert row.run is not None
    body = {
        "action": "coven.automations.attempt.retry.v1",
        "adoptionKey": new_key("test"),
        "runId": row.run.run_id,
        "priorAttemptNumber": 1,
        "priorDisposition": "failed",
    }
    (desk.home.root / "mended").touch()
    desk.do(recovery.retry_attempt, body)
    until("the retry has ended", lambda: row_of(shell, held).state == "succeeded")
    press(asked, "Give it up")
    assert question().windowTitle() == "Not done"
    press(question(), "Close")
    assert shell.acts.stop_of(held) is None


def test_the_next_step_of_a_routine_is_one_action(shell: Shell, held: str) -> None:
    window = shell.window
    select(window.routines, "Issue triage")
    until("it offers the retry", lambda: window.decide.isEnabled() and window.decide.text() == "Retr&y…")
    window.decide.trigger()
    assert retry_dialog(shell.deciding.runs[held]).isVisible()


def test_a_waiting_retry_says_which_and_when_and_can_be_cancelled(shell: Shell, waiting: str) -> None:
    window = shell.window
    until("its routine says so", lambda: says(window.routines, "Retry 2 of 3 at "))
    until("it is counted", lambda: window._state_label.text() == "1 waits to retry")
    window.show_occurrences("status:retry")
    until("it is found", lambda: [text[:16] for text in column(window.occurrences, 2)] == ["Retry 2 of 3 at "])
    run = open_run(shell, waiting)
    assert run.state.text().startswith("Retry 2 of 3 at ")
    assert not run.retry_button.isVisible()
    assert run.stop_button.text() == "Can&cel…"
    run.stop_button.click()
    press(question(), "Cancel it")
    until("it is cancelled", lambda: run.state.text() == "Stopped")


def test_a_quarantined_routine_says_why_and_is_released(desk: Desk, shell: Shell, quarantined: str) -> None:
    window = shell.window
    until("it is said", lambda: says(window.routines, "Quarantined, a run used up its attempts: "))
    assert column(window.routines, 4) == ["none until it is released"]
    summary(shell, 1)  # it is one, quarantined and held
    select(window.routines, "Ask claude")
    run = open_run(shell, quarantined)
    run.decide()
    dialog = retry_dialog(run)
    assert dialog.off.text() == "Retry is off: Its routine is quarantined: release it first."
    dialog.close()
    assert window.decide.text() == "Re&lease…"
    window.decide.trigger()
    release = until("the dialog", lambda: _open(ReleaseDialog))
    assert "found no command to run" in release.why.text()
    assert "used up once" in release.why.text()
    assert "Its next run is due " in release.follow.text()
    assert "held for your retry until" in release.follow.text()
    until(
        "the failed runs are read", lambda: "Nothing was started, so it printed nothing." in release.runs.toPlainText()
    )
    assert not release.release.isDefault()
    release.release.click()
    until("it is released", lambda: says(window.routines, "Failed, held for your retry"))
    assert window.notice.text.text() == "“Ask claude” is released."
    summary(shell, 1)


def test_an_undecided_run_is_tried_again_as_a_new_attempt(lost: RunWindow, shell: Shell) -> None:
    lost.decide_button.click()
    dialog = until("the dialog", lambda: lost.findChild(DecideDialog))
    assert "Retry: Attempt 2 begins at once" in dialog.choices.text()
    assert "It must end by" in dialog.choices.text()
    assert not any(button.isDefault() or button.autoDefault() for button in (dialog.failed, dialog.retry))
    dialog.statement.edit.setPlainText("the machine went down")
    dialog.retry.click()
    until("it runs again", lambda: lost.state.text().startswith("Running"))
    assert lost.attempts.rowCount() == 2
    lost.stop_button.click()
    press(question(), "Stop it")
    until("it is stopped", lambda: lost.state.text() == "Stopped", 30)


def test_an_undecided_run_of_a_paused_routine_can_only_be_called_failed(
    desk: Desk, lost: RunWindow, shell: Shell
) -> None:
    body = definition("Lost", "echo half of it; sleep 300", str(desk.home.root), status="PAUSED")
    desk.do(definitions.update, {"definition": body})
    lost.refresh()
    lost.decide_button.click()
    dialog = until("the dialog", lambda: lost.findChild(DecideDialog))
    assert "Retry: Off: Its routine is paused: resume it first." in dialog.choices.text()
    dialog.statement.edit.setPlainText("the machine went down")
    assert not dialog.retry.isEnabled()
    dialog.failed.click()
    until("it is decided", lambda: lost.state.text().startswith("Failed"))


def _open(kind: type[ReleaseDialog]) -> ReleaseDialog | None:
    found = [top for top in QApplication.topLevelWidgets() if isinstance(top, kind) and top.isVisible()]
    return found[0] if found else None
