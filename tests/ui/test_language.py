"""The window in German, from right to left, and both: it says what it should, and nothing is cut off."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from coven_desktop.engine.listing import OccurrenceRow
from coven_desktop.qt.core import QCoreApplication, QLocale, QPoint, QRect, Qt, QTranslator
from coven_desktop.qt.widgets import QAbstractButton, QApplication, QDialog, QLabel, QWidget
from coven_desktop.ui import cells, texts
from coven_desktop.ui.form_doors import FormDoors, Subject
from coven_desktop.ui.language import speak
from coven_desktop.ui.release_dialog import ReleaseDialog
from coven_desktop.ui.retry_dialog import RetryDialog
from coven_desktop.ui.routine_form import RoutineForm
from coven_desktop.ui.routine_panel import RoutinePanel
from coven_desktop.ui.run_now_dialog import RunNowDialog
from coven_desktop.ui.settings.doctor_page import DoctorPage
from coven_desktop.ui.settings.general_page import GeneralPage
from coven_desktop.ui.settings.page import StateLine
from coven_desktop.ui.shell import Shell
from coven_desktop.ui.texts import Tone
from coven_desktop.ui.times import Times
from tests.ui.desk import Desk, until
from tests.ui.settings_house import Rooms, in_a_home_of_its_own
from tests.ui.test_settings_doctor import looked
from tests.ui.test_texts import StoppedClock

Direction = Qt.LayoutDirection
_KEPT = (texts.outcome, texts.failure_class, cells.schedule_in_words, cells._document_in_words)


@pytest.fixture
def german(qapp: QApplication) -> Iterator[list[QTranslator]]:
    """A person who reads German and lives where dates are German."""
    before = QLocale()
    QLocale.setDefault(QLocale("de_DE"))
    _forget()
    installed = speak(qapp, ["de-Latn-DE", "de"])
    yield installed
    for translator in installed:
        qapp.removeTranslator(translator)
    QLocale.setDefault(before)
    _forget()


def _forget() -> None:
    for kept in _KEPT:
        kept.cache_clear()


@pytest.fixture
def right_to_left(qapp: QApplication) -> Iterator[None]:
    qapp.setLayoutDirection(Direction.RightToLeft)
    yield
    qapp.setLayoutDirection(Direction.LeftToRight)


@pytest.fixture(params=["german", "right_to_left", "german and right_to_left"])
def otherwise(request: pytest.FixtureRequest) -> None:
    """Another language, another direction, and both."""
    for fixture in request.param.split(" and "):
        request.getfixturevalue(fixture)


@pytest.fixture
def form(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> Callable[[], RoutineForm]:
    """Makes an empty form of a person in New York."""
    monkeypatch.setenv("TZ", "America/New_York")

    def make() -> RoutineForm:
        made = RoutineForm(Times(StoppedClock("2027-03-25T12:00:00Z")), FormDoors(lambda _: None, ()), Subject())
        qtbot.addWidget(made, before_close_func=lambda _: made.done(0))
        made.show()
        return made

    return make


def cut_off(window: QWidget) -> list[str]:
    """The visible labels and buttons of a window that have less room than their text needs, or stick out of it."""
    QCoreApplication.processEvents()
    found = []
    for child in window.findChildren(QWidget):
        if not isinstance(child, QLabel | QAbstractButton) or not child.isVisible() or not child.text():
            continue
        place = QRect(child.mapTo(window, QPoint()), child.size())
        seen = child.visibleRegion().boundingRect()
        needs = child.minimumSizeHint()
        if isinstance(child, QLabel) and child.wordWrap():
            needs.setHeight(child.heightForWidth(child.width()))
            needs.setWidth(0)
        if child.width() < needs.width() or child.height() < needs.height():
            found.append(f"{child.text()!r} has {child.size()} and needs {needs}")
        elif place.left() < 0 or place.right() >= window.width() or 0 < seen.width() < child.width():
            found.append(f"{child.text()!r} sticks out: {place}, seen {seen}")
    return found


def whole(window: QWidget) -> None:
    """Nothing of a window is cut off, once its layout has settled."""
    try:
        until("nothing is cut off", lambda: not cut_off(window), 5)
    except AssertionError:
        assert cut_off(window) == []


def test_the_first_language_asked_for_that_is_there_is_spoken(qapp: QApplication) -> None:
    for asked, spoken in (
        (["fr-FR", "de_AT", "en"], True),
        (["en-US", "en", "de"], False),  # what the code says is English
        (["fr", "C"], False),
    ):
        installed = speak(qapp, asked)
        try:
            assert bool(installed) == spoken, asked
            assert QCoreApplication.translate("MainWindow", "Routines") == ("Routinen" if spoken else "Routines")
            # Qt's own words come along
            assert QCoreApplication.translate("QPlatformTheme", "Cancel") == ("Abbrechen" if spoken else "Cancel")
        finally:
            for translator in installed:
                qapp.removeTranslator(translator)


@pytest.mark.usefixtures("german")
def test_the_window_is_german(desk: Desk) -> None:
    desk.routine("Notizen", "true", rrule="FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;BYHOUR=9,17", status="PAUSED")
    window = desk.shell_started().window
    until("the routine is listed", lambda: window.routines.model.rowCount() == 1)

    assert [window.tabs.tabText(place).split(" (")[0] for place in range(4)] == [
        "Routinen", "Termine", "Handlungsbedarf", "Verlauf",
    ]  # fmt: skip
    row = window.routines.model.cells_at(0)
    assert row is not None
    said = [cell.text for cell in row.cells]
    assert "Pausiert" in said
    assert "Von Montag bis Freitag um 09:00 und 17:00" in said
    assert "keiner, solange pausiert" in said


@pytest.mark.usefixtures("german")
def test_the_form_refuses_in_german(form: Callable[[], RoutineForm]) -> None:
    made = form()
    made.inputs.name.setText("Notizen")
    made.inputs.name.textEdited.emit("Notizen")
    made.inputs.folder.setText("~/notes")
    made.inputs.folder.textEdited.emit("~/notes")

    field = made.inputs.fields["cwd"]
    assert field.message == "„~“ wird beim Start eines Laufs nicht ersetzt: Schreiben Sie den ganzen Pfad."
    assert field._use.text() == f"{Path('~/notes').expanduser()} übernehmen"
    assert not made.save_button.isEnabled()


@pytest.mark.usefixtures("otherwise")
def test_nothing_in_the_window_is_cut_off(desk: Desk) -> None:
    desk.routine("Notes", "true")
    window = desk.shell_started().window
    until("the routine is listed", lambda: window.routines.model.rowCount() == 1)
    for page in range(4):
        window.tabs.setCurrentIndex(page)
        whole(window)
    window.tabs.setCurrentIndex(0)
    window.rows.page_asked.emit("notes")
    until("the page of the routine is beside", lambda: window.findChildren(RoutinePanel))
    whole(window)


@pytest.mark.usefixtures("otherwise")
def test_nothing_in_the_form_is_cut_off(form: Callable[[], RoutineForm]) -> None:
    made = form()
    made.inputs.take_folder("~/notes")
    whole(made)
    made.inputs.more.setChecked(True)
    whole(made)


@pytest.mark.usefixtures("otherwise")
def test_nothing_in_the_dialogs_is_cut_off(desk: Desk) -> None:
    missing = {"backoffPolicy": "fixed", "backoffSeconds": 600, "retryableClasses": ["runtime_unavailable"]}
    desk.routine("Fails", "exit 3")
    desk.routine("Gives up", "sum it up", runtime="claude", retry={**missing, "maxAttempts": 1})
    shell = desk.shell_started()
    desk.run("gives-up")
    held = desk.run("fails")
    shell.window.tabs.setCurrentIndex(1)
    until("it is held", lambda: any(_held(shell, at) for at in range(shell.window.occurrences.model.rowCount())))

    def is_whole(kind: type[QDialog]) -> None:
        dialog = until(f"{kind.__name__} is shown", lambda: _shown(kind))
        whole(dialog)
        dialog.close()

    shell.deciding.ask_run("fails")
    is_whole(RunNowDialog)
    shell.deciding.ask_release("gives-up")
    is_whole(ReleaseDialog)
    shell.deciding.decide(held)
    is_whole(RetryDialog)


def _held(shell: Shell, at: int) -> bool:
    found = shell.window.occurrences.model.cells_at(at)
    return (
        found is not None
        and isinstance(found.row, OccurrenceRow)
        and found.row.automation_id == "fails"
        and found.row.phase == "held"
    )


def _shown(kind: type[QDialog]) -> QDialog | None:
    return next((top for top in QApplication.topLevelWidgets() if isinstance(top, kind) and top.isVisible()), None)


@pytest.mark.usefixtures("otherwise")
def test_nothing_in_the_settings_is_cut_off(desk: Desk, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    in_a_home_of_its_own(monkeypatch, tmp_path)
    rooms = Rooms(desk)
    rooms.page(GeneralPage)
    lines = rooms.window.findChildren(StateLine)
    for page in rooms.window.pages:
        rooms.room.open(type(page))
        until("nothing is looked for any more", lambda: not [line for line in lines if line._tone is Tone.BUSY])
        if isinstance(page, DoctorPage):
            until("it has looked", lambda: looked(rooms), 60)
        whole(rooms.window)
    rooms.close()
