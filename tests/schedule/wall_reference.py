"""A slow second opinion on cron and hourly to yearly cadences, sharing nothing with the product but the zone files.

It goes through time minute by minute and looks at what clocks show, as the rules of design/schedules.md are told: a
minute that is shown runs when it matches, a minute that was shown before runs again only where both passes run, and at
an instant where clocks go forward one run stands for all that they skip. Instants are UTC milliseconds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import NamedTuple

from tests.schedule.reference import EPOCH, zone_info

MINUTE = timedelta(minutes=1)
# No clock goes back by more.
MEMORY = timedelta(hours=25)


class Minute(NamedTuple):
    """An instant, the wall time it shows, whether for the first time, and the wall times skipped right before it."""

    instant: int
    wall: datetime
    new: bool
    skipped: tuple[datetime, ...]


@lru_cache(maxsize=4)
def minutes(zone: str, after: int, until: int) -> list[Minute]:
    """The minutes with after < minute <= until, in zones and years whose offsets are whole minutes."""
    info = zone_info(zone)
    at = EPOCH + timedelta(milliseconds=after - after % 60_000) - MEMORY
    highest = at.astimezone(info).replace(tzinfo=None, fold=0) - MINUTE
    instant = (at - EPOCH) // timedelta(milliseconds=1)
    found: list[Minute] = []
    while instant <= until:
        wall = at.astimezone(info).replace(tzinfo=None, fold=0)
        new = wall > highest
        skipped = []
        while new and highest + MINUTE < wall:
            highest += MINUTE
            skipped.append(highest)
        highest = max(highest, wall)
        if instant > after:
            found.append(Minute(instant, wall, new, tuple(skipped)))
        at += MINUTE
        instant += 60_000
    return found


def slots(
    matches: Callable[[datetime], bool], zone: str, after: int, until: int, *, both_passes: bool, at_jump: bool
) -> Iterator[int]:
    """The slots with after < slot <= until; `matches` is asked about wall times."""
    for minute in minutes(zone, after, until):
        if ((minute.new or both_passes) and matches(minute.wall)) or (at_jump and any(map(matches, minute.skipped))):
            yield minute.instant


def changes(zone: str, since: datetime, until: datetime) -> list[datetime]:
    """The minutes, UTC, at which the offset of a zone differs from that of the minute before; since and until naive."""
    info = zone_info(zone)
    found: list[datetime] = []

    def search(begin: datetime, end: datetime) -> None:
        # halves what lies between two instants of different offset
        while end - begin > MINUTE:
            middle = begin + (end - begin) // 2
            middle -= timedelta(seconds=middle.second, microseconds=middle.microsecond)
            if middle.astimezone(info).utcoffset() == begin.astimezone(info).utcoffset():
                begin = middle
            else:
                end = middle
        found.append(end)

    at, end = since.replace(tzinfo=UTC), until.replace(tzinfo=UTC)
    while at < end:
        following = at + timedelta(days=7)
        if at.astimezone(info).utcoffset() != following.astimezone(info).utcoffset():
            search(at, following)
        at = following
    return found
