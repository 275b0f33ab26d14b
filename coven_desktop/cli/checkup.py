"""`covenctl doctor`: hands over to the doctor, a program of its own that looks at the machine; no app is needed."""

from __future__ import annotations

import os
import sys

from coven_desktop.cli.arguments import Arguments
from coven_desktop.cli.output import Output
from coven_desktop.cli.refusals import CODE_UNREACHABLE, AppFault
from coven_desktop.home import locate


def doctor(arguments: Arguments, output: Output) -> int:
    """Become `python -m coven_desktop.doctor` on the same home; its exit code is ours. Raises AppFault
    when it cannot be started; otherwise this never returns.
    """
    output.flush()
    # -P: what lies in the folder covenctl was called from is not ours to import.
    home = locate(arguments.home, os.environ).root
    command = [sys.executable, "-P", "-m", "coven_desktop.doctor", "--home", str(home)]
    if output.json_wanted:
        command.append("--json")
    try:
        os.execv(sys.executable, command)
    except OSError as error:
        raise AppFault(CODE_UNREACHABLE, f"The doctor cannot be started: {error.strerror}.") from error
