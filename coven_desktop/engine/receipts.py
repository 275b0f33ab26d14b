"""The end of a run and its receipt, which are written together; and what reading a receipt verifies.

There is no other way for the engine to end a run: state, receipt and both events are one transaction (decisions.md 37).
Runs that an earlier version settled have no receipt and get none: what is known of them now was not sealed then.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from typing import Any, Literal

from coven_desktop.contract import digest
from coven_desktop.contract.errors import Code, TypedRefusal
from coven_desktop.contract.receipts import PRIVATE, SIDE_EFFECTS, Disposition, Facts, Recovery, document, is_sealed
from coven_desktop.store import events, open_runs, receipts, runs, schedule_state, transitions
from coven_desktop.store.errors import StoreBug
from coven_desktop.store.receipts import ReceiptRow
from coven_desktop.store.runs import AttemptRow, RunRow, SessionRow
from coven_desktop.store.transactions import Reader, Transaction, Value

_log = logging.getLogger(__name__)

_EVIDENCE = (
    *("sessionId", "attemptId", "outcome", "exitCode", "signal", "startedAt", "endedAt", "stopReason", "quiescent"),
    *("outputBytes", "outputDropped", "outputSha256"),
)

VERIFICATION: Mapping[str, Any] = {
    "status": "unverifiable",
    "integrity": "valid",
    "correlation": "valid",
    "receiptAuthentication": {"status": "unverified", "evidence": "unavailable"},
    "runtimeAuthority": {"status": "unverified", "evidence": "unavailable"},
    "reasons": ["PRODUCER_AUTHENTICATION_UNVERIFIED", "RUNTIME_AUTHORITY_UNVERIFIED"],
}
"""What a receipt that is read has proven, and what nothing here can prove: who wrote it, and by whose leave."""


def end_run(
    tx: Transaction,
    run: RunRow,
    outcome: Literal["succeeded", "failed", "cancelled"],
    *,
    reason: str | None,
    changes: Mapping[str, Value],
    recovery: Recovery = "deferred_to_operator",
    adoption_key: str | None = None,
) -> None:
    """End a running run, with `changes` to its other columns, and give it its receipt.

    Its attempt has ended before, in the same transaction. `reason` is for people. `recovery` counts where nobody knew
    how the attempt ended: whether evidence decided it after all, or a person.
    """
    attempt = runs.latest_attempt(tx, run.id)
    if attempt is None:
        raise StoreBug(f"run {run.id} has no attempt")
    receipt = document(_facts(tx, run, attempt, outcome, reason, recovery), tx.now_text)
    receipts.insert(tx, receipt)
    transitions.must_move(
        tx,
        "run",
        run.id,
        ("running",),
        outcome,
        changes={**changes, "receipt_id": receipt["receiptId"]},
        adoption_key=adoption_key,
    )
    _count(tx, run, outcome)
    disposition = receipt["outcome"]["disposition"]
    events.append(
        tx,
        stream_kind="run",
        stream_id=run.id,
        kind="receipt.recorded",
        summary=f"receipt of a run: {disposition}",
        payload={"receiptRef": receipt["receiptId"], "outcome": disposition, "sideEffectClass": SIDE_EFFECTS},
        automation_id=run.automation_id,
        occurrence_id=run.occurrence_id,
        run_id=run.id,
        attempt_id=attempt.id,
        adoption_key=adoption_key,
        sealed=True,
    )


def _count(tx: Transaction, run: RunRow, outcome: str) -> None:
    """Count failures in a row, where the routine's family has that (design/schedules.md, cron); not of a deleted one.

    A cancelled run neither counts nor begins anew.
    """
    if outcome == "succeeded":
        schedule_state.forget_failures(tx, run.automation_id)
    elif outcome == "failed" and not open_runs.has_outlived(tx, run.id):
        schedule_state.count_failure(tx, run.automation_id)


def read(reader: Reader, receipt_id: str) -> dict[str, Any]:
    """A receipt with what reading it has verified: its digest, and that it is the one of its run.

    Raises NOT_FOUND; INTERNAL when what is stored is not what was sealed; AUTHORITY_REQUIRED for a private one.
    """
    row = receipts.get(reader, receipt_id)
    if row is None:
        raise TypedRefusal(Code.NOT_FOUND, f"no receipt with id `{receipt_id}`")
    receipt = json.loads(row.body)
    fault = _fault(reader, row, receipt)
    if fault is not None:
        _log.error("receipt %s: %s", receipt_id, fault)
        raise TypedRefusal(Code.INTERNAL, "the stored receipt is not what was sealed; the app's log says more")
    if receipt["privacy"]["classification"] in PRIVATE:
        raise TypedRefusal(Code.AUTHORITY_REQUIRED, "this receipt is private")
    return {"receipt": receipt, "verification": {**VERIFICATION}}


def _facts(
    tx: Transaction,
    run: RunRow,
    attempt: AttemptRow,
    outcome: Literal["succeeded", "failed", "cancelled"],
    reason: str | None,
    recovery: Recovery,
) -> Facts:
    # not parsed: a run is ended also when its definition would not be accepted any more
    definition = json.loads(run.definition_snapshot)
    disposition: Disposition = outcome
    failure_class = None
    if outcome == "failed":
        disposition = "timed_out" if attempt.state == "timed_out" else "failed"
        failure_class = attempt.failure_class
    elif outcome == "cancelled":
        failure_class = "cancelled"
    # an attempt has its session once the runtime has taken it over, and nothing was handed over before
    session = runs.session(tx, attempt.session_id) if attempt.session_id is not None else None
    return Facts(
        automation_id=run.automation_id,
        automation_revision=run.automation_revision,
        definition_digest=run.definition_digest,
        occurrence_id=attempt.occurrence_id,
        occurrence_fence=attempt.occurrence_fence,
        run_id=run.id,
        attempt_id=attempt.id,
        attempt_number=attempt.attempt_number,
        familiar_id=run.familiar_id,
        runtime=run.runtime,
        model=definition.get("model"),
        delivery=_delivery(run, session, definition) if session is not None else None,
        result=_result(session.evidence) if session is not None and session.evidence is not None else None,
        disposition=disposition,
        failure_class=failure_class,
        detail=reason,
        recovery=recovery if attempt.state == "ambiguous" else "not_required",
    )


def _delivery(run: RunRow, session: SessionRow, definition: Mapping[str, Any]) -> dict[str, Any]:
    """What the runtime was given."""
    return {
        "sessionId": session.id,
        "runtimeId": run.runtime,
        "model": definition.get("model"),
        "familiarId": run.familiar_id,
        "cwd": session.project_root,
        "promptSha256": digest.sha256_hex(str(definition.get("prompt", "")).encode()),
    }


def _result(evidence: str) -> dict[str, Any]:
    """What the session left: how it ended and what it printed. Not the names of processes, which may be no text."""
    found = json.loads(evidence)
    return {name: found.get(name) for name in _EVIDENCE}


def _fault(reader: Reader, row: ReceiptRow, receipt: Any) -> str | None:
    """What is wrong with a stored receipt, or None. Its run may have been pruned; then the row speaks alone."""
    if not isinstance(receipt, dict) or not is_sealed(receipt):
        return "its digest is not that of its content"
    told = tuple(receipt.get(name) for name in ("receiptId", "runId", "attemptId", "automationId", "producedAt"))
    if told != (row.id, row.run_id, row.attempt_id, row.automation_id, row.produced_at):
        return "it was stored for another run"
    run = runs.get(reader, row.run_id)
    if run is None:
        return None
    pinned = (run.receipt_id, run.automation_id, run.automation_revision, run.definition_digest, run.occurrence_id)
    if pinned != (
        *(receipt.get(name) for name in ("receiptId", "automationId", "automationRevision")),
        receipt["definitionDigest"]["value"],
        receipt.get("occurrenceId"),
    ):
        return "its run is not as it says"
    return None
