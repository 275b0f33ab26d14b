"""The schedule that options name, of any family, refused in the words of the app: to ask about, or of a routine."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from coven_desktop.cli.arguments import Arguments
from coven_desktop.cli.refusals import CODE_INVALID, Refused, misused
from coven_desktop.cli.table import cut
from coven_desktop.schedule import families, preview
from coven_desktop.schedule.errors import ScheduleError
from coven_desktop.schedule.families import Family

_ECHO = 200
_OF_CADENCES = ("anchor", "minutes", "until", "max_runs")


def family(arguments: Arguments) -> Family:
    """The schedule of `--rrule`, `--cron`, or `--cadence` with what belongs to it. Refused, or Misused."""
    try:
        return families.read(_document(arguments))
    except ScheduleError as error:
        found: Any = preview.refusal(error)["error"]
        raise Refused.passed_on(found) from None


def _document(arguments: Arguments) -> dict[str, Any]:
    zone = {"timezone": arguments.timezone}
    if arguments.cadence is None:
        if (arguments.rule is None) == (arguments.cron is None):
            raise misused("name one schedule: --rrule RULE, --cron EXPRESSION, or --cadence MODE with --anchor TIME")
        given = [name for name in _OF_CADENCES if getattr(arguments, name) is not None]
        if given:
            raise misused(f"--{given[0].replace('_', '-')} belongs to --cadence")
        if arguments.rule is not None:
            return {"kind": "rrule", "rrule": arguments.rule, **zone}
        return {"kind": "cron", "expression": arguments.cron, **zone}
    if arguments.rule is not None:
        raise misused("name one schedule: either --rrule or --cadence")
    return {
        "kind": "cadence",
        "mode": arguments.cadence,
        "anchor": arguments.anchor,
        "expression": arguments.cron,
        "minutes": _number("minutes", arguments.minutes),
        "until": arguments.until,
        "maxRuns": _number("maxRuns", arguments.max_runs),
        **zone,
    }


# Of a routine, each member of its schedule by the option for it; empty takes one away.
_MEMBERS = {"anchor": "anchor", "until": "until", "catch_up": "catchUp", "minutes": "minutes", "max_runs": "maxRuns"}
_KEPT = ("anchor", "timezone", "until", "maxRuns", "catchUp")


def names_family(arguments: Arguments) -> bool:
    """Whether an option names a cadence or cron schedule, or a member of a cadence."""
    return any(getattr(arguments, name) is not None for name in ("cadence", "cron", *_MEMBERS))


def names_schedule(arguments: Arguments) -> bool:
    """Whether an option says anything about the schedule."""
    return names_family(arguments) or arguments.rrule is not None or arguments.timezone is not None


def revised(arguments: Arguments, base: Mapping[str, Any]) -> dict[str, Any]:
    """The schedule that the options of `create` and `edit` make of this one. Raises Misused, or Refused for a number.

    `--cadence` keeps what its mode has of another cadence, `--cron` alone changes the expression of a cadence in mode
    cron, else it makes a cron schedule; the others change their member of a cadence.
    """
    zone = arguments.timezone or base.get("timezone", "local")
    if arguments.rrule is not None:
        if names_family(arguments):
            raise misused("name one schedule: --rrule RULE, --cron EXPRESSION, or --cadence MODE")
        return {"kind": "rrule", "rrule": arguments.rrule, "timezone": zone}
    given = [name for name in _MEMBERS if getattr(arguments, name) is not None]
    made = dict(base)
    if arguments.cadence is not None:
        of_mode = {"every_n_minutes": ("minutes",), "cron": ("expression",)}.get(arguments.cadence, ())
        made = {name: base[name] for name in (*_KEPT, *of_mode) if name in base} if _is_cadence(base) else {}
        made |= {"kind": "cadence", "mode": arguments.cadence}
        if arguments.cron is not None:
            made["expression"] = arguments.cron
    elif arguments.cron is not None and not (_is_cadence(base) and base.get("mode") == "cron"):
        made = {"kind": "cron", "expression": arguments.cron}
    elif arguments.cron is not None:
        made["expression"] = arguments.cron
    if given and not _is_cadence(made):
        raise misused(f"--{given[0].replace('_', '-')} belongs to --cadence")
    for name in given:
        made[_MEMBERS[name]] = member(arguments, name)
    return {name: value for name, value in {**made, "timezone": zone}.items() if value is not None}


def member(arguments: Arguments, name: str) -> Any:
    """The member of a cadence that one of its options names; None when it is taken away. Raises Refused."""
    text = getattr(arguments, name) or None
    return _number(_MEMBERS[name], text) if name in ("minutes", "max_runs") else text


def _is_cadence(schedule: Mapping[str, Any]) -> bool:
    return schedule.get("kind") == "cadence"


def _number(field: str, text: str | None) -> int | None:
    """What a field of whole numbers was given; its bounds are the schedule's."""
    if text is None:
        return None
    if text.isascii() and text.isdecimal() and len(text) <= 12:
        return int(text)
    raise Refused(
        CODE_INVALID, f"{field} must be a whole number, got `{cut(text, _ECHO)}`", field=field, suggestion=None
    )
