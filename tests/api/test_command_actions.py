"""Envelopes and imports as a client meets them on the socket (contract/commands.md §7.3, contract/engine.md §12)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from coven_desktop.contract.errors import Refusal
from coven_desktop.engine.commands import versioned
from tests.api.conftest import Served
from tests.api.wire import Reply
from tests.conftest import LoggedWarnings
from tests.contract.rich_bodies import request, rich
from tests.engine.conftest import START, definition

ACTION = "coven.automations.command.v1"
HEAD = ["schemaVersion", "command", "adoptionKey"]


def send(served: Served, command: str, payload: object, key: str, expected: int | None = None, **changes: Any) -> Reply:
    return served.post(request(command, payload, key, expected, **changes))


def refusal(reply: Reply) -> tuple[int, str, int | None]:
    """Status, code and current revision, once both the error and the result are seen to tell of it."""
    assert list(reply.body) == ["ok", "accepted", "action", "status", "reason", "error", "result"]
    assert (reply.body["ok"], reply.body["accepted"], reply.body["status"]) == (False, False, "rejected")
    assert reply.body["action"] == ACTION
    error = reply.body["error"]
    assert (error["httpStatus"], error["message"], error["retryable"]) == (reply.status, reply.body["reason"], False)
    result = reply.body["result"]
    assert list(result) == [*HEAD, "outcome", "error"]
    assert (result["outcome"], result["error"]) == ("rejected", error)
    return reply.status, error["code"], error.get("currentRevision")


def test_a_commit(served: Served) -> None:
    reply = send(served, "definition.create.v1", {"definition": rich()}, "adopt:wire:create")
    assert reply.status == 200
    assert list(reply.body) == ["ok", "accepted", "action", "status", "result", "event"]
    assert (reply.body["action"], reply.body["status"]) == (ACTION, "completed")
    result = reply.body["result"]
    assert list(result) == [*HEAD, "outcome", "revision", "result", "eventRef"]
    assert [result[name] for name in HEAD] == ["coven.automations.v1", "definition.create.v1", "adopt:wire:create"]
    assert (result["outcome"], result["revision"]) == ("committed", 1)
    assert result["eventRef"] == {"stream": "automation/harbour-log", "sequence": 0}
    assert list(result["result"]) == ["routine", "revision", "definition"]
    assert result["result"]["definition"] == rich()
    event = reply.body["event"]
    assert list(event) == ["kind", "action", "origin", "intentId", "payload"]
    assert (event["kind"], event["action"]) == ("automations.changed", "coven.automations.definition.create.v1")
    assert (event["origin"], event["intentId"]) == ("cave", "correlation:17")
    # the event has what the action itself would answer
    assert event["payload"] == {name: result[name] for name in ("outcome", "revision", "result", "eventRef")}
    # and the definition is told as it stands
    got = served.payload("definition.get.v1", id="harbour-log")
    assert (got["definition"], got["revision"]) == (rich(), 1)


def test_a_replay(served: Served) -> None:
    first = send(served, "definition.create.v1", {"definition": rich()}, "adopt:wire:create")
    again = send(served, "definition.create.v1", {"definition": rich()}, "adopt:wire:create")
    assert again.status == 200
    assert list(again.body) == ["ok", "accepted", "action", "status", "result"]
    assert list(again.body["result"]) == [*HEAD, "outcome", "revision", "result", "eventRef", "replay"]
    assert again.body["result"] == {
        **first.body["result"],
        "outcome": "replayed",
        "replay": {"firstCommittedAt": START},
    }


def test_without_a_correlation_the_event_has_no_intent(served: Served) -> None:
    origin = {"principal": {"principalId": "someone"}, "channel": "sdk"}
    reply = send(served, "definition.create.v1", {"definition": rich()}, "adopt:wire:create", origin=origin)
    assert list(reply.body["event"]) == ["kind", "action", "origin", "payload"]


def test_a_key_replays_on_both_wires(served: Served) -> None:
    body = {"adoptionKey": "adopt:wire:pause", "id": "notes", "expectedRevision": 1}
    served.act("definition.create.v1", adoptionKey="adopt:wire:create", definition=definition())
    flat = served.act("definition.pause.v1", **body)
    there = send(served, "definition.pause.v1", {"automationId": "notes"}, "adopt:wire:pause", 1)
    assert (there.status, there.body["result"]["outcome"]) == (200, "replayed")
    assert there.body["result"]["result"] == flat.body["result"]["result"]
    other = {"automationId": "notes", "reason": "enough"}
    mismatch = send(served, "definition.pause.v1", other, "adopt:wire:pause", 1)
    assert refusal(mismatch) == (409, "ADOPTION_REPLAY_MISMATCH", None)
    assert mismatch.body["error"]["adoption"] == {"key": "adopt:wire:pause", "conflictOutcome": "committed"}
    send(served, "definition.activate.v1", {"automationId": "notes"}, "adopt:wire:activate", 2)
    again = served.act("definition.activate.v1", adoptionKey="adopt:wire:activate", id="notes", expectedRevision=2)
    assert again.body["result"]["outcome"] == "replayed"


def test_refusals(served: Served) -> None:
    send(served, "definition.create.v1", {"definition": rich()}, "adopt:wire:create")
    there = {"automationId": "harbour-log"}
    delivered = {"definition": rich({"policies.delivery": {}})}
    cases: list[tuple[str, dict[str, Any], int | None, tuple[int, str, int | None]]] = [
        ("definition.create.v1", {"definition": rich()}, None, (409, "REVISION_CONFLICT", 1)),
        ("definition.create.v1", delivered, None, (422, "CAPABILITY_UNSUPPORTED", None)),
        ("definition.create.v1", {"definition": rich(revision=2)}, None, (400, "VALIDATION_FAILED", None)),
        ("definition.revise.v1", {"definition": rich(revision=2)}, 1, (422, "ILLEGAL_TRANSITION", 1)),
        ("definition.activate.v1", there, 1, (422, "ILLEGAL_TRANSITION", 1)),
        ("definition.activate.v1", {"automationId": "nobody"}, 1, (404, "NOT_FOUND", None)),
        ("definition.tombstone.v1", {**there, "reason": "over"}, 1, (422, "CAPABILITY_UNSUPPORTED", None)),
        ("definition.list.v1", {"limit": 5}, None, (422, "CAPABILITY_UNSUPPORTED", None)),
        ("definition.health.v1", {"automationId": "nobody"}, None, (404, "NOT_FOUND", None)),
        ("run.cancel.v1", {"runId": "run-1"}, None, (422, "CAPABILITY_UNSUPPORTED", None)),
        (
            "attempt.retry.v1",
            {"runId": "run-1", "priorAttemptNumber": 1, "priorDisposition": "failed"},
            None,
            (422, "CAPABILITY_UNSUPPORTED", None),
        ),
    ]
    for number, (command, payload, expected, told) in enumerate(cases):
        reply = send(served, command, payload, f"adopt:wire:{number:04}", expected)
        assert refusal(reply) == told, command
        assert [reply.body["result"][name] for name in HEAD[1:]] == [command, f"adopt:wire:{number:04}"]
        assert send(served, command, payload, f"adopt:wire:{number:04}", expected).body == reply.body
    details = send(served, "definition.create.v1", delivered, "adopt:wire:0001").body["error"]["details"]
    assert list(details) == ["contractProfile", "reason", "variant"]
    assert details["variant"] == "outputTarget.atomic"
    send(served, "definition.tombstone.v1", there, "adopt:wire:gone", 1)
    assert refusal(send(served, "definition.pause.v1", there, "adopt:wire:late", 2)) == (410, "GONE_TOMBSTONED", 2)


def test_what_is_no_envelope_has_no_result(served: Served) -> None:
    whole = request("definition.get.v1", {"automationId": "notes"}, "adopt:wire:read")
    broken = rich()
    broken["integrity"]["value"] = "0" * 64
    for body in (
        {"action": ACTION},
        {**whole, "origin": "cave"},
        {**whole, "intentId": None},
        {**whole, "envelope": []},
        {**whole, "envelope": {**whole["envelope"], "schemaVersion": "coven.automations.v2"}},
        {**whole, "envelope": {**whole["envelope"], "command": "definition.get"}},
        {**whole, "envelope": {**whole["envelope"], "expectedRevision": 1}},
        request("definition.create.v1", {"definition": broken}, "adopt:wire:create"),
    ):
        reply = served.post(body)
        assert reply.status == 400
        assert list(reply.body) == ["ok", "accepted", "action", "status", "reason", "error"]
        assert reply.body["error"]["code"] == "VALIDATION_FAILED"
    assert served.bench.rows("SELECT * FROM adoptions") == []


def test_white_space_around_the_action_does_not_count(served: Served) -> None:
    body = request("definition.get.v1", {"automationId": "notes"}, "adopt:wire:read")
    reply = served.post({**body, "action": f" {ACTION}\n"})
    assert (reply.status, reply.body["action"]) == (200, ACTION)


def test_numbers_are_taken_as_they_are_written(served: Served) -> None:
    raw = json.dumps(request("definition.pause.v1", {"automationId": "notes"}, "adopt:wire:one", 1))
    assert served.post(raw=raw.replace('"expectedRevision": 1', '"expectedRevision": 1.0').encode()).status == 400
    assert refusal(served.post(raw=raw.encode())) == (404, "NOT_FOUND", None)


def test_reads(served: Served) -> None:
    served.create()
    reply = send(served, "definition.list.v1", {"lifecycleState": "all"}, "adopt:wire:read")
    assert list(reply.body["result"]) == [*HEAD, "outcome", "result"]
    assert reply.body["result"]["outcome"] == "committed"
    assert reply.body["result"]["result"] == reply.body["event"]["payload"]
    assert reply.body["result"]["result"] == served.payload("definition.list.v1", includeTombstoned=True)
    assert reply.body["event"]["action"] == "coven.automations.definition.list.v1"
    page = send(served, "events.read.v1", {"stream": {"kind": "feed", "id": "all"}}, "adopt:wire:read")
    assert list(page.body) == ["ok", "accepted", "action", "status", "result"]
    assert [event["kind"] for event in page.body["result"]["result"]["events"]] == ["definition.created"]
    onward = {"stream": {"kind": "feed", "id": "all"}, "checkpoint": page.body["result"]["result"]["checkpoint"]}
    assert send(served, "events.subscribe.v1", onward, "adopt:wire:read").body["result"]["result"]["events"] == []
    assert served.bench.value("SELECT count(*) FROM adoptions WHERE adoption_key = 'adopt:wire:read'") == 0


def test_a_fault_of_the_store_is_told_in_the_envelope(served: Served, logged: LoggedWarnings) -> None:
    logged.expect("The store refused")
    served.bench.store.connection.execute("PRAGMA busy_timeout = 0").fetchall()
    other = served.bench.lock()
    reply = send(served, "definition.create.v1", {"definition": rich()}, "adopt:wire:create")
    other.close()
    assert (reply.status, reply.body["error"]["code"], reply.body["error"]["retryable"]) == (503, "STORE_BUSY", True)
    assert reply.body["result"]["error"] == reply.body["error"]
    assert send(served, "definition.create.v1", {"definition": rich()}, "adopt:wire:create").status == 200


def test_a_mistake_is_told_in_the_envelope(
    served: Served, logged: LoggedWarnings, monkeypatch: pytest.MonkeyPatch
) -> None:
    logged.expect("command.v1 failed")

    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("something within")

    monkeypatch.setattr(versioned, "pause", broken)
    reply = send(served, "definition.pause.v1", {"automationId": "notes"}, "adopt:wire:pause", 1)
    assert refusal(reply) == (500, "INTERNAL", None)
    assert "something within" not in json.dumps(reply.body)


def test_a_refusal_without_a_code_has_one_in_an_envelope(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuses(*_: object, **__: object) -> None:
        raise Refusal("for a reason of its own")

    monkeypatch.setattr(versioned, "pause", refuses)
    reply = send(served, "definition.pause.v1", {"automationId": "notes"}, "adopt:wire:pause", 1)
    assert refusal(reply) == (500, "INTERNAL", None)
    assert reply.body["reason"] == "for a reason of its own"


def test_a_draft_that_was_never_released_does_not_run(served: Served) -> None:
    send(served, "definition.create.v1", {"definition": rich()}, "adopt:wire:create")
    assert served.refused("run", id="harbour-log") == (400, None)
    now = {"action": "coven.automations.occurrence.runNow.v1", "automationId": "harbour-log"}
    reply = served.post({**now, "adoptionKey": "adopt:wire:now"})
    assert (reply.status, reply.body["error"]["code"]) == (422, "ILLEGAL_TRANSITION")
    assert served.payload("list")["routines"][0]["status"] == "PAUSED"


# --- imports ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def tide(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An automation of Codex, and one that is none."""
    monkeypatch.setenv("HOME", str(tmp_path / "person"))
    monkeypatch.setenv("TZ", "Europe/Lisbon")
    root = tmp_path / "person" / ".codex" / "automations"
    for name, text in (("tide", 'rrule = "FREQ=DAILY"\nprompt = "Read."'), ("wrong", "id = 7")):
        (root / name).mkdir(parents=True)
        (root / name / "automation.toml").write_text(text)
    return root


def test_an_unversioned_import(served: Served, tide: Path) -> None:
    failures = [f"{tide}/wrong: could not parse automation.toml: id must be a string"]
    reply = served.act("import", origin="cave", intentId="intent-1", more=1)
    assert list(reply.body) == ["ok", "accepted", "action", "status", "event"]
    assert reply.body["event"] == {
        "kind": "automations.changed",
        "action": "coven.automations.import",
        "origin": "cave",
        "intentId": "intent-1",
        "payload": {"imported": ["tide"], "skipped": [], "failures": failures},
    }
    again = {"imported": [], "skipped": ["tide: already exists"], "failures": failures}
    assert served.payload("import", intentId="intent-1") == again


def test_a_versioned_import(served: Served, tide: Path) -> None:
    asked = {"adoptionKey": " adopt:wire:import ", "source": "codex-automation-toml"}
    reply = served.act("legacy.import.v1", **asked, dryRun=True, more=1)
    assert list(reply.body) == ["ok", "accepted", "action", "status", "result", "event"]
    result = reply.body["result"]
    assert list(result) == ["outcome", "revision", "result"]
    assert (result["outcome"], result["revision"]) == ("committed", None)
    assert list(result["result"]) == ["source", "dryRun", "imported", "skipped", "failures"]
    assert (result["result"]["dryRun"], result["result"]["imported"]) == (True, ["tide"])
    assert reply.body["event"]["payload"] == result
    assert served.payload("list")["routines"] == []
    again = served.act("legacy.import.v1", **asked, dryRun=True)
    assert list(again.body) == ["ok", "accepted", "action", "status", "result"]
    assert again.body["result"]["outcome"] == "replayed"
    assert served.refused("legacy.import.v1", **asked) == (409, "ADOPTION_REPLAY_MISMATCH")
    wrong: tuple[dict[str, Any], ...] = ({"source": "cron"}, {"dryRun": "yes"}, {"expectedRevision": 1})
    for number, changes in enumerate(wrong):
        body: dict[str, Any] = {**asked, "adoptionKey": f"adopt:wire:{number:04}", **changes}
        for _ in range(2):
            assert served.refused("legacy.import.v1", **body) == (400, "VALIDATION_FAILED")


def test_an_import_in_an_envelope(served: Served, tide: Path) -> None:
    reply = send(served, "legacy.import.v1", {"source": "codex-automation-toml"}, "adopt:wire:import")
    assert list(reply.body["result"]) == [*HEAD, "outcome", "result"]
    assert reply.body["result"]["result"]["imported"] == ["tide"]
    assert reply.body["event"]["action"] == "coven.automations.legacy.import.v1"
    flat = served.act("legacy.import.v1", adoptionKey="adopt:wire:import", source="codex-automation-toml")
    assert flat.body["result"]["outcome"] == "replayed"
    assert served.payload("definition.get.v1", id="tide")["routine"]["status"] == "PAUSED"
