"""What the notifications tell of, as instants and words of the engine: one look at the store, on any connection."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from coven_desktop.contract import timestamps
from coven_desktop.contract.states import NONE
from coven_desktop.engine.reads import Reads
from coven_desktop.runtime import output_log
from coven_desktop.store import happenings
from coven_desktop.store.happenings import MoveRow
from coven_desktop.store.occurrences import SUPERSEDED_BY_LATEST

PAGE = 500
"""So many events are read at a look; whoever gets a full page looks again."""

BEGINNING_BYTES = 2_000
"""So much of an output is looked at for a notification; a record may be longer."""

# Adoption keys of these doors are the person's own acts; scripts choose their own names.
_PERSON = ("window:", "covenctl:")

Ending = Literal["ran", "failed", "missed"]
_ENDINGS: dict[str | None, Ending] = {"succeeded": "ran", "failed": "failed", "skipped": "missed"}


@dataclass(frozen=True)
class Waiting:
    """What needs the person: a quarantine (no `occurrence_id`), an outcome that nobody knows, a held run, or a routine
    that failures in a row have paused (no `occurrence_id`; `reason` is how many).
    """

    kind: Literal["quarantined", "undecided", "held", "paused"]
    automation_id: str
    name: str
    occurrence_id: str | None
    since: int
    reason: str


@dataclass(frozen=True)
class Ended:
    """What became of `slots` slots of a routine. `scheduled_for` and `created_at` are those of the occurrence."""

    position: int
    automation_id: str
    name: str
    occurrence_id: str
    ending: Ending
    slots: int
    scheduled_for: int
    created_at: int
    at: int
    reason: str


@dataclass(frozen=True)
class Act:
    """The person did something with a routine."""

    automation_id: str
    at: int


@dataclass(frozen=True)
class Printed:
    """What a run printed, its beginning, which its routine wants to have shown as a notification."""

    name: str
    occurrence_id: str
    text: str


@dataclass(frozen=True)
class Look:
    """What was found. `reached` is the position to look behind next time, `more` whether to do so at once."""

    waiting: tuple[Waiting, ...]
    ended: tuple[Ended, ...]
    acts: tuple[Act, ...]
    reached: int
    more: bool
    open_before: int
    printed: tuple[Printed, ...] = ()


def look(reads: Reads, behind: int | None, before: int | None, pausing_failures: int = 0) -> Look:
    """Look behind a position of the feed; at its end when that is None, or beyond it (another database was put in
    place). `open_before` counts the open slots before the instant `before`, UTC milliseconds.
    `pausing_failures`: so many in a row pause a routine (0: never).
    """
    reader = reads.reader
    with reader.snapshot():
        newest = happenings.newest(reader)
        begin = newest if behind is None else min(behind, newest)
        rows = happenings.moves(reader, begin, PAGE)
        more = len(rows) == PAGE
        reached = rows[-1].position if more else newest
        return Look(
            waiting=tuple(
                Waiting(
                    row.kind, row.automation_id, row.name, row.occurrence_id, timestamps.parse(row.since), row.reason
                )
                for row in happenings.matters(reader, pausing_failures)
            ),
            ended=tuple(ended for row in rows if (ended := _ended(row)) is not None),
            acts=tuple(Act(row.automation_id, timestamps.parse(row.recorded_at)) for row in rows if _is_act(row)),
            reached=reached,
            more=more,
            open_before=0 if before is None else happenings.open_before(reader, timestamps.to_text(before)),
            printed=tuple(
                Printed(row.name, row.occurrence_id, _beginning(reads, row.session_id))
                for row in happenings.printed(reader, begin, reached)
            ),
        )


def _beginning(reads: Reads, session_id: str) -> str:
    """The first of what a session has printed; nothing when that is not kept."""
    try:
        return output_log.text(reads.session_output(session_id, at_most=BEGINNING_BYTES)[0])[:BEGINNING_BYTES]
    except (OSError, output_log.OutputError):
        return ""


def _is_act(row: MoveRow) -> bool:
    begun_by_hand = row.kind == "manual" and row.source == "none"
    return begun_by_hand or (row.adoption_key or "").startswith(_PERSON)


def _ended(row: MoveRow) -> Ended | None:
    slots = 1
    ending = _ENDINGS.get(row.target)
    if row.target == "superseded" and row.reason == SUPERSEDED_BY_LATEST:
        ending = "missed"
    if row.source == NONE:
        # one that was never planned has its misfire event as well, and that says for how many slots it stands
        ending = None
    if row.collapsed:
        ending, slots = "missed", row.collapsed
    if ending is None:
        return None
    return Ended(
        position=row.position,
        automation_id=row.automation_id,
        name=row.name,
        occurrence_id=row.occurrence_id,
        ending=ending,
        slots=slots,
        scheduled_for=timestamps.parse(row.scheduled_for),
        created_at=timestamps.parse(row.created_at),
        at=timestamps.parse(row.recorded_at),
        reason=row.reason or "",
    )
