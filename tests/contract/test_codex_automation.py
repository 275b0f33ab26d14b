"""What becomes of the text of a Codex automation (contract/engine.md §12)."""

from __future__ import annotations

from typing import Any

import pytest

from coven_desktop.contract.codex_automation import Automation, NotAutomation, NotCarried, read, routine_of
from coven_desktop.contract.definition import stored

WHOLE = '''
version = 1
id = "tide-table"
name = "Tide table"
prompt = """
Read the tides.
"""
status = "ACTIVE"
rrule = "RRULE:FREQ=WEEKLY;BYHOUR=7;BYMINUTE=0;BYDAY=MO,FR"
model = "large"
cwds = ["/srv/tides"]
created_at = 1788080400000
'''


def automation(**changes: Any) -> Automation:
    members: dict[str, Any] = {"id": "tide", "name": "Tide", "rrule": "FREQ=DAILY", "prompt": "Read."}
    return Automation(**(members | changes))


def test_what_is_taken_of_a_file() -> None:
    found = read(WHOLE, "folder")
    assert found == Automation(
        id="tide-table",
        name="Tide table",
        rrule="RRULE:FREQ=WEEKLY;BYHOUR=7;BYMINUTE=0;BYDAY=MO,FR",
        prompt="Read the tides.\n",
    )
    assert stored(routine_of(found)) == {
        "id": "tide-table",
        "misfire": "latest",
        "name": "Tide table",
        "overlap": "forbid",
        "prompt": "Read the tides.\n",
        "rrule": "FREQ=WEEKLY;BYHOUR=7;BYDAY=MO,FR",
        "runtime": "coven-code",
        "schemaVersion": 1,
        "status": "PAUSED",
        "timeoutMinutes": 60,
        "timezone": "local",
    }


def test_what_is_not_there_has_its_default() -> None:
    assert read("", "folder") == Automation(id="folder", name="folder", rrule=None, prompt=None)
    assert read('id = "tide"', "folder") == Automation(id="tide", name="tide", rrule=None, prompt=None)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("id = 5", "id must be a string"),
        ('name = ["a"]', "name must be a string"),
        ("status = 1", "status must be a string"),
        ("rrule = true", "rrule must be a string"),
        ("prompt = 2026-01-01", "prompt must be a string"),
        ("id = ", "at end of document"),
        ("id = 'a'\nid = 'b'", "overwrite a value"),
        ("not toml", "line 1"),
        ("a = " + "[" * 100_000, "nested too deeply"),
    ],
)
def test_what_is_no_automation(text: str, said: str) -> None:
    with pytest.raises(NotAutomation, match=said):
        read(text, "folder")


@pytest.mark.parametrize(
    ("written", "rule"),
    [
        ("FREQ=DAILY", "FREQ=DAILY"),
        ("  RRULE:FREQ=DAILY;BYHOUR=9  ", "FREQ=DAILY;BYHOUR=9"),
        (";;FREQ=DAILY; ;BYHOUR=9;", "FREQ=DAILY;BYHOUR=9"),
        ("freq=daily; ByHour = 9 , 17 ;", "freq=daily; ByHour = 9 , 17 "),
        ("BYMINUTE=0;FREQ=DAILY;INTERVAL=1", "FREQ=DAILY"),
        ("BYHOUR=9;FREQ=WEEKLY;BYDAY=MON", "BYHOUR=9;FREQ=WEEKLY;BYDAY=MON"),
    ],
)
def test_schedules_that_are_carried(written: str, rule: str) -> None:
    assert routine_of(automation(rrule=written)).rrule == rule


@pytest.mark.parametrize(
    "written",
    [
        *("FREQ=DAILY;BYMINUTE=00", "FREQ=DAILY;BYMINUTE=30", "FREQ=DAILY;INTERVAL=2", "FREQ=DAILY;BYSECOND=0"),
        *(
            "FREQ=HOURLY",
            "FREQ=DAILY;COUNT=3",
            "FREQ=DAILY;BYDAY=MO",
            "FREQ=DAILY;BYHOUR=24",
            "BYHOUR=9",
            ";",
            "RRULE:",
        ),
        *("rrule:FREQ=DAILY", "RRULE:RRULE:FREQ=DAILY", "FREQ", "every day", "FREQ=DAILY;FREQ=DAILY"),
    ],
)
def test_schedules_that_are_not(written: str) -> None:
    with pytest.raises(NotCarried) as caught:
        routine_of(automation(rrule=written, prompt=None))
    assert str(caught.value) == f"unsupported schedule `{written}`"


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        # each has all the faults of those after it as well
        ({"rrule": None, "prompt": None, "id": "-"}, "no schedule"),
        ({"rrule": " ", "prompt": None, "id": "-"}, "no schedule"),
        ({"rrule": "FREQ=YEARLY", "prompt": None, "id": "-"}, "unsupported schedule `FREQ=YEARLY`"),
        ({"prompt": None, "id": "-"}, "no prompt"),
        ({"prompt": " \n", "id": "-"}, "no prompt"),
        ({"id": "-"}, "routine definition failed validation: id must be"),
        ({"id": "a b"}, "routine definition failed validation: id must be"),
        ({"name": ""}, "routine definition failed validation: name must not be blank"),
        ({"name": "n" * 161}, "routine definition failed validation: name must be at most 160 bytes"),
    ],
)
def test_what_is_not_carried(changes: dict[str, Any], why: str) -> None:
    with pytest.raises(NotCarried) as caught:
        routine_of(automation(**changes))
    assert str(caught.value).startswith(why)


def test_little_of_a_long_schedule_is_repeated() -> None:
    with pytest.raises(NotCarried) as caught:
        routine_of(automation(rrule="X" * 10_000))
    assert len(str(caught.value)) < 120
