"""The tick: it plans and counts, and the pass it wakes does the rest (contract/engine.md §3.4, decisions.md 2, 10)."""

from __future__ import annotations

import pytest

from coven_desktop.engine.answers import Answer, Pending
from coven_desktop.engine.commands import definitions, execution
from tests.engine.conftest import HOUR, MINUTE, Bench


def tick(bench: Bench) -> Answer:
    """A tick of one slice, answered before the pass it wakes."""
    answer = execution.tick(bench.engine, {})
    assert isinstance(answer, Answer)
    return answer


def test_an_empty_tick(bench: Bench) -> None:
    answer = bench.done(execution.tick(bench.engine, {"action": "coven.automations.tick"}))
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
    payload = tick(bench).payload
    assert payload["planned"] == [bench.value("SELECT id FROM occurrences")]
    assert (payload["claimed"], payload["alreadyFenced"]) == ([], 0)
    assert bench.states() == [("notes", "planned", None, None)]
    bench.turn()
    assert bench.states() == [("notes", "running", "running", "observing")]
    again = tick(bench).payload
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
    payload = tick(bench).payload
    assert payload["alreadyFenced"] == 1
    assert payload["pausedSkipped"] == 1


def test_only_live_paused_routines_are_counted(bench: Bench) -> None:
    bench.create("one", status="PAUSED")
    bench.create("two", status="PAUSED")
    definitions.delete(bench.engine, {"id": "two"})
    assert tick(bench).payload["pausedSkipped"] == 1


@pytest.mark.parametrize("ahead", [0, 5 * MINUTE])
def test_a_tick_is_never_early(bench: Bench, ahead: int) -> None:
    bench.create()
    bench.clock.advance(HOUR - 1 - ahead)
    assert tick(bench).payload["planned"] == []


def test_a_long_tick_is_answered_when_all_is_planned_and_lets_others_ask_in_between(bench: Bench) -> None:
    for number in range(150):
        bench.create(f"routine-{number:03}")
    bench.clock.advance(HOUR)
    pending = execution.tick(bench.engine, {})
    assert isinstance(pending, Pending)
    assert pending.outcome is None
    counts: list[int] = []
    bench.loop.call_soon(lambda: counts.append(bench.value("SELECT count(*) FROM occurrences")))
    answer = bench.done(pending)
    # the pass that is due at this instant plans some of them meanwhile, each of them once
    assert len(answer.payload["planned"]) + answer.payload["alreadyFenced"] == 150
    assert len(answer.payload["planned"]) >= 64
    assert bench.value("SELECT count(*) FROM occurrences") == 150
    assert 0 < counts[0] < 150
