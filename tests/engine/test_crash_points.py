"""Killed between any two writes, the disk full or the file locked at any of them: the day ends as it would have."""

from __future__ import annotations

import shutil
from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any

import apsw
import pytest

from coven_desktop.engine.engine import PASS_INTERVAL_MS
from coven_desktop.home import Home
from coven_desktop.loop.manual import ManualClock
from coven_desktop.store.errors import StoreFault
from tests.conftest import LoggedWarnings
from tests.engine.crash_day import Day, new_home
from tests.engine.crash_days import CommonDay, HardDay
from tests.engine.crash_disk import Disk
from tests.engine.crash_families import FamiliesDay
from tests.engine.crash_points import (
    INVARIANTS,
    MANY,
    EndState,
    Points,
    Watcher,
    begun,
    check_end,
    die,
    spread,
    undisturbed,
)

pytestmark = pytest.mark.usefixtures("no_daily_backup")

# of each kind of day, in the short suite
SOME = 16


@pytest.fixture(params=[CommonDay, HardDay, FamiliesDay], ids=lambda kind: kind.__name__)
def kind(request: pytest.FixtureRequest) -> type[Day]:
    """The day that is lived."""
    found: type[Day] = request.param
    return found


def live_the_rest(folder: Path, kind: type[Day], expected: EndState, *, hosts_first: bool) -> None:
    """Open the home that a killed process left, and go on to the end of the day."""
    day = begun(folder, kind)
    watcher = Watcher(day)
    watcher.open()
    try:
        # either the hosts went on before anybody looked, or they do it afterwards
        if hosts_first:
            day.hosts_go_on()
        day.start()
        watcher.check()
        day.live()
        check_end(day, expected)
    finally:
        day.kill()


def told(end: EndState) -> list[tuple[Any, ...]]:
    """Of each attempt: routine, occurrence, run, number, state, class of the failure, why it was opened."""
    return [(row[0][0], row[2], row[5], row[7], row[8], row[9], row[11]) for row in end["runs"]]


def test_the_common_day_has_all_that_it_should(folder: Path) -> None:
    end, points = undisturbed(folder / "home", CommonDay)
    assert told(end) == [
        ("a", "succeeded", "succeeded", 1, "failed", "transient_dispatch", "initial"),
        ("a", "succeeded", "succeeded", 2, "failed", None, "automatic_retry"),
        ("a", "succeeded", "succeeded", 3, "succeeded", None, "operator_retry"),
        ("b", "cancelled", "cancelled", 1, "cancelled", "cancelled", "initial"),
        ("c", "failed", "failed", 1, "timed_out", "timeout", "initial"),
    ]
    assert points.passed > 200
    assert len(points.between) > 30
    assert len(INVARIANTS) >= 10


def test_the_hard_day_has_all_that_it_should(folder: Path) -> None:
    end, points = undisturbed(folder / "home", HardDay)
    assert told(end) == [
        ("d", "succeeded", "succeeded", 1, "failed", "transient_dispatch", "initial"),
        ("d", "succeeded", "succeeded", 2, "failed", "transient_dispatch", "automatic_retry"),
        ("d", "succeeded", "succeeded", 3, "succeeded", None, "operator_retry"),
        ("e", "succeeded", "succeeded", 1, "ambiguous", "ambiguous_evidence", "initial"),
        ("e", "succeeded", "succeeded", 2, "succeeded", None, "operator_recovery"),
        ("f", "failed", "failed", 1, "ambiguous", "ambiguous_evidence", "initial"),
    ]
    assert end["quarantines"] == [("d", 0, 0, None, None)]
    assert points.passed > 200
    assert len(points.between) > 30


def test_the_day_of_families_has_all_that_it_should(folder: Path) -> None:
    end, points = undisturbed(folder / "home", FamiliesDay)
    assert [(row[0][0], row[1][11:16], row[2], row[4], row[8]) for row in end["runs"]] == [
        ("g", "10:00", "failed", "failed", "failed"),
        ("g", "10:01", "skipped", "overlap", None),
        ("g", "10:02", "skipped", "overlap", None),
        ("h", "10:00", "failed", "ambiguous_evidence", "ambiguous"),
        ("i", "10:00", "succeeded", None, "succeeded"),
        ("i", "10:01", "succeeded", None, "succeeded"),
        ("i", "10:02", "succeeded", None, "succeeded"),
        ("j", "10:00", "succeeded", None, "succeeded"),
    ]
    assert [row[:3] for row in end["definitions"]] == [
        ("g", 1, "active"),
        ("h", 1, "active"),
        ("i", 2, "disabled"),
        ("j", 2, "disabled"),
    ]
    assert end["counts"] == [("g", 1, 1), ("h", 1, 1), ("i", 3, 0), ("j", 1, 0)]
    assert points.passed > 200
    assert len(points.between) > 30


def kill_and_live_on(folder: Path, kind: type[Day], expected: EndState, *kills: int) -> None:
    """Several processes, each killed at a point of its own, and one that comes to the end."""
    place = folder / "-".join(map(str, kills))
    place.mkdir()
    try:
        for n in kills:
            die(place, kind, n)
        live_the_rest(place, kind, expected, hosts_first=kills[0] % 2 == 1)
    except BaseException as error:
        error.add_note(f"killed before point {kills}")
        raise
    shutil.rmtree(place)


@pytest.mark.timeout(1800)
def test_killed_before_any_write(folder: Path, kind: type[Day], long_suite: bool) -> None:
    expected, points = undisturbed(folder / "home", kind)
    # a kill inside a transaction leaves what its beginning met, unless the transaction is torn: fewer will do for that
    some = {*points.between[::2], *spread(points.passed, 6)}
    for n in spread(points.passed, None) if long_suite else sorted(some):
        kill_and_live_on(folder, kind, expected, n)


@pytest.mark.timeout(1800)
def test_killed_again_at_the_next_start(folder: Path, kind: type[Day], long_suite: bool) -> None:
    expected, points = undisturbed(folder / "home", kind)
    # the last process but one must not come to the end by itself
    for number, n in enumerate(spread(points.passed - 30, MANY if long_suite else 6)):
        kill_and_live_on(folder, kind, expected, n, 1 + number % 12, 1 + number % 5)


class Trouble(ABC):
    """Something that keeps the store from writing, from one of the points on until it is over."""

    refused = 0

    @abstractmethod
    def begin(self, day: Day) -> None:
        """From now on the store cannot write."""

    @abstractmethod
    def end(self, day: Day) -> None:
        """It can again."""


class Locked(Trouble):
    """Another program holds the file."""

    def __init__(self) -> None:
        self._other: apsw.Connection | None = None

    def begin(self, day: Day) -> None:
        self._other = day.lock()
        self.refused += 1

    def end(self, day: Day) -> None:
        if self._other is not None:
            self._other.close()
            self._other = None


class Full(Trouble):
    """Nothing more fits: neither another page of the database, nor another one of its log."""

    def __init__(self, disk: Disk) -> None:
        self._disk = disk

    def begin(self, day: Day) -> None:
        day.store.connection.pragma("max_page_count", 1)
        self._disk.fill()

    def end(self, day: Day) -> None:
        self._disk.full = False
        day.store.connection.pragma("max_page_count", 1_000_000)


def live_with(trouble: Trouble, day: Day, n: int, expected: EndState, *, only: str) -> None:
    """The day, with a trouble that begins at its n-th point and lasts until something is looked at again."""
    watcher = Watcher(day)
    watcher.open()
    day.store.connection.set_busy_timeout(0)

    def begin() -> None:
        trouble.begin(day)
        watcher.between_until = day.clock.wall() + PASS_INTERVAL_MS

    day.before_turn = lambda: trouble.end(day)
    points = Points(day, n, begin, only=only)
    try:
        try:
            day.start()
        except StoreFault:
            # an app that cannot take the lead says so and is started again
            trouble.end(day)
            day.kill()
            watcher.open()
            day.start()
        day.live()
        check_end(day, expected)
        assert points.passed >= n
    except BaseException as error:
        error.add_note(f"{type(trouble).__name__} from point {n} on")
        raise
    finally:
        trouble.end(day)
        day.kill()


def expect_what_is_logged(logged: LoggedWarnings) -> None:
    for told in ("automations tick failed", "its news cannot be written yet", "the pass cannot be recorded"):
        logged.expect(told)


@pytest.mark.timeout(900)
def test_locked_at_any_transaction(folder: Path, kind: type[Day], long_suite: bool, logged: LoggedWarnings) -> None:
    expect_what_is_logged(logged)
    expected, points = undisturbed(folder / "home", kind, only="BEGIN")
    for n in spread(points.passed, None if long_suite else SOME):
        place = folder / str(n)
        live_with(Locked(), kind(new_home(Home(place)), ManualClock()), n, expected, only="BEGIN")
        shutil.rmtree(place)


@pytest.mark.timeout(900)
def test_full_at_any_write(folder: Path, kind: type[Day], long_suite: bool, logged: LoggedWarnings, disk: Disk) -> None:
    expect_what_is_logged(logged)
    expected, points = undisturbed(folder / "home", kind)
    chosen = spread(points.passed, None if long_suite else SOME)
    for n in chosen:
        place = folder / str(n)
        live_with(Full(disk), kind(new_home(Home(place)), ManualClock()), n, expected, only="")
        shutil.rmtree(place)
    assert disk.refused >= len(chosen)
