"""Schedules in words."""

from __future__ import annotations

from typing import Any

import pytest

from coven_desktop.schedule import cadence, cron
from coven_desktop.schedule.explaining import explained
from coven_desktop.schedule.rrule import parse, schedule
from coven_desktop.schedule.words import words


@pytest.mark.parametrize(
    ("rule", "zone", "expected"),
    [
        ("FREQ=DAILY;BYHOUR=9,17", "Europe/Paris", "Every day at 09:00 and 17:00 (Europe/Paris)"),
        ("FREQ=DAILY", "utc", "Every day at 09:00 (UTC)"),
        ("FREQ=DAILY;BYHOUR=0,6,12", "UTC", "Every day at 00:00, 06:00 and 12:00 (UTC)"),
        ("FREQ=DAILY;BYHOUR=9,10,11", "utc", "Every day at 09:00, 10:00 and 11:00 (UTC)"),
        ("FREQ=DAILY;BYHOUR=12,9,10,11", "utc", "Every day at every full hour from 09:00 to 12:00 (UTC)"),
        ("FREQ=DAILY;BYHOUR=" + ",".join(map(str, range(24))), "utc", "Every day at every full hour (UTC)"),
        ("FREQ=WEEKLY", "utc", "Every Monday at 09:00 (UTC)"),
        ("FREQ=WEEKLY;BYDAY=SU,SA", "utc", "Every Saturday and Sunday at 09:00 (UTC)"),
        ("FREQ=WEEKLY;BYDAY=FR,MO,WE", "utc", "Every Monday, Wednesday and Friday at 09:00 (UTC)"),
        ("FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "utc", "Every Monday to Friday at 09:00 (UTC)"),
        ("FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA,SU", "utc", "Every day at 09:00 (UTC)"),
    ],
)
def test_words(rule: str, zone: str, expected: str) -> None:
    assert words(parse(rule), zone) == expected


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("0 9 * * *", "Every day at 09:00"),
        ("0 9,17 * * mon-fri", "At 09:00 and 17:00, Monday through Friday"),
        ("*/5 9-17 * * 1-5", "Every 5 minutes, between 09:00 and 17:59, Monday through Friday"),
        ("0,30 9 * * *", "Every day at 09:00 and 09:30"),
        ("0 22-23,0-2 * * *", "Every day at 00:00, 01:00, 02:00, 22:00 and 23:00"),
        ("5 9-17 * * *", "Every hour from 09:05 to 17:05"),
        ("0 */2 * * *", "Every 2 hours"),
        ("*,5 * * * *", "Every minute"),
        ("*/40 * * * *", "At 0 and 40 minutes past the hour"),  # not every 40 minutes
        ("0 0 29 2 *", "At 00:00, on day 29 of the month, only in February"),
        ("0 0 13 * 5", "At 00:00, on day 13 of the month or on Friday"),
        ("0 0 13 * */5", "At 00:00, on day 13 of the month and only if that is Sunday or Friday"),
        ("0 0 * * 0-7", "Every day at 00:00"),
    ],
)
def test_cron_in_words(expression: str, expected: str) -> None:
    assert explained(cron.schedule(expression, "Europe/Paris")).words == f"{expected} (Europe/Paris)"


def test_the_day_rule_and_the_changes_of_clocks_are_sentences_of_their_own() -> None:
    either, forward, back = explained(cron.schedule("0 0 13 * 5", "Europe/Paris")).sentences
    assert "Either day field is enough" in either
    assert "one run at that moment stands for all" in forward
    assert "the first time only" in back
    both, _, back = explained(cron.schedule("0 * */2 * 5", "Europe/Paris")).sentences
    assert "Both day fields must match" in both
    assert "run both times, because the hour field starts with *" in back
    assert len(explained(cron.schedule("0 0 13 * *", "Europe/Paris")).sentences) == 2
    assert explained(cron.schedule("0 0 13 * *", "utc")).sentences == ()  # UTC has no changes
    (rule,) = explained(schedule("FREQ=DAILY", "Europe/Paris")).sentences
    assert "does not run" in rule


@pytest.mark.parametrize(
    ("members", "expected"),
    [
        ({"mode": "hourly", "anchor": "2026-01-31T09:00:00"}, "Every hour, on the hour"),
        ({"mode": "hourly", "anchor": "2026-01-31T09:15:00"}, "Every hour at minute 15"),
        ({"mode": "daily", "anchor": "2026-01-31T09:15:30"}, "Every day at 09:15:30"),
        ({"mode": "weekly", "anchor": "2026-01-31T09:15:00"}, "Every Saturday at 09:15"),
        (
            {"mode": "monthly", "anchor": "2026-01-31T09:15:00"},
            "Every month on day 31 at 09:15, in shorter months on their last day",
        ),
        ({"mode": "monthly", "anchor": "2026-01-28T09:15:00"}, "Every month on day 28 at 09:15"),
        ({"mode": "yearly", "anchor": "2026-01-31T09:15:00"}, "Every year on 31 January at 09:15"),
        (
            {"mode": "yearly", "anchor": "2028-02-29T09:15:00"},
            "Every year on 29 February at 09:15, in other years than leap years on 28 February",
        ),
        (
            {"mode": "every_n_minutes", "anchor": "2026-01-31T09:15:00", "minutes": 90},
            "Every 90 minutes, counted from 09:15 on Saturday 31 January 2026",
        ),
        ({"mode": "once", "anchor": "2026-01-31T09:15:00"}, "Once, at 09:15 on Saturday 31 January 2026"),
        ({"mode": "cron", "expression": "30 0 9 * * *"}, "Every day at 09:00:30"),
    ],
)
def test_cadences_in_words(members: dict[str, Any], expected: str) -> None:
    found = cadence.schedule(cadence.parse(timezone="Europe/Paris", **members))
    assert explained(found).words == f"{expected} (Europe/Paris)"


def test_the_bounds_of_a_cadence_are_told() -> None:
    found = cadence.parse(
        "weekly", "Europe/Paris", anchor="2026-01-31T09:15:00", until="2026-05-01T00:00:00Z", max_runs=3
    )
    assert explained(cadence.schedule(found)).sentences[1:] == (
        "It begins at 09:15 on Saturday 31 January 2026.",
        "It ends with 02:00 on Friday 1 May 2026: a run at that very time is the last.",
        "It ends after 3 runs.",
    )
