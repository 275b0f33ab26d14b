"""`covenctl pause --all` and `resume --all`: everything pauses and no routine is changed (decisions.md 39)."""

from __future__ import annotations

import os
import re
import time
from typing import Any

from coven_desktop.cli import instants
from coven_desktop.cli.arguments import Arguments
from coven_desktop.cli.client import Client, new_key
from coven_desktop.cli.output import Output
from coven_desktop.cli.refusals import DONE, misused
from coven_desktop.clock import SystemClock
from coven_desktop.contract import timestamps
from coven_desktop.home import locate

_SPAN = re.compile(r"(\d{1,4})\s*(m|min|h|d)", re.ASCII)
_UNITS = {"m": 60_000, "min": 60_000, "h": 3_600_000, "d": 86_400_000}
_LOCAL = re.compile(r"(?:(\d{4})-(\d\d)-(\d\d)[ T])?(\d{1,2}):(\d\d)", re.ASCII)
_FORMS = "18:00, 2h, 30min, 1d, 2026-12-24 18:00 or 2026-12-24T17:00:00Z"


def pause_all(arguments: Arguments, output: Output) -> int:
    """Pause everything, until a time if one is given. `--json` prints the action's payload."""
    client = Client(locate(arguments.home, os.environ), SystemClock())
    now = client.now()
    until = None if arguments.until is None else timestamps.to_text(instant_of(arguments.until, now))
    payload = client.desktop("pauseAll.v1", adoptionKey=new_key(), until=until)
    if output.json_wanted:
        output.json(payload)
        return DONE
    output.line(f"{output.style('Paused', 'green')}: everything, {until_words(payload['result']['pauseAll'], now)}")
    output.line("What runs goes on, and covenctl run still starts what you name.")
    return DONE


def resume_all(arguments: Arguments, output: Output) -> int:
    """End the pause of everything. `--json` prints the action's payload."""
    client = Client(locate(arguments.home, os.environ), SystemClock())
    payload = client.desktop("resumeAll.v1", adoptionKey=new_key())
    if output.json_wanted:
        output.json(payload)
        return DONE
    resumed = payload["result"]["resumed"]
    output.line(output.style("Resumed: everything" if resumed else "Nothing was paused as a whole", "green"))
    if resumed:
        output.line("Routines that are paused by themselves stay so: covenctl list shows them.")
    return DONE


def current(client: Client) -> dict[str, Any] | None:
    """The pause of everything that lasts, `since` and `until`; None when there is none."""
    pause: dict[str, Any] | None = client.get("/api/v1/health").get("desktop", {}).get("pauseAll")
    return pause


def until_words(pause: dict[str, Any], now: int) -> str:
    """When a pause of everything ends, in words."""
    if pause["until"] is None:
        return "until covenctl resume --all"
    return f"until {instants.both(timestamps.parse(pause['until']), now)}"


def instant_of(text: str, now: int) -> int:
    """UTC milliseconds of what a person typed: a span from now, a time by the clock here, or an instant.

    A time without a date is the next one. Raises Misused, in words that name the option.
    """
    text = text.strip()
    span = _SPAN.fullmatch(text)
    if span is not None:
        return now + int(span[1]) * _UNITS[span[2]]
    local = _LOCAL.fullmatch(text)
    try:
        at = timestamps.parse(text) if local is None else _local(local, now)
    except (ValueError, OverflowError):
        raise misused(f"--until does not understand {text!r}; write {_FORMS}") from None
    if at <= now:
        raise misused(f"--until {text} is over: it is {instants.local(now, now)}")
    return at


def _local(found: re.Match[str], now: int) -> int:
    year, month, day, hour, minute = (None if part is None else int(part) for part in found.groups())
    if (hour or 0) > 23 or (minute or 0) > 59:
        raise ValueError("no time of day")
    today = time.localtime(now // 1000)
    if year is not None:
        at = int(time.mktime((year, month or 0, day or 0, hour or 0, minute or 0, 0, 0, 0, -1))) * 1000
        then = time.localtime(at // 1000)
        if (then.tm_year, then.tm_mon, then.tm_mday) != (year, month, day):
            raise ValueError("no such day")
        return at
    for days in (0, 1):
        moment = (today.tm_year, today.tm_mon, today.tm_mday + days, hour or 0, minute or 0, 0, 0, 0, -1)
        at = int(time.mktime(moment)) * 1000
        if at > now:
            break
    return at
