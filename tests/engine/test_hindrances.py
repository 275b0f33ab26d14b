"""What keeps routines and slots from going by their schedule, as our own reads tell it (decisions.md 16, 28, 31)."""

from __future__ import annotations

from typing import Any

from coven_desktop.contract import timestamps
from coven_desktop.engine import inventory
from coven_desktop.engine.commands import pausing
from tests.engine.conftest import DAY, HOUR, MINUTE, START, Bench

TEN = "2026-09-01T10:00:00.000Z"


def told(bench: Bench) -> dict[str, Any]:
    """coven.desktop.state.v1."""
    return bench.engine.reads.open_work()


def listed(bench: Bench) -> dict[str, Any]:
    """The one routine in coven.desktop.routine.list.v1."""
    (entry,) = inventory.routines(bench.store, {}, timestamps.to_text(bench.clock.wall()))
    return entry


# a clock that was ahead


def test_until_when_nothing_is_planned_because_the_clock_was_ahead(bench: Bench) -> None:
    bench.run_due()
    bench.end()
    assert told(bench)["clockAhead"] == []
    assert (listed(bench)["clockAheadUntil"], listed(bench)["nextDueAt"]) == (None, "2026-09-01T11:00:00.000Z")
    bench.sleep(-2 * DAY)
    bench.advance(MINUTE)
    assert told(bench)["clockAhead"] == [{"automationId": "notes", "until": TEN}]
    assert (listed(bench)["clockAheadUntil"], listed(bench)["nextDueAt"]) == (TEN, "2026-09-01T11:00:00.000Z")
    # the tray promises no other date either, and nothing runs before it
    assert [firing.at for firing in bench.engine.reads.state_summary().next] == [timestamps.parse(TEN) + HOUR]
    bench.advance(HOUR)
    assert len(bench.world.launched) == 1


def test_a_revision_under_a_clock_that_was_ahead_holds_it_back_too(bench: Bench) -> None:
    bench.create()
    bench.sleep(-DAY)
    assert told(bench)["clockAhead"] == [{"automationId": "notes", "until": START}]


def test_what_is_paused_is_not_said_to_wait_for_the_clock(bench: Bench) -> None:
    bench.create(status="PAUSED")
    bench.sleep(-DAY)
    assert told(bench)["clockAhead"] == []


# a free place


def test_a_slot_that_waits_for_a_free_place_is_told_and_its_reason_is_none(bench: Bench) -> None:
    bench.again(places=1)
    bench.create("first")
    bench.create("second")
    bench.advance(HOUR)
    waits = {"automationId": "second", "occurrenceId": f"second-{timestamps.parse(TEN)}", "scheduledFor": TEN}
    assert (told(bench)["places"], told(bench)["waitingForPlace"]) == (1, [waits])
    assert bench.engine.reads.state_summary().waiting_for_place == 1
    assert bench.reasons() == [("running", None), ("planned", None)]
    bench.end()
    assert told(bench)["waitingForPlace"] == []
    assert [spec.automation_id for spec in bench.world.launched] == ["first", "second"]


def test_what_waits_for_something_else_does_not_wait_for_a_place(bench: Bench) -> None:
    bench.again(places=1)
    bench.create("first")
    bench.create("second")
    bench.advance(HOUR)
    pausing.pause_all(bench.engine, {"adoptionKey": "adopt:pause:0001", "until": None})
    assert told(bench)["waitingForPlace"] == []


def test_without_a_limit_nothing_waits(bench: Bench) -> None:
    bench.again(places=0)
    bench.create("first")
    bench.advance(HOUR)
    assert (told(bench)["places"], told(bench)["waitingForPlace"]) == (0, [])


# a routine that is not understood


def test_why_a_routine_is_broken_is_told_as_it_is_kept(bench: Bench) -> None:
    bench.create()
    bench.rows("UPDATE definitions SET broken_reason = 'this host has no zone'")
    assert told(bench)["broken"] == [{"automationId": "notes", "reason": "this host has no zone"}]
    assert listed(bench)["brokenReason"] == "this host has no zone"
    bench.rows("UPDATE definitions SET tombstoned_at = created_at")
    assert told(bench)["broken"] == []
