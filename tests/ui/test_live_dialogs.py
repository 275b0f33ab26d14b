"""Dialogs about runs while the world changes: what was decided elsewhere is told, a refusal is said in its place."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from PySide6.QtTest import QTest

from coven_desktop.engine.commands import cancellation, definitions, quarantine, recovery
from coven_desktop.engine.listing import RunDetail
from coven_desktop.qt.core import QRect, Qt
from coven_desktop.qt.widgets import QAbstractButton, QApplication, QLabel, QPushButton, QWidget
from coven_desktop.ui.acts import new_key
from coven_desktop.ui.decide_dialog import DecideDialog
from coven_desktop.ui.release_dialog import ReleaseDialog
from coven_desktop.ui.retry_dialog import RetryDialog
from coven_desktop.ui.run_now_dialog import RunNowDialog
from coven_desktop.ui.run_window import RunWindow
from coven_desktop.ui.several_dialog import SeveralDialog
from coven_desktop.ui.shell import Shell
from tests.ui.desk import Desk, definition, until
from tests.ui.test_dialogs import nameless
from tests.ui.test_run_window import lost as lost  # a fixture
from tests.ui.test_waiting import held as held  # a fixture
from tests.ui.test_waiting import quarantined as quarantined  # a fixture
from tests.ui.test_waiting import retry_dialog
from tests.ui.test_window import press, question


def decide_dialog(window: RunWindow) -> DecideDialog:
    window.decide()
    return until("the dialog", lambda: window.findChild(DecideDialog))


def open_run(shell: Shell, occurrence_id: str) -> RunWindow:
    shell.deciding.show_run(occurrence_id)
    return shell.deciding.runs[occurrence_id]


def detail_of(window: RunWindow) -> RunDetail:
    assert window.detail is not None
    return window.detail


def release_dialog(shell: Shell, automation_id: str) -> ReleaseDialog:
    shell.deciding.ask_release(automation_id)
    tops = QApplication.topLevelWidgets()
    return next(top for top in tops if isinstance(top, ReleaseDialog) and top.isVisible())


def recover(desk: Desk, window: RunWindow, determination: str) -> None:
    body = {
        "action": "coven.automations.occurrence.recover.v1",
        "adoptionKey": new_key("test"),
        "occurrenceId": window.occurrence_id,
        "evidenceDetermination": determination,
    }
    desk.do(recovery.recover, body)


# recovery


def test_what_was_decided_elsewhere_is_told_and_the_words_stay(desk: Desk, lost: RunWindow) -> None:
    dialog = decide_dialog(lost)
    dialog.statement.edit.setPlainText("half written")
    recover(desk, lost, "failed_deterministic")
    until("it is told", lambda: "It is now: Failed." in dialog.message.text())
    assert not dialog.failed.isEnabled()
    assert not dialog.retry.isEnabled()
    assert dialog.statement.text() == "half written"
    assert dialog.isVisible()


def test_a_decision_that_is_refused_says_why_and_keeps_the_words(
    desk: Desk, lost: RunWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    dialog = decide_dialog(lost)
    dialog.statement.edit.setPlainText("it did nothing")
    monkeypatch.setattr(lost, "refresh", lambda: None)  # the change has not come to the window yet
    body = definition("Lost", "echo half of it; sleep 300", str(desk.home.root), status="PAUSED")
    desk.do(definitions.update, {"definition": body})
    dialog.retry.click()
    assert not dialog.failed.isEnabled()
    until("it is refused", dialog.message.isVisible)
    assert dialog.message.text().endswith(" is paused, not active.")
    assert dialog.statement.text() == "it did nothing"
    dialog.failed.click()
    until("it is decided", lambda: lost.findChild(DecideDialog) is None)


def test_a_statement_longer_than_the_engine_takes_is_kept_and_not_sent(lost: RunWindow) -> None:
    dialog = decide_dialog(lost)
    dialog.statement.edit.setPlainText("x" * 1_001)
    assert dialog.hint.text() == "What you wrote is too long to be kept."
    assert not dialog.failed.isEnabled()
    dialog.statement.edit.setPlainText("   ")
    assert dialog.hint.text() == "Write what you found; then you can decide."
    dialog.statement.edit.setPlainText("x" * 1_000)
    assert dialog.failed.isEnabled()


def test_the_whole_output_is_one_step_away_and_the_dialog_stays(lost: RunWindow) -> None:
    dialog = decide_dialog(lost)
    dialog.all_output.click()
    assert lost.focusWidget() is lost.output
    assert dialog.isVisible()
    lost.decide()
    assert lost.findChildren(DecideDialog) == [dialog]
    lost.close()


def squashed(dialog: DecideDialog) -> list[str]:
    """What is shown with less height than it needs."""
    found = []
    for facts in (dialog.evidence, dialog.choices):
        for label in facts.findChildren(QLabel):
            needed = label.heightForWidth(label.width()) if label.wordWrap() else label.minimumSizeHint().height()
            if not label.isHidden() and label.height() < needed:
                found.append(label.text())
    return found


def test_nothing_is_squashed_when_it_opens_nor_on_a_low_screen(lost: RunWindow) -> None:
    dialog = decide_dialog(lost)
    until("it is drawn", lambda: dialog.isVisible() and dialog.windowHandle().isExposed())
    for height in (dialog.height(), 330):

        def is_well(height: int = height) -> bool:
            # what is known of the process is looked for meanwhile: with more to show it may take more room once more
            dialog.resize(dialog.width(), height)
            QApplication.processEvents()
            return dialog.height() == height and not squashed(dialog)

        until(f"nothing is squashed at {height}", is_well, 10)
        for button in (dialog.failed, dialog.retry):
            assert dialog.rect().contains(button.geometry()), button.text()
    assert dialog.body.verticalScrollBar().maximum() > 0


def test_no_dialog_opens_higher_than_the_screen(lost: RunWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    small = SimpleNamespace(availableGeometry=lambda: QRect(0, 0, 640, 400))
    monkeypatch.setattr(DecideDialog, "screen", lambda _: small)
    dialog = decide_dialog(lost)
    until("its output is there", lambda: "half" in dialog.output.toPlainText())
    assert dialog.height() <= 400


def test_what_is_opened_from_the_table_has_the_keys(shell: Shell, held: str) -> None:
    until("the window is in front", shell.window.isActiveWindow)
    shell.deciding.decide(held)
    window = shell.deciding.runs[held]
    dialog = retry_dialog(window)
    until("both are drawn", lambda: all(one.windowHandle().isExposed() for one in (window, dialog)))
    until("the dialog has the keys", lambda: QApplication.activeWindow() is dialog)


def test_escape_decides_nothing(lost: RunWindow) -> None:
    dialog = decide_dialog(lost)
    dialog.statement.edit.setPlainText("it failed")
    for key in (Qt.Key.Key_Return, Qt.Key.Key_Escape):
        QTest.keyClick(dialog, key)
    assert detail_of(lost).occurrence.state == "recovery_required"


# retry


def test_a_run_given_up_elsewhere_is_not_retried(desk: Desk, shell: Shell, held: str) -> None:
    window = open_run(shell, held)
    window.decide()
    dialog = retry_dialog(window)
    dialog.note.edit.setPlainText("mended")
    body = {"action": "coven.automations.occurrence.cancel.v1", "adoptionKey": new_key("test"), "occurrenceId": held}
    desk.do(cancellation.cancel_occurrence, body)
    until("it is told", lambda: dialog.message.text() == "It is not held any more. It is now: Stopped.")
    assert not dialog.retry.isEnabled()
    assert not dialog.give_up_button.isEnabled()
    assert dialog.note.text() == "mended"


def test_a_retry_that_is_refused_says_why_and_keeps_the_note(
    desk: Desk, shell: Shell, held: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = open_run(shell, held)
    window.decide()
    dialog = retry_dialog(window)
    dialog.note.edit.setPlainText("mended")
    monkeypatch.setattr(window, "refresh", lambda: None)  # the change has not come to the window yet
    run = detail_of(window).occurrence.run
    assert run is not None
    body = {
        "action": "coven.automations.attempt.retry.v1",
        "adoptionKey": new_key("test"),
        "runId": run.run_id,
        "priorAttemptNumber": 1,
        "priorDisposition": "failed",
    }
    desk.do(recovery.retry_attempt, body)
    dialog.retry.click()
    until("it is refused", dialog.message.isVisible)
    assert dialog.note.text() == "mended"
    assert dialog.isVisible()


def test_giving_up_from_the_dialog_asks_first(shell: Shell, held: str) -> None:
    window = open_run(shell, held)
    window.decide()
    dialog = retry_dialog(window)
    dialog.give_up_button.click()
    press(question(), "Keep it")
    assert dialog.retry.isEnabled()
    dialog.give_up_button.click()
    press(question(), "Give it up")
    gone: list[int] = []
    dialog.finished.connect(gone.append)
    until("it is settled", lambda: window.state.text() == "Stopped")
    until("nothing is left to decide", lambda: gone)


def test_the_run_of_a_deleted_routine_is_only_given_up_and_once(desk: Desk, shell: Shell, held: str) -> None:
    desk.do(definitions.delete, {"id": "issue-triage"})
    table = shell.window.occurrences
    shell.window.show_occurrence(held)
    until("it is selected", lambda: (cells := table.selected()) is not None and cells.id == held)
    until("its next step", lambda: shell.window.decide.text() == "&Give up…")
    assert shell.window.stop.text() == "&Stop…"
    assert not shell.window.stop.isEnabled()
    shell.window.decide.trigger()
    window = shell.deciding.runs[held]
    dialog = retry_dialog(window)
    assert dialog.windowTitle() == "Give up this run of “Issue triage”?"
    assert not dialog.retry.isVisible()
    assert not window.retry_button.isVisible()
    dialog.give_up_button.click()
    asked = question()
    assert not any("goes on" in label.text() for label in asked.findChildren(QLabel))
    press(asked, "Give it up")
    until("it is settled", lambda: window.state.text() == "Stopped")


# quarantine


def test_a_release_that_comes_from_elsewhere_is_told(desk: Desk, shell: Shell, quarantined: str) -> None:
    dialog = release_dialog(shell, "ask-claude")
    desk.do(quarantine.unquarantine, {"id": "ask-claude"})
    until("it is told", lambda: dialog.message.text().startswith("It was released elsewhere meanwhile"))
    assert not dialog.release.isEnabled()
    assert dialog.isVisible()
    dialog.close()
    shell.deciding.ask_release("ask-claude")
    assert not [top for top in QApplication.topLevelWidgets() if isinstance(top, ReleaseDialog) and top.isVisible()]


def test_a_routine_that_is_deleted_is_not_released(desk: Desk, shell: Shell, quarantined: str) -> None:
    dialog = release_dialog(shell, "ask-claude")
    desk.do(definitions.delete, {"id": "ask-claude"})
    until("it is told", lambda: dialog.message.text() == "The routine was deleted meanwhile.")
    assert not dialog.release.isEnabled()
    dialog.close()


# all of them


def test_no_dialog_has_a_default_button_or_a_nameless_control(
    desk: Desk, shell: Shell, lost: RunWindow, quarantined: str
) -> None:
    window = open_run(shell, quarantined)
    window.decide()
    dialogs: list[QWidget] = [decide_dialog(lost), retry_dialog(window), release_dialog(shell, "ask-claude")]
    shell.deciding.ask_run("ask-claude")
    shell.deciding.several.ask("release", ["ask-claude"])
    tops = QApplication.topLevelWidgets()
    dialogs += [top for top in tops if isinstance(top, RunNowDialog | SeveralDialog) and top.isVisible()]
    assert len(dialogs) == 5
    for dialog in dialogs:
        assert nameless(dialog) == [], dialog
        assert not any(button.isDefault() or button.autoDefault() for button in dialog.findChildren(QPushButton))
        texts = [button.text() for button in dialog.findChildren(QPushButton) if button.isVisible()]
        keys = [text[text.index("&") + 1].lower() for text in texts]
        assert len(set(keys)) == len(keys), texts
        dialog.close()


def test_each_dialog_can_be_gone_through_by_tab(shell: Shell, held: str) -> None:
    window = open_run(shell, held)
    window.decide()
    dialog = retry_dialog(window)
    reached: list[QWidget] = []
    widget = dialog.nextInFocusChain()
    while widget is not None and widget is not dialog and len(reached) < 200:
        if widget.isVisibleTo(dialog) and Qt.FocusPolicy.TabFocus in widget.focusPolicy():
            reached.append(widget)
        widget = widget.nextInFocusChain()
    for part in (dialog.attempts, dialog.output, dialog.note.edit, dialog.retry, dialog.give_up_button):
        assert part in reached
    assert isinstance(dialog, RetryDialog)


def test_the_run_view_has_each_key_once_whatever_the_run_waits_for(
    desk: Desk, shell: Shell, held: str, quarantined: str
) -> None:
    desk.routine("Long", "sleep 300")
    live = desk.run("long")
    for occurrence_id in (held, quarantined, live):
        window = open_run(shell, occurrence_id)
        until("it is shown", lambda window=window: window.stop_button.isVisible())  # type: ignore[misc]
        buttons = [button for button in window.findChildren(QAbstractButton) if button.isVisible() and button.text()]
        keys = [button.text()[button.text().index("&") + 1].lower() for button in buttons]
        assert len(set(keys)) == len(keys), [button.text() for button in buttons]
    shell.acts.stop(live)
    until("it is stopped", lambda: open_run(shell, live).state.text() == "Stopped", 30)
