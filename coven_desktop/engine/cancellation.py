"""How a cancellation of a run ends, what that answers, and who waits for it (contract/commands.md §4.4, §4.5).

The answer is adopted in the transaction that settles it, so that a replay after any crash tells the same.
"""

from __future__ import annotations

import json
from typing import Any, Literal

from coven_desktop.contract.errors import Code, TypedRefusal
from coven_desktop.engine import adoption
from coven_desktop.engine.answers import Answer, Pending
from coven_desktop.store import adoptions, stops
from coven_desktop.store.stops import Cancellation
from coven_desktop.store.transactions import Reader, Transaction

COMMAND = "run.cancel.v1"
KIND = "automations.run.cancellation"
REPLAYED = "replayed previously adopted cancellation"
COMPLETION_WON = "the run ended by itself before the stop reached it"


def answer(payload: dict[str, Any], *, replayed: bool = False) -> Answer:
    """The answer of run.cancel.v1 for a payload."""
    return Answer(payload, kind=KIND, in_result=True, reason=REPLAYED if replayed else None)


def conclude(tx: Transaction, run_id: str, state: Literal["cancelled", "recovery_required", "rejected"]) -> None:
    """End the open cancellation of a run, if there is one, and adopt what it answers."""
    cancellation = stops.open_cancellation(tx, run_id)
    if cancellation is None:
        return
    done = tx.now_text if state == "cancelled" else None
    stops.set_state(tx, cancellation.adoption_key, state, acknowledged_at=done, reconciled_at=done)
    rejected = state == "rejected"
    adoptions.adopt(
        tx,
        adoption_key=cancellation.adoption_key,
        command=COMMAND,
        fingerprint=cancellation.fingerprint,
        automation_id=None,
        outcome="rejected" if rejected else "committed",
        revision=None,
        response=TypedRefusal(Code.ILLEGAL_TRANSITION, COMPLETION_WON).to_wire()
        if rejected
        else _payload(cancellation, state, done),
    )


class Waiting:
    """Who waits for the outcome of a cancellation, by run."""

    def __init__(self) -> None:
        self._pending: dict[str, list[tuple[str, Pending]]] = {}

    def add(self, run_id: str, key: str) -> Pending:
        """A new answer that is completed once the cancellation under `key` has an outcome."""
        pending = Pending()
        self._pending.setdefault(run_id, []).append((key, pending))
        return pending

    def answer(self, reader: Reader, run_id: str) -> None:
        """Complete the answers of those cancellations of a run that have an outcome by now."""
        for key, pending in self._pending.pop(run_id, []):
            adopted = adoptions.get(reader, key)
            if adopted is None:
                self._pending.setdefault(run_id, []).append((key, pending))
            elif adopted.outcome == "rejected":
                pending.complete(adoption.stored_refusal(adopted))
            else:
                pending.complete(answer(adopted.response))


def _payload(cancellation: Cancellation, status: str, done: str | None) -> dict[str, Any]:
    """The payload of a cancellation that was carried out (`done`), or whose stop is not proven."""
    return {
        "runId": cancellation.run_id,
        "attemptId": cancellation.attempt_id,
        "runtimeCorrelation": {"sessionId": cancellation.session_id},
        "status": status,
        "cancellation": {
            "scope": cancellation.scope,
            "reason": cancellation.reason,
            "requestedBy": json.loads(cancellation.requested_by),
            "requestedAt": cancellation.requested_at,
            **({} if done is None else {"acknowledgedAt": done, "reconciledAt": done}),
        },
    }
