"""Cancelling a run: reserve the key, take the stop fence, stop, and answer when the proof is there.

The order and the refusals are contract/commands.md §4.5. Nothing waits: the command gets a `Pending` that is
completed when the settlement of the run concludes the cancellation (`cancellation.conclude`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from coven_desktop.contract import timestamps
from coven_desktop.contract.errors import Code, TypedRefusal
from coven_desktop.engine import adoption, cancellation
from coven_desktop.engine.answers import Answer, Pending
from coven_desktop.engine.core import STOP_FENCE_MS, Core
from coven_desktop.engine.settlement import LIVE
from coven_desktop.engine.stopping import Stopping
from coven_desktop.store import adoptions, runs, stops
from coven_desktop.store.transactions import Transaction

_MEMBERS = frozenset(
    {"action", "adoptionKey", "runId", "attemptId", "runtimeCorrelation", "scope", "reason", "requestedBy"}
)


class Cancelling:
    """The cancellations somebody waits for."""

    def __init__(self, core: Core, stopping: Stopping) -> None:
        self._core = core
        self._stopping = stopping
        self._waiting: dict[str, list[tuple[str, Pending]]] = {}

    def cancel(self, body: Mapping[str, Any]) -> Answer | Pending:
        """run.cancel.v1. The answer comes when the stop is confirmed, or when its time is over."""
        key = adoption.key_of(body)
        fingerprint = adoption.fingerprint_of(body)
        refusal: TypedRefusal | None = None
        overdue: str | None = None
        session_id = ""
        with self._core.change() as tx:
            adopted = adoption.find(tx, key, cancellation.COMMAND, fingerprint)
            if adopted is not None:
                if adopted.outcome == "rejected":
                    raise adoption.stored_refusal(adopted)
                return cancellation.answer(adopted.response, replayed=True)
            mine = stops.cancellation(tx, key)
            if mine is not None:
                if mine.fingerprint != fingerprint:
                    raise adoption.mismatch("this adoption key is reserved by a cancellation under way")
                raise TypedRefusal(
                    Code.CANCEL_PENDING, "this cancellation is under way; send the same request again for its outcome"
                )
            try:
                _check(body)
                overdue = _reservable(tx, body)
            except TypedRefusal as refused:
                refusal = refused
                adoption.adopt(tx, key=key, command=cancellation.COMMAND, fingerprint=fingerprint, outcome=refused)
            if overdue is not None:
                refusal = TypedRefusal(Code.ILLEGAL_TRANSITION, "the run's deadline has come; it is being timed out")
                adoption.adopt(tx, key=key, command=cancellation.COMMAND, fingerprint=fingerprint, outcome=refusal)
            if refusal is None:
                session_id = body["runtimeCorrelation"]["sessionId"]
                stops.request(
                    tx,
                    adoption_key=key,
                    fingerprint=fingerprint,
                    run_id=body["runId"],
                    attempt_id=body["attemptId"],
                    session_id=session_id,
                    reason=body["reason"],
                    requested_by=json.dumps(body["requestedBy"]),
                    lease_expires_at=timestamps.to_text(tx.now + STOP_FENCE_MS),
                )
        if overdue is not None:
            self._stopping.enforce_deadline(overdue)
        if refusal is not None:
            raise refusal
        return self._execute(key, body["runId"], body["attemptId"], session_id)

    def answer_waiting(self, run_id: str) -> None:
        """Complete the answers of those cancellations of a run that have an outcome by now."""
        still: list[tuple[str, Pending]] = []
        done: list[tuple[Pending, Answer | TypedRefusal]] = []
        for key, pending in self._waiting.pop(run_id, []):
            adopted = adoptions.get(self._core.store, key)
            if adopted is None:
                still.append((key, pending))
            elif adopted.outcome == "rejected":
                done.append((pending, adoption.stored_refusal(adopted)))
            else:
                done.append((pending, cancellation.answer(adopted.response)))
        if still:
            self._waiting[run_id] = still
        for pending, outcome in done:
            pending.complete(outcome)

    def _execute(self, key: str, run_id: str, attempt_id: str, session_id: str) -> Pending:
        with self._core.change() as tx:
            taken = self._stopping.take(tx, run_id, "cancellation", attempt_id, session_id)
            if taken:
                stops.set_state(tx, key, "stopping")
            else:
                stops.withdraw(tx, key)
        if not taken:
            raise TypedRefusal(
                Code.CANCEL_PENDING,
                "another operation is stopping this run; send the same request again for its outcome",
            )
        pending = Pending()
        self._waiting.setdefault(run_id, []).append((key, pending))
        self._stopping.issue(session_id)
        return pending


def _check(body: Mapping[str, Any]) -> None:
    """The closed shape of run.cancel.v1 (contract/commands.md §4.3)."""
    missing = sorted(_MEMBERS - body.keys())
    if missing:
        raise _invalid(f"run.cancel.v1 needs {', '.join(missing)}")
    unknown = sorted(body.keys() - _MEMBERS)
    if unknown:
        raise _invalid(f"run.cancel.v1 does not know {', '.join(unknown)[:200]}")
    for name in ("runId", "attemptId", "reason"):
        if not isinstance(body[name], str) or not body[name].strip():
            raise _invalid(f"{name} must be text that is not blank")
    if body["scope"] != "run":
        raise _invalid("scope must be run")
    for name, member in (("runtimeCorrelation", "sessionId"), ("requestedBy", "principalId")):
        value = body[name]
        if not isinstance(value, dict) or set(value) != {member}:
            raise _invalid(f"{name} must be an object with {member} alone")
        if not isinstance(value[member], str) or not value[member].strip():
            raise _invalid(f"{name}.{member} must be text that is not blank")


def _invalid(message: str) -> TypedRefusal:
    return TypedRefusal(Code.VALIDATION_FAILED, message)


def _reservable(tx: Transaction, body: Mapping[str, Any]) -> str | None:
    """Refuse what cannot be cancelled; the run's id when its deadline has come and must be enforced instead."""
    run = runs.get(tx, body["runId"])
    if run is not None and stops.open_cancellation(tx, run.id) is not None:
        raise TypedRefusal(Code.CANCEL_PENDING, "another cancellation of this run is under way")
    session_id = body["runtimeCorrelation"]["sessionId"]
    attempt = runs.attempt(tx, body["attemptId"])
    if run is None or attempt is None or attempt.run_id != run.id or run.session_id != session_id:
        raise TypedRefusal(Code.ILLEGAL_TRANSITION, "run, attempt and session do not name one attempt")
    session = runs.session(tx, session_id)
    if (
        run.status != "running"
        or attempt.state not in LIVE
        or session is None
        or session.attempt_id != attempt.id
        or session.status not in ("created", "running", "orphaned")
    ):
        raise TypedRefusal(Code.ILLEGAL_TRANSITION, "the run is not live any more")
    if run.timeout_at is not None and run.timeout_at <= tx.now_text:
        return run.id
    return None
