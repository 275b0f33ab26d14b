"""The engine in its own thread, and the GUI's door to it."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from coven_desktop.clock import SystemClock
from coven_desktop.contract.errors import Refusal
from coven_desktop.engine.answers import Answer, Outcome, Pending
from coven_desktop.engine.commands import definitions
from coven_desktop.engine.engine import Engine
from coven_desktop.home import Home, prepare
from coven_desktop.loop.engine_thread import EngineStopped, EngineThread
from coven_desktop.loop.gateway import EngineGateway
from coven_desktop.loop.qt_loop import QtLoop
from coven_desktop.store.transactions import Store
from tests.conftest import LoggedWarnings
from tests.engine.conftest import definition
from tests.engine.scripted_runtime import ScriptedRuntime


class House:
    """A real engine on a real store; only the runtime starts nothing."""

    def __init__(self, home: Home, clock: SystemClock, loop: QtLoop) -> None:
        self.store = Store.open(home.database, now=clock.wall(), backups=home.backups)
        self._engine = Engine(clock=clock, store=self.store, runtime=ScriptedRuntime(loop, clock), loop=loop, home=home)
        self._engine.start()
        self.threads = [threading.get_ident()]

    @property
    def engine(self) -> Engine:
        return self._engine

    def close(self) -> None:
        self.threads.append(threading.get_ident())
        self._engine.stop()
        self.store.close()


class Rig:
    """The thread with its gateway, and what came out of them."""

    def __init__(self, root: Path) -> None:
        self.clock = SystemClock()
        self.home = Home(root)
        prepare(self.home)
        self.houses: list[House] = []
        self.outcomes: list[Outcome] = []
        self.thread = EngineThread(self.build, self.clock)
        self.gateway = EngineGateway(self.thread)

    def build(self, loop: QtLoop) -> House:
        self.houses.append(House(self.home, self.clock, loop))
        return self.houses[-1]


@pytest.fixture
def rig(tmp_path: Path, qtbot: QtBot) -> Iterator[Rig]:
    found = Rig(tmp_path / "home")
    found.thread.start()
    yield found
    assert found.thread.stop()


def create(rig: Rig, automation_id: str = "notes") -> None:
    rig.gateway.submit(definitions.create, {"definition": definition(automation_id)}, rig.outcomes.append)


def test_a_command_goes_over_and_its_answer_comes_back(rig: Rig, qtbot: QtBot) -> None:
    threads: list[int] = []

    def done(outcome: Outcome) -> None:
        threads.append(threading.get_ident())
        rig.outcomes.append(outcome)

    rig.gateway.submit(definitions.create, {"definition": definition()}, done)
    assert rig.outcomes == [], "never inside the call"
    qtbot.waitUntil(lambda: len(rig.outcomes) == 1)
    answer = rig.outcomes[0]
    assert isinstance(answer, Answer)
    assert answer.payload["routine"]["id"] == "notes"
    assert threads == [threading.get_ident()]
    assert rig.houses[0].threads[0] != threading.get_ident()


def test_refusals_and_bugs_come_back_too(rig: Rig, qtbot: QtBot, logged: LoggedWarnings) -> None:
    logged.expect("A command of the window failed")

    def bug(engine: Engine, body: Mapping[str, Any]) -> Answer:
        raise ZeroDivisionError

    rig.gateway.submit(definitions.create, {}, rig.outcomes.append)
    rig.gateway.submit(bug, {}, rig.outcomes.append)
    qtbot.waitUntil(lambda: len(rig.outcomes) == 2)
    assert isinstance(rig.outcomes[0], Refusal)
    assert isinstance(rig.outcomes[1], ZeroDivisionError)


def test_a_pending_answer_is_awaited(rig: Rig, qtbot: QtBot) -> None:
    pending = Pending()
    asked = threading.Event()

    def wait(engine: Engine, body: Mapping[str, Any]) -> Pending:
        asked.set()
        return pending

    rig.gateway.submit(wait, {}, rig.outcomes.append)
    qtbot.waitUntil(asked.is_set)
    create(rig)
    qtbot.waitUntil(lambda: len(rig.outcomes) == 1)
    rig.thread.post(lambda engine: pending.complete(Answer({"late": True})))
    qtbot.waitUntil(lambda: len(rig.outcomes) == 2)
    assert isinstance(rig.outcomes[1], Answer)
    assert rig.outcomes[1].payload == {"late": True}


def test_changes_are_told_and_joined(rig: Rig, qtbot: QtBot) -> None:
    changes: list[int] = []
    with qtbot.waitSignal(rig.gateway.changed):
        create(rig, "first")
    rig.gateway.changed.connect(lambda: changes.append(1))
    for number in range(50):
        create(rig, f"routine-{number}")
    qtbot.waitUntil(lambda: len(rig.outcomes) == 51)
    qtbot.waitUntil(lambda: len(changes) >= 1)
    assert len(changes) < 25


def test_the_engine_stops_in_order_and_nobody_waits_for_ever(tmp_path: Path, qtbot: QtBot) -> None:
    rig = Rig(tmp_path / "home")
    rig.thread.start()
    asked = threading.Event()

    def wait(engine: Engine, body: Mapping[str, Any]) -> Pending:
        asked.set()
        return Pending()

    rig.gateway.submit(wait, {}, rig.outcomes.append)
    qtbot.waitUntil(asked.is_set)
    assert rig.thread.stop()
    assert rig.thread.isFinished()
    house = rig.houses[0]
    assert house.threads[0] == house.threads[1]
    qtbot.waitUntil(lambda: len(rig.outcomes) == 1)
    create(rig)
    qtbot.waitUntil(lambda: len(rig.outcomes) == 2)
    assert [type(outcome) for outcome in rig.outcomes] == [EngineStopped, EngineStopped]
    with pytest.raises(EngineStopped):
        rig.thread.post(lambda engine: None)


def test_stopping_before_it_began_to_serve(tmp_path: Path, qtbot: QtBot) -> None:
    rig = Rig(tmp_path / "home")
    go_on = threading.Event()
    build = rig.build

    def slow(loop: QtLoop) -> House:
        go_on.wait(10)
        return build(loop)

    rig.thread = EngineThread(slow, rig.clock)
    rig.gateway = EngineGateway(rig.thread)
    rig.thread.start()
    create(rig)
    assert not rig.thread.stop(limit_ms=0)
    go_on.set()
    assert rig.thread.wait(10_000)
    assert rig.houses[0].threads[0] == rig.houses[0].threads[1]
    qtbot.waitUntil(lambda: len(rig.outcomes) == 1)
    assert isinstance(rig.outcomes[0], EngineStopped)


def test_what_cannot_be_built_is_told(tmp_path: Path, qtbot: QtBot) -> None:
    def fail(loop: QtLoop) -> House:
        raise ValueError("no store")

    thread = EngineThread(fail, SystemClock())
    gateway = EngineGateway(thread)
    outcomes: list[Outcome] = []
    gateway.submit(definitions.create, {}, outcomes.append)
    with qtbot.waitSignal(thread.failed) as failed:
        thread.start()
    assert failed.args is not None
    assert str(failed.args[0]) == "no store"
    qtbot.waitUntil(lambda: len(outcomes) == 1)
    assert isinstance(outcomes[0], EngineStopped)
    assert thread.wait(2_000)
