"""The reads of the wire: a request's body in, the contract's payload out; nothing is written (contract/commands.md §5).

What is asked badly is refused as the contract has it: the older reads without a code, the newer ones with one.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import msgspec

from coven_desktop.contract import ids, timestamps
from coven_desktop.contract.errors import Code, Refusal, TypedRefusal
from coven_desktop.contract.text import echo, is_blank, trim
from coven_desktop.engine import history, inventory, projections, receipts
from coven_desktop.engine.answers import Answer
from coven_desktop.engine.commands import fields
from coven_desktop.engine.engine import Engine
from coven_desktop.store import definitions

LIST = "coven.automations.occurrence.list.v1"


def list_routines(engine: Engine, body: Mapping[str, Any]) -> Answer:
    """list: the live routines."""
    return Answer({"routines": engine.reads.routines()})


def get_routine(engine: Engine, body: Mapping[str, Any]) -> Answer:
    """get: one live routine, or null."""
    return Answer({"routine": engine.reads.routine(fields.legacy_id(body, "get"))})


def list_definitions(engine: Engine, body: Mapping[str, Any]) -> Answer:
    """definition.list.v1: routines with their revisions; tombstoned ones too if `includeTombstoned` is true.

    `tombstonedAtById` has the tombstoned ones alone.
    """
    found = definitions.every if body.get("includeTombstoned") is True else definitions.live
    rows = [row for row in found(engine.core.store) if row.family == "rrule"]
    return Answer(
        {
            "routines": [msgspec.Raw(row.body) for row in rows],
            "revisionById": {row.id: row.revision for row in rows},
            "tombstonedAtById": {row.id: row.tombstoned_at for row in rows if row.tombstoned_at is not None},
        }
    )


def get_definition(engine: Engine, body: Mapping[str, Any]) -> Answer:
    """definition.get.v1: one routine with its revision, tombstoned or not; `routine` null alone when there is none.

    A rich one has its `definition` as well.
    """
    row = definitions.get(engine.core.store, fields.legacy_id(body, "definition.get.v1"))
    if row is None or row.family != "rrule":
        return Answer({"routine": None})
    found = {"routine": json.loads(row.body), "revision": row.revision, "tombstonedAt": row.tombstoned_at}
    rich = projections.rich_definition(engine.core.store, row)
    return Answer(found if rich is None else {**found, "definition": rich})


def health(engine: Engine, body: Mapping[str, Any]) -> Answer:
    """health: sixteen facts about a live routine."""
    return Answer({"health": engine.reads.health(fields.legacy_id(body, "health"))})


def definition_health(engine: Engine, body: Mapping[str, Any]) -> Answer:
    """definition.health.v1: the same, refused with a code."""
    value = body.get("id")
    if not isinstance(value, str) or is_blank(value):
        raise fields.invalid("definition.health.v1 needs the text id")
    row = definitions.get(engine.core.store, trim(value))
    if row is None:
        raise TypedRefusal(Code.NOT_FOUND, f"no routine with id `{echo(trim(value))}`")
    if row.tombstoned_at is not None:
        raise TypedRefusal(Code.GONE_TOMBSTONED, f"routine `{row.id}` was deleted", current_revision=row.revision)
    return Answer({"health": engine.reads.health(row.id)})


def list_runs(engine: Engine, body: Mapping[str, Any]) -> Answer:
    """runs: the newest runs of a routine; a limit is never an error."""
    return Answer({"runs": engine.reads.runs(fields.legacy_id(body, "runs"), body.get("limit"))})


def run_history(engine: Engine, body: Mapping[str, Any]) -> Answer:
    """run.history.v1: the runs of a routine, page by page."""
    return Answer(history.of_runs(engine.core.store, body))


def get_run(engine: Engine, body: Mapping[str, Any]) -> Answer:
    """run.get.v1: one run with what it is pinned to, or null."""
    return Answer({"run": engine.reads.run(fields.legacy_id(body, "run.get.v1"))})


def get_receipt(engine: Engine, body: Mapping[str, Any]) -> Answer:
    """receipt.get.v1: the receipt of a settled run, and what of it is verified; in `result`, without an event."""
    receipt_id = body.get("id")
    if not ids.is_entity_id(receipt_id):
        raise fields.invalid("id must be the receiptId of a run")
    return Answer(receipts.read(engine.core.store, str(receipt_id)), in_result=True, in_event=False)


def list_occurrences(engine: Engine, body: Mapping[str, Any]) -> Answer:
    """occurrence.list.v1: a view of what is not settled, of all routines or of one."""
    automation_id = body.get("automationId")
    if automation_id is not None and not isinstance(automation_id, str):
        raise Refusal(f"{LIST} field `automationId` must be a string")
    return Answer({"occurrences": engine.reads.occurrence_list(body.get("view"), body.get("limit"), automation_id)})


def get_occurrence(engine: Engine, body: Mapping[str, Any]) -> Answer:
    """occurrence.get.v1: one occurrence with its runs, or null."""
    return Answer({"occurrence": engine.reads.occurrence(fields.legacy_id(body, "occurrence.get.v1"))})


def occurrence_history(engine: Engine, body: Mapping[str, Any]) -> Answer:
    """occurrence.history.v1: the occurrences of a routine, page by page."""
    return Answer(history.of_occurrences(engine.core.store, body))


def scheduler_status(engine: Engine, body: Mapping[str, Any]) -> Answer:
    """scheduler.status.v1: who leads, how the last pass went, what is due."""
    return Answer({"scheduler": engine.reads.scheduler_status()})


def open_work(engine: Engine, body: Mapping[str, Any]) -> Answer:
    """coven.desktop.state.v1, of ours: what is not settled and who is quarantined."""
    return Answer(engine.reads.open_work(), kind="desktop.state")


def list_runtimes(engine: Engine, body: Mapping[str, Any]) -> Answer:
    """coven.desktop.runtimes.list.v1, of ours: what a routine can name, and what is wrong in the person's file."""
    runtime = engine.core.runtime
    return Answer(
        {
            "runtimes": [
                {
                    "name": known.name,
                    "source": known.source,
                    "command": known.argv[0],
                    "arguments": list(known.argv[1:]),
                    "modelArguments": list(known.model_argv),
                    "prompt": known.prompt,
                    "found": known.executable is not None,
                    "executable": known.executable,
                    "verified": known.verified,
                    "environment": list(known.environment),
                    "secrets": list(known.secrets),
                    "graceMs": known.grace_ms,
                    "lingerMs": known.linger_ms,
                    "outputLimitBytes": known.output_limit,
                }
                for known in runtime.known()
            ],
            "problems": [{"runtime": name, "sentence": sentence} for name, sentence in runtime.problems()],
        },
        kind="desktop.runtimes",
    )


def list_inventory(engine: Engine, body: Mapping[str, Any]) -> Answer:
    """coven.desktop.routine.list.v1, of ours: the routines with revision, lifecycle, settings and who manages them."""
    now = timestamps.to_text(engine.core.clock.wall())
    return Answer({"routines": inventory.routines(engine.core.store, body, now)}, kind="desktop.routines")
