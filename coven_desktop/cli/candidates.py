"""`covenctl __complete COMMAND METAVAR`: what a shell can offer there, one `name<TAB>description` a line.

Asked by the completion scripts while somebody types: it is quick or says nothing, and never an error.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from coven_desktop.cli.client import Client
from coven_desktop.cli.output import Output
from coven_desktop.cli.refusals import DONE, CommandError
from coven_desktop.cli.table import one_line
from coven_desktop.clock import SystemClock
from coven_desktop.home import HomeError, locate

_PATIENCE_MS = 1_000
# What any shell takes as one plain word; whatever else a name may hold is typed by hand.
_PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._@+/-]*", re.ASCII)

_STATUS_OF = {"pause": "ACTIVE", "resume": "PAUSED"}
_PHASE_OF = {"retry": "held", "recover": "recovery_required"}

Found = Iterator[tuple[str, str]]


def complete(words: Sequence[str], output: Output) -> int:
    """Print the candidates for what the words name: a command, a metavar, and the home where one was typed."""
    command, metavar, home = (*words, "", "", "")[:3]
    try:
        for name, text in dict(_candidates(command, metavar, home)).items():
            if _PLAIN.fullmatch(name):
                output.raw(f"{name}\t{one_line(text)}\n")
    except (CommandError, HomeError, KeyError, TypeError):
        return DONE  # no app, or one that speaks differently
    return DONE


def _candidates(command: str, metavar: str, home: str) -> Found:
    if metavar == "ZONE":
        return _zones()
    client = Client(locate(home or None, os.environ), SystemClock())
    if metavar == "ROUTINE":
        return _quarantined(client) if command == "release" else _routines(client, _STATUS_OF.get(command))
    if metavar == "RUNTIME":
        return ((str(one["runtime"]), "in use") for one in _list(client))
    if metavar in ("ID", "RUN", "OCCURRENCE"):
        return _runs(client, command, "occurrenceId" if metavar == "OCCURRENCE" else "runId")
    return iter(())


def _zones() -> Found:
    from coven_desktop.schedule import zones

    return ((name, "") for name in ("local", "utc", *sorted(zones.names())))


def _list(client: Client) -> list[Mapping[str, Any]]:
    found: list[Mapping[str, Any]] = client.act("list", timeout_ms=_PATIENCE_MS)["routines"]
    return found


def _routines(client: Client, status: str | None) -> Found:
    for one in _list(client):
        if status in (None, one["status"]):
            yield one["id"], str(one["name"])


def _quarantined(client: Client) -> Found:
    for one in client.desktop("state.v1", timeout_ms=_PATIENCE_MS)["quarantined"]:
        yield one["automationId"], str(one["reason"])


def _runs(client: Client, command: str, member: str) -> Found:
    """What is open, by its own id and by its routine's; for what can be asked of ended runs every routine too."""
    wanted = _PHASE_OF.get(command)
    for work in client.desktop("state.v1", timeout_ms=_PATIENCE_MS)["runs"]:
        if wanted in (None, work["phase"]):
            said = str(work["phase"]).replace("_", " ")
            yield work["automationId"], said
            yield work[member], f"{work['automationId']}, {said}"
    if wanted is None and command != "cancel":
        yield from _routines(client, None)
