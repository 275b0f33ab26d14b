"""What a client is told by an app whose home another app has taken (engine/core.py, StaleLeadership)."""

from __future__ import annotations

from coven_desktop.store import scheduler
from tests.api.conftest import Served
from tests.engine.conftest import definition


def test_it_is_told_in_a_sentence_and_nothing_is_changed(served: Served) -> None:
    told: list[str] = []
    served.bench.engine.core.lead_lost = lambda: told.append("lost")
    with served.bench.store.transaction(served.bench.clock.wall()) as tx:
        scheduler.acquire(tx, "another")
    reply = served.act("create", definition=definition())
    assert (reply.status, reply.body["error"]["code"]) == (503, "STORE_UNREADABLE")
    assert reply.body["reason"].startswith("Another app has taken this home")
    assert served.bench.rows("SELECT * FROM definitions") == []
    assert told == ["lost"]


def test_an_engine_that_is_asked_for_nothing_finds_out_as_well(served: Served) -> None:
    told: list[str] = []
    served.bench.engine.core.lead_lost = lambda: told.append("lost")
    served.bench.advance(5_000)
    assert told == []
    with served.bench.store.transaction(served.bench.clock.wall()) as tx:
        scheduler.acquire(tx, "another")
    served.bench.advance(5_000)
    assert told == ["lost"]
