"""definition.create, revise, activate, pause, disable and tombstone .v1, flat (contract/commands.md §3).

Each is adopted under the caller's key, refusals too, and replays as it was answered. A definition that one of them
has touched is managed by them from then on. The order of the refusals is that of contract/commands.md §3.6; disabling
a draft or an invalid definition is refused (contract/recorded-states.md).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from coven_desktop.contract.definition import Definition, DefinitionError, stored
from coven_desktop.contract.errors import Code, TypedRefusal
from coven_desktop.contract.negotiation import Unsupported, negotiate
from coven_desktop.contract.routine import AnyRoutine, Routine, with_status
from coven_desktop.contract.text import echo, trim
from coven_desktop.engine import planning, revisions
from coven_desktop.engine.answers import Answer
from coven_desktop.engine.commands import definition_requests, fields
from coven_desktop.engine.engine import Engine
from coven_desktop.engine.revisions import Committed
from coven_desktop.runtime.sessions import LaunchRefused
from coven_desktop.schedule import zones
from coven_desktop.store import definitions
from coven_desktop.store.definitions import DefinitionRow
from coven_desktop.store.transactions import Transaction

MANAGED = "v1"
# One text for every fault of a body: it never repeats what was sent (contract/commands.md §3.4).
INVALID_DEFINITION = "definition is not a valid routine of this contract profile"


def create(engine: Engine, body: Mapping[str, Any]) -> Answer:
    """Create a routine, paused or active. Body: `adoptionKey`, `definition`. Inner result: `routine`, `revision`."""

    def apply(tx: Transaction, key: str) -> Answer:
        definition = negotiated(body["definition"])
        if definition.status == "DISABLED":
            raise illegal("a routine cannot be created disabled")
        check_absent(tx, definition.id)
        made = revisions.commit(tx, None, "created", definition, managed=MANAGED, adoption_key=key)
        return definition_requests.answer(made, {"routine": stored(definition), "revision": made.row.revision})

    return definition_requests.author(engine, body, "definition.create.v1", apply, revises=False)


def revise(engine: Engine, body: Mapping[str, Any]) -> Answer:
    """Replace a routine's definition. Body: `adoptionKey`, `definition`, `expectedRevision`.

    Inner result: `routine`, `revision`. Its status may move it between paused and active.
    """

    def apply(tx: Transaction, key: str) -> Answer:
        definition = negotiated(body["definition"])
        current = revisable(tx, definition, body["expectedRevision"])
        made = revisions.commit(tx, current, "revised", definition, managed=MANAGED, adoption_key=key)
        return definition_requests.answer(made, {"routine": stored(definition), "revision": made.row.revision})

    return definition_requests.author(engine, body, "definition.revise.v1", apply, revises=True)


def activate(engine: Engine, body: Mapping[str, Any], *, wakes: bool = True) -> Answer:
    """Let a paused routine run. Body: `adoptionKey`, `id`, `expectedRevision`, `reason?`.

    Its stored body must still be valid and its runtime known by name (decisions.md 33).
    """

    def apply(tx: Transaction, key: str) -> Answer:
        current = found(tx, trim(body["id"]), body["expectedRevision"])
        if current.lifecycle != "paused":
            raise illegal(f"routine `{current.id}` is {current.lifecycle}, not paused", current)
        definition = _stored(current)
        check_runtime(engine, current, definition)
        if isinstance(definition, Routine):
            _check_to_come(tx, current, definition)
        made = revisions.commit(
            tx, current, "activated", with_status(definition, "ACTIVE"), managed=MANAGED, adoption_key=key
        )
        return definition_requests.answer(made, _moved(made, body, {"status": "ACTIVE"}))

    return definition_requests.move(engine, body, "definition.activate.v1", apply, wakes=wakes)


def pause(engine: Engine, body: Mapping[str, Any], *, wakes: bool = True) -> Answer:
    """Keep an active routine from running. Body as `activate`."""

    def apply(tx: Transaction, key: str) -> Answer:
        current = found(tx, trim(body["id"]), body["expectedRevision"])
        if current.lifecycle != "active":
            raise illegal(f"routine `{current.id}` is {current.lifecycle}, not active", current)
        paused = with_status(_stored(current), "PAUSED")
        made = revisions.commit(tx, current, "paused", paused, managed=MANAGED, adoption_key=key)
        return definition_requests.answer(made, _moved(made, body, {"status": "PAUSED"}))

    return definition_requests.move(engine, body, "definition.pause.v1", apply, wakes=wakes)


def disable(engine: Engine, body: Mapping[str, Any]) -> Answer:
    """End a routine and keep everything of it, also one whose body is broken. Body as `activate`. Wakes nobody."""

    def apply(tx: Transaction, key: str) -> Answer:
        current = found(tx, trim(body["id"]), body["expectedRevision"])
        if current.lifecycle not in ("active", "paused"):
            raise illegal(f"routine `{current.id}` is {current.lifecycle} and cannot be disabled", current)
        try:
            routine = planning.read(current)
            if isinstance(routine, Definition):
                routine = revisions.resolved(routine)
            disabled = with_status(routine, "DISABLED")
        except (planning.Broken, zones.ZoneError):
            made = revisions.disable_as_it_is(tx, current, managed=MANAGED, adoption_key=key)
        else:
            made = revisions.commit(tx, current, "disabled", disabled, managed=MANAGED, adoption_key=key)
        return definition_requests.answer(made, {"disabled": True, **_moved(made, body, {})})

    return definition_requests.move(engine, body, "definition.disable.v1", apply, wakes=False)


def tombstone(engine: Engine, body: Mapping[str, Any], *, wakes: bool = True) -> Answer:
    """Delete a routine; its row and its history stay. Body: `adoptionKey`, `id`, `expectedRevision`."""

    def apply(tx: Transaction, key: str) -> Answer:
        current = found(tx, trim(body["id"]), body["expectedRevision"])
        made = revisions.tombstone(tx, current, managed=MANAGED, adoption_key=key)
        return definition_requests.answer(made, {"deleted": True, "id": current.id, "revision": made.row.revision})

    return definition_requests.move(engine, body, "definition.tombstone.v1", apply, takes_reason=False, wakes=wakes)


def check_absent(tx: Transaction, automation_id: str) -> None:
    """That an id was never used. Raises GONE_TOMBSTONED or REVISION_CONFLICT."""
    current = definitions.get(tx, automation_id)
    if current is not None and current.tombstoned_at is not None:
        raise _gone(current)
    if current is not None:
        raise TypedRefusal(
            Code.REVISION_CONFLICT,
            f"a routine with id `{current.id}` exists already, at revision {current.revision}",
            current_revision=current.revision,
        )


def revisable(tx: Transaction, definition: AnyRoutine, expected: int, *, rrule_only: bool = True) -> DefinitionRow:
    """What this definition may follow on. Raises as `found`, then ILLEGAL_TRANSITION (contract/commands.md §3.6)."""
    current = found(tx, definition.id, expected, rrule_only=rrule_only)
    if current.lifecycle == "disabled":
        raise illegal(f"routine `{current.id}` is disabled and cannot be revised", current)
    if definition.status == "DISABLED":
        raise illegal("a revision cannot disable a routine; use definition.disable.v1", current)
    if current.lifecycle in ("draft", "invalid") and definition.status != "PAUSED":
        raise illegal(f"routine `{current.id}` is {current.lifecycle}; it must be revised as PAUSED first", current)
    return current


def found(tx: Transaction, automation_id: str, expected: int, *, rrule_only: bool = False) -> DefinitionRow:
    """The definition as the caller knows it. Raises NOT_FOUND, GONE_TOMBSTONED or REVISION_CONFLICT, in this order."""
    current = definitions.get(tx, automation_id)
    if current is None or (rrule_only and current.family != "rrule"):
        raise TypedRefusal(Code.NOT_FOUND, f"no routine with id `{echo(automation_id)}`")
    if current.tombstoned_at is not None:
        raise _gone(current)
    if current.revision != expected:
        raise TypedRefusal(
            Code.REVISION_CONFLICT,
            f"routine `{current.id}` is at revision {current.revision}, not {expected}",
            current_revision=current.revision,
        )
    return current


def negotiated(raw: Mapping[str, Any]) -> Definition:
    """The routine of a body, its zone exact. Raises CAPABILITY_UNSUPPORTED or VALIDATION_FAILED."""
    try:
        return revisions.resolved(negotiate(raw))
    except Unsupported as error:
        raise unsupported(error) from error
    except (DefinitionError, zones.ZoneError) as error:
        raise fields.invalid(INVALID_DEFINITION) from error


def _stored(row: DefinitionRow) -> AnyRoutine:
    """The routine of a stored body, negotiated anew: what was supported once need not be for ever."""
    try:
        definition: AnyRoutine
        if row.family == "rrule":
            raw = json.loads(row.body)
            definition = negotiate(raw if isinstance(raw, dict) else {})
        else:
            definition = planning.read(row)
        planning.schedule_of(definition)
    except Unsupported as error:
        raise unsupported(error) from error
    except (DefinitionError, planning.Broken) as error:
        raise TypedRefusal(
            Code.VALIDATION_FAILED,
            f"the stored definition of routine `{row.id}` is not valid any more; revise it first",
            current_revision=row.revision,
        ) from error
    return definition


def _check_to_come(tx: Transaction, row: DefinitionRow, routine: Routine) -> None:
    """Refuse to activate a cadence of which nothing would come any more."""
    used_up = row.family == "cadence" and planning.room(tx, routine) == 0
    if used_up or planning.schedule_of(routine).next_after(max(tx.now, planning.bound(tx, row))) is None:
        raise illegal(f"routine `{row.id}` has no time left to run at; revise its schedule first", row)


def check_runtime(engine: Engine, row: DefinitionRow, definition: AnyRoutine) -> None:
    """Refuse a runtime that is not known, or is of no use; one whose program is not found may be activated."""
    try:
        engine.core.runtime.check(definition.runtime, None)
    except LaunchRefused as refusal:
        if refusal.failure_class == "launch_refused":
            raise TypedRefusal(
                Code.VALIDATION_FAILED, f"routine `{row.id}`: {refusal.message}", current_revision=row.revision
            ) from refusal


def _moved(made: Committed, body: Mapping[str, Any], status: Mapping[str, str]) -> dict[str, Any]:
    return {"id": made.row.id, **status, "revision": made.row.revision, "reason": definition_requests.reason(body)}


def unsupported(error: Unsupported) -> TypedRefusal:
    """The refusal of a variant that is not carried; its details name it."""
    return TypedRefusal(Code.CAPABILITY_UNSUPPORTED, str(error), details=dict(error.details))


def _gone(row: DefinitionRow) -> TypedRefusal:
    return TypedRefusal(Code.GONE_TOMBSTONED, f"routine `{row.id}` was deleted", current_revision=row.revision)


def illegal(message: str, row: DefinitionRow | None = None) -> TypedRefusal:
    """The refusal of a move that the machine of definitions does not have, with the revision of what is there."""
    return TypedRefusal(Code.ILLEGAL_TRANSITION, message, current_revision=None if row is None else row.revision)
