"""create, update and delete: revisions, intents and refusals (contract/commands.md §3.8, decisions.md 20, 21, 25)."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest

from coven_desktop.contract.definition import definition_digest, parse
from coven_desktop.contract.errors import Code, Refusal
from coven_desktop.engine.answers import Answer
from coven_desktop.engine.commands import definitions
from coven_desktop.store.errors import StoreFault
from tests.engine.conftest import HOUR, SECOND, START, Bench, definition, refused


def create(bench: Bench, raw: object = None, **members: Any) -> Answer:
    return definitions.create(bench.engine, {"definition": definition() if raw is None else raw, **members})


def update(bench: Bench, raw: object = None, **members: Any) -> Answer:
    return definitions.update(bench.engine, {"definition": definition() if raw is None else raw, **members})


def delete(bench: Bench, **members: Any) -> Answer:
    return definitions.delete(bench.engine, {"id": "notes", **members})


def reason(outcome: Any) -> str:
    with pytest.raises(Refusal) as caught:
        outcome()
    assert type(caught.value) is Refusal
    return caught.value.reason


def events(bench: Bench) -> list[tuple[Any, ...]]:
    return [
        (sequence, kind, json.loads(body)["payload"])
        for sequence, kind, body in bench.rows(
            "SELECT sequence, kind, body FROM events WHERE stream_kind = 'automation' ORDER BY position"
        )
    ]


def test_create_answers_with_the_stored_form_and_its_time(bench: Bench) -> None:
    answer = create(bench, definition(tags=[], retry={"maxAttempts": 1, "backoffPolicy": "none"}))
    assert (answer.kind, answer.in_result, answer.reason) == ("automations.changed", False, None)
    assert answer.payload == {"routine": definition(), "createdAt": START}
    assert list(answer.payload["routine"]) == sorted(definition())
    (row,) = bench.rows("SELECT revision, digest, lifecycle, managed, created_at, revised_at FROM definitions")
    digest = definition_digest(parse(definition(), drop_unknown=False)[0])
    assert row == (1, digest, "active", "legacy", START, START)
    assert events(bench) == [
        (
            0,
            "definition.created",
            {
                "revision": 1,
                "definitionDigest": {"algorithm": "sha256", "canonicalization": "jcs-rfc8785", "value": digest},
                "lifecycleState": "active",
            },
        )
    ]


def test_create_resolves_local_before_it_stores(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Europe/Paris")
    answer = create(bench, definition(timezone="local"))
    assert answer.payload["routine"]["timezone"] == "Europe/Paris"
    monkeypatch.setenv("TZ", "")
    told = reason(lambda: create(bench, definition("other", timezone="local")))
    assert told.startswith("routine definition failed validation: TZ override must be")


def test_unknown_members_are_dropped_and_named(bench: Bench) -> None:
    answer = create(bench, definition(colour="red", shape=None) | {"shape": 1})
    assert answer.payload["warnings"] == ["unknown member `colour` was left out", "unknown member `shape` was left out"]
    assert "colour" not in answer.payload["routine"]
    assert "warnings" not in update(bench).payload


@pytest.mark.parametrize("raw", [None, [], "x", 3])
def test_a_definition_is_an_object(bench: Bench, raw: Any) -> None:
    for command, name in ((definitions.create, "create"), (definitions.update, "update")):
        told = reason(lambda: command(bench.engine, {"definition": raw}))  # noqa: B023 - called at once
        assert told == f"coven.automations.{name} requires object field `definition`"


def test_what_is_not_valid_is_not_created(bench: Bench) -> None:
    assert reason(lambda: create(bench, definition(rrule="FREQ=YEARLY"))).startswith("rrule failed validation: ")
    assert (
        reason(lambda: create(bench, definition(status="DISABLED")))
        == "legacy create cannot create a disabled definition"
    )
    assert bench.rows("SELECT * FROM definitions") == []
    assert bench.rows("SELECT * FROM adoptions") == []


def test_create_on_a_live_id_is_refused(bench: Bench) -> None:
    create(bench)
    assert "exists already" in reason(lambda: create(bench, definition(name="Other")))


def test_a_deleted_routine_is_created_anew_at_the_next_revision(bench: Bench) -> None:
    create(bench)
    update(bench, definition(name="Second"))
    bench.clock.advance(SECOND)
    delete(bench)
    bench.clock.advance(SECOND)
    answer = create(bench, definition(status="PAUSED"))
    assert answer.payload["createdAt"] == "2026-09-01T09:00:02.000Z"
    (row,) = bench.rows("SELECT revision, lifecycle, tombstoned_at, created_at, revised_at FROM definitions")
    assert row == (4, "paused", None, "2026-09-01T09:00:02.000Z", "2026-09-01T09:00:02.000Z")
    assert [(sequence, kind, payload["lifecycleState"]) for sequence, kind, payload in events(bench)] == [
        (0, "definition.created", "active"),
        (1, "definition.revised", "active"),
        (2, "definition.tombstoned", "tombstoned"),
        (3, "definition.created", "paused"),
    ]
    assert bench.rows("SELECT revision, lifecycle FROM definition_revisions ORDER BY revision") == [
        (1, "active"),
        (2, "active"),
        (3, "tombstoned"),
        (4, "paused"),
    ]


def test_update_is_the_next_revision(bench: Bench) -> None:
    create(bench)
    bench.clock.advance(SECOND)
    answer = update(bench, definition(prompt="echo other"))
    assert answer.payload == {"routine": definition(prompt="echo other"), "updatedAt": "2026-09-01T09:00:01.000Z"}
    assert bench.rows("SELECT revision, created_at, revised_at FROM definitions") == [
        (2, START, "2026-09-01T09:00:01.000Z")
    ]


def test_a_commit_never_precedes_the_one_before(bench: Bench) -> None:
    create(bench)
    bench.clock.jump(-HOUR)
    assert update(bench).payload["updatedAt"] == START


def test_update_is_refused_for_what_is_not_there(bench: Bench) -> None:
    assert reason(lambda: update(bench)) == "no routine with id `notes`"
    create(bench)
    delete(bench)
    assert reason(lambda: update(bench)) == "routine `notes` is tombstoned"


@pytest.mark.parametrize("lifecycle", ["disabled", "draft", "invalid"])
def test_update_is_refused_in_states_it_does_not_leave(bench: Bench, lifecycle: str) -> None:
    create(bench)
    bench.store.connection.execute("UPDATE definitions SET lifecycle = ?", (lifecycle,))
    assert lifecycle in reason(lambda: update(bench))


@pytest.mark.parametrize("lifecycle", ["draft", "invalid"])
def test_draft_and_invalid_become_paused(bench: Bench, lifecycle: str) -> None:
    create(bench)
    bench.store.connection.execute("UPDATE definitions SET lifecycle = ?", (lifecycle,))
    update(bench, definition(status="PAUSED"))
    assert bench.value("SELECT lifecycle FROM definitions") == "paused"


def test_update_disables_nothing(bench: Bench) -> None:
    create(bench)
    assert "disabled" in reason(lambda: update(bench, definition(status="DISABLED")))


def test_what_the_versioned_api_manages_is_left_to_it(bench: Bench) -> None:
    create(bench)
    bench.store.connection.execute("UPDATE definitions SET managed = 'v1'")
    assert "versioned" in reason(lambda: update(bench))
    assert delete(bench).payload == {"deleted": False, "id": "notes"}
    bench.store.connection.execute("UPDATE definitions SET tombstoned_at = ?, next_due_at = NULL", (START,))
    assert "versioned" in reason(lambda: create(bench))


def test_an_expected_revision_that_is_not_the_stored_one_is_a_conflict(bench: Bench) -> None:
    create(bench)
    told = refused(lambda: update(bench, expectedRevision=2))
    assert (told.code, told.current_revision) == (Code.REVISION_CONFLICT, 1)
    update(bench, expectedRevision=1)
    assert bench.value("SELECT revision FROM definitions") == 2
    # without one the last writer wins
    update(bench, expectedRevision=None)
    assert bench.value("SELECT revision FROM definitions") == 3


@pytest.mark.parametrize("expected", [0, -1, 1.0, True, "1"])
def test_an_expected_revision_is_an_integer_from_one(bench: Bench, expected: Any) -> None:
    create(bench)
    assert refused(lambda: update(bench, expectedRevision=expected)).code == Code.VALIDATION_FAILED


def test_delete_keeps_the_row_and_tells_once(bench: Bench) -> None:
    create(bench)
    assert delete(bench).payload == {"deleted": True, "id": "notes"}
    assert bench.rows("SELECT revision, tombstoned_at, next_due_at FROM definitions") == [(2, START, None)]
    assert delete(bench).payload == {"deleted": False, "id": "notes"}
    assert definitions.delete(bench.engine, {"id": " other "}).payload == {"deleted": False, "id": "other"}
    assert [kind for _, kind, _ in events(bench)] == ["definition.created", "definition.tombstoned"]


@pytest.mark.parametrize("body", [{}, {"id": ""}, {"id": None}, {"id": 1}])
def test_delete_needs_an_id(bench: Bench, body: dict[str, Any]) -> None:
    assert (
        reason(lambda: definitions.delete(bench.engine, body)) == "coven.automations.delete requires string field `id`"
    )


# intentId


def test_the_same_intent_with_the_same_request_looks_like_a_fresh_success(bench: Bench) -> None:
    first = create(bench, intentId="intent-1")
    bench.clock.advance(SECOND)
    again = create(bench, intentId=" intent-1 ", origin="elsewhere")
    assert again == first
    key = "legacy:" + hashlib.sha256(b"coven.automations.create\0intent-1").hexdigest()
    assert bench.rows("SELECT adoption_key, command, outcome, automation_id FROM adoptions") == [
        (key, "legacy.definition.create.v1", "committed", "notes")
    ]
    assert len(events(bench)) == 1


def test_the_same_intent_with_another_request_is_refused(bench: Bench) -> None:
    create(bench, intentId="intent-1")
    assert reason(lambda: create(bench, definition(name="Other"), intentId="intent-1"))
    assert bench.value("SELECT name FROM definitions") == "Notes"


def test_an_intent_belongs_to_its_action(bench: Bench) -> None:
    create(bench, intentId="intent-1")
    update(bench, definition(name="Other"), intentId="intent-1")
    assert delete(bench, intentId="intent-1").payload["deleted"]
    assert delete(bench, intentId="intent-1").payload["deleted"]


def test_a_refused_request_leaves_its_intent_free(bench: Bench) -> None:
    reason(lambda: update(bench, intentId="intent-1"))
    create(bench)
    assert update(bench, intentId="intent-1").payload["routine"] == definition()


def test_an_expected_revision_is_part_of_the_request(bench: Bench) -> None:
    create(bench)
    update(bench, intentId="intent-1", expectedRevision=1)
    assert reason(lambda: update(bench, intentId="intent-1", expectedRevision=2))
    assert update(bench, intentId="intent-1", expectedRevision=1).payload["routine"] == definition()


@pytest.mark.parametrize("intent", ["", "  ", None, 5])
def test_a_blank_intent_is_none(bench: Bench, intent: Any) -> None:
    create(bench, intentId=intent)
    delete(bench, intentId=intent)
    create(bench, intentId=intent)
    assert bench.value("SELECT revision FROM definitions") == 3


def test_dropped_members_do_not_make_another_request(bench: Bench) -> None:
    first = create(bench, definition(colour="red"), intentId="intent-1")
    again = create(bench, definition(colour="blue"), intentId="intent-1")
    assert again.payload == first.payload


# faults and wakes


def test_a_fault_of_the_store_is_raised_and_nothing_is_written(bench: Bench) -> None:
    bench.store.connection.execute("PRAGMA busy_timeout = 0").fetchall()
    other = bench.lock()
    with pytest.raises(StoreFault) as caught:
        create(bench, intentId="intent-1")
    assert (caught.value.code, caught.value.retryable) == (Code.STORE_BUSY, True)
    other.close()
    create(bench, intentId="intent-1")


def test_a_full_disk_is_a_fault_and_leaves_the_store_usable(bench: Bench) -> None:
    bench.store.connection.execute("PRAGMA max_page_count = 1").fetchall()
    with pytest.raises(StoreFault) as caught:
        create(bench, definition(prompt="x" * 100_000))
    assert caught.value.code == Code.STORE_FULL
    bench.store.connection.execute("PRAGMA max_page_count = 100000").fetchall()
    create(bench)
    assert bench.rows("SELECT id, revision FROM definitions") == [("notes", 1)]


def test_every_commit_wakes_the_engine_and_a_replay_does_not(bench: Bench) -> None:
    def changed() -> bool:
        bench.turn()
        trigger = bench.last_pass()["trigger"]
        bench.store.connection.execute("DELETE FROM scheduler_last_pass")
        return bool(trigger == "wake")

    create(bench, intentId="intent-1")
    assert changed()
    update(bench)
    assert changed()
    delete(bench)
    assert changed()
    create(bench, intentId="intent-1")
    bench.turn()
    assert bench.rows("SELECT * FROM scheduler_last_pass") == []
