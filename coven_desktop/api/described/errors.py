"""What each error code means to a client, and which errors every action can answer (contract/commands.md §2)."""

from __future__ import annotations

from collections.abc import Mapping

from coven_desktop.api.described import actions
from coven_desktop.api.described.model import Error
from coven_desktop.contract.errors import Code

COMMON = (
    Error(Code.STORE_BUSY, "another program holds the database"),
    Error(Code.STORE_FULL, "the disk is full"),
    Error(Code.STORE_UNREADABLE, "the database cannot be read or written"),
    Error(Code.INTERNAL, "a mistake of the app"),
)
"""Of every action, also of those without a version. None of them spends an adoption key."""

MEANINGS: Mapping[Code, tuple[str, str]] = {
    Code.VALIDATION_FAILED: ("no", "A field is missing, wrong or not known; the message names it."),
    Code.ADOPTION_REPLAY_MISMATCH: ("no", "The adoption key was used for another request. Take a new key."),
    Code.REVISION_CONFLICT: (
        "no",
        "The routine has another revision: `currentRevision`. Read it again, and decide anew what to change.",
    ),
    Code.CANCEL_PENDING: (
        "sometimes",
        "A stop is under way. `retryable: true`: send the same request again. Otherwise the message says whether the"
        " same request gets the outcome later, or a new key is needed.",
    ),
    Code.OVERLAP_FORBIDDEN: ("no", "A run of the routine is open."),
    Code.NOT_FOUND: ("no", "There is nothing with this id."),
    Code.GONE_TOMBSTONED: ("no", "The routine was deleted."),
    Code.CURSOR_EXPIRED: ("no", "What the cursor points at is not kept any more. Begin anew."),
    Code.CAPABILITY_UNSUPPORTED: ("no", "Something that this app does not carry. `details.variant` names it, if any."),
    Code.ILLEGAL_TRANSITION: ("no", "The state that it is in does not allow this."),
    Code.RETRY_DISPOSITION_INVALID: ("no", "The newest attempt is not the one that was named. Read the run again."),
    Code.AMBIGUOUS_RETRY_FORBIDDEN: ("no", "Nobody knows what the attempt did. Decide with `occurrence.recover.v1`."),
    Code.AUTHORITY_REQUIRED: ("no", "It is bound to an authority that this app does not have."),
    Code.CONCURRENCY_LIMIT: ("yes", "Too much of this is under way. Send the same request again later."),
    Code.DEADLINE_EXCEEDED: ("no", "The deadline of the run has passed."),
    Code.INTERNAL: ("no", "A mistake of the app. Its log says more."),
    Code.STORE_BUSY: ("yes", "Another program holds the database. Send the same request again in a moment."),
    Code.STORE_FULL: ("yes", "The disk is full. Send the same request again when there is space."),
    Code.STORE_UNREADABLE: ("no", "The database cannot be read or written. `covenctl doctor` says why."),
}
"""Whether `retryable` is true, and what to do."""


def answered() -> tuple[Code, ...]:
    """The codes that some action answers, by HTTP status as in `Code`'s order."""
    found = {error.code for described in actions.ALL.values() for error in (*described.errors, *COMMON)}
    return tuple(code for code in Code if code in found)
