"""What schema 8 adds: what counts for cadence and cron routines, and records that stand for several slots."""

from __future__ import annotations

import apsw
import pytest

from coven_desktop.store import schedule_state
from coven_desktop.store.transactions import Reader, Transaction
from tests.store import rows
from tests.store.test_schema import refused


@pytest.fixture
def tx(connection: apsw.Connection) -> Transaction:
    """A transaction on a store with two routines."""
    rows.definition(connection, family="cron")
    rows.definition(connection, "evening", family="cadence")
    return Transaction(connection, 0)


def test_a_routine_that_is_made_anew_counts_from_nothing(tx: Transaction) -> None:
    assert schedule_state.get(tx, "morning") is None
    schedule_state.begin(tx, "morning", rows.NOW)
    schedule_state.count_run(tx, "morning")
    schedule_state.count_run(tx, "morning")
    schedule_state.count_run(tx, "morning", -1)
    schedule_state.count_failure(tx, "morning")
    schedule_state.count_from(tx, "morning", rows.LATER)
    assert schedule_state.get(tx, "morning") == (rows.LATER, 1, 1)
    schedule_state.begin(tx, "morning", rows.NOW)
    assert schedule_state.get(tx, "morning") == (rows.NOW, 0, 0)


def test_failing_are_active_cron_routines_at_the_limit(tx: Transaction) -> None:
    for automation_id in ("morning", "evening"):
        schedule_state.begin(tx, automation_id, rows.NOW)
        schedule_state.count_failure(tx, automation_id)
        schedule_state.count_failure(tx, automation_id)
    assert schedule_state.failing(tx, 3) == []
    assert schedule_state.failing(tx, 2) == ["morning"]
    schedule_state.forget_failures(tx, "morning")
    assert schedule_state.failing(tx, 1) == []
    assert schedule_state.get(tx, "evening") == (rows.NOW, 0, 2)


def test_runs_are_never_counted_below_nothing(connection: apsw.Connection) -> None:
    rows.definition(connection)
    rows.schedule_state(connection)
    refused(connection, "UPDATE schedule_state SET runs_counted = -1", "CHECK")


def test_a_record_of_several_slots_stays_and_goes_with_its_occurrence(connection: apsw.Connection) -> None:
    rows.definition(connection)
    rows.missed_span(connection)
    refused(connection, "UPDATE missed_spans SET slots = 49", "stays as it was recorded")
    rows.occurrence(connection, "occ-newest", scheduled_for=rows.LATER)
    with connection:
        connection.execute("INSERT INTO retention_permit (occurrence_id) VALUES ('occ-missed')").fetchall()
        connection.execute("DELETE FROM occurrences WHERE id = 'occ-missed'").fetchall()
        connection.execute("DELETE FROM retention_permit").fetchall()
    assert Reader(connection).query("SELECT * FROM missed_spans") == []
