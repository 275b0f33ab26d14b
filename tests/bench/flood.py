"""Write a session's log as its host would, as much as fits: python flood.py FOLDER SECONDS."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))

from coven_desktop.runtime.output_writer import STDERR, STDOUT, OutputWriter

# As the host does it: at most one record per 50 ms and stream.
RECORD_MS = 50
RECORD_BYTES = 256 * 1024
LOG_LIMIT = 10 << 20


def flood(folder: Path, seconds: float) -> None:
    """Five million bytes a second, an eighth as much of errors."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    writer = OutputWriter(os.open(folder, os.O_RDONLY), "output", LOG_LIMIT)
    lines = b"".join(b"line %06d of a command that prints far too much\n" % number for number in range(6_000))
    ends = time.monotonic() + seconds
    while time.monotonic() < ends:
        writer.append(time.time_ns() // 1_000_000, STDOUT, lines[:RECORD_BYTES])
        writer.append(time.time_ns() // 1_000_000, STDERR, lines[: RECORD_BYTES // 8])
        time.sleep(RECORD_MS / 1000)


if __name__ == "__main__":
    flood(Path(sys.argv[1]), float(sys.argv[2]))
