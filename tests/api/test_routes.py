"""The routes: which path answers, with which body, and that everything else is 404."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

import coven_desktop
from coven_desktop.api.actions import RAISE_WINDOW, ROUTINES, STATE
from coven_desktop.contract import strict_json
from coven_desktop.loop.manual import START_MS
from coven_desktop.runtime.output_writer import STDERR, STDOUT, OutputWriter
from coven_desktop.store.errors import StoreFault
from tests.api.conftest import Served
from tests.conftest import LoggedWarnings
from tests.engine.conftest import HOUR

HEALTH_KEYS = ["ok", "apiVersion", "covenVersion", "capabilities", "daemon", "hub", "eventWriter", "storage", "desktop"]


@pytest.mark.parametrize("path", ["/api/v1/health", "/health", "/health?x=1"])
def test_health(served: Served, path: str) -> None:
    reply = served.get(path)
    assert reply.status == 200
    assert list(reply.body) == HEALTH_KEYS
    assert reply.body["ok"] is True
    assert reply.body["apiVersion"] == "coven.daemon.v1"
    assert reply.body["covenVersion"] == coven_desktop.__version__
    assert len(reply.body["capabilities"]) == 17
    assert reply.body["capabilities"]["structuredErrors"] is True
    daemon = reply.body["daemon"]
    assert daemon == {
        "pid": os.getpid(),
        "startedAt": "2026-09-01T09:00:00.000000000Z",
        "socket": str(served.bench.home.socket),
    }
    storage = reply.body["storage"]
    assert storage["status"] in ("ok", "critical")
    assert storage["databaseBytes"] > 0
    assert len(storage) == 12
    assert len(reply.body["eventWriter"]) == 9
    assert reply.body["desktop"] == {"headless": False, "clockShiftMs": 0, "pauseAll": None}


def test_health_says_when_the_database_is_gone(served: Served, logged: LoggedWarnings) -> None:
    logged.expect("the end could not be recorded")
    served.bench.home.database.unlink()
    reply = served.get("/health")
    assert (reply.body["ok"], reply.body["storage"]["status"]) == (True, "degraded")


def test_health_says_when_the_store_refuses(
    served: Served, monkeypatch: pytest.MonkeyPatch, logged: LoggedWarnings
) -> None:
    logged.expect("could not be looked at")

    def fail() -> dict[str, object]:
        raise StoreFault("corrupt", "It is damaged.", "Restore it.")

    monkeypatch.setattr(served.bench.engine.reads, "storage", fail)
    assert served.get("/health").body["storage"]["status"] == "degraded"


def test_health_tells_a_headless_app_and_a_shifted_clock(headless: Served) -> None:
    headless.bench.clock.shift = 5_000
    assert headless.get("/health").body["desktop"] == {"headless": True, "clockShiftMs": 5_000, "pauseAll": None}


def test_capabilities_list_what_works(served: Served) -> None:
    reply = served.get("/api/v1/capabilities")
    assert reply.body == served.get("/capabilities").body
    entries = {entry["id"]: entry for entry in reply.body["capabilities"]}
    assert list(entries) == ["coven.automations", "coven.control.actions", "coven.desktop"]
    automations = entries["coven.automations"]
    assert list(automations)[:6] == ["id", "label", "adapter", "status", "policy", "actions"]
    fixed = [automations[name] for name in ("adapter", "status", "policy")]
    assert fixed == ["coven-daemon", "available", "allow"]
    assert [action.removeprefix("coven.automations.") for action in automations["actions"]] == [
        *("list", "get", "create", "update", "delete", "definition.list.v1", "definition.get.v1", "command.v1"),
        *("definition.create.v1", "definition.revise.v1", "definition.disable.v1", "definition.activate.v1"),
        *("definition.pause.v1", "definition.tombstone.v1", "run.cancel.v1", "occurrence.recover.v1"),
        *("occurrence.runNow.v1", "occurrence.cancel.v1", "attempt.cancel.v1", "attempt.retry.v1", "events.read.v1"),
        *("events.subscribe.v1", "tick", "runs", "run.history.v1", "receipt.get.v1", "run", "import"),
        *("legacy.import.v1", "health", "definition.health.v1", "scheduler.status.v1", "occurrence.list.v1"),
        *("occurrence.get.v1", "run.get.v1", "occurrence.history.v1", "unquarantine"),
    ]
    assert entries["coven.desktop"]["actions"] == sorted(entries["coven.desktop"]["actions"])
    assert {ROUTINES, STATE, RAISE_WINDOW} <= set(entries["coven.desktop"]["actions"])
    assert [entry.get("version") for entry in entries.values()] == [None, None, 1]
    for action in automations["actions"]:
        assert served.post({"action": action}).body.get("error", {}).get("code") != "CAPABILITY_UNSUPPORTED"


def test_variant_negotiation_has_the_contracts_structure(served: Served) -> None:
    entry = served.get("/capabilities").body["capabilities"][0]
    found = entry["variantNegotiation"]
    assert list(found) == [
        *("version", "contractProfile", "description", "supported", "experimental", "refused", "negotiationRules")
    ]
    names = {group: [variant["variant"] for variant in variants] for group, variants in found["supported"].items()}
    assert names == {
        "triggers": ["schedule"],
        "conditions": [],
        "actions": ["familiarInvocation"],
        "triggerPolicies": [
            *("misfire.latest", "overlap.forbid", "timeout.required", "timezone.utc", "timezone.iana"),
            *("dst.gap.skip", "dst.fold.first", "retry.attempts", "retry.backoff.none", "retry.backoff.fixed"),
            *("retry.backoff.exponential", "retry.safe-classes", "retry.exhaustion-quarantine"),
        ],
        "deliveryPolicies": [],
        "retentionPolicies": ["retention.standard"],
    }
    assert [refused["variant"] for refused in found["refused"]] == [
        *("trigger.webhook", "action.pipeline", "misfire.backfill", "timezone.local.durable", "outputTarget.atomic")
    ]
    assert found["experimental"] == []
    assert all(isinstance(rule, str) for rule in found["negotiationRules"])


def test_a_headless_app_offers_no_window(headless: Served) -> None:
    entries = {entry["id"]: entry for entry in headless.get("/capabilities").body["capabilities"]}
    assert STATE in entries["coven.desktop"]["actions"]
    assert RAISE_WINDOW not in entries["coven.desktop"]["actions"]
    reply = headless.post({"action": RAISE_WINDOW})
    assert (reply.status, reply.body["error"]["code"]) == (422, "CAPABILITY_UNSUPPORTED")


def test_raising_the_window(served: Served) -> None:
    reply = served.post({"action": RAISE_WINDOW, "activationToken": "token"})
    assert (reply.status, reply.body["event"]["payload"]) == (200, {"raised": True})
    assert served.post({"action": RAISE_WINDOW}).status == 200
    assert served.raised == ["token", None]
    assert served.post({"action": RAISE_WINDOW, "activationToken": 1}).body["error"]["code"] == "VALIDATION_FAILED"
    assert served.post({"action": RAISE_WINDOW, "activationToken": "x" * 257}).status == 400


@pytest.mark.parametrize("path", ["/api-version", "/api/v1/api-version"])
def test_api_version(served: Served, path: str) -> None:
    assert served.get(path).body == {"apiVersion": "v1", "supportedApiVersions": ["v1"]}


def test_refreshing_the_capabilities(served: Served) -> None:
    event = served.post({"action": "coven.capabilities.refresh"}).body["event"]
    assert event["kind"] == "capabilities.refreshed"
    assert event["payload"] == served.get("/capabilities").body


METHODS = ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "get", "FOO"]


@pytest.mark.parametrize("method", METHODS)
def test_another_method_is_not_found(served: Served, method: str) -> None:
    reply = served.get("/api/v1/health", method)
    assert (reply.status, reply.body["error"]["code"]) == (404, "not_found")
    assert list(reply.headers) == ["Content-Type", "Content-Length", "Connection"]


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE", "PATCH", "OPTIONS", "post"])
def test_actions_are_posted(served: Served, method: str) -> None:
    assert served.get("/api/v1/actions", method).status == 404


@pytest.mark.parametrize(
    "path",
    [
        *("/", "/api", "/api/v1", "/api/v1/", "/api/v1/health/", "//health", "/api/v1//health", "/api/v1/%68ealth"),
        *("/api/v1/../v1/health", "/API/v1/health", "/api/v1/Health", "http://coven/api/v1/health", "*", "/healthz"),
        *("/api/v1/sessions/", "/api/v1/sessions/a/b", "/internal/lifecycle/shutdown", "/api/v1x/health", "/api/v10"),
    ],
)
def test_paths_match_byte_for_byte(served: Served, path: str) -> None:
    reply = served.get(path)
    assert (reply.status, reply.body["error"]["code"]) == (404, "not_found")


def test_another_version_of_the_api(served: Served) -> None:
    reply = served.get("/api/v2/health")
    assert reply.status == 404
    assert reply.body["error"]["code"] == "invalid_request"
    assert list(reply.body["error"]) == ["code", "details", "message"]
    assert reply.body["error"]["details"] == {"apiVersion": "v2", "supportedApiVersions": ["v1"]}


def test_head_gets_a_head(served: Served) -> None:
    with served.peer() as peer:
        peer.send(b"HEAD /health HTTP/1.1\r\nHost: coven\r\n\r\n")
        served.bench.loop.run_until(peer.is_closed)
        assert peer.got.startswith(b"HTTP/1.1 404 ")
        assert peer.got.endswith(b"\r\n\r\n")


def test_following_a_run_to_its_output(served: Served) -> None:
    served.create()
    served.bench.loop.advance(HOUR)
    [run] = served.payload("runs", id="notes")["runs"]
    session_id = run["sessionId"]
    record = served.get(f"/api/v1/sessions/{session_id}").body
    assert list(record) == [
        *("id", "project_root", "harness", "title", "status", "exit_code", "archived_at", "created_at"),
        *("updated_at", "conversation_id", "familiar_id", "execution_binding", "labels", "visibility", "external"),
        "transcript_path",
    ]
    assert (record["id"], record["status"], record["title"]) == (session_id, "running", "Notes")
    assert served.get(f"/sessions/{session_id}").body == record
    assert served.get(f"/api/v1/sessions/{session_id}/log").body == []
    folder = served.bench.home.session(session_id)
    folder.root.mkdir(mode=0o700)
    write_output(folder.output)
    log = served.get(f"/api/v1/sessions/{session_id}/log").body
    assert [(line["level"], line["message"]) for line in log] == [("info", "hello\n"), ("error", "oh \ufffd\n")]
    assert list(log[0]) == ["ts", "level", "message"]
    assert log[0]["ts"] == "2026-09-01T09:00:00.000Z"


def write_output(path: Path) -> None:
    """An output log as the session host writes it."""
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    writer = OutputWriter(folder, path.name, 65_536)
    writer.append(START_MS, STDOUT, b"hello\n")
    writer.append(START_MS + 1, STDERR, b"oh \xff\n")
    writer.close()
    os.close(folder)


def test_another_tool_does_not_end_this_app(served: Served) -> None:
    path = "/api/v1/internal/lifecycle/shutdown"
    daemon = served.get("/health").body["daemon"]
    right = {"apiVersion": "coven.daemon.v1", "daemon": daemon}
    reply = served.post(right, path=path)
    assert (reply.status, reply.body["error"]["code"]) == (409, "shutdown_not_supported")
    wrong = served.post(right | {"daemon": daemon | {"pid": 1}}, path=path)
    assert (wrong.status, wrong.body["error"]["code"]) == (409, "daemon_identity_mismatch")
    bodies: list[object] = [None, [], {}, right | {"more": 1}, {"apiVersion": "coven.daemon.v1", "daemon": {"pid": 1}}]
    for body in bodies:
        reply = served.post(body, path=path)
        assert (reply.status, reply.body["error"]["code"]) == (400, "invalid_request")
    assert served.get(path).status == 404


def test_a_read_that_the_store_refuses(served: Served, monkeypatch: pytest.MonkeyPatch, logged: LoggedWarnings) -> None:
    logged.expect("The store refused")
    logged.expect("GET /sessions/x failed")

    def fault(session_id: str) -> None:
        raise StoreFault("busy", "/secret/path is busy.", "Wait.")

    def bug(session_id: str) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(served.bench.engine.reads, "session", fault)
    reply = served.get("/sessions/x")
    assert (reply.status, reply.body["error"]["code"]) == (503, "store_busy")
    assert "/secret" not in reply.body["error"]["message"]
    monkeypatch.setattr(served.bench.engine.reads, "session", bug)
    assert (served.get("/sessions/x").status, served.get("/sessions/x").body["error"]["code"]) == (500, "internal")


def test_nothing_listens_on_the_network(served: Served) -> None:
    inodes = {os.readlink(f"/proc/self/fd/{fd}") for fd in os.listdir("/proc/self/fd") if _is_link(fd)}
    for table in ("tcp", "tcp6", "udp", "udp6"):
        for line in Path(f"/proc/net/{table}").read_text().splitlines()[1:]:
            assert f"socket:[{line.split()[9]}]" not in inodes


def _is_link(fd: str) -> bool:
    try:
        return bool(os.readlink(f"/proc/self/fd/{fd}"))
    except OSError:
        return False


def test_the_bodies_are_strict_json_themselves(served: Served) -> None:
    with served.peer() as peer:
        peer.send(b"GET /capabilities HTTP/1.1\r\nHost: coven\r\n\r\n")
        served.bench.loop.run_until(peer.is_closed)
        strict_json.decode(bytes(peer.got).partition(b"\r\n\r\n")[2])


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
def test_curl_understands_it(served: Served) -> None:
    command = ["curl", "-s", "--unix-socket", str(served.bench.home.socket), "http://coven/api/v1/api-version"]
    curl = subprocess.Popen(command, stdout=subprocess.PIPE)
    served.bench.loop.run_until(lambda: curl.poll() is not None)
    assert curl.stdout is not None
    assert strict_json.decode(curl.stdout.read())["apiVersion"] == "v1"
    curl.stdout.close()
