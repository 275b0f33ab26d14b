"""`covenctl receipt`: the proof that is kept of how a run ended (contract/commands.md §9).

With `--json` the answer of `receipt.get.v1`, unchanged.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from coven_desktop.cli import instants, naming
from coven_desktop.cli.arguments import Arguments
from coven_desktop.cli.client import Client
from coven_desktop.cli.output import Output
from coven_desktop.cli.refusals import CODE_NOT_FOUND, DONE, Refused
from coven_desktop.cli.table import Cell, print_fields
from coven_desktop.clock import SystemClock
from coven_desktop.contract import ids, timestamps
from coven_desktop.home import locate

_RUNS_ASKED = 20
_COLOURS = {"succeeded": "green", "failed": "red", "timed_out": "red", "cancelled": "yellow"}


def receipt(arguments: Arguments, output: Output) -> int:
    """Print the receipt of what is named. Refused when there is none yet, or it is not for everybody's eyes."""
    client = Client(locate(arguments.home, os.environ), SystemClock())
    payload = _find(client, arguments.id)
    if output.json_wanted:
        output.json(payload)
    else:
        print_fields(output, _fields(payload, client.now()))
    return DONE


def _find(client: Client, name: str) -> dict[str, Any]:
    if ids.is_entity_id(name):
        try:
            return client.act("receipt.get.v1", id=name)
        except Refused as refusal:
            if refusal.error.get("code") != CODE_NOT_FOUND:
                raise
    meant = naming.find(client, name, lambda _: False, or_newest=True)
    runs = [meant.run] if meant.run is not None else []
    if meant.instead:  # a routine: its newest run may not be settled yet
        runs = client.act("runs", id=meant.automation_id, limit=_RUNS_ASKED)["runs"]
    identity = next((run["receiptId"] for run in runs if run.get("receiptId")), None)
    if identity is None:
        raise Refused(CODE_NOT_FOUND, f"There is no receipt of {meant.label} yet: a run has one once it is settled.")
    return client.act("receipt.get.v1", id=identity)


def _fields(payload: Mapping[str, Any], now: int) -> list[tuple[str, Cell]]:
    found, verified = payload["receipt"], payload["verification"]
    outcome = found["outcome"]
    disposition = str(outcome["disposition"])
    attempt = f" (attempt {found['attemptNumber']})" if found.get("attemptNumber") else ""
    fields = [
        ("Receipt", Cell(found["receiptId"])),
        ("Outcome", Cell(disposition.replace("_", " "), _COLOURS.get(disposition))),
        ("Produced", Cell(instants.both(timestamps.parse(found["producedAt"]), now, seconds=True))),
        ("Routine", Cell(f"{found['automationId']}, revision {found['automationRevision']}")),
        ("Occurrence", Cell(found["occurrenceId"])),
        ("Run", Cell(f"{found['runId']}{attempt}")),
        ("On behalf of", Cell(str((found.get("identity") or {}).get("familiarId")))),
        ("Side effects", Cell(str(found["sideEffectClass"]).replace("_", " "))),
        ("Digest", Cell(str((found.get("integrity") or {}).get("value")))),
        ("Verified", Cell(_verified(verified))),
    ]
    for at, (name, member) in enumerate((("Failure", "failureClass"), ("Detail", "detail"))):
        if outcome.get(member):
            fields.insert(2 + at, (name, Cell(str(outcome[member]))))
    return fields


def _verified(verified: Mapping[str, Any]) -> str:
    """What was checked, in words: our own receipts are whole, and nobody has signed them."""
    whole = f"content {verified.get('integrity')}, correlation {verified.get('correlation')}"
    signed = (verified.get("receiptAuthentication") or {}).get("status")
    return f"{whole}, signature {signed}"
