"""Rules in words."""

from __future__ import annotations

import pytest

from coven_desktop.schedule.rrule import parse
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
