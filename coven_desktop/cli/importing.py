"""`covenctl import`: the automations of Codex, which the app reads itself, or what `covenctl export` wrote.

A document of ours is taken routine by routine, each through the API that managed it: `create`, or
`definition.create.v1`. All land paused. Every file is read and understood before the first routine is sent.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from coven_desktop.cli import drafting, naming, settings, trial
from coven_desktop.cli.arguments import Arguments
from coven_desktop.cli.client import Client, Unanswered, new_key
from coven_desktop.cli.output import Output
from coven_desktop.cli.refusals import CODE_INVALID, DONE, REFUSED, CommandError, Refused, misused
from coven_desktop.cli.table import one_line
from coven_desktop.clock import SystemClock
from coven_desktop.contract import exported
from coven_desktop.contract.routine_settings import RoutineSettings, SettingsError, of_export
from coven_desktop.home import locate

_CODEX = "codex-automation-toml"
_EXISTS = "already exists"
_SHOWN_IDS = 20

Result = dict[str, Any]


def import_routines(arguments: Arguments, output: Output) -> int:
    """Import, or with `--dry-run` report. Answers 1 if a routine could not be taken; what exists is only skipped."""
    client = Client(locate(arguments.home, os.environ), SystemClock())
    if not arguments.files:
        return _import_codex(client, arguments, output)
    for path in arguments.files:
        if path.endswith(".toml"):
            raise misused("The automations of Codex are read by the app, all at once: covenctl import, with no file.")
    if arguments.files.count(drafting.STANDARD_INPUT) > 1:
        raise misused("Standard input can be read once.")
    entries = [entry for path in arguments.files for entry in _entries(path)]
    results: list[Result] = []
    known = {one["id"] for one in client.desktop("routine.list.v1")["routines"]}
    for entry in entries:
        try:
            result = _import(client, entry, known, dry=arguments.dry_run)
        except CommandError as error:
            error.error["routines"] = results
            if isinstance(error, Unanswered):
                error.message += " Import the file again: what is there already is skipped."
            raise
        if result["outcome"] == "imported":
            known.add(result["id"])
        results.append(result)
        if not output.json_wanted:
            _say(output, result, dry=arguments.dry_run)
    if output.json_wanted:
        output.json({"dryRun": arguments.dry_run, "routines": results})
    else:
        _sum_up(output, results, dry=arguments.dry_run)
    return REFUSED if any(result["outcome"] == "failed" for result in results) else DONE


def _import_codex(client: Client, arguments: Arguments, output: Output) -> int:
    members: dict[str, Any] = {"source": _CODEX, "dryRun": arguments.dry_run}
    payload = client.act("legacy.import.v1", adoptionKey=new_key(), **members)
    if output.json_wanted:
        output.json(payload)
        return REFUSED if payload["result"]["failures"] else DONE
    found = payload["result"]
    for identity in found["imported"]:
        output.line(f"{_word(output, 'imported', arguments.dry_run)}: {one_line(str(identity))}")
    for word, lines in (("skipped", found["skipped"]), ("failed", found["failures"])):
        for line in lines:
            output.line(f"{_word(output, word, arguments.dry_run)}: {one_line(str(line))}")
    if not any((found["imported"], found["skipped"], found["failures"])):
        output.line("Codex has no automations here.")
    elif found["imported"] and not arguments.dry_run:
        output.line("Their runtime is coven-code, and neither model nor folders are taken over: see covenctl show.")
        output.line("They are drafts. Give each a working folder, which makes it a paused routine, and let it run:")
        first = found["imported"][0]
        output.line(output.style(f"covenctl edit {first} --cwd DIR && covenctl resume {first}", "bold"))
    _say_dry(output, dry=arguments.dry_run)
    return REFUSED if found["failures"] else DONE


def _entries(path: str) -> list[Mapping[str, Any]]:
    """The routines in a document of ours. Raises Refused for anything else, with what is wrong in it."""
    where = "standard input" if path == drafting.STANDARD_INPUT else path
    document = drafting.json_object(drafting.read(path), path, parts=None)
    try:
        return exported.entries(document)
    except exported.ExportError as error:
        raise Refused(CODE_INVALID, f"{where}: {error}", field=error.field) from None


def _import(client: Client, entry: Mapping[str, Any], known: set[str], *, dry: bool) -> Result:
    definition = {**entry["definition"], "status": "PAUSED"}
    identity = str(definition.get("id"))
    if identity in known:
        return {"id": identity, "outcome": "skipped", "reason": _EXISTS}
    versioned = entry.get("managed") == "v1"
    try:
        if entry.get("family", "rrule") != "rrule":
            raise Refused(CODE_INVALID, f"the family {entry['family']} is not known to this version")
        checked = drafting.check(definition, versioned=versioned)
        beside = of_export(entry.get("settings"))
        warnings = [*checked.warnings, *_to_be_set(beside)]
        if not dry and versioned:
            client.act("definition.create.v1", adoptionKey=new_key(), definition=definition)
        elif not dry:
            client.act("create", definition=definition)
        if not dry and beside != RoutineSettings():
            revision = naming.routine(client, identity)["settings"]["revision"]
            settings.put(client, identity, beside, revision, new_key())
    except SettingsError as error:
        return {"id": identity, "outcome": "failed", "reason": f"settings.{error}", "error": _invalid(error)}
    except Refused as refusal:
        return {"id": identity, "outcome": "failed", "reason": refusal.message, "error": refusal.error}
    return {"id": identity, "outcome": "imported", **({"warnings": warnings} if warnings else {})}


def _invalid(error: SettingsError) -> dict[str, Any]:
    return {"code": CODE_INVALID, "message": f"settings.{error}", "field": f"settings.{error.member}"}


def _to_be_set(beside: RoutineSettings) -> list[str]:
    """Secrets come by name only."""
    return [f"see that the keyring has its secrets: {', '.join(beside.secrets)}"] if beside.secrets else []


def _word(output: Output, outcome: str, dry: bool) -> str:
    colour = {"imported": "green", "skipped": "yellow", "failed": "red"}[outcome]
    text = "Would import" if dry and outcome == "imported" else outcome.capitalize()
    return output.style(text, colour)


def _say(output: Output, result: Result, *, dry: bool) -> None:
    reason = f": {one_line(result['reason'])}" if "reason" in result else ""
    output.line(f"{_word(output, result['outcome'], dry)}: {one_line(result['id'])}{reason}")
    trial.tell_warnings(output, [f"{result['id']}: {warning}" for warning in result.get("warnings", ())])


def _sum_up(output: Output, results: Sequence[Result], *, dry: bool) -> None:
    imported = [result["id"] for result in results if result["outcome"] == "imported"]
    if not results:
        output.line("There are no routines in it.")
    elif imported and not dry:
        some = " ".join(imported[:_SHOWN_IDS])
        more = f" and {len(imported) - _SHOWN_IDS} more" if len(imported) > _SHOWN_IDS else ""
        output.line(output.style(f"They are paused; let them run: covenctl resume {some}{more}", "bold"))
    _say_dry(output, dry=dry)


def _say_dry(output: Output, *, dry: bool) -> None:
    if dry:
        output.line("Dry run: nothing was changed.")
