"""events.read.v1, events.subscribe.v1 and our own wait: the change feed and its streams (contract/commands.md §6).

All answer with a page in `result` and without an event. A member that is null counts as absent, as in the pages
themselves, so that `nextAfter` can be handed back as it came.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from coven_desktop.contract import timestamps
from coven_desktop.contract.text import byte_length
from coven_desktop.engine import feed
from coven_desktop.engine.answers import Answer, Pending
from coven_desktop.engine.commands.fields import invalid
from coven_desktop.engine.engine import Engine
from coven_desktop.engine.event_waiters import PAGE, told
from coven_desktop.engine.feed import Start
from coven_desktop.store.feed import FEED, WHOLE, Stream, has_more

PAGE_LIMIT = 1_000
STREAM_ID_LIMIT = 320
CHECKPOINT_LIMIT = 512
SAFE_INTEGER = 2**53 - 1
WAIT_LIMIT = 30
KINDS = ("automation", "occurrence", "run", FEED)


def read(engine: Engine, body: Mapping[str, Any]) -> Answer:
    """events.read.v1: behind `after` or since `from`, up to `limit` events."""
    stream = stream_of(body)
    after, since = after_of(body), _from(body)
    if after is not None and since is not None:
        raise invalid("events are read behind `after` or since `from`, not both")
    limit = body.get("limit")
    if limit is None:
        limit = PAGE
    if not isinstance(limit, int) or isinstance(limit, bool) or not 1 <= limit <= PAGE_LIMIT:
        raise invalid(f"limit must be an integer from 1 to {PAGE_LIMIT:,}")
    return _page(engine, stream, Start(after=after, since=since), limit)


def subscribe(engine: Engine, body: Mapping[str, Any]) -> Answer:
    """events.subscribe.v1: behind `after` or where `checkpoint` had come to, up to 100 events."""
    stream, start = subscription_of(body)
    return _page(engine, stream, start, PAGE)


def subscription_of(body: Mapping[str, Any]) -> tuple[Stream, Start]:
    """What a subscription names. Raises VALIDATION_FAILED."""
    stream = stream_of(body)
    after, checkpoint = after_of(body), body.get("checkpoint")
    if "limit" in body:
        raise invalid(f"limit is not taken here: a page of a subscription has up to {PAGE} events")
    if checkpoint is None:
        return stream, Start(after=after)
    if after is not None:
        raise invalid("a subscription goes on behind `after` or from `checkpoint`, not both")
    if not isinstance(checkpoint, str) or not 1 <= byte_length(checkpoint) <= CHECKPOINT_LIMIT:
        raise invalid(f"checkpoint must be text of 1 to {CHECKPOINT_LIMIT} bytes, as a page gave it")
    return stream, Start(checkpoint=checkpoint)


def wait(engine: Engine, body: Mapping[str, Any]) -> Answer | Pending:
    """coven.desktop.events.wait.v1, of ours: a subscription that is answered when there is something to tell.

    At once when there are events behind `after` or `checkpoint`; else when one comes, or with an empty page when
    `waitSeconds` (0 to 30, 30 when absent) are over. Raises CONCURRENCY_LIMIT when very many wait already.
    """
    stream, start = subscription_of(body)
    seconds = body.get("waitSeconds")
    if seconds is None:
        seconds = WAIT_LIMIT
    if not isinstance(seconds, int) or isinstance(seconds, bool) or not 0 <= seconds <= WAIT_LIMIT:
        raise invalid(f"waitSeconds must be an integer from 0 to {WAIT_LIMIT}")
    with engine.core.passing_change() as tx:
        position = feed.resolve(tx, stream, start)
        if seconds == 0 or has_more(tx, stream, position.behind):
            return told(feed.page(tx, stream, position, PAGE))
    return engine.event_waiters.wait(stream, position, seconds * 1000)


def stream_of(body: Mapping[str, Any]) -> Stream:
    """The stream that a request names. Raises VALIDATION_FAILED."""
    stream = body.get("stream")
    if not isinstance(stream, dict) or set(stream) != {"kind", "id"}:
        raise invalid("stream must be an object with kind and id alone")
    kind, stream_id = stream["kind"], stream["id"]
    if kind not in KINDS:
        raise invalid(f"stream.kind must be {', '.join(KINDS[:-1])} or {KINDS[-1]}")
    if not isinstance(stream_id, str) or not 1 <= len(stream_id) <= STREAM_ID_LIMIT:
        raise invalid(f"stream.id must be text of 1 to {STREAM_ID_LIMIT} characters")
    if kind == FEED and stream_id != WHOLE:
        raise invalid(f"stream.id of the feed must be {WHOLE}")
    return Stream(kind, stream_id)


def after_of(body: Mapping[str, Any]) -> int | None:
    """The cursor that a request goes on behind. Raises VALIDATION_FAILED."""
    after = body.get("after")
    if after is None:
        return None
    if not isinstance(after, int) or isinstance(after, bool) or not 0 <= after <= SAFE_INTEGER:
        raise invalid("after must be a sequence: an integer from 0 to 2^53-1")
    return after


def _from(body: Mapping[str, Any]) -> int | None:
    since = body.get("from")
    if since is None:
        return None
    try:
        if isinstance(since, str) and timestamps.is_timestamp(since):
            return timestamps.parse(since)
    except ValueError:
        pass  # the shape of an instant, and no day of the calendar
    raise invalid("from must be a UTC timestamp such as 2026-08-30T09:00:00.000Z")


def _page(engine: Engine, stream: Stream, start: Start, limit: int) -> Answer:
    with engine.core.passing_change() as tx:
        return told(feed.page(tx, stream, feed.resolve(tx, stream, start), limit))
