"""A runtime is tried without doing anything: asked for its version, ended at its deadline, never started when it is
the person's own."""

from __future__ import annotations

import os
from pathlib import Path

import psutil
import pytest

from coven_desktop.home import Home, prepare
from coven_desktop.runtime import trial
from coven_desktop.runtime.registry import Registry
from tests.rig import until


@pytest.fixture
def bin_folder(tmp_path: Path) -> Path:
    folder = tmp_path / "bin"
    folder.mkdir()
    return folder


@pytest.fixture
def home(tmp_path: Path) -> Home:
    made = Home(tmp_path / "home")
    prepare(made)
    return made


def command(folder: Path, name: str, script: str) -> Path:
    path = folder / name
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return path


def lives(pid: int) -> bool:
    return psutil.pid_exists(pid) and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE


def try_out(home: Home, folder: Path, name: str, timeout_s: float = 20.0) -> trial.Trial:
    environ = {"PATH": f"{folder}:/usr/bin:/bin", "HOME": str(folder), "SECRET_OF_THE_APP": "x"}
    return trial.try_out(Registry.load(home, environ), name, environ, timeout_s)


def test_the_shell_works(home: Home, bin_folder: Path) -> None:
    found = try_out(home, bin_folder, "shell")
    assert (found.verdict, found.output, found.exit_code) == ("works", "it works", 0)
    assert found.command == ("/bin/sh", "-c", "echo it works")


def test_an_agent_is_asked_for_its_version_in_the_environment_of_a_run(home: Home, bin_folder: Path) -> None:
    path = command(bin_folder, "claude", 'echo "$1 ${SECRET_OF_THE_APP:-nothing}"; echo loud >&2')
    found = try_out(home, bin_folder, "claude")
    assert (found.verdict, found.output) == ("works", "--version nothing\nloud")
    assert found.command == (str(path), "--version")


def test_one_that_ends_badly_says_what_it_printed(home: Home, bin_folder: Path) -> None:
    command(bin_folder, "claude", "echo no node here; exit 3")
    found = try_out(home, bin_folder, "claude")
    assert (found.verdict, found.output, found.exit_code) == ("failed", "no node here", 3)


def test_one_that_cannot_be_executed_says_why(home: Home, bin_folder: Path) -> None:
    path = bin_folder / "claude"
    path.write_text("#!/nowhere/at/all\n")
    path.chmod(0o755)
    found = try_out(home, bin_folder, "claude")
    assert (found.verdict, found.output) == ("failed", os.strerror(2))


def test_one_that_hangs_is_ended_with_all_it_started(home: Home, bin_folder: Path, tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    command(bin_folder, "claude", f"sleep 600 & echo $! > {pid}; echo begun; wait")
    found = try_out(home, bin_folder, "claude", timeout_s=2.0)
    assert (found.verdict, found.output) == ("too_slow", "begun")
    until("its child is gone", lambda: not lives(int(pid.read_text())))


def test_what_is_not_there_is_not_started(home: Home, bin_folder: Path) -> None:
    assert try_out(home, bin_folder, "nonsense").verdict == "unknown"
    if Registry.load(home, {"PATH": str(bin_folder)}).get("codex").executable is None:  # type: ignore[union-attr]
        assert try_out(home, bin_folder, "codex").verdict == "not_found"


def test_a_persons_own_command_is_looked_at_and_never_started(home: Home, bin_folder: Path, tmp_path: Path) -> None:
    done = tmp_path / "done"
    path = command(bin_folder, "backup", f"touch {done}")
    home.runtimes.write_text(f'[backup]\nargv = ["{path}"]\nprompt = "stdin"\n')
    home.runtimes.chmod(0o600)
    found = try_out(home, bin_folder, "backup")
    assert (found.verdict, found.command) == ("there", ())
    assert not done.exists()


def test_output_is_cut_short(home: Home, bin_folder: Path) -> None:
    command(bin_folder, "claude", "head -c 100000 /dev/zero | tr '\\0' x")
    assert len(try_out(home, bin_folder, "claude").output) == trial.OUTPUT_LIMIT + 1
