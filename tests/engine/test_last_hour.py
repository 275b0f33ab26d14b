"""The last hours that have a text: whatever would end after 9999 ends with it, and passes go on calmly."""

from __future__ import annotations

from coven_desktop.contract import timestamps
from coven_desktop.engine.commands import cancellation
from tests.engine.conftest import HOUR, MINUTE, SECOND, Bench

LAST = "9999-12-31T23:59:59.999Z"


def in_the_last_hour(bench: Bench) -> None:
    """The clock goes to a little before the last slot there is."""
    bench.sleep(timestamps.parse("9999-12-31T22:30:00.000Z") - bench.clock.wall())
    bench.advance(MINUTE)


def test_the_last_slot_runs_with_a_lease_and_a_deadline_that_have_a_text(bench: Bench) -> None:
    in_the_last_hour(bench)
    bench.create(timeoutMinutes=600)
    bench.advance(HOUR)
    assert bench.rows("SELECT state, scheduled_for, lease_expires_at FROM occurrences") == [
        ("running", "9999-12-31T23:00:00.000Z", LAST)
    ]
    assert bench.value("SELECT timeout_at FROM runs") == LAST
    assert bench.value("SELECT next_due_at FROM definitions") is None
    bench.end()
    assert bench.reasons() == [("succeeded", None)]
    assert bench.last_pass()["status"] == "succeeded"


def test_a_run_is_stopped_in_the_last_seconds(bench: Bench) -> None:
    in_the_last_hour(bench)
    bench.create(timeoutMinutes=600)
    bench.advance(HOUR + 29 * MINUTE - 10 * SECOND)
    cancellation.cancel_run(bench.engine, bench.cancel_body())
    bench.turn()
    assert bench.value("SELECT expires_at FROM stop_fences") == LAST
    assert bench.last_pass()["status"] == "succeeded"


def test_the_last_instant_is_the_last_that_has_a_text() -> None:
    assert timestamps.to_text(timestamps.LAST) == timestamps.to_text_capped(timestamps.LAST + 1) == LAST
    assert timestamps.to_text_capped(0) == "1970-01-01T00:00:00.000Z"
