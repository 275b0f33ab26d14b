"""`covenctl events`: the change feed or one stream of it, and with `--follow` what comes to it.

Following waits at the app (`coven.desktop.events.wait.v1`) instead of asking again and again. When the app is away it
waits for that too, and goes on from the last event that was shown: none is lost, and none is shown twice.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from coven_desktop.cli import instants, knowing, naming
from coven_desktop.cli.arguments import Arguments
from coven_desktop.cli.client import Client, Unanswered
from coven_desktop.cli.output import Output
from coven_desktop.cli.reading import no_routine
from coven_desktop.cli.refusals import CODE_EXPIRED, DONE, CommandError, NotRunning, Refused
from coven_desktop.cli.table import one_line
from coven_desktop.clock import SystemClock
from coven_desktop.contract import timestamps
from coven_desktop.home import locate

_SHOWN = 20
_SHOWN_FIRST = 10
_PAGE = 100
_WAIT_S = 25
_ANSWER_MS = 45_000
_BACKOFF_S = (0.25, 0.5, 1.0, 2.0, 4.0)
# Every event is recorded after the one and before the other.
_ALWAYS = "0001-01-01T00:00:00.000Z"
_NEVER = "9999-12-31T23:59:59.999Z"

# Stands, with the entity, where nobody gave a reason.
_NO_REASON = "Coven recorded the"

# What an app says that is just ending, starting, or too busy: it is asked again.
_STOPPING = "stopping"
_PASSING = frozenset({"STORE_BUSY", "CONCURRENCY_LIMIT", "too_many_connections", "request_timeout", _STOPPING})

Stream = Mapping[str, str]
Page = Mapping[str, Any]


def events(arguments: Arguments, output: Output) -> int:
    """Print events, and with `--follow` go on until Ctrl-C. Answers 1 for a stream that cannot be."""
    client = Client(locate(arguments.home, os.environ), SystemClock())
    stream = _stream(client, arguments)
    page = _first(client, stream, arguments)
    _check_routine(client, arguments, page)
    if not arguments.follow:
        if output.json_wanted:
            output.json(page)
        else:
            _print(output, page["events"], client.now())
            _say_more(output, arguments, page)
        return DONE
    for found in _following(client, output, stream, page):
        if output.json_wanted:
            for event in found:
                output.json(event)
        else:
            _print(output, found, SystemClock().wall())
        output.flush()
    return DONE


def _stream(client: Client, arguments: Arguments) -> Stream:
    if arguments.routine is not None:
        return {"kind": "automation", "id": arguments.routine}
    named = arguments.run or arguments.occurrence
    if named is None:
        return {"kind": "feed", "id": "all"}
    meant = naming.find(client, named, or_newest=True)
    if arguments.occurrence is not None:
        return {"kind": "occurrence", "id": meant.occurrence_id}
    if meant.run is None:
        raise Refused(None, f"There is no run of {meant.label} yet.")
    return {"kind": "run", "id": str(meant.run["id"])}


def _first(client: Client, stream: Stream, arguments: Arguments) -> Page:
    """The first page: from where was asked, or else the newest events."""
    limit = arguments.limit or (_SHOWN_FIRST if arguments.follow else _SHOWN)
    if arguments.start is not None:
        from coven_desktop.cli.previewing import instant  # its modules are needed by nothing else here

        start = timestamps.to_text(instant(arguments.start))
        return _read(client, stream, limit=limit, **{"from": start})
    if arguments.after is not None:
        return _read(client, stream, limit=limit, after=arguments.after)
    head = _read(client, stream, limit=1, **{"from": _NEVER})["after"]
    if head is None or head < limit:
        return _kept(client, stream, {}, limit)
    return _kept(client, stream, {"after": head - limit}, limit)


def _kept(client: Client, stream: Stream, place: Mapping[str, int], limit: int) -> Page:
    """The events after a place, or if they are not kept any more the first ones that are."""
    try:
        return _read(client, stream, limit=limit, **place)
    except Refused as refusal:
        if refusal.error.get("code") != CODE_EXPIRED:
            raise
    return _read(client, stream, limit=limit, **{"from": _ALWAYS})


def _read(client: Client, stream: Stream, **members: Any) -> Page:
    return client.act("events.read.v1", stream=stream, **members)


def _check_routine(client: Client, arguments: Arguments, page: Page) -> None:
    """A stream that is not there is empty for the app; a routine that never was is a mistake."""
    name = arguments.routine
    is_empty = page["after"] is None and not page["events"]
    if name is not None and is_empty and not knowing.exists(client, name):
        raise no_routine(client, name)


def _following(client: Client, output: Output, stream: Stream, page: Page) -> Iterator[Sequence[Mapping[str, Any]]]:
    """Pages of events, the given one first, then each as it comes. Ends never."""
    position = _position(page, None)
    yield page["events"]
    tries = 0
    while True:
        try:
            if tries:
                position = _after_absence(client, output, stream, position)
            page = _wait(client, output, stream, position)
        except CommandError as error:
            if not _is_passing(error):
                raise
            if not tries:
                ends = isinstance(error, NotRunning | Unanswered) or error.error.get("code") == _STOPPING
                how = "is away" if ends else "is too busy"
                output.note(f"Coven Desktop {how}; this goes on from the last event as soon as it answers again.")
            time.sleep(_BACKOFF_S[min(tries, len(_BACKOFF_S) - 1)])
            tries += 1
            continue
        tries = 0
        position = _position(page, position)
        yield page["events"]


def _wait(client: Client, output: Output, stream: Stream, position: int | None) -> Page:
    place = {} if position is None else {"after": position}
    try:
        return client.desktop("events.wait.v1", timeout_ms=_ANSWER_MS, stream=stream, waitSeconds=_WAIT_S, **place)
    except Refused as refusal:
        if refusal.error.get("code") != CODE_EXPIRED:
            raise
    output.note("What happened in between is not kept any more; this goes on with the first event that is.")
    return _read(client, stream, limit=_PAGE, **{"from": _ALWAYS})


def _after_absence(client: Client, output: Output, stream: Stream, position: int | None) -> int | None:
    """Where to go on when the app is back: where it was, unless an older database has taken the place of the one."""
    head = _read(client, stream, limit=1, **{"from": _NEVER})["after"]
    if position is None or (head is not None and head >= position):
        return position
    output.note("Coven Desktop is back with fewer events than before, as after a restore; this goes on with new ones.")
    return int(head) if head is not None else None


def _is_passing(error: CommandError) -> bool:
    return isinstance(error, NotRunning | Unanswered) or error.error.get("code") in _PASSING


def _position(page: Page, before: int | None) -> int | None:
    """The cursor after a page; an empty one leaves it where it was."""
    for found in (page.get("nextAfter"), page.get("after"), before):
        if found is not None:
            return int(found)
    return None


def _say_more(output: Output, arguments: Arguments, page: Page) -> None:
    if not page["events"]:
        output.line("No events there.")
    position = _position(page, None)
    if output.is_terminal and position is not None:
        named = (("routine", arguments.routine), ("run", arguments.run), ("occurrence", arguments.occurrence))
        which = "".join(f" --{option} {value}" for option, value in named if value is not None)
        output.line(output.style(f"What comes after: covenctl events{which} --after {position}", "dim"))


def _print(output: Output, found: Sequence[Mapping[str, Any]], now: int) -> None:
    for event in found:
        at = instants.local(timestamps.parse(event["recordedAt"]), now, seconds=True)
        whose = str(event.get("automationId") or event["stream"]["id"])
        said = one_line(_said(event))
        output.line(f"{output.style(at, 'dim')}  {output.style(one_line(whose), 'bold')}  {said}")


def _said(event: Mapping[str, Any]) -> str:
    """One event in a line; of a kind that this version does not know, its own summary."""
    kind, payload = str(event["kind"]), event["payload"]
    if kind.startswith("definition."):
        return f"{kind.removeprefix('definition.')}, revision {payload.get('revision')}"
    if kind.endswith(".transitioned"):
        entity = str(payload.get("entity"))
        identity = event.get(f"{entity}Id") or event["stream"]["id"]
        if entity == "attempt" and payload.get("attemptNumber"):
            identity = f"{payload['attemptNumber']} of {event.get('runId')}"
        came = "" if payload.get("from") == "none" else f"{payload.get('from')} → "
        reason = str(payload.get("reason") or "")
        why = f": {reason}" if reason and reason != f"{_NO_REASON} {entity} state" else ""
        return f"{entity} {identity} {came}{payload.get('to')}{why}"
    if kind == "occurrence.misfire_recorded":
        return f"{payload.get('collapsedSlots')} missed, {str(payload.get('disposition')).replace('_', ' ')}"
    if kind == "receipt.recorded":
        return f"receipt {payload.get('receiptRef')}: {payload.get('outcome')}"
    return f"{kind}: {event.get('summary')}"
