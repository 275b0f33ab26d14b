"""The desktop's pages: what its tables, menus and run view show, over a read-only connection of their own.

The window holds two of these: one on its reader thread for the questions that scan, one on the GUI thread for rows by
key (design/architecture.md, Threads). A `Listing` is used by one thread only.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Literal, cast

from coven_desktop.contract import timestamps
from coven_desktop.contract.definition import Definition
from coven_desktop.engine import activity, filter_words, pause_all, planning, run_delivery
from coven_desktop.engine.filter_words import Filter
from coven_desktop.engine.pause_all import Pause
from coven_desktop.engine.run_delivery import RunDelivery
from coven_desktop.home import Home
from coven_desktop.store import attention, database, definitions, listing, occurrence_pages, open_runs
from coven_desktop.store.errors import StoreFault as StoreFault
from coven_desktop.store.questions import Fold as Fold
from coven_desktop.store.questions import Question as Question
from coven_desktop.store.transactions import Reader

PAGE = 2_000


@dataclass(frozen=True)
class Page:
    """`numbers` are the rows offset, offset + 1, … of `total`."""

    total: int
    offset: int
    numbers: array[int]


Phase = Literal["live", "delivering", "waiting", "held", "recovery_required", "lost"]


@dataclass(frozen=True)
class OpenRun:
    """A run that is not settled, and what it waits for (store/open_runs.py). Instants are UTC milliseconds.

    `attempt` is the number of its newest attempt, `of` how many the policy gives; that attempt may begin at
    `not_before`, or ended at `ended_at` with `reason`. After `deadline` nothing of the run is tried again, nor when its
    routine was deleted after it began, though another one may have the id by now: it can only be given up.
    """

    phase: Phase
    run_id: str
    occurrence_id: str
    attempt: int
    of: int
    not_before: int
    ended_at: int | None
    deadline: int | None
    reason: str | None
    routine_deleted: bool = False


@dataclass(frozen=True)
class Quarantine:
    """Why nothing of a routine is planned or claimed: since when (UTC milliseconds), and after how many exhaustions."""

    since: int
    failure_class: str
    reason: str
    exhaustions: int


@dataclass(frozen=True)
class RoutineRow:
    """One routine for the table and the form. Instants are UTC milliseconds.

    `managed`: only the versioned API may revise or delete it. `last_occurrence` is the id of the newest one that began;
    `last_failed_at` and `last_failed_reason` tell when and why it failed, if it has ended so.
    Of a cadence or cron routine `runs_counted` were started on schedule, the last `failures_in_a_row` failed, and
    `by_scheduler` says that it is paused or disabled by itself.
    Nothing is planned at or before `bound`; in the future it is when the clock was ahead (decisions.md 28).
    """

    number: int
    id: str
    name: str
    family: str
    revision: int
    lifecycle: str
    rrule: str
    timezone: str
    runtime: str
    tags: tuple[str, ...]
    next_due_at: int | None
    broken_reason: str | None
    quarantine: Quarantine | None
    open_state: str | None
    run: OpenRun | None
    last_results: tuple[str, ...]
    deleted_at: int | None
    managed: bool
    last_occurrence: str | None
    body: Mapping[str, Any] = field(repr=False)
    bound: int = 0
    last_failed_at: int | None = None
    last_failed_reason: str | None = None
    runs_counted: int = 0
    failures_in_a_row: int = 0
    by_scheduler: bool = False

    @property
    def deleted(self) -> bool:
        """Whether it is deleted: only its history is left."""
        return self.deleted_at is not None

    @property
    def live(self) -> bool:
        """Whether something of it is running or just being started."""
        return self.open_state in ("claimed", "running") and not self.held

    @property
    def held(self) -> bool:
        """Whether its run failed and may be retried until its deadline."""
        return self.run is not None and self.run.phase == "held"


@dataclass(frozen=True)
class OccurrenceRow:
    """One occurrence with its newest run. Instants are UTC milliseconds.

    `folded`: of a skipped one, how many skipped ones of its routine come right before it, and when the first was due.
    One may stand for several times that did not run: `slots` of them, from `first_slot` to `last_slot`; those that are
    folded for `more_slots`, from `more_from` on.
    """

    number: int
    id: str
    automation_id: str
    name: str
    revision: int
    scheduled_for: int
    kind: str
    state: str
    reason: str | None
    run_id: str | None
    run_status: str | None
    exit_code: int | None
    started_at: int | None
    finished_at: int | None
    cancellation: str | None
    lifecycle: str
    deleted: bool
    quarantined: bool
    folded: int
    folded_from: int | None
    run: OpenRun | None
    reason_class: str | None = None
    slots: int = 1
    first_slot: int | None = None
    last_slot: int | None = None
    more_slots: int = 0
    more_from: int | None = None

    @property
    def fold(self) -> Fold | None:
        """The row of skipped occurrences that this one stands for."""
        if self.folded_from is None:
            return None
        first, last = timestamps.to_text(self.folded_from), timestamps.to_text(self.scheduled_for)
        return Fold(self.automation_id, first, last)

    @property
    def phase(self) -> str:
        """Its state, with `held`, `waiting`, `delivering` and `lost` told apart from what they are stored as."""
        if self.run is not None and self.run.phase in ("held", "waiting", "delivering", "lost"):
            return self.run.phase
        return self.state

    @property
    def live(self) -> bool:
        """Whether something of it is running or just being started."""
        return self.phase in ("claimed", "running")

    @property
    def stopping(self) -> bool:
        """A stop was asked for and is neither confirmed nor given up."""
        return self.cancellation in ("requested", "stopping") and self.live


@dataclass(frozen=True)
class AttemptRow:
    """One attempt and its session. Instants are UTC milliseconds; `evidence` is the stored document."""

    id: str
    run_id: str
    number: int
    state: str
    failure_class: str | None
    reason: str | None
    opened_at: int
    settled_at: int | None
    session_id: str | None
    session_status: str | None
    started_at: int | None
    ended_at: int | None
    exit_code: int | None
    pid: int | None
    runtime: str | None
    folder: str | None
    evidence: Mapping[str, Any] | None = field(repr=False)


@dataclass(frozen=True)
class RunDetail:
    """What the run view shows of one occurrence."""

    occurrence: OccurrenceRow
    attempts: tuple[AttemptRow, ...]
    delivery: RunDelivery | None = None

    @property
    def session_id(self) -> str | None:
        """The newest session, whose output is shown."""
        return next((attempt.session_id for attempt in reversed(self.attempts) if attempt.session_id), None)


@dataclass(frozen=True)
class AfterRelease:
    """What comes due when a quarantine ends: a slot that came meanwhile, at once, and the next one (milliseconds)."""

    at_once: int | None
    following: int | None


@dataclass(frozen=True)
class Startable:
    """A routine that can be run by hand."""

    automation_id: str
    name: str
    paused: bool


def parse_filter(text: str) -> Filter:
    """What a filter text asks for, for the clock and zone of UTC; `filter_words.read` takes the person's."""
    return filter_words.read(text).filter


def _instant(text: str | None) -> int | None:
    return None if text is None else timestamps.parse(text)


@lru_cache(maxsize=512)
def _body(text: str) -> Mapping[str, Any]:
    body: Mapping[str, Any] = json.loads(text)
    return body


def _open_run(record: open_runs.OpenRun | None) -> OpenRun | None:
    if record is None:
        return None
    return OpenRun(
        phase=cast(Phase, record.phase),
        run_id=record.run_id,
        occurrence_id=record.occurrence_id,
        attempt=record.attempt_number,
        of=record.max_attempts,
        not_before=timestamps.parse(record.not_before),
        ended_at=_instant(record.settled_at),
        deadline=_instant(record.timeout_at),
        reason=record.reason,
        routine_deleted=record.routine_deleted,
    )


def _quarantine(record: listing.RoutineRecord) -> Quarantine | None:
    if record.quarantined_at is None:
        return None
    return Quarantine(
        since=timestamps.parse(record.quarantined_at),
        failure_class=record.quarantine_class or "",
        reason=record.quarantine_reason or "",
        exhaustions=record.exhaustions or 1,
    )


def _routine(record: listing.RoutineRecord) -> RoutineRow:
    body = _body(record.body)
    return RoutineRow(
        number=record.number,
        id=record.id,
        name=str(body.get("name", record.id)),
        family=record.family,
        revision=record.revision,
        lifecycle=record.lifecycle,
        rrule=str(body.get("rrule", "")),
        timezone=str(body.get("timezone", "")),
        runtime=str(body.get("runtime", "")),
        tags=tuple(body.get("tags", ())),
        next_due_at=_instant(record.next_due_at),
        broken_reason=record.broken_reason,
        quarantine=_quarantine(record),
        open_state=record.open_state,
        run=_open_run(record.run),
        last_results=tuple(record.last_results.split(",")) if record.last_results else (),
        deleted_at=_instant(record.tombstoned_at),
        managed=record.managed == "v1",
        last_occurrence=record.last_occurrence,
        bound=timestamps.parse(record.bound),
        last_failed_at=_instant(record.last_failed_at),
        last_failed_reason=record.last_failed_reason,
        runs_counted=record.runs_counted,
        failures_in_a_row=record.failures_in_a_row,
        by_scheduler=bool(record.by_scheduler),
        body=body,
    )


def _occurrence(record: listing.OccurrenceRecord) -> OccurrenceRow:
    return OccurrenceRow(
        number=record.number,
        id=record.id,
        automation_id=record.automation_id,
        name=record.name,
        revision=record.automation_revision,
        scheduled_for=timestamps.parse(record.scheduled_for),
        kind=record.kind,
        state=record.state,
        reason=record.failure_reason,
        run_id=record.run_id,
        run_status=record.run_status,
        exit_code=record.exit_code,
        started_at=_instant(record.started_at),
        finished_at=_instant(record.finished_at),
        cancellation=record.cancellation,
        lifecycle=record.lifecycle,
        deleted=bool(record.tombstoned),
        quarantined=bool(record.quarantined),
        folded=record.folded,
        folded_from=_instant(record.folded_from),
        reason_class=record.reason_class,
        slots=record.slots,
        first_slot=_instant(record.first_slot),
        last_slot=_instant(record.last_slot),
        more_slots=record.folded if record.more_slots is None else record.more_slots,
        more_from=_instant(record.more_from or record.folded_from),
        run=_open_run(record.run),
    )


def _attempt(record: listing.AttemptRecord) -> AttemptRow:
    return AttemptRow(
        id=record.id,
        run_id=record.run_id,
        number=record.number,
        state=record.state,
        failure_class=record.failure_class,
        reason=record.state_reason,
        opened_at=timestamps.parse(record.opened_at),
        settled_at=_instant(record.settled_at),
        session_id=record.session_id,
        session_status=record.session_status,
        started_at=_instant(record.session_started_at),
        ended_at=_instant(record.session_ended_at),
        exit_code=record.exit_code,
        pid=record.pid,
        runtime=record.runtime,
        folder=record.folder,
        evidence=None if record.evidence is None else json.loads(record.evidence),
    )


class Listing:
    """Reads for the desktop. Every method raises StoreFault when the environment refuses."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader

    @property
    def reader(self) -> Reader:
        """The connection, for `Circumstances`."""
        return self._reader

    def pause(self, now: int) -> Pause | None:
        """The pause of everything that lasts at an instant, UTC milliseconds."""
        return pause_all.current(self._reader, now)

    def routine_page(self, question: Question, offset: int) -> Page:
        """Numbers of at most 2,000 matching routines from `offset` on. Scans: never on the GUI thread."""
        total, numbers = listing.routine_page(self._reader, question, offset, PAGE)
        return Page(total, offset, array("q", numbers))

    def occurrence_page(self, question: Question, offset: int) -> Page:
        """Numbers of at most 2,000 matching occurrences from `offset` on. Scans: never on the GUI thread."""
        total, numbers = occurrence_pages.occurrence_page(self._reader, question, offset, PAGE)
        return Page(total, offset, array("q", numbers))

    def attention_page(self, question: Question, offset: int) -> Page:
        """Numbers of what needs the person, from `offset` on: of an occurrence, or of a routine with a minus. Scans."""
        total, numbers = attention.page(self._reader, question, offset, PAGE)
        return Page(total, offset, array("q", numbers))

    def attention_rows(self, numbers: Sequence[int]) -> dict[int, RoutineRow | OccurrenceRow]:
        """What needs the person, by the numbers of `attention_page`."""
        found: dict[int, RoutineRow | OccurrenceRow] = {
            -row.number: row for row in self.routines([-number for number in numbers if number < 0])
        }
        found.update({row.number: row for row in self.occurrences([number for number in numbers if number > 0])})
        return found

    def activity_lines(self, numbers: Sequence[int]) -> list[activity.ActivityLine]:
        """The lines of what happened with these numbers, in no order."""
        return activity.lines(self._reader, numbers)

    def fold_around(self, number: int) -> Fold | None:
        """The row of skipped occurrences in which another one stands for this one."""
        return occurrence_pages.fold_around(self._reader, number)

    def place_of_routine(self, question: Question, number: int) -> int | None:
        """Where a routine is among those that match. Scans."""
        offset = 0
        while (page := self.routine_page(question, offset)).numbers:
            if number in page.numbers:
                return offset + page.numbers.index(number)
            offset += len(page.numbers)
        return None

    def place_of(self, question: Question, number: int) -> int | None:
        """Where an occurrence is among those that match, in the order of time. Scans."""
        return occurrence_pages.place_of(self._reader, question, number)

    def routines(self, numbers: Sequence[int]) -> list[RoutineRow]:
        """The routines with these numbers, in no order."""
        return [_routine(record) for record in listing.routines(self._reader, numbers)]

    def occurrences(self, numbers: Sequence[int]) -> list[OccurrenceRow]:
        """The occurrences with these numbers, in no order."""
        return [_occurrence(record) for record in listing.occurrences(self._reader, numbers)]

    def routine(self, automation_id: str, *, deleted: bool = False) -> RoutineRow | None:
        """One live routine; `deleted`: a deleted one too."""
        record = listing.routine(self._reader, automation_id, deleted=deleted)
        return None if record is None else _routine(record)

    def id_taken(self, automation_id: str) -> bool:
        """Whether a new routine may not have this id, because one has or had it."""
        return listing.id_taken(self._reader, automation_id)

    def occurrence(self, occurrence_id: str) -> OccurrenceRow | None:
        """One occurrence."""
        record = listing.occurrence(self._reader, occurrence_id)
        return None if record is None else _occurrence(record)

    def run_detail(self, occurrence_id: str) -> RunDetail | None:
        """One occurrence with all its attempts, or None when there is no such occurrence."""
        record = listing.occurrence(self._reader, occurrence_id)
        if record is None:
            return None
        attempts = listing.attempts(self._reader, occurrence_id)
        shown = tuple(_attempt(attempt) for attempt in attempts)
        return RunDetail(_occurrence(record), shown, run_delivery.of_run(self._reader, record.run_id))

    def open_slots(self, automation_id: str) -> list[int]:
        """Planned instants that an edit of the routine would supersede (decisions.md 5)."""
        return [timestamps.parse(text) for text in listing.open_slots(self._reader, automation_id)]

    def after_release(self, automation_id: str, now: int) -> AfterRelease:
        """What the release of a routine's quarantine would bring, were it at `now` (contract/engine.md §6)."""
        row = definitions.get(self._reader, automation_id)
        if row is None or row.lifecycle != "active":
            return AfterRelease(None, None)
        try:
            definition = planning.read(row)
            schedule = planning.schedule_of(definition)
            due = planning.rrule_of(definition).latest_due if isinstance(definition, Definition) else None
        except planning.Broken:
            return AfterRelease(None, None)
        after = planning.bound(self._reader, row)
        # cadence and cron count from the release on
        return AfterRelease(due(after, now)[0] if due is not None else None, schedule.next_after(max(now, after)))

    def startable(self, limit: int) -> tuple[int, list[Startable]]:
        """How many routines can be run by hand, and the first `limit` by name."""
        total, rows = listing.startable(self._reader, limit)
        return total, [Startable(automation_id, name, lifecycle == "paused") for automation_id, name, lifecycle in rows]

    def close(self) -> None:
        """Give the connection back."""
        self._reader.close()


def open_listing(home: Home) -> Listing:
    """A listing on a read-only connection of its own. Raises StoreFault, also while there is no database yet."""
    return Listing(Reader(database.open_reader(home.database)))
