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
        self._wanted: dict[str, Any] = {}
        self._writing = False
        # a few lines of a file that is not waited for; everything that is drawn depends on them
        self.current, self.problems = settings.read(home.settings)

    def change(self, **members: Any) -> None:
        """Set members of `Settings`. Raises ValueError, with nothing done, for a value that a setting may not have."""
        for name, rule in settings.RULES.items():
            value = members.get(rule.member)
            if value is not None and not rule.accepts(value):
                raise ValueError(f"{name} must be {rule.must_be}")
        self._wanted.update(members)
        self._write()

    def look(self) -> None:
        """See whether the file was written by another hand; what stands in it then counts."""
        path = self._path
        Aside(lambda: settings.read(path), lambda found: self._take(*found), self)

    def _write(self) -> None:
        if self._writing or not self._wanted:
            return
        self._writing = True
        path, members = self._path, self._wanted
        self._wanted = {}

        def work() -> Settings | str:
            # on top of what stands there now: a person with an editor may have been here
            wanted = replace(settings.read(path)[0], **members)
            try:
                writing.write(path, wanted)
            except writing.CannotWrite as error:
                return str(error)
            return wanted

        Aside(work, self._written, self)

    def _written(self, outcome: Settings | str) -> None:
        self._writing = False
        if isinstance(outcome, str):
            self._wanted = {}
            self.refused.emit(outcome)
            return
        self._take(outcome, ())
        self._write()

    def _take(self, found: Settings, problems: tuple[settings.Problem, ...]) -> None:
        if (found, problems) == (self.current, self.problems):
            return
        if found != self.current:
            self._gateway.submit(configure, {"settings": found}, self._taken_over)
        self.current, self.problems = found, problems
        self.changed.emit(found)

    def _taken_over(self, outcome: Outcome) -> None:
        # an engine that ends meanwhile reads the file at its next start
        if not isinstance(outcome, Answer):
            self.refused.emit(str(outcome))
