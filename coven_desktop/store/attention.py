"""What needs the person, one row for each decision: an occurrence whose outcome is unknown, and a routine that is
quarantined, or whose failed run is held for a retry, or both. Only reads.

An occurrence has its own number here, a routine its number with a minus.
"""

from __future__ import annotations

from coven_desktop.store import open_runs, questions
from coven_desktop.store.questions import Question
from coven_desktop.store.transactions import Reader, Value

_HELD = (
    "SELECT w.automation_id, (SELECT max(settled_at) FROM attempts WHERE run_id = w.id) AS since FROM runs w"
    f" WHERE w.id IN {open_runs.in_phase('held', 'id')}"
)
_QUARANTINED = f"SELECT q.automation_id, q.quarantined_at AS since FROM {open_runs.QUARANTINED}"
_ROUTINES = f"SELECT automation_id, max(since) AS since FROM ({_HELD} UNION ALL {_QUARANTINED}) GROUP BY 1"
_ALL = (
    "SELECT o.number AS number, o.updated_at AS since, o.automation_id FROM occurrences o"
    " WHERE o.state = 'recovery_required'"
    f" AND NOT {open_runs.settles_by_itself('o')}"
    " UNION ALL SELECT -m.number, r.since, r.automation_id"
    f" FROM ({_ROUTINES}) r JOIN definitions m ON m.id = r.automation_id"
)
_ORDERS = {"since": ("a.since",), "routine": ("d.name COLLATE NOCASE", "a.since")}
_STATES = {
    "recovery_required": "a.number > 0",
    "quarantined": "(a.number < 0 AND EXISTS (SELECT 1 FROM retry_state q WHERE q.automation_id = a.automation_id"
    " AND q.quarantined_at IS NOT NULL))",
    "held": f"(a.number < 0 AND a.automation_id IN {open_runs.in_phase('held', 'automation_id')})",
    "attention": "1",
    "deleted": "d.tombstoned_at IS NOT NULL",
}


def count(reader: Reader) -> int:
    """How many decisions wait for the person."""
    return open_runs.undecided(reader) + reader.number(f"SELECT count(*) FROM ({_ROUTINES})")


def held_in_quarantine(reader: Reader) -> int:
    """How many routines are quarantined and have a held run: one decision each."""
    held = open_runs.in_phase("held", "automation_id")
    return reader.number(f"SELECT count(*) FROM {open_runs.QUARANTINED} AND q.automation_id IN {held}")


def page(reader: Reader, question: Question, offset: int, limit: int) -> tuple[int, list[int]]:
    """How many match, and the numbers of the page that begins at `offset`. Orders: since, routine."""
    found = questions.about_definition(question)
    if question.states:
        found.append(questions.any_of([(_STATES.get(state, "0"), []) for state in question.states]))
    found += questions.none_of([(_STATES.get(state, "0"), []) for state in question.without.states])
    terms, values = questions.joined(found)
    source = f"({_ALL}) a JOIN definitions d ON d.id = a.automation_id WHERE " + " AND ".join(["1", *terms])
    direction = " DESC" if question.descending else ""
    order = ", ".join(f"{column}{direction}" for column in (*_ORDERS[question.order], "a.number"))
    given: list[Value] = [*values]
    with reader.snapshot():
        total = reader.number(f"SELECT count(*) FROM {source}", given)
        rows = reader.query(f"SELECT a.number FROM {source} ORDER BY {order} LIMIT ? OFFSET ?", [*given, limit, offset])
    return total, [row[0] for row in rows]
