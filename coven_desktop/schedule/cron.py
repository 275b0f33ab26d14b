"""Cron: which instants an expression has (design/schedules.md, cron).

The fields are matched by wall time alone; `wall_schedule.py` knows what happens where clocks change.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from datetime import date
from functools import lru_cache

from coven_desktop.schedule.cron_grammar import Cron, CronError, read
from coven_desktop.schedule.slots import FIRST_DAY, FIRST_SECOND, LAST_DAY, LAST_SECOND, SEARCH_YEARS
from coven_desktop.schedule.tzif import DAY
from coven_desktop.schedule.wall_schedule import WallSchedule
from coven_desktop.schedule.zones import zone

__all__ = ["CronError", "CronRule", "CronSchedule", "parse", "schedule"]

_HOUR = 3_600
_EPOCH_ORDINAL = date(1970, 1, 1).toordinal()
_LAST_YEAR = 9_999
_COMMON = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_LEAP = (31, 29, *_COMMON[2:])


@lru_cache(maxsize=1_024)
def parse(text: str, *, seconds: bool = False) -> Cron:
    """Parse an expression of five fields, with `seconds` of five or six; CronError says what to write instead."""
    try:
        return read(text, seconds=seconds)
    except CronError as error:
        # imported here: only what is refused needs it, and covenctl's start-up time counts
        from coven_desktop.schedule import cron_repair

        raise CronError(error.message, cron_repair.suggest(text, seconds=seconds)) from None


@lru_cache(maxsize=1_024)
def schedule(text: str, zone_name: str, *, seconds: bool = False) -> CronSchedule:
    """The schedule of an expression in a zone; CronError or ZoneError when one of them is refused."""
    return CronSchedule(parse(text, seconds=seconds), zone_name)


class CronSchedule(WallSchedule):
    """An expression in a zone.

    What clocks skip runs once at the jump, whatever the hour field; what they show twice runs in both passes when the
    hour field starts with `*`, else in the first.
    """

    def __init__(self, cron: Cron, zone_name: str) -> None:
        super().__init__(CronRule(cron), zone(zone_name), both_passes=cron.star_hour, at_jump=True)
        self.cron = cron


class CronRule:
    """The wall times of an expression; a `WallRule`."""

    def __init__(self, cron: Cron) -> None:
        self.cron = cron
        self._hours = tuple(hour * _HOUR for hour in cron.hours)
        self._in_hour = tuple(minute * 60 + second for minute in cron.minutes for second in cron.seconds)
        self._first_time = self._hours[0] + self._in_hour[0]
        self._last_time = self._hours[-1] + self._in_hour[-1]
        self._per_day = len(self._hours) * len(self._in_hour)
        # by the kind of a year: whether it is a leap year, and the weekday of its first day; as they are asked for
        self._years: dict[tuple[bool, int], tuple[int, ...]] = {}

    def first(self, wall: int) -> int | None:
        """The first wall time at or after another; None when there is none within 41 years."""
        day, time = divmod(max(wall, FIRST_SECOND), DAY)
        if time > self._last_time:
            day, time = day + 1, 0
        found = self._day_from(day)
        if found is None:
            return None
        if found > day or time <= self._first_time:
            return found * DAY + self._first_time
        hour = bisect_left(self._hours, time - time % _HOUR)
        if self._hours[hour] == time - time % _HOUR:
            within = bisect_left(self._in_hour, time % _HOUR)
            if within < len(self._in_hour):
                return found * DAY + self._hours[hour] + self._in_hour[within]
            hour += 1
        return found * DAY + self._hours[hour] + self._in_hour[0]

    def last(self, wall: int) -> int | None:
        """The last wall time before another; None when there is none within 41 years."""
        day, time = divmod(min(wall, LAST_SECOND + 1), DAY)
        if time <= self._first_time:
            day, time = day - 1, DAY
        found = self._day_to(day)
        if found is None:
            return None
        if found < day or time > self._last_time:
            return found * DAY + self._last_time
        hour = bisect_left(self._hours, time - time % _HOUR)
        if hour < len(self._hours) and self._hours[hour] == time - time % _HOUR:
            within = bisect_left(self._in_hour, time % _HOUR)
            if within > 0:
                return found * DAY + self._hours[hour] + self._in_hour[within - 1]
        return found * DAY + self._hours[hour - 1] + self._in_hour[-1]

    def walls(self, begin: int, end: int) -> Iterator[int]:
        """The wall times with begin <= wall < end, ascending."""
        hours, in_hour = self._hours, self._in_hour
        for day in self._days_between(begin, end):
            for hour in hours:
                base = day * DAY + hour
                if base < begin or base + _HOUR > end:
                    for time in in_hour[bisect_left(in_hour, begin - base) : bisect_left(in_hour, end - base)]:
                        yield base + time
                else:
                    for time in in_hour:
                        yield base + time

    def count(self, begin: int, end: int) -> int:
        """How many wall times there are with begin <= wall < end."""
        found = 0
        for day in self._days_between(begin, end):
            if begin <= day * DAY and (day + 1) * DAY <= end:
                found += self._per_day
            else:
                found += sum(1 for _ in self.walls(max(begin, day * DAY), min(end, (day + 1) * DAY)))
        return found

    def clamped(self, wall: int) -> bool:
        """Never: a day that a month does not have does not come in it."""
        return False

    def _days_between(self, begin: int, end: int) -> Iterator[int]:
        """The days on which the expression has wall times and some of which lies within; since the epoch, ascending."""
        first, last = max(begin // DAY, FIRST_DAY), min((end - 1) // DAY, LAST_DAY)
        if first > last:
            return
        for year in range(_year_of(first), _LAST_YEAR + 1):
            before, days = self._year(year)
            if before >= last:
                return
            if before < first or before + 366 > last:
                days = days[bisect_left(days, first - before) : bisect_left(days, last - before + 1)]
            for day in days:
                yield before + day

    def _day_from(self, day: int) -> int | None:
        """The first day at or after one on which the expression has wall times."""
        if day > LAST_DAY:
            return None
        start = _year_of(day)
        for year in range(start, min(start + SEARCH_YEARS, _LAST_YEAR) + 1):
            before, days = self._year(year)
            place = bisect_left(days, day - before)
            if place < len(days):
                return before + days[place]
        return None

    def _day_to(self, day: int) -> int | None:
        """The last day at or before one on which the expression has wall times."""
        if day < FIRST_DAY:
            return None
        start = _year_of(day)
        for year in range(start, max(start - SEARCH_YEARS, 1) - 1, -1):
            before, days = self._year(year)
            place = bisect_left(days, day - before + 1)
            if place > 0:
                return before + days[place - 1]
        return None

    def _year(self, year: int) -> tuple[int, tuple[int, ...]]:
        """The day before a year, since the epoch, and the days of the year that match, 1 to 366."""
        before = (year - 1) * 365 + (year - 1) // 4 - (year - 1) // 100 + (year - 1) // 400
        leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
        # counted from 1 January of year 1, a Monday, a day's number modulo seven is its weekday
        kind = (leap, (before + 1) % 7)
        days = self._years.get(kind)
        if days is None:
            days = self._years[kind] = tuple(self._days_of_a_year(*kind))
        return before - _EPOCH_ORDINAL, days

    def _days_of_a_year(self, leap: bool, weekday: int) -> Iterator[int]:
        """The days that match in a year whose first day is this weekday (0 Sunday)."""
        cron, before = self.cron, 0
        for month, length in enumerate(_LEAP if leap else _COMMON, start=1):
            if month in cron.months:
                first = (weekday + before) % 7
                for day in _days_of_a_month(length, first, cron.days, cron.weekdays, cron.either_day):
                    yield before + day
            before += length


@lru_cache(maxsize=4_096)
def _days_of_a_month(
    length: int, weekday: int, days: tuple[int, ...], weekdays: tuple[int, ...], either: bool
) -> tuple[int, ...]:
    """The days that match in a month of this length whose first day is this weekday: the day rule of cron."""
    test = any if either else all
    return tuple(
        day for day in range(1, length + 1) if test((day in days, (weekday + day - 1) % 7 in weekdays))
    )  # fmt: skip


def _year_of(day: int) -> int:
    return date.fromordinal(day + _EPOCH_ORDINAL).year
