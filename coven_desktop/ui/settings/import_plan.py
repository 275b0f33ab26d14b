"""What an export would change here: which routines are new, which are the same, and what differs in the others.

All lands paused, so the state in the file counts for nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from coven_desktop import chosen_file
from coven_desktop import own_crontab as own
from coven_desktop.chosen_file import CannotRead
from coven_desktop.contract import exported
from coven_desktop.contract.crontab import BYTES_LIMIT
from coven_desktop.contract.strict_json import JsonError, decode
from coven_desktop.qt.core import QCoreApplication, QLocale
from coven_desktop.schedule import families
from coven_desktop.ui import changes
from coven_desktop.ui.changes import Change
from coven_desktop.ui.settings.doors import NotDone

_LARGEST_BYTES = 64 * 1024 * 1024

Kind = Literal["new", "same", "differs", "unusable"]


@dataclass(frozen=True)
class Planned:
    """One routine of the file.

    `entry` as it stands in the file, `definition` and `settings` as they would be written; `mine` is what is here
    (None: it is new), `reason` why it cannot be taken.
    """

    id: str
    name: str
    kind: Kind
    definition: Mapping[str, Any]
    settings: Mapping[str, Any]
    entry: Mapping[str, Any]
    mine: Mapping[str, Any] | None = None
    reason: str = ""

    def changes(self) -> list[Change]:
        """What taking it changes here, field by field; of a new one, all it says."""
        before = dict(self.mine["definition"] or {}) if self.mine is not None else {}
        found = changes.between({**before, "status": "PAUSED"}, {**self.definition, "status": "PAUSED"})
        old, new = (_beside(settings) for settings in (self.mine["settings"] if self.mine else {}, self.settings))
        for member, name in (("environment", _say("Variables")), ("secrets", _say("Secrets"))):
            if old[member] != new[member]:
                found.append(Change(member, name, old[member], new[member]))
        return found


def read(path: Path) -> list[Mapping[str, Any]]:
    """The routines in a file. Blocks. Raises NotDone, in words."""
    data = contents(path, _LARGEST_BYTES)
    try:
        document = decode(data, parts=None)
    except JsonError as error:
        raise NotDone(_say("{file} is no export: {reason}.").format(file=path.name, reason=error.message)) from error
    if not isinstance(document, dict):
        raise NotDone(_say("{file} is no export of Coven Desktop.").format(file=path.name))
    try:
        return exported.entries(document)
    except exported.ExportError as error:
        raise NotDone(_say("{file} is no export: {reason}.").format(file=path.name, reason=error)) from error


def contents(path: Path, limit: int) -> bytes:
    """The bytes of a file that the person chose, at most so many. Blocks. Raises NotDone, in words."""
    try:
        return chosen_file.read(str(path), limit)
    except CannotRead as error:
        sentence = {
            "not_a_file": _say("{file} is no file."),
            "too_large": _say("{file} is too large: there may be {size} at most."),
        }.get(error.what, _say("{file} cannot be read: {reason}."))
        size = QLocale().formattedDataSize(limit)
        raise NotDone(sentence.format(file=path.name, size=size, reason=error)) from error


def text(path: Path, limit: int) -> str:
    """The text of a file that the person chose, as `contents`."""
    try:
        return contents(path, limit).decode("utf-8")
    except UnicodeDecodeError as error:
        raise NotDone(_say("{file} is no text in UTF-8.").format(file=path.name)) from error


def own_crontab() -> str:
    """The person's own crontab. Blocks, up to some seconds. Raises NotDone when there is none to be had."""
    try:
        return own.read(BYTES_LIMIT).decode("utf-8")
    except (CannotRead, UnicodeDecodeError) as error:
        raise NotDone(str(error)) from error


def plan(entries: Sequence[Mapping[str, Any]], here: Sequence[Mapping[str, Any]]) -> list[Planned]:
    """Each routine of a file against those that are here, as `coven.desktop.routine.list.v1` tells them."""
    known = {one["id"]: one for one in here}
    seen: set[str] = set()
    planned = []
    for entry in entries:
        definition = {**(entry["definition"] or {"id": entry.get("id")}), "status": "PAUSED"}
        identity, name = str(definition.get("id", "")), str(definition.get("name") or definition.get("id") or "?")
        settings = entry.get("settings") or {}
        mine = known.get(identity)
        reason = ""
        if entry.get("family", "rrule") not in families.KINDS:
            reason = _say("this version does not know its kind of schedule")
        elif entry["definition"] is None:
            reason = _say("it was not understood any more when it was exported")
        elif identity in seen:
            reason = _say("it is in the file twice")
        seen.add(identity)
        one = Planned(identity, name, "new", definition, settings, entry, mine, reason)
        kind: Kind = "unusable" if reason else "new" if mine is None else "differs" if one.changes() else "same"
        planned.append(Planned(identity, name, kind, definition, settings, entry, mine, reason))
    return planned


def _beside(settings: Mapping[str, Any]) -> dict[str, str]:
    environment = settings.get("environment") or {}
    return {
        "environment": "\n".join(f"{name}={value}" for name, value in sorted(environment.items())),
        "secrets": ", ".join(map(str, settings.get("secrets") or ())),
    }


def _say(text: str) -> str:
    return QCoreApplication.translate("ImportPlan", text)
