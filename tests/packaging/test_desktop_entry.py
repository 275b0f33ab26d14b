"""`packaging/run --install` and `--uninstall`: what they write, where, and that they take back exactly that."""

from __future__ import annotations

import configparser
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
SCRIPT = ROOT / "packaging" / "desktop_entry.py"


def call(data_home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(SCRIPT), *arguments],
        env={**os.environ, "XDG_DATA_HOME": str(data_home)},
        capture_output=True,
        text=True,
        check=False,
    )


def program(folder: Path) -> Path:
    folder.mkdir(parents=True)
    made = folder / "coven-desktop"
    made.write_text("#!/bin/sh\n")
    made.chmod(0o755)
    return made


def files(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def entry(data_home: Path) -> configparser.SectionProxy:
    parser = configparser.RawConfigParser(delimiters=("=",), strict=True)
    parser.optionxform = str  # type: ignore[assignment, method-assign]  # keys are case-sensitive; documented use
    parser.read(data_home / "applications" / "coven-desktop.desktop", encoding="utf-8")
    return parser["Desktop Entry"]


def test_installs_an_entry_with_an_absolute_exec_and_the_icon(tmp_path: Path) -> None:
    made = program(tmp_path / "bin")

    done = call(tmp_path / "data", "install", str(made))

    assert (done.returncode, done.stderr) == (0, "")
    found = entry(tmp_path / "data")
    assert shlex.split(found["Exec"]) == [str(made)]
    assert found["TryExec"] == str(made)
    assert found["Icon"] == "coven-desktop"
    icon = tmp_path / "data/icons/hicolor/scalable/apps/coven-desktop.svg"
    assert icon.read_text().lstrip().startswith(("<svg", "<?xml"))
    states = tmp_path / "data/icons/hicolor/symbolic/apps"
    found_states = sorted(path.name.split("-")[2] for path in states.iterdir())
    assert found_states == ["attention", "idle", "paused", "running", "stalled"]


@pytest.mark.parametrize("name", ["with space", "quo\"te's", "dollar$HOME", "back`tick", "back\\slash", "per%cent%f"])
def test_any_path_is_quoted_as_the_specification_says(tmp_path: Path, name: str) -> None:
    made = program(tmp_path / name)

    assert call(tmp_path / "data", "install", str(made)).returncode == 0

    value = entry(tmp_path / "data")["Exec"]
    # What a launcher does: undo the escapes of a string value, then the quotes, then the field codes.
    string = value.replace("\\\\", "\\")
    assert string.startswith('"')
    assert string.endswith('"')
    word = ""
    rest = iter(string[1:-1])
    for char in rest:
        word += next(rest) if char == "\\" else char
    assert word.replace("%%", "%") == str(made)


def test_a_second_install_replaces_the_first(tmp_path: Path) -> None:
    call(tmp_path / "data", "install", str(program(tmp_path / "old")))
    before = files(tmp_path / "data")

    call(tmp_path / "data", "install", str(program(tmp_path / "new")))

    assert files(tmp_path / "data") == before
    assert "/new/" in entry(tmp_path / "data")["Exec"]


def test_uninstall_takes_out_both_and_nothing_else(tmp_path: Path) -> None:
    data = tmp_path / "data"
    home = data / "coven-desktop"
    home.mkdir(parents=True)
    home.joinpath("coven.sqlite3").write_text("precious")
    data.joinpath("applications").mkdir()
    data.joinpath("applications/other.desktop").write_text("[Desktop Entry]\n")
    before = set(files(data))
    call(data, "install", str(program(tmp_path / "bin")))

    done = call(data, "uninstall")

    assert done.returncode == 0
    # The desktop's own caches may be new.
    assert {name for name in files(data) if "cache" not in name} == before
    assert "coven-desktop.desktop" in done.stdout
    assert call(data, "uninstall").returncode == 0


@pytest.mark.parametrize("path", ["coven-desktop", "/nowhere/coven-desktop"])
def test_a_program_that_cannot_be_started_is_refused(tmp_path: Path, path: str) -> None:
    done = call(tmp_path, "install", path)

    assert done.returncode == 1
    assert "not an absolute path to a program" in done.stderr
    assert files(tmp_path) == []


def test_usage(tmp_path: Path) -> None:
    assert call(tmp_path).returncode == 2
