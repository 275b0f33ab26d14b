"""Starting sessions: what the command gets, how its end is told, and every way of not starting."""

from __future__ import annotations

import errno
import hashlib
import os
import shutil
import stat
from pathlib import Path
from typing import Any

import pytest

import coven_desktop
from coven_desktop.runtime import launching
from coven_desktop.runtime.evidence import Refusal
from coven_desktop.runtime.sessions import LaunchRefused
from tests.runtime.house import House


def test_a_command_that_ends_well_leaves_evidence_and_output(house: House) -> None:
    watched = house.run("echo out; echo err >&2; pwd")
    evidence = watched.evidence
    assert (evidence.outcome, evidence.exit_code, evidence.quiescent, evidence.stop_reason) == ("exited", 0, True, None)
    assert (evidence.session_id, evidence.leftovers, evidence.output_dropped) == (watched.id, (), 0)
    assert evidence.started_at == watched.started[0].started_at <= evidence.ended_at
    text = house.output(watched)
    assert sorted(text.split()) == sorted(["out", "err", str(house.work)])
    assert evidence.output_bytes == len(text.encode())
    assert house.runtime.find(watched.id) == ("ended", evidence)


def test_the_digest_is_that_of_the_output(house: House) -> None:
    watched = house.run("seq 1 500")
    text = house.output(watched).encode()
    assert text == b"".join(b"%d\n" % number for number in range(1, 501))
    assert watched.evidence.output_sha256 == hashlib.sha256(text).hexdigest()


@pytest.mark.parametrize(
    ("script", "outcome", "code", "number"),
    [("exit 3", "exited", 3, None), ("kill -9 $$", "signalled", None, 9), ("kill -TERM $$", "signalled", None, 15)],
)
def test_other_ends(house: House, script: str, outcome: str, code: int | None, number: int | None) -> None:
    evidence = house.run(script).evidence
    assert (evidence.outcome, evidence.exit_code, evidence.signal) == (outcome, code, number)
    assert evidence.stop_reason is None


def test_everything_on_disk_is_private(house: House) -> None:
    watched = house.run("umask > umask; echo x")
    root = house.home.session(watched.id).root
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in root.iterdir()}
    assert modes == dict.fromkeys(["lock", "prompt", "starting", "output", "evidence.json"], 0o600)
    assert stat.S_IMODE(root.stat().st_mode) == 0o700
    current = os.umask(0o022)
    os.umask(current)
    assert int((house.work / "umask").read_text(), 8) == current, "the command keeps the person's own umask"


def test_the_command_knows_its_ids_and_settings(house: House) -> None:
    spec = house.spec("env", environment={"MY_SETTING": "ünï\n2"}, familiar_id="cat")
    watched = house.start(spec)
    house.wait(lambda: bool(watched.ended))
    text = house.output(watched)
    assert f"COVEN_SESSION_ID={spec.session_id}\n" in text
    assert f"COVEN_RUN_ID={spec.run_id}\n" in text
    assert "COVEN_AUTOMATION_ID=notes\n" in text
    assert "COVEN_FAMILIAR_ID=cat\n" in text
    assert "MY_SETTING=ünï\n2\n" in text


def test_the_command_gets_nothing_else(house: House) -> None:
    """No descriptor of the app or the host, no terminal, default signals, a session of its own, stdin empty."""
    leaked = os.open("/dev/null", os.O_RDONLY)
    os.set_inheritable(leaked, True)
    try:
        script = "ls -l /proc/self/fd | grep -c /; grep -E 'SigBlk|SigIgn' /proc/self/status; cat"
        watched = house.run(f"{script}; cut -d' ' -f1,6 /proc/$$/stat")
    finally:
        os.close(leaked)
    lines = house.output(watched).splitlines()
    # the listing's own /proc folder, /dev/null as stdin, and the script the shell reads is closed for its children
    assert int(lines[0]) <= 3
    blocked, ignored = (int(line.split()[1], 16) for line in lines[1:3])
    # glibc's posix_spawn leaves its own signals 32 and 33 ignored; threads set them up when they need them
    assert (blocked, ignored & ~(0b11 << 31)) == (0, 0)
    pid, session = lines[3].split()
    assert pid == session


def test_a_prompt_of_four_mebibytes_on_stdin(house: House) -> None:
    prompt = "ä" * (2 << 20)
    watched = house.run(prompt, "reader")
    assert watched.evidence.output_bytes == 4 << 20
    assert watched.evidence.output_sha256 == hashlib.sha256(prompt.encode()).hexdigest()


def test_a_prompt_as_argument_and_a_model(house: House) -> None:
    without = house.run("say {cwd} {model}", "argument")
    assert house.output(without) == f"say {{cwd}} {{model}} {house.work}\n"
    assert house.output(house.run("hi", "argument", model="opus")) == f"hi {house.work} --model=opus\n"


def test_a_prompt_too_long_for_an_argument_is_refused_before_anything_starts(house: House) -> None:
    refusal = house.refusal("x" * 200_000, "argument")
    assert (refusal.failure_class, refusal.proven_no_process) == ("launch_refused", True)
    assert not list(house.home.sessions.iterdir())


def test_fifty_at_once(house: House) -> None:
    all_of_them = [house.launch(house.spec(f"echo {number}; exit {number}")) for number in range(50)]
    house.wait(lambda: all(watched.ended for watched in all_of_them), 50_000)
    assert [watched.evidence.exit_code for watched in all_of_them] == list(range(50))
    assert [house.output(watched) for watched in all_of_them] == [f"{number}\n" for number in range(50)]
    assert not [one for one in all_of_them if Path(f"/proc/{one.started[0].pid}").exists()], "zombies are left"


def test_no_descriptor_is_left_behind(house: House) -> None:
    house.run("true")
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(3):
        house.run("true")
        house.refusal(cwd=str(house.work / "missing"))
    assert len(os.listdir("/proc/self/fd")) == before


def test_an_unknown_runtime_is_refused_for_good(house: House) -> None:
    with pytest.raises(LaunchRefused, match="`nobody` is not known") as refused:
        house.runtime.check("nobody", None)
    assert refused.value.failure_class == "launch_refused"
    assert house.refusal(runtime="nobody").failure_class == "launch_refused"


def test_what_is_written_into_the_file_counts_at_the_next_launch(house: House) -> None:
    """The person edits runtimes.toml while the app runs; the doctor and the form read it afresh, so must a launch."""
    assert house.refusal(runtime="mine").failure_class == "launch_refused"
    for says in ("one", "other"):
        house.home.runtimes.write_text(f'[mine]\nargv = ["/bin/echo", "{says}"]\n')
        assert house.output(house.run("", runtime="mine")) == f"{says}\n"
    house.home.runtimes.write_text("[mine]\nargv = 1\n")
    assert "runtimes.toml line 2: runtime `mine`" in str(house.refusal(runtime="mine"))
    house.home.runtimes.unlink()
    assert "`mine` is not known" in str(house.refusal(runtime="mine"))


def test_a_missing_program_is_unavailable(house: House) -> None:
    house.home.runtimes.write_text('[gone]\nargv = ["/nowhere/agent"]\n[named]\nargv = ["no-such-agent-here"]')
    house.registry.refresh()
    for name in ("gone", "named"):
        refusal = house.refusal(runtime=name)
        assert (refusal.failure_class, refusal.proven_no_process) == ("runtime_unavailable", True)


def test_a_program_without_permission_is_refused(house: House, tmp_path: Path) -> None:
    program = tmp_path / "agent"
    program.write_text("#!/bin/sh\n")
    house.home.runtimes.write_text(f'[mine]\nargv = ["{program}"]')
    house.registry.refresh()
    assert house.refusal(runtime="mine").failure_class == "launch_refused"


def test_a_host_leaves_no_bytecode(house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a full disk half a file of it would remain, and no host would ever start again."""
    package = Path(coven_desktop.__file__).parent
    shutil.copytree(package, tmp_path / "coven_desktop", ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(launching, "_PACKAGE_FOLDER", str(tmp_path))
    assert house.run("true").evidence.exit_code == 0
    assert not list(tmp_path.rglob("*.pyc"))


def test_what_only_the_host_can_see_is_told_exactly(house: House, tmp_path: Path) -> None:
    """The interpreter of a script is missing: exec fails with ENOENT, after the file itself was found."""
    program = tmp_path / "agent"
    program.write_text("#!/no/such/interpreter\n")
    program.chmod(0o755)
    house.home.runtimes.write_text(f'[mine]\nargv = ["{program}"]')
    house.registry.refresh()
    watched = house.launch(house.spec("x", "mine"))
    house.wait(lambda: bool(watched.refused))
    assert watched.refused[0].failure_class == "runtime_unavailable"
    found, evidence = house.runtime.find(watched.id)
    assert found in ("alive", "ended")
    house.wait(lambda: house.runtime.find(watched.id)[0] == "ended")
    evidence = house.runtime.find(watched.id)[1]
    assert evidence is not None
    assert (evidence.outcome, evidence.refusal, evidence.started_at) == ("refused", Refusal("exec", 2), None)
    assert not watched.started
    assert not watched.ended


def test_not_a_program_at_all(house: House, tmp_path: Path) -> None:
    program = tmp_path / "agent"
    program.write_bytes(b"\0\1\2\3")
    program.chmod(0o755)
    house.home.runtimes.write_text(f'[mine]\nargv = ["{program}"]')
    house.registry.refresh()
    assert house.refusal(runtime="mine").failure_class == "launch_refused"


@pytest.mark.parametrize(
    ("cwd", "reason"),
    [("", "no working folder"), ("notes", "not an absolute path"), ("~/notes", "not an absolute path"),
     ("/no/such/folder", "does not exist"), ("/dev/null", "not a folder"), ("/dev/null/x", "cannot be used"),
     ("/tmp\0", "no working folder")],
)  # fmt: skip
def test_a_folder_that_cannot_be_used_has_its_own_reason(house: House, cwd: str, reason: str) -> None:
    with pytest.raises(LaunchRefused, match=reason) as refused:
        house.runtime.check("shell", cwd)
    assert refused.value.failure_class == "launch_refused"
    assert not list(house.home.sessions.iterdir())


@pytest.mark.parametrize(
    ("step", "number", "expected"),
    [("exec", 2, "runtime_unavailable"), ("exec", 13, "launch_refused"), ("exec", 7, "launch_refused"),
     ("fork", 11, "transient_dispatch"), ("fork", 12, "launch_refused"), ("chdir", 2, "launch_refused"),
     ("spec", 28, "launch_refused"), ("exec", 4, "transient_dispatch"), ("exec", 110, "transient_dispatch"),
     ("spec", 32, "runtime_unavailable")],
)  # fmt: skip
def test_classes_of_errors(step: str, number: int, expected: str) -> None:
    """The classes of contract/engine.md §5.3; a folder is never retried (design/decisions.md 19)."""
    refusal = Refusal(step, number)  # type: ignore[arg-type]  # the steps are spelled out above
    assert launching.refusal_told(refusal, None, None).failure_class == expected


def test_a_home_that_cannot_be_written_refuses_calmly(house: House) -> None:
    house.home.sessions.rmdir()
    house.home.sessions.write_text("in the way")
    refusal = house.refusal()
    house.home.sessions.unlink()
    house.home.sessions.mkdir()
    assert (refusal.failure_class, refusal.proven_no_process) == ("launch_refused", True)


def test_files_that_cannot_be_reached_for_a_moment_prove_nothing(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """No descriptor was left, or a disk was away: the evidence is there, and it counts when it can be read again."""
    watched = house.start(house.spec("exit 4"))
    house.wait(lambda: bool(watched.ended))

    def refuses(*arguments: Any, **named: Any) -> int:
        raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))

    with monkeypatch.context() as none_left:
        none_left.setattr(os, "open", refuses)
        assert house.runtime.find(watched.id) == ("alive", None)
    assert house.runtime.find(watched.id) == ("ended", watched.evidence)
