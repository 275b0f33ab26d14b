"""A page of events for a reader of the change feed, with the checkpoint to go on from (contract/commands.md §6).

Every page leaves a checkpoint, so that reading writes; what a power cut takes of that is answered as unknown
(decisions.md 46).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import msgspec

from coven_desktop.contract import ids, timestamps
from coven_desktop.contract.errors import Code, TypedRefusal
from coven_desktop.store import feed
from coven_desktop.store.feed import FEED, Checkpoint, Stream
from coven_desktop.store.transactions import Transaction

HOUR_MS = 3_600_000
HOLDS_MS = 24 * HOUR_MS
"""For how long a checkpoint can be gone on from, and keeps what follows it from being pruned."""
KEPT_MS = 7 * 24 * HOUR_MS
"""For how long an expired one is still told from one that never was."""


@dataclass(frozen=True)
class Start:
    """Where reading begins: behind the cursor `after`, before the first event recorded at or after `since` (UTC
    milliseconds), or where the reader of `checkpoint` had come to; at the beginning when none of them is given.
    """

    after: int | None = None
    since: int | None = None
    checkpoint: str | None = None


class Position(NamedTuple):
    """The cursor to read behind, and what it is called on the wire: -1 is before the first, and told as null."""

    behind: int
    told: int | None


def page(tx: Transaction, stream: Stream, position: Position, limit: int) -> dict[str, Any]:
    """The next events of a stream, a new checkpoint behind them, and the cursors before and after.

    The events are JSON as it is stored, which the answer only passes on.
    """
    found = feed.page(tx, stream, position.behind, limit)
    reached = position.behind if found.last is None else found.last
    return {
        "stream": stream._asdict(),
        "after": position.told,
        "events": [msgspec.Raw(text) for text in found.events],
        "nextAfter": position.told if found.last is None else found.last,
        **_leave_checkpoint(tx, stream, reached),
    }


def resolve(tx: Transaction, stream: Stream, start: Start) -> Position:
    """Where reading begins. The feed begins where nothing is missing any more.

    Raises CURSOR_EXPIRED for what was pruned or a checkpoint whose time is over, NOT_FOUND for an unknown one,
    VALIDATION_FAILED for one of another stream.
    """
    extent = feed.extent(tx, stream)
    if start.since is not None:
        before = feed.before(tx, stream, timestamps.to_text(start.since))
        behind = extent.last if before is None else max(before, extent.first - 1)
        return _position(behind)
    if start.checkpoint is not None:
        behind = _checkpoint(tx, stream, start.checkpoint).cursor
    elif start.after is not None:
        behind = start.after
    elif stream.kind == FEED:
        return Position(extent.first - 1, None)
    else:
        behind = -1
    if behind + 1 < extent.first:
        raise _expired("what follows this cursor is not kept any more", tx.now_text)
    return _position(behind)


def _position(behind: int) -> Position:
    return Position(behind, behind if behind >= 0 else None)


def _checkpoint(tx: Transaction, stream: Stream, name: str) -> Checkpoint:
    found = feed.checkpoint(tx, name, kept_since=timestamps.to_text(tx.now - KEPT_MS))
    if found is None:
        raise TypedRefusal(Code.NOT_FOUND, "no checkpoint of this name; begin again with `after` or from the start")
    if found.stream != stream:
        raise TypedRefusal(Code.VALIDATION_FAILED, "the checkpoint is one of another stream")
    if found.expires_at <= tx.now_text:
        raise _expired("the checkpoint has expired; begin again with `after`", found.expires_at)
    return found


def _leave_checkpoint(tx: Transaction, stream: Stream, cursor: int) -> dict[str, str]:
    name = ids.new_checkpoint()
    expires_at = timestamps.to_text_capped(tx.now + HOLDS_MS)
    feed.put_away(tx, kept_since=timestamps.to_text(tx.now - KEPT_MS))
    feed.keep_checkpoint(tx, name, Checkpoint(stream, cursor, expires_at))
    return {"checkpoint": name, "checkpointExpiresAt": expires_at}


def _expired(message: str, at: str) -> TypedRefusal:
    return TypedRefusal(Code.CURSOR_EXPIRED, message, details={"expiredAt": at})
