"""occurrence.cancel.v1 and attempt.cancel.v1 while nothing runs: a waiting retry, a held run (commands.md §4.2)."""

from __future__ import annotations

from typing import Any

import pytest

from coven_desktop.contract.errors import Code, TypedRefusal
from coven_desktop.engine.answers import Answer, Pending
from coven_desktop.engine.commands import cancellation, recovery
from tests.engine.conftest import HOUR, MINUTE, SECOND, Bench, refused
from tests.engine.definition_bodies import moved
from tests.engine.held_runs import (
    BUSY,
    attempts,
    everything,
    held_after_start,
    held_before_launch,
    policy,
    quarantine,
    states,
    without_triggers,
)

WAYS = {"before launch": held_before_launch, "after start": held_after_start}
ways = pytest.mark.parametrize("way", WAYS)
WAIT_OVER = "automation retry wait exceeded run timeout"


def waiting(bench: Bench, **changes: Any) -> str:
    """A run whose second attempt waits; returns its id."""
    bench.runtime.refuse = BUSY
    bench.run_due(**{"retry": policy(seconds=600), **changes})
    bench.runtime.refuse = None
    return str(bench.value("SELECT id FROM runs"))


def occurrence(bench: Bench) -> dict[str, Any]:
    return bench.strict("occurrence.cancel.v1", occurrenceId=bench.value("SELECT id FROM occurrences"))


def attempt(bench: Bench, attempt_id: str) -> dict[str, Any]:
    return bench.strict("attempt.cancel.v1", attemptId=attempt_id)


def send(bench: Bench, body: dict[str, Any]) -> Answer | Pending:
    of_attempt = "attemptId" in body
    return (cancellation.cancel_attempt if of_attempt else cancellation.cancel_occurrence)(bench.engine, body)


def cancelled(bench: Bench, body: dict[str, Any]) -> dict[str, Any]:
    """The payload of a cancellation that is done at once, and the same for a replay."""
    answer = send(bench, body)
    assert isinstance(answer, Answer)
    kind = "attempt" if "attemptId" in body else "occurrence"
    assert (answer.kind, answer.in_result, answer.reason) == (f"automations.{kind}.cancellation", True, None)
    again = send(bench, body)
    assert isinstance(again, Answer)
    assert (again.payload, again.reason) == (answer.payload, "replayed previously adopted cancellation")
    return answer.payload


def refusal(bench: Bench, body: dict[str, Any]) -> TypedRefusal:
    told = refused(lambda: send(bench, body))
    assert refused(lambda: send(bench, body)).to_wire() == told.to_wire()
    assert told.retryable is False
    return told


# a waiting retry


@pytest.mark.parametrize("of_attempt", [False, True])
@pytest.mark.parametrize("reason", [None, " ", "not needed"])
def test_a_waiting_retry_is_cancelled_at_once(bench: Bench, of_attempt: bool, reason: str | None) -> None:
    run_id = waiting(bench)
    first = attempts(bench)[0]
    bench.advance(SECOND)
    body = attempt(bench, f"attempt-{run_id}-2") if of_attempt else occurrence(bench)
    told = "not needed" if reason == "not needed" else "cancelled by the owner"
    assert cancelled(bench, body | ({} if reason is None else {"reason": reason})) == {
        "occurrenceId": bench.value("SELECT id FROM occurrences"),
        "status": "cancelled",
        "reason": told,
        "cancelledAt": "2026-09-01T10:00:01.000Z",
        "runId": run_id,
        "attemptId": f"attempt-{run_id}-2",
    }
    assert bench.reasons() == [("cancelled", told)]
    assert attempts(bench)[0] == first
    second = attempts(bench)[1]
    assert (second.state, second.failure_class, second.reason) == ("cancelled", "cancelled", told)
    assert bench.rows("SELECT status, finished_at FROM runs") == [("cancelled", "2026-09-01T10:00:01.000Z")]
    bench.advance(HOUR - SECOND)
    assert [row[1] for row in bench.states()][-1] == "running"


@pytest.mark.parametrize("of_attempt", [False, True])
@pytest.mark.parametrize("stopped", ["pause", "disable", "tombstone", "quarantine"])
def test_it_is_cancelled_whatever_became_of_its_routine(bench: Bench, of_attempt: bool, stopped: str) -> None:
    run_id = waiting(bench)
    if stopped == "quarantine":
        quarantine(bench)
    else:
        moved(bench, stopped)
    body = attempt(bench, f"attempt-{run_id}-2") if of_attempt else occurrence(bench)
    assert cancelled(bench, body)["status"] == "cancelled"


@pytest.mark.parametrize("of_attempt", [False, True])
def test_a_wait_whose_deadline_has_come_is_timed_out_instead(bench: Bench, of_attempt: bool) -> None:
    run_id = waiting(bench)
    bench.clock.advance(30 * MINUTE)
    body = attempt(bench, f"attempt-{run_id}-2") if of_attempt else occurrence(bench)
    assert refusal(bench, body).code == Code.ILLEGAL_TRANSITION
    assert states(bench) == ["failed", "timed_out"]
    assert bench.reasons() == [("failed", WAIT_OVER)]
    assert bench.value("SELECT status FROM runs") == "failed"


def test_an_attempt_that_another_one_followed_is_not_cancelled(bench: Bench) -> None:
    run_id = waiting(bench)
    assert refusal(bench, attempt(bench, f"attempt-{run_id}-1")).code == Code.ILLEGAL_TRANSITION
    assert refusal(bench, attempt(bench, f"attempt-{run_id}-3")).code == Code.NOT_FOUND
    assert states(bench) == ["failed", "adopted"]


def test_an_operator_s_retry_that_waits_is_cancelled_too(bench: Bench) -> None:
    run_id = held_after_start(bench)
    body = bench.strict("attempt.retry.v1", runId=run_id, priorAttemptNumber=1, priorDisposition="failed")
    recovery.retry_attempt(bench.engine, body)
    assert cancelled(bench, attempt(bench, f"attempt-{run_id}-2"))["attemptId"] == f"attempt-{run_id}-2"
    bench.turn()
    assert states(bench) == ["failed", "cancelled"]


# a held run


@ways
def test_a_held_run_is_given_up(bench: Bench, way: str) -> None:
    run_id = WAYS[way](bench)
    before = attempts(bench)
    bench.advance(SECOND)
    assert cancelled(bench, occurrence(bench) | {"reason": "no more"}) == {
        "occurrenceId": bench.value("SELECT id FROM occurrences"),
        "status": "cancelled",
        "reason": "no more",
        "cancelledAt": "2026-09-01T10:00:01.000Z",
        "runId": run_id,
    }
    assert attempts(bench) == before
    assert bench.reasons() == [("cancelled", "no more")]
    assert bench.rows("SELECT status, exit_code FROM runs") == [("cancelled", 3 if way == "after start" else None)]
    bench.advance(HOUR - SECOND)
    assert [row[1] for row in bench.states()] == ["cancelled", "running"]


@ways
def test_a_held_run_whose_deadline_has_passed_is_left_to_it(bench: Bench, way: str) -> None:
    WAYS[way](bench)
    bench.clock.advance(30 * MINUTE)
    before = everything(bench)[:-1]
    assert refusal(bench, occurrence(bench)).code == Code.ILLEGAL_TRANSITION
    assert everything(bench)[:-1] == before


@ways
def test_a_held_run_with_an_unresolved_stop_is_not_given_up(bench: Bench, way: str) -> None:
    WAYS[way](bench)
    bench.rows("INSERT INTO stop_fences SELECT id, 'recovery', 'a', 's', started_at, timeout_at FROM runs")
    bench.clock.advance(30 * MINUTE)
    assert refusal(bench, occurrence(bench)).code == Code.CANCEL_PENDING
    bench.rows("DELETE FROM stop_fences")
    assert refusal(bench, occurrence(bench)).code == Code.ILLEGAL_TRANSITION


@ways
def test_a_held_run_without_a_deadline_is_not_given_up(bench: Bench, way: str) -> None:
    WAYS[way](bench)
    without_triggers(bench, "UPDATE runs SET timeout_at = NULL")
    assert refusal(bench, occurrence(bench)).code == Code.ILLEGAL_TRANSITION


@ways
def test_the_failed_attempt_of_a_held_run_is_not_cancelled(bench: Bench, way: str) -> None:
    run_id = WAYS[way](bench)
    before = everything(bench)[:-1]
    assert refusal(bench, attempt(bench, f"attempt-{run_id}-1")).code == Code.ILLEGAL_TRANSITION
    assert everything(bench)[:-1] == before


def test_a_held_run_s_own_cancellation_finds_nothing_that_runs(bench: Bench) -> None:
    held_after_start(bench)
    told = refused(lambda: cancellation.cancel_run(bench.engine, bench.cancel_body()))
    assert told.code == Code.ILLEGAL_TRANSITION


# what lives, what waits for recovery


def test_a_live_attempt_is_stopped_by_the_run_s_cancellation(bench: Bench) -> None:
    session = bench.run_due()
    spec = bench.world.launched[0]
    body = attempt(bench, spec.attempt_id)
    pending = send(bench, body)
    bench.runtime.confirm_stop(session)
    answer = bench.done(pending)
    assert (answer.kind, answer.payload["attemptId"], answer.payload["status"]) == (
        "automations.attempt.cancellation",
        spec.attempt_id,
        "cancelled",
    )
    assert bench.done(send(bench, body)).payload == answer.payload
    assert bench.world.stops == [session]


@pytest.mark.parametrize("of_attempt", [False, True])
def test_what_waits_for_recovery_is_not_cancelled(bench: Bench, of_attempt: bool) -> None:
    bench.runtime.end(bench.run_due(), None)
    bench.turn()
    body = attempt(bench, bench.world.launched[0].attempt_id) if of_attempt else occurrence(bench)
    assert refusal(bench, body).code == Code.ILLEGAL_TRANSITION


@pytest.mark.parametrize("change", [{"attemptId": "/"}, {"attemptId": None}, {"reason": "x" * 501}, {"extra": 1}])
def test_a_bad_request_is_refused_for_good(bench: Bench, change: dict[str, Any]) -> None:
    body = attempt(bench, "attempt-none") | change
    assert refusal(bench, body).code == Code.VALIDATION_FAILED
