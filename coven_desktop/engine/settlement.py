"""What became known of a session, and what that means for its attempt, run and occurrence.

Each function writes one piece of news in the caller's transaction and returns whether the run changed for those who
wait for its end or its place. News that comes twice, or after the run was settled, changes nothing.

Success comes only from evidence: a command that ended by itself, with exit code 0, before the deadline
(contract/engine.md §8.2; design/architecture.md, Evidence). What cannot be known is never guessed.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Literal

from coven_desktop.contract import timestamps
from coven_desktop.engine import attempts, cancellation, delivery, receipts
from coven_desktop.runtime.evidence import Evidence
from coven_desktop.runtime.launching import refusal_told
from coven_desktop.runtime.sessions import LaunchRefused
from coven_desktop.store import occurrences, open_runs, runs, schedule_state, stops, transitions
from coven_desktop.store.errors import StoreBug
from coven_desktop.store.runs import AttemptRow, RunRow, SessionRow
from coven_desktop.store.stops import StopFence
from coven_desktop.store.transactions import Notice, Transaction, Value

CANCELLED = "automation run cancelled by operator"
TIMED_OUT = "automation run timed out"
VANISHED = open_runs.VANISHED
LATE_EVIDENCE = "terminal session evidence observed after an ambiguous stop outcome"
STOPPED_FROM_OUTSIDE = "session killed (its host was told to stop, not by Coven Desktop)"
LEASE_PROVEN = "claim lease expired with proof that no process started"
LEASES_SPENT = "claim lease expired after all retry attempts were exhausted"
RETRY_WAIT_OVER = "automation retry wait exceeded run timeout"
DID_NOT_FINISH = "Run did not finish"
NOBODY_RETRIED = "no operator retry was opened before the run's deadline"
LIVE = ("dispatching", "started", "observing")


@dataclass(frozen=True)
class _Verdict:
    """How a run ends: the states of its three rows and why."""

    run: Literal["succeeded", "failed", "cancelled"]
    attempt: Literal["succeeded", "failed", "cancelled", "timed_out"]
    reason: str | None
    failure_class: str | None = None

    @property
    def reason_class(self) -> str | None:
        """The class the occurrence is shown under."""
        return self.failure_class or (None if self.run == "succeeded" else self.attempt)


def started(tx: Transaction, session: SessionRow, pid: int | None) -> bool:
    """The command is executing: the runtime owns the attempt, and its output and evidence channel is attached.

    `pid` is the host's; None when only the evidence tells of the start.
    """
    run, attempt = _bound_to(tx, session)
    if run.status == "running" and attempt.state == "dispatching":
        runs.update_session(tx, session.id, {"status": "running", "pid": pid})
        transitions.must_move(
            tx, "attempt", attempt.id, ("dispatching",), "started", changes={"session_id": session.id}
        )
        transitions.must_move(tx, "attempt", attempt.id, ("started",), "observing")
        transitions.must_move(tx, "occurrence", attempt.occurrence_id, ("claimed",), "running")
    return False


def refused(tx: Transaction, session: SessionRow, refusal: LaunchRefused) -> bool:
    """The command was never executed and that is proven: its policy says whether it is tried again."""
    return _end_without_command(tx, session, refusal.failure_class, refusal.message, at=tx.now_text)


def never_started(tx: Transaction, session: SessionRow) -> bool:
    """No process ever started and that is proven: the slot is claimed again, unless a stop was asked for meanwhile.

    The acceptance is taken back (contract/engine.md §5.6, §8.3).
    """
    if session.pid is not None:
        # It was seen to start, so its files are gone: that proves nothing.
        return unknown(tx, session)
    run, attempt = _bound_to(tx, session)
    if run.status == "running" and attempt.state == "dispatching" and stops.fence(tx, run.id) is None:
        if "lease_expired" not in attempts.policy_of(run).retryable_classes:
            if attempt.attempt_number == 1:
                runs.undo(tx, run.id, session.id, attempt.id)
                occurrence = occurrences.get(tx, attempt.occurrence_id)
                if occurrence is not None and occurrence.kind == "scheduled":
                    schedule_state.count_run(tx, run.automation_id, -1)
            else:
                runs.undo_dispatch(tx, run.id, session.id, attempt.id)
            occurrences.give_back(tx, attempt.occurrence_id)
            return True
        spent = attempts.exhausts(run, attempt, "lease_expired")
        reason = LEASES_SPENT if spent else LEASE_PROVEN
        return _end_without_command(tx, session, "lease_expired", reason, at=tx.now_text)
    return _end_without_command(tx, session, "launch_refused", "nothing was started", at=tx.now_text)


def ended(tx: Transaction, session: SessionRow, evidence: Evidence) -> bool:
    """Settle a session from its evidence, with the session's own end time (decisions.md 3)."""
    if session.evidence is not None:
        return False
    run, attempt = _bound_to(tx, session)
    at = timestamps.to_text(evidence.ended_at)
    if evidence.refusal is None:
        # when the start report was lost with an earlier app, the evidence proves the start as well
        started(tx, session, session.pid)
    runs.update_session(
        tx,
        session.id,
        {
            "status": _session_status(evidence),
            "exit_code": evidence.exit_code,
            "evidence": json.dumps(evidence.to_json()),
            "ended_at": at,
        },
    )
    if evidence.refusal is not None:
        told = refusal_told(evidence.refusal, None, session.project_root)
        return _end_without_command(tx, session, told.failure_class, told.message, at=at)
    if evidence.stop_reason is not None and not evidence.quiescent:
        # Something of the session may still live: the stop is not proven (decisions.md 18).
        return _leave_open(tx, session, run, attempt, VANISHED)
    if attempt.state == "ambiguous":
        return _settle_late(tx, run, attempt, stopped=evidence.stop_reason == "requested", code=evidence.exit_code)
    if run.status != "running" or attempt.state not in LIVE:
        return False
    verdict = _verdict(tx, run, evidence)
    if verdict.attempt == "failed" and attempts.may_be_held(run, attempt, tx.now_text):
        _hold(tx, run, attempt, verdict, at=at, exit_code=evidence.exit_code)
    elif verdict.run == "succeeded" and delivery.await_delivery(tx, run, evidence.exit_code):
        _end_attempt(tx, attempt, verdict, at=at)
        _conclude_stops(tx, run, verdict)
    else:
        _settle(tx, run, attempt, verdict, at=at, exit_code=evidence.exit_code)
    return True


def unknown(tx: Transaction, session: SessionRow, reason: str = VANISHED) -> bool:
    """The session is gone without evidence, or its stop is not proven: the person decides (contract/engine.md §8.4)."""
    if session.evidence is not None:
        return False
    runs.update_session(tx, session.id, {"status": "orphaned"})
    return _leave_open(tx, session, *_bound_to(tx, session), reason)


def _leave_open(tx: Transaction, session: SessionRow, run: RunRow, attempt: AttemptRow, reason: str) -> bool:
    """The attempt becomes ambiguous for good, the run stays open and the occurrence waits for recovery."""
    if run.status != "running" or attempt.state not in LIVE:
        return False
    fence = stops.fence(tx, run.id)
    if fence is not None:
        reason = f"{fence.owner} stop was not confirmed"
        stops.release(tx, run.id)
    cancellation.conclude(tx, run.id, "recovery_required")
    changes: dict[str, Value] = {
        "failure_class": "ambiguous_evidence",
        "state_reason": reason,
        "settled_at": tx.now_text,
        "session_id": session.id,
    }
    transitions.must_move(tx, "attempt", attempt.id, LIVE, "ambiguous", changes=changes)
    transitions.must_move(
        tx,
        "occurrence",
        attempt.occurrence_id,
        ("claimed", "running"),
        "recovery_required",
        changes=occurrences.settled(reason, "evidence_lost"),
    )
    if not (reason == VANISHED and attempts.settles_when_lost(run)):
        tx.notify(Notice("recovery_required", run.automation_id, reason))
    return True


def did_not_finish(tx: Transaction, run: RunRow) -> None:
    """A cron run whose owner is gone without evidence has failed once six minutes have passed since its start.

    It is not tried again in any way, and nobody is asked about it (decisions.md 4).
    """
    attempt = runs.latest_attempt(tx, run.id)
    if attempt is None:
        raise StoreBug(f"run {run.id} has no attempt")
    changes: dict[str, Value] = {"finished_at": tx.now_text}
    receipts.end_run(tx, run, "failed", reason=DID_NOT_FINISH, changes=changes, recovery="not_required")
    transitions.must_move(
        tx,
        "occurrence",
        attempt.occurrence_id,
        ("recovery_required",),
        "failed",
        changes=occurrences.settled(DID_NOT_FINISH, "ambiguous_evidence"),
    )


def deadline_of_idle(tx: Transaction, run: RunRow) -> None:
    """The deadline has come while a retry waited, or while the run was held for the person.

    See contract/engine.md §7 and §8.4.
    """
    attempt = runs.latest_attempt(tx, run.id)
    if attempt is None:
        raise StoreBug(f"run {run.id} has no attempt")
    occurrence = occurrences.get(tx, attempt.occurrence_id)
    if occurrence is None:
        raise StoreBug(f"run {run.id} has no occurrence")
    waited = attempt.state == "adopted"
    reason = RETRY_WAIT_OVER if waited else NOBODY_RETRIED
    if waited:
        transitions.must_move(
            tx,
            "attempt",
            attempt.id,
            ("adopted",),
            "timed_out",
            changes={"failure_class": "timeout", "state_reason": reason, "settled_at": tx.now_text},
        )
    if occurrence.state == "planned":
        # the machines end a planned slot by a claim only: it is claimed once more, to be ended
        transitions.must_move(
            tx, "occurrence", occurrence.id, ("planned",), "claimed", changes={"fence": occurrence.fence + 1}
        )
    receipts.end_run(tx, run, "failed", reason=reason, changes={"finished_at": tx.now_text})
    transitions.must_move(
        tx,
        "occurrence",
        occurrence.id,
        ("claimed", "running"),
        "failed",
        changes=occurrences.settled(reason, "timeout" if waited else "hold_ended"),
    )


def _end_without_command(tx: Transaction, session: SessionRow, failure_class: str, reason: str, *, at: str) -> bool:
    """It is proven that the command was never executed. A stop that was asked for meanwhile is thereby done.

    Otherwise the policy decides: another attempt, a quarantine, a hold for the person, or the end of the run
    (contract/engine.md §5.4, §6, §7).
    """
    runs.update_session(tx, session.id, {"status": "failed", "ended_at": at})
    run, attempt = _bound_to(tx, session)
    if attempt.state == "ambiguous":
        return _settle_late(tx, run, attempt, stopped=True, code=None)
    if run.status != "running" or attempt.state not in LIVE:
        return False
    fence = stops.fence(tx, run.id)
    verdict = _Verdict("failed", "failed", reason, failure_class)
    if fence is not None:
        _settle(tx, run, attempt, _stopped_by(fence), at=at, exit_code=None)
        return True
    retries = attempts.retries_automatically(run, attempt, failure_class, tx.now_text)
    if attempts.exhausts(run, attempt, failure_class):
        attempts.quarantine(tx, run, failure_class, reason)
    if not retries and not attempts.may_be_held(run, attempt, tx.now_text):
        _settle(tx, run, attempt, verdict, at=at, exit_code=None)
        return True
    _end_attempt(tx, attempt, verdict, at=at)
    if retries:
        failed = runs.attempt(tx, attempt.id)
        attempts.retry_automatically(tx, run, failed or attempt, reason)
    else:
        occurrences.hold(tx, attempt.occurrence_id, reason + attempts.HELD)
    return True


def _hold(
    tx: Transaction, run: RunRow, attempt: AttemptRow, verdict: _Verdict, *, at: str, exit_code: int | None
) -> None:
    """The command ran and failed while the deadline is open: the run waits for the person, its occurrence as it is."""
    told = _Verdict("failed", "failed", (verdict.reason or "session failed") + attempts.HELD, verdict.failure_class)
    _end_attempt(tx, attempt, told, at=at)
    runs.set_exit_code(tx, run.id, exit_code)
    stops.release(tx, run.id)
    cancellation.conclude(tx, run.id, "rejected")


def _end_attempt(tx: Transaction, attempt: AttemptRow, verdict: _Verdict, *, at: str) -> None:
    changes: dict[str, Value] = {
        "failure_class": verdict.failure_class,
        "state_reason": verdict.reason,
        "settled_at": at,
    }
    transitions.must_move(tx, "attempt", attempt.id, LIVE, verdict.attempt, changes=changes)


def _session_status(evidence: Evidence) -> str:
    if evidence.outcome == "refused":
        return "failed"
    if evidence.stop_reason is not None or evidence.outcome == "signalled":
        return "killed"
    return "completed" if evidence.exit_code == 0 else "failed"


def _verdict(tx: Transaction, run: RunRow, evidence: Evidence) -> _Verdict:
    """What evidence says of a run whose attempt was live until now."""
    fence = stops.fence(tx, run.id)
    if evidence.stop_reason in ("requested", "host_terminated") and fence is not None:
        return _stopped_by(fence)
    if evidence.stop_reason == "deadline":
        return _Verdict("failed", "timed_out", TIMED_OUT, "timeout")
    status = _session_status(evidence)
    if run.timeout_at is not None and timestamps.to_text(evidence.ended_at) >= run.timeout_at:
        late = "completed after" if status == "completed" else f"{status} at or after"
        return _Verdict("failed", "timed_out", f"session {late} automation timeout", "timeout")
    if status == "completed":
        return _Verdict("succeeded", "succeeded", None)
    if evidence.stop_reason == "host_terminated":
        return _Verdict("failed", "failed", STOPPED_FROM_OUTSIDE)
    detail = f" (exit code {evidence.exit_code})" if evidence.exit_code is not None else ""
    return _Verdict("failed", "failed", f"session {status}{detail}")


def _stopped_by(fence: StopFence) -> _Verdict:
    if fence.owner == "timeout":
        return _Verdict("failed", "timed_out", TIMED_OUT, "timeout")
    return _Verdict("cancelled", "cancelled", CANCELLED, "cancelled")


def _settle_late(tx: Transaction, run: RunRow, attempt: AttemptRow, *, stopped: bool, code: int | None) -> bool:
    """Evidence after an unconfirmed stop: a late proof of a cancellation cancels, anything else has failed.

    The attempt stays ambiguous, and the run ends when that became so (contract/engine.md §8.2). Evidence of an attempt
    after which another one was opened decides nothing any more.
    """
    occurrence = occurrences.get(tx, attempt.occurrence_id)
    latest = runs.latest_attempt(tx, run.id)
    if run.status != "running" or occurrence is None or occurrence.state != "recovery_required" or latest != attempt:
        return False
    asked = stops.latest_cancellation(tx, attempt.id)
    cancelled = stopped and asked is not None
    if cancelled and asked is not None:
        stops.set_state(tx, asked.adoption_key, "cancelled", acknowledged_at=tx.now_text, reconciled_at=tx.now_text)
    outcome: Literal["cancelled", "failed"] = "cancelled" if cancelled else "failed"
    reason = CANCELLED if cancelled else LATE_EVIDENCE
    receipts.end_run(
        tx,
        run,
        outcome,
        reason=reason,
        changes={"exit_code": code, "finished_at": attempt.settled_at},
        recovery="recovered_inline",
    )
    transitions.must_move(
        tx,
        "occurrence",
        occurrence.id,
        ("recovery_required",),
        outcome,
        changes=occurrences.settled(reason, "late_evidence"),
    )
    return True


def _settle(
    tx: Transaction, run: RunRow, attempt: AttemptRow, verdict: _Verdict, *, at: str, exit_code: int | None
) -> None:
    _end_attempt(tx, attempt, verdict, at=at)
    receipts.end_run(tx, run, verdict.run, reason=verdict.reason, changes={"exit_code": exit_code, "finished_at": at})
    transitions.must_move(
        tx,
        "occurrence",
        attempt.occurrence_id,
        ("claimed", "running"),
        verdict.run,
        changes=occurrences.settled(verdict.reason, verdict.reason_class),
    )
    _conclude_stops(tx, run, verdict)


def _conclude_stops(tx: Transaction, run: RunRow, verdict: _Verdict) -> None:
    """Nothing is left to be stopped: whoever asked for it hears what came of it."""
    stops.release(tx, run.id)
    cancellation.conclude(tx, run.id, "cancelled" if verdict.run == "cancelled" else "rejected")


def _bound_to(tx: Transaction, session: SessionRow) -> tuple[RunRow, AttemptRow]:
    """The run and the attempt that the session was made for."""
    run = runs.get(tx, session.run_id)
    attempt = runs.attempt(tx, session.attempt_id)
    if run is None or attempt is None:
        raise StoreBug(f"session {session.id} belongs to no attempt")
    return run, attempt
