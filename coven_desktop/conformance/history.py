"""attempt-terminal-immutability, run-terminal-monotonicity and scheduler-leadership-fencing: what cannot be undone.

A forbidden change is tried through every door there is: the helper that writes all states, and a bare statement.
"""

from __future__ import annotations

import contextlib
from collections import deque
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

from coven_desktop.conformance.inputs import CannotCompute, Inputs
from coven_desktop.conformance.stage import DAY_MS, Stage, definition, establish, one_pass, stage
from coven_desktop.contract import states
from coven_desktop.desktop import single_instance
from coven_desktop.engine.commands import execution
from coven_desktop.engine.core import StaleLeadership
from coven_desktop.engine.engine import Engine
from coven_desktop.loop.manual import START_MS
from coven_desktop.runtime.sessions import LaunchSpec
from coven_desktop.store import runs, transitions
from coven_desktop.store.errors import StoreBug
from coven_desktop.store.transactions import Transaction
from coven_desktop.store.transitions import Entity


def attempts(case: Inputs) -> dict[str, Any]:
    """An attempt in its first state, which is then to be changed and deleted."""
    first = case.choice("firstState", states.STATES["attempt"])
    attempted = case.choice("attemptedState", states.STATES["attempt"])
    with _launched() as (made, engine, spec):
        stored = runs.attempt(made.store, spec.attempt_id)
        _walk(engine, "attempt", spec.attempt_id, stored.state if stored is not None else "", first)
        return {
            "updateCommitted": _any_committed(
                engine,
                lambda tx: transitions.move(tx, "attempt", spec.attempt_id, (first,), attempted),
                lambda tx: tx.change("UPDATE attempts SET state = ? WHERE id = ?", (attempted, spec.attempt_id)),
            ),
            "deleteCommitted": _any_committed(
                engine, lambda tx: tx.change("DELETE FROM attempts WHERE id = ?", (spec.attempt_id,))
            ),
            "finalState": made.store.query("SELECT state FROM attempts WHERE id = ?", (spec.attempt_id,))[0][0],
        }


def run_status(case: Inputs) -> dict[str, Any]:
    """A run that gets its first status, and then another one."""
    first = case.choice("firstStatus", states.STATES["run"])
    replay = case.choice("replayStatus", states.STATES["run"])
    with _launched() as (made, engine, spec):

        def commit(source: str, target: str) -> bool:
            return _any_committed(
                engine,
                lambda tx: transitions.move(tx, "run", spec.run_id, (source,), target),
                lambda tx: tx.change("UPDATE runs SET status = ? WHERE id = ?", (target, spec.run_id)),
            )

        return {
            "firstCommitted": commit("running", first),
            "replayCommitted": commit(first, replay),
            "finalStatus": made.store.query("SELECT status FROM runs WHERE id = ?", (spec.run_id,))[0][0],
        }


def leadership(case: Inputs) -> dict[str, Any]:
    """Two engines that want to lead one home, at the same time or one after the other.

    `restart_advances_generation`: the first has stopped in order. `stale_fence_rejected`: it lost its home and does
    not know it yet.
    """
    scenario = case.choice("scenario", ("exclusive_acquisition", "restart_advances_generation", "stale_fence_rejected"))
    with stage(case.instant("firstAcquiredAt")) as made, contextlib.ExitStack() as held:
        first_lock = _lock(made, held)
        if first_lock is None:
            raise CannotCompute("the first engine did not get its home")
        if scenario == "restart_advances_generation":
            with made.at_work() as first:
                made.turn()
        else:
            first = made.leading()
        if scenario != "exclusive_acquisition":
            first_lock.release()
        made.at(case.instant("secondAttemptAt"))
        second: Engine | None = None
        if _lock(made, held) is not None:
            other = made.reopen()
            held.callback(other.close)
            second = other.leading()
        stale, current = not _ticks(first), second is not None and _ticks(second)
        if second is None:
            outcome = "second_acquisition_refused"
        elif scenario == "stale_fence_rejected":
            outcome = "stale_tick_rejected" if stale else "stale_tick_accepted"
        else:
            outcome = "generation_advanced" if second.core.generation > first.core.generation else "generation_kept"
        return {
            "outcome": outcome,
            "firstGeneration": first.core.generation,
            "secondGeneration": second.core.generation if second is not None else None,
            "firstFenceCurrent": _leads(first),
            "secondFenceCurrent": second is not None and _leads(second),
            "staleTickRejected": stale,
            "currentTickAccepted": current,
        }


def _lock(made: Stage, held: contextlib.ExitStack) -> single_instance.HomeLock | None:
    """The lock that an app holds on its home for as long as it lives; None when another app has it."""
    lock = single_instance.lock(made.home)
    if lock is not None:
        held.callback(lock.release)
    return lock


def _leads(engine: Engine) -> bool:
    try:
        with engine.core.change():
            return True
    except StaleLeadership:
        return False


def _ticks(engine: Engine) -> bool:
    try:
        execution.tick(engine, {})
    except StaleLeadership:
        return False
    return True


@contextlib.contextmanager
def _launched() -> Iterator[tuple[Stage, Engine, LaunchSpec]]:
    """A run that is running, its first attempt dispatching."""
    with stage(START_MS - DAY_MS) as made:
        engine = made.leading()
        establish(engine, definition())
        made.at(START_MS)
        one_pass(engine)
        if not made.runtime.launched:
            raise CannotCompute("no run was started")
        yield made, engine, made.runtime.launched[0]


def _any_committed(engine: Engine, *ways: Callable[[Transaction], int | bool]) -> bool:
    """Try each way in a transaction of its own; whether one of them changed something."""
    committed = []
    for way in ways:
        try:
            with engine.core.change() as tx:
                committed.append(bool(way(tx)))
        except StoreBug:  # what the helper or the database refuses
            committed.append(False)
    return any(committed)


def _walk(engine: Engine, entity: Entity, entity_id: str, source: str, target: str) -> None:
    """Bring an entity into a state along recorded moves."""
    ways = {source: [source]}
    reached = deque([source])
    while reached:
        state = reached.popleft()
        for move in states.MOVES:
            if move.entity == entity and move.recorded and move.source == state and move.target not in ways:
                ways[move.target] = [*ways[state], move.target]
                reached.append(move.target)
    if target not in ways:
        raise CannotCompute(f"no recorded move leads from {source} to {target}")
    with engine.core.change() as tx:
        for one, other in pairwise(ways[target]):
            transitions.must_move(tx, entity, entity_id, (one,), other)
