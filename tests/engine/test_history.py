"""Pages of runs and occurrences: all of them, once each, newest first, also while new ones come (commands.md §5.1)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

from coven_desktop.engine import history
from coven_desktop.engine.commands import execution
from coven_desktop.store.transactions import Reader
from tests.engine.conftest import HOUR, MINUTE, Bench

Page = Callable[[Reader, Mapping[str, Any]], dict[str, Any]]


def pages(bench: Bench, page: Page, member: str, **asked: Any) -> list[list[dict[str, Any]]]:
    """Every page, from the newest."""
    found = []
    cursor: dict[str, Any] = {}
    while True:
        answer = page(bench.store, {"automationId": "notes", **asked, **cursor})
        position = answer["cursor"]
        found.append(answer[member])
        assert position.get("current") == cursor.get("cursor")
        assert position["hasMore"] is ("next" in position)
        if not position["hasMore"]:
            return found
        cursor = {"cursor": position["next"]}


@pytest.fixture
def busy(bench: Bench) -> Bench:
    """A routine with eight runs, scheduled and by hand, and two routines beside it."""
    for name in ("notes", "other", "zzz"):
        bench.create(name)
    for _ in range(4):
        bench.advance(HOUR)
        for spec in bench.world.launched[-3:]:
            bench.end(session_id=spec.session_id)
        bench.clock.advance(MINUTE)
        bench.done(execution.run(bench.engine, {"id": "notes"}))
        bench.end()
    return bench


@pytest.mark.parametrize("limit", [1, 3, 8, 20])
def test_all_runs_once_newest_first(busy: Bench, limit: int) -> None:
    found = pages(busy, history.of_runs, "runs", limit=limit)
    assert all(len(page) == limit for page in found[:-1])
    ids = [run["id"] for page in found for run in page]
    assert ids == [
        row[0] for row in busy.rows("SELECT id FROM runs WHERE automation_id = 'notes' ORDER BY started_at DESC")
    ]
    assert len(ids) == 8
    assert found[0][0] == busy.engine.reads.runs("notes", 1)[0]


@pytest.mark.parametrize("limit", [1, 3, 20])
def test_all_occurrences_once_newest_first(busy: Bench, limit: int) -> None:
    found = [row for page in pages(busy, history.of_occurrences, "occurrences", limit=limit) for row in page]
    assert [row["kind"] for row in found] == ["manual", "scheduled"] * 4
    assert found[0] == {
        name: value
        for name, value in (busy.engine.reads.occurrence(found[0]["id"]) or {}).items()
        if name not in ("runs", "runsTruncated")
    }


def test_a_slot_and_a_manual_start_within_one_millisecond_are_ordered_by_instant(bench: Bench) -> None:
    bench.create(status="PAUSED")
    bench.rows(
        "INSERT INTO occurrences (id, automation_id, automation_revision, definition_digest, scheduled_for, kind,"
        " state, created_at, updated_at) SELECT id, 'notes', 1, 'x', at, kind, 'skipped', 'x', 'x' FROM ("
        " SELECT 'slot' AS id, '2026-09-01T10:00:00.000Z' AS at, 'scheduled' AS kind"
        " UNION ALL SELECT 'a-later', '2026-09-01T10:00:00.000000001Z', 'manual'"
        " UNION ALL SELECT 'z-same', '2026-09-01T10:00:00.000000000Z', 'manual'"
        " UNION ALL SELECT 'next', '2026-09-01T10:00:00.001Z', 'scheduled')"
    )
    for limit in (1, 2, 20):
        found = pages(bench, history.of_occurrences, "occurrences", limit=limit)
        assert [row["id"] for page in found for row in page] == ["next", "a-later", "z-same", "slot"]


def test_what_comes_meanwhile_moves_no_page(busy: Bench) -> None:
    first = history.of_runs(busy.store, {"automationId": "notes", "limit": 3})
    before = pages(busy, history.of_runs, "runs", limit=20)[0]
    busy.done(execution.run(busy.engine, {"id": "notes"}))
    busy.end()
    cursor = first["cursor"]["next"]
    rest = history.of_runs(busy.store, {"automationId": "notes", "cursor": cursor})
    assert rest["runs"] == before[3:]


def test_the_runs_of_one_occurrence(busy: Bench) -> None:
    [run] = history.of_runs(busy.store, {"automationId": "notes", "limit": 1})["runs"]
    asked = {"automationId": "notes", "occurrenceId": run["occurrenceId"]}
    assert history.of_runs(busy.store, asked) == {**asked, "runs": [run], "cursor": {"hasMore": False}}
    assert history.of_runs(busy.store, {**asked, "automationId": "other"})["runs"] == []


def test_nothing_there_is_an_empty_page(bench: Bench) -> None:
    for page, member in ((history.of_runs, "runs"), (history.of_occurrences, "occurrences")):
        answer = page(bench.store, {"automationId": "nobody"})
        assert answer == {"automationId": "nobody", member: [], "cursor": {"hasMore": False}}


def test_a_page_is_found_by_an_index_alone(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    bench.create()
    asked: list[str] = []
    query = Reader.query

    def noted(reader: Reader, sql: str, parameters: Sequence[str | int | None] = ()) -> list[tuple[Any, ...]]:
        asked.append(sql)
        return query(reader, sql, parameters)

    monkeypatch.setattr(Reader, "query", noted)
    cursor = "WyIyMDI2LTEwLTA1VDA5OjAwOjAwLjAwMFoiLCJydW4tMSJd"
    for more in ({}, {"cursor": cursor}):
        history.of_runs(bench.store, {"automationId": "notes", **more})
        history.of_occurrences(bench.store, {"automationId": "notes", **more})
    monkeypatch.undo()
    assert len(asked) == 4
    for sql in asked:
        [plan] = [row[3] for row in bench.rows("EXPLAIN QUERY PLAN " + sql.replace("?", "'1'"))]
        assert "COVERING INDEX" in plan
        assert ("<?" in plan) is ("<=" in sql), plan
