"""What stands in the way of a run by hand, told before it is asked for (contract/commands.md §4.1, decisions.md 11).

Three kinds: what the engine would refuse, what would make the run fail at once, and what is only good to know. The
engine has the last word.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from coven_desktop.engine.listing import OccurrenceRow, RoutineRow
from coven_desktop.engine.pause_all import Pause
from coven_desktop.qt.core import QCoreApplication
from coven_desktop.ui import texts
from coven_desktop.ui.doors import RuntimeChoice
from coven_desktop.ui.reader import Sources
from coven_desktop.ui.times import Times

Weight = Literal["refused", "fails", "asks", "tells"]
Step = Literal["", "show", "retry", "decide", "release", "edit"]


@dataclass(frozen=True)
class Obstacle:
    """One sentence, how much it weighs, and the step that would clear it; `occurrence_id` is what the step is about.

    `refused`: the engine will not start it. `fails`: it would start and fail at once. `asks`: it needs a yes.
    `tells`: it does not matter for a run by hand.
    """

    weight: Weight
    text: str
    step: Step = ""
    occurrence_id: str = ""


@dataclass(frozen=True)
class Surroundings:
    """What is not in the routine's row, read on the reader thread. `folder_is_there` None: it has none."""

    folder_is_there: bool | None
    pause: Pause | None
    running: int


def look_around(sources: Sources, folder: str) -> Surroundings:
    """The surroundings of a run in `folder` (empty: none); on the reader thread."""
    summary = sources.reads.state_summary()
    there = os.path.isdir(folder) if folder else None
    return Surroundings(there, summary.pause, len(summary.running))


def folder_of(row: RoutineRow) -> str:
    """The working folder of a routine, empty when it has none."""
    return str(row.body.get("cwd") or "").strip()


def obstacles(
    row: RoutineRow | None,
    open_occurrence: OccurrenceRow | None,
    around: Surroundings | None,
    runtimes: Sequence[RuntimeChoice],
    times: Times,
) -> list[Obstacle]:
    """What stands in the way, the gravest first. `open_occurrence` is the one of the routine's open run."""
    if row is None:
        return [Obstacle("refused", _say("The routine was deleted."))]
    found = [*_of_routine(row), *_overlap(row, open_occurrence, times)]
    if not folder_of(row):
        text = _say("It has no working folder, and a run needs one.")
        found.append(Obstacle("refused", text, "edit"))
    elif around is not None and around.folder_is_there is False:
        text = _say("Its working folder {folder} is not there, so the run would fail at once.")
        found.append(Obstacle("fails", text.format(folder=folder_of(row)), "edit"))
    found += _of_runtime(row, runtimes)
    if row.lifecycle == "paused":
        found.append(Obstacle("asks", _say("The routine is paused. It runs once, now; its schedule stays paused.")))
    if around is not None and around.pause is not None:
        found.append(Obstacle("tells", _paused_all(around.pause, times)))
    others = around.running - (row.run is not None and row.run.phase == "live") if around is not None else 0
    if others > 0:
        found.append(Obstacle("tells", _running(others)))
    order: Sequence[Weight] = ("refused", "fails", "asks", "tells")
    return sorted(found, key=lambda obstacle: order.index(obstacle.weight))


def _of_routine(row: RoutineRow) -> list[Obstacle]:
    if row.broken_reason is not None:
        text = _say("It cannot be read: {reason}").format(reason=row.broken_reason)
        return [Obstacle("refused", text, "edit")]
    if row.lifecycle not in ("active", "paused"):
        text = {
            "draft": _say("The routine is still a draft, so it cannot be run."),
            "disabled": _say("The routine is disabled, so it cannot be run."),
            "invalid": _say("The routine is not valid, so it cannot be run."),
        }.get(row.lifecycle, row.lifecycle)
        return [Obstacle("refused", text, "edit")]
    if row.quarantine is not None:
        return [Obstacle("refused", texts.quarantined(row.quarantine) + ".", "release")]
    return []


def _overlap(row: RoutineRow, occurrence: OccurrenceRow | None, times: Times) -> list[Obstacle]:
    run = row.run
    if run is None and row.open_state is None:
        return []
    if run is None:
        return [Obstacle("refused", _say("Another run of it is still open, and only one may be at a time."))]
    if run.phase == "held":
        text = _say("Its last run is still open. {state}. Until that is settled no other run starts.")
        return [Obstacle("refused", text.format(state=texts.waits_for(run, times)), "retry", run.occurrence_id)]
    if run.phase == "waiting":
        text = _say("Its last run is still open. {state}.").format(state=texts.waits_for(run, times))
        return [Obstacle("refused", text, "show", run.occurrence_id)]
    if run.phase == "recovery_required":
        text = _say("How its last run ended is not known. Until you decide that, no other run starts.")
        return [Obstacle("refused", text, "decide", run.occurrence_id)]
    if run.phase == "lost":
        text = _say(
            "Its last run did not finish. It counts as failed in a few minutes; until then no other run starts."
        )
        return [Obstacle("refused", text, "show", run.occurrence_id)]
    if occurrence is not None and occurrence.started_at is not None:
        text = _say("A run of it has been going on since {time}, and only one may be at a time.")
        text = text.format(time=times.moment(occurrence.started_at))
    else:
        text = _say("A run of it is going on, and only one may be at a time.")
    return [Obstacle("refused", text, "show", run.occurrence_id)]


def _of_runtime(row: RoutineRow, runtimes: Sequence[RuntimeChoice]) -> list[Obstacle]:
    known = next((runtime for runtime in runtimes if runtime.name == row.runtime), None)
    if known is None:
        text = _say("Its runtime “{name}” is not known, so the run would fail at once.")
    elif not known.found:
        text = _say("The command of its runtime “{name}” was not found, so the run may fail at once.")
    else:
        return []
    return [Obstacle("fails", text.format(name=row.runtime), "edit")]


def _paused_all(pause: Pause, times: Times) -> str:
    if pause.until is None:
        return _say("All schedules are paused. A run by hand starts all the same.")
    return _say("All schedules are paused until {time}. A run by hand starts all the same.").format(
        time=times.moment(pause.until)
    )


def _running(count: int) -> str:
    if count == 1:
        return _say("One other run is going on. A run by hand never waits for a free place.")
    return _say("{count} other runs are going on. A run by hand never waits for a free place.").format(count=count)


def _say(text: str) -> str:
    return QCoreApplication.translate("Obstacles", text)
