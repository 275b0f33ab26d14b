"""Evidence as a document: what is written is read again, and what is not evidence is not taken for it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from coven_desktop.runtime.evidence import Evidence, EvidenceError, Leftover, Refusal, parse

VERSION_1: dict[str, Any] = {
    "version": 1,
    "sessionId": "session-1",
    "attemptId": "attempt-run-1-1",
    "bootId": "b",
    "outcome": "exited",
    "exitCode": 3,
    "signal": None,
    "refusal": None,
    "startedAt": "2026-08-30T09:00:00.000Z",
    "endedAt": "2026-08-30T09:00:01.250Z",
    "stopReason": None,
    "quiescent": True,
    "leftovers": [{"pid": 7, "name": "sleep"}],
    "outputBytes": 10,
    "outputDropped": 2,
    "outputSha256": "00",
}


def document(**changes: object) -> bytes:
    return json.dumps(VERSION_1 | changes).encode()


def test_version_1_is_read_and_written_alike() -> None:
    evidence = parse(document())
    assert evidence == Evidence(
        "session-1", "attempt-run-1-1", "b", "exited", 3, None, None, 1_788_080_400_000, 1_788_080_401_250, None, True,
        (Leftover(7, "sleep"),), 10, 2, "00",
    )  # fmt: skip
    assert evidence.to_json() == VERSION_1


def test_a_refusal() -> None:
    refusal = {"step": "exec", "errno": 2}
    evidence = parse(document(outcome="refused", exitCode=None, refusal=refusal, startedAt=None))
    assert (evidence.refusal, evidence.started_at) == (Refusal("exec", 2), None)
    assert evidence.to_json()["refusal"] == refusal


@pytest.mark.parametrize(
    "data",
    [
        b"", b"{", b"[]", b"\xff", document(version=2), document(version=None), document(outcome="succeeded"),
        document(exitCode=None), document(exitCode=True), document(signal=9), document(outcome="signalled"),
        document(stopReason="tired"), document(quiescent=1), document(endedAt="yesterday"), document(endedAt=None),
        document(leftovers=[{}]), document(outputBytes="1"), document(refusal={"step": "x", "errno": 1}),
        json.dumps({key: value for key, value in VERSION_1.items() if key != "quiescent"}).encode(),
    ],
)  # fmt: skip
def test_anything_else_is_not_evidence(data: bytes) -> None:
    with pytest.raises(EvidenceError):
        parse(data)
