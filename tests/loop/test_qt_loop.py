"""The Qt loop: instants, descriptors, other threads, its manners beside a window, and that Qt's binding is sound."""

from __future__ import annotations

import gc
import os
import sys
import threading
import time
from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from coven_desktop.clock import SystemClock
from coven_desktop.loop import qt_loop
from coven_desktop.loop.manual import ManualClock
from coven_desktop.loop.qt_loop import LONGEST_WAIT_MS, QtLoop
from tests.conftest import LoggedWarnings


@pytest.fixture
def loop(qtbot: QtBot) -> Iterator[QtLoop]:
    found = QtLoop(SystemClock())
    yield found
    found.close()


def test_instants_come_in_order_and_never_early(loop: QtLoop, qtbot: QtBot) -> None:
    clock = SystemClock()
    begin = clock.monotonic()
    seen: list[tuple[str, bool]] = []

    def note(name: str, due: int) -> None:
        loop.call_at(due, lambda: seen.append((name, clock.monotonic() >= due)))

    note("second", begin + 20)
    note("first", begin + 10)
    note("past", begin - 5)
    loop.call_at(begin + 15, lambda: seen.append(("never", True))).cancel()
    qtbot.waitUntil(lambda: len(seen) == 3)
    assert seen == [("past", True), ("first", True), ("second", True)]


def test_a_far_instant_is_waited_for_in_pieces(qtbot: QtBot) -> None:
    clock = ManualClock()
    loop = QtLoop(clock)
    seen: list[int] = []
    far = clock.monotonic() + 90 * 24 * 3_600_000
    loop.call_at(far, lambda: seen.append(1))
    assert 0 < loop._timer.interval() <= LONGEST_WAIT_MS
    clock.advance(far - clock.monotonic())
    loop.call_at(far - 1, lambda: seen.append(0))
    qtbot.waitUntil(lambda: seen == [0, 1])
    loop.close()


def test_descriptors(loop: QtLoop, qtbot: QtBot) -> None:
    reading, writing = os.pipe()
    os.set_blocking(reading, False)
    seen: list[bytes] = []
    read = loop.add_reader(reading, lambda: seen.append(os.read(reading, 10)))

    def write() -> None:
        os.write(writing, b"x")
        watch.cancel()
        watch.cancel()

    watch = loop.add_writer(writing, write)
    qtbot.waitUntil(lambda: seen == [b"x"])
    read.cancel()
    os.write(writing, b"y")
    done: list[int] = []
    loop.call_soon(lambda: done.append(1))
    qtbot.waitUntil(lambda: done == [1])
    assert seen == [b"x"]
    os.close(reading)
    os.close(writing)


def test_other_threads_may_call_soon_and_nothing_else(loop: QtLoop, qtbot: QtBot) -> None:
    seen: list[int] = []
    refused: list[BaseException] = []

    def elsewhere() -> None:
        for number in range(1_000):
            loop.call_soon(lambda number=number: seen.append(number))  # type: ignore[misc]
        try:
            loop.call_at(0, lambda: None)
        except RuntimeError as error:
            refused.append(error)

    thread = threading.Thread(target=elsewhere)
    thread.start()
    thread.join()
    assert seen == [], "a later turn of the loop"
    qtbot.waitUntil(lambda: len(seen) == 1_000)
    assert seen == list(range(1_000))
    assert len(refused) == 1


def test_a_chain_of_calls_starves_no_timer(loop: QtLoop, qtbot: QtBot) -> None:
    ended: list[int] = []

    def chain() -> None:
        if not ended:
            loop.call_soon(chain)

    chain()
    loop.call_at(SystemClock().monotonic() + 5, lambda: ended.append(1))
    qtbot.waitUntil(lambda: ended == [1])


def test_a_callback_that_fails_is_logged_and_the_loop_goes_on(
    loop: QtLoop, qtbot: QtBot, logged: LoggedWarnings
) -> None:
    logged.expect("A callback of the engine's loop failed")
    seen: list[int] = []

    def fail() -> None:
        raise ZeroDivisionError

    loop.call_soon(fail)
    loop.call_soon(lambda: seen.append(1))
    qtbot.waitUntil(lambda: seen == [1])


def test_beside_a_window_it_rests_between_stretches(
    loop: QtLoop, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    rests: list[float] = []
    monkeypatch.setattr(time, "sleep", rests.append)
    monkeypatch.setattr(qt_loop, "REST_NS", 10**15)  # no gap between two callbacks counts as a rest
    seen: list[int] = []

    def work() -> None:
        end = time.monotonic_ns() + qt_loop.STRETCH_NS
        while time.monotonic_ns() < end:
            pass
        seen.append(1)

    for _ in range(3):
        loop.call_soon(work)
    qtbot.waitUntil(lambda: len(seen) == 3)
    assert rests == [], "alone it has nobody to be polite to"
    loop.share(True)
    for _ in range(3):
        loop.call_soon(work)
    qtbot.waitUntil(lambda: len(seen) == 6)
    assert rests == [10**6] * 3


def test_a_closed_loop_is_silent(qtbot: QtBot) -> None:
    loop = QtLoop(SystemClock())
    reading, writing = os.pipe()
    seen: list[int] = []
    watch = loop.add_reader(reading, lambda: seen.append(1))
    loop.call_soon(lambda: seen.append(2))
    loop.call_at(0, lambda: seen.append(3))
    os.write(writing, b"x")
    with qtbot.waitSignal(loop.destroyed):
        loop.close()
    loop.call_soon(lambda: seen.append(4))
    watch.cancel()
    assert seen == []
    os.close(reading)
    os.close(writing)


def test_none_keeps_its_references(loop: QtLoop, qtbot: QtBot) -> None:
    """PySide6 6.12.0 lost one reference to None per call on Python 3.11, until the interpreter died of it."""
    count = 10_000
    reading, writing = os.pipe()
    os.write(writing, b"x" * count)
    seen = {"soon": 0, "timer": 0, "read": 0}

    def soon() -> None:
        seen["soon"] += 1
        if seen["soon"] < count:
            loop.call_soon(soon)

    def timer() -> None:
        seen["timer"] += 1
        if seen["timer"] < count:
            loop.call_at(0, timer)

    def read() -> None:
        os.read(reading, 1)
        seen["read"] += 1
        if seen["read"] == count:
            watch.cancel()

    gc.collect()
    before = sys.getrefcount(None)
    soon()
    timer()
    watch = loop.add_reader(reading, read)
    qtbot.waitUntil(lambda: set(seen.values()) == {count}, timeout=30_000)
    gc.collect()
    lost = before - sys.getrefcount(None)
    assert lost < count // 100
    os.close(reading)
    os.close(writing)
