"""Rich definitions and envelopes for tests: each is valid until a test changes it."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

from coven_desktop.contract import digest

GONE = object()
"""In the place of a member: leave it out."""

DRAFT: Mapping[str, Any] = {
    "schemaVersion": "coven.automations.v1",
    "automationId": "harbour-log",
    "revision": 1,
    "integrity": {"algorithm": "sha256", "canonicalization": "jcs-rfc8785", "value": ""},
    "lifecycleState": "draft",
    "display": {"name": "Harbour log", "description": "Who came in", "tags": ["sea", "log"]},
    "trigger": {
        "variant": "schedule",
        "version": 1,
        "schedule": {"rrule": "FREQ=DAILY;BYHOUR=6,18", "timezone": "America/Halifax"},
    },
    "conditions": [],
    "action": {"variant": "familiarInvocation", "version": 1, "prompt": "List the boats.", "cwd": "/srv/harbour"},
    "binding": {
        "familiarBindingPolicy": "exact",
        "familiarId": "keeper",
        "authority": {"approvalPolicyRef": "policy:harbour", "approvalRecordRef": "record:7"},
    },
    "runtimeRequirements": {"runtimeId": "shell", "capabilities": ["sessions.launch"], "model": "small"},
    "policies": {
        "timeout": {"perRunMinutes": 12},
        "retry": {"maxAttempts": 2, "backoffPolicy": "fixed", "backoffSeconds": 45},
        "concurrency": {"overlap": "forbid"},
        "misfire": {"disposition": "latest"},
        "retention": {"occurrenceHistory": {"classification": "standard"}},
    },
    "provenance": {"createdBy": {"principalId": "principal:harbour", "displayName": "The harbour"}},
    "extensions": {"x-note": {"depth": 4.5}, "org.example.harbour": None},
}


def sealed(definition: Mapping[str, Any]) -> dict[str, Any]:
    """The definition with the digest of its content, computed here as the contract's page says it."""
    whole = copy.deepcopy(dict(definition))
    whole["integrity"]["value"] = digest.digest({name: whole[name] for name in whole if name != "integrity"})
    return whole


def changed(whole: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """A copy with members replaced, added or (GONE) left out; `a.b` is the member b of the member a."""
    made = copy.deepcopy(dict(whole))
    for path, value in changes.items():
        *outer, name = path.split(".")
        holder = made
        for step in outer:
            holder = holder[step]
        if value is GONE:
            del holder[name]
        else:
            holder[name] = value
    return made


def rich(changes: Mapping[str, Any] | None = None, /, **members: Any) -> dict[str, Any]:
    """A draft with its digest; `changes` by path, `members` by name."""
    return sealed(changed(DRAFT, {**(changes or {}), **members}))


def envelope(command: str, payload: object, key: str, expected: int | None = None, /, **changes: Any) -> dict[str, Any]:
    """The envelope of a command; `changes` replace, add or (GONE) leave out members."""
    whole: dict[str, Any] = {
        "schemaVersion": "coven.automations.v1",
        "command": command,
        "adoptionKey": key,
        "origin": {
            "principal": {"principalId": "principal:harbour"},
            "channel": "cave",
            "correlationId": "correlation:17",
        },
        "intent": {"statement": "Because it is asked for."},
        "payload": payload,
    }
    if expected is not None:
        whole["expectedRevision"] = expected
    return changed(whole, changes)


def request(command: str, payload: object, key: str, expected: int | None = None, /, **changes: Any) -> dict[str, Any]:
    """The body of a request that brings an envelope."""
    return {
        "action": "coven.automations.command.v1",
        "envelope": envelope(command, payload, key, expected, **changes),
    }
