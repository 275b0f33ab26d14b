"""Pages of occurrences for the window's table, as quick for a million as for a thousand.

How many match is known from the counts that the database keeps (occurrence_counts). A page in the order of time is
found in one of two ways, whichever has less to look at: walking along all the times until enough of them match, or
gathering what matches and sorting it; within spans of time it is always the walk. The other orders are pages in the
order of time, one state or one routine after another.

Of skipped occurrences of a routine that follow each other the newest stands for all (decisions.md 47): the others are
left out, unless their row is opened.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from coven_desktop.store import open_runs, questions
from coven_desktop.store.questions import Condition, Fold, Question
from coven_desktop.store.transactions import Reader, Value

_HELD = open_runs.in_phase("held", "occurrence_id")
_WAITING = open_runs.in_phase("waiting", "occurrence_id")
# Words of ours for open occurrences, which are few, and how they are found; every other word is a state of the
# contract's.
_OPEN = {
    "claimed": f"INDEXED BY occurrences_claimed WHERE o.state = 'claimed' AND o.id NOT IN {_HELD}",
    "running": f"INDEXED BY occurrences_running WHERE o.state = 'running' AND o.id NOT IN {_HELD}",
    "planned": f"INDEXED BY occurrences_planned WHERE o.state = 'planned' AND o.id NOT IN {_WAITING}",
    "held": f"WHERE o.id IN {_HELD}",
    "waiting": f"WHERE o.id IN {_WAITING}",
}
_SETTLED = ("recovery_required", "succeeded", "failed", "cancelled", "skipped", "superseded")
# Both are found in an index alone: when the next occurrence of the routine is due, and when the next skipped one.
_NEXT = (
    "(SELECT min(n.scheduled_for) FROM occurrences n WHERE n.automation_id = {0}.automation_id"
    " AND n.scheduled_for > {0}.scheduled_for)"
)
_NEXT_SKIPPED = (
    "(SELECT min(k.scheduled_for) FROM occurrences k INDEXED BY occurrences_by_routine_state"
    " WHERE k.automation_id = {0}.automation_id AND k.state = 'skipped' AND k.scheduled_for > {0}.scheduled_for)"
)


def _before_skipped(alias: str) -> str:
    """That an occurrence is skipped and so is the next one of its routine."""
    return f"{alias}.state = 'skipped' AND {_NEXT.format(alias)} = {_NEXT_SKIPPED.format(alias)}"


@dataclass(frozen=True)
class _Choice:
    """Occurrences in one of the states (None: in any) of certain routines (None: of all), and some by their numbers.

    `spans`: only those due then. `unfolded` is None where nothing is folded, else what of it is opened.
    """

    states: tuple[str, ...] | None
    routines: tuple[str, tuple[Value, ...]] | None
    numbers: tuple[int, ...]
    amount: int
    spans: tuple[Condition, ...] = ()
    unfolded: tuple[Fold, ...] | None = None

    def counted(self) -> tuple[str, list[Value]]:
        """Where those that are chosen by state are counted, and its values."""
        terms, values = [], list[Value]()
        if self.routines is not None:
            terms.append(f"c.automation_id IN {self.routines[0]}")
            values += self.routines[1]
        if self.states is not None:
            terms.append(f"c.state IN ({questions.marks(self.states)})")
            values += self.states
        return "occurrence_counts c WHERE c.amount > 0" + "".join(f" AND {term}" for term in terms), values

    def by_state(self) -> tuple[str, list[Value]]:
        """The condition on an occurrence `o` to be chosen by its state and routine."""
        terms, values = ["1"], list[Value]()
        if self.routines is not None:
            terms.append(f"o.automation_id IN {self.routines[0]}")
            values += self.routines[1]
        if self.states is not None:
            terms.append(f"o.state IN ({questions.marks(self.states)})")
            values += self.states
        return " AND ".join(terms), values

    def folded(self, alias: str) -> Condition:
        """The condition on an occurrence to be left out, because another one stands for it."""
        opened: list[Condition] = [
            (
                f"{alias}.automation_id = ? AND {alias}.scheduled_for >= ? AND {alias}.scheduled_for <= ?",
                [fold.automation_id, fold.first, fold.last],
            )
            for fold in self.unfolded or ()
        ]
        terms, values = questions.joined(questions.none_of([(f"({term})", given) for term, given in opened]))
        return f"ifnull({' AND '.join([_before_skipped(alias), *terms])}, 0)", values


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
        choice, opened = _chosen(reader, question)
        if question.order == "time":
            return choice.amount, _by_time(reader, choice, question.descending, offset, limit)
        parts = (
            _by_routine(reader, choice, opened) if question.order == "routine" else _by_state(reader, choice, opened)
        )
        if question.descending:
            parts.reverse()
        return choice.amount, _through(reader, parts, question.descending, offset, limit)


def place_of(reader: Reader, question: Question, number: int) -> int | None:
    """How many of those that match come before the one with this number, in the order of time; None if it is gone."""
    with reader.snapshot():
        row = reader.one("SELECT scheduled_for FROM occurrences WHERE number = ?", (number,))
        if row is None:
            return None
        choice, _ = _chosen(reader, question)
        source, values = _walked(choice)
        before = ">" if question.descending else "<"
        return reader.number(
            f"SELECT count(*) FROM {source} AND (o.scheduled_for, o.number) {before} (?, ?)", [*values, row[0], number]
        )


def fold_around(reader: Reader, number: int) -> Fold | None:
    """The row of skipped occurrences that one of them lies in, when another stands for it."""
    row = reader.one(
        f"SELECT o.automation_id, o.scheduled_for FROM occurrences o WHERE o.number = ? AND {_before_skipped('o')}",
        (number,),
    )
    if row is None:
        return None
    bounds = []
    for side, farthest in (("<", "max"), (">", "min")):
        bounds.append(
            reader.one(
                f"SELECT {farthest}(scheduled_for) FROM occurrences WHERE automation_id = ? AND scheduled_for {side} ?"
                " AND state <> 'skipped'",
                row,
            )
        )
    first, last = (bound[0] if bound is not None else None for bound in bounds)
    ends = reader.one(
        "SELECT min(scheduled_for), max(scheduled_for) FROM occurrences WHERE automation_id = ? AND state = 'skipped'"
        " AND scheduled_for > ? AND scheduled_for < ?",
        (row[0], first or "", last or "9999"),
    )
    return None if ends is None else Fold(row[0], ends[0], ends[1])


def _words(question: Question) -> tuple[str, ...] | None:
    """The states and words of ours that are looked for, each told apart from the others; None for all of them."""
    wanted = _apart(question.states)
    unwanted = _apart(question.without.states)
    if unwanted:
        return tuple(word for word in wanted or (*_OPEN, *_SETTLED) if word not in unwanted)
    return wanted or (() if question.states and set(question.states) != {"deleted"} else None)


def _apart(words: Sequence[str]) -> tuple[str, ...]:
    """`attention` in the words it is made of; `deleted` is about the routine."""
    found = [part for word in words for part in (("recovery_required", "held") if word == "attention" else (word,))]
    return tuple(dict.fromkeys(word for word in found if word != "deleted"))


def _chosen(reader: Reader, question: Question) -> tuple[_Choice, list[_Open]]:
    """What a question means, counted, and the open ones of it that words of ours mean."""
    about = questions.about_definition(question)
    if "deleted" in question.states:
        about.append(("d.tombstoned_at IS NOT NULL", []))
    if "deleted" in question.without.states:
        about.append(("d.tombstoned_at IS NULL", []))
    routines = None
    if about:
        terms, values = questions.joined(about)
        routines = (f"(SELECT d.id FROM definitions d WHERE {' AND '.join(terms)})", tuple(values))
    spans = [questions.any_of([questions.within("o.scheduled_for", span) for span in question.due])]
    spans = spans if question.due else []
    spans += questions.none_of([questions.within("o.scheduled_for", span) for span in question.without.due])
    words = _words(question)
    states = tuple(word for word in words if word not in _OPEN) if words is not None else None
    choice = _Choice(states, routines, (), 0, tuple(spans), question.unfolded if question.folds else None)
    opened = _opened(reader, [word for word in words or () if word in _OPEN], choice)
    choice = replace(choice, numbers=tuple(one.number for one in opened))
    amount = sum(_amounts(reader, choice, "state").values()) + len(opened)
    return replace(choice, amount=amount), opened


def _opened(reader: Reader, words: Sequence[str], choice: _Choice) -> list[_Open]:
    """What the words of ours mean, without those that are chosen by state anyway."""
    states = choice.states or ()
    terms, values = [f"o.state NOT IN ({questions.marks(states)})"], list[Value](states)
    if choice.routines is not None:
        terms.append(f"o.automation_id IN {choice.routines[0]}")
        values += choice.routines[1]
    for term, given in choice.spans:
        terms.append(term)
        values += given
    found = {
        _Open(*row)
        for word in words
        for row in reader.query(
            f"SELECT o.number, o.automation_id, o.state FROM occurrences o {_OPEN[word]} AND {' AND '.join(terms)}",
            values,
        )
    }
    return sorted(found, key=lambda one: one.number)


def _amounts(reader: Reader, choice: _Choice, column: str) -> Counter[str]:
    """How many are chosen by state, by state or by routine; what is folded does not count."""
    if choice.spans:
        where, values = _outer(choice, *choice.by_state())
        rows = reader.query(f"SELECT o.{column}, count(*) FROM occurrences o WHERE {where} GROUP BY 1", values)
        return Counter(dict(rows))
    source, values = choice.counted()
    amounts: Counter[str] = Counter(
        dict(reader.query(f"SELECT c.{column}, sum(c.amount) FROM {source} GROUP BY 1", values))
    )
    if choice.unfolded is not None:
        folded, given = choice.folded("g")
        rows = reader.query(
            f"SELECT g.{column}, count(*) FROM (SELECT c.automation_id FROM {source} AND c.state = 'skipped'"
            " AND c.amount > 1) c CROSS JOIN occurrences g INDEXED BY occurrences_by_routine_state"
            f" ON g.automation_id = c.automation_id AND g.state = 'skipped' WHERE {folded} GROUP BY 1",
            [*values, *given],
        )
        amounts.subtract(dict(rows))
    return amounts


def _outer(choice: _Choice, where: str, values: list[Value]) -> tuple[str, list[Value]]:
    """A condition on `o`, and those that hold for all that is chosen."""
    terms, given = [f"({where})"], [*values]
    for term, more in choice.spans:
        terms.append(term)
        given += more
    if choice.unfolded is not None:
        folded, more = choice.folded("o")
        terms.append(f"NOT {folded}")
        given += more
    return " AND ".join(terms), given


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
    everything = reader.number("SELECT sum(amount) FROM occurrence_counts")
    looked_at = (offset + length) * everything // choice.amount
    walks = choice.spans or looked_at < choice.amount or (choice.states is None and choice.routines is None)
    source, values = _walked(choice) if walks else _gathered(choice)
    rows = reader.query(
        f"SELECT o.number FROM {source} ORDER BY o.scheduled_for {direction}, o.number {direction} LIMIT ? OFFSET ?",
        [*values, length, offset],
    )
    return [row[0] for row in rows]


def _walked(choice: _Choice) -> tuple[str, list[Value]]:
    where, values = choice.by_state()
    if choice.numbers or choice.states is not None:
        where, values = (
            f"({where}) OR o.number IN (SELECT value FROM json_each(?))",
            [
                *values,
                json.dumps(choice.numbers),
            ],
        )
    where, values = _outer(choice, where, values)
    return f"occurrences o INDEXED BY occurrences_by_time WHERE {where}", values


def _gathered(choice: _Choice) -> tuple[str, list[Value]]:
    source, values = choice.counted()
    folded = ""
    if choice.unfolded is not None:
        term, given = choice.folded("g")
        folded = f" WHERE NOT {term}"
        values += given
    return (
        "(SELECT g.scheduled_for, g.number"
        f" FROM (SELECT c.automation_id, c.state FROM {source}) c CROSS JOIN occurrences g"
        " INDEXED BY occurrences_by_routine_state ON g.automation_id = c.automation_id AND g.state = c.state"
        f"{folded}"
        " UNION ALL SELECT scheduled_for, number FROM occurrences WHERE number IN (SELECT value FROM json_each(?))) o",
        [*values, json.dumps(choice.numbers)],
    )


def _by_state(reader: Reader, choice: _Choice, opened: Sequence[_Open]) -> list[_Choice]:
    amounts = _amounts(reader, choice, "state")
    parts = {
        state: replace(choice, states=(state,), numbers=(), amount=amount)
        for state, amount in amounts.items()
        if amount
    }
    for state, amount in Counter(one.state for one in opened).items():
        numbers = tuple(one.number for one in opened if one.state == state)
        parts[state] = replace(choice, states=(), numbers=numbers, amount=amount)
    return [parts[state] for state in sorted(parts)]


def _by_routine(reader: Reader, choice: _Choice, opened: Sequence[_Open]) -> list[_Choice]:
    amounts = _amounts(reader, choice, "automation_id")
    numbers: dict[str, tuple[int, ...]] = {}
    for one in opened:
        amounts[one.automation_id] += 1
        numbers[one.automation_id] = (*numbers.get(one.automation_id, ()), one.number)
    names = reader.query(
        "SELECT id FROM definitions WHERE id IN (SELECT value FROM json_each(?)) ORDER BY name COLLATE NOCASE, id",
        [json.dumps([routine for routine, amount in amounts.items() if amount])],
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
