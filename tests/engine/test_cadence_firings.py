"""A firing of a cadence that is settled before it is dispatched: another comes in its place, or the cadence is over.

Design/schedules.md, cadence: maxRuns counts what is dispatched, and planning stops only while so many are open.
"""

from __future__ import annotations

import pytest

from coven_desktop.contract import timestamps
from coven_desktop.engine.commands import cancellation, desktop_routines
from coven_desktop.store import occurrences
from tests.engine.conftest import DAY, HOUR, MINUTE, Bench
from tests.engine.definition_bodies import told
from tests.engine.families import cadence, create, fresh, outcomes, routine, stands


def occupied(bench: Bench) -> str:
    """There is one place, and a run of another routine has it; returns its session."""
    bench.again(places=1)
    create(bench, cadence("once", anchor="2026-09-01T09:00:00"), "first", timeoutMinutes=44_640)
    return bench.session


def cancel(bench: Bench, slot: str) -> None:
    (occurrence_id,) = (
        row[0] for row in bench.rows(f"SELECT id FROM occurrences WHERE scheduled_for LIKE '2026-{slot}%'")
    )
    cancellation.cancel_occurrence(bench.engine, bench.strict("occurrence.cancel.v1", occurrenceId=occurrence_id))
    bench.turn()


def claim(bench: Bench, *, lease: int) -> None:
    """The one planned firing of `report` is claimed and not dispatched yet; its lease ends in so many milliseconds."""
    occurrence_id = bench.value("SELECT id FROM occurrences WHERE automation_id = 'report' AND state = 'planned'")
    with bench.engine.core.change() as tx:
        end = timestamps.to_text(tx.now + lease)
        generation = bench.engine.core.generation
        assert occurrences.claim(tx, occurrence_id, owner="daemon", lease_expires_at=end, generation=generation)


def test_another_run_comes_in_place_of_one_that_was_cancelled_before_it_began(bench: Bench) -> None:
    create(bench, cadence(maxRuns=2, catchUp="run-all"))
    bench.crash(away=2 * DAY + 2 * HOUR)
    assert [row[1] for row in outcomes(bench)] == ["running", "planned"]
    assert stands(bench) == ("active", 1, None)
    cancel(bench, "09-02T10:00")
    assert [row[1] for row in outcomes(bench)] == ["running", "cancelled", "planned"]
    bench.end()
    assert [row[1] for row in outcomes(bench)] == ["succeeded", "cancelled", "running"]
    assert stands(bench) == ("disabled", 2, None)


@pytest.mark.parametrize("schedule", [cadence("once"), cadence(until="2026-09-01T10:00:00")])
def test_with_its_last_firing_cancelled_before_it_began_it_is_over(bench: Bench, schedule: dict[str, object]) -> None:
    occupied(bench)
    create(bench, schedule)
    bench.advance(HOUR)
    assert (outcomes(bench)[0][1], stands(bench)) == ("planned", ("active", 0, None))
    cancel(bench, "09-01T10:00")
    assert (outcomes(bench)[0][1], stands(bench)) == ("cancelled", ("disabled", 0, None))
    assert told(bench, "report")[-1]["kind"] == "definition.disabled"


def test_a_firing_that_is_cancelled_leaves_the_others_as_they_are(bench: Bench) -> None:
    session = occupied(bench)
    create(bench, {**cadence("every_n_minutes", "2026-09-01T09:10:00Z"), "minutes": 10, "catchUp": "run-all"})
    bench.advance(20 * MINUTE)
    cancel(bench, "09-01T09:10")
    bench.end(session_id=session)
    assert [row[1] for row in outcomes(bench)] == ["cancelled", "running"]
    assert stands(bench) == ("active", 1, "2026-09-01T09:30:00.000Z")


def test_one_that_cannot_be_accepted_is_no_run_and_may_be_the_last(bench: Bench) -> None:
    create(bench, cadence("once"), cwd=None)
    create(bench, cadence(maxRuns=1), "again", cwd=None)
    bench.advance(HOUR)
    assert outcomes(bench) == [("09-01T10:00", "failed", "launch_refused")]
    assert stands(bench) == ("disabled", 0, None)
    assert outcomes(bench, "again") == [("09-01T10:00", "failed", "launch_refused")]
    assert stands(bench, "again") == ("active", 0, "2026-09-02T10:00:00.000Z")


def test_one_whose_claim_ended_without_a_start_is_no_run_and_may_be_the_last(bench: Bench) -> None:
    occupied(bench)
    create(bench, cadence("once"))
    bench.advance(HOUR)
    claim(bench, lease=0)
    bench.advance(MINUTE)
    assert outcomes(bench) == [("09-01T10:00", "failed", "lease_expired")]
    assert stands(bench) == ("disabled", 0, None)


def test_one_whose_schedule_was_edited_while_it_was_claimed_makes_room_for_another(bench: Bench) -> None:
    occupied(bench)
    create(bench, cadence(maxRuns=1))
    bench.advance(HOUR)
    claim(bench, lease=DAY)
    edited = routine(cadence(maxRuns=1, catchUp="skip"))
    desktop_routines.revise(bench.engine, {"adoptionKey": fresh(), "routine": edited, "expectedRevision": 1})
    assert stands(bench) == ("active", 0, None)
    bench.turn()
    assert outcomes(bench) == [("09-01T10:00", "superseded", "superseded")]
    assert stands(bench) == ("active", 0, "2026-09-02T10:00:00.000Z")
