"""What a command prints, on disk within a bound: the first half of the limit is kept, of the rest the newest half.

The file has three parts. A header; the head, filled once; and a ring, in which each new record pushes
out the oldest ones. Records are addressed by logical offsets that only grow, so that a reader can follow the file
while it is written and notice what it missed. The header is written before anything is overwritten and again after
something was added; what lies between its `tail` and `end` is whole at every instant, also when the host is killed.

Part of the host: imports as little as possible. The readers are in `output_log.py`.
"""

from __future__ import annotations

import os
from struct import Struct

MAGIC = b"CVNOUT1\n"
STDOUT, STDERR, LOST = 1, 2, 3
HEADER = Struct("<Q8sQQQQQQQ")
"""serial, magic, head capacity, ring capacity, logical end of the head (0 while it is filled), tail, end, payload
bytes pushed out, serial again: a reader that finds the two serials differing has read in the middle of a write."""
RECORD = Struct("<QqIB3x")
"""logical offset, wall instant in milliseconds, length of the payload, stream. A LOST record's payload is the number
of bytes that could not be written (8 bytes, little-endian)."""
SMALLEST_LIMIT = 4096
_LARGEST_RECORD = 1 << 20


class OutputWriter:
    """Appends records to one file that never grows beyond `limit` bytes. A full disk loses output, never raises."""

    def __init__(self, folder: int, name: str, limit: int) -> None:
        limit = max(limit, SMALLEST_LIMIT)
        self._folder = folder
        self._name = name
        self._head_capacity = limit // 2
        self._ring_capacity = limit - self._head_capacity
        # several records always fit in each half
        self._largest = min(_LARGEST_RECORD, self._ring_capacity // 4)
        self._descriptor = -1
        self._serial = 0
        self._head_end = 0
        self._tail = 0
        self._end = HEADER.size
        self._pushed_out = 0
        self._lost = 0
        self._lost_untold = 0
        self._open()

    @property
    def dropped(self) -> int:
        """Bytes of output that are not kept: pushed out by newer ones, or lost to a full disk."""
        return self._pushed_out + self._lost

    def append(self, instant: int, stream: int, data: bytes | bytearray) -> None:
        """Add what a stream printed, as one record where it fits."""
        if self._lost_untold and self._put(instant, LOST, self._lost_untold.to_bytes(8, "little")):
            self._lost_untold = 0
        rest = memoryview(data)
        while rest:
            part = rest[: self._room()]
            if not self._put(instant, stream, part):
                self._lost += len(part)
                self._lost_untold += len(part)
            rest = rest[len(part) :]

    def close(self) -> None:
        """Bring everything to the disk, as far as it goes."""
        if self._descriptor >= 0:
            try:
                os.fdatasync(self._descriptor)
            except OSError:
                return  # what is lost now shows in the digest: it is the evidence that counts
            finally:
                os.close(self._descriptor)
                self._descriptor = -1

    def _open(self) -> bool:
        if self._descriptor >= 0:
            return True
        flags = os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC | os.O_NOFOLLOW
        try:
            self._descriptor = os.open(self._name, flags, 0o600, dir_fd=self._folder)
            self._write_header()
        except OSError:
            if self._descriptor >= 0:
                os.close(self._descriptor)
            self._descriptor = -1
            return False
        return True

    def _room(self) -> int:
        """How long the next payload may be; closes the head when nothing useful fits into it any more."""
        if not self._head_end:
            room = self._head_capacity - self._end - RECORD.size
            if room > 0:
                return min(room, self._largest)
            self._head_end = self._tail = self._end
        return self._largest

    def _put(self, instant: int, stream: int, payload: bytes | memoryview) -> bool:
        if not self._open():
            return False
        size = RECORD.size + len(payload)
        if not self._head_end and self._end + size > self._head_capacity:
            self._head_end = self._tail = self._end
        record = RECORD.pack(self._end, instant, len(payload), stream) + bytes(payload)
        try:
            if self._head_end and self._end + size - self._tail > self._ring_capacity:
                self._push_out(self._end + size - self._ring_capacity)
                self._write_header()
            for position, part in self._places(self._end, record):
                self._write(part, position)
            self._end += size
            self._write_header()
        except OSError:
            return False
        return True

    def _push_out(self, keep_from: int) -> None:
        """Move the tail past every record that begins before `keep_from`."""
        while self._tail < keep_from:
            header = b"".join(
                os.pread(self._descriptor, length, position)
                for position, length in places(
                    self._tail, RECORD.size, self._head_end, self._head_capacity, self._ring_capacity
                )
            )
            _, _, length, stream = RECORD.unpack(header)
            self._tail += RECORD.size + length
            if stream != LOST:
                self._pushed_out += length

    def _places(self, offset: int, data: bytes) -> list[tuple[int, bytes]]:
        found = []
        done = 0
        for position, length in places(offset, len(data), self._head_end, self._head_capacity, self._ring_capacity):
            found.append((position, data[done : done + length]))
            done += length
        return found

    def _write_header(self) -> None:
        self._serial += 1
        header = HEADER.pack(
            self._serial,
            MAGIC,
            self._head_capacity,
            self._ring_capacity,
            self._head_end,
            self._tail,
            self._end,
            self._pushed_out,
            self._serial,
        )
        self._write(header, 0)

    def _write(self, data: bytes, position: int) -> None:
        rest = memoryview(data)
        while rest:
            written = os.pwrite(self._descriptor, rest, position)
            position += written
            rest = rest[written:]


def places(offset: int, length: int, head_end: int, head_capacity: int, ring_capacity: int) -> list[tuple[int, int]]:
    """Where a stretch of logical offsets lies in the file: (position, length) once, or twice around the ring's end."""
    if not head_end or offset < head_end:
        return [(offset, length)]
    start = (offset - head_end) % ring_capacity
    first = min(length, ring_capacity - start)
    found = [(head_capacity + start, first)]
    if first < length:
        found.append((head_capacity, length - first))
    return found
