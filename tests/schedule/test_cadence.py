"""Cadences: which instants each mode has, from its anchor on, until its end, and how bad ones are refused."""

from __future__ import annotations

from datetime import datetime, timedelta
from itertools import islice, pairwise
from typing import Any

import pytest
from dateutil.relativedelta import relativedelta
from hypothesis import given
from hypothesis import strategies as st

from coven_desktop.schedule import cadence, cron, zones
from coven_desktop.schedule.cadence import CadenceSchedule
from coven_desktop.schedule.errors import ScheduleError
from tests.schedule import wall_reference
from tests.schedule.cron_places import ODD_ZONES
from tests.schedule.places import PLACES
from tests.schedule.reference import EPOCH, ms

HOUR = 3_600_000
DAY = 24 * HOUR
MODES = ("hourly", "daily", "weekly", "monthly", "yearly", "every_n_minutes", "cron", "once")
WALLED = ("hourly", "daily", "weekly", "monthly", "yearly")


def made(mode: str, anchor: str | None, zone: str = "Europe/Paris", **more: Any) -> CadenceSchedule:
    return cadence.schedule(cadence.parse(mode, zone, anchor=anchor, **more))


def text_of(instant: int | None) -> str | None:
    return None if instant is None else (EPOCH + timedelta(milliseconds=instant)).isoformat().replace("+00:00", "Z")


def instants(text: str) -> list[str]:
    """Instants in UTC, written without what they all have."""
    return [f"{instant}Z" if instant.count(":") == 2 else f"{instant}:00Z" for instant in text.split()]


def from_start(found: CadenceSchedule, count: int, after: int | None = None) -> list[str | None]:
    """The first slots by next_after, which must be those of between and of previous."""
    begin = found.begin - 1 if after is None else after
    instant, slots = begin, []
    for _ in range(count):
        following = found.next_after(instant)
        if following is None:
            break
        slots.append(following)
        instant = following
    assert list(islice(found.between(begin, 1 << 60), count)) == slots
    assert [found.previous(slot) for slot in slots[1:]] == slots[:-1]
    return [text_of(slot) for slot in slots]


@pytest.mark.parametrize(
    ("mode", "anchor", "zone", "slots"),
    [
        # Winter to summer: the wall time stays.
        ("daily", "2026-03-28T09:00:00", "Europe/Paris", "2026-03-28T08:00 2026-03-29T07:00"),
        ("weekly", "2026-03-24T09:00:00", "Europe/Paris", "2026-03-24T08:00 2026-03-31T07:00"),
        # Months are counted from the anchor, never from the firing before.
        (
            "monthly",
            "2026-01-31T09:00:00",
            "utc",
            "2026-01-31T09:00 2026-02-28T09:00 2026-03-31T09:00 2026-04-30T09:00",
        ),
        ("monthly", "2028-01-30T09:00:00", "utc", "2028-01-30T09:00 2028-02-29T09:00 2028-03-30T09:00"),
        ("monthly", "2027-11-15T09:00:00", "utc", "2027-11-15T09:00 2027-12-15T09:00 2028-01-15T09:00"),
        (
            "yearly",
            "2028-02-29T09:00:00",
            "utc",
            "2028-02-29T09:00 2029-02-28T09:00 2030-02-28T09:00 2031-02-28T09:00 2032-02-29T09:00",
        ),
        ("yearly", "2096-02-29T09:00:00", "utc", "2096-02-29T09:00 2097-02-28T09:00"),
        # A skipped time runs at the jump, one that comes twice in the first pass.
        ("daily", "2026-03-28T02:30:00", "Europe/Paris", "2026-03-28T01:30 2026-03-29T01:00 2026-03-30T00:30"),
        ("daily", "2026-10-24T02:30:00", "Europe/Paris", "2026-10-24T00:30 2026-10-25T00:30 2026-10-26T01:30"),
        ("weekly", "2026-10-18T02:30:00", "Europe/Paris", "2026-10-18T00:30 2026-10-25T00:30"),
        ("monthly", "2026-01-29T02:30:00", "Europe/Paris", "2026-01-29T01:30 2026-02-28T01:30 2026-03-29T01:00"),
        ("yearly", "2025-03-29T02:30:00", "Europe/Paris", "2025-03-29T01:30 2026-03-29T01:00"),
        ("daily", "2011-12-29T09:00:00", "Pacific/Apia", "2011-12-29T19:00 2011-12-30T10:00 2011-12-30T19:00"),
        ("daily", "2011-12-29T00:00:00", "Pacific/Apia", "2011-12-29T10:00 2011-12-30T10:00 2011-12-31T10:00"),
        ("weekly", "2011-12-23T09:00:00", "Pacific/Apia", "2011-12-23T19:00 2011-12-30T10:00 2012-01-05T19:00"),
        (
            "daily", "2026-10-02T02:15:00", "Australia/Lord_Howe",
            "2026-10-01T15:45 2026-10-02T15:45 2026-10-03T15:30 2026-10-04T15:15",
        ),
        # Hourly: real instants; both passes, and nothing invented.
        ("hourly", "2026-03-29T00:30:00", "Europe/Paris", "2026-03-28T23:30 2026-03-29T00:30 2026-03-29T01:30"),
        (
            "hourly", "2026-10-25T01:30:00", "Europe/Paris",
            "2026-10-24T23:30 2026-10-25T00:30 2026-10-25T01:30 2026-10-25T02:30",
        ),
        ("hourly", "2026-10-04T00:15:00", "Australia/Lord_Howe", "2026-10-03T13:45 2026-10-03T14:45 2026-10-03T16:15"),
        (
            "hourly", "2026-04-05T00:45:00", "Australia/Lord_Howe",
            "2026-04-04T13:45 2026-04-04T14:45 2026-04-04T15:15 2026-04-04T16:15",
        ),
        ("hourly", "2026-01-01T00:00:07", "Asia/Kathmandu", "2025-12-31T18:15:07 2025-12-31T19:15:07"),
        # An instant with an offset is a wall time in the zone, whatever the offset; the second pass is past its day.
        ("daily", "2026-07-01T12:00:00Z", "Europe/Paris", "2026-07-01T12:00 2026-07-02T12:00"),
        ("daily", "2026-12-01T12:00:00-05:00", "Europe/Paris", "2026-12-01T17:00 2026-12-02T17:00"),
        ("daily", "2026-10-25T02:30:00+01:00", "Europe/Paris", "2026-10-26T01:30 2026-10-27T01:30"),
        ("hourly", "2026-10-25T02:30:00+01:00", "Europe/Paris", "2026-10-25T01:30 2026-10-25T02:30"),
        # once keeps the instant; of a wall time that comes twice the first.
        ("once", "2026-10-25T02:30:00", "Europe/Paris", "2026-10-25T00:30"),
        ("once", "2026-10-25T02:30:00+01:00", "Europe/Paris", "2026-10-25T01:30"),
        ("once", "2026-10-25T01:30:00.000Z", "utc", "2026-10-25T01:30"),
    ],
)  # fmt: skip
def test_slots(mode: str, anchor: str, zone: str, slots: str) -> None:
    found = made(mode, anchor, zone)
    expected = instants(slots)
    assert from_start(found, len(expected)) == expected
    assert found.previous(ms(expected[0])) is None
    if mode == "once":
        assert found.next_after(found.begin) is None


@pytest.mark.parametrize(
    ("anchor", "zone", "minutes", "slots"),
    [
        (
            "2026-03-29T00:15:00", "Europe/Paris", 45,
            "2026-03-28T23:15 2026-03-29T00:00 2026-03-29T00:45 2026-03-29T01:30",
        ),
        ("2026-10-25T02:30:00", "Europe/Paris", 60, "2026-10-25T00:30 2026-10-25T01:30 2026-10-25T02:30"),
        ("2026-10-25T02:30:00+01:00", "Europe/Paris", 525_600, "2026-10-25T01:30 2027-10-25T01:30"),
        ("2026-01-01T00:00:30Z", "utc", 1, "2026-01-01T00:00:30 2026-01-01T00:01:30"),
    ],
)  # fmt: skip
def test_every_n_minutes_count_elapsed_time(anchor: str, zone: str, minutes: int, slots: str) -> None:
    expected = instants(slots)
    assert from_start(made("every_n_minutes", anchor, zone, minutes=minutes), len(expected)) == expected


def test_the_phase_survives_downtime() -> None:
    found = made("every_n_minutes", "2026-01-01T00:07:00Z", "utc", minutes=50)
    week_later = found.next_after(ms("2026-01-08T00:00:00Z"))
    assert week_later is not None
    assert (week_later - found.begin) % (50 * 60_000) == 0
    assert week_later == ms("2026-01-08T00:07:00Z") + (-7 * 24 * 60) % 50 * 60_000


def test_cron_reads_six_fields_and_an_anchor_cuts_it() -> None:
    assert from_start(made("cron", None, "utc", expression="30 0 9 * * *"), 1, ms("2026-01-01T00:00:00Z")) == [
        "2026-01-01T09:00:30Z"
    ]
    found = made("cron", "2026-05-05T09:00:00", "utc", expression="0 9 * * *", until="2026-05-06T09:00:00")
    assert from_start(found, 9, 0) == ["2026-05-05T09:00:00Z", "2026-05-06T09:00:00Z"]


def test_until_is_inclusive() -> None:
    until = "2026-02-28T09:00:00Z"
    assert from_start(made("monthly", "2026-01-31T09:00:00", "utc", until=until), 9)[-1] == until
    assert from_start(made("monthly", "2026-01-31T09:00:00", "utc", until="2026-02-28T08:59:59Z"), 9) == [
        "2026-01-31T09:00:00Z"
    ]
    found = made("daily", "2026-01-31T09:00:00", "utc", until="2026-02-03T09:00:00")
    assert found.count(0, 1 << 60) == 4
    assert found.previous(1 << 60) == ms("2026-02-03T09:00:00Z")
    assert (
        from_start(made("daily", "2026-10-24T02:30:00", until="2026-10-25T02:30:00"), 9)[-1] == "2026-10-25T00:30:00Z"
    )


@pytest.mark.parametrize(
    ("mode", "saved", "first"),
    [
        ("daily", "2026-01-01T00:00:00Z", "2026-05-05T09:00:00Z"),  # the anchor itself
        ("daily", "2026-05-05T09:00:00Z", "2026-05-05T09:00:00Z"),  # at save time
        ("daily", "2026-05-05T09:00:00.001Z", "2026-05-06T09:00:00Z"),
        ("daily", "2027-05-05T08:00:00Z", "2027-05-05T09:00:00Z"),  # nothing before was ever missed
        ("once", "2026-05-05T09:00:00Z", "2026-05-05T09:00:00Z"),
        ("once", "2026-05-05T09:01:00Z", "2026-05-05T09:00:00Z"),  # up to a minute ago is now
        ("once", "2026-05-05T09:01:00.001Z", None),
    ],
)
def test_the_first_firing_is_at_or_after_the_later_of_anchor_and_save_time(
    mode: str, saved: str, first: str | None
) -> None:
    found = made(mode, "2026-05-05T09:00:00", "utc")
    assert text_of(found.next_after(found.counts_from(ms(saved)))) == first
    if first is None:
        with pytest.raises(ScheduleError, match="anchor is in the past"):
            found.require_slots(ms(saved))
    else:
        found.require_slots(ms(saved))


def test_an_end_that_leaves_nothing_is_refused_at_save() -> None:
    found = made("daily", "2026-05-05T09:00:00", "utc", until="2026-05-07T08:00:00")
    found.require_slots(ms("2026-05-06T09:00:00Z"))
    with pytest.raises(ScheduleError) as caught:
        found.require_slots(ms("2026-05-06T09:00:01Z"))
    assert caught.value.field == "until"


@pytest.mark.parametrize(
    ("members", "field", "said", "suggestion"),
    [
        ({"mode": "fortnightly"}, "mode", "must be one of hourly, daily", None),
        ({"mode": "Day"}, "mode", "must be one of", "daily"),
        ({"anchor": None}, "anchor", "required", None),
        ({"anchor": "2026-03-29T02:30:00"}, "anchor", "write 2026-03-29T03", "2026-03-29T03:00:00"),
        ({"anchor": "2011-12-30T09:00:00", "timezone": "Pacific/Apia"}, "anchor", "does not", "2011-12-31T00:00:00"),
        ({"anchor": "2026-10-04T02:29:59", "timezone": "Australia/Lord_Howe"}, "anchor", "not", "2026-10-04T02:30:00"),
        ({"anchor": "2026-01-31 09:00"}, "anchor", "a wall time as", "2026-01-31T09:00:00"),
        ({"anchor": "2026-01-31"}, "anchor", "a wall time as", "2026-01-31T00:00:00"),
        ({"anchor": "2026-01-31T09:00:00+0100"}, "anchor", "a wall time as", "2026-01-31T09:00:00+01:00"),
        ({"anchor": "2026-02-30T09:00:00"}, "anchor", "a wall time as", None),
        ({"anchor": "2026-01-31T24:00:00"}, "anchor", "a wall time as", None),
        ({"anchor": "tomorrow"}, "anchor", "a wall time as", None),
        ({"anchor": "2026-01-31T09:00:00.500Z"}, "anchor", "whole seconds", "2026-01-31T09:00:00Z"),
        ({"anchor": "0001-01-01T00:00:00+02:00"}, "anchor", "outside the years", None),
        ({"anchor": "9999-12-31T23:30:00Z"}, "anchor", "outside the years", None),
        ({"until": "2026-03-29T02:30:00"}, "until", "does not exist", "2026-03-29T03:00:00"),
        ({"until": "2026-01-31T08:59:59"}, "until", "before the anchor", "2026-01-31T09:00:00"),
        ({"minutes": 5}, "minutes", "belongs to mode every_n_minutes", None),
        ({"mode": "every_n_minutes"}, "minutes", "required", None),
        ({"mode": "every_n_minutes", "minutes": 0}, "minutes", "1 to 525600", None),
        ({"mode": "every_n_minutes", "minutes": 525_601}, "minutes", "1 to 525600", None),
        ({"expression": "* * * * *"}, "expression", "belongs to mode cron", None),
        ({"mode": "cron"}, "expression", "required", None),
        ({"mode": "cron", "expression": "@daily"}, "expression", "write 0 0 * * *", "0 0 * * *"),
        ({"max_runs": 0}, "maxRuns", "1 to", None),
    ],
)  # fmt: skip
def test_a_refusal_names_the_field_and_what_to_write(
    members: dict[str, Any], field: str, said: str, suggestion: str | None
) -> None:
    whole = {"mode": "daily", "timezone": "Europe/Paris", "anchor": "2026-01-31T09:00:00"} | members
    with pytest.raises(ScheduleError) as caught:
        cadence.parse(**whole)
    assert caught.value.field == field
    assert said in caught.value.message
    assert caught.value.suggestion == suggestion


def test_a_zone_that_is_none_is_refused_as_everywhere() -> None:
    with pytest.raises(zones.ZoneError):
        cadence.parse("daily", "local", anchor="2026-01-31T09:00:00")


@pytest.mark.parametrize("zone", ODD_ZONES)
@pytest.mark.parametrize("minute", [0, 15, 30, 59])
def test_hours_and_days_are_those_of_a_minute_by_minute_reading(zone: str, minute: int) -> None:
    found = wall_reference.changes(zone, datetime(2005, 1, 1), datetime(2036, 1, 1))  # noqa: DTZ001
    for change in found[minute % 7 :: len(found) // 3 + 1]:
        at = (change - EPOCH) // timedelta(milliseconds=1)
        after, until = at - 27 * HOUR, at + 27 * HOUR
        hourly = made("hourly", f"2001-01-01T00:{minute:02}:00", zone)
        assert list(hourly.between(after, until)) == list(
            wall_reference.slots(
                lambda wall: wall.minute == minute, zone, after, until, both_passes=True, at_jump=False
            )
        ), change  # fmt: skip
        for hour in (0, 1, 2, 23):
            daily = made("daily", f"2001-01-01T{hour:02}:{minute:02}:00", zone)
            assert list(daily.between(after, until)) == list(
                wall_reference.slots(
                    lambda wall, hour=hour: (wall.hour, wall.minute) == (hour, minute),  # type: ignore[misc]
                    zone, after, until, both_passes=False, at_jump=True,
                )
            ), change  # fmt: skip


@pytest.mark.timeout(900)
def test_hours_and_days_around_all_changes_are_those_of_a_minute_by_minute_reading(long_suite: bool) -> None:
    folder = zones.zone_data().folder
    # of names that mean the same zone one is asked about
    files = {(folder / zone).read_bytes(): zone for zone in sorted(zones.names(), reverse=True)}
    checked = 0
    for place, zone in enumerate(sorted(files.values())):
        if not long_suite and place % 16:
            continue
        found = wall_reference.changes(zone, datetime(2005, 1, 1), datetime(2036, 1, 1))  # noqa: DTZ001
        for index, change in enumerate(found):
            if not long_suite and index % 10 != place // 16 % 10:
                continue
            at = (change - EPOCH) // timedelta(milliseconds=1)
            after, until = at - 4 * HOUR, at + 4 * HOUR
            hour, minute = (0, 1, 2, 3, 23)[index % 5], (0, 15, 30, 59)[(place + index) % 4]
            hourly = made("hourly", f"2001-01-01T00:{minute:02}:00", zone)
            assert list(hourly.between(after, until)) == list(
                wall_reference.slots(
                    lambda wall, minute=minute: wall.minute == minute,  # type: ignore[misc]
                    zone, after, until, both_passes=True, at_jump=False,
                )
            ), (zone, change)  # fmt: skip
            daily = made("daily", f"2001-01-01T{hour:02}:{minute:02}:00", zone)
            assert list(daily.between(after, until)) == list(
                wall_reference.slots(
                    lambda wall, at=(hour, minute): (wall.hour, wall.minute) == at,  # type: ignore[misc]
                    zone, after, until, both_passes=False, at_jump=True,
                )
            ), (zone, change)  # fmt: skip
            checked += 1
    assert checked > (4_000 if long_suite else 20)


@given(
    st.datetimes(datetime(1970, 1, 1), datetime(2090, 1, 1)),  # noqa: DTZ001 - wall times
    st.sampled_from(["monthly", "yearly"]),
    st.integers(0, 400),
)
def test_months_and_years_are_relativedeltas_from_the_anchor(wall: datetime, mode: str, index: int) -> None:
    wall = wall.replace(microsecond=0)
    found = made(mode, wall.isoformat(), "utc")
    months = index if mode == "monthly" else 12 * index
    expected = ms((wall + relativedelta(months=months)).isoformat() + "Z")
    assert found.next_after(expected - 1) == expected
    assert found.previous(expected + 1) == expected
    assert found.count(found.begin - 1, expected) == index + 1


CADENCES = st.tuples(
    st.sampled_from(MODES), st.datetimes(datetime(1990, 1, 1), datetime(2050, 1, 1)), st.integers(1, 3_000)  # noqa: DTZ001
)  # fmt: skip


@given(CADENCES, PLACES, st.integers(0, 40 * DAY), st.booleans())
def test_the_protocol(shape: tuple[str, datetime, int], place: tuple[str, int], length: int, ends: bool) -> None:
    mode, wall, minutes = shape
    zone, asked = place
    more: dict[str, Any] = {"minutes": minutes} if mode == "every_n_minutes" else {}
    if mode == "cron":
        more["expression"] = f"{minutes % 60} */5 * * * *"
    anchor = wall.replace(microsecond=0).isoformat() + "Z"
    if ends:
        more["until"] = (wall + timedelta(days=minutes)).replace(microsecond=0).isoformat() + "Z"
    found = made(mode, anchor, zone, **more)
    slots = list(islice(found.between(asked, asked + length), 2_000))
    assert all(one < other for one, other in pairwise(slots))
    assert all(found.begin <= slot <= found.end for slot in slots)
    following = found.next_after(asked)
    if following is None:
        assert slots == []
        return
    assert following > asked
    before = found.previous(following)
    assert before is None or before <= asked
    assert found.previous(following + 1) == following
    assert slots == [] or slots[0] == following
    for one, other in islice(pairwise(slots), 20):
        assert found.next_after(one) == other
        assert found.previous(other) == one
    if len(slots) < 2_000:
        assert found.count(asked, asked + length) == len(slots)


def test_a_cadence_of_cron_is_the_cron_family_with_seconds() -> None:
    after, until = ms("2026-10-24T00:00:00Z"), ms("2026-10-27T00:00:00Z")
    ours = list(made("cron", None, expression="*/15 2 * * *").between(after, until))
    assert ours == list(cron.schedule("*/15 2 * * *", "Europe/Paris").between(after, until))
