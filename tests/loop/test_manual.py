"""The manual loop moves only when told, and tells what it did not like."""

from __future__ import annotations

import os
import threading

import pytest

from coven_desktop.clock import SystemClock
from coven_desktop.loop.manual import START_MS, ManualClock, ManualLoop


def test_timers_run_at_their_own_instant_in_order() -> None:
    clock = ManualClock()
    loop = ManualLoop(clock)
    begin = clock.monotonic()
    seen: list[tuple[str, int]] = []

    def first() -> None:
        seen.append(("first", clock.monotonic() - begin))
        loop.call_at(begin + 150, lambda: seen.append(("chained", clock.monotonic() - begin)))

    loop.call_at(begin + 200, lambda: seen.append(("second", clock.monotonic() - begin)))
    loop.call_at(begin + 100, first)
    loop.call_at(begin + 120, lambda: seen.append(("never", 0))).cancel()
    loop.run_until_idle()
    assert seen == []
    loop.advance(1_000)
    assert seen == [("first", 100), ("chained", 150), ("second", 200)]
    assert clock.monotonic() - begin == 1_000
    assert clock.wall() == START_MS + 1_000
    assert loop.next_timer() is None


def test_a_jump_moves_the_wall_clock_alone() -> None:
    clock = ManualClock()
    clock.jump(-3_600_000)
    assert (clock.wall(), clock.monotonic()) == (START_MS - 3_600_000, 1_000_000)
    assert clock.wall_ns() == (START_MS - 3_600_000) * 1_000_000
    with pytest.raises(ValueError):
        clock.advance(-1)
    with pytest.raises(TypeError):
        ManualLoop(SystemClock()).advance(1)


def test_call_soon_comes_in_a_later_turn_and_a_chain_starves_nobody() -> None:
    loop = ManualLoop(ManualClock())
    seen: list[str] = []
    reading, writing = os.pipe()
    os.write(writing, b"x")

    def chain(left: int) -> None:
        seen.append("chain")
        if left:
            loop.call_soon(lambda: chain(left - 1))

    def read() -> None:
        os.read(reading, 1)
        seen.append("read")
        watch.cancel()

    watch = loop.add_reader(reading, read)
    loop.call_soon(lambda: chain(3))
    assert seen == []
    loop.run_until_idle()
    assert seen == ["chain", "read", "chain", "chain", "chain"]
    os.close(reading)
    os.close(writing)


def test_a_reader_that_does_not_read_is_told() -> None:
    loop = ManualLoop(ManualClock())
    reading, writing = os.pipe()
    os.write(writing, b"x")
    watch = loop.add_reader(reading, lambda: None)
    with pytest.raises(RuntimeError, match="still busy"):
        loop.run_until_idle()
    watch.cancel()
    loop.run_until_idle()
    os.close(reading)
    os.close(writing)


def test_waiting_in_real_time_for_another_thread() -> None:
    loop = ManualLoop(ManualClock())
    seen: list[int] = []
    thread = threading.Thread(target=lambda: loop.call_soon(lambda: seen.append(1)))
    thread.start()
    loop.run_until(lambda: seen == [1])
    thread.join()
    with pytest.raises(TimeoutError):
        loop.run_until(lambda: False, limit_ms=1)
