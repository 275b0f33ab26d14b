"""Wall times of a rule turned into instants, for the families that make up for what clocks skip (cadence, cron).

The zone is cut at its offset changes; between two of them wall time is UTC plus a constant. Only at a change there is
something to decide (design/schedules.md, the table of families): what clocks skip may run once at the jump, what they
show twice runs in the first pass or in both. Instants are seconds here, milliseconds in the public methods of the
`Schedule` protocol. No zone has two changes within three days, so that only the change before a stretch matters to it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from coven_desktop.schedule.slots import FIRST_SECOND, LAST_SECOND, WallRule
from coven_desktop.schedule.tzif import MOST_EAST, MOST_WEST
from coven_desktop.schedule.zones import Zone

# Within a stretch, wall times this far from both ends belong to no other stretch and are skipped by no change.
_APART = MOST_EAST + MOST_WEST


class Piece(NamedTuple):
    """A stretch of unchanged offset, and the change it begins with: instants `start` <= t < `end`, in seconds.

    Wall time is t + `offset` within it, and was t + `before` until it. `begin` and `stop` bound the wall times that run
    in it by themselves; `jumped` when it begins with a run of its own for what the change skipped.
    """

    start: int
    end: int
    before: int
    offset: int
    begin: int
    stop: int
    jumped: bool


class WallSchedule:
    """One rule in one zone.

    `both_passes`: what clocks show twice runs twice, else the first time only. `at_jump`: what they skip runs once, at
    the instant of the jump, else not at all; wall times that land on one instant are one slot.
    """

    def __init__(self, rule: WallRule, zone: Zone, *, both_passes: bool, at_jump: bool) -> None:
        self.rule = rule
        self.zone = zone
        self.both_passes = both_passes
        self.at_jump = at_jump

    def next_after(self, instant: int) -> int | None:
        """The first slot strictly after the instant (UTC milliseconds); None when the search or the series ends."""
        return next(self.between(instant, LAST_SECOND * 1000), None)

    def between(self, after: int, until: int) -> Iterator[int]:
        """The slots with after < slot <= until, ascending; UTC milliseconds."""
        second, last = max(after // 1000 + 1, FIRST_SECOND), min(until // 1000, LAST_SECOND)
        while second <= last:
            start, end, offset = self.zone.stretch(second)
            change = self._change_near(start, end, second)
            if change is None:
                plain_from, plain_until = start + offset + _APART, end + offset - _APART
                for wall in self.rule.walls(second + offset, last + MOST_EAST):
                    if not plain_from <= wall < plain_until:
                        start, end, offset = self.zone.stretch(wall - offset)
                        change = self._change_near(start, end, wall - offset)
                        if change is not None:
                            break
                        plain_from, plain_until = start + offset + _APART, end + offset - _APART
                    second = wall - offset
                    if second > last:
                        return
                    yield second * 1000
                    second += 1
                else:
                    return
            assert change is not None
            for piece in self.pieces(second, min(change + _APART - 1, last)):
                if piece.jumped:
                    yield piece.start * 1000
                for wall in self.rule.walls(piece.begin, piece.stop):
                    yield (wall - piece.offset) * 1000
            second = change + _APART

    @staticmethod
    def _change_near(start: int, end: int, second: int) -> int | None:
        """The end of its stretch that an instant is so near to that the change may matter; None for most instants."""
        if second < start + _APART:
            return start
        return end if second >= end - _APART else None

    def count(self, after: int, until: int) -> int:
        """How many slots there are with after < slot <= until (UTC milliseconds), not going through them one by one."""
        count = self.rule.count
        return sum(
            piece.jumped + count(piece.begin, piece.stop) for piece in self.pieces(after // 1000 + 1, until // 1000)
        )

    def pieces(self, second: int, until: int = LAST_SECOND) -> Iterator[Piece]:
        """The stretches from one instant to another, both within, ascending and cut to them.

        Those in which nothing can run are left out; `before` is `offset` where the change is too far away to matter.
        """
        second, until = max(second, FIRST_SECOND), min(until, LAST_SECOND)
        at = second
        while at <= until:
            start, end, offset = self.zone.stretch(at)
            before, begin, jumped = offset, at + offset, False
            if at < start + _APART:
                before = self._before(start, offset)
                jumped = start >= second and self._jumps(start, before, offset)
                begin = max(self._begin(start, before, offset), second + offset, start + offset + jumped)
            yield Piece(start, end, before, offset, begin, min(end - 1, until) + offset + 1, jumped)
            # what shows or skips a wall time comes after this, and what is shown from here on is later than that
            wall = self.rule.first(end - MOST_WEST)
            if wall is None:
                return
            at = max(end, wall - MOST_EAST)

    def previous(self, instant: int) -> int | None:
        """The last slot strictly before the instant (UTC milliseconds); None when the search or the series ends."""
        last = min(-(-instant // 1000) - 1, LAST_SECOND)
        while last >= FIRST_SECOND:
            start, _, offset = self.zone.stretch(last)
            before = self._before(start, offset)
            wall = self.rule.last(last + offset + 1)
            if wall is not None and wall >= max(self._begin(start, before, offset), FIRST_SECOND + offset):
                return (wall - offset) * 1000
            if start >= FIRST_SECOND and self._jumps(start, before, offset):
                return start * 1000
            # what earlier stretches show or skip lies before this, and its clocks and jumps not later than MOST_WEST
            wall = self.rule.last(start + max(before, offset))
            if wall is None:
                return None
            last = min(start - 1, wall + MOST_WEST)
        return None

    def _before(self, start: int, offset: int) -> int:
        """The offset until a stretch; its own when the stretch has no beginning."""
        return self.zone.stretch(start - 1).offset if start > FIRST_SECOND else offset

    def _begin(self, start: int, before: int, offset: int) -> int:
        """The first wall time that a stretch shows and that may run in it by itself."""
        return start + offset if self.both_passes else start + max(before, offset)

    def _jumps(self, start: int, before: int, offset: int) -> bool:
        """Whether a stretch begins with a run for what the change before it skipped."""
        if not self.at_jump or before >= offset:
            return False
        skipped = self.rule.first(start + before)
        return skipped is not None and skipped < start + offset
