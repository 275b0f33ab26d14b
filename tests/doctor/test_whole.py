"""The doctor as covenctl starts it: its exit code, its report, and that it never writes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from coven_desktop import __version__
from coven_desktop.doctor import report
from coven_desktop.doctor.report import Check
from coven_desktop.home import Home
from coven_desktop.store.database import SCHEMA_VERSION
from tests.doctor.conftest import leave_in_log, state_of_everything


def doctor(home: Home, *options: str) -> tuple[int, str]:
    """Exit code and standard output of the doctor in a process of its own."""
    finished = subprocess.run(
        [sys.executable, "-m", "coven_desktop.doctor", "--home", str(home.root), *options],
        cwd=Path(__file__).parents[2],
        env={**os.environ, "SHELL": "/bin/sh", "COLUMNS": "100"},
        capture_output=True,
        text=True,
        check=False,
        timeout=50,
    )
    assert finished.stderr == ""
    return finished.returncode, finished.stdout


@pytest.mark.parametrize("options", [(), ("--deep",)])
def test_it_never_writes_not_even_after_a_crash(used: Home, options: tuple[str, ...]) -> None:
    leave_in_log(used, "UPDATE scheduler_authority SET generation = 5")
    before = state_of_everything(used)
    code, text = doctor(used, *options)
    assert (code, state_of_everything(used)) == (0, before)
    assert "was not put away properly the last time" in " ".join(text.split())


def test_a_home_that_is_not_there_is_not_made(tmp_path: Path) -> None:
    code, text = doctor(Home(tmp_path / "nowhere"))
    assert code == 0
    assert "does not exist yet" in " ".join(text.split())
    assert not (tmp_path / "nowhere").exists()


def test_json_for_programs(used: Home) -> None:
    code, text = doctor(used, "--json", "--deep")
    document = json.loads(text)
    assert code == 0
    assert document["ok"] is True
    assert (document["version"], document["home"]) == (__version__, str(used.root))
    assert {member for check in document["checks"] for member in check} == {
        "subject", "state", "text", "advice", "facts"
    }  # fmt: skip
    by_subject = {check["subject"]: check for check in document["checks"]}
    assert by_subject["Database"]["facts"]["schema"] == SCHEMA_VERSION
    assert by_subject["Every page"]["state"] == "fine"
    assert by_subject["Backups"]["facts"]["newestAt"] == "2026-08-30T09:00:00.000Z"
    assert by_subject["Zone data"]["facts"].keys() == {"version", "source", "folder"}
    assert by_subject["Qt"]["state"] == "fine"


def test_trouble_is_exit_code_1_and_comes_with_advice(used: Home) -> None:
    used.database.write_bytes(b"garbage" * 1000)
    code, text = doctor(used, "--deep")
    assert code == 1
    assert f"The file {used.database} is not a database." in " ".join(text.split())
    assert "> It was left as it is. Restore the newest backup" in " ".join(text.split())
    assert text.rstrip().endswith("could not be checked.")
    assert used.database.read_bytes() == b"garbage" * 1000


def test_no_value_of_the_environment_is_printed(used: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_API_KEY", "hunter2-hunter2")
    for options in ((), ("--json",)):
        assert "hunter2" not in doctor(used, *options)[1]


# The report.


def test_one_part_that_fails_does_not_hide_the_rest() -> None:
    def broken() -> Iterator[Check]:
        yield Check("Home", "fine", "It is there.")
        raise ZeroDivisionError("a bug of ours")

    (check,) = report.guarded("Home", broken)
    assert check.state == "unchecked"
    assert "ZeroDivisionError: a bug of ours" in check.text


def test_lines_for_people(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "70")
    lines = report.to_lines(
        [
            Check("Home", "fine", "It is private."),
            Check("Database", "attention", "It is in the way of\x1b[31m something.", "Move it away. " * 6),
            Check("Qt", "unchecked", "It could not be tried."),
        ]
    )
    assert lines[0] == "ok         Home         It is private."
    assert lines[1] == "ATTENTION  Database     It is in the way of?[31m something."
    assert lines[2].startswith(" " * 24 + "> Move it away.")
    assert lines[3].startswith(" " * 26 + "Move it away.")
    assert all(len(line) <= 70 for line in lines)
    assert lines[-1] == "1 need attention; 1 could not be checked."
    assert report.to_lines([Check("Home", "fine", "It is private.")])[-1] == "Everything is fine."


def test_a_part_alone_is_looked_at_without_the_others(used: Home) -> None:
    code, said = doctor(used, "--json", "--part", "zones", "--part", "home")
    subjects = {check["subject"] for check in json.loads(said)["checks"]}
    assert code == 0
    assert {"Home", "Zone data"} <= subjects
    assert not {"App", "Runtimes", "Versions", "Qt"} & subjects
