"""Retry policies, failing launches, and what is left of a run's attempts in the store."""

from __future__ import annotations

from typing import Any, NamedTuple

from coven_desktop.runtime.sessions import FailureClass, LaunchRefused
from coven_desktop.store import retry_state
from tests.engine.conftest import Bench

BUSY = LaunchRefused("transient_dispatch", "the machine is busy")
MISSING = LaunchRefused("runtime_unavailable", "the command was not found")
UNKNOWN = LaunchRefused("launch_refused", "the runtime is not known")


def policy(
    attempts: int = 3,
    backoff: str = "fixed",
    seconds: int | None = 10,
    classes: tuple[FailureClass | str, ...] = ("transient_dispatch",),
) -> dict[str, Any]:
    """A retry policy as it stands in a definition."""
    return {
        "maxAttempts": attempts,
        "backoffPolicy": backoff,
        "retryableClasses": list(classes),
        **({} if seconds is None else {"backoffSeconds": seconds}),
    }


class Attempt(NamedTuple):
    """One stored attempt."""

    number: int
    state: str
    classification: str
    prior: int | None
    disposition: str | None
    not_before: str
    fence: int
    dispatches: int
    failure_class: str | None
    reason: str | None
    session: str | None


def attempts(bench: Bench) -> list[Attempt]:
    """Every attempt of the one run there is, ascending."""
    return [
        Attempt(*row)
        for row in bench.rows(
            "SELECT attempt_number, state, retry_classification, prior_attempt_number, prior_disposition, not_before,"
            " occurrence_fence, dispatch_generation, failure_class, state_reason, session_id FROM attempts"
            " ORDER BY attempt_number"
        )
    ]


def states(bench: Bench) -> list[str]:
    """The states of the attempts, ascending."""
    return [attempt.state for attempt in attempts(bench)]


def quarantine(bench: Bench, automation_id: str = "notes") -> int:
    """Count an exhaustion of a routine, as an attempt of it would; returns how many there are now."""
    with bench.engine.core.change() as tx:
        return retry_state.record_exhaustion(tx, automation_id, "transient_dispatch", "used up")


def held_before_launch(bench: Bench, **changes: Any) -> str:
    """A run that is held because its launch was refused; returns its id."""
    bench.runtime.refuse = UNKNOWN
    bench.run_due(**changes)
    bench.runtime.refuse = None
    return str(bench.value("SELECT id FROM runs"))


def held_after_start(bench: Bench, exit_code: int = 3, **changes: Any) -> str:
    """A run that is held because its command failed; returns its id."""
    bench.run_due(**changes)
    bench.end(exit_code)
    return str(bench.value("SELECT id FROM runs"))


def everything(bench: Bench) -> list[list[tuple[Any, ...]]]:
    """All that the engine has written of routines, runs and commands."""
    tables = "definitions occurrences runs sessions attempts retry_state stop_fences cancellations events adoptions"
    return [bench.rows(f"SELECT * FROM {table}") for table in tables.split()]


def without_triggers(bench: Bench, *statements: str) -> None:
    """Write what the product never does: a row as another producer, or a fault, might have left it."""
    for (name,) in bench.rows("SELECT name FROM sqlite_schema WHERE type = 'trigger'"):
        bench.rows(f"DROP TRIGGER {name}")
    for statement in statements:
        bench.rows(statement)
