"""Waiting for events over the socket: two hundred at once, and those who leave."""

from __future__ import annotations

import json
from contextlib import ExitStack
from typing import Any

from tests.api.conftest import Served
from tests.engine.conftest import SECOND


def request(**asked: Any) -> bytes:
    """The bytes of a request to wait for the whole feed."""
    body = {"action": "coven.desktop.events.wait.v1", "stream": {"kind": "feed", "id": "all"}, **asked}
    data = json.dumps(body).encode()
    return b"POST /api/v1/actions HTTP/1.1\r\nHost: coven\r\nContent-Length: %d\r\n\r\n" % len(data) + data


def waiting(served: Served) -> int:
    """How many wait."""
    return len(served.bench.engine.event_waiters)


def test_two_hundred_wait_and_nobody_else_does(served: Served) -> None:
    served.create(status="PAUSED")
    with ExitStack() as stack:
        peers = [stack.enter_context(served.peer()).send(request(after=0)) for _ in range(200)]
        served.bench.loop.run_until(lambda: waiting(served) == 200)
        assert served.get("/health").status == 200
        assert not any(peer.is_closed() for peer in peers)
        served.create("other", status="PAUSED")
        served.bench.advance(SECOND)
        for peer in peers:
            reply = peer.reply()
            assert reply.status == 200
            assert list(reply.body) == ["ok", "accepted", "action", "status", "result"]
            assert [event["automationId"] for event in reply.body["result"]["events"]] == ["other"]
    assert waiting(served) == 0


def test_who_left_is_forgotten(served: Served) -> None:
    served.create(status="PAUSED")
    with served.peer() as peer:
        peer.send(request(after=0, waitSeconds=5))
        served.bench.loop.run_until(lambda: waiting(served) == 1)
    served.bench.advance(5 * SECOND)
    assert waiting(served) == 0
    with served.peer() as peer:
        peer.send(request(after=0))
        served.bench.loop.run_until(lambda: waiting(served) == 1)
    served.create("other", status="PAUSED")
    served.bench.turn()
    assert waiting(served) == 0


def test_who_sends_no_more_still_gets_the_answer(served: Served) -> None:
    served.create(status="PAUSED")
    with served.peer() as peer:
        peer.send(request(after=0)).finish()
        served.bench.loop.run_until(lambda: waiting(served) == 1)
        served.create("other", status="PAUSED")
        assert len(peer.reply().body["result"]["events"]) == 1


def test_the_end_answers_who_waits(served: Served) -> None:
    served.create(status="PAUSED")
    with served.peer() as peer:
        peer.send(request(after=0))
        served.bench.loop.run_until(lambda: waiting(served) == 1)
        served.bench.engine.stop()
        assert peer.reply().body["result"]["events"] == []


def test_a_pipelined_request_is_answered_after_the_wait(served: Served) -> None:
    served.create(status="PAUSED")
    keep = request(after=0, waitSeconds=1).replace(b"Host: coven", b"Host: coven\r\nConnection: keep-alive")
    with served.peer() as peer:
        peer.send(keep + b"GET /health HTTP/1.1\r\nHost: coven\r\n\r\n")
        served.bench.loop.run_until(lambda: waiting(served) == 1)
        served.bench.advance(1 * SECOND)
        assert peer.reply().body["result"]["events"] == []
        assert peer.reply().body["ok"] is True
