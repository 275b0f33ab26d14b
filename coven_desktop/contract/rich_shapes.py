"""The shapes of the members that a rich definition has and a flat one has not (contract/commands.md §7.5).

A rich definition must have them as they stand here. A flat body that brings one of them is judged by
`is_well_formed`, which lets unions of other variants be: what these hold is not ours to know.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from coven_desktop.contract.definition import (
    BACKOFF_POLICIES,
    BACKOFF_SECONDS_LIMIT,
    MAX_ATTEMPTS_LIMIT,
    RETRYABLE_CLASSES,
    TIMEOUT_MINUTES_LIMIT,
)
from coven_desktop.contract.shapes import (
    TIMESTAMP,
    Shape,
    ShapeError,
    fits,
    integer,
    listing,
    matching,
    one_of,
    record,
    text,
    unblank,
)
from coven_desktop.contract.text import is_blank
from coven_desktop.schedule import rrule, zones

_FIRST_VERSION = integer(1, 1)

TRIGGER = record(
    {
        "variant": one_of("schedule"),
        "version": _FIRST_VERSION,
        "schedule": record(
            {
                "rrule": unblank(512),
                "timezone": matching(
                    lambda value: isinstance(value, str) and zones.is_valid_name(value), "utc or an exact IANA name"
                ),
            }
        ),
    }
)
ACTION = record(
    {"variant": one_of("familiarInvocation"), "version": _FIRST_VERSION, "prompt": unblank(100_000)},
    {"cwd": text(1024)},
)

_RETRY = record(
    {"maxAttempts": integer(1, MAX_ATTEMPTS_LIMIT), "backoffPolicy": one_of(*BACKOFF_POLICIES)},
    {
        "backoffSeconds": integer(1, BACKOFF_SECONDS_LIMIT),
        "retryableClasses": listing(one_of(*RETRYABLE_CLASSES)),
    },
)
_KEPT = record({"classification": one_of("ephemeral", "standard", "extended")}, {"deleteAfter": TIMESTAMP})
_DELIVERY = record({}, {"outputTarget": text(1024), "mode": one_of("atomic")})


def _retry(place: str, value: Any) -> None:
    _RETRY(place, value)
    if value["backoffPolicy"] == "fixed" and "backoffSeconds" not in value:
        raise ShapeError(f"{place}.backoffSeconds", "is needed when backoffPolicy is fixed")


def _delivery(place: str, value: Any) -> None:
    _DELIVERY(place, value)
    if "outputTarget" in value and "mode" not in value:
        raise ShapeError(f"{place}.mode", "is needed when there is an outputTarget")


REQUIRED_POLICIES: Mapping[str, Shape] = MappingProxyType(
    {
        "timeout": record({"perRunMinutes": integer(1, TIMEOUT_MINUTES_LIMIT)}),
        "retry": _retry,
        "concurrency": record({"overlap": one_of("forbid")}),
        "misfire": record({"disposition": one_of("latest")}),
        "retention": record({"occurrenceHistory": _KEPT}, {"runLogs": _KEPT, "receipts": _KEPT}),
    }
)
OPTIONAL_POLICIES: Mapping[str, Shape] = MappingProxyType({"delivery": _delivery})
POLICIES = record(REQUIRED_POLICIES, OPTIONAL_POLICIES)


def is_well_formed(name: str, value: Any) -> bool:
    """Whether a rich member has its shape. A union of another variant needs its variant and version 1 alone."""
    return _WELL_FORMED[name](value)


_SOME_POLICIES = record({}, {**REQUIRED_POLICIES, **OPTIONAL_POLICIES})


def _is_trigger(value: Any) -> bool:
    if not _is_union(value):
        return False
    return value["variant"] != "schedule" or (fits(TRIGGER, value) and _is_rule(value["schedule"]["rrule"]))


def _is_conditions(value: Any) -> bool:
    return isinstance(value, list) and all(map(_is_union, value))


def _is_action(value: Any) -> bool:
    return _is_union(value) and (value["variant"] != "familiarInvocation" or fits(ACTION, value))


def _is_policies(value: Any) -> bool:
    return fits(_SOME_POLICIES, value) and bool(value)


def _is_union(value: Any) -> bool:
    return (
        isinstance(value, Mapping)
        and isinstance(value.get("variant"), str)
        and not is_blank(value["variant"])
        and type(value.get("version")) is int
        and value["version"] == 1
    )


def _is_rule(value: str) -> bool:
    try:
        rrule.parse(value)
    except rrule.RruleError:
        return False
    return True


_WELL_FORMED: Mapping[str, Callable[[Any], bool]] = MappingProxyType(
    {"trigger": _is_trigger, "conditions": _is_conditions, "action": _is_action, "policies": _is_policies}
)
RICH_MEMBERS = frozenset(_WELL_FORMED)
