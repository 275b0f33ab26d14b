"""What can be asked of covenctl: its commands, their options, and the help that explains them.

What argparse refuses is a usage error (exit 2). Values that have a rule of their own, as those of `preview`, are
taken as text here and refused by the command in the contract's words.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence

from coven_desktop import __version__

RUNS_DEFAULT = 20
RUNS_LIMIT = 100


class _Help(argparse.HelpFormatter):
    """The usual help; its width is asked for here because argparse would load shutil for it, help wanted or not."""

    def __init__(self, prog: str) -> None:
        try:
            columns = os.get_terminal_size().columns
        except OSError:
            columns = 80
        super().__init__(prog, width=max(40, min(columns, 100) - 2))


class Arguments(argparse.Namespace):
    """The parsed arguments; which of the members below are set depends on `command`."""

    command: str
    home: str | None
    json: bool
    id: str
    limit: int
    note: str | None
    wait: bool
    paused_too: bool
    reason: str | None
    follow: bool
    rrule: str
    timezone: str
    start: str | None
    count: str


def parse(argv: Sequence[str]) -> Arguments:
    """Read the arguments. Raises SystemExit with 2 after explaining a usage error, with 0 after help or version."""
    return _parser().parse_args(argv, namespace=Arguments())


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="covenctl",
        description="Ask and steer Coven Desktop from the command line.",
        epilog="Exit codes: 0 done, 1 refused, 2 usage, 3 a fault of the app, 4 the app is not running.",
        allow_abbrev=False,
        formatter_class=_Help,
    )
    parser.add_argument("--version", action="version", version=f"covenctl {__version__}")
    _common(parser, None, False)
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)

    def command(name: str, text: str) -> argparse.ArgumentParser:
        added = commands.add_parser(name, help=text, description=text, allow_abbrev=False, formatter_class=_Help)
        # Accepted after the command as well; absent there, the value given before it stands.
        _common(added, argparse.SUPPRESS, argparse.SUPPRESS)
        return added

    command("status", "Whether the app is up, what its scheduler did last, and what waits.")
    command("list", "All routines with their schedule in words and when they are next.")
    _id(command("show", "One routine: its schedule, what is next, its last runs."), "ROUTINE", "a routine id")

    runs = command("runs", "The runs of a routine, newest first.")
    _id(runs, "ROUTINE", "a routine id")
    runs.add_argument("--limit", type=_limit, default=RUNS_DEFAULT, metavar="N", help="how many, 1 to 100 (20)")

    run = command("run", "Run a routine now. Returns once that is accepted.")
    _id(run, "ROUTINE", "a routine id")
    run.add_argument("--note", metavar="TEXT", help="why, up to 500 characters; kept with the occurrence")
    run.add_argument("--wait", action="store_true", help="wait for the end; exit 0 only if it succeeded")
    run.add_argument("--paused-too", action="store_true", help="do not ask when the routine is paused")

    cancel = command("cancel", "Stop a run. Says whether the stop is proven.")
    _id(cancel, "ID", "a run, an occurrence, or a routine with exactly one live run")
    cancel.add_argument("--reason", metavar="TEXT", help="why, up to 500 characters")

    logs = command("logs", "What a run printed.")
    _id(logs, "ID", "a run, an occurrence, or a routine with exactly one live run")
    logs.add_argument("--follow", "-f", action="store_true", help="go on until the run has ended")

    preview = command("preview", "The next firings of a rule. Needs no app.")
    preview.add_argument("--rrule", required=True, metavar="RULE", help='such as "FREQ=WEEKLY;BYDAY=MO;BYHOUR=9"')
    preview.add_argument(
        "--timezone", default="local", metavar="ZONE", help="utc, an IANA name, or local: this machine's (local)"
    )
    preview.add_argument(
        "--from", dest="start", metavar="TIME", help="RFC 3339, as 2026-03-28T12:00:00Z; firings come after it (now)"
    )
    preview.add_argument("--count", default="10", metavar="N", help="how many, 1 to 1000 (10)")

    command("doctor", "Check home, database, runtimes and zone data. Needs no app.")
    return parser


def _common(parser: argparse.ArgumentParser, home: str | None, json: str | bool) -> None:
    parser.add_argument("--home", default=home, type=_folder, metavar="DIR", help="the app's home (COVEN_DESKTOP_HOME)")
    parser.add_argument("--json", default=json, action="store_true", help="one JSON value for programs")


def _id(parser: argparse.ArgumentParser, name: str, text: str) -> None:
    parser.add_argument("id", metavar=name, type=_name, help=text)


def _folder(text: str) -> str:
    if not text:
        raise argparse.ArgumentTypeError("needs a folder")
    return text


def _name(text: str) -> str:
    if not text.strip():
        raise argparse.ArgumentTypeError("needs a name")
    return text


def _limit(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 1 <= len(text) <= 3 and 1 <= int(text) <= RUNS_LIMIT):
        raise argparse.ArgumentTypeError(f"needs a number from 1 to {RUNS_LIMIT}, not {text!r}")
    return int(text)
