"""Routines of any family as the app knows them: those of the contract by its reads, the others by ours.

A routine is told in its stored form: flat in the family rrule, else `coven.desktop.routine.v1` with its `schedule`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from coven_desktop.cli.client import Client

OWN_SCHEMA = "coven.desktop.routine.v1"

Stored = Mapping[str, Any]


def is_own(routine: Stored) -> bool:
    """Whether a routine is in our own form, which has schedules of every family."""
    return routine.get("schemaVersion") == OWN_SCHEMA


def definition(client: Client, identity: str) -> Stored | None:
    """The stored form of a routine, or None when there is none that can be understood."""
    found: Stored | None = client.act("get", id=identity)["routine"]
    if found is None and (state := own_state(client, identity)) is not None:
        found = state["routine"]
    return found


def exists(client: Client, identity: str) -> bool:
    """Whether there is such a routine, also one that is not understood any more."""
    return client.act("get", id=identity)["routine"] is not None or own_state(client, identity) is not None


def own_state(client: Client, identity: str) -> dict[str, Any] | None:
    """How a routine stands, as `coven.desktop.routine.get.v1` tells it; None when there is none."""
    if not identity.strip():
        return None
    found: dict[str, Any] | None = client.desktop("routine.get.v1", automationId=identity)["routine"]
    return found


def others(client: Client) -> list[dict[str, Any]]:
    """The routines that the contract's `list` does not know, as `coven.desktop.routine.list.v1` tells them."""
    told = client.desktop("routine.list.v1")["routines"]
    return [one for one in told if one["family"] != "rrule"]


def names(client: Client) -> dict[str, str]:
    """The names of all routines, by id."""
    known = {one["id"]: str(one["name"]) for one in client.act("list")["routines"]}
    return known | {one["id"]: str((one["definition"] or {}).get("name", one["id"])) for one in others(client)}


def schedule(routine: Stored) -> dict[str, Any]:
    """The document of its schedule."""
    if is_own(routine):
        return dict(routine["schedule"])
    return {"kind": "rrule", "rrule": routine["rrule"], "timezone": routine["timezone"]}
