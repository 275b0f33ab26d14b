"""`covenctl import crontab`: the person's own crontab, or one from a file, as cron routines that rest.

The app reads it (`coven.desktop.crontab.import.v1`) and tells of every line that says something.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from coven_desktop import own_crontab
from coven_desktop.chosen_file import CannotRead
from coven_desktop.cli import drafting
from coven_desktop.cli.arguments import Arguments
from coven_desktop.cli.client import Client, Unanswered, new_key
from coven_desktop.cli.output import Output
from coven_desktop.cli.refusals import CODE_INVALID, DONE, REFUSED, Refused, misused
from coven_desktop.cli.table import one_line
from coven_desktop.contract.crontab import BYTES_LIMIT

_SHOWN_IDS = 20


def import_crontab(client: Client, arguments: Arguments, output: Output) -> int:
    """Import, or with `--dry-run` report. Answers 1 when a line was refused; what is here already is only skipped."""
    files = arguments.files[1:]
    if len(files) > 1:
        raise misused("One crontab at a time: covenctl import crontab [FILE]")
    members: dict[str, Any] = {"crontab": _text(files[0] if files else None), "dryRun": arguments.dry_run}
    try:
        payload = client.desktop("crontab.import.v1", adoptionKey=new_key(), **members)
    except Unanswered as error:
        error.message += " Import the crontab again: what is there already is skipped."
        raise
    if output.json_wanted:
        output.json(payload)
    else:
        _say(output, payload["result"])
    return REFUSED if payload["result"]["refused"] else DONE


def _text(path: str | None) -> str:
    """The text of a crontab: of a file, or of what `crontab -l` prints (None)."""
    data = _own() if path is None else drafting.read(path, BYTES_LIMIT)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        where = {None: "your crontab", drafting.STANDARD_INPUT: "standard input"}.get(path, path)
        raise Refused(CODE_INVALID, f"{where}: is no text in UTF-8 (byte {error.start})") from None


def _own() -> bytes:
    try:
        return own_crontab.read(BYTES_LIMIT)
    except CannotRead as error:
        raise misused(f"Your crontab cannot be read: {error}. Name a file, or - for standard input.") from None


def _say(output: Output, found: Mapping[str, Any]) -> None:
    dry = found["dryRun"]
    for word, colour, of in (
        ("Would import" if dry else "Imported", "green", "imported"),
        ("Skipped", "yellow", "skipped"),
        ("Refused", "red", "refused"),
        ("Left out", "yellow", "reported"),
    ):
        for one in found[of]:
            output.line(f"{output.style(word, colour)}: line {one['line']}: {_line(one)}")
            if one.get("suggestion"):
                output.line(f"  write instead: {one_line(one['suggestion'])}")
    imported = found["imported"]
    if not any(found[of] for of in ("imported", "skipped", "refused")):
        output.line("There are no jobs in it.")
    elif imported and not dry:
        some = " ".join(one["automationId"] for one in imported[:_SHOWN_IDS])
        more = f" and {len(imported) - _SHOWN_IDS} more" if len(imported) > _SHOWN_IDS else ""
        output.line("Cron still runs them too: take each out of the crontab when you resume it.")
        output.line(output.style(f"They are paused; let them run: covenctl resume {some}{more}", "bold"))
    if dry:
        output.line("Dry run: nothing was changed.")


def _line(one: Mapping[str, Any]) -> str:
    if "expression" in one:
        return f"{one_line(one['automationId'])}: {one['expression']} in {one['timezone']}: {one_line(one['name'])}"
    return f"{one_line(one['text'])}: {one_line(one['reason'])}"
