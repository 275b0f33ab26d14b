"""Rules of the Coven contract: which instants they have (contract/engine.md §2.3–2.5, design/schedules.md, rrule).

A slot is HH:00:00 on a date in the zone. A wall time that clocks skip has no slot; one that comes twice has its
slot at the earlier instant. Hours are independent of each other.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from functools import lru_cache

from coven_desktop.schedule.rrule_grammar import WEEKDAYS, RruleError, Rule, read
from coven_desktop.schedule.slots import FIRST_DAY, FIRST_SECOND, LAST_DAY, LAST_SECOND, Slot
from coven_desktop.schedule.tzif import DAY, MOST_EAST, MOST_WEST
from coven_desktop.schedule.zones import Zone, zone

__all__ = ["LOOK_BACK", "RruleError", "RruleSchedule", "Rule", "parse", "schedule"]

LOOK_BACK = 15 * DAY * 1000
"""How far back a pass looks for a slot that is due (milliseconds)."""

# Dates looked at for the next slot: a weekly slot can fall in a gap, which makes the way up to 14 days long.
_DATES = 15
# Within a stretch, wall times this far from both ends belong to no other stretch.
_APART = MOST_EAST + MOST_WEST


# a pass reads a routine's rule three times, and most people have few different rules
@lru_cache(maxsize=1_024)
def parse(text: str) -> Rule:
    """Parse a rule. RruleError carries the contract's reason and, where there is one, a rule to write instead."""
    try:
        return read(text)
    except RruleError as error:
        # imported here: only what is refused needs it, and covenctl's start-up time counts
        from coven_desktop.schedule import rrule_repair

        raise RruleError(error.message, rrule_repair.suggest(text)) from None


@lru_cache(maxsize=1_024)
def schedule(text: str, zone_name: str) -> RruleSchedule:
    """The schedule of a rule in a zone; RruleError or ZoneError when one of them is refused."""
    return RruleSchedule(parse(text), zone(zone_name))


class RruleSchedule:
    """The slots of one rule in one zone; instants are UTC milliseconds."""

    def __init__(self, rule: Rule, zone: Zone) -> None:
        self.rule = rule
        self.zone = zone
        chosen = [rule.frequency == "DAILY" or day in rule.by_day for day in WEEKDAYS]
        # From each weekday, how many days to the next one that has slots, and to the one at or after it.
        self._onward = tuple(next(n for n in range(1, 8) if chosen[(day + n) % 7]) for day in range(7))
        self._up_to = tuple(next(n for n in range(7) if chosen[(day + n) % 7]) for day in range(7))

    def next_after(self, instant: int) -> int | None:
        """The first slot strictly after the instant, within 15 local dates; None when there is none."""
        for slot in self.slots(instant, _DATES):
            if slot.instants and slot.instants[0] * 1000 > instant:
                return slot.instants[0] * 1000
        return None

    def between(self, after: int, until: int) -> Iterator[int]:
        """The slots with after < slot <= until, ascending."""
        for slot in self.slots(after):
            if slot.instants:
                at = slot.instants[0] * 1000
                if at > until:
                    return
                if at > after:
                    yield at

    def previous(self, instant: int) -> int | None:
        """The last slot strictly before the instant; None when there is none in the 17 days before it."""
        for days in (2, 17):
            found = list(self.between(instant - 1 - days * DAY * 1000, instant - 1))
            if found:
                return found[-1]
        return None

    def count(self, after: int, until: int) -> int:
        """How many slots there are with after < slot <= until; goes through them."""
        return sum(1 for _ in self.between(after, until))

    def latest_due(self, after: int, now: int) -> tuple[int | None, int]:
        """The newest slot with after < slot <= now, none older than 15 days, and how many such slots there are."""
        newest: int | None = None
        count = 0
        for slot in self.between(max(after, now - LOOK_BACK), now):
            newest = slot
            count += 1
        return newest, count

    def slots(self, instant: int, dates: int = LAST_DAY - FIRST_DAY + 1) -> Iterator[Slot]:
        """Wall times of the rule in order, from the instant's local date on, for so many dates.

        Those that clocks skip are there, without an instant; slots of the first date may lie before the instant, or be
        left out when they do.
        """
        second = min(max(instant // 1000, FIRST_SECOND), LAST_SECOND)
        offset = self.zone.stretch(second).offset
        day = max((second + offset) // DAY, FIRST_DAY)
        last_day = min(day + dates - 1, LAST_DAY)
        day += self._up_to[(day + 3) % 7]  # 1970-01-01 was a Thursday
        hours = [hour * 3600 for hour in self.rule.by_hour]
        plain_from = plain_until = 0
        while day <= last_day:
            midnight = day * DAY
            if not plain_from <= midnight < plain_until:
                start, end, offset = self.zone.stretch(midnight - offset)
                plain_from = max(start + offset + _APART, FIRST_SECOND + _APART)
                plain_until = min(end + offset - _APART, LAST_SECOND - _APART) - DAY
            if plain_from <= midnight < plain_until:
                # of the first date those that are over need not be looked at
                for hour in hours[bisect_left(hours, second + offset - midnight) :]:
                    yield Slot(midnight + hour, (midnight + hour - offset,))
            else:
                yield from self._slots_near_a_change(midnight)
            day += self._onward[(day + 3) % 7]

    def _slots_near_a_change(self, midnight: int) -> Iterator[Slot]:
        for hour in self.rule.by_hour:
            wall = midnight + hour * 3600
            instants = self.zone.seconds_of(wall)
            # A wall time of the first or last day may have its instant in a year that has no text: no slot at all.
            if all(FIRST_SECOND <= instant <= LAST_SECOND for instant in instants):
                yield Slot(wall, instants)
