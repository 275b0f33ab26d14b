"""How long the window stands still while 500 runs settle and the output of one more floods the run view.

    python tests/bench/settling_bench.py [--runs 500] [--seconds 60] [--folder DIR]

The engine is real, on a store on the disk, in its own thread as in the app; its sessions are a script's, so that all
can end at one moment. The window shows its occurrences (offscreen, or on the display there is), a run view follows a
session into whose log another process writes as much as it can. A timer of the UI thread is due every 2 ms; a stall is
how much later it came. Beside it stands how much processor time the process and its UI thread had in that stall: what
is beyond that others took. Prints JSON; exits 1 when the longest stall is over the goal.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen" if not os.environ.get("DISPLAY") else "xcb")
sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))

from coven_desktop.clock import Clock, SystemClock
from coven_desktop.engine.engine import Engine
from coven_desktop.engine.listing import Question
from coven_desktop.home import Home
from coven_desktop.loop.engine_thread import EngineThread
from coven_desktop.loop.garbage import GuiGarbage, keep_what_is_there
from coven_desktop.loop.gateway import EngineGateway
from coven_desktop.loop.qt_loop import QtLoop
from coven_desktop.qt.core import QObject, Qt, QTimer
from coven_desktop.qt.widgets import QApplication
from coven_desktop.ui.doors import RuntimeChoice
from coven_desktop.ui.shell import Shell
from tests.bench import machine, stage
from tests.engine.scripted_runtime import ScriptedRuntime
from tests.rig import HOUR_MS

GOAL_MS = 50.0
EVERY_MS = 2
FLOODING = "r000000"


class Watch(QObject):
    """Notes the stalls of the UI thread: how long, and the processor time of process and thread in it, milliseconds."""

    def __init__(self) -> None:
        super().__init__()
        self.stalls: list[tuple[float, float, float]] = []
        self._last = self._now()
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(EVERY_MS)
        self._timer.timeout.connect(self._look)
        self._timer.start()

    def _now(self) -> tuple[int, int, int]:
        return time.monotonic_ns(), time.process_time_ns(), time.thread_time_ns()

    def _look(self) -> None:
        now = self._now()
        passed, worked, here = (after - before for after, before in zip(now, self._last, strict=True))
        self.stalls.append((passed / 1e6 - EVERY_MS, worked / 1e6, here / 1e6))
        self._last = now


class _House:
    def __init__(self, home: Home, clock: Clock, loop: QtLoop) -> None:
        with ExitStack() as made:
            store = stage.open_store(home, SystemClock(clock.shift_ms))
            made.callback(store.close)
            self.runtime = ScriptedRuntime(loop, clock)
            self.engine = Engine(
                clock=clock, store=store, runtime=self.runtime, loop=loop, home=home, max_concurrent_runs=0
            )
            made.callback(self.engine.stop)
            self.engine.start()
            self._made = made.pop_all()

    def close(self) -> None:
        """Stop the engine, then close its store."""
        self._made.close()

    def end_all_but(self, kept: str) -> None:
        """Every session but one ends, half of them badly."""
        for number, session_id in enumerate(list(self.runtime.watched)):
            if session_id != kept:
                self.runtime.end(session_id, self.runtime.evidence(session_id, exit_code=number % 2))


def turn(app: QApplication, done: Callable[[], bool], seconds: float) -> bool:
    """Let Qt's loop turn as in the app until something holds, looked at ten times a second; False: not in time."""
    ends = time.monotonic() + seconds
    held = False

    def look() -> None:
        nonlocal held
        held = done()
        if held or time.monotonic() > ends:
            app.exit()

    looks = QTimer()
    looks.setInterval(100)
    looks.timeout.connect(look)
    looks.start()
    app.exec()
    return held


def measure(folder: Path, runs: int, seconds: float) -> dict[str, object]:
    """The stalls of one such moment."""
    app = QApplication.instance() or QApplication(["bench"])
    assert isinstance(app, QApplication)
    home = stage.new_home(folder / "home")
    began = SystemClock().wall()
    clock = SystemClock(HOUR_MS - began % HOUR_MS - 3_000)
    store = stage.open_store(home, clock)
    stage.fill(store, runs + 1, clock.wall(), folder)
    stage.put_away(store, home, clock.wall())
    houses: list[_House] = []

    def build(loop: QtLoop) -> _House:
        houses.append(_House(home, clock, loop))
        return houses[0]

    thread = EngineThread(build, clock)
    gateway = EngineGateway(thread)
    thread.start()
    assert turn(app, lambda: bool(houses), 30)
    garbage = GuiGarbage()
    shell = Shell(gateway, home, clock, lambda: (RuntimeChoice("shell", True),))
    shell.window.shown.connect(thread.share)
    shell.start()
    shell.window.tabs.setCurrentIndex(1)
    assert turn(app, lambda: len(houses[0].runtime.watched) == runs + 1, 60), "not all began"
    listing = shell._listing
    page = listing.occurrence_page(Question("time", automation_id=FLOODING), 0)
    occurrence = listing.occurrences(page.numbers)[0]
    detail = listing.run_detail(occurrence.id)
    assert detail is not None
    session_id = detail.session_id or ""
    flood = Path(__file__).with_name("flood.py")
    program = [sys.executable, str(flood), str(home.session(session_id).root), str(seconds + 2)]
    with subprocess.Popen(program) as printing:
        shell.deciding.show_run(occurrence.id)
        view = shell.deciding.runs[occurrence.id].output
        assert turn(app, lambda: view.blockCount() > 100, 20), "nothing was printed"
        keep_what_is_there()
        watch = Watch()
        thread.post(lambda engine: houses[0].end_all_but(session_id))

        def settled() -> bool:
            return shell._status is not None and len(shell._status.tray.summary.running) <= 1

        began_at = time.monotonic()
        all_settled = turn(app, settled, seconds)
        took = time.monotonic() - began_at
        stalls = list(watch.stalls)
        lines = view.blockCount()
        printing.terminate()
    thread.post(lambda engine: houses[0].end_all_but(""))
    shell.close()
    app.processEvents()
    assert thread.stop(10_000)
    garbage.close()
    longest = max(stalls)
    over = [stall for stall in stalls if stall[0] > GOAL_MS]
    return {
        "runs": runs,
        "allSettled": all_settled,
        "seconds": round(took, 1),
        "longestStallMs": round(longest[0], 1),
        "processorTimeInItMs": round(longest[1], 1),
        "ofThatInUiThreadMs": round(longest[2], 1),
        "mostInUiThreadAtOnceMs": round(max(here for _, _, here in stalls), 1),
        "overGoal": len(over),
        "linesShown": lines,
    }


def main() -> int:
    """Print the figures."""
    parser = argparse.ArgumentParser(description="Measure the stalls of the window.")
    parser.add_argument("--runs", type=int, default=500)
    parser.add_argument("--seconds", type=float, default=60.0, help="within which all must have settled")
    parser.add_argument("--folder", type=Path, default=None)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="coven-bench-", dir=options.folder) as name:
        about = machine.facts(Path(name))
        figures = measure(Path(name), options.runs, options.seconds)
    longest = figures["longestStallMs"]
    assert isinstance(longest, float)
    met = {"longestStall": longest <= GOAL_MS, "allSettled": bool(figures["allSettled"])}
    return machine.tell("settling", about, figures, met=met)


if __name__ == "__main__":
    sys.exit(main())
