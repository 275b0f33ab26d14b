"""What can be asked of covenctl: its commands, their options, and the help that explains them.

What argparse refuses is a usage error (exit 2). Values that have a rule of their own, as those of `preview`, are
taken as text here and refused by the command in the contract's words.
"""

from __future__ import annotations

import argparse
import importlib
import os
from collections.abc import Callable, Collection, Sequence

from coven_desktop import __version__
from coven_desktop.cli.options.values import folder


class Arguments(argparse.Namespace):
    """The parsed arguments; which of the members below are set depends on `command`."""

    command: str
    home: str | None
    json: bool
    # what is meant
    id: str
    ids: list[str]
    files: list[str]
    shell: str
    # looking
    limit: int | None
    all: bool
    cursor: str | None
    view: str | None
    routine: str | None
    run: str | None
    occurrence: str | None
    after: int | None
    start: str | None
    follow: bool
    count: str
    deep: bool
    # a schedule that is only asked about; `until` stands below
    rule: str | None
    cron: str | None
    cadence: str | None
    anchor: str | None
    minutes: str | None
    max_runs: str | None
    catch_up: str | None
    before: str | None
    # acting
    note: str | None
    wait: bool
    paused_too: bool
    until: str | None
    reason: str | None
    failed: bool
    retry: bool
    statement: str | None
    yes: bool
    dry_run: bool
    output: str | None
    # the members of a definition
    file: str | None
    key: str | None
    expected_revision: int | None
    flat: bool
    name: str | None
    rrule: str | None
    timezone: str | None
    runtime: str | None
    prompt: str | None
    prompt_file: str | None
    cwd: str | None
    timeout: int | None
    model: str | None
    familiar: str | None
    tags: list[str] | None
    status: str | None
    retry_attempts: int | None
    retry_backoff: str | None
    retry_seconds: int | None
    retry_on: list[str] | None
    no_retry: bool
    # what stands beside it
    env: list[str] | None
    unset_env: list[str] | None
    secrets: list[str] | None
    unset_secrets: list[str] | None


_OPTIONS = "coven_desktop.cli.options."

# Each command: what it is for, and where its options are.
COMMANDS = {
    "status": ("Whether the app is up, what its scheduler did last, and what waits.", "looking:status"),
    "list": ("All routines with their schedule in words and when they are next.", "looking:list_routines"),
    "next": ("The next firings of all routines together.", "looking:upcoming"),
    "show": ("One routine: its schedule, what is next, its last runs.", "looking:show"),
    "runs": ("The runs of a routine, newest first.", "looking:runs"),
    "history": ("All runs of a routine, newest first, page by page.", "looking:history"),
    "occurrences": ("What was due of a routine and what became of it, or what is open now.", "looking:occurrences"),
    "logs": ("What a run printed.", "looking:logs"),
    "receipt": ("What is kept as proof of how a run ended.", "looking:receipt"),
    "events": ("What happened, and with --follow what happens.", "looking:events"),
    "preview": ("The next firings of a schedule of any family. Needs no app.", "looking:preview"),
    "explain": ("A schedule in words, or what to write instead. Needs no app.", "looking:explain"),
    "run": ("Run a routine now. Returns once that is accepted.", "acting:run"),
    "cancel": ("Stop a run, or give up one that is held or waits. Says whether a stop is proven.", "acting:cancel"),
    "retry": ("Try a held run again, within its deadline.", "acting:retry"),
    "recover": ("Decide about a run that ended without evidence: it failed, or try it again.", "acting:recover"),
    "release": ("Release a routine from quarantine. Says what is due next.", "acting:release"),
    "create": ("Make a routine, from options or a JSON file.", "authoring:create"),
    "edit": ("Change a routine, by options, a JSON file or in your editor. Says what changed.", "authoring:edit"),
    "enable": ("Take a disabled routine back. It is paused then.", "authoring:enable"),
    "settings": ("Environment variables and secrets of a routine, and changes of them.", "authoring:settings"),
    "runtimes": ("What a routine can name as its runtime, and where its command lies.", "looking:runtimes"),
    "pause": ("Keep routines from running by their schedule until they are resumed.", "moving:pause"),
    "resume": ("Let paused routines run by their schedule again.", "moving:resume"),
    "disable": ("End the schedule of routines for good and keep everything of them.", "moving:disable"),
    "delete": ("Delete routines; their history stays readable.", "moving:delete"),
    "import": (
        "Take over a crontab, the automations of Codex, or what covenctl export wrote.",
        "carrying:import_routines",
    ),
    "export": ("All routines, or some, as one JSON document.", "carrying:export"),
    "completion": ("Print what teaches a shell to complete covenctl.", "carrying:completion"),
    "doctor": ("Check home, database, runtimes and zone data. Needs no app.", "carrying:doctor"),
    "conformance": (
        "Compute the cases of vector files. Exit 0 only if all passed; needs no app.",
        "carrying:conformance",
    ),
}


def parse(argv: Sequence[str]) -> Arguments:
    """Read the arguments. Raises SystemExit with 2 after explaining a usage error, with 0 after help or version."""
    command = _command_in(argv)
    parser, _ = tree(argv) if command is None else tree((command,), others=False)
    arguments, rest = parser.parse_known_args(argv, namespace=Arguments())
    if arguments.command == "import" and all(name == "-" or not name.startswith("-") for name in rest):
        # argparse fills `import crontab --dry-run FILE` only up to the option
        arguments.files += rest
    elif rest:
        parser.error(f"unrecognized arguments: {' '.join(rest)}")
    return arguments


def _command_in(argv: Sequence[str]) -> str | None:
    """The command, when it stands where it should; None when the help or a refusal has to name them all."""
    rest = iter(argv)
    for argument in rest:
        if argument == "--home":
            next(rest, None)
        elif not argument.startswith("-"):
            return argument if argument in COMMANDS else None
    return None


def tree(
    wanted: Collection[str], *, others: bool = True
) -> tuple[argparse.ArgumentParser, dict[str, argparse.ArgumentParser]]:
    """The parser and that of each command. Only the `wanted` ones have their options: loading the others costs time.

    Without `others` the other commands are not known at all, which saves as much again.
    """
    parser = argparse.ArgumentParser(
        prog="covenctl",
        description="Ask and steer Coven Desktop from the command line.",
        epilog="covenctl COMMAND --help tells more, with examples.\n\n"
        "Exit codes: 0 done, 1 refused, 2 usage, 3 a fault of the app, 4 the app is not running.",
        allow_abbrev=False,
        formatter_class=_Help,
    )
    parser.add_argument("--version", action="version", version=f"covenctl {__version__}")
    _common(parser, None, False)
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    found = {}
    for name, (text, options) in COMMANDS.items():
        if name not in wanted and not others:
            continue
        command = commands.add_parser(name, help=text, description=text, allow_abbrev=False, formatter_class=_Help)
        found[name] = command
        if name in wanted:
            command.epilog = _options(options)(command)
            # Accepted after the command as well; absent there, the value given before it stands.
            _common(command, argparse.SUPPRESS, argparse.SUPPRESS)
    return parser, found


def _options(place: str) -> Callable[[argparse.ArgumentParser], str]:
    module, _, function = place.partition(":")
    found: Callable[[argparse.ArgumentParser], str] = getattr(importlib.import_module(_OPTIONS + module), function)
    return found


def _common(parser: argparse.ArgumentParser, home: str | None, json: str | bool) -> None:
    parser.add_argument("--home", default=home, type=folder, metavar="DIR", help="the app's home (COVEN_DESKTOP_HOME)")
    parser.add_argument("--json", default=json, action="store_true", help="one JSON value for programs")


class _Help(argparse.HelpFormatter):
    """The usual help, with lines that begin with blanks as they stand: examples.

    Its width is asked for here because argparse would load shutil for it, help wanted or not.
    """

    def __init__(self, prog: str) -> None:
        try:
            columns = os.get_terminal_size().columns
        except OSError:
            columns = 80
        super().__init__(prog, width=max(40, min(columns, 100) - 2))

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        lines: list[str] = []
        paragraph: list[str] = []
        for line in (*text.split("\n"), ""):
            if line and not line.startswith(" "):
                paragraph.append(line)
                continue
            if paragraph:
                lines.append(super()._fill_text(" ".join(paragraph), width, indent))
                paragraph.clear()
            lines.append(line)
        return "\n".join(lines).rstrip()
