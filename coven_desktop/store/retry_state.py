"""Quarantine: one row a routine that has ever used up its attempts (contract/engine.md §6).

The row stays for ever; while its evidence stands (when, which class, why) nothing of the routine is planned or claimed.
"""

from __future__ import annotations

from coven_desktop.store import definitions, journal
from coven_desktop.store.transactions import Reader, Transaction


def record_exhaustion(tx: Transaction, automation_id: str, failure_class: str, reason: str) -> int:
    """All attempts were used up: count it, keep the latest evidence, and stop the routine's timer.

    Returns how many exhaustions have been counted since the last release; 1 is where a quarantine begins.
    """
    count = tx.number(
        "INSERT INTO retry_state (automation_id, consecutive_exhaustions, quarantined_at, failure_class, reason,"
        " updated_at) VALUES (?1, 1, ?2, ?3, ?4, ?2)"
        " ON CONFLICT (automation_id) DO UPDATE SET consecutive_exhaustions = consecutive_exhaustions + 1,"
        " quarantined_at = excluded.quarantined_at, failure_class = excluded.failure_class, reason = excluded.reason,"
        " updated_at = excluded.updated_at RETURNING consecutive_exhaustions",
        (automation_id, tx.now_text, failure_class, reason),
    )
    definitions.stop_timer(tx, automation_id)
    if count == 1:
        journal.note(tx, "routine.quarantined", {"failureClass": failure_class, "reason": reason}, automation_id)
    return count


def release(tx: Transaction, automation_id: str) -> bool:
    """End the quarantine of a routine; False, with nothing written, when there is none.

    The timer is not set: what is due is for the engine to say.
    """
    released = tx.change(
        "UPDATE retry_state SET consecutive_exhaustions = 0, quarantined_at = NULL, failure_class = NULL,"
        " reason = NULL, updated_at = ? WHERE automation_id = ? AND quarantined_at IS NOT NULL",
        (tx.now_text, automation_id),
    )
    if released:
        journal.note(tx, "routine.released", {}, automation_id)
    return bool(released)


def released_at(reader: Reader, automation_id: str) -> str | None:
    """When the routine was last released, if it is not quarantined anew."""
    row = reader.one(
        "SELECT updated_at FROM retry_state WHERE automation_id = ? AND quarantined_at IS NULL", (automation_id,)
    )
    return row[0] if row else None
