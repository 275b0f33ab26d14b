"""What an argument must be to be taken: everything else is a usage error (exit 2), told in argparse's words."""

from __future__ import annotations

import argparse
from collections.abc import Callable


def folder(text: str) -> str:
    """A folder that is named at all."""
    if not text:
        raise argparse.ArgumentTypeError("needs a folder")
    return text


def name(text: str) -> str:
    """A name of something that is not blank."""
    if not text.strip():
        raise argparse.ArgumentTypeError("needs a name")
    return text


def number(least: int, most: int) -> Callable[[str], int]:
    """A whole number within bounds, both included."""

    def read(text: str) -> int:
        if not (text.isascii() and text.isdigit() and len(text) <= 16 and least <= int(text) <= most):
            raise argparse.ArgumentTypeError(f"needs a number from {least} to {most}, not {text!r}")
        return int(text)

    return read


def identity(command: argparse.ArgumentParser, metavar: str, text: str) -> None:
    """The one thing a command is about."""
    command.add_argument("id", metavar=metavar, type=name, help=text)


def identities(command: argparse.ArgumentParser, text: str, *, least: str = "+") -> None:
    """The routines a command is about."""
    command.add_argument("ids", nargs=least, metavar="ROUTINE", type=name, help=text)
