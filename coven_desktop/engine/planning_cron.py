"""Planning of cron routines: the newest due slot runs, each one before it has its record (design/schedules.md)."""

from __future__ import annotations

from coven_desktop.contract import timestamps
from coven_desktop.contract.routine import Routine
from coven_desktop.engine import planning, skipping
from coven_desktop.schedule import late_slots
from coven_desktop.store import definitions, occurrences
from coven_desktop.store.definitions import DefinitionRow
from coven_desktop.store.transactions import Transaction

MISSED = "missed: it was found late, when a newer time had come"


def plan(tx: Transaction, row: DefinitionRow, routine: Routine) -> list[str]:
    """Plan the newest due slot, or record why it does not run, and the missed ones before it; move the timer.

    All in the caller's transaction, before anything runs; the ids of what was planned. Raises Broken.
    """
    schedule = planning.schedule_of(routine)
    after = planning.bound(tx, row)
    due = late_slots.of_cron(schedule, after, tx.now) if after < tx.now else None
    planned: list[str] = []
    if due is not None:
        if due.before is not None:
            reason = f"{due.before.slots} times were missed: they were found late, when newer ones had come"
            skipping.record(tx, row, due.before.first, "missed", reason, due.before)
        for slot in due.missed:
            skipping.record(tx, row, slot, "missed", MISSED)
        if occurrences.any_open(tx, row.id):
            skipping.record(tx, row, due.newest, "overlap", skipping.OVERLAP)
        else:
            planned = planning.plan_slot(tx, row, due.newest)
    following = schedule.next_after(max(tx.now, after))
    definitions.set_next_due(tx, row.id, None if following is None else timestamps.to_text(following))
    return planned
