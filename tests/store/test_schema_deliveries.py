"""What schema 9 adds: what runs have to deliver, apart from what their commands came to."""

from __future__ import annotations

import apsw
import pytest

from coven_desktop.store import deliveries
from coven_desktop.store.errors import StoreBug
from coven_desktop.store.transactions import Transaction
from tests.store import rows
from tests.store.test_schema import done, refused


@pytest.fixture
def tx(connection: apsw.Connection) -> Transaction:
    """A transaction on a store with a run whose command goes on."""
    rows.whole_run(connection)
    return Transaction(connection, 0)


def ends(connection: apsw.Connection, status: str) -> int:
    return done(connection, f"UPDATE runs SET status = '{status}' WHERE id = 'run-1'")


def test_what_is_delivered_is_kept_apart_from_the_outcome(connection: apsw.Connection, tx: Transaction) -> None:
    assert deliveries.outcome(tx, "run-1") == (None, "none", None)
    deliveries.add(tx, "run-1", "file", "/tmp/out", "replace")
    assert deliveries.outcome(tx, "run-1") == ("ok", "pending", None)
    assert [row.run_id for row in deliveries.pending(tx)] == ["run-1"]
    assert deliveries.end(tx, "run-1", "the disk is full")
    assert not deliveries.end(tx, "run-1", None)
    ends(connection, "failed")
    assert deliveries.outcome(tx, "run-1") == ("ok", "failed", "the disk is full")
    assert deliveries.pending(tx) == []


@pytest.mark.parametrize(("status", "outcome"), [("succeeded", "ok"), ("failed", "failed"), ("cancelled", None)])
def test_without_a_delivery_the_run_says_it(
    connection: apsw.Connection, tx: Transaction, status: str, outcome: str | None
) -> None:
    ends(connection, status)
    assert deliveries.outcome(tx, "run-1") == (outcome, "none", None)


def test_of_a_run_that_is_not_there_nothing_is_told(tx: Transaction) -> None:
    with pytest.raises(StoreBug):
        deliveries.outcome(tx, "run-2")


@pytest.mark.parametrize(
    ("ended", "lawful"),
    [(None, []), ("delivered", ["succeeded"]), ("failed", ["failed"])],
)
def test_a_run_ends_as_its_delivery_did(
    connection: apsw.Connection, tx: Transaction, ended: str | None, lawful: list[str]
) -> None:
    deliveries.add(tx, "run-1", "notification", None, None)
    if ended is not None:
        deliveries.end(tx, "run-1", "no" if ended == "failed" else None)
    for status in ("succeeded", "failed", "cancelled", "timed_out", "ambiguous"):
        if status not in lawful:
            refused(connection, f"UPDATE runs SET status = '{status}' WHERE id = 'run-1'", "as its delivery did")
    assert all(ends(connection, status) for status in lawful)


def test_it_is_begun_once(connection: apsw.Connection, tx: Transaction) -> None:
    rows.delivery(connection)
    deliveries.begin(tx, "run-1")
    with pytest.raises(StoreBug):
        deliveries.begin(tx, "run-1")
    refused(connection, "UPDATE deliveries SET begun_at = NULL", "that it was begun")
    refused(connection, "UPDATE deliveries SET path = '/tmp/elsewhere'", "what is to be delivered")


def test_what_has_ended_stays(connection: apsw.Connection, tx: Transaction) -> None:
    rows.delivery(connection)
    deliveries.end(tx, "run-1", None)
    refused(connection, "UPDATE deliveries SET status = 'pending', ended_at = NULL", "is immutable")
    refused(connection, "UPDATE deliveries SET status = 'failed', error = 'x'", "is immutable")


def test_only_a_running_run_has_something_to_deliver(connection: apsw.Connection, tx: Transaction) -> None:
    row = "('run-1', 'file', '/tmp/x', 'append', {}, {}, {}, {})"
    for values in (("'delivered'", "NULL", "'x'", "NULL"), ("'pending'", "'x'", "NULL", "NULL")):
        refused(connection, f"INSERT INTO deliveries VALUES {row.format(*values)}", "begins pending")
    ends(connection, "succeeded")
    refused(
        connection,
        f"INSERT INTO deliveries VALUES {row.format(chr(39) + 'pending' + chr(39), 'NULL', 'NULL', 'NULL')}",
        "begins pending",
    )


@pytest.mark.parametrize(
    "columns",
    [
        {"kind": "mail"},
        {"mode": None},
        {"path": None},
        {"kind": "notification"},
        {"mode": "prepend"},
    ],
)
def test_a_file_has_a_path_and_a_mode(connection: apsw.Connection, tx: Transaction, columns: dict[str, str]) -> None:
    with pytest.raises(apsw.ConstraintError):
        rows.delivery(connection, **columns)


def test_it_goes_with_its_run_when_that_is_pruned(connection: apsw.Connection, tx: Transaction) -> None:
    rows.delivery(connection)
    deliveries.end(tx, "run-1", None)
    done(connection, "UPDATE attempts SET state = 'succeeded', settled_at = 'x'")
    ends(connection, "succeeded")
    done(connection, "UPDATE occurrences SET state = 'succeeded'")
    done(connection, "UPDATE sessions SET status = 'completed'")
    rows.occurrence(connection, "occ-newest", scheduled_for="2026-08-30T11:00:00.000Z")
    with connection:
        done(connection, "INSERT INTO retention_permit (occurrence_id) VALUES ('occ-1')")
        done(connection, "DELETE FROM runs")
        done(connection, "DELETE FROM retention_permit")
    assert deliveries.get(tx, "run-1") is None
