"""The same act on several rows: one question, a command for each, one sentence after; what cannot be is left out."""

from __future__ import annotations

from collections.abc import Callable

from coven_desktop.engine.commands import definitions
from coven_desktop.engine.listing import Question
from coven_desktop.qt.widgets import QApplication, QPushButton
from coven_desktop.ui.several_dialog import SeveralDialog
from coven_desktop.ui.shell import Shell
from tests.ui.desk import Desk, definition, until
from tests.ui.test_waiting import MISSING, retry, row_of

FAILS = "if test -e mended; then echo good; else exit 3; fi"


def dialog() -> SeveralDialog | None:
    found = [top for top in QApplication.topLevelWidgets() if isinstance(top, SeveralDialog) and top.isVisible()]
    return found[0] if found else None


def asked(shell: Shell, act: str, ids: list[str]) -> SeveralDialog:
    shell.deciding.several.ask(act, ids)
    return until("the dialog", dialog)


def left_out(asks: SeveralDialog) -> dict[str, str]:
    return {item.name: item.off for item in asks.items if item.off}


def states(shell: Shell) -> dict[str, str]:
    """The state of the newest occurrence of each routine."""
    page = shell._listing.occurrence_page(Question("time", descending=True), 0)
    found = shell._listing.occurrences(page.numbers)
    return {row.automation_id: row.state for row in sorted(found, key=lambda row: row.scheduled_for)}


def notice(shell: Shell, text: str) -> Callable[[], bool]:
    return lambda: shell.window.notice.text.text() == text


def test_several_routines_are_run_and_the_rest_is_left_out_with_the_reason(desk: Desk, shell: Shell) -> None:
    desk.routine("One", "true")
    desk.routine("Two", "true")
    desk.routine("Paused", "true", status="PAUSED")
    desk.routine("Ask claude", retry=retry(1), **MISSING)
    desk.run("ask-claude")
    asks = asked(shell, "run", ["one", "two", "paused", "ask-claude", "gone"])
    assert left_out(asks) == {
        "Paused": "It is paused. Run it by itself, which asks first.",
        "Ask claude": "It is quarantined. Release it first.",
    }
    assert asks.go.text() == "&Run them (2)"
    assert not any(button.isDefault() or button.autoDefault() for button in asks.findChildren(QPushButton))
    assert asks.note is not None
    asks.note.edit.setPlainText("after the login")
    asks.go.click()
    until("both have run", lambda: [states(shell).get(name) for name in ("one", "two")] == ["succeeded"] * 2)
    until("it is said once", notice(shell, "All 2 are done."))
    assert "paused" not in states(shell)


def test_it_opens_as_high_as_its_rows(desk: Desk, shell: Shell) -> None:
    ids = [desk.routine(f"Routine {number}", status="PAUSED") for number in range(4)]
    asks = asked(shell, "run", ids)
    until("it is shown", asks.isVisible)
    QApplication.processEvents()
    assert not asks.body.verticalScrollBar().isVisible()


def test_several_held_runs_are_retried_and_one_that_is_not_held_is_left_out(desk: Desk, shell: Shell) -> None:
    held = []
    for name in ("One", "Two"):
        desk.routine(name, FAILS)
        held.append(desk.run(name.lower()))
    desk.routine("Good", "true")
    good = desk.run("good")
    until("both are held", lambda: [row_of(shell, each).phase for each in held] == ["held", "held"])
    until("the other is over", lambda: row_of(shell, good).state == "succeeded")
    asks = asked(shell, "retry", [*held, good])
    assert list(left_out(asks).values()) == ["This run is not held any more."]
    (desk.home.root / "mended").touch()
    asks.go.click()
    until("both have succeeded", lambda: {row_of(shell, each).state for each in held} == {"succeeded"})
    until("it is said once", notice(shell, "All 2 are done."))


def test_several_quarantines_are_released(desk: Desk, shell: Shell) -> None:
    for name in ("One", "Two"):
        desk.routine(name, retry=retry(1), **MISSING)
        desk.run(name.lower())
    desk.routine("Good", "true")
    asks = asked(shell, "release", ["one", "two", "good"])
    assert left_out(asks) == {"Good": "It is not in quarantine."}
    asks.go.click()
    until("both are released", lambda: all(_quarantine(shell, name) is None for name in ("one", "two")))
    until("it is said once", notice(shell, "All 2 are done."))


def _quarantine(shell: Shell, automation_id: str) -> object:
    row = shell._listing.routine(automation_id)
    assert row is not None
    return row.quarantine


def test_several_runs_are_ended_whatever_they_do(desk: Desk, shell: Shell) -> None:
    desk.routine("Long", "sleep 300")
    desk.routine("Held", "exit 3")
    desk.routine("Over", "true")
    ids = [desk.run(name) for name in ("long", "held", "over")]
    until("it runs", lambda: row_of(shell, ids[0]).state == "running")
    until("it is held", lambda: row_of(shell, ids[1]).phase == "held")
    until("it is over", lambda: row_of(shell, ids[2]).state == "succeeded")
    asks = asked(shell, "stop", ids)
    assert list(left_out(asks).values()) == ["There is nothing to end: Succeeded."]
    asks.go.click()
    until("both are ended", lambda: {row_of(shell, each).state for each in ids[:2]} == {"cancelled"}, 30)
    until("it is said once", notice(shell, "All 2 are done."))


def test_the_question_follows_what_changes(desk: Desk, shell: Shell) -> None:
    desk.routine("One", "true")
    desk.routine("Two", "true")
    asks = asked(shell, "run", ["one", "two"])
    body = definition("Two", "true", str(desk.home.root), status="PAUSED")
    desk.do(definitions.update, {"definition": body})
    until("it is left out now", lambda: list(left_out(asks)) == ["Two"])
    desk.do(definitions.update, {"definition": body | {"status": "ACTIVE"}})
    until("it is back", lambda: asks.go.text() == "&Run them (2)")
    asks.close()


def test_selected_rows_are_run_together(desk: Desk, shell: Shell) -> None:
    desk.routine("One", "true")
    desk.routine("Two", "true")
    page = shell.window.routines
    until("they are listed", lambda: page.model.rowCount() == 2)
    page.table.selectAll()
    until("both are selected", lambda: len(page.table.selectionModel().selectedRows()) == 2)
    shell.window.run.trigger()
    asks = until("the dialog", dialog)
    assert asks.go.text() == "&Run them (2)"
    asks.close()


def test_the_next_step_of_several_rows_is_a_retry_of_each(desk: Desk, shell: Shell) -> None:
    desk.routine("One", FAILS)
    desk.routine("Two", FAILS)
    held = [desk.run(name) for name in ("one", "two")]
    until("both are held", lambda: [row_of(shell, each).phase for each in held] == ["held", "held"])
    page = shell.window.routines
    until("they are listed", lambda: page.model.rowCount() == 2)
    page.table.selectAll()
    until("both are selected", lambda: len(page.table.selectionModel().selectedRows()) == 2)
    until("retries are offered", lambda: shell.window.decide.isEnabled() and shell.window.decide.text() == "Retr&y…")
    shell.window.decide.trigger()
    asks = until("the dialog", dialog)
    assert asks.go.text() == "&Retry them (2)"
    asks.close()
