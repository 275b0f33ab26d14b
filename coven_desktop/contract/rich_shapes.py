"""The shapes of the members that a rich definition has and a flat one has not (contract/commands.md §7.5).

Every object is closed and an optional member is absent, never null. Limits are in characters.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from types import MappingProxyType
from typing import Any

from coven_desktop.contract import timestamps
from coven_desktop.contract.definition import TIMEOUT_MINUTES_LIMIT, DefinitionError, parse_retry
from coven_desktop.contract.text import is_blank
from coven_desktop.schedule import rrule, zones

RRULE_LIMIT = 512
PROMPT_LIMIT = 100_000
CWD_LIMIT = 1024
RETENTION_CLASSES = ("ephemeral", "standard", "extended")


def is_well_formed(name: str, value: Any) -> bool:
    """Whether a rich member has its shape. A union of another variant needs its variant and version 1 alone."""
    return _SHAPES[name](value)


def is_trigger(value: Any) -> bool:
    """A schedule: {variant, version, schedule {rrule, timezone}}; or another trigger."""
    if not _is_union(value):
        return False
    if value["variant"] != "schedule":
        return True
    return _has(value, ("variant", "version", "schedule")) and _is_schedule(value["schedule"])


def is_conditions(value: Any) -> bool:
    """A list of conditions, of whatever variants."""
    return isinstance(value, list) and all(_is_union(condition) for condition in value)


def is_action(value: Any) -> bool:
    """A familiar's invocation: {variant, version, prompt, cwd?}; or another action."""
    if not _is_union(value):
        return False
    if value["variant"] != "familiarInvocation":
        return True
    return (
        _has(value, ("variant", "version", "prompt"), ("cwd",))
        and _is_text(value["prompt"], PROMPT_LIMIT)
        and ("cwd" not in value or (isinstance(value["cwd"], str) and len(value["cwd"]) <= CWD_LIMIT))
    )


def is_policies(value: Any) -> bool:
    """At least one policy, all of them known, each in its shape."""
    return (
        isinstance(value, Mapping)
        and bool(value)
        and all(name in _POLICIES and _POLICIES[name](policy) for name, policy in value.items())
    )


def _is_union(value: Any) -> bool:
    return (
        isinstance(value, Mapping)
        and isinstance(value.get("variant"), str)
        and not is_blank(value["variant"])
        and type(value.get("version")) is int
        and value["version"] == 1
    )


def _is_schedule(value: Any) -> bool:
    if not _has(value, ("rrule", "timezone")) or not _is_text(value["rrule"], RRULE_LIMIT):
        return False
    try:
        rrule.parse(value["rrule"])
    except rrule.RruleError:
        return False
    return isinstance(value["timezone"], str) and zones.is_valid_name(value["timezone"])


def _is_timeout(value: Any) -> bool:
    return (
        _has(value, ("perRunMinutes",))
        and type(value["perRunMinutes"]) is int
        and 1 <= value["perRunMinutes"] <= TIMEOUT_MINUTES_LIMIT
    )


def _is_retry(value: Any) -> bool:
    classes = value.get("retryableClasses", []) if isinstance(value, Mapping) else []
    try:
        parse_retry(value)
    except DefinitionError:
        return False
    return len(set(classes)) == len(classes) and value.get("backoffSeconds", 1) is not None


def _is_concurrency(value: Any) -> bool:
    return _has(value, ("overlap",)) and value["overlap"] == "forbid"


def _is_misfire(value: Any) -> bool:
    return _has(value, ("disposition",)) and value["disposition"] == "latest"


def _is_retention(value: Any) -> bool:
    return _has(value, ("occurrenceHistory",), ("runLogs", "receipts")) and all(map(_is_kept, value.values()))


def _is_kept(value: Any) -> bool:
    return (
        _has(value, ("classification",), ("deleteAfter",))
        and value["classification"] in RETENTION_CLASSES
        and ("deleteAfter" not in value or _is_timestamp(value["deleteAfter"]))
    )


def _is_timestamp(value: Any) -> bool:
    return isinstance(value, str) and timestamps.is_timestamp(value)


def _is_delivery(value: Any) -> bool:
    return (
        _has(value, (), ("outputTarget", "mode"))
        and isinstance(value.get("outputTarget", ""), str)
        and value.get("mode", "atomic") == "atomic"
        and ("outputTarget" not in value or "mode" in value)
    )


def _has(value: Any, required: Collection[str], optional: Collection[str] = ()) -> bool:
    return (
        isinstance(value, Mapping)
        and all(name in value for name in required)
        and all(name in required or name in optional for name in value)
    )


def _is_text(value: Any, limit: int) -> bool:
    return isinstance(value, str) and not is_blank(value) and len(value) <= limit


_POLICIES: Mapping[str, Callable[[Any], bool]] = MappingProxyType(
    {
        "timeout": _is_timeout,
        "retry": _is_retry,
        "concurrency": _is_concurrency,
        "misfire": _is_misfire,
        "retention": _is_retention,
        "delivery": _is_delivery,
    }
)
_SHAPES: Mapping[str, Callable[[Any], bool]] = MappingProxyType(
    {"trigger": is_trigger, "conditions": is_conditions, "action": is_action, "policies": is_policies}
)
RICH_MEMBERS = frozenset(_SHAPES)
