"""From the `sessionId` of a run to its output, over the socket (contract/api.md a)."""

from __future__ import annotations

import json
import os
from typing import Any

import pytest

from coven_desktop.api import piecewise
from coven_desktop.runtime.output_writer import STDERR, STDOUT, OutputWriter
from tests.api.conftest import Served
from tests.conftest import LoggedWarnings
from tests.engine.conftest import HOUR


def say(served: Served, session_id: str, *said: tuple[int, bytes]) -> None:
    """What a session prints, as its host writes it."""
    folder = served.bench.home.session(session_id).root
    folder.mkdir(mode=0o700, exist_ok=True)
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    writer = OutputWriter(descriptor, "output", 10 << 20)
    for stream, data in said:
        writer.append(served.bench.clock.wall(), stream, data)
    writer.close()
    os.close(descriptor)


@pytest.fixture
def session_id(served: Served) -> str:
    """The session of a live run."""
    served.create(timeoutMinutes=44_640)
    served.bench.loop.advance(HOUR)
    [run] = served.payload("runs", id="notes")["runs"]
    return str(run["sessionId"])


def many(served: Served, count: int) -> list[str]:
    """The ids of so many ended sessions, newest first."""
    served.create(timeoutMinutes=44_640)
    ids = []
    for _ in range(count):
        served.bench.clock.advance(1)
        payload = served.payload("run", id="notes")
        served.bench.end()
        ids.append(payload["sessionId"])
    return ids[::-1]


# --- sessions ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("prefix", ["", "/api/v1"])
def test_the_list_of_sessions(served: Served, prefix: str) -> None:
    assert served.get(f"{prefix}/sessions").body == []
    ids = many(served, 5)
    listed = served.get(f"{prefix}/sessions?unknown=1").body
    assert [record["id"] for record in listed] == ids
    assert listed[0] == served.get(f"{prefix}/sessions/{ids[0]}").body


def test_pages_of_sessions(served: Served) -> None:
    ids = many(served, 5)
    whole = served.get("/sessions").body
    assert served.get("/sessions?includeArchived=true").body == {"sessions": whole, "next_cursor": None}
    found: list[Any] = []
    query = "limit=2"
    while True:
        page = served.get(f"/api/v1/sessions?{query}").body
        assert list(page) == ["sessions", "next_cursor"]
        found += page["sessions"]
        if page["next_cursor"] is None:
            break
        assert len(page["sessions"]) == 2
        query = f"limit=2&cursor={page['next_cursor']}"
    assert found == whole
    assert [record["id"] for record in found] == ids


@pytest.mark.parametrize(
    "query",
    [
        *(
            "limit=0",
            "limit=1001",
            "limit=",
            "limit=x",
            "limit=-1",
            "limit=1.0",
            "limit=%31",
            "limit=1&limit=x&limit=0",
        ),
        *("cursor=", "cursor=x", "includeArchived=yes", "includeArchived="),
    ],
)
def test_a_bad_query_of_sessions(served: Served, query: str) -> None:
    reply = served.get(f"/api/v1/sessions?{query}")
    if query.startswith("limit=1&"):
        assert reply.status == 200, "the first one counts"
        return
    assert (reply.status, reply.body["error"]["code"]) == (400, "invalid_request")
    assert query.partition("=")[0] in reply.body["error"]["message"]


# --- events -----------------------------------------------------------------------------------------------------------


def test_following_a_session_to_its_end(served: Served, session_id: str) -> None:
    path = f"/api/v1/events?sessionId={session_id}"
    assert served.get(path).body == {"events": [], "nextCursor": None, "hasMore": False}
    say(served, session_id, (STDOUT, b"hello\n"), (STDERR, b"oh\n"))
    page = served.get(path).body
    assert list(page) == ["events", "nextCursor", "hasMore"]
    assert list(page["events"][0]) == ["seq", "id", "session_id", "kind", "payload_json", "created_at"]
    assert [json.loads(event["payload_json"]) for event in page["events"]] == [
        {"data": "hello\n", "stream": "stdout"},
        {"data": "oh\n", "stream": "stderr"},
    ]
    assert page["nextCursor"] == {"afterSeq": page["events"][-1]["seq"]}
    served.bench.end(3)
    [ended] = served.get(f"{path}&afterSeq={page['nextCursor']['afterSeq']}").body["events"]
    assert (ended["kind"], json.loads(ended["payload_json"])) == ("exit", {"status": "failed", "exitCode": 3})


def test_the_paths_of_events_are_one(served: Served, session_id: str) -> None:
    say(served, session_id, (STDOUT, b"1"), (STDOUT, b"2"), (STDOUT, b"3"))
    whole = served.get(f"/api/v1/events?sessionId={session_id}").body
    for path in (
        f"/events?sessionId={session_id}",
        f"/sessions/{session_id}/events?",
        f"/api/v1/sessions/{session_id}/events",
    ):
        assert served.get(path).body == whole
    first = whole["events"][0]["seq"]
    page = served.get(f"/sessions/{session_id}/events?afterSeq={first}&limit=1").body
    assert page["events"] == [whole["events"][1]]
    assert page["hasMore"] is True


@pytest.mark.parametrize(
    "query",
    [
        *("limit=0", "limit=1001", "limit=", "limit=x", "limit=-1", "limit=1.0", "limit=\u0661", "limit=1 "),
        *("afterSeq=", "afterSeq=-1", "afterSeq=x", "afterSeq=9007199254740992", "afterSeq=8"),
    ],
)
def test_a_bad_query_of_events(served: Served, session_id: str, query: str) -> None:
    say(served, session_id, (STDOUT, b"hello"))
    if not query.isascii() or " " in query:
        query = query.replace("\u0661", "%D9%A1").replace(" ", "%20")
    reply = served.get(f"/api/v1/events?sessionId={session_id}&{query}")
    assert (reply.status, reply.body["error"]["code"]) == (400, "invalid_request")
    assert query.partition("=")[0] in reply.body["error"]["message"]


@pytest.mark.parametrize("query", ["", "?", "?sessionId", "?sessionId=", "?afterSeq=1"])
def test_events_of_no_session(served: Served, query: str) -> None:
    reply = served.get(f"/api/v1/events{query}")
    assert (reply.status, reply.body["error"]["code"]) == (400, "invalid_request")


@pytest.mark.parametrize("session", ["session-unknown", "..", "%2e%2e", "a" * 1_000])
def test_an_unknown_session(served: Served, session: str) -> None:
    paths = [f"/api/v1/sessions/{session}{more}" for more in ("", "/log", "/events")]
    for path in (*paths, f"/events?sessionId={session}"):
        reply = served.get(path)
        assert (reply.status, reply.body["error"]["code"]) == (404, "session_not_found")


# --- piece by piece ---------------------------------------------------------------------------------------------------


@pytest.fixture
def in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every piece takes a whole stretch, by the clock that is moved by hand."""
    monkeypatch.setattr(piecewise, "STRETCH_MS", 0)


def test_a_long_log_holds_nobody(served: Served, session_id: str, in_pieces: None) -> None:
    said = [(STDOUT, b"%03d" % number + b"x" * 30_000) for number in range(100)]
    say(served, session_id, *said)
    request = f"GET /sessions/{session_id}/log HTTP/1.1\r\nHost: coven\r\n\r\n".encode()
    with served.peer() as first, served.peer() as second, served.peer() as left:
        for peer in (first, second, left):
            peer.send(request)
        assert served.get("/health").status == 200
        first.look()
        assert not first.got, "it is still being made"
        left.socket.close()
        for peer in (first, second):
            log = peer.reply().body
            assert [line["message"][:3] for line in log] == [f"{number:03}" for number in range(100)]


def test_a_damaged_log_is_told_also_in_its_middle(
    served: Served, session_id: str, in_pieces: None, logged: LoggedWarnings
) -> None:
    logged.expect(f"GET /sessions/{session_id}/log failed")
    say(served, session_id, *[(STDOUT, b"x" * 30_000) for _ in range(20)])
    with served.bench.home.session(session_id).output.open("r+b") as file:
        file.seek(400_000)
        file.write(bytes(60_000))
    reply = served.get(f"/sessions/{session_id}/log")
    assert (reply.status, reply.body["error"]["code"]) == (500, "internal")


def test_many_sessions_come_in_pieces(served: Served, in_pieces: None) -> None:
    ids = many(served, 120)
    assert [record["id"] for record in served.get("/sessions").body] == ids
    page = served.get("/sessions?limit=110").body
    assert [record["id"] for record in page["sessions"]] == ids[:110]
    assert len(served.get(f"/sessions?cursor={page['next_cursor']}").body["sessions"]) == 10
