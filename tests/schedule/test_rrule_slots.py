"""Which instants a rule has: the contract's cases, clock changes of every size, and a slow second opinion."""

from __future__ import annotations

from datetime import datetime, timedelta
from itertools import islice, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coven_desktop.schedule import zones
from coven_desktop.schedule.rrule import LOOK_BACK, RruleError, RruleSchedule, Rule, schedule
from tests.schedule import reference
from tests.schedule.places import PLACES, RULES
from tests.schedule.reference import DAYS, EPOCH, ms

DAY = 86_400_000


def text_of(instant: int) -> str:
    return (EPOCH + timedelta(milliseconds=instant)).isoformat().replace("+00:00", "Z")


def following(rule: str, zone: str, after: str, count: int) -> list[str]:
    """The first slots by next_after, which must be those of between."""
    found = schedule(rule, zone)
    instant, slots = ms(after), []
    for _ in range(count):
        following = found.next_after(instant)
        assert following is not None
        assert following > instant
        instant = following
        slots.append(instant)
    assert list(islice(found.between(ms(after), 1 << 60), count)) == slots
    return [text_of(slot) for slot in slots]


@pytest.mark.parametrize(
    ("rule", "zone", "after", "slots"),
    [
        ("FREQ=DAILY;BYHOUR=9", "utc", "2026-08-28T08:00:00Z", ["2026-08-28T09:00:00Z"]),
        ("FREQ=DAILY;BYHOUR=9", "utc", "2026-08-28T08:59:59.999Z", ["2026-08-28T09:00:00Z"]),
        ("FREQ=DAILY;BYHOUR=9", "utc", "2026-08-28T09:00:00Z", ["2026-08-29T09:00:00Z"]),
        ("FREQ=DAILY;BYHOUR=9,17", "utc", "2026-08-28T12:00:00Z", ["2026-08-28T17:00:00Z", "2026-08-29T09:00:00Z"]),
        ("FREQ=DAILY;BYHOUR=9", "America/New_York", "2026-01-15T13:00:00Z", ["2026-01-15T14:00:00Z"]),
        ("FREQ=DAILY;BYHOUR=9", "utc", "2028-02-28T12:00:00Z", ["2028-02-29T09:00:00Z", "2028-03-01T09:00:00Z"]),
        ("FREQ=DAILY;BYHOUR=9", "utc", "2026-12-31T10:00:00Z", ["2027-01-01T09:00:00Z"]),
        ("FREQ=WEEKLY", "utc", "2026-08-28T00:00:00Z", ["2026-08-31T09:00:00Z", "2026-09-07T09:00:00Z"]),
        (
            "FREQ=WEEKLY;BYDAY=WE,FR,SU;BYHOUR=6",
            "utc",
            "2026-08-28T06:00:00Z",
            ["2026-08-30T06:00:00Z", "2026-09-02T06:00:00Z", "2026-09-04T06:00:00Z", "2026-09-06T06:00:00Z"],
        ),
        # The weekday is the zone's: Monday 09:00 in Kiritimati is Sunday in UTC.
        ("FREQ=WEEKLY", "Pacific/Kiritimati", "2026-08-28T00:00:00Z", ["2026-08-30T19:00:00Z"]),
        # Gaps: no slot, hours independent of each other, the next day as ever.
        ("FREQ=DAILY;BYHOUR=2", "America/New_York", "2026-03-07T08:00:00Z", ["2026-03-09T06:00:00Z"]),
        (
            "FREQ=DAILY;BYHOUR=2,3",
            "Europe/Paris",
            "2026-03-28T12:00:00Z",
            ["2026-03-29T01:00:00Z", "2026-03-30T00:00:00Z", "2026-03-30T01:00:00Z"],
        ),
        ("FREQ=WEEKLY;BYDAY=SU;BYHOUR=2", "Europe/Paris", "2026-03-22T01:00:00Z", ["2026-04-05T00:00:00Z"]),
        # Folds: once, the earlier instant.
        (
            "FREQ=DAILY;BYHOUR=2",
            "Europe/Paris",
            "2026-10-24T12:00:00Z",
            ["2026-10-25T00:00:00Z", "2026-10-26T01:00:00Z"],
        ),
        ("FREQ=DAILY;BYHOUR=2", "Europe/Paris", "2026-10-25T00:30:00Z", ["2026-10-26T01:00:00Z"]),
        (
            "FREQ=DAILY;BYHOUR=1,2,3",
            "Europe/Paris",
            "2026-10-24T23:00:00Z",
            ["2026-10-25T00:00:00Z", "2026-10-25T02:00:00Z"],
        ),
        # Half an hour: 02:00–02:30 is skipped, 01:30–02:00 comes twice, so that only the gap takes a full hour.
        (
            "FREQ=DAILY;BYHOUR=2",
            "Australia/Lord_Howe",
            "2026-10-02T16:00:00Z",
            ["2026-10-04T15:00:00Z", "2026-10-05T15:00:00Z"],
        ),
        ("FREQ=DAILY;BYHOUR=2", "Australia/Lord_Howe", "2026-04-03T16:00:00Z", ["2026-04-04T15:30:00Z"]),
        # Two hours: 01:00 and 02:00 are skipped, and come twice in autumn.
        (
            "FREQ=DAILY;BYHOUR=1,2,3",
            "Antarctica/Troll",
            "2026-03-28T04:00:00Z",
            ["2026-03-29T01:00:00Z", "2026-03-29T23:00:00Z"],
        ),
        (
            "FREQ=DAILY;BYHOUR=1,2,3",
            "Antarctica/Troll",
            "2026-10-24T04:00:00Z",
            ["2026-10-24T23:00:00Z", "2026-10-25T00:00:00Z", "2026-10-25T03:00:00Z", "2026-10-26T01:00:00Z"],
        ),
        # A whole day: no Friday that week.
        (
            "FREQ=WEEKLY;BYDAY=FR",
            "Pacific/Apia",
            "2011-12-23T19:00:00Z",
            ["2012-01-05T19:00:00Z", "2012-01-12T19:00:00Z"],
        ),
        ("FREQ=WEEKLY;BYDAY=FR;BYHOUR=0", "Pacific/Apia", "2011-12-23T11:00:00Z", ["2012-01-05T10:00:00Z"]),
        (
            "FREQ=DAILY;BYHOUR=0,23",
            "Pacific/Apia",
            "2011-12-30T09:30:00Z",
            ["2011-12-30T10:00:00Z", "2011-12-31T09:00:00Z"],
        ),
        ("FREQ=WEEKLY;BYDAY=SA", "Pacific/Kwajalein", "1993-08-14T22:00:00Z", ["1993-08-27T21:00:00Z"]),
        # A day that came twice, with an offset of mean time.
        (
            "FREQ=DAILY;BYHOUR=12",
            "America/Sitka",
            "1867-10-17T22:00:00Z",
            ["1867-10-18T21:01:13Z", "1867-10-20T21:01:13Z"],
        ),
        # Changes at midnight.
        ("FREQ=WEEKLY;BYDAY=SU;BYHOUR=0", "America/St_Johns", "2006-10-29T03:00:00Z", ["2006-11-05T03:30:00Z"]),
        ("FREQ=DAILY;BYHOUR=0", "America/Havana", "2026-03-07T06:00:00Z", ["2026-03-09T04:00:00Z"]),
        ("FREQ=DAILY;BYHOUR=0", "Africa/Cairo", "2026-10-29T12:00:00Z", ["2026-10-29T22:00:00Z"]),
        (
            "FREQ=DAILY;BYHOUR=0",
            "America/St_Johns",
            "2006-10-28T12:00:00Z",
            ["2006-10-29T02:30:00Z", "2006-10-30T03:30:00Z"],
        ),
    ],
)
def test_slots(rule: str, zone: str, after: str, slots: list[str]) -> None:
    assert following(rule, zone, after, len(slots)) == slots


@pytest.mark.parametrize(
    ("rule", "zone", "refusal"),
    [
        ("FREQ=HOURLY", "utc", RruleError),
        ("FREQ=DAILY", "local", zones.ZoneError),
        ("FREQ=DAILY", "Factory", zones.ZoneError),
    ],
)
def test_a_rule_or_zone_that_is_refused_has_no_schedule(rule: str, zone: str, refusal: type[Exception]) -> None:
    with pytest.raises(refusal):
        schedule(rule, zone)


@pytest.mark.parametrize("zone", ["utc", "Pacific/Kiritimati", "Pacific/Pago_Pago", "Europe/Paris", "America/New_York"])
def test_series_end_with_the_year_9999_and_begin_with_the_year_1(zone: str) -> None:
    found = schedule("FREQ=DAILY;BYHOUR=0,12,23", zone)
    end, begin = ms("9999-12-31T23:59:59.999Z"), ms("0001-01-01T00:00:00Z")
    last = list(found.between(end - 3 * DAY, 1 << 62))
    assert len(last) >= 6
    assert last[-1] <= end
    assert found.next_after(last[-1] - 1) == last[-1]
    assert found.next_after(last[-1]) is None
    assert found.next_after(1 << 62) is None
    first = found.next_after(-(1 << 62))
    assert first == found.next_after(begin - 1)
    assert first is not None
    assert begin <= first < begin + DAY


def test_the_newest_due_slot_and_how_many_there_are() -> None:
    found = schedule("FREQ=DAILY;BYHOUR=9,17", "utc")
    created, nine = ms("2026-09-01T08:00:00Z"), ms("2026-09-04T09:00:00Z")
    assert found.latest_due(created, nine) == (nine, 7)  # a slot exactly at now is due
    assert found.latest_due(created, nine - 1) == (ms("2026-09-03T17:00:00Z"), 6)
    assert found.latest_due(nine, nine) == (None, 0)  # one exactly at the bound is not
    assert found.latest_due(nine - 1, nine) == (nine, 1)
    assert found.latest_due(nine + DAY, nine) == (None, 0)  # the clock went backward
    assert found.latest_due(0, nine) == (nine, 30)  # 15 days back and no further
    assert found.latest_due(0, nine + LOOK_BACK)[1] == 30


@given(PLACES, RULES, st.integers(0, 24 * DAY))
def test_slots_are_those_that_clocks_show_for_the_first_time(place: tuple[str, int], rule: Rule, length: int) -> None:
    zone, after = place
    found = RruleSchedule(rule, zones.zone(zone))
    until = after + length
    expected = list(reference.slots(set(rule.by_hour), set(rule.by_day) or set(DAYS), zone, after, until))
    assert list(found.between(after, until)) == expected
    following = found.next_after(after)
    assert following is not None
    if expected:
        assert following == expected[0]
        # Never before its time, never late, from wherever it is asked.
        for one, another in pairwise(expected):
            assert found.next_after(one) == found.next_after(another - 1) == another
    else:
        assert following > until
    due = [slot for slot in expected if slot > until - LOOK_BACK]
    assert found.latest_due(after, until) == (due[-1] if due else None, len(due))


@given(
    st.sampled_from(sorted(zones.names())),
    st.datetimes(datetime(1840, 1, 1), datetime(2500, 1, 1)),  # noqa: DTZ001 - wall times
    RULES,
)
def test_each_wall_time_of_any_year_has_its_earlier_instant_or_none(zone: str, wall: datetime, rule: Rule) -> None:
    found = RruleSchedule(rule, zones.zone(zone))
    first = wall.replace(hour=0, minute=0, second=0, microsecond=0)
    expected: list[int] = []
    for day in range(4):
        date = first + timedelta(days=day)
        if rule.frequency == "DAILY" or DAYS[date.weekday()] in rule.by_day:
            walls = [date + timedelta(hours=hour) for hour in rule.by_hour]
            expected += [at for at in (reference.first_instant(wall, zone) for wall in walls) if at is not None]
    begin = min([*zones.zone(zone).instants_of(first), *expected], default=None)
    if begin is None:  # a date that is skipped, at its beginning or wholly
        return
    end = zones.zone(zone).instants_of(first + timedelta(days=4))
    if end:
        assert [at for at in found.between(begin - 1, end[0] - 1) if at in expected] == expected
        assert not [at for at in found.between(begin - 1, end[0] - 1) if at not in expected]
