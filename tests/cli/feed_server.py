"""A stand-in whose change feed can be read and waited for; the events outlive it, as the app's do."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from coven_desktop.contract import timestamps
from tests.cli.stand_in import Answer, StandIn, completed, rejected

START = timestamps.parse("2026-08-30T09:00:00.000Z")


def event(position: int, **members: Any) -> dict[str, Any]:
    """One event: the routine's definition is revised, once a second."""
    return {
        "schemaVersion": "coven.automations.v1",
        "eventId": f"evt{position:032x}",
        "stream": {"kind": "automation", "id": "daily-notes"},
        "sequence": position,
        "recordedAt": timestamps.to_text(START + position * 1000),
        "automationId": "daily-notes",
        "kind": "definition.revised",
        "summary": "definition revised",
        "payload": {"revision": position + 1, "lifecycleState": "active"},
        **members,
    }


class Feed:
    """Events by position, and the servers that tell them. `kept_from` is the first that was not pruned."""

    def __init__(self, count: int) -> None:
        self.events = [event(position) for position in range(count)]
        self.kept_from = 0
        self.waits: list[Mapping[str, Any]] = []
        self._grown = threading.Condition()
        self._closing = False
        self._server: StandIn | None = None

    def serve(self, home: Path) -> StandIn:
        """A server on this home; the last one must have been stopped."""
        self._closing = False
        (home / "coven.sock").unlink(missing_ok=True)
        server = self._server = StandIn(home)
        server.actions["coven.automations.events.read.v1"] = self._read
        server.actions["coven.desktop.events.wait.v1"] = self._wait
        return server

    def stop(self) -> None:
        """End the server, if there is one; whoever waits gets no answer."""
        with self._grown:
            self._closing = True
            self._grown.notify_all()
        if self._server is not None:
            self._server.close()
            self._server = None

    def add(self, count: int = 1, **members: Any) -> None:
        """Let something happen."""
        with self._grown:
            self.events += [event(len(self.events) + one, **members) for one in range(count)]
            self._grown.notify_all()

    def _read(self, request: Mapping[str, Any]) -> Answer:
        if "from" in request:
            since = timestamps.parse(request["from"])
            later = [at for at, one in enumerate(self.events) if timestamps.parse(one["recordedAt"]) >= since]
            after = max((later[0] if later else len(self.events)) - 1, self.kept_from - 1)
            return self._page(request, after if after >= 0 else None)
        return self._page(request, request.get("after"))

    def _wait(self, request: Mapping[str, Any]) -> Answer:
        self.waits.append(request)
        after = request.get("after", -1)
        with self._grown:
            self._grown.wait_for(lambda: self._closing or len(self.events) > after + 1, timeout=30)
            if self._closing:
                return 0, b""
        return self._page(request, request.get("after"))

    def _page(self, request: Mapping[str, Any], after: int | None) -> Answer:
        first = self.kept_from if after is None else after + 1
        if first < self.kept_from:
            return rejected(410, "not kept", code="CURSOR_EXPIRED", details={"expiredAt": "x"})
        found = self.events[first : first + request.get("limit", 100)]
        last = first + len(found) - 1 if found else after
        page = {"stream": request["stream"], "after": after, "events": found, "nextAfter": last}
        return completed({**page, "checkpoint": "ecp", "checkpointExpiresAt": "x"})
