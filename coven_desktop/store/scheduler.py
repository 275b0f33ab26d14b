"""The scheduler's authority and its last pass: one row each (contract/engine.md §10.1)."""

from __future__ import annotations

from dataclasses import dataclass

from coven_desktop.store.transactions import Reader, Transaction


@dataclass(frozen=True)
class Authority:
    """Who leads, and for the how-manieth time somebody does."""

    generation: int
    owner_id: str | None
    acquired_at: str | None


@dataclass(frozen=True)
class LastPass:
    """The record of one pass; instants are text, counters null when the pass failed before counting."""

    generation: int
    trigger: str
    scheduled_at: str
    started_at: str
    start_lag_ms: int
    finished_at: str
    duration_ms: int
    status: str
    error_class: str | None
    planned: int | None
    recovered: int | None
    claimed: int | None
    dispatched: int | None
    failures: int | None


def authority(reader: Reader) -> Authority:
    """The authority row."""
    row = reader.one("SELECT generation, owner_id, acquired_at FROM scheduler_authority WHERE id = 1")
    return Authority(*row) if row else Authority(0, None, None)


def acquire(tx: Transaction, owner_id: str) -> int:
    """Take the lead: the generation rises by one and stays risen. Returns it."""
    return tx.number(
        "UPDATE scheduler_authority SET generation = generation + 1, owner_id = ?, acquired_at = ? WHERE id = 1"
        " RETURNING generation",
        (owner_id, tx.now_text),
    )


def release(tx: Transaction, owner_id: str) -> None:
    """Give the lead up, if it is still ours; the generation stays."""
    tx.change("UPDATE scheduler_authority SET owner_id = NULL WHERE id = 1 AND owner_id = ?", (owner_id,))


def last_pass(reader: Reader) -> LastPass | None:
    """The record of the last pass."""
    row = reader.one(
        "SELECT generation, trigger, scheduled_at, started_at, start_lag_ms, finished_at, duration_ms, status,"
        " error_class,"
        " planned, recovered, claimed, dispatched, failures FROM scheduler_last_pass WHERE id = 1"
    )
    return LastPass(*row) if row else None


def record_pass(tx: Transaction, record: LastPass) -> None:
    """Replace the record of the last pass."""
    tx.change(
        "INSERT OR REPLACE INTO scheduler_last_pass (id, generation, trigger, scheduled_at, started_at, start_lag_ms,"
        " finished_at, duration_ms, status, error_class, planned, recovered, claimed, dispatched, failures)"
        " VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        # in the order of its fields; `astuple` would copy each of them deeply, in every pass
        tuple(vars(record).values()),
    )
