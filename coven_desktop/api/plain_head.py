"""The head of a request in its plainest form, read at a tenth of the cost of the whole grammar.

Nearly every client sends just this: HTTP/1.1, ordinary lines, one Host, at most one plain length. What is not
plainly so is nobody's fault here: it is left to h11 and the checks behind it, which say what is wrong with it, if
anything is. So this never refuses, and what it accepts h11 accepts with the same meaning (a test compares them).
"""

from __future__ import annotations

import re

from coven_desktop.api.request_head import BODY_BYTES, HEAD_BYTES, HEAD_LINES, TARGET_BYTES, Head

_HEAD = re.compile(rb"([A-Z]{1,20}) (/[!-~]*+) HTTP/1\.1\r\n((?>[A-Za-z0-9-]{1,100}: ?[!-~](?>[ -~]*)\r\n)+)\r\n")
_MORE_TO_IT = frozenset((b"transfer-encoding", b"expect"))


def read(data: bytearray) -> tuple[Head, int] | None:
    """The head at the beginning of `data` and its size in bytes, or None when it is not whole or not plain."""
    found = _HEAD.match(data)
    if found is None or found.end() > HEAD_BYTES:
        return None
    method, target, block = found.groups()
    lines = block.split(b"\r\n")
    lines.pop()
    if len(lines) > HEAD_LINES or len(target) > TARGET_BYTES:
        return None
    hosts = 0
    length = b""
    kept = closed = False
    for line in lines:
        name, _, value = line.partition(b":")
        name = name.lower()
        if name == b"host":
            hosts += 1
        elif name == b"content-length":
            value = value.strip(b" ")
            if length or not value.isdigit() or len(value) > 10:
                return None
            length = value
        elif name == b"connection":
            for part in value.lower().split(b","):
                word = part.strip(b" ")
                kept = kept or word == b"keep-alive"
                closed = closed or word == b"close"
        elif name in _MORE_TO_IT:
            return None
    size = int(length or 0)
    if hosts != 1 or size > BODY_BYTES:
        return None
    return Head(method.decode("ascii"), target.decode("ascii"), size, False, kept and not closed), found.end()
