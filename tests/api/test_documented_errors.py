"""Every error code in a description can be had: for each the example of its action, after something has happened.

`VALIDATION_FAILED`, `ADOPTION_REPLAY_MISMATCH` and refusals without a code are had in test_described.py.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from coven_desktop.api.described import actions, service
from coven_desktop.contract import digest
from coven_desktop.contract.errors import HTTP_STATUS, Code
from coven_desktop.engine.event_waiters import WAITERS
from coven_desktop.engine.feed import Position
from coven_desktop.store.feed import Stream
from coven_desktop.store.retention import PRUNED_THROUGH
from tests.api.conftest import Served
from tests.api.scenes import AUTOMATIONS, DESKTOP, SCENES, ask, stage
from tests.api.schemas import fits_exactly
from tests.contract.rich_bodies import sealed
from tests.engine.conftest import DAY
from tests.engine.held_runs import without_triggers

ELSEWHERE = {None, Code.VALIDATION_FAILED, Code.ADOPTION_REPLAY_MISMATCH}
NOBODY = "nobody"

Request = dict[str, Any]
Happening = Callable[[Served, Request], Request | None]


def sending(**changes: Any) -> Happening:
    """The request says something else."""
    return lambda served, request: {**request, **changes}


def deleted(served: Served, request: Request) -> None:
    """The routine was deleted by the action that belongs to it."""
    ((revision, managed),) = served.bench.rows("SELECT revision, managed FROM definitions WHERE id = 'morning-notes'")
    if managed == "legacy":
        served.payload("delete", id="morning-notes")
        return
    asked = {"adoptionKey": "adopt:deleted:01", "id": "morning-notes", "expectedRevision": revision}
    assert served.act("definition.tombstone.v1", **asked).status == 200


def routine_created(served: Served, request: Request) -> None:
    """Its id is in use, by a routine of any family."""
    assert ask(served, DESKTOP + "routine.create.v1", request | {"adoptionKey": "adopt:used:0001"}).status == 200


def with_routine(**changes: Any) -> Happening:
    """The routine says something else."""
    return lambda served, request: {**request, "routine": {**request["routine"], **changes}}


def created_and_deleted(served: Served, request: Request) -> None:
    """Its id was used, and is not used again."""
    assert ask(served, AUTOMATIONS + "definition.create.v1", request | {"adoptionKey": "adopt:used:0001"}).status == 200
    deleted(served, request)


def created(served: Served, request: Request) -> None:
    """Its id is in use."""
    assert ask(served, AUTOMATIONS + "definition.create.v1", request | {"adoptionKey": "adopt:used:0001"}).status == 200


def with_definition(**changes: Any) -> Happening:
    """The definition says something else."""
    return lambda served, request: {**request, "definition": {**request["definition"], **changes}}


def moved(action: str) -> Happening:
    """Another command has moved the routine, and the request knows its revision."""

    def happen(served: Served, request: Request) -> Request:
        asked = {"adoptionKey": "adopt:moved:0001", "id": "morning-notes", "expectedRevision": 1}
        assert served.act(f"definition.{action}.v1", **asked).status == 200
        return {**request, "expectedRevision": 2}

    return happen


def carried_no_more(served: Served, request: Request) -> None:
    """What is stored asks for a variant of another version."""
    body = "json_set(body, '$.rrule', 'FREQ=HOURLY')"
    without_triggers(served.bench, f"UPDATE definitions SET body = {body} WHERE id = 'morning-notes'")


def paused(served: Served, request: Request) -> None:
    """The routine rests."""
    definition = served.payload("get", id="morning-notes")["routine"] | {"status": "PAUSED"}
    served.payload("update", definition=definition)


def running(served: Served, request: Request) -> None:
    """A run of it is open."""
    served.payload("run", id="morning-notes")


def ended(served: Served, request: Request) -> None:
    """The run has ended by itself."""
    served.bench.end()


def being_stopped(served: Served, request: Request) -> None:
    """Somebody else is stopping the run, and nothing is proven yet."""
    served.bench.runtime.on_stop = lambda session: None
    (run,) = served.payload("runs", id="morning-notes")["runs"]
    body = {
        "action": AUTOMATIONS + "occurrence.cancel.v1",
        "adoptionKey": "adopt:stopping:01",
        "occurrenceId": run["occurrenceId"],
    }
    data = json.dumps(body).encode()
    peer = served.peer()
    peer.send(b"POST /actions HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % len(data) + data)
    served.bench.turn()
    peer.socket.close()
    served.bench.turn()
    assert served.bench.world.stops


def stop_without_outcome(served: Served, request: Request) -> None:
    """A stop of the run was never decided."""
    without_triggers(
        served.bench, "INSERT INTO stop_fences SELECT id, 'recovery', 'a', 's', started_at, timeout_at FROM runs"
    )


def too_late(served: Served, request: Request) -> None:
    """The deadline of the run has passed, and no timer has told yet."""
    without_triggers(served.bench, "UPDATE runs SET timeout_at = started_at")


def of_an_authority(served: Served, request: Request) -> None:
    """The run is bound to an authority that is not ours."""
    without_triggers(served.bench, "UPDATE runs SET authority_profile = 'another'")


def private(served: Served, request: Request) -> None:
    """The receipt is for other eyes."""
    ((body,),) = served.bench.rows("SELECT body FROM receipts")
    receipt = {name: value for name, value in json.loads(body).items() if name != "integrity"}
    receipt["privacy"]["classification"] = "sensitive"
    text = json.dumps({**receipt, "integrity": digest.seal(receipt)}).replace("'", "''")
    without_triggers(served.bench, f"UPDATE receipts SET body = '{text}'")


def pruned(served: Served, request: Request) -> None:
    """The events behind the cursor are not kept any more."""
    without_triggers(served.bench, f"INSERT INTO maintenance VALUES ('{PRUNED_THROUGH}', '5', '')")


def a_day_later(served: Served, request: Request) -> None:
    """Checkpoints hold for a day."""
    served.bench.clock.advance(DAY)


def crowd(served: Served, request: Request) -> Request:
    """As many wait as may, and there is nothing to tell."""
    for number in range(WAITERS):
        stream = Stream("automation", f"routine-{number}")
        served.bench.engine.event_waiters.wait(stream, Position(-1, None), 30_000)
    return {"stream": request["stream"], "after": 1_000, "waitSeconds": 1}


def enveloped(command: str, expected: int | None = None, automation_id: str = "morning-notes") -> Happening:
    """The envelope brings another command about a routine."""

    def happen(served: Served, request: Request) -> Request:
        envelope = {**request["envelope"], "command": command, "payload": {"automationId": automation_id}}
        return {"envelope": envelope if expected is None else {**envelope, "expectedRevision": expected}}

    return happen


def run_cancelled(served: Served, request: Request) -> Request:
    """The envelope brings a command that is not carried in one."""
    return {"envelope": {**request["envelope"], "command": "run.cancel.v1", "payload": {"runId": "run-1"}}}


def active_at_once(served: Served, request: Request) -> Request:
    """The rich definition would begin its life active."""
    definition = sealed({**request["envelope"]["payload"]["definition"], "lifecycleState": "active"})
    return {"envelope": {**request["envelope"], "payload": {"definition": definition}}}


def carried_out(served: Served, request: Request) -> None:
    """The envelope was carried out under another key."""
    other = {**request["envelope"], "adoptionKey": "adopt:other:0001"}
    assert ask(served, AUTOMATIONS + "command.v1", {"envelope": other}).status == 200


def both(*happenings: Happening) -> Happening:
    """One after the other."""

    def happen(served: Served, request: Request) -> Request:
        for happening in happenings:
            request = happening(served, request) or request
        return request

    return happen


def _moves(action: str, *, illegal: str = "", variants: bool = False) -> dict[tuple[str, Code], Happening]:
    found: dict[Code, Happening] = {
        Code.NOT_FOUND: sending(id=NOBODY),
        Code.GONE_TOMBSTONED: deleted,
        Code.REVISION_CONFLICT: sending(expectedRevision=7),
    }
    if illegal:
        found[Code.ILLEGAL_TRANSITION] = moved(illegal)
    if variants:
        found[Code.CAPABILITY_UNSUPPORTED] = carried_no_more
    return {(f"{AUTOMATIONS}definition.{action}.v1", code): happening for code, happening in found.items()}


HAPPENINGS: Mapping[tuple[str, Code], Happening] = {
    (AUTOMATIONS + "update", Code.REVISION_CONFLICT): sending(expectedRevision=7),
    (AUTOMATIONS + "definition.create.v1", Code.CAPABILITY_UNSUPPORTED): with_definition(rrule="FREQ=HOURLY"),
    (AUTOMATIONS + "definition.create.v1", Code.ILLEGAL_TRANSITION): with_definition(status="DISABLED"),
    (AUTOMATIONS + "definition.create.v1", Code.REVISION_CONFLICT): created,
    (AUTOMATIONS + "definition.create.v1", Code.GONE_TOMBSTONED): created_and_deleted,
    (AUTOMATIONS + "definition.revise.v1", Code.CAPABILITY_UNSUPPORTED): with_definition(overlap="allow"),
    (AUTOMATIONS + "definition.revise.v1", Code.ILLEGAL_TRANSITION): moved("disable"),
    (AUTOMATIONS + "definition.revise.v1", Code.NOT_FOUND): with_definition(id=NOBODY),
    (AUTOMATIONS + "definition.revise.v1", Code.GONE_TOMBSTONED): deleted,
    (AUTOMATIONS + "definition.revise.v1", Code.REVISION_CONFLICT): sending(expectedRevision=7),
    **_moves("activate", illegal="activate", variants=True),
    **_moves("pause", illegal="pause", variants=True),
    **_moves("disable", illegal="disable"),
    **_moves("tombstone"),
    (AUTOMATIONS + "definition.health.v1", Code.NOT_FOUND): sending(id=NOBODY),
    (AUTOMATIONS + "definition.health.v1", Code.GONE_TOMBSTONED): deleted,
    (AUTOMATIONS + "occurrence.runNow.v1", Code.NOT_FOUND): sending(automationId=NOBODY),
    (AUTOMATIONS + "occurrence.runNow.v1", Code.GONE_TOMBSTONED): deleted,
    (AUTOMATIONS + "occurrence.runNow.v1", Code.ILLEGAL_TRANSITION): paused,
    (AUTOMATIONS + "occurrence.runNow.v1", Code.OVERLAP_FORBIDDEN): running,
    (AUTOMATIONS + "occurrence.cancel.v1", Code.NOT_FOUND): sending(occurrenceId=NOBODY),
    (AUTOMATIONS + "occurrence.cancel.v1", Code.ILLEGAL_TRANSITION): ended,
    (AUTOMATIONS + "occurrence.cancel.v1", Code.CANCEL_PENDING): being_stopped,
    (AUTOMATIONS + "attempt.cancel.v1", Code.NOT_FOUND): sending(attemptId=NOBODY),
    (AUTOMATIONS + "attempt.cancel.v1", Code.ILLEGAL_TRANSITION): ended,
    (AUTOMATIONS + "attempt.cancel.v1", Code.CANCEL_PENDING): being_stopped,
    (AUTOMATIONS + "run.cancel.v1", Code.ILLEGAL_TRANSITION): ended,
    (AUTOMATIONS + "run.cancel.v1", Code.CANCEL_PENDING): being_stopped,
    (AUTOMATIONS + "attempt.retry.v1", Code.NOT_FOUND): sending(runId=NOBODY),
    (AUTOMATIONS + "attempt.retry.v1", Code.ILLEGAL_TRANSITION): paused,
    (AUTOMATIONS + "attempt.retry.v1", Code.AMBIGUOUS_RETRY_FORBIDDEN): sending(priorDisposition="ambiguous"),
    (AUTOMATIONS + "attempt.retry.v1", Code.RETRY_DISPOSITION_INVALID): sending(priorAttemptNumber=2),
    (AUTOMATIONS + "attempt.retry.v1", Code.CANCEL_PENDING): stop_without_outcome,
    (AUTOMATIONS + "attempt.retry.v1", Code.DEADLINE_EXCEEDED): too_late,
    (AUTOMATIONS + "attempt.retry.v1", Code.AUTHORITY_REQUIRED): of_an_authority,
    (AUTOMATIONS + "occurrence.recover.v1", Code.NOT_FOUND): sending(occurrenceId=NOBODY),
    (AUTOMATIONS + "occurrence.recover.v1", Code.ILLEGAL_TRANSITION): paused,
    (AUTOMATIONS + "occurrence.recover.v1", Code.DEADLINE_EXCEEDED): too_late,
    (AUTOMATIONS + "occurrence.recover.v1", Code.AUTHORITY_REQUIRED): of_an_authority,
    (AUTOMATIONS + "receipt.get.v1", Code.NOT_FOUND): sending(id=NOBODY),
    (AUTOMATIONS + "receipt.get.v1", Code.AUTHORITY_REQUIRED): private,
    (AUTOMATIONS + "events.read.v1", Code.CURSOR_EXPIRED): pruned,
    (AUTOMATIONS + "events.subscribe.v1", Code.CURSOR_EXPIRED): a_day_later,
    (AUTOMATIONS + "events.subscribe.v1", Code.NOT_FOUND): sending(checkpoint=NOBODY),
    (DESKTOP + "events.wait.v1", Code.CURSOR_EXPIRED): a_day_later,
    (DESKTOP + "events.wait.v1", Code.NOT_FOUND): sending(checkpoint=NOBODY),
    (DESKTOP + "events.wait.v1", Code.CONCURRENCY_LIMIT): crowd,
    (DESKTOP + "routine.create.v1", Code.ILLEGAL_TRANSITION): with_routine(status="DISABLED"),
    (DESKTOP + "routine.create.v1", Code.REVISION_CONFLICT): routine_created,
    (DESKTOP + "routine.create.v1", Code.GONE_TOMBSTONED): both(routine_created, deleted),
    (DESKTOP + "routine.revise.v1", Code.NOT_FOUND): with_routine(id=NOBODY),
    (DESKTOP + "routine.revise.v1", Code.GONE_TOMBSTONED): deleted,
    (DESKTOP + "routine.revise.v1", Code.REVISION_CONFLICT): sending(expectedRevision=7),
    (DESKTOP + "routine.revise.v1", Code.ILLEGAL_TRANSITION): moved("disable"),
    (DESKTOP + "routine.enable.v1", Code.NOT_FOUND): sending(automationId=NOBODY),
    (DESKTOP + "routine.enable.v1", Code.GONE_TOMBSTONED): deleted,
    (DESKTOP + "routine.enable.v1", Code.REVISION_CONFLICT): sending(expectedRevision=7),
    (DESKTOP + "routine.enable.v1", Code.ILLEGAL_TRANSITION): sending(maxRuns=1),
    (DESKTOP + "routine.settings.v1", Code.NOT_FOUND): sending(automationId=NOBODY),
    (DESKTOP + "routine.settings.v1", Code.GONE_TOMBSTONED): deleted,
    (DESKTOP + "routine.settings.v1", Code.REVISION_CONFLICT): sending(expectedRevision=7),
    (AUTOMATIONS + "command.v1", Code.CAPABILITY_UNSUPPORTED): run_cancelled,
    (AUTOMATIONS + "command.v1", Code.ILLEGAL_TRANSITION): active_at_once,
    (AUTOMATIONS + "command.v1", Code.NOT_FOUND): enveloped("definition.pause.v1", 1, NOBODY),
    (AUTOMATIONS + "command.v1", Code.REVISION_CONFLICT): both(carried_out, enveloped("definition.disable.v1", 7)),
    (AUTOMATIONS + "command.v1", Code.GONE_TOMBSTONED): both(
        carried_out, deleted, enveloped("definition.disable.v1", 2)
    ),
}
WITHOUT_A_WINDOW = (DESKTOP + "window.raise.v1", Code.CAPABILITY_UNSUPPORTED)


def test_every_code_that_is_described_is_had() -> None:
    described = {(found.action, error.code) for found in actions.ALL.values() for error in found.errors}
    had = {*HAPPENINGS, WITHOUT_A_WINDOW}
    assert {(action, code) for action, code in described if code not in ELSEWHERE} == had


@pytest.mark.parametrize(("action", "code"), HAPPENINGS)
def test_it_is_had(action: str, code: Code, tmp_path: Path) -> None:
    with stage(tmp_path) as served:
        request = SCENES[action](served)
        request = HAPPENINGS[action, code](served, request) or request
        reply = ask(served, action, request)
        assert reply.status == HTTP_STATUS[code], reply.body
        assert reply.body["error"]["code"] == code
        fits_exactly(service.REJECTION, reply.body)


def test_without_a_window(headless: Served) -> None:
    action, code = WITHOUT_A_WINDOW
    assert headless.post({"action": action}).body["error"]["code"] == code
