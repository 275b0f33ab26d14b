"""`/sessions` and what a session printed: from the `sessionId` of a run to its output (contract/api.md a).

Ids are taken as they stand in the path or the query: nothing is decoded. Members are in snake case, as clients know
them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import msgspec

from coven_desktop.api.messages import Response, json_response, route_error
from coven_desktop.api.piecewise import Work
from coven_desktop.contract import cursor
from coven_desktop.contract.errors import Refusal
from coven_desktop.engine import session_output
from coven_desktop.engine.engine import Engine

PAGE = 100
PAGE_LIMIT = 1_000
NEWEST = 1_000
"""How many sessions the list without a page has: the newest."""
SAFE_INTEGER = 2**53 - 1

NO_SESSION = route_error(404, "session_not_found", "No session has this id.")

_SESSION = re.compile(r"/sessions/([^/]+)(/log|/events)?")
_PIECE = 50
_PAGED_BY = ("limit", "cursor", "includeArchived")


def answer(engine: Engine, path: str, query: str) -> Response | Work | None:
    """The answer to a GET of a path below `/api/v1`, or of its alias; None when the path is none of these."""
    asked = _parameters(query)
    if path == "/events":
        session_id = asked.get("sessionId")
        if not session_id:
            return _invalid("sessionId is needed: /events?sessionId=…")
        return _events(engine, session_id, asked)
    if path == "/sessions":
        return _page_of_sessions(engine, asked) if any(name in asked for name in _PAGED_BY) else _all(engine)
    found = _SESSION.fullmatch(path)
    if found is None:
        return None
    if found[2] == "/events":
        return _events(engine, found[1], asked)
    # looked up first: only an id that the store knows ever becomes the name of a folder
    record = engine.reads.session(found[1])
    if record is None:
        return NO_SESSION
    return _log(engine, found[1]) if found[2] == "/log" else json_response(200, record)


def _parameters(query: str) -> dict[str, str]:
    """The parameters of a query; the first one of a name counts."""
    pairs = (part.partition("=") for part in reversed(query.split("&")) if part)
    return {name: value for name, _, value in pairs}


class _Array:
    """A JSON array that grows piece by piece and is put together once: it may have 10 MiB."""

    def __init__(self) -> None:
        self._parts: list[bytes | memoryview] = [b"["]

    def add(self, values: list[dict[str, Any]]) -> None:
        """Some more elements, one at least."""
        if len(self._parts) > 1:
            self._parts.append(b",")
        self._parts.append(memoryview(msgspec.json.encode(values))[1:-1])

    def response(self) -> Response:
        """The whole of it."""
        self._parts.append(b"]")
        return Response(200, b"".join(self._parts))


def _log(engine: Engine, session_id: str) -> Work:
    array = _Array()
    for lines in session_output.log_lines(engine.reads, session_id):
        array.add(lines)
        yield
    return array.response()


def _events(engine: Engine, session_id: str, asked: dict[str, str]) -> Response | Work:
    after = _integer(asked.get("afterSeq", "0"))
    if after is None:
        return _invalid("afterSeq must be an integer from 0")
    limit = _integer(asked.get("limit", str(session_output.EVENTS_LIMIT)))
    if limit is None or not 1 <= limit <= session_output.EVENTS_LIMIT:
        return _invalid(f"limit must be an integer from 1 to {session_output.EVENTS_LIMIT:,}")
    record = engine.reads.session(session_id)
    return NO_SESSION if record is None else _page_of_events(engine, record, after, limit)


def _page_of_events(engine: Engine, record: dict[str, Any], after: int, limit: int) -> Work:
    try:
        return json_response(200, (yield from session_output.events(engine.reads, record, after, limit)))
    except Refusal as refusal:
        return _invalid(refusal.reason)


def _all(engine: Engine) -> Work:
    array = _Array()
    for records in _pieces(engine, None, NEWEST):
        array.add([record for record, _ in records])
        yield
    return array.response()


def _page_of_sessions(engine: Engine, asked: dict[str, str]) -> Response | Work:
    limit = _integer(asked.get("limit", str(PAGE)))
    if limit is None or not 1 <= limit <= PAGE_LIMIT:
        return _invalid(f"limit must be an integer from 1 to {PAGE_LIMIT:,}")
    # nothing is ever archived here, so that both answers are the same
    if asked.get("includeArchived", "false") not in ("true", "false"):
        return _invalid("includeArchived must be true or false")
    try:
        behind = cursor.decode(asked["cursor"]) if "cursor" in asked else None
    except ValueError:
        return _invalid("cursor must be the next_cursor of an earlier page, as it was given")
    return _sessions(engine, behind, limit)


def _sessions(engine: Engine, behind: tuple[str, str] | None, limit: int) -> Work:
    found: list[tuple[dict[str, Any], str]] = []
    for records in _pieces(engine, behind, limit + 1):
        found += records
        yield
    shown = found[:limit]
    return json_response(
        200,
        {
            "sessions": [record for record, _ in shown],
            "next_cursor": shown[-1][1] if len(found) > limit else None,
        },
    )


def _pieces(engine: Engine, behind: tuple[str, str] | None, limit: int) -> Iterator[list[tuple[dict[str, Any], str]]]:
    """Up to `limit` sessions with the cursor of each, newest first, some at a time."""
    while limit:
        records = engine.reads.sessions(behind, min(limit, _PIECE))
        if not records:
            return
        yield [(record, cursor.encode(record["created_at"], record["id"])) for record in records]
        behind = (records[-1]["created_at"], records[-1]["id"])
        limit -= len(records)


def _integer(text: str) -> int | None:
    """The integer from 0 that a parameter spells, or None."""
    if not text.isascii() or not text.isdigit() or len(text) > 16:
        return None
    value = int(text)
    return value if value <= SAFE_INTEGER else None


def _invalid(message: str) -> Response:
    return route_error(400, "invalid_request", message)
