"""command.v1: a command in an envelope is carried out by the action of its name (contract/commands.md §7).

So a key replays on either wire. Reads are answered anew each time: their key is echoed and not spent. What an envelope
cannot carry is refused before anything is looked at, and nothing is written. None of this wakes the scheduler.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from coven_desktop.contract.envelope import Envelope, parse
from coven_desktop.contract.errors import Code, TypedRefusal
from coven_desktop.contract.shapes import ShapeError
from coven_desktop.engine.answers import Answer, Asked, InEnvelope, Outcome, Pending
from coven_desktop.engine.commands import events, fields, importing, reading, rich, versioned
from coven_desktop.engine.engine import Engine

_Handler = Callable[[Engine, Envelope], Answer | Pending]


def command(engine: Engine, body: Mapping[str, Any]) -> Answer | Pending:
    """Carry out what the envelope asks for. Body: `action` and `envelope` alone.

    Raises VALIDATION_FAILED for a request that is no envelope; InEnvelope for whatever the command itself raises.
    """
    try:
        asked = parse(body)
    except ShapeError as fault:
        raise fields.invalid(str(fault)) from fault
    try:
        outcome = _carry_out(engine, asked)
    except Exception as cause:
        # whoever waits is told in the envelope, whatever it is
        raise InEnvelope(asked.head, cause) from cause
    if isinstance(outcome, Answer):
        return _told(asked, outcome)
    pending = Pending()
    outcome.when_done(lambda done: pending.complete(_done(asked, done)))
    return pending


def _carry_out(engine: Engine, asked: Envelope) -> Answer | Pending:
    handler = _HANDLERS.get(asked.command)
    if handler is None:
        raise _unsupported(f"{asked.command} is not carried out from an envelope; send it as an action of its own")
    for name in _NOT_CARRIED.get(asked.command, ()):
        if name in asked.payload and (name, asked.payload[name]) != ("lifecycleState", "all"):
            raise _unsupported(f"{name} of {asked.command} is not carried out from an envelope")
    return handler(engine, asked)


def _done(asked: Envelope, outcome: Outcome) -> Outcome:
    return _told(asked, outcome) if isinstance(outcome, Answer) else InEnvelope(asked.head, outcome)


def _told(asked: Envelope, answer: Answer) -> Answer:
    """The answer below the head of the envelope; its event is that of the action."""
    inner = {"outcome": "committed", "result": answer.payload} if asked.command in _READS else answer.payload
    return replace(
        answer,
        result={**asked.head, **{name: value for name, value in inner.items() if value is not None}},
        asked=Asked(f"coven.automations.{asked.command}", asked.channel, asked.correlation_id),
    )


def _unsupported(message: str) -> TypedRefusal:
    return TypedRefusal(Code.CAPABILITY_UNSUPPORTED, message)


def _flat(asked: Envelope) -> dict[str, Any]:
    """The body of the action that moves a definition."""
    body = {
        "adoptionKey": asked.adoption_key,
        "id": asked.payload["automationId"],
        "expectedRevision": asked.expected_revision,
    }
    return {**body, "reason": asked.payload["reason"]} if "reason" in asked.payload else body


def _by_id(asked: Envelope) -> dict[str, Any]:
    """The body of a read about one routine."""
    return {"id": asked.payload["automationId"]}


_READS: Mapping[str, _Handler] = {
    # of the states a list can be asked for, only `all` gets here
    "definition.list.v1": lambda engine, asked: reading.list_definitions(
        engine, {"includeTombstoned": "lifecycleState" in asked.payload}
    ),
    "definition.get.v1": lambda engine, asked: reading.get_definition(engine, _by_id(asked)),
    "definition.health.v1": lambda engine, asked: reading.definition_health(engine, _by_id(asked)),
    "run.history.v1": lambda engine, asked: reading.run_history(engine, asked.payload),
    "events.read.v1": lambda engine, asked: events.read(engine, asked.payload),
    "events.subscribe.v1": lambda engine, asked: events.subscribe(engine, asked.payload),
}
_COMMANDS: Mapping[str, _Handler] = {
    "definition.create.v1": rich.create,
    "definition.revise.v1": rich.revise,
    "definition.activate.v1": lambda engine, asked: versioned.activate(engine, _flat(asked), wakes=False),
    "definition.pause.v1": lambda engine, asked: versioned.pause(engine, _flat(asked), wakes=False),
    "definition.disable.v1": lambda engine, asked: versioned.disable(engine, _flat(asked)),
    "definition.tombstone.v1": lambda engine, asked: versioned.tombstone(engine, _flat(asked), wakes=False),
    "legacy.import.v1": lambda engine, asked: importing.import_v1(
        engine, {"adoptionKey": asked.adoption_key, **asked.payload}
    ),
}
_HANDLERS: Mapping[str, _Handler] = {**_COMMANDS, **_READS}

# Members that an envelope may bring and that no action of ours takes.
_NOT_CARRIED: Mapping[str, tuple[str, ...]] = {
    "definition.tombstone.v1": ("reason",),
    "definition.list.v1": ("lifecycleState", "limit", "cursor"),
    "definition.get.v1": ("revision",),
}
