"""`covenctl doctor` and `covenctl conformance` hand over to programs of their own; no app is needed."""

from __future__ import annotations

import os
import sys
from typing import NoReturn

from coven_desktop.cli.arguments import Arguments
from coven_desktop.cli.output import Output
from coven_desktop.cli.refusals import CODE_UNREACHABLE, AppFault
from coven_desktop.home import locate


def doctor(arguments: Arguments, output: Output) -> NoReturn:
    """Become `python -m coven_desktop.doctor` on the same home. Raises AppFault when it cannot be started."""
    home = locate(arguments.home, os.environ).root
    options = [*(["--deep"] if arguments.deep else []), *(["--json"] if output.json_wanted else [])]
    _become(output, "doctor", "--home", str(home), *options)


def conformance(arguments: Arguments, output: Output) -> NoReturn:
    """Become `python -m coven_desktop.conformance` for the same files. Raises AppFault when it cannot be started."""
    _become(output, "conformance", "--", *arguments.files)


def _become(output: Output, module: str, *arguments: str) -> NoReturn:
    """Replace this process; the exit code is the other program's."""
    output.flush()
    # -P: what lies in the folder covenctl was called from is not ours to import.
    try:
        os.execv(sys.executable, [sys.executable, "-P", "-m", f"coven_desktop.{module}", *arguments])
    except OSError as error:
        raise AppFault(CODE_UNREACHABLE, f"The {module} cannot be started: {error.strerror}.") from error
