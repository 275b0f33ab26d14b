"""The main job: a slot is planned once, runs once, and its end is proven."""

from __future__ import annotations

from coven_desktop.contract import timestamps
from tests.engine.conftest import HOUR, Bench


def test_a_due_slot_is_planned_claimed_started_and_settled_from_evidence(bench: Bench) -> None:
    bench.create()
    assert bench.states() == []
    bench.loop.advance(HOUR)
    assert bench.states() == [("notes", "running", "running", "observing")]
    (spec,) = bench.world.launched
    bench.loop.advance(5_000)
    ended = bench.clock.wall() - 1_000
    bench.runtime.end(spec.session_id, bench.runtime.evidence(spec.session_id, ended_at=ended))
    bench.loop.run_until_idle()
    assert bench.states() == [("notes", "succeeded", "succeeded", "succeeded")]
    ((finished, code),) = bench.rows("SELECT finished_at, exit_code FROM runs")
    assert (finished, code) == (timestamps.to_text(ended), 0)
