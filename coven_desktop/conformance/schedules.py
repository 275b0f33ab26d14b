"""rrule-vocabulary and calendar-schedule-resolution: what a rule means, and when it is due next."""

from __future__ import annotations

from typing import Any

from coven_desktop.conformance.inputs import Inputs
from coven_desktop.contract import timestamps
from coven_desktop.schedule import rrule, zones


def vocabulary(case: Inputs) -> dict[str, Any]:
    """Whether a rule is accepted, and what it says in normal form."""
    try:
        rule = rrule.parse(case.text("rrule"))
    except rrule.RruleError as error:
        return {"outcome": "rejected", "reason": error.message}
    return {
        "outcome": "accepted",
        "frequency": rule.frequency.lower(),
        "byHour": list(rule.by_hour),
        "byDay": list(rule.by_day),
    }


def calendar(case: Inputs) -> dict[str, Any]:
    """The next slot strictly after an instant."""
    text, zone, after = case.text("rrule"), case.text("timezone"), case.instant("from")
    try:
        found = rrule.schedule(text, zone).next_after(after)
    except zones.ZoneError as error:
        reason = "local_timezone_unresolved" if zone == "local" else "timezone_invalid"
        return {"outcome": "rejected", "reason": reason, "message": error.message}
    except rrule.RruleError as error:
        return {"outcome": "rejected", "reason": "rrule_invalid", "message": error.message}
    if found is None:
        return {"outcome": "none", "nextDueAt": None}
    return {"outcome": "scheduled", "nextDueAt": timestamps.to_text(found)}
