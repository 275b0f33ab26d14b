"""Receipts of settled runs: written once, never changed, never deleted (decisions.md 36 and 37)."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from coven_desktop.store.transactions import Reader, Transaction


@dataclass(frozen=True)
class ReceiptRow:
    """One stored receipt and what it was stored for; `body` is the document's text."""

    id: str
    run_id: str
    attempt_id: str
    automation_id: str
    body: str
    produced_at: str


def insert(tx: Transaction, receipt: dict[str, Any]) -> None:
    """Keep the receipt of a run that is being settled in this transaction."""
    tx.change(
        "INSERT INTO receipts (id, run_id, attempt_id, automation_id, body, produced_at) VALUES (?, ?, ?, ?, ?, ?)",
        (
            receipt["receiptId"],
            receipt["runId"],
            receipt["attemptId"],
            receipt["automationId"],
            json.dumps(receipt, ensure_ascii=False, separators=(",", ":")),
            receipt["producedAt"],
        ),
    )


def get(reader: Reader, receipt_id: str) -> ReceiptRow | None:
    """The receipt of an id."""
    row = reader.one(
        "SELECT id, run_id, attempt_id, automation_id, body, produced_at FROM receipts WHERE id = ?", (receipt_id,)
    )
    return ReceiptRow(*row) if row is not None else None
