"""The grammar of contract rules: FREQ, BYHOUR, BYDAY, and the exact text of each refusal (contract/engine.md §1)."""

from __future__ import annotations

from typing import Literal, NamedTuple

# Unicode White_Space, which is what the contract trims; str.strip() would take U+001C to U+001F as well.
WHITE_SPACE = (
    "\t\n\v\f\r \x85\xa0\u1680"
    "\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000"
)
WEEKDAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
DEFAULT_HOURS = (9,)
DEFAULT_DAYS = ("MO",)

_LONG_WEEKDAYS = ("MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN")
_DAY_OF_NAME = {name: name[:2] for name in (*WEEKDAYS, *_LONG_WEEKDAYS)}
# Only ASCII letters are folded: a dotless i makes no DAILY.
_ASCII_UPPER = {lower: lower - 32 for lower in range(ord("a"), ord("z") + 1)}
_ECHO_LIMIT = 200


class RruleError(ValueError):
    """A rule is refused.

    `message` is the contract's reason without its prefix "rrule failed validation: "; `suggestion` is a whole rule
    that parses, to write instead, or None when nothing equivalent can be written.
    """

    def __init__(self, message: str, suggestion: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.suggestion = suggestion


class Rule(NamedTuple):
    """A parsed rule: hours ascending, weekdays as two letters in alphabetical order, none for DAILY."""

    frequency: Literal["DAILY", "WEEKLY"]
    by_hour: tuple[int, ...]
    by_day: tuple[str, ...]


def trim(text: str) -> str:
    """Without Unicode White_Space at both ends."""
    return text.strip(WHITE_SPACE)


def ascii_upper(text: str) -> str:
    """With ASCII letters in upper case, all others as they are."""
    return text.translate(_ASCII_UPPER)


def read(text: str) -> Rule:
    """Parse a rule; RruleError without a suggestion when it is refused."""
    if not trim(text):
        raise RruleError("rrule is required")
    frequency: Literal["DAILY", "WEEKLY"] | None = None
    hours: tuple[int, ...] | None = None
    days: tuple[str, ...] | None = None
    seen: set[str] = set()
    for raw in text.split(";"):
        part = trim(raw)
        if not part:
            raise RruleError("rrule contains an empty part")
        raw_key, equals, raw_value = part.partition("=")
        if not equals:
            raise RruleError(f"rrule part `{_echo(part)}` is not KEY=VALUE")
        key, value = ascii_upper(trim(raw_key)), trim(raw_value)
        if not value:
            raise RruleError(f"rrule {_echo(key)} has an empty value")
        if key not in ("FREQ", "BYHOUR", "BYDAY"):
            raise RruleError(f"rrule key `{_echo(key)}` is not supported")
        if key in seen:
            raise RruleError(f"rrule {key} must not be repeated")
        seen.add(key)
        if key == "FREQ":
            frequency = _frequency(value)
        elif key == "BYHOUR":
            hours = _hours(value)
        else:
            days = _days(value)
    if frequency is None:
        raise RruleError("rrule requires FREQ")
    if frequency == "DAILY":
        if days is not None:
            raise RruleError("BYDAY is supported only for FREQ=WEEKLY")
        return Rule(frequency, hours or DEFAULT_HOURS, ())
    return Rule(frequency, hours or DEFAULT_HOURS, days or DEFAULT_DAYS)


def _frequency(value: str) -> Literal["DAILY", "WEEKLY"]:
    folded = ascii_upper(value)
    if folded == "DAILY":
        return "DAILY"
    if folded == "WEEKLY":
        return "WEEKLY"
    raise RruleError(f"FREQ `{_echo(value)}` is not supported (DAILY or WEEKLY)")


def _hours(value: str) -> tuple[int, ...]:
    hours: list[int] = []
    for raw in value.split(","):
        entry = trim(raw)
        if not entry:
            raise RruleError("BYHOUR contains an empty entry")
        # An unsigned 8-bit number: leading zeros are harmless, a sign is refused (decisions.md 9).
        digits = entry.lstrip("0") or "0"
        if not (entry.isascii() and entry.isdecimal()) or len(digits) > 3 or int(digits) > 255:
            raise RruleError(f"BYHOUR entry `{_echo(entry)}` is not an integer")
        hour = int(digits)
        if hour > 23:
            raise RruleError(f"BYHOUR entry {hour} exceeds 23")
        if hour in hours:
            raise RruleError(f"BYHOUR repeats entry {hour}")
        hours.append(hour)
    return tuple(sorted(hours))


def _days(value: str) -> tuple[str, ...]:
    days: list[str] = []
    for raw in value.split(","):
        entry = trim(raw)
        day = _DAY_OF_NAME.get(ascii_upper(entry))
        if day is None:
            raise RruleError(f"BYDAY entry `{_echo(entry)}` is not a weekday")
        if day in days:
            raise RruleError(f"BYDAY repeats entry {day}")
        days.append(day)
    return tuple(sorted(days))


def _echo(text: str) -> str:
    """What was sent, but never a page of it."""
    return text if len(text) <= _ECHO_LIMIT else text[:_ECHO_LIMIT] + "…"
