"""Pages of runs and of occurrences of one routine, as the wire asks for them (contract/commands.md §5.1).

Both begin behind a cursor and say where the next page begins. What is asked badly is refused with a code for runs, and
without one for occurrences.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from coven_desktop.contract import cursor, ids
from coven_desktop.contract.errors import Code, Refusal, TypedRefusal
from coven_desktop.engine import projections
from coven_desktop.store import history
from coven_desktop.store.history import Place
from coven_desktop.store.transactions import Reader

PAGE = 20
PAGE_LIMIT = 100
RUN_CURSOR_LIMIT = 256
OCCURRENCE_CURSOR_LIMIT = 512


@dataclass(frozen=True)
class _Asked:
    """One request for a page. Null counts as absent."""

    automation_id: str
    limit: int
    behind: Place | None
    cursor: str | None


def of_runs(reader: Reader, body: Mapping[str, Any]) -> dict[str, Any]:
    """run.history.v1: `automationId`, of one occurrence if `occurrenceId` is given, `limit` 1 to 100, `cursor`.

    Raises VALIDATION_FAILED.
    """

    def refuse(message: str) -> Refusal:
        return TypedRefusal(Code.VALIDATION_FAILED, f"run.history.v1: {message}")

    asked = _ask(body, RUN_CURSOR_LIMIT, refuse)
    occurrence_id = body.get("occurrenceId")
    if occurrence_id is not None and not ids.is_entity_id(occurrence_id):
        raise refuse("occurrenceId must be the id of an occurrence")
    rows = history.of_runs(reader, asked.automation_id, occurrence_id, asked.behind, asked.limit + 1)
    shown = rows[: asked.limit]
    return {
        "automationId": asked.automation_id,
        **({} if occurrence_id is None else {"occurrenceId": occurrence_id}),
        "runs": [projections.run(reader, row) for row in shown],
        "cursor": _position(asked, len(rows), [(row.started_at, row.id) for row in shown]),
    }


def of_occurrences(reader: Reader, body: Mapping[str, Any]) -> dict[str, Any]:
    """occurrence.history.v1: `automationId`, `limit` 1 to 100, `cursor`. Raises an untyped Refusal."""

    def refuse(message: str) -> Refusal:
        return Refusal(f"coven.automations.occurrence.history.v1: {message}")

    asked = _ask(body, OCCURRENCE_CURSOR_LIMIT, refuse)
    rows = history.of_occurrences(reader, asked.automation_id, asked.behind, asked.limit + 1)
    shown = rows[: asked.limit]
    return {
        "automationId": asked.automation_id,
        "occurrences": [projections.occurrence(reader, row) for row in shown],
        "cursor": _position(asked, len(rows), [(row.scheduled_for, row.id) for row in shown]),
    }


def _ask(body: Mapping[str, Any], cursor_limit: int, refuse: Callable[[str], Refusal]) -> _Asked:
    automation_id = body.get("automationId")
    if not ids.is_automation_id(automation_id):
        raise refuse("automationId must be the id of a routine: 1 to 96 letters, digits and . _ -")
    limit = body.get("limit")
    if limit is None:
        limit = PAGE
    if not isinstance(limit, int) or isinstance(limit, bool) or not 1 <= limit <= PAGE_LIMIT:
        raise refuse(f"limit must be an integer from 1 to {PAGE_LIMIT}")
    text = body.get("cursor")
    if text is None:
        return _Asked(str(automation_id), limit, None, None)
    if not isinstance(text, str) or len(text) > cursor_limit:
        raise refuse(f"cursor must be text of at most {cursor_limit} characters")
    try:
        return _Asked(str(automation_id), limit, cursor.decode(text), text)
    except ValueError:
        raise refuse("cursor must be the `next` of an earlier page, as it was given") from None


def _position(asked: _Asked, found: int, shown: list[Place]) -> dict[str, Any]:
    """Where the page stands: `current` is the cursor it was asked with, `next` that of the page behind it."""
    more = found > len(shown)
    return {
        "hasMore": more,
        **({} if asked.cursor is None else {"current": asked.cursor}),
        **({"next": cursor.encode(*shown[-1])} if more else {}),
    }
