"""`covenctl enable`: a disabled routine is taken back, paused, with another end where one has ended it."""

from __future__ import annotations

import os
from typing import Any

from coven_desktop.cli import drafting, naming, scheduling
from coven_desktop.cli.arguments import Arguments
from coven_desktop.cli.client import Client, Unanswered, new_key
from coven_desktop.cli.output import Output
from coven_desktop.cli.refusals import CODE_UNREACHABLE, DONE, AppFault
from coven_desktop.clock import SystemClock
from coven_desktop.home import locate

_ENDS = {"anchor": "anchor", "until": "until", "max_runs": "maxRuns"}


def enable(arguments: Arguments, output: Output) -> int:
    """Take it back at the revision that was read, and say what lets it run."""
    drafting.check_key(arguments.key)
    client = Client(locate(arguments.home, os.environ), SystemClock())
    ends: dict[str, Any] = {
        member: scheduling.member(arguments, name)
        for name, member in _ENDS.items()
        if getattr(arguments, name) is not None
    }
    revision = arguments.expected_revision or naming.routine(client, arguments.id)["revision"]
    asked: dict[str, Any] = {
        "adoptionKey": arguments.key or new_key(),
        "automationId": arguments.id,
        "expectedRevision": revision,
    }
    try:
        payload = client.desktop("routine.enable.v1", **{**asked, **ends})
    except Unanswered as error:
        raise AppFault(
            CODE_UNREACHABLE, f"{error.message} Whether it was done is not known. See: covenctl show {arguments.id}"
        ) from error
    if output.json_wanted:
        output.json(payload)
    else:
        output.line(f"{output.style('Enabled', 'green')}: {arguments.id} is paused, at revision {payload['revision']}.")
        output.line(f"Let it run: covenctl resume {arguments.id}")
    return DONE
