"""`covenctl create`: a new routine from options, a JSON file, or both.

With a rule it is made by the unversioned `create`, so that every client can change it (contract/commands.md §3.8); a
cadence or cron routine, and whatever is in our own form, by `coven.desktop.routine.create.v1`.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from coven_desktop.cli import drafting, instants, own_drafting, trial
from coven_desktop.cli.arguments import Arguments
from coven_desktop.cli.client import Client, Unanswered, new_key
from coven_desktop.cli.drafting import Members
from coven_desktop.cli.knowing import is_own
from coven_desktop.cli.output import Output
from coven_desktop.cli.reading import next_due
from coven_desktop.cli.refusals import CODE_UNREACHABLE, DONE, AppFault, Refused, misused
from coven_desktop.clock import SystemClock
from coven_desktop.contract import slug
from coven_desktop.home import locate

_DEFAULTS = {
    "schemaVersion": 1,
    "status": "ACTIVE",
    "timezone": "local",
    "misfire": "latest",
    "overlap": "forbid",
    "timeoutMinutes": 30,
}
_OWN_DEFAULTS = {"status": "ACTIVE", "timeoutMinutes": 30}
_NO_DISABLED = "legacy create cannot create a disabled definition"


def create(arguments: Arguments, output: Output) -> int:
    """Make the routine; `--dry-run` only checks it, and needs no app."""
    drafting.check_key(arguments.key)
    body = _body(arguments)
    checked = own_drafting.check(body, SystemClock().wall()) if is_own(body) else drafting.check(body)
    if checked.routine["status"] == "DISABLED":
        raise Refused(None, _NO_DISABLED)
    if arguments.dry_run:
        return trial.show(output, trial.resolved(checked), SystemClock().wall())
    client = Client(locate(arguments.home, os.environ), SystemClock())
    try:
        payload, routine = _send(client, arguments, body)
    except Unanswered as error:
        raise AppFault(
            CODE_UNREACHABLE,
            f"{error.message} Whether it was made is not known. See: covenctl show {checked.routine['id']}",
        ) from error
    if output.json_wanted:
        output.json(payload)
    else:
        trial.tell_warnings(output, payload.get("warnings", ()))
        _say(client, output, routine)
    return DONE


def _send(client: Client, arguments: Arguments, body: Members) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """What the app answered, and the routine as it is stored."""
    if is_own(body):
        made = client.desktop("routine.create.v1", adoptionKey=arguments.key or new_key(), routine=body)
        return made, made["result"]["routine"]
    intent: dict[str, Any] = {} if arguments.key is None else {"intentId": arguments.key}
    payload = client.act("create", definition=body, **intent)
    return payload, payload["routine"]


def _body(arguments: Arguments) -> Members:
    """The whole definition. Raises Misused when something is needed that nobody gave."""
    members = drafting.named(arguments, {})
    if arguments.id is not None:
        if members.get("id", arguments.id) != arguments.id:
            raise misused(f"The id is {arguments.id} here and another one in {arguments.file}.")
        members["id"] = arguments.id
    if "name" not in members and "id" in members:
        members["name"] = members["id"]
    base: Mapping[str, Any] = _DEFAULTS
    schedule = "rrule"
    if own_drafting.is_asked(arguments, members, {}):
        own, members = own_drafting.shaped(arguments, members, {})
        base, schedule = {**_OWN_DEFAULTS, **own}, "schedule"
    missing = [f"--{name}" for name in ("name", schedule, "runtime", "prompt") if members.get(name) is None]
    if missing:
        raise misused(f"A routine needs {', '.join(missing)}, or a file (-f) that has it. covenctl create --help")
    if "id" not in members:
        members["id"] = slug.of(str(members["name"]))
    if "cwd" not in members and arguments.file is None:
        members["cwd"] = _here()
    return drafting.patched(base, members)


def _here() -> str:
    try:
        return os.getcwd()
    except OSError:
        raise misused("This folder does not exist any more; name the working folder: --cwd") from None


def _say(client: Client, output: Output, routine: Mapping[str, Any]) -> None:
    identity = routine["id"]
    output.line(f"{output.style('Made', 'green')}: {output.style(identity, 'bold')}, working in {routine.get('cwd')}")
    if routine.get("cwd") is None:
        output.note(f"It has no working folder and cannot run yet: covenctl edit {identity} --cwd DIR")
    if routine["status"] != "ACTIVE":
        output.line(f"It is paused; let it run: covenctl resume {identity}")
        return
    due = next_due(client, identity, client.act("health", id=identity)["health"])
    if due is not None:
        output.line(f"Next: {instants.both(due, client.now())}")
