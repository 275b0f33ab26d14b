"""Runs, their attempts and the sessions those were bound to.

A run is accepted in one transaction with its first attempt and session, before anything is started
(contract/engine.md §5.2). What ends it is written by `engine/settlement.py` through `transitions`.
"""

from __future__ import annotations

from dataclasses import dataclass

from coven_desktop.contract import ids
from coven_desktop.store import transitions
from coven_desktop.store.errors import FenceConflict, StoreBug
from coven_desktop.store.transactions import Reader, Transaction, Value

_RUN = (
    "number, id, automation_id, automation_revision, definition_digest, definition_snapshot, occurrence_id,"
    " occurrence_fence, authority_profile, receipt_id, session_id, familiar_id, runtime, status, exit_code, log_json,"
    " output_commit, started_at, timeout_at, finished_at"
)
_ATTEMPT = (
    "id, run_id, occurrence_id, attempt_number, adoption_key, occurrence_fence, dispatch_generation, state,"
    " failure_class, prior_attempt_number, prior_disposition, retry_classification, not_before, session_id,"
    " state_reason, opened_at, settled_at"
)
_SESSION = (
    "id, run_id, attempt_id, title, project_root, harness, familiar_id, status, exit_code, pid, evidence, created_at,"
    " updated_at, ended_at"
)


@dataclass(frozen=True)
class RunRow:
    """One stored run; instants are text."""

    number: int
    id: str
    automation_id: str
    automation_revision: int
    definition_digest: str
    definition_snapshot: str
    occurrence_id: str | None
    occurrence_fence: int
    authority_profile: str | None
    receipt_id: str | None
    session_id: str | None
    familiar_id: str | None
    runtime: str
    status: str
    exit_code: int | None
    log_json: str | None
    output_commit: str | None
    started_at: str
    timeout_at: str | None
    finished_at: str | None


@dataclass(frozen=True)
class AttemptRow:
    """One stored attempt; instants are text."""

    id: str
    run_id: str
    occurrence_id: str
    attempt_number: int
    adoption_key: str
    occurrence_fence: int
    dispatch_generation: int
    state: str
    failure_class: str | None
    prior_attempt_number: int | None
    prior_disposition: str | None
    retry_classification: str
    not_before: str
    session_id: str | None
    state_reason: str | None
    opened_at: str
    settled_at: str | None


@dataclass(frozen=True)
class SessionRow:
    """One stored session; instants are text, `evidence` the JSON of its evidence file."""

    id: str
    run_id: str
    attempt_id: str
    title: str
    project_root: str
    harness: str
    familiar_id: str | None
    status: str
    exit_code: int | None
    pid: int | None
    evidence: str | None
    created_at: str
    updated_at: str
    ended_at: str | None


def get(reader: Reader, run_id: str) -> RunRow | None:
    """The run of an id."""
    row = reader.one(f"SELECT {_RUN} FROM runs WHERE id = ?", (run_id,))
    return RunRow(*row) if row else None


def of_routine(reader: Reader, automation_id: str, limit: int) -> list[RunRow]:
    """The newest runs of a routine, newest first; of those of one instant, the one begun last is the newest."""
    rows = reader.query(
        f"SELECT {_RUN} FROM runs WHERE automation_id = ? ORDER BY started_at DESC, number DESC LIMIT ?",
        (automation_id, limit),
    )
    return [RunRow(*row) for row in rows]


def of_occurrence(reader: Reader, occurrence_id: str, limit: int) -> list[RunRow]:
    """The runs of an occurrence, oldest first."""
    rows = reader.query(
        f"SELECT {_RUN} FROM runs WHERE occurrence_id = ? ORDER BY started_at, id LIMIT ?", (occurrence_id, limit)
    )
    return [RunRow(*row) for row in rows]


def open_of_occurrence(reader: Reader, occurrence_id: str) -> RunRow | None:
    """The running run of an occurrence."""
    row = reader.one(f"SELECT {_RUN} FROM runs WHERE occurrence_id = ? AND status = 'running'", (occurrence_id,))
    return RunRow(*row) if row else None


def attempts(reader: Reader, run_id: str) -> list[AttemptRow]:
    """The attempts of a run, ascending."""
    rows = reader.query(f"SELECT {_ATTEMPT} FROM attempts WHERE run_id = ? ORDER BY attempt_number", (run_id,))
    return [AttemptRow(*row) for row in rows]


def attempt(reader: Reader, attempt_id: str) -> AttemptRow | None:
    """The attempt of an id."""
    row = reader.one(f"SELECT {_ATTEMPT} FROM attempts WHERE id = ?", (attempt_id,))
    return AttemptRow(*row) if row else None


def latest_attempt(reader: Reader, run_id: str) -> AttemptRow | None:
    """The attempt of a run with the highest number."""
    row = reader.one(
        f"SELECT {_ATTEMPT} FROM attempts WHERE run_id = ? ORDER BY attempt_number DESC LIMIT 1", (run_id,)
    )
    return AttemptRow(*row) if row else None


def session(reader: Reader, session_id: str) -> SessionRow | None:
    """The session of an id."""
    row = reader.one(f"SELECT {_SESSION} FROM sessions WHERE id = ?", (session_id,))
    return SessionRow(*row) if row else None


def open_sessions(reader: Reader) -> list[SessionRow]:
    """Sessions not known to have ended, oldest first."""
    rows = reader.query(
        f"SELECT {_SESSION} FROM sessions WHERE status IN ('created', 'running', 'orphaned') ORDER BY created_at, id"
    )
    return [SessionRow(*row) for row in rows]


def live_count(reader: Reader) -> int:
    """How many sessions take up a place (decisions.md 16: live ones, not held or recovery-required runs)."""
    return reader.number(
        # the whole condition of the index on open sessions, so that it serves
        "SELECT count(*) FROM sessions WHERE status IN ('created', 'running', 'orphaned') AND status <> 'orphaned'"
    )


def accept(
    tx: Transaction, run: dict[str, Value], session_row: dict[str, Value], attempt_row: dict[str, Value]
) -> None:
    """Accept a run under the fence of its occurrence: run, session and first attempt, all or none.

    A compare-and-set on the fence: raises FenceConflict when it is not that of a live claim any more, or when it owns
    a run already.
    """
    occurrence_id, fence = str(run["occurrence_id"]), int(run["occurrence_fence"] or 0)
    if owner_of_fence(tx, occurrence_id, fence) is not None:
        raise FenceConflict(occurrence_id, fence, "owns a run already")
    if not tx.number(
        "SELECT EXISTS (SELECT 1 FROM occurrences WHERE id = ? AND fence = ? AND state = 'claimed')",
        (occurrence_id, fence),
    ):
        raise FenceConflict(occurrence_id, fence, "is not that of a live claim")
    transitions.create(tx, "run", run)
    insert_session(tx, session_row)
    transitions.create(tx, "attempt", attempt_row)


def owner_of_fence(reader: Reader, occurrence_id: str, fence: int) -> str | None:
    """The run that was accepted, or has an attempt, under this fence of the occurrence."""
    row = reader.one(
        "SELECT id FROM runs WHERE occurrence_id = ?1 AND occurrence_fence = ?2"
        " UNION SELECT run_id FROM attempts WHERE occurrence_id = ?1 AND occurrence_fence = ?2",
        (occurrence_id, fence),
    )
    return row[0] if row else None


def insert_session(tx: Transaction, row: dict[str, Value]) -> None:
    """Record a session that is about to be started."""
    names = ", ".join(row)
    tx.change(f"INSERT INTO sessions ({names}) VALUES ({', '.join('?' for _ in row)})", tuple(row.values()))


def update_session(tx: Transaction, session_id: str, changes: dict[str, Value]) -> None:
    """Record what became known of a session."""
    columns = {**changes, "updated_at": tx.now_text}
    assignments = ", ".join(f"{name} = ?" for name in columns)
    tx.change(f"UPDATE sessions SET {assignments} WHERE id = ?", (*columns.values(), session_id))


def undo(tx: Transaction, run_id: str, session_id: str, attempt_id: str) -> None:
    """Take back an acceptance of which it is proven that no process ever started (contract/engine.md §5.6)."""
    tx.change("DELETE FROM attempts WHERE id = ?", (attempt_id,))
    tx.change("DELETE FROM sessions WHERE id = ?", (session_id,))
    tx.change("DELETE FROM runs WHERE id = ?", (run_id,))


_WITH_DEADLINE = (
    " FROM runs r JOIN occurrences o ON o.id = r.occurrence_id"
    " WHERE r.status = 'running' AND o.state IN ('claimed', 'running')"
    " AND EXISTS (SELECT 1 FROM attempts a WHERE a.run_id = r.id AND a.state IN ('dispatching', 'started',"
    " 'observing'))"
)


def open_attempt(
    tx: Transaction,
    after: AttemptRow,
    *,
    classification: str,
    not_before: str,
    reason: str | None = None,
    adoption_key: str | None = None,
) -> AttemptRow:
    """Open the next attempt of a run after one that is terminal; it waits, adopted, until `not_before`.

    The earlier attempt's record is never rewritten; its disposition is told in the new one (contract/engine.md §5.6).
    The run has no session meanwhile.
    """
    number = after.attempt_number + 1
    attempt_id = ids.attempt_id(after.run_id, number)
    transitions.create(
        tx,
        "attempt",
        {
            "id": attempt_id,
            "run_id": after.run_id,
            "occurrence_id": after.occurrence_id,
            "attempt_number": number,
            "adoption_key": ids.attempt_key(after.run_id, number),
            "occurrence_fence": after.occurrence_fence,
            "state": "adopted",
            "prior_attempt_number": after.attempt_number,
            "prior_disposition": after.state,
            "retry_classification": classification,
            "not_before": not_before,
            "state_reason": reason,
            "opened_at": tx.now_text,
        },
        adoption_key=adoption_key,
    )
    bind_session(tx, after.run_id, None)
    opened = attempt(tx, attempt_id)
    if opened is None:
        raise StoreBug(f"attempt {attempt_id} vanished")
    return opened


def bind_session(tx: Transaction, run_id: str, session_id: str | None) -> None:
    """Name the session that the run's latest attempt is dispatched with, or that there is none now."""
    tx.change("UPDATE runs SET session_id = ? WHERE id = ?", (session_id, run_id))


def name_environment(tx: Transaction, run_id: str, names: str) -> None:
    """Keep the names, a JSON list, of what its latest attempt is given beside the definition."""
    tx.change("UPDATE runs SET environment_names = ? WHERE id = ?", (names, run_id))


def set_exit_code(tx: Transaction, run_id: str, exit_code: int | None) -> None:
    """Keep the exit code of a run that stays open because it is held."""
    tx.change("UPDATE runs SET exit_code = ? WHERE id = ?", (exit_code, run_id))


def bind_fence(tx: Transaction, attempt_id: str, fence: int) -> None:
    """A waiting attempt takes over the fence of the new claim (contract/engine.md §4.4)."""
    changed = tx.change(
        "UPDATE attempts SET occurrence_fence = ? WHERE id = ? AND state = 'adopted'", (fence, attempt_id)
    )
    if changed != 1:
        raise StoreBug(f"attempt {attempt_id} does not wait")


def undo_dispatch(tx: Transaction, run_id: str, session_id: str, attempt_id: str) -> None:
    """Take back the dispatch of a later attempt of which it is proven that no process ever started: it waits again."""
    transitions.must_move(tx, "attempt", attempt_id, ("dispatching",), "adopted")
    tx.change("DELETE FROM sessions WHERE id = ?", (session_id,))
    bind_session(tx, run_id, None)


# Cron runs whose session is gone without evidence (decisions.md 4), known by the reason (?1) of their newest attempt.
_LOST = (
    # CROSS JOIN: from the occurrences that need a decision, whatever the number of routines and runs
    " FROM occurrences o CROSS JOIN runs r ON r.occurrence_id = o.id"
    " CROSS JOIN definitions d ON d.id = r.automation_id AND d.family = 'cron'"
    " JOIN attempts a ON a.run_id = r.id AND a.state = 'ambiguous' AND a.state_reason = ?1"
    " AND a.attempt_number = (SELECT max(l.attempt_number) FROM attempts l WHERE l.run_id = r.id)"
    " WHERE o.state = 'recovery_required' AND r.status = 'running'"
)


def lost(reader: Reader, reason: str, started_until: str) -> list[str]:
    """Lost cron runs that started at an instant or before it, oldest first."""
    rows = reader.query(
        f"SELECT r.id{_LOST} AND r.started_at <= ?2 ORDER BY r.started_at, r.id", (reason, started_until)
    )
    return [row[0] for row in rows]


def oldest_lost(reader: Reader, reason: str) -> str | None:
    """When the oldest lost cron run started."""
    row = reader.one(f"SELECT min(r.started_at){_LOST}", (reason,))
    return row[0] if row else None


# A run that nobody works on: its latest attempt waits, or has failed and is held for the person.
_IDLE = (
    " FROM runs r JOIN occurrences o ON o.id = r.occurrence_id"
    " JOIN attempts a ON a.run_id = r.id"
    " AND a.attempt_number = (SELECT max(l.attempt_number) FROM attempts l WHERE l.run_id = r.id)"
    " WHERE r.status = 'running' AND ((a.state = 'adopted' AND o.state IN ('planned', 'claimed'))"
    " OR (a.state = 'failed' AND o.state IN ('claimed', 'running')))"
)


def idle_past_deadline(reader: Reader, now_text: str) -> list[str]:
    """Running runs whose deadline has come (equal counts) while a retry waited or they were held; also without one."""
    rows = reader.query(
        f"SELECT r.id{_IDLE} AND coalesce(r.timeout_at, '') <= ? ORDER BY r.timeout_at, r.id", (now_text,)
    )
    return [row[0] for row in rows]


def next_idle_deadline(reader: Reader) -> str | None:
    """The next deadline that `idle_past_deadline` will show."""
    row = reader.one(f"SELECT min(r.timeout_at){_IDLE}")
    return row[0] if row else None


def next_not_before(reader: Reader, after_text: str) -> str | None:
    """When the next waiting attempt may be dispatched, after an instant."""
    row = reader.one("SELECT min(not_before) FROM attempts WHERE state = 'adopted' AND not_before > ?", (after_text,))
    return row[0] if row else None


def held(reader: Reader, run_id: str) -> bool:
    """Whether a run is held: still running, its latest attempt failed (contract/engine.md §7)."""
    row = reader.one(
        "SELECT a.state FROM attempts a JOIN runs r ON r.id = a.run_id WHERE r.id = ? AND r.status = 'running'"
        " ORDER BY a.attempt_number DESC LIMIT 1",
        (run_id,),
    )
    return row is not None and row[0] == "failed"


def past_deadline(reader: Reader, now_text: str) -> list[str]:
    """Running runs whose deadline has come (equal counts) and whose session may still live, also while it is stopped.

    An occurrence that already waits for recovery is not timed out again (contract/engine.md §8.4).
    """
    rows = reader.query(f"SELECT r.id{_WITH_DEADLINE} AND r.timeout_at <= ? ORDER BY r.timeout_at, r.id", (now_text,))
    return [row[0] for row in rows]


def next_deadline(reader: Reader) -> str | None:
    """The next deadline at which a run has to be stopped: of those that nobody is stopping."""
    row = reader.one(
        f"SELECT min(r.timeout_at){_WITH_DEADLINE} AND NOT EXISTS (SELECT 1 FROM stop_fences f WHERE f.run_id = r.id)"
    )
    return row[0] if row else None


def dispatch(tx: Transaction, attempt_id: str) -> None:
    """Move an adopted attempt to dispatching: exactly one dispatch is in flight for it."""
    generation = tx.number("SELECT dispatch_generation FROM attempts WHERE id = ?", (attempt_id,))
    transitions.must_move(
        tx, "attempt", attempt_id, ("adopted",), "dispatching", changes={"dispatch_generation": generation + 1}
    )
