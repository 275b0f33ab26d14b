"""What the app hands in to the window: the door to the engine, and the runtimes to choose from."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from coven_desktop.engine.answers import Answer, Outcome, Pending
from coven_desktop.engine.engine import Engine
from coven_desktop.qt.core import SignalInstance

Command = Callable[[Engine, Mapping[str, Any]], Answer | Pending]


class Gateway(Protocol):
    """`coven_desktop.loop.gateway.EngineGateway`, as far as the window uses it."""

    @property
    def changed(self) -> SignalInstance:
        """Something a view shows may have changed; at most one per 50 ms."""

    def submit(self, command: Command, body: Mapping[str, Any], done: Callable[[Outcome], None]) -> None:
        """Carry out a command in the engine's thread; `done` is called later on the GUI thread, exactly once."""


@dataclass(frozen=True)
class RuntimeChoice:
    """A runtime that a routine may name. `found`: its command was found on this machine."""

    name: str
    found: bool


Runtimes = Callable[[], Sequence[RuntimeChoice]]
