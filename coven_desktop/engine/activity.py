"""What happened, line by line, for the window's Activity page: read from the feed and the journal, told in ui/."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from coven_desktop.contract import timestamps
from coven_desktop.store import activity
from coven_desktop.store.activity import Lines as Lines
from coven_desktop.store.questions import Question
from coven_desktop.store.transactions import Reader

PAGE = 200


@dataclass(frozen=True)
class ActivityLine:
    """One thing that happened, at an instant (UTC milliseconds).

    `kind` is a word of the feed or of the journal, `facts` what it says: the payload of an event or the journal's body.
    `by` is the adoption key of the command that caused it. `scheduled_for` and `reason_class` are those of the
    occurrence. Of times that were missed a line stands for so many `slots`, from `first_slot` to `scheduled_for`.
    """

    number: int
    at: int
    kind: str
    automation_id: str | None
    name: str | None
    deleted: bool
    occurrence_id: str | None
    scheduled_for: int | None
    by: str | None
    facts: Mapping[str, Any] = field(repr=False)
    reason_class: str | None = None
    slots: int | None = None
    first_slot: int | None = None


@dataclass(frozen=True)
class Place:
    """How far the feed and the journal were read."""

    position: int
    journal: int


@dataclass(frozen=True)
class FirstPage:
    """The newest lines, and where what comes later begins."""

    lines: Lines
    place: Place


def newest(reader: Reader, question: Question) -> FirstPage:
    """The newest lines."""
    place = Place(*activity.ends(reader))
    return FirstPage(activity.older(reader, question, None, PAGE), place)


def older(reader: Reader, question: Question, below: int) -> Lines:
    """The lines below a position."""
    return activity.older(reader, question, below, PAGE)


def newer(reader: Reader, question: Question, place: Place) -> tuple[list[int], Place]:
    """The lines that came meanwhile, newest first, and how far that is."""
    reached = Place(*activity.ends(reader))
    return activity.newer(reader, question, place.position, place.journal), reached


def lines(reader: Reader, numbers: Sequence[int]) -> list[ActivityLine]:
    """The lines with these numbers, in no order."""
    return [_line(record) for record in activity.lines(reader, numbers)]


def _line(record: activity.LineRecord) -> ActivityLine:
    body = json.loads(record.body)
    facts = body.get("payload", {}) if record.number > 0 else body
    return ActivityLine(
        number=record.number,
        at=timestamps.parse(record.recorded_at),
        kind=record.kind,
        automation_id=record.automation_id,
        name=record.name,
        deleted=bool(record.tombstoned),
        occurrence_id=record.occurrence_id,
        scheduled_for=None if record.scheduled_for is None else timestamps.parse(record.scheduled_for),
        by=body.get("causation", {}).get("adoptionKey") if record.number > 0 else None,
        facts=facts,
        reason_class=record.reason_class,
        slots=record.slots,
        first_slot=None if record.first_slot is None else timestamps.parse(record.first_slot),
    )
