"""The journal: what happened to the app and is no event of the contract's, for the window's Activity page.

Append-only. A line knows the newest event of the feed when it was written, so that both are told in one order.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Literal

from coven_desktop.store.transactions import Reader, Transaction

Kind = Literal[
    "app.away",  # fromAt, untilAt: nothing was planned or started, because the app did not run
    "clock.jumped",  # milliseconds: the machine slept so long, or its clock was set
    "pass.failed",  # failures: sentences, errorClass: of a pass that was cut short
    "routine.quarantined",  # failureClass, reason
    "routine.released",
    "settings.changed",  # of a routine, beside its definition (decisions.md 41)
    "pause_all.began",
    "pause_all.ended",
]


def note(tx: Transaction, kind: Kind, body: Mapping[str, Any], automation_id: str | None = None) -> None:
    """Write a line; `body` must be JSON."""
    tx.change(
        "INSERT INTO journal (position, recorded_at, kind, automation_id, body)"
        " VALUES ((SELECT ifnull(max(position), 0) FROM events), ?, ?, ?, ?)",
        (tx.now_text, kind, automation_id, json.dumps(body, ensure_ascii=False, sort_keys=True)),
    )


def newest(reader: Reader, kind: Kind) -> Mapping[str, Any] | None:
    """What the last line of a kind says."""
    row = reader.one("SELECT body FROM journal WHERE kind = ? ORDER BY number DESC LIMIT 1", (kind,))
    if row is None:
        return None
    body: Mapping[str, Any] = json.loads(row[0])
    return body
