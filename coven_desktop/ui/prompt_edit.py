"""The text of a prompt, which may be anything: also one word of a megabyte (a blob, JSON without spaces).

Qt looks for the end of a word from each place at which a line might break: with one long word that takes minutes, in
which the window and the engine stand still. Text with such a word is broken anywhere instead.
"""

from __future__ import annotations

import re

from coven_desktop.qt.core import QMimeData
from coven_desktop.qt.gui import QTextOption
from coven_desktop.qt.widgets import QPlainTextEdit

_LONG_WORD = re.compile(r"\S{1000}")


class PromptEdit(QPlainTextEdit):
    """A `QPlainTextEdit` that stays quick with words of any length."""

    def setPlainText(self, text: str) -> None:
        """See `QPlainTextEdit`."""
        long = _LONG_WORD.search(text) is not None
        mode = QTextOption.WrapMode
        self.setWordWrapMode(mode.WrapAnywhere if long else mode.WrapAtWordBoundaryOrAnywhere)
        super().setPlainText(text)

    def insertFromMimeData(self, source: QMimeData) -> None:
        """See `QPlainTextEdit`."""
        if _LONG_WORD.search(source.text()) is not None:
            self.setWordWrapMode(QTextOption.WrapMode.WrapAnywhere)
        super().insertFromMimeData(source)
