"""What a session printed, as log lines and as events behind a cursor: all of it, once, whole characters, in pieces."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from coven_desktop.contract.errors import Refusal
from coven_desktop.engine import session_output
from coven_desktop.runtime.output_writer import STDERR, STDOUT, OutputWriter
from tests.engine.conftest import Bench

NAMES = {STDOUT: "stdout", STDERR: "stderr"}


class Printing:
    """A session of the bench whose output the test writes."""

    def __init__(self, bench: Bench, limit: int = 4 << 20) -> None:
        self.bench = bench
        self.session_id = bench.run_due(timeoutMinutes=44_640)
        self._limit = limit
        root = bench.home.session(self.session_id).root
        root.mkdir(parents=True)
        self._folder = os.open(root, os.O_RDONLY)
        self._writer = OutputWriter(self._folder, "output", limit)

    def begin_anew(self) -> None:
        """As if nothing had been printed."""
        self._writer.close()
        self._writer = OutputWriter(self._folder, "output", self._limit)

    def say(self, data: bytes, stream: int = STDOUT) -> None:
        """One record."""
        self._writer.append(self.bench.clock.wall(), stream, data)

    def close(self) -> None:
        """Nothing more is written."""
        self._writer.close()
        os.close(self._folder)

    def page(self, after: int = 0, limit: int = 1_000) -> dict[str, Any]:
        """One page of events."""
        record = self.bench.engine.reads.session(self.session_id)
        assert record is not None
        work = session_output.events(self.bench.engine.reads, record, after, limit)
        while True:
            try:
                next(work)
            except StopIteration as done:
                page: dict[str, Any] = done.value
                return page

    def pages(self, limit: int = 1_000) -> Iterator[dict[str, Any]]:
        """Every event there is now, followed page by page."""
        after = 0
        while True:
            page = self.page(after, limit)
            assert len(page["events"]) <= limit
            yield from page["events"]
            if page["events"]:
                assert page["nextCursor"] == {"afterSeq": page["events"][-1]["seq"]}
                after = page["nextCursor"]["afterSeq"]
            else:
                assert page["nextCursor"] is None
            if not page["hasMore"]:
                return

    def log(self) -> list[dict[str, Any]]:
        """The whole log."""
        return [line for lines in session_output.log_lines(self.bench.engine.reads, self.session_id) for line in lines]


@pytest.fixture
def printing(bench: Bench) -> Iterator[Printing]:
    made = Printing(bench)
    yield made
    made.close()


def payload(event: dict[str, Any]) -> dict[str, Any]:
    """What an event says."""
    said: dict[str, Any] = json.loads(event["payload_json"])
    return said


# --- the log ----------------------------------------------------------------------------------------------------------


def test_the_log_of_a_session(printing: Printing) -> None:
    assert printing.log() == []
    word = "größe".encode()
    printing.say(word[:3])
    printing.bench.clock.advance(5)
    printing.say(b"oops\n", STDERR)
    printing.say(word[3:])
    assert printing.log() == [
        {"ts": "2026-09-01T10:00:00.000Z", "level": "info", "message": "gr"},
        {"ts": "2026-09-01T10:00:00.005Z", "level": "error", "message": "oops\n"},
        {"ts": "2026-09-01T10:00:00.005Z", "level": "info", "message": "öße"},
    ]


def test_what_is_not_kept_is_told_in_both(bench: Bench) -> None:
    printing = Printing(bench, 4_096)
    for _ in range(100):
        printing.say(b"x" * 100)
    [mark] = [line for line in printing.log() if line["level"] == "warn"]
    assert "not kept" in mark["message"]
    [cut] = [event for event in printing.pages() if event["kind"] == "output_truncated"]
    assert payload(cut)["droppedBytes"] > 0
    printing.close()


def test_a_long_log_comes_in_pieces(printing: Printing) -> None:
    for number in range(40):
        printing.say(b"%02d" % number + b"x" * 30_000)
    pieces = list(session_output.log_lines(printing.bench.engine.reads, printing.session_id))
    assert len(pieces) > 10
    assert [line["message"][:2] for lines in pieces for line in lines] == [f"{number:02}" for number in range(40)]


def test_a_log_of_very_small_records_comes_in_pieces_too(printing: Printing) -> None:
    for _ in range(6_000):
        printing.say(b".")
    sizes = [len(lines) for lines in session_output.log_lines(printing.bench.engine.reads, printing.session_id)]
    assert sum(sizes) == 6_000
    assert len(sizes) > 1
    assert max(sizes) < 3_000


# --- events -----------------------------------------------------------------------------------------------------------


def test_events_of_a_session(printing: Printing) -> None:
    assert printing.page() == {"events": [], "nextCursor": None, "hasMore": False}
    printing.say(b"hello\n")
    printing.bench.clock.advance(1)
    printing.say(b"oh\n", STDERR)
    page = printing.page()
    assert page["hasMore"] is False
    first, second = page["events"]
    assert first == {
        "seq": first["seq"],
        "id": f"{printing.session_id}-{first['seq']}",
        "session_id": printing.session_id,
        "kind": "output",
        "payload_json": '{"data":"hello\\n","stream":"stdout"}',
        "created_at": "2026-09-01T10:00:00.000Z",
    }
    assert payload(second) == {"data": "oh\n", "stream": "stderr"}
    assert 0 < first["seq"] < second["seq"]
    assert printing.page(first["seq"])["events"] == [second]
    assert printing.page(second["seq"]) == {"events": [], "nextCursor": None, "hasMore": False}


def test_the_end_is_told_once_behind_everything(printing: Printing) -> None:
    printing.say(b"hello\n")
    [output] = printing.page()["events"]
    printing.bench.end(3)
    [same, ended] = printing.page()["events"]
    assert same == output
    assert (ended["kind"], payload(ended)) == ("exit", {"status": "failed", "exitCode": 3})
    assert ended["seq"] > output["seq"]
    assert printing.page(output["seq"])["events"] == [ended]
    assert printing.page(ended["seq"]) == {"events": [], "nextCursor": None, "hasMore": False}
    # a page that is full before it says that there is more
    full = printing.page(limit=1)
    assert (full["events"], full["hasMore"]) == ([output], True)


def test_a_session_that_left_no_file_still_ends(printing: Printing) -> None:
    printing.bench.home.session(printing.session_id).output.unlink()
    printing.bench.end()
    [ended] = printing.pages()
    assert ended["kind"] == "exit"
    assert printing.page(ended["seq"])["events"] == []


def test_a_lost_session_has_not_ended(printing: Printing) -> None:
    printing.say(b"hello\n")
    printing.bench.runtime.end(printing.session_id, None)
    printing.bench.turn()
    assert [event["kind"] for event in printing.pages()] == ["output"]


def test_an_unfinished_character_is_told_with_its_rest(printing: Printing) -> None:
    printing.say(b"one ")
    printing.say("two €".encode()[:-1])
    page = printing.page()
    assert [payload(event)["data"] for event in page["events"]] == ["one ", "two "]
    assert page["hasMore"] is False
    assert printing.page(page["nextCursor"]["afterSeq"])["events"] == []
    printing.say(b"meanwhile", STDERR)
    printing.say("€".encode()[-1:] + b" three")
    rest = printing.page(page["nextCursor"]["afterSeq"])
    assert [payload(event)["data"] for event in rest["events"]] == ["meanwhile", "€ three"]


def test_while_both_streams_are_in_the_middle_of_a_character_what_is_live_waits(printing: Printing) -> None:
    printing.say(b"one")
    printing.say("€".encode()[:1])
    printing.say("ü".encode()[:1], STDERR)
    page = printing.page()
    assert [payload(event)["data"] for event in page["events"]] == ["one", ""]
    assert page["hasMore"] is False, "nobody should ask again at once"
    printing.say("ü".encode()[1:], STDERR)
    printing.say("€".encode()[1:])
    rest = printing.page(page["nextCursor"]["afterSeq"])
    assert "".join(payload(event)["data"] for event in rest["events"]) == "ü€"


def test_what_never_becomes_a_character_ends_nothing(printing: Printing) -> None:
    printing.say(b"caf\xc3")
    printing.bench.end()
    told = list(printing.pages())
    assert [event["kind"] for event in told] == ["output", "exit"]
    assert payload(told[0])["data"] == "caf"


@pytest.mark.parametrize("after", [8, 800, 1_000])
def test_a_cursor_that_no_page_gave(printing: Printing, after: int) -> None:
    printing.say(b"x" * 200)
    with pytest.raises(Refusal, match="afterSeq"):
        printing.page(after)


def test_a_cursor_beyond_the_end_is_an_empty_page(printing: Printing) -> None:
    printing.say(b"x")
    assert printing.page(10**15) == {"events": [], "nextCursor": None, "hasMore": False}


def test_a_page_has_a_bounded_size(printing: Printing) -> None:
    for _ in range(30):
        printing.say(b"x" * 25_000)
    page = printing.page()
    assert page["hasMore"] is True
    assert 250_000 < sum(len(event["payload_json"]) for event in page["events"]) < 400_000
    assert len(list(printing.pages())) == 30


printed = st.lists(
    st.tuples(st.sampled_from([STDOUT, STDERR]), st.text(st.sampled_from("a€ü😀\n"), min_size=1, max_size=9)),
    min_size=1,
    max_size=30,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=100)
@given(said=printed, limit=st.integers(1, 12), cut=st.integers(3, 7))
def test_whatever_is_printed_is_told_once_in_order_and_whole(
    printing: Printing, said: list[tuple[int, str]], limit: int, cut: int
) -> None:
    printing.begin_anew()
    for stream, text in said:
        data = text.encode()
        for start in range(0, len(data), cut):
            printing.say(data[start : start + cut], stream)
    events = list(printing.pages(limit))
    assert [event["seq"] for event in events] == sorted({event["seq"] for event in events})
    for stream, name in NAMES.items():
        told = "".join(payload(event)["data"] for event in events if payload(event)["stream"] == name)
        assert told == "".join(text for at, text in said if at == stream)
