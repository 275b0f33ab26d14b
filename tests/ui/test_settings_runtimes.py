"""The page of runtimes: what is found, a real test of a command, and the person's own added, changed and removed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from coven_desktop.qt.widgets import QLineEdit
from coven_desktop.runtime import runtimes_file
from coven_desktop.ui.doors import RuntimeChoice
from coven_desktop.ui.settings.runtime_editor import RuntimeEditor
from coven_desktop.ui.settings.runtimes_page import RuntimesPage
from tests.ui.desk import Desk, until
from tests.ui.settings_house import Rooms, in_a_home_of_its_own


@pytest.fixture
def rooms(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, desk: Desk) -> Iterator[Rooms]:
    in_a_home_of_its_own(monkeypatch, tmp_path)
    made = Rooms(desk)
    yield made
    made.close()


def opened(rooms: Rooms) -> RuntimesPage:
    page = rooms.page(RuntimesPage)
    until("they are listed", lambda: page.table.rowCount() >= 5)
    return page


def choose(page: RuntimesPage, name: str) -> RuntimeChoice:
    def found() -> bool:
        for row in range(page.table.rowCount()):
            item = page.table.item(row, 0)
            if item is not None and item.text() == name:
                page.table.selectRow(row)
                return page.selected is not None
        return False

    until(f"{name} is listed", found)
    assert page.selected is not None
    return page.selected


def agent(folder: Path, text: str) -> Path:
    path = folder / "my agent"
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


def test_they_are_listed_with_what_they_start(rooms: Rooms) -> None:
    rooms.home.runtimes.write_text('[mine]\nargv = ["no-such-command", "-p"]\n\n[wrong]\nargv = []\n')
    page = opened(rooms)
    until("mine is listed", lambda: page.table.rowCount() == 7)
    rows = [[item.text() for column in range(3) if (item := page.table.item(row, column))] for row in range(7)]
    assert rows[0] == ["shell", "/bin/sh {prompt_file}", "found"]
    assert rows[5:] == [["mine", "no-such-command -p", "not found"], ["wrong", "", "wrong in runtimes.toml"]]
    assert choose(page, "wrong").problem
    assert "needs argv" in page.state.sentence
    assert not page.test.isEnabled()


def test_a_real_test_with_its_output(rooms: Rooms) -> None:
    page = opened(rooms)
    choose(page, "shell")
    page.test.click()
    until("it is tested", lambda: page.state.sentence == "“shell” works.")
    assert page.output.toPlainText() == "$ /bin/sh -c echo it works\nit works"


def test_an_own_command_is_started_only_when_that_is_asked_for(rooms: Rooms, tmp_path: Path) -> None:
    marker = tmp_path / "started"
    program = agent(tmp_path, f'touch "{marker}"; echo "version 7, $1"; exit 3')
    rooms.home.runtimes.write_text(f'[mine]\nargv = ["{program}", "-p"]\n')
    page = opened(rooms)
    choose(page, "mine")
    page.test.click()
    until("it was looked at", lambda: "was not started" in page.state.sentence)
    assert not marker.exists()
    page.state.step.click()
    until("it was tested", lambda: page.state.sentence == "“mine” ended with code 3.")
    assert "version 7, --version" in page.output.toPlainText()


def test_one_is_added_changed_and_removed(rooms: Rooms, tmp_path: Path) -> None:
    program = agent(tmp_path, "cat")
    rooms.home.runtimes.write_text("# mine\n")
    page = opened(rooms)
    page.add.click()
    editor = rooms.dialog(RuntimeEditor)
    editor.name.setText("notes")
    for text, field in (
        ("", "argv"),
        ("./relative", "argv"),
        ('"never closed', "argv"),
    ):
        editor.command.setText(text)
        editor.save.click()
        until("it is refused", editor.save.isEnabled)
        assert "Quote words" not in editor.fields[field].message
    editor.command.setText(f"'{program}' --file {{prompt_file}}")
    editor.variables.setPlainText("no equals sign")
    editor.save.click()
    assert "is no NAME=value" in editor.fields["env"].message
    editor.variables.setPlainText("A=1\nB=x=y")
    editor.secrets.setText("TOKEN, OTHER")
    editor.save.click()
    choose(page, "notes")
    assert rooms.home.runtimes.read_text().startswith("# mine\n")
    (entry,) = runtimes_file.read(rooms.home.runtimes)[0]
    assert entry.argv == (str(program), "--file", "{prompt_file}")
    assert (dict(entry.env), entry.secrets, entry.grace_ms) == ({"A": "1", "B": "x=y"}, ("TOKEN", "OTHER"), None)
    page.edit.click()
    editor = rooms.dialog(RuntimeEditor)
    assert editor.variables.toPlainText() == "A=1\nB=x=y"
    editor.name.setText("renamed")
    editor.grace.setValue(3)
    editor.save.click()
    choose(page, "renamed")
    (entry,) = runtimes_file.read(rooms.home.runtimes)[0]
    assert (entry.name, entry.grace_ms) == ("renamed", 3_000)
    page.remove.click()
    rooms.answer(1)
    assert runtimes_file.read(rooms.home.runtimes)[0]
    page.remove.click()
    rooms.answer(0)
    until("it is gone", lambda: page.table.rowCount() == 5)
    assert runtimes_file.read(rooms.home.runtimes)[0] == []


def test_what_has_no_field_stays(rooms: Rooms, tmp_path: Path) -> None:
    program = agent(tmp_path, "cat")
    rooms.home.runtimes.write_text(f'[mine]\nargv = ["{program}"]\nlingerSeconds = 5\n')
    page = opened(rooms)
    choose(page, "mine")
    page.edit.click()
    editor = rooms.dialog(RuntimeEditor)
    assert isinstance(editor.model, QLineEdit)
    editor.model.setText("--model {model}")
    editor.save.click()
    until("it is saved", lambda: "modelArgv" in rooms.home.runtimes.read_text())
    (entry,) = runtimes_file.read(rooms.home.runtimes)[0]
    assert (entry.linger_ms, entry.model_argv) == (5_000, ("--model", "{model}"))


def test_the_login_shell_is_asked_anew(rooms: Rooms) -> None:
    page = opened(rooms)
    page.again.click()
    until("it was asked", lambda: page.state.sentence == "The login shell was asked anew.")
    assert page.again.isEnabled()


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"mine = no TOML at all\n[other]\nargv = ['true']\n", "runtimes.toml line 1: "),
        (b"\xff\xfe", "runtimes.toml is not UTF-8 text."),
    ],
)
def test_a_file_that_is_broken_is_told_until_it_is_mended(rooms: Rooms, content: bytes, told: str) -> None:
    rooms.home.runtimes.write_bytes(content)
    page = opened(rooms)
    until("it is told", lambda: told in page.file_state.sentence)
    rooms.home.runtimes.write_text("")
    page.shown()
    until("it is not told any more", lambda: page.file_state.sentence == "")
