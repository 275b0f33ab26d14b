"""Killed at any point: a child process lives a day and dies by SIGKILL just before its n-th write, launch or stop;
another process opens the home again and lives the rest.

The writes are counted on the store's own connection, by SQLite's trace; the product has no hook for it.
"""

from __future__ import annotations

import os
import pickle
import shutil
import signal
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import apsw

from coven_desktop.home import Home
from coven_desktop.loop.manual import ManualClock
from coven_desktop.runtime.sessions import LaunchSpec
from tests.engine.crash_day import Day, new_home
from tests.engine.test_properties import Engine

# where not every point is tried in the long suite (decisions.md 48)
MANY = 200
INVARIANTS = [name for name in sorted(dir(Engine)) if hasattr(getattr(Engine, name), "hypothesis_stateful_invariant")]
EndState = dict[str, list[tuple[Any, ...]]]


class Watcher(Engine):
    """The invariants of test_properties.py, on a day that hypothesis knows nothing of."""

    def __init__(self, day: Day) -> None:
        self.bench = day
        self.between_until = 0
        self.settles_until = 0
        self.premature = []
        self.read_up_to = 0
        self.at, self.claims, self.sequences, self.settled = {}, {}, {}, {}
        self.pins, self.bound, self.gone, self.floors = {}, {}, set(), {}
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


def undisturbed(folder: Path, kind: type[Day], *, only: str = "") -> tuple[EndState, Points]:
    """How the day ends when nothing comes between, and the points it has."""
    day = kind(new_home(Home(folder)), ManualClock())
    watcher = Watcher(day)
    watcher.open()
    points = Points(day, None, lambda: None, only=only)
    day.start()
    day.live()
    end = day.end_state()
    day.kill()
    shutil.rmtree(folder)
    return end, points


def spread(count: int, some: int | None) -> list[int]:
    """Which points to try: some from the first to the last, or all of them."""
    if some is None or count <= some:
        return list(range(1, count + 1))
    return [1 + number * (count - 1) // (some - 1) for number in range(some)]


def begun(folder: Path, kind: type[Day]) -> Day:
    """The day as the process before this one left it, or a new one."""
    left = folder / "left"
    if not left.exists():
        return kind(new_home(Home(folder / "home")), ManualClock())
    world, notes, wall, monotonic = pickle.loads(left.read_bytes())
    day = kind(Home(folder / "home"), ManualClock(wall, monotonic))
    day.world, day.notes = world, notes
    return day


def leave(folder: Path, day: Day) -> None:
    """Keep what the machine and the person know, for the process that goes on."""
    left = (day.world, day.notes, day.clock.wall(), day.clock.monotonic())
    (folder / "left").write_bytes(pickle.dumps(left))


def killed_child(folder: Path, live: Callable[[Callable[[], None]], None]) -> None:
    """In a process of its own: do this, until it calls what it was given, which is SIGKILL."""
    child = os.fork()
    if child == 0:
        try:
            live(lambda: os.kill(os.getpid(), signal.SIGKILL))
            (folder / "trouble").write_text("it came to its end")
        except BaseException:  # noqa: BLE001 - nothing of this process may go on as a second test run
            (folder / "trouble").write_text(traceback.format_exc())
        finally:
            os._exit(1)
    _, status = os.waitpid(child, 0)
    trouble = folder / "trouble"
    assert not trouble.exists(), trouble.read_text()
    assert os.WIFSIGNALED(status)
    assert os.WTERMSIG(status) == signal.SIGKILL


def die(folder: Path, kind: type[Day], n: int) -> None:
    """In a process of its own: live the day, from where it was left, until the n-th point from there."""

    def live(kill: Callable[[], None]) -> None:
        day = begun(folder, kind)
        day.open_again_without_care()

        def killed() -> None:
            leave(folder, day)
            kill()

        Points(day, n, killed)
        day.start()
        day.live()

    killed_child(folder, live)


def check_whole(day: Day) -> None:
    """Nothing was done twice, and the file is sound."""
    # one launch for a session, and one for an attempt of a run, save those that are proven to have begun nothing
    assert len({spec.session_id for spec in day.world.launched}) == len(day.world.launched)
    begun_by = [spec for spec in day.world.launched if day.world.found[spec.session_id][0] != "never_started"]
    assert not day.world.executing - {spec.session_id for spec in begun_by}
    assert len({spec.attempt_id for spec in begun_by}) == len(begun_by)
    assert day.rows("PRAGMA integrity_check") == [("ok",)]
    assert day.rows("PRAGMA foreign_key_check") == []


def check_end(day: Day, expected: EndState) -> None:
    """The day has ended as it should."""
    assert day.end_state() == expected
    # a command is executed once for an attempt of a slot, and by one run of it
    executed = [day.launch_of(one) for one in sorted(day.world.executing)]
    attempts = tuple(sorted((spec.automation_id, number) for spec, number in executed))
    assert attempts == day.executed
    assert len({spec.run_id for spec, _ in executed}) == len(day.routines) + day.more_runs
    assert not day.alive()
    check_whole(day)
