"""`covenctl completion`: what teaches a shell the commands, options and choices, read off the parser itself.

Names that only the app knows are asked for while somebody types (candidates.py).
"""

from __future__ import annotations

import argparse
import importlib
from collections.abc import Mapping, Sequence

from coven_desktop.cli.arguments import COMMANDS, Arguments, tree
from coven_desktop.cli.output import Output
from coven_desktop.cli.refusals import DONE

FILES = "FILE"
FOLDERS = "DIR"
ASKED = frozenset({"ROUTINE", "RUN", "OCCURRENCE", "ID", "ZONE", "RUNTIME"})
"""Metavars whose candidates `covenctl __complete` knows."""


class Value:
    """What stands in one place: one of `choices`, or what the metavar says. `many`: and again after it."""

    def __init__(self, action: argparse.Action) -> None:
        self.metavar = str(action.metavar or action.dest)
        self.choices = [str(choice) for choice in action.choices or ()]
        self.many = action.nargs in ("*", "+")


class Option:
    """An option by its names, long ones last; `value` is None when it takes none. `many`: it may be repeated."""

    def __init__(self, action: argparse.Action) -> None:
        self.names = sorted(action.option_strings, key=len)
        self.help = _plain(action.help)
        self.value = None if action.nargs == 0 else Value(action)
        self.many = isinstance(action, argparse._AppendAction)


class Command:
    """A command, or covenctl itself: its options and what stands in its places."""

    def __init__(self, help_text: str, parser: argparse.ArgumentParser) -> None:
        self.help = _plain(help_text)
        actions = [action for action in parser._actions if action.help != argparse.SUPPRESS]
        self.options = [Option(action) for action in actions if action.option_strings]
        self.places = [
            Value(action)
            for action in actions
            if not action.option_strings and not isinstance(action, argparse._SubParsersAction)
        ]


def completion(arguments: Arguments, output: Output) -> int:
    """Print the script for a shell."""
    parser, parsers = tree(COMMANDS)
    commands = {name: Command(COMMANDS[name][0], command) for name, command in parsers.items()}
    shell = importlib.import_module(f"coven_desktop.cli.shells.{arguments.shell}")
    lines: Sequence[str] = shell.script(Command("", parser), commands)
    output.raw("\n".join(lines) + "\n")
    return DONE


def of_all(whole: Command, commands: Mapping[str, Command]) -> Mapping[str, Command]:
    """covenctl itself, under no name, and its commands."""
    return {"": whole, **commands}


def _plain(text: str | None) -> str:
    """A help text as a shell may show it: ASCII on one line."""
    return " ".join((text or "").replace("%%", "%").encode("ascii", "replace").decode().split())
