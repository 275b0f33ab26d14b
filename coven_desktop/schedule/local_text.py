"""Wall times and offsets as text. Wall times are seconds since 1970-01-01T00:00:00 local."""

from __future__ import annotations

from datetime import date
from functools import lru_cache

from coven_desktop.schedule.tzif import DAY

DAY_NAMES = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTH_NAMES = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip

_EPOCH_ORDINAL = date(1970, 1, 1).toordinal()
# Looked up, not formatted: a preview writes some ten thousand of them.
_TWO = tuple(f"{number:02}" for number in range(60))


def wall_text(second: int) -> str:
    """A wall time, or an instant in UTC, without its offset: "2026-03-29T02:00:00"."""
    day, rest = divmod(second, DAY)
    return f"{_date_of(day)}T{_TWO[rest // 3600]}:{_TWO[rest // 60 % 60]}:{_TWO[rest % 60]}"


def time_text(wall: int) -> str:
    """The time of day: "02:00", with seconds where there are any."""
    minutes, seconds = divmod(wall % DAY, 60)
    text = f"{_TWO[minutes // 60]}:{_TWO[minutes % 60]}"
    return f"{text}:{_TWO[seconds]}" if seconds else text


def date_text(wall: int) -> str:
    """The date: "2026-03-29"."""
    return _date_of(wall // DAY)


def spoken_date(wall: int) -> str:
    """The date in words: "Sunday 29 March 2026"."""
    day = date.fromordinal(wall // DAY + _EPOCH_ORDINAL)
    return f"{DAY_NAMES[day.weekday()]} {day.day} {MONTH_NAMES[day.month - 1]} {day.year}"


def spoken(wall: int) -> str:
    """A wall time in words: "02:00 on Sunday 29 March 2026"."""
    return f"{time_text(wall)} on {spoken_date(wall)}"


@lru_cache(maxsize=256)
def offset_text(offset: int) -> str:
    """An offset in seconds as RFC 3339 writes it, rounded to the nearest minute: "+02:00"."""
    minutes = (abs(offset) + 30) // 60
    return f"{'-' if offset < 0 and minutes else '+'}{minutes // 60:02}:{minutes % 60:02}"


@lru_cache(maxsize=64)
def _date_of(day: int) -> str:
    return date.fromordinal(day + _EPOCH_ORDINAL).isoformat()
