"""The next firings of a schedule, with the wall times that clocks skip or repeat on the way.

It walks the very slots the engine's `next_after` walks, so a preview cannot promise what the engine does not do.
"""

from __future__ import annotations

from datetime import date
from functools import lru_cache
from typing import Literal, NamedTuple

from coven_desktop.schedule.rrule import RruleError, schedule
from coven_desktop.schedule.slots import Schedule, Slot
from coven_desktop.schedule.tzif import DAY
from coven_desktop.schedule.words import DAY_NAMES
from coven_desktop.schedule.zones import Zone, ZoneError, resolve_local, zone_data

MOST_FIRINGS = 1_000

FiringNote = Literal["repeated", "gap", "clamped", "last"]
NoteKind = Literal["skipped", "repeated", "moved"]

_EPOCH_ORDINAL = date(1970, 1, 1).toordinal()
# Looked up, not formatted: a preview writes some ten thousand of them.
_TWO = tuple(f"{number:02}" for number in range(60))
_MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip


class Firing(NamedTuple):
    """An instant that fires.

    `at` is UTC milliseconds. `local_text` is RFC 3339 with the zone's offset, "2026-03-29T09:00:00+02:00"; RFC 3339
    has no seconds in offsets, so an offset of local mean time is rounded to the nearest minute while the wall time
    stays exact (Paris in 1900, +00:09:21, is written +00:09): such a text is for reading, `at` for computing.
    `note`: "repeated" when the wall time comes twice (this is the first), "last" when nothing follows.
    """

    at: int
    local_text: str
    note: FiringNote | None


class Note(NamedTuple):
    """A wall time of the rule that does not run as it stands: its `wall_text` "2026-03-29T02:00:00", and a sentence."""

    kind: NoteKind
    wall_text: str
    text: str


class Preview(NamedTuple):
    """Firings ascending, and notes in the order of their wall times, none after the last firing."""

    firings: tuple[Firing, ...]
    notes: tuple[Note, ...]


def preview(schedule: Schedule, after: int, count: int) -> Preview:
    """The first `count` firings (1–1000) strictly after an instant (UTC milliseconds); fewer when the series ends.

    A skipped wall time is noted when its jump, a repeated one when any of its instants, lies after `after` and not
    after the last firing.
    """
    if not 1 <= count <= MOST_FIRINGS:
        raise ValueError(f"a preview has 1 to {MOST_FIRINGS} firings, not {count}")
    zone = schedule.zone
    firings: list[Firing] = []
    notes: list[Note] = []
    waiting: list[Note] = []
    for slot in schedule.slots(after):
        note: FiringNote | None = None
        if len(slot.instants) != 1:
            if not slot.instants:
                if zone.jump_over(slot.wall).at * 1000 > after:
                    waiting.append(_skipped(zone, slot))
                continue
            if slot.instants[-1] * 1000 > after:
                waiting.append(_repeated(zone, slot))
            note = "repeated"
        second = slot.instants[0]
        at = second * 1000
        if at <= after:
            continue
        if len(firings) == count:
            return Preview(tuple(firings), tuple(notes))
        firings.append(Firing(at, _wall_text(slot.wall) + _offset_text(slot.wall - second), note))
        if waiting:
            notes += waiting
            waiting.clear()
    if firings:
        firings[-1] = firings[-1]._replace(note="last")
    return Preview(tuple(firings), tuple(notes))


def document(rrule: str, timezone: str, after: int, count: int) -> dict[str, object]:
    """The document that `covenctl preview --json` prints: timezone, zoneData, firings and notes.

    `local` is resolved first and the exact name reported. RruleError or ZoneError when one is refused (see `refusal`);
    ValueError when `count` is not 1–1000.
    """
    name = resolve_local() if timezone == "local" else timezone
    found = preview(schedule(rrule, name), after, count)
    return {
        "timezone": name,
        "zoneData": zone_data().version,
        "firings": [
            {"at": _wall_text(firing.at // 1000) + ".000Z", "local": firing.local_text, "note": firing.note}
            for firing in found.firings
        ],
        "notes": [{"kind": note.kind, "wall": note.wall_text, "text": note.text} for note in found.notes],
    }


def refusal(error: RruleError | ZoneError) -> dict[str, object]:
    """The document of a refusal, with the text that creating such a routine would answer (engine.md §1.3, §2.1)."""
    if isinstance(error, RruleError):
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


def _skipped(zone: Zone, slot: Slot) -> Note:
    jump = zone.jump_over(slot.wall)
    change = _change(slot.wall, jump.at + jump.before, jump.at + jump.after)
    text = f"{_spoken(slot.wall)} does not exist in {zone.name}: clocks go forward from {change}. No run at this time."
    return Note("skipped", _wall_text(slot.wall), text)


def _repeated(zone: Zone, slot: Slot) -> Note:
    at = zone.stretch(slot.instants[1]).start
    change = _change(slot.wall, at + zone.stretch(at - 1).offset, at + zone.stretch(at).offset)
    text = f"{_spoken(slot.wall)} comes twice in {zone.name}: clocks go back from {change}. One run, the first time."
    return Note("repeated", _wall_text(slot.wall), text)


def _change(wall: int, before: int, after: int) -> str:
    """ "02:00 to 03:00", with dates where the jump leaves the day of the wall time."""
    if before // DAY == after // DAY == wall // DAY:
        return f"{_time_text(before)} to {_time_text(after)}"
    return f"{_date_text(before)} {_time_text(before)} to {_date_text(after)} {_time_text(after)}"


def _spoken(wall: int) -> str:
    day = date.fromordinal(wall // DAY + _EPOCH_ORDINAL)
    return f"{_time_text(wall)} on {DAY_NAMES[day.weekday()]} {day.day} {_MONTHS[day.month - 1]} {day.year}"


def _time_text(wall: int) -> str:
    minutes, seconds = divmod(wall % DAY, 60)
    text = f"{_TWO[minutes // 60]}:{_TWO[minutes % 60]}"
    return f"{text}:{_TWO[seconds]}" if seconds else text


def _wall_text(second: int) -> str:
    """A wall time, or an instant in UTC, without its offset: "2026-03-29T02:00:00"."""
    day, rest = divmod(second, DAY)
    return f"{_date_of(day)}T{_TWO[rest // 3600]}:{_TWO[rest // 60 % 60]}:{_TWO[rest % 60]}"


def _date_text(second: int) -> str:
    return _date_of(second // DAY)


@lru_cache(maxsize=64)
def _date_of(day: int) -> str:
    return date.fromordinal(day + _EPOCH_ORDINAL).isoformat()


@lru_cache(maxsize=256)
def _offset_text(offset: int) -> str:
    minutes = (abs(offset) + 30) // 60
    return f"{'-' if offset < 0 and minutes else '+'}{minutes // 60:02}:{minutes % 60:02}"
