"""What a late pass makes of the slots that came due (design/schedules.md, cadence and cron)."""

from __future__ import annotations

from typing import Any, get_args

from hypothesis import given
from hypothesis import strategies as st

from coven_desktop.schedule.families import CatchUp, read
from coven_desktop.schedule.late_slots import LATE, MOST_PLANNED, MOST_RECORDS, Span, of_cadence, of_cron
from coven_desktop.schedule.slots import Schedule

MINUTE = 60_000
# 2026-04-04, the day before clocks go back half an hour on Lord Howe
BEGIN = 1_775_260_800_000

_EXPRESSIONS = ("* * * * *", "*/7 * * * *", "0 */3 * * *", "15,45 1-2 * * *", "0 9 * * mon", "30 1 * * *")
_ZONES = ("utc", "Australia/Lord_Howe", "Europe/Paris", "Antarctica/Troll")


@st.composite
def schedules(draw: st.DrawFn, kind: str) -> Schedule:
    zone = draw(st.sampled_from(_ZONES))
    document: dict[str, Any] = {"kind": kind, "expression": draw(st.sampled_from(_EXPRESSIONS)), "timezone": zone}
    if kind == "cadence":
        document["mode"] = "cron"
        if draw(st.booleans()):
            document = {"kind": kind, "mode": "every_n_minutes", "timezone": zone, "anchor": "2026-04-01T00:00:13Z"}
            document["minutes"] = draw(st.integers(1, 90))
    return read(document).schedule


instants = st.integers(0, 3 * 24 * 60 * MINUTE).map(lambda offset: BEGIN + offset)


@given(schedules("cron"), instants, st.integers(0, 3 * 24 * 60 * MINUTE))
def test_each_due_cron_slot_runs_or_has_its_record(schedule: Schedule, after: int, span: int) -> None:
    due = list(schedule.between(after, after + span))
    found = of_cron(schedule, after, after + span)
    if found is None:
        assert due == []
        return
    assert found.newest == due[-1]
    assert list(found.missed) == due[:-1][-MOST_RECORDS:]
    rest = due[: -1 - MOST_RECORDS]
    assert found.before == (Span(len(rest), rest[0], rest[-1]) if rest else None)


def test_of_a_hundred_and_fifty_one_due_one_runs() -> None:
    every_minute = read({"kind": "cron", "expression": "* * * * *", "timezone": "utc"}).schedule
    found = of_cron(every_minute, BEGIN, BEGIN + 151 * MINUTE)
    assert found is not None
    assert found.newest == BEGIN + 151 * MINUTE
    assert len(found.missed) == 100
    assert found.before == Span(50, BEGIN + MINUTE, BEGIN + 50 * MINUTE)


def test_a_year_of_minutes_costs_a_hundred_steps() -> None:
    every_minute = read({"kind": "cron", "expression": "* * * * *", "timezone": "utc"}).schedule
    found = of_cron(every_minute, BEGIN, BEGIN + 525_600 * MINUTE)
    assert found is not None
    assert found.before == Span(525_499, BEGIN + MINUTE, BEGIN + 525_499 * MINUTE)


@given(
    schedules("cadence"),
    instants,
    st.integers(0, 3 * 24 * 60 * MINUTE),
    st.sampled_from(get_args(CatchUp)),
    st.integers(0, MOST_PLANNED),
)
def test_each_due_slot_of_a_cadence_is_handled_once(
    schedule: Schedule, after: int, span: int, catch_up: CatchUp, room: int
) -> None:
    now = after + span
    due = list(schedule.between(after, now))
    missed = [slot for slot in due if slot < now - LATE]
    in_time = due[len(missed) :]
    found = of_cadence(schedule, after, now, catch_up, room)
    if found is None:
        assert due == []
        return
    if catch_up == "run-all":
        wanted = due
    elif catch_up == "run-once":
        wanted = [*missed[-1:], *in_time]
    else:
        wanted = in_time
    assert list(found.run) == wanted[:room]
    assert found.more == (len(wanted) > room)
    span_of_missed = Span(len(missed), missed[0], missed[-1]) if missed else None
    assert found.skipped == (span_of_missed if catch_up == "skip" else None)
    assert found.made_up == (len(missed) - 1 if catch_up == "run-once" and missed and room else 0)


@given(schedules("cadence"), instants, st.integers(0, 24 * 60 * MINUTE), st.integers(1, MOST_PLANNED))
def test_passes_with_little_room_plan_the_same_as_one_with_much(
    schedule: Schedule, after: int, span: int, room: int
) -> None:
    now = after + span
    due = list(schedule.between(after, now))
    handled: list[int] = []
    while (found := of_cadence(schedule, after, now, "run-all", room)) is not None:
        handled += found.run
        assert found.more == (len(handled) < len(due))
        after = found.run[-1]
    assert handled == due


def test_three_daily_windows_missed_are_none_one_or_three_runs() -> None:
    daily = read({"kind": "cadence", "mode": "daily", "anchor": "2026-04-01T09:00:00", "timezone": "utc"}).schedule
    windows = list(daily.between(BEGIN, BEGIN + 3 * 86_400_000))
    now = windows[-1] + LATE + 1
    found = {policy: of_cadence(daily, BEGIN, now, policy, 64) for policy in get_args(CatchUp)}
    assert {policy: due.run for policy, due in found.items() if due} == {
        "skip": (),
        "run-once": (windows[-1],),
        "run-all": tuple(windows),
    }


def test_a_slot_is_in_time_for_one_interval_and_five_seconds() -> None:
    daily = read({"kind": "cadence", "mode": "daily", "anchor": "2026-04-01T09:00:00", "timezone": "utc"}).schedule
    slot = daily.next_after(BEGIN)
    assert slot is not None
    in_time = of_cadence(daily, BEGIN, slot + 65_000, "skip", 64)
    late = of_cadence(daily, BEGIN, slot + 65_001, "skip", 64)
    assert in_time is not None
    assert (in_time.run, in_time.skipped) == ((slot,), None)
    assert late is not None
    assert (late.run, late.skipped) == ((), Span(1, slot, slot))
