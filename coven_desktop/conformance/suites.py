"""The suites that are known, and computing one case of one of them (contract/conformance.md, commands.md §10)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from coven_desktop.conformance import (
    arbitration,
    commands,
    delivering,
    envelopes,
    families,
    handling,
    history,
    occurrences,
    retries,
    schedules,
    starting,
)
from coven_desktop.conformance.inputs import CannotCompute, Inputs

SUITES: Mapping[str, Callable[[Inputs], dict[str, Any]]] = {
    "rrule-vocabulary": schedules.vocabulary,
    "calendar-schedule-resolution": schedules.calendar,
    "misfire-latest-planning": occurrences.misfire,
    "startup-reconciliation-wake": starting.startup,
    "overlap-forbid-claiming": occurrences.overlap,
    "occurrence-lease-recovery": occurrences.lease,
    "retry-backoff-timing": retries.timing,
    "retry-quarantine-recovery": retries.recovery,
    "cancellation-timeout-arbitration": arbitration.arbitration,
    "attempt-terminal-immutability": history.attempts,
    "run-terminal-monotonicity": history.run_status,
    "occurrence-fence-uniqueness": occurrences.uniqueness,
    "scheduler-leadership-fencing": history.leadership,
    "command-adoption-idempotency": commands.adoption,
    "definition-lifecycle-transitions": commands.lifecycle,
    "capability-negotiation": commands.negotiation,
    "command-envelope-outcomes": envelopes.outcomes,
    # of our own: the families that the contract does not have (design/schedules.md)
    "cron-vocabulary": families.vocabulary,
    "cron-clock-changes": families.firings,
    "cadence-resolution": families.firings,
    "cadence-end-conditions": families.firings,
    "delivery-outcome": delivering.delivering,
    "cadence-catch-up": handling.handling,
    "cron-missed-and-overlap": handling.handling,
}


def compute(suite: str, inputs: Mapping[str, Any]) -> dict[str, Any]:
    """What the product makes of a case; `error` alone when it cannot be computed. Never raises."""
    try:
        if suite not in SUITES:
            raise CannotCompute(f"unknown suite `{suite}`: known are {', '.join(SUITES)}")
        return SUITES[suite](Inputs(inputs))
    except CannotCompute as reason:
        return {"error": str(reason)}
    except Exception as fault:  # noqa: BLE001 - one case that breaks must not take the others with it
        return {"error": f"{type(fault).__name__}: {fault}"}
