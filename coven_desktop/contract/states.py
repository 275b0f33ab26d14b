"""The four state machines, as one table of moves: who may take which entity from where to where, and why.

`recorded` marks the moves the product stores; the others belong to the contract's machines but happen
within one transaction here (eligible, dispatching, recovering) or are told by another state (a run that
timed out is stored as failed). Nothing else may ever be written: the store's transition helper asks
`lawful` before each write (design/architecture.md, State).

Sources: the contract's state-machines.json for the edges, contract/recorded-states.md for what is stored.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

# The source of a move that creates the row.
NONE = "none"


class Move(NamedTuple):
    """One edge: `on` is the class of its cause, `actor` who may commit it, `guard` what must hold (or empty)."""

    entity: str
    source: str
    target: str
    on: str
    actor: str
    guard: str
    recorded: bool


STATES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "definition": ("draft", "paused", "active", "disabled", "invalid", "tombstoned"),
        "occurrence": (
            "planned",
            "eligible",
            "claimed",
            "dispatching",
            "running",
            "recovering",
            "recovery_required",
            "succeeded",
            "failed",
            "cancelled",
            "timed_out",
            "skipped",
            "superseded",
        ),
        "run": ("accepted", "running", "succeeded", "failed", "cancelled", "timed_out", "ambiguous"),
        "attempt": (
            "adopted",
            "dispatching",
            "started",
            "observing",
            "succeeded",
            "failed",
            "cancelled",
            "timed_out",
            "ambiguous",
        ),
    }
)

TERMINAL: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "definition": frozenset({"tombstoned"}),
        "occurrence": frozenset({"succeeded", "failed", "cancelled", "timed_out", "skipped", "superseded"}),
        "run": frozenset({"succeeded", "failed", "cancelled", "timed_out", "ambiguous"}),
        "attempt": frozenset({"succeeded", "failed", "cancelled", "timed_out", "ambiguous"}),
    }
)

_COMMAND = "command_handler"
_SCHEDULER = "scheduler"
_DISPATCHER = "dispatcher"
_WORKER = "worker"
_MIGRATION = "migration"

_RETRY_GUARD = (
    "the run is held, its latest attempt failed and is the one named, the deadline is open, fewer than ten "
    "attempts exist, the routine is not quarantined and nobody owns a stop of the run"
)
_EVIDENCE_LATE = "evidence that came after an ambiguous stop; success is never read into it"

# (source, target, on, actor, guard, recorded), in the order of the machines; where one edge has several causes
# the first is the usual one.
_Row = tuple[str, str, str, str, str, bool]

_DEFINITION: tuple[_Row, ...] = (
    (NONE, "draft", "definition_created", _COMMAND, "a rich create, or an import through the ledger", True),
    (NONE, "paused", "definition_created", _COMMAND, "a flat create, or an unversioned import", True),
    (NONE, "active", "definition_created", _COMMAND, "a flat create whose status says so", True),
    (NONE, "invalid", "definition_invalidated", _MIGRATION, "an old row whose body has no digest", True),
    ("draft", "paused", "definition_revise_committed", _COMMAND, "the revised body is valid; revision + 1", True),
    ("draft", "tombstoned", "definition_tombstoned", _COMMAND, "", True),
    ("paused", "active", "definition_activated", _COMMAND, "the body is valid and its runtime is known by name", True),
    ("paused", "active", "definition_revise_committed", _COMMAND, "a flat revise whose status says so", True),
    ("paused", "disabled", "definition_disabled", _COMMAND, "", True),
    ("paused", "tombstoned", "definition_tombstoned", _COMMAND, "", True),
    ("active", "paused", "definition_paused", _COMMAND, "", True),
    ("active", "paused", "definition_revise_committed", _COMMAND, "a flat revise whose status says so", True),
    ("active", "paused", "definition_paused", _SCHEDULER, "too many failures in a row (cron, cadence)", True),
    ("active", "disabled", "definition_disabled", _COMMAND, "", True),
    ("active", "disabled", "definition_disabled", _SCHEDULER, "until, maxRuns or once has ended the routine", True),
    # No command of ours sets invalid: a body that broke keeps its lifecycle and is shown as broken (decisions.md 31).
    ("active", "invalid", "definition_invalidated", _COMMAND, "a body or dependency became unsatisfiable", False),
    ("active", "tombstoned", "definition_tombstoned", _COMMAND, "", True),
    ("disabled", "paused", "definition_reenabled", _COMMAND, "asked for explicitly; never straight to active", True),
    ("disabled", "tombstoned", "definition_tombstoned", _COMMAND, "", True),
    ("invalid", "paused", "definition_revise_committed", _COMMAND, "the revised body is valid", True),
    ("invalid", "tombstoned", "definition_tombstoned", _COMMAND, "", True),
    # The one permitted exit from a terminal state: a new creation on an id that only unversioned actions ever managed.
    ("tombstoned", "paused", "definition_created", _COMMAND, "an unversioned create; never managed by v1", True),
    ("tombstoned", "active", "definition_created", _COMMAND, "an unversioned create; never managed by v1", True),
)

_OCCURRENCE: tuple[_Row, ...] = (
    (NONE, "planned", "slot_planned", _SCHEDULER, "a pass found the slot due", True),
    (NONE, "claimed", "run_now", _COMMAND, "nothing of the routine is claimed or running", True),
    (NONE, "skipped", "misfire", _SCHEDULER, "a slot that was never planned (missed, overlap, catch-up)", True),
    ("planned", "eligible", "eligibility_passed", _SCHEDULER, "", False),
    ("planned", "claimed", "claim", _SCHEDULER, "compare-and-set with a lease; the fence goes up by one", True),
    ("planned", "skipped", "misfire", _SCHEDULER, "the misfire or overlap rule disposes of the slot", True),
    ("planned", "superseded", "definition_superseded", _SCHEDULER, "a newer revision came before any run", True),
    ("planned", "cancelled", "cancel_acknowledged", _COMMAND, "nothing was dispatched", True),
    ("eligible", "claimed", "claim", _SCHEDULER, "compare-and-set with a lease; the fence goes up by one", False),
    ("eligible", "skipped", "misfire", _SCHEDULER, "", False),
    ("eligible", "superseded", "definition_superseded", _SCHEDULER, "", False),
    ("eligible", "cancelled", "cancel_acknowledged", _COMMAND, "", False),
    ("claimed", "planned", "operator_retry", _COMMAND, _RETRY_GUARD, True),
    ("claimed", "planned", "automatic_retry", _DISPATCHER, "a launch proven to have begun nothing", True),
    ("claimed", "planned", "claim_returned", _SCHEDULER, "a claim without a run given back at start or shutdown", True),
    ("claimed", "running", "runtime_started", _DISPATCHER, "the runtime took ownership of the session", True),
    ("claimed", "failed", "run_settled", _DISPATCHER, "a launch failed with no hold, or its hold ended", True),
    ("claimed", "failed", "launch_refused", _DISPATCHER, "refused before any side effect, with no hold", True),
    ("claimed", "failed", "lease_expired", _SCHEDULER, "the lease ended with no run and no runtime evidence", True),
    ("claimed", "dispatching", "attempt_adopted", _DISPATCHER, "the attempt carries the claim's fence", False),
    ("claimed", "recovering", "lease_expired", _SCHEDULER, "the lease ended without runtime evidence", False),
    ("claimed", "cancelled", "cancel_acknowledged", _COMMAND, "settled before dispatch", True),
    ("claimed", "recovery_required", "evidence_lost", _SCHEDULER, "whether something began cannot be known", True),
    ("dispatching", "running", "runtime_started", _DISPATCHER, "the runtime acknowledged the start", False),
    ("dispatching", "failed", "launch_refused", _DISPATCHER, "refused before any side effect", False),
    ("dispatching", "recovering", "lease_expired", _SCHEDULER, "the lease ended without runtime evidence", False),
    ("dispatching", "cancelled", "cancel_acknowledged", _COMMAND, "no attempt reached started", False),
    ("running", "planned", "operator_retry", _COMMAND, _RETRY_GUARD, True),
    ("running", "succeeded", "run_settled", _DISPATCHER, "evidence proves completion; a receipt is recorded", True),
    ("running", "failed", "run_settled", _DISPATCHER, "evidence proves failure with no hold, or the hold ended", True),
    ("running", "failed", "timeout", _SCHEDULER, "the run's deadline passed and its stop is proven", True),
    # A timeout settles failed; the attempt and the reason tell that it was one.
    ("running", "timed_out", "timeout", _SCHEDULER, "the run's time is over without settled evidence", False),
    ("running", "cancelled", "cancel_acknowledged", _COMMAND, "acknowledged, or reconciled by recovery", True),
    ("running", "recovery_required", "evidence_lost", _SCHEDULER, "a stop unconfirmed, or evidence lost", True),
    ("recovering", "failed", "recovery_determined", _SCHEDULER, "side effects are ruled out", False),
    ("recovering", "recovery_required", "recovery_ambiguous", _SCHEDULER, "side effects are not ruled out", False),
    ("recovery_required", "planned", "operator_recovery_attempt", _COMMAND, "asked for by an operator", True),
    ("recovery_required", "failed", "operator_recovery_failed", _COMMAND, "determined by an operator", True),
    ("recovery_required", "failed", "run_settled", _DISPATCHER, _EVIDENCE_LATE, True),
    ("recovery_required", "cancelled", "cancel_acknowledged", _COMMAND, "a cancellation's proof came late", True),
    ("recovery_required", "dispatching", "operator_recovery_attempt", _COMMAND, "asked for by an operator", False),
)

_RUN: tuple[_Row, ...] = (
    # The committed row is the acceptance: it exists before anything is dispatched.
    (NONE, "running", "run_accepted", _DISPATCHER, "committed before any side effect; one per fence", True),
    ("accepted", "running", "attempt_started", _DISPATCHER, "adoption was committed before any side effect", False),
    ("accepted", "failed", "launch_refused", _DISPATCHER, "every attempt failed before evidence", False),
    ("accepted", "cancelled", "cancel_acknowledged", _COMMAND, "", False),
    ("running", "succeeded", "attempt_settled", _DISPATCHER, "an attempt succeeded; a receipt is recorded", True),
    ("running", "failed", "attempt_settled", _DISPATCHER, "an attempt failed with no retry and no hold left", True),
    ("running", "failed", "timeout", _SCHEDULER, "the deadline passed", True),
    ("running", "failed", "operator_recovery_failed", _COMMAND, "determined by an operator", True),
    ("running", "timed_out", "timeout", _SCHEDULER, "", False),
    ("running", "cancelled", "cancel_acknowledged", _COMMAND, "", True),
    ("running", "ambiguous", "attempt_ambiguous", _DISPATCHER, "no operator has resolved the ambiguity", False),
)

_ATTEMPT: tuple[_Row, ...] = (
    (NONE, "adopted", "attempt_adopted", _DISPATCHER, "numbered one above the attempt before it", True),
    ("adopted", "dispatching", "dispatch", _DISPATCHER, "one in flight; the dispatch generation goes up", True),
    ("adopted", "cancelled", "cancel_acknowledged", _COMMAND, "cancelled before dispatch", True),
    ("adopted", "timed_out", "timeout", _SCHEDULER, "a waiting retry met the run's deadline", True),
    ("dispatching", "adopted", "dispatch_returned", _DISPATCHER, "taken back before the launch", True),
    ("dispatching", "started", "runtime_started", _DISPATCHER, "binds one session, once", True),
    ("dispatching", "failed", "launch_refused", _DISPATCHER, "refused before any side effect", True),
    ("dispatching", "timed_out", "timeout", _SCHEDULER, "the run's deadline passed", True),
    ("dispatching", "ambiguous", "dispatch_unconfirmed", _DISPATCHER, "no answer says what became of it", True),
    ("dispatching", "cancelled", "cancel_acknowledged", _COMMAND, "before the runtime started", True),
    ("started", "observing", "evidence_stream_open", _WORKER, "output and evidence are attached", True),
    ("started", "failed", "run_settled", _WORKER, "evidence of failure; stays as it is while its run is held", True),
    ("started", "succeeded", "run_settled", _WORKER, "evidence of completion", True),
    ("started", "timed_out", "timeout", _SCHEDULER, "the run's deadline passed", True),
    ("started", "cancelled", "cancel_acknowledged", _COMMAND, "the runtime acknowledged", True),
    ("started", "ambiguous", "evidence_lost", _SCHEDULER, "the session vanished before evidence", True),
    ("observing", "succeeded", "run_settled", _WORKER, "evidence of completion", True),
    ("observing", "failed", "run_settled", _WORKER, "evidence of failure", True),
    ("observing", "timed_out", "timeout", _SCHEDULER, "the run's deadline passed", True),
    ("observing", "cancelled", "cancel_acknowledged", _COMMAND, "the runtime acknowledged", True),
    ("observing", "ambiguous", "evidence_lost", _SCHEDULER, "evidence ended while it was observed", True),
)

MOVES: tuple[Move, ...] = tuple(
    Move(entity, *row)
    for entity, rows in (
        ("definition", _DEFINITION),
        ("occurrence", _OCCURRENCE),
        ("run", _RUN),
        ("attempt", _ATTEMPT),
    )
    for row in rows
)

_RECORDED: dict[tuple[str, str, str], Move] = {}
for _move in MOVES:
    if _move.recorded:
        _RECORDED.setdefault((_move.entity, _move.source, _move.target), _move)

INVARIANTS: tuple[tuple[str, str], ...] = (
    ("adoption-before-side-effects", "A command is adopted and its run committed before anything outside is touched."),
    ("one-fence-one-run", "One fence generation of an occurrence owns at most one accepted run."),
    ("one-attempt-one-session", "An attempt binds one session; a second binding is refused and commits nothing."),
    ("terminal-no-regress", "A terminal state stays; only a deleted unversioned routine may be created anew."),
    ("no-evidence-no-success", "Missing evidence never becomes success, only failure, ambiguity or recovery."),
    ("cancellation-is-a-request", "A cancellation is settled only when the stop is acknowledged or reconciled."),
    ("retry-new-attempt", "A retry is a new attempt with the next number; the attempt before it is never rewritten."),
    ("ambiguous-never-auto-retried", "After an ambiguous end only an operator's determination opens new work."),
    ("revision-pins-history", "Occurrences, runs, attempts and receipts keep the revision and digest they began with."),
    ("tombstone-preserves-history", "A deleted routine plans and runs nothing more, and all it did stays readable."),
)


def lawful(entity: str, source: str, target: str) -> bool:
    """Whether the product may store this move; `source` is "none" for a new row."""
    return (entity, source, target) in _RECORDED


def move(entity: str, source: str, target: str) -> Move:
    """The recorded move between two states; of several causes the usual one. KeyError when there is none."""
    return _RECORDED[(entity, source, target)]


def mermaid(entity: str) -> str:
    """The machine as a mermaid state diagram: recorded moves only, one line per move and cause."""
    lines = ["stateDiagram-v2"]
    for step in MOVES:
        if step.entity == entity and step.recorded:
            source = "[*]" if step.source == NONE else step.source
            lines.append(f"    {source} --> {step.target}: {step.on} ({step.actor})")
    return "\n".join(lines) + "\n"
