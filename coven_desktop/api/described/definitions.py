"""The actions that read and change routines (contract/commands.md §3)."""

from __future__ import annotations

from coven_desktop.api.described.model import Description, Error, Member, Type, choice, list_of, map_of, optional, shape
from coven_desktop.api.described.rich import RICH_DEFINITION
from coven_desktop.api.described.routines import CLOSED_DEFINITION, DEFINITION, ROUTINE
from coven_desktop.api.described.scalars import (
    BOOLEAN,
    COUNT,
    INSTANT,
    NAMED,
    REVISION,
    TEXT,
    TRIMMED_KEY,
    exactly,
)
from coven_desktop.contract.errors import Code

AUTOMATIONS = "coven.automations."

ID = Member("id", NAMED, "The routine.")
KEY = Member("adoptionKey", TRIMMED_KEY, "Names this request for good; white space around it does not count.")
EXPECTED = Member("expectedRevision", REVISION, "The revision that is to be changed, as it was read.")

MISMATCH = Error(
    Code.ADOPTION_REPLAY_MISMATCH,
    "the key was used for another request; `details` and `adoption` tell for which",
)
UNSUPPORTED = Error(Code.CAPABILITY_UNSUPPORTED, "the routine asks for what is not carried: `details.variant`")
GONE = Error(Code.GONE_TOMBSTONED, "the routine was deleted")

_REASON = optional(
    "reason",
    Type("text that is not blank, of at most 500 bytes", {"type": "string", "pattern": r"\S", "maxLength": 500}),
    "Why, for people; told back without white space around it.",
)
_UNMANAGED = "A routine that a versioned definition action has touched is managed by those from then on: {what}."
_INTENT = (
    " With an `intentId` the same request sent again is answered as it was the first time, and another request under"
    " the same `intentId` is refused; only what was carried out is remembered."
)
_WARNINGS = optional("warnings", list_of(TEXT), "Members of the definition that are not known and were left out.")


def committed(*result: Member) -> Type:
    """What the versioned definition actions answer."""
    return shape(
        Member("outcome", choice("committed", "replayed"), "`replayed`: the same request was carried out before."),
        Member("revision", REVISION.or_null, "The routine's revision after it."),
        Member("result", shape(*result)),
        optional(
            "eventRef",
            shape(Member("stream", TEXT, "`automation/<id>`."), Member("sequence", COUNT)),
            "The event that tells of the change.",
        ),
        optional("replay", shape(Member("firstCommittedAt", INSTANT)), "Only when it is a replay."),
    )


def _legacy(action: str, summary: str, what: str, *errors: Error) -> Description:
    return Description(
        AUTOMATIONS + action,
        summary,
        (Member("definition", DEFINITION),)
        + ((optional("expectedRevision", REVISION.or_null, "Refused unless it is the stored one."),) if errors else ()),
        shape(Member("routine", ROUTINE), Member(what, INSTANT), _WARNINGS),
        (
            Error(None, "the definition is not valid; the reason names the member, and what was probably meant"),
            Error(
                None,
                "the routine does not exist, was deleted, is disabled, or is managed by the versioned actions"
                if errors
                else "the id exists, was deleted by a versioned action, or the definition says DISABLED",
            ),
            Error(None, "the `intentId` was used for another request"),
            *errors,
        ),
        words=_UNMANAGED.format(what="this action refuses it" if errors else "deleted, its id is not used again")
        + _INTENT,
        key="intentId",
        wakes=True,
    )


def _authored(action: str, summary: str, *extra: Member, errors: tuple[Error, ...], words: str) -> Description:
    return Description(
        AUTOMATIONS + action,
        summary,
        (KEY, Member("definition", CLOSED_DEFINITION), *extra),
        committed(Member("routine", ROUTINE), Member("revision", REVISION)),
        (
            Error(Code.VALIDATION_FAILED, "a field is missing or wrong, or the definition is not a valid routine"),
            UNSUPPORTED,
            *errors,
            Error(Code.REVISION_CONFLICT, "the id exists already" if not extra else "the routine has another revision"),
            GONE,
            MISMATCH,
        ),
        words=words,
        answers_in="both",
        forbidden=() if extra else ("expectedRevision",),
        key="adoptionKey",
        wakes=True,
    )


def _moved(
    action: str,
    summary: str,
    *result: Member,
    illegal: str = "",
    words: str = "",
    reason: bool = True,
    wakes: bool = True,
    errors: tuple[Error, ...] = (),
) -> Description:
    return Description(
        AUTOMATIONS + action,
        summary,
        (KEY, ID, EXPECTED, *((_REASON,) if reason else ())),
        committed(*result),
        (
            Error(Code.VALIDATION_FAILED, "a field is missing or wrong"),
            Error(Code.NOT_FOUND, "there is no such routine"),
            GONE,
            Error(Code.REVISION_CONFLICT, "the routine has another revision"),
            *((Error(Code.ILLEGAL_TRANSITION, illegal),) if illegal else ()),
            *errors,
            MISMATCH,
        ),
        words=words,
        answers_in="both",
        key="adoptionKey",
        wakes=wakes,
    )


_MOVE = (Member("revision", REVISION), Member("reason", TEXT.or_null))

LIST = Description(
    AUTOMATIONS + "list",
    "All routines that are not deleted, by name in byte order, then by id.",
    (),
    shape(Member("routines", list_of(ROUTINE))),
)
GET = Description(
    AUTOMATIONS + "get",
    "One routine; null when there is none with this id, or it was deleted.",
    (ID,),
    shape(Member("routine", ROUTINE.or_null)),
    (Error(None, "`id` is missing, blank or not text"),),
)
DEFINITION_LIST = Description(
    AUTOMATIONS + "definition.list.v1",
    "All routines with their revisions, by name in byte order, then by id.",
    (
        optional(
            "includeTombstoned",
            BOOLEAN,
            "Whether deleted ones are told, too; not when it is absent.",
            otherwise="ignored",
        ),
    ),
    shape(
        Member("routines", list_of(ROUTINE)),
        Member("revisionById", map_of(REVISION, "object: the revision of each, by id")),
        Member("tombstonedAtById", map_of(INSTANT, "object: when each deleted one was deleted, by id")),
    ),
)
DEFINITION_GET = Description(
    AUTOMATIONS + "definition.get.v1",
    "One routine with its revision, also a deleted one. When there is none, `routine` is null and stands alone.",
    (ID,),
    shape(
        Member("routine", ROUTINE.or_null),
        optional("revision", REVISION),
        optional("tombstonedAt", INSTANT.or_null, "When it was deleted."),
        optional("definition", RICH_DEFINITION, "As it stands now, when it was written as one."),
    ),
    (Error(None, "`id` is missing, blank or not text"),),
)
CREATE = _legacy("create", "Create a routine, or one anew whose id was deleted by `delete`.", "createdAt")
UPDATE = _legacy(
    "update",
    "Replace a routine's definition. Without `expectedRevision` the last writer wins.",
    "updatedAt",
    Error(Code.VALIDATION_FAILED, "`expectedRevision` is not an integer from 1"),
    Error(Code.REVISION_CONFLICT, "the routine has another revision"),
)
DELETE = Description(
    AUTOMATIONS + "delete",
    "Delete a routine; what it has run stays readable. What is not there is no error.",
    (ID,),
    shape(Member("deleted", BOOLEAN, "False when there was nothing to delete."), Member("id", TEXT)),
    (
        Error(None, "`id` is missing, blank or not text"),
        Error(None, "the `intentId` was used for another request"),
    ),
    words="A run under way goes on. "
    + _UNMANAGED.format(what="this action leaves it and says `deleted: false`")
    + _INTENT,
    key="intentId",
    wakes=True,
)
DEFINITION_CREATE = _authored(
    "definition.create.v1",
    "Create a routine, paused or active, at revision 1.",
    errors=(Error(Code.ILLEGAL_TRANSITION, "the definition says DISABLED"),),
    words="An id is used once: also that of a deleted routine is refused.",
)
DEFINITION_REVISE = _authored(
    "definition.revise.v1",
    "Replace a routine's definition: its next revision.",
    EXPECTED,
    errors=(
        Error(Code.NOT_FOUND, "there is no such routine"),
        Error(Code.ILLEGAL_TRANSITION, "the routine is disabled, or the definition says DISABLED"),
    ),
    words="Its `status` may pause or activate the routine. Slots that are planned and not begun are superseded.",
)
DEFINITION_ACTIVATE = _moved(
    "definition.activate.v1",
    "Let a paused routine run.",
    Member("id", TEXT),
    Member("status", exactly("ACTIVE")),
    *_MOVE,
    illegal="the routine is not paused",
    words="Its runtime must be known by name, and what is stored must still be valid (`VALIDATION_FAILED`).",
    errors=(Error(Code.CAPABILITY_UNSUPPORTED, "what is stored asks for a variant that is not carried any more"),),
)
DEFINITION_PAUSE = _moved(
    "definition.pause.v1",
    "Keep an active routine from running. A run under way goes on.",
    Member("id", TEXT),
    Member("status", exactly("PAUSED")),
    *_MOVE,
    illegal="the routine is not active",
    words="What is stored must still be valid (`VALIDATION_FAILED`).",
    errors=(Error(Code.CAPABILITY_UNSUPPORTED, "what is stored asks for a variant that is not carried any more"),),
)
DEFINITION_DISABLE = _moved(
    "definition.disable.v1",
    "End a routine and keep everything of it. None of these actions enables it again.",
    Member("disabled", exactly(True)),
    Member("id", TEXT),
    *_MOVE,
    illegal="the routine is neither active nor paused",
    wakes=False,
)
DEFINITION_TOMBSTONE = _moved(
    "definition.tombstone.v1",
    "Delete a routine for good; its row and its history stay.",
    Member("deleted", exactly(True)),
    Member("id", TEXT),
    Member("revision", REVISION),
    reason=False,
)

ALL = (
    *(LIST, GET, CREATE, UPDATE, DELETE, DEFINITION_LIST, DEFINITION_GET, DEFINITION_CREATE, DEFINITION_REVISE),
    *(DEFINITION_ACTIVATE, DEFINITION_PAUSE, DEFINITION_DISABLE, DEFINITION_TOMBSTONE),
)
