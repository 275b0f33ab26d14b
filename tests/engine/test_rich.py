"""Rich definitions: drafts first, revised by rule, kept as written, told as they stand (contract/commands.md §7.4)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from coven_desktop.contract.definition import definition_digest, parse, stored
from coven_desktop.contract.errors import Code
from coven_desktop.contract.rich_definition import check, routine_of
from coven_desktop.engine.commands import reading
from tests.contract.rich_bodies import GONE, rich
from tests.engine import definition_bodies as flat
from tests.engine.conftest import HOUR, SECOND, START, Bench, refused
from tests.engine.envelopes import ROUTINE, create, everything, move, next_one, refusal, revise, send, told


def routine(**changes: Any) -> dict[str, Any]:
    """The stored form of the routine that the draft stands for."""
    return stored(parse(routine_of(rich(changes)), drop_unknown=False)[0])


def view(bench: Bench) -> Any:
    """The rich definition as definition.get tells it; None for a flat one."""
    payload = reading.get_definition(bench.engine, {"id": ROUTINE}).payload
    if "definition" in payload:
        check("definition", payload["definition"])
        assert payload["definition"]["revision"] == payload["revision"]
    return payload.get("definition")


def row(bench: Bench) -> tuple[Any, ...]:
    (found,) = bench.rows("SELECT revision, lifecycle, managed, next_due_at FROM definitions")
    return found


def test_a_draft_is_created(bench: Bench) -> None:
    answer = create(bench)
    result = told(answer)["result"]
    assert list(result) == ["routine", "revision", "definition"]
    assert result["routine"] == routine()
    assert result["routine"]["status"] == "PAUSED"
    assert result["revision"] == 1
    assert result["definition"] == rich() == view(bench)
    assert row(bench) == (1, "draft", "v1", None)
    (event,) = flat.told(bench, ROUTINE)
    digest = definition_digest(parse(routine(), drop_unknown=False)[0])
    assert event["kind"] == "definition.created"
    # the feed tells the digest of what runs, not that of what was written
    assert event["payload"] == {
        "revision": 1,
        "definitionDigest": {"algorithm": "sha256", "canonicalization": "jcs-rfc8785", "value": digest},
        "lifecycleState": "draft",
    }
    assert digest != rich()["integrity"]["value"]


def test_nothing_of_a_draft_is_ever_planned(bench: Bench) -> None:
    create(bench, {"trigger.schedule.rrule": "FREQ=DAILY;BYHOUR=6,7,8,9,10"})
    bench.advance(3 * HOUR)
    assert bench.rows("SELECT * FROM occurrences") == []
    for name, code in (("activate", Code.ILLEGAL_TRANSITION), ("pause", Code.ILLEGAL_TRANSITION)):
        found = refusal(bench, f"definition.{name}.v1", {"automationId": ROUTINE}, 1)
        assert (found.code, found.current_revision) == (code, 1)
    assert refusal(bench, "definition.disable.v1", {"automationId": ROUTINE}, 1).code == Code.ILLEGAL_TRANSITION


def test_from_draft_to_the_end(bench: Bench) -> None:
    create(bench)
    assert told(revise(bench, 1))["revision"] == 2
    assert row(bench)[:2] == (2, "paused")
    assert view(bench) == next_one(1)
    move(bench, "activate", 2)
    assert (view(bench)["revision"], view(bench)["lifecycleState"]) == (3, "active")
    assert row(bench) == (3, "active", "v1", "2026-09-01T21:00:00.000Z")  # 18:00 in Halifax
    revise(bench, 3, {"lifecycleState": "active", "action.prompt": "List the ships."})
    assert view(bench) == next_one(3, {"lifecycleState": "active", "action.prompt": "List the ships."})
    move(bench, "pause", 4)
    assert view(bench)["lifecycleState"] == "paused"
    move(bench, "disable", 5)
    assert (view(bench)["revision"], view(bench)["lifecycleState"]) == (6, "disabled")
    move(bench, "tombstone", 6)
    assert view(bench)["revision"] == 7
    assert reading.get_definition(bench.engine, {"id": ROUTINE}).payload["tombstonedAt"] == START
    assert [event["payload"]["lifecycleState"] for event in flat.told(bench, ROUTINE)] == [
        *("draft", "paused", "active", "active", "paused", "disabled", "tombstoned")
    ]


def test_an_active_rich_routine_runs_as_its_projection(bench: Bench) -> None:
    at_ten = {"trigger.schedule": {"rrule": "FREQ=DAILY;BYHOUR=10", "timezone": "utc"}}
    create(bench, at_ten)
    revise(bench, 1, at_ten)
    move(bench, "activate", 2)
    bench.advance(HOUR)
    (spec,) = bench.world.launched
    assert (spec.prompt, spec.cwd, spec.runtime, spec.model) == ("List the boats.", "/srv/harbour", "shell", "small")
    assert spec.familiar_id == "keeper"


def test_what_is_not_enforced_is_kept_as_it_was_written(bench: Bench) -> None:
    changes = {
        "extensions": {"x-number": [1.0, 1e-7, 0.1, -0.0], "x-text": "\u0000é\u2028"},
        "policies.retention.receipts": {"classification": "extended", "deleteAfter": "2027-01-01T00:00:00Z"},
        "deletion": {"tombstoned": True, "requestedAt": "2027-01-01T00:00:00Z"},
        "runtimeRequirements.capabilities": ["b", "a"],
    }
    create(bench, changes)
    assert json.dumps(view(bench)) == json.dumps(rich(changes))
    bench.restart()
    assert json.dumps(view(bench)) == json.dumps(rich(changes))


def test_a_flat_revision_drops_what_was_written(bench: Bench) -> None:
    create(bench)
    answer = flat.send(
        bench,
        "revise",
        {"adoptionKey": flat.fresh(), "expectedRevision": 1, "definition": routine() | {"name": "Flat"}},
    )
    assert "definition" not in answer.payload["result"]
    assert view(bench) is None
    assert bench.rows("SELECT * FROM rich_definitions") == []
    # and a rich one makes it rich again
    revise(bench, 2)
    assert view(bench) == next_one(2)


def test_a_flat_routine_becomes_rich_by_a_revision(bench: Bench) -> None:
    flat.authored(bench, "create", ROUTINE, status="ACTIVE")
    assert view(bench) is None
    assert refusal(bench, "definition.revise.v1", {"definition": next_one(1)}, 1).code == Code.ILLEGAL_TRANSITION
    revise(bench, 1, {"lifecycleState": "active"})
    assert view(bench)["lifecycleState"] == "active"


def test_an_invalid_one_is_revised_as_paused(bench: Bench) -> None:
    create(bench)
    flat.set_lifecycle(bench, "invalid", ROUTINE)
    active = next_one(1, {"lifecycleState": "active"})
    assert refusal(bench, "definition.revise.v1", {"definition": active}, 1).code == Code.ILLEGAL_TRANSITION
    revise(bench, 1)
    assert row(bench)[:2] == (2, "paused")


@pytest.mark.parametrize(
    ("state", "asked", "wanted"),
    [
        ("draft", "draft", "paused"),
        ("draft", "active", "paused"),
        ("paused", "draft", "paused"),
        ("paused", "active", "paused"),
        ("invalid", "draft", "paused"),
        ("active", "paused", "active"),
        ("active", "draft", "active"),
    ],
)
def test_a_revision_stays_in_its_state(bench: Bench, state: str, asked: str, wanted: str) -> None:
    create(bench)
    flat.set_lifecycle(bench, state, ROUTINE)
    payload = {"definition": next_one(1, {"lifecycleState": asked})}
    found = refusal(bench, "definition.revise.v1", payload, 1)
    assert (found.code, found.current_revision) == (Code.ILLEGAL_TRANSITION, 1)
    assert wanted in found.reason
    # the state is looked at before the revision: a stale one answers the same
    stale = {"definition": next_one(6, {"lifecycleState": asked})}
    assert refusal(bench, "definition.revise.v1", stale, 6).code == Code.ILLEGAL_TRANSITION


def test_a_disabled_one_is_not_revised_and_its_revision_is_looked_at_first(bench: Bench) -> None:
    create(bench)
    flat.set_lifecycle(bench, "disabled", ROUTINE)
    stale = refusal(bench, "definition.revise.v1", {"definition": next_one(6)}, 6)
    assert (stale.code, stale.current_revision) == (Code.REVISION_CONFLICT, 1)
    assert refusal(bench, "definition.revise.v1", {"definition": next_one(1)}, 1).code == Code.ILLEGAL_TRANSITION


# Each of these has all the faults of those after it as well: the first one is told.
CREATE_FAULTS: tuple[tuple[dict[str, Any], Code, str | None], ...] = (
    ({"policies.delivery": {}}, Code.CAPABILITY_UNSUPPORTED, "outputTarget.atomic"),
    ({"activation": {}}, Code.CAPABILITY_UNSUPPORTED, "activation"),
    ({"lifecycleState": "disabled"}, Code.ILLEGAL_TRANSITION, None),
    ({"revision": 2}, Code.VALIDATION_FAILED, None),
    ({"lifecycleState": "paused"}, Code.ILLEGAL_TRANSITION, None),
    ({"trigger.schedule.rrule": "FREQ=HOURLY"}, Code.CAPABILITY_UNSUPPORTED, "trigger.schedule.frequency.hourly"),
)


def test_the_order_of_the_refusals_of_create(bench: Bench) -> None:
    create(bench)
    for index, (_, code, variant) in enumerate(CREATE_FAULTS):
        changes: dict[str, Any] = {}
        for fault, _, _ in reversed(CREATE_FAULTS[index:]):
            changes |= fault
        found = refusal(bench, "definition.create.v1", {"definition": rich(changes)})
        assert (found.code, (found.details or {}).get("variant")) == (code, variant), changes
        assert found.current_revision is None
    conflict = refusal(bench, "definition.create.v1", {"definition": rich()})
    assert (conflict.code, conflict.current_revision) == (Code.REVISION_CONFLICT, 1)
    move(bench, "tombstone", 1)
    gone = refusal(bench, "definition.create.v1", {"definition": rich()})
    assert (gone.code, gone.current_revision) == (Code.GONE_TOMBSTONED, 2)


REVISE_FAULTS: tuple[tuple[dict[str, Any], Code, str | None], ...] = (
    ({"policies.delivery": {"mode": "atomic"}}, Code.CAPABILITY_UNSUPPORTED, "outputTarget.atomic"),
    ({"activation": {"effectiveFrom": START}}, Code.CAPABILITY_UNSUPPORTED, "activation"),
    ({"lifecycleState": "invalid"}, Code.ILLEGAL_TRANSITION, None),
    ({"revision": 9}, Code.VALIDATION_FAILED, None),
    ({"lifecycleState": "active"}, Code.ILLEGAL_TRANSITION, None),
    ({"trigger.schedule.rrule": "FREQ=MONTHLY"}, Code.CAPABILITY_UNSUPPORTED, "trigger.schedule.frequency.monthly"),
)


def test_the_order_of_the_refusals_of_revise(bench: Bench) -> None:
    create(bench)
    for index, (_, code, variant) in enumerate(REVISE_FAULTS):
        changes: dict[str, Any] = {}
        for fault, _, _ in reversed(REVISE_FAULTS[index:]):
            changes |= fault
        found = refusal(bench, "definition.revise.v1", {"definition": next_one(4, changes)}, 4)
        assert (found.code, (found.details or {}).get("variant")) == (code, variant), changes
    conflict = refusal(bench, "definition.revise.v1", {"definition": next_one(4)}, 4)
    assert (conflict.code, conflict.current_revision) == (Code.REVISION_CONFLICT, 1)
    move(bench, "tombstone", 1)
    gone = refusal(bench, "definition.revise.v1", {"definition": next_one(4)}, 4)
    assert (gone.code, gone.current_revision) == (Code.GONE_TOMBSTONED, 2)
    other = next_one(4, {"automationId": "nobody"})
    missing = refusal(bench, "definition.revise.v1", {"definition": other}, 4)
    assert (missing.code, missing.current_revision) == (Code.NOT_FOUND, None)


@pytest.mark.parametrize(
    "changes",
    [
        {"display.name": "ü" * 160},  # 320 bytes
        {"display.name": "  "},
        {"binding.familiarId": "é" * 64},
        {"runtimeRequirements.runtimeId": " "},
        {"trigger.schedule.rrule": "FREQ=DAILY;BYHOUR=24"},
        {"trigger.schedule.rrule": "every morning"},
    ],
)
def test_the_routine_it_stands_for_must_be_valid(bench: Bench, changes: dict[str, Any]) -> None:
    found = refusal(bench, "definition.create.v1", {"definition": rich(changes)})
    assert (found.code, found.reason) == (
        Code.VALIDATION_FAILED,
        "definition is not a valid routine of this contract profile",
    )
    assert bench.rows("SELECT outcome FROM adoptions") == [("rejected",)]


def test_every_refusal_is_adopted_and_leaves_the_rest_as_it_was(bench: Bench) -> None:
    create(bench, key="adopt:rich:first")
    before = everything(bench)
    cases = [
        *(("definition.create.v1", rich(changes), None) for changes, _, _ in CREATE_FAULTS),
        *(("definition.revise.v1", next_one(1, changes), 1) for changes, _, _ in REVISE_FAULTS),
    ]
    for number, (command, definition, expected) in enumerate(cases):
        key = f"adopt:rich:{number:04}"
        first = refusal(bench, command, {"definition": definition}, expected, key=key)
        assert bench.rows(f"SELECT outcome, command FROM adoptions WHERE adoption_key = '{key}'") == [
            ("rejected", command)
        ]
        again = refusal(bench, command, {"definition": definition}, expected, key=key)
        assert again.to_wire() == first.to_wire()
    assert {**everything(bench), "adoptions": None} == {**before, "adoptions": None}


def test_a_replay_tells_what_was_committed_then(bench: Bench) -> None:
    first = told(create(bench, key="adopt:rich:create"))
    bench.clock.advance(SECOND)
    revise(bench, 1, key="adopt:rich:revise")
    again = create(bench, key="adopt:rich:create")
    assert again.in_event is False
    assert told(again) == {**first, "outcome": "replayed", "replay": {"firstCommittedAt": START}}
    assert told(revise(bench, 1, key="adopt:rich:revise"))["replay"] == {"firstCommittedAt": "2026-09-01T09:00:01.000Z"}


def test_a_commit_never_precedes_the_one_before(bench: Bench) -> None:
    create(bench)
    bench.clock.jump(-HOUR)
    revise(bench, 1)
    assert bench.value("SELECT revised_at FROM definitions") == START


def test_a_key_stands_for_one_content(bench: Bench) -> None:
    create(bench, key="adopt:rich:create")
    other = refusal(
        bench, "definition.create.v1", {"definition": rich({"action.prompt": "Else."})}, key="adopt:rich:create"
    )
    assert other.code == Code.ADOPTION_REPLAY_MISMATCH
    assert other.adoption == {"key": "adopt:rich:create", "conflictOutcome": "committed"}
    assert other.details == {
        "committedCommand": "definition.create.v1",
        "committedOutcome": "committed",
        "committedRevision": 1,
        "automationId": ROUTINE,
    }
    # an empty list that was sent is content
    bare = refusal(bench, "definition.create.v1", {"definition": rich({"conditions": GONE})}, key="adopt:rich:create")
    assert bare.code == Code.ADOPTION_REPLAY_MISMATCH
    # the flat routine that it stands for is another request
    flat_one = refused(
        lambda: flat.send(bench, "create", {"adoptionKey": "adopt:rich:create", "definition": routine()})
    )
    assert flat_one.code == Code.ADOPTION_REPLAY_MISMATCH


def test_the_expected_revision_is_part_of_the_request(bench: Bench) -> None:
    create(bench)
    definition = next_one(1)
    send(bench, "definition.revise.v1", {"definition": definition}, 1, key="adopt:rich:revise")
    other = refusal(bench, "definition.revise.v1", {"definition": definition}, 2, key="adopt:rich:revise")
    assert other.code == Code.ADOPTION_REPLAY_MISMATCH


def test_a_rich_revision_supersedes_what_was_planned(bench: Bench) -> None:
    bench.automatic = False
    create(bench)
    revise(bench, 1)
    move(bench, "activate", 2)
    bench.store.connection.execute(
        "INSERT INTO occurrences (id, automation_id, automation_revision, definition_digest, scheduled_for, kind,"
        " state, created_at, updated_at) VALUES ('o', ?1, 3, 'd', ?2, 'scheduled', 'planned', ?2, ?2)",
        (ROUTINE, START),
    ).fetchall()
    revise(bench, 3, {"lifecycleState": "active"})
    assert bench.rows("SELECT state FROM occurrences") == [("superseded",)]
