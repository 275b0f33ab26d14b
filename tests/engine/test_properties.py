"""Whatever happens in whatever order, the database alone shows that the rules held.

After every step of happenings.py the rows and the change feed are checked against the machines and the ten invariants
of the contract (contract/states.py, INVARIANTS): one check each, by its name.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import settings
from hypothesis.stateful import invariant

from coven_desktop.contract import backoff, states, timestamps
from coven_desktop.contract.routine import from_stored
from tests.engine.slot_accounts import SlotAccounts

TERMINAL = {"occurrences": ("state", "occurrence"), "runs": ("status", "run"), "attempts": ("state", "attempt")}
AGREED = {
    ("planned", "running", "adopted"),
    ("claimed", "running", "dispatching"),
    ("running", "running", "observing"),
    ("recovery_required", "running", "ambiguous"),
    # held for the person
    ("claimed", "running", "failed"),
    ("running", "running", "failed"),
    ("succeeded", "succeeded", "succeeded"),
    ("failed", "failed", "failed"),
    ("failed", "failed", "timed_out"),
    ("failed", "failed", "ambiguous"),
    ("cancelled", "cancelled", "cancelled"),
    ("cancelled", "cancelled", "ambiguous"),
    # a held run that was given up
    ("cancelled", "cancelled", "failed"),
}
# a run with its occurrence and its latest attempt
LATEST = (
    " FROM runs r JOIN occurrences o ON o.id = r.occurrence_id JOIN attempts a ON a.run_id = r.id"
    " AND a.attempt_number = (SELECT max(l.attempt_number) FROM attempts l WHERE l.run_id = r.id)"
)


class Engine(SlotAccounts):
    """Everything that can happen, and what must be true afterwards."""

    def __init__(self) -> None:
        super().__init__()
        self.read_up_to = 0
        self.at: dict[tuple[str, str], str] = {}
        self.claims: dict[str, int] = {}
        self.sequences: dict[tuple[str, str], int] = {}
        self.settled: dict[tuple[str, str], tuple[Any, ...]] = {}
        self.pins: dict[tuple[str, str], tuple[Any, ...]] = {}
        self.bound: dict[str, str] = {}
        self.gone: set[str] = set()
        self.paused: tuple[int, int] | None = None

    # the ten invariants, each with what was broken once to see it fail

    @invariant()
    def adoption_before_side_effects(self) -> None:
        # broken by a launch inside the transaction of its acceptance: the first line fails
        # at the moment of each launch and each stop, its run, claim, adoption and fence were committed; and what is due
        # after a resume was launched into a network
        assert self.premature == []
        # whatever lives on the machine is known
        known = {row[0] for row in self.bench.rows("SELECT id FROM sessions")}
        assert {*self.living(True), *self.living(False)} <= known

    @invariant()
    def one_fence_one_run(self) -> None:
        # broken by a claim that does not raise the fence: the second query fails
        query = self.bench.rows
        assert not query("SELECT 1 FROM runs GROUP BY occurrence_id, occurrence_fence HAVING count(*) > 1")
        # nor are two attempts dispatched under one fence
        assert not query(
            "SELECT 1 FROM attempts WHERE dispatch_generation > 0 GROUP BY occurrence_id, occurrence_fence"
            " HAVING count(*) > 1"
        )
        # a fence is that of one claim, as the feed has told of it
        for occurrence_id, fence in query("SELECT id, fence FROM occurrences"):
            assert self.claims.get(occurrence_id, 0) == fence

    @invariant()
    def one_attempt_one_session(self) -> None:
        # broken by a dispatch that makes a second session: the first query fails
        assert not self.bench.rows("SELECT 1 FROM sessions GROUP BY attempt_id HAVING count(*) > 1")
        assert not self.bench.rows(
            "SELECT 1 FROM attempts a LEFT JOIN sessions s ON s.id = a.session_id"
            " WHERE a.session_id IS NOT NULL AND s.attempt_id IS NOT a.id"
        )
        for attempt_id, session_id in self.bench.rows(
            "SELECT id, session_id FROM attempts WHERE session_id IS NOT NULL"
        ):
            # once bound, bound for good
            assert self.bound.setdefault(attempt_id, session_id) == session_id

    @invariant()
    def terminal_no_regress(self) -> None:
        # broken by a pass that writes settled rows: the line that compares fails; in `_moved` when a state changes
        # the feed's part of it: every move is an edge of the machines, and none leaves a terminal state
        for table, (state, entity) in TERMINAL.items():
            marks = ", ".join(f"'{one}'" for one in states.TERMINAL[entity])
            rows = {
                (table, row[0]): row
                for row in self.bench.rows(f"SELECT t.id, t.* FROM {table} t WHERE t.{state} IN ({marks})")
            }
            for key, before in self.settled.items():
                if key[0] == table:
                    assert rows.get(key) == before
            self.settled |= rows

    @invariant()
    def no_evidence_no_success(self) -> None:
        # broken by settling a vanished session as succeeded: the line that asks for evidence fails
        for state, attempt, text, session in self.bench.rows(
            "SELECT o.state, a.state, s.evidence, s.status" + LATEST + " LEFT JOIN sessions s ON s.id = a.session_id"
            " WHERE 'succeeded' IN (r.status, o.state, a.state)"
        ):
            assert text is not None
            evidence = json.loads(text)
            assert (evidence["outcome"], evidence["exitCode"], evidence["stopReason"]) == ("exited", 0, None)
            assert (state, attempt, session) == ("succeeded", "succeeded", "completed")

    @invariant()
    def cancellation_is_a_request(self) -> None:
        # broken by settling when the stop is issued: the first query fails
        # what had a session when it was cancelled was held, or its stop was acknowledged
        assert not self.bench.rows(
            "SELECT 1" + LATEST + " JOIN sessions s ON s.attempt_id = a.id"
            " WHERE (r.status = 'cancelled' OR o.state = 'cancelled') AND a.state <> 'failed'"
            " AND (s.status IN ('created', 'running', 'orphaned') OR NOT EXISTS (SELECT 1 FROM cancellations c"
            "      WHERE c.attempt_id = a.id AND c.state = 'cancelled' AND c.acknowledged_at IS NOT NULL))"
        )
        # one that was asked for stands beside a run that is as it was, and is being carried out
        assert not self.bench.rows(
            "SELECT 1 FROM cancellations c JOIN runs r ON r.id = c.run_id JOIN attempts a ON a.id = c.attempt_id"
            " WHERE c.state IN ('requested', 'stopping') AND (r.status <> 'running'"
            " OR a.state NOT IN ('dispatching', 'started', 'observing')"
            " OR NOT EXISTS (SELECT 1 FROM stop_fences f WHERE f.run_id = c.run_id AND f.owner = 'cancellation'))"
        )

    @invariant()
    def retry_new_attempt(self) -> None:
        # broken by an attempt that misnames the end of the one before: the first query fails
        # numbered gaplessly, each naming the end of the one before, which `terminal_no_regress` keeps as it was
        assert not self.bench.rows(
            "SELECT 1 FROM attempts a LEFT JOIN attempts p ON p.run_id = a.run_id"
            " AND p.attempt_number = a.attempt_number - 1 WHERE a.attempt_number > 1"
            " AND (a.prior_attempt_number IS NOT p.attempt_number OR a.prior_disposition IS NOT p.state)"
        )
        assert not self.bench.rows(
            "SELECT 1 FROM attempts a JOIN attempts n ON n.run_id = a.run_id AND n.attempt_number > a.attempt_number"
            " WHERE a.state NOT IN ('failed', 'ambiguous')"
        )

    @invariant()
    def ambiguous_never_auto_retried(self) -> None:
        # broken by a retry that follows a loss by itself: the first line of the loop fails
        rows = self.bench.rows(
            "SELECT a.id, a.run_id, a.attempt_number, a.retry_classification, a.opened_at, a.not_before,"
            " p.state, p.failure_class, p.session_id, r.definition_snapshot FROM attempts a JOIN runs r"
            " ON r.id = a.run_id JOIN attempts p ON p.run_id = a.run_id AND p.attempt_number = a.attempt_number - 1"
        )
        for attempt_id, run_id, number, classification, opened, not_before, prior, failure, session, snapshot in rows:
            assert (prior == "ambiguous") is (classification == "operator_recovery")
            if classification == "automatic_retry":
                # a listed failure before ownership, within the policy's number, after the policy's wait
                policy = from_stored(snapshot).retry
                assert (prior, session) == ("failed", None)
                assert failure in policy.retryable_classes
                assert number <= policy.max_attempts
                wait = backoff.delay_seconds(policy, run_id, number) * 1000
                assert timestamps.parse(not_before) - timestamps.parse(opened) == wait
            else:
                command = "occurrence.recover.v1" if prior == "ambiguous" else "attempt.retry.v1"
                asked = self.bench.rows(
                    f"SELECT 1 FROM adoptions WHERE command = '{command}' AND outcome = 'committed'"
                    f" AND json_extract(response, '$.attemptId') = '{attempt_id}'"
                )
                assert asked == [(1,)]

    @invariant()
    def revision_pins_history(self) -> None:
        # broken by a revision that rewrites what was planned: the comparison with the pins fails
        pinned = {
            "occurrences": "scheduled_for, kind, created_at",
            "runs": "definition_snapshot, started_at, timeout_at",
        }
        for table, others in pinned.items():
            for row in self.bench.rows(
                f"SELECT t.id, t.automation_id, t.automation_revision, t.definition_digest, {others} FROM {table} t"
            ):
                assert self.pins.setdefault((table, row[0]), row) == row
            body = " OR v.body IS NOT t.definition_snapshot" if table == "runs" else ""
            assert not self.bench.rows(
                f"SELECT 1 FROM {table} t LEFT JOIN definition_revisions v ON v.automation_id = t.automation_id"
                f" AND v.revision = t.automation_revision WHERE v.digest IS NOT t.definition_digest{body}"
            )

    @invariant()
    def tombstone_preserves_history(self) -> None:
        # broken by claiming for deleted routines: the last line of `_moved` fails
        # the feed's part of it: nothing is planned, accepted or dispatched any more; what there was stays by
        # `terminal_no_regress` and by the number of streams
        for automation_id in self.gone:
            rows = self.bench.rows(
                f"SELECT tombstoned_at IS NOT NULL, next_due_at FROM definitions WHERE id = '{automation_id}'"
            )
            assert rows == [(1, None)]
            assert not self.bench.rows(
                "SELECT 1 FROM occurrences o WHERE o.state IN ('planned', 'claimed')"
                f" AND o.automation_id = '{automation_id}'"
                " AND NOT EXISTS (SELECT 1 FROM runs r WHERE r.occurrence_id = o.id)"
            )

    # the feed, which is read before the invariants above need it: hypothesis checks in the order of the names

    @invariant()
    def a_feed(self) -> None:
        rows = self.bench.rows(
            "SELECT position, stream_kind, stream_id, sequence, kind, automation_id, body FROM events"
            f" WHERE position > {self.read_up_to} ORDER BY position"
        )
        for position, stream_kind, stream_id, sequence, kind, automation_id, text in rows:
            assert position == self.read_up_to + 1
            self.read_up_to = position
            stream = (stream_kind, stream_id)
            assert sequence == self.sequences.get(stream, -1) + 1
            self.sequences[stream] = sequence
            if stream_kind == "automation":
                self.gone.discard(automation_id)
                if kind == "definition.tombstoned":
                    self.gone.add(automation_id)
            if kind.endswith(".transitioned"):
                self._moved(json.loads(text), automation_id)
        for table, (state, entity) in TERMINAL.items():
            for entity_id, found in self.bench.rows(f"SELECT id, {state} FROM {table}"):
                assert self.at[entity, entity_id] == found

    def _moved(self, event: dict[str, Any], automation_id: str) -> None:
        move = event["payload"]
        entity, source, target = move["entity"], move["from"], move["to"]
        who = (entity, event[f"{entity}Id"])
        # every move is recorded (contract/recorded-states.md), and begins where the one before ended
        assert states.lawful(entity, source, target), (who, move)
        # a run that was taken back is gone, and so is its history
        assert self.at.get(who, "none") == source, (who, move)
        assert source not in states.TERMINAL[entity], (who, move)
        self.at[who] = target
        if (entity, target) == ("occurrence", "claimed"):
            self.claims[who[1]] = self.claims.get(who[1], 0) + 1
        if automation_id in self.gone:
            # a retry that its policy opens waits for the deadline (decisions.md 30)
            assert source != "none" or entity == "attempt", (who, move)
            assert target != "dispatching", (who, move)

    # what else must hold

    @invariant()
    def one_runs_in_a_routine(self) -> None:
        query = self.bench.rows
        assert not query("SELECT 1 FROM runs WHERE status = 'running' GROUP BY automation_id HAVING count(*) > 1")
        assert not query(
            "SELECT 1 FROM occurrences WHERE state IN ('claimed', 'running') GROUP BY automation_id HAVING count(*) > 1"
        )
        assert not query("SELECT 1 FROM occurrences GROUP BY automation_id, scheduled_for HAVING count(*) > 1")

    @invariant()
    def the_three_rows_of_a_run_agree(self) -> None:
        assert set(self.bench.rows("SELECT DISTINCT o.state, r.status, a.state" + LATEST)) <= AGREED

    @invariant()
    def nothing_waits_past_its_deadline(self) -> None:
        now = timestamps.to_text(self.bench.clock.wall())
        assert not self.bench.rows(
            f"SELECT 1{LATEST} WHERE r.status = 'running' AND a.state IN ('adopted', 'failed')"
            f" AND (r.timeout_at <= '{now}' OR (a.state = 'failed' AND a.attempt_number >= 10))"
        )

    @invariant()
    def a_stop_fence_stands_only_while_its_session_may_live(self) -> None:
        assert not self.bench.rows(
            "SELECT 1 FROM stop_fences f JOIN runs r ON r.id = f.run_id JOIN attempts a ON a.id = f.attempt_id"
            " WHERE r.status <> 'running' OR a.state NOT IN ('dispatching', 'started', 'observing')"
        )

    @invariant()
    def nothing_is_planned_while_everything_pauses(self) -> None:
        # broken by a pass that plans nonetheless: a slot is planned that was not when the pause was first seen
        pause = self.bench.engine.reads.pause()
        planned = self.bench.value("SELECT count(*) FROM occurrences WHERE kind = 'scheduled'")
        if pause is None or self.paused is None or self.paused[0] != pause.since:
            self.paused = None if pause is None else (pause.since, planned)
        else:
            assert planned == self.paused[1]

    @invariant()
    def a_timer_stands_only_for_what_plans(self) -> None:
        assert not self.bench.rows(
            "SELECT 1 FROM definitions d WHERE next_due_at IS NOT NULL AND (lifecycle <> 'active'"
            " OR tombstoned_at IS NOT NULL OR EXISTS (SELECT 1 FROM retry_state q WHERE q.automation_id = d.id"
            "                                         AND q.quarantined_at IS NOT NULL))"
        )
        assert self.bench.engine.waiting


Engine.TestCase.settings = settings(stateful_step_count=16)
TestEngine = pytest.mark.timeout(900)(Engine.TestCase)
