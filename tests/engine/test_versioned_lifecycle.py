"""activate, pause, disable and tombstone: moves, refusals in order, what they leave (contract/commands.md §3.6)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from coven_desktop.contract.errors import Code, TypedRefusal
from coven_desktop.runtime.sessions import LaunchRefused
from tests.engine.conftest import HOUR, MINUTE, Bench, refused
from tests.engine.definition_bodies import (
    authored,
    fresh,
    ledger,
    moved,
    next_due,
    revision,
    send,
    set_lifecycle,
    state,
    told,
)

MOVES = ("activate", "pause", "disable", "tombstone")


def test_the_moves_answer_and_tell(bench: Bench) -> None:
    authored(bench, "create", status="PAUSED")
    assert moved(bench, "activate") == {
        "outcome": "committed",
        "revision": 2,
        "result": {"id": "notes", "status": "ACTIVE", "revision": 2, "reason": None},
        "eventRef": {"stream": "automation/notes", "sequence": 1},
    }
    paused = moved(bench, "pause", reason=" a holiday\u00a0")
    assert paused["result"] == {"id": "notes", "status": "PAUSED", "revision": 3, "reason": "a holiday"}
    disabled = moved(bench, "disable", reason="done")
    assert disabled["result"] == {"disabled": True, "id": "notes", "revision": 4, "reason": "done"}
    gone = moved(bench, "tombstone", reason=1)
    assert gone["result"] == {"deleted": True, "id": "notes", "revision": 5}
    assert gone["eventRef"] == {"stream": "automation/notes", "sequence": 4}
    assert [(event["kind"], event["payload"]["lifecycleState"]) for event in told(bench)] == [
        ("definition.created", "paused"),
        ("definition.activated", "active"),
        ("definition.paused", "paused"),
        ("definition.disabled", "disabled"),
        ("definition.tombstoned", "tombstoned"),
    ]
    assert bench.rows("SELECT lifecycle, managed, tombstoned_at IS NOT NULL FROM definitions") == [
        ("disabled", "v1", 1)
    ]


def test_the_stored_body_says_the_state(bench: Bench) -> None:
    authored(bench, "create")
    for name, status in (("pause", "PAUSED"), ("activate", "ACTIVE"), ("disable", "DISABLED")):
        moved(bench, name)
        routine = bench.engine.reads.routine("notes")
        assert routine is not None
        assert routine["status"] == status


@pytest.mark.parametrize("name", MOVES)
def test_a_move_takes_over_what_unversioned_actions_made(bench: Bench, name: str) -> None:
    bench.create(status="PAUSED" if name == "activate" else "ACTIVE")
    moved(bench, name)
    assert bench.value("SELECT managed FROM definitions") == "v1"


@pytest.mark.parametrize("name", MOVES)
def test_refusals_in_the_contracts_order(bench: Bench, name: str) -> None:
    def attempt(expected: int) -> TypedRefusal:
        return refused(lambda: send(bench, name, {"adoptionKey": fresh(), "id": "notes", "expectedRevision": expected}))

    error = attempt(1)
    assert (error.code, error.http_status, error.current_revision) == (Code.NOT_FOUND, 404, None)
    authored(bench, "create", status="ACTIVE" if name == "activate" else "PAUSED")
    error = attempt(2)
    assert (error.code, error.http_status, error.current_revision) == (Code.REVISION_CONFLICT, 409, 1)
    if name in ("activate", "pause"):
        error = attempt(1)
        assert (error.code, error.http_status, error.current_revision) == (Code.ILLEGAL_TRANSITION, 422, 1)
    moved(bench, "tombstone")
    for expected in (1, 2):
        error = attempt(expected)
        assert (error.code, error.http_status, error.current_revision) == (Code.GONE_TOMBSTONED, 410, 2)
    assert revision(bench) == 2


@pytest.mark.parametrize(
    ("name", "lawful"),
    [
        ("activate", {"paused"}),
        ("pause", {"active"}),
        ("disable", {"active", "paused"}),
        ("tombstone", {"draft", "paused", "active", "disabled", "invalid"}),
    ],
)
@pytest.mark.parametrize("lifecycle", ["draft", "paused", "active", "disabled", "invalid"])
def test_every_state_and_every_move(bench: Bench, name: str, lawful: set[str], lifecycle: str) -> None:
    authored(bench, "create", status="PAUSED")
    set_lifecycle(bench, lifecycle)
    if lifecycle in lawful:
        moved(bench, name)
        target = {"activate": "active", "pause": "paused", "disable": "disabled", "tombstone": "tombstoned"}[name]
        assert (state(bench), revision(bench)) == (target, 2)
    else:
        error = refused(lambda: moved(bench, name))
        assert (error.code, error.current_revision) == (Code.ILLEGAL_TRANSITION, 1)
        assert (state(bench), revision(bench)) == (lifecycle, 1)
        assert len(told(bench)) == 1


# contract/commands.md §10.7
@pytest.mark.parametrize(
    ("before", "operation", "outcome", "after", "at"),
    [
        ("absent", "create_paused", "committed", "paused", 1),
        ("absent", "create_active", "committed", "active", 1),
        ("absent", "create_disabled", "ILLEGAL_TRANSITION", "absent", None),
        ("paused", "revise_active", "committed", "active", 2),
        ("active", "revise_paused", "committed", "paused", 2),
        ("paused", "disable", "committed", "disabled", 2),
        ("active", "disable", "committed", "disabled", 2),
        ("paused", "tombstone", "committed", "tombstoned", 2),
        ("active", "tombstone", "committed", "tombstoned", 2),
        ("disabled", "tombstone", "committed", "tombstoned", 3),
        ("disabled", "revise_active", "ILLEGAL_TRANSITION", "disabled", 2),
        ("disabled", "revise_paused", "ILLEGAL_TRANSITION", "disabled", 2),
        ("disabled", "disable", "ILLEGAL_TRANSITION", "disabled", 2),
        ("tombstoned", "revise_active", "GONE_TOMBSTONED", "tombstoned", 2),
        ("tombstoned", "revise_paused", "GONE_TOMBSTONED", "tombstoned", 2),
        ("tombstoned", "disable", "GONE_TOMBSTONED", "tombstoned", 2),
        ("tombstoned", "tombstone", "GONE_TOMBSTONED", "tombstoned", 2),
    ],
)
def test_the_contracts_table_of_transitions(
    bench: Bench, before: str, operation: str, outcome: str, after: str, at: int | None
) -> None:
    if before != "absent":
        authored(bench, "create", status="ACTIVE" if before == "active" else "PAUSED")
    if before in ("disabled", "tombstoned"):
        moved(bench, "disable" if before == "disabled" else "tombstone")
    name, _, status = operation.partition("_")
    act: Callable[[], Any] = (
        (lambda: authored(bench, name, status=status.upper())) if status else (lambda: moved(bench, name))
    )
    if outcome == "committed":
        assert act()["outcome"] == "committed"
    else:
        assert refused(act).code == outcome
    assert state(bench) == after
    assert (None if after == "absent" else revision(bench)) == at


@pytest.mark.parametrize("name", ["pause", "disable", "tombstone"])
def test_what_is_planned_is_superseded_and_the_timer_stops(bench: Bench, name: str) -> None:
    bench.again(places=1)
    bench.create("first")
    authored(bench, "create")
    bench.advance(HOUR)
    moved(bench, name)
    assert next_due(bench) is None
    ((found, reason),) = bench.rows("SELECT state, failure_reason FROM occurrences WHERE automation_id = 'notes'")
    assert found == "superseded"
    assert ("deleted" if name == "tombstone" else "revision 2") in reason
    bench.advance(3 * HOUR)
    assert bench.value("SELECT count(*) FROM occurrences WHERE automation_id = 'notes'") == 1


@pytest.mark.parametrize("name", ["pause", "disable", "tombstone"])
def test_a_live_run_goes_on_and_settles(bench: Bench, name: str) -> None:
    authored(bench, "create")
    bench.advance(HOUR)
    moved(bench, name)
    assert bench.states() == [("notes", "running", "running", "observing")]
    bench.end()
    assert bench.states() == [("notes", "succeeded", "succeeded", "succeeded")]


def test_slots_missed_while_paused_never_run(bench: Bench) -> None:
    authored(bench, "create")
    moved(bench, "pause")
    bench.advance(90 * MINUTE)
    moved(bench, "activate")
    assert (bench.reasons(), next_due(bench)) == ([], "2026-09-01T11:00:00.000Z")


@pytest.mark.parametrize(
    ("name", "wakes"), [("activate", True), ("pause", True), ("disable", False), ("tombstone", True)]
)
def test_which_moves_wake_the_scheduler(bench: Bench, name: str, wakes: bool) -> None:
    authored(bench, "create", status="PAUSED" if name == "activate" else "ACTIVE")
    before = bench.last_pass()["startedAt"]
    bench.clock.advance(MINUTE // 2)
    moved(bench, name)
    assert (bench.last_pass()["startedAt"] != before) is wakes


def test_disabling_arms_the_timer_anew(bench: Bench) -> None:
    bench.advance(HOUR - MINUTE // 2)
    authored(bench, "create")
    moved(bench, "disable")
    before = bench.last_pass()["startedAt"]
    bench.advance(MINUTE // 2)
    assert bench.last_pass()["startedAt"] == before, "the slot that is off made no pass"
    bench.advance(MINUTE // 2)
    assert bench.last_pass()["startedAt"] != before


# --- broken bodies ----------------------------------------------------------------------------------------------------


def break_body(bench: Bench, body: str = "{}") -> None:
    bench.rows(f"UPDATE definitions SET body = '{body}'")


@pytest.mark.parametrize(("name", "status"), [("activate", "PAUSED"), ("pause", "ACTIVE")])
@pytest.mark.parametrize("body", ["{}", "[]", '"x"'])
def test_what_is_broken_is_neither_activated_nor_paused(bench: Bench, name: str, status: str, body: str) -> None:
    authored(bench, "create", status=status)
    break_body(bench, body)
    error = refused(lambda: moved(bench, name))
    assert (error.code, error.http_status, error.current_revision) == (Code.VALIDATION_FAILED, 400, 1)


def test_a_stored_variant_that_is_not_carried_any_more_is_named(bench: Bench) -> None:
    authored(bench, "create", status="PAUSED")
    bench.rows("""UPDATE definitions SET body = json_set(body, '$.misfire', 'backfill')""")
    error = refused(lambda: moved(bench, "activate"))
    assert error.code == Code.CAPABILITY_UNSUPPORTED
    assert error.details is not None
    assert (error.details["variant"], error.current_revision) == ("misfire.backfill", None)


def test_what_is_broken_can_be_disabled_deleted_and_repaired(bench: Bench) -> None:
    for automation_id in ("one", "two", "three"):
        authored(bench, "create", automation_id)
    break_body(bench)
    moved(bench, "disable", "one")
    assert bench.value("SELECT body FROM definitions WHERE id = 'one'") == "{}"
    moved(bench, "tombstone", "two")
    authored(bench, "revise", "three")
    assert [state(bench, name) for name in ("one", "two", "three")] == ["disabled", "tombstoned", "active"]
    assert next_due(bench, "three") is not None


# --- the runtime of what is activated (decisions.md 33) ---------------------------------------------------------------


def test_a_runtime_that_is_not_known_is_not_activated(bench: Bench) -> None:
    authored(bench, "create", status="PAUSED", runtime="nothing")
    bench.runtime.refuse = LaunchRefused("launch_refused", "runtime `nothing` is not known; known are shell")
    error = refused(lambda: moved(bench, "activate"))
    assert (error.code, error.current_revision) == (Code.VALIDATION_FAILED, 1)
    assert "`nothing` is not known" in error.reason
    assert state(bench) == "paused"


def test_a_known_runtime_whose_program_is_missing_is_activated(bench: Bench) -> None:
    authored(bench, "create", status="PAUSED")
    bench.runtime.refuse = LaunchRefused("runtime_unavailable", "the command was not found")
    moved(bench, "activate")
    assert state(bench) == "active"


# --- requests ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", MOVES)
@pytest.mark.parametrize(
    ("changes", "word"),
    [
        ({"id": None}, "`id`"),
        ({"id": 1}, "`id`"),
        ({"id": " \u00a0", "expectedRevision": None, "reason": ""}, "`id`"),
        ({"expectedRevision": None, "reason": ""}, "`expectedRevision`"),
        ({"expectedRevision": 0}, "`expectedRevision`"),
        ({"expectedRevision": 1.0}, "`expectedRevision`"),
        ({"expectedRevision": True}, "`expectedRevision`"),
        ({"expectedRevision": "1"}, "`expectedRevision`"),
        ({"expectedRevision": 2**53}, "`expectedRevision`"),
    ],
)
def test_the_first_wrong_field_is_told_and_the_key_is_spent(
    bench: Bench, name: str, changes: dict[str, Any], word: str
) -> None:
    key = fresh()
    body = {"adoptionKey": key, "id": "notes", "expectedRevision": 1} | changes
    error = refused(lambda: send(bench, name, body))
    assert error.code == Code.VALIDATION_FAILED
    assert word in error.reason
    assert ledger(bench) == [(key, f"definition.{name}.v1", "rejected", None)]


@pytest.mark.parametrize("reason", [None, "", " \u3000", 1, "x" * 501, "ä" * 251, " " * 500 + "x"])
def test_a_reason_must_be_text_of_at_most_500_bytes(bench: Bench, reason: object) -> None:
    authored(bench, "create")
    error = refused(lambda: moved(bench, "pause", reason=reason))
    assert error.code == Code.VALIDATION_FAILED
    assert "reason" in error.reason


def test_a_reason_of_500_bytes_is_taken(bench: Bench) -> None:
    authored(bench, "create")
    assert moved(bench, "pause", reason=" " + "ä" * 249 + "x")["result"]["reason"] == "ä" * 249 + "x"


def test_an_id_is_trimmed_and_nothing_long_is_repeated(bench: Bench) -> None:
    authored(bench, "create")
    send(bench, "pause", {"adoptionKey": fresh(), "id": " notes\u2003", "expectedRevision": 1})
    assert state(bench) == "paused"
    body = {"adoptionKey": fresh(), "id": "x" * 100_000, "expectedRevision": 1}
    error = refused(lambda: send(bench, "pause", body))
    assert error.code == Code.NOT_FOUND
    assert len(error.reason) < 200
