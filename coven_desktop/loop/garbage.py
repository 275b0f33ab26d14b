"""Cycles are collected in the GUI thread alone.

Python collects them in whichever thread happens to allocate. With a window that can be the engine's, and Qt's objects
of the GUI (a dialog that was closed, a model, a timer) would be taken apart there while the GUI thread still delivers
their events: seen as methods called on objects without attributes, and as crashes. So with a window the collector
is off, and a timer of the GUI thread does its work by the interpreter's own thresholds.
"""

from __future__ import annotations

import gc

from coven_desktop.qt.core import QObject, QTimer, Slot

LOOK_MS = 1_000
RESTING_MS = 8_000
"""Looks that find nothing to do come ever more seldom, up to this: an idle app wakes the processor for nothing else."""


def keep_what_is_there() -> None:
    """Once the app is up: what is there now stays for its life, and the collector need not look at it again.

    To look at all of it holds every thread for some tens of milliseconds, the window's repaint and the socket alike.
    """
    gc.collect()
    gc.freeze()


class GuiGarbage(QObject):
    """Made in the GUI thread; from then on until `close` nothing is collected anywhere else."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        gc.disable()
        self._timer = QTimer(self)
        self._timer.setInterval(LOOK_MS)
        self._timer.timeout.connect(self.look)
        self._timer.start()

    @property
    def interval_ms(self) -> int:
        """How long until the next look."""
        return self._timer.interval()

    @Slot()
    def look(self) -> None:
        """Collect the oldest generation that is due, as the interpreter would."""
        for generation, (count, threshold) in reversed(
            list(enumerate(zip(gc.get_count(), gc.get_threshold(), strict=True)))
        ):
            if threshold and count > threshold:
                gc.collect(generation)
                self._timer.setInterval(LOOK_MS)
                return
        if self._timer.interval() < RESTING_MS:
            self._timer.setInterval(self._timer.interval() * 2)

    def close(self) -> None:
        """Leave it to the interpreter again."""
        self._timer.stop()
        gc.enable()
