"""A machine for hypothesis: one home, a few routines, and everything that can happen to them, in whatever order.

Commands, time, the runtime's reports, kills and restarts. What must hold after every step: test_properties.py.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from coven_desktop import home as homes
from coven_desktop.contract import ids, timestamps
from coven_desktop.contract.errors import Refusal
from coven_desktop.engine.commands import (
    cancellation,
    definitions,
    desktop_routines,
    execution,
    pausing,
    quarantine,
    recovery,
    versioned,
)
from coven_desktop.home import Home
from coven_desktop.loop.manual import ManualClock
from coven_desktop.runtime.sessions import FailureClass, LaunchRefused, LaunchSpec
from coven_desktop.store import backup
from coven_desktop.store.transactions import Store
from tests.engine import families
from tests.engine.conftest import HOUR, MINUTE, SECOND, Bench, definition
from tests.engine.held_runs import policy

ROUTINES = ("a", "b", "c")
CLASSES = ("transient_dispatch", "runtime_unavailable", "lease_expired")
# cadences and cron routines
OURS = ("d", "e")
routine = st.sampled_from((*ROUTINES, *OURS))
policies = st.one_of(
    st.none(),
    st.builds(
        policy,
        attempts=st.sampled_from([1, 2, 4]),
        backoff=st.sampled_from(["none", "fixed", "exponential"]),
        seconds=st.sampled_from([1, 30]),
        classes=st.sampled_from([CLASSES, CLASSES[:1], CLASSES[1:]]),
    ),
)
refusals: st.SearchStrategy[FailureClass] = st.sampled_from(
    ["transient_dispatch", "transient_dispatch", "runtime_unavailable", "launch_refused"]
)
ANCHOR = "2026-09-01T09:30:00"
schedules = st.one_of(
    st.builds(
        families.cron,
        st.sampled_from(["* * * * *", "*/7 * * * *", "0 * * * *", "30 2 * * *"]),
        st.sampled_from(["utc", "Europe/Paris"]),
    ),
    st.builds(
        lambda shape, policy, end: families.cadence(**shape, **end, catchUp=policy),
        st.sampled_from(
            [
                {"mode": "every_n_minutes", "minutes": 1, "anchor": f"{ANCHOR}Z"},
                {"mode": "every_n_minutes", "minutes": 25, "anchor": f"{ANCHOR}Z"},
                {"mode": "hourly", "anchor": ANCHOR},
                {"mode": "daily", "anchor": ANCHOR},
                {"mode": "once", "anchor": "2026-09-01T11:00:00"},
            ]
        ),
        st.sampled_from(["skip", "run-once", "run-all", "run-all"]),
        st.sampled_from([{}, {}, {"maxRuns": 1}, {"maxRuns": 3}, {"until": "2026-09-01T12:30:00"}]),
    ),
)


@functools.cache
def empty_database() -> bytes:
    """The content of a new database: making one takes longer than all that happens to it here."""
    with tempfile.TemporaryDirectory() as folder:
        home = Home(Path(folder) / "home")
        homes.prepare(home)
        Store.open(home.database, now=ManualClock().wall(), backups=home.backups).close()
        return home.database.read_bytes()


class Happenings(RuleBasedStateMachine):
    """What a person, the clock, the machine and the app do."""

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
        # the same steps make the same ids: what is drawn depends on their order, and a wait on the run's
        numbers = itertools.count(1)
        for maker, prefix in (
            ("new_run_id", "run-"),
            ("new_session_id", "session-"),
            ("legacy_manual_occurrence_id", "occ-"),
        ):
            self._patch.setattr(ids, maker, lambda prefix=prefix: f"{prefix}{next(numbers):032x}")
        # fewer than there are routines
        self.bench.places = 4
        self.bench.automatic = False
        self.asked: list[dict[str, Any]] = []
        # what was started or stopped although nothing of it was committed
        self.premature: list[str] = []
        # until then, on the monotonic clock, only what a person asked for may start (decisions.md 29)
        self.settles_until = 0
        self.open()

    def open(self) -> None:
        """Open the home with a new app."""
        self.bench.open_again_without_care()
        self.bench.runtime.on_launch = self._launches
        self.bench.runtime.on_stop = self._stops

    def _launches(self, spec: LaunchSpec) -> None:
        accepted = self.bench.rows(
            "SELECT 1 FROM sessions s JOIN attempts a ON a.id = s.attempt_id JOIN runs r ON r.id = a.run_id"
            " JOIN occurrences o ON o.id = r.occurrence_id"
            f" WHERE s.id = '{spec.session_id}' AND a.id = '{spec.attempt_id}' AND r.id = '{spec.run_id}'"
            " AND r.status = 'running' AND a.state = 'dispatching' AND r.session_id = s.id AND o.state = 'claimed'"
            " AND o.fence = a.occurrence_fence"
            " AND (o.id NOT LIKE 'occ-manual-%' OR EXISTS (SELECT 1 FROM adoptions c WHERE c.outcome = 'committed'"
            "      AND c.command = 'occurrence.runNow.v1' AND json_extract(c.response, '$.occurrenceId') = o.id))"
        )
        if not accepted or self.bench.store.connection.in_transaction:
            self.premature.append(spec.session_id)
        due = self.bench.rows(
            "SELECT 1 FROM attempts a JOIN occurrences o ON o.id = a.occurrence_id"
            f" WHERE a.id = '{spec.attempt_id}' AND (a.retry_classification = 'automatic_retry'"
            " OR (a.retry_classification = 'initial' AND o.kind = 'scheduled'))"
        )
        if due and self.bench.clock.monotonic() < self.settles_until:
            self.premature.append(spec.session_id)

    def _stops(self, session_id: str) -> None:
        taken = self.bench.rows(
            f"SELECT 1 FROM stop_fences f WHERE f.session_id = '{session_id}' AND (f.owner <> 'cancellation'"
            " OR EXISTS (SELECT 1 FROM cancellations c WHERE c.run_id = f.run_id AND c.state = 'stopping'))"
        )
        if not taken or self.bench.store.connection.in_transaction:
            self.premature.append(session_id)

    def teardown(self) -> None:
        self._patch.undo()
        self.bench.kill()
        self._folder.cleanup()

    # what a person and the clock do

    @initialize()
    def begin(self) -> None:
        self.bench.start()
        for name in ROUTINES[:2]:
            self.bench.create(name, timeoutMinutes=90, retry=policy(attempts=2, classes=CLASSES))
        self.define_ours("d", families.cron("*/20 * * * *"), "ACTIVE", None, 90)
        self.define_ours("e", families.cadence("hourly", ANCHOR, catchUp="run-all"), "ACTIVE", None, 5)
        self.wait(HOUR)

    @rule(
        name=routine,
        status=st.sampled_from(["ACTIVE", "ACTIVE", "PAUSED"]),
        cwd=st.sampled_from(["/tmp", "/tmp", None]),
        retry=policies,
        new=st.booleans(),
        minutes=st.sampled_from([5, 90]),
    )
    def define(
        self, name: str, status: str, cwd: str | None, retry: dict[str, Any] | None, new: bool, minutes: int
    ) -> None:
        body = definition(name, status=status, cwd=cwd, retry=retry, timeoutMinutes=minutes)
        self.command(definitions.create if new else definitions.update, {"definition": body})

    @rule(
        name=st.sampled_from((*OURS, *OURS, "c")),
        schedule=schedules,
        status=st.sampled_from(["ACTIVE", "ACTIVE", "PAUSED"]),
        retry=policies,
        minutes=st.sampled_from([5, 90]),
    )
    def define_ours(
        self, name: str, schedule: dict[str, Any], status: str, retry: dict[str, Any] | None, minutes: int
    ) -> None:
        body: dict[str, Any] = {
            "adoptionKey": self.key(),
            "routine": families.routine(schedule, name, status=status, retry=retry, timeoutMinutes=minutes),
        }
        rows = self.bench.rows(f"SELECT revision FROM definitions WHERE id = '{name}' AND tombstoned_at IS NULL")
        if rows:
            self.command(desktop_routines.revise, {**body, "expectedRevision": rows[0][0]})
        else:
            self.command(desktop_routines.create, body)

    @rule(name=st.sampled_from(OURS), ends=st.sampled_from([{}, {"maxRuns": 5}, {"maxRuns": None, "until": None}]))
    def enable(self, name: str, ends: dict[str, Any]) -> None:
        rows = self.bench.rows(f"SELECT revision FROM definitions WHERE id = '{name}'")
        if rows:
            body = {"adoptionKey": self.key(), "automationId": name, "expectedRevision": rows[0][0], **ends}
            self.command(desktop_routines.enable, body)

    @rule(name=routine, what=st.sampled_from(["pause", "activate", "activate", "disable", "tombstone"]))
    def move(self, name: str, what: str) -> None:
        rows = self.bench.rows(f"SELECT revision FROM definitions WHERE id = '{name}'")
        if rows:
            body = {"adoptionKey": self.key(), "id": name, "expectedRevision": rows[0][0]}
            self.command(getattr(versioned, what), body)

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

    @rule(time=st.sampled_from([None, SECOND, 6 * MINUTE, HOUR]))
    def pause_all(self, time: int | None) -> None:
        until = None if time is None else timestamps.to_text(self.bench.clock.wall() + time)
        self.command(pausing.pause_all, {"adoptionKey": self.key(), "until": until})

    @rule()
    def resume_all(self) -> None:
        self.command(pausing.resume_all, {"adoptionKey": self.key()})

    @rule(name=routine)
    def release(self, name: str) -> None:
        self.command(quarantine.unquarantine, {"id": name})

    def open_work(self, condition: str = "1") -> list[tuple[Any, ...]]:
        """Occurrence, run and latest attempt of what is not settled, as far as the condition holds."""
        return self.bench.rows(
            "SELECT o.id, r.id, a.id, a.attempt_number, a.state, r.session_id FROM occurrences o"
            " LEFT JOIN runs r ON r.occurrence_id = o.id LEFT JOIN attempts a ON a.run_id = r.id AND a.attempt_number ="
            " (SELECT max(l.attempt_number) FROM attempts l WHERE l.run_id = r.id)"
            " WHERE o.state IN ('planned', 'claimed', 'running', 'recovery_required')"
            f" AND {condition} ORDER BY o.number DESC"
        )

    @precondition(lambda self: self.open_work("a.state = 'failed'"))
    @rule(data=st.data(), right=st.sampled_from([True, True, True, False]))
    def retry(self, data: st.DataObject, right: bool) -> None:
        _, run_id, _, number, _, _ = data.draw(st.sampled_from(self.open_work("a.state = 'failed'")))
        body = self.bench.strict(
            "attempt.retry.v1", runId=run_id, priorAttemptNumber=number + (not right), priorDisposition="failed"
        )
        self.command(recovery.retry_attempt, body)

    @precondition(lambda self: self.open_work("o.state = 'recovery_required'"))
    @rule(data=st.data(), determination=st.sampled_from(["retry_with_new_attempt", "failed_deterministic"]))
    def recover(self, data: st.DataObject, determination: str) -> None:
        occurrence_id, *_ = data.draw(st.sampled_from(self.open_work("o.state = 'recovery_required'")))
        body = self.bench.strict(
            "occurrence.recover.v1", occurrenceId=occurrence_id, evidenceDetermination=determination
        )
        self.command(recovery.recover, body)

    @precondition(lambda self: self.open_work("a.state = 'ambiguous'"))
    @rule()
    def retry_what_is_ambiguous(self) -> None:
        _, run_id, _, number, _, _ = self.open_work("a.state = 'ambiguous'")[0]
        body = self.bench.strict("attempt.retry.v1", runId=run_id, priorAttemptNumber=number, priorDisposition="failed")
        self.command(recovery.retry_attempt, body)

    @rule(data=st.data(), what=st.sampled_from(["run", "occurrence", "attempt"]))
    def cancel(self, data: st.DataObject, what: str) -> None:
        rows = self.open_work()
        if not rows:
            return
        occurrence_id, run_id, attempt_id, _, _, session_id = data.draw(st.sampled_from(rows))
        if what == "occurrence" or run_id is None:
            body = self.bench.strict("occurrence.cancel.v1", occurrenceId=occurrence_id)
            self.command(cancellation.cancel_occurrence, body)
        elif what == "attempt":
            body = self.bench.strict("attempt.cancel.v1", attemptId=attempt_id)
            self.command(cancellation.cancel_attempt, body)
        else:
            body = self.bench.strict(
                "run.cancel.v1",
                runId=run_id,
                attemptId=attempt_id,
                runtimeCorrelation={"sessionId": session_id or "none"},
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

    @rule(time=st.sampled_from([SECOND, 31 * SECOND, 31 * SECOND, 6 * MINUTE, HOUR, HOUR, 26 * HOUR]))
    def wait(self, time: int) -> None:
        # in one stride: from timer to timer is what the timer's tests go
        self.bench.clock.advance(time)
        self.bench.turn()

    @rule(time=st.sampled_from([-3 * HOUR, -SECOND, SECOND, 2 * HOUR]))
    def set_clock(self, time: int) -> None:
        self.bench.clock.jump(time)
        self.bench.advance(6 * SECOND)

    # what the machine does

    @rule(
        time=st.sampled_from([SECOND, 31 * SECOND, 6 * MINUTE, HOUR, HOUR, 26 * HOUR]),
        network=st.booleans(),
        told=st.sampled_from(["before and after", "after", "after", "never"]),
    )
    def sleep(self, time: int, network: bool, told: str) -> None:
        self.bench.network = network
        if told == "before and after":
            self.bench.engine.fall_asleep()
        self.bench.sleep(time)
        if network:
            # an earlier wait for it is over as soon as the engine looks
            self.settles_until = 0
        if told == "never":
            self.bench.advance(6 * SECOND)
            return
        if not network:
            self.settles_until = self.bench.clock.monotonic() + 20 * SECOND
        self.bench.engine.resumed()
        self.bench.turn()

    @rule()
    def network_is_back(self) -> None:
        self.bench.network = True
        self.settles_until = 0
        self.bench.advance(SECOND)

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
    @rule(data=st.data(), failure_class=refusals, proven=st.sampled_from([True, True, False]))
    def session_is_refused(self, data: st.DataObject, failure_class: FailureClass, proven: bool) -> None:
        session = data.draw(st.sampled_from(self.starting()))
        self.bench.runtime.fail_start(session, LaunchRefused(failure_class, "no", proven))
        del self.bench.runtime.launches[session]
        self.bench.turn()

    @rule(failure_class=refusals, refuse=st.booleans())
    def launches_are_refused_from_now_on(self, failure_class: FailureClass, refuse: bool) -> None:
        self.bench.runtime.refuse = LaunchRefused(failure_class, "not now") if refuse else None

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
        self.settles_until = 0
        self.open()
        self.bench.start()

    def key(self) -> str:
        """A key that was never used."""
        return str(self.bench.strict("none")["adoptionKey"])

    def command(self, command: Any, body: dict[str, Any]) -> None:
        with contextlib.suppress(Refusal):
            command(self.bench.engine, body)
        self.bench.turn()
