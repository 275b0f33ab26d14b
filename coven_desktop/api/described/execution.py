"""The actions that start, stop and decide runs (contract/commands.md §3.8 and §4)."""

from __future__ import annotations

from coven_desktop.api.described.definitions import AUTOMATIONS, GONE, ID
from coven_desktop.api.described.model import Description, Error, Member, Type, choice, list_of, optional, shape
from coven_desktop.api.described.records import CORRELATION, PRINCIPAL
from coven_desktop.api.described.scalars import (
    ADOPTION_KEY,
    AUTOMATION_ID,
    BOOLEAN,
    COUNT,
    ENTITY_ID,
    INSTANT,
    REVISION,
    TEXT,
    UNBLANK,
    exactly,
    integer,
    text,
)
from coven_desktop.contract.errors import Code

KEY = Member("adoptionKey", ADOPTION_KEY, "Names this request for good.")

INVALID = Error(Code.VALIDATION_FAILED, "a field is missing, wrong or not known")
MISMATCH = Error(Code.ADOPTION_REPLAY_MISMATCH, "the key was used for another request")

_NOTE = optional("note", text(500).or_null, "Told back, and kept with the attempt.")
_WHY = optional("reason", text(500).or_null, "Why, for people. Blank counts as absent.")
_STATEMENT = optional("statement", text(1000, least=1).or_null, "What the person found, for people.")
_STATUS = choice("accepted", "running", "succeeded", "failed", "cancelled", "timed_out", "ambiguous")


def _strict(
    action: str,
    kind: str,
    summary: str,
    fields: tuple[Member, ...],
    answer: Type,
    *errors: Error,
    words: str,
) -> Description:
    return Description(
        AUTOMATIONS + action,
        summary,
        (KEY, *fields),
        answer,
        (INVALID, *errors, MISMATCH),
        words=words,
        answers_in="both",
        kind=f"automations.{kind}",
        closed=True,
        key="adoptionKey",
        wakes=True,
    )


TICK = Description(
    AUTOMATIONS + "tick",
    "Plan what is due, then wake the scheduler, which starts it.",
    (),
    shape(
        Member("planned", list_of(TEXT), "The occurrences that were planned."),
        Member("alreadyFenced", COUNT, "Active routines whose newest slot had an occurrence before."),
        Member("pausedSkipped", COUNT, "Paused routines."),
        Member("recovered", COUNT),
        Member("claimed", list_of(TEXT), "Always empty: the pass that follows claims."),
        Member("failed", list_of(TEXT), "A sentence for each routine that could not be planned."),
    ),
    wakes=True,
)
RUN = Description(
    AUTOMATIONS + "run",
    "Run a routine now, a paused one too. The answer comes when it is known whether the command started.",
    (ID,),
    shape(
        Member("runId", TEXT),
        Member("status", choice("running", "retry_scheduled")),
        Member("sessionId", TEXT.or_null),
        Member("error", TEXT.or_null, "Why the start failed, when it is tried again by itself."),
    ),
    (
        Error(None, "`id` is missing, blank or not text"),
        Error(None, "there is no such routine, or it cannot be run: disabled, quarantined, without `cwd`"),
        Error(None, "a run of it is open"),
        Error(None, "the command could not be started"),
    ),
    words="It has no key: sent twice, it runs twice. `occurrence.runNow.v1` is better for programs.",
    wakes=True,
)
UNQUARANTINE = Description(
    AUTOMATIONS + "unquarantine",
    "Release a routine that used up its attempts, so that it runs by itself again.",
    (ID,),
    shape(Member("automationId", TEXT), Member("released", BOOLEAN, "False when it was not quarantined.")),
    (Error(None, "`id` is missing, blank or not text, or there is no such routine"),),
    words="The newest slot that came due meanwhile may still be run; the others do not count as missed.",
    wakes=True,
)
RUN_NOW = _strict(
    "occurrence.runNow.v1",
    "occurrence.runNow",
    "Run an active routine now, once per key. The answer comes when it is known whether the command started.",
    (
        Member("automationId", AUTOMATION_ID, "The routine."),
        _NOTE,
        optional("bypassEligibility", BOOLEAN, "Without effect; it is part of the request all the same."),
    ),
    shape(
        Member("occurrenceId", TEXT),
        Member("automationId", TEXT),
        Member("occurrenceState", TEXT),
        optional("runId", TEXT),
        optional("status", _STATUS, "Of the run."),
        optional("sessionId", TEXT.or_null),
        optional("error", TEXT, "Why the command could not be started. Only in the first answer."),
        optional("note", TEXT, "Only in the first answer."),
    ),
    Error(Code.NOT_FOUND, "there is no such routine"),
    GONE,
    Error(Code.ILLEGAL_TRANSITION, "the routine is not active, or it is quarantined"),
    Error(Code.OVERLAP_FORBIDDEN, "a run of it is open"),
    words="A start that failed is a success with `error`: the occurrence tells what became of it. A routine without"
    " `cwd` is refused with `VALIDATION_FAILED`. A replay starts nothing and tells the occurrence as it is now.",
)

_CANCELLED = (
    optional("status", choice("cancelled", "recovery_required")),
    optional("reason", TEXT),
    optional("cancelledAt", INSTANT, "When nothing had to be stopped."),
    optional("runId", TEXT),
    optional("attemptId", TEXT),
    optional("runtimeCorrelation", CORRELATION, "When a session was stopped, as in `run.cancel.v1`."),
)
_CANCELLATION = shape(
    Member("scope", exactly("run")),
    Member("reason", TEXT),
    Member("requestedBy", PRINCIPAL),
    Member("requestedAt", INSTANT),
    optional("acknowledgedAt", INSTANT, "When the stop was proven."),
    optional("reconciledAt", INSTANT, "When run and occurrence were settled by it."),
)
_CANCEL_WORDS = (
    "What waits is cancelled at once; while a session lives it is stopped, and the answer comes with the proof of the"
    " stop. `recovery_required` is a success: the stop could not be proven, and a person decides."
)
_CANCEL_PENDING = Error(
    Code.CANCEL_PENDING,
    "a stop is under way: send the same request again when `retryable` is true, otherwise cancel with a new key later",
)

CANCEL_OCCURRENCE = _strict(
    "occurrence.cancel.v1",
    "occurrence.cancellation",
    "Cancel an occurrence, whatever there is of it: a planned slot, a waiting retry, a held or a live run.",
    (Member("occurrenceId", ENTITY_ID), _WHY),
    shape(
        Member("occurrenceId", TEXT),
        *_CANCELLED,
        optional("cancellation", _CANCELLATION, "When a session was stopped."),
    ),
    Error(Code.NOT_FOUND, "there is no such occurrence"),
    Error(Code.ILLEGAL_TRANSITION, "it is settled or waits for recovery, or its deadline came first"),
    _CANCEL_PENDING,
    words=_CANCEL_WORDS,
)
CANCEL_ATTEMPT = _strict(
    "attempt.cancel.v1",
    "attempt.cancellation",
    "Cancel the newest attempt of a running run, and the run with it.",
    (Member("attemptId", ENTITY_ID), _WHY),
    shape(
        optional("occurrenceId", TEXT),
        *_CANCELLED,
        optional("cancellation", _CANCELLATION, "When a session was stopped."),
    ),
    Error(Code.NOT_FOUND, "there is no such attempt"),
    Error(Code.ILLEGAL_TRANSITION, "it is not the newest attempt of a running run, or it is settled"),
    _CANCEL_PENDING,
    words=_CANCEL_WORDS,
)
CANCEL_RUN = _strict(
    "run.cancel.v1",
    "run.cancellation",
    "Stop a live run, named by run, attempt and session, and everything it has started.",
    (
        Member("runId", UNBLANK),
        Member("attemptId", UNBLANK, "Its newest attempt."),
        Member("runtimeCorrelation", shape(Member("sessionId", UNBLANK), closed=True), "The session of the attempt."),
        Member("scope", exactly("run")),
        Member("reason", UNBLANK, "Why, for people."),
        Member("requestedBy", shape(Member("principalId", UNBLANK), closed=True), "Who asks; never checked."),
    ),
    shape(
        Member("runId", TEXT),
        Member("attemptId", TEXT),
        Member("runtimeCorrelation", CORRELATION),
        Member("status", choice("cancelled", "recovery_required")),
        Member("cancellation", _CANCELLATION),
    ),
    Error(Code.ILLEGAL_TRANSITION, "run, attempt and session do not belong together, or the run is not live any more"),
    Error(
        Code.CANCEL_PENDING,
        "a stop of this run is under way; under the key that asked for it the same request gets its outcome later",
    ),
    words="The answer comes with the proof of the stop, after at most grace and five seconds. `recovery_required` is a"
    " success: the stop could not be proven, and a person decides.",
)
RETRY = _strict(
    "attempt.retry.v1",
    "attempt.retry",
    "Try a held run again: one whose newest attempt failed, and whose deadline has not come.",
    (
        Member("runId", ENTITY_ID),
        Member("priorAttemptNumber", REVISION, "The number of the newest attempt, as it was read."),
        Member("priorDisposition", choice("failed", "timed_out", "cancelled"), "How that one ended."),
        _NOTE,
    ),
    shape(
        Member("runId", TEXT),
        Member("occurrenceId", TEXT),
        Member("attemptId", TEXT, "The new attempt."),
        Member("attemptNumber", integer(2, 10)),
        Member("priorDisposition", choice("failed", "timed_out", "cancelled")),
        Member("status", exactly("planned")),
        Member("retriedAt", INSTANT),
    ),
    Error(Code.NOT_FOUND, "there is no such run"),
    Error(Code.ILLEGAL_TRANSITION, "the run is not held or had ten attempts, or its routine may not run"),
    Error(Code.AMBIGUOUS_RETRY_FORBIDDEN, "how the attempt ended is not known: decide with `occurrence.recover.v1`"),
    Error(Code.RETRY_DISPOSITION_INVALID, "the newest attempt has another number or ended otherwise"),
    Error(Code.CANCEL_PENDING, "a stop of the run has no outcome yet; retry with a new key after it"),
    Error(Code.DEADLINE_EXCEEDED, "the deadline of the run has passed"),
    Error(Code.AUTHORITY_REQUIRED, "the run is bound to an authority profile"),
    words="The deadline stays as it was. The retry policy is not asked, only the bound of ten attempts.",
)
RECOVER = _strict(
    "occurrence.recover.v1",
    "occurrence.recovery",
    "Decide an occurrence whose outcome is not known: it failed, or it is tried again.",
    (
        Member("occurrenceId", ENTITY_ID),
        Member(
            "evidenceDetermination",
            choice("failed_deterministic", "retry_with_new_attempt"),
            "What the person has found.",
        ),
        _STATEMENT,
    ),
    shape(
        Member("occurrenceId", TEXT),
        Member("automationId", TEXT),
        Member("evidenceDetermination", choice("failed_deterministic", "retry_with_new_attempt")),
        Member("recoveredAt", INSTANT),
        optional("statement", TEXT),
        optional("runId", TEXT),
        optional("attemptId", TEXT, "The new attempt."),
        optional("attemptNumber", integer(2, 10)),
        Member("status", choice("failed", "planned")),
    ),
    Error(Code.NOT_FOUND, "there is no such occurrence"),
    Error(Code.ILLEGAL_TRANSITION, "it does not wait for recovery, or its session may still live"),
    Error(Code.DEADLINE_EXCEEDED, "the deadline has passed, so it cannot be tried again"),
    Error(Code.AUTHORITY_REQUIRED, "the run is bound to an authority profile"),
    words="`failed_deterministic` works without a run and after the deadline. What is settled is never rewritten: the"
    " attempt of unknown outcome stays `ambiguous`.",
)

ALL = (UNQUARANTINE, TICK, RUN, RUN_NOW, CANCEL_OCCURRENCE, CANCEL_ATTEMPT, CANCEL_RUN, RETRY, RECOVER)
