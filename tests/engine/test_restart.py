"""A new app on an old home loses nothing and guesses nothing (decisions.md 4; design/architecture.md, At restart)."""

from __future__ import annotations

from typing import Any, Literal

import pytest

from coven_desktop.engine.attempts import HELD
from coven_desktop.engine.commands import cancellation
from coven_desktop.runtime.sessions import Ended, LaunchSpec
from tests.engine.conftest import HOUR, MINUTE, SECOND, Bench

VANISHED = "session vanished without evidence: whether its work was done is not known"
TIMED_OUT = "automation run timed out"
CANCELLED = "automation run cancelled by operator"

Point = Literal["launched", "started"]
Owner = Literal["nobody", "timeout", "cancellation"]


class Killed(BaseException):
    """The app is gone in the middle of what it does."""


def reach(bench: Bench, point: Point, owner: Owner) -> str:
    """A session that has come this far when the app is killed."""
    bench.automatic = point == "started"
    bench.again()
    session = bench.run_due(timeoutMinutes=5)
    if owner == "timeout":
        bench.advance(5 * MINUTE)
    if owner == "cancellation":
        cancellation.cancel_run(bench.engine, bench.cancel_body())
    assert bench.world.stops == ([] if owner == "nobody" else [session])
    bench.automatic = True
    return session


CASES: list[tuple[Point, Owner, str, tuple[str, str, str], str | None]] = [
    ("launched", "nobody", "exited", ("succeeded", "succeeded", "succeeded"), None),
    ("launched", "nobody", "requested", ("running", "running", "failed"), "session killed" + HELD),
    ("launched", "nobody", "vanished", ("recovery_required", "running", "ambiguous"), VANISHED),
    ("launched", "nobody", "alive", ("claimed", "running", "dispatching"), None),
    ("launched", "timeout", "exited", ("succeeded", "succeeded", "succeeded"), None),
    ("launched", "timeout", "requested", ("failed", "failed", "timed_out"), TIMED_OUT),
    ("launched", "timeout", "never_started", ("failed", "failed", "timed_out"), TIMED_OUT),
    (
        "launched",
        "timeout",
        "vanished",
        ("recovery_required", "running", "ambiguous"),
        "timeout stop was not confirmed",
    ),
    ("launched", "cancellation", "exited", ("succeeded", "succeeded", "succeeded"), None),
    ("launched", "cancellation", "requested", ("cancelled", "cancelled", "cancelled"), CANCELLED),
    ("launched", "cancellation", "never_started", ("cancelled", "cancelled", "cancelled"), CANCELLED),
    ("started", "nobody", "exited", ("succeeded", "succeeded", "succeeded"), None),
    ("started", "nobody", "requested", ("running", "running", "failed"), "session killed" + HELD),
    ("started", "nobody", "vanished", ("recovery_required", "running", "ambiguous"), VANISHED),
    ("started", "nobody", "alive", ("running", "running", "observing"), None),
    # its files are gone: that is no proof
    ("started", "nobody", "never_started", ("recovery_required", "running", "ambiguous"), VANISHED),
    ("started", "timeout", "exited", ("succeeded", "succeeded", "succeeded"), None),
    ("started", "timeout", "requested", ("failed", "failed", "timed_out"), TIMED_OUT),
    ("started", "timeout", "alive", ("running", "running", "observing"), None),
    (
        "started",
        "timeout",
        "never_started",
        ("recovery_required", "running", "ambiguous"),
        "timeout stop was not confirmed",
    ),
    ("started", "cancellation", "requested", ("cancelled", "cancelled", "cancelled"), CANCELLED),
    ("started", "cancellation", "alive", ("running", "running", "observing"), None),
    (
        "started",
        "cancellation",
        "vanished",
        ("recovery_required", "running", "ambiguous"),
        "cancellation stop was not confirmed",
    ),
]


@pytest.mark.parametrize(("point", "owner", "found", "states", "reason"), CASES)
def test_what_the_next_start_makes_of_it(
    bench: Bench, point: Point, owner: Owner, found: str, states: tuple[str, str, str], reason: str | None
) -> None:
    session = reach(bench, point, owner)
    ended_at = bench.clock.wall() - (1 if owner == "timeout" else 0)
    match found:
        case "exited":
            bench.world.found[session] = ("ended", bench.runtime.evidence(session, exit_code=0, ended_at=ended_at))
        case "requested":
            evidence = bench.runtime.evidence(session, outcome="signalled", stop_reason="requested", ended_at=ended_at)
            bench.world.found[session] = ("ended", evidence)
        case "vanished":
            bench.world.found[session] = ("vanished", None)
        case "never_started":
            bench.world.found[session] = ("never_started", None)
    bench.crash()
    assert bench.states() == [("notes", *states)]
    held = states == ("running", "running", "failed")
    assert bench.reasons() == [(states[0], None if held else reason)]
    assert not held or bench.value("SELECT state_reason FROM attempts") == reason
    # a live session whose stop was asked for is asked again, and only such a one
    assert bench.world.stops == [] if owner == "nobody" else bench.world.stops[1:] == [session] * (found == "alive")
    if states[1] != "running":
        assert bench.rows("SELECT * FROM stop_fences") == []
    # and the start after it changes nothing any more
    before = bench.rows("SELECT * FROM events")
    bench.crash()
    assert bench.rows("SELECT * FROM events") == before


def test_killed_between_acceptance_and_launch_it_is_claimed_again(bench: Bench) -> None:
    def die(spec: LaunchSpec) -> None:
        raise Killed

    bench.runtime.on_launch = die
    bench.create()
    with pytest.raises(Killed):
        bench.advance(HOUR)
    assert bench.states() == [("notes", "claimed", "running", "dispatching")]
    assert bench.world.launched == []
    bench.crash()
    assert bench.states() == [("notes", "running", "running", "observing")]
    assert bench.rows("SELECT fence FROM occurrences") == [(2,)]
    assert bench.rows("SELECT occurrence_fence FROM runs") == [(2,)]
    assert len(bench.world.launched) == 1


@pytest.mark.parametrize("executing", [False, True])
def test_a_live_session_is_attached_and_settles_from_its_evidence(bench: Bench, executing: bool) -> None:
    session = reach(bench, "launched", "nobody")
    if executing:
        bench.world.executing.add(session)
    bench.crash()
    expected = ("running", "running", "observing") if executing else ("claimed", "running", "dispatching")
    assert bench.states() == [("notes", *expected)]
    assert len(bench.world.launched) == 1
    bench.advance(SECOND)
    bench.end(4)
    assert bench.states() == [("notes", "running", "running", "failed")]
    assert bench.value("SELECT state_reason FROM attempts") == "session failed (exit code 4)" + HELD
    bench.advance(5 * MINUTE)
    assert bench.states() == [("notes", "failed", "failed", "failed")]
    assert bench.reasons() == [("failed", "no operator retry was opened before the run's deadline")]


def test_a_live_host_that_executes_later_is_seen_to_start(bench: Bench) -> None:
    session = reach(bench, "launched", "nobody")
    bench.crash()
    bench.advance(SECOND)
    bench.world.executing.add(session)
    bench.advance(SECOND)
    assert bench.states() == [("notes", "running", "running", "observing")]
    assert bench.value("SELECT pid FROM sessions") == 4242


def test_nobody_looks_for_a_start_after_the_end_of_the_app(bench: Bench) -> None:
    reach(bench, "launched", "nobody")
    bench.crash()
    bench.engine.stop()
    bench.store.close()
    bench.advance(10 * SECOND)
    bench.restart()


def test_an_attached_host_that_never_started_anything_is_undone(bench: Bench) -> None:
    session = reach(bench, "launched", "nobody")
    bench.crash()
    bench.engine.sessions.ended(Ended(session, None, True))
    bench.turn()
    assert bench.states() == [("notes", "running", "running", "observing")]
    assert bench.world.launched[-1].session_id != session


def test_quitting_leaves_sessions_going_and_finds_them_again(bench: Bench) -> None:
    session = bench.run_due()
    bench.again()
    assert bench.world.stops == []
    assert bench.states() == [("notes", "running", "running", "observing")]
    bench.end(0, session)
    assert bench.states() == [("notes", "succeeded", "succeeded", "succeeded")]
    assert bench.value("SELECT count(*) FROM runs") == 1


def test_each_start_raises_the_generation(bench: Bench) -> None:
    def authority() -> dict[str, Any]:
        return bench.engine.reads.scheduler_status()

    first = authority()
    assert (first["generation"], first["authorityAssigned"]) == (1, True)
    bench.crash(away=SECOND)
    second = authority()
    assert second["generation"] == 2
    assert second["ownerId"] != first["ownerId"]
    assert second["acquiredAt"] == "2026-09-01T09:00:01.000Z"
    bench.engine.stop()
    released = authority()
    assert (released["generation"], released["authorityAssigned"], released["ownerId"]) == (2, False, None)
    bench.kill()
    bench.restart()
    assert authority()["generation"] == 3


def test_the_first_pass_comes_at_once_and_counts_what_was_given_back(bench: Bench) -> None:
    bench.create()
    bench.crash(away=HOUR)
    last = bench.last_pass()
    assert (last["trigger"], last["planned"], last["claimed"], last["dispatched"]) == ("startup", 1, 1, 1)


def test_many_sessions_are_met_again_each_as_it_is(bench: Bench) -> None:
    bench.again(places=0)
    for number in range(4):
        bench.create(f"routine-{number}")
    bench.advance(HOUR)
    sessions = [spec.session_id for spec in bench.world.launched]
    bench.world.found[sessions[1]] = ("vanished", None)
    bench.world.found[sessions[2]] = ("ended", bench.runtime.evidence(sessions[2], exit_code=0))
    bench.world.found[sessions[3]] = ("ended", bench.runtime.evidence(sessions[3], exit_code=1))
    bench.crash()
    assert [row[1:] for row in bench.states()] == [
        ("running", "running", "observing"),
        ("recovery_required", "running", "ambiguous"),
        ("succeeded", "succeeded", "succeeded"),
        ("running", "running", "failed"),
    ]


def test_a_run_that_outlived_its_deadline_while_nobody_looked_is_stopped_once(bench: Bench) -> None:
    session = bench.run_due(timeoutMinutes=5)
    bench.crash(away=HOUR)
    assert bench.world.stops == [session]
    bench.crash()
    assert bench.world.stops == [session, session]
    bench.runtime.confirm_stop(session)
    bench.turn()
    assert bench.states()[0] == ("notes", "failed", "failed", "timed_out")
