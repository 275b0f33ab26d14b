"""The change feed: its events and the actions that read them (contract/commands.md §6)."""

from __future__ import annotations

from coven_desktop.api.described.definitions import AUTOMATIONS
from coven_desktop.api.described.model import Description, Error, Member, any_of, choice, list_of, optional, shape
from coven_desktop.api.described.records import NAMED_DIGEST
from coven_desktop.api.described.scalars import (
    COUNT,
    INSTANT,
    REVISION,
    SENT_INSTANT,
    TEXT,
    exactly,
    integer,
    text,
)
from coven_desktop.contract.errors import Code
from coven_desktop.contract.events import KINDS, SUMMARY_LIMIT
from coven_desktop.contract.receipts import SIDE_EFFECTS
from coven_desktop.contract.strict_json import INTEGER_LIMIT

FEED_NAME = shape(
    Member("kind", exactly("feed")),
    Member("id", exactly("all")),
    name="FeedName",
    words="The feed, which has the events of all streams.",
    closed=True,
)
STREAM_NAME = shape(
    Member("kind", choice("automation", "occurrence", "run")),
    Member("id", text(320, least=1), "The id of the routine, occurrence or run."),
    name="StreamName",
    words="The stream of a routine, an occurrence or a run. One that has no events is no error.",
    closed=True,
)
TO_READ = any_of(FEED_NAME, STREAM_NAME)

DEFINITION_PAYLOAD = shape(
    Member("revision", REVISION),
    optional("definitionDigest", NAMED_DIGEST),
    optional("lifecycleState", choice("draft", "paused", "active", "disabled", "invalid", "tombstoned")),
    optional("importedFrom", TEXT),
    name="DefinitionPayload",
    words="Of `definition.…`: a routine was created, changed or deleted.",
)
TRANSITION_PAYLOAD = shape(
    Member("entity", choice("occurrence", "run", "attempt")),
    Member("from", TEXT, "The state before; `none` when it was created."),
    Member("to", TEXT, "The state after."),
    Member("reason", TEXT, "A sentence for people."),
    optional("attemptNumber", integer(1, 10), "Of an attempt."),
    name="TransitionPayload",
    words="Of `occurrence.transitioned`, `run.transitioned` and `attempt.transitioned`: a state has changed.",
)
MISFIRE_PAYLOAD = shape(
    Member("disposition", choice("collapsed_to_latest", "skipped_overlap", "missed", "catch_up_skipped")),
    Member("collapsedSlots", COUNT, "How many slots are not run."),
    optional("firstSlot", INSTANT, "The first of them, of a cadence or cron routine when one record stands for them."),
    optional("lastSlot", INSTANT, "The last of them."),
    name="MisfirePayload",
    words="Of `occurrence.misfire_recorded`: slots came due and are not run.",
)

RECEIPT_PAYLOAD = shape(
    Member("receiptRef", TEXT, "The id of the receipt."),
    Member("outcome", choice("succeeded", "failed", "cancelled", "timed_out", "ambiguous")),
    Member("sideEffectClass", exactly(SIDE_EFFECTS)),
    name="ReceiptPayload",
    words="Of `receipt.recorded`: a run was settled.",
)

WAIT_LIMIT = 30
"""Seconds."""

PAYLOADS = {
    "definition": DEFINITION_PAYLOAD,
    "occurrence": any_of(TRANSITION_PAYLOAD, MISFIRE_PAYLOAD),
    "run": TRANSITION_PAYLOAD,
    "attempt": TRANSITION_PAYLOAD,
    "receipt": RECEIPT_PAYLOAD,
}
"""By the first word of an event's kind."""

EVENT = shape(
    Member("schemaVersion", exactly("coven.automations.v1")),
    Member("eventId", TEXT, "The same whenever it is told: whoever has seen it leaves it alone."),
    Member(
        "stream",
        shape(Member("kind", choice("automation", "occurrence", "run")), Member("id", TEXT)),
        "Its own stream, also in a page of the feed.",
    ),
    Member("sequence", COUNT, "Its place in its own stream: from 0, without gaps."),
    Member("recordedAt", INSTANT),
    Member("observedAt", INSTANT),
    Member(
        "producer",
        shape(
            Member("component", exactly("coven-desktop")),
            Member("instanceId", exactly("local-authority")),
            Member("implementationVersion", TEXT),
        ),
    ),
    optional("causation", shape(Member("adoptionKey", TEXT)), "The request that caused it."),
    optional("automationId", TEXT),
    optional("occurrenceId", TEXT),
    optional("runId", TEXT),
    optional("attemptId", TEXT),
    Member("kind", choice(*sorted(KINDS))),
    Member("summary", text(SUMMARY_LIMIT, least=1), "For people."),
    Member(
        "payload", any_of(DEFINITION_PAYLOAD, TRANSITION_PAYLOAD, MISFIRE_PAYLOAD, RECEIPT_PAYLOAD), "As its kind says."
    ),
    Member(
        "privacy",
        shape(
            Member("classification", exactly("operational")),
            Member("retention", shape(Member("classification", exactly("standard")))),
        ),
    ),
    optional("integrity", NAMED_DIGEST, "Of all the other members; only of `receipt.recorded`."),
    name="Event",
    words="One change, written together with it.",
)

_CURSOR = integer(0, INTEGER_LIMIT)
PAGE = shape(
    Member("stream", TO_READ),
    Member("after", _CURSOR.or_null, "The cursor that the page begins behind; null: at the beginning."),
    Member("events", list_of(EVENT), "In the order in which they were recorded."),
    Member(
        "nextAfter",
        _CURSOR.or_null,
        "The cursor of the last event: the sequence in its stream, in the feed its place there, counted from 0."
        " Null while nothing was ever read.",
    ),
    Member("checkpoint", TEXT, "Names this place for a day; see `events.subscribe.v1`."),
    Member("checkpointExpiresAt", INSTANT),
    name="EventPage",
    words="A page of a stream. See [Events](#events).",
)

_STREAM = Member("stream", TO_READ)
_AFTER = optional("after", _CURSOR.or_null, "Only what comes behind this cursor: `nextAfter` of the page before.")
_EXPIRED = Error(Code.CURSOR_EXPIRED, "what is asked for is not kept any more, or the checkpoint is too old")

READ = Description(
    AUTOMATIONS + "events.read.v1",
    "A page of events.",
    (
        _STREAM,
        _AFTER,
        optional(
            "from",
            SENT_INSTANT.or_null,
            "Only what was recorded at this instant or later. The fraction may be absent.",
            excludes="after",
        ),
        optional("limit", integer(1, 1_000).or_null, "How many at most; 100 when it is absent."),
    ),
    PAGE,
    (Error(Code.VALIDATION_FAILED, "a field is missing or wrong, or `after` stands beside `from`"), _EXPIRED),
    answers_in="result",
)
_CHECKPOINT = optional(
    "checkpoint",
    text(512, least=1, unit="bytes").or_null,
    "The `checkpoint` of the page before.",
    excludes="after",
)
_SUBSCRIPTION_ERRORS = (
    Error(
        Code.VALIDATION_FAILED,
        "a field is missing or wrong, there is a `limit`, or the checkpoint is of another stream",
    ),
    Error(Code.NOT_FOUND, "there is no such checkpoint"),
    _EXPIRED,
)

SUBSCRIBE = Description(
    AUTOMATIONS + "events.subscribe.v1",
    "The next page of events, at most 100, behind a cursor or a checkpoint.",
    (_STREAM, _AFTER, _CHECKPOINT),
    PAGE,
    _SUBSCRIPTION_ERRORS,
    words="Until its checkpoint expires, nothing behind it is deleted. The answer comes at once, also an empty page.",
    answers_in="result",
    forbidden=("limit",),
)
WAIT = Description(
    "coven.desktop.events.wait.v1",
    "The next page of events, at most 100; while there is none, the answer waits for the first.",
    (
        _STREAM,
        _AFTER,
        _CHECKPOINT,
        optional(
            "waitSeconds",
            integer(0, WAIT_LIMIT).or_null,
            f"For how long; then the page is empty. {WAIT_LIMIT} when it is absent.",
        ),
    ),
    PAGE,
    (
        *_SUBSCRIPTION_ERRORS,
        Error(Code.CONCURRENCY_LIMIT, "very many clients wait: read without waiting, or wait later"),
    ),
    words="Better than asking again and again. When the app ends, the answer comes at once.",
    answers_in="result",
    forbidden=("limit",),
)

ALL = (READ, SUBSCRIBE, WAIT)
