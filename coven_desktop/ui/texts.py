"""The contract's words for states and reasons, as sentences for a person, and the tone in which they are shown."""

from __future__ import annotations

from enum import Enum
from functools import lru_cache

from coven_desktop.engine.listing import AttemptRow, OccurrenceRow, RoutineRow
from coven_desktop.qt.core import QCoreApplication


class Tone(Enum):
    """How much a state wants to be seen. Never the only carrier of a meaning: the words say it too."""

    QUIET = "quiet"
    PLAIN = "plain"
    BUSY = "busy"
    GOOD = "good"
    BAD = "bad"
    ASKS = "asks"


def _say(text: str) -> str:
    return QCoreApplication.translate("States", text)


def occurrence_state(row: OccurrenceRow) -> str:
    """The state of an occurrence, honest about what is only asked for."""
    if row.stopping:
        return _say("Stopping…")
    return outcome(row.state)


@lru_cache(maxsize=64)
def outcome(state: str) -> str:
    """The state of an occurrence by its contract name."""
    return {
        "planned": _say("Planned"),
        "claimed": _say("Starting"),
        "running": _say("Running"),
        "recovery_required": _say("Needs your decision"),
        "succeeded": _say("Succeeded"),
        "failed": _say("Failed"),
        "cancelled": _say("Stopped"),
        "skipped": _say("Skipped"),
        "superseded": _say("Superseded"),
    }.get(state, state)


@lru_cache(maxsize=64)
def outcome_tone(state: str) -> Tone:
    """The tone of an occurrence's state."""
    return {
        "planned": Tone.PLAIN,
        "claimed": Tone.BUSY,
        "running": Tone.BUSY,
        "recovery_required": Tone.ASKS,
        "succeeded": Tone.GOOD,
        "failed": Tone.BAD,
    }.get(state, Tone.QUIET)


def routine_state(row: RoutineRow) -> tuple[str, Tone]:
    """The state of a routine in a word or two: the one that wants the person first."""
    if row.broken_reason is not None:
        return _say("Broken"), Tone.BAD
    if row.open_state == "recovery_required":
        return _say("Needs your decision"), Tone.ASKS
    if row.quarantine_reason is not None:
        return _say("Quarantined"), Tone.ASKS
    if row.open_state == "running":
        return _say("Running"), Tone.BUSY
    if row.open_state == "claimed":
        return _say("Starting"), Tone.BUSY
    return {
        "active": (_say("Active"), Tone.PLAIN),
        "paused": (_say("Paused"), Tone.QUIET),
        "disabled": (_say("Disabled"), Tone.QUIET),
        "draft": (_say("Draft"), Tone.QUIET),
        "invalid": (_say("Invalid"), Tone.BAD),
    }.get(row.lifecycle, (row.lifecycle, Tone.PLAIN))


def why_no_date(row: RoutineRow) -> str:
    """Why a routine has no next run."""
    if row.broken_reason is not None:
        return row.broken_reason
    if row.quarantine_reason is not None:
        return _say("quarantined: {reason}").format(reason=row.quarantine_reason)
    return {
        "paused": _say("none while paused"),
        "disabled": _say("none: disabled"),
        "draft": _say("none: still a draft"),
        "invalid": _say("none: not valid"),
    }.get(row.lifecycle, _say("not known yet"))


def attempt_state(attempt: AttemptRow) -> str:
    """The state of an attempt."""
    return {
        "adopted": _say("Waiting"),
        "dispatching": _say("Starting"),
        "started": _say("Started"),
        "observing": _say("Running"),
        "succeeded": _say("Succeeded"),
        "failed": _say("Failed"),
        "cancelled": _say("Stopped"),
        "timed_out": _say("Timed out"),
        "ambiguous": _say("Outcome unknown"),
    }.get(attempt.state, attempt.state)


def attempt_end(attempt: AttemptRow) -> str:
    """How an attempt ended: the exit as the evidence has it, the signal, or what stands in its place."""
    evidence = attempt.evidence or {}
    if evidence.get("outcome") == "signalled":
        return _say("signal {number}").format(number=evidence.get("signal"))
    if attempt.exit_code is not None:
        return _say("exit {code}").format(code=attempt.exit_code)
    if attempt.state in ("adopted", "dispatching", "started", "observing"):
        return ""
    return failure_class(attempt.failure_class) if attempt.failure_class else _say("no evidence")


@lru_cache(maxsize=64)
def failure_class(name: str) -> str:
    """A failure class of the contract in words."""
    return {
        "transient_dispatch": _say("could not be started"),
        "lease_expired": _say("lost its claim before it began"),
        "runtime_unavailable": _say("found no command to run"),
        "launch_refused": _say("was refused at its start"),
        "runtime_error": _say("ended with an error"),
        "timeout": _say("took too long"),
        "cancelled": _say("was stopped on request"),
        "ambiguous_evidence": _say("left no evidence how it ended"),
        "runtime_authority_unsupported": _say("asks for an authority this app does not have"),
    }.get(name, name)
