"""The contract's states in the words that the window uses, with the colour each has on a terminal.

A state this version does not know is shown as it came: a newer app is no reason to say something wrong.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from coven_desktop.cli.table import Cell

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

_HELD = Cell("held for retry", "red")
_WAITING = Cell("waiting to retry", "cyan")
_STOPPING = Cell("stopping", "cyan")

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
    attempt = latest_attempt(run).get("state")
    if attempt == "ambiguous":
        return _STATE["recovery_required"]
    cancellation = run.get("cancellation")
    if isinstance(cancellation, dict) and cancellation.get("status") in ("requested", "stopping"):
        return _STOPPING
    if attempt == "adopted" and latest_attempt(run).get("notBefore"):
        return _WAITING
    return _STATE["claimed" if attempt in ("adopted", "dispatching") else "running"]


def is_held(run: Mapping[str, Any]) -> bool:
    """Whether the run's last attempt is over while its deadline is open: it waits for the person."""
    return run.get("status") == "running" and latest_attempt(run).get("state") in _HELD_AFTER


def is_ambiguous(run: Mapping[str, Any]) -> bool:
    """Whether nobody knows how the run's last attempt ended: it waits for the person."""
    return run.get("status") == "running" and latest_attempt(run).get("state") == "ambiguous"


def attempts(run: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The attempts of a run, newest first."""
    return sorted(run.get("attempts") or (), key=lambda one: int(one["attemptNumber"]), reverse=True)


def latest_attempt(run: Mapping[str, Any]) -> Mapping[str, Any]:
    """The attempt with the highest number, or nothing."""
    return next(iter(attempts(run)), {})
