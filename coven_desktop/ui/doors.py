"""What the app hands in to the window: the door to the engine, and the runtimes to choose from."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

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


class Tried(Protocol):
    """How the trial of a runtime went; `coven_desktop.runtime.trial.Trial`, as far as the window uses it."""

    @property
    def verdict(self) -> Literal["works", "there", "not_found", "unknown", "failed", "too_slow"]:
        """`there`: the file can be executed, and was not."""

    @property
    def command(self) -> tuple[str, ...]:
        """What was started, empty when nothing was."""

    @property
    def output(self) -> str:
        """What it printed."""

    @property
    def exit_code(self) -> int | None:
        """How it ended, None when it did not."""


@dataclass(frozen=True)
class RuntimeChoice:
    """A runtime that a routine may name. `found`: its command was found on this machine.

    `command` is what a run starts, with its arguments; the prompt comes to it by `prompt`. `problem` is what is wrong
    with the person's own runtime of this name, which then cannot be used. `own`: it is one of runtimes.toml. `try_out`
    asks the command whether it works; it blocks for up to some 15 seconds, and is called on a thread of its own.
    """

    name: str
    found: bool
    command: tuple[str, ...] = ()
    prompt: Literal["stdin", "file", "argument"] = "stdin"
    own: bool = False
    problem: str = ""
    try_out: Callable[[], Tried] | None = None


Runtimes = Callable[[], Sequence[RuntimeChoice]]
