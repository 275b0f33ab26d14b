"""unquarantine: the explicit release of a routine that used up its attempts (contract/engine.md §6)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from coven_desktop.contract.errors import Refusal
from coven_desktop.contract.text import echo
from coven_desktop.engine import planning
from coven_desktop.engine.answers import Answer
from coven_desktop.engine.commands import fields
from coven_desktop.engine.engine import Engine
from coven_desktop.store import definitions, retry_state, schedule_state


def unquarantine(engine: Engine, body: Mapping[str, Any]) -> Answer:
    """Release a routine; one that is not quarantined is left as it is. Payload: `automationId`, `released`.

    Its timer is set anew, from its bound: the newest slot that came due meanwhile may still be planned, and none of
    the others counts as missed (decisions.md 39). Cadence and cron count from the release on.
    """
    automation_id = fields.legacy_id(body, "unquarantine")
    with engine.core.change() as tx:
        row = definitions.get(tx, automation_id)
        if row is None or row.tombstoned_at is not None:
            raise Refusal(f"no routine with id `{echo(automation_id)}`")
        released = retry_state.release(tx, automation_id)
        if released:
            if row.family != "rrule":
                schedule_state.count_from(tx, row.id, tx.now_text)
            planning.rearm(tx, row)
    engine.wake()
    return Answer({"automationId": automation_id, "released": released})
