"""The bounded output log: what is kept, what is marked, followed while written, and what a full disk does to it."""

from __future__ import annotations

import os
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coven_desktop.runtime import output_log
from coven_desktop.runtime.output_log import OutputError, Record
from coven_desktop.runtime.output_writer import HEADER, RECORD, STDERR, STDOUT, OutputWriter
from tests.runtime.house import House

LIMIT = 4096


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One folder for all examples: each writer begins its file anew."""
    return tmp_path_factory.mktemp("log")


@contextmanager
def writer(folder: Path, limit: int = LIMIT) -> Iterator[OutputWriter]:
    descriptor = os.open(folder, os.O_RDONLY)
    made = OutputWriter(descriptor, "output", limit)
    try:
        yield made
    finally:
        made.close()
        os.close(descriptor)


@contextmanager
def file_size_bound(size: int) -> Iterator[None]:
    """As on a full disk: what goes beyond the bound is refused. The session host inherits it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def everything(path: Path) -> list[Record]:
    return output_log.read(path, at_most=1 << 30)[0]


def test_what_fits_is_kept_whole(tmp_path: Path) -> None:
    with writer(tmp_path) as log:
        log.append(1_000, STDOUT, b"one\n")
        log.append(1_050, STDERR, b"two\n")
    records = everything(tmp_path / "output")
    assert [(one.instant, one.stream, one.data, one.dropped) for one in records] == [
        (1_000, "stdout", b"one\n", 0),
        (1_050, "stderr", b"two\n", 0),
    ]


def test_nothing_printed_and_nothing_there(tmp_path: Path) -> None:
    with writer(tmp_path):
        assert everything(tmp_path / "output") == []
    assert output_log.read(tmp_path / "missing")[0] == []


@given(parts=st.lists(st.integers(0, 1500), max_size=25), limit=st.sampled_from([4096, 5000, 8191]))
def test_the_first_half_and_the_newest_half_of_the_rest(folder: Path, parts: list[int], limit: int) -> None:
    written = b""
    with writer(folder, limit) as log:
        for number, size in enumerate(parts):
            data = bytes((number + place) % 251 for place in range(size))
            log.append(number, STDOUT if number % 2 else STDERR, data)
            written += data
        dropped = log.dropped
    path = folder / "output"
    assert path.stat().st_size <= limit
    records = everything(path)
    marks = [place for place, one in enumerate(records) if one.stream == "mark"]
    kept = b"".join(one.data for one in records)
    assert len(kept) + dropped == len(written)
    if not marks:
        assert (kept, dropped) == (written, 0)
    else:
        (mark,) = marks
        head = b"".join(one.data for one in records[:mark])
        tail = b"".join(one.data for one in records[mark + 1 :])
        assert written.startswith(head)
        assert written.endswith(tail)
        assert records[mark].dropped == dropped
        # each half is full but for its headers, and the ring for at most the one record that was pushed out last
        assert limit // 2 - len(head) <= HEADER.size + RECORD.size * (mark + 1)
        assert limit // 2 - len(tail) <= limit // 8 + RECORD.size * (len(records) - mark + 1)
    offsets = [one.offset for one in records]
    assert offsets == sorted(set(offsets))


@given(parts=st.lists(st.integers(1, 900), max_size=40), pace=st.integers(1, 7))
def test_following_sees_everything_or_a_mark(folder: Path, parts: list[int], pace: int) -> None:
    position: int | None = None
    seen: list[Record] = []
    written = b""
    with writer(folder) as log:
        for number, size in enumerate(parts):
            data = bytes([number % 251]) * size
            log.append(number, STDOUT, data)
            written += data
            if number % pace == 0:
                records, position = output_log.read(folder / "output", after=position)
                seen += records
    records, position = output_log.read(folder / "output", after=position)
    seen += records
    assert output_log.read(folder / "output", after=position) == ([], position)
    rest = written
    missing = 0
    for record in seen:
        if record.stream == "mark":
            missing += record.dropped
        else:
            place = rest.index(record.data)
            assert place <= missing, "output is missing without a mark"
            rest, missing = rest[place + len(record.data) :], missing - place
    assert rest == b""


def test_reading_stops_at_a_bound_and_goes_on_from_there(tmp_path: Path) -> None:
    with writer(tmp_path, 1 << 20) as log:
        for number in range(100):
            log.append(number, STDOUT, b"x" * 1000)
    records, position = output_log.read(tmp_path / "output", at_most=10_000)
    assert len(records) == 10
    rest, _ = output_log.read(tmp_path / "output", after=position)
    assert [one.instant for one in records + rest] == list(range(100))


def test_text_joins_characters_across_records(tmp_path: Path) -> None:
    euro = "€".encode()
    records = [
        Record(0, 0, "stdout", b"a" + euro[:1], 0),
        Record(1, 0, "stderr", b"!", 0),
        Record(2, 0, "stdout", euro[1:], 0),
        Record(3, 0, "mark", b"", 1234),
        Record(4, 0, "stdout", b"\xff", 0),
    ]
    assert output_log.text(records) == "a!€\n[… 1,234 bytes are not kept …]\n\N{REPLACEMENT CHARACTER}"


@pytest.mark.parametrize("damage", [b"x" * 200, b"\0" * 200])
def test_what_is_no_log_is_told(tmp_path: Path, damage: bytes) -> None:
    (tmp_path / "output").write_bytes(damage)
    with pytest.raises(OutputError):
        everything(tmp_path / "output")


def test_damage_inside_is_told(tmp_path: Path) -> None:
    with writer(tmp_path) as log:
        log.append(1, STDOUT, b"one")
        log.append(2, STDOUT, b"two")
    path = tmp_path / "output"
    path.write_bytes(path.read_bytes()[:-5])
    with pytest.raises(OutputError, match="damaged"):
        everything(path)


def test_a_full_disk_loses_output_and_says_how_much(tmp_path: Path) -> None:
    with writer(tmp_path) as log:
        log.append(1, STDOUT, b"a" * 500)
        with file_size_bound(700):
            log.append(2, STDOUT, b"b" * 500)
            log.append(3, STDOUT, b"c" * 500)
            assert log.dropped == 1000
        log.append(4, STDOUT, b"d" * 500)
        assert log.dropped == 1000
    records = everything(tmp_path / "output")
    assert [one.data[:1] for one in records if one.stream == "stdout"] == [b"a", b"d"]
    assert [one.stream for one in records][1] == "mark"
    assert sum(one.dropped for one in records) == 1000


def test_a_session_on_a_full_disk_still_leaves_evidence(house: House) -> None:
    with file_size_bound(20_000):
        watched = house.run("seq 1 20000; exit 3", "quick")
    evidence = watched.evidence
    assert (evidence.outcome, evidence.exit_code, evidence.quiescent) == ("exited", 3, True)
    size = sum(len(str(number)) + 1 for number in range(1, 20_001))
    assert evidence.output_bytes == size
    kept = sum(len(one.data) for one in everything(house.home.session(watched.id).output))
    assert evidence.output_dropped == size - kept > 0


def test_a_command_that_closes_its_output_goes_on(house: House) -> None:
    watched = house.run("echo x; exec >&- 2>&-; sleep 0.1; exit 5")
    assert (watched.evidence.exit_code, house.output(watched)) == (5, "x\n")


def test_at_most_one_record_in_fifty_milliseconds_and_stream(house: House) -> None:
    watched = house.run("for i in 1 2 3 4 5 6 7 8 9; do echo $i; sleep 0.012; done; sleep 0.06; echo end", "shell")
    records = everything(house.home.session(watched.id).output)
    assert b"".join(one.data for one in records) == b"1\n2\n3\n4\n5\n6\n7\n8\n9\nend\n"
    assert 2 <= len(records) <= 6


def test_output_that_nobody_ended_with_a_newline_and_raw_bytes(house: House) -> None:
    watched = house.run(r"printf '\377\000x'")
    assert [one.data for one in everything(house.home.session(watched.id).output)] == [b"\xff\0x"]
