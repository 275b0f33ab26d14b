"""The rich definitions behind routines, as their authors wrote them (contract/commands.md §7.4)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from coven_desktop.store.transactions import Reader, Transaction


def get(reader: Reader, automation_id: str) -> dict[str, Any] | None:
    """What was written, or None when the routine was written flat."""
    row = reader.one("SELECT body FROM rich_definitions WHERE automation_id = ?", (automation_id,))
    if row is None:
        return None
    body: dict[str, Any] = json.loads(row[0])
    return body


def put(tx: Transaction, automation_id: str, body: Mapping[str, Any]) -> None:
    """Keep what was written, number by number, in the transaction of the revision that it is of."""
    tx.change(
        "INSERT INTO rich_definitions (automation_id, body) VALUES (?, ?)"
        " ON CONFLICT (automation_id) DO UPDATE SET body = excluded.body",
        (automation_id, json.dumps(body, ensure_ascii=False, separators=(",", ":"))),
    )


def drop(tx: Transaction, automation_id: str) -> None:
    """The routine was written flat."""
    tx.change("DELETE FROM rich_definitions WHERE automation_id = ?", (automation_id,))
