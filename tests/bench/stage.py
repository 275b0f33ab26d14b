"""A real engine on a real store with sessions that a script makes, for the benches that are about the scheduler.

Beside the runtime everything is as in the app: the store on the disk with synchronous=FULL, the system's clock
(shifted), and Qt's loop.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from coven_desktop import home as homes
from coven_desktop.clock import SystemClock
from coven_desktop.contract import definition as contract
from coven_desktop.engine import planning
from coven_desktop.engine.engine import Engine
from coven_desktop.home import Home
from coven_desktop.loop.qt_loop import QtLoop
from coven_desktop.qt.core import QCoreApplication, QEventLoop
from coven_desktop.store import definitions, integrity
from coven_desktop.store.transactions import Store
from tests.engine.scripted_runtime import ScriptedRuntime
from tests.rig import HOUR_MS, routine

IN_ONE_TRANSACTION = 1_000


def new_home(folder: Path) -> Home:
    """A home that is ready for a store."""
    home = Home(folder)
    homes.prepare(home)
    return home


def open_store(home: Home, clock: SystemClock) -> Store:
    """The store as the app opens it."""
    return Store.open(home.database, now=clock.wall(), backups=home.backups)


def fill(store: Store, count: int, now: int, folder: Path, *, due_in_hours: int | None = None) -> None:
    """Commit so many active routines at the instant `now` (UTC milliseconds).

    They are due at every full hour, or once a day, at the full hour that comes after so many hours.
    """
    order = random.Random(7)
    hours = list(range(24)) if due_in_hours is None else [(now // HOUR_MS + 1 + due_in_hours) % 24]
    for first in range(0, count, IN_ONE_TRANSACTION):
        with store.transaction(now) as tx:
            for number in range(first, min(count, first + IN_ONE_TRANSACTION)):
                # no two rules are the same text, so that nothing is known from the routine before
                order.shuffle(hours)
                rule = "FREQ=DAILY;BYHOUR=" + ",".join(map(str, hours))
                wanted = routine(f"r{number:06}", "true", folder, rrule=rule)
                whole, _ = contract.parse(wanted, drop_unknown=False)
                definitions.commit(
                    tx,
                    None,
                    "created",
                    automation_id=whole.id,
                    name=whole.name,
                    body=contract.stored_json(whole),
                    digest=contract.definition_digest(whole),
                    lifecycle="active",
                    managed="legacy",
                    next_due_at=planning.next_due_text(whole, now),
                )


def put_away(store: Store, home: Home, now: int) -> None:
    """Close the store as an app does that has checked it and made today's backup: neither is due at the next start."""
    integrity.record(store.connection, integrity.Finding("full", (), None), now)
    integrity.end(store.connection, now)
    made = datetime.fromtimestamp(now / 1000, UTC)
    home.backups.joinpath(f"coven-{made:%Y%m%dT%H%M%S}000Z.sqlite3").write_text("stands for today's backup")
    store.close()


@dataclass(frozen=True)
class Stage:
    """One engine at work in this thread."""

    app: QCoreApplication
    clock: SystemClock
    loop: QtLoop
    store: Store
    runtime: ScriptedRuntime
    engine: Engine

    def turn_until(self, done: Callable[[], bool], seconds: float = 60.0) -> None:
        """Let Qt's loop turn until something holds. Raises TimeoutError."""
        end = time.monotonic() + seconds
        while not done():
            if time.monotonic() > end:
                raise TimeoutError(f"not within {seconds:g} s")
            self.app.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)

    def start(self) -> None:
        """Start the engine and let it do its first pass."""
        self.engine.start()
        self.turn_until(lambda: self.engine.waiting)


@contextmanager
def stage_on(home: Home, clock: SystemClock, *, most_at_once: int = 0) -> Iterator[Stage]:
    """An engine that has not started yet, on the store of a home; stopped and closed at the end."""
    app = QCoreApplication.instance() or QCoreApplication(["bench"])
    loop = QtLoop(clock)
    store = open_store(home, clock)
    runtime = ScriptedRuntime(loop, clock)
    engine = Engine(clock=clock, store=store, runtime=runtime, loop=loop, home=home, max_concurrent_runs=most_at_once)
    try:
        yield Stage(app, clock, loop, store, runtime, engine)
    finally:
        engine.stop()
        store.close()
        loop.close()
