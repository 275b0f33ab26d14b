"""The doctor: every check in words, each with a test of its own, and a report to be copied without secrets."""

from __future__ import annotations

from coven_desktop.qt.core import QCoreApplication
from coven_desktop.qt.gui import QGuiApplication
from coven_desktop.qt.widgets import QWidget
from coven_desktop.ui.settings.check_rows import CheckRows
from coven_desktop.ui.settings.checkup import Checkup
from coven_desktop.ui.settings.page import Page, StateLine
from coven_desktop.ui.texts import Tone


class DoctorPage(Page):
    """See the file's docstring. The first look is made when the page comes to the front, and then on request."""

    def __init__(self, checkup: Checkup, parent: QWidget | None = None) -> None:
        super().__init__(QCoreApplication.translate("DoctorPage", "Doctor"), parent)
        self._checkup = checkup
        self._looked = False
        self.words(
            self.tr("What Coven Desktop needs from this machine, and how that stands. Nothing is changed by looking.")
        )
        self.rows = CheckRows(checkup, tuple(checkup.rows), self)
        self.body.addWidget(self.rows)
        self.all = self.button(self.tr("Look at &all again"), checkup.look)
        self.copy = self.button(
            self.tr("&Copy the report"), self._copy, self.tr("As text, without secrets and values of variables")
        )
        self.row(self.all, self.copy)
        self.copied = StateLine(self)
        self.body.addWidget(self.copied)
        self.body.addStretch(1)

    def shown(self) -> None:
        """Look once by itself."""
        if not self._looked:
            self._looked = True
            self._checkup.look()

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self._checkup.report())
        self.copied.say(self.tr("The report is in the clipboard. It has no secrets in it."), Tone.GOOD)
