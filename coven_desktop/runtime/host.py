"""The session host: the small process between the app and one command, which must outlive the app.

Started detached with three things: a descriptor that holds the flock on the session's `lock`, a pipe for its report,
and the launch document as JSON on stdin. It reads the whole document or exits, becomes a child subreaper, syncs
`starting` to disk, executes the command in a session of its own, and reports; `supervision` does the rest
(design/architecture.md, Sessions). Whoever finds the lock free later can tell from the files what happened.

Every import here delays the command, so only what is needed before it runs is imported before it runs: `_signal`
instead of `signal` (its enums cost 5 ms), the C scanner of `json` instead of `json` (its regular expressions cost
10 ms), `_ctypes` instead of `ctypes` (4 ms). Run by hand: `python -I -m coven_desktop.runtime.host ID LOCK REPORT`;
the app leaves out the site and runpy modules too, see `launching.py`.
"""

from __future__ import annotations

import _ctypes
import _json
import os
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal
    from collections.abc import Callable
    from typing import Any
else:
    import _signal as signal

_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36
_BLOCKED = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGUSR1, signal.SIGCHLD)
_CHUNK = 1 << 20


class Incomplete(Exception):
    """The launch document was cut off: the app is gone, and nothing must be started."""


class Refused(Exception):
    """Nothing was executed: the step ("spec", "chdir", "exec", "fork") that failed and its error number."""

    def __init__(self, step: str, errno: int) -> None:
        super().__init__(step, errno)
        self.step = step
        self.errno = errno


class Command:
    """The command as it runs: its process id, the read ends of its output, and when it was executed (wall ms)."""

    def __init__(self, pid: int, stdout: int, stderr: int, started_at: int) -> None:
        self.pid = pid
        self.stdout = stdout
        self.stderr = stderr
        self.started_at = started_at


def main() -> None:
    """Run one session; the last arguments are the session id, the lock's and the report's descriptor."""
    lock, report = int(sys.argv[-2]), int(sys.argv[-1])
    # a stop that comes from now on is kept until somebody can act on it
    signal.pthread_sigmask(signal.SIG_BLOCK, _BLOCKED)
    _close_inherited(lock, report)
    os.set_inheritable(lock, False)
    os.set_inheritable(report, False)
    try:
        document = decode(read_document(0))
    except Incomplete:
        os._exit(3)
    _leave_standard_streams()
    # by descriptor from here on: the home may be renamed while the session goes on
    folder = os.open(document["folder"], os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    os.chdir("/")
    command_umask = os.umask(0o077)
    shift: int = document["clockShiftMs"]

    def wall() -> int:
        return time.time_ns() // 1_000_000 + shift

    try:
        try:
            prctl(_PR_SET_CHILD_SUBREAPER, 1)
            _write_prompt(document, folder)
            _write_starting(document, folder)
        except OSError as error:
            raise Refused("spec", error.errno or 0) from error
        command = _execute(document, folder, command_umask, wall)
    except Refused as refused:
        # the evidence first, so that whoever hears of the refusal finds it
        from coven_desktop.runtime.supervision import write_refusal

        write_refusal(document, folder, refused.step, refused.errno, wall())
        _report(report, f'{{"refused":{{"step":"{refused.step}","errno":{refused.errno}}}}}\n')
        os._exit(0)
    _report(report, f'{{"started":{{"startedAt":{command.started_at}}}}}\n')
    try:
        from coven_desktop.runtime.supervision import Supervision

        Supervision(document, folder, command, wall).run()
    except BaseException as error:  # noqa: BLE001 - nobody above us could tell it
        _tell_crash(folder, error)
        os._exit(4)
    os._exit(0)


def read_document(descriptor: int) -> bytes:
    """Everything until the writer closes its end."""
    parts = []
    while part := os.read(descriptor, _CHUNK):
        parts.append(part)
    return b"".join(parts)


def _leave_standard_streams() -> None:
    null = os.open("/dev/null", os.O_RDWR | os.O_CLOEXEC)
    for standard in (0, 1, 2):
        os.dup2(null, standard, inheritable=False)
    os.close(null)


class _Scan:
    """What the C scanner asks for: the settings of `json.loads`."""

    strict = True
    object_hook = None
    object_pairs_hook = None
    array_hook = None
    parse_float = float
    parse_int = int
    parse_constant = None

    def __init__(self) -> None:
        self.memo: dict[str, str] = {}


def decode(data: bytes) -> dict[str, Any]:
    """The launch document. Raises Incomplete when it is cut off: it is ours, so nothing else can be wrong with it."""
    settings: Any = _Scan()
    try:
        document, end = _json.make_scanner(settings)(data.decode("ascii"), 0)
    except (StopIteration, ValueError):
        raise Incomplete from None
    if end != len(data):
        raise Incomplete
    found: dict[str, Any] = document
    return found


def prctl(option: int, argument: int) -> None:
    """The system call. Raises OSError without a number when it is refused (`_ctypes` keeps errno to itself)."""
    program = _ctypes.dlopen(None, os.RTLD_NOW)  # type: ignore[arg-type]  # None is what `ctypes.CDLL(None)` gives
    address = _ctypes.dlsym(program, "prctl")
    if _ctypes.call_function(address, (option, argument, 0, 0, 0)) != 0:
        raise OSError(0, "prctl was refused")


def open_private(folder: int, name: str, flags: int) -> int:
    """Open a file of the session for writing, 0600."""
    return os.open(name, flags | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600, dir_fd=folder)


def write_all(descriptor: int, data: bytes) -> None:
    """Write everything. Raises OSError."""
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def _write_prompt(document: dict[str, Any], folder: int) -> None:
    if document["promptForm"] == "argument":
        return
    descriptor = open_private(folder, "prompt", os.O_WRONLY | os.O_TRUNC)
    try:
        write_all(descriptor, document["prompt"].encode("utf-8", "surrogateescape"))
    finally:
        os.close(descriptor)


def _write_starting(document: dict[str, Any], folder: int) -> None:
    """Say durably, before anything is executed, that from now on something may run, and who would see to it.

    The folder and its parent are synced too: they may be as new as the file.
    """
    with open("/proc/self/stat", "rb") as file:
        start_time = int(file.read().rpartition(b")")[2].split()[19])
    text = (
        f'{{"version":1,"sessionId":"{document["sessionId"]}","bootId":"{document["bootId"]}","pid":{os.getpid()},'
        f'"startTime":{start_time},"graceMs":{document["graceMs"]},'
        f'"automationId":"{document["automationId"]}","runId":"{document["runId"]}"}}\n'
    )
    descriptor = open_private(folder, "starting", os.O_WRONLY | os.O_EXCL)
    try:
        write_all(descriptor, text.encode("ascii"))
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    os.fsync(folder)
    parent = os.open("..", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC, dir_fd=folder)
    try:
        os.fsync(parent)
    finally:
        os.close(parent)


def _execute(document: dict[str, Any], folder: int, umask: int, wall: Callable[[], int]) -> Command:
    """Fork and execute the command. Returns once it is executed; raises Refused with the step that failed."""
    try:
        if document["promptForm"] == "stdin":
            stdin = os.open("prompt", os.O_RDONLY | os.O_CLOEXEC, dir_fd=folder)
        else:
            stdin = 0
        status, status_end = os.pipe()
        stdout, stdout_end = os.pipe()
        stderr, stderr_end = os.pipe()
    except OSError as error:
        raise Refused("spec", error.errno or 0) from error
    host = os.getpid()
    try:
        pid = os.fork()
    except OSError as error:
        raise Refused("fork", error.errno or 0) from error
    if pid == 0:
        _become(document, (stdin, stdout_end, stderr_end), status_end, umask, host)
    for descriptor in (status_end, stdout_end, stderr_end):
        os.close(descriptor)
    if stdin:
        os.close(stdin)
    # the status pipe closes when the command is executed: no word on it means success
    word = read_document(status).decode("ascii").split()
    started_at = wall()
    os.close(status)
    if word:
        os.waitpid(pid, 0)
        raise Refused(word[0], int(word[1]))
    return Command(pid, stdout, stderr, started_at)


def _become(document: dict[str, Any], standard: tuple[int, int, int], status: int, umask: int, host: int) -> None:
    """In the child: become the command, or say on `status` which step failed. Never returns."""
    step = "exec"
    try:
        os.setsid()
        for target, source in enumerate(standard):
            if source == target:
                os.set_inheritable(target, True)
            else:
                os.dup2(source, target)
        # a command whose host is killed cannot be stopped or proven any more: it goes with its host; what it had
        # started is ended by whoever finds the session vanished (survivors.py)
        prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != host:
            os._exit(125)
        # Python ignores these two, and what is ignored stays ignored across exec
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_SETMASK, ())
        os.umask(umask)
        step = "chdir"
        os.chdir(document["cwd"])
        step = "exec"
        os.execve(document["executable"], document["arguments"], document["environment"])
    except OSError as error:
        os.write(status, f"{step} {error.errno or 0}".encode("ascii"))
    finally:
        os._exit(126)


def _report(descriptor: int, text: str) -> None:
    """Tell the app, if there still is one."""
    try:
        write_all(descriptor, text.encode("ascii"))
    except OSError:
        return
    finally:
        os.close(descriptor)


def _tell_crash(folder: int, error: BaseException) -> None:
    """Leave the traceback of a fault of our own beside the evidence that will be missing."""
    import traceback

    descriptor = open_private(folder, "host-fault", os.O_WRONLY | os.O_TRUNC)
    write_all(descriptor, "".join(traceback.format_exception(error)).encode("utf-8", "backslashreplace"))


def _close_inherited(*kept: int) -> None:
    """Close what the app may have left open by mistake: a host lives long and would hold it."""
    for name in os.listdir("/proc/self/fd"):
        descriptor = int(name)
        if descriptor > 2 and descriptor not in kept:
            try:
                os.close(descriptor)
            except OSError:  # the descriptor of this very list is closed already
                continue


if __name__ == "__main__":
    main()
