"""Automatic retries of launches that failed before the runtime took ownership (contract/engine.md §5.3 to §5.5)."""

from __future__ import annotations

import json
from typing import Any

import pytest
from blake3 import blake3

from coven_desktop.contract import errors, timestamps
from coven_desktop.engine.commands import definitions, execution
from coven_desktop.runtime.evidence import Refusal
from coven_desktop.runtime.sessions import FailureClass, LaunchRefused
from tests.engine.conftest import HOUR, MINUTE, SECOND, Bench
from tests.engine.definition_bodies import authored, moved
from tests.engine.held_runs import BUSY, MISSING, attempts, policy, quarantine, states

FAILED_AT = "2026-09-01T10:00:00.000Z"
WAIT_OVER = "automation retry wait exceeded run timeout"


def refused_once(bench: Bench, refusal: LaunchRefused = BUSY, **changes: Any) -> None:
    """A slot whose first launch is refused; the next one would start."""
    bench.runtime.refuse = refusal
    bench.run_due(**{"retry": policy(), **changes})
    bench.runtime.refuse = None


def waits(bench: Bench) -> list[int]:
    """The wait before each later attempt, in milliseconds after the failure before it."""
    rows = bench.rows(
        "SELECT n.not_before, f.settled_at FROM attempts n JOIN attempts f ON f.run_id = n.run_id"
        " AND f.attempt_number = n.prior_attempt_number ORDER BY n.attempt_number"
    )
    return [timestamps.parse(until) - timestamps.parse(failed) for until, failed in rows]


def moves(bench: Bench, entity: str) -> list[str]:
    return [
        json.loads(body)["payload"]["to"]
        for (body,) in bench.rows(f"SELECT body FROM events WHERE kind = '{entity}.transitioned' ORDER BY position")
    ]


# what a scheduled retry is


def test_what_the_failure_leaves_and_what_is_opened(bench: Bench) -> None:
    refused_once(bench)
    first, second = attempts(bench)
    assert (first.state, first.failure_class, first.reason, first.session) == (
        "failed",
        "transient_dispatch",
        BUSY.message,
        None,
    )
    assert second == (
        2, "adopted", "automatic_retry", 1, "failed", "2026-09-01T10:00:10.000Z", 1, 0, None, None, None,
    )  # fmt: skip
    (row,) = bench.rows(
        "SELECT o.state, o.failure_reason, o.lease_owner, o.lease_expires_at, o.fence, r.status, r.session_id,"
        " r.timeout_at, s.status FROM occurrences o JOIN runs r JOIN sessions s"
    )
    assert row == ("planned", BUSY.message, None, None, 1, "running", None, "2026-09-01T10:30:00.000Z", "failed")
    assert bench.value("SELECT adoption_key FROM attempts WHERE attempt_number = 2").endswith(":2")


def test_it_counts_as_neither_dispatched_nor_failed(bench: Bench) -> None:
    refused_once(bench)
    last = bench.last_pass()
    assert (last["claimed"], last["dispatched"], last["failures"]) == (1, 0, 0)


def test_it_counts_as_no_failure_of_a_later_pass_either(bench: Bench) -> None:
    bench.automatic = False
    bench.again()
    session = bench.run_due(retry=policy())
    bench.runtime.fail_start(session, BUSY)
    bench.turn()
    assert (states(bench), bench.last_pass()["failures"]) == (["failed", "adopted"], 0)


def test_health_names_the_attempt_that_waits(bench: Bench) -> None:
    refused_once(bench)
    shown = bench.engine.reads.health("notes")
    assert (shown["currentAttempt"], shown["maxAttempts"], shown["retryNotBefore"]) == (
        2,
        3,
        "2026-09-01T10:00:10.000Z",
    )
    bench.advance(10 * SECOND)
    shown = bench.engine.reads.health("notes")
    # the text of the failure before, while the next attempt runs
    assert (shown["currentAttempt"], shown["retryNotBefore"], shown["staleReason"]) == (None, None, BUSY.message)
    bench.end()
    assert bench.reasons() == [("succeeded", None)]


# how long it waits


def test_without_backoff_the_next_attempt_comes_at_once(bench: Bench) -> None:
    bench.automatic = False
    bench.again()
    session = bench.run_due(retry=policy(backoff="none", seconds=None))
    for _ in range(2):
        bench.runtime.fail_start(session, BUSY)
        bench.turn()
        session = bench.session
    bench.runtime.start(session)
    bench.turn()
    assert waits(bench) == [0, 0]
    assert states(bench) == ["failed", "failed", "observing"]


def test_a_fixed_wait_is_always_the_same(bench: Bench) -> None:
    bench.runtime.refuse = BUSY
    bench.run_due(retry=policy(attempts=4, seconds=7))
    bench.advance(MINUTE)
    assert waits(bench) == [7_000, 7_000, 7_000]


@pytest.mark.parametrize("seconds", [None, 3, 50_000])
def test_an_exponential_wait_is_the_contract_s_own(bench: Bench, seconds: int | None) -> None:
    bench.runtime.refuse = BUSY
    bench.run_due(retry=policy(attempts=5, backoff="exponential", seconds=seconds), timeoutMinutes=44_640)
    run_id = bench.value("SELECT id FROM runs")
    expected = []
    for number in range(2, 6):
        ceiling = min(86_400, (seconds or 1) * 2 ** (number - 2))
        drawn = int.from_bytes(blake3(f"{run_id}:{number}".encode()).digest()[:8], "big")
        expected.append((drawn % ceiling + 1) * SECOND)
        assert waits(bench) == expected
        bench.clock.advance(expected[-1])
        bench.turn()


def test_the_milliseconds_of_the_failure_are_kept(bench: Bench) -> None:
    bench.create(retry=policy())
    bench.clock.advance(1_234)
    bench.runtime.refuse = BUSY
    bench.done(execution.run(bench.engine, {"id": "notes"}))
    assert attempts(bench)[1].not_before == "2026-09-01T09:00:11.234Z"


def test_it_starts_exactly_when_its_wait_is_over(bench: Bench) -> None:
    refused_once(bench)
    bench.advance(10 * SECOND - 1)
    assert states(bench) == ["failed", "adopted"]
    bench.advance(1)
    assert states(bench) == ["failed", "observing"]
    last = bench.last_pass()
    assert (last["trigger"], last["startedAt"], last["startLagMs"]) == ("deadline", "2026-09-01T10:00:10.000Z", 0)


# which failures, how many


@pytest.mark.parametrize("failure_class", ["runtime_unavailable", "transient_dispatch", "launch_refused"])
@pytest.mark.parametrize("listed", [False, True])
def test_only_a_listed_class_is_retried(bench: Bench, failure_class: FailureClass, listed: bool) -> None:
    others = {"runtime_unavailable", "transient_dispatch", "lease_expired"} - {failure_class}
    classes = (failure_class,) if listed and failure_class != "launch_refused" else tuple(sorted(others))
    refused_once(bench, LaunchRefused(failure_class, "no"), retry=policy(classes=classes))
    assert (states(bench) == ["failed", "adopted"]) is (listed and failure_class != "launch_refused")


@pytest.mark.parametrize("most", [1, 2, 4])
def test_there_are_as_many_attempts_as_the_policy_says(bench: Bench, most: int) -> None:
    bench.runtime.refuse = BUSY
    bench.run_due(retry=policy(attempts=most))
    bench.advance(2 * MINUTE)
    assert states(bench) == ["failed"] * most


def test_a_command_that_ran_and_failed_is_never_repeated_by_itself(bench: Bench) -> None:
    bench.run_due(retry=policy(classes=("runtime_unavailable", "transient_dispatch", "lease_expired")))
    bench.end(3)
    bench.advance(HOUR - 1)
    assert len(bench.world.launched) == 1


def test_a_launch_of_which_nothing_is_proven_is_never_repeated_by_itself(bench: Bench) -> None:
    bench.automatic = False
    bench.again()
    session = bench.run_due(retry=policy())
    bench.runtime.fail_start(session, LaunchRefused("transient_dispatch", "no report", False))
    bench.advance(HOUR - 1)
    assert states(bench) == ["ambiguous"]


# the deadline


def test_no_attempt_is_opened_once_the_deadline_has_come(bench: Bench) -> None:
    bench.automatic = False
    bench.again()
    session = bench.run_due(retry=policy(), timeoutMinutes=1)
    bench.kill()
    bench.clock.advance(MINUTE)
    evidence = bench.runtime.evidence(session, outcome="refused", refusal=Refusal("fork", 11))
    bench.world.found[session] = ("ended", evidence)
    bench.restart()
    assert bench.states() == [("notes", "failed", "failed", "failed")]
    # and attempts were left: that is no exhaustion
    assert bench.value("SELECT count(*) FROM retry_state") == 0


def test_a_wait_may_end_after_the_deadline_which_then_ends_it(bench: Bench) -> None:
    refused_once(bench, retry=policy(seconds=120), timeoutMinutes=1)
    assert attempts(bench)[1].not_before == "2026-09-01T10:02:00.000Z"
    bench.advance(MINUTE - 1)
    assert bench.states()[-1] == ("notes", "planned", "running", "adopted")
    bench.advance(1)
    last = attempts(bench)[-1]
    assert (last.state, last.failure_class, last.reason) == ("timed_out", "timeout", WAIT_OVER)
    (row,) = bench.rows("SELECT o.state, o.failure_reason, r.status, r.session_id, r.finished_at, o.lease_owner"
                        " FROM occurrences o JOIN runs r")  # fmt: skip
    assert row == ("failed", WAIT_OVER, "failed", None, "2026-09-01T10:01:00.000Z", None)
    assert bench.world.launched == []
    assert bench.engine.reads.health("notes")["consecutiveExhaustions"] == 0


def test_a_wait_that_ends_with_the_deadline_is_over(bench: Bench) -> None:
    refused_once(bench, retry=policy(seconds=60), timeoutMinutes=1)
    bench.advance(MINUTE)
    assert states(bench) == ["failed", "timed_out"]


# what becomes of the routine meanwhile


def test_it_goes_on_under_the_run_s_own_snapshot(bench: Bench) -> None:
    refused_once(bench)
    authored(bench, "revise", prompt="echo other", timeoutMinutes=1, retry=None)
    bench.advance(10 * SECOND)
    (spec,) = bench.world.launched
    assert spec.prompt == "echo hello"
    assert spec.deadline == timestamps.parse(FAILED_AT) + 30 * MINUTE
    (row,) = bench.rows("SELECT o.automation_revision, r.automation_revision FROM occurrences o JOIN runs r")
    assert row == (1, 1)


@pytest.mark.parametrize("command", ["pause", "disable"])
def test_it_goes_on_when_the_routine_was_stopped(bench: Bench, command: str) -> None:
    refused_once(bench)
    moved(bench, command)
    bench.advance(10 * SECOND)
    assert states(bench) == ["failed", "observing"]


@pytest.mark.parametrize("command", ["tombstone", "quarantine"])
def test_it_does_not_go_on_when_the_routine_was_deleted_or_quarantined(bench: Bench, command: str) -> None:
    refused_once(bench)
    if command == "quarantine":
        quarantine(bench)
    else:
        moved(bench, "tombstone")
    bench.advance(30 * MINUTE - 1)
    assert states(bench) == ["failed", "adopted"]
    bench.advance(1)
    assert states(bench) == ["failed", "timed_out"]
    assert bench.reasons() == [("failed", WAIT_OVER)]
    assert bench.world.launched == []


@pytest.mark.parametrize("status", ["ACTIVE", "PAUSED"])
def test_it_does_not_go_on_when_another_routine_is_given_the_id(bench: Bench, status: str) -> None:
    refused_once(bench)
    definitions.delete(bench.engine, {"id": "notes"})
    bench.create(status=status, prompt="echo something else")
    bench.advance(30 * MINUTE - 1)
    assert states(bench) == ["failed", "adopted"]
    assert bench.world.launched == []
    # what the old run still holds is told to whoever wants to start the new one (contract/engine.md §4.3)
    with pytest.raises(errors.Refusal, match="overlap is forbidden"):
        execution.run(bench.engine, {"id": "notes"})
    bench.advance(1)
    assert states(bench) == ["failed", "timed_out"]
    bench.done(execution.run(bench.engine, {"id": "notes"}))
    assert [spec.prompt for spec in bench.world.launched] == ["echo something else"]


def test_a_claim_is_given_back_when_its_routine_is_deleted_before_it_is_dispatched(bench: Bench) -> None:
    refused_once(bench)
    with bench.engine.core.change() as tx:
        tx.change("UPDATE attempts SET not_before = opened_at WHERE state = 'adopted'")
        assert bench.engine.passes.claim(tx, bench.value("SELECT id FROM occurrences"), "daemon")
    definitions.delete(bench.engine, {"id": "notes"})
    bench.create(status="PAUSED")
    bench.advance(MINUTE)
    assert (states(bench), bench.world.launched) == (["failed", "adopted"], [])
    assert bench.reasons() == [("planned", BUSY.message)]


def test_what_a_deleted_routine_used_up_does_not_quarantine_the_one_with_its_id(bench: Bench) -> None:
    bench.runtime.automatic = False
    bench.run_due(retry=policy(attempts=1))
    definitions.delete(bench.engine, {"id": "notes"})
    bench.create()
    launch = bench.runtime.launches[bench.session]
    bench.loop.call_soon(lambda: launch.refused(BUSY))
    bench.turn()
    assert states(bench) == ["failed"]
    assert bench.rows("SELECT * FROM retry_state") == []


def test_a_slot_with_a_waiting_retry_is_neither_superseded_nor_skipped(bench: Bench) -> None:
    refused_once(bench, retry=policy(seconds=5_000), timeoutMinutes=120)
    bench.advance(HOUR)
    assert bench.states() == [
        ("notes", "planned", "running", "failed"),
        ("notes", "planned", "running", "adopted"),
        ("notes", "planned", None, None),
    ]
    # the newer slot waits until the run is over
    bench.advance(5_000 * SECOND - HOUR)
    assert [row[1] for row in bench.states()] == ["running", "running", "planned"]


def test_it_needs_no_free_place(bench: Bench) -> None:
    bench.again(places=1)
    refused_once(bench)
    bench.create("other")
    bench.done(execution.run(bench.engine, {"id": "other"}))
    bench.advance(10 * SECOND)
    assert [spec.automation_id for spec in bench.world.launched] == ["other", "notes"]


def test_one_routine_s_retries_stop_no_other(bench: Bench) -> None:
    bench.create("other")
    refused_once(bench, retry=policy(seconds=60))
    bench.advance(HOUR)
    assert {spec.automation_id for spec in bench.world.launched} == {"notes", "other"}


# the fence


def test_each_claim_raises_the_fence_and_binds_the_attempt_to_it(bench: Bench) -> None:
    bench.runtime.refuse = BUSY
    bench.run_due(retry=policy())
    assert [attempt.fence for attempt in attempts(bench)] == [1, 1]
    bench.advance(10 * SECOND)
    assert [attempt.fence for attempt in attempts(bench)] == [1, 2, 2]
    bench.runtime.refuse = None
    bench.advance(10 * SECOND)
    assert [attempt.fence for attempt in attempts(bench)] == [1, 2, 3]
    assert bench.rows("SELECT o.fence, r.occurrence_fence FROM occurrences o JOIN runs r") == [(3, 1)]
    assert attempts(bench)[2].session == bench.session


# restarts


def test_a_restart_leaves_the_wait_as_it_is(bench: Bench) -> None:
    refused_once(bench)
    before = attempts(bench)
    bench.crash(away=5 * SECOND)
    assert attempts(bench) == before
    bench.again()
    bench.advance(5 * SECOND - 1)
    assert attempts(bench) == before
    bench.advance(1)
    assert states(bench) == ["failed", "observing"]


def test_a_wait_that_was_over_meanwhile_is_started_at_once(bench: Bench) -> None:
    refused_once(bench)
    bench.crash(away=11 * SECOND)
    assert states(bench) == ["failed", "observing"]


def test_killed_while_a_later_attempt_is_dispatched_it_waits_again(bench: Bench) -> None:
    bench.automatic = False
    bench.again()
    refused_once(bench)
    bench.advance(10 * SECOND)
    lost = bench.session
    assert states(bench) == ["failed", "dispatching"]
    bench.world.found[lost] = ("never_started", None)
    bench.automatic = True
    bench.crash()
    second = attempts(bench)[1]
    assert (second.number, second.state, second.dispatches, second.fence) == (2, "observing", 2, 3)
    assert second.session == bench.session != lost
    assert moves(bench, "attempt")[4:] == ["dispatching", "adopted", "dispatching", "started", "observing"]
    assert bench.rows("SELECT count(*) FROM sessions") == [(2,)]


@pytest.mark.parametrize("number", [1, 2])
def test_a_claim_that_a_crash_cut_off_is_retried_when_the_policy_says_so(bench: Bench, number: int) -> None:
    bench.automatic = False
    bench.again()
    retry = policy(classes=("transient_dispatch", "lease_expired"))
    if number == 2:
        refused_once(bench, retry=retry)
        bench.advance(10 * SECOND)
    else:
        bench.run_due(retry=retry)
    bench.world.found[bench.session] = ("never_started", None)
    bench.automatic = True
    bench.crash(away=SECOND)
    failed, waiting = attempts(bench)[number - 1 :]
    assert (failed.state, failed.failure_class) == ("failed", "lease_expired")
    assert failed.reason == "claim lease expired with proof that no process started"
    assert (waiting.state, waiting.classification) == ("adopted", "automatic_retry")
    bench.advance(10 * SECOND)
    assert states(bench)[-1] == "observing"


def test_a_claim_that_a_crash_cut_off_can_be_the_last_one(bench: Bench) -> None:
    bench.automatic = False
    bench.again()
    bench.run_due(retry=policy(attempts=1, classes=("lease_expired",)))
    bench.world.found[bench.session] = ("never_started", None)
    bench.crash()
    spent = "claim lease expired after all retry attempts were exhausted"
    assert attempts(bench)[0].reason == spent
    assert bench.reasons() == [("claimed", f"{spent}; held for an operator retry until the run's deadline")]
    health = bench.engine.reads.health("notes")
    assert (health["quarantineFailureClass"], health["quarantineReason"]) == ("lease_expired", spent)


# manual starts


def test_run_answers_that_a_retry_is_scheduled(bench: Bench) -> None:
    bench.create(retry=policy())
    bench.runtime.refuse = BUSY
    answer = bench.done(execution.run(bench.engine, {"id": "notes"}))
    assert answer.payload == {
        "runId": bench.value("SELECT id FROM runs"),
        "status": "retry_scheduled",
        "sessionId": None,
        "error": BUSY.message,
    }
    assert bench.rows("SELECT kind, state FROM occurrences") == [("manual", "planned")]
    bench.runtime.refuse = None
    bench.advance(10 * SECOND)
    assert bench.rows("SELECT kind, state, lease_owner, fence FROM occurrences") == [("manual", "running", "daemon", 2)]


def test_run_now_tells_the_error_and_that_it_is_planned_again(bench: Bench) -> None:
    bench.create(retry=policy(classes=("runtime_unavailable",)))
    bench.runtime.refuse = MISSING
    body = bench.strict("occurrence.runNow.v1", automationId="notes")
    payload = bench.done(execution.run_now(bench.engine, body)).payload
    assert (payload["occurrenceState"], payload["status"], payload["sessionId"], payload["error"]) == (
        "planned",
        "running",
        None,
        MISSING.message,
    )
    bench.runtime.refuse = None
    bench.advance(10 * SECOND)
    payload = bench.done(execution.run_now(bench.engine, body)).payload
    assert (payload["occurrenceState"], payload["sessionId"]) == ("running", bench.session)


def test_a_retry_of_a_paused_routine_s_manual_start_goes_on(bench: Bench) -> None:
    bench.create(status="PAUSED", retry=policy())
    bench.runtime.refuse = BUSY
    bench.done(execution.run(bench.engine, {"id": "notes"}))
    bench.runtime.refuse = None
    bench.advance(10 * SECOND)
    assert states(bench) == ["failed", "observing"]
