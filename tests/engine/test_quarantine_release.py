"""The rows of a quarantine, and the release of it (contract/engine.md §6, decisions.md 2 and 39)."""

from __future__ import annotations

import pytest

from coven_desktop.contract.errors import Refusal
from coven_desktop.engine.commands import definitions, quarantine
from coven_desktop.store import retry_state
from tests.engine.conftest import HOUR, MINUTE, START, Bench, definition
from tests.engine.definition_bodies import moved, next_due


def exhaust(bench: Bench, automation_id: str = "notes", reason: str = "the command was not found") -> int:
    with bench.engine.core.change() as tx:
        count = retry_state.record_exhaustion(tx, automation_id, "runtime_unavailable", reason)
    bench.turn()
    return count


def release(bench: Bench, automation_id: str = "notes") -> dict[str, object]:
    answer = quarantine.unquarantine(bench.engine, {"id": automation_id})
    bench.turn()
    return answer.payload


def row(bench: Bench) -> tuple[object, ...]:
    (found,) = bench.rows(
        "SELECT consecutive_exhaustions, quarantined_at, failure_class, reason, updated_at FROM retry_state"
    )
    return found


def collapsed(bench: Bench) -> int:
    count: int = bench.value("SELECT count(*) FROM events WHERE kind = 'occurrence.misfire_recorded'")
    return count


def test_each_exhaustion_is_counted_and_the_latest_evidence_stands(bench: Bench) -> None:
    bench.create()
    assert exhaust(bench) == 1
    assert row(bench) == (1, START, "runtime_unavailable", "the command was not found", START)
    assert next_due(bench) is None
    bench.clock.advance(MINUTE)
    assert exhaust(bench, reason="again") == 2
    later = "2026-09-01T09:01:00.000Z"
    assert row(bench) == (2, later, "runtime_unavailable", "again", later)
    health = bench.engine.reads.health("notes")
    assert (
        health["consecutiveExhaustions"],
        health["quarantinedAt"],
        health["quarantineReason"],
        health["nextDueAt"],
    ) == (
        2,
        later,
        "again",
        None,
    )


def test_nothing_is_planned_meanwhile(bench: Bench) -> None:
    bench.create()
    exhaust(bench)
    bench.advance(5 * HOUR)
    assert bench.reasons() == []


def test_release_clears_the_evidence_and_keeps_the_row(bench: Bench) -> None:
    bench.create()
    exhaust(bench)
    bench.clock.advance(MINUTE)
    assert release(bench) == {"automationId": "notes", "released": True}
    assert row(bench) == (0, None, None, None, "2026-09-01T09:01:00.000Z")
    assert next_due(bench) == "2026-09-01T10:00:00.000Z"
    assert release(bench) == {"automationId": "notes", "released": False}
    assert row(bench)[4] == "2026-09-01T09:01:00.000Z"
    assert exhaust(bench) == 1


def test_releasing_what_was_never_quarantined_writes_nothing(bench: Bench) -> None:
    bench.create()
    assert release(bench) == {"automationId": "notes", "released": False}
    assert bench.value("SELECT count(*) FROM retry_state") == 0
    assert next_due(bench) == "2026-09-01T10:00:00.000Z"


def test_at_release_the_newest_due_slot_runs_and_none_counts_as_missed(bench: Bench) -> None:
    bench.create()
    exhaust(bench)
    bench.advance(3 * HOUR + 30 * MINUTE)
    release(bench)
    assert bench.last_pass()["trigger"] == "wake"
    assert [occurrence[0] for occurrence in bench.reasons()] == ["running"]
    assert bench.value("SELECT scheduled_for FROM occurrences") == "2026-09-01T12:00:00.000Z"
    assert collapsed(bench) == 0
    assert next_due(bench) == "2026-09-01T13:00:00.000Z"


def test_after_the_release_misses_are_counted_again(bench: Bench) -> None:
    bench.create()
    exhaust(bench)
    bench.clock.advance(3 * HOUR + 30 * MINUTE)
    quarantine.unquarantine(bench.engine, {"id": "notes"})
    # the app is gone before the pass; 13:00, 14:00 and 15:00 come meanwhile
    bench.crash(away=3 * HOUR)
    assert bench.value("SELECT scheduled_for FROM occurrences") == "2026-09-01T15:00:00.000Z"
    assert (
        bench.value("SELECT json_extract(body, '$.payload.collapsedSlots') FROM events WHERE kind LIKE '%misfire%'")
        == 2
    )


def test_a_slot_that_was_planned_before_is_claimed_after_the_release(bench: Bench) -> None:
    bench.again(places=1)
    bench.create("first")
    bench.create()
    bench.advance(HOUR)
    exhaust(bench)
    bench.end()
    assert bench.value("SELECT state FROM occurrences WHERE automation_id = 'notes'") == "planned"
    release(bench)
    assert bench.value("SELECT state FROM occurrences WHERE automation_id = 'notes'") == "running"


def test_a_paused_routine_is_released_without_a_timer(bench: Bench) -> None:
    bench.create(status="PAUSED")
    exhaust(bench)
    assert release(bench)["released"] is True
    assert next_due(bench) is None
    moved(bench, "activate")
    assert next_due(bench) == "2026-09-01T10:00:00.000Z"


def test_a_revision_while_quarantined_sets_no_timer_and_is_the_bound_after_the_release(bench: Bench) -> None:
    bench.create()
    exhaust(bench)
    bench.advance(90 * MINUTE)
    definitions.update(bench.engine, {"definition": definition(name="Other")})
    assert next_due(bench) is None
    release(bench)
    assert (bench.reasons(), next_due(bench)) == ([], "2026-09-01T11:00:00.000Z")


def test_a_release_is_kept_over_a_restart(bench: Bench) -> None:
    bench.create()
    exhaust(bench)
    bench.crash()
    assert next_due(bench) is None
    release(bench)
    bench.crash()
    assert next_due(bench) == "2026-09-01T10:00:00.000Z"


def test_which_routines_there_are_to_release(bench: Bench) -> None:
    with pytest.raises(Refusal, match="no routine with id `nothing`"):
        quarantine.unquarantine(bench.engine, {"id": " nothing "})
    bench.create()
    definitions.delete(bench.engine, {"id": "notes"})
    with pytest.raises(Refusal, match="no routine with id `notes`"):
        quarantine.unquarantine(bench.engine, {"id": "notes"})
    for value in (None, 1, " ", ["notes"]):
        with pytest.raises(Refusal, match="requires string field `id`"):
            quarantine.unquarantine(bench.engine, {"id": value})
    with pytest.raises(Refusal) as caught:
        quarantine.unquarantine(bench.engine, {"id": "x" * 100_000})
    assert len(caught.value.reason) < 200
