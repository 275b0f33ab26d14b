"""Times of cadence and cron routines that did not run: told in plain words, folded where there are many."""

from __future__ import annotations

from typing import Any

import pytest

from coven_desktop.clock import SystemClock
from coven_desktop.engine.activity import ActivityLine
from coven_desktop.engine.commands import desktop_routines
from coven_desktop.engine.listing import OccurrenceRow, Question
from coven_desktop.ui import skipped_words
from coven_desktop.ui.activity_words import sentence
from coven_desktop.ui.cells import occurrence_cells
from coven_desktop.ui.shell import Shell
from coven_desktop.ui.times import MINUTE, Times
from tests.ui.desk import Desk, until
from tests.ui.test_form_families import routine

TIMES = Times(SystemClock())
EVERY_MINUTE = {"kind": "cron", "expression": "* * * * *"}


def occurrences(shell: Shell) -> list[OccurrenceRow]:
    """All occurrences, newest first."""
    page = shell._listing.occurrence_page(Question(order="time", descending=True), 0)
    return sorted(shell._listing.occurrences(list(page.numbers)), key=lambda row: -row.scheduled_for)


def settled(shell: Shell) -> bool:
    rows = occurrences(shell)
    return bool(rows) and rows[0].state == "succeeded"


def test_a_late_pass_of_cron_is_one_folded_line_and_one_line_of_activity(desk: Desk, shell: Shell) -> None:
    routine(desk, EVERY_MINUTE)
    desk.clock.sleep(151 * MINUTE)
    until("the newest ran", lambda: settled(shell))
    rows = occurrences(shell)
    assert len(rows) == 102
    summary, one = rows[-1], rows[1]
    missed = summary.slots
    assert missed in (50, 51)  # the minute may turn meanwhile
    said = skipped_words.reason(summary, TIMES)
    assert said is not None
    assert said.startswith(f"{missed} more times between ")
    assert said.endswith("did not run: they were found too late")
    assert skipped_words.reason(one, TIMES) == "found late, when a newer time had come"
    assert occurrence_cells(one, TIMES).cells[2].text == "Missed"
    folded = occurrence_cells(one, TIMES, opened=False).cells
    assert folded[2].text.startswith(f"▸ {100 + missed} skipped since ")
    window = shell.window
    window.tabs.setCurrentIndex(3)
    told = until("it is told", lambda: [text for text in activity(shell) if text.startswith("Missed")])
    assert len(told) == 1
    assert told[0].startswith(f"Missed: {100 + missed} times between ")
    assert not [text for text in activity(shell) if text.startswith("Skipped")]


def activity(shell: Shell) -> list[str]:
    """What the page of what happened says."""
    model = shell.window.activity.model
    return [str(model.index(row, 2).data()) for row in range(model.rowCount())]


def test_a_time_that_comes_while_it_runs_says_why_it_is_skipped(desk: Desk, shell: Shell) -> None:
    routine(desk, EVERY_MINUTE, prompt="sleep 60")
    desk.clock.sleep(MINUTE)
    until("it runs", lambda: [row for row in occurrences(shell) if row.state == "running"])
    desk.clock.sleep(MINUTE)
    until("one is skipped", lambda: occurrences(shell)[0].state == "skipped")
    row = occurrences(shell)[0]
    assert skipped_words.reason(row, TIMES) == "an earlier run of it was not over"
    shell.window.tabs.setCurrentIndex(3)
    until("it is told", lambda: "Skipped: an earlier run of it was not over" in activity(shell))


def test_a_cadence_that_skips_says_how_many_were_missed(desk: Desk, shell: Shell) -> None:
    schedule = {"kind": "cadence", "mode": "every_n_minutes", "minutes": 1, "anchor": "2026-01-01T00:00:00"}
    routine(desk, schedule | {"catchUp": "skip", "maxRuns": 1})
    desk.clock.sleep(10 * MINUTE)
    row = until("they are skipped", lambda: next((row for row in occurrences(shell) if row.state == "skipped"), None))
    said = skipped_words.reason(row, TIMES)
    assert row.slots in (9, 10)
    assert said is not None
    assert said.startswith(f"{row.slots} times between ")
    assert said.endswith("its catch-up is to skip them")
    assert occurrence_cells(row, TIMES).cells[2].text == "Missed and skipped"


def line(reason_class: str | None = None, **facts: Any) -> ActivityLine:
    return ActivityLine(
        1, 0, "occurrence.misfire_recorded", "notes", "Notes", False, "x", 0, None, facts, reason_class=reason_class
    )


@pytest.mark.parametrize(
    ("happened", "said"),
    [
        (line("missed", disposition="missed", collapsedSlots=1), "Missed: found late, when a newer time had come"),
        (
            line("catch_up", disposition="catch_up_skipped", collapsedSlots=525_599),
            "525,599 times were missed and are skipped, as its catch-up says",
        ),
        (
            line("catch_up", disposition="catch_up_skipped", collapsedSlots=1),
            "A time was missed and is skipped, as its catch-up says",
        ),
        (
            line(disposition="catch_up_skipped", collapsedSlots=1),
            "1 earlier time was missed; this run stands for it",
        ),
        (
            line(disposition="catch_up_skipped", collapsedSlots=3),
            "3 earlier times were missed; this run stands for all of them",
        ),
    ],
)
def test_what_was_missed_is_told_in_the_activity(happened: ActivityLine, said: str) -> None:
    assert sentence(happened, TIMES)[0] == said


def test_a_year_of_minutes_is_told_by_number_and_span() -> None:
    first = TIMES.now() - 525_599 * MINUTE
    row = ActivityLine(
        1, 0, "occurrence.misfire_recorded", "notes", "Notes", False, "x", TIMES.now(), None,
        {"disposition": "missed", "collapsedSlots": 1}, reason_class="missed", slots=525_599, first_slot=first,
    )  # fmt: skip
    said = sentence(row, TIMES)[0]
    assert said.startswith("Missed: 525,599 times between ")
    assert TIMES.day_and_time(first) in said


def test_an_occurrence_of_an_older_revision_says_so_plainly(desk: Desk, shell: Shell) -> None:
    body = {"kind": "cadence", "mode": "every_n_minutes", "minutes": 1, "anchor": "2026-01-01T00:00:00"}
    routine(desk, body | {"catchUp": "run-all"}, prompt="sleep 60")
    desk.clock.sleep(5 * MINUTE)
    until("some wait", lambda: [row for row in occurrences(shell) if row.state == "planned"])
    stored = shell._listing.routine("notes")
    assert stored is not None
    revised = dict(stored.body) | {"schedule": {**stored.body["schedule"], "minutes": 90}}
    desk.do(
        desktop_routines.revise, {"adoptionKey": "test:revise", "routine": revised, "expectedRevision": stored.revision}
    )
    row = until("they lapse", lambda: next((row for row in occurrences(shell) if row.state == "superseded"), None))
    assert occurrence_cells(row, TIMES).cells[5].text == "its routine was changed before it began (revision 2)"
