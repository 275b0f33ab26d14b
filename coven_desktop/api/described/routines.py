"""A routine as clients write it and as it is told, and its health (contract/commands.md §3.7 and §5.1)."""

from __future__ import annotations

from dataclasses import replace

from coven_desktop.api.described.model import Member, choice, list_of, optional, shape
from coven_desktop.api.described.records import FAILURE_CLASSES
from coven_desktop.api.described.scalars import (
    AUTOMATION_ID,
    COUNT,
    INSTANT,
    INSTANT_NS,
    TEXT,
    UNBLANK,
    exactly,
    integer,
    text,
)
from coven_desktop.contract import definition as limits

_ATTEMPTS = integer(1, limits.MAX_ATTEMPTS_LIMIT)
_SECONDS = integer(1, limits.BACKOFF_SECONDS_LIMIT)
_BACKOFF = choice(*limits.BACKOFF_POLICIES)
_CLASSES = list_of(choice(*limits.RETRYABLE_CLASSES))

RETRY_POLICY = shape(
    Member("maxAttempts", _ATTEMPTS, "Attempts in all, the first one among them."),
    Member("backoffPolicy", _BACKOFF, "How the wait before the next attempt is found."),
    optional("backoffSeconds", _SECONDS.or_null, "The wait, or what it grows from. Needed for `fixed`."),
    optional("retryableClasses", _CLASSES, "Only these failures are retried; all of them happen before a start."),
    name="RetryPolicy",
    words="When a start that failed is tried again by itself. Without it: never.",
    closed=True,
)

_REQUIRED = (
    Member("schemaVersion", exactly(1)),
    Member("id", AUTOMATION_ID, "1 to 96 letters, digits and `. _ -`, a letter or digit first. It never changes."),
    Member("name", text(limits.NAME_LIMIT, least=1, unit="bytes"), "For people; white space around it does not count."),
    Member("status", choice("ACTIVE", "PAUSED"), "Whether it runs by itself."),
    Member(
        "rrule",
        UNBLANK,
        "The rule: `FREQ=DAILY` or `FREQ=WEEKLY`, with `BYHOUR` (hours from 0 to 23) and, for weekly, `BYDAY`.",
    ),
    Member("timezone", UNBLANK, "`utc`, an IANA name, or `local`, which is stored as the name of the machine's zone."),
    Member("misfire", exactly("latest"), "Of slots that were missed, the newest one is run."),
    Member("overlap", exactly("forbid"), "Never two runs at a time."),
    Member(
        "timeoutMinutes",
        integer(1, limits.TIMEOUT_MINUTES_LIMIT),
        "The deadline of a run, over all its attempts; the process tree is ended at it.",
    ),
    Member("runtime", text(limits.RUNTIME_LIMIT, least=1, unit="bytes"), "The agent that runs the prompt."),
    Member("prompt", UNBLANK, "What the runtime is given."),
)

_OPTIONAL = (
    optional("retry", RETRY_POLICY),
    optional("familiarId", text(limits.FAMILIAR_ID_LIMIT, least=1, unit="bytes").or_null, "Given to the command."),
    optional("cwd", TEXT.or_null, "The working folder, absolute. A run needs one."),
    optional("model", TEXT.or_null, "Given to the runtime with its option for a model."),
    optional("tags", list_of(TEXT)),
)

MEMBERS = (*_REQUIRED, *_OPTIONAL)
"""All that a routine of the contract can have."""

DEFINITION = shape(
    *_REQUIRED,
    *_OPTIONAL,
    name="Definition",
    words="A routine as it is written. Members that are not known are left out and named in `warnings`.",
)

CLOSED_DEFINITION = shape(
    *_REQUIRED,
    *_OPTIONAL,
    name="ClosedDefinition",
    words="A routine as it is written, without any other member.",
    closed=True,
)


def told(member: Member) -> Member:
    """A member of the stored form: never null, and absent when it is the default."""
    told = replace(member.type, null=False)
    if member.name == "status":
        told = choice(*limits.STATUSES)
    if member.name == "retry":
        told = shape(
            Member("backoffPolicy", _BACKOFF),
            optional("backoffSeconds", _SECONDS),
            Member("maxAttempts", _ATTEMPTS),
            optional("retryableClasses", _CLASSES),
        )
    return replace(member, type=told)


ROUTINE = shape(
    *sorted((told(member) for member in (*_REQUIRED, *_OPTIONAL)), key=lambda member: member.name),
    name="Routine",
    words="A routine as it is stored: members sorted by name, defaults left out, the zone exact.",
)

HEALTH = shape(
    Member("automationId", TEXT),
    Member("nextDueAt", INSTANT.or_null, "The next slot, of a paused routine too; null while quarantined."),
    Member("lastPlannedAt", INSTANT.or_null, "The newest slot that was planned."),
    Member("lastStartedAt", INSTANT.or_null, "When its newest run began."),
    Member(
        "lastSuccessAt",
        INSTANT_NS.or_null,
        "`scheduledFor` of the newest occurrence that succeeded, not when that ended. Nine digits for a start by hand.",
    ),
    Member("consecutiveFailures", COUNT, "Occurrences after that one which failed."),
    Member("leaseOwner", TEXT.or_null, "Who has claimed the occurrence that is open."),
    Member("leaseExpiresAt", INSTANT.or_null),
    Member("staleReason", TEXT.or_null, "Why something stands still, for people."),
    Member("currentAttempt", COUNT.or_null, "The number of the attempt that waits to be dispatched."),
    Member("maxAttempts", integer(1, limits.MAX_ATTEMPTS_LIMIT), "Of its retry policy."),
    Member("retryNotBefore", INSTANT.or_null, "Not before this instant."),
    Member("consecutiveExhaustions", COUNT, "While quarantined: runs in a row that used up their attempts."),
    Member("quarantinedAt", INSTANT.or_null, "Since when the routine is not run by itself because of them."),
    Member("quarantineFailureClass", FAILURE_CLASSES.or_null),
    Member("quarantineReason", TEXT.or_null),
    name="Health",
    words="How a routine fares.",
)
