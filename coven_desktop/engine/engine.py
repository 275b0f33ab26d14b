"""The engine: takes the lead, reconciles, and then runs a pass whenever one is due.

A pass is due 60 s after the last one ended, at once when woken, and at the next instant that matters: a
slot, a lease end, a deadline, the end of a stop (decisions.md 1). All of it happens in the loop's thread.
"""

from __future__ import annotations

import logging
import uuid
from collections.abc import Callable, Iterator

from coven_desktop.clock import Cancellable, Clock, Loop
from coven_desktop.contract import timestamps
from coven_desktop.engine import pause_all
from coven_desktop.engine.cancellation import Waiting
from coven_desktop.engine.core import Core, StaleLeadership
from coven_desktop.engine.delivery import Deliveries
from coven_desktop.engine.event_waiters import EventWaiters
from coven_desktop.engine.local_timezone import normalise
from coven_desktop.engine.passes import LOST_AFTER_MS, Passes
from coven_desktop.engine.reads import Reads
from coven_desktop.engine.rescue import Rescue
from coven_desktop.engine.restart import Restart
from coven_desktop.engine.resume import Settling
from coven_desktop.engine.retention import Retention
from coven_desktop.engine.sessions import Sessions
from coven_desktop.engine.settlement import VANISHED
from coven_desktop.engine.stopping import Stopping
from coven_desktop.engine.upkeep import Upkeep
from coven_desktop.engine.zonedata import recompute_after_zone_change
from coven_desktop.home import Home
from coven_desktop.runtime.sessions import Runtime
from coven_desktop.settings import DEFAULT_MAX_CONCURRENT_RUNS, Settings
from coven_desktop.store import definitions, journal, occurrences, runs, scheduler, stops
from coven_desktop.store.errors import StoreFault
from coven_desktop.store.transactions import Notice, Store

_log = logging.getLogger(__name__)

PASS_INTERVAL_MS = 60_000
# The monotonic clock stands still while the machine sleeps: look at the wall clock this often. What a pass has seen
# and could not act on or could not write (a full disk) is tried again after as long, not in a tight loop.
LOOK_MS = 5_000
JUMP_MS = 2_000
# An app that did not run for less is not worth a line of the journal: it was started anew.
AWAY_TOLD_MS = 120_000
# How long the loop is held at a stretch (design/architecture.md, One interpreter lock); where it has to rest as well
# it does that by itself.
STRETCH_MS = 3


class Engine:
    """One scheduler on one store. `start` and `stop` and everything else run in the loop's thread.

    `network_is_up` is asked after a resume, once a second, until it says yes (decisions.md 29).
    """

    def __init__(
        self,
        *,
        clock: Clock,
        store: Store,
        runtime: Runtime,
        loop: Loop,
        home: Home,
        max_concurrent_runs: int = DEFAULT_MAX_CONCURRENT_RUNS,
        retention_days: int | None = None,
        join_wakes_ms: int = 0,
        network_is_up: Callable[[], bool] = lambda: True,
    ) -> None:
        self.core = Core(
            clock=clock, store=store, runtime=runtime, loop=loop, home=home, max_concurrent_runs=max_concurrent_runs
        )
        self.sessions = Sessions(self.core)
        self.stopping = Stopping(self.core, self.sessions)
        self.cancellations = Waiting()
        self._settling = Settling(clock, network_is_up)
        self.deliveries = Deliveries(self.core)
        self.passes = Passes(self.core, self.sessions, self.stopping, self._settling, self.deliveries)
        self.upkeep = Upkeep(self.core)
        self.rescue = Rescue(self.core)
        self.retention = Retention(self.core, retention_days)
        self.reads = Reads(store, clock, home)
        self._subscribers: list[Callable[[], None]] = []
        self._notice_subscribers: list[Callable[[Notice], None]] = []
        self.event_waiters = EventWaiters(self.core, self.subscribe)
        self._steps: Iterator[None] | None = None
        self._running = False
        self._stepping = False
        self._woken = False
        self._news_queued = False
        self._timer: Cancellable | None = None
        self._next_interval = 0
        self._join_wakes_ms = join_wakes_ms
        self._seen_until = 0
        self._offset = 0
        self.core.wake = self.wake
        self.sessions.on_settled = self._settled
        self.deliveries.on_settled = self._settled
        store.on_commit = self._committed
        store.on_notice = self._noticed

    @property
    def running(self) -> bool:
        """Whether it has started and not stopped."""
        return self._running

    @property
    def waiting(self) -> bool:
        """Whether no pass is under way or about to begin, and the timer is armed."""
        return self._running and self._steps is None and not self._woken and self._timer is not None

    def subscribe(self, callback: Callable[[], None]) -> None:
        """Call back, in this thread and joined per turn of the loop, after commits that changed something."""
        self._subscribers.append(callback)

    def subscribe_notices(self, callback: Callable[[Notice], None]) -> None:
        """Call back, in this thread and in a turn of its own, when a quarantine has begun and when a run has come to
        need the person's decision: once for each, after the commit. What was there before is in the reads.
        """
        self._notice_subscribers.append(callback)

    def start(self) -> None:
        """Take the lead, reconcile what an earlier app left, and begin the first pass at once."""
        core = self.core
        self.rescue.look_at_backups()
        last = scheduler.last_pass(core.store)
        core.take_lead(str(uuid.uuid4()))
        self._running = True
        self._offset = core.clock.wall() - core.clock.monotonic()
        self.upkeep.start()
        self.retention.start()
        with core.change() as tx:
            if last is not None and tx.now - (away := timestamps.parse(last.finished_at)) >= AWAY_TOLD_MS:
                journal.note(tx, "app.away", {"fromAt": away, "untilAt": tx.now})
            recompute_after_zone_change(tx)
        recovered = Restart(core, self.sessions, self.stopping).reconcile()
        self.deliveries.look()
        # after the claims were given back: a slot of the revision before is superseded, not claimed again
        normalise(core)
        self._begin("startup", core.clock.wall(), recovered)

    def stop(self) -> None:
        """Stop scheduling. Sessions go on; the next engine meets them again."""
        if not self._running:
            return
        self._running = False
        self.event_waiters.stop()
        self.deliveries.finish()
        self.core.stopped = True
        self._steps = None
        self._disarm()
        self.core.runtime.close()
        self.retention.stop()
        self.rescue.stop()
        try:
            self.upkeep.stop()
            with self.core.change() as tx:
                for occurrence in occurrences.claims_to_return(tx):
                    occurrences.give_back(tx, occurrence.id, reason=occurrence.failure_reason)
                scheduler.release(tx, self.core.owner_id)
        except StaleLeadership:
            _log.info("another engine leads this store already")
        except StoreFault as fault:
            # the next start does what could not be written now
            _log.error("the end could not be recorded: %s", fault)

    def configure(self, chosen: Settings) -> None:
        """Work by these settings from now on; a pass looks at what may start by them."""
        self.core.max_concurrent_runs = chosen.max_concurrent_runs
        self.core.pause_after_failures = chosen.pause_after_failures
        self.retention.keep(chosen.retention_days)
        self.wake()

    def wake(self) -> None:
        """Something changed that a pass should look at: one begins in the next turn, or after the present one.

        With `join_wakes_ms` it begins so much later, for all the wakes of that time: a script that creates a hundred
        routines waits for a few passes and not for a hundred.
        """
        if not self._running or self._woken:
            return
        self._woken = True
        if self._steps is None:
            self._begin_soon()

    def fall_asleep(self) -> None:
        """The machine says that it is about to sleep: nothing due is claimed any more until it has resumed, and what is
        claimed and not begun goes back, so that its lease does not end in the sleep.
        """
        if self._running:
            self._settling.fall_asleep()
            self.passes.give_claims_back()

    def resumed(self) -> None:
        """The machine says that it is awake again: a pass begins in the next turn, and what it claims waits until the
        network is back, 20 s at most (decisions.md 29). A sleep that nobody told of is known by the clocks.
        """
        if not self._running:
            return
        # the clocks may have told of this sleep already, before the machine itself
        if not self._clocks_parted() and not self._settling.since_resume:
            self._settling.resume()
        self.wake()

    def _clocks_parted(self) -> bool:
        """Whether the wall clock moved against the monotonic one since this was asked last: after a sleep, in which the
        monotonic clock stands still, or because it was set. Forward they look alike, and count as a resume; where
        the clock was only set the network is up, and nothing waits.
        """
        jump = self.core.clock.wall() - self.core.clock.monotonic() - self._offset
        if abs(jump) <= JUMP_MS:
            return False
        _log.info("the wall clock moved by %d ms against the monotonic clock (sleep, or the clock was set)", jump)
        self._offset += jump
        self.passes.jumped += jump
        if jump > 0:
            self._settling.resume()
        return True

    def _settled(self, run_id: str) -> None:
        """A run may have ended: its cancellation is answered, and its routine and its place are free."""
        self.cancellations.answer(self.core.store, run_id)
        self.deliveries.look()
        # what the pass itself settles it takes into account
        if not self._stepping:
            self.wake()

    def _committed(self) -> None:
        if not self._news_queued:
            self._news_queued = True
            self.core.loop.call_soon(self._tell_news)

    def _noticed(self, notice: Notice) -> None:
        def tell() -> None:
            for subscriber in self._notice_subscribers:
                subscriber(notice)

        self.core.loop.call_soon(tell)

    def _tell_news(self) -> None:
        self._news_queued = False
        for subscriber in self._subscribers:
            subscriber()
        # A change that wakes nobody may still have moved the next instant that matters.
        if self._running and self._steps is None:
            self._arm()

    def _begin(self, trigger: str, scheduled_at: int, recovered: int = 0) -> None:
        self._disarm()
        self._woken = False
        self._seen_until = self.core.clock.wall()
        self._steps = self.passes.steps(trigger, scheduled_at, recovered)
        self._go_on()

    def _go_on(self) -> None:
        """Work on the pass for a stretch, then let the loop breathe."""
        if self._steps is None or not self._running:
            return
        if self._clocks_parted():
            # something was earlier than the timer, or the machine slept in the middle of a pass
            self._woken = True
        until = self.core.clock.monotonic() + STRETCH_MS
        self._stepping = True
        try:
            for _ in self._steps:
                if self.core.clock.monotonic() >= until:
                    # a timer, not `call_soon`: sockets and other timers have their turn before it
                    self._timer = self.core.loop.call_at(self.core.clock.monotonic(), self._go_on)
                    return
        except StaleLeadership as stale:
            _log.error("automations tick failed: %s", stale)
            self._steps = None
            self._running = False
            return
        except Exception:  # noqa: BLE001 - not even a pass that cannot be recorded ends the loop (engine.md §3.1)
            _log.exception("automations tick failed")
        finally:
            self._stepping = False
        self._steps = None
        self._next_interval = self.core.clock.monotonic() + PASS_INTERVAL_MS
        if self._woken:
            self._begin_soon()
        self._arm()

    def _begin_soon(self) -> None:
        if self._join_wakes_ms:
            self.core.loop.call_at(self.core.clock.monotonic() + self._join_wakes_ms, self._begin_woken)
        else:
            self.core.loop.call_soon(self._begin_woken)

    def _begin_woken(self) -> None:
        # not when a pass has begun meanwhile: it sees what this wake was about
        if self._running and self._steps is None and self._woken:
            self._begin("wake", self.core.clock.wall())

    def _disarm(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _arm(self) -> None:
        """Set the timer to the next instant that matters, or to the next look at the wall clock."""
        self._disarm()
        self._set_timer(self._target())

    def _set_timer(self, target: int) -> None:
        look = self.core.clock.monotonic() + LOOK_MS
        self._timer = self.core.loop.call_at(min(target, look), self._timer_fired)

    def _target(self) -> int:
        """When the next pass is due, on the monotonic clock; in the past when it is late."""
        wall, monotonic = self.core.clock.wall(), self.core.clock.monotonic()
        target = self._next_interval
        again = self._next_interval - PASS_INTERVAL_MS + LOOK_MS
        if self.sessions.has_unwritten() or self.deliveries.has_unwritten() or self.passes.cut_short:
            target = min(target, again)
        if self._settling.next_look is not None:
            target = min(target, self._settling.next_look)
        for instant in self._instants():
            # what the last pass saw and could not act on is not due at once
            target = min(target, again if instant <= self._seen_until else monotonic + instant - wall)
        return target

    def _instants(self) -> Iterator[int]:
        store = self.core.store
        texts = [
            occurrences.next_lease_end(store),
            runs.next_deadline(store),
            runs.next_idle_deadline(store),
            stops.next_expiry(store),
        ]
        lost = runs.oldest_lost(store, VANISHED)
        if lost is not None:
            yield timestamps.parse(lost) + LOST_AFTER_MS
        pause = pause_all.recorded(store)
        if pause is None:
            # of retries, those that the last pass has seen wait for something else: a release, a tombstone's deadline
            texts += [definitions.next_due(store), runs.next_not_before(store, timestamps.to_text(self._seen_until))]
        elif pause.until is not None:
            yield pause.until
        for text in texts:
            if text is not None:
                yield timestamps.parse(text)

    def _timer_fired(self) -> None:
        self._timer = None
        if not self._running or self._steps is not None:
            return
        self.rescue.look()
        self.core.look_at_lead()
        wall, monotonic = self.core.clock.wall(), self.core.clock.monotonic()
        if self._clocks_parted() or self._settling.over():
            self._begin("wake", wall)
            return
        target = self._target()
        if target > monotonic:
            self._set_timer(target)
        else:
            self._begin("deadline", wall - (monotonic - target))
