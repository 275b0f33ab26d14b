"""Which instants cron has: clock changes of every size, two second opinions, and the promises of the protocol."""

from __future__ import annotations

from datetime import datetime, timedelta
from itertools import islice, pairwise

import pytest
from cronsim import CronSim
from hypothesis import assume, given
from hypothesis import strategies as st

from coven_desktop.schedule import cron, zones
from coven_desktop.schedule.cron import CronError
from tests.schedule import wall_reference
from tests.schedule.cron_places import CRONS, EXPRESSIONS, FIVE_FIELDS, ODD_ZONES, matcher
from tests.schedule.places import PLACES
from tests.schedule.reference import EPOCH, ms
from tests.schedule.wall_reference import changes

HOUR = 3_600_000
DAY = 24 * HOUR
SINCE, UNTIL = datetime(2005, 1, 1), datetime(2036, 1, 1)  # noqa: DTZ001 - the reference wants them so


def text_of(instant: int) -> str:
    return (EPOCH + timedelta(milliseconds=instant)).isoformat().replace("+00:00", "Z")


def following(expression: str, zone: str, after: str, count: int, *, seconds: bool = False) -> list[str]:
    """The first slots by next_after, which must be those of between."""
    found = cron.schedule(expression, zone, seconds=seconds)
    instant, slots = ms(after), []
    for _ in range(count):
        following = found.next_after(instant)
        assert following is not None
        instant = following
        slots.append(instant)
    assert list(islice(found.between(ms(after), 1 << 60), count)) == slots
    return [text_of(slot) for slot in slots]


@pytest.mark.parametrize(
    ("expression", "zone", "after", "slots"),
    [
        # Fields, worked out by hand.
        ("30 4 * * *", "utc", "2027-05-04T04:30:00Z", ["2027-05-05T04:30:00Z"]),
        ("30 4 * * *", "utc", "2027-05-04T04:29:59.999Z", ["2027-05-04T04:30:00Z"]),
        ("*/20 23 * * *", "utc", "2027-12-31T23:20:00Z", ["2027-12-31T23:40:00Z", "2028-01-01T23:00:00Z"]),
        ("0 12 * * mon-fri", "utc", "2027-05-07T12:00:00Z", ["2027-05-10T12:00:00Z"]),  # a Friday, then Monday
        ("0 0 * * 7", "utc", "2027-05-04T00:00:00Z", ["2027-05-09T00:00:00Z"]),
        ("0 0 * * sat-sun", "utc", "2027-05-04T00:00:00Z", ["2027-05-08T00:00:00Z", "2027-05-09T00:00:00Z"]),
        ("0 0 31 * *", "utc", "2027-01-31T00:00:00Z", ["2027-03-31T00:00:00Z", "2027-05-31T00:00:00Z"]),
        ("7-59/20 0 1 1 *", "utc", "2027-01-01T00:00:00Z", [f"2027-01-01T00:{m}:00Z" for m in ("07", "27", "47")]),
        # The day rule: the 13th or a Friday; with a star, a Friday that is an odd day.
        (
            "0 0 13 * fri",
            "utc",
            "2027-08-20T00:00:00Z",
            ["2027-08-27T00:00:00Z", "2027-09-03T00:00:00Z", "2027-09-10T00:00:00Z", "2027-09-13T00:00:00Z"],
        ),
        ("0 0 */2 * fri", "utc", "2027-08-10T00:00:00Z", ["2027-08-13T00:00:00Z", "2027-08-27T00:00:00Z"]),
        ("0 0 13 * */5", "utc", "2027-08-10T00:00:00Z", ["2027-08-13T00:00:00Z", "2028-02-13T00:00:00Z"]),
        # Rare days: no leap day in 2100, and Sundays on a leap day 40 years apart.
        ("0 0 29 2 *", "utc", "2096-03-01T00:00:00Z", ["2104-02-29T00:00:00Z", "2108-02-29T00:00:00Z"]),
        ("0 0 29 2 */7", "utc", "2088-02-29T00:00:00Z", ["2128-02-29T00:00:00Z", "2156-02-29T00:00:00Z"]),
        # Clocks go forward: once at the jump, whatever the hour field; what lands on one instant is one run.
        ("30 2 * * *", "Europe/Paris", "2026-03-28T02:00:00Z", ["2026-03-29T01:00:00Z", "2026-03-30T00:30:00Z"]),
        ("0,30 2,3 * * *", "Europe/Paris", "2026-03-28T03:00:00Z", ["2026-03-29T01:00:00Z", "2026-03-29T01:30:00Z"]),
        ("59 * * * *", "Europe/Paris", "2026-03-29T00:00:00Z", ["2026-03-29T00:59:00Z", "2026-03-29T01:00:00Z"]),
        ("59 2 29 3 *", "Europe/Paris", "2026-01-01T00:00:00Z", ["2026-03-29T01:00:00Z", "2027-03-29T00:59:00Z"]),
        ("15 3 * * *", "Europe/Paris", "2026-03-28T12:00:00Z", ["2026-03-29T01:15:00Z"]),
        # Clocks go back: the first pass, or both where the text of the hour field starts with a star.
        ("30 2 * * *", "Europe/Paris", "2026-10-24T12:00:00Z", ["2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z"]),
        ("30 0-23 * * *", "Europe/Paris", "2026-10-24T23:30:00Z", ["2026-10-25T00:30:00Z", "2026-10-25T02:30:00Z"]),
        ("30 5,* * * *", "Europe/Paris", "2026-10-24T23:30:00Z", ["2026-10-25T00:30:00Z", "2026-10-25T02:30:00Z"]),
        (
            "30 */2 * * *",
            "Europe/Paris",
            "2026-10-24T23:00:00Z",
            ["2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z", "2026-10-25T03:30:00Z"],
        ),
        ("30 *,5 * * *", "Europe/Paris", "2026-10-25T00:00:00Z", ["2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z"]),
        ("*/30 2 * * *", "Europe/Paris", "2026-10-25T00:00:00Z", ["2026-10-25T00:30:00Z", "2026-10-26T01:00:00Z"]),
        # Asked in the second pass, where the second pass does not run, and where it does.
        ("30 2 * * *", "Europe/Paris", "2026-10-25T01:00:00Z", ["2026-10-26T01:30:00Z"]),
        ("45 */24 3 11 *", "America/Havana", "2024-11-03T04:50:00Z", ["2024-11-03T05:45:00Z", "2025-11-03T05:45:00Z"]),
        # Half an hour, two hours, a whole day.
        ("15 2 * * *", "Australia/Lord_Howe", "2026-10-02T16:00:00Z", ["2026-10-03T15:30:00Z", "2026-10-04T15:15:00Z"]),
        ("45 1 * * *", "Australia/Lord_Howe", "2026-04-03T16:00:00Z", ["2026-04-04T14:45:00Z", "2026-04-05T15:15:00Z"]),
        ("30 1,2 * * *", "Antarctica/Troll", "2026-03-28T12:00:00Z", ["2026-03-29T01:00:00Z", "2026-03-29T23:30:00Z"]),
        ("0 1,2 * * *", "Antarctica/Troll", "2026-10-24T12:00:00Z", ["2026-10-24T23:00:00Z", "2026-10-25T00:00:00Z"]),
        ("0 9 * * *", "Pacific/Apia", "2011-12-29T19:00:00Z", ["2011-12-30T10:00:00Z", "2011-12-30T19:00:00Z"]),
        ("0 0 * * *", "Pacific/Apia", "2011-12-29T10:00:00Z", ["2011-12-30T10:00:00Z", "2011-12-31T10:00:00Z"]),
        # At midnight: 00:00 to 01:00 is skipped in Sao Paulo, 23:01 to 24:00 came twice in St John's.
        ("0 0 * * *", "America/Sao_Paulo", "2018-11-03T12:00:00Z", ["2018-11-04T03:00:00Z", "2018-11-05T02:00:00Z"]),
        (
            "30 * * * *",
            "America/St_Johns",
            "2006-10-29T01:30:00Z",
            ["2006-10-29T02:00:00Z", "2006-10-29T03:00:00Z", "2006-10-29T04:00:00Z"],
        ),
        # Half an hour for ever: 2016-05-01 in Caracas from 02:30 to 03:00, 2018-05-04 in Pyongyang at 23:30.
        ("45 2 * * *", "America/Caracas", "2016-04-30T12:00:00Z", ["2016-05-01T07:00:00Z", "2016-05-02T06:45:00Z"]),
        ("45 23 * * *", "Asia/Pyongyang", "2018-05-04T00:00:00Z", ["2018-05-04T15:00:00Z", "2018-05-05T14:45:00Z"]),
    ],
)
def test_slots(expression: str, zone: str, after: str, slots: list[str]) -> None:
    assert following(expression, zone, after, len(slots)) == slots


def test_six_fields_have_seconds_first() -> None:
    assert following("*/30 59 23 * * *", "utc", "2027-05-04T00:00:00Z", 3, seconds=True) == [
        "2027-05-04T23:59:00Z",
        "2027-05-04T23:59:30Z",
        "2027-05-05T23:59:00Z",
    ]
    # a skipped second runs at the jump as well
    assert following("59 59 2 * * *", "Europe/Paris", "2026-03-28T12:00:00Z", 1, seconds=True) == [
        "2026-03-29T01:00:00Z"
    ]


def test_a_late_pass_counts_a_year_and_finds_the_newest() -> None:
    found = cron.schedule("* * * * *", "Europe/Paris")
    now = ms("2027-01-01T00:00:30Z")
    assert found.count(now - 365 * DAY, now) == 525_600
    newest = [found.previous(now)]
    for _ in range(3):
        newest.append(found.previous(newest[-1] or 0))
    assert newest == [ms("2027-01-01T00:00:00Z") - minutes * 60_000 for minutes in range(4)]


@pytest.mark.parametrize("zone", ["utc", "Pacific/Kiritimati", "Pacific/Pago_Pago", "Europe/Paris"])
def test_series_end_with_the_year_9999_and_begin_with_the_year_1(zone: str) -> None:
    found = cron.schedule("0 */6 * * *", zone)
    end, begin = ms("9999-12-31T23:59:59.999Z"), ms("0001-01-01T00:00:00Z")
    last = list(found.between(end - 3 * DAY, 1 << 62))
    assert last[-1] <= end
    assert found.next_after(last[-1] - 1) == last[-1]
    assert found.next_after(last[-1]) is found.next_after(1 << 62) is None
    assert found.previous(1 << 62) == last[-1]
    first = found.next_after(-(1 << 62))
    assert first is not None
    assert begin <= first < begin + DAY
    assert found.previous(first) is found.previous(-(1 << 62)) is None
    assert found.previous(first + 1) == first
    rare = cron.schedule("0 0 29 2 *", zone)
    assert rare.next_after(ms("9996-03-02T00:00:00Z")) is None
    assert rare.previous(ms("0004-02-27T00:00:00Z")) is None


def _check_around(zone: str, change: datetime, expression: str, hours: int) -> None:
    found = cron.schedule(expression, zone)
    at = (change - EPOCH) // timedelta(milliseconds=1)
    after, until = at - hours * HOUR, at + hours * HOUR
    star = expression.split()[1].startswith("*")
    expected = list(
        wall_reference.slots(matcher(expression), zone, after, until, both_passes=star, at_jump=True)
    )  # fmt: skip
    assert list(found.between(after, until)) == expected, (zone, change, expression)
    assert found.count(after, until) == len(expected)
    for one, other in pairwise(expected):
        if other - one != 7 * 60_000:  # plain steps need no second look
            assert found.next_after(one) == found.next_after(other - 1) == other, (zone, change, expression)
            assert found.previous(other) == found.previous(one + 1) == one, (zone, change, expression)


@pytest.mark.parametrize("zone", ODD_ZONES)
def test_slots_around_odd_changes_are_those_of_a_minute_by_minute_reading(zone: str) -> None:
    found = changes(zone, SINCE, UNTIL)
    assert found
    for change in found[:: len(found) // 4 + 1]:
        for expression in EXPRESSIONS:
            _check_around(zone, change, expression, 27)


@pytest.mark.timeout(900)
def test_slots_around_all_changes_are_those_of_a_minute_by_minute_reading(long_suite: bool) -> None:
    folder = zones.zone_data().folder
    # of names that mean the same zone one is asked about
    files = {(folder / zone).read_bytes(): zone for zone in sorted(zones.names(), reverse=True)}
    checked = 0
    for place, zone in enumerate(sorted(files.values())):
        if not long_suite and place % 8:
            continue
        for index, change in enumerate(changes(zone, SINCE, UNTIL)):
            if long_suite or index % 10 == place // 8 % 10:
                _check_around(zone, change, EXPRESSIONS[(place + index) % len(EXPRESSIONS)], 4)
                _check_around(zone, change, "*/7 * * * *" if index % 2 else "*/7 0-23 * * *", 4)
                checked += 1
    assert checked > (4_000 if long_suite else 50)


@given(CRONS, PLACES, st.integers(0, 3 * DAY))
def test_the_protocol(expression: str, place: tuple[str, int], length: int) -> None:
    zone, asked = place
    try:
        found = cron.schedule(expression, zone)
    except CronError as error:
        assume("never comes" not in error.message)
        raise
    following = found.next_after(asked)
    if following is None:
        assert asked > ms("2050-01-01T00:00:00Z")
        return
    assert following > asked
    before = found.previous(following)
    assert before is None or before <= asked
    assert found.previous(following + 1) == following
    slots = list(found.between(asked, asked + length))
    assert all(one < other for one, other in pairwise(slots))
    assert found.count(asked, asked + length) == len(slots)
    assert slots == [] or slots[0] == following
    assert slots or following > asked + length
    for one, other in islice(pairwise(slots), 20):
        assert found.next_after(one) == other
        assert found.previous(other) == one
    assert found.previous(asked + length + 1) == (slots[-1] if slots else found.previous(asked + 1))


@given(FIVE_FIELDS, st.datetimes(datetime(1990, 1, 1), datetime(2120, 1, 1)))  # noqa: DTZ001 - wall times
def test_fields_match_as_cronsim_matches_them(expression: str, wall: datetime) -> None:
    try:
        found = cron.schedule(expression, "utc")
    except CronError as error:
        assume("never comes" not in error.message)
        raise
    asked = (wall - datetime(1970, 1, 1)) // timedelta(milliseconds=1)  # noqa: DTZ001
    theirs = [
        (at - datetime(1970, 1, 1)) // timedelta(milliseconds=1)  # noqa: DTZ001
        for at in islice(CronSim(expression, wall), 5)
    ]
    assert list(islice(found.between(asked, 1 << 60), 5)) == theirs
