"""Every sentence of the rule grammar, with the exact text of each refusal (contract/engine.md §1.1–1.3, api.md e5)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coven_desktop.schedule.rrule import RruleError, Rule, parse

ALL_HOURS = tuple(range(24))
WHITE_SPACE = [
    *(chr(code) for code in (*range(0x09, 0x0E), 0x20, 0x85, 0xA0, 0x1680, *range(0x2000, 0x200B))),
    *("\u2028", "\u2029", "\u202f", "\u205f", "\u3000"),
]


def refused(text: str) -> str:
    with pytest.raises(RruleError) as caught:
        parse(text)
    assert str(caught.value) == caught.value.message
    return caught.value.message


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("FREQ=DAILY", Rule("DAILY", (9,), ())),
        ("FREQ=WEEKLY", Rule("WEEKLY", (9,), ("MO",))),
        ("freq=daily;byhour=17,9", Rule("DAILY", (9, 17), ())),
        ("Freq=Weekly;byDay=mo,Fri,SUN", Rule("WEEKLY", (9,), ("FR", "MO", "SU"))),
        ("BYDAY=MO,TU,WE,TH,FR,SA,SU;FREQ=WEEKLY", Rule("WEEKLY", (9,), ("FR", "MO", "SA", "SU", "TH", "TU", "WE"))),
        ("BYDAY=MON,TUE,WED,THU,FRI,SAT,SUN;FREQ=WEEKLY", parse("FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA,SU")),
        ("BYHOUR=23,0;FREQ=WEEKLY", Rule("WEEKLY", (0, 23), ("MO",))),
        ("FREQ=DAILY;BYHOUR=09", Rule("DAILY", (9,), ())),
        ("FREQ=DAILY;BYHOUR=009,0000", Rule("DAILY", (0, 9), ())),
        ("FREQ=DAILY;BYHOUR=" + "0" * 10_000 + "7", Rule("DAILY", (7,), ())),
        ("FREQ=DAILY;BYHOUR=" + ",".join(map(str, reversed(ALL_HOURS))), Rule("DAILY", ALL_HOURS, ())),
        (" FREQ=DAILY ", Rule("DAILY", (9,), ())),
        ("FREQ = DAILY ; BYHOUR = 9 , 17", Rule("DAILY", (9, 17), ())),
        ("\tFREQ=WEEKLY\n;\r\nBYDAY\u00a0=\u3000MO ,\u2028TU", Rule("WEEKLY", (9,), ("MO", "TU"))),
    ],
)
def test_accepted(text: str, rule: Rule) -> None:
    assert parse(text) == rule


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "rrule is required"),
        (" \t\n\u3000", "rrule is required"),
        # Parts.
        (";", "rrule contains an empty part"),
        ("FREQ=DAILY;", "rrule contains an empty part"),
        (";FREQ=DAILY", "rrule contains an empty part"),
        ("FREQ=DAILY; ;BYHOUR=9", "rrule contains an empty part"),
        ("FREQ", "rrule part `FREQ` is not KEY=VALUE"),
        ("DAILY", "rrule part `DAILY` is not KEY=VALUE"),
        ("FREQ=DAILY; BYHOUR ", "rrule part `BYHOUR` is not KEY=VALUE"),
        ("FREQ=", "rrule FREQ has an empty value"),
        ("FREQ=DAILY;byhour= ", "rrule BYHOUR has an empty value"),
        ("FREQ=WEEKLY;BYDAY=", "rrule BYDAY has an empty value"),
        ("foo=", "rrule FOO has an empty value"),
        # Keys.
        ("FREQ=DAILY;INTERVAL=1", "rrule key `INTERVAL` is not supported"),
        ("FREQ=DAILY;count=3", "rrule key `COUNT` is not supported"),
        ("FREQ=DAILY;UNTIL=20270101T000000Z", "rrule key `UNTIL` is not supported"),
        ("FREQ=DAILY;BYMINUTE=30", "rrule key `BYMINUTE` is not supported"),
        ("FREQ=DAILY;BYSECOND=0", "rrule key `BYSECOND` is not supported"),
        ("FREQ=DAILY;WKST=MO", "rrule key `WKST` is not supported"),
        ("FREQ=DAILY;BYMONTH=1", "rrule key `BYMONTH` is not supported"),
        ("FREQ=DAILY;BYSETPOS=1", "rrule key `BYSETPOS` is not supported"),
        ("FREQ=DAILY;X-FOO=1", "rrule key `X-FOO` is not supported"),
        ("RRULE:FREQ=DAILY", "rrule key `RRULE:FREQ` is not supported"),
        ("DTSTART=20260101", "rrule key `DTSTART` is not supported"),
        ("=DAILY", "rrule key `` is not supported"),
        ("\x1cFREQ=DAILY", "rrule key `\x1cFREQ` is not supported"),
        ("FREQ=DAILY;FREQ=WEEKLY", "rrule FREQ must not be repeated"),
        ("FREQ=DAILY;FREQ=DAILY", "rrule FREQ must not be repeated"),
        ("FREQ=DAILY;freq=nonsense", "rrule FREQ must not be repeated"),
        ("FREQ=DAILY;BYHOUR=9;BYHOUR=99", "rrule BYHOUR must not be repeated"),
        ("FREQ=WEEKLY;BYDAY=MO;BYDAY=TU", "rrule BYDAY must not be repeated"),
        # FREQ.
        ("FREQ=HOURLY", "FREQ `HOURLY` is not supported (DAILY or WEEKLY)"),
        ("FREQ=MINUTELY", "FREQ `MINUTELY` is not supported (DAILY or WEEKLY)"),
        ("FREQ=monthly", "FREQ `monthly` is not supported (DAILY or WEEKLY)"),
        ("FREQ=YEARLY", "FREQ `YEARLY` is not supported (DAILY or WEEKLY)"),
        ("FREQ=SECONDLY", "FREQ `SECONDLY` is not supported (DAILY or WEEKLY)"),
        ("FREQ=DAİLY", "FREQ `DAİLY` is not supported (DAILY or WEEKLY)"),
        ("FREQ=da\u0131ly", "FREQ `da\u0131ly` is not supported (DAILY or WEEKLY)"),
        (
            "FREQ=\uff24\uff21\uff29\uff2c\uff39",
            "FREQ `\uff24\uff21\uff29\uff2c\uff39` is not supported (DAILY or WEEKLY)",
        ),
        ("FREQ=DAILY\0", "FREQ `DAILY\0` is not supported (DAILY or WEEKLY)"),
        ("FREQ=DAILY=WEEKLY", "FREQ `DAILY=WEEKLY` is not supported (DAILY or WEEKLY)"),
        ("BYHOUR=9", "rrule requires FREQ"),
        ("BYDAY=MO", "rrule requires FREQ"),
        ("BYHOUR=99", "BYHOUR entry 99 exceeds 23"),  # before FREQ is missed
        # BYHOUR.
        *(
            (f"FREQ=DAILY;BYHOUR={entry}", f"BYHOUR entry `{entry}` is not an integer")
            for entry in (
                *("+9", "-1", "-0", "256", "999999999999999999999999", "9.0", "x", "0x9", "1_0", "++9", "9=9"),
                *("\u0669", "\u00b9", "9\x1c", "9\u200b"),
            )
        ),
        ("FREQ=DAILY;BYHOUR=1 0", "BYHOUR entry `1 0` is not an integer"),
        ("FREQ=DAILY;BYHOUR=24", "BYHOUR entry 24 exceeds 23"),
        ("FREQ=DAILY;BYHOUR=0255", "BYHOUR entry 255 exceeds 23"),
        ("FREQ=DAILY;BYHOUR=9,", "BYHOUR contains an empty entry"),
        ("FREQ=DAILY;BYHOUR=,9", "BYHOUR contains an empty entry"),
        ("FREQ=DAILY;BYHOUR=9, ,17", "BYHOUR contains an empty entry"),
        ("FREQ=DAILY;BYHOUR=,", "BYHOUR contains an empty entry"),
        ("FREQ=DAILY;BYHOUR=9,9", "BYHOUR repeats entry 9"),
        ("FREQ=DAILY;BYHOUR=9,09", "BYHOUR repeats entry 9"),
        # BYDAY.
        *(
            (f"FREQ=WEEKLY;BYDAY={entry}", f"BYDAY entry `{entry}` is not a weekday")
            for entry in ("XX", "1MO", "-1MO", "MONDAY", "THUR", "\u017fU", "MO TU", "MO\x1f")
        ),
        ("FREQ=WEEKLY;BYDAY=MO,", "BYDAY entry `` is not a weekday"),
        ("FREQ=WEEKLY;BYDAY=MO,MO", "BYDAY repeats entry MO"),
        ("FREQ=WEEKLY;BYDAY=MO,mon", "BYDAY repeats entry MO"),
        ("FREQ=DAILY;BYDAY=MO", "BYDAY is supported only for FREQ=WEEKLY"),
        ("BYDAY=MO;FREQ=DAILY", "BYDAY is supported only for FREQ=WEEKLY"),
    ],
)
def test_refused_by_name(text: str, message: str) -> None:
    assert refused(text) == message


@pytest.mark.parametrize("space", WHITE_SPACE)
def test_white_space_is_trimmed_around_parts_keys_values_and_entries(space: str) -> None:
    text = "FREQ=WEEKLY;BYHOUR=9,17;BYDAY=MO"
    for mark in "=;,":
        text = text.replace(mark, f"{space}{mark}{space}")
    assert parse(f"{space}{text}{space}") == Rule("WEEKLY", (9, 17), ("MO",))


@pytest.mark.parametrize("other", ["\x1c", "\x1d", "\x1e", "\x1f", "\u200b", "\u180e", "\ufeff", "\0"])
def test_what_python_or_people_take_for_white_space_is_not(other: str) -> None:
    assert refused(f"FREQ=DAILY{other}") == f"FREQ `DAILY{other}` is not supported (DAILY or WEEKLY)"


def test_a_refusal_never_echoes_a_page() -> None:
    assert len(refused("FREQ=" + "x" * 1_000_000)) < 300


@given(
    st.sampled_from(["DAILY", "WEEKLY"]),
    st.lists(st.integers(0, 23), unique=True, min_size=1),
    st.lists(st.sampled_from(["MO", "TU", "WE", "TH", "FR", "SA", "SU"]), unique=True, min_size=1),
    st.data(),
)
def test_order_case_and_padding_never_matter(
    frequency: str, hours: list[int], days: list[str], data: st.DataObject
) -> None:
    parts = [f"FREQ={frequency}", "BYHOUR=" + ",".join(map(str, hours))]
    if frequency == "WEEKLY":
        parts.append("BYDAY=" + ",".join(days))
    text = ";".join(data.draw(st.permutations(parts)))
    changed = "".join(data.draw(st.sampled_from([letter, letter.lower()])) for letter in text)
    padding = st.text(st.sampled_from(WHITE_SPACE), max_size=2)
    for mark in "=;,":
        changed = changed.replace(mark, data.draw(padding) + mark + data.draw(padding))
    assert parse(changed) == (frequency, tuple(sorted(hours)), tuple(sorted(days)) if frequency == "WEEKLY" else ())
