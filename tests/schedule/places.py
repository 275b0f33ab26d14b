"""Where and when to ask: strategies that come near every kind of clock change, and rules to ask about."""

from __future__ import annotations

from hypothesis import strategies as st

from coven_desktop.schedule import zones
from coven_desktop.schedule.rrule import Rule
from tests.schedule.reference import DAYS, ms

DAY = 86_400_000

ODD_TIMES = [
    ("Pacific/Apia", "2011-12-30T10:00:00Z"),
    ("Pacific/Kwajalein", "1993-08-21T12:00:00Z"),
    ("Pacific/Kiritimati", "1995-01-01T10:00:00Z"),
    ("Australia/Lord_Howe", "2026-04-04T15:00:00Z"),
    ("Australia/Lord_Howe", "2026-10-03T15:30:00Z"),
    ("Antarctica/Troll", "2026-03-29T01:00:00Z"),
    ("Antarctica/Troll", "2026-10-25T01:00:00Z"),
    ("Antarctica/Casey", "2020-10-04T12:00:00Z"),
    ("Europe/Paris", "2026-03-29T01:00:00Z"),
    ("Europe/Paris", "2026-10-25T01:00:00Z"),
    ("Europe/Dublin", "2026-10-25T01:00:00Z"),
    ("America/New_York", "2026-11-01T06:00:00Z"),
    ("America/Havana", "2026-03-08T05:00:00Z"),
    ("America/Santiago", "2026-04-05T03:00:00Z"),
    ("America/Santiago", "2026-09-06T04:00:00Z"),
    ("America/Nuuk", "2026-03-29T01:00:00Z"),
    ("America/St_Johns", "2006-10-29T02:31:00Z"),
    ("America/Caracas", "2016-05-01T07:00:00Z"),
    ("Africa/Casablanca", "2026-02-15T02:00:00Z"),
    ("Africa/Cairo", "2026-10-29T21:00:00Z"),
    ("Asia/Gaza", "2026-03-28T00:00:00Z"),
    ("Asia/Kathmandu", "1985-12-31T18:30:00Z"),
    ("Asia/Pyongyang", "2018-05-04T15:00:00Z"),
    ("Asia/Beirut", "2026-03-28T22:00:00Z"),
    ("Pacific/Chatham", "2026-04-04T14:00:00Z"),
    ("Atlantic/Azores", "2026-10-25T01:00:00Z"),
    ("Europe/London", "2147-03-26T01:00:00Z"),
]
PLACES = st.one_of(
    st.tuples(
        st.sampled_from(ODD_TIMES), st.integers(-20 * DAY, 2 * DAY) | st.sampled_from([-1, 0, 1, -3_600_000, 3_600_000])
    ).map(lambda place: (place[0][0], ms(place[0][1]) + place[1])),
    st.tuples(
        st.sampled_from(["utc", *sorted(zones.names())]),
        st.integers(ms("1975-01-01T00:00:00Z"), ms("2100-01-01T00:00:00Z")),
    ),
)
RULES = st.builds(
    lambda days, hours: Rule("WEEKLY" if days else "DAILY", tuple(sorted(hours)), tuple(sorted(days))),
    st.sets(st.sampled_from(DAYS), max_size=7),
    st.sets(st.integers(0, 23) | st.integers(0, 4), min_size=1),
)
