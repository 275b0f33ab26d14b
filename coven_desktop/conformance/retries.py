"""retry-backoff-timing and retry-quarantine-recovery: how long a retry waits, and what using up all of them means."""

from __future__ import annotations

from typing import Any

from coven_desktop.conformance.inputs import CannotCompute, Inputs
from coven_desktop.conformance.stage import DAY_MS, definition, establish, one_pass, stage
from coven_desktop.contract import backoff, timestamps
from coven_desktop.contract.definition import DefinitionError, parse_retry
from coven_desktop.engine import attempts
from coven_desktop.engine.commands import quarantine
from coven_desktop.store import retry_state, scheduler


def timing(case: Inputs) -> dict[str, Any]:
    """When the next attempt of a run may begin."""
    try:
        policy = parse_retry(case.members("policy"))
    except DefinitionError as error:
        raise CannotCompute(f"`policy` is refused: {error.message}") from error
    run_id, attempt, observed = case.text("runId"), case.number("nextAttemptNumber"), case.instant("observedAt")
    not_before = attempts.retry_not_before(policy, run_id, attempt, observed)
    delay = (not_before - observed) // attempts.SECOND_MS
    ceiling = backoff.ceiling_seconds(policy, attempt)
    return {
        "delaySeconds": delay,
        "minimumDelaySeconds": 1 if policy.backoff_policy == "exponential" else ceiling,
        "maximumDelaySeconds": ceiling,
        "ceilingSeconds": ceiling,
        "notBefore": timestamps.to_text(not_before),
        "deterministic": attempts.retry_not_before(policy, run_id, attempt, observed) == not_before,
    }


def recovery(case: Inputs) -> dict[str, Any]:
    """A quarantine after exhaustions, perhaps released, as health shows it, and what one pass then does."""
    exhaustions = case.inner_list("exhaustions")
    observed = case.instant("observeAt")
    # in the order in which they happen; None is the release
    happenings: list[tuple[int, Inputs | None]] = [(entry.instant("at"), entry) for entry in exhaustions]
    if "releaseAt" in case:
        happenings.append((case.instant("releaseAt"), None))
    happenings.sort(key=lambda happening: happening[0])
    with stage(min([at for at, _ in happenings] + [observed]) - DAY_MS) as made:
        engine = made.leading()
        routine = establish(engine, definition())
        released = False
        for at, exhaustion in happenings:
            made.at(at)
            if exhaustion is None:
                released = quarantine.unquarantine(engine, {"id": routine}).payload["released"]
                continue
            with engine.core.change() as tx:
                retry_state.record_exhaustion(tx, routine, exhaustion.text("failureClass"), exhaustion.text("reason"))
        made.at(observed)
        health = engine.reads.health(routine)
        exists = bool(made.store.number("SELECT count(*) FROM retry_state WHERE automation_id = ?", (routine,)))
        one_pass(engine)
        last = scheduler.last_pass(made.store)
        return {
            "rowExists": exists,
            "consecutiveExhaustions": health["consecutiveExhaustions"],
            "quarantined": health["quarantinedAt"] is not None,
            "quarantinedAt": health["quarantinedAt"],
            "failureClass": health["quarantineFailureClass"],
            "reason": health["quarantineReason"],
            "releaseChanged": released,
            "plannedCount": last.planned if last is not None else None,
            "claimedCount": last.claimed if last is not None else None,
        }
