"""`covenctl cancel`: stop a run, and say only what is known: asked, then confirmed or not confirmed.

`occurrence.cancel.v1` does it for whatever is named: it settles what has not started and stops what runs
(contract/commands.md §4.2). Its answer comes when the stop is proven or its fence has ended (decisions.md 18).
"""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from typing import Any

from coven_desktop.cli import naming, words
from coven_desktop.cli.arguments import Arguments
from coven_desktop.cli.client import STOP_TIMEOUT_MS, Client, Unanswered, new_key
from coven_desktop.cli.output import Output
from coven_desktop.cli.refusals import CODE_UNREACHABLE, DONE, REFUSED, AppFault, Refused
from coven_desktop.clock import SystemClock
from coven_desktop.home import locate

# While a run is just starting, or another stop of it is under way, a cancellation is refused as pending. Both end by
# themselves: the host reports within 10 s, a stop's fence ends after 30 s.
_PENDING = "CANCEL_PENDING"
_PENDING_FOR_MS = 45_000
_PENDING_POLL_S = 0.5
_ENDED = "ILLEGAL_TRANSITION"
_CANCELLED = "cancelled"


def cancel(arguments: Arguments, output: Output) -> int:
    """Stop what is named. Answers 0 when it is confirmed or was so before, 1 when refused or not to be confirmed."""
    clock = SystemClock()
    client = Client(locate(arguments.home, os.environ), clock)
    meant = naming.find(client, arguments.id)
    if meant.state == _CANCELLED or (meant.run is not None and meant.run["status"] == _CANCELLED):
        return _already(meant, output)
    if not output.json_wanted:
        output.line(_asking(meant))
        output.flush()
    try:
        payload = _cancel(client, clock, meant, arguments.reason, output)
    except Refused as refusal:
        # Somebody else may have stopped it meanwhile: then nothing is left to do.
        if refusal.error.get("code") == _ENDED and _is_cancelled(client, meant.occurrence_id):
            return _already(meant, output)
        if refusal.error.get("code") == _ENDED and meant.run is not None and words.is_ambiguous(meant.run):
            raise _undecided(meant) from refusal
        raise
    except Unanswered as error:
        raise AppFault(
            CODE_UNREACHABLE,
            f"{error.message} The stop was asked for; whether it happened is not known. "
            f"See: covenctl runs {meant.automation_id}",
        ) from error
    confirmed = payload["status"] == _CANCELLED
    if output.json_wanted:
        output.json(payload)
    else:
        output.line(_say(output, payload, confirmed))
    return DONE if confirmed else REFUSED


def _undecided(meant: naming.Meant) -> Refused:
    """The refusal of what only a decision ends; the app's own sentence names an action of the API."""
    said = f"Nobody knows how {meant.label} ended, so there is nothing to stop."
    return Refused(_ENDED, f"{said}\n{words.recover_step(meant.occurrence_id)}")


def _is_cancelled(client: Client, occurrence_id: str) -> bool:
    occurrence = client.act("occurrence.get.v1", id=occurrence_id)["occurrence"]
    return occurrence is not None and occurrence["state"] == _CANCELLED


def _already(meant: naming.Meant, output: Output) -> int:
    if output.json_wanted:
        run = {} if meant.run is None else {"runId": meant.run["id"]}
        output.json({"occurrenceId": meant.occurrence_id, **run, "status": _CANCELLED, "already": True})
    else:
        output.line(f"{output.style('Already cancelled: ', 'green')}{meant.label}.")
    return DONE


def _asking(meant: naming.Meant) -> str:
    if meant.run is not None and words.is_held(meant.run):
        return f"Giving up {meant.label}, which failed and is held for a retry …"
    if meant.run is not None and words.waits(meant.run):
        return f"Cancelling the retry of {meant.label} …"
    return f"Asking to stop {meant.label} …"


def _cancel(
    client: Client, clock: SystemClock, meant: naming.Meant, reason: str | None, output: Output
) -> dict[str, Any]:
    members: dict[str, Any] = {} if reason is None else {"reason": reason}
    until = clock.monotonic() + _PENDING_FOR_MS
    key = new_key()
    told = False
    while True:
        try:
            return client.act(
                "occurrence.cancel.v1",
                timeout_ms=STOP_TIMEOUT_MS,
                adoptionKey=key,
                occurrenceId=meant.occurrence_id,
                **members,
            )
        except Refused as refusal:
            if refusal.error.get("code") != _PENDING or clock.monotonic() >= until:
                raise
            if not refusal.error.get("retryable"):
                key = new_key()  # the refusal is this key's answer for ever (contract/commands.md §4.8)
        if not told:
            told = True
            output.note("It is just starting, or already being stopped; waiting for that …")
        time.sleep(_PENDING_POLL_S)


def _say(output: Output, payload: Mapping[str, Any], confirmed: bool) -> str:
    if not confirmed:
        return (
            output.style("Not confirmed: ", "red")
            + "it could not be proven that everything the run started has ended. "
            + words.recover_step(payload["occurrenceId"])
        )
    done = output.style("Confirmed: ", "green")
    if "cancellation" in payload:
        return f"{done}cancelled, and nothing of it is running any more."
    if payload.get("attemptId"):
        return f"{done}cancelled before its next attempt began; nothing of it was running."
    if payload.get("runId"):
        return f"{done}given up; its failed attempt stays as it is, and nothing of it was running."
    return f"{done}cancelled before anything was started."
