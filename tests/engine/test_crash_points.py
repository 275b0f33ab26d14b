"""Killed between any two writes, the disk full or the file locked at any of them: the day ends as it would have.

The writes are counted on the store's own connection, by SQLite's trace; the product has no hook for it. A child process
lives the day of crash_scenario.py and dies by SIGKILL just before its n-th write, launch or stop; this process opens
the home again and lives the rest.
"""

from __future__ import annotations

import os
import pickle
import shutil
import signal
import tempfile
import traceback
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import apsw
import pytest

from coven_desktop.engine.engine import PASS_INTERVAL_MS
from coven_desktop.home import Home
from coven_desktop.loop.manual import ManualClock
from coven_desktop.runtime.sessions import LaunchSpec
from coven_desktop.store import backup
from coven_desktop.store.errors import StoreFault
from tests.conftest import LoggedWarnings
from tests.engine.crash_scenario import Day, new_home
from tests.engine.test_properties import Engine

SHORT = 32
INVARIANTS = [name for name in sorted(vars(Engine)) if hasattr(getattr(Engine, name), "hypothesis_stateful_invariant")]
EndState = dict[str, list[tuple[Any, ...]]]


class Watcher(Engine):
    """The invariants of test_properties.py, on a day that hypothesis knows nothing of."""

    def __init__(self, day: Day) -> None:
        self.bench = day
        self.between_until = 0
        self.premature = []
        self.read_up_to = 0
        self.at, self.claims, self.sequences, self.settled = {}, {}, {}, {}
        self.pins, self.bound, self.gone = {}, {}, set()
        day.after_look = self.check

    def open(self) -> None:
        """Open the home with a new app, and watch what it starts and stops."""
        self.bench.open_again_without_care()
        self.bench.runtime.on_launch = self._launches
        self.bench.runtime.on_stop = self._stops

    def check(self) -> None:
        """All that must hold at any instant."""
        for name in INVARIANTS:
            # a retry that is claimed and could not be dispatched waits so for the next pass
            between = self.bench.clock.wall() <= self.between_until
            if not (between and name == "the_three_rows_of_a_run_agree"):
                getattr(self, name)()


class Points:
    """Calls `at` just before the n-th write, launch or stop; without n it only counts them."""

    def __init__(self, day: Day, n: int | None, at: Callable[[], None], *, only: str = "") -> None:
        self.passed = 0
        # those between two changes of what is there: a launch, a stop, a transaction that meets something new
        self.between: list[int] = []
        self._met = -1
        self._connection = day.store.connection
        self._n = n
        self._at = at
        self._only = only
        day.store.connection.exec_trace = self._traced
        launches, stops = day.runtime.on_launch, day.runtime.on_stop

        def launched(spec: LaunchSpec) -> None:
            launches(spec)
            self._pass(between=True)

        def stopped(session_id: str) -> None:
            stops(session_id)
            self._pass(between=True)

        if not only:
            day.runtime.on_launch = launched
            day.runtime.on_stop = stopped

    def _traced(self, cursor: apsw.Cursor, sql: str, values: object) -> bool:
        if sql.startswith(self._only) if self._only else not cursor.is_readonly or sql == "COMMIT":
            there = self._connection.total_changes()
            self._pass(between=sql.startswith("BEGIN") and there != self._met)
            self._met = there if sql.startswith("BEGIN") else self._met
        return True

    def _pass(self, *, between: bool) -> None:
        self.passed += 1
        if between:
            self.between.append(self.passed)
        if self.passed == self._n:
            self._at()


@pytest.fixture
def folder() -> Iterator[Path]:
    shared_memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=shared_memory if shared_memory.is_dir() else None) as name:
        yield Path(name)


@pytest.fixture(autouse=True)
def _no_backups(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backup, "is_due", lambda *arguments: False)


def undisturbed(folder: Path, *, only: str = "") -> tuple[EndState, Points]:
    """How the day ends when nothing comes between, and the points it has."""
    day = Day(new_home(folder), ManualClock())
    watcher = Watcher(day)
    watcher.open()
    points = Points(day, None, lambda: None, only=only)
    day.start()
    day.live()
    end = day.end_state()
    day.kill()
    shutil.rmtree(folder)
    return end, points


def spread(count: int, every_one: bool) -> list[int]:
    """Which points to try: all of them, or some from the first to the last."""
    if every_one or count <= SHORT:
        return list(range(1, count + 1))
    return [1 + number * (count - 1) // (SHORT - 1) for number in range(SHORT)]


def begun(folder: Path) -> Day:
    """The day as the process before this one left it, or a new one."""
    left = folder / "left"
    if not left.exists():
        return Day(new_home(folder / "home"), ManualClock())
    world, notes, wall, monotonic = pickle.loads(left.read_bytes())
    day = Day(Home(folder / "home"), ManualClock(wall, monotonic))
    day.world, day.notes = world, notes
    return day


def die(folder: Path, n: int) -> None:
    """In a process of its own: live the day, from where it was left, until the n-th point from there."""
    child = os.fork()
    if child == 0:
        try:
            day = begun(folder)
            day.open_again_without_care()

            def killed() -> None:
                left = (day.world, day.notes, day.clock.wall(), day.clock.monotonic())
                (folder / "left").write_bytes(pickle.dumps(left))
                os.kill(os.getpid(), signal.SIGKILL)

            Points(day, n, killed)
            day.start()
            day.live()
            (folder / "trouble").write_text("the day is over")
        except BaseException:  # noqa: BLE001 - nothing of this process may go on as a second test run
            (folder / "trouble").write_text(traceback.format_exc())
        finally:
            os._exit(1)
    _, status = os.waitpid(child, 0)
    trouble = folder / "trouble"
    assert not trouble.exists(), trouble.read_text()
    assert os.WIFSIGNALED(status)
    assert os.WTERMSIG(status) == signal.SIGKILL


def live_the_rest(folder: Path, expected: EndState, *, hosts_first: bool) -> None:
    """Open the home that a killed process left, and go on to the end of the day."""
    day = begun(folder)
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


def check_end(day: Day, expected: EndState) -> None:
    """The day has ended as it should, and nothing was done twice."""
    assert day.end_state() == expected
    # a command is executed once for an attempt of a slot, and by one run of it
    executed = [day.launch_of(one) for one in sorted(day.world.executing)]
    attempts = sorted((spec.automation_id, number) for spec, number in executed)
    assert attempts == [("a", 2), ("a", 3), ("b", 1), ("c", 1)]
    assert len({spec.run_id for spec, _ in executed}) == 3
    # one launch for a session, and one for an attempt of a run
    assert len({spec.session_id for spec in day.world.launched}) == len(day.world.launched)
    assert len({spec.attempt_id for spec in day.world.launched}) == len(day.world.launched)
    assert not day.alive()
    assert day.rows("PRAGMA integrity_check") == [("ok",)]
    assert day.rows("PRAGMA foreign_key_check") == []


def test_the_day_has_all_that_it_should(folder: Path) -> None:
    end, points = undisturbed(folder / "home")
    assert [(row[0][0], row[2], row[5], row[7], row[8], row[11]) for row in end["runs"]] == [
        ("a", "succeeded", "succeeded", 1, "failed", "initial"),
        ("a", "succeeded", "succeeded", 2, "failed", "automatic_retry"),
        ("a", "succeeded", "succeeded", 3, "succeeded", "operator_retry"),
        ("b", "cancelled", "cancelled", 1, "cancelled", "initial"),
        ("c", "failed", "failed", 1, "timed_out", "initial"),
    ]
    assert [row[9] for row in end["runs"]] == ["transient_dispatch", None, None, "cancelled", "timeout"]
    assert points.passed > 200
    assert len(points.between) > 30
    assert len(INVARIANTS) >= 10


def kill_and_live_on(folder: Path, expected: EndState, *kills: int) -> None:
    """Several processes, each killed at a point of its own, and one that comes to the end."""
    place = folder / "-".join(map(str, kills))
    place.mkdir()
    try:
        for n in kills:
            die(place, n)
        live_the_rest(place, expected, hosts_first=kills[0] % 2 == 1)
    except BaseException as error:
        error.add_note(f"killed before point {kills}")
        raise
    shutil.rmtree(place)


@pytest.mark.timeout(1800)
def test_killed_before_any_write(folder: Path, long_suite: bool) -> None:
    expected, points = undisturbed(folder / "home")
    # a kill inside a transaction leaves what its beginning met, unless the transaction is torn: fewer will do for that
    some = {*points.between, *spread(points.passed, long_suite)[::3]}
    for n in spread(points.passed, True) if long_suite else sorted(some):
        kill_and_live_on(folder, expected, n)


@pytest.mark.timeout(1800)
def test_killed_again_at_the_next_start(folder: Path, long_suite: bool) -> None:
    expected, points = undisturbed(folder / "home")
    # the last process but one must not come to the end by itself
    for number, n in enumerate(spread(points.passed - 30, long_suite)[:: 1 if long_suite else 3]):
        kill_and_live_on(folder, expected, n, 1 + number % 12, 1 + number % 5)


class FillingFile(apsw.VFSFile):
    """A file on a disk that can be full."""

    def __init__(self, disk: FillingDisk, name: str | apsw.URIFilename | None, flags: list[int]) -> None:
        super().__init__("unix", name, flags)
        self._disk = disk

    def xWrite(self, data: bytes, offset: int) -> None:
        if self._disk.full:
            self._disk.refused += 1
            raise apsw.exception_for(apsw.SQLITE_FULL)
        super().xWrite(data, offset)


class FillingDisk(apsw.VFS):
    """Where the files of this test lie: it can be full, for a time."""

    def __init__(self) -> None:
        super().__init__("filling", "unix", makedefault=True)
        self.full = False
        self.refused = 0

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> FillingFile:
        return FillingFile(self, name, flags)


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

    def __init__(self, disk: FillingDisk) -> None:
        self._disk = disk

    def begin(self, day: Day) -> None:
        day.store.connection.pragma("max_page_count", 1)
        self._disk.full = True

    def end(self, day: Day) -> None:
        self._disk.full = False
        day.store.connection.pragma("max_page_count", 1_000_000)


def live_with(trouble: Trouble, home: Home, n: int, expected: EndState, *, only: str) -> None:
    """The day, with a trouble that begins at its n-th point and lasts until something is looked at again."""
    day = Day(home, ManualClock())
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
def test_locked_at_any_transaction(folder: Path, long_suite: bool, logged: LoggedWarnings) -> None:
    expect_what_is_logged(logged)
    expected, points = undisturbed(folder / "home", only="BEGIN")
    for n in spread(points.passed, long_suite):
        place = folder / str(n)
        live_with(Locked(), new_home(place), n, expected, only="BEGIN")
        shutil.rmtree(place)


@pytest.fixture
def disk() -> Iterator[FillingDisk]:
    made = FillingDisk()
    yield made
    made.unregister()


@pytest.mark.timeout(900)
def test_full_at_any_write(folder: Path, long_suite: bool, logged: LoggedWarnings, disk: FillingDisk) -> None:
    expect_what_is_logged(logged)
    expected, points = undisturbed(folder / "home")
    chosen = spread(points.passed, long_suite)
    for n in chosen:
        place = folder / str(n)
        live_with(Full(disk), new_home(place), n, expected, only="")
        shutil.rmtree(place)
    assert disk.refused >= len(chosen)
