"""A cadence in words."""

from __future__ import annotations

from datetime import datetime, timedelta

from coven_desktop.schedule.cadence import Cadence
from coven_desktop.schedule.local_text import DAY_NAMES, MONTH_NAMES, spoken, time_text

_EPOCH = datetime.fromordinal(719_163)  # 1970-01-01T00:00:00, naive as all wall times
SKIPPED_ONCE = "A time that clocks skip runs at the moment they go forward; one that comes twice runs the first time."
EACH_HOUR = (
    "It runs in each real hour: an hour that clocks skip adds no run, one that comes twice runs both times."
)  # fmt: skip
ELAPSED = "It counts elapsed time: changes of clocks do not move it."


def words(cadence: Cadence) -> str:
    """When it runs, without the cron expression of mode cron: "Every day at 09:00"."""
    wall = _EPOCH + timedelta(seconds=cadence.wall)
    time = time_text(cadence.wall)
    if cadence.mode == "hourly":
        minute = f"minute {wall.minute}" + (f" and {wall.second} seconds" if wall.second else "")
        return f"Every hour at {minute}" if wall.minute or wall.second else "Every hour, on the hour"
    if cadence.mode == "daily":
        return f"Every day at {time}"
    if cadence.mode == "weekly":
        return f"Every {DAY_NAMES[wall.weekday()]} at {time}"
    if cadence.mode == "monthly":
        shorter = ", in shorter months on their last day" if wall.day > 28 else ""
        return f"Every month on day {wall.day} at {time}{shorter}"
    if cadence.mode == "yearly":
        common = ", in other years than leap years on 28 February" if (wall.month, wall.day) == (2, 29) else ""
        return f"Every year on {wall.day} {MONTH_NAMES[wall.month - 1]} at {time}{common}"
    if cadence.mode == "every_n_minutes":
        every = "minute" if cadence.minutes == 1 else f"{cadence.minutes:,} minutes"
        return f"Every {every}, counted from {spoken(cadence.wall)}"
    return f"Once, at {spoken(cadence.wall)}"


def sentences(cadence: Cadence) -> tuple[str, ...]:
    """What happens where clocks change, except for mode cron."""
    if cadence.mode == "hourly":
        return (EACH_HOUR,)
    if cadence.mode == "every_n_minutes":
        return (ELAPSED,)
    return () if cadence.mode == "once" else (SKIPPED_ONCE,)


def bounds(cadence: Cadence) -> tuple[str, ...]:
    """From when, until when and how often, each a sentence where it is given and says something."""
    found = []
    if cadence.anchor is not None and cadence.mode not in ("once", "every_n_minutes"):
        found.append(f"It begins at {spoken(cadence.wall)}.")
    if cadence.until is not None and cadence.mode != "once":
        until = cadence.until // 1000
        last = spoken(until + cadence.zone.stretch(until).offset)
        found.append(f"It ends with {last}: a run at that very time is the last.")
    if cadence.max_runs is not None and cadence.mode != "once":
        runs = "one run" if cadence.max_runs == 1 else f"{cadence.max_runs:,} runs"
        found.append(f"It ends after {runs}.")
    return tuple(found)
