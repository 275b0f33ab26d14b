"""coven.desktop.crontab.import.v1: each job a cron routine that rests, and what is said of every other line."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from coven_desktop.contract import crontab, crontab_routines
from coven_desktop.contract.crontab import Job
from coven_desktop.contract.errors import Code
from coven_desktop.engine.commands import crontab_import, desktop_routines, versioned
from tests.engine import definition_bodies as flat
from tests.engine.conftest import MINUTE, SECOND, START, Bench, refused

TEXT = """\
MAILTO=me@example.org
PATH=/opt/bin:/usr/bin
# notes
30 7 * * mon-fri  cd ~/notes && make today
CRON_TZ=Europe/Paris
0 9 1 * * backup --all >/dev/null 2>&1
@daily rotate
"""


@pytest.fixture(autouse=True)
def person(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Somebody with a home, on a machine whose zone is known."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("TZ", "Europe/Lisbon")
    return str(tmp_path)


def take(bench: Bench, text: str = TEXT, **members: Any) -> dict[str, Any]:
    """Import a crontab; what is told of it."""
    body = {"adoptionKey": flat.fresh(), "crontab": text, **members}
    told: dict[str, Any] = crontab_import.import_crontab(bench.engine, body).payload["result"]
    return told


def lines(told: dict[str, Any]) -> dict[str, list[int]]:
    """The numbers of the lines, by what became of them."""
    return {what: [one["line"] for one in told[what]] for what in ("imported", "skipped", "refused", "reported")}


def stored(bench: Bench) -> dict[str, Any]:
    """The bodies that are stored, by the names of their routines."""
    return {row[0]: json.loads(row[1]) for row in bench.rows("SELECT name, body FROM definitions ORDER BY number")}


def test_each_job_is_a_paused_routine(bench: Bench, person: str) -> None:
    told = take(bench)
    assert lines(told) == {"imported": [4, 6], "skipped": [], "refused": [7], "reported": [1]}
    assert (told["dryRun"], told["timezone"]) == (False, "Europe/Lisbon")
    first, second = told["imported"]
    assert (first["name"], second["name"]) == ("cd ~/notes && make today", "backup --all")
    assert second["environment"] == ["PATH"]
    assert (first["timezone"], second["timezone"]) == ("Europe/Lisbon", "Europe/Paris")
    assert told["refused"][0]["suggestion"] == "0 0 * * *"
    found = stored(bench)
    assert found["cd ~/notes && make today"] == {
        "schemaVersion": "coven.desktop.routine.v1",
        "id": first["automationId"],
        "name": "cd ~/notes && make today",
        "status": "PAUSED",
        "schedule": {"kind": "cron", "expression": "30 7 * * mon-fri", "timezone": "Europe/Lisbon"},
        "runtime": "shell",
        "prompt": "cd ~/notes && make today",
        "cwd": person,
        "timeoutMinutes": 1_440,
    }
    assert found["backup --all"]["schedule"]["timezone"] == "Europe/Paris"
    assert found["backup --all"]["prompt"] == "backup --all >/dev/null 2>&1"
    assert set(bench.rows("SELECT lifecycle, managed, family, next_due_at FROM definitions")) == {
        ("paused", "v1", "cron", None)
    }
    assert (
        bench.rows("SELECT environment, secrets FROM routine_settings") == [('{"PATH":"/opt/bin:/usr/bin"}', "[]")] * 2
    )
    event = flat.told(bench, first["automationId"])[0]
    assert (event["kind"], event["payload"]["importedFrom"]) == ("definition.imported", "crontab")


def test_nothing_that_was_imported_runs_by_itself(bench: Bench) -> None:
    take(bench, "* * * * * often\n")
    bench.advance(3 * MINUTE)
    assert bench.rows("SELECT * FROM occurrences") == []


def test_a_dry_run_tells_the_same_and_writes_nothing(bench: Bench) -> None:
    dry = take(bench, dryRun=True)
    assert bench.rows("SELECT * FROM definitions") == []
    assert take(bench) == {**dry, "dryRun": False}


def test_the_same_crontab_again_makes_nothing_and_says_so(bench: Bench) -> None:
    first = take(bench)["imported"]
    # also when the person has given it another name and time since
    body = stored(bench)["backup --all"] | {"name": "Backup"}
    body["schedule"] = {**body["schedule"], "expression": "0 10 1 * *"}
    desktop_routines.revise(bench.engine, {"adoptionKey": flat.fresh(), "routine": body, "expectedRevision": 1})
    told = take(bench, TEXT + "5 5 * * * new\n")
    assert lines(told) == {"imported": [8], "skipped": [4, 6], "refused": [7], "reported": [1]}
    assert [one["automationId"] for one in told["skipped"]] == [one["automationId"] for one in first]
    assert told["skipped"][1]["reason"] == "already here as “Backup”"
    assert len(stored(bench)) == 3


def test_a_deleted_one_can_be_imported_again(bench: Bench) -> None:
    (one,) = take(bench, "0 9 * * * once\n")["imported"]
    versioned.tombstone(bench.engine, {"adoptionKey": flat.fresh(), "id": one["automationId"], "expectedRevision": 1})
    (again,) = take(bench, "0 9 * * * once\n")["imported"]
    assert again["automationId"] == f"{one['automationId']}-2"
    assert lines(take(bench, "0 9 * * * once\n"))["skipped"] == [1]


def test_the_same_command_has_different_names_and_the_same_job_is_made_once(bench: Bench) -> None:
    text = "0 9 * * * backup\n0 21 * * * backup\n0 9 * * * backup\nLEVEL=2\n0 9 * * * backup\n"
    told = take(bench, text)
    assert [(one["line"], one["name"]) for one in told["imported"]] == [
        (1, "backup"),
        (2, "backup (2)"),
        (5, "backup (3)"),
    ]
    assert [(one["line"], one["reason"]) for one in told["skipped"]] == [(3, "line 1 says the same")]
    assert lines(take(bench, text)) == {"imported": [], "skipped": [1, 2, 3, 5], "refused": [], "reported": []}


def test_variables_that_no_routine_can_have_refuse_the_job(bench: Bench) -> None:
    told = take(bench, "COVEN_RUN_ID=1\n0 9 * * * first\n")
    assert (lines(told)["refused"], stored(bench)) == ([2], {})
    assert "COVEN_RUN_ID" in told["refused"][0]["reason"]


def test_it_is_carried_out_once_per_key(bench: Bench) -> None:
    body = {"adoptionKey": "adopt:crontab:1", "crontab": "0 9 * * * once\n"}
    answer = crontab_import.import_crontab(bench.engine, body)
    bench.clock.advance(SECOND)
    again = crontab_import.import_crontab(bench.engine, body)
    assert again.payload == {**answer.payload, "outcome": "replayed", "replay": {"firstCommittedAt": START}}
    other = refused(lambda: crontab_import.import_crontab(bench.engine, {**body, "dryRun": True}))
    assert other.code == Code.ADOPTION_REPLAY_MISMATCH


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("#" * (crontab.BYTES_LIMIT + 1), "larger than 262,144 bytes"),
        ("\n" * (crontab.LINES_LIMIT + 1), "more than 5,000 lines"),
        ("0 9 * * * x\n" * (crontab.JOBS_LIMIT + 1), "more than 500 jobs"),
        ("0 9 * * * x\0\n", "NUL"),
    ],
)
def test_what_is_no_crontab_or_too_much_is_refused_whole(bench: Bench, text: str, said: str) -> None:
    refusal = refused(lambda: take(bench, text))
    assert (refusal.code, said in refusal.reason) == (Code.VALIDATION_FAILED, True), refusal.reason
    assert stored(bench) == {}


def test_a_machine_without_a_zone_refuses(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Mars/Olympus")
    refusal = refused(lambda: take(bench))
    assert (refusal.code, "CRON_TZ" in refusal.reason) == (Code.VALIDATION_FAILED, True)


@pytest.mark.parametrize(
    ("command", "printed"),
    [
        ("cat%one%two", "one\ntwo\n"),
        ("cat; echo \\%end # a comment%in", "in\n%end\n"),
        ("cat%INPUT", "INPUT\n"),
        ("cat - %", "\n"),
        ("read line; echo \"$line\"'$HOME'%$HOME", "$HOME$HOME\n"),
    ],
)
def test_what_stands_behind_a_percent_is_the_input(command: str, printed: str) -> None:
    (job,) = crontab.read(f"0 9 * * * {command}\n").jobs
    done = subprocess.run(["/bin/sh", "-c", crontab_routines.script(job)], capture_output=True, text=True, check=True)
    assert done.stdout == printed


@pytest.mark.parametrize(
    ("command", "name"),
    [
        ("/usr/bin/backup  --all >> /dev/null 2>&1", "/usr/bin/backup --all"),
        ("backup &>/dev/null", "backup"),
        ("> /dev/null", "> /dev/null"),
        ("echo 1 > log", "echo 1 > log"),
        ("x" * 80, "x" * 59 + "…"),
    ],
)
def test_names_are_the_command(command: str, name: str) -> None:
    assert crontab_routines.name(Job(1, "0 9 * * *", None, command, None, (), None), ()) == name
