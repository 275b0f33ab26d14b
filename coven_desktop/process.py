"""What belongs to the process and not to what it does: its log, its last words, and how signals end it."""

from __future__ import annotations

import contextlib
import faulthandler
import io
import logging
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable
from types import TracebackType

from coven_desktop.home import Home
from coven_desktop.qt.core import QMessageLogContext, QSocketNotifier, QtMsgType, qInstallMessageHandler

log = logging.getLogger(__name__)

LOG_BYTES = 1 << 20
LOG_FILES = 5
FAULT = 3

PATIENCE_S = 2.0
"""How long the main thread may take to notice that the process is asked to end."""

ENDING = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


TOLD = {"told": True}
"""As `extra` of a log line: the terminal gets this sentence in another way, or has it already."""


class _Sentences(logging.Formatter):
    """For the terminal of a person: a traceback is for the log alone."""

    def format(self, record: logging.LogRecord) -> str:
        """The line, and where to read on when there is more."""
        more = " (the log says more)" if record.exc_info else ""
        return f"coven-desktop: {record.levelname}: {record.getMessage()}{more}"


class _PrivateLog(logging.FileHandler):
    """A file of this account alone, whatever it was before; no link is followed and no pipe waited for.

    When it is full it becomes the first of the older ones. (The standard library's handler of this kind comes with
    those for sockets, queues and mail, and with what those need: 1.5 MiB.)
    """

    def emit(self, record: logging.LogRecord) -> None:
        """See `logging.Handler`."""
        try:
            if self.stream is not None and self.stream.seekable() and self.stream.tell() >= LOG_BYTES:
                self._begin_anew()
        except OSError:
            self.handleError(record)
        super().emit(record)

    def _begin_anew(self) -> None:
        # whatever becomes of the older ones, what is told next opens the file again
        full, self.stream = self.stream, None
        if full is not None:
            full.close()
        for number in range(LOG_FILES - 1, 0, -1):
            younger = f"{self.baseFilename}.{number - 1}" if number > 1 else self.baseFilename
            with contextlib.suppress(FileNotFoundError):
                os.replace(younger, f"{self.baseFilename}.{number}")
        self.stream = self._open()

    def _open(self) -> io.TextIOWrapper:
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
        descriptor = os.open(self.baseFilename, flags, 0o600)
        try:
            os.fchmod(descriptor, 0o600)
        except BaseException:
            os.close(descriptor)
            raise
        return io.TextIOWrapper(open(descriptor, "ab"), encoding=self.encoding, errors=self.errors)


class _Instants(logging.Formatter):
    """The machine's own time, in UTC with milliseconds, as everything else that is stored."""

    converter = staticmethod(time.gmtime)
    default_time_format = "%Y-%m-%dT%H:%M:%S"
    default_msec_format = "%s.%03dZ"


def open_log(home: Home, *, headless: bool) -> None:
    """Everything at INFO and above goes into app.log (1 MiB, five files); headless, warnings to stderr as well.

    Python's warnings, Qt's messages and exceptions that nobody caught are logged too. If the interpreter itself is
    brought down, where it stood is in app.crash, and from the next window on in app.crash.last. The caller has set the
    umask: the files are 0600. Raises OSError.
    """
    root = logging.getLogger()
    root.setLevel(logging.INFO)
    # a log that cannot be written, on a full disk, is no reason to show tracebacks
    logging.raiseExceptions = False
    into_file = _PrivateLog(home.log, encoding="utf-8", errors="backslashreplace")
    into_file.setFormatter(_Instants("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    root.addHandler(into_file)
    if headless:
        to_terminal = logging.StreamHandler(sys.stderr)
        to_terminal.setLevel(logging.WARNING)
        to_terminal.setFormatter(_Sentences())
        to_terminal.addFilter(lambda record: not getattr(record, "told", False))
        root.addHandler(to_terminal)
    logging.captureWarnings(True)
    sys.excepthook = _log_exception
    threading.excepthook = lambda args: _log_exception(args.exc_type, args.exc_value, args.exc_traceback)
    qInstallMessageHandler(_log_qt_message)
    if not headless:
        _put_crash_aside(home)
    # Open for the life of the process: the handler writes to the descriptor.
    descriptor = os.open(home.crash, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    faulthandler.enable(descriptor)


def _put_crash_aside(home: Home) -> None:
    """What brought an earlier app down is for the window to offer."""
    with contextlib.suppress(OSError):
        if os.lstat(home.crash).st_size:
            os.replace(home.crash, home.last_crash)


def _log_exception(kind: type[BaseException], error: BaseException | None, trace: TracebackType | None) -> None:
    if error is None:
        error = kind()
    log.critical("A mistake of our own", exc_info=(kind, error, trace))


_QT_LEVELS = {
    QtMsgType.QtDebugMsg: logging.DEBUG,
    QtMsgType.QtInfoMsg: logging.INFO,
    QtMsgType.QtWarningMsg: logging.WARNING,
    QtMsgType.QtCriticalMsg: logging.ERROR,
    QtMsgType.QtFatalMsg: logging.CRITICAL,
}


def _log_qt_message(kind: QtMsgType, context: QMessageLogContext, message: str | None) -> None:
    logging.getLogger("qt").log(_QT_LEVELS[kind], "%s", message)
    if kind is QtMsgType.QtFatalMsg:
        # Qt would abort now, and a core file is no sentence: it does this when it finds no display.
        print(f"coven-desktop: {message}", file=sys.stderr, flush=True)
        os._exit(FAULT)


class EndOnSignal:
    """Turns SIGTERM, SIGINT and SIGHUP into a call in the Qt loop of the main thread.

    The interpreter's own handler would run only when Python code runs next, and Qt may wait for hours; the wake-up
    descriptor is written at once, and a thread of its own watches it: it hands the word to Qt, and ends the process by
    itself when the main thread does not take it within `PATIENCE_S`, whatever holds that (decisions.md 27). What is
    committed is committed, and the next start reconciles the rest.
    """

    def __init__(self, end: Callable[[], None]) -> None:
        self._end = end
        self._signals, self._writer = socket.socketpair()
        self._reader, self._word = socket.socketpair()
        for each in (self._writer, self._reader, self._word):
            each.setblocking(False)
        self._heard = threading.Event()
        signal.set_wakeup_fd(self._writer.fileno(), warn_on_full_buffer=False)
        for number in ENDING:
            signal.signal(number, lambda *_: None)
        # whoever started us may have had them blocked, and that is inherited
        signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDING)
        self._notifier = QSocketNotifier(self._reader.fileno(), QSocketNotifier.Type.Read)
        self._notifier.activated.connect(self._read)
        self._watch = threading.Thread(target=self._hand_on, name="signals", daemon=True)
        self._watch.start()

    def close(self) -> None:
        """Back to the system's own handling."""
        self._notifier.setEnabled(False)
        signal.set_wakeup_fd(-1)
        for number in ENDING:
            signal.signal(number, signal.SIG_DFL)
        self._heard.set()
        self._writer.close()  # which ends the thread
        self._watch.join()
        for each in (self._signals, self._reader, self._word):
            each.close()

    def _hand_on(self) -> None:
        """On the thread that watches."""
        while received := self._signals.recv(64):
            asked = bytes(number for number in received if number in ENDING)
            if not asked:
                continue
            with contextlib.suppress(BlockingIOError):  # the main thread has enough to read
                self._word.send(asked)
            if not self._heard.wait(PATIENCE_S):
                log.error("Asked to end, the main thread does not answer: the process ends without it")
                os._exit(FAULT)

    def _read(self) -> None:
        self._heard.set()
        asked = {signal.Signals(number).name for number in self._reader.recv(64)}
        if asked:
            log.info("Ending: %s", ", ".join(sorted(asked)))
            self._end()
