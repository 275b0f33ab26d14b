"""`covenctl run`: run a routine now, and with `--wait` see how it ends.

A routine that is not paused is started by `occurrence.runNow.v1`. That refuses a paused one, so for a paused one the
person is asked once and the unversioned `run` does it (decisions.md 11).
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Mapping
from typing import Any

from coven_desktop.cli import instants, knowing, naming, words
from coven_desktop.cli.arguments import Arguments
from coven_desktop.cli.client import Client, Unanswered, new_key
from coven_desktop.cli.output import Output
from coven_desktop.cli.reading import no_routine
from coven_desktop.cli.refusals import CODE_NOT_RUNNING, CODE_PAUSED, DONE, REFUSED, NotRunning, Refused
from coven_desktop.cli.table import one_line
from coven_desktop.clock import SystemClock
from coven_desktop.contract import timestamps
from coven_desktop.home import locate

POLL_S = 0.25

_SETTLED = frozenset({"succeeded", "failed", "cancelled", "skipped", "superseded"})


def run(arguments: Arguments, output: Output) -> int:
    """Start a run. Answers 0 once it is accepted and started; with `--wait` 0 only if it succeeded."""
    client = Client(locate(arguments.home, os.environ), SystemClock())
    routine = knowing.definition(client, arguments.id)
    if routine is None:
        raise no_routine(client, arguments.id)
    try:
        if routine["status"] == "PAUSED":
            payload = _start_paused(client, routine, arguments, output)
        else:
            payload = _start(client, routine, arguments)
    except Refused as refusal:
        if not output.json_wanted and refusal.error.get("code") != CODE_PAUSED:
            _say_what_is_open(client, output, routine["id"])
        raise
    refused = payload.get("error")
    waits = payload.get("status") == "retry_scheduled" or payload.get("occurrenceState") == "planned"
    if output.json_wanted:
        output.json(payload)
    elif refused:
        output.line(output.style("Accepted, but not started: ", "red") + one_line(str(refused)))
        _say_what_is_open(client, output, routine["id"])
    else:
        _say_accepted(output, routine, payload)
    if refused and not waits:
        return REFUSED
    if not arguments.wait:
        return DONE
    output.flush()
    return _wait(client, output, arguments.id, payload)


def _start(client: Client, routine: Mapping[str, Any], arguments: Arguments) -> dict[str, Any]:
    members: dict[str, Any] = {} if arguments.note is None else {"note": arguments.note}
    return client.act("occurrence.runNow.v1", adoptionKey=new_key(), automationId=routine["id"], **members)


def _start_paused(client: Client, routine: Mapping[str, Any], arguments: Arguments, output: Output) -> dict[str, Any]:
    if not arguments.paused_too and not _agreed(routine, output):
        raise Refused(
            CODE_PAUSED,
            f"Routine {routine['id']} is paused. "
            f"To run it once all the same: covenctl run --paused-too {routine['id']}",
        )
    if arguments.note is not None:
        output.note("A run of a paused routine keeps no note; it is left out.")
    return client.act("run", id=routine["id"])


def _agreed(routine: Mapping[str, Any], output: Output) -> bool:
    """Ask once, on a terminal and of a person only: a program that wants JSON is never kept waiting for an answer."""
    if output.json_wanted or not output.is_terminal or not sys.stdin.isatty():
        return False
    output.ask(f"“{one_line(routine['name'])}” is paused. Run it once all the same? [y/N] ")
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def _say_accepted(output: Output, routine: Mapping[str, Any], payload: Mapping[str, Any]) -> None:
    started = payload.get("runId") or payload.get("occurrenceId")
    output.line(f"“{one_line(routine['name'])}” is accepted: {output.style(str(started), 'bold')}")
    output.line(output.style(f"Its output: covenctl logs --follow {started}", "dim"))


def _say_what_is_open(client: Client, output: Output, routine_id: str) -> None:
    """What the routine's open run waits for, which is in the way of others, and what can be done about it."""
    state = client.state()
    now = client.now()
    for work in state["runs"]:
        waits = words.open_state(work, now)
        if work["automationId"] == routine_id and waits is not None:
            output.note(f"Its run {work['runId']}: {waits.text}. Until that is settled, no other run of it starts.")
    step = words.next_step(state, routine_id)
    if step is not None:
        output.note(step)


def _wait(client: Client, output: Output, routine_id: str, payload: Mapping[str, Any]) -> int:
    occurrence_id = payload.get("occurrenceId") or client.act("run.get.v1", id=payload["runId"])["run"]["occurrenceId"]
    try:
        occurrence = _end(client, occurrence_id)
    except NotRunning:
        raise NotRunning(
            CODE_NOT_RUNNING,
            "Coven Desktop stopped while we waited. A run that was started goes on; "
            f"once Coven Desktop is back: covenctl runs {routine_id}",
        ) from None
    if not output.json_wanted:
        for line in _ending(client, output, occurrence):
            output.line(line)
    return DONE if occurrence["state"] == "succeeded" else REFUSED


def _end(client: Client, occurrence_id: str) -> Mapping[str, Any]:
    """The occurrence when nothing more happens to it by itself: settled, or waiting for the person."""
    unanswered = False
    while True:
        try:
            occurrence: Mapping[str, Any] = client.act("occurrence.get.v1", id=occurrence_id)["occurrence"]
        except Unanswered:  # asked just when the app ended: asking again says whether it did
            if unanswered:
                raise
            unanswered = True
            time.sleep(POLL_S)
            continue
        unanswered = False
        latest = naming.newest_run(occurrence["runs"]) or {}
        if occurrence["state"] in _SETTLED or occurrence["state"] == "recovery_required" or words.is_held(latest):
            return occurrence
        time.sleep(POLL_S)


def _ending(client: Client, output: Output, occurrence: Mapping[str, Any]) -> list[str]:
    now = client.now()
    run = naming.newest_run(occurrence["runs"]) or {}
    held = words.is_held(run)
    state = words.state(occurrence["state"]) if occurrence["state"] in _SETTLED else words.run_state(run)
    text = output.style("Failed" if held else state.text.capitalize(), state.colour or "bold")
    if run.get("finishedAt") and run.get("startedAt"):
        text += f" after {instants.duration(timestamps.parse(run['finishedAt']) - timestamps.parse(run['startedAt']))}"
    if run.get("exitCode"):
        text += f", exit code {run['exitCode']}"
    if held and run.get("timeoutAt"):
        text += f", held for your retry until {instants.both(timestamps.parse(run['timeoutAt']), now)}"
    elif held:
        text += ", held for your retry"
    reason = (None if held else occurrence.get("failureReason")) or words.latest_attempt(run).get("stateReason")
    if occurrence["state"] != "succeeded" and reason:
        text += f": {one_line(reason).removesuffix(words.HELD_SUFFIX)}"
    if held:
        # A failed start may have quarantined the routine: then nothing can be retried before it is released.
        return [text, words.next_step(client.state(), run["automationId"]) or words.retry_step(run["id"])]
    if occurrence["state"] == "recovery_required":
        return [text + ". How it ended is not known.", words.recover_step(occurrence["id"])]
    return [text]
