"""Who may stop a run's session, and the cancellations that were asked for.

One stop fence a run: whoever holds it, the timeout or one cancellation, is the only party that stops
the session (contract/engine.md §8.4, contract/commands.md §4.5).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from coven_desktop.store.transactions import Reader, Transaction

Owner = Literal["timeout", "cancellation", "recovery"]

_FENCE = "run_id, owner, attempt_id, session_id, taken_at, expires_at"
_CANCELLATION = (
    "number, adoption_key, fingerprint, run_id, attempt_id, session_id, scope, reason, requested_by, state,"
    " requested_at, lease_expires_at, acknowledged_at, reconciled_at"
)


@dataclass(frozen=True)
class StopFence:
    """The right to stop one session, until it ends."""

    run_id: str
    owner: str
    attempt_id: str
    session_id: str
    taken_at: str
    expires_at: str


@dataclass(frozen=True)
class Cancellation:
    """One request to cancel a run."""

    number: int
    adoption_key: str
    fingerprint: str
    run_id: str
    attempt_id: str
    session_id: str
    scope: str
    reason: str
    requested_by: str
    state: str
    requested_at: str
    lease_expires_at: str
    acknowledged_at: str | None
    reconciled_at: str | None


def fence(reader: Reader, run_id: str) -> StopFence | None:
    """The stop fence on a run."""
    row = reader.one(f"SELECT {_FENCE} FROM stop_fences WHERE run_id = ?", (run_id,))
    return StopFence(*row) if row else None


def fences(reader: Reader) -> list[StopFence]:
    """All stop fences."""
    return [StopFence(*row) for row in reader.query(f"SELECT {_FENCE} FROM stop_fences ORDER BY expires_at, run_id")]


def take(tx: Transaction, *, run_id: str, owner: Owner, attempt_id: str, session_id: str, expires_at: str) -> bool:
    """Take the run's stop fence; False when somebody holds it."""
    return bool(
        tx.change(
            "INSERT INTO stop_fences (run_id, owner, attempt_id, session_id, taken_at, expires_at) VALUES (?, ?,"
            " ?, ?, ?, ?)"
            " ON CONFLICT DO NOTHING",
            (run_id, owner, attempt_id, session_id, tx.now_text, expires_at),
        )
    )


def renew(tx: Transaction, run_id: str, expires_at: str) -> None:
    """A stop that is asked for again after a restart has its full time again."""
    tx.change("UPDATE stop_fences SET expires_at = ? WHERE run_id = ?", (expires_at, run_id))


def release(tx: Transaction, run_id: str) -> None:
    """The stop is over, however it ended."""
    tx.change("DELETE FROM stop_fences WHERE run_id = ?", (run_id,))


def expired(reader: Reader, now_text: str) -> list[StopFence]:
    """Stop fences whose time is over without an outcome."""
    return [fence for fence in fences(reader) if fence.expires_at <= now_text]


def next_expiry(reader: Reader) -> str | None:
    """When the next stop fence ends."""
    row = reader.one("SELECT min(expires_at) FROM stop_fences")
    return row[0] if row else None


def request(
    tx: Transaction,
    *,
    adoption_key: str,
    fingerprint: str,
    run_id: str,
    attempt_id: str,
    session_id: str,
    reason: str,
    requested_by: str,
    lease_expires_at: str,
) -> None:
    """Record a cancellation that was asked for; its key is reserved by it until it has an outcome."""
    tx.change(
        "INSERT INTO cancellations (adoption_key, fingerprint, run_id, attempt_id, session_id, scope, reason,"
        " requested_by,"
        " state, requested_at, lease_expires_at) VALUES (?, ?, ?, ?, ?, 'run', ?, ?, 'requested', ?, ?)",
        (
            adoption_key,
            fingerprint,
            run_id,
            attempt_id,
            session_id,
            reason,
            requested_by,
            tx.now_text,
            lease_expires_at,
        ),
    )


def cancellation(reader: Reader, adoption_key: str) -> Cancellation | None:
    """The cancellation that a key stands for."""
    row = reader.one(f"SELECT {_CANCELLATION} FROM cancellations WHERE adoption_key = ?", (adoption_key,))
    return Cancellation(*row) if row else None


def open_cancellation(reader: Reader, run_id: str) -> Cancellation | None:
    """The cancellation of a run that has no outcome yet."""
    row = reader.one(
        f"SELECT {_CANCELLATION} FROM cancellations WHERE run_id = ? AND state IN ('requested', 'stopping')", (run_id,)
    )
    return Cancellation(*row) if row else None


def latest_cancellation(reader: Reader, attempt_id: str) -> Cancellation | None:
    """The newest cancellation of an attempt."""
    row = reader.one(
        f"SELECT {_CANCELLATION} FROM cancellations WHERE attempt_id = ? ORDER BY number DESC LIMIT 1", (attempt_id,)
    )
    return Cancellation(*row) if row else None


def set_state(
    tx: Transaction,
    adoption_key: str,
    state: str,
    *,
    acknowledged_at: str | None = None,
    reconciled_at: str | None = None,
) -> None:
    """Record how far a cancellation has come."""
    tx.change(
        "UPDATE cancellations SET state = ?, acknowledged_at = coalesce(?, acknowledged_at),"
        " reconciled_at = coalesce(?, reconciled_at) WHERE adoption_key = ?",
        (state, acknowledged_at, reconciled_at, adoption_key),
    )
