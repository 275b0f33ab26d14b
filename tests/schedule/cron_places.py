"""Expressions to ask about, when they match as somebody else would say it, and zones whose clocks change oddly."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from hypothesis import strategies as st

ODD_ZONES = (
    "Africa/Cairo", "Africa/Casablanca", "America/Caracas", "America/Havana", "America/Nuuk", "America/Sao_Paulo",
    "America/Scoresbysund", "America/St_Johns", "Antarctica/Casey", "Antarctica/Troll", "Asia/Gaza", "Asia/Pyongyang",
    "Australia/Lord_Howe", "Europe/Dublin", "Pacific/Apia",
)  # fmt: skip
EXPRESSIONS = (
    "30 2 * * *",
    "*/7 * * * *",
    "0 */2 * * *",
    "15,45 0-3 * * *",
    "0 0 * * *",
    "5 0 1,15,30 * 5",
    "*/20 * */3 * 1",
    "59 23 * * *",
    "45 */24 * * *",
    "1 1-23/2 * * sun-tue",
    "0,30 *,5 * 3,4,10,11 *",
)
_LIMITS = ((0, 59), (0, 23), (1, 31), (1, 12), (0, 7))
_NAMES = {
    3: ("jan", "Feb", "MAR", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"),
    4: ("sun", "Mon", "TUE", "wed", "thu", "fri", "sat"),
}


@st.composite
def _field(draw: st.DrawFn, place: int) -> str:
    low, high = _LIMITS[place]

    def word(value: int) -> str:
        names = _NAMES.get(place)
        named = names is not None and value - low < len(names) and draw(st.booleans())
        return names[value - low] if names is not None and named else str(value)

    entries = []
    for _ in range(draw(st.sampled_from((1, 1, 1, 2, 3)))):
        kind = draw(st.sampled_from(("star", "star", "one", "one", "range", "star step", "range step")))
        step = f"/{draw(st.integers(1, high))}" if kind.endswith("step") else ""
        if kind.startswith("star"):
            entries.append("*" + step)
        elif kind == "one":
            entries.append(word(draw(st.integers(low, high))))
        else:
            # of one number to itself cronsim makes a range to the end of the field
            first = draw(st.integers(low, high - 1))
            entries.append(f"{word(first)}-{word(draw(st.integers(first + 1, high)))}{step}")
    return ",".join(entries)


FIVE_FIELDS = st.tuples(*(_field(place) for place in range(5))).map(" ".join)
# Random expressions seldom come rarely.
CRONS = st.one_of(
    FIVE_FIELDS, FIVE_FIELDS, st.sampled_from(("0 0 29 2 *", "0 0 29 2 */7", "30 2 * 3,10 0", *EXPRESSIONS))
)


def matcher(expression: str) -> Callable[[datetime], bool]:
    """Whether a wall time matches five fields of digits, names, lists, ranges and steps: read anew, in its own way."""
    parts = expression.split()
    allowed = [_values(part, place) for place, part in enumerate(parts)]
    both = parts[2][0] == "*" or parts[4][0] == "*"

    def matches(wall: datetime) -> bool:
        if wall.second or wall.minute not in allowed[0] or wall.hour not in allowed[1] or wall.month not in allowed[3]:
            return False
        days = (wall.day in allowed[2], bool({wall.isoweekday(), wall.isoweekday() % 7} & allowed[4]))
        return all(days) if both else any(days)

    return matches


def _values(part: str, place: int) -> set[int]:
    found: set[int] = set()
    for entry in part.split(","):
        span, _, step = entry.partition("/")
        first, _, last = span.partition("-")
        low, high = _LIMITS[place] if span == "*" else (_value(first, place), _value(last or first, place))
        found.update(range(low, high + 1)[:: int(step or 1)])
    return found


def _value(word: str, place: int) -> int:
    if word.isdigit():
        return int(word)
    names = [name.lower() for name in _NAMES[place]]
    return names.index(word.lower()) + _LIMITS[place][0]
