"""A routine that has used up its attempts is quarantined until somebody releases it (contract/engine.md §6)."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any

import pytest

from coven_desktop.contract.errors import Code, Refusal
from coven_desktop.engine.commands import execution, recovery
from coven_desktop.engine.commands.quarantine import unquarantine
from coven_desktop.runtime.evidence import Refusal as RefusedStart
from coven_desktop.runtime.sessions import FailureClass, LaunchRefused
from coven_desktop.store.transactions import Notice, Transaction
from tests.engine.conftest import DAY, HOUR, MINUTE, SECOND, Bench, refused
from tests.engine.definition_bodies import next_due
from tests.engine.held_runs import BUSY, MISSING, policy, quarantine, states

TEXT = "routine is quarantined after retry exhaustion; explicitly unquarantine it before running"
ONCE = policy(attempts=1)


def exhausted(bench: Bench, **changes: Any) -> str:
    """A routine whose first slot has used up its attempts; its run is held. Returns the run's id."""
    bench.runtime.refuse = BUSY
    bench.run_due(**{"retry": ONCE, **changes})
    bench.runtime.refuse = None
    return str(bench.value("SELECT id FROM runs"))


def evidence(bench: Bench) -> tuple[Any, ...]:
    health = bench.engine.reads.health("notes")
    return (
        health["consecutiveExhaustions"],
        health["quarantinedAt"],
        health["quarantineFailureClass"],
        health["quarantineReason"],
    )


def release(bench: Bench) -> None:
    unquarantine(bench.engine, {"id": "notes"})
    bench.turn()


def noticed(bench: Bench) -> list[Notice]:
    """What the desktop is told from now on."""
    told: list[Notice] = []
    bench.engine.subscribe_notices(told.append)
    return told


# when it begins


def test_with_one_attempt_the_first_failure_of_a_listed_class_is_enough(bench: Bench) -> None:
    exhausted(bench)
    assert evidence(bench) == (1, "2026-09-01T10:00:00.000Z", "transient_dispatch", BUSY.message)
    assert next_due(bench) is None
    # its run is held all the same
    assert bench.states() == [("notes", "claimed", "running", "failed")]


def test_it_begins_with_the_last_attempt(bench: Bench) -> None:
    bench.runtime.refuse = BUSY
    bench.run_due(retry=policy(attempts=3))
    bench.advance(20 * SECOND - 1)
    assert evidence(bench)[0] == 0
    bench.advance(1)
    assert evidence(bench)[:2] == (1, "2026-09-01T10:00:20.000Z")


@pytest.mark.parametrize("failure_class", ["runtime_unavailable", "transient_dispatch", "launch_refused"])
@pytest.mark.parametrize("most", [1, 3])
def test_a_class_that_is_not_listed_never_quarantines(bench: Bench, failure_class: FailureClass, most: int) -> None:
    others = {"runtime_unavailable", "transient_dispatch", "lease_expired"} - {failure_class}
    bench.runtime.refuse = LaunchRefused(failure_class, "no")
    bench.run_due(retry=policy(attempts=most, classes=tuple(sorted(others))), timeoutMinutes=5)
    bench.advance(5 * HOUR)
    assert bench.rows("SELECT * FROM retry_state") == []
    assert len(bench.rows("SELECT 1 FROM runs WHERE status = 'failed'")) == 5


def test_a_command_that_ran_and_failed_never_quarantines(bench: Bench) -> None:
    bench.run_due(retry=policy(attempts=1, classes=("runtime_unavailable", "transient_dispatch", "lease_expired")))
    bench.end(3)
    assert bench.rows("SELECT * FROM retry_state") == []


def test_the_last_attempt_quarantines_also_when_its_failure_is_found_after_the_deadline(bench: Bench) -> None:
    bench.automatic = False
    bench.again()
    session = bench.run_due(retry=ONCE, timeoutMinutes=1)
    bench.kill()
    bench.clock.advance(MINUTE)
    failed = bench.runtime.evidence(session, outcome="refused", refusal=RefusedStart("fork", 11))
    bench.world.found[session] = ("ended", failed)
    bench.restart()
    assert bench.states() == [("notes", "failed", "failed", "failed")]
    assert evidence(bench)[0] == 1


def test_every_exhaustion_is_counted_and_the_latest_evidence_stands(bench: Bench) -> None:
    bench.automatic = False
    bench.again()
    session = bench.run_due(retry=policy(attempts=1, classes=("runtime_unavailable",)))
    quarantine(bench)
    told = noticed(bench)
    bench.advance(SECOND)
    bench.runtime.fail_start(session, MISSING)
    bench.turn()
    assert evidence(bench) == (2, "2026-09-01T10:00:01.000Z", "runtime_unavailable", MISSING.message)
    assert told == []


# what it blocks


def test_nothing_is_planned_or_claimed(bench: Bench) -> None:
    exhausted(bench, timeoutMinutes=5)
    bench.advance(5 * HOUR)
    assert bench.states() == [("notes", "failed", "failed", "failed")]
    assert bench.world.launched == []


def test_no_start_that_a_person_asks_for(bench: Bench) -> None:
    exhausted(bench, timeoutMinutes=5)
    bench.advance(5 * MINUTE)
    with pytest.raises(Refusal) as caught:
        execution.run(bench.engine, {"id": "notes"})
    assert caught.value.reason == TEXT
    body = bench.strict("occurrence.runNow.v1", automationId="notes")
    told = refused(lambda: execution.run_now(bench.engine, body))
    assert (told.code, told.reason) == (Code.ILLEGAL_TRANSITION, TEXT)
    release(bench)
    bench.done(execution.run(bench.engine, {"id": "notes"}))
    assert len(bench.world.launched) == 1


def test_no_operator_retry_until_it_is_released(bench: Bench) -> None:
    run_id = exhausted(bench)

    def retry() -> dict[str, Any]:
        return bench.strict("attempt.retry.v1", runId=run_id, priorAttemptNumber=1, priorDisposition="failed")

    assert refused(lambda: recovery.retry_attempt(bench.engine, retry())).code == Code.ILLEGAL_TRANSITION
    release(bench)
    recovery.retry_attempt(bench.engine, retry())
    bench.turn()
    assert states(bench) == ["failed", "observing"]


def test_an_operator_retry_that_fails_alike_is_another_exhaustion(bench: Bench) -> None:
    run_id = exhausted(bench)
    release(bench)
    assert evidence(bench)[0] == 0
    bench.runtime.refuse = BUSY
    body = bench.strict("attempt.retry.v1", runId=run_id, priorAttemptNumber=1, priorDisposition="failed")
    recovery.retry_attempt(bench.engine, body)
    bench.turn()
    assert (evidence(bench)[0], states(bench)) == (1, ["failed", "failed"])


def test_other_routines_go_on(bench: Bench) -> None:
    exhausted(bench)
    bench.create("other")
    bench.advance(HOUR)
    assert [spec.automation_id for spec in bench.world.launched] == ["other"]


# what ends it


def test_nothing_releases_it_by_itself(bench: Bench) -> None:
    exhausted(bench, timeoutMinutes=5)
    before = evidence(bench)
    for _ in range(3):
        bench.clock.advance(10 * DAY)
        bench.turn()
        bench.crash()
    assert (evidence(bench), bench.world.launched) == (before, [])


def test_a_success_does_not_release_it(bench: Bench) -> None:
    bench.run_due()
    quarantine(bench)
    bench.end()
    assert bench.states()[0][1] == "succeeded"
    assert evidence(bench)[0] == 1
    bench.advance(5 * HOUR)
    assert len(bench.world.launched) == 1


def test_after_the_release_the_newest_due_slot_is_planned_and_blocked_by_the_hold(bench: Bench) -> None:
    exhausted(bench, timeoutMinutes=240)
    bench.advance(2 * HOUR + 30 * MINUTE)
    assert len(bench.states()) == 1
    release(bench)
    assert bench.rows("SELECT scheduled_for, state FROM occurrences ORDER BY scheduled_for") == [
        ("2026-09-01T10:00:00.000Z", "claimed"),
        ("2026-09-01T12:00:00.000Z", "planned"),
    ]
    assert next_due(bench) == "2026-09-01T13:00:00.000Z"
    bench.advance(90 * MINUTE)
    assert bench.value("SELECT state FROM occurrences WHERE scheduled_for LIKE '%T14:00%'") == "running"


# the signal


def test_the_desktop_is_told_once_and_after_the_commit(bench: Bench) -> None:
    seen: list[tuple[Notice, int]] = []

    def look(notice: Notice) -> None:
        # outside any transaction: one of its own can be opened
        with bench.engine.core.change() as tx:
            seen.append((notice, tx.number("SELECT consecutive_exhaustions FROM retry_state")))

    bench.engine.subscribe_notices(look)
    exhausted(bench)
    assert seen == [(Notice("quarantined", "notes", BUSY.message), 1)]
    bench.crash()
    bench.advance(HOUR)
    assert len(seen) == 1


def test_a_new_quarantine_after_a_release_is_told_again(bench: Bench) -> None:
    told = noticed(bench)
    exhausted(bench, timeoutMinutes=5)
    bench.advance(5 * MINUTE)
    release(bench)
    bench.runtime.refuse = BUSY
    bench.advance(HOUR)
    assert [notice.kind for notice in told] == ["quarantined", "quarantined"]


def test_a_run_that_needs_a_decision_is_told_of_too(bench: Bench) -> None:
    told = noticed(bench)
    bench.runtime.end(bench.run_due(), None)
    bench.turn()
    reason = "session vanished without evidence: whether its work was done is not known"
    assert told == [Notice("recovery_required", "notes", reason)]
    bench.advance(DAY)
    assert len(told) == 1


def test_what_is_undone_is_not_told(bench: Bench) -> None:
    told = noticed(bench)

    def fail_after_notice(scope: AbstractContextManager[Transaction | None], tx: Transaction | None = None) -> None:
        with scope as opened:
            writing = tx or opened
            assert writing is not None
            writing.notify(Notice("quarantined", "undone", ""))
            raise KeyError

    with bench.engine.core.change() as tx:
        with pytest.raises(KeyError):
            fail_after_notice(tx.savepoint(), tx)
        tx.notify(Notice("quarantined", "kept", ""))
    with pytest.raises(KeyError):
        fail_after_notice(bench.engine.core.change())
    bench.turn()
    assert told == [Notice("quarantined", "kept", "")]
