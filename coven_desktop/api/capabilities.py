"""What can be asked for: the catalog of `GET /api/v1/capabilities`, listing only what works now.

Entries and members are those of contract/api.md a; the structure of `variantNegotiation` is
contract/commands.md §8, the sentences are our own.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

CONTRACT_PROFILE = "coven.automations.v1"
AUTOMATIONS = "coven.automations."
DESKTOP = "coven.desktop."
REFRESH = "coven.capabilities.refresh"

CONTRACT_ACTIONS = tuple(
    AUTOMATIONS + name
    for name in (
        *("list", "get", "create", "update", "delete", "definition.list.v1", "definition.get.v1", "command.v1"),
        *("definition.create.v1", "definition.revise.v1", "definition.disable.v1", "definition.activate.v1"),
        *("definition.pause.v1", "definition.tombstone.v1", "run.cancel.v1", "occurrence.recover.v1"),
        *("occurrence.runNow.v1", "occurrence.cancel.v1", "attempt.cancel.v1", "attempt.retry.v1", "events.read.v1"),
        *("events.subscribe.v1", "tick", "runs", "run.history.v1", "receipt.get.v1", "run", "import"),
        *("legacy.import.v1", "health", "definition.health.v1", "scheduler.status.v1", "occurrence.list.v1"),
        *("occurrence.get.v1", "run.get.v1", "occurrence.history.v1", "unquarantine"),
    )
)
"""Every action of the contract, in the order in which they are advertised (contract/commands.md §1)."""


def is_contract_command(action: str) -> bool:
    """Whether this is a versioned name of the contract, implemented here or not."""
    return action.endswith(".v1") and action in CONTRACT_ACTIONS


def catalog(available: Collection[str]) -> dict[str, Any]:
    """The body of the catalog for these action ids."""
    entries = [
        _entry(
            "coven.automations",
            "Recurring routines, run on time",
            "coven-daemon",
            [action for action in CONTRACT_ACTIONS if action in available],
            variantNegotiation=VARIANT_NEGOTIATION,
        ),
        _entry("coven.control.actions", "What this app can do", "coven-daemon", [REFRESH]),
        _entry(
            "coven.desktop",
            "The window of Coven Desktop",
            "coven-desktop",
            sorted(action for action in available if action.startswith(DESKTOP)),
        ),
    ]
    return {"capabilities": [entry for entry in entries if entry["actions"]]}


def _entry(capability: str, label: str, adapter: str, actions: list[str], **more: Any) -> dict[str, Any]:
    return {
        "id": capability,
        "label": label,
        "adapter": adapter,
        "status": "available",
        "policy": "allow",
        "actions": actions,
        **more,
    }


def _variants(*found: tuple[str, str]) -> list[dict[str, str]]:
    return [{"variant": variant, "notes": notes} for variant, notes in found]


VARIANT_NEGOTIATION: dict[str, Any] = {
    "version": 1,
    "contractProfile": CONTRACT_PROFILE,
    "description": "Routines that start a command-line agent on a daily or weekly rule, one run at a time, "
    "with one deadline for each run.",
    "supported": {
        "triggers": _variants(("schedule", "A daily or weekly rule with hours and weekdays, in one zone.")),
        "conditions": [],
        "actions": _variants(("familiarInvocation", "One prompt, given to one runtime in one working folder.")),
        "triggerPolicies": _variants(
            ("misfire.latest", "Of the slots that were missed only the newest is run."),
            ("overlap.forbid", "A routine never has two runs at the same time."),
            ("timeout.required", "Every run has a deadline, counted from its start over all of its attempts."),
            ("timezone.utc", "The zone utc."),
            ("timezone.iana", "Zones by their exact IANA name."),
            ("dst.gap.skip", "A wall time that does not exist on a day does not fire on that day."),
            ("dst.fold.first", "A wall time that comes twice fires the first time."),
        ),
        "deliveryPolicies": [],
        "retentionPolicies": _variants(("retention.standard", "History is kept until the person sets a limit.")),
    },
    "experimental": [],
    "refused": [
        {"variant": "trigger.webhook", "reason": "Nothing outside this machine can start a routine."},
        {"variant": "action.pipeline", "reason": "A routine is one command; steps belong into its prompt or script."},
        {"variant": "misfire.backfill", "reason": "Missed slots are not caught up: the newest stands for all."},
        {
            "variant": "timezone.local.durable",
            "reason": "The zone of the machine is resolved to its exact name when a routine is saved.",
        },
        {"variant": "outputTarget.atomic", "reason": "What a run prints stays with its session."},
    ],
    "negotiationRules": [
        "A variant that is not listed as supported is refused with CAPABILITY_UNSUPPORTED, and the refusal names it.",
        "Each refusal stands for itself: what else a request holds does not change it.",
        "An unknown value inside a supported variant counts as an unknown variant.",
        "An experimental variant is unavailable unless its consumer has chosen it for itself.",
        "Nothing is ever replaced by something similar.",
    ],
}
