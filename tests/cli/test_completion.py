"""The completion scripts in their own shells: commands, options, choices, and names that only the app knows."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from coven_desktop.cli.arguments import COMMANDS
from tests.cli.covenctl import COMMAND, covenctl, environment
from tests.cli.stand_in import HUNG_UP, StandIn
from tests.cli.test_moving import entry
from tests.cli.test_reading import HELD, QUARANTINED, ROUTINE

ROUTINES = {
    "daily-notes": "ACTIVE",
    "daily-mail": "PAUSED",
    "weekly": "ACTIVE",
}


@pytest.fixture
def known(app: StandIn) -> StandIn:
    """A stand-in with routines, one of them with a run that is held."""
    app.routines(*[entry(name, definition={**ROUTINE, "id": name, "status": of}) for name, of in ROUTINES.items()])
    app.state(HELD, {**HELD, "automationId": "weekly", "runId": "run-2", "phase": "live"}, quarantined=[QUARANTINED])
    return app


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for PATH in which covenctl is the one under test."""
    folder = tmp_path_factory.mktemp("bin")
    (folder / "covenctl").write_text(f'#!/bin/sh\nexec {shlex.join(COMMAND)} "$@"\n')
    (folder / "covenctl").chmod(0o755)
    for shell in ("bash", "zsh", "fish"):
        printed = covenctl("completion", shell)
        assert (printed.code, printed.err) == (0, "")
        (folder / f"script.{shell}").write_text(printed.out)
    return folder


def run(program: Path, command: Sequence[str], home: Path, env: Mapping[str, str]) -> str:
    path = f"{program}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        command,
        env={**environment(home, PATH=path, HOME=str(home)), **env},
        capture_output=True,
        text=True,
        timeout=50,
        check=False,
        cwd=program,
    )
    assert done.stderr == ""
    return done.stdout


def bash(program: Path, home: Path, *words: str, cursor: int | None = None) -> list[str]:
    """What bash offers for the last of the words."""
    script = (
        f"source {program}/script.bash; COMP_WORDS=(covenctl {shlex.join(words)}); "
        f"COMP_CWORD={len(words) if cursor is None else cursor}; _covenctl; printf '%s\\n' \"${{COMPREPLY[@]}}\""
    )
    return [
        word for word in run(program, ["bash", "--norc", "--noprofile", "-c", script], home, {}).split("\n") if word
    ]


def fish(program: Path, home: Path, line: str) -> list[str]:
    """What fish offers at the end of the line."""
    script = f"source {program}/script.fish; complete -C {shlex.quote(line)}"
    shown = run(program, ["fish", "--no-config", "-c", script], home, {})
    return [line.partition("\t")[0] for line in shown.splitlines()]


def zsh(program: Path, home: Path, line: str) -> list[str]:
    """What zsh offers at the end of the line: a shell on a terminal of its own, which lists and never inserts."""
    script = r"""
    zmodload zsh/zpty
    zpty inner zsh -f -i
    ask() { zpty -w inner "$1"; }
    ask "PS1= PROMPT_SP= PROMPT_CR=; unset zle_bracketed_paste; stty columns 200 -echo"
    ask "autoload -Uz compinit; compinit -D -u; source script.zsh; print -r -- SOURCED=\$?"
    zpty -r -m inner out '*SOURCED=0*'
    # Every candidate is told as it is added, and none is offered. Typing is echoed, hence the quotes within words.
    ask 'compadd() { local -a found; builtin compadd -O found "$@"; print -rl -- "<"${^found}">"; (( $#found )) }'
    ask 'list() { _main_complete; print -r -- LIS""TED }; zle -C list list-choices list'
    ask 'bindkey "^T" list; print -r -- BO""UND'
    zpty -r -m inner out '*BOUND*'
    zpty -w -n inner "$LINE"$'\x14'
    zpty -r -m inner out '*LISTED*'
    print -r -- "$out"
    """
    shown = run(program, ["zsh", "-f", "-c", script], home, {"LINE": line})
    return list(dict.fromkeys(re.findall("<([^<>]+)>", shown)))


def needs(shell: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(shutil.which(shell) is None, reason=f"{shell} is not installed; packaging/test does it")


CASES = [
    (["pa"], ["pause"]),
    (["show", ""], ["daily-notes", "daily-mail", "weekly"]),
    (["show", "daily-"], ["daily-notes", "daily-mail"]),
    (["pause", ""], ["daily-notes", "weekly"]),
    (["pause", "weekly", "daily"], ["daily-notes"]),
    (["resume", ""], ["daily-mail"]),
    (["release", ""], ["daily-notes"]),
    (["retry", ""], ["daily-notes", "run-1"]),
    (["cancel", ""], ["daily-notes", "run-1", "weekly", "run-2"]),
    (["completion", ""], ["bash", "zsh", "fish"]),
    (["edit", "daily-notes", "--retry-backoff", ""], ["none", "fixed", "exponential"]),
    (["create", "--timezone", "Europe/Pa"], ["Europe/Paris"]),
    (["events", "--routine", "we"], ["weekly"]),
    (["edit", "--retry-a"], ["--retry-attempts"]),
]


@pytest.mark.parametrize(("words", "expected"), CASES, ids=lambda value: " ".join(value))
def test_bash(home: Path, known: StandIn, program: Path, words: list[str], expected: list[str]) -> None:
    assert bash(program, home, *words) == expected


@needs("fish")
@pytest.mark.parametrize(("words", "expected"), CASES, ids=lambda value: " ".join(value))
def test_fish(home: Path, known: StandIn, program: Path, words: list[str], expected: list[str]) -> None:
    assert sorted(fish(program, home, shlex.join(["covenctl", *words]).removesuffix("''"))) == sorted(expected)


@needs("zsh")
@pytest.mark.parametrize(("words", "expected"), CASES, ids=lambda value: " ".join(value))
def test_zsh(home: Path, known: StandIn, program: Path, words: list[str], expected: list[str]) -> None:
    assert sorted(zsh(program, home, shlex.join(["covenctl", *words]).removesuffix("''"))) == sorted(expected)


def test_bash_knows_every_command_and_every_option(home: Path, program: Path) -> None:
    assert bash(program, home, "") == list(COMMANDS)
    for command in ("create", "events"):
        options = [word for word in covenctl(command, "--help").out.replace("[", " ").split() if word.startswith("--")]
        offered = bash(program, home, command, "--")
        assert offered
        assert set(offered) <= {option.strip("],|") for option in options}
        assert {"--home", "--json", "--help"} <= set(offered)


def test_bash_with_the_pieces_that_readline_makes(home: Path, known: StandIn, program: Path, tmp_path: Path) -> None:
    assert bash(program, home, "edit", "x", "--status", "=", "p") == ["paused"]
    assert bash(program, home, "edit", "x", "--status", "=") == ["active", "paused"]
    nobody = str(tmp_path / "nobody")
    assert bash(program, home, "--home", nobody, "show", "") == []
    assert bash(program, home, "--home", "=", nobody, "show", "") == []
    assert bash(program, home, "show", "--home", nobody, "") == []
    assert bash(program, tmp_path / "none", "--home", str(home), "show", "we") == ["weekly"]
    assert bash(program, home, "show", "daily-notes", "") == []
    (tmp_path / "folder").mkdir()
    (tmp_path / "a file").touch()
    assert bash(program, home, "export", "-o", f"{tmp_path}/a") == [f"{tmp_path}/a file"]
    assert bash(program, home, "--home", f"{tmp_path}/f") == [f"{tmp_path}/folder"]
    assert bash(program, home, "show", "x", "we", cursor=2) == []


def test_names_are_data(home: Path, app: StandIn, program: Path, tmp_path: Path) -> None:
    """What would be run, or be several words, is not offered; nothing of it is ever carried out."""
    evil = f"$(touch {tmp_path}/evil)"
    app.routines(entry("ok"), *[entry(name) for name in (evil, "two words", "`x`", "-dash", "tab\tbed", "a;b")])
    assert bash(program, home, "show", "") == ["ok"]
    app.payload("list", {"routines": [{**ROUTINE, "runtime": evil}, {**ROUTINE, "runtime": "claude"}]})
    assert bash(program, home, "create", "--runtime", "") == ["claude"]
    assert not (tmp_path / "evil").exists()


@pytest.mark.parametrize("words", [["list"], ["show", "ROUTINE"], ["logs", "ID"], ["x"], [], ["show", "NONSENSE"]])
def test_the_quick_call_is_silent_when_the_app_is_not_there(home: Path, words: list[str]) -> None:
    assert covenctl("__complete", *words, home=home) == (0, "", "")
    assert covenctl("__complete", *words[:2], "/nowhere") == (0, "", "")


def test_the_quick_call_is_silent_when_the_app_makes_no_sense(home: Path, app: StandIn) -> None:
    app.payload("list", {"routes": []})
    assert covenctl("__complete", "show", "ROUTINE", home=home) == (0, "", "")
    app.payload("list", {"routines": [{"id": 7}]})
    assert covenctl("__complete", "show", "ROUTINE", home=home) == (0, "", "")
    app.answers("list", HUNG_UP)
    assert covenctl("__complete", "show", "ROUTINE", home=home) == (0, "", "")


def test_the_quick_call_stands_in_no_help() -> None:
    assert "__complete" not in covenctl("--help").out
    assert covenctl("completion", "tcsh").code == 2
