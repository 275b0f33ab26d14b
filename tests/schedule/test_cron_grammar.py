"""What cron expressions say, and how what is refused is refused: by name, with what to write instead."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coven_desktop.schedule import cron
from coven_desktop.schedule.cron import CronError


def test_the_fields() -> None:
    found = cron.parse("7 3-5 1,15 */6 mon-wed")
    assert (found.seconds, found.minutes, found.hours) == ((0,), (7,), (3, 4, 5))
    assert (found.days, found.months, found.weekdays) == ((1, 15), (1, 7), (1, 2, 3))


@pytest.mark.parametrize(
    ("text", "minutes"),
    [
        ("*", tuple(range(60))),
        ("*/20", (0, 20, 40)),
        ("*/40", (0, 40)),
        ("*/90", (0,)),
        ("5-20/5", (5, 10, 15, 20)),
        ("59,00,07", (0, 7, 59)),
        ("3,3,1-4", (1, 2, 3, 4)),
        ("9-9", (9,)),
        ("50-59/20,*/30", (0, 30, 50)),
    ],
)
def test_lists_ranges_and_steps(text: str, minutes: tuple[int, ...]) -> None:
    assert cron.parse(f"{text} * * * *").minutes == minutes


@pytest.mark.parametrize(
    ("text", "weekdays"),
    [
        ("0", (0,)),
        ("7", (0,)),
        ("sun", (0,)),
        ("MON-Fri", (1, 2, 3, 4, 5)),
        ("sat-sun", (0, 6)),
        ("fri-7", (0, 5, 6)),
        ("5-7", (0, 5, 6)),
        ("sun-tue", (0, 1, 2)),
        ("sun-sun", (0,)),
        ("0-7", (0, 1, 2, 3, 4, 5, 6)),
        ("*/7", (0,)),
        ("*/2", (0, 2, 4, 6)),
        ("mon-sun/3", (0, 1, 4)),
    ],
)
def test_weekdays(text: str, weekdays: tuple[int, ...]) -> None:
    assert cron.parse(f"0 0 * * {text}").weekdays == weekdays


def test_months_have_names_and_white_space_runs_separate() -> None:
    assert cron.parse("0\t0  1 \n Feb-apr,DEC/1 *".replace("/1", "")).months == (2, 3, 4, 12)


@pytest.mark.parametrize(
    ("days", "weekdays", "either"),
    [
        ("13", "5", True),
        ("*", "5", False),
        ("13", "*", False),
        ("*/2", "5", False),
        ("13", "*/2", False),
        ("1-31", "0-6", True),
        ("*,5", "5", False),
        ("5,*", "5", True),
    ],
)
def test_the_day_rule_goes_by_how_a_field_starts(days: str, weekdays: str, either: bool) -> None:
    assert cron.parse(f"0 0 {days} * {weekdays}").either_day is either


@pytest.mark.parametrize(
    ("hours", "star"), [("*", True), ("*/2", True), ("*,5", True), ("0-23", False), ("5,*", False), ("9", False)]
)
def test_the_hour_field_starts_with_a_star_by_its_text(hours: str, star: bool) -> None:
    assert cron.parse(f"* {hours} * * *").star_hour is star


def test_seconds_come_first_in_six_fields() -> None:
    found = cron.parse("*/30 1 2 * * *", seconds=True)
    assert (found.seconds, found.minutes, found.hours) == ((0, 30), (1,), (2,))
    assert cron.parse("1 2 * * *", seconds=True).seconds == (0,)


@pytest.mark.parametrize(
    ("text", "said", "suggestion"),
    [
        ("", "write its five fields", "0 9 * * *"),
        (" \t ", "write its five fields", "0 9 * * *"),
        ("CRON_TZ=Europe/Paris 0 9 * * *", "write the time zone in its own field", "0 9 * * *"),
        ("TZ=UTC @daily", "write the time zone in its own field", "0 0 * * *"),
        ("0 0 9 * * *", "six fields", "0 9 * * *"),
        ("15 0 9 * * *", "six fields", None),
        ("0 9 * * * 2027", "six fields", None),
        ("0 0 9 * * ? *", "seven fields", "0 9 * * *"),
        ("0 0 9 1 1 ? 2027", "seven fields", None),
        ("0 9 * *", "not 4", None),
        ("0 9 * * * root echo hello", "not 8", None),
        ("FREQ=DAILY;BYHOUR=9,17", "the rrule family", "0 9,17 * * *"),
        ("RRULE:FREQ=WEEKLY;BYDAY=MO,SU", "the rrule family", "0 9 * * SUN,MON"),
        ("DTSTART:20270101T000000Z", "the rrule family", None),
        ("freq=monthly", "the rrule family", None),
        ("@daily", "write 0 0 * * *", "0 0 * * *"),
        ("@Midnight", "write 0 0 * * *", "0 0 * * *"),
        ("@hourly", "write 0 * * * *", "0 * * * *"),
        ("@weekly", "write 0 0 * * 0", "0 0 * * 0"),
        ("@monthly", "write 0 0 1 * *", "0 0 1 * *"),
        ("@yearly", "write 0 0 1 1 *", "0 0 1 1 *"),
        ("@annually", "write 0 0 1 1 *", "0 0 1 1 *"),
        ("@reboot", "names no time", None),
        ("@every 5m", "every_n_minutes", None),
        ("@sometimes", "is not known", None),
        ("5/15 * * * *", "write 5-59/15", "5-59/15 * * * *"),
        ("0 2/6 * * *", "write 2-23/6", "0 2-23/6 * * *"),
        ("0 0 * * 1/2", "write 1-6/2", "0 0 * * 1-6/2"),
        ("0 22-2 * * *", "write 22-23,0-2", "0 22-23,0-2 * * *"),
        ("50-10 * * * *", "write 50-59,0-10", "50-59,0-10 * * * *"),
        ("0 23-0 * * *", "write 23,0", "0 23,0 * * *"),
        ("0 22-2/2 * * *", "write 22,0,2", "0 22,0,2 * * *"),
        ("0 0 * nov-feb *", "write 11-12,1-2", "0 0 * 11-12,1-2 *"),
        ("0 0 * * fri-tue", "write 5-6,0-2", "0 0 * * 5-6,0-2"),
        ("0 0 L * *", "an anchor on a 31st", None),
        ("0 0 L-3 * *", "an anchor on a 31st", None),
        ("0 0 * * 5L", "the weekday alone, 5,", None),
        ("0 0 15W * *", "the day alone, 15,", None),
        ("0 0 * * 1#2", "the weekday alone, 1,", None),
        ("0 0 * * mon#2", "the weekday alone and", None),
        ("0 0 ? * mon", "write *", "0 0 * * mon"),
        ("H * * * *", "a number of your choice", None),
        ("H/15 * * * *", "a number of your choice", None),
        ("0~30 * * * *", "a number of your choice", None),
        ("0 0 30 2 *", "never comes in Feb: write 28", "0 0 28 2 *"),
        ("0 0 31 4,jun *", "never comes in Apr, Jun: write 30", "0 0 30 4,jun *"),
        ("0 0 30 2 */2", "never comes in Feb", "0 0 28 2 */2"),
        ("60 * * * *", "minute `60` is out of range: write 0 to 59", None),
        ("0 24 * * *", "hour `24` is out of range: write 0", "0 0 * * *"),
        ("0 24 * * mon", "hour `24` is out of range: write 0", None),
        ("0 0 0 * *", "day-of-month `0` is out of range", None),
        ("0 0 32 * *", "day-of-month `32` is out of range", None),
        ("0 0 * 13 *", "month `13` is out of range", None),
        ("0 0 * * 8", "day-of-week `8` is out of range", None),
        ("*/0 * * * *", "a step of 0", None),
        ("1,,2 * * * *", "an empty entry", "1,2 * * * *"),
        (",1 * * * *", "an empty entry", "1 * * * *"),
        ("+5 * * * *", "minute `+5` is not understood", None),
        ("-5 * * * *", "minute `-5` is not understood", None),
        ("*-5 * * * *", "minute `*-5` is not understood", None),
        ("** * * * *", "minute `**` is not understood", None),
        ("1-2-3 * * * *", "minute `1-2-3` is not understood", None),
        ("*/x * * * *", "minute `*/x` is not understood", None),
        ("\u0665 * * * *", "minute `\u0665` is not understood", None),
        ("mon * * * *", "minute `mon` is not understood", None),
        ("0 0 * * monday", "day-of-week `monday` is not understood", "0 0 * * mon"),
        ("0 0 * january *", "month `january` is not understood", "0 0 * jan *"),
        ("0 9\u201317 * * *", "hour `9\u201317` is not understood", "0 9-17 * * *"),
        ("1" * 1_001, "longer than 1000", None),
    ],
)
def test_a_refusal_says_what_to_write_instead(text: str, said: str, suggestion: str | None) -> None:
    with pytest.raises(CronError) as caught:
        cron.parse(text)
    assert said in caught.value.message
    assert ": " in caught.value.message or "write" in caught.value.message
    assert caught.value.suggestion == suggestion
    if suggestion is not None:
        cron.parse(suggestion)


def test_a_year_is_refused_of_cadences_too() -> None:
    with pytest.raises(CronError, match="six with seconds first") as caught:
        cron.parse("0 0 9 1 1 * *", seconds=True)
    assert caught.value.suggestion == "0 0 9 1 1 *"
    with pytest.raises(CronError, match="second `0/30` has a step and no range: write 0-59/30") as caught:
        cron.parse("0/30 0 9 * * ?", seconds=True)
    assert caught.value.suggestion == "0-59/30 0 9 * * *"


@pytest.mark.parametrize("text", ["0 0 30 2 1", "0 0 29 2 *", "0 0 31 * *", "0 0 */31 2 *", "0 0 30,1 2 *"])
def test_what_comes_rarely_comes(text: str) -> None:
    assert cron.schedule(text, "utc").next_after(0) is not None


@given(st.text("0123456789*/,-LW#?H~ @=:;FREQTZmonsu", max_size=30))
def test_whatever_is_written_is_read_or_refused(text: str) -> None:
    try:
        found = cron.parse(text)
    except CronError as error:
        if error.suggestion is not None:
            cron.parse(error.suggestion)
        return
    assert all(field == tuple(sorted(set(field))) and field for field in found[:6])
