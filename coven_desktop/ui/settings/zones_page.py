"""The time zone data that schedules are computed with, and which zone this machine says it is in."""

from __future__ import annotations

from coven_desktop.qt.core import QCoreApplication
from coven_desktop.qt.widgets import QWidget
from coven_desktop.schedule import zones
from coven_desktop.ui.aside import Aside
from coven_desktop.ui.settings.page import Page, StateLine
from coven_desktop.ui.texts import Tone


class ZonesPage(Page):
    """See the file's docstring."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(_say("Time zones"), parent)
        self.heading(self.tr("Zone data in use"))
        self.data = StateLine(self)
        self.body.addWidget(self.data)
        self.words(
            self.tr(
                "Countries change their clocks by law, sometimes at short notice. When newer data is installed, what is"
                " next is computed anew at the next start; what has run stays as it was."
            )
        )
        self.heading(self.tr("This machine"))
        self.local = StateLine(self)
        self.body.addWidget(self.local)
        self.words(
            self.tr("A routine runs by its own zone, wherever the machine is. Times in this app are shown in yours.")
        )
        self.body.addStretch(1)

    def shown(self) -> None:
        """Look at both again."""
        Aside(_data, lambda told: self.data.say(*told), self)
        Aside(_local, lambda told: self.local.say(*told), self)


def _data() -> tuple[str, Tone]:
    try:
        found = zones.zone_data()
    except zones.ZoneError as error:
        return _say("There is none that can be used: {reason}.").format(reason=error.message), Tone.BAD
    if found.source == "system":
        text = _say("Version {version}, that of the system, in {folder}")
    else:
        text = _say("Version {version}, that of the installed tzdata package, in {folder}")
    return text.format(version=found.version, folder=found.folder), Tone.GOOD


def _local() -> tuple[str, Tone]:
    try:
        return _say("Your zone is {zone}.").format(zone=zones.resolve_local()), Tone.GOOD
    except zones.ZoneError as error:
        text = _say("Your zone cannot be told: {reason}.").format(reason=error.message)
        return f"{text} {error.suggestion}" if error.suggestion else text, Tone.ASKS


def _say(text: str) -> str:
    return QCoreApplication.translate("ZonesPage", text)
