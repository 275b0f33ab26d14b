"""Sessions that live and of which the store knows nothing: an older backup was put in place while they ran.

What they do was begun once and may be planned a second time, for the store has forgotten it. They are never ended
unasked and never taken for something they may not be: they are told, and until such a session has ended nothing of
its routine is started beside it (store/occurrences.py). Its run stays unknown for good: no row is invented for it.
"""

from __future__ import annotations

import logging

from coven_desktop.engine.core import Core, StaleLeadership
from coven_desktop.runtime.sessions import Ended
from coven_desktop.store import runs, unknown_sessions
from coven_desktop.store.errors import StoreFault
from coven_desktop.store.unknown_sessions import UnknownSession

_log = logging.getLogger(__name__)


class UnknownSessions:
    """Those of this engine's home."""

    def __init__(self, core: Core) -> None:
        self._core = core
        self._living: dict[str, UnknownSession] = {}

    def look(self) -> None:
        """Find them, before anything is claimed, and watch for their end."""
        for host in self._core.runtime.live_hosts():
            if runs.session(self._core.store, host.session_id) is not None:
                continue
            found = UnknownSession(host.session_id, host.pid, host.automation_id)
            self._living[found.session_id] = found
            _log.warning(
                "session %s of %s runs (process %d) and the database knows nothing of it, as after a restored backup;"
                " nothing else of its routine starts until it has ended",
                found.session_id,
                found.automation_id or "a routine that it does not name",
                found.process,
            )
        self._write()
        for session_id in self._living:
            self._core.runtime.attach(session_id, ended=self._ended)

    def _ended(self, report: Ended) -> None:
        outcome = report.evidence.outcome if report.evidence is not None else "no evidence"
        _log.info("session %s, which the database does not know, has ended: %s", report.session_id, outcome)
        del self._living[report.session_id]
        self._write()
        self._core.wake()

    def _write(self) -> None:
        try:
            with self._core.change() as tx:
                unknown_sessions.put(tx, list(self._living.values()))
        except (StoreFault, StaleLeadership) as fault:
            # at worst the next start finds that it has ended
            _log.error("which unknown sessions run cannot be recorded: %s", fault)
