"""The damage dialog, and what holds for every control: a name for those who do not see it, and a way by keyboard."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from coven_desktop.qt.core import Qt
from coven_desktop.qt.widgets import QAbstractButton, QAbstractSpinBox, QComboBox, QDialog, QWidget
from coven_desktop.ui.damage_dialog import DamageDialog
from coven_desktop.ui.shell import Shell
from tests.ui.desk import Desk, until

SENTENCE, ADVICE = "The database is damaged.", "Nothing in it was changed."


@pytest.fixture
def backup(tmp_path: Path) -> Path:
    made = tmp_path / "backup.sqlite3"
    made.write_bytes(b"")
    return made


def test_restoring_puts_the_newest_backup_in_place(qtbot: QtBot, backup: Path) -> None:
    restored: list[Path] = []

    def restore(path: Path) -> Path:
        restored.append(path)
        return path.with_name("damaged")

    dialog = DamageDialog(SENTENCE, ADVICE, backup, restore)
    qtbot.addWidget(dialog)
    dialog.show()
    assert backup.name in dialog.text.text()
    assert not dialog.restore_button.isDefault()
    dialog.restore_button.click()
    assert restored == [backup]
    assert dialog.result() == QDialog.DialogCode.Accepted
    assert dialog.damaged_kept_at == backup.with_name("damaged")


def test_quitting_restores_nothing(qtbot: QtBot, backup: Path) -> None:
    dialog = DamageDialog(SENTENCE, ADVICE, backup, lambda path: pytest.fail("it was restored"))
    qtbot.addWidget(dialog)
    dialog.show()
    dialog.quit_button.click()
    assert dialog.result() == QDialog.DialogCode.Rejected


def test_without_a_backup_there_is_nothing_to_press_but_quit(qtbot: QtBot) -> None:
    dialog = DamageDialog(SENTENCE, ADVICE, None, lambda path: path)
    qtbot.addWidget(dialog)
    dialog.show()
    assert not dialog.restore_button.isVisible()
    assert "nothing to restore" in dialog.text.text()


def test_a_failed_restore_says_why_and_leaves_quit(qtbot: QtBot, backup: Path) -> None:
    def restore(path: Path) -> Path:
        raise OSError("no space left on device")

    dialog = DamageDialog(SENTENCE, ADVICE, backup, restore)
    qtbot.addWidget(dialog)
    dialog.show()
    dialog.restore_button.click()
    assert "no space left on device" in dialog.text.text()
    assert dialog.isVisible()
    assert dialog.quit_button.isEnabled()


def nameless(root: QWidget) -> list[str]:
    """Controls that the Tab key reaches and that have neither a text nor a name."""
    found = []
    for widget in root.findChildren(QWidget):
        if Qt.FocusPolicy.TabFocus not in widget.focusPolicy() or widget.focusProxy() is not None:
            continue
        # the editor inside a box and the list that drops out of it go by the name of the box
        if widget.window() is not root or isinstance(widget.parentWidget(), QComboBox | QAbstractSpinBox):
            continue
        named = widget.accessibleName() or (isinstance(widget, QAbstractButton) and widget.text())
        if not named:
            found.append(f"{type(widget).__name__} in {type(widget.parentWidget()).__name__}")
    return found


def test_every_control_has_a_name(desk: Desk, shell: Shell) -> None:
    desk.routine("Short", "true")
    until("it is listed", lambda: shell.window.routines.model.rowCount() == 1)
    shell.forms.new()
    occurrence = desk.run("short")
    shell.deciding.show_run(occurrence)
    assert nameless(shell.window) == []
    assert nameless(shell.forms.shown[0]) == []
    assert nameless(shell.deciding.runs[occurrence]) == []


def test_the_table_opens_its_row_by_keyboard(desk: Desk, shell: Shell) -> None:
    desk.routine("Short", "true")
    page = shell.window.routines
    until("it is listed", lambda: page.model.rowCount() == 1)
    page.filter.setFocus()
    page.filter.returnPressed.emit()
    assert page.selected() is not None
    QTest.keyClick(page.table, Qt.Key.Key_Return)
    assert shell.window.panel.routine_id == "short"
