"""The database says no by itself: every trigger and constraint, asked by raw SQL (decisions.md 6)."""

from __future__ import annotations

import apsw
import pytest

from tests.store import rows

LEDGERS = ("events", "adoptions", "definition_revisions", "receipts", "journal")


def refused(connection: apsw.Connection, sql: str, words: str) -> None:
    """The statement is refused for the reason given, and nothing has changed."""
    before = connection.total_changes()
    with pytest.raises(apsw.ConstraintError, match=words):
        connection.execute(sql).fetchall()
    assert connection.total_changes() == before


def done(connection: apsw.Connection, sql: str) -> int:
    """The statement is carried out; returns how many rows it changed."""
    connection.execute(sql).fetchall()
    return connection.changes()


# Terminal rows.


@pytest.mark.parametrize("state", rows.TERMINAL_OCCURRENCE)
def test_a_terminal_occurrence_never_changes(connection: apsw.Connection, state: str) -> None:
    rows.definition(connection)
    rows.occurrence(connection, state=state)
    for change in (
        "state = 'planned'",
        f"state = '{state}'",
        "failure_reason = 'other'",
        "updated_at = 'x'",
        "fence = fence + 1",
    ):
        refused(connection, f"UPDATE occurrences SET {change}", "terminal occurrence is immutable")


@pytest.mark.parametrize("state", [*rows.TERMINAL_OCCURRENCE, "planned", "claimed", "running", "recovery_required"])
def test_no_occurrence_is_deleted(connection: apsw.Connection, state: str) -> None:
    rows.definition(connection)
    rows.occurrence(connection, state=state)
    refused(connection, "DELETE FROM occurrences", "occurrences are kept")


@pytest.mark.parametrize("status", rows.TERMINAL_RUN)
def test_a_terminal_run_never_changes(connection: apsw.Connection, status: str) -> None:
    rows.definition(connection)
    rows.occurrence(connection, state="running", fence=1)
    rows.run(connection, status=status, finished_at=rows.LATER)
    for change in (
        "status = 'running'",
        "exit_code = 7",
        "finished_at = NULL",
        "log_json = '{}'",
        "output_commit = 'x'",
        "session_id = 'session-9'",
        "familiar_id = 'owl'",
        "runtime = 'other'",
        "environment_names = '[\"A\"]'",
        "occurrence_id = NULL",
        "receipt_id = NULL",
    ):
        refused(connection, f"UPDATE runs SET {change}", "terminal run is immutable")
    refused(connection, "DELETE FROM runs", "terminal run cannot be deleted")


@pytest.mark.parametrize("status", rows.TERMINAL_RUN)
def test_the_receipt_of_a_settled_run_is_set_once_and_alone(connection: apsw.Connection, status: str) -> None:
    rows.definition(connection)
    rows.occurrence(connection, state="running", fence=1)
    rows.run(connection, status=status, finished_at=rows.LATER)
    rows.receipt(connection, "r-1")
    rows.receipt(connection, "r-2", run_id="run-2", attempt_id="attempt-run-2-1")
    refused(connection, "UPDATE runs SET receipt_id = 'r-1', exit_code = 3", "terminal run is immutable")
    for foreign in ("r-0", "r-2"):
        refused(connection, f"UPDATE runs SET receipt_id = '{foreign}'", "its own receipt")
    assert done(connection, "UPDATE runs SET receipt_id = 'r-1'") == 1
    for other_value in ("'r-2'", "NULL"):
        refused(connection, f"UPDATE runs SET receipt_id = {other_value}", "its own receipt|terminal run is immutable")


@pytest.mark.parametrize("state", rows.TERMINAL_ATTEMPT)
def test_a_terminal_attempt_never_changes(connection: apsw.Connection, state: str) -> None:
    rows.whole_run(connection)
    done(connection, f"UPDATE attempts SET state = '{state}', settled_at = '{rows.LATER}'")
    for change in ("state = 'observing'", "failure_class = 'timeout'", "settled_at = NULL"):
        refused(connection, f"UPDATE attempts SET {change}", "terminal attempt is immutable")
    refused(connection, "DELETE FROM attempts", "terminal attempt cannot be deleted")


@pytest.mark.parametrize("table", ["occurrences", "runs", "attempts", "events", "adoptions"])
def test_replacing_a_row_is_deleting_it(connection: apsw.Connection, table: str) -> None:
    rows.whole_run(connection)
    rows.event(connection)
    rows.adoption(connection)
    done(connection, "UPDATE attempts SET state = 'succeeded'")
    done(connection, "UPDATE runs SET status = 'succeeded'")
    done(connection, "UPDATE occurrences SET state = 'succeeded'")
    refused(connection, f"INSERT OR REPLACE INTO {table} SELECT * FROM {table}", "immutable|kept|deleted|append-only")


@pytest.mark.parametrize("state", ["adopted", "dispatching"])
def test_an_acceptance_is_taken_back_while_nothing_was_started(connection: apsw.Connection, state: str) -> None:
    rows.definition(connection)
    rows.occurrence(connection, state="claimed", fence=1)
    rows.run(connection, session_id="session-1")
    rows.session(connection, status="created")
    rows.attempt(connection, state=state)
    for table in ("attempts", "sessions", "runs"):
        assert done(connection, f"DELETE FROM {table}") == 1


@pytest.mark.parametrize("state", ["started", "observing", *rows.TERMINAL_ATTEMPT])
def test_what_was_started_is_never_deleted(connection: apsw.Connection, state: str) -> None:
    rows.whole_run(connection)
    done(connection, f"UPDATE attempts SET state = '{state}'")
    refused(connection, "DELETE FROM attempts", "attempt.*cannot be deleted")
    refused(connection, "DELETE FROM runs", "run with an attempt that was started")
    refused(connection, "INSERT OR REPLACE INTO attempts SELECT * FROM attempts", "immutable|deleted")


def test_an_attempt_with_a_session_is_not_taken_back(connection: apsw.Connection) -> None:
    rows.definition(connection)
    rows.occurrence(connection, state="claimed", fence=1)
    rows.run(connection)
    rows.session(connection)
    rows.attempt(connection, session_id="session-1")
    refused(connection, "DELETE FROM attempts", "attempt that was started")
    refused(connection, "DELETE FROM runs", "attempt that was started")


def test_evidence_is_written_once(connection: apsw.Connection) -> None:
    rows.whole_run(connection)
    assert done(connection, "UPDATE sessions SET evidence = '{}'") == 1
    assert done(connection, "UPDATE sessions SET status = 'killed', evidence = '{}'") == 1
    for other_value in ("'[]'", "NULL"):
        refused(connection, f"UPDATE sessions SET evidence = {other_value}", "evidence of a session is written once")
    done(connection, "UPDATE attempts SET state = 'succeeded'")
    refused(connection, "DELETE FROM sessions", "session with evidence cannot be deleted")


# Retention: the one way to delete history.


def settled(connection: apsw.Connection) -> None:
    """`occ-1` of `morning` is over, a newer slot is there, and so is a newer event than its own."""
    rows.whole_run(connection)
    rows.occurrence(connection, "occ-2", scheduled_for=rows.LATER, state="skipped")
    rows.event(connection, 1)
    rows.event(connection, 2, stream_kind="run", stream_id="run-1")
    rows.event(connection, 3, stream_id="occ-2")
    done(connection, "UPDATE sessions SET status = 'completed', evidence = '{}'")
    done(connection, "UPDATE attempts SET state = 'succeeded'")
    done(connection, "UPDATE runs SET status = 'succeeded'")
    done(connection, "UPDATE occurrences SET state = 'succeeded' WHERE id = 'occ-1'")


PERMIT = "INSERT INTO retention_permit (occurrence_id) VALUES ('occ-1')"


def test_a_permit_lets_one_occurrence_go_and_nothing_else(connection: apsw.Connection) -> None:
    settled(connection)
    with connection:
        done(connection, PERMIT)
        for table, words in (
            ("occurrences WHERE id = 'occ-2'", "kept"),
            ("events WHERE position = 3", "append-only"),
            ("definition_revisions", "append-only"),
            ("definitions", "never deleted"),
        ):
            refused(connection, f"DELETE FROM {table}", words)
        refused(connection, "UPDATE events SET kind = 'x' WHERE position = 1", "append-only")
        refused(connection, "UPDATE runs SET status = 'failed'", "immutable")
        assert done(connection, "DELETE FROM events WHERE position < 3") == 2
        for table in ("attempts", "sessions", "runs", "occurrences WHERE id = 'occ-1'", "retention_permit"):
            assert done(connection, f"DELETE FROM {table}") == 1
    assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
    assert connection.execute("SELECT id FROM occurrences").fetchall() == [("occ-2",)]


def test_a_permit_never_outlives_its_transaction(connection: apsw.Connection) -> None:
    settled(connection)
    refused(connection, PERMIT, "FOREIGN KEY")
    connection.execute("BEGIN").fetchall()
    done(connection, PERMIT)
    done(connection, "DELETE FROM attempts")
    for change in ("occurrence_id = 'occ-2'", "taken_back = 'occ-1'"):
        refused(connection, f"UPDATE retention_permit SET {change}", "for one occurrence|CHECK")
    refused(connection, "COMMIT", "FOREIGN KEY")
    connection.execute("ROLLBACK").fetchall()
    assert connection.execute("SELECT count(*) FROM attempts").fetchall() == [(1,)]


@pytest.mark.parametrize(
    "need",
    [
        "DELETE FROM occurrences WHERE 0",  # an occurrence that is not there
        "UPDATE occurrences SET state = 'planned'",
        "INSERT INTO retry_state VALUES ('morning', 1, 'x', 'timeout', 'x', 'x')",
        "INSERT INTO stop_fences VALUES ('run-1', 'timeout', 'attempt-run-1-1', 'session-1', 'x', 'y')",
        "UPDATE sessions SET status = 'running'",
        "UPDATE runs SET status = 'running'",
        "UPDATE attempts SET state = 'adopted'",
        "INSERT INTO cancellations SELECT 1, 'key-12345', 'f', 'run-1', 'a', 's', 'run', 'r', 'me', 'stopping',"
        " 'x', 'y', NULL, NULL",
        "DELETE FROM events WHERE position = 3",
        "DELETE FROM occurrences WHERE id = 'occ-2'",
    ],
)
def test_no_permit_is_granted_for_what_is_needed(connection: apsw.Connection, need: str) -> None:
    settled(connection)
    with connection:
        # what makes the rows needed again may be unlawful by itself: here only the permit is asked
        for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall():
            if not str(name).startswith("retention"):
                done(connection, f"DROP TRIGGER {name}")
        done(connection, need)
        missing = "occ-3" if "WHERE 0" in need else "occ-1"
        refused(connection, PERMIT.replace("occ-1", missing), "still needed")


# Pins.

OCCURRENCE_PINS = ("id", "automation_revision", "definition_digest", "scheduled_for", "kind", "created_at")
RUN_PINS = (
    "id",
    "automation_revision",
    "definition_digest",
    "definition_snapshot",
    "authority_profile",
    "occurrence_fence",
    "started_at",
    "timeout_at",
)
ATTEMPT_PINS = (
    "id",
    "attempt_number",
    "adoption_key",
    "prior_attempt_number",
    "prior_disposition",
    "retry_classification",
    "opened_at",
)
OTHER_VALUES = {
    "automation_revision": "2",
    "definition_snapshot": "'{\"a\":1}'",
    "occurrence_fence": "2",
    "attempt_number": "2",
    "prior_attempt_number": "1",
    "prior_disposition": "'failed'",
    "retry_classification": "'automatic_retry'",
    "kind": "'manual'",
}


def other(column: str) -> str:
    """A lawful value that the column does not have in the sample rows."""
    return OTHER_VALUES.get(column, "'other'")


@pytest.mark.parametrize("column", OCCURRENCE_PINS)
def test_what_an_occurrence_was_planned_from_is_pinned(connection: apsw.Connection, column: str) -> None:
    rows.whole_run(connection)
    refused(connection, f"UPDATE occurrences SET {column} = {other(column)}", "pinned revision")


@pytest.mark.parametrize("column", RUN_PINS)
def test_what_a_run_was_started_from_is_pinned(connection: apsw.Connection, column: str) -> None:
    rows.whole_run(connection)
    refused(connection, f"UPDATE runs SET {column} = {other(column)}", "deadline of a run")


@pytest.mark.parametrize("column", ATTEMPT_PINS)
def test_the_identity_of_an_attempt_is_pinned(connection: apsw.Connection, column: str) -> None:
    rows.whole_run(connection)
    change = f"UPDATE attempts SET {column} = {other(column)}"
    refused(connection, change, "identity of an attempt")


@pytest.mark.parametrize(
    ("table", "words"),
    [("occurrences", "pinned revision"), ("runs", "pinned revision")],
)
def test_nothing_moves_to_another_routine(connection: apsw.Connection, table: str, words: str) -> None:
    rows.whole_run(connection)
    rows.definition(connection, "evening")
    refused(connection, f"UPDATE {table} SET automation_id = 'evening'", words)


def test_a_run_moves_to_no_other_occurrence(connection: apsw.Connection) -> None:
    rows.whole_run(connection)
    rows.occurrence(connection, "occ-2", fence=1)
    refused(connection, "UPDATE runs SET occurrence_id = 'occ-2'", "deadline of a run")


def test_an_attempt_moves_to_no_other_run_or_occurrence(connection: apsw.Connection) -> None:
    rows.whole_run(connection)
    rows.definition(connection, "evening")
    rows.occurrence(connection, "occ-2", automation_id="evening", fence=1)
    rows.run(connection, "run-2", automation_id="evening", occurrence_id="occ-2")
    refused(connection, "UPDATE attempts SET run_id = 'run-2'", "identity of an attempt")
    refused(connection, "UPDATE attempts SET occurrence_id = 'occ-2'", "identity of an attempt")


def test_what_may_change_does(connection: apsw.Connection) -> None:
    rows.whole_run(connection)
    assert done(connection, "UPDATE attempts SET state = 'observing', not_before = 'x', dispatch_generation = 3") == 1
    assert done(connection, "UPDATE runs SET exit_code = 0, status = 'succeeded', finished_at = 'x'") == 1
    assert done(connection, "UPDATE occurrences SET state = 'succeeded', updated_at = 'x'") == 1


# Fences, and who owns what.


def test_the_fence_of_an_occurrence_never_goes_down(connection: apsw.Connection) -> None:
    rows.definition(connection)
    rows.occurrence(connection, fence=3)
    refused(connection, "UPDATE occurrences SET fence = 2", "fence of an occurrence never goes down")
    assert done(connection, "UPDATE occurrences SET fence = 4, state = 'claimed'") == 1


def test_one_fence_never_owns_two_runs(connection: apsw.Connection) -> None:
    rows.definition(connection)
    rows.occurrence(connection, state="running", fence=1)
    rows.run(connection, status="failed")
    with pytest.raises(apsw.ConstraintError, match=r"runs\.occurrence_id, runs\.occurrence_fence"):
        rows.run(connection, "run-2", status="failed")
    rows.run(connection, "run-2", status="failed", occurrence_fence=2)


def test_a_run_has_a_fence(connection: apsw.Connection) -> None:
    rows.definition(connection)
    rows.occurrence(connection)
    with pytest.raises(apsw.ConstraintError, match="occurrence_fence"):
        rows.run(connection, occurrence_fence=0)


def test_one_routine_and_one_occurrence_have_one_running_run(connection: apsw.Connection) -> None:
    rows.whole_run(connection)
    rows.occurrence(connection, "occ-2", fence=1)
    with pytest.raises(apsw.ConstraintError, match=r"runs\.automation_id"):
        rows.run(connection, "run-2", occurrence_id="occ-2")
    with pytest.raises(apsw.ConstraintError, match=r"runs\.(occurrence|automation)_id"):
        rows.run(connection, "run-2", occurrence_fence=2)


def test_an_attempt_binds_one_session_and_a_session_one_attempt(connection: apsw.Connection) -> None:
    rows.whole_run(connection)
    rows.session(connection, "session-2")
    refused(connection, "UPDATE attempts SET session_id = 'session-2'", "an attempt binds one session")
    refused(connection, "UPDATE attempts SET session_id = NULL", "an attempt binds one session")
    with pytest.raises(apsw.ConstraintError, match=r"attempts\.session_id"):
        rows.attempt(
            connection,
            "attempt-run-1-2",
            attempt_number=2,
            adoption_key="automation:run-1:2",
            prior_attempt_number=1,
            prior_disposition="failed",
            retry_classification="automatic_retry",
            session_id="session-1",
        )


def test_a_session_is_there_before_it_is_bound(connection: apsw.Connection) -> None:
    rows.definition(connection)
    rows.occurrence(connection, fence=1)
    rows.run(connection)
    rows.attempt(connection)
    refused(connection, "UPDATE attempts SET session_id = 'session-nowhere'", "FOREIGN KEY")


def test_a_slot_is_planned_once(connection: apsw.Connection) -> None:
    rows.definition(connection)
    rows.occurrence(connection, scheduled_for=rows.NOW)
    with pytest.raises(apsw.ConstraintError, match=r"occurrences\.scheduled_for"):
        rows.occurrence(connection, "occ-2", scheduled_for=rows.NOW)


def test_attempts_follow_one_another(connection: apsw.Connection) -> None:
    rows.whole_run(connection)
    second = {
        "attempt_number": 2,
        "adoption_key": "automation:run-1:2",
        "prior_attempt_number": 1,
        "prior_disposition": "failed",
        "retry_classification": "automatic_retry",
    }
    for wrong in (
        {"prior_attempt_number": None},
        {"prior_attempt_number": 2},
        {"prior_disposition": None},
        {"attempt_number": 11, "prior_attempt_number": 10},
        {"attempt_number": 1},
    ):
        with pytest.raises(apsw.ConstraintError, match="CHECK"):
            rows.attempt(connection, "attempt-run-1-2", **(second | wrong))
    rows.attempt(connection, "attempt-run-1-2", **second)
    with pytest.raises(apsw.ConstraintError, match=r"attempts\.attempt_number"):
        rows.attempt(connection, "attempt-again", **(second | {"adoption_key": "another"}))


def test_one_stop_at_a_time(connection: apsw.Connection) -> None:
    rows.whole_run(connection)
    rows.cancellation(connection)
    with pytest.raises(apsw.ConstraintError, match=r"cancellations\.run_id"):
        rows.cancellation(connection, "cancel-2", state="stopping")
    fence = "INSERT INTO stop_fences VALUES ('run-1', '{}', 'a', 's', 'x', 'y')"
    done(connection, fence.format("timeout"))
    refused(connection, fence.format("cancellation"), r"stop_fences\.run_id")
    done(connection, "DELETE FROM stop_fences")
    refused(connection, fence.format("somebody"), "CHECK")


def test_quarantine_has_all_of_its_facts_or_none(connection: apsw.Connection) -> None:
    rows.definition(connection)
    row = "INSERT INTO retry_state VALUES ('morning', 3, {}, 'x')"
    refused(connection, row.format("'t', NULL, 'r'"), "CHECK")
    refused(connection, row.format("NULL, 'timeout', NULL"), "CHECK")
    assert done(connection, row.format("'t', 'timeout', 'r'")) == 1


def test_there_is_one_scheduler(connection: apsw.Connection) -> None:
    refused(connection, "INSERT INTO scheduler_authority VALUES (2, 0, NULL, NULL)", "CHECK")
    assert done(connection, "UPDATE scheduler_authority SET generation = generation + 1, owner_id = 'me'") == 1
    for lower in ("UPDATE scheduler_authority SET generation = 0", "DELETE FROM scheduler_authority"):
        refused(connection, lower, "never goes down")
    refused(connection, "INSERT OR REPLACE INTO scheduler_authority VALUES (1, 0, NULL, NULL)", "never goes down")
    assert connection.execute("SELECT id, generation FROM scheduler_authority").fetchall() == [(1, 1)]


# Ledgers.


@pytest.mark.parametrize("table", LEDGERS)
def test_ledgers_only_grow(connection: apsw.Connection, table: str) -> None:
    rows.whole_run(connection)
    rows.event(connection)
    rows.adoption(connection)
    rows.receipt(connection)
    rows.journal(connection)
    for row in connection.execute(f"PRAGMA table_info({table})").fetchall():
        refused(connection, f"UPDATE {table} SET {row[1]} = {row[1]}", "append-only")
    refused(connection, f"DELETE FROM {table}", "append-only")


def test_an_event_has_its_own_place(connection: apsw.Connection) -> None:
    rows.event(connection)
    for position, event_id, sequence in ((1, "evt-2", 2), (2, "evt-1", 2), (2, "evt-2", 1)):
        with pytest.raises(apsw.ConstraintError, match="UNIQUE"):
            rows.event(connection, position, event_id=event_id, sequence=sequence)


def test_a_revision_rises_by_one_and_a_routine_is_never_deleted(connection: apsw.Connection) -> None:
    rows.definition(connection, revision=4)
    for wrong in ("revision = 6", "revision = 3", "id = 'other'"):
        refused(connection, f"UPDATE definitions SET {wrong}", "a revision rises by one")
    assert done(connection, "UPDATE definitions SET revision = 5, tombstoned_at = 'x'") == 1
    refused(connection, "DELETE FROM definitions", "never deleted")


# One name space of keys.


def test_an_attempt_key_is_no_command_key(connection: apsw.Connection) -> None:
    rows.whole_run(connection)
    with pytest.raises(apsw.ConstraintError, match="already an attempt key"):
        rows.adoption(connection, "automation:run-1:1")
    with pytest.raises(apsw.ConstraintError, match="already an attempt key"):
        rows.cancellation(connection, "automation:run-1:1")


@pytest.mark.parametrize("ledger", ["adoption", "cancellation"])
def test_a_command_key_is_no_attempt_key(connection: apsw.Connection, ledger: str) -> None:
    rows.whole_run(connection)
    key = "automation:run-1:2"
    (rows.adoption if ledger == "adoption" else rows.cancellation)(connection, key)
    with pytest.raises(apsw.ConstraintError, match="already a command key"):
        rows.attempt(
            connection,
            "attempt-run-1-2",
            attempt_number=2,
            adoption_key=key,
            prior_attempt_number=1,
            prior_disposition="failed",
            retry_classification="automatic_retry",
        )


@pytest.mark.parametrize("make", [rows.adoption, rows.cancellation])
def test_a_command_key_is_used_once(connection: apsw.Connection, make: object) -> None:
    rows.whole_run(connection)
    assert callable(make)
    make(connection, "key-9")
    with pytest.raises(apsw.ConstraintError, match="UNIQUE"):
        make(connection, "key-9", **({"state": "cancelled"} if make is rows.cancellation else {}))


# Words, JSON and types.

CLOSED_WORDS = [
    ("definitions", "lifecycle"),
    ("definitions", "family"),
    ("definitions", "managed"),
    ("occurrences", "state"),
    ("runs", "status"),
    ("attempts", "state"),
    ("attempts", "failure_class"),
    ("sessions", "status"),
]


@pytest.mark.parametrize(("table", "column"), CLOSED_WORDS)
def test_states_and_classes_are_the_contract_s_words(connection: apsw.Connection, table: str, column: str) -> None:
    rows.whole_run(connection)
    refused(connection, f"UPDATE {table} SET {column} = 'strange'", "CHECK")


@pytest.mark.parametrize(
    ("table", "column"),
    [("definitions", "body"), ("runs", "environment_names"), ("sessions", "evidence")],
)
def test_json_columns_hold_json(connection: apsw.Connection, table: str, column: str) -> None:
    rows.whole_run(connection)
    refused(connection, f"UPDATE {table} SET {column} = '{{'", "CHECK")


def test_columns_hold_their_type(connection: apsw.Connection) -> None:
    rows.whole_run(connection)
    refused(connection, "UPDATE sessions SET pid = 'many'", "cannot store TEXT value in INTEGER column")


@pytest.mark.parametrize(
    "sql",
    [
        "INSERT INTO routine_settings (automation_id, updated_at) VALUES ('nobody', 'x')",
        "INSERT INTO retry_state (automation_id, updated_at) VALUES ('nobody', 'x')",
        "INSERT INTO stop_fences VALUES ('run-9', 'timeout', 'a', 's', 'x', 'y')",
    ],
)
def test_nothing_hangs_in_the_air(connection: apsw.Connection, sql: str) -> None:
    refused(connection, sql, "FOREIGN KEY")
