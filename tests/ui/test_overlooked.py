"""What failed while nobody looked: told in status bar and tray until the person has seen it."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

import apsw

from coven_desktop.contract import timestamps
from coven_desktop.engine.commands import execution
from coven_desktop.engine.listing import open_listing
from coven_desktop.engine.overlooked import Overlooked, overlooked
from coven_desktop.home import Home
from coven_desktop.ui.pages import OCCURRENCES, ROUTINES
from coven_desktop.ui.shell import Shell
from coven_desktop.ui.times import MINUTE
from tests.ui.desk import Desk, until
from tests.ui.past import HOUR, START, add_occurrences, add_routine, made_before
from tests.ui.test_window import column


def _fail(desk: Desk, automation_id: str) -> None:
    """Run a routine that fails, and let the night go by: nobody retries it until its deadline."""
    occurrence = desk.run(automation_id)
    with closing(open_listing(desk.home)) as listing:

        def phase() -> str:
            row = listing.occurrence(occurrence)
            return row.phase if row is not None else ""

        until("it is held", lambda: phase() == "held")
        desk.clock.sleep(31 * MINUTE)
        desk.do(execution.tick, {})
        until("it is given up", lambda: phase() == "failed")


def _told(shell: Shell) -> str:
    button = shell.window.failed
    return button.text() if button.isVisible() else ""


def test_what_failed_is_told_until_it_was_shown(desk: Desk, shell: Shell) -> None:
    window = shell.window
    until("the status is there", lambda: window.status is not None)
    assert _told(shell) == ""
    night = desk.routine("Night", "exit 3")
    _fail(desk, night)
    until("it is told", lambda: _told(shell) == "1 failed since you last looked")
    _fail(desk, night)
    until("both are told", lambda: _told(shell) == "2 failed since you last looked")
    assert window.status is not None
    assert window.status.tray.summary.attention == 0
    window.failed.click()
    assert window.tabs.currentIndex() == OCCURRENCES
    until("both are listed", lambda: column(window.occurrences, 1) == ["Night", "Night"])
    assert window.occurrences.filter.text().startswith("status:failed due:")
    assert _told(shell) == ""
    window.tabs.setCurrentIndex(ROUTINES)
    _fail(desk, night)
    until("only the new one is told", lambda: _told(shell) == "1 failed since you last looked")
    window.tabs.setCurrentIndex(OCCURRENCES)
    assert _told(shell) == ""


def test_it_is_kept_between_starts(desk: Desk) -> None:
    first = desk.shell_started()
    until("the status is there", lambda: first.window.status is not None)
    first.close()
    _fail(desk, desk.routine("Night", "exit 3"))
    second = desk.shell_started()
    until("it is told", lambda: _told(second) == "1 failed since you last looked")
    second.window.tabs.setCurrentIndex(OCCURRENCES)
    second.window.tabs.setCurrentIndex(ROUTINES)
    second.close()
    third = desk.shell_started()
    until("the status is there", lambda: third.window.status is not None)
    assert _told(third) == ""


def test_what_the_person_stopped_is_not_told(desk: Desk, shell: Shell) -> None:
    until("the status is there", lambda: shell.window.status is not None)
    occurrence = desk.run(desk.routine("Long", "sleep 600"))
    page = shell.window.routines
    until("it runs", lambda: column(page, 1) == ["Running"])
    shell.acts.stop(occurrence)
    until("it is stopped", lambda: column(page, 1) == ["Active"])
    _fail(desk, desk.routine("Night", "exit 3"))
    with closing(open_listing(desk.home)) as listing:
        assert overlooked(listing.reader, Overlooked(0)).amount == 1


def test_what_the_person_decided_to_have_failed_is_not_told(tmp_path: Path) -> None:
    home = Home(tmp_path / "home")

    def fill(connection: apsw.Connection) -> None:
        add_routine(connection, "night")
        add_occurrences(connection, "night", 2, state="failed")
        reasons = ("exit 3", "operator recovery (failed_deterministic): it hung")
        for hour, reason in enumerate(reasons):
            body = json.dumps({"payload": {"to": "failed", "reason": reason}})
            connection.execute(
                "INSERT INTO events (event_id, stream_kind, stream_id, sequence, kind, automation_id, recorded_at,"
                " body) VALUES (?, 'occurrence', ?, 1, 'occurrence.transitioned', 'night', ?, ?)",
                (f"event-{hour}", f"occ-night-{hour}", timestamps.to_text(START + HOUR), body),
            ).fetchall()

    made_before(home, fill)
    with closing(open_listing(home)) as listing:
        told = overlooked(listing.reader, Overlooked(START))
        assert (told.amount, told.due_from) == (1, START)
        assert overlooked(listing.reader, told) == told
        assert overlooked(listing.reader, Overlooked(START + HOUR)).amount == 0
