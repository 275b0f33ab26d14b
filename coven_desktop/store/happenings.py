"""What a person may have to hear of: what needs them now, and what became of slots since a place in the feed.

Only reads, for the notifications. What needs the person is a state and not an event: it can be asked for at any time,
and nothing of it is missed.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from coven_desktop.store import feed, open_runs
from coven_desktop.store.transactions import Reader

MATTERS_AT_ONCE = 200


class MatterRow(NamedTuple):
    """What needs the person: `quarantined` and `paused` have no `occurrence_id`; `undecided` and `held` have one."""

    kind: Literal["quarantined", "undecided", "held", "paused"]
    automation_id: str
    name: str
    occurrence_id: str | None
    since: str
    reason: str


class PrintedRow(NamedTuple):
    """What a run printed was to be shown as a notification; `session_id` is the session that printed it."""

    position: int
    name: str
    occurrence_id: str
    session_id: str


class MoveRow(NamedTuple):
    """One event of an occurrence: where it moved, or how many earlier slots (`collapsed`) it stands for."""

    position: int
    automation_id: str
    name: str
    occurrence_id: str
    kind: str
    scheduled_for: str
    created_at: str
    recorded_at: str
    source: str | None
    target: str | None
    reason: str | None
    collapsed: int | None
    adoption_key: str | None


def matters(reader: Reader, pausing_failures: int) -> list[MatterRow]:
    """What needs the person now, the oldest of each kind first; the outcome of an undecided one is not known, and a
    paused one was paused by so many failures in a row (0: none is).
    """
    quarantined = reader.query(
        "SELECT 'quarantined', q.automation_id, d.name, NULL, q.quarantined_at, q.reason"
        f" FROM {open_runs.QUARANTINED} ORDER BY q.quarantined_at LIMIT ?",
        (MATTERS_AT_ONCE,),
    )
    undecided = reader.query(
        "SELECT 'undecided', o.automation_id, d.name, o.id, o.updated_at, ifnull(o.failure_reason, '')"
        " FROM occurrences o JOIN definitions d ON d.id = o.automation_id"
        f" WHERE o.state = 'recovery_required' AND NOT {open_runs.settles_by_itself('o')}"
        " ORDER BY o.scheduled_for, o.id LIMIT ?",
        (MATTERS_AT_ONCE,),
    )
    held = [("held", *row) for row in open_runs.held(reader, MATTERS_AT_ONCE)]
    paused = (
        reader.query(
            "SELECT 'paused', d.id, d.name, NULL, d.revised_at, CAST(s.failures_in_a_row AS TEXT)"
            " FROM schedule_state s CROSS JOIN definitions d ON d.id = s.automation_id"
            " WHERE s.failures_in_a_row > 0 AND s.failures_in_a_row >= ?"
            " AND d.family = 'cron' AND d.lifecycle = 'paused' AND d.tombstoned_at IS NULL"
            " ORDER BY d.revised_at LIMIT ?",
            (pausing_failures, MATTERS_AT_ONCE),
        )
        if pausing_failures
        else []
    )
    return [MatterRow(*row) for row in (*quarantined, *undecided, *held, *paused)]


def moves(reader: Reader, behind: int, limit: int) -> list[MoveRow]:
    """The next events of occurrences behind a position of the feed, counted from 1, in order."""
    rows = reader.query(
        "SELECT e.position, e.automation_id, d.name, o.id, o.kind, o.scheduled_for, o.created_at, e.recorded_at,"
        " json_extract(e.body, '$.payload.from'), json_extract(e.body, '$.payload.to'),"
        " json_extract(e.body, '$.payload.reason'), json_extract(e.body, '$.payload.collapsedSlots'),"
        " json_extract(e.body, '$.causation.adoptionKey')"
        " FROM events e JOIN occurrences o ON o.id = e.stream_id JOIN definitions d ON d.id = o.automation_id"
        " WHERE e.position > ? AND e.stream_kind = 'occurrence' ORDER BY e.position LIMIT ?",
        (behind, limit),
    )
    return [MoveRow(*row) for row in rows]


def printed(reader: Reader, behind: int, until: int) -> list[PrintedRow]:
    """The notifications delivered behind a position of the feed, up to another one, in order."""
    rows = reader.query(
        "SELECT e.position, d.name, r.occurrence_id, r.session_id FROM events e"
        " JOIN runs r ON r.id = e.stream_id JOIN definitions d ON d.id = r.automation_id"
        " JOIN deliveries n ON n.run_id = r.id AND n.kind = 'notification' AND n.status = 'delivered'"
        " WHERE e.position > ? AND e.position <= ? AND e.stream_kind = 'run' AND e.kind = 'run.transitioned'"
        " AND json_extract(e.body, '$.payload.to') = 'succeeded' ORDER BY e.position",
        (behind, until),
    )
    return [PrintedRow(*row) for row in rows]


def newest(reader: Reader) -> int:
    """The last position of the feed, counted from 1; 0 when it is empty."""
    return feed.newest(reader)


def open_before(reader: Reader, scheduled_before: str) -> int:
    """How many slots before an instant (text) run or are still to begin. What waits for the person, or for a retry, is
    not among them.
    """
    idle = " AND ".join(f"id NOT IN {open_runs.in_phase(phase, 'occurrence_id')}" for phase in ("held", "waiting"))
    return reader.number(
        "SELECT count(*) FROM occurrences"
        f" WHERE state IN ('planned', 'claimed', 'running') AND scheduled_for < ? AND {idle}",
        (scheduled_before,),
    )
