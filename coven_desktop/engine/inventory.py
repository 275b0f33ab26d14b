"""The routines with what the contract's own lists leave out: revision, lifecycle, settings, and which API manages them.

Who changes a routine for somebody else needs to know the last: a versioned command takes a routine away from the
clients that use the unversioned `update` (contract/commands.md §3.8). An export needs the settings (decisions.md 41).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from coven_desktop.engine.commands import fields
from coven_desktop.store import definitions, hindrances, routine_settings
from coven_desktop.store.definitions import DefinitionRow
from coven_desktop.store.routine_settings import SettingsRow
from coven_desktop.store.transactions import Reader

IDS_LIMIT = 1_000


def routines(reader: Reader, body: Mapping[str, Any], now_text: str) -> list[dict[str, Any]]:
    """Every live routine by name in byte order, or those of `ids` that live, in the order asked for.

    `managed` is `legacy` or `v1`, `definition` the stored form, or null when it is no longer a JSON object
    (decisions.md 31); `settings` has `revision` (0: never set), `environment` (names and values) and `secrets`
    (names only). `nextDueAt` is when it is really planned next, null when nothing of it will be; `clockAheadUntil` says
    that and until when a clock that was ahead keeps it from being planned (decisions.md 28), `brokenReason` why it is
    not understood (31). Raises VALIDATION_FAILED for `ids` that are no list of 1 to 1,000 texts.
    """
    asked = body.get("ids")
    with reader.snapshot():
        settings = routine_settings.every(reader)
        if asked is None:
            rows = definitions.live(reader)
        else:
            found = [definitions.get(reader, automation_id) for automation_id in _ids(asked)]
            rows = [row for row in found if row is not None and row.tombstoned_at is None]
        ahead = {one.automation_id: one.until for one in hindrances.clock_ahead(reader, now_text)}
        return [_routine(row, settings.get(row.id, routine_settings.NONE), ahead.get(row.id)) for row in rows]


def _ids(asked: object) -> list[str]:
    if not isinstance(asked, list) or not all(isinstance(one, str) for one in asked):
        raise fields.invalid("ids must be a list of routine ids")
    if not 1 <= len(asked) <= IDS_LIMIT:
        raise fields.invalid(f"ids must name 1 to {IDS_LIMIT:,} routines, got {len(asked):,}")
    return list(dict.fromkeys(asked))


def _routine(row: DefinitionRow, settings: SettingsRow, clock_ahead_until: str | None) -> dict[str, Any]:
    """One entry. What is JSON already is handed on as it is: to read it and write it again would cost the most."""
    return {
        "id": row.id,
        "family": row.family,
        "revision": row.revision,
        "lifecycle": row.lifecycle,
        "managed": row.managed,
        "createdAt": row.created_at,
        "revisedAt": row.revised_at,
        "nextDueAt": row.next_due_at,
        "clockAheadUntil": clock_ahead_until,
        "brokenReason": row.broken_reason,
        "definition": msgspec.Raw(row.body) if row.body.startswith("{") else None,
        "settings": {
            "revision": settings.revision,
            "environment": msgspec.Raw(settings.environment),
            "secrets": msgspec.Raw(settings.secrets),
        },
    }
