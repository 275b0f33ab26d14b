"""The command envelope: closed, each member in its grammar, what is optional absent and never null."""

from __future__ import annotations

from typing import Any

import pytest

from coven_desktop.contract.envelope import PAYLOADS, parse
from coven_desktop.contract.shapes import ShapeError
from tests.contract.rich_bodies import GONE, request, rich

KEY = "adopt:harbour:1"
STREAM = {"kind": "feed", "id": "all"}
WHOLE: dict[str, dict[str, Any]] = {
    "definition.create.v1": {"definition": rich()},
    "definition.revise.v1": {"definition": rich()},
    "definition.activate.v1": {"automationId": "harbour-log", "reason": "r" * 500},
    "definition.pause.v1": {"automationId": "harbour-log", "reason": ""},
    "definition.disable.v1": {"automationId": "harbour-log"},
    "definition.tombstone.v1": {"automationId": "harbour-log", "reason": "over"},
    "definition.list.v1": {"lifecycleState": "tombstoned", "limit": 100, "cursor": "c" * 256},
    "definition.get.v1": {"automationId": "harbour-log", "revision": 3},
    "definition.health.v1": {"automationId": "harbour-log"},
    "run.history.v1": {"automationId": "harbour-log", "occurrenceId": "o" * 160, "limit": 1, "cursor": ""},
    "events.read.v1": {"stream": STREAM, "after": 0, "limit": 1000, "from": "2027-01-01T00:00:00Z"},
    "events.subscribe.v1": {"stream": {"kind": "run", "id": "r" * 320}, "after": 2**53 - 1, "checkpoint": "c" * 512},
    "legacy.import.v1": {"source": "codex-automation-toml", "dryRun": True},
    "run.cancel.v1": {"runId": "run-1", "reason": "enough"},
    "occurrence.runNow.v1": {"automationId": "harbour-log", "note": "n" * 500, "bypassEligibility": False},
    "occurrence.cancel.v1": {"occurrenceId": "occ-1", "reason": "enough"},
    "attempt.cancel.v1": {"attemptId": "attempt-1", "reason": "enough"},
    "attempt.retry.v1": {"runId": "run-1", "priorAttemptNumber": 1, "priorDisposition": "failed", "note": ""},
    "occurrence.recover.v1": {
        "occurrenceId": "occ-1",
        "evidenceDetermination": "failed_deterministic",
        "statement": "s" * 1000,
    },
}
OPTIONAL = {
    *("reason", "lifecycleState", "limit", "cursor", "revision", "after", "from", "checkpoint"),
    *("dryRun", "note", "bypassEligibility", "statement"),
}
EXPECTING = {f"definition.{move}.v1" for move in ("revise", "activate", "pause", "disable", "tombstone")}


def whole(command: str, /, payload: object = None, **changes: Any) -> dict[str, Any]:
    """A valid request of a command, but for the changes."""
    expected = 7 if command in EXPECTING else None
    return request(command, WHOLE[command] if payload is None else payload, KEY, expected, **changes)


def fault(body: dict[str, Any]) -> str:
    with pytest.raises(ShapeError) as caught:
        parse(body)
    return caught.value.place


def test_there_are_nineteen_commands() -> None:
    assert len(PAYLOADS) == 19
    assert PAYLOADS.keys() == WHOLE.keys()


@pytest.mark.parametrize("command", WHOLE)
def test_a_whole_one_is_read(command: str) -> None:
    found = parse(whole(command))
    assert found.head == {"schemaVersion": "coven.automations.v1", "command": command, "adoptionKey": KEY}
    assert (found.command, found.adoption_key, found.payload) == (command, KEY, WHOLE[command])
    assert found.expected_revision == (7 if command in EXPECTING else None)
    assert (found.channel, found.correlation_id) == ("cave", "correlation:17")


@pytest.mark.parametrize("command", WHOLE)
def test_payloads_are_closed_and_nothing_in_them_is_null(command: str) -> None:
    payload = WHOLE[command]
    assert fault(whole(command, {**payload, "more": 1})) == "request.envelope.payload"
    for name in payload:
        assert fault(whole(command, {**payload, name: None})).startswith(f"request.envelope.payload.{name}")
        without = {kept: value for kept, value in payload.items() if kept != name}
        if name in OPTIONAL or (command, name) == ("run.history.v1", "occurrenceId"):
            parse(whole(command, without))
        else:
            assert fault(whole(command, without)) == f"request.envelope.payload.{name}"
    others: tuple[object, ...] = ([], "text", 1, True)
    for other in others:
        assert fault(whole(command, other)) == "request.envelope.payload"


@pytest.mark.parametrize("command", WHOLE)
def test_who_needs_an_expected_revision_and_who_must_not_have_one(command: str) -> None:
    changes: dict[str, Any] = {"expectedRevision": GONE if command in EXPECTING else 7}
    assert fault(whole(command, **changes)) == "request.envelope.expectedRevision"


@pytest.mark.parametrize(
    ("command", "changes"),
    [
        ("definition.activate.v1", {"automationId": "a b"}),
        ("definition.activate.v1", {"automationId": "a" * 97}),
        ("definition.activate.v1", {"reason": "r" * 501}),
        ("definition.list.v1", {"lifecycleState": "ALL"}),
        ("definition.list.v1", {"limit": 0}),
        ("definition.list.v1", {"limit": 101}),
        ("definition.list.v1", {"cursor": "c" * 257}),
        ("definition.get.v1", {"revision": 0}),
        ("run.history.v1", {"occurrenceId": "o" * 161}),
        ("run.history.v1", {"limit": 101}),
        ("run.history.v1", {"cursor": "c" * 257}),
        ("events.read.v1", {"stream": {"kind": "stream", "id": "all"}}),
        ("events.read.v1", {"stream": {"kind": "feed", "id": ""}}),
        ("events.read.v1", {"stream": {"kind": "feed", "id": "i" * 321}}),
        ("events.read.v1", {"stream": {"kind": "feed", "id": "all", "more": 1}}),
        ("events.read.v1", {"after": -1}),
        ("events.read.v1", {"after": 2**53}),
        ("events.read.v1", {"limit": 1001}),
        ("events.read.v1", {"from": "2027-01-01"}),
        ("events.subscribe.v1", {"checkpoint": ""}),
        ("events.subscribe.v1", {"checkpoint": "c" * 513}),
        ("events.subscribe.v1", {"limit": 10}),
        ("legacy.import.v1", {"source": "cron"}),
        ("legacy.import.v1", {"dryRun": 1}),
        ("occurrence.runNow.v1", {"note": "n" * 501}),
        ("occurrence.runNow.v1", {"bypassEligibility": "no"}),
        ("attempt.retry.v1", {"priorAttemptNumber": 0}),
        ("attempt.retry.v1", {"priorDisposition": "succeeded"}),
        ("occurrence.recover.v1", {"evidenceDetermination": "succeeded"}),
        ("occurrence.recover.v1", {"statement": ""}),
        ("occurrence.recover.v1", {"statement": "s" * 1001}),
    ],
)
def test_limits_and_grammars_of_payloads(command: str, changes: dict[str, Any]) -> None:
    assert fault(whole(command, {**WHOLE[command], **changes})).startswith("request.envelope.payload")


@pytest.mark.parametrize(
    ("changes", "place"),
    [
        *(
            ({name: GONE}, f".{name}")
            for name in ("schemaVersion", "command", "adoptionKey", "origin", "intent", "payload")
        ),
        ({"more": None}, ""),
        ({"expectedRevision": None}, ".expectedRevision"),
        ({"expectedRevision": 0}, ".expectedRevision"),
        ({"expectedRevision": 1.0}, ".expectedRevision"),
        ({"schemaVersion": "coven.automations.v2"}, ".schemaVersion"),
        ({"command": "definition.pause"}, ".command"),
        ({"command": "coven.automations.definition.pause.v1"}, ".command"),
        ({"command": 1}, ".command"),
        ({"adoptionKey": " adopt:harbour:1"}, ".adoptionKey"),
        ({"adoptionKey": "a" * 7}, ".adoptionKey"),
        ({"adoptionKey": "a" * 201}, ".adoptionKey"),
        ({"origin": None}, ".origin"),
        ({"origin": {"channel": "sdk"}}, ".origin.principal"),
        ({"origin": {"principal": {"principalId": "p"}}}, ".origin.channel"),
        ({"origin": {"principal": {"principalId": "p"}, "channel": "tcp"}}, ".origin.channel"),
        ({"origin": {"principal": {"principalId": "p q"}, "channel": "sdk"}}, ".origin.principal.principalId"),
        (
            {"origin": {"principal": {"principalId": "p", "displayName": "d" * 161}, "channel": "sdk"}},
            ".origin.principal.displayName",
        ),
        (
            {"origin": {"principal": {"principalId": "p", "role": "owner"}, "channel": "sdk"}},
            ".origin.principal",
        ),
        (
            {"origin": {"principal": {"principalId": "p"}, "channel": "sdk", "authenticationClass": "a" * 65}},
            ".origin.authenticationClass",
        ),
        (
            {"origin": {"principal": {"principalId": "p"}, "channel": "sdk", "requestedAt": "now"}},
            ".origin.requestedAt",
        ),
        (
            {"origin": {"principal": {"principalId": "p"}, "channel": "sdk", "correlationId": "-"}},
            ".origin.correlationId",
        ),
        ({"origin": {"principal": {"principalId": "p"}, "channel": "sdk", "more": 1}}, ".origin"),
        ({"intent": {}}, ".intent.statement"),
        ({"intent": {"statement": ""}}, ".intent.statement"),
        ({"intent": {"statement": "s" * 1001}}, ".intent.statement"),
        ({"intent": {"statement": "s", "more": 1}}, ".intent"),
    ],
)
def test_the_envelope_is_closed(changes: dict[str, Any], place: str) -> None:
    assert fault(whole("definition.pause.v1", **changes)) == f"request.envelope{place}"


def test_the_least_of_an_origin() -> None:
    found = parse(
        whole("definition.health.v1", origin={"principal": {"principalId": "p"}, "channel": "daemon-ipc"}),
    )
    assert (found.channel, found.correlation_id) == ("daemon-ipc", None)


@pytest.mark.parametrize("extra", [{"origin": "cave"}, {"intentId": "intent-1"}, {"expectedRevision": 7}])
def test_beside_the_envelope_stands_only_the_action(extra: dict[str, Any]) -> None:
    assert fault({**whole("definition.pause.v1"), **extra}) == "request"


@pytest.mark.parametrize("value", [None, [], "text"])
def test_an_envelope_is_an_object(value: object) -> None:
    body = whole("definition.pause.v1")
    assert fault({**body, "envelope": value}) == "request.envelope"
    del body["envelope"]
    assert fault(body) == "request.envelope"


def test_a_definition_must_have_its_digest() -> None:
    broken = rich()
    broken["integrity"]["value"] = "0" * 64
    assert fault(whole("definition.create.v1", {"definition": broken})).endswith(".definition.integrity.value")
