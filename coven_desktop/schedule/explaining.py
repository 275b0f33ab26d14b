"""Schedules of all families in words, for people."""

from __future__ import annotations

from typing import NamedTuple

from coven_desktop.schedule import cadence_words
from coven_desktop.schedule.cadence import CadenceSchedule
from coven_desktop.schedule.cron import CronSchedule
from coven_desktop.schedule.rrule import RruleSchedule
from coven_desktop.schedule.slots import Schedule
from coven_desktop.schedule.words import Say, in_english, where, words

NO_RUN = "A time that clocks skip does not run; one that comes twice runs the first time."


class Explained(NamedTuple):
    """A schedule in words, "Every day at 09:00 (Europe/Paris)", and sentences about what is less plain in it."""

    words: str
    sentences: tuple[str, ...]


def explained(schedule: Schedule, say: Say = in_english) -> Explained:
    """The words for a schedule of any family. Sentences about changes of clocks are left out in UTC, which has none.

    In the language of `say` are the words, but not those of cron, and not the sentences.
    """
    zone_name = where(schedule.zone.name)
    if isinstance(schedule, CronSchedule):
        plain, more = _cron(schedule)
        bounds: tuple[str, ...] = ()
    elif isinstance(schedule, CadenceSchedule):
        bounds = cadence_words.bounds(schedule.cadence)
        if isinstance(schedule.unbounded, CronSchedule):
            plain, more = _cron(schedule.unbounded)
        else:
            plain, more = cadence_words.words(schedule.cadence, say), cadence_words.sentences(schedule.cadence)
    else:
        assert isinstance(schedule, RruleSchedule)
        return Explained(words(schedule.rule, schedule.zone.name, say), (NO_RUN,) if zone_name != "UTC" else ())
    kept = tuple(sentence for sentence in more if zone_name != "UTC" or "clocks" not in sentence)
    return Explained(f"{plain} ({zone_name})", (*kept, *bounds))


def _cron(schedule: CronSchedule) -> tuple[str, tuple[str, ...]]:
    # imported here: the descriptor takes longer to load than covenctl to start
    from coven_desktop.schedule import cron_words

    return cron_words.words(schedule.cron), cron_words.sentences(schedule.cron)
