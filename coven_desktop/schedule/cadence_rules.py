"""The wall times of hourly to yearly cadences, all computed from the anchor (design/schedules.md, cadence)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import lru_cache

from coven_desktop.schedule.slots import FIRST_SECOND, LAST_SECOND

_EPOCH = datetime.fromordinal(719_163)  # 1970-01-01T00:00:00, naive as all wall times
_SECOND = timedelta(seconds=1)
_LAST_MONTH = 9_999 * 12 + 11


class StepRule:
    """The anchor's wall time and whole steps of so many seconds from it, in both directions; a `WallRule`."""

    def __init__(self, anchor: int, step: int) -> None:
        self._anchor = anchor
        self._step = step

    def first(self, wall: int) -> int | None:
        """The first wall time at or after another; None after the year 9999."""
        wall = max(wall, FIRST_SECOND)
        found = wall + (self._anchor - wall) % self._step
        return found if found <= LAST_SECOND else None

    def last(self, wall: int) -> int | None:
        """The last wall time before another; None before the year 1."""
        wall = min(wall - 1, LAST_SECOND)
        found = wall - (wall - self._anchor) % self._step
        return found if found >= FIRST_SECOND else None

    def walls(self, begin: int, end: int) -> Iterator[int]:
        """The wall times with begin <= wall < end, ascending."""
        first = self.first(begin)
        if first is not None:
            yield from range(first, min(end, LAST_SECOND + 1), self._step)

    def count(self, begin: int, end: int) -> int:
        """How many wall times there are with begin <= wall < end."""
        first = self.first(begin)
        return 0 if first is None else len(range(first, min(end, LAST_SECOND + 1), self._step))

    def clamped(self, wall: int) -> bool:
        """Never."""
        return False


class MonthRule:
    """The anchor and so many months from it, again and again, on the month's last day where it is too short.

    Always counted from the anchor: 31 January, 28 February, 31 March. A `WallRule`.
    """

    def __init__(self, anchor: int, months: int) -> None:
        self._anchor = _EPOCH + timedelta(seconds=anchor)
        self._months = months
        first = self._anchor.year * 12 + self._anchor.month - 1
        # how often the months can be gone back and forth within the years 1 to 9999
        self._least, self._most = -((first - 12) // months), (_LAST_MONTH - first) // months

        # around a slot each wall time is asked for several times, and relativedelta is slow
        self._wall = lru_cache(maxsize=64)(self._wall_of)

    def first(self, wall: int) -> int | None:
        """The first wall time at or after another; None after the year 9999."""
        index = self._index_from(wall)
        return self._wall(index) if index <= self._most else None

    def last(self, wall: int) -> int | None:
        """The last wall time before another; None before the year 1."""
        index = self._index_from(wall) - 1
        return self._wall(index) if index >= self._least else None

    def walls(self, begin: int, end: int) -> Iterator[int]:
        """The wall times with begin <= wall < end, ascending."""
        for index in range(self._index_from(begin), self._most + 1):
            wall = self._wall(index)
            if wall >= end:
                return
            yield wall

    def count(self, begin: int, end: int) -> int:
        """How many wall times there are with begin <= wall < end."""
        return max(self._index_from(end) - self._index_from(begin), 0)

    def clamped(self, wall: int) -> bool:
        """Whether the wall time is on the last day of a month that is too short for the anchor's day."""
        return (_EPOCH + timedelta(seconds=wall)).day < self._anchor.day

    def _index_from(self, wall: int) -> int:
        """How often the months are gone for the first wall time at or after another."""
        if wall <= FIRST_SECOND:
            return self._least
        if wall > LAST_SECOND:
            return self._most + 1
        near = _EPOCH + timedelta(seconds=wall)
        index = ((near.year - self._anchor.year) * 12 + near.month - self._anchor.month) // self._months
        return index if self._wall(index) >= wall else index + 1

    def _wall_of(self, index: int) -> int:
        # imported here: only these cadences need it, and covenctl's start-up time counts
        from dateutil.relativedelta import relativedelta

        return (self._anchor + relativedelta(months=index * self._months) - _EPOCH) // _SECOND
