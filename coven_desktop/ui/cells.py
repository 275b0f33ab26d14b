"""Rows of the tables as ready strings, made once when a row is fetched (design/architecture.md, Threads)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from coven_desktop.engine.listing import OccurrenceRow, RoutineRow
from coven_desktop.qt.core import QCoreApplication
from coven_desktop.schedule import rrule, words
from coven_desktop.ui import texts
from coven_desktop.ui.texts import Tone
from coven_desktop.ui.times import Times, duration


@dataclass(frozen=True)
class Cell:
    """What one cell shows. `marks` are drawn instead of the text, which then is what a screen reader says."""

    text: str
    tip: str | None = None
    tone: Tone | None = None
    quiet: bool = False
    marks: tuple[Tone, ...] = ()


@dataclass(frozen=True)
class Cells:
    """One row: its cells, and the id of the thing it shows."""

    id: str
    row: RoutineRow | OccurrenceRow
    cells: tuple[Cell, ...]


def _say(text: str) -> str:
    return QCoreApplication.translate("Cells", text)


@lru_cache(maxsize=1024)
def schedule_in_words(rule_text: str, zone_name: str) -> str:
    """The rule as a sentence; the rule text itself when it cannot be read (the routine is then broken and says why)."""
    try:
        return words.words(rrule.parse(rule_text), zone_name)
    except rrule.RruleError:
        return rule_text


def routine_cells(row: RoutineRow, times: Times) -> Cells:
    """Name, state, schedule, next run, last results, runtime."""
    state, tone = texts.routine_state(row, times)
    if row.next_due_at is not None:
        when = f"{times.day_and_time(row.next_due_at)}  ·  {times.relative(row.next_due_at)}"
        tip = f"{times.exact(row.next_due_at)}\n{row.timezone}"
        if row.held:
            tip += "\n" + _say("While its failed run is held, no other run of it starts.")
        next_run = Cell(when, tip)
    else:
        why = texts.why_no_date(row)
        next_run = Cell(why, texts.quarantined(row.quarantine) if row.quarantine else why, quiet=True)
    none = _say("not run yet") if row.run is None and row.open_state is None else _say("none settled")
    results = ", ".join(texts.outcome(result) for result in row.last_results)
    return Cells(
        row.id,
        row,
        (
            Cell(row.name, f"{row.name}\n{row.id}"),
            Cell(state, _state_tip(row, state, times), tone),
            Cell(schedule_in_words(row.rrule, row.timezone), row.rrule),
            next_run,
            Cell(
                results or none,
                _say("Newest first: {results}").format(results=results) if results else None,
                quiet=not results,
                marks=tuple(texts.outcome_tone(result) for result in row.last_results),
            ),
            Cell(row.runtime),
        ),
    )


def _state_tip(row: RoutineRow, state: str, times: Times) -> str:
    """Why a routine is in its state; in quarantine, what became of the run that brought it there as well."""
    if row.broken_reason is not None:
        return row.broken_reason
    if row.run is None or row.run.phase not in ("held", "waiting"):
        return state
    lines = [state, texts.waits_for(row.run, times), texts.failed_because(row.run)]
    return "\n".join(dict.fromkeys(line for line in lines if line))


def occurrence_cells(row: OccurrenceRow, times: Times) -> Cells:
    """Due, routine, state, took, how it came, detail."""
    if row.started_at is None:
        took = Cell("")
    elif row.phase == "held" and row.run is not None and row.run.ended_at is not None:
        ended = times.day_and_time(row.run.ended_at)
        took = Cell(_say("failed {time}").format(time=ended), times.exact(row.run.ended_at))
    elif row.phase == "waiting":
        took = Cell("")
    elif row.finished_at is None:
        took = Cell(_say("since {time}").format(time=times.day_and_time(row.started_at)), times.exact(row.started_at))
    else:
        took = Cell(
            duration(row.finished_at - row.started_at),
            f"{times.exact(row.started_at)} – {times.exact(row.finished_at)}",
        )
    state = texts.occurrence_state(row, times)
    failed = texts.failed_because(row.run) if row.run is not None and row.phase == "held" else ""
    detail = (
        failed or row.reason or (_say("exit {code}").format(code=row.exit_code) if row.exit_code is not None else "")
    )
    return Cells(
        row.id,
        row,
        (
            Cell(times.day_and_time(row.scheduled_for), times.exact(row.scheduled_for)),
            Cell(row.name, f"{row.name}\n{row.automation_id}"),
            Cell(state, "\n".join(line for line in (state, detail) if line), texts.occurrence_tone(row)),
            took,
            Cell(_say("by hand") if row.kind == "manual" else _say("on schedule"), quiet=True),
            Cell(detail, detail or None, quiet=True),
        ),
    )
