"""What the doctor says about runtimes, and about routines that could not run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from coven_desktop.doctor import running, work
from coven_desktop.doctor.report import Check
from coven_desktop.home import Home
from coven_desktop.runtime.probe import ProbeResult
from coven_desktop.runtime.registry import Registry
from tests.doctor.conftest import NOT_RUNNING, health, leave_in_log, only, state_of_everything

FOUND = ProbeResult("/usr/bin", None, {"claude": "/opt/claude"})


def by_name(checks: list[Check]) -> dict[str, Check]:
    """The checks of runtimes by the runtime's name."""
    return {check.facts["name"]: check for check in checks if "name" in check.facts}


def test_runtimes(home: Home) -> None:
    home.runtimes.write_text('[mine]\nargv = ["no-such-command", "{prompt_file}"]\n')
    checks = by_name(list(work.look(Registry.load(home), FOUND)))
    assert (checks["shell"].state, checks["shell"].facts["executable"]) == ("fine", "/bin/sh")
    assert (checks["claude"].state, checks["claude"].facts["executable"]) == ("fine", "/opt/claude")
    assert checks["codex"].state == "note"
    assert checks["mine"].state == "attention"


def test_what_is_wrong_in_runtimes_toml(home: Home) -> None:
    home.runtimes.write_text("[mine]\nargv = 7\n")
    checks = list(work.look(Registry.load(home), FOUND))
    assert "mine" in next(check for check in checks if check.state == "attention").text
    assert by_name(checks)["shell"].state == "fine"


def test_a_login_shell_without_an_answer(home: Home) -> None:
    silent = ProbeResult(None, "The login shell /bin/x gave no answer within 5 s; its start files may hang.", {})
    check = next(iter(work.look(Registry.load(home), silent)))
    assert (check.subject, check.state) == ("Login shell", "attention")


def routine(home: Home, **members: Any) -> dict[str, Any]:
    """A routine as the list has it."""
    return {"id": "morning", "runtime": "shell", "cwd": str(home.root)} | members


TROUBLES: list[tuple[dict[str, Any], str]] = [
    ({"runtime": "unheard-of"}, "its runtime unheard-of is not known"),
    ({"runtime": "codex"}, "the command codex was not found"),
    ({"cwd": None}, "it has no working folder"),
    ({"cwd": "work"}, "is not an absolute path"),
    ({"cwd": "~/work"}, "is not an absolute path"),
    ({"cwd": "/nowhere/at/all"}, "is not there"),
    ({"cwd": "/etc/passwd"}, "is not a folder"),
]


@pytest.mark.parametrize(("members", "words"), TROUBLES)
def test_routines_that_could_not_run(
    home: Home, serving: Callable[[dict[str, Any]], None], members: dict[str, Any], words: str
) -> None:
    routines = [routine(home), routine(home, id="evening", **members)]
    serving(health() | {"/api/v1/actions": {"event": {"payload": {"routines": routines}}}})
    app = running.find(home)
    check = only(work.look_at_routines(home, app, Registry.load(home), FOUND, deep=False))
    assert check.state == "attention"
    assert check.text.startswith("evening: ")
    assert words in check.text


def test_routines_that_can_run(home: Home, serving: Callable[[dict[str, Any]], None]) -> None:
    serving(health() | {"/api/v1/actions": {"event": {"payload": {"routines": [routine(home)]}}}})
    check = only(work.look_at_routines(home, running.find(home), Registry.load(home), FOUND, deep=False))
    assert (check.state, check.facts["count"]) == ("fine", 1)


def test_routines_without_the_app_are_read_with_deep_alone(used: Home) -> None:
    leave_in_log(
        used,
        "INSERT INTO definitions (id, name, body, revision, digest, lifecycle, created_at, revised_at)"
        ' VALUES (\'morning\', \'m\', \'{"runtime":"shell","cwd":"/nowhere/at/all"}\', 1,'
        f" '{'ab' * 32}', 'active', 'x', 'x')",
    )
    registry = Registry.load(used)
    before = state_of_everything(used)
    assert only(work.look_at_routines(used, NOT_RUNNING, registry, FOUND, deep=False)).state == "unchecked"
    check = only(work.look_at_routines(used, NOT_RUNNING, registry, FOUND, deep=True))
    assert (check.state, check.text) == ("attention", "morning: its working folder /nowhere/at/all is not there.")
    assert state_of_everything(used) == before


def test_without_a_database_there_are_no_routines(home: Home) -> None:
    assert list(work.look_at_routines(home, NOT_RUNNING, Registry.load(home), FOUND, deep=True)) == []
