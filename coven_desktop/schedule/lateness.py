"""What a pass that comes late makes of the slots it finds: which are planned, and which only have a record.

Decided from the schedule alone, in UTC milliseconds (design/schedules.md, cadence and cron); writing it down, and
whether a run of the routine is in the way, is the engine's. No slot is gone through that is neither planned nor told.
"""

from __future__ import annotations

from itertools import islice
from typing import NamedTuple

from coven_desktop.schedule.families import CatchUp
from coven_desktop.schedule.slots import Schedule

MISSED_AFTER = 65_000
"""A slot of a cadence that is older than this when found was missed: the time between two passes and five seconds."""
MOST_PLANNED = 64
"""So many slots of a cadence are planned in one pass; the rest is left due."""
MOST_RECORDS = 100
"""So many missed slots of cron have a record each; one more stands for those before them."""


class Span(NamedTuple):
    """Slots that one record stands for: how many, the first and the last."""

    number: int
    first: int
    last: int


class Decision(NamedTuple):
    """What becomes of the slots that are due.

    `planned` and `missed`, both ascending, are those that are to run and those that have a record each; `rest` has one
    record for all of it. Slots count strictly after `handled` from now on; those between it and the pass are left due.
    """

    planned: tuple[int, ...]
    missed: tuple[int, ...]
    rest: Span | None
    handled: int


def of_cron(schedule: Schedule, after: int, now: int) -> Decision:
    """Slots of cron with after < slot <= now: the newest runs, those before it were missed, however long ago."""
    newest = schedule.previous(now + 1)
    if newest is None or newest <= after:
        return Decision((), (), None, max(after, now))
    missed: list[int] = []
    oldest = newest
    while len(missed) < MOST_RECORDS:
        before = schedule.previous(oldest)
        if before is None or before <= after:
            return Decision((newest,), tuple(reversed(missed)), None, now)
        missed.append(before)
        oldest = before
    return Decision((newest,), tuple(reversed(missed)), _span(schedule, after, oldest - 1), now)


def of_cadence(schedule: Schedule, policy: CatchUp, after: int, now: int, room: int | None = None) -> Decision:
    """Slots of a cadence with after < slot <= now, those that were missed by its policy.

    `room`: how many may still be planned until maxRuns is reached, None for any number. What does not fit is left due.
    """
    most = MOST_PLANNED if room is None else min(room, MOST_PLANNED)
    on_time_from = max(after, now - MISSED_AFTER - 1)
    rest: Span | None = None
    if policy == "run-all":
        due = list(islice(schedule.between(after, now), most + 1))
    else:
        due = list(islice(schedule.between(on_time_from, now), most + 1))
        rest = _span(schedule, after, on_time_from)
        if rest is not None and policy == "run-once":
            due.insert(0, rest.last)
            before = schedule.previous(rest.last)
            rest = None if rest.number == 1 or before is None else Span(rest.number - 1, rest.first, before)
    if len(due) <= most:
        return Decision(tuple(due), (), rest, max(after, now))
    planned = tuple(due[:most])
    # what is left due is left from the first that does not fit; what the policy passed over is not asked about again
    handled = planned[-1] if planned else due[0] - 1
    return Decision(planned, (), rest, handled)


def _span(schedule: Schedule, after: int, until: int) -> Span | None:
    """The slots with after < slot <= until; None when there is none."""
    number = schedule.count(after, until) if after < until else 0
    if number == 0:
        return None
    first, last = schedule.next_after(after), schedule.previous(until + 1)
    assert first is not None
    assert last is not None
    return Span(number, first, last)
