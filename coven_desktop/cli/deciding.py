"""`covenctl retry`, `recover` and `release`: the lawful next steps of what waits for the person.

A held run is retried (`attempt.retry.v1`), a run without evidence is decided (`occurrence.recover.v1`), a quarantined
routine is released (`unquarantine`). What the app refuses is told in its own words.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from coven_desktop.cli import instants, knowing, naming, words
from coven_desktop.cli.arguments import Arguments
from coven_desktop.cli.client import Client, Unanswered, new_key
from coven_desktop.cli.output import Output
from coven_desktop.cli.reading import next_due, no_routine
from coven_desktop.cli.refusals import CODE_NOT_HELD, CODE_UNREACHABLE, DONE, AppFault, Refused
from coven_desktop.cli.table import one_line
from coven_desktop.clock import SystemClock
from coven_desktop.home import locate


def retry(arguments: Arguments, output: Output) -> int:
    """Open the next attempt of a held run. Refused when the run that is meant is not held."""
    client = _client(arguments)
    meant = naming.find(client, arguments.id, words.is_held, "held run")
    if meant.run is None or not words.is_held(meant.run):
        raise Refused(CODE_NOT_HELD, f"There is nothing to retry: {meant.label} {_said(meant.run)}.")
    latest = words.latest_attempt(meant.run)
    members: dict[str, Any] = {} if arguments.note is None else {"note": arguments.note}
    payload = _act(
        client,
        "attempt.retry.v1",
        meant,
        runId=meant.run["id"],
        priorAttemptNumber=latest["attemptNumber"],
        priorDisposition=latest["state"],
        **members,
    )
    if output.json_wanted:
        output.json(payload)
    else:
        _say_opened(output, meant.run["id"], payload)
    return DONE


def recover(arguments: Arguments, output: Output) -> int:
    """Decide about a run whose outcome is unknown: it failed, or it is tried again."""
    client = _client(arguments)
    meant = naming.find(client, arguments.id, words.is_ambiguous, "run without evidence")
    determination = "failed_deterministic" if arguments.failed else "retry_with_new_attempt"
    members: dict[str, Any] = {} if arguments.statement is None else {"statement": arguments.statement}
    payload = _act(
        client,
        "occurrence.recover.v1",
        meant,
        occurrenceId=meant.occurrence_id,
        evidenceDetermination=determination,
        **members,
    )
    if output.json_wanted:
        output.json(payload)
    elif payload.get("attemptNumber"):
        _say_opened(output, payload["runId"], payload)
    else:
        output.line(f"Recorded as failed: {meant.label}. The routine goes on with its schedule.")
    return DONE


def release(arguments: Arguments, output: Output) -> int:
    """End the quarantine of a routine, and say what is due next."""
    client = _client(arguments)
    state = client.state()
    payload = client.act("unquarantine", id=arguments.id)
    if output.json_wanted:
        output.json(payload)
        return DONE
    identity = payload["automationId"]
    if not payload["released"]:
        output.line(f"{identity} is not quarantined; nothing was changed.")
        return DONE
    was = next((one for one in state["quarantined"] if one["automationId"] == identity), None)
    output.line(f"Released: {identity}." + (f" It was {one_line(words.quarantined(was).text)}" if was else ""))
    _say_next(client, output, identity)
    return DONE


def _say_next(client: Client, output: Output, identity: str) -> None:
    routine = knowing.definition(client, identity)
    if routine is None:
        raise no_routine(client, identity)
    now = client.now()
    due = next_due(client, identity, client.act("health", id=identity)["health"])
    if routine["status"] != "ACTIVE":
        output.line(f"It stays {words.routine_state(routine['status']).text}, so nothing is due.")
    elif due is not None:
        output.line(f"Next: {instants.both(due, now)}")
    for work in client.state()["runs"]:
        waits = words.open_state(work, now)
        if work["automationId"] == identity and waits is not None:
            output.line(f"Its run {work['runId']}: {waits.text}. Until that is settled no other run starts.")
            if work["phase"] == "held":
                output.line(output.style(words.retry_step(work["runId"]), "bold"))


def _act(client: Client, action: str, meant: naming.Meant, **members: Any) -> dict[str, Any]:
    try:
        return client.act(action, adoptionKey=new_key(), **members)
    except Unanswered as error:
        raise AppFault(
            CODE_UNREACHABLE,
            f"{error.message} It was asked for; whether it was done is not known. "
            f"See: covenctl runs {meant.automation_id}",
        ) from error


def _say_opened(output: Output, run_id: str, payload: Mapping[str, Any]) -> None:
    output.line(
        f"Attempt {payload['attemptNumber']} of {output.style(str(run_id), 'bold')} is planned, to begin at once."
    )
    output.line(output.style(f"Its output: covenctl logs --follow {run_id}", "dim"))


def _said(run: Mapping[str, Any] | None) -> str:
    return f"is not held, it is: {words.run_state(run).text}" if run is not None else "has no run"


def _client(arguments: Arguments) -> Client:
    return Client(locate(arguments.home, os.environ), SystemClock())
