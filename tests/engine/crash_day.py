"""A day that can be cut off anywhere and lived to its end: routines, a machine, a person who looks on.

What the machine and the person do follows from what is there at an instant, never from what was done before in this
process: so a second process goes on where the first one was killed, knowing no more than the machine (`World`) and the
person (`Notes`) know. What happens on a day is told by the kinds of day: crash_days.py.
"""

from __future__ import annotations

import errno
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any, ClassVar

from coven_desktop import home as homes
from coven_desktop.contract.errors import Code, TypedRefusal
from coven_desktop.engine.answers import Answer, Pending
from coven_desktop.engine.commands import definitions
from coven_desktop.home import Home
from coven_desktop.loop.manual import START_MS, ManualClock
from coven_desktop.runtime.evidence import Refusal
from coven_desktop.runtime.launching import refusal_told
from coven_desktop.runtime.sessions import LaunchSpec
from coven_desktop.store.errors import StoreFault
from tests.engine.conftest import HOUR, SECOND, Bench
from tests.engine.happenings import empty_database

SLOT = START_MS + HOUR
# Seconds after the slot at which something is looked at; after what happens there is time to try again.
LOOKS = (-60, 0, 6, 12, 18, 24, 60, 62, 68, 74, 120, 126, 132, 180, 186, 192, 300, 302, 308, 314, 366)
MORE_LOOKS = 12
NO_PROCESS = Refusal("fork", errno.EAGAIN)

Wish = tuple[str, Callable[..., Answer | Pending], Callable[[], dict[str, Any] | None]]


@dataclass
class Notes:
    """What the person has asked for, to ask for it again, and what was answered."""

    asked: dict[str, dict[str, Any]] = field(default_factory=dict)
    answered: dict[str, str] = field(default_factory=dict)


class Day(Bench, ABC):
    """An engine on a home of its own, before or after the kill."""

    # its routines, which have one run each unless said otherwise
    routines: ClassVar[str]
    more_runs: ClassVar[int] = 0
    # what the person asks for, all in all
    answers: ClassVar[int]
    # whose commands are executed, by the number of the attempt
    executed: ClassVar[tuple[tuple[str, int], ...]]
    creator: ClassVar[Callable[..., Answer | Pending]] = staticmethod(definitions.create)

    def __init__(self, home: Home, clock: ManualClock) -> None:
        # what the disk holds is met by the first app that opens it
        super().__init__(home, clock, opened=False)
        self.automatic = False
        self.notes = Notes()
        self.pending: dict[str, Pending] = {}
        self.after_look: Callable[[], None] = lambda: None
        self.before_turn: Callable[[], None] = lambda: None

    # what makes the day

    @abstractmethod
    def no_process(self, automation_id: str, number: int) -> bool:
        """Whether no process can be made for this attempt of a routine."""

    @abstractmethod
    def command_goes_on(self, session_id: str, second: int) -> None:
        """A command that is executed, so many seconds after the slot: it ends by itself, or is stopped."""

    @abstractmethod
    def wishes(self, second: int) -> list[Wish]:
        """What the person wants at this instant besides the routines: its name, the command, its body when there is
        something to ask for.
        """

    @abstractmethod
    def creation(self, name: str) -> dict[str, Any]:
        """The routine as the person wants it."""

    # the machine

    def launch_of(self, session_id: str) -> tuple[LaunchSpec, int]:
        """What was launched, and the number of its attempt."""
        (spec,) = [one for one in self.world.launched if one.session_id == session_id]
        return spec, int(spec.attempt_id.rpartition("-")[2])

    def alive(self) -> list[str]:
        """The sessions whose host lives, oldest first."""
        return [spec.session_id for spec in self.world.launched if self.world.found[spec.session_id] == ("alive", None)]

    def host_goes_on(self, session_id: str) -> None:
        """A host that lives and has not executed its command: it does, or no process can be made."""
        spec, number = self.launch_of(session_id)
        refused = self.no_process(spec.automation_id, number)
        if session_id in self.runtime.launches:
            if refused:
                self.runtime.fail_start(session_id, refusal_told(NO_PROCESS, None, None))
            else:
                self.runtime.start(session_id)
        elif refused:
            evidence = self.runtime.evidence(session_id, outcome="refused", refusal=NO_PROCESS)
            self.runtime.end(session_id, evidence)
        else:
            self.world.executing.add(session_id)

    def hosts_go_on(self) -> bool:
        """Let all hosts go on that have not executed yet; whether there was one."""
        waiting = [one for one in self.alive() if one not in self.world.executing]
        for session_id in waiting:
            self.host_goes_on(session_id)
        return bool(waiting)

    def stop_is_proven(self, session_id: str) -> None:
        """The session is gone, to whoever asked for it or to whoever will look for it."""
        if session_id in self.runtime.stopping:
            self.runtime.confirm_stop(session_id)
        else:
            proof = self.runtime.evidence(session_id, outcome="signalled", stop_reason="requested")
            self.runtime.end(session_id, proof)

    # the person

    def ask(
        self, name: str, command: Callable[..., Answer | Pending], body: Callable[[], dict[str, Any] | None]
    ) -> None:
        """Ask for it, in the same words as before, until it is answered."""
        pending = self.pending.get(name)
        if pending is not None and pending.outcome is None:
            return
        try:
            if pending is not None:
                del self.pending[name]
                outcome: Answer | Pending | Exception = pending.outcome or pending
            else:
                if name not in self.notes.asked:
                    wanted = body()
                    if wanted is None:
                        return
                    self.notes.asked[name] = wanted
                outcome = command(self.engine, self.notes.asked[name])
            if isinstance(outcome, Exception):
                raise outcome
        except StoreFault:
            return
        except TypedRefusal as refusal:
            if refusal.code is not Code.CANCEL_PENDING:
                raise
            return
        if isinstance(outcome, Pending):
            self.pending[name] = outcome
            return
        self.notes.answered[name] = str(outcome.payload.get("status", "done"))

    def person(self, second: int) -> None:
        """What the person does at this instant."""
        creations: list[Wish] = [
            (f"create {name}", self.creator, partial(self.creation_body, name)) for name in self.routines
        ]
        for name, command, body in creations + self.wishes(second):
            if name not in self.notes.answered:
                self.ask(name, command, body)
                self.turn()

    def creation_body(self, name: str) -> dict[str, Any]:
        """What the person sends to have a routine."""
        return {"definition": self.creation(name), "intentId": f"intent-of-{name}"}

    def retry(self, name: str) -> dict[str, Any] | None:
        """The retry of the run of a routine that is shown as held, if it is by now."""
        shown = self.rows(
            "SELECT r.id, max(a.attempt_number), a.state FROM runs r JOIN attempts a ON a.run_id = r.id"
            f" WHERE r.automation_id = '{name}' AND r.status = 'running' GROUP BY r.id"
        )
        if not shown or shown[0][2] != "failed":
            return None
        ((run_id, number, _),) = shown
        return {
            "action": "coven.automations.attempt.retry.v1",
            "adoptionKey": f"adopt:retry:{name}",
            "runId": run_id,
            "priorAttemptNumber": number,
            "priorDisposition": "failed",
        }

    # the day

    def look(self) -> None:
        """Whatever is to be done at this instant, by the engine, the machine and the person."""
        second = (self.clock.wall() - SLOT) // SECOND
        self.turn()
        for _ in range(5):
            if not self.hosts_go_on():
                break
            self.turn()
        for session_id in self.alive():
            self.command_goes_on(session_id, second)
        self.turn()
        self.person(second)
        self.turn()
        self.after_look()

    def over(self) -> bool:
        """Whether all of it has come to its end."""
        return (
            self.clock.wall() >= SLOT + LOOKS[-1] * SECOND
            and len(self.notes.answered) == self.answers
            and not self.rows("SELECT 1 FROM runs WHERE status = 'running'")
            and self.value("SELECT count(*) FROM runs") == len(self.routines) + self.more_runs
        )

    def live(self) -> None:
        """From this instant to the end of the day."""
        self.look()
        for second in LOOKS:
            self.look_at(SLOT + second * SECOND)
        for _ in range(MORE_LOOKS):
            if self.over():
                return
            self.look_at(self.clock.wall() + 6 * SECOND)
        assert self.over(), (self.notes, self.end_state())

    def look_at(self, instant: int) -> None:
        """Let time pass to this instant, if it is not over."""
        if self.clock.wall() < instant:
            self.clock.advance(instant - self.clock.wall())
            self.before_turn()
            self.look()

    def end_state(self) -> dict[str, list[tuple[Any, ...]]]:
        """What the day has led to, without the names and instants that may differ."""
        return {
            name: self.rows(query)
            for name, query in {
                "runs": "SELECT o.id, o.scheduled_for, o.state, o.failure_reason, o.reason_class, r.status,"
                " r.exit_code, a.attempt_number, a.state, a.failure_class, a.state_reason, a.retry_classification,"
                " s.status, s.exit_code FROM occurrences o LEFT JOIN runs r ON r.occurrence_id = o.id"
                " LEFT JOIN attempts a ON a.run_id = r.id LEFT JOIN sessions s ON s.attempt_id = a.id"
                " ORDER BY o.id, a.attempt_number",
                "definitions": "SELECT id, revision, lifecycle, next_due_at, broken_reason FROM definitions ORDER BY 1",
                "counts": "SELECT automation_id, runs_counted, failures_in_a_row FROM schedule_state ORDER BY 1",
                "missed": "SELECT * FROM missed_spans ORDER BY 1",
                "cancellations": "SELECT adoption_key, state FROM cancellations",
                "commands": "SELECT command, outcome, count(*) FROM adoptions GROUP BY 1, 2 ORDER BY 1, 2",
                "stops": "SELECT * FROM stop_fences",
                "quarantines": "SELECT automation_id, consecutive_exhaustions, quarantined_at IS NOT NULL,"
                " failure_class, reason FROM retry_state",
            }.items()
        }


def new_home(home: Home) -> Home:
    """The home, prepared, with an empty database."""
    homes.prepare(home)
    home.database.write_bytes(empty_database())
    home.database.chmod(0o600)
    return home
