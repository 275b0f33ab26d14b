"""Refusals: what a command answers when it does not do what was asked.

A `Refusal` is untyped: HTTP 400 and a reason. A `TypedRefusal` has a code that clients branch on; the code
fixes the HTTP status. Sources: contract/commands.md §2; design/decisions.md 22 for the three store codes.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Any

MESSAGE_LIMIT = 1000


class Code(StrEnum):
    """The error codes of the wire."""

    SCHEMA_VERSION_UNSUPPORTED = "SCHEMA_VERSION_UNSUPPORTED"
    VALIDATION_FAILED = "VALIDATION_FAILED"
    ADOPTION_REPLAY_MISMATCH = "ADOPTION_REPLAY_MISMATCH"
    REVISION_CONFLICT = "REVISION_CONFLICT"
    CANCEL_PENDING = "CANCEL_PENDING"
    OVERLAP_FORBIDDEN = "OVERLAP_FORBIDDEN"
    STREAM_OUT_OF_ORDER = "STREAM_OUT_OF_ORDER"
    NOT_FOUND = "NOT_FOUND"
    GONE_TOMBSTONED = "GONE_TOMBSTONED"
    CURSOR_EXPIRED = "CURSOR_EXPIRED"
    CAPABILITY_UNSUPPORTED = "CAPABILITY_UNSUPPORTED"
    ILLEGAL_TRANSITION = "ILLEGAL_TRANSITION"
    RETRY_DISPOSITION_INVALID = "RETRY_DISPOSITION_INVALID"
    AMBIGUOUS_RETRY_FORBIDDEN = "AMBIGUOUS_RETRY_FORBIDDEN"
    AUTHORITY_REQUIRED = "AUTHORITY_REQUIRED"
    APPROVAL_REQUIRED = "APPROVAL_REQUIRED"
    PAYLOAD_TOO_LARGE = "PAYLOAD_TOO_LARGE"
    CONCURRENCY_LIMIT = "CONCURRENCY_LIMIT"
    DEADLINE_EXCEEDED = "DEADLINE_EXCEEDED"
    INTERNAL = "INTERNAL"
    STORE_BUSY = "STORE_BUSY"
    STORE_UNREADABLE = "STORE_UNREADABLE"
    STORE_FULL = "STORE_FULL"


HTTP_STATUS: Mapping[Code, int] = MappingProxyType(
    {
        Code.SCHEMA_VERSION_UNSUPPORTED: 400,
        Code.VALIDATION_FAILED: 400,
        Code.ADOPTION_REPLAY_MISMATCH: 409,
        Code.REVISION_CONFLICT: 409,
        Code.CANCEL_PENDING: 409,
        Code.OVERLAP_FORBIDDEN: 409,
        Code.STREAM_OUT_OF_ORDER: 409,
        Code.NOT_FOUND: 404,
        Code.GONE_TOMBSTONED: 410,
        Code.CURSOR_EXPIRED: 410,
        Code.CAPABILITY_UNSUPPORTED: 422,
        Code.ILLEGAL_TRANSITION: 422,
        Code.RETRY_DISPOSITION_INVALID: 422,
        Code.AMBIGUOUS_RETRY_FORBIDDEN: 422,
        Code.AUTHORITY_REQUIRED: 403,
        Code.APPROVAL_REQUIRED: 403,
        Code.PAYLOAD_TOO_LARGE: 413,
        Code.CONCURRENCY_LIMIT: 429,
        Code.DEADLINE_EXCEEDED: 504,
        Code.INTERNAL: 500,
        Code.STORE_BUSY: 503,
        Code.STORE_UNREADABLE: 503,
        Code.STORE_FULL: 507,
    }
)


class Refusal(Exception):
    """A command was refused without a code: HTTP 400 and a reason for people."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason

    @property
    def http_status(self) -> int:
        """The HTTP status of the answer."""
        return 400


class TypedRefusal(Refusal):
    """A command was refused with a code. The reason is the error's message, cut at 1,000 characters."""

    def __init__(
        self,
        code: Code,
        message: str,
        *,
        retryable: bool = False,
        details: dict[str, Any] | None = None,
        current_revision: int | None = None,
        adoption: dict[str, Any] | None = None,
    ) -> None:
        if not message:
            raise ValueError("a typed refusal needs a message")
        super().__init__(message[:MESSAGE_LIMIT])
        self.code = code
        self.retryable = retryable
        self.details = details
        self.current_revision = current_revision
        self.adoption = adoption

    @property
    def http_status(self) -> int:
        """The HTTP status that belongs to the code."""
        return HTTP_STATUS[self.code]

    def to_wire(self) -> dict[str, Any]:
        """The closed `error` object; optional members are left out, never null."""
        wire: dict[str, Any] = {
            "code": self.code.value,
            "httpStatus": self.http_status,
            "message": self.reason,
            "retryable": self.retryable,
        }
        if self.details is not None:
            wire["details"] = self.details
        if self.adoption is not None:
            wire["adoption"] = self.adoption
        if self.current_revision is not None:
            wire["currentRevision"] = self.current_revision
        return wire
