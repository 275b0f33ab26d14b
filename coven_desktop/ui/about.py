"""What this is: version, licence, where it keeps what, and the way to its README and to the check of the machine."""

from __future__ import annotations

import platform
from collections.abc import Callable

from coven_desktop import __version__
from coven_desktop.home import Home
from coven_desktop.qt.core import Qt, qVersion
from coven_desktop.qt.widgets import QLabel, QPushButton, QTextEdit, QWidget
from coven_desktop.resources import read_me
from coven_desktop.ui.bounded import BoundedDialog
from coven_desktop.ui.facts import Facts


class AboutDialog(BoundedDialog):
    """`read` shows the README; `check` looks whether the machine has what the app needs, None when nothing can."""

    def __init__(
        self, home: Home, read: Callable[[], None], check: Callable[[], None] | None, parent: QWidget | None = None
    ) -> None:
        super().__init__(self.tr("About Coven Desktop"), 520, parent=parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("About Coven Desktop"))
        heading = QLabel("Coven Desktop", self)
        font = heading.font()
        font.setPointSizeF(font.pointSizeF() * 1.4)
        font.setBold(True)
        heading.setFont(font)
        told = QLabel(self.tr("Recurring work of your command-line agents: run on time, and proven."), self)
        told.setWordWrap(True)
        self.facts = Facts(parent=self)
        self.facts.show_facts(
            [
                (self.tr("Version"), f"{__version__} · Python {platform.python_version()} · Qt {qVersion()}"),
                (
                    self.tr("Licence"),
                    self.tr("MIT: you may use, change and pass it on. It comes without any warranty."),
                ),
                (self.tr("Keeps everything in"), str(home.root)),
            ]
        )
        for part in (heading, told, self.facts):
            self.column.addWidget(part)
        self.read_button = QPushButton(self.tr("&Read me"), self)
        self.read_button.clicked.connect(lambda _checked=False: read())
        self.check_button = QPushButton(self.tr("Check this &machine…"), self)
        self.check_button.setVisible(check is not None)
        self.check_button.clicked.connect(lambda _checked=False: check() if check is not None else None)
        close = QPushButton(self.tr("Close"), self)
        close.clicked.connect(self.close)
        self.finish(self.read_button, self.check_button, close)


class ReadMe(BoundedDialog):
    """The README of the project, to be read."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(self.tr("Read me"), 820, 620, parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Read me"))
        self.text = QTextEdit(self)
        self.text.setReadOnly(True)
        self.text.setTabChangesFocus(True)
        self.text.setAccessibleName(self.tr("Read me"))
        self.text.setMarkdown(read_me())
        self.column.addWidget(self.text, 1)
        close = QPushButton(self.tr("Close"), self)
        close.clicked.connect(self.close)
        self.finish(close)
        self.text.setFocus()
