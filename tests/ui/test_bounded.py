"""Windows on a small screen: 1280 × 800 at twice the size leaves 640 × 400, and every button must be in reach."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from coven_desktop.home import Home
from coven_desktop.qt.core import QPoint, QRect
from coven_desktop.qt.widgets import QLabel, QPushButton, QScrollArea, QWidget
from coven_desktop.ui import bounded
from coven_desktop.ui.about import AboutDialog, ReadMe
from coven_desktop.ui.conflict_dialog import ConflictDialog
from coven_desktop.ui.crash_dialog import CrashDialog
from coven_desktop.ui.damage_dialog import DamageDialog
from coven_desktop.ui.questions import Choice, Question
from coven_desktop.ui.settings.crontab_dialog import CrontabDialog
from coven_desktop.ui.settings.first_run import FirstRun
from coven_desktop.ui.settings.runtime_editor import RuntimeEditor
from coven_desktop.ui.settings.secrets_page import SecretDialog
from tests.ui.desk import Desk, definition, until
from tests.ui.settings_house import Rooms, in_a_home_of_its_own

SCREEN = QRect(0, 0, 640, 400)
LINES: dict[str, list[dict[str, object]]] = {
    "imported": [],
    "skipped": [],
    "refused": [{"line": number, "text": "x" * 500, "reason": "y" * 500} for number in range(100)],
    "reported": [],
}
LONG = "What is known about it is told here, and it is a good deal. " * 40


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounded, "screen_of", lambda _: SCREEN)


@pytest.fixture
def rooms(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, desk: Desk) -> Iterator[Rooms]:
    in_a_home_of_its_own(monkeypatch, tmp_path)
    made = Rooms(desk)
    yield made
    made.close()


def fits(window: QWidget) -> None:
    """It is no larger than the screen, and the last button, the safe one, is in sight."""
    assert window.width() <= SCREEN.width()
    assert window.height() <= SCREEN.height()
    buttons = [button for button in window.findChildren(QPushButton) if button.isVisible() and button.text()]
    for button in buttons:
        if button.window() is window and button.parentWidget() is not None:
            foot = button.mapTo(window, QPoint(0, button.height()))
            scrolled = any(isinstance(above, QScrollArea) for above in _above(button))
            assert scrolled or (foot.y() <= window.height() and foot.x() >= 0), button.text()


def _above(widget: QWidget) -> Iterator[QWidget]:
    above = widget.parentWidget()
    while above is not None:
        yield above
        above = above.parentWidget()


@pytest.mark.parametrize(
    "make",
    [
        lambda _: Question("Is it so?", LONG, [Choice("Yes"), Choice("No")]),
        lambda _: CrashDialog("line\n" * 200),
        lambda _: DamageDialog(LONG, LONG, None, lambda path: path),
        lambda folder: AboutDialog(Home(folder), lambda: None, lambda: None),
        lambda _: ReadMe(),
        lambda folder: ConflictDialog(
            definition("A", "true", str(folder)), definition("B", LONG, "/b"), definition("C", "false", "/c"), 4
        ),
    ],
    ids=["question", "crash", "damage", "about", "read me", "conflict"],
)
def test_a_dialog_is_never_larger_than_the_screen(
    qtbot: QtBot, tmp_path: Path, make: Callable[[Path], QWidget]
) -> None:
    window = make(tmp_path)
    qtbot.addWidget(window)
    window.show()
    qtbot.waitExposed(window)
    fits(window)


def test_the_first_run_and_the_dialogs_of_the_settings_fit_too(rooms: Rooms, qtbot: QtBot) -> None:
    for window in (
        FirstRun(rooms.room.checkup, rooms.doors, rooms.desk.gateway),
        RuntimeEditor(None, {}, rooms.doors, None),  # type: ignore[arg-type]
        SecretDialog(None, rooms.desk.gateway, None),  # type: ignore[arg-type]
        CrontabDialog("table", "", LINES, rooms.desk.gateway, None),  # type: ignore[arg-type]
    ):
        qtbot.addWidget(window)
        window.show()
        qtbot.waitExposed(window)
        fits(window)
    rooms.room.open()
    for page in rooms.window.pages:
        rooms.room.open(type(page))
        qtbot.waitExposed(rooms.window)
        fits(rooms.window)


def test_what_comes_late_in_the_first_run_is_not_cut_off(rooms: Rooms, qtbot: QtBot) -> None:
    window = FirstRun(rooms.room.checkup, rooms.doors, rooms.desk.gateway)
    qtbot.addWidget(window)
    window.show()
    text = window.checks.texts["keyring"]
    until("it was looked", lambda: "→" in text.text(), 40)
    for label in window.findChildren(QLabel):
        if label.wordWrap() and label.isVisible():
            until(f"all of it is shown: {label.text()}", partial(_is_whole, label), 3)


def _is_whole(label: QLabel) -> bool:
    return label.height() >= label.heightForWidth(label.width())


def test_the_form_fits_too(desk: Desk, qtbot: QtBot) -> None:
    shell = desk.shell_started()
    shell.forms.new()
    form = until("the form", lambda: next(iter(shell.forms.shown), None))
    qtbot.waitExposed(form)
    fits(form)
