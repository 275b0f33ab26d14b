"""What holds for every test: no silent warnings, no touching of the person's own files, two sizes of the suite.

A test fails on any Python warning (`filterwarnings`), any Qt warning and any record logged at WARNING or above,
in whatever thread, its set-up and tear-down included. A test about a warning says so, before or after:

    def test_it_says_so(logged: LoggedWarnings) -> None:
        logged.expect("the disk is full")

`--long` (or COVEN_LONG=1) asks for the long suite: more examples, more kills (decisions.md 48).
"""

from __future__ import annotations

import gc
import logging
import os
import threading
from collections.abc import Iterator
from pathlib import Path

import hypothesis
import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QMessageLogContext, QtMsgType, qInstallMessageHandler

if not os.environ.get("DISPLAY") and not os.environ.get("WAYLAND_DISPLAY"):
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

# The short suite asks the same questions every time, so that red means a change; the long one asks new ones.
hypothesis.settings.register_profile("default", max_examples=300, deadline=None, derandomize=True, database=None)
hypothesis.settings.register_profile("long", max_examples=2_000, deadline=None, print_blob=True, database=None)


_QT_LEVELS = {
    QtMsgType.QtDebugMsg: logging.DEBUG,
    QtMsgType.QtInfoMsg: logging.INFO,
    QtMsgType.QtWarningMsg: logging.WARNING,
    QtMsgType.QtCriticalMsg: logging.ERROR,
    QtMsgType.QtFatalMsg: logging.CRITICAL,
}


def _log_qt_message(kind: QtMsgType, context: QMessageLogContext, message: str | None) -> None:
    category = getattr(context, "category", None) or "default"
    logging.getLogger(f"qt.{category}").log(_QT_LEVELS[kind], "%s", message)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--long`."""
    parser.addoption("--long", action="store_true", help="the long suite: 200 kills, 2,000 examples")


def pytest_configure(config: pytest.Config) -> None:
    """Choose the size of the suite; let Qt's messages be log records."""
    qInstallMessageHandler(_log_qt_message)
    hypothesis.settings.load_profile("long" if is_long(config) else "default")


# Tests that show windows, or run Qt in several threads: one after another in one process, in this order. Two of them at
# once would take the keyboard from each other, and a window's remains are taken apart where the next test runs.
_ON_THE_DESKTOP = ("app", "desktop", "loop", "packaging", "ui")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """With several workers (`-n`), keep together what shares the desktop."""
    tests = config.rootpath / "tests"
    for item in items:
        if item.path.is_relative_to(tests) and item.path.relative_to(tests).parts[0] in _ON_THE_DESKTOP:
            item.add_marker(pytest.mark.xdist_group("desktop"))


def is_long(config: pytest.Config) -> bool:
    """Whether the long suite was asked for."""
    return bool(config.getoption("--long")) or os.environ.get("COVEN_LONG", "") not in ("", "0")


@pytest.fixture(scope="session")
def long_suite(pytestconfig: pytest.Config) -> bool:
    """Whether the long suite was asked for."""
    return is_long(pytestconfig)


@pytest.fixture(scope="session", autouse=True)
def _own_folders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Whatever a test starts finds an empty person: no home, settings or runtimes of whoever runs the suite."""
    root: Path = tmp_path_factory.mktemp("person")
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("COVEN_DESKTOP_HOME", raising=False)
        for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"):
            folder = root / name.lower()
            folder.mkdir(mode=0o700)
            patch.setenv(name, str(folder))
        yield


class LoggedWarnings(logging.Handler):
    """Collects what is logged at WARNING or above while one test runs."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self._records: list[logging.LogRecord] = []
        self._expected: list[str] = []
        self._guard = threading.Lock()

    def emit(self, record: logging.LogRecord) -> None:
        """See `logging.Handler`."""
        with self._guard:
            self._records.append(record)

    def expect(self, fragment: str) -> None:
        """A warning whose text contains `fragment` must be logged in this test, and does not fail it."""
        self._expected.append(fragment)

    def verdict(self) -> str | None:
        """What is wrong with the log of this test, or None."""
        with self._guard:
            texts = [(record, record.getMessage()) for record in self._records]
        surprises = [
            f"{record.levelname} {record.name}: {text}"
            for record, text in texts
            if not any(fragment in text for fragment in self._expected)
        ]
        missing = [fragment for fragment in self._expected if not any(fragment in text for _, text in texts)]
        if surprises:
            return "logged warnings:\n" + "\n".join(surprises)
        if missing:
            return "expected warnings that were never logged:\n" + "\n".join(missing)
        return None


@pytest.fixture(autouse=True)
def _cycles_collected_here(request: pytest.FixtureRequest) -> Iterator[None]:
    """As in the app (loop/garbage.py): while there are Qt objects of this thread, no other one takes cycles apart."""
    if "qtbot" not in request.fixturenames:
        yield
        return
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        # What was to be deleted later is deleted here: a test that turns no loop of its own would leave its windows to
        # the next ones, where they heard of changes that are none of theirs.
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        gc.collect()
        gc.enable()


@pytest.fixture(autouse=True)
def logged() -> Iterator[LoggedWarnings]:
    """The warnings logged in this test; any that was not expected fails it."""
    handler = LoggedWarnings()
    root = logging.getLogger()
    root.addHandler(handler)
    try:
        yield handler
    finally:
        root.removeHandler(handler)
    verdict = handler.verdict()
    if verdict:
        pytest.fail(verdict, pytrace=False)
