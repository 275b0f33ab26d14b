"""The zone `local` in a stored routine is replaced by an exact one when the store opens, as a new revision.

No command stores `local`, and the database refuses it (migration 0002); it comes with a database of an older version
or with a restored backup of one. Every opening looks, so that it does not matter how the row got there, and a routine
that was rewritten is not found again. Sources: decisions.md 32, contract/engine.md §2.2, contract/recorded-states.md.

When the host cannot tell its zone, or its settings disagree, nothing is guessed: the wrong hour would be worse than
none. Nor does the app refuse to open for it: the other routines have work to do, and the window is where the person
sees what is wrong. The routine keeps its revision and its lifecycle, is marked as broken with the reason, is not
planned, and is tried again at the next opening, or mended by choosing a zone for it.

A body that is no routine besides cannot be rewritten: that routine becomes `invalid`, with its body as it is. This is
the one way to that state, and only for what says `local`: any other broken body keeps its lifecycle (decisions.md 31).
A deleted routine is left alone: nothing runs it, and its history is kept as it was.
"""

from __future__ import annotations

import logging

from coven_desktop.contract.definition import Definition, with_timezone
from coven_desktop.engine import planning, revisions
from coven_desktop.engine.core import Core
from coven_desktop.schedule import zones
from coven_desktop.store import definitions, migration_ledger
from coven_desktop.store.definitions import DefinitionRow
from coven_desktop.store.transactions import Transaction

MIGRATION = "local-timezone-normalization-v1"

_log = logging.getLogger(__name__)


def normalise(core: Core) -> None:
    """Rewrite the live routines that are stored with `local`, each in a transaction of its own. Raises StoreFault.

    The host is asked once for all of them, so that they get the same answer, and never when there are none.
    """
    found = definitions.stored_local(core.store)
    if not found:
        return
    zone: str | None = None
    why = ""
    try:
        zone = zones.resolve_local()
        zones.zone(zone)  # a zone that does not load is no answer
    except zones.ZoneError as error:
        zone, why = None, error.message
    for row in found:
        with core.change(not_before=revisions.last_change(core.store, row.id)) as tx:
            _normalise(tx, row, zone, why)


def _normalise(tx: Transaction, row: DefinitionRow, zone: str | None, why: str) -> None:
    try:
        definition = planning.read(row)
    except planning.Broken as broken:
        made = revisions.invalidate(tx, row)
        migration_ledger.record(tx, MIGRATION, row, made.row)
        definitions.set_broken(tx, row.id, str(broken))
        _log.warning("%s; its timezone `local` cannot be replaced", broken)
        return
    if zone is None:
        reason = f"stored routine `{row.id}` is invalid: timezone `local` cannot be resolved: {why}"
        definitions.set_broken(tx, row.id, f"{reason}; it is tried again at the next start")
        _log.warning("%s", reason)
        return
    if not isinstance(definition, Definition):
        return  # the query finds contract routines alone; ours are stored with an exact zone
    exact = with_timezone(definition, zone)
    made = revisions.commit(tx, row, "revised", exact, managed=row.managed, adoption_key=None, lifecycle=row.lifecycle)
    migration_ledger.record(tx, MIGRATION, row, made.row)
    _log.info(
        "routine `%s` is stored with the timezone `%s` in place of `local` from revision %d on",
        row.id,
        zone,
        made.row.revision,
    )
