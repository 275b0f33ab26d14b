"""The receipt of a settled run: what was run, for whom, how it ended, and a digest over all of that.

Members and words: contract/commands.md §9; design/decisions.md 37 and 45 (every settled run has one; who has no
familiar is `local`; what a command did is not known, which counts as the worst). A digest proves that nothing was
changed since. It does not prove who wrote it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from coven_desktop.contract import digest, events, ids

SCHEMA_VERSION = "coven.automations.v1"
SIDE_EFFECTS = "irreversible_external_mutation"
LOCAL = "local"
DETAIL_LIMIT = 2_000
MODEL_LIMIT = 128
PRIVATE = frozenset({"sensitive", "restricted"})

Disposition = Literal["succeeded", "failed", "cancelled", "timed_out", "ambiguous"]
Recovery = Literal["not_required", "recovered_inline", "deferred_to_operator"]


@dataclass(frozen=True)
class Facts:
    """What a receipt tells of a run and of the attempt that ended it.

    `definition_digest` is the one the run was pinned to. `delivery` is what was handed to the runtime and `result` the
    evidence it left, None where there was none of it: both are told by their digests alone. `detail` is for people.
    """

    automation_id: str
    automation_revision: int
    definition_digest: str
    occurrence_id: str
    occurrence_fence: int
    run_id: str
    attempt_id: str
    attempt_number: int
    familiar_id: str | None
    runtime: str
    model: str | None
    delivery: Mapping[str, Any] | None
    result: Mapping[str, Any] | None
    disposition: Disposition
    failure_class: str | None
    detail: str | None
    recovery: Recovery


def document(facts: Facts, produced_at: str) -> dict[str, Any]:
    """The sealed receipt; `produced_at` is wire text. Members that nothing is known of are left out, never null."""
    runtime: dict[str, Any] = {"runtimeId": facts.runtime, "capabilities": []}
    if facts.model and len(facts.model) <= MODEL_LIMIT:
        runtime["model"] = facts.model
    outcome: dict[str, Any] = {"disposition": facts.disposition}
    if facts.failure_class is not None:
        outcome["failureClass"] = facts.failure_class
    if facts.detail:
        outcome["detail"] = facts.detail[:DETAIL_LIMIT]
    outcome["recoveryDisposition"] = facts.recovery
    receipt: dict[str, Any] = {
        "schemaVersion": SCHEMA_VERSION,
        "receiptId": ids.receipt_id(facts.run_id),
        "automationId": facts.automation_id,
        "automationRevision": facts.automation_revision,
        "definitionDigest": digest.named(facts.definition_digest),
        "occurrenceId": facts.occurrence_id,
        "occurrenceFenceGeneration": facts.occurrence_fence,
        "runId": facts.run_id,
        "attemptId": facts.attempt_id,
        "attemptNumber": facts.attempt_number,
        "identity": {"familiarId": facts.familiar_id or LOCAL},
        "runtime": runtime,
    }
    if facts.delivery is not None:
        receipt["deliveryDigest"] = digest.named(digest.digest(facts.delivery))
    if facts.result is not None:
        receipt["resultDigest"] = digest.named(digest.digest(facts.result))
    receipt |= {
        "sideEffectClass": SIDE_EFFECTS,
        "outcome": outcome,
        "producedAt": produced_at,
        "producer": {**events.PRODUCER},
        "privacy": {"classification": "operational", "retention": {"classification": "standard"}},
    }
    return {**receipt, "integrity": digest.seal(receipt)}


def is_sealed(receipt: Mapping[str, Any]) -> bool:
    """Whether the integrity of a receipt is that of its content."""
    integrity = receipt.get("integrity")
    try:
        return isinstance(integrity, Mapping) and digest.seal(receipt).items() <= integrity.items()
    except ValueError:
        return False
