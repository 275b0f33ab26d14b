"""Facts about the database file itself: whether it was left cleanly, when it was last checked and backed up."""

from __future__ import annotations

from coven_desktop.store.transactions import Reader, Transaction


def get(reader: Reader, name: str) -> str | None:
    """The value of a fact."""
    row = reader.one("SELECT value FROM maintenance WHERE name = ?", (name,))
    return row[0] if row else None


def put(tx: Transaction, name: str, value: str) -> None:
    """Record a fact."""
    tx.change(
        "INSERT INTO maintenance (name, value, updated_at) VALUES (?, ?, ?)"
        " ON CONFLICT (name) DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at",
        (name, value, tx.now_text),
    )
