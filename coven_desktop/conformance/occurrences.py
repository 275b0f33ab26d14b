"""misfire-latest-planning, overlap-forbid-claiming, occurrence-lease-recovery and occurrence-fence-uniqueness."""

from __future__ import annotations

from typing import Any

from coven_desktop.conformance.inputs import CannotCompute, Inputs
from coven_desktop.conformance.stage import DAY_MS, Stage, definition, establish, one_pass, plan, stage
from coven_desktop.contract import ids, timestamps
from coven_desktop.engine import planning
from coven_desktop.engine.commands import cancellation
from coven_desktop.engine.core import DAEMON, LEASE_MS
from coven_desktop.engine.engine import Engine
from coven_desktop.engine.passes import Tally
from coven_desktop.schedule import rrule, zones
from coven_desktop.store import definitions, occurrences, transitions
from coven_desktop.store.occurrences import OccurrenceRow

OWNER = "daemon-a"


def misfire(case: Inputs) -> dict[str, Any]:
    """Two planning passes at one instant, on a routine that may already have a slot."""
    with stage(case.instant("createdAt")) as made:
        engine = made.leading()
        routine = establish(engine, case.members("definition"))
        if "existingScheduledFor" in case:
            _record(engine, routine, case.instant("existingScheduledFor"))
        made.at(case.instant("observedAt"))
        first = plan(engine, routine)
        second = plan(engine, routine)
        rows = made.store.query(
            "SELECT scheduled_for FROM occurrences WHERE automation_id = ? AND kind = 'scheduled'"
            " ORDER BY scheduled_for",
            (routine,),
        )
        return {"firstOutcome": first, "secondOutcome": second, "scheduledSlots": [row[0] for row in rows]}


def overlap(case: Inputs) -> dict[str, Any]:
    """One claim of the newest due slot, beside whatever became of the slot before it."""
    now = case.instant("now")
    blocker = case.choice("blocker", _BLOCKERS)
    earlier, target = _last_slots(now)
    with stage(earlier - DAY_MS) as made:
        engine = made.leading()
        routine = establish(engine, definition())
        made.at(earlier)
        _BLOCKERS[blocker](made, engine, routine)
        made.at(now)
        plan(engine, routine)
        with engine.core.change() as tx:
            claimed = engine.passes.claim(tx, ids.scheduled_occurrence_id(routine, target), OWNER)
        row = _get(engine, ids.scheduled_occurrence_id(routine, target))
        return {
            "claimed": claimed,
            "targetState": row.state,
            "targetAttempt": row.fence,
            "leaseOwner": row.lease_owner,
            "leaseExpiresAt": row.lease_expires_at,
            "schedulerGeneration": row.scheduler_generation,
        }


def lease(case: Inputs) -> dict[str, Any]:
    """One sweep over a row that stands as the case says."""
    now, initial = case.instant("now"), case.inner("initial")
    slot = _last_slots(now)[1]
    with stage(slot - DAY_MS) as made:
        engine = made.leading()
        routine = establish(engine, definition())
        made.at(slot)
        _record(engine, routine, slot)
        _bring_into(engine, _get(engine, ids.scheduled_occurrence_id(routine, slot)), initial)
        made.at(now)
        tally = Tally()
        for _ in engine.passes.sweep(tally, now):
            pass
        row = _get(engine, ids.scheduled_occurrence_id(routine, slot))
        return {
            "recoveredCount": tally.recovered,
            "state": row.state,
            "leaseOwner": row.lease_owner,
            "leaseExpiresAt": row.lease_expires_at,
            "failureReason": row.failure_reason,
            "attempt": row.fence,
        }


def uniqueness(case: Inputs) -> dict[str, Any]:
    """Two slots recorded one after the other, of one routine or of two."""
    case.choice("scenario", ("duplicate_slot", "different_automation", "different_slot"))
    slots = [case.inner("first"), case.inner("second")]
    with stage(min(slot.instant("scheduledFor") for slot in slots) - DAY_MS) as made:
        engine = made.leading()
        for automation_id in dict.fromkeys(slot.text("automationId") for slot in slots):
            establish(engine, definition(automation_id))
        made.at(max(slot.instant("scheduledFor") for slot in slots))
        committed: list[bool] = []
        seen: list[OccurrenceRow | None] = []
        for slot in slots:
            committed.append(
                _record(engine, slot.text("automationId"), slot.instant("scheduledFor"), slot.text("occurrenceId"))
            )
            seen.append(occurrences.get(made.store, slots[0].text("occurrenceId")))
        return {
            "firstPreserved": committed[0] and seen[0] is not None and seen[1] == seen[0],
            "secondCommitted": committed[1],
            "rowCount": made.store.number("SELECT count(*) FROM occurrences"),
        }


def _last_slots(now: int) -> tuple[int, int]:
    """The two newest slots at or before an instant, of the routine that is meant when a case gives none."""
    body = definition()
    slots = list(rrule.schedule(body["rrule"], body["timezone"]).between(now - 3 * DAY_MS, now))
    return slots[-2], slots[-1]


def _record(engine: Engine, automation_id: str, slot: int, occurrence_id: str | None = None) -> bool:
    """Record a slot as the planning step does; False when it is recorded already."""
    with engine.core.change() as tx:
        row = definitions.get(tx, automation_id)
        if row is None:
            raise CannotCompute(f"there is no routine `{automation_id}`")
        return occurrences.plan(
            tx,
            occurrence_id=occurrence_id or ids.scheduled_occurrence_id(automation_id, slot),
            automation_id=automation_id,
            revision=row.revision,
            digest=row.digest,
            scheduled_for=timestamps.to_text(slot),
            zone_data=zones.zone_data().version,
            collapsed=0,
        )


def _get(engine: Engine, occurrence_id: str) -> OccurrenceRow:
    row = occurrences.get(engine.core.store, occurrence_id)
    if row is None:
        raise CannotCompute(f"the slot {occurrence_id} was not recorded")
    return row


# What may have become of the slot before the target; the clock stands at that slot.


def _nothing(made: Stage, engine: Engine, routine: str) -> None:
    """There is no other slot."""


def _planned(made: Stage, engine: Engine, routine: str) -> str:
    plan(engine, routine)
    return ids.scheduled_occurrence_id(routine, made.clock.wall())


def _claimed(made: Stage, engine: Engine, routine: str) -> str:
    occurrence_id = _planned(made, engine, routine)
    with engine.core.change() as tx:
        engine.passes.claim(tx, occurrence_id, DAEMON)
    return occurrence_id


def _claimed_blocker(made: Stage, engine: Engine, routine: str) -> None:
    _claimed(made, engine, routine)


def _running_occurrence(made: Stage, engine: Engine, routine: str) -> None:
    """The occurrence alone, so that nothing but its own state can block."""
    occurrence_id = _claimed(made, engine, routine)
    with engine.core.change() as tx:
        transitions.must_move(tx, "occurrence", occurrence_id, ("claimed",), "running")


def _running_run(made: Stage, engine: Engine, routine: str) -> None:
    """The run alone: its session has vanished, and its occurrence waits for recovery."""
    one_pass(engine)
    made.turn()
    made.runtime.vanish(made.runtime.launched[-1].session_id)
    made.turn()


def _succeeded(made: Stage, engine: Engine, routine: str) -> None:
    one_pass(engine)
    made.turn()
    made.runtime.succeed(made.runtime.launched[-1].session_id)
    made.turn()


def _failed(made: Stage, engine: Engine, routine: str) -> None:
    _claimed(made, engine, routine)
    made.at(made.clock.wall() + LEASE_MS)
    for _ in engine.passes.sweep(Tally(), made.clock.wall()):
        pass


def _cancelled(made: Stage, engine: Engine, routine: str) -> None:
    cancellation.cancel_occurrence(
        engine,
        {
            "action": "coven.automations.occurrence.cancel.v1",
            "adoptionKey": "adopt:conformance:cancel",
            "occurrenceId": _planned(made, engine, routine),
        },
    )


_BLOCKERS = {
    "none": _nothing,
    "claimed_occurrence": _claimed_blocker,
    "running_occurrence": _running_occurrence,
    "running_run": _running_run,
    "succeeded_occurrence": _succeeded,
    "failed_occurrence": _failed,
    "cancelled_occurrence": _cancelled,
}


# The way of a claimed row into the state in which a case begins.
_WAYS = {
    "claimed": (),
    "running": ("running",),
    "recovery_required": ("recovery_required",),
    "succeeded": ("running", "succeeded"),
    "failed": ("failed",),
    "cancelled": ("cancelled",),
}


def _bring_into(engine: Engine, planned: OccurrenceRow, initial: Inputs) -> None:
    """Bring a planned row into the state, under the lease and with the run that a case begins with."""
    state = initial.choice("state", ("planned", *_WAYS))
    lease_end = timestamps.to_text(initial.instant("leaseExpiresAt")) if "leaseExpiresAt" in initial else None
    owner, has_run = initial.optional_text("leaseOwner"), initial.truth("runningRun")
    if state == "planned" and not has_run:
        return
    with engine.core.change() as tx:
        engine.passes.claim(tx, planned.id, owner or DAEMON)
        claimed = occurrences.get(tx, planned.id)
        row = definitions.get(tx, planned.automation_id)
        if claimed is None or claimed.state != "claimed" or row is None:
            raise CannotCompute("the slot could not be claimed")
        if has_run:
            engine.sessions.accept(tx, claimed, row, planning.read(row))
        if state == "planned":
            occurrences.give_back(tx, planned.id)
            return
        tx.change(
            "UPDATE occurrences SET lease_owner = ?, lease_expires_at = ? WHERE id = ?", (owner, lease_end, planned.id)
        )
        source = "claimed"
        for target in _WAYS[state]:
            transitions.must_move(tx, "occurrence", planned.id, (source,), target)
            source = target
