"""The socket's side of the house, put together: one engine behind one listener."""

from __future__ import annotations

from collections.abc import Callable

from coven_desktop.api.actions import Actions
from coven_desktop.api.health import Health
from coven_desktop.api.listener import Listener
from coven_desktop.api.routes import Routes
from coven_desktop.clock import Clock, Loop
from coven_desktop.engine.engine import Engine
from coven_desktop.home import Home


class Api:
    """Serves one home. All of it happens in the loop's thread, which is the engine's."""

    def __init__(
        self,
        engine: Engine,
        loop: Loop,
        home: Home,
        clock: Clock,
        *,
        raise_window: Callable[[str | None], None] | None = None,
        told: Callable[[str | None], None] = lambda sentence: None,
    ) -> None:
        """`raise_window` is called with an activation token or None, in this thread; None means headless.

        `told` gets a sentence when serving stops because the home is open to others, and None when it goes on.
        """
        actions = Actions(engine, raise_window)
        health = Health(engine, home, clock, headless=raise_window is None)
        self._listener = Listener(loop, home, clock, Routes(engine, actions, health, loop, clock).handle, told=told)

    def open(self) -> None:
        """Begin to serve. Raises CannotServe with a sentence. Whoever calls holds the home's lock."""
        self._listener.open()

    def close(self) -> None:
        """End serving at once and remove the socket."""
        self._listener.close()
