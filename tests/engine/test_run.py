"""run and occurrence.runNow.v1: a start that a person asks for (contract/commands.md §3.8, §4.1; decisions.md 11)."""

from __future__ import annotations

import hashlib
import re
from typing import Any

import pytest

from coven_desktop.contract.errors import Code, Refusal
from coven_desktop.engine.answers import Answer
from coven_desktop.engine.commands import definitions, execution
from coven_desktop.runtime.sessions import LaunchRefused
from coven_desktop.store.errors import StoreFault
from tests.engine.conftest import HOUR, MINUTE, SECOND, Bench, definition, refused

OVERLAP = "routine already has a nonterminal run; overlap is forbidden"
QUARANTINED = "routine is quarantined after retry exhaustion; explicitly unquarantine it before running"


def run(bench: Bench, automation_id: str = "notes") -> Answer:
    return bench.done(execution.run(bench.engine, {"action": "coven.automations.run", "id": automation_id}))


def run_refused(bench: Bench) -> str:
    with pytest.raises(Refusal) as caught:
        run(bench)
    assert type(caught.value) is Refusal
    return caught.value.reason


def now_body(bench: Bench, **members: Any) -> dict[str, Any]:
    return bench.strict("occurrence.runNow.v1", **{"automationId": "notes", **members})


def run_now(bench: Bench, body: dict[str, Any]) -> Answer:
    return bench.done(execution.run_now(bench.engine, body))


def quarantine(bench: Bench) -> None:
    bench.store.connection.execute(
        "INSERT INTO retry_state VALUES ('notes', 1, 'now', 'transient_dispatch', 'x', 'now')"
    )


def damage(bench: Bench) -> None:
    bench.store.connection.execute("UPDATE definitions SET body = '[]'")


# run


@pytest.mark.parametrize("status", ["ACTIVE", "PAUSED"])
def test_run_starts_an_active_and_a_paused_routine(bench: Bench, status: str) -> None:
    bench.create(status=status)
    bench.clock.advance(SECOND)
    answer = run(bench)
    spec = bench.world.launched[0]
    assert (answer.kind, answer.in_result) == ("automations.changed", False)
    assert answer.payload == {
        "runId": spec.run_id,
        "status": "running",
        "sessionId": spec.session_id,
        "error": None,
    }
    (row,) = bench.rows(
        "SELECT id, kind, state, scheduled_for, lease_owner, lease_expires_at, scheduler_generation, fence"
        " FROM occurrences"
    )
    assert re.fullmatch(r"occ-[0-9a-f]{32}", row[0])
    assert row[1:] == (
        "manual",
        "running",
        "2026-09-01T09:00:01.000000000Z",
        "manual",
        "2026-09-01T10:00:01.000Z",
        None,
        1,
    )


def test_run_waits_for_the_start(bench: Bench) -> None:
    bench.automatic = False
    bench.again()
    bench.create()
    pending = execution.run(bench.engine, {"id": " notes "})
    bench.turn()
    assert pending.outcome is None
    bench.runtime.start(bench.session)
    assert bench.done(pending).payload["status"] == "running"


def test_a_failed_start_is_the_answer_of_run(bench: Bench) -> None:
    bench.create()
    bench.runtime.refuse = LaunchRefused("runtime_unavailable", "the command `sh` was not found")
    assert run_refused(bench) == "the command `sh` was not found"
    # the held run is visible in `runs` (decisions.md 11)
    assert bench.states() == [("notes", "claimed", "running", "failed")]
    (shown,) = bench.engine.reads.runs("notes", 20)
    assert (shown["status"], shown["attempts"][0]["state"]) == ("running", "failed")


def test_run_moves_no_bound(bench: Bench) -> None:
    bench.create()
    bench.clock.advance(SECOND)
    run(bench)
    bench.end()
    bench.advance(HOUR)
    assert [row[0] for row in bench.rows("SELECT kind FROM occurrences ORDER BY number")] == ["manual", "scheduled"]


def test_two_starts_at_the_same_instant_are_two_occurrences(bench: Bench) -> None:
    bench.create()
    for _ in range(3):
        run(bench)
        bench.end()
    assert [row[0][-11:] for row in bench.rows("SELECT scheduled_for FROM occurrences ORDER BY number")] == [
        ".000000000Z",
        ".000000001Z",
        ".000000002Z",
    ]


def test_run_is_refused_while_anything_of_the_routine_runs(bench: Bench) -> None:
    bench.run_due()
    assert run_refused(bench) == OVERLAP
    bench.runtime.end(bench.session, None)
    bench.turn()
    assert run_refused(bench) == OVERLAP


def test_run_is_refused_for_what_cannot_run(bench: Bench) -> None:
    assert run_refused(bench) == "no routine with id `notes`"
    bench.create(cwd=None)
    assert run_refused(bench) == "routine has no cwd; add a cwd before running"
    quarantine(bench)
    definitions.update(bench.engine, {"definition": definition()})
    assert run_refused(bench) == QUARANTINED
    bench.store.connection.execute("UPDATE definitions SET lifecycle = 'disabled', next_due_at = NULL")
    assert "disabled" in run_refused(bench)
    bench.store.connection.execute("UPDATE definitions SET lifecycle = 'active'")
    damage(bench)
    assert run_refused(bench).startswith("stored routine `notes` is invalid")
    definitions.delete(bench.engine, {"id": "notes"})
    assert run_refused(bench) == "no routine with id `notes`"
    assert bench.rows("SELECT * FROM occurrences") == []


@pytest.mark.parametrize("body", [{}, {"id": " "}, {"id": 4}])
def test_run_needs_an_id(bench: Bench, body: dict[str, Any]) -> None:
    with pytest.raises(Refusal, match=r"coven\.automations\.run requires string field `id`"):
        execution.run(bench.engine, body)


def test_nothing_is_started_on_a_damaged_database(bench: Bench) -> None:
    bench.create()
    bench.engine.core.storage_sound = False
    with pytest.raises(StoreFault) as caught:
        run(bench)
    assert caught.value.code == Code.STORE_UNREADABLE
    with pytest.raises(StoreFault):
        run_now(bench, now_body(bench))
    bench.advance(HOUR)
    assert bench.world.launched == []
    assert bench.value("SELECT count(*) FROM adoptions WHERE outcome = 'rejected'") == 0


# occurrence.runNow.v1


def test_run_now_answers_when_it_has_started(bench: Bench) -> None:
    bench.create()
    body = now_body(bench, note="for the meeting", bypassEligibility=True)
    answer = run_now(bench, body)
    spec = bench.world.launched[0]
    expected = "occ-manual-" + hashlib.sha256(body["adoptionKey"].encode()).hexdigest()[:32]
    assert (answer.kind, answer.in_result, answer.reason) == ("automations.occurrence.runNow", True, None)
    assert answer.payload == {
        "occurrenceId": expected,
        "automationId": "notes",
        "occurrenceState": "running",
        "runId": spec.run_id,
        "status": "running",
        "sessionId": spec.session_id,
        "note": "for the meeting",
    }


def test_a_replay_starts_nothing_and_tells_how_it_is_now(bench: Bench) -> None:
    bench.create()
    bench.clock.advance(SECOND)
    body = now_body(bench, note="once")
    run_now(bench, body)
    bench.end(3)
    for state in ("running", "failed"):
        again = run_now(bench, body)
        assert again.reason is not None
        assert again.payload == {
            "occurrenceId": again.payload["occurrenceId"],
            "automationId": "notes",
            "occurrenceState": state,
            "runId": bench.world.launched[0].run_id,
            "status": state,
            "sessionId": bench.session,
        }
        assert len(bench.world.launched) == 1
        # held at first, and failed at the deadline
        bench.advance(30 * MINUTE)


def test_a_replay_while_it_starts_does_not_wait(bench: Bench) -> None:
    bench.automatic = False
    bench.again()
    bench.create()
    body = now_body(bench)
    execution.run_now(bench.engine, body)
    again = execution.run_now(bench.engine, body)
    assert isinstance(again, Answer)
    assert again.payload["occurrenceState"] == "claimed"
    assert len(bench.world.launched) == 1


def test_a_refused_launch_is_a_success_with_the_error(bench: Bench) -> None:
    bench.create()
    bench.runtime.refuse = LaunchRefused("launch_refused", "unknown runtime")
    answer = run_now(bench, now_body(bench))
    assert answer.payload["error"] == "unknown runtime"
    assert (answer.payload["occurrenceState"], answer.payload["status"]) == ("claimed", "running")


def test_run_now_refuses_in_the_contract_s_order(bench: Bench) -> None:
    def code() -> Code:
        body = now_body(bench)
        first = refused(lambda: run_now(bench, body))
        assert refused(lambda: run_now(bench, body)).to_wire() == first.to_wire()
        return first.code

    assert code() == Code.NOT_FOUND
    bench.create(cwd=None, status="PAUSED")
    quarantine(bench)
    assert code() == Code.ILLEGAL_TRANSITION
    bench.store.connection.execute("UPDATE definitions SET lifecycle = 'active'")
    assert refused(lambda: run_now(bench, now_body(bench))).reason == QUARANTINED
    bench.store.connection.execute("DELETE FROM retry_state")
    assert code() == Code.VALIDATION_FAILED
    definitions.update(bench.engine, {"definition": definition()})
    run(bench)
    assert code() == Code.OVERLAP_FORBIDDEN
    bench.end()
    damage(bench)
    assert code() == Code.VALIDATION_FAILED
    definitions.delete(bench.engine, {"id": "notes"})
    told = refused(lambda: run_now(bench, now_body(bench)))
    assert (told.code, told.current_revision) == (Code.GONE_TOMBSTONED, 3)


@pytest.mark.parametrize(
    "change",
    [
        {"automationId": "-bad"},
        {"automationId": 7},
        {"note": "x" * 501},
        {"note": 1},
        {"bypassEligibility": None},
        {"bypassEligibility": "yes"},
        {"expectedRevision": 1},
        {"action": "coven.automations.occurrence.runNow.v1 "},
    ],
)
def test_a_bad_request_is_refused_for_good(bench: Bench, change: dict[str, Any]) -> None:
    bench.create()
    body = now_body(bench) | change
    for _ in range(2):
        assert refused(lambda: run_now(bench, body)).code == Code.VALIDATION_FAILED
    assert bench.world.launched == []


@pytest.mark.parametrize("note", ["", None])
def test_an_empty_note_is_allowed(bench: Bench, note: str | None) -> None:
    bench.create()
    answer = run_now(bench, now_body(bench, note=note))
    assert answer.payload.get("note") == note


def test_the_same_key_for_another_request_is_refused(bench: Bench) -> None:
    bench.create()
    body = now_body(bench)
    run_now(bench, body)
    assert refused(lambda: run_now(bench, body | {"note": "other"})).code == Code.ADOPTION_REPLAY_MISMATCH


def test_a_start_that_a_crash_prevented_is_made_good(bench: Bench) -> None:
    bench.automatic = False
    bench.again()
    bench.create()
    body = now_body(bench)
    execution.run_now(bench.engine, body)
    bench.world.found[bench.session] = ("never_started", None)
    bench.automatic = True
    bench.crash()
    assert run_now(bench, body).payload["occurrenceState"] == "running"
    assert bench.rows("SELECT state, fence, lease_owner FROM occurrences") == [("running", 2, "daemon")]


def test_a_start_of_a_paused_routine_that_a_crash_prevented_is_made_good_too(bench: Bench) -> None:
    bench.automatic = False
    bench.again()
    bench.create(status="PAUSED")
    execution.run(bench.engine, {"id": "notes"})
    bench.world.found[bench.session] = ("never_started", None)
    bench.automatic = True
    bench.crash()
    assert bench.states() == [("notes", "running", "running", "observing")]
