"""The two ways to write an instant of a cadence: a wall time in its zone, or an RFC 3339 instant with an offset.

Source: design/schedules.md, cadence. A wall time that comes twice means the first pass; one that clocks skip is refused
with the next valid time. Both are whole seconds, as everything a cadence fires at.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from coven_desktop.schedule.errors import ScheduleError
from coven_desktop.schedule.local_text import wall_text
from coven_desktop.schedule.slots import FIRST_SECOND, LAST_SECOND
from coven_desktop.schedule.zones import Zone

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_SECOND = timedelta(seconds=1)
_DATE_TIME = r"(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2})"
_WRITTEN = re.compile(rf"{_DATE_TIME}(?:(?:\.(\d{{1,9}}))?(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d))?", re.ASCII)
_SLOPPY = re.compile(
    r"(\d{4}-\d{2}-\d{2})(?:[Tt ]+(\d{2}:\d{2})(:\d{2})?(?:\.\d{0,9})?)? ?([Zz]|[+-]\d{2}:?\d{2})?", re.ASCII
)
_ECHO_LIMIT = 200


class Anchor(NamedTuple):
    """An instant in UTC seconds, and the wall time it was meant as, in seconds since 1970-01-01T00:00:00 local."""

    second: int
    wall: int


def read(text: str, zone: Zone, field: str) -> Anchor:
    """The instant that the text of a field stands for; ScheduleError names the field."""
    match = _WRITTEN.fullmatch(text)
    written = None if match is None else _seconds(match)
    if match is None or written is None:
        raise ScheduleError(
            field,
            f"{field} must be a wall time as 2026-01-31T09:00:00, or an instant with its offset as "
            f"2026-01-31T09:00:00+01:00 or 2026-01-31T08:00:00Z, got `{_echo(text)}`",
            _suggest(text),
        )
    if (match[3] or "").strip("0"):
        raise ScheduleError(
            field, f"{field} `{text}` has fractions of a second: write whole seconds", re.sub(r"\.\d+", "", text)
        )
    if match[4] is not None:
        return _within_years(Anchor(written, written + zone.stretch(written).offset), text, field)
    instants = zone.seconds_of(written)
    if not instants:
        jump = zone.jump_over(written)
        valid = wall_text(jump.at + jump.after)
        before, after = wall_text(jump.at + jump.before), valid
        raise ScheduleError(
            field,
            f"{field} `{text}` does not exist in {zone.name}, as clocks go forward from {before} to {after}: "
            f"write {valid}, the next valid time",
            valid,
        )
    return _within_years(Anchor(instants[0], written), text, field)


def _within_years(anchor: Anchor, text: str, field: str) -> Anchor:
    if all(FIRST_SECOND <= second <= LAST_SECOND for second in anchor):
        return anchor
    raise ScheduleError(
        field, f"{field} `{text}` is outside the years 1 to 9999, here or in UTC: write one within them"
    )


def _seconds(match: re.Match[str]) -> int | None:
    """UTC seconds of a text with an offset, seconds of a wall time without; None when there is no such date or time."""
    try:
        found = (datetime.fromisoformat(f"{match[1]}T{match[2]}+00:00") - _EPOCH) // _SECOND
    except ValueError:
        return None
    offset = match[4]
    if offset is None or offset == "Z":
        return found
    seconds = (int(offset[1:3]) * 60 + int(offset[4:6])) * 60
    return found - seconds if offset[0] == "+" else found + seconds


def _suggest(text: str) -> str | None:
    """What was probably meant by a date or time that is only spelt otherwise."""
    match = _SLOPPY.fullmatch(text.strip()) if len(text) <= _ECHO_LIMIT else None
    if match is None:
        return None
    date, time, seconds, offset = match.groups()
    if offset is not None:
        offset = offset.upper() if len(offset) != 5 else f"{offset[:3]}:{offset[3:]}"
    written = f"{date}T{time or '00:00'}{seconds or ':00'}{offset or ''}"
    found = _WRITTEN.fullmatch(written)
    return None if found is None or _seconds(found) is None else written


def _echo(text: str) -> str:
    """What was sent, but never a page of it."""
    return text if len(text) <= _ECHO_LIMIT else text[:_ECHO_LIMIT] + "…"
