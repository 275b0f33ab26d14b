"""Every read, member by member (contract/commands.md §5.1, contract/engine.md §10)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from coven_desktop.contract.errors import Refusal
from coven_desktop.engine.commands import definitions, execution
from coven_desktop.engine.reads import open_reads
from coven_desktop.store import maintenance
from tests.engine.conftest import HOUR, SECOND, Bench, definition
from tests.engine.test_claiming import planned_behind

OCCURRENCE = [
    "id",
    "automationId",
    "automationRevision",
    "definitionDigest",
    "scheduledFor",
    "kind",
    "state",
    "leaseOwner",
    "leaseExpiresAt",
    "schedulerGeneration",
    "fenceGeneration",
    "failureReason",
    "createdAt",
    "updatedAt",
]
RUN = [
    "id",
    "automationId",
    "occurrenceId",
    "receiptId",
    "sessionId",
    "familiarId",
    "runtime",
    "status",
    "exitCode",
    "logJson",
    "outputCommit",
    "startedAt",
    "finishedAt",
    "attempts",
]
INSPECTION = {*RUN, "automationRevision", "definitionDigest", "authorityProfile", "timeoutAt"}
ATTEMPT = [
    "id",
    "runId",
    "occurrenceId",
    "attemptNumber",
    "adoptionKey",
    "occurrenceFenceGeneration",
    "dispatchGeneration",
    "state",
    "failureClass",
    "priorAttemptNumber",
    "priorDisposition",
    "retryClassification",
    "notBefore",
    "sessionId",
    "stateReason",
    "openedAt",
    "settledAt",
]
LAST_PASS = [
    "generation",
    "trigger",
    "scheduledAt",
    "startedAt",
    "startLagMs",
    "finishedAt",
    "durationMs",
    "status",
    "errorClass",
    "planned",
    "recovered",
    "claimed",
    "dispatched",
    "failures",
]
QUEUE = [
    "planned",
    "claimed",
    "running",
    "recoveryRequired",
    "batchLimit",
    "planningBatchLimit",
    "planningAfterDefinitionId",
    "oldestEligibleAt",
    "oldestEligibleAgeMs",
]


def test_routines_are_the_live_ones_by_name(bench: Bench) -> None:
    for automation_id, name in (("a", "zebra"), ("b", "Zebra"), ("c", "apple"), ("gone", "x")):
        bench.create(automation_id, name=name)
    definitions.delete(bench.engine, {"id": "gone"})
    assert [json.loads(bytes(routine))["id"] for routine in bench.engine.reads.routines()] == ["b", "c", "a"]
    assert bench.engine.reads.routine("a") == definition("a", name="zebra")
    assert bench.engine.reads.routine("gone") is None
    assert bench.engine.reads.routine("never") is None


def test_a_broken_routine_does_not_spoil_the_list(bench: Bench) -> None:
    bench.create("a")
    bench.create("b")
    bench.store.connection.execute("UPDATE definitions SET body = '{\"id\":\"a\"}' WHERE id = 'a'")
    assert [json.loads(bytes(routine)) for routine in bench.engine.reads.routines()] == [{"id": "a"}, definition("b")]


def test_an_occurrence(bench: Bench) -> None:
    bench.run_due()
    occurrence_id = bench.value("SELECT id FROM occurrences")
    shown = bench.engine.reads.occurrence(occurrence_id)
    assert shown is not None
    assert list(shown) == [*OCCURRENCE, "runs", "runsTruncated"]
    spec = bench.world.launched[0]
    digest = bench.value("SELECT digest FROM definitions")
    assert {name: shown[name] for name in OCCURRENCE} == {
        "id": occurrence_id,
        "automationId": "notes",
        "automationRevision": 1,
        "definitionDigest": digest,
        "scheduledFor": "2026-09-01T10:00:00.000Z",
        "kind": "scheduled",
        "state": "running",
        "leaseOwner": "daemon",
        "leaseExpiresAt": "2026-09-01T11:00:00.000Z",
        "schedulerGeneration": 1,
        "fenceGeneration": 1,
        "failureReason": None,
        "createdAt": "2026-09-01T10:00:00.000Z",
        "updatedAt": "2026-09-01T10:00:00.000Z",
    }
    (run,) = shown["runs"]
    assert set(run) == INSPECTION
    assert (run["timeoutAt"], run["authorityProfile"]) == ("2026-09-01T10:30:00.000Z", None)
    assert (run["automationRevision"], run["definitionDigest"]) == (1, digest)
    (attempt,) = run["attempts"]
    assert list(attempt) == ATTEMPT
    assert attempt == {
        "id": spec.attempt_id,
        "runId": spec.run_id,
        "occurrenceId": occurrence_id,
        "attemptNumber": 1,
        "adoptionKey": f"automation:{spec.run_id}:1",
        "occurrenceFenceGeneration": 1,
        "dispatchGeneration": 1,
        "state": "observing",
        "failureClass": None,
        "priorAttemptNumber": None,
        "priorDisposition": None,
        "retryClassification": "initial",
        "notBefore": "2026-09-01T10:00:00.000Z",
        "sessionId": spec.session_id,
        "stateReason": None,
        "openedAt": "2026-09-01T10:00:00.000Z",
        "settledAt": None,
    }
    assert bench.engine.reads.run(spec.run_id) == run
    assert bench.engine.reads.occurrence("unknown") is None
    assert bench.engine.reads.run("unknown") is None
    assert shown["runsTruncated"] is False


def test_runs_are_newest_first_and_the_limit_is_clamped(bench: Bench) -> None:
    bench.create()
    for _ in range(25):
        bench.done(execution.run(bench.engine, {"id": "notes"}))
        bench.advance(SECOND)
        bench.end()
    reads = bench.engine.reads
    shown = reads.runs("notes")
    assert len(shown) == 20
    assert list(shown[0]) == RUN
    assert [run["startedAt"] for run in shown] == sorted((run["startedAt"] for run in shown), reverse=True)
    for limit, count in ((3, 3), (0, 1), (-5, 1), (1000, 25), ("7", 20), (2.0, 20), (True, 20), (None, 20)):
        assert len(reads.runs("notes", limit)) == count
    assert reads.runs("unknown") == []


@pytest.mark.parametrize("view", ["due", "eligible", "claimed", "running", "recovery_required"])
def test_the_views_of_the_occurrences(bench: Bench, view: str) -> None:
    planned_behind(bench)
    bench.create("waiting", rrule="FREQ=DAILY;BYHOUR=10")
    shown = bench.engine.reads.occurrence_list(view)
    expected = {"due": ["notes"], "eligible": ["notes"], "running": ["first"]}.get(view, [])
    assert [row["automationId"] for row in shown] == expected
    assert all(list(row) == OCCURRENCE for row in shown)


def test_a_view_can_be_narrowed_and_limited(bench: Bench) -> None:
    bench.again(places=1)
    for name in "abc":
        bench.create(name, rrule="FREQ=DAILY;BYHOUR=10")
    bench.advance(HOUR)
    reads = bench.engine.reads
    for view in ("due", "eligible"):
        assert [row["automationId"] for row in reads.occurrence_list(view)] == ["b", "c"]
        assert [row["automationId"] for row in reads.occurrence_list(view, 1)] == ["b"]
        assert [row["automationId"] for row in reads.occurrence_list(view, 1, "c")] == ["c"]


def test_what_is_blocked_is_due_but_not_eligible(bench: Bench) -> None:
    bench.run_due(timeoutMinutes=600)
    bench.advance(HOUR)
    assert len(bench.engine.reads.occurrence_list("due")) == 1
    assert bench.engine.reads.occurrence_list("eligible") == []


@pytest.mark.parametrize("view", [None, "planned", "", 3, ["due"]])
def test_an_unknown_view_is_refused(bench: Bench, view: Any) -> None:
    with pytest.raises(Refusal) as caught:
        bench.engine.reads.occurrence_list(view)
    assert caught.value.reason == (
        "coven.automations.occurrence.list.v1 requires field `view` equal to due, eligible, claimed, running, or"
        " recovery_required"
    )


@pytest.mark.parametrize("limit", [0, 101, -1, "5", 1.5, True])
def test_a_bad_limit_is_refused(bench: Bench, limit: Any) -> None:
    with pytest.raises(Refusal) as caught:
        bench.engine.reads.occurrence_list("due", limit)
    assert caught.value.reason == "coven.automations.occurrence.list.v1 field `limit` must be an integer from 1 to 100"


def test_the_scheduler_s_status(bench: Bench) -> None:
    planned_behind(bench)
    bench.advance(3 * SECOND)
    status = bench.engine.reads.scheduler_status()
    assert list(status) == ["authorityAssigned", "generation", "ownerId", "acquiredAt", "lastPass", "queue"]
    assert list(status["lastPass"]) == LAST_PASS
    assert list(status["queue"]) == QUEUE
    assert status["queue"] == {
        "planned": 1,
        "claimed": 0,
        "running": 1,
        "recoveryRequired": 0,
        "batchLimit": 64,
        "planningBatchLimit": 64,
        "planningAfterDefinitionId": None,
        "oldestEligibleAt": "2026-09-01T10:00:00.000Z",
        "oldestEligibleAgeMs": 3_000,
    }
    bench.clock.shift = 5
    assert bench.engine.reads.scheduler_status()["clockShiftMs"] == 5


def test_a_scheduler_that_never_ran_has_no_last_pass(bench: Bench) -> None:
    bench.store.connection.execute("DELETE FROM scheduler_last_pass")
    status = bench.engine.reads.scheduler_status()
    assert status["lastPass"] is None
    assert (status["queue"]["oldestEligibleAt"], status["queue"]["oldestEligibleAgeMs"]) == (None, None)


def test_a_session(bench: Bench) -> None:
    session = bench.run_due(familiarId="cat")
    bench.advance(SECOND)
    bench.end(3)
    assert bench.engine.reads.session(session) == {
        "id": session,
        "project_root": "/tmp",
        "harness": "shell",
        "title": "Notes",
        "status": "failed",
        "exit_code": 3,
        "archived_at": None,
        "created_at": "2026-09-01T10:00:00.000Z",
        "updated_at": "2026-09-01T10:00:01.000Z",
        "conversation_id": None,
        "familiar_id": "cat",
        "execution_binding": None,
        "labels": [],
        "visibility": "private",
        "external": False,
        "transcript_path": None,
    }
    assert bench.engine.reads.session("unknown") is None


def test_the_storage(bench: Bench) -> None:
    storage = bench.engine.reads.storage()
    assert set(storage) == {"status", "databaseBytes", "walBytes", "freeDiskBytes"}
    assert storage["status"] == "ok"
    assert storage["databaseBytes"] == bench.home.database.stat().st_size
    with bench.engine.core.change() as tx:
        maintenance.put(tx, "storage", "degraded")
    assert bench.engine.reads.storage()["status"] == "degraded"
    assert bench.engine.reads.state_summary().storage == "degraded"


def test_the_summary_of_the_state(bench: Bench) -> None:
    bench.create("paused", status="PAUSED")
    bench.create("later", name="Later", rrule="FREQ=DAILY;BYHOUR=15")
    bench.create("lost")
    session = bench.run_due()
    spec = bench.world.launched[-1]
    lost = next(spec.session_id for spec in bench.world.launched if spec.automation_id == "lost")
    summary = bench.engine.reads.state_summary()
    shown = {run.automation_id: run for run in summary.running}
    assert set(shown) == {"lost", "notes"}
    run = shown[spec.automation_id]
    assert (run.session_id, run.attempt_id, run.run_id, run.name) == (
        session,
        spec.attempt_id,
        spec.run_id,
        spec.automation_id.title(),
    )
    assert run.started_at == bench.clock.wall()
    assert not run.stopping
    assert (summary.active, summary.paused, summary.attention) == (3, 1, 0)
    assert [(firing.automation_id, firing.at - bench.clock.wall()) for firing in summary.next] == [
        ("lost", HOUR),
        ("notes", HOUR),
        ("later", 5 * HOUR),
    ]
    bench.runtime.end(lost, None)
    bench.turn()
    summary = bench.engine.reads.state_summary()
    assert (len(summary.running), summary.attention) == (1, 1)


def test_another_connection_reads_the_same(bench: Bench) -> None:
    bench.run_due()
    reads = open_reads(bench.home, bench.clock)
    try:
        assert reads.state_summary() == bench.engine.reads.state_summary()
        assert reads.runs("notes") == bench.engine.reads.runs("notes")
    finally:
        reads.close()
