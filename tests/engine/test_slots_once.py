"""Whenever passes come, and however many at once: each slot of cadences and cron routines is handled once, as shown."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from coven_desktop.contract import timestamps
from coven_desktop.engine import passes
from coven_desktop.engine.passes import Tally
from coven_desktop.home import Home
from coven_desktop.loop.manual import ManualClock
from coven_desktop.schedule import preview
from coven_desktop.schedule.families import read
from coven_desktop.schedule.slots import Schedule
from tests.engine.conftest import HOUR, MINUTE, SECOND, Bench
from tests.engine.crash_day import new_home
from tests.engine.families import cadence, create, cron

pytestmark = pytest.mark.usefixtures("no_daily_backup")

# each of these has a store of its own
STORES = settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
# shortly before clocks go forward and back, in Europe and on Lord Howe, and where nothing happens
BEGINNINGS = st.sampled_from(
    ["2026-03-28T22:00:13.000Z", "2026-10-24T22:00:13.000Z", "2026-04-04T11:00:13.000Z", "2026-09-01T09:00:13.000Z"]
).map(timestamps.parse)
ZONES = st.sampled_from(["utc", "Europe/Paris", "Australia/Lord_Howe", "Antarctica/Troll"])
CRON = st.builds(
    cron, st.sampled_from(["* * * * *", "*/7 * * * *", "0 * * * *", "30 2 * * *", "15,45 1-3 * * *"]), ZONES
)
CADENCE = st.builds(
    lambda shape, zone, policy, end: {**cadence(**shape, **end), "timezone": zone, "catchUp": policy},
    st.sampled_from(
        [
            {"mode": "every_n_minutes", "minutes": 13, "anchor": "2026-01-31T00:00:00Z"},
            {"mode": "hourly", "anchor": "2026-01-31T00:30:00"},
            {"mode": "daily", "anchor": "2026-01-31T02:30:00"},
            {"mode": "cron", "anchor": "2026-01-31T00:00:00", "expression": "30 */20 * * * *"},
        ]
    ),
    ZONES,
    st.sampled_from(["skip", "run-once", "run-all"]),
    st.sampled_from([{}, {}, {"until": "2026-10-25T06:00:00Z"}]),
)


@contextmanager
def bench_at(now: int) -> Iterator[Bench]:
    """A bench on a new home whose engine leads and runs no pass by itself."""
    shared_memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=shared_memory if shared_memory.is_dir() else None) as name:
        made = Bench(new_home(Home(Path(name) / "home")), ManualClock(now))
        made.engine.core.take_lead("test")
        try:
            yield made
        finally:
            made.kill()


def tick(bench: Bench) -> None:
    """The planning of one pass."""
    tally = Tally()
    for _ in bench.engine.passes.plan(tally, bench.clock.wall()):
        pass
    assert tally.failures == []


def handled(bench: Bench, automation_id: str, schedule: Schedule) -> list[int]:
    """The instants of the slots that have run or were told of as not run, in order, each as often as it was told."""
    found: list[int] = []
    for slot, first, last, told in bench.rows(
        "SELECT o.scheduled_for, m.first_slot, m.last_slot, e.body FROM occurrences o"
        " LEFT JOIN missed_spans m ON m.occurrence_id = o.id"
        " LEFT JOIN events e ON e.stream_id = o.id AND e.kind = 'occurrence.misfire_recorded'"
        f" WHERE o.automation_id = '{automation_id}' AND o.kind = 'scheduled'"
    ):
        if first is not None:
            found += schedule.between(timestamps.parse(first) - 1, timestamps.parse(last))
            continue
        at = timestamps.parse(slot)
        found.append(at)
        payload = {} if told is None else json.loads(told)["payload"]
        if payload.get("disposition") == "catch_up_skipped":
            for _ in range(payload["collapsedSlots"]):
                earlier = schedule.previous(at)
                assert earlier is not None
                at = earlier
                found.append(at)
    return sorted(found)


def shown(bench: Bench, automation_id: str, schedule: Schedule) -> list[int]:
    """What the preview showed when the routine was saved, as far as it has come by now."""
    saved = bench.value(f"SELECT counts_from FROM schedule_state WHERE automation_id = '{automation_id}'")
    firings = preview.preview(schedule, timestamps.parse(saved), preview.MOST_FIRINGS).firings
    return [firing.at for firing in firings if firing.at <= bench.clock.wall()]


@STORES
@given(CRON | CADENCE, BEGINNINGS, st.integers(1, 7 * 60) | st.integers(120, 7 * 60))
def test_one_tick_a_minute_handles_what_one_tick_after_a_pause_does_and_the_preview_showed(
    document: dict[str, Any], begin: int, minutes: int
) -> None:
    # broken by a record of a hundred that forgets the rest: the second list lacks what the first has
    schedule = read(document).schedule
    lists = []
    for ticks in (minutes, 1):
        with bench_at(begin) as bench:
            create(bench, document)
            for _ in range(ticks):
                bench.clock.advance(minutes * MINUTE // ticks)
                tick(bench)
            lists.append(handled(bench, "report", schedule))
            assert lists[-1] == shown(bench, "report", schedule)
    assert lists[0] == lists[1]


@STORES
@given(CRON, BEGINNINGS, st.lists(st.sampled_from([SECOND, MINUTE, 17 * MINUTE, 3 * HOUR, 5 * HOUR]), max_size=6))
def test_a_clock_that_is_set_back_handles_no_slot_again(document: dict[str, Any], begin: int, steps: list[int]) -> None:
    # broken by slots that count from the creation and records that are told whether they were written or not
    schedule = read(document).schedule
    with bench_at(begin) as bench:
        create(bench, document)
        latest = begin
        for number, step in enumerate(steps):
            bench.clock.advance(step)
            tick(bench)
            latest = max(latest, bench.clock.wall())
            bench.clock.jump(-step // (number % 2 + 1))
            tick(bench)
        bench.clock.jump(latest - bench.clock.wall())
        tick(bench)
        assert handled(bench, "report", schedule) == shown(bench, "report", schedule)


@STORES
@given(
    st.lists(CRON | CADENCE, min_size=2, max_size=4),
    BEGINNINGS,
    st.lists(st.sampled_from([MINUTE, HOUR, 5 * HOUR]), min_size=1, max_size=3),
    st.lists(st.booleans(), min_size=10, max_size=200),
)
def test_two_passes_at_once_handle_each_slot_once(
    monkeypatch: pytest.MonkeyPatch,
    documents: list[dict[str, Any]],
    begin: int,
    pauses: list[int],
    turns: list[bool],
) -> None:
    # broken as the one before: slots are told of twice
    with monkeypatch.context() as patch, bench_at(begin) as one:
        patch.setattr(passes, "SLICE", 1)
        for number, document in enumerate(documents):
            create(one, document, f"r{number}")
        other = Bench(one.home, one.clock)
        other.world = one.world
        other.runtime.world = one.world
        order = iter(turns)
        for pause in pauses:
            one.clock.advance(pause)
            under_way = {
                True: one.engine.passes.steps("deadline", one.clock.wall()),
                False: other.engine.passes.steps("deadline", one.clock.wall()),
            }
            while under_way:
                which = next(order, True)
                which = which if which in under_way else not which
                app = one if which else other
                # it leads while it does this slice of its pass
                app.engine.core.take_lead("one" if which else "other")
                if next(under_way[which], under_way) is under_way:
                    del under_way[which]
                one.loop.run_until_idle()
                other.loop.run_until_idle()
        other.kill()
        for number, document in enumerate(documents):
            schedule = read(document).schedule
            slots = handled(one, f"r{number}", schedule)
            assert slots == list(islice(shown(one, f"r{number}", schedule), len(slots)))
            assert not one.rows(
                "SELECT 1 FROM runs r JOIN occurrences o ON o.id = r.occurrence_id GROUP BY o.id HAVING count(*) > 1"
            )
        launched = [spec.attempt_id for spec in one.world.launched]
        assert len(set(launched)) == len(launched)
