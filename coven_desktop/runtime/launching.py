"""Starting a session host: the lock, the process, the launch document, the report.

The order makes a crash at any point decidable (design/architecture.md, Launch): the folder, the lock, the host with
the lock's descriptor, the document. The host starts nothing before it has read the whole document.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import json
import os
import signal
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

import coven_desktop
from coven_desktop.clock import Cancellable, Loop
from coven_desktop.home import SessionFolder
from coven_desktop.runtime.evidence import Refusal
from coven_desktop.runtime.registry import RuntimeSpec
from coven_desktop.runtime.seam import FailureClass, LaunchRefused, LaunchSpec
from coven_desktop.runtime.session_files import boot_id

_PROGRAM = (
    "import sys; sys.dont_write_bytecode = True; sys.path.append(sys.argv[1]);"
    " from coven_desktop.runtime.host import main; main()"
)
"""What `python -I -m coven_desktop.runtime.host` does, without loading `site` and `runpy`: 12 ms less start lag.

It leaves no bytecode: on a full disk Python leaves half a file of it, from which no host would ever start again.
`packaging/setup.sh` compiles beforehand.
"""
_PACKAGE_FOLDER = str(Path(coven_desktop.__file__).resolve().parent.parent)
_LOCK, _REPORT = 3, 4
_ABOVE = 10
_LARGEST_ARGUMENT = 128 * 1024 - 1
_UNAVAILABLE = frozenset(
    {
        errno.ENOENT, errno.ECONNREFUSED, errno.ECONNRESET, errno.ECONNABORTED, errno.ENOTCONN, errno.EADDRNOTAVAIL,
        errno.EPIPE,
    }
)  # fmt: skip
_TRANSIENT = frozenset({errno.EAGAIN, errno.ETIMEDOUT, errno.EINTR})


class HostProcess(NamedTuple):
    """A host that waits for its document: process, descriptor of the process, our ends of the two pipes."""

    pid: int
    pidfd: int
    document: int
    report: int


def failure_class(number: int) -> FailureClass:
    """The class of a system error (contract/engine.md §5.3)."""
    if number in _UNAVAILABLE:
        return "runtime_unavailable"
    return "transient_dispatch" if number in _TRANSIENT else "launch_refused"


def refusal_of(error: OSError) -> LaunchRefused:
    """A system error before any host was started."""
    reason = error.strerror or str(error)
    return LaunchRefused(failure_class(error.errno or 0), f"the session could not be started: {reason}")


def refusal_told(refusal: Refusal, spec: RuntimeSpec | None, cwd: str | None) -> LaunchRefused:
    """What the host reports, or its evidence says: the step that failed before anything was executed."""
    reason = os.strerror(refusal.errno) if refusal.errno else "refused by the system"
    match refusal.step:
        case "chdir":
            folder = "the working folder" if cwd is None else f"the working folder {cwd}"
            return LaunchRefused("launch_refused", f"{folder} cannot be entered: {reason}")
        case "exec":
            command = "the command" if spec is None else str(spec.executable)
            return LaunchRefused(failure_class(refusal.errno), f"{command} could not be executed: {reason}")
        case "fork":
            return LaunchRefused(failure_class(refusal.errno), f"no process could be made: {reason}")
        case "spec":
            return LaunchRefused(failure_class(refusal.errno), f"the session could not be prepared: {reason}")


def document(
    launch: LaunchSpec,
    spec: RuntimeSpec,
    folder: SessionFolder,
    environment: dict[str, str],
    secrets: Iterable[str],
    shift_ms: int,
) -> bytes:
    """The launch document; `secrets` names what in the environment is to be kept out of the output.

    Raises LaunchRefused for what the system could not execute, e.g. too long an argument.
    """
    executable = spec.executable or spec.argv[0]
    arguments = [
        executable,
        *spec.arguments(prompt=launch.prompt, prompt_file=str(folder.prompt), cwd=launch.cwd, model=launch.model)[1:],
    ]
    for argument in arguments:
        if "\0" in argument:
            raise LaunchRefused("launch_refused", "an argument of the command contains a NUL character")
        if len(os.fsencode(argument)) > _LARGEST_ARGUMENT:
            raise LaunchRefused(
                "launch_refused",
                f"runtime `{spec.name}` takes the prompt as an argument, at most {_LARGEST_ARGUMENT} bytes of it",
            )
    for name, value in environment.items():
        if "\0" in name + value or "=" in name or not name:
            raise LaunchRefused("launch_refused", f"the environment entry `{name}` cannot be given to a command")
    content: dict[str, Any] = {
        "version": 1,
        "sessionId": launch.session_id,
        "attemptId": launch.attempt_id,
        "automationId": launch.automation_id,
        "runId": launch.run_id,
        "folder": str(folder.root),
        "bootId": boot_id(),
        "clockShiftMs": shift_ms,
        "deadlineMs": launch.deadline,
        "graceMs": spec.grace_ms,
        "lingerMs": spec.linger_ms,
        "outputLimit": spec.output_limit,
        "executable": executable,
        "arguments": arguments,
        "environment": environment,
        "secrets": list(secrets),
        "cwd": launch.cwd,
        "promptForm": spec.prompt,
        "prompt": "" if spec.prompt == "argument" else launch.prompt,
    }
    return json.dumps(content, separators=(",", ":")).encode("ascii")


def spawn(folder: SessionFolder, session_id: str) -> HostProcess:
    """Make the session's folder, take its lock and start a host that holds it. Raises OSError, leaving no process.

    Blocks only until the interpreter is executed (a vfork: about a millisecond).
    """
    folder.root.parent.mkdir(mode=0o700, exist_ok=True)
    folder.root.mkdir(mode=0o700)
    with contextlib.ExitStack() as ours:

        def kept(descriptor: int) -> int:
            ours.callback(os.close, descriptor)
            return descriptor

        lock = kept(os.open(folder.lock, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600))
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        with contextlib.ExitStack() as theirs:
            pipes = (*os.pipe(), *os.pipe())
            for descriptor in pipes:
                theirs.callback(os.close, descriptor)
            document_source, document_target, report_source, report_target = pipes
            # sources above the targets, so that no dup2 runs over one that is still needed
            lock_copy, report_copy, document_copy = (
                kept(fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, _ABOVE))
                for descriptor in (lock, report_target, document_source)
            )
            pid = os.posix_spawn(
                sys.executable,
                [sys.executable, "-I", "-S", "-c", _PROGRAM, _PACKAGE_FOLDER, session_id, str(_LOCK), str(_REPORT)],
                {name: os.environ[name] for name in ("LD_LIBRARY_PATH",) if name in os.environ},
                file_actions=[
                    (os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0),
                    (os.POSIX_SPAWN_OPEN, 2, "/dev/null", os.O_WRONLY, 0),
                    (os.POSIX_SPAWN_DUP2, document_copy, 0),
                    (os.POSIX_SPAWN_DUP2, lock_copy, _LOCK),
                    (os.POSIX_SPAWN_DUP2, report_copy, _REPORT),
                ],
                setsid=True,
                setsigmask=(),
                setsigdef=tuple(signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}),
            )
            try:
                pidfd = os.pidfd_open(pid)
            except OSError:
                # without its document it starts nothing
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)
                raise
            theirs.pop_all()
            for descriptor in (document_source, report_target):
                os.close(descriptor)
    # the lock is not unlocked by closing our descriptors: the host has it
    os.set_blocking(document_target, False)
    os.set_blocking(report_source, False)
    return HostProcess(pid, pidfd, document_target, report_source)


class Handover:
    """Gives the document to the host and waits for its report, never blocking.

    `reported` comes once from the loop: the report, or None when the host closed its end without one.
    """

    def __init__(
        self, host: HostProcess, content: bytes, loop: Loop, reported: Callable[[dict[str, Any] | None], None]
    ) -> None:
        self._rest = memoryview(content)
        self._document = host.document
        self._report = host.report
        self._reported = reported
        self._seen = b""
        self._writer: Cancellable | None = None
        self._reader: Cancellable | None = loop.add_reader(host.report, self._read)
        self._write()
        if self._rest:
            self._writer = loop.add_writer(host.document, self._write)

    def read_now(self) -> None:
        """Read what is there of the report: the host is gone, and its last word may lie in the pipe."""
        if self._reader is not None:
            self._read()

    def close(self) -> None:
        """Give up what is still open."""
        self._close_document()
        if self._reader is not None:
            self._reader.cancel()
            self._reader = None
            os.close(self._report)

    def _write(self) -> None:
        try:
            while self._rest:
                self._rest = self._rest[os.write(self._document, self._rest) :]
        except BlockingIOError:
            return
        except OSError:
            # the host is gone: its report, or the lack of one, says more
            self._rest = self._rest[:0]
        self._close_document()

    def _close_document(self) -> None:
        if self._writer is not None:
            self._writer.cancel()
            self._writer = None
        if self._document >= 0:
            os.close(self._document)
            self._document = -1

    def _read(self) -> None:
        try:
            data = os.read(self._report, 4096)
        except BlockingIOError:
            return
        self._seen += data
        if data and not self._seen.endswith(b"\n"):
            return
        report = json.loads(self._seen) if self._seen.endswith(b"\n") else None
        self.close()
        self._reported(report)
