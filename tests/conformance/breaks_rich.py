"""Breaks of rich definitions: one for each rule of contract/commands.md §7.4 to §7.6."""

from __future__ import annotations

from tests.conformance.breaks import Break, made

_RICH = "engine/commands/rich.py"
_REVISIONS = "engine/revisions.py"
_DEFINITION = "contract/rich_definition.py"
_DIGEST = "contract/digest.py"
_SHAPES = "contract/shapes.py"
_MEMBERS = "contract/rich_shapes.py"

_DRAFT = "a-draft-is-revised-activated-and-ended"
_ORDER_CREATE = "the-first-of-many-faults-is-told-on-creation"
_ORDER_REVISE = "the-first-of-many-faults-is-told-on-revision"
_STATE = "a-revision-keeps-to-its-state"

_DELIVERY = '        (written["policies"], "delivery", "outputTarget.atomic"),\n'
_ACTIVATION = '        (written, "activation", "activation"),\n'


def _definitions(rule: str, cases: str, *edits: tuple[str, str, str]) -> Break:
    return made(rule, "command-envelope-outcomes", cases, *edits)


# what a definition is
CONTENT = (
    _definitions(
        "a digest is looked at",
        "a-digest-is-that-of-the-content",
        (_DEFINITION, '    if value["integrity"] != integrity:', "    if False:"),
    ),
    _definitions(
        "what is empty is content",
        "a-digest-is-that-of-the-content",
        (
            _DIGEST,
            'in document.items() if name != "integrity"}',
            'in document.items() if name != "integrity" and value != []}',
        ),
    ),
    _definitions(
        "only the integrity at the top is left out",
        "a-digest-is-that-of-the-content",
        (
            _DIGEST,
            'return named(digest({name: value for name, value in document.items() if name != "integrity"}))',
            "return named(digest(json.loads(json.dumps(document), object_hook=lambda found: {\n"
            '        name: value for name, value in found.items() if name != "integrity"})))',
        ),
    ),
    _definitions(
        "nothing is rounded",
        "a-digest-is-that-of-the-content",
        (_DEFINITION, "    _refuse_large(definition)\n", ""),
    ),
    _definitions(
        "who runs it is known, but for drafts",
        "only-a-draft-may-leave-open-who-runs-it",
        (_DEFINITION, '    if value["lifecycleState"] in _BOUND_STATES:', "    if False:"),
    ),
    _definitions(
        "a draft may leave it open",
        "only-a-draft-may-leave-open-who-runs-it",
        (_DEFINITION, '_BOUND_STATES = ("active",', '_BOUND_STATES = ("draft", "active",'),
    ),
    *(
        _definitions(rule, "the-members-of-a-definition-fit-their-limits", edit)
        for rule, edit in (
            (
                "names have a bound",
                (_DEFINITION, '"display": record({"name": text(160, 1)}', '"display": record({"name": text(161)}'),
            ),
            ("tags are told apart", (_SHAPES, "        if len(set(value)) != len(value):", "        if False:")),
            ("there are no conditions", (_DEFINITION, "    if value != []:", "    if False:")),
            ("a rich zone is exact", (_MEMBERS, "zones.is_valid_name(value)", "bool(value)")),
            ("triggers are schedules", (_MEMBERS, '"variant": one_of("schedule"),', '"variant": text(20),')),
            ("actions invoke familiars", (_MEMBERS, 'one_of("familiarInvocation")', "text(20)")),
            ("there is one version", (_MEMBERS, "_FIRST_VERSION = integer(1, 1)", "_FIRST_VERSION = integer(1, 2)")),
            ("there is a longest run", (_MEMBERS, "integer(1, TIMEOUT_MINUTES_LIMIT)", "integer(1, 50_000)")),
            ("a fixed wait is told", (_MEMBERS, 'if value["backoffPolicy"] == "fixed" and', "if False and")),
            ("runs never overlap", (_MEMBERS, 'one_of("forbid")', 'one_of("forbid", "allow")')),
            ("the newest stands for all", (_MEMBERS, 'one_of("latest")', 'one_of("latest", "all")')),
            ("a target has a mode", (_MEMBERS, 'if "outputTarget" in value and "mode" not in value:', "if False:")),
            (
                "tombstoned is not a state",
                (_DEFINITION, '"disabled", "invalid")\nDEFAULT', '"disabled", "invalid", "tombstoned")\nDEFAULT'),
            ),
            (
                "somebody has created it",
                (
                    _DEFINITION,
                    '            {"createdBy": PRINCIPAL},\n            {',
                    '            {},\n            {"createdBy": PRINCIPAL, ',
                ),
            ),
            (
                "familiars are bound exactly",
                (_DEFINITION, '"familiarBindingPolicy": one_of("exact")', '"familiarBindingPolicy": text(20)'),
            ),
        )
    ),
)

# rich create and revise
AUTHORING = (
    _definitions(
        "what is created is a draft",
        f"{_DRAFT} the-feed-tells-the-digest-of-the-routine",
        (_RICH, '            lifecycle="draft",\n', ""),
    ),
    _definitions(
        "the routine of a draft is paused",
        f"{_DRAFT} a-routine-stands-for-its-definition",
        (_DEFINITION, '"ACTIVE" if definition["lifecycleState"] == "active" else "PAUSED"', '"ACTIVE"'),
    ),
    _definitions(
        "a first revision is 1",
        "a-definition-begins-at-revision-one",
        (_RICH, 'if written["revision"] != 1:', "if False:"),
    ),
    _definitions(
        "a next revision is the next number",
        "a-revision-follows-on-the-one-before",
        (_RICH, 'if written["revision"] != expected + 1:', "if False:"),
    ),
    _definitions(
        "nothing but a draft is created",
        "a-definition-begins-as-a-draft",
        (_RICH, 'if written["lifecycleState"] != "draft":', "if False:"),
    ),
    _definitions(
        "a draft is revised as paused",
        _STATE,
        (_RICH, 'REVISED_AS = {"draft": "paused",', 'REVISED_AS = {"draft": "draft",'),
    ),
    _definitions("paused stays paused", _STATE, (_RICH, '"paused": "paused", "active"', '"active"')),
    _definitions("active stays active", _STATE, (_RICH, ', "active": "active"}', "}")),
    _definitions(
        "a state that is not lawful tells the revision that is there",
        _STATE,
        (
            _RICH,
            'can only be revised with lifecycleState {wanted}", current',
            'can only be revised with lifecycleState {wanted}"',
        ),
    ),
    _definitions(
        "no delivery is carried",
        f"what-is-not-carried-is-named a-refusal-stands-for-ever {_ORDER_CREATE} {_ORDER_REVISE}",
        (_RICH, _DELIVERY, ""),
    ),
    _definitions(
        "no activation is carried",
        f"what-is-not-carried-is-named {_ORDER_CREATE}",
        (_RICH, _ACTIVATION, ""),
    ),
    _definitions(
        "delivery comes before activation",
        _ORDER_CREATE,
        (
            _RICH,
            _DELIVERY + _ACTIVATION,
            _ACTIVATION + _DELIVERY,
        ),
    ),
    _definitions(
        "what is not carried comes first on creation",
        _ORDER_CREATE,
        (
            _RICH,
            "        _check_carried(written)\n        _check_commandable(written, None)\n",
            "        _check_commandable(written, None)\n        _check_carried(written)\n",
        ),
    ),
    _definitions(
        "what is not carried comes first on revision",
        _ORDER_REVISE,
        (_RICH, "        _check_carried(written)\n        found =", "        found ="),
        (
            _RICH,
            "        _check_commandable(written, current)\n",
            "        _check_commandable(written, current)\n        _check_carried(written)\n",
        ),
    ),
    _definitions(
        "states that no command leads to come before the revision",
        f"{_ORDER_CREATE} {_ORDER_REVISE}",
        (_RICH, 'if state in ("disabled", "invalid"):', "if False:"),
    ),
    _definitions(
        "the state comes before a stale revision",
        _ORDER_REVISE,
        (
            _RICH,
            "    if wanted is not None and",
            "    if current is not None and current.revision == expected and wanted is not None and",
        ),
    ),
    _definitions(
        "the revision comes before the state of a first definition",
        _ORDER_CREATE,
        (
            _RICH,
            '        if written["revision"] != 1:\n'
            '            raise fields.invalid("the first revision of a definition is 1")\n'
            '        if written["lifecycleState"] != "draft":\n'
            '            raise versioned.illegal("a rich definition is created as a draft")\n',
            '        if written["lifecycleState"] != "draft":\n'
            '            raise versioned.illegal("a rich definition is created as a draft")\n'
            '        if written["revision"] != 1:\n'
            '            raise fields.invalid("the first revision of a definition is 1")\n',
        ),
    ),
    _definitions(
        "the routine is negotiated",
        "what-is-not-carried-is-named",
        ("contract/negotiation.py", '        self._replace(self._body, "rrule", self._rule)\n', ""),
    ),
    _definitions(
        "an id is used once",
        _ORDER_CREATE,
        (_RICH, "        versioned.check_absent(tx, definition.id)\n", ""),
    ),
    _definitions(
        "without a requirement the runtime is the contract's",
        "only-a-draft-may-leave-open-who-runs-it",
        (_DEFINITION, 'DEFAULT_RUNTIME = "coven-code"', 'DEFAULT_RUNTIME = "shell"'),
    ),
    *(
        _definitions(
            f"{what} is that of the definition", "a-routine-stands-for-its-definition", (_DEFINITION, old, new)
        )
        for what, old, new in (
            ("the name", '"name": display["name"]', '"name": definition["automationId"]'),
            ("the deadline", 'policies["timeout"]["perRunMinutes"]', "30"),
            ("the retry policy", '        "retry": policies["retry"],\n', ""),
            ("what it is tagged with", 'display.get("tags", [])', "[]"),
            (
                "the folder, the model and the familiar",
                "        if name in holder:\n            routine",
                "        if False:\n            routine",
            ),
        )
    ),
)

# what is kept
KEPT = (
    _definitions(
        "what was written is kept on revision",
        "what-was-written-is-told-as-it-stands a-flat-revision-takes-the-rich-one-away",
        (
            _RICH,
            "managed=versioned.MANAGED, adoption_key=key, rich=written\n",
            "managed=versioned.MANAGED, adoption_key=key\n",
        ),
    ),
    _definitions(
        "moves leave it",
        f"what-was-written-is-told-as-it-stands {_DRAFT}",
        (_REVISIONS, "    elif event in AUTHORING:", "    else:"),
    ),
    _definitions(
        "a flat revision takes it away",
        "a-flat-revision-takes-the-rich-one-away",
        (_REVISIONS, "        rich_definitions.drop(tx, definition.id)\n", "        pass\n"),
    ),
    _definitions(
        "it is told with the state of the routine",
        f"what-was-written-is-told-as-it-stands {_DRAFT}",
        (_DEFINITION, '"revision": revision, "lifecycleState": lifecycle_state}', '"revision": revision}'),
    ),
    _definitions(
        "and with its revision",
        f"what-was-written-is-told-as-it-stands {_DRAFT}",
        (_DEFINITION, '"revision": revision, "lifecycleState": lifecycle_state}', '"lifecycleState": lifecycle_state}'),
    ),
    _definitions(
        "and with the digest of that",
        "what-was-written-is-told-as-it-stands",
        (_DEFINITION, '"integrity": sealed(moved)}', '"integrity": definition["integrity"]}'),
    ),
    _definitions(
        "the feed tells the digest of the routine",
        "the-feed-tells-the-digest-of-the-routine",
        (
            _REVISIONS,
            "digest=digest_of(definition),",
            'digest=digest_of(definition) if rich is None else rich["integrity"]["value"],',
        ),
    ),
)

RICH = (*CONTENT, *AUTHORING, *KEPT)
