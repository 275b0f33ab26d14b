"""`covenctl preview`: the next firings of a schedule, computed here by the functions the app uses; no app is needed.

Without `--timezone` the schedule is read in this machine's zone, and the answer names it. What cannot be previewed is
refused in the contract's words: with `--json` as `{"error":{"code","message","field","suggestion"}}` on stdout.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from coven_desktop.cli import instants, scheduling
from coven_desktop.cli.arguments import Arguments
from coven_desktop.cli.output import Output
from coven_desktop.cli.refusals import CODE_INVALID, DONE, Refused
from coven_desktop.cli.table import Cell, cut, print_table
from coven_desktop.clock import SystemClock
from coven_desktop.contract import timestamps
from coven_desktop.schedule import preview as firings
from coven_desktop.schedule.explaining import explained
from coven_desktop.schedule.families import Family

_ECHO = 200
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_WALL = re.compile(r"(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)([Zz]|[+-]\d{2}:\d{2})?", re.ASCII)
_IN_WORDS = {
    "repeated": "comes twice",
    "gap": "for what clocks skip",
    "clamped": "the month's last day",
    "last": "the last one",
}


def preview(arguments: Arguments, output: Output) -> int:
    """Print the next firings. Refused when schedule, zone, start or count is not in order."""
    now = SystemClock().wall()
    count = _count(arguments.count)
    if arguments.before is not None:
        before = instant(arguments.before, "before")
        family = scheduling.family(arguments)
        found = firings.preview_before(family.schedule, before, count)
    else:
        after = now if arguments.start is None else instant(arguments.start)
        family = scheduling.family(arguments)
        found = firings.preview(family.schedule, after, count, family.max_runs)
    document = firings.document_of(family.schedule, found)
    if output.json_wanted:
        output.json(document)
    else:
        _print(output, arguments, family, document, now)
    return DONE


def _print(output: Output, arguments: Arguments, family: Family, document: Mapping[str, Any], now: int) -> None:
    zone = document["timezone"]
    output.line(output.style(explained(family.schedule).words, "bold"))
    whose = f"{zone}, this machine's zone" if arguments.timezone == "local" else zone
    output.line(output.style(f"Times in {whose}; zone data {document['zoneData']}.", "dim"))
    output.line()
    if document["firings"] or arguments.before is None:
        print_firings(output, document, now)
    else:
        output.line("It did not fire before.")


def print_firings(output: Output, document: Mapping[str, Any], now: int) -> None:
    """The firings of a preview as a table, and below it the wall times that clocks skip or repeat."""
    if document["firings"]:
        # seconds are shown to the minute, unless one of them says something
        end = 16 if all(firing["local"][16:19] == ":00" for firing in document["firings"]) else 19
        rows = [_row(firing, now, end) for firing in document["firings"]]
        print_table(output, ("", "LOCAL TIME", "UTC", "WHEN", ""), rows, give=(4,))
    else:
        output.line("It does not fire any more.")
    for note in document["notes"]:
        output.line(output.style(note["text"], "yellow"))


def _row(firing: Mapping[str, Any], now: int, end: int) -> list[Cell]:
    at = timestamps.parse(firing["at"])
    wall = datetime.fromisoformat(firing["local"][:19])
    day = instants.WEEKDAYS[wall.weekday()]
    return [
        Cell(day, "dim"),
        Cell(f"{firing['local'][:10]} {firing['local'][11:end]} {firing['local'][19:]}"),
        Cell(f"{firing['at'][:end].replace('T', ' ')}Z", "dim"),
        Cell(instants.relative(at, now)),
        Cell(_IN_WORDS.get(firing["note"], firing["note"] or ""), "yellow"),
    ]


def _count(text: str) -> int:
    if text.isascii() and text.isdigit() and len(text) <= 4 and 1 <= int(text) <= firings.MOST_FIRINGS:
        return int(text)
    suggestion = None
    if re.fullmatch(r"-?\d+", text, re.ASCII):
        suggestion = "1" if text.startswith("-") or not text.strip("0") else str(firings.MOST_FIRINGS)
    message = f"count must be a whole number from 1 to {firings.MOST_FIRINGS}, got `{cut(text, _ECHO)}`"
    raise _refused("count", message, suggestion)


def instant(text: str, field: str = "from") -> int:
    """UTC milliseconds of what --from or --before was given. Refused with what was probably meant."""
    try:
        return timestamps.parse(text)
    except ValueError:
        raise _refused(
            field,
            f"{field} must be an RFC 3339 instant with seconds and an offset, as 2026-03-28T12:00:00Z or "
            f"2026-03-28T13:00:00+01:00, got `{cut(text, _ECHO)}`",
            _instant_like(text),
        ) from None


def _instant_like(text: str) -> str | None:
    """An instant to write instead, when only its spelling is wrong; UTC is assumed where no offset is given."""
    text = text.strip()
    written = _WALL.fullmatch(text)
    if _DATE.fullmatch(text):
        likely = f"{text}T00:00:00Z"
    elif written:
        time = written[2] if written[2].count(":") == 2 else f"{written[2]}:00"
        likely = f"{written[1]}T{time}{(written[3] or 'Z').upper()}"
    else:
        return None
    try:
        timestamps.parse(likely)
    except ValueError:
        return None
    return likely


def _refused(field: str, message: str, suggestion: str | None) -> Refused:
    return Refused(CODE_INVALID, message, field=field, suggestion=suggestion)
