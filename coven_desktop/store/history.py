"""Pages of history, newest first by instant, then id: each begins behind the last row of the one before.

The keys are those of the indexes of schema 3: a page costs the same wherever it lies (contract/commands.md §5.1).
"""

from __future__ import annotations

from coven_desktop.store import occurrences, runs
from coven_desktop.store.occurrences import OccurrenceRow
from coven_desktop.store.runs import RunRow, SessionRow
from coven_desktop.store.transactions import Reader, Value

Place = tuple[str, str]
"""Instant, as it is stored, and id of a row."""

# Scheduled slots are stored with three fraction digits and manual starts with nine: as an instant, all have nine. The
# words are those of the index.
_SCHEDULED_FOR = "substr(rtrim(scheduled_for, 'Z') || '000000', 1, 29)"
_LENGTH = 29


def of_occurrences(reader: Reader, automation_id: str, behind: Place | None, limit: int) -> list[OccurrenceRow]:
    """Up to `limit` occurrences of a routine, by their scheduled time."""
    if behind is not None:
        behind = (behind[0].rstrip("Z").ljust(_LENGTH, "0"), behind[1])
    ids = _page(reader, "occurrences", _SCHEDULED_FOR, "automation_id = ?", [automation_id], behind, limit)
    return [row for row in (occurrences.get(reader, found) for found in ids) if row is not None]


def of_runs(
    reader: Reader, automation_id: str, occurrence_id: str | None, behind: Place | None, limit: int
) -> list[RunRow]:
    """Up to `limit` runs of a routine, or of one occurrence of it, by their start."""
    which, values = "automation_id = ?", [automation_id]
    if occurrence_id is not None:
        # those of one occurrence are few: found by it, not by walking through all of the routine's
        which, values = "occurrence_id = ? AND +automation_id = ?", [occurrence_id, automation_id]
    found = _page(reader, "runs", "started_at", which, values, behind, limit)
    return [row for row in (runs.get(reader, run_id) for run_id in found) if row is not None]


def of_sessions(reader: Reader, behind: Place | None, limit: int) -> list[SessionRow]:
    """Up to `limit` sessions, by their creation."""
    found = _page(reader, "sessions", "created_at", "1", [], behind, limit)
    return [row for row in (runs.session(reader, session_id) for session_id in found) if row is not None]


def _page(
    reader: Reader, table: str, key: str, which: str, values: list[str], behind: Place | None, limit: int
) -> list[str]:
    """The ids of a page: an index holds all that is asked for, in its order."""
    parameters: list[Value] = [*values]
    if behind is not None:
        # not as a pair: a pair with an expression in it is not looked up in the index
        which += f" AND {key} <= ? AND ({key} < ? OR id < ?)"
        parameters += [behind[0], behind[0], behind[1]]
    rows = reader.query(
        f"SELECT id FROM {table} WHERE {which} ORDER BY {key} DESC, id DESC LIMIT ?", [*parameters, limit]
    )
    return [row[0] for row in rows]
