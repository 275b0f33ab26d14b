"""The next firings of a schedule, with the wall times that clocks skip or repeat on the way.

It walks the very slots the engine's `next_after` walks, so a preview cannot promise what the engine does not do.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from coven_desktop.schedule import preview_notes
from coven_desktop.schedule.cadence import CadenceSchedule
from coven_desktop.schedule.errors import ScheduleError
from coven_desktop.schedule.local_text import offset_text, wall_text
from coven_desktop.schedule.preview_notes import Note
from coven_desktop.schedule.rrule import RruleError, RruleSchedule, schedule
from coven_desktop.schedule.slots import LAST_SECOND, Schedule
from coven_desktop.schedule.tzif import Jump
from coven_desktop.schedule.wall_schedule import Piece, WallSchedule
from coven_desktop.schedule.zones import ZoneError, resolve_local, zone_data

__all__ = [
    "MOST_FIRINGS",
    "Firing",
    "Note",
    "Preview",
    "document",
    "document_of",
    "preview",
    "preview_before",
    "refusal",
]

MOST_FIRINGS = 1_000

FiringNote = Literal["repeated", "gap", "clamped", "last"]


class Firing(NamedTuple):
    """An instant that fires.

    `at` is UTC milliseconds. `local_text` is RFC 3339 with the zone's offset, "2026-03-29T09:00:00+02:00"; RFC 3339
    has no seconds in offsets, so an offset of local mean time is rounded to the nearest minute while the wall time
    stays exact (Paris in 1900, +00:09:21, is written +00:09): such a text is for reading, `at` for computing.
    `note`: "repeated" when the wall time comes twice, "gap" when it is the jump that stands for skipped wall times,
    "clamped" when the month is too short for the anchor's day, "last" when nothing follows.
    """

    at: int
    local_text: str
    note: FiringNote | None


class Preview(NamedTuple):
    """Firings ascending, and notes in the order of their wall times, none after the last firing."""

    firings: tuple[Firing, ...]
    notes: tuple[Note, ...]


def preview(schedule: Schedule, after: int, count: int, runs_left: int | None = None) -> Preview:
    """The first `count` firings (1–1000) strictly after an instant (UTC milliseconds); fewer when the series ends.

    It ends after `runs_left` firings too. A skipped wall time is noted when its jump, a repeated one when
    any of its instants, lies after `after` and not after the last firing.
    """
    if not 1 <= count <= MOST_FIRINGS:
        raise ValueError(f"a preview has 1 to {MOST_FIRINGS} firings, not {count}")
    firings: list[Firing] = []
    notes: list[Note] = []
    waiting: list[Note] = []
    for told in _told(schedule, after):
        if isinstance(told, Note):
            waiting.append(told)
        elif len(firings) == runs_left:
            break
        elif len(firings) == count:
            return Preview(tuple(firings), tuple(notes))
        else:
            firings.append(told)
            notes += waiting
            waiting.clear()
    if firings:
        firings[-1] = firings[-1]._replace(note="last")
    return Preview(tuple(firings), tuple(notes))


def preview_before(schedule: Schedule, before: int, count: int) -> Preview:
    """The last `count` firings (1–1000) strictly before an instant (UTC milliseconds), ascending, with their notes."""
    if not 1 <= count <= MOST_FIRINGS:
        raise ValueError(f"a preview has 1 to {MOST_FIRINGS} firings, not {count}")
    first, found = before, 0
    while found < count:
        earlier = schedule.previous(first)
        if earlier is None:
            break
        first, found = earlier, found + 1
    return preview(schedule, first - 1, found) if found else Preview((), ())


def document(rrule: str, timezone: str, after: int, count: int) -> dict[str, object]:
    """The document of a contract rule's preview, as `document_of` makes it.

    `local` is resolved first and the exact name reported. RruleError or ZoneError when one is refused (see `refusal`);
    ValueError when `count` is not 1–1000.
    """
    name = resolve_local() if timezone == "local" else timezone
    found = schedule(rrule, name)
    return document_of(found, preview(found, after, count))


def document_of(schedule: Schedule, found: Preview) -> dict[str, object]:
    """What `covenctl preview --json` prints: timezone, zoneData, firings and notes."""
    return {
        "timezone": schedule.zone.name,
        "zoneData": zone_data().version,
        "firings": [
            {"at": _utc_text(firing.at), "local": firing.local_text, "note": firing.note} for firing in found.firings
        ],
        "notes": [{"kind": note.kind, "wall": note.wall_text, "text": note.text} for note in found.notes],
    }


def refusal(error: RruleError | ZoneError | ScheduleError) -> dict[str, object]:
    """The document of a refusal, with the text that creating such a routine would answer (engine.md §1.3, §2.1)."""
    if isinstance(error, ScheduleError):
        field, prefix = error.field, ""
    elif isinstance(error, RruleError):
        field, prefix = "rrule", "rrule failed validation: "
    else:
        field, prefix = "timezone", "routine definition failed validation: "
    return {
        "error": {
            "code": "VALIDATION_FAILED",
            "message": prefix + error.message,
            "field": field,
            "suggestion": error.suggestion,
        }
    }


def _told(schedule: Schedule, after: int) -> Iterator[Firing | Note]:
    """Firings after an instant, ascending, and each note before the first firing that is not before it."""
    if isinstance(schedule, CadenceSchedule):
        for told in _told(schedule.unbounded, max(after, schedule.begin - 1)):
            if isinstance(told, Firing) and told.at > schedule.end:
                return
            yield told
    elif isinstance(schedule, RruleSchedule):
        yield from _told_by_slots(schedule, after)
    elif isinstance(schedule, WallSchedule):
        second = after // 1000 + 1
        noted: list[int] = []
        for piece in schedule.pieces(second):
            yield from _told_by_piece(schedule, piece, second, noted)
    else:
        for at in schedule.between(after, LAST_SECOND * 1000):
            offset = schedule.zone.stretch(at // 1000).offset
            yield _firing(at // 1000 + offset, offset, None)


def _told_by_slots(schedule: RruleSchedule, after: int) -> Iterator[Firing | Note]:
    zone = schedule.zone
    for slot in schedule.slots(after):
        note: FiringNote | None = None
        if len(slot.instants) != 1:
            if not slot.instants:
                if zone.jump_over(slot.wall).at * 1000 > after:
                    yield preview_notes.skipped_slot(zone, slot)
                continue
            if slot.instants[-1] * 1000 > after:
                yield preview_notes.repeated_slot(zone, slot)
            note = "repeated"
        second = slot.instants[0]
        if second * 1000 > after:
            yield _firing(slot.wall, slot.wall - second, note)


def _told_by_piece(schedule: WallSchedule, piece: Piece, second: int, noted: list[int]) -> Iterator[Firing | Note]:
    """What a stretch runs from an instant on (UTC seconds); `noted` are the changes whose repeats have been told."""
    zone, rule, both = schedule.zone, schedule.rule, schedule.both_passes
    start, end, before, offset = piece.start, piece.end, piece.before, piece.offset
    if before < offset and start >= second:
        walls = preview_notes.walls_within(rule, start + before, start + offset)
        if walls is not None:
            yield preview_notes.skipped(zone, walls, Jump(start, before, offset), moved=schedule.at_jump)
    if before > offset and start not in noted:
        to_come = preview_notes.walls_within(rule, max(start, second) + offset, start + before)
        walls = to_come and preview_notes.walls_within(rule, start + offset, start + before)
        if walls is not None:
            yield preview_notes.repeated(zone, walls, start, both_passes=both)
    following = zone.stretch(end).offset
    if piece.jumped:
        yield _firing(start + offset, offset, "gap")
    for wall in rule.walls(piece.begin, piece.stop):
        note: FiringNote | None = None
        if wall >= end + following:
            note = "repeated"
            if end not in noted:
                noted.append(end)
                walls = preview_notes.walls_within(rule, end + following, end + offset)
                assert walls is not None
                yield preview_notes.repeated(zone, walls, end, both_passes=both)
        elif wall < start + before:
            note = "repeated"
        elif rule.clamped(wall):
            note = "clamped"
        yield _firing(wall, offset, note)


def _firing(wall: int, offset: int, note: FiringNote | None) -> Firing:
    return Firing((wall - offset) * 1000, wall_text(wall) + offset_text(offset), note)


def _utc_text(at: int) -> str:
    return wall_text(at // 1000) + ".000Z"
