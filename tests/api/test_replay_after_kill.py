"""A request, the app killed, a new app, the same request: carried out once, and answered as it was (decisions.md 48).

Over the real socket of a real process, killed by SIGKILL: after the answer, between the commit and the answer, and
before the commit.
"""

from __future__ import annotations

import json
import signal
from pathlib import Path
from typing import Any

import pytest

from tests.api import blocking
from tests.api.wire import Reply
from tests.rig import App, routine, rows

# The real app, which dies at a point of the path of a request: when it first comes there while the file is not there.
DIES_AT = """
import os, signal, sys
from pathlib import Path
from coven_desktop.api import actions
from coven_desktop.store import adoptions
from coven_desktop.store.transactions import Store
from coven_desktop.app import main

where, marker = sys.argv[1], Path(sys.argv[2])

def die():
    if not marker.exists():
        marker.touch()
        os.kill(os.getpid(), signal.SIGKILL)

if where == "after the commit":
    answer = actions.Actions.answer
    def answer_dying(self, data, reply):
        def die_or_reply(response):
            if b"kill:0001" in data:
                die()
            reply(response)
        answer(self, data, die_or_reply)
    actions.Actions.answer = answer_dying
else:
    adopt = adoptions.adopt
    def adopt_and_die(*arguments, **named):
        adopt(*arguments, **named)
        die()
    adoptions.adopt = adopt_and_die
sys.exit(main(sys.argv[3:]))
"""


def requests(folder: Path) -> dict[str, dict[str, Any]]:
    """One request of each way of being adopted, each about a routine of its own."""

    def definition(name: str, **changes: Any) -> dict[str, Any]:
        return routine(name, "true", folder, status="PAUSED", **changes)

    create = "coven.automations.definition.create.v1"
    return {
        "versioned": {"action": create, "adoptionKey": "adopt:kill:0001", "definition": definition("versioned")},
        "refused": {
            "action": create,
            "adoptionKey": "adopt:kill:0001:refused",
            "definition": definition("refused", rrule="FREQ=HOURLY"),
        },
        "unversioned": {
            "action": "coven.automations.create",
            "intentId": "kill:0001",
            "definition": definition("unversioned"),
        },
    }


def post(app: App, body: dict[str, Any]) -> Reply:
    return blocking.send(app.home, blocking.request("POST", "/api/v1/actions", body))


def commits(app: App) -> list[dict[str, Any]]:
    """What was carried out, and how often."""
    return rows(
        app.home,
        "SELECT d.id, d.revision,"
        " (SELECT count(*) FROM definition_revisions r WHERE r.automation_id = d.id) AS revisions,"
        " (SELECT count(*) FROM events e WHERE e.automation_id = d.id) AS events FROM definitions d ORDER BY d.id",
    )


ONCE = [{"id": name, "revision": 1, "revisions": 1, "events": 1} for name in ("unversioned", "versioned")]


def check_replay(first: Reply, second: Reply) -> None:
    """The second answer is the first, told as a replay where the contract tells one."""
    assert second.status == first.status
    told, again = json.loads(json.dumps(first.body)), json.loads(json.dumps(second.body))
    if "result" in told:
        assert again["result"].pop("outcome") == "replayed"
        assert list(again["result"].pop("replay")) == ["firstCommittedAt"]
        told["result"].pop("outcome")
        told["result"].pop("replay", None)
        # a replay is no event: nothing has happened
        told.pop("event", None)
    assert again == told


def test_killed_after_the_answer(tmp_path: Path) -> None:
    asked = requests(tmp_path)
    with App(tmp_path / "home") as app:
        app.ready()
        first = {way: post(app, request) for way, request in asked.items()}
        app.kill()
    assert {way: reply.status for way, reply in first.items()} == {"versioned": 200, "refused": 422, "unversioned": 200}
    with App(tmp_path / "home") as app:
        app.ready()
        for way, request in asked.items():
            check_replay(first[way], post(app, request))
        assert commits(app) == ONCE
        assert app.end() == 0


@pytest.mark.parametrize("where", ["after the commit", "before the commit"])
def test_killed_before_the_answer(tmp_path: Path, where: str) -> None:
    asked = requests(tmp_path)
    for way, request in asked.items():
        with App(tmp_path / "home", program=("-c", DIES_AT, where, str(tmp_path / way))) as app:
            app.ready()
            with pytest.raises((AssertionError, ConnectionResetError)):
                post(app, request)
            assert app.process.wait(20) == -signal.SIGKILL
    with App(tmp_path / "home") as app:
        app.ready()
        found = [row["outcome"] for row in rows(app.home, "SELECT outcome FROM adoptions ORDER BY outcome")]
        assert found == ([] if where == "before the commit" else ["committed", "committed", "rejected"])
        again = {way: post(app, request) for way, request in asked.items()}
        expected = "committed" if where == "before the commit" else "replayed"
        assert again["versioned"].body["result"]["outcome"] == expected
        assert again["versioned"].body["result"]["result"]["routine"]["id"] == "versioned"
        assert again["unversioned"].body["event"]["payload"]["routine"]["id"] == "unversioned"
        assert again["refused"].body["error"]["code"] == "CAPABILITY_UNSUPPORTED"
        for way, request in asked.items():
            check_replay(again[way], post(app, request))
        assert commits(app) == ONCE
        assert app.end() == 0
