"""The help teaches: each command says what it is for, with examples that covenctl itself understands."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from coven_desktop.cli import main
from coven_desktop.cli.arguments import COMMANDS, parse, tree
from tests.cli.covenctl import covenctl, on_a_terminal

_, PARSERS = tree(COMMANDS)
_SHELL = re.compile(r"\s(?:\|\|?|&&|>|<)\s.*")


def examples(command: str) -> list[str]:
    """The command lines that the help of a command shows, without what the shell makes of their output."""
    text = (PARSERS[command].epilog or "").replace("\\\n", " ")
    found = re.findall(r"^  (?:\S+ \| .*?\| |ssh \S+ )?(covenctl .*)$", text, re.MULTILINE)
    return [_SHELL.sub("", f"{line} ").strip() for line in found]


def test_every_command_has_its_place_and_its_options() -> None:
    assert list(PARSERS) == list(COMMANDS)
    assert set(main.COMMANDS) == set(COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_of_a_command(command: str) -> None:
    text = PARSERS[command].format_help()
    assert text.isascii()
    assert COMMANDS[command][0].split(". ")[0][:40] in " ".join(text.split())
    assert examples(command) or command == "completion"
    for line in text.splitlines():
        assert len(line) <= 98 or line.startswith("  "), line


@pytest.mark.parametrize("line", [line for command in COMMANDS for line in examples(command)])
def test_an_example_is_understood(line: str) -> None:
    words = shlex.split(line)
    assert words[0] == "covenctl"
    words = [word for word in words[1:] if word != "vectors/*.json"] + (["x"] if "vectors" in line else [])
    assert parse(words).command in line


def test_the_whole_help_lists_every_command(home: Path) -> None:
    told = covenctl("--help", home=home)
    assert (told.code, told.err) == (0, "")
    for command in COMMANDS:
        assert f"    {command}" in told.out
    assert "4 the app is not running" in " ".join(told.out.split())
    assert covenctl("pause", "--help", home=home).out.startswith("usage: covenctl pause ")


def test_the_help_on_a_terminal(home: Path) -> None:
    code, shown = on_a_terminal(home, ["edit", "--help"], "")
    assert code == 0
    assert "covenctl edit notes --rrule 'FREQ=DAILY;BYHOUR=8' --dry-run" in shown
