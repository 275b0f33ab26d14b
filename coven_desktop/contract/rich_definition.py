"""The rich definition: a routine with what an author says about it, under a digest of its own.

Its shape and its digest are contract/commands.md §7.5 and §7.6. What the scheduler works with is the flat routine it
is projected to (§7.4); the rest is kept as it was written and is not enforced.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from coven_desktop.contract import digest
from coven_desktop.contract.rich_shapes import ACTION, POLICIES, TRIGGER
from coven_desktop.contract.shapes import (
    AUTOMATION_ID,
    PRINCIPAL,
    REVISION,
    TIMESTAMP,
    ShapeError,
    listing,
    matching,
    one_of,
    record,
    text,
    yes,
)
from coven_desktop.contract.strict_json import INTEGER_LIMIT

SCHEMA_VERSION = "coven.automations.v1"
LIFECYCLE_STATES = ("draft", "paused", "active", "disabled", "invalid")
DEFAULT_RUNTIME = "coven-code"

# Those in which a run may come, has come or may come back: it must be known who runs it and with what.
_BOUND_STATES = ("active", "paused", "disabled")
# Where the members of the flat routine stand.
_PLACES: Mapping[str, tuple[str, ...]] = {
    "name": ("display", "name"),
    "tags": ("display", "tags"),
    "rrule": ("trigger", "schedule", "rrule"),
    "timezone": ("trigger", "schedule", "timezone"),
    "prompt": ("action", "prompt"),
    "cwd": ("action", "cwd"),
    "runtime": ("runtimeRequirements", "runtimeId"),
    "model": ("runtimeRequirements", "model"),
    "familiarId": ("binding", "familiarId"),
    "timeoutMinutes": ("policies", "timeout", "perRunMinutes"),
    "retry": ("policies", "retry"),
}
# `x-` and a name, or a reversed domain of three labels or more: `com.example.reviewed`.
_EXTENSION = re.compile(r"x-[a-z0-9-]+|[a-z0-9-]+(\.[a-z0-9-]+){2,}")


def _no_conditions(place: str, value: Any) -> None:
    if value != []:
        raise ShapeError(place, "must be an empty list: this contract has no conditions")


def _extensions(place: str, value: Any) -> None:
    if not isinstance(value, Mapping):
        raise ShapeError(place, "must be an object")
    if not all(_EXTENSION.fullmatch(name) for name in value):
        raise ShapeError(place, "has names of the form x-name or com.example.name, in small letters, digits and -")


_SHAPE = record(
    {
        "schemaVersion": one_of(SCHEMA_VERSION),
        "automationId": AUTOMATION_ID,
        "revision": REVISION,
        "integrity": record(
            {
                "algorithm": one_of("sha256"),
                "canonicalization": one_of("jcs-rfc8785"),
                "value": matching(
                    lambda value: isinstance(value, str) and re.fullmatch(r"[0-9a-f]{64}", value) is not None,
                    "64 lower-case hex digits",
                ),
            }
        ),
        "lifecycleState": one_of(*LIFECYCLE_STATES),
        "display": record({"name": text(160, 1)}, {"description": text(2000), "tags": listing(text(64, 1), 64)}),
        "trigger": TRIGGER,
        "action": ACTION,
        "binding": record(
            {
                "familiarBindingPolicy": one_of("exact"),
                "authority": record({"approvalPolicyRef": text(200, 1)}, {"approvalRecordRef": text(200)}),
            },
            {"familiarId": text(64, 1)},
        ),
        "policies": POLICIES,
    },
    {
        "deletion": record(
            {"tombstoned": yes, "requestedAt": TIMESTAMP}, {"requestedBy": PRINCIPAL, "reason": text(500)}
        ),
        "conditions": _no_conditions,
        "runtimeRequirements": record(
            {"runtimeId": text(64, 1), "capabilities": listing(text(96, 1))}, {"model": text(128)}
        ),
        "provenance": record(
            {"createdBy": PRINCIPAL},
            {"createdAt": TIMESTAMP, "updatedBy": PRINCIPAL, "updatedAt": TIMESTAMP, "importedFrom": text(200)},
        ),
        "activation": record({}, {"effectiveFrom": TIMESTAMP, "effectiveUntil": TIMESTAMP}),
        "extensions": _extensions,
    },
)


def check(place: str, value: Any) -> None:
    """The shape of a rich definition, and that its digest is that of its content. Raises ShapeError."""
    _SHAPE(place, value)
    if value["lifecycleState"] in _BOUND_STATES:
        for holder, name in ((value, "runtimeRequirements"), (value["binding"], "familiarId")):
            if name not in holder:
                within = place if holder is value else f"{place}.binding"
                raise ShapeError(f"{within}.{name}", "may be missing in a draft only")
    try:
        integrity = sealed(value)
    except ValueError:
        rule = "must have a canonical form: no integral number beyond ±(2^53-1), no half of a surrogate pair"
        raise ShapeError(place, rule) from None
    if value["integrity"] != integrity:
        raise ShapeError(f"{place}.integrity.value", "must be the SHA-256 of the definition without its integrity")


def sealed(definition: Mapping[str, Any]) -> dict[str, str]:
    """The `integrity` of a definition: over all but a top-level `integrity`. ValueError as `digest.canonical`.

    Stricter than that: no integral number beyond ±(2^53-1) is rounded, however it is written.
    """
    _refuse_large(definition)
    return digest.seal(definition)


def routine_of(definition: Mapping[str, Any]) -> dict[str, Any]:
    """The flat routine of a rich definition that has its shape; the routine itself need not be valid yet."""
    display, schedule = definition["display"], definition["trigger"]["schedule"]
    needs, policies = definition.get("runtimeRequirements", {}), definition["policies"]
    routine = {
        "schemaVersion": 1,
        "id": definition["automationId"],
        "name": display["name"],
        "status": "ACTIVE" if definition["lifecycleState"] == "active" else "PAUSED",
        "rrule": schedule["rrule"],
        "timezone": schedule["timezone"],
        "misfire": policies["misfire"]["disposition"],
        "overlap": policies["concurrency"]["overlap"],
        "timeoutMinutes": policies["timeout"]["perRunMinutes"],
        "retry": policies["retry"],
        "runtime": needs.get("runtimeId", DEFAULT_RUNTIME),
        "prompt": definition["action"]["prompt"],
        "tags": display.get("tags", []),
    }
    for name, holder in (("cwd", definition["action"]), ("model", needs), ("familiarId", definition["binding"])):
        if name in holder:
            routine[name] = holder[name]
    return routine


def with_changes(definition: Mapping[str, Any], changed: Mapping[str, Any]) -> dict[str, Any]:
    """The definition with members of its flat routine changed, None for one that is gone; the rest as it was written.

    `status` is not among them: revision, state and integrity are for `as_it_stands`.
    """
    written: dict[str, Any] = json.loads(json.dumps(definition))
    for name, value in changed.items():
        *steps, last = _PLACES[name]
        holder = written
        for step in steps:
            # only a draft may be without its runtimeRequirements
            holder = holder.setdefault(step, {"runtimeId": DEFAULT_RUNTIME, "capabilities": []})
        if name == "retry" and value is None:
            value = {"maxAttempts": 1, "backoffPolicy": "none"}
        if value is None:
            holder.pop(last, None)
        else:
            holder[last] = value
    return written


def as_it_stands(definition: Mapping[str, Any], *, revision: int, lifecycle_state: str) -> dict[str, Any]:
    """The rich definition of a routine that has moved on: its revision and state, and the digest that belongs to it."""
    moved = {**definition, "revision": revision, "lifecycleState": lifecycle_state}
    return {**moved, "integrity": sealed(moved)}


def _refuse_large(value: Any) -> None:
    match value:
        case float() if value.is_integer() and abs(value) > INTEGER_LIMIT:
            raise ValueError("an integral number beyond ±(2^53-1)")
        case Mapping():
            for member in value.values():
                _refuse_large(member)
        case list():
            for entry in value:
                _refuse_large(entry)
        case _:
            pass
