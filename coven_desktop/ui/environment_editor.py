"""What a routine's runs are given beside its definition: environment variables, and secrets by name (decisions.md 41).

A value of a secret is nowhere here: the names are chosen from those that the keyring was given.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from coven_desktop.contract.definition import DefinitionError
from coven_desktop.contract.routine_settings import SettingsError, parse
from coven_desktop.qt.core import QCoreApplication, Qt, Signal
from coven_desktop.qt.widgets import QListWidget, QListWidgetItem, QPlainTextEdit, QWidget

_LINES = 4


class EnvironmentEditor(QPlainTextEdit):
    """One variable a line, `NAME=value`. A value of several lines cannot stand in one, and is kept as it is."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._kept: dict[str, str] = {}
        self.setTabChangesFocus(True)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setPlaceholderText("LANG=en_GB.UTF-8")
        self.setFixedHeight(self.fontMetrics().lineSpacing() * _LINES + 14)
        self.setWhatsThis(
            self.tr(
                "Environment variables for the command, one a line: NAME=value. They are stored as they stand and can"
                " be read by whoever reads the database: a password or token belongs into a secret."
            )
        )

    def show_variables(self, variables: Mapping[str, str]) -> None:
        """Show variables, in their order."""
        self._kept = {name: value for name, value in variables.items() if len(value.splitlines()) > 1}
        lines = [f"{name}={value}" for name, value in variables.items() if name not in self._kept]
        self.setPlainText("\n".join(lines))

    def variables(self) -> dict[str, str]:
        """What is entered. Raises SettingsError for a line that is none, or a name that comes twice."""
        found = dict(self._kept)
        for number, line in enumerate(self.toPlainText().split("\n"), 1):
            if not line.strip():
                continue
            name, sign, value = line.partition("=")
            name = name.strip()
            if not sign:
                raise SettingsError("environment", _say("Line {n} must be NAME=value.").format(n=number))
            if name in found:
                raise SettingsError("environment", _say("{name} stands here twice.").format(name=name))
            found[name] = value
        return found


class SecretsPicker(QListWidget):
    """Names with a box to tick, Space ticks. `changed`: the person ticked one."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFixedHeight(self.fontMetrics().lineSpacing() * (_LINES + 1) + 14)
        self.setWhatsThis(
            self.tr(
                "Secrets that the command is given. Each comes from the keyring when a run starts, as an environment"
                " variable of its name. Their values are set in Settings and shown nowhere."
            )
        )
        self.itemChanged.connect(lambda _item: self.changed.emit())

    def show_names(self, chosen: Sequence[str], known: Sequence[str]) -> None:
        """Show the names that can be chosen; one that is chosen and not known is told so."""
        self.blockSignals(True)
        self.clear()
        for name in [*chosen, *(name for name in known if name not in chosen)]:
            item = QListWidgetItem(name if name in known else _say("{name} (not kept yet)").format(name=name))
            item.setData(Qt.ItemDataRole.UserRole, name)
            item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsUserCheckable)
            item.setCheckState(Qt.CheckState.Checked if name in chosen else Qt.CheckState.Unchecked)
            self.addItem(item)
        if self.count():
            self.setCurrentRow(0)
        self.blockSignals(False)
        self.setVisible(self.count() > 0)

    def names(self) -> tuple[str, ...]:
        """The names that are ticked, in their order."""
        items = [self.item(row) for row in range(self.count())]
        return tuple(
            str(item.data(Qt.ItemDataRole.UserRole)) for item in items if item.checkState() == Qt.CheckState.Checked
        )


def problem(environment: Mapping[str, str], secrets: Sequence[str]) -> DefinitionError | None:
    """Why these cannot be saved; `field` is `environment` or `secrets`."""
    try:
        parse({"environment": dict(environment), "secrets": list(secrets)})
    except SettingsError as error:
        return DefinitionError(error.member.split(".")[0], str(error))
    return None


def _say(text: str) -> str:
    return QCoreApplication.translate("Environment", text)
