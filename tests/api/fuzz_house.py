"""A house in which a valid request can be made for every action at any time: the beginning of a random one."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

from coven_desktop.api import actions
from tests.api.conftest import Served
from tests.contract.rich_bodies import sealed
from tests.engine.held_runs import quarantine

EXAMPLES = Path(actions.__file__).parent / "described" / "examples.json"
REQUESTS: dict[str, dict[str, Any]] = {
    action: found["request"] for action, found in json.loads(EXAMPLES.read_text("utf-8")).items()
}
"""For every action the request of its description."""

STATES = {
    "live": ("running", "running", "observing"),
    "held": ("running", "running", "failed"),
    "lost": ("ambiguous", "recovery_required", "ambiguous"),
    "done": ("succeeded", "succeeded", "completed"),
}
"""Of a run, its occurrence and its newest attempt."""
PREFIX = "coven.automations."


class FuzzHouse:
    """A served house; `request` furnishes it as far as the action needs it."""

    def __init__(self, root: Path) -> None:
        self.served = Served(root)
        self.bench = self.served.bench
        bench = self.bench
        bench.runtime.on_stop = lambda session: bench.loop.call_soon(lambda: bench.runtime.confirm_stop(session))
        self._serial = 0
        self._kept: dict[str, dict[str, str]] = {}
        for how in ("live", "held", "lost", "done"):
            self._run(how)

    def ids(self) -> list[str]:
        """Ids that mean something here."""
        found: list[str] = []
        for table in ("definitions", "occurrences", "runs", "attempts", "sessions", "receipts"):
            found += [row[0] for row in self.bench.rows(f"SELECT id FROM {table} ORDER BY id DESC LIMIT 20")]
        return found

    def request(self, action: str) -> dict[str, Any]:
        """A request for this action that nothing speaks against, under a fresh key."""
        request = copy.deepcopy(REQUESTS[action])
        self._serial += 1
        if "adoptionKey" in request:
            request["adoptionKey"] = self.new_key()
        match action.removeprefix(PREFIX):
            case "create" | "definition.create.v1":
                request["definition"]["id"] = self._name()
                request.pop("intentId", None)
            case "update":
                request["definition"]["id"] = self._routine()
                request.pop("intentId", None)
            case "delete":
                request = {"action": action, "id": self._routine()}
            case "definition.revise.v1":
                request["definition"]["id"] = self._versioned()
            case "definition.activate.v1":
                request["id"] = self._versioned()
            case "definition.pause.v1" | "definition.disable.v1" | "definition.tombstone.v1":
                request["id"] = self._versioned(status="ACTIVE")
            case "unquarantine":
                request["id"] = self._locked()
            case "run" | "get" | "definition.get.v1" | "health" | "definition.health.v1" | "runs":
                request["id"] = self._routine()
            case "occurrence.runNow.v1":
                request["automationId"] = self._active()
            case "occurrence.cancel.v1":
                request["occurrenceId"] = self._found("live")["occurrence"]
            case "attempt.cancel.v1":
                request["attemptId"] = self._found("live")["attempt"]
            case "run.cancel.v1":
                live = self._found("live")
                request |= {"runId": live["run"], "attemptId": live["attempt"]}
                request["runtimeCorrelation"] = {"sessionId": live["session"]}
            case "attempt.retry.v1":
                request["runId"] = self._found("held")["run"]
            case "occurrence.recover.v1":
                request["occurrenceId"] = self._found("lost")["occurrence"]
            case "run.get.v1":
                request["id"] = self._found("live")["run"]
            case "occurrence.get.v1":
                request["id"] = self._found("held")["occurrence"]
            case "receipt.get.v1":
                request["id"] = "receipt-" + self._found("done")["run"]
            case "run.history.v1" | "occurrence.history.v1":
                request = {"action": action, "automationId": self._found("done")["routine"], "limit": 1}
            case "events.subscribe.v1" | "coven.desktop.events.wait.v1":
                page = self.served.act("events.read.v1", stream={"kind": "feed", "id": "all"}, limit=1).body["result"]
                request |= {"stream": page["stream"], "checkpoint": page["checkpoint"]}
            case "command.v1":
                request["envelope"]["adoptionKey"] = self.new_key()
                request["envelope"]["payload"]["definition"]["automationId"] = self._name()
                seal(request)
        return request

    def new_key(self) -> str:
        """An adoption key that was never used."""
        self._serial += 1
        return f"adopt:fuzz:{self._serial:08}"

    def _name(self) -> str:
        self._serial += 1
        return f"routine-{self._serial}"

    def _routine(self, **changes: Any) -> str:
        name = self._name()
        self.served.create(name, **{"status": "PAUSED", **changes})
        return name

    def _active(self) -> str:
        # one that is due in years: nothing but what is asked starts it
        return self._routine(status="ACTIVE", rrule="FREQ=WEEKLY;BYDAY=MO;BYHOUR=0")

    def _versioned(self, status: str = "PAUSED") -> str:
        definition = {**REQUESTS[PREFIX + "create"]["definition"], "id": self._name(), "status": status}
        reply = self.served.act("definition.create.v1", adoptionKey=self.new_key(), definition=definition)
        assert reply.status == 200, reply.body
        return str(definition["id"])

    def _locked(self) -> str:
        name = self._routine()
        for _ in range(3):
            quarantine(self.bench, name)
        return name

    def _found(self, how: str) -> dict[str, str]:
        """A run that is live, held, lost or done, begun anew when the last one is not any more."""
        kept = self._kept[how]
        state = "SELECT state FROM attempts WHERE run_id = ? ORDER BY attempt_number DESC LIMIT 1"
        status = "SELECT r.status, o.state FROM runs r JOIN occurrences o ON o.id = r.occurrence_id WHERE r.id = ?"
        query = self.bench.store.query
        found = (*query(status, (kept["run"],))[0], *query(state, (kept["run"],))[0])
        return kept if found == STATES[how] else self._run(how)

    def _run(self, how: str) -> dict[str, str]:
        name = self._active()
        started = self.served.payload("run", id=name)
        session = started["sessionId"]
        if how == "held":
            self.bench.end(3, session_id=session)
        elif how == "done":
            self.bench.end(0, session_id=session)
        elif how == "lost":
            self.bench.runtime.end(session, None)
        self.bench.turn()
        run = self.served.payload("runs", id=name)["runs"][0]
        found = {"routine": name, "run": run["id"], "session": session, "occurrence": run["occurrenceId"]}
        self._kept[how] = {**found, "attempt": run["attempts"][0]["id"]}
        return self._kept[how]


def seal(request: dict[str, Any]) -> None:
    """Give a rich definition in an envelope the integrity that belongs to it, where there is one."""
    try:
        payload = request["envelope"]["payload"]
        payload["definition"] = sealed(payload["definition"])
    except (KeyError, TypeError, ValueError, AttributeError):
        return  # it was bent too far for that
