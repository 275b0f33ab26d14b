"""The person's settings while the window is there: read once, changed one by one, written, taken over by the engine.

Changes go to the file on a thread of their own, one after another; what is changed meanwhile goes along with the next.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from coven_desktop import settings
from coven_desktop.engine.answers import Answer, Outcome
from coven_desktop.engine.commands.configuring import configure
from coven_desktop.home import Home
from coven_desktop.qt.core import QObject, Signal
from coven_desktop.settings import Settings, writing
from coven_desktop.ui.aside import Aside
from coven_desktop.ui.doors import Gateway


class Keeper(QObject):
    """`current` is what the file says; `problems` what was wrong in it. Lives on the GUI thread."""

    changed = Signal(object)  # Settings, once they are written
    refused = Signal(str)  # why they could not be written; `current` stands

    def __init__(self, home: Home, gateway: Gateway, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._path = home.settings
        self._gateway = gateway
        self._wanted: Settings | None = None
        self._writing = False
        # a few lines of a file that is not waited for; everything that is drawn depends on them
        self.current, self.problems = settings.read(home.settings)

    def change(self, **members: Any) -> None:
        """Set members of `Settings`. Raises ValueError, with nothing done, for a value that a setting may not have."""
        wanted = replace(self._wanted or self.current, **members)
        for name, rule in settings.RULES.items():
            value = getattr(wanted, rule.member)
            if value is not None and not rule.accepts(value):
                raise ValueError(f"{name} must be {rule.must_be}")
        self._wanted = wanted
        self._write()

    def _write(self) -> None:
        wanted = self._wanted
        if self._writing or wanted is None:
            return
        self._writing = True

        def work() -> str | None:
            try:
                writing.write(self._path, wanted)
            except writing.CannotWrite as error:
                return str(error)
            return None

        Aside(work, lambda problem: self._written(wanted, problem), self)

    def _written(self, written: Settings, problem: str | None) -> None:
        self._writing = False
        if problem is not None:
            self._wanted = None
            self.refused.emit(problem)
            return
        if self._wanted == written:
            self._wanted = None
        self.current, self.problems = written, ()
        self._gateway.submit(configure, {"settings": written}, self._taken_over)
        self.changed.emit(written)
        self._write()

    def _taken_over(self, outcome: Outcome) -> None:
        # an engine that ends meanwhile reads the file at its next start
        if not isinstance(outcome, Answer):
            self.refused.emit(str(outcome))
