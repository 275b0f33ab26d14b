"""What logind tells of sleep, over a real bus; and what becomes of the app when there is no bus or no logind."""

from __future__ import annotations

import logging
import socket
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from coven_desktop.clock import SystemClock
from coven_desktop.desktop.power import AGAIN_MS, SleepWatch
from coven_desktop.loop.manual import ManualClock, ManualLoop
from coven_desktop.loop.qt_loop import QtLoop
from tests.desktop.logind import Bus, Logind


@pytest.fixture
def bus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bus]:
    with Bus(tmp_path) as found:
        monkeypatch.setenv("DBUS_SYSTEM_BUS_ADDRESS", found.address)
        yield found


class Listener:
    """A watch on a manual loop, and what it was told."""

    def __init__(self) -> None:
        self.clock = ManualClock()
        self.loop = ManualLoop(self.clock)
        self.told: list[str] = []
        self.watch = SleepWatch(
            self.loop,
            self.clock,
            asleep=lambda: self.told.append("asleep"),
            awake=lambda: self.told.append("awake"),
        )

    def begin(self) -> None:
        """Open it, and wait until it hears logind."""
        self.watch.open()
        self.hear(lambda: self.watch.listens)

    def hear(self, condition: Callable[[], bool]) -> None:
        """Let it listen until a condition holds."""
        self.loop.run_until(condition)


@pytest.fixture
def listener() -> Iterator[Listener]:
    made = Listener()
    yield made
    made.watch.close()


@pytest.fixture
def logind(bus: Bus) -> Iterator[Logind]:
    made = Logind(bus)
    yield made
    made.close()


def test_it_tells_before_a_sleep_and_after_it(logind: Logind, listener: Listener) -> None:
    listener.begin()
    logind.prepare_for_sleep(True)
    listener.hear(lambda: listener.told == ["asleep"])
    logind.prepare_for_sleep(False)
    listener.hear(lambda: listener.told == ["asleep", "awake"])


def test_it_tells_in_the_thread_of_a_qt_loop(logind: Logind, qtbot: QtBot) -> None:
    loop = QtLoop(SystemClock())
    told: list[str] = []
    watch = SleepWatch(loop, SystemClock(), asleep=lambda: told.append("asleep"), awake=lambda: told.append("awake"))
    watch.open()
    qtbot.waitUntil(lambda: watch.listens)
    logind.prepare_for_sleep(True)
    logind.prepare_for_sleep(False)
    qtbot.waitUntil(lambda: told == ["asleep", "awake"])
    watch.close()
    loop.close()


def test_a_logind_that_comes_later_or_anew_is_heard(
    bus: Bus, listener: Listener, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    listener.watch.open()
    listener.hear(lambda: "logind is not there" in caplog.text)
    for heard in (["awake"], ["awake", "awake"]):
        logind = Logind(bus)
        listener.hear(lambda: listener.watch.listens)
        logind.prepare_for_sleep(False)
        listener.hear(lambda heard=heard: listener.told == heard)  # type: ignore[misc]
        logind.close()
        listener.hear(lambda: not listener.watch.listens)


def test_what_somebody_else_says_is_not_believed(bus: Bus, logind: Logind, listener: Listener) -> None:
    pretender = Logind(bus, name=None)
    before = set(pretender.everybody())
    listener.begin()
    (ours,) = set(pretender.everybody()) - before
    pretender.prepare_for_sleep(True)
    pretender.prepare_for_sleep(True, to=ours)
    pretender.say_the_name_is_ours(to=ours)
    pretender.prepare_for_sleep(True, to=ours)
    # the bus keeps the order of what goes through it: once this one has come, so has the other
    pretender.everybody()
    logind.prepare_for_sleep(False)
    listener.hear(lambda: bool(listener.told))
    assert listener.told == ["awake"]
    pretender.close()


@pytest.mark.parametrize(
    "address",
    ["unix:path=/nonexistent/bus", "tcp:host=localhost", "nonsense", "unix:abstract=nobody-listens-here"],
)
def test_without_a_bus_nothing_is_told_and_nothing_is_wrong(
    address: str, listener: Listener, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DBUS_SYSTEM_BUS_ADDRESS", address)
    listener.watch.open()
    assert not listener.watch.listens
    assert listener.loop.next_timer() == listener.clock.monotonic() + AGAIN_MS
    listener.watch.close()
    assert listener.loop.next_timer() is None


def test_a_bus_that_goes_away_is_looked_for_again(bus: Bus, listener: Listener) -> None:
    first = Logind(bus)
    listener.begin()
    bus.end()
    listener.hear(lambda: not listener.watch.listens)
    first.close()
    listener.loop.advance(AGAIN_MS)
    assert not listener.watch.listens
    bus.begin()
    second = Logind(bus)
    listener.loop.advance(AGAIN_MS)
    listener.hear(lambda: listener.watch.listens)
    second.prepare_for_sleep(False)
    listener.hear(lambda: listener.told == ["awake"])
    second.close()


@pytest.mark.parametrize("said", [b"REJECTED EXTERNAL\r\n", b"x" * 10_000, b""], ids=["refused", "chatter", "gone"])
def test_a_bus_that_does_not_let_us_in_is_left_alone(
    said: bytes, tmp_path: Path, listener: Listener, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "bus"))
        server.listen()
        monkeypatch.setenv("DBUS_SYSTEM_BUS_ADDRESS", f"unix:path={tmp_path / 'bus'}")
        listener.watch.open()
        assert listener.loop.next_timer() is None
        connection, _ = server.accept()
        connection.recv(1_000)
        if said:
            connection.sendall(said)
        else:
            connection.close()
        listener.hear(lambda: listener.loop.next_timer() is not None)
        connection.close()


def test_what_is_no_message_ends_the_conversation(
    tmp_path: Path, listener: Listener, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "bus"))
        server.listen()
        monkeypatch.setenv("DBUS_SYSTEM_BUS_ADDRESS", f"unix:path={tmp_path / 'bus'}")
        listener.watch.open()
        connection, _ = server.accept()
        connection.sendall(b"OK 0123456789abcdef\r\n")
        received = bytearray()
        connection.setblocking(False)

        def greeted() -> bool:
            try:
                received.extend(connection.recv(10_000))
            except BlockingIOError:
                return False
            return b"GetNameOwner" in received

        listener.hear(greeted)
        connection.sendall(b"?" * 1_000)
        listener.hear(lambda: listener.loop.next_timer() is not None)
        connection.close()


def test_a_watch_that_is_closed_is_silent_and_leaves_nothing(logind: Logind, listener: Listener) -> None:
    listener.begin()
    assert len(logind.everybody()) == 2
    listener.watch.close()
    listener.hear(lambda: len(logind.everybody()) == 1)
    logind.prepare_for_sleep(True)
    listener.loop.run_until_idle()
    assert listener.told == []
    assert listener.loop.next_timer() is None
