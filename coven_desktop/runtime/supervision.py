"""What the session host does once the command runs: keep its output, stop it when asked or when it is time, prove
that nothing is left, and leave the evidence (design/architecture.md, Sessions).

Nothing here reads a clock but through `wall` (given by the host, shifted like the app's) and the monotonic clock.
Part of the host: it is loaded while the command already runs, and must not need anything from the disk afterwards.
"""

from __future__ import annotations

import errno
import hashlib
import os
import select
import time

from coven_desktop.runtime import host, process_tree
from coven_desktop.runtime.output_writer import STDERR, STDOUT, OutputWriter
from coven_desktop.runtime.redaction import Redactor

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal
    from collections.abc import Callable
    from typing import Any
else:
    import _signal as signal

DEADLINE_ALLOWANCE_MS = 10_000
"""How long after the deadline the app may still stop the run itself (design/decisions.md 18)."""
RECORD_INTERVAL_MS = 50
HOLD_MS = 1_000
"""How long the beginning of what may become a secret is kept back (redaction.py)."""
_BUFFER_BOUND = 1 << 20
_PIPE_SIZE = 65_536
_GIVE_UP_MS = 30_000
_CLOCK_CHECK_MS = 30_000
_TERM_ROUND_MS = 100
_KILL_ROUND_MS = 10
_RETRY_MS = 1_000
_TRIES = 60
_TRIES_ON_FULL_DISK = 24 * 60 * 60
_FULL_DISK = (errno.ENOSPC, errno.EDQUOT)
_EVIDENCE_SPACE = 8_192
_LEFTOVERS_TOLD = 64
_ROUNDS = 64
_NO_OUTPUT = hashlib.sha256(b"").hexdigest()


class _Pipe:
    """One output stream of the command and what was read from it but is not in the log yet.

    A stream that prints little is looked at once per interval, so that it does not wake the host for every line.
    """

    def __init__(self, descriptor: int, stream: int, secrets: dict[str, str]) -> None:
        self.descriptor = descriptor
        self.stream = stream
        self.redactor = Redactor(secrets)
        self.held_until = 0
        self.buffer = bytearray()
        self.next_record_at = 0
        self.open = True
        self._floods = False

    def is_wanted(self, now: int) -> bool:
        """Whether to read as soon as something is there."""
        return self.open and len(self.buffer) < _BUFFER_BOUND and (self._floods or now >= self.next_record_at)

    def read(self) -> None:
        """Read what is there, up to the buffer's bound."""
        before = len(self.buffer)
        while self.open and len(self.buffer) < _BUFFER_BOUND:
            try:
                data = os.read(self.descriptor, _PIPE_SIZE)
            except BlockingIOError:
                break
            except OSError:
                data = b""
            if not data:
                self.open = False
                os.close(self.descriptor)
            self.buffer += data
        self._floods = len(self.buffer) - before > _PIPE_SIZE // 2


class Supervision:
    """One command from its first instruction to the evidence. `run` returns when the evidence is on the disk."""

    def __init__(self, document: dict[str, Any], folder: int, command: host.Command, wall: Callable[[], int]) -> None:
        self._document = document
        self._folder = folder
        self._command = command
        self._wall = wall
        secrets = {name: document["environment"][name] for name in document["secrets"]}
        self._pipes = (_Pipe(command.stdout, STDOUT, secrets), _Pipe(command.stderr, STDERR, secrets))
        self._log = OutputWriter(folder, "output", document["outputLimit"])
        self._digest = hashlib.sha256()
        self._output_bytes = 0
        self._status: int | None = None
        self._ended_at = 0
        self._linger_end = 0
        self._stop_reason: str | None = None
        self._leftovers: list[process_tree.Process] = []
        self._told: set[tuple[int, int]] = set()
        self._stop_began: int | None = None
        self._asked = False
        self._termination = False
        self._quiescent = False

    def run(self) -> None:
        """Supervise until nothing is left, then write the evidence."""
        wake, wake_end = os.pipe()
        for descriptor in (wake, wake_end, self._command.stdout, self._command.stderr):
            os.set_blocking(descriptor, False)
        signal.set_wakeup_fd(wake_end, warn_on_full_buffer=False)
        self._listen()
        _reserve(self._folder)
        while self._goes_on():
            now = _monotonic()
            poll = select.poll()
            poll.register(wake, select.POLLIN)
            for pipe in self._pipes:
                if pipe.is_wanted(now):
                    poll.register(pipe.descriptor, select.POLLIN)
            poll.poll(self._wait_ms(now))
            _drain(wake)
            self._keep_output()
        for pipe in self._pipes:
            self._keep_rest(pipe)
        self._log.close()
        self._leave_evidence(wake)

    def _listen(self) -> None:
        """SIGTERM from anyone is a stop; the app sends SIGUSR1 before it, which makes it a requested one."""

        def asked(number: int, frame: object) -> None:
            self._asked = True

        def terminated(number: int, frame: object) -> None:
            self._termination = True

        signal.signal(signal.SIGUSR1, asked)
        signal.signal(signal.SIGTERM, terminated)
        signal.signal(signal.SIGCHLD, lambda number, frame: None)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        signal.pthread_sigmask(signal.SIG_SETMASK, ())

    def _goes_on(self) -> bool:
        """Do what is due now; False when nothing is left, or when what is left cannot be stopped."""
        self._reap()
        if self._quiescent:
            return False
        now = _monotonic()
        if self._stop_began is None:
            if self._termination:
                self._begin_stop("requested" if self._asked else "host_terminated")
            elif self._wall() >= self._document["deadlineMs"] + DEADLINE_ALLOWANCE_MS:
                self._begin_stop("deadline")
            elif self._status is not None and now >= self._linger_end:
                self._leftovers = process_tree.descendants(os.getpid())
                self._begin_stop(None)
        if self._stop_began is None:
            return True
        grace_end = self._stop_began + self._document["graceMs"]
        if now < grace_end:
            self._terminate()
        elif now < grace_end + _GIVE_UP_MS:
            self._kill()
        else:
            self._leftovers = process_tree.descendants(os.getpid())
            return False
        return not self._quiescent

    def _begin_stop(self, reason: str | None) -> None:
        if self._status is None:
            # a stop that comes after the command's own end stops only what was left behind
            self._stop_reason = reason
        self._stop_began = _monotonic()

    def _terminate(self) -> None:
        """Ask everything under us to end, once each; what sleeps is woken to hear it."""
        for process in process_tree.descendants(os.getpid()):
            if process.identity not in self._told:
                self._told.add(process.identity)
                process_tree.send(process, signal.SIGTERM)
                if process.state in "Tt":
                    process_tree.send(process, signal.SIGCONT)

    def _kill(self) -> None:
        """Kill everything under us, and at once again as long as new processes appear."""
        killed: set[tuple[int, int]] = set()
        for _ in range(_ROUNDS):
            alive = [one for one in process_tree.descendants(os.getpid()) if one.identity not in killed]
            for process in alive:
                killed.add(process.identity)
                process_tree.send(process, signal.SIGKILL)
            self._reap()
            if not alive or self._quiescent:
                return

    def _reap(self) -> None:
        """Collect what has ended. We are the subreaper: no child left means that nothing is left under us at all."""
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                if not self._quiescent:
                    # a stop was for the command; one that comes from now on is for this process, which alone is left
                    self._quiescent, self._termination = True, False
                return
            if pid == 0:
                return
            if pid == self._command.pid:
                self._status = status
                self._ended_at = self._wall()
                self._linger_end = _monotonic() + self._document["lingerMs"]

    def _wait_ms(self, now: int) -> int:
        """How long nothing will be due, when nothing happens."""
        due = [now + _CLOCK_CHECK_MS]
        if self._stop_began is None:
            due.append(now + max(0, self._document["deadlineMs"] + DEADLINE_ALLOWANCE_MS - self._wall()))
            if self._status is not None:
                due.append(self._linger_end)
        elif now < self._stop_began + self._document["graceMs"]:
            due += [now + _TERM_ROUND_MS, self._stop_began + self._document["graceMs"]]
        else:
            due.append(now + _KILL_ROUND_MS)
        due += [one.next_record_at for one in self._pipes if one.buffer or (one.open and not one.is_wanted(now))]
        due += [one.held_until for one in self._pipes if one.redactor.holds]
        return max(0, min(due) - now)

    def _keep_output(self) -> None:
        """Read both streams; put into the log at most one record per interval and stream."""
        now = _monotonic()
        for pipe in self._pipes:
            if pipe.is_wanted(now):
                pipe.read()
            if pipe.buffer and now >= pipe.next_record_at:
                self._write_out(pipe)
                pipe.next_record_at = now + RECORD_INTERVAL_MS
                pipe.held_until = now + HOLD_MS
            if pipe.redactor.holds and now >= pipe.held_until:
                self._put(pipe, pipe.redactor.release())

    def _keep_rest(self, pipe: _Pipe) -> None:
        """Put into the log what is left in the pipe; bounded, for a stranger may hold the other end."""
        for _ in range(_ROUNDS):
            pipe.read()
            if not pipe.buffer:
                break
            self._write_out(pipe)
        self._put(pipe, pipe.redactor.release())

    def _write_out(self, pipe: _Pipe) -> None:
        data, pipe.buffer = pipe.buffer, bytearray()
        self._put(pipe, pipe.redactor.feed(data))

    def _put(self, pipe: _Pipe, data: bytes) -> None:
        """Into the log, and into the evidence: its digest is of what is kept, and tells nothing of a secret."""
        if data:
            self._digest.update(data)
            self._output_bytes += len(data)
            self._log.append(self._wall(), pipe.stream, data)

    def _leave_evidence(self, wake: int) -> None:
        """Write the evidence, again and again if need be: without it the run counts as vanished."""
        status = self._status
        if status is None:
            # given up on a command that cannot be killed: how it ends will never be known
            outcome, code, number = "signalled", None, int(signal.SIGKILL)
        elif os.WIFSIGNALED(status):
            outcome, code, number = "signalled", None, os.WTERMSIG(status)
        else:
            outcome, code, number = "exited", os.WEXITSTATUS(status), None
        text = evidence_text(
            self._document,
            outcome=outcome,
            exit_code=code,
            signal_number=number,
            refusal=None,
            started_at=self._command.started_at,
            ended_at=self._ended_at or self._wall(),
            stop_reason=self._stop_reason,
            quiescent=self._quiescent,
            leftovers=self._leftovers,
            output=(self._output_bytes, self._log.dropped, self._digest.hexdigest()),
        )

        def pause() -> bool:
            poll = select.poll()
            poll.register(wake, select.POLLIN)
            poll.poll(_RETRY_MS)
            _drain(wake)
            return not self._termination

        leave_evidence(self._folder, text, pause)


def leave_evidence(folder: int, text: str, pause: Callable[[], bool]) -> bool:
    """Write the evidence; False when that cannot be done: then the session counts as vanished, and the person decides.

    What stands in the way of its files is put aside. A full disk is waited for a day long, any other trouble a minute.
    `pause` waits for a second, and is False when this process has been asked to end.
    """
    for tried in range(1, _TRIES_ON_FULL_DISK + 1):
        try:
            write_evidence(folder, text)
            return True
        except FileNotFoundError:
            return False  # the session's folder was removed: nobody is interested any more
        except OSError as error:
            if error.errno not in _FULL_DISK:
                _put_aside(folder)
                if tried >= _TRIES:
                    return False
        if not pause():
            return False
    return False


def _put_aside(folder: int) -> None:
    """Rename what is in the place of the evidence and is no file that could be written over."""
    for name in ("evidence.new", "evidence.json"):
        try:
            os.rename(name, f"{name}.aside", src_dir_fd=folder, dst_dir_fd=folder)
        except OSError:
            continue  # it is not there, or it cannot be moved: the next try says so


def write_refusal(document: dict[str, Any], folder: int, step: str, errno: int, now: int) -> None:
    """Leave evidence that nothing was executed. On a full disk the report alone has to do."""
    text = evidence_text(
        document,
        outcome="refused",
        exit_code=None,
        signal_number=None,
        refusal=(step, errno),
        started_at=None,
        ended_at=now,
        stop_reason=None,
        quiescent=True,
        leftovers=(),
        output=(0, 0, _NO_OUTPUT),
    )
    try:
        write_evidence(folder, text)
    except OSError:
        return


def evidence_text(
    document: dict[str, Any],
    *,
    outcome: str,
    exit_code: int | None,
    signal_number: int | None,
    refusal: tuple[str, int] | None,
    started_at: int | None,
    ended_at: int,
    stop_reason: str | None,
    quiescent: bool,
    leftovers: list[process_tree.Process] | tuple[()],
    output: tuple[int, int, str],
) -> str:
    """The evidence document as JSON (`evidence.py` has its shape). Bounded: at most 64 leftovers are named."""
    named = ",".join(f'{{"pid":{left.pid},"name":{_quoted(left.name)}}}' for left in leftovers[:_LEFTOVERS_TOLD])
    refused = "null" if refusal is None else f'{{"step":{_quoted(refusal[0])},"errno":{refusal[1]}}}'
    members = (
        ("version", "1"),
        ("sessionId", _quoted(document["sessionId"])),
        ("attemptId", _quoted(document["attemptId"])),
        ("bootId", _quoted(document["bootId"])),
        ("outcome", _quoted(outcome)),
        ("exitCode", "null" if exit_code is None else str(exit_code)),
        ("signal", "null" if signal_number is None else str(signal_number)),
        ("refusal", refused),
        ("startedAt", "null" if started_at is None else _quoted(_instant_text(started_at))),
        ("endedAt", _quoted(_instant_text(ended_at))),
        ("stopReason", "null" if stop_reason is None else _quoted(stop_reason)),
        ("quiescent", "true" if quiescent else "false"),
        ("leftovers", f"[{named}]"),
        ("outputBytes", str(output[0])),
        ("outputDropped", str(output[1])),
        ("outputSha256", _quoted(output[2])),
    )
    return "{" + ",".join(f'"{name}":{value}' for name, value in members) + "}\n"


def write_evidence(folder: int, text: str) -> None:
    """Put the evidence in its place whole or not at all, and on the disk. Raises OSError."""
    descriptor = host.open_private(folder, "evidence.new", os.O_WRONLY)
    try:
        # over the space reserved at the start, so that a full disk cannot refuse it
        data = text.encode("ascii")
        host.write_all(descriptor, data)
        os.ftruncate(descriptor, len(data))
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    os.rename("evidence.new", "evidence.json", src_dir_fd=folder, dst_dir_fd=folder)
    os.fsync(folder)


def _reserve(folder: int) -> None:
    """Reserve the disk space of the evidence, as far as the file system can."""
    try:
        descriptor = host.open_private(folder, "evidence.new", os.O_WRONLY)
        try:
            os.posix_fallocate(descriptor, 0, _EVIDENCE_SPACE)
        finally:
            os.close(descriptor)
    except OSError:
        return  # full already: the evidence is tried all the same


def _quoted(text: str) -> str:
    from _json import encode_basestring_ascii

    return encode_basestring_ascii(text)


def _instant_text(instant: int) -> str:
    """A wall instant in milliseconds as RFC 3339 text, as contract/timestamps.py writes it."""
    seconds, fraction = divmod(instant, 1000)
    year, month, day, hour, minute, second = time.gmtime(seconds)[:6]
    return f"{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{fraction:03}Z"


def _monotonic() -> int:
    return time.monotonic_ns() // 1_000_000


def _drain(descriptor: int) -> None:
    try:
        while os.read(descriptor, 4096):
            continue
    except BlockingIOError:
        return
