"""run.cancel.v1 and occurrence.cancel.v1 (contract/commands.md §4.2 to §4.5).

A run is cancelled by stopping its session; the answer comes with the proof of the stop. An occurrence is cancelled
at once while nothing runs, else by the run.cancel.v1 it delegates to.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from coven_desktop.contract import ids, timestamps
from coven_desktop.contract.errors import Code, TypedRefusal
from coven_desktop.contract.text import is_blank
from coven_desktop.engine import adoption, cancellation, planning_cadence, receipts, settlement
from coven_desktop.engine.answers import Answer, Outcome, Pending
from coven_desktop.engine.commands import fields
from coven_desktop.engine.core import STOP_FENCE_MS
from coven_desktop.engine.engine import Engine
from coven_desktop.engine.settlement import LIVE
from coven_desktop.store import occurrences, runs, stops, transitions
from coven_desktop.store.adoptions import Adoption
from coven_desktop.store.occurrences import OccurrenceRow
from coven_desktop.store.runs import AttemptRow, RunRow
from coven_desktop.store.transactions import Transaction

DEFAULT_REASON = "cancelled by the owner"
OWNER = "principal:coven-local-owner"

_RUN_MEMBERS = ("runId", "attemptId", "runtimeCorrelation", "scope", "reason", "requestedBy")


@dataclass(frozen=True)
class _Target:
    """What a cancellation names: its command, the kind of its answer, and the member with the id."""

    command: str
    kind: str
    member: str


_OCCURRENCE = _Target("occurrence.cancel.v1", "automations.occurrence.cancellation", "occurrenceId")
_ATTEMPT = _Target("attempt.cancel.v1", "automations.attempt.cancellation", "attemptId")


class _WaitOver(TypedRefusal):
    """The waiting attempt's deadline has come: it is timed out, not cancelled."""

    def __init__(self, run_id: str) -> None:
        super().__init__(Code.ILLEGAL_TRANSITION, "the run's deadline has come while its retry waited")
        self.run_id = run_id


class _DeadlineCame(TypedRefusal):
    """The run is not cancelled but timed out, at once."""

    def __init__(self) -> None:
        super().__init__(Code.ILLEGAL_TRANSITION, "the run's deadline has come; it is being timed out")


def cancel_run(engine: Engine, body: Mapping[str, Any]) -> Answer | Pending:
    """run.cancel.v1: reserve the key and take the stop of the run in one transaction, then stop.

    The answer comes when the stop is confirmed, or when its time is over. A cancellation that is reserved and was
    not carried out (contract/commands.md §4.5) is carried out by the same request.
    """
    key = adoption.key_of(body)
    fingerprint = adoption.fingerprint_of(body)
    # a stop whose time is over has its outcome before anybody asks for it
    engine.stopping.expire()
    refusal: TypedRefusal | None = None
    with engine.core.change() as tx:
        adopted = adoption.find(tx, key, cancellation.COMMAND, fingerprint)
        if adopted is not None:
            if adopted.outcome == "rejected":
                raise adoption.stored_refusal(adopted)
            return cancellation.answer(adopted.response, replayed=True)
        mine = stops.cancellation(tx, key)
        if mine is not None:
            if mine.fingerprint != fingerprint:
                raise adoption.reserved()
            if mine.state != "requested":
                raise _pending("this cancellation is under way; send the same request again for its outcome")
        try:
            if mine is None:
                reserve(tx, key, fingerprint, body)
            else:
                _check_live(tx, body, key)
        except TypedRefusal as refused:
            refusal = refused
            if mine is not None:
                stops.set_state(tx, key, "rejected")
            adoption.adopt(tx, key=key, command=cancellation.COMMAND, fingerprint=fingerprint, outcome=refused)
        else:
            _take_stop(engine, tx, key, body)
    if isinstance(refusal, _DeadlineCame):
        engine.stopping.enforce_deadline(body["runId"])
    if refusal is not None:
        raise refusal
    pending = engine.cancellations.add(body["runId"], key)
    engine.stopping.issue(body["runtimeCorrelation"]["sessionId"])
    return pending


def reserve(tx: Transaction, key: str, fingerprint: str, body: Mapping[str, Any]) -> None:
    """Record that a run is to be cancelled, before anything is stopped. Refused with nothing written."""
    _check_shape(body)
    _check_live(tx, body, key)
    stops.request(
        tx,
        adoption_key=key,
        fingerprint=fingerprint,
        run_id=body["runId"],
        attempt_id=body["attemptId"],
        session_id=body["runtimeCorrelation"]["sessionId"],
        reason=body["reason"],
        requested_by=json.dumps(body["requestedBy"]),
        lease_expires_at=timestamps.to_text_capped(tx.now + STOP_FENCE_MS),
    )


def cancel_occurrence(engine: Engine, body: Mapping[str, Any]) -> Answer | Pending:
    """occurrence.cancel.v1. While its session lives the answer comes with the proof of the stop."""
    return _cancel(engine, body, _OCCURRENCE)


def cancel_attempt(engine: Engine, body: Mapping[str, Any]) -> Answer | Pending:
    """attempt.cancel.v1: the same for the latest attempt of a running run."""
    return _cancel(engine, body, _ATTEMPT)


def _cancel(engine: Engine, body: Mapping[str, Any], target: _Target) -> Answer | Pending:
    def apply(tx: Transaction, key: str) -> Answer:
        fields.closed(body, target.command, (target.member,), ("reason",))
        target_id = fields.entity_id(body, target.member)
        asked = fields.bounded_text(body, "reason", 500, allow_empty=True)
        reason = DEFAULT_REASON if asked is None or is_blank(asked) else asked
        occurrence, run, latest = _find(tx, target, target_id)
        if occurrence.state == "recovery_required":
            raise _illegal("the occurrence waits for recovery; decide it with occurrence.recover.v1")
        if run is not None and latest is not None and latest.state in LIVE:
            if run.session_id is None:
                raise _pending("the attempt has no session yet; cancel again with a new key")
            return Answer({"delegated": _delegated(key, run.id, latest.id, run.session_id, reason)})
        if occurrence.state in ("planned", "claimed") and (latest is None or latest.state == "adopted"):
            return Answer(_cancel_waiting(tx, occurrence, run, latest, reason, key), kind=target.kind, in_result=True)
        if target is _OCCURRENCE and run is not None and latest is not None and latest.state == "failed":
            return Answer(_cancel_held(tx, occurrence, run, reason, key), kind=target.kind, in_result=True)
        if run is not None and latest is not None and latest.state == "succeeded":
            raise _illegal("the command has succeeded and what it printed is being delivered, which is not stopped")
        raise _illegal(f"the occurrence is {occurrence.state} and cannot be cancelled any more")

    def replay(adopted: Adoption) -> Answer:
        return Answer(adopted.response, kind=target.kind, in_result=True, reason=cancellation.REPLAYED)

    try:
        answer = adoption.strict(engine.core, body, command=target.command, replay=replay, apply=apply)
    except _WaitOver as over:
        with engine.core.change() as tx:
            run = runs.get(tx, over.run_id)
            if run is not None and run.status == "running":
                settlement.deadline_of_idle(tx, run)
        engine.wake()
        raise
    delegated = answer.payload.get("delegated")
    if delegated is None:
        engine.wake()
        return answer
    attempt = runs.attempt(engine.core.store, delegated["attemptId"])
    if (
        attempt is not None
        and attempt.state == "dispatching"
        and stops.fence(engine.core.store, attempt.run_id) is None
    ):
        raise _pending("the run is just being started; send the same request again", retryable=True)
    return _follow(cancel_run(engine, delegated), target, body[target.member])


def _find(tx: Transaction, target: _Target, target_id: str) -> tuple[OccurrenceRow, RunRow | None, AttemptRow | None]:
    """The occurrence that is meant, its running run and that run's latest attempt."""
    named = runs.attempt(tx, target_id) if target is _ATTEMPT else None
    if target is _ATTEMPT and named is None:
        raise TypedRefusal(Code.NOT_FOUND, f"no attempt with id `{target_id}`")
    occurrence_id = named.occurrence_id if named is not None else target_id
    occurrence = occurrences.get(tx, occurrence_id)
    if occurrence is None:
        raise TypedRefusal(Code.NOT_FOUND, f"no occurrence with id `{target_id}`")
    run = runs.open_of_occurrence(tx, occurrence_id)
    latest = runs.latest_attempt(tx, run.id) if run is not None else None
    if named is not None and (latest is None or latest.id != named.id):
        raise _illegal("the attempt is not the latest one of a running run")
    return occurrence, run, latest


def _cancel_waiting(
    tx: Transaction,
    occurrence: OccurrenceRow,
    run: RunRow | None,
    waiting: AttemptRow | None,
    reason: str,
    key: str,
) -> dict[str, Any]:
    """Nothing is dispatched: occurrence, and waiting attempt with its run, are cancelled at once."""
    payload = {"occurrenceId": occurrence.id, "status": "cancelled", "reason": reason, "cancelledAt": tx.now_text}
    if run is not None and waiting is not None:
        if run.timeout_at is not None and run.timeout_at <= tx.now_text:
            raise _WaitOver(run.id)
        transitions.must_move(
            tx,
            "attempt",
            waiting.id,
            ("adopted",),
            "cancelled",
            changes={"failure_class": "cancelled", "state_reason": reason, "settled_at": tx.now_text},
            adoption_key=key,
        )
        payload |= {"runId": run.id, "attemptId": waiting.id}
    _settle_cancelled(tx, occurrence, run, reason, key)
    return payload


def _cancel_held(tx: Transaction, occurrence: OccurrenceRow, run: RunRow, reason: str, key: str) -> dict[str, Any]:
    """A held run is given up; its failed attempt stays as it is (contract/engine.md §7)."""
    if stops.open_cancellation(tx, run.id) is not None or stops.fence(tx, run.id) is not None:
        raise _pending("a stop of this run has no outcome yet; cancel again with a new key")
    if run.timeout_at is None or run.timeout_at <= tx.now_text:
        raise _illegal("the run's deadline has passed, which ends it")
    _settle_cancelled(tx, occurrence, run, reason, key)
    return {
        "occurrenceId": occurrence.id,
        "status": "cancelled",
        "reason": reason,
        "cancelledAt": tx.now_text,
        "runId": run.id,
    }


def _settle_cancelled(tx: Transaction, occurrence: OccurrenceRow, run: RunRow | None, reason: str, key: str) -> None:
    if run is not None:
        receipts.end_run(tx, run, "cancelled", reason=reason, changes={"finished_at": tx.now_text}, adoption_key=key)
    transitions.must_move(
        tx,
        "occurrence",
        occurrence.id,
        ("planned", "claimed", "running"),
        "cancelled",
        changes=occurrences.settled(reason, "cancelled"),
        adoption_key=key,
    )
    if run is None:
        planning_cadence.go_on_without(tx, occurrence)


def _check_shape(body: Mapping[str, Any]) -> None:
    """The closed shape of run.cancel.v1 (contract/commands.md §4.3)."""
    fields.closed(body, cancellation.COMMAND, _RUN_MEMBERS, ())
    for name in ("runId", "attemptId", "reason"):
        fields.unblank(body[name], name)
    if body["scope"] != "run":
        raise fields.invalid("scope must be run")
    for name, member in (("runtimeCorrelation", "sessionId"), ("requestedBy", "principalId")):
        value = body[name]
        if not isinstance(value, dict) or set(value) != {member}:
            raise fields.invalid(f"{name} must be an object with {member} alone")
        fields.unblank(value[member], f"{name}.{member}")


def _check_live(tx: Transaction, body: Mapping[str, Any], key: str) -> None:
    """Refuse what cannot be cancelled, in the contract's order (contract/commands.md §4.5, step 3)."""
    run = runs.get(tx, body["runId"])
    other = stops.open_cancellation(tx, run.id) if run is not None else None
    if other is not None and other.adoption_key != key:
        raise _pending("another cancellation of this run is under way")
    session_id = body["runtimeCorrelation"]["sessionId"]
    attempt = runs.attempt(tx, body["attemptId"])
    session = runs.session(tx, session_id)
    if (
        run is None
        or attempt is None
        or session is None
        or (attempt.run_id, session.run_id, session.attempt_id) != (run.id, run.id, attempt.id)
    ):
        raise _illegal("run, attempt and session do not name one attempt")
    if run.status != "running" or attempt.state not in LIVE or session.status not in ("created", "running", "orphaned"):
        raise _illegal("the run is not live any more")
    if run.timeout_at is not None and run.timeout_at <= tx.now_text:
        raise _DeadlineCame


def _take_stop(engine: Engine, tx: Transaction, key: str, body: Mapping[str, Any]) -> None:
    """Take the run's stop fence for a reserved cancellation. Refused, with nothing written, when somebody holds it."""
    session_id = body["runtimeCorrelation"]["sessionId"]
    if not engine.stopping.take(tx, body["runId"], "cancellation", body["attemptId"], session_id):
        raise _pending("another operation is stopping this run; send the same request again for its outcome")
    stops.set_state(tx, key, "stopping")


def _delegated(key: str, run_id: str, attempt_id: str, session_id: str, reason: str) -> dict[str, Any]:
    """The exact run.cancel.v1 that stands for this command, now and at every replay."""
    return {
        "action": "coven.automations.run.cancel.v1",
        "adoptionKey": ids.delegated_cancel_key(key),
        "runId": run_id,
        "attemptId": attempt_id,
        "runtimeCorrelation": {"sessionId": session_id},
        "scope": "run",
        "reason": reason,
        "requestedBy": {"principalId": OWNER},
    }


def _follow(outcome: Answer | Pending, target: _Target, target_id: str) -> Answer | Pending:
    """The run's answer, told of what was asked for."""

    def told(answer: Answer) -> Answer:
        return replace(answer, payload={**answer.payload, target.member: target_id}, kind=target.kind)

    if isinstance(outcome, Answer):
        return told(outcome)
    pending = Pending()

    def done(result: Outcome) -> None:
        pending.complete(told(result) if isinstance(result, Answer) else result)

    outcome.when_done(done)
    return pending


def _illegal(message: str) -> TypedRefusal:
    return TypedRefusal(Code.ILLEGAL_TRANSITION, message)


def _pending(message: str, *, retryable: bool = False) -> TypedRefusal:
    return TypedRefusal(Code.CANCEL_PENDING, message, retryable=retryable)
