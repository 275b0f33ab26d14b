"""A definition while it is being written: what is wrong with it, field by field, and an id for a name."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from typing import Any

from coven_desktop.contract import definition, routine, slug
from coven_desktop.contract.definition import DefinitionError
from coven_desktop.qt.core import QCoreApplication
from coven_desktop.schedule import zone_search, zones
from coven_desktop.ui import delivery_editor
from coven_desktop.ui.jargon import plain

_PREFIX = re.compile(r"^(routine definition|rrule) failed validation: ")
# What a faulty member is replaced by to find the next fault; each of them is good.
_GOOD: Mapping[str, Any] = {
    "id": "routine",
    "name": "routine",
    "rrule": "FREQ=DAILY",
    "timezone": "utc",
    "timeoutMinutes": 30,
    "runtime": "shell",
    "prompt": "true",
    "familiarId": None,
    "retry": {"maxAttempts": 1, "backoffPolicy": "none"},
}


# In the order in which the form shows them, from which the first fault is told beside Save.
ORDER = (
    *("name", "schedule", "timezone", "runtime", "cwd", "prompt", "timeoutMinutes", "delivery"),
    *("model", "tags", "environment", "secrets", "retry", "id"),
)


def first(problems: Mapping[str, DefinitionError]) -> DefinitionError:
    """The fault that comes first in the form."""
    return min(problems.items(), key=lambda item: ORDER.index(item[0]) if item[0] in ORDER else len(ORDER))[1]


def reason(message: str) -> str:
    """A refusal without the beginning that every one of them has, in plain words where there are some."""
    return plain(_PREFIX.sub("", _PREFIX.sub("", message)))


def field_of(place: str) -> str:
    """The field of the form that shows a member, by the place that a refusal names: `schedule.anchor`, `rrule`."""
    if place == "schedule.timezone":
        return "timezone"
    name = place.split(".")[0]
    return "schedule" if name == "rrule" else name


def is_ours(body: Mapping[str, Any]) -> bool:
    """Whether a definition has our own form, which cadences and cron have, and not the contract's."""
    return bool(body.get("schemaVersion") == routine.SCHEMA_VERSION)


def problems(
    body: Mapping[str, Any],
    *,
    now: int,
    schedule: DefinitionError | None = None,
    id_taken: Callable[[str], bool] | None = None,
) -> dict[str, DefinitionError]:
    """Every field of the form that cannot be saved, with its refusal in the contract's words.

    The contract's parser stops at the first fault; here the faulty member is replaced and it is asked again. `schedule`
    is what the editor of the rule says against it, `now` (UTC milliseconds) is for zones meant by their offset, and
    `id_taken` is given for a new routine only.
    """
    tried = _flat(body)
    zone_name = tried.get("timezone")
    found: dict[str, DefinitionError] = {}
    if schedule is not None:
        found["schedule"] = schedule
        tried["rrule"] = _GOOD["rrule"]
    for _ in range(len(_GOOD) + 1):
        try:
            definition.parse(tried, drop_unknown=False)
            break
        except DefinitionError as error:
            name = error.field.split(".")[0]
            found.setdefault(field_of(name), error)
            if name not in _GOOD or tried[name] == _GOOD[name]:
                break
            tried[name] = _GOOD[name]
    zone = _zone(zone_name, found.get("timezone"), now)
    if zone is not None:
        found["timezone"] = zone
    folder = _folder(body.get("cwd"))
    if folder is not None:
        found["cwd"] = folder
    if body.get("delivery") is not None and (wrong := delivery_editor.problem(body["delivery"])) is not None:
        found["delivery"] = wrong
    if id_taken is not None and "id" not in found and id_taken(body["id"]):
        text = QCoreApplication.translate("RoutineForm", "A routine with this id exists or existed.")
        found["id"] = DefinitionError("id", text, free_id(body["id"], id_taken))
    return found


def _flat(body: Mapping[str, Any]) -> dict[str, Any]:
    """What a definition of ours shares with the contract's, with a rule that is good: its own is judged elsewhere."""
    if not is_ours(body):
        return dict(body)
    shared = {name: body[name] for name in routine.SHARED if name in body}
    return {**routine.FLAT, **shared, "timezone": body["schedule"].get("timezone")}


def _zone(name: Any, error: DefinitionError | None, now: int) -> DefinitionError | None:
    """The refusal of a zone with what was probably meant; `local` is refused when nobody knows what it stands for."""
    if error is not None and isinstance(name, str):
        return DefinitionError("timezone", error.message, error.suggestion or zone_search.best(name, now))
    if name == "local":
        try:
            zones.resolve_local()
        except zones.ZoneError as unknown:
            return DefinitionError("timezone", unknown.message, unknown.suggestion)
    return error


def _folder(text: str | None) -> DefinitionError | None:
    """Decisions.md 19: `~` is refused with what it stands for; a run needs an absolute folder."""
    if not text or os.path.isabs(text):
        return None
    if text.startswith("~"):
        sentence = QCoreApplication.translate(
            "RoutineForm", "`~` is not expanded when a run starts: write the whole path."
        )
        return DefinitionError("cwd", sentence, os.path.expanduser(text))
    sentence = QCoreApplication.translate("RoutineForm", "The working folder must be an absolute path.")
    return DefinitionError("cwd", sentence, os.path.join(os.path.expanduser("~"), text))


def free_id(name: str, taken: Callable[[str], bool]) -> str:
    """An id made of a name: letters, digits and dashes, with a number when it is taken."""
    base = slug.of(name)
    chosen, count = base, 1
    while taken(chosen) and count < 100:
        count += 1
        chosen = f"{base}-{count}"
    return chosen
