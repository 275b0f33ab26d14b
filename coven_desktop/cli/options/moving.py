"""The options of the commands that move routines from one state to another: pause, resume, disable, delete."""

from __future__ import annotations

import argparse

from coven_desktop.cli.options.values import identities, name

_EACH = "Exit 0: done for each of them, or it was so before. Exit 1: one or more were refused; the others are done."


def pause(command: argparse.ArgumentParser) -> str:
    """ROUTINE..., or everything until a time."""
    identities(command, "routine ids; what runs goes on, and nothing new is due", least="*")
    _all(command, "pause everything: no routine is changed, and nothing starts by itself until it is resumed")
    command.add_argument("--until", metavar="WHEN", type=name, help="with --all: when it ends by itself, such as 18:00")
    return (
        f"{_EACH}\n\n"
        "WHEN is a time here (18:00, 2026-12-24 18:00), a span from now (30min, 2h, 1d), or an instant\n"
        "(2026-12-24T17:00:00Z).\n\n"
        "Examples:\n"
        "  covenctl pause daily-notes triage\n"
        "  covenctl pause --all --until 18:00"
    )


def resume(command: argparse.ArgumentParser) -> str:
    """ROUTINE..., or everything."""
    identities(command, "routine ids; what was due meanwhile is not caught up", least="*")
    _all(command, "end covenctl pause --all: of what came due meanwhile the newest slot of each routine runs")
    return f"{_EACH}\n\nExamples:\n  covenctl resume daily-notes triage\n  covenctl resume --all"


def disable(command: argparse.ArgumentParser) -> str:
    """ROUTINE..., and whether to ask."""
    identities(command, "routine ids")
    _yes(command)
    return (
        "A disabled routine keeps its definition and its history, and cannot be run, changed or resumed before\n"
        "covenctl enable takes it back. Only the versioned API disables; from then on it manages the routine. To stop\n"
        "it for a while: covenctl pause.\n"
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


def _all(command: argparse.ArgumentParser, text: str) -> None:
    command.add_argument("--all", action="store_true", help=text)


def _yes(command: argparse.ArgumentParser) -> None:
    command.add_argument("--yes", "-y", action="store_true", help="do not ask")
