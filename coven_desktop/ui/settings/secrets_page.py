"""The secrets by name: set, replaced, deleted, and never shown again; and how the keyring stands that keeps them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from coven_desktop.contract import timestamps
from coven_desktop.engine.answers import Answer, Outcome
from coven_desktop.engine.commands import secrets
from coven_desktop.qt.core import QCoreApplication, Qt, Signal, is_alive
from coven_desktop.qt.widgets import (
    QDialogButtonBox,
    QFormLayout,
    QLineEdit,
    QPushButton,
    QTableWidgetItem,
    QWidget,
)
from coven_desktop.ui import questions
from coven_desktop.ui.bounded import BoundedDialog
from coven_desktop.ui.doors import Gateway
from coven_desktop.ui.field import Field
from coven_desktop.ui.plain import tip
from coven_desktop.ui.questions import Choice
from coven_desktop.ui.settings.page import Page, StateLine
from coven_desktop.ui.texts import Tone
from coven_desktop.ui.times import Times


class SecretsPage(Page):
    """See the file's docstring."""

    def __init__(self, gateway: Gateway, times: Times, parent: QWidget | None = None) -> None:
        super().__init__(_say("Secrets"), parent)
        self._gateway = gateway
        self._times = times
        self._known: Sequence[Mapping[str, Any]] = ()
        self.words(
            self.tr(
                "A secret lies in your keyring and reaches a command only as an environment variable of its name. Coven"
                " Desktop keeps the name, and shows a value to nobody, not even to you."
            )
        )
        self.keyring = StateLine(self)
        self.body.addWidget(self.keyring)
        self.table = self.listing(self.tr("Secrets"), [self.tr("Name"), self.tr("Set"), self.tr("Given to")], widest=2)
        self.table.itemSelectionChanged.connect(self._allow)
        self.add = self.button(self.tr("&New…"), lambda: self._open(None), self.tr("Keep another secret"))
        self.replace = self.button(self.tr("&Replace…"), self._replace, self.tr("Give the selected one another value"))
        self.delete = self.button(
            self.tr("&Delete…"), self._delete, self.tr("Delete the selected one from the keyring")
        )
        self.row(self.add, self.replace, self.delete)
        self.outcome = StateLine(self)
        self.body.addWidget(self.outcome)
        self._allow()

    def shown(self) -> None:
        """List the names, and look at the keyring without asking the person."""
        self._list()
        self.keyring.say(self.tr("Looking at the keyring…"), Tone.BUSY)
        self._gateway.submit(secrets.check, {}, self._show_keyring)

    @property
    def selected(self) -> Mapping[str, Any] | None:
        """The secret of the selected row: `name`, `setAt`, `routines`, `runtimes`."""
        row = self.table.currentRow()
        return self._known[row] if 0 <= row < len(self._known) and self.table.selectedItems() else None

    # --- the keyring -------------------------------------------------------------------------------------------------

    def _unlock(self) -> None:
        self.keyring.say(self.tr("The keyring asks you to unlock it. Look for its window…"), Tone.BUSY)
        self._gateway.submit(secrets.check, {"unlock": True}, self._show_keyring)

    def _show_keyring(self, outcome: Outcome) -> None:
        if not is_alive(self):
            return  # the keyring takes its time, and the settings were closed meanwhile
        if not isinstance(outcome, Answer):
            self.keyring.say(str(outcome), Tone.BAD)
            return
        state = str(outcome.payload["state"])
        text, tone, step = keyring_words(state, str(outcome.payload["sentence"]))
        self.keyring.say(text, tone, step, self._unlock if state in ("locked", "prompting") else self.shown)

    # --- the list ----------------------------------------------------------------------------------------------------

    def _list(self) -> None:
        self._gateway.submit(secrets.names, {}, self._fill)

    def _fill(self, outcome: Outcome) -> None:
        if not is_alive(self):
            return
        if not isinstance(outcome, Answer):
            self.outcome.say(str(outcome), Tone.BAD)
            return
        chosen = self.selected["name"] if self.selected else None
        self._known = outcome.payload["secrets"]
        self.table.setRowCount(len(self._known))
        for row, secret in enumerate(self._known):
            when = secret["setAt"]
            said = self._times.day_and_time(timestamps.parse(when)) if when else self.tr("not set here")
            given = [*(routine["name"] for routine in secret["routines"]), *secret["runtimes"]]
            for column, cell in enumerate((secret["name"], said, ", ".join(given) or self.tr("nobody yet"))):
                item = QTableWidgetItem(cell)
                item.setToolTip(tip(cell))
                self.table.setItem(row, column, item)
            if secret["name"] == chosen:
                self.table.selectRow(row)
        self._allow()

    def _allow(self) -> None:
        for control in (self.replace, self.delete):
            control.setEnabled(self.selected is not None)

    def _replace(self) -> None:
        if self.selected is not None:
            self._open(str(self.selected["name"]))

    def _open(self, name: str | None) -> None:
        dialog = SecretDialog(name, self._gateway, self.window())

        def kept(given: str) -> None:
            self.outcome.say(self.tr("“{name}” is in the keyring.").format(name=given), Tone.GOOD)
            self.shown()

        dialog.kept.connect(kept)
        dialog.open()

    def _delete(self) -> None:
        if self.selected is None:
            return
        name = str(self.selected["name"])
        given = len(self.selected["routines"]) + len(self.selected["runtimes"])
        told = self.tr("It is deleted from the keyring and cannot be brought back.")
        if given:
            told += " " + self.tr("What is given it cannot start any more until it is set again.")

        def deleted(outcome: Outcome) -> None:
            if isinstance(outcome, Answer):
                self.outcome.say(self.tr("“{name}” is deleted.").format(name=name), Tone.GOOD)
            else:
                self.outcome.say(str(outcome), Tone.BAD)
            self.shown()

        questions.ask(
            self.tr("Delete the secret “{name}”?").format(name=name),
            told,
            [
                Choice(self.tr("Delete it"), lambda: self._gateway.submit(secrets.delete, {"name": name}, deleted)),
                Choice(self.tr("Keep it")),
            ],
            self.window(),
        )


class SecretDialog(BoundedDialog):
    """A name and a value that is not shown. `name` is None for a new one; `kept` comes with the name."""

    kept = Signal(str)

    def __init__(self, name: str | None, gateway: Gateway, parent: QWidget) -> None:
        super().__init__(self.tr("The secret"), 460, parent=parent)
        self._gateway = gateway
        self.setWindowTitle(
            self.tr("New secret") if name is None else self.tr("Replace the secret “{name}”").format(name=name)
        )
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.name = QLineEdit(name or "", self)
        self.name.setReadOnly(name is not None)
        self.name.setPlaceholderText("MY_TOKEN")
        self.value = QLineEdit(self)
        self.value.setEchoMode(QLineEdit.EchoMode.Password)
        self.fields = {
            "name": Field(
                self.name, self.tr("Name"), hint=self.tr("The environment variable that the command gets."), parent=self
            ),
            "value": Field(
                self.value, self.tr("Value"), hint=self.tr("Goes to the keyring, and is not shown again."), parent=self
            ),
        }
        form = QFormLayout()
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        for field in self.fields.values():
            form.addRow(field.control.accessibleName() + ":", field)
        self.state = StateLine(self)
        buttons = QDialogButtonBox(self)
        self.save = QPushButton(self.tr("&Keep it"), self)
        self.save.setDefault(True)
        buttons.addButton(self.save, QDialogButtonBox.ButtonRole.AcceptRole)
        buttons.addButton(QPushButton(self.tr("Cancel"), self), QDialogButtonBox.ButtonRole.RejectRole)
        buttons.accepted.connect(self._save)
        buttons.rejected.connect(self.reject)
        self.column.addLayout(form)
        self.column.addWidget(self.state)
        self.stand_on(buttons)
        (self.name if name is None else self.value).setFocus()

    def _save(self) -> None:
        for field in self.fields.values():
            field.calm()
        name = self.name.text().strip()
        self.save.setEnabled(False)
        self.state.say(self.tr("Asking the keyring. It may ask you to unlock it; look for its window…"), Tone.BUSY)
        self._gateway.submit(
            secrets.put, {"name": name, "value": self.value.text()}, lambda told: self._told(name, told)
        )

    def _told(self, name: str, outcome: Outcome) -> None:
        self.save.setEnabled(True)
        self.state.say("", Tone.QUIET)
        if isinstance(outcome, Answer):
            self.value.clear()
            self.kept.emit(name)
            self.accept()
            return
        reason = str(outcome)
        field = next((field for member, field in self.fields.items() if reason.startswith(member)), None)
        if field is not None:
            field.refuse(reason[:1].upper() + reason[1:])
            field.control.setFocus()
        else:
            self.state.say(reason, Tone.BAD)


def keyring_words(state: str, sentence: str) -> tuple[str, Tone, str]:
    """How the keyring stands: what is said, how, and what the button beside it says."""
    if state == "ready":
        return _say("The keyring is open."), Tone.GOOD, ""
    if state == "locked":
        text = _say("The keyring is locked: routines that are given a secret cannot start until it is unlocked.")
        return text, Tone.ASKS, _say("Unlock…")
    if state == "unmade":
        text = _say("No keyring has been made yet. Your first secret makes one, with a password that you choose.")
        return text, Tone.PLAIN, _say("Look again")
    if state == "no_bus":
        text = _say(
            "There is no session bus here, so no keyring can be reached. Log in to your desktop, start Coven Desktop"
            " there, then look again."
        )
        return text, Tone.BAD, _say("Look again")
    if state == "prompting":
        text = _say("The keyring asked you to unlock it, and got no answer in time.")
        return text, Tone.ASKS, _say("Unlock…")
    if state == "absent":
        text = _say(
            "There is no keyring here. Install GNOME Keyring, KWallet or KeePassXC with its Secret Service switched on,"
            " log in again, then look again."
        )
        return text, Tone.BAD, _say("Look again")
    return sentence, Tone.BAD, _say("Look again")


def _say(text: str) -> str:
    return QCoreApplication.translate("SecretsPage", text)
