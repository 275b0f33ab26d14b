"""Pages of occurrences are what plain SQL finds, whichever way they are found, and their amounts are kept right."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest

from coven_desktop.contract import timestamps
from coven_desktop.home import Home, prepare
from coven_desktop.store.occurrence_pages import fold_around, occurrence_page, place_of
from coven_desktop.store.questions import Fold, Question, Span, Words
from coven_desktop.store.transactions import Reader, Store, open_reader
from tests.ui.past import HOUR, START, add_occurrences, add_routine, past


def hour(number: int) -> str:
    """The instant of an hour after the start."""
    return timestamps.to_text(START + number * HOUR)


QUESTIONS: list[dict[str, Any]] = [
    {},
    {"states": ("failed",)},
    {"states": ("succeeded", "skipped")},
    {"states": ("running", "failed")},
    {"states": ("attention", "running", "planned")},
    {"states": ("attention", "recovery_required", "claimed")},
    {"states": ("held", "waiting")},
    {"states": ("nonsense",)},
    {"words": ("a",)},
    {"words": ("a",), "states": ("succeeded", "claimed")},
    {"hidden": ("busy",)},
    {"automation_id": "busy"},
    {"automation_id": "busy", "states": ("failed", "running")},
    {"without": Words(states=("succeeded",))},
    {"without": Words(states=("attention", "running"), words=("anna",))},
    {"states": ("failed", "skipped"), "without": Words(states=("failed",))},
    {"due": (Span(hour(10), hour(45)),)},
    {"due": (Span(None, hour(12)), Span(hour(60), hour(63))), "states": ("failed", "succeeded", "planned")},
    {"due": (Span(hour(20), None),), "words": ("an",), "folds": True},
    {"without": Words(due=(Span(hour(10), hour(45)),))},
    {"due": (Span(),)},
    {"folds": True},
    {"folds": True, "states": ("skipped", "failed")},
    {"folds": True, "automation_id": "anna"},
    {"folds": True, "unfolded": (Fold("anna", hour(44), hour(48)),)},
    {"folds": True, "unfolded": (Fold("anna", hour(40), hour(48)), Fold("busy", hour(0), hour(99)))},
    {"folds": True, "unfolded": (Fold("busy", hour(0), hour(999)),), "states": ("skipped",)},
]
# Nothing here is held or waits: words of ours for what is open mean the states.
MEANT = {"attention": "recovery_required"}
ORDERS = {
    "time": "o.scheduled_for {0}, o.number {0}",
    "routine": "d.name COLLATE NOCASE {0}, d.id {0}, o.scheduled_for {0}, o.number {0}",
    "state": "o.state {0}, o.scheduled_for {0}, o.number {0}",
}


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reader]:
    home = Home(tmp_path_factory.mktemp("pages") / "home")
    prepare(home)
    Store.open(home.database, now=START, backups=home.backups).close()
    with past(home) as connection:
        for name in ("busy", "Anna", "calm", "bAnana"):
            add_routine(connection, name)
        add_occurrences(connection, "busy", 60)
        add_occurrences(connection, "busy", 3, state="failed", first=60)
        add_occurrences(connection, "anna", 20, first=5)
        add_occurrences(connection, "anna", 9, state="skipped", first=40)
        add_occurrences(connection, "banana", 7, state="failed", first=20)
        for place, state in enumerate(("planned", "claimed", "running", "recovery_required")):
            add_occurrences(connection, "banana", 1, state=state, first=100 + place)
        add_occurrences(connection, "busy", 2, state="running", first=90)
        # broken by one that succeeded, and two alone
        add_occurrences(connection, "busy", 3, state="skipped", first=64)
        add_occurrences(connection, "busy", 1, first=67)
        add_occurrences(connection, "busy", 4, state="skipped", first=68)
        add_occurrences(connection, "calm", 1, state="skipped", first=70)
        add_occurrences(connection, "banana", 1, state="skipped", first=110)
    with closing(open_reader(home.database)) as opened:
        yield opened


def plainly(reader: Reader, question: Question) -> list[int]:
    """All that match, found the long way."""
    order = ORDERS[question.order].format("DESC" if question.descending else "ASC")
    rows = reader.query(
        "SELECT o.number, o.state, d.id, d.name, o.scheduled_for, lead(o.state) OVER"
        " (PARTITION BY o.automation_id ORDER BY o.scheduled_for)"
        f" FROM occurrences o JOIN definitions d ON d.id = o.automation_id ORDER BY {order}"
    )
    states = {MEANT.get(state, state) for state in question.states}
    unwanted = {MEANT.get(state, state) for state in question.without.states}
    return [
        number
        for number, state, routine, name, at, following in rows
        if (not states or state in states)
        and state not in unwanted
        and all(word in (name + routine).lower() for word in question.words)
        and not any(word in (name + routine).lower() for word in question.without.words)
        and routine not in question.hidden
        and question.automation_id in (None, routine)
        and (not question.due or any(_within(at, span) for span in question.due))
        and not any(_within(at, span) for span in question.without.due)
        and not (
            question.folds
            and state == following == "skipped"
            and not any(fold.automation_id == routine and fold.first <= at <= fold.last for fold in question.unfolded)
        )
    ]


def _within(at: str, span: Span) -> bool:
    if span == Span():
        return False
    return (span.start is None or at >= span.start) and (span.end is None or at < span.end)


@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("asked", QUESTIONS, ids=str)
def test_every_page_is_what_plain_sql_finds(
    reader: Reader, asked: dict[str, Any], order: str, descending: bool
) -> None:
    question = Question(order, descending, **asked)
    whole = plainly(reader, question)
    for limit in (1, 7, 200):
        for offset in range(0, len(whole) + limit, limit):
            total, numbers = occurrence_page(reader, question, offset, limit)
            assert total == len(whole)
            assert numbers == whole[offset : offset + limit]


def test_the_amounts_are_those_of_the_rows(reader: Reader) -> None:
    counted = "SELECT automation_id, state, count(*) FROM occurrences GROUP BY 1, 2 ORDER BY 1, 2"
    assert reader.query("SELECT * FROM occurrence_counts ORDER BY 1, 2") == reader.query(counted)


@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize("asked", QUESTIONS, ids=str)
def test_every_row_is_at_its_place(reader: Reader, asked: dict[str, Any], descending: bool) -> None:
    question = Question("time", descending, **asked)
    for place, number in enumerate(plainly(reader, question)):
        assert place_of(reader, question, number) == place
    assert place_of(reader, question, 999_999) is None


def test_a_folded_row_knows_what_it_is_folded_into(reader: Reader) -> None:
    whole = plainly(reader, Question("time"))
    shown = plainly(reader, Question("time", folds=True))
    for number in whole:
        fold = fold_around(reader, number)
        assert (fold is None) == (number in shown)
        if fold is not None:
            opened = Question("time", folds=True, unfolded=(fold,))
            assert number in plainly(reader, opened)
    assert len(whole) - len(shown) == 8 + 2 + 3
