"""Commands in envelopes (contract/commands.md §7)."""

from __future__ import annotations

from collections.abc import Mapping

from coven_desktop.api.described.definitions import AUTOMATIONS, GONE, MISMATCH
from coven_desktop.api.described.events import TO_READ
from coven_desktop.api.described.model import Description, Error, Member, Type, any_of, choice, map_of, optional, shape
from coven_desktop.api.described.rich import PRINCIPAL, RICH_DEFINITION
from coven_desktop.api.described.scalars import (
    ADOPTION_KEY,
    ANYTHING,
    AUTOMATION_ID,
    BOOLEAN,
    COUNT,
    ENTITY_ID,
    INSTANT,
    REVISION,
    SENT_INSTANT,
    TEXT,
    exactly,
    integer,
    text,
)
from coven_desktop.contract.errors import Code
from coven_desktop.contract.strict_json import INTEGER_LIMIT

_ROUTINE = Member("automationId", AUTOMATION_ID)
_LIMIT, _CURSOR = optional("limit", integer(1, 100)), optional("cursor", text(256))
_AFTER = optional("after", integer(0, INTEGER_LIMIT))
_WHY, _NOTE = optional("reason", text(500)), optional("note", text(500))


def _payload(name: str, words: str, *members: Member) -> Type:
    return shape(*members, name=f"{name}Payload", words=words, closed=True)


_AUTHORED = _payload(
    "Author", "Of `definition.create.v1` and `definition.revise.v1`.", Member("definition", RICH_DEFINITION)
)
_MOVED = _payload(
    "Move",
    "Of `definition.activate.v1`, `definition.pause.v1`, `definition.disable.v1` and `definition.tombstone.v1`.",
    _ROUTINE,
    optional("reason", text(500), "Not carried by `definition.tombstone.v1`: `CAPABILITY_UNSUPPORTED`."),
)
_LISTED = _payload(
    "DefinitionList",
    "Of `definition.list.v1`. Of its members only `lifecycleState` `all` is carried: with the deleted ones.",
    optional("lifecycleState", choice("draft", "paused", "active", "disabled", "invalid", "tombstoned", "all")),
    _LIMIT,
    _CURSOR,
)
_GOT = _payload(
    "DefinitionGet", "Of `definition.get.v1`. `revision` is not carried.", _ROUTINE, optional("revision", REVISION)
)
_HEALTH = _payload("DefinitionHealth", "Of `definition.health.v1`.", _ROUTINE)
_HISTORY = _payload(
    "RunHistory", "Of `run.history.v1`.", _ROUTINE, optional("occurrenceId", ENTITY_ID), _LIMIT, _CURSOR
)
_READ = _payload(
    "EventsRead",
    "Of `events.read.v1`.",
    Member("stream", TO_READ),
    _AFTER,
    optional("limit", integer(1, 1000)),
    optional("from", SENT_INSTANT),
)
_SUBSCRIBED = _payload(
    "EventsSubscribe",
    "Of `events.subscribe.v1`.",
    Member("stream", TO_READ),
    _AFTER,
    optional("checkpoint", text(512, least=1)),
)
_IMPORTED = _payload(
    "Import",
    "Of `legacy.import.v1`.",
    Member("source", exactly("codex-automation-toml")),
    optional("dryRun", BOOLEAN),
)

PAYLOADS: Mapping[str, Type] = {
    "definition.create.v1": _AUTHORED,
    "definition.revise.v1": _AUTHORED,
    "definition.activate.v1": _MOVED,
    "definition.pause.v1": _MOVED,
    "definition.disable.v1": _MOVED,
    "definition.tombstone.v1": _MOVED,
    "definition.list.v1": _LISTED,
    "definition.get.v1": _GOT,
    "definition.health.v1": _HEALTH,
    "run.history.v1": _HISTORY,
    "events.read.v1": _READ,
    "events.subscribe.v1": _SUBSCRIBED,
    "legacy.import.v1": _IMPORTED,
}
"""Of each command that an envelope can carry."""
NOT_CARRIED = tuple(
    f"{name}.v1"
    for name in (
        *("run.cancel", "occurrence.runNow", "occurrence.cancel", "attempt.cancel", "attempt.retry"),
        "occurrence.recover",
    )
)

ENVELOPE = shape(
    Member("schemaVersion", exactly("coven.automations.v1")),
    Member("command", choice(*PAYLOADS, *NOT_CARRIED), "The action without `coven.automations.`."),
    Member("adoptionKey", ADOPTION_KEY, "Names this request for good; a read only tells it back."),
    Member(
        "origin",
        shape(
            Member("principal", PRINCIPAL),
            Member(
                "channel",
                choice("daemon-ipc", "http", "control-action", "cli", "sdk", "cave"),
                "Told back as the `origin` of the event.",
            ),
            optional("authenticationClass", text(64)),
            optional("requestedAt", SENT_INSTANT),
            optional(
                "correlationId",
                Type(
                    "text of 1 to 200 letters, digits and `. _ : -`, a letter or digit first",
                    {"type": "string", "pattern": "^[A-Za-z0-9][A-Za-z0-9._:-]{0,199}$"},
                ),
                "Told back as the `intentId` of the event.",
            ),
            closed=True,
        ),
        "Who asks. It grants nothing.",
    ),
    Member("intent", shape(Member("statement", text(1000, least=1)), closed=True), "Why, for people."),
    Member("payload", any_of(*{of.name: of for of in PAYLOADS.values()}.values()), "As the command takes it."),
    optional(
        "expectedRevision",
        REVISION,
        "Required to revise, activate, pause, disable and tombstone; otherwise it must be absent.",
    ),
    name="Envelope",
    words="A command in its closed form. What is absent is left out, never null.",
    closed=True,
)

ANSWER = shape(
    Member("schemaVersion", exactly("coven.automations.v1")),
    Member("command", choice(*PAYLOADS)),
    Member("adoptionKey", ADOPTION_KEY),
    Member("outcome", choice("committed", "replayed")),
    optional("revision", REVISION),
    Member(
        "result",
        map_of(ANYTHING, "object"),
        "What the action of this name answers: of a read its payload, of the others `result.result`. Of"
        " `definition.create.v1` and `definition.revise.v1` also `definition`, the [RichDefinition](#richdefinition).",
    ),
    optional("eventRef", shape(Member("stream", TEXT), Member("sequence", COUNT))),
    optional("replay", shape(Member("firstCommittedAt", INSTANT)), "Only when it is a replay."),
)

COMMAND = Description(
    AUTOMATIONS + "command.v1",
    "Carry out a command in an envelope: the one way to write a rich definition.",
    (Member("envelope", ENVELOPE),),
    ANSWER,
    (
        Error(
            Code.VALIDATION_FAILED,
            "the envelope does not have its shape, or the digest is wrong: then no key is spent; or the action refuses",
        ),
        Error(
            Code.CAPABILITY_UNSUPPORTED,
            "the command or a member is not carried in an envelope: then no key is spent; or the action refuses",
        ),
        Error(Code.ILLEGAL_TRANSITION, "the state of the definition, or of the routine, does not allow it"),
        Error(Code.NOT_FOUND, "there is no such routine"),
        GONE,
        Error(Code.REVISION_CONFLICT, "the routine has another revision"),
        MISMATCH,
    ),
    words="A key is the same in an envelope and without one: a move that is sent both ways is carried out once. The"
    " event is that of the action, with `origin` and `intentId` from the envelope. A refusal has a `result`, too:"
    " `schemaVersion`, `command`, `adoptionKey`, `outcome` `rejected` and the `error`. None of it wakes the scheduler.",
    answers_in="both",
    in_event=map_of(ANYTHING, "object"),
    closed=True,
    key="adoptionKey",
)

ALL = (COMMAND,)
