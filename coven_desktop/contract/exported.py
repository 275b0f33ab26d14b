"""An export of routines as one document, `coven.desktop.export.v1`: how it is made, and how one is understood.

    {"schemaVersion": "coven.desktop.export.v1", "exportedAt": INSTANT, "covenVersion": TEXT,
     "routines": [{"id", "family", "revision", "lifecycle", "managed", "createdAt", "revisedAt", "nextDueAt",
                   "clockAheadUntil", "brokenReason", "definition",
                   "settings": {"environment": {NAME: VALUE}, "secrets": [NAME]}}]}

Each routine is as `coven.desktop.routine.list.v1` tells it; its definition is the flat one of the family rrule, or
`coven.desktop.routine.v1`, and null when it was not understood any more. Secrets lie in the keyring and are only named.
What a routine has done is not in it: neither its runs, nor how many there were, nor how the last one ended.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from coven_desktop.contract.definition import ID_LIMIT
from coven_desktop.contract.text import echo

SCHEMA = "coven.desktop.export.v1"


class ExportError(ValueError):
    """A document is no export; `field` is the member that is wrong."""

    def __init__(self, sentence: str, field: str) -> None:
        super().__init__(sentence)
        self.field = field


def document(
    routines: Sequence[Mapping[str, Any]], *, exported_at: str | None = None, version: str | None = None
) -> dict[str, Any]:
    """The document of these routines; without time and version it is a part of one, as it is sent."""
    head = {"exportedAt": exported_at, "covenVersion": version}
    told = {name: value for name, value in head.items() if value is not None}
    return {"schemaVersion": SCHEMA, **told, "routines": list(routines)}


def entries(found: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The routines of a document. Raises ExportError for anything else, with what is wrong in it."""
    if found.get("schemaVersion") != SCHEMA:
        raise ExportError(f"schemaVersion must be {SCHEMA}, which an export has", "schemaVersion")
    routines = found.get("routines")
    if not isinstance(routines, list):
        raise ExportError("routines must be a list", "routines")
    for number, entry in enumerate(routines):
        at = f"routines[{number}]"
        if not isinstance(entry, dict) or not isinstance(entry.get("definition", ""), dict | None):
            raise ExportError(f"{at} must be an object with a definition", at)
        _check_settings(entry.get("settings"), f"{at}.settings")
    return routines


def id_of(entry: Mapping[str, Any]) -> str:
    """The id by which an entry is told of, whatever it holds."""
    found = (entry["definition"] or entry).get("id")
    if not isinstance(found, str):
        return "(no id)"
    return found if len(found) <= ID_LIMIT else echo(found)


def _check_settings(settings: object, at: str) -> None:
    if settings is None:
        return
    if not isinstance(settings, dict):
        raise ExportError(f"{at} must be an object", at)
    if not isinstance(settings.get("environment", {}), dict):
        raise ExportError(f"{at}.environment must be an object", f"{at}.environment")
    if not isinstance(settings.get("secrets", []), list):
        raise ExportError(f"{at}.secrets must be a list of names", f"{at}.secrets")
