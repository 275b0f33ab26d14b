"""The rich definition: a routine with what its author says about it (contract/commands.md §7.5)."""

from __future__ import annotations

from coven_desktop.api.described.model import Member, Type, choice, list_of, map_of, optional, shape
from coven_desktop.api.described.scalars import (
    ANYTHING,
    AUTOMATION_ID,
    DIGEST,
    REVISION,
    SENT_INSTANT,
    UNBLANK,
    exactly,
    integer,
    text,
)
from coven_desktop.contract.definition import (
    BACKOFF_POLICIES,
    BACKOFF_SECONDS_LIMIT,
    MAX_ATTEMPTS_LIMIT,
    RETRYABLE_CLASSES,
    TIMEOUT_MINUTES_LIMIT,
)
from coven_desktop.contract.rich_definition import DEFAULT_RUNTIME, LIFECYCLE_STATES

PRINCIPAL_ID = Type(
    "text of 1 to 128 letters, digits and `. _ : @ -`, a letter or digit first",
    {"type": "string", "pattern": "^[A-Za-z0-9][A-Za-z0-9._:@-]{0,127}$"},
)
PRINCIPAL = shape(Member("principalId", PRINCIPAL_ID), optional("displayName", text(160)), closed=True)


def _unblank(most: int) -> Type:
    words = f"text that is not blank, of at most {most:,} characters"
    return Type(words, {"type": "string", "pattern": r"\S", "maxLength": most})


def _closed(*members: Member) -> Type:
    return shape(*members, closed=True)


_VERSION = Member("version", exactly(1))
_KEPT = _closed(
    Member("classification", choice("ephemeral", "standard", "extended")), optional("deleteAfter", SENT_INSTANT)
)
_POLICIES = _closed(
    Member(
        "timeout",
        _closed(Member("perRunMinutes", integer(1, TIMEOUT_MINUTES_LIMIT), "The deadline of a run.")),
    ),
    Member(
        "retry",
        _closed(
            Member("maxAttempts", integer(1, MAX_ATTEMPTS_LIMIT)),
            Member("backoffPolicy", choice(*BACKOFF_POLICIES)),
            optional("backoffSeconds", integer(1, BACKOFF_SECONDS_LIMIT), "Needed for `fixed`."),
            optional("retryableClasses", list_of(choice(*RETRYABLE_CLASSES)), "None of them twice."),
        ),
    ),
    Member("concurrency", _closed(Member("overlap", exactly("forbid")))),
    Member("misfire", _closed(Member("disposition", exactly("latest")))),
    Member(
        "retention",
        _closed(Member("occurrenceHistory", _KEPT), optional("runLogs", _KEPT), optional("receipts", _KEPT)),
    ),
    optional(
        "delivery",
        _closed(optional("outputTarget", text(1024)), optional("mode", exactly("atomic"))),
        "Not carried: `CAPABILITY_UNSUPPORTED`.",
    ),
)

RICH_DEFINITION = shape(
    Member("schemaVersion", exactly("coven.automations.v1")),
    Member("automationId", AUTOMATION_ID, "The id of the routine."),
    Member("revision", REVISION, "1 to create; to revise, one more than the revision that is expected."),
    Member(
        "integrity",
        _closed(
            Member("algorithm", exactly("sha256")),
            Member("canonicalization", exactly("jcs-rfc8785")),
            Member("value", DIGEST, "Of the canonical form (RFC 8785) of all members but `integrity`."),
        ),
    ),
    Member(
        "lifecycleState",
        choice(*LIFECYCLE_STATES),
        "`draft` to create. To revise: `active` for an active routine, otherwise `paused`.",
    ),
    Member(
        "display",
        _closed(
            Member("name", text(160, least=1)),
            optional("description", text(2000)),
            optional("tags", list_of(text(64, least=1), 0, 64), "None of them twice."),
        ),
    ),
    Member(
        "trigger",
        _closed(
            Member("variant", exactly("schedule")),
            _VERSION,
            Member(
                "schedule",
                _closed(
                    Member("rrule", _unblank(512), "As in [Definition](#definition)."),
                    Member("timezone", UNBLANK, "`utc` or an exact IANA name."),
                ),
            ),
        ),
    ),
    Member(
        "action",
        _closed(
            Member("variant", exactly("familiarInvocation")),
            _VERSION,
            Member("prompt", _unblank(100_000)),
            optional("cwd", text(1024)),
        ),
    ),
    Member(
        "binding",
        _closed(
            Member("familiarBindingPolicy", exactly("exact")),
            Member(
                "authority",
                _closed(Member("approvalPolicyRef", text(200, least=1)), optional("approvalRecordRef", text(200))),
                "Kept, not enforced.",
            ),
            optional("familiarId", text(64, least=1), "May be absent in a draft only."),
        ),
    ),
    Member("policies", _POLICIES),
    optional(
        "deletion",
        _closed(
            Member("tombstoned", exactly(True)),
            Member("requestedAt", SENT_INSTANT),
            optional("requestedBy", PRINCIPAL),
            optional("reason", text(500)),
        ),
        "Kept, not enforced.",
    ),
    optional("conditions", list_of(ANYTHING, 0, 0), "An empty list."),
    optional(
        "runtimeRequirements",
        _closed(
            Member("runtimeId", text(64, least=1), f"The runtime; without it `{DEFAULT_RUNTIME}`."),
            Member("capabilities", list_of(text(96, least=1)), "None of them twice. Kept, not enforced."),
            optional("model", text(128)),
        ),
        "May be absent in a draft only.",
    ),
    optional(
        "provenance",
        _closed(
            Member("createdBy", PRINCIPAL),
            optional("createdAt", SENT_INSTANT),
            optional("updatedBy", PRINCIPAL),
            optional("updatedAt", SENT_INSTANT),
            optional("importedFrom", text(200)),
        ),
        "Kept, not enforced.",
    ),
    optional(
        "activation",
        _closed(optional("effectiveFrom", SENT_INSTANT), optional("effectiveUntil", SENT_INSTANT)),
        "Not carried: `CAPABILITY_UNSUPPORTED`.",
    ),
    optional("extensions", map_of(ANYTHING, "object"), "Names like `x-note` or `com.example.note`. Kept as they are."),
    name="RichDefinition",
    words="A routine with what its author says about it. Closed; what is absent is left out, never null.",
    closed=True,
)
