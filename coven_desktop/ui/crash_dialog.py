"""What brought the app down the last time, to be copied into a report: names of files and functions, no values."""

from __future__ import annotations

import os
import platform
from pathlib import Path

from coven_desktop import __version__
from coven_desktop.qt.core import Qt, qVersion
from coven_desktop.qt.gui import QFontDatabase, QGuiApplication
from coven_desktop.qt.widgets import QLabel, QPlainTextEdit, QPushButton, QWidget
from coven_desktop.ui.bounded import BoundedDialog

LONGEST = 64 * 1024


def read_crash(path: Path) -> str | None:
    """What the interpreter wrote when it was brought down; None when it was not."""
    try:
        with open(path, "rb", opener=lambda name, flags: os.open(name, flags | os.O_NOFOLLOW | os.O_NONBLOCK)) as file:
            found = file.read(LONGEST).decode("utf-8", "replace").strip()
    except OSError:
        return None
    return found or None


def report(crash: str) -> str:
    """The text to be copied: versions, and where the program stood. The person's folder is called ~."""
    about = f"Coven Desktop {__version__}, Python {platform.python_version()}, Qt {qVersion()}, {platform.platform()}"
    home = os.path.expanduser("~")
    shown = crash.replace(home + "/", "~/") if home not in ("", "/", "~") else crash
    return f"{about}\n\n{shown}\n"


class CrashDialog(BoundedDialog):
    """See the file's docstring."""

    def __init__(self, crash: str, parent: QWidget | None = None) -> None:
        super().__init__(self.tr("What happened"), 760, 420, parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Coven Desktop was brought down"))
        said = QLabel(
            self.tr(
                "This is where the program stood. It names files and functions of the program and nothing that you"
                " entered. Your routines and runs are safe: what is recorded is whole."
            ),
            self,
        )
        said.setWordWrap(True)
        self.text = QPlainTextEdit(report(crash), self)
        self.text.setReadOnly(True)
        self.text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.text.setAccessibleName(self.tr("Report"))
        self.copy_button = QPushButton(self.tr("&Copy"), self)
        self.copy_button.clicked.connect(self._copy)
        self.close_button = QPushButton(self.tr("Close"), self)
        self.close_button.clicked.connect(self.close)
        self.column.addWidget(said)
        self.column.addWidget(self.text, 1)
        self.finish(self.copy_button, self.close_button)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.text.toPlainText())
        self.copy_button.setText(self.tr("Copied"))
