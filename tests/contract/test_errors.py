"""Codes, their HTTP statuses, and refusals as they stand on the wire."""

from __future__ import annotations

import pytest

from coven_desktop.contract.errors import HTTP_STATUS, Code, Refusal, TypedRefusal

# contract/commands.md §2, then the three of decisions.md 22
STATUS_OF_CODE = {
    "SCHEMA_VERSION_UNSUPPORTED": 400,
    "VALIDATION_FAILED": 400,
    "ADOPTION_REPLAY_MISMATCH": 409,
    "REVISION_CONFLICT": 409,
    "CANCEL_PENDING": 409,
    "OVERLAP_FORBIDDEN": 409,
    "STREAM_OUT_OF_ORDER": 409,
    "NOT_FOUND": 404,
    "GONE_TOMBSTONED": 410,
    "CURSOR_EXPIRED": 410,
    "CAPABILITY_UNSUPPORTED": 422,
    "ILLEGAL_TRANSITION": 422,
    "RETRY_DISPOSITION_INVALID": 422,
    "AMBIGUOUS_RETRY_FORBIDDEN": 422,
    "AUTHORITY_REQUIRED": 403,
    "APPROVAL_REQUIRED": 403,
    "PAYLOAD_TOO_LARGE": 413,
    "CONCURRENCY_LIMIT": 429,
    "DEADLINE_EXCEEDED": 504,
    "INTERNAL": 500,
    "STORE_BUSY": 503,
    "STORE_UNREADABLE": 503,
    "STORE_FULL": 507,
}


def test_every_code_has_its_status() -> None:
    assert {code.value: status for code, status in HTTP_STATUS.items()} == STATUS_OF_CODE
    assert set(HTTP_STATUS) == set(Code)


def test_an_untyped_refusal_is_a_400_with_a_reason() -> None:
    refusal = Refusal("no routine with id `x`")
    assert (refusal.http_status, refusal.reason, str(refusal)) == (400, "no routine with id `x`", refusal.reason)


def test_a_typed_refusal_leaves_out_what_is_absent() -> None:
    refusal = TypedRefusal(Code.NOT_FOUND, "there is no such run")
    assert refusal.http_status == 404
    assert refusal.reason == "there is no such run"
    assert refusal.to_wire() == {
        "code": "NOT_FOUND",
        "httpStatus": 404,
        "message": "there is no such run",
        "retryable": False,
    }


def test_a_typed_refusal_in_full_keeps_the_order_of_members() -> None:
    wire = TypedRefusal(
        Code.REVISION_CONFLICT,
        "the revision is 3",
        retryable=True,
        details={"a": 1},
        current_revision=3,
        adoption={"key": "adopt:one"},
    ).to_wire()
    assert list(wire) == ["code", "httpStatus", "message", "retryable", "details", "adoption", "currentRevision"]
    assert type(wire["code"]) is str
    assert (wire["retryable"], wire["details"], wire["adoption"], wire["currentRevision"]) == (
        True,
        {"a": 1},
        {"key": "adopt:one"},
        3,
    )


def test_a_message_has_1_to_1000_characters() -> None:
    assert TypedRefusal(Code.INTERNAL, "é" * 1001).to_wire()["message"] == "é" * 1000
    with pytest.raises(ValueError, match="message"):
        TypedRefusal(Code.INTERNAL, "")


def test_a_typed_refusal_is_a_refusal() -> None:
    with pytest.raises(Refusal):
        raise TypedRefusal(Code.STORE_BUSY, "busy", retryable=True)
