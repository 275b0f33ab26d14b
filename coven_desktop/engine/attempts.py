"""What follows a failed attempt: the next one, a quarantine, a hold for the person, or the end of the run.

Automatic retries are for failures before the runtime took ownership only; a command that ran and failed is never
repeated by itself (contract/engine.md §5.4, §6, §7).
"""

from __future__ import annotations

from coven_desktop.contract import backoff, timestamps
from coven_desktop.contract.definition import RetryPolicy
from coven_desktop.contract.routine import AnyRoutine, from_stored, kind_of
from coven_desktop.store import occurrences, open_runs, retry_state, runs
from coven_desktop.store.runs import AttemptRow, RunRow
from coven_desktop.store.transactions import Notice, Transaction

SECOND_MS = 1000
LAST_ATTEMPT = 10
# How the reason begins that is kept when a person decides about an unknown outcome.
DECIDED = "operator recovery"
HELD = "; held for an operator retry until the run's deadline"


def routine_of(run: RunRow) -> AnyRoutine:
    """The routine as the run was accepted with it."""
    return from_stored(run.definition_snapshot)


def policy_of(run: RunRow) -> RetryPolicy:
    """The retry policy the run was accepted with."""
    return routine_of(run).retry


def settles_when_lost(run: RunRow) -> bool:
    """Whether a run of which nobody knows how it ended settles by itself: cron alone (decisions.md 4)."""
    return kind_of(routine_of(run)) == "cron"


def open_window(run: RunRow, now_text: str) -> bool:
    """Whether the run's deadline is strictly in the future."""
    return run.timeout_at is not None and run.timeout_at > now_text


def may_be_held(run: RunRow, attempt: AttemptRow, now_text: str) -> bool:
    """Whether a failed attempt leaves its run to the person: deadline open, fewer than ten attempts.

    Runs of cadence and cron routines end with their last automatic attempt (design/schedules.md).
    """
    return (
        open_window(run, now_text)
        and attempt.attempt_number < LAST_ATTEMPT
        and run.authority_profile is None
        and kind_of(routine_of(run)) == "rrule"
    )


def retries_automatically(run: RunRow, attempt: AttemptRow, failure_class: str, now_text: str) -> bool:
    """Whether the pinned policy opens another attempt after a failure of this class before ownership."""
    policy = policy_of(run)
    return (
        failure_class in policy.retryable_classes
        and attempt.attempt_number < policy.max_attempts
        and open_window(run, now_text)
    )


def exhausts(run: RunRow, attempt: AttemptRow, failure_class: str) -> bool:
    """Whether a failure of this class uses up the policy's attempts: then the routine is quarantined."""
    policy = policy_of(run)
    return failure_class in policy.retryable_classes and attempt.attempt_number >= policy.max_attempts


def retry_automatically(tx: Transaction, run: RunRow, failed: AttemptRow, reason: str) -> None:
    """Open the next attempt with the policy's wait; the occurrence is planned again.

    The wait counts from the failure; it may end after the deadline, which then ends the waiting attempt.
    """
    not_before = retry_not_before(policy_of(run), run.id, failed.attempt_number + 1, tx.now)
    runs.open_attempt(tx, failed, classification="automatic_retry", not_before=timestamps.to_text_capped(not_before))
    occurrences.give_back(tx, failed.occurrence_id, reason=reason)


def retry_not_before(policy: RetryPolicy, run_id: str, attempt_number: int, failed_at: int) -> int:
    """When an automatic retry may begin at the earliest; instants in UTC milliseconds (contract/engine.md §5.5)."""
    return failed_at + backoff.delay_seconds(policy, run_id, attempt_number) * SECOND_MS


def quarantine(tx: Transaction, run: RunRow, failure_class: str, reason: str) -> None:
    """Count an exhaustion: nothing of the routine is planned or claimed until it is released by hand.

    Nothing of a routine that was deleted is counted: whoever is given its id did not fail.
    """
    if open_runs.has_outlived(tx, run.id):
        return
    if retry_state.record_exhaustion(tx, run.automation_id, failure_class, reason) == 1:
        tx.notify(Notice("quarantined", run.automation_id, reason))
