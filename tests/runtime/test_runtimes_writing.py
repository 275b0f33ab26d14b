"""Writing runtimes.toml: what is put in is read back, the rest stays, and what is wrong is refused at its member."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Any

import pytest

from coven_desktop.runtime import runtimes_file
from coven_desktop.runtime.runtimes_writing import WrongRuntime, put, remove, table_of
from coven_desktop.settings.writing import CannotWrite

NOTES: dict[str, Any] = {"argv": ["my-agent", "--file", "{prompt_file}"], "env": {"A": "1"}, "secrets": ["TOKEN"]}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "runtimes.toml"


def names(path: Path) -> list[str]:
    entries, problems = runtimes_file.read(path)
    assert problems == []
    return [entry.name for entry in entries]


def test_what_is_put_in_is_read_back(path: Path) -> None:
    put(path, "notes", NOTES)
    put(path, "my other", {"argv": ["/usr/bin/env", "cat"], "graceSeconds": 3})
    assert names(path) == ["notes", "my other"]
    assert table_of(path, "notes") == NOTES
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
    entry = runtimes_file.read(path)[0][1]
    assert (entry.argv, entry.grace_ms) == (("/usr/bin/env", "cat"), 3_000)


def test_the_rest_of_the_file_stays(path: Path) -> None:
    path.write_text('# mine\n[first]\nargv = ["a"] # remark\n\n[second]\nargv = ["b"]\ngraceSeconds = 2\n')
    put(path, "second", {"argv": ["c"]}, before="second")
    assert path.read_text() == '# mine\n[first]\nargv = ["a"] # remark\n\n[second]\nargv = ["c"]\n'
    put(path, "third", {"argv": ["c"]}, before="second")
    assert names(path) == ["first", "third"]
    remove(path, "third")
    remove(path, "nobody")
    assert names(path) == ["first"]
    assert path.read_text().startswith('# mine\n[first]\nargv = ["a"] # remark\n')


@pytest.mark.parametrize(
    ("name", "change", "setting"),
    [
        ("", {}, None),
        ("x" * 65, {}, None),
        ("notes", {"argv": []}, "argv"),
        ("notes", {"argv": ["./relative"]}, "argv"),
        ("notes", {"prompt": "argument"}, "prompt"),
        ("notes", {"env": {"A=B": "1"}}, "env"),
        ("notes", {"secrets": ["not a name"]}, "secrets"),
        ("notes", {"graceSeconds": 16}, "graceSeconds"),
        ("notes", {"outputLimitBytes": 1}, "outputLimitBytes"),
    ],
)
def test_what_is_wrong_is_refused_at_its_member(path: Path, name: str, change: dict[str, Any], setting: str) -> None:
    with pytest.raises(WrongRuntime) as caught:
        put(path, name, {**NOTES, **change})
    assert caught.value.setting == setting
    assert not path.exists()


def test_a_name_that_is_taken(path: Path) -> None:
    put(path, "notes", NOTES)
    with pytest.raises(WrongRuntime, match="of this name already"):
        put(path, "notes", NOTES)


def test_a_file_that_is_not_toml_is_not_written_over(path: Path) -> None:
    path.write_text("[notes\n")
    with pytest.raises(CannotWrite, match="Mend it with an editor"):
        put(path, "other", NOTES)
    assert path.read_text() == "[notes\n"
