"""What the window's tables ask the database: pages of row numbers, and whole rows by number.

Two kinds of questions (design/architecture.md, Threads): those that scan (sort, filter, count) answer with numbers
only, a page at a time; those by key answer with rows. All of them only read. Instants are the store's RFC 3339 text.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from coven_desktop.store import hindrances, open_runs, questions
from coven_desktop.store.questions import Condition, Question, marks
from coven_desktop.store.transactions import Reader, Value

# How an occurrence ended; of a routine, how its newest one that is not open did.
_RESULTS = ("succeeded", "failed", "cancelled", "skipped", "superseded")
_STATES = ("planned", "claimed", "running", "recovery_required", *_RESULTS)
# Words of ours for the order of a column; each ends in `number`, so that every order is total.
ROUTINE_ORDERS = {
    "name": ("d.name COLLATE NOCASE", "d.id"),
    "state": (
        "CASE WHEN d.broken_reason IS NOT NULL THEN 0 WHEN q.quarantined_at IS NOT NULL"
        f" OR d.id IN {open_runs.in_phase('held', 'automation_id')}"
        f" OR d.id IN {open_runs.in_phase('recovery_required', 'automation_id')} THEN 1 "
        "WHEN d.lifecycle = 'active' THEN 2 WHEN d.lifecycle = 'paused' THEN 3 ELSE 4 END",
        "d.name COLLATE NOCASE",
    ),
    # no date comes last in both directions: it is never the answer to "what is next"
    "next": ("d.next_due_at",),
    "runtime": ("json_extract(d.body, '$.runtime') COLLATE NOCASE", "d.name COLLATE NOCASE"),
    "zone": (f"{questions.ZONE} COLLATE NOCASE", "d.name COLLATE NOCASE"),
}
LAST_RESULTS = 5


class RoutineRecord(NamedTuple):
    """One routine, as stored, with what the store knows beside it."""

    number: int
    id: str
    family: str
    body: str
    revision: int
    lifecycle: str
    next_due_at: str | None
    broken_reason: str | None
    quarantined_at: str | None
    quarantine_class: str | None
    quarantine_reason: str | None
    exhaustions: int | None
    open_state: str | None  # the state of a claimed, running or undecided occurrence
    last_results: str  # newest first, joined by commas
    tombstoned_at: str | None
    managed: str
    last_occurrence: str | None  # the id of the newest one that has begun
    last_failed_at: str | None  # when that one failed; of one that did not, or not yet, nothing
    last_failed_reason: str | None
    bound: str  # nothing is planned at or before it
    runs_counted: int  # of a cadence or cron routine: runs that were started on schedule
    failures_in_a_row: int
    by_scheduler: int  # it was paused or disabled by itself, and not by a command
    run: open_runs.OpenRun | None


class OccurrenceRecord(NamedTuple):
    """One occurrence with its newest run."""

    number: int
    id: str
    automation_id: str
    name: str
    automation_revision: int
    scheduled_for: str
    kind: str
    state: str
    failure_reason: str | None
    reason_class: str | None
    run_id: str | None
    run_status: str | None
    exit_code: int | None
    started_at: str | None
    finished_at: str | None
    cancellation: str | None  # the state of the newest cancellation of that run
    lifecycle: str  # of its routine, as it is now
    tombstoned: int
    quarantined: int
    folded: int  # of a skipped one whose next one was not skipped: how many skipped ones come right before it
    folded_from: str | None  # when the first of them was due
    slots: int  # of a skipped one: how many times it stands for, the first and the last of them
    first_slot: str | None
    last_slot: str | None
    more_slots: int | None  # how many times the folded ones stand for, where that may be more than their number
    more_from: str | None  # and the first of those
    run: open_runs.OpenRun | None  # that run, while it is open


class AttemptRecord(NamedTuple):
    """One attempt with its session, if it ever had one."""

    id: str
    run_id: str
    number: int
    state: str
    failure_class: str | None
    state_reason: str | None
    opened_at: str
    settled_at: str | None
    session_id: str | None
    session_status: str | None
    session_started_at: str | None
    session_ended_at: str | None
    exit_code: int | None
    pid: int | None
    runtime: str | None
    folder: str | None
    evidence: str | None


_HELD = open_runs.in_phase("held", "occurrence_id")
_UNDECIDED = (
    "EXISTS (SELECT 1 FROM occurrences o WHERE o.automation_id = d.id AND o.state = 'recovery_required'"
    f" AND NOT {open_runs.settles_by_itself('o')})"
)
_STATE_OF_ROUTINE = {
    "broken": "d.broken_reason IS NOT NULL",
    "quarantined": "q.quarantined_at IS NOT NULL",
    "running": "EXISTS (SELECT 1 FROM occurrences o WHERE o.automation_id = d.id"
    f" AND o.state IN ('claimed', 'running') AND o.id NOT IN {_HELD})",
    "recovery_required": _UNDECIDED,
    "held": f"d.id IN {open_runs.in_phase('held', 'automation_id')}",
    "waiting": f"d.id IN {open_runs.in_phase('waiting', 'automation_id')}",
    "attention": f"(q.quarantined_at IS NOT NULL OR {_UNDECIDED}"
    f" OR d.id IN {open_runs.in_phase('held', 'automation_id')})",
}


_NEWEST_RESULT = (
    "(SELECT n.state FROM occurrences n WHERE n.automation_id = d.id AND n.state NOT IN ('planned', 'claimed',"
    " 'running') ORDER BY n.scheduled_for DESC LIMIT 1)"
)


def _in_state(state: str) -> Condition:
    if state == "deleted":
        return "d.tombstoned_at IS NOT NULL", []
    if state in _STATE_OF_ROUTINE:
        return f"(d.tombstoned_at IS NULL AND {_STATE_OF_ROUTINE[state]})", []
    column = _NEWEST_RESULT if state in _RESULTS else "d.lifecycle"
    return f"(d.tombstoned_at IS NULL AND {column} = ?)", [state]


def _routine_source(question: Question) -> tuple[str, list[Value]]:
    found = questions.about_definition(question)
    if question.states:
        found.append(questions.any_of([_in_state(state) for state in question.states]))
    else:
        found.append(("d.tombstoned_at IS NULL", []))
    found += questions.none_of([_in_state(state) for state in question.without.states])
    if question.due:
        found.append(questions.any_of([questions.within("d.next_due_at", span) for span in question.due]))
    found += questions.none_of([questions.within("d.next_due_at", span) for span in question.without.due])
    terms, values = questions.joined(found)
    source = "definitions d LEFT JOIN retry_state q ON q.automation_id = d.id WHERE " + " AND ".join(terms)
    return source, values


def _order(columns: tuple[str, ...], descending: bool, number: str, *, nulls_last: bool = False) -> str:
    direction = " DESC" if descending else ""
    first = f"{columns[0]} IS NULL, " if nulls_last else ""
    return first + ", ".join(f"{column}{direction}" for column in (*columns, number))


def routine_page(reader: Reader, question: Question, offset: int, limit: int) -> tuple[int, list[int]]:
    """How many routines match, and the numbers of the page that begins at `offset`; deleted ones if they are asked."""
    source, values = _routine_source(question)
    order = _order(ROUTINE_ORDERS[question.order], question.descending, "d.number", nulls_last=question.order == "next")
    with reader.snapshot():
        total = reader.number(f"SELECT count(*) FROM {source}", values)
        rows = reader.query(
            f"SELECT d.number FROM {source} ORDER BY {order} LIMIT ? OFFSET ?", [*values, limit, offset]
        )
    return total, [row[0] for row in rows]


# The newest event of a routine's stream is that of its newest revision; without a cause it was the scheduler's.
_BY_SCHEDULER = (
    "CASE WHEN s.automation_id IS NOT NULL AND d.lifecycle IN ('paused', 'disabled') THEN"
    " (SELECT e.kind = 'definition.' || d.lifecycle AND json_extract(e.body, '$.causation') IS NULL FROM events e"
    " WHERE e.stream_kind = 'automation' AND e.stream_id = d.id ORDER BY e.sequence DESC LIMIT 1) ELSE 0 END"
)
_ROUTINE = f"""
SELECT d.number, d.id, d.family, d.body, d.revision, d.lifecycle, d.next_due_at, d.broken_reason, q.quarantined_at,
       q.failure_class, q.reason, q.consecutive_exhaustions,
       (SELECT state FROM occurrences
        WHERE automation_id = d.id AND state IN ('recovery_required', 'running', 'claimed')
        ORDER BY CASE state WHEN 'recovery_required' THEN 0 WHEN 'running' THEN 1 ELSE 2 END LIMIT 1),
       (SELECT ifnull(group_concat(state), '') FROM (
            SELECT state FROM occurrences WHERE automation_id = d.id AND state NOT IN ('planned', 'claimed', 'running')
            ORDER BY scheduled_for DESC LIMIT {LAST_RESULTS})),
       d.tombstoned_at, d.managed,
       lo.id,
       CASE WHEN lo.state = 'failed'
            THEN ifnull((SELECT max(finished_at) FROM runs WHERE occurrence_id = lo.id), lo.scheduled_for) END,
       CASE WHEN lo.state = 'failed' THEN lo.failure_reason END,
       {hindrances.BOUND},
       ifnull(s.runs_counted, 0), ifnull(s.failures_in_a_row, 0),
       {_BY_SCHEDULER},
       {open_runs.COLUMNS}
FROM definitions d LEFT JOIN schedule_state s ON s.automation_id = d.id AND d.family <> 'rrule'
LEFT JOIN retry_state q ON q.automation_id = d.id AND q.quarantined_at IS NOT NULL
LEFT JOIN occurrences lo ON lo.number =
       (SELECT number FROM occurrences WHERE automation_id = d.id AND state NOT IN ('planned', 'skipped', 'superseded')
        ORDER BY scheduled_for DESC LIMIT 1)
{open_runs.joined("w.automation_id = d.id")}
"""


def _routine(row: tuple[Any, ...]) -> RoutineRecord:
    return RoutineRecord._make((*row[:_BEFORE_RUN], _run(row[_BEFORE_RUN:])))


def _occurrence(row: tuple[Any, ...]) -> OccurrenceRecord:
    return OccurrenceRecord._make((*row[:_BEFORE_RUN_OF_OCCURRENCE], _run(row[_BEFORE_RUN_OF_OCCURRENCE:])))


def _run(columns: tuple[Any, ...]) -> open_runs.OpenRun | None:
    return open_runs.read(columns) if columns[0] is not None else None


_BEFORE_RUN = len(RoutineRecord._fields) - 1
_BEFORE_RUN_OF_OCCURRENCE = len(OccurrenceRecord._fields) - 1


def routines(reader: Reader, numbers: Sequence[int]) -> list[RoutineRecord]:
    """The routines with these numbers, in no order; numbers that are gone are left out."""
    rows = reader.query(f"{_ROUTINE} WHERE d.number IN ({marks(numbers)})", tuple(numbers))
    return [_routine(row) for row in rows]


def routine(reader: Reader, automation_id: str, *, deleted: bool = False) -> RoutineRecord | None:
    """One live routine by its id; `deleted`: a tombstoned one too."""
    live = "" if deleted else " AND d.tombstoned_at IS NULL"
    row = reader.one(f"{_ROUTINE} WHERE d.id = ?{live}", (automation_id,))
    return None if row is None else _routine(row)


def id_taken(reader: Reader, automation_id: str) -> bool:
    """Whether any definition, live or tombstoned, has this id."""
    return reader.one("SELECT 1 FROM definitions WHERE id = ?", (automation_id,)) is not None


# When the skipped rows right before a row `o` began: after the newest row before it that was not skipped.
_FOLD_BOUND = "(SELECT max(m) FROM ({}))".format(
    " UNION ALL ".join(
        "SELECT (SELECT max(b.scheduled_for) FROM occurrences b INDEXED BY occurrences_by_routine_state"
        f" WHERE b.automation_id = o.automation_id AND b.state = '{state}' AND b.scheduled_for < o.scheduled_for) AS m"
        for state in _STATES
        if state != "skipped"
    )
)
# The newest of a row of skipped occurrences: the one after it, if there is one, was not skipped.
HEADS_A_FOLD = (
    "o.state = 'skipped' AND ifnull((SELECT n.state FROM occurrences n WHERE n.automation_id = o.automation_id"
    " AND n.scheduled_for > o.scheduled_for ORDER BY n.scheduled_for LIMIT 1), '') <> 'skipped'"
)
_FOLDED_ROWS = (
    f" WHERE {HEADS_A_FOLD} AND f.automation_id = o.automation_id AND f.state = 'skipped'"
    f" AND f.scheduled_for < o.scheduled_for AND f.scheduled_for > ifnull({_FOLD_BOUND}, '')"
)
_FOLDED = f"FROM occurrences f{_FOLDED_ROWS}"
# The contract's routines have no such records, but very long rows of skipped ones.
_SPANNED = (
    "CASE WHEN d.family <> 'rrule' THEN (SELECT {0} FROM occurrences f LEFT JOIN missed_spans g"
    f" ON g.occurrence_id = f.id{_FOLDED_ROWS}) END"
)
_OCCURRENCE = f"""
SELECT o.number, o.id, o.automation_id, d.name, o.automation_revision, o.scheduled_for, o.kind, o.state,
       o.failure_reason, o.reason_class, r.id, r.status, r.exit_code, r.started_at, r.finished_at,
       (SELECT state FROM cancellations WHERE run_id = r.id ORDER BY number DESC LIMIT 1),
       d.lifecycle, d.tombstoned_at IS NOT NULL,
       EXISTS (SELECT 1 FROM retry_state q WHERE q.automation_id = d.id AND q.quarantined_at IS NOT NULL),
       (SELECT count(*) {_FOLDED}), (SELECT min(f.scheduled_for) {_FOLDED}),
       ifnull(m.slots, 1), m.first_slot, m.last_slot,
       {_SPANNED.format("sum(ifnull(g.slots, 1))")}, {_SPANNED.format("min(ifnull(g.first_slot, f.scheduled_for))")},
       {open_runs.COLUMNS}
FROM occurrences o
JOIN definitions d ON d.id = o.automation_id
{open_runs.joined("w.occurrence_id = o.id")}
LEFT JOIN missed_spans m ON m.occurrence_id = o.id
LEFT JOIN runs r ON r.number = (SELECT max(number) FROM runs WHERE occurrence_id = o.id)
"""


def occurrences(reader: Reader, numbers: Sequence[int]) -> list[OccurrenceRecord]:
    """The occurrences with these numbers, in no order; numbers that are gone are left out."""
    rows = reader.query(f"{_OCCURRENCE} WHERE o.number IN ({marks(numbers)})", tuple(numbers))
    return [_occurrence(row) for row in rows]


def occurrence(reader: Reader, occurrence_id: str) -> OccurrenceRecord | None:
    """One occurrence by its id."""
    row = reader.one(f"{_OCCURRENCE} WHERE o.id = ?", (occurrence_id,))
    return None if row is None else _occurrence(row)


def attempts(reader: Reader, occurrence_id: str) -> list[AttemptRecord]:
    """The attempts of an occurrence, oldest first (at most ten for each run)."""
    rows = reader.query(
        """
        SELECT a.id, a.run_id, a.attempt_number, a.state, a.failure_class, a.state_reason, a.opened_at, a.settled_at,
               s.id, s.status, s.created_at, s.ended_at, s.exit_code, s.pid, s.harness, s.project_root, s.evidence
        FROM attempts a LEFT JOIN sessions s ON s.id = a.session_id
        WHERE a.occurrence_id = ? ORDER BY a.opened_at, a.attempt_number
        """,
        (occurrence_id,),
    )
    return [AttemptRecord(*row) for row in rows]


def open_slots(reader: Reader, automation_id: str) -> list[str]:
    """The instants of a routine that are planned and have no run yet: what an edit supersedes (decisions.md 5)."""
    rows = reader.query(
        """
        SELECT scheduled_for FROM occurrences o WHERE automation_id = ? AND state = 'planned'
        AND NOT EXISTS (SELECT 1 FROM runs WHERE occurrence_id = o.id) ORDER BY scheduled_for LIMIT 20
        """,
        (automation_id,),
    )
    return [row[0] for row in rows]


def startable(reader: Reader, limit: int) -> tuple[int, list[tuple[str, str, str]]]:
    """How many routines can be run by hand, and (id, name, lifecycle) of the first by name: the tray's Run now."""
    source = "definitions d WHERE d.tombstoned_at IS NULL AND d.lifecycle IN ('active', 'paused')"
    with reader.snapshot():
        total = reader.number(f"SELECT count(*) FROM {source}")
        rows = reader.query(
            f"SELECT d.id, d.name, d.lifecycle FROM {source} ORDER BY d.name COLLATE NOCASE, d.id LIMIT ?", (limit,)
        )
    return total, [(row[0], row[1], row[2]) for row in rows]
