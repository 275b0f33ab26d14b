"""The requests of definition commands: what they must bring, what their keys are spent on, and how they are answered.

A request whose fields are wrong is refused under its key, with the first fault in the order id or definition,
expectedRevision, reason; only a key that is none is refused without being spent. Unknown members are ignored.
Sources: contract/commands.md §3.1 to §3.5.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from coven_desktop.contract import fingerprint, ids
from coven_desktop.contract.errors import Code, TypedRefusal
from coven_desktop.contract.strict_json import INTEGER_LIMIT
from coven_desktop.contract.text import byte_length, is_blank, is_unicode, trim
from coven_desktop.engine import adoption, revisions
from coven_desktop.engine.answers import Answer
from coven_desktop.engine.commands import fields
from coven_desktop.engine.engine import Engine
from coven_desktop.engine.revisions import Committed
from coven_desktop.store.adoptions import Adoption
from coven_desktop.store.transactions import Transaction

REASON_LIMIT = 500

# Applies a command in the transaction in which its key is spent.
Apply = Callable[[Transaction, str], Answer]


def author(engine: Engine, body: Mapping[str, Any], command: str, apply: Apply, *, revises: bool) -> Answer:
    """Carry out a command that brings a flat definition: create, or revise."""
    definition = body.get("definition")

    def covered() -> dict[str, Any]:
        if not isinstance(definition, Mapping):
            raise fields.invalid(f"{command} requires object field `definition`")
        if revises:
            return {"definition": fingerprint.wire(definition), "expectedRevision": revision(body, command)}
        if "expectedRevision" in body:
            raise fields.invalid(f"{command} takes no expectedRevision")
        return {"definition": fingerprint.wire(definition)}

    automation_id = definition.get("id") if isinstance(definition, Mapping) else None
    return _carry_out(engine, body, command, ("definition", "expectedRevision"), covered, automation_id, apply)


def move(
    engine: Engine,
    body: Mapping[str, Any],
    command: str,
    apply: Apply,
    *,
    takes_reason: bool = True,
    wakes: bool = True,
) -> Answer:
    """Carry out a command that moves a definition from one state to another."""
    asked = body.get("id")
    automation_id = trim(asked) if isinstance(asked, str) else ""

    def covered() -> dict[str, Any]:
        if not automation_id:
            raise fields.invalid(f"{command} requires string field `id`")
        members = {"automationId": automation_id, "expectedRevision": revision(body, command)}
        return {**members, "reason": reason(body)} if takes_reason else members

    names = ("id", "expectedRevision", *(("reason",) if takes_reason else ()))
    return _carry_out(engine, body, command, names, covered, automation_id, apply, wakes=wakes)


def reason(body: Mapping[str, Any]) -> str | None:
    """The reason as it is kept: trimmed, or None. Raises VALIDATION_FAILED."""
    if "reason" not in body:
        return None
    value = body["reason"]
    if not isinstance(value, str) or is_blank(value) or not is_unicode(value) or byte_length(value) > REASON_LIMIT:
        raise fields.invalid(f"reason must be text that is not blank, of at most {REASON_LIMIT} bytes")
    return trim(value)


def answer(made: Committed, result: dict[str, Any]) -> Answer:
    """A revision that was committed (contract/commands.md §3.3)."""
    payload = {
        "outcome": "committed",
        "revision": made.row.revision,
        "result": result,
        "eventRef": {"stream": f"automation/{made.row.id}", "sequence": made.sequence},
    }
    return Answer(payload, in_result=True)


def _carry_out(
    engine: Engine,
    body: Mapping[str, Any],
    command: str,
    names: tuple[str, ...],
    covered: Callable[[], dict[str, Any]],
    automation_id: object,
    apply: Apply,
    *,
    wakes: bool = True,
) -> Answer:
    """Spend the key on what the command does, on its refusal, or on the fault of its request.

    `covered` gives what the fingerprint covers, or raises the fault; then it covers the members `names` as they came.
    """
    key = adoption_key(body)
    fault: TypedRefusal | None = None
    try:
        try:
            members = covered()
        except TypedRefusal as refused:
            fault = refused
            members = {"request": fingerprint.lossless({name: body[name] for name in names if name in body})}
    except TypeError as error:
        raise _without_canonical_form() from error

    def checked(tx: Transaction, key: str) -> Answer:
        if fault is not None:
            raise fault
        return apply(tx, key)

    outcome = spend(engine, key, command, members, automation_id, checked)
    if wakes and outcome.in_event:
        engine.wake()
    return outcome


def adoption_key(body: Mapping[str, Any]) -> str:
    """The key of a definition command, trimmed. Raises VALIDATION_FAILED, which is not adopted."""
    key = body.get("adoptionKey")
    return adoption.key_of({"adoptionKey": trim(key) if isinstance(key, str) else key})


def spend(
    engine: Engine, key: str, command: str, covered: Mapping[str, Any], automation_id: object, apply: Apply
) -> Answer:
    """Spend a key on what `apply` does or refuses, once for what is `covered`; then it is a replay. Wakes nobody.

    `automation_id` None: a command of ours that is about no routine, and so has no revision.
    """
    core = engine.core
    known = automation_id if isinstance(automation_id, str) and ids.is_automation_id(automation_id) else None
    try:
        asked = fingerprint.of(command, covered)
    except ValueError as error:
        raise _without_canonical_form() from error
    return adoption.once(
        core,
        key=key,
        command=command,
        fingerprint=asked,
        replay=_replay,
        apply=apply,
        spent=_spent,
        automation_id=known,
        revision=lambda committed: committed.payload.get("revision"),
        not_before=0 if known is None else revisions.last_change(core.store, known),
    )


def _without_canonical_form() -> TypedRefusal:
    return TypedRefusal(Code.INTERNAL, "the request has no canonical form")


def _replay(adopted: Adoption) -> Answer:
    """The same result again, marked as a replay and without an event."""
    payload = {**adopted.response, "outcome": "replayed", "replay": {"firstCommittedAt": adopted.adopted_at}}
    return Answer(payload, in_result=True, in_event=False)


def _spent(adopted: Adoption) -> TypedRefusal:
    """The refusal of a key that was used for another request, which it names."""
    return TypedRefusal(
        Code.ADOPTION_REPLAY_MISMATCH,
        "this adoption key was used for another request; send the corrected request with a new key",
        details={
            "committedCommand": adopted.command,
            "committedOutcome": adopted.outcome,
            "committedRevision": adopted.revision if adopted.outcome == "committed" else None,
            "automationId": adopted.automation_id,
        },
        adoption={"key": adopted.adoption_key, "conflictOutcome": adopted.outcome},
    )


def revision(body: Mapping[str, Any], command: str) -> int:
    """The revision that the caller knows. Raises VALIDATION_FAILED."""
    value = body.get("expectedRevision")
    if type(value) is not int or not 1 <= value <= INTEGER_LIMIT:
        raise fields.invalid(f"{command} requires integer field `expectedRevision`, from 1")
    return value
