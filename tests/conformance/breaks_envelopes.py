"""Breaks of commands in envelopes: one for each rule of contract/commands.md §7.1 to §7.3."""

from __future__ import annotations

from tests.conformance.breaks import Break, made

_COMMAND = "engine/commands/envelope.py"
_RICH = "engine/commands/rich.py"
_REQUESTS = "engine/commands/definition_requests.py"
_ENVELOPE = "contract/envelope.py"
_SHAPES = "contract/shapes.py"


def _envelopes(rule: str, cases: str, *edits: tuple[str, str, str]) -> Break:
    return made(rule, "command-envelope-outcomes", cases, *edits)


# what is in an envelope
SHAPE = (
    _envelopes(
        "objects are closed",
        "an-envelope-is-closed a-definition-is-closed",
        (_SHAPES, "            if name not in members:", "            if False:"),
    ),
    _envelopes(
        "what is required must be there",
        "an-envelope-is-closed",
        (
            _SHAPES,
            '                raise ShapeError(f"{place}.{name}", "is missing")',
            "                return",
        ),
    ),
    _envelopes(
        "null is not absent",
        "what-is-optional-is-absent-and-never-null",
        (_SHAPES, "            if name in value:\n", "            if value.get(name) is not None:\n"),
    ),
    _envelopes(
        "the version of the contract is looked at",
        "the-members-of-an-envelope-fit-their-grammars",
        (_ENVELOPE, '"schemaVersion": one_of(SCHEMA_VERSION),', '"schemaVersion": text(40),'),
    ),
    _envelopes(
        "a command has its whole name",
        "the-members-of-an-envelope-fit-their-grammars",
        (_ENVELOPE, '"command": one_of(*PAYLOADS),', '"command": one_of(*PAYLOADS, "definition.health"),'),
        (
            _ENVELOPE,
            '    command = envelope["command"]\n',
            '    command = envelope["command"].removesuffix(".v1") + ".v1"\n',
        ),
    ),
    _envelopes(
        "a key has its grammar",
        "the-members-of-an-envelope-fit-their-grammars",
        (_ENVELOPE, '"adoptionKey": ADOPTION_KEY,', '"adoptionKey": text(200),'),
    ),
    _envelopes(
        "channels are known",
        "the-members-of-an-envelope-fit-their-grammars",
        (_ENVELOPE, '"sdk", "cave")', '"sdk", "cave", "tcp")'),
    ),
    _envelopes(
        "principals have their grammar",
        "the-members-of-an-envelope-fit-their-grammars",
        (_SHAPES, '{"principalId": PRINCIPAL_ID}', '{"principalId": text(128)}'),
    ),
    _envelopes(
        "correlations have their grammar",
        "the-members-of-an-envelope-fit-their-grammars",
        (_ENVELOPE, '"correlationId": CORRELATION_ID', '"correlationId": text(200)'),
    ),
    _envelopes(
        "instants are instants",
        "the-members-of-an-envelope-fit-their-grammars",
        (_ENVELOPE, '"requestedAt": TIMESTAMP', '"requestedAt": text(30)'),
    ),
    _envelopes(
        "an intent says something, in a thousand characters",
        "the-members-of-an-envelope-fit-their-grammars",
        (_ENVELOPE, 'record({"statement": text(1000, 1)})', 'record({"statement": text(2000)})'),
    ),
    _envelopes(
        "an expected revision is needed to move a definition",
        "an-expected-revision-stands-where-it-is-needed",
        (_ENVELOPE, 'if command in REVISION_EXPECTED and "', 'if False and "'),
    ),
    _envelopes(
        "and to nothing else",
        "an-expected-revision-stands-where-it-is-needed",
        (_ENVELOPE, 'if command not in REVISION_EXPECTED and "', 'if False and "'),
    ),
)

# what is carried out, and by what
HANDLING = (
    _envelopes(
        "what is not carried out from an envelope is told so",
        "what-an-envelope-does-not-carry-spends-no-key",
        (
            _COMMAND,
            "    if handler is None:\n        raise _unsupported(",
            "    if handler is None:\n        raise fields.invalid(",
        ),
    ),
    _envelopes(
        "and spends no key",
        "what-an-envelope-does-not-carry-spends-no-key",
        (
            _COMMAND,
            "    if handler is None:\n",
            "    if handler is None:\n"
            "        versioned.pause(engine, {'adoptionKey': asked.adoption_key, 'id': 'x', 'expectedRevision': 1})\n",
        ),
    ),
    _envelopes(
        "a reason of a deletion is not dropped",
        "members-that-no-action-takes-are-refused",
        (_COMMAND, '    "definition.tombstone.v1": ("reason",),\n', ""),
    ),
    _envelopes(
        "a list has no pages",
        "members-that-no-action-takes-are-refused",
        (_COMMAND, '("lifecycleState", "limit", "cursor")', '("lifecycleState",)'),
    ),
    _envelopes(
        "a list does not choose",
        "members-that-no-action-takes-are-refused",
        (_COMMAND, '("lifecycleState", "limit", "cursor")', '("limit", "cursor")'),
    ),
    _envelopes(
        "only the newest revision is told",
        "members-that-no-action-takes-are-refused",
        (_COMMAND, '    "definition.get.v1": ("revision",),\n', ""),
    ),
    _envelopes(
        "a list of all has the deleted ones, and another has not",
        "a-list-has-all-or-those-that-live",
        (_COMMAND, '"lifecycleState" in asked.payload', '"lifecycleState" not in asked.payload'),
    ),
    _envelopes(
        "moves share their keys with the flat actions",
        "a-key-replays-on-either-wire",
        (
            _COMMAND,
            '    body = {\n        "adoptionKey": asked.adoption_key,',
            '    body = {\n        "adoptionKey": f"e:{asked.adoption_key}",',
        ),
    ),
    _envelopes(
        "and what makes two of them the same",
        "a-key-replays-on-either-wire",
        (
            _COMMAND,
            '{**body, "reason": asked.payload["reason"]}',
            '{**body, "reason": asked.payload["reason"] + "!"}',
        ),
    ),
    _envelopes(
        "imports share their keys, too",
        "an-import-is-the-same-on-either-wire",
        (_COMMAND, '{"adoptionKey": asked.adoption_key, **asked', '{"adoptionKey": f"e:{asked.adoption_key}", **asked'),
    ),
    _envelopes(
        "reads are answered as committed",
        "reads-are-fresh-and-spend-no-key a-list-has-all-or-those-that-live",
        (_COMMAND, '{"outcome": "committed", "result"', '{"outcome": "replayed", "result"'),
    ),
    _envelopes(
        "reads tell the revision in what was read alone",
        "reads-are-fresh-and-spend-no-key",
        (
            _COMMAND,
            '"result": answer.payload} if asked',
            '"result": answer.payload, "revision": 1} if asked',
        ),
    ),
    _envelopes(
        "reads spend no key",
        "reads-are-fresh-and-spend-no-key",
        (
            _COMMAND,
            '"definition.get.v1": lambda engine, asked: reading.get_definition(engine, _by_id(asked)),',
            '"definition.get.v1": lambda engine, asked: definition_requests.spend(\n'
            '    engine, asked.adoption_key, "get", {}, None, lambda tx, key: Answer(\n'
            '        {"revision": None, **reading.get_definition(engine, _by_id(asked)).payload})),',
        ),
        (_COMMAND, "import events, fields,", "import definition_requests, events, fields,"),
    ),
)

# how it is answered
ANSWERS = (
    _envelopes(
        "the answer stands below the head",
        "the-same-envelope-is-carried-out-once",
        (_COMMAND, "result={**asked.head, **", "result={**"),
    ),
    _envelopes(
        "what there is none of is left out",
        "an-import-is-the-same-on-either-wire",
        (_COMMAND, " for name, value in inner.items() if value is not None}", " for name, value in inner.items()}"),
    ),
    _envelopes(
        "the event is that of the action",
        "who-asks-and-why-is-not-what-is-asked",
        (_COMMAND, 'Asked(f"coven.automations.{asked.command}",', 'Asked("coven.automations.command.v1",'),
    ),
    _envelopes(
        "the origin of the event is the channel, its intent the correlation",
        "who-asks-and-why-is-not-what-is-asked",
        (_COMMAND, "asked.channel, asked.correlation_id)", "asked.correlation_id, asked.channel)"),
    ),
    _envelopes(
        "a replay has no event",
        "who-asks-and-why-is-not-what-is-asked",
        (_REQUESTS, "in_result=True, in_event=False)", "in_result=True)"),
    ),
    _envelopes(
        "who asks is not what is asked",
        "who-asks-and-why-is-not-what-is-asked",
        (_RICH, '{**covered, "richDefinition"', '{**covered, "channel": asked.channel, "richDefinition"'),
    ),
    _envelopes(
        "what is asked is the content",
        "another-content-under-a-key-is-refused",
        (_RICH, "fingerprint.lossless(written)", 'written["automationId"]'),
    ),
    _envelopes(
        "and the revision that is expected",
        "another-content-under-a-key-is-refused",
        (_RICH, '{**covered, "richDefinition"', '{"richDefinition"'),
    ),
    _envelopes(
        "refusals are adopted",
        "a-refusal-stands-for-ever keys-survive-a-restart what-is-not-carried-is-named",
        ("engine/adoption.py", "            refusal = refused\n", "            raise\n"),
    ),
    _envelopes(
        "a replay tells the revision and the event of then",
        "the-same-envelope-is-carried-out-once keys-survive-a-restart",
        (_REQUESTS, 'payload = {**adopted.response, "outcome"', 'payload = {"result": {}, "revision": None, "outcome"'),
    ),
)

ENVELOPES = (*SHAPE, *HANDLING, *ANSWERS)
