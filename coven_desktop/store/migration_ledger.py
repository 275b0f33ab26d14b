"""The ledger of what migrations at open have rewritten: each routine as it was before (contract/engine.md §2.2).

Append-only. A migration of the schema is not told here: it changes no routine.
"""

from __future__ import annotations

from coven_desktop.store.definitions import DefinitionRow
from coven_desktop.store.transactions import Transaction


def record(tx: Transaction, migration: str, old: DefinitionRow, new: DefinitionRow) -> None:
    """Keep the body and the digest that a migration has replaced, in the transaction of the new revision."""
    tx.change(
        "INSERT INTO migration_ledger (migration, automation_id, old_revision, old_digest, old_body, new_revision,"
        " new_digest, recorded_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (migration, old.id, old.revision, old.digest, old.body, new.revision, new.digest, tx.now_text),
    )
