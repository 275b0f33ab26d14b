"""What a routine with a rich definition holds that its flat form does not (contract/commands.md §7.4)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from coven_desktop.store import rich_definitions
from coven_desktop.store.transactions import Reader


def beyond_flat(reader: Reader, automation_id: str) -> tuple[str, ...]:
    """The members of the rich definition, by their place, that no flat routine has; none for a flat one.

    Extensions are told one by one: `extensions.x-reviewed`. What is there and says nothing, an empty list, is left out.
    """
    written = rich_definitions.get(reader, automation_id)
    if written is None:
        return ()
    found = [place for place in _PLACES if _at(written, place)]
    return (*found, *(f"extensions.{name}" for name in written.get("extensions", {})))


_PLACES = (
    "display.description",
    "binding.authority",
    "runtimeRequirements.capabilities",
    "policies.retention",
    "provenance",
    "deletion",
)


def _at(written: Mapping[str, Any], place: str) -> Any:
    value: Any = written
    for step in place.split("."):
        value = value.get(step) if isinstance(value, Mapping) else None
    return value
