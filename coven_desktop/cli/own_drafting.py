"""Routines of our own form as a person names them: what `create` and `edit` make of options for a schedule."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from coven_desktop.cli import scheduling
from coven_desktop.cli.arguments import Arguments
from coven_desktop.cli.drafting import Checked, Members
from coven_desktop.cli.knowing import OWN_SCHEMA, is_own, schedule
from coven_desktop.cli.refusals import CODE_INVALID, Refused
from coven_desktop.contract import routine as routines
from coven_desktop.contract.definition import DefinitionError
from coven_desktop.schedule.cadence import CadenceSchedule
from coven_desktop.schedule.errors import ScheduleError

_OF_THE_CONTRACT = ("rrule", "timezone", "misfire", "overlap", "schemaVersion")


def is_asked(arguments: Arguments, members: Mapping[str, Any], base: Mapping[str, Any]) -> bool:
    """Whether the routine is, or becomes, one of our own form: by the file, the options, or what it was."""
    return scheduling.names_family(arguments) or is_own(members if "schemaVersion" in members else base)


def shaped(arguments: Arguments, members: Mapping[str, Any], base: Mapping[str, Any]) -> tuple[Members, Members]:
    """Base and members in our own form, the schedule as the options make it of the file's or the base's.

    Raises Misused for options that do not go together.
    """
    before = schedule(base) if base.get("schedule") or base.get("rrule") else {"timezone": "local"}
    given = members["schedule"] if isinstance(members.get("schedule"), Mapping) else before
    made = {name: value for name, value in members.items() if name not in _OF_THE_CONTRACT}
    if scheduling.names_schedule(arguments) or "schedule" not in members:
        made["schedule"] = scheduling.revised(arguments, given)
    kept = {name: value for name, value in base.items() if name not in _OF_THE_CONTRACT}
    return {**kept, "schemaVersion": OWN_SCHEMA}, made


def check(body: Mapping[str, Any], now: int) -> Checked:
    """What the app would make of this body. Raises Refused in its words; `now` for a cadence that would never run."""
    try:
        found = routines.parse(body)
        if isinstance(found, routines.Routine) and isinstance(of := found.family.schedule, CadenceSchedule):
            of.require_slots(now)
    except DefinitionError as error:
        raise _refused(error.field, error.message, error.suggestion) from None
    except ScheduleError as error:
        raise _refused(f"schedule.{error.field}", error.message, error.suggestion) from None
    return Checked(routines.stored(found), ())


def _refused(field: str, message: str, suggestion: str | None) -> Refused:
    more = {} if suggestion is None else {"suggestion": suggestion}
    return Refused(CODE_INVALID, message, field=field, **more)
