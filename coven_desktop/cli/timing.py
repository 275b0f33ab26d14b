"""When a routine runs, in words, and when it is next: what `covenctl list` and `show` tell of its schedule."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from coven_desktop.cli import instants, knowing
from coven_desktop.cli.table import Cell
from coven_desktop.contract import timestamps

NONE = Cell("–", "dim")


class Told:
    """What `coven.desktop.state.v1` tells, by routine, and when those of our own form are next, as the app says."""

    def __init__(self, state: Mapping[str, Any], due: Mapping[str, str | None]) -> None:
        self.due = due
        self.quarantines = {one["automationId"]: one for one in state["quarantined"]}
        self.works = {work["automationId"]: work for work in state["runs"]}
        self.ahead = {one["automationId"]: timestamps.parse(one["until"]) for one in state.get("clockAhead", ())}
        self.broken = {one["automationId"]: str(one["reason"]) for one in state.get("broken", ())}
        self.failing = {one["automationId"]: int(one["failures"]) for one in state.get("pausedByFailures", ())}
        self.slots = {one["automationId"]: one["scheduledFor"] for one in state.get("waitingForPlace", ())}
        self.places = int(state.get("places", 0))


def timing(routine: Mapping[str, Any], told: Told, now: int) -> tuple[str, Cell]:
    """The schedule in words, and when it is next; or why there is no date, in the app's own words where it has some."""
    from coven_desktop.schedule import rrule, zones
    from coven_desktop.schedule.words import words as rule_in_words

    broken = told.broken.get(routine["id"])
    if knowing.is_own(routine):
        return _own_timing(routine, told, now)
    try:
        rule = rrule.parse(routine["rrule"])
        said = rule_in_words(rule, routine["timezone"])
    except rrule.RruleError as error:
        return str(routine["rrule"]), Cell(f"broken: {broken or error}", "red")
    if broken is not None:
        return said, Cell(f"broken: {broken}", "red")
    if routine["status"] != "ACTIVE":
        return said, NONE
    until = told.ahead.get(routine["id"])
    try:
        zone = zones.zone(routine["timezone"])
        at = rrule.RruleSchedule(rule, zone).next_after(now if until is None else max(now, until))
    except zones.ZoneError as error:
        return said, Cell(f"broken: {error}", "red")
    if at is None:
        return said, NONE
    if until is not None and until > now:
        ahead = f"{instants.local(at, now)}: the clock was ahead until {instants.local(until, now)}"
        return said, Cell(ahead, "yellow")
    # The schedule beside it is told in the routine's zone: 09:00 there may be 14:00 here.
    here = "" if zone.stretch(at // 1000).offset == time.localtime(at // 1000).tm_gmtoff else " here"
    return said, Cell(f"{instants.local(at, now)}{here} ({instants.relative(at, now)})")


def _own_timing(routine: Mapping[str, Any], told: Told, now: int) -> tuple[str, Cell]:
    """As `timing`, of a cadence or cron routine: the app says when it is next, for it knows how often it has run."""
    from coven_desktop.schedule import families
    from coven_desktop.schedule.errors import ScheduleError
    from coven_desktop.schedule.explaining import explained

    broken, due = told.broken.get(routine["id"]), told.due.get(routine["id"])
    try:
        family = families.read(routine["schedule"])
    except ScheduleError as error:
        return "–", Cell(f"broken: {broken or error.message}", "red")
    said = explained(family.schedule).words
    if family.max_runs is not None:
        said += f", {family.max_runs} {'run' if family.max_runs == 1 else 'runs'} in all"
    if broken is not None:
        return said, Cell(f"broken: {broken}", "red")
    if routine["status"] != "ACTIVE" or due is None:
        return said, NONE
    at, until = timestamps.parse(due), told.ahead.get(routine["id"])
    if until is not None and until > now:
        return said, Cell(
            f"{instants.local(at, now)}: the clock was ahead until {instants.local(until, now)}", "yellow"
        )
    if at <= now:
        return said, Cell(f"due since {instants.local(at, now)}", "cyan")
    zone = family.schedule.zone
    here = "" if zone.stretch(at // 1000).offset == time.localtime(at // 1000).tm_gmtoff else " here"
    return said, Cell(f"{instants.local(at, now)}{here} ({instants.relative(at, now)})")
