"""The options of the commands that start, stop and decide about runs."""

from __future__ import annotations

import argparse

from coven_desktop.cli.options.values import identity

_ROUTINE = "a routine id, as covenctl list shows it"
_RUN_MEANT = "a run, an occurrence, or a routine with exactly one live run"
_HELD_MEANT = "a run, an occurrence, or a routine whose run is held"
_UNDECIDED_MEANT = "an occurrence, a run, or a routine whose run ended without evidence"


def run(command: argparse.ArgumentParser) -> str:
    """ROUTINE, why, and whether to wait."""
    identity(command, "ROUTINE", _ROUTINE)
    command.add_argument("--note", metavar="TEXT", help="why, up to 500 characters; kept with the occurrence")
    command.add_argument(
        "--wait", action="store_true", help="wait until it has ended or is held; exit 0 only if it succeeded"
    )
    command.add_argument("--paused-too", action="store_true", help="do not ask when the routine is paused")
    return (
        "Exit 0: it is accepted and started, with --wait: it succeeded. Exit 1: refused, or it ended otherwise.\n\n"
        "Examples:\n"
        "  covenctl run daily-notes\n"
        "  covenctl run backup --wait --note 'before the upgrade' && sudo apt upgrade"
    )


def cancel(command: argparse.ArgumentParser) -> str:
    """What is meant, and why."""
    identity(command, "ID", _RUN_MEANT)
    command.add_argument("--reason", metavar="TEXT", help="why, up to 500 characters")
    return (
        "Exit 0: cancelled, and it is proven that nothing of it is running, or it was so before. Exit 1: refused, or\n"
        "not to be proven.\n\n"
        "Examples:\n"
        "  covenctl cancel daily-notes\n"
        "  covenctl cancel daily-notes --reason 'wrong branch'"
    )


def retry(command: argparse.ArgumentParser) -> str:
    """What is meant, and why."""
    identity(command, "RUN", _HELD_MEANT)
    command.add_argument("--note", metavar="TEXT", help="why, up to 500 characters; kept with the attempt")
    return "Example:\n  covenctl retry daily-notes --note 'logged in again'"


def recover(command: argparse.ArgumentParser) -> str:
    """What is meant, the decision, and why."""
    identity(command, "OCCURRENCE", _UNDECIDED_MEANT)
    decision = command.add_mutually_exclusive_group(required=True)
    decision.add_argument("--failed", action="store_true", help="it failed: the run ends as failed")
    decision.add_argument("--retry", action="store_true", help="try it again as a new attempt, within its deadline")
    command.add_argument("--statement", metavar="TEXT", help="why you think so, up to 1000 characters; kept with it")
    return "Example:\n  covenctl recover daily-notes --failed --statement 'the laptop lost power; nothing was pushed'"


def release(command: argparse.ArgumentParser) -> str:
    """ROUTINE."""
    identity(command, "ROUTINE", _ROUTINE)
    return "Exit 0 also when it is not quarantined.\n\nExample:\n  covenctl release daily-notes"
