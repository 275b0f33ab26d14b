"""tick, run and run now (contract/commands.md §3.8 and §4.1)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from coven_desktop.contract import ids, timestamps
from coven_desktop.contract.errors import Code, Refusal, TypedRefusal
from coven_desktop.contract.routine import AnyRoutine
from coven_desktop.contract.text import is_blank
from coven_desktop.engine import adoption, planning
from coven_desktop.engine.answers import Answer, Pending
from coven_desktop.engine.commands import fields
from coven_desktop.engine.core import LEASE_MS
from coven_desktop.engine.engine import Engine
from coven_desktop.engine.passes import Tally
from coven_desktop.engine.sessions import StartOutcome
from coven_desktop.runtime.sessions import LaunchSpec
from coven_desktop.store import definitions, occurrences, runs
from coven_desktop.store.adoptions import Adoption
from coven_desktop.store.definitions import DefinitionRow
from coven_desktop.store.errors import StoreFault
from coven_desktop.store.transactions import Reader, Transaction

OVERLAP = "routine already has a nonterminal run; overlap is forbidden"
QUARANTINED = "routine is quarantined after retry exhaustion; explicitly unquarantine it before running"
NO_CWD = "routine has no cwd; add a cwd before running"
RUN_NOW_KIND = "automations.occurrence.runNow"
RUNNABLE = ("active", "paused")
PLANNED = object()


def tick(engine: Engine, body: Mapping[str, Any]) -> Answer | Pending:
    """Plan what is due, then wake the scheduler, which claims and dispatches (contract/engine.md §3.4).

    What is more than one slice is planned in turns of the loop, and the answer comes when all is planned.
    """
    del body
    tally = Tally()
    steps = engine.passes.plan(tally, engine.core.clock.wall())
    if next(steps, PLANNED) is PLANNED:
        return _ticked(engine, tally)
    pending = Pending()

    def go_on() -> None:
        try:
            if next(steps, PLANNED) is PLANNED:
                pending.complete(_ticked(engine, tally))
            else:
                engine.core.loop.call_soon(go_on)
        except Exception as error:  # noqa: BLE001 - whoever waits is told, whatever it is
            pending.complete(error)

    engine.core.loop.call_soon(go_on)
    return pending


def _ticked(engine: Engine, tally: Tally) -> Answer:
    core = engine.core
    planned = {_routine_of(core.store, occurrence_id) for occurrence_id in tally.planned}
    fenced = definitions.fenced_ids(core.store, timestamps.to_text(core.clock.wall())) - planned
    payload = {
        "planned": tally.planned,
        "alreadyFenced": len(fenced),
        "pausedSkipped": definitions.paused_count(core.store),
        "recovered": 0,
        "claimed": [],
        "failed": tally.failures,
    }
    engine.wake()
    return Answer(payload)


def run(engine: Engine, body: Mapping[str, Any]) -> Pending:
    """Run a routine now, a paused one too (decisions.md 11). Payload: `runId`, `status`, `sessionId`, `error`.

    Refusals are untyped. The answer comes when it is known whether the command started.
    """
    automation_id = fields.legacy_id(body, "run")
    with engine.core.change() as tx:
        row = definitions.get(tx, automation_id)
        if row is None or row.tombstoned_at is not None:
            raise Refusal(f"no routine with id `{automation_id}`")
        if row.lifecycle not in RUNNABLE:
            raise Refusal(f"routine `{automation_id}` is {row.lifecycle} and cannot be run")
        try:
            definition = _read(row)
        except planning.Broken as broken:
            raise Refusal(str(broken)) from broken
        if is_blank(definition.cwd or ""):
            raise Refusal(NO_CWD)
        if definitions.quarantined(tx, automation_id):
            raise Refusal(QUARANTINED)
        if occurrences.blocking(tx, automation_id):
            raise Refusal(OVERLAP)
        spec = _accept_manual(tx, engine, row, definition, ids.legacy_manual_occurrence_id(), None)
    pending = Pending()

    def started(outcome: StartOutcome) -> None:
        if outcome.error is not None and not outcome.retries:
            pending.complete(Refusal(outcome.error))
            return
        payload = {
            "runId": outcome.run_id,
            "status": "retry_scheduled" if outcome.retries else "running",
            "sessionId": None if outcome.retries else outcome.session_id,
            "error": outcome.error,
        }
        pending.complete(Answer(payload))

    engine.sessions.launch(spec, started)
    engine.wake()
    return pending


def run_now(engine: Engine, body: Mapping[str, Any]) -> Answer | Pending:
    """occurrence.runNow.v1: run an active routine now, once per adoption key (contract/commands.md §4.1)."""
    specs: list[LaunchSpec] = []

    def apply(tx: Transaction, key: str) -> Answer:
        fields.closed(body, "occurrence.runNow.v1", ("automationId",), ("note", "bypassEligibility"))
        automation_id = body["automationId"]
        if not ids.is_automation_id(automation_id):
            raise fields.invalid(
                "automationId must be 1 to 96 characters: a letter or digit first, then letters, digits and . _ -"
            )
        note = fields.bounded_text(body, "note", 500, allow_empty=True)
        if not isinstance(body.get("bypassEligibility", False), bool):
            raise fields.invalid("bypassEligibility must be true or false")
        row = definitions.get(tx, automation_id)
        if row is None:
            raise TypedRefusal(Code.NOT_FOUND, f"no routine with id `{automation_id}`")
        if row.tombstoned_at is not None:
            raise TypedRefusal(
                Code.GONE_TOMBSTONED, f"routine `{automation_id}` was deleted", current_revision=row.revision
            )
        if row.lifecycle != "active":
            raise TypedRefusal(Code.ILLEGAL_TRANSITION, f"routine `{automation_id}` is {row.lifecycle}, not active")
        if definitions.quarantined(tx, automation_id):
            raise TypedRefusal(Code.ILLEGAL_TRANSITION, QUARANTINED)
        try:
            definition = _read(row)
        except planning.Broken as broken:
            raise fields.invalid(str(broken)) from broken
        if is_blank(definition.cwd or ""):
            raise fields.invalid(NO_CWD)
        if occurrences.blocking(tx, automation_id):
            raise TypedRefusal(Code.OVERLAP_FORBIDDEN, OVERLAP)
        occurrence_id = ids.manual_occurrence_id(key)
        specs.append(_accept_manual(tx, engine, row, definition, occurrence_id, key))
        payload = _run_now_payload(tx, occurrence_id)
        return Answer(payload | ({"note": note} if note is not None else {}), kind=RUN_NOW_KIND, in_result=True)

    def replay(adopted: Adoption) -> Answer:
        kept = occurrences.get(engine.core.store, adopted.response["occurrenceId"])
        # of what retention has deleted, the answer is left as it was adopted
        payload = _run_now_payload(engine.core.store, kept.id) if kept is not None else adopted.response
        return Answer(payload, kind=RUN_NOW_KIND, in_result=True, reason="replayed previously adopted run now")

    answer = adoption.strict(engine.core, body, command="occurrence.runNow.v1", replay=replay, apply=apply)
    if not specs:
        return answer
    pending = Pending()

    def started(outcome: StartOutcome) -> None:
        payload = _run_now_payload(engine.core.store, answer.payload["occurrenceId"])
        if outcome.error is not None:
            payload["error"] = outcome.error
        if "note" in answer.payload:
            payload["note"] = answer.payload["note"]
        pending.complete(Answer(payload, kind=RUN_NOW_KIND, in_result=True))

    engine.sessions.launch(specs[0], started)
    engine.wake()
    return pending


def _accept_manual(
    tx: Transaction,
    engine: Engine,
    row: DefinitionRow,
    definition: AnyRoutine,
    occurrence_id: str,
    adoption_key: str | None,
) -> LaunchSpec:
    if not engine.core.storage_sound:
        raise StoreFault("corrupt", "The database was found damaged, so nothing is started.", "Restore a backup first.")
    occurrences.create_manual(
        tx,
        occurrence_id=occurrence_id,
        automation_id=row.id,
        revision=row.revision,
        digest=row.digest,
        scheduled_for=_free_instant(tx, row.id, engine.core.clock.wall_ns()),
        lease_expires_at=timestamps.to_text_capped(tx.now + LEASE_MS),
        adoption_key=adoption_key,
    )
    occurrence = occurrences.get(tx, occurrence_id)
    if occurrence is None:
        raise RuntimeError(f"occurrence {occurrence_id} vanished")
    return engine.sessions.accept(tx, occurrence, row, definition)


def _free_instant(reader: Reader, automation_id: str, now_ns: int) -> str:
    """The present instant as an identity: when the clock was set back, the first that the routine has not used."""
    while occurrences.at(reader, automation_id, timestamps.to_text_ns(now_ns)) is not None:
        now_ns += 1
    return timestamps.to_text_ns(now_ns)


def _run_now_payload(reader: Reader, occurrence_id: str) -> dict[str, Any]:
    """The occurrence and its newest run as they are now."""
    occurrence = occurrences.get(reader, occurrence_id)
    if occurrence is None:
        raise RuntimeError(f"occurrence {occurrence_id} vanished")
    payload: dict[str, Any] = {
        "occurrenceId": occurrence_id,
        "automationId": occurrence.automation_id,
        "occurrenceState": occurrence.state,
    }
    found = runs.of_occurrence(reader, occurrence_id, 20)
    if found:
        payload |= {"runId": found[-1].id, "status": found[-1].status, "sessionId": found[-1].session_id}
    return payload


def _read(row: DefinitionRow) -> AnyRoutine:
    """The definition, its schedule and zone understood too. Raises Broken."""
    definition = planning.read(row)
    planning.schedule_of(definition)
    return definition


def _routine_of(reader: Reader, occurrence_id: str) -> str:
    occurrence = occurrences.get(reader, occurrence_id)
    return occurrence.automation_id if occurrence is not None else ""
