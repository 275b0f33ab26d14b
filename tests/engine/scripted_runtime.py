"""A runtime that does what the test says: launches are recorded, and every report is made by hand.

It keeps the promises of the `Runtime` protocol (reports come from the loop, never inside a call), so that
the engine under test is driven exactly as by real processes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from coven_desktop.clock import Clock, Loop
from coven_desktop.runtime.evidence import Evidence, Leftover, Outcome, Refusal, StopReason
from coven_desktop.runtime.seam import Delivered, DeliveryOrder
from coven_desktop.runtime.secrets import Question, Reply, State
from coven_desktop.runtime.sessions import (
    Ended,
    Found,
    KnownRuntime,
    LaunchRefused,
    LaunchSpec,
    LiveHost,
    Started,
    Stopped,
)


@dataclass
class Launch:
    """One launch and the callbacks it was given."""

    spec: LaunchSpec
    started: Callable[[Started], None]
    refused: Callable[[LaunchRefused], None]
    ended: Callable[[Ended], None]


@dataclass
class World:
    """What outlives an engine: the sessions as they are on the machine."""

    found: dict[str, tuple[Found, Evidence | None]] = field(default_factory=dict)
    launched: list[LaunchSpec] = field(default_factory=list)
    stops: list[str] = field(default_factory=list)
    executing: set[str] = field(default_factory=set)
    secrets: dict[str, str] = field(default_factory=dict)
    orders: list[DeliveryOrder] = field(default_factory=list)


class ScriptedDeliveries:
    """Deliveries as a test wants them: each comes to `answer` in the next turn, or, when that is None, to `tell`."""

    def __init__(self, runtime: ScriptedRuntime) -> None:
        self._runtime = runtime
        self.answer: Delivered | None = Delivered(None)
        self._waiting: dict[str, Callable[[Delivered], None]] = {}

    def begin(self, order: DeliveryOrder, done: Callable[[Delivered], None]) -> None:
        """See `Deliveries`."""
        self._runtime.world.orders.append(order)
        self._waiting[order.run_id] = done
        if self.answer is not None:
            self.tell(self.answer)

    def finish(self) -> None:
        """See `Deliveries`: none comes to its end by itself."""

    def tell(self, what: Delivered) -> None:
        """What became of the one that was begun last."""
        done = self._waiting.pop(self._runtime.world.orders[-1].run_id)
        self._runtime.later(lambda: done(what))

    def now(self, what: Delivered) -> None:
        """The same at once, as the app ends."""
        self._waiting.pop(self._runtime.world.orders[-1].run_id)(what)


class ScriptedRuntime:
    """The runtime floor as a test wants it. With `automatic` every launch starts at once."""

    def __init__(self, loop: Loop, clock: Clock, world: World | None = None, *, automatic: bool = True) -> None:
        self.loop = loop
        self.clock = clock
        self.world = world or World()
        self.automatic = automatic
        self.refuse: LaunchRefused | None = None
        self.runtimes: tuple[KnownRuntime, ...] = ()
        self.runtime_problems: tuple[tuple[str | None, str], ...] = ()
        self.keyring_state: State = "ready"
        self.asked: list[Question] = []
        self.on_launch: Callable[[LaunchSpec], None] = lambda spec: None
        self.on_stop: Callable[[str], None] = lambda session_id: None
        self.closed = False
        self.launches: dict[str, Launch] = {}
        self.watched: dict[str, Callable[[Ended], None]] = {}
        self.stopping: dict[str, Callable[[Stopped], None]] = {}
        self.deliveries = ScriptedDeliveries(self)

    def check(self, runtime: str, cwd: str | None) -> None:
        """See `Runtime`."""
        if self.refuse is not None:
            raise self.refuse

    def launch(
        self,
        spec: LaunchSpec,
        *,
        started: Callable[[Started], None],
        refused: Callable[[LaunchRefused], None],
        ended: Callable[[Ended], None],
    ) -> None:
        """See `Runtime`."""
        self.on_launch(spec)
        self.world.launched.append(spec)
        self.world.found[spec.session_id] = ("alive", None)
        self.launches[spec.session_id] = Launch(spec, started, refused, ended)
        if self.automatic:
            self.start(spec.session_id)

    def find(self, session_id: str) -> tuple[Found, Evidence | None]:
        """See `Runtime`."""
        return self.world.found.get(session_id, ("never_started", None))

    def live_hosts(self) -> tuple[LiveHost, ...]:
        """See `Runtime`. Of a session that was launched in a past before this world nothing but its state is known."""
        of = {spec.session_id: spec for spec in self.world.launched}
        return tuple(
            LiveHost(session_id, 4242, of[session_id].automation_id, of[session_id].run_id)
            for session_id, (found, _) in self.world.found.items()
            if found == "alive" and session_id in of
        )

    def executing(self, session_id: str) -> int | None:
        """See `Runtime`."""
        return 4242 if session_id in self.world.executing else None

    def attach(self, session_id: str, *, ended: Callable[[Ended], None]) -> None:
        """See `Runtime`."""
        self.watched[session_id] = ended

    def stop(self, session_id: str, *, stopped: Callable[[Stopped], None]) -> None:
        """See `Runtime`."""
        self.on_stop(session_id)
        self.world.stops.append(session_id)
        self.stopping[session_id] = stopped

    def known(self) -> tuple[KnownRuntime, ...]:
        """See `Runtime`."""
        return self.runtimes

    def problems(self) -> tuple[tuple[str | None, str], ...]:
        """See `Runtime`."""
        return self.runtime_problems

    def ask_keyring(self, question: Question, answered: Callable[[Reply], None], limit_ms: int) -> None:
        """See `Runtime`: a keyring that is as `keyring_state` says, with what `world.secrets` holds."""
        self.asked.append(question)
        self.later(lambda: answered(self._keyring_answer(question)))

    def _keyring_answer(self, question: Question) -> Reply:
        if self.keyring_state != "ready":
            return Reply(self.keyring_state, detail="out of order")
        for name in question.names:
            if question.ask == "set":
                self.world.secrets[name] = question.value or ""
            elif question.ask == "delete":
                self.world.secrets.pop(name, None)
        kept = {name: self.world.secrets[name] for name in question.names if name in self.world.secrets}
        return Reply("ready", kept if question.ask == "get" else {}, "a keyring of the test")

    def forget(self, session_id: str) -> None:
        """See `Runtime`."""
        self.watched.pop(session_id, None)

    def close(self) -> None:
        """See `Runtime`."""
        self.closed = True
        self.watched.clear()
        self.launches.clear()
        self.stopping.clear()

    def later(self, report: Callable[[], None]) -> None:
        """Tell the engine in the next turn of the loop, unless the runtime is closed by then."""
        self.loop.call_soon(lambda: None if self.closed else report())

    # What the test makes happen.

    def start(self, session_id: str) -> None:
        """The command is executed; the report comes with the next turn of the loop."""
        launch = self.launches[session_id]
        self.world.executing.add(session_id)
        self.watched[session_id] = launch.ended
        self.later(lambda: launch.started(Started(session_id, 4242, self.clock.wall())))

    def fail_start(self, session_id: str, refusal: LaunchRefused) -> None:
        """The launch is refused; when it is not proven that nothing ran, the session may be found as the test says."""
        launch = self.launches[session_id]
        if refusal.proven_no_process:
            self.world.found[session_id] = ("never_started", None)
        self.later(lambda: launch.refused(refusal))

    def evidence(
        self,
        session_id: str,
        *,
        outcome: Outcome = "exited",
        exit_code: int | None = 0,
        stop_reason: StopReason | None = None,
        ended_at: int | None = None,
        quiescent: bool = True,
        refusal: Refusal | None = None,
        leftovers: tuple[Leftover, ...] = (),
    ) -> Evidence:
        """An evidence document as the session host would write it now."""
        return Evidence(
            session_id=session_id,
            attempt_id="",
            boot_id="boot",
            outcome=outcome,
            exit_code=exit_code if outcome == "exited" else None,
            signal=15 if outcome == "signalled" else None,
            refusal=refusal,
            started_at=None if outcome == "refused" else self.clock.wall(),
            ended_at=self.clock.wall() if ended_at is None else ended_at,
            stop_reason=stop_reason,
            quiescent=quiescent,
            leftovers=leftovers,
            output_bytes=0,
            output_dropped=0,
            output_sha256="",
        )

    def end(self, session_id: str, evidence: Evidence | None) -> None:
        """The host is gone; without evidence it vanished."""
        self.world.found[session_id] = ("ended", evidence) if evidence is not None else ("vanished", None)
        watcher = self.watched.pop(session_id, None)
        if watcher is not None:
            self.later(lambda: watcher(Ended(session_id, evidence)))

    def confirm_stop(self, session_id: str, evidence: Evidence | None = None) -> None:
        """The stop is proven: `stopped` comes, then the session's `ended`."""
        proof = evidence or self.evidence(session_id, outcome="signalled", stop_reason="requested")
        stopped = self.stopping.pop(session_id)
        self.later(lambda: stopped(Stopped(session_id, True, proof, "")))
        self.end(session_id, proof)

    def answer_stop(self, session_id: str, evidence: Evidence | None, *, confirmed: bool) -> None:
        """The runtime answers the stop as it likes; what becomes of the session is another matter."""
        stopped = self.stopping.pop(session_id)
        self.later(lambda: stopped(Stopped(session_id, confirmed, evidence, "")))

    def leave_stop_open(self, session_id: str) -> None:
        """The runtime's own time for the proof is over."""
        stopped = self.stopping.pop(session_id)
        self.later(lambda: stopped(Stopped(session_id, False, None, "the host still lives")))
