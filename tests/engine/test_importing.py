"""import and legacy.import.v1: the automations of Codex as routines that rest (contract/engine.md §12)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from coven_desktop.contract.errors import Code
from coven_desktop.engine import codex_files
from coven_desktop.engine.answers import Answer, Pending
from coven_desktop.engine.commands import importing
from coven_desktop.store.errors import StoreFault
from tests.engine import definition_bodies as flat
from tests.engine.conftest import HOUR, SECOND, START, Bench, refused
from tests.engine.envelopes import everything, send, told
from tests.store import as_nobody

SOURCE = "codex-automation-toml"
TIDE = 'name = "Tide"\nrrule = "RRULE:FREQ=DAILY;BYHOUR=10;BYMINUTE=0"\nprompt = "Read the tides."\nmodel = "large"\n'


@pytest.fixture
def codex(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the automations of Codex lie; the zone of the machine is known."""
    monkeypatch.setenv("HOME", str(tmp_path / "person"))
    monkeypatch.setenv("TZ", "Europe/Lisbon")
    root = tmp_path / "person" / ".codex" / "automations"
    root.mkdir(parents=True)
    return root


def put(codex: Path, name: str, text: str | bytes = TIDE) -> Path:
    folder = codex / name
    folder.mkdir()
    (folder / "automation.toml").write_bytes(text if isinstance(text, bytes) else text.encode())
    return folder


def done(bench: Bench, outcome: Answer | Pending) -> Answer:
    return bench.done(outcome) if isinstance(outcome, Pending) else outcome


def legacy(bench: Bench, **members: Any) -> dict[str, Any]:
    answer = done(bench, importing.import_all(bench.engine, members))
    assert (answer.kind, answer.in_result, answer.in_event) == ("automations.changed", False, True)
    assert list(answer.payload) == ["imported", "skipped", "failures"]
    return answer.payload


def versioned(bench: Bench, key: str = "", **members: Any) -> Answer:
    body = {"adoptionKey": key or flat.fresh(), "source": SOURCE, **members}
    return done(bench, importing.import_v1(bench.engine, body))


def result(answer: Answer) -> dict[str, Any]:
    found = answer.payload["result"]
    assert isinstance(found, dict)
    return found


def test_unversioned_they_land_paused(bench: Bench, codex: Path) -> None:
    put(codex, "tide")
    assert legacy(bench) == {"imported": ["tide"], "skipped": [], "failures": []}
    assert bench.engine.reads.routine("tide") == {
        "id": "tide",
        "misfire": "latest",
        "name": "Tide",
        "overlap": "forbid",
        "prompt": "Read the tides.",
        "rrule": "FREQ=DAILY;BYHOUR=10",
        "runtime": "coven-code",
        "schemaVersion": 1,
        "status": "PAUSED",
        "timeoutMinutes": 60,
        "timezone": "Europe/Lisbon",
    }
    assert bench.rows("SELECT revision, lifecycle, managed, next_due_at, created_at FROM definitions") == [
        (1, "paused", "legacy", None, START)
    ]
    (event,) = flat.told(bench, "tide")
    assert event["kind"] == "definition.imported"
    assert (event["payload"]["lifecycleState"], event["payload"]["importedFrom"]) == ("paused", SOURCE)
    assert "causation" not in event
    assert bench.rows("SELECT * FROM adoptions") == []


def test_versioned_they_land_as_drafts_and_the_answer_is_adopted(bench: Bench, codex: Path) -> None:
    put(codex, "tide")
    answer = versioned(bench, "adopt:import:1")
    assert answer.payload == {
        "outcome": "committed",
        "revision": None,
        "result": {"source": SOURCE, "dryRun": False, "imported": ["tide"], "skipped": [], "failures": []},
    }
    assert (answer.in_result, answer.in_event) == (True, True)
    assert bench.rows("SELECT revision, lifecycle, managed, next_due_at FROM definitions") == [(1, "draft", "v1", None)]
    (event,) = flat.told(bench, "tide")
    assert (event["kind"], event["payload"]["lifecycleState"]) == ("definition.imported", "draft")
    assert bench.rows("SELECT adoption_key, command, automation_id, outcome, revision FROM adoptions") == [
        ("adopt:import:1", "legacy.import.v1", None, "committed", None)
    ]
    # what the files say now makes no difference to a replay
    put(codex, "moon")
    bench.clock.advance(SECOND)
    again = versioned(bench, "adopt:import:1", dryRun=False)
    assert again.payload == {**answer.payload, "outcome": "replayed", "replay": {"firstCommittedAt": START}}
    assert again.in_event is False
    other = refused(lambda: versioned(bench, "adopt:import:1", dryRun=True))
    assert other.code == Code.ADOPTION_REPLAY_MISMATCH


@pytest.mark.parametrize("lifecycle", ["draft", "paused"])
def test_nothing_imported_runs_by_itself(bench: Bench, codex: Path, lifecycle: str) -> None:
    put(codex, "tide")
    if lifecycle == "draft":
        versioned(bench)
    else:
        legacy(bench)
    bench.advance(2 * HOUR)
    assert bench.rows("SELECT * FROM occurrences") == []
    assert bench.world.launched == []


def test_a_dry_run_tells_the_same_and_writes_only_its_answer(bench: Bench, codex: Path) -> None:
    put(codex, "bad", "id = 5")
    put(codex, "idle", 'prompt = "x"')
    put(codex, "moon", TIDE + 'id = "tide"')
    put(codex, "tide")
    before = everything(bench)
    answer = versioned(bench, dryRun=True)
    after = everything(bench)
    assert len(after.pop("adoptions")) == 1
    assert before.pop("adoptions") == []
    assert after == before
    real = versioned(bench)
    assert result(answer) == {**result(real), "dryRun": True}
    assert result(real)["imported"] == ["tide"]
    assert result(real)["skipped"] == ["idle: no schedule", "tide: already exists"]


def test_what_is_there_already_is_skipped(bench: Bench, codex: Path) -> None:
    put(codex, "tide")
    put(codex, "twin", TIDE + 'id = "tide"')
    assert legacy(bench) == {"imported": ["tide"], "skipped": ["tide: already exists"], "failures": []}
    again = {"imported": [], "skipped": ["tide: already exists", "tide: already exists"], "failures": []}
    assert legacy(bench) == again
    assert result(versioned(bench)) == {"source": SOURCE, "dryRun": False, **again}
    # tombstoned ones too, whoever did it
    flat.moved(bench, "tombstone", "tide")
    assert legacy(bench) == again
    assert result(versioned(bench))["skipped"] == again["skipped"]
    assert flat.state(bench, "tide") == "tombstoned"


def test_lines_stand_in_the_order_of_the_folders(bench: Bench, codex: Path) -> None:
    put(codex, "b", "rrule = 'FREQ=YEARLY'")
    put(codex, "a", TIDE)
    put(codex, "d", "rrule = 'FREQ=DAILY'")
    put(codex, "c", "id = 'other'")
    put(codex, "e", TIDE + "id = 'e f'")
    put(codex, "f", TIDE + "id = ''")
    (codex / "empty").mkdir()
    found = legacy(bench)
    assert found["imported"] == ["a"]
    wrong = "routine definition failed validation: id must be 1 to 96"
    assert [line[: len(wrong) + 5] for line in found["skipped"][3:]] == [f"e f: {wrong}", f"f: {wrong} l"]
    assert found["skipped"][:3] == ["b: unsupported schedule `FREQ=YEARLY`", "other: no schedule", "d: no prompt"]
    assert found["failures"] == []


def test_a_zone_that_cannot_be_known_skips(bench: Bench, codex: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(codex, "tide")
    monkeypatch.setenv("TZ", "")
    (line,) = legacy(bench)["skipped"]
    assert line.startswith("tide: routine definition failed validation: TZ override must be")


def test_every_file_that_cannot_be_read_is_a_line(bench: Bench, codex: Path) -> None:
    (codex / "plain").write_text(TIDE)
    real = put(codex, "real")
    (codex / "linked").symlink_to(real)
    (codex / "dangling").symlink_to(codex / "nowhere")
    (codex / "inner").mkdir()
    (codex / "inner" / "automation.toml").symlink_to(real / "automation.toml")
    (codex / "folder").mkdir()
    (codex / "folder" / "automation.toml").mkdir()
    (codex / "pipe").mkdir()
    os.mkfifo(codex / "pipe" / "automation.toml")
    put(codex, "bytes", b"name = '\xff'")
    put(codex, "huge", "#" * (codex_files.BYTES_LIMIT + 1))
    put(codex, "wrong", "rrule = [")
    put(codex, "typed", "prompt = 7")
    found = legacy(bench)
    assert found["imported"] == ["real"]
    assert found["skipped"] == []
    assert found["failures"] == [
        f"{codex}/bytes: could not read automation.toml: it is not UTF-8: the byte at 8 does not fit",
        f"{codex}/dangling: could not read automation.toml: it is a symbolic link, which is not followed",
        f"{codex}/folder: could not read automation.toml: it is not a file",
        f"{codex}/huge: could not read automation.toml: it is larger than 131,072 bytes",
        f"{codex}/inner: could not read automation.toml: it is a symbolic link, which is not followed",
        f"{codex}/linked: could not read automation.toml: it is a symbolic link, which is not followed",
        f"{codex}/pipe: could not read automation.toml: it is not a file",
        f"{codex}/plain: could not read automation.toml: it is not a folder",
        f"{codex}/typed: could not parse automation.toml: prompt must be a string",
        f"{codex}/wrong: could not parse automation.toml: Invalid value (at end of document)",
    ]


def test_what_the_account_may_not_read_is_a_line() -> None:
    """Asked as somebody who is not root, always (decisions.md 48)."""
    with as_nobody.home() as person:
        root = person / "automations"
        root.mkdir()
        for name in ("folder", "file"):
            put(root, name)
        (root / "file" / "automation.toml").chmod(0o000)
        (root / "folder").chmod(0o000)
        as_nobody.hand_over(person)
        assert read_as_nobody(root) == [
            ["file", "folder"],
            [],
            f"{root}/file: could not read automation.toml: Permission denied",
            f"{root}/folder: could not read automation.toml: Permission denied",
        ]
        root.chmod(0o000)
        assert read_as_nobody(root) == [[], [f"{root}: could not be read: Permission denied"]]


READ = """
import encodings.idna, json, os, sys
from pathlib import Path
from coven_desktop.engine import codex_files
if os.geteuid() == 0:
    os.setgroups([])
    os.setresgid(65534, 65534, 65534)
    os.setresuid(65534, 65534, 65534)
root = Path(sys.argv[1])
names, lines = codex_files.folders(root)
told = [names, lines]
for name in names:
    try:
        told.append(codex_files.read(root, name))
    except codex_files.Unreadable as line:
        told.append(str(line))
print(json.dumps(told))
"""


def read_as_nobody(root: Path) -> Any:
    done = subprocess.run([sys.executable, "-c", READ, str(root)], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def test_the_largest_file_is_read(bench: Bench, codex: Path) -> None:
    put(codex, "tide", TIDE + "#" * (codex_files.BYTES_LIMIT - len(TIDE)))
    assert legacy(bench)["imported"] == ["tide"]


def test_names_that_are_no_text(bench: Bench, codex: Path) -> None:
    folder = os.fsencode(codex) + b"/t\xffde"
    os.mkdir(folder)
    Path(os.fsdecode(folder), "automation.toml").write_text(TIDE)
    (line,) = legacy(bench)["skipped"]
    assert line.startswith("t\ufffdde: routine definition failed validation: id")
    Path(os.fsdecode(folder), "automation.toml").write_text("id = 1")
    (line,) = legacy(bench)["failures"]
    assert line == f"{codex}/t\ufffdde: could not parse automation.toml: id must be a string"


def test_where_there_is_nothing_there_is_an_empty_report(
    bench: Bench, codex: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nothing: dict[str, list[str]] = {"imported": [], "skipped": [], "failures": []}
    assert legacy(bench) == nothing
    codex.rmdir()
    assert legacy(bench) == nothing
    assert result(versioned(bench)) == {"source": SOURCE, "dryRun": False, **nothing}
    codex.write_text("")
    assert legacy(bench)["failures"] == [f"{codex}: could not be read: Not a directory"]


def test_where_it_is_looked_for(bench: Bench, codex: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(codex, "tide")
    person = codex.parent.parent
    monkeypatch.setenv("USERPROFILE", "/nowhere")
    assert legacy(bench)["imported"] == ["tide"]
    monkeypatch.setenv("USERPROFILE", str(person))
    monkeypatch.delenv("HOME")
    assert legacy(bench)["skipped"] == ["tide: already exists"]
    monkeypatch.delenv("USERPROFILE")
    monkeypatch.chdir(person)
    assert legacy(bench)["skipped"] == ["tide: already exists"]


def test_the_files_stay_as_they_are(bench: Bench, codex: Path) -> None:
    folder = put(codex, "tide")
    before = os.stat(folder / "automation.toml")
    legacy(bench)
    after = os.stat(folder / "automation.toml")
    assert (after.st_mtime_ns, after.st_size, os.listdir(folder)) == (
        before.st_mtime_ns,
        before.st_size,
        ["automation.toml"],
    )


def test_many_are_read_in_turns_of_the_loop_and_committed_at_once(bench: Bench, codex: Path) -> None:
    for number in range(3):
        put(codex, f"tide-{number:03}")
    outcome = importing.import_all(bench.engine, {})
    assert isinstance(outcome, Pending)
    assert bench.rows("SELECT * FROM definitions") == []
    assert len(bench.done(outcome).payload["imported"]) == 3
    key = "adopt:import:many"
    outcome = importing.import_v1(bench.engine, {"adoptionKey": key, "source": SOURCE})
    assert isinstance(outcome, Pending)
    assert len(bench.done(outcome).payload["result"]["skipped"]) == 3
    # a replay reads nothing
    assert isinstance(importing.import_v1(bench.engine, {"adoptionKey": key, "source": SOURCE}), Answer)


def test_the_same_import_sent_twice_at_once_is_carried_out_once(bench: Bench, codex: Path) -> None:
    for number in range(2):
        put(codex, f"tide-{number:03}")
    body = {"adoptionKey": "adopt:import:twice", "source": SOURCE}
    outcomes = [importing.import_v1(bench.engine, body) for _ in range(2)]
    first, second = (done(bench, outcome) for outcome in outcomes)
    assert (first.payload["outcome"], second.payload["outcome"]) == ("committed", "replayed")
    assert second.payload["result"] == first.payload["result"]


def test_more_folders_than_the_bound_are_told(bench: Bench, codex: Path) -> None:
    for number in range(codex_files.FOLDERS_LIMIT + 1):
        (codex / f"{number:04}").mkdir()
    assert legacy(bench)["failures"] == [f"{codex}: more than 256 entries; the others were not read"]
    (codex / "0000").rmdir()
    assert legacy(bench)["failures"] == []


@pytest.mark.parametrize(
    "changes",
    [
        {"source": None},
        {"source": "cron"},
        {"source": f" {SOURCE}"},
        {"dryRun": None},
        {"dryRun": 1},
        {"dryRun": "yes"},
        {"expectedRevision": 1},
    ],
)
def test_what_is_asked_badly_is_refused_under_the_key(bench: Bench, codex: Path, changes: dict[str, Any]) -> None:
    put(codex, "tide")
    for _ in range(2):
        found = refused(lambda: versioned(bench, "adopt:import:bad", **changes))
        assert found.code == Code.VALIDATION_FAILED
        assert next(iter(changes)) in found.reason
    assert bench.rows("SELECT outcome FROM adoptions") == [("rejected",)]
    assert bench.rows("SELECT * FROM definitions") == []
    other = refused(lambda: versioned(bench, "adopt:import:bad"))
    assert other.code == Code.ADOPTION_REPLAY_MISMATCH


@pytest.mark.parametrize("key", [None, "", "short", 7])
def test_a_key_is_needed(bench: Bench, codex: Path, key: object) -> None:
    body = {"adoptionKey": key, "source": SOURCE}
    assert refused(lambda: importing.import_v1(bench.engine, body)).code == Code.VALIDATION_FAILED
    assert bench.rows("SELECT * FROM adoptions") == []


def test_in_an_envelope_it_is_the_same_command(bench: Bench, codex: Path) -> None:
    for number in range(2):
        put(codex, f"tide-{number:03}")
    payload = {"source": SOURCE}
    there = send(bench, "legacy.import.v1", payload, key="adopt:import:envelope")
    assert list(told(there)) == ["schemaVersion", "command", "adoptionKey", "outcome", "result"]
    assert len(told(there)["result"]["imported"]) == 2
    assert versioned(bench, "adopt:import:envelope").payload["outcome"] == "replayed"
    back = send(bench, "legacy.import.v1", payload, key="adopt:import:envelope")
    assert (told(back)["outcome"], back.in_event) == ("replayed", False)


def test_an_import_wakes_nobody(bench: Bench, codex: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(codex, "tide")
    monkeypatch.setattr(bench.engine, "wake", lambda: pytest.fail("woken"))
    legacy(bench)
    versioned(bench)


def test_a_fault_of_the_store_imports_nothing_and_spends_nothing(bench: Bench, codex: Path) -> None:
    put(codex, "tide")
    bench.store.connection.execute("PRAGMA busy_timeout = 0").fetchall()
    other = bench.lock()
    for outcome in (lambda: legacy(bench), lambda: versioned(bench, "adopt:import:busy")):
        with pytest.raises(StoreFault):
            outcome()
    other.close()
    assert result(versioned(bench, "adopt:import:busy"))["imported"] == ["tide"]
