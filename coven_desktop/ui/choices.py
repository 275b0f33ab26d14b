"""Which of the lawful next steps is off for a run that waits for the person, and why (contract/commands.md §4.6, §4.7).

The engine has the last word; these sentences save the person a refusal. Each is empty when the step is open.
"""

from __future__ import annotations

from coven_desktop.engine.attempts import LAST_ATTEMPT
from coven_desktop.engine.listing import OccurrenceRow, RunDetail
from coven_desktop.qt.core import QCoreApplication
from coven_desktop.ui.times import Times


def why_no_retry(row: OccurrenceRow, times: Times) -> str:
    """Why a held run cannot be retried."""
    run = row.run
    if run is None or run.phase != "held":
        return _say("This run is not held any more.")
    why = _why_no_attempt(row, times)
    if not why and row.cancellation in ("requested", "stopping"):
        return _say("A stop of this run has no outcome yet.")
    if not why and row.quarantined:
        return _say("Its routine is quarantined: release it first.")
    return why


def why_not_failed(detail: RunDetail) -> str:
    """Why an undecided run cannot be called failed."""
    if detail.occurrence.state != "recovery_required":
        return _say("This run does not wait for a decision any more.")
    last = detail.attempts[-1] if detail.attempts else None
    if last is not None and (
        last.state in ("dispatching", "started", "observing") or last.session_status in ("created", "running")
    ):
        return _say("Its session may still live: stop it first.")
    return ""


def why_no_new_attempt(detail: RunDetail, times: Times) -> str:
    """Why an undecided run cannot be tried again."""
    why = why_not_failed(detail)
    if why:
        return why
    if detail.occurrence.run is None or not detail.attempts:
        return _say("It has no run that could be tried again.")
    if detail.attempts[-1].state != "ambiguous":
        return _say("How its last attempt ended is known.")
    return _why_no_attempt(detail.occurrence, times)


def _why_no_attempt(row: OccurrenceRow, times: Times) -> str:
    run = row.run
    if run is not None and run.attempt >= LAST_ATTEMPT:
        return _say("It has had ten attempts, which is the most.")
    if run is not None and run.deadline is not None and run.deadline <= times.now():
        return _say("Its deadline, {time}, has passed.").format(time=times.day_and_time(run.deadline))
    # also when another routine has been given the id since
    if row.deleted or (run is not None and run.routine_deleted):
        return _say("Its routine is deleted.")
    if row.lifecycle == "paused":
        return _say("Its routine is paused: resume it first.")
    if row.lifecycle != "active":
        return _say("Its routine is {state}, not active.").format(state=row.lifecycle)
    return ""


def _say(text: str) -> str:
    return QCoreApplication.translate("Choices", text)
