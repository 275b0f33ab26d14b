"""What to write instead of a cron expression that is refused: a whole one that parses and stands for what was meant."""

from __future__ import annotations

import re

from coven_desktop.schedule import rrule_grammar
from coven_desktop.schedule.cron_grammar import (
    FIVE,
    LENGTHS,
    NICKNAMES,
    RRULE_TEXT,
    SECOND,
    WEEKDAYS,
    ZONE_PREFIX,
    CronError,
    Field,
    fields_of,
    forward,
    last_of,
    number,
    numbers,
    read,
)
from coven_desktop.schedule.rrule_repair import suggest as suggest_rrule

_LENGTH_LIMIT = 1_000
_DASHES = {0x2212: "-", 0x2013: "-"}
_STEP_WITHOUT_RANGE = re.compile(r"(\w+)/(\d+)", re.ASCII)
_RANGE = re.compile(r"(\w+)-(\w+)(?:/(\d+))?", re.ASCII)
_LONG_NAME = re.compile(r"[A-Za-z]{4,}")


def suggest(text: str, *, seconds: bool = False) -> str | None:
    """An expression to write instead of `text`, which is refused; None when none stands for what was meant."""
    if len(text) > _LENGTH_LIMIT:
        return None
    mended = _mend(text.translate(_DASHES), seconds)
    if mended is None:
        return None
    try:
        read(mended, seconds=seconds)
    except CronError:
        return None
    return mended


def _mend(text: str, seconds: bool) -> str | None:
    found = fields_of(text)
    if not found:
        return "0 9 * * *"
    if found[0].startswith("@"):
        return NICKNAMES.get(found[0].lower()) if len(found) == 1 else None
    if RRULE_TEXT.search(text):
        return _of_rrule(text)
    if ZONE_PREFIX.match(found[0]):
        found = found[1:]
        if found and found[0].startswith("@"):
            return NICKNAMES.get(found[0].lower())
    kept = _as_many_as_are_read(found, seconds)
    if kept is None:
        return None
    kinds = (SECOND, *FIVE) if len(kept) == 6 else FIVE
    parts = [_field(part, kind) for part, kind in zip(kept, kinds, strict=True)]
    if parts[-4] == "24" and parts[-3:] == ["*", "*", "*"]:
        parts[-4] = "0"
    return " ".join(_with_a_day_that_comes(parts))


def _as_many_as_are_read(found: list[str], seconds: bool) -> list[str] | None:
    """Without a seconds field that says nothing and a year field that does; None when more would be lost."""
    if len(found) == 7 and found[6] in ("*", "?"):
        found = found[:6]
    if len(found) == 6 and not seconds:
        if found[0].strip("0"):
            return None
        found = found[1:]
    return found if len(found) == 5 or (seconds and len(found) == 6) else None


def _field(text: str, field: Field) -> str:
    return ",".join(_entry(entry, field) for entry in text.split(",") if entry)


def _entry(entry: str, field: Field) -> str:
    if entry == "?" and field.name.startswith("day"):
        return "*"
    entry = _LONG_NAME.sub(lambda word: word[0][:3], entry)
    step = _STEP_WITHOUT_RANGE.fullmatch(entry)
    if step:
        return f"{step[1]}-{last_of(field)}/{step[2]}"
    bounds = _RANGE.fullmatch(entry)
    if bounds:
        begin, end = number(bounds[1], field), number(bounds[2], field)
        sunday = field.names is WEEKDAYS and bounds[2].upper() == "SUN"
        if begin is not None and end is not None and field.low <= end < begin <= field.high and not sunday:
            return forward(begin, end, int(bounds[3] or 1), field)
    return entry


def _with_a_day_that_comes(parts: list[str]) -> list[str]:
    """The last day of the month in place of one that no month given has: 30 February is its 28th."""
    try:
        days, months = numbers(parts[-3], FIVE[2]), numbers(parts[-2], FIVE[3])
    except CronError:
        return parts
    longest = max(LENGTHS[month - 1] for month in months)
    free = parts[-3].startswith("*") or parts[-1].startswith("*")
    if not free or days[0] <= longest:
        return parts
    return [*parts[:-3], "28" if longest == 29 else str(longest), *parts[-2:]]


def _of_rrule(text: str) -> str | None:
    """The five fields of a daily or weekly rule."""
    try:
        rule = rrule_grammar.read(text)
    except rrule_grammar.RruleError:
        mended = suggest_rrule(text)
        if mended is None:
            return None
        rule = rrule_grammar.read(mended)
    hours = ",".join(str(hour) for hour in rule.by_hour)
    days = ",".join(name for name in WEEKDAYS if name[:2] in rule.by_day)
    return f"0 {hours} * * {days or '*'}"
