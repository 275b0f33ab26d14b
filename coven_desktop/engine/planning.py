"""Which slot of a routine is due, and recording it (contract/engine.md §2.5, design/schedules.md).

A slot is due when it is not after now and strictly after the latest of: created, last revision, newest
scheduled slot recorded for the routine, of any revision (decisions.md 28). Only the newest due slot is
planned; the ones before it are counted.
"""

from __future__ import annotations

from coven_desktop.contract import ids, timestamps
from coven_desktop.contract.definition import Definition, DefinitionError, from_stored
from coven_desktop.schedule import rrule, zones
from coven_desktop.store import definitions, occurrences, retry_state
from coven_desktop.store.definitions import DefinitionRow
from coven_desktop.store.transactions import Reader, Transaction


class Broken(Exception):
    """A stored routine that can no longer be understood; the text says why (decisions.md 31)."""


def schedule_of(definition: Definition) -> rrule.RruleSchedule:
    """The schedule of a definition. Raises Broken when its rule or its zone does not load any more."""
    try:
        return rrule.schedule(definition.rrule, definition.timezone)
    except (rrule.RruleError, zones.ZoneError) as error:
        raise Broken(f"stored routine `{definition.id}` is invalid: {error}") from error


def read(row: DefinitionRow) -> Definition:
    """The definition of a stored row. Raises Broken."""
    try:
        return from_stored(row.body)
    except DefinitionError as error:
        raise Broken(f"stored routine `{row.id}` is invalid: {error.message}") from error


def bound(reader: Reader, row: DefinitionRow) -> int:
    """The instant strictly after which slots count, UTC milliseconds."""
    newest = occurrences.newest_slot(reader, row.id)
    return timestamps.parse(max(row.created_at, row.revised_at, newest or ""))


def next_due_text(definition: Definition, after: int) -> str | None:
    """The next slot after an instant, for the routine's timer; None when nothing is found."""
    following = schedule_of(definition).next_after(after)
    return None if following is None else timestamps.to_text(following)


def rearm(tx: Transaction, row: DefinitionRow) -> str | None:
    """Read the routine anew and set its timer from its bound, or mark it as broken; what is broken, or None.

    For what may have come or gone since the timer was set: zone data, a body (decisions.md 31).
    """
    try:
        definition = read(row)
        if definition.timezone == "local" and row.broken_reason is not None:
            # why, only the opening knows, which alone asks the host (local_timezone.py)
            return row.broken_reason
        due = next_due_text(definition, bound(tx, row))
    except Broken as broken:
        definitions.set_broken(tx, row.id, str(broken))
        return str(broken)
    plans = row.lifecycle == "active" and not definitions.quarantined(tx, row.id)
    definitions.set_next_due(tx, row.id, due if plans else None)
    return None


def plan(tx: Transaction, row: DefinitionRow) -> str | None:
    """Plan the newest due slot of an active routine and move its timer; the id of what was planned, or None.

    The timer moves in the same transaction, before anything runs. Raises Broken.
    """
    definition = read(row)
    schedule = schedule_of(definition)
    after = bound(tx, row)
    slot, count = schedule.latest_due(after, tx.now)
    planned: str | None = None
    if slot is not None:
        # what came due in a quarantine was not missed: counting restarts at the release (decisions.md 39)
        released = retry_state.released_at(tx, row.id) if count > 1 else None
        since = after if released is None else max(after, timestamps.parse(released))
        if released is not None:
            _, count = schedule.latest_due(since, tx.now)
        # further back than 15 days nobody looks (contract/engine.md §2.5): were there slots?
        bottom = tx.now - rrule.LOOK_BACK
        capped = since < bottom and (schedule.next_after(since) or bottom) <= bottom
        occurrence_id = ids.scheduled_occurrence_id(row.id, slot)
        if occurrences.plan(
            tx,
            occurrence_id=occurrence_id,
            automation_id=row.id,
            revision=row.revision,
            digest=row.digest,
            scheduled_for=timestamps.to_text(slot),
            zone_data=zones.zone_data().version,
            collapsed=max(0, count - 1),
            at_least=capped,
        ):
            planned = occurrence_id
    following = schedule.next_after(max(tx.now, after))
    definitions.set_next_due(tx, row.id, None if following is None else timestamps.to_text(following))
    return planned
