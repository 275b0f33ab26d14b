"""Occurrences: the slots and the manual starts of a routine.

Queries and the moves that concern one occurrence alone. The rules are contract/engine.md §4 and
design/schedules.md; the states are written by `transitions`.
"""

from __future__ import annotations

from dataclasses import dataclass

from coven_desktop.store import misfires, open_runs, runs, transitions, unknown_sessions
from coven_desktop.store.transactions import Reader, Transaction, Value

OPEN = ("planned", "claimed", "running", "recovery_required")
SUPERSEDED_BY_LATEST = "superseded by latest misfire policy"
LEASE_EXPIRED = "lease expired"

_NAMES = (
    "number, id, automation_id, automation_revision, definition_digest, scheduled_for, kind, state, lease_owner,"
    " lease_expires_at, scheduler_generation, fence, failure_reason, reason_class, created_at, updated_at"
)
_COLUMNS = ", ".join(f"o.{name.strip()}" for name in _NAMES.split(","))


@dataclass(frozen=True)
class OccurrenceRow:
    """One stored occurrence; instants are text."""

    number: int
    id: str
    automation_id: str
    automation_revision: int
    definition_digest: str
    scheduled_for: str
    kind: str
    state: str
    lease_owner: str | None
    lease_expires_at: str | None
    scheduler_generation: int | None
    fence: int
    failure_reason: str | None
    reason_class: str | None
    created_at: str
    updated_at: str


def _rows(reader: Reader, tail: str, parameters: tuple[str | int | None, ...]) -> list[OccurrenceRow]:
    return [OccurrenceRow(*row) for row in reader.query(f"SELECT {_COLUMNS} FROM occurrences o {tail}", parameters)]


def get(reader: Reader, occurrence_id: str) -> OccurrenceRow | None:
    """The occurrence of an id."""
    rows = _rows(reader, "WHERE o.id = ?", (occurrence_id,))
    return rows[0] if rows else None


def at(reader: Reader, automation_id: str, scheduled_for: str) -> OccurrenceRow | None:
    """The occurrence of a routine at an instant, compared as text."""
    rows = _rows(reader, "WHERE o.automation_id = ? AND o.scheduled_for = ?", (automation_id, scheduled_for))
    return rows[0] if rows else None


def newest_slot(reader: Reader, automation_id: str) -> str | None:
    """The newest scheduled slot recorded for the routine, of any revision (decisions.md 28)."""
    row = reader.one(
        "SELECT max(scheduled_for) FROM occurrences WHERE automation_id = ? AND kind = 'scheduled'", (automation_id,)
    )
    return row[0] if row else None


def _new(
    tx: Transaction, occurrence_id: str, automation_id: str, revision: int, digest: str, scheduled_for: str
) -> dict[str, Value]:
    """What every new row has: whose it is, under which revision, and when it was made."""
    return {
        "id": occurrence_id,
        "automation_id": automation_id,
        "automation_revision": revision,
        "definition_digest": digest,
        "scheduled_for": scheduled_for,
        "created_at": tx.now_text,
        "updated_at": tx.now_text,
    }


def plan(
    tx: Transaction,
    *,
    occurrence_id: str,
    automation_id: str,
    revision: int,
    digest: str,
    scheduled_for: str,
    zone_data: str,
    collapsed: int,
    disposition: misfires.Disposition = "collapsed_to_latest",
    at_least: bool = False,
    between: tuple[str, str] | None = None,
) -> bool:
    """Record a slot that is due. False when it is recorded already: a slot is planned once, by any pass.

    `collapsed` earlier slots that were never planned are told of by one misfire event (decisions.md 7); `at_least` when
    there may have been more, further back than was looked. `between`: the first and the last of them, where known.
    """
    planned = transitions.insert_new(
        tx,
        "occurrence",
        _new(tx, occurrence_id, automation_id, revision, digest, scheduled_for)
        | {"kind": "scheduled", "state": "planned", "zone_data": zone_data},
    )
    if planned and collapsed:
        summary = f"{'at least ' if at_least else ''}{collapsed} earlier slots collapsed into this one"
        misfires.tell(tx, automation_id, occurrence_id, disposition, collapsed, summary, between)
    return planned


def record_skipped(
    tx: Transaction,
    *,
    occurrence_id: str,
    automation_id: str,
    revision: int,
    digest: str,
    scheduled_for: str,
    zone_data: str,
    reason: str,
    reason_class: str,
    disposition: misfires.Disposition,
    span: tuple[int, str, str] | None,
) -> None:
    """Record a slot that does not run and was never planned; nothing when it is recorded already.

    `span`: how many slots the row stands for, the first and the last of them.
    """
    written = transitions.insert_new(
        tx,
        "occurrence",
        _new(tx, occurrence_id, automation_id, revision, digest, scheduled_for)
        | {"kind": "scheduled", "state": "skipped", "zone_data": zone_data}
        | {"failure_reason": reason, "reason_class": reason_class},
    )
    if not written:
        return
    if span is not None:
        tx.change("INSERT INTO missed_spans VALUES (?, ?, ?, ?)", (occurrence_id, *span))
    slots, between = (1, None) if span is None else (span[0], (span[1], span[2]))
    misfires.tell(tx, automation_id, occurrence_id, disposition, slots, reason, between)


def create_manual(
    tx: Transaction,
    *,
    occurrence_id: str,
    automation_id: str,
    revision: int,
    digest: str,
    scheduled_for: str,
    lease_expires_at: str,
    adoption_key: str | None,
) -> None:
    """A manual occurrence is claimed from the start, fence 1, by nobody's pass (contract/engine.md §4.4)."""
    transitions.create(
        tx,
        "occurrence",
        _new(tx, occurrence_id, automation_id, revision, digest, scheduled_for)
        | {"kind": "manual", "state": "claimed", "fence": 1}
        | {"lease_owner": "manual", "lease_expires_at": lease_expires_at},
        adoption_key=adoption_key,
    )


def outdated(reader: Reader, now_text: str, limit: int) -> list[str]:
    """Planned due rows that a newer planned due row of the routine has replaced (contract/engine.md §4.6)."""
    rows = reader.query(
        "SELECT o.id FROM occurrences o JOIN definitions d ON d.id = o.automation_id AND d.family = 'rrule'"
        " WHERE o.state = 'planned' AND o.scheduled_for <= ?1"
        " AND EXISTS (SELECT 1 FROM occurrences n WHERE n.automation_id = o.automation_id AND n.state = 'planned'"
        "             AND n.scheduled_for > o.scheduled_for AND n.scheduled_for <= ?1)"
        " AND NOT EXISTS (SELECT 1 FROM runs r WHERE r.occurrence_id = o.id AND r.status = 'running')"
        " ORDER BY o.scheduled_for, o.id LIMIT ?2",
        (now_text, limit),
    )
    return [row[0] for row in rows]


def skip(tx: Transaction, occurrence_id: str) -> None:
    """Settle a planned slot that the latest-only misfire policy disposes of."""
    transitions.must_move(
        tx,
        "occurrence",
        occurrence_id,
        ("planned",),
        "skipped",
        changes={"failure_reason": SUPERSEDED_BY_LATEST, "reason_class": "misfire"},
    )


def supersede_planned(
    tx: Transaction, automation_id: str, reason: str, *, adoption_key: str | None = None
) -> list[str]:
    """Settle the planned slots of a routine that has a new revision, save those that have a run (decisions.md 5)."""
    rows = tx.query(
        "SELECT o.id FROM occurrences o WHERE o.automation_id = ? AND o.state = 'planned'"
        " AND NOT EXISTS (SELECT 1 FROM runs r WHERE r.occurrence_id = o.id) ORDER BY o.scheduled_for",
        (automation_id,),
    )
    for (occurrence_id,) in rows:
        transitions.must_move(
            tx, "occurrence", occurrence_id, ("planned",), "superseded",
            changes={"failure_reason": reason, "reason_class": "superseded"}, adoption_key=adoption_key,
        )  # fmt: skip
    return [row[0] for row in rows]


def supersede(tx: Transaction, occurrence_id: str, reason: str) -> None:
    """Settle one planned slot whose routine has another schedule now."""
    transitions.must_move(
        tx,
        "occurrence",
        occurrence_id,
        ("planned",),
        "superseded",
        changes={"failure_reason": reason, "reason_class": "superseded"},
    )


# What keeps a planned slot from being claimed: contract/engine.md §4.3. A slot whose run waits for its next attempt
# goes on whatever became of its routine, save a tombstone (decisions.md 30), also when another routine has been given
# the id since; any other needs its routine active, no run of it, and that no newer slot is due. Cadence and cron: that
# no older one is, for they run one after another; and the last firings of a cadence that has ended go on, while those
# of one that a person disabled were superseded (design/schedules.md).
_ELIGIBLE = (
    " JOIN definitions d ON d.id = o.automation_id"
    " LEFT JOIN runs r ON r.occurrence_id = o.id AND r.status = 'running'"
    " LEFT JOIN attempts a ON a.run_id = r.id AND a.state = 'adopted'"
    " WHERE o.state = 'planned' AND o.scheduled_for <= ?1 AND d.tombstoned_at IS NULL"
    " AND NOT EXISTS (SELECT 1 FROM retry_state q WHERE q.automation_id = o.automation_id"
    "                 AND q.quarantined_at IS NOT NULL)"
    " AND NOT EXISTS (SELECT 1 FROM occurrences b WHERE b.automation_id = o.automation_id"
    "                 AND b.state IN ('claimed', 'running'))"
    " AND NOT EXISTS (SELECT 1 FROM runs f WHERE f.automation_id = o.automation_id AND f.status = 'running'"
    "                 AND f.id IS NOT r.id)"
    f" AND NOT {unknown_sessions.holds_back('o.automation_id')}"
    " AND CASE WHEN r.id IS NOT NULL"
    "     THEN a.not_before <= ?1 AND (r.timeout_at IS NULL OR r.timeout_at > ?1)"
    f"     AND NOT {open_runs.outlived('r')}"
    "     ELSE d.broken_reason IS NULL"
    # a start that a person asked for and that was taken back may be of a paused routine (decisions.md 11)
    "     AND (d.lifecycle = 'active' OR (d.lifecycle = 'paused' AND o.kind = 'manual')"
    "          OR (d.lifecycle = 'disabled' AND d.family = 'cadence'))"
    "     AND CASE WHEN d.family = 'rrule'"
    "         THEN NOT EXISTS (SELECT 1 FROM occurrences n WHERE n.automation_id = o.automation_id"
    "                          AND n.state = 'planned' AND n.scheduled_for > o.scheduled_for AND n.scheduled_for <= ?1)"
    "         ELSE NOT EXISTS (SELECT 1 FROM occurrences n WHERE n.automation_id = o.automation_id"
    "                          AND n.state = 'planned' AND n.scheduled_for < o.scheduled_for) END"
    "     END"
)


def eligible(reader: Reader, now_text: str, limit: int) -> list[OccurrenceRow]:
    """The slots that may be claimed now, oldest first."""
    return _rows(reader, _ELIGIBLE + " ORDER BY o.scheduled_for, o.id LIMIT ?2", (now_text, limit))


def eligible_without_place(reader: Reader, now_text: str, limit: int) -> list[OccurrenceRow]:
    """Those of them that no limit holds back: retries of a run already begun, and starts that a person asked for."""
    tail = " AND (r.id IS NOT NULL OR o.kind = 'manual') ORDER BY o.scheduled_for, o.id LIMIT ?2"
    return _rows(reader, _ELIGIBLE + tail, (now_text, limit))


# What a person asked for, not the clock: a start by hand, and an attempt opened by a decision. An automatic retry is
# not, whoever started its run.
_ASKED_FOR = (
    "CASE WHEN r.id IS NULL THEN o.kind = 'manual'"
    " ELSE a.retry_classification IN ('operator_retry', 'operator_recovery') END"
)


def eligible_asked_for(reader: Reader, now_text: str, limit: int) -> list[OccurrenceRow]:
    """Those of them that a person asked for, which do not wait after a resume (decisions.md 29)."""
    return _rows(reader, _ELIGIBLE + f" AND {_ASKED_FOR} ORDER BY o.scheduled_for, o.id LIMIT ?2", (now_text, limit))


def asked_for(reader: Reader, occurrence_id: str) -> bool:
    """Whether a person asked for what an occurrence is to start next."""
    return bool(
        reader.number(
            "SELECT EXISTS (SELECT 1 FROM occurrences o"
            " LEFT JOIN runs r ON r.occurrence_id = o.id AND r.status = 'running'"
            f" LEFT JOIN attempts a ON a.run_id = r.id AND a.state = 'adopted' WHERE o.id = ? AND {_ASKED_FOR})",
            (occurrence_id,),
        )
    )


def eligible_for_place(reader: Reader, now_text: str, limit: int) -> list[OccurrenceRow]:
    """The others: new slots, which need a free place each."""
    tail = " AND r.id IS NULL AND o.kind = 'scheduled' ORDER BY o.scheduled_for, o.id LIMIT ?2"
    return _rows(reader, _ELIGIBLE + tail, (now_text, limit)) if limit else []


def oldest_eligible(reader: Reader, now_text: str) -> str | None:
    """The scheduled time of the oldest slot that may be claimed now."""
    rows = eligible(reader, now_text, 1)
    return rows[0].scheduled_for if rows else None


def claim(tx: Transaction, occurrence_id: str, *, owner: str, lease_expires_at: str, generation: int | None) -> bool:
    """Claim one planned slot if it is still eligible: the fence rises by one. False when it is not."""
    rows = _rows(tx, _ELIGIBLE + " AND o.id = ?2", (tx.now_text, occurrence_id))
    if not rows:
        return False
    transitions.must_move(
        tx,
        "occurrence",
        occurrence_id,
        ("planned",),
        "claimed",
        changes={
            "lease_owner": owner,
            "lease_expires_at": lease_expires_at,
            "scheduler_generation": generation,
            "fence": rows[0].fence + 1,
        },
    )
    if rows[0].fence:  # claimed before: there may be a run that waits for its next attempt
        waiting = tx.one(
            "SELECT a.id FROM attempts a JOIN runs r ON r.id = a.run_id"
            " WHERE r.occurrence_id = ? AND r.status = 'running' AND a.state = 'adopted'",
            (occurrence_id,),
        )
        if waiting is not None:
            runs.bind_fence(tx, waiting[0], rows[0].fence + 1)
    return True


def give_back(
    tx: Transaction,
    occurrence_id: str,
    sources: tuple[str, ...] = ("claimed",),
    *,
    reason: str | None = None,
    adoption_key: str | None = None,
) -> None:
    """Return an occurrence to planned: nothing was started under its claim, or a new attempt waits.

    The fence stays and rises at the next claim.
    """
    transitions.must_move(
        tx,
        "occurrence",
        occurrence_id,
        sources,
        "planned",
        changes=settled(reason) | {"scheduler_generation": None},
        adoption_key=adoption_key,
    )


def hold(tx: Transaction, occurrence_id: str, reason: str) -> None:
    """A claim whose launch failed stays claimed without a lease while its run is held (contract/engine.md §7)."""
    tx.change(
        "UPDATE occurrences SET lease_owner = NULL, lease_expires_at = NULL, failure_reason = ?, updated_at = ?"
        " WHERE id = ? AND state = 'claimed'",
        (reason, tx.now_text, occurrence_id),
    )


def claims_to_return(reader: Reader) -> list[OccurrenceRow]:
    """Claims under which nothing was dispatched: without a run, or with one whose next attempt still waits."""
    return _rows(
        reader,
        "WHERE o.state = 'claimed' AND NOT EXISTS (SELECT 1 FROM runs r WHERE r.occurrence_id = o.id AND r.status"
        " = 'running'"
        "   AND NOT EXISTS (SELECT 1 FROM attempts a WHERE a.run_id = r.id AND a.state = 'adopted'))"
        " ORDER BY o.scheduled_for, o.id",
        (),
    )


def undispatched(reader: Reader, now_text: str) -> list[OccurrenceRow]:
    """Live claims under which nothing was dispatched yet, oldest first."""
    return [claim for claim in claims_to_return(reader) if (claim.lease_expires_at or "") > now_text]


def expired_leases(reader: Reader, now_text: str, limit: int) -> list[str]:
    """Claims whose lease has ended (equal counts) and that have no running run (contract/engine.md §4.5)."""
    rows = reader.query(
        "SELECT o.id FROM occurrences o WHERE o.state = 'claimed' AND o.lease_expires_at <= ?"
        " AND NOT EXISTS (SELECT 1 FROM runs r WHERE r.occurrence_id = o.id AND r.status = 'running')"
        " ORDER BY o.lease_expires_at, o.id LIMIT ?",
        (now_text, limit),
    )
    return [row[0] for row in rows]


def expire_lease(tx: Transaction, occurrence_id: str) -> None:
    """A lease that ended without runtime evidence settles its occurrence as failed."""
    transitions.must_move(
        tx, "occurrence", occurrence_id, ("claimed",), "failed", changes=settled(LEASE_EXPIRED, "lease_expired")
    )


def next_lease_end(reader: Reader) -> str | None:
    """When the next lease without a run ends."""
    row = reader.one(
        "SELECT min(o.lease_expires_at) FROM occurrences o WHERE o.state = 'claimed'"
        " AND NOT EXISTS (SELECT 1 FROM runs r WHERE r.occurrence_id = o.id AND r.status = 'running')"
    )
    return row[0] if row else None


def settled(reason: str | None, reason_class: str | None = None) -> dict[str, str | int | None]:
    """The changes that go with a move into a state that holds no lease any more."""
    return {"failure_reason": reason, "reason_class": reason_class, "lease_owner": None, "lease_expires_at": None}


def blocking(reader: Reader, automation_id: str) -> bool:
    """Whether overlap forbids a start: a claimed or running occurrence, or a running run, of the routine; or a session
    of it that lives and that the store does not know.
    """
    return bool(
        reader.number(
            "SELECT EXISTS (SELECT 1 FROM occurrences WHERE automation_id = ?1 AND state IN ('claimed', 'running'))"
            " OR EXISTS (SELECT 1 FROM runs WHERE automation_id = ?1 AND status = 'running')"
            f" OR {unknown_sessions.holds_back('?1')}",
            (automation_id,),
        )
    )


def any_open(reader: Reader, automation_id: str) -> bool:
    """Whether an earlier run of the routine is queued, running or undecided."""
    return bool(
        reader.number(
            "SELECT EXISTS (SELECT 1 FROM occurrences WHERE automation_id = ?1"
            " AND state IN ('planned', 'claimed', 'running', 'recovery_required'))"
            " OR EXISTS (SELECT 1 FROM runs WHERE automation_id = ?1 AND status = 'running')",
            (automation_id,),
        )
    )


def undispatched_firings(reader: Reader, automation_id: str) -> int:
    """How many scheduled slots of a routine are planned or claimed and have no run yet."""
    return reader.number(
        "SELECT count(*) FROM occurrences o WHERE o.automation_id = ? AND o.state IN ('planned', 'claimed')"
        " AND o.kind = 'scheduled' AND NOT EXISTS (SELECT 1 FROM runs r WHERE r.occurrence_id = o.id)",
        (automation_id,),
    )


def view(reader: Reader, name: str, now_text: str, limit: int, automation_id: str | None) -> list[OccurrenceRow]:
    """The occurrences of a view of occurrence.list.v1: due, eligible, claimed, running or recovery_required."""
    if name == "eligible":
        rows = eligible(reader, now_text, -1 if automation_id else limit)
        return [row for row in rows if automation_id in (None, row.automation_id)][:limit]
    state = "planned" if name == "due" else name
    until = now_text if name == "due" else None
    return _rows(
        reader,
        # the state stands in the statement, so that the index of that state serves it
        f"WHERE o.state = '{state}' AND (?1 IS NULL OR o.scheduled_for <= ?1) AND (?2 IS NULL OR o.automation_id = ?2)"
        " ORDER BY o.scheduled_for, o.id LIMIT ?3",
        (until, automation_id, limit),
    )


def counts(reader: Reader) -> dict[str, int]:
    """How many occurrences are in each open state."""
    # one statement a state, each on the index of that state
    return {state: reader.number(f"SELECT count(*) FROM occurrences WHERE state = '{state}'") for state in OPEN}


def fail_claim(tx: Transaction, occurrence_id: str, reason: str) -> None:
    """A claim under which no run could be accepted settles as failed, with the reason."""
    transitions.must_move(
        tx, "occurrence", occurrence_id, ("claimed",), "failed", changes=settled(reason, "launch_refused")
    )
