"""A contract rule in words, for people. Schedules of all families: `explaining.py`, which takes longer to load."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from coven_desktop.schedule.local_text import DAY_NAMES
from coven_desktop.schedule.rrule_grammar import WEEKDAYS, Rule

# Takes an English sentence, or a name in it, to the person's language (`packaging/translations.py` collects them).
Say = Callable[[str], str]

# A run of hours this long is told by its ends.
_LONG_RUN = 4


def in_english(text: str) -> str:
    """The sentences as they are written here."""
    return text


def words(rule: Rule, zone_name: str, say: Say = in_english) -> str:
    """A contract rule in words: "Every day at 09:00 and 17:00 (Europe/Paris)"."""
    return say("{days} {hours} ({zone})").format(
        days=_days(rule, say), hours=_hours(rule.by_hour, say), zone=where(zone_name)
    )


def where(zone_name: str) -> str:
    """A zone as people write it."""
    return "UTC" if zone_name in ("utc", "UTC") else zone_name


def _days(rule: Rule, say: Say) -> str:
    days = [index for index, day in enumerate(WEEKDAYS) if day in rule.by_day]
    names = [say(DAY_NAMES[day]) for day in days]
    if rule.frequency == "DAILY" or len(days) == 7:
        return say("Every day")
    if len(days) > 2 and days[-1] - days[0] == len(days) - 1:
        return say("Every {first} to {last}").format(first=names[0], last=names[-1])
    return say("Every {days}").format(days=_list(names, say))


def _hours(hours: Sequence[int], say: Say) -> str:
    if len(hours) == 24:
        return say("at every full hour")
    if len(hours) >= _LONG_RUN and hours[-1] - hours[0] == len(hours) - 1:
        return say("at every full hour from {first} to {last}").format(
            first=f"{hours[0]:02}:00", last=f"{hours[-1]:02}:00"
        )
    return say("at {times}").format(times=_list([f"{hour:02}:00" for hour in hours], say))


def _list(items: Sequence[str], say: Say) -> str:
    if len(items) == 1:
        return items[0]
    return say("{those} and {last}").format(those=", ".join(items[:-1]), last=items[-1])
