"""After a resume what is due is planned at once and claimed when the network is back, 20 s at most (decisions.md 29).

A sleep is told by logind, or seen by the clocks: the wall clock goes on, the monotonic one stands still.
"""

from __future__ import annotations

import apsw
import pytest

from coven_desktop.engine.commands import execution, recovery
from coven_desktop.engine.engine import LOOK_MS
from coven_desktop.engine.resume import NETWORK_LOOK_MS, SETTLE_MS
from coven_desktop.runtime.sessions import Ended, LaunchSpec
from tests.conftest import LoggedWarnings
from tests.engine.conftest import DAY, HOUR, MINUTE, SECOND, Bench
from tests.engine.held_runs import BUSY, held_before_launch, policy

ONCE_A_DAY = "FREQ=DAILY;BYHOUR=10"


def asleep_over_a_slot(bench: Bench) -> None:
    """A machine that was asleep when the one routine was due, and whose network takes its time."""
    bench.create(rrule=ONCE_A_DAY)
    bench.network = False
    bench.sleep(2 * HOUR)


def started(bench: Bench) -> list[str]:
    return [spec.automation_id for spec in bench.world.launched]


def test_the_slot_is_planned_at_once_and_starts_when_the_network_is_back(bench: Bench) -> None:
    asleep_over_a_slot(bench)
    bench.engine.resumed()
    bench.turn()
    assert bench.reasons() == [("planned", None)]
    assert bench.last_pass()["trigger"] == "wake"
    bench.advance(7 * SECOND)
    assert started(bench) == []
    bench.network = True
    bench.advance(NETWORK_LOOK_MS)
    assert bench.reasons() == [("running", None)]
    assert bench.last_pass()["trigger"] == "wake"


def test_without_a_network_it_starts_after_20_s_and_not_before(bench: Bench) -> None:
    asleep_over_a_slot(bench)
    bench.engine.resumed()
    bench.advance(20 * SECOND - 1)
    assert bench.reasons() == [("planned", None)]
    bench.advance(1)
    assert bench.reasons() == [("running", None)]


def test_the_network_is_asked_about_at_once_and_then_every_second_while_it_is_waited_for(bench: Bench) -> None:
    bench.advance(MINUTE)
    assert bench.asked_for_network == []
    asleep_over_a_slot(bench)
    now = bench.clock.monotonic()
    bench.engine.resumed()
    bench.advance(HOUR)
    assert bench.asked_for_network == [now + second * SECOND for second in range(20)]


def test_a_network_that_is_there_delays_nothing(bench: Bench) -> None:
    asleep_over_a_slot(bench)
    bench.network = True
    bench.engine.resumed()
    bench.turn()
    assert bench.reasons() == [("running", None)]
    assert len(bench.asked_for_network) == 1
    # the first pass after the resume did all of it
    assert (bench.last_pass()["planned"], bench.last_pass()["dispatched"]) == (1, 1)


def test_what_is_claimed_and_not_begun_when_the_machine_falls_asleep_starts_after_it(bench: Bench) -> None:
    # its lease of an hour ended in the sleep, and it failed without a reason of its own
    bench.create("a", rrule=ONCE_A_DAY)
    bench.create("b", rrule=ONCE_A_DAY)
    bench.runtime.on_launch = lambda spec: bench.engine.fall_asleep()
    bench.advance(HOUR)
    bench.runtime.on_launch = lambda spec: None
    assert started(bench) == ["a"]
    assert bench.reasons() == [("running", None), ("planned", None)]
    bench.sleep(2 * HOUR)
    bench.engine.resumed()
    bench.turn()
    assert started(bench) == ["a", "b"]


def test_a_sleep_that_nobody_told_of_is_seen_by_the_clocks(bench: Bench) -> None:
    asleep_over_a_slot(bench)
    bench.advance(LOOK_MS)
    assert bench.reasons() == [("planned", None)]
    bench.advance(SETTLE_MS - 1)
    assert bench.reasons() == [("planned", None)]
    bench.advance(1)
    assert bench.reasons() == [("running", None)]


@pytest.mark.parametrize("seen_first", [False, True], ids=["logind first", "clocks first"])
def test_a_sleep_that_both_tell_of_is_waited_for_once(bench: Bench, seen_first: bool) -> None:
    asleep_over_a_slot(bench)
    if seen_first:
        bench.engine.wake()
        bench.turn()
    else:
        bench.engine.resumed()
    bench.advance(6 * SECOND)
    if seen_first:
        bench.engine.resumed()
    bench.advance(SETTLE_MS - 6 * SECOND - 1)
    assert bench.reasons() == [("planned", None)]
    bench.advance(1)
    assert bench.reasons() == [("running", None)]


def test_each_sleep_has_its_own_20_s(bench: Bench) -> None:
    asleep_over_a_slot(bench)
    bench.engine.resumed()
    bench.advance(15 * SECOND)
    bench.sleep(HOUR)
    bench.engine.resumed()
    bench.advance(SETTLE_MS - 1)
    assert bench.reasons() == [("planned", None)]
    bench.advance(1)
    assert bench.reasons() == [("running", None)]


def test_a_pass_that_begins_before_the_clocks_were_looked_at_claims_nothing(bench: Bench) -> None:
    # the first thing after the resume is a request over the socket
    asleep_over_a_slot(bench)
    execution.tick(bench.engine, {})
    bench.turn()
    assert bench.reasons() == [("planned", None)]


def test_a_sleep_in_the_middle_of_a_pass_holds_back_the_rest_of_it(bench: Bench) -> None:
    bench.again(places=0)
    for name in ("a", "b", "c"):
        bench.create(name, rrule=ONCE_A_DAY)
    bench.network = False

    def launches(spec: LaunchSpec) -> None:
        if spec.automation_id == "a":
            bench.clock.advance(5)
            bench.loop.call_soon(lambda: bench.sleep(10 * MINUTE))

    bench.runtime.on_launch = launches
    bench.advance(HOUR)
    assert [state for state, _ in bench.reasons()] == ["running", "claimed", "claimed"]
    bench.advance(SETTLE_MS - SECOND)
    assert started(bench) == ["a"]
    bench.advance(2 * SECOND)
    assert started(bench) == ["a", "b", "c"]


def test_a_clock_set_forward_waits_for_nothing_because_the_network_is_there(bench: Bench) -> None:
    bench.create(rrule=ONCE_A_DAY)
    bench.clock.jump(2 * HOUR)
    bench.advance(LOOK_MS)
    assert bench.reasons() == [("running", None)]


def test_a_clock_set_back_is_no_resume(bench: Bench) -> None:
    bench.create(rrule=ONCE_A_DAY)
    bench.advance(30 * MINUTE)
    bench.network = False
    bench.clock.jump(-20 * MINUTE)
    bench.advance(50 * MINUTE)
    assert bench.reasons() == [("running", None)]
    assert bench.asked_for_network == []


def test_nothing_waits_at_startup(bench: Bench) -> None:
    bench.create(rrule=ONCE_A_DAY)
    bench.network = False
    bench.crash(away=DAY)
    assert [state for state, _ in bench.reasons()] == ["running"]
    assert bench.asked_for_network == []


def test_run_now_and_a_start_that_was_taken_back_are_not_held_back(bench: Bench) -> None:
    asleep_over_a_slot(bench)
    bench.create("other", rrule=ONCE_A_DAY)
    bench.engine.resumed()
    bench.turn()
    bench.runtime.automatic = False
    execution.run_now(bench.engine, bench.strict("occurrence.runNow.v1", automationId="other"))
    bench.turn()
    assert started(bench) == ["other"]
    # no process ever started, so that the start is taken back and made again
    bench.runtime.launches[bench.session].ended(Ended(bench.session, None, never_started=True))
    bench.turn()
    assert started(bench) == ["other", "other"]
    assert bench.value("SELECT state FROM occurrences WHERE automation_id = 'notes'") == "planned"


def test_an_automatic_retry_waits_as_well(bench: Bench) -> None:
    bench.runtime.refuse = BUSY
    bench.run_due(retry=policy(seconds=60))
    bench.runtime.refuse = None
    bench.network = False
    bench.sleep(10 * MINUTE)
    bench.engine.resumed()
    bench.advance(SETTLE_MS - 1)
    assert started(bench) == []
    bench.advance(1)
    assert started(bench) == ["notes"]
    assert bench.states()[-1][1:] == ("running", "running", "observing")


def test_a_retry_that_the_person_asks_for_does_not(bench: Bench) -> None:
    run_id = held_before_launch(bench)
    bench.network = False
    bench.sleep(10 * MINUTE)
    bench.engine.resumed()
    bench.turn()
    body = bench.strict("attempt.retry.v1", runId=run_id, priorAttemptNumber=1, priorDisposition="failed")
    recovery.retry_attempt(bench.engine, body)
    bench.turn()
    assert started(bench) == ["notes"]


def test_a_claim_left_over_from_before_the_sleep_waits_too(bench: Bench, logged: LoggedWarnings) -> None:
    bench.create("a", rrule=ONCE_A_DAY)
    bench.create("b", rrule=ONCE_A_DAY)
    bench.store.connection.execute("PRAGMA busy_timeout = 0").fetchall()
    others: list[apsw.Connection] = []

    def meanwhile(spec: LaunchSpec) -> None:
        if not others:
            others.append(bench.lock())

    bench.runtime.on_launch = meanwhile
    for text in ("automations tick failed: The database is in use", "cannot be recorded", "cannot be written yet"):
        logged.expect(text)
    bench.advance(HOUR)
    assert [state for state, _ in bench.reasons()] == ["claimed", "claimed"]
    others[0].close()
    bench.network = False
    bench.sleep(10 * MINUTE)
    bench.engine.resumed()
    bench.advance(SETTLE_MS - 1)
    assert started(bench) == ["a"]
    bench.advance(1)
    assert started(bench) == ["a", "b"]


def test_nothing_starts_into_the_sleep(bench: Bench) -> None:
    bench.create(rrule=ONCE_A_DAY)
    bench.advance(HOUR - SECOND)
    bench.engine.fall_asleep()
    bench.advance(2 * SECOND)
    assert bench.reasons() == [("planned", None)]
    bench.sleep(8 * HOUR)
    bench.engine.resumed()
    bench.turn()
    assert bench.reasons() == [("running", None)]


def test_a_sleep_that_does_not_come_holds_nothing_back_for_long(bench: Bench) -> None:
    bench.create(rrule=ONCE_A_DAY)
    bench.advance(HOUR - SECOND)
    bench.engine.fall_asleep()
    bench.advance(SETTLE_MS - 1)
    assert bench.reasons() == [("planned", None)]
    bench.advance(1)
    assert bench.reasons() == [("running", None)]
    # nor is the network of a machine that is about to sleep of any interest
    assert bench.asked_for_network == []


def test_what_else_a_pass_does_goes_on_meanwhile(bench: Bench) -> None:
    session = bench.run_due(timeoutMinutes=5)
    bench.network = False
    bench.sleep(10 * MINUTE)
    bench.engine.resumed()
    bench.turn()
    assert bench.world.stops == [session]
    bench.runtime.confirm_stop(session)
    bench.turn()
    assert bench.states() == [("notes", "failed", "failed", "timed_out")]


def test_the_reads_say_what_due_work_waits_for(bench: Bench) -> None:
    def told() -> tuple[object, bool]:
        reads = bench.engine.reads
        return reads.scheduler_status().get("claimsWait"), reads.state_summary().claims_wait

    assert told() == (None, False)
    asleep_over_a_slot(bench)
    bench.engine.resumed()
    bench.turn()
    assert told() == ("for the network after sleep", True)
    bench.network = True
    bench.advance(NETWORK_LOOK_MS)
    assert told() == (None, False)


def test_an_app_that_was_killed_while_it_waited_is_not_said_to_wait(bench: Bench) -> None:
    asleep_over_a_slot(bench)
    bench.engine.resumed()
    bench.turn()
    bench.crash()
    assert not bench.engine.reads.state_summary().claims_wait
    assert bench.reasons() == [("running", None)]


def test_an_engine_that_has_stopped_is_not_disturbed(bench: Bench) -> None:
    bench.engine.stop()
    bench.engine.fall_asleep()
    bench.engine.resumed()
    bench.advance(MINUTE)
    assert not bench.engine.running
    assert bench.asked_for_network == []
