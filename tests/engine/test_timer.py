"""When a pass runs: at the instant that matters, when woken, every minute, never in a tight loop (decisions.md 1)."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

import apsw
import pytest

from coven_desktop.engine.commands import definitions
from coven_desktop.engine.engine import LOOK_MS
from coven_desktop.loop.manual import ManualClock
from coven_desktop.runtime.sessions import LaunchSpec
from coven_desktop.store import occurrences, scheduler
from coven_desktop.store.errors import StoreFault
from tests.conftest import LoggedWarnings
from tests.engine.conftest import HOUR, MINUTE, SECOND, Bench, definition
from tests.engine.held_runs import BUSY, policy


class Passes:
    """Every pass that is recorded from now on: its trigger, when it was due, when it began."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench
        bench.store.connection.execute(
            "CREATE TEMP TABLE passes (trigger, scheduled_at, started_at, status);"
            "CREATE TEMP TRIGGER noted AFTER INSERT ON main.scheduler_last_pass BEGIN"
            " INSERT INTO passes VALUES (NEW.trigger, NEW.scheduled_at, NEW.started_at, NEW.status); END"
        ).fetchall()

    def seen(self) -> list[tuple[str, str]]:
        """Trigger and start of each, as seconds of the day's clock."""
        return [(row[0], row[1][11:23]) for row in self._bench.rows("SELECT trigger, started_at FROM passes")]


def test_passes_come_every_minute_after_the_one_before(bench: Bench) -> None:
    passes = Passes(bench)
    bench.advance(2 * MINUTE + 30 * SECOND)
    assert passes.seen() == [("deadline", "09:01:00.000"), ("deadline", "09:02:00.000")]
    last = bench.last_pass()
    assert (last["scheduledAt"], last["startedAt"], last["startLagMs"]) == (
        "2026-09-01T09:02:00.000Z",
        "2026-09-01T09:02:00.000Z",
        0,
    )


def test_the_minute_counts_from_the_end_of_a_pass(bench: Bench) -> None:
    bench.create()
    bench.advance(HOUR - 30 * SECOND)
    bench.runtime.on_launch = lambda spec: bench.clock.advance(7 * SECOND)
    passes = Passes(bench)
    bench.advance(30 * SECOND)
    bench.advance(SECOND)
    last = bench.last_pass()
    # the launch was longer than a stretch, so the loop had its turn before the rest of the pass
    assert (last["durationMs"], last["finishedAt"]) == (7_000, "2026-09-01T10:00:07.000Z")
    bench.advance(MINUTE)
    assert passes.seen() == [("deadline", "10:00:00.000"), ("deadline", "10:01:07.000")]


def test_a_slot_between_the_minutes_is_met_precisely(bench: Bench) -> None:
    bench.clock.jump(-12_345)
    bench.again()
    bench.create()
    passes = Passes(bench)
    bench.advance(12_344)
    assert passes.seen() == []
    bench.advance(1)
    assert passes.seen() == [("deadline", "09:00:00.000")]
    assert bench.states() == [("notes", "running", "running", "observing")]


def test_a_late_start_is_told(bench: Bench) -> None:
    bench.create()
    bench.advance(HOUR - 10 * SECOND)
    # the loop was kept busy
    bench.clock.advance(10 * SECOND + 250)
    bench.turn()
    last = bench.last_pass()
    assert (last["scheduledAt"], last["startedAt"], last["startLagMs"]) == (
        "2026-09-01T10:00:00.000Z",
        "2026-09-01T10:00:00.250Z",
        250,
    )


def test_a_change_that_wakes_nobody_still_moves_the_timer(bench: Bench) -> None:
    bench.create()
    passes = Passes(bench)
    with bench.engine.core.change() as tx:
        tx.change("UPDATE definitions SET next_due_at = '2026-09-01T09:00:01.500Z'")
    bench.advance(1_500)
    assert passes.seen() == [("deadline", "09:00:01.500")]


def test_wakes_before_a_pass_are_one_pass(bench: Bench) -> None:
    passes = Passes(bench)
    for _ in range(5):
        bench.engine.wake()
    bench.turn()
    assert passes.seen() == [("wake", "09:00:00.000")]


def test_wakes_during_a_pass_are_exactly_one_more(bench: Bench) -> None:
    bench.create()
    bench.advance(HOUR - 1)
    passes = Passes(bench)

    def wake(spec: LaunchSpec) -> None:
        for _ in range(3):
            bench.engine.wake()

    bench.runtime.on_launch = wake
    bench.advance(1)
    assert passes.seen() == [("deadline", "10:00:00.000"), ("wake", "10:00:00.000")]


def test_a_pass_that_is_due_anyway_takes_the_wake_with_it(bench: Bench) -> None:
    bench.advance(MINUTE - 1)
    passes = Passes(bench)
    bench.clock.advance(1)
    bench.engine.wake()
    bench.turn()
    assert len(passes.seen()) == 1


def test_what_a_pass_settles_itself_wakes_no_other(bench: Bench) -> None:
    bench.run_due(timeoutMinutes=5)
    passes = Passes(bench)
    bench.advance(5 * MINUTE)
    # the stop is never answered: the pass at the end of its fence settles
    bench.advance(30 * SECOND)
    assert bench.reasons()[0][0] == "recovery_required"
    assert [began for _, began in passes.seen()][-2:] == ["10:05:00.000", "10:05:30.000"]


def test_a_quiet_hour_costs_little(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    bench.create(rrule="FREQ=DAILY;BYHOUR=23")
    bench.advance(MINUTE)
    passes = Passes(bench)
    calls: list[int] = []
    call_at = bench.loop.call_at

    def counted(when: int, callback: Callable[[], None]) -> object:
        calls.append(when)
        return call_at(when, callback)

    monkeypatch.setattr(bench.loop, "call_at", counted)
    bench.advance(HOUR)
    assert len(passes.seen()) == 60
    # one look at the wall clock in 5 s, and what belongs to the passes
    assert len(calls) < 900


def test_what_cannot_be_written_is_tried_again_calmly(
    bench: Bench, logged: LoggedWarnings, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.create()
    bench.store.connection.execute("PRAGMA busy_timeout = 0").fetchall()
    bench.advance(HOUR - SECOND)
    other = bench.lock()
    logged.expect("automations tick failed: The database is in use by another program.")
    logged.expect("the pass cannot be recorded")
    attempts: list[int] = []
    expire = bench.engine.stopping.expire

    def counted() -> None:
        attempts.append(bench.clock.wall())
        expire()

    monkeypatch.setattr(bench.engine.stopping, "expire", counted)
    bench.advance(21 * SECOND)
    assert len(attempts) == 5
    other.close()
    bench.advance(5 * SECOND)
    assert bench.states() == [("notes", "running", "running", "observing")]


def locked_when(bench: Bench, condition: str) -> list[apsw.Connection]:
    """Another program takes the database right after the commit that makes a condition on an occurrence true."""
    others: list[apsw.Connection] = []
    bench.store.connection.execute("PRAGMA busy_timeout = 0").fetchall()
    committed = bench.store.on_commit

    def on_commit() -> None:
        committed()
        if not others and bench.rows(f"SELECT 1 FROM occurrences WHERE {condition}"):
            others.append(bench.lock())

    bench.store.on_commit = on_commit
    return others


@pytest.mark.parametrize("attempt", [1, 2])
def test_a_claim_that_could_not_be_dispatched_does_not_wait_for_the_next_minute(
    bench: Bench, logged: LoggedWarnings, attempt: int
) -> None:
    logged.expect("automations tick failed: The database is in use by another program.")
    logged.expect("the pass cannot be recorded")
    bench.create(retry=policy(seconds=30))
    bench.runtime.refuse = BUSY if attempt == 2 else None
    bench.advance(HOUR - 1)
    others = locked_when(bench, f"state = 'claimed' AND fence = {attempt}")
    bench.advance(1)
    bench.runtime.refuse = None
    if attempt == 2:
        bench.advance(30 * SECOND)
    assert not bench.engine.sessions.has_unwritten()
    assert bench.value("SELECT state FROM occurrences") == "claimed"
    # it is no tight loop either
    bench.advance(LOOK_MS - 1)
    others[0].close()
    assert bench.world.launched == []
    bench.advance(1)
    assert bench.states()[-1] == ("notes", "running", "running", "observing")
    assert bench.last_pass()["status"] == "succeeded"


@pytest.mark.parametrize(
    ("where", "name", "told"),
    [
        (occurrences, "expired_leases", "automations tick failed: The disk is full."),
        (scheduler, "record_pass", "the pass cannot be recorded: The disk is full."),
    ],
    ids=["failed", "not recorded"],
)
def test_a_pass_that_the_environment_cut_short_is_made_up_for_once(
    bench: Bench, logged: LoggedWarnings, monkeypatch: pytest.MonkeyPatch, where: ModuleType, name: str, told: str
) -> None:
    logged.expect(told)

    def refuse(*arguments: object) -> None:
        raise StoreFault("full", "The disk is full.", "Make room.")

    with monkeypatch.context() as patch:
        patch.setattr(where, name, refuse)
        bench.advance(MINUTE)
    passes = Passes(bench)
    bench.advance(MINUTE + LOOK_MS)
    assert passes.seen() == [("deadline", "09:01:05.000"), ("deadline", "09:02:05.000")]


def test_a_wall_clock_set_forward_is_noticed(bench: Bench) -> None:
    bench.create()
    bench.advance(MINUTE)
    passes = Passes(bench)
    bench.clock.jump(3 * HOUR)
    bench.advance(5 * SECOND)
    assert [trigger for trigger, _ in passes.seen()] == ["wake"]
    assert bench.value("SELECT scheduled_for FROM occurrences") == "2026-09-01T12:00:00.000Z"


def test_a_wall_clock_set_back_is_noticed_and_the_slot_is_met_by_the_new_time(bench: Bench) -> None:
    bench.create()
    bench.advance(30 * MINUTE)
    bench.clock.jump(-20 * MINUTE)
    bench.advance(50 * MINUTE - 1)
    assert bench.states() == []
    bench.advance(1)
    assert bench.value("SELECT scheduled_for FROM occurrences") == "2026-09-01T10:00:00.000Z"


def test_a_small_difference_is_no_jump(bench: Bench) -> None:
    bench.advance(MINUTE)
    passes = Passes(bench)
    bench.clock.jump(1_900)
    bench.advance(30 * SECOND)
    assert passes.seen() == []


def test_a_pass_that_fails_is_recorded_and_the_loop_goes_on(
    bench: Bench, logged: LoggedWarnings, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.create()

    def fail(*arguments: object) -> list[str]:
        raise RuntimeError("oops")

    with monkeypatch.context() as patch:
        patch.setattr(occurrences, "expired_leases", fail)
        logged.expect("automations tick failed")
        bench.advance(HOUR)
        last = bench.last_pass()
        assert (last["status"], last["errorClass"], last["planned"]) == ("failed", "scheduler_pass_failed", 1)
    bench.advance(MINUTE)
    assert bench.last_pass()["status"] == "succeeded"
    assert bench.last_pass()["errorClass"] is None
    assert bench.states() == [("notes", "running", "running", "observing")]


class BusyClock(ManualClock):
    """Everything takes time: each look at the monotonic clock is a millisecond."""

    def monotonic(self) -> int:
        """See `Clock`."""
        self.advance(1)
        return super().monotonic()


def test_a_long_pass_lets_the_loop_answer_in_between(bench: Bench) -> None:
    bench.again(places=0)
    for number in range(200):
        bench.create(f"routine-{number:03}")
    bench.engine.stop()
    bench.kill()
    bench.clock = BusyClock(bench.clock.wall() + HOUR, bench.clock.monotonic() + HOUR)
    bench.open()
    bench.engine.start()
    assert not bench.engine.waiting
    started_before: list[int] = []

    def command() -> None:
        started_before.append(len(bench.world.launched))
        definitions.create(bench.engine, {"definition": definition("late")})

    bench.loop.call_soon(command)
    bench.loop.run_until(lambda: bench.engine.waiting)
    assert started_before
    assert started_before[0] < 200
    assert len(bench.world.launched) == 200


def test_stopping_in_the_middle_of_a_pass_starts_nothing_more(bench: Bench) -> None:
    bench.again(places=0)
    for number in range(200):
        bench.create(f"routine-{number:03}")
    bench.engine.stop()
    bench.kill()
    bench.clock = BusyClock(bench.clock.wall() + HOUR, bench.clock.monotonic() + HOUR)
    bench.open()
    bench.engine.start()
    bench.loop.run_until(lambda: len(bench.world.launched) > 3)
    bench.engine.stop()
    launched = len(bench.world.launched)
    assert launched < 200
    bench.loop.run_until_idle()
    assert len(bench.world.launched) == launched
    assert (
        bench.value(
            "SELECT count(*) FROM occurrences WHERE state = 'claimed' AND id NOT IN (SELECT occurrence_id FROM runs)"
        )
        == 0
    )


def test_news_is_told_once_a_turn_and_only_when_something_changed(bench: Bench) -> None:
    told: list[int] = []
    bench.engine.subscribe(lambda: told.append(1))
    bench.turn()
    assert told == []
    definitions.create(bench.engine, {"definition": definition()})
    definitions.update(bench.engine, {"definition": definition(name="Other")})
    assert told == []
    bench.turn()
    assert 1 <= len(told) <= 3


def test_an_engine_that_has_stopped_does_nothing_any_more(bench: Bench) -> None:
    bench.create()
    bench.engine.stop()
    bench.engine.stop()
    bench.engine.wake()
    before = bench.rows("SELECT * FROM scheduler_last_pass")
    bench.advance(2 * HOUR)
    assert bench.rows("SELECT * FROM scheduler_last_pass") == before
    assert not bench.engine.running


def test_an_end_that_cannot_be_written_is_not_fatal(bench: Bench, logged: LoggedWarnings) -> None:
    bench.store.connection.execute("PRAGMA busy_timeout = 0").fetchall()
    other = bench.lock()
    logged.expect("the end could not be recorded")
    bench.engine.stop()
    other.close()
    bench.kill()
    bench.restart()
    assert bench.engine.reads.scheduler_status()["generation"] == 2


def test_the_end_of_a_pass_is_told_also_of_one_that_had_nothing_to_do(bench: Bench) -> None:
    told: list[int] = []
    bench.engine.subscribe(lambda: told.append(bench.clock.wall()))
    before = bench.last_pass()["finishedAt"]
    bench.advance(MINUTE)
    assert bench.last_pass()["finishedAt"] != before
    assert told == [bench.clock.wall()]
