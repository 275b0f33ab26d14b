"""command-envelope-outcomes: commands in envelopes, one after another, to one store (contract/commands.md §10.8).

A minute passes with each step. Steps are `send` {envelope}, `restart`, and of our own `act` {action, members}: the
action without an envelope, for what both wires must agree about. Of each is told:

- outcome: committed or replayed, rejected, or refused when it is no envelope, which has no result;
- revision, result, eventRef, the names of the members of the answer and of its result, and event {action, origin,
  intentId} or null;
- errorCode, currentRevision, variant, and what a refusal wrote: nothing, adoption, or more, which it must not;
- replays: the first step with the same request whose result and eventRef it tells again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from typing import Any

import msgspec

from coven_desktop.conformance.inputs import CannotCompute, Inputs
from coven_desktop.conformance.stage import Stage, stage
from coven_desktop.contract.errors import TypedRefusal
from coven_desktop.contract.timestamps import parse
from coven_desktop.engine.answers import Answer, InEnvelope, Pending
from coven_desktop.engine.commands import envelope, importing, versioned
from coven_desktop.engine.engine import Engine

FIRST = parse("2026-08-30T09:00:00.000Z")
MINUTE_MS = 60_000
STEPS_LIMIT = 32

_Command = Callable[[Engine, Mapping[str, Any]], Answer | Pending]

ACTIONS: Mapping[str, _Command] = {
    "definition.create.v1": versioned.create,
    "definition.revise.v1": versioned.revise,
    "definition.activate.v1": versioned.activate,
    "definition.pause.v1": versioned.pause,
    "definition.disable.v1": versioned.disable,
    "definition.tombstone.v1": versioned.tombstone,
    "legacy.import.v1": importing.import_v1,
}


def outcomes(case: Inputs) -> dict[str, Any]:
    """What each step of a case comes to."""
    steps = case.inner_list("steps")
    if not 1 <= len(steps) <= STEPS_LIMIT:
        raise CannotCompute(f"a case has 1 to {STEPS_LIMIT} steps")
    told: list[dict[str, Any]] = []
    with stage(FIRST) as made, ExitStack() as reopened:
        app = made
        engine = app.leading()
        for index, step in enumerate(steps):
            app.at(FIRST + index * MINUTE_MS)
            if step.choice("kind", ("send", "act", "restart")) == "restart":
                app.close()
                app = app.reopen()
                reopened.callback(app.close)
                engine = app.leading()
                told.append({})
                continue
            before = _rows(app)
            found = _carry_out(app, engine, *_asked(step))
            if found["outcome"] in ("rejected", "refused"):
                found["writes"] = _written(before, _rows(app))
            found["replays"] = _first(steps, told, index, found)
            told.append(found)
    return {"steps": told}


def _asked(step: Inputs) -> tuple[_Command, Mapping[str, Any]]:
    if step.text("kind") == "send":
        return envelope.command, {"action": "coven.automations.command.v1", "envelope": step.members("envelope")}
    return ACTIONS[step.choice("action", ACTIONS)], step.members("members")


def _carry_out(made: Stage, engine: Engine, command: _Command, body: Mapping[str, Any]) -> dict[str, Any]:
    try:
        outcome = command(engine, body)
    except InEnvelope as refused:
        if not isinstance(refused.cause, TypedRefusal):
            raise refused.cause from refused
        return {"outcome": "rejected", **_refusal(refused.cause)}
    except TypedRefusal as refusal:
        # without an envelope a refusal has no result either
        return {"outcome": "refused" if command is envelope.command else "rejected", **_refusal(refusal)}
    if isinstance(outcome, Pending):
        made.turn()
        if not isinstance(outcome.outcome, Answer):
            raise CannotCompute("the answer did not come")
        outcome = outcome.outcome
    # lists are handed on as the JSON they are stored as
    result = msgspec.json.decode(msgspec.json.encode(outcome.result or outcome.payload))
    return {
        "outcome": result["outcome"],
        "revision": result.get("revision"),
        "result": result["result"],
        "resultMembers": list(result["result"]),
        "eventRef": result.get("eventRef"),
        "members": list(result),
        "event": _event(outcome),
    }


def _refusal(refusal: TypedRefusal) -> dict[str, Any]:
    return {
        "errorCode": refusal.code.value,
        "currentRevision": refusal.current_revision,
        "variant": (refusal.details or {}).get("variant"),
    }


def _event(answer: Answer) -> dict[str, Any] | None:
    """Which action the event tells of, and for whom."""
    if not answer.in_event or answer.asked is None:
        return None
    return {"action": answer.asked.action, "origin": answer.asked.origin, "intentId": answer.asked.intent_id}


def _first(steps: list[Inputs], told: list[dict[str, Any]], index: int, found: dict[str, Any]) -> int | None:
    """Which step a replay tells again."""
    if found["outcome"] != "replayed":
        return None
    for earlier, before in enumerate(told):
        same = all(before.get(name) == found[name] for name in ("result", "eventRef"))
        if before.get("outcome") == "committed" and same and _key(steps[earlier]) == _key(steps[index]):
            return earlier
    return None


def _key(step: Inputs) -> Any:
    return step.members("envelope" if step.text("kind") == "send" else "members").get("adoptionKey")


def _rows(made: Stage) -> dict[str, list[tuple[Any, ...]]]:
    names = [name for (name,) in made.store.query("SELECT name FROM sqlite_schema WHERE type = 'table'")]
    return {name: made.store.query(f"SELECT * FROM {name}") for name in names}


def _written(before: dict[str, Any], after: dict[str, Any]) -> str:
    changed = {name for name in after if before[name] != after[name]}
    if changed - {"adoptions"}:
        return f"more: {', '.join(sorted(changed))}"
    return "adoption" if changed else "nothing"
