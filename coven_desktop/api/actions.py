"""`POST /api/v1/actions`: the table of action ids, and the envelope around what they answer.

The table says which command or read an id stands for and how its body is read. Envelopes: contract/api.md b,
contract/commands.md §1; decisions 22 (faults of the store are typed everywhere) and 40 (strict JSON).
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from coven_desktop.api.capabilities import AUTOMATIONS, DESKTOP, REFRESH, catalog
from coven_desktop.api.messages import Response, json_response
from coven_desktop.contract.errors import MESSAGE_LIMIT, Code, Refusal, TypedRefusal
from coven_desktop.contract.strict_json import JsonError, decode
from coven_desktop.contract.text import echo, is_blank, trim
from coven_desktop.engine.answers import Answer, InEnvelope, Outcome, Pending
from coven_desktop.engine.commands import (
    cancellation,
    carrying,
    crontab_import,
    definitions,
    desktop_routines,
    envelope,
    events,
    execution,
    importing,
    pausing,
    quarantine,
    reading,
    recovery,
    routine_settings,
    schedules,
    versioned,
)
from coven_desktop.engine.core import StaleLeadership
from coven_desktop.engine.engine import Engine
from coven_desktop.engine.listing import StoreFault

log = logging.getLogger(__name__)

RAISE_WINDOW = DESKTOP + "window.raise.v1"
STATE = DESKTOP + "state.v1"
EVENTS_WAIT = DESKTOP + "events.wait.v1"
ROUTINES = DESKTOP + "routine.list.v1"
ROUTINE_CREATE = DESKTOP + "routine.create.v1"
ROUTINE_REVISE = DESKTOP + "routine.revise.v1"
ROUTINE_GET = DESKTOP + "routine.get.v1"
ROUTINE_ENABLE = DESKTOP + "routine.enable.v1"
ROUTINE_SETTINGS = DESKTOP + "routine.settings.v1"
PREVIEW = DESKTOP + "schedule.preview.v1"
EXPLAIN = DESKTOP + "schedule.explain.v1"
RUNTIMES = DESKTOP + "runtimes.list.v1"
EXPORT = DESKTOP + "export.v1"
IMPORT = DESKTOP + "import.v1"
CRONTAB_IMPORT = DESKTOP + "crontab.import.v1"
PAUSE_ALL = DESKTOP + "pauseAll.v1"
RESUME_ALL = DESKTOP + "resumeAll.v1"
TOKEN_LIMIT = 256

Command = Callable[[Engine, Mapping[str, Any]], Answer | Pending]

STORE_SENTENCES: Mapping[Code, str] = {
    Code.STORE_BUSY: "The database is in use by another program. Try again in a moment.",
    Code.STORE_FULL: "The database cannot grow: the disk is full. Free some space, then try again.",
    Code.STORE_UNREADABLE: "The database cannot be read or written. The app's log and `covenctl doctor` say why.",
}
"""What a client is told; paths and SQLite's own words stay in the log (decisions.md 22)."""


@dataclass(frozen=True)
class Action:
    """A command or read. `strict` ones have closed bodies: no `origin`, no `intentId`, an untrimmed `action`."""

    command: Command
    strict: bool = False


CONTRACT: Mapping[str, Action] = {
    AUTOMATIONS + "list": Action(reading.list_routines),
    AUTOMATIONS + "get": Action(reading.get_routine),
    AUTOMATIONS + "create": Action(definitions.create),
    AUTOMATIONS + "update": Action(definitions.update),
    AUTOMATIONS + "delete": Action(definitions.delete),
    AUTOMATIONS + "definition.create.v1": Action(versioned.create),
    AUTOMATIONS + "definition.revise.v1": Action(versioned.revise),
    AUTOMATIONS + "definition.disable.v1": Action(versioned.disable),
    AUTOMATIONS + "definition.activate.v1": Action(versioned.activate),
    AUTOMATIONS + "definition.pause.v1": Action(versioned.pause),
    AUTOMATIONS + "definition.tombstone.v1": Action(versioned.tombstone),
    AUTOMATIONS + "command.v1": Action(envelope.command),
    AUTOMATIONS + "import": Action(importing.import_all),
    AUTOMATIONS + "legacy.import.v1": Action(importing.import_v1),
    AUTOMATIONS + "unquarantine": Action(quarantine.unquarantine),
    AUTOMATIONS + "definition.list.v1": Action(reading.list_definitions),
    AUTOMATIONS + "definition.get.v1": Action(reading.get_definition),
    AUTOMATIONS + "events.read.v1": Action(events.read),
    AUTOMATIONS + "events.subscribe.v1": Action(events.subscribe),
    AUTOMATIONS + "tick": Action(execution.tick),
    AUTOMATIONS + "runs": Action(reading.list_runs),
    AUTOMATIONS + "run.history.v1": Action(reading.run_history),
    AUTOMATIONS + "receipt.get.v1": Action(reading.get_receipt),
    AUTOMATIONS + "run": Action(execution.run),
    AUTOMATIONS + "health": Action(reading.health),
    AUTOMATIONS + "definition.health.v1": Action(reading.definition_health),
    AUTOMATIONS + "scheduler.status.v1": Action(reading.scheduler_status),
    AUTOMATIONS + "occurrence.list.v1": Action(reading.list_occurrences),
    AUTOMATIONS + "occurrence.get.v1": Action(reading.get_occurrence),
    AUTOMATIONS + "run.get.v1": Action(reading.get_run),
    AUTOMATIONS + "occurrence.history.v1": Action(reading.occurrence_history),
    AUTOMATIONS + "occurrence.runNow.v1": Action(execution.run_now, strict=True),
    AUTOMATIONS + "occurrence.cancel.v1": Action(cancellation.cancel_occurrence, strict=True),
    AUTOMATIONS + "attempt.cancel.v1": Action(cancellation.cancel_attempt, strict=True),
    AUTOMATIONS + "attempt.retry.v1": Action(recovery.retry_attempt, strict=True),
    AUTOMATIONS + "run.cancel.v1": Action(cancellation.cancel_run, strict=True),
    AUTOMATIONS + "occurrence.recover.v1": Action(recovery.recover, strict=True),
}


class Actions:
    """Answers the bodies of `POST /api/v1/actions`. `raise_window` is None in a headless app."""

    def __init__(self, engine: Engine, raise_window: Callable[[str | None], None] | None) -> None:
        self._engine = engine
        self._table: dict[str, Action] = {
            **CONTRACT,
            REFRESH: Action(self._refresh),
            STATE: Action(reading.open_work),
            EVENTS_WAIT: Action(events.wait),
            ROUTINES: Action(reading.list_inventory),
            ROUTINE_CREATE: Action(desktop_routines.create),
            ROUTINE_REVISE: Action(desktop_routines.revise),
            ROUTINE_GET: Action(desktop_routines.get),
            ROUTINE_ENABLE: Action(desktop_routines.enable),
            ROUTINE_SETTINGS: Action(routine_settings.put),
            RUNTIMES: Action(reading.list_runtimes),
            PAUSE_ALL: Action(pausing.pause_all),
            RESUME_ALL: Action(pausing.resume_all),
            PREVIEW: Action(schedules.preview_schedule),
            EXPLAIN: Action(schedules.explain_schedule),
            EXPORT: Action(carrying.export),
            IMPORT: Action(carrying.import_document),
            CRONTAB_IMPORT: Action(crontab_import.import_crontab),
        }
        if raise_window is not None:
            self._table[RAISE_WINDOW] = Action(_raising(raise_window))

    def catalog(self) -> dict[str, Any]:
        """The capabilities of this app as it runs."""
        return catalog(self._table.keys())

    def answer(self, data: bytes, reply: Callable[[Response], None]) -> None:
        """Carry out one request; the reply comes once, at once or when its Pending is complete."""
        try:
            body = decode(data) if data else {}
        except JsonError as error:
            reply(_rejection("(unknown)", Refusal(error.message)))
            return
        if not isinstance(body, dict):
            reply(_rejection("(unknown)", Refusal("the request must be a JSON object")))
            return
        name = body.get("action")
        action = trim(name) if isinstance(name, str) else ""
        if not action:
            reply(_rejection("", Refusal("the request needs a string field `action`")))
            return
        found = self._table.get(action)
        if found is None:
            reply(_rejection(echo(action), _unknown(action)))
            return
        outcome = self._carry_out(found, action, body)
        if isinstance(outcome, Pending):
            outcome.when_done(lambda result: reply(_response(found, action, body, result)))
        else:
            reply(_response(found, action, body, outcome))

    def _carry_out(self, found: Action, action: str, body: dict[str, Any]) -> Outcome | Pending:
        try:
            if found.strict and body["action"] != action:
                raise TypedRefusal(Code.VALIDATION_FAILED, "action must stand without white space around it")
            return found.command(self._engine, body)
        except (Refusal, StoreFault, StaleLeadership, InEnvelope) as refusal:
            return refusal
        except Exception:
            log.exception("%s failed", action)
            return OWN_MISTAKE

    def _refresh(self, engine: Engine, body: Mapping[str, Any]) -> Answer:
        return Answer(self.catalog(), kind="capabilities.refreshed")


def _raising(raise_window: Callable[[str | None], None]) -> Command:
    def raise_it(engine: Engine, body: Mapping[str, Any]) -> Answer:
        """Bring the window to the front; `activationToken` is what the compositor gave to whoever asks."""
        token = body.get("activationToken")
        if token is not None and (not isinstance(token, str) or len(token) > TOKEN_LIMIT):
            limit = f"activationToken must be text of at most {TOKEN_LIMIT} characters"
            raise TypedRefusal(Code.VALIDATION_FAILED, limit)
        raise_window(token or None)
        return Answer({"raised": True}, kind="desktop.window.raised")

    return raise_it


def _unknown(action: str) -> Refusal:
    if action == RAISE_WINDOW:
        return TypedRefusal(Code.CAPABILITY_UNSUPPORTED, "this app runs headless: it has no window to raise")
    return Refusal(f"unknown action `{echo(action)}`")


# --- envelopes --------------------------------------------------------------------------------------------------------


OWN_MISTAKE = TypedRefusal(Code.INTERNAL, "The app made a mistake; its log says more.")
HOME_TAKEN = TypedRefusal(Code.STORE_UNREADABLE, "Another app has taken this home; this one ends. Nothing was changed.")


def _response(found: Action, action: str, body: Mapping[str, Any], outcome: Outcome) -> Response:
    """The response to an outcome. Faults and bugs are logged here and told in words that are safe to tell."""
    if isinstance(outcome, InEnvelope):
        return _rejection(action, _refusal(action, outcome.cause), outcome.head)
    if not isinstance(outcome, Answer):
        return _rejection(action, _refusal(action, outcome))
    try:
        return _success(found, action, body, outcome)
    except Exception as mistake:  # noqa: BLE001 - an answer that cannot be written is told as any other mistake
        return _rejection(action, _refusal(action, mistake))


def _refusal(action: str, cause: Exception) -> Refusal:
    if isinstance(cause, Refusal):
        return cause
    if isinstance(cause, StoreFault):
        return store_refusal(cause)
    if isinstance(cause, StaleLeadership):
        return HOME_TAKEN
    log.error("%s failed", action, exc_info=cause)
    return OWN_MISTAKE


def store_refusal(fault: StoreFault) -> TypedRefusal:
    """A fault of the store as a client may know it; logged with all that is known."""
    log.warning("The store refused: %s %s", fault, fault.detail)
    return TypedRefusal(fault.code, STORE_SENTENCES[fault.code], retryable=fault.retryable)


def _success(found: Action, action: str, body: Mapping[str, Any], answer: Answer) -> Response:
    wire: dict[str, Any] = {"ok": True, "accepted": True, "action": action, "status": "completed"}
    if answer.reason is not None:
        wire["reason"] = answer.reason
    if answer.result is not None:
        wire["result"] = answer.result
    elif answer.in_result:
        wire["result"] = answer.payload
    if not answer.in_event:
        return json_response(200, wire)
    event: dict[str, Any] = {"kind": answer.kind, "action": action}
    if answer.asked is not None:
        event |= {"action": answer.asked.action, "origin": answer.asked.origin}
        if answer.asked.intent_id is not None:
            event["intentId"] = answer.asked.intent_id
    elif not found.strict:
        for name in ("origin", "intentId"):
            value = body.get(name)
            if isinstance(value, str) and not is_blank(value):
                event[name] = trim(value)
    event["payload"] = answer.payload
    wire["event"] = event
    return json_response(200, wire)


def _rejection(action: str, refusal: Refusal, head: Mapping[str, Any] | None = None) -> Response:
    """A refusal; one with the `head` of an envelope's answers is typed and told in `result` too (commands.md §7.3)."""
    if head is not None and not isinstance(refusal, TypedRefusal):
        refusal = TypedRefusal(Code.INTERNAL, refusal.reason)
    wire: dict[str, Any] = {
        "ok": False,
        "accepted": False,
        "action": action,
        "status": "rejected",
        "reason": refusal.reason[:MESSAGE_LIMIT],
    }
    if isinstance(refusal, TypedRefusal):
        wire["error"] = refusal.to_wire()
        if head is not None:
            wire["result"] = {**head, "outcome": "rejected", "error": wire["error"]}
    return json_response(refusal.http_status, wire)
