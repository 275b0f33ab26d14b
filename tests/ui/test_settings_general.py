"""Settings that count at once: in the file, in the engine, on the screen; and what is asked before history goes."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from functools import partial
from pathlib import Path

import pytest

from coven_desktop import settings
from coven_desktop.desktop import theme
from coven_desktop.qt.gui import QPalette
from coven_desktop.qt.widgets import QAbstractButton, QApplication, QComboBox, QLineEdit, QListWidget, QSpinBox, QWidget
from coven_desktop.settings import Settings
from coven_desktop.ui import times
from coven_desktop.ui.settings.doctor_page import DoctorPage
from coven_desktop.ui.settings.general_page import GeneralPage
from tests.ui.desk import Desk, until
from tests.ui.settings_house import Rooms, in_a_home_of_its_own


@pytest.fixture
def rooms(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, desk: Desk) -> Iterator[Rooms]:
    in_a_home_of_its_own(monkeypatch, tmp_path)
    made = Rooms(desk)
    yield made
    made.close()
    theme.follow("system")
    times.use_iso_dates(False)


def written(rooms: Rooms, wanted: Settings) -> bool:
    return settings.read(rooms.home.settings) == (wanted, ()) and rooms.room.keeper.current == wanted


def in_the_engine(rooms: Rooms, places: int) -> bool:
    seen: list[int] = []
    rooms.desk.thread.post(lambda engine: seen.append(engine.core.max_concurrent_runs))
    until("the engine was asked", lambda: seen)
    return seen[0] == places


def test_a_number_is_written_and_taken_over_by_the_running_engine(rooms: Rooms) -> None:
    page = rooms.page(GeneralPage)
    page.places.setValue(2)
    page.failures.setValue(0)
    until("it is written", lambda: written(rooms, Settings(max_concurrent_runs=2, pause_after_failures=0)))
    until("the engine has it", lambda: in_the_engine(rooms, 2))
    assert page.failures.text() == "never"


def test_switches(rooms: Rooms) -> None:
    page = rooms.page(GeneralPage)
    for switch in (page.background, page.each, page.quiet):
        switch.click()
    wanted = Settings(run_in_background=False, notify_each_failure=True, notify_quietly=True)
    until("it is written", lambda: written(rooms, wanted))
    page.notify.click()
    until("the others are off", lambda: not page.each.isEnabled() and not page.quiet.isEnabled())


def test_colours_change_at_once_and_go_back_to_the_system_s(rooms: Rooms) -> None:
    page = rooms.page(GeneralPage)
    before = QApplication.palette().color(QPalette.ColorRole.Window)
    for scheme, dark in (("dark", True), ("light", False)):
        page.theme.setCurrentIndex(page.theme.findData(scheme))
        page.theme.activated.emit(page.theme.currentIndex())
        until("it is so", partial(_is_dark, dark))
    page.theme.setCurrentIndex(page.theme.findData("system"))
    page.theme.activated.emit(0)
    until("it is as it was", lambda: QApplication.palette().color(QPalette.ColorRole.Window) == before)


def _is_dark(dark: bool) -> bool:
    return theme.app_is_dark() is dark


def test_a_choice_of_colours_is_there_from_the_start(rooms: Rooms) -> None:
    rooms.home.settings.write_text('theme = "dark"\n')
    assert not theme.app_is_dark()
    Rooms(rooms.desk)
    assert theme.app_is_dark()


def test_dates_as_numbers(rooms: Rooms) -> None:
    restated: list[None] = []
    rooms.room.restate_asked.connect(lambda: restated.append(None))
    rooms.page(GeneralPage).iso.click()
    until("times are said anew", lambda: restated)
    wall = datetime.fromisoformat("2026-12-24T18:05")
    assert (times.day(wall), times.clock_face(wall)) == ("2026-12-24", "18:05")


def test_less_history_is_asked_about_and_more_is_not(rooms: Rooms) -> None:
    page = rooms.page(GeneralPage)
    page.limits.click()
    rooms.answer(1)
    until("it is as it was", lambda: not page.limits.isChecked())
    assert not rooms.home.settings.exists()
    page.limits.click()
    rooms.answer(0)
    until("it is written", lambda: written(rooms, Settings(retention_days=365)))
    page.days.setValue(400)
    until("it is written", lambda: written(rooms, Settings(retention_days=400)))
    page.days.setValue(90)
    rooms.answer(1)
    until("it is as it was", lambda: page.days.value() == 400)
    page.limits.click()
    until("it is written", lambda: written(rooms, Settings()))


def test_a_file_that_cannot_be_written_is_told_and_nothing_changes(rooms: Rooms) -> None:
    rooms.home.settings.write_text("theme = dark\n")
    page = rooms.page(GeneralPage)
    page.places.setValue(9)
    until("it is told", lambda: "Mend it with an editor" in page.trouble.sentence)
    assert page.places.value() == 4
    assert rooms.home.settings.read_text() == "theme = dark\n"


def test_what_is_wrong_in_the_file_is_told(rooms: Rooms) -> None:
    rooms.home.settings.write_text('theme = "pink"\n')
    again = Rooms(rooms.desk)
    page = again.page(GeneralPage)
    assert "theme must be" in page.trouble.sentence
    # to choose what counts anyway mends it
    page.theme.activated.emit(page.theme.findData("system"))
    until("it is mended", lambda: page.trouble.sentence == "")
    assert settings.read(rooms.home.settings) == (Settings(), ())
    again.close()


def test_a_value_that_a_setting_may_not_have(rooms: Rooms) -> None:
    with pytest.raises(ValueError, match="maxConcurrentRuns must be"):
        rooms.room.keeper.change(max_concurrent_runs=5_000)
    assert rooms.room.keeper.current == Settings()


def test_many_changes_in_a_row_are_all_there(rooms: Rooms) -> None:
    for places in range(1, 30):
        rooms.room.keeper.change(max_concurrent_runs=places)
    rooms.room.keeper.change(iso_dates=True)
    until("it is written", lambda: written(rooms, Settings(max_concurrent_runs=29, iso_dates=True)))


def test_what_another_hand_writes_meanwhile_stays_and_counts(rooms: Rooms) -> None:
    page = rooms.page(GeneralPage)
    rooms.home.settings.write_text("maxConcurrentRuns = 2 # mine\n")
    page.iso.click()
    until("it is written", lambda: written(rooms, Settings(max_concurrent_runs=2, iso_dates=True)))
    assert "maxConcurrentRuns = 2 # mine" in rooms.home.settings.read_text()
    until("it is shown", lambda: page.places.value() == 2)
    until("the engine has it", lambda: in_the_engine(rooms, 2))
    rooms.home.settings.write_text("maxConcurrentRuns = 3\n")
    rooms.room.open()
    until("it is shown", lambda: page.places.value() == 3 and not page.iso.isChecked())
    until("the engine has it", lambda: in_the_engine(rooms, 3))


# --- starting at login ------------------------------------------------------------------------------------------------


def test_starting_at_login_is_told_as_it_is(rooms: Rooms) -> None:
    page = rooms.page(GeneralPage)
    page.at_login.click()
    file = rooms.room._login.path
    until("it is on", lambda: file.exists() and page.at_login.isChecked())
    assert f"--home {rooms.home.root} --background" in file.read_text()
    # somebody else switches it off
    file.write_text(file.read_text() + "Hidden=true\n")
    page.shown()
    until("it is told", lambda: not page.at_login.isChecked() and str(file) in page.login_state.sentence)
    page.at_login.click()
    until("it is on", lambda: "Hidden" not in file.read_text() and not page.login_state.sentence)
    file.write_text("[Desktop Entry]\nExec=/gone --background\n")
    page.shown()
    until("it is told", lambda: "names no program that is there" in page.login_state.sentence)
    page.login_state.step.click()
    until("it is mended", lambda: page.at_login.isChecked())
    page.at_login.click()
    until("it is off", lambda: not file.exists() and not page.at_login.isChecked())


def test_a_folder_that_takes_no_file_is_told(rooms: Rooms) -> None:
    file = rooms.room._login.path
    file.parent.parent.mkdir(parents=True, exist_ok=True)
    file.parent.write_text("in the folder's place")
    page = rooms.page(GeneralPage)
    page.at_login.click()
    until("it is told", lambda: "cannot be changed" in page.login_state.sentence)
    assert not page.at_login.isChecked()


# --- the window -------------------------------------------------------------------------------------------------------


def test_every_control_of_every_page_has_a_name(rooms: Rooms) -> None:
    rooms.room.open()
    for page in rooms.window.pages:
        rooms.window.turn_to(type(page))
    until("the doctor has answered", lambda: rooms.room.checkup.rows["zones"].lines not in ((), ("Looking…",)))
    controls = [
        found
        for kind in (QAbstractButton, QLineEdit, QSpinBox, QComboBox, QListWidget)
        for found in rooms.window.findChildren(kind)
        if not found.isHidden()
        and not found.objectName().startswith("qt_")
        and not isinstance(found.parentWidget(), (QSpinBox, QComboBox))
    ]
    assert len(controls) > 25
    unnamed = [found for found in controls if not (found.accessibleName() or _text(found))]
    assert unnamed == []


def _text(control: QWidget) -> str:
    return control.text() if isinstance(control, QAbstractButton) else ""


def test_a_page_that_was_left_is_shown_again(rooms: Rooms) -> None:
    rooms.room.open(DoctorPage)
    rooms.window.close()
    rooms.room.open()
    assert rooms.window.list.currentItem().text() == "Doctor"
    assert rooms.window.isVisible()
