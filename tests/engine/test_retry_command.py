"""attempt.retry.v1: a held run is tried again by the person's word (contract/commands.md §4.6)."""

from __future__ import annotations

from typing import Any

import pytest

from coven_desktop.contract.errors import Code, TypedRefusal
from coven_desktop.engine.answers import Answer
from coven_desktop.engine.commands import definitions, execution, recovery
from coven_desktop.engine.commands.quarantine import unquarantine
from tests.engine.conftest import HOUR, MINUTE, SECOND, Bench, refused
from tests.engine.definition_bodies import authored, moved
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
TEN = "UPDATE attempts SET attempt_number = 10, prior_attempt_number = 9, prior_disposition = 'failed'"
FENCE = "INSERT INTO stop_fences SELECT id, 'recovery', 'a', 's', started_at, timeout_at FROM runs"
ASKED = (
    "INSERT INTO cancellations (adoption_key, fingerprint, run_id, attempt_id, session_id, scope, reason, requested_by,"
    " state, requested_at, lease_expires_at) SELECT 'somebody', 'x', id, 'a', 's', 'run', 'r', '{}', 'requested',"
    " started_at, timeout_at FROM runs"
)


def request(bench: Bench, run_id: str, **members: Any) -> dict[str, Any]:
    return bench.strict(
        "attempt.retry.v1", **{"runId": run_id, "priorAttemptNumber": 1, "priorDisposition": "failed", **members}
    )


def retry(bench: Bench, body: dict[str, Any]) -> Answer:
    return recovery.retry_attempt(bench.engine, body)


def refusal(bench: Bench, body: dict[str, Any]) -> TypedRefusal:
    """The refusal; it writes nothing but its adoption, and is given again whatever has changed since."""
    before = everything(bench)[:-1]
    told = refused(lambda: retry(bench, body))
    assert everything(bench)[:-1] == before
    assert bench.rows(f"SELECT outcome FROM adoptions WHERE adoption_key = '{body['adoptionKey']}'") == [("rejected",)]
    assert refused(lambda: retry(bench, body)).to_wire() == told.to_wire()
    assert told.retryable is False
    return told


# what it does


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("note", [None, "", "after the update"])
def test_it_opens_the_next_attempt(bench: Bench, way: str, note: str | None) -> None:
    run_id = WAYS[way](bench)
    before = attempts(bench)
    bench.advance(1_234)
    body = request(bench, run_id, **({} if note is None else {"note": note}))
    answer = retry(bench, body)
    occurrence = bench.value("SELECT id FROM occurrences")
    assert (answer.kind, answer.in_result, answer.reason) == ("automations.attempt.retry", True, None)
    assert answer.payload == {
        "runId": run_id,
        "occurrenceId": occurrence,
        "attemptId": f"attempt-{run_id}-2",
        "attemptNumber": 2,
        "priorDisposition": "failed",
        "status": "planned",
        "retriedAt": "2026-09-01T10:00:01.234Z",
    }
    reason = "operator retry: after the update" if note else "operator retry"
    assert attempts(bench) == [
        *before,
        (2, "adopted", "operator_retry", 1, "failed", "2026-09-01T10:00:01.234Z", 1, 0, None, reason, None),
    ]
    (row,) = bench.rows(
        "SELECT o.state, o.failure_reason, o.lease_owner, o.lease_expires_at, r.status, r.session_id, r.timeout_at"
        " FROM occurrences o JOIN runs r"
    )
    assert row == ("planned", None, None, None, "running", None, "2026-09-01T10:30:00.000Z")
    assert bench.rows("SELECT id, adoption_key FROM attempts WHERE attempt_number = 2") == [
        (f"attempt-{run_id}-2", f"automation:{run_id}:2")
    ]


@pytest.mark.parametrize("way", WAYS)
def test_it_is_started_at_once_under_the_next_fence(bench: Bench, way: str) -> None:
    run_id = WAYS[way](bench)
    first = attempts(bench)[0]
    bench.advance(SECOND)
    retry(bench, request(bench, run_id))
    bench.turn()
    assert attempts(bench)[0] == first
    assert (states(bench), attempts(bench)[1].fence) == (["failed", "observing"], 2)
    assert bench.world.launched[-1].deadline == 1_788_258_600_000 == bench.clock.wall() + 30 * MINUTE - SECOND
    bench.end(0)
    assert bench.reasons() == [("succeeded", None)]


def test_the_policy_s_number_of_attempts_does_not_matter(bench: Bench) -> None:
    bench.runtime.refuse = BUSY
    bench.run_due(retry=policy(attempts=2, classes=("runtime_unavailable",)))
    run_id = bench.value("SELECT id FROM runs")
    for number in range(1, 6):
        retry(bench, request(bench, run_id, priorAttemptNumber=number))
        bench.turn()
    assert states(bench) == ["failed"] * 6


def test_it_goes_on_under_the_run_s_own_snapshot(bench: Bench) -> None:
    run_id = held_after_start(bench)
    authored(bench, "revise", prompt="echo other")
    retry(bench, request(bench, run_id))
    bench.turn()
    assert bench.world.launched[-1].prompt == "echo hello"


def test_it_needs_no_free_place(bench: Bench) -> None:
    bench.again(places=1)
    run_id = held_after_start(bench)
    bench.create("other")
    bench.done(execution.run(bench.engine, {"id": "other"}))
    retry(bench, request(bench, run_id))
    bench.turn()
    assert [spec.automation_id for spec in bench.world.launched] == ["notes", "other", "notes"]


def test_the_deadline_is_not_extended(bench: Bench) -> None:
    run_id = held_after_start(bench)
    bench.advance(29 * MINUTE)
    retry(bench, request(bench, run_id))
    bench.turn()
    session = bench.session
    bench.advance(MINUTE)
    assert bench.world.stops == [session]


def test_a_replay_gives_the_stored_answer_and_opens_nothing(bench: Bench) -> None:
    run_id = held_after_start(bench)
    body = request(bench, run_id, note="once")
    first = retry(bench, body)
    bench.turn()
    bench.end(0)
    bench.advance(HOUR - 1)
    again = retry(bench, body)
    assert (again.payload, again.reason) == (first.payload, "replayed previously adopted retry")
    assert states(bench) == ["failed", "succeeded"]
    assert refused(lambda: retry(bench, body | {"note": "twice"})).code == Code.ADOPTION_REPLAY_MISMATCH


def test_the_events_name_the_command_that_caused_them(bench: Bench) -> None:
    body = request(bench, held_after_start(bench))
    at = bench.value("SELECT max(position) FROM events")
    retry(bench, body)
    told = bench.rows(
        "SELECT kind, json_extract(body, '$.payload.from'), json_extract(body, '$.payload.to'),"
        f" json_extract(body, '$.causation.adoptionKey') FROM events WHERE position > {at} ORDER BY position"
    )
    assert told == [
        ("attempt.transitioned", "none", "adopted", body["adoptionKey"]),
        ("occurrence.transitioned", "running", "planned", body["adoptionKey"]),
    ]


def test_an_attempt_s_own_key_is_no_key_of_a_command(bench: Bench) -> None:
    run_id = held_after_start(bench)
    body = request(bench, run_id) | {"adoptionKey": f"automation:{run_id}:1"}
    assert refused(lambda: retry(bench, body)).code == Code.ADOPTION_REPLAY_MISMATCH


# what it refuses: each case but the first and the last would be refused by a later row as well


def test_row_1_an_ambiguous_disposition_whatever_else(bench: Bench) -> None:
    for body in (
        {"runId": 7, "priorAttemptNumber": "x", "note": 1, "extra": True, "action": "coven.automations.other"},
        {},
    ):
        told = refusal(bench, request(bench, "run-none") | {"priorDisposition": "ambiguous"} | body)
        assert told.code == Code.AMBIGUOUS_RETRY_FORBIDDEN


@pytest.mark.parametrize(
    "change",
    [
        {"runId": "/"},
        {"runId": None},
        {"priorAttemptNumber": 0},
        {"priorAttemptNumber": -1},
        {"priorAttemptNumber": True},
        {"priorAttemptNumber": 1.5},
        {"priorAttemptNumber": "1"},
        {"priorDisposition": "succeeded"},
        {"priorDisposition": None},
        {"note": "x" * 501},
        {"note": 1},
        {"expectedRevision": 1},
        {"intentId": "x"},
        {"action": "coven.automations.attempt.retry.v1 "},
    ],
)
def test_row_2_a_wrong_shape(bench: Bench, change: dict[str, Any]) -> None:
    assert refusal(bench, request(bench, "run-none") | change).code == Code.VALIDATION_FAILED


@pytest.mark.parametrize("member", ["runId", "priorAttemptNumber", "priorDisposition"])
def test_row_2_a_missing_member(bench: Bench, member: str) -> None:
    body = request(bench, "run-none")
    del body[member]
    assert refusal(bench, body).code == Code.VALIDATION_FAILED


def test_row_3_no_such_run(bench: Bench) -> None:
    assert refusal(bench, request(bench, "run-none")).code == Code.NOT_FOUND


def test_row_4_a_run_of_an_authority(bench: Bench) -> None:
    bench.run_due()
    bench.end()
    without_triggers(bench, "UPDATE runs SET authority_profile = 'profile'")
    assert refusal(bench, request(bench, bench.value("SELECT id FROM runs"))).code == Code.AUTHORITY_REQUIRED


def test_row_5_a_settled_run(bench: Bench) -> None:
    bench.run_due()
    bench.end()
    told = refusal(bench, request(bench, bench.value("SELECT id FROM runs"), priorAttemptNumber=7))
    assert (told.code, told.reason) == (Code.ILLEGAL_TRANSITION, "the run is succeeded, not held")


def test_row_6_a_run_without_an_occurrence_or_an_attempt(bench: Bench) -> None:
    bench.runtime.end(bench.run_due(), None)
    bench.turn()
    run_id = bench.value("SELECT id FROM runs")
    bench.rows("UPDATE runs SET occurrence_id = NULL")
    told = refusal(bench, request(bench, run_id))
    assert (told.code, told.reason) == (Code.ILLEGAL_TRANSITION, "the run has no occurrence or no attempt")
    without_triggers(bench, "UPDATE runs SET occurrence_id = (SELECT id FROM occurrences)", "DELETE FROM attempts")
    assert refusal(bench, request(bench, run_id)).reason == told.reason


def test_row_7_an_ambiguous_attempt(bench: Bench) -> None:
    bench.runtime.end(bench.run_due(), None)
    bench.turn()
    told = refusal(bench, request(bench, bench.value("SELECT id FROM runs"), priorAttemptNumber=7))
    assert told.code == Code.AMBIGUOUS_RETRY_FORBIDDEN


@pytest.mark.parametrize("state", ["adopted", "dispatching", "started", "observing"])
def test_row_8_an_attempt_that_is_not_over(bench: Bench, state: str) -> None:
    bench.run_due()
    without_triggers(bench, f"UPDATE attempts SET state = '{state}'")
    told = refusal(bench, request(bench, bench.value("SELECT id FROM runs"), priorAttemptNumber=7))
    assert (told.code, told.reason) == (
        Code.ILLEGAL_TRANSITION,
        f"the latest attempt is {state}; there is nothing to retry yet",
    )


@pytest.mark.parametrize("change", [{"priorAttemptNumber": 9}, {"priorDisposition": "timed_out"}])
def test_row_9_another_number_or_disposition_than_the_latest(bench: Bench, change: dict[str, Any]) -> None:
    run_id = held_after_start(bench)
    without_triggers(bench, TEN, FENCE)
    body = request(bench, run_id, **{"priorAttemptNumber": 10, **change})
    assert refusal(bench, body).code == Code.RETRY_DISPOSITION_INVALID


def test_row_10_ten_attempts(bench: Bench) -> None:
    run_id = held_after_start(bench)
    without_triggers(bench, TEN, FENCE)
    told = refusal(bench, request(bench, run_id, priorAttemptNumber=10))
    assert (told.code, told.reason) == (Code.ILLEGAL_TRANSITION, "a run has ten attempts at most")


@pytest.mark.parametrize("unresolved", [FENCE, ASKED, ASKED.replace("'requested'", "'stopping'")])
def test_row_11_a_stop_without_an_outcome(bench: Bench, unresolved: str) -> None:
    run_id = held_after_start(bench)
    without_triggers(bench, unresolved)
    bench.clock.advance(30 * MINUTE)
    assert refusal(bench, request(bench, run_id)).code == Code.CANCEL_PENDING


def test_row_12_no_deadline(bench: Bench) -> None:
    run_id = held_after_start(bench)
    moved(bench, "pause")
    without_triggers(bench, "UPDATE runs SET timeout_at = NULL")
    told = refusal(bench, request(bench, run_id))
    assert (told.code, told.reason) == (Code.ILLEGAL_TRANSITION, "the run has no deadline")


def test_row_13_the_deadline_has_come(bench: Bench) -> None:
    run_id = held_after_start(bench)
    moved(bench, "pause")
    bench.clock.advance(30 * MINUTE)
    assert refusal(bench, request(bench, run_id)).code == Code.DEADLINE_EXCEEDED


def test_row_13_a_millisecond_before_the_deadline_is_early_enough(bench: Bench) -> None:
    run_id = held_after_start(bench)
    bench.clock.advance(30 * MINUTE - 1)
    assert retry(bench, request(bench, run_id)).payload["status"] == "planned"


@pytest.mark.parametrize("command", ["pause", "disable", "tombstone"])
def test_row_14_a_routine_that_is_not_active(bench: Bench, command: str) -> None:
    run_id = held_after_start(bench)
    quarantine(bench)
    moved(bench, command)
    told = refusal(bench, request(bench, run_id))
    assert told.code == Code.ILLEGAL_TRANSITION
    assert told.reason.endswith("not active")


def test_row_14_another_routine_that_was_given_the_id_does_not_do_the_old_work(bench: Bench) -> None:
    run_id = held_after_start(bench)
    definitions.delete(bench.engine, {"id": "notes"})
    bench.create()
    told = refusal(bench, request(bench, run_id))
    assert told.code == Code.ILLEGAL_TRANSITION
    assert told.reason.startswith("the routine of this run was deleted")
    assert states(bench) == ["failed"]


def test_row_14_a_routine_that_is_active_again_is_active(bench: Bench) -> None:
    run_id = held_after_start(bench)
    moved(bench, "pause")
    moved(bench, "activate")
    assert retry(bench, request(bench, run_id)).payload["attemptNumber"] == 2


def test_row_15_a_quarantined_routine(bench: Bench) -> None:
    run_id = held_after_start(bench)
    quarantine(bench)
    without_triggers(bench, "UPDATE occurrences SET state = 'recovery_required'")
    told = refusal(bench, request(bench, run_id))
    assert (told.code, told.reason) == (Code.ILLEGAL_TRANSITION, "the routine is quarantined; release it first")


@pytest.mark.parametrize("state", ["recovery_required", "planned"])
def test_row_16_an_occurrence_that_is_not_held(bench: Bench, state: str) -> None:
    run_id = held_after_start(bench)
    without_triggers(bench, f"UPDATE occurrences SET state = '{state}'")
    told = refusal(bench, request(bench, run_id))
    assert (told.code, told.reason) == (Code.ILLEGAL_TRANSITION, "the run's occurrence is not held for a retry")


def test_a_refusal_stands_when_its_reason_is_gone(bench: Bench) -> None:
    run_id = held_after_start(bench)
    quarantine(bench)
    body = request(bench, run_id)
    told = refusal(bench, body)
    unquarantine(bench.engine, {"id": "notes"})
    assert refused(lambda: retry(bench, body)).to_wire() == told.to_wire()
    assert retry(bench, request(bench, run_id)).payload["attemptNumber"] == 2


@pytest.mark.parametrize("key", [None, "", "short", "-starts-wrong", "x" * 201, 7])
def test_a_key_that_is_none_is_not_adopted(bench: Bench, key: Any) -> None:
    body = request(bench, held_after_start(bench)) | {"adoptionKey": key}
    assert refused(lambda: retry(bench, body)).code == Code.VALIDATION_FAILED
    assert bench.value("SELECT count(*) FROM adoptions WHERE command = 'attempt.retry.v1'") == 0
