"""Instants as text and back: one length, truncated, in UTC."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coven_desktop.contract import timestamps

FIRST_MS = -62_135_596_800_000  # 0001-01-01
LAST_MS = 253_402_300_799_999  # the last millisecond of 9999


@pytest.mark.parametrize(
    ("ms", "text"),
    [
        (0, "1970-01-01T00:00:00.000Z"),
        (1_788_080_400_000, "2026-08-30T09:00:00.000Z"),
        (1_788_080_400_007, "2026-08-30T09:00:00.007Z"),
        (-1, "1969-12-31T23:59:59.999Z"),
        (FIRST_MS, "0001-01-01T00:00:00.000Z"),
        (LAST_MS, "9999-12-31T23:59:59.999Z"),
    ],
)
def test_milliseconds_have_one_text(ms: int, text: str) -> None:
    assert timestamps.to_text(ms) == text
    assert timestamps.parse(text) == ms


@pytest.mark.parametrize(
    ("ns", "text"),
    [
        (0, "1970-01-01T00:00:00.000000000Z"),
        (1_788_080_400_123_456_789, "2026-08-30T09:00:00.123456789Z"),
        (-1, "1969-12-31T23:59:59.999999999Z"),
    ],
)
def test_nanoseconds_have_nine_digits(ns: int, text: str) -> None:
    assert timestamps.to_text_ns(ns) == text


@pytest.mark.parametrize("ms", [FIRST_MS - 1, LAST_MS + 1, 10**30])
def test_years_beyond_four_digits_have_no_text(ms: int) -> None:
    with pytest.raises(ValueError, match="years 0001 to 9999"):
        timestamps.to_text(ms)
    with pytest.raises(ValueError, match="years 0001 to 9999"):
        timestamps.to_text_ns(ms * 1_000_000)


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("2026-08-30T09:00:00Z", "2026-08-30T09:00:00.000Z"),
        ("2026-08-30T09:00:00.1Z", "2026-08-30T09:00:00.100Z"),
        ("2026-08-30T09:00:00.123999999Z", "2026-08-30T09:00:00.123Z"),
        ("1969-12-31T23:59:59.9999Z", "1969-12-31T23:59:59.999Z"),
        ("2026-08-30T11:30:00+02:30", "2026-08-30T09:00:00.000Z"),
        ("2026-08-30T02:00:00.000-07:00", "2026-08-30T09:00:00.000Z"),
        ("2024-02-29T00:00:00Z", "2024-02-29T00:00:00.000Z"),
    ],
)
def test_what_others_write_is_read_and_cut_to_milliseconds(text: str, same: str) -> None:
    assert timestamps.to_text(timestamps.parse(text)) == same


@pytest.mark.parametrize(
    "text",
    [
        "",
        "2026-08-30",
        "2026-08-30T09:00:00",
        "2026-08-30 09:00:00Z",
        "2026-08-30t09:00:00z",
        "2026-08-30T09:00:00.Z",
        "2026-08-30T09:00:00.1234567890Z",
        "2026-08-30T09:00:00,000Z",
        "2026-08-30T09:00Z",
        "2026-08-30T24:00:00Z",
        "2026-08-30T09:00:60Z",
        "2026-02-29T09:00:00Z",
        "2026-13-01T09:00:00Z",
        "0000-01-01T00:00:00Z",
        "2026-08-30T09:00:00+24:00",
        "2026-08-30T09:00:00+0200",
        "2026-08-30T09:00:00+02",
        " 2026-08-30T09:00:00Z",
        "2026-08-30T09:00:00Z\n",
        "+2026-08-30T09:00:00Z",
        "٢٠٢٦-08-30T09:00:00Z",
        "0001-01-01T00:00:00+00:01",
        "9999-12-31T23:59:59.999-00:01",
    ],
)
def test_everything_else_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        timestamps.parse(text)


@pytest.mark.parametrize("text", ["2026-08-30T09:00:00Z", "2026-08-30T09:00:00.000Z", "9999-99-99T99:99:99Z"])
def test_the_wire_grammar_asks_for_digits_in_their_places(text: str) -> None:
    assert timestamps.is_timestamp(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "2026-08-30T09:00:00.00Z",
        "2026-08-30T09:00:00.000000000Z",
        "2026-08-30T09:00:00+00:00",
        "2026-08-30T09:00:00",
        "2026-08-30T09:00:00Z\n",
    ],
)
def test_the_wire_grammar_knows_no_other_fraction_and_no_offset(text: str) -> None:
    assert not timestamps.is_timestamp(text)


@given(st.integers(FIRST_MS, LAST_MS))
def test_every_instant_comes_back(ms: int) -> None:
    text = timestamps.to_text(ms)
    assert timestamps.parse(text) == ms
    assert timestamps.is_timestamp(text)


@given(st.integers(FIRST_MS, LAST_MS), st.integers(FIRST_MS, LAST_MS))
def test_text_sorts_as_instants_do(one: int, other: int) -> None:
    assert (timestamps.to_text(one) < timestamps.to_text(other)) == (one < other)


@given(st.integers(FIRST_MS * 1_000_000, LAST_MS * 1_000_000))
def test_nanosecond_text_agrees_with_millisecond_text(ns: int) -> None:
    text = timestamps.to_text_ns(ns)
    assert text[:23] == timestamps.to_text(ns // 1_000_000)[:23]
    assert timestamps.parse(text) == ns // 1_000_000
