"""Sessions for the engine: start, find again, attach, stop with proof (design/architecture.md, Sessions).

`ProcessRuntime` watches session hosts: of our own by the pipe they report on, all of them by a pidfd. What became of
a session is always read from its files (`session_files.py`), never concluded from what was seen here.
"""

from __future__ import annotations

import contextlib
import errno
import logging
import os
import signal
import stat
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from coven_desktop.clock import Cancellable, Clock, Loop
from coven_desktop.home import Home
from coven_desktop.runtime import file_delivery, launching, live_hosts, secrets, session_files, survivors
from coven_desktop.runtime.environment import environment
from coven_desktop.runtime.evidence import Evidence, Refusal
from coven_desktop.runtime.registry import DEFAULT_GRACE_MS, Registry, RuntimeSpec
from coven_desktop.runtime.seam import (
    Ended,
    FailureClass,
    Found,
    KnownRuntime,
    LaunchRefused,
    LaunchSpec,
    LiveHost,
    Runtime,
    Started,
    Stopped,
)

__all__ = [
    "Ended", "FailureClass", "Found", "KnownRuntime", "LaunchRefused", "LaunchSpec", "LiveHost",
    "ProcessRuntime", "Runtime", "Started", "Stopped",
]  # fmt: skip

_log = logging.getLogger(__name__)
_T = TypeVar("_T")

REPORT_LIMIT_MS = 10_000
PROOF_ALLOWANCE_MS = 5_000
"""Beyond the grace: the time for killing and for the proof."""
_LOOK_AGAIN_MS = 50
_LOOKS = 100
_TOLD = 8


class _Launching:
    """The part of a session that ends with the host's report."""

    def __init__(
        self, spec: RuntimeSpec, cwd: str, started: Callable[[Started], None], refused: Callable[[LaunchRefused], None]
    ) -> None:
        self.spec = spec
        self.cwd = cwd
        self.started = started
        self.refused = refused
        self.handover: launching.Handover | None = None
        self.overdue = False


class _Session:
    """One session that is watched. `pid` is 0 and `pidfd` -1 while it is not known yet who its host is."""

    def __init__(self, session_id: str, grace_ms: int) -> None:
        self.id = session_id
        self.grace_ms = grace_ms
        self.pid = 0
        self.pidfd = -1
        self.launching: _Launching | None = None
        self.question: Cancellable | None = None
        self.ended: Callable[[Ended], None] | None = None
        self.stopped: list[Callable[[Stopped], None]] = []
        self.end_watch: Cancellable | None = None
        self.report_timer: Cancellable | None = None
        self.stop_timer: Cancellable | None = None
        self.look_timer: Cancellable | None = None
        self.looks = 0
        self.forgotten = False


class ProcessRuntime:
    """The `Runtime` of real processes."""

    def __init__(self, home: Home, registry: Registry, loop: Loop, clock: Clock) -> None:
        self._home = home
        self._registry = registry
        self._loop = loop
        self._clock = clock
        self._sessions: dict[str, _Session] = {}
        self.keyring = secrets.Keyring(loop, clock, registry.environ)
        self.deliveries = file_delivery.FileDeliveries(home, loop, clock)

    # --- starting -----------------------------------------------------------------------------------------------------

    def check(self, runtime: str, cwd: str | None) -> None:
        """See `Runtime`."""
        self._usable(runtime)
        if cwd is not None:
            _check_folder(cwd)

    def known(self) -> tuple[KnownRuntime, ...]:
        """See `Runtime`."""
        self._registry.keep_up()
        specs = (self._registry.get(name) for name in self._registry.names())
        return tuple(_known(spec) for spec in specs if spec is not None)

    def problems(self) -> tuple[tuple[str | None, str], ...]:
        """See `Runtime`."""
        return tuple((problem.name, problem.sentence) for problem in self._registry.problems)

    def ask_keyring(self, question: secrets.Question, answered: Callable[[secrets.Reply], None], limit_ms: int) -> None:
        """See `Runtime`."""
        self.keyring.ask(question, answered, limit_ms)

    def launch(
        self,
        spec: LaunchSpec,
        *,
        started: Callable[[Started], None],
        refused: Callable[[LaunchRefused], None],
        ended: Callable[[Ended], None],
    ) -> None:
        """See `Runtime`."""
        try:
            runtime = self._usable(spec.runtime)
            _check_folder(spec.cwd)
        except LaunchRefused as refusal:
            told = refusal
            self._loop.call_soon(lambda: refused(told))
            return
        session = _Session(spec.session_id, runtime.grace_ms)
        session.ended = ended
        session.launching = _Launching(runtime, spec.cwd, started, refused)
        self._sessions[session.id] = session
        # what the routine says counts more than what its runtime says
        of_runtime = (name for name in runtime.secrets if name not in spec.environment)
        names = tuple(dict.fromkeys((*of_runtime, *spec.secrets)))
        if names:
            session.question = self.keyring.read(names, lambda reply: self._told(session, spec, names, reply))
        else:
            self._execute(session, spec, {})

    def _told(self, session: _Session, spec: LaunchSpec, names: tuple[str, ...], reply: secrets.Reply) -> None:
        """The keyring has answered."""
        session.question = None
        try:
            values = secrets.given(names, reply)
        except LaunchRefused as refusal:
            self._give_up(session, refusal)
        else:
            self._execute(session, spec, values)

    def _give_up(self, session: _Session, refusal: LaunchRefused) -> None:
        """Before there is a host."""
        self._refuse(session, refusal)
        del self._sessions[session.id]

    def _execute(self, session: _Session, spec: LaunchSpec, values: Mapping[str, str]) -> None:
        if session.launching is None:
            return
        try:
            host, content = self._spawn(spec, session.launching.spec, values)
        except LaunchRefused as refusal:
            self._give_up(session, refusal)
            return
        session.pid, session.pidfd = host.pid, host.pidfd
        session.end_watch = self._loop.add_reader(host.pidfd, lambda: self._host_gone(session))
        session.report_timer = self._after(REPORT_LIMIT_MS, lambda: self._overdue(session))
        session.launching.handover = launching.Handover(
            host, content, self._loop, lambda report: self._reported(session, report)
        )

    def _spawn(
        self, spec: LaunchSpec, runtime: RuntimeSpec, values: Mapping[str, str]
    ) -> tuple[launching.HostProcess, bytes]:
        folder = self._home.session(spec.session_id)
        given = environment(
            self._registry.environ,
            self._registry.login_path,
            runtime.env,
            {**spec.environment, **values},
            executable=runtime.executable,
            familiar_id=spec.familiar_id,
            automation_id=spec.automation_id,
            run_id=spec.run_id,
            session_id=spec.session_id,
        )
        content = launching.document(spec, runtime, folder, given, values, self._clock.shift_ms)
        try:
            return launching.spawn(folder, spec.session_id), content
        except OSError as error:
            raise launching.refusal_of(error) from error

    def _usable(self, name: str) -> RuntimeSpec:
        """The runtime as the person's file has it now, its executable present. Raises LaunchRefused."""
        self._registry.keep_up()
        spec = self._registry.get(name)
        if spec is None:
            known = f"runtime `{name}` is not known; known are {', '.join(self._registry.names())}"
            raise LaunchRefused("launch_refused", self._registry.problem(name) or known)
        if spec.executable is None or not os.path.isfile(spec.executable):
            # it may have moved since the last look
            self._registry.refresh()
            spec = self._registry.get(name) or spec
        if spec.executable is None or not os.path.isfile(spec.executable):
            self._registry.search(self._loop)
            where = "was not found" if spec.executable is None else f"is not at {spec.executable}"
            raise LaunchRefused("runtime_unavailable", f"the command `{spec.argv[0]}` of runtime `{name}` {where}")
        if not os.access(spec.executable, os.X_OK):
            raise LaunchRefused("launch_refused", f"{spec.executable} of runtime `{name}` is not executable")
        return spec

    def _reported(self, session: _Session, report: dict[str, Any] | None) -> None:
        if report is None or session.launching is None:
            return  # the host is going: what became of it is read when it is gone
        start = session.launching
        if "refused" in report:
            told = Refusal(report["refused"]["step"], report["refused"]["errno"])
            self._refuse(session, launching.refusal_told(told, start.spec, start.cwd))
            if told.step == "exec" and told.errno == errno.ENOENT:
                self._registry.search(self._loop)
        elif not start.overdue:
            self._confirm(session, report["started"]["startedAt"])

    def _confirm(self, session: _Session, started_at: int) -> None:
        start = self._end_launching(session)
        if start is not None:
            self._tell(session, start.started, Started(session.id, session.pid, started_at))

    def _refuse(self, session: _Session, refusal: LaunchRefused) -> None:
        start = self._end_launching(session)
        session.ended = None
        if start is not None:
            self._tell(session, start.refused, refusal)

    def _end_launching(self, session: _Session) -> _Launching | None:
        start, session.launching = session.launching, None
        if start is not None and start.handover is not None:
            start.handover.close()
        _cancel(session.report_timer)
        session.report_timer = None
        return start

    def _overdue(self, session: _Session) -> None:
        """No report in time: stop the host, and judge from its files when it is gone, or when that takes too long."""
        if session.launching is None:
            return
        session.launching.overdue = True
        self._send_stop(session)
        session.report_timer = self._after(session.grace_ms + PROOF_ALLOWANCE_MS, lambda: self._lost(session))

    def _lost(self, session: _Session) -> None:
        told = "the session host did not report in time and could not be stopped"
        self._refuse(session, LaunchRefused("transient_dispatch", told, False))

    # --- finding ------------------------------------------------------------------------------------------------------

    def find(self, session_id: str) -> tuple[Found, Evidence | None]:
        """See `Runtime`."""
        folder = self._home.session(session_id)
        found, evidence = session_files.find(folder)
        if found == "vanished" and not session_files.is_of_another_boot(folder):
            left = survivors.end(session_id)
            if left:
                survivors.record(folder, left)
                names = ", ".join(f"{process.name} ({process.pid})" for process in left[:_TOLD])
                _log.info("the host of session %s is gone; ended what it had left running: %s", session_id, names)
        return found, evidence

    def live_hosts(self) -> tuple[LiveHost, ...]:
        """See `Runtime`."""
        return live_hosts.find(self._home)

    def executing(self, session_id: str) -> int | None:
        """See `Runtime`."""
        host = session_files.open_host(self._home.session(session_id))
        if host is None:
            return None
        os.close(host.pidfd)
        return host.pid

    def attach(self, session_id: str, *, ended: Callable[[Ended], None]) -> None:
        """See `Runtime`."""
        session = self._sessions.get(session_id)
        if session is None:
            session = self._watch(session_id)
        session.forgotten = False
        session.ended = ended

    def _watch(self, session_id: str) -> _Session:
        session = _Session(session_id, DEFAULT_GRACE_MS)
        self._sessions[session_id] = session
        self._loop.call_soon(lambda: self._look(session))
        return session

    def _look(self, session: _Session) -> None:
        """Find the host of a session by its files; until it has written who it is, look again."""
        session.look_timer = None
        if session.forgotten:
            return
        host = session_files.open_host(self._home.session(session.id))
        if host is not None:
            session.pid, session.pidfd, session.grace_ms = host
            session.end_watch = self._loop.add_reader(host.pidfd, lambda: self._host_gone(session))
            if session.stopped:
                self._await_proof(session)
                self._send_stop(session)
        elif self.find(session.id)[0] == "alive":
            session.look_timer = self._after(_LOOK_AGAIN_MS, lambda: self._look(session))
        else:
            self._judge(session)

    # --- ending -------------------------------------------------------------------------------------------------------

    def _host_gone(self, session: _Session) -> None:
        _cancel(session.end_watch)
        session.end_watch = None
        os.close(session.pidfd)
        session.pidfd = -1
        with contextlib.suppress(ChildProcessError):  # the host of an earlier app is not our child
            os.waitpid(session.pid, os.WNOHANG)
        if session.launching is not None and session.launching.handover is not None:
            session.launching.handover.read_now()
        self._judge(session)

    def _judge(self, session: _Session) -> None:
        """The host is gone: read what became of the session, and tell everyone who waits."""
        session.look_timer = None
        if session.forgotten:
            self._sessions.pop(session.id, None)
            return
        found, evidence = self.find(session.id)
        if found == "alive":
            # a host that was killed between fork and exec: its child holds the lock for another moment
            session.looks += 1
            if session.looks < _LOOKS:
                session.look_timer = self._after(_LOOK_AGAIN_MS, lambda: self._judge(session))
                return
        if session.launching is not None:
            self._judge_launch(session, found, evidence)
        for answer in self._end_stopping(session):
            self._tell(session, answer, _stopped(session.id, found, evidence))
        if session.ended is not None:
            self._tell(session, session.ended, Ended(session.id, evidence, found == "never_started"))
        del self._sessions[session.id]

    def _judge_launch(self, session: _Session, found: Found, evidence: Evidence | None) -> None:
        start = session.launching
        if found == "never_started":
            told = "the session host ended before it started anything"
            self._refuse(session, LaunchRefused("transient_dispatch", told))
        elif start is not None and evidence is not None and evidence.refusal is not None:
            self._refuse(session, launching.refusal_told(evidence.refusal, start.spec, start.cwd))
        elif start is not None and evidence is not None and evidence.started_at is not None and not start.overdue:
            self._confirm(session, evidence.started_at)
        else:
            told = "the session host ended without saying whether the command was executed"
            self._refuse(session, LaunchRefused("transient_dispatch", told, False))

    # --- stopping -----------------------------------------------------------------------------------------------------

    def stop(self, session_id: str, *, stopped: Callable[[Stopped], None]) -> None:
        """See `Runtime`."""
        session = self._sessions.get(session_id)
        if session is None:
            session = self._watch(session_id)
        session.forgotten = False
        session.stopped.append(stopped)
        if session.question is not None:
            session.question.cancel()
            session.question = None
            self._refuse(session, LaunchRefused("transient_dispatch", "stopped before anything was started"))
            self._judge(session)
            return
        self._await_proof(session)
        if session.pidfd >= 0:
            self._send_stop(session)

    def _await_proof(self, session: _Session) -> None:
        _cancel(session.stop_timer)
        limit = session.grace_ms + PROOF_ALLOWANCE_MS
        session.stop_timer = self._after(limit, lambda: self._unconfirmed(session))

    def _send_stop(self, session: _Session) -> None:
        """SIGUSR1 first: it makes the SIGTERM a requested one, and not somebody else's."""
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(session.pidfd, signal.SIGUSR1)
            signal.pidfd_send_signal(session.pidfd, signal.SIGTERM)
            # a host that somebody stopped, its own command perhaps, hears nothing before it goes on
            signal.pidfd_send_signal(session.pidfd, signal.SIGCONT)

    def _unconfirmed(self, session: _Session) -> None:
        told = Stopped(session.id, False, None, "the host is still alive after grace and kill")
        for answer in self._end_stopping(session):
            self._tell(session, answer, told)

    def _end_stopping(self, session: _Session) -> list[Callable[[Stopped], None]]:
        answers, session.stopped = session.stopped, []
        _cancel(session.stop_timer)
        session.stop_timer = None
        return answers

    # --- forgetting ---------------------------------------------------------------------------------------------------

    def forget(self, session_id: str) -> None:
        """See `Runtime`. A host of our own is still collected when it ends."""
        session = self._sessions.get(session_id)
        if session is None:
            return
        session.forgotten = True
        session.ended = None
        self._end_stopping(session)
        self._end_launching(session)
        _cancel(session.look_timer)
        _cancel(session.question)
        if session.pidfd < 0:
            del self._sessions[session_id]

    def close(self) -> None:
        """See `Runtime`."""
        for session_id in list(self._sessions):
            self.forget(session_id)
        for session in self._sessions.values():
            _cancel(session.end_watch)
            os.close(session.pidfd)
            with contextlib.suppress(ChildProcessError):
                os.waitpid(session.pid, os.WNOHANG)
        self._sessions.clear()
        self.keyring.close()
        self.deliveries.close()

    # --- the loop -----------------------------------------------------------------------------------------------------

    def _after(self, milliseconds: int, callback: Callable[[], None]) -> Cancellable:
        return self._loop.call_at(self._clock.monotonic() + milliseconds, callback)

    def _tell(self, session: _Session, callback: Callable[[_T], None], report: _T) -> None:
        """One callback in a turn of its own, so that a fault in it keeps nobody else waiting."""

        def tell() -> None:
            if not session.forgotten:
                callback(report)

        self._loop.call_soon(tell)


def _known(spec: RuntimeSpec) -> KnownRuntime:
    return KnownRuntime(
        name=spec.name,
        source=spec.source,
        argv=spec.argv,
        model_argv=spec.model_argv,
        prompt=spec.prompt,
        executable=spec.executable,
        verified=spec.verified,
        environment=tuple(spec.env),
        secrets=spec.secrets,
        grace_ms=spec.grace_ms,
        linger_ms=spec.linger_ms,
        output_limit=spec.output_limit,
    )


def _stopped(session_id: str, found: Found, evidence: Evidence | None) -> Stopped:
    if found == "never_started":
        return Stopped(session_id, True, None, "no process was ever started")
    if evidence is None:
        return Stopped(session_id, False, None, "the host is gone and left no evidence")
    if not evidence.quiescent:
        return Stopped(session_id, False, evidence, "the host could not end everything it was responsible for")
    return Stopped(session_id, True, evidence, "")


def _check_folder(cwd: str) -> None:
    """Raises LaunchRefused with the reason (design/decisions.md 19)."""
    if not cwd.strip() or "\0" in cwd:
        raise LaunchRefused("launch_refused", "there is no working folder")
    if not os.path.isabs(cwd):
        raise LaunchRefused("launch_refused", f"the working folder `{cwd}` is not an absolute path")
    try:
        mode = os.stat(cwd).st_mode
    except FileNotFoundError:
        raise LaunchRefused("launch_refused", f"the working folder {cwd} does not exist") from None
    except OSError as error:
        raise LaunchRefused("launch_refused", f"the working folder {cwd} cannot be used: {error.strerror}") from error
    if not stat.S_ISDIR(mode):
        raise LaunchRefused("launch_refused", f"the working folder {cwd} is not a folder")
    if not os.access(cwd, os.X_OK):
        raise LaunchRefused("launch_refused", f"the working folder {cwd} may not be entered")


def _cancel(watch: Cancellable | None) -> None:
    if watch is not None:
        watch.cancel()
