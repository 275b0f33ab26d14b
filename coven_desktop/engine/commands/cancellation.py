"""run.cancel.v1 and occurrence.cancel.v1 (contract/commands.md §4.2 to §4.5).

A run is cancelled by stopping its session; the answer comes with the proof of the stop. An occurrence is cancelled
at once while nothing runs, else by the run.cancel.v1 it delegates to.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from coven_desktop.contract import ids, timestamps
from coven_desktop.contract.errors import Code, TypedRefusal
from coven_desktop.contract.text import is_blank
from coven_desktop.engine import adoption, cancellation
from coven_desktop.engine.answers import Answer, Outcome, Pending
from coven_desktop.engine.commands import fields
from coven_desktop.engine.core import STOP_FENCE_MS
from coven_desktop.engine.engine import Engine
from coven_desktop.engine.settlement import LIVE
from coven_desktop.store import occurrences, runs, stops, transitions
from coven_desktop.store.adoptions import Adoption
from coven_desktop.store.transactions import Transaction

COMMAND = "occurrence.cancel.v1"
KIND = "automations.occurrence.cancellation"
DEFAULT_REASON = "cancelled by the owner"
OWNER = "principal:coven-local-owner"

_RUN_MEMBERS = ("runId", "attemptId", "runtimeCorrelation", "scope", "reason", "requestedBy")


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
        lease_expires_at=timestamps.to_text(tx.now + STOP_FENCE_MS),
    )


def cancel_occurrence(engine: Engine, body: Mapping[str, Any]) -> Answer | Pending:
    """Cancel an occurrence. While its session lives the answer comes with the proof of the stop."""

    def apply(tx: Transaction, key: str) -> Answer:
        fields.closed(body, COMMAND, ("occurrenceId",), ("reason",))
        occurrence_id = fields.entity_id(body, "occurrenceId")
        asked = fields.bounded_text(body, "reason", 500, allow_empty=True)
        reason = DEFAULT_REASON if asked is None or is_blank(asked) else asked
        occurrence = occurrences.get(tx, occurrence_id)
        if occurrence is None:
            raise TypedRefusal(Code.NOT_FOUND, f"no occurrence with id `{occurrence_id}`")
        if occurrence.state == "recovery_required":
            raise _illegal("the occurrence waits for recovery; decide it with occurrence.recover.v1")
        run = runs.open_of_occurrence(tx, occurrence_id)
        attempt = runs.latest_attempt(tx, run.id) if run is not None else None
        if run is not None and attempt is not None and attempt.state in LIVE:
            if run.session_id is None:
                raise _pending("the attempt has no session yet; cancel again with a new key")
            return Answer({"delegated": _delegated(key, run.id, attempt.id, run.session_id, reason)})
        if occurrence.state in ("planned", "claimed") and run is None:
            transitions.must_move(
                tx,
                "occurrence",
                occurrence_id,
                ("planned", "claimed"),
                "cancelled",
                changes=occurrences.settled(reason, "cancelled"),
                adoption_key=key,
            )
            payload = {
                "occurrenceId": occurrence_id,
                "status": "cancelled",
                "reason": reason,
                "cancelledAt": tx.now_text,
            }
            return Answer(payload, kind=KIND, in_result=True)
        raise _illegal(f"the occurrence is {occurrence.state} and cannot be cancelled any more")

    def replay(adopted: Adoption) -> Answer:
        return Answer(adopted.response, kind=KIND, in_result=True, reason=cancellation.REPLAYED)

    answer = adoption.strict(engine.core, body, command=COMMAND, replay=replay, apply=apply)
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
    return _follow(cancel_run(engine, delegated), body["occurrenceId"])


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


def _follow(outcome: Answer | Pending, occurrence_id: str) -> Answer | Pending:
    """The run's answer, told of the occurrence that was asked for."""
    if isinstance(outcome, Answer):
        return _of_occurrence(outcome, occurrence_id)
    pending = Pending()

    def done(result: Outcome) -> None:
        pending.complete(_of_occurrence(result, occurrence_id) if isinstance(result, Answer) else result)

    outcome.when_done(done)
    return pending


def _of_occurrence(answer: Answer, occurrence_id: str) -> Answer:
    return replace(answer, payload={**answer.payload, "occurrenceId": occurrence_id}, kind=KIND)


def _illegal(message: str) -> TypedRefusal:
    return TypedRefusal(Code.ILLEGAL_TRANSITION, message)


def _pending(message: str, *, retryable: bool = False) -> TypedRefusal:
    return TypedRefusal(Code.CANCEL_PENDING, message, retryable=retryable)
