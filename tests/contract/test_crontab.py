"""Crontabs: jobs, the variables above them, and what is refused or reported of the rest."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coven_desktop.contract.crontab import BYTES_LIMIT, Job, NotCrontab, read
from coven_desktop.contract.text import echo
from coven_desktop.schedule import cron

WHOLE = """\
# m h dom mon dow command
MAILTO=me@example.org
SHELL=/bin/bash
PATH = "/usr/local/bin:/usr/bin"

# Notes of the morning
30 7 * * mon-fri  cd ~/notes && make today
CRON_TZ=Europe/Paris
0  9\t1 * *\tbackup --all
LEVEL='very  high'
@daily rotate
*/5 * * * * date +\\%F >> log%first line%second line
"""


def test_a_whole_crontab() -> None:
    found = read(WHOLE)
    path = ("PATH", "/usr/local/bin:/usr/bin")
    assert found.jobs == (
        Job(7, "30 7 * * mon-fri", None, "cd ~/notes && make today", None, (path,), "Notes of the morning"),
        Job(9, "0 9 1 * *", "Europe/Paris", "backup --all", None, (path,), None),
        Job(
            12,
            "*/5 * * * *",
            "Europe/Paris",
            "date +%F >> log",
            "first line\nsecond line\n",
            (path, ("LEVEL", "very  high")),
            None,
        ),
    )
    assert [(remark.line, remark.suggestion) for remark in found.refused] == [(11, "0 0 * * *")]
    assert [remark.line for remark in found.reported] == [2, 3]
    assert "no mail" in found.reported[0].reason


@pytest.mark.parametrize(
    ("line", "reason", "suggestion"),
    [
        ("@reboot start", "names no time", None),
        ("@hourly check", "write 0 * * * *", "0 * * * *"),
        ("0 22-2 * * * watch", "runs backward", "0 22-23,0-2 * * *"),
        ("0 0 30 2 * never", "never comes", "0 0 28 2 *"),
        ("5/15 * * * * often", "has a step and no range", "5-59/15 * * * *"),
        ("0 9 L * * last", "an anchor on a 31st", None),
        ("0 9 * * *", "no command", None),
        ("0 9 * *", "not 4", None),
        ("hello", "not 1", None),
        ("1x=2", "is no name of a variable", None),
        ("CRON_TZ=europe/paris", "is no time zone", "Europe/Paris"),
        ("CRON_TZ=local", "is no time zone", None),
        ("0 9 * * * root  test -x /run && run", "as in a system crontab", "0 9 * * * test -x /run && run"),
        ("0 9 * * * " + "x" * 8_192, "at most 8,192 characters", None),
    ],
)
def test_what_is_refused(line: str, reason: str, suggestion: str | None) -> None:
    found = read(f"\n{line}\n")
    assert (found.jobs, found.reported) == ((), ())
    (remark,) = found.refused
    assert (remark.line, remark.text, remark.suggestion) == (2, echo(line), suggestion)
    assert reason in remark.reason


def test_jobs_below_a_zone_that_is_none_are_not_taken_over() -> None:
    found = read("CRON_TZ=Mars/Olympus\n0 9 * * * one\nCRON_TZ=\n0 9 * * * two\n")
    assert [job.command for job in found.jobs] == ["two"]
    assert found.jobs[0].timezone is None
    assert [remark.line for remark in found.refused] == [1, 2]


def test_settings_that_say_nothing_new_are_not_reported() -> None:
    assert read('MAILTO=""\nSHELL=/bin/sh\n') == ((), (), ())
    assert [remark.line for remark in read("HOME=/srv\nUSER=me\n").reported] == [1, 2]


def test_tz_is_the_commands_and_moves_no_time() -> None:
    found = read("TZ=Asia/Tokyo\n0 9 * * * date\n")
    assert (found.jobs[0].timezone, found.jobs[0].environment) == (None, (("TZ", "Asia/Tokyo"),))
    assert [(remark.line, "CRON_TZ" in remark.reason) for remark in found.reported] == [(1, True)]


def test_a_program_that_is_called_root_is_one() -> None:
    assert read("0 9 * * * root -b macro.C\n0 9 * * * root\n").refused == ()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("é" * (BYTES_LIMIT // 2 + 1), "larger than"),
        ("a\0b", "NUL"),
        ("\n" * 5_001, "more than 5,000 lines"),
        ("* * * * * x\n" * 501, "more than 500 jobs"),
        ("what is this\n" * 501, "more than 500 of its lines are no lines"),
    ],
)
def test_what_is_no_crontab_is_refused_whole(text: str, said: str) -> None:
    with pytest.raises(NotCrontab, match=said):
        read(text)


def test_what_is_just_within_the_bounds_is_read() -> None:
    assert len(read("* * * * * x\n" * 500 + "\n" * 4_500).jobs) == 500
    assert len(read("what is this\n" * 500).refused) == 500
    assert read("# " + "x" * (BYTES_LIMIT - 2)).refused[0].line == 1


def test_comments_and_blank_lines_are_nothing() -> None:
    assert read("") == read("\n  \n\t# 0 9 * * * not me\n\r\n") == ((), (), ())
    # a comment belongs to the job right below it
    assert read("# a\n\n0 9 * * * x").jobs[0].comment is None


@given(st.text("0123456789*/-,% \t\n=#@\"'\\ACRON_TZaily", max_size=120))
def test_each_line_that_says_something_is_accounted_for(text: str) -> None:
    found = read(text)
    lines = [remark.line for remark in (*found.refused, *found.reported)] + [job.line for job in found.jobs]
    assert len(set(lines)) == len(lines)
    assert all(text.split("\n")[line - 1].strip() for line in lines)
    for job in found.jobs:
        cron.parse(job.expression)
        assert job.command
