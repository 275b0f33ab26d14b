"""What schema 3 adds: checkpoints that hold what they have not read, receipts, and runs that name their own."""

from __future__ import annotations

from typing import Any

import apsw
import pytest

from coven_desktop.store import migration
from tests.store import rows
from tests.store.test_schema import PERMIT, done, refused, settled


@pytest.mark.parametrize(
    ("checkpoint", "held"),
    [
        ({}, True),
        ({"cursor": 0}, True),
        # the last event of occ-1 and its run is the second of the feed
        ({"cursor": 1}, False),
        ({"lapsed": 1}, False),
        ({"stream_kind": "occurrence", "stream_id": "occ-1", "cursor": 0}, True),
        ({"stream_kind": "occurrence", "stream_id": "occ-1", "cursor": 1}, False),
        ({"stream_kind": "run", "stream_id": "run-1", "cursor": 1}, True),
        ({"stream_kind": "run", "stream_id": "run-1", "cursor": 2}, False),
        ({"stream_kind": "run", "stream_id": "run-1", "cursor": 1, "lapsed": 1}, False),
        ({"stream_kind": "occurrence", "stream_id": "occ-2"}, False),
        ({"stream_kind": "automation", "stream_id": "morning"}, False),
    ],
)
def test_what_a_live_checkpoint_has_not_read_is_needed(
    connection: apsw.Connection, checkpoint: dict[str, Any], held: bool
) -> None:
    settled(connection)
    rows.checkpoint(connection, **checkpoint)
    with connection:
        if held:
            refused(connection, PERMIT, "still needed")
        else:
            assert done(connection, PERMIT) == 1
            done(connection, "DELETE FROM retention_permit")


def test_a_checkpoint_only_lapses(connection: apsw.Connection) -> None:
    rows.checkpoint(connection)
    for change in ("checkpoint = 'x'", "stream_kind = 'run'", "stream_id = 'x'", "cursor = 5", "expires_at = 'x'"):
        refused(connection, f"UPDATE event_checkpoints SET {change}", "never moves")
    assert done(connection, "UPDATE event_checkpoints SET lapsed = 1") == 1
    refused(connection, "UPDATE event_checkpoints SET lapsed = 0", "never moves")
    assert done(connection, "DELETE FROM event_checkpoints") == 1


@pytest.mark.parametrize("column", ["run_id", "attempt_id", "id"])
def test_a_run_and_an_attempt_have_one_receipt(connection: apsw.Connection, column: str) -> None:
    rows.definition(connection)
    rows.receipt(connection)
    other = {"receipt_id": "receipt-2", "run_id": "run-2", "attempt_id": "attempt-run-2-1"}
    other.pop("receipt_id" if column == "id" else column)
    with pytest.raises(apsw.ConstraintError, match="UNIQUE"):
        rows.receipt(connection, **other)


def test_no_run_begins_with_a_receipt(connection: apsw.Connection) -> None:
    rows.definition(connection)
    rows.occurrence(connection, state="running", fence=1)
    rows.receipt(connection)
    with pytest.raises(apsw.ConstraintError, match="when it is settled"):
        rows.run(connection, receipt_id="receipt-run-1")


def test_a_receipt_stays_when_its_run_is_pruned(connection: apsw.Connection) -> None:
    settled(connection)
    rows.receipt(connection)
    assert done(connection, "UPDATE runs SET receipt_id = 'receipt-run-1'") == 1
    with connection:
        done(connection, PERMIT)
        refused(connection, "DELETE FROM receipts", "append-only")
        for table in ("attempts", "sessions", "runs", "occurrences WHERE id = 'occ-1'", "retention_permit"):
            assert done(connection, f"DELETE FROM {table}") == 1
    assert connection.execute("SELECT run_id FROM receipts").fetchall() == [("run-1",)]


@pytest.mark.parametrize("version", [1, 2])
def test_what_an_earlier_version_settled_keeps_its_rows_and_has_no_receipt(version: int) -> None:
    connection = apsw.Connection(":memory:")
    migration.migrate(connection, migration.scripts()[:version])
    settled(connection)
    before = connection.execute("SELECT * FROM runs").fetchall()
    migration.migrate(connection, migration.scripts())
    assert connection.execute("SELECT * FROM runs").fetchall() == before
    assert connection.execute("SELECT receipt_id FROM runs").fetchall() == [(None,)]
    assert connection.execute("SELECT id FROM prunable").fetchall() == [("occ-1",)]
    connection.close()
