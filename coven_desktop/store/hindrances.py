"""What keeps a routine, or a slot that is due, from going by its schedule, as far as the row itself does not say it.

Only reads, computed when they are asked: nothing of this is ever written into a reason (decisions.md 16 and 28).
"""

from __future__ import annotations

from typing import NamedTuple

from coven_desktop.store import maintenance, occurrences, runs
from coven_desktop.store.occurrences import OccurrenceRow
from coven_desktop.store.transactions import Reader

# How many may run at the same time, as the engine last worked by it; 0 is no limit.
PLACES = "max_concurrent_runs"
# Of the slots that wait for a place so many are told.
MOST_WAITING = 1_000


class ClockAhead(NamedTuple):
    """An active routine of which nothing is planned at or before `until`: that was recorded under a later clock."""

    automation_id: str
    until: str


class BrokenRoutine(NamedTuple):
    """A routine that is not understood any more, and why."""

    automation_id: str
    reason: str


class PausedByFailures(NamedTuple):
    """A cron routine that was paused by itself, as so many of its runs failed in a row."""

    automation_id: str
    failures: int


# The instant after which slots of a routine `d` count (engine/planning.py, `bound`).
BOUND = (
    "max(ifnull((SELECT c.counts_from FROM schedule_state c WHERE c.automation_id = d.id AND d.family <> 'rrule'),"
    " max(d.created_at, d.revised_at)), ifnull((SELECT max(s.scheduled_for) FROM occurrences s"
    " WHERE s.automation_id = d.id AND s.kind = 'scheduled'), ''))"
)


def clock_ahead(reader: Reader, now_text: str) -> list[ClockAhead]:
    """The active routines whose bound lies in the future, by id (decisions.md 28)."""
    rows = reader.query(
        f"SELECT id, bound FROM (SELECT d.id, {BOUND} AS bound FROM definitions d"
        " WHERE d.tombstoned_at IS NULL AND d.lifecycle = 'active'"
        # few: what follows is asked of these alone
        " AND (d.created_at > ?1 OR d.revised_at > ?1"
        " OR d.id IN (SELECT automation_id FROM schedule_state WHERE counts_from > ?1)"
        " OR d.id IN (SELECT automation_id FROM occurrences WHERE scheduled_for > ?1 AND kind = 'scheduled')))"
        " WHERE bound > ?1 ORDER BY id",
        (now_text,),
    )
    return [ClockAhead._make(row) for row in rows]


def broken(reader: Reader) -> list[BrokenRoutine]:
    """The live routines that could not be understood when they were last read, by id (decisions.md 31)."""
    rows = reader.query(
        "SELECT id, broken_reason FROM definitions WHERE broken_reason IS NOT NULL AND tombstoned_at IS NULL"
        " ORDER BY id"
    )
    return [BrokenRoutine._make(row) for row in rows]


def paused_by_failures(reader: Reader) -> list[PausedByFailures]:
    """The cron routines that failures in a row have paused and nobody has resumed, by id (design/schedules.md)."""
    # CROSS JOIN: from the few that fail, in their own index
    rows = reader.query(
        "SELECT d.id, s.failures_in_a_row FROM schedule_state s CROSS JOIN definitions d ON d.id = s.automation_id"
        " WHERE s.failures_in_a_row > 0 AND d.family = 'cron' AND d.lifecycle = 'paused' AND d.tombstoned_at IS NULL"
        # not by a command: that would be its cause
        " AND (SELECT e.kind = 'definition.paused' AND json_extract(e.body, '$.causation') IS NULL FROM events e"
        " WHERE e.stream_kind = 'automation' AND e.stream_id = d.id ORDER BY e.sequence DESC LIMIT 1) ORDER BY d.id"
    )
    return [PausedByFailures._make(row) for row in rows]


def places(reader: Reader) -> int:
    """How many may run at the same time; 0 is no limit."""
    return int(maintenance.get(reader, PLACES) or 0)


def waiting_for_place(reader: Reader, now_text: str) -> list[OccurrenceRow]:
    """The slots that could begin now if there were a free place, oldest first, at most 1,000 (decisions.md 16)."""
    limit = places(reader)
    if not limit:
        return []
    free = max(0, limit - runs.live_count(reader) - len(occurrences.undispatched(reader, now_text)))
    return occurrences.eligible_for_place(reader, now_text, free + MOST_WAITING)[free:]
