"""coven.desktop.routine.create.v1, revise.v1, get.v1 and enable.v1: routines of every family (design/schedules.md).

Adopted, refused and replayed as the versioned definition commands. A routine with an rrule is stored as the contract's,
and managed by the versioned commands from then on.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from coven_desktop.contract import fingerprint
from coven_desktop.contract import routine as routines
from coven_desktop.contract.definition import DefinitionError
from coven_desktop.contract.errors import Code, TypedRefusal
from coven_desktop.contract.routine import AnyRoutine, Routine
from coven_desktop.contract.text import trim
from coven_desktop.engine import planning, revisions
from coven_desktop.engine.answers import Answer
from coven_desktop.engine.commands import definition_requests, fields, versioned
from coven_desktop.engine.engine import Engine
from coven_desktop.schedule.cadence import CadenceSchedule
from coven_desktop.schedule.errors import ScheduleError
from coven_desktop.schedule.zones import ZoneError, zone_data
from coven_desktop.store import definitions, occurrences, runs, schedule_state
from coven_desktop.store.definitions import DefinitionRow
from coven_desktop.store.transactions import Reader, Transaction

CREATE = "desktop.routine.create.v1"
REVISE = "desktop.routine.revise.v1"
ENABLE = "desktop.routine.enable.v1"
_ENDS = ("anchor", "until", "maxRuns")


def create(engine: Engine, body: Mapping[str, Any]) -> Answer:
    """Create a routine, paused or active. Body: `adoptionKey`, `routine`. Inner result: `routine`, `revision`."""

    def apply(tx: Transaction, key: str) -> Answer:
        routine = _read(body["routine"])
        if routine.status == "DISABLED":
            raise versioned.illegal("a routine cannot be created disabled")
        versioned.check_absent(tx, routine.id)
        _check_slots(routine, tx.now)
        made = revisions.commit(tx, None, "created", routine, managed=versioned.MANAGED, adoption_key=key)
        return _made(made, routine)

    return _author(engine, body, CREATE, ("routine",), apply)


def revise(engine: Engine, body: Mapping[str, Any]) -> Answer:
    """Replace a routine. Body: `adoptionKey`, `routine`, `expectedRevision`. Inner result: `routine`, `revision`.

    Its status may move it between paused and active. Another schedule counts from now on.
    """

    def apply(tx: Transaction, key: str) -> Answer:
        routine = _read(body["routine"])
        current = versioned.revisable(tx, routine, body["expectedRevision"], rrule_only=False)
        same = current.family != "rrule" and revisions.same_schedule(current.body, routines.stored_json(routine))
        if not same:
            _check_slots(routine, tx.now)
        if routine.status == "ACTIVE" and not (same and occurrences.undispatched_firings(tx, current.id)):
            # with a firing that is planned it may be on its last: its end comes with that dispatch
            _check_to_come(tx, current, routine, same=same)
        made = revisions.commit(tx, current, "revised", routine, managed=versioned.MANAGED, adoption_key=key)
        return _made(made, routine)

    return _author(engine, body, REVISE, ("routine", "expectedRevision"), apply)


def enable(engine: Engine, body: Mapping[str, Any]) -> Answer:
    """Take a disabled routine back, paused; to activate it is a command of its own (decisions.md 34).

    Body: `adoptionKey`, `automationId`, `expectedRevision`, and of a cadence `anchor`, `until`, `maxRuns` in place of
    those it has (`until` and `maxRuns` null: none). Its run count goes on. Refused while it would end at once again.
    """

    def apply(tx: Transaction, key: str) -> Answer:
        current = versioned.found(tx, trim(body["automationId"]), body["expectedRevision"])
        if current.lifecycle != "disabled":
            raise versioned.illegal(f"routine `{current.id}` is {current.lifecycle}, not disabled", current)
        try:
            routine = planning.read(current)
            changes = {name: body[name] for name in _ENDS if name in body}
            if changes:
                routine = _with_ends(routine, changes)
            if not isinstance(routine, Routine):
                routine = revisions.resolved(routine)
            planning.schedule_of(routine)
        except (planning.Broken, ZoneError) as error:
            raise fields.invalid(str(error)) from error
        _check_not_over(tx, current, routine)
        made = revisions.commit(
            tx,
            current,
            "reenabled",
            routines.with_status(routine, "PAUSED"),
            managed=versioned.MANAGED,
            adoption_key=key,
        )
        return definition_requests.answer(made, {"id": current.id, "status": "PAUSED", "revision": made.row.revision})

    return _author(engine, body, ENABLE, ("automationId", "expectedRevision", *_ENDS), apply)


def get(engine: Engine, body: Mapping[str, Any]) -> Answer:
    """A routine of any family with what counts for it. Body: `automationId`. Payload: `routine`, or null."""
    asked = body.get("automationId")
    if not isinstance(asked, str) or not trim(asked):
        raise fields.invalid("coven.desktop.routine.get.v1 needs automationId, the id of a routine")
    reader = engine.core.store
    row = definitions.get(reader, trim(asked))
    found = None if row is None or row.tombstoned_at is not None else told(reader, row)
    return Answer({"routine": found}, kind="desktop.routine")


def told(reader: Reader, row: DefinitionRow) -> dict[str, Any]:
    """A routine as it is told: its stored form in `routine`, and how it stands."""
    state = schedule_state.get(reader, row.id)
    newest = runs.of_routine(reader, row.id, 1)
    return {
        "id": row.id,
        "family": row.family,
        "revision": row.revision,
        "lifecycleState": row.lifecycle,
        "runCount": 0 if state is None else state.runs_counted,
        "lastStatus": newest[0].status if newest else None,
        "nextDueAt": row.next_due_at,
        "brokenReason": row.broken_reason,
        "zoneData": zone_data().version,
        "routine": _understood(row),
    }


def _understood(row: DefinitionRow) -> dict[str, Any] | None:
    """The stored form; None when it is understood no more, which `brokenReason` tells (decisions.md 31)."""
    try:
        return routines.stored(planning.read(row))
    except planning.Broken:
        return None


def _author(
    engine: Engine,
    body: Mapping[str, Any],
    command: str,
    names: tuple[str, ...],
    apply: definition_requests.Apply,
) -> Answer:
    """Spend the key on what the command does or refuses; the fingerprint covers the members `names` as they came."""
    key = definition_requests.adoption_key(body)
    covered = {"request": fingerprint.lossless({name: body[name] for name in names if name in body})}
    routine = body.get("routine")
    asked = routine.get("id") if isinstance(routine, Mapping) else body.get("automationId")

    def checked(tx: Transaction, key: str) -> Answer:
        for name in names:
            if name == "routine" and not isinstance(routine, Mapping):
                raise fields.invalid(f"coven.{command} requires object field `routine`")
            if name == "automationId" and not (isinstance(asked, str) and trim(asked)):
                raise fields.invalid(f"coven.{command} requires string field `automationId`")
            if name == "expectedRevision":
                definition_requests.revision(body, f"coven.{command}")
        if "expectedRevision" not in names and "expectedRevision" in body:
            raise fields.invalid(f"coven.{command} takes no expectedRevision")
        return apply(tx, key)

    automation_id = trim(asked) if isinstance(asked, str) else None
    answer = definition_requests.spend(engine, key, f"coven.{command}", covered, automation_id, checked)
    if answer.in_event:
        engine.wake()
    return answer


def _read(raw: Mapping[str, Any]) -> AnyRoutine:
    """The routine of a request. Raises VALIDATION_FAILED, which names the field, and what was probably meant."""
    try:
        return routines.parse(raw)
    except DefinitionError as error:
        raise _invalid(error.field, error.message, error.suggestion) from error
    except ZoneError as error:
        raise _invalid("schedule.timezone", error.message, error.suggestion) from error


def _invalid(field: str, message: str, suggestion: str | None) -> TypedRefusal:
    details = {"field": field} if suggestion is None else {"field": field, "suggestion": suggestion}
    return TypedRefusal(Code.VALIDATION_FAILED, message, details=details)


def _check_slots(routine: AnyRoutine, now: int) -> None:
    """Refuse a cadence that would never run."""
    if not isinstance(routine, Routine):
        return
    schedule = planning.schedule_of(routine)
    if isinstance(schedule, CadenceSchedule):
        try:
            schedule.require_slots(now)
        except ScheduleError as error:
            raise _invalid(f"schedule.{error.field}", error.message, error.suggestion) from error


def _with_ends(routine: AnyRoutine, changes: Mapping[str, Any]) -> AnyRoutine:
    if not isinstance(routine, Routine) or routines.kind_of(routine) != "cadence":
        raise fields.invalid(f"{next(iter(changes))} is for cadences: leave it out")
    return _read({**routines.stored(routine), "schedule": {**routine.schedule, **changes}})


def _check_to_come(tx: Transaction, row: DefinitionRow, routine: AnyRoutine, *, same: bool) -> None:
    """Refuse to leave a cadence active of which nothing would come any more: it would neither run nor end."""
    if not isinstance(routine, Routine) or routines.kind_of(routine) != "cadence":
        return
    _check_runs_left(tx, row, routine)
    if same:
        bound = planning.bound(tx, row)
        start = bound if row.lifecycle == "active" else max(tx.now, bound)
        if planning.schedule_of(routine).next_after(start) is None:
            raise _over(row)


def _check_not_over(tx: Transaction, row: DefinitionRow, routine: AnyRoutine) -> None:
    """Refuse what would end at once: give a new anchor or until, or more runs."""
    if not isinstance(routine, Routine) or routines.kind_of(routine) != "cadence":
        return
    _check_runs_left(tx, row, routine)
    if planning.schedule_of(routine).next_after(tx.now) is None:
        raise _over(row)


def _over(row: DefinitionRow) -> TypedRefusal:
    return versioned.illegal(f"routine `{row.id}` is over: give an anchor or until that is still to come", row)


def _check_runs_left(tx: Transaction, row: DefinitionRow, routine: Routine) -> None:
    most, state = routine.family.max_runs, schedule_state.get(tx, row.id)
    if most is not None and state is not None and state.runs_counted >= most:
        raise versioned.illegal(
            f"routine `{row.id}` has run {state.runs_counted} times, of {most} at most: give a higher maxRuns, or null",
            row,
        )


def _made(made: revisions.Committed, routine: AnyRoutine) -> Answer:
    return definition_requests.answer(
        made, {"routine": routines.stored(routine), "family": made.row.family, "revision": made.row.revision}
    )
