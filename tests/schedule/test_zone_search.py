"""Zones found by what people call them. What is found are names of the zone data in use, never made up."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coven_desktop.contract import timestamps
from coven_desktop.schedule import zone_search, zones

JANUARY = timestamps.parse("2027-01-10T12:00:00Z")
JULY = timestamps.parse("2027-07-10T12:00:00Z")


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("new york", "America/New_York"),
        ("New_York", "America/New_York"),
        ("PST", "America/Los_Angeles"),
        ("pdt", "America/Los_Angeles"),
        ("EST", "America/New_York"),
        ("CET", "Europe/Berlin"),
        ("IST", "Asia/Kolkata"),
        ("tokyo", "Asia/Tokyo"),
        ("tok", "Asia/Tokyo"),
        ("india", "Asia/Kolkata"),
        ("germany", "Europe/Berlin"),
        ("munich", "Europe/Berlin"),
        ("München", "Europe/Berlin"),
        ("São Paulo", "America/Sao_Paulo"),
        ("sao paulo", "America/Sao_Paulo"),
        ("uk", "Europe/London"),
        ("USA", "America/New_York"),
        ("us", "America/New_York"),
        ("eastern standard time", "America/New_York"),
        ("hawaii", "Pacific/Honolulu"),
        ("japan", "Asia/Tokyo"),
        ("lord howe", "Australia/Lord_Howe"),
        ("+9", "Asia/Tokyo"),
        ("UTC+9", "Asia/Tokyo"),
        ("gmt +5:30", "Asia/Kolkata"),
        ("+0545", "Asia/Kathmandu"),
        ("\u221203:30", "America/St_Johns"),
        ("Europe/Paris", "Europe/Paris"),
        ("US/Pacific", "US/Pacific"),
        ("utc", "utc"),
        ("local", "local"),
    ],
)
def test_what_was_meant_comes_first(query: str, name: str) -> None:
    assert zone_search.search(query, JANUARY)[0].name == name
    assert zone_search.best(query, JANUARY) == name


def test_an_offset_is_that_of_the_season() -> None:
    assert zone_search.best("-8", JANUARY) == "America/Los_Angeles"
    assert zone_search.best("-7", JULY) == "America/Los_Angeles"
    summer = [found.name for found in zone_search.search("-8", JULY)]
    # those that have it in the other half of the year are there too, after those that have it now
    assert zones.zone(summer[0]).local_of(JULY).offset_seconds == -8 * 3600
    assert "America/Los_Angeles" in summer


def test_nothing_is_found_for_nothing_or_nonsense() -> None:
    for query in ("", "   ", "qqqq", "+99", "!"):
        assert zone_search.search(query, JANUARY) == ()
    assert zone_search.best("qqqq", JANUARY) is None


def test_a_slip_of_the_pen_is_mended_but_not_searched() -> None:
    assert zone_search.search("new yrok", JANUARY) == ()
    assert zone_search.best("new yrok", JANUARY) == "America/New_York"
    assert zone_search.best("Tokio", JANUARY) == "Asia/Tokyo"


def test_a_country_shows_where_a_zone_lies() -> None:
    assert zone_search.search("tokyo", JANUARY)[0].places == "Japan"


def test_times_have_the_names_that_the_zone_data_gives_them() -> None:
    assert zone_search.abbreviations("America/New_York") == ("EST", "EDT")
    assert zone_search.abbreviations("Asia/Tokyo") == ("JST",)
    assert zone_search.abbreviations("America/Sao_Paulo") == ()


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0, "UTC"), (32_400, "UTC+9"), (-18_000, "UTC-5"), (20_700, "UTC+5:45"), (-12_600, "UTC-3:30")],
)
def test_an_offset_in_words(seconds: int, text: str) -> None:
    assert zone_search.offset_text(seconds) == text


def test_every_zone_is_found_by_its_own_name() -> None:
    for name in sorted(zones.names())[::7]:
        assert name in [found.name for found in zone_search.search(name, JANUARY)], name


@given(st.text(max_size=30))
def test_whatever_is_typed_finds_names_that_may_be_stored(query: str) -> None:
    found = zone_search.search(query, JANUARY)
    assert len(found) <= zone_search.LIMIT
    assert len({one.name for one in found}) == len(found)
    assert all(one.name == "local" or zones.is_valid_name(one.name) for one in found)


def test_without_the_tables_names_and_offsets_still_find(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zones, "table", lambda _name: ())
    zone_search._entries.cache_clear()
    zone_search._country_of.cache_clear()
    try:
        assert zone_search.best("new york", JANUARY) == "America/New_York"
        assert zone_search.best("PST", JANUARY) == "America/Los_Angeles"
        assert zone_search.best("+9", JANUARY) == "Asia/Tokyo"
    finally:
        zone_search._entries.cache_clear()
        zone_search._country_of.cache_clear()
