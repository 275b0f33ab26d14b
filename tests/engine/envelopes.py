"""Commands sent in envelopes, and what is left behind of them."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from coven_desktop.contract.errors import TypedRefusal
from coven_desktop.engine.answers import Answer, InEnvelope, Pending
from coven_desktop.engine.commands import envelope
from tests.contract.rich_bodies import request, rich
from tests.engine.conftest import Bench

ROUTINE = "harbour-log"
_keys = itertools.count(1)


def send(
    bench: Bench, command: str, payload: object, expected: int | None = None, key: str | None = None, **changes: Any
) -> Answer:
    """Carry out an envelope under a fresh key unless one is given, and let the engine turn."""
    outcome = envelope.command(bench.engine, request(command, payload, key or fresh(), expected, **changes))
    return bench.done(outcome) if isinstance(outcome, Pending) else outcome


def told(answer: Answer) -> dict[str, Any]:
    """What stands in `result`."""
    assert answer.result is not None
    return answer.result


def refusal(bench: Bench, command: str, payload: object, expected: int | None = None, **how: Any) -> TypedRefusal:
    """The typed refusal of a command in an envelope."""
    with pytest.raises(InEnvelope) as caught:
        send(bench, command, payload, expected, **how)
    assert isinstance(caught.value.cause, TypedRefusal)
    assert caught.value.head["command"] == command
    return caught.value.cause


def create(bench: Bench, changes: dict[str, Any] | None = None, **how: Any) -> Answer:
    """Create the draft."""
    return send(bench, "definition.create.v1", {"definition": rich(changes)}, **how)


def revise(bench: Bench, expected: int, changes: dict[str, Any] | None = None, **how: Any) -> Answer:
    """Revise it, paused unless the changes say otherwise."""
    return send(bench, "definition.revise.v1", {"definition": next_one(expected, changes)}, expected, **how)


def next_one(expected: int, changes: dict[str, Any] | None = None) -> dict[str, Any]:
    """The definition that follows on a revision, paused unless the changes say otherwise."""
    return rich({"revision": expected + 1, "lifecycleState": "paused", **(changes or {})})


def move(bench: Bench, name: str, expected: int, **how: Any) -> Answer:
    """Activate, pause, disable or tombstone it."""
    return send(bench, f"definition.{name}.v1", {"automationId": ROUTINE}, expected, **how)


def fresh() -> str:
    """A key that was never used."""
    return f"adopt:envelope:{next(_keys):04}"


def everything(bench: Bench) -> dict[str, list[tuple[Any, ...]]]:
    """All rows of all tables."""
    names = [name for (name,) in bench.rows("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")]
    return {name: bench.rows(f"SELECT * FROM {name}") for name in names}
