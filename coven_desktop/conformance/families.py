"""The suites of our own families: what cron says, and what cadences and cron fire at."""

from __future__ import annotations

from typing import Any

from coven_desktop.conformance.inputs import CannotCompute, Inputs
from coven_desktop.contract import timestamps
from coven_desktop.schedule import cron, preview
from coven_desktop.schedule.cadence import CadenceSchedule
from coven_desktop.schedule.errors import ScheduleError
from coven_desktop.schedule.families import Family, read


def vocabulary(case: Inputs) -> dict[str, Any]:
    """Whether an expression is accepted, and what it says; `seconds` true for that of a cadence."""
    try:
        found = cron.parse(case.text("expression"), seconds="seconds" in case and case.truth("seconds"))
    except cron.CronError as error:
        return {"outcome": "rejected", "reason": error.message, "suggestion": error.suggestion}
    return {
        "outcome": "accepted",
        "seconds": list(found.seconds),
        "minutes": list(found.minutes),
        "hours": list(found.hours),
        "daysOfMonth": list(found.days),
        "months": list(found.months),
        "daysOfWeek": list(found.weekdays),
        "dayRule": "either" if found.either_day else "both",
        "passes": "both" if found.star_hour else "first",
    }


def firings(case: Inputs) -> dict[str, Any]:
    """The first `count` firings of a `schedule` after `from`, the last before `before`, or those of one saved then.

    Cadences are saved at `savedAt`, and `runsCounted` of their runs are over; both may be left out.
    """
    try:
        found = read(case.members("schedule"))
        return _firings(case, found)
    except ScheduleError as error:
        return {"outcome": "rejected", "field": error.field, "reason": error.message, "suggestion": error.suggestion}


def _firings(case: Inputs, found: Family) -> dict[str, Any]:
    schedule, count = found.schedule, case.number("count")
    over = case.number("runsCounted") if "runsCounted" in case else 0
    left = None if found.max_runs is None else max(found.max_runs - over, 0)
    if "before" in case:
        shown = preview.preview_before(schedule, case.instant("before"), count)
    else:
        shown = preview.preview(schedule, _after(case, found), count, left)
    instants = [firing.at for firing in shown.firings]
    return {
        "outcome": "scheduled" if instants else "none",
        "firings": [timestamps.to_text(at) for at in instants],
        "local": [firing.local_text for firing in shown.firings],
        "notes": [firing.note for firing in shown.firings],
        "changes": [note.kind for note in shown.notes],
        "matchesNextAfter": _walked(found, instants) == instants,
    }


def _after(case: Inputs, found: Family) -> int:
    if "from" in case:
        return case.instant("from")
    if not isinstance(found.schedule, CadenceSchedule):
        raise CannotCompute("`savedAt` is for cadences; this schedule needs `from` or `before`")
    saved = case.instant("savedAt")
    found.schedule.require_slots(saved)
    return found.schedule.counts_from(saved)


def _walked(found: Family, instants: list[int]) -> list[int]:
    """The same firings, one by one as a pass asks for them."""
    walked: list[int] = []
    at = instants[0] - 1 if instants else 0
    for _ in instants:
        following = found.schedule.next_after(at)
        if following is None:
            break
        walked.append(following)
        at = following
    return walked
