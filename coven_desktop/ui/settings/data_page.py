"""The data: where it lies, a backup now, a backup put in place, an export, and an import that says what it changes."""

from __future__ import annotations

import os
import uuid
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from coven_desktop import __version__
from coven_desktop.contract import exported, timestamps
from coven_desktop.contract.crontab import BYTES_LIMIT
from coven_desktop.engine.answers import Answer, Outcome
from coven_desktop.engine.commands import reading
from coven_desktop.engine.commands.configuring import back_up
from coven_desktop.engine.commands.crontab_import import import_crontab
from coven_desktop.home import Home
from coven_desktop.qt.core import QCoreApplication, QLocale, QUrl, Signal
from coven_desktop.qt.gui import QDesktopServices
from coven_desktop.qt.widgets import QFileDialog, QListWidget, QListWidgetItem, QWidget
from coven_desktop.settings.writing import CannotWrite, replace_private
from coven_desktop.ui import questions, refusals
from coven_desktop.ui.acts import reason_of
from coven_desktop.ui.aside import Aside
from coven_desktop.ui.doors import Gateway
from coven_desktop.ui.questions import Choice
from coven_desktop.ui.settings import import_plan
from coven_desktop.ui.settings.crontab_dialog import CrontabDialog
from coven_desktop.ui.settings.doors import BackupChoice, NotDone, SettingsDoors
from coven_desktop.ui.settings.import_dialog import ImportDialog
from coven_desktop.ui.settings.page import Page, StateLine, attempt
from coven_desktop.ui.texts import Tone
from coven_desktop.ui.times import Times


class DataPage(Page):
    """See the file's docstring. `restore_asked` comes with the backup that the person has confirmed."""

    restore_asked = Signal(object)  # Path

    def __init__(
        self, home: Home, gateway: Gateway, doors: SettingsDoors, times: Times, parent: QWidget | None = None
    ) -> None:
        super().__init__(_say("Data"), parent)
        self._home = home
        self._gateway = gateway
        self._doors = doors
        self._times = times
        self._backups: Sequence[BackupChoice] = ()
        self._looks = 0
        self.heading(self.tr("Folder"))
        self.words(self.tr("Everything is in {folder}, readable by you alone.").format(folder=home.root))
        self.row(self.button(self.tr("Show the &folder"), self._show_folder))
        self.heading(self.tr("Backups"))
        self.words(self.tr("One is made every day. Seven of each kind are kept. Secrets are in none of them."))
        self.list = QListWidget(self)
        self.list.setAccessibleName(self.tr("Backups"))
        self.list.setMinimumHeight(130)
        self.list.currentRowChanged.connect(lambda _: self._allow())
        self.body.addWidget(self.list, 1)
        self.now = self.button(self.tr("&Back up now"), self._back_up)
        self.restore = self.button(self.tr("&Restore…"), self._ask_restore, self.tr("Put the selected backup in place"))
        self.row(self.now, self.restore)
        self.state = StateLine(self)
        self.body.addWidget(self.state)
        self.heading(self.tr("Routines as a file"))
        self.words(self.tr("An export has every routine with its settings, and secrets by name only."))
        self.export = self.button(self.tr("&Export…"), self._choose_export)
        self.imports = self.button(self.tr("&Import…"), self._choose_import, self.tr("First says what would change"))
        self.crontab = self.button(
            self.tr("Import a &crontab…"), self.import_crontab, self.tr("First says what becomes of each line")
        )
        self.row(self.export, self.imports, self.crontab)
        self.carried = StateLine(self)
        self.body.addWidget(self.carried)
        self.body.addStretch(1)
        self._allow()

    def shown(self) -> None:
        """List the backups again. Of two looks under way the later one tells: the first may not see what is new."""
        self._looks += 1
        look = self._looks

        def found(backups: Sequence[BackupChoice] | NotDone) -> None:
            if look == self._looks:
                self._list(backups)

        Aside(lambda: attempt(self._doors.backups), found, self)

    def _show_folder(self) -> None:
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._home.root)))

    # --- backups -----------------------------------------------------------------------------------------------------

    def _list(self, found: Sequence[BackupChoice] | NotDone) -> None:
        if isinstance(found, NotDone):
            self.state.say(str(found), Tone.BAD)
            return
        self._backups = found
        self.list.clear()
        for one in found:
            QListWidgetItem(self._named(one), self.list)
        if not found:
            QListWidgetItem(self.tr("There is none yet."), self.list)
        self._allow()

    def _named(self, one: BackupChoice) -> str:
        text = {
            "daily": self.tr("{time}, {size}"),
            "before_update": self.tr("{time}, before an update, {size}"),
            "by_hand": self.tr("{time}, made by you, {size}"),
        }[one.kind]
        return text.format(time=self._times.day_and_time(one.made), size=QLocale().formattedDataSize(one.size))

    def _allow(self) -> None:
        self.restore.setEnabled(0 <= self.list.currentRow() < len(self._backups))

    def _back_up(self) -> None:
        self.now.setEnabled(False)
        self.state.say(self.tr("Making a backup; work goes on meanwhile…"), Tone.BUSY)

        def done(outcome: Outcome) -> None:
            self.now.setEnabled(True)
            if isinstance(outcome, Answer):
                name = Path(outcome.payload["path"]).name
                self.state.say(self.tr("The backup is made and was read through: {name}").format(name=name), Tone.GOOD)
            else:
                self.state.say(self.tr("No backup was made: {reason}").format(reason=reason_of(outcome)), Tone.BAD)
            self.shown()

        self._gateway.submit(back_up, {}, done)

    def _ask_restore(self) -> None:
        row = self.list.currentRow()
        if not 0 <= row < len(self._backups):
            return
        chosen = self._backups[row]
        self._gateway.submit(reading.open_work, {}, lambda outcome: self._confirm_restore(chosen, outcome))

    def _confirm_restore(self, chosen: BackupChoice, outcome: Outcome) -> None:
        if not isinstance(outcome, Answer):
            self.state.say(reason_of(outcome), Tone.BAD)
            return
        live = sum(run["phase"] == "live" for run in outcome.payload["runs"])
        if live:
            text = self.tr(
                "Runs are going on that the backup knows nothing of. Stop them or let them end, then restore."
            )
            self.state.say(text, Tone.ASKS)
            return
        questions.ask(
            self.tr("Restore the backup of {time}?").format(time=self._times.day_and_time(chosen.made)),
            self.tr(
                "What happened since then is not in it: routines are as they were, and what was due since then may run"
                " again. Coven Desktop reads the backup through, puts it in place and starts anew. The database that is"
                " there now is kept beside it, under another name, and nothing of it is overwritten."
            ),
            [
                Choice(self.tr("Restore it"), lambda: self.restore_asked.emit(chosen.path)),
                Choice(self.tr("Leave all as it is")),
            ],
            self.window(),
        )

    # --- routines as a file ------------------------------------------------------------------------------------------

    def _choose_export(self) -> None:
        dialog = QFileDialog(self, self.tr("Export all routines"), os.path.expanduser("~"), self.tr("Export (*.json)"))
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix("json")
        dialog.selectFile("coven-desktop-routines.json")
        dialog.fileSelected.connect(lambda path: self.export_to(Path(path)))
        dialog.open()

    def export_to(self, path: Path) -> None:
        """Write all routines to a file."""

        def listed(outcome: Outcome) -> None:
            if not isinstance(outcome, Answer):
                self.carried.say(reason_of(outcome), Tone.BAD)
                return
            payload, at = outcome.payload, self._times.now()
            Aside(lambda: attempt(lambda: _write(path, payload, at)), written, self)

        def written(count: int | NotDone) -> None:
            if isinstance(count, NotDone):
                self.carried.say(str(count), Tone.BAD)
            else:
                text = self.tr("{n} routines are in {file}. Secrets are in it by name only.")
                self.carried.say(text.format(n=count, file=path), Tone.GOOD)

        self._gateway.submit(reading.list_inventory, {}, listed)

    def _choose_import(self) -> None:
        dialog = QFileDialog(self, self.tr("Import routines"), os.path.expanduser("~"), self.tr("Export (*.json)"))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.fileSelected.connect(lambda path: self.import_from(Path(path)))
        dialog.open()

    def import_from(self, path: Path) -> None:
        """Read a file, and show what taking it over would change."""

        def listed(outcome: Outcome) -> None:
            if not isinstance(outcome, Answer):
                self.carried.say(reason_of(outcome), Tone.BAD)
                return
            payload = outcome.payload
            Aside(lambda: attempt(lambda: import_plan.plan(import_plan.read(path), _plain(payload))), planned, self)

        def planned(found: list[import_plan.Planned] | NotDone) -> None:
            if isinstance(found, NotDone):
                self.carried.say(str(found), Tone.BAD)
                return
            self.carried.say("", Tone.QUIET)
            dialog = ImportDialog(path.name, found, self._gateway, self.window())
            dialog.imported.connect(self._imported)
            dialog.open()

        self._gateway.submit(reading.list_inventory, {}, listed)

    def import_crontab(self) -> None:
        """Show what becomes of each line of the person's own crontab; without one ask for a file."""

        def read(text: str | NotDone) -> None:
            self.crontab.setEnabled(True)
            if isinstance(text, NotDone):
                self._choose_crontab()
            else:
                self._look(self.tr("your crontab"), text, own=True)

        self.crontab.setEnabled(False)
        Aside(lambda: attempt(import_plan.own_crontab), read, self)

    def _choose_crontab(self) -> None:
        dialog = QFileDialog(self, self.tr("Import a crontab"), os.path.expanduser("~"), self.tr("All files (*)"))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.fileSelected.connect(lambda path: self.import_crontab_from(Path(path)))
        dialog.open()

    def import_crontab_from(self, path: Path) -> None:
        """Read a crontab, and show what becomes of each line."""

        def read(text: str | NotDone) -> None:
            if isinstance(text, NotDone):
                self.carried.say(str(text), Tone.BAD)
            else:
                self._look(path.name, text, own=False)

        Aside(lambda: attempt(lambda: import_plan.text(path, BYTES_LIMIT)), read, self)

    def _look(self, name: str, text: str, *, own: bool) -> None:
        def found(outcome: Outcome) -> None:
            if not isinstance(outcome, Answer):
                self.carried.say(refusals.words(outcome), Tone.BAD)
                return
            self.carried.say("", Tone.QUIET)
            result = outcome.payload["result"]
            dialog = CrontabDialog(name, text, result, self._gateway, self.window(), another=own)
            dialog.imported.connect(self._imported)
            dialog.another_asked.connect(self._choose_crontab)
            dialog.open()

        body = {"adoptionKey": f"look:{uuid.uuid4().hex}", "crontab": text, "dryRun": True}
        self._gateway.submit(import_crontab, body, found)

    def _imported(self, count: int) -> None:
        text = self.tr("{n} routines are taken over. They are paused: look at them, then resume them.")
        self.carried.say(text.format(n=count), Tone.GOOD)


def _plain(payload: dict[str, Any]) -> list[dict[str, Any]]:
    """The routines of an inventory as plain values: what is stored as JSON stands in it as such."""
    routines: list[dict[str, Any]] = msgspec.json.decode(msgspec.json.encode(payload))["routines"]
    return routines


def _write(path: Path, payload: dict[str, Any], at: int) -> int:
    """Write the export of an inventory; how many routines it has. Raises NotDone."""
    routines = _plain(payload)
    document = exported.document(routines, exported_at=timestamps.to_text(at), version=__version__)
    try:
        replace_private(path, msgspec.json.format(msgspec.json.encode(document), indent=2).decode("utf-8") + "\n")
    except CannotWrite as error:
        raise NotDone(str(error)) from error
    return len(routines)


def _say(text: str) -> str:
    return QCoreApplication.translate("DataPage", text)
