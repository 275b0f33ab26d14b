"""The care for the database file: checked in the background, backed up every day in slices.

A check is due after an end that was not clean, and weekly. When it finds damage the storage is degraded: reads
go on, nothing is dispatched any more, and window, health and doctor say so (design/architecture.md, State).
"""

from __future__ import annotations

import logging

from coven_desktop.clock import Cancellable
from coven_desktop.contract.errors import Refusal
from coven_desktop.engine.answers import Answer, Outcome, Pending
from coven_desktop.engine.core import Core
from coven_desktop.store import backup, integrity, maintenance
from coven_desktop.store.errors import StoreBug, StoreFault

_log = logging.getLogger(__name__)

STEP_MS = 20
LOOK_MS = 3_600_000
STORAGE = "storage"


class Upkeep:
    """The checks and backups of one engine. Everything but the reading of a check is in the loop's thread."""

    def __init__(self, core: Core) -> None:
        self._core = core
        self._check: integrity.BackgroundCheck | None = None
        self._backup: backup.Backup | None = None
        self._asked: list[Pending] = []
        self._timer: Cancellable | None = None

    def start(self) -> None:
        """Note that the database is in use, and begin what is due."""
        core = self._core
        clean = integrity.begin(core.store.connection, core.clock.wall())
        core.storage_sound = maintenance.get(core.store, STORAGE) != "degraded"
        self._look(clean)

    def stop(self) -> None:
        """Give up what is under way, and note that the database was put away properly."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._check is not None:
            self._check.cancel()
            self._check = None
        if self._backup is not None:
            self._backup.abandon()
            self._backup = None
            self._tell(Refusal("Coven Desktop ends, and the backup was given up."))
        integrity.end(self._core.store.connection, self._core.clock.wall())

    def back_up_now(self) -> Pending:
        """Make a backup that is kept as the person's own, after the day's if that is under way. Payload: `path`.

        Asked for twice at once, one is made.
        """
        asked = Pending()
        self._asked.append(asked)
        if self._backup is None:
            self._begin_by_hand()
            if self._timer is not None:
                self._timer.cancel()
            self._again()
        return asked

    def _begin_by_hand(self) -> None:
        core = self._core
        try:
            self._backup = backup.Backup(core.store.connection, core.home.backups, now=core.clock.wall(), by_hand=True)
        except (StoreFault, StoreBug) as fault:
            self._tell(fault)

    def _tell(self, outcome: Outcome) -> None:
        asked, self._asked = self._asked, []
        for one in asked:
            one.complete(outcome)

    def _look(self, clean: bool) -> None:
        core = self._core
        now = core.clock.wall()
        depth = integrity.due(core.store.connection, now, clean=clean)
        if depth is not None and self._check is None:
            self._check = integrity.BackgroundCheck(
                core.home.database, depth, deliver=core.loop.call_soon, found=self._found
            )
        try:
            if backup.is_due(core.home.backups, now):
                self._backup = backup.Backup(core.store.connection, core.home.backups, now=now)
        except (StoreFault, StoreBug) as fault:
            _log.error("the daily backup cannot begin: %s", fault)
        self._again()

    def _again(self) -> None:
        wait = STEP_MS if self._backup is not None else LOOK_MS
        self._timer = self._core.loop.call_at(self._core.clock.monotonic() + wait, self._go_on)

    def _go_on(self) -> None:
        if self._backup is None:
            self._look(clean=True)
            return
        made = self._backup
        try:
            if made.step():
                self._backup = None
                if made.by_hand:
                    self._tell(Answer({"path": str(made.path)}))
                elif self._asked:
                    self._begin_by_hand()
        except (StoreFault, StoreBug) as fault:
            _log.error("the backup failed and will be tried again: %s", fault)
            self._backup = None
            self._tell(fault)
        self._again()

    def _found(self, finding: integrity.Finding) -> None:
        core = self._core
        self._check = None
        try:
            integrity.record(core.store.connection, finding, core.clock.wall())
        except StoreFault as fault:
            _log.error("the check of the database cannot be recorded and will be done again: %s", fault)
        if finding.fault is not None:
            _log.error("the database could not be checked: %s", finding.fault)
            return
        for problem in finding.problems:
            _log.error("the database is damaged: %s", problem)
        sound = finding.sound
        if sound != core.storage_sound:
            with core.change() as tx:
                maintenance.put(tx, STORAGE, "ok" if sound else "degraded")
            core.storage_sound = sound
            core.wake()
