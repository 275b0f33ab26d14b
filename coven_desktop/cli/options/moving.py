"""The options of the commands that move routines from one state to another: pause, resume, disable, delete."""

from __future__ import annotations

import argparse

from coven_desktop.cli.options.values import identities

_EACH = "Exit 0: done for each of them, or it was so before. Exit 1: one or more were refused; the others are done."


def pause(command: argparse.ArgumentParser) -> str:
    """ROUTINE..."""
    identities(command, "routine ids; what runs goes on, and nothing new is due")
    return f"{_EACH}\n\nExample:\n  covenctl pause daily-notes triage"


def resume(command: argparse.ArgumentParser) -> str:
    """ROUTINE..."""
    identities(command, "routine ids; what was due meanwhile is not caught up")
    return f"{_EACH}\n\nExample:\n  covenctl resume daily-notes triage"


def disable(command: argparse.ArgumentParser) -> str:
    """ROUTINE..., and whether to ask."""
    identities(command, "routine ids")
    _yes(command)
    return (
        "A disabled routine keeps its definition and its history, and cannot be run, changed or resumed. Only the\n"
        "versioned API disables; from then on it manages the routine. To stop it for a while: covenctl pause.\n"
        f"{_EACH}\n\n"
        "Example:\n"
        "  covenctl disable old-notes"
    )


def delete(command: argparse.ArgumentParser) -> str:
    """ROUTINE..., and whether to ask."""
    identities(command, "routine ids; what runs goes on, and their history stays readable")
    _yes(command)
    return (
        "There is no undo; covenctl export ROUTINE -o FILE keeps what it was.\n"
        f"{_EACH}\n\n"
        "Example:\n"
        "  covenctl delete old-notes older-notes --yes"
    )


def _yes(command: argparse.ArgumentParser) -> None:
    command.add_argument("--yes", "-y", action="store_true", help="do not ask")
