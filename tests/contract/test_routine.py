"""Routines of our own form, of every family, as they are sent and as they are stored (design/schedules.md, Shapes)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from coven_desktop.contract import routine
from coven_desktop.contract.definition import Definition, DefinitionError
from coven_desktop.contract.routine import Routine

CRON = {"kind": "cron", "expression": "*/5 9-17 * * mon-fri", "timezone": "Europe/Paris"}
CADENCE = {"kind": "cadence", "mode": "daily", "anchor": "2026-09-01T07:30:00", "timezone": "Europe/Paris"}
RRULE = {"kind": "rrule", "rrule": "FREQ=DAILY;BYHOUR=9", "timezone": "Europe/Paris"}


def whole(**changes: Any) -> dict[str, Any]:
    """A routine; a change to None leaves a member out."""
    given = {
        "schemaVersion": "coven.desktop.routine.v1",
        "id": "report",
        "name": "Report",
        "status": "ACTIVE",
        "schedule": CRON,
        "runtime": "shell",
        "prompt": "make report",
        "cwd": "/tmp",
        "timeoutMinutes": 30,
    }
    return {name: value for name, value in (given | changes).items() if value is not None}


def fault(**changes: Any) -> DefinitionError:
    with pytest.raises(DefinitionError) as caught:
        routine.parse(whole(**changes))
    return caught.value


@pytest.mark.parametrize("schedule", [CRON, CADENCE])
def test_what_was_stored_is_read_again(schedule: dict[str, Any]) -> None:
    made = routine.parse(
        whole(
            schedule=schedule,
            retry={"maxAttempts": 3, "backoffPolicy": "fixed", "backoffSeconds": 5},
            tags=["work"],
            model="small",
            familiarId="owl",
            secrets=["TOKEN"],
        )
    )
    assert isinstance(made, Routine)
    assert routine.from_stored(routine.stored_json(made)) == made
    assert routine.kind_of(made) == schedule["kind"]
    assert list(routine.stored(made)) == sorted(routine.stored(made))


def test_defaults_and_nulls_are_left_out_and_the_policy_is_said() -> None:
    made = routine.parse(whole(schedule={**CADENCE, "until": None}, model=None))
    assert routine.stored(made) == whole(schedule={**CADENCE, "catchUp": "run-once"})


def test_local_is_stored_as_the_exact_zone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "America/St_Johns")
    made = routine.parse(whole(schedule={**CRON, "timezone": "local"}))
    assert isinstance(made, Routine)
    assert made.schedule["timezone"] == "America/St_Johns"


def test_an_rrule_is_a_routine_of_the_contract() -> None:
    made = routine.parse(whole(schedule=RRULE, tags=["work"]))
    assert isinstance(made, Definition)
    assert (made.rrule, made.timezone, made.tags) == ("FREQ=DAILY;BYHOUR=9", "Europe/Paris", ("work",))
    assert routine.from_stored(routine.stored_json(made)) == made
    assert routine.kind_of(made) == "rrule"


@pytest.mark.parametrize(
    ("field", "changes"),
    [
        ("schemaVersion", {"schemaVersion": 1}),
        ("rrule", {"rrule": "FREQ=DAILY"}),
        ("timezone", {"timezone": "utc"}),
        ("id", {"id": None}),
        ("id", {"id": "-x"}),
        ("name", {"name": " "}),
        ("status", {"status": "active"}),
        ("timeoutMinutes", {"timeoutMinutes": 0}),
        ("timeoutMinutes", {"timeoutMinutes": True}),
        ("runtime", {"runtime": ""}),
        ("prompt", {"prompt": ""}),
        ("retry.maxAttempts", {"retry": {"maxAttempts": 11, "backoffPolicy": "none"}}),
        ("schedule", {"schedule": None}),
        ("schedule", {"schedule": "0 9 * * *"}),
        ("schedule.kind", {"schedule": {"timezone": "utc"}}),
        ("schedule.expression", {"schedule": {**CRON, "expression": "5/15 * * * *"}}),
        ("schedule.timezone", {"schedule": {**CRON, "timezone": "Europe/Nowhere"}}),
        ("schedule.anchor", {"schedule": {**CADENCE, "anchor": None}}),
        ("schedule.catchUp", {"schedule": {**CADENCE, "catchUp": "all"}}),
        ("schedule.maxRuns", {"schedule": {**CADENCE, "maxRuns": 0}}),
        ("schedule.surprise", {"schedule": {**CADENCE, "surprise": 1}}),
        ("schedule.rrule", {"schedule": {**RRULE, "rrule": "FREQ=HOURLY"}}),
        ("delivery", {"schedule": RRULE, "delivery": {"kind": "notification"}}),
        ("delivery.kind", {"delivery": {"kind": "mail"}}),
        ("secrets", {"secrets": ["MY-TOKEN"]}),
        ("secrets", {"secrets": "TOKEN"}),
        ("secrets", {"schedule": RRULE, "secrets": ["TOKEN"]}),
    ],
)
def test_what_is_wrong_is_named(field: str, changes: dict[str, Any]) -> None:
    found = fault(**changes)
    assert found.field == field
    assert found.message.startswith("routine definition failed validation: ")
    assert found.message.count("failed validation: routine") == 0


def test_what_was_meant_is_suggested() -> None:
    assert fault(schedule={**CRON, "expression": "5/15 * * * *"}).suggestion == "5-59/15 * * * *"
    assert fault(promt="x").suggestion == "prompt"


def test_another_status_is_another_digest() -> None:
    made = routine.parse(whole())
    paused = routine.with_status(made, "PAUSED")
    assert paused.status == "PAUSED"
    assert routine.digest_of(paused) != routine.digest_of(made)
    assert json.loads(routine.stored_json(paused))["status"] == "PAUSED"
