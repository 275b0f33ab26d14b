"""Every action with a good call and each of its refusals: a table that is carried out over the real socket.

A row is an action whose scene (scenes.py) is set, something more that happens, and how the good call of the scene is
refused then. `REFUSALS` has a row for each case of the contract beyond what test_documented_errors.py (one for each
code of each action) and test_described.py (each field left out, and sent as everything it is not) go through.

`python -m tests.api.refusals` carries out all of it and prints the table with its counts.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from coven_desktop.api.described import actions
from coven_desktop.contract.errors import HTTP_STATUS, Code
from coven_desktop.contract.exported import SCHEMA
from coven_desktop.runtime.sessions import LaunchRefused
from tests.api.conftest import Served
from tests.api.scenes import AUTOMATIONS, DESKTOP, SCENES, ask, routine, stage
from tests.api.test_described import _faults
from tests.api.test_documented_errors import (
    HAPPENINGS,
    NOBODY,
    Happening,
    Request,
    both,
    deleted,
    moved,
    sending,
    too_late,
    with_definition,
    with_routine,
)
from tests.api.wire import Reply
from tests.engine.conftest import HOUR
from tests.engine.held_runs import BUSY, policy, quarantine, without_triggers

_RULE = {"kind": "rrule", "rrule": "FREQ=DAILY", "timezone": "utc"}


def _cron(expression: str, timezone: str = "utc") -> Request:
    return {"kind": "cron", "expression": expression, "timezone": timezone}


def _daily(anchor: str) -> Request:
    return {"kind": "cadence", "mode": "daily", "anchor": anchor, "timezone": "Europe/Paris"}


def _once(anchor: str) -> Request:
    return {"kind": "cadence", "mode": "once", "anchor": anchor, "timezone": "utc"}


_OVER = {**_daily("2026-08-01T09:00:00"), "until": "2026-08-31T09:00:00"}
_PASSED = {"anchor": "2026-08-01T11:00:00", "until": "2026-09-01T11:00:00"}
_FILE = {"kind": "file", "path": "/home/me/new.txt", "mode": "replace"}
_BROKEN_ZONE = "UPDATE definitions SET body = json_set(body, '$.schedule.timezone', 'Nowhere/Land')"


class Refusal(NamedTuple):
    """One case: when what has happened, the action is refused with a code; None is HTTP 400 without one."""

    action: str
    when: str
    happen: Happening
    code: Code | None
    retryable: bool = False

    @property
    def status(self) -> int:
        """The HTTP status that goes with it."""
        return 400 if self.code is None else HTTP_STATUS[self.code]


# --- what happens -----------------------------------------------------------------------------------------------------


def by_version(action: str) -> Happening:
    """A versioned command has moved the routine, which is managed by those from now on."""

    def happen(served: Served, request: Request) -> None:
        asked = {"adoptionKey": "adopt:versioned:1", "id": "morning-notes", "expectedRevision": 1}
        assert served.act(f"definition.{action}.v1", **asked).status == 200

    return happen


def answered(served: Served, request: Request) -> Request:
    """The request was carried out, and its key is used for another one."""
    assert served.act("create", **request).status == 200
    return {**request, "definition": routine(name="Other")}


def exists(served: Served, request: Request) -> None:
    """The id is in use."""
    assert served.act("create", definition=request["definition"]).status == 200


def used_up(served: Served, request: Request) -> None:
    """Its attempts were used up."""
    quarantine(served.bench, "morning-notes")


def refusing(served: Served, request: Request) -> None:
    """The runtime is not there."""
    served.bench.runtime.refuse = LaunchRefused("launch_refused", "no such runtime")


def written(*statements: str) -> Happening:
    """A row is as another producer, or a fault, might have left it."""

    def happen(served: Served, request: Request) -> None:
        without_triggers(served.bench, *statements)

    return happen


def without_folder(served: Served, request: Request) -> None:
    """The routine names no folder to work in."""
    definition = served.payload("get", id="morning-notes")["routine"]
    served.payload("update", definition={name: definition[name] for name in definition if name != "cwd"})


def with_settings(environment: dict[str, object], *secrets: str) -> Happening:
    """The settings say something else."""
    return sending(settings={"environment": environment, "secrets": list(secrets)})


def taken_back(served: Served, request: Request) -> None:
    """It is not disabled any more."""
    other = {**request, "adoptionKey": "adopt:taken:0001"}
    assert ask(served, DESKTOP + "routine.enable.v1", other).status == 200


def lost(served: Served, request: Request) -> None:
    """Nobody knows how the run ended."""
    served.bench.runtime.end(served.bench.session, None)
    served.bench.turn()


def failed(served: Served, request: Request) -> None:
    """The command ran and failed: the run is held."""
    served.bench.end(3)


def tried_again(served: Served, request: Request) -> None:
    """The held run has another attempt already."""
    run_id = served.payload("runs", id="morning-notes")["runs"][0]["id"]
    asked = {"adoptionKey": "adopt:again:0001", "runId": run_id, "priorAttemptNumber": 1, "priorDisposition": "failed"}
    assert served.act("attempt.retry.v1", **asked).status == 200


def starting(served: Served, request: Request) -> Request:
    """A run is just being started: its session has not reported yet."""
    bench = served.bench
    bench.runtime.automatic = False
    served.create("other", cwd="/tmp")
    bench.advance(HOUR)
    [run] = served.payload("runs", id="other")["runs"]
    if "attemptId" in request:
        return {**request, "attemptId": run["attempts"][0]["id"]}
    return {**request, "occurrenceId": run["occurrenceId"]}


def waiting(served: Served, request: Request) -> Request:
    """A retry waits, and its deadline has come."""
    served.bench.runtime.refuse = BUSY
    served.create("other", retry=policy())
    served.bench.advance(HOUR)
    served.bench.runtime.refuse = None
    without_triggers(served.bench, "UPDATE runs SET timeout_at = started_at WHERE automation_id = 'other'")
    [run] = [run for run in served.payload("runs", id="other")["runs"] if run["status"] == "running"]
    if "attemptId" in request:
        return {**request, "attemptId": run["attempts"][0]["id"]}
    return {**request, "occurrenceId": run["occurrenceId"]}


TEN = "UPDATE attempts SET attempt_number = 10, prior_attempt_number = 9, prior_disposition = 'failed'"
STOP = "INSERT INTO stop_fences SELECT id, 'recovery', 'a', 's', started_at, timeout_at FROM runs"
_STREAM = {"kind": "automation", "id": "morning-notes"}


def _of(prefix: str, name: str, *rows: tuple[str, Happening, Code | None]) -> Iterator[Refusal]:
    yield from (Refusal(prefix + name, when, happen, code) for when, happen, code in rows)


REFUSALS: tuple[Refusal, ...] = (
    # contract/commands.md §3.8
    *_of(
        AUTOMATIONS,
        "create",
        ("the id is in use", exists, None),
        ("the id was deleted by a versioned command", both(exists, by_version("tombstone")), None),
        ("it says DISABLED", with_definition(status="DISABLED"), None),
        ("its intent was used for another request", answered, None),
        ("its rule is not carried", with_definition(rrule="FREQ=HOURLY"), None),
        ("it has an output target", with_definition(outputTarget="x"), None),
        ("it has an authority", with_definition(authority={}), None),
    ),
    *_of(
        AUTOMATIONS,
        "update",
        ("there is no such routine", with_definition(id=NOBODY), None),
        ("the routine was deleted", deleted, None),
        ("the routine is managed by versioned commands", by_version("pause"), None),
        ("the routine is disabled", by_version("disable"), None),
        ("it says DISABLED", with_definition(status="DISABLED"), None),
    ),
    *_of(
        AUTOMATIONS,
        "run",
        ("there is no such routine", sending(id=NOBODY), None),
        ("the routine was deleted", deleted, None),
        ("the routine is disabled", by_version("disable"), None),
        ("a run of it is open", lambda served, request: served.payload("run", **request) and None, None),
        ("its attempts were used up", used_up, None),
        ("the runtime is not there", refusing, None),
    ),
    *_of(AUTOMATIONS, "unquarantine", ("there is no such routine", sending(id=NOBODY), None)),
    *_of(
        AUTOMATIONS,
        "health",
        ("there is no such routine", sending(id=NOBODY), None),
        ("the routine was deleted", deleted, None),
    ),
    # contract/commands.md §3.6
    *_of(
        AUTOMATIONS,
        "definition.revise.v1",
        ("it says DISABLED", with_definition(status="DISABLED"), Code.ILLEGAL_TRANSITION),
        ("its schedule is not understood", with_definition(rrule="FREQ=DAILY;BYHOUR=99"), Code.VALIDATION_FAILED),
        ("its zone is not known", with_definition(timezone="Mars/Olympus"), Code.VALIDATION_FAILED),
        ("it has a member that is not known", with_definition(colour="blue"), Code.VALIDATION_FAILED),
    ),
    *_of(
        AUTOMATIONS,
        "definition.activate.v1",
        ("the routine is disabled", moved("disable"), Code.ILLEGAL_TRANSITION),
    ),
    *_of(AUTOMATIONS, "definition.pause.v1", ("the routine is disabled", moved("disable"), Code.ILLEGAL_TRANSITION)),
    # contract/commands.md §4.1
    *_of(
        AUTOMATIONS,
        "occurrence.runNow.v1",
        ("its attempts were used up", used_up, Code.ILLEGAL_TRANSITION),
        ("the routine names no folder", without_folder, Code.VALIDATION_FAILED),
        ("bypassEligibility is null", sending(bypassEligibility=None), Code.VALIDATION_FAILED),
    ),
    # contract/commands.md §4.2
    *_of(
        AUTOMATIONS,
        "occurrence.cancel.v1",
        ("nobody knows how the run ended", lost, Code.ILLEGAL_TRANSITION),
        ("the deadline of the waiting retry has come", waiting, Code.ILLEGAL_TRANSITION),
        ("the deadline of the held run has passed", both(failed, too_late), Code.ILLEGAL_TRANSITION),
        ("a stop of the held run has no outcome", both(failed, written(STOP)), Code.CANCEL_PENDING),
    ),
    *_of(
        AUTOMATIONS,
        "attempt.cancel.v1",
        ("nobody knows how the run ended", lost, Code.ILLEGAL_TRANSITION),
        ("the run is held", failed, Code.ILLEGAL_TRANSITION),
        ("another attempt followed it", both(failed, tried_again), Code.ILLEGAL_TRANSITION),
        ("the deadline of the waiting retry has come", waiting, Code.ILLEGAL_TRANSITION),
    ),
    *(
        Refusal(AUTOMATIONS + name, "its session has not reported yet", starting, Code.CANCEL_PENDING, retryable=True)
        for name in ("occurrence.cancel.v1", "attempt.cancel.v1")
    ),
    # contract/commands.md §4.5
    *_of(
        AUTOMATIONS,
        "run.cancel.v1",
        ("there is no such run", sending(runId=NOBODY), Code.ILLEGAL_TRANSITION),
        ("there is no such attempt", sending(attemptId=NOBODY), Code.ILLEGAL_TRANSITION),
        (
            "the session is of another attempt",
            sending(runtimeCorrelation={"sessionId": NOBODY}),
            Code.ILLEGAL_TRANSITION,
        ),
        ("the run is held", failed, Code.ILLEGAL_TRANSITION),
        ("nobody knows how the run ended", lost, Code.ILLEGAL_TRANSITION),
        ("the deadline has come", too_late, Code.ILLEGAL_TRANSITION),
        ("it names another scope", sending(scope="attempt"), Code.VALIDATION_FAILED),
    ),
    # contract/commands.md §4.6, by its rows
    *_of(
        AUTOMATIONS,
        "attempt.retry.v1",
        ("5: the run is settled", written("UPDATE runs SET status = 'failed'"), Code.ILLEGAL_TRANSITION),
        ("6: the run has no attempt", written("DELETE FROM attempts"), Code.ILLEGAL_TRANSITION),
        (
            "7: the latest attempt is ambiguous",
            written("UPDATE attempts SET state = 'ambiguous'"),
            Code.AMBIGUOUS_RETRY_FORBIDDEN,
        ),
        ("8: the latest attempt waits", tried_again, Code.ILLEGAL_TRANSITION),
        (
            "9: the latest attempt ended otherwise",
            sending(priorDisposition="cancelled"),
            Code.RETRY_DISPOSITION_INVALID,
        ),
        (
            "10: it is the tenth attempt",
            both(written(TEN), sending(priorAttemptNumber=10)),
            Code.ILLEGAL_TRANSITION,
        ),
        ("12: the run has no deadline", written("UPDATE runs SET timeout_at = NULL"), Code.ILLEGAL_TRANSITION),
        ("14: the routine was deleted", deleted, Code.ILLEGAL_TRANSITION),
        ("14: the routine is disabled", by_version("disable"), Code.ILLEGAL_TRANSITION),
        ("15: the routine is quarantined", used_up, Code.ILLEGAL_TRANSITION),
        (
            "16: the occurrence is settled",
            written("UPDATE occurrences SET state = 'failed'"),
            Code.ILLEGAL_TRANSITION,
        ),
    ),
    # contract/commands.md §4.7
    *_of(
        AUTOMATIONS,
        "occurrence.recover.v1",
        (
            "its end is known",
            written("UPDATE occurrences SET state = 'failed'"),
            Code.ILLEGAL_TRANSITION,
        ),
        (
            "the session may still live",
            written("UPDATE sessions SET status = 'running'"),
            Code.ILLEGAL_TRANSITION,
        ),
        ("there is no run", written("UPDATE runs SET status = 'failed'"), Code.ILLEGAL_TRANSITION),
        (
            "the latest attempt is not ambiguous",
            written("UPDATE attempts SET state = 'failed'"),
            Code.ILLEGAL_TRANSITION,
        ),
        ("it is the tenth attempt", written(TEN), Code.ILLEGAL_TRANSITION),
        ("the routine was deleted", deleted, Code.ILLEGAL_TRANSITION),
    ),
    # contract/commands.md §5 and §6
    *_of(
        AUTOMATIONS,
        "run.history.v1",
        ("its cursor is none", sending(cursor="WyJ4IiwieSJd"), Code.VALIDATION_FAILED),
        ("its cursor is spelled otherwise", sending(cursor="WyJ4IiwieSJd="), Code.VALIDATION_FAILED),
    ),
    *_of(AUTOMATIONS, "occurrence.history.v1", ("its cursor is none", sending(cursor="WyJ4IiwieSJd"), None)),
    *_of(
        AUTOMATIONS,
        "receipt.get.v1",
        (
            "what is stored was changed",
            written("UPDATE receipts SET body = json_set(body, '$.automationRevision', 9)"),
            Code.INTERNAL,
        ),
    ),
    *_of(
        AUTOMATIONS,
        "events.read.v1",
        (
            "it has a cursor and an instant",
            sending(after=1, **{"from": "2026-09-01T09:00:00Z"}),
            Code.VALIDATION_FAILED,
        ),
        ("the feed has another id", sending(stream={"kind": "feed", "id": "some"}), Code.VALIDATION_FAILED),
        ("the day does not exist", sending(after=None, **{"from": "2026-02-30T09:00:00Z"}), Code.VALIDATION_FAILED),
    ),
    # design/decisions.md 41
    *_of(
        DESKTOP,
        "routine.settings.v1",
        ("a variable's name has a hyphen", with_settings({"MY-LEVEL": "1"}), Code.VALIDATION_FAILED),
        ("a variable is the run's own id", with_settings({"COVEN_RUN_ID": "1"}), Code.VALIDATION_FAILED),
        ("a value is too long", with_settings({"LEVEL": "\u00e9" * 4_097}), Code.VALIDATION_FAILED),
        ("a value has a NUL", with_settings({"LEVEL": "a\0b"}), Code.VALIDATION_FAILED),
        ("a value is a number", with_settings({"LEVEL": 1}), Code.VALIDATION_FAILED),
        ("there are too many variables", with_settings({f"L{n}": "" for n in range(65)}), Code.VALIDATION_FAILED),
        ("a secret has a variable's name", with_settings({"TOKEN": "1"}, "TOKEN"), Code.VALIDATION_FAILED),
        ("a secret is the run's own id", with_settings({}, "COVEN_SESSION_ID"), Code.VALIDATION_FAILED),
    ),
    # design/schedules.md, cadence and cron
    *(
        row
        for name in ("schedule.preview.v1", "schedule.explain.v1")
        for row in _of(
            DESKTOP,
            name,
            ("its cron is a nickname", sending(schedule=_cron("@daily")), Code.VALIDATION_FAILED),
            ("its cron has six fields", sending(schedule=_cron("0 0 9 * * *")), Code.VALIDATION_FAILED),
            ("its cron never comes", sending(schedule=_cron("0 0 30 2 *")), Code.VALIDATION_FAILED),
            ("its zone is none", sending(schedule=_cron("0 9 * * *", "europe/paris")), Code.VALIDATION_FAILED),
            ("its anchor does not exist", sending(schedule=_daily("2026-03-29T02:30:00")), Code.VALIDATION_FAILED),
            ("its rule is none", sending(schedule={**_RULE, "rrule": "FREQ=HOURLY"}), Code.VALIDATION_FAILED),
            ("it is of two families", sending(schedule={**_RULE, "expression": "0 9 * * *"}), Code.VALIDATION_FAILED),
        )
    ),
    *(
        row
        for name in ("routine.create.v1", "routine.revise.v1")
        for row in _of(
            DESKTOP,
            name,
            ("its cron is a nickname", with_routine(schedule=_cron("@daily")), Code.VALIDATION_FAILED),
            ("its cron never comes", with_routine(schedule=_cron("0 0 30 2 *")), Code.VALIDATION_FAILED),
            ("its zone is none", with_routine(schedule=_cron("0 9 * * *", "europe/paris")), Code.VALIDATION_FAILED),
            ("its anchor does not exist", with_routine(schedule=_daily("2026-03-29T02:30:00")), Code.VALIDATION_FAILED),
            ("its time has passed", with_routine(schedule=_once("2026-08-31T09:00:00")), Code.VALIDATION_FAILED),
            ("its series ends before now", with_routine(schedule=_OVER), Code.VALIDATION_FAILED),
            ("its policy is none", with_routine(schedule={**_OVER, "catchUp": "all"}), Code.VALIDATION_FAILED),
            ("it delivers by a rule", with_routine(schedule=_RULE, secrets=[]), Code.VALIDATION_FAILED),
            (
                "it has secrets with a rule",
                with_routine(schedule=_RULE, delivery=None, secrets=["TOKEN"]),
                Code.VALIDATION_FAILED,
            ),
            ("its file is no whole path", with_routine(delivery={**_FILE, "path": "x.txt"}), Code.VALIDATION_FAILED),
            ("it has a member that is not known", with_routine(colour="blue"), Code.VALIDATION_FAILED),
            ("it is written as the contract's", with_routine(schemaVersion=1), Code.VALIDATION_FAILED),
        )
    ),
    *_of(
        DESKTOP,
        "routine.revise.v1",
        ("it says DISABLED", with_routine(status="DISABLED"), Code.ILLEGAL_TRANSITION),
    ),
    *_of(
        DESKTOP,
        "routine.enable.v1",
        ("it is paused", both(taken_back, sending(expectedRevision=3)), Code.ILLEGAL_TRANSITION),
        ("it has run as often as it may", sending(maxRuns=1), Code.ILLEGAL_TRANSITION),
        ("its new anchor is null", sending(anchor=None), Code.VALIDATION_FAILED),
        ("its new series has no slot to come", sending(**_PASSED), Code.ILLEGAL_TRANSITION),
        ("its new anchor is none", sending(anchor="tomorrow"), Code.VALIDATION_FAILED),
        ("what is stored is broken", written(_BROKEN_ZONE), Code.VALIDATION_FAILED),
    ),
    # product.md, 11
    *_of(
        DESKTOP,
        "crontab.import.v1",
        ("it is too large", sending(crontab="#" * 262_145), Code.VALIDATION_FAILED),
        ("it has too many lines", sending(crontab="\n" * 5_001), Code.VALIDATION_FAILED),
        ("it has too many jobs", sending(crontab="* * * * * true\n" * 501), Code.VALIDATION_FAILED),
        ("it has a NUL", sending(crontab="* * * * * true\0"), Code.VALIDATION_FAILED),
        ("it has a revision", sending(expectedRevision=1), Code.VALIDATION_FAILED),
    ),
    *_of(
        DESKTOP,
        "import.v1",
        ("it is another document", sending(document={"schemaVersion": "x"}), Code.VALIDATION_FAILED),
        ("it has no routines", sending(document={"schemaVersion": SCHEMA}), Code.VALIDATION_FAILED),
        ("a routine is none", sending(document={"schemaVersion": SCHEMA, "routines": [7]}), Code.VALIDATION_FAILED),
        ("it has a revision", sending(expectedRevision=1), Code.VALIDATION_FAILED),
    ),
    *(
        row
        for prefix, name in ((AUTOMATIONS, "events.subscribe.v1"), (DESKTOP, "events.wait.v1"))
        for row in _of(
            prefix,
            name,
            ("it has a limit", sending(limit=5), Code.VALIDATION_FAILED),
            ("it has a cursor and a checkpoint", sending(after=0, checkpoint="ecp"), Code.VALIDATION_FAILED),
            (
                "the checkpoint is of another stream",
                sending(stream={"kind": "automation", "id": "other"}),
                Code.VALIDATION_FAILED,
            ),
        )
    ),
)


def refused(row: Refusal, root: Path) -> Reply:
    """Carry out one row in a house of its own."""
    with stage(root) as served:
        request = SCENES[row.action](served)
        request = row.happen(served, request) or request
        return ask(served, row.action, request)


def _all() -> dict[str, list[tuple[str, int, str]]]:
    """What each action answers: the good call, each refusal, and how many faults of its fields there are."""
    found: dict[str, list[tuple[str, int, str]]] = {}
    documented = [
        Refusal(action, "as in test_documented_errors.py", happen, code)
        for (action, code), happen in HAPPENINGS.items()
    ]
    for action in actions.ALL:
        with tempfile.TemporaryDirectory() as root, stage(Path(root)) as served:
            reply = ask(served, action, SCENES[action](served))
            found[action] = [("the good call", reply.status, "")]
    for row in (*documented, *REFUSALS):
        with tempfile.TemporaryDirectory() as root:
            reply = refused(row, Path(root))
        code = reply.body.get("error", {}).get("code", "")
        assert (reply.status, code or None) == (row.status, row.code), (row, reply.body)
        found[row.action].append((row.when, reply.status, code))
    for action, described in actions.ALL.items():
        with tempfile.TemporaryDirectory() as root, stage(Path(root)) as served:
            faults = list(_faults(described, SCENES[action](served)))
            for path, changed in faults:
                reply = ask(served, action, changed)
                assert 400 <= reply.status < 500, (path, changed, reply.body)
        if faults:
            found[action].append((f"{len(faults)} faults of its fields", 400, "each told by its name"))
    return found


def _print() -> None:
    found = _all()
    good = refusals = faults = 0
    for action, rows in found.items():
        print(action)
        for when, status, code in rows:
            print(f"  {status} {code:<28} {when}")
            good += status == 200
            if "faults of its fields" in when:
                faults += int(when.split()[0])
            else:
                refusals += status != 200
    print(f"{len(found)} actions, {good} good calls, {refusals} refusals, {faults} faults of fields")


if __name__ == "__main__":
    _print()
