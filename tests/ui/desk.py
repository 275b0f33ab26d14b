"""A real engine in its own thread with the window's gateway to it: what every test of the window stands on."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any, TypeVar

from coven_desktop.clock import Clock, SystemClock
from coven_desktop.engine.answers import Answer, Outcome
from coven_desktop.engine.commands import definitions, execution
from coven_desktop.engine.engine import Engine
from coven_desktop.home import Home, prepare
from coven_desktop.loop.engine_thread import EngineThread
from coven_desktop.loop.gateway import EngineGateway
from coven_desktop.loop.qt_loop import QtLoop
from coven_desktop.qt.core import QCoreApplication, QEventLoop
from coven_desktop.runtime.registry import Registry
from coven_desktop.runtime.sessions import ProcessRuntime
from coven_desktop.settings import Settings
from coven_desktop.store.transactions import Store
from coven_desktop.ui.doors import RuntimeChoice
from coven_desktop.ui.shell import Shell
from tests.ui.fake_service import FakeService

Found = TypeVar("Found")


def until(what: str, condition: Callable[[], Found | None], seconds: float = 20.0) -> Found:
    """Turn Qt's loop until `condition` is something; AssertionError when it is not in time."""
    deadline = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > deadline:
            raise AssertionError(f"not within {seconds:g} s: {what}")
        QCoreApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 10)
        time.sleep(0.002)


class _House:
    def __init__(self, home: Home, clock: Clock, loop: QtLoop) -> None:
        with ExitStack() as made:
            store = Store.open(home.database, now=clock.wall(), backups=home.backups)
            made.callback(store.close)
            runtime = ProcessRuntime(home, Registry.load(home), loop, clock)
            made.callback(runtime.close)
            self.engine = Engine(clock=clock, store=store, runtime=runtime, loop=loop, home=home)
            made.callback(self.engine.stop)
            self.engine.start()
            self._made = made.pop_all()

    def close(self) -> None:
        self._made.close()


class SleepingClock(SystemClock):
    """The machine's clocks, on a machine that can sleep."""

    def sleep(self, milliseconds: int) -> None:
        """The wall clock goes on, and the monotonic one stands still."""
        self._shift_ms += milliseconds


class Desk:
    """Engine, gateway and home; `shell` makes the window on them."""

    def __init__(self, root: Path, *, shift_ms: int = 0) -> None:
        self.home = Home(root)
        prepare(self.home)
        self.clock = SleepingClock(shift_ms)
        self.thread = EngineThread(lambda loop: _House(self.home, self.clock, loop), self.clock)
        self._failures: list[BaseException] = []
        self.thread.failed.connect(self._failures.append)
        self.gateway = EngineGateway(self.thread)
        ready: list[bool] = []
        self.thread.ready.connect(lambda: ready.append(True))
        self.thread.start()
        until("the engine is built", lambda: ready or self._failures)
        assert not self._failures, self._failures
        self.notifications = FakeService()
        self.chosen = Settings(notify_each_failure=True)
        self._shells: list[Shell] = []

    def shell(self) -> Shell:
        """A window and tray on this engine; not started."""
        shell = Shell(
            self.gateway,
            self.home,
            self.clock,
            lambda: (RuntimeChoice("shell", True), RuntimeChoice("claude", False)),
            service=self.notifications,
            chosen=lambda: self.chosen,
        )
        self._shells.append(shell)
        return shell

    def shell_started(self) -> Shell:
        """A window and tray, with the window shown."""
        shell = self.shell()
        shell.start()
        return shell

    def ask(self, command: Callable[..., Any], body: Mapping[str, Any]) -> Outcome:
        """Carry out a command and wait for its outcome."""
        outcomes: list[Outcome] = []
        self.gateway.submit(command, body, outcomes.append)
        until(f"{command.__name__} is answered", lambda: outcomes)
        return outcomes[0]

    def do(self, command: Callable[..., Any], body: Mapping[str, Any]) -> dict[str, Any]:
        """The payload of a command that must succeed."""
        outcome = self.ask(command, body)
        assert isinstance(outcome, Answer), outcome
        return outcome.payload

    def routine(self, name: str, prompt: str = "true", **members: Any) -> str:
        """Create a routine; returns its id."""
        body = definition(name, prompt, str(self.home.root), **members)
        self.do(definitions.create, {"definition": body})
        return str(body["id"])

    def run(self, automation_id: str, key: str = "") -> str:
        """Run a routine now; returns the occurrence's id."""
        body = {
            "action": "coven.automations.occurrence.runNow.v1",
            "adoptionKey": f"test:run:{automation_id}:{key}:{os.urandom(4).hex()}",
            "automationId": automation_id,
        }
        return str(self.do(execution.run_now, body)["occurrenceId"])

    def close(self) -> None:
        """Take the windows down, then the engine."""
        for shell in self._shells:
            shell.close()
        QCoreApplication.processEvents()
        assert self.thread.stop(10_000)
        QCoreApplication.processEvents()


def definition(name: str, prompt: str, folder: str, **members: Any) -> dict[str, Any]:
    """A definition with everything it needs; its id is made of its name."""
    return {
        "schemaVersion": 1,
        "id": name.lower().replace(" ", "-"),
        "name": name,
        "status": "ACTIVE",
        "rrule": "FREQ=DAILY;BYHOUR=3",
        "timezone": "Europe/Paris",
        "misfire": "latest",
        "overlap": "forbid",
        "timeoutMinutes": 30,
        "runtime": "shell",
        "prompt": prompt,
        "cwd": folder,
        **members,
    }
