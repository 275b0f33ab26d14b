"""What the person decides about a run that ended badly: retry it, or recover an unknown outcome.

attempt.retry.v1 is for a held run, whose failure is known; occurrence.recover.v1 for one whose outcome is not
(contract/commands.md §4.6 and §4.7). Neither extends the run's deadline, and neither rewrites an earlier attempt.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from coven_desktop.contract.errors import Code, TypedRefusal
from coven_desktop.engine import adoption, attempts, receipts
from coven_desktop.engine.answers import Answer
from coven_desktop.engine.commands import fields
from coven_desktop.engine.engine import Engine
from coven_desktop.engine.settlement import LIVE
from coven_desktop.store import definitions, occurrences, open_runs, runs, stops, transitions
from coven_desktop.store.adoptions import Adoption
from coven_desktop.store.occurrences import OccurrenceRow
from coven_desktop.store.runs import AttemptRow, RunRow
from coven_desktop.store.transactions import Transaction

RETRY = "attempt.retry.v1"
RETRY_KIND = "automations.attempt.retry"
RECOVER = "occurrence.recover.v1"
RECOVER_KIND = "automations.occurrence.recovery"
FAILED = "failed_deterministic"
NEW_ATTEMPT = "retry_with_new_attempt"


def retry_attempt(engine: Engine, body: Mapping[str, Any]) -> Answer:
    """attempt.retry.v1: open another attempt in a held run, within its original deadline."""

    def apply(tx: Transaction, key: str) -> Answer:
        if body.get("priorDisposition") == "ambiguous":
            raise _ambiguous()
        fields.closed(body, RETRY, ("runId", "priorAttemptNumber", "priorDisposition"), ("note",))
        run_id = fields.entity_id(body, "runId")
        number = body["priorAttemptNumber"]
        if not isinstance(number, int) or isinstance(number, bool) or number < 1:
            raise fields.invalid("priorAttemptNumber must be an integer from 1")
        disposition = body["priorDisposition"]
        if disposition not in ("failed", "timed_out", "cancelled"):
            raise fields.invalid("priorDisposition must be failed, timed_out or cancelled")
        note = fields.bounded_text(body, "note", 500, allow_empty=True)
        run, occurrence, latest = _held(tx, run_id, number, disposition)
        opened = runs.open_attempt(
            tx,
            latest,
            classification="operator_retry",
            not_before=tx.now_text,
            reason="operator retry" + (f": {note}" if note else ""),
            adoption_key=key,
        )
        occurrences.give_back(tx, occurrence.id, ("claimed", "running"), adoption_key=key)
        return Answer(
            {
                "runId": run.id,
                "occurrenceId": occurrence.id,
                "attemptId": opened.id,
                "attemptNumber": opened.attempt_number,
                "priorDisposition": disposition,
                "status": "planned",
                "retriedAt": tx.now_text,
            },
            kind=RETRY_KIND,
            in_result=True,
        )

    return _decide(engine, body, RETRY, RETRY_KIND, "retry", apply)


def recover(engine: Engine, body: Mapping[str, Any]) -> Answer:
    """occurrence.recover.v1: say that a run of unknown outcome has failed, or that it shall be tried again."""

    def apply(tx: Transaction, key: str) -> Answer:
        fields.closed(body, RECOVER, ("occurrenceId", "evidenceDetermination"), ("statement",))
        occurrence_id = fields.entity_id(body, "occurrenceId")
        determination = body["evidenceDetermination"]
        if determination not in (FAILED, NEW_ATTEMPT):
            raise fields.invalid(f"evidenceDetermination must be {FAILED} or {NEW_ATTEMPT}")
        statement = fields.bounded_text(body, "statement", 1000, allow_empty=False)
        occurrence = occurrences.get(tx, occurrence_id)
        if occurrence is None:
            raise TypedRefusal(Code.NOT_FOUND, f"no occurrence with id `{occurrence_id}`")
        if occurrence.state != "recovery_required":
            raise _illegal(f"the occurrence is {occurrence.state}, not recovery_required")
        run = runs.open_of_occurrence(tx, occurrence_id)
        latest = runs.latest_attempt(tx, run.id) if run is not None else None
        if run is not None and run.authority_profile is not None:
            raise TypedRefusal(Code.AUTHORITY_REQUIRED, "the run is bound to an authority profile")
        session = runs.session(tx, run.session_id) if run is not None and run.session_id is not None else None
        if (latest is not None and latest.state in LIVE) or (
            session is not None and session.status in ("created", "running")
        ):
            raise _illegal("the session may still live; cancel the run first")
        reason = f"{attempts.DECIDED} ({determination})" + (f": {statement}" if statement else "")
        if determination == FAILED:
            payload = _recover_failed(tx, occurrence, run, reason, key)
        else:
            payload = _recover_by_attempt(tx, occurrence, run, latest, reason, key)
        shared = {
            "occurrenceId": occurrence_id,
            "automationId": occurrence.automation_id,
            "evidenceDetermination": determination,
            "recoveredAt": tx.now_text,
            **({"statement": statement} if statement else {}),
        }
        return Answer(shared | payload, kind=RECOVER_KIND, in_result=True)

    return _decide(engine, body, RECOVER, RECOVER_KIND, "recovery", apply)


def _decide(
    engine: Engine,
    body: Mapping[str, Any],
    command: str,
    kind: str,
    word: str,
    apply: Callable[[Transaction, str], Answer],
) -> Answer:
    def replay(adopted: Adoption) -> Answer:
        return Answer(adopted.response, kind=kind, in_result=True, reason=f"replayed previously adopted {word}")

    answer = adoption.strict(engine.core, body, command=command, replay=replay, apply=apply)
    engine.wake()
    return answer


def _held(tx: Transaction, run_id: str, number: int, disposition: str) -> tuple[RunRow, OccurrenceRow, AttemptRow]:
    """The held run that a retry names. Refusals in the order of contract/commands.md §4.6, rows 3 to 16."""
    run = runs.get(tx, run_id)
    if run is None:
        raise TypedRefusal(Code.NOT_FOUND, f"no run with id `{run_id}`")
    if run.authority_profile is not None:
        raise TypedRefusal(Code.AUTHORITY_REQUIRED, "the run is bound to an authority profile")
    if run.status != "running":
        raise _illegal(f"the run is {run.status}, not held")
    occurrence = occurrences.get(tx, run.occurrence_id) if run.occurrence_id is not None else None
    latest = runs.latest_attempt(tx, run.id)
    if occurrence is None or latest is None:
        raise _illegal("the run has no occurrence or no attempt")
    if latest.state == "ambiguous":
        raise _ambiguous()
    if latest.state in ("adopted", *LIVE):
        raise _illegal(f"the latest attempt is {latest.state}; there is nothing to retry yet")
    if (latest.attempt_number, latest.state) != (number, disposition):
        raise TypedRefusal(
            Code.RETRY_DISPOSITION_INVALID,
            f"the latest attempt is number {latest.attempt_number} and {latest.state}",
        )
    if latest.attempt_number >= attempts.LAST_ATTEMPT:
        raise _illegal("a run has ten attempts at most")
    if stops.open_cancellation(tx, run.id) is not None or stops.fence(tx, run.id) is not None:
        raise TypedRefusal(Code.CANCEL_PENDING, "a stop of this run has no outcome yet; retry with a new key after it")
    if run.timeout_at is None:
        raise _illegal("the run has no deadline")
    if run.timeout_at <= tx.now_text:
        raise TypedRefusal(Code.DEADLINE_EXCEEDED, "the run's deadline has passed")
    _active(tx, run)
    if definitions.quarantined(tx, run.automation_id):
        raise _illegal("the routine is quarantined; release it first")
    if occurrence.state not in ("claimed", "running"):
        raise _illegal("the run's occurrence is not held for a retry")
    return run, occurrence, latest


def _recover_failed(
    tx: Transaction, occurrence: OccurrenceRow, run: RunRow | None, reason: str, key: str
) -> dict[str, Any]:
    if run is not None:
        receipts.end_run(tx, run, "failed", reason=reason, changes={"finished_at": tx.now_text}, adoption_key=key)
    transitions.must_move(
        tx,
        "occurrence",
        occurrence.id,
        ("recovery_required",),
        "failed",
        changes=occurrences.settled(reason, "operator_recovery"),
        adoption_key=key,
    )
    return {**({"runId": run.id} if run is not None else {}), "status": "failed"}


def _recover_by_attempt(
    tx: Transaction, occurrence: OccurrenceRow, run: RunRow | None, latest: AttemptRow | None, reason: str, key: str
) -> dict[str, Any]:
    if run is None or latest is None:
        raise _illegal("there is no run to try again")
    if latest.state != "ambiguous":
        raise _illegal(f"the latest attempt is {latest.state}, not ambiguous")
    if latest.attempt_number >= attempts.LAST_ATTEMPT:
        raise _illegal("a run has ten attempts at most")
    if latest.state_reason == open_runs.VANISHED and attempts.settles_when_lost(run):
        raise _illegal("a cron run that is lost is not tried again: it fails by itself, six minutes after its start")
    if run.timeout_at is not None and run.timeout_at <= tx.now_text:
        raise TypedRefusal(Code.DEADLINE_EXCEEDED, "the run's deadline has passed; it can only be called failed")
    _active(tx, run)
    opened = runs.open_attempt(
        tx, latest, classification="operator_recovery", not_before=tx.now_text, reason=reason[:1000], adoption_key=key
    )
    occurrences.give_back(tx, occurrence.id, ("recovery_required",), reason=reason, adoption_key=key)
    return {"runId": run.id, "attemptId": opened.id, "attemptNumber": opened.attempt_number, "status": "planned"}


def _active(tx: Transaction, run: RunRow) -> None:
    """The routine must be active, and the one that the run began under: not another that was given its id since."""
    row = definitions.get(tx, run.automation_id)
    if row is None or row.state != "active":
        raise _illegal(f"routine `{run.automation_id}` is {row.state if row is not None else 'missing'}, not active")
    if open_runs.has_outlived(tx, run.id):
        raise _illegal(
            f"the routine of this run was deleted; `{run.automation_id}` is another one now, which does not do its work"
        )


def _illegal(message: str) -> TypedRefusal:
    return TypedRefusal(Code.ILLEGAL_TRANSITION, message)


def _ambiguous() -> TypedRefusal:
    return TypedRefusal(
        Code.AMBIGUOUS_RETRY_FORBIDDEN,
        "what the attempt did is not known, so it is not retried; decide it with occurrence.recover.v1",
    )
