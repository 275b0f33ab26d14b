"""Lawful rows of every table, by raw SQL: what the schema's own refusals are tested against."""

from __future__ import annotations

from typing import Any
from zlib import crc32

import apsw

NOW = "2026-08-30T09:00:00.000Z"
LATER = "2026-08-30T10:00:00.000Z"
DIGEST = "ab" * 32

TERMINAL_OCCURRENCE = ("succeeded", "failed", "cancelled", "skipped", "superseded")
TERMINAL_RUN = ("succeeded", "failed", "cancelled", "timed_out", "ambiguous")
TERMINAL_ATTEMPT = ("succeeded", "failed", "cancelled", "timed_out", "ambiguous")


def insert(connection: apsw.Connection, table: str, row: dict[str, Any]) -> None:
    """Insert one row given by column."""
    names, marks = ", ".join(row), ", ".join("?" for _ in row)
    connection.execute(f"INSERT INTO {table} ({names}) VALUES ({marks})", tuple(row.values())).fetchall()


def definition(connection: apsw.Connection, automation_id: str = "morning", **columns: Any) -> None:
    """A live, active routine."""
    row = {
        "id": automation_id,
        "name": automation_id,
        "body": "{}",
        "revision": 1,
        "digest": DIGEST,
        "lifecycle": "active",
        "created_at": NOW,
        "revised_at": NOW,
    }
    insert(connection, "definitions", row | columns)


def occurrence(connection: apsw.Connection, occurrence_id: str = "occ-1", **columns: Any) -> None:
    """A planned slot of `morning`."""
    row = {
        "id": occurrence_id,
        "automation_id": "morning",
        "automation_revision": 1,
        "definition_digest": DIGEST,
        "scheduled_for": f"2026-08-30T09:00:00.{crc32(occurrence_id.encode()) % 1000:03}Z",
        "kind": "scheduled",
        "state": "planned",
        "created_at": NOW,
        "updated_at": NOW,
    }
    insert(connection, "occurrences", row | columns)


def run(connection: apsw.Connection, run_id: str = "run-1", **columns: Any) -> None:
    """A running run of the first claim of `occ-1`."""
    row = {
        "id": run_id,
        "automation_id": "morning",
        "automation_revision": 1,
        "definition_digest": DIGEST,
        "definition_snapshot": "{}",
        "occurrence_id": "occ-1",
        "occurrence_fence": 1,
        "runtime": "shell",
        "status": "running",
        "started_at": NOW,
        "timeout_at": LATER,
    }
    insert(connection, "runs", row | columns)


def attempt(connection: apsw.Connection, attempt_id: str = "attempt-run-1-1", **columns: Any) -> None:
    """The first attempt of `run-1`."""
    row = {
        "id": attempt_id,
        "run_id": "run-1",
        "occurrence_id": "occ-1",
        "attempt_number": 1,
        "adoption_key": "automation:run-1:1",
        "occurrence_fence": 1,
        "state": "dispatching",
        "retry_classification": "initial",
        "not_before": NOW,
        "opened_at": NOW,
    }
    insert(connection, "attempts", row | columns)


def session(connection: apsw.Connection, session_id: str = "session-1", **columns: Any) -> None:
    """A running session of the first attempt."""
    row = {
        "id": session_id,
        "run_id": "run-1",
        "attempt_id": "attempt-run-1-1",
        "title": "Morning",
        "project_root": "/tmp",
        "harness": "shell",
        "status": "running",
        "created_at": NOW,
        "updated_at": NOW,
    }
    insert(connection, "sessions", row | columns)


def event(connection: apsw.Connection, position: int = 1, **columns: Any) -> None:
    """An event of the stream of `occ-1`."""
    row = {
        "position": position,
        "event_id": f"evt-{position}",
        "stream_kind": "occurrence",
        "stream_id": "occ-1",
        "sequence": position,
        "kind": "occurrence.transitioned",
        "automation_id": "morning",
        "recorded_at": NOW,
        "body": "{}",
    }
    insert(connection, "events", row | columns)


def adoption(connection: apsw.Connection, key: str = "key-1", **columns: Any) -> None:
    """A command that was carried out."""
    row = {
        "adoption_key": key,
        "command": "create",
        "fingerprint": DIGEST,
        "automation_id": "morning",
        "outcome": "committed",
        "revision": 1,
        "response": "{}",
        "adopted_at": NOW,
    }
    insert(connection, "adoptions", row | columns)


def cancellation(connection: apsw.Connection, key: str = "cancel-1", **columns: Any) -> None:
    """A cancellation of `run-1` under way."""
    row = {
        "adoption_key": key,
        "fingerprint": DIGEST,
        "run_id": "run-1",
        "attempt_id": "attempt-run-1-1",
        "session_id": "session-1",
        "scope": "run",
        "reason": "asked",
        "requested_by": "local",
        "state": "requested",
        "requested_at": NOW,
        "lease_expires_at": LATER,
    }
    insert(connection, "cancellations", row | columns)


def receipt(connection: apsw.Connection, receipt_id: str = "receipt-run-1", **columns: Any) -> None:
    """The receipt of `run-1`."""
    row = {
        "id": receipt_id,
        "run_id": "run-1",
        "attempt_id": "attempt-run-1-1",
        "automation_id": "morning",
        "body": "{}",
        "produced_at": LATER,
    }
    insert(connection, "receipts", row | columns)


def checkpoint(connection: apsw.Connection, name: str = "ecp1", **columns: Any) -> None:
    """A live checkpoint before the first event of the feed."""
    row = {"checkpoint": name, "stream_kind": "feed", "stream_id": "all", "cursor": -1, "expires_at": LATER}
    insert(connection, "event_checkpoints", row | columns)


def rich_definition(connection: apsw.Connection, automation_id: str = "morning", **columns: Any) -> None:
    """What the author of a routine wrote."""
    row = {"automation_id": automation_id, "body": f'{{"automationId":"{automation_id}"}}'}
    insert(connection, "rich_definitions", row | columns)


def whole_run(connection: apsw.Connection) -> None:
    """A routine with one occurrence that is running: definition, occurrence, run, attempt, session, bound."""
    definition(connection)
    occurrence(connection, state="running", fence=1)
    run(connection, session_id="session-1")
    attempt(connection)
    session(connection)
    connection.execute("UPDATE attempts SET session_id = 'session-1', state = 'started'").fetchall()
    connection.execute(
        "INSERT INTO definition_revisions VALUES ('morning', 1, ?, '{}', 'active', ?)", (DIGEST, NOW)
    ).fetchall()


def settings(connection: apsw.Connection) -> None:
    """What stands beside `morning`."""
    row = {"automation_id": "morning", "environment": '{"A":"1"}', "secrets": '["TOKEN"]', "updated_at": NOW}
    insert(connection, "routine_settings", row)


def settings_change(connection: apsw.Connection) -> None:
    """How that came about, after the event of `event`."""
    told = '{"environmentSet":["A"],"environmentRemoved":[],"secretsAdded":["TOKEN"],"secretsRemoved":[]}'
    row = {"automation_id": "morning", "revision": 1, "changes": told, "feed_position": 1, "recorded_at": NOW}
    insert(connection, "routine_settings_changes", row)


def secret_name(connection: apsw.Connection) -> None:
    """A secret that the keyring was given."""
    insert(connection, "secret_names", {"name": "TOKEN", "set_at": NOW})


def journal(connection: apsw.Connection) -> None:
    """A line of the journal: the app did not run."""
    insert(connection, "journal", {"position": 0, "recorded_at": NOW, "kind": "app.away", "body": "{}"})


def schedule_state(connection: apsw.Connection) -> None:
    """What counts for a routine of family cadence or cron."""
    insert(connection, "schedule_state", {"automation_id": "morning", "counts_from": NOW, "runs_counted": 2})


def missed_span(connection: apsw.Connection) -> None:
    """A skipped occurrence that stands for fifty slots."""
    occurrence(connection, "occ-missed", state="skipped", reason_class="missed")
    span = {"occurrence_id": "occ-missed", "slots": 50, "first_slot": NOW, "last_slot": LATER}
    insert(connection, "missed_spans", span)


def delivery(connection: apsw.Connection, run_id: str = "run-1", **columns: Any) -> None:
    """What `run-1` has to deliver: a file that is not begun."""
    row = {"run_id": run_id, "kind": "file", "path": "/tmp/out", "mode": "append", "status": "pending"}
    insert(connection, "deliveries", row | columns)
