"""The whole socket: a real engine on a real store behind it, a manual clock, and a runtime the test commands."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from coven_desktop import home as homes
from coven_desktop.api.api import Api
from coven_desktop.home import Home
from coven_desktop.loop.manual import ManualClock
from tests.api.wire import Peer, Reply, ask
from tests.engine.conftest import Bench, definition


class Served:
    """A bench with its socket, and what a client does with it."""

    def __init__(self, root: Path, *, headless: bool = False) -> None:
        home = Home(root)
        homes.prepare(home)
        self.bench = Bench(home, ManualClock())
        self.bench.start()
        self.raised: list[str | None] = []
        self.api = Api(
            self.bench.engine,
            self.bench.loop,
            home,
            self.bench.clock,
            raise_window=None if headless else self.raised.append,
        )
        self.api.open()

    def close(self) -> None:
        self.api.close()
        self.bench.engine.stop()
        self.bench.kill()

    def get(self, path: str, method: str = "GET") -> Reply:
        return ask(self.bench.loop, self.bench.home, method, path)

    def post(self, body: object = None, *, raw: bytes | None = None, path: str = "/api/v1/actions") -> Reply:
        return ask(self.bench.loop, self.bench.home, "POST", path, body, raw=raw)

    def act(self, name: str, **members: Any) -> Reply:
        return self.post({"action": f"coven.automations.{name}", **members})

    def payload(self, name: str, **members: Any) -> Any:
        """The payload of an action that succeeds."""
        reply = self.act(name, **members)
        assert reply.status == 200, reply.body
        return reply.body["event"]["payload"]

    def refused(self, name: str, **members: Any) -> tuple[int, str | None]:
        """Status and code of an action that is refused."""
        reply = self.act(name, **members)
        assert (reply.body["ok"], reply.body["accepted"], reply.body["status"]) == (False, False, "rejected")
        assert "event" not in reply.body
        assert "result" not in reply.body
        return reply.status, reply.body.get("error", {}).get("code")

    def create(self, automation_id: str = "notes", **changes: Any) -> dict[str, Any]:
        made: dict[str, Any] = self.payload("create", definition=definition(automation_id, **changes))["routine"]
        return made

    def peer(self) -> Peer:
        return Peer(self.bench.loop, self.bench.home)


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    found = Served(tmp_path / "home")
    yield found
    found.close()


@pytest.fixture
def headless(tmp_path: Path) -> Iterator[Served]:
    found = Served(tmp_path / "home", headless=True)
    yield found
    found.close()
