"""The keys of definition commands: spent once, replayed, mismatched (contract/commands.md §3.1 to §3.3, §10.6)."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from coven_desktop.contract.errors import Code
from coven_desktop.engine.commands import cancellation, definitions, execution
from tests.engine.conftest import HOUR, START, Bench, definition, refused
from tests.engine.definition_bodies import COMMANDS, authored, fresh, ledger, moved, send, state, told

KEY = "adopt:create:conformance:0001"


def create_body(**changes: Any) -> dict[str, Any]:
    return {"adoptionKey": KEY, "definition": definition("conformance-adoption", status="PAUSED", **changes)}


def test_an_exact_replay_converges_and_a_conflict_is_refused(bench: Bench) -> None:
    first = send(bench, "create", create_body())
    bench.advance(HOUR)
    again = send(bench, "create", create_body() | {"origin": "cave", "intentId": "i", "more": 1})
    assert again.payload == {
        **first.payload,
        "outcome": "replayed",
        "replay": {"firstCommittedAt": START},
    }
    assert list(again.payload) == ["outcome", "revision", "result", "eventRef", "replay"]
    assert (first.in_result, first.in_event, again.in_result, again.in_event) == (True, True, True, False)
    error = refused(lambda: send(bench, "create", create_body(name="Other")))
    assert (error.code, error.http_status) == (Code.ADOPTION_REPLAY_MISMATCH, 409)
    assert error.adoption == {"key": KEY, "conflictOutcome": "committed"}
    assert error.details == {
        "committedCommand": "definition.create.v1",
        "committedOutcome": "committed",
        "committedRevision": 1,
        "automationId": "conformance-adoption",
    }
    counts = [bench.value(f"SELECT count(*) FROM {table}") for table in ("definitions", "adoptions", "events")]
    assert counts == [1, 1, 1]
    assert bench.value("SELECT name FROM definitions") == "Conformance-Adoption"


def test_a_replay_tells_what_was_answered_also_when_the_state_has_moved_on(bench: Bench) -> None:
    first = send(bench, "create", create_body())
    moved(bench, "tombstone", "conformance-adoption")
    again = send(bench, "create", create_body())
    assert again.payload["result"] == first.payload["result"]
    assert state(bench, "conformance-adoption") == "tombstoned"


def test_a_replay_survives_a_restart(bench: Bench) -> None:
    first = send(bench, "create", create_body())
    bench.crash(away=HOUR)
    again = send(bench, "create", create_body())
    assert (again.payload["outcome"], again.payload["eventRef"]) == ("replayed", first.payload["eventRef"])


def test_a_replay_wakes_nobody(bench: Bench) -> None:
    send(bench, "create", create_body())
    before = bench.last_pass()["startedAt"]
    bench.clock.advance(1)
    send(bench, "create", create_body())
    assert bench.last_pass()["startedAt"] == before


@pytest.mark.parametrize("name", ["activate", "pause", "disable", "tombstone", "revise"])
def test_every_command_replays(bench: Bench, name: str) -> None:
    authored(bench, "create", status="PAUSED" if name == "activate" else "ACTIVE")
    body: dict[str, Any] = {"adoptionKey": fresh(), "expectedRevision": 1, "reason": "why"}
    body |= {"definition": definition(name="New")} if name == "revise" else {"id": "notes"}
    first = send(bench, name, body)
    again = send(bench, name, body)
    assert again.payload["result"] == first.payload["result"]
    assert again.payload["outcome"] == "replayed"
    assert len(told(bench)) == 2


def test_a_refusal_replays_as_it_was_though_the_state_has_changed(bench: Bench) -> None:
    body = {"adoptionKey": fresh(), "id": "notes", "expectedRevision": 1}
    first = refused(lambda: send(bench, "pause", body))
    authored(bench, "create")
    again = refused(lambda: send(bench, "pause", body))
    assert again.to_wire() == first.to_wire()
    assert (again.code, state(bench)) == (Code.NOT_FOUND, "active")
    error = refused(lambda: send(bench, "pause", body | {"expectedRevision": 2}))
    assert error.adoption == {"key": body["adoptionKey"], "conflictOutcome": "rejected"}
    assert error.details == {
        "committedCommand": "definition.pause.v1",
        "committedOutcome": "rejected",
        "committedRevision": None,
        "automationId": "notes",
    }


def test_a_refusal_that_carries_facts_replays_with_them(bench: Bench) -> None:
    authored(bench, "create")
    stale = {"adoptionKey": fresh(), "id": "notes", "expectedRevision": 7}
    unsupported = {"adoptionKey": fresh(), "definition": definition("other", misfire="backfill")}
    for name, body in (("pause", stale), ("create", unsupported)):
        first, again = (refused(partial(send, bench, name, body)) for _ in range(2))
        assert again.to_wire() == first.to_wire()


@pytest.mark.parametrize(
    "key", [None, 1, "", "  ", "short", "-begins-badly", "x" * 201, "adopt:ü:00001", ["adopt:00001"]]
)
@pytest.mark.parametrize("name", COMMANDS)
def test_a_key_that_is_none_is_refused_before_anything_and_not_spent(bench: Bench, name: str, key: object) -> None:
    error = refused(lambda: send(bench, name, {"adoptionKey": key, "definition": 1, "id": 1}))
    assert error.code == Code.VALIDATION_FAILED
    assert "adoptionKey" in error.reason
    assert ledger(bench) == []


def test_the_key_is_trimmed(bench: Bench) -> None:
    send(bench, "create", create_body())
    again = send(bench, "create", create_body() | {"adoptionKey": f"\u3000{KEY} "})
    assert again.payload["outcome"] == "replayed"


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("create", {"definition": None}),
        ("create", {}),
        ("create", {"definition": "x"}),
        ("create", {"definition": definition(), "expectedRevision": None}),
        ("create", {"definition": definition(), "expectedRevision": 1}),
        ("revise", {"definition": None, "expectedRevision": 1}),
        ("revise", {"definition": definition()}),
        ("revise", {"definition": definition(), "expectedRevision": "1"}),
    ],
)
def test_a_malformed_request_spends_its_key_and_replays(bench: Bench, name: str, body: dict[str, Any]) -> None:
    body = {"adoptionKey": fresh(), **body}
    error = refused(lambda: send(bench, name, body))
    assert error.code == Code.VALIDATION_FAILED
    again = refused(lambda: send(bench, name, {**body, "origin": "cave"}))
    assert again.to_wire() == error.to_wire()
    corrected = {"adoptionKey": body["adoptionKey"], "definition": definition(), "expectedRevision": 1}
    if name == "create":
        del corrected["expectedRevision"]
    assert refused(lambda: send(bench, name, corrected)).code == Code.ADOPTION_REPLAY_MISMATCH
    assert [row[2] for row in ledger(bench)] == ["rejected"]


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ({"reason": "why"}, {"reason": " why "}, True),
        ({"reason": "why"}, {}, False),
        ({"reason": "why"}, {"reason": "not"}, False),
        ({"id": "notes"}, {"id": " notes "}, True),
        ({"id": "notes"}, {"id": "other"}, False),
        ({"expectedRevision": 1}, {"expectedRevision": 2}, False),
        ({"intentId": "a", "origin": "b"}, {"intentId": "c"}, True),
    ],
)
def test_what_makes_two_moves_the_same(bench: Bench, one: dict[str, Any], other: dict[str, Any], same: bool) -> None:
    authored(bench, "create")
    plain = {"adoptionKey": fresh(), "id": "notes", "expectedRevision": 1}
    send(bench, "pause", plain | one)
    if same:
        assert send(bench, "pause", plain | other).payload["outcome"] == "replayed"
    else:
        assert refused(lambda: send(bench, "pause", plain | other)).code == Code.ADOPTION_REPLAY_MISMATCH


def test_a_reason_makes_no_difference_to_a_tombstone(bench: Bench) -> None:
    authored(bench, "create")
    body = {"adoptionKey": fresh(), "id": "notes", "expectedRevision": 1, "reason": "why"}
    send(bench, "tombstone", body)
    assert send(bench, "tombstone", body | {"reason": None}).payload["outcome"] == "replayed"


@pytest.mark.parametrize("changes", [{"tags": []}, {"cwd": None}, {"timezone": "UTC"}])
def test_a_definition_is_the_same_only_as_it_came(bench: Bench, changes: dict[str, Any]) -> None:
    send(bench, "create", create_body())
    assert refused(lambda: send(bench, "create", create_body(**changes))).code == Code.ADOPTION_REPLAY_MISMATCH


def test_one_name_space_for_all_keys(bench: Bench) -> None:
    authored(bench, "create")
    key = fresh()
    bench.done(
        execution.run_now(bench.engine, bench.strict("occurrence.runNow.v1", automationId="notes", adoptionKey=key))
    )
    # another command's
    error = refused(lambda: send(bench, "pause", {"adoptionKey": key, "id": "notes", "expectedRevision": 1}))
    assert error.code == Code.ADOPTION_REPLAY_MISMATCH
    assert error.details is not None
    assert error.details["committedCommand"] == "occurrence.runNow.v1"
    # an attempt's
    attempt_key = bench.value("SELECT adoption_key FROM attempts")
    error = refused(lambda: send(bench, "pause", {"adoptionKey": attempt_key, "id": "notes", "expectedRevision": 1}))
    assert (error.code, error.details, error.adoption) == (Code.ADOPTION_REPLAY_MISMATCH, None, None)
    # one that a cancellation under way has reserved
    body = bench.cancel_body()
    cancellation.cancel_run(bench.engine, body)
    reserved = {"adoptionKey": body["adoptionKey"], "id": "notes", "expectedRevision": 1}
    error = refused(lambda: send(bench, "pause", reserved))
    assert (error.code, error.details, error.adoption) == (Code.ADOPTION_REPLAY_MISMATCH, None, None)
    # and the other way round
    spent = ledger(bench)[0][0]
    error = refused(
        lambda: execution.run_now(
            bench.engine, bench.strict("occurrence.runNow.v1", automationId="notes", adoptionKey=spent)
        )
    )
    assert (error.code, error.details) == (Code.ADOPTION_REPLAY_MISMATCH, None)


def test_an_unversioned_intent_is_another_name_space(bench: Bench) -> None:
    definitions.create(bench.engine, {"definition": definition(), "intentId": KEY})
    assert send(bench, "create", create_body()).payload["outcome"] == "committed"


def test_what_has_no_canonical_form_is_not_adopted(bench: Bench) -> None:
    error = refused(lambda: send(bench, "create", create_body(name="\ud800")))
    assert error.code == Code.INTERNAL
    assert ledger(bench) == []
