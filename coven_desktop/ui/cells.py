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
    state, tone = texts.routine_state(row)
    if row.next_due_at is not None:
        when = f"{times.day_and_time(row.next_due_at)}  ·  {times.relative(row.next_due_at)}"
        next_run = Cell(when, f"{times.exact(row.next_due_at)}\n{row.timezone}")
    else:
        why = texts.why_no_date(row)
        next_run = Cell(why, why, quiet=True)
    results = ", ".join(texts.outcome(result) for result in row.last_results)
    return Cells(
        row.id,
        row,
        (
            Cell(row.name, f"{row.name}\n{row.id}"),
            Cell(state, row.broken_reason or row.quarantine_reason or state, tone),
            Cell(schedule_in_words(row.rrule, row.timezone), row.rrule),
            next_run,
            Cell(
                results or _say("not run yet"),
                _say("Newest first: {results}").format(results=results) if results else None,
                quiet=not results,
                marks=tuple(texts.outcome_tone(result) for result in row.last_results),
            ),
            Cell(row.runtime),
        ),
    )


def occurrence_cells(row: OccurrenceRow, times: Times) -> Cells:
    """Due, routine, state, took, how it came, detail."""
    if row.started_at is None:
        took = Cell("")
    elif row.finished_at is None:
        took = Cell(_say("since {time}").format(time=times.day_and_time(row.started_at)), times.exact(row.started_at))
    else:
        took = Cell(
            duration(row.finished_at - row.started_at),
            f"{times.exact(row.started_at)} – {times.exact(row.finished_at)}",
        )
    detail = row.reason or (
        _say("exit {code}").format(code=row.exit_code) if row.exit_code is not None else ""
    )
    return Cells(
        row.id,
        row,
        (
            Cell(times.day_and_time(row.scheduled_for), times.exact(row.scheduled_for)),
            Cell(row.name, f"{row.name}\n{row.automation_id}"),
            Cell(texts.occurrence_state(row), row.reason, texts.outcome_tone(row.state)),
            took,
            Cell(_say("by hand") if row.kind == "manual" else _say("on schedule"), quiet=True),
            Cell(detail, detail or None, quiet=True),
        ),
    )
