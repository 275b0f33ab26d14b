"""What a family of schedules offers to the engine, the preview and the form."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, Protocol

from coven_desktop.schedule.tzif import DAY
from coven_desktop.schedule.zones import Zone

# 0001-01-01 and 9999-12-31 as days since the epoch: series begin and end with them, as nothing else has a text.
FIRST_DAY = -719_162
LAST_DAY = 2_932_896
FIRST_SECOND = FIRST_DAY * DAY
LAST_SECOND = (LAST_DAY + 1) * DAY - 1

SEARCH_YEARS = 41
"""How far a search looks for a wall time (design/schedules.md, cron): a weekday on 29 February may be 40 years away."""


class Slot(NamedTuple):
    """A wall time of a rule, in seconds since 1970-01-01T00:00:00 local, and its instants in UTC seconds, ascending.

    No instant: clocks skip the wall time. Two: it comes twice.
    """

    wall: int
    instants: tuple[int, ...]


class Schedule(Protocol):
    """One rule in one zone. All instants are UTC milliseconds; series lie within the years 1 to 9999."""

    @property
    def zone(self) -> Zone:
        """The zone whose clocks the rule goes by."""

    def next_after(self, instant: int) -> int | None:
        """The first slot strictly after the instant; None when there is none."""

    def previous(self, instant: int) -> int | None:
        """The last slot strictly before the instant; None when there is none."""

    def between(self, after: int, until: int) -> Iterator[int]:
        """The slots with after < slot <= until, ascending."""

    def count(self, after: int, until: int) -> int:
        """How many slots there are with after < slot <= until."""


class WallRule(Protocol):
    """The wall times a rule has, whatever the zone: seconds since 1970-01-01T00:00:00 local, years 1 to 9999."""

    def first(self, wall: int) -> int | None:
        """The first wall time at or after another, within `SEARCH_YEARS`; None when there is none."""

    def last(self, wall: int) -> int | None:
        """The last wall time before another, within `SEARCH_YEARS`; None when there is none."""

    def walls(self, begin: int, end: int) -> Iterator[int]:
        """The wall times with begin <= wall < end, ascending."""

    def count(self, begin: int, end: int) -> int:
        """How many wall times there are with begin <= wall < end."""

    def clamped(self, wall: int) -> bool:
        """Whether a wall time of the rule is earlier in its month than the rule says, as the month is too short."""
