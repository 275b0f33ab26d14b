"""The change feed: envelopes appended in the transaction of the change they tell of.

Every stream counts gaplessly from 0 and the feed's position rises by one over all streams
(contract/commands.md §6.3, contract/engine.md §10.7).
"""

from __future__ import annotations

from typing import Any, Literal

from coven_desktop.contract import events, ids
from coven_desktop.store.transactions import Transaction

StreamKind = Literal["automation", "occurrence", "run"]


def append(
    tx: Transaction,
    *,
    stream_kind: StreamKind,
    stream_id: str,
    kind: str,
    summary: str,
    payload: dict[str, Any],
    automation_id: str | None = None,
    occurrence_id: str | None = None,
    run_id: str | None = None,
    attempt_id: str | None = None,
    adoption_key: str | None = None,
    sealed: bool = False,
) -> int:
    """Append one event to a stream; returns its sequence in that stream."""
    position = tx.number("SELECT max(position) FROM events") + 1
    sequence = tx.number(
        "INSERT INTO event_streams (kind, id, next_sequence) VALUES (?, ?, 1)"
        " ON CONFLICT (kind, id) DO UPDATE SET next_sequence = next_sequence + 1 RETURNING next_sequence - 1",
        (stream_kind, stream_id),
    )
    body = events.envelope(
        position=position,
        stream_kind=stream_kind,
        stream_id=stream_id,
        sequence=sequence,
        recorded_at=tx.now_text,
        kind=kind,
        summary=summary,
        payload=payload,
        automation_id=automation_id,
        occurrence_id=occurrence_id,
        run_id=run_id,
        attempt_id=attempt_id,
        adoption_key=adoption_key,
        sealed=sealed,
    )
    tx.change(
        "INSERT INTO events (position, event_id, stream_kind, stream_id, sequence, kind, automation_id,"
        " recorded_at, body)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            position,
            ids.event_id(position),
            stream_kind,
            stream_id,
            sequence,
            kind,
            automation_id,
            tx.now_text,
            events.stored(body),
        ),
    )
    return sequence
