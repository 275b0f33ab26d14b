"""Commands in an envelope: which are carried out, by what, and how they are answered (commands.md §7.1 to §7.3)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from coven_desktop.contract.errors import Code
from coven_desktop.engine.answers import Asked, InEnvelope
from coven_desktop.engine.commands import envelope, reading
from coven_desktop.store.errors import StoreFault
from tests.contract.rich_bodies import request, rich
from tests.engine import definition_bodies as flat
from tests.engine.conftest import HOUR, SECOND, START, Bench, refused
from tests.engine.envelopes import ROUTINE, create, everything, move, refusal, revise, send, told

MOVES = ("activate", "pause", "disable", "tombstone")


def body_of(name: str, key: str, **members: Any) -> dict[str, Any]:
    """The flat request of a move of `notes` at revision 1."""
    return {"adoptionKey": key, "id": "notes", "expectedRevision": 1, **members}


def prepared(bench: Bench, name: str) -> None:
    """The routine `notes`, in a state that the move leaves."""
    flat.authored(bench, "create", status="PAUSED" if name == "activate" else "ACTIVE")


# --- what is no envelope ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "body",
    [
        {"action": "coven.automations.command.v1"},
        {"action": "coven.automations.command.v1", "envelope": {}},
        {**request("definition.get.v1", {"automationId": "notes"}, "adopt:test:key"), "origin": "cave"},
        request("definition.get.v1", {"automationId": "notes", "more": 1}, "adopt:test:key"),
        request("definition.create.v1", {"definition": {}}, "adopt:test:key"),
        request("definition.pause.v1", {"automationId": "notes", "reason": None}, "adopt:test:key", 1),
        request("definition.pause.v1", {"automationId": "notes"}, "adopt:test:key"),
        request("definition.pause.v1", {"automationId": "notes"}, " adopt:test:key", 1),
        request("definition.pause", {"automationId": "notes"}, "adopt:test:key", 1),
    ],
)
def test_what_is_no_envelope_is_not_adopted(bench: Bench, body: dict[str, Any]) -> None:
    before = everything(bench)
    found = refused(lambda: envelope.command(bench.engine, body))
    assert found.code == Code.VALIDATION_FAILED
    assert found.reason.startswith("request")
    assert everything(bench) == before


def test_a_definition_with_another_digest_is_not_adopted(bench: Bench) -> None:
    broken = rich()
    broken["integrity"]["value"] = "0" * 64
    body = request("definition.create.v1", {"definition": broken}, "adopt:test:key")
    assert refused(lambda: envelope.command(bench.engine, body)).code == Code.VALIDATION_FAILED
    assert bench.rows("SELECT * FROM adoptions") == []
    # so the key is free for the one that has its digest
    create(bench, key="adopt:test:key")


# --- what an envelope cannot carry ------------------------------------------------------------------------------------

NOT_CARRIED: tuple[tuple[str, dict[str, Any], int | None], ...] = (
    ("run.cancel.v1", {"runId": "run-1"}, None),
    ("occurrence.runNow.v1", {"automationId": "notes"}, None),
    ("occurrence.cancel.v1", {"occurrenceId": "occ-1"}, None),
    ("attempt.cancel.v1", {"attemptId": "attempt-1"}, None),
    ("attempt.retry.v1", {"runId": "run-1", "priorAttemptNumber": 1, "priorDisposition": "failed"}, None),
    (
        "occurrence.recover.v1",
        {"occurrenceId": "occ-1", "evidenceDetermination": "failed_deterministic"},
        None,
    ),
    ("definition.tombstone.v1", {"automationId": "notes", "reason": "over"}, 1),
    ("definition.list.v1", {"limit": 5}, None),
    ("definition.list.v1", {"cursor": ""}, None),
    *(
        ("definition.list.v1", {"lifecycleState": state}, None)
        for state in ("draft", "paused", "active", "disabled", "invalid", "tombstoned")
    ),
    ("definition.list.v1", {"lifecycleState": "all", "limit": 5}, None),
    ("definition.get.v1", {"automationId": "notes", "revision": 1}, None),
)


@pytest.mark.parametrize(("command", "payload", "expected"), NOT_CARRIED)
def test_what_an_envelope_cannot_carry_writes_nothing(
    bench: Bench, command: str, payload: dict[str, Any], expected: int | None
) -> None:
    bench.create()
    before = everything(bench)
    for _ in range(2):  # it is no replay the second time
        found = refusal(bench, command, payload, expected, key="adopt:test:key")
        assert found.code == Code.CAPABILITY_UNSUPPORTED
        assert command in found.reason
    assert everything(bench) == before


def test_nor_does_it_matter_that_the_key_is_spent(bench: Bench) -> None:
    flat.authored(bench, "create")
    flat.send(bench, "pause", body_of("pause", "adopt:test:spent"))
    found = refusal(bench, "run.cancel.v1", {"runId": "run-1"}, key="adopt:test:spent")
    assert found.code == Code.CAPABILITY_UNSUPPORTED


# --- the same action by another wire ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", MOVES)
@pytest.mark.parametrize("reason", [None, "enough "])
def test_a_move_in_an_envelope_is_the_flat_action(bench: Bench, name: str, reason: str | None) -> None:
    prepared(bench, name)
    with_reason = {} if reason is None or name == "tombstone" else {"reason": reason}
    answer = send(bench, f"definition.{name}.v1", {"automationId": "notes", **with_reason}, 1, key="adopt:test:there")
    assert told(answer) == {
        "schemaVersion": "coven.automations.v1",
        "command": f"definition.{name}.v1",
        "adoptionKey": "adopt:test:there",
        **answer.payload,
    }
    assert list(told(answer))[3:] == ["outcome", "revision", "result", "eventRef"]
    # the event is that of the flat action
    assert answer.payload["outcome"] == "committed"
    assert (answer.kind, answer.in_event) == ("automations.changed", True)
    assert answer.asked == Asked(f"coven.automations.definition.{name}.v1", "cave", "correlation:17")
    # its key replays on the other wire, and back
    again = flat.send(bench, name, body_of(name, "adopt:test:there", **with_reason))
    assert again.payload == {
        **answer.payload,
        "outcome": "replayed",
        "replay": {"firstCommittedAt": START},
    }
    back = send(bench, f"definition.{name}.v1", {"automationId": "notes", **with_reason}, 1, key="adopt:test:there")
    assert back.in_event is False
    assert list(told(back))[3:] == ["outcome", "revision", "result", "eventRef", "replay"]
    assert told(back)["replay"] == {"firstCommittedAt": START}


@pytest.mark.parametrize("name", MOVES)
def test_a_flat_key_replays_in_an_envelope_refusals_too(bench: Bench, name: str) -> None:
    prepared(bench, name)
    stale = refused(lambda: flat.send(bench, name, {**body_of(name, "adopt:test:stale"), "expectedRevision": 3}))
    first = flat.send(bench, name, body_of(name, "adopt:test:flat"))
    bench.clock.advance(SECOND)
    payload = {"automationId": "notes"}
    command = f"definition.{name}.v1"
    assert told(send(bench, command, payload, 1, key="adopt:test:flat"))["result"] == first.payload["result"]
    assert refusal(bench, command, payload, 3, key="adopt:test:stale").to_wire() == stale.to_wire()
    other = refusal(bench, command, payload, 2, key="adopt:test:flat")
    assert other.code == Code.ADOPTION_REPLAY_MISMATCH


def test_another_origin_and_another_intent_make_no_other_request(bench: Bench) -> None:
    first = told(create(bench, key="adopt:test:key"))
    again = create(
        bench,
        key="adopt:test:key",
        origin={"principal": {"principalId": "someone.else"}, "channel": "cli"},
        intent={"statement": "For another reason."},
    )
    assert told(again)["outcome"] == "replayed"
    assert told(again)["result"] == first["result"]


def test_refusals_of_the_action_are_those_of_the_envelope(bench: Bench) -> None:
    flat.authored(bench, "create", status="PAUSED")
    payload = {"automationId": "notes"}
    conflict = refusal(bench, "definition.activate.v1", payload, 3, key="adopt:test:3")
    assert (conflict.code, conflict.current_revision) == (Code.REVISION_CONFLICT, 1)
    missing = refusal(bench, "definition.activate.v1", {"automationId": "nobody"}, 1)
    assert (missing.code, missing.current_revision) == (Code.NOT_FOUND, None)
    assert refusal(bench, "definition.pause.v1", payload, 1).code == Code.ILLEGAL_TRANSITION
    # adopted under their keys
    move_body = {"adoptionKey": "adopt:test:3", "id": "notes", "expectedRevision": 3}
    assert refused(lambda: flat.send(bench, "activate", move_body)).to_wire() == conflict.to_wire()


@pytest.mark.parametrize("reason", ["", "  ", "ä" * 251])
def test_a_reason_that_the_action_refuses_is_refused_under_the_key(bench: Bench, reason: str) -> None:
    flat.authored(bench, "create")
    payload = {"automationId": "notes", "reason": reason}
    found = refusal(bench, "definition.pause.v1", payload, 1, key="adopt:test:key")
    assert found.code == Code.VALIDATION_FAILED
    assert bench.rows("SELECT outcome FROM adoptions WHERE adoption_key = 'adopt:test:key'") == [("rejected",)]


def test_without_a_correlation_there_is_no_intent(bench: Bench) -> None:
    origin = {"principal": {"principalId": "someone"}, "channel": "sdk"}
    assert create(bench, origin=origin).asked == Asked("coven.automations.definition.create.v1", "sdk", None)


# --- reads ------------------------------------------------------------------------------------------------------------


def test_reads_are_fresh_and_their_key_is_not_spent(bench: Bench) -> None:
    bench.create(status="PAUSED")
    before = everything(bench)
    first = send(bench, "definition.get.v1", {"automationId": "notes"}, key="adopt:test:read")
    assert everything(bench) == before
    flat.moved(bench, "activate")
    second = send(bench, "definition.get.v1", {"automationId": "notes"}, key="adopt:test:read")
    assert (told(first)["result"]["revision"], told(second)["result"]["revision"]) == (1, 2)
    for answer in (first, second):
        assert list(told(answer)) == ["schemaVersion", "command", "adoptionKey", "outcome", "result"]
        assert (told(answer)["adoptionKey"], told(answer)["outcome"]) == ("adopt:test:read", "committed")
        assert (answer.in_event, answer.asked) == (
            True,
            Asked("coven.automations.definition.get.v1", "cave", "correlation:17"),
        )
    # nor does it matter what the key was spent on
    create(bench, key="adopt:test:read")
    assert told(send(bench, "definition.get.v1", {"automationId": "notes"}, key="adopt:test:read"))["outcome"] == (
        "committed"
    )


def read(bench: Bench, command: str, payload: dict[str, Any]) -> Any:
    answer = send(bench, command, payload)
    assert told(answer)["result"] == answer.payload
    return answer.payload


def test_what_the_reads_tell(bench: Bench) -> None:
    create(bench)
    bench.create()
    move(bench, "tombstone", 1)
    engine = bench.engine
    assert read(bench, "definition.list.v1", {}) == reading.list_definitions(engine, {}).payload
    everything_told = read(bench, "definition.list.v1", {"lifecycleState": "all"})
    assert everything_told == reading.list_definitions(engine, {"includeTombstoned": True}).payload
    assert everything_told["tombstonedAtById"] == {ROUTINE: START}
    assert read(bench, "definition.get.v1", {"automationId": ROUTINE})["definition"]["revision"] == 2
    assert read(bench, "definition.get.v1", {"automationId": "nobody"}) == {"routine": None}
    assert read(bench, "definition.health.v1", {"automationId": "notes"})["health"]["automationId"] == "notes"
    page = read(bench, "run.history.v1", {"automationId": "notes", "limit": 1})
    assert page == reading.run_history(engine, {"automationId": "notes", "limit": 1}).payload


def plain(payload: Any) -> Any:
    """A payload as a client reads it: pages are handed on as the JSON they are stored as."""
    return msgspec.json.decode(msgspec.json.encode(payload))


def test_events_are_read_and_subscribed_to(bench: Bench) -> None:
    create(bench)
    bench.create()
    stream = {"kind": "feed", "id": "all"}
    first = send(bench, "events.read.v1", {"stream": stream, "limit": 1})
    assert first.in_event is False
    page = plain(told(first)["result"])
    assert [event["kind"] for event in page["events"]] == ["definition.created"]
    onward = plain(read(bench, "events.subscribe.v1", {"stream": stream, "checkpoint": page["checkpoint"]}))
    assert [event["automationId"] for event in onward["events"]] == ["notes"]
    # what only both members together make wrong is for the action to say
    both = {"stream": stream, "after": 0, "from": START}
    assert refusal(bench, "events.read.v1", both).code == Code.VALIDATION_FAILED
    unknown = {"stream": stream, "checkpoint": "ecp" + "0" * 32}
    assert refusal(bench, "events.subscribe.v1", unknown).code == Code.NOT_FOUND


def test_refusals_of_reads(bench: Bench) -> None:
    create(bench)
    move(bench, "tombstone", 1)
    assert refusal(bench, "definition.health.v1", {"automationId": ROUTINE}).code == Code.GONE_TOMBSTONED
    assert refusal(bench, "definition.health.v1", {"automationId": "nobody"}).code == Code.NOT_FOUND
    assert bench.rows("SELECT count(*) FROM adoptions") == [(2,)]


# --- wakes, faults ----------------------------------------------------------------------------------------------------


def test_nothing_in_an_envelope_wakes_the_scheduler(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    woken: list[str] = []
    monkeypatch.setattr(bench.engine, "wake", lambda: woken.append("wake"))
    create(bench)
    revise(bench, 1)
    move(bench, "activate", 2)
    move(bench, "pause", 3)
    move(bench, "disable", 4)
    move(bench, "tombstone", 5)
    assert woken == []
    flat.authored(bench, "create")
    assert woken == ["wake"]


def test_but_what_was_activated_starts_when_it_is_due(bench: Bench) -> None:
    at_ten = {"trigger.schedule": {"rrule": "FREQ=DAILY;BYHOUR=10", "timezone": "utc"}}
    create(bench, at_ten)
    revise(bench, 1, at_ten)
    bench.advance(SECOND)  # so that ten o'clock lies between two of the passes that come every minute
    move(bench, "activate", 2)
    assert bench.last_pass()["trigger"] == "startup"
    bench.advance(HOUR - SECOND)
    assert bench.last_pass()["scheduledAt"] == "2026-09-01T10:00:00.000Z"
    assert [spec.automation_id for spec in bench.world.launched] == [ROUTINE]


def test_a_fault_of_the_store_comes_in_the_envelope_and_spends_nothing(bench: Bench) -> None:
    bench.store.connection.execute("PRAGMA busy_timeout = 0").fetchall()
    other = bench.lock()
    with pytest.raises(InEnvelope) as caught:
        create(bench, key="adopt:test:key")
    assert isinstance(caught.value.cause, StoreFault)
    assert caught.value.head["adoptionKey"] == "adopt:test:key"
    other.close()
    assert told(create(bench, key="adopt:test:key"))["outcome"] == "committed"
