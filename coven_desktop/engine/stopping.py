"""Stopping a session: by the deadline or by a cancellation, by exactly one of them, and with proof.

Whoever stops holds the run's stop fence, taken and committed before the stop is issued. The stop ends in
the proof (the session's evidence), or, when its time is over, in "not confirmed": then the person decides
(contract/engine.md §8.4, contract/commands.md §4.5, decisions.md 18).
"""

from __future__ import annotations

import logging

from coven_desktop.contract import timestamps
from coven_desktop.engine.core import STOP_FENCE_MS, Core
from coven_desktop.engine.sessions import Sessions
from coven_desktop.runtime.sessions import Ended, Stopped
from coven_desktop.store import runs, stops
from coven_desktop.store.stops import StopFence
from coven_desktop.store.transactions import Transaction

_log = logging.getLogger(__name__)


class Stopping:
    """The stops under way."""

    def __init__(self, core: Core, sessions: Sessions) -> None:
        self._core = core
        self._sessions = sessions

    def take(self, tx: Transaction, run_id: str, owner: stops.Owner, attempt_id: str, session_id: str) -> bool:
        """Take the run's stop fence for 30 s; False when somebody holds it."""
        return stops.take(
            tx,
            run_id=run_id,
            owner=owner,
            attempt_id=attempt_id,
            session_id=session_id,
            expires_at=timestamps.to_text_capped(tx.now + STOP_FENCE_MS),
        )

    def issue(self, session_id: str) -> None:
        """Issue the stop of a session whose fence is committed."""
        self._core.runtime.stop(session_id, stopped=self._stopped)

    def enforce_deadline(self, run_id: str, not_before: int = 0) -> None:
        """Stop a run whose deadline has come, unless somebody is stopping it."""
        with self._core.change(not_before=not_before) as tx:
            if run_id not in runs.past_deadline(tx, tx.now_text):
                return
            attempt = runs.latest_attempt(tx, run_id)
            run = runs.get(tx, run_id)
            if run is None or attempt is None or run.session_id is None:
                return
            session_id = run.session_id
            taken = self.take(tx, run_id, "timeout", attempt.id, session_id)
        if taken:
            self.issue(session_id)

    def resume(self, fence: StopFence) -> None:
        """A stop of an earlier app on a session that still lives: it was asked for, so it is asked for again."""
        with self._core.change() as tx:
            stops.renew(tx, fence.run_id, timestamps.to_text_capped(tx.now + STOP_FENCE_MS))
        self.issue(fence.session_id)

    def expire(self) -> None:
        """End the stops whose time is over without an outcome: they are not confirmed."""
        for fence in stops.expired(self._core.store, timestamps.to_text(self._core.clock.wall())):
            # news that waits to be written will end this stop
            if not self._sessions.has_unwritten(fence.session_id):
                _log.info("stop of session %s by %s was not confirmed in time", fence.session_id, fence.owner)
                self._sessions.unknown(fence.session_id)

    def _stopped(self, report: Stopped) -> None:
        if report.evidence is not None:
            self._sessions.ended(Ended(report.session_id, report.evidence))
        elif report.confirmed:
            self._sessions.never_started(report.session_id)
        else:
            _log.info("stop of session %s was not confirmed: %s", report.session_id, report.detail)
            self._sessions.unknown(report.session_id)
