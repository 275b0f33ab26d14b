"""The actions that manage routines of every family: create, revise, get, enable (design/schedules.md, Shapes)."""

from __future__ import annotations

from coven_desktop.api.described.definitions import EXPECTED, GONE, KEY, MISMATCH, committed
from coven_desktop.api.described.deliveries import DELIVERY
from coven_desktop.api.described.desktop import FAMILY, LIFECYCLE, VARIABLE
from coven_desktop.api.described.model import Description, Error, Member, any_of, list_of, optional, shape
from coven_desktop.api.described.records import RUN_STATUS
from coven_desktop.api.described.routines import MEMBERS, ROUTINE, told
from coven_desktop.api.described.scalars import COUNT, INSTANT, NAMED, REVISION, TEXT, exactly, integer
from coven_desktop.api.described.schedules import ANCHOR, SCHEDULE, UNTIL
from coven_desktop.contract.errors import Code
from coven_desktop.contract.routine import SCHEMA_VERSION, SHARED
from coven_desktop.contract.routine_settings import SECRETS_LIMIT
from coven_desktop.schedule.cadence import MOST_RUNS

_SHARED = tuple(member for member in MEMBERS if member.name in SHARED)
_OWN = (
    Member("schemaVersion", exactly(SCHEMA_VERSION)),
    Member("schedule", SCHEDULE, "When it runs, and of a cadence what becomes of what was missed."),
)
_SECRETS = optional(
    "secrets",
    list_of(VARIABLE, 0, SECRETS_LIMIT),
    "Names of secrets that a run is given. Not with a schedule of kind rrule: `routine.settings.v1` gives those.",
)
_DELIVERY_WORDS = "Where what a run printed goes. Not with a schedule of kind rrule."
OWN_ROUTINE = shape(
    *_OWN,
    *_SHARED,
    _SECRETS,
    optional("delivery", DELIVERY.or_null, _DELIVERY_WORDS),
    name="OwnRoutine",
    words="A routine of any family as it is written.",
    closed=True,
)
STORED_ROUTINE = shape(
    *sorted(
        (*_OWN, *(told(member) for member in _SHARED), _SECRETS, optional("delivery", DELIVERY, _DELIVERY_WORDS)),
        key=lambda member: member.name,
    ),
    name="StoredRoutine",
    words="A cadence or cron routine as it is stored: members sorted by name, defaults left out, the zone exact.",
)
_STORED = any_of(STORED_ROUTINE, ROUTINE)
_STORED_WORDS = "As it is stored: a [Routine](#routine) in the family rrule, which all actions of the contract know."
_INVALID = Error(
    Code.VALIDATION_FAILED,
    "a field is missing or wrong; of the routine `details.field` names the member, as `schedule.anchor`, and"
    " `details.suggestion` is what to write there instead, when it is known",
)
_NOT_FOUND = Error(Code.NOT_FOUND, "there is no such routine")
_OTHER_REVISION = Error(Code.REVISION_CONFLICT, "the routine has another revision")

ROUTINE_CREATE = Description(
    "coven.desktop.routine.create.v1",
    "Create a routine of any family, paused or active, at revision 1.",
    (KEY, Member("routine", OWN_ROUTINE)),
    committed(Member("routine", _STORED, _STORED_WORDS), Member("family", FAMILY), Member("revision", REVISION)),
    (
        _INVALID,
        Error(Code.ILLEGAL_TRANSITION, "the routine says DISABLED"),
        Error(Code.REVISION_CONFLICT, "the id exists already"),
        GONE,
        MISMATCH,
    ),
    words="An id is used once: also that of a deleted routine is refused. A cadence that would never run is refused."
    " Slots count from now on: nothing before it was missed.",
    answers_in="both",
    forbidden=("expectedRevision",),
    key="adoptionKey",
    wakes=True,
)
ROUTINE_REVISE = Description(
    "coven.desktop.routine.revise.v1",
    "Replace a routine of any family: its next revision. It may change its family.",
    (KEY, Member("routine", OWN_ROUTINE), EXPECTED),
    committed(Member("routine", _STORED, _STORED_WORDS), Member("family", FAMILY), Member("revision", REVISION)),
    (
        _INVALID,
        _NOT_FOUND,
        GONE,
        _OTHER_REVISION,
        Error(Code.ILLEGAL_TRANSITION, "the routine is disabled, or the revision says DISABLED"),
        MISMATCH,
    ),
    words="Its `status` may pause or activate the routine. Another schedule supersedes what is planned and not begun,"
    " and counts from now on; any other change leaves what a cadence or cron routine has planned.",
    answers_in="both",
    key="adoptionKey",
    wakes=True,
)
ROUTINE_GET = Description(
    "coven.desktop.routine.get.v1",
    "One routine of any family and how it stands; null when there is none with this id, or it was deleted.",
    (Member("automationId", NAMED, "The routine."),),
    shape(
        Member(
            "routine",
            shape(
                Member("id", TEXT),
                Member("family", FAMILY),
                Member("revision", REVISION),
                Member("lifecycleState", LIFECYCLE),
                Member("runCount", COUNT, "Firings that were started; those by hand do not count. 0 for an rrule."),
                Member("lastStatus", RUN_STATUS.or_null, "Of its newest run; null before the first."),
                Member("nextDueAt", INSTANT.or_null, "The next slot that will be planned; null when none will."),
                Member("brokenReason", TEXT.or_null, "Why it cannot be understood any more; else null."),
                Member("zoneData", TEXT, "The version of the time zone data that is asked."),
                Member("routine", _STORED.or_null, f"{_STORED_WORDS} Null when it is not understood any more."),
                name="RoutineState",
                words="A routine of any family and how it stands.",
            ).or_null,
        )
    ),
    (Error(Code.VALIDATION_FAILED, "`automationId` is missing, blank or not text"),),
    kind="desktop.routine",
)
ROUTINE_ENABLE = Description(
    "coven.desktop.routine.enable.v1",
    "Take a disabled routine back: it is paused then, and `definition.activate.v1` lets it run.",
    (
        KEY,
        Member("automationId", NAMED, "The routine."),
        EXPECTED,
        optional("anchor", TEXT, f"In place of the one that it has. {ANCHOR.words}"),
        optional("until", UNTIL.type, f"{UNTIL.words} In place of the one that it has; null: none."),
        optional(
            "maxRuns", integer(1, MOST_RUNS).or_null, "In place of the one that it has; null: none. Its count goes on."
        ),
    ),
    committed(Member("id", TEXT), Member("status", exactly("PAUSED")), Member("revision", REVISION)),
    (
        Error(
            Code.VALIDATION_FAILED,
            "a field is missing or wrong, what is stored is broken, or `anchor`, `until` or `maxRuns` is given for a"
            " routine that is no cadence",
        ),
        _NOT_FOUND,
        GONE,
        _OTHER_REVISION,
        Error(Code.ILLEGAL_TRANSITION, "the routine is not disabled, or what has ended it still does"),
        MISMATCH,
    ),
    words="Configuration and run count are kept. Nothing is caught up.",
    answers_in="both",
    key="adoptionKey",
    wakes=True,
)

ALL = (ROUTINE_CREATE, ROUTINE_REVISE, ROUTINE_GET, ROUTINE_ENABLE)
