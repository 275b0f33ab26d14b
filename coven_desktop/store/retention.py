"""Deleting what is old: whole settled occurrences with all that hangs on them, under a permit (decisions.md 36).

What keeps an occurrence is said once, by the view `prunable` of the schema, and the database itself refuses a
permit for anything else. Adoptions, receipts, definitions and their revisions are never touched.
"""

from __future__ import annotations

from typing import NamedTuple

from coven_desktop.store import maintenance
from coven_desktop.store.transactions import Reader, Transaction

PRUNED_THROUGH = "events_pruned_through"
"""The maintenance fact that tells the highest feed position ever deleted; the feed has no gap beyond it."""

# Each takes the occurrence's id. What refers to a row goes before the row; the permit is taken back last.
_RUNS = "SELECT id FROM runs WHERE occurrence_id = ?1"
_DELETIONS = (
    "DELETE FROM attempts WHERE occurrence_id = ?1",
    f"DELETE FROM sessions WHERE run_id IN ({_RUNS})",
    f"DELETE FROM cancellations WHERE run_id IN ({_RUNS})",
    "DELETE FROM runs WHERE occurrence_id = ?1",
    "DELETE FROM occurrences WHERE id = ?1",
    "DELETE FROM retention_permit WHERE occurrence_id = ?1",
)
# A run that was taken back has left nothing but its events, and those lie between the occurrence's own.
_TAKEN_BACK = (
    "SELECT DISTINCT stream_id FROM events"
    " WHERE automation_id = (SELECT automation_id FROM occurrences WHERE id = ?1) AND position BETWEEN"
    " (SELECT min(position) FROM events WHERE stream_kind = 'occurrence' AND stream_id = ?1) AND"
    " (SELECT max(position) FROM events WHERE stream_kind = 'occurrence' AND stream_id = ?1)"
    " AND stream_kind = 'run' AND json_extract(body, '$.occurrenceId') = ?1"
)


class Place(NamedTuple):
    """How far a walk through the occurrences has come: oldest scheduled time first."""

    scheduled_for: str
    number: int


BEGINNING = Place("", 0)


class Page(NamedTuple):
    """One page of a walk: the occurrences in it that may be deleted, and where the walk goes on; None at its end."""

    prunable: tuple[tuple[Place, str], ...]
    next: Place | None


def walk(reader: Reader, settled_before: str, after: Place, limit: int) -> Page:
    """Look at the next `limit` occurrences of a walk; those settled before the instant may go, if nothing needs them.

    A slot is settled after it was scheduled, so that the walk ends where slots are scheduled at the instant itself.
    """
    rows = reader.query(
        "SELECT w.scheduled_for, w.number,"
        " (SELECT p.id FROM prunable p WHERE p.number = w.number AND p.settled_at < ?1)"
        " FROM (SELECT scheduled_for, number FROM occurrences"
        "       WHERE (scheduled_for, number) > (?2, ?3) AND scheduled_for < ?1"
        "       ORDER BY scheduled_for, number LIMIT ?4) w ORDER BY w.scheduled_for, w.number",
        (settled_before, after.scheduled_for, after.number, limit),
    )
    prunable = tuple((Place(row[0], row[1]), str(row[2])) for row in rows if row[2] is not None)
    return Page(prunable, Place(rows[-1][0], rows[-1][1]) if len(rows) == limit else None)


def unended_sessions(reader: Reader, occurrence_id: str) -> list[str]:
    """Sessions of an occurrence of which it was never proven that they ended: their hosts may still be there."""
    rows = reader.query(
        f"SELECT id FROM sessions WHERE run_id IN ({_RUNS}) AND evidence IS NULL AND status = 'orphaned'",
        (occurrence_id,),
    )
    return [row[0] for row in rows]


def prune(tx: Transaction, occurrence_id: str) -> list[str]:
    """Delete a prunable occurrence with its runs, attempts, sessions, cancellations and the events of its streams.

    Returns the ids of its sessions, whose folders may be removed once this is committed. Raises StoreBug for an
    occurrence that is still needed.
    """
    tx.change("INSERT INTO retention_permit (occurrence_id) VALUES (?)", (occurrence_id,))
    sessions = [row[0] for row in tx.query(f"SELECT id FROM sessions WHERE run_id IN ({_RUNS})", (occurrence_id,))]
    streams = {("run", str(row[0])) for sql in (_RUNS, _TAKEN_BACK) for row in tx.query(sql, (occurrence_id,))}
    newest = max(_delete_stream(tx, kind, name) for kind, name in {*streams, ("occurrence", occurrence_id)})
    maintenance.put(tx, PRUNED_THROUGH, str(max(newest, int(maintenance.get(tx, PRUNED_THROUGH) or 0))))
    for sql in _DELETIONS:
        tx.change(sql, (occurrence_id,))
    return sessions


def _delete_stream(tx: Transaction, kind: str, stream_id: str) -> int:
    """Delete the events of a stream; returns the highest feed position among them, 0 when there was none.

    Where the stream had come to is kept, so that its readers are told that it is gone (store/feed.py).
    """
    rows = tx.query("DELETE FROM events WHERE stream_kind = ? AND stream_id = ? RETURNING position", (kind, stream_id))
    return max([0, *(int(row[0]) for row in rows)])


def is_session(reader: Reader, session_id: str) -> bool:
    """Whether there is a session of this id."""
    return bool(reader.number("SELECT EXISTS (SELECT 1 FROM sessions WHERE id = ?)", (session_id,)))


def free_pages(reader: Reader) -> int:
    """How many pages of the file hold nothing."""
    return reader.number("PRAGMA freelist_count")


def give_back(tx: Transaction, pages: int) -> None:
    """Give up to so many free pages of the file back to the disk."""
    tx.query(f"PRAGMA incremental_vacuum({pages})")
