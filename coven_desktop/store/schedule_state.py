"""What counts for cadence and cron routines: since when, how many runs, how many failures in a row."""

from __future__ import annotations

from typing import NamedTuple

from coven_desktop.store.transactions import Reader, Transaction


class ScheduleState(NamedTuple):
    """One row: slots strictly after `counts_from` (an instant as text) count."""

    counts_from: str
    runs_counted: int
    failures_in_a_row: int


def get(reader: Reader, automation_id: str) -> ScheduleState | None:
    """The state of a routine; None for one that never was of these families."""
    row = reader.one(
        "SELECT counts_from, runs_counted, failures_in_a_row FROM schedule_state WHERE automation_id = ?",
        (automation_id,),
    )
    return None if row is None else ScheduleState(*row)


def begin(tx: Transaction, automation_id: str, counts_from: str) -> None:
    """A new routine, also one that is given the id of a deleted one: nothing of it was counted yet."""
    tx.change(
        "INSERT INTO schedule_state (automation_id, counts_from) VALUES (?1, ?2)"
        " ON CONFLICT (automation_id) DO UPDATE SET counts_from = ?2, runs_counted = 0, failures_in_a_row = 0",
        (automation_id, counts_from),
    )


def count_from(tx: Transaction, automation_id: str, counts_from: str) -> None:
    """Slots count from here on: after an edit of the schedule, a resume, a release."""
    tx.change("UPDATE schedule_state SET counts_from = ? WHERE automation_id = ?", (counts_from, automation_id))


def count_run(tx: Transaction, automation_id: str, by: int = 1) -> None:
    """A firing was dispatched; `by` -1: it is proven that it was not, after all."""
    tx.change("UPDATE schedule_state SET runs_counted = runs_counted + ? WHERE automation_id = ?", (by, automation_id))


def count_failure(tx: Transaction, automation_id: str) -> None:
    """One more run failed."""
    tx.change(
        "UPDATE schedule_state SET failures_in_a_row = failures_in_a_row + 1 WHERE automation_id = ?", (automation_id,)
    )


def forget_failures(tx: Transaction, automation_id: str) -> None:
    """A run succeeded, or a person resumed the routine."""
    tx.change(
        "UPDATE schedule_state SET failures_in_a_row = 0 WHERE automation_id = ? AND failures_in_a_row > 0",
        (automation_id,),
    )


def failing(reader: Reader, limit: int) -> list[str]:
    """Active cron routines of which so many runs failed in a row, by id."""
    # CROSS JOIN: from the few that fail, in their own index; SQLite would go through all routines
    rows = reader.query(
        "SELECT s.automation_id FROM schedule_state s CROSS JOIN definitions d ON d.id = s.automation_id"
        " WHERE s.failures_in_a_row > 0 AND s.failures_in_a_row >= ?"
        " AND d.family = 'cron' AND d.lifecycle = 'active' AND d.tombstoned_at IS NULL ORDER BY s.automation_id",
        (limit,),
    )
    return [row[0] for row in rows]
