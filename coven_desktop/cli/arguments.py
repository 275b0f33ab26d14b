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

_RUN_MEANT = "a run, an occurrence, or a routine with exactly one live run"
_PRINTED_MEANT = "a run, an occurrence, or a routine: its only live run, or with none its newest"
_HELD_MEANT = "a run, an occurrence, or a routine whose run is held"
_UNDECIDED_MEANT = "an occurrence, a run, or a routine whose run ended without evidence"


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
    failed: bool
    retry: bool
    statement: str | None
    follow: bool
    rrule: str
    timezone: str
    start: str | None
    count: str
    deep: bool
    files: list[str]


def parse(argv: Sequence[str]) -> Arguments:
    """Read the arguments. Raises SystemExit with 2 after explaining a usage error, with 0 after help or version."""
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
    for name, (text, options) in _COMMANDS.items():
        command = commands.add_parser(name, help=text, description=text, allow_abbrev=False, formatter_class=_Help)
        if name in argv:  # the others are there for the help and for the names; their options cost time
            # Accepted after the command as well; absent there, the value given before it stands.
            _common(command, argparse.SUPPRESS, argparse.SUPPRESS)
            options(command)
    return parser.parse_args(argv, namespace=Arguments())


def _no_options(command: argparse.ArgumentParser) -> None:
    """For commands that take nothing but what all take."""


def _show(command: argparse.ArgumentParser) -> None:
    _id(command, "ROUTINE", "a routine id")


def _runs(command: argparse.ArgumentParser) -> None:
    _id(command, "ROUTINE", "a routine id")
    command.add_argument("--limit", type=_limit, default=RUNS_DEFAULT, metavar="N", help="how many, 1 to 100 (20)")


def _run(command: argparse.ArgumentParser) -> None:
    _id(command, "ROUTINE", "a routine id")
    command.add_argument("--note", metavar="TEXT", help="why, up to 500 characters; kept with the occurrence")
    command.add_argument(
        "--wait", action="store_true", help="wait until it has ended or is held; exit 0 only if it succeeded"
    )
    command.add_argument("--paused-too", action="store_true", help="do not ask when the routine is paused")


def _cancel(command: argparse.ArgumentParser) -> None:
    _id(command, "ID", _RUN_MEANT)
    command.add_argument("--reason", metavar="TEXT", help="why, up to 500 characters")


def _retry(command: argparse.ArgumentParser) -> None:
    _id(command, "RUN", _HELD_MEANT)
    command.add_argument("--note", metavar="TEXT", help="why, up to 500 characters; kept with the attempt")


def _recover(command: argparse.ArgumentParser) -> None:
    _id(command, "OCCURRENCE", _UNDECIDED_MEANT)
    decision = command.add_mutually_exclusive_group(required=True)
    decision.add_argument("--failed", action="store_true", help="it failed: the run ends as failed")
    decision.add_argument("--retry", action="store_true", help="try it again as a new attempt, within its deadline")
    command.add_argument("--statement", metavar="TEXT", help="why you think so, up to 1000 characters; kept with it")


def _release(command: argparse.ArgumentParser) -> None:
    _id(command, "ROUTINE", "a routine id")


def _logs(command: argparse.ArgumentParser) -> None:
    _id(command, "ID", _PRINTED_MEANT)
    command.add_argument("--follow", "-f", action="store_true", help="go on until the run has ended")


def _preview(command: argparse.ArgumentParser) -> None:
    command.add_argument("--rrule", required=True, metavar="RULE", help='such as "FREQ=WEEKLY;BYDAY=MO;BYHOUR=9"')
    command.add_argument(
        "--timezone", default="local", metavar="ZONE", help="utc, an IANA name, or local: this machine's (local)"
    )
    command.add_argument(
        "--from", dest="start", metavar="TIME", help="RFC 3339, as 2026-03-28T12:00:00Z; firings come after it (now)"
    )
    command.add_argument("--count", default="10", metavar="N", help="how many, 1 to 1000 (10)")


def _doctor(command: argparse.ArgumentParser) -> None:
    command.add_argument("--deep", action="store_true", help="also read every page of the database")


def _conformance(command: argparse.ArgumentParser) -> None:
    command.add_argument("files", nargs="+", metavar="FILE", help="a vector file of the Coven contract")


_COMMANDS = {
    "status": ("Whether the app is up, what its scheduler did last, and what waits.", _no_options),
    "list": ("All routines with their schedule in words and when they are next.", _no_options),
    "show": ("One routine: its schedule, what is next, its last runs.", _show),
    "runs": ("The runs of a routine, newest first.", _runs),
    "run": ("Run a routine now. Returns once that is accepted.", _run),
    "cancel": ("Stop a run, or give up one that is held or waits. Says whether a stop is proven.", _cancel),
    "retry": ("Try a held run again, within its deadline.", _retry),
    "recover": ("Decide about a run that ended without evidence: it failed, or try it again.", _recover),
    "release": ("Release a routine from quarantine. Says what is due next.", _release),
    "logs": ("What a run printed.", _logs),
    "preview": ("The next firings of a rule. Needs no app.", _preview),
    "doctor": ("Check home, database, runtimes and zone data. Needs no app.", _doctor),
    "conformance": ("Compute the cases of vector files. Exit 0 only if all passed; needs no app.", _conformance),
}


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


class _Help(argparse.HelpFormatter):
    """The usual help; its width is asked for here because argparse would load shutil for it, help wanted or not."""

    def __init__(self, prog: str) -> None:
        try:
            columns = os.get_terminal_size().columns
        except OSError:
            columns = 80
        super().__init__(prog, width=max(40, min(columns, 100) - 2))
