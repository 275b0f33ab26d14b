"""Routines that do not go on by themselves say why, and are taken back: ended cadences, cron that failed in a row."""

from __future__ import annotations

from contextlib import closing
from datetime import UTC, datetime, timedelta
from functools import partial

from coven_desktop.engine import overview
from coven_desktop.engine.commands import versioned
from coven_desktop.engine.listing import RoutineRow
from coven_desktop.store.transactions import open_reader
from coven_desktop.ui import texts
from coven_desktop.ui.enable_dialog import EnableDialog
from coven_desktop.ui.shell import Shell
from coven_desktop.ui.times import MINUTE
from tests.ui.desk import Desk, until
from tests.ui.test_form_families import CRON, routine
from tests.ui.test_skipped import EVERY_MINUTE, activity, occurrences, settled
from tests.ui.test_window import column, select


def stored(shell: Shell, lifecycle: str) -> RoutineRow:
    """The routine once it is in this state."""

    def found() -> RoutineRow | None:
        row = shell._listing.routine("notes")
        return row if row is not None and row.lifecycle == lifecycle else None

    return until(f"it is {lifecycle}", found)


def wall(desk: Desk, minutes: int) -> str:
    """A wall time in UTC that many minutes from now."""
    at = datetime.fromtimestamp(desk.clock.wall() // 1000, UTC) + timedelta(minutes=minutes)
    return at.isoformat(timespec="seconds").removesuffix("+00:00")


def failed(shell: Shell, count: int) -> bool:
    """Whether so many occurrences have failed."""
    return [row.state for row in occurrences(shell)].count("failed") == count


def dialog_of(shell: Shell) -> EnableDialog:
    """The dialog of the selected routine's next step."""
    select(shell.window.routines, "Notes")
    until("its next step is offered", lambda: shell.window.decide.text() == "Ena&ble again…")
    shell.window.decide.trigger()
    return until("it is asked", lambda: next(iter(shell.window.findChildren(EnableDialog)), None))


def once(desk: Desk) -> None:
    """A routine that runs once, in a minute."""
    routine(desk, {"kind": "cadence", "mode": "once", "anchor": wall(desk, 1), "timezone": "utc"})


def test_a_cadence_that_ran_once_says_so_and_is_enabled_with_another_time(desk: Desk, shell: Shell) -> None:
    once(desk)
    desk.clock.sleep(2 * MINUTE)
    until("its run is over", lambda: settled(shell))
    row = stored(shell, "disabled")
    assert texts.routine_state(row, shell._times)[0] == "Ended: its one time is over"
    until("it is listed so", lambda: column(shell.window.routines, 4) == ["none: it has ended"])
    dialog = dialog_of(shell)
    assert dialog.heading.text() == "“Notes” has ended: its one time is over"
    assert not dialog.enable.isEnabled()
    assert dialog.fields["anchor"].message == "It is over: give a time that is still to come."
    assert set(dialog.fields) == {"anchor"}
    later = wall(desk, 600)
    dialog.anchor.take(later)
    assert dialog.enable.isEnabled()
    dialog.enable.click()
    row = stored(shell, "paused")
    assert row.body["schedule"]["anchor"] == later
    assert row.runs_counted == 1
    assert not row.by_scheduler
    shell.window.tabs.setCurrentIndex(3)
    until("it is told", lambda: "Enabled again: it is paused" in activity(shell))
    assert "Ended by itself: it is disabled, and keeps everything" in activity(shell)


def test_a_cadence_whose_runs_are_made_asks_for_more_of_them(desk: Desk, shell: Shell) -> None:
    schedule = {"kind": "cadence", "mode": "every_n_minutes", "minutes": 1, "anchor": "2026-01-01T00:00:00"}
    routine(desk, schedule | {"maxRuns": 1})
    desk.clock.sleep(2 * MINUTE)
    until("its run is over", lambda: settled(shell))
    row = stored(shell, "disabled")
    assert texts.routine_state(row, shell._times)[0] == "Ended: its one run was made"
    dialog = dialog_of(shell)
    assert dialog.fields["maxRuns"].message == "So many runs were made already: give more, or no limit."
    dialog.until.take("2026-01-02")
    assert dialog.fields["until"]._suggestion == "2026-01-02T00:00:00"
    dialog.until.take("")
    dialog.runs.setValue(0)
    assert dialog.changes() == {"maxRuns": None}
    dialog.enable.click()
    assert "maxRuns" not in stored(shell, "paused").body["schedule"]


def test_page_and_timeline_promise_no_more_runs_than_there_can_be(desk: Desk, shell: Shell) -> None:
    schedule = {"kind": "cadence", "mode": "every_n_minutes", "minutes": 30, "anchor": "2026-01-01T00:00:00"}
    routine(desk, schedule | {"maxRuns": 3})
    now = desk.clock.wall()
    with closing(open_reader(desk.home.database)) as reader:
        page = overview.routine_page(reader, "notes", now)
        ahead = overview.timeline(reader, now).ahead
    assert page is not None
    assert len(page.firings) == 3
    assert [firing.at for firing in ahead] == list(page.firings)


def test_a_cron_routine_that_was_disabled_by_hand_is_enabled_as_it_was(desk: Desk, shell: Shell) -> None:
    routine(desk, CRON)
    body = {"adoptionKey": "test:disable:1", "id": "notes", "expectedRevision": 1}
    desk.do(versioned.disable, body)
    row = stored(shell, "disabled")
    assert texts.routine_state(row, shell._times)[0] == "Disabled"
    until("it is listed so", lambda: column(shell.window.routines, 4) == ["none: disabled"])
    dialog = dialog_of(shell)
    assert dialog.heading.text() == "“Notes” is disabled"
    assert dialog.fields == {}
    dialog.enable.click()
    stored(shell, "paused")
    shell.window.tabs.setCurrentIndex(3)
    until("it is told", lambda: "Disabled" in activity(shell))


def test_what_was_enabled_elsewhere_cannot_be_enabled_again(desk: Desk, shell: Shell) -> None:
    once(desk)
    desk.clock.sleep(2 * MINUTE)
    stored(shell, "disabled")
    dialog = dialog_of(shell)
    row = shell._listing.routine("notes")
    assert row is not None
    dialog._acts.enable("notes", row.revision, {"anchor": wall(desk, 600)}, lambda _: None)
    until("it is told", lambda: dialog.message.text() == "It was enabled elsewhere meanwhile.")
    assert not dialog.enable.isEnabled()


def test_a_cron_routine_that_failed_in_a_row_says_so_and_is_resumed(desk: Desk, shell: Shell) -> None:
    desk.thread.post(lambda engine: setattr(engine.core, "pause_after_failures", 2))
    routine(desk, EVERY_MINUTE, prompt="exit 3")
    for count in (1, 2):
        desk.clock.sleep(MINUTE)
        until("it failed", partial(failed, shell, count))
    row = stored(shell, "paused")
    assert texts.routine_state(row, shell._times) == ("Paused by itself: 2 runs in a row failed", texts.Tone.BAD)
    select(shell.window.routines, "Notes")
    until("its next step is offered", lambda: shell.window.decide.text() == "Resum&e")
    assert "its failures are counted anew" in shell.window.decide.toolTip()
    shell.window.decide.trigger()
    row = stored(shell, "active")
    assert row.failures_in_a_row == 0
    shell.window.tabs.setCurrentIndex(3)
    until("it is told", lambda: "Paused by itself, as its runs failed in a row" in activity(shell))
