"""Wakes that come close together are answered by one pass, when the engine is told to join them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from coven_desktop.engine.commands import definitions
from coven_desktop.engine.engine import Engine
from tests.engine.conftest import Bench, definition
from tests.engine.scripted_runtime import ScriptedRuntime

JOINED_MS = 20


@pytest.fixture
def joining(bench: Bench) -> Iterator[Engine]:
    """The bench's store under an engine that joins wakes; it has started."""
    bench.engine.stop()
    runtime = ScriptedRuntime(bench.loop, bench.clock, bench.world, automatic=True)
    engine = Engine(
        clock=bench.clock,
        store=bench.store,
        runtime=runtime,
        loop=bench.loop,
        home=bench.home,
        join_wakes_ms=JOINED_MS,
    )
    engine.start()
    bench.turn()
    yield engine
    engine.stop()


def test_one_pass_looks_at_all_that_was_asked_within_the_time(bench: Bench, joining: Engine) -> None:
    first = joining.reads.scheduler_status()["lastPass"]
    for number in range(5):
        definitions.create(joining, {"definition": definition(f"r{number}")})
        bench.advance(JOINED_MS // 10)
    assert joining.reads.scheduler_status()["lastPass"] == first, "the pass waits for more"
    bench.advance(JOINED_MS)
    second = joining.reads.scheduler_status()["lastPass"]
    assert (second["trigger"], second["status"]) == ("wake", "succeeded")
    assert second["startedAt"] != first["startedAt"]
    bench.advance(JOINED_MS * 10)
    assert joining.reads.scheduler_status()["lastPass"] == second, "and there is one"


def test_a_wake_during_a_pass_is_followed_by_another(bench: Bench, joining: Engine) -> None:
    definitions.create(joining, {"definition": definition("first")})
    bench.advance(JOINED_MS)
    first = joining.reads.scheduler_status()["lastPass"]
    definitions.create(joining, {"definition": definition("second")})
    bench.advance(JOINED_MS)
    assert joining.reads.scheduler_status()["lastPass"]["startedAt"] > first["startedAt"]


def test_who_has_stopped_is_not_woken(bench: Bench, joining: Engine) -> None:
    definitions.create(joining, {"definition": definition("first")})
    last = joining.reads.scheduler_status()["lastPass"]
    joining.stop()
    bench.advance(JOINED_MS * 2)
    assert joining.reads.scheduler_status()["lastPass"] == last
