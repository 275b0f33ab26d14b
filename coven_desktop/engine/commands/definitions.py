"""create, update and delete of rrule routines, unversioned (contract/commands.md §3.8, contract/engine.md §1.4).

Each is adopted: under its `intentId` when one is given, so that the same request converges and another one
under the same intent is refused. Only committed outcomes are remembered (decisions.md 20).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from coven_desktop.contract import digest, ids
from coven_desktop.contract.definition import Definition, DefinitionError, parse, stored
from coven_desktop.contract.errors import Code, Refusal, TypedRefusal
from coven_desktop.contract.text import is_blank, trim
from coven_desktop.engine import revisions
from coven_desktop.engine.answers import Answer
from coven_desktop.engine.commands import fields
from coven_desktop.engine.engine import Engine
from coven_desktop.schedule import zones
from coven_desktop.store import adoptions, definitions
from coven_desktop.store.transactions import Transaction

KEY_USED = "adoption key already used for another request; send it with a new intentId"


def create(engine: Engine, body: Mapping[str, Any]) -> Answer:
    """Create a routine, paused or active. Body: `definition`, `intentId?`. Payload: `routine`, `createdAt`.

    One that is given the id of a deleted routine is another one, though its revisions and history go on from there. It
    never does the old one's work: a retry that waits is not claimed, and a failed run is not tried again (decisions.md
    30). What the contract keeps by the id stays: an unsettled run forbids overlap until it ends, is cancelled or given
    up (contract/engine.md §4.3), and a quarantine lasts until it is released (§6).
    """
    definition, warnings = _definition(body, "create")
    if definition.status == "DISABLED":
        raise Refusal("legacy create cannot create a disabled definition")

    def commit(tx: Transaction, key: str) -> dict[str, Any]:
        current = definitions.get(tx, definition.id)
        if current is not None and current.tombstoned_at is None:
            raise Refusal(f"a routine with id `{definition.id}` exists already; use update, or choose another id")
        if current is not None and current.managed == "v1":
            raise Refusal(
                f"routine `{definition.id}` was deleted through the versioned API and its id is not used again"
            )
        made = revisions.commit(tx, current, "created", definition, managed="legacy", adoption_key=key)
        return {"routine": stored(definition), "createdAt": made.row.created_at}

    return _adopted(engine, "create", body, definition, warnings, commit)


def update(engine: Engine, body: Mapping[str, Any]) -> Answer:
    """Replace a routine's definition: its next revision. Payload: `routine`, `updatedAt`.

    An optional `expectedRevision` that is not the stored one is refused with REVISION_CONFLICT (decisions.md 21).
    """
    definition, warnings = _definition(body, "update")
    expected = body.get("expectedRevision")
    if expected is not None and (not isinstance(expected, int) or isinstance(expected, bool) or expected < 1):
        raise fields.invalid("expectedRevision must be an integer from 1")

    def commit(tx: Transaction, key: str) -> dict[str, Any]:
        current = definitions.get(tx, definition.id)
        if current is None or current.family != "rrule":
            raise Refusal(f"no routine with id `{definition.id}`")
        if current.tombstoned_at is not None:
            raise Refusal(f"routine `{definition.id}` is tombstoned")
        if current.managed == "v1":
            raise Refusal(f"routine `{definition.id}` is managed by the versioned API; revise it there")
        if expected is not None and expected != current.revision:
            raise TypedRefusal(
                Code.REVISION_CONFLICT,
                f"routine `{definition.id}` is at revision {current.revision}, not {expected}",
                current_revision=current.revision,
            )
        if current.lifecycle == "disabled" or definition.status == "DISABLED":
            raise Refusal(f"routine `{definition.id}` cannot be disabled or changed while disabled by update")
        if current.lifecycle in ("draft", "invalid") and definition.status != "PAUSED":
            raise Refusal(f"routine `{definition.id}` is {current.lifecycle}; it must be saved as PAUSED first")
        made = revisions.commit(tx, current, "revised", definition, managed="legacy", adoption_key=key)
        return {"routine": stored(definition), "updatedAt": made.row.revised_at}

    return _adopted(engine, "update", body, definition, warnings, commit)


def delete(engine: Engine, body: Mapping[str, Any]) -> Answer:
    """Tombstone a routine; its history stays. Payload: `deleted`, `id`. What is not there is not an error."""
    automation_id = fields.legacy_id(body, "delete")

    def commit(tx: Transaction, key: str) -> dict[str, Any]:
        current = definitions.get(tx, automation_id)
        if current is None or current.tombstoned_at is not None or current.managed == "v1" or current.family != "rrule":
            return {"deleted": False, "id": automation_id}
        revisions.tombstone(tx, current, managed="legacy", adoption_key=key)
        return {"deleted": True, "id": automation_id}

    return _adopt(engine, "delete", body, {"id": automation_id}, automation_id, commit)


def _definition(body: Mapping[str, Any], action: str) -> tuple[Definition, tuple[str, ...]]:
    raw = body.get("definition")
    if not isinstance(raw, Mapping):
        raise Refusal(f"coven.automations.{action} requires object field `definition`")
    try:
        definition, dropped = parse(raw, drop_unknown=True)
        definition = revisions.resolved(definition)
    except DefinitionError as error:
        raise Refusal(error.message) from error
    except zones.ZoneError as error:
        raise Refusal(f"routine definition failed validation: {error}") from error
    return definition, tuple(f"unknown member `{name}` was left out" for name in dropped)


def _adopted(
    engine: Engine,
    action: str,
    body: Mapping[str, Any],
    definition: Definition,
    warnings: tuple[str, ...],
    commit: Callable[[Transaction, str], dict[str, Any]],
) -> Answer:
    covered: dict[str, Any] = {"definition": stored(definition)}
    if body.get("expectedRevision") is not None:
        covered["expectedRevision"] = body["expectedRevision"]
    answer = _adopt(engine, action, body, covered, definition.id, commit)
    if warnings:
        return Answer({**answer.payload, "warnings": list(warnings)})
    return answer


def _adopt(
    engine: Engine,
    action: str,
    body: Mapping[str, Any],
    covered: dict[str, Any],
    automation_id: str,
    commit: Callable[[Transaction, str], dict[str, Any]],
) -> Answer:
    """Carry the change out under its key, or answer again what the same request was answered before."""
    intent = body.get("intentId")
    intent_id = trim(intent) if isinstance(intent, str) and not is_blank(intent) else None
    key = ids.legacy_adoption_key(f"coven.automations.{action}", intent_id)
    command = f"legacy.definition.{_COMMAND[action]}.v1"
    fingerprint = digest.digest({"command": command, **covered})
    with engine.core.change(not_before=revisions.last_change(engine.core.store, automation_id)) as tx:
        adoption = adoptions.get(tx, key)
        if adoption is not None:
            if adoption.fingerprint != fingerprint:
                raise Refusal(KEY_USED)
            return Answer(adoption.response)
        payload = commit(tx, key)
        adoptions.adopt(
            tx,
            adoption_key=key,
            command=command,
            fingerprint=fingerprint,
            automation_id=automation_id,
            outcome="committed",
            revision=None,
            response=payload,
        )
    engine.wake()
    return Answer(payload)


_COMMAND = {"create": "create", "update": "revise", "delete": "delete"}
