"""One fence of an occurrence owns one run: a second acceptance is a conflict and writes nothing (decisions.md 38)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from coven_desktop.contract.errors import HTTP_STATUS, Code
from coven_desktop.engine import planning
from coven_desktop.engine.commands import execution
from coven_desktop.store import definitions, occurrences
from coven_desktop.store.errors import FenceConflict
from tests.engine.conftest import HOUR, Bench
from tests.engine.held_runs import everything, held_before_launch, policy


def accept_again(bench: Bench, *, fence: int | None = None) -> FenceConflict:
    """Accept a run for the one occurrence there is, under its fence or another one."""
    before = everything(bench)
    row = definitions.get(bench.store, "notes")
    occurrence = occurrences.get(bench.store, bench.value("SELECT id FROM occurrences"))
    assert row is not None
    assert occurrence is not None
    if fence is not None:
        occurrence = replace(occurrence, fence=fence)

    def accept() -> None:
        with bench.engine.core.change() as tx:
            # what the same transaction had written before goes with it
            tx.change("UPDATE definitions SET name = 'Other'")
            bench.engine.sessions.accept(tx, occurrence, row, planning.read(row))

    with pytest.raises(FenceConflict) as caught:
        accept()
    assert everything(bench) == before
    return caught.value


def test_a_second_acceptance_under_one_fence(bench: Bench) -> None:
    held_before_launch(bench)
    assert bench.rows("SELECT state, fence FROM occurrences") == [("claimed", 1)]
    conflict = accept_again(bench)
    assert conflict.reason == f"fence 1 of occurrence `{bench.value('SELECT id FROM occurrences')}` owns a run already"
    wire = conflict.to_wire()
    assert (wire["code"], wire["httpStatus"], wire["retryable"]) == ("ILLEGAL_TRANSITION", 422, False)
    assert conflict.http_status == HTTP_STATUS[Code.ILLEGAL_TRANSITION]


def test_a_fence_under_which_a_later_attempt_was_dispatched_is_taken_as_well(bench: Bench) -> None:
    bench.runtime.refuse = None
    held_before_launch(bench)
    bench.rows("UPDATE occurrences SET fence = 3")
    bench.rows(
        "INSERT INTO attempts (id, run_id, occurrence_id, attempt_number, adoption_key, occurrence_fence, state,"
        " prior_attempt_number, prior_disposition, retry_classification, not_before, opened_at)"
        " SELECT 'later', run_id, occurrence_id, 2, 'automation:later', 3, 'adopted', 1, 'failed', 'operator_retry',"
        " not_before, opened_at FROM attempts"
    )
    assert "owns a run already" in accept_again(bench).reason


@pytest.mark.parametrize("fence", [2, 7])
def test_a_fence_that_is_not_the_occurrence_s_is_no_claim(bench: Bench, fence: int) -> None:
    held_before_launch(bench)
    assert "is not that of a live claim" in accept_again(bench, fence=fence).reason


def test_a_settled_occurrence_accepts_nothing(bench: Bench) -> None:
    bench.run_due()
    bench.end()
    assert "owns a run already" in accept_again(bench).reason
    assert "is not that of a live claim" in accept_again(bench, fence=2).reason


def test_an_acceptance_that_was_taken_back_leaves_its_fence_behind(bench: Bench) -> None:
    bench.automatic = False
    bench.again()
    bench.run_due(retry=policy(classes=()))
    bench.world.found[bench.session] = ("never_started", None)
    bench.crash()
    assert bench.rows("SELECT o.fence, r.occurrence_fence FROM occurrences o JOIN runs r") == [(2, 2)]
    assert "is not that of a live claim" in accept_again(bench, fence=1).reason


def test_a_pass_that_meets_a_conflict_fails_its_line_and_goes_on(bench: Bench) -> None:
    bench.create("alpha")
    bench.run_due("zulu", timeoutMinutes=5)
    for spec in list(bench.world.launched):
        bench.end(0, spec.session_id)
    bench.clock.advance(HOUR)
    execution.tick(bench.engine, {})
    # a run that somebody else has accepted under the fence that the coming claim will have
    (planned,) = bench.rows("SELECT id FROM occurrences WHERE state = 'planned' AND automation_id = 'alpha'")[0]
    bench.rows(
        "INSERT INTO runs (id, automation_id, automation_revision, definition_digest, definition_snapshot,"
        " occurrence_id, occurrence_fence, runtime, status, started_at, finished_at)"
        " SELECT 'foreign', automation_id, automation_revision, definition_digest, definition_snapshot,"
        f" '{planned}', 1, runtime, 'failed', started_at, finished_at FROM runs WHERE automation_id = 'alpha'"
    )
    bench.turn()
    assert [spec.automation_id for spec in bench.world.launched][2:] == ["zulu"]
    assert bench.last_pass()["status"] == "succeeded"
    ((state, fence, reason),) = bench.rows(
        f"SELECT state, fence, failure_reason FROM occurrences WHERE id = '{planned}'"
    )
    assert (state, fence) == ("failed", 1)
    assert reason.startswith("alpha: ")
