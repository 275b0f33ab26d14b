"""The words of a filter text: `status: tag: due: runtime: zone:`, quoted ones, and `-` in front of what is not wanted.

Read with the person's clock and zone, because `due:today` is a day of theirs. A word that means nothing is told, never
refused: it finds what it can as text.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Literal, TypedDict

from coven_desktop.contract import timestamps
from coven_desktop.store.questions import Span, Words

KEYS = ("status", "tag", "due", "runtime", "zone")
# What the person sees in the tables, and what the store calls it.
STATUSES = {
    "active": "active",
    "paused": "paused",
    "draft": "draft",
    "disabled": "disabled",
    "invalid": "invalid",
    "broken": "broken",
    "deleted": "deleted",
    "quarantined": "quarantined",
    "attention": "attention",
    "planned": "planned",
    "starting": "claimed",
    "claimed": "claimed",
    "running": "running",
    "retry": "waiting",
    "waiting": "waiting",
    "held": "held",
    "undecided": "recovery_required",
    "recovery": "recovery_required",
    "recovery_required": "recovery_required",
    "succeeded": "succeeded",
    "failed": "failed",
    "stopped": "cancelled",
    "cancelled": "cancelled",
    "skipped": "skipped",
    "superseded": "superseded",
}
DUES = ("today", "tomorrow", "yesterday", "overdue", "24h", "-7d", "none")

_WORD = re.compile(r'(?P<minus>-?)(?:(?P<key>[A-Za-z]+):)?(?:"(?P<quoted>[^"]*)"?|(?P<plain>\S*))')
_AGO = re.compile(r"(-?)(\d{1,4})([mhdw])")
_UNITS = {"m": 60_000, "h": 3_600_000, "d": 86_400_000, "w": 604_800_000}
_DAY = timedelta(days=1)
_MINUTE_MS = 60_000
_DATE_LENGTH = len("2026-03-29")
_EPOCH = datetime.combine(date(1970, 1, 1), time())

Kind = Literal["key", "status", "due"]


class Filter(TypedDict):
    """The members of a `Question` that a filter text decides."""

    words: tuple[str, ...]
    states: tuple[str, ...]
    tags: tuple[str, ...]
    runtimes: tuple[str, ...]
    zones: tuple[str, ...]
    due: tuple[Span, ...]
    without: Words


@dataclass(frozen=True)
class Unknown:
    """A word that means nothing here: what kind of word it would be, and the word."""

    kind: Kind
    word: str


@dataclass(frozen=True)
class Reading:
    """What a filter text asks for, and the words in it that mean nothing."""

    filter: Filter
    unknown: tuple[Unknown, ...]


class _Bag:
    def __init__(self) -> None:
        self.found: dict[str, list[str]] = {key: [] for key in ("text", *KEYS)}
        self.due: list[Span] = []

    def words(self) -> Words:
        return Words(
            words=tuple(self.found["text"]),
            states=tuple(self.found["status"]),
            tags=tuple(self.found["tag"]),
            runtimes=tuple(self.found["runtime"]),
            zones=tuple(self.found["zone"]),
            due=tuple(self.due),
        )


@dataclass(frozen=True)
class Calendar:
    """The person's clock: now (UTC milliseconds), the wall time of an instant there, the instant of a wall time."""

    now: int
    local: Callable[[int], datetime]
    instant: Callable[[datetime], int]


def _utc(instant: int) -> datetime:
    return _EPOCH + timedelta(milliseconds=instant)


def _utc_back(wall: datetime) -> int:
    return (wall - _EPOCH) // timedelta(milliseconds=1)


UTC_CALENDAR = Calendar(0, _utc, _utc_back)


def read(text: str, calendar: Calendar = UTC_CALENDAR) -> Reading:
    """Understand a filter text."""
    wanted, unwanted = _Bag(), _Bag()
    unknown: list[Unknown] = []
    for match in _WORD.finditer(text):
        key = (match["key"] or "").casefold()
        value = match["quoted"] if match["quoted"] is not None else match["plain"]
        bag = unwanted if match["minus"] else wanted
        if key and key not in KEYS:
            if "//" not in value:  # an address is no mistake
                unknown.append(Unknown("key", f"{match['key']}:"))
            key, value = "", f"{match['key']}:{value}"
        if not value:
            # `status:` is still being typed, and a lone `-` is text
            if key or not match["minus"]:
                continue
            bag, value = wanted, "-"
        if key == "status":
            state = STATUSES.get(value.casefold())
            if state is None and not any(known.startswith(value.casefold()) for known in STATUSES):
                unknown.append(Unknown("status", value))
            bag.found["status"].append(state or value.casefold())
        elif key == "due":
            span = due_span(value, calendar)
            if span is None:
                unknown.append(Unknown("due", value))
            else:
                bag.due.append(span)
        else:
            bag.found[key or "text"].append(value)
    words = wanted.words()
    found = Filter(
        words=words.words,
        states=words.states,
        tags=words.tags,
        runtimes=words.runtimes,
        zones=words.zones,
        due=words.due,
        without=unwanted.words(),
    )
    return Reading(found, tuple(unknown))


def due_span(word: str, calendar: Calendar) -> Span | None:
    """The instants that a word after `due:` means; None when it means nothing.

    `today`, `tomorrow`, `yesterday`, `overdue`, `none`; `24h`, `7d` from now on and `-7d` up to now; a day
    `2026-03-29`, a minute `2026-03-29T09:00` (here, or with `Z` or an offset), and two of these with `..` between.
    """
    word = word.casefold()
    if word == "none":
        return Span()
    if word == "overdue":
        return Span(None, timestamps.to_text(calendar.now))
    ago = _AGO.fullmatch(word)
    if ago is not None:
        length = int(ago[2]) * _UNITS[ago[3]]
        start, end = (calendar.now - length, calendar.now) if ago[1] else (calendar.now, calendar.now + length)
        return Span(timestamps.to_text(start), timestamps.to_text(end + 1))
    first, dots, last = word.partition("..")
    try:
        begin, finish = _bounds(first, calendar), _bounds(last, calendar) if dots else None
        if (first and begin is None) or (dots and last and finish is None) or (begin is None and finish is None):
            return None
        if not dots:
            finish = begin
        return Span(
            None if begin is None else timestamps.to_text(begin[0]),
            None if finish is None else timestamps.to_text(finish[1]),
        )
    except (ValueError, OverflowError):
        return None


def span_word(start: int, end: int, calendar: Calendar) -> str:
    """The word that means the whole minutes from one instant on and before another, as a person would write it.

    Where the clocks come back to an hour a second time, only an instant with its zone tells it apart.
    """
    last = end - _MINUTE_MS
    walls = [calendar.local(instant) for instant in (start, last)]
    if [calendar.instant(wall) for wall in walls] == [start, last]:
        return "due:" + "..".join(f"{wall:%Y-%m-%dT%H:%M}" for wall in walls)
    return "due:" + "..".join(timestamps.to_text(instant)[:16] + "Z" for instant in (start, last))


def _bounds(word: str, calendar: Calendar) -> tuple[int, int] | None:
    """Where a day, or a minute with or without its zone, begins and ends. ValueError and OverflowError for no such."""
    days = {"yesterday": -1, "today": 0, "tomorrow": 1}
    if not word:
        return None
    if word in days or len(word) == _DATE_LENGTH:
        day = calendar.local(calendar.now).date() + days[word] * _DAY if word in days else date.fromisoformat(word)
        begin = datetime.combine(day, time())
        return calendar.instant(begin), calendar.instant(begin + _DAY)
    at = datetime.fromisoformat(word.upper())
    instant = calendar.instant(at) if at.tzinfo is None else _utc_back(at.astimezone(UTC).replace(tzinfo=None))
    return instant, instant + _MINUTE_MS
