"""What the doctor says of sessions that the app's database does not know."""

from __future__ import annotations

from typing import Any

import pytest

from coven_desktop.doctor import running
from coven_desktop.home import Home
from tests.doctor.conftest import NOT_RUNNING, health


@pytest.mark.parametrize("routine", ["notes", None])
def test_those_that_run_beside_a_restored_database_are_told(
    home: Home, monkeypatch: pytest.MonkeyPatch, routine: str | None
) -> None:
    unknown = [{"sessionId": "session-1", "process": 4242, "automationId": routine}]
    asked: list[Any] = []

    def ask(home: Home, method: str, path: str, body: dict[str, Any]) -> dict[str, Any]:
        asked.append(body["action"])
        return {"event": {"payload": {"unknownSessions": unknown}}}

    monkeypatch.setattr(running, "_ask", ask)
    app = running.App(1, health(), None)
    (check,) = running.look_at_sessions(home, app)
    assert (check.subject, check.state, asked) == ("Sessions", "attention", ["coven.desktop.state.v1"])
    assert f"session-1 of {routine or 'a routine that it does not name'} runs (process 4242)" in check.text
    unknown.clear()
    assert list(running.look_at_sessions(home, app)) == []


def test_without_an_app_nothing_is_asked(home: Home) -> None:
    assert list(running.look_at_sessions(home, NOT_RUNNING)) == []
