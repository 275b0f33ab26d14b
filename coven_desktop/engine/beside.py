"""What stands beside a routine's flat definition: environment, secrets by name, and what only the rich form holds.

For the form, which shows the one and must not lose the other (decisions.md 41, contract/commands.md §7.4).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from coven_desktop.store import rich_definitions, routine_settings, secret_names
from coven_desktop.store.transactions import Reader


@dataclass(frozen=True)
class Beside:
    """`environment` and `secrets` at their `revision`, 0 when they were never set; `known` are the names of the secrets
    that were given to the keyring from here. `beyond` are members of the rich definition that no flat routine has, by
    their place.
    """

    environment: Mapping[str, str]
    secrets: tuple[str, ...]
    revision: int
    known: tuple[str, ...]
    beyond: tuple[str, ...]


def read(reader: Reader, automation_id: str | None) -> Beside:
    """What stands beside a routine; None for one that is not there yet."""
    known = tuple(secret_names.every(reader))
    if automation_id is None:
        return Beside({}, (), 0, known, ())
    row = routine_settings.get(reader, automation_id)
    settings = routine_settings.of(row)
    return Beside(settings.environment, settings.secrets, row.revision, known, _beyond(reader, automation_id))


def _beyond(reader: Reader, automation_id: str) -> tuple[str, ...]:
    """Extensions one by one: `extensions.x-reviewed`. What is there and says nothing, an empty list, is left out."""
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
