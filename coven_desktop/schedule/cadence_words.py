"""A cadence in words."""

from __future__ import annotations

from datetime import datetime, timedelta

from coven_desktop.schedule.cadence import Cadence
from coven_desktop.schedule.local_text import DAY_NAMES, MONTH_NAMES, time_text
from coven_desktop.schedule.words import Say, in_english

_EPOCH = datetime.fromordinal(719_163)  # 1970-01-01T00:00:00, naive as all wall times


def words(cadence: Cadence, say: Say = in_english) -> str:
    """When it runs, without the cron expression of mode cron: "Every day at 09:00"."""
    wall = _EPOCH + timedelta(seconds=cadence.wall)
    time = time_text(cadence.wall)
    if cadence.mode == "hourly":
        if wall.second:
            return say("Every hour at minute {minute} and {second} seconds").format(
                minute=wall.minute, second=wall.second
            )
        return (
            say("Every hour at minute {minute}").format(minute=wall.minute)
            if wall.minute
            else say("Every hour, on the hour")
        )
    if cadence.mode == "daily":
        return say("Every day at {time}").format(time=time)
    if cadence.mode == "weekly":
        return say("Every {day} at {time}").format(day=say(DAY_NAMES[wall.weekday()]), time=time)
    if cadence.mode == "monthly":
        if wall.day > 28:
            return say("Every month on day {day} at {time}, in shorter months on their last day").format(
                day=wall.day, time=time
            )
        return say("Every month on day {day} at {time}").format(day=wall.day, time=time)
    if cadence.mode == "yearly":
        month = say(MONTH_NAMES[wall.month - 1])
        if (wall.month, wall.day) == (2, 29):
            return say("Every year on {day} {month} at {time}, in other years than leap years on 28 February").format(
                day=wall.day, month=month, time=time
            )
        return say("Every year on {day} {month} at {time}").format(day=wall.day, month=month, time=time)
    if cadence.mode == "every_n_minutes":
        since = _spoken(cadence.wall, say)
        if cadence.minutes == 1:
            return say("Every minute, counted from {since}").format(since=since)
        return say("Every {minutes} minutes, counted from {since}").format(minutes=f"{cadence.minutes:,}", since=since)
    return say("Once, at {moment}").format(moment=_spoken(cadence.wall, say))


def _spoken(wall: int, say: Say) -> str:
    day = _EPOCH + timedelta(seconds=wall)
    return say("{time} on {weekday} {day} {month} {year}").format(
        time=time_text(wall),
        weekday=say(DAY_NAMES[day.weekday()]),
        day=day.day,
        month=say(MONTH_NAMES[day.month - 1]),
        year=day.year,
    )


def sentences(cadence: Cadence, say: Say = in_english) -> tuple[str, ...]:
    """What happens where clocks change, except for mode cron."""
    if cadence.mode == "hourly":
        text = say(
            "It runs in each real hour: an hour that clocks skip adds no run, one that comes twice runs both times."
        )
        return (text,)
    if cadence.mode == "every_n_minutes":
        return (say("It counts elapsed time: changes of clocks do not move it."),)
    if cadence.mode == "once":
        return ()
    text = say("A time that clocks skip runs at the moment they go forward; one that comes twice runs the first time.")
    return (text,)


def bounds(cadence: Cadence, say: Say = in_english) -> tuple[str, ...]:
    """From when, until when and how often, each a sentence where it is given and says something."""
    found = []
    if cadence.anchor is not None and cadence.mode not in ("once", "every_n_minutes"):
        found.append(say("It begins at {moment}.").format(moment=_spoken(cadence.wall, say)))
    if cadence.until is not None and cadence.mode != "once":
        until = cadence.until // 1000
        last = _spoken(until + cadence.zone.stretch(until).offset, say)
        found.append(say("It ends with {moment}: a run at that very time is the last.").format(moment=last))
    if cadence.max_runs is not None and cadence.mode != "once":
        text = say("It ends after one run.") if cadence.max_runs == 1 else say("It ends after {number} runs.")
        found.append(text.format(number=f"{cadence.max_runs:,}"))
    return tuple(found)
