"""The runtime of a case: it starts nothing, counts what it was asked for, and tells of sessions what the case wants.

It keeps the promises of the `Runtime` protocol: reports come from the loop, never inside a call.
"""

from __future__ import annotations

from collections.abc import Callable

from coven_desktop.clock import Clock, Loop
from coven_desktop.runtime.evidence import Evidence
from coven_desktop.runtime.seam import Delivered, Deliveries, DeliveryOrder
from coven_desktop.runtime.secrets import Question, Reply
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

_PID = 2


class StandInDeliveries:
    """Writes nothing, and says at once that all is written."""

    def __init__(self, loop: Loop) -> None:
        self._loop = loop

    def begin(self, order: DeliveryOrder, done: Callable[[Delivered], None]) -> None:
        """See `Deliveries`."""
        self._loop.call_soon(lambda: done(Delivered(None)))

    def finish(self) -> None:
        """See `Deliveries`."""


class StandIn:
    """Every launch starts at once. A session ends only when the case says so; after a restart it is found vanished."""

    def __init__(self, loop: Loop, clock: Clock) -> None:
        self._loop = loop
        self._clock = clock
        self._watchers: dict[str, Callable[[Ended], None]] = {}
        self._stops: dict[str, Callable[[Stopped], None]] = {}
        self.launched: list[LaunchSpec] = []
        self.alive: set[str] = set()
        self.stop_count = 0
        self.deliveries: Deliveries = StandInDeliveries(loop)

    def check(self, runtime: str, cwd: str | None) -> None:
        """See `Runtime`: whatever a case names can be started."""

    def launch(
        self,
        spec: LaunchSpec,
        *,
        started: Callable[[Started], None],
        refused: Callable[[LaunchRefused], None],
        ended: Callable[[Ended], None],
    ) -> None:
        """See `Runtime`."""
        self.launched.append(spec)
        self.alive.add(spec.session_id)
        self._watchers[spec.session_id] = ended
        self._loop.call_soon(lambda: started(Started(spec.session_id, _PID, self._clock.wall())))

    def find(self, session_id: str) -> tuple[Found, Evidence | None]:
        """See `Runtime`."""
        return "alive" if session_id in self.alive else "vanished", None

    def live_hosts(self) -> tuple[LiveHost, ...]:
        """See `Runtime`."""
        return ()

    def executing(self, session_id: str) -> int | None:
        """See `Runtime`."""
        return _PID if session_id in self.alive else None

    def attach(self, session_id: str, *, ended: Callable[[Ended], None]) -> None:
        """See `Runtime`."""
        self._watchers[session_id] = ended

    def stop(self, session_id: str, *, stopped: Callable[[Stopped], None]) -> None:
        """See `Runtime`: the proof comes with `prove_stops`."""
        self.stop_count += 1
        self._stops[session_id] = stopped

    def known(self) -> tuple[KnownRuntime, ...]:
        """See `Runtime`: none by name."""
        return ()

    def problems(self) -> tuple[tuple[str | None, str], ...]:
        """See `Runtime`: none."""
        return ()

    def ask_keyring(self, question: Question, answered: Callable[[Reply], None], limit_ms: int) -> None:
        """See `Runtime`: there is no keyring."""
        self._loop.call_soon(lambda: answered(Reply("absent")))

    def forget(self, session_id: str) -> None:
        """See `Runtime`."""
        self._watchers.pop(session_id, None)

    def close(self) -> None:
        """See `Runtime`."""
        self._watchers.clear()
        self._stops.clear()

    # What a case makes happen; the engine is told in the next turn of the loop.

    def come_after(self, earlier: StandIn, *, alive: bool) -> None:
        """What an earlier app has launched was launched on this machine, and lives or has vanished meanwhile."""
        self.launched = earlier.launched
        self.alive = set(earlier.alive) if alive else set()

    def succeed(self, session_id: str) -> None:
        """The command ends by itself with exit code 0."""
        self.end(session_id, 0)

    def end(self, session_id: str, exit_code: int) -> None:
        """The command ends by itself."""
        self._end(Ended(session_id, self._evidence(session_id, exit_code)))

    def vanish(self, session_id: str) -> None:
        """The session is gone and has left no evidence."""
        self._end(Ended(session_id, None))

    def prove_stops(self) -> None:
        """The sessions that are being stopped are gone, and their evidence proves it."""
        for session_id, stopped in list(self._stops.items()):
            evidence = self._evidence(session_id, None)
            report = Stopped(session_id, True, evidence, "")
            self._loop.call_soon(lambda stopped=stopped, report=report: stopped(report))  # type: ignore[misc]
            self._end(Ended(session_id, evidence))
        self._stops.clear()

    def _end(self, report: Ended) -> None:
        self.alive.discard(report.session_id)
        watcher = self._watchers.pop(report.session_id, None)
        if watcher is not None:
            self._loop.call_soon(lambda: watcher(report))

    def _evidence(self, session_id: str, exit_code: int | None) -> Evidence:
        """Without an exit code the command was stopped."""
        now, stopped = self._clock.wall(), exit_code is None
        return Evidence(
            session_id=session_id,
            attempt_id=next(spec.attempt_id for spec in self.launched if spec.session_id == session_id),
            boot_id="",
            outcome="signalled" if stopped else "exited",
            exit_code=exit_code,
            signal=15 if stopped else None,
            refusal=None,
            started_at=now,
            ended_at=now,
            stop_reason="requested" if stopped else None,
            quiescent=True,
            leftovers=(),
            output_bytes=0,
            output_dropped=0,
            output_sha256="",
        )
