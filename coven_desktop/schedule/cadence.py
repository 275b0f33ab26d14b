"""Cadences: hourly to yearly from an anchor, every so many minutes, once, or by cron (design/schedules.md, cadence).

Which slots there are, and between which bounds; what becomes of those that were missed is the engine's.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple, get_args

from coven_desktop.schedule import anchors, cron
from coven_desktop.schedule.anchors import Anchor
from coven_desktop.schedule.cadence_rules import MonthRule, StepRule
from coven_desktop.schedule.errors import ScheduleError
from coven_desktop.schedule.slots import FIRST_SECOND, LAST_SECOND, Schedule
from coven_desktop.schedule.tzif import DAY
from coven_desktop.schedule.wall_schedule import WallSchedule
from coven_desktop.schedule.zones import Zone, zone

__all__ = ["Cadence", "CadenceSchedule", "EverySchedule", "parse", "schedule"]

Mode = Literal["hourly", "daily", "weekly", "monthly", "yearly", "every_n_minutes", "cron", "once"]
MODES: tuple[Mode, ...] = get_args(Mode)
MOST_MINUTES = 525_600
MOST_RUNS = 1_000_000_000
GRACE = 60_000
"""So late an anchor of `once` may be when it is saved and count as now (milliseconds)."""

_HOUR = 3_600
_MINUTE = 60_000


class Cadence(NamedTuple):
    """A parsed cadence. Instants are UTC milliseconds; `anchor` is None only for mode cron.

    `wall` is what the anchor shows, in seconds since 1970-01-01T00:00:00 local.
    """

    mode: Mode
    zone: Zone
    anchor: int | None
    wall: int
    minutes: int
    expression: str
    until: int | None
    max_runs: int | None


def parse(
    mode: str,
    timezone: str,
    *,
    anchor: str | None = None,
    minutes: int | None = None,
    expression: str | None = None,
    until: str | None = None,
    max_runs: int | None = None,
) -> Cadence:
    """Read the members of a cadence's document; ScheduleError names the one that is refused, ZoneError the zone."""
    if mode not in MODES:
        raise ScheduleError("mode", f"mode must be one of {', '.join(MODES)}, got `{mode[:100]}`", _like(mode))
    where = zone(timezone)
    if anchor is None and mode != "cron":
        raise ScheduleError("anchor", f"anchor is required for mode {mode}: write a wall time as 2026-01-31T09:00:00")
    start = Anchor(FIRST_SECOND, 0) if anchor is None else anchors.read(anchor, where, "anchor")
    _only(mode, "every_n_minutes", "minutes", minutes)
    _only(mode, "cron", "expression", expression)
    if minutes is not None and not 1 <= minutes <= MOST_MINUTES:
        raise ScheduleError("minutes", f"minutes must be 1 to {MOST_MINUTES}, got {minutes}")
    if expression is not None:
        try:
            cron.parse(expression, seconds=True)
        except cron.CronError as error:
            raise ScheduleError("expression", error.message, error.suggestion) from None
    if max_runs is not None and not 1 <= max_runs <= MOST_RUNS:
        raise ScheduleError("maxRuns", f"maxRuns must be 1 to {MOST_RUNS}, got {max_runs}: leave it out for no end")
    last = None if until is None else anchors.read(until, where, "until").second
    if last is not None and last < start.second:
        raise ScheduleError("until", f"until `{until}` is before the anchor: write a time at or after it", anchor)
    return Cadence(
        mode,
        where,
        None if anchor is None else start.second * 1000,
        start.wall,
        minutes or 0,
        expression or "",
        None if last is None else last * 1000,
        max_runs,
    )


def schedule(cadence: Cadence) -> CadenceSchedule:
    """The schedule of a parsed cadence."""
    return CadenceSchedule(cadence)


class EverySchedule:
    """An instant and whole steps from it in elapsed time, whatever clocks show; UTC milliseconds. A `Schedule`."""

    def __init__(self, zone: Zone, anchor: int, step: int) -> None:
        self.zone = zone
        self._anchor = anchor
        self._step = step

    def next_after(self, instant: int) -> int | None:
        """The first slot strictly after the instant."""
        return next(self.between(instant, LAST_SECOND * 1000), None)

    def previous(self, instant: int) -> int | None:
        """The last slot strictly before the instant."""
        last = min(instant - 1, LAST_SECOND * 1000)
        found = last - (last - self._anchor) % self._step
        return found if found >= FIRST_SECOND * 1000 else None

    def between(self, after: int, until: int) -> Iterator[int]:
        """The slots with after < slot <= until, ascending."""
        yield from self._range(after, until)

    def count(self, after: int, until: int) -> int:
        """How many slots there are with after < slot <= until."""
        return len(self._range(after, until))

    def _range(self, after: int, until: int) -> range:
        first = max(after + 1, FIRST_SECOND * 1000)
        return range(first + (self._anchor - first) % self._step, min(until, LAST_SECOND * 1000) + 1, self._step)


class CadenceSchedule:
    """The slots of a cadence, from its anchor until its last instant, both within; UTC milliseconds. A `Schedule`.

    `maxRuns` counts what is dispatched, which is not known here.
    """

    def __init__(self, cadence: Cadence) -> None:
        self.cadence = cadence
        self.zone = cadence.zone
        self.unbounded = _unbounded(cadence)
        self.begin = FIRST_SECOND * 1000 if cadence.anchor is None else cadence.anchor
        self.end = LAST_SECOND * 1000 if cadence.until is None else cadence.until
        if cadence.mode == "once":
            self.end = self.begin

    def next_after(self, instant: int) -> int | None:
        """The first slot strictly after the instant; None when nothing follows."""
        found = self.unbounded.next_after(max(instant, self.begin - 1))
        return found if found is not None and found <= self.end else None

    def previous(self, instant: int) -> int | None:
        """The last slot strictly before the instant; None when nothing precedes it."""
        found = self.unbounded.previous(min(instant, self.end + 1))
        return found if found is not None and found >= self.begin else None

    def between(self, after: int, until: int) -> Iterator[int]:
        """The slots with after < slot <= until, ascending."""
        return self.unbounded.between(max(after, self.begin - 1), min(until, self.end))

    def count(self, after: int, until: int) -> int:
        """How many slots there are with after < slot <= until."""
        after, until = max(after, self.begin - 1), min(until, self.end)
        return self.unbounded.count(after, until) if after < until else 0

    def counts_from(self, saved: int) -> int:
        """The instant strictly after which slots count for a cadence saved then: nothing before was ever missed.

        The first slot is the first at or after the later of anchor and saving; `once` up to a minute ago is now.
        """
        if self.cadence.mode == "once" and saved - GRACE <= self.begin <= saved:
            return self.begin - 1
        return max(self.begin, saved) - 1

    def require_slots(self, saved: int) -> None:
        """ScheduleError when a cadence saved then would never run."""
        if self.next_after(self.counts_from(saved)) is not None:
            return
        if self.cadence.mode == "once":
            raise ScheduleError("anchor", "anchor is in the past: write a time that is still to come")
        raise ScheduleError(
            "until", "until is over before the next time: write a later one, or leave it out for no end"
        )


def _unbounded(cadence: Cadence) -> Schedule:
    if cadence.mode == "cron":
        return cron.schedule(cadence.expression, cadence.zone.name, seconds=True)
    if cadence.mode in ("once", "every_n_minutes"):
        assert cadence.anchor is not None
        return EverySchedule(cadence.zone, cadence.anchor, (cadence.minutes or 1) * _MINUTE)
    if cadence.mode == "hourly":
        # each real instant that shows the anchor's minute and second: nothing is made up for, nothing held back
        return WallSchedule(StepRule(cadence.wall, _HOUR), cadence.zone, both_passes=True, at_jump=False)
    if cadence.mode in ("monthly", "yearly"):
        months = MonthRule(cadence.wall, 1 if cadence.mode == "monthly" else 12)
        return WallSchedule(months, cadence.zone, both_passes=False, at_jump=True)
    steps = StepRule(cadence.wall, DAY if cadence.mode == "daily" else 7 * DAY)
    return WallSchedule(steps, cadence.zone, both_passes=False, at_jump=True)


def _only(mode: str, owner: str, field: str, value: object) -> None:
    """Refuse a member that its mode needs and lacks, or that belongs to another mode."""
    if value is None and mode == owner:
        raise ScheduleError(field, f"{field} is required for mode {owner}")
    if value is not None and mode != owner:
        raise ScheduleError(field, f"{field} belongs to mode {owner}: leave it out for mode {mode}")


def _like(mode: str) -> str | None:
    """The mode that was probably meant."""
    plain = mode.strip().casefold().replace("-", "_").replace(" ", "_")
    meant: dict[str, Mode] = {
        "hour": "hourly", "day": "daily", "week": "weekly", "month": "monthly", "year": "yearly", "annually": "yearly",
        "minutes": "every_n_minutes", "every_minutes": "every_n_minutes", "interval": "every_n_minutes",
    }  # fmt: skip
    return plain if plain in MODES else meant.get(plain)
