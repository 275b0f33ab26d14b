"""What a revision changes, member by member: for programs the values, for people lines that can be read."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from coven_desktop.cli.output import Output
from coven_desktop.cli.table import Cell, cut, one_line, print_fields

_LONG = 120

# In the order in which a person thinks of them.
_ORDER = (
    *("id", "name", "status", "rrule", "schedule", "timezone", "runtime", "model", "cwd", "prompt", "familiarId"),
    *("timeoutMinutes", "retry", "tags", "secrets", "delivery", "misfire", "overlap", "schemaVersion"),
)


def between(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[dict[str, Any]]:
    """`{member, before?, after?}` for each member that differs; what is absent was, or will be, not there."""
    changed = []
    for member in (*_ORDER, *sorted({*before, *after} - {*_ORDER})):
        if before.get(member) == after.get(member):
            continue
        values = {"before": before.get(member), "after": after.get(member)}
        changed.append({"member": member, **{name: value for name, value in values.items() if value is not None}})
    return changed


def print_changes(output: Output, changed: Sequence[Mapping[str, Any]]) -> None:
    """Each change as `member  before → after`, texts of several lines as what goes and what comes."""
    fields: list[tuple[str, Cell]] = []
    for change in changed:
        if not _is_long(change):
            fields += _fields(change["member"], change.get("before"), change.get("after"))
    if fields:
        print_fields(output, fields)
    for change in changed:
        if _is_long(change):
            _print_lines(output, change)


def print_routine(output: Output, routine: Mapping[str, Any]) -> None:
    """A definition as fields, the prompt cut to its beginning."""
    fields = [(member, Cell(cut(_short(routine[member]), _LONG))) for member in _ORDER if member in routine]
    print_fields(output, fields)


def _fields(member: str, before: object, after: object) -> list[tuple[str, Cell]]:
    """One line, or for an object one for each of its own members that differs."""
    if not isinstance(before or after, Mapping):
        return [(member, Cell(f"{_short(before)} → {_short(after)}"))]
    old, new = (value if isinstance(value, Mapping) else {} for value in (before, after))
    names = [name for name in sorted({*old, *new}) if old.get(name) != new.get(name)]
    return [field for name in names for field in _fields(f"{member}.{name}", old.get(name), new.get(name))]


def _is_long(change: Mapping[str, Any]) -> bool:
    values = [value for value in (change.get("before"), change.get("after")) if isinstance(value, str)]
    return any("\n" in value.strip("\n") or len(value) > _LONG for value in values)


def _print_lines(output: Output, change: Mapping[str, Any]) -> None:
    import difflib

    output.line(output.style(change["member"], "dim"))
    before, after = (str(change.get(when) or "").splitlines() for when in ("before", "after"))
    lines = list(difflib.unified_diff(before, after, lineterm="", n=2))[2:]
    for line in lines or ["only the line ends differ"]:
        colour = {"-": "red", "+": "green"}.get(line[:1], "dim")
        output.line("  " + output.style(one_line(line), colour))


def _short(value: object) -> str:
    if value is None:
        return "–"
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
