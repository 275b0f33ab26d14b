"""The settings on a real engine, for the tests of their pages."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, TypeVar

from coven_desktop.app import _runtimes
from coven_desktop.backstage import settings_doors
from coven_desktop.qt.core import QObject
from coven_desktop.qt.widgets import QApplication, QDialog, QWidget
from coven_desktop.ui.questions import Question
from coven_desktop.ui.settings.page import Page
from coven_desktop.ui.settings.room import SettingsRoom
from coven_desktop.ui.settings.window import SettingsWindow
from coven_desktop.ui.times import Times
from tests.ui.desk import Desk, until

Shown = TypeVar("Shown", bound=Page)
Dialog = TypeVar("Dialog", bound=QDialog)


class Rooms:
    """A desk, and the settings on it; `page` opens one."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.home = desk.home
        self.above = QObject()
        self.doors = settings_doors(desk.home, lambda: _runtimes(desk.home))
        self.room = SettingsRoom(desk.home, desk.gateway, self.doors, Times(desk.clock), self.above)

    @property
    def window(self) -> SettingsWindow:
        """The settings window, which must be open."""
        assert self.room.window is not None
        return self.room.window

    def page(self, kind: type[Shown]) -> Shown:
        """Open the settings at a page."""
        self.room.open(kind)
        return next(page for page in self.window.pages if isinstance(page, kind))

    def dialog(self, kind: type[Dialog]) -> Dialog:
        """The dialog of this kind that is shown, as soon as it is."""

        def found() -> Dialog | None:
            shown = [top for top in QApplication.topLevelWidgets() if isinstance(top, kind) and top.isVisible()]
            return shown[-1] if shown else None

        return until(f"{kind.__name__} is shown", found)

    def answer(self, button: int) -> Question:
        """Press a button of the question that is shown."""
        question = self.dialog(Question)
        question.buttons[button].click()
        return question

    def settled(self, what: Callable[[], Any]) -> None:
        """Wait for something to be true."""
        until("it is so", what)

    def close(self) -> None:
        """Take the windows down."""
        self.room.close()
        for top in QApplication.topLevelWidgets():
            if isinstance(top, QWidget) and top.isVisible():
                top.close()


def in_a_home_of_its_own(monkeypatch: Any, folder: Any) -> None:
    """A person with an empty configuration, a plain shell and no session bus."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder / "config"))
    monkeypatch.setenv("XDG_CONFIG_DIRS", str(folder / "etc"))
    monkeypatch.setenv("SHELL", "/bin/sh")
    monkeypatch.delenv("DBUS_SESSION_BUS_ADDRESS", raising=False)
    os.makedirs(folder / "etc", exist_ok=True)
