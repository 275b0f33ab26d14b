"""What the end of a session means for its run: only evidence settles, and it settles once (contract/engine.md §8)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from coven_desktop.engine import settlement
from coven_desktop.engine.attempts import HELD
from coven_desktop.engine.commands import cancellation
from coven_desktop.runtime.evidence import Leftover, Refusal
from coven_desktop.runtime.sessions import Ended
from tests.conftest import LoggedWarnings
from tests.engine.conftest import MINUTE, SECOND, Bench

VANISHED = "session vanished without evidence: whether its work was done is not known"
LATE = "terminal session evidence observed after an ambiguous stop outcome"


def settled(bench: Bench) -> dict[str, Any]:
    (row,) = bench.rows(
        "SELECT o.state, r.status, a.state, s.status, o.failure_reason, a.state_reason, a.failure_class, r.exit_code,"
        " r.finished_at, a.settled_at, o.lease_owner, o.lease_expires_at FROM occurrences o"
        " JOIN runs r ON r.occurrence_id = o.id JOIN attempts a ON a.run_id = r.id JOIN sessions s ON s.run_id = r.id"
    )
    names = "occurrence run attempt session reason attempt_reason failure_class code finished settled owner lease"
    return dict(zip(names.split(), row, strict=True))


@pytest.mark.parametrize(
    ("how", "states", "reason"),
    [
        ({"exit_code": 0}, ("succeeded", "succeeded", "succeeded", "completed"), None),
        ({"exit_code": 3}, ("running", "running", "failed", "failed"), "session failed (exit code 3)"),
        ({"outcome": "signalled"}, ("running", "running", "failed", "killed"), "session killed"),
        (
            {"exit_code": 0, "stop_reason": "host_terminated"},
            ("running", "running", "failed", "killed"),
            "session killed (its host was told to stop, not by Coven Desktop)",
        ),
        # somebody but us asked the host to stop
        (
            {"outcome": "signalled", "stop_reason": "requested"},
            ("running", "running", "failed", "killed"),
            "session killed",
        ),
        # what the command left behind could not be ended, but it had ended by itself
        ({"exit_code": 0, "quiescent": False}, ("succeeded", "succeeded", "succeeded", "completed"), None),
    ],
)
def test_evidence_settles_or_holds_at_the_time_of_the_session_itself(
    bench: Bench, how: dict[str, Any], states: tuple[str, ...], reason: str | None
) -> None:
    bench.run_due()
    bench.advance(10 * SECOND)
    at = bench.clock.wall() - 3_456
    bench.end(ended_at=at, **how)
    row = settled(bench)
    assert (row["occurrence"], row["run"], row["attempt"], row["session"]) == states
    assert (row["settled"], row["failure_class"]) == ("2026-09-01T10:00:06.544Z", None)
    if reason is None:
        assert (row["reason"], row["attempt_reason"], row["finished"]) == (None, None, row["settled"])
        assert (row["owner"], row["lease"]) == (None, None)
    else:
        # held for the person: run and occurrence are as they were (contract/engine.md §7)
        assert (row["reason"], row["attempt_reason"], row["finished"]) == (None, reason + HELD, None)
        assert (row["owner"], row["lease"]) == ("daemon", "2026-09-01T11:00:00.000Z")
    assert row["code"] == (how.get("exit_code") if how.get("outcome") != "signalled" else None)


def test_the_evidence_is_kept_with_the_session(bench: Bench) -> None:
    session = bench.run_due()
    evidence = bench.runtime.evidence(session, exit_code=0)
    bench.runtime.end(session, evidence)
    bench.turn()
    assert json.loads(bench.value("SELECT evidence FROM sessions")) == evidence.to_json()


@pytest.mark.parametrize(
    ("how", "early", "reason"),
    [
        ({"exit_code": 0}, 0, "session completed after automation timeout"),
        ({"exit_code": 3}, 0, "session failed at or after automation timeout"),
        ({"outcome": "signalled"}, 0, "session killed at or after automation timeout"),
        ({"stop_reason": "deadline", "outcome": "signalled"}, 0, "automation run timed out"),
        ({"exit_code": 0}, 1, None),
        ({"exit_code": 3}, 1, "session failed (exit code 3)"),
    ],
)
def test_an_end_at_the_deadline_is_a_timeout_and_a_millisecond_earlier_is_not(
    bench: Bench, how: dict[str, Any], early: int, reason: str | None
) -> None:
    session = bench.run_due(timeoutMinutes=1)
    bench.kill()
    bench.clock.advance(MINUTE)
    bench.world.found[session] = ("ended", bench.runtime.evidence(session, ended_at=bench.clock.wall() - early, **how))
    bench.clock.advance(5 * SECOND)
    bench.restart()
    row = settled(bench)
    assert row["reason"] == row["attempt_reason"] == reason
    if early:
        assert row["failure_class"] is None
    else:
        assert (row["occurrence"], row["run"], row["attempt"]) == ("failed", "failed", "timed_out")
        assert row["failure_class"] == "timeout"


def test_a_vanished_session_is_never_guessed_at(bench: Bench) -> None:
    session = bench.run_due()
    bench.runtime.end(session, None)
    bench.turn()
    row = settled(bench)
    assert (row["occurrence"], row["run"], row["attempt"], row["session"]) == (
        "recovery_required",
        "running",
        "ambiguous",
        "orphaned",
    )
    assert row["reason"] == row["attempt_reason"] == VANISHED
    assert row["failure_class"] == "ambiguous_evidence"
    assert (row["finished"], row["settled"]) == (None, "2026-09-01T10:00:00.000Z")


def test_news_that_comes_twice_changes_nothing(bench: Bench) -> None:
    session = bench.run_due()
    bench.end(3)
    before = [
        bench.rows(f"SELECT * FROM {table}") for table in ("occurrences", "runs", "attempts", "sessions", "events")
    ]
    bench.advance(SECOND)
    bench.engine.sessions.ended(Ended(session, bench.runtime.evidence(session, exit_code=0)))
    bench.engine.sessions.ended(Ended(session, None))
    bench.engine.sessions.never_started(session)
    after = [
        bench.rows(f"SELECT * FROM {table}") for table in ("occurrences", "runs", "attempts", "sessions", "events")
    ]
    assert after[:3] == before[:3]
    assert after[4] == before[4]


@pytest.mark.parametrize("exit_code", [0, 3])
def test_evidence_after_a_loss_settles_failed_when_the_attempt_became_ambiguous(bench: Bench, exit_code: int) -> None:
    session = bench.run_due()
    bench.runtime.end(session, None)
    bench.advance(5 * SECOND)
    bench.engine.sessions.ended(Ended(session, bench.runtime.evidence(session, exit_code=exit_code)))
    row = settled(bench)
    assert (row["occurrence"], row["run"], row["attempt"]) == ("failed", "failed", "ambiguous")
    assert (row["reason"], row["attempt_reason"], row["code"]) == (LATE, VANISHED, exit_code)
    assert row["finished"] == row["settled"] == "2026-09-01T10:00:00.000Z"


def unconfirmed_cancellation(bench: Bench) -> str:
    session = bench.run_due(timeoutMinutes=60)
    pending = cancellation.cancel_run(bench.engine, bench.cancel_body())
    bench.runtime.leave_stop_open(session)
    assert bench.done(pending).payload["status"] == "recovery_required"
    bench.advance(5 * SECOND)
    return session


def test_a_late_proof_of_the_stop_that_was_asked_for_cancels(bench: Bench) -> None:
    unconfirmed_cancellation(bench)
    bench.end(outcome="signalled", stop_reason="requested")
    row = settled(bench)
    assert (row["occurrence"], row["run"], row["attempt"]) == ("cancelled", "cancelled", "ambiguous")
    assert row["reason"] == "automation run cancelled by operator"
    (told,) = bench.engine.reads.runs("notes")
    assert told["cancellation"]["status"] == "cancelled"
    assert told["cancellation"]["acknowledgedAt"] == "2026-09-01T10:00:05.000Z"


@pytest.mark.parametrize(
    "how",
    [
        {"exit_code": 0},
        {"outcome": "signalled"},
        {"outcome": "signalled", "stop_reason": "host_terminated"},
        {"outcome": "signalled", "stop_reason": "deadline"},
    ],
)
def test_any_other_late_evidence_after_an_unconfirmed_stop_has_failed(bench: Bench, how: dict[str, Any]) -> None:
    unconfirmed_cancellation(bench)
    bench.end(**how)
    row = settled(bench)
    assert (row["occurrence"], row["run"], row["attempt"], row["reason"]) == ("failed", "failed", "ambiguous", LATE)


def test_late_evidence_that_proves_no_stop_leaves_it_to_the_person(bench: Bench) -> None:
    unconfirmed_cancellation(bench)
    bench.end(outcome="signalled", stop_reason="requested", quiescent=False)
    assert bench.states() == [("notes", "recovery_required", "running", "ambiguous")]


@pytest.mark.parametrize("stop_reason", ["deadline", "host_terminated", "requested"])
def test_a_stop_that_left_something_alive_is_not_proven(bench: Bench, stop_reason: Any) -> None:
    bench.run_due()
    bench.end(outcome="signalled", stop_reason=stop_reason, quiescent=False, leftovers=(Leftover(77, "stuck"),))
    row = settled(bench)
    assert (row["occurrence"], row["run"], row["attempt"]) == ("recovery_required", "running", "ambiguous")
    # and a restart does not forget it
    bench.crash()
    assert bench.states() == [("notes", "recovery_required", "running", "ambiguous")]


@pytest.mark.parametrize(
    ("step", "errno", "failure_class"),
    [("exec", 2, "runtime_unavailable"), ("exec", 13, "launch_refused"), ("fork", 11, "transient_dispatch")],
)
def test_evidence_of_a_refused_start_is_classified(bench: Bench, step: Any, errno: int, failure_class: str) -> None:
    bench.automatic = False
    bench.again()
    session = bench.run_due()
    bench.kill()
    refusal = Refusal(step, errno)
    bench.world.found[session] = ("ended", bench.runtime.evidence(session, outcome="refused", refusal=refusal))
    bench.restart()
    row = settled(bench)
    assert (row["occurrence"], row["run"], row["attempt"], row["session"]) == ("claimed", "running", "failed", "failed")
    assert row["failure_class"] == failure_class
    assert row["attempt_reason"]
    assert row["reason"] == row["attempt_reason"] + HELD


def test_evidence_proves_a_start_whose_report_was_lost(bench: Bench) -> None:
    bench.automatic = False
    bench.again()
    session = bench.run_due()
    bench.kill()
    bench.world.found[session] = ("ended", bench.runtime.evidence(session, exit_code=0))
    bench.restart()
    moves = [
        json.loads(body)["payload"]["to"]
        for (body,) in bench.rows("SELECT body FROM events WHERE kind = 'attempt.transitioned' ORDER BY position")
    ]
    assert moves == ["adopted", "dispatching", "started", "observing", "succeeded"]
    assert bench.value("SELECT status FROM sessions") == "completed"


def test_what_a_full_disk_keeps_from_being_written_is_written_by_a_later_pass(
    bench: Bench, logged: LoggedWarnings
) -> None:
    session = bench.run_due()
    connection = bench.store.connection
    connection.execute("PRAGMA max_page_count = 1").fetchall()
    big = tuple(Leftover(number, "x" * 200) for number in range(64))
    logged.expect("its news cannot be written yet")
    bench.runtime.end(session, bench.runtime.evidence(session, exit_code=0, leftovers=big))
    bench.turn()
    assert bench.states() == [("notes", "running", "running", "observing")]
    connection.execute("PRAGMA max_page_count = 1000000").fetchall()
    bench.advance(6 * SECOND)
    assert bench.states() == [("notes", "succeeded", "succeeded", "succeeded")]
    assert settled(bench)["finished"] == "2026-09-01T10:00:00.000Z"


def test_what_waits_to_be_written_keeps_its_order(bench: Bench, logged: LoggedWarnings) -> None:
    bench.automatic = False
    bench.again()
    session = bench.run_due()
    bench.store.connection.execute("PRAGMA busy_timeout = 0").fetchall()
    other = bench.lock()
    logged.expect("its news cannot be written yet")
    bench.runtime.start(session)
    bench.turn()
    bench.end(3)
    assert bench.states() == [("notes", "claimed", "running", "dispatching")]
    other.close()
    bench.advance(6 * SECOND)
    assert bench.states() == [("notes", "running", "running", "failed")]
    assert settled(bench)["attempt_reason"] == "session failed (exit code 3)" + HELD


def test_a_mistake_of_ours_about_one_session_stops_no_other(
    bench: Bench, logged: LoggedWarnings, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.create("other")
    bench.run_due()
    (session,) = [spec.session_id for spec in bench.world.launched if spec.automation_id == "notes"]
    ended = settlement.ended

    def stumble(tx: Any, row: Any, evidence: Any) -> bool:
        if row.id == session:
            raise KeyError("oops")
        return ended(tx, row, evidence)

    monkeypatch.setattr(settlement, "ended", stumble)
    logged.expect("its news is lost until the next start")
    for spec in list(bench.world.launched):
        bench.end(0, spec.session_id)
    assert sorted(bench.states()) == [
        ("notes", "running", "running", "observing"),
        ("other", "succeeded", "succeeded", "succeeded"),
    ]
    monkeypatch.undo()
    bench.crash()
    assert bench.states()[0] == ("notes", "succeeded", "succeeded", "succeeded")
