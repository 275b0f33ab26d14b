"""What the app tells of itself: the handshake, the catalog, and what stands around every answer (contract/api.md)."""

from __future__ import annotations

from coven_desktop.api.described.model import Description, Member, Type, choice, list_of, map_of, optional, shape
from coven_desktop.api.described.scalars import (
    ANYTHING,
    BOOLEAN,
    COUNT,
    INSTANT,
    INSTANT_NS,
    INTEGER,
    REVISION,
    TEXT,
    exactly,
    integer,
)
from coven_desktop.contract.errors import Code

_NO_INSTANT = INSTANT.or_null

CONTRACT_CAPABILITIES = shape(
    *(Member(name, BOOLEAN) for name in ("sessions", "events", "travel", "scheduler", "hub", "executorDispatch")),
    Member("eventCursor", exactly("sequence")),
    *(
        Member(name, BOOLEAN)
        for name in ("structuredErrors", "sessionHandoff", "sessionLaunchPolicy", "afs", "afsMount", "afsCommit")
    ),
    Member("afsCommitDryRun", BOOLEAN),
    *(
        Member(name, list_of(TEXT))
        for name in ("executionBindingContracts", "requestAdoptionContracts", "sessionPolicyContracts")
    ),
)

PAUSE = shape(
    Member("since", INSTANT),
    Member("until", INSTANT.or_null, "Null: until it is resumed."),
    name="PauseOfAll",
    words="A pause of everything, by `coven.desktop.pauseAll.v1`: nothing is planned and nothing is claimed.",
)
HANDSHAKE = shape(
    Member("ok", exactly(True), "Somebody answers; how the store is stands in `storage`."),
    Member("apiVersion", exactly("coven.daemon.v1"), "A client goes on only when it is exactly this."),
    Member("covenVersion", TEXT, "The version of this app."),
    Member("capabilities", CONTRACT_CAPABILITIES, "What is not there is `false` or empty."),
    Member(
        "daemon",
        shape(
            Member("pid", REVISION),
            Member("startedAt", INSTANT_NS, "With nine fraction digits."),
            Member("socket", TEXT, "The absolute path of the socket."),
        ),
    ),
    Member(
        "hub",
        shape(
            Member("role", exactly("standalone")),
            Member("hubId", TEXT.or_null),
            Member("nodesTotal", COUNT),
            Member("nodesAvailable", COUNT),
        ),
    ),
    Member(
        "eventWriter",
        shape(
            Member("state", TEXT),
            *(Member(name, COUNT) for name in ("queuedEvents", "queuedBytes", "capacityBytes", "droppedOutputEvents")),
            *(
                Member(name, COUNT)
                for name in ("droppedOutputBytes", "connectionOpens", "transactions", "committedEvents")
            ),
        ),
        "Events are written with the change they tell of: nothing is ever queued.",
    ),
    Member(
        "storage",
        shape(
            Member("status", choice("ok", "degraded", "critical"), "`critical`: less than 256 MiB are free."),
            Member("databaseBytes", COUNT),
            Member("walBytes", COUNT),
            Member("oldestRetainedEventAt", _NO_INSTANT),
            Member("lastPruneAt", _NO_INSTANT),
            Member("pruneAgeSeconds", COUNT.or_null),
            Member("lastCheckpointAt", _NO_INSTANT),
            Member("checkpointAgeSeconds", COUNT.or_null),
            Member("writerBacklogEvents", COUNT),
            Member("writerBacklogBytes", COUNT),
            Member("freeDiskBytes", COUNT),
            Member("maintenanceBlocked", BOOLEAN),
        ),
    ),
    Member(
        "desktop",
        shape(
            Member("headless", BOOLEAN, "Whether the app runs without a window."),
            Member("clockShiftMs", INTEGER, "What is added to the clock of the machine, for demonstrations."),
            Member("pauseAll", PAUSE.or_null, "Null unless everything pauses."),
        ),
    ),
    name="Handshake",
    words="Who answers, and what it has.",
)

_VARIANTS = list_of(shape(Member("variant", TEXT), optional("profile", TEXT), optional("notes", TEXT)))
_NEGOTIATION = shape(
    Member("version", exactly(1)),
    Member("contractProfile", TEXT),
    Member("description", TEXT),
    Member(
        "supported",
        shape(
            *(
                Member(name, _VARIANTS)
                for name in ("triggers", "conditions", "actions", "triggerPolicies", "deliveryPolicies")
            ),
            Member("retentionPolicies", _VARIANTS),
        ),
    ),
    Member("experimental", _VARIANTS),
    Member("refused", list_of(shape(Member("variant", TEXT), Member("reason", TEXT)))),
    Member("negotiationRules", list_of(TEXT)),
)

CATALOG = shape(
    Member(
        "capabilities",
        list_of(
            shape(
                Member("id", choice("coven.automations", "coven.control.actions", "coven.desktop")),
                Member("label", TEXT),
                Member("adapter", TEXT),
                Member("status", exactly("available")),
                Member("policy", exactly("allow")),
                Member("actions", list_of(TEXT), "The action ids that work now."),
                optional("variantNegotiation", _NEGOTIATION, "Of `coven.automations`: which routines it can carry."),
                optional(
                    "version",
                    integer(1, 1),
                    "Of `coven.desktop`, our own actions: raised when one of them changes its meaning or goes.",
                ),
                name="Capability",
                words="An entry of the catalog.",
            )
        ),
    ),
    name="Catalog",
    words="What can be asked for.",
)

API_VERSION = shape(
    Member("apiVersion", exactly("v1")),
    Member("supportedApiVersions", list_of(TEXT)),
    name="ApiVersion",
    words="The version of the paths.",
)

# The error of a typed refusal: optional members are absent, never null.
ERROR = shape(
    Member("code", choice(*(code.value for code in Code)), "Branch on this, never on the text."),
    Member("httpStatus", INTEGER, "The status of the response."),
    Member("message", TEXT, "A sentence for people."),
    Member("retryable", BOOLEAN, "Whether the same request, sent again, may succeed."),
    optional("details", map_of(ANYTHING, "object"), "What belongs to the code."),
    optional(
        "adoption",
        shape(
            Member("key", TEXT),
            optional("conflictOutcome", choice("committed", "rejected")),
        ),
        "What the key was spent on.",
    ),
    optional("currentRevision", REVISION, "The revision that the routine has."),
    name="Error",
    words="Why an action was refused.",
)

REJECTION = shape(
    Member("ok", exactly(False)),
    Member("accepted", exactly(False)),
    Member("action", TEXT, "The action id; empty when there was none, `(unknown)` when the body was not JSON."),
    Member("status", exactly("rejected")),
    Member("reason", TEXT, "A sentence for people."),
    optional("error", ERROR, "Absent in a refusal without a code, which has status 400."),
    optional("result", map_of(ANYTHING, "object"), "Only in a refusal by `coven.automations.command.v1`."),
    name="Rejection",
    words="An action that was not carried out.",
)

ROUTE_ERROR = shape(
    optional("ok", exactly(False), "Only with `payload_too_large`."),
    Member(
        "error",
        shape(Member("code", TEXT), optional("details", map_of(ANYTHING, "object")), Member("message", TEXT)),
    ),
    name="RouteError",
    words="A request that no action has seen, or a path that has nothing to tell.",
)


def success(described: Description) -> Type:
    """The whole body of an action that was carried out."""
    payload = described.answer
    strict = described.closed and described.in_event is None
    event = shape(
        Member("kind", exactly(described.kind)),
        Member("action", exactly(described.action) if described.in_event is None else TEXT),
        *(() if strict else (optional("origin", TEXT), optional("intentId", TEXT))),
        Member("payload", payload if described.in_event is None else described.in_event),
    )
    in_result, in_event = described.answers_in != "event", described.answers_in != "result"
    # the replay of a definition command has no event
    always = in_event and (strict or not in_result)
    return shape(
        Member("ok", exactly(True)),
        Member("accepted", exactly(True)),
        Member("action", exactly(described.action)),
        Member("status", exactly("completed")),
        *((optional("reason", TEXT, "Only in a replay; says so."),) if strict else ()),
        *((Member("result", payload),) if in_result else ()),
        *((Member("event", event, required=always),) if in_event else ()),
    )
