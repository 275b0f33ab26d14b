"""Instants and durations as a person reads them: the machine's local time, and how far away that is.

The forms are those of the window. Instants are UTC milliseconds. `now` comes from the caller, so that one table is
drawn for one instant.
"""

from __future__ import annotations

import time
from datetime import date

_SECOND = 1000
_MINUTE = 60 * _SECOND
_HOUR = 60 * _MINUTE
_DAY = 24 * _HOUR
# Names of our own: strftime's would follow the locale while every other word stays English.
WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_NEAR_DAYS = {-1: "yesterday", 0: "today", 1: "tomorrow"}


def local(at: int, now: int, *, seconds: bool = False) -> str:
    """`today 09:00`, `tomorrow 09:00`, `Sun 30 Aug, 09:00`, and with the year when it is another one."""
    then, today = time.localtime(at // 1000), time.localtime(now // 1000)
    clock = f"{then.tm_hour:02}:{then.tm_min:02}" + (f":{then.tm_sec:02}" if seconds else "")
    days = (date(*then[:3]) - date(*today[:3])).days
    if days in _NEAR_DAYS:
        return f"{_NEAR_DAYS[days]} {clock}"
    year = f" {then.tm_year}" if then.tm_year != today.tm_year else ""
    return f"{WEEKDAYS[then.tm_wday]} {then.tm_mday} {_MONTHS[then.tm_mon - 1]}{year}, {clock}"


def relative(at: int, now: int) -> str:
    """`in 3 h`, `12 s ago`, `now`."""
    away = at - now
    if abs(away) < _SECOND:
        return "now"
    return f"in {duration(away, rough=True)}" if away > 0 else f"{duration(-away, rough=True)} ago"


def both(at: int, now: int, *, seconds: bool = False) -> str:
    """`today 09:00 (in 3 h)`."""
    return f"{local(at, now, seconds=seconds)} ({relative(at, now)})"


def duration(span: int, *, rough: bool = False) -> str:
    """`820 ms`, `4.2 s`, `3 min 05 s`, `2 h 10 min`, `3 d 4 h`; rough ones drop what a glance does not need."""
    if span < _SECOND:
        return f"{max(span, 0)} ms"
    if span < _MINUTE:
        return f"{span // _SECOND} s" if rough else f"{span / _SECOND:.1f} s"
    if span < _HOUR:
        minutes, rest = divmod(span, _MINUTE)
        return f"{minutes} min" if rough else f"{minutes} min {rest // _SECOND:02} s"
    if span < _DAY:
        hours, rest = divmod(span, _HOUR)
        return f"{hours} h {rest // _MINUTE} min" if rest >= _MINUTE else f"{hours} h"
    days, rest = divmod(span, _DAY)
    return f"{days} d {rest // _HOUR} h" if rest >= _HOUR else f"{days} d"
