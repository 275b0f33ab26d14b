"""A routine saved or deleted by the window, whoever made the routine: flat or rich, versioned or not, or of ours.

What a routine was made by decides what may revise it: one that a versioned command has touched is revised by those
alone, and one with a rich definition keeps all that only the rich form holds. Where the change of status is a command
of its own it follows on, in the same turn.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from coven_desktop.contract import rich_definition
from coven_desktop.contract.definition import DefinitionError, parse, stored
from coven_desktop.contract.envelope import Envelope
from coven_desktop.contract.errors import Refusal
from coven_desktop.contract.routine import SCHEMA_VERSION
from coven_desktop.contract.shapes import ShapeError
from coven_desktop.engine import projections, revisions
from coven_desktop.engine.answers import Answer
from coven_desktop.engine.commands import definitions as unversioned
from coven_desktop.engine.commands import desktop_routines, fields, rich, versioned
from coven_desktop.engine.engine import Engine
from coven_desktop.schedule import zones
from coven_desktop.store import definitions
from coven_desktop.store.definitions import DefinitionRow

# Members of a rich definition that the form shows, by the place in it that a refusal names.
_FIELDS = {
    "display.name": "name",
    "display.tags": "tags",
    "trigger.schedule.rrule": "rrule",
    "trigger.schedule.timezone": "timezone",
    "action.prompt": "prompt",
    "action.cwd": "cwd",
    "runtimeRequirements.runtimeId": "runtime",
    "runtimeRequirements.model": "model",
    "policies.timeout": "timeoutMinutes",
    "policies.retry": "retry",
}


class FieldRefusal(Refusal):
    """A refusal that is about one member of the flat routine."""

    def __init__(self, reason: str, field: str) -> None:
        super().__init__(reason)
        self.field = field


def save(engine: Engine, body: Mapping[str, Any]) -> Answer:
    """Make `definition` (flat, or of our form) the next revision of a routine that is at `expectedRevision`.

    Body: `adoptionKey`, `definition`, `expectedRevision`. Payload: `revision`, and `statusRefused` with the reason when
    the routine was revised but not activated. Refused as the command is that revises: REVISION_CONFLICT when the
    routine is at another revision; FieldRefusal where the rich form is stricter than the flat one.
    """
    definition, key = body["definition"], body["adoptionKey"]
    row = definitions.get(engine.core.store, definition["id"])
    if definition.get("schemaVersion") == SCHEMA_VERSION:
        asked = {"adoptionKey": key, "routine": definition, "expectedRevision": body["expectedRevision"]}
        return Answer({"revision": desktop_routines.revise(engine, asked).payload["revision"]})
    written = None if row is None else projections.rich_definition(engine.core.store, row)
    if row is not None and written is not None and row.lifecycle in rich.REVISED_AS:
        return _rich(engine, key, row, written, definition, body["expectedRevision"])
    first = dict(definition)
    if row is not None and row.lifecycle in ("draft", "invalid"):
        first["status"] = "PAUSED"
    asked = {"definition": first, "expectedRevision": body["expectedRevision"]}
    if row is not None and row.managed == versioned.MANAGED:
        revision = versioned.revise(engine, {**asked, "adoptionKey": key}).payload["revision"]
        return _with_status(engine, key, first, definition, revision)
    unversioned.update(engine, asked)
    revision = body["expectedRevision"] + 1
    if first["status"] != definition["status"]:
        try:
            unversioned.update(engine, {"definition": definition, "expectedRevision": revision})
        except Refusal as refusal:
            return Answer({"revision": revision, "statusRefused": refusal.reason})
        revision += 1
    return Answer({"revision": revision})


def delete(engine: Engine, body: Mapping[str, Any]) -> Answer:
    """Tombstone a routine, whoever made it. Body: `id`, `adoptionKey`. Payload: `deleted`, false when there is none."""
    row = definitions.get(engine.core.store, body["id"])
    if row is None or row.tombstoned_at is not None:
        return Answer({"deleted": False})
    if row.managed == versioned.MANAGED or row.family != "rrule":
        asked = {"adoptionKey": body["adoptionKey"], "id": row.id, "expectedRevision": row.revision}
        versioned.tombstone(engine, asked)
        return Answer({"deleted": True})
    return Answer({"deleted": unversioned.delete(engine, {"id": row.id}).payload["deleted"]})


def _rich(
    engine: Engine,
    key: str,
    row: DefinitionRow,
    written: Mapping[str, Any],
    definition: Mapping[str, Any],
    expected: int,
) -> Answer:
    state = rich.REVISED_AS[row.lifecycle]
    try:
        routine = stored(revisions.resolved(parse(definition, drop_unknown=False)[0]))
    except (DefinitionError, zones.ZoneError) as error:
        raise Refusal(error.message) from error
    before = json.loads(row.body)
    changed = {name: routine.get(name) for name in {**before, **routine} if before.get(name) != routine.get(name)}
    changed.pop("status", None)
    kept = rich_definition.with_changes(written, changed)
    try:
        revised = rich_definition.as_it_stands(kept, revision=expected + 1, lifecycle_state=state)
        rich_definition.check("definition", revised)
    except ShapeError as error:
        place = error.place.removeprefix("definition.")
        name = next((name for begin, name in _FIELDS.items() if place.startswith(begin)), "")
        raise FieldRefusal(f"{place} {error.rule}", name) from error
    except ValueError as error:
        raise fields.invalid(str(error)) from error
    envelope = Envelope("definition.revise.v1", key, expected, "control-action", None, {"definition": revised})
    first = {**definition, "status": "ACTIVE" if state == "active" else "PAUSED"}
    revision = rich.revise(engine, envelope).payload["revision"]
    engine.wake()
    return _with_status(engine, key, first, definition, revision)


def _with_status(
    engine: Engine, key: str, first: Mapping[str, Any], wanted: Mapping[str, Any], revision: int
) -> Answer:
    """Activate or pause what was just revised, when the revision could not say it."""
    if first["status"] == wanted["status"]:
        return Answer({"revision": revision})
    move = versioned.activate if wanted["status"] == "ACTIVE" else versioned.pause
    asked = {"adoptionKey": f"{key}:status", "id": wanted["id"], "expectedRevision": revision}
    try:
        return Answer({"revision": move(engine, asked).payload["revision"]})
    except Refusal as refusal:
        return Answer({"revision": revision, "statusRefused": refusal.reason})
