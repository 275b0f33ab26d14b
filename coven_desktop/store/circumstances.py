"""What a person is shown before deciding about a run, beside the run itself: notes and earlier failures. Only reads."""

from __future__ import annotations

from typing import NamedTuple

from coven_desktop.store.transactions import Reader


class FailedRun(NamedTuple):
    """A run whose newest attempt failed. Instants are the store's RFC 3339 text."""

    occurrence_id: str
    scheduled_for: str
    attempt_number: int
    failure_class: str | None
    state_reason: str | None
    settled_at: str | None
    session_id: str | None


def note_of_start(reader: Reader, occurrence_id: str) -> str | None:
    """The note that came with the command which started an occurrence by hand; it is kept in what that was answered."""
    row = reader.one(
        "SELECT json_extract(a.response, '$.note') FROM events e"
        " JOIN adoptions a ON a.adoption_key = json_extract(e.body, '$.causation.adoptionKey')"
        " WHERE e.stream_kind = 'occurrence' AND e.stream_id = ? AND e.sequence = 0",
        (occurrence_id,),
    )
    return None if row is None else row[0]


def failed_runs(reader: Reader, automation_id: str, limit: int) -> list[FailedRun]:
    """The newest runs of a routine whose newest attempt failed, newest first."""
    rows = reader.query(
        "SELECT r.occurrence_id, o.scheduled_for, a.attempt_number, a.failure_class, a.state_reason, a.settled_at,"
        " a.session_id FROM runs r JOIN occurrences o ON o.id = r.occurrence_id"
        " JOIN attempts a ON a.run_id = r.id"
        " AND a.attempt_number = (SELECT max(attempt_number) FROM attempts WHERE run_id = r.id)"
        " WHERE r.automation_id = ? AND a.state = 'failed' ORDER BY r.started_at DESC, r.number DESC LIMIT ?",
        (automation_id, limit),
    )
    return [FailedRun(*row) for row in rows]
