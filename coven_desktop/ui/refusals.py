"""Why the engine refused something, in words for the person who asked (contract/commands.md §2, §4).

The code says what kind of refusal it is; where several reasons share one, the engine's own sentence is kept.
"""

from __future__ import annotations

from coven_desktop.contract.errors import Code, Refusal, TypedRefusal
from coven_desktop.engine.cancellation import COMPLETION_WON
from coven_desktop.engine.commands.execution import NO_CWD, OVERLAP, QUARANTINED
from coven_desktop.qt.core import QCoreApplication
from coven_desktop.ui import draft, jargon


def words(outcome: Exception) -> str:
    """One or two whole sentences."""
    if not isinstance(outcome, Refusal):
        return str(outcome)  # of the environment: these are written for the person
    message = draft.reason(outcome.reason)
    known = _by_message(message) or (_by_code(outcome.code) if isinstance(outcome, TypedRefusal) else None)
    return known or sentence(message)


def sentence(message: str) -> str:
    """A reason of the engine as a plain sentence: a capital in front and a full stop behind."""
    message = jargon.plain(message.strip())
    if message.startswith("`") or not message:
        return message
    return message[0].upper() + message[1:] + ("" if message[-1] in ".!?…" else ".")


def _by_message(message: str) -> str | None:
    return {
        OVERLAP: _say("Another run of this routine is still open, and only one may be at a time."),
        QUARANTINED: _say("The routine is quarantined: nothing of it starts until you release it."),
        NO_CWD: _say("The routine has no working folder. Give it one first."),
        COMPLETION_WON: _say("It had ended by itself before the stop reached it."),
    }.get(message)


def _by_code(code: Code) -> str | None:
    return {
        Code.NOT_FOUND: _say("It is not in the database any more."),
        Code.GONE_TOMBSTONED: _say("The routine was deleted meanwhile."),
        Code.REVISION_CONFLICT: _say("It was changed elsewhere meanwhile. Look at it again."),
        Code.OVERLAP_FORBIDDEN: _say("Another run of this routine is still open, and only one may be at a time."),
        Code.CANCEL_PENDING: _say("A stop of this run has no outcome yet. Wait for it, then ask again."),
        Code.RETRY_DISPOSITION_INVALID: _say("Another attempt was made meanwhile. Look at the run again."),
        Code.AMBIGUOUS_RETRY_FORBIDDEN: _say("How its last attempt ended is not known. Decide that first."),
        Code.DEADLINE_EXCEEDED: _say("Its deadline has passed, so nothing of it is tried again."),
        Code.AUTHORITY_REQUIRED: _say("The run needs an authority that this app does not have."),
    }.get(code)


def _say(text: str) -> str:
    return QCoreApplication.translate("Refusals", text)
