"""Reading the change feed and the streams in it, and the checkpoints of those who do (contract/commands.md §6).

A cursor is the last sequence that was seen; of the feed it is the last position, counted from 0. -1 is before the
first. What retention has deleted is told by where a stream now begins: nothing at or beyond that is missing.
"""

from __future__ import annotations

from typing import NamedTuple

from coven_desktop.store import maintenance
from coven_desktop.store.retention import PRUNED_THROUGH
from coven_desktop.store.transactions import Reader, Transaction

FEED = "feed"
WHOLE = "all"
PRUNED_AT_ONCE = 100
"""How many checkpoints are put away by one read at most."""


class Stream(NamedTuple):
    """One stream of events; the feed of all of them is `feed`, `all`."""

    kind: str
    id: str


class Extent(NamedTuple):
    """The first cursor of a stream that can be read, and the last one; `first` is `last` + 1 when there is none."""

    first: int
    last: int


class Page(NamedTuple):
    """Events in order, the JSON text of each as it is stored, and the cursor of the last; None for an empty page."""

    events: list[str]
    last: int | None


class Checkpoint(NamedTuple):
    """Where a reader had come to, until when that holds."""

    stream: Stream
    cursor: int
    expires_at: str


def extent(reader: Reader, stream: Stream) -> Extent:
    """What of a stream can be read. Of a stream that was pruned the end is still known; an unknown one is empty."""
    if stream.kind == FEED:
        # positions are counted from 1
        first = int(maintenance.get(reader, PRUNED_THROUGH) or 0)
        return Extent(first, newest(reader) - 1)
    ends = reader.one("SELECT next_sequence FROM event_streams WHERE kind = ? AND id = ?", stream)
    if ends is None:
        return Extent(0, -1)
    ((begin,),) = reader.query("SELECT min(sequence) FROM events WHERE stream_kind = ? AND stream_id = ?", stream)
    return Extent(ends[0] if begin is None else begin, ends[0] - 1)


def before(reader: Reader, stream: Stream, recorded_at: str) -> int | None:
    """The cursor just before the first event recorded at or after an instant (text); None when there is no such event.

    The first of the feed is the one recorded first, wherever a clock that was set back has put it.
    """
    if stream.kind == FEED:
        row = reader.one(
            "SELECT position - 2 FROM events WHERE recorded_at >= ? ORDER BY recorded_at, position LIMIT 1",
            (recorded_at,),
        )
    else:
        row = reader.one(
            "SELECT sequence - 1 FROM events WHERE stream_kind = ? AND stream_id = ? AND recorded_at >= ?"
            " ORDER BY sequence LIMIT 1",
            (*stream, recorded_at),
        )
    return row[0] if row is not None else None


def page(reader: Reader, stream: Stream, cursor: int, limit: int) -> Page:
    """The next events behind a cursor."""
    if stream.kind == FEED:
        rows = reader.query(
            "SELECT position - 1, body FROM events WHERE position > ? ORDER BY position LIMIT ?", (cursor + 1, limit)
        )
    else:
        rows = reader.query(
            "SELECT sequence, body FROM events WHERE stream_kind = ? AND stream_id = ? AND sequence > ?"
            " ORDER BY sequence LIMIT ?",
            (*stream, cursor, limit),
        )
    return Page([body for _, body in rows], rows[-1][0] if rows else None)


def has_more(reader: Reader, stream: Stream, cursor: int) -> bool:
    """Whether there are events behind a cursor."""
    return extent(reader, stream).last > cursor


def newest(reader: Reader) -> int:
    """The last position of the feed, counted from 1; 0 when it is empty."""
    return reader.number("SELECT max(position) FROM events")


def touched(reader: Reader, since: int) -> set[Stream]:
    """The streams that events beyond a position, counted from 1, belong to."""
    rows = reader.query("SELECT DISTINCT stream_kind, stream_id FROM events WHERE position > ?", (since,))
    return {Stream(*row) for row in rows}


def checkpoint(reader: Reader, name: str, *, kept_since: str) -> Checkpoint | None:
    """A checkpoint that was given out; None for one that ended at `kept_since` (text) or earlier."""
    row = reader.one(
        "SELECT stream_kind, stream_id, cursor, expires_at FROM event_checkpoints WHERE checkpoint = ?"
        " AND expires_at > ?",
        (name, kept_since),
    )
    return Checkpoint(Stream(row[0], row[1]), row[2], row[3]) if row is not None else None


def keep_checkpoint(tx: Transaction, name: str, found: Checkpoint) -> None:
    """Remember where a reader has come to."""
    tx.change(
        "INSERT INTO event_checkpoints (checkpoint, stream_kind, stream_id, cursor, expires_at) VALUES (?, ?, ?, ?, ?)",
        (name, *found.stream, found.cursor, found.expires_at),
    )


def put_away(tx: Transaction, *, kept_since: str, limit: int = PRUNED_AT_ONCE) -> None:
    """Let checkpoints lapse whose time is over, delete those that ended at `kept_since` or earlier: so many each."""
    chosen = "(SELECT checkpoint FROM event_checkpoints WHERE lapsed = ? AND expires_at <= ? LIMIT ?)"
    tx.change(f"DELETE FROM event_checkpoints WHERE checkpoint IN {chosen}", (1, kept_since, limit))
    tx.change(f"UPDATE event_checkpoints SET lapsed = 1 WHERE checkpoint IN {chosen}", (0, tx.now_text, limit))
