"""What is told of occurrences, runs, attempts and sessions (contract/commands.md §5.2, contract/api.md §a)."""

from __future__ import annotations

from coven_desktop.api.described.deliveries import OF_A_RUN
from coven_desktop.api.described.model import Member, choice, list_of, optional, shape
from coven_desktop.api.described.scalars import (
    BOOLEAN,
    COUNT,
    DIGEST,
    INSTANT,
    INSTANT_NS,
    INTEGER,
    REVISION,
    TEXT,
    exactly,
    integer,
)

CANCELLATION_STATES = choice("requested", "stopping", "cancelled", "recovery_required", "rejected")
FAILURE_CLASSES = choice(
    *("transient_dispatch", "lease_expired", "runtime_unavailable", "runtime_error", "timeout", "cancelled"),
    *("ambiguous_evidence", "launch_refused"),
)
NAMED_DIGEST = shape(
    Member("algorithm", exactly("sha256")),
    Member("canonicalization", exactly("jcs-rfc8785")),
    Member("value", DIGEST),
    name="Digest",
    words="The SHA-256 of the canonical form (RFC 8785) of a JSON value.",
)
PRINCIPAL = shape(Member("principalId", TEXT, "Whoever asked."))
CORRELATION = shape(Member("sessionId", TEXT, "The session that carries out the attempt."))

ATTEMPT = shape(
    Member("id", TEXT, "`attempt-<run id>-<number>`."),
    Member("runId", TEXT),
    Member("occurrenceId", TEXT),
    Member("attemptNumber", integer(1, 10), "Counted from 1 within the run."),
    Member("adoptionKey", TEXT, "`automation:<run id>:<number>`: no command can use it."),
    Member("occurrenceFenceGeneration", REVISION, "The claim of the occurrence under which it was opened."),
    Member("dispatchGeneration", COUNT, "How many times it was dispatched."),
    Member(
        "state",
        choice(
            *("adopted", "dispatching", "started", "observing"),
            *("succeeded", "failed", "cancelled", "timed_out", "ambiguous"),
        ),
        "`adopted` waits to be dispatched; the last five are final.",
    ),
    Member("failureClass", FAILURE_CLASSES.or_null, "Why it failed."),
    Member("priorAttemptNumber", integer(1, 9).or_null, "The attempt before it."),
    Member("priorDisposition", choice("failed", "timed_out", "cancelled", "ambiguous").or_null, "How that one ended."),
    Member(
        "retryClassification",
        choice("initial", "automatic_retry", "operator_retry", "operator_recovery"),
        "Who wanted it: the schedule, the retry policy, or a person.",
    ),
    Member("notBefore", INSTANT, "It is not dispatched before this instant."),
    Member("sessionId", TEXT.or_null),
    Member("stateReason", TEXT.or_null, "A sentence about how it ended, for people."),
    Member("openedAt", INSTANT),
    Member("settledAt", INSTANT.or_null, "Null until it has a final state."),
    name="Attempt",
    words="One try at a run: one session at most.",
)

SHOWN_CANCELLATION = shape(
    Member("scope", exactly("run")),
    Member("requestedBy", PRINCIPAL),
    Member("status", CANCELLATION_STATES),
    Member("requestedAt", INSTANT),
    Member("reason", TEXT),
    optional("acknowledgedAt", INSTANT, "When the stop was proven."),
    optional("reconciledAt", INSTANT, "When run and occurrence were settled by it."),
)

RUN_STATUS = choice("accepted", "running", "succeeded", "failed", "cancelled", "timed_out", "ambiguous")
_RUN = (
    Member("id", TEXT, "`run-` and 32 hexadecimal digits."),
    Member("automationId", TEXT, "The routine."),
    Member("occurrenceId", TEXT.or_null, "The occurrence it carries out."),
    Member("receiptId", TEXT.or_null, "The receipt of a settled run."),
    Member("sessionId", TEXT.or_null, "The session of the newest attempt; read its output with the sessions routes."),
    Member("familiarId", TEXT.or_null),
    Member("runtime", TEXT, "The runtime that the definition named."),
    Member(
        "status",
        RUN_STATUS,
        "A run that waits for a retry or for a person is `running`.",
    ),
    Member("exitCode", INTEGER.or_null, "The exit status of the command."),
    Member("logJson", TEXT.or_null),
    Member("outputCommit", TEXT.or_null),
    Member("startedAt", INSTANT),
    Member("finishedAt", INSTANT.or_null),
    *OF_A_RUN,
)

RUN = shape(
    *_RUN,
    Member("attempts", list_of(ATTEMPT), "Oldest first."),
    optional("cancellation", SHOWN_CANCELLATION, "Of the newest attempt, when somebody asked for it."),
    name="Run",
    words="One acceptance of an occurrence: what was started, and how it ended.",
)

RUN_INSPECTION = shape(
    *_RUN,
    Member("automationRevision", REVISION, "The revision of the routine that the run carries out."),
    Member("definitionDigest", DIGEST, "The digest of that revision."),
    Member("authorityProfile", TEXT.or_null),
    Member("timeoutAt", INSTANT.or_null, "The deadline of the run, over all its attempts."),
    Member("attempts", list_of(ATTEMPT), "Oldest first."),
    name="RunInspection",
    words="A run with what it is pinned to.",
)

_OCCURRENCE = (
    Member("id", TEXT, "`<routine>-<UTC milliseconds>` of a slot, `occ-…` of a start by hand."),
    Member("automationId", TEXT),
    Member("automationRevision", REVISION),
    Member("definitionDigest", DIGEST),
    Member("scheduledFor", INSTANT_NS, "The instant of the slot; of a start by hand with nine fraction digits."),
    Member("kind", choice("scheduled", "manual")),
    Member(
        "state",
        choice(
            *("planned", "claimed", "running", "recovery_required", "succeeded", "failed", "cancelled"),
            *("timed_out", "skipped", "superseded"),
        ),
        "The last six are final. `recovery_required`: how it ended is not known, and a person decides.",
    ),
    Member("leaseOwner", TEXT.or_null, "Who has claimed it."),
    Member("leaseExpiresAt", INSTANT.or_null),
    Member("schedulerGeneration", COUNT.or_null, "The lead of the scheduler under which it was claimed."),
    Member("fenceGeneration", COUNT, "How many times it was claimed."),
    Member("failureReason", TEXT.or_null, "A sentence for people."),
    Member("createdAt", INSTANT),
    Member("updatedAt", INSTANT),
    optional(
        "reasonClass",
        choice("missed", "overlap", "catch_up"),
        "Of a cadence or cron routine: why it was skipped; found late, with an earlier run not over, or by its policy.",
    ),
    optional(
        "missed",
        shape(Member("slots", COUNT), Member("first", INSTANT), Member("last", INSTANT)),
        "Of a cadence or cron routine: slots that did not run and that this one stands for. A run that makes up for"
        " those before it is not counted itself.",
    ),
)

OCCURRENCE = shape(
    *_OCCURRENCE, name="Occurrence", words="One time at which a routine is due, or one start of it by hand."
)

OCCURRENCE_INSPECTION = shape(
    *_OCCURRENCE,
    Member("runs", list_of(RUN_INSPECTION), "Oldest first, at most 20."),
    Member("runsTruncated", BOOLEAN, "Whether there are more."),
    name="OccurrenceInspection",
    words="An occurrence with its runs.",
)

SESSION = shape(
    Member("id", TEXT, "`session-` and 32 hexadecimal digits."),
    Member("project_root", TEXT, "The working folder."),
    Member("harness", TEXT, "The runtime."),
    Member("title", TEXT, "The name of the routine."),
    Member("status", choice("created", "running", "idle", "completed", "failed", "killed", "orphaned")),
    Member("exit_code", INTEGER.or_null),
    Member("archived_at", INSTANT_NS.or_null),
    Member("created_at", INSTANT_NS),
    Member("updated_at", INSTANT_NS),
    Member("conversation_id", TEXT.or_null),
    Member("familiar_id", TEXT.or_null),
    Member("execution_binding", TEXT.or_null),
    Member("labels", list_of(TEXT)),
    Member("visibility", exactly("private")),
    Member("external", BOOLEAN),
    Member("transcript_path", TEXT.or_null),
    name="Session",
    words="The process tree that carries out one attempt. Member names are in snake case, as clients know them.",
)

LOG_LINE = shape(
    Member("ts", INSTANT),
    Member("level", choice("info", "error", "warn"), "`info` was printed to stdout, `error` to stderr."),
    Member("message", TEXT, "What was printed, not cut into lines; or, as `warn`, how many bytes are not kept."),
    name="LogLine",
    words="A piece of a session's output.",
)

SESSION_PAGE = shape(
    Member("sessions", list_of(SESSION)),
    Member("next_cursor", TEXT.or_null, "The cursor of the next page, when there is one."),
    name="SessionPage",
    words="A page of sessions, newest first.",
)

SESSION_EVENT_PAGE = shape(
    Member(
        "events",
        list_of(
            shape(
                Member("seq", REVISION, "Rises, with gaps."),
                Member("id", TEXT),
                Member("session_id", TEXT),
                Member(
                    "kind",
                    choice("output", "output_truncated", "exit"),
                    "`exit` comes once, behind everything.",
                ),
                Member(
                    "payload_json",
                    TEXT,
                    "JSON: `data` and `stream`; `droppedEvents` and `droppedBytes`; or `status` and `exitCode`.",
                ),
                Member("created_at", INSTANT),
                name="SessionEvent",
                words="A piece of output, output that is not kept, or the end.",
            )
        ),
    ),
    Member(
        "nextCursor", shape(Member("afterSeq", REVISION)).or_null, "The cursor of the next page; null of an empty page."
    ),
    Member("hasMore", BOOLEAN, "Whether there is more now. A session that lives can still print more later."),
    name="SessionEventPage",
    words="A page of what a session printed.",
)
