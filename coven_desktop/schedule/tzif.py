"""The changes of a zone's offset, read from a TZif file and its POSIX footer (RFC 9636).

The zone is cut at its offset changes into stretches within which wall time and UTC differ by a constant; every
conversion is then integer arithmetic inside one stretch. Bytes in, numbers out: `zones.py` reads the files.

All instants and wall times here are integer seconds since 1970-01-01T00:00:00, UTC and local respectively.
"""

from __future__ import annotations

import re
import struct
from bisect import bisect_right
from datetime import date
from itertools import pairwise
from typing import NamedTuple

DAY = 86_400
# The Gregorian calendar repeats after 400 years, which are a whole number of weeks: so do all footer rules.
CYCLE = 146_097 * DAY
# RFC 9636 §3.2: an offset lies between -25 h and +26 h (both exclusive).
MOST_WEST = 25 * 3600
MOST_EAST = 26 * 3600
# Further away than any instant of the years 1 to 9999.
BEGINNING = -(1 << 60)
END = 1 << 60

_EPOCH_ORDINAL = date(1970, 1, 1).toordinal()
_HEADER = struct.Struct(">4sc15x6I")
_NAME = r"(?:<[A-Za-z0-9+\-]{3,}>|[A-Za-z]{3,})"
_OFFSET = r"[+-]?\d{1,3}(?::\d{1,2}){0,2}"
_DATE = rf"(?:J\d{{1,3}}|\d{{1,3}}|M\d{{1,2}}\.\d\.\d)(?:/{_OFFSET})?"
_FOOTER = re.compile(rf"{_NAME}({_OFFSET})(?:{_NAME}({_OFFSET})?,({_DATE}),({_DATE}))?")


class TzifError(ValueError):
    """The bytes are not a TZif file that can be understood; the text says what is wrong."""


class Stretch(NamedTuple):
    """Instants `start` <= t < `end` whose wall time is t + `offset`; all in seconds."""

    start: int
    end: int
    offset: int


class Jump(NamedTuple):
    """An offset change at instant `at`: wall time jumps from at + `before` to at + `after`; all in seconds."""

    at: int
    before: int
    after: int


class Changes:
    """A zone's whole history of offsets, and its future by rule."""

    def __init__(self, times: list[int], offsets: list[int], rule: _Rule | None) -> None:
        """`times` ascending, one offset more than times: the first holds before all of them."""
        starts = [BEGINNING]
        kept = [offsets[0]]
        self._limit = END
        if rule is not None:
            first_year = _year_of(times[-1]) if times else 1
            known_until = times[-1] if times else BEGINNING
            future = [change for change in rule.changes(first_year, first_year + 404) if change[0] > known_until]
            times = times + [at for at, _ in future]
            offsets = offsets + [offset for _, offset in future]
            if rule.standard != rule.daylight:
                self._limit = (date(first_year + 402, 1, 1).toordinal() - _EPOCH_ORDINAL) * DAY
        for at, offset in zip(times, offsets[1:], strict=True):
            if at <= starts[-1]:  # two changes at one instant: the later one holds
                kept[-1] = offset
            elif offset != kept[-1]:  # others change only the abbreviation
                starts.append(at)
                kept.append(offset)
        starts.append(END)
        self._starts = starts
        self._offsets = kept

    def stretch(self, instant: int) -> Stretch:
        """The stretch that holds the instant."""
        shift = self._shift(instant)
        index = bisect_right(self._starts, instant - shift) - 1
        return Stretch(self._starts[index] + shift, self._starts[index + 1] + shift, self._offsets[index])

    def instants(self, wall: int) -> tuple[int, ...]:
        """The instants, ascending, at which clocks show the wall time: none in a gap, two in a fold, else one."""
        shift = self._shift(wall)
        near = wall - shift
        index = bisect_right(self._starts, near - MOST_EAST) - 1
        found: list[int] = []
        while self._starts[index] <= near + MOST_WEST:
            instant = near - self._offsets[index]
            if self._starts[index] <= instant < self._starts[index + 1]:
                found.append(instant + shift)
            index += 1
        return tuple(found)

    def jump_over(self, wall: int) -> Jump:
        """The jump that skips a wall time which has no instant; ValueError when none does."""
        shift = self._shift(wall)
        near = wall - shift
        index = bisect_right(self._starts, near - MOST_EAST) - 1
        while self._starts[index] <= near + MOST_WEST:
            at = self._starts[index + 1]
            if at < END and at + self._offsets[index] <= near < at + self._offsets[index + 1]:
                return Jump(at + shift, self._offsets[index], self._offsets[index + 1])
            index += 1
        raise ValueError(f"no jump skips the wall time {wall}")

    def _shift(self, seconds: int) -> int:
        """Seconds to take away so that the table covers the instant: whole cycles, none before the rule's 400 years."""
        if seconds < self._limit:
            return 0
        return ((seconds - self._limit) // CYCLE + 1) * CYCLE


class _Date(NamedTuple):
    """A yearly date of a footer: kind J (1–365, 29 February never counted), D (0–365) or M (month, week, weekday)."""

    kind: str
    numbers: tuple[int, ...]
    seconds: int

    def wall(self, year: int) -> int:
        """The wall time of the date in a year."""
        if self.kind == "M":
            month, week, weekday = self.numbers
            first = date(year, month, 1).toordinal()
            following = date(year + month // 12, month % 12 + 1, 1).toordinal()
            # date.toordinal() % 7 is 0 on Sundays, as the footer counts weekdays.
            day = first + (weekday - first) % 7 + 7 * (week - 1)
            if day >= following:
                day -= 7
        else:
            day = date(year, 1, 1).toordinal() + self.numbers[0]
            if self.kind == "J":
                leap = date(year, 3, 1).toordinal() - date(year, 2, 28).toordinal() == 2
                day += -1 if not leap or self.numbers[0] < 60 else 0
        return (day - _EPOCH_ORDINAL) * DAY + self.seconds


class _Rule(NamedTuple):
    """Daylight saving time between two yearly dates, for ever."""

    standard: int
    daylight: int
    begins: _Date
    ends: _Date

    def changes(self, first_year: int, last_year: int) -> list[tuple[int, int]]:
        """(instant, offset from it on) of the years given, ascending."""
        found: list[tuple[int, int]] = []
        for year in range(first_year, last_year + 1):
            found.append((self.begins.wall(year) - self.standard, self.daylight))
            found.append((self.ends.wall(year) - self.daylight, self.standard))
        # A year-long daylight saving time ends where it begins again: the sort keeps that order for equal instants
        # only when the end of the earlier year stands first, which it does.
        found.sort(key=lambda change: change[0])
        return found


def parse(data: bytes) -> Changes:
    """Read a TZif file of version 2 or later; raises TzifError."""
    try:
        return _parse(data)
    except TzifError:
        raise
    except (struct.error, IndexError, OverflowError, ValueError) as error:
        raise TzifError(f"zone file is cut short or damaged ({error})") from error


def fixed(offset: int) -> Changes:
    """A zone that never changes its offset (seconds east of UTC)."""
    return Changes([], [offset], None)


def _parse(data: bytes) -> Changes:
    version, counts = _header(data, 0)
    if version < b"2":
        raise TzifError("zone file has no 64-bit data")
    utc_count, standard_count, leap_count, time_count, type_count, char_count = counts
    second = _HEADER.size + time_count * 5 + type_count * 6 + char_count + leap_count * 8 + standard_count + utc_count
    _, (utc_count, standard_count, leap_count, time_count, type_count, char_count) = _header(data, second)
    if type_count == 0:
        raise TzifError("zone file has no local time type")
    at = second + _HEADER.size
    times = list(struct.unpack_from(f">{time_count}q", data, at))
    at += time_count * 8
    kinds = struct.unpack_from(f">{time_count}B", data, at)
    at += time_count
    types = [offset for offset, _, _ in struct.iter_unpack(">iBB", data[at : at + type_count * 6])]
    at += type_count * 6 + char_count + leap_count * 12 + standard_count + utc_count
    footer = data[at:].decode("ascii")
    if footer[:1] != "\n" or footer[-1:] != "\n":
        raise TzifError("zone file has no footer")
    if any(later <= earlier for earlier, later in pairwise(times)):
        raise TzifError("zone file's changes are not in order")
    offsets = [types[0], *(types[kind] for kind in kinds)]
    if any(not -MOST_WEST < offset < MOST_EAST for offset in offsets):
        raise TzifError("zone file has an offset no zone can have")
    rule = _footer(footer[1:-1])
    return Changes(times, offsets, rule)


def _header(data: bytes, at: int) -> tuple[bytes, tuple[int, ...]]:
    magic, version, *counts = _HEADER.unpack_from(data, at)
    if magic != b"TZif":
        raise TzifError("not a zone file")
    return version, tuple(counts)


def _footer(text: str) -> _Rule | None:
    """The rule of a footer; None when the last change holds for ever."""
    if not text:
        return None
    match = _FOOTER.fullmatch(text)
    if match is None:
        raise TzifError(f"zone file's footer `{text}` is not understood")
    west, daylight_west, begins, ends = match.groups()
    if begins is None:
        return None
    standard = -_seconds(west)
    daylight = standard + 3600 if daylight_west is None else -_seconds(daylight_west)
    return _Rule(standard, daylight, _date(begins), _date(ends))


def _date(text: str) -> _Date:
    day, _, time = text.partition("/")
    seconds = _seconds(time) if time else 2 * 3600
    if day.startswith("M"):
        month, week, weekday = (int(number) for number in day[1:].split("."))
        if not (1 <= month <= 12 and 1 <= week <= 5 and weekday <= 6):
            raise TzifError(f"zone file's footer has a date `{text}` that never comes")
        return _Date("M", (month, week, weekday), seconds)
    if day.startswith("J"):
        return _Date("J", (int(day[1:]),), seconds)
    return _Date("D", (int(day),), seconds)


def _seconds(text: str) -> int:
    sign = -1 if text.startswith("-") else 1
    parts = [int(part) for part in text.lstrip("+-").split(":")]
    return sign * sum(part * unit for part, unit in zip(parts, (3600, 60, 1), strict=False))


def _year_of(instant: int) -> int:
    return date.fromordinal(instant // DAY + _EPOCH_ORDINAL).year
