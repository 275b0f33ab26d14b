"""The sixteen fields of a routine's health (contract/engine.md §9, decisions.md 17 and 18)."""

from __future__ import annotations

from typing import Any

import pytest

from coven_desktop.contract.errors import Refusal
from coven_desktop.engine.commands import definitions, execution
from tests.engine.conftest import HOUR, MINUTE, SECOND, Bench

FIELDS = [
    "automationId",
    "nextDueAt",
    "lastPlannedAt",
    "lastStartedAt",
    "lastSuccessAt",
    "consecutiveFailures",
    "leaseOwner",
    "leaseExpiresAt",
    "staleReason",
    "currentAttempt",
    "maxAttempts",
    "retryNotBefore",
    "consecutiveExhaustions",
    "quarantinedAt",
    "quarantineFailureClass",
    "quarantineReason",
]


def health(bench: Bench, automation_id: str = "notes") -> dict[str, Any]:
    return bench.engine.reads.health(automation_id)


def test_a_fresh_routine(bench: Bench) -> None:
    bench.create(retry={"maxAttempts": 3, "backoffPolicy": "none"})
    assert list(health(bench)) == FIELDS
    assert health(bench) == dict.fromkeys(FIELDS) | {
        "automationId": "notes",
        "nextDueAt": "2026-09-01T10:00:00.000Z",
        "consecutiveFailures": 0,
        "maxAttempts": 3,
        "consecutiveExhaustions": 0,
    }


def test_a_running_routine(bench: Bench) -> None:
    bench.run_due()
    bench.advance(SECOND)
    assert health(bench) == dict.fromkeys(FIELDS) | {
        "automationId": "notes",
        "nextDueAt": "2026-09-01T11:00:00.000Z",
        "lastPlannedAt": "2026-09-01T10:00:00.000Z",
        "lastStartedAt": "2026-09-01T10:00:00.000Z",
        "consecutiveFailures": 0,
        "leaseOwner": "daemon",
        "leaseExpiresAt": "2026-09-01T11:00:00.000Z",
        "maxAttempts": 1,
        "consecutiveExhaustions": 0,
    }


def test_failures_are_counted_since_the_last_success(bench: Bench) -> None:
    bench.run_due()
    bench.end()
    for failures in range(2):
        bench.advance(HOUR)
        bench.end(1)
        # a run that is held has not failed yet
        assert health(bench)["consecutiveFailures"] == failures
    bench.advance(30 * MINUTE)
    shown = health(bench)
    assert (shown["lastSuccessAt"], shown["consecutiveFailures"]) == ("2026-09-01T10:00:00.000Z", 2)
    assert shown["leaseOwner"] is None
    bench.clock.advance(SECOND)
    bench.done(execution.run(bench.engine, {"id": "notes"}))
    bench.end()
    shown = health(bench)
    # of a manual run it is the time with nine digits
    assert (shown["lastSuccessAt"], shown["consecutiveFailures"]) == ("2026-09-01T12:30:01.000000000Z", 0)
    assert shown["lastPlannedAt"] == "2026-09-01T12:00:00.000Z"


def test_a_slot_that_is_due_right_now_is_not_the_next(bench: Bench) -> None:
    bench.create()
    bench.clock.advance(HOUR)
    assert health(bench)["nextDueAt"] == "2026-09-01T11:00:00.000Z"


def test_a_paused_routine_has_a_next_slot_all_the_same(bench: Bench) -> None:
    bench.create(status="PAUSED")
    assert health(bench)["nextDueAt"] == "2026-09-01T10:00:00.000Z"


def test_what_waits_for_recovery_is_named(bench: Bench) -> None:
    bench.runtime.end(bench.run_due(), None)
    bench.turn()
    shown = health(bench)
    assert shown["staleReason"] == "session vanished without evidence: whether its work was done is not known"
    assert (shown["leaseOwner"], shown["leaseExpiresAt"]) == (None, None)


def test_a_quarantined_routine_has_no_next_slot(bench: Bench) -> None:
    bench.create()
    bench.store.connection.execute(
        "INSERT INTO retry_state VALUES ('notes', 2, '2026-09-01T09:00:00.000Z', 'transient_dispatch', 'busy', 'now')"
    )
    shown = health(bench)
    assert shown["nextDueAt"] is None
    assert shown["consecutiveExhaustions"] == 2
    assert shown["quarantinedAt"] == "2026-09-01T09:00:00.000Z"
    assert (shown["quarantineFailureClass"], shown["quarantineReason"]) == ("transient_dispatch", "busy")


def test_a_broken_routine_has_health_without_a_date(bench: Bench) -> None:
    bench.create()
    bench.store.connection.execute("UPDATE definitions SET body = '[]'")
    assert health(bench)["nextDueAt"] is None


def test_unknown_and_deleted_routines_have_none(bench: Bench) -> None:
    bench.create()
    definitions.delete(bench.engine, {"id": "notes"})
    for automation_id in ("notes", "never"):
        with pytest.raises(Refusal) as caught:
            health(bench, automation_id)
        assert caught.value.reason == f"no routine with id `{automation_id}`"
