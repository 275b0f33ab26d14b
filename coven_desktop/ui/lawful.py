"""What can be done with a row, and why not: the one place where the window looks it up.

Each of the questions answers None where it can be done, and else a sentence for the tooltip. The next step is what the
row waits for, or the way out of a state that has no date.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from coven_desktop.engine.listing import OccurrenceRow, RoutineRow
from coven_desktop.qt.core import QCoreApplication
from coven_desktop.ui import ended_words

Act = Literal["release", "retry", "decide", "show", "edit", "resume", "duplicate", "enable"]


@dataclass(frozen=True)
class Step:
    """What comes next: the act, how its button is called, and what it is about."""

    act: Act
    verb: str
    hint: str


def _say(text: str) -> str:
    return QCoreApplication.translate("Lawful", text)


def next_step(row: RoutineRow) -> Step | None:
    """What a routine waits for; None for one that goes on by itself."""
    phase = row.run.phase if row.run is not None else ""
    if row.quarantine is not None and not row.deleted:
        hint = _say("It failed too often. See why, then release it; until then it does not run.")
        if phase == "held":
            hint = _say("It failed too often. Release it first, then its failed run can be retried.")
        return Step("release", _say("Re&lease…"), hint)
    if phase == "held" and row.run is not None and row.run.routine_deleted:
        return _give_up()
    if phase == "held" and row.deleted:
        return Step("show", _say("S&how…"), _say("Its routine is deleted: the failed run can only be given up."))
    if phase == "held":
        hint = _say("Retry the failed run, or give it up; until then no other run starts.")
        return Step("retry", _say("Retr&y…"), hint)
    if phase == "recovery_required":
        return Step("decide", _say("&Decide…"), _say("Nobody knows how its last run ended: look, and decide."))
    if row.deleted:
        return Step("duplicate", _say("D&uplicate…"), _say("Its history is kept. Duplicate it to have it again."))
    if row.broken_reason is not None or row.lifecycle == "invalid":
        return Step("edit", _say("&Edit…"), _say("Edit it, and mend what is said there; then it can be resumed."))
    failing = ended_words.failing(row)
    if failing is not None:
        hint = _say("{what}. See why, mend it, then resume it: its failures are counted anew.").format(what=failing)
        return Step("resume", _say("Resum&e"), hint)
    return {
        "draft": Step("edit", _say("&Edit…"), _say("Finish it in the form; saved, it is paused until you resume it.")),
        "paused": Step("resume", _say("Resum&e"), _say("Resume it, and it runs at its hours again.")),
        "disabled": Step("enable", _say("Ena&ble again…"), _say("Take it back, with another end if it needs one.")),
    }.get(row.lifecycle)


def step_of_occurrence(row: OccurrenceRow) -> Step | None:
    """What an occurrence waits for."""
    if row.phase == "held":
        if only_given_up(row):
            return _give_up()
        if row.quarantined:
            return Step("release", _say("Re&lease…"), _say("Release its routine first, then it can be retried."))
        return Step("retry", _say("Retr&y…"), _say("Try it again, or give it up."))
    if row.phase == "recovery_required":
        return Step("decide", _say("&Decide…"), _say("Nobody knows how it ended: look, and decide."))
    return None


def only_given_up(row: OccurrenceRow) -> bool:
    """Whether an occurrence's run is held and its routine was deleted meanwhile."""
    return row.phase == "held" and row.run is not None and row.run.routine_deleted


def _give_up() -> Step:
    """The way out of the failed run of a routine that was deleted: its dialog gives it up, and cannot retry it."""
    return Step("retry", _say("&Give up…"), _say("Its routine was deleted: its failed run can only be given up."))


def _is_over(row: RoutineRow) -> str | None:
    if row.deleted:
        return _say("It is deleted: only its history is left. Duplicate it to have it again.")
    return None


def why_not_run(row: RoutineRow) -> str | None:
    """Why a routine cannot be run now."""
    if row.broken_reason is not None:
        return _say("It cannot be read any more. Edit it first.")
    return _is_over(row) or {
        "draft": _say("It is a draft. Edit and save it first."),
        "disabled": _say("It is disabled. Enable it again first, or duplicate it to have another one."),
        "invalid": _say("It is not valid. Edit it first."),
    }.get(row.lifecycle)


def why_not_pause(row: RoutineRow) -> str | None:
    """Why a routine can be neither paused nor resumed."""
    return _is_over(row) or {
        "draft": _say("A draft has no hours yet. Edit and save it first."),
        "disabled": _say("It is disabled: there is nothing to pause."),
        "invalid": _say("It is not valid. Edit it first."),
    }.get(row.lifecycle)


def why_not_edit(row: RoutineRow) -> str | None:
    """Why a routine cannot be changed."""
    if row.lifecycle == "disabled" and not row.deleted:
        return _say("It is disabled. Enable it again first, then it can be changed; or duplicate it.")
    return _is_over(row)


def why_not_delete(row: RoutineRow) -> str | None:
    """Why a routine cannot be deleted."""
    return _say("It is deleted already.") if row.deleted else None


def why_not_stop(row: OccurrenceRow, endable: bool) -> str | None:
    """Why an occurrence cannot be stopped; `endable` is whether its phase lets it be ended."""
    if row.stopping:
        return _say("It is being stopped already.")
    return None if endable else _say("It is over.")
