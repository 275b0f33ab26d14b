"""The timeline and the routine's page: what they read, how they are used by mouse and keyboard, and what is said."""

from __future__ import annotations

from contextlib import closing

import pytest
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from coven_desktop.clock import SystemClock
from coven_desktop.contract import timestamps
from coven_desktop.engine import overview
from coven_desktop.engine.listing import OccurrenceRow
from coven_desktop.engine.overview import Firing, Hour, Timeline
from coven_desktop.qt.core import QPoint, Qt
from coven_desktop.qt.gui import QPainter
from coven_desktop.qt.widgets import QToolButton
from coven_desktop.store.transactions import open_reader
from coven_desktop.ui import texts
from coven_desktop.ui.pages import OCCURRENCES, ROUTINES
from coven_desktop.ui.shell import Shell
from coven_desktop.ui.texts import Tone
from coven_desktop.ui.timeline import Column, TimelineStrip, laid_out
from coven_desktop.ui.times import DAY, HOUR, Times
from tests.ui.desk import Desk, until
from tests.ui.past import START, add_occurrences, add_routine, past
from tests.ui.test_form_families import routine
from tests.ui.test_window import column, select

NOW = START + 10 * HOUR + 5 * 60_000


def strip(qtbot: QtBot, timeline: Timeline) -> TimelineStrip:
    """A strip of 1,000 pixels that shows this."""
    made = TimelineStrip(Times(SystemClock()))
    qtbot.addWidget(made)
    made.resize(1_000, made.height())
    made.show_timeline(laid_out(timeline))
    made.show()
    return made


def some(now: int = NOW) -> Timeline:
    """Three hours of the past and two firings to come."""
    hour = now // HOUR * HOUR
    return Timeline(
        now,
        now,
        (
            Hour(hour - 100 * HOUR, {"succeeded": 3}, {"succeeded": 3}),
            Hour(hour - 50 * HOUR, {"failed": 1, "succeeded": 40}, {"failed": 7, "succeeded": 9}),
            Hour(hour - 2 * HOUR, {"recovery_required": 1}, {"recovery_required": 11}),
        ),
        (Firing(now + HOUR, "notes", "Daily notes"), Firing(now + 20 * HOUR, "backup", "Backup")),
        False,
    )


def test_what_was_due_is_counted_by_hours_and_what_comes_is_told_by_name(desk: Desk) -> None:
    desk.routine("Daily notes", rrule="FREQ=DAILY;BYHOUR=9,17", timezone="utc")
    desk.routine("Paused one", status="PAUSED")
    now = desk.clock.wall()
    hour = now // HOUR * HOUR
    with past(desk.home) as connection:
        add_routine(connection, "Old")
        first = (hour - START) // HOUR - 10
        add_occurrences(connection, "old", 3, first=first)
        add_occurrences(connection, "old", 1, state="failed", first=first + 3)
        add_occurrences(connection, "old", 1, first=first - 8 * 24)
    with closing(open_reader(desk.home.database)) as reader:
        found = overview.timeline(reader, now)
    assert [(one.start, dict(one.amounts)) for one in found.past] == [
        (hour - 10 * HOUR, {"succeeded": 1}),
        (hour - 9 * HOUR, {"succeeded": 1}),
        (hour - 8 * HOUR, {"succeeded": 1}),
        (hour - 7 * HOUR, {"failed": 1}),
    ]
    assert {firing.name for firing in found.ahead} == {"Daily notes"}
    assert len(found.ahead) == 2
    assert all(now < firing.at <= now + DAY for firing in found.ahead)
    assert {(firing.at % DAY) // HOUR for firing in found.ahead} == {9, 17}


def test_the_firings_of_a_frequent_routine_are_counted_to_the_end_of_the_day(desk: Desk, shell: Shell) -> None:
    routine(desk, {"kind": "cadence", "mode": "every_n_minutes", "minutes": 1, "anchor": "2026-01-01T00:00:00"})
    desk.routine("Night", rrule="FREQ=DAILY;BYHOUR=3,15", timezone="utc")
    with closing(open_reader(desk.home.database)) as reader:
        found = overview.timeline(reader, desk.clock.wall())
    columns = [one for one in laid_out(found).columns if one.firings]
    assert abs(sum(one.amount for one in columns) - (24 * 60 + 2)) <= 1
    assert len(columns) in (48, 49)
    nights = [one for one in columns if any(firing.name == "Night" for firing in one.firings)]
    assert {one.amount for one in columns[1:-1]} == {30, 31}
    told = [shell.window.timeline.sentence(one) for one in nights if one.amount == 31]
    assert told
    assert all("Night" in one and one.endswith("and 29 more") for one in told)


def test_of_what_is_known_only_the_last_hours_are_read_again(desk: Desk) -> None:
    now = desk.clock.wall() // HOUR * HOUR + 10 * 60_000
    first = (now - START) // HOUR
    with past(desk.home) as connection:
        add_routine(connection, "Old")
        add_occurrences(connection, "old", 10, first=first - 10)
    with closing(open_reader(desk.home.database)) as reader:
        known = overview.timeline(reader, now)
        assert len(known.past) == 10
        with past(desk.home) as connection:
            add_routine(connection, "New")
            add_occurrences(connection, "new", 10, state="failed", first=first - 10)
        again = overview.timeline(reader, now + 60_000, known)
        assert [sum(hour.amounts.values()) for hour in again.past] == [1] * 7 + [2] * 3
        assert again.whole_at == now
        whole = overview.timeline(reader, now + overview.WHOLE_EVERY_MS, again)
        assert [sum(hour.amounts.values()) for hour in whole.past] == [2] * 10
        assert whole.whole_at == now + overview.WHOLE_EVERY_MS
        # a clock that was set back reads all of it
        assert overview.timeline(reader, now - HOUR, again).whole_at == now - HOUR


def test_columns_lie_in_the_order_of_time_and_can_be_clicked(qtbot: QtBot) -> None:
    made = strip(qtbot, some())
    assert [column.amount for column in made.columns] == [3, 41, 1, 1, 1]
    places = [made._box(column).center().x() for column in made.columns]
    assert places == sorted(places)
    assert places[0] > 0
    assert places[-1] < 1_000
    assert [made.column_at(x) for x in places] == [0, 1, 2, 3, 4]
    assert made.column_at((places[0] + places[1]) / 2) is None
    hours: list[Column] = []
    routines: list[str] = []
    made.span_asked.connect(hours.append)
    made.routine_asked.connect(routines.append)
    for x in places:
        QTest.mouseClick(made, Qt.MouseButton.LeftButton, pos=QPoint(round(x), 20))
    assert hours == made.columns[:3]
    assert routines == ["notes", "backup"]
    # what matters most leads
    assert hours[1].numbers == (7, 9)


@pytest.mark.parametrize("members", [{"prompt": "exit 3"}, {"runtime": "claude"}])
def test_a_held_run_asks_for_the_person_and_is_not_running(desk: Desk, members: dict[str, str]) -> None:
    window = desk.shell_started().window
    desk.routine("Notes", **members)
    desk.run("notes")
    until("it is held", lambda: any(state == "held" for one in window.timeline.columns for state, _ in one.amounts))
    (shown,) = [one for one in window.timeline.columns if one.amounts]
    assert shown.amounts == (("held", 1),)
    assert window.timeline.sentence(shown).endswith(": 1 failed and held for your retry")
    assert texts.outcome_tone("held") is Tone.ASKS


def test_right_to_left_time_runs_the_other_way(qtbot: QtBot) -> None:
    made = strip(qtbot, some())
    made.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    places = [made._box(column).center().x() for column in made.columns]
    assert places == sorted(places, reverse=True)
    assert [made.column_at(x) for x in places] == [0, 1, 2, 3, 4]


def test_the_keyboard_goes_from_column_to_column_and_each_is_told(qtbot: QtBot) -> None:
    made = strip(qtbot, some())
    opened: list[Column] = []
    made.span_asked.connect(opened.append)
    made.setFocus(Qt.FocusReason.TabFocusReason)
    until("it has the focus", made.hasFocus)
    assert made.accessibleDescription().endswith("1 needs your decision")
    QTest.keyClick(made, Qt.Key.Key_Left)
    assert made.accessibleDescription().endswith("1 failed, 40 succeeded")
    QTest.keyClick(made, Qt.Key.Key_Return)
    assert opened == [made.columns[1]]
    QTest.keyClick(made, Qt.Key.Key_End)
    assert "Backup" in made.accessibleDescription()
    made.show_timeline(laid_out(some(NOW + HOUR)))
    assert made.accessibleName()


def test_it_is_drawn_once_until_something_changes(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    made = strip(qtbot, some())
    drawn: list[bool] = []
    inner = made._draw

    def counting(painter: QPainter) -> None:
        drawn.append(True)
        inner(painter)

    monkeypatch.setattr(made, "_draw", counting)
    made.grab()
    before = len(drawn)
    made.grab()
    assert len(drawn) == before
    made.show_timeline(laid_out(some()))
    made.grab()
    assert len(drawn) == before + 1


def test_a_column_leads_to_its_row_or_its_rows(desk: Desk) -> None:
    with past(desk.home) as connection:
        add_routine(connection, "Notes")
        add_routine(connection, "Other")
        first = (desk.clock.wall() - START) // HOUR - 20
        add_occurrences(connection, "notes", 3, first=first)
        add_occurrences(connection, "other", 1, first=first)
    window = desk.shell_started().window
    until("it is drawn", lambda: len(window.timeline.columns) == 3)
    both, one = window.timeline.columns[:2]
    window.timeline.span_asked.emit(one)
    assert window.tabs.currentIndex() == OCCURRENCES
    until("the row is selected", lambda: (cells := window.occurrences.selected()) is not None and cells.row)
    row = window.occurrences.selected()
    assert row is not None
    assert isinstance(row.row, OccurrenceRow)
    assert row.row.scheduled_for == one.start
    window.timeline.span_asked.emit(both)
    until("the hour's rows are listed", lambda: sorted(column(window.occurrences, 1)) == ["Notes", "Other"])
    window.timeline.routine_asked.emit("other")
    assert window.tabs.currentIndex() == ROUTINES
    until("the routine is selected", lambda: (cells := window.routines.selected()) is not None and cells.id == "other")


def test_without_the_timeline_nothing_is_read_for_it(desk: Desk) -> None:
    first = desk.shell_started()
    first.window.menus.timeline.setChecked(False)
    first.close()
    second = desk.shell_started()
    assert second.window.timeline.isHidden()
    assert not second.window._timeline_rest.isActive()


# --- the routine's page -----------------------------------------------------------------------------------------------


def test_a_routine_that_is_opened_shows_its_page(desk: Desk, shell: Shell) -> None:
    window, panel = shell.window, shell.window.panel
    desk.routine("Daily notes", "echo hello", rrule="FREQ=DAILY;BYHOUR=9,17", tags=["notes"])
    desk.routine("Other", "exit 3", status="PAUSED")
    occurrence = desk.run("daily-notes")
    until("it has run", lambda: column(window.routines, 5)[:1] == ["Succeeded"])
    select(window.routines, "Daily notes")
    window.routines._open(0)
    until("its page is shown", panel.isVisible)
    assert panel.title.text() == "Daily notes"
    assert panel.when.text() == "Every day at 09:00 and 17:00 (Europe/Paris)"
    assert panel.prompt.toPlainText() == "echo hello"
    assert "Tags: notes" in panel.facts.text()
    until("what comes is there", lambda: len(panel.firings.text().splitlines()) == 5)
    until("what was is there", lambda: "1 run, " in panel.plot.accessibleDescription())
    asked: list[str] = []
    window.output_asked.disconnect()
    window.output_asked.connect(asked.append)
    panel.findChildren(QToolButton)[-1].click()
    assert asked == [occurrence]
    # it follows the selection, and says what comes next
    select(window.routines, "Other")
    assert panel.title.text() == "Other"
    assert panel.step.text() == "Resum&e"
    panel.step.click()
    until("it goes on", lambda: column(window.routines, 1)[1:] == ["Active"])
    until("the page says so", lambda: panel.state.text() == "Active")
    assert panel.step.isHidden()
    panel.closed.emit()
    assert panel.isHidden()


def test_while_everything_is_paused_the_page_promises_no_times(desk: Desk, shell: Shell) -> None:
    panel = shell.window.panel
    desk.routine("Daily notes")
    until("it is listed", lambda: column(shell.window.routines, 0) == ["Daily notes"])
    shell.window.rows.page_asked.emit("daily-notes")
    until("what comes is there", lambda: len(panel.firings.text().splitlines()) == 5)
    shell.window.pause_all.pause_asked.emit(None)
    until("it is told", lambda: panel.firings.text() == "Everything is paused")
    until("the table tells it too", lambda: "Everything is paused" in column(shell.window.routines, 4))
    shell.window.pause_all.resume_asked.emit()
    until("what comes is told again", lambda: len(panel.firings.text().splitlines()) == 5)


def test_what_is_read_again_leaves_the_focus_where_it_was(desk: Desk, shell: Shell) -> None:
    window, panel = shell.window, shell.window.panel
    desk.routine("Daily notes", "echo hello")
    desk.run("daily-notes")
    until("it has run", lambda: column(window.routines, 5)[:1] == ["Succeeded"])
    window.rows.page_asked.emit("daily-notes")
    until("what was is there", lambda: "1 run, " in panel.plot.accessibleDescription())
    (result,) = [button for button in panel.findChildren(QToolButton) if "Succeeded" in button.text()]
    window.refresh()
    window.restate()
    desk.routine("Other")
    until("it is listed", lambda: len(column(window.routines, 0)) == 2)
    assert [button for button in panel.findChildren(QToolButton) if "Succeeded" in button.text()] == [result]
    assert result.isVisible()
    desk.run("daily-notes", "2")
    until("the second is there", lambda: "2 runs" in panel.plot.accessibleDescription())


def test_the_page_tells_durations_from_the_runs(desk: Desk) -> None:
    desk.routine("Daily notes", "true")
    for number in range(3):
        desk.run("daily-notes", str(number))
        until("it has settled", lambda: _settled(desk))
    with closing(open_reader(desk.home.database)) as reader:
        page = overview.routine_page(reader, "daily-notes", desk.clock.wall())
        assert overview.routine_page(reader, "nonsense", 0) is None
        stored = reader.query("SELECT started_at, finished_at FROM runs ORDER BY number DESC")
    assert page is not None
    took = [timestamps.parse(end) - timestamps.parse(start) for start, end in stored]
    assert [run.took for run in page.runs] == took
    assert [run.status for run in page.runs] == ["succeeded"] * 3
    assert len(page.firings) == overview.NEXT_FIRINGS
    assert all(later - earlier >= 22 * HOUR for earlier, later in zip(page.firings, page.firings[1:], strict=False))


def _settled(desk: Desk) -> bool:
    with closing(open_reader(desk.home.database)) as reader:
        return reader.number("SELECT count(*) FROM runs WHERE status = 'running'") == 0
