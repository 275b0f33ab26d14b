"""startup-reconciliation-wake: an engine that starts as the app starts it, works before it waits, and wakes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from coven_desktop.conformance.inputs import Inputs
from coven_desktop.conformance.stage import Stage, establish, stage
from coven_desktop.contract.errors import Refusal
from coven_desktop.engine.commands import definitions
from coven_desktop.engine.engine import Engine
from coven_desktop.store import definitions as stored
from coven_desktop.store import scheduler
from coven_desktop.store.scheduler import LastPass


def startup(case: Inputs) -> dict[str, Any]:
    """`startup_immediate_reconcile`, or `definition_change_wake`: a revision while the engine waits."""
    scenario = case.choice("scenario", ("startup_immediate_reconcile", "definition_change_wake"))
    revised = case.members("revisedDefinition") if scenario == "definition_change_wake" else None
    observed = case.instant("observedAt")
    changed = case.instant("changedAt") if revised is not None else observed
    with stage(case.instant("createdAt")) as made:
        routine = establish(made.leading(), case.members("definition"))
        made.at(min(observed, changed))
        app = made.reopen()
        try:
            with app.at_work() as engine:
                actual = _first_wait(app, engine)
                if revised is not None:
                    actual |= _woken(app, engine, revised, changed=changed, observed=observed)
                last = scheduler.last_pass(app.store)
                actual |= {
                    "launchCount": len(app.runtime.launched),
                    "finalRevision": _revision(app, routine),
                    "lastPassTrigger": last.trigger if last is not None else None,
                }
                app.turn()
        finally:
            app.close()
        return actual | {"occurrenceState": _state_after_restart(app, routine)}


def _first_wait(app: Stage, engine: Engine) -> dict[str, Any]:
    """What has happened when the engine waits for the first time."""
    app.loop.run_until(lambda: engine.waiting)
    last = scheduler.last_pass(app.store)
    reconciled = last is not None and last.trigger == "startup" and last.status == "succeeded"
    return {
        "outcome": "startup_reconciled" if reconciled else "startup_not_reconciled",
        # nothing here began a pass: if this engine recorded one, the app's own start did
        "productionStartPath": last is not None and last.generation == engine.core.generation,
        "systemWaitObserved": app.loop.next_timer() is not None,
        "launchedBeforeFirstWait": bool(app.runtime.launched),
    }


def _woken(app: Stage, engine: Engine, revised: Mapping[str, Any], *, changed: int, observed: int) -> dict[str, Any]:
    """Revise the routine while the engine waits, and let it do what it does about it."""
    app.turn()
    before = scheduler.last_pass(app.store)
    app.clock.advance(changed - app.clock.wall())
    try:
        definitions.update(engine, {"definition": dict(revised)})
        accepted = True
    except Refusal:
        accepted = False
    # the woken pass begins before any timer is looked at, and sees the later instant
    app.clock.advance(max(observed - changed, 0))
    app.turn()
    woken = _is_new(before, scheduler.last_pass(app.store))
    return {
        "outcome": "definition_change_woke_scheduler" if woken else "definition_change_did_not_wake",
        "actionAccepted": accepted,
        "wakeObserved": woken,
    }


def _is_new(before: LastPass | None, after: LastPass | None) -> bool:
    """Whether a wake has brought another pass."""
    if after is None or after.trigger != "wake":
        return False
    return before is None or asdict(before) != asdict(after)


def _revision(app: Stage, routine: str) -> int | None:
    row = stored.get(app.store, routine)
    return None if row is None else row.revision


def _state_after_restart(app: Stage, routine: str) -> str | None:
    """The newest occurrence once the next engine has looked for a session that is gone and left no evidence."""
    again = app.reopen()
    try:
        with again.at_work():
            row = again.store.one(
                "SELECT state FROM occurrences WHERE automation_id = ? ORDER BY scheduled_for DESC LIMIT 1", (routine,)
            )
    finally:
        again.close()
    return row[0] if row is not None else None
