"""What the person is told, and when: grouped, at most one per routine and reason, rate limited, snoozed. Nothing else.

Sans-IO: fed with what a look at the state found and what became of what was shown; says what to show and when to look
again. What needs the person is told from the state, so that a service that is missing, slow or restarted loses nothing.

A *topic* is one notification on the screen: what comes later under it replaces it. Six routines that fail in a row are
one notification that counts to six. Wall instants are UTC milliseconds; waiting is measured on the monotonic clock.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

Topic = Literal["quarantined", "undecided", "held", "paused", "failed", "away"]
Kind = Literal["quarantined", "undecided", "held", "paused"]
Ending = Literal["ran", "failed", "missed"]
NEEDING: tuple[Kind, ...] = ("undecided", "quarantined", "held", "paused")
TOPICS: tuple[Topic, ...] = (*NEEDING, "failed", "away")

GATHER_MS = 8_000
"""What comes within this time is told together."""
APART_MS = 10 * 60_000
"""A topic is told anew at most this often; what comes meanwhile is told then."""
AGAIN_MS = 60 * 60_000
"""A routine is told under the same topic at most this often, however often it begins anew."""
JUST_NOW_MS = 2 * 60_000
"""What befalls a routine so soon after the person did something with it is not told: they are looking."""
SETTLE_MS = 30_000
"""After sleep or downtime: what was missed is caught up first, and that waits for the network up to 20 s."""
CATCH_UP_MS = 10 * 60_000
"""The summary waits for what is caught up, but not longer."""
LONGEST_SNOOZE_MS = 36 * 3_600_000
"""`until tomorrow` is the longest; one that ends later was set by a clock that was ahead."""
FRESH_MS = 12 * 3_600_000
"""Older news that nobody could be shown is not shown any more."""


@dataclass(frozen=True)
class Matter:
    """Something that needs the person until they have dealt with it; `since` tells one time from the next."""

    topic: Kind
    automation_id: str
    name: str
    occurrence_id: str | None
    since: int
    reason: str

    @property
    def key(self) -> str:
        """What makes it one matter."""
        return f"{self.topic}:{self.automation_id}"


@dataclass(frozen=True)
class Ended:
    """What became of `slots` slots; `position` in the feed."""

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
class Summary:
    """What happened while nobody was there. `going` is what is still being caught up."""

    ran: int
    failed: int
    missed: int
    going: int


@dataclass(frozen=True)
class Telling:
    """Show this under its topic, in the place of what stood there. `matters` or `failures` or `summary`."""

    topic: Topic
    matters: tuple[Matter, ...] = ()
    failures: tuple[Ended, ...] = ()
    summary: Summary | None = None


@dataclass(frozen=True)
class Withdrawal:
    """What stood under this topic is not true any more."""

    topic: Topic


@dataclass(frozen=True)
class Found:
    """What a look has found. `acts`: routine and instant of what the person did; `reached`: where in the feed."""

    matters: Sequence[Matter]
    ended: Sequence[Ended]
    acts: Sequence[tuple[str, int]]
    reached: int
    open_before: int = 0


@dataclass(frozen=True)
class Preferences:
    """What the person wants to hear of, and whether without sound. `pausing_failures`: so many pause a routine."""

    enabled: bool = True
    failures: bool = False
    pausing_failures: int = 0
    quiet: bool = False


@dataclass
class Memory:
    """What is kept over a restart. `told`: key of a matter → its `since`, and when it was told; 0: nobody was."""

    cursor: int | None = None
    told: dict[str, tuple[int, int]] = field(default_factory=dict)
    snoozed_until: int = 0

    def as_json(self) -> dict[str, Any]:
        """For keeping."""
        told = {key: list(value) for key, value in self.told.items()}
        return {"cursor": self.cursor, "told": told, "snoozedUntil": self.snoozed_until}

    @classmethod
    def from_json(cls, kept: object) -> Memory:
        """What was kept; what is no memory is an empty one."""
        try:
            assert isinstance(kept, dict)
            told = {str(key): (int(value[0]), int(value[1])) for key, value in kept["told"].items()}
            cursor = kept["cursor"]
            return cls(None if cursor is None else int(cursor), told, int(kept["snoozedUntil"]))
        except (AssertionError, KeyError, TypeError, ValueError, IndexError, AttributeError):
            return cls()


@dataclass
class _Shown:
    """One topic: the keys or occurrences that its notification speaks of, and what waits to be told."""

    open: bool = False
    unsent: bool = False
    on_it: tuple[str, ...] = ()
    last: Telling | None = None
    told_at: int | None = None  # monotonic
    told_wall: int = 0
    waiting_since: int | None = None  # monotonic


@dataclass
class _Away:
    left: int
    returned: int
    returned_monotonic: int
    counts: dict[Ending, int] = field(default_factory=lambda: {"ran": 0, "failed": 0, "missed": 0})


class Rules:
    """See the file's docstring. `look` is given everything that a look found, in the order of the feed."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory
        self._read = memory.cursor
        self._acts: dict[str, int] = {}
        self._topics: dict[Topic, _Shown] = {topic: _Shown() for topic in TOPICS}
        self._waiting: dict[str, Matter] = {}
        self._failures: dict[str, Ended] = {}
        self._away: _Away | None = None

    @property
    def behind(self) -> int | None:
        """Where in the feed the next look begins; None: at its end."""
        return self._read

    @property
    def before(self) -> int | None:
        """The next look counts what is open of the slots before this instant; None: nothing is to be counted."""
        return self._away.returned if self._away is not None else None

    def came_back(self, wall: int, monotonic: int, left: int) -> None:
        """The app has started, or the machine has slept: what is found from now on of earlier slots is summed up.

        What was planned since `left` was planned after it.
        """
        if self._read is not None:
            self._away = _Away(left, wall, monotonic)

    def snooze(self, until: int) -> None:
        """Show nothing until an instant; 0 ends it. What is still true then is told then."""
        self.memory.snoozed_until = until

    def snoozed(self, wall: int) -> bool:
        """Whether nothing is shown now."""
        return wall < self.memory.snoozed_until <= wall + LONGEST_SNOOZE_MS

    def look(self, found: Found, wall: int, monotonic: int, preferences: Preferences) -> list[Telling | Withdrawal]:
        """What follows from what was found."""
        self._note_acts(found.acts, wall)
        self._read = found.reached
        # of several outcomes of one routine that nobody knows the newest stands for all of them
        matters = list({matter.key: matter for matter in found.matters}.values())
        self._take_matters(matters, wall, monotonic, preferences)
        self._take_ended(found, monotonic, preferences)
        does: list[Telling | Withdrawal] = list(self._withdrawals(matters))
        if not preferences.enabled:
            self._let_go(wall)
        elif not self.snoozed(wall):
            for topic in NEEDING:
                does += self._tell_matters(topic, matters, wall, monotonic)
            does += self._tell_failures(wall, monotonic)
            does += self._tell_summary(matters, found.open_before, wall, monotonic)
        self._keep_cursor()
        return does

    def next_look(self, wall: int, monotonic: int) -> int | None:
        """In how many milliseconds to look again although nothing has happened; None: not at all."""
        due: list[int] = []
        if self._waiting or self._failures:
            if self.snoozed(wall):
                due.append(self.memory.snoozed_until - wall)
            else:
                due += [self._due(shown, monotonic) - monotonic for shown in self._topics.values() if _waits(shown)]
        if self._away is not None:
            waited = monotonic - self._away.returned_monotonic
            due.append(self.memory.snoozed_until - wall if self.snoozed(wall) else SETTLE_MS - waited)
            due = [each if each > 0 else CATCH_UP_MS - waited for each in due]
        return max(min(due), 0) if due else None

    def kept(self) -> Memory:
        """What to keep over a restart. What nobody could be shown is told by the next app."""
        unseen = {key for shown in self._topics.values() if shown.unsent for key in shown.on_it}
        told = {key: value for key, value in self.memory.told.items() if key not in unseen}
        return Memory(self.memory.cursor, told, self.memory.snoozed_until)

    def not_shown(self, topic: Topic) -> None:
        """There was nobody to show it."""
        shown = self._topics[topic]
        shown.open, shown.unsent = False, True

    def closed(self, topic: Topic) -> None:
        """It went from the screen: by the person, or because its time was over."""
        self._topics[topic].open = False

    def service_came(self, wall: int, monotonic: int) -> list[Telling]:
        """A service that shows notifications is there, anew: what it has not been given, and is still true."""
        again: list[Telling] = []
        for topic, shown in self._topics.items():
            # news is told once; what needs the person is told again by a service that has forgotten it
            lost = shown.unsent or (shown.open and topic in NEEDING)
            if lost and shown.last is not None and wall - shown.told_wall < FRESH_MS:
                shown.open, shown.unsent, shown.told_at = True, False, monotonic
                again.append(shown.last)
            else:
                shown.open = shown.unsent = False
        return again

    # --- what was found ----------------------------------------------------------------------------------------------

    def _note_acts(self, acts: Iterable[tuple[str, int]], wall: int) -> None:
        for automation_id, at in acts:
            self._acts[automation_id] = max(at, self._acts.get(automation_id, at))
        self._acts = {each: at for each, at in self._acts.items() if wall - at <= JUST_NOW_MS * 2}

    def _just_now(self, automation_id: str, at: int) -> bool:
        act = self._acts.get(automation_id)
        return act is not None and 0 <= at - act <= JUST_NOW_MS

    def _take_matters(self, matters: Sequence[Matter], wall: int, monotonic: int, preferences: Preferences) -> None:
        told = self.memory.told
        true_now = {matter.key for matter in matters}
        quarantined = {matter.automation_id for matter in matters if matter.topic == "quarantined"}
        for key in [key for key in self._waiting if key not in true_now]:
            del self._waiting[key]
        for key in [key for key, (_, at) in told.items() if key not in true_now and wall - at >= AGAIN_MS]:
            del told[key]
        for matter in matters:
            since, at = told.get(matter.key, (None, 0))
            if since == matter.since or matter.key in self._waiting:
                continue
            unwanted = not preferences.enabled or (matter.topic == "held" and not preferences.failures)
            unsaid = unwanted or self._just_now(matter.automation_id, matter.since)
            said_otherwise = matter.topic == "held" and matter.automation_id in quarantined
            lately = since is not None and wall - at < AGAIN_MS
            if lately or said_otherwise or unsaid:
                # one that nobody was told of is not told later, but it keeps no next one silent
                told[matter.key] = (matter.since, at if lately or unsaid else wall)
            else:
                self._waiting[matter.key] = matter
                self._begin_waiting(matter.topic, monotonic)

    def _take_ended(self, found: Found, monotonic: int, preferences: Preferences) -> None:
        known = {matter.automation_id for matter in found.matters if matter.topic == "quarantined"}
        for ended in found.ended:
            if self._away is not None and self._belongs_to_absence(ended, self._away):
                self._away.counts[ended.ending] += ended.slots
            elif (
                ended.ending == "failed"
                and preferences.enabled
                and preferences.failures
                and ended.automation_id not in known
                and not self._just_now(ended.automation_id, ended.at)
            ):
                self._failures[ended.automation_id] = ended
                self._begin_waiting("failed", monotonic)

    @staticmethod
    def _belongs_to_absence(ended: Ended, away: _Away) -> bool:
        if ended.scheduled_for >= away.returned:
            return False
        # caught up after it, or ended during it; what was under way and goes on is told as any other
        return ended.created_at >= away.left or ended.at < away.returned + SETTLE_MS or ended.ending == "missed"

    def _begin_waiting(self, topic: Topic, monotonic: int) -> None:
        shown = self._topics[topic]
        if shown.waiting_since is None:
            shown.waiting_since = monotonic

    def _keep_cursor(self) -> None:
        if self._away is None:
            first = min((ended.position for ended in self._failures.values()), default=None)
            self.memory.cursor = self._read if first is None else first - 1

    def _let_go(self, wall: int) -> None:
        """The person wants no notifications: what waits counts as told."""
        for matter in self._waiting.values():
            self.memory.told[matter.key] = (matter.since, wall)
        self._waiting.clear()
        self._failures.clear()
        self._away = None

    # --- what is shown -----------------------------------------------------------------------------------------------

    def _withdrawals(self, matters: Sequence[Matter]) -> Iterable[Withdrawal]:
        true_now = {matter.key for matter in matters}
        for topic in NEEDING:
            shown = self._topics[topic]
            if (shown.open or shown.unsent) and not true_now.intersection(shown.on_it):
                was_open = shown.open
                shown.open, shown.unsent, shown.on_it, shown.last = False, False, (), None
                if was_open:
                    yield Withdrawal(topic)

    def _due(self, shown: _Shown, monotonic: int) -> int:
        since = shown.waiting_since if shown.waiting_since is not None else monotonic
        gathered = since + GATHER_MS
        return gathered if shown.told_at is None else max(gathered, shown.told_at + APART_MS)

    def _tell_matters(self, topic: Kind, matters: Sequence[Matter], wall: int, monotonic: int) -> Iterable[Telling]:
        shown = self._topics[topic]
        fresh = [matter for matter in matters if matter.topic == topic and matter.key in self._waiting]
        if not fresh:
            shown.waiting_since = None
        elif monotonic >= self._due(shown, monotonic):
            for matter in fresh:
                del self._waiting[matter.key]
                self.memory.told[matter.key] = (matter.since, wall)
            # what stands on the screen already is counted with it
            still = [matter for matter in matters if matter.topic == topic and matter not in fresh]
            on_it = [matter for matter in still if (shown.open or shown.unsent) and matter.key in shown.on_it]
            telling = Telling(topic, matters=(*fresh, *on_it))
            shown.on_it = tuple(matter.key for matter in telling.matters)
            yield self._told(shown, telling, wall, monotonic)

    def _tell_failures(self, wall: int, monotonic: int) -> Iterable[Telling]:
        shown = self._topics["failed"]
        if self._failures and monotonic >= self._due(shown, monotonic):
            failures = tuple(self._failures.values())
            self._failures.clear()
            yield self._told(shown, Telling("failed", failures=failures), wall, monotonic)

    def _tell_summary(self, matters: Sequence[Matter], going: int, wall: int, monotonic: int) -> Iterable[Telling]:
        away = self._away
        if away is None:
            return
        waited = monotonic - away.returned_monotonic
        if waited < SETTLE_MS or (going and waited < CATCH_UP_MS):
            return
        self._away = None
        # a held run has failed, though the person may still retry it
        held = sum(matter.topic == "held" and matter.since >= away.left for matter in matters)
        if held or any(away.counts.values()):
            summary = Summary(away.counts["ran"], away.counts["failed"] + held, away.counts["missed"], going)
            yield self._told(self._topics["away"], Telling("away", summary=summary), wall, monotonic)

    def _told(self, shown: _Shown, telling: Telling, wall: int, monotonic: int) -> Telling:
        shown.open, shown.unsent, shown.last = True, False, telling
        shown.told_at, shown.told_wall, shown.waiting_since = monotonic, wall, None
        return telling


def _waits(shown: _Shown) -> bool:
    return shown.waiting_since is not None
