"""Keeping history within the limit that the person has set; without a limit everything is kept (decisions.md 36).

Some time after the start, and then every few hours, a look goes through what is old, in slices between which the loop
goes on: occurrences settled longer ago than the limit are deleted, free pages of the file are given back, and folders
of sessions that are gone are removed. Rows go first and their files after the commit; what a crash leaves in between
is found as a folder that belongs to nobody at the next look.
"""

from __future__ import annotations

import logging
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from coven_desktop.clock import Cancellable
from coven_desktop.contract import timestamps
from coven_desktop.engine.core import Core, StaleLeadership
from coven_desktop.engine.feed import KEPT_MS
from coven_desktop.settings import MINIMUM_RETENTION_DAYS
from coven_desktop.store import feed, retention
from coven_desktop.store.errors import StoreFault

_log = logging.getLogger(__name__)

DAY_MS = 86_400_000
# A look begins only when the clocks have agreed for so long: what is old by a clock set wrong must not be deleted.
SETTLE_MS = 10 * 60_000
AGAIN_MS = 6 * 3_600_000
JUMP_MS = 2_000
# The loop is held for so long at a stretch and then rests (design/architecture.md, One interpreter lock).
STRETCH_MS = 3
REST_MS = 20
# Looked at in one slice, of which two or three are deleted in a stretch; checkpoints put away, pages of the file given
# back in one.
OCCURRENCES = 16
CHECKPOINTS = 500
PAGES = 32
SESSION_PREFIX = "session-"


class Retention:
    """The looks of one engine, all in the loop's thread. With `days` None it never does anything."""

    def __init__(self, core: Core, days: int | None) -> None:
        self._check(days)
        self._core = core
        self._started = False
        self._days = days
        self._timer: Cancellable | None = None
        self._steps: Iterator[None] | None = None
        self._offset = 0
        self._until = 0

    def start(self) -> None:
        """Arm the first look."""
        self._started = True
        if self._days is not None:
            self._wait(SETTLE_MS)

    def keep(self, days: int | None) -> None:
        """Another limit, from now on: a look that is under way is given up, and the next one goes by it."""
        if days == self._days:
            return
        self._check(days)
        self._days = days
        if self._started:
            self.stop()
            self.start()

    @staticmethod
    def _check(days: int | None) -> None:
        if days is not None and days < MINIMUM_RETENTION_DAYS:
            raise ValueError(f"history is kept for at least {MINIMUM_RETENTION_DAYS} days")

    def stop(self) -> None:
        """Leave off; a later look goes on."""
        self._started = False
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._steps = None

    def _wait(self, milliseconds: int) -> None:
        self._offset = self._core.clock.wall() - self._core.clock.monotonic()
        self._timer = self._core.loop.call_at(self._core.clock.monotonic() + milliseconds, self._look)

    def _look(self) -> None:
        if abs(self._core.clock.wall() - self._core.clock.monotonic() - self._offset) > JUMP_MS:
            self._wait(SETTLE_MS)
        else:
            self._steps = self._all(self._core.clock.wall() - (self._days or 0) * DAY_MS)
            self._go_on()

    def _go_on(self) -> None:
        if self._steps is None:
            return
        self._until = self._core.clock.monotonic() + STRETCH_MS
        try:
            # a damaged file is left as it is
            for _ in self._steps if self._core.storage_sound else ():
                self._timer = self._core.loop.call_at(self._core.clock.monotonic() + REST_MS, self._go_on)
                return
        except StaleLeadership:
            _log.info("what is old is left to the engine that leads now")
            self._steps = None
            return
        except (StoreFault, OSError) as fault:
            _log.error("what is old cannot be deleted yet: %s", fault)
        except Exception:  # noqa: BLE001 - a mistake of ours here must not stop the scheduler
            _log.exception("what is old could not be deleted")
        self._steps = None
        self._wait(AGAIN_MS)

    def _is_over(self) -> bool:
        """Whether this stretch has taken its time."""
        return self._core.clock.monotonic() >= self._until

    def _all(self, before: int) -> Iterator[None]:
        """One look. Each step of the iteration is one slice of its work."""
        yield from self._prune(timestamps.to_text(before))
        yield from self._shrink()
        yield from self._clear(before)

    def _prune(self, settled_before: str) -> Iterator[None]:
        count = 0
        place: retention.Place | None = retention.BEGINNING
        while place is not None:
            sessions: list[str] = []
            with self._core.change() as tx:
                # what an expired checkpoint has not read is not kept for it
                feed.put_away(tx, kept_since=timestamps.to_text(tx.now - KEPT_MS), limit=CHECKPOINTS)
                page = retention.walk(tx, settled_before, place, OCCURRENCES)
                place = page.next
                for here, occurrence_id in page.prunable:
                    if self._may_live(retention.unended_sessions(tx, occurrence_id)):
                        continue
                    sessions += retention.prune(tx, occurrence_id)
                    count += 1
                    if self._is_over():
                        place = here
                        break
            yield
            for session_id in sessions:
                _remove(self._core.home.session(session_id).root)
                if self._is_over():
                    yield
        if count:
            _log.info("%d occurrences settled before %s were deleted", count, settled_before)

    def _may_live(self, session_ids: list[str]) -> bool:
        return any(self._core.runtime.find(session_id)[0] == "alive" for session_id in session_ids)

    def _shrink(self) -> Iterator[None]:
        free = retention.free_pages(self._core.store)
        while free:
            with self._core.change() as tx:
                retention.give_back(tx, PAGES)
                left = retention.free_pages(tx)
            if left >= free:
                return
            free = left
            yield

    def _clear(self, before: int) -> Iterator[None]:
        """Remove old folders that belong to no session. Younger ones stay: a restored backup may not know them."""
        # files bear the machine's own time, also when the clock is shifted
        before -= self._core.clock.shift_ms
        with os.scandir(self._core.home.sessions) as entries:
            for entry in entries:
                if self._is_over():
                    yield
                if not entry.name.startswith(SESSION_PREFIX) or not entry.is_dir(follow_symlinks=False):
                    continue
                if retention.is_session(self._core.store, entry.name) or self._may_live([entry.name]):
                    continue
                folder = Path(entry.path)
                if _newest(folder) < before:
                    _remove(folder)


def _newest(folder: Path) -> int:
    """When the folder or anything in it was last written, UTC milliseconds by the machine's own clock."""
    with os.scandir(folder) as entries:
        times = [entry.stat(follow_symlinks=False).st_mtime_ns for entry in entries]
    return max([os.stat(folder).st_mtime_ns, *times]) // 1_000_000


def _remove(folder: Path) -> None:
    """Remove a session's folder with its files. What cannot be removed is told, and tried again by a later look."""
    try:
        shutil.rmtree(folder)
    except FileNotFoundError:
        pass  # a session that was refused before it was launched has none
    except OSError as error:
        _log.warning("the folder %s cannot be removed: %s", folder, error.strerror)
