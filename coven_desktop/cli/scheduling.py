"""The schedule that options name, for `preview` and `explain`: of any family, refused in the words of the app."""

from __future__ import annotations

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


def _number(field: str, text: str | None) -> int | None:
    """What a field of whole numbers was given; its bounds are the schedule's."""
    if text is None:
        return None
    if text.isascii() and text.isdecimal() and len(text) <= 12:
        return int(text)
    raise Refused(
        CODE_INVALID, f"{field} must be a whole number, got `{cut(text, _ECHO)}`", field=field, suggestion=None
    )
