"""An engine on a real store with a manual clock and a scripted runtime; it can be stopped, killed and opened again."""

from __future__ import annotations

import itertools
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import apsw
import pytest

from coven_desktop import home as homes
from coven_desktop.contract import timestamps
from coven_desktop.contract.errors import TypedRefusal
from coven_desktop.engine.answers import Answer, Pending
from coven_desktop.engine.commands import definitions
from coven_desktop.engine.engine import Engine
from coven_desktop.home import Home
from coven_desktop.loop.manual import ManualClock, ManualLoop
from coven_desktop.store import backup
from coven_desktop.store.transactions import Store
from tests.engine.crash_disk import Disk
from tests.engine.scripted_runtime import ScriptedRuntime, World

SECOND = 1_000
MINUTE = 60_000
HOUR = 3_600_000
DAY = 86_400_000
START = "2026-09-01T09:00:00.000Z"


def refused(outcome: Callable[[], object]) -> TypedRefusal:
    """The typed refusal that a command answers with."""
    with pytest.raises(TypedRefusal) as caught:
        outcome()
    return caught.value


class Bench:
    """One home and whatever engine runs on it at the moment."""

    def __init__(self, home: Home, clock: ManualClock, *, opened: bool = True) -> None:
        self.home = home
        self.clock = clock
        self.world = World()
        self.automatic = True
        self.places = 4
        self.retention_days: int | None = None
        self.network = True
        self.asked_for_network: list[int] = []
        self._keys = itertools.count(1)
        if opened:
            self.open()

    def open(self) -> None:
        """Start an engine, without turning its loop yet."""
        self.loop = ManualLoop(self.clock)
        self.runtime = ScriptedRuntime(self.loop, self.clock, self.world, automatic=self.automatic)
        self.store = Store.open(self.home.database, now=self.clock.wall(), backups=self.home.backups)
        # what a power cut would do is not the subject here
        self.store.connection.execute("PRAGMA synchronous = OFF").fetchall()
        self.engine = Engine(
            clock=self.clock,
            store=self.store,
            runtime=self.runtime,
            loop=self.loop,
            home=self.home,
            max_concurrent_runs=self.places,
            retention_days=self.retention_days,
            network_is_up=self._network_is_up,
        )

    def open_again_without_care(self) -> None:
        """Open, with the checks and backups of the file not due: they are not the subject everywhere."""
        self.open()
        now = timestamps.to_text(self.clock.wall())
        self.store.connection.execute(
            "INSERT OR REPLACE INTO maintenance VALUES ('clean_end', 'yes', ?1), ('last_integrity_check', 'ok', ?1)",
            (now,),
        ).fetchall()

    def _network_is_up(self) -> bool:
        self.asked_for_network.append(self.clock.monotonic())
        return self.network

    def sleep(self, milliseconds: int) -> None:
        """The machine sleeps: the wall clock goes on, the monotonic clock stands still, and nothing runs."""
        self.clock.jump(milliseconds)

    def start(self) -> None:
        """Start the engine and let it do all it has to do at this instant."""
        self.engine.start()
        self.loop.run_until_idle()

    def kill(self) -> None:
        """The app is gone from one moment to the next."""
        self.store.on_commit = lambda: None
        self.store.connection.close()

    def restart(self) -> None:
        """A new app on the same home."""
        self.open()
        self.start()

    def crash(self, *, away: int = 0) -> None:
        """Kill the app; a new one starts `away` milliseconds later."""
        self.kill()
        self.clock.advance(away)
        self.restart()

    def again(self, *, places: int | None = None) -> None:
        """Quit in order and start anew."""
        self.engine.stop()
        self.kill()
        self.places = self.places if places is None else places
        self.restart()

    def lock(self) -> apsw.Connection:
        """Another program that holds the database until its connection is closed."""
        other = apsw.Connection(str(self.home.database))
        other.execute("BEGIN IMMEDIATE").fetchall()
        return other

    def turn(self) -> None:
        """Let the loop do all it has to do at this instant."""
        self.loop.run_until_idle()

    def advance(self, milliseconds: int) -> None:
        """Let time pass."""
        self.loop.advance(milliseconds)

    @property
    def session(self) -> str:
        """The session launched last."""
        return self.world.launched[-1].session_id

    def end(self, exit_code: int | None = 0, session_id: str | None = None, **how: Any) -> None:
        """A session ends by itself and leaves evidence."""
        session = session_id or self.session
        self.runtime.end(session, self.runtime.evidence(session, exit_code=exit_code, **how))
        self.turn()

    def run_due(self, automation_id: str = "notes", **changes: Any) -> str:
        """Create a routine and let its first slot come; returns the session's id, or nothing."""
        self.create(automation_id, **changes)
        self.advance(HOUR)
        return self.session if self.world.launched else ""

    def strict(self, name: str, **members: Any) -> dict[str, Any]:
        """The body of a strict command, under a fresh key unless one is given."""
        return {
            "action": f"coven.automations.{name}",
            "adoptionKey": f"adopt:test:{next(self._keys):04}",
            **members,
        }

    def cancel_body(self, **changes: Any) -> dict[str, Any]:
        """run.cancel.v1 for the run launched last."""
        spec = self.world.launched[-1]
        return (
            self.strict(
                "run.cancel.v1",
                runId=spec.run_id,
                attemptId=spec.attempt_id,
                runtimeCorrelation={"sessionId": spec.session_id},
                scope="run",
                reason="enough",
                requestedBy={"principalId": "principal:someone"},
            )
            | changes
        )

    def create(self, automation_id: str = "notes", **changes: Any) -> dict[str, Any]:
        """Create a routine through the command and let the engine turn."""
        answer = definitions.create(self.engine, {"definition": definition(automation_id, **changes)})
        self.loop.run_until_idle()
        return answer.payload

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        """Look into the store."""
        return self.store.query(sql)

    def value(self, sql: str) -> Any:
        """The one value that a query gives."""
        ((value,),) = self.rows(sql)
        return value

    def reasons(self) -> list[tuple[Any, ...]]:
        """State and reason of every occurrence, oldest slot first."""
        return self.rows("SELECT state, failure_reason FROM occurrences ORDER BY scheduled_for, id")

    def last_pass(self) -> dict[str, Any]:
        """The record of the last pass."""
        recorded = self.engine.reads.scheduler_status()["lastPass"]
        assert isinstance(recorded, dict)
        return recorded

    def states(self) -> list[tuple[Any, ...]]:
        """Every occurrence with its run and latest attempt."""
        return self.rows(
            "SELECT o.automation_id, o.state, r.status, a.state FROM occurrences o"
            " LEFT JOIN runs r ON r.occurrence_id = o.id"
            " LEFT JOIN attempts a ON a.run_id = r.id ORDER BY o.scheduled_for, o.id"
        )

    def done(self, outcome: Answer | Pending) -> Answer:
        """The answer of a command, after the loop has turned. Raises what the command raised."""
        self.loop.run_until_idle()
        result = outcome.outcome if isinstance(outcome, Pending) else outcome
        if isinstance(result, Exception):
            raise result
        assert result is not None, "the answer is still pending"
        return result


def definition(automation_id: str = "notes", **changes: Any) -> dict[str, Any]:
    """A routine due every full hour. A change to None leaves a member out."""
    whole = {
        "schemaVersion": 1,
        "id": automation_id,
        "name": automation_id.title(),
        "status": "ACTIVE",
        "rrule": "FREQ=DAILY;BYHOUR=" + ",".join(str(hour) for hour in range(24)),
        "timezone": "utc",
        "misfire": "latest",
        "overlap": "forbid",
        "timeoutMinutes": 30,
        "runtime": "shell",
        "prompt": "echo hello",
        "cwd": "/tmp",
    } | changes
    return {name: value for name, value in whole.items() if value is not None}


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    """A bench whose engine has started on an empty store."""
    home = Home(tmp_path / "home")
    homes.prepare(home)
    made = Bench(home, ManualClock())
    made.start()
    yield made
    made.engine.stop()
    made.store.close()


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder in memory, for homes of which many are made: what a power cut would do is not the subject."""
    shared_memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=shared_memory if shared_memory.is_dir() else None) as name:
        yield Path(name)


@pytest.fixture
def no_daily_backup(monkeypatch: pytest.MonkeyPatch) -> None:
    """The daily backup is never due."""
    monkeypatch.setattr(backup, "is_due", lambda *arguments: False)


@pytest.fixture
def disk() -> Iterator[Disk]:
    """The disk of this test, for all databases that it opens."""
    made = Disk()
    yield made
    made.unregister()
