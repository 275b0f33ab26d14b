"""What is told of slots that do not run, beside their rows: the misfire events, and the spans that rows stand for."""

from __future__ import annotations

from typing import Literal

from coven_desktop.store import events
from coven_desktop.store.transactions import Reader, Transaction

# What became of slots that did not run (decisions.md 7).
Disposition = Literal["collapsed_to_latest", "skipped_overlap", "missed", "catch_up_skipped"]


def tell(
    tx: Transaction,
    automation_id: str,
    occurrence_id: str,
    disposition: Disposition,
    slots: int,
    summary: str,
    between: tuple[str, str] | None,
) -> None:
    """Append the event of slots that do not run; `between`: the first and the last of them, where known."""
    span = {} if between is None else {"firstSlot": between[0], "lastSlot": between[1]}
    events.append(
        tx,
        stream_kind="occurrence",
        stream_id=occurrence_id,
        kind="occurrence.misfire_recorded",
        summary=summary,
        payload={"disposition": disposition, "collapsedSlots": slots, **span},
        automation_id=automation_id,
        occurrence_id=occurrence_id,
    )


def missed(reader: Reader, occurrence_id: str) -> tuple[int, str, str] | None:
    """How many slots that did not run the row of a cadence or cron routine stands for, the first and the last of them.

    None for a row that stands for itself alone. A make-up run's own slot is not among them.
    """
    found = reader.one(
        "SELECT slots, first_slot, last_slot FROM missed_spans WHERE occurrence_id = ?", (occurrence_id,)
    ) or reader.one(
        "SELECT json_extract(body, '$.payload.collapsedSlots'), json_extract(body, '$.payload.firstSlot'),"
        " json_extract(body, '$.payload.lastSlot') FROM events WHERE stream_kind = 'occurrence' AND stream_id = ?"
        " AND kind = 'occurrence.misfire_recorded' AND json_extract(body, '$.payload.firstSlot') IS NOT NULL",
        (occurrence_id,),
    )
    return None if found is None else (found[0], found[1], found[2])
