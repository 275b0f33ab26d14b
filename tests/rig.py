"""A real app in a home of its own, driven through its doors: the process, the socket, the files in the home.

For what only the whole can show: the demo, the torture, the benches and the tests of `app.py`. Nothing here waits for
a time to pass; `until` waits for a condition, with a deadline.
"""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, TypeVar

from coven_desktop.cli.client import STOP_TIMEOUT_MS, Client
from coven_desktop.cli.refusals import AppFault, NotRunning
from coven_desktop.clock import SystemClock
from coven_desktop.contract import timestamps
from coven_desktop.home import Home

HOUR_MS = 3_600_000

Found = TypeVar("Found")


def as_a_person() -> dict[str, str]:
    """This environment without what developers set: a person's Python keeps its compiled modules."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


class Overdue(AssertionError):
    """A condition did not come true in time."""


def until(what: str, condition: Callable[[], Found | None], seconds: float = 20.0, every: float = 0.01) -> Found:
    """The first true value of `condition`; Overdue when there is none in time."""
    deadline = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > deadline:
            raise Overdue(f"not within {seconds:g} s: {what}")
        time.sleep(every)


class App:
    """One process of the app, headless unless said otherwise. `stderr` is kept in a file beside the home.

    `wrapped` is a command that the interpreter is started under.
    """

    def __init__(
        self,
        home: Path,
        *,
        clock_start: int | None = None,
        options: Sequence[str] = ("--headless",),
        program: Sequence[str] = ("-m", "coven_desktop.app"),
        wrapped: Sequence[str] = (),
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self.home = Home(home)
        self.said = home.with_name(home.name + ".stderr")
        self.client = Client(self.home, SystemClock())
        command = [*wrapped, sys.executable, *program, "--home", str(home), *options]
        if clock_start is not None:
            command += ["--clock-start", timestamps.to_text(clock_start)]
        with self.said.open("ab") as stderr:
            self.process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=stderr,
                env={**as_a_person(), **(environment or {})},
            )

    def ready(self, seconds: float = 20.0) -> dict[str, Any]:
        """Wait until the socket answers; returns its health."""
        return until("the app answers", self._health, seconds)

    def _health(self) -> dict[str, Any] | None:
        if self.process.poll() is not None:
            raise Overdue(f"the app ended with {self.process.returncode}: {self.said.read_text()}")
        try:
            return dict(self.client.get("/api/v1/health"))
        except (NotRunning, AppFault):
            return None

    def get(self, path: str) -> Any:
        """What a GET answers."""
        return self.client.get(path)

    def act(self, action: str, /, **members: Any) -> dict[str, Any]:
        """The payload of a `coven.automations.` action. A cancellation may take its time until the stop is proven."""
        return self.client.act(action, timeout_ms=STOP_TIMEOUT_MS, **members)

    def kill(self) -> None:
        """SIGKILL, as a power cut for this one process."""
        self.process.kill()
        self.process.wait()

    def end(self, seconds: float = 5.0, by: signal.Signals = signal.SIGTERM) -> int:
        """Ask it to end; returns its exit code."""
        self.process.send_signal(by)
        return self.process.wait(seconds)

    def __enter__(self) -> App:
        return self

    def __exit__(self, *_: object) -> None:
        """After a failure nothing is left behind; sessions, which outlive an app by design, are ended too."""
        if self.process.poll() is None:
            self.kill()
            sessions = [folder.name for folder in self.home.sessions.glob("*")]
            for found in processes_of(self.home, *sessions):
                with suppress(ProcessLookupError):
                    os.kill(int(found.partition(":")[0]), signal.SIGKILL)


def routine(automation_id: str, prompt: str, cwd: Path, **members: Any) -> dict[str, Any]:
    """An active routine of /bin/sh, due at every full hour unless said otherwise."""
    return {
        "schemaVersion": 1,
        "id": automation_id,
        "name": automation_id,
        "status": "ACTIVE",
        "rrule": "FREQ=DAILY;BYHOUR=" + ",".join(str(hour) for hour in range(24)),
        "timezone": "utc",
        "misfire": "latest",
        "overlap": "forbid",
        "timeoutMinutes": 44_640,
        "runtime": "shell",
        "prompt": prompt,
        "cwd": str(cwd),
        **members,
    }


def rows(home: Home, sql: str, parameters: Sequence[str | int] = ()) -> list[dict[str, Any]]:
    """What the database says, read-only and past the app's own code."""
    with closing(sqlite3.connect(f"file:{home.database}?mode=ro", uri=True, timeout=10)) as connection:
        connection.row_factory = sqlite3.Row
        return [dict(row) for row in connection.execute(sql, tuple(parameters))]


def processes_of(home: Home, *sessions: str) -> list[str]:
    """Every living process that belongs to this home or to one of these sessions, as "pid: arguments".

    Known by its arguments or its environment, which children inherit: the home's path, or the session's id.
    """
    marks = [os.fsencode(home.root), *map(os.fsencode, sessions)]
    found = []
    for entry in os.scandir("/proc"):
        if not entry.name.isdigit() or int(entry.name) == os.getpid():
            continue
        folder = Path(entry.path)
        try:
            arguments = folder.joinpath("cmdline").read_bytes()
            all_of_it = arguments + folder.joinpath("environ").read_bytes()
            if any(mark in all_of_it for mark in marks):
                found.append(f"{entry.name}: {os.fsdecode(arguments.replace(bytes(1), b' ').strip())}")
        except (FileNotFoundError, ProcessLookupError, PermissionError):
            continue
    return found
