"""Names and prompts are anybody's: markup in them is shown, not carried out, and a word may be a megabyte long."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from coven_desktop.qt.core import QMimeData, Qt
from coven_desktop.qt.gui import QTextOption
from coven_desktop.qt.widgets import QApplication, QLabel
from coven_desktop.ui.plain import tip
from coven_desktop.ui.prompt_edit import PromptEdit
from tests.ui.desk import Desk, until

HOSTILE = "notes <img src=/nowhere> & <b>l</b>"


def test_a_name_with_markup_is_shown_as_it_is_everywhere(desk: Desk) -> None:
    automation_id = desk.routine(HOSTILE, "true", id="hostile")
    window = desk.shell_started().window
    until("the routine is listed", lambda: window.routines.model.rowCount() == 1)
    index = window.routines.model.index(0, 0)
    assert index.data(Qt.ItemDataRole.DisplayRole) == HOSTILE
    shown = index.data(Qt.ItemDataRole.ToolTipRole)
    assert shown is None or "<img" not in shown
    window.delete_asked.emit(automation_id, HOSTILE, False)
    labels = [
        label
        for widget in QApplication.topLevelWidgets()
        for label in widget.findChildren(QLabel)
        if "<img" in label.text()
    ]
    assert [label.textFormat() for label in labels] == [Qt.TextFormat.PlainText] * len(labels)


def test_a_label_is_plain_unless_told(qtbot: QtBot) -> None:
    label = QLabel(HOSTILE)
    qtbot.addWidget(label)
    assert (label.text(), label.textFormat()) == (HOSTILE, Qt.TextFormat.PlainText)


@pytest.mark.parametrize("text", ["plain & simple", "two\nlines", ""])
def test_a_tooltip_without_markup_stays_as_it_is(text: str) -> None:
    assert tip(text) == text


def test_a_tooltip_with_markup_is_escaped() -> None:
    assert tip("a <b>\nx & y") == "<qt>a &lt;b&gt;<br>x &amp; y</qt>"


def test_a_long_word_is_broken_anywhere_and_words_are_kept_whole_otherwise(qtbot: QtBot) -> None:
    edit = PromptEdit()
    qtbot.addWidget(edit)
    edit.setPlainText("echo " + "x" * 100_000)
    assert edit.wordWrapMode() == QTextOption.WrapMode.WrapAnywhere
    edit.setPlainText("words " * 20_000)
    assert edit.wordWrapMode() == QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere
    pasted = QMimeData()
    pasted.setText("y" * 100_000)
    edit.insertFromMimeData(pasted)
    assert edit.wordWrapMode() == QTextOption.WrapMode.WrapAnywhere
    assert edit.toPlainText().startswith("y" * 10)
