"""pauseAll.v1 and resumeAll.v1 of `coven.desktop`: everything pauses, no routine is changed (decisions.md 39).

Adoption keys, codes and replays as those of the versioned definition commands (design/schedules.md, Public actions).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from coven_desktop.contract import fingerprint, timestamps
from coven_desktop.contract.errors import TypedRefusal
from coven_desktop.engine import pause_all as pauses
from coven_desktop.engine.answers import Answer
from coven_desktop.engine.commands import definition_requests, fields
from coven_desktop.engine.engine import Engine
from coven_desktop.store.transactions import Transaction

KIND = "desktop.pauseAll"


def pause_all(engine: Engine, body: Mapping[str, Any]) -> Answer:
    """Pause everything until an instant, or until it is resumed. A pause that lasts already gets the new end.

    Body: `adoptionKey`, `until` (an instant later than now; absent or null: until resumed). Inner result: `pauseAll`.
    """
    covered, fault = _covered(lambda: {"until": _until(body)}, body, "until")

    def apply(tx: Transaction, key: str) -> Answer:
        if fault is not None:
            raise fault
        until = _until(body)
        if until is not None and until <= tx.now:
            raise fields.invalid(f"until must be later than now, which is {tx.now_text}")
        return _committed({"pauseAll": pauses.begin(tx, until).to_wire()})

    return _spend(engine, body, "desktop.pauseAll.v1", covered, apply)


def resume_all(engine: Engine, body: Mapping[str, Any]) -> Answer:
    """End the pause of everything and let a pass begin. Body: `adoptionKey`. Inner result: `resumed`."""

    def apply(tx: Transaction, key: str) -> Answer:
        return _committed({"resumed": pauses.end(tx)})

    answer = _spend(engine, body, "desktop.resumeAll.v1", {}, apply)
    if answer.in_event:
        engine.wake()
    return answer


def _spend(
    engine: Engine,
    body: Mapping[str, Any],
    command: str,
    covered: Mapping[str, Any],
    apply: definition_requests.Apply,
) -> Answer:
    return definition_requests.spend(engine, definition_requests.adoption_key(body), command, covered, None, apply)


def _covered(
    read: Callable[[], dict[str, Any]], body: Mapping[str, Any], *names: str
) -> tuple[dict[str, Any], TypedRefusal | None]:
    """What the key is spent on: the members as they are understood, or as they came with what is wrong in them."""
    try:
        return read(), None
    except TypedRefusal as fault:
        return {"request": fingerprint.lossless({name: body[name] for name in names if name in body})}, fault


def _until(body: Mapping[str, Any]) -> int | None:
    value = body.get("until")
    if value is None:
        return None
    refusal = fields.invalid("until must be an instant in UTC, such as 2026-09-01T18:00:00Z, or null")
    if not isinstance(value, str) or not timestamps.is_timestamp(value):
        raise refusal
    try:
        return timestamps.parse(value)
    except ValueError as error:
        raise refusal from error


def _committed(result: dict[str, Any]) -> Answer:
    return Answer({"outcome": "committed", "result": result}, kind=KIND, in_result=True)
