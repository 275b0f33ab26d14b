"""A routine of ours: `coven.desktop.routine.v1`, with a schedule of any family (design/schedules.md, Shapes).

What it shares with the contract's flat definition has the contract's limits and is read by its parser. One whose
schedule is an rrule is the contract's routine, and stored as such, so that every client knows it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NoReturn

import msgspec

from coven_desktop.contract import definition as flat
from coven_desktop.contract import delivery as deliveries
from coven_desktop.contract import digest, routine_settings
from coven_desktop.contract.definition import Definition, DefinitionError, RetryPolicy
from coven_desktop.contract.delivery import Delivery
from coven_desktop.schedule import families
from coven_desktop.schedule.errors import ScheduleError
from coven_desktop.schedule.families import Family

SCHEMA_VERSION = "coven.desktop.routine.v1"

SHARED = (
    *("id", "name", "status", "timeoutMinutes", "runtime", "prompt"),
    *("retry", "familiarId", "cwd", "model", "tags"),
)
_MEMBERS = frozenset(("schemaVersion", "schedule", "secrets", "delivery", *SHARED))
# what the contract's form has beside, as it stands in a routine whose schedule says all of it
FLAT = {"schemaVersion": 1, "rrule": "FREQ=DAILY", "timezone": "utc", "misfire": "latest", "overlap": "forbid"}


class Routine(msgspec.Struct, frozen=True):
    """A valid routine of family cadence or cron. `schedule` is its document, the zone exact; `secrets` are names."""

    id: str
    name: str
    status: str
    schedule: Mapping[str, Any]
    timeout_minutes: int
    runtime: str
    prompt: str
    retry: RetryPolicy
    familiar_id: str | None
    cwd: str | None
    model: str | None
    tags: tuple[str, ...]
    secrets: tuple[str, ...]
    delivery: Delivery | None = None

    @property
    def family(self) -> Family:
        """Its schedule, read. Raises ScheduleError when its zone does not load any more."""
        return families.read(self.schedule)


AnyRoutine = Definition | Routine
"""A routine of any family, as it is stored."""


def parse(raw: Mapping[str, Any]) -> AnyRoutine:
    """The routine that a JSON object of our own form describes. DefinitionError for the first fault.

    The document is closed; of the schedule a fault is told of as `schedule.anchor`.
    """
    for name in raw:
        if name not in _MEMBERS:
            flat.refuse_unknown("", name, _MEMBERS)
    if raw.get("schemaVersion") != SCHEMA_VERSION:
        _refuse("schemaVersion", f"schemaVersion must be {SCHEMA_VERSION}")
    shared = {name: raw[name] for name in SHARED if name in raw}
    common = flat.parse({**FLAT, **shared}, drop_unknown=False)[0]
    schedule = raw.get("schedule")
    if not isinstance(schedule, Mapping):
        _refuse("schedule", f"schedule must be an object with kind {', '.join(families.KINDS)}")
    try:
        family = families.read(schedule)
    except ScheduleError as error:
        message = error.message.removeprefix("routine definition failed validation: ")
        raise DefinitionError(
            f"schedule.{error.field}", f"routine definition failed validation: {message}", error.suggestion
        ) from None
    delivery = None if raw.get("delivery") is None else deliveries.parse(raw["delivery"])
    secrets = _secrets(raw)
    if family.kind == "rrule":
        if delivery is not None:
            _refuse("delivery", "delivery is for schedules of kind cadence and cron: leave it out")
        if secrets:
            _refuse("secrets", "secrets of a routine with an rrule are given by coven.desktop.routine.settings.v1")
        zone = family.schedule.zone.name
        return flat.parse({**FLAT, **shared, "rrule": schedule["rrule"], "timezone": zone}, drop_unknown=False)[0]
    return Routine(
        id=common.id,
        name=common.name,
        status=common.status,
        schedule=_document(schedule, family),
        timeout_minutes=common.timeout_minutes,
        runtime=common.runtime,
        prompt=common.prompt,
        retry=common.retry,
        familiar_id=common.familiar_id,
        cwd=common.cwd,
        model=common.model,
        tags=common.tags,
        secrets=secrets,
        delivery=delivery,
    )


def stored(routine: AnyRoutine) -> dict[str, Any]:
    """The form that is stored and echoed: members sorted by name, absent ones and defaults left out."""
    if isinstance(routine, Definition):
        return flat.stored(routine)
    shared = flat.stored(
        Definition(
            schema_version=1,
            id=routine.id,
            name=routine.name,
            status=routine.status,
            rrule="",
            timezone="",
            misfire="",
            overlap="",
            timeout_minutes=routine.timeout_minutes,
            runtime=routine.runtime,
            prompt=routine.prompt,
            retry=routine.retry,
            familiar_id=routine.familiar_id,
            cwd=routine.cwd,
            model=routine.model,
            tags=routine.tags,
        )
    )
    members = {name: value for name, value in shared.items() if name not in FLAT}
    members |= {"schemaVersion": SCHEMA_VERSION, "schedule": dict(routine.schedule)}
    if routine.secrets:
        members["secrets"] = list(routine.secrets)
    if routine.delivery is not None:
        members["delivery"] = deliveries.stored(routine.delivery)
    return dict(sorted(members.items()))


def stored_json(routine: AnyRoutine) -> str:
    """The canonical JSON text of the stored form: what the store keeps and the digest is taken of."""
    return digest.canonical(stored(routine)).decode("utf-8")


def digest_of(routine: AnyRoutine) -> str:
    """SHA-256 (64 lower-case hex digits) of the canonical stored form."""
    return digest.digest(stored(routine))


def from_stored(text: str) -> AnyRoutine:
    """The routine of a stored body of either form. DefinitionError when it is none any more (decisions.md 31)."""
    try:
        raw = json.loads(text)
    except (ValueError, RecursionError):
        raw = None
    if isinstance(raw, dict) and raw.get("schemaVersion") == SCHEMA_VERSION:
        return parse(raw)
    return flat.from_stored(text)


def with_status(routine: AnyRoutine, status: str) -> AnyRoutine:
    """The same routine with another status: ACTIVE, PAUSED or DISABLED."""
    if isinstance(routine, Definition):
        return flat.with_status(routine, status)
    return msgspec.structs.replace(routine, status=status)


def kind_of(routine: AnyRoutine) -> families.Kind:
    """The family of a routine's schedule."""
    if isinstance(routine, Definition):
        return "rrule"
    kind: families.Kind = routine.schedule["kind"]
    return kind


def _document(schedule: Mapping[str, Any], family: Family) -> dict[str, Any]:
    """The schedule as it is stored: nulls left out, its zone exact, the policy said even when it is the usual one."""
    given = {name: value for name, value in schedule.items() if value is not None}
    given["timezone"] = family.schedule.zone.name
    if family.catch_up is not None:
        given["catchUp"] = family.catch_up
    return dict(sorted(given.items()))


def _secrets(raw: Mapping[str, Any]) -> tuple[str, ...]:
    try:
        return routine_settings.parse({"environment": {}, "secrets": raw.get("secrets", [])}).secrets
    except routine_settings.SettingsError as error:
        raise DefinitionError("secrets", f"routine definition failed validation: {error}") from None


def _refuse(field: str, text: str) -> NoReturn:
    raise DefinitionError(field, f"routine definition failed validation: {text}")
