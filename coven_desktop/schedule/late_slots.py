"""What a pass makes of the slots of a cadence or cron routine that came due, found late or in time.

Decisions alone, of a schedule and instants: which slots are to run, and which are recorded as not run, and how
(design/schedules.md, cadence and cron). All instants are UTC milliseconds; `after` is exclusive, `now` inclusive.
"""

from __future__ import annotations

from itertools import islice
from typing import NamedTuple

from coven_desktop.schedule.families import CatchUp
from coven_desktop.schedule.slots import Schedule

LATE = 65_000
"""A slot found later than one pass interval plus 5 s was missed."""
MOST_RECORDS = 100
"""So many missed cron slots have a record each; one record stands for those before them."""
MOST_PLANNED = 64
"""So many slots of one routine are planned by a pass, and stand planned at a time; the rest are left due."""


class Span(NamedTuple):
    """Slots that one record stands for: how many, the first and the last."""

    slots: int
    first: int
    last: int


class CronDue(NamedTuple):
    """What came due of a cron routine: `newest` is to run; `missed`, ascending, and `before` them were missed."""

    newest: int
    missed: tuple[int, ...]
    before: Span | None


class CadenceDue(NamedTuple):
    """What came due of a cadence: `run`, ascending, is to run; `skipped` is recorded as skipped by its policy.

    `made_up`: the first of `run` is a make-up run that stands for so many missed slots before it too. `more`: slots
    are left due, for a later pass.
    """

    run: tuple[int, ...]
    skipped: Span | None
    made_up: int
    more: bool


def of_cron(schedule: Schedule, after: int, now: int) -> CronDue | None:
    """The newest slot runs and each one before it was missed, however long ago; None when nothing is due.

    A year of minutes costs a count and a hundred steps.
    """
    due = schedule.count(after, now)
    if not due:
        return None
    newest = _previous(schedule, now + 1)
    missed: list[int] = []
    at = newest
    for _ in range(min(due - 1, MOST_RECORDS)):
        at = _previous(schedule, at)
        missed.append(at)
    rest = due - 1 - len(missed)
    before = None
    if rest:
        first = schedule.next_after(after)
        assert first is not None
        before = Span(rest, first, _previous(schedule, at))
    return CronDue(newest, tuple(reversed(missed)), before)


def of_cadence(schedule: Schedule, after: int, now: int, catch_up: CatchUp, room: int) -> CadenceDue | None:
    """Slots in time run one after another; of those that were missed the policy says which; None when nothing is due.

    `room` is how many more may be planned.
    """
    missed_until = max(after, now - LATE - 1)
    missed = schedule.count(after, missed_until)
    if not missed and not schedule.count(missed_until, now):
        return None
    if catch_up == "run-all":
        run = tuple(islice(schedule.between(after, now), room))
        return CadenceDue(run, None, 0, schedule.count(run[-1] if run else after, now) > 0)
    newest = _previous(schedule, missed_until + 1) if missed else None
    if catch_up == "run-once" and newest is not None:
        if room < 1:
            return CadenceDue((), None, 0, True)
        in_time = tuple(islice(schedule.between(missed_until, now), room - 1))
        run = (newest, *in_time)
        return CadenceDue(run, None, missed - 1, schedule.count(run[-1] if in_time else missed_until, now) > 0)
    skipped = None
    if newest is not None:
        first = schedule.next_after(after)
        assert first is not None
        skipped = Span(missed, first, newest)
    run = tuple(islice(schedule.between(missed_until, now), room))
    return CadenceDue(run, skipped, 0, schedule.count(run[-1] if run else missed_until, now) > 0)


def in_the_way(schedule: Schedule, after: int, now: int) -> tuple[Span | None, tuple[int, ...]]:
    """What came due of a cadence while a run of it was not over: what was missed, and the slots in time, ascending."""
    missed_until = max(after, now - LATE - 1)
    missed = schedule.count(after, missed_until)
    span = None
    if missed:
        first = schedule.next_after(after)
        assert first is not None
        span = Span(missed, first, _previous(schedule, missed_until + 1))
    return span, tuple(schedule.between(missed_until, now))


def _previous(schedule: Schedule, instant: int) -> int:
    found = schedule.previous(instant)
    assert found is not None
    return found
