"""The actions that are ours, and the refresh of the catalog."""

from __future__ import annotations

from coven_desktop.api.described.definitions import GONE, KEY, MISMATCH, committed
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
    NAMED,
    REVISION,
    SENT_INSTANT,
    TEXT,
    exactly,
    integer,
    text,
)
from coven_desktop.api.described.service import CATALOG, PAUSE
from coven_desktop.contract.errors import Code
from coven_desktop.contract.routine_settings import NAME_LIMIT, SECRETS_LIMIT, VALUE_LIMIT, VARIABLES_LIMIT
from coven_desktop.schedule.families import KINDS

FAMILY = choice(*KINDS)
LIFECYCLE = choice("draft", "paused", "active", "disabled", "invalid")

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
                        choice("live", "delivering", "waiting", "held", "recovery_required", "lost"),
                        "`delivering`, `waiting` and `lost` (a cron run that vanished) go on by themselves;"
                        " `held` failed and may be retried until its deadline.",
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
                    Member(
                        "routineDeleted",
                        BOOLEAN,
                        "After it began: nothing of it is tried again, also when another routine has the id by now.",
                    ),
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
        Member(
            "clockAhead",
            list_of(shape(Member("automationId", TEXT), Member("until", INSTANT))),
            "Active routines of which nothing is planned until then, for the clock was ahead.",
        ),
        Member(
            "broken",
            list_of(shape(Member("automationId", TEXT), Member("reason", TEXT))),
            "Routines that cannot be understood any more, and why.",
        ),
        Member(
            "pausedByFailures",
            list_of(shape(Member("automationId", TEXT), Member("failures", COUNT))),
            "Cron routines that were paused by themselves, as so many runs in a row failed, until they are resumed.",
        ),
        Member("places", COUNT, "How many runs there may be at the same time; 0 is no limit."),
        Member(
            "waitingForPlace",
            list_of(
                shape(Member("automationId", TEXT), Member("occurrenceId", TEXT), Member("scheduledFor", INSTANT)),
                0,
                1_000,
            ),
            "Slots that are due and begin when one of those runs has ended, oldest first, at most 1,000.",
        ),
        Member(
            "unknownSessions",
            list_of(
                shape(
                    Member("sessionId", TEXT),
                    Member("process", COUNT, "Of its host, which a SIGTERM makes stop the session."),
                    Member("automationId", TEXT.or_null),
                )
            ),
            "Sessions that live and that this database does not know, as after a restored backup. Until they have ended"
            " nothing else of their routines starts.",
        ),
    ),
    kind="desktop.state",
)
VARIABLE = Type(
    f"name of 1 to {NAME_LIMIT} letters, digits and `_`, no digit first",
    {"type": "string", "pattern": rf"^[A-Za-z_][A-Za-z0-9_]{{0,{NAME_LIMIT - 1}}}$"},
)
_SETTINGS_TOLD = shape(
    Member("revision", COUNT, "Of the settings; 0 when they were never set."),
    Member("environment", map_of(TEXT, "object of texts"), "Variables that a run is given."),
    Member("secrets", list_of(TEXT), "Names of secrets that a run is given, never values."),
)
ROUTINE_SETTINGS = Description(
    "coven.desktop.routine.settings.v1",
    "Give a routine environment variables and secrets, in place of those it had.",
    (
        KEY,
        Member("automationId", NAMED, "The routine."),
        Member(
            "settings",
            shape(
                Member(
                    "environment",
                    map_of(TEXT, "object of texts, by the variable's name"),
                    f"At most {VARIABLES_LIMIT} variables, each value of at most {VALUE_LIMIT:,} bytes.",
                ),
                Member(
                    "secrets",
                    list_of(VARIABLE, 0, SECRETS_LIMIT),
                    "Each is read from the keyring at a launch, and given as the variable of its name.",
                ),
                closed=True,
            ),
        ),
        Member("expectedRevision", COUNT, "Of the settings, as `routine.list.v1` told it."),
    ),
    committed(Member("automationId", TEXT), Member("settings", _SETTINGS_TOLD)),
    (
        Error(Code.VALIDATION_FAILED, "a field is missing or wrong"),
        Error(Code.NOT_FOUND, "there is no such routine"),
        GONE,
        Error(Code.REVISION_CONFLICT, "the settings have another revision: `details.settingsRevision`"),
        MISMATCH,
    ),
    words="They stand beside the definition and change neither its revision nor its digest; a run that is started or"
    " retried from now on has them. The same settings again are no new revision.",
    answers_in="both",
    kind="desktop.routine.settings",
    key="adoptionKey",
)
RUNTIMES = Description(
    "coven.desktop.runtimes.list.v1",
    "The runtimes that a routine can name: built in, or from the person's `runtimes.toml`.",
    (),
    shape(
        Member(
            "runtimes",
            list_of(
                shape(
                    Member("name", TEXT),
                    Member("source", choice("built-in", "runtimes.toml")),
                    Member("command", TEXT, "As the runtime names it."),
                    Member(
                        "arguments", list_of(TEXT), "With {prompt_file}, {prompt}, {cwd} and {model} yet to be filled."
                    ),
                    Member("modelArguments", list_of(TEXT), "Added when the routine names a model."),
                    Member("prompt", choice("stdin", "file", "argument"), "How the prompt gets to the command."),
                    Member("found", BOOLEAN, "Whether the command is on this machine."),
                    Member("executable", TEXT.or_null, "Where it lies."),
                    Member(
                        "verified",
                        TEXT.or_null,
                        "Against what a built-in runtime was checked; `unverified: …` says why it could not be.",
                    ),
                    Member("environment", list_of(TEXT), "Names of the variables it gives, never values."),
                    Member("secrets", list_of(TEXT), "Names of the secrets it gives, never values."),
                    Member("graceMs", COUNT, "From SIGTERM to SIGKILL."),
                    Member("lingerMs", COUNT, "How long what the command left behind may go on."),
                    Member("outputLimitBytes", COUNT, "How much of the output is kept."),
                    name="Runtime",
                    words="A command-line agent or interpreter, and how it is given a prompt.",
                )
            ),
        ),
        Member(
            "problems",
            list_of(
                shape(
                    Member("runtime", TEXT.or_null, "Null: the file itself."),
                    Member("sentence", TEXT),
                )
            ),
            "What is wrong in `runtimes.toml`; a runtime that is named here is not known until it is mended.",
        ),
    ),
    kind="desktop.runtimes",
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
                    Member("family", FAMILY, "What kind of schedule it has."),
                    Member("revision", REVISION),
                    Member("lifecycle", LIFECYCLE),
                    Member("managed", choice("legacy", "v1"), "`v1`: only the versioned actions change it."),
                    Member("createdAt", INSTANT),
                    Member("revisedAt", INSTANT),
                    Member("nextDueAt", INSTANT.or_null, "The next slot that will be planned; null when none will."),
                    Member(
                        "clockAheadUntil",
                        INSTANT.or_null,
                        "The clock was ahead: of an active routine nothing is planned until then. Else null.",
                    ),
                    Member("brokenReason", TEXT.or_null, "Why it cannot be understood any more; else null."),
                    Member(
                        "definition",
                        map_of(ANYTHING, "object").or_null,
                        "As it is stored: a [Routine](#routine) in the family rrule, else a"
                        " [StoredRoutine](#storedroutine); null when it is broken.",
                    ),
                    Member(
                        "settings",
                        _SETTINGS_TOLD,
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

ALL = (REFRESH, STATE, ROUTINES, ROUTINE_SETTINGS, RUNTIMES, PAUSE_ALL, RESUME_ALL, RAISE_WINDOW)
