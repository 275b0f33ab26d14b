"""What stands behind the settings window: runtimes.toml, the backups, and the doctor in a process of its own.

The window may know neither runtime nor store nor doctor; `app.py` hands this in as its doors.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from coven_desktop.desktop.autostart import own_command
from coven_desktop.home import Home, locate
from coven_desktop.runtime import probe, trial
from coven_desktop.runtime.registry import Registry
from coven_desktop.settings.writing import CannotWrite
from coven_desktop.store import backup
from coven_desktop.ui.doors import RuntimeChoice
from coven_desktop.ui.settings.doors import BackupChoice, Finding, NotDone, SettingsDoors

_DOCTOR_SECONDS = 60.0


def settings_doors(home: Home, runtimes: Callable[[], Sequence[RuntimeChoice]]) -> SettingsDoors:
    """The doors for one home."""
    return SettingsDoors(
        runtimes=runtimes,
        runtimes_faults=partial(_runtimes_faults, home),
        own_runtime=partial(_own_runtime, home),
        put_runtime=partial(_put_runtime, home),
        remove_runtime=partial(_remove_runtime, home),
        look_for_commands=partial(_look_for_commands, home),
        try_version=partial(trial.try_version, environ=os.environ),
        backups=partial(_backups, home),
        examine=partial(_examine, home),
        login_command=own_command(None if _is_usual(home) else str(home.root)),
    )


def _is_usual(home: Home) -> bool:
    """Whether a login would find this home without being told."""
    without = {name: value for name, value in os.environ.items() if name != "COVEN_DESKTOP_HOME"}
    return locate(None, without).root == home.root


def _runtimes_faults(home: Home) -> list[str]:
    return [problem.sentence for problem in Registry.load(home).problems if not problem.name]


def _own_runtime(home: Home, name: str) -> Mapping[str, Any]:
    from coven_desktop.runtime import runtimes_writing  # and with it tomlkit, which who only runs routines needs not

    return runtimes_writing.table_of(home.runtimes, name)


def _put_runtime(home: Home, before: str | None, name: str, table: Mapping[str, Any]) -> None:
    from coven_desktop.runtime import runtimes_writing

    try:
        runtimes_writing.put(home.runtimes, name, table, before=before)
    except runtimes_writing.WrongRuntime as wrong:
        raise NotDone(wrong.sentence, wrong.setting or "name") from wrong
    except CannotWrite as error:
        raise NotDone(str(error)) from error


def _remove_runtime(home: Home, name: str) -> None:
    from coven_desktop.runtime import runtimes_writing

    try:
        runtimes_writing.remove(home.runtimes, name)
    except CannotWrite as error:
        raise NotDone(str(error)) from error


def _look_for_commands(home: Home) -> None:
    found = probe.probe(Registry.load(home).commands(), os.environ)
    try:
        if found.login_path is not None or probe.load(home) is None:
            probe.store(home, found)
    except OSError as error:
        raise NotDone(f"What the login shell said cannot be kept: {error.strerror}.") from error
    if found.problem is not None:
        raise NotDone(found.problem)


def _backups(home: Home) -> list[BackupChoice]:
    found = backup.kept_backups(home.backups)
    return [BackupChoice(kept.path, kept.at, kept.size, kept.kind) for kept in found]


def _examine(home: Home, parts: Sequence[str] | None) -> list[Finding]:
    """Ask the doctor. In this process it would close files of the database, and with them the locks of the engine."""
    command = [sys.executable, "-P", "-m", "coven_desktop.doctor", "--json", "--home", str(home.root)]
    for part in parts or ():
        command += ["--part", part]
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=_DOCTOR_SECONDS,
            check=False,
        )
        report: Mapping[str, Any] = json.loads(done.stdout)
    except subprocess.TimeoutExpired as error:
        raise NotDone(f"The check was given up after {_DOCTOR_SECONDS:g} seconds.") from error
    except (OSError, ValueError) as error:
        raise NotDone("The check could not be made: it ended without a report.") from error
    return [
        Finding(one["subject"], one["state"], one["text"], one["advice"] or "", str(one["facts"].get("name") or ""))
        for one in report["checks"]
    ]
