"""What a session's life means for its attempt, run and occurrence, written in one transaction each.

Success comes only from evidence: a command that ended by itself, with exit code 0, before the deadline
(contract/engine.md §8.2; design/architecture.md, Evidence). What cannot be known is never guessed.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Literal

from coven_desktop.contract import timestamps
from coven_desktop.engine import cancellation
from coven_desktop.runtime.evidence import Evidence
from coven_desktop.runtime.sessions import LaunchRefused, Started
from coven_desktop.store import occurrences, runs, stops, transitions
from coven_desktop.store.errors import StoreBug
from coven_desktop.store.runs import AttemptRow, RunRow, SessionRow
from coven_desktop.store.stops import StopFence
from coven_desktop.store.transactions import Transaction, Value

CANCELLED = "automation run cancelled by operator"
TIMED_OUT = "automation run timed out"
VANISHED = "session vanished without evidence: whether its work was done is not known"
LATE_EVIDENCE = "terminal session evidence observed after an ambiguous stop outcome"
STOPPED_FROM_OUTSIDE = "session killed (its host was told to stop, not by Coven Desktop)"
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


def started(tx: Transaction, run_id: str, at: Started) -> None:
    """The command is executing: the runtime owns the attempt, and its output and evidence channel is attached."""
    run = _run(tx, run_id)
    attempt = _latest(tx, run_id)
    if run.status != "running" or attempt.state != "dispatching":
        return
    runs.update_session(tx, at.session_id, {"status": "running", "pid": at.pid or None})
    transitions.must_move(tx, "attempt", attempt.id, ("dispatching",), "started", changes={"session_id": at.session_id})
    transitions.must_move(tx, "attempt", attempt.id, ("started",), "observing")
    transitions.move(tx, "occurrence", attempt.occurrence_id, ("claimed",), "running")


def refused(tx: Transaction, run_id: str, session_id: str, refusal: LaunchRefused) -> None:
    """The command was never executed and that is proven: the failure is final for this attempt and its run."""
    run = _run(tx, run_id)
    attempt = _latest(tx, run_id)
    runs.update_session(tx, session_id, {"status": "failed", "ended_at": tx.now_text})
    if run.status != "running" or attempt.state not in LIVE:
        return
    fence = stops.fence(tx, run_id)
    verdict = _Verdict("failed", "failed", refusal.message, refusal.failure_class)
    if fence is not None:
        verdict = _stopped_by(fence)
    _settle(tx, run, attempt, verdict, at=tx.now_text, exit_code=None)


def ended(tx: Transaction, session: SessionRow, evidence: Evidence) -> None:
    """Settle a session from its evidence, with the session's own end time (decisions.md 3)."""
    run = _run(tx, session.run_id)
    attempt = _latest(tx, session.run_id)
    at = timestamps.to_text(evidence.ended_at)
    if evidence.outcome == "refused":
        _record_end(tx, session, "failed", evidence, at)
    else:
        _record_end(tx, session, _session_status(evidence), evidence, at)
    if run.status != "running":
        return
    if attempt.state == "ambiguous":
        _settle_late(tx, run, attempt, evidence)
        return
    if attempt.state not in LIVE:
        raise StoreBug(f"session {session.id} ended under attempt {attempt.id} in state {attempt.state}")
    if attempt.state == "dispatching" and evidence.started_at is not None:
        # The start report was lost with an earlier app; the evidence proves the start as well.
        started(tx, run.id, Started(session.id, session.pid or 0, evidence.started_at))
    _settle(tx, run, attempt, _verdict(tx, run, attempt, evidence), at=at, exit_code=evidence.exit_code)


def vanished(tx: Transaction, session: SessionRow, reason: str = VANISHED) -> None:
    """The session is gone, or its stop is not proven: nobody knows how it ended, and the person decides.

    The attempt becomes ambiguous for good, the run stays open and the occurrence waits for recovery
    (contract/engine.md §8.4).
    """
    run = _run(tx, session.run_id)
    attempt = _latest(tx, session.run_id)
    runs.update_session(tx, session.id, {"status": "orphaned"})
    if run.status != "running" or attempt.state not in LIVE:
        return
    fence = stops.fence(tx, run.id)
    if fence is not None:
        reason = f"{fence.owner} stop was not confirmed"
        stops.release(tx, run.id)
    cancellation.conclude(tx, run.id, "recovery_required")
    changes: dict[str, Value] = {
        "failure_class": "ambiguous_evidence",
        "state_reason": reason,
        "settled_at": tx.now_text,
    }
    if attempt.session_id is None:
        changes["session_id"] = session.id
    transitions.must_move(tx, "attempt", attempt.id, LIVE, "ambiguous", changes=changes)
    transitions.must_move(
        tx,
        "occurrence",
        attempt.occurrence_id,
        ("claimed", "running"),
        "recovery_required",
        changes=occurrences.settled(reason, "evidence_lost"),
    )


def never_started(tx: Transaction, session: SessionRow) -> None:
    """It is proven that no process ever started: take the acceptance back and let the slot be claimed again.

    When a stop was asked for meanwhile, that stop is thereby done (contract/engine.md §5.6, §8.3).
    """
    run = _run(tx, session.run_id)
    attempt = _latest(tx, session.run_id)
    if run.status != "running" or attempt.state != "dispatching":
        runs.update_session(tx, session.id, {"status": "failed", "ended_at": tx.now_text})
        return
    fence = stops.fence(tx, run.id)
    if fence is not None:
        runs.update_session(tx, session.id, {"status": "failed", "ended_at": tx.now_text})
        _settle(tx, run, attempt, _stopped_by(fence), at=tx.now_text, exit_code=None)
        return
    runs.undo(tx, run.id, session.id, attempt.id)
    occurrences.give_back(tx, attempt.occurrence_id)


def _session_status(evidence: Evidence) -> str:
    if evidence.stop_reason is not None:
        return "killed"
    if evidence.outcome == "signalled":
        return "killed"
    return "completed" if evidence.exit_code == 0 else "failed"


def _record_end(tx: Transaction, session: SessionRow, status: str, evidence: Evidence, at: str) -> None:
    runs.update_session(
        tx,
        session.id,
        {"status": status, "exit_code": evidence.exit_code, "evidence": json.dumps(evidence.to_json()), "ended_at": at},
    )


def _verdict(tx: Transaction, run: RunRow, attempt: AttemptRow, evidence: Evidence) -> _Verdict:
    if evidence.outcome == "refused" and evidence.refusal is not None:
        step = evidence.refusal.step
        return _Verdict("failed", "failed", f"the command could not be started ({step})", "launch_refused")
    fence = stops.fence(tx, run.id)
    if evidence.stop_reason in ("requested", "host_terminated") and fence is not None:
        return _stopped_by(fence)
    if evidence.stop_reason == "deadline":
        return _Verdict("failed", "timed_out", TIMED_OUT, "timeout")
    if evidence.stop_reason == "requested":
        # Asked for under a fence that is gone: its owner is the attempt's newest cancellation.
        if stops.latest_cancellation(tx, attempt.id) is not None:
            return _Verdict("cancelled", "cancelled", CANCELLED, "cancelled")
        return _Verdict("failed", "timed_out", TIMED_OUT, "timeout")
    status = _session_status(evidence)
    if run.timeout_at is not None and timestamps.to_text(evidence.ended_at) >= run.timeout_at:
        late = (
            "completed after automation timeout"
            if status == "completed"
            else f"{status} at or after automation timeout"
        )
        return _Verdict("failed", "timed_out", f"session {late}", "timeout")
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


def _settle_late(tx: Transaction, run: RunRow, attempt: AttemptRow, evidence: Evidence) -> None:
    """Evidence after an unconfirmed stop: a late proof of a cancellation cancels, anything else has failed."""
    asked = stops.latest_cancellation(tx, attempt.id)
    proven_stop = evidence.stop_reason == "requested" and evidence.quiescent and asked is not None
    outcome = "cancelled" if proven_stop else "failed"
    reason = CANCELLED if proven_stop else LATE_EVIDENCE
    if proven_stop and asked is not None:
        stops.set_state(tx, asked.adoption_key, "cancelled", acknowledged_at=tx.now_text, reconciled_at=tx.now_text)
    stops.release(tx, run.id)
    transitions.must_move(
        tx,
        "run",
        run.id,
        ("running",),
        outcome,
        changes={"exit_code": evidence.exit_code, "finished_at": attempt.settled_at},
    )
    transitions.must_move(
        tx,
        "occurrence",
        attempt.occurrence_id,
        ("recovery_required",),
        outcome,
        changes=occurrences.settled(reason, "late_evidence"),
    )


def _settle(
    tx: Transaction, run: RunRow, attempt: AttemptRow, verdict: _Verdict, *, at: str, exit_code: int | None
) -> None:
    changes: dict[str, Value] = {
        "failure_class": verdict.failure_class,
        "state_reason": verdict.reason,
        "settled_at": at,
    }
    transitions.must_move(tx, "attempt", attempt.id, LIVE, verdict.attempt, changes=changes)
    transitions.must_move(
        tx, "run", run.id, ("running",), verdict.run, changes={"exit_code": exit_code, "finished_at": at}
    )
    transitions.must_move(
        tx,
        "occurrence",
        attempt.occurrence_id,
        ("claimed", "running"),
        verdict.run,
        changes=occurrences.settled(verdict.reason, verdict.reason_class),
    )
    stops.release(tx, run.id)
    cancellation.conclude(tx, run.id, "cancelled" if verdict.run == "cancelled" else "rejected")


def _run(tx: Transaction, run_id: str) -> RunRow:
    run = runs.get(tx, run_id)
    if run is None:
        raise StoreBug(f"run {run_id} vanished")
    return run


def _latest(tx: Transaction, run_id: str) -> AttemptRow:
    attempt = runs.latest_attempt(tx, run_id)
    if attempt is None:
        raise StoreBug(f"run {run_id} has no attempt")
    return attempt
