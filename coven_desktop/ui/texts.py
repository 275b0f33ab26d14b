"""The contract's words for states and reasons, as sentences for a person, and the tone in which they are shown."""

from __future__ import annotations

from enum import Enum
from functools import lru_cache

from coven_desktop.engine import attempts
from coven_desktop.engine.listing import AttemptRow, OccurrenceRow, OpenRun, Quarantine, RoutineRow
from coven_desktop.qt.core import QCoreApplication
from coven_desktop.ui import ended_words, skipped_words
from coven_desktop.ui.jargon import plain
from coven_desktop.ui.times import Times


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


def occurrence_state(row: OccurrenceRow, times: Times) -> str:
    """The state of an occurrence, honest about what is only asked for and about what it waits for."""
    if row.stopping:
        return _say("Stopping…")
    if row.run is not None and row.phase == "waiting" and row.deleted:
        return _say("{retry} will not come: its routine is deleted").format(retry=retry_number(row.run))
    if row.run is not None and row.phase == "waiting" and row.quarantined:
        return _say("{retry} waits for the release of its routine").format(retry=retry_number(row.run))
    if row.run is not None and row.phase in ("held", "waiting"):
        return waits_for(row.run, times)
    if row.state == "skipped":
        return skipped_words.state(row.reason_class) or outcome(row.state)
    return outcome(row.phase)


def occurrence_tone(row: OccurrenceRow) -> Tone:
    """The tone of an occurrence's state; what is held asks for the person as much as what is undecided."""
    own = {"held": Tone.ASKS, "waiting": Tone.BUSY, "delivering": Tone.BUSY, "lost": Tone.BAD}
    return own.get(row.phase) or outcome_tone(row.state)


def waits_for(run: OpenRun, times: Times) -> str:
    """What a held or waiting run waits for, and until when."""
    if run.phase == "held":
        if run.deadline is None:
            return _say("Failed, held for your retry")
        return _say("Failed, held for your retry until {time}").format(time=times.moment(run.deadline))
    if run.deadline is not None and run.deadline <= run.not_before:
        return _say("{retry} would come after its deadline, {time}").format(
            retry=retry_number(run), time=times.moment(run.deadline)
        )
    if run.not_before <= times.now():
        return _say("{retry} is due").format(retry=retry_number(run))
    return _say("{retry} at {time}").format(retry=retry_number(run), time=times.moment(run.not_before))


def retry_number(run: OpenRun) -> str:
    """`Retry 2 of 3`; beyond what the policy gives, which only the person can ask for, `Retry 4`."""
    if run.attempt > run.of:
        return _say("Retry {number}").format(number=run.attempt)
    return _say("Retry {number} of {all}").format(number=run.attempt, all=run.of)


def failed_because(run: OpenRun) -> str:
    """The reason of a held run's last attempt. That it is held is said elsewhere, with the time."""
    return plain((run.reason or "").removesuffix(attempts.HELD))


def quarantined(quarantine: Quarantine) -> str:
    """Why nothing of a routine is planned or claimed."""
    if quarantine.exhaustions == 1:
        return _say("Quarantined, a run used up its attempts: {reason}").format(reason=plain(quarantine.reason))
    return _say("Quarantined, {n} runs used up their attempts: {reason}").format(
        n=quarantine.exhaustions, reason=plain(quarantine.reason)
    )


@lru_cache(maxsize=64)
def outcome(state: str) -> str:
    """The state of an occurrence by its contract name; `held` is what a run waits for, and no state of the contract."""
    return {
        "planned": _say("Planned"),
        "claimed": _say("Starting"),
        "running": _say("Running"),
        "delivering": _say("Delivering its output"),
        "held": _say("Failed and held for your retry"),
        "recovery_required": _say("Needs your decision"),
        "lost": _say("Did not finish; it counts as failed soon, by itself"),
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
        "held": Tone.ASKS,
        "recovery_required": Tone.ASKS,
        "succeeded": Tone.GOOD,
        "failed": Tone.BAD,
        "lost": Tone.BAD,
    }.get(state, Tone.QUIET)


def routine_state(row: RoutineRow, times: Times) -> tuple[str, Tone]:
    """The state of a routine: the one that wants the person first."""
    if row.deleted_at is not None:
        return _say("Deleted {time}").format(time=times.day_and_time(row.deleted_at)), Tone.QUIET
    if row.broken_reason is not None:
        return _say("Broken"), Tone.BAD
    if row.run is not None and row.run.phase == "lost":
        return outcome("lost"), outcome_tone("lost")
    if row.open_state == "recovery_required":
        return _say("Needs your decision"), Tone.ASKS
    if row.quarantine is not None:
        return quarantined(row.quarantine), Tone.ASKS
    if row.run is not None and row.run.phase == "held":
        return waits_for(row.run, times), Tone.ASKS
    if row.run is not None and row.run.phase == "waiting":
        return waits_for(row.run, times), Tone.BUSY
    if row.run is not None and row.run.phase == "delivering":
        return outcome("delivering"), Tone.BUSY
    if row.open_state == "running":
        return _say("Running"), Tone.BUSY
    if row.open_state == "claimed":
        return _say("Starting"), Tone.BUSY
    if (ended := ended_words.ended(row)) is not None:
        return _say("Ended: {reason}").format(reason=ended), Tone.QUIET
    if (failing := ended_words.failing(row)) is not None:
        return failing, Tone.BAD
    if row.last_failed_at is not None and row.lifecycle in ("active", "paused"):
        # what came of the night stays to be seen after its run was given up (design/product.md)
        text = (
            _say("Active · last run failed, {time}")
            if row.lifecycle == "active"
            else _say("Paused · last run failed, {time}")
        )
        return text.format(time=times.day_and_time(row.last_failed_at)), Tone.BAD
    return {
        "active": (_say("Active"), Tone.PLAIN),
        "paused": (_say("Paused"), Tone.QUIET),
        "disabled": (_say("Disabled"), Tone.QUIET),
        "draft": (_say("Draft"), Tone.QUIET),
        "invalid": (_say("Invalid"), Tone.BAD),
    }.get(row.lifecycle, (row.lifecycle, Tone.PLAIN))


def why_no_date(row: RoutineRow) -> str:
    """Why a routine has no next run."""
    if row.deleted:
        return _say("none: deleted")
    if row.broken_reason is not None:
        return _say("none: it cannot be read any more")
    if row.quarantine is not None:
        return _say("none until it is released")
    if row.by_scheduler and row.lifecycle == "disabled":
        return _say("none: it has ended")
    return {
        "paused": _say("none while paused"),
        "disabled": _say("none: disabled"),
        "draft": _say("none: still a draft"),
        "invalid": _say("none: not valid, it must be mended"),
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


def attempt_reason(attempt: AttemptRow) -> str:
    """Why an attempt ended, without what is said of its run."""
    return plain((attempt.reason or "").removesuffix(attempts.HELD))


def attempt_end(attempt: AttemptRow) -> str:
    """How an attempt ended: the exit as the evidence has it, the signal, or what stands in its place."""
    evidence = attempt.evidence or {}
    if evidence.get("outcome") == "signalled":
        return _say("signal {number}").format(number=evidence.get("signal"))
    if attempt.exit_code is not None:
        return _say("exit {code}").format(code=attempt.exit_code)
    if attempt.state in ("adopted", "dispatching", "started", "observing"):
        return ""
    return failure_class(attempt.failure_class) if attempt.failure_class else _say("not known")


@lru_cache(maxsize=64)
def failure_class(name: str) -> str:
    """A failure class of the contract in words."""
    return {
        "transient_dispatch": _say("could not be started"),
        "lease_expired": _say("was not started in time"),
        "runtime_unavailable": _say("found no command to run"),
        "launch_refused": _say("was refused at its start"),
        "runtime_error": _say("ended with an error"),
        "timeout": _say("took too long"),
        "cancelled": _say("was stopped on request"),
        "ambiguous_evidence": _say("ended in a way that nobody knows"),
        "runtime_authority_unsupported": _say("asks for an authority this app does not have"),
    }.get(name, name)
