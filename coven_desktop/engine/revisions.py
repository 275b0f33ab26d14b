"""Committing a revision of a routine: the one place in which every definition command writes.

A revision goes with its timer and with the planned slots of the revision before, which are superseded
(decisions.md 2 and 5); a quarantined routine gets no timer. Which revision may follow which is for the commands.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from coven_desktop.contract import timestamps
from coven_desktop.contract.definition import LIFECYCLE_OF_STATUS, Definition, with_timezone
from coven_desktop.contract.routine import AnyRoutine, Routine, digest_of, kind_of, stored_json, with_status
from coven_desktop.contract.routine_settings import RoutineSettings
from coven_desktop.engine import planning
from coven_desktop.engine.planning import superseded_by
from coven_desktop.schedule import zones
from coven_desktop.schedule.cadence import CadenceSchedule
from coven_desktop.store import definitions, occurrences, rich_definitions, routine_settings, schedule_state
from coven_desktop.store.definitions import DefinitionRow, EventKind
from coven_desktop.store.transactions import Reader, Transaction

DELETED = "the routine was deleted before this slot was claimed"
# These bring the routine anew; with the others what its author wrote stands on.
AUTHORING: tuple[EventKind, ...] = ("created", "revised", "imported")


@dataclass(frozen=True)
class Committed:
    """A revision as it was written, and the sequence of its event on the stream of the routine."""

    row: DefinitionRow
    sequence: int


def last_change(reader: Reader, automation_id: str) -> int:
    """The instant of the newest revision, UTC milliseconds, before which no next one is committed; 0 for a new id.

    The head of the routine's event stream is never later: its events are those of its revisions.
    """
    row = definitions.get(reader, automation_id)
    return 0 if row is None else timestamps.parse(row.revised_at)


def resolved(definition: Definition) -> Definition:
    """The definition with an exact zone in place of `local`. Raises ZoneError when the host's cannot be known."""
    return with_timezone(definition, zones.resolve_local()) if definition.timezone == "local" else definition


def commit(
    tx: Transaction,
    current: DefinitionRow | None,
    event: EventKind,
    definition: AnyRoutine,
    *,
    managed: str,
    adoption_key: str | None,
    lifecycle: str | None = None,
    rich: Mapping[str, Any] | None = None,
    imported_from: str | None = None,
) -> Committed:
    """Commit this definition as the next revision; its lifecycle is what its status says, unless one is given.

    `adoption_key` is the cause, for the events; None when no command caused it (a migration). `rich` is the rich
    definition that the routine stands for; one that is authored without it is flat from now on.
    """
    lifecycle = lifecycle or LIFECYCLE_OF_STATUS[definition.status]
    changed = not isinstance(definition, Routine) or not _same_schedule(current, definition)
    due: str | None = None
    if isinstance(definition, Definition) and lifecycle == "active" and not definitions.quarantined(tx, definition.id):
        newest = occurrences.newest_slot(tx, definition.id)
        revised = current.revised_at if current is not None else ""
        due = planning.next_due_text(definition, timestamps.parse(max(tx.now_text, revised, newest or "")))
    revision, sequence = definitions.commit(
        tx,
        current,
        event,
        automation_id=definition.id,
        name=definition.name,
        body=stored_json(definition),
        digest=digest_of(definition),
        lifecycle=lifecycle,
        managed=managed,
        next_due_at=due,
        family=kind_of(definition),
        adoption_key=adoption_key,
        imported_from=imported_from,
    )
    if current is not None and current.tombstoned_at is not None:
        # another routine of the same id is not given what the deleted one was
        routine_settings.put(tx, definition.id, RoutineSettings(), adoption_key=adoption_key)
    if rich is not None:
        rich_definitions.put(tx, definition.id, rich)
    elif event in AUTHORING:
        rich_definitions.drop(tx, definition.id)
    # a cron occurrence runs whatever revision it was queued with, a cadence's while its schedule is the same
    if kind_of(definition) == "rrule" or lifecycle == "disabled" or (changed and kind_of(definition) == "cadence"):
        occurrences.supersede_planned(tx, definition.id, superseded_by(revision), adoption_key=adoption_key)
    made = _committed(tx, definition.id, sequence)
    if isinstance(definition, Routine):
        _count_from_here(tx, current, made.row, definition, changed)
        planning.rearm(tx, made.row)
        made = _committed(tx, definition.id, sequence)
    return made


def by_scheduler(tx: Transaction, current: DefinitionRow, event: Literal["disabled", "paused"]) -> Committed:
    """The next revision of a cadence that has ended, or of a cron routine that failed too often in a row.

    It withdraws nothing that is open: what is planned and what waits for its next attempt goes on.
    """
    routine = with_status(planning.read(current), event.upper())
    _, sequence = definitions.commit(
        tx,
        current,
        event,
        automation_id=current.id,
        name=current.name,
        body=stored_json(routine),
        digest=digest_of(routine),
        lifecycle=event,
        managed=current.managed,
        next_due_at=None,
        family=current.family,
    )
    return _committed(tx, current.id, sequence)


def same_schedule(body: str, other: str) -> bool:
    """Whether two stored bodies of our form have the same schedule, zone and policy."""
    one, two = (json.loads(text) for text in (body, other))
    return bool(one.get("schedule") == two.get("schedule"))


def _same_schedule(current: DefinitionRow | None, routine: Routine) -> bool:
    """Whether the routine goes on with the schedule that it has; a deleted one is another routine."""
    if current is None or current.tombstoned_at is not None or current.family == "rrule":
        return False
    return same_schedule(current.body, stored_json(routine))


def _count_from_here(
    tx: Transaction, current: DefinitionRow | None, made: DefinitionRow, routine: Routine, changed: bool
) -> None:
    """Set anew since when slots count: created, its schedule edited, or resumed (design/schedules.md).

    A cadence has a slot at the very instant, a cron routine strictly after it.
    """
    at = timestamps.parse(made.revised_at)
    schedule = planning.schedule_of(routine)
    resumed = made.lifecycle == "active" and current is not None and current.state != "active"
    if isinstance(schedule, CadenceSchedule):
        at = min(schedule.counts_from(at), at - 1) if changed else at - 1
    fresh = current is None or current.tombstoned_at is not None or schedule_state.get(tx, made.id) is None
    if fresh:
        schedule_state.begin(tx, made.id, timestamps.to_text(at))
    elif changed or resumed:
        schedule_state.count_from(tx, made.id, timestamps.to_text(at))
    if resumed:
        schedule_state.forget_failures(tx, made.id)


def disable_as_it_is(tx: Transaction, current: DefinitionRow, *, managed: str, adoption_key: str) -> Committed:
    """Disable a routine whose body is not understood any more: the body stays what it is (decisions.md 31)."""
    revision, sequence = _without_timer(tx, current, "disabled", managed, adoption_key)
    occurrences.supersede_planned(tx, current.id, superseded_by(revision), adoption_key=adoption_key)
    return _committed(tx, current.id, sequence)


def tombstone(tx: Transaction, current: DefinitionRow, *, managed: str, adoption_key: str) -> Committed:
    """Delete a routine: its row, its body and its history stay."""
    _, sequence = _without_timer(tx, current, "tombstoned", managed, adoption_key)
    occurrences.supersede_planned(tx, current.id, DELETED, adoption_key=adoption_key)
    return _committed(tx, current.id, sequence)


def invalidate(tx: Transaction, current: DefinitionRow) -> Committed:
    """What the migration at open cannot understand becomes invalid, its body as it is (contract/recorded-states.md)."""
    revision, sequence = _without_timer(tx, current, "invalidated", current.managed, None)
    occurrences.supersede_planned(tx, current.id, superseded_by(revision))
    return _committed(tx, current.id, sequence)


def _without_timer(
    tx: Transaction, current: DefinitionRow, event: EventKind, managed: str, adoption_key: str | None
) -> tuple[int, int]:
    return definitions.commit(
        tx,
        current,
        event,
        automation_id=current.id,
        name=current.name,
        body=current.body,
        digest=current.digest,
        lifecycle={"disabled": "disabled", "invalidated": "invalid"}.get(event, current.lifecycle),
        managed=managed,
        next_due_at=None,
        family=current.family,
        tombstoned=event == "tombstoned",
        adoption_key=adoption_key,
    )


def _committed(tx: Transaction, automation_id: str, sequence: int) -> Committed:
    row = definitions.get(tx, automation_id)
    if row is None:
        raise RuntimeError(f"definition {automation_id} vanished")
    return Committed(row, sequence)
