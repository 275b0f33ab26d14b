"""Previews of cadences and cron: the notes gap, repeated, clamped and last, and that nothing else is promised."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from coven_desktop.schedule import cadence, cron, zones
from coven_desktop.schedule.cron import CronError
from coven_desktop.schedule.preview import Preview, document_of, preview, preview_before
from coven_desktop.schedule.rrule import schedule as rrule_schedule
from coven_desktop.schedule.slots import Schedule
from tests.schedule.cron_places import CRONS
from tests.schedule.places import PLACES
from tests.schedule.reference import ms


def made(mode: str, anchor: str, zone: str = "Europe/Paris", **more: Any) -> Schedule:
    return cadence.schedule(cadence.parse(mode, zone, anchor=anchor, **more))


def shown(schedule: Schedule, after: str, count: int) -> tuple[list[tuple[str, str | None]], list[tuple[str, str]]]:
    found = preview(schedule, ms(after), count)
    return (
        [(firing.local_text, firing.note) for firing in found.firings],
        [(note.kind, note.text) for note in found.notes],
    )


def test_a_time_that_clocks_skip_runs_at_the_jump() -> None:
    assert shown(cron.schedule("30 2 * * *", "Europe/Paris"), "2026-03-28T12:00:00Z", 2) == (
        [("2026-03-29T03:00:00+02:00", "gap"), ("2026-03-30T02:30:00+02:00", None)],
        [
            (
                "moved",
                "02:30 on Sunday 29 March 2026 does not exist in Europe/Paris: "
                "clocks go forward from 02:00 to 03:00. It runs then, at 03:00.",
            )
        ],
    )


def test_times_that_clocks_skip_are_one_run_and_one_note() -> None:
    assert shown(cron.schedule("*/30 2,3 * * *", "Europe/Paris"), "2026-03-28T12:00:00Z", 2) == (
        [("2026-03-29T03:00:00+02:00", "gap"), ("2026-03-29T03:30:00+02:00", None)],
        [
            (
                "moved",
                "02:00 to 02:30 on Sunday 29 March 2026 (2 times of this schedule) do not exist in Europe/Paris: "
                "clocks go forward from 02:00 to 03:00. One run stands for them, at 03:00.",
            )
        ],
    )
    assert shown(cron.schedule("*/30 2,3 * * *", "Europe/Paris"), "2026-03-29T01:00:00Z", 1)[1] == []


def test_a_whole_day_is_told_with_its_dates() -> None:
    firings, notes = shown(cron.schedule("0 8,20 * * *", "Pacific/Apia"), "2011-12-30T08:00:00Z", 2)
    assert firings == [("2011-12-31T00:00:00+14:00", "gap"), ("2011-12-31T08:00:00+14:00", None)]
    assert notes[0][1] == (
        "08:00 to 20:00 on Friday 30 December 2011 (2 times of this schedule) do not exist in Pacific/Apia: clocks go "
        "forward from 2011-12-30 00:00 to 2011-12-31 00:00. One run stands for them, at 00:00."
    )


@pytest.mark.parametrize(
    ("hours", "firings", "said"),
    [
        ("2", ["02:00:00+02:00", "02:30:00+02:00"], "They run the first time only."),
        ("*", ["02:00:00+02:00", "02:30:00+02:00", "02:00:00+01:00", "02:30:00+01:00"], "They run both times."),
    ],
)
def test_times_that_come_twice(hours: str, firings: list[str], said: str) -> None:
    schedule = cron.schedule(f"*/30 {hours} * * *", "Europe/Paris")
    found, notes = shown(schedule, "2026-10-24T23:59:00Z", len(firings) + 1)
    assert found[:-1] == [(f"2026-10-25T{firing}", "repeated") for firing in firings]
    assert found[-1][1] is None
    assert notes == [
        (
            "repeated",
            "02:00 to 02:30 on Sunday 25 October 2026 (2 times of this schedule) come twice in Europe/Paris: "
            f"clocks go back from 03:00 to 02:00. {said}",
        )
    ]
    # asked in the second pass they are noted, as long as one of them is still to come
    assert [kind for kind, _ in shown(schedule, "2026-10-25T01:00:00Z", 2)[1]] == ["repeated"]
    assert shown(schedule, "2026-10-25T01:30:00Z", 2)[1] == []


def test_an_hour_that_clocks_skip_is_told_of_hourly_cadences() -> None:
    firings, notes = shown(made("hourly", "2026-01-01T00:15:00"), "2026-03-29T00:00:00Z", 2)
    assert [text for text, _ in firings] == ["2026-03-29T01:15:00+01:00", "2026-03-29T03:15:00+02:00"]
    assert [kind for kind, _ in notes] == ["skipped"]
    assert notes[0][1].endswith("No run at this time.")
    _, notes = shown(made("hourly", "2026-01-01T00:15:00"), "2026-10-25T00:00:00Z", 2)
    assert notes[0][1].endswith("It runs both times.")


def test_short_months_and_the_end() -> None:
    schedule = made("monthly", "2026-01-31T09:00:00", "utc", until="2026-05-31T09:00:00")
    assert shown(schedule, "2026-01-01T00:00:00Z", 9)[0] == [
        ("2026-01-31T09:00:00+00:00", None),
        ("2026-02-28T09:00:00+00:00", "clamped"),
        ("2026-03-31T09:00:00+00:00", None),
        ("2026-04-30T09:00:00+00:00", "clamped"),
        ("2026-05-31T09:00:00+00:00", "last"),
    ]
    assert shown(schedule, "2026-01-01T00:00:00Z", 4)[0][-1][1] == "clamped"
    assert shown(schedule, "2026-05-31T09:00:00Z", 4) == ([], [])


def test_runs_that_are_left() -> None:
    schedule = made("daily", "2026-01-31T09:00:00", "utc")
    notes = [firing.note for firing in preview(schedule, 0, 5, runs_left=3).firings]
    assert notes == [None, None, "last"]
    assert [firing.note for firing in preview(schedule, 0, 2, runs_left=3).firings] == [None, None]
    assert [firing.note for firing in preview(schedule, 0, 3, runs_left=3).firings] == [None, None, "last"]


def test_no_note_of_a_change_after_the_end() -> None:
    schedule = made("daily", "2026-03-27T02:30:00", until="2026-03-28T12:00:00")
    assert shown(schedule, "2026-03-01T00:00:00Z", 9)[1] == []


def test_once_and_every_n_minutes() -> None:
    assert shown(made("once", "2026-03-29T04:00:00"), "2026-01-01T00:00:00Z", 3)[0] == [
        ("2026-03-29T04:00:00+02:00", "last")
    ]
    assert shown(made("every_n_minutes", "2026-03-29T01:30:00", minutes=45), "2026-01-01T00:00:00Z", 2)[0] == [
        ("2026-03-29T01:30:00+01:00", None),
        ("2026-03-29T03:15:00+02:00", None),
    ]


def test_the_firings_before() -> None:
    schedule = made("monthly", "2026-01-31T02:30:00", "utc")
    found = preview_before(schedule, ms("2026-03-31T02:30:00Z"), 5)
    assert [(firing.local_text, firing.note) for firing in found.firings] == [
        ("2026-01-31T02:30:00+00:00", None),
        ("2026-02-28T02:30:00+00:00", "clamped"),
    ]
    assert preview_before(schedule, ms("2026-01-31T02:30:00Z"), 5) == Preview((), ())
    found = preview_before(rrule_schedule("FREQ=DAILY;BYHOUR=2", "Europe/Paris"), ms("2026-03-30T00:00:00Z"), 1)
    assert [firing.local_text for firing in found.firings] == ["2026-03-28T02:00:00+01:00"]
    for count in (0, 1_001):
        with pytest.raises(ValueError, match="1 to 1000"):
            preview_before(schedule, 0, count)


def test_the_document() -> None:
    schedule = cron.schedule("30 2 * * *", "Europe/Paris")
    told = document_of(schedule, preview(schedule, ms("2026-10-24T12:00:00Z"), 1))
    assert told["timezone"] == "Europe/Paris"
    assert told["zoneData"] == zones.zone_data().version
    assert told["firings"] == [
        {"at": "2026-10-25T00:30:00.000Z", "local": "2026-10-25T02:30:00+02:00", "note": "repeated"}
    ]


def _check(schedule: Schedule, after: int, count: int) -> None:
    found = preview(schedule, after, count)
    instant = after
    for firing in found.firings:
        assert schedule.next_after(instant) == firing.at
        instant = firing.at
        local = schedule.zone.local_of(firing.at)
        assert firing.local_text.startswith(local.wall.isoformat())
    if len(found.firings) < count:
        assert schedule.next_after(instant) is None
    if found.firings:
        back = preview_before(schedule, instant + 1, len(found.firings))
        assert [firing.at for firing in back.firings] == [firing.at for firing in found.firings]


@given(CRONS, PLACES, st.integers(1, 40))
def test_a_preview_of_cron_is_what_the_engine_will_do(expression: str, place: tuple[str, int], count: int) -> None:
    zone, after = place
    try:
        schedule = cron.schedule(expression, zone)
    except CronError as error:
        assume("never comes" not in error.message)
        raise
    _check(schedule, after, count)


@given(
    st.sampled_from(["hourly", "daily", "weekly", "monthly", "yearly", "every_n_minutes", "once"]),
    st.datetimes(datetime(1990, 1, 1), datetime(2050, 1, 1)),  # noqa: DTZ001 - written with a Z
    PLACES,
    st.integers(1, 40),
)
def test_a_preview_of_a_cadence_is_what_the_engine_will_do(
    mode: str, wall: datetime, place: tuple[str, int], count: int
) -> None:
    zone, after = place
    more = {"minutes": 77} if mode == "every_n_minutes" else {}
    _check(made(mode, wall.replace(microsecond=0).isoformat() + "Z", zone, **more), after, count)
