"""The settings from the window: by menu, key and tray; and the first run where there is nothing yet."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from coven_desktop import __version__
from coven_desktop.qt.core import Qt
from coven_desktop.resources import read_me
from coven_desktop.ui.about import AboutDialog, ReadMe
from coven_desktop.ui.settings.doctor_page import DoctorPage
from coven_desktop.ui.settings.first_run import FirstRun
from coven_desktop.ui.shell import Shell
from tests.ui.desk import Desk, until
from tests.ui.settings_house import Rooms, in_a_home_of_its_own


@pytest.fixture
def rooms(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, desk: Desk) -> Iterator[Rooms]:
    in_a_home_of_its_own(monkeypatch, tmp_path)
    made = Rooms(desk)
    yield made
    made.close()


def furnished(rooms: Rooms) -> Shell:
    shell = rooms.desk.shell()
    rooms.room = shell.furnish(rooms.doors)
    return shell


def test_they_open_by_key_and_from_the_tray_and_go_with_the_app(rooms: Rooms, qtbot: QtBot) -> None:
    rooms.desk.routine("There is one")
    shell = furnished(rooms)
    shell.start()
    qtbot.waitExposed(shell.window)
    menu = shell.window.menus.file
    opens = next(action for action in menu.actions() if action.text() == "Se&ttings…")
    assert opens.shortcut().toString() == "Ctrl+,"
    opens.trigger()
    until("they are open", lambda: rooms.room.window is not None and rooms.room.window.isVisible())
    rooms.window.close()
    shell.settings_asked.emit()
    assert rooms.window.isVisible()
    assert rooms.room.first_run is None
    qtbot.keyClick(rooms.window, Qt.Key.Key_Escape)  # type: ignore[no-untyped-call]
    assert not rooms.window.isVisible()
    rooms.room.open()
    shell.close()
    assert not rooms.window.isVisible()


def test_whoever_has_nothing_is_greeted_once(rooms: Rooms) -> None:
    shell = furnished(rooms)
    shell.start()
    dialog = rooms.dialog(FirstRun)
    dialog.skip.click()
    until("it is gone", lambda: rooms.room.first_run is None)
    shell.window.hide()
    shell.raise_()
    shell.close()
    again = furnished(rooms)
    again.start()
    until("the status is there", lambda: again._status is not None)
    assert rooms.room.first_run is None


def test_who_starts_in_the_background_is_greeted_when_the_window_comes(rooms: Rooms) -> None:
    shell = furnished(rooms)
    shell.start(background=True)
    until("the status is there", lambda: shell._status is not None)
    assert rooms.room.first_run is None
    shell.raise_()
    rooms.dialog(FirstRun)


def test_the_one_run_of_the_sample_is_shown(rooms: Rooms) -> None:
    shell = furnished(rooms)
    shell.start()
    rooms.dialog(FirstRun).once.click()
    until("its runs are shown", lambda: shell.window.page is shell.window.occurrences)
    page = shell.window.occurrences
    until("it is there", lambda: page.model.rowCount() == 1)
    assert page.filter.text() == ""  # what comes later is not hidden by what this run is called
    until("it ends well", lambda: (cells := page.model.cells_at(0)) is not None and "Succeeded" in str(cells))


def test_help_says_what_this_is_and_leads_to_the_readme_and_the_check_of_the_machine(rooms: Rooms) -> None:
    rooms.desk.routine("There is one")
    shell = furnished(rooms)
    shell.start()
    shell.window.menus.about.trigger()
    about = rooms.dialog(AboutDialog)
    assert __version__ in about.facts.text()
    assert "MIT" in about.facts.text()
    assert str(rooms.home.root) in about.facts.text()
    about.check_button.click()
    until(
        "it is shown",
        lambda: rooms.room.window is not None and isinstance(rooms.window.stack.currentWidget(), DoctorPage),
    )
    about.read_button.click()
    text = rooms.dialog(ReadMe).text.toPlainText()
    assert text.startswith("Coven Desktop")
    assert "packaging/run" in text
    assert read_me().startswith("# Coven Desktop")
