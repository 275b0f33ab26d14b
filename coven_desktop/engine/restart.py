"""What an engine finds when it starts: claims without a run, and sessions of an earlier app.

Live sessions are attached again, ended ones settle from their evidence, those that never started are taken
back, and vanished ones wait for the person. Nobody guesses (decisions.md 4; design/architecture.md, At restart). Live
ones that the store does not know are told, and hold their routine back (unknown_sessions.py).
"""

from __future__ import annotations

from coven_desktop.engine.core import Core
from coven_desktop.engine.sessions import Sessions
from coven_desktop.engine.stopping import Stopping
from coven_desktop.engine.unknown_sessions import UnknownSessions
from coven_desktop.runtime.sessions import Ended, Started
from coven_desktop.store import occurrences, runs, stops
from coven_desktop.store.runs import SessionRow

LOOK_AGAIN_MS = 100


class Restart:
    """The reconciliation at start, before the first pass."""

    def __init__(self, core: Core, sessions: Sessions, stopping: Stopping) -> None:
        self._core = core
        self._sessions = sessions
        self._stopping = stopping

    def reconcile(self) -> int:
        """Bring the state in line with what is there; returns how many claims were returned to planned."""
        with self._core.change() as tx:
            given_back = occurrences.claims_to_return(tx)
            for occurrence in given_back:
                occurrences.give_back(tx, occurrence.id, reason=occurrence.failure_reason)
        for session in runs.open_sessions(self._core.store):
            self._meet(session)
        UnknownSessions(self._core).look()
        return len(given_back)

    def _meet(self, session: SessionRow) -> None:
        found, evidence = self._core.runtime.find(session.id)
        if found == "alive":
            self._sessions.attach(session.id)
            self._record_start(session)
            fence = stops.fence(self._core.store, session.run_id)
            if fence is not None and fence.session_id == session.id:
                self._stopping.resume(fence)
        else:
            self._sessions.ended(Ended(session.id, evidence, found == "never_started"))

    def _record_start(self, session: SessionRow) -> None:
        """A host that lives may not have executed yet: its start is recorded once it says so."""
        if session.status != "created":
            return
        executing = self._core.runtime.executing(session.id)
        if executing is not None:
            self._sessions.started(session.run_id, Started(session.id, executing, self._core.clock.wall()))
            return

        def look_again() -> None:
            if self._core.stopped:
                return
            current = runs.session(self._core.store, session.id)
            if current is not None:
                self._record_start(current)

        self._core.loop.call_at(self._core.clock.monotonic() + LOOK_AGAIN_MS, look_again)
