"""What is done when the database file is moved away, replaced or cut short while it is open.

SQLite would go on writing into a file that no name leads to, and all of that would be gone at the next start. So the
store refuses every change (`Store.transaction`), and what was saved so far is copied into a backup at once: that is the
backup which the next start advises to restore. If the file comes back to its place, everything goes on. Of a file whose
end is gone there is nothing to copy: the backups there are stand for it.
"""

from __future__ import annotations

import logging

from coven_desktop.clock import Cancellable
from coven_desktop.contract import timestamps
from coven_desktop.engine.core import Core
from coven_desktop.store import backup, database, progress
from coven_desktop.store.errors import StoreBug, StoreFault

_log = logging.getLogger(__name__)

STEP_MS = 20


class Rescue:
    """Watches the place of the database; in the loop's thread."""

    def __init__(self, core: Core) -> None:
        self._core = core
        self._backup: backup.Backup | None = None
        self._timer: Cancellable | None = None
        self._away = False

    def look_at_backups(self) -> None:
        """Say so when a backup has come further than the database in its place. Asked before the lead is taken.

        So it is when an older file was put in the place of the one that was rescued. What is right the person knows.
        """
        core = self._core
        newer = progress.newer_backup(core.store.connection, core.home.backups)
        if newer is not None:
            _log.warning(
                "the backup %s of %s has come further than the database in its place, which is an older one. To go back"
                " to the backup, quit Coven Desktop, move %s away, and start again",
                newer.path,
                timestamps.to_text(newer.at),
                core.home.database,
            )

    def look(self) -> None:
        """See whether the file is in its place; asked every few seconds."""
        try:
            database.check_in_place(self._core.store.connection)
        except StoreFault as fault:
            if self._away:
                return
            self._away = True
            if fault.kind == "corrupt":
                _log.error("the database was cut short while it was in use: nothing is started. %s", fault.advice)
            else:
                _log.error("the database was moved away or replaced: nothing is started, and a backup is made at once")
                self._begin()
        else:
            if self._away:
                _log.warning("the database is in its place again")
            self._away = False

    def stop(self) -> None:
        """Give up what is under way."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._backup is not None:
            self._backup.abandon()
            self._backup = None

    def _begin(self) -> None:
        core = self._core
        try:
            self._backup = backup.Backup(core.store.connection, core.home.backups, now=core.clock.wall())
        except (StoreFault, StoreBug) as fault:
            _log.error("what the moved database holds cannot be backed up: %s", fault)
            return
        self._step()

    def _step(self) -> None:
        self._timer = None
        if self._backup is None:
            return
        try:
            done = self._backup.step()
        except (StoreFault, StoreBug) as fault:
            _log.error("what the moved database holds cannot be backed up: %s", fault)
            self._backup = None
            return
        if done:
            _log.warning("what the moved database holds is saved as the newest backup")
            self._backup = None
            return
        self._timer = self._core.loop.call_at(self._core.clock.monotonic() + STEP_MS, self._step)
