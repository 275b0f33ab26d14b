"""The deadline of a run: one stop, under one fence, and proof or no settlement (contract/engine.md §8.4)."""

from __future__ import annotations

from coven_desktop.engine.commands import cancellation
from tests.engine.conftest import HOUR, MINUTE, SECOND, Bench

TIMED_OUT = "automation run timed out"
UNCONFIRMED = "timeout stop was not confirmed"


def overdue(bench: Bench) -> str:
    """A run at its deadline, its stop issued and not answered."""
    session = bench.run_due(timeoutMinutes=5)
    bench.advance(5 * MINUTE)
    assert bench.world.stops == [session]
    return session


def test_the_stop_is_issued_at_the_deadline_and_not_before(bench: Bench) -> None:
    bench.run_due(timeoutMinutes=5)
    bench.advance(5 * MINUTE - 1)
    assert bench.world.stops == []
    bench.advance(1)
    assert bench.world.stops == [bench.session]
    (fence,) = bench.rows("SELECT owner, run_id, session_id, taken_at, expires_at FROM stop_fences")
    spec = bench.world.launched[0]
    assert fence == (
        "timeout",
        spec.run_id,
        spec.session_id,
        "2026-09-01T10:05:00.000Z",
        "2026-09-01T10:05:30.000Z",
    )
    # a request is not yet a timeout
    assert bench.states() == [("notes", "running", "running", "observing")]


def test_a_confirmed_stop_times_out(bench: Bench) -> None:
    session = overdue(bench)
    bench.advance(2 * SECOND)
    bench.runtime.confirm_stop(session)
    bench.turn()
    assert bench.states() == [("notes", "failed", "failed", "timed_out")]
    assert bench.reasons() == [("failed", TIMED_OUT)]
    (row,) = bench.rows("SELECT failure_class, state_reason, settled_at FROM attempts")
    assert row == ("timeout", TIMED_OUT, "2026-09-01T10:05:02.000Z")
    assert bench.rows("SELECT * FROM stop_fences") == []


def test_an_unconfirmed_stop_waits_for_the_person_and_is_not_timed_out_again(bench: Bench) -> None:
    session = overdue(bench)
    bench.runtime.leave_stop_open(session)
    bench.advance(2 * HOUR)
    assert bench.world.stops == [session]
    assert bench.states()[0] == ("notes", "recovery_required", "running", "ambiguous")
    assert bench.reasons()[0] == ("recovery_required", UNCONFIRMED)
    assert bench.rows("SELECT * FROM stop_fences") == []
    assert bench.engine.reads.health("notes")["staleReason"] == UNCONFIRMED


def test_a_stop_that_nobody_answers_is_over_with_its_fence(bench: Bench) -> None:
    overdue(bench)
    bench.advance(30 * SECOND - 1)
    assert bench.states() == [("notes", "running", "running", "observing")]
    bench.advance(1)
    assert bench.states() == [("notes", "recovery_required", "running", "ambiguous")]
    assert bench.reasons() == [("recovery_required", UNCONFIRMED)]


def test_the_proof_after_the_fence_is_late_evidence(bench: Bench) -> None:
    session = overdue(bench)
    bench.advance(31 * SECOND)
    bench.runtime.confirm_stop(session)
    bench.turn()
    assert bench.states() == [("notes", "failed", "failed", "ambiguous")]


def test_a_session_that_ends_by_itself_between_fence_and_stop_keeps_its_own_result(bench: Bench) -> None:
    session = bench.run_due(timeoutMinutes=5)
    ended_at = bench.clock.wall() + 5 * MINUTE - 1
    bench.advance(5 * MINUTE)
    bench.runtime.confirm_stop(session, bench.runtime.evidence(session, exit_code=0, ended_at=ended_at))
    bench.turn()
    assert bench.states() == [("notes", "succeeded", "succeeded", "succeeded")]
    assert bench.rows("SELECT * FROM stop_fences") == []


def test_an_unconfirmed_stop_with_the_command_s_own_end_keeps_that(bench: Bench) -> None:
    session = bench.run_due(timeoutMinutes=5)
    ended_at = bench.clock.wall() + 5 * MINUTE - 1
    bench.advance(5 * MINUTE)
    evidence = bench.runtime.evidence(session, exit_code=0, ended_at=ended_at, quiescent=False)
    bench.runtime.answer_stop(session, evidence, confirmed=False)
    bench.turn()
    assert bench.states() == [("notes", "succeeded", "succeeded", "succeeded")]


def test_a_session_that_ends_by_itself_after_the_deadline_is_late(bench: Bench) -> None:
    overdue(bench)
    bench.advance(SECOND)
    bench.end(0)
    assert bench.states() == [("notes", "failed", "failed", "timed_out")]
    assert bench.reasons() == [("failed", "session completed after automation timeout")]


def test_a_vanished_session_under_the_fence_is_an_unconfirmed_stop(bench: Bench) -> None:
    session = overdue(bench)
    bench.runtime.end(session, None)
    bench.turn()
    assert bench.reasons() == [("recovery_required", UNCONFIRMED)]


def test_a_launch_that_never_came_to_a_start_is_stopped_at_the_deadline_too(bench: Bench) -> None:
    bench.automatic = False
    bench.again()
    session = bench.run_due(timeoutMinutes=1)
    bench.advance(MINUTE)
    assert bench.world.stops == [session]
    bench.runtime.answer_stop(session, None, confirmed=True)
    bench.turn()
    assert bench.states() == [("notes", "failed", "failed", "timed_out")]


def test_a_stop_that_proves_nothing_ever_started_contradicts_a_start(bench: Bench) -> None:
    session = overdue(bench)
    bench.runtime.answer_stop(session, None, confirmed=True)
    bench.turn()
    assert bench.reasons() == [("recovery_required", UNCONFIRMED)]


def test_a_cancellation_that_holds_the_fence_is_not_overtaken_by_the_deadline(bench: Bench) -> None:
    session = bench.run_due(timeoutMinutes=5)
    bench.advance(5 * MINUTE - SECOND)
    pending = cancellation.cancel_run(bench.engine, bench.cancel_body())
    bench.advance(5 * SECOND)
    assert bench.world.stops == [session]
    bench.runtime.confirm_stop(session)
    assert bench.done(pending).payload["status"] == "cancelled"
    assert bench.states() == [("notes", "cancelled", "cancelled", "cancelled")]


def test_a_timed_out_run_frees_its_routine(bench: Bench) -> None:
    session = overdue(bench)
    bench.runtime.confirm_stop(session)
    bench.advance(HOUR)
    assert [state for state, _ in bench.reasons()] == ["failed", "running"]


def test_the_host_stopped_it_while_the_app_was_down(bench: Bench) -> None:
    session = bench.run_due(timeoutMinutes=5)
    bench.kill()
    bench.clock.advance(10 * MINUTE)
    at = bench.clock.wall() - 4 * MINUTE
    evidence = bench.runtime.evidence(session, outcome="signalled", stop_reason="deadline", ended_at=at)
    bench.world.found[session] = ("ended", evidence)
    bench.restart()
    assert bench.states() == [("notes", "failed", "failed", "timed_out")]
    assert bench.reasons() == [("failed", TIMED_OUT)]
    assert bench.value("SELECT finished_at FROM runs") == "2026-09-01T10:06:00.000Z"


def test_a_live_session_past_its_deadline_is_stopped_at_the_next_start(bench: Bench) -> None:
    session = bench.run_due(timeoutMinutes=5)
    bench.crash(away=10 * MINUTE)
    assert bench.world.stops == [session]
