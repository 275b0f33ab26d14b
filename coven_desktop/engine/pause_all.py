"""Pause all: nothing is planned and nothing is claimed, and no definition changes (design/decisions.md 39).

Passes go on: what runs is watched, settles and meets its deadline. What a person asks for, a run now or a retry by
hand, starts as ever; automatic retries wait. The pause is a fact of the store, so it outlives the app. At its end it is
like the end of a downtime: each family applies its own rule for what was missed (design/schedules.md).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from coven_desktop.contract import timestamps
from coven_desktop.store import journal, maintenance, occurrences
from coven_desktop.store.transactions import Reader, Transaction

# "no", or "since/until" as an interval of ISO 8601, with an open end as ".."
_FACT = "pause_all"
_NONE = "no"
_OPEN = ".."


@dataclass(frozen=True)
class Pause:
    """A pause of everything. UTC milliseconds; `until` None: until it is resumed."""

    since: int
    until: int | None

    def to_wire(self) -> dict[str, Any]:
        """As the API tells it."""
        until = None if self.until is None else timestamps.to_text(self.until)
        return {"since": timestamps.to_text(self.since), "until": until}


def recorded(reader: Reader) -> Pause | None:
    """The pause that was begun and not ended, also when its time is over and no pass has seen that yet."""
    found = maintenance.get(reader, _FACT)
    if found is None or found == _NONE:
        return None
    since, _, until = found.partition("/")
    return Pause(timestamps.parse(since), None if until == _OPEN else timestamps.parse(until))


def current(reader: Reader, now: int) -> Pause | None:
    """The pause that lasts at an instant."""
    pause = recorded(reader)
    return pause if pause is not None and (pause.until is None or now < pause.until) else None


def begin(tx: Transaction, until: int | None) -> Pause:
    """Pause everything; a pause that lasts already gets this end. What was claimed and not dispatched is given back."""
    before = current(tx, tx.now)
    pause = Pause(tx.now if before is None else before.since, until)
    end_text = _OPEN if until is None else timestamps.to_text(until)
    maintenance.put(tx, _FACT, f"{timestamps.to_text(pause.since)}/{end_text}")
    journal.note(tx, "pause_all.began", {"untilAt": until})
    for claim in occurrences.claims_to_return(tx):
        if not occurrences.asked_for(tx, claim.id):
            occurrences.give_back(tx, claim.id, reason=claim.failure_reason)
    return pause


def end(tx: Transaction) -> bool:
    """End the pause; False when there is none. Whoever ends it lets a pass begin."""
    if recorded(tx) is None:
        return False
    maintenance.put(tx, _FACT, _NONE)
    journal.note(tx, "pause_all.ended", {})
    return True


def end_if_over(tx: Transaction) -> None:
    """End a pause whose time is over, so that a clock that is set back does not begin it again."""
    if recorded(tx) is not None and current(tx, tx.now) is None:
        end(tx)
