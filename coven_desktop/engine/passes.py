"""The pass: what the scheduler does each time it wakes, in the contract's order, in slices.

Reconcile (what could not be written, stops whose time is over, deadlines), plan, sweep leases and
outdated slots, claim and dispatch, record (contract/engine.md §3.2). A pass is a generator that yields
between slices, so that the loop goes on answering; one bad routine never stops the others.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from coven_desktop.contract import timestamps
from coven_desktop.contract.definition import Definition
from coven_desktop.contract.text import is_blank
from coven_desktop.engine import pause_all, planning, planning_cadence, planning_cron, revisions, settlement
from coven_desktop.engine.core import DAEMON, LEASE_MS, SLICE, Core, StaleLeadership
from coven_desktop.engine.delivery import Deliveries
from coven_desktop.engine.resume import CLAIMS_WAIT, Settling
from coven_desktop.engine.sessions import Sessions, StartOutcome
from coven_desktop.engine.stopping import Stopping
from coven_desktop.runtime.sessions import LaunchSpec
from coven_desktop.store import (
    definitions,
    hindrances,
    journal,
    maintenance,
    occurrences,
    open_runs,
    runs,
    schedule_state,
    scheduler,
)
from coven_desktop.store.definitions import DefinitionRow
from coven_desktop.store.errors import FenceConflict, StoreFault
from coven_desktop.store.occurrences import OccurrenceRow
from coven_desktop.store.scheduler import LastPass
from coven_desktop.store.transactions import Notice, Reader, Transaction

_log = logging.getLogger(__name__)

PASS_FAILED = "scheduler_pass_failed"
# After so long a transaction of many is committed, and the loop turns.
SLICE_MS = 20
# A cron run of which nothing is known has failed so long after its start (decisions.md 4).
LOST_AFTER_MS = 6 * 60_000
# Of the errors of a pass the journal names so many.
FAILURES_TOLD = 20
# A clock that moved by less is not worth a line of the journal.
JUMP_TOLD_MS = 60_000

Item = TypeVar("Item")


@dataclass
class Tally:
    """What one pass has done so far (contract/engine.md §3.5)."""

    planned: list[str] = field(default_factory=list)
    recovered: int = 0
    claimed: int = 0
    dispatched: int = 0
    failures: list[str] = field(default_factory=list)
    closed: bool = False

    def fail(self, line: str) -> None:
        """One thing that did not go as it should."""
        self.failures.append(line)
        _log.info("pass: %s", line)


class Passes:
    """Runs passes one at a time; `Engine` decides when.

    `cut_short`: the environment (a full disk, a lock) refused something of the last pass, so that it is to be run again
    before the next one is due.
    """

    def __init__(
        self, core: Core, sessions: Sessions, stopping: Stopping, settling: Settling, deliveries: Deliveries
    ) -> None:
        self._core = core
        self._deliveries = deliveries
        self._sessions = sessions
        self._stopping = stopping
        self._settling = settling
        self.cut_short = False
        self._late_failures: list[str] = []
        self._told: tuple[str | None, tuple[str, ...]] = (None, ())
        self.jumped = 0

    def steps(self, trigger: str, scheduled_at: int, recovered: int = 0) -> Iterator[None]:
        """One pass. Each step of the iteration is one slice of its work.

        `scheduled_at` is when it should have begun, UTC milliseconds; `recovered` what the restart gave back.
        """
        began = self._core.clock.wall()
        monotonic = self._core.clock.monotonic()
        tally = Tally(recovered=recovered, failures=self._late_failures)
        self._late_failures = []
        self.cut_short = False
        error_class: str | None = None
        self._tell_jump(began)
        try:
            yield from self._reconcile(began)
            yield from self.plan(tally, began)
            yield from self.sweep(tally, began)
            yield from self._claim_and_dispatch(tally, began)
        except StaleLeadership:
            raise
        except Exception as error:  # noqa: BLE001 - whatever a pass meets, the loop goes on (engine.md §3.1)
            error_class = PASS_FAILED
            if isinstance(error, StoreFault):
                self.cut_short = True
                _log.error("automations tick failed: %s", error)
            else:
                _log.exception("automations tick failed")
        self._record(tally, trigger, scheduled_at, began, monotonic, error_class)

    def _record(
        self, tally: Tally, trigger: str, scheduled_at: int, began: int, monotonic: int, error_class: str | None
    ) -> None:
        duration = self._core.clock.monotonic() - monotonic
        failed = error_class is not None
        try:
            # a power cut may take the record: with it goes the app whose pass it was, and the next start has its own
            with self._core.passing_change(not_before=began, told=True) as tx:
                scheduler.record_pass(
                    tx,
                    LastPass(
                        generation=self._core.generation,
                        trigger=trigger,
                        scheduled_at=timestamps.to_text(scheduled_at),
                        started_at=timestamps.to_text(began),
                        start_lag_ms=max(0, began - scheduled_at),
                        finished_at=tx.now_text,
                        duration_ms=duration,
                        status="failed" if failed else "succeeded",
                        error_class=error_class,
                        planned=len(tally.planned),
                        recovered=tally.recovered,
                        claimed=tally.claimed,
                        dispatched=tally.dispatched,
                        failures=len(tally.failures),
                    ),
                )
                self._tell(tx, tally, error_class)
                waits = "yes" if self._settling.holds else "no"
                if waits != (maintenance.get(tx, CLAIMS_WAIT) or "no"):
                    maintenance.put(tx, CLAIMS_WAIT, waits)
                if self._core.max_concurrent_runs != hindrances.places(tx):
                    maintenance.put(tx, hindrances.PLACES, str(self._core.max_concurrent_runs))
        except StoreFault as fault:
            self.cut_short = True
            _log.error("the pass cannot be recorded: %s", fault)
        tally.closed = True

    def _reconcile(self, began: int) -> Iterator[None]:
        if pause_all.recorded(self._core.store) is not None:
            with self._core.change(not_before=began) as tx:
                pause_all.end_if_over(tx)
        self._sessions.write_rest()
        self._deliveries.look()
        self._stopping.expire()
        yield
        for run_id in runs.past_deadline(self._core.store, timestamps.to_text(began)):
            self._stopping.enforce_deadline(run_id, began)
            yield
        for run_id in runs.lost(self._core.store, settlement.VANISHED, timestamps.to_text(began - LOST_AFTER_MS)):
            with self._core.change(not_before=began) as tx:
                run = runs.get(tx, run_id)
                if run is not None and run.status == "running":
                    settlement.did_not_finish(tx, run)
            yield
        for run_id in runs.idle_past_deadline(self._core.store, timestamps.to_text(began)):
            with self._core.change(not_before=began) as tx:
                run = runs.get(tx, run_id)
                if run is not None and run_id in runs.idle_past_deadline(tx, tx.now_text):
                    settlement.deadline_of_idle(tx, run)
            yield

        yield from self._pause_failing(began)

    def _pause_failing(self, began: int) -> Iterator[None]:
        """Pause the cron routines that failed too often in a row, by the setting as it is now."""
        limit = self._core.pause_after_failures
        for automation_id in schedule_state.failing(self._core.store, limit) if limit else ():
            with self._core.change(not_before=began) as tx:
                row = definitions.get(tx, automation_id)
                if row is None or row.state != "active":
                    continue
                try:
                    revisions.by_scheduler(tx, row, "paused")
                except planning.Broken:
                    continue  # it is shown as broken, and not planned
                tx.notify(Notice("paused_after_failures", row.id, f"{limit} runs failed in a row"))
            yield

    def plan(self, tally: Tally, began: int) -> Iterator[None]:
        """Plan all routines that are due, a transaction per slice and a savepoint per routine; none while all pauses.

        Routines that could not be understood are read again first; they fail their line of every pass.
        """
        with self._core.change(not_before=began) as tx:
            problems = [planning.rearm(tx, row) for row in definitions.broken(tx)]
        for problem in problems:
            if problem is not None:
                tally.fail(problem)
        after = ("", "")
        while True:
            with self._core.change(not_before=began) as tx:
                if pause_all.current(tx, tx.now) is not None:
                    return
                # each routine once a pass: what has no room yet stays due
                rows = definitions.due(tx, tx.now_text, SLICE, after)
                done = self._in_time(rows, lambda row: self._plan_one(tx, row, tally))
                after = (rows[done - 1].next_due_at or "", rows[done - 1].id) if done else after
            if done == len(rows) < SLICE:
                return
            yield

    def _in_time(self, items: Sequence[Item], work: Callable[[Item], object]) -> int:
        """Do the work for one item after another until the time of a transaction is over; how many were done."""
        until = self._core.clock.monotonic() + SLICE_MS
        for done, item in enumerate(items, 1):
            work(item)
            self._core.loop.breathe()
            if self._core.clock.monotonic() >= until:
                return done
        return len(items)

    def _plan_one(self, tx: Transaction, row: DefinitionRow, tally: Tally) -> None:
        try:
            with tx.savepoint():
                planned = _plan(tx, row)
            tally.planned += planned
        except planning.Broken as broken:
            definitions.set_broken(tx, row.id, str(broken))
            tally.fail(str(broken))
        except StoreFault:
            raise
        except Exception as error:  # noqa: BLE001 - a mistake of ours about one routine must not stop the others
            _log.exception("routine %s could not be planned", row.id)
            definitions.set_broken(tx, row.id, f"it could not be planned: {error}")
            tally.fail(f"{row.id}: {error}")

    def sweep(self, tally: Tally, began: int) -> Iterator[None]:
        """Fail the claims whose lease is over, and skip the slots that a newer one has replaced."""
        more = True
        while more:
            with self._core.change(not_before=began) as tx:
                expired = occurrences.expired_leases(tx, tx.now_text, SLICE)
                failed = self._in_time(expired, lambda occurrence_id: _expire(tx, occurrence_id))
                outdated = occurrences.outdated(tx, tx.now_text, SLICE)
                skipped = self._in_time(outdated, lambda occurrence_id: occurrences.skip(tx, occurrence_id))
            tally.recovered += failed
            more = not (failed == len(expired) < SLICE and skipped == len(outdated) < SLICE)
            yield

    def _claim_and_dispatch(self, tally: Tally, began: int) -> Iterator[None]:
        tried: set[str] = set()
        while self._core.storage_sound:
            yield from self._claim_all(tally, began)
            # what was claimed now, and what an earlier pass claimed and could not dispatch (a full disk);
            # each once a pass, so that one that cannot be dispatched does not hold the pass for ever
            with self._core.change(not_before=began) as tx:
                waiting = [claim for claim in occurrences.undispatched(tx, tx.now_text) if claim.id not in tried]
            for occurrence in waiting:
                tried.add(occurrence.id)
                if not self._held_back(self._core.store) or occurrences.asked_for(self._core.store, occurrence.id):
                    self._dispatch(occurrence, tally, began)
                yield
            if not waiting:
                return

    def _claim_all(self, tally: Tally, began: int) -> Iterator[None]:
        """Claim whatever may start and has a place, oldest first, before any of it is dispatched."""
        while True:
            with self._core.change(not_before=began) as tx:
                found = self._claimable(tx)
            count, left = tally.claimed, found
            while left:
                with self._core.change(not_before=began) as tx:
                    done = self._in_time(left, lambda occurrence: self._claim_one(tx, occurrence, tally))
                left = left[done:]
                yield
            if tally.claimed == count or len(found) < SLICE:
                return

    def _claim_one(self, tx: Transaction, occurrence: OccurrenceRow, tally: Tally) -> None:
        # a pause may have begun since it was found
        if self._held_back(tx) and not occurrences.asked_for(tx, occurrence.id):
            return
        tally.claimed += self.claim(tx, occurrence.id, DAEMON)

    def _held_back(self, reader: Reader) -> bool:
        """Whether only what a person asked for starts: after a resume until the network is back (decisions.md 29), and
        while all pauses (39).
        """
        return self._settling.holds or pause_all.current(reader, self._core.clock.wall()) is not None

    def _claimable(self, tx: Transaction) -> list[OccurrenceRow]:
        """At most a slice of the slots that may start and have a place.

        What a person started, and the retries of a run already begun, need no free place (decisions.md 16).
        """
        if self._held_back(tx):
            found = occurrences.eligible_asked_for(tx, tx.now_text, SLICE)
        else:
            found = occurrences.eligible_without_place(tx, tx.now_text, SLICE)
            room = SLICE - len(found)
            if self._core.max_concurrent_runs:
                taken = runs.live_count(tx) + len(occurrences.undispatched(tx, tx.now_text)) + len(found)
                room = min(room, self._core.max_concurrent_runs - taken)
            found += occurrences.eligible_for_place(tx, tx.now_text, max(0, room))
        return sorted(found, key=lambda occurrence: (occurrence.scheduled_for, occurrence.id))

    def claim(self, tx: Transaction, occurrence_id: str, owner: str) -> bool:
        """Claim one slot for the time of a lease; False when it is not eligible."""
        lease_end = timestamps.to_text_capped(tx.now + LEASE_MS)
        return occurrences.claim(
            tx, occurrence_id, owner=owner, lease_expires_at=lease_end, generation=self._core.generation
        )

    def _tell_jump(self, began: int) -> None:
        """By how much the wall clock moved against the monotonic one, as a line of the journal before what follows."""
        jumped, self.jumped = self.jumped, 0
        if abs(jumped) < JUMP_TOLD_MS:
            return
        try:
            with self._core.passing_change(not_before=began) as tx:
                journal.note(tx, "clock.jumped", {"milliseconds": jumped})
        except StoreFault as fault:
            _log.error("a jump of the clock cannot be recorded: %s", fault)

    def _tell(self, tx: Transaction, tally: Tally, error_class: str | None) -> None:
        """A pass with errors is a line of the journal; the same errors again and again are one."""
        told = (error_class, tuple(tally.failures))
        if told != self._told and told != (None, ()):
            journal.note(tx, "pass.failed", {"errorClass": error_class, "failures": tally.failures[:FAILURES_TOLD]})
        self._told = told

    def give_claims_back(self) -> None:
        """Return to planned what the clock had claimed and nothing was begun under; what a person asked for stays."""
        try:
            with self._core.change() as tx:
                for claim in occurrences.undispatched(tx, tx.now_text):
                    if not occurrences.asked_for(tx, claim.id):
                        occurrences.give_back(tx, claim.id, reason=claim.failure_reason)
        except StoreFault as fault:
            _log.error("claims cannot be given back before the sleep: %s", fault)

    def _dispatch(self, occurrence: OccurrenceRow, tally: Tally, began: int) -> None:
        try:
            with self._core.change(not_before=began) as tx:
                outcome = accept_claimed(tx, self._sessions, occurrence)
        except FenceConflict as conflict:
            with self._core.change(not_before=began) as tx:
                outcome = _fail(tx, occurrence, f"{occurrence.automation_id}: {conflict.reason}")
        if isinstance(outcome, LaunchSpec):
            tally.dispatched += 1
            self._sessions.launch(outcome, lambda start: self._note_start(tally, occurrence.automation_id, start))
        elif outcome is not None:
            tally.fail(outcome)

    def _note_start(self, tally: Tally, automation_id: str, start: StartOutcome) -> None:
        """A launch that failed is a failure of its pass, or, when that is over, of the next, which it wakes."""
        if start.error is None:
            return
        line = f"{automation_id}: {start.error}"
        if start.retries:
            # neither dispatched nor failed (contract/engine.md §3.5)
            tally.dispatched -= not tally.closed
        elif tally.closed:
            self._late_failures.append(line)
        else:
            tally.dispatched -= 1
            tally.fail(line)


def accept_claimed(tx: Transaction, sessions: Sessions, claimed: OccurrenceRow) -> LaunchSpec | str | None:
    """Accept the run of a claim, in the caller's transaction; else the line that says why it failed.

    None when there is nothing to start and nothing failed: the claim is not live any more (it was cancelled, its
    lease ended), its retry has met the run's deadline or its routine was deleted: then it is given back, or its routine
    was revised: then it is given back and superseded (decisions.md 5). Checks in the contract's order
    (contract/engine.md §5.2).
    """
    occurrence = occurrences.get(tx, claimed.id)
    if (
        occurrence is None
        or occurrence.state != "claimed"
        or occurrence.fence != claimed.fence
        or (occurrence.lease_expires_at or "") <= tx.now_text
    ):
        return None
    waiting = runs.open_of_occurrence(tx, occurrence.id)
    if waiting is not None:
        # one whose routine was deleted meanwhile waits for its deadline (decisions.md 30)
        gone = open_runs.has_outlived(tx, waiting.id)
        retry = None if gone else sessions.accept_retry(tx, occurrence, waiting)
        if retry is None:
            occurrences.give_back(tx, occurrence.id, reason=occurrence.failure_reason)
        return retry
    row = definitions.get(tx, occurrence.automation_id)
    if row is None or row.tombstoned_at is not None:
        return _fail(tx, occurrence, f"routine `{occurrence.automation_id}` vanished during dispatch")
    if _is_outdated(tx, occurrence, row):
        occurrences.give_back(tx, occurrence.id)
        if row.family == "rrule":
            occurrences.supersede_planned(tx, row.id, planning.superseded_by(row.revision))
        else:
            occurrences.supersede(tx, occurrence.id, planning.superseded_by(row.revision))
            planning_cadence.go_on_without(tx, occurrence)
        return None
    try:
        definition = planning.read(row)
    except planning.Broken as broken:
        return _fail(tx, occurrence, str(broken))
    if is_blank(definition.cwd or ""):
        return _fail(tx, occurrence, f"{row.id}: routine has no cwd; add a cwd before running")
    spec = sessions.accept(tx, occurrence, row, definition)
    if row.family != "rrule" and occurrence.kind == "scheduled":
        schedule_state.count_run(tx, row.id)
        planning_cadence.end_if_over(tx, row.id)
    return spec


def _plan(tx: Transaction, row: DefinitionRow) -> list[str]:
    """Plan what is due of a routine by the rules of its family. Raises Broken."""
    routine = planning.read(row)
    if isinstance(routine, Definition):
        return planning.plan(tx, row, routine)
    if row.family == "cron":
        return planning_cron.plan(tx, row, routine)
    return planning_cadence.plan(tx, row, routine)


def _is_outdated(tx: Transaction, occurrence: OccurrenceRow, row: DefinitionRow) -> bool:
    """Whether a claim is of a revision that nothing may run under any more (decisions.md 5).

    Cron runs as it is saved when it starts; a cadence too, unless its schedule, zone or policy changed.
    """
    if (row.revision, row.digest) == (occurrence.automation_revision, occurrence.definition_digest):
        return False
    if row.family == "rrule":
        return True
    queued = definitions.body_of(tx, row.id, occurrence.automation_revision)
    return row.family == "cadence" and (queued is None or not revisions.same_schedule(queued, row.body))


def _fail(tx: Transaction, occurrence: OccurrenceRow, reason: str) -> str:
    occurrences.fail_claim(tx, occurrence.id, reason)
    planning_cadence.go_on_without(tx, occurrence)
    return reason


def _expire(tx: Transaction, occurrence_id: str) -> None:
    occurrences.expire_lease(tx, occurrence_id)
    expired = occurrences.get(tx, occurrence_id)
    if expired is not None:
        planning_cadence.go_on_without(tx, expired)
