"""The versioned definition commands and unquarantine, as a client meets them on the socket."""

from __future__ import annotations

import itertools
import json
from typing import Any

import pytest

from tests.api.conftest import Served
from tests.api.wire import Reply
from tests.engine.conftest import START, definition

ROUTINE = "coven.automations."
MOVES = ("activate", "pause", "disable", "tombstone")
_keys = itertools.count(1)


def send(served: Served, name: str, key: str | None = None, **members: Any) -> Reply:
    """A definition command under a fresh key unless one is given."""
    return served.act(f"definition.{name}.v1", adoptionKey=key or f"adopt:wire:{next(_keys):04}", **members)


def create(served: Served, **changes: Any) -> Reply:
    reply = send(served, "create", definition=definition(**changes))
    assert reply.status == 200, reply.body
    return reply


def refusal(reply: Reply) -> tuple[int, str, int | None]:
    """Status, code and current revision, once the envelope is seen to be a typed refusal's."""
    assert list(reply.body) == ["ok", "accepted", "action", "status", "reason", "error"]
    assert (reply.body["ok"], reply.body["accepted"], reply.body["status"]) == (False, False, "rejected")
    error = reply.body["error"]
    assert error["httpStatus"] == reply.status
    assert error["message"] == reply.body["reason"]
    assert error["retryable"] is False
    return reply.status, error["code"], error.get("currentRevision")


def test_a_commit_stands_in_result_and_event(served: Served) -> None:
    reply = served.post(
        {
            "action": f" {ROUTINE}definition.create.v1 ",
            "adoptionKey": " adopt:wire:first ",
            "definition": definition(),
            "origin": " cave ",
            "intentId": "intent-1",
            "more": 1,
        }
    )
    assert reply.status == 200
    assert list(reply.body) == ["ok", "accepted", "action", "status", "result", "event"]
    assert (reply.body["action"], reply.body["status"]) == (f"{ROUTINE}definition.create.v1", "completed")
    result = reply.body["result"]
    assert list(result) == ["outcome", "revision", "result", "eventRef"]
    assert (result["outcome"], result["revision"]) == ("committed", 1)
    assert result["result"] == {"routine": served.payload("get", id="notes")["routine"], "revision": 1}
    assert result["eventRef"] == {"stream": "automation/notes", "sequence": 0}
    assert reply.body["event"] == {
        "kind": "automations.changed",
        "action": f"{ROUTINE}definition.create.v1",
        "origin": "cave",
        "intentId": "intent-1",
        "payload": result,
    }


def test_a_replay_has_the_result_and_no_event(served: Served) -> None:
    first = send(served, "create", "adopt:wire:replay", definition=definition())
    again = send(served, "create", "adopt:wire:replay", definition=definition(), origin="cave")
    assert again.status == 200
    assert list(again.body) == ["ok", "accepted", "action", "status", "result"]
    assert again.body["result"] == {
        **first.body["result"],
        "outcome": "replayed",
        "replay": {"firstCommittedAt": START},
    }


def test_a_mismatch_names_what_the_key_was_spent_on(served: Served) -> None:
    send(served, "create", "adopt:wire:mismatch", definition=definition())
    reply = send(served, "create", "adopt:wire:mismatch", definition=definition(name="Other"))
    assert refusal(reply) == (409, "ADOPTION_REPLAY_MISMATCH", None)
    assert list(reply.body["error"]) == ["code", "httpStatus", "message", "retryable", "details", "adoption"]
    assert reply.body["error"]["adoption"] == {"key": "adopt:wire:mismatch", "conflictOutcome": "committed"}
    assert reply.body["error"]["details"] == {
        "committedCommand": "definition.create.v1",
        "committedOutcome": "committed",
        "committedRevision": 1,
        "automationId": "notes",
    }
    # 1 and 1.0 are two requests
    raw = json.dumps({"action": f"{ROUTINE}definition.pause.v1", "adoptionKey": "adopt:wire:one", "id": "notes"})
    whole = raw[:-1] + ',"expectedRevision":1}'
    assert served.post(raw=whole.encode()).status == 200
    assert refusal(served.post(raw=whole.replace(":1}", ":1.0}").encode()))[1] == "ADOPTION_REPLAY_MISMATCH"


@pytest.mark.parametrize(
    ("name", "members", "inner"),
    [
        (
            "activate",
            {"reason": " why "},
            {"id": "notes", "status": "ACTIVE", "revision": 2, "reason": "why"},
        ),
        ("pause", {}, {"id": "notes", "status": "PAUSED", "revision": 2, "reason": None}),
        ("disable", {}, {"disabled": True, "id": "notes", "revision": 2, "reason": None}),
        ("tombstone", {"reason": None}, {"deleted": True, "id": "notes", "revision": 2}),
    ],
)
def test_the_moves(served: Served, name: str, members: dict[str, Any], inner: dict[str, Any]) -> None:
    create(served, status="PAUSED" if name == "activate" else "ACTIVE")
    reply = send(served, name, "adopt:wire:move", id=" notes ", expectedRevision=1, **members)
    assert reply.status == 200
    assert (reply.body["result"]["revision"], reply.body["result"]["result"]) == (2, inner)
    assert list(reply.body["result"]["result"]) == list(inner)
    assert reply.body["event"]["payload"] == reply.body["result"]
    again = send(served, name, "adopt:wire:move", id="notes", expectedRevision=1, **members)
    assert again.body["result"]["outcome"] == "replayed"
    other = send(served, name, "adopt:wire:move", id="notes", expectedRevision=2, **members)
    assert refusal(other) == (409, "ADOPTION_REPLAY_MISMATCH", None)


def test_revise(served: Served) -> None:
    create(served)
    reply = send(served, "revise", definition=definition(name="New", status="PAUSED"), expectedRevision=1)
    assert (reply.status, reply.body["result"]["revision"]) == (200, 2)
    assert reply.body["result"]["result"]["routine"] == served.payload("get", id="notes")["routine"]
    assert served.payload("get", id="notes")["routine"]["name"] == "New"
    stale = send(served, "revise", "adopt:wire:stale", definition=definition(), expectedRevision=1)
    assert refusal(stale) == (409, "REVISION_CONFLICT", 2)
    assert send(served, "revise", "adopt:wire:stale", definition=definition(), expectedRevision=1).body == stale.body
    assert refusal(send(served, "revise", definition=definition("none"), expectedRevision=1)) == (
        404,
        "NOT_FOUND",
        None,
    )


@pytest.mark.parametrize("name", MOVES)
def test_refusals_of_the_moves(served: Served, name: str) -> None:
    create(served, status="ACTIVE" if name == "activate" else "PAUSED")
    cases: list[tuple[dict[str, Any], tuple[int, str, int | None]]] = [
        ({}, (400, "VALIDATION_FAILED", None)),
        ({"id": "notes"}, (400, "VALIDATION_FAILED", None)),
        ({"id": "notes", "expectedRevision": "1"}, (400, "VALIDATION_FAILED", None)),
        ({"id": "nothing", "expectedRevision": 1}, (404, "NOT_FOUND", None)),
        ({"id": "notes", "expectedRevision": 2}, (409, "REVISION_CONFLICT", 1)),
    ]
    if name != "tombstone":
        cases.append(({"id": "notes", "expectedRevision": 1, "reason": ""}, (400, "VALIDATION_FAILED", None)))
    if name in ("activate", "pause"):
        cases.append(({"id": "notes", "expectedRevision": 1}, (422, "ILLEGAL_TRANSITION", 1)))
    for members, expected in cases:
        assert refusal(send(served, name, **members)) == expected
    send(served, "tombstone", id="notes", expectedRevision=1)
    assert refusal(send(served, name, id="notes", expectedRevision=2)) == (410, "GONE_TOMBSTONED", 2)


def test_refusals_of_create(served: Served) -> None:
    assert refusal(send(served, "create")) == (400, "VALIDATION_FAILED", None)
    assert refusal(send(served, "create", definition=definition(), expectedRevision=None))[1] == "VALIDATION_FAILED"
    assert refusal(send(served, "create", definition=definition(timezon="utc"))) == (400, "VALIDATION_FAILED", None)
    assert refusal(send(served, "create", definition=definition(status="DISABLED")))[1] == "ILLEGAL_TRANSITION"
    unsupported = send(served, "create", definition=definition(rrule="FREQ=HOURLY"))
    assert refusal(unsupported) == (422, "CAPABILITY_UNSUPPORTED", None)
    details = unsupported.body["error"]["details"]
    assert list(details) == ["contractProfile", "reason", "variant"]
    assert (details["contractProfile"], details["variant"]) == (
        "coven.automations.v1",
        "trigger.schedule.frequency.hourly",
    )
    create(served)
    assert refusal(send(served, "create", definition=definition())) == (409, "REVISION_CONFLICT", 1)
    send(served, "tombstone", id="notes", expectedRevision=1)
    assert refusal(send(served, "create", definition=definition())) == (410, "GONE_TOMBSTONED", 2)


def test_what_is_refused_and_what_is_advertised_are_one_profile(served: Served) -> None:
    [profile] = [
        entry["variantNegotiation"]
        for entry in served.get("/capabilities").body["capabilities"]
        if entry["id"] == "coven.automations"
    ]
    reasons = {refused["variant"]: refused["reason"] for refused in profile["refused"]}
    for changes, variant in (
        ({"misfire": "backfill"}, "misfire.backfill"),
        ({"outputTarget": "report.md"}, "outputTarget.atomic"),
        ({"trigger": {"variant": "webhook", "version": 1}}, "trigger.webhook"),
    ):
        error = send(served, "create", definition=definition(**changes)).body["error"]
        assert error["details"]["reason"] == reasons[variant]
        assert error["details"]["variant"] == variant


@pytest.mark.parametrize("name", ["create", "revise", *MOVES])
@pytest.mark.parametrize("key", [None, "", "short", 1])
def test_a_key_is_needed_and_a_bad_one_is_not_spent(served: Served, name: str, key: object) -> None:
    reply = served.act(f"definition.{name}.v1", adoptionKey=key, definition=definition(), id="notes")
    assert refusal(reply) == (400, "VALIDATION_FAILED", None)
    assert served.bench.rows("SELECT count(*) FROM adoptions") == [(0,)]


def test_nothing_that_was_sent_stands_in_the_refusal_of_a_body(served: Served) -> None:
    for changes in ({"name": "s3cret" * 99}, {"s3cret": 1}, {"rrule": "s3cret"}, {"timezone": "s3cret"}):
        reply = send(served, "create", definition=definition(**changes))
        assert refusal(reply)[1] == "VALIDATION_FAILED"
        assert "s3cret" not in json.dumps(reply.body)


def test_a_versioned_routine_is_not_for_unversioned_actions(served: Served) -> None:
    create(served)
    assert served.refused("update", definition=definition(name="Other")) == (400, None)
    assert served.payload("delete", id="notes") == {"deleted": False, "id": "notes"}
    assert served.payload("list")["routines"][0]["name"] == "Notes"


# --- unquarantine -----------------------------------------------------------------------------------------------------


def test_unquarantine(served: Served) -> None:
    create(served)
    assert served.payload("unquarantine", id=" notes ") == {"automationId": "notes", "released": False}
    served.bench.rows(
        f"INSERT INTO retry_state VALUES ('notes', 2, '{START}', 'runtime_unavailable', 'not found', '{START}')"
    )
    assert served.payload("health", id="notes")["health"]["quarantineReason"] == "not found"
    reply = served.act("unquarantine", id="notes")
    assert list(reply.body) == ["ok", "accepted", "action", "status", "event"]
    assert reply.body["event"]["kind"] == "automations.changed"
    assert reply.body["event"]["payload"] == {"automationId": "notes", "released": True}
    health = served.payload("health", id="notes")["health"]
    assert (health["quarantinedAt"], health["consecutiveExhaustions"], health["quarantineReason"]) == (None, 0, None)
    assert served.payload("unquarantine", id="notes")["released"] is False


@pytest.mark.parametrize("value", [None, 1, "", " ", ["notes"], "nothing"])
def test_unquarantine_needs_a_routine(served: Served, value: object) -> None:
    assert served.refused("unquarantine", id=value) == (400, None)
