"""Schedules of all families in words, for people."""

from __future__ import annotations

from typing import NamedTuple

from coven_desktop.schedule import cadence_words
from coven_desktop.schedule.cadence import CadenceSchedule
from coven_desktop.schedule.cron import CronSchedule
from coven_desktop.schedule.rrule import RruleSchedule
from coven_desktop.schedule.slots import Schedule
from coven_desktop.schedule.words import Say, in_english, where, words


class Explained(NamedTuple):
    """A schedule in words, "Every day at 09:00 (Europe/Paris)", and sentences about what is less plain in it.

    The last of them are `bounds`: from when, until when, how often.
    """

    words: str
    sentences: tuple[str, ...]
    bounds: tuple[str, ...] = ()


def explained(schedule: Schedule, say: Say = in_english) -> Explained:
    """The words for a schedule of any family. Sentences about changes of clocks are left out in UTC, which has none.

    All in the language of `say`, but the words of cron.
    """
    zone_name = where(schedule.zone.name)
    bounds: tuple[str, ...] = ()
    days: tuple[str, ...] = ()
    unbounded = schedule
    if isinstance(schedule, CadenceSchedule):
        bounds, unbounded = cadence_words.bounds(schedule.cadence, say), schedule.unbounded
    if isinstance(unbounded, CronSchedule):
        # imported here: the descriptor takes longer to load than covenctl to start
        from coven_desktop.schedule import cron_words

        plain, days = cron_words.words(unbounded.cron), cron_words.day_rule(unbounded.cron, say)
        clocks = cron_words.sentences(unbounded.cron, say)
    elif isinstance(schedule, CadenceSchedule):
        plain, clocks = cadence_words.words(schedule.cadence, say), cadence_words.sentences(schedule.cadence, say)
    else:
        assert isinstance(schedule, RruleSchedule)
        clocks = (say("A time that clocks skip does not run; one that comes twice runs the first time."),)
        return Explained(words(schedule.rule, schedule.zone.name, say), clocks if zone_name != "UTC" else ())
    kept = clocks if zone_name != "UTC" else ()
    return Explained(f"{plain} ({zone_name})", (*days, *kept, *bounds), bounds)
