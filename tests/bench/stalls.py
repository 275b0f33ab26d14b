"""Run the app with its window and tell how long its UI thread stood still.

    python stalls.py REPORT [options of coven-desktop…]

A timer of the UI thread is due every 2 ms; a stall is how much later than that it came. REPORT gets one line for each
stall over 5 ms: when it ended (monotonic nanoseconds) and how long it was (milliseconds).
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from coven_desktop.app import main
from coven_desktop.qt.core import QObject, Qt, QTimer
from coven_desktop.ui.shell import Shell

EVERY_MS = 2
WORTH_TELLING_MS = 5.0


class Watch(QObject):
    """Lives in the UI thread; see the file's docstring."""

    def __init__(self, report: Path, parent: QObject) -> None:
        super().__init__(parent)
        self._report = report.open("w", buffering=1)
        self._last = time.monotonic_ns()
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(EVERY_MS)
        self._timer.timeout.connect(self.look)
        self._timer.start()

    def look(self) -> None:
        """Note how late this came."""
        now = time.monotonic_ns()
        late = (now - self._last) / 1e6 - EVERY_MS
        self._last = now
        if late > WORTH_TELLING_MS:
            print(now, round(late, 2), file=self._report)


def watched(report: Path) -> None:
    """Let the shell be watched from its start on."""
    start = Shell.start

    def start_and_watch(shell: Shell, *, background: bool = False) -> None:
        start(shell, background=background)
        Watch(report, shell)

    Shell.start = start_and_watch  # type: ignore[method-assign, assignment]


if __name__ == "__main__":
    watched(Path(sys.argv[1]))
    sys.exit(main(sys.argv[2:]))
