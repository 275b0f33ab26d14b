"""schedule.preview.v1 and schedule.explain.v1 of `coven.desktop`: what a schedule of any family fires at and means.

Nothing is stored or changed (design/schedules.md, Public actions of our own).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from coven_desktop.contract import timestamps
from coven_desktop.contract.errors import Code, TypedRefusal
from coven_desktop.engine.answers import Answer
from coven_desktop.engine.commands import fields
from coven_desktop.engine.engine import Engine
from coven_desktop.schedule import families, preview
from coven_desktop.schedule.cadence import CadenceSchedule
from coven_desktop.schedule.errors import ScheduleError
from coven_desktop.schedule.explaining import explained
from coven_desktop.schedule.families import Family

DEFAULT_COUNT = 10


def preview_schedule(engine: Engine, body: Mapping[str, Any]) -> Answer:
    """The next firings of a schedule, or the last ones before an instant.

    Body: `schedule`, `count` (1 to 1000, 10 when absent), and either `from` (firings come after it; now when absent) or
    `before`. Payload: timezone, zoneData, firings ascending, notes about wall times that clocks skip or repeat.
    """
    family = _family(body)
    count = body.get("count")
    if count is None:
        count = DEFAULT_COUNT
    if type(count) is not int or not 1 <= count <= preview.MOST_FIRINGS:
        raise fields.invalid(f"count must be a whole number from 1 to {preview.MOST_FIRINGS:,}")
    after, before = _instant(body, "from"), _instant(body, "before")
    if after is not None and before is not None:
        raise fields.invalid("from and before exclude each other: send one of them")
    if before is not None:
        found = preview.preview_before(family.schedule, before, count)
    else:
        if after is None:
            # as if it were saved now: what a cadence that is saved now begins with is shown
            after = engine.core.clock.wall()
            if isinstance(family.schedule, CadenceSchedule):
                after = family.schedule.counts_from(after)
        found = preview.preview(family.schedule, after, count, family.max_runs)
    return Answer(preview.document_of(family.schedule, found), kind="desktop.schedule.preview")


def explain_schedule(engine: Engine, body: Mapping[str, Any]) -> Answer:
    """A schedule in words. Body: `schedule`. Payload: kind, timezone, words, sentences about what is less plain."""
    family = _family(body)
    told = explained(family.schedule)
    payload = {
        "kind": family.kind,
        "timezone": family.schedule.zone.name,
        "words": told.words,
        "sentences": list(told.sentences),
    }
    return Answer(payload, kind="desktop.schedule.explained")


def _family(body: Mapping[str, Any]) -> Family:
    """The `schedule` of a request. A refusal has the field, and what to write instead, in its details."""
    schedule = body.get("schedule")
    if not isinstance(schedule, dict):
        raise fields.invalid("schedule must be an object with its kind: rrule, cadence or cron")
    try:
        return families.read(schedule)
    except ScheduleError as error:
        details: dict[str, Any] = {"field": error.field[:100], "suggestion": error.suggestion}
        raise TypedRefusal(Code.VALIDATION_FAILED, error.message, details=details) from None


def _instant(body: Mapping[str, Any], name: str) -> int | None:
    value = body.get(name)
    if value is None:
        return None
    refusal = fields.invalid(f"{name} must be an instant in UTC, such as 2026-09-01T18:00:00Z, or null")
    if not isinstance(value, str) or not timestamps.is_timestamp(value):
        raise refusal
    try:
        return timestamps.parse(value)
    except ValueError as error:
        raise refusal from error
