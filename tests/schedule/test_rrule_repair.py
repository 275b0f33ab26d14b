"""Suggestions: a whole rule that parses and means what was probably meant, or nothing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coven_desktop.schedule.rrule import RruleError, parse

EVERY_HOUR = "FREQ=DAILY;BYHOUR=" + ",".join(map(str, range(24)))


def suggestion(text: str) -> str | None:
    with pytest.raises(RruleError) as caught:
        parse(text)
    return caught.value.suggestion


@pytest.mark.parametrize(
    ("text", "instead"),
    [
        ("", "FREQ=DAILY;BYHOUR=9"),
        ("FREQ=DAILY;", "FREQ=DAILY"),
        ("FREQ=DAILY;;BYHOUR=8", "FREQ=DAILY;BYHOUR=8"),
        ("daily", "FREQ=DAILY"),
        ("FREQ:DAILY;BYHOUR:8", "FREQ=DAILY;BYHOUR=8"),
        ("FREQ=DAILY,BYHOUR=8", "FREQ=DAILY;BYHOUR=8"),
        ("FREQ=DAILY BYHOUR=8", "FREQ=DAILY;BYHOUR=8"),
        ("FREQ=", "FREQ=DAILY"),
        ("FREQ=DAILY;BYHOUR=", "FREQ=DAILY"),
        ("FREQ=DAILY;INTERVAL=1;WKST=MO;BYMINUTE=0;BYSECOND=0;BYHOUR=8", "FREQ=DAILY;BYHOUR=8"),
        ("RRULE:FREQ=WEEKLY;BYDAY=FR", "FREQ=WEEKLY;BYDAY=FR"),
        ("FREQ=DAILY;FREQ=DAILY", "FREQ=DAILY"),
        ("FREQ=DAILY;BYHOUR=9;BYHOUR=17", "FREQ=DAILY;BYHOUR=9,17"),
        ("FREQ=WEEKLY;BYDAY=MO;BYDAY=FR", "FREQ=WEEKLY;BYDAY=MO,FR"),
        ("FREQ=HOURLY", EVERY_HOUR),
        ("FREQ=HOURLY;BYHOUR=8,9", "FREQ=DAILY;BYHOUR=8,9"),
        ("BYHOUR=8,9;FREQ=HOURLY", "FREQ=DAILY;BYHOUR=8,9"),
        ("FREQ=DAİLY", "FREQ=DAILY"),
        ("FREQ=da\u0131ly", "FREQ=DAILY"),
        ("FREQ=\uff24\uff21\uff29\uff2c\uff39", "FREQ=DAILY"),
        ("FREQ=DAILY\0", "FREQ=DAILY"),
        ("BYHOUR=8", "FREQ=DAILY;BYHOUR=8"),
        ("BYDAY=MO", "FREQ=WEEKLY;BYDAY=MO"),
        ("FREQ=DAILY;BYHOUR=+9", "FREQ=DAILY;BYHOUR=9"),
        ("FREQ=DAILY;BYHOUR=9.0", "FREQ=DAILY;BYHOUR=9"),
        ("FREQ=DAILY;BYHOUR=09:00,5 pm", "FREQ=DAILY;BYHOUR=9,17"),
        ("FREQ=DAILY;BYHOUR=12am,12pm", "FREQ=DAILY;BYHOUR=0,12"),
        ("FREQ=DAILY;BYHOUR=9-12", "FREQ=DAILY;BYHOUR=9,10,11,12"),
        ("FREQ=DAILY;BYHOUR=\u0669", "FREQ=DAILY;BYHOUR=9"),
        ("FREQ=DAILY;BYHOUR=24", "FREQ=DAILY;BYHOUR=0"),
        ("FREQ=DAILY;BYHOUR=9,", "FREQ=DAILY;BYHOUR=9"),
        ("FREQ=DAILY;BYHOUR=9,09", "FREQ=DAILY;BYHOUR=9"),
        ("FREQ=WEEKLY;BYDAY=MONDAY,THUR", "FREQ=WEEKLY;BYDAY=MO,TH"),
        ("FREQ=WEEKLY;BYDAY=MO-FR", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"),
        ("FREQ=WEEKLY;BYDAY=SA-MO", "FREQ=WEEKLY;BYDAY=MO,SA,SU"),
        ("FREQ=WEEKLY;BYDAY=MO,MON", "FREQ=WEEKLY;BYDAY=MO"),
        ("FREQ=WEEKLY;BYDAY=MO,", "FREQ=WEEKLY;BYDAY=MO"),
        ("FREQ=DAILY;BYDAY=MO", "FREQ=WEEKLY;BYDAY=MO"),
        ("0 9 * * *", "FREQ=DAILY;BYHOUR=9"),
        ("0 9,17 * * 1-5", "FREQ=WEEKLY;BYHOUR=9,17;BYDAY=MO,TU,WE,TH,FR"),
        ("0 * * * *", EVERY_HOUR),
        ("0 8 * * sun,3", "FREQ=WEEKLY;BYHOUR=8;BYDAY=WE,SU"),
    ],
)
def test_what_to_write_instead(text: str, instead: str) -> None:
    assert suggestion(text) == instead


@pytest.mark.parametrize(
    "text",
    [
        "FREQ=MONTHLY",
        "FREQ=MINUTELY",
        "FREQ=DAILY;COUNT=3",
        "FREQ=DAILY;UNTIL=20270101T000000Z",
        "FREQ=DAILY;INTERVAL=2",
        "FREQ=DAILY;BYMINUTE=30",
        "FREQ=DAILY;FREQ=WEEKLY",
        "FREQ=DAILY;BYHOUR=25",
        "FREQ=WEEKLY;BYHOUR=24",
        "FREQ=DAILY;BYHOUR=24;BYDAY=MO",
        "FREQ=HOURLY;FREQ=DAILY",
        "0 9 * * 12",
        "0 9 * * 1-",
        "0 9 * * 8",
        "FREQ=DAILY;BYHOUR=-1",
        "FREQ=DAILY;BYHOUR=9:30",
        "FREQ=DAILY;BYHOUR=13pm",
        "FREQ=DAILY;BYHOUR=17-9",
        "FREQ=WEEKLY;BYDAY=1MO",
        "FREQ=WEEKLY;BYDAY=M",
        "30 9 * * *",
        "every now and then",
        "FREQ=" + "x" * 5_000,
    ],
)
def test_nothing_is_suggested_that_would_run_at_other_times(text: str) -> None:
    assert suggestion(text) is None


PIECES = st.sampled_from(
    [
        *("FREQ", "BYHOUR", "BYDAY", "INTERVAL", "RRULE:", "DAILY", "WEEKLY", "HOURLY", "=", ";", ",", "-", "+", ":"),
        *("0", "1", "9", "24", "255", "MO", "TUE", "FRIDAYS", "AM", "pm", "*", "\u0669", "\u0131"),
        *("0 9 * * ", " ", "\x1c", "\u3000", "0 ", " * * "),
    ]
)


@given(st.one_of(st.text(), st.lists(PIECES, max_size=14).map("".join)))
def test_any_text_is_parsed_or_refused_and_every_suggestion_parses(text: str) -> None:
    try:
        parse(text)
    except RruleError as error:
        if error.suggestion is not None:
            parse(error.suggestion)
