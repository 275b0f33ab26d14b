"""From a claim to a running command: what is checked, recorded before the start, and what a refusal leaves behind."""

from __future__ import annotations

import re

import pytest

from coven_desktop.engine.attempts import HELD
from coven_desktop.runtime.sessions import FailureClass, LaunchRefused, LaunchSpec
from coven_desktop.store.transactions import open_reader
from tests.engine.conftest import HOUR, Bench

UNKNOWN = LaunchRefused("launch_refused", "runtime `nope` is not known")


@pytest.fixture
def slow(bench: Bench) -> Bench:
    """A bench whose launches start only when the test says so."""
    bench.automatic = False
    bench.again()
    return bench


@pytest.mark.parametrize("cwd", [None, "", "  \t"])
def test_without_a_working_folder_nothing_is_accepted(bench: Bench, cwd: str | None) -> None:
    bench.run_due(cwd=cwd)
    assert bench.states() == [("notes", "failed", None, None)]
    assert bench.reasons() == [("failed", "notes: routine has no cwd; add a cwd before running")]
    assert (bench.last_pass()["claimed"], bench.last_pass()["dispatched"], bench.last_pass()["failures"]) == (1, 0, 1)


def test_the_acceptance_is_committed_before_anything_is_started(bench: Bench) -> None:
    seen: list[tuple[object, ...]] = []

    def look(spec: LaunchSpec) -> None:
        reader = open_reader(bench.home.database)
        seen.extend(
            reader.query(
                "SELECT o.state, r.status, a.state, s.status, a.dispatch_generation, a.session_id, r.session_id = s.id"
                " FROM runs r JOIN occurrences o ON o.id = r.occurrence_id JOIN attempts a ON a.run_id = r.id"
                " JOIN sessions s ON s.run_id = r.id"
            )
        )
        reader.close()

    bench.runtime.on_launch = look
    bench.run_due()
    assert seen == [("claimed", "running", "dispatching", "created", 1, None, 1)]


def test_what_the_runtime_is_asked_to_start(bench: Bench) -> None:
    bench.create(cwd=" /tmp ", model=" ", familiarId="cat", prompt="echo hello")
    bench.store.connection.execute(
        "INSERT INTO routine_settings VALUES ('notes', '{\"TEAM\":\"blue\"}', '[\"TOKEN\"]', 'now')"
    )
    bench.advance(HOUR)
    (spec,) = bench.world.launched
    assert (spec.runtime, spec.prompt, spec.cwd, spec.model, spec.familiar_id) == (
        "shell",
        "echo hello",
        "/tmp",
        None,
        "cat",
    )
    assert spec.environment == {"TEAM": "blue"}
    assert spec.deadline == bench.clock.wall() + 30 * 60_000
    assert re.fullmatch(r"run-[0-9a-f]{32}", spec.run_id)
    assert re.fullmatch(r"session-[0-9a-f]{32}", spec.session_id)
    assert spec.attempt_id == f"attempt-{spec.run_id}-1"
    (row,) = bench.rows(
        "SELECT r.environment_names, r.timeout_at, r.started_at, r.definition_snapshot = d.body, r.familiar_id,"
        " s.project_root, s.title, s.harness, a.adoption_key, a.retry_classification"
        " FROM runs r JOIN sessions s ON s.run_id = r.id JOIN attempts a ON a.run_id = r.id JOIN definitions d"
    )
    assert row == (
        '["TEAM", "TOKEN"]',
        "2026-09-01T10:30:00.000Z",
        "2026-09-01T10:00:00.000Z",
        1,
        "cat",
        "/tmp",
        "Notes",
        "shell",
        f"automation:{spec.run_id}:1",
        "initial",
    )


def test_a_model_is_passed_on(bench: Bench) -> None:
    bench.run_due(model="large")
    assert bench.world.launched[0].model == "large"


def test_a_start_gives_the_attempt_its_session(slow: Bench) -> None:
    session = slow.run_due()
    assert slow.states() == [("notes", "claimed", "running", "dispatching")]
    slow.runtime.start(session)
    slow.turn()
    assert slow.states() == [("notes", "running", "running", "observing")]
    (row,) = slow.rows("SELECT a.session_id = s.id, s.status, s.pid FROM attempts a JOIN sessions s")
    assert row == (1, "running", 4242)
    assert slow.last_pass()["dispatched"] == 1


def test_a_start_wakes_nobody(slow: Bench) -> None:
    session = slow.run_due()
    before = slow.last_pass()
    slow.advance(1_000)
    slow.runtime.start(session)
    slow.turn()
    assert slow.last_pass() == before


def refusal_recorded(bench: Bench, failure_class: str, message: str) -> None:
    """The attempt has failed for good, and its run is held for the person until its deadline."""
    assert bench.states() == [("notes", "claimed", "running", "failed")]
    assert bench.reasons() == [("claimed", message + HELD)]
    (row,) = bench.rows(
        "SELECT a.failure_class, a.state_reason, a.session_id, a.settled_at IS NOT NULL, r.finished_at,"
        " r.session_id = s.id, s.status, o.lease_owner, o.lease_expires_at"
        " FROM attempts a JOIN runs r JOIN sessions s JOIN occurrences o"
    )
    assert row == (failure_class, message, None, 1, None, 1, "failed", None, None)


def test_a_launch_that_the_check_refuses_is_held(bench: Bench) -> None:
    bench.runtime.refuse = UNKNOWN
    bench.run_due()
    refusal_recorded(bench, "launch_refused", UNKNOWN.message)
    assert bench.world.launched == []
    assert (bench.last_pass()["dispatched"], bench.last_pass()["failures"]) == (0, 1)


@pytest.mark.parametrize("failure_class", ["runtime_unavailable", "transient_dispatch", "launch_refused"])
def test_a_launch_that_fails_with_proof_is_held(slow: Bench, failure_class: FailureClass) -> None:
    session = slow.run_due()
    assert (slow.last_pass()["dispatched"], slow.last_pass()["failures"]) == (1, 0)
    slow.runtime.fail_start(session, LaunchRefused(failure_class, "no such thing"))
    slow.turn()
    refusal_recorded(slow, failure_class, "no such thing")
    # the pass it wakes tells of it
    last = slow.last_pass()
    assert (last["trigger"], last["dispatched"], last["failures"]) == ("wake", 0, 1)


def test_a_launch_of_which_nothing_is_proven_waits_for_the_person(slow: Bench) -> None:
    session = slow.run_due()
    slow.runtime.fail_start(session, LaunchRefused("transient_dispatch", "no report in time", False))
    slow.turn()
    assert slow.states() == [("notes", "recovery_required", "running", "ambiguous")]
    assert slow.reasons() == [("recovery_required", "no report in time")]
    (row,) = slow.rows(
        "SELECT a.failure_class, a.session_id = s.id, s.status, o.lease_owner FROM attempts a JOIN sessions s"
        " JOIN occurrences o"
    )
    assert row == ("ambiguous_evidence", 1, "orphaned", None)


def test_after_the_hold_the_routine_is_free_for_its_next_slot(bench: Bench) -> None:
    bench.runtime.refuse = UNKNOWN
    bench.run_due(timeoutMinutes=59)
    bench.runtime.refuse = None
    bench.advance(HOUR)
    assert [state for state, _ in bench.reasons()] == ["failed", "running"]
