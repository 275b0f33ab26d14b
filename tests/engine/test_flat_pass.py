"""A pass with nothing due costs the same whatever the number of routines: counted in steps of SQLite, not in time."""

from __future__ import annotations

from tests.engine.conftest import MINUTE, Bench

# SQLite tells of every so many of its instructions.
GRAIN = 10


def steps_of_an_idle_pass(bench: Bench) -> int:
    """How many instructions SQLite carries out for one pass that finds nothing to do."""
    told = 0

    def tell() -> bool:
        nonlocal told
        told += 1
        return False

    passes = bench.last_pass()
    bench.store.connection.set_progress_handler(tell, GRAIN)
    try:
        bench.advance(MINUTE)
    finally:
        bench.store.connection.set_progress_handler(None)
    assert bench.last_pass() != passes
    return told * GRAIN


def test_a_pass_with_nothing_due_does_not_grow_with_the_routines(bench: Bench) -> None:
    for number in range(20):
        bench.create(f"few-{number}", rrule="FREQ=DAILY;BYHOUR=3")
    bench.advance(MINUTE)
    few = steps_of_an_idle_pass(bench)
    for number in range(200):
        bench.create(f"many-{number}", rrule="FREQ=DAILY;BYHOUR=3")
    bench.advance(MINUTE)
    # going through the routines in one statement alone would be a thousand more
    assert steps_of_an_idle_pass(bench) <= few + 200
