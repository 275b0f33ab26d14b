"""The words in which the engine and the runtime floor talk about a session; `sessions.py` offers them all.

All callbacks come from the loop in the engine's thread, never inside the call that asked for them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol

from coven_desktop.runtime.evidence import Evidence

if TYPE_CHECKING:
    from coven_desktop.runtime.secrets import Question, Reply

FailureClass = Literal["runtime_unavailable", "transient_dispatch", "launch_refused"]
Found = Literal["alive", "ended", "never_started", "vanished"]


@dataclass(frozen=True)
class LaunchSpec:
    """One attempt to start a session.

    `environment` and `secrets` (names) are what the routine's own settings add; the allow-list, what the runtime names,
    the values of the secrets and the ids are added here (design/decisions.md 24, 41). `deadline` is a wall instant in
    UTC milliseconds.
    """

    session_id: str
    attempt_id: str
    run_id: str
    automation_id: str
    runtime: str
    model: str | None
    prompt: str
    cwd: str
    environment: Mapping[str, str]
    familiar_id: str | None
    deadline: int
    secrets: tuple[str, ...] = ()


class LaunchRefused(Exception):
    """Nothing was started, or it could not be seen that something was (contract/engine.md §5.3).

    `proven_no_process` is False only when a process may have run: such an attempt is ambiguous, never retried.
    """

    def __init__(self, failure_class: FailureClass, message: str, proven_no_process: bool = True) -> None:
        super().__init__(message)
        self.failure_class: FailureClass = failure_class
        self.message = message
        self.proven_no_process = proven_no_process


@dataclass(frozen=True)
class Started:
    """The command itself was executed. `pid` is the session host's; `started_at` is a wall instant in milliseconds."""

    session_id: str
    pid: int
    started_at: int


@dataclass(frozen=True)
class Ended:
    """The session host is gone. Without evidence it vanished, and what became of the command is not known.

    `never_started` says that there is no evidence because no process was ever started, and that this is proven: an
    attached host of an app that was killed while it launched.
    """

    session_id: str
    evidence: Evidence | None
    never_started: bool = False


@dataclass(frozen=True)
class Stopped:
    """The answer to a stop. Confirmed only with proof: host gone, lock free, evidence says quiescent.

    With `confirmed` and no evidence no process was ever started. Evidence without a stop reason means that the
    command had ended by itself before the stop reached it.
    """

    session_id: str
    confirmed: bool
    evidence: Evidence | None
    detail: str


@dataclass(frozen=True)
class DeliveryOrder:
    """What a run printed is to be brought into the file at `path`: in place of what is there, or behind it."""

    run_id: str
    session_id: str
    path: str
    mode: Literal["replace", "append"]


@dataclass(frozen=True)
class Delivered:
    """What became of an order. `error` is a clause for people, None when the file has the output.

    `known` is False when it is not known whether something was written: nobody came to say it.
    """

    error: str | None
    known: bool = True


@dataclass(frozen=True)
class KnownRuntime:
    """One runtime as a person may know it; of its environment only names.

    `argv` is the template, `executable` where the command lies, None when it was not found. `verified`: registry.py.
    """

    name: str
    source: Literal["built-in", "runtimes.toml"]
    argv: tuple[str, ...]
    model_argv: tuple[str, ...]
    prompt: str
    executable: str | None
    verified: str | None
    environment: tuple[str, ...]
    secrets: tuple[str, ...]
    grace_ms: int
    linger_ms: int
    output_limit: int


class LiveHost(NamedTuple):
    """A session whose host lives. What its routine and run are is None where an earlier version started it."""

    session_id: str
    pid: int
    automation_id: str | None
    run_id: str | None


class Deliveries(Protocol):
    """Brings what sessions printed into files, never in this thread."""

    def begin(self, order: DeliveryOrder, done: Callable[[Delivered], None]) -> None:
        """Carry out an order; `done` comes once, a minute later at most."""

    def finish(self) -> None:
        """The app ends: those under way may come to their end, for half a second in all, and `done` comes of them."""


class Runtime(Protocol):
    """What the engine needs of the runtime floor. The engine's tests have one of their own."""

    def check(self, runtime: str, cwd: str | None) -> None:
        """Raise LaunchRefused when this cannot be started: unknown runtime, program missing, folder unusable.

        Reads only. A folder of None is not looked at. Rules: contract/engine.md §5.3, design/decisions.md 19.
        """

    def launch(
        self,
        spec: LaunchSpec,
        *,
        started: Callable[[Started], None],
        refused: Callable[[LaunchRefused], None],
        ended: Callable[[Ended], None],
    ) -> None:
        """Start a session; returns at once. Exactly one of `started` and `refused` comes; after `started` one `ended`.

        Secrets are read from the keyring first, for 5 s at most; without them nothing is started. Without a report
        within 10 s more the session is stopped, and `refused` says whether a process may have run.
        """

    def find(self, session_id: str) -> tuple[Found, Evidence | None]:
        """What became of a session of an earlier app. Evidence comes with "ended" only.

        What a vanished host has left running is ended: a retry must not run beside it (decisions.md 18).
        """

    def live_hosts(self) -> tuple[LiveHost, ...]:
        """Every session whose host lives and has got so far as to execute, known or not. Looks at all processes."""

    def executing(self, session_id: str) -> int | None:
        """The pid of a live session's host once it got as far as executing (`starting` is written), else None."""

    def attach(self, session_id: str, *, ended: Callable[[Ended], None]) -> None:
        """Watch a live session of an earlier app. One `ended` comes, also when it is gone by now."""

    def stop(self, session_id: str, *, stopped: Callable[[Stopped], None]) -> None:
        """Stop a session and everything it started; one `stopped` comes, at the latest after grace + 5 s.

        When the session is watched, its `ended` comes right after `stopped`.
        """

    def known(self) -> tuple[KnownRuntime, ...]:
        """Every runtime that can be named, as its file has it now."""

    def problems(self) -> tuple[tuple[str | None, str], ...]:
        """What is wrong in the person's file: which runtime (None: the file itself), and a sentence."""

    def ask_keyring(self, question: Question, answered: Callable[[Reply], None], limit_ms: int) -> None:
        """Ask the person's keyring; `answered` comes once, at the latest when the time is over."""

    @property
    def deliveries(self) -> Deliveries:
        """Who brings what was printed into files."""

    def forget(self, session_id: str) -> None:
        """Drop the watches and callbacks of one session; the session goes on."""

    def close(self) -> None:
        """Forget all sessions. They go on."""
