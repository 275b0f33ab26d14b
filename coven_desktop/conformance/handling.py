"""cadence-catch-up and cron-missed-and-overlap: what becomes of the slots of a cadence or cron routine.

A case saves a routine with its `schedule` at `createdAt`, in `status` (ACTIVE unless given), and then goes through
`steps`; with `beside`, a schedule too, another routine is saved before it. `places` is how many runs may go on at once
(0, no limit, unless given), `pauseAfterFailures` the setting of that name. The app is started the way it always is,
and what the sessions do is said by the steps, whose `of` is `own` (unless given) or `beside`:

- `wait` {until}: the app is there and time passes; `away` {until, sessions}: it quits and is started again then, while
  its sessions `live` on (unless given) or have `vanished`; `sleep` {until}: the machine sleeps; `setClock` {to};
- `end` {exitCode, times}: the oldest session that lives ends, again and again; `vanish`: it is gone without a trace;
  `stopped`: those that are being stopped are gone;
- `pause`, `activate`, `disable`, `revise` {schedule, prompt}, `enable` {anchor, until, maxRuns}, `runNow`, `cancel`
  (the oldest slot that is open), `pauseAll` {until}, `resumeAll`, `quarantine`, `release`: the commands of those names.

Told is, beside the outcome of each step, what the store has of the routine when the last one is done.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from typing import Any

from coven_desktop.conformance.inputs import CannotCompute, Inputs
from coven_desktop.conformance.stage import Stage, stage
from coven_desktop.contract.errors import Refusal, TypedRefusal
from coven_desktop.engine.answers import Answer, Pending
from coven_desktop.engine.commands import cancellation, desktop_routines, execution, pausing, quarantine, versioned
from coven_desktop.engine.engine import Engine
from coven_desktop.settings import Settings
from coven_desktop.store import definitions, retry_state

OWN, BESIDE = "conformance", "beside"
STEPS_LIMIT, TIMES_LIMIT = 64, 500


def handling(case: Inputs) -> dict[str, Any]:
    """What each step of a case comes to, and what is left of its routine."""
    steps = case.inner_list("steps")
    if len(steps) > STEPS_LIMIT:
        raise CannotCompute(f"a case has at most {STEPS_LIMIT} steps")
    settings = Settings(
        max_concurrent_runs=case.number("places") if "places" in case else 0,
        pause_after_failures=case.number("pauseAfterFailures") if "pauseAfterFailures" in case else 5,
    )
    with stage(case.instant("createdAt")) as made, ExitStack() as stack:
        life = _Life(made, settings, stack)
        if "beside" in case:
            life.save(BESIDE, case.members("beside"), "ACTIVE", 44_640)
        saved = life.save(
            OWN,
            case.members("schedule"),
            case.text("status") if "status" in case else "ACTIVE",
            case.number("timeoutMinutes") if "timeoutMinutes" in case else 30,
        )
        if saved["outcome"] != "done":
            return saved
        told = [life.go(step) for step in steps]
        return {"outcome": "done", "steps": told, **_left(life.app)}


class _Life:
    """One home, and the app that is on it at the moment."""

    def __init__(self, made: Stage, settings: Settings, stack: ExitStack) -> None:
        self.app = made
        self._settings = settings
        self._stack = stack
        self._numbers = itertools.count(1)
        self._start()

    def _start(self) -> None:
        self._at_work = self._stack.enter_context(ExitStack())
        self.engine: Engine = self._at_work.enter_context(self.app.at_work(self._settings))
        self.app.turn()

    def save(self, automation_id: str, schedule: Mapping[str, Any], status: str, minutes: int) -> dict[str, Any]:
        """Create a routine."""
        return self._told(desktop_routines.create, routine=_routine(automation_id, schedule, status, minutes))

    def go(self, step: Inputs) -> dict[str, Any]:
        """Carry out one step."""
        kind = step.choice("kind", (*_TIME, *_COMMANDS))
        if kind in _TIME:
            _TIME[kind](self, step)
            self.app.turn()
            return {"outcome": "done"}
        return _COMMANDS[kind](self, step)

    # time and the machine

    def wait(self, step: Inputs) -> None:
        """Time passes, from timer to timer."""
        self.app.loop.advance(step.instant("until") - self.app.clock.wall())

    def away(self, step: Inputs) -> None:
        """The app is not there for a while."""
        live = step.choice("sessions", ("live", "vanished")) == "live" if "sessions" in step else True
        before = self.app
        self._at_work.close()
        before.close()
        self.app = before.reopen()
        self._stack.callback(self.app.close)
        self.app.clock.advance(step.instant("until") - self.app.clock.wall())
        self.app.runtime.come_after(before.runtime, alive=live)
        self._start()

    def sleep(self, step: Inputs) -> None:
        """The machine sleeps, and says so when it is awake again."""
        self.app.at(step.instant("until"))
        self.engine.resumed()

    def set_clock(self, step: Inputs) -> None:
        """Somebody sets the clock."""
        self.app.at(step.instant("to"))

    def end(self, step: Inputs) -> None:
        """Commands end by themselves, the oldest first, and each time the app does what it does about it."""
        times = step.number("times") if "times" in step else 1
        if not 1 <= times <= TIMES_LIMIT:
            raise CannotCompute(f"`times` must be 1 to {TIMES_LIMIT}")
        for _ in range(times):
            self.app.runtime.end(self._oldest(step), step.number("exitCode") if "exitCode" in step else 0)
            self.app.turn()

    def vanish(self, step: Inputs) -> None:
        """A session is gone, and nobody knows what became of it."""
        self.app.runtime.vanish(self._oldest(step))

    def stopped(self, step: Inputs) -> None:
        """What is being stopped is gone."""
        self.app.runtime.prove_stops()

    def _oldest(self, step: Inputs) -> str:
        runtime, of = self.app.runtime, _of(step)
        for spec in runtime.launched:
            if spec.automation_id == of and spec.session_id in runtime.alive:
                return spec.session_id
        raise CannotCompute(f"no session of `{of}` lives")

    # what a person asks for

    def _told(self, command: Callable[[Engine, Mapping[str, Any]], Answer | Pending], **body: Any) -> dict[str, Any]:
        try:
            outcome = command(self.engine, {"adoptionKey": f"adopt:conformance:{next(self._numbers):04}", **body})
            self.app.turn()
            if isinstance(outcome, Pending) and isinstance(outcome.outcome, Exception):
                raise outcome.outcome
        except Refusal as refusal:
            code = str(refusal.code) if isinstance(refusal, TypedRefusal) else None
            details = refusal.details if isinstance(refusal, TypedRefusal) else None
            return {
                "outcome": "rejected",
                "code": code,
                "field": (details or {}).get("field"),
                "reason": refusal.reason,
            }
        return {"outcome": "done"}

    def move(self, step: Inputs) -> dict[str, Any]:
        """Pause, activate or disable."""
        of, command = _of(step), step.text("kind")
        return self._told(getattr(versioned, command), id=of, expectedRevision=self._row(of).revision)

    def revise(self, step: Inputs) -> dict[str, Any]:
        """Another schedule, or another prompt."""
        of = _of(step)
        before = desktop_routines.told(self.app.store, self._row(of))["routine"]
        changes: dict[str, Any] = {"schedule": step.members("schedule")} if "schedule" in step else {}
        changes |= {"prompt": step.text("prompt")} if "prompt" in step else {}
        revision = self._row(of).revision
        return self._told(desktop_routines.revise, routine={**before, **changes}, expectedRevision=revision)

    def enable(self, step: Inputs) -> dict[str, Any]:
        """Take it back after its end."""
        of = _of(step)
        body: dict[str, Any] = {name: step.text(name) for name in ("anchor", "until") if name in step}
        body |= {"maxRuns": step.number("maxRuns")} if "maxRuns" in step else {}
        return self._told(desktop_routines.enable, automationId=of, expectedRevision=self._row(of).revision, **body)

    def run_now(self, step: Inputs) -> dict[str, Any]:
        """Start it by hand."""
        action = "coven.automations.occurrence.runNow.v1"
        return self._told(execution.run_now, action=action, automationId=_of(step))

    def cancel(self, step: Inputs) -> dict[str, Any]:
        """Cancel its oldest slot that is open."""
        found = self.app.store.one(
            "SELECT id FROM occurrences WHERE automation_id = ? AND state IN ('planned', 'claimed', 'running')"
            " ORDER BY scheduled_for LIMIT 1",
            (_of(step),),
        )
        if found is None:
            raise CannotCompute("nothing is open that could be cancelled")
        action = "coven.automations.occurrence.cancel.v1"
        return self._told(cancellation.cancel_occurrence, action=action, occurrenceId=found[0])

    def pause_all(self, step: Inputs) -> dict[str, Any]:
        """Pause everything."""
        return self._told(pausing.pause_all, until=step.optional_text("until"))

    def resume_all(self, step: Inputs) -> dict[str, Any]:
        """Resume everything."""
        return self._told(pausing.resume_all)

    def quarantine(self, step: Inputs) -> dict[str, Any]:
        """Its retries are used up."""
        with self.engine.core.change() as tx:
            retry_state.record_exhaustion(tx, _of(step), "runtime_unavailable", "as the case says")
            definitions.set_next_due(tx, _of(step), None)
        return {"outcome": "done"}

    def release(self, step: Inputs) -> dict[str, Any]:
        """Release it by hand."""
        return self._told(quarantine.unquarantine, id=_of(step))

    def _row(self, automation_id: str) -> definitions.DefinitionRow:
        row = definitions.get(self.app.store, automation_id)
        if row is None:
            raise CannotCompute(f"there is no routine `{automation_id}`")
        return row


_TIME: Mapping[str, Callable[[_Life, Inputs], None]] = {
    "wait": _Life.wait,
    "away": _Life.away,
    "sleep": _Life.sleep,
    "setClock": _Life.set_clock,
    "end": _Life.end,
    "vanish": _Life.vanish,
    "stopped": _Life.stopped,
}
_COMMANDS: Mapping[str, Callable[[_Life, Inputs], dict[str, Any]]] = {
    "pause": _Life.move,
    "activate": _Life.move,
    "disable": _Life.move,
    "revise": _Life.revise,
    "enable": _Life.enable,
    "runNow": _Life.run_now,
    "cancel": _Life.cancel,
    "pauseAll": _Life.pause_all,
    "resumeAll": _Life.resume_all,
    "quarantine": _Life.quarantine,
    "release": _Life.release,
}


def _of(step: Inputs) -> str:
    return BESIDE if "of" in step and step.choice("of", ("own", "beside")) == "beside" else OWN


def _routine(automation_id: str, schedule: Mapping[str, Any], status: str, minutes: int) -> dict[str, Any]:
    return {
        "schemaVersion": "coven.desktop.routine.v1",
        "id": automation_id,
        "name": automation_id,
        "status": status,
        "schedule": dict(schedule),
        "timeoutMinutes": minutes,
        "runtime": "coven-code",
        "prompt": "Compute this case.",
        "cwd": "/",
    }


def _left(app: Stage) -> dict[str, Any]:
    """What the store has of the routine of the case.

    Its scheduled slots in order; what was told of those that did not run; how often each kind of slot is there; the
    order in which runs began; under which revision each run was queued and executed; and how the routine stands.
    """
    query = app.store.query
    of_own = f"o.automation_id = '{OWN}' AND o.kind = 'scheduled'"
    slots = query(
        "SELECT o.scheduled_for, o.state, o.reason_class, o.failure_reason, m.slots, m.first_slot, m.last_slot"
        f" FROM occurrences o LEFT JOIN missed_spans m ON m.occurrence_id = o.id WHERE {of_own}"
        " ORDER BY o.scheduled_for"
    )
    counts: dict[str, int] = {}
    for row in slots:
        name = row[1] if row[2] is None else f"{row[1]}: {row[2]}"
        counts[name] = counts.get(name, 0) + 1
    runs = query(
        "SELECT o.scheduled_for, o.automation_revision, r.automation_revision, r.status, o.kind FROM runs r"
        f" JOIN occurrences o ON o.id = r.occurrence_id WHERE o.automation_id = '{OWN}' ORDER BY r.number"
    )
    return {
        "occurrences": [{"scheduledFor": row[0], "state": row[1], "reasonClass": row[2]} for row in slots],
        "counts": counts,
        "reasons": [row[3] for row in slots],
        "records": [
            {"scheduledFor": row[0], "slots": row[4], "first": row[5], "last": row[6]} for row in slots if row[4]
        ],
        "misfires": [
            {"scheduledFor": row[0], "disposition": row[1], "collapsedSlots": row[2]}
            for row in query(
                "SELECT o.scheduled_for, json_extract(e.body, '$.payload.disposition'),"
                " json_extract(e.body, '$.payload.collapsedSlots') FROM events e JOIN occurrences o"
                f" ON o.id = e.stream_id WHERE e.kind = 'occurrence.misfire_recorded' AND {of_own} ORDER BY e.position"
            )
        ],
        "runs": [
            {"scheduledFor": row[0] if row[4] == "scheduled" else None, "status": row[3], "queued": row[1]}
            | {"executed": row[2]}
            for row in runs
        ],
        "launchCount": sum(spec.automation_id == OWN for spec in app.runtime.launched),
        "routine": _stands(app),
    }


def _stands(app: Stage) -> dict[str, Any]:
    row = definitions.get(app.store, OWN)
    if row is None:
        raise CannotCompute("the routine of the case is gone")
    told = desktop_routines.told(app.store, row)
    ((failures,),) = app.store.query(f"SELECT failures_in_a_row FROM schedule_state WHERE automation_id = '{OWN}'")
    names = ("revision", "lifecycleState", "runCount", "lastStatus", "nextDueAt")
    return {name: told[name] for name in names} | {
        "failuresInARow": failures,
        "changes": [
            kind
            for (kind,) in app.store.query(
                f"SELECT kind FROM events WHERE stream_kind = 'automation' AND stream_id = '{OWN}' ORDER BY position"
            )
        ],
    }
