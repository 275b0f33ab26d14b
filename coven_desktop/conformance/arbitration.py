"""cancellation-timeout-arbitration: a cancellation and the deadline want the same session, and one of them stops it."""

from __future__ import annotations

from typing import Any

from coven_desktop.conformance.inputs import CannotCompute, Inputs
from coven_desktop.conformance.stage import DAY_MS, Stage, definition, establish, one_pass, stage
from coven_desktop.contract import timestamps
from coven_desktop.contract.errors import TypedRefusal
from coven_desktop.engine import adoption
from coven_desktop.engine.answers import Answer, Outcome, Pending
from coven_desktop.engine.commands import cancellation
from coven_desktop.engine.engine import Engine
from coven_desktop.runtime.sessions import LaunchSpec
from coven_desktop.store import occurrences, runs, stops

MINUTE_MS = 60_000
LEAST_MINUTES = 30

_Sent = Answer | Pending | TypedRefusal


def arbitration(case: Inputs) -> dict[str, Any]:
    """A live run, a cancellation of it, its deadline, and the pass that meets the deadline.

    `cancellation_wins`: the cancellation is sent, and its stop is under way when the pass comes. `timeout_wins`: it is
    only reserved by then, and sent when the pass has enforced the deadline.
    """
    scenario = case.choice("scenario", ("cancellation_wins", "timeout_wins"))
    asked, deadline = case.instant("cancellationAt"), case.instant("timeoutAt")
    minutes = max(LEAST_MINUTES, (deadline - asked) // MINUTE_MS + 1)
    started = deadline - minutes * MINUTE_MS
    with stage(started - DAY_MS) as made:
        engine = made.leading()
        establish(engine, definition(timeoutMinutes=minutes))
        made.at(started)
        one_pass(engine)
        made.turn()
        if not made.runtime.launched:
            raise CannotCompute("no run was started")
        spec = made.runtime.launched[0]
        body = _body(spec)
        sent: _Sent | None = None

        made.at(asked)
        if scenario == "cancellation_wins":
            sent = _send(engine, body)
        else:
            _reserve(engine, body)
        made.at(case.instant("timeoutObservedAt"))
        before = _before_the_timeout(made, spec)
        one_pass(engine)
        _prove_stops(made)
        if sent is None:
            sent = _send(engine, body)
            _prove_stops(made)
        replay = _send(engine, body)
        made.turn()
        return {
            "cancellationOutcome": _told(sent),
            "replayOutcome": _told(replay),
            **before,
            **_end(made, spec, met=before["competingCandidateObserved"]),
            "runtimeStopCount": made.runtime.stop_count,
        }


def _body(spec: LaunchSpec) -> dict[str, Any]:
    return {
        "action": "coven.automations.run.cancel.v1",
        "adoptionKey": "adopt:conformance:cancel",
        "runId": spec.run_id,
        "attemptId": spec.attempt_id,
        "runtimeCorrelation": {"sessionId": spec.session_id},
        "scope": "run",
        "reason": "a case asks for it",
        "requestedBy": {"principalId": "principal:conformance"},
    }


def _send(engine: Engine, body: dict[str, Any]) -> _Sent:
    try:
        return cancellation.cancel_run(engine, body)
    except TypedRefusal as refusal:
        return refusal


def _reserve(engine: Engine, body: dict[str, Any]) -> None:
    """The first step of run.cancel.v1 alone; a refusal reserves nothing."""
    try:
        with engine.core.change() as tx:
            cancellation.reserve(tx, adoption.key_of(body), adoption.fingerprint_of(body), body)
    except TypedRefusal:
        pass  # what becomes of the run then is what the case is about


def _prove_stops(made: Stage) -> None:
    made.turn()
    made.runtime.prove_stops()
    made.turn()


def _before_the_timeout(made: Stage, spec: LaunchSpec) -> dict[str, Any]:
    """What is stored when the pass is about to look for deadlines, and whether it will find this run."""
    asked = stops.latest_cancellation(made.store, spec.attempt_id)
    fence = stops.fence(made.store, spec.run_id)
    now = timestamps.to_text(made.clock.wall())
    return {
        "preCompetingCancellationState": asked.state if asked is not None else None,
        "preCompetingStopFenceOwner": fence.owner if fence is not None else None,
        "competingCandidateObserved": spec.run_id in runs.past_deadline(made.store, now),
    }


def _told(sent: _Sent) -> str:
    outcome: Outcome | None = sent.outcome if isinstance(sent, Pending) else sent
    if isinstance(outcome, Answer):
        return str(outcome.payload["status"])
    if isinstance(outcome, TypedRefusal):
        return outcome.code.lower()
    if outcome is None:
        return "pending"
    raise outcome


def _end(made: Stage, spec: LaunchSpec, *, met: bool) -> dict[str, Any]:
    """How it ended; `met` when the pass met the deadline of the run."""
    run, attempt = runs.get(made.store, spec.run_id), runs.attempt(made.store, spec.attempt_id)
    if run is None or attempt is None:
        raise CannotCompute("the run is gone")
    occurrence = occurrences.get(made.store, attempt.occurrence_id)
    asked = stops.latest_cancellation(made.store, spec.attempt_id)
    competing = "timed_out" if attempt.state == "timed_out" else "deferred" if met else "not_due"
    return {
        "competingOutcome": competing,
        "runStatus": run.status,
        "occurrenceState": occurrence.state if occurrence is not None else None,
        "attemptState": attempt.state,
        "cancellationState": asked.state if asked is not None else None,
    }
