"""What a table of the window asks for: which rows, in which order; and what that says of a routine, in SQL.

Several words of one kind mean any of them, but every text word and every tag must be found. What stands in `without`
must not be found at all. Instants are the store's RFC 3339 text.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from coven_desktop.store.transactions import Value

# The search index holds pieces of three characters; shorter words are looked for in name and id alone.
_SHORTEST_INDEXED = 3


@dataclass(frozen=True)
class Span:
    """Instants from `start` on and before `end`, None for no limit. With neither: no date at all."""

    start: str | None = None
    end: str | None = None


@dataclass(frozen=True, kw_only=True)
class Words:
    """What is looked for. `words` are found in name, id or prompt; the states are also words of ours."""

    words: tuple[str, ...] = ()
    states: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    runtimes: tuple[str, ...] = ()
    zones: tuple[str, ...] = ()
    due: tuple[Span, ...] = ()


@dataclass(frozen=True)
class Fold:
    """A row of skipped occurrences of a routine that is opened: those due from `first` to `last`."""

    automation_id: str
    first: str
    last: str


@dataclass(frozen=True)
class Question(Words):
    """Which rows, in which order.

    `folds`: of neighbouring skipped rows of a routine only the newest, except in `unfolded`. `hidden` are routines that
    are left out, because their deletion waits.
    """

    order: str
    descending: bool = False
    without: Words = Words()
    automation_id: str | None = None
    hidden: tuple[str, ...] = ()
    folds: bool = False
    unfolded: tuple[Fold, ...] = ()


Condition = tuple[str, list[Value]]


def marks(values: Sequence[object]) -> str:
    """A place for each value in a statement."""
    return ",".join("?" * len(values))


def any_of(conditions: Sequence[Condition]) -> Condition:
    """One condition that holds where any of these does."""
    values = [value for _, given in conditions for value in given]
    return f"({' OR '.join(term for term, _ in conditions)})", values


def none_of(conditions: Sequence[Condition]) -> list[Condition]:
    """Conditions that hold where none of these does; what is not known counts as not so."""
    return [(f"NOT ifnull({term}, 0)", values) for term, values in conditions]


def joined(conditions: Sequence[Condition]) -> tuple[list[str], list[Value]]:
    """The terms of conditions, and the values of all of them in order."""
    return [term for term, _ in conditions], [value for _, given in conditions for value in given]


def about_definition(question: Question) -> list[Condition]:
    """What a question says of a definition `d`, save its states and when it is due."""
    found = [_text(word) for word in question.words] + [_tag(tag) for tag in question.tags]
    if question.runtimes:
        found.append(any_of([_runtime(name) for name in question.runtimes]))
    if question.zones:
        found.append(any_of([_zone(name) for name in question.zones]))
    without: list[tuple[tuple[str, ...], Callable[[str], Condition]]] = [
        (question.without.words, _text),
        (question.without.tags, _tag),
        (question.without.runtimes, _runtime),
        (question.without.zones, _zone),
    ]
    for unwanted, said in without:
        found += none_of([said(word) for word in unwanted])
    if question.hidden:
        found.append((f"d.id NOT IN ({marks(question.hidden)})", list(question.hidden)))
    if question.automation_id is not None:
        found.append(("d.id = ?", [question.automation_id]))
    return found


def within(column: str, span: Span) -> Condition:
    """That an instant lies in a span."""
    if span.start is None and span.end is None:
        return f"{column} IS NULL", []
    terms, values = [], list[Value]()
    for term, value in ((f"{column} >= ?", span.start), (f"{column} < ?", span.end)):
        if value is not None:
            terms.append(term)
            values.append(value)
    return f"({' AND '.join(terms)})", values


def _like(word: str) -> str:
    escaped = word.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    return f"%{escaped}%"


def _text(word: str) -> Condition:
    if len(word) < _SHORTEST_INDEXED or "\0" in word:
        return "(d.name LIKE ? ESCAPE '\\' OR d.id LIKE ? ESCAPE '\\')", [_like(word), _like(word)]
    quoted = word.replace('"', '""')
    return "d.number IN (SELECT rowid FROM routine_search WHERE routine_search MATCH ?)", [f'"{quoted}"']


def _tag(tag: str) -> Condition:
    return "EXISTS (SELECT 1 FROM json_each(d.body, '$.tags') WHERE json_each.value = ? COLLATE NOCASE)", [tag]


def _runtime(name: str) -> Condition:
    return "json_extract(d.body, '$.runtime') = ? COLLATE NOCASE", [name]


# of a routine of the contract's, or of a cadence or cron, whose schedule is a document of its own
ZONE = "ifnull(json_extract(d.body, '$.timezone'), json_extract(d.body, '$.schedule.timezone'))"


def _zone(name: str) -> Condition:
    return f"{ZONE} LIKE ? ESCAPE '\\'", [_like(name)]
