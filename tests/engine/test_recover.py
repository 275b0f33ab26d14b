"""The person decides what nobody can prove (contract/commands.md §4.7)."""

from __future__ import annotations

from typing import Any

import pytest

from coven_desktop.contract.errors import Code
from coven_desktop.engine.commands import definitions, recovery
from coven_desktop.engine.commands.quarantine import unquarantine
from tests.engine.conftest import DAY, HOUR, MINUTE, Bench, refused
from tests.engine.definition_bodies import moved
from tests.engine.held_runs import attempts, everything, held_after_start, quarantine, states, without_triggers


def lost(bench: Bench) -> str:
    """An occurrence whose session vanished."""
    bench.runtime.end(bench.run_due(), None)
    bench.turn()
    return str(bench.value("SELECT id FROM occurrences"))


def body(bench: Bench, occurrence_id: str, **members: Any) -> dict[str, Any]:
    return bench.strict(
        "occurrence.recover.v1",
        **{"occurrenceId": occurrence_id, "evidenceDetermination": "failed_deterministic", **members},
    )


@pytest.mark.parametrize("statement", [None, "the log shows it"])
def test_it_failed(bench: Bench, statement: str | None) -> None:
    occurrence = lost(bench)
    run_id = bench.world.launched[0].run_id
    bench.advance(1_000)
    said = {} if statement is None else {"statement": statement}
    request = body(bench, occurrence, **said)
    answer = recovery.recover(bench.engine, request)
    assert (answer.kind, answer.in_result, answer.reason) == ("automations.occurrence.recovery", True, None)
    assert answer.payload == {
        "occurrenceId": occurrence,
        "automationId": "notes",
        "evidenceDetermination": "failed_deterministic",
        "recoveredAt": "2026-09-01T10:00:01.000Z",
        **said,
        "runId": run_id,
        "status": "failed",
    }
    assert bench.states() == [("notes", "failed", "failed", "ambiguous")]
    reason = "operator recovery (failed_deterministic)" + (f": {statement}" if statement else "")
    assert bench.reasons() == [("failed", reason)]
    again = recovery.recover(bench.engine, request)
    assert (again.payload, again.reason) == (answer.payload, "replayed previously adopted recovery")


def test_the_routine_is_free_afterwards(bench: Bench) -> None:
    occurrence = lost(bench)
    bench.advance(HOUR)
    assert len(bench.world.launched) == 1
    recovery.recover(bench.engine, body(bench, occurrence))
    bench.turn()
    assert len(bench.world.launched) == 2


def test_it_works_after_the_deadline(bench: Bench) -> None:
    occurrence = lost(bench)
    bench.advance(DAY)
    assert recovery.recover(bench.engine, body(bench, occurrence)).payload["status"] == "failed"


def test_evidence_that_comes_after_the_decision_changes_nothing(bench: Bench) -> None:
    occurrence = lost(bench)
    recovery.recover(bench.engine, body(bench, occurrence))
    session = bench.session
    bench.kill()
    bench.world.found[session] = ("ended", bench.runtime.evidence(session, exit_code=0))
    bench.restart()
    assert bench.states()[0] == ("notes", "failed", "failed", "ambiguous")
    assert bench.value(f"SELECT status FROM sessions WHERE id = '{session}'") == "completed"


def test_what_is_unknown_is_not_found(bench: Bench) -> None:
    assert refused(lambda: recovery.recover(bench.engine, body(bench, "notes-0"))).code == Code.NOT_FOUND


@pytest.mark.parametrize("ended", [False, True])
def test_only_what_waits_for_recovery_is_recovered(bench: Bench, ended: bool) -> None:
    bench.run_due()
    if ended:
        bench.end()
    occurrence = bench.value("SELECT id FROM occurrences")
    request = body(bench, occurrence)
    for _ in range(2):
        assert refused(lambda: recovery.recover(bench.engine, request)).code == Code.ILLEGAL_TRANSITION


def retried(bench: Bench, occurrence_id: str, **members: Any) -> dict[str, Any]:
    return body(bench, occurrence_id, **{"evidenceDetermination": "retry_with_new_attempt", **members})


@pytest.mark.parametrize("statement", [None, "nothing was sent"])
def test_it_is_tried_again(bench: Bench, statement: str | None) -> None:
    occurrence = lost(bench)
    run_id, session = bench.world.launched[0].run_id, bench.session
    bench.advance(1_000)
    said = {} if statement is None else {"statement": statement}
    request = retried(bench, occurrence, **said)
    answer = recovery.recover(bench.engine, request)
    reason = "operator recovery (retry_with_new_attempt)" + (f": {statement}" if statement else "")
    assert answer.payload == {
        "occurrenceId": occurrence,
        "automationId": "notes",
        "evidenceDetermination": "retry_with_new_attempt",
        "recoveredAt": "2026-09-01T10:00:01.000Z",
        **said,
        "runId": run_id,
        "attemptId": f"attempt-{run_id}-2",
        "attemptNumber": 2,
        "status": "planned",
    }
    assert bench.reasons() == [("planned", reason)]
    assert bench.rows("SELECT status, session_id FROM runs") == [("running", None)]
    first, second = attempts(bench)
    assert (first.state, first.session) == ("ambiguous", session)
    assert (second.state, second.classification, second.prior, second.disposition, second.reason) == (
        "adopted",
        "operator_recovery",
        1,
        "ambiguous",
        reason,
    )
    assert second.not_before == "2026-09-01T10:00:01.000Z"
    bench.turn()
    assert attempts(bench)[0] == first
    assert states(bench) == ["ambiguous", "observing"]
    again = recovery.recover(bench.engine, request)
    assert (again.payload, again.reason) == (answer.payload, "replayed previously adopted recovery")
    bench.end()
    assert bench.states()[-1] == ("notes", "succeeded", "succeeded", "succeeded")
    assert len(bench.world.launched) == 2


def code(bench: Bench, request: dict[str, Any]) -> Code:
    """The refusal, which leaves all but the ledger as it was and is given again for ever."""
    before = everything(bench)[:-1]
    first = refused(lambda: recovery.recover(bench.engine, request))
    assert everything(bench)[:-1] == before
    assert refused(lambda: recovery.recover(bench.engine, request)).to_wire() == first.to_wire()
    assert first.retryable is False
    return first.code


def test_without_a_run_there_is_nothing_to_try_again(bench: Bench) -> None:
    occurrence = lost(bench)
    bench.rows("UPDATE runs SET occurrence_id = NULL")
    assert code(bench, retried(bench, occurrence)) == Code.ILLEGAL_TRANSITION
    assert recovery.recover(bench.engine, body(bench, occurrence)).payload["status"] == "failed"


def test_an_attempt_whose_end_is_known_is_not_recovered_by_another(bench: Bench) -> None:
    held_after_start(bench)
    without_triggers(bench, "UPDATE occurrences SET state = 'recovery_required'")
    occurrence = bench.value("SELECT id FROM occurrences")
    bench.clock.advance(DAY)
    assert code(bench, retried(bench, occurrence)) == Code.ILLEGAL_TRANSITION


def test_after_ten_attempts_there_is_no_other(bench: Bench) -> None:
    occurrence = lost(bench)
    without_triggers(
        bench, "UPDATE attempts SET attempt_number = 10, prior_attempt_number = 9, prior_disposition = 'failed'"
    )
    bench.clock.advance(DAY)
    assert code(bench, retried(bench, occurrence)) == Code.ILLEGAL_TRANSITION


def test_after_the_deadline_it_can_only_be_called_failed(bench: Bench) -> None:
    occurrence = lost(bench)
    moved(bench, "pause")
    bench.clock.advance(30 * MINUTE)
    assert code(bench, retried(bench, occurrence)) == Code.DEADLINE_EXCEEDED
    assert recovery.recover(bench.engine, body(bench, occurrence)).payload["status"] == "failed"


def test_a_millisecond_before_the_deadline_it_can_be_tried_again(bench: Bench) -> None:
    occurrence = lost(bench)
    bench.clock.advance(30 * MINUTE - 1)
    assert recovery.recover(bench.engine, retried(bench, occurrence)).payload["status"] == "planned"
    bench.advance(1)
    assert states(bench)[0] == "ambiguous"


@pytest.mark.parametrize("command", ["pause", "disable", "tombstone"])
def test_only_an_active_routine_s_run_is_tried_again(bench: Bench, command: str) -> None:
    occurrence = lost(bench)
    moved(bench, command)
    assert code(bench, retried(bench, occurrence)) == Code.ILLEGAL_TRANSITION
    assert recovery.recover(bench.engine, body(bench, occurrence)).payload["status"] == "failed"


def test_the_run_of_a_deleted_routine_is_not_tried_again_by_another_one_of_its_id(bench: Bench) -> None:
    occurrence = lost(bench)
    definitions.delete(bench.engine, {"id": "notes"})
    bench.create()
    assert code(bench, retried(bench, occurrence)) == Code.ILLEGAL_TRANSITION
    assert recovery.recover(bench.engine, body(bench, occurrence)).payload["status"] == "failed"


def test_a_quarantine_is_not_asked_for_but_nothing_is_claimed_under_it(bench: Bench) -> None:
    occurrence = lost(bench)
    quarantine(bench)
    assert recovery.recover(bench.engine, retried(bench, occurrence)).payload["status"] == "planned"
    bench.advance(MINUTE)
    assert states(bench) == ["ambiguous", "adopted"]
    unquarantine(bench.engine, {"id": "notes"})
    bench.turn()
    assert states(bench) == ["ambiguous", "observing"]


@pytest.mark.parametrize("determination", ["failed_deterministic", "retry_with_new_attempt"])
@pytest.mark.parametrize(
    ("forced", "expected"),
    [
        ("UPDATE runs SET authority_profile = 'profile'", Code.AUTHORITY_REQUIRED),
        ("UPDATE attempts SET state = 'observing'", Code.ILLEGAL_TRANSITION),
        ("UPDATE attempts SET state = 'dispatching'", Code.ILLEGAL_TRANSITION),
        ("UPDATE sessions SET status = 'running'", Code.ILLEGAL_TRANSITION),
        ("UPDATE sessions SET status = 'created'", Code.ILLEGAL_TRANSITION),
    ],
)
def test_what_may_still_live_or_belongs_to_an_authority_is_not_decided(
    bench: Bench, determination: str, forced: str, expected: Code
) -> None:
    occurrence = lost(bench)
    without_triggers(bench, forced)
    bench.clock.advance(MINUTE)
    request = body(bench, occurrence, evidenceDetermination=determination)
    assert refused(lambda: recovery.recover(bench.engine, request)).code == expected


def test_late_evidence_of_the_attempt_before_decides_nothing(bench: Bench) -> None:
    occurrence = lost(bench)
    first = bench.session
    recovery.recover(bench.engine, retried(bench, occurrence))
    bench.turn()
    bench.runtime.end(bench.session, None)
    bench.turn()
    assert states(bench) == ["ambiguous", "ambiguous"]
    bench.kill()
    bench.world.found[first] = ("ended", bench.runtime.evidence(first, exit_code=0))
    bench.restart()
    # the outcome of the second attempt is as unknown as it was
    assert [row[1:3] for row in bench.states()] == [("recovery_required", "running")] * 2
    assert bench.value(f"SELECT status FROM sessions WHERE id = '{first}'") == "completed"


@pytest.mark.parametrize(
    "change",
    [
        {"evidenceDetermination": "succeeded"},
        {"evidenceDetermination": None},
        {"statement": ""},
        {"statement": "x" * 1001},
        {"statement": 4},
        {"occurrenceId": "/"},
        {"extra": True},
        {"action": "coven.automations.recover"},
    ],
)
def test_a_bad_request_is_refused_for_good(bench: Bench, change: dict[str, Any]) -> None:
    request = body(bench, lost(bench)) | change
    for _ in range(2):
        assert refused(lambda: recovery.recover(bench.engine, request)).code == Code.VALIDATION_FAILED
    assert bench.states() == [("notes", "recovery_required", "running", "ambiguous")]


def test_the_event_names_the_command_that_caused_it(bench: Bench) -> None:
    request = body(bench, lost(bench))
    recovery.recover(bench.engine, request)
    told = bench.rows(
        "SELECT kind, json_extract(body, '$.causation.adoptionKey') FROM events ORDER BY position DESC LIMIT 3"
    )
    assert told == [
        ("occurrence.transitioned", request["adoptionKey"]),
        ("receipt.recorded", request["adoptionKey"]),
        ("run.transitioned", request["adoptionKey"]),
    ]
