"""`packaging/run`: a mistake in its options is told before anything is set up or started."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

PACKAGING = Path(__file__).resolve().parents[2] / "packaging"
OPTIONS = ("--demo", "--install", "--uninstall", "--home", "--headless", "--background")


@pytest.fixture
def script(tmp_path: Path) -> Path:
    """The script in a checkout of its own, where an environment would have to be made first."""
    folder = tmp_path / "packaging"
    folder.mkdir()
    for name in ("run", "setup.sh"):
        shutil.copy(PACKAGING / name, folder)
    return folder / "run"


def call(script: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHON": "/nonexistent"}
    return subprocess.run(
        ["bash", str(script), *arguments], env=environment, capture_output=True, text=True, timeout=30, check=False
    )


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--bogus"], "there is no option --bogus."),
        (["--headless", "--bogus"], "there is no option --bogus."),
        (["notes"], "there is no option notes."),
        (["--headless", "--demo"], "there is no option --demo."),
        (["--home"], "--home needs a value."),
        (["--home="], "there is no option --home=."),
        (["--demo", "--headless"], "--demo takes no further options."),
    ],
)
def test_a_mistake_is_told_with_the_usage_before_anything_else(
    script: Path, arguments: list[str], sentence: str
) -> None:
    told = call(script, *arguments)
    assert (told.returncode, told.stdout) == (2, "")
    assert told.stderr.startswith(f"packaging/run: {sentence}\n")
    assert all(option in told.stderr for option in OPTIONS)
    assert [path.name for path in script.parents[1].iterdir()] == ["packaging"]


@pytest.mark.parametrize("options", [["--help"], ["--headless", "-h"]])
def test_help_names_every_option(script: Path, options: list[str]) -> None:
    told = call(script, *options)
    assert (told.returncode, told.stderr) == (0, "")
    assert all(option in told.stdout for option in OPTIONS)


@pytest.mark.parametrize("options", [["--headless", "--home", "/x"], ["--background", "--home=/x"], ["--version"]])
def test_the_application_s_options_are_passed_on(script: Path, options: list[str]) -> None:
    """A stand-in for the environment and the application, which says what it was given."""
    setup = script.parent / "setup.sh"
    program = script.parents[1] / ".venv" / "bin" / "coven-desktop"
    program.parent.mkdir(parents=True)
    program.write_text('#!/bin/sh\nprintf "%s " "$@"\n')
    program.chmod(0o755)
    setup.write_text(setup.read_text() + "\ninstall_application() { :; }\ncheck_qt() { :; }\n")
    told = call(script, *options)
    assert told.returncode == 0, told.stderr
    assert told.stdout.split()[-len(options) :] == options
