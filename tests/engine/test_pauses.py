"""A tick every minute and a tick after any pause handle the same slots, around the odd clock changes of many zones.

A slot is handled when it has a row, or when the row of a later slot says that it was collapsed into that one
(decisions.md 7). So of each routine the pausing engine must record a part of the slots that the other one records, the
newest among them, and must count exactly those between two of its own. Nothing is started: what becomes of a slot is
not the subject. In the short suite the minutes are ticks, which plan, with a whole pass every hour; in the long one all
of them are passes.
"""

from __future__ import annotations

import functools
import random
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coven_desktop import home as homes
from coven_desktop.contract import timestamps
from coven_desktop.engine.commands import execution
from coven_desktop.home import Home
from coven_desktop.loop.manual import ManualClock
from coven_desktop.schedule import zones
from coven_desktop.schedule.rrule import LOOK_BACK
from coven_desktop.schedule.rrule_grammar import WEEKDAYS
from coven_desktop.store import backup
from tests.engine.conftest import HOUR, MINUTE, SECOND, Bench
from tests.engine.happenings import empty_database

BEFORE, AFTER = 6 * HOUR, 13 * HOUR
RULES = 9


class Moment(NamedTuple):
    """Clock changes that lie within a day: the first and the last of them, and whose they are."""

    first: str
    last: str
    zones: tuple[str, ...]


MOMENTS = [
    Moment("2024-10-27T01:00:00Z", "2024-10-27T01:00:00Z",
           ("Antarctica/Troll", "America/Scoresbysund", "America/Nuuk", "Europe/Dublin", "Atlantic/Azores")),
    Moment("2024-03-31T01:00:00Z", "2024-03-31T01:00:00Z", ("Antarctica/Troll", "America/Nuuk", "Europe/Dublin")),
    Moment("2023-03-26T01:00:00Z", "2023-03-26T01:00:00Z", ("America/Nuuk", "America/Scoresbysund")),
    Moment("2024-04-06T14:00:00Z", "2024-04-07T03:00:00Z",
           ("Australia/Lord_Howe", "Pacific/Chatham", "America/Santiago")),
    Moment("2024-10-05T15:30:00Z", "2024-10-06T04:00:00Z", ("Australia/Lord_Howe", "America/Asuncion")),
    Moment("2024-03-10T02:00:00Z", "2024-03-10T05:00:00Z", ("Africa/Casablanca", "America/Havana")),
    Moment("2011-12-30T10:00:00Z", "2011-12-30T11:00:00Z", ("Pacific/Apia", "Pacific/Fakaofo")),
    Moment("2023-04-27T22:00:00Z", "2023-04-29T00:00:00Z", ("Africa/Cairo", "Asia/Gaza")),
    Moment("2018-11-04T03:00:00Z", "2018-11-04T03:00:00Z", ("America/Sao_Paulo",)),
    Moment("2010-11-07T02:31:00Z", "2010-11-07T02:31:00Z", ("America/St_Johns",)),
    Moment("2016-05-01T07:00:00Z", "2016-05-01T07:00:00Z", ("America/Caracas",)),
    Moment("2018-05-04T15:00:00Z", "2018-05-04T15:00:00Z", ("Asia/Pyongyang",)),
    Moment("2020-10-03T16:01:00Z", "2020-10-03T16:01:00Z", ("Antarctica/Casey",)),
    Moment("2022-03-21T20:30:00Z", "2022-03-21T20:30:00Z", ("Asia/Tehran",)),
    Moment("1994-12-31T10:00:00Z", "1994-12-31T10:00:00Z", ("Pacific/Kiritimati",)),
    Moment("1993-08-21T12:00:00Z", "1993-08-21T12:00:00Z", ("Pacific/Kwajalein",)),
    Moment("1985-12-31T18:30:00Z", "1985-12-31T18:30:00Z", ("Asia/Kathmandu",)),
    Moment("1972-01-07T00:44:30Z", "1972-01-07T00:44:30Z", ("Africa/Monrovia",)),
]  # fmt: skip

# of each routine, every slot that has a row and how many were collapsed into it
Handled = dict[str, list[tuple[str, int]]]


class World(NamedTuple):
    """A home with routines as it was before the changes, and what a tick every minute made of it."""

    database: bytes
    begin: int
    end: int
    handled: Handled


@contextmanager
def life(database: bytes, begin: int) -> Iterator[Bench]:
    """An engine that starts on this database at an instant."""
    shared_memory = Path("/dev/shm")
    with (
        tempfile.TemporaryDirectory(dir=shared_memory if shared_memory.is_dir() else None) as folder,
        pytest.MonkeyPatch.context() as patch,
    ):
        # the care for the file is not the subject
        patch.setattr(backup, "is_due", lambda *arguments: False)
        home = Home(Path(folder) / "home")
        homes.prepare(home)
        home.database.write_bytes(database)
        home.database.chmod(0o600)
        bench = Bench(home, ManualClock(begin))
        bench.kill()
        start(bench)
        yield bench
        bench.kill()


def start(bench: Bench) -> None:
    bench.open_again_without_care()
    # it plans on, and starts nothing
    bench.rows("INSERT OR REPLACE INTO maintenance VALUES ('storage', 'degraded', '')")
    bench.start()


def handled(bench: Bench) -> Handled:
    assert bench.last_pass()["status"] == "succeeded"
    assert bench.world.launched == []
    found: Handled = {}
    for automation_id, slot, collapsed in bench.rows(
        "SELECT o.automation_id, o.scheduled_for, ifnull(sum(json_extract(e.body, '$.payload.collapsedSlots')), 0)"
        " FROM occurrences o LEFT JOIN events e ON e.stream_id = o.id AND e.kind = 'occurrence.misfire_recorded'"
        " GROUP BY o.id ORDER BY o.automation_id, o.scheduled_for"
    ):
        found.setdefault(automation_id, []).append((slot, collapsed))
    return found


def rules_of(moment: Moment, seed: int) -> Iterator[tuple[str, str]]:
    """Zones and rules: every hour, some hours, some hours of some weekdays."""
    dice = random.Random(f"{moment} {seed}")
    for number in range(max(RULES, 2 * len(moment.zones))):
        zone = moment.zones[number % len(moment.zones)]
        hours = sorted(dice.sample(range(24), dice.randint(1, 8)))
        by_hour = "BYHOUR=" + ",".join(map(str, range(24) if number < len(moment.zones) else hours))
        days = ",".join(dice.sample(WEEKDAYS, dice.randint(1, 6)))
        yield zone, f"FREQ=WEEKLY;BYDAY={days};{by_hour}" if number % 3 == 2 else f"FREQ=DAILY;{by_hour}"


@functools.lru_cache(maxsize=4)
def minute_by_minute(moment: Moment, seed: int, whole_passes: bool) -> World:
    """What an engine that never pauses handles."""
    # the ticks are at no even second
    begin = timestamps.parse(moment.first) - BEFORE + seed * 7_013
    minutes = (timestamps.parse(moment.last) + AFTER - begin) // MINUTE
    with life(empty_database(), begin) as bench:
        for number, (zone, rule) in enumerate(rules_of(moment, seed)):
            bench.create(f"r{number:02}", timezone=zone, rrule=rule)
        bench.kill()
        database = bench.home.database.read_bytes()
        start(bench)
        for minute in range(1, minutes + 1):
            bench.clock.advance(MINUTE)
            if whole_passes or minute in (minutes, *range(0, minutes, 60)):
                bench.turn()
            else:
                execution.tick(bench.engine, {})
        return World(database, begin, begin + minutes * MINUTE, handled(bench))


def pause(bench: Bench, how: str, milliseconds: int) -> None:
    """Let the engine miss some time; then it runs one pass."""
    if how == "asleep":
        bench.sleep(milliseconds)
        bench.engine.resumed()
    elif how == "not running":
        bench.kill()
        bench.clock.advance(milliseconds)
        start(bench)
    elif how == "clock set back first":
        # and set right again later
        bench.clock.jump(-3 * HOUR)
        bench.engine.wake()
        bench.turn()
        bench.clock.jump(3 * HOUR + milliseconds)
        bench.engine.wake()
    else:
        bench.clock.advance(milliseconds)
        bench.engine.wake()
    bench.turn()


PAUSES = st.lists(
    st.tuples(
        st.sampled_from(["held up", "asleep", "not running", "clock set back first"]),
        st.sampled_from([1, SECOND, MINUTE, 30 * MINUTE, HOUR, 24 * HOUR]) | st.integers(1, 10 * HOUR),
    ),
    min_size=1,
    max_size=12,
)


@pytest.mark.timeout(600)
@pytest.mark.parametrize("moment", MOMENTS, ids=lambda moment: f"{moment.first[:10]} {','.join(moment.zones)}")
@settings(max_examples=max(3, settings.default.max_examples // 100) if settings.default else 3)
@given(data=st.data(), pauses=PAUSES)
def test_the_same_slots_are_handled_after_any_pauses(
    moment: Moment, long_suite: bool, data: st.DataObject, pauses: list[tuple[str, int]]
) -> None:
    seed = data.draw(st.integers(0, 3 if long_suite else 0))
    world = minute_by_minute(moment, seed, long_suite)
    with life(world.database, world.begin) as bench:
        for how, milliseconds in pauses:
            pause(bench, how, min(milliseconds, world.end - bench.clock.wall()))
        pause(bench, pauses[-1][0], world.end - bench.clock.wall())
        found = handled(bench)
    assert set(found) == set(world.handled)
    for automation_id, slots in world.handled.items():
        every = [slot for slot, collapsed in slots if not collapsed]
        assert len(every) == len(slots)
        taken = [every.index(slot) for slot, _ in found[automation_id]]
        assert taken[-1] == len(every) - 1
        between = [this - before - 1 for before, this in zip([-1, *taken], taken, strict=False)]
        assert found[automation_id] == [(every[index], missed) for index, missed in zip(taken, between, strict=True)]


def test_each_moment_is_one_of_change_and_no_longer_than_a_pass_looks_back() -> None:
    assert len({zone for moment in MOMENTS for zone in moment.zones}) > 20
    for moment in MOMENTS:
        first, last = timestamps.parse(moment.first), timestamps.parse(moment.last)
        assert last + AFTER - (first - BEFORE) < LOOK_BACK
        for name in moment.zones:
            zone = zones.zone(name)
            assert zone.stretch(first // 1000 - 1) != zone.stretch(last // 1000)
