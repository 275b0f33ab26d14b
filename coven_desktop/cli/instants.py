"""Instants and durations as a person reads them: the machine's local time, and how far away that is.

Instants are UTC milliseconds. `now` comes from the caller, so that one table is drawn for one instant.
"""

from __future__ import annotations

import time

_SECOND = 1000
_MINUTE = 60 * _SECOND
_HOUR = 60 * _MINUTE
_DAY = 24 * _HOUR
# Names of our own: strftime's would follow the locale while every other word stays English.
WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def local(at: int, now: int, *, seconds: bool = False) -> str:
    """`today 09:00`, `Sun 30 Aug 09:00`, or with the year when it is not about this one."""
    then, today = time.localtime(at / 1000), time.localtime(now / 1000)
    clock = f"{then.tm_hour:02}:{then.tm_min:02}" + (f":{then.tm_sec:02}" if seconds else "")
    if (then.tm_year, then.tm_yday) == (today.tm_year, today.tm_yday):
        return f"today {clock}"
    day = f"{WEEKDAYS[then.tm_wday]} {then.tm_mday} {_MONTHS[then.tm_mon - 1]}"
    if abs(at - now) < 180 * _DAY:
        return f"{day} {clock}"
    return f"{day} {then.tm_year} {clock}"


def relative(at: int, now: int) -> str:
    """`in 3 h`, `12 s ago`, `now`."""
    distance = at - now
    if abs(distance) < _SECOND:
        return "now"
    span = duration(abs(distance))
    return f"in {span}" if distance > 0 else f"{span} ago"


def both(at: int, now: int, *, seconds: bool = False) -> str:
    """`today 09:00 (in 3 h)`."""
    return f"{local(at, now, seconds=seconds)} ({relative(at, now)})"


def duration(span: int) -> str:
    """Milliseconds in the one or two units that matter; what is less is cut off."""
    if span < _SECOND:
        return f"{span} ms"
    if span < _MINUTE:
        return f"{span // _SECOND} s"
    if span < _HOUR:
        return _two(span, _MINUTE, "min", _SECOND, "s", until=10 * _MINUTE)
    if span < 2 * _DAY:
        return _two(span, _HOUR, "h", _MINUTE, "min", until=10 * _HOUR)
    return _two(span, _DAY, "days", _HOUR, "h", until=4 * _DAY)


def _two(span: int, large: int, large_name: str, small: int, small_name: str, *, until: int) -> str:
    count, rest = divmod(span, large)
    fine = rest // small
    return f"{count} {large_name} {fine} {small_name}" if fine and span < until else f"{count} {large_name}"
