"""What a command gives back: an answer now, or a promise of one that the loop keeps.

A command never blocks the loop (design/architecture.md, Threads): when it must wait for the host's
start report or for the proof of a stop it returns a `Pending`, which is completed exactly once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Asked:
    """Which action was carried out, from where and with which intent, when the request says it in an envelope."""

    action: str
    origin: str
    intent_id: str | None


@dataclass(frozen=True)
class Answer:
    """A command that was carried out.

    `payload` is the contract's payload, `kind` the kind of the response event. It stands in the event unless
    `in_event` is false (replays of definition commands), and in `result` if `in_result` (strict and definition
    commands). `reason` is the fixed note of a strict command's replay. The answer to an envelope has a `result` of its
    own, and its event tells what was `asked`.
    """

    payload: dict[str, Any] = field(default_factory=dict)
    kind: str = "automations.changed"
    in_result: bool = False
    in_event: bool = True
    reason: str | None = None
    result: dict[str, Any] | None = None
    asked: Asked | None = None


class InEnvelope(Exception):
    """What a command that came in an envelope was refused with, or failed with.

    Its `cause` is told as it would be without the envelope, and once more below the `head` of the envelope's answers
    (contract/commands.md §7.3).
    """

    def __init__(self, head: dict[str, Any], cause: Exception) -> None:
        super().__init__(str(cause))
        self.head = head
        self.cause = cause


Outcome = Answer | Exception


class Pending:
    """One answer that comes later. Whoever waits is told once; a waiter that left changes nothing."""

    def __init__(self) -> None:
        self._outcome: Outcome | None = None
        self._waiters: list[Callable[[Outcome], None]] = []

    @property
    def outcome(self) -> Outcome | None:
        """The outcome, or None while it is open."""
        return self._outcome

    def complete(self, outcome: Outcome) -> None:
        """Set the outcome and tell the waiters. A second completion is a bug and raises."""
        if self._outcome is not None:
            raise RuntimeError("a pending answer was completed twice")
        self._outcome = outcome
        waiters, self._waiters = self._waiters, []
        for waiter in waiters:
            waiter(outcome)

    def when_done(self, waiter: Callable[[Outcome], None]) -> None:
        """Call `waiter` with the outcome: at once if it is known, else when it comes."""
        if self._outcome is not None:
            waiter(self._outcome)
        else:
            self._waiters.append(waiter)
