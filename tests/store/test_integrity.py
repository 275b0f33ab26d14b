"""Whether the database is sound: asked in the background when it is due, handed over where it was asked for."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from pathlib import Path

import apsw
import pytest

from coven_desktop.store import integrity
from coven_desktop.store.database import close_database, open_database
from coven_desktop.store.integrity import WEEK_MS, BackgroundCheck, Depth, Finding
from tests.store import rows
from tests.store.conftest import NOW, grow
from tests.store.waiting import DEADLINE_SECONDS, until


class Turn:
    """The caller's thread: calls are queued by any thread and carried out here."""

    def __init__(self) -> None:
        self._calls: queue.Queue[Callable[[], None]] = queue.Queue()
        self.found: list[Finding] = []

    def deliver(self, call: Callable[[], None]) -> None:
        """What Loop.call_soon does."""
        self._calls.put(call)

    def one(self) -> None:
        """Carry out the next call; wait for it."""
        self._calls.get(timeout=DEADLINE_SECONDS)()


def asked(path: Path, depth: Depth) -> Finding:
    """The finding of a check in the background."""
    turn = Turn()
    threads: list[threading.Thread] = []

    def found(finding: Finding) -> None:
        threads.append(threading.current_thread())
        turn.found.append(finding)

    check = BackgroundCheck(path, depth, deliver=turn.deliver, found=found)
    turn.one()
    check.cancel()
    assert threads == [threading.current_thread()]
    return turn.found[0]


@pytest.mark.parametrize("depth", ["quick", "full"])
def test_a_sound_database_is_sound(connection: apsw.Connection, path: Path, depth: Depth) -> None:
    rows.whole_run(connection)
    finding = asked(path, depth)
    assert finding == Finding(depth, (), None)
    assert finding.sound


@pytest.mark.usefixtures("damaged")
@pytest.mark.parametrize("depth", ["quick", "full"])
def test_damaged_pages_are_found_and_the_file_is_left(path: Path, depth: Depth) -> None:
    before = path.read_bytes()
    finding = asked(path, depth)
    assert not finding.sound
    assert finding.problems
    assert finding.fault is None
    assert path.read_bytes() == before


def test_the_deep_check_finds_rows_that_hang_in_the_air(connection: apsw.Connection, path: Path) -> None:
    connection.pragma("foreign_keys", False)
    rows.occurrence(connection)
    assert asked(path, "quick").sound
    finding = asked(path, "full")
    assert finding.problems == ("row 1 of occurrences refers to nothing in definitions",)


def test_a_check_that_cannot_be_carried_out_says_so(path: Path) -> None:
    finding = asked(path, "quick")
    assert not finding.sound
    assert finding.fault is not None
    assert finding.problems == ()


def test_a_file_that_is_garbage_is_a_finding(path: Path) -> None:
    path.write_bytes(b"garbage" * 1000)
    finding = asked(path, "quick")
    assert finding.fault is None
    assert "is not a database" in finding.problems[0]


def test_the_engine_writes_while_it_is_asked(connection: apsw.Connection, path: Path) -> None:
    grow(connection)
    turn = Turn()
    check = BackgroundCheck(path, "full", deliver=turn.deliver, found=turn.found.append)
    for number in range(50):
        connection.execute("UPDATE scheduler_authority SET generation = ?", (number,)).fetchall()
    turn.one()
    check.cancel()
    assert turn.found[0].sound


def test_a_check_given_up_is_not_heard_of_again(connection: apsw.Connection, path: Path) -> None:
    grow(connection)
    turn = Turn()
    check = BackgroundCheck(path, "full", deliver=turn.deliver, found=turn.found.append)
    check.cancel()
    check.cancel()
    turn.one()
    assert turn.found == []
    until(lambda: not any(thread.name == "integrity-check" for thread in threading.enumerate()))


# When it is due.


def test_a_proper_end_is_remembered(path: Path, backups: Path) -> None:
    for ended in (True, False, True):
        connection = open_database(path, now=NOW, backups=backups)
        assert integrity.begin(connection, NOW)
        if ended:
            integrity.end(connection, NOW)
        close_database(connection)
        connection = open_database(path, now=NOW, backups=backups)
        assert integrity.begin(connection, NOW) is ended
        integrity.end(connection, NOW)
        close_database(connection)


def test_a_new_database_that_ended_properly_needs_no_check(connection: apsw.Connection) -> None:
    assert integrity.due(connection, NOW, clean=True) is None
    assert integrity.due(connection, NOW + WEEK_MS - 1, clean=True) is None


def test_an_end_that_was_not_clean_asks_for_the_quick_check(connection: apsw.Connection) -> None:
    assert integrity.due(connection, NOW, clean=False) == "quick"
    integrity.record(connection, Finding("quick", (), None), NOW)
    assert integrity.due(connection, NOW, clean=True) is None


def test_the_deep_check_is_due_every_week(connection: apsw.Connection) -> None:
    assert integrity.due(connection, NOW + WEEK_MS, clean=True) == "full"
    integrity.record(connection, Finding("full", (), None), NOW + WEEK_MS)
    assert integrity.due(connection, NOW + 2 * WEEK_MS - 1, clean=True) is None
    assert integrity.due(connection, NOW + 2 * WEEK_MS, clean=False) == "full"
    assert integrity.due(connection, NOW, clean=True) == "full", "a check dated in the future counts as old"


@pytest.mark.parametrize("depth", ["quick", "full"])
def test_what_was_found_stays_due_until_nothing_is_found(connection: apsw.Connection, depth: Depth) -> None:
    integrity.record(connection, Finding(depth, ("page 7 is broken", "page 8 too"), None), NOW)
    assert integrity.due(connection, NOW, clean=True) == depth
    integrity.record(connection, Finding(depth, (), None), NOW)
    assert integrity.due(connection, NOW, clean=True) is None


def test_a_check_that_could_not_be_carried_out_is_no_check(connection: apsw.Connection, path: Path) -> None:
    integrity.record(connection, Finding("quick", ("page 7 is broken",), None), NOW)
    failed = asked(path.with_name("nowhere.sqlite3"), "quick")
    integrity.record(connection, failed, NOW)
    assert integrity.due(connection, NOW, clean=True) == "quick"
