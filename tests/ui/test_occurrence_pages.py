"""Pages of occurrences are what plain SQL finds, whichever way they are found, and their amounts are kept right."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest

from coven_desktop.home import Home, prepare
from coven_desktop.store.questions import Question
from coven_desktop.store.occurrence_pages import occurrence_page
from coven_desktop.store.transactions import Reader, Store, open_reader
from tests.ui.past import START, add_occurrences, add_routine, past

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
    with closing(open_reader(home.database)) as opened:
        yield opened


def plainly(reader: Reader, question: Question) -> list[int]:
    """All that match, found the long way."""
    order = ORDERS[question.order].format("DESC" if question.descending else "ASC")
    rows = reader.query(
        "SELECT o.number, o.state, d.id, d.name FROM occurrences o JOIN definitions d ON d.id = o.automation_id"
        f" ORDER BY {order}"
    )
    states = {MEANT.get(state, state) for state in question.states}
    return [
        number
        for number, state, routine, name in rows
        if (not states or state in states)
        and all(word in (name + routine).lower() for word in question.words)
        and routine not in question.hidden
        and question.automation_id in (None, routine)
    ]


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
