"""definition.create and revise .v1 with a rich definition, which come in an envelope alone (contract/commands.md §7.4).

The definition has its shape and its digest already. A rich routine begins as a draft, so that nothing runs before a
revision has made it paused and a person has activated it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from coven_desktop.contract import fingerprint
from coven_desktop.contract.definition import Definition, stored
from coven_desktop.contract.envelope import Envelope
from coven_desktop.contract.negotiation import Unsupported
from coven_desktop.contract.rich_definition import routine_of
from coven_desktop.engine import projections, revisions
from coven_desktop.engine.answers import Answer
from coven_desktop.engine.commands import definition_requests, fields, versioned
from coven_desktop.engine.engine import Engine
from coven_desktop.engine.revisions import Committed
from coven_desktop.store import definitions
from coven_desktop.store.definitions import DefinitionRow
from coven_desktop.store.transactions import Transaction

# What a revision must say of the state it leads to, by the state that it follows on. Where nothing stands, the routine
# cannot be revised at all, which the flat rules say after they have looked at the revision.
REVISED_AS = {"draft": "paused", "invalid": "paused", "paused": "paused", "active": "active"}


def create(engine: Engine, asked: Envelope) -> Answer:
    """Create a draft. Inner result: `routine`, `revision`, `definition`."""
    written = asked.payload["definition"]

    def apply(tx: Transaction, key: str) -> Answer:
        _check_carried(written)
        _check_commandable(written, None)
        if written["revision"] != 1:
            raise fields.invalid("the first revision of a definition is 1")
        if written["lifecycleState"] != "draft":
            raise versioned.illegal("a rich definition is created as a draft")
        definition = versioned.negotiated(routine_of(written))
        versioned.check_absent(tx, definition.id)
        made = revisions.commit(
            tx,
            None,
            "created",
            definition,
            managed=versioned.MANAGED,
            adoption_key=key,
            lifecycle="draft",
            rich=written,
        )
        return _answer(tx, made, definition)

    return _spend(engine, asked, {}, apply)


def revise(engine: Engine, asked: Envelope) -> Answer:
    """Replace a definition, rich or flat. Inner result as `create`."""
    written, expected = asked.payload["definition"], asked.expected_revision or 0

    def apply(tx: Transaction, key: str) -> Answer:
        _check_carried(written)
        found = definitions.get(tx, written["automationId"])
        current = found if found is not None and found.family == "rrule" else None
        _check_commandable(written, current)
        if written["revision"] != expected + 1:
            raise fields.invalid("the revision of a definition that is revised is expectedRevision + 1")
        wanted = REVISED_AS.get(current.state) if current is not None else None
        if wanted is not None and written["lifecycleState"] != wanted:
            raise versioned.illegal(
                f"routine `{written['automationId']}` can only be revised with lifecycleState {wanted}", current
            )
        definition = versioned.negotiated(routine_of(written))
        current = versioned.revisable(tx, definition, expected)
        made = revisions.commit(
            tx, current, "revised", definition, managed=versioned.MANAGED, adoption_key=key, rich=written
        )
        return _answer(tx, made, definition)

    return _spend(engine, asked, {"expectedRevision": expected}, apply)


def _spend(engine: Engine, asked: Envelope, covered: Mapping[str, Any], apply: definition_requests.Apply) -> Answer:
    """A rich definition is another request than any flat one, so no key stands for both."""
    written = asked.payload["definition"]
    return definition_requests.spend(
        engine,
        asked.adoption_key,
        asked.command,
        {**covered, "richDefinition": fingerprint.lossless(written)},
        written["automationId"],
        apply,
    )


def _check_carried(written: Mapping[str, Any]) -> None:
    """What this product has no way to carry out is refused, not kept and forgotten."""
    for holder, name, variant in (
        (written["policies"], "delivery", "outputTarget.atomic"),
        (written, "activation", "activation"),
    ):
        if name in holder:
            raise versioned.unsupported(Unsupported(variant))


def _check_commandable(written: Mapping[str, Any], current: DefinitionRow | None) -> None:
    state = written["lifecycleState"]
    if state in ("disabled", "invalid"):
        raise versioned.illegal(f"no definition is created or revised as {state}", current)


def _answer(tx: Transaction, made: Committed, definition: Definition) -> Answer:
    rich = projections.rich_definition(tx, made.row)
    result = {"routine": stored(definition), "revision": made.row.revision, "definition": rich}
    return definition_requests.answer(made, result)
