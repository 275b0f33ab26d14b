"""Random requests for every action, over the real socket, to an engine at work.

Whatever is asked: one answer, in one of the documented shapes, never a mistake of ours (INTERNAL, a logged warning or
traceback fails the test), and what is refused has changed no routine. The requests begin as valid ones (fuzz_house.py)
and are bent from there, so that many come far before they are refused.
"""

from __future__ import annotations

import copy
import json
import os
import string
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from coven_desktop.contract.errors import HTTP_STATUS, MESSAGE_LIMIT, Code
from coven_desktop.contract.text import echo, trim
from tests.api.fuzz_house import PREFIX, REQUESTS, FuzzHouse, seal
from tests.api.wire import Peer, Reply
from tests.engine.conftest import HOUR

ACTIONS = sorted(REQUESTS)
EVERY_ACTION = settings(max_examples=max(20, settings().max_examples // 12))
SECOND = 1_000
PATIENCE_MS = 120_000
KEPT_BACK = ("definitions", "definition_revisions", "occurrences", "runs", "attempts")
MAY_LEAVE_A_RUN = {"coven.automations.run"}
"""Refused for a launch that failed, and the failed run is there."""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FuzzHouse]:
    """One house for all of it, and a person without automations of Codex."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", str(tmp_path_factory.mktemp("nobody")))
        found = FuzzHouse(tmp_path_factory.mktemp("fuzz") / "home")
        yield found
        found.served.close()


def state(house: FuzzHouse) -> list[tuple[Any, ...]]:
    """What a refused request leaves as it was."""
    counts = [house.bench.rows(f"SELECT count(*) FROM {table}")[0] for table in KEPT_BACK]
    changing = "SELECT sum(revision), count(tombstoned_at), group_concat(lifecycle, '') FROM definitions"
    return [*counts, *house.bench.rows(changing)]


# --- requests ---------------------------------------------------------------------------------------------------------

WORDS = [
    *("ACTIVE", "PAUSED", "DISABLED", "utc", "local", "Europe/Paris", "FREQ=DAILY", "FREQ=HOURLY", "true", "9", "../x"),
    *("retry_with_new_attempt", "failed", "running", "feed", "all", "definition", "run", "fixed", "none", "latest"),
    *("2026-09-01T09:00:00.000Z", "adopt:fuzz:00000001", "coven.automations.v1", "definition.create.v1", "exact"),
]
TEXTS = st.one_of(
    st.text(max_size=12),
    st.sampled_from(["", " ", "\0", "é" * 90, "x" * 5_000, "\U0001f600", "\x1c", "\u2003", *WORDS]),
)
NUMBERS = st.one_of(
    st.integers(-(2**53) + 1, 2**53 - 1),
    st.sampled_from([0, 1, -1, 2, 10, 100, 101, 1_000, 44_640, 44_641, 86_401, 2**31, 2**53 - 1]),
    st.floats(allow_nan=False, allow_infinity=False),
)
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)
BENDS = st.lists(
    st.tuples(
        st.sampled_from(["replace", "known id", "leave out", "add", "wrap", "double", "used key"]),
        st.integers(0, 1_000),
        VALUES,
        TEXTS,
    ),
    max_size=2,
)


def places(value: Any, found: list[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
    """Every place inside a document, as its container and its key there; the action's name stays."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, member in inner:
        if key != "action":
            found.append((value, key))
        places(member, found)
    return found


def bend(request: dict[str, Any], bends: list[tuple[str, int, Any, str]], ids: list[str]) -> None:
    for how, place, value, name in bends:
        found = places(request, [])
        if how == "add" or not found:
            containers = [request, *(holder[key] for holder, key in found if isinstance(holder[key], dict))]
            containers[place % len(containers)].setdefault(name, value)
            continue
        holder, key = found[place % len(found)]
        match how:
            case "replace":
                holder[key] = value
            case "known id":
                holder[key] = ids[place % len(ids)]
            case "leave out":
                del holder[key]
            case "wrap":
                holder[key] = [holder[key]]
            case "double":
                holder[key] = [copy.deepcopy(holder[key])] * 2
            case "used key":
                request["adoptionKey"] = "adopt:fuzz:00000001"


def answered(house: FuzzHouse, body: bytes) -> Reply:
    """The answer to a body; for one that has to wait, time passes."""
    bench = house.bench
    head = f"POST /api/v1/actions HTTP/1.1\r\nHost: coven\r\nContent-Length: {len(body)}\r\n\r\n".encode()
    with Peer(bench.loop, bench.home) as peer:
        peer.send(head + body)
        bench.turn()
        waited = 0
        while not peer.is_closed():
            assert waited < PATIENCE_MS, "it was never answered"
            bench.advance(SECOND)
            waited += SECOND
        reply = peer.reply()
        assert not peer.got
        return reply


# --- answers ----------------------------------------------------------------------------------------------------------


def check(reply: Reply, action: str) -> None:
    """The answer has one of the documented shapes (contract/api.md b)."""
    assert list(reply.headers) == ["Content-Type", "Content-Length", "Connection"]
    body = reply.body
    assert body["action"] == action
    if reply.status == 200:
        assert (body["ok"], body["accepted"], body["status"]) == (True, True, "completed")
        assert set(body) <= {"ok", "accepted", "action", "status", "reason", "result", "event"}
        assert {"result", "event"} & set(body)
        if "event" in body:
            assert (
                {"kind", "action", "payload"}
                <= set(body["event"])
                <= {"kind", "action", "payload", "origin", "intentId"}
            )
        return
    assert (body["ok"], body["accepted"], body["status"]) == (False, False, "rejected")
    assert set(body) <= {"ok", "accepted", "action", "status", "reason", "error", "result"}
    assert isinstance(body["reason"], str)
    assert 0 < len(body["reason"]) <= MESSAGE_LIMIT
    error = body.get("error")
    if error is None:
        assert reply.status == 400
        return
    assert list(error)[:4] == ["code", "httpStatus", "message", "retryable"]
    assert set(error) <= {"code", "httpStatus", "message", "retryable", "details", "adoption", "currentRevision"}
    assert Code(error["code"]) is not Code.INTERNAL, body
    assert reply.status == error["httpStatus"] == HTTP_STATUS[Code(error["code"])]
    assert isinstance(error["retryable"], bool)


def test_every_action_has_a_request_to_begin_with(house: FuzzHouse) -> None:
    listed = [action for entry in house.served.get("/capabilities").body["capabilities"] for action in entry["actions"]]
    assert sorted(listed) == ACTIONS


@pytest.mark.parametrize("action", ACTIONS)
def test_whatever_is_asked_is_answered_in_a_documented_shape(house: FuzzHouse, action: str) -> None:
    ids = house.ids()

    @EVERY_ACTION
    @given(BENDS, VALUES | st.just(None), st.booleans())
    @example([], None, True)
    def ask(bends: list[tuple[str, int, Any, str]], instead: Any, whole: bool) -> None:
        request = house.request(action)
        if isinstance(instead, dict) and not bends:
            request = {**instead, "action": action}
        bend(request, bends, ids)
        if whole:
            seal(request)
        before = state(house)
        reply = answered(house, json.dumps(request).encode())
        check(reply, action)
        if not bends and not isinstance(instead, dict) and action.startswith(PREFIX):
            assert reply.status == 200, reply.body
        if reply.status != 200 and action not in MAY_LEAVE_A_RUN:
            assert state(house) == before

    ask()


@given(
    st.binary(max_size=60)
    | st.text('{}[]",:\\u0d8 actionlst.\0\ufeff\ud83d', max_size=40).map(
        lambda text: text.encode("utf-8", "surrogatepass")
    )
)
@example(b"\xef\xbb\xbf{}")
@example(b'{"action":"coven.automations.list"}\0')
@example(b'{"action":"coven.automations.list\xff"}')
@example(b'{"action":"coven.automations.list","action":"coven.automations.list"}')
@example(b'{"action":"coven.automations.list","x":NaN}')
@example(b'{"action":"coven.automations.list","x":"\\ud800"}')
@example(b'{"action":"coven.automations.list","x":9007199254740992}')
@example(b'{"action":"coven.automations.list","x":' + b"[" * 127 + b"]" * 127 + b"}")
@example(b'{"action":"coven.automations.list","x":[' + b"1," * 20_000 + b"1]}")
@example(b"[" * 100_000)
def test_bodies_that_are_not_strict_json_are_told_and_change_nothing(house: FuzzHouse, body: bytes) -> None:
    before = state(house)
    reply = answered(house, body)
    assert state(house) == before
    assert reply.status == 400
    found = reply.body
    assert (found["ok"], found["accepted"], found["status"]) == (False, False, "rejected")
    assert found["action"] in ("(unknown)", "") or len(found["action"]) <= 100
    assert "error" not in found


@given(TEXTS | st.sampled_from(ACTIONS).map(lambda name: name + " ") | st.text(string.printable, max_size=120), VALUES)
def test_actions_that_do_not_exist_are_told(house: FuzzHouse, name: str, more: Any) -> None:
    if trim(name) in ACTIONS:
        return
    before = state(house)
    reply = answered(house, json.dumps({"more": more, "action": name}).encode())
    check(reply, echo(trim(name)))
    assert reply.status in (400, 422)
    assert state(house) == before


def test_nothing_of_it_was_an_accident(house: FuzzHouse) -> None:
    """The engine that was asked all this goes on: passes succeed, and the store is sound."""
    house.bench.advance(HOUR)
    last = house.served.payload("scheduler.status.v1")["scheduler"]["lastPass"]
    assert (last["status"], last["errorClass"]) == ("succeeded", None)
    assert house.bench.rows("PRAGMA integrity_check") == [("ok",)]
    assert house.bench.rows("PRAGMA foreign_key_check") == []
    assert os.listdir(Path(os.environ["HOME"])) == []
