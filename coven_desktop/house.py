"""The house that stands in the engine's thread, and one life of it: built, serving, closed.

Building is the same with a window and without one; what differs is in `app.py`.
"""

from __future__ import annotations

import contextlib
import logging
import os
from collections.abc import Callable

from coven_desktop import settings
from coven_desktop.api.api import Api
from coven_desktop.clock import Clock
from coven_desktop.desktop import network
from coven_desktop.desktop.power import SleepWatch
from coven_desktop.engine.working import engine_at_work
from coven_desktop.home import Home
from coven_desktop.loop.engine_thread import EngineThread
from coven_desktop.loop.qt_loop import QtLoop
from coven_desktop.process import FAULT
from coven_desktop.qt.core import QCoreApplication, QObject, Qt, Signal, Slot
from coven_desktop.runtime.registry import Registry
from coven_desktop.runtime.sessions import ProcessRuntime
from coven_desktop.store import maintenance, scheduler
from coven_desktop.store.transactions import Store

log = logging.getLogger(__name__)

CLOSING_MS = 1_700
"""How long the engine may take to close; with what the process itself needs it stays below 2 s (decisions.md 27)."""

JOIN_WAKES_MS = 20
"""What clients ask for within this time is looked at by one pass; a run that is asked for begins so much later."""

CLOCK_SHIFT = "clock_shift"
"""The maintenance fact that marks a home of a shifted clock; its value: the shift of its last start in milliseconds."""


class CannotStart(Exception):
    """The app does not start on this home; the text says why and what to do."""


class HomeTaken(Exception):
    """Another app leads on this home now; the text says so."""


class House:
    """Everything that lives in the engine's thread. Made and closed there.

    Raises StoreFault, CannotStart or CannotServe, with nothing left open.
    """

    def __init__(
        self,
        home: Home,
        clock: Clock,
        loop: QtLoop,
        raise_window: Callable[[str | None], None] | None,
        told: Callable[[str | None], None],
        taken: Callable[[Exception], None],
    ) -> None:
        sentence = (
            f"Another Coven Desktop has taken the home {home.root}, and this one ends. That happens when the file "
            f"{home.lock.name} in it is removed while an app runs. Runs go on, and the other app has them."
        )
        with contextlib.ExitStack() as made:
            store = Store.open(home.database, now=clock.wall(), backups=home.backups)
            made.callback(store.close)
            mark_clock(store, home, clock)
            registry = Registry.load(home)
            made.callback(registry.close)
            runtime = ProcessRuntime(home, registry, loop, clock)
            made.callback(runtime.close)
            chosen = read_settings(home)
            self.engine = made.enter_context(
                engine_at_work(
                    home=home,
                    clock=clock,
                    loop=loop,
                    store=store,
                    runtime=runtime,
                    settings=chosen,
                    network_is_up=network.is_up,
                    join_wakes_ms=JOIN_WAKES_MS,
                )
            )
            self.engine.core.lead_lost = lambda: taken(HomeTaken(sentence))
            watch = SleepWatch(loop, clock, asleep=self.engine.fall_asleep, awake=self.engine.resumed)
            made.callback(watch.close)
            watch.open()
            api = Api(self.engine, loop, home, clock, raise_window=raise_window, told=told)
            made.callback(api.close)
            api.open()
            registry.search(loop)
            self._made = made.pop_all()

    def close(self) -> None:
        """End serving first, then scheduling; the store last, with a checkpoint. Sessions go on."""
        self._made.close()


def read_settings(home: Home) -> settings.Settings:
    """What the person has set; what is wrong in the file is told in the log."""
    chosen, problems = settings.read(home.settings)
    for problem in problems:
        log.warning("%s", problem.sentence)
    return chosen


def mark_clock(store: Store, home: Home, clock: Clock) -> None:
    """Keep homes of a shifted clock and of the true one apart: raises CannotStart when they would meet.

    A home that no engine has led yet takes the mark of its first start (design/architecture.md, Time).
    """
    marked = maintenance.get(store, CLOCK_SHIFT) is not None
    if not clock.shift_ms:
        if marked:
            raise CannotStart(
                f"The home {home.root} was made with --clock-start, so its times are not true. "
                "Start it with --clock-start, or name another home with --home."
            )
        return
    if not marked and scheduler.authority(store).generation > 0:
        raise CannotStart(
            f"The home {home.root} lives on the true clock, and --clock-start would put untrue times into it. "
            "Name a new home with --home."
        )
    with store.transaction(clock.wall()) as tx:
        maintenance.put(tx, CLOCK_SHIFT, str(clock.shift_ms))


class Life(QObject):
    """Runs one house until the app is told to quit or the house fails.

    `ready` comes when it serves; `raise_asked` with an activation token or None; `told` with a sentence when nothing is
    served any more because the home is open to others, and with None when it is again.
    """

    ready = Signal()
    raise_asked = Signal(object)
    told = Signal(object)
    _taken = Signal(object)

    def __init__(self, app: QCoreApplication, home: Home, clock: Clock, *, windowed: bool) -> None:
        super().__init__()
        self._app = app
        self._failure: Exception | None = None
        self.display_gone = False
        # The request comes in the engine's thread, the window lives in this one.
        raise_window = self.raise_asked.emit if windowed else None
        self.engine = EngineThread(
            lambda loop: House(home, clock, loop, raise_window, self.told.emit, self._taken.emit), clock
        )
        queued = Qt.ConnectionType.QueuedConnection
        self.engine.ready.connect(self.ready, queued)
        self.engine.failed.connect(self._fail, queued)
        self._taken.connect(self._fail, queued)

    def run(self, before_stop: Callable[[], None] = lambda: None) -> None:
        """Serve until told to quit, then call `before_stop` while the engine is still there.

        `display_gone` says afterwards that nobody told it to, but that it lost its display.

        Raises what made the house fail, in building it or in closing it.
        """
        self.engine.start()
        # we end it with 0 alone: Qt says so when its display is gone
        self.display_gone = self._app.exec() != 0
        before_stop()
        if not self.engine.stop(CLOSING_MS):
            # Whatever holds it: what is committed is committed, and the next start reconciles the rest.
            log.error("The engine did not stop within %d ms; the process ends without it", CLOSING_MS)
            logging.shutdown()
            os._exit(FAULT)
        self._app.processEvents()
        if self._failure is not None:
            raise self._failure

    @Slot(object)
    def _fail(self, failure: Exception) -> None:
        self._failure = failure
        self._app.exit()
