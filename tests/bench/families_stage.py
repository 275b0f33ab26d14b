"""Stores of cadence and cron routines for the benches, filled past the commands: ten thousand would take minutes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from coven_desktop.clock import SystemClock
from coven_desktop.contract import routine, timestamps
from coven_desktop.engine import planning
from coven_desktop.schedule.cadence import CadenceSchedule
from coven_desktop.store import definitions, schedule_state
from coven_desktop.store.transactions import Store, Transaction

HOUR_MS = 3_600_000
IN_ONE_TRANSACTION = 1_000
# those that are due are due at this minute; those that are not, at others
MINUTE = 31


def at(instant: int) -> SystemClock:
    """A clock that shows this instant now."""
    return SystemClock(instant - SystemClock().wall())


def at_half_past() -> SystemClock:
    """A clock that stands half a minute after the half of this hour."""
    return at(SystemClock().wall() // HOUR_MS * HOUR_MS + HOUR_MS // 2 + 30_000)


def later(clock: SystemClock, milliseconds: int) -> SystemClock:
    """A clock that stands so much later than the hour's half, however long the filling took."""
    return at(at_half_past().wall() + milliseconds)


def fill(store: Store, count: int, due: int, now: int, folder: Path) -> None:
    """Save so many active routines at an instant: `due` of them have a slot within the next minute, the others later.

    Every other one is a cadence; all have a zone with clock changes.
    """
    for first in range(0, count, IN_ONE_TRANSACTION):
        with store.transaction(now) as tx:
            for number in range(first, min(count, first + IN_ONE_TRANSACTION)):
                minute = MINUTE if number < due else (MINUTE + 2 + number % 50) % 60
                schedule: dict[str, Any] = {"kind": "cron", "expression": f"{minute} * * * *"}
                if number % 2:
                    schedule = {"kind": "cadence", "mode": "hourly", "anchor": f"2020-01-01T00:{minute:02}:00"}
                _save(tx, f"r{number:06}", {**schedule, "timezone": "Europe/Paris"}, now, folder)


def save(store: Store, automation_id: str, schedule: Mapping[str, Any], now: int, folder: Path) -> None:
    """Save one active routine at an instant."""
    with store.transaction(now) as tx:
        _save(tx, automation_id, schedule, now, folder)


def _save(tx: Transaction, automation_id: str, schedule: Mapping[str, Any], now: int, folder: Path) -> None:
    made = routine.parse(
        {
            "schemaVersion": "coven.desktop.routine.v1",
            "id": automation_id,
            "name": automation_id,
            "status": "ACTIVE",
            "schedule": dict(schedule),
            "timeoutMinutes": 30,
            "runtime": "shell",
            "prompt": "true",
            "cwd": str(folder),
        }
    )
    slots = planning.schedule_of(made)
    since = slots.counts_from(now) if isinstance(slots, CadenceSchedule) else now
    definitions.commit(
        tx,
        None,
        "created",
        automation_id=automation_id,
        name=automation_id,
        body=routine.stored_json(made),
        digest=routine.digest_of(made),
        lifecycle="active",
        managed="v1",
        family=routine.kind_of(made),
        next_due_at=planning.next_due_text(made, since),
    )
    schedule_state.begin(tx, automation_id, timestamps.to_text(since))
