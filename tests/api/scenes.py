"""For each action what must have happened before the example of its description, and the request that is its example.

`python -m tests.api.scenes` carries all of them out and writes what was asked and answered to
coven_desktop/api/described/examples.json; tests/api/test_described.py holds that file against what happens now.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import os
import tempfile
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

from coven_desktop.api.described import actions
from coven_desktop.contract import ids
from coven_desktop.engine import engine
from coven_desktop.engine.commands import desktop_routines
from coven_desktop.home import codex_automations
from coven_desktop.runtime.sessions import KnownRuntime
from coven_desktop.schedule import preview
from tests.api.conftest import Served
from tests.api.wire import Reply
from tests.contract.rich_bodies import sealed
from tests.engine.conftest import HOUR, MINUTE
from tests.engine.held_runs import quarantine

EXAMPLES = Path(actions.__file__).with_name("examples.json")
KEY = "adopt:example:0001"
REASON = "the plan has changed"

ROUTINE: Mapping[str, Any] = {
    "schemaVersion": 1,
    "id": "morning-notes",
    "name": "Morning notes",
    "status": "ACTIVE",
    "rrule": "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;BYHOUR=10",
    "timezone": "utc",
    "misfire": "latest",
    "overlap": "forbid",
    "timeoutMinutes": 30,
    "runtime": "claude",
    "prompt": "Summarise what is new in this folder.",
    "cwd": "/home/me/notes",
}
Request = dict[str, Any]


def routine(**changes: Any) -> dict[str, Any]:
    """The routine of the examples."""
    return {**ROUTINE, **changes}


def created(served: Served, **changes: Any) -> None:
    """It exists, made by the unversioned action."""
    served.payload("create", definition=routine(**changes))


def versioned(served: Served, **changes: Any) -> None:
    """It exists, made by the versioned action."""
    reply = served.act("definition.create.v1", adoptionKey="adopt:scene:0001", definition=routine(**changes))
    assert reply.status == 200, reply.body


def live(served: Served, **changes: Any) -> dict[str, Any]:
    """Its first run lives; returns the run."""
    created(served, **changes)
    served.bench.advance(HOUR + MINUTE)
    return run(served)


def run(served: Served) -> dict[str, Any]:
    """Its newest run."""
    found: dict[str, Any] = served.payload("runs", id="morning-notes")["runs"][0]
    return found


def held(served: Served) -> dict[str, Any]:
    """Its first run failed and may be tried again."""
    live(served)
    served.bench.end(3)
    return run(served)


def unknown(served: Served) -> dict[str, Any]:
    """Nobody knows how its first run ended."""
    live(served)
    served.bench.runtime.end(served.bench.session, None)
    served.bench.turn()
    return run(served)


def stoppable(served: Served) -> dict[str, Any]:
    """Its first run lives, and stopping it works."""
    bench = served.bench
    bench.runtime.on_stop = lambda session: bench.loop.call_soon(lambda: bench.runtime.confirm_stop(session))
    return live(served)


def _nothing(served: Served) -> Request:
    return {}


def _listed(served: Served) -> Request:
    created(served)
    return {}


def _named(served: Served) -> Request:
    created(served)
    return {"id": "morning-notes"}


def _create(served: Served) -> Request:
    return {"definition": routine(), "intentId": "first-routine"}


def _update(served: Served) -> Request:
    created(served)
    return {"definition": routine(timeoutMinutes=45), "expectedRevision": 1, "intentId": "more-time"}


def _delete(served: Served) -> Request:
    return {**_named(served), "intentId": "no-more-notes"}


def _definition_create(served: Served) -> Request:
    retry = {"maxAttempts": 3, "backoffPolicy": "exponential", "backoffSeconds": 30}
    retry["retryableClasses"] = ["transient_dispatch", "runtime_unavailable"]
    more = {"retry": retry, "familiarId": "charm", "model": "large", "tags": ["notes"]}
    return {"adoptionKey": KEY, "definition": routine(**more), "origin": "example", "intentId": "first-routine"}


def _definition_revise(served: Served) -> Request:
    versioned(served)
    return {"adoptionKey": KEY, "definition": routine(timeoutMinutes=45), "expectedRevision": 1}


def _moved(status: str = "ACTIVE", *, reason: bool = True) -> Callable[[Served], Request]:
    def scene(served: Served) -> Request:
        versioned(served, status=status)
        asked = {"adoptionKey": KEY, "id": "morning-notes", "expectedRevision": 1}
        return {**asked, "reason": REASON} if reason else asked

    return scene


def _quarantined(served: Served) -> Request:
    created(served)
    for _ in range(3):
        quarantine(served.bench, "morning-notes")
    return {"id": "morning-notes"}


def _tick(served: Served) -> Request:
    created(served)
    served.bench.clock.advance(HOUR)
    return {}


def _run_now(served: Served) -> Request:
    created(served)
    asked = {"adoptionKey": KEY, "automationId": "morning-notes", "note": "before the meeting"}
    return {**asked, "bypassEligibility": False}


def _cancel_occurrence(served: Served) -> Request:
    return {"adoptionKey": KEY, "occurrenceId": stoppable(served)["occurrenceId"], "reason": REASON}


def _cancel_attempt(served: Served) -> Request:
    return {"adoptionKey": KEY, "attemptId": stoppable(served)["attempts"][0]["id"], "reason": REASON}


def _cancel_run(served: Served) -> Request:
    found = stoppable(served)
    return {
        "adoptionKey": KEY,
        "runId": found["id"],
        "attemptId": found["attempts"][0]["id"],
        "runtimeCorrelation": {"sessionId": found["sessionId"]},
        "scope": "run",
        "reason": REASON,
        "requestedBy": {"principalId": "principal:example"},
    }


def _retry(served: Served) -> Request:
    asked = {"adoptionKey": KEY, "runId": held(served)["id"], "priorAttemptNumber": 1, "priorDisposition": "failed"}
    return {**asked, "note": "after the update"}


def _recover(served: Served) -> Request:
    asked = {"adoptionKey": KEY, "occurrenceId": unknown(served)["occurrenceId"]}
    return {**asked, "evidenceDetermination": "retry_with_new_attempt", "statement": "nothing had been written yet"}


def _definition_list(served: Served) -> Request:
    versioned(served)
    return {"includeTombstoned": False}


def _run_history(served: Served) -> Request:
    live(served)
    served.bench.end()
    served.payload("run", id="morning-notes")
    page = {"automationId": "morning-notes", "limit": 1}
    return {**page, "cursor": served.payload("run.history.v1", **page)["cursor"]["next"]}


def _occurrence_history(served: Served) -> Request:
    live(served)
    served.bench.end()
    served.payload("run", id="morning-notes")
    return {"automationId": "morning-notes", "limit": 1}


def _runs(served: Served) -> Request:
    live(served)
    return {"id": "morning-notes", "limit": 1}


def _occurrence_list(served: Served) -> Request:
    live(served)
    return {"view": "running", "limit": 20, "automationId": "morning-notes"}


def _occurrence_get(served: Served) -> Request:
    return {"id": live(served)["occurrenceId"]}


def _run_get(served: Served) -> Request:
    return {"id": live(served)["id"]}


def _state(served: Served) -> Request:
    held(served)
    return {}


def _feed(served: Served) -> Request:
    live(served)
    return {"stream": {"kind": "feed", "id": "all"}}


def _events_read(served: Served) -> Request:
    return {**_feed(served), "after": 1, "limit": 2}


def _events_subscribe(served: Served) -> Request:
    stream = {"kind": "run", "id": live(served)["id"]}
    page = served.act("events.read.v1", stream=stream, limit=1).body["result"]
    return {"stream": page["stream"], "checkpoint": page["checkpoint"]}


def _events_wait(served: Served) -> Request:
    return {**_events_subscribe(served), "waitSeconds": 20}


def _command(served: Served) -> Request:
    definition = {
        "schemaVersion": "coven.automations.v1",
        "automationId": "morning-notes",
        "revision": 1,
        "integrity": {"algorithm": "sha256", "canonicalization": "jcs-rfc8785", "value": ""},
        "lifecycleState": "draft",
        "display": {"name": "Morning notes", "description": "What is new", "tags": ["notes"]},
        "trigger": {
            "variant": "schedule",
            "version": 1,
            "schedule": {"rrule": ROUTINE["rrule"], "timezone": "utc"},
        },
        "conditions": [],
        "action": {
            "variant": "familiarInvocation",
            "version": 1,
            "prompt": ROUTINE["prompt"],
            "cwd": ROUTINE["cwd"],
        },
        "binding": {
            "familiarBindingPolicy": "exact",
            "familiarId": "charm",
            "authority": {"approvalPolicyRef": "policy:example"},
        },
        "runtimeRequirements": {"runtimeId": "claude", "capabilities": ["sessions.launch"]},
        "policies": {
            "timeout": {"perRunMinutes": 30},
            "retry": {"maxAttempts": 2, "backoffPolicy": "fixed", "backoffSeconds": 30},
            "concurrency": {"overlap": "forbid"},
            "misfire": {"disposition": "latest"},
            "retention": {"occurrenceHistory": {"classification": "standard"}},
        },
        "provenance": {"createdBy": {"principalId": "principal:example"}},
        "extensions": {"x-note": "kept as it is"},
    }
    envelope = {
        "schemaVersion": "coven.automations.v1",
        "command": "definition.create.v1",
        "adoptionKey": KEY,
        "origin": {
            "principal": {"principalId": "principal:example"},
            "channel": "sdk",
            "correlationId": "correlation:17",
        },
        "intent": {"statement": "A summary before the first meeting."},
        "payload": {"definition": sealed(definition)},
    }
    return {"envelope": envelope}


def _importable(served: Served) -> Request:
    folder = codex_automations(os.environ) / "tide"
    folder.mkdir(parents=True)
    text = 'name = "Tide"\nrrule = "FREQ=DAILY;BYHOUR=10"\nprompt = "Read the tides."\n'
    (folder / "automation.toml").write_text(text, encoding="utf-8")
    return {}


def _legacy_import(served: Served) -> Request:
    _importable(served)
    return {"adoptionKey": KEY, "source": "codex-automation-toml", "dryRun": False}


def _receipt_get(served: Served) -> Request:
    live(served)
    served.bench.end()
    return {"id": run(served)["receiptId"]}


def _routine_list(served: Served) -> Request:
    created(served)
    return {"ids": ["morning-notes"]}


def _ours(schedule: Mapping[str, Any], **changes: Any) -> dict[str, Any]:
    """A routine of ours, of any family, by the id of the examples."""
    whole = {
        "schemaVersion": "coven.desktop.routine.v1",
        "id": "morning-notes",
        "name": "Morning notes",
        "status": "ACTIVE",
        "schedule": dict(schedule),
        "timeoutMinutes": 30,
        "runtime": "claude",
        "prompt": "Summarise what is new in this folder.",
        "cwd": "/home/me/notes",
    }
    return {**whole, **changes}


def made(served: Served, schedule: Mapping[str, Any], **changes: Any) -> None:
    """It exists, made by the action for routines of any family."""
    asked = {"adoptionKey": "adopt:scene:0001", "routine": _ours(schedule, **changes)}
    reply = ask(served, DESKTOP + "routine.create.v1", asked)
    assert reply.status == 200, reply.body


_MONTHLY = {"kind": "cadence", "mode": "monthly", "anchor": "2026-10-31T09:00:00", "timezone": "Europe/Lisbon"}
_FILE = {"kind": "file", "path": "/home/me/notes/new.txt", "mode": "append"}


def _routine_create(served: Served) -> Request:
    schedule = {**_MONTHLY, "until": "2027-10-31T09:00:00", "maxRuns": 10, "catchUp": "run-all"}
    retry = {"maxAttempts": 3, "backoffPolicy": "fixed", "backoffSeconds": 30}
    more = {"retry": {**retry, "retryableClasses": ["runtime_unavailable"]}, "familiarId": "charm", "model": "large"}
    whole = _ours(schedule, **more, tags=["notes"], secrets=["NOTES_TOKEN"], delivery=_FILE)
    return {"adoptionKey": KEY, "routine": whole}


def _routine_revise(served: Served) -> Request:
    made(served, _MONTHLY)
    schedule = {"kind": "cron", "expression": "30 9 * * mon-fri", "timezone": "local"}
    return {"adoptionKey": KEY, "routine": _ours(schedule, delivery=_FILE), "expectedRevision": 1}


def _routine_get(served: Served) -> Request:
    made(served, _MONTHLY)
    return {"automationId": "morning-notes"}


def _routine_enable(served: Served) -> Request:
    made(served, {**_MONTHLY, "mode": "daily", "anchor": "2026-09-01T11:00:00", "maxRuns": 1})
    served.bench.advance(2 * HOUR)
    served.bench.end()
    asked = {"adoptionKey": KEY, "automationId": "morning-notes", "expectedRevision": 2}
    return {**asked, "anchor": "2026-10-01T11:00:00", "until": "2026-10-31T11:00:00", "maxRuns": 20}


def _routine_settings(served: Served) -> Request:
    created(served)
    settings = {"environment": {"LEVEL": "brief"}, "secrets": ["NOTES_TOKEN"]}
    return {"adoptionKey": KEY, "automationId": "morning-notes", "settings": settings, "expectedRevision": 0}


def _runtimes(served: Served) -> Request:
    served.bench.runtime.runtimes = (
        KnownRuntime(
            name="claude",
            source="built-in",
            argv=("claude", "-p"),
            model_argv=("--model", "{model}"),
            prompt="stdin",
            executable="/home/ada/.local/bin/claude",
            verified="--help of Claude Code 2.1.197, 2026-11-30",
            environment=(),
            secrets=("ANTHROPIC_API_KEY",),
            grace_ms=10_000,
            linger_ms=2_000,
            output_limit=10 << 20,
        ),
    )
    served.bench.runtime.runtime_problems = (("notes", "runtimes.toml line 3: runtime `notes` needs argv."),)
    return {}


def _preview(served: Served) -> Request:
    schedule = {"kind": "cadence", "mode": "monthly", "anchor": "2027-01-31T02:30:00", "timezone": "Europe/Lisbon"}
    return {"schedule": {**schedule, "catchUp": "skip"}, "count": 3, "from": "2027-01-31T02:30:00Z"}


def _explain(served: Served) -> Request:
    return {"schedule": {"kind": "cron", "expression": "30 */2 13 * fri", "timezone": "Europe/Lisbon"}}


def _exported(served: Served) -> Request:
    created(served)
    return {"ids": ["morning-notes"]}


def _import(served: Served) -> Request:
    created(served)
    document = served.post({"action": DESKTOP + "export.v1"}).body["event"]["payload"]
    schedule = {"kind": "cron", "expression": "30 7 * * mon-fri", "timezone": "Europe/Lisbon"}
    definition = {
        "schemaVersion": "coven.desktop.routine.v1",
        "id": "backup",
        "name": "Backup",
        "status": "ACTIVE",
        "schedule": schedule,
        "runtime": "shell",
        "prompt": "backup --all",
        "cwd": "/home/me",
        "timeoutMinutes": 60,
    }
    settings = {"environment": {"LEVEL": "brief"}, "secrets": ["BACKUP_TOKEN"]}
    other = {"family": "cron", "managed": "v1", "definition": definition, "settings": settings}
    return {"adoptionKey": KEY, "document": {**document, "routines": [*document["routines"], other]}, "dryRun": False}


_CRONTAB = """\
MAILTO=me
# what is new
30 7 * * mon-fri cd ~/notes && make today
CRON_TZ=Europe/Paris
LEVEL=brief
0 9 1 * * backup --all > /dev/null 2>&1
@daily rotate-logs
"""


def _crontab(served: Served) -> Request:
    asked = {"crontab": _CRONTAB.split("\n")[2] + "\n"}
    served.post({"action": DESKTOP + "crontab.import.v1", "adoptionKey": "adopt:scene:0001", **asked})
    return {"adoptionKey": KEY, "crontab": _CRONTAB, "dryRun": False}


def _raise_window(served: Served) -> Request:
    return {"activationToken": "kwin-7"}


AUTOMATIONS = "coven.automations."


def _pause_all(served: Served) -> Request:
    return {"adoptionKey": KEY, "until": "2026-09-01T18:00:00Z"}


def _resume_all(served: Served) -> Request:
    served.post({"action": DESKTOP + "pauseAll.v1", "adoptionKey": "adopt:scene:0001"})
    return {"adoptionKey": KEY}


DESKTOP = "coven.desktop."
SCENES: Mapping[str, Callable[[Served], Request]] = {
    AUTOMATIONS + "list": _listed,
    AUTOMATIONS + "get": _named,
    AUTOMATIONS + "create": _create,
    AUTOMATIONS + "update": _update,
    AUTOMATIONS + "delete": _delete,
    AUTOMATIONS + "definition.list.v1": _definition_list,
    AUTOMATIONS + "definition.get.v1": _named,
    AUTOMATIONS + "definition.create.v1": _definition_create,
    AUTOMATIONS + "definition.revise.v1": _definition_revise,
    AUTOMATIONS + "definition.activate.v1": _moved("PAUSED"),
    AUTOMATIONS + "definition.pause.v1": _moved(),
    AUTOMATIONS + "definition.disable.v1": _moved(),
    AUTOMATIONS + "definition.tombstone.v1": _moved(reason=False),
    AUTOMATIONS + "unquarantine": _quarantined,
    AUTOMATIONS + "tick": _tick,
    AUTOMATIONS + "run": _named,
    AUTOMATIONS + "occurrence.runNow.v1": _run_now,
    AUTOMATIONS + "occurrence.cancel.v1": _cancel_occurrence,
    AUTOMATIONS + "attempt.cancel.v1": _cancel_attempt,
    AUTOMATIONS + "run.cancel.v1": _cancel_run,
    AUTOMATIONS + "attempt.retry.v1": _retry,
    AUTOMATIONS + "occurrence.recover.v1": _recover,
    AUTOMATIONS + "runs": _runs,
    AUTOMATIONS + "health": _named,
    AUTOMATIONS + "scheduler.status.v1": _listed,
    AUTOMATIONS + "occurrence.list.v1": _occurrence_list,
    AUTOMATIONS + "occurrence.get.v1": _occurrence_get,
    AUTOMATIONS + "run.get.v1": _run_get,
    AUTOMATIONS + "definition.health.v1": _named,
    AUTOMATIONS + "command.v1": _command,
    AUTOMATIONS + "import": _importable,
    AUTOMATIONS + "legacy.import.v1": _legacy_import,
    AUTOMATIONS + "receipt.get.v1": _receipt_get,
    AUTOMATIONS + "events.read.v1": _events_read,
    AUTOMATIONS + "events.subscribe.v1": _events_subscribe,
    AUTOMATIONS + "run.history.v1": _run_history,
    AUTOMATIONS + "occurrence.history.v1": _occurrence_history,
    "coven.capabilities.refresh": _nothing,
    DESKTOP + "events.wait.v1": _events_wait,
    DESKTOP + "state.v1": _state,
    DESKTOP + "routine.list.v1": _routine_list,
    DESKTOP + "routine.create.v1": _routine_create,
    DESKTOP + "routine.revise.v1": _routine_revise,
    DESKTOP + "routine.get.v1": _routine_get,
    DESKTOP + "routine.enable.v1": _routine_enable,
    DESKTOP + "routine.settings.v1": _routine_settings,
    DESKTOP + "runtimes.list.v1": _runtimes,
    DESKTOP + "pauseAll.v1": _pause_all,
    DESKTOP + "resumeAll.v1": _resume_all,
    DESKTOP + "schedule.preview.v1": _preview,
    DESKTOP + "schedule.explain.v1": _explain,
    DESKTOP + "export.v1": _exported,
    DESKTOP + "import.v1": _import,
    DESKTOP + "crontab.import.v1": _crontab,
    DESKTOP + "window.raise.v1": _raise_window,
}


@contextmanager
def counted_ids() -> Iterator[None]:
    """Ids are the same in every run: they come of a count."""
    numbers = itertools.count(1)

    def next_id() -> uuid.UUID:
        return uuid.UUID(bytes=hashlib.sha256(str(next(numbers)).encode()).digest()[:16], version=4)

    made = SimpleNamespace(uuid4=next_id)
    with patch.object(ids, "uuid", made), patch.object(engine, "uuid", made):
        yield


@contextmanager
def stage(root: Path) -> Iterator[Served]:
    """A house of its own for one scene."""
    # the person's own files are not looked at, and the zone of the machine is known
    person = patch.dict(os.environ, HOME=str(root / "person"), TZ="Europe/Lisbon")
    # an example says the same whatever time zone data the machine has
    data = SimpleNamespace(version="2026a")
    previewed = patch.object(preview, "zone_data", lambda: data)
    told = patch.object(desktop_routines, "zone_data", lambda: data)
    with counted_ids(), person, previewed, told:
        served = Served(root / "home")
        try:
            yield served
        finally:
            served.close()


def ask(served: Served, action: str, members: Mapping[str, Any]) -> Reply:
    """One request."""
    return served.post({"action": action, **members})


def play(action: str, root: Path) -> dict[str, Any]:
    """The example of one action: its request and the whole body of its answer."""
    with stage(root) as served:
        members = SCENES[action](served)
        reply = ask(served, action, members)
        assert reply.status == 200, reply.body
        return {"request": {"action": action, **members}, "answer": reply.body}


def _record() -> None:
    found: dict[str, Any] = {}
    for action in actions.ALL:
        with tempfile.TemporaryDirectory() as root:
            found[action] = play(action, Path(root))
    EXAMPLES.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    _record()
