"""`covenctl import crontab`: whose crontab is read, what is told of its lines, and what is no crontab."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from tests.cli.covenctl import Result, covenctl
from tests.cli.stand_in import HUNG_UP, StandIn, completed
from tests.rig import App

TEXT = """\
MAILTO=me
30 3 29 2 * backup --all >/dev/null
CRON_TZ=Europe/Paris
@daily rotate
"""


def call(app: App, *arguments: str, typed: str = "") -> Result:
    return covenctl(*arguments, home=app.home.root, typed=typed)


def report(**members: Any) -> dict[str, Any]:
    """What the app answers."""
    result = {"dryRun": False, "timezone": "utc", "imported": [], "skipped": [], "refused": [], "reported": []}
    return {"outcome": "committed", "revision": None, "result": {**result, **members}}


def program(folder: Path, script: str) -> dict[str, str]:
    """An environment in which `crontab` is this script."""
    folder.mkdir(exist_ok=True)
    file = folder / "crontab"
    file.write_text(f"#!/bin/sh\n{script}\n")
    file.chmod(0o755)
    return {"PATH": f"{folder}:{os.environ['PATH']}"}


def test_each_line_is_told_and_a_second_import_makes_nothing(served: App) -> None:
    dry = call(served, "import", "crontab", "-", "--dry-run", typed=TEXT)
    assert dry.code == 1
    first, refused, instead, left_out, end = dry.out.splitlines()
    assert first.startswith("Would import: line 2: backup-all-")
    assert first.endswith(": backup --all")
    assert refused == "Refused: line 4: @daily rotate: the nickname `@daily` is not read: write 0 0 * * *"
    assert instead == "  write instead: 0 0 * * *"
    assert left_out.startswith("Left out: line 1: MAILTO=me: no mail is sent")
    assert end == "Dry run: nothing was changed."
    imported = call(served, "import", "crontab", "--json", "-", typed=TEXT)
    (one,) = imported.json["result"]["imported"]
    (kept,) = served.client.desktop("routine.list.v1", ids=[one["automationId"]])["routines"]
    assert (kept["lifecycle"], kept["family"], kept["definition"]["runtime"]) == ("paused", "cron", "shell")
    again = call(served, "import", "crontab", "-", typed="30 3 29 2 * backup --all >/dev/null\n")
    assert (again.code, again.out) == (
        0,
        "Skipped: line 1: 30 3 29 2 * backup --all >/dev/null: already here as “backup --all”\n",
    )


def test_a_job_runs_as_cron_ran_it(tmp_path: Path) -> None:
    person = tmp_path / "person"
    person.mkdir()
    with App(tmp_path / "home", environment={"HOME": str(person)}) as app:
        app.ready()
        table = "LEVEL='very high'\n0 3 29 2 * cat; echo \"$LEVEL\"; pwd; date +\\%G%first%second\n"
        (one,) = call(app, "import", "crontab", "-", "--json", typed=table).json["result"]["imported"]
        ran = call(app, "run", one["automationId"], "--paused-too", "--wait", "--json")
        assert ran.code == 0, ran
        told = call(app, "logs", app.act("runs", id=one["automationId"])["runs"][0]["id"])
        assert told.out.splitlines()[:4] == ["first", "second", "very high", str(person)]
        assert told.out.splitlines()[4].startswith("20")
        app.end()


def test_what_was_imported_is_told_with_what_to_do(home: Path, app: StandIn, tmp_path: Path) -> None:
    job = {"line": 2, "automationId": "notes-1", "name": "notes", "expression": "0 9 * * *", "timezone": "utc"}
    app.ours("crontab.import.v1", completed(report(imported=[job])))
    file = tmp_path / "table"
    file.write_text("# é\n0 9 * * * notes\n")
    told = covenctl("import", "crontab", str(file), home=home)
    assert (told.code, told.out) == (
        0,
        "Imported: line 2: notes-1: 0 9 * * * in utc: notes\n"
        "Cron still runs them too: take each out of the crontab when you resume it.\n"
        "They are paused; let them run: covenctl resume notes-1\n",
    )
    (sent,) = app.sent("crontab.import.v1", "coven.desktop.")
    assert (sent["crontab"], sent["dryRun"]) == (file.read_text(), False)


def test_without_a_file_it_is_the_person_s_own(home: Path, app: StandIn, tmp_path: Path) -> None:
    app.ours("crontab.import.v1", completed(report()))
    mine = program(tmp_path / "bin", '[ "$*" = -l ] && echo "# mine"')
    assert covenctl("import", "crontab", home=home, env=mine).out == "There are no jobs in it.\n"
    assert covenctl("import", "crontab", "--dry-run", "--json", home=home, env=mine).code == 0
    (first, second) = app.sent("crontab.import.v1", "coven.desktop.")
    assert [(sent["crontab"], sent["dryRun"]) for sent in (first, second)] == [("# mine\n", False), ("# mine\n", True)]
    none = covenctl("import", "crontab", home=home, env=program(tmp_path / "bin", "echo no crontab for me >&2; exit 1"))
    assert (none.code, "cannot be read: no crontab for me." in none.err) == (2, True)
    gone = covenctl("import", "crontab", home=home, env={"PATH": str(tmp_path / "none")})
    assert (gone.code, "Name a file, or - for standard input" in gone.err) == (2, True)
    large = covenctl("import", "crontab", home=home, env=program(tmp_path / "bin", "head -c 300000 /dev/zero"))
    assert (large.code, "larger than 262,144 bytes" in large.err) == (2, True)
    assert len(app.sent("crontab.import.v1", "coven.desktop.")) == 2
    other = covenctl("import", "crontab", "--dry-run", "-", "--colour", home=home)
    assert (other.code, "unrecognized arguments: - --colour" in other.err) == (2, True)


def test_an_answer_that_does_not_come_says_what_to_do(home: Path, app: StandIn) -> None:
    app.ours("crontab.import.v1", HUNG_UP)
    told = covenctl("import", "crontab", "-", home=home, typed=TEXT)
    assert (told.code, "Import the crontab again: what is there already is skipped." in told.err) == (3, True)


@pytest.mark.parametrize("words", [("crontab",), ()])
def test_what_is_no_file_or_too_large_is_refused_at_once(
    home: Path, app: StandIn, tmp_path: Path, words: tuple[str, ...]
) -> None:
    os.mkfifo(tmp_path / "pipe")
    with (tmp_path / "large").open("wb") as file:
        file.truncate(65 * 1024 * 1024)
    (tmp_path / "binary").write_bytes(bytes(range(256)))
    (tmp_path / "bytes").write_bytes(b"\xff\xfe0 9 * * * x\n")
    for name, said, code in (
        ("/dev/zero", "is no file", 2),
        (str(tmp_path / "pipe"), "is no file", 2),
        (str(tmp_path), "it is a folder", 2),
        (str(tmp_path / "none"), "No such file or directory", 2),
        (str(tmp_path / "large"), "larger than", 2),
        (str(tmp_path / "binary"), "", 1),
        (str(tmp_path / "bytes"), "", 1),
        (str(tmp_path / ("x" * 300)), "File name too long", 2),
    ):
        told = covenctl("import", *words, name, home=home)
        assert (told.code, said in told.err) == (code, True), (name, told)
        assert told.err != ""
    assert app.requests == []


def test_ten_megabytes_are_no_crontab(home: Path, app: StandIn) -> None:
    told = covenctl("import", "crontab", "-", home=home, typed="0 9 * * * x\n" * 900_000)
    assert (told.code, "Standard input cannot be read: it is larger than 262,144 bytes." in told.err) == (2, True)
    two = covenctl("import", "crontab", "a", "b", home=home)
    assert (two.code, "One crontab at a time" in two.err) == (2, True)
    assert app.requests == []
