"""The wait after a resume, so that nothing starts into a network that is not there yet (design/decisions.md 29).

The pass after a resume plans at once; only claiming waits, until the network is back or 20 s at most. What a person
asks for meanwhile is not held back. From the moment in which the machine says that it is about to sleep the same wait
keeps runs from starting into the sleep; it begins anew with the resume. There is none at startup.
"""

from __future__ import annotations

from collections.abc import Callable

from coven_desktop.clock import Clock

# On the monotonic clock, which stands still while the machine sleeps.
SETTLE_MS = 20_000
NETWORK_LOOK_MS = 1_000
# Whether the last pass found that claiming waits: kept in the store, so that every reader can say why nothing starts.
CLAIMS_WAIT = "claims_wait"


class Settling:
    """Whether claiming waits. Whoever has a timer asks `over` at `next_look`, and lets a pass claim when it is."""

    def __init__(self, clock: Clock, network_is_up: Callable[[], bool]) -> None:
        self._clock = clock
        self._network_is_up = network_is_up
        self._until: int | None = None
        self._awake = True
        self.next_look: int | None = None

    @property
    def holds(self) -> bool:
        """Whether claiming waits, as far as was looked."""
        return self._until is not None

    @property
    def since_resume(self) -> bool:
        """Whether it waits because of a resume; not when it waits for the sleep to come."""
        return self._until is not None and self._awake

    def fall_asleep(self) -> None:
        """The machine is about to sleep. Without a sleep, and without a word of its end, the wait is over in time."""
        self._begin(awake=False)

    def resume(self) -> None:
        """The machine is awake again: wait, unless the network is there."""
        self._begin(awake=True)
        self.over()

    def over(self) -> bool:
        """Look, if it is time to: true once, when a wait has ended just now."""
        now = self._clock.monotonic()
        if self._until is None or self.next_look is None or now < self.next_look:
            return False
        if now >= self._until or (self._awake and self._network_is_up()):
            self._until = self.next_look = None
            return True
        self.next_look = min(self._until, now + NETWORK_LOOK_MS)
        return False

    def _begin(self, *, awake: bool) -> None:
        self._awake = awake
        self.next_look = self._clock.monotonic()
        self._until = self.next_look + SETTLE_MS
