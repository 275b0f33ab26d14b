"""Reading what a command printed, also while it is being written. The format is told in `output_writer.py`."""

from __future__ import annotations

import codecs
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Literal, NamedTuple

from coven_desktop.runtime.output_writer import HEADER, LOST, MAGIC, RECORD, STDERR, STDOUT, places

Stream = Literal["stdout", "stderr", "mark"]

_STREAMS: dict[int, Stream] = {STDOUT: "stdout", STDERR: "stderr", LOST: "mark"}
_ATTEMPTS = 5
_BLOCK_BYTES = 64 * 1024


class OutputError(ValueError):
    """The file is not an output log, or is damaged."""


class Record(NamedTuple):
    """What one stream printed within about 50 ms; or a mark for what is not there.

    `offset` is logical: it grows from record to record. `instant` is a wall instant in milliseconds. A mark has no
    data; its `dropped` says how many bytes of output are missing there (for a follower that was overtaken: at most).
    """

    offset: int
    instant: int
    stream: Stream
    data: bytes
    dropped: int


class _Header(NamedTuple):
    head_capacity: int
    ring_capacity: int
    head_end: int
    tail: int
    end: int
    pushed_out: int


def read(path: Path, *, after: int | None = None, at_most: int = 1 << 20) -> tuple[list[Record], int]:
    """The records from offset `after` on (None: from the start) and the offset to go on from.

    Stops when `at_most` bytes of the file are read; there is nothing more for now when no record comes. A file that
    does not exist yet has no records. Raises OutputError when it is not an output log or the offset is none that was
    given, OSError when it cannot be read.
    """
    position = HEADER.size if after is None else after
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return [], position
    records: list[Record] = []
    begin = position
    length = _BLOCK_BYTES
    try:
        header = _read_header(descriptor)
        while header is not None and position < header.end and position - begin < at_most:
            if header.head_end and header.head_end <= position < header.tail:
                whole = position == header.head_end
                missing = header.pushed_out if whole else header.tail - position
                records.append(Record(position, records[-1].instant if records else 0, "mark", b"", missing))
                begin += header.tail - position
                position = header.tail
                continue
            # many records at once: what costs is the reading, not the bytes; a block does not lead over a gap
            there = (header.head_end if position < header.head_end else header.end) - position
            asked = min(length, there)
            block = _read(descriptor, header, position, asked)
            largest = header.head_capacity + header.ring_capacity
            # only what is still within the bounds now was not overwritten while it was read
            header = _read_header(descriptor)
            if header is None or (header.head_end and header.head_end <= position < header.tail):
                continue
            place = 0
            length = _BLOCK_BYTES
            while place < asked and position - begin < at_most:
                record, size = _record(block, place, position, largest)
                if record is None:
                    if not asked < place + size <= there:
                        raise OutputError(f"The output is damaged at offset {position}.")
                    length = max(length, size)
                    break
                records.append(record)
                place += size
                position += size
    finally:
        os.close(descriptor)
    return records, position


def end(path: Path) -> int:
    """The offset behind the last record there is. Raises as `read`."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return HEADER.size
    try:
        header = _read_header(descriptor)
        return HEADER.size if header is None else header.end
    finally:
        os.close(descriptor)


def before(path: Path, offset: int, length: int) -> bytes:
    """The last `length` bytes of the record that ends at an offset; nothing when they are not kept any more."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return b""
    try:
        header = _read_header(descriptor)
        start = offset - length
        if header is None or start < HEADER.size or offset > header.end:
            return b""
        data = _read(descriptor, header, start, length)
        # only what is still within the bounds now was not overwritten while it was read
        header = _read_header(descriptor)
        kept = header is not None and not (header.head_end and header.head_end <= start < header.tail)
        return data if kept else b""
    finally:
        os.close(descriptor)


def text(records: Iterable[Record]) -> str:
    """The output as text, marks as a line in brackets. Bytes that are not UTF-8 become replacement characters."""
    decoders = {name: codecs.getincrementaldecoder("utf-8")("replace") for name in ("stdout", "stderr")}
    parts = []
    for record in records:
        if record.stream == "mark":
            parts.append(f"\n[… {record.dropped:,} bytes are not kept …]\n")
        else:
            parts.append(decoders[record.stream].decode(record.data))
    parts.extend(decoder.decode(b"", final=True) for decoder in decoders.values())
    return "".join(parts)


def _read_header(descriptor: int) -> _Header | None:
    """The header, or None while there is none yet."""
    for _ in range(_ATTEMPTS):
        data = os.pread(descriptor, HEADER.size, 0)
        if len(data) < HEADER.size:
            return None
        serial, magic, *fields, serial_again = HEADER.unpack(data)
        if magic != MAGIC:
            raise OutputError("The file is not an output log.")
        if serial == serial_again:
            return _Header(*fields)
    return None


def _record(block: bytes, place: int, position: int, largest: int) -> tuple[Record | None, int]:
    """The record at a place of a block, which begins at the logical offset `position`, and its whole size.

    No record: it lies in the block in part only, or, when its size is 0, there is none.
    """
    if len(block) - place < RECORD.size:
        return None, RECORD.size
    offset, instant, length, stream = RECORD.unpack_from(block, place)
    if offset != position or stream not in _STREAMS or length > largest:
        return None, 0
    start, end = place + RECORD.size, place + RECORD.size + length
    if end > len(block):
        return None, RECORD.size + length
    data = block[start:end]
    if stream == LOST:
        return Record(offset, instant, "mark", b"", int.from_bytes(data, "little")), RECORD.size + length
    return Record(offset, instant, _STREAMS[stream], data, 0), RECORD.size + length


def _read(descriptor: int, header: _Header, offset: int, length: int) -> bytes:
    stretches = places(offset, length, header.head_end, header.head_capacity, header.ring_capacity)
    return b"".join(os.pread(descriptor, part, position) for position, part in stretches)
