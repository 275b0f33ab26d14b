"""A contract rule in words, for people. Schedules of all families: `explaining.py`, which takes longer to load."""

from __future__ import annotations

from collections.abc import Sequence

from coven_desktop.schedule.local_text import DAY_NAMES
from coven_desktop.schedule.rrule_grammar import WEEKDAYS, Rule

# A run of hours this long is told by its ends.
_LONG_RUN = 4


def words(rule: Rule, zone_name: str) -> str:
    """A contract rule in words: "Every day at 09:00 and 17:00 (Europe/Paris)"."""
    return f"{_days(rule)} {_hours(rule.by_hour)} ({where(zone_name)})"


def where(zone_name: str) -> str:
    """A zone as people write it."""
    return "UTC" if zone_name in ("utc", "UTC") else zone_name


def _days(rule: Rule) -> str:
    days = [index for index, day in enumerate(WEEKDAYS) if day in rule.by_day]
    if rule.frequency == "DAILY" or len(days) == 7:
        return "Every day"
    if len(days) > 2 and days[-1] - days[0] == len(days) - 1:
        return f"Every {DAY_NAMES[days[0]]} to {DAY_NAMES[days[-1]]}"
    return "Every " + _list([DAY_NAMES[day] for day in days])


def _hours(hours: Sequence[int]) -> str:
    if len(hours) == 24:
        return "at every full hour"
    if len(hours) >= _LONG_RUN and hours[-1] - hours[0] == len(hours) - 1:
        return f"at every full hour from {hours[0]:02}:00 to {hours[-1]:02}:00"
    return "at " + _list([f"{hour:02}:00" for hour in hours])


def _list(items: Sequence[str]) -> str:
    return items[0] if len(items) == 1 else ", ".join(items[:-1]) + " and " + items[-1]
