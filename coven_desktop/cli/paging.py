"""`covenctl history` and `occurrences`: what happened of a routine, newest first, as many pages as were asked for.

With `--json` the payload of `run.history.v1` or `occurrence.history.v1`: what several pages held stands in one, with
the cursor of the last.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from coven_desktop.cli import instants, knowing, words
from coven_desktop.cli.arguments import Arguments
from coven_desktop.cli.client import Client
from coven_desktop.cli.output import Output
from coven_desktop.cli.reading import no_routine, print_runs
from coven_desktop.cli.refusals import DONE, REFUSED, misused
from coven_desktop.cli.table import Cell, print_table
from coven_desktop.clock import SystemClock
from coven_desktop.contract import timestamps
from coven_desktop.home import locate

_PAGE = 100


def history(arguments: Arguments, output: Output) -> int:
    """Print the runs of a routine. Answers 1 when there is neither a run nor such a routine."""
    client = Client(locate(arguments.home, os.environ), SystemClock())
    one: dict[str, Any] = {} if arguments.occurrence is None else {"occurrenceId": arguments.occurrence}
    payload = _pages(client, arguments, "run.history.v1", "runs", one)
    if output.json_wanted:
        output.json(payload)
        return REFUSED if _is_unknown(client, arguments, payload["runs"]) else DONE
    if payload["runs"]:
        print_runs(output, payload["runs"], client.state(), client.now())
        _say_more(output, "history", arguments, payload["cursor"])
    else:
        _say_none(client, output, arguments, payload["runs"], "No runs")
    return DONE


def occurrences(arguments: Arguments, output: Output) -> int:
    """Print the occurrences of a routine, or what is open now. Answers 1 when the routine is not there at all."""
    client = Client(locate(arguments.home, os.environ), SystemClock())
    if arguments.view is not None:
        return _open_now(client, arguments, output)
    if arguments.id is None:
        raise misused("Name a routine, or what is open now: covenctl occurrences --view running")
    payload = _pages(client, arguments, "occurrence.history.v1", "occurrences", {})
    if output.json_wanted:
        output.json(payload)
        return REFUSED if _is_unknown(client, arguments, payload["occurrences"]) else DONE
    if payload["occurrences"]:
        _print_occurrences(output, payload["occurrences"], client.now(), whose=False)
        _say_more(output, "occurrences", arguments, payload["cursor"])
    else:
        _say_none(client, output, arguments, payload["occurrences"], "Nothing was due")
    return DONE


def _open_now(client: Client, arguments: Arguments, output: Output) -> int:
    if arguments.all or arguments.cursor is not None:
        raise misused("--view shows at most 100, and has no further pages: --all and --cursor do not go with it.")
    whose: dict[str, Any] = {} if arguments.id is None else {"automationId": arguments.id}
    limit = min(arguments.limit or _PAGE, _PAGE)
    payload = client.act("occurrence.list.v1", view=arguments.view, limit=limit, **whose)
    if output.json_wanted:
        output.json(payload)
    elif payload["occurrences"]:
        _print_occurrences(output, payload["occurrences"], client.now(), whose=True)
    else:
        output.line("None.")
    return DONE


def _pages(client: Client, arguments: Arguments, action: str, rows: str, members: Mapping[str, Any]) -> dict[str, Any]:
    """One payload with as many rows as were asked for, if there are so many."""
    found: list[Any] = []
    cursor = arguments.cursor
    while True:
        left = _PAGE if arguments.all or arguments.limit is None else min(_PAGE, arguments.limit - len(found))
        place: dict[str, Any] = {} if cursor is None else {"cursor": cursor}
        payload = client.act(action, automationId=arguments.id, limit=left, **members, **place)
        found += payload[rows]
        cursor = payload["cursor"].get("next")
        enough = not arguments.all and len(found) >= (arguments.limit or 0)
        if enough or cursor is None or not payload["cursor"]["hasMore"]:
            return {**payload, rows: found}


def _is_unknown(client: Client, arguments: Arguments, rows: Sequence[object]) -> bool:
    """A deleted routine's history stays readable, so the routine is asked for only when there is none."""
    return not rows and arguments.cursor is None and not knowing.exists(client, arguments.id)


def _say_none(client: Client, output: Output, arguments: Arguments, rows: Sequence[object], said: str) -> None:
    if _is_unknown(client, arguments, rows):
        raise no_routine(client, arguments.id)
    output.line(f"{said} before that." if arguments.cursor else f"{said} yet.")


def _say_more(output: Output, command: str, arguments: Arguments, cursor: Mapping[str, Any]) -> None:
    if cursor["hasMore"]:
        one = f" --occurrence {arguments.occurrence}" if command == "history" and arguments.occurrence else ""
        text = f"Older ones: covenctl {command} {arguments.id}{one} --cursor {cursor['next']}"
        output.line(output.style(text, "dim"))


def _print_occurrences(output: Output, rows: Sequence[Mapping[str, Any]], now: int, *, whose: bool) -> None:
    head = ("OCCURRENCE", "STATE", "FOR", "KIND", "REVISION")
    print_table(
        output,
        (*head, "ROUTINE") if whose else head,
        [_row(one, now, whose) for one in rows],
        give=(0, 1),
        below=[_below(one, now) for one in rows],
    )


def _below(one: Mapping[str, Any], now: int) -> str | None:
    """Why it did not succeed, and which other times it stands for."""
    reason = one.get("failureReason") if one["state"] != "succeeded" else None
    missed = one.get("missed")
    if missed is None:
        return reason
    first, last = (instants.local(timestamps.parse(missed[name]), now) for name in ("first", "last"))
    if one["state"] == "skipped":
        return f"{reason} ({first} to {last})" if missed["slots"] > 1 else reason
    times = (
        f"1 earlier time, {first}" if missed["slots"] == 1 else f"{missed['slots']} earlier times, {first} to {last}"
    )
    stands = f"stands for {times}, missed"
    return f"{reason}; {stands}" if reason else stands


def _row(one: Mapping[str, Any], now: int, whose: bool) -> list[Cell]:
    cells = [
        Cell(one["id"], "bold"),
        words.state(one["state"]),
        Cell(instants.both(timestamps.parse(one["scheduledFor"]), now)),
        Cell("by hand" if one["kind"] == "manual" else str(one["kind"])),
        Cell(str(one["automationRevision"])),
    ]
    return [*cells, Cell(one["automationId"])] if whose else cells
