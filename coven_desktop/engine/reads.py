"""What can be read: the contract's payloads, and the summary that tray and status bar show.

`Reads` works on any connection: the engine's own, or a read-only one of another thread (`open_reads`).
Nothing here writes.
"""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass
from typing import Any, Literal

import msgspec

from coven_desktop.clock import Clock
from coven_desktop.contract import timestamps
from coven_desktop.contract.errors import Refusal
from coven_desktop.engine import pause_all, planning, projections
from coven_desktop.engine.core import SLICE
from coven_desktop.engine.pause_all import Pause
from coven_desktop.engine.resume import CLAIMS_WAIT
from coven_desktop.home import Home
from coven_desktop.runtime import output_log
from coven_desktop.store import (
    attention,
    definitions,
    health,
    hindrances,
    history,
    maintenance,
    occurrences,
    open_runs,
    runs,
    scheduler,
    unknown_sessions,
)
from coven_desktop.store.occurrences import OccurrenceRow
from coven_desktop.store.transactions import Reader, open_reader

RUNS_DEFAULT = 20
RUNS_LIMIT = 100
NEXT_FIRINGS = 3
LOW_DISK_BYTES = 256 * 1024 * 1024
"""Below this the storage is critical and nothing that can wait is written."""
AFTER_SLEEP = "for the network after sleep"
VIEWS = ("due", "eligible", "claimed", "running", "recovery_required")


@dataclass(frozen=True)
class RunningRun:
    """A run whose session lives or is just being started; `started_at` in UTC milliseconds."""

    run_id: str
    occurrence_id: str
    automation_id: str
    name: str
    session_id: str | None
    attempt_id: str | None
    started_at: int
    stopping: bool


@dataclass(frozen=True)
class NextFiring:
    """When an active routine is due next, UTC milliseconds."""

    automation_id: str
    name: str
    at: int


@dataclass(frozen=True)
class StateSummary:
    """What the tray and the status bar show.

    `undecided` occurrences have an unknown outcome, `held` runs failed and may be retried until their deadline,
    `quarantined` routines used up their attempts, and `held_in_quarantine` of them have a held run as well; `waiting`
    runs go on by themselves at their next attempt.
    `claims_wait`: what is due starts when the network is back after sleep, in 20 s at most (decisions.md 29).
    `pause`: everything pauses, until when (decisions.md 39); `next` then tells what comes at its end and after it, and
    nothing when it has none. `waiting_for_place` slots are due, and begin when a run under way has ended (16).
    `unknown` sessions run of which this database knows nothing (engine/unknown_sessions.py). `low_disk`: so little
    room is left where the home is that the storage is critical (`LOW_DISK_BYTES`).
    """

    running: tuple[RunningRun, ...]
    undecided: int
    held: int
    quarantined: int
    waiting: int
    next: tuple[NextFiring, ...]
    active: int
    paused: int
    storage: Literal["ok", "degraded"]
    last_pass_at: int | None
    clock_shift_ms: int
    claims_wait: bool = False
    pause: Pause | None = None
    held_in_quarantine: int = 0
    waiting_for_place: int = 0
    unknown: int = 0
    low_disk: bool = False

    @property
    def attention(self) -> int:
        """How much waits for the person: a routine that is held and quarantined is one."""
        return self.undecided + self.held + self.quarantined - self.held_in_quarantine


class Reads:
    """Reads on one connection."""

    def __init__(self, reader: Reader, clock: Clock, home: Home) -> None:
        self._reader = reader
        self._clock = clock
        self._home = home
        self._database = str(home.database)

    @property
    def reader(self) -> Reader:
        """The connection, for the pages of `listing`."""
        return self._reader

    @property
    def home(self) -> Home:
        """Where the files are that the database tells of."""
        return self._home

    def close(self) -> None:
        """Close the connection; only for Reads that `open_reads` made."""
        self._reader.close()

    def routines(self) -> list[msgspec.Raw]:
        """The stored form of every live rrule routine, by name in byte order, then id (action `list`).

        As the JSON it is stored as: to read a thousand and write them again would cost more than all the rest.
        """
        return [msgspec.Raw(body) for body in definitions.live_bodies(self._reader, "rrule")]

    def routine(self, automation_id: str) -> dict[str, Any] | None:
        """The stored form of one live rrule routine, or None (action `get`)."""
        row = definitions.get(self._reader, automation_id)
        if row is None or row.tombstoned_at is not None or row.family != "rrule":
            return None
        routine: dict[str, Any] = json.loads(row.body)
        return routine

    def runs(self, automation_id: str, limit: object = None) -> list[dict[str, Any]]:
        """The newest runs of a routine (action `runs`): the limit is clamped to 1..100, anything odd counts as 20."""
        count = RUNS_DEFAULT
        if isinstance(limit, int) and not isinstance(limit, bool):
            count = max(1, min(RUNS_LIMIT, limit))
        return [projections.run(self._reader, row) for row in runs.of_routine(self._reader, automation_id, count)]

    def run(self, run_id: str) -> dict[str, Any] | None:
        """One run with what it is pinned to, or None (run.get.v1)."""
        row = runs.get(self._reader, run_id)
        return projections.run_inspection(self._reader, row) if row is not None else None

    def health(self, automation_id: str) -> dict[str, Any]:
        """The sixteen fields of a routine's health (contract/engine.md §9). Raises Refusal for an unknown id."""
        row = definitions.get(self._reader, automation_id)
        if row is None or row.tombstoned_at is not None:
            raise Refusal(f"no routine with id `{automation_id}`")
        facts = health.facts(self._reader, automation_id)
        next_due: str | None = None
        max_attempts = 1
        try:
            definition = planning.read(row)
            max_attempts = definition.retry.max_attempts
            if facts.quarantined_at is None and planning.room(self._reader, definition) != 0:
                next_due = planning.next_due_text(definition, self._clock.wall())
        except planning.Broken:
            pass  # the row says why it is broken; health has no date to give
        return {
            "automationId": automation_id,
            "nextDueAt": next_due,
            "lastPlannedAt": facts.last_planned_at,
            "lastStartedAt": facts.last_started_at,
            "lastSuccessAt": facts.last_success_at,
            "consecutiveFailures": facts.consecutive_failures,
            "leaseOwner": facts.lease_owner,
            "leaseExpiresAt": facts.lease_expires_at,
            "staleReason": facts.stale_reason or health.unresolved_stop(self._reader, automation_id),
            "currentAttempt": facts.current_attempt,
            "maxAttempts": max_attempts,
            "retryNotBefore": facts.retry_not_before,
            "consecutiveExhaustions": facts.consecutive_exhaustions,
            "quarantinedAt": facts.quarantined_at,
            "quarantineFailureClass": facts.quarantine_failure_class,
            "quarantineReason": facts.quarantine_reason,
        }

    def occurrence_list(
        self, view: object, limit: object = None, automation_id: str | None = None
    ) -> list[dict[str, Any]]:
        """The occurrences of a view, oldest first (occurrence.list.v1). Raises Refusal for a bad view or limit."""
        name = "coven.automations.occurrence.list.v1"
        if view not in VIEWS:
            raise Refusal(
                f"{name} requires field `view` equal to due, eligible, claimed, running, or recovery_required"
            )
        count = RUNS_DEFAULT if limit is None else limit
        if not isinstance(count, int) or isinstance(count, bool) or not 1 <= count <= 100:
            raise Refusal(f"{name} field `limit` must be an integer from 1 to 100")
        rows = occurrences.view(self._reader, str(view), self._now(), count, automation_id)
        return [projections.occurrence(self._reader, row) for row in rows]

    def occurrence(self, occurrence_id: str) -> dict[str, Any] | None:
        """One occurrence with its runs, oldest first, at most 20 (occurrence.get.v1)."""
        row = occurrences.get(self._reader, occurrence_id)
        if row is None:
            return None
        found = runs.of_occurrence(self._reader, occurrence_id, projections.RUNS_OF_OCCURRENCE + 1)
        shown = found[: projections.RUNS_OF_OCCURRENCE]
        return projections.occurrence(self._reader, row) | {
            "runs": [projections.run_inspection(self._reader, run) for run in shown],
            "runsTruncated": len(found) > len(shown),
        }

    def scheduler_status(self) -> dict[str, Any]:
        """Authority, last pass and queue (contract/engine.md §10.1).

        Members of ours, only while they say something: `clockShiftMs`; `claimsWait`, what due work waits for; and the
        `pauseAll` that lasts, with its `since` and `until`.
        """
        authority = scheduler.authority(self._reader)
        last = scheduler.last_pass(self._reader)
        counts = occurrences.counts(self._reader)
        oldest = occurrences.oldest_eligible(self._reader, self._now())
        status: dict[str, Any] = {
            "authorityAssigned": authority.owner_id is not None,
            "generation": authority.generation,
            "ownerId": authority.owner_id,
            "acquiredAt": authority.acquired_at,
            "lastPass": None if last is None else _wire(asdict(last)),
            "queue": {
                "planned": counts["planned"],
                "claimed": counts["claimed"],
                "running": counts["running"],
                "recoveryRequired": counts["recovery_required"],
                "batchLimit": SLICE,
                "planningBatchLimit": SLICE,
                "planningAfterDefinitionId": None,
                "oldestEligibleAt": oldest,
                "oldestEligibleAgeMs": None if oldest is None else self._clock.wall() - timestamps.parse(oldest),
            },
        }
        if self._clock.shift_ms:
            status["clockShiftMs"] = self._clock.shift_ms
        if self._claims_wait():
            status["claimsWait"] = AFTER_SLEEP
        pause = self.pause()
        if pause is not None:
            status["pauseAll"] = pause.to_wire()
        return status

    def pause(self) -> Pause | None:
        """The pause of everything that lasts now (decisions.md 39)."""
        return pause_all.current(self._reader, self._clock.wall())

    def session(self, session_id: str) -> dict[str, Any] | None:
        """The record of a session, or None."""
        row = runs.session(self._reader, session_id)
        return projections.session(row) if row is not None else None

    def sessions(self, behind: history.Place | None, limit: int) -> list[dict[str, Any]]:
        """The records of up to `limit` sessions, newest first, behind one by its creation and id."""
        return [projections.session(row) for row in history.of_sessions(self._reader, behind, limit)]

    def session_output(
        self, session_id: str, after: int | None = None, *, at_most: int = 1 << 20
    ) -> tuple[list[output_log.Record], int]:
        """The records of a session's output after an offset, about `at_most` bytes, and the offset to go on from."""
        return output_log.read(self._home.session(session_id).output, after=after, at_most=at_most)

    def session_output_end(self, session_id: str) -> int:
        """The offset behind all that a session has printed."""
        return output_log.end(self._home.session(session_id).output)

    def session_output_before(self, session_id: str, offset: int, length: int) -> bytes:
        """The last bytes of the record of a session's output that ends at an offset, as far as they are kept."""
        return output_log.before(self._home.session(session_id).output, offset, length)

    def storage(self) -> dict[str, Any]:
        """The storage block of the health handshake: sizes in bytes, free space, whether the store is sound."""
        return {
            "status": "ok" if self._storage() == "ok" and self._reader.in_place() else "degraded",
            "databaseBytes": _size(self._database),
            "walBytes": _size(self._database + "-wal"),
            "freeDiskBytes": self._free_disk(),
        }

    def _free_disk(self) -> int:
        disk = os.statvfs(self._home.root)
        return disk.f_bavail * disk.f_frsize

    def open_work(self) -> dict[str, Any]:
        """What is not settled and who is quarantined, for programs (our own action `coven.desktop.state.v1`).

        `runs` has a row for each open run, its `phase` live, delivering, waiting, held, recovery_required or lost, with
        its newest attempt; the reason is that attempt's. `clockAhead` are the routines of which nothing is planned
        until an instant (decisions.md 28), `broken` those that are not understood any more (31), `pausedByFailures`
        the cron routines that so many failures in a row have paused, `waitingForPlace` the
        slots that wait because `places` runs, all that may at the same time, are under way (16), and
        `unknownSessions` live ones of which this database knows nothing (engine/unknown_sessions.py).
        """
        with self._reader.snapshot():
            runs = [
                {"automationId": automation_id, **_wire(run._asdict())}
                for automation_id, run in open_runs.every(self._reader)
            ]
            quarantined = [_wire(routine._asdict()) for routine in open_runs.quarantined(self._reader)]
            undecided = open_runs.undecided(self._reader)
            waiting = attention.count(self._reader)
            ahead = [_wire(routine._asdict()) for routine in hindrances.clock_ahead(self._reader, self._now())]
            broken = [_wire(routine._asdict()) for routine in hindrances.broken(self._reader)]
            failing = [_wire(routine._asdict()) for routine in hindrances.paused_by_failures(self._reader)]
            unknown = [_wire(session._asdict()) for session in unknown_sessions.every(self._reader)]
            places = hindrances.places(self._reader)
            without_place = [
                {"automationId": slot.automation_id, "occurrenceId": slot.id, "scheduledFor": slot.scheduled_for}
                for slot in self._waiting_for_place()
            ]
        return {
            "attention": waiting,
            "undecided": undecided,
            "runs": runs,
            "quarantined": quarantined,
            "clockAhead": ahead,
            "broken": broken,
            "pausedByFailures": failing,
            "places": places,
            "waitingForPlace": without_place,
            "unknownSessions": unknown,
        }

    def state_summary(self) -> StateSummary:
        """What the tray and the status bar show, of one state."""
        with self._reader.snapshot():
            last = scheduler.last_pass(self._reader)
            finished = timestamps.parse(last.finished_at) if last is not None else None
            pause = self.pause()
            return StateSummary(
                running=tuple(self._running()),
                undecided=open_runs.undecided(self._reader),
                held=open_runs.count(self._reader, "held"),
                quarantined=self._reader.number(f"SELECT count(*) FROM {open_runs.QUARANTINED}"),
                held_in_quarantine=attention.held_in_quarantine(self._reader),
                waiting=open_runs.count(self._reader, "waiting"),
                next=tuple(self._next(pause)),
                active=self._reader.number(
                    "SELECT count(*) FROM definitions WHERE lifecycle = 'active' AND tombstoned_at IS NULL"
                ),
                paused=definitions.paused_count(self._reader),
                storage=self._storage(),
                last_pass_at=finished,
                clock_shift_ms=self._clock.shift_ms,
                claims_wait=self._claims_wait(),
                waiting_for_place=len(self._waiting_for_place()),
                unknown=len(unknown_sessions.every(self._reader)),
                low_disk=self._free_disk() < LOW_DISK_BYTES,
                pause=pause,
            )

    def _storage(self) -> Literal["ok", "degraded"]:
        return "degraded" if maintenance.get(self._reader, "storage") == "degraded" else "ok"

    def _claims_wait(self) -> bool:
        return maintenance.get(self._reader, CLAIMS_WAIT) == "yes"

    def _waiting_for_place(self) -> list[OccurrenceRow]:
        """The slots that wait for a free place and for nothing else."""
        if self._storage() != "ok" or self._claims_wait() or self.pause() is not None:
            return []
        return hindrances.waiting_for_place(self._reader, self._now())

    def _running(self) -> list[RunningRun]:
        return [
            RunningRun(
                run_id=run.run_id,
                occurrence_id=run.occurrence_id,
                automation_id=run.automation_id,
                name=run.name,
                session_id=run.session_id,
                attempt_id=run.attempt_id,
                started_at=timestamps.parse(run.started_at),
                stopping=run.stopping,
            )
            for run in open_runs.live(self._reader)
        ]

    def _next(self, pause: Pause | None) -> list[NextFiring]:
        if pause is not None and pause.until is None:
            return []
        rows = self._reader.query(
            "SELECT id, name, next_due_at FROM definitions WHERE next_due_at IS NOT NULL ORDER BY next_due_at, id"
            " LIMIT ?",
            (NEXT_FIRINGS,),
        )
        earliest = pause.until if pause is not None and pause.until is not None else 0
        return [NextFiring(row[0], row[1], max(earliest, timestamps.parse(row[2]))) for row in rows]

    def _now(self) -> str:
        return timestamps.to_text(self._clock.wall())


def open_reads(home: Home, clock: Clock) -> Reads:
    """Reads on a read-only connection of their own, for another thread. Raises StoreFault."""
    return Reads(open_reader(home.database), clock, home)


def _wire(fields: dict[str, Any]) -> dict[str, Any]:
    return {_camel(name): value for name, value in fields.items()}


def _camel(name: str) -> str:
    head, *rest = name.split("_")
    return head + "".join(word.capitalize() for word in rest)


def _size(path: str) -> int:
    try:
        return os.stat(path).st_size
    except FileNotFoundError:
        return 0
