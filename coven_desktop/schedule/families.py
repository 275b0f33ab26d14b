"""The three families of schedules by their documents (design/schedules.md, shapes).

`{"kind":"rrule","rrule","timezone"}`, `{"kind":"cron","expression","timezone"}`, or
`{"kind":"cadence","mode","anchor","timezone","minutes","expression","until","maxRuns","catchUp"}`, of which mode and
timezone always, and of the others those that the mode needs. Members are closed: what is not known is refused by name.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple, get_args

from coven_desktop.schedule import cadence, cron, rrule
from coven_desktop.schedule.errors import ScheduleError
from coven_desktop.schedule.slots import Schedule
from coven_desktop.schedule.zones import ZoneError, resolve_local

Kind = Literal["rrule", "cadence", "cron"]
CatchUp = Literal["skip", "run-once", "run-all"]
KINDS: tuple[Kind, ...] = get_args(Kind)
CATCH_UPS: tuple[CatchUp, ...] = get_args(CatchUp)
DEFAULT_CATCH_UP: CatchUp = "run-once"

_MEMBERS: Mapping[Kind, tuple[str, ...]] = {
    "rrule": ("kind", "rrule", "timezone"),
    "cron": ("kind", "expression", "timezone"),
    "cadence": ("kind", "mode", "anchor", "timezone", "minutes", "expression", "until", "maxRuns", "catchUp"),
}
_NUMBERS = ("minutes", "maxRuns")


class Family(NamedTuple):
    """A schedule that was read. `catch_up` is None but for cadences, `max_runs` None where there is no such end."""

    kind: Kind
    schedule: Schedule
    catch_up: CatchUp | None
    max_runs: int | None


def read(document: Mapping[str, object]) -> Family:
    """Read a schedule's document. `local` is resolved to the exact name, which is the schedule's zone's then."""
    kind = document.get("kind")
    if kind not in KINDS:
        raise ScheduleError("kind", f"the kind of a schedule must be one of {', '.join(KINDS)}, got {_told(kind)}")
    given = {name: value for name, value in document.items() if value is not None}
    for name, value in given.items():
        if name not in _MEMBERS[kind]:
            raise ScheduleError(
                name, f"`{name[:100]}` is no member of a schedule of kind {kind}: leave it out", None
            )  # fmt: skip
        wanted = int if name in _NUMBERS else str
        if type(value) is not wanted:
            what = "a whole number" if wanted is int else "a string"
            raise ScheduleError(name, f"{name} must be {what}, got {_told(value)}")
    texts = {name: value for name, value in given.items() if isinstance(value, str)}
    numbers = {name: value for name, value in given.items() if isinstance(value, int)}
    return _read(kind, texts, numbers)


def _read(kind: Kind, texts: Mapping[str, str], numbers: Mapping[str, int]) -> Family:
    required = {"rrule": "rrule", "cron": "expression", "cadence": "mode"}[kind]
    for name in (required, "timezone"):
        if name not in texts:
            raise ScheduleError(name, f"{name} is required for a schedule of kind {kind}")
    try:
        name = resolve_local() if texts["timezone"] == "local" else texts["timezone"]
        if kind == "rrule":
            return Family(kind, rrule.schedule(texts["rrule"], name), None, None)
        if kind == "cron":
            return Family(kind, cron.schedule(texts["expression"], name), None, None)
        found = cadence.parse(
            texts["mode"],
            name,
            anchor=texts.get("anchor"),
            minutes=numbers.get("minutes"),
            expression=texts.get("expression"),
            until=texts.get("until"),
            max_runs=numbers.get("maxRuns"),
        )
    # the first two in the contract's words, as creating such a routine would answer (engine.md §1.3, §2.1)
    except rrule.RruleError as error:
        raise ScheduleError("rrule", f"rrule failed validation: {error.message}", error.suggestion) from None
    except ZoneError as error:
        text = f"routine definition failed validation: {error.message}"
        raise ScheduleError("timezone", text, error.suggestion) from None
    except cron.CronError as error:
        raise ScheduleError("expression", error.message, error.suggestion) from None
    return Family(kind, cadence.schedule(found), _catch_up(texts.get("catchUp")), found.max_runs)


def _catch_up(text: str | None) -> CatchUp:
    if text is None:
        return DEFAULT_CATCH_UP
    for known in CATCH_UPS:
        if text == known:
            return known
    plain = text.strip().casefold().replace("_", "-").replace(" ", "-")
    raise ScheduleError(
        "catchUp",
        f"catchUp must be one of {', '.join(CATCH_UPS)}, got {_told(text)}",
        plain if plain in CATCH_UPS else None,
    )


def _told(value: object) -> str:
    """What was sent, but never a page of it."""
    if isinstance(value, str):
        return f"`{value[:100]}`"
    if value is None or isinstance(value, bool | int | float):
        return {"None": "nothing", "True": "true", "False": "false"}.get(str(value)[:100], str(value)[:100])
    return "a list" if isinstance(value, list) else "an object"
