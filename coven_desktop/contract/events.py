"""The envelope of an event as it is stored and read (contract/commands.md §6.3, contract/engine.md §10.7)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from coven_desktop import __version__
from coven_desktop.contract import digest, ids

SCHEMA_VERSION = "coven.automations.v1"
STREAM_KINDS = frozenset({"automation", "occurrence", "run"})
KINDS = frozenset(
    {
        "definition.created",
        "definition.revised",
        "definition.activated",
        "definition.paused",
        "definition.disabled",
        "definition.reenabled",
        "definition.invalidated",
        "definition.tombstoned",
        "definition.imported",
        "occurrence.transitioned",
        "occurrence.misfire_recorded",
        "run.transitioned",
        "attempt.transitioned",
        "receipt.recorded",
        "feed.snapshot",
    }
)
SUMMARY_LIMIT = 300
# decisions.md 45: the producer is ours by name; the instance is the contract's word for one home
PRODUCER: Mapping[str, str] = {
    "component": "coven-desktop",
    "instanceId": "local-authority",
    "implementationVersion": __version__,
}


def envelope(
    *,
    position: int,
    stream_kind: str,
    stream_id: str,
    sequence: int,
    recorded_at: str,
    kind: str,
    summary: str,
    payload: dict[str, Any],
    automation_id: str | None = None,
    occurrence_id: str | None = None,
    run_id: str | None = None,
    attempt_id: str | None = None,
    adoption_key: str | None = None,
    sealed: bool = False,
) -> dict[str, Any]:
    """One event: `position` is its place in the feed, `sequence` its place in its stream (both from 0).

    `recorded_at` is wire text; observedAt is the same instant, because we observe what we record. An id that
    does not fit the contract's grammar is left out; a summary is cut at 300 characters. A `sealed` one carries
    the `integrity` of all the rest of it. ValueError for a stream kind or an event kind that the contract does not
    know, or an empty summary.
    """
    if stream_kind not in STREAM_KINDS:
        raise ValueError(f"there is no stream kind {stream_kind!r}")
    if kind not in KINDS:
        raise ValueError(f"there is no event kind {kind!r}")
    if not summary:
        raise ValueError("an event needs a summary")
    event: dict[str, Any] = {
        "schemaVersion": SCHEMA_VERSION,
        "eventId": ids.event_id(position),
        "stream": {"kind": stream_kind, "id": stream_id},
        "sequence": sequence,
        "recordedAt": recorded_at,
        "observedAt": recorded_at,
        "producer": {**PRODUCER},
    }
    if ids.is_adoption_key(adoption_key):
        event["causation"] = {"adoptionKey": adoption_key}
    if ids.is_automation_id(automation_id):
        event["automationId"] = automation_id
    for member, value in (("occurrenceId", occurrence_id), ("runId", run_id), ("attemptId", attempt_id)):
        if ids.is_entity_id(value):
            event[member] = value
    event["kind"] = kind
    event["summary"] = summary[:SUMMARY_LIMIT]
    event["payload"] = payload
    event["privacy"] = {"classification": "operational", "retention": {"classification": "standard"}}
    if sealed:
        event["integrity"] = digest.seal(event)
    return event


def stored(event: dict[str, Any]) -> str:
    """An event as the JSON text that is kept. A run has eleven events and more: this is ten times quicker than json."""
    return msgspec.json.encode(event).decode("utf-8")
