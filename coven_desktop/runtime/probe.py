"""Where this person's commands are: what a login shell has as PATH, and folders in which they are known to lie.

An app started from a menu does not have the PATH of a terminal, so the login shell is asked, with its start files.
Those may print anything, hang, or start things; hence the markers, the timeout and the bound. The last good answer
is kept in the home (design/decisions.md 42).
"""

from __future__ import annotations

import contextlib
import json
import os
import pwd
import select
import signal
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from coven_desktop.clock import Cancellable, Loop
from coven_desktop.home import Home
from coven_desktop.runtime import process_tree
from coven_desktop.runtime.environment import DEFAULT_PATH, allowed

TIMEOUT_MS = 5_000
STORED_NAME = "runtimes-found.json"
_KEPT = 1 << 20
_ASKED_MS = 200
_ENDING_S = 0.5
"""How long whoever gives up waits for the end of the shell; it takes milliseconds."""
_WELL_KNOWN = (
    "~/.local/bin", "~/bin", "~/.npm-global/bin", "~/.claude/local", "~/.bun/bin", "~/.cargo/bin", "~/.deno/bin",
    "~/.volta/bin", "~/.local/share/pnpm", "~/.local/share/mise/shims", "~/.asdf/shims", "~/.yarn/bin",
    "/usr/local/bin", "/usr/bin", "/bin", "/snap/bin", "/home/linuxbrew/.linuxbrew/bin",
)  # fmt: skip
_VERSIONED = ("~/.nvm/versions/node/*/bin", "~/.local/share/fnm/node-versions/*/installation/bin")


@dataclass(frozen=True)
class ProbeResult:
    """`login_path` is None when the shell gave no answer; `problem` then says why, in a sentence."""

    login_path: str | None
    problem: str | None
    found: Mapping[str, str]
    """Absolute paths by the command's name; what was not found is missing."""


def stored_path(home: Home) -> Path:
    """Where the last answer is kept."""
    return home.root / STORED_NAME


def load(home: Home) -> ProbeResult | None:
    """The last answer, or None when there is none that can be read."""
    try:
        document: Any = json.loads(stored_path(home).read_bytes())
        login_path, found = document["loginPath"], document["found"]
        if not (isinstance(login_path, str | None) and isinstance(found, dict)):
            return None
        return ProbeResult(login_path, None, {str(name): str(path) for name, path in found.items()})
    except (OSError, ValueError, KeyError, TypeError):
        return None


def store(home: Home, result: ProbeResult) -> None:
    """Keep an answer. Raises OSError."""
    text = json.dumps({"version": 1, "loginPath": result.login_path, "found": dict(result.found)}, indent=1)
    path = stored_path(home)
    fresh = path.with_name(f"{STORED_NAME}.new")
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    with open(descriptor, "w", encoding="utf-8", errors="surrogateescape") as file:
        file.write(text)
    os.replace(fresh, path)


def find_command(name: str, login_path: str | None, app_path: str | None) -> str | None:
    """The absolute path of an executable: on the login shell's PATH, on the app's, in well-known folders; or None."""
    if "/" in name:
        path = os.path.expanduser(name)
        return path if os.path.isabs(path) and is_executable(path) else None
    for folder in _folders(login_path, app_path):
        path = os.path.join(folder, name)
        if is_executable(path):
            return path
    return None


def probe(
    names: Iterable[str], environ: Mapping[str, str], *, timeout_ms: int = TIMEOUT_MS, given_up: int | None = None
) -> ProbeResult:
    """Ask the login shell and look for the commands. Blocks up to the timeout: not for the engine's thread.

    `given_up` is a descriptor that can be read, or is at its end, as soon as nobody wants the answer any more.
    """
    login_path, problem = ask_login_shell(environ, timeout_ms=timeout_ms, given_up=given_up)
    found = {name: path for name in names if (path := find_command(name, login_path, environ.get("PATH")))}
    return ProbeResult(login_path, problem, found)


class Aside:
    """`probe` on a thread that mostly waits; `done` comes once from the loop, unless it is cancelled before."""

    def __init__(
        self, names: Iterable[str], environ: Mapping[str, str], loop: Loop, done: Callable[[ProbeResult], None]
    ) -> None:
        wanted, known = tuple(names), dict(environ)
        self._done = done
        self._results: list[ProbeResult] = []
        # the thread says through a pipe that it is done, so that it never touches a loop that may be gone by then
        self._source, target = os.pipe()
        given_up, self._give_up = os.pipe()
        self._reader: Cancellable | None = loop.add_reader(self._source, self._ready)

        def work() -> None:
            try:
                self._results.append(probe(wanted, known, given_up=given_up))
            finally:
                os.close(given_up)
                os.close(target)

        self._thread = threading.Thread(target=work, name="login shell probe", daemon=True)
        self._thread.start()

    def cancel(self) -> None:
        """Forget the answer and end the shell: the app may be ending, and nobody else would end one that hangs."""
        if self._reader is not None:
            self._forget()
            self._thread.join(_ENDING_S)

    def _forget(self) -> None:
        if self._reader is not None:
            self._reader.cancel()
            self._reader = None
            os.close(self._give_up)
            os.close(self._source)

    def _ready(self) -> None:
        self._forget()
        for result in self._results:
            self._done(result)


def login_shell(environ: Mapping[str, str]) -> str:
    """The person's shell: SHELL, else that of the account."""
    named = environ.get("SHELL")
    if named and os.path.isabs(named):
        return named
    try:
        return pwd.getpwuid(os.getuid()).pw_shell or "/bin/sh"
    except KeyError:
        return "/bin/sh"


def ask_login_shell(
    environ: Mapping[str, str], *, timeout_ms: int = TIMEOUT_MS, given_up: int | None = None
) -> tuple[str | None, str | None]:
    """The PATH a login shell ends up with, or None and why not. Whatever the start files leave running is ended."""
    shell = login_shell(environ)
    begin, end = f"<{os.urandom(16).hex()}", f"{os.urandom(16).hex()}>"
    # /bin/sh prints it, because shells differ in how they would: PATH in the environment is the same in all
    command = f'/bin/sh -c \'printf "%s%s%s" "{begin}" "$PATH" "{end}"\''
    source, target = os.pipe()
    try:
        pid = os.posix_spawn(
            shell,
            [shell, "-i", "-l", "-c", command],
            allowed(environ) | {"PATH": DEFAULT_PATH, "TERM": "dumb"},
            file_actions=[
                (os.POSIX_SPAWN_OPEN, 0, "/dev/null", os.O_RDONLY, 0),
                (os.POSIX_SPAWN_DUP2, target, 1),
                (os.POSIX_SPAWN_OPEN, 2, "/dev/null", os.O_WRONLY, 0),
            ],
            setsid=True,
            setsigmask=(),
            setsigdef=(signal.SIGPIPE, signal.SIGINT, signal.SIGTERM, signal.SIGHUP),
        )
    except OSError as error:
        os.close(source)
        return None, f"The login shell {shell} cannot be started: {error.strerror}."
    finally:
        os.close(target)
    try:
        text = _read_between(source, begin.encode(), end.encode(), timeout_ms, given_up)
    except TimeoutError:
        return None, f"The login shell {shell} gave no answer within {timeout_ms / 1000:g} s; its start files may hang."
    finally:
        os.close(source)
        _end(pid)
    if text is None:
        return None, f"The login shell {shell} ended without an answer."
    return os.fsdecode(text), None


def _read_between(source: int, begin: bytes, end: bytes, timeout_ms: int, given_up: int | None) -> bytes | None:
    """What stands between the markers; None when the output ends without them. TimeoutError when time is over.

    Nobody may want it any more: then it is over at once.

    Only the newest MiB is looked at, however much the start files print.
    """
    limit = time.monotonic_ns() // 1_000_000 + timeout_ms
    seen = b""
    poll = select.poll()
    poll.register(source, select.POLLIN)
    if given_up is not None:
        poll.register(given_up, select.POLLIN)
    while (rest := limit - time.monotonic_ns() // 1_000_000) > 0:
        ready = [descriptor for descriptor, _ in poll.poll(rest)]
        if not ready or given_up in ready:
            break
        data = os.read(source, 65_536)
        if not data:
            return None
        seen = (seen + data)[-_KEPT:]
        start = seen.rfind(begin)
        if start >= 0 and (stop := seen.find(end, start)) >= 0:
            return seen[start + len(begin) : stop]
    raise TimeoutError


def _end(pid: int) -> None:
    """End the shell and what it left behind, also what lost its parent meanwhile, and collect the shell.

    It is asked first, as by a terminal that closes: what a start file locked (pyenv does) would otherwise stay
    locked, and every login shell after this one would wait for it. Nobody else can have its session id: the shell
    keeps its pid until it is collected.
    """
    below: set[tuple[int, int]] = set()
    for number in (signal.SIGHUP, signal.SIGKILL):
        below |= {process.identity for process in process_tree.descendants(pid)}
        sent = []
        for process in process_tree.everything():
            if process.session == pid or process.identity in below:
                process_tree.send(process, number)
                sent.append(process.pid)
        if number == signal.SIGHUP:
            _await_ends(sent, _ASKED_MS)
    with contextlib.suppress(ChildProcessError):
        os.waitpid(pid, 0)


def _await_ends(pids: Sequence[int], limit_ms: int) -> None:
    """Wait until all of these have ended, without collecting any, at most so long."""
    limit = time.monotonic_ns() // 1_000_000 + limit_ms
    poll = select.poll()
    with contextlib.ExitStack() as opened:
        left = 0
        for pid in pids:
            with contextlib.suppress(OSError):  # gone already
                descriptor = os.pidfd_open(pid)
                opened.callback(os.close, descriptor)
                poll.register(descriptor, select.POLLIN)
                left += 1
        while left and (rest := limit - time.monotonic_ns() // 1_000_000) > 0:
            for descriptor, _ in poll.poll(rest):
                poll.unregister(descriptor)
                left -= 1


def _folders(login_path: str | None, app_path: str | None) -> list[str]:
    folders = [folder for path in (login_path, app_path) if path for folder in path.split(":")]
    folders += [os.path.expanduser(folder) for folder in _WELL_KNOWN]
    for pattern in _VERSIONED:
        root, _, inside = os.path.expanduser(pattern).partition("/*/")
        versions = sorted(Path(root).glob("*"), key=_version, reverse=True)
        folders += [str(version / inside) for version in versions]
    return [folder for folder in dict.fromkeys(folders) if os.path.isabs(folder)]


def _version(path: Path) -> tuple[int, ...]:
    numbers = "".join(letter if letter.isdecimal() else " " for letter in path.name).split()
    return tuple(int(number) for number in numbers)


def is_executable(path: str) -> bool:
    """Whether this is a file that we may execute."""
    return os.path.isfile(path) and os.access(path, os.X_OK)
