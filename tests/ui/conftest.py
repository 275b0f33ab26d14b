"""Fixtures for the window's tests: a real engine, and the window on it."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import apsw
import pytest
from pytestqt.qtbot import QtBot

from coven_desktop.home import Home
from coven_desktop.ui.doors import RuntimeChoice
from coven_desktop.ui.form_doors import FormDoors, Subject
from coven_desktop.ui.routine_form import RoutineForm
from coven_desktop.ui.shell import Shell
from coven_desktop.ui.times import Times
from tests.ui.desk import Desk
from tests.ui.past import made_before
from tests.ui.test_texts import StoppedClock

FormAt = Callable[..., RoutineForm]


@pytest.fixture
def desk(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    """An engine in its own thread, on an empty home, for a person in New York."""
    monkeypatch.setenv("TZ", "America/New_York")
    made = Desk(tmp_path / "home")
    yield made
    made.close()


@pytest.fixture
def desk_after(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[[Callable[[apsw.Connection], None]], Desk]]:
    """Makes a desk as `desk`, whose store was given a past before."""
    monkeypatch.setenv("TZ", "America/New_York")
    made: list[Desk] = []

    def make(fill: Callable[[apsw.Connection], None]) -> Desk:
        made_before(Home(tmp_path / "home"), fill)
        made.append(Desk(tmp_path / "home"))
        return made[-1]

    yield make
    for each in made:
        each.close()


@pytest.fixture
def shell(desk: Desk) -> Shell:
    """Window and tray of that engine, started with the window shown."""
    return desk.shell_started()


@pytest.fixture
def form_at(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> FormAt:
    """Makes the form of a person in Berlin at an instant."""
    monkeypatch.setenv("TZ", "Europe/Berlin")

    def make(at: str = "2027-03-25T12:00:00Z", subject: Subject | None = None, **doors: Any) -> RoutineForm:
        given = FormDoors(**{"save": lambda _: None, "runtimes": (RuntimeChoice("shell", True),), **doors})
        made = RoutineForm(Times(StoppedClock(at)), given, subject or Subject())
        qtbot.addWidget(made, before_close_func=lambda _: made.done(0))
        made.show()
        return made

    return make


@pytest.fixture(autouse=True, scope="session")
def _offscreen_has_no_window_manager() -> None:
    """Without a display Qt's offscreen plugin complains of raise() and tray icons: that says nothing about the app."""
    logging.getLogger("qt.default").addFilter(
        lambda record: not record.getMessage().startswith("This plugin does not support ")
    )
    logging.getLogger("qt.qt.core.qobject.connect").addFilter(
        lambda record: "systemTrayWindowChanged" not in record.getMessage()
    )
