"""Requests of the versioned definition commands, and what is left behind in the store."""

from __future__ import annotations

import itertools
import json
from collections.abc import Mapping
from typing import Any

from coven_desktop.engine.answers import Answer
from coven_desktop.engine.commands import versioned
from tests.engine.conftest import Bench, definition

COMMANDS = {
    "create": versioned.create,
    "revise": versioned.revise,
    "activate": versioned.activate,
    "pause": versioned.pause,
    "disable": versioned.disable,
    "tombstone": versioned.tombstone,
}

_keys = itertools.count(1)


def send(bench: Bench, name: str, body: Mapping[str, Any]) -> Answer:
    """Carry out a command and let the engine turn."""
    answer = COMMANDS[name](bench.engine, body)
    bench.turn()
    return answer


def authored(bench: Bench, name: str, automation_id: str = "notes", /, **changes: Any) -> dict[str, Any]:
    """Create or revise a routine; what the wire's `result` would be. `expectedRevision` is that of the store."""
    body: dict[str, Any] = {"adoptionKey": fresh(), "definition": definition(automation_id, **changes)}
    if name == "revise":
        body["expectedRevision"] = revision(bench, automation_id)
    return send(bench, name, body).payload


def moved(bench: Bench, name: str, automation_id: str = "notes", /, **members: Any) -> dict[str, Any]:
    """Activate, pause, disable or tombstone a routine as it stands."""
    body = {"adoptionKey": fresh(), "id": automation_id, "expectedRevision": revision(bench, automation_id), **members}
    return send(bench, name, body).payload


def fresh() -> str:
    """A key that was never used."""
    return f"adopt:definition:{next(_keys):04}"


def revision(bench: Bench, automation_id: str = "notes") -> int:
    """The stored revision of a routine."""
    found: int = bench.value(f"SELECT revision FROM definitions WHERE id = '{automation_id}'")
    return found


def state(bench: Bench, automation_id: str = "notes") -> str:
    """The state of a routine in the definition machine; absent when there is none."""
    rows = bench.rows(f"SELECT lifecycle, tombstoned_at FROM definitions WHERE id = '{automation_id}'")
    return "absent" if not rows else "tombstoned" if rows[0][1] else str(rows[0][0])


def next_due(bench: Bench, automation_id: str = "notes") -> str | None:
    """When the routine's timer is set to."""
    due: str | None = bench.value(f"SELECT next_due_at FROM definitions WHERE id = '{automation_id}'")
    return due


def ledger(bench: Bench) -> list[tuple[Any, ...]]:
    """Every spent key of a definition command with command, outcome and revision, oldest first."""
    return bench.rows(
        "SELECT adoption_key, command, outcome, revision FROM adoptions WHERE command LIKE 'definition.%' ORDER BY 1"
    )


def told(bench: Bench, automation_id: str = "notes") -> list[dict[str, Any]]:
    """The events on the routine's stream, in their order."""
    return [
        json.loads(body)
        for (body,) in bench.rows(
            f"SELECT body FROM events WHERE stream_kind = 'automation' AND stream_id = '{automation_id}'"
            " ORDER BY sequence"
        )
    ]


def set_lifecycle(bench: Bench, lifecycle: str, automation_id: str = "notes") -> None:
    """A state that no flat command reaches: draft, or invalid."""
    bench.rows(f"UPDATE definitions SET lifecycle = '{lifecycle}', next_due_at = NULL WHERE id = '{automation_id}'")
