"""Why a routine does not go on by itself: its series has ended, or its runs failed in a row (design/schedules.md)."""

from __future__ import annotations

from coven_desktop.engine.listing import RoutineRow
from coven_desktop.qt.core import QCoreApplication


def _say(text: str) -> str:
    return QCoreApplication.translate("Ended", text)


def ended(row: RoutineRow) -> str | None:
    """Why a routine has ended by itself; None when it has not, or was disabled by a command."""
    if row.lifecycle != "disabled" or not row.by_scheduler:
        return None
    schedule = row.body.get("schedule") or {}
    most = schedule.get("maxRuns")
    if isinstance(most, int) and row.runs_counted >= most:
        return _say("its one run was made") if most == 1 else _say("its {number} runs were made").format(number=most)
    if schedule.get("mode") == "once":
        return _say("its one time is over")
    if schedule.get("until"):
        return _say("its end has come, {until}").format(until=str(schedule["until"]).replace("T", " "))
    return _say("no further time comes")


def failing(row: RoutineRow) -> str | None:
    """That a routine was paused by itself as its runs failed; None when it was not."""
    if row.lifecycle != "paused" or not row.by_scheduler:
        return None
    if row.failures_in_a_row == 1:
        return _say("Paused by itself: its run failed")
    return _say("Paused by itself: {number} runs in a row failed").format(number=row.failures_in_a_row)
