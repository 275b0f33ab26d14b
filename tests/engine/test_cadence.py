"""Cadences on the engine: catch-up, runs one after another, and their ends (design/schedules.md, cadence)."""

from __future__ import annotations

import json
from functools import partial

import pytest

from coven_desktop.contract.errors import Code
from coven_desktop.engine import pause_all
from coven_desktop.engine.commands import desktop_routines, schedules
from tests.engine.conftest import DAY, HOUR, MINUTE, SECOND, Bench, refused
from tests.engine.definition_bodies import moved, told
from tests.engine.families import cadence, create, fresh, outcomes, revise, stands

EVERY = {"mode": "every_n_minutes", "anchor": "2026-09-01T09:00:00Z"}


def test_the_first_slot_is_the_one_at_the_time_of_saving(bench: Bench) -> None:
    create(bench, cadence(anchor="2026-09-01T09:00:00"))
    assert outcomes(bench) == [("09-01T09:00", "running", None)]
    assert stands(bench) == ("active", 1, "2026-09-02T09:00:00.000Z")


@pytest.mark.parametrize(
    ("policy", "expected"),
    [
        ("skip", [("09-03T10:00", "skipped", "catch_up")]),
        ("run-once", [("09-03T10:00", "running", None)]),
        (
            "run-all",
            [("09-01T10:00", "running", None), ("09-02T10:00", "planned", None), ("09-03T10:00", "planned", None)],
        ),
    ],
)
def test_three_daily_windows_missed(bench: Bench, policy: str, expected: list[tuple[str, str, str | None]]) -> None:
    create(bench, cadence(catchUp=policy))
    bench.crash(away=2 * DAY + 2 * HOUR)
    assert outcomes(bench) == expected
    for _ in range(3):
        if bench.world.launched:
            bench.end()
    assert {state for _, state, _ in outcomes(bench)} == {"skipped" if policy == "skip" else "succeeded"}
    assert stands(bench)[1:] == (len(bench.world.launched), "2026-09-04T10:00:00.000Z")


def test_what_was_missed_is_told_with_its_count(bench: Bench) -> None:
    create(bench, cadence(catchUp="skip"), "skips")
    create(bench, cadence(catchUp="run-once"), "once")
    bench.crash(away=2 * DAY + 2 * HOUR)
    found = {
        json.loads(body)["automationId"]: json.loads(body)["payload"]
        for (body,) in bench.rows("SELECT body FROM events WHERE kind = 'occurrence.misfire_recorded'")
    }
    assert found == {
        "skips": {
            "disposition": "catch_up_skipped",
            "collapsedSlots": 3,
            "firstSlot": "2026-09-01T10:00:00.000Z",
            "lastSlot": "2026-09-03T10:00:00.000Z",
        },
        "once": {
            "disposition": "catch_up_skipped",
            "collapsedSlots": 2,
            "firstSlot": "2026-09-01T10:00:00.000Z",
            "lastSlot": "2026-09-02T10:00:00.000Z",
        },
    }
    assert bench.rows("SELECT slots, first_slot, last_slot FROM missed_spans") == [
        (3, "2026-09-01T10:00:00.000Z", "2026-09-03T10:00:00.000Z")
    ]


def test_run_all_goes_oldest_first_and_at_most_sixty_four_stand_planned(bench: Bench) -> None:
    create(bench, {**cadence(catchUp="run-all"), **EVERY, "minutes": 1, "anchor": "2026-09-01T09:01:00Z"})
    bench.crash(away=100 * MINUTE)
    found = outcomes(bench)
    assert len(found) == 64
    assert found[0] == ("09-01T09:01", "running", None)
    bench.engine.stop()
    bench.end()
    bench.again()
    for _ in range(120):
        if outcomes(bench)[-1][0] >= "09-01T10:40" and all(row[1] == "succeeded" for row in outcomes(bench)[:100]):
            break
        bench.end()
    found = outcomes(bench)
    assert [row[0] for row in found[:100]] == [
        f"09-01T{9 + minute // 60:02}:{minute % 60:02}" for minute in range(1, 101)
    ]
    assert {row[1] for row in found[:100]} == {"succeeded"}
    launched = bench.rows(
        "SELECT o.scheduled_for FROM runs r JOIN occurrences o ON o.id = r.occurrence_id ORDER BY r.number"
    )
    assert launched == sorted(launched)


@pytest.mark.parametrize("policy", ["skip", "run-once"])
def test_but_for_run_all_what_is_due_while_a_run_goes_on_is_skipped(bench: Bench, policy: str) -> None:
    create(bench, {**cadence(), **EVERY, "minutes": 10, "catchUp": policy})
    bench.advance(20 * MINUTE)
    assert outcomes(bench) == [
        ("09-01T09:00", "running", None),
        ("09-01T09:10", "skipped", "overlap"),
        ("09-01T09:20", "skipped", "overlap"),
    ]
    assert bench.reasons()[-1] == ("skipped", "skipped: an earlier run of the routine was not over")
    bench.crash(away=40 * MINUTE)
    # the run goes on beside the app's absence: what was missed meanwhile is as late as what is due now
    missed = {"skip": "catch_up", "run-once": "overlap"}[policy]
    assert outcomes(bench)[3:] == [("09-01T09:50", "skipped", missed), ("09-01T10:00", "skipped", "overlap")]
    bench.end()
    bench.advance(10 * MINUTE)
    assert outcomes(bench)[5:] == [("09-01T10:10", "running", None)]


def test_what_is_due_while_a_run_goes_on_is_queued(bench: Bench) -> None:
    create(bench, {**cadence(), **EVERY, "minutes": 10, "catchUp": "run-all"})
    bench.advance(20 * MINUTE)
    assert outcomes(bench) == [
        ("09-01T09:00", "running", None),
        ("09-01T09:10", "planned", None),
        ("09-01T09:20", "planned", None),
    ]
    bench.end()
    assert [row[1] for row in outcomes(bench)] == ["succeeded", "running", "planned"]


def test_of_a_backlog_only_the_oldest_waits_for_a_place(bench: Bench) -> None:
    bench.again(places=1)
    create(bench, cadence("once", anchor="2026-09-01T09:00:00"), "first")
    create(bench, {**cadence(), **EVERY, "anchor": "2026-09-01T09:01:00Z", "minutes": 1, "catchUp": "run-all"}, "often")
    create(bench, cadence("once", anchor="2026-09-01T09:05:00"), "other")
    bench.advance(5 * MINUTE)
    assert [row[1] for row in outcomes(bench, "often")] == ["planned"] * 5
    waiting = bench.engine.reads.open_work()["waitingForPlace"]
    assert [(slot["automationId"], slot["scheduledFor"][11:16]) for slot in waiting] == [
        ("often", "09:01"),
        ("other", "09:05"),
    ]
    bench.end()
    assert [row[1] for row in outcomes(bench, "often")] == ["running", *["planned"] * 4]


def test_once_fires_and_disables_itself_with_its_dispatch(bench: Bench) -> None:
    create(bench, cadence("once"))
    assert stands(bench) == ("active", 0, "2026-09-01T10:00:00.000Z")
    bench.advance(HOUR)
    assert outcomes(bench) == [("09-01T10:00", "running", None)]
    assert stands(bench) == ("disabled", 1, None)
    bench.end()
    assert outcomes(bench) == [("09-01T10:00", "succeeded", None)]
    assert [event["kind"] for event in told(bench, "report")] == ["definition.created", "definition.disabled"]
    assert bench.value("SELECT revision FROM definitions") == 2
    assert bench.value("SELECT json_extract(body, '$.schedule.mode') FROM definitions") == "once"


def test_once_missed_under_skip_is_recorded_and_disabled_in_one(bench: Bench) -> None:
    create(bench, cadence("once", catchUp="skip"))
    bench.crash(away=2 * HOUR)
    assert outcomes(bench) == [("09-01T10:00", "skipped", "catch_up")]
    assert stands(bench) == ("disabled", 0, None)


def test_once_a_minute_ago_counts_as_now(bench: Bench) -> None:
    create(bench, cadence("once", "2026-09-01T08:59:00"))
    assert outcomes(bench) == [("09-01T08:59", "running", None)]
    body = {"adoptionKey": fresh(), "routine": {}}
    assert refused(lambda: create(bench, cadence("once", "2026-09-01T08:58:59"), "late")).code is Code.VALIDATION_FAILED
    assert refused(lambda: desktop_routines.create(bench.engine, body)).details == {"field": "schemaVersion"}


def test_until_fires_at_its_very_instant_and_ends_the_routine(bench: Bench) -> None:
    create(bench, cadence(until="2026-09-02T10:00:00"))
    bench.advance(HOUR)
    bench.end()
    assert stands(bench) == ("active", 1, "2026-09-02T10:00:00.000Z")
    bench.crash(away=DAY - MINUTE)
    bench.advance(MINUTE)
    assert outcomes(bench)[1] == ("09-02T10:00", "running", None)
    assert stands(bench) == ("disabled", 2, None)
    bench.end()
    bench.crash(away=2 * DAY)
    assert len(outcomes(bench)) == 2


def test_slots_up_to_until_that_are_found_late_are_still_handled(bench: Bench) -> None:
    create(bench, cadence(until="2026-09-02T10:00:00", catchUp="run-all"))
    bench.crash(away=5 * DAY)
    assert [row[1] for row in outcomes(bench)] == ["running", "planned"]
    assert stands(bench)[0] == "active"
    bench.end()
    assert [row[1] for row in outcomes(bench)] == ["succeeded", "running"]
    assert stands(bench) == ("disabled", 2, None)


def test_max_runs_counts_what_is_dispatched_and_planning_stops_before(bench: Bench) -> None:
    create(bench, cadence(maxRuns=2, catchUp="run-all"))
    bench.crash(away=5 * DAY)
    assert [row[1] for row in outcomes(bench)] == ["running", "planned"]
    assert stands(bench) == ("active", 1, None)
    assert bench.engine.reads.health("report")["nextDueAt"] is None
    bench.end()
    assert stands(bench) == ("disabled", 2, None)
    assert bench.engine.reads.health("report")["nextDueAt"] is None
    bench.end()
    assert [row[1] for row in outcomes(bench)] == ["succeeded", "succeeded"]


def test_a_firing_of_which_nothing_was_started_is_not_counted_twice(bench: Bench) -> None:
    bench.automatic = False
    bench.again()
    create(bench, cadence("once"))
    bench.advance(HOUR)
    assert stands(bench)[:2] == ("disabled", 1)
    bench.world.found[bench.session] = ("never_started", None)
    bench.crash(away=SECOND)
    assert len(bench.world.launched) == 2
    assert stands(bench)[:2] == ("disabled", 1)
    assert [row[1] for row in outcomes(bench)] == ["claimed"]


def test_a_disabled_one_keeps_its_count_and_can_be_enabled_with_another_end(bench: Bench) -> None:
    create(bench, cadence(maxRuns=1))
    bench.advance(HOUR)
    bench.end()
    assert stands(bench) == ("disabled", 1, None)
    body = {"automationId": "report", "expectedRevision": 2}
    same = refused(lambda: desktop_routines.enable(bench.engine, {"adoptionKey": fresh(), **body}))
    assert same.code is Code.ILLEGAL_TRANSITION
    assert "run 1 times, of 1 at most" in same.reason
    desktop_routines.enable(bench.engine, {"adoptionKey": fresh(), **body, "maxRuns": 2})
    assert stands(bench) == ("paused", 1, None)
    bench.crash(away=3 * DAY - HOUR)
    moved(bench, "activate", "report")
    # nothing is caught up
    assert stands(bench) == ("active", 1, "2026-09-04T10:00:00.000Z")
    bench.advance(HOUR)
    assert stands(bench)[:2] == ("disabled", 2)
    assert [event["kind"] for event in told(bench, "report")][2:] == [
        "definition.reenabled",
        "definition.activated",
        "definition.disabled",
    ]


@pytest.mark.parametrize("schedule", [cadence("once"), cadence(until="2026-09-01T10:00:00")])
def test_one_that_is_over_is_not_made_active_by_an_edit(bench: Bench, schedule: dict[str, object]) -> None:
    create(bench, schedule, status="PAUSED")
    bench.crash(away=DAY)
    again = refused(lambda: revise(bench, schedule, name="Another name"))
    assert (again.code, "is over" in again.reason) == (Code.ILLEGAL_TRANSITION, True)
    # paused it may be edited, and with another time it goes on
    revise(bench, schedule, name="Another name", status="PAUSED")
    revise(bench, {**schedule, "anchor": "2026-09-03T10:00:00", "until": None})
    assert stands(bench) == ("active", 0, "2026-09-03T10:00:00.000Z")


def test_an_edit_gives_no_fewer_runs_than_were_made(bench: Bench) -> None:
    create(bench, {**cadence(), **EVERY, "minutes": 10, "maxRuns": 5})
    for _ in range(2):
        bench.end()
        bench.advance(10 * MINUTE)
    assert stands(bench)[:2] == ("active", 3)
    for most in (2, 3):
        schedule = {**cadence(), **EVERY, "minutes": 10, "maxRuns": most}
        few = refused(partial(revise, bench, schedule))
        assert (few.code, "has run 3 times" in few.reason) == (Code.ILLEGAL_TRANSITION, True)
    revise(bench, {**cadence(), **EVERY, "minutes": 10, "maxRuns": 4})
    bench.end()
    bench.advance(10 * MINUTE)
    assert stands(bench) == ("disabled", 4, None)


def test_the_preview_shows_what_is_run_when_it_is_saved_now(bench: Bench) -> None:
    schedule = cadence("once", "2026-09-01T08:59:40")
    shown = schedules.preview_schedule(bench.engine, {"schedule": schedule}).payload
    assert [firing["at"] for firing in shown["firings"]] == ["2026-09-01T08:59:40.000Z"]
    create(bench, schedule)
    assert outcomes(bench) == [("09-01T08:59", "running", None)]


def test_paused_by_hand_nothing_was_missed(bench: Bench) -> None:
    create(bench, cadence(catchUp="run-all"))
    moved(bench, "pause", "report")
    bench.crash(away=3 * DAY)
    moved(bench, "activate", "report")
    assert outcomes(bench) == []
    bench.advance(HOUR)
    assert outcomes(bench) == [("09-04T10:00", "running", None)]


def test_the_end_of_pause_all_is_like_the_end_of_a_downtime(bench: Bench) -> None:
    create(bench, cadence())
    with bench.engine.core.change() as tx:
        pause_all.begin(tx, None)
    bench.crash(away=2 * DAY)
    assert outcomes(bench) == []
    with bench.engine.core.change() as tx:
        pause_all.end(tx)
    bench.engine.wake()
    bench.turn()
    assert outcomes(bench) == [("09-02T10:00", "running", None)]


def test_an_edit_of_the_schedule_supersedes_what_is_planned_and_another_does_not(bench: Bench) -> None:
    bench.places = 1
    bench.again()
    create(bench, cadence(anchor="2026-09-01T09:00:00"), "first", timeoutMinutes=44_640)
    create(bench, cadence(), timeoutMinutes=44_640)
    bench.advance(HOUR)
    revise(bench, cadence(), name="Another name", prompt="as edited")
    assert outcomes(bench) == [("09-01T10:00", "planned", None)]
    revise(bench, cadence(catchUp="skip"), name="Another name", prompt="as edited")
    assert outcomes(bench) == [("09-01T10:00", "superseded", "superseded")]
    assert stands(bench)[2] == "2026-09-02T10:00:00.000Z"


def test_what_was_planned_before_another_edit_runs_as_it_is_saved(bench: Bench) -> None:
    bench.places = 1
    bench.again()
    create(bench, cadence(anchor="2026-09-01T09:00:00"), "first", timeoutMinutes=44_640)
    create(bench, cadence())
    bench.advance(HOUR)
    revise(bench, cadence(), prompt="as edited")
    bench.end(session_id=bench.world.launched[0].session_id)
    assert bench.world.launched[-1].prompt == "as edited"
    assert outcomes(bench) == [("09-01T10:00", "running", None)]


def test_a_lost_run_waits_for_the_person(bench: Bench) -> None:
    create(bench, cadence())
    bench.advance(HOUR)
    bench.world.found[bench.session] = ("vanished", None)
    bench.crash(away=10 * MINUTE)
    assert outcomes(bench) == [("09-01T10:00", "recovery_required", "evidence_lost")]


def test_a_disabled_one_runs_nothing_that_was_planned(bench: Bench) -> None:
    bench.places = 1
    bench.again()
    create(bench, cadence(anchor="2026-09-01T09:00:00"), "first", timeoutMinutes=44_640)
    create(bench, cadence())
    bench.advance(HOUR)
    moved(bench, "disable", "report")
    bench.end(session_id=bench.world.launched[0].session_id)
    assert outcomes(bench) == [("09-01T10:00", "superseded", "superseded")]
