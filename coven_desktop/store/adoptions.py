"""The ledger of command keys: what each key was first used for and what it was answered.

Append-only, one name space for all commands and for attempts (contract/commands.md §3.1).
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Literal

from coven_desktop.store.transactions import Reader, Transaction


@dataclass(frozen=True)
class Adoption:
    """One spent key."""

    adoption_key: str
    command: str
    fingerprint: str
    automation_id: str | None
    outcome: str
    revision: int | None
    response: dict[str, Any]
    adopted_at: str


def get(reader: Reader, adoption_key: str) -> Adoption | None:
    """What a key was spent on."""
    row = reader.one(
        "SELECT adoption_key, command, fingerprint, automation_id, outcome, revision, response, adopted_at FROM"
        " adoptions"
        " WHERE adoption_key = ?",
        (adoption_key,),
    )
    if row is None:
        return None
    key, command, fingerprint, automation_id, outcome, revision, response, adopted_at = row
    return Adoption(key, command, fingerprint, automation_id, outcome, revision, json.loads(response), adopted_at)


def used_by_attempt(reader: Reader, adoption_key: str) -> bool:
    """Whether an attempt carries this key."""
    return bool(reader.number("SELECT count(*) FROM attempts WHERE adoption_key = ?", (adoption_key,)))


def adopt(
    tx: Transaction,
    *,
    adoption_key: str,
    command: str,
    fingerprint: str,
    automation_id: str | None,
    outcome: Literal["committed", "rejected"],
    revision: int | None,
    response: dict[str, Any],
) -> None:
    """Spend a key, in the transaction of the change or of the refusal."""
    tx.change(
        "INSERT INTO adoptions (adoption_key, command, fingerprint, automation_id, outcome, revision, response,"
        " adopted_at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (
            adoption_key,
            command,
            fingerprint,
            automation_id,
            outcome,
            revision,
            json.dumps(response, ensure_ascii=False, separators=(",", ":")),
            tx.now_text,
        ),
    )
