"""Killed at any point, and opened again minutes, hours or a day later: what the absence has cost is accounted once.

The machine goes on meanwhile: commands end, and what has no end of its own is stopped by its host after its deadline.
Nobody looks on afterwards. Whether the opening itself is cut off once more makes no difference.
"""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import apsw
import pytest

from coven_desktop.contract import timestamps
from coven_desktop.home import Home
from coven_desktop.loop.manual import ManualLoop
from coven_desktop.runtime.evidence import StopReason
from tests.engine.conftest import HOUR, MINUTE, SECOND, definition
from tests.engine.crash_day import Day
from tests.engine.crash_days import CommonDay
from tests.engine.crash_points import MANY, Watcher, begun, check_whole, die, leave, spread, undisturbed
from tests.engine.scripted_runtime import ScriptedRuntime

pytestmark = pytest.mark.usefixtures("no_daily_backup")

# before any deadline but that of `c`; past all deadlines and some slots; past a day of them
ABSENCES = (10 * MINUTE, 3 * HOUR + 20 * MINUTE, 26 * HOUR + 20 * MINUTE)
# what a host adds to a deadline before it ends its run by itself (decisions.md 18)
HOSTS_PATIENCE = 10 * SECOND
LOOKS = (0, 6, 12, 18, 24, 60, 66, 72, 300, 306, 312, 318)
SOME = 8


class HourlyDay(CommonDay):
    """The common day, with a slot at every hour."""

    alone = False

    def creation(self, name: str) -> dict[str, Any]:
        """See `Day`."""
        return super().creation(name) | {"rrule": definition()["rrule"]}

    def person(self, second: int) -> None:
        """Nobody looks on after the absence."""
        if not self.alone:
            super().person(second)

    def go_on_alone(self, milliseconds: int) -> None:
        """What the machine does while no app is there, from this instant on."""
        self.loop = ManualLoop(self.clock)
        self.runtime = ScriptedRuntime(self.loop, self.clock, self.world, automatic=False)
        self.hosts_go_on()
        back = self.clock.wall() + milliseconds
        for session in self.alive():
            spec, number = self.launch_of(session)
            stopped_at = self.clock.wall() + SECOND if session in self.world.stops else spec.deadline + HOSTS_PATIENCE
            if (spec.automation_id, number) == ("a", 2):
                evidence = self.runtime.evidence(session, exit_code=3)
            elif (spec.automation_id, number) == ("a", 3):
                evidence = self.runtime.evidence(session, exit_code=0)
            elif stopped_at > back:
                continue
            else:
                reason: StopReason = "requested" if session in self.world.stops else "deadline"
                evidence = self.runtime.evidence(session, outcome="signalled", stop_reason=reason, ended_at=stopped_at)
            self.runtime.end(session, evidence)
        self.clock.advance(milliseconds)


@dataclass
class Left:
    """What a killed app has left of its routines."""

    slots: dict[str, list[tuple[str, str, bool]]]  # of each routine: slot, state, whether it has a run
    bounds: dict[str, int]
    deadlines: dict[str, tuple[str, str]]  # of each running run: status, deadline


def left_by(home: Home) -> Left:
    """Read what is there, without opening it as an app would."""
    connection = apsw.Connection(str(home.database), flags=apsw.SQLITE_OPEN_READWRITE)
    connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)

    def rows(sql: str) -> list[tuple[Any, ...]]:
        return connection.execute(sql).fetchall()

    left = Left({}, {}, {})
    for name, revised in rows("SELECT id, revised_at FROM definitions"):
        found = rows(
            "SELECT o.scheduled_for, o.state, EXISTS (SELECT 1 FROM runs r WHERE r.occurrence_id = o.id)"
            f" FROM occurrences o WHERE o.automation_id = '{name}' ORDER BY 1"
        )
        left.slots[name] = [(slot, state, bool(has_run)) for slot, state, has_run in found]
        left.bounds[name] = timestamps.parse(max([revised, *(slot for slot, _, _ in found)]))
    for run_id, status, deadline in rows("SELECT id, status, timeout_at FROM runs WHERE status = 'running'"):
        left.deadlines[run_id] = (status, deadline)
    connection.close()
    return left


def check_accounts(day: Day, left: Left, back: int) -> None:
    """What came due in the absence is there once, and what it has overtaken is settled."""
    now = timestamps.to_text(day.clock.wall())
    newest = timestamps.to_text(back // HOUR * HOUR)
    for name, bound in left.bounds.items():
        due = back // HOUR - bound // HOUR
        before = [slot for slot, _, _ in left.slots[name]]
        states = dict(day.rows(f"SELECT scheduled_for, state FROM occurrences WHERE automation_id = '{name}'"))
        assert sorted(states) == (sorted([*before, newest]) if due else before), name
        told = [
            json.loads(body)["payload"]
            for (body,) in day.rows(
                "SELECT body FROM events WHERE kind = 'occurrence.misfire_recorded'"
                f" AND automation_id = '{name}' ORDER BY position"
            )
        ]
        collapsed = [{"disposition": "collapsed_to_latest", "collapsedSlots": due - 1}] if due > 1 else []
        assert told == collapsed, name
        for slot, state, has_run in left.slots[name]:
            if due and state in ("planned", "claimed") and not has_run:
                assert states[slot] == "skipped", name
        if due:
            assert states[newest] in ("claimed", "running", "failed"), name
            assert day.value(f"SELECT count(*) FROM runs WHERE automation_id = '{name}' AND status = 'running'") <= 1
    # deadlines, of before and of after
    assert day.rows(f"SELECT id FROM runs WHERE status = 'running' AND timeout_at <= '{now}'") == []
    for run_id, (_, deadline) in left.deadlines.items():
        status = day.rows(f"SELECT status FROM runs WHERE id = '{run_id}'")
        assert deadline > now or status != [("running",)]
    # leases: none has ended and stands, and no claim of the app that is gone
    assert day.rows(f"SELECT id FROM occurrences WHERE state = 'claimed' AND lease_expires_at <= '{now}'") == []
    # no command was executed twice for one attempt
    executed = [(spec.run_id, number) for spec, number in map(day.launch_of, day.world.executing)]
    assert len(set(executed)) == len(executed)


def everything(day: Day) -> list[list[tuple[Any, ...]]]:
    """What an opening without anything new leaves as it is."""
    tables = "definitions occurrences runs attempts sessions stop_fences cancellations events retry_state adoptions"
    return [day.rows(f"SELECT * FROM {table}") for table in tables.split()]


def come_back(folder: Path, n: int, away: int, again: int | None) -> None:
    """Killed at the n-th point, away for so long, killed again at a point of the opening, and opened at last."""
    die(folder, HourlyDay, n)
    day = begun(folder, HourlyDay)
    left = left_by(day.home)
    assert isinstance(day, HourlyDay)
    day.go_on_alone(away)
    leave(folder, day)
    back = day.clock.wall()
    if again is not None:
        die(folder, HourlyDay, again)
        day = begun(folder, HourlyDay)
        assert isinstance(day, HourlyDay)
    day.alone = True
    watcher = Watcher(day)
    watcher.open()
    try:
        day.start()
        watcher.check()
        for seconds in LOOKS:
            if day.clock.wall() <= back + seconds * SECOND:
                day.clock.advance(back + seconds * SECOND - day.clock.wall())
                day.look()
        check_accounts(day, left, back)
        before = everything(day)
        day.kill()
        watcher.open()
        day.start()
        assert everything(day) == before
        check_whole(day)
    finally:
        day.kill()


@pytest.mark.timeout(1800)
@pytest.mark.parametrize("away", ABSENCES)
def test_what_an_absence_has_cost_is_accounted_once(folder: Path, away: int, long_suite: bool) -> None:
    _, points = undisturbed(folder / "home", HourlyDay)
    for number, n in enumerate(spread(points.passed, MANY if long_suite else SOME)):
        again = None if number % 2 else 1 + number % 20
        place = folder / str(n)
        place.mkdir()
        try:
            come_back(place, n, away, again)
        except BaseException as error:
            error.add_note(f"killed before point {n}, away for {away} ms, killed again before point {again}")
            raise
        shutil.rmtree(place)
