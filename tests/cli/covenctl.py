"""Runs covenctl as its users do: a process of its own, with its exit code and what it printed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
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


def covenctl(*arguments: str, home: Path | None = None, env: Mapping[str, str] | None = None) -> Result:
    """Call covenctl and wait for its end. Fails when a traceback was shown, whatever the test is about."""
    done = subprocess.run(
        [*COMMAND, *arguments],
        env=environment(home, **(env or {})),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=50,
        check=False,
    )
    assert "Traceback" not in done.stderr, done.stderr
    return Result(done.returncode, done.stdout, done.stderr)
