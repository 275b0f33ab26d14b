"""The words of a filter: several, negated, quoted, days of the person's zone, and what means nothing is told."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from coven_desktop.contract import timestamps
from coven_desktop.engine.filter_words import Calendar, Unknown, due_span, read, span_word
from coven_desktop.schedule import zones
from coven_desktop.store.questions import Span, Words

NOW = timestamps.parse("2026-03-29T10:30:00Z")  # the day on which clocks go forward in Paris


def calendar() -> Calendar:
    zone = zones.zone("Europe/Paris")

    def instant(wall: datetime) -> int:
        found = zone.instants_of(wall)
        return found[0] if found else zone.instants_of(wall + timedelta(hours=1))[0]

    return Calendar(NOW, lambda at: zone.local_of(at).wall, instant)


def test_words_are_told_apart() -> None:
    found = read('notes status:failed -status:skipped tag:work tag:"two words" -"left out" zone:paris runtime:claude')
    assert found.filter == {
        "words": ("notes",),
        "states": ("failed",),
        "tags": ("work", "two words"),
        "runtimes": ("claude",),
        "zones": ("paris",),
        "due": (),
        "without": Words(states=("skipped",), words=("left out",)),
    }
    assert found.unknown == ()


@pytest.mark.parametrize(
    ("text", "states"),
    [
        ("status:undecided", ("recovery_required",)),
        ("STATUS:Stopped", ("cancelled",)),
        ("status:starting status:retry", ("claimed", "waiting")),
        ("status:", ()),
    ],
)
def test_what_the_person_sees_is_found_by_its_name(text: str, states: tuple[str, ...]) -> None:
    assert read(text).filter["states"] == states


def test_what_means_nothing_is_told_and_looked_for_as_text() -> None:
    found = read("state:failed due:soon status:nonsense http://example.org")
    assert found.unknown == (Unknown("key", "state:"), Unknown("due", "soon"), Unknown("status", "nonsense"))
    assert found.filter["words"] == ("state:failed", "http://example.org")
    assert found.filter["due"] == ()


def test_a_word_that_is_still_being_typed_is_not_told() -> None:
    assert read("status:fai").unknown == ()
    assert read('"two wo').filter["words"] == ("two wo",)
    assert read("-").filter["words"] == ("-",)


@pytest.mark.parametrize(
    ("word", "start", "end"),
    [
        ("today", "2026-03-28T23:00:00.000Z", "2026-03-29T22:00:00.000Z"),  # 23 hours long
        ("tomorrow", "2026-03-29T22:00:00.000Z", "2026-03-30T22:00:00.000Z"),
        ("yesterday", "2026-03-27T23:00:00.000Z", "2026-03-28T23:00:00.000Z"),
        ("overdue", None, "2026-03-29T10:30:00.000Z"),
        ("none", None, None),
        ("2h", "2026-03-29T10:30:00.000Z", "2026-03-29T12:30:00.001Z"),
        ("-7d", "2026-03-22T10:30:00.000Z", "2026-03-29T10:30:00.001Z"),
        ("2026-03-28", "2026-03-27T23:00:00.000Z", "2026-03-28T23:00:00.000Z"),
        ("2026-03-28..today", "2026-03-27T23:00:00.000Z", "2026-03-29T22:00:00.000Z"),
        ("..2026-03-28", None, "2026-03-28T23:00:00.000Z"),
        ("2026-03-29T09:00..2026-03-29T09:59", "2026-03-29T07:00:00.000Z", "2026-03-29T08:00:00.000Z"),
        ("2026-03-29t09:00..", "2026-03-29T07:00:00.000Z", None),
        ("2026-03-29T09:00Z", "2026-03-29T09:00:00.000Z", "2026-03-29T09:01:00.000Z"),
        ("2026-03-29T09:00+05:30..", "2026-03-29T03:30:00.000Z", None),
    ],
)
def test_days_and_hours_are_the_persons_own(word: str, start: str | None, end: str | None) -> None:
    assert due_span(word, calendar()) == Span(start, end)


@pytest.mark.parametrize(
    "word", ["", "..", "soon", "2026-02-30", "2026-03-28..soon", "9999-12-31", "99999d", "-0001-01-01"]
)
def test_what_is_no_time_means_nothing(word: str) -> None:
    assert due_span(word, calendar()) is None


@pytest.mark.parametrize(
    ("start", "word"),
    [
        ("2026-03-28T08:00:00Z", "due:2026-03-28T09:00..2026-03-28T09:59"),
        ("2026-03-29T01:00:00Z", "due:2026-03-29T03:00..2026-03-29T03:59"),
        ("2026-10-25T00:00:00Z", "due:2026-10-25T02:00..2026-10-25T02:59"),
        # the clocks come back to it
        ("2026-10-25T01:00:00Z", "due:2026-10-25T01:00Z..2026-10-25T01:59Z"),
    ],
)
def test_an_hour_is_written_as_a_word_that_means_it(start: str, word: str) -> None:
    begin = timestamps.parse(start)
    end = begin + 3_600_000
    assert span_word(begin, end, calendar()) == word
    due = read(word, calendar()).filter["due"]
    assert due == (Span(timestamps.to_text(begin), timestamps.to_text(end)),)
