"""The engine for as long as it works: the one way in which the app, and whoever wants what the app has, starts it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from coven_desktop.clock import Clock, Loop
from coven_desktop.engine.engine import Engine
from coven_desktop.home import Home
from coven_desktop.runtime.sessions import Runtime
from coven_desktop.settings import Settings
from coven_desktop.store.transactions import Store


@contextmanager
def engine_at_work(
    *,
    home: Home,
    clock: Clock,
    loop: Loop,
    store: Store,
    runtime: Runtime,
    settings: Settings | None = None,
    join_wakes_ms: int = 0,
    network_is_up: Callable[[], bool] = lambda: True,
) -> Iterator[Engine]:
    """An engine that has started on an open store; it stops in order at the end, also when it could not start."""
    chosen = settings or Settings()
    engine = Engine(
        clock=clock,
        store=store,
        runtime=runtime,
        loop=loop,
        home=home,
        max_concurrent_runs=chosen.max_concurrent_runs,
        retention_days=chosen.retention_days,
        join_wakes_ms=join_wakes_ms,
        network_is_up=network_is_up,
    )
    engine.core.pause_after_failures = chosen.pause_after_failures
    try:
        engine.start()
        yield engine
    finally:
        engine.stop()
