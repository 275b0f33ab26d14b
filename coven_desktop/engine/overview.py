"""The timeline, and what a routine's page shows beside its row: asked on the reader thread.

Instants are UTC milliseconds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from coven_desktop.contract import timestamps
from coven_desktop.contract.definition import DefinitionError
from coven_desktop.contract.routine import AnyRoutine, from_stored
from coven_desktop.engine import planning
from coven_desktop.schedule.slots import Schedule
from coven_desktop.store import definitions, overview
from coven_desktop.store.definitions import DefinitionRow
from coven_desktop.store.transactions import Reader

HOUR_MS = 3_600_000
PAST_MS = 7 * 24 * HOUR_MS
AHEAD_MS = 24 * HOUR_MS
# Hours that are read again each time, and how often all of them are.
CHANGING_MS = 3 * HOUR_MS
WHOLE_EVERY_MS = 10 * 60_000
# Firings that are counted together lie in one of these.
HALF_MS = HOUR_MS // 2
# More routines than this are not told; more firings of one than this are counted by half hours.
MOST_ROUTINES = 300
MOST_FIRINGS = 100
LAST_RUNS = 40
NEXT_FIRINGS = 5


@dataclass(frozen=True)
class Firing:
    """When a routine will fire: `amount` times in the half hour `at` lies in, at first at `at`."""

    at: int
    automation_id: str
    name: str
    amount: int = 1


@dataclass(frozen=True)
class Hour:
    """What was due in the hour that begins at `start`: how many in each state, and the number of the newest of each."""

    start: int
    amounts: Mapping[str, int]
    numbers: Mapping[str, int]


@dataclass(frozen=True)
class Timeline:
    """The hours of the last 7 days in which something was due, and the firings of the next 24 hours, in order.

    `whole_at`: when all of these hours were read the last time. `cut`: more routines are due than are told.
    """

    now: int
    whole_at: int
    past: tuple[Hour, ...]
    ahead: tuple[Firing, ...]
    cut: bool


@dataclass(frozen=True)
class LastRun:
    """One run of a routine; `took` in milliseconds, None while it goes on."""

    run_id: str
    occurrence_id: str | None
    status: str
    started_at: int
    took: int | None
    exit_code: int | None


@dataclass(frozen=True)
class RoutinePage:
    """What is to come of a routine and what has been. `runs` are newest first."""

    automation_id: str
    firings: tuple[int, ...]
    runs: tuple[LastRun, ...] = field(repr=False)


def timeline(reader: Reader, now: int, known: Timeline | None = None) -> Timeline:
    """What was due in the last 7 days and what will fire in the next 24 hours.

    With what is `known` only the last hours are read again, and all of them every ten minutes: what was due earlier
    seldom changes, and a week may have a hundred thousand occurrences.
    """
    oldest = (now - PAST_MS) // HOUR_MS * HOUR_MS
    begin = oldest
    kept: tuple[Hour, ...] = ()
    if known is not None and 0 <= now - known.whole_at < WHOLE_EVERY_MS:
        begin = max(oldest, (known.now - CHANGING_MS) // HOUR_MS * HOUR_MS)
        kept = tuple(hour for hour in known.past if oldest <= hour.start < begin)
    with reader.snapshot():
        found: dict[str, tuple[dict[str, int], dict[str, int]]] = {}
        for hour, state, amount, number in overview.hours(reader, timestamps.to_text(begin), timestamps.to_text(now)):
            amounts, numbers = found.setdefault(hour, ({}, {}))
            amounts[state], numbers[state] = amount, number
        ids = overview.upcoming(reader, timestamps.to_text_capped(now + AHEAD_MS), MOST_ROUTINES + 1)
        rows = [row for row in (definitions.get(reader, one) for one in ids[:MOST_ROUTINES]) if row is not None]
        rooms = [_room(reader, row) for row in rows]
    past = kept + tuple(Hour(timestamps.parse(f"{hour}:00:00Z"), *counted) for hour, counted in found.items())
    ahead = sorted(
        (
            Firing(at, row.id, row.name, amount)
            for row, room in zip(rows, rooms, strict=True)
            for at, amount in _limited(_firings(row, now), room)
        ),
        key=lambda firing: firing.at,
    )
    whole_at = now if known is None or begin == oldest else known.whole_at
    return Timeline(now, whole_at, past, tuple(ahead), len(ids) > MOST_ROUTINES)


def routine_page(reader: Reader, automation_id: str, now: int) -> RoutinePage | None:
    """The next firings and the last runs of a routine, deleted ones too; None when there is none with that id."""
    with reader.snapshot():
        row = definitions.get(reader, automation_id)
        if row is None:
            return None
        found = overview.last_runs(reader, automation_id, LAST_RUNS)
        room = _room(reader, row)
    most = NEXT_FIRINGS if room is None else min(room, NEXT_FIRINGS)
    firings: list[int] = []
    schedule = _schedule(row.body) if row.next_due_at is not None else None
    following = None if row.next_due_at is None else timestamps.parse(row.next_due_at)
    while schedule is not None and following is not None and len(firings) < most:
        firings.append(following)
        following = schedule.next_after(following)
    return RoutinePage(automation_id, tuple(firings), tuple(_last_run(run) for run in found))


def _last_run(record: overview.RunRecord) -> LastRun:
    started = timestamps.parse(record.started_at)
    finished = None if record.finished_at is None else timestamps.parse(record.finished_at)
    return LastRun(
        run_id=record.run_id,
        occurrence_id=record.occurrence_id,
        status=record.status,
        started_at=started,
        took=None if finished is None else max(0, finished - started),
        exit_code=record.exit_code,
    )


def _firings(row: DefinitionRow, now: int) -> Iterator[tuple[int, int]]:
    """The firings of a routine in the next 24 hours, the one that is due and not yet planned included: when, how many.

    Where there are many, the amount is that of a half hour, so that an every-minute routine is counted quickly.
    """
    schedule = _schedule(row.body)
    if schedule is None or row.next_due_at is None:
        return
    first, until = max(timestamps.parse(row.next_due_at), now), now + AHEAD_MS
    if first > until:
        return
    if schedule.count(first, until) < MOST_FIRINGS:
        yield first, 1
        for at in schedule.between(first, until):
            yield at, 1
        return
    edge = first // HALF_MS * HALF_MS + HALF_MS
    yield first, 1 + schedule.count(first, min(edge - 1, until))
    while edge <= until:
        amount = schedule.count(edge - 1, min(edge + HALF_MS - 1, until))
        following = schedule.next_after(edge - 1) if amount else None
        if following is not None:
            yield following, amount
        edge += HALF_MS


def _limited(firings: Iterable[tuple[int, int]], room: int | None) -> Iterator[tuple[int, int]]:
    """As many of the firings as there is room for."""
    for at, amount in firings:
        if room is not None:
            amount = min(amount, room)
            room -= amount
        if not amount:
            return
        yield at, amount


def _room(reader: Reader, row: DefinitionRow) -> int | None:
    """How many more firings of a routine there can be; None when nothing limits them."""
    read = _read(row.body)
    return None if read is None else planning.room(reader, read[0])


def _schedule(body: str) -> Schedule | None:
    read = _read(body)
    return None if read is None else read[1]


@lru_cache(maxsize=512)
def _read(body: str) -> tuple[AnyRoutine, Schedule] | None:
    """A stored routine and its schedule; None when it cannot be understood any more, as its row says."""
    try:
        routine = from_stored(body)
        return routine, planning.schedule_of(routine)
    except (planning.Broken, DefinitionError):
        return None
