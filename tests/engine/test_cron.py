"""Cron routines on the engine: what runs, what has a record, and what ends them (design/schedules.md, cron)."""

from __future__ import annotations

import json

from coven_desktop.contract.errors import Code
from coven_desktop.engine import pause_all
from coven_desktop.engine.commands import recovery
from coven_desktop.settings import Settings
from coven_desktop.store import attention, happenings
from coven_desktop.store.questions import Question
from coven_desktop.store.transactions import Notice
from tests.engine.conftest import HOUR, MINUTE, SECOND, Bench, refused
from tests.engine.definition_bodies import moved
from tests.engine.families import cadence, create, cron, outcomes, revise, stands

HOURLY = cron("0 * * * *")


def test_a_run_begins_at_its_minute_and_not_at_the_one_of_the_creation(bench: Bench) -> None:
    create(bench, cron())
    assert outcomes(bench) == []
    bench.advance(MINUTE - 1)
    assert outcomes(bench) == []
    bench.advance(1)
    assert outcomes(bench) == [("09-01T09:01", "running", None)]
    bench.end()
    assert outcomes(bench) == [("09-01T09:01", "succeeded", None)]
    assert stands(bench) == ("active", 1, "2026-09-01T09:02:00.000Z")


def test_the_newest_of_those_missed_runs_and_each_other_has_a_record(bench: Bench) -> None:
    create(bench, HOURLY)
    bench.crash(away=3 * HOUR)
    assert outcomes(bench) == [
        ("09-01T10:00", "skipped", "missed"),
        ("09-01T11:00", "skipped", "missed"),
        ("09-01T12:00", "running", None),
    ]


def test_of_a_hundred_and_fifty_one_missed_the_oldest_fifty_are_one_record(bench: Bench) -> None:
    create(bench, cron())
    bench.crash(away=151 * MINUTE)
    found = outcomes(bench)
    assert len(found) == 102
    assert found[-1] == ("09-01T11:31", "running", None)
    assert {row[1:] for row in found[:-1]} == {("skipped", "missed")}
    assert bench.rows("SELECT slots, first_slot, last_slot FROM missed_spans") == [
        (50, "2026-09-01T09:01:00.000Z", "2026-09-01T09:50:00.000Z")
    ]
    (reason,) = bench.rows("SELECT failure_reason FROM occurrences ORDER BY scheduled_for LIMIT 1")[0]
    assert reason.startswith("50 times were missed")
    told = [
        json.loads(body)["payload"]
        for (body,) in bench.rows("SELECT body FROM events WHERE kind = 'occurrence.misfire_recorded'")
    ]
    assert [payload["disposition"] for payload in told] == ["missed"] * 101
    assert sum(payload["collapsedSlots"] for payload in told) == 150


def test_a_time_that_comes_while_a_run_is_not_over_is_skipped_with_the_reason(bench: Bench) -> None:
    create(bench, cron())
    bench.advance(2 * MINUTE)
    assert outcomes(bench) == [("09-01T09:01", "running", None), ("09-01T09:02", "skipped", "overlap")]
    bench.end()
    bench.advance(MINUTE)
    assert outcomes(bench)[-1] == ("09-01T09:03", "running", None)


def test_it_runs_as_it_is_saved_when_it_starts_and_both_revisions_are_kept(bench: Bench) -> None:
    bench.places = 1
    bench.again()
    create(bench, HOURLY, "first", prompt="wait")
    create(bench, cron("1 10 * * *"))
    bench.advance(HOUR + MINUTE)
    assert outcomes(bench) == [("09-01T10:01", "planned", None)]
    revise(bench, cron("1 10 * * *"), prompt="as edited")
    bench.end()
    assert bench.world.launched[-1].prompt == "as edited"
    assert bench.rows(
        "SELECT o.automation_revision, r.automation_revision FROM occurrences o JOIN runs r ON r.occurrence_id = o.id"
        " WHERE o.automation_id = 'report'"
    ) == [(1, 2)]


def test_counting_starts_at_an_edit_of_the_schedule_and_not_at_another(bench: Bench) -> None:
    create(bench, cron("30 * * * *"))
    bench.engine.stop()
    bench.kill()
    bench.clock.advance(45 * MINUTE)
    bench.open()
    bench.engine.core.take_lead("test")
    revise(bench, cron("30 * * * *"), name="Another name")
    bench.start()
    assert outcomes(bench) == [("09-01T09:30", "running", None)]
    bench.end()
    bench.kill()
    bench.clock.advance(HOUR)
    bench.open()
    bench.engine.core.take_lead("test")
    revise(bench, cron("0 * * * *"))
    bench.start()
    assert outcomes(bench) == [("09-01T09:30", "succeeded", None)]
    assert stands(bench)[2] == "2026-09-01T11:00:00.000Z"


def test_nothing_is_recorded_while_it_is_paused_and_on_resume_it_counts_from_then(bench: Bench) -> None:
    create(bench, HOURLY)
    moved(bench, "pause", "report")
    bench.advance(3 * HOUR + MINUTE)
    moved(bench, "activate", "report")
    assert outcomes(bench) == []
    bench.advance(HOUR)
    assert outcomes(bench) == [("09-01T13:00", "running", None)]


def test_at_the_end_of_pause_all_the_newest_runs_and_the_others_were_missed(bench: Bench) -> None:
    create(bench, HOURLY)
    with bench.engine.core.change() as tx:
        pause_all.begin(tx, None)
    bench.advance(2 * HOUR + MINUTE)
    assert outcomes(bench) == []
    with bench.engine.core.change() as tx:
        pause_all.end(tx)
    bench.engine.wake()
    bench.turn()
    assert outcomes(bench) == [("09-01T10:00", "skipped", "missed"), ("09-01T11:00", "running", None)]


def test_a_clock_set_back_plans_no_time_again(bench: Bench) -> None:
    create(bench, HOURLY)
    bench.advance(HOUR)
    bench.end()
    bench.clock.jump(-30 * MINUTE)
    bench.advance(45 * MINUTE)
    assert outcomes(bench) == [("09-01T10:00", "succeeded", None)]


def test_a_failed_run_is_settled_at_once_and_is_not_held(bench: Bench) -> None:
    create(bench, HOURLY)
    bench.advance(HOUR)
    bench.end(1)
    assert outcomes(bench) == [("09-01T10:00", "failed", "failed")]
    assert bench.value("SELECT status FROM runs") == "failed"
    assert bench.value("SELECT failures_in_a_row FROM schedule_state") == 1


def test_failures_in_a_row_pause_it_and_a_success_or_a_skip_between_is_no_failure(bench: Bench) -> None:
    told: list[Notice] = []
    bench.engine.subscribe_notices(told.append)
    bench.engine.configure(Settings(pause_after_failures=2))
    create(bench, cron())
    for exit_code in (1, 0, 1):
        bench.advance(MINUTE)
        bench.end(exit_code)
    assert stands(bench)[0] == "active"
    # a run that goes on over the next time: that one is skipped, which neither counts nor begins anew
    bench.advance(2 * MINUTE)
    bench.end(1)
    assert stands(bench) == ("paused", 4, None)
    assert [(notice.kind, notice.automation_id) for notice in told] == [("paused_after_failures", "report")]
    assert bench.value("SELECT json_extract(body, '$.status') FROM definitions WHERE id = 'report'") == "PAUSED"
    bench.advance(5 * MINUTE)
    assert len(outcomes(bench)) == 5
    moved(bench, "activate", "report")
    bench.advance(MINUTE)
    bench.end(1)
    assert stands(bench)[0] == "active"


def test_no_number_of_failures_pauses_when_the_setting_says_never(bench: Bench) -> None:
    bench.engine.configure(Settings(pause_after_failures=0))
    create(bench, cron())
    for _ in range(7):
        bench.advance(MINUTE)
        bench.end(1)
    assert stands(bench)[0] == "active"


def test_a_run_whose_owner_is_gone_has_failed_six_minutes_after_its_start(bench: Bench) -> None:
    told: list[Notice] = []
    create(bench, HOURLY)
    bench.advance(HOUR)
    bench.kill()
    bench.world.found[bench.session] = ("vanished", None)
    bench.clock.advance(MINUTE)
    bench.open()
    bench.engine.subscribe_notices(told.append)
    bench.start()
    assert outcomes(bench) == [("09-01T10:00", "recovery_required", "evidence_lost")]
    bench.advance(5 * MINUTE - SECOND)
    assert outcomes(bench)[0][1] == "recovery_required"
    bench.advance(SECOND)
    assert outcomes(bench) == [("09-01T10:00", "failed", "ambiguous_evidence")]
    assert bench.reasons() == [("failed", "Run did not finish")]
    assert bench.value("SELECT status FROM runs") == "failed"
    assert bench.value("SELECT state FROM attempts") == "ambiguous"
    assert bench.value("SELECT failures_in_a_row FROM schedule_state") == 1
    assert told == []
    # nobody was asked, and evidence did not decide either
    assert bench.value("SELECT json_extract(body, '$.outcome.recoveryDisposition') FROM receipts") == "not_required"
    bench.advance(HOUR)
    assert len(bench.world.launched) == 2


def test_a_lost_run_needs_nobody_while_its_six_minutes_last(bench: Bench) -> None:
    create(bench, HOURLY)
    create(bench, cadence(), "cadence")
    bench.advance(HOUR)
    for spec in bench.world.launched:
        bench.world.found[spec.session_id] = ("vanished", None)
    bench.crash(away=MINUTE)
    assert outcomes(bench)[0][1] == outcomes(bench, "cadence")[0][1] == "recovery_required"

    def needs_somebody() -> tuple[int, int, int, list[str]]:
        shown, _ = attention.page(bench.store, Question(order="since"), 0, 10)
        summary = bench.engine.reads.state_summary()
        matters = [matter.automation_id for matter in happenings.matters(bench.store, 0)]
        return summary.undecided, bench.engine.reads.open_work()["attention"], shown, matters

    phases = {work["automationId"]: work["phase"] for work in bench.engine.reads.open_work()["runs"]}
    assert phases == {"report": "lost", "cadence": "recovery_required"}
    # only the cadence's does
    assert needs_somebody() == (1, 1, 1, ["cadence"])
    occurrence_id = bench.value("SELECT id FROM occurrences WHERE automation_id = 'report'")
    asked = bench.strict("occurrence.recover.v1", occurrenceId=occurrence_id)
    again = refused(
        lambda: recovery.recover(bench.engine, {**asked, "evidenceDetermination": "retry_with_new_attempt"})
    )
    assert (again.code, "not tried again" in again.reason) == (Code.ILLEGAL_TRANSITION, True)
    bench.advance(5 * MINUTE)
    assert outcomes(bench)[0][1] == "failed"
    assert needs_somebody() == (1, 1, 1, ["cadence"])


def test_what_runs_is_given_the_secrets_that_the_routine_names(bench: Bench) -> None:
    create(bench, HOURLY, secrets=["TOKEN"])
    bench.advance(HOUR)
    assert bench.world.launched[-1].secrets == ("TOKEN",)
