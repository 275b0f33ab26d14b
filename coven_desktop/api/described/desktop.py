"""The actions that are ours, and the refresh of the catalog."""

from __future__ import annotations

from coven_desktop.api.described.definitions import KEY, MISMATCH
from coven_desktop.api.described.model import (
    Description,
    Error,
    Member,
    Type,
    choice,
    list_of,
    map_of,
    optional,
    shape,
)
from coven_desktop.api.described.records import FAILURE_CLASSES
from coven_desktop.api.described.scalars import (
    ANYTHING,
    BOOLEAN,
    COUNT,
    INSTANT,
    REVISION,
    SENT_INSTANT,
    TEXT,
    exactly,
    integer,
    text,
)
from coven_desktop.api.described.service import CATALOG, PAUSE
from coven_desktop.contract.errors import Code

REFRESH = Description(
    "coven.capabilities.refresh",
    "The catalog of what can be asked for, as `GET /api/v1/capabilities` tells it.",
    (),
    CATALOG,
    kind="capabilities.refreshed",
)
STATE = Description(
    "coven.desktop.state.v1",
    "All that is not settled and everything that waits for a person.",
    (),
    shape(
        Member("attention", COUNT, "How much waits for a person: undecided, held and quarantined."),
        Member("undecided", COUNT, "Occurrences whose outcome is not known."),
        Member(
            "runs",
            list_of(
                shape(
                    Member("automationId", TEXT),
                    Member(
                        "phase",
                        choice("live", "waiting", "held", "recovery_required"),
                        "`waiting` goes on by itself; `held` failed and may be retried until its deadline.",
                    ),
                    Member("runId", TEXT),
                    Member("occurrenceId", TEXT),
                    Member("attemptNumber", integer(1, 10)),
                    Member("maxAttempts", integer(1, 10)),
                    Member("notBefore", INSTANT),
                    Member("settledAt", INSTANT.or_null),
                    Member("timeoutAt", INSTANT.or_null),
                    Member("failureClass", FAILURE_CLASSES.or_null),
                    Member("reason", TEXT.or_null),
                    name="OpenRun",
                    words="A run that is not settled, with its newest attempt.",
                )
            ),
        ),
        Member(
            "quarantined",
            list_of(
                shape(
                    Member("automationId", TEXT),
                    Member("since", INSTANT),
                    Member("failureClass", FAILURE_CLASSES),
                    Member("reason", TEXT),
                    Member("exhaustions", COUNT),
                    name="QuarantinedRoutine",
                    words="A routine that used up its attempts and was not released.",
                )
            ),
        ),
    ),
    kind="desktop.state",
)
ROUTINES = Description(
    "coven.desktop.routine.list.v1",
    "The routines with what `list` leaves out: revision, lifecycle, settings, and which actions manage them.",
    (
        optional(
            "ids",
            list_of(TEXT, 1, 1_000).or_null,
            "Only these, in this order; what does not exist is left out. Absent: all that are not deleted, by name.",
        ),
    ),
    shape(
        Member(
            "routines",
            list_of(
                shape(
                    Member("id", TEXT),
                    Member("family", choice("rrule", "cadence", "cron"), "What kind of schedule it has."),
                    Member("revision", REVISION),
                    Member("lifecycle", choice("draft", "paused", "active", "disabled", "invalid")),
                    Member("managed", choice("legacy", "v1"), "`v1`: only the versioned actions change it."),
                    Member("createdAt", INSTANT),
                    Member("revisedAt", INSTANT),
                    Member(
                        "definition",
                        map_of(ANYTHING, "object").or_null,
                        "As it is stored: a [Routine](#routine) in the family rrule; null when it is broken.",
                    ),
                    Member(
                        "settings",
                        shape(
                            Member("environment", map_of(TEXT, "object of texts"), "Variables that a run is given."),
                            Member("secrets", list_of(TEXT), "Names of secrets that a run is given, never values."),
                        ),
                    ),
                    name="ManagedRoutine",
                    words="A routine with what stands beside its definition.",
                )
            ),
        )
    ),
    (Error(Code.VALIDATION_FAILED, "`ids` is not a list of 1 to 1,000 texts"),),
    kind="desktop.routines",
)
RAISE_WINDOW = Description(
    "coven.desktop.window.raise.v1",
    "Bring the window to the front. Not in the catalog of an app without a window.",
    (optional("activationToken", text(256).or_null, "What the desktop gave to whoever asks, so that it agrees."),),
    shape(Member("raised", exactly(True))),
    (
        Error(Code.VALIDATION_FAILED, "`activationToken` is not text of at most 256 characters"),
        Error(Code.CAPABILITY_UNSUPPORTED, "the app runs without a window"),
    ),
    kind="desktop.window.raised",
)


def _committed(*result: Member) -> Type:
    return shape(
        Member("outcome", choice("committed", "replayed"), "`replayed`: the same request was carried out before."),
        Member("result", shape(*result)),
        optional("replay", shape(Member("firstCommittedAt", INSTANT)), "Only when it is a replay."),
    )


PAUSE_ALL = Description(
    "coven.desktop.pauseAll.v1",
    "Pause everything: nothing is planned and nothing is claimed until the pause ends. No routine is changed.",
    (
        KEY,
        optional(
            "until",
            SENT_INSTANT.or_null,
            "When it ends by itself, later than now. Absent or null: it lasts until `resumeAll.v1`.",
        ),
    ),
    _committed(Member("pauseAll", PAUSE)),
    (
        Error(Code.VALIDATION_FAILED, "the key is no adoption key, or `until` is no instant later than now"),
        MISMATCH,
    ),
    words="What runs goes on, and what a person starts or retries starts. A pause that lasts already gets the new end."
    " It outlives the app. At its end it is as after a downtime: of a contract routine the newest slot that came due"
    " is planned.",
    answers_in="both",
    kind="desktop.pauseAll",
    key="adoptionKey",
)
RESUME_ALL = Description(
    "coven.desktop.resumeAll.v1",
    "End the pause of everything.",
    (KEY,),
    _committed(Member("resumed", BOOLEAN, "False: nothing was paused.")),
    (Error(Code.VALIDATION_FAILED, "the key is no adoption key"), MISMATCH),
    answers_in="both",
    kind="desktop.pauseAll",
    key="adoptionKey",
    wakes=True,
)

ALL = (REFRESH, STATE, ROUTINES, PAUSE_ALL, RESUME_ALL, RAISE_WINDOW)
