"""The receipts of settled runs (contract/commands.md §9)."""

from __future__ import annotations

from coven_desktop.api.described.definitions import AUTOMATIONS
from coven_desktop.api.described.model import Description, Error, Member, choice, list_of, optional, shape
from coven_desktop.api.described.records import FAILURE_CLASSES, NAMED_DIGEST
from coven_desktop.api.described.scalars import ENTITY_ID, INSTANT, REVISION, TEXT, exactly, integer, text
from coven_desktop.contract.errors import Code
from coven_desktop.contract.receipts import DETAIL_LIMIT, SIDE_EFFECTS

_UNVERIFIED = shape(Member("status", exactly("unverified")), Member("evidence", exactly("unavailable")))

RECEIPT = shape(
    Member("schemaVersion", exactly("coven.automations.v1")),
    Member("receiptId", TEXT),
    Member("automationId", TEXT),
    Member("automationRevision", REVISION),
    Member("definitionDigest", NAMED_DIGEST, "Of the definition that was run."),
    Member("occurrenceId", TEXT),
    Member("occurrenceFenceGeneration", REVISION),
    Member("runId", TEXT),
    Member("attemptId", TEXT, "The attempt that ended it."),
    Member("attemptNumber", integer(1, 10)),
    Member("identity", shape(Member("familiarId", TEXT, "`local` when the routine names none."))),
    Member("runtime", shape(Member("runtimeId", TEXT), Member("capabilities", list_of(TEXT)), optional("model", TEXT))),
    optional("deliveryDigest", NAMED_DIGEST, "Of what the runtime was given."),
    optional("resultDigest", NAMED_DIGEST, "Of what the session left: how it ended, and what it printed."),
    Member("sideEffectClass", exactly(SIDE_EFFECTS), "What a command did is not known, which counts as the worst."),
    Member(
        "outcome",
        shape(
            Member("disposition", choice("succeeded", "failed", "cancelled", "timed_out", "ambiguous")),
            optional("failureClass", FAILURE_CLASSES),
            optional("detail", text(DETAIL_LIMIT), "For people."),
            Member(
                "recoveryDisposition",
                choice("not_required", "recovered_inline", "deferred_to_operator"),
                "Of a run whose outcome was not known: whether evidence decided it after all, or a person; a lost"
                " cron run fails without either.",
            ),
        ),
    ),
    Member("producedAt", INSTANT),
    Member(
        "producer",
        shape(Member("component", TEXT), Member("instanceId", TEXT), Member("implementationVersion", TEXT)),
    ),
    Member(
        "privacy",
        shape(Member("classification", TEXT), Member("retention", shape(Member("classification", TEXT)))),
    ),
    Member("integrity", NAMED_DIGEST, "Of all the other members. It does not prove who wrote it."),
    name="Receipt",
    words="What was run, for whom, and how it ended. Written once, when the run is settled.",
)

GET = Description(
    AUTOMATIONS + "receipt.get.v1",
    "The receipt of a settled run, and what reading it has verified.",
    (Member("id", ENTITY_ID, "The `receiptId` of the run."),),
    shape(
        Member("receipt", RECEIPT),
        Member(
            "verification",
            shape(
                Member("status", exactly("unverifiable"), "Nobody here can prove who wrote it."),
                Member("integrity", exactly("valid"), "Its digest is that of its content."),
                Member("correlation", exactly("valid"), "It is the receipt of its run."),
                Member("receiptAuthentication", _UNVERIFIED),
                Member("runtimeAuthority", _UNVERIFIED),
                Member("reasons", list_of(TEXT)),
            ),
        ),
    ),
    (
        Error(Code.VALIDATION_FAILED, "`id` is missing or no id"),
        Error(Code.NOT_FOUND, "there is no such receipt"),
        Error(Code.AUTHORITY_REQUIRED, "the receipt is private"),
    ),
    words="A receipt that is not what was sealed is answered with `INTERNAL`.",
    answers_in="result",
)

ALL = (GET,)
