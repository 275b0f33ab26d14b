"""What the timeline and a routine's page ask the database. Only reads; instants are the store's RFC 3339 text."""

from __future__ import annotations

from typing import NamedTuple

from coven_desktop.store import open_runs
from coven_desktop.store.transactions import Reader


class HourRecord(NamedTuple):
    """How many occurrences that were due in an hour (UTC, `2026-03-29T09`) are in a state, and the newest of them.

    Those whose run is held are `held`: in the store they are `claimed` or `running`, and neither is so for the person.
    """

    hour: str
    state: str
    amount: int
    number: int


class RunRecord(NamedTuple):
    """One run of a routine, for the plot of its durations."""

    run_id: str
    occurrence_id: str | None
    status: str
    started_at: str
    finished_at: str | None
    exit_code: int | None


def hours(reader: Reader, start: str, end: str) -> list[HourRecord]:
    """The occurrences that were due from one instant on and before another, hour by hour, state by state."""
    # in an index alone, routine by routine and state by state: the rows themselves lie all over the file
    rows = reader.query(
        "SELECT substr(o.scheduled_for, 1, 13), CASE WHEN o.state IN ('claimed', 'running')"
        f" AND o.number IN {open_runs.HELD_OCCURRENCES} THEN 'held' ELSE o.state END,"
        " count(*), max(o.number) FROM occurrence_counts c"
        " CROSS JOIN occurrences o INDEXED BY occurrences_by_routine_state"
        " ON o.automation_id = c.automation_id AND o.state = c.state"
        " WHERE c.amount > 0 AND o.scheduled_for >= ? AND o.scheduled_for < ? GROUP BY 1, 2 ORDER BY 1, 2",
        (start, end),
    )
    return [HourRecord(*row) for row in rows]


def upcoming(reader: Reader, before: str, limit: int) -> list[str]:
    """The ids of routines that are due before an instant, the next one first."""
    rows = reader.query(
        "SELECT id FROM definitions WHERE next_due_at < ? ORDER BY next_due_at, id LIMIT ?", (before, limit)
    )
    return [row[0] for row in rows]


def last_runs(reader: Reader, automation_id: str, limit: int) -> list[RunRecord]:
    """The newest runs of a routine, newest first."""
    rows = reader.query(
        "SELECT id, occurrence_id, status, started_at, finished_at, exit_code FROM runs WHERE automation_id = ?"
        " ORDER BY started_at DESC, id DESC LIMIT ?",
        (automation_id, limit),
    )
    return [RunRecord(*row) for row in rows]
