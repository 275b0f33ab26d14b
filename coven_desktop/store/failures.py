"""What failed since an instant, from the feed. Only reads; instants are the store's RFC 3339 text."""

from __future__ import annotations

from typing import NamedTuple

from coven_desktop.store.transactions import Reader


class FailuresRecord(NamedTuple):
    """How many occurrences became failed, and when the first of them was due. `position`: how far the feed was read."""

    position: int
    amount: int
    due_from: str | None


def since(reader: Reader, instant: str, after: int, decided: str) -> FailuresRecord:
    """Those that became failed after an instant and, unless it is 0, behind a position of the feed.

    A person who decides that one failed knows it: such reasons begin with `decided`.
    """
    # by the one index or by the other: few events came since the position, and before there is one, since the instant
    behind = "e.position > ? AND +e.recorded_at > ?" if after else "+e.position > ? AND e.recorded_at > ?"
    with reader.snapshot():
        position = reader.number("SELECT ifnull(max(position), 0) FROM events")
        rows = reader.query(
            "SELECT count(*), min(o.scheduled_for) FROM events e CROSS JOIN occurrences o ON o.id = e.stream_id"
            f" WHERE {behind} AND e.kind = 'occurrence.transitioned' AND o.state = 'failed'"
            " AND json_extract(e.body, '$.payload.to') = 'failed'"
            " AND ifnull(json_extract(e.body, '$.payload.reason'), '') NOT LIKE ? || '%'",
            (after, instant, decided),
        )
    amount, due_from = rows[0]
    return FailuresRecord(position, amount, due_from)
