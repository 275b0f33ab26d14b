"""The command envelope of `coven.automations.command.v1`: nineteen commands in one closed form.

Shapes: contract/commands.md §7.1. An envelope that does not have its shape is no command at all, so nothing of it is
ever adopted.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from coven_desktop.contract import codex_automation, rich_definition
from coven_desktop.contract.shapes import (
    ADOPTION_KEY,
    AUTOMATION_ID,
    CORRELATION_ID,
    ENTITY_ID,
    PRINCIPAL,
    REVISION,
    SAFE_INTEGER,
    TIMESTAMP,
    Shape,
    ShapeError,
    integer,
    one_of,
    record,
    text,
    truth,
)

SCHEMA_VERSION = rich_definition.SCHEMA_VERSION

_REASON, _NOTE, _CURSOR, _LIMIT = text(500), text(500), text(256), integer(1, 100)
_MOVE = record({"automationId": AUTOMATION_ID}, {"reason": _REASON})
_AUTHOR = record({"definition": rich_definition.check})
_STREAM = record({"kind": one_of("automation", "occurrence", "run", "feed"), "id": text(320, 1)})

PAYLOADS: Mapping[str, Shape] = MappingProxyType(
    {
        "definition.create.v1": _AUTHOR,
        "definition.revise.v1": _AUTHOR,
        "definition.activate.v1": _MOVE,
        "definition.pause.v1": _MOVE,
        "definition.disable.v1": _MOVE,
        "definition.tombstone.v1": _MOVE,
        "definition.list.v1": record(
            {},
            {
                "lifecycleState": one_of(*rich_definition.LIFECYCLE_STATES, "tombstoned", "all"),
                "limit": _LIMIT,
                "cursor": _CURSOR,
            },
        ),
        "definition.get.v1": record({"automationId": AUTOMATION_ID}, {"revision": REVISION}),
        "definition.health.v1": record({"automationId": AUTOMATION_ID}),
        "run.history.v1": record(
            {"automationId": AUTOMATION_ID}, {"occurrenceId": ENTITY_ID, "limit": _LIMIT, "cursor": _CURSOR}
        ),
        "events.read.v1": record(
            {"stream": _STREAM}, {"after": SAFE_INTEGER, "limit": integer(1, 1000), "from": TIMESTAMP}
        ),
        "events.subscribe.v1": record({"stream": _STREAM}, {"after": SAFE_INTEGER, "checkpoint": text(512, 1)}),
        "legacy.import.v1": record({"source": one_of(codex_automation.SOURCE)}, {"dryRun": truth}),
        "run.cancel.v1": record({"runId": ENTITY_ID}, {"reason": _REASON}),
        "occurrence.runNow.v1": record({"automationId": AUTOMATION_ID}, {"note": _NOTE, "bypassEligibility": truth}),
        "occurrence.cancel.v1": record({"occurrenceId": ENTITY_ID}, {"reason": _REASON}),
        "attempt.cancel.v1": record({"attemptId": ENTITY_ID}, {"reason": _REASON}),
        "attempt.retry.v1": record(
            {
                "runId": ENTITY_ID,
                "priorAttemptNumber": REVISION,
                "priorDisposition": one_of("failed", "timed_out", "cancelled", "ambiguous"),
            },
            {"note": _NOTE},
        ),
        "occurrence.recover.v1": record(
            {
                "occurrenceId": ENTITY_ID,
                "evidenceDetermination": one_of("failed_deterministic", "retry_with_new_attempt"),
            },
            {"statement": text(1000, 1)},
        ),
    }
)
"""What each command takes; its name is that of the flat action without `coven.automations.`."""

REVISION_EXPECTED = frozenset(
    f"definition.{move}.v1" for move in ("revise", "activate", "pause", "disable", "tombstone")
)

_MEMBERS: Mapping[str, Shape] = {
    "schemaVersion": one_of(SCHEMA_VERSION),
    "command": one_of(*PAYLOADS),
    "adoptionKey": ADOPTION_KEY,
    "origin": record(
        {"principal": PRINCIPAL, "channel": one_of("daemon-ipc", "http", "control-action", "cli", "sdk", "cave")},
        {"authenticationClass": text(64), "requestedAt": TIMESTAMP, "correlationId": CORRELATION_ID},
    ),
    "intent": record({"statement": text(1000, 1)}),
}


def _anything(place: str, value: Any) -> None:
    """What is looked at once the command is known."""


_ENVELOPE = record({**_MEMBERS, "payload": _anything}, {"expectedRevision": REVISION})
_REQUEST = record({"action": _anything, "envelope": _ENVELOPE})


@dataclass(frozen=True)
class Envelope:
    """A command as it was sent; `channel` and `correlation_id` are told on, and grant nothing."""

    command: str
    adoption_key: str
    expected_revision: int | None
    channel: str
    correlation_id: str | None
    payload: Mapping[str, Any]

    @property
    def head(self) -> dict[str, Any]:
        """What every answer begins with (contract/commands.md §7.3)."""
        return {"schemaVersion": SCHEMA_VERSION, "command": self.command, "adoptionKey": self.adoption_key}


def parse(body: Mapping[str, Any]) -> Envelope:
    """The envelope of a request {action, envelope}, its payload and the digest of its definition checked.

    Raises ShapeError for the first fault.
    """
    _REQUEST("request", body)
    envelope = body["envelope"]
    command = envelope["command"]
    if command in REVISION_EXPECTED and "expectedRevision" not in envelope:
        raise ShapeError("request.envelope.expectedRevision", f"is missing: {command} needs it")
    if command not in REVISION_EXPECTED and "expectedRevision" in envelope:
        raise ShapeError("request.envelope.expectedRevision", f"is not for {command}")
    PAYLOADS[command]("request.envelope.payload", envelope["payload"])
    return Envelope(
        command=command,
        adoption_key=envelope["adoptionKey"],
        expected_revision=envelope.get("expectedRevision"),
        channel=envelope["origin"]["channel"],
        correlation_id=envelope["origin"].get("correlationId"),
        payload=envelope["payload"],
    )
