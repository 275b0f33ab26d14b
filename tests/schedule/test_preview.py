"""The preview: what fires, what clocks skip or repeat on the way, and the document covenctl prints."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coven_desktop.schedule import zones
from coven_desktop.schedule.preview import Preview, document, preview, refusal
from coven_desktop.schedule.rrule import RruleError, RruleSchedule, Rule, schedule
from tests.schedule.places import PLACES, RULES
from tests.schedule.reference import ms


def shown(rule: str, zone: str, after: str, count: int) -> tuple[list[tuple[str, str | None]], list[tuple[str, str]]]:
    found = preview(schedule(rule, zone), ms(after), count)
    return [(f.local_text, f.note) for f in found.firings], [(n.kind, n.wall_text) for n in found.notes]


def test_the_document_of_a_spring_forward() -> None:
    found = document("FREQ=DAILY;BYHOUR=2,3", "Europe/Paris", ms("2026-03-28T12:00:00Z"), 2)
    assert json.loads(json.dumps(found)) == {
        "timezone": "Europe/Paris",
        "zoneData": zones.zone_data().version,
        "firings": [
            {"at": "2026-03-29T01:00:00.000Z", "local": "2026-03-29T03:00:00+02:00", "note": None},
            {"at": "2026-03-30T00:00:00.000Z", "local": "2026-03-30T02:00:00+02:00", "note": None},
        ],
        "notes": [
            {
                "kind": "skipped",
                "wall": "2026-03-29T02:00:00",
                "text": "02:00 on Sunday 29 March 2026 does not exist in Europe/Paris: "
                "clocks go forward from 02:00 to 03:00. No run at this time.",
            }
        ],
    }


def test_the_document_of_an_autumn() -> None:
    found = document("FREQ=DAILY;BYHOUR=2", "Europe/Paris", ms("2026-10-24T12:00:00Z"), 1)
    assert found["firings"] == [
        {"at": "2026-10-25T00:00:00.000Z", "local": "2026-10-25T02:00:00+02:00", "note": "repeated"}
    ]
    assert found["notes"] == [
        {
            "kind": "repeated",
            "wall": "2026-10-25T02:00:00",
            "text": "02:00 on Sunday 25 October 2026 comes twice in Europe/Paris: "
            "clocks go back from 03:00 to 02:00. One run, the first time.",
        }
    ]


def test_a_whole_day_is_told_with_its_dates() -> None:
    found = preview(schedule("FREQ=WEEKLY;BYDAY=FR;BYHOUR=0,12", "Pacific/Apia"), ms("2011-12-25T00:00:00Z"), 1)
    assert [note.wall_text for note in found.notes] == ["2011-12-30T00:00:00", "2011-12-30T12:00:00"]
    assert found.notes[1].text == (
        "12:00 on Friday 30 December 2011 does not exist in Pacific/Apia: "
        "clocks go forward from 2011-12-30 00:00 to 2011-12-31 00:00. No run at this time."
    )


@pytest.mark.parametrize(
    ("after", "count", "notes"),
    [
        # The jump is at 01:00Z: notes are for what lies after `after` and not after the last firing.
        ("2026-03-28T01:00:00Z", 1, [("skipped", "2026-03-29T02:00:00")]),
        ("2026-03-28T00:59:59Z", 1, []),
        ("2026-03-29T00:59:59.999Z", 1, [("skipped", "2026-03-29T02:00:00")]),
        ("2026-03-29T01:00:00Z", 1, []),
    ],
)
def test_a_skipped_hour_is_noted_between_from_and_the_last_firing(
    after: str, count: int, notes: list[tuple[str, str]]
) -> None:
    assert shown("FREQ=DAILY;BYHOUR=2", "Europe/Paris", after, count)[1] == notes


def test_the_second_pass_of_an_hour_is_noted_though_it_fires_no_more() -> None:
    firings, notes = shown("FREQ=DAILY;BYHOUR=2", "Europe/Paris", "2026-10-25T00:00:00Z", 1)
    assert firings == [("2026-10-26T02:00:00+01:00", None)]
    assert notes == [("repeated", "2026-10-25T02:00:00")]
    assert shown("FREQ=DAILY;BYHOUR=2", "Europe/Paris", "2026-10-25T01:00:00Z", 1)[1] == []


def test_two_hours_and_half_an_hour() -> None:
    assert shown("FREQ=DAILY;BYHOUR=1,2", "Antarctica/Troll", "2026-03-28T03:00:00Z", 1) == (
        [("2026-03-30T01:00:00+02:00", None)],
        [("skipped", "2026-03-29T01:00:00"), ("skipped", "2026-03-29T02:00:00")],
    )
    assert shown("FREQ=DAILY;BYHOUR=2", "Australia/Lord_Howe", "2026-10-02T16:00:00Z", 1) == (
        [("2026-10-05T02:00:00+11:00", None)],
        [("skipped", "2026-10-04T02:00:00")],
    )


@pytest.mark.parametrize(
    ("zone", "local"),
    [
        ("utc", "2026-01-05T09:00:00+00:00"),
        ("America/St_Johns", "2026-01-05T09:00:00-03:30"),
        ("Asia/Kathmandu", "2026-01-05T09:00:00+05:45"),
        ("Etc/GMT+12", "2026-01-05T09:00:00-12:00"),
    ],
)
def test_local_texts_carry_the_offset(zone: str, local: str) -> None:
    assert shown("FREQ=WEEKLY", zone, "2026-01-04T12:00:00Z", 1)[0] == [(local, None)]


@pytest.mark.parametrize(
    ("zone", "local"),
    [
        ("Europe/Paris", "1900-01-01T09:00:00+00:09"),  # +00:09:21
        ("America/New_York", "1880-01-05T09:00:00-04:56"),  # -04:56:02
        ("Asia/Tokyo", "1880-01-05T09:00:00+09:19"),  # +09:18:59
    ],
)
def test_offsets_of_mean_time_are_rounded_and_the_wall_time_is_not(zone: str, local: str) -> None:
    assert shown("FREQ=DAILY", zone, local[:10] + "T22:00:00Z", 1)[0][0][0][10:] == local[10:]


def test_a_day_that_came_twice() -> None:
    assert shown("FREQ=DAILY;BYHOUR=12,18", "America/Sitka", "1867-10-18T00:00:00Z", 3) == (
        [
            ("1867-10-18T18:00:00+14:59", "repeated"),
            ("1867-10-19T12:00:00+14:59", "repeated"),
            ("1867-10-19T18:00:00-09:01", None),
        ],
        [("repeated", "1867-10-18T18:00:00"), ("repeated", "1867-10-19T12:00:00")],
    )


def test_the_last_firing_of_all_is_told() -> None:
    firings, notes = shown("FREQ=WEEKLY;BYDAY=FR", "utc", "9999-12-20T00:00:00Z", 10)
    assert firings == [("9999-12-24T09:00:00+00:00", None), ("9999-12-31T09:00:00+00:00", "last")]
    assert notes == []
    assert shown("FREQ=WEEKLY;BYDAY=FR", "utc", "9999-12-20T00:00:00Z", 2)[0] == firings
    assert shown("FREQ=WEEKLY;BYDAY=FR", "utc", "9999-12-20T00:00:00Z", 1)[0] == firings[:1]
    assert preview(schedule("FREQ=DAILY", "utc"), ms("9999-12-31T09:00:00Z"), 10) == Preview((), ())


@pytest.mark.parametrize("count", [0, -1, 1001])
def test_a_preview_has_one_to_a_thousand_firings(count: int) -> None:
    with pytest.raises(ValueError, match="1 to 1000"):
        document("FREQ=DAILY", "utc", 0, count)


def test_local_is_resolved_and_the_exact_name_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    assert document("FREQ=DAILY", "local", 0, 1)["timezone"] == "Asia/Tokyo"


@pytest.mark.parametrize(
    ("rule", "zone", "field", "message", "suggestion"),
    [
        (
            "FREQ=DAILY;BYHOUR=+9",
            "utc",
            "rrule",
            "rrule failed validation: BYHOUR entry `+9` is not an integer",
            "FREQ=DAILY;BYHOUR=9",
        ),
        ("FREQ=DAILY;COUNT=3", "utc", "rrule", "rrule failed validation: rrule key `COUNT` is not supported", None),
        (
            "FREQ=DAILY",
            "europe/paris",
            "timezone",
            "routine definition failed validation: timezone must be `utc`, compatibility input `local`, "
            "or a valid IANA timezone, got `europe/paris`",
            "Europe/Paris",
        ),
    ],
)
def test_a_refusal_says_what_to_write_instead(
    rule: str, zone: str, field: str, message: str, suggestion: str | None
) -> None:
    caught: RruleError | zones.ZoneError | None = None
    try:
        document(rule, zone, 0, 1)
    except (RruleError, zones.ZoneError) as error:
        caught = error
    assert caught is not None
    assert refusal(caught) == {
        "error": {"code": "VALIDATION_FAILED", "message": message, "field": field, "suggestion": suggestion}
    }


@given(PLACES, RULES, st.integers(1, 40))
def test_a_preview_is_what_the_engine_will_do(place: tuple[str, int], rule: Rule, count: int) -> None:
    zone, after = place
    found = RruleSchedule(rule, zones.zone(zone))
    result = preview(found, after, count)
    assert len(result.firings) == count
    instant = after
    for firing in result.firings:
        following = found.next_after(instant)
        assert following == firing.at
        instant = firing.at
        local = found.zone.local_of(firing.at)
        assert firing.local_text.startswith(local.wall.isoformat())
        assert (firing.note == "repeated") == (len(found.zone.instants_of(local.wall)) == 2)
    assert [note.wall_text for note in result.notes] == sorted({note.wall_text for note in result.notes})
    firing_walls = {firing.local_text[:19] for firing in result.firings if firing.note == "repeated"}
    assert firing_walls <= {note.wall_text for note in result.notes if note.kind == "repeated"}
    assert not {note.wall_text for note in result.notes if note.kind == "skipped"} & firing_walls
