"""Rows as the contract shows them (contract/commands.md §5.2, contract/api.md §a)."""

from __future__ import annotations

import json
from typing import Any

from coven_desktop.contract import routine
from coven_desktop.contract.rich_definition import as_it_stands
from coven_desktop.store import deliveries, misfires, rich_definitions, runs, stops
from coven_desktop.store.definitions import DefinitionRow
from coven_desktop.store.occurrences import OccurrenceRow
from coven_desktop.store.runs import AttemptRow, RunRow, SessionRow
from coven_desktop.store.transactions import Reader

RUNS_OF_OCCURRENCE = 20
NOT_RUN = ("missed", "overlap", "catch_up")
"""Why a slot of a cadence or cron routine does not run (design/schedules.md, Shapes)."""


def rich_definition(reader: Reader, row: DefinitionRow) -> dict[str, Any] | None:
    """The rich definition that a routine stands for, as it is now; None for a flat one (contract/commands.md §7.4)."""
    written = rich_definitions.get(reader, row.id)
    if written is None:
        return None
    return as_it_stands(written, revision=row.revision, lifecycle_state=row.lifecycle)


def occurrence(reader: Reader, row: OccurrenceRow) -> dict[str, Any]:
    """The occurrence projection; of a cadence or cron routine also why it did not run, and for which it stands."""
    return _not_run(reader, row) | {
        "id": row.id,
        "automationId": row.automation_id,
        "automationRevision": row.automation_revision,
        "definitionDigest": row.definition_digest,
        "scheduledFor": row.scheduled_for,
        "kind": row.kind,
        "state": row.state,
        "leaseOwner": row.lease_owner,
        "leaseExpiresAt": row.lease_expires_at,
        "schedulerGeneration": row.scheduler_generation,
        "fenceGeneration": row.fence,
        "failureReason": row.failure_reason,
        "createdAt": row.created_at,
        "updatedAt": row.updated_at,
    }


def attempt(row: AttemptRow) -> dict[str, Any]:
    """The attempt projection."""
    return {
        "id": row.id,
        "runId": row.run_id,
        "occurrenceId": row.occurrence_id,
        "attemptNumber": row.attempt_number,
        "adoptionKey": row.adoption_key,
        "occurrenceFenceGeneration": row.occurrence_fence,
        "dispatchGeneration": row.dispatch_generation,
        "state": row.state,
        "failureClass": row.failure_class,
        "priorAttemptNumber": row.prior_attempt_number,
        "priorDisposition": row.prior_disposition,
        "retryClassification": row.retry_classification,
        "notBefore": row.not_before,
        "sessionId": row.session_id,
        "stateReason": row.state_reason,
        "openedAt": row.opened_at,
        "settledAt": row.settled_at,
    }


def run(reader: Reader, row: RunRow) -> dict[str, Any]:
    """The run projection of `runs`: with the latest attempt's cancellation when there is one."""
    attempts = runs.attempts(reader, row.id)
    projected: dict[str, Any] = _run(reader, row) | {"attempts": [attempt(each) for each in attempts]}
    cancellation = stops.latest_cancellation(reader, attempts[-1].id) if attempts else None
    if cancellation is not None:
        projected["cancellation"] = _cancellation(cancellation)
    return projected


def run_inspection(reader: Reader, row: RunRow) -> dict[str, Any]:
    """The run projection of run.get and occurrence.get: no cancellation, but what the run is pinned to."""
    return _run(reader, row) | {
        "automationRevision": row.automation_revision,
        "definitionDigest": row.definition_digest,
        "authorityProfile": row.authority_profile,
        "timeoutAt": row.timeout_at,
        "attempts": [attempt(each) for each in runs.attempts(reader, row.id)],
    }


def session(row: SessionRow) -> dict[str, Any]:
    """The session record of GET sessions/:id."""
    return {
        "id": row.id,
        "project_root": row.project_root,
        "harness": row.harness,
        "title": row.title,
        "status": row.status,
        "exit_code": row.exit_code,
        "archived_at": None,
        "created_at": row.created_at,
        "updated_at": row.updated_at,
        "conversation_id": None,
        "familiar_id": row.familiar_id,
        "execution_binding": None,
        "labels": [],
        "visibility": "private",
        "external": False,
        "transcript_path": None,
    }


def _not_run(reader: Reader, row: OccurrenceRow) -> dict[str, Any]:
    """Occurrences of contract routines have the contract's members alone."""
    if row.kind != "scheduled":
        return {}
    told: dict[str, Any] = {"reasonClass": row.reason_class} if row.reason_class in NOT_RUN else {}
    missed = misfires.missed(reader, row.id)
    if missed is not None:
        told["missed"] = {"slots": missed[0], "first": missed[1], "last": missed[2]}
    return told


def _run(reader: Reader, row: RunRow) -> dict[str, Any]:
    return _delivery(reader, row) | {
        "id": row.id,
        "automationId": row.automation_id,
        "occurrenceId": row.occurrence_id,
        "receiptId": row.receipt_id,
        "sessionId": row.session_id,
        "familiarId": row.familiar_id,
        "runtime": row.runtime,
        "status": row.status,
        "exitCode": row.exit_code,
        "logJson": row.log_json,
        "outputCommit": row.output_commit,
        "startedAt": row.started_at,
        "finishedAt": row.finished_at,
    }


def _delivery(reader: Reader, row: RunRow) -> dict[str, Any]:
    """Of a run of our own families what its command came to and, apart from it, what became of its output.

    Runs of contract routines have the contract's members alone.
    """
    # not parsed: the run is told also when its definition would not be accepted any more
    snapshot: dict[str, Any] = json.loads(row.definition_snapshot)
    if snapshot.get("schemaVersion") != routine.SCHEMA_VERSION:
        return {}
    found = deliveries.outcome(reader, row.id)
    told: dict[str, Any] = {"outcome": found.outcome, "deliveryStatus": found.status, "deliveryError": found.error}
    return told | ({"delivery": snapshot["delivery"]} if "delivery" in snapshot else {})


def _cancellation(row: stops.Cancellation) -> dict[str, Any]:
    shown: dict[str, Any] = {
        "scope": row.scope,
        "requestedBy": json.loads(row.requested_by),
        "status": row.state,
        "requestedAt": row.requested_at,
        "reason": row.reason,
    }
    if row.acknowledged_at is not None:
        shown["acknowledgedAt"] = row.acknowledged_at
    if row.reconciled_at is not None:
        shown["reconciledAt"] = row.reconciled_at
    return shown
