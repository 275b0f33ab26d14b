"""What the form and those around it hand to each other."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from coven_desktop.engine.listing import RoutineRow
from coven_desktop.ui.doors import RuntimeChoice


@dataclass(frozen=True)
class Wanted:
    """What shall be saved; None for what stays as it is.

    `definition` at `revision`, which is None for a new routine; `settings` are `environment` and `secrets`, at
    their own `settings_revision`.
    """

    automation_id: str
    definition: Mapping[str, Any] | None
    revision: int | None
    settings: Mapping[str, Any] | None = None
    settings_revision: int = 0


def _never(_id: str) -> bool:
    return False


def _no_answer(_path: str, _answer: Callable[[bool], None]) -> None:
    pass


@dataclass(frozen=True)
class FormDoors:
    """What the form asks of others.

    `save` is answered later by the form's `accept`, `refuse`, `show_theirs` or `saved_in_part`. `id_taken` answers
    whether an id is or was in use, `check_folder` later whether a folder is there. `failures` in a row pause a cron
    routine, 0: they never do.
    """

    save: Callable[[Wanted], None]
    runtimes: Sequence[RuntimeChoice] = ()
    id_taken: Callable[[str], bool] = _never
    check_folder: Callable[[str, Callable[[bool], None]], None] = _no_answer
    failures: int = 5


@dataclass(frozen=True)
class Subject:
    """What the form is of: a routine, or for a new one perhaps a definition to begin with.

    `open_slots` are instants that are planned and that saving supersedes.
    """

    routine: RoutineRow | None = None
    copied: Mapping[str, Any] | None = None
    open_slots: tuple[int, ...] = ()
