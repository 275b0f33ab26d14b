"""Starting at login: what the file really says, whoever wrote it, and that it is written whole."""

from __future__ import annotations

import os
import stat
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coven_desktop.desktop import autostart
from coven_desktop.desktop.autostart import AutostartFile, CannotSet, exec_words, own_command


def program(folder: Path, name: str = "coven-desktop") -> Path:
    path = folder / name
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return path


class Login:
    """A person's configuration, and the system's."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.bin = folder / "bin dir"
        self.bin.mkdir()
        self.program = program(self.bin)
        self.environ = {
            "XDG_CONFIG_HOME": str(folder / "config"),
            "XDG_CONFIG_DIRS": str(folder / "etc"),
            "PATH": str(self.bin),
            "XDG_CURRENT_DESKTOP": "XFCE",
        }
        self.file = AutostartFile((str(self.program), "--background"), self.environ)

    def other(self, command: Sequence[str]) -> AutostartFile:
        return AutostartFile(command, self.environ)

    def write(self, *lines: str, group: str = "[Desktop Entry]") -> None:
        self.file.path.parent.mkdir(parents=True, exist_ok=True)
        self.file.path.write_text("\n".join((group, "Type=Application", *lines)) + "\n")


@pytest.fixture
def login(tmp_path: Path) -> Login:
    return Login(tmp_path)


def test_it_is_switched_on_and_off(login: Login) -> None:
    assert login.file.look().state == "off"
    login.file.switch(True)
    found = login.file.look()
    assert (found.state, found.program) == ("on", str(login.program))
    assert stat.S_IMODE(os.stat(found.path).st_mode) & 0o400
    assert os.listdir(found.path.parent) == [autostart.NAME]
    login.file.switch(False)
    assert login.file.look().state == "off"
    login.file.switch(False)


@pytest.mark.parametrize(
    ("lines", "state"),
    [
        (["Exec=coven-desktop --background"], "on"),
        (["Exec=coven-desktop --background %U"], "on"),
        (["Exec=coven-desktop --background", "Hidden=true"], "switched_off"),
        (["Exec=coven-desktop --background", "X-GNOME-Autostart-enabled=false"], "switched_off"),
        (["Exec=coven-desktop --background", "X-GNOME-Autostart-enabled=true", "Hidden=false"], "on"),
        (["Exec=coven-desktop --background", "OnlyShowIn=GNOME;KDE;"], "elsewhere"),
        (["Exec=coven-desktop --background", "OnlyShowIn=GNOME;XFCE;"], "on"),
        (["Exec=coven-desktop --background", "NotShowIn=XFCE;"], "elsewhere"),
        (["Exec=coven-desktop --background", "TryExec=/gone"], "broken"),
        (["Exec=coven-desktop"], "other"),
        (["Exec=coven-desktop --home /elsewhere --background"], "other"),
        (["Exec=/gone/coven-desktop --background"], "broken"),
        (['Exec="never closed --background'], "broken"),
        ([], "broken"),
    ],
)
def test_what_the_file_says_counts(login: Login, lines: list[str], state: str) -> None:
    login.write(*lines)
    assert login.file.look().state == state


def test_another_copy_is_told_by_its_path(login: Login) -> None:
    another = program(login.bin, "coven-copy")
    login.write(f'Exec="{another}" --background')
    found = login.file.look()
    assert (found.state, found.program) == ("other", f"{another} --background")


def test_a_link_to_the_program_is_the_program(login: Login) -> None:
    link = login.bin / "link"
    link.symlink_to(login.program)
    login.write(f'Exec="{link}" --background')
    assert login.file.look().state == "on"


def test_keys_of_other_groups_and_remarks_do_not_count(login: Login) -> None:
    login.write("Exec=coven-desktop --background", "#Hidden=true", "[Desktop Action x]", "Hidden=true", "Exec=other")
    assert login.file.look().state == "on"


def test_a_file_that_cannot_be_read_is_broken(login: Login) -> None:
    login.file.path.mkdir(parents=True)
    assert login.file.look().state == "broken"
    with pytest.raises(CannotSet, match="cannot be changed"):
        login.file.switch(True)


def test_the_system_s_file_counts_and_can_be_spoken_against(login: Login) -> None:
    system = login.folder / "etc" / "autostart"
    system.mkdir(parents=True)
    (system / autostart.NAME).write_text("[Desktop Entry]\nExec=coven-desktop --background\n")
    assert login.file.look().state == "on"
    login.file.switch(False)
    assert login.file.look().state == "switched_off"
    login.file.switch(True)
    assert login.file.look().state == "on"


def test_a_program_that_goes_away_is_seen(login: Login) -> None:
    login.file.switch(True)
    login.program.unlink()
    assert login.file.look().state == "broken"


@given(
    words=st.lists(st.text(st.characters(exclude_categories=["C"], exclude_characters="\x00"), min_size=1), min_size=1)
)
def test_any_words_come_back_as_they_were(words: list[str]) -> None:
    line = " ".join(autostart._exec_word(word) for word in words)
    assert "\n" not in line
    assert exec_words(line) == words


def test_our_own_command_is_there() -> None:
    command = own_command("/some home")
    assert os.access(command[0], os.X_OK)
    assert command[-3:] == ("--home", "/some home", "--background")
    assert own_command(None)[-1] == "--background"
