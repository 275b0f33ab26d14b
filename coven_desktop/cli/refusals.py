"""How a command of covenctl can end other than well, and the exit code that says so.

An error carries the sentence for people and the object for programs; `main` prints the one or the other.
Codes of the app are passed on as they came; the codes made here are `CODE_*` below.
"""

from __future__ import annotations

from typing import Any, Self

DONE = 0
REFUSED = 1
USAGE = 2
FAULT = 3
NOT_RUNNING = 4

CODE_INVALID = "VALIDATION_FAILED"
CODE_NOT_FOUND = "NOT_FOUND"
CODE_NOT_ONE_RUN = "NOT_ONE_LIVE_RUN"
CODE_NOT_HELD = "RUN_NOT_HELD"
CODE_PAUSED = "ROUTINE_PAUSED"
CODE_USAGE = "USAGE"
CODE_UNCONFIRMED = "NOT_CONFIRMED"
CODE_RICH = "RICH_DEFINITION"
CODE_CONFLICT = "REVISION_CONFLICT"
CODE_EXPIRED = "CURSOR_EXPIRED"
CODE_GONE = "GONE_TOMBSTONED"
CODE_ILLEGAL = "ILLEGAL_TRANSITION"
CODE_UNSUPPORTED = "CAPABILITY_UNSUPPORTED"
CODE_INSECURE = "HOME_NOT_PRIVATE"
CODE_UNREACHABLE = "APP_UNREACHABLE"
CODE_NOT_RUNNING = "APP_NOT_RUNNING"


class CommandError(Exception):
    """Ends a command. `exit_code` is what the process answers, `error` the object that `--json` prints."""

    exit_code = FAULT

    def __init__(self, code: str | None, message: str, **more: Any) -> None:
        super().__init__(message)
        self.message = message
        self.error: dict[str, Any] = {"code": code, "message": message, **more}

    @classmethod
    def passed_on(cls, error: dict[str, Any]) -> Self:
        """What the app said, its error object unchanged. The object must have a `message`."""
        passed = cls(None, str(error["message"]))
        passed.error = error
        return passed


class Refused(CommandError):
    """What was asked was understood and not done."""

    exit_code = REFUSED


class Misused(CommandError):
    """The arguments do not go together, or what they name cannot be read."""

    exit_code = USAGE


class AppFault(CommandError):
    """The app, or the way to it, is not in order: it answers nonsense, its store fails, its home is not private."""


class NotRunning(CommandError):
    """Nobody serves this home."""

    exit_code = NOT_RUNNING


def misused(message: str) -> Misused:
    """A usage error that only the command can see."""
    return Misused(CODE_USAGE, message)
