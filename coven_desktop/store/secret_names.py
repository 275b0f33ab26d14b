"""The names of the secrets that were given to the keyring from this home; their values are nowhere but there."""

from __future__ import annotations

from coven_desktop.store.transactions import Reader, Transaction


def every(reader: Reader) -> dict[str, str]:
    """The names in order, and when each was set last."""
    return {row[0]: row[1] for row in reader.query("SELECT name, set_at FROM secret_names ORDER BY name")}


def remember(tx: Transaction, name: str) -> None:
    """The keyring has this secret now."""
    tx.change(
        "INSERT INTO secret_names VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET set_at = excluded.set_at",
        (name, tx.now_text),
    )


def forget(tx: Transaction, name: str) -> None:
    """The keyring does not have it any more."""
    tx.change("DELETE FROM secret_names WHERE name = ?", (name,))
