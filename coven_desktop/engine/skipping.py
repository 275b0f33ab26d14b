"""Records of slots of cadence and cron routines that do not run, with the reason (design/schedules.md)."""

from __future__ import annotations

from typing import Literal

from coven_desktop.contract import ids, timestamps
from coven_desktop.schedule import zones
from coven_desktop.schedule.late_slots import Span
from coven_desktop.store import misfires, occurrences
from coven_desktop.store.definitions import DefinitionRow
from coven_desktop.store.transactions import Transaction

OVERLAP = "skipped: an earlier run of the routine was not over"

_DISPOSITIONS: dict[str, misfires.Disposition] = {
    "missed": "missed",
    "overlap": "skipped_overlap",
    "catch_up": "catch_up_skipped",
}


def record(
    tx: Transaction,
    row: DefinitionRow,
    slot: int,
    reason_class: Literal["missed", "overlap", "catch_up"],
    reason: str,
    span: Span | None = None,
) -> None:
    """Record a slot as skipped; with `span` its row stands for all the slots of that. Once, whatever pass."""
    occurrences.record_skipped(
        tx,
        occurrence_id=ids.scheduled_occurrence_id(row.id, slot),
        automation_id=row.id,
        revision=row.revision,
        digest=row.digest,
        scheduled_for=timestamps.to_text(slot),
        zone_data=zones.zone_data().version,
        reason=reason,
        reason_class=reason_class,
        disposition=_DISPOSITIONS[reason_class],
        span=None if span is None else (span.slots, timestamps.to_text(span.first), timestamps.to_text(span.last)),
    )
