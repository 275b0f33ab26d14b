"""Whatever happens in whatever order, the database alone shows that the rules held.

Commands, time, the runtime's reports, kills and restarts come as hypothesis likes; after every step the rows and the
change feed are checked against the machines and the invariants of the contract.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import json
import tempfile
import uuid
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from coven_desktop import home as homes
from coven_desktop.contract import ids, states
from coven_desktop.contract.errors import Refusal
from coven_desktop.engine.commands import cancellation, definitions, execution
from coven_desktop.home import Home
from coven_desktop.loop.manual import ManualClock
from coven_desktop.runtime.sessions import LaunchRefused
from coven_desktop.store import backup
from coven_desktop.store.transactions import Store
from tests.engine.conftest import HOUR, MINUTE, SECOND, Bench, definition

ROUTINES = ("a", "b", "c")
routine = st.sampled_from(ROUTINES)
TERMINAL = {"occurrences": ("state", "occurrence"), "runs": ("status", "run"), "attempts": ("state", "attempt")}


@functools.cache
def empty_database() -> bytes:
    """The content of a new database: making one takes longer than all that happens to it here."""
    with tempfile.TemporaryDirectory() as folder:
        home = Home(Path(folder) / "home")
        homes.prepare(home)
        Store.open(home.database, now=ManualClock().wall(), backups=home.backups).close()
        return home.database.read_bytes()


class Engine(RuleBasedStateMachine):
    """One home, a few routines, and everything that can happen to them."""

    def __init__(self) -> None:
        super().__init__()
        # in memory: a power cut is not the subject
        shared_memory = Path("/dev/shm")
        self._folder = tempfile.TemporaryDirectory(dir=shared_memory if shared_memory.is_dir() else None)
        home = Home(Path(self._folder.name) / "home")
        homes.prepare(home)
        home.database.write_bytes(empty_database())
        home.database.chmod(0o600)
        self.bench = Bench(home, ManualClock())
        # the care for the file is not the subject either
        self._patch = pytest.MonkeyPatch()
        self._patch.setattr(backup, "is_due", lambda *arguments: False)
        # ids decide ties, and the same steps must lead to the same state when hypothesis takes them again
        numbers = itertools.count(1)
        self._patch.setattr(ids, "uuid", SimpleNamespace(uuid4=lambda: uuid.UUID(int=next(numbers))))
        self.bench.places = 2
        self.bench.automatic = False
        self.bench.open_again_without_care()
        self.read_up_to = 0
        self.at: dict[tuple[str, str], str] = {}
        self.sequences: dict[tuple[str, str], int] = {}
        self.settled: dict[tuple[str, str], tuple[Any, ...]] = {}
        self.asked: list[dict[str, Any]] = []

    def teardown(self) -> None:
        self._patch.undo()
        self.bench.kill()
        self._folder.cleanup()

    # what a person and the clock do

    @initialize()
    def begin(self) -> None:
        self.bench.start()
        for name in ROUTINES[:2]:
            self.bench.create(name, timeoutMinutes=90)
        self.wait(HOUR)

    @rule(name=routine, status=st.sampled_from(["ACTIVE", "PAUSED"]), cwd=st.sampled_from(["/tmp", "/tmp", None]))
    def create(self, name: str, status: str, cwd: str | None) -> None:
        self.command(definitions.create, {"definition": definition(name, status=status, cwd=cwd)})

    @rule(name=routine, status=st.sampled_from(["ACTIVE", "ACTIVE", "PAUSED"]), minutes=st.sampled_from([5, 90]))
    def update(self, name: str, status: str, minutes: int) -> None:
        self.command(definitions.update, {"definition": definition(name, status=status, timeoutMinutes=minutes)})

    @rule(name=routine)
    def delete(self, name: str) -> None:
        self.command(definitions.delete, {"id": name})

    @rule(name=routine)
    def run(self, name: str) -> None:
        self.command(execution.run, {"id": name})

    @rule(name=routine)
    def run_now(self, name: str) -> None:
        self.command(execution.run_now, self.bench.strict("occurrence.runNow.v1", automationId=name))

    @rule()
    def tick(self) -> None:
        self.command(execution.tick, {})

    @rule(data=st.data(), what=st.sampled_from(["run", "occurrence", "recover"]))
    def decide(self, data: st.DataObject, what: str) -> None:
        rows = self.bench.rows(
            "SELECT o.id, r.id, a.id, r.session_id FROM occurrences o LEFT JOIN runs r ON r.occurrence_id = o.id"
            " LEFT JOIN attempts a ON a.run_id = r.id ORDER BY o.number DESC LIMIT 4"
        )
        if not rows:
            return
        occurrence_id, run_id, attempt_id, session_id = data.draw(st.sampled_from(rows))
        if what == "occurrence":
            body = self.bench.strict("occurrence.cancel.v1", occurrenceId=occurrence_id)
            self.command(cancellation.cancel_occurrence, body)
        elif what == "recover":
            body = self.bench.strict(
                "occurrence.recover.v1", occurrenceId=occurrence_id, evidenceDetermination="failed_deterministic"
            )
            self.command(execution.recover, body)
        elif run_id is not None:
            body = self.bench.strict(
                "run.cancel.v1",
                runId=run_id,
                attemptId=attempt_id,
                runtimeCorrelation={"sessionId": session_id},
                scope="run",
                reason="enough",
                requestedBy={"principalId": "somebody"},
            )
            self.asked.append(body)
            self.command(cancellation.cancel_run, body)

    @precondition(lambda self: self.living(True))
    @rule(data=st.data())
    def cancel_a_live_run(self, data: st.DataObject) -> None:
        session = data.draw(st.sampled_from(self.living(True)))
        (spec,) = [spec for spec in self.bench.world.launched if spec.session_id == session]
        body = self.bench.cancel_body(
            runId=spec.run_id, attemptId=spec.attempt_id, runtimeCorrelation={"sessionId": session}
        )
        self.asked.append(body)
        self.command(cancellation.cancel_run, body)

    @precondition(lambda self: self.asked)
    @rule(data=st.data())
    def ask_again(self, data: st.DataObject) -> None:
        self.command(cancellation.cancel_run, data.draw(st.sampled_from(self.asked[-3:])))

    @rule(time=st.sampled_from([SECOND, 31 * SECOND, 6 * MINUTE, HOUR, HOUR, 26 * HOUR]))
    def wait(self, time: int) -> None:
        # in one stride: from timer to timer is what the timer's tests go
        self.bench.clock.advance(time)
        self.bench.turn()

    @rule(time=st.sampled_from([-3 * HOUR, -SECOND, SECOND, 2 * HOUR]))
    def set_clock(self, time: int) -> None:
        self.bench.clock.jump(time)
        self.bench.advance(6 * SECOND)

    # what the machine does

    def living(self, executing: bool) -> list[str]:
        """Sessions whose host lives, and whose command is or is not executed yet."""
        world = self.bench.world
        alive = [spec.session_id for spec in world.launched if world.found.get(spec.session_id) == ("alive", None)]
        return [one for one in alive if (one in world.executing) is executing]

    def starting(self) -> list[str]:
        """Sessions whose start this app has not heard of yet."""
        return [one for one in self.living(False) if one in self.bench.runtime.launches]

    @precondition(lambda self: self.starting())
    @rule(data=st.data())
    def session_starts(self, data: st.DataObject) -> None:
        self.bench.runtime.start(data.draw(st.sampled_from(self.starting())))
        self.bench.turn()

    @precondition(lambda self: self.starting())
    @rule()
    def all_sessions_start(self) -> None:
        for session in self.starting():
            self.bench.runtime.start(session)
        self.bench.turn()

    @precondition(lambda self: self.starting())
    @rule(data=st.data(), proven=st.booleans())
    def session_is_refused(self, data: st.DataObject, proven: bool) -> None:
        session = data.draw(st.sampled_from(self.starting()))
        self.bench.runtime.fail_start(session, LaunchRefused("transient_dispatch", "no", proven))
        del self.bench.runtime.launches[session]
        self.bench.turn()

    @precondition(lambda self: self.living(True))
    @rule(
        data=st.data(),
        code=st.sampled_from([0, 0, 3, None]),
        reason=st.sampled_from([None, None, None, "requested", "deadline", "host_terminated"]),
        quiescent=st.sampled_from([True, True, True, False]),
        known=st.sampled_from([True, True, False]),
    )
    def session_ends(self, data: st.DataObject, code: int | None, reason: Any, quiescent: bool, known: bool) -> None:
        session = data.draw(st.sampled_from(self.living(True)))
        evidence = self.bench.runtime.evidence(
            session,
            outcome="signalled" if code is None else "exited",
            exit_code=code,
            stop_reason=reason,
            quiescent=quiescent,
        )
        self.bench.runtime.end(session, evidence if known else None)
        self.bench.turn()

    @precondition(lambda self: self.bench.runtime.stopping)
    @rule(data=st.data(), answer=st.sampled_from(["proof", "own end", "open", "never"]))
    def stop_is_answered(self, data: st.DataObject, answer: str) -> None:
        runtime = self.bench.runtime
        session = data.draw(st.sampled_from(sorted(runtime.stopping)))
        if answer == "proof":
            runtime.confirm_stop(session)
        elif answer == "own end":
            runtime.confirm_stop(session, runtime.evidence(session, exit_code=0))
        elif answer == "open" or session in self.bench.world.executing:
            runtime.leave_stop_open(session)
        else:
            self.bench.world.found[session] = ("never_started", None)
            runtime.answer_stop(session, None, confirmed=True)
        self.bench.turn()

    # what the app does

    @rule(data=st.data(), away=st.sampled_from([0, SECOND, 2 * HOUR]), orderly=st.booleans())
    def restart(self, data: st.DataObject, away: int, orderly: bool) -> None:
        if orderly:
            self.bench.engine.stop()
        self.bench.kill()
        self.bench.clock.advance(away)
        world = self.bench.world
        fates = {session: ["lives", "ended", "vanished"] for session in self.living(True)}
        fates |= {session: ["lives", "executes", "never"] for session in self.living(False)}
        for session, possible in fates.items():
            match data.draw(st.sampled_from(possible)):
                case "ended":
                    world.found[session] = ("ended", self.bench.runtime.evidence(session, exit_code=0))
                case "vanished":
                    world.found[session] = ("vanished", None)
                case "never":
                    world.found[session] = ("never_started", None)
                case "executes":
                    world.executing.add(session)
        self.bench.open_again_without_care()
        self.bench.start()

    def command(self, command: Any, body: dict[str, Any]) -> None:
        with contextlib.suppress(Refusal):
            command(self.bench.engine, body)
        self.bench.turn()

    # what the database shows

    @invariant()
    def every_recorded_move_is_lawful_and_nothing_is_missing(self) -> None:
        rows = self.bench.rows(
            "SELECT position, stream_kind, stream_id, sequence, kind, body FROM events"
            f" WHERE position > {self.read_up_to} ORDER BY position"
        )
        for position, stream_kind, stream_id, sequence, kind, text in rows:
            assert position == self.read_up_to + 1
            self.read_up_to = position
            stream = (stream_kind, stream_id)
            assert sequence == self.sequences.get(stream, -1) + 1
            self.sequences[stream] = sequence
            if not kind.endswith(".transitioned"):
                continue
            event = json.loads(text)
            move = event["payload"]
            who = (move["entity"], event[f"{move['entity']}Id"])
            assert states.lawful(move["entity"], move["from"], move["to"]), (who, move)
            # a run that was taken back is gone, and so is its history
            assert self.at.get(who, "none") == move["from"], (who, move)
            self.at[who] = move["to"]

    @invariant()
    def the_rows_are_where_the_events_left_them(self) -> None:
        for table, (state, entity) in TERMINAL.items():
            for entity_id, found in self.bench.rows(f"SELECT id, {state} FROM {table}"):
                assert self.at[entity, entity_id] == found

    @invariant()
    def what_is_settled_stays_as_it_was(self) -> None:
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
    def one_run_owns_a_fence_and_one_runs_in_a_routine(self) -> None:
        query = self.bench.rows
        assert not query("SELECT 1 FROM runs GROUP BY occurrence_id, occurrence_fence HAVING count(*) > 1")
        assert not query("SELECT 1 FROM runs WHERE status = 'running' GROUP BY automation_id HAVING count(*) > 1")
        assert not query(
            "SELECT 1 FROM occurrences WHERE state IN ('claimed', 'running') GROUP BY automation_id HAVING count(*) > 1"
        )
        assert not query("SELECT 1 FROM occurrences GROUP BY automation_id, scheduled_for HAVING count(*) > 1")
        assert not query(
            "SELECT 1 FROM attempts a JOIN runs r ON r.id = a.run_id WHERE a.occurrence_fence <> r.occurrence_fence"
        )

    @invariant()
    def no_success_without_evidence_of_it(self) -> None:
        for text, session_status in self.bench.rows(
            "SELECT s.evidence, s.status FROM runs r LEFT JOIN sessions s ON s.id = r.session_id"
            " WHERE r.status = 'succeeded'"
        ):
            evidence = json.loads(text)
            assert (evidence["outcome"], evidence["exitCode"], evidence["stopReason"]) == ("exited", 0, None)
            assert session_status == "completed"

    @invariant()
    def the_three_rows_of_a_run_agree(self) -> None:
        expected = {
            ("claimed", "running", "dispatching"),
            ("running", "running", "observing"),
            ("recovery_required", "running", "ambiguous"),
            ("succeeded", "succeeded", "succeeded"),
            ("failed", "failed", "failed"),
            ("failed", "failed", "timed_out"),
            ("failed", "failed", "ambiguous"),
            ("cancelled", "cancelled", "cancelled"),
            ("cancelled", "cancelled", "ambiguous"),
        }
        found = self.bench.rows(
            "SELECT DISTINCT o.state, r.status, a.state FROM runs r JOIN occurrences o ON o.id = r.occurrence_id"
            " JOIN attempts a ON a.run_id = r.id"
        )
        assert set(found) <= expected

    @invariant()
    def a_stop_fence_stands_only_while_its_session_may_live(self) -> None:
        assert not self.bench.rows(
            "SELECT 1 FROM stop_fences f JOIN runs r ON r.id = f.run_id JOIN attempts a ON a.id = f.attempt_id"
            " WHERE r.status <> 'running' OR a.state NOT IN ('dispatching', 'started', 'observing')"
        )
        assert not self.bench.rows(
            "SELECT 1 FROM cancellations c WHERE c.state IN ('requested', 'stopping')"
            " AND NOT EXISTS (SELECT 1 FROM stop_fences f WHERE f.run_id = c.run_id AND f.owner = 'cancellation')"
        )

    @invariant()
    def a_timer_stands_only_for_what_plans(self) -> None:
        assert not self.bench.rows(
            "SELECT 1 FROM definitions WHERE next_due_at IS NOT NULL"
            " AND (lifecycle <> 'active' OR tombstoned_at IS NOT NULL)"
        )
        assert self.bench.engine.waiting


Engine.TestCase.settings = settings(stateful_step_count=16)
TestEngine = pytest.mark.timeout(900)(Engine.TestCase)
