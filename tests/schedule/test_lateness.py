"""What a late pass makes of the slots it finds: nothing is lost, nothing runs twice, however the passes come."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coven_desktop.schedule import cadence, cron
from coven_desktop.schedule.families import CATCH_UPS, CatchUp
from coven_desktop.schedule.lateness import MISSED_AFTER, MOST_PLANNED, Decision, Span, of_cadence, of_cron
from coven_desktop.schedule.slots import Schedule
from tests.schedule.reference import ms

MINUTE = 60_000
HOUR = 60 * MINUTE
DAY = 24 * HOUR
START = ms("2026-10-20T00:00:00Z")


def daily(zone: str = "Europe/Paris") -> Schedule:
    return cadence.schedule(cadence.parse("daily", zone, anchor="2026-01-01T09:00:00"))


def every(minutes: int) -> Schedule:
    return cadence.schedule(cadence.parse("every_n_minutes", "utc", anchor="2026-01-01T00:00:00Z", minutes=minutes))


@pytest.mark.parametrize(("policy", "planned", "number"), [("skip", 0, 3), ("run-once", 1, 2), ("run-all", 3, 0)])
def test_three_daily_windows_missed(policy: CatchUp, planned: int, number: int) -> None:
    now = ms("2026-10-22T12:00:00Z")
    decision = of_cadence(daily("utc"), policy, START, now)
    slots = [ms(f"2026-10-{day}T09:00:00Z") for day in (20, 21, 22)]
    assert decision.planned == tuple(slots[3 - planned :])
    assert decision.rest == (Span(number, slots[0], slots[number - 1]) if number else None)
    assert decision.handled == now
    # then the normal cadence
    assert of_cadence(daily("utc"), policy, now, now + DAY - 3 * HOUR) == Decision(
        (slots[2] + DAY,), (), None, now + DAY - 3 * HOUR
    )


@pytest.mark.parametrize("late", [0, MISSED_AFTER, MISSED_AFTER + 1])
def test_a_slot_is_missed_when_it_is_older_than_a_pass_and_five_seconds(late: int) -> None:
    slot = ms("2026-10-20T09:00:00Z")
    decision = of_cadence(daily("utc"), "skip", START, slot + late)
    assert (decision.planned == (slot,)) is (late <= MISSED_AFTER)
    assert (decision.rest == Span(1, slot, slot)) is (late > MISSED_AFTER)


def test_a_make_up_run_and_the_one_that_is_on_time() -> None:
    now = ms("2026-10-22T09:00:10Z")
    decision = of_cadence(daily("utc"), "run-once", START, now)
    assert decision.planned == (ms("2026-10-21T09:00:00Z"), ms("2026-10-22T09:00:00Z"))
    assert decision.rest == Span(1, ms("2026-10-20T09:00:00Z"), ms("2026-10-20T09:00:00Z"))


def test_all_of_a_week_in_slices_of_64() -> None:
    schedule, now, after = every(1), START + 7 * DAY, START
    planned: list[int] = []
    passes = 0
    while after < now:
        decision = of_cadence(schedule, "run-all", after, now)
        assert len(decision.planned) <= MOST_PLANNED
        planned += decision.planned
        after = decision.handled
        passes += 1
    assert planned == list(range(START + MINUTE, now + 1, MINUTE))
    assert len(planned) == 10_080
    assert passes == -(-10_080 // MOST_PLANNED)


def test_runs_that_are_left_bound_what_is_planned() -> None:
    schedule, now = every(10), START + HOUR
    decision = of_cadence(schedule, "run-all", START, now, room=2)
    assert decision.planned == (START + 10 * MINUTE, START + 20 * MINUTE)
    assert decision.handled == START + 20 * MINUTE
    assert of_cadence(schedule, "run-all", START, now, room=0) == Decision((), (), None, START + 10 * MINUTE - 1)
    # the make-up run takes the last place: the slot that is on time is left
    once = of_cadence(schedule, "run-once", START, now, room=1)
    assert once.planned == (START + 50 * MINUTE,)
    assert once.handled == START + 50 * MINUTE
    assert once.rest == Span(4, START + 10 * MINUTE, START + 40 * MINUTE)


def test_151_due_of_cron() -> None:
    schedule = cron.schedule("* * * * *", "utc")
    decision = of_cron(schedule, START, START + 151 * MINUTE)
    assert decision.planned == (START + 151 * MINUTE,)
    assert decision.missed == tuple(START + minute * MINUTE for minute in range(51, 151))
    assert decision.rest == Span(50, START + MINUTE, START + 50 * MINUTE)


@pytest.mark.parametrize(("due", "missed", "rest"), [(0, 0, 0), (1, 0, 0), (2, 1, 0), (101, 100, 0), (102, 100, 1)])
def test_so_many_due_of_cron(due: int, missed: int, rest: int) -> None:
    decision = of_cron(cron.schedule("* * * * *", "utc"), START, START + due * MINUTE + 30_000)
    assert len(decision.planned) == min(due, 1)
    assert len(decision.missed) == missed
    assert (decision.rest.number if decision.rest else 0) == rest
    assert decision.handled == START + due * MINUTE + 30_000


def test_a_year_of_cron_has_no_age_limit() -> None:
    decision = of_cron(cron.schedule("* * * * *", "utc"), START, START + 365 * DAY)
    assert (len(decision.planned), len(decision.missed)) == (1, 100)
    assert decision.rest == Span(525_499, START + MINUTE, START + 365 * DAY - 101 * MINUTE)


def test_a_clock_that_goes_back_handles_nothing() -> None:
    schedule = cron.schedule("* * * * *", "utc")
    assert of_cron(schedule, START, START - HOUR) == Decision((), (), None, START)
    assert of_cadence(every(1), "run-once", START, START - HOUR) == Decision((), (), None, START)


PAUSES = st.lists(st.integers(1, 5 * DAY) | st.sampled_from([MINUTE, 10_000, HOUR]), min_size=1, max_size=12)
SCHEDULES = st.sampled_from(
    [
        *(cron.schedule(text, "Europe/Paris") for text in ("* * * * *", "*/7 * * * *", "30 2 * * *", "0 9 * * 1-5")),
        *(daily(), every(1), every(90)),
        cadence.schedule(cadence.parse("hourly", "Australia/Lord_Howe", anchor="2026-01-01T00:15:00")),
        cadence.schedule(cadence.parse("cron", "Europe/Paris", expression="*/20 * 2-3 * * *")),
    ]
)


@given(SCHEDULES, PAUSES)
def test_passes_of_cron_account_for_each_slot_once(schedule: Schedule, pauses: list[int]) -> None:
    after = now = START
    told: list[int] = []
    for pause in pauses:
        now += pause
        decision = of_cron(schedule, after, now)
        if decision.rest is not None:
            span = list(schedule.between(after, decision.rest.last))
            assert decision.rest == Span(len(span), span[0], span[-1])
            told += span
        told += [*decision.missed, *decision.planned]
        assert len(decision.planned) <= 1
        assert decision.handled == now
        after = decision.handled
    assert told == list(schedule.between(START, now))


@given(SCHEDULES, PAUSES, st.sampled_from(CATCH_UPS), st.none() | st.integers(0, 70))
def test_passes_of_a_cadence_account_for_each_slot_once(
    schedule: Schedule, pauses: list[int], policy: CatchUp, room: int | None
) -> None:
    after = now = START
    accounted: list[int] = []
    for pause in pauses:
        now += pause
        for _ in range(3):
            decision = of_cadence(schedule, policy, after, now, room)
            if decision.rest is not None:
                last = decision.rest.last
                assert decision.rest.number == len(list(schedule.between(after, last)))
                accounted += schedule.between(after, last)
            accounted += decision.planned
            assert len(decision.planned) <= (MOST_PLANNED if room is None else min(room, MOST_PLANNED))
            assert after <= decision.handled <= max(after, now)
            if policy == "run-all":
                assert decision.rest is None
            after = decision.handled
            if room is not None:
                room -= len(decision.planned)
    assert accounted == list(schedule.between(START, after))


@given(SCHEDULES, st.integers(1, 3 * DAY), st.integers(1_000, MISSED_AFTER))
def test_frequent_passes_plan_what_one_late_pass_plans_under_run_all(schedule: Schedule, away: int, step: int) -> None:
    """And miss nothing, whatever the policy."""
    end = START + min(away, 400 * step)
    for policy in CATCH_UPS:
        planned: list[int] = []
        after = now = START
        while now < end:
            now = min(now + step, end)
            decision = of_cadence(schedule, policy, after, now)
            assert decision.rest is None
            planned += decision.planned
            after = decision.handled
        if after == end:
            assert planned == list(schedule.between(START, end))
