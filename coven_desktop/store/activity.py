"""What happened, newest first: the events that a person cares for, and the lines of the journal, in one order.

Pages go by key, not by count: each begins below a position of the feed. A line's number is the position of its event,
or of a line of the journal its own number with a minus. Only reads.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from coven_desktop.store import questions
from coven_desktop.store.questions import Condition, Question
from coven_desktop.store.transactions import Reader, Value

# So many events are looked through for a page before what was found is handed over.
_STRETCH = 20_000
_STRETCHES = 10

# That a time was missed, as a pass found it; of those that it found of a routine one after another the newest stands
# for all (decisions.md 47).
_MISSED = "{0}.kind = 'occurrence.misfire_recorded' AND json_extract({0}.body, '$.payload.disposition') = 'missed'"
_APART = 4  # positions from one of them to the next, at most: each has a transition beside it
_STOOD_FOR = (
    f"({_MISSED.format('e')} AND EXISTS (SELECT 1 FROM events n WHERE n.position > e.position"
    f" AND n.position <= e.position + {_APART} AND n.automation_id = e.automation_id"
    f" AND n.recorded_at = e.recorded_at AND {_MISSED.format('n')}))"
)
# How an occurrence ended, or that it waits for the person; an attempt that failed and did not end its run. What never
# was more than a record that it does not run is told by its misfire alone.
_MATTERS = (
    f"(e.kind LIKE 'definition.%' OR (e.kind = 'occurrence.misfire_recorded' AND NOT {_STOOD_FOR})"
    " OR (e.kind = 'occurrence.transitioned' AND json_extract(e.body, '$.payload.to') IN ('succeeded', 'failed',"
    " 'cancelled', 'skipped', 'superseded', 'recovery_required') AND NOT"
    " (json_extract(e.body, '$.payload.from') = 'none' AND json_extract(e.body, '$.payload.to') = 'skipped'))"
    " OR (e.kind = 'attempt.transitioned' AND json_extract(e.body, '$.payload.to') IN ('failed', 'timed_out')"
    " AND NOT EXISTS (SELECT 1 FROM events s WHERE s.stream_kind = 'occurrence'"
    " AND s.stream_id = json_extract(e.body, '$.occurrenceId') AND s.recorded_at = e.recorded_at"
    " AND s.kind = 'occurrence.transitioned'"
    " AND json_extract(s.body, '$.payload.to') IN ('failed', 'cancelled', 'recovery_required'))))"
)


class Lines(NamedTuple):
    """Numbers of lines, newest first. `below`: the next page begins below this position; None when there is none."""

    numbers: list[int]
    below: int | None


class LineRecord(NamedTuple):
    """One line. `body` is the envelope of an event, or what the journal says, as JSON text."""

    number: int
    recorded_at: str
    kind: str
    automation_id: str | None
    name: str | None
    tombstoned: int
    occurrence_id: str | None
    scheduled_for: str | None
    body: str
    reason_class: str | None = None  # of the occurrence
    slots: int | None = None  # of times that were missed: how many the line stands for, and the first of them
    first_slot: str | None = None


def _about(question: Question, column: str) -> tuple[str, list[Value]]:
    """Which routines a question is about; lines of no routine are told when it is about none in particular."""
    about = questions.about_definition(question)
    if "deleted" in question.states:
        about.append(("d.tombstoned_at IS NOT NULL", []))
    if not about:
        return "1", []
    terms, values = questions.joined(about)
    return f"{column} IN (SELECT d.id FROM definitions d WHERE {' AND '.join(terms)})", values


def older(reader: Reader, question: Question, below: int | None, limit: int) -> Lines:
    """The lines below a position, the newest ones for None: about `limit`, a few more of the journal."""
    with reader.snapshot():
        top = reader.number("SELECT max(position) FROM events") + 1 if below is None else below
        first = reader.number("SELECT min(position) FROM events")
        events: list[int] = []
        low, reached = top, top
        which, values = _where(question, "e")
        for _ in range(_STRETCHES):
            low = max(reached - _STRETCH, 0)
            rows = reader.query(
                f"SELECT e.position FROM events e WHERE e.position >= ? AND e.position < ? AND {which}"
                f" AND {_MATTERS} ORDER BY e.position DESC LIMIT ?",
                [low, reached, *values, limit - len(events)],
            )
            events += [row[0] for row in rows]
            if len(events) >= limit:
                low = events[-1]
                break
            reached = low
            if low <= first:
                low = 0
                break
        journal = _journal(reader, question, low, 2**62 if below is None else top)
        below_it = low if low > 0 else None
    return Lines(_merged(events, journal), below_it)


def newer(reader: Reader, question: Question, position: int, journal: int) -> list[int]:
    """The numbers of lines that came after an event and a line of the journal, newest first."""
    with reader.snapshot():
        which, values = _where(question, "e")
        rows = reader.query(
            f"SELECT e.position FROM events e WHERE e.position > ? AND {which} AND {_MATTERS} ORDER BY e.position DESC",
            [position, *values],
        )
        found = _journal(reader, question, 0, 2**62, journal)
    return _merged([row[0] for row in rows], found)


def ends(reader: Reader) -> tuple[int, int]:
    """The newest position of the feed and the newest number of the journal; 0 for none."""
    return (
        reader.number("SELECT max(position) FROM events"),
        reader.number("SELECT max(number) FROM journal"),
    )


# Those that were found missed in the same transaction, up to the newest of them.
_ALL_MISSED = (
    f"CASE WHEN {_MISSED.format('e')} THEN (SELECT {{0}} FROM (SELECT"
    " json_extract(n.body, '$.payload.collapsedSlots') AS slots, k.scheduled_for AS first_slot"
    " FROM events n INDEXED BY events_by_time JOIN occurrences k ON k.id = n.stream_id"
    " WHERE n.recorded_at = e.recorded_at AND n.automation_id = e.automation_id AND n.position <= e.position"
    f" AND {_MISSED.format('n')}) m) END"
)


def lines(reader: Reader, numbers: Sequence[int]) -> list[LineRecord]:
    """The lines with these numbers, in no order; those that are gone are left out."""
    events = [number for number in numbers if number > 0]
    journal = [-number for number in numbers if number < 0]
    rows = reader.query(
        "SELECT e.position, e.recorded_at, e.kind, e.automation_id, d.name, d.tombstoned_at IS NOT NULL, o.id,"
        f" o.scheduled_for, e.body, o.reason_class, {_ALL_MISSED.format('sum(m.slots)')},"
        f" {_ALL_MISSED.format('min(m.first_slot)')} FROM events e LEFT JOIN definitions d ON d.id = e.automation_id"
        " LEFT JOIN occurrences o ON o.id = ifnull(json_extract(e.body, '$.occurrenceId'),"
        " CASE e.stream_kind WHEN 'occurrence' THEN e.stream_id END)"
        f" WHERE e.position IN ({questions.marks(events)})",
        events,
    )
    rows += reader.query(
        "SELECT -j.number, j.recorded_at, j.kind, j.automation_id, d.name, d.tombstoned_at IS NOT NULL, NULL, NULL,"
        " j.body, NULL, NULL, NULL FROM journal j LEFT JOIN definitions d ON d.id = j.automation_id"
        f" WHERE j.number IN ({questions.marks(journal)})",
        journal,
    )
    return [LineRecord(*row) for row in rows]


def _in_states(states: Sequence[str]) -> tuple[list[Condition], list[Condition]]:
    """What the words after `status:` mean of events, and of lines of the journal."""
    words = [
        part for word in states for part in (("recovery_required", "quarantined") if word == "attention" else (word,))
    ]
    words = [word for word in words if word != "deleted"]
    if not words:
        return [], []
    given: list[Value] = [*words, *words]
    marks = questions.marks(words)
    event = (
        f"((e.kind = 'occurrence.transitioned' AND json_extract(e.body, '$.payload.to') IN ({marks}))"
        f" OR (e.kind LIKE 'definition.%' AND json_extract(e.body, '$.payload.lifecycleState') IN ({marks})))"
    )
    return [(event, given)], [("j.kind = 'routine.quarantined'" if "quarantined" in words else "0", [])]


def _where(question: Question, alias: str) -> tuple[str, list[Value]]:
    """What a question says of the events `e`, or of the lines of the journal `j`."""
    place = 0 if alias == "e" else 1
    found = [_about(question, f"{alias}.automation_id"), _spans(question, f"{alias}.recorded_at")]
    found += _in_states(question.states)[place]
    found += questions.none_of(_in_states(question.without.states)[place])
    terms, values = questions.joined(found)
    return " AND ".join(terms), values


def _spans(question: Question, column: str) -> tuple[str, list[Value]]:
    if not question.due:
        return "1", []
    return questions.any_of([questions.within(column, span) for span in question.due])


def _journal(reader: Reader, question: Question, low: int, top: int, behind: int = 0) -> list[tuple[int, int]]:
    """Number (with a minus) and position of the journal's lines behind one, at positions from `low` on below `top`."""
    which, values = _where(question, "j")
    rows = reader.query(
        "SELECT -j.number, j.position FROM journal j WHERE j.number > ? AND j.position >= ? AND j.position < ?"
        f" AND {which} ORDER BY j.position DESC, j.number DESC",
        [behind, low, top, *values],
    )
    return [(row[0], row[1]) for row in rows]


def _merged(events: list[int], journal: list[tuple[int, int]]) -> list[int]:
    """Both, newest first: a line of the journal was written after the event it knows."""
    keyed = [(position, 0, position) for position in events]
    keyed += [(position, -number, number) for number, position in journal]
    return [number for _, _, number in sorted(keyed, reverse=True)]
