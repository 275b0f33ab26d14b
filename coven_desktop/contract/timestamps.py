"""Instants as text and back. In code an instant is an `int`: UTC milliseconds since the epoch.

Text is RFC 3339 in UTC with exactly three fraction digits, truncated and never rounded; only the
`scheduledFor` of a manual occurrence has nine (contract/engine.md, general encoding rules). All our text
has one length per kind, so comparing text compares instants.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_UTC_SUFFIX = len("+00:00")
_MILLISECOND = timedelta(milliseconds=1)
_NS_PER_SECOND = 1_000_000_000
# 9999-12-31T23:59:59.999Z: no instant after it has a text.
LAST = 253_402_300_799_999
_WIRE = re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{3})?Z", re.ASCII)
_READABLE = re.compile(
    r"(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.(\d{1,9}))?(?:Z|([+-])([01]\d|2[0-3]):([0-5]\d))", re.ASCII
)


def to_text(ms: int) -> str:
    """`2026-08-30T09:00:00.000Z` for UTC milliseconds. ValueError outside the years 0001 to 9999."""
    return _naive_text(ms, "milliseconds") + "Z"


def to_text_capped(ms: int) -> str:
    """The same for what is to end some time from now, such as a lease: what would end after 9999 ends with it."""
    return to_text(min(ms, LAST))


def to_text_ns(ns: int) -> str:
    """`2026-08-30T09:00:00.000000000Z` for UTC nanoseconds. ValueError outside the years 0001 to 9999."""
    seconds, fraction = divmod(ns, _NS_PER_SECOND)
    return f"{_naive_text(seconds * 1000, 'seconds')}.{fraction:09}Z"


def parse(text: str) -> int:
    """UTC milliseconds of a timestamp with 0 to 9 fraction digits and `Z` or an offset `±hh:mm`.

    What is finer than a millisecond is cut off. ValueError for anything else, also for dates that do
    not exist and for instants outside the years 0001 to 9999.
    """
    match = _READABLE.fullmatch(text)
    if match is None:
        raise ValueError("not an RFC 3339 timestamp")
    local_text, fraction, sign, hours, minutes = match.groups()
    local = datetime.fromisoformat(local_text).replace(tzinfo=UTC)
    ms = (local - _EPOCH) // _MILLISECOND
    if fraction:
        ms += int(fraction[:3].ljust(3, "0"))
    if sign:
        offset = (int(hours) * 60 + int(minutes)) * 60_000
        ms -= offset if sign == "+" else -offset
        _moment(ms)
    return ms


def is_timestamp(text: str) -> bool:
    """Whether the text has the wire's shape (contract/commands.md §1.1): digits, `Z`, no or three fraction digits.

    The grammar asks for digits only; whether that day exists is for `parse` to say.
    """
    return _WIRE.fullmatch(text) is not None


def _moment(ms: int) -> datetime:
    try:
        return _EPOCH + timedelta(milliseconds=ms)
    except OverflowError:
        raise ValueError("an instant outside the years 0001 to 9999") from None


def _naive_text(ms: int, timespec: str) -> str:
    return _moment(ms).isoformat(timespec=timespec)[:-_UTC_SUFFIX]
