"""Planning of cadences: what is in time runs, of what was missed the catch-up policy says which; and their ends.

A cadence ends by itself with the dispatch of its last firing, or with its record as skipped, in that very transaction;
it keeps its configuration and its run count (design/schedules.md, cadence).
"""

from __future__ import annotations

from coven_desktop.contract import timestamps
from coven_desktop.contract.routine import Routine
from coven_desktop.engine import planning, revisions, skipping
from coven_desktop.schedule import late_slots
from coven_desktop.schedule.families import DEFAULT_CATCH_UP, CatchUp
from coven_desktop.schedule.late_slots import Span
from coven_desktop.schedule.slots import Schedule
from coven_desktop.store import definitions, occurrences, schedule_state
from coven_desktop.store.definitions import DefinitionRow
from coven_desktop.store.occurrences import OccurrenceRow
from coven_desktop.store.transactions import Reader, Transaction

SKIPPED = "missed, and skipped by the catch-up policy"


def plan(tx: Transaction, row: DefinitionRow, routine: Routine) -> list[str]:
    """Plan what is due and has room, record what does not run, move the timer; the ids of what was planned.

    What has no room stays due. All in the caller's transaction, before anything runs. Raises Broken.
    """
    schedule = planning.schedule_of(routine)
    after = planning.bound(tx, row)
    left = planning.room(tx, routine)
    policy = routine.family.catch_up or DEFAULT_CATCH_UP
    planned: list[str] = []
    if after < tx.now and left != 0:
        if policy != "run-all" and occurrences.any_open(tx, row.id):
            _pass_over(tx, row, schedule, after, policy)
        else:
            planned = _take(tx, row, schedule, after, policy, left)
    following = None if planning.room(tx, routine) == 0 else schedule.next_after(planning.bound(tx, row))
    definitions.set_next_due(tx, row.id, None if following is None else timestamps.to_text(following))
    end_if_over(tx, row.id)
    return planned


def _take(
    tx: Transaction, row: DefinitionRow, schedule: Schedule, after: int, policy: CatchUp, left: int | None
) -> list[str]:
    room = late_slots.MOST_PLANNED - occurrences.undispatched_firings(tx, row.id)
    room = max(0, room if left is None else min(room, left))
    planned: list[str] = []
    due = late_slots.of_cadence(schedule, after, tx.now, policy, room)
    if due is not None:
        if due.skipped is not None:
            _skip_missed(tx, row, due.skipped)
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
    return planned


def _pass_over(tx: Transaction, row: DefinitionRow, schedule: Schedule, after: int, policy: CatchUp) -> None:
    """Only under run-all do slots queue behind a run that is not over; otherwise they are skipped with that reason."""
    missed, in_time = late_slots.in_the_way(schedule, after, tx.now)
    if missed is not None and policy == "skip":
        _skip_missed(tx, row, missed)
    elif missed is not None:
        skipping.record(tx, row, missed.last, "overlap", skipping.OVERLAP, missed if missed.slots > 1 else None)
    for slot in in_time:
        skipping.record(tx, row, slot, "overlap", skipping.OVERLAP)


def _skip_missed(tx: Transaction, row: DefinitionRow, missed: Span) -> None:
    reason = SKIPPED if missed.slots == 1 else f"{missed.slots} times were {SKIPPED}"
    skipping.record(tx, row, missed.last, "catch_up", reason, missed)


def end_if_over(tx: Transaction, automation_id: str) -> None:
    """Disable an active cadence of which no firing is left, neither to come nor planned."""
    row = definitions.get(tx, automation_id)
    if row is None or (row.family, row.state) != ("cadence", "active"):
        return
    routine = planning.read(row)
    if isinstance(routine, Routine) and is_over(tx, row, routine) and not occurrences.undispatched_firings(tx, row.id):
        revisions.by_scheduler(tx, row, "disabled")


def go_on_without(tx: Transaction, occurrence: OccurrenceRow) -> None:
    """A firing was settled before it was dispatched: another may come in its place, or the cadence is over.

    It does not count as a run, so that one that maxRuns held back is planned after all. Nothing for other families,
    nor for what a person began.
    """
    row = definitions.get(tx, occurrence.automation_id) if occurrence.kind == "scheduled" else None
    if row is not None and (row.family, row.state) == ("cadence", "active") and planning.rearm(tx, row) is None:
        end_if_over(tx, row.id)


def is_over(reader: Reader, row: DefinitionRow, routine: Routine) -> bool:
    """Whether nothing will be planned of it any more: its runs are used up, or no slot follows."""
    state = schedule_state.get(reader, row.id)
    most = routine.family.max_runs
    if state is not None and most is not None and state.runs_counted >= most:
        return True
    return planning.schedule_of(routine).next_after(planning.bound(reader, row)) is None
