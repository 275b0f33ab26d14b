"""Sentences of a preview about the wall times of a rule that clocks skip or repeat."""

from __future__ import annotations

from typing import Literal, NamedTuple

from coven_desktop.schedule.local_text import date_text, spoken, spoken_date, time_text, wall_text
from coven_desktop.schedule.slots import Slot, WallRule
from coven_desktop.schedule.tzif import DAY, Jump
from coven_desktop.schedule.zones import Zone

NoteKind = Literal["skipped", "repeated", "moved"]


class Note(NamedTuple):
    """A wall time of the rule that does not run as it stands: its `wall_text` "2026-03-29T02:00:00", and a sentence.

    "skipped": it does not exist and does not run; "moved": it does not exist and runs at the jump; "repeated": it comes
    twice. One note may stand for several wall times at one change, the first of which it names.
    """

    kind: NoteKind
    wall_text: str
    text: str


class Walls(NamedTuple):
    """The wall times of a rule that one change touches: how many, the first and the last."""

    number: int
    first: int
    last: int


def walls_within(rule: WallRule, begin: int, end: int) -> Walls | None:
    """The wall times of a rule with begin <= wall < end; None when there is none."""
    first = rule.first(begin)
    if first is None or first >= end:
        return None
    last = rule.last(end)
    assert last is not None
    return Walls(rule.count(begin, end), first, last)


def skipped(zone: Zone, walls: Walls, jump: Jump, *, moved: bool) -> Note:
    """Wall times that a jump skips; `moved`: one run at the jump stands for them."""
    arrival = jump.at + jump.after
    change = _change(walls.first, jump.at + jump.before, arrival)
    if walls.number == 1:
        text = f"{spoken(walls.first)} does not exist in {zone.name}: clocks go forward from {change}. "
        text += f"It runs then, at {time_text(arrival)}." if moved else "No run at this time."
    else:
        text = f"{_spoken_range(walls)} do not exist in {zone.name}: clocks go forward from {change}. "
        text += f"One run stands for them, at {time_text(arrival)}." if moved else "No runs at these times."
    return Note("moved" if moved else "skipped", wall_text(walls.first), text)


def repeated(zone: Zone, walls: Walls, at: int, *, both_passes: bool) -> Note:
    """Wall times that come twice, as clocks go back at an instant (UTC seconds)."""
    change = _change(walls.first, at + zone.stretch(at - 1).offset, at + zone.stretch(at).offset)
    if walls.number == 1:
        text = f"{spoken(walls.first)} comes twice in {zone.name}: clocks go back from {change}. "
        text += "It runs both times." if both_passes else "One run, the first time."
    else:
        text = f"{_spoken_range(walls)} come twice in {zone.name}: clocks go back from {change}. "
        text += "They run both times." if both_passes else "They run the first time only."
    return Note("repeated", wall_text(walls.first), text)


def skipped_slot(zone: Zone, slot: Slot) -> Note:
    """A slot of a contract rule that has no instant."""
    return skipped(zone, Walls(1, slot.wall, slot.wall), zone.jump_over(slot.wall), moved=False)


def repeated_slot(zone: Zone, slot: Slot) -> Note:
    """A slot of a contract rule that has two instants."""
    at = zone.stretch(slot.instants[1]).start
    return repeated(zone, Walls(1, slot.wall, slot.wall), at, both_passes=False)


def _spoken_range(walls: Walls) -> str:
    if walls.first // DAY == walls.last // DAY:
        span = f"{time_text(walls.first)} to {time_text(walls.last)} on {spoken_date(walls.first)}"
    else:
        span = f"{spoken(walls.first)} to {spoken(walls.last)}"
    return f"{span} ({walls.number:,} times of this schedule)"


def _change(wall: int, before: int, after: int) -> str:
    """ "02:00 to 03:00", with dates where the jump leaves the day of the wall time."""
    if before // DAY == after // DAY == wall // DAY:
        return f"{time_text(before)} to {time_text(after)}"
    return f"{date_text(before)} {time_text(before)} to {date_text(after)} {time_text(after)}"
