"""What can be asked for: the catalog of `GET /api/v1/capabilities`, listing only what works now.

Entries and members are those of contract/api.md a; `variantNegotiation` is the profile by which bodies are judged.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from coven_desktop.contract.negotiation import VARIANT_NEGOTIATION

AUTOMATIONS = "coven.automations."
DESKTOP = "coven.desktop."
REFRESH = "coven.capabilities.refresh"
DESKTOP_VERSION = 1
"""Of our own actions together: raised when one changes its meaning or goes; what is only added leaves it."""

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
            "What Coven Desktop has beside the contract",
            "coven-desktop",
            sorted(action for action in available if action.startswith(DESKTOP)),
            version=DESKTOP_VERSION,
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
