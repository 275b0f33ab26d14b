"""Why a time of a cadence or cron routine did not run, in words for a person (design/schedules.md, Shapes)."""

from __future__ import annotations

from coven_desktop.engine.activity import ActivityLine
from coven_desktop.engine.listing import OccurrenceRow
from coven_desktop.qt.core import QCoreApplication
from coven_desktop.ui.times import Times


def _say(text: str) -> str:
    return QCoreApplication.translate("Skipped", text)


def state(reason_class: str | None) -> str | None:
    """The state of a skipped occurrence; None for one that was skipped for another reason."""
    return {"missed": _say("Missed"), "overlap": _say("Skipped"), "catch_up": _say("Missed and skipped")}.get(
        reason_class or ""
    )


def reason(row: OccurrenceRow, times: Times) -> str | None:
    """Why a skipped occurrence did not run; None for one that was skipped for another reason."""
    if row.state != "skipped":
        return None
    if row.slots > 1 and row.first_slot is not None and row.last_slot is not None:
        text = {
            "missed": _say("{number} more times between {first} and {last} did not run: they were found too late"),
            "catch_up": _say("{number} times between {first} and {last} did not run: its catch-up is to skip them"),
        }.get(row.reason_class or "")
        return text and text.format(
            number=f"{row.slots:,}",
            first=times.day_and_time(row.first_slot),
            last=times.day_and_time(row.last_slot),
        )
    return because(row.reason_class)


def because(reason_class: str | None) -> str | None:
    """Why one time did not run."""
    return {
        "missed": _say("found late, when a newer time had come"),
        "overlap": _say("an earlier run of it was not over"),
        "catch_up": _say("found late, and its catch-up is to skip"),
    }.get(reason_class or "")


def of_line(line: ActivityLine, times: Times) -> str | None:
    """What a line of the activity says of times that did not run; None when it is about something else."""
    number = max(line.slots or 0, int(line.facts.get("collapsedSlots") or 0))
    disposition = line.facts.get("disposition")
    if disposition == "missed":
        if number > 1 and line.first_slot is not None and line.scheduled_for is not None:
            text = _say("Missed: {number} times between {first} and {last} did not run, as newer ones had come")
            return text.format(
                number=f"{number:,}",
                first=times.day_and_time(line.first_slot),
                last=times.day_and_time(line.scheduled_for),
            )
        return _say("Missed: {reason}").format(reason=because("missed"))
    if disposition == "skipped_overlap":
        return _say("Skipped: {reason}").format(reason=because("overlap"))
    if disposition != "catch_up_skipped":
        return None
    if line.reason_class == "catch_up":
        if number > 1:
            return _say("{number} times were missed and are skipped, as its catch-up says").format(number=f"{number:,}")
        return _say("A time was missed and is skipped, as its catch-up says")
    if number == 1:
        return _say("1 earlier time was missed; this run stands for it")
    return _say("{number} earlier times were missed; this run stands for all of them").format(number=f"{number:,}")
