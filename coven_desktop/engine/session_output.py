"""What a session printed, as the socket tells it: a log of lines, or events behind a cursor (contract/api.md a).

Both come piece by piece, so that nobody holds the loop: 10 MiB of output are a few hundred pieces. A character whose
bytes lie in two records is told with the second one, also when a page ends between them.
"""

from __future__ import annotations

import codecs
import json
from collections.abc import Generator, Iterator
from itertools import pairwise
from typing import Any, NamedTuple

from coven_desktop.contract import timestamps
from coven_desktop.contract.errors import Refusal
from coven_desktop.engine.reads import Reads
from coven_desktop.runtime.output_log import OutputError, Record, Stream

# Read at a time, of which a few milliseconds are spent.
PIECE_BYTES = 24 * 1024
PAGE_BYTES = 256 * 1024
"""A page of events has about this much output at most, so that it always fits into an answer."""
EVENTS_LIMIT = 1_000
OPEN = ("created", "running", "orphaned")


def log_lines(reads: Reads, session_id: str) -> Iterator[list[dict[str, Any]]]:
    """All that is kept of what a session printed, as `{ts, level, message}` in order, some at a time.

    stdout is `info`, stderr `error`; where output was not kept stands one line of level `warn` that says how much.
    """
    decoders = _Decoders()
    records, position = reads.session_output(session_id, at_most=PIECE_BYTES)
    while records:
        yield [_line(record, decoders) for record in records]
        records, position = reads.session_output(session_id, position, at_most=PIECE_BYTES)


def events(reads: Reads, session: dict[str, Any], after: int, limit: int) -> Generator[None, None, dict[str, Any]]:
    """Up to `limit` events of a session behind the cursor `after` (0: from the beginning), and how to go on.

    Yields between pieces; the page is what it returns. Kinds: `output`, with `data` and its `stream`;
    `output_truncated` where output is not kept; `exit`, once, behind everything, with `status` and `exitCode`. Raises
    Refusal for a cursor that no page gave.
    """
    session_id = str(session["id"])
    ended = session["status"] not in OPEN
    begin = _Cursor.read(after)
    found = _Page(session_id, begin, reads)
    position = begin.offset
    while len(found.events) < limit and found.size < PAGE_BYTES:
        try:
            records, following = reads.session_output(session_id, position or None, at_most=PIECE_BYTES)
        except OutputError as error:
            if position == begin.offset != 0:
                raise Refusal("afterSeq must be the seq of an event of this session") from error
            raise
        if not records:
            position = following
            break
        bounds = [*(record.offset for record in records), following]
        for record, (_, behind) in zip(records, pairwise(bounds), strict=True):
            if len(found.events) == limit:
                break
            found.add(record, behind)
            position = behind
        yield
    end = reads.session_output_end(session_id)
    full = position < end
    found.settle(more_comes=not full and not ended)
    exit_seq = _Cursor(end + 1).written()
    more = full or (ended and after < exit_seq)
    if more and not full and len(found.events) < limit:
        payload = {"status": session["status"], "exitCode": session["exit_code"]}
        found.put(exit_seq, "exit", payload, str(session["updated_at"]))
        more = False
    last = found.events[-1]["seq"] if found.events else None
    return {"events": found.events, "nextCursor": None if last is None else {"afterSeq": last}, "hasMore": more}


class _Cursor(NamedTuple):
    """How far a reader has come: behind the record that ends at an offset, save for the last bytes of it, 3 at most,
    that are the beginning of a character of a stream. On the wire it is one integer that grows.
    """

    offset: int
    stream: Stream = "stdout"
    unfinished: int = 0

    @classmethod
    def read(cls, seq: int) -> _Cursor:
        offset, rest = divmod(seq, 8)
        return cls(offset, "stderr" if rest & 4 else "stdout", rest & 3)

    def written(self) -> int:
        return self.offset * 8 + (4 if self.stream == "stderr" else 0) + self.unfinished


class _Page:
    """The events of a page as it grows."""

    def __init__(self, session_id: str, begin: _Cursor, reads: Reads) -> None:
        self.events: list[dict[str, Any]] = []
        self.size = 0
        self._session_id = session_id
        self._decoders = _Decoders()
        self._continued = 0
        if begin.unfinished:
            self._decoders.begin(begin, reads.session_output_before(session_id, begin.offset, begin.unfinished))

    def add(self, record: Record, behind: int) -> None:
        """What a record says; `behind` is the offset at which it ends."""
        at = timestamps.to_text(record.instant)
        cursor: _Cursor | None = _Cursor(behind)
        if record.stream == "mark":
            self.put(behind * 8, "output_truncated", {"droppedEvents": 1, "droppedBytes": record.dropped}, at)
        else:
            data = self._decoders.decode(record)
            cursor = self._decoders.cursor(record, behind)
            seq = (cursor or _Cursor(behind)).written()
            self.put(seq, "output", {"data": data, "stream": record.stream}, at)
        self.size += len(record.data)
        if cursor is not None:
            self._continued = len(self.events)

    def put(self, seq: int, kind: str, payload: dict[str, Any], at: str) -> None:
        """Add one event."""
        self.events.append(
            {
                "seq": seq,
                "id": f"{self._session_id}-{seq}",
                "session_id": self._session_id,
                "kind": kind,
                "payload_json": json.dumps(payload, ensure_ascii=False, separators=(",", ":")),
                "created_at": at,
            }
        )

    def settle(self, *, more_comes: bool) -> None:
        """End the page where it can be gone on from without losing a character; what follows is told by the next one.

        Where there is no such place the page is given as it is, unless a place comes with what is still printed.
        """
        if more_comes or self._continued:
            del self.events[self._continued :]


class _Decoders:
    """UTF-8 of the two streams, each with its own unfinished character; what is none becomes U+FFFD."""

    def __init__(self) -> None:
        self._streams = {name: codecs.getincrementaldecoder("utf-8")("replace") for name in ("stdout", "stderr")}

    def begin(self, cursor: _Cursor, unfinished: bytes) -> None:
        """Go on behind the beginning of a character."""
        self._streams[cursor.stream].decode(unfinished)

    def decode(self, record: Record) -> str:
        """The text of a record, as far as its characters are whole."""
        return self._streams[record.stream].decode(record.data)

    def cursor(self, record: Record, behind: int) -> _Cursor | None:
        """Where a reader stands behind a record just decoded; None where no cursor can say it."""
        unfinished = {name: len(stream.getstate()[0]) for name, stream in self._streams.items()}
        count = unfinished.pop(record.stream)
        if any(unfinished.values()) or count > len(record.data):
            return None
        return _Cursor(behind, record.stream, count)


def _line(record: Record, decoders: _Decoders) -> dict[str, Any]:
    if record.stream == "mark":
        level, message = "warn", f"\n[… {record.dropped:,} bytes are not kept …]\n"
    else:
        level = "error" if record.stream == "stderr" else "info"
        message = decoders.decode(record)
    return {"ts": timestamps.to_text(record.instant), "level": level, "message": message}
