"""The desktop's pages: order, filter, hidden rows, and pages that are never the whole."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from coven_desktop.clock import SystemClock
from coven_desktop.engine.listing import PAGE, Listing, Question, StoreFault, open_listing, parse_filter
from coven_desktop.home import Home, prepare
from coven_desktop.store.transactions import Store
from coven_desktop.ui.cells import routine_cells
from coven_desktop.ui.texts import Tone
from coven_desktop.ui.times import Times
from tests.ui.desk import definition
from tests.ui.past import HOUR, START, add_occurrences, add_routine, past


@pytest.fixture
def home(tmp_path: Path) -> Home:
    made = Home(tmp_path / "home")
    prepare(made)
    Store.open(made.database, now=START, backups=made.backups).close()
    return made


@pytest.fixture
def listing(home: Home) -> Iterator[Listing]:
    with past(home) as connection:
        add_routine(connection, "beta", lifecycle="active", next_due_at="2026-09-01T00:00:00.000Z")
        add_routine(connection, "Alpha", members={"tags": ["notes"], "runtime": "claude"})
        add_routine(connection, "gamma 100%", lifecycle="active", next_due_at="2026-08-31T00:00:00.000Z")
        add_routine(connection, "gone", tombstoned_at="2026-08-30T00:00:00.000Z")
        add_routine(connection, "broken", broken_reason="zone data of `Mars/Olympus` cannot be read")
        add_occurrences(connection, "beta", 30)
        add_occurrences(connection, "beta", 2, state="failed", first=30)
        add_occurrences(connection, "alpha", 3, state="skipped", first=100)
    with closing(open_listing(home)) as opened:
        yield opened


def names(listing: Listing, question: Question) -> list[str]:
    numbers = list(listing.routine_page(question, 0).numbers)
    rows = {row.number: row.name for row in listing.routines(numbers)}
    return [rows[number] for number in numbers]


def test_routines_are_sorted_by_name_whatever_its_case_and_tombstoned_ones_are_not_shown(listing: Listing) -> None:
    assert names(listing, Question("name")) == ["Alpha", "beta", "broken", "gamma 100%"]
    assert names(listing, Question("name", descending=True)) == ["gamma 100%", "broken", "beta", "Alpha"]


def test_what_has_no_next_run_comes_last_in_both_directions(listing: Listing) -> None:
    assert names(listing, Question("next"))[:2] == ["gamma 100%", "beta"]
    assert names(listing, Question("next", descending=True))[:2] == ["beta", "gamma 100%"]


def test_what_wants_the_person_comes_first_by_state(listing: Listing) -> None:
    assert names(listing, Question("state")) == ["broken", "beta", "gamma 100%", "Alpha"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("alpha", ["Alpha"]),
        ("A", ["Alpha", "beta", "gamma 100%"]),
        ("100%", ["gamma 100%"]),
        ("%", ["gamma 100%"]),
        ("_", []),
        ("status:active", ["beta", "gamma 100%"]),
        ("status:paused tag:notes", ["Alpha"]),
        ("status:broken status:active", ["beta", "broken", "gamma 100%"]),
        ("beta gamma", []),
        ("status:", ["Alpha", "beta", "broken", "gamma 100%"]),
    ],
)
def test_the_filter_finds_words_states_and_tags(listing: Listing, text: str, found: list[str]) -> None:
    question = Question("name", **parse_filter(text))
    assert names(listing, question) == found
    assert listing.routine_page(question, 0).total == len(found)


def test_hidden_routines_are_left_out_and_not_counted(listing: Listing) -> None:
    question = Question("name", hidden=("beta", "broken"))
    assert names(listing, question) == ["Alpha", "gamma 100%"]
    assert listing.routine_page(question, 0).total == 2


def test_a_row_tells_its_last_results_newest_first(listing: Listing) -> None:
    row = listing.routine("beta")
    assert row is not None
    assert row.last_results == ("failed", "failed", "succeeded", "succeeded", "succeeded")
    assert row.runtime == "shell"
    assert listing.routine("gone") is None
    assert listing.id_taken("gone")


def _state_of(home: Home, name: str) -> tuple[str, str | None, Tone | None]:
    with closing(open_listing(home)) as opened:
        row = opened.routine(name)
        assert row is not None
        cell = routine_cells(row, Times(SystemClock())).cells[1]
    return cell.text, cell.tip, cell.tone


@pytest.mark.parametrize(("lifecycle", "word"), [("active", "Active"), ("paused", "Paused")])
def test_a_routine_whose_last_run_failed_says_so_until_another_succeeds(home: Home, lifecycle: str, word: str) -> None:
    with past(home) as connection:
        add_routine(connection, "night", lifecycle=lifecycle)
        add_occurrences(connection, "night", 2)
    assert _state_of(home, "night")[0] == word
    with past(home) as connection:
        add_occurrences(connection, "night", 1, state="failed", first=2, reason="exit 3")
        # none of these tells how a run ended
        add_occurrences(connection, "night", 1, state="skipped", first=3)
        add_occurrences(connection, "night", 1, state="superseded", first=4)
    when = Times(SystemClock()).day_and_time(START + 2 * HOUR)
    said = f"{word} · last run failed, {when}"
    text, tip, tone = _state_of(home, "night")
    assert (text, (tip or "").split("\n")[:2], tone) == (said, [said, "exit 3"], Tone.BAD)
    with past(home) as connection:
        add_occurrences(connection, "night", 1, first=5)
    assert _state_of(home, "night")[0] == word


def test_a_run_that_the_person_stopped_did_not_fail(home: Home) -> None:
    with past(home) as connection:
        add_routine(connection, "night", lifecycle="active")
        add_occurrences(connection, "night", 1, state="cancelled")
    assert _state_of(home, "night")[0] == "Active"


def test_occurrences_come_newest_first_and_can_be_filtered(listing: Listing) -> None:
    page = listing.occurrence_page(Question("time", descending=True), 0)
    rows = {row.number: row for row in listing.occurrences(list(page.numbers))}
    times = [rows[number].scheduled_for for number in page.numbers]
    assert times == sorted(times, reverse=True)
    assert page.total == 35
    question = Question("time", **parse_filter("status:failed beta"))
    assert listing.occurrence_page(question, 0).total == 2
    assert listing.occurrence_page(Question("time", **parse_filter("status:recovery")), 0).total == 0


def test_numbers_come_in_pages_and_never_all_at_once(home: Home) -> None:
    with past(home) as connection:
        add_routine(connection, "busy")
        add_occurrences(connection, "busy", PAGE * 2 + 7)
    with closing(open_listing(home)) as listing:
        question = Question("time", descending=True)
        pages = [listing.occurrence_page(question, offset) for offset in (0, PAGE, PAGE * 2, PAGE * 3)]
        assert [len(page.numbers) for page in pages] == [PAGE, PAGE, 7, 0]
        assert {page.total for page in pages} == {PAGE * 2 + 7}
        numbers = [number for page in pages for number in page.numbers]
        assert len(set(numbers)) == PAGE * 2 + 7


@pytest.mark.parametrize("order", ["time", "routine", "state"])
def test_every_order_of_occurrences_is_total(listing: Listing, order: str) -> None:
    up = list(listing.occurrence_page(Question(order), 0).numbers)
    down = list(listing.occurrence_page(Question(order, descending=True), 0).numbers)
    assert up == down[::-1]
    assert len(set(up)) == 35


def test_nothing_can_be_written_through_it(home: Home, listing: Listing) -> None:
    with pytest.raises(StoreFault):
        listing._reader.query("UPDATE definitions SET name = 'x'")


def test_before_there_is_a_database_it_says_so(tmp_path: Path) -> None:
    with pytest.raises(StoreFault, match="no database"):
        open_listing(Home(tmp_path))


def test_a_schedule_of_another_family_is_told_in_words_with_its_zone(home: Home) -> None:
    with past(home) as connection:
        add_routine(connection, "plain")
        body = definition("cron one", "true", "/")
        for member in ("rrule", "timezone", "misfire", "overlap"):
            del body[member]
        body["schedule"] = {"kind": "cron", "expression": "*/15 9-17 * * 1-5", "timezone": "Asia/Tokyo"}
        add_routine(connection, "cron one", family="cron", body=json.dumps(body))
    with closing(open_listing(home)) as listing:
        assert names(listing, Question("zone")) == ["cron one", "plain"]
        assert names(listing, Question("name", **parse_filter("zone:tokyo"))) == ["cron one"]
        row = listing.routine("cron-one")
        assert row is not None
        cells = routine_cells(row, Times(SystemClock())).cells
    assert cells[3].text == "Asia/Tokyo"
    assert "15 minutes" in cells[2].text
    assert "Asia/Tokyo" not in cells[2].text
    assert cells[2].tip is not None
    assert "*/15 9-17 * * 1-5" in cells[2].tip
