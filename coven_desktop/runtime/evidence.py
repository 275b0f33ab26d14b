"""The one document a session leaves behind: how its command ended and that nothing of it is left.

The session host writes it once, when everything under it is gone (design/architecture.md, Evidence). Nothing else
is ever taken as proof of an end. Readers accept every version ever written; today that is version 1.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Literal, cast, get_args

from coven_desktop.contract import timestamps

Outcome = Literal["exited", "signalled", "refused"]
RefusalStep = Literal["spec", "chdir", "exec", "fork"]
StopReason = Literal["requested", "deadline", "host_terminated"]


class EvidenceError(ValueError):
    """The bytes are not an evidence document that any version of this product wrote."""


@dataclass(frozen=True)
class Refusal:
    """Why nothing was executed: the step that failed and the system's error number (0 when there is none)."""

    step: RefusalStep
    errno: int


@dataclass(frozen=True)
class Leftover:
    """A process that was still there when the linger time after the command's own end was over."""

    pid: int
    name: str


@dataclass(frozen=True)
class Evidence:
    """How a session ended. Instants are UTC milliseconds; sizes are bytes.

    `started_at` is None exactly when the outcome is "refused". `output_bytes` counts everything the command printed,
    `output_dropped` what of it was not kept, and `output_sha256` is the digest of all of it in the order it was read.
    """

    session_id: str
    attempt_id: str
    boot_id: str
    outcome: Outcome
    exit_code: int | None
    signal: int | None
    refusal: Refusal | None
    started_at: int | None
    ended_at: int
    stop_reason: StopReason | None
    quiescent: bool
    leftovers: tuple[Leftover, ...]
    output_bytes: int
    output_dropped: int
    output_sha256: str
    version: int = 1

    def to_json(self) -> dict[str, Any]:
        """The document as it stands in the file, instants as RFC 3339 text."""
        refusal = self.refusal
        return {
            "version": self.version,
            "sessionId": self.session_id,
            "attemptId": self.attempt_id,
            "bootId": self.boot_id,
            "outcome": self.outcome,
            "exitCode": self.exit_code,
            "signal": self.signal,
            "refusal": None if refusal is None else {"step": refusal.step, "errno": refusal.errno},
            "startedAt": None if self.started_at is None else timestamps.to_text(self.started_at),
            "endedAt": timestamps.to_text(self.ended_at),
            "stopReason": self.stop_reason,
            "quiescent": self.quiescent,
            "leftovers": [{"pid": left.pid, "name": left.name} for left in self.leftovers],
            "outputBytes": self.output_bytes,
            "outputDropped": self.output_dropped,
            "outputSha256": self.output_sha256,
        }


def parse(data: bytes) -> Evidence:
    """Read an evidence file. Raises EvidenceError with a sentence when it is not one."""
    try:
        document = json.loads(data)
    except ValueError as error:
        raise EvidenceError(f"The evidence is not JSON: {error}.") from error
    if not isinstance(document, dict):
        raise EvidenceError("The evidence is not an object.")
    if document.get("version") != 1:
        raise EvidenceError(f"The evidence has version {document.get('version')!r}; this version reads 1.")
    try:
        return _version_1(document)
    except (KeyError, TypeError, ValueError) as error:
        raise EvidenceError(f"The evidence is incomplete: {error!r}.") from error


def _version_1(document: dict[str, Any]) -> Evidence:
    refusal = document["refusal"]
    started_at = document["startedAt"]
    evidence = Evidence(
        session_id=_text(document["sessionId"]),
        attempt_id=_text(document["attemptId"]),
        boot_id=_text(document["bootId"]),
        outcome=cast(Outcome, _one_of(document["outcome"], get_args(Outcome))),
        exit_code=_optional_integer(document["exitCode"]),
        signal=_optional_integer(document["signal"]),
        refusal=None
        if refusal is None
        else Refusal(cast(RefusalStep, _one_of(refusal["step"], get_args(RefusalStep))), _integer(refusal["errno"])),
        started_at=None if started_at is None else timestamps.parse(_text(started_at)),
        ended_at=timestamps.parse(_text(document["endedAt"])),
        stop_reason=None
        if document["stopReason"] is None
        else cast(StopReason, _one_of(document["stopReason"], get_args(StopReason))),
        quiescent=_flag(document["quiescent"]),
        leftovers=tuple(Leftover(_integer(left["pid"]), _text(left["name"])) for left in document["leftovers"]),
        output_bytes=_integer(document["outputBytes"]),
        output_dropped=_integer(document["outputDropped"]),
        output_sha256=_text(document["outputSha256"]),
    )
    told = (evidence.exit_code is not None, evidence.signal is not None, evidence.refusal is not None)
    if told != (evidence.outcome == "exited", evidence.outcome == "signalled", evidence.outcome == "refused"):
        raise ValueError(f"outcome {evidence.outcome} does not go with its exit code, signal and refusal")
    return evidence


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is not text")
    return value


def _integer(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"{value!r} is not an integer")
    return value


def _optional_integer(value: object) -> int | None:
    return None if value is None else _integer(value)


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise TypeError(f"{value!r} is not true or false")
    return value


def _one_of(value: object, known: tuple[str, ...]) -> str:
    if value not in known:
        raise ValueError(f"{value!r} is none of {', '.join(known)}")
    return _text(value)
