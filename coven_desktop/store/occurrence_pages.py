"""Pages of occurrences for the window's table, as quick for a million as for a thousand.

How many match is known from the counts that the database keeps (occurrence_counts). A page in the order of time is
found in one of two ways, whichever has less to look at: walking along all the times until enough of them match, or
gathering what matches and sorting it. The other orders are pages in the order of time, one state or one routine after
another.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from coven_desktop.store import listing, open_runs
from coven_desktop.store.listing import Question
from coven_desktop.store.transactions import Reader, Value

_HELD = open_runs.in_phase("held", "occurrence_id")
_WAITING = open_runs.in_phase("waiting", "occurrence_id")
# Words of ours for open occurrences, which are few, and how they are found; every other word is a state of the
# contract's.
_OPEN = {
    "claimed": (f"INDEXED BY occurrences_claimed WHERE o.state = 'claimed' AND o.id NOT IN {_HELD}",),
    "running": (f"INDEXED BY occurrences_running WHERE o.state = 'running' AND o.id NOT IN {_HELD}",),
    "planned": (f"INDEXED BY occurrences_planned WHERE o.state = 'planned' AND o.id NOT IN {_WAITING}",),
    "held": (f"WHERE o.id IN {_HELD}",),
    "waiting": (f"WHERE o.id IN {_WAITING}",),
    "attention": (
        "INDEXED BY occurrences_recovery WHERE o.state = 'recovery_required'",
        f"WHERE o.id IN {_HELD}",
    ),
}


@dataclass(frozen=True)
class _Choice:
    """Occurrences in one of the states (None: in any) of certain routines (None: of all), and some by their numbers."""

    states: tuple[str, ...] | None
    routines: tuple[str, tuple[Value, ...]] | None
    numbers: tuple[int, ...]
    amount: int

    def counted(self) -> tuple[str, list[Value]]:
        """Where those that are chosen by state are counted, and its values."""
        terms, values = [], list[Value]()
        if self.routines is not None:
            terms.append(f"c.automation_id IN {self.routines[0]}")
            values += self.routines[1]
        if self.states is not None:
            terms.append(f"c.state IN ({listing.marks(self.states)})")
            values += self.states
        return "occurrence_counts c WHERE c.amount > 0" + "".join(f" AND {term}" for term in terms), values


@dataclass(frozen=True)
class _Open:
    """An open occurrence that one of our words means."""

    number: int
    automation_id: str
    state: str


def occurrence_page(reader: Reader, question: Question, offset: int, limit: int) -> tuple[int, list[int]]:
    """How many occurrences match, and the numbers of the page that begins at `offset`.

    `question.order` is time, routine or state; every order is total.
    """
    with reader.snapshot():
        about, values = listing.about_definition(question)
        routines = None
        if about:
            routines = (f"(SELECT d.id FROM definitions d WHERE {' AND '.join(about)})", tuple(values))
        states = tuple(word for word in question.states if word not in _OPEN) if question.states else None
        opened = _opened(reader, [word for word in question.states if word in _OPEN], states or (), routines)
        choice = _Choice(states, routines, tuple(one.number for one in opened), 0)
        source, counted = choice.counted()
        choice = replace(choice, amount=reader.number(f"SELECT sum(c.amount) FROM {source}", counted) + len(opened))
        if question.order == "time":
            return choice.amount, _by_time(reader, choice, question.descending, offset, limit)
        parts = (
            _by_routine(reader, choice, opened) if question.order == "routine" else _by_state(reader, choice, opened)
        )
        if question.descending:
            parts.reverse()
        return choice.amount, _through(reader, parts, question.descending, offset, limit)


def _opened(
    reader: Reader, words: Sequence[str], states: Sequence[str], routines: tuple[str, tuple[Value, ...]] | None
) -> list[_Open]:
    """What the words of ours mean, without those that are chosen by state anyway."""
    terms, values = [f"o.state NOT IN ({listing.marks(states)})"], list[Value](states)
    if routines is not None:
        terms.append(f"o.automation_id IN {routines[0]}")
        values += routines[1]
    found = {
        _Open(*row)
        for place in {place for word in words for place in _OPEN[word]}
        for row in reader.query(
            f"SELECT o.number, o.automation_id, o.state FROM occurrences o {place} AND {' AND '.join(terms)}",
            values,
        )
    }
    return sorted(found, key=lambda one: one.number)


def _by_time(reader: Reader, choice: _Choice, descending: bool, offset: int, limit: int) -> list[int]:
    """A page of the chosen ones in the order of time."""
    length = min(limit, choice.amount - offset)
    if length <= 0:
        return []
    after = choice.amount - offset - length
    if after < offset:
        # nearer to the other end: the same page from there
        return _by_time(reader, choice, not descending, after, length)[::-1]
    direction = "DESC" if descending else "ASC"
    if choice.states is None and choice.routines is None:
        source, values = "occurrences o", list[Value]()
    else:
        everything = reader.number("SELECT sum(amount) FROM occurrence_counts")
        looked_at = (offset + length) * everything // choice.amount
        source, values = _walked(choice) if looked_at < choice.amount else _gathered(choice)
    rows = reader.query(
        f"SELECT o.number FROM {source} ORDER BY o.scheduled_for {direction}, o.number {direction} LIMIT ? OFFSET ?",
        [*values, length, offset],
    )
    return [row[0] for row in rows]


def _walked(choice: _Choice) -> tuple[str, list[Value]]:
    terms, values = [], list[Value]()
    if choice.routines is not None:
        terms.append(f"o.automation_id IN {choice.routines[0]}")
        values += choice.routines[1]
    if choice.states is not None:
        terms.append(f"o.state IN ({listing.marks(choice.states)})")
        values += choice.states
    chosen = f"(({' AND '.join(terms)}) OR o.number IN (SELECT value FROM json_each(?)))"
    return f"occurrences o INDEXED BY occurrences_by_time WHERE {chosen}", [*values, json.dumps(choice.numbers)]


def _gathered(choice: _Choice) -> tuple[str, list[Value]]:
    source, values = choice.counted()
    return (
        "(SELECT g.scheduled_for, g.number"
        f" FROM (SELECT c.automation_id, c.state FROM {source}) c CROSS JOIN occurrences g"
        " INDEXED BY occurrences_by_routine_state ON g.automation_id = c.automation_id AND g.state = c.state"
        " UNION ALL SELECT scheduled_for, number FROM occurrences WHERE number IN (SELECT value FROM json_each(?))) o",
        [*values, json.dumps(choice.numbers)],
    )


def _by_state(reader: Reader, choice: _Choice, opened: Sequence[_Open]) -> list[_Choice]:
    source, values = choice.counted()
    rows = reader.query(f"SELECT c.state, sum(c.amount) FROM {source} GROUP BY c.state", values)
    parts = {state: replace(choice, states=(state,), numbers=(), amount=amount) for state, amount in rows}
    for state, amount in Counter(one.state for one in opened).items():
        numbers = tuple(one.number for one in opened if one.state == state)
        parts[state] = replace(choice, states=(), numbers=numbers, amount=amount)
    return [parts[state] for state in sorted(parts)]


def _by_routine(reader: Reader, choice: _Choice, opened: Sequence[_Open]) -> list[_Choice]:
    source, values = choice.counted()
    rows = reader.query(f"SELECT c.automation_id, sum(c.amount) FROM {source} GROUP BY c.automation_id", values)
    amounts: Counter[str] = Counter(dict(rows))
    numbers: dict[str, tuple[int, ...]] = {}
    for one in opened:
        amounts[one.automation_id] += 1
        numbers[one.automation_id] = (*numbers.get(one.automation_id, ()), one.number)
    names = reader.query(
        "SELECT id FROM definitions WHERE id IN (SELECT value FROM json_each(?)) ORDER BY name COLLATE NOCASE, id",
        [json.dumps(list(amounts))],
    )
    return [
        replace(choice, routines=("(?)", (routine,)), numbers=numbers.get(routine, ()), amount=amounts[routine])
        for (routine,) in names
    ]


def _through(reader: Reader, parts: Iterable[_Choice], descending: bool, offset: int, limit: int) -> list[int]:
    """A page of one part after another."""
    found: list[int] = []
    for part in parts:
        if offset >= part.amount:
            offset -= part.amount
            continue
        found += _by_time(reader, part, descending, offset, limit - len(found))
        offset = 0
        if len(found) == limit:
            break
    return found
