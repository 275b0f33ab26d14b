"""`covenctl edit`: change what is named of a routine, and say what that changed.

One that no versioned command has touched yet is changed by the unversioned `update`, the others by
`definition.revise.v1` (the reason is told in moving.py), and what is, or becomes, a routine of our own form, as
cadences and cron routines are, by `coven.desktop.routine.revise.v1`. All go with the revision that was read, so that
what somebody else changes in between is never overwritten.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import Any

from coven_desktop.cli import drafting, instants, naming, own_drafting, trial
from coven_desktop.cli.arguments import Arguments
from coven_desktop.cli.changes import between, print_changes
from coven_desktop.cli.client import Client, Unanswered, new_key
from coven_desktop.cli.knowing import is_own
from coven_desktop.cli.output import Output
from coven_desktop.cli.reading import next_due
from coven_desktop.cli.refusals import (
    CODE_CONFLICT,
    CODE_INVALID,
    CODE_RICH,
    CODE_UNREACHABLE,
    DONE,
    AppFault,
    Refused,
    misused,
)
from coven_desktop.clock import SystemClock
from coven_desktop.home import locate

_NAMES_NOTHING = (
    *("file", "name", "rrule", "timezone", "runtime", "prompt", "prompt_file", "cwd", "timeout", "model", "familiar"),
    *("cron", "cadence", "anchor", "until", "minutes", "max_runs", "catch_up"),
    *("tags", "status", "retry_attempts", "retry_backoff", "retry_seconds", "retry_on"),
)
_TIMING = frozenset({"rrule", "timezone", "status", "schedule"})

Routine = Mapping[str, Any]


def edit(arguments: Arguments, output: Output) -> int:
    """Change a routine, in the editor when nothing is named and a person sits there."""
    drafting.check_key(arguments.key)
    names_nothing = not arguments.no_retry and all(getattr(arguments, one) is None for one in _NAMES_NOTHING)
    if names_nothing and (output.json_wanted or not output.is_terminal or not sys.stdin.isatty()):
        raise misused("Name what to change, as in: covenctl edit ROUTINE --rrule RULE. covenctl edit --help")
    client = Client(locate(arguments.home, os.environ), SystemClock())
    routine = naming.routine(client, arguments.id)
    if names_nothing:
        from coven_desktop.cli import editor

        return editor.edit(client, arguments, output, routine)
    current = routine["definition"] or {}
    members = drafting.named(arguments, current)
    if own_drafting.is_asked(arguments, members, current):
        current, members = own_drafting.shaped(arguments, members, current)
    body = drafting.patched(current, members)
    return change(client, arguments, output, routine, body)


def change(client: Client, arguments: Arguments, output: Output, routine: Routine, body: Mapping[str, Any]) -> int:
    """Make this the next revision of the routine, unless it is the same. Raises Refused."""
    if body.get("id") != routine["id"]:
        raise Refused(CODE_INVALID, "the id of a routine stays what it is; covenctl create makes another", field="id")
    if is_own(body):
        checked = own_drafting.check(body, client.now())
    else:
        checked = drafting.check(body, versioned=routine["managed"] == "v1")
    if arguments.dry_run:
        checked = trial.resolved(checked)
    before = routine["definition"] or {}
    changed = between(before, checked.routine)
    expected = arguments.expected_revision
    if expected not in (None, routine["revision"]) and (changed or arguments.key is None):
        raise Refused(
            CODE_CONFLICT,
            f"routine `{routine['id']}` is at revision {routine['revision']}, not {expected}",
            currentRevision=routine["revision"],
        )
    if arguments.dry_run:
        return trial.show(output, checked, client.now(), changed)
    if not changed:
        return _say_same(output, routine, checked)
    if routine["managed"] == "v1" and routine["family"] == "rrule" and not arguments.flat:
        _check_flat(client, routine["id"])
    try:
        revision, after, warnings = _send(client, arguments, routine, body)
    except Unanswered as error:
        raise AppFault(
            CODE_UNREACHABLE,
            f"{error.message} Whether it was changed is not known. See: covenctl show {routine['id']}",
        ) from error
    changed = between(before, after)
    if output.json_wanted:
        said = {"id": routine["id"], "revision": revision, "changes": changed, "routine": after}
        output.json({**said, "warnings": warnings})
        return DONE
    trial.tell_warnings(output, warnings)
    output.line(f"{output.style('Changed', 'green')}: {routine['id']} is at revision {revision}.")
    print_changes(output, changed)
    if after["status"] == "ACTIVE" and any(one["member"] in _TIMING for one in changed):
        due = next_due(client, routine["id"], client.act("health", id=routine["id"])["health"])
        if due is not None:
            output.line(f"Next: {instants.both(due, client.now())}")
    return DONE


def _check_flat(client: Client, identity: str) -> None:
    """A flat revision drops what its author wrote in the rich form alone (contract/commands.md §3.6): not unasked."""
    if "definition" in client.act("definition.get.v1", id=identity):
        raise Refused(
            CODE_RICH,
            f"routine {identity} has a rich definition, and this would drop what only that form holds, such as its "
            "description, authority and extensions. Revise it by coven.automations.command.v1, or drop that: --flat",
        )


def _send(
    client: Client, arguments: Arguments, routine: Routine, body: Mapping[str, Any]
) -> tuple[int, Mapping[str, Any], list[str]]:
    """The new revision, the routine as it is stored now, and what the app warned of."""
    revision = routine["revision"]
    key = arguments.key or new_key()
    if is_own(body):
        made = client.desktop("routine.revise.v1", adoptionKey=key, routine=body, expectedRevision=revision)
        return made["revision"], made["result"]["routine"], []
    if routine["managed"] == "v1":
        made = client.act("definition.revise.v1", adoptionKey=key, definition=body, expectedRevision=revision)
        return made["revision"], made["result"]["routine"], []
    intent: dict[str, Any] = {} if arguments.key is None else {"intentId": arguments.key}
    payload = client.act("update", definition=body, expectedRevision=revision, **intent)
    return revision + 1, payload["routine"], payload.get("warnings", [])


def _say_same(output: Output, routine: Routine, checked: drafting.Checked) -> int:
    if output.json_wanted:
        said = {"id": routine["id"], "revision": routine["revision"], "changes": [], "routine": routine["definition"]}
        output.json({**said, "warnings": list(checked.warnings)})
    else:
        trial.tell_warnings(output, checked.warnings)
        output.line(f"Nothing to change: {routine['id']} is so already, at revision {routine['revision']}.")
    return DONE
