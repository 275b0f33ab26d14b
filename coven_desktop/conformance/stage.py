"""Where a case is computed: a home of its own, a clock that stands where the case says, the real store and engine.

Most cases need an engine that leads the store and does nothing by itself (`leading`): they ask it for one pass, one
sweep, one command. Those about starting get theirs as the app does (`engine_at_work`).
"""

from __future__ import annotations

import tempfile
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from coven_desktop import home as homes
from coven_desktop.conformance.inputs import CannotCompute
from coven_desktop.conformance.stand_in import StandIn
from coven_desktop.contract.errors import Refusal
from coven_desktop.engine.answers import Pending
from coven_desktop.engine.commands import definitions as unversioned
from coven_desktop.engine.commands import execution, versioned
from coven_desktop.engine.engine import Engine
from coven_desktop.engine.working import engine_at_work
from coven_desktop.home import Home
from coven_desktop.loop.manual import ManualClock, ManualLoop
from coven_desktop.settings import Settings
from coven_desktop.store.transactions import Store

DAY_MS = 86_400_000


class Stage:
    """One app on one home: its clock, its loop, its store and its stand-in runtime."""

    def __init__(self, home: Home, clock: ManualClock) -> None:
        self.home = home
        self.clock = clock
        self.loop = ManualLoop(clock)
        self.runtime = StandIn(self.loop, clock)
        self.store = Store.open(home.database, now=clock.wall(), backups=home.backups)
        # what a power cut would leave of it is nobody's concern
        self.store.connection.execute("PRAGMA synchronous = OFF").fetchall()
        self._closed = False

    def reopen(self) -> Stage:
        """Another app on the same home, at the instant at which the clock stands."""
        return Stage(self.home, self.clock)

    def close(self) -> None:
        """Close the store, once."""
        if not self._closed:
            self._closed = True
            self.store.close()

    def at(self, instant: int) -> None:
        """Let the wall clock stand at an instant, UTC milliseconds."""
        self.clock.jump(instant - self.clock.wall())

    def turn(self) -> None:
        """Let everything happen that is to happen at this instant."""
        self.loop.run_until_idle()

    def leading(self) -> Engine:
        """An engine that has taken the lead, as `Engine.start` does, and begins no pass by itself."""
        engine = Engine(
            clock=self.clock,
            store=self.store,
            runtime=self.runtime,
            loop=self.loop,
            home=self.home,
            max_concurrent_runs=0,
        )
        engine.core.take_lead(str(uuid.uuid4()))
        return engine

    @contextmanager
    def at_work(self, settings: Settings | None = None) -> Iterator[Engine]:
        """An engine started the way the app starts it, with no limit of places unless one is set (decisions.md 16)."""
        with engine_at_work(
            home=self.home,
            clock=self.clock,
            loop=self.loop,
            store=self.store,
            runtime=self.runtime,
            settings=settings or Settings(max_concurrent_runs=0),
        ) as engine:
            yield engine


@contextmanager
def stage(now: int) -> Iterator[Stage]:
    """A stage on a new home, at an instant in UTC milliseconds; everything of it is removed afterwards."""
    with tempfile.TemporaryDirectory(prefix="coven-conformance-") as folder:
        home = Home(Path(folder) / "home")
        homes.prepare(home)
        made = Stage(home, ManualClock(now))
        try:
            yield made
        finally:
            made.close()


def definition(automation_id: str = "conformance", **changes: Any) -> dict[str, Any]:
    """The routine of a case that gives none (contract/conformance.md)."""
    return {
        "schemaVersion": 1,
        "id": automation_id,
        "name": automation_id,
        "status": "ACTIVE",
        "rrule": "FREQ=DAILY;BYHOUR=9",
        "timezone": "utc",
        "misfire": "latest",
        "overlap": "forbid",
        "timeoutMinutes": 30,
        "runtime": "coven-code",
        "prompt": "Compute this case.",
        "cwd": "/",
    } | changes


def establish(engine: Engine, body: Mapping[str, Any]) -> str:
    """Save a routine in whatever status it has, through the commands; returns its id."""
    disabled = body.get("status") == "DISABLED"
    saved = {**body, "status": "PAUSED"} if disabled else dict(body)
    try:
        unversioned.create(engine, {"definition": saved})
        if disabled:
            versioned.disable(
                engine, {"adoptionKey": "adopt:conformance:disable", "id": body["id"], "expectedRevision": 1}
            )
    except Refusal as refusal:
        raise CannotCompute(f"`definition` is refused: {refusal.reason}") from refusal
    return str(body["id"])


def one_pass(engine: Engine) -> None:
    """One whole pass at the present instant, and what follows from it."""
    for _ in engine.passes.steps("deadline", engine.core.clock.wall()):
        pass


def plan(engine: Engine, automation_id: str) -> str:
    """One planning pass, as the tick command does it: planned, already_fenced or not_due."""
    answer = execution.tick(engine, {})
    if isinstance(answer, Pending):
        raise CannotCompute("there is more to plan than one slice")
    payload = answer.payload
    if payload["failed"]:
        raise CannotCompute(f"planning failed: {'; '.join(payload['failed'])}")
    if payload["planned"]:
        return "planned"
    return "already_fenced" if payload["alreadyFenced"] else "not_due"
