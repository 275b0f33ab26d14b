"""Cancelling: a request, one stop, and the answer that the proof allows (contract/commands.md §4.2 to §4.5)."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest

from coven_desktop.contract.errors import Code
from coven_desktop.engine.commands import cancellation
from coven_desktop.store.errors import StoreFault
from tests.engine.conftest import HOUR, MINUTE, SECOND, Bench, refused
from tests.engine.test_claiming import planned_behind

CANCELLED = "automation run cancelled by operator"


def cancel(bench: Bench, body: dict[str, Any]) -> Any:
    return cancellation.cancel_run(bench.engine, body)


def occurrence_id(bench: Bench) -> str:
    return str(bench.value("SELECT id FROM occurrences ORDER BY number DESC LIMIT 1"))


def refusal_is_kept(bench: Bench, body: dict[str, Any], code: Code) -> None:
    """The command is refused with this code, and the same request for ever after."""
    first = refused(lambda: cancel(bench, body))
    assert (first.code, first.retryable) == (code, False)
    again = refused(lambda: cancel(bench, body))
    assert again.to_wire() == first.to_wire()
    assert bench.value(f"SELECT outcome FROM adoptions WHERE adoption_key = '{body['adoptionKey']}'") == "rejected"


# run.cancel.v1


def test_a_cancellation_is_answered_with_the_proof(bench: Bench) -> None:
    session = bench.run_due()
    body = bench.cancel_body()
    pending = cancel(bench, body)
    assert bench.world.stops == [session]
    bench.turn()
    assert pending.outcome is None
    assert bench.states() == [("notes", "running", "running", "observing")]
    bench.advance(2 * SECOND)
    bench.runtime.confirm_stop(session)
    answer = bench.done(pending)
    assert answer.kind == "automations.run.cancellation"
    assert (answer.in_result, answer.reason) == (True, None)
    assert answer.payload == {
        "runId": body["runId"],
        "attemptId": body["attemptId"],
        "runtimeCorrelation": {"sessionId": session},
        "status": "cancelled",
        "cancellation": {
            "scope": "run",
            "reason": "enough",
            "requestedBy": {"principalId": "principal:someone"},
            "requestedAt": "2026-09-01T10:00:00.000Z",
            "acknowledgedAt": "2026-09-01T10:00:02.000Z",
            "reconciledAt": "2026-09-01T10:00:02.000Z",
        },
    }
    assert bench.states() == [("notes", "cancelled", "cancelled", "cancelled")]
    assert bench.reasons() == [("cancelled", CANCELLED)]
    assert bench.rows("SELECT failure_class, state_reason FROM attempts") == [("cancelled", CANCELLED)]
    assert bench.rows("SELECT * FROM stop_fences") == []


def test_a_replay_tells_the_same_and_stops_nothing(bench: Bench) -> None:
    session = bench.run_due()
    body = bench.cancel_body()
    pending = cancel(bench, body)
    bench.runtime.confirm_stop(session)
    first = bench.done(pending)
    again = bench.done(cancel(bench, body))
    assert again.payload == first.payload
    assert (again.kind, again.reason) == (first.kind, "replayed previously adopted cancellation")
    assert bench.world.stops == [session]


def test_a_stop_that_is_not_confirmed_is_a_success_that_says_so(bench: Bench) -> None:
    session = bench.run_due()
    body = bench.cancel_body()
    pending = cancel(bench, body)
    bench.runtime.leave_stop_open(session)
    payload = bench.done(pending).payload
    assert payload["status"] == "recovery_required"
    assert set(payload["cancellation"]) == {"scope", "reason", "requestedBy", "requestedAt"}
    assert bench.states() == [("notes", "recovery_required", "running", "ambiguous")]
    assert bench.reasons() == [("recovery_required", "cancellation stop was not confirmed")]
    # the late proof settles, and the answer under the key stays what it was
    bench.end(outcome="signalled", stop_reason="requested")
    assert bench.done(cancel(bench, body)).payload == payload


def test_nobody_answers_and_the_fence_ends(bench: Bench) -> None:
    bench.run_due()
    pending = cancel(bench, bench.cancel_body())
    bench.advance(30 * SECOND - 1)
    assert pending.outcome is None
    bench.advance(1)
    assert bench.done(pending).payload["status"] == "recovery_required"


def test_the_command_s_own_end_wins(bench: Bench) -> None:
    session = bench.run_due()
    body = bench.cancel_body()
    pending = cancel(bench, body)
    bench.runtime.confirm_stop(session, bench.runtime.evidence(session, exit_code=0))
    assert refused(lambda: bench.done(pending)).code == Code.ILLEGAL_TRANSITION
    assert bench.states() == [("notes", "succeeded", "succeeded", "succeeded")]
    refusal_is_kept(bench, body, Code.ILLEGAL_TRANSITION)
    (told,) = bench.engine.reads.runs("notes")
    assert told["cancellation"]["status"] == "rejected"


def test_the_same_request_in_flight_is_pending_and_its_key_is_not_spent(bench: Bench) -> None:
    session = bench.run_due()
    body = bench.cancel_body()
    pending = cancel(bench, body)
    told = refused(lambda: cancel(bench, body))
    assert (told.code, told.retryable) == (Code.CANCEL_PENDING, False)
    bench.runtime.confirm_stop(session)
    bench.done(pending)
    assert bench.done(cancel(bench, body)).payload["status"] == "cancelled"
    assert bench.world.stops == [session]


def test_the_same_request_after_the_fence_has_the_outcome(bench: Bench) -> None:
    bench.run_due()
    body = bench.cancel_body()
    cancel(bench, body)
    bench.clock.advance(30 * SECOND)
    assert bench.done(cancel(bench, body)).payload["status"] == "recovery_required"


@pytest.mark.parametrize("change", [{"reason": "other"}, {"runId": "run-other"}])
def test_a_key_in_flight_refuses_another_request(bench: Bench, change: dict[str, Any]) -> None:
    session = bench.run_due()
    body = bench.cancel_body()
    pending = cancel(bench, body)
    assert refused(lambda: cancel(bench, body | change)).code == Code.ADOPTION_REPLAY_MISMATCH
    other = bench.strict("occurrence.cancel.v1", adoptionKey=body["adoptionKey"], occurrenceId=occurrence_id(bench))
    told = refused(lambda: cancellation.cancel_occurrence(bench.engine, other))
    assert (told.code, told.details, told.adoption) == (Code.ADOPTION_REPLAY_MISMATCH, None, None)
    bench.runtime.confirm_stop(session)
    assert bench.done(pending).payload["status"] == "cancelled"


def test_a_spent_key_refuses_another_request(bench: Bench) -> None:
    session = bench.run_due()
    body = bench.cancel_body()
    pending = cancel(bench, body)
    bench.runtime.confirm_stop(session)
    bench.done(pending)
    assert refused(lambda: cancel(bench, body | {"reason": "other"})).code == Code.ADOPTION_REPLAY_MISMATCH


def test_the_key_of_an_attempt_is_no_key_of_a_command(bench: Bench) -> None:
    bench.run_due()
    key = bench.value("SELECT adoption_key FROM attempts")
    assert refused(lambda: cancel(bench, bench.cancel_body(adoptionKey=key))).code == Code.ADOPTION_REPLAY_MISMATCH


@pytest.mark.parametrize("key", [None, "short", "-starts-badly", 7, "ümlaut-key"])
def test_a_bad_key_is_refused_and_not_adopted(bench: Bench, key: Any) -> None:
    bench.run_due()
    assert refused(lambda: cancel(bench, bench.cancel_body(adoptionKey=key))).code == Code.VALIDATION_FAILED
    assert bench.value("SELECT count(*) FROM adoptions WHERE outcome = 'rejected'") == 0


@pytest.mark.parametrize(
    "change",
    [
        {"extra": 1},
        {"intentId": "x"},
        {"action": " coven.automations.run.cancel.v1"},
        {"scope": "attempt"},
        {"reason": " "},
        {"reason": None},
        {"runId": ""},
        {"attemptId": 3},
        {"runtimeCorrelation": {}},
        {"runtimeCorrelation": {"sessionId": " "}},
        {"runtimeCorrelation": {"sessionId": "x", "more": 1}},
        {"runtimeCorrelation": "x"},
        {"requestedBy": {"principalId": ""}},
        {"requestedBy": None},
    ],
)
def test_a_bad_shape_is_refused_for_good(bench: Bench, change: dict[str, Any]) -> None:
    bench.run_due()
    refusal_is_kept(bench, bench.cancel_body(**change), Code.VALIDATION_FAILED)
    assert bench.world.stops == []


@pytest.mark.parametrize(
    "missing", ["runId", "attemptId", "runtimeCorrelation", "scope", "reason", "requestedBy", "action"]
)
def test_a_missing_member_is_refused_for_good(bench: Bench, missing: str) -> None:
    bench.run_due()
    body = bench.cancel_body()
    del body[missing]
    refusal_is_kept(bench, body, Code.VALIDATION_FAILED)


def test_another_cancellation_in_flight_spends_the_key(bench: Bench) -> None:
    session = bench.run_due()
    pending = cancel(bench, bench.cancel_body())
    second = bench.cancel_body()
    refusal_is_kept(bench, second, Code.CANCEL_PENDING)
    # even before it is asked whether the three names belong together
    refusal_is_kept(bench, bench.cancel_body(attemptId="attempt-other"), Code.CANCEL_PENDING)
    bench.runtime.confirm_stop(session)
    bench.done(pending)
    refusal_is_kept(bench, second, Code.CANCEL_PENDING)


@pytest.mark.parametrize(
    "change",
    [
        {"runId": "run-unknown"},
        {"attemptId": "attempt-unknown"},
        {"runtimeCorrelation": {"sessionId": "session-unknown"}},
    ],
)
def test_names_that_do_not_name_one_attempt_are_illegal_not_unknown(bench: Bench, change: dict[str, Any]) -> None:
    bench.run_due()
    refusal_is_kept(bench, bench.cancel_body(**change), Code.ILLEGAL_TRANSITION)


def test_the_names_of_two_runs_do_not_mix(bench: Bench) -> None:
    bench.create("other")
    bench.run_due()
    first, second = bench.world.launched
    body = bench.cancel_body(runtimeCorrelation={"sessionId": first.session_id})
    assert body["runId"] == second.run_id
    refusal_is_kept(bench, body, Code.ILLEGAL_TRANSITION)


@pytest.mark.parametrize("vanish", [False, True])
def test_what_is_not_live_any_more_cannot_be_cancelled(bench: Bench, vanish: bool) -> None:
    session = bench.run_due()
    if vanish:
        bench.runtime.end(session, None)
        bench.turn()
    else:
        bench.end()
    refusal_is_kept(bench, bench.cancel_body(), Code.ILLEGAL_TRANSITION)
    assert bench.world.stops == []


def test_at_the_deadline_it_is_timed_out_at_once_instead(bench: Bench) -> None:
    session = bench.run_due(timeoutMinutes=5)
    bench.clock.advance(5 * MINUTE)
    body = bench.cancel_body()
    assert refused(lambda: cancel(bench, body)).code == Code.ILLEGAL_TRANSITION
    assert bench.value("SELECT owner FROM stop_fences") == "timeout"
    assert bench.world.stops == [session]
    bench.runtime.confirm_stop(session)
    bench.turn()
    assert bench.states() == [("notes", "failed", "failed", "timed_out")]
    refusal_is_kept(bench, body, Code.ILLEGAL_TRANSITION)


def test_a_stop_that_somebody_else_owns_is_pending_and_spends_no_key(bench: Bench) -> None:
    session = bench.run_due(timeoutMinutes=5)
    bench.advance(5 * MINUTE)
    # the clock is set back behind the deadline while the timeout is stopping the run
    bench.clock.jump(-MINUTE)
    body = bench.cancel_body()
    told = refused(lambda: cancel(bench, body))
    assert (told.code, told.retryable) == (Code.CANCEL_PENDING, False)
    assert bench.rows("SELECT * FROM cancellations") == []
    bench.runtime.confirm_stop(session)
    bench.turn()
    refusal_is_kept(bench, body, Code.ILLEGAL_TRANSITION)
    assert bench.states() == [("notes", "failed", "failed", "timed_out")]


def test_a_cancellation_that_cannot_be_written_stops_nothing(bench: Bench) -> None:
    bench.run_due()
    bench.store.connection.execute("PRAGMA busy_timeout = 0").fetchall()
    other = bench.lock()
    body = bench.cancel_body()
    with pytest.raises(StoreFault):
        cancel(bench, body)
    assert bench.world.stops == []
    other.close()
    cancel(bench, body)
    assert bench.world.stops == [bench.session]


def test_whoever_left_changes_nothing(bench: Bench) -> None:
    session = bench.run_due()
    cancel(bench, bench.cancel_body())
    bench.runtime.confirm_stop(session)
    bench.turn()
    assert bench.states() == [("notes", "cancelled", "cancelled", "cancelled")]


def test_a_cancellation_is_seen_in_the_reads_while_it_is_under_way(bench: Bench) -> None:
    bench.run_due()
    cancel(bench, bench.cancel_body())
    (told,) = bench.engine.reads.runs("notes")
    assert told["cancellation"] == {
        "scope": "run",
        "requestedBy": {"principalId": "principal:someone"},
        "status": "stopping",
        "requestedAt": "2026-09-01T10:00:00.000Z",
        "reason": "enough",
    }
    (running,) = bench.engine.reads.state_summary().running
    assert running.stopping


def test_a_cancellation_goes_on_after_a_crash_and_its_replay_has_the_outcome(bench: Bench) -> None:
    session = bench.run_due()
    body = bench.cancel_body()
    cancel(bench, body)
    bench.crash(away=40 * SECOND)
    assert bench.world.stops == [session, session]
    bench.runtime.confirm_stop(session)
    bench.turn()
    assert bench.done(cancel(bench, body)).payload["status"] == "cancelled"
    assert bench.states() == [("notes", "cancelled", "cancelled", "cancelled")]


# occurrence.cancel.v1


def test_a_planned_slot_is_cancelled_at_once(bench: Bench) -> None:
    occurrence = planned_behind(bench)
    body = bench.strict("occurrence.cancel.v1", occurrenceId=occurrence, reason="not today")
    answer = bench.done(cancellation.cancel_occurrence(bench.engine, body))
    assert answer.kind == "automations.occurrence.cancellation"
    assert answer.in_result
    assert answer.payload == {
        "occurrenceId": occurrence,
        "status": "cancelled",
        "reason": "not today",
        "cancelledAt": "2026-09-01T10:00:00.000Z",
    }
    assert bench.reasons()[1] == ("cancelled", "not today")
    again = bench.done(cancellation.cancel_occurrence(bench.engine, body))
    assert (again.payload, again.reason) == (answer.payload, "replayed previously adopted cancellation")
    bench.end()
    assert [spec.automation_id for spec in bench.world.launched] == ["first"]


@pytest.mark.parametrize("reason", [{}, {"reason": None}, {"reason": ""}, {"reason": "  "}])
def test_a_blank_reason_becomes_the_default(bench: Bench, reason: dict[str, Any]) -> None:
    occurrence = planned_behind(bench)
    body = bench.strict("occurrence.cancel.v1", occurrenceId=occurrence, **reason)
    answer = bench.done(cancellation.cancel_occurrence(bench.engine, body))
    assert answer.payload["reason"] == "cancelled by the owner"


def test_a_running_occurrence_is_cancelled_by_the_run_s_cancellation(bench: Bench) -> None:
    session = bench.run_due()
    occurrence = occurrence_id(bench)
    body = bench.strict("occurrence.cancel.v1", occurrenceId=occurrence)
    pending = cancellation.cancel_occurrence(bench.engine, body)
    bench.runtime.confirm_stop(session)
    answer = bench.done(pending)
    assert answer.kind == "automations.occurrence.cancellation"
    assert (answer.payload["status"], answer.payload["occurrenceId"]) == ("cancelled", occurrence)
    assert answer.payload["cancellation"]["reason"] == "cancelled by the owner"
    key = "rc:" + hashlib.sha256(body["adoptionKey"].encode()).hexdigest()[:40]
    assert bench.value("SELECT adoption_key FROM cancellations") == key
    again = bench.done(cancellation.cancel_occurrence(bench.engine, body))
    assert (again.payload, again.reason) == (answer.payload, "replayed previously adopted cancellation")
    assert bench.world.stops == [session]


def test_a_delegated_cancellation_in_flight_is_pending(bench: Bench) -> None:
    bench.run_due()
    body = bench.strict("occurrence.cancel.v1", occurrenceId=occurrence_id(bench))
    cancellation.cancel_occurrence(bench.engine, body)
    told = refused(lambda: cancellation.cancel_occurrence(bench.engine, body))
    assert (told.code, told.retryable) == (Code.CANCEL_PENDING, False)


def test_a_delegated_cancellation_has_the_run_s_refusal(bench: Bench) -> None:
    session = bench.run_due()
    body = bench.strict("occurrence.cancel.v1", occurrenceId=occurrence_id(bench))
    pending = cancellation.cancel_occurrence(bench.engine, body)
    bench.runtime.confirm_stop(session, bench.runtime.evidence(session, exit_code=0))
    assert refused(lambda: bench.done(pending)).code == Code.ILLEGAL_TRANSITION
    assert refused(lambda: cancellation.cancel_occurrence(bench.engine, body)).code == Code.ILLEGAL_TRANSITION


def test_while_a_start_is_under_way_the_same_request_is_sent_again(bench: Bench) -> None:
    bench.automatic = False
    bench.again()
    session = bench.run_due()
    body = bench.strict("occurrence.cancel.v1", occurrenceId=occurrence_id(bench))
    told = refused(lambda: cancellation.cancel_occurrence(bench.engine, body))
    assert (told.code, told.retryable) == (Code.CANCEL_PENDING, True)
    assert bench.world.stops == []
    bench.runtime.start(session)
    bench.turn()
    pending = cancellation.cancel_occurrence(bench.engine, body)
    bench.runtime.confirm_stop(session)
    assert bench.done(pending).payload["status"] == "cancelled"


def test_a_run_that_is_just_starting_can_be_cancelled_by_its_own_names(bench: Bench) -> None:
    bench.automatic = False
    bench.again()
    session = bench.run_due()
    pending = cancel(bench, bench.cancel_body())
    bench.runtime.answer_stop(session, None, confirmed=True)
    assert bench.done(pending).payload["status"] == "cancelled"
    assert bench.states() == [("notes", "cancelled", "cancelled", "cancelled")]


def test_what_is_unknown_is_not_found(bench: Bench) -> None:
    body = bench.strict("occurrence.cancel.v1", occurrenceId="notes-0")
    assert refused(lambda: cancellation.cancel_occurrence(bench.engine, body)).code == Code.NOT_FOUND
    # adopted: also when there is such an occurrence later
    assert refused(lambda: cancellation.cancel_occurrence(bench.engine, body)).code == Code.NOT_FOUND
    assert bench.value("SELECT count(*) FROM adoptions WHERE outcome = 'rejected'") == 1


def test_what_waits_for_recovery_is_for_recover(bench: Bench) -> None:
    bench.runtime.end(bench.run_due(), None)
    bench.turn()
    body = bench.strict("occurrence.cancel.v1", occurrenceId=occurrence_id(bench))
    told = refused(lambda: cancellation.cancel_occurrence(bench.engine, body))
    assert told.code == Code.ILLEGAL_TRANSITION
    assert "recover" in told.reason


def test_what_is_settled_cannot_be_cancelled(bench: Bench) -> None:
    bench.run_due()
    bench.end()
    body = bench.strict("occurrence.cancel.v1", occurrenceId=occurrence_id(bench))
    assert refused(lambda: cancellation.cancel_occurrence(bench.engine, body)).code == Code.ILLEGAL_TRANSITION


@pytest.mark.parametrize(
    "change",
    [
        {"extra": 1},
        {"origin": "x"},
        {"occurrenceId": "-bad"},
        {"reason": "x" * 501},
        {"reason": 5},
        {"action": "other"},
    ],
)
def test_a_bad_request_is_refused_for_good(bench: Bench, change: dict[str, Any]) -> None:
    body = bench.strict("occurrence.cancel.v1", occurrenceId="notes-0") | change
    for _ in range(2):
        assert refused(lambda: cancellation.cancel_occurrence(bench.engine, body)).code == Code.VALIDATION_FAILED


def test_a_cancelled_slot_is_not_planned_again(bench: Bench) -> None:
    occurrence = planned_behind(bench)
    bench.done(
        cancellation.cancel_occurrence(bench.engine, bench.strict("occurrence.cancel.v1", occurrenceId=occurrence))
    )
    bench.advance(HOUR)
    assert bench.value("SELECT count(*) FROM occurrences WHERE automation_id = 'notes'") == 1
