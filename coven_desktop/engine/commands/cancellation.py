"""run.cancel.v1 and occurrence.cancel.v1 (contract/commands.md §4.2 to §4.5).

An occurrence is cancelled at once while nothing runs, else by the run.cancel.v1 it delegates to.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from coven_desktop.contract import ids
from coven_desktop.contract.errors import Code, TypedRefusal
from coven_desktop.contract.text import is_blank
from coven_desktop.engine import adoption
from coven_desktop.engine.answers import Answer, Outcome, Pending
from coven_desktop.engine.commands import fields
from coven_desktop.engine.engine import Engine
from coven_desktop.engine.settlement import LIVE
from coven_desktop.store import occurrences, runs, transitions
from coven_desktop.store.adoptions import Adoption
from coven_desktop.store.transactions import Transaction

COMMAND = "occurrence.cancel.v1"
KIND = "automations.occurrence.cancellation"
REPLAYED = "replayed previously adopted cancellation"
DEFAULT_REASON = "cancelled by the owner"
OWNER = "principal:coven-local-owner"


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
                raise TypedRefusal(Code.CANCEL_PENDING, "the attempt has no session yet; cancel again with a new key")
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
        return Answer(adopted.response, kind=KIND, in_result=True, reason=REPLAYED)

    answer = adoption.strict(engine.core, body, command=COMMAND, replay=replay, apply=apply)
    delegated = answer.payload.get("delegated")
    if delegated is None:
        engine.wake()
        return answer
    return _follow(engine.cancelling.cancel(delegated), body["occurrenceId"])


def cancel_run(engine: Engine, body: Mapping[str, Any]) -> Answer | Pending:
    """run.cancel.v1 (contract/commands.md §4.3 to §4.5)."""
    return engine.cancelling.cancel(body)


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
