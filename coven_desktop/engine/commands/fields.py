"""Reading the members of a request: one place for the refusals of missing, wrong and unknown members."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from coven_desktop.contract import ids
from coven_desktop.contract.errors import Code, Refusal, TypedRefusal
from coven_desktop.contract.text import is_blank, trim


def invalid(message: str) -> TypedRefusal:
    """A typed refusal for a request whose shape is wrong."""
    return TypedRefusal(Code.VALIDATION_FAILED, message)


def legacy_id(body: Mapping[str, Any], action: str) -> str:
    """The trimmed `id` of an unversioned action. Raises an untyped refusal."""
    value = body.get("id")
    if not isinstance(value, str) or is_blank(value):
        raise Refusal(f"coven.automations.{action} requires string field `id`")
    return trim(value)


def closed(body: Mapping[str, Any], command: str, required: Collection[str], optional: Collection[str]) -> None:
    """A strict command's body has these members and no others (contract/commands.md §4)."""
    if body.get("action") != f"coven.automations.{command}":
        raise invalid(f"action must be exactly coven.automations.{command}")
    for name in required:
        if name not in body:
            raise invalid(f"{command} needs {name}")
    known = {"action", "adoptionKey", *required, *optional}
    for name in body:
        if name not in known:
            raise invalid(f"{command} does not know {name[:80]}; it takes {', '.join(sorted(known))}")


def dry_run(body: Mapping[str, Any], action: str) -> bool:
    """Whether an import is only to tell what it would do. It takes nothing at a revision."""
    dry = body.get("dryRun", False)
    if not isinstance(dry, bool):
        raise invalid(f"{action} field `dryRun` must be true or false")
    if "expectedRevision" in body:
        raise invalid(f"{action} takes no expectedRevision")
    return dry


def unblank(value: object, name: str) -> str:
    """A required text that is not blank."""
    if not isinstance(value, str) or is_blank(value):
        raise invalid(f"{name} must be text that is not blank")
    return value


def entity_id(body: Mapping[str, Any], name: str) -> str:
    """A required id of an occurrence, run or attempt."""
    value = body[name]
    if not ids.is_entity_id(value):
        raise invalid(f"{name} must be 1 to 160 characters: a letter or digit first, then letters, digits and . _ -")
    return str(value)


def bounded_text(body: Mapping[str, Any], name: str, limit: int, *, allow_empty: bool) -> str | None:
    """An optional text of at most `limit` characters; null counts as absent."""
    value = body.get(name)
    if value is None:
        return None
    if not isinstance(value, str) or len(value) > limit or (not allow_empty and not value):
        least = "0" if allow_empty else "1"
        raise invalid(f"{name} must be text of {least} to {limit} characters")
    return value
