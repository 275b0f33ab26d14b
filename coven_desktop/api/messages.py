"""A request as the routes see it, a response as they give it, and the bytes of one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any

import msgspec


@dataclass(frozen=True)
class Request:
    """One whole request. `target` is as it came: nothing is decoded (contract/api.md a)."""

    method: str
    target: str
    body: bytes
    keep_alive: bool


@dataclass(frozen=True)
class Response:
    """Status, a JSON body, and headers beside the fixed three."""

    status: int
    body: bytes
    headers: Mapping[str, str] = field(default_factory=dict)


def json_response(status: int, value: Any) -> Response:
    """A value as compact JSON, members in the order they have."""
    return Response(status, msgspec.json.encode(value))


def route_error(
    status: int,
    code: str,
    message: str,
    *,
    details: Mapping[str, Any] | None = None,
    leading: Mapping[str, Any] | None = None,
    headers: Mapping[str, str] | None = None,
) -> Response:
    """The third shape of contract/api.md b: `{"error":{code, details?, message}}`, members sorted.

    `leading` stands before `error` (413 has `"ok":false` there).
    """
    error: dict[str, Any] = {"code": code}
    if details is not None:
        error["details"] = details
    error["message"] = message
    return Response(status, msgspec.json.encode({**(leading or {}), "error": error}), headers or {})


def render(response: Response, *, keep_alive: bool, head_only: bool = False) -> bytes:
    """The bytes of a response: Content-Type, Content-Length and Connection, as clients expect."""
    try:
        phrase = HTTPStatus(response.status).phrase
    except ValueError:
        phrase = "Unknown"
    lines = [
        f"HTTP/1.1 {response.status} {phrase}",
        "Content-Type: application/json",
        f"Content-Length: {len(response.body)}",
        *(f"{name}: {value}" for name, value in response.headers.items()),
        f"Connection: {'keep-alive' if keep_alive else 'close'}",
    ]
    head = ("\r\n".join(lines) + "\r\n\r\n").encode("ascii")
    return head if head_only else head + response.body
