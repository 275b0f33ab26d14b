"""The entry point of covenctl: reads the arguments, runs one command, and answers with its exit code.

0 done, 1 refused, 2 usage, 3 a fault of the app (or output that cannot be written), 4 the app is not running. A reader
that went away gives 141 and Ctrl-C ends by its signal, both as for any other Unix command; a traceback is never shown.
"""

from __future__ import annotations

import importlib
import os
import signal
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from coven_desktop.cli.output import CannotPrint, Output, ReaderGone, drop_standard_output, standard_streams
from coven_desktop.cli.refusals import CODE_UNREACHABLE, DONE, FAULT, AppFault, CommandError
from coven_desktop.home import HomeError

if TYPE_CHECKING:
    from coven_desktop.cli.arguments import Arguments

_READER_GONE = 128 + signal.SIGPIPE

COMPLETE = "__complete"
"""What the completion scripts ask; it stands in no help."""

Command = Callable[["Arguments", Output], int]

# Where each command lives. Only the one that is asked for is imported.
COMMANDS = {
    "status": "coven_desktop.cli.reading:status",
    "list": "coven_desktop.cli.reading:list_routines",
    "next": "coven_desktop.cli.upcoming:upcoming",
    "show": "coven_desktop.cli.reading:show",
    "runs": "coven_desktop.cli.reading:runs",
    "history": "coven_desktop.cli.paging:history",
    "occurrences": "coven_desktop.cli.paging:occurrences",
    "receipt": "coven_desktop.cli.receipts:receipt",
    "events": "coven_desktop.cli.feed:events",
    "run": "coven_desktop.cli.running:run",
    "cancel": "coven_desktop.cli.cancelling:cancel",
    "retry": "coven_desktop.cli.deciding:retry",
    "recover": "coven_desktop.cli.deciding:recover",
    "release": "coven_desktop.cli.deciding:release",
    "logs": "coven_desktop.cli.logs:logs",
    "preview": "coven_desktop.cli.previewing:preview",
    "explain": "coven_desktop.cli.wording:explain",
    "create": "coven_desktop.cli.creating:create",
    "edit": "coven_desktop.cli.editing:edit",
    "enable": "coven_desktop.cli.enabling:enable",
    "settings": "coven_desktop.cli.settings:settings",
    "runtimes": "coven_desktop.cli.runtimes:runtimes",
    "pause": "coven_desktop.cli.moving:pause",
    "resume": "coven_desktop.cli.moving:resume",
    "disable": "coven_desktop.cli.moving:disable",
    "delete": "coven_desktop.cli.moving:delete",
    "import": "coven_desktop.cli.importing:import_routines",
    "export": "coven_desktop.cli.exporting:export",
    "completion": "coven_desktop.cli.completion:completion",
    "doctor": "coven_desktop.cli.checkup:doctor",
    "conformance": "coven_desktop.cli.checkup:conformance",
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command of `argv` (default: the process's own arguments) and return the exit code. Never raises."""
    standard_streams()
    try:
        code = _run(sys.argv[1:] if argv is None else argv)
        sys.stdout.flush()
        return code
    except (ReaderGone, BrokenPipeError):
        drop_standard_output()
        return _READER_GONE
    except CannotPrint as error:
        return _cannot_print(str(error))
    except OSError as error:
        return _cannot_print(error.strerror or type(error).__name__)


def _run(argv: Sequence[str]) -> int:
    if argv[:1] == [COMPLETE]:
        from coven_desktop.cli.candidates import complete

        return complete(argv[1:], Output(sys.stdout, sys.stderr, json_wanted=False, no_color=""))
    from coven_desktop.cli.arguments import parse

    try:
        arguments = parse(argv)
    except SystemExit as asked:  # --help, --version, or a usage error that argparse has already explained
        return asked.code if isinstance(asked.code, int) else DONE
    output = Output(sys.stdout, sys.stderr, json_wanted=arguments.json, no_color=os.environ.get("NO_COLOR", ""))
    try:
        return _command(arguments.command)(arguments, output)
    except CommandError as error:
        return _explain(error, output)
    except HomeError as error:
        return _explain(AppFault(CODE_UNREACHABLE, str(error)), output)
    except (ReaderGone, CannotPrint):
        raise
    except Exception as error:  # noqa: BLE001 - the last line: a bug of ours is told in a sentence, never as a traceback
        output.note(f"covenctl: a fault in covenctl itself, please report it: {type(error).__name__}: {error}")
        return FAULT


def _command(name: str) -> Command:
    module, _, function = COMMANDS[name].partition(":")
    command: Command = getattr(importlib.import_module(module), function)
    return command


def _explain(error: CommandError, output: Output) -> int:
    from coven_desktop.cli.explaining import explain  # only what goes wrong pays for it

    return explain(error, output)


def _cannot_print(reason: str) -> int:
    drop_standard_output()
    try:
        sys.stderr.write(f"covenctl: the output cannot be written: {reason}\n")
        sys.stderr.flush()
    except OSError:
        pass  # nowhere left to say it
    return FAULT
