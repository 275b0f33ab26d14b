"""The tick: it plans and counts, and the pass it wakes does the rest (contract/engine.md §3.4, decisions.md 2, 10)."""

from __future__ import annotations

import pytest

from coven_desktop.engine.commands import definitions, execution
from tests.engine.conftest import HOUR, MINUTE, Bench


def test_an_empty_tick(bench: Bench) -> None:
    answer = execution.tick(bench.engine, {"action": "coven.automations.tick"})
    assert answer.kind == "automations.changed"
    assert answer.payload == {
        "planned": [],
        "alreadyFenced": 0,
        "pausedSkipped": 0,
        "recovered": 0,
        "claimed": [],
        "failed": [],
    }


def test_it_plans_what_is_due_and_claims_nothing_itself(bench: Bench) -> None:
    bench.create()
    bench.clock.advance(HOUR)
    payload = execution.tick(bench.engine, {}).payload
    assert payload["planned"] == [bench.value("SELECT id FROM occurrences")]
    assert (payload["claimed"], payload["alreadyFenced"]) == ([], 0)
    assert bench.states() == [("notes", "planned", None, None)]
    bench.turn()
    assert bench.states() == [("notes", "running", "running", "observing")]
    again = execution.tick(bench.engine, {}).payload
    assert (again["planned"], again["alreadyFenced"]) == ([], 1)


def test_already_fenced_counts_by_the_newest_slot_of_the_present_revision(bench: Bench) -> None:
    bench.create()
    bench.create("paused", status="PAUSED")
    bench.create("gone")
    bench.create("revised")
    bench.create("quarantined")
    bench.create("fresh", rrule="FREQ=DAILY;BYHOUR=23")
    bench.advance(HOUR)
    definitions.delete(bench.engine, {"id": "gone"})
    routine = bench.engine.reads.routine("revised")
    assert routine is not None
    definitions.update(bench.engine, {"definition": {**routine, "name": "Other"}})
    bench.store.connection.execute(
        "INSERT INTO retry_state VALUES ('quarantined', 1, 'now', 'transient_dispatch', 'x', 'now')"
    )
    payload = execution.tick(bench.engine, {}).payload
    assert payload["alreadyFenced"] == 1
    assert payload["pausedSkipped"] == 1


def test_only_live_paused_routines_are_counted(bench: Bench) -> None:
    bench.create("one", status="PAUSED")
    bench.create("two", status="PAUSED")
    definitions.delete(bench.engine, {"id": "two"})
    assert execution.tick(bench.engine, {}).payload["pausedSkipped"] == 1


@pytest.mark.parametrize("ahead", [0, 5 * MINUTE])
def test_a_tick_is_never_early(bench: Bench, ahead: int) -> None:
    bench.create()
    bench.clock.advance(HOUR - 1 - ahead)
    assert execution.tick(bench.engine, {}).payload["planned"] == []
