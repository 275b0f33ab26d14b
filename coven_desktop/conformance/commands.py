"""command-adoption-idempotency, definition-lifecycle-transitions and capability-negotiation: definition commands."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from coven_desktop.conformance.inputs import CannotCompute, Inputs
from coven_desktop.conformance.stage import definition, stage
from coven_desktop.contract.definition import DefinitionError
from coven_desktop.contract.errors import TypedRefusal
from coven_desktop.contract.negotiation import Unsupported, negotiate
from coven_desktop.engine.answers import Answer
from coven_desktop.engine.commands import versioned
from coven_desktop.engine.engine import Engine
from coven_desktop.loop.manual import START_MS
from coven_desktop.store import definitions
from coven_desktop.store.definitions import DefinitionRow

ROUTINE = "conformance"
SECOND_MS = 1000

_Command = Callable[[Engine, Mapping[str, Any]], Answer]


def negotiation(case: Inputs) -> dict[str, Any]:
    """Whether all that a flat body asks for is carried, and if not, what is named."""
    try:
        negotiate(case.members("definition"))
    except Unsupported as refusal:
        return {"outcome": "unsupported", "variant": refusal.variant, "reason": refusal.reason}
    except DefinitionError as error:
        return {"outcome": "invalid", "message": error.message}
    return {"outcome": "supported"}


def adoption(case: Inputs) -> dict[str, Any]:
    """A create, the same again, and another one under the same key; a second passes before each."""
    key, body = case.text("adoptionKey"), case.members("definition")
    conflicting = case.members("conflictingDefinition")
    with stage(START_MS) as made:
        engine = made.leading()

        def send(sent: Mapping[str, Any]) -> dict[str, Any]:
            made.clock.advance(SECOND_MS)
            return _told(versioned.create, engine, {"adoptionKey": key, "definition": sent})

        def count(table: str) -> int:
            return made.store.number(f"SELECT count(*) FROM {table}")

        first = send(body)
        before = _row(engine, body["id"])
        replay = send(body)
        conflict = send(conflicting)
        after = _row(engine, body["id"])
        return {
            "firstOutcome": first["outcome"],
            "exactReplayOutcome": replay["outcome"],
            "conflictingReplayOutcome": conflict["outcome"],
            "conflictCode": conflict.get("code"),
            "exactReplayResultPreserved": "result" in first and replay.get("result") == first["result"],
            "exactReplayEventPreserved": "eventRef" in first and replay.get("eventRef") == first["eventRef"],
            "firstCommitTimePreserved": before is not None
            and replay.get("replay") == {"firstCommittedAt": before.revised_at},
            "originalDefinitionPreserved": before is not None and before == after,
            "definitionRows": count("definitions"),
            "adoptionRows": count("adoptions"),
            "eventRows": count("events"),
        }


def lifecycle(case: Inputs) -> dict[str, Any]:
    """One operation on a routine that is in a state, or is not there."""
    initial = case.choice("initialState", _INITIAL)
    operation = case.choice("operation", _OPERATIONS)
    with stage(START_MS) as made:
        engine = made.leading()
        for index, step in enumerate((*_INITIAL[initial], operation), start=1):
            made.clock.advance(SECOND_MS)
            row = _row(engine, ROUTINE)
            command, members = _OPERATIONS[step]
            body = {"adoptionKey": f"adopt:conformance:{index:04}", **members}
            if not step.startswith("create"):
                body |= {"expectedRevision": row.revision if row is not None else 1}
            told = _told(command, engine, body)
            if step is not operation and told["outcome"] != "committed":
                raise CannotCompute(f"the routine could not be brought into the state {initial}: {told['code']}")
        row = _row(engine, ROUTINE)
        return {
            "outcome": told["outcome"],
            "code": told.get("code"),
            "finalState": row.state if row is not None else "absent",
            "revision": row.revision if row is not None else None,
        }


def _told(command: _Command, engine: Engine, body: Mapping[str, Any]) -> dict[str, Any]:
    """The payload of an answer, or the refusal in its place."""
    try:
        return command(engine, body).payload
    except TypedRefusal as refusal:
        return {"outcome": "rejected", "code": str(refusal.code)}


def _row(engine: Engine, automation_id: object) -> DefinitionRow | None:
    return definitions.get(engine.core.store, automation_id) if isinstance(automation_id, str) else None


_OPERATIONS: Mapping[str, tuple[_Command, Mapping[str, Any]]] = {
    "create_paused": (versioned.create, {"definition": definition(ROUTINE, status="PAUSED")}),
    "create_active": (versioned.create, {"definition": definition(ROUTINE)}),
    "create_disabled": (versioned.create, {"definition": definition(ROUTINE, status="DISABLED")}),
    "revise_active": (versioned.revise, {"definition": definition(ROUTINE, prompt="Revised.")}),
    "revise_paused": (versioned.revise, {"definition": definition(ROUTINE, status="PAUSED", prompt="Revised.")}),
    "revise_disabled": (versioned.revise, {"definition": definition(ROUTINE, status="DISABLED")}),
    "activate": (versioned.activate, {"id": ROUTINE}),
    "pause": (versioned.pause, {"id": ROUTINE}),
    "disable": (versioned.disable, {"id": ROUTINE}),
    "tombstone": (versioned.tombstone, {"id": ROUTINE}),
}
_INITIAL: Mapping[str, tuple[str, ...]] = {
    "absent": (),
    "paused": ("create_paused",),
    "active": ("create_active",),
    "disabled": ("create_paused", "disable"),
    "tombstoned": ("create_paused", "tombstone"),
}
