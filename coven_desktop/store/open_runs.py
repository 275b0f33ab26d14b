"""Runs that are not settled, told apart by what they wait for (contract/engine.md §5.4, §7, §8.4).

A run is `running` in the store from its acceptance to its end. What that means for the person is its phase: `live` (a
session lives, or is just being started), `delivering` (its command has succeeded, and what it printed is on its way),
`waiting` (its next attempt is not due yet), `held` (its last attempt failed
and the person may retry it until the deadline), `recovery_required` (nobody knows how it ended), or `lost` (the same of
a cron routine's run, which fails by itself). Only reads.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from coven_desktop.store.transactions import Reader

VANISHED = "session vanished without evidence: whether its work was done is not known"
"""Why nobody knows how a run ended whose session is gone without any evidence."""


def settles_by_itself(occurrence: str) -> str:
    """Whether the occurrence with this alias, which waits for recovery, needs nobody: the run of it is a lost one of a
    cron routine, which fails six minutes after its start (decisions.md 4).
    """
    return (
        "EXISTS (SELECT 1 FROM runs lr CROSS JOIN definitions ld ON ld.id = lr.automation_id AND ld.family = 'cron'"
        " CROSS JOIN attempts la ON la.run_id = lr.id AND la.state = 'ambiguous'"
        f" AND la.state_reason = '{VANISHED}'"
        " AND la.attempt_number = (SELECT max(ll.attempt_number) FROM attempts ll WHERE ll.run_id = lr.id)"
        f" WHERE lr.occurrence_id = {occurrence}.id AND lr.status = 'running')"
    )


# What is known of an open run `w`, its newest attempt `wa` and its occurrence `wo`, for the questions of this floor.
_NEWEST = "wa.run_id = w.id AND wa.attempt_number = (SELECT max(attempt_number) FROM attempts WHERE run_id = w.id)"
PHASE = (
    f"CASE WHEN w.id IS NULL THEN NULL WHEN wo.state = 'recovery_required' AND {settles_by_itself('wo')} THEN 'lost'"
    " WHEN wo.state = 'recovery_required' THEN 'recovery_required'"
    " WHEN wo.state = 'planned' THEN 'waiting'"
    " WHEN wa.state IN ('failed', 'timed_out', 'cancelled') THEN 'held'"
    " WHEN wa.state = 'succeeded' THEN 'delivering' ELSE 'live' END"
)
_COLUMNS = (
    f"{PHASE}, w.id, w.occurrence_id, wa.attempt_number,"
    " ifnull(json_extract(w.definition_snapshot, '$.retry.maxAttempts'), 1),"
    " wa.not_before, wa.settled_at, w.timeout_at, wa.failure_class, wa.state_reason"
)


def outlived(run: str) -> str:
    """Whether the routine of the run with this alias was deleted after the run began, and lives again or not.

    By the revision the run is pinned to, not by a clock: whoever uses the id again goes on with the next revision.
    """
    return (
        f"EXISTS (SELECT 1 FROM definition_revisions dr WHERE dr.automation_id = {run}.automation_id"
        f" AND dr.revision > {run}.automation_revision AND dr.lifecycle = 'tombstoned')"
    )


COLUMNS = f"{_COLUMNS}, {outlived('w')}"
_OPEN = (
    f"runs w JOIN attempts wa ON {_NEWEST} JOIN occurrences wo ON wo.id = w.occurrence_id WHERE w.status = 'running'"
)

# The numbers of the occurrences whose runs are held: to stand behind IN.
HELD_OCCURRENCES = f"(SELECT wo.number FROM {_OPEN} AND {PHASE} = 'held')"


def has_outlived(reader: Reader, run_id: str) -> bool:
    """Whether the routine was deleted after this run of it began."""
    return bool(reader.number(f"SELECT EXISTS (SELECT 1 FROM runs w WHERE w.id = ? AND {outlived('w')})", (run_id,)))


def joined(key: str) -> str:
    """Joins to lay beside a row: its open run, if it has one, found by `key` (such as `w.automation_id = d.id`)."""
    return (
        f" LEFT JOIN runs w ON {key} AND w.status = 'running'"
        f" LEFT JOIN attempts wa ON {_NEWEST} LEFT JOIN occurrences wo ON wo.id = w.occurrence_id"
    )


def in_phase(phase: str, column: str) -> str:
    """Of the open runs in a phase, a column of `runs`: to stand behind IN. There is one for a routine at most."""
    return f"(SELECT w.{column} FROM {_OPEN} AND {PHASE} = '{phase}')"


# in this order: few routines have a retry state, and SQLite would look at all definitions first
QUARANTINED = (
    "retry_state q CROSS JOIN definitions d ON d.id = q.automation_id AND d.tombstoned_at IS NULL"
    " WHERE q.quarantined_at IS NOT NULL"
)


class OpenRun(NamedTuple):
    """One run that is not settled, with its newest attempt: `failure_class` and `reason` are that attempt's.

    `routine_deleted`: after it began; nothing of it is tried again, also when another routine has the id by now.
    """

    phase: str
    run_id: str
    occurrence_id: str
    attempt_number: int
    max_attempts: int
    not_before: str
    settled_at: str | None
    timeout_at: str | None
    failure_class: str | None
    reason: str | None
    routine_deleted: bool


class Quarantined(NamedTuple):
    """A routine that used up its attempts and was not released yet."""

    automation_id: str
    since: str
    failure_class: str
    reason: str
    exhaustions: int


class LiveRun(NamedTuple):
    """One run whose session lives or is just being started."""

    run_id: str
    occurrence_id: str
    automation_id: str
    name: str
    session_id: str | None
    attempt_id: str
    started_at: str
    stopping: bool


def read(columns: Sequence[Any]) -> OpenRun:
    """The open run of a row of `COLUMNS`."""
    return OpenRun._make((*columns[:-1], bool(columns[-1])))


def every(reader: Reader) -> list[tuple[str, OpenRun]]:
    """All open runs with their routines, by routine."""
    rows = reader.query(f"SELECT w.automation_id, {COLUMNS} FROM {_OPEN} ORDER BY w.automation_id")
    return [(row[0], read(row[1:])) for row in rows]


def live(reader: Reader) -> list[LiveRun]:
    """The runs with a session, the oldest first."""
    rows = reader.query(
        "SELECT w.id, w.occurrence_id, w.automation_id,"
        " (SELECT name FROM definitions WHERE id = w.automation_id), w.session_id, wa.id, w.started_at,"
        " EXISTS (SELECT 1 FROM stop_fences f WHERE f.run_id = w.id)"
        f" FROM {_OPEN} AND {PHASE} = 'live' ORDER BY w.started_at, w.id"
    )
    return [LiveRun._make((*row[:7], bool(row[7]))) for row in rows]


def count(reader: Reader, phase: str) -> int:
    """How many open runs are in a phase."""
    return reader.number(f"SELECT count(*) FROM {_OPEN} AND {PHASE} = ?", (phase,))


def undecided(reader: Reader) -> int:
    """How many occurrences wait for a person's decision, whether they have a run or not."""
    return reader.number(
        f"SELECT count(*) FROM occurrences o WHERE o.state = 'recovery_required' AND NOT {settles_by_itself('o')}"
    )


def quarantined(reader: Reader) -> list[Quarantined]:
    """The routines in quarantine, by id; deleted ones need nothing any more."""
    rows = reader.query(
        "SELECT q.automation_id, q.quarantined_at, q.failure_class, q.reason, q.consecutive_exhaustions"
        f" FROM {QUARANTINED} ORDER BY q.automation_id"
    )
    return [Quarantined(*row) for row in rows]


def held(reader: Reader, limit: int) -> list[tuple[str, str, str, str, str]]:
    """The held runs, the longest held first: routine, its name, occurrence, since when, and why the attempt failed."""
    return reader.query(
        "SELECT w.automation_id, (SELECT name FROM definitions WHERE id = w.automation_id), w.occurrence_id,"
        " ifnull(wa.settled_at, w.started_at), ifnull(wa.state_reason, '')"
        f" FROM {_OPEN} AND {PHASE} = 'held' ORDER BY wa.settled_at, w.id LIMIT ?",
        (limit,),
    )
