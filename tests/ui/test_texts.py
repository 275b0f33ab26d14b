"""Pure parts of the window: output made fit for a widget, drafts and their refusals, instants in words."""

from __future__ import annotations

import os
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import pytest

from coven_desktop.contract import timestamps
from coven_desktop.engine import attempts, revisions, settlement
from coven_desktop.engine.listing import Quarantine, open_listing
from coven_desktop.engine.settlement import CANCELLED
from coven_desktop.home import Home, prepare
from coven_desktop.schedule import zones
from coven_desktop.store.occurrences import LEASE_EXPIRED, SUPERSEDED_BY_LATEST
from coven_desktop.store.transactions import Store
from coven_desktop.ui import draft, jargon, lawful, texts, times
from coven_desktop.ui.output_text import LONGEST_LINE, OutputText, Piece, newest
from tests.ui.desk import definition
from tests.ui.past import add_routine, past


class Record(NamedTuple):
    stream: str
    data: bytes = b""
    dropped: int = 0


def out(data: bytes) -> Record:
    return Record("stdout", data)


def test_a_character_may_be_split_over_two_records() -> None:
    text = OutputText()
    euro = "€".encode()
    assert text.feed([out(b"5 " + euro[:1])]) == [Piece("out", "5 ")]
    assert text.feed([out(euro[1:] + b"\n")]) == [Piece("out", "€\n")]


def test_colours_titles_and_carriage_returns_of_terminals_are_not_shown() -> None:
    pieces = OutputText().feed([out(b"\x1b[31mred\x1b[0m\r\n\x1b]0;title\x07done 10%\rdone 20%\x08\n")])
    assert pieces == [Piece("out", "red\ndone 10%\ndone 20%�\n")]


def test_neighbours_of_one_stream_are_joined_and_errors_kept_apart() -> None:
    pieces = OutputText().feed([out(b"a"), out(b"b\n"), Record("stderr", b"bad\n"), out(b"c")])
    assert pieces == [Piece("out", "ab\n"), Piece("err", "bad\n"), Piece("out", "c")]


def test_what_the_log_does_not_keep_is_said() -> None:
    pieces = OutputText().feed([out(b"begin"), Record("mark", dropped=12_345), out(b"end")])
    assert pieces[1] == Piece("mark", "\n[… 12,345 bytes are not kept …]\n")


@pytest.mark.parametrize("sizes", [(10_000,), (1_500, 1_500, 7_000), (1,) * 3_000])
def test_an_endless_line_is_broken_however_it_arrives(sizes: tuple[int, ...]) -> None:
    text = OutputText()
    whole = "".join(piece.text for size in sizes for piece in text.feed([out(b"x" * size)]))
    assert whole.count("x") == sum(sizes)
    assert max(len(line) for line in whole.split("\n")) <= LONGEST_LINE


def test_only_the_newest_of_a_long_output_is_shown() -> None:
    pieces = [Piece("out", "a" * 60), Piece("err", "b" * 60), Piece("out", "c" * 10)]
    assert newest(pieces, 50) == ([Piece("err", "b" * 40), Piece("out", "c" * 10)], 80)
    assert newest(pieces, 130) == (pieces, 0)
    rows = [Piece("out", "1\n2\n3\n"), Piece("err", "4\n"), Piece("out", "5")]
    assert newest(rows, lines=2) == ([Piece("out", "3\n"), Piece("err", "4\n"), Piece("out", "5")], 4)
    assert newest(rows, lines=1) == ([Piece("err", "4\n"), Piece("out", "5")], 6)


def test_every_faulty_field_is_found_not_only_the_first() -> None:
    body = definition("x", " ", "~/notes", rrule="FREQ=HOURLY", timezone="Europe/Pariss", timeoutMinutes=0)
    found = draft.problems(body, now=0)
    assert set(found) == {"schedule", "timezone", "timeoutMinutes", "prompt", "cwd"}
    assert found["timezone"].suggestion == "Europe/Paris"
    assert found["cwd"].suggestion == os.path.expanduser("~/notes")
    assert (
        draft.reason(found["schedule"].message)
        == "a Coven rule is daily or weekly, not “HOURLY”; cadence or cron may say what you mean"
    )
    assert draft.problems(definition("x", "true", "/"), now=0) == {}


def test_a_relative_folder_is_refused_and_an_empty_one_is_not() -> None:
    found = draft.problems(definition("x", "true", "notes"), now=0)
    assert found["cwd"].suggestion == os.path.expanduser("~/notes")
    body = definition("x", "true", "/")
    del body["cwd"]
    assert draft.problems(body, now=0) == {}


@pytest.mark.parametrize(
    ("name", "chosen"),
    [("Daily notes", "daily-notes"), ("Äpfel & Öl!", "apfel-ol"), ("…", "routine"), ("x" * 300, "x" * 60)],
)
def test_an_id_is_made_of_the_name(name: str, chosen: str) -> None:
    assert draft.free_id(name, lambda _: False) == chosen


def test_a_taken_id_gets_a_number() -> None:
    assert draft.free_id("notes", {"notes", "notes-2"}.__contains__) == "notes-3"


class StoppedClock:
    shift_ms = 0

    def __init__(self, instant: str) -> None:
        self._now = timestamps.parse(instant)

    def wall(self) -> int:
        return self._now

    def wall_ns(self) -> int:
        return self._now * 1_000_000

    def monotonic(self) -> int:
        return 0


def test_instants_are_said_in_the_persons_zone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Europe/Paris")
    said = times.Times(StoppedClock("2026-03-28T22:30:00Z"))
    assert said.zone_name == "Europe/Paris"
    assert said.day_and_time(timestamps.parse("2026-03-28T22:59:00Z")).startswith("today 23:59")
    # the day ends at 23:00 UTC, and on the next one clocks go forward
    assert said.day_and_time(timestamps.parse("2026-03-28T23:00:00Z")).startswith("tomorrow 00:00")
    assert said.day_and_time(timestamps.parse("2026-03-29T01:00:00Z")).startswith("tomorrow 03:00")
    assert said.day_and_time(timestamps.parse("2026-03-27T22:00:00Z")).startswith("yesterday 23:00")
    assert "2027" in said.day_and_time(timestamps.parse("2027-03-27T22:00:00Z"))
    assert said.relative(timestamps.parse("2026-03-28T22:35:10Z")) == "in 5 min"
    assert said.relative(timestamps.parse("2026-03-28T20:20:00Z")) == "2 h 10 min ago"


@pytest.mark.parametrize(
    ("milliseconds", "said"),
    [
        (0, "0 ms"),
        (820, "820 ms"),
        (4_200, "4.2 s"),
        (185_000, "3 min 05 s"),
        (7_800_000, "2 h 10 min"),
        (7_200_000, "2 h"),
        (273_600_000, "3 d 4 h"),
    ],
)
def test_durations(milliseconds: int, said: str) -> None:
    assert times.duration(milliseconds) == said


def test_a_running_clock() -> None:
    assert [times.elapsed(ms) for ms in (0, 7_000, 750_000, 3_750_000)] == ["0:00", "0:07", "12:30", "1:02:30"]


def _refused_zone() -> str:
    with pytest.raises(zones.ZoneError) as refused:
        zones.require_name("PST8")
    return str(refused.value)


@pytest.mark.parametrize(
    ("sentence", "plain"),
    [
        (_refused_zone(), "“PST8” is no time zone that is known here. Choose one from the list, such as Europe/Paris."),
        (
            "a routine with id `notes` exists already; use update, or choose another id",
            "There is a routine with the id “notes” already. Choose another id.",
        ),
        ("stored routine `notes` is invalid: the rule is odd", "the rule is odd"),
        (SUPERSEDED_BY_LATEST, "a later time was due as well, and only the latest one runs"),
        (CANCELLED, "stopped on request"),
        ("session failed (exit code 3)" + attempts.HELD, "it ended with exit code 3; it is held for your retry"),
        ("the command `claude` was not found", "the command `claude` was not found"),
        ("operator recovery (failed_deterministic)", "You decided that it failed."),
        ("operator recovery (failed_deterministic): lease expired", "You decided that it failed. lease expired"),
        ("operator recovery (retry_with_new_attempt): it\nhung", "You decided that it is tried again. it\nhung"),
        ("operator retry: the disk is free", "You asked for a retry. the disk is free"),
        ("cancellation stop was not confirmed", "it was told to stop, and whether all of it has ended is not known"),
        ("session completed after automation timeout", "it took longer than it may"),
        ("the command `a b` of runtime `mine` was not found", "the command “a b” of runtime “mine” was not found"),
        (
            "the working folder /gone cannot be entered: No such file or directory",
            "the working folder /gone is not there, or cannot be entered",
        ),
        (LEASE_EXPIRED, "it was not started in time, and nothing of it began"),
        (
            "anchor `2027-03-28T02:30:00` does not exist in Europe/Berlin, as clocks go forward: write another",
            "2027-03-28T02:30:00 does not exist in Europe/Berlin, as clocks go forward: write another",
        ),
    ],
)
def test_words_that_are_for_programs_are_not_said_to_a_person(sentence: str, plain: str) -> None:
    assert jargon.plain(sentence) == plain


def test_no_reason_that_the_engine_settles_a_run_with_is_in_the_words_of_programs() -> None:
    reasons = [value for name, value in vars(settlement).items() if name.isupper() and isinstance(value, str)]
    assert len(reasons) > 8
    for reason in (*reasons, revisions.DELETED, SUPERSEDED_BY_LATEST):
        said = jargon.plain(reason)
        for word in ("automation", "operator", "session", "lease", "evidence", "misfire", "deadline", "slot"):
            assert word not in said, (reason, said)


@pytest.mark.parametrize(
    ("exhaustions", "said"),
    [
        (1, "Quarantined, a run used up its attempts: it was killed"),
        (2, "Quarantined, 2 runs used up their attempts: it was killed"),
    ],
)
def test_a_quarantine_says_what_led_to_it(exhaustions: int, said: str) -> None:
    assert texts.quarantined(Quarantine(0, "runtime_error", "session killed", exhaustions)) == said


def test_each_lifecycle_says_why_there_is_no_date(tmp_path: Path) -> None:
    home = Home(tmp_path / "home")
    prepare(home)
    Store.open(home.database, now=0, backups=home.backups).close()
    lifecycles = ("draft", "paused", "disabled", "invalid")
    with past(home) as connection:
        for lifecycle in lifecycles:
            add_routine(connection, lifecycle, lifecycle=lifecycle)
        add_routine(connection, "gone", tombstoned_at="2026-08-30T00:00:00.000Z")
        add_routine(connection, "broken", lifecycle="active", broken_reason="stored routine `broken` is invalid: odd")
    with closing(open_listing(home)) as listing:
        said = {}
        for name in (*lifecycles, "gone", "broken"):
            row = listing.routine(name, deleted=True)
            assert row is not None
            step = lawful.next_step(row)
            assert step is not None
            said[name] = (texts.why_no_date(row), step.act)
    assert said == {
        "draft": ("none: still a draft", "edit"),
        "paused": ("none while paused", "resume"),
        "disabled": ("none: disabled", "enable"),
        "invalid": ("none: not valid, it must be mended", "edit"),
        "gone": ("none: deleted", "duplicate"),
        "broken": ("none: it cannot be read any more", "edit"),
    }
