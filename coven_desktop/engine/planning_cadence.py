"""Planning of cadences: what is in time runs, of what was missed the catch-up policy says which; and their ends.

A cadence ends by itself with the dispatch of its last firing, or with its record as skipped, in that very transaction;
it keeps its configuration and its run count (design/schedules.md, cadence).
"""

from __future__ import annotations

from coven_desktop.contract import timestamps
from coven_desktop.contract.routine import Routine
from coven_desktop.engine import planning, revisions, skipping
from coven_desktop.schedule import late_slots
from coven_desktop.schedule.families import DEFAULT_CATCH_UP
from coven_desktop.store import definitions, occurrences, schedule_state
from coven_desktop.store.definitions import DefinitionRow
from coven_desktop.store.transactions import Reader, Transaction

SKIPPED = "missed, and skipped by the catch-up policy"


def plan(tx: Transaction, row: DefinitionRow, routine: Routine) -> list[str]:
    """Plan what is due and has room, record what the policy skips, move the timer; the ids of what was planned.

    What has no room stays due. All in the caller's transaction, before anything runs. Raises Broken.
    """
    schedule = planning.schedule_of(routine)
    after = planning.bound(tx, row)
    room = late_slots.MOST_PLANNED - occurrences.undispatched_firings(tx, row.id)
    left = planning.room(tx, routine)
    room = max(0, room if left is None else min(room, left))
    policy = routine.family.catch_up or DEFAULT_CATCH_UP
    due = late_slots.of_cadence(schedule, after, tx.now, policy, room) if after < tx.now and left != 0 else None
    planned: list[str] = []
    if due is not None:
        if due.skipped is not None:
            slots = due.skipped.slots
            reason = SKIPPED if slots == 1 else f"{slots} times were {SKIPPED}"
            skipping.record(tx, row, due.skipped.last, "catch_up", reason, due.skipped)
        for number, slot in enumerate(due.run):
            collapsed, between = 0 if number else due.made_up, None
            if collapsed:
                first, last = schedule.next_after(after), schedule.previous(slot)
                assert first is not None, "they were counted"
                assert last is not None
                between = (first, last)
            planned += planning.plan_slot(
                tx, row, slot, collapsed=collapsed, disposition="catch_up_skipped", between=between
            )
    following = None if planning.room(tx, routine) == 0 else schedule.next_after(planning.bound(tx, row))
    definitions.set_next_due(tx, row.id, None if following is None else timestamps.to_text(following))
    end_if_over(tx, row.id)
    return planned


def end_if_over(tx: Transaction, automation_id: str) -> None:
    """Disable an active cadence of which no firing is left, neither to come nor planned."""
    row = definitions.get(tx, automation_id)
    if row is None or (row.family, row.state) != ("cadence", "active"):
        return
    routine = planning.read(row)
    if isinstance(routine, Routine) and is_over(tx, row, routine) and not occurrences.undispatched_firings(tx, row.id):
        revisions.by_scheduler(tx, row, "disabled")


def go_on_without(tx: Transaction, automation_id: str) -> None:
    """A firing was settled before it was dispatched: another may come in its place, or the cadence is over.

    It does not count as a run, so that one that maxRuns held back is planned after all. Nothing for other families.
    """
    row = definitions.get(tx, automation_id)
    if row is not None and (row.family, row.state) == ("cadence", "active") and planning.rearm(tx, row) is None:
        end_if_over(tx, row.id)


def is_over(reader: Reader, row: DefinitionRow, routine: Routine) -> bool:
    """Whether nothing will be planned of it any more: its runs are used up, or no slot follows."""
    state = schedule_state.get(reader, row.id)
    most = routine.family.max_runs
    if state is not None and most is not None and state.runs_counted >= most:
        return True
    return planning.schedule_of(routine).next_after(planning.bound(reader, row)) is None
