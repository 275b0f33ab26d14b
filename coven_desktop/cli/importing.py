"""`covenctl import`: the automations of Codex, which the app reads itself, or what `covenctl export` wrote.

A document of ours is sent in parts to `coven.desktop.import.v1`, which tells of each routine. All land paused. Every
file is read and understood before the first routine is sent.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from coven_desktop.cli import drafting, trial
from coven_desktop.cli.arguments import Arguments
from coven_desktop.cli.client import Client, Unanswered, new_key
from coven_desktop.cli.output import Output
from coven_desktop.cli.refusals import CODE_INVALID, DONE, REFUSED, CommandError, Refused, misused
from coven_desktop.cli.table import one_line
from coven_desktop.clock import SystemClock
from coven_desktop.contract import exported
from coven_desktop.home import locate

_CODEX = "codex-automation-toml"
_CRONTAB = "crontab"
_LARGEST_BYTES = 64 * 1024 * 1024
_MOST_AT_ONCE = 100
_BYTES_AT_ONCE = 1024 * 1024
_SHOWN_IDS = 20

Result = dict[str, Any]


def import_routines(arguments: Arguments, output: Output) -> int:
    """Import, or with `--dry-run` report. Answers 1 if a routine could not be taken; what exists is only skipped."""
    client = Client(locate(arguments.home, os.environ), SystemClock())
    if not arguments.files:
        return _import_codex(client, arguments, output)
    if arguments.files[0] == _CRONTAB:
        from coven_desktop.cli import crontabs

        return crontabs.import_crontab(client, arguments, output)
    for path in arguments.files:
        if path.endswith(".toml"):
            raise misused("The automations of Codex are read by the app, all at once: covenctl import, with no file.")
    if arguments.files.count(drafting.STANDARD_INPUT) > 1:
        raise misused("Standard input can be read once.")
    entries = [entry for path in arguments.files for entry in _entries(path)]
    results: list[Result] = []
    for some in _batches(entries):
        members: Result = {"document": exported.document(some), "dryRun": arguments.dry_run}
        try:
            told = client.desktop("import.v1", adoptionKey=new_key(), **members)["result"]["routines"]
        except CommandError as error:
            error.error["routines"] = results
            if isinstance(error, Unanswered):
                error.message += " Import the file again: what is there already is skipped."
            raise
        results += told
        if not output.json_wanted:
            for result in told:
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
    document = drafting.json_object(drafting.read(path, _LARGEST_BYTES), path, parts=None)
    try:
        return exported.entries(document)
    except exported.ExportError as error:
        raise Refused(CODE_INVALID, f"{where}: {error}", field=error.field) from None


def _batches(entries: Sequence[Mapping[str, Any]]) -> Iterator[list[Mapping[str, Any]]]:
    """The routines in requests that the app takes; one that is too large alone is for the app to refuse."""
    some: list[Mapping[str, Any]] = []
    size = 0
    for entry in entries:
        length = len(json.dumps(entry))
        if some and (len(some) == _MOST_AT_ONCE or size + length > _BYTES_AT_ONCE):
            yield some
            some, size = [], 0
        some.append(entry)
        size += length
    if some:
        yield some


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
