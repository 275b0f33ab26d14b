"""The person decides what nobody can prove (contract/commands.md §4.7)."""

from __future__ import annotations

from typing import Any

import pytest

from coven_desktop.contract.errors import Code
from coven_desktop.engine.commands import execution
from tests.engine.conftest import HOUR, Bench, refused


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
    answer = execution.recover(bench.engine, request)
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
    again = execution.recover(bench.engine, request)
    assert (again.payload, again.reason) == (answer.payload, "replayed previously adopted recovery")


def test_the_routine_is_free_afterwards(bench: Bench) -> None:
    occurrence = lost(bench)
    bench.advance(HOUR)
    assert len(bench.world.launched) == 1
    execution.recover(bench.engine, body(bench, occurrence))
    bench.turn()
    assert len(bench.world.launched) == 2


def test_it_works_after_the_deadline(bench: Bench) -> None:
    occurrence = lost(bench)
    bench.advance(2 * HOUR)
    assert execution.recover(bench.engine, body(bench, occurrence)).payload["status"] == "failed"


def test_evidence_that_comes_after_the_decision_changes_nothing(bench: Bench) -> None:
    occurrence = lost(bench)
    execution.recover(bench.engine, body(bench, occurrence))
    session = bench.session
    bench.kill()
    bench.world.found[session] = ("ended", bench.runtime.evidence(session, exit_code=0))
    bench.restart()
    assert bench.states()[0] == ("notes", "failed", "failed", "ambiguous")
    assert bench.value(f"SELECT status FROM sessions WHERE id = '{session}'") == "completed"


def test_what_is_unknown_is_not_found(bench: Bench) -> None:
    assert refused(lambda: execution.recover(bench.engine, body(bench, "notes-0"))).code == Code.NOT_FOUND


@pytest.mark.parametrize("ended", [False, True])
def test_only_what_waits_for_recovery_is_recovered(bench: Bench, ended: bool) -> None:
    bench.run_due()
    if ended:
        bench.end()
    occurrence = bench.value("SELECT id FROM occurrences")
    request = body(bench, occurrence)
    for _ in range(2):
        assert refused(lambda: execution.recover(bench.engine, request)).code == Code.ILLEGAL_TRANSITION


def test_a_new_attempt_comes_with_a_later_version(bench: Bench) -> None:
    request = body(bench, lost(bench), evidenceDetermination="retry_with_new_attempt")
    assert refused(lambda: execution.recover(bench.engine, request)).code == Code.CAPABILITY_UNSUPPORTED
    assert bench.states() == [("notes", "recovery_required", "running", "ambiguous")]


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
        assert refused(lambda: execution.recover(bench.engine, request)).code == Code.VALIDATION_FAILED
    assert bench.states() == [("notes", "recovery_required", "running", "ambiguous")]


def test_the_event_names_the_command_that_caused_it(bench: Bench) -> None:
    request = body(bench, lost(bench))
    execution.recover(bench.engine, request)
    told = bench.rows(
        "SELECT kind, json_extract(body, '$.causation.adoptionKey') FROM events ORDER BY position DESC LIMIT 2"
    )
    assert told == [
        ("occurrence.transitioned", request["adoptionKey"]),
        ("run.transitioned", request["adoptionKey"]),
    ]
