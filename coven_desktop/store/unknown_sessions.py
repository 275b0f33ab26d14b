"""Live sessions of which the store knows nothing, as the engine has found them: after an older backup was put in place.

Kept as one fact, so that every connection reads it, and so that the questions of what may start can ask it.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import NamedTuple

from coven_desktop.store import maintenance
from coven_desktop.store.transactions import Reader, Transaction

_FACT = "unknown_sessions"


class UnknownSession(NamedTuple):
    """One of them: the process is that of its host. Of which routine it is is None where it does not say so."""

    session_id: str
    process: int
    automation_id: str | None


def every(reader: Reader) -> list[UnknownSession]:
    """All that still live, by session."""
    return [UnknownSession(*row) for row in json.loads(maintenance.get(reader, _FACT) or "[]")]


def put(tx: Transaction, found: Sequence[UnknownSession]) -> None:
    """These are all there are."""
    if list(found) != every(tx):
        maintenance.put(tx, _FACT, json.dumps(found))


def holds_back(automation_id: str) -> str:
    """Whether one of them is of the routine that this piece of SQL names: then nothing of it may start beside it."""
    return (
        f"EXISTS (SELECT 1 FROM maintenance us, json_each(us.value) u WHERE us.name = '{_FACT}'"
        f" AND json_extract(u.value, '$[2]') = {automation_id})"
    )
