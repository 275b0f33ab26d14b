"""`covenctl logs`: what a run printed, and with `--follow` what it goes on printing until it has ended.

With `--json` the records come as the app gave them: one array, or with `--follow` one record on each line.
"""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from typing import Any

from coven_desktop.cli import naming, words
from coven_desktop.cli.arguments import Arguments
from coven_desktop.cli.client import Client
from coven_desktop.cli.output import Output
from coven_desktop.cli.refusals import CODE_NOT_FOUND, DONE, Refused
from coven_desktop.clock import SystemClock
from coven_desktop.home import locate

_LIVE = frozenset({"created", "running", "idle"})
_POLL_MS = 250
# A long log costs the app more to read: it is asked for at most a tenth of the time.
_REST = 10


def logs(arguments: Arguments, output: Output) -> int:
    """Print the output of what is named, of a routine with no live run its newest one. Refused when there is none."""
    clock = SystemClock()
    client = Client(locate(arguments.home, os.environ), clock)
    meant = naming.find(client, arguments.id, or_newest=True)
    session_id = _session(meant.run)
    if session_id is None and arguments.follow:
        session_id = _await_session(client, meant)
    if session_id is None:
        raise Refused(CODE_NOT_FOUND, f"Nothing was started for {meant.label} yet, so there is no output.")
    if meant.instead and meant.run is not None:
        output.note(f"No run is live; this is the newest: {meant.label}, {words.run_state(meant.run).text}.")
    if arguments.follow:
        _follow(client, clock, output, session_id)
        output.end_line()
    elif output.json_wanted:
        output.json(_records(client, session_id))
    else:
        _print(output, _records(client, session_id))
        output.end_line()
    return DONE


def _session(run: Mapping[str, Any] | None) -> str | None:
    """The run's session, or while it waits for a retry that of its last attempt that had one."""
    if run is None:
        return None
    sessions = [run.get("sessionId"), *(attempt.get("sessionId") for attempt in words.attempts(run))]
    return next((str(one) for one in sessions if one), None)


def _await_session(client: Client, meant: naming.Meant) -> str | None:
    while True:
        occurrence = client.act("occurrence.get.v1", id=meant.occurrence_id)["occurrence"]
        session_id = _session(naming.newest_run(occurrence["runs"]))
        if session_id is not None or occurrence["state"] not in ("planned", "claimed", "running"):
            return session_id
        time.sleep(_POLL_MS / 1000)


def _follow(client: Client, clock: SystemClock, output: Output, session_id: str) -> None:
    shown: list[dict[str, Any]] = []
    while True:
        begun = clock.monotonic()
        # The state first: what was printed before the end is then in the log that is read after it.
        ended = client.get(f"/api/v1/sessions/{session_id}")["status"] not in _LIVE
        records = _records(client, session_id)
        fresh = unseen(shown, records)
        if output.json_wanted:
            for record in fresh:
                output.json(record)
        else:
            _print(output, fresh)
        output.flush()
        if ended:
            return
        shown = records
        time.sleep(max(_POLL_MS, _REST * (clock.monotonic() - begun)) / 1000)


def unseen(shown: Sequence[Mapping[str, Any]], records: Sequence[Mapping[str, Any]]) -> Sequence[Mapping[str, Any]]:
    """The records that come after the last one shown.

    A bounded log loses its middle while it grows, so the last one shown may have moved, or be gone; then
    everything after its time is new.
    """
    if not shown:
        return records
    last = shown[-1]
    for index in range(min(len(shown), len(records)) - 1, -1, -1):
        if records[index] == last:
            return records[index + 1 :]
    return [record for record in records if record["ts"] > last["ts"]]


def _records(client: Client, session_id: str) -> list[dict[str, Any]]:
    records: list[dict[str, Any]] = client.get(f"/api/v1/sessions/{session_id}/log")
    return records


def _print(output: Output, records: Sequence[Mapping[str, Any]]) -> None:
    for record in records:
        output.raw(record["message"])
