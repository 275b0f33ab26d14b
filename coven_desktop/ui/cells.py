"""Rows of the tables as ready strings, made once when a row is fetched (design/architecture.md, Threads)."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache

from coven_desktop.engine.activity import ActivityLine
from coven_desktop.engine.listing import OccurrenceRow, RoutineRow
from coven_desktop.engine.pause_all import Pause
from coven_desktop.qt.core import QCoreApplication
from coven_desktop.schedule import families, rrule, words
from coven_desktop.schedule.explaining import explained
from coven_desktop.ui import jargon, lawful, schedule_words, skipped_words, texts
from coven_desktop.ui.texts import Tone
from coven_desktop.ui.times import Times, duration
from coven_desktop.ui.tray_state import pause_line


@dataclass(frozen=True)
class Cell:
    """What one cell shows. `marks` are drawn instead of the text, which then is what a screen reader says.

    `step`: the text is drawn as a button, and a click on it takes the next step.
    """

    text: str
    tip: str | None = None
    tone: Tone | None = None
    quiet: bool = False
    marks: tuple[Tone, ...] = ()
    step: bool = False


@dataclass(frozen=True)
class Cells:
    """One row: its cells, and the id of the thing it shows."""

    id: str
    row: RoutineRow | OccurrenceRow | ActivityLine
    cells: tuple[Cell, ...]


def _say(text: str) -> str:
    return QCoreApplication.translate("Cells", text)


@lru_cache(maxsize=1024)
def schedule_in_words(rule_text: str, zone_name: str) -> str:
    """The rule as a sentence with its zone; the rule text itself when it cannot be read."""
    try:
        return words.words(rrule.parse(rule_text), zone_name, schedule_words.say)
    except rrule.RruleError:
        return rule_text


@lru_cache(maxsize=1024)
def _document_in_words(text: str) -> str:
    """The document of a cadence or of cron as a sentence with its zone; the text itself when it cannot be read."""
    try:
        return explained(families.read(json.loads(text)).schedule, schedule_words.say).words
    except ValueError:
        return text


def schedule_of(row: RoutineRow) -> str:
    """The schedule of a routine of any family as a sentence with its zone."""
    document = row.body.get("schedule")
    if isinstance(document, dict):
        return _document_in_words(json.dumps(document, sort_keys=True))
    return schedule_in_words(row.rrule, row.timezone)


def rule_of(row: RoutineRow) -> str:
    """The rule as it is stored, of any family."""
    document = row.body.get("schedule")
    if isinstance(document, dict):
        return ", ".join(f"{name}: {value}" for name, value in document.items() if name != "timezone")
    return row.rrule


def zone_of(row: RoutineRow) -> str:
    """The stored name of a routine's zone, of any family."""
    document = row.body.get("schedule")
    return str(document.get("timezone", "")) if isinstance(document, dict) else row.timezone


def zone_in_words(zone_name: str) -> str:
    """The name of a zone as it is shown."""
    return "UTC" if zone_name == "utc" else zone_name


def routine_cells(row: RoutineRow, times: Times, pause: Pause | None = None) -> Cells:
    """Name, state, schedule, zone, next run, last results, runtime."""
    state, tone = texts.routine_state(row, times)
    none = _say("not run yet") if row.run is None and row.open_state is None else _say("none settled")
    results = ", ".join(texts.outcome(result) for result in row.last_results)
    zone, schedule = zone_in_words(zone_of(row)), schedule_of(row)
    return Cells(
        row.id,
        row,
        (
            Cell(row.name, f"{row.name}\n{row.id}", quiet=row.deleted),
            Cell(state, _state_tip(row, state, times), tone),
            Cell(schedule.removesuffix(f" ({zone})"), f"{schedule}\n{rule_of(row)}"),
            Cell(zone, zone, quiet=True),
            _next_run(row, times, pause),
            Cell(
                results or none,
                _say("Newest first: {results}").format(results=results) if results else None,
                quiet=not results,
                marks=tuple(texts.outcome_tone(result) for result in row.last_results),
            ),
            Cell(row.runtime),
        ),
    )


def _next_run(row: RoutineRow, times: Times, pause: Pause | None) -> Cell:
    """When a routine runs next, in the person's own time; in the tooltip in its zone as well."""
    if row.next_due_at is None:
        why = texts.why_no_date(row)
        step = lawful.next_step(row)
        tip = texts.quarantined(row.quarantine) if row.quarantine else why
        return Cell(why, f"{tip}\n{step.hint}" if step is not None else tip, quiet=True)
    if pause is not None:
        return Cell(pause_line(pause, times), quiet=True)
    if row.next_due_at <= times.now():
        # not planned yet: everything pauses, or a pass is about to begin
        when = _say("due since {time}").format(time=times.moment(row.next_due_at))
    else:
        when = f"{times.day_and_time(row.next_due_at)}  ·  {times.relative(row.next_due_at)}"
    if row.bound > times.now():
        ahead = _say("the clock was ahead until {time}").format(time=times.day_and_time(row.bound))
        when = f"{times.day_and_time(row.next_due_at)}  ·  {ahead}"
    tip = times.in_both_zones(row.next_due_at, zone_of(row))
    if row.held:
        tip += "\n" + _say("While its failed run is held, no other run of it starts.")
    return Cell(when, tip)


def _state_tip(row: RoutineRow, state: str, times: Times) -> str:
    """Why a routine is in its state; in quarantine, what became of the run that brought it there as well."""
    lines = [state]
    if row.broken_reason is not None:
        lines = [jargon.plain(row.broken_reason)]
    elif row.run is not None and row.run.phase in ("held", "waiting"):
        lines += [texts.waits_for(row.run, times), texts.failed_because(row.run)]
    elif row.last_failed_at is not None and row.open_state is None:
        lines.append(jargon.plain(row.last_failed_reason or ""))
    step = lawful.next_step(row)
    if step is not None:
        lines.append(step.hint)
    return "\n".join(dict.fromkeys(line for line in lines if line))


def occurrence_cells(row: OccurrenceRow, times: Times, *, opened: bool | None = None) -> Cells:
    """Due, routine, state, took, how it came, detail.

    `opened`: whether the skipped ones before it that it stands for are shown as well; None where nothing is folded.
    """
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
    folds = row.folded and opened is not None
    failed = texts.failed_because(row.run) if row.run is not None and row.phase == "held" else ""
    detail = (
        failed
        or skipped_words.reason(row, times)
        or jargon.plain(row.reason or "")
        or (_say("exit {code}").format(code=row.exit_code) if row.exit_code is not None else "")
    )
    if folds and row.folded_from is not None:
        number = f"{row.more_slots + row.slots:,}"
        since = times.day_and_time(row.folded_from if row.more_from is None else row.more_from)
        arrow = "▾" if opened else "▸"
        state = f"{arrow} " + _say("{number} skipped since {time}").format(number=number, time=since)
        hint = _say("Enter folds them again.") if opened else _say("Enter shows all of them.")
        detail = "\n".join(line for line in (detail, hint) if line)
    return Cells(
        row.id,
        row,
        (
            Cell(times.day_and_time(row.scheduled_for), times.exact(row.scheduled_for)),
            Cell(row.name, f"{row.name}\n{row.automation_id}"),
            Cell(state, "\n".join(line for line in (state, detail) if line), texts.occurrence_tone(row)),
            took,
            Cell(_say("by hand") if row.kind == "manual" else _say("on schedule"), quiet=True),
            Cell(detail.replace("\n", " · "), detail or None, quiet=True),
        ),
    )


def attention_cells(row: RoutineRow | OccurrenceRow, times: Times) -> Cells:
    """What is so, the routine, since when, what is the person's to decide, and the next step."""
    step = lawful.next_step(row) if isinstance(row, RoutineRow) else lawful.step_of_occurrence(row)
    if isinstance(row, RoutineRow):
        lines = []
        if row.quarantine is not None:
            lines.append(texts.quarantined(row.quarantine))
        if row.run is not None and row.run.phase == "held":
            lines.append(texts.waits_for(row.run, times))
            if row.quarantine is None:
                lines.append(texts.failed_because(row.run))
        state = " · ".join(lines)
        ended = row.run.ended_at if row.run is not None and row.held else None
        since = row.quarantine.since if row.quarantine is not None else ended
    else:
        lines = [texts.occurrence_state(row, times), jargon.plain(row.reason or "")]
        state = lines[0]
        since = row.started_at if row.started_at is not None else row.scheduled_for
    said = "" if since is None else times.day_and_time(since)
    decides = step.hint if step is not None else ""
    return Cells(
        row.id,
        row,
        (
            Cell(row.name, row.name),
            Cell(state, "\n".join(line for line in lines if line), Tone.ASKS),
            Cell(said, None if since is None else times.exact(since)),
            Cell(decides, decides),
            Cell(step.verb.replace("&", "") if step is not None else "", decides, step=step is not None),
        ),
    )
