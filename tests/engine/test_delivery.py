"""What a run delivers, apart from what its command came to (design/schedules.md, Delivery)."""

from __future__ import annotations

import logging
from typing import Any

import pytest

from coven_desktop.contract.errors import Code
from coven_desktop.engine import receipts
from coven_desktop.engine.commands import cancellation, execution
from coven_desktop.engine.delivery import UNKNOWN
from coven_desktop.runtime.seam import Delivered
from coven_desktop.settings import Settings
from coven_desktop.store import deliveries
from coven_desktop.store.errors import StoreFault
from tests.engine.conftest import HOUR, MINUTE, Bench, refused
from tests.engine.families import cadence, create, cron, outcomes, revise, stands

FILE = {"kind": "file", "path": "/srv/report.txt", "mode": "replace"}
APPEND = {**FILE, "mode": "append"}
NOTIFICATION = {"kind": "notification"}
ALL = pytest.mark.parametrize("delivery", [FILE, APPEND, NOTIFICATION], ids=["replace", "append", "notification"])


def began(bench: Bench, delivery: dict[str, Any], schedule: dict[str, Any] | None = None, **changes: Any) -> None:
    """A routine with this delivery whose first run has begun."""
    create(bench, schedule or cron("0 * * * *"), delivery=delivery, **changes)
    bench.advance(HOUR)


def stood(bench: Bench) -> list[tuple[Any, ...]]:
    """Of every run, oldest first: occurrence, run and newest attempt; outcome, delivery and its error."""
    return bench.rows(
        "SELECT o.state, r.status, a.state, u.outcome, u.delivery_status, u.delivery_error FROM runs r"
        " JOIN occurrences o ON o.id = r.occurrence_id JOIN run_outcomes u ON u.run_id = r.id"
        " JOIN attempts a ON a.run_id = r.id"
        " AND a.attempt_number = (SELECT max(attempt_number) FROM attempts WHERE run_id = r.id) ORDER BY r.number"
    )


PENDING = ("running", "running", "succeeded", "ok", "pending", None)
DONE = ("succeeded", "succeeded", "succeeded", "ok", "delivered", None)


def failed(error: str) -> tuple[str, ...]:
    return ("failed", "failed", "succeeded", "ok", "failed", error)


@pytest.mark.parametrize("delivery", [FILE, APPEND])
def test_the_run_goes_on_until_its_file_is_there(bench: Bench, delivery: dict[str, Any]) -> None:
    bench.runtime.deliveries.answer = None
    began(bench, delivery)
    assert bench.world.orders == []
    bench.end()
    assert stood(bench) == [PENDING]
    (order,) = bench.world.orders
    (run_id, session_id, exit_code, finished) = bench.rows("SELECT id, session_id, exit_code, finished_at FROM runs")[0]
    assert order == (type(order))(run_id, session_id, "/srv/report.txt", delivery["mode"])
    assert (exit_code, finished) == (0, None)
    bench.advance(MINUTE)
    bench.runtime.deliveries.tell(Delivered(None))
    bench.turn()
    assert stood(bench) == [DONE]
    assert bench.value("SELECT finished_at FROM runs") == "2026-09-01T10:01:00.000Z"
    assert bench.value("SELECT receipt_id IS NOT NULL FROM runs") == 1
    assert len(bench.world.orders) == 1


def test_a_notification_is_delivered_to_whoever_shows_them(bench: Bench) -> None:
    began(bench, NOTIFICATION)
    bench.end()
    assert stood(bench) == [DONE]
    assert bench.world.orders == []


@pytest.mark.parametrize("schedule", [cron("0 * * * *"), cadence("daily")], ids=["cron", "cadence"])
def test_a_failed_delivery_fails_the_run_and_not_the_outcome(bench: Bench, schedule: dict[str, Any]) -> None:
    bench.runtime.deliveries.answer = Delivered("the folder /srv does not exist")
    began(bench, FILE, schedule)
    bench.end()
    assert stood(bench) == [failed("the folder /srv does not exist")]
    assert bench.rows("SELECT failure_reason, reason_class FROM occurrences") == [
        ("the output was not delivered: the folder /srv does not exist", "delivery")
    ]
    # the command is not run again for it
    bench.advance(MINUTE)
    assert len(bench.world.launched) == 1


@pytest.mark.parametrize("exit_code", [1, None])
def test_a_command_that_failed_delivers_nothing(bench: Bench, exit_code: int | None) -> None:
    began(bench, FILE)
    bench.end(exit_code, outcome="exited" if exit_code else "signalled")
    assert bench.world.orders == []
    assert stood(bench) == [("failed", "failed", "failed", "failed", "none", None)]


def test_a_run_without_a_delivery_has_none(bench: Bench) -> None:
    create(bench, cron("0 * * * *"))
    bench.advance(HOUR)
    bench.end()
    assert stood(bench) == [("succeeded", "succeeded", "succeeded", "ok", "none", None)]


def test_a_run_by_hand_delivers_too(bench: Bench) -> None:
    create(bench, cron("0 0 1 1 *"), delivery=FILE)
    bench.done(execution.run_now(bench.engine, bench.strict("occurrence.runNow.v1", automationId="report")))
    bench.end()
    assert stood(bench) == [DONE]


def test_it_delivers_as_its_run_was_saved(bench: Bench) -> None:
    began(bench, FILE)
    revise(bench, cron("0 * * * *"), delivery={**FILE, "path": "/srv/another.txt"})
    bench.end()
    assert [order.path for order in bench.world.orders] == ["/srv/report.txt"]


# --- while it delivers ---------------------------------------------------------------------------------------------


def test_while_it_delivers_a_time_that_comes_is_skipped(bench: Bench) -> None:
    bench.runtime.deliveries.answer = None
    began(bench, FILE)
    bench.end()
    bench.advance(HOUR)
    assert outcomes(bench) == [("09-01T10:00", "running", None), ("09-01T11:00", "skipped", "overlap")]


def test_while_it_delivers_a_cadence_waits(bench: Bench) -> None:
    bench.runtime.deliveries.answer = None
    began(bench, FILE, cadence("hourly", catchUp="run-all"))
    bench.end()
    bench.advance(HOUR)
    assert [row[1] for row in outcomes(bench)] == ["running", "planned"]
    bench.runtime.deliveries.tell(Delivered(None))
    bench.turn()
    assert [row[1] for row in outcomes(bench)] == ["succeeded", "running"]


def test_what_delivers_takes_no_place(bench: Bench) -> None:
    bench.again(places=1)
    bench.runtime.deliveries.answer = None
    began(bench, FILE)
    create(bench, cron("30 * * * *"), "other")
    bench.end()
    bench.advance(HOUR // 2)
    assert outcomes(bench, "other") == [("09-01T10:30", "running", None)]


def test_the_deadline_of_the_run_does_not_end_a_delivery(bench: Bench) -> None:
    bench.runtime.deliveries.answer = None
    began(bench, FILE, timeoutMinutes=1)
    bench.end()
    bench.advance(10 * MINUTE)
    assert stood(bench) == [PENDING]
    assert bench.world.stops == []


def test_what_delivers_is_not_stopped_any_more(bench: Bench) -> None:
    bench.runtime.deliveries.answer = None
    began(bench, FILE)
    bench.end()
    occurrence_id = bench.value("SELECT id FROM occurrences")
    body = bench.strict("occurrence.cancel.v1", occurrenceId=occurrence_id)
    told = refused(lambda: cancellation.cancel_occurrence(bench.engine, body))
    assert (told.code, stood(bench)) == (Code.ILLEGAL_TRANSITION, [PENDING])
    assert "is being delivered" in str(told)


def test_a_stop_that_came_too_late_is_answered(bench: Bench) -> None:
    bench.runtime.deliveries.answer = None
    began(bench, FILE)
    pending = cancellation.cancel_run(bench.engine, bench.cancel_body())
    bench.end()
    assert refused(lambda: bench.done(pending)).code == Code.ILLEGAL_TRANSITION
    assert stood(bench) == [PENDING]
    assert bench.rows("SELECT * FROM stop_fences") == []


# --- failures in a row ---------------------------------------------------------------------------------------------


def test_failed_deliveries_in_a_row_pause_a_cron_routine(bench: Bench) -> None:
    bench.engine.configure(Settings(pause_after_failures=3))
    bench.runtime.deliveries.answer = Delivered("the disk of /srv/report.txt is full")
    began(bench, FILE)
    bench.end()
    for _ in range(2):
        bench.advance(HOUR)
        bench.end()
    bench.advance(1)
    assert stands(bench)[0] == "paused"
    assert len(bench.world.launched) == 3


def test_a_delivery_that_succeeds_begins_the_row_anew(bench: Bench) -> None:
    bench.engine.configure(Settings(pause_after_failures=2))
    began(bench, FILE)
    for answer in (Delivered("no"), Delivered(None), Delivered("no")):
        bench.runtime.deliveries.answer = answer
        bench.end()
        bench.advance(HOUR)
    assert stands(bench)[0] == "active"
    assert bench.value("SELECT failures_in_a_row FROM schedule_state") == 1


def test_the_last_run_of_a_cadence_delivers(bench: Bench) -> None:
    began(bench, FILE, cadence("daily", maxRuns=1))
    assert stands(bench)[0] == "disabled"
    bench.end()
    assert stood(bench) == [DONE]


# --- after a crash -------------------------------------------------------------------------------------------------


def test_a_replacement_and_a_notification_are_repeated_after_a_crash(bench: Bench) -> None:
    bench.runtime.deliveries.answer = None
    began(bench, FILE)
    bench.end()
    bench.crash()
    assert stood(bench) == [DONE]
    first, again = bench.world.orders
    assert first == again
    assert len(bench.world.launched) == 1


def test_an_append_that_was_begun_is_not_repeated_after_a_crash(bench: Bench) -> None:
    bench.runtime.deliveries.answer = None
    began(bench, APPEND)
    bench.end()
    bench.crash()
    assert stood(bench) == [failed(UNKNOWN)]
    assert bench.rows("SELECT failure_reason, reason_class FROM occurrences") == [(UNKNOWN, "delivery")]
    assert len(bench.world.orders) == 1
    assert len(bench.world.launched) == 1


def test_it_is_begun_before_anything_is_appended(bench: Bench) -> None:
    bench.runtime.deliveries.answer = None
    begun: list[Any] = []
    begin = bench.runtime.deliveries.begin

    def look(order: Any, done: Any) -> None:
        begun.append(bench.value("SELECT begun_at FROM deliveries"))
        begin(order, done)

    bench.runtime.deliveries.begin = look  # type: ignore[method-assign]
    began(bench, APPEND)
    bench.end()
    assert begun == ["2026-09-01T10:00:00.000Z"]


@ALL
def test_evidence_that_an_earlier_app_did_not_see_is_delivered(bench: Bench, delivery: dict[str, Any]) -> None:
    began(bench, delivery)
    session = bench.session
    evidence = bench.runtime.evidence(session)
    bench.kill()
    bench.world.found[session] = ("ended", evidence)
    bench.restart()
    assert stood(bench) == [DONE]


@ALL
def test_what_was_delivered_is_not_delivered_again(bench: Bench, delivery: dict[str, Any]) -> None:
    began(bench, delivery)
    bench.end()
    orders = len(bench.world.orders)
    bench.crash()
    bench.again()
    assert stood(bench) == [DONE]
    assert len(bench.world.orders) == orders


def test_at_the_end_of_the_app_what_has_just_come_to_its_end_is_written(bench: Bench) -> None:
    bench.runtime.deliveries.answer = None
    began(bench, APPEND)
    bench.end()
    deliveries = bench.runtime.deliveries
    bench.runtime.deliveries.finish = lambda: deliveries.now(Delivered(None))  # type: ignore[method-assign]
    bench.engine.stop()
    assert stood(bench) == [DONE]


# --- what nobody knows ---------------------------------------------------------------------------------------------


def test_a_replacement_of_which_nobody_knows_is_tried_anew_and_given_up(bench: Bench) -> None:
    bench.runtime.deliveries.answer = Delivered("it ended", known=False)
    began(bench, FILE)
    bench.end()
    assert len(bench.world.orders) == 3
    assert stood(bench) == [failed(UNKNOWN)]


def test_an_append_of_which_nobody_knows_is_not_tried_anew(bench: Bench) -> None:
    bench.runtime.deliveries.answer = Delivered("it ended", known=False)
    began(bench, APPEND)
    bench.end()
    assert len(bench.world.orders) == 1
    assert stood(bench) == [failed(UNKNOWN)]


# --- what is told of it --------------------------------------------------------------------------------------------

TOLD = ("outcome", "deliveryStatus", "deliveryError", "delivery", "status")


def told(bench: Bench) -> list[dict[str, Any]]:
    """What the three reads that tell of a run say of it: each the same."""
    (run,) = bench.engine.reads.runs("report", 5)
    found = bench.engine.reads.run(run["id"])
    occurrence = bench.engine.reads.occurrence(run["occurrenceId"])
    assert found is not None
    assert occurrence is not None
    return [{name: each.get(name) for name in TOLD} for each in (run, found, occurrence["runs"][0])]


def test_every_read_of_a_run_tells_outcome_and_delivery_apart(bench: Bench) -> None:
    bench.runtime.deliveries.answer = None
    began(bench, FILE)
    said = {"outcome": None, "deliveryStatus": "none", "deliveryError": None, "delivery": FILE, "status": "running"}
    assert told(bench) == [said] * 3
    bench.end()
    said |= {"outcome": "ok", "deliveryStatus": "pending"}
    assert told(bench) == [said] * 3
    assert [(work["phase"], work["reason"]) for work in bench.engine.reads.open_work()["runs"]] == [
        ("delivering", None)
    ]
    bench.runtime.deliveries.tell(Delivered("the folder /srv does not exist"))
    bench.turn()
    said |= {"deliveryStatus": "failed", "deliveryError": "the folder /srv does not exist", "status": "failed"}
    assert told(bench) == [said] * 3


def test_a_run_of_the_contract_has_the_contract_s_members_alone(bench: Bench) -> None:
    bench.run_due()
    (run,) = bench.engine.reads.runs("notes", 5)
    assert not set(TOLD[:4]) & set(run)


def test_the_receipt_of_a_failed_delivery_says_why(bench: Bench) -> None:
    bench.runtime.deliveries.answer = Delivered("the folder /srv does not exist")
    began(bench, FILE)
    bench.end()
    receipt = receipts.read(bench.store, bench.value("SELECT receipt_id FROM runs"))["receipt"]
    assert receipt["outcome"] == {
        "disposition": "failed",
        "detail": "the output was not delivered: the folder /srv does not exist",
        "recoveryDisposition": "not_required",
    }


# --- a database that cannot be written -----------------------------------------------------------------------------


@ALL
def test_what_cannot_be_written_is_written_by_a_later_pass(
    bench: Bench, delivery: dict[str, Any], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.CRITICAL)
    bench.runtime.deliveries.answer = None
    began(bench, delivery)
    bench.store.connection.set_busy_timeout(1)
    session = bench.session
    bench.runtime.end(session, bench.runtime.evidence(session))
    bench.loop.run_until(lambda: stood(bench) == [PENDING])
    other = bench.lock()
    if delivery is not NOTIFICATION and bench.world.orders:
        bench.runtime.deliveries.tell(Delivered(None))
    bench.turn()
    assert stood(bench) == [PENDING]
    other.close()
    bench.runtime.deliveries.answer = Delivered(None)
    bench.advance(5_000)
    assert stood(bench) == [DONE]
    assert len(bench.world.orders) <= 1


def test_an_append_is_not_begun_while_that_cannot_be_recorded(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.CRITICAL)

    def full(*arguments: object) -> None:
        raise StoreFault("full", "The disk is full.", "Make room.")

    with monkeypatch.context() as broken:
        broken.setattr(deliveries, "begin", full)
        began(bench, APPEND)
        bench.end()
        assert (stood(bench), bench.world.orders) == ([PENDING], [])
    bench.advance(5_000)
    assert (stood(bench), len(bench.world.orders)) == ([DONE], 1)


def test_an_end_that_cannot_be_recorded_is_recorded_soon_though_every_pass_comes_off(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.CRITICAL)

    def full(*arguments: object) -> None:
        raise StoreFault("full", "The disk is full.", "Make room.")

    with monkeypatch.context() as broken:
        broken.setattr(deliveries, "end", full)
        began(bench, FILE)
        bench.end()
        assert stood(bench) == [PENDING]
    assert not bench.engine.passes.cut_short
    bench.advance(5_000)
    assert (stood(bench), len(bench.world.orders)) == ([DONE], 1)
