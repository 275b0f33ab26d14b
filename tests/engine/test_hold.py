"""A run whose failure is known waits for the person until its deadline (contract/engine.md §7, decisions.md 11, 12)."""

from __future__ import annotations

from typing import Any

import pytest

from coven_desktop.contract.errors import Code, Refusal
from coven_desktop.engine.attempts import HELD
from coven_desktop.engine.commands import cancellation, execution, recovery
from coven_desktop.runtime.sessions import LaunchRefused
from tests.engine.conftest import HOUR, MINUTE, SECOND, Bench, refused
from tests.engine.definition_bodies import moved
from tests.engine.held_runs import (
    BUSY,
    UNKNOWN,
    attempts,
    everything,
    held_after_start,
    held_before_launch,
    policy,
    states,
)

OVERLAP = "routine already has a nonterminal run; overlap is forbidden"
NOBODY = "no operator retry was opened before the run's deadline"
WAYS = {"before launch": held_before_launch, "after start": held_after_start}
ways = pytest.mark.parametrize("way", WAYS)


def run_row(bench: Bench) -> tuple[Any, ...]:
    (row,) = bench.rows(
        "SELECT o.state, o.failure_reason, o.lease_owner, o.lease_expires_at, r.status, r.exit_code, r.session_id,"
        " r.finished_at FROM runs r JOIN occurrences o ON o.id = r.occurrence_id"
    )
    return row


def test_held_before_launch_it_is_claimed_without_a_lease(bench: Bench) -> None:
    held_before_launch(bench)
    failed = bench.value("SELECT id FROM sessions WHERE status = 'failed'")
    assert run_row(bench) == ("claimed", UNKNOWN.message + HELD, None, None, "running", None, failed, None)
    (attempt,) = attempts(bench)
    assert (attempt.state, attempt.failure_class, attempt.reason, attempt.session) == (
        "failed",
        "launch_refused",
        UNKNOWN.message,
        None,
    )
    health = bench.engine.reads.health("notes")
    assert (health["staleReason"], health["leaseOwner"]) == (UNKNOWN.message + HELD, None)


def test_held_after_start_the_occurrence_is_as_it_was(bench: Bench) -> None:
    bench.run_due()
    before = bench.rows("SELECT * FROM occurrences")
    bench.advance(SECOND)
    bench.end(3)
    assert bench.rows("SELECT * FROM occurrences") == before
    assert run_row(bench)[4:] == ("running", 3, bench.session, None)
    (attempt,) = attempts(bench)
    assert (attempt.state, attempt.failure_class) == ("failed", None)
    assert attempt.reason == "session failed (exit code 3)" + HELD
    assert bench.engine.reads.health("notes")["staleReason"] is None


def test_a_failure_with_automatic_retries_left_is_not_held_until_they_are_spent(bench: Bench) -> None:
    bench.runtime.refuse = BUSY
    bench.run_due(retry=policy(attempts=2))
    assert states(bench) == ["failed", "adopted"]
    bench.advance(10 * SECOND)
    assert states(bench) == ["failed", "failed"]
    assert run_row(bench)[:2] == ("claimed", BUSY.message + HELD)


# what it blocks


@ways
def test_later_slots_are_planned_and_wait_and_older_ones_are_skipped(bench: Bench, way: str) -> None:
    WAYS[way](bench, timeoutMinutes=150)
    bench.advance(2 * HOUR)
    assert [row[1] for row in bench.states()][1:] == ["skipped", "planned"]
    assert bench.reasons()[1] == ("skipped", "superseded by latest misfire policy")
    launched = len(bench.world.launched)
    # the deadline frees the routine, and the slot that waited starts
    bench.advance(30 * MINUTE)
    assert [row[1] for row in bench.states()] == ["failed", "skipped", "running"]
    assert len(bench.world.launched) == launched + 1


@ways
def test_no_manual_start_gets_past_it(bench: Bench, way: str) -> None:
    WAYS[way](bench)
    with pytest.raises(Refusal) as caught:
        execution.run(bench.engine, {"id": "notes"})
    assert caught.value.reason == OVERLAP
    body = bench.strict("occurrence.runNow.v1", automationId="notes")
    assert refused(lambda: execution.run_now(bench.engine, body)).code == Code.OVERLAP_FORBIDDEN


@ways
def test_it_takes_up_no_place(bench: Bench, way: str) -> None:
    bench.again(places=1)
    WAYS[way](bench, timeoutMinutes=90)
    bench.create("other")
    bench.advance(HOUR)
    assert bench.world.launched[-1].automation_id == "other"


@ways
@pytest.mark.parametrize("command", ["pause", "disable"])
def test_stopping_the_routine_does_not_end_it(bench: Bench, way: str, command: str) -> None:
    WAYS[way](bench)
    before = run_row(bench)
    moved(bench, command)
    bench.advance(MINUTE)
    assert run_row(bench) == before


# what ends it


@ways
def test_the_deadline_ends_it_to_the_millisecond(bench: Bench, way: str) -> None:
    WAYS[way](bench)
    before, attempt = run_row(bench), attempts(bench)
    bench.advance(30 * MINUTE - 1)
    assert run_row(bench) == before
    bench.advance(1)
    code, session = before[5], before[6]
    assert code == (3 if way == "after start" else None)
    assert run_row(bench) == ("failed", NOBODY, None, None, "failed", code, session, "2026-09-01T10:30:00.000Z")
    assert attempts(bench) == attempt
    last = bench.last_pass()
    assert (last["trigger"], last["startedAt"]) == ("deadline", "2026-09-01T10:30:00.000Z")


@ways
def test_a_deadline_that_passed_while_the_app_was_away_ends_it_at_the_start(bench: Bench, way: str) -> None:
    WAYS[way](bench)
    bench.crash(away=40 * MINUTE)
    assert run_row(bench)[1] == NOBODY
    assert run_row(bench)[-1] == "2026-09-01T10:40:00.000Z"


@ways
@pytest.mark.parametrize("orderly", [False, True])
def test_a_restart_leaves_it_held(bench: Bench, way: str, orderly: bool) -> None:
    WAYS[way](bench)
    before = everything(bench)
    for _ in range(2):
        if orderly:
            bench.again()
        else:
            bench.crash()
    assert everything(bench) == before
    bench.advance(30 * MINUTE)
    assert run_row(bench)[:2] == ("failed", NOBODY)


# what is not held


def test_a_run_that_was_timed_out_is_not_held(bench: Bench) -> None:
    session = bench.run_due(timeoutMinutes=5)
    bench.advance(5 * MINUTE)
    bench.runtime.confirm_stop(session)
    bench.turn()
    assert bench.states() == [("notes", "failed", "failed", "timed_out")]


def test_a_run_that_was_cancelled_is_not_held(bench: Bench) -> None:
    session = bench.run_due()
    cancellation.cancel_run(bench.engine, bench.cancel_body())
    bench.runtime.confirm_stop(session)
    bench.turn()
    assert bench.states() == [("notes", "cancelled", "cancelled", "cancelled")]


def test_a_start_that_a_cancellation_prevented_is_not_held(bench: Bench) -> None:
    bench.automatic = False
    bench.again()
    session = bench.run_due()
    cancellation.cancel_run(bench.engine, bench.cancel_body())
    bench.runtime.fail_start(session, BUSY)
    bench.turn()
    assert bench.states() == [("notes", "cancelled", "cancelled", "cancelled")]


def test_a_run_of_unknown_outcome_is_not_held(bench: Bench) -> None:
    bench.runtime.end(bench.run_due(), None)
    bench.turn()
    bench.advance(HOUR - 1)
    assert bench.states() == [("notes", "recovery_required", "running", "ambiguous")]


def test_a_failure_that_is_found_after_the_deadline_is_not_held(bench: Bench) -> None:
    session = bench.run_due(timeoutMinutes=5)
    bench.kill()
    evidence = bench.runtime.evidence(session, exit_code=3)
    bench.world.found[session] = ("ended", evidence)
    bench.clock.advance(5 * MINUTE)
    bench.restart()
    assert run_row(bench)[:2] == ("failed", "session failed (exit code 3)")
    assert attempts(bench)[0].reason == "session failed (exit code 3)"


@ways
def test_the_tenth_attempt_is_the_last_and_ends_the_run_at_once(bench: Bench, way: str) -> None:
    run_id = WAYS[way](bench, timeoutMinutes=59)
    for number in range(1, 10):
        if way == "before launch":
            bench.runtime.refuse = UNKNOWN
        body = bench.strict("attempt.retry.v1", runId=run_id, priorAttemptNumber=number, priorDisposition="failed")
        recovery.retry_attempt(bench.engine, body)
        bench.turn()
        if way == "after start":
            bench.end(3)
        assert states(bench) == ["failed"] * (number + 1)
        assert run_row(bench)[4] == ("running" if number < 9 else "failed")
    reason = UNKNOWN.message if way == "before launch" else "session failed (exit code 3)"
    assert run_row(bench)[:2] == ("failed", reason)
    assert attempts(bench)[-1].reason == reason


def test_a_run_that_succeeds_when_it_is_tried_again_has_succeeded(bench: Bench) -> None:
    run_id = held_after_start(bench)
    body = bench.strict("attempt.retry.v1", runId=run_id, priorAttemptNumber=1, priorDisposition="failed")
    recovery.retry_attempt(bench.engine, body)
    bench.turn()
    bench.end(0)
    assert run_row(bench)[:6] == ("succeeded", None, None, None, "succeeded", 0)


def test_a_launch_that_is_refused_while_another_routine_is_held_concerns_nobody_else(bench: Bench) -> None:
    bench.create("other")
    bench.runtime.refuse = LaunchRefused("launch_refused", "no")
    bench.run_due()
    assert [row[1:] for row in bench.states()] == [("claimed", "running", "failed")] * 2
    assert bench.last_pass()["failures"] == 2
