"""Pause all: nothing is planned and nothing claimed, and no routine changes (decisions.md 39; design/schedules.md)."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from coven_desktop import home as homes
from coven_desktop.contract import timestamps
from coven_desktop.contract.errors import Code
from coven_desktop.engine.answers import Answer
from coven_desktop.engine.commands import execution, pausing, recovery
from coven_desktop.home import Home
from coven_desktop.loop.manual import ManualClock
from coven_desktop.runtime.sessions import LaunchSpec
from tests.engine.conftest import HOUR, MINUTE, SECOND, START, Bench, refused
from tests.engine.held_runs import BUSY, held_before_launch, policy
from tests.engine.test_timer import Passes

HOMES = itertools.count()
START_MS = timestamps.parse(START)
NOON = "2026-09-01T12:30:00Z"


def pause(bench: Bench, until: str | None = None, key: str = "adopt:pause:0001", **more: Any) -> Answer:
    """Everything pauses."""
    answer = pausing.pause_all(bench.engine, {"adoptionKey": key, "until": until, **more})
    bench.turn()
    return answer


def resume(bench: Bench, key: str = "adopt:resume:0001") -> bool:
    """It goes on; whether anything was paused."""
    answer = pausing.resume_all(bench.engine, {"adoptionKey": key})
    bench.turn()
    resumed: bool = answer.payload["result"]["resumed"]
    return resumed


def slots(bench: Bench) -> list[tuple[Any, ...]]:
    """Slot and state of every occurrence."""
    return bench.rows("SELECT substr(scheduled_for, 12, 5), state FROM occurrences ORDER BY scheduled_for, id")


def test_nothing_is_planned_until_it_is_resumed_and_then_the_newest_slot_alone(bench: Bench) -> None:
    bench.create()
    before = bench.rows("SELECT * FROM definitions")
    answer = pause(bench)
    assert answer.payload["result"] == {"pauseAll": {"since": "2026-09-01T09:00:00.000Z", "until": None}}
    bench.advance(3 * HOUR + 10 * MINUTE)
    assert slots(bench) == []
    assert bench.rows("SELECT * FROM definitions") == before
    assert resume(bench)
    assert slots(bench) == [("12:00", "running")]
    # the two before it are told, as after a downtime
    assert (
        bench.value(
            "SELECT json_extract(body, '$.payload.collapsedSlots') FROM events"
            " WHERE json_extract(body, '$.kind') = 'occurrence.misfire_recorded'"
        )
        == 2
    )
    assert not resume(bench, "adopt:resume:0002")


def test_it_ends_by_itself_and_its_end_runs_a_pass(bench: Bench) -> None:
    bench.create()
    pause(bench, NOON)
    passes = Passes(bench)
    bench.advance(3 * HOUR + 30 * MINUTE - 1)
    assert slots(bench) == []
    # passes go on, one a minute, and not one every few seconds because of what is due
    assert len(passes.seen()) == 3 * 60 + 29
    bench.advance(1)
    assert slots(bench) == [("12:00", "running")]
    assert passes.seen()[-1] == ("deadline", "12:30:00.000")
    assert bench.engine.reads.pause() is None


def test_no_pass_is_early_or_late_for_its_end(bench: Bench) -> None:
    bench.create()
    pause(bench, "2026-09-01T10:00:07.123Z")
    bench.advance(HOUR + 7 * SECOND + 122)
    assert slots(bench) == []
    bench.advance(1)
    assert slots(bench) == [("10:00", "running")]
    assert bench.last_pass()["startLagMs"] == 0


def test_it_survives_a_restart(bench: Bench) -> None:
    bench.create()
    pause(bench, NOON)
    bench.crash(away=2 * HOUR)
    assert slots(bench) == []
    bench.again()
    assert slots(bench) == []
    bench.crash(away=2 * HOUR)
    assert slots(bench) == [("13:00", "running")]


def test_what_a_person_starts_starts(bench: Bench) -> None:
    bench.create()
    bench.create("other", status="PAUSED")
    pause(bench)
    bench.done(execution.run_now(bench.engine, bench.strict("occurrence.runNow.v1", automationId="notes")))
    bench.done(execution.run(bench.engine, {"id": "other"}))
    assert sorted(bench.states()) == [
        ("notes", "running", "running", "observing"),
        ("other", "running", "running", "observing"),
    ]


def test_what_runs_goes_on_and_settles(bench: Bench) -> None:
    bench.run_due()
    pause(bench)
    bench.advance(10 * MINUTE)
    bench.end(0)
    assert slots(bench) == [("10:00", "succeeded")]


def test_what_runs_meets_its_deadline(bench: Bench) -> None:
    bench.run_due(timeoutMinutes=5)
    bench.runtime.on_stop = lambda session: bench.loop.call_soon(lambda: bench.runtime.confirm_stop(session))
    pause(bench)
    bench.advance(6 * MINUTE)
    assert slots(bench) == [("10:00", "failed")]


def test_an_automatic_retry_waits_for_its_end(bench: Bench) -> None:
    bench.runtime.refuse = BUSY
    bench.run_due(retry=policy(seconds=60))
    bench.runtime.refuse = None
    pause(bench)
    bench.advance(5 * MINUTE)
    assert bench.world.launched == []
    resume(bench)
    assert bench.states()[-1] == ("notes", "running", "running", "observing")


def test_a_waiting_retry_meets_the_deadline_of_its_run(bench: Bench) -> None:
    bench.runtime.refuse = BUSY
    bench.run_due(retry=policy(seconds=60), timeoutMinutes=5)
    bench.runtime.refuse = None
    pause(bench)
    bench.advance(10 * MINUTE)
    assert slots(bench) == [("10:00", "failed")]
    assert bench.world.launched == []


def test_a_retry_that_a_person_asks_for_starts(bench: Bench) -> None:
    run_id = held_before_launch(bench)
    pause(bench)
    body = bench.strict("attempt.retry.v1", runId=run_id, priorAttemptNumber=1, priorDisposition="failed")
    bench.done(recovery.retry_attempt(bench.engine, body))
    assert bench.states()[-1] == ("notes", "running", "running", "observing")


def test_what_waits_for_a_place_is_not_claimed(bench: Bench) -> None:
    bench.again(places=1)
    for name in ("a", "b"):
        bench.create(name)
    bench.advance(HOUR)
    assert [state for state, _ in bench.reasons()] == ["running", "planned"]
    pause(bench)
    bench.end(0)
    bench.advance(MINUTE)
    assert [state for state, _ in bench.reasons()] == ["succeeded", "planned"]
    resume(bench)
    assert [state for state, _ in bench.reasons()] == ["succeeded", "running"]


def test_what_was_claimed_and_not_dispatched_is_given_back(bench: Bench) -> None:
    for name in ("a", "b"):
        bench.create(name)

    def pauses() -> None:
        pausing.pause_all(bench.engine, {"adoptionKey": "adopt:pause:0001"})

    def launches(spec: LaunchSpec) -> None:
        if not bench.engine.reads.pause():
            # longer than a stretch: the pause comes before the other one is dispatched
            bench.clock.advance(5)
            bench.loop.call_soon(pauses)

    bench.runtime.on_launch = launches
    bench.advance(HOUR)
    assert [state for state, _ in bench.reasons()] == ["running", "planned"]
    # no lease ends in the pause, and so nothing fails because of it
    bench.advance(3 * HOUR)
    assert [state for state, _ in bench.reasons()][1] == "planned"
    assert len(bench.world.launched) == 1


def test_tick_plans_nothing(bench: Bench) -> None:
    bench.create()
    pause(bench)
    bench.advance(HOUR)
    assert bench.done(execution.tick(bench.engine, {})).payload["planned"] == []
    assert slots(bench) == []


def test_a_clock_set_back_does_not_begin_it_again(bench: Bench) -> None:
    bench.create()
    pause(bench, "2026-09-01T09:30:00Z")
    bench.advance(40 * MINUTE)
    bench.clock.jump(-20 * MINUTE)
    assert bench.engine.reads.pause() is None


def test_another_end_takes_the_place_of_the_first_and_the_beginning_stays(bench: Bench) -> None:
    bench.create()
    pause(bench, "2026-09-01T09:30:00Z")
    bench.advance(10 * MINUTE)
    answer = pause(bench, NOON, "adopt:pause:0002")
    assert answer.payload["result"]["pauseAll"] == {
        "since": "2026-09-01T09:00:00.000Z",
        "until": "2026-09-01T12:30:00.000Z",
    }
    bench.advance(2 * HOUR)
    assert slots(bench) == []


def test_the_summary_tells_it_and_what_comes_next(bench: Bench) -> None:
    bench.create()
    reads = bench.engine.reads
    assert reads.state_summary().pause is None
    pause(bench)
    summary = reads.state_summary()
    assert summary.pause is not None
    assert (summary.pause.until, summary.next) == (None, ())
    assert reads.scheduler_status()["pauseAll"] == {"since": "2026-09-01T09:00:00.000Z", "until": None}
    pause(bench, NOON, "adopt:pause:0002")
    # what comes due meanwhile comes at its end
    assert [timestamps.to_text(firing.at) for firing in reads.state_summary().next] == ["2026-09-01T12:30:00.000Z"]
    bench.advance(4 * HOUR)
    assert "pauseAll" not in reads.scheduler_status()


@pytest.mark.parametrize(
    "until", ["soon", 5, "2026-09-01T09:00:00.000Z", "2026-08-01T09:00:00Z", "2026-13-01T09:00:00Z", ["x"]]
)
def test_an_end_that_is_none_is_refused_under_its_key(bench: Bench, until: object) -> None:
    refusal = refused(lambda: pausing.pause_all(bench.engine, {"adoptionKey": "adopt:pause:0001", "until": until}))
    assert (refusal.code, refusal.reason.split()[0]) == (Code.VALIDATION_FAILED, "until")
    assert bench.engine.reads.pause() is None
    again = refused(lambda: pausing.pause_all(bench.engine, {"adoptionKey": "adopt:pause:0001", "until": until}))
    assert again.reason == refusal.reason
    other = refused(lambda: pausing.pause_all(bench.engine, {"adoptionKey": "adopt:pause:0001"}))
    assert other.code == Code.ADOPTION_REPLAY_MISMATCH


def test_the_same_request_is_carried_out_once(bench: Bench) -> None:
    first = pause(bench, NOON)
    resume(bench)
    second = pause(bench, NOON)
    assert second.payload == {
        **first.payload,
        "outcome": "replayed",
        "replay": {"firstCommittedAt": "2026-09-01T09:00:00.000Z"},
    }
    assert bench.engine.reads.pause() is None


STEP = st.one_of(
    st.tuples(st.just("advance"), st.integers(1, 2 * HOUR)),
    st.tuples(st.just("pause"), st.one_of(st.none(), st.integers(1, 3 * HOUR))),
    st.tuples(st.just("resume"), st.just(0)),
    st.tuples(st.just("crash"), st.integers(0, 3 * HOUR)),
    st.tuples(st.just("sleep"), st.integers(1, 3 * HOUR)),
    st.tuples(st.just("end"), st.just(0)),
)


@pytest.mark.usefixtures("no_daily_backup")
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=40)
@given(steps=st.lists(STEP, max_size=7))
def test_nothing_is_planned_or_claimed_while_it_lasts(folder: Path, steps: list[tuple[str, int | None]]) -> None:
    home = Home(folder / str(next(HOMES)))
    homes.prepare(home)
    bench = Bench(home, ManualClock(), opened=False)
    bench.open_again_without_care()
    try:
        bench.start()
        for name in ("a", "b"):
            bench.create(name, timeoutMinutes=44_640)
        pauses: list[list[int | None]] = []
        for number, (step, value) in enumerate(steps):
            now = bench.clock.wall()
            if step == "advance":
                bench.advance(value or 0)
            elif step == "pause":
                pause(bench, None if value is None else timestamps.to_text(now + value), f"adopt:pause:{number:04}")
                close(pauses, now)
                pauses.append([now, None if value is None else now + value])
            elif step == "resume":
                resume(bench, f"adopt:resume:{number:04}")
                close(pauses, now)
            elif step == "crash":
                bench.crash(away=value or 0)
            elif step == "sleep":
                bench.sleep(value or 0)
                bench.advance(MINUTE)
            else:
                for session in list(bench.runtime.launches):
                    bench.end(0, session)
        written = bench.rows(
            "SELECT json_extract(body, '$.recordedAt'), json_extract(body, '$.payload.to') FROM events"
            " WHERE kind = 'occurrence.transitioned' AND json_extract(body, '$.payload.to') IN ('planned', 'claimed')"
        )
        for text, state in written:
            at = timestamps.parse(text)
            inside = [span for span in pauses if at > (span[0] or 0) and (span[1] is None or at < span[1])]
            assert not inside, f"{state} at {text} in a pause of {inside}"
        close(pauses, bench.clock.wall())
        resume(bench, "adopt:resume:last")
        for name in ("a", "b"):
            newest = bench.value(f"SELECT max(scheduled_for) FROM occurrences WHERE automation_id = '{name}'")
            due = bench.clock.wall() // HOUR * HOUR
            # whatever came due is accounted for by its newest slot
            assert (newest is None and due <= START_MS) or newest == timestamps.to_text(due)
    finally:
        bench.engine.stop()
        bench.store.close()


def close(pauses: list[list[int | None]], now: int) -> None:
    """The pause that lasts ends now."""
    if pauses and (pauses[-1][1] is None or pauses[-1][1] > now):
        pauses[-1][1] = now
