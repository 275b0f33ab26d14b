"""What failed since the person last looked: a night's failures are told until somebody has seen them.

What is held, undecided or quarantined needs the person and is counted apart (store/attention.py); this counts what has
ended. Instants are UTC milliseconds.
"""

from __future__ import annotations

from dataclasses import dataclass

from coven_desktop.contract import timestamps
from coven_desktop.engine.attempts import DECIDED
from coven_desktop.store import failures
from coven_desktop.store.transactions import Reader


@dataclass(frozen=True)
class Overlooked:
    """`amount` runs ended as failed after `since`; the first of them was due at `due_from`.

    The feed was read up to `position`, and is read on from there.
    """

    since: int
    position: int = 0
    amount: int = 0
    due_from: int | None = None


def overlooked(reader: Reader, known: Overlooked) -> Overlooked:
    """What is known with what came since. What the person stopped, or decided to have failed, is not counted."""
    found = failures.since(reader, timestamps.to_text(known.since), known.position, DECIDED)
    first = known.due_from
    if found.due_from is not None:
        due = timestamps.parse(found.due_from)
        first = due if first is None else min(first, due)
    return Overlooked(known.since, found.position, known.amount + found.amount, first)
