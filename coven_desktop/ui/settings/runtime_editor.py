"""A runtime of the person's own as a form: what is wrong is said at its field; nothing is written until it is right."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import Any

from coven_desktop.qt.core import Qt, Signal
from coven_desktop.qt.widgets import (
    QComboBox,
    QDialogButtonBox,
    QFormLayout,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QSpinBox,
    QWidget,
)
from coven_desktop.ui.aside import Aside
from coven_desktop.ui.bounded import BoundedDialog
from coven_desktop.ui.field import Field
from coven_desktop.ui.settings.doors import NotDone, SettingsDoors
from coven_desktop.ui.settings.page import attempt

_GRACE_SECONDS = 10


class RuntimeEditor(BoundedDialog):
    """`name` is None for a new one; `table` what runtimes.toml says of it. `saved` comes with its name."""

    saved = Signal(str)

    def __init__(self, name: str | None, table: Mapping[str, Any], doors: SettingsDoors, parent: QWidget) -> None:
        super().__init__(self.tr("The runtime"), 560, parent=parent)
        self._before = name
        self._table = dict(table)
        self._doors = doors
        self.setWindowTitle(self.tr("New runtime") if name is None else self.tr("Runtime “{name}”").format(name=name))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.name = QLineEdit(name or "", self)
        self.command = QLineEdit(_line(table.get("argv")), self)
        self.command.setPlaceholderText("my-agent --file {prompt_file}")
        self.prompt = QComboBox(self)
        for text, given in (
            (self.tr("as the command line says"), None),
            (self.tr("on its standard input"), "stdin"),
            (self.tr("in a file, {prompt_file}"), "file"),
            (self.tr("as an argument, {prompt}"), "argument"),
        ):
            self.prompt.addItem(text, given)
        self.prompt.setCurrentIndex(max(0, self.prompt.findData(table.get("prompt"))))
        self.model = QLineEdit(_line(table.get("modelArgv")), self)
        self.model.setPlaceholderText("--model {model}")
        self.variables = QPlainTextEdit(self)
        env = table.get("env")
        self.variables.setPlainText("\n".join(f"{key}={value}" for key, value in env.items()) if env else "")
        self.variables.setTabChangesFocus(True)
        self.variables.setFixedHeight(64)
        self.secrets = QLineEdit(" ".join(table.get("secrets") or ()), self)
        self.grace = QSpinBox(self)
        self.grace.setRange(0, 15)
        self.grace.setSuffix(self.tr(" s"))
        self.grace.setValue(int(table.get("graceSeconds", _GRACE_SECONDS)))
        self.fields = {
            "name": Field(self.name, self.tr("Name"), parent=self),
            "argv": Field(
                self.command,
                self.tr("Command line"),
                hint=self.tr(
                    "Quote words with spaces as in a shell. {prompt_file}, {prompt}, {cwd} and {model} are filled in."
                ),
                parent=self,
            ),
            "prompt": Field(self.prompt, self.tr("The prompt comes"), parent=self),
            "modelArgv": Field(
                self.model, self.tr("With a model"), hint=self.tr("Added when the routine names one."), parent=self
            ),
            "env": Field(self.variables, self.tr("Variables"), hint=self.tr("NAME=value, one a line."), parent=self),
            "secrets": Field(
                self.secrets,
                self.tr("Secrets"),
                hint=self.tr("Names from the Secrets page, with spaces between."),
                parent=self,
            ),
            "graceSeconds": Field(
                self.grace, self.tr("Time to end"), hint=self.tr("From a stop to its end by force."), parent=self
            ),
        }
        form = QFormLayout()
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        for field in self.fields.values():
            form.addRow(field.control.accessibleName() + ":", field)
        buttons = QDialogButtonBox(self)
        self.save = QPushButton(self.tr("&Save"), self)
        self.save.setDefault(True)
        self.cancel = QPushButton(self.tr("Cancel"), self)
        buttons.addButton(self.save, QDialogButtonBox.ButtonRole.AcceptRole)
        buttons.addButton(self.cancel, QDialogButtonBox.ButtonRole.RejectRole)
        buttons.accepted.connect(self._save)
        buttons.rejected.connect(self.reject)
        self.column.addLayout(form)
        self.stand_on(buttons)

    def _save(self) -> None:
        for field in self.fields.values():
            field.calm()
        try:
            name, table = self.name.text().strip(), self._made()
        except NotDone as wrong:
            self._refuse(wrong)
            return
        self.save.setEnabled(False)

        def done(outcome: NotDone | None) -> None:
            self.save.setEnabled(True)
            if isinstance(outcome, NotDone):
                self._refuse(outcome)
            else:
                self.saved.emit(name)
                self.accept()

        Aside(lambda: attempt(lambda: self._doors.put_runtime(self._before, name, table)), done, self)

    def _refuse(self, wrong: NotDone) -> None:
        field = self.fields.get(wrong.field or "name", self.fields["name"])
        field.refuse(str(wrong))
        field.control.setFocus()

    def _made(self) -> dict[str, Any]:
        """The table as the fields say it; members that have no field stay. Raises NotDone."""
        table = dict(self._table)
        told: dict[str, Any] = {
            "argv": self._words(self.command, "argv"),
            "prompt": self.prompt.currentData(),
            "modelArgv": self._words(self.model, "modelArgv") or None,
            "env": self._environment() or None,
            "secrets": self.secrets.text().replace(",", " ").split() or None,
            "graceSeconds": self.grace.value(),
        }
        if "graceSeconds" not in table and told["graceSeconds"] == _GRACE_SECONDS:
            told["graceSeconds"] = None
        for member, value in told.items():
            if value is None:
                table.pop(member, None)
            else:
                table[member] = value
        return table

    def _words(self, line: QLineEdit, member: str) -> list[str]:
        try:
            return shlex.split(line.text())
        except ValueError as error:
            raise NotDone(self.tr("A quote is not closed."), member) from error

    def _environment(self) -> dict[str, str]:
        found: dict[str, str] = {}
        for line in self.variables.toPlainText().splitlines():
            if not line.strip():
                continue
            name, equals, value = line.partition("=")
            if not equals:
                raise NotDone(self.tr("“{line}” is no NAME=value.").format(line=line), "env")
            found[name.strip()] = value
        return found


def _line(words: object) -> str:
    return shlex.join(str(word) for word in words) if isinstance(words, list | tuple) else ""
