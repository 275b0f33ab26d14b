"""Cadence and cron routines on a bench: their bodies, and what is left of them in the store."""

from __future__ import annotations

import itertools
from typing import Any

from coven_desktop.engine.commands import desktop_routines
from tests.engine.conftest import Bench

_keys = itertools.count(1)


def routine(schedule: dict[str, Any], automation_id: str = "report", **changes: Any) -> dict[str, Any]:
    """A routine of ours. A change to None leaves a member out."""
    whole = {
        "schemaVersion": "coven.desktop.routine.v1",
        "id": automation_id,
        "name": automation_id.title(),
        "status": "ACTIVE",
        "schedule": schedule,
        "timeoutMinutes": 30,
        "runtime": "shell",
        "prompt": "echo hello",
        "cwd": "/tmp",
    } | changes
    return {name: value for name, value in whole.items() if value is not None}


def cron(expression: str = "* * * * *", timezone: str = "utc") -> dict[str, Any]:
    """A cron schedule."""
    return {"kind": "cron", "expression": expression, "timezone": timezone}


def cadence(mode: str = "daily", anchor: str = "2026-09-01T10:00:00", **members: Any) -> dict[str, Any]:
    """A cadence, an hour after the bench's start unless said otherwise."""
    return {"kind": "cadence", "mode": mode, "anchor": anchor, "timezone": "utc", **members}


def fresh() -> str:
    """A key that was never used."""
    return f"adopt:families:{next(_keys):04}"


def create(bench: Bench, schedule: dict[str, Any], automation_id: str = "report", **changes: Any) -> dict[str, Any]:
    """Create a routine and let the engine turn; the result of the command."""
    body = {"adoptionKey": fresh(), "routine": routine(schedule, automation_id, **changes)}
    answer = desktop_routines.create(bench.engine, body)
    bench.turn()
    return answer.payload


def revise(bench: Bench, schedule: dict[str, Any], automation_id: str = "report", **changes: Any) -> dict[str, Any]:
    """Revise it at the revision that is stored."""
    body = {
        "adoptionKey": fresh(),
        "routine": routine(schedule, automation_id, **changes),
        "expectedRevision": bench.value(f"SELECT revision FROM definitions WHERE id = '{automation_id}'"),
    }
    answer = desktop_routines.revise(bench.engine, body)
    bench.turn()
    return answer.payload


def outcomes(bench: Bench, automation_id: str = "report") -> list[tuple[str, str, str | None]]:
    """Slot (its clock time), state and class of every scheduled occurrence, oldest first."""
    rows = bench.rows(
        "SELECT substr(scheduled_for, 6, 11), state, reason_class FROM occurrences"
        f" WHERE automation_id = '{automation_id}' AND kind = 'scheduled' ORDER BY scheduled_for"
    )
    return [(row[0], row[1], row[2]) for row in rows]


def stands(bench: Bench, automation_id: str = "report") -> tuple[str, int, str | None]:
    """Lifecycle, run count and timer."""
    (row,) = bench.rows(
        "SELECT d.lifecycle, s.runs_counted, d.next_due_at FROM definitions d"
        f" JOIN schedule_state s ON s.automation_id = d.id WHERE d.id = '{automation_id}'"
    )
    return (row[0], row[1], row[2])
