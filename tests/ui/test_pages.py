"""The four pages: what needs the person, what happened, folds, several rows at once, and the way to the very row."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import apsw
import pytest

from coven_desktop.contract import timestamps
from coven_desktop.desktop import tray_host
from coven_desktop.engine.commands import definitions
from coven_desktop.engine.listing import PAGE, OccurrenceRow, RoutineRow
from coven_desktop.qt.core import QItemSelectionModel, Qt
from coven_desktop.qt.gui import QAccessible
from coven_desktop.qt.widgets import QScrollArea, QWidget
from coven_desktop.ui import acts
from coven_desktop.ui.pages import ACTIVITY, ATTENTION, OCCURRENCES, ROUTINES
from coven_desktop.ui.shell import Shell
from coven_desktop.ui.table_page import TablePage
from tests.ui.desk import Desk, until
from tests.ui.past import HOUR, START, add_occurrences, add_routine, past
from tests.ui.test_window import column, select

DeskAfter = Callable[[Callable[[apsw.Connection], None]], Desk]
MISSING: dict[str, Any] = {"runtime": "claude", "timeoutMinutes": 240}


def retry(attempts: int) -> dict[str, object]:
    return {
        "maxAttempts": attempts,
        "backoffPolicy": "fixed",
        "backoffSeconds": 600,
        "retryableClasses": ["runtime_unavailable"],
    }


def select_all(page: TablePage, names: list[str]) -> None:
    """Select the rows that say these names in the first column."""
    until("they are listed", lambda: set(names) <= set(column(page, 0)))
    flags = QItemSelectionModel.SelectionFlag
    page.table.clearSelection()
    for row, name in enumerate(column(page, 0)):
        if name in names:
            page.table.selectionModel().select(page.model.index(row, 0), flags.Select | flags.Rows)


def chosen(page: TablePage) -> RoutineRow | OccurrenceRow | None:
    """The row that is selected."""
    cells = page.selected()
    row = cells.row if cells is not None else None
    return row if isinstance(row, (RoutineRow, OccurrenceRow)) else None


def is_chosen(page: TablePage, id_: str) -> bool:
    """Whether the selected row is this one."""
    row = chosen(page)
    return row is not None and row.id == id_


def lists(page: TablePage, names: list[str]) -> bool:
    """Whether the first column says this."""
    return column(page, 0) == names


def begin_with(page: TablePage, words: list[str]) -> bool:
    """Whether what happened begins with these words, line by line."""
    return [line.split(":")[0] for line in column(page, 2)] == words


# --- needs attention --------------------------------------------------------------------------------------------------


def test_a_routine_that_is_held_and_quarantined_is_one_row_and_counts_once(desk: Desk, shell: Shell) -> None:
    window = shell.window
    desk.routine("Ask claude", retry=retry(1), **MISSING)
    desk.run("ask-claude")
    desk.routine("Issue triage", "exit 3")
    held = desk.run("issue-triage")
    window.tabs.setCurrentIndex(ATTENTION)
    until("both are listed", lambda: sorted(column(window.needs, 0)) == ["Ask claude", "Issue triage"])
    until("they are counted", lambda: window.tabs.tabText(ATTENTION) == "Needs attention (2)")
    assert shell._status is not None
    summary = shell._status.tray.summary
    assert (summary.held, summary.quarantined, summary.attention) == (2, 1, 2)
    steps = dict(zip(column(window.needs, 0), column(window.needs, 4), strict=True))
    assert steps == {"Ask claude": "Release…", "Issue triage": "Retry…"}
    assert "Quarantined" in column(window.needs, 1)[column(window.needs, 0).index("Ask claude")]
    assert "held for your retry" in column(window.needs, 1)[column(window.needs, 0).index("Ask claude")]
    asked: list[str] = []
    window.decide_asked.disconnect()
    window.decide_asked.connect(asked.append)
    row = column(window.needs, 0).index("Issue triage")
    window.needs.table.clicked.emit(window.needs.model.index(row, 4))
    window.needs.table.selectRow(row)
    window.decide.trigger()
    assert asked == [held, held]


def test_nothing_that_needs_the_person_is_good_news(shell: Shell) -> None:
    window = shell.window
    window.tabs.setCurrentIndex(ATTENTION)
    until("it is said", window.needs.empty.isVisible)
    assert window.needs.empty._title.text() == "Nothing needs you"
    assert window.tabs.tabText(ATTENTION) == "Needs attention"


def test_the_way_to_what_needs_the_person(desk: Desk, shell: Shell) -> None:
    window = shell.window
    desk.routine("Issue triage", "exit 3")
    held = desk.run("issue-triage")
    desk.routine("Other", "exit 3")
    desk.run("other")
    until("they are counted", lambda: window.tabs.tabText(ATTENTION) == "Needs attention (2)")
    for wanted in ("issue-triage", held):
        window.tabs.setCurrentIndex(ROUTINES)
        window.show_attention(wanted)
        until("it is selected", lambda: (row := chosen(window.needs)) is not None and row.id == "issue-triage")
        assert window.tabs.currentIndex() == ATTENTION
        window.needs.table.clearSelection()


# --- activity ---------------------------------------------------------------------------------------------------------


def test_what_happened_is_told_in_words_newest_first_and_leads_to_the_row(desk: Desk, shell: Shell) -> None:
    window = shell.window
    window.tabs.setCurrentIndex(ACTIVITY)
    until("nothing has happened", window.activity.empty.isVisible)
    desk.routine("Daily notes", "echo hello")
    occurrence = desk.run("daily-notes")
    until("it is told", lambda: column(window.activity, 2)[:1] == ["Succeeded"])
    desk.routine("Gone")
    desk.do(definitions.delete, {"id": "gone"})
    until("all is told", lambda: column(window.activity, 2) == ["Deleted", "Created", "Succeeded", "Created"])
    assert column(window.activity, 1) == ["Gone", "Gone", "Daily notes", "Daily notes"]
    for row, id_, place in ((2, occurrence, OCCURRENCES), (3, "daily-notes", ROUTINES), (0, "gone", ROUTINES)):
        window.tabs.setCurrentIndex(ACTIVITY)
        window.activity._open(row)
        assert window.tabs.currentIndex() == place
        page = window.page
        until("the row is selected", partial(is_chosen, page, id_))


def test_a_quarantine_and_its_release_are_told(desk: Desk, shell: Shell) -> None:
    window = shell.window
    desk.routine("Ask claude", retry=retry(1), **MISSING)
    desk.run("ask-claude")
    window.tabs.setCurrentIndex(ACTIVITY)
    until("it is told", lambda: any(line.startswith("Quarantined: ") for line in column(window.activity, 2)))
    shell.acts.release("ask-claude", "Ask claude")
    until("the release is told", lambda: column(window.activity, 2)[0] == "Released from quarantine")
    window.activity.set_filter("nothing-like-it")
    until("the filter is applied", lambda: window.activity.model.rowCount() == 0)
    window.activity.set_filter("claude")
    until("it is found", lambda: "Released from quarantine" in column(window.activity, 2))


def test_what_happened_is_filtered_by_how_it_ended(desk: Desk, shell: Shell) -> None:
    window = shell.window
    desk.routine("Good")
    desk.routine("Bad", "exit 3", timeoutMinutes=240)
    desk.run("good")
    desk.run("bad")
    desk.routine("Ask claude", retry=retry(1), **MISSING)
    desk.run("ask-claude")
    window.tabs.setCurrentIndex(ACTIVITY)
    until("all is told", lambda: any(line.startswith("Quarantined") for line in column(window.activity, 2)))
    until("it succeeded", lambda: "Succeeded" in column(window.activity, 2))
    for text, found in (
        ("status:succeeded", ["Succeeded"]),
        ("status:quarantined", ["Quarantined"]),
        ("status:attention -status:recovery", ["Quarantined"]),
        ("status:active good", ["Created"]),
        ("-status:active -status:quarantined good", ["Succeeded"]),
        ("status:superseded", []),
        ("due:yesterday", []),
        ("due:today status:succeeded", ["Succeeded"]),
    ):
        window.activity.set_filter(text)
        until(f"{text} is applied", partial(begin_with, window.activity, found))


def test_news_do_not_move_what_is_selected(desk: Desk, shell: Shell) -> None:
    window = shell.window
    desk.routine("First")
    window.tabs.setCurrentIndex(ACTIVITY)
    until("it is told", lambda: column(window.activity, 1) == ["First"])
    window.activity.table.selectRow(0)
    desk.routine("Second")
    until("the second is told", lambda: column(window.activity, 1) == ["Second", "First"])
    assert window.activity.table.currentIndex().row() == 1


# --- folds ------------------------------------------------------------------------------------------------------------


@pytest.fixture
def missed(desk_after: DeskAfter) -> Desk:
    """A routine with a success, twelve skipped ones and a success; newer ones of another fill pages."""

    def fill(connection: apsw.Connection) -> None:
        add_routine(connection, "Notes")
        add_occurrences(connection, "notes", 1)
        add_occurrences(connection, "notes", 12, state="skipped", first=1)
        add_occurrences(connection, "notes", 1, first=13)
        add_routine(connection, "busy")
        add_occurrences(connection, "busy", 2 * PAGE - 500, first=5)

    return desk_after(fill)


def test_neighbouring_missed_rows_are_one_line_that_is_opened_on_demand(missed: Desk) -> None:
    window = missed.shell_started().window
    window.show_occurrences("notes")
    until("they are folded", lambda: len(column(window.occurrences, 2)) == 3)
    assert "12 skipped since " in column(window.occurrences, 2)[1]
    window.occurrences._open(1)
    until("they are shown", lambda: len(column(window.occurrences, 2)) == 14)
    assert "12 skipped since " in column(window.occurrences, 2)[1]
    assert column(window.occurrences, 2)[2] == "Skipped"
    window.occurrences._open(1)
    until("they are folded again", lambda: len(column(window.occurrences, 2)) == 3)


@pytest.mark.parametrize("hour", [0, 5, 12, 13])
def test_the_way_to_an_occurrence_opens_what_it_is_folded_into(missed: Desk, hour: int) -> None:
    window = missed.shell_started().window
    window.occurrences.set_filter("status:failed")
    wanted = f"occ-notes-{hour}"
    window.show_occurrence(wanted)
    until("it is selected", lambda: (row := chosen(window.occurrences)) is not None and row.id == wanted)
    assert window.occurrences.filter.text() == ""
    row = chosen(window.occurrences)
    assert isinstance(row, OccurrenceRow)
    assert row.scheduled_for == START + hour * HOUR


def test_the_way_to_a_row_that_is_gone_says_so(shell: Shell) -> None:
    shell.window.show_occurrence("nonsense")
    assert "not kept any more" in shell.window.notice.text.text()
    shell.window.show_routine("nonsense")
    assert "nonsense" in shell.window.notice.text.text()


# --- the filter -------------------------------------------------------------------------------------------------------


def test_prompts_are_searched_and_a_word_that_means_nothing_is_told(desk: Desk, shell: Shell) -> None:
    page = shell.window.routines
    desk.routine("Daily notes", "summarise the résumé")
    desk.routine("Backup", "restic backup", tags=["disk"])
    for text, names in (
        ("RESUME", ["Daily notes"]),
        ("restic tag:disk", ["Backup"]),
        ("-restic", ["Daily notes"]),
        ("zone:paris -tag:disk", ["Daily notes"]),
        ("status:active due:7d", ["Backup", "Daily notes"]),
        ("due:none", []),
    ):
        page.set_filter(text)
        until(f"{text} is applied", partial(lists, page, names))
        assert page.hint.isHidden()
    page.set_filter("state:x")
    assert "state:" in page.hint.text()
    assert not page.hint.isHidden()


def test_deleted_routines_are_listed_read_only(desk: Desk, shell: Shell) -> None:
    window = shell.window
    desk.routine("Daily notes")
    desk.do(definitions.delete, {"id": "daily-notes"})
    window.routines.set_filter("status:deleted")
    select(window.routines, "Daily notes")
    assert column(window.routines, 1)[0].startswith("Deleted ")
    assert column(window.routines, 4) == ["none: deleted"]
    for action in (window.edit, window.run, window.pause, window.delete):
        assert not action.isEnabled()
        assert "eleted" in action.statusTip()
    assert window.duplicate.isEnabled()
    assert window.history.isEnabled()
    assert window.decide.text() == "D&uplicate…"


@pytest.mark.parametrize(
    ("lifecycle", "step", "off"),
    [
        ("draft", "&Edit…", ("run", "pause")),
        ("disabled", "Ena&ble again…", ("run", "pause", "edit")),
        ("invalid", "&Edit…", ("run", "pause")),
        ("paused", "Resum&e", ()),
    ],
)
def test_every_lifecycle_has_its_lawful_next_step(desk: Desk, lifecycle: str, step: str, off: tuple[str, ...]) -> None:
    with past(desk.home) as connection:
        add_routine(connection, "Some", lifecycle=lifecycle)
    window = desk.shell_started().window
    select(window.routines, "Some")
    assert window.decide.text() == step
    assert window.decide.isEnabled()
    assert column(window.routines, 4)[0].startswith("none")
    for name in ("run", "pause", "edit", "delete"):
        action = getattr(window, name)
        assert action.isEnabled() == (name not in off)
        assert bool(action.statusTip()) == (name in off)
        assert action.statusTip() in action.toolTip()


# --- several rows -----------------------------------------------------------------------------------------------------


def test_several_routines_are_deleted_together_and_come_back_together(desk: Desk, shell: Shell) -> None:
    window = shell.window
    for name in ("One", "Two", "Three"):
        desk.routine(name)
    select_all(window.routines, ["One", "Three"])
    window.delete.trigger()
    until("they are gone", lambda: column(window.routines, 0) == ["Two"])
    assert "and 1 more" in window.undo.text.text()
    window.undo.button.click()
    until("they are back", lambda: column(window.routines, 0) == ["One", "Three", "Two"])
    assert not window.undo.isVisible()


def test_several_are_deleted_when_their_time_is_over(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(acts, "UNDO_MS", 30)
    for name in ("One", "Two", "Three"):
        desk.routine(name)
    shell = desk.shell_started()
    select_all(shell.window.routines, ["One", "Three"])
    shell.window.delete.trigger()
    until("they are deleted", lambda: all(shell._listing.routine(name) is None for name in ("one", "three")))
    assert shell._listing.routine("two") is not None


def test_what_does_not_apply_to_some_of_several_is_said(desk: Desk, shell: Shell) -> None:
    window = shell.window
    desk.routine("One")
    desk.routine("Two", status="PAUSED")
    desk.routine("Three")
    select_all(window.routines, ["One", "Two", "Three"])
    assert window.pause.text() == "&Pause"
    assert not window.edit.isEnabled()
    window.pause.trigger()
    until("they are paused", lambda: column(window.routines, 1) == ["Paused"] * 3)
    assert window.notice.text.text() == "1 of the selected rows was left as it is: not active."
    assert len(window.routines.all_selected()) == 3


# --- for everybody ----------------------------------------------------------------------------------------------------


def test_every_control_of_every_page_has_a_name(desk: Desk, shell: Shell) -> None:
    window = shell.window
    desk.routine("Daily notes")
    desk.run("daily-notes")
    until("it is listed", lambda: column(window.routines, 5) == ["Succeeded"])
    window.rows.page_asked.emit("daily-notes")
    until("its runs are told", lambda: window.panel.plot.accessibleDescription())
    for place in range(window.tabs.count()):
        window.tabs.setCurrentIndex(place)
        until("the page is read", lambda: window.page.model.loaded)
        nameless = [
            f"{type(widget).__name__} on page {place}"
            for widget in window.findChildren(QWidget)
            if widget.isVisible()
            and widget.focusPolicy() & Qt.FocusPolicy.TabFocus
            and not isinstance(widget, QScrollArea)
            and (seen := QAccessible.queryAccessibleInterface(widget)) is not None
            and not seen.text(QAccessible.Text.Name)
        ]
        assert nameless == []


# --- small things -----------------------------------------------------------------------------------------------------


def test_a_notice_moves_nothing(shell: Shell, desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tray_host, "present", lambda: True)
    window = shell.window
    before = window.tabs.geometry()
    window.notice.say("Something is so.", stays=True)
    until("it is shown", window.notice.isVisible)
    assert window.tabs.geometry() == before
    assert window.notice.height() > 10
    assert window.notice.mapTo(window, window.notice.rect().bottomLeft()).y() <= window.tabs.geometry().bottom() + 60


def test_the_next_run_is_told_in_the_persons_time_and_in_the_routines(desk: Desk, shell: Shell) -> None:
    page = shell.window.routines
    desk.routine("Daily notes", rrule="FREQ=DAILY;BYHOUR=9")
    until("it is listed", lambda: column(page, 0) == ["Daily notes"])
    header = page.model.headerData(4, Qt.Orientation.Horizontal)
    assert header == "Next run (your time)"
    tip = str(page.model.data(page.model.index(0, 4), Qt.ItemDataRole.ToolTipRole))
    assert "America/New_York" in tip
    assert "in Europe/Paris" in tip
    assert column(page, 3) == ["Europe/Paris"]


def test_columns_stay_hidden_and_where_they_were_put(desk: Desk) -> None:
    first = desk.shell_started()
    header = first.window.routines.table.horizontalHeader()
    header.setSectionHidden(6, True)
    header.moveSection(4, 1)
    first.close()
    second = desk.shell_started()
    header = second.window.routines.table.horizontalHeader()
    assert header.isSectionHidden(6)
    assert header.visualIndex(4) == 1


def test_the_past_is_looked_through_by_key(desk_after: DeskAfter) -> None:
    def fill(connection: apsw.Connection) -> None:
        add_routine(connection, "Busy")
        connection.executemany(
            "INSERT INTO events (event_id, stream_kind, stream_id, sequence, kind, automation_id, recorded_at, body)"
            " VALUES (?, 'automation', 'busy', ?, 'definition.revised', 'busy', ?, ?)",
            (
                (
                    f"evt{number:032x}",
                    number,
                    timestamps.to_text(START + number),
                    f'{{"payload":{{"revision":{number}}}}}',
                )
                for number in range(1, 701)
            ),
        )

    window = desk_after(fill).shell_started().window
    window.tabs.setCurrentIndex(ACTIVITY)
    until("the newest are there", lambda: column(window.activity, 2)[:1] == ["Changed: revision 700"])
    assert len(column(window.activity, 2)) < 700
    bar = window.activity.table.verticalScrollBar()

    def scrolled() -> bool:
        bar.setValue(bar.maximum())
        return window.activity.model.rowCount() == 700

    until("all are there", scrolled)
    assert column(window.activity, 2) == [f"Changed: revision {number}" for number in range(700, 0, -1)]
