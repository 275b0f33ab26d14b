"""`coven.desktop.routine.list.v1`: what stands beside the definitions, as a client meets it on the socket."""

from __future__ import annotations

from typing import Any

import pytest

from coven_desktop.api.actions import ROUTINE_SETTINGS, ROUTINES
from tests.api.conftest import Served
from tests.engine.conftest import definition


def routines(served: Served, **members: Any) -> list[dict[str, Any]]:
    reply = served.post({"action": ROUTINES, **members})
    assert reply.status == 200, reply.body
    assert reply.body["event"]["kind"] == "desktop.routines"
    found: list[dict[str, Any]] = reply.body["event"]["payload"]["routines"]
    return found


def test_every_live_routine_with_its_revision_and_who_manages_it(served: Served) -> None:
    assert routines(served) == []
    made = served.create("plain", name="B")
    body = definition("versioned", name="A", status="PAUSED")
    assert served.act("definition.create.v1", adoptionKey="adopt:inventory:1", definition=body).status == 200
    served.create("gone")
    served.payload("delete", id="gone")
    served.payload("update", definition={**made, "status": "PAUSED"})
    versioned, plain = routines(served)
    assert plain == {
        "id": "plain",
        "family": "rrule",
        "revision": 2,
        "lifecycle": "paused",
        "managed": "legacy",
        "createdAt": plain["createdAt"],
        "revisedAt": plain["revisedAt"],
        "nextDueAt": None,
        "clockAheadUntil": None,
        "brokenReason": None,
        "definition": served.payload("get", id="plain")["routine"],
        "settings": {"revision": 0, "environment": {}, "secrets": []},
    }
    assert (versioned["id"], versioned["managed"], versioned["revision"]) == ("versioned", "v1", 1)
    assert [one["id"] for one in routines(served, ids=["plain", "gone", "nobody", "plain", "versioned"])] == [
        "plain",
        "versioned",
    ]


def test_settings_stand_beside_the_definition(served: Served) -> None:
    served.create("plain")
    settings = {"environment": {"A": "1"}, "secrets": ["TOKEN"]}
    asked = {"adoptionKey": "adopt:settings:1", "automationId": "plain", "settings": settings, "expectedRevision": 0}
    assert served.post({"action": ROUTINE_SETTINGS, **asked}).status == 200
    (plain,) = routines(served)
    assert (plain["settings"], plain["revision"]) == ({"revision": 1, **settings}, 1)


def test_a_body_that_is_no_object_any_more(served: Served) -> None:
    served.create("plain")
    served.bench.store.connection.execute("UPDATE definitions SET body = '[]' WHERE id = 'plain'")
    (plain,) = routines(served)
    assert plain["definition"] is None


@pytest.mark.parametrize("ids", ["plain", [], [1], ["x"] * 1001, {}])
def test_ids_that_are_no_list_of_ids(served: Served, ids: object) -> None:
    reply = served.post({"action": ROUTINES, "ids": ids})
    assert (reply.status, reply.body["error"]["code"]) == (400, "VALIDATION_FAILED")
    assert "ids must" in reply.body["reason"]
