"""`covenctl next`: the next firings of all routines together, reckoned here from their schedules.

Paused and quarantined routines have none, and a routine whose rule or zone is not understood has none to tell of. Where
the clock was ahead, those up to then are left out: nothing is planned for them (decisions.md 28).
"""

from __future__ import annotations

import heapq
import os
from collections.abc import Iterator, Mapping
from typing import Any

from coven_desktop.cli import instants, knowing, pausing
from coven_desktop.cli.arguments import Arguments
from coven_desktop.cli.client import Client
from coven_desktop.cli.output import Output
from coven_desktop.cli.refusals import DONE
from coven_desktop.cli.table import Cell, print_table
from coven_desktop.clock import SystemClock
from coven_desktop.contract import timestamps
from coven_desktop.home import locate
from coven_desktop.schedule import families
from coven_desktop.schedule.errors import ScheduleError


def upcoming(arguments: Arguments, output: Output) -> int:
    """Print them, the soonest first."""
    client = Client(locate(arguments.home, os.environ), SystemClock())
    others = {one["id"]: one for one in knowing.others(client) if one["definition"] is not None}
    routines = [*client.act("list")["routines"], *(one["definition"] for one in others.values())]
    state = client.state()
    none = {one["automationId"] for one in (*state["quarantined"], *state.get("broken", ()))}
    ahead = {one["automationId"]: timestamps.parse(one["until"]) for one in state.get("clockAhead", ())}
    now = client.now()
    runs = [routine for routine in routines if routine["status"] == "ACTIVE" and routine["id"] not in none]
    each = (
        firings(routine, max(now, ahead.get(routine["id"], now)), _left(client, others.get(routine["id"])))
        for routine in runs
    )
    merged = heapq.merge(*each, key=lambda found: (found[0], found[1]["id"]))
    found = [one for one, _ in zip(merged, range(arguments.limit or 0), strict=False)]
    if output.json_wanted:
        output.json({"next": [{"at": timestamps.to_text(at), "id": of["id"], "name": of["name"]} for at, of in found]})
        return DONE
    pause = pausing.current(client)
    if pause is not None:
        output.line(output.style(f"Everything is paused {pausing.until_words(pause, now)}.", "yellow"))
    elif found:
        rows = [[Cell(instants.both(at, now)), Cell(of["id"], "bold"), Cell(of["name"])] for at, of in found]
        print_table(output, ("WHEN", "ROUTINE", "NAME"), rows, give=(2,))
    else:
        output.line("Nothing is due." if routines else "No routines yet.")
    return DONE


def _left(client: Client, other: Mapping[str, Any] | None) -> int | None:
    """How many firings a routine has left: what the app plans no more has none; None is no such end."""
    if other is None:
        return None
    if other["nextDueAt"] is None:
        return 0
    most = other["definition"]["schedule"].get("maxRuns")
    if most is None:
        return None
    state = knowing.own_state(client, other["id"])
    return max(0, int(most) - int(state["runCount"])) if state is not None else 0


def firings(routine: Mapping[str, Any], after: int, left: int | None = None) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """When a routine fires after an instant, by its schedule, and the routine; nothing when it is not understood.

    It ends after `left` firings.
    """
    try:
        schedule = families.read(knowing.schedule(routine)).schedule
    except ScheduleError:
        return
    while left != 0 and (at := schedule.next_after(after)) is not None:
        yield at, routine
        after = at
        left = None if left is None else left - 1
