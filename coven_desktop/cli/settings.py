"""`covenctl settings`: what a routine's runs are given beside its definition, and changes of it (decisions.md 41).

With `--json` an object: `id`, `revision` (of the settings, 0 when they were never set), `environment`, `secrets`.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from coven_desktop.cli import naming
from coven_desktop.cli.arguments import Arguments
from coven_desktop.cli.client import Client, new_key
from coven_desktop.cli.output import Output
from coven_desktop.cli.refusals import CODE_CONFLICT, CODE_INVALID, DONE, Refused, misused
from coven_desktop.cli.table import Cell, print_fields
from coven_desktop.clock import SystemClock
from coven_desktop.contract.routine_settings import RoutineSettings, SettingsError, parse
from coven_desktop.home import locate


def settings(arguments: Arguments, output: Output) -> int:
    """Print the settings of a routine, or change what is named in them. Raises Refused."""
    client = Client(locate(arguments.home, os.environ), SystemClock())
    routine = naming.routine(client, arguments.id)
    found = routine["settings"]
    if any((arguments.env, arguments.unset_env, arguments.secrets, arguments.unset_secrets)):
        wanted = _changed(arguments, found)
        revision = arguments.expected_revision if arguments.expected_revision is not None else found["revision"]
        answer = put(client, routine["id"], wanted, revision, arguments.key or new_key())
        if answer["revision"] != found["revision"] and not output.json_wanted:
            output.line(output.style("Changed.", "green") + " The next start or retry has it.")
        found = answer
    elif arguments.expected_revision not in (None, found["revision"]):
        raise Refused(CODE_CONFLICT, f"the settings of `{routine['id']}` are at revision {found['revision']}")
    if output.json_wanted:
        output.json({"id": routine["id"], **found})
    else:
        _print(output, routine["id"], found)
    return DONE


def put(client: Client, automation_id: str, wanted: RoutineSettings, revision: int, key: str) -> dict[str, Any]:
    """Give a routine these settings, in place of those of this revision; as they stand then. Raises Refused."""
    payload = client.desktop(
        "routine.settings.v1",
        adoptionKey=key,
        automationId=automation_id,
        settings=wanted.to_json(),
        expectedRevision=revision,
    )
    told: dict[str, Any] = payload["result"]["settings"]
    return told


def _changed(arguments: Arguments, found: Mapping[str, Any]) -> RoutineSettings:
    environment = dict(found["environment"])
    secrets = list(found["secrets"])
    for one in arguments.env or ():
        name, equals, value = one.partition("=")
        if not equals:
            raise misused(f"--env needs NAME=VALUE, not {one!r}.")
        environment[name] = value
        secrets = [secret for secret in secrets if secret != name]
    for name in arguments.unset_env or ():
        if environment.pop(name, None) is None:
            raise Refused(CODE_INVALID, f"there is no variable {name} to take away", field="environment")
    for name in arguments.secrets or ():
        environment.pop(name, None)
        secrets.append(name)
    for name in arguments.unset_secrets or ():
        if name not in secrets:
            raise Refused(CODE_INVALID, f"there is no secret {name} to take away", field="secrets")
        secrets = [secret for secret in secrets if secret != name]
    try:
        return parse({"environment": environment, "secrets": secrets})
    except SettingsError as error:
        raise Refused(CODE_INVALID, str(error), field=error.member) from error


def _print(output: Output, identity: str, found: Mapping[str, Any]) -> None:
    if not found["environment"] and not found["secrets"]:
        output.line(f"{identity} is given nothing beside its definition.")
        return
    fields = [(name, Cell(value)) for name, value in found["environment"].items()]
    fields += [(name, Cell("a secret, from the keyring", "cyan")) for name in found["secrets"]]
    print_fields(output, fields)
