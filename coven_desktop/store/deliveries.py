"""What runs have to deliver, and what became of it: one row for each run with a delivery (design/schedules.md)."""

from __future__ import annotations

from typing import Literal, NamedTuple

from coven_desktop.store.errors import StoreBug
from coven_desktop.store.transactions import Reader, Transaction

Status = Literal["none", "pending", "delivered", "failed"]

_COLUMNS = "run_id, kind, path, mode, status, begun_at, ended_at, error"


class DeliveryRow(NamedTuple):
    """One delivery; instants are text. `begun_at`: from then on something outside may have changed."""

    run_id: str
    kind: str
    path: str | None
    mode: str | None
    status: str
    begun_at: str | None
    ended_at: str | None
    error: str | None


class Outcome(NamedTuple):
    """What the command of a run came to, and apart from it what became of what it printed.

    `outcome` is ok or failed, None while nothing is known and of a run that was cancelled.
    """

    outcome: str | None
    status: str
    error: str | None


def get(reader: Reader, run_id: str) -> DeliveryRow | None:
    """The delivery of a run that has come to its delivery."""
    row = reader.one(f"SELECT {_COLUMNS} FROM deliveries WHERE run_id = ?", (run_id,))
    return DeliveryRow(*row) if row else None


def pending(reader: Reader) -> list[DeliveryRow]:
    """Every delivery that has not ended, by run."""
    rows = reader.query(f"SELECT {_COLUMNS} FROM deliveries WHERE status = 'pending' ORDER BY run_id")
    return [DeliveryRow(*row) for row in rows]


def outcome(reader: Reader, run_id: str) -> Outcome:
    """Outcome and delivery of a run. StoreBug when there is none with this id."""
    row = reader.one("SELECT outcome, delivery_status, delivery_error FROM run_outcomes WHERE run_id = ?", (run_id,))
    if row is None:
        raise StoreBug(f"there is no run {run_id}")
    return Outcome(*row)


def add(tx: Transaction, run_id: str, kind: str, path: str | None, mode: str | None) -> None:
    """A run has succeeded and is to deliver this."""
    tx.change(
        "INSERT INTO deliveries (run_id, kind, path, mode, status) VALUES (?, ?, ?, ?, 'pending')",
        (run_id, kind, path, mode),
    )


def begin(tx: Transaction, run_id: str) -> None:
    """Before anything outside is touched that must not be touched twice."""
    changed = tx.change(
        "UPDATE deliveries SET begun_at = ? WHERE run_id = ? AND status = 'pending' AND begun_at IS NULL",
        (tx.now_text, run_id),
    )
    if changed != 1:
        raise StoreBug(f"the delivery of {run_id} was begun before")


def end(tx: Transaction, run_id: str, error: str | None) -> bool:
    """It was delivered, or failed with `error`. False when it had ended before."""
    changed = tx.change(
        "UPDATE deliveries SET status = ?, ended_at = ?, error = ? WHERE run_id = ? AND status = 'pending'",
        ("delivered" if error is None else "failed", tx.now_text, error, run_id),
    )
    return changed == 1
