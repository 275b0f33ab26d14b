"""Runs covenctl as its users do: a process of its own, with its exit code and what it printed."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

COMMAND = (sys.executable, "-m", "coven_desktop.cli")
ROOT = Path(__file__).parents[2]


class Result(NamedTuple):
    """How one call of covenctl ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one JSON value on stdout."""
        return json.loads(self.out)


def environment(home: Path | None = None, **more: str) -> dict[str, str]:
    """The environment of the tests, with a home and whatever else is named; no colours are forced or forbidden."""
    inherited = {
        name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "TZ", "COVEN_DESKTOP_HOME")
    }
    chosen = {} if home is None else {"COVEN_DESKTOP_HOME": str(home)}
    return {**inherited, "PYTHONPATH": str(ROOT), "TERM": "xterm", "TZ": "UTC", **chosen, **more}


def covenctl(
    *arguments: str,
    home: Path | None = None,
    env: Mapping[str, str] | None = None,
    typed: str = "",
    cwd: Path | None = None,
) -> Result:
    """Call covenctl and wait for its end. Fails when a traceback was shown, whatever the test is about."""
    done = subprocess.run(
        [*COMMAND, *arguments],
        env=environment(home, **(env or {})),
        input=typed,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=50,
        check=False,
        cwd=cwd,
    )
    assert "Traceback" not in done.stderr, done.stderr
    return Result(done.returncode, done.stdout, done.stderr)


def on_a_terminal(home: Path, arguments: Sequence[str], typed: str, **env: str) -> tuple[int, str]:
    """Run covenctl on a terminal of its own and type something; its exit code and what the terminal showed."""
    master, slave = pty.openpty()
    with subprocess.Popen(
        [*COMMAND, *arguments],
        env=environment(home, **env),
        stdin=slave,
        stdout=slave,
        stderr=slave,
        start_new_session=True,
    ) as process:
        os.close(slave)
        os.write(master, typed.encode(errors="surrogateescape"))
        shown = b""
        while True:
            try:
                piece = os.read(master, 65536)
            except OSError:  # the other end is closed
                break
            if not piece:
                break
            shown += piece
        code = process.wait(20)
    os.close(master)
    return code, shown.decode(errors="replace")
