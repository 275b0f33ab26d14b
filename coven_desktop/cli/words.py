"""The contract's states in the words that the window uses, with the colour each has on a terminal.

A state this version does not know is shown as it came: a newer app is no reason to say something wrong.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from coven_desktop.cli import instants
from coven_desktop.cli.table import Cell
from coven_desktop.contract import timestamps

_ROUTINE = {
    "ACTIVE": Cell("active", "green"),
    "PAUSED": Cell("paused", "yellow"),
    "DISABLED": Cell("disabled", "dim"),
}

_STATE = {
    "planned": Cell("planned", "cyan"),
    "claimed": Cell("starting", "cyan"),
    "running": Cell("running", "cyan"),
    "recovery_required": Cell("needs your decision", "red"),
    "succeeded": Cell("succeeded", "green"),
    "failed": Cell("failed", "red"),
    "cancelled": Cell("stopped", "yellow"),
    "timed_out": Cell("timed out", "red"),
    "skipped": Cell("skipped", "dim"),
    "superseded": Cell("superseded", "dim"),
}

_HELD = Cell("held for your retry", "red")
_WAITING = Cell("waits to retry", "cyan")
_STOPPING = Cell("stopping", "cyan")
_DELIVERING = Cell("delivering its output", "cyan")
_LOST = Cell("did not finish; it counts as failed soon, by itself", "red")

HELD_SUFFIX = "; held for an operator retry until the run's deadline"
"""What the app puts behind the reason of a held attempt (contract/engine.md §7); we say the time instead."""

UNKNOWN_DELIVERY = "delivery outcome unknown"
"""What the app says of an output of which nobody knows whether it was delivered (design/schedules.md, Delivery)."""

_HELD_AFTER = frozenset({"failed", "timed_out", "cancelled"})


def routine_state(status: str) -> Cell:
    """The state of a routine from its `status`."""
    return _ROUTINE.get(status, Cell(status))


def state(name: str) -> Cell:
    """The state of an occurrence."""
    return _STATE.get(name, Cell(name))


def run_state(run: Mapping[str, Any]) -> Cell:
    """The state of a run projection (contract/commands.md §5.2).

    A run that is `running` may really be waiting for a retry or for the person: its last attempt says so.
    """
    if run.get("status") != "running":
        if run.get("status") == "failed" and latest_attempt(run).get("state") == "timed_out":
            return _STATE["timed_out"]
        return state(str(run.get("status")))
    if is_held(run):
        return _HELD
    if run.get("deliveryStatus") == "pending":
        return _DELIVERING
    attempt = latest_attempt(run).get("state")
    if attempt == "ambiguous":
        return _STATE["recovery_required"]
    cancellation = run.get("cancellation")
    if isinstance(cancellation, dict) and cancellation.get("status") in ("requested", "stopping"):
        return _STOPPING
    if waits(run):
        return _WAITING
    return _STATE["claimed" if attempt in ("adopted", "dispatching") else "running"]


def is_held(run: Mapping[str, Any]) -> bool:
    """Whether the run's last attempt is over while its deadline is open: it waits for the person."""
    return run.get("status") == "running" and latest_attempt(run).get("state") in _HELD_AFTER


def waits(run: Mapping[str, Any]) -> bool:
    """Whether the run's next attempt is not due yet."""
    latest = latest_attempt(run)
    return run.get("status") == "running" and latest.get("state") == "adopted" and int(latest["attemptNumber"]) > 1


def is_ambiguous(run: Mapping[str, Any]) -> bool:
    """Whether nobody knows how the run's last attempt ended: it waits for the person."""
    return run.get("status") == "running" and latest_attempt(run).get("state") == "ambiguous"


def delivery(run: Mapping[str, Any]) -> str:
    """What became of the output of a run that has delivered it, or could not."""
    error, what = run.get("deliveryError"), run.get("delivery") or {}
    where = "shown as a notification" if what.get("kind") == "notification" else f"brought to {what.get('path')}"
    if error == UNKNOWN_DELIVERY:
        return f"The command succeeded. Whether its output was {where} is not known, and that is not repeated."
    if error:
        return f"The command succeeded, but its output was not {where}: {error}."
    return f"Its output was {where}."


def open_state(work: Mapping[str, Any], now: int) -> Cell | None:
    """What a held, waiting, delivering or undecided run of `coven.desktop.state.v1` waits for; None for a live one."""
    phase = work.get("phase")
    if phase == "held" and work.get("routineDeleted"):
        until = _local(work.get("timeoutAt"), now)
        return Cell(f"failed, and stays open until {until}, for its routine was deleted", _HELD.colour)
    if phase == "held":
        until = _local(work.get("timeoutAt"), now)
        return Cell(f"{_HELD.text} until {until}" if until else _HELD.text, _HELD.colour)
    if phase == "waiting" and work.get("routineDeleted"):
        until = _local(work.get("timeoutAt"), now)
        return Cell(
            f"its retry is not begun, and it stays open until {until}, for its routine was deleted", _HELD.colour
        )
    if phase == "waiting":
        number, count = int(work["attemptNumber"]), int(work["maxAttempts"])
        which = f"retry {number} of {count}" if number <= count else f"retry {number}"
        at = timestamps.parse(work["notBefore"])
        return Cell(f"{which} at {instants.local(at, now)}" if at > now else f"{which} is due", _WAITING.colour)
    if phase in ("delivering", "lost"):
        return _DELIVERING if phase == "delivering" else _LOST
    return _STATE["recovery_required"] if phase == "recovery_required" else None


def quarantined(quarantine: Mapping[str, Any]) -> Cell:
    """Why a routine of `coven.desktop.state.v1` is quarantined."""
    count = int(quarantine["exhaustions"])
    after = "a run used up its attempts" if count == 1 else f"{count} runs used up their attempts"
    return Cell(f"quarantined, {after}: {quarantine['reason']}", "red")


def paused_by_failures(count: int) -> Cell:
    """That a routine was paused by itself, as so many of its runs failed in a row."""
    return Cell("paused by itself: " + ("its run failed" if count == 1 else f"{count} runs in a row failed"), "red")


def unknown_sessions(state: Mapping[str, Any], automation_id: str | None = None) -> list[str]:
    """Sessions that the app's database does not know, of a routine or of all: what they hold back, and how they end."""
    return [
        f"Unknown to this database, as after a restored backup, and still running: {one['sessionId']} of"
        f" {one['automationId'] or 'a routine that it does not name'}, process {one['process']}. Until it has ended,"
        f" nothing else of its routine starts. Stop it: kill {one['process']}"
        for one in state.get("unknownSessions", ())
        if automation_id in (None, one["automationId"])
    ]


def ahead_until(state: Mapping[str, Any], automation_id: str) -> int | None:
    """Until when nothing of a routine is planned because the clock was ahead, UTC milliseconds (decisions.md 28)."""
    found = (one["until"] for one in state.get("clockAhead", ()) if one["automationId"] == automation_id)
    until = next(found, None)
    return None if until is None else timestamps.parse(until)


def next_step(state: Mapping[str, Any], automation_id: str) -> str | None:
    """The command that a routine's state waits for, or None."""
    if any(one["automationId"] == automation_id for one in state["quarantined"]):
        return f"Release it: covenctl release {automation_id}"
    for work in state["runs"]:
        if work["automationId"] != automation_id:
            continue
        return step_of_run(work)
    if any(one["automationId"] == automation_id for one in state.get("pausedByFailures", ())):
        return f"See why, mend it, then resume it: covenctl resume {automation_id}"
    return None


def step_of_run(work: Mapping[str, Any]) -> str | None:
    """The command that an open run of `coven.desktop.state.v1` waits for, or None when it goes on by itself."""
    if work.get("routineDeleted"):
        if work["phase"] == "recovery_required":
            return f"Decide: covenctl recover {work['occurrenceId']} --failed"
        return None if work["phase"] in ("live", "delivering") else f"Give it up: covenctl cancel {work['runId']}"
    if work["phase"] == "held":
        return retry_step(work["runId"])
    return recover_step(work["occurrenceId"]) if work["phase"] == "recovery_required" else None


def left_behind(state: Mapping[str, Any], now: int, automation_id: str | None = None) -> list[str]:
    """What is still open of routines that were deleted, of one or of all: what each waits for, and its command."""
    told = []
    for work in state["runs"]:
        if not work.get("routineDeleted") or automation_id not in (None, work["automationId"]):
            continue
        waits = open_state(work, now)
        about = "goes on" if waits is None else waits.text
        said = f"{work['runId']} of {work['automationId']}, which was deleted: {about}."
        stop = "" if work["phase"] == "delivering" else f"Stop it: covenctl cancel {work['runId']}"
        told.append(f"{said} {step_of_run(work) or stop}".strip())
    return told


def retry_step(run_id: object) -> str:
    """What can be done with a held run."""
    return f"Try it again: covenctl retry {run_id}\nGive it up: covenctl cancel {run_id}"


def recover_step(occurrence_id: object) -> str:
    """What can be done about a run that ended without evidence."""
    return f"Decide: covenctl recover {occurrence_id} --failed, or --retry"


def _local(text: object, now: int) -> str:
    return instants.local(timestamps.parse(text), now) if isinstance(text, str) else ""


def attempts(run: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The attempts of a run, newest first."""
    return sorted(run.get("attempts") or (), key=lambda one: int(one["attemptNumber"]), reverse=True)


def latest_attempt(run: Mapping[str, Any]) -> Mapping[str, Any]:
    """The attempt with the highest number, or nothing."""
    return next(iter(attempts(run)), {})
