"""What every part of the engine works with: the clock, the store, the runtime, the loop, and the lead.

A change of the engine is a transaction under the leadership fence: work of an older generation is
refused before it writes anything (contract/engine.md §3.1, §3.2).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from coven_desktop.clock import Clock, Loop
from coven_desktop.home import Home
from coven_desktop.runtime.sessions import Runtime
from coven_desktop.settings import Settings
from coven_desktop.store import scheduler
from coven_desktop.store.errors import StoreFault
from coven_desktop.store.transactions import Reader, Store, Transaction

LEASE_MS = 60 * 60_000
STOP_FENCE_MS = 30_000
SLICE = 64
DAEMON = "daemon"


class StaleLeadership(Exception):
    """Another engine has taken the lead on this store: this one must not write any more."""


class Core:
    """The parts, put together once by `Engine`. `generation` and `owner_id` are set by taking the lead."""

    def __init__(
        self, *, clock: Clock, store: Store, runtime: Runtime, loop: Loop, home: Home, max_concurrent_runs: int
    ) -> None:
        self.clock = clock
        self.store = store
        self.runtime = runtime
        self.loop = loop
        self.home = home
        self.max_concurrent_runs = max_concurrent_runs
        self.pause_after_failures = Settings().pause_after_failures
        self.generation = 0
        self.owner_id = ""
        self.storage_sound = True
        self.stopped = False
        self.wake: Callable[[], None] = lambda: None
        self.lead_lost: Callable[[], None] = lambda: None
        """Called, once or more, when another engine is found to lead: nothing can be written here any more."""

    def take_lead(self, owner_id: str) -> None:
        """Become the leader: the durable generation rises by one."""
        with self.store.transaction(self.clock.wall()) as tx:
            self.generation = scheduler.acquire(tx, owner_id)
        self.owner_id = owner_id

    def look_at_lead(self) -> None:
        """Tell when the lead is lost: whoever does nothing meanwhile would serve on beside the other."""
        with suppress(StoreFault):
            if not self._leads(self.store):
                self.lead_lost()

    @contextmanager
    def change(self, *, not_before: int = 0) -> Iterator[Transaction]:
        """A transaction at the present instant, refused when the lead is lost.

        `not_before` clamps the instant, so that a pass never writes earlier than its own start.
        """
        with self.store.transaction(max(self.clock.wall(), not_before)) as tx:
            self._check_lead(tx)
            yield tx

    @contextmanager
    def passing_change(self, *, not_before: int = 0, told: bool = False) -> Iterator[Transaction]:
        """A transaction under the lead for what a power cut may take: see `Store.passing`."""
        with self.store.passing(max(self.clock.wall(), not_before), told=told) as tx:
            self._check_lead(tx)
            yield tx

    def _leads(self, reader: Reader) -> bool:
        authority = scheduler.authority(reader)
        return (authority.generation, authority.owner_id) == (self.generation, self.owner_id)

    def _check_lead(self, tx: Transaction) -> None:
        if not self._leads(tx):
            self.lead_lost()
            raise StaleLeadership("automations scheduler fence is stale")
