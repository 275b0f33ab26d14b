"""The grammar of cron: five fields as Vixie cron reads them, six with seconds first for cadences.

Its source is design/schedules.md, cron. What is refused is refused by name, with what to write instead: in the message
always, as a whole expression (`suggestion`) where one stands for what was meant; `cron_repair.py` finds it.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from coven_desktop.schedule.rrule_grammar import WHITE_SPACE

MONTHS = ("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC")
WEEKDAYS = ("SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT")
NICKNAMES = {
    "@yearly": "0 0 1 1 *",
    "@annually": "0 0 1 1 *",
    "@monthly": "0 0 1 * *",
    "@weekly": "0 0 * * 0",
    "@daily": "0 0 * * *",
    "@midnight": "0 0 * * *",
    "@hourly": "0 * * * *",
}
# The longest that each month gets.
LENGTHS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)

RRULE_TEXT = re.compile(r"\b(?:FREQ\s*=|DTSTART|RRULE\s*:)", re.IGNORECASE)
ZONE_PREFIX = re.compile(r"(?:CRON_)?TZ\s*=\s*(\S*)", re.IGNORECASE)
_BLANKS = re.compile(f"[{WHITE_SPACE}]+")
_ENTRY = re.compile(r"(?:(\*)|(\w+)(?:-(\w+))?)(?:/(\w+))?", re.ASCII)
_ECHO_LIMIT = 200
_LENGTH_LIMIT = 1_000
_EXAMPLE = "0 9 * * *"


class CronError(ValueError):
    """An expression is refused: `message` is a sentence that says why and what to write instead.

    `suggestion` is a whole expression to write instead, or None when none stands for what was meant.
    """

    def __init__(self, message: str, suggestion: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.suggestion = suggestion


class Field(NamedTuple):
    """One of the fields: its name, its numbers from `low` to `high`, and the names of them, the first for `low`."""

    name: str
    low: int
    high: int
    names: tuple[str, ...] = ()


class Cron(NamedTuple):
    """A parsed expression: the numbers of each field, ascending; weekdays are 0 (Sunday) to 6.

    `either_day`: both day fields are restricted, and either one matching is enough; else both must match.
    `star_hour`: the text of the hour field starts with `*`.
    """

    seconds: tuple[int, ...]
    minutes: tuple[int, ...]
    hours: tuple[int, ...]
    days: tuple[int, ...]
    months: tuple[int, ...]
    weekdays: tuple[int, ...]
    either_day: bool
    star_hour: bool


SECOND = Field("second", 0, 59)
# 7 is Sunday too, so that a range may end in it.
FIVE = (
    Field("minute", 0, 59),
    Field("hour", 0, 23),
    Field("day-of-month", 1, 31),
    Field("month", 1, 12, MONTHS),
    Field("day-of-week", 0, 7, WEEKDAYS),
)


def fields_of(text: str) -> list[str]:
    """The fields of an expression, which runs of white space separate."""
    return [field for field in _BLANKS.split(text) if field]


def read(text: str, *, seconds: bool = False) -> Cron:
    """Parse an expression of five fields, or with `seconds` of five or six; CronError without a suggestion."""
    if len(text) > _LENGTH_LIMIT:
        raise CronError(f"the expression is longer than {_LENGTH_LIMIT} characters: write it shorter")
    found = fields_of(text)
    if not found:
        raise CronError(f"a cron expression is required: write its five fields, as {_EXAMPLE}")
    _refuse_what_is_no_cron(text, found)
    if len(found) == 6 and seconds:
        second, *found = found
        in_minute = numbers(second, SECOND)
    else:
        in_minute = (0,)
    if len(found) != 5:
        _refuse_number_of_fields(len(found), seconds)
    minutes, hours, days, months, weekdays = (
        numbers(part, field) for part, field in zip(found, FIVE, strict=True)
    )  # fmt: skip
    free = found[2].startswith("*") or found[4].startswith("*")
    if free and days[0] > max(LENGTHS[month - 1] for month in months):
        raise CronError(never_comes(days[0], months))
    weekdays = tuple(sorted({day % 7 for day in weekdays}))
    return Cron(in_minute, minutes, hours, days, months, weekdays, not free, found[1].startswith("*"))


def numbers(text: str, field: Field) -> tuple[int, ...]:
    """The numbers that the text of a field stands for, ascending, each once."""
    found: set[int] = set()
    for entry in text.split(","):
        if not entry:
            raise CronError(f"{field.name} `{_echo(text)}` has an empty entry: write a number on both sides of a comma")
        found.update(_entry(entry, field))
    return tuple(sorted(found))


def number(text: str, field: Field) -> int | None:
    """The number of a word: digits, or a name of the field in any case; None when it is neither."""
    if text.isascii() and text.isdecimal():
        return int(text)
    name = text.upper()
    return field.names.index(name) + field.low if name in field.names else None


def never_comes(day: int, months: tuple[int, ...]) -> str:
    """Why a day of the month never comes in these months, and what to write instead."""
    longest = max(LENGTHS[month - 1] for month in months)
    names = ", ".join(MONTHS[month - 1].capitalize() for month in months)
    instead = f"{longest}" if longest > 29 else "28 for its last day in every year, or 29 for leap years"
    return f"day-of-month {day} never comes in {names}: write {instead}"


def _entry(entry: str, field: Field) -> range:
    match = _ENTRY.fullmatch(entry)
    if match is None:
        raise CronError(_foreign(entry, field))
    star, first, last, step = match.groups()
    if step is not None and not step.isdecimal():
        raise CronError(_foreign(entry, field))
    if step is not None and int(step) == 0:
        raise CronError(f"{field.name} `{_echo(entry)}` has a step of 0: write a step of 1 or more")
    if star:
        return range(field.low, field.high + 1, int(step or 1))
    begin = _number(first, entry, field)
    if last is None:
        if step is not None:
            raise CronError(
                f"{field.name} `{_echo(entry)}` has a step and no range: write {first}-{last_of(field)}/{step}"
            )
        return range(begin, begin + 1)
    end = _number(last, entry, field)
    if end < begin and field.names is WEEKDAYS and last.upper() == "SUN":
        end = 7
    if end < begin:
        raise CronError(
            f"{field.name} `{_echo(entry)}` runs backward: write {forward(begin, end, int(step or 1), field)}"
        )
    return range(begin, end + 1, int(step or 1))


def forward(begin: int, end: int, step: int, field: Field) -> str:
    """What a range that runs backward was meant for, round the end of the field: 22-2 is 22-23,0-2."""
    low, high = field.low, last_of(field)
    if step > 1:
        size = high - low + 1
        return ",".join(str((value - low) % size + low) for value in range(begin, end + size + 1, step))
    return ",".join(f"{one}" if one == other else f"{one}-{other}" for one, other in ((begin, high), (low, end)))


def last_of(field: Field) -> int:
    """The last number of a field that is not there twice: of weekdays Saturday, as 7 is 0 again."""
    return 6 if field.names is WEEKDAYS else field.high


def _number(word: str, entry: str, field: Field) -> int:
    value = number(word, field)
    if value is None:
        raise CronError(_foreign(entry, field))
    if not field.low <= value <= field.high:
        instead = "0, which is midnight" if (field.name, value) == ("hour", 24) else f"{field.low} to {field.high}"
        raise CronError(f"{field.name} `{_echo(entry)}` is out of range: write {instead}")
    return value


def _refuse_what_is_no_cron(text: str, found: list[str]) -> None:
    if found[0].startswith("@"):
        nickname = found[0].lower()
        if nickname in NICKNAMES:
            raise CronError(f"the nickname `{nickname}` is not read: write {NICKNAMES[nickname]}")
        if nickname == "@reboot":
            raise CronError("`@reboot` names no time: write the five fields of one, as " + _EXAMPLE)
        if nickname == "@every":
            raise CronError("`@every` is an interval: write a cadence of mode every_n_minutes")
        raise CronError(f"the nickname `{_echo(found[0])}` is not known: write five fields, as {_EXAMPLE}")
    if RRULE_TEXT.search(text):
        raise CronError(f"this is a rule of the rrule family: choose that family, or write five fields, as {_EXAMPLE}")
    prefix = ZONE_PREFIX.match(found[0])
    if prefix:
        raise CronError(
            f"`{_echo(prefix[0])}` is not part of the expression: write the time zone in its own field, "
            "and here the five fields alone"
        )


def _refuse_number_of_fields(count: int, seconds: bool) -> None:
    known = "five fields, or six with seconds first" if seconds else "five fields"
    if count == 6:
        raise CronError(
            f"six fields are one too many: write {known}, without seconds or year; "
            "seconds can be had by a cadence of mode cron, a year by none"
        )
    if count == 7:
        raise CronError(f"seven fields are too many, as no year is read: write {known}, without the year")
    raise CronError(
        f"a cron expression has {known} (minute hour day-of-month month day-of-week), not {count}: write them all, "
        f"as {_EXAMPLE}"
    )


def _foreign(entry: str, field: Field) -> str:
    """What is wrong with an entry that is no number, name, range or step of the field, and what to write instead."""
    said = f"{field.name} `{_echo(entry)}`"
    bare = entry.upper()
    for name in field.names:
        bare = bare.replace(name, "")
    day = re.match(r"\d+", entry, re.ASCII)
    alone = f"the {'weekday' if field.names is WEEKDAYS else 'day'} alone{f', {day[0]},' if day else ''}"
    if "?" in bare:
        return f"{said} has a `?`, which other crons read as no restriction: write *"
    if "#" in bare:
        return f"{said} has a `#`, the nth weekday of a month: write {alone} and let the command look at the date"
    if "~" in bare:
        return f"{said} has a `~`, a random number: write a number of your choice"
    if re.fullmatch(r"H(\(.*\))?(/\d+)?", bare):
        return f"{said} has an `H`, a hashed number: write a number of your choice"
    if re.fullmatch(r"(\d*L(-\d+)?|LW)", bare) and field.name == "day-of-month":
        return (
            f"{said} has an `L`, the last day of a month: "
            "write a monthly cadence with an anchor on a 31st, which comes on the last day of every month"
        )
    if re.fullmatch(r"\d*L", bare):
        return f"{said} has an `L`, the last weekday of a month: write {alone} and let the command look at the date"
    if re.fullmatch(r"\d*W", bare):
        return f"{said} has a `W`, the nearest weekday: write {alone} or a range of weekdays in the last field"
    names = f" or {field.names[0]} to {field.names[-1]}" if field.names else ""
    numbers_of = f"numbers from {field.low} to {field.high}{names}"
    return f"{said} is not understood: write *, {numbers_of}, ranges as a-b, or steps as */n or a-b/n"


def _echo(text: str) -> str:
    """What was sent, but never a page of it."""
    return text if len(text) <= _ECHO_LIMIT else text[:_ECHO_LIMIT] + "…"
