"""Who waits for events: told when one has come that they wait for, when their time is over, or when the engine stops.

A commit is looked at once for all of them: which streams it touched, and who waits for those. The answers come a few at
a time, so that two hundred waiters do not hold the loop. Somebody who left is answered like the others, into nothing.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

from coven_desktop.clock import Cancellable
from coven_desktop.contract.errors import Code, TypedRefusal
from coven_desktop.engine import feed as pages
from coven_desktop.engine.answers import Answer, Outcome, Pending
from coven_desktop.engine.core import Core
from coven_desktop.engine.feed import Position
from coven_desktop.store import feed
from coven_desktop.store.feed import FEED, WHOLE, Stream

PAGE = 100
"""How many events a page of a subscription has at most (contract/commands.md §6.2)."""
WAITERS = 224
"""How many may wait at once: each of them holds one of the socket's 256 connections."""
# Answered at a stretch, and the rest after it (design/architecture.md, One interpreter lock).
_AT_ONCE = 16
_REST_MS = 2


def told(page: dict[str, Any]) -> Answer:
    """A page as an answer: in `result`, without an event."""
    return Answer(page, in_result=True, in_event=False)


class _Waiter:
    """One that waits behind a cursor of a stream."""

    def __init__(self, stream: Stream, position: Position) -> None:
        self.stream = stream
        self.position = position
        self.pending = Pending()
        self.timer: Cancellable | None = None
        self.over = False
        self.due = False


class EventWaiters:
    """All that wait, in the loop's thread. `subscribe` is the engine's."""

    def __init__(self, core: Core, subscribe: Callable[[Callable[[], None]], None]) -> None:
        self._core = core
        self._waiting: dict[Stream, set[_Waiter]] = {}
        self._due: deque[_Waiter] = deque()
        self._answering: Cancellable | None = None
        self._seen = 0
        subscribe(self._look)

    def __len__(self) -> int:
        return sum(len(waiters) for waiters in self._waiting.values())

    def wait(self, stream: Stream, position: Position, milliseconds: int) -> Pending:
        """An answer that comes with the first events behind the cursor, or empty when the time is over.

        There is nothing behind it now. Raises CONCURRENCY_LIMIT.
        """
        if len(self) >= WAITERS:
            message = f"{WAITERS} clients wait for events already; read without waiting, or wait later"
            raise TypedRefusal(Code.CONCURRENCY_LIMIT, message, retryable=True)
        if not self._waiting:
            self._seen = feed.newest(self._core.store)
        waiter = _Waiter(stream, position)
        self._waiting.setdefault(stream, set()).add(waiter)

        def be_over() -> None:
            waiter.timer = None
            waiter.over = True
            self._make_due(waiter)

        waiter.timer = self._core.loop.call_at(self._core.clock.monotonic() + milliseconds, be_over)
        return waiter.pending

    def stop(self) -> None:
        """Answer all of them now, as if their time were over."""
        for waiter in [waiter for waiters in self._waiting.values() for waiter in waiters]:
            waiter.over = True
            self._make_due(waiter)
        while self._due:
            self._answer()
        if self._answering is not None:
            self._answering.cancel()
            self._answering = None

    def _look(self) -> None:
        """Something was committed."""
        if not self._waiting:
            return
        newest = feed.newest(self._core.store)
        if newest <= self._seen:
            return
        touched = feed.touched(self._core.store, self._seen)
        self._seen = newest
        for stream in (*touched, Stream(FEED, WHOLE)):
            for waiter in list(self._waiting.get(stream, ())):
                self._make_due(waiter)

    def _make_due(self, waiter: _Waiter) -> None:
        if not waiter.due:
            waiter.due = True
            self._due.append(waiter)
        if self._answering is None:
            self._answering = self._core.loop.call_at(self._core.clock.monotonic(), self._go_on)

    def _go_on(self) -> None:
        self._answering = None
        self._answer()
        if self._due:
            self._answering = self._core.loop.call_at(self._core.clock.monotonic() + _REST_MS, self._go_on)

    def _answer(self) -> None:
        """Answer the next few that are due; who finds nothing and has time left waits on."""
        batch = [self._due.popleft() for _ in range(min(_AT_ONCE, len(self._due)))]
        answers: list[tuple[_Waiter, Outcome]] = []
        try:
            with self._core.passing_change() as tx:
                for waiter in batch:
                    waiter.due = False
                    if waiter.over or feed.has_more(tx, waiter.stream, waiter.position.behind):
                        answers.append((waiter, told(pages.page(tx, waiter.stream, waiter.position, PAGE))))
        except Exception as fault:  # noqa: BLE001 - whoever asked is told, as of any other fault
            answers = [(waiter, fault) for waiter in batch]
        for waiter, outcome in answers:
            self._forget(waiter)
            waiter.pending.complete(outcome)

    def _forget(self, waiter: _Waiter) -> None:
        if waiter.timer is not None:
            waiter.timer.cancel()
        waiters = self._waiting[waiter.stream]
        waiters.discard(waiter)
        if not waiters:
            del self._waiting[waiter.stream]
