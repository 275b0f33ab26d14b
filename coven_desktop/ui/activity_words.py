"""What happened, in words: lines of the feed and of the journal as rows of the Activity page."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from coven_desktop.engine.activity import ActivityLine
from coven_desktop.engine.settlement import CANCELLED
from coven_desktop.qt.core import QCoreApplication
from coven_desktop.ui import jargon, skipped_words, texts
from coven_desktop.ui.cells import Cell, Cells
from coven_desktop.ui.texts import Tone
from coven_desktop.ui.times import Times, duration

_NO_REASON = "Coven recorded the"

Said = tuple[str, Tone]


def _say(text: str) -> str:
    return QCoreApplication.translate("Activity", text)


def activity_cells(line: ActivityLine, times: Times) -> Cells:
    """When, routine, what happened."""
    what, tone = sentence(line, times)
    tip = what
    if line.scheduled_for is not None:
        tip += "\n" + _say("Due {time}").format(time=times.exact(line.scheduled_for))
    by = _by(line.by)
    if by:
        tip += "\n" + by
    name = line.name or ("" if line.automation_id is None else line.automation_id)
    return Cells(
        line.occurrence_id or line.automation_id or "",
        line,
        (
            Cell(f"{times.day_and_time(line.at)}", times.exact(line.at)),
            Cell(name, name or None, quiet=line.deleted),
            Cell(what.replace("\n", " "), tip, tone),
        ),
    )


def sentence(line: ActivityLine, times: Times) -> Said:
    """What happened, and how much it wants to be seen."""
    if line.kind.startswith("definition."):
        return _definition(line.kind.removeprefix("definition."), line.facts, by_itself=line.by is None)
    if line.kind == "occurrence.transitioned":
        return _ended(str(line.facts.get("to")), _reason(line.facts))
    if line.kind == "attempt.transitioned":
        number, reason = line.facts.get("attemptNumber", 1), _reason(line.facts)
        text = _say("Attempt {number} failed: {reason}") if reason else _say("Attempt {number} failed")
        return text.format(number=number, reason=reason), Tone.BAD
    if line.kind == "occurrence.misfire_recorded":
        return skipped_words.of_line(line, times) or _misfire(line.facts), Tone.QUIET
    told = _JOURNAL.get(line.kind)
    if told is not None:
        return told(line.facts, times)
    return str(line.facts.get("summary") or line.kind), Tone.PLAIN


def _definition(event: str, facts: Mapping[str, Any], *, by_itself: bool) -> Said:
    revision = facts.get("revision", 1)
    said = {
        "created": _say("Created"),
        "revised": _say("Changed: revision {revision}"),
        "activated": _say("Resumed"),
        "paused": _say("Paused by itself, as its runs failed in a row") if by_itself else _say("Paused"),
        "disabled": _say("Ended by itself: it is disabled, and keeps everything") if by_itself else _say("Disabled"),
        "reenabled": _say("Enabled again: it is paused"),
        "invalidated": _say("Found not valid"),
        "tombstoned": _say("Deleted"),
        "imported": _say("Imported"),
    }.get(event, event)
    if event == "created" and facts.get("lifecycleState") == "draft":
        said = _say("Created as a draft")
    return said.format(revision=revision), Tone.BAD if event == "invalidated" else Tone.PLAIN


def _ended(state: str, reason: str) -> Said:
    if state == "recovery_required":
        return _say("Nobody knows how it ended: it needs your decision"), Tone.ASKS
    said = texts.outcome(state)
    if state == "cancelled" and reason == jargon.plain(CANCELLED):
        said = _say("Stopped on request")
    elif reason and state != "succeeded":
        said = _say("{state}: {reason}").format(state=said, reason=reason)
    return said, texts.outcome_tone(state)


def _misfire(facts: Mapping[str, Any]) -> str:
    number = int(facts.get("collapsedSlots") or 0)
    if facts.get("disposition") == "collapsed_to_latest":
        if number == 1:
            return _say("1 earlier time was missed; this run stands for it")
        return _say("{number} earlier times were missed; this run stands for all of them").format(number=number)
    return _say("Skipped: {reason}").format(reason=str(facts.get("disposition", "")).replace("_", " "))


def _away(facts: Mapping[str, Any], times: Times) -> Said:
    start, end = facts.get("fromAt"), facts.get("untilAt")
    if not isinstance(start, int) or not isinstance(end, int):
        return _say("Coven Desktop started"), Tone.PLAIN
    text = _say("Coven Desktop did not run for {duration}, since {time}")
    return text.format(duration=duration(end - start, rough=True), time=times.day_and_time(start)), Tone.QUIET


def _jumped(facts: Mapping[str, Any], _times: Times) -> Said:
    jump = int(facts.get("milliseconds") or 0)
    text = (
        _say("The computer slept, or its clock was set forward, by {duration}")
        if jump > 0
        else _say("The clock was set back by {duration}")
    )
    return text.format(duration=duration(abs(jump), rough=True)), Tone.QUIET


def _pass_failed(facts: Mapping[str, Any], _times: Times) -> Said:
    failures = [jargon.plain(str(one)) for one in facts.get("failures") or ()]
    if not failures:
        return _say("The scheduler could not finish a pass; the log says more"), Tone.BAD
    if len(failures) == 1:
        return _say("The scheduler could not plan a routine: {reason}").format(reason=failures[0]), Tone.BAD
    text = _say("The scheduler could not plan {number} routines: {reason}")
    return text.format(number=len(failures), reason=failures[0]), Tone.BAD


def _quarantined(facts: Mapping[str, Any], _times: Times) -> Said:
    text = _say("Quarantined: {reason}").format(reason=jargon.plain(str(facts.get("reason", ""))))
    return text, Tone.ASKS


def _paused(facts: Mapping[str, Any], times: Times) -> Said:
    until = facts.get("untilAt")
    if isinstance(until, int):
        return _say("Everything was paused until {time}").format(time=times.moment(until)), Tone.PLAIN
    return _say("Everything was paused"), Tone.PLAIN


def _settings(facts: Mapping[str, Any], _times: Times) -> Said:
    names = [
        str(name)
        for what in ("environmentSet", "environmentRemoved", "secretsAdded", "secretsRemoved")
        for name in facts.get(what) or ()
    ]
    if not names:
        return _say("Its environment or secrets were changed"), Tone.PLAIN
    return _say("Its environment or secrets were changed: {names}").format(names=", ".join(names)), Tone.PLAIN


_JOURNAL: Mapping[str, Callable[[Mapping[str, Any], Times], Said]] = {
    "app.away": _away,
    "clock.jumped": _jumped,
    "pass.failed": _pass_failed,
    "routine.quarantined": _quarantined,
    "routine.released": lambda _facts, _times: (_say("Released from quarantine"), Tone.PLAIN),
    "settings.changed": _settings,
    "pause_all.began": _paused,
    "pause_all.ended": lambda _facts, _times: (_say("Everything goes on"), Tone.PLAIN),
}


def _reason(facts: Mapping[str, Any]) -> str:
    reason = str(facts.get("reason") or "")
    return "" if reason.startswith(_NO_REASON) else jargon.plain(reason)


def _by(key: str | None) -> str:
    if key is None:
        return ""
    if key.startswith("window:"):
        return _say("Asked for in the window")
    return _say("Asked for with covenctl") if key.startswith("covenctl:") else ""
