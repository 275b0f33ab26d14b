"""A Codex automation as a routine: what its `automation.toml` says and what of it is carried (contract/engine.md §12).

Of the file only id, name, rrule and prompt are taken; whatever else it says is left where it is.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass

from coven_desktop.contract.definition import Definition, DefinitionError, parse
from coven_desktop.contract.rich_definition import DEFAULT_RUNTIME
from coven_desktop.contract.text import echo, is_blank, trim
from coven_desktop.schedule import rrule
from coven_desktop.schedule.rrule_grammar import ascii_upper

SOURCE = "codex-automation-toml"
TIMEOUT_MINUTES = 60

_KEYS = ("id", "name", "status", "rrule", "prompt")
_KEPT = ("FREQ", "BYHOUR", "BYDAY")
# What says no more than a rule without it.
_EMPTY = {("BYMINUTE", "0"), ("INTERVAL", "1")}


class NotAutomation(ValueError):
    """A text that is no automation of Codex; says why."""


class NotCarried(ValueError):
    """An automation that no routine can be made of; says why."""


@dataclass(frozen=True)
class Automation:
    """What a file says. `id` and `name` have their defaults; `rrule` and `prompt` are None when they are not there."""

    id: str
    name: str
    rrule: str | None
    prompt: str | None


def read(text: str, folder: str) -> Automation:
    """The automation of a file that lies in a folder of that name. Raises NotAutomation."""
    try:
        members = tomllib.loads(text)
    except RecursionError:
        raise NotAutomation("it is nested too deeply") from None
    except ValueError as error:
        raise NotAutomation(str(error)) from error
    for name in _KEYS:
        if not isinstance(members.get(name, ""), str):
            raise NotAutomation(f"{name} must be a string")
    automation_id = members.get("id", folder)
    return Automation(automation_id, members.get("name", automation_id), members.get("rrule"), members.get("prompt"))


def routine_of(automation: Automation) -> Definition:
    """The routine: paused, in the zone `local`, which is still to be resolved. Raises NotCarried."""
    if automation.rrule is None or is_blank(automation.rrule):
        raise NotCarried("no schedule")
    rule = _rule(automation.rrule)
    if rule is None:
        raise NotCarried(f"unsupported schedule `{echo(automation.rrule)}`")
    if automation.prompt is None or is_blank(automation.prompt):
        raise NotCarried("no prompt")
    members = {
        "schemaVersion": 1,
        "id": automation.id,
        "name": automation.name,
        "status": "PAUSED",
        "rrule": rule,
        "timezone": "local",
        "misfire": "latest",
        "overlap": "forbid",
        "timeoutMinutes": TIMEOUT_MINUTES,
        "runtime": DEFAULT_RUNTIME,
        "prompt": automation.prompt,
    }
    try:
        return parse(members, drop_unknown=False)[0]
    except DefinitionError as error:
        raise NotCarried(error.message) from error


def _rule(text: str) -> str | None:
    """The rule without what Codex writes around it, or None when that is not a rule of ours."""
    parts = []
    for part in trim(text).removeprefix("RRULE:").split(";"):
        if is_blank(part):
            continue
        key, _, value = part.partition("=")
        name = ascii_upper(trim(key))
        if name in _KEPT:
            parts.append(part)
        elif (name, trim(value)) not in _EMPTY:
            return None
    rule = ";".join(parts)
    try:
        rrule.parse(rule)
    except rrule.RruleError:
        return None
    return rule
