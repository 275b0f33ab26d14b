"""What the app hands in for the settings, the doctor and the first run: work on files and processes that blocks.

Everything here is called on a thread of its own (`ui/aside.py`), never on the GUI thread.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from coven_desktop.ui.doors import RuntimeChoice, Tried


class NotDone(Exception):
    """What was asked for was not done; the text says why, for a person. `field`: the member that is wrong, or None."""

    def __init__(self, sentence: str, field: str | None = None) -> None:
        super().__init__(sentence)
        self.field = field


@dataclass(frozen=True)
class BackupChoice:
    """A backup that can be put in place. `made` in UTC milliseconds; `size` in bytes."""

    path: Path
    made: int
    size: int
    kind: Literal["daily", "before_update", "by_hand"]


@dataclass(frozen=True)
class Finding:
    """What the doctor says of one subject, with what to do if there is something to be done. `name`: of a runtime."""

    subject: str
    state: Literal["fine", "note", "attention", "unchecked"]
    text: str
    advice: str = ""
    name: str = ""


@dataclass(frozen=True)
class SettingsDoors:
    """`runtimes` lists them, `runtimes_faults` says what is wrong in their file that is of none of them; `own_runtime`
    is the table of one of the person's own; `put_runtime` (name before or None, name, table), `remove_runtime` and
    `look_for_commands`, which asks the login shell anew, raise NotDone. `try_version` starts a command with
    `--version`. `backups` newest first. `examine` asks the doctor about some parts, or all of them (None), and
    raises NotDone.
    """

    runtimes: Callable[[], Sequence[RuntimeChoice]]
    runtimes_faults: Callable[[], Sequence[str]]
    own_runtime: Callable[[str], Mapping[str, Any]]
    put_runtime: Callable[[str | None, str, Mapping[str, Any]], None]
    remove_runtime: Callable[[str], None]
    look_for_commands: Callable[[], None]
    try_version: Callable[[str], Tried]
    backups: Callable[[], Sequence[BackupChoice]]
    examine: Callable[[Sequence[str] | None], Sequence[Finding]]
    login_command: Sequence[str]
