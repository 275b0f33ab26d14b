"""Which slots of a routine are due, and recording them (contract/engine.md §2.5, design/schedules.md).

A slot of an rrule is due when it is not after now and strictly after the latest of: created, last revision, newest
scheduled slot recorded for the routine, of any revision (decisions.md 28). Only the newest due slot is
planned; the ones before it are counted. Cadence and cron: `planning_cadence.py`, `planning_cron.py`.
"""

from __future__ import annotations

from coven_desktop.contract import ids, routine, timestamps
from coven_desktop.contract.definition import Definition, DefinitionError
from coven_desktop.contract.routine import AnyRoutine
from coven_desktop.schedule import rrule, zones
from coven_desktop.schedule.errors import ScheduleError
from coven_desktop.schedule.slots import Schedule
from coven_desktop.store import definitions, misfires, occurrences, retry_state, schedule_state
from coven_desktop.store.definitions import DefinitionRow
from coven_desktop.store.transactions import Reader, Transaction


class Broken(Exception):
    """A stored routine that can no longer be understood; the text says why (decisions.md 31)."""


def schedule_of(definition: AnyRoutine) -> Schedule:
    """The schedule of a routine. Raises Broken when its rule or its zone does not load any more."""
    if isinstance(definition, Definition):
        return rrule_of(definition)
    try:
        return definition.family.schedule
    except ScheduleError as error:
        raise Broken(f"stored routine `{definition.id}` is invalid: {error.message}") from error


def rrule_of(definition: Definition) -> rrule.RruleSchedule:
    """The schedule of a contract routine. Raises Broken as `schedule_of`."""
    try:
        return rrule.schedule(definition.rrule, definition.timezone)
    except (rrule.RruleError, zones.ZoneError) as error:
        raise Broken(f"stored routine `{definition.id}` is invalid: {error}") from error


def read(row: DefinitionRow) -> AnyRoutine:
    """The routine of a stored row. Raises Broken."""
    try:
        return routine.from_stored(row.body)
    except DefinitionError as error:
        raise Broken(f"stored routine `{row.id}` is invalid: {error.message}") from error


def bound(reader: Reader, row: DefinitionRow) -> int:
    """The instant strictly after which slots count, UTC milliseconds.

    For cadence and cron: since when the routine counts, and the newest slot that was handled, run or not.
    """
    newest = occurrences.newest_slot(reader, row.id) or ""
    state = schedule_state.get(reader, row.id) if row.family != "rrule" else None
    if state is not None:
        return timestamps.parse(max(state.counts_from, newest))
    return timestamps.parse(max(row.created_at, row.revised_at, newest))


def next_due_text(definition: AnyRoutine, after: int) -> str | None:
    """The next slot after an instant, for the routine's timer; None when nothing is found."""
    following = schedule_of(definition).next_after(after)
    return None if following is None else timestamps.to_text(following)


def room(reader: Reader, definition: AnyRoutine) -> int | None:
    """How many more firings of a cadence may be planned until its maxRuns is reached; None when it has none.

    What was dispatched counts, and what is planned to be.
    """
    if isinstance(definition, Definition):
        return None
    most = definition.family.max_runs
    state = schedule_state.get(reader, definition.id)
    if most is None or state is None:
        return None
    return max(0, most - state.runs_counted - occurrences.undispatched_firings(reader, definition.id))


def rearm(tx: Transaction, row: DefinitionRow) -> str | None:
    """Read the routine anew and set its timer from its bound, or mark it as broken; what is broken, or None.

    For what may have come or gone since the timer was set: zone data, a body (decisions.md 31).
    """
    try:
        definition = read(row)
        if isinstance(definition, Definition) and definition.timezone == "local" and row.broken_reason is not None:
            # why, only the opening knows, which alone asks the host (local_timezone.py)
            return row.broken_reason
        due = next_due_text(definition, bound(tx, row))
    except Broken as broken:
        definitions.set_broken(tx, row.id, str(broken))
        return str(broken)
    plans = row.lifecycle == "active" and not definitions.quarantined(tx, row.id) and room(tx, definition) != 0
    definitions.set_next_due(tx, row.id, due if plans else None)
    return None


def superseded_by(revision: int) -> str:
    """The reason of a planned slot whose routine was revised."""
    return f"superseded by revision {revision} of the routine before it was claimed"


def plan(tx: Transaction, row: DefinitionRow, definition: Definition) -> list[str]:
    """Plan the newest due slot of an active rrule routine and move its timer; the ids of what was planned.

    The timer moves in the same transaction, before anything runs. Raises Broken.
    """
    schedule = rrule_of(definition)
    after = bound(tx, row)
    slot, count = schedule.latest_due(after, tx.now)
    planned: list[str] = []
    if slot is not None:
        # what came due in a quarantine was not missed: counting restarts at the release (decisions.md 39)
        released = retry_state.released_at(tx, row.id) if count > 1 else None
        since = after if released is None else max(after, timestamps.parse(released))
        if released is not None:
            _, count = schedule.latest_due(since, tx.now)
        # further back than 15 days nobody looks (contract/engine.md §2.5): were there slots?
        bottom = tx.now - rrule.LOOK_BACK
        capped = since < bottom and (schedule.next_after(since) or bottom) <= bottom
        planned = plan_slot(tx, row, slot, collapsed=max(0, count - 1), at_least=capped)
    following = schedule.next_after(max(tx.now, after))
    definitions.set_next_due(tx, row.id, None if following is None else timestamps.to_text(following))
    return planned


def plan_slot(
    tx: Transaction,
    row: DefinitionRow,
    slot: int,
    *,
    collapsed: int = 0,
    disposition: misfires.Disposition = "collapsed_to_latest",
    at_least: bool = False,
    between: tuple[int, int] | None = None,
) -> list[str]:
    """Plan one slot under the routine's present revision: its id alone, or nothing when it is recorded already.

    `collapsed` slots before it do not run; `between`: the first and the last of them, where known.
    """
    occurrence_id = ids.scheduled_occurrence_id(row.id, slot)
    planned = occurrences.plan(
        tx,
        occurrence_id=occurrence_id,
        automation_id=row.id,
        revision=row.revision,
        digest=row.digest,
        scheduled_for=timestamps.to_text(slot),
        zone_data=zones.zone_data().version,
        collapsed=collapsed,
        disposition=disposition,
        at_least=at_least,
        between=None if between is None else (timestamps.to_text(between[0]), timestamps.to_text(between[1])),
    )
    return [occurrence_id] if planned else []
