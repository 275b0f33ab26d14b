"""What the doctor says about a home and about the app on it."""

from __future__ import annotations

import fcntl
import os
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from coven_desktop import __version__
from coven_desktop.doctor import place, running
from coven_desktop.home import Home
from tests.doctor.conftest import NOT_RUNNING, health, only


def test_a_private_home_is_fine(used: Home) -> None:
    check = only(place.look(used))
    assert check.state == "fine"
    assert check.facts["mode"] == "0700"


def test_a_home_open_to_others(home: Home) -> None:
    home.root.chmod(0o755)
    check = only(place.look(home))
    assert check.state == "attention"
    assert check.advice is not None
    assert f"chmod 700 '{home.root}'" in check.advice


def test_settings_that_do_not_count(used: Home) -> None:
    used.settings.touch(mode=0o600)
    used.settings.write_text('theme = "pink"\n\nmaxConcurrentRuns = 2\n')
    (check,) = [check for check in place.look(used) if check.subject == "Settings"]
    assert check.state == "attention"
    assert check.text.startswith("settings.toml line 1: theme must be")


def test_files_open_to_others(used: Home) -> None:
    used.settings.touch(mode=0o644)
    (used.sessions / "session-1").mkdir()
    (used.sessions / "session-1" / "output").touch(mode=0o640)
    used.root.chmod(0o755)
    check = list(place.look(used))[-1]
    assert check.state == "attention"
    assert sorted(check.facts["files"]) == sorted([str(used.settings), str(used.session("session-1").output)])
    assert "open to other accounts" in check.text
    assert "and 1 more" in check.text


def test_the_person_s_own_files_in_a_private_home_are_a_note(used: Home) -> None:
    used.runtimes.touch(mode=0o644)
    used.settings.touch(mode=0o644)
    private, note = place.look(used)
    assert (private.state, note.state) == ("fine", "note")
    assert note.text.startswith("runtimes.toml and settings.toml: private all the same, because the home is")
    assert note.advice == f"To keep it so when copied: chmod 600 '{used.runtimes}' '{used.settings}'"


def test_the_app_s_own_files_with_a_loose_mode_want_attention_and_are_not_called_open(used: Home) -> None:
    used.settings.touch(mode=0o644)
    used.log.touch(mode=0o644)
    _, note, check = place.look(used)
    assert (note.state, check.state) == ("note", "attention")
    assert check.facts["files"] == [str(used.log)]
    assert "open to other accounts" not in check.text


@pytest.mark.parametrize("what", ["file", "link"])
def test_something_else_in_the_home_s_place(tmp_path: Path, what: str) -> None:
    home = Home(tmp_path / "home")
    if what == "file":
        home.root.touch()
    else:
        home.root.symlink_to(tmp_path)
    check = only(place.look(home))
    assert check.state == "attention"
    assert "--home" in check.text


# The app.


def test_an_app_that_answers(home: Home, serving: Callable[[dict[str, Any]], None]) -> None:
    serving(health())
    app = running.find(home)
    assert app.is_running
    check = only(running.look(home, app))
    assert (check.state, check.text) == ("fine", f"Coven Desktop {__version__} runs (process 4711) and answers.")


@pytest.mark.parametrize(
    ("members", "words"),
    [({"covenVersion": "0.0.1"}, "is version 0.0.1"), ({"storage": {"status": "degraded"}}, "storage is degraded")],
)
def test_an_app_with_trouble(
    home: Home, serving: Callable[[dict[str, Any]], None], members: dict[str, Any], words: str
) -> None:
    serving(health(**members))
    check = only(running.look(home, running.find(home)))
    assert check.state == "attention"
    assert words in check.text


def test_somebody_else_on_the_socket(home: Home, serving: Callable[[dict[str, Any]], None]) -> None:
    serving({"/api/v1/health": b"hello"})
    app = running.find(home)
    assert not app.is_running
    assert app.trouble == "it cannot be asked (JSONDecodeError)"


def test_no_app(home: Home) -> None:
    app = running.find(home)
    assert app == NOT_RUNNING
    assert only(running.look(home, app)).state == "note"


def test_a_socket_left_from_a_crash(home: Home) -> None:
    left = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    left.bind(str(home.socket))
    left.close()
    check = only(running.look(home, running.find(home)))
    assert check.state == "note"
    assert "the next start replaces it" in check.text


def test_something_else_in_the_socket_s_place(home: Home) -> None:
    home.socket.touch()
    assert only(running.look(home, running.find(home))).state == "attention"


def test_an_app_that_holds_the_home_and_does_not_answer(home: Home) -> None:
    with home.lock.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        app = running.find(home)
        assert app.locked_by == os.getpid()
        check = only(running.look(home, app))
        assert check.state == "attention"
        assert f"process {os.getpid()}) but does not answer: there is no socket" in check.text
    assert running.find(home).locked_by is None
