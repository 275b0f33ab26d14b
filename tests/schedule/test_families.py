"""Schedules by their documents: each family is read, and what does not belong is refused by its name."""

from __future__ import annotations

from typing import Any

import pytest

from coven_desktop.schedule import preview
from coven_desktop.schedule.errors import ScheduleError
from coven_desktop.schedule.families import read

CADENCE = {"kind": "cadence", "mode": "daily", "anchor": "2026-01-31T09:00:00", "timezone": "Europe/Paris"}
CRON = {"kind": "cron", "expression": "0 9 * * *", "timezone": "utc"}
RRULE = {"kind": "rrule", "rrule": "FREQ=DAILY", "timezone": "utc"}


@pytest.mark.parametrize("document", [CADENCE, CRON, RRULE])
def test_each_family_fires_at_nine(document: dict[str, Any]) -> None:
    found = read(document)
    assert found.kind == document["kind"]
    assert found.schedule.zone.name == document["timezone"]
    following = found.schedule.next_after(1_772_323_200_000)
    assert following is not None
    assert found.schedule.zone.local_of(following).wall.hour == 9


def test_what_a_cadence_has_beside_its_slots() -> None:
    assert read(CADENCE).catch_up == "run-once"
    found = read({**CADENCE, "catchUp": "run-all", "maxRuns": 3, "until": None})
    assert (found.catch_up, found.max_runs) == ("run-all", 3)
    assert (read(CRON).catch_up, read(CRON).max_runs) == (None, None)


def test_local_is_resolved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    assert read({**CRON, "timezone": "local"}).schedule.zone.name == "Asia/Tokyo"


@pytest.mark.parametrize(
    ("document", "field", "said", "suggestion"),
    [
        ({}, "kind", "one of rrule, cadence, cron, got nothing", None),
        ({"kind": "Cron"}, "kind", "got `Cron`", None),
        ({"kind": ["cron"]}, "kind", "got a list", None),
        ({**CRON, "rrule": "FREQ=DAILY"}, "rrule", "is no member of a schedule of kind cron", None),
        ({**RRULE, "catchUp": "skip"}, "catchUp", "is no member of a schedule of kind rrule", None),
        ({**CRON, "expression": 5}, "expression", "must be a string, got 5", None),
        ({**CADENCE, "maxRuns": True}, "maxRuns", "must be a whole number, got true", None),
        ({**CADENCE, "minutes": 2.5}, "minutes", "must be a whole number, got 2.5", None),
        ({"kind": "cron", "timezone": "utc"}, "expression", "is required", None),
        ({"kind": "cron", "expression": "0 9 * * *"}, "timezone", "is required", None),
        ({"kind": "cadence", "timezone": "utc"}, "mode", "is required", None),
        ({**RRULE, "rrule": "FREQ=DAILY;BYHOUR=+9"}, "rrule", "rrule failed validation: ", "FREQ=DAILY;BYHOUR=9"),
        ({**CRON, "timezone": "europe/paris"}, "timezone", "routine definition failed validation: ", "Europe/Paris"),
        ({**CRON, "expression": "@daily"}, "expression", "write 0 0 * * *", "0 0 * * *"),
        ({**CADENCE, "anchor": "2026-03-29T02:30:00"}, "anchor", "does not exist", "2026-03-29T03:00:00"),
        ({**CADENCE, "catchUp": "Run all"}, "catchUp", "must be one of skip, run-once, run-all", "run-all"),
        ({**CADENCE, "catchUp": "never"}, "catchUp", "got `never`", None),
    ],
)
def test_a_refusal_names_the_field(document: dict[str, Any], field: str, said: str, suggestion: str | None) -> None:
    with pytest.raises(ScheduleError) as caught:
        read(document)
    assert caught.value.field == field
    assert said in caught.value.message
    assert caught.value.suggestion == suggestion
    assert preview.refusal(caught.value) == {
        "error": {
            "code": "VALIDATION_FAILED",
            "message": caught.value.message,
            "field": field,
            "suggestion": suggestion,
        }
    }
