"""Cycles are collected in the GUI thread alone while there is a window."""

from __future__ import annotations

import gc
import threading
import weakref
from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from coven_desktop.loop.garbage import LOOK_MS, GuiGarbage, keep_what_is_there


class Ring:
    """A cycle of its own."""

    def __init__(self) -> None:
        self.me = self


@pytest.fixture
def garbage(qtbot: QtBot) -> Iterator[GuiGarbage]:
    made = GuiGarbage()
    yield made
    made.close()
    gc.disable()  # as the fixture of the suite left it


def test_another_thread_never_takes_a_cycle_apart_and_this_one_does(garbage: GuiGarbage) -> None:
    ring = weakref.ref(Ring())
    threads: list[int] = []
    weakref.finalize(ring(), lambda: threads.append(threading.get_ident()))
    worker = threading.Thread(target=lambda: [Ring() for _ in range(50_000)])
    worker.start()
    worker.join()
    assert ring() is not None, "50,000 cycles in another thread collected nothing"
    garbage.look()
    garbage.look()
    assert ring() is None
    assert threads == [threading.get_ident()]


def test_nothing_is_done_below_the_thresholds_and_close_hands_back(garbage: GuiGarbage) -> None:
    gc.collect()
    ring = weakref.ref(Ring())
    garbage.look()
    assert ring() is not None
    garbage.close()
    assert gc.isenabled()


def test_an_idle_app_is_looked_at_ever_more_seldom_until_there_is_something_to_do(garbage: GuiGarbage) -> None:
    gc.collect()
    waits = []
    for _ in range(6):
        garbage.look()
        waits.append(garbage.interval_ms)
    assert waits == [2_000, 4_000, 8_000, 8_000, 8_000, 8_000]
    rings = [Ring() for _ in range(50_000)]
    garbage.look()
    assert garbage.interval_ms == LOOK_MS
    del rings


def test_what_was_there_at_the_start_is_not_looked_at_again(qtbot: QtBot) -> None:
    lost, kept = weakref.ref(Ring()), Ring()
    try:
        keep_what_is_there()
        assert lost() is None
        assert not any(found is kept for found in gc.get_objects())
    finally:
        gc.unfreeze()
    assert any(found is kept for found in gc.get_objects())
