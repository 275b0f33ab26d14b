"""The actions as a client meets them: envelopes, codes, and the engine behind them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from coven_desktop.api.actions import CONTRACT
from coven_desktop.api.capabilities import CONTRACT_ACTIONS
from coven_desktop.runtime.sessions import LaunchRefused
from coven_desktop.store.errors import StoreFault
from tests.api.conftest import Served
from tests.api.wire import Reply
from tests.conftest import LoggedWarnings
from tests.engine.conftest import HOUR, definition

# --- the envelope -----------------------------------------------------------------------------------------------------


def test_a_success(served: Served) -> None:
    reply = served.post({"action": " coven.automations.list\u3000", "origin": " cave ", "intentId": "i-1", "more": 1})
    assert reply.status == 200
    assert list(reply.body) == ["ok", "accepted", "action", "status", "event"]
    assert reply.body["ok"] is True
    assert reply.body["accepted"] is True
    assert (reply.body["action"], reply.body["status"]) == ("coven.automations.list", "completed")
    assert reply.body["event"] == {
        "kind": "automations.changed",
        "action": "coven.automations.list",
        "origin": "cave",
        "intentId": "i-1",
        "payload": {"routines": []},
    }


@pytest.mark.parametrize("odd", [None, 1, "", " \u00a0", ["x"], {}])
def test_odd_origins_are_dropped(served: Served, odd: object) -> None:
    event = served.act("list", origin=odd, intentId=odd).body["event"]
    assert list(event) == ["kind", "action", "payload"]


def test_an_untyped_refusal(served: Served) -> None:
    reply = served.act("get")
    assert reply.status == 400
    assert reply.body == {
        "ok": False,
        "accepted": False,
        "action": "coven.automations.get",
        "status": "rejected",
        "reason": "coven.automations.get requires string field `id`",
    }


def test_a_typed_refusal(served: Served) -> None:
    reply = served.act("occurrence.cancel.v1", adoptionKey="adopt:cancel:1", occurrenceId="occ-none")
    assert reply.status == 404
    assert list(reply.body) == ["ok", "accepted", "action", "status", "reason", "error"]
    assert reply.body["error"] == {
        "code": "NOT_FOUND",
        "httpStatus": 404,
        "message": reply.body["reason"],
        "retryable": False,
    }


@pytest.mark.parametrize(
    "raw",
    [
        *(b"{", b"nonsense", b"[1]", b"1", b"null", b'"x"', b'{"a":1,"a":2}', b'{"a":NaN}', b'{"a":"\\ud800"}'),
        *(b"\xef\xbb\xbf{}", b'{"a":\xff}', b'{"a":9007199254740992}', b"[" * 100_000),
        *(b'{"a":' * 128 + b"1" + b"}" * 128, b"\x00"),
        *('{"a":1}'.encode("utf-16"), b'{"a":1,}', b'{"a":01}', b"{} x"),
    ],
)
def test_what_is_not_strict_json_is_refused_before_anything(served: Served, raw: bytes) -> None:
    reply = served.post(raw=raw)
    assert (reply.status, reply.body["action"], "error" in reply.body) == (400, "(unknown)", False)
    assert len(reply.body["reason"]) < 300


@pytest.mark.parametrize("body", [{}, {"action": None}, {"action": 1}, {"action": "  "}])
def test_an_action_is_needed(served: Served, body: object) -> None:
    for reply in (served.post(body), served.post()):
        assert (reply.status, reply.body["action"]) == (400, "")


@pytest.mark.parametrize("action", ["coven.automations.no", "coven.automations.LIST", "\x1fcoven.automations.list"])
def test_an_unknown_action(served: Served, action: str) -> None:
    reply = served.post({"action": action})
    assert (reply.status, reply.body["action"], "error" in reply.body) == (400, action, False)


def test_nothing_long_is_sent_back(served: Served) -> None:
    assert len(json.dumps(served.post({"action": "x" * 100_000}).body)) < 1_000
    assert len(json.dumps(served.act("health", id="x" * 100_000).body)) < 2_000


def test_a_bug_is_told_and_the_connection_lives(
    served: Served, monkeypatch: pytest.MonkeyPatch, logged: LoggedWarnings
) -> None:
    logged.expect("coven.automations.list failed")

    def bug() -> list[dict[str, Any]]:
        raise ZeroDivisionError

    monkeypatch.setattr(served.bench.engine.reads, "routines", bug)
    with served.peer() as peer:
        body = b'{"action":"coven.automations.list"}'
        head = b"POST /actions HTTP/1.1\r\nHost: x\r\nConnection: keep-alive\r\nContent-Length: %d\r\n\r\n" % len(body)
        reply = peer.send(head + body).reply()
        assert (reply.status, reply.body["error"]["code"]) == (500, "INTERNAL")
        assert "ZeroDivision" not in json.dumps(reply.body)
        assert peer.send(b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n").reply().status == 200


@pytest.mark.parametrize(
    ("fault", "status", "code", "retryable"),
    [
        (StoreFault("busy", "/home/me/x is busy.", "Wait.", detail="SQLITE_BUSY"), 503, "STORE_BUSY", True),
        (StoreFault("full", "/home/me/x is full.", "Free.", detail="SQLITE_FULL"), 507, "STORE_FULL", True),
        (StoreFault("corrupt", "/home/me/x is damaged.", "Mend.", detail="SQLITE"), 503, "STORE_UNREADABLE", False),
    ],
)
def test_faults_of_the_store_are_typed(
    served: Served,
    monkeypatch: pytest.MonkeyPatch,
    logged: LoggedWarnings,
    fault: StoreFault,
    status: int,
    code: str,
    retryable: bool,
) -> None:
    logged.expect("The store refused")

    def refuse() -> list[dict[str, Any]]:
        raise fault

    monkeypatch.setattr(served.bench.engine.reads, "routines", refuse)
    reply = served.act("list")
    error = reply.body["error"]
    assert (reply.status, error["code"], error["retryable"], error["httpStatus"]) == (status, code, retryable, status)
    assert "/home" not in json.dumps(reply.body)
    assert "SQLITE" not in json.dumps(reply.body)


def test_a_full_store_is_told_and_reads_go_on(served: Served, logged: LoggedWarnings) -> None:
    logged.expect("The store refused")
    served.create()
    [(pages,)] = served.bench.rows("PRAGMA page_count")
    served.bench.rows(f"PRAGMA max_page_count = {pages}")
    assert served.refused("create", definition=definition("large", prompt="x" * 1_000_000)) == (507, "STORE_FULL")
    assert [routine["id"] for routine in served.payload("list")["routines"]] == ["notes"]


# --- routines ---------------------------------------------------------------------------------------------------------


def test_the_life_of_a_routine(served: Served) -> None:
    made = served.act("create", definition=definition(tags=[], model="m"), intentId="intent-1")
    payload = made.body["event"]["payload"]
    assert "result" not in made.body
    assert list(payload["routine"]) == sorted(payload["routine"])
    assert (payload["createdAt"], payload["routine"]["model"]) == ("2026-09-01T09:00:00.000Z", "m")
    assert "tags" not in payload["routine"]
    again = served.act("create", definition=definition(tags=[], model="m"), intentId="intent-1")
    assert again.body == made.body
    assert served.refused("create", definition=definition(model="other"), intentId="intent-1") == (400, None)
    assert served.refused("create", definition=definition()) == (400, None)
    assert served.payload("get", id=" notes ")["routine"] == payload["routine"]
    assert served.payload("list")["routines"] == [payload["routine"]]
    updated = served.payload("update", definition=definition(name="Other"), expectedRevision=1)
    assert updated["routine"]["name"] == "Other"
    stale = served.act("update", definition=definition(), expectedRevision=1)
    assert (stale.status, stale.body["error"]["code"], stale.body["error"]["currentRevision"]) == (
        409,
        "REVISION_CONFLICT",
        2,
    )
    assert served.payload("delete", id="notes") == {"deleted": True, "id": "notes"}
    assert served.payload("delete", id="notes") == {"deleted": False, "id": "notes"}
    assert served.payload("get", id="notes") == {"routine": None}
    assert served.payload("get", id="nothing") == {"routine": None}
    assert served.payload("list") == {"routines": []}
    assert served.refused("update", definition=definition()) == (400, None)
    assert served.refused("health", id="notes") == (400, None)
    assert served.create()["name"] == "Notes"


def test_a_refused_request_does_not_poison_its_intent(served: Served) -> None:
    assert served.refused("create", definition=definition(rrule="FREQ=HOURLY"), intentId="intent-1") == (400, None)
    assert served.payload("create", definition=definition(), intentId="intent-1")["routine"]["id"] == "notes"


def test_unknown_members_of_a_definition_are_named(served: Served) -> None:
    payload = served.payload("create", definition=definition(timezon="utc"))
    assert len(payload["warnings"]) == 1
    assert "timezon" in payload["warnings"][0]


def test_list_is_in_byte_order_of_names(served: Served) -> None:
    for automation_id, name in (("c", "b"), ("b", "B"), ("a", "é"), ("d", "b")):
        served.create(automation_id, name=name)
    assert [routine["id"] for routine in served.payload("list")["routines"]] == ["b", "c", "d", "a"]


@pytest.mark.parametrize("name", ["get", "delete", "runs", "run", "health", "occurrence.get.v1", "run.get.v1"])
@pytest.mark.parametrize("value", [None, 1, "", " ", ["x"]])
def test_an_id_is_needed(served: Served, name: str, value: object) -> None:
    assert served.refused(name, id=value) == (400, None)
    assert served.refused(name) == (400, None)


@pytest.mark.parametrize("value", [None, 1, "x", []])
def test_a_definition_is_needed(served: Served, value: object) -> None:
    assert served.refused("create", definition=value) == (400, None)
    assert served.refused("update", definition=value) == (400, None)


def test_unknown_ids_are_looked_up_and_not_found(served: Served) -> None:
    for odd in ("x" * 97, "a/b", "a\x00b", "é"):
        assert served.payload("get", id=odd) == {"routine": None}
        assert served.payload("runs", id=odd) == {"runs": []}
        assert served.payload("delete", id=odd)["deleted"] is False
        assert served.payload("occurrence.get.v1", id=odd) == {"occurrence": None}
        assert served.payload("run.get.v1", id=odd) == {"run": None}
        assert served.refused("health", id=odd) == (400, None)
        assert served.refused("run", id=odd) == (400, None)


# --- runs -------------------------------------------------------------------------------------------------------------


def test_a_slot_runs_and_is_seen_everywhere(served: Served) -> None:
    served.create()
    served.bench.loop.advance(HOUR)
    [run] = served.payload("runs", id="notes")["runs"]
    assert len(run) == 14
    assert (run["status"], run["automationId"], run["attempts"][0]["state"]) == ("running", "notes", "observing")
    assert len(run["attempts"][0]) == 17
    [occurrence] = served.payload("occurrence.list.v1", view="running")["occurrences"]
    assert occurrence["id"] == run["occurrenceId"]
    found = served.payload("occurrence.get.v1", id=occurrence["id"])["occurrence"]
    assert [inner["id"] for inner in found["runs"]] == [run["id"]]
    assert found["runsTruncated"] is False
    assert served.payload("run.get.v1", id=run["id"])["run"]["timeoutAt"] is not None
    health = served.payload("health", id="notes")["health"]
    assert len(health) == 16
    queue = served.payload("scheduler.status.v1")["scheduler"]["queue"]
    assert (queue["running"], queue["planned"]) == (1, 0)
    served.bench.runtime.end(run["sessionId"], served.bench.runtime.evidence(run["sessionId"]))
    served.bench.loop.run_until_idle()
    assert served.payload("runs", id="notes")["runs"][0]["status"] == "succeeded"


def test_the_limit_of_runs_is_never_an_error(served: Served) -> None:
    served.create()
    for _ in range(3):
        end_run(served)
    for limit, count in ((0, 1), (-1, 1), (1, 1), (2, 2), (10**15, 3), (None, 3), (1.0, 3), ("1", 3), (True, 3)):
        assert len(served.payload("runs", id="notes", limit=limit)["runs"]) == count


def end_run(served: Served) -> None:
    served.bench.clock.advance(1)
    payload = served.payload("run", id="notes")
    served.bench.runtime.end(payload["sessionId"], served.bench.runtime.evidence(payload["sessionId"]))
    served.bench.loop.run_until_idle()


@pytest.mark.parametrize(
    "members",
    [{}, {"view": "all"}, {"view": 1}, *({"view": "due", "limit": limit} for limit in (0, 101, "1", True, 1.0))],
)
def test_occurrence_list_refuses_untyped(served: Served, members: dict[str, Any]) -> None:
    assert served.refused("occurrence.list.v1", **members) == (400, None)
    assert served.refused("occurrence.list.v1", view="due", automationId=1) == (400, None)


def test_run_answers_when_the_command_has_started(served: Served) -> None:
    served.bench.runtime.automatic = False
    served.create()
    with served.peer() as waiting:
        body = b'{"action":"coven.automations.run","id":"notes"}'
        waiting.send(b"POST /actions HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
        served.bench.loop.run_until(lambda: len(served.bench.world.launched) == 1)
        assert served.payload("list")["routines"] != []
        assert not waiting.is_closed()
        [spec] = served.bench.world.launched
        served.bench.runtime.start(spec.session_id)
        payload = waiting.reply().body["event"]["payload"]
    assert list(payload) == ["runId", "status", "sessionId", "error"]
    assert (payload["status"], payload["error"], payload["sessionId"]) == ("running", None, spec.session_id)
    assert served.refused("run", id="notes") == (400, None)


def test_a_run_that_does_not_start(served: Served) -> None:
    served.create()
    served.bench.runtime.refuse = LaunchRefused("launch_refused", "no such runtime")
    assert served.refused("run", id="notes") == (400, None)


def test_a_client_that_left_while_its_command_waited(served: Served) -> None:
    served.bench.runtime.automatic = False
    served.create()
    with served.peer() as waiting:
        body = b'{"action":"coven.automations.run","id":"notes"}'
        waiting.send(b"POST /actions HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
        served.bench.loop.run_until(lambda: len(served.bench.world.launched) == 1)
    [spec] = served.bench.world.launched
    served.bench.runtime.start(spec.session_id)
    served.bench.loop.run_until_idle()
    assert served.payload("runs", id="notes")["runs"][0]["attempts"][0]["state"] == "observing"


def test_tick(served: Served) -> None:
    payload = served.payload("tick", extra=1)
    assert list(payload) == ["planned", "alreadyFenced", "pausedSkipped", "recovered", "claimed", "failed"]


# --- strict commands --------------------------------------------------------------------------------------------------


def run_now(served: Served, key: str = "adopt:now:0001", **members: Any) -> Reply:
    return served.act("occurrence.runNow.v1", adoptionKey=key, automationId="notes", **members)


def test_run_now_and_its_replay(served: Served) -> None:
    served.create()
    first = run_now(served, note="please")
    assert list(first.body) == ["ok", "accepted", "action", "status", "result", "event"]
    assert first.body["event"]["kind"] == "automations.occurrence.runNow"
    assert first.body["result"] == first.body["event"]["payload"]
    assert first.body["result"]["note"] == "please"
    again = run_now(served, note="please")
    assert list(again.body) == ["ok", "accepted", "action", "status", "reason", "result", "event"]
    assert again.body["result"]["runId"] == first.body["result"]["runId"]
    assert len(served.bench.world.launched) == 1
    assert run_now(served, note="other").body["error"]["code"] == "ADOPTION_REPLAY_MISMATCH"
    assert run_now(served, "adopt:now:0002").body["error"]["code"] == "OVERLAP_FORBIDDEN"


@pytest.mark.parametrize("members", [{"origin": "cave"}, {"intentId": "i"}, {"expectedRevision": 1}, {"more": None}])
def test_strict_bodies_are_closed(served: Served, members: dict[str, Any]) -> None:
    served.create()
    reply = run_now(served, **members)
    assert (reply.status, reply.body["error"]["code"]) == (400, "VALIDATION_FAILED")


def test_a_strict_action_is_not_trimmed(served: Served) -> None:
    served.create()
    body = {"action": " coven.automations.occurrence.runNow.v1", "adoptionKey": "adopt:now:1", "automationId": "notes"}
    assert served.post(body).body["error"]["code"] == "VALIDATION_FAILED"
    assert served.bench.world.launched == []


def test_cancelling_a_live_run_answers_with_the_proof(served: Served) -> None:
    served.create()
    run = run_now(served).body["result"]
    with served.peer() as waiting:
        body = json.dumps(
            {
                "action": "coven.automations.occurrence.cancel.v1",
                "adoptionKey": "adopt:cancel:0001",
                "occurrenceId": run["occurrenceId"],
            }
        ).encode()
        waiting.send(b"POST /actions HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
        served.bench.loop.run_until(lambda: served.bench.world.stops == [run["sessionId"]])
        assert not waiting.is_closed()
        assert served.get("/health").status == 200, "nothing else waits"
        served.bench.runtime.confirm_stop(run["sessionId"])
        reply = waiting.reply()
    assert reply.body["event"]["kind"] == "automations.occurrence.cancellation"
    assert reply.body["result"]["status"] == "cancelled"
    assert served.payload("runs", id="notes")["runs"][0]["status"] == "cancelled"


def test_run_cancel_refuses_what_is_not_live(served: Served) -> None:
    reply = served.act(
        "run.cancel.v1",
        adoptionKey="adopt:cancel:0001",
        runId="run-none",
        attemptId="attempt-none",
        runtimeCorrelation={"sessionId": "session-none"},
        scope="run",
        reason="test",
        requestedBy={"principalId": "principal:me"},
    )
    assert (reply.status, reply.body["error"]["code"]) == (422, "ILLEGAL_TRANSITION")


def test_recovering_what_vanished(served: Served) -> None:
    served.create()
    run = run_now(served).body["result"]
    served.bench.runtime.end(run["sessionId"], None)
    served.bench.loop.run_until_idle()
    [occurrence] = served.payload("occurrence.list.v1", view="recovery_required")["occurrences"]
    reply = served.act(
        "occurrence.recover.v1",
        adoptionKey="adopt:recover:0001",
        occurrenceId=occurrence["id"],
        evidenceDetermination="failed_deterministic",
        statement="It failed.",
    )
    assert reply.body["result"]["status"] == "failed"
    assert reply.body["event"]["kind"] == "automations.occurrence.recovery"


def test_every_action_of_the_table_is_a_name_of_the_contract() -> None:
    assert set(CONTRACT) == set(CONTRACT_ACTIONS)
    assert len(CONTRACT_ACTIONS) == len(set(CONTRACT_ACTIONS)) == 37


def test_what_cannot_be_written_as_json_is_a_bug_of_ours(
    served: Served, monkeypatch: pytest.MonkeyPatch, logged: LoggedWarnings
) -> None:
    logged.expect("coven.automations.list failed")
    monkeypatch.setattr(served.bench.engine.reads, "routines", lambda: [object()])
    assert served.refused("list") == (500, "INTERNAL")
    monkeypatch.setattr(served.bench.engine.reads, "routines", lambda: ["\ud800"])
    assert served.refused("list") == (500, "INTERNAL")
