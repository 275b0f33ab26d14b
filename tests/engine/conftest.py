"""An engine on a real store with a manual clock and a scripted runtime, that can be stopped, killed and opened again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from coven_desktop import home as homes
from coven_desktop.engine.answers import Answer, Pending
from coven_desktop.engine.commands import definitions
from coven_desktop.engine.engine import Engine
from coven_desktop.home import Home
from coven_desktop.loop.manual import ManualClock, ManualLoop
from coven_desktop.store.transactions import Store
from tests.engine.scripted_runtime import ScriptedRuntime, World

HOUR = 3_600_000


class Bench:
    """One home and whatever engine runs on it at the moment."""

    def __init__(self, home: Home, clock: ManualClock) -> None:
        self.home = home
        self.clock = clock
        self.world = World()
        self.automatic = True
        self.places = 4
        self.open()

    def open(self) -> None:
        """Start an engine, without turning its loop yet."""
        self.loop = ManualLoop(self.clock)
        self.runtime = ScriptedRuntime(self.loop, self.clock, self.world, automatic=self.automatic)
        self.store = Store.open(self.home.database, now=self.clock.wall(), backups=self.home.backups)
        self.engine = Engine(
            clock=self.clock,
            store=self.store,
            runtime=self.runtime,
            loop=self.loop,
            home=self.home,
            max_concurrent_runs=self.places,
        )

    def start(self) -> None:
        """Start the engine and let it do all it has to do at this instant."""
        self.engine.start()
        self.loop.run_until_idle()

    def kill(self) -> None:
        """The app is gone from one moment to the next."""
        self.store.on_commit = lambda: None
        self.store.close()

    def restart(self) -> None:
        """A new app on the same home."""
        self.open()
        self.start()

    def create(self, automation_id: str = "notes", **changes: Any) -> dict[str, Any]:
        """Create a routine through the command and let the engine turn."""
        answer = definitions.create(self.engine, {"definition": definition(automation_id, **changes)})
        self.loop.run_until_idle()
        return answer.payload

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        """Look into the store."""
        return self.store.query(sql)

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
    """A routine due every full hour."""
    return {
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


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    """A bench whose engine has started on an empty store."""
    home = Home(tmp_path / "home")
    homes.prepare(home)
    made = Bench(home, ManualClock())
    made.start()
    yield made
    made.engine.stop()
    made.kill()
