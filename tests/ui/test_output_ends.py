"""The first and last lines of an output: all of a short one, the ends of a long one, and a fault that is said."""

from __future__ import annotations

from contextlib import closing

from coven_desktop.engine.reads import open_reads
from coven_desktop.ui.output_ends import FIRST_LINES, LAST_LINES, Printed, read_ends
from coven_desktop.ui.reader import Sources
from coven_desktop.ui.shell import Shell
from tests.ui.desk import Desk, until
from tests.ui.test_waiting import row_of


def printed(desk: Desk, shell: Shell, command: str) -> tuple[Printed, str]:
    """What is told of the output of a command, and its session."""
    desk.routine("Noise", command)
    occurrence = desk.run("noise")
    until("it is over", lambda: row_of(shell, occurrence).state == "succeeded")
    detail = shell._listing.run_detail(occurrence)
    assert detail is not None
    assert detail.session_id is not None
    with closing(open_reads(desk.home, desk.clock)) as reads:
        return read_ends(Sources(reads), detail.session_id), detail.session_id


def test_a_short_output_is_shown_whole(desk: Desk, shell: Shell) -> None:
    told, _ = printed(desk, shell, "printf 'one\\ntwo\\n'; echo wrong >&2")
    assert (sorted(told.first.split("\n")), told.between, told.last) == (["one", "two", "wrong"], 0, "")
    assert told.at is not None


def test_of_many_lines_the_first_and_the_last_are_shown(desk: Desk, shell: Shell) -> None:
    told, _ = printed(desk, shell, "seq 1 100000")
    assert told.first.split("\n") == [str(number) for number in range(1, FIRST_LINES + 1)]
    assert told.last.split("\n") == [str(number) for number in range(100_001 - LAST_LINES, 100_001)]
    whole = sum(len(str(number)) + 1 for number in range(1, 100_001))
    assert told.between == whole - len(told.first) - len(told.last)


def test_a_few_lines_too_many_are_left_out_too(desk: Desk, shell: Shell) -> None:
    told, _ = printed(desk, shell, "seq 1 40")
    assert told.first.split("\n") == ["1", "2", "3"]
    assert told.last.split("\n")[-1] == "40"
    assert told.between > 0


def test_no_output_is_nothing(desk: Desk, shell: Shell) -> None:
    told, _ = printed(desk, shell, "true")
    assert told == Printed()


def test_an_output_that_cannot_be_read_says_so(desk: Desk, shell: Shell) -> None:
    _, session_id = printed(desk, shell, "echo something")
    desk.home.session(session_id).output.write_bytes(b"this is no output log at all " * 500)
    with closing(open_reads(desk.home, desk.clock)) as reads:
        assert read_ends(Sources(reads), session_id).fault
