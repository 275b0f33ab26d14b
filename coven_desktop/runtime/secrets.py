"""The person's keyring, asked through a helper process that is ended at its deadline (`secrets_helper.py`).

Secrets are named as the environment variable they become. Names are ours to keep (store/secret_names.py), for a
keyring does not list; values go from the keyring to a session host and are nowhere else (design/product.md 8).
"""

from __future__ import annotations

import contextlib
import json
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from coven_desktop.clock import Cancellable, Clock, Loop
from coven_desktop.runtime import helper_process
from coven_desktop.runtime.helper_process import HelperProcess
from coven_desktop.runtime.seam import LaunchRefused

LAUNCH_LIMIT_MS = 5_000
"""How long a launch waits for its secrets (design/architecture.md, Threads)."""
PERSON_LIMIT_MS = 60_000
"""How long a person who has asked for something has to answer the keyring's own prompt."""
_COMMAND = helper_process.arguments("coven_desktop.runtime.secrets_helper")
_READ_AT_ONCE = 4

State = Literal["ready", "unmade", "locked", "absent", "no_bus", "prompting", "refused"]


@dataclass(frozen=True)
class Question:
    """One question. `may_prompt`: a person is there who can be asked to unlock; a launch at night asks nobody."""

    ask: Literal["get", "set", "delete", "probe"]
    names: tuple[str, ...] = ()
    value: str | None = field(default=None, repr=False)
    may_prompt: bool = False


@dataclass(frozen=True)
class Reply:
    """`ready`: it was done. `unmade`, of a probe alone: there is a service, and no keyring was made yet. `locked`:
    nobody unlocked it. `absent`: no keyring service here. `no_bus`: no session bus to ask one. `prompting`: the
    deadline ran out while the keyring asked the person. `refused`: anything else; `detail` has the backend's words.
    """

    state: State
    values: Mapping[str, str] = field(default_factory=dict, repr=False)
    backend: str | None = None
    detail: str = ""


class Keyring:
    """Asks for an engine. `answered` comes once from the loop, unless the question is taken back before."""

    def __init__(self, loop: Loop, clock: Clock, environ: Mapping[str, str]) -> None:
        self._loop = loop
        self._clock = clock
        self._environ = environ
        self._open: set[_Asking] = set()
        self._waiting: deque[_Asking] = deque()

    def ask(self, question: Question, answered: Callable[[Reply], None], limit_ms: int) -> Cancellable:
        """Ask at once, with so many milliseconds' time."""
        asking = _Asking(self, question, answered, limit_ms)
        self._begin(asking)
        return asking

    def read(self, names: Iterable[str], answered: Callable[[Reply], None]) -> Cancellable:
        """The values for a launch; what is not there is missing in them. Many launches at once take turns."""
        asking = _Asking(self, Question("get", tuple(names)), answered, LAUNCH_LIMIT_MS)
        if len(self._open) < _READ_AT_ONCE:
            self._begin(asking)
        else:
            self._waiting.append(asking)
        return asking

    def close(self) -> None:
        """Take back every question, and end the helpers."""
        self._waiting.clear()
        for asking in list(self._open):
            asking.cancel()

    def _begin(self, asking: _Asking) -> None:
        self._open.add(asking)
        asking.begin(self._loop, self._clock, self._environ)

    def _done(self, asking: _Asking) -> None:
        self._open.discard(asking)
        with contextlib.suppress(ValueError):
            self._waiting.remove(asking)
        if self._waiting and len(self._open) < _READ_AT_ONCE:
            self._begin(self._waiting.popleft())


class _Asking:
    """One question, from its helper's start to its end."""

    def __init__(self, keyring: Keyring, question: Question, answered: Callable[[Reply], None], limit_ms: int) -> None:
        self._keyring = keyring
        self._question = question
        self._answered = answered
        self._limit_ms = limit_ms
        self._helper = HelperProcess()

    def begin(self, loop: Loop, clock: Clock, environ: Mapping[str, str]) -> None:
        """Start the helper; when there can be none, that is the answer."""
        try:
            self._helper.start(_COMMAND, _asked(self._question), environ)
        except OSError as error:
            told = Reply("refused", detail=f"the keyring helper cannot be started: {error.strerror}")
            self._end()
            loop.call_soon(lambda: self._answered(told))
            return
        self._helper.watch(loop, clock, self._limit_ms, self._finish)

    def cancel(self) -> None:
        """Nobody wants the answer any more."""
        self._end()

    def _finish(self, timed_out: bool) -> None:
        self._helper.read()
        reply = _understood(self._helper.seen, self._limit_ms if timed_out else None)
        self._end()
        self._answered(reply)

    def _end(self) -> None:
        self._helper.end()
        self._helper.seen = b""
        self._keyring._done(self)


def ask_now(question: Question, environ: Mapping[str, str], limit_ms: int = LAUNCH_LIMIT_MS) -> Reply:
    """Ask, and wait for the answer: for programs without a loop, as the doctor."""
    import subprocess  # the app never comes here

    try:
        done = subprocess.run(
            _COMMAND,
            input=_asked(question),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=dict(environ),
            timeout=limit_ms / 1000,
            start_new_session=True,
            check=False,
        )
    except subprocess.TimeoutExpired as over:
        return _understood(over.stdout or b"", limit_ms)
    except OSError as error:
        return Reply("refused", detail=f"the keyring helper cannot be started: {error.strerror}")
    return _understood(done.stdout, None)


def given(names: Iterable[str], reply: Reply) -> Mapping[str, str]:
    """The values of all these names. Raises LaunchRefused with the reason in words.

    What may be there in a while is `runtime_unavailable`; a secret that the keyring does not have is a mistake in the
    routine or in the keyring, as an unknown runtime is, and `launch_refused` (contract/engine.md §5.3).
    """
    wanted = tuple(names)
    if reply.state != "ready":
        these = " and ".join(f"`{name}`" for name in wanted)
        many = "secrets" if len(wanted) > 1 else "secret"
        raise LaunchRefused("runtime_unavailable", f"{words(reply)}; it is needed for the {many} {these}")
    missing = [name for name in wanted if name not in reply.values]
    if missing:
        these = " and ".join(f"`{name}`" for name in missing)
        are = "secrets {} are" if len(missing) > 1 else "secret {} is"
        raise LaunchRefused("launch_refused", f"the {are.format(these)} not in the keyring; set it, then try again")
    return {name: reply.values[name] for name in wanted}


def words(reply: Reply) -> str:
    """What a reply says of the keyring, as a clause without a full stop."""
    match reply.state:
        case "ready":
            return "the keyring is open"
        case "unmade":
            return "no keyring has been made yet"
        case "locked":
            return "the keyring is locked"
        case "absent":
            return "there is no keyring service on this desktop"
        case "no_bus":
            return "there is no session bus here, so no keyring can be reached"
        case "prompting":
            return "the keyring asked to be unlocked and nobody answered in time"
        case "refused":
            return f"the keyring could not be asked ({reply.detail})"


def _asked(question: Question) -> bytes:
    document = {
        "ask": question.ask,
        "names": question.names,
        "value": question.value,
        "mayPrompt": question.may_prompt,
    }
    return json.dumps(document, ensure_ascii=False).encode("utf-8")


def _understood(seen: bytes, over_ms: int | None) -> Reply:
    """The answer of a helper that has ended, or was given up after so many milliseconds."""
    lines: list[dict[str, Any]] = [json.loads(line) for line in seen.splitlines(keepends=True) if line.endswith(b"\n")]
    for line in lines:
        if "state" in line:
            return Reply(line["state"], line["values"], line["backend"], line["detail"])
    if over_ms is None:
        return Reply("refused", detail="the keyring helper ended without an answer")
    if lines:
        return Reply("prompting")
    return Reply("refused", detail=f"it gave no answer within {over_ms / 1000:g} s")
