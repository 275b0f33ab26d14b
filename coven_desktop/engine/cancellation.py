"""How a cancellation of a run ends, and what that answers (contract/commands.md §4.4, §4.5).

The answer is adopted in the transaction that settles it, so that a replay after any crash tells the same.
"""

from __future__ import annotations

import json
from typing import Any, Literal

from coven_desktop.contract.errors import Code, TypedRefusal
from coven_desktop.engine.answers import Answer
from coven_desktop.store import adoptions, stops
from coven_desktop.store.stops import Cancellation
from coven_desktop.store.transactions import Transaction

COMMAND = "run.cancel.v1"
KIND = "automations.run.cancellation"
REPLAYED = "replayed previously adopted cancellation"
COMPLETION_WON = "the run ended by itself before the stop reached it"


def payload(cancellation: Cancellation) -> dict[str, Any]:
    """The payload of a cancellation that was carried out, or whose stop is not proven."""
    detail: dict[str, Any] = {
        "scope": cancellation.scope,
        "reason": cancellation.reason,
        "requestedBy": json.loads(cancellation.requested_by),
        "requestedAt": cancellation.requested_at,
    }
    if cancellation.state == "cancelled":
        detail["acknowledgedAt"] = cancellation.acknowledged_at
        detail["reconciledAt"] = cancellation.reconciled_at
    return {
        "runId": cancellation.run_id,
        "attemptId": cancellation.attempt_id,
        "runtimeCorrelation": {"sessionId": cancellation.session_id},
        "status": cancellation.state,
        "cancellation": detail,
    }


def answer(payload: dict[str, Any], *, replayed: bool = False) -> Answer:
    """The answer of run.cancel.v1 for a payload."""
    return Answer(payload, kind=KIND, in_result=True, reason=REPLAYED if replayed else None)


def completion_won() -> TypedRefusal:
    """The refusal when the session's own end came first."""
    return TypedRefusal(Code.ILLEGAL_TRANSITION, COMPLETION_WON)


def conclude(tx: Transaction, run_id: str, state: Literal["cancelled", "recovery_required", "rejected"]) -> None:
    """End the open cancellation of a run, if there is one, and adopt what it answers."""
    cancellation = stops.open_cancellation(tx, run_id)
    if cancellation is None:
        return
    done = tx.now_text if state == "cancelled" else None
    stops.set_state(tx, cancellation.adoption_key, state, acknowledged_at=done, reconciled_at=done)
    concluded = stops.cancellation(tx, cancellation.adoption_key)
    if concluded is None:
        raise RuntimeError(f"cancellation {cancellation.adoption_key} vanished")
    rejected = state == "rejected"
    adoptions.adopt(
        tx,
        adoption_key=concluded.adoption_key,
        command=COMMAND,
        fingerprint=concluded.fingerprint,
        automation_id=None,
        outcome="rejected" if rejected else "committed",
        revision=None,
        response=completion_won().to_wire() if rejected else payload(concluded),
    )
