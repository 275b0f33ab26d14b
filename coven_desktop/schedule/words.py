"""Schedules in words, for people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from coven_desktop.schedule.cadence import CadenceSchedule
from coven_desktop.schedule.cron import CronSchedule
from coven_desktop.schedule.local_text import DAY_NAMES
from coven_desktop.schedule.rrule import RruleSchedule
from coven_desktop.schedule.rrule_grammar import WEEKDAYS, Rule
from coven_desktop.schedule.slots import Schedule

# A run of hours this long is told by its ends.
_LONG_RUN = 4
NO_RUN = "A time that clocks skip does not run; one that comes twice runs the first time."


class Explained(NamedTuple):
    """A schedule in words, "Every day at 09:00 (Europe/Paris)", and sentences about what is less plain in it."""

    words: str
    sentences: tuple[str, ...]


def explained(schedule: Schedule) -> Explained:
    """The words for a schedule of any family. Sentences about changes of clocks are left out in UTC, which has none."""
    where = _where(schedule.zone.name)
    if isinstance(schedule, CronSchedule):
        plain, more, bounds = _cron(schedule)
    elif isinstance(schedule, CadenceSchedule):
        from coven_desktop.schedule import cadence_words

        bounds = cadence_words.bounds(schedule.cadence)
        if isinstance(schedule.unbounded, CronSchedule):
            plain, more, _ = _cron(schedule.unbounded)
        else:
            plain, more = cadence_words.words(schedule.cadence), cadence_words.sentences(schedule.cadence)
    else:
        assert isinstance(schedule, RruleSchedule)
        return Explained(words(schedule.rule, schedule.zone.name), (NO_RUN,) if where != "UTC" else ())
    kept = tuple(sentence for sentence in more if where != "UTC" or "clocks" not in sentence)
    return Explained(f"{plain} ({where})", (*kept, *bounds))


def words(rule: Rule, zone_name: str) -> str:
    """A contract rule in words: "Every day at 09:00 and 17:00 (Europe/Paris)"."""
    return f"{_days(rule)} {_hours(rule.by_hour)} ({_where(zone_name)})"


def _cron(schedule: CronSchedule) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    # imported here: the descriptor takes longer to load than covenctl to start
    from coven_desktop.schedule import cron_words

    return cron_words.words(schedule.cron), cron_words.sentences(schedule.cron), ()


def _where(zone_name: str) -> str:
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
