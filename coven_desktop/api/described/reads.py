"""The actions that only read: runs, occurrences, health and the scheduler (contract/commands.md §5)."""

from __future__ import annotations

from coven_desktop.api.described.definitions import AUTOMATIONS, GONE, ID
from coven_desktop.api.described.model import Description, Error, Member, choice, list_of, optional, shape
from coven_desktop.api.described.records import OCCURRENCE, OCCURRENCE_INSPECTION, RUN, RUN_INSPECTION
from coven_desktop.api.described.routines import HEALTH
from coven_desktop.api.described.scalars import (
    AUTOMATION_ID,
    BOOLEAN,
    COUNT,
    CURSOR,
    ENTITY_ID,
    INSTANT,
    INTEGER,
    NAMED,
    TEXT,
    integer,
)
from coven_desktop.api.described.service import PAUSE
from coven_desktop.contract.errors import Code

LIMIT = optional("limit", integer(1, 100).or_null, "How many at most; 20 when it is absent.")

_NO_ID = Error(None, "`id` is missing, blank or not text")

SCHEDULER = shape(
    Member("authorityAssigned", BOOLEAN, "Whether a scheduler leads."),
    Member("generation", COUNT, "For the how-manieth time one does."),
    Member("ownerId", TEXT.or_null),
    Member("acquiredAt", INSTANT.or_null),
    Member(
        "lastPass",
        shape(
            Member("generation", COUNT),
            Member("trigger", choice("startup", "deadline", "wake")),
            Member("scheduledAt", INSTANT),
            Member("startedAt", INSTANT),
            Member("startLagMs", COUNT),
            Member("finishedAt", INSTANT),
            Member("durationMs", COUNT),
            Member("status", choice("succeeded", "failed")),
            Member("errorClass", TEXT.or_null),
            *(Member(name, COUNT.or_null) for name in ("planned", "recovered", "claimed", "dispatched", "failures")),
        ).or_null,
        "A pass looks at everything that is due.",
    ),
    Member(
        "queue",
        shape(
            *(Member(name, COUNT) for name in ("planned", "claimed", "running", "recoveryRequired")),
            Member("batchLimit", COUNT),
            Member("planningBatchLimit", COUNT, "How many slots are planned between two looks at other work."),
            Member("planningAfterDefinitionId", TEXT.or_null),
            Member("oldestEligibleAt", INSTANT.or_null),
            Member("oldestEligibleAgeMs", INTEGER.or_null),
        ),
    ),
    optional("clockShiftMs", INTEGER, "Only when the app was started with a shifted clock."),
    optional(
        "claimsWait",
        TEXT,
        "What due work waits for: `for the network after sleep`. Only after a resume, until the network is back, and"
        " for 20 s at most; what a person starts does not wait.",
    ),
    optional("pauseAll", PAUSE, "Only while everything pauses."),
    name="Scheduler",
    words="How the scheduler stands.",
)

RUNS = Description(
    AUTOMATIONS + "runs",
    "The newest runs of a routine, newest first, also of a deleted one.",
    (
        ID,
        optional(
            "limit",
            INTEGER.or_null,
            "How many at most: brought to 1 to 100, and 20 when it is absent or no integer.",
            otherwise="ignored",
        ),
    ),
    shape(Member("runs", list_of(RUN))),
    (_NO_ID,),
)
HEALTH_OF = Description(
    AUTOMATIONS + "health",
    "How a routine fares.",
    (ID,),
    shape(Member("health", HEALTH)),
    (Error(None, "`id` is missing, blank or not text, or there is no such routine"),),
)
SCHEDULER_STATUS = Description(
    AUTOMATIONS + "scheduler.status.v1",
    "Who leads, what the last pass did, and what waits.",
    (),
    shape(Member("scheduler", SCHEDULER)),
)
OCCURRENCE_LIST = Description(
    AUTOMATIONS + "occurrence.list.v1",
    "Occurrences that are not settled, oldest first.",
    (
        Member(
            "view",
            choice("due", "eligible", "claimed", "running", "recovery_required"),
            "`due`: planned, and their time has come; `eligible`: of these, what may be claimed now.",
        ),
        LIMIT,
        optional("automationId", TEXT.or_null, "Only of this routine."),
    ),
    shape(Member("occurrences", list_of(OCCURRENCE))),
    (Error(None, "`view`, `limit` or `automationId` is missing or wrong"),),
)
OCCURRENCE_GET = Description(
    AUTOMATIONS + "occurrence.get.v1",
    "One occurrence with its runs; null when there is none with this id.",
    (Member("id", NAMED, "The occurrence."),),
    shape(Member("occurrence", OCCURRENCE_INSPECTION.or_null)),
    (_NO_ID,),
)
RUN_GET = Description(
    AUTOMATIONS + "run.get.v1",
    "One run with what it is pinned to; null when there is none with this id.",
    (Member("id", NAMED, "The run."),),
    shape(Member("run", RUN_INSPECTION.or_null)),
    (_NO_ID,),
)

_AUTOMATION = Member("automationId", AUTOMATION_ID, "The routine; also a deleted one.")
_HISTORY_LIMIT = optional("limit", integer(1, 100).or_null, "How many at most; 20 when it is absent.")
_PAGE = shape(
    Member("hasMore", BOOLEAN, "Whether there is another page."),
    optional("current", TEXT, "The cursor that this page was asked with."),
    optional("next", TEXT, "The cursor of the next page, when there is one."),
    name="PageCursor",
    words="Where a page stands. See [Pages](#pages).",
)

RUN_HISTORY = Description(
    AUTOMATIONS + "run.history.v1",
    "The runs of a routine, newest first, page by page.",
    (
        _AUTOMATION,
        optional("occurrenceId", ENTITY_ID.or_null, "Only the runs of this occurrence."),
        _HISTORY_LIMIT,
        optional("cursor", CURSOR.or_null, "The `next` of the page before, as it was given."),
    ),
    shape(
        Member("automationId", TEXT),
        optional("occurrenceId", TEXT, "As it was asked for."),
        Member("runs", list_of(RUN)),
        Member("cursor", _PAGE),
    ),
    (Error(Code.VALIDATION_FAILED, "a field is missing or wrong"),),
)
OCCURRENCE_HISTORY = Description(
    AUTOMATIONS + "occurrence.history.v1",
    "The occurrences of a routine, newest slot first, page by page.",
    (
        _AUTOMATION,
        _HISTORY_LIMIT,
        optional("cursor", CURSOR.or_null, "The `next` of the page before, as it was given."),
    ),
    shape(Member("automationId", TEXT), Member("occurrences", list_of(OCCURRENCE)), Member("cursor", _PAGE)),
    (Error(None, "a field is missing or wrong"),),
)
DEFINITION_HEALTH = Description(
    AUTOMATIONS + "definition.health.v1",
    "How a routine fares, with error codes.",
    (ID,),
    shape(Member("health", HEALTH)),
    (
        Error(Code.VALIDATION_FAILED, "`id` is missing, blank or not text"),
        Error(Code.NOT_FOUND, "there is no such routine"),
        GONE,
    ),
)

ALL = (
    *(RUNS, RUN_HISTORY, RUN_GET, OCCURRENCE_LIST, OCCURRENCE_GET, OCCURRENCE_HISTORY),
    *(HEALTH_OF, DEFINITION_HEALTH, SCHEDULER_STATUS),
)
