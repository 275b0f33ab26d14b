"""Before an import: each routine of the file, what taking it would change here, and which of them are taken."""

from __future__ import annotations

from collections.abc import Sequence

from coven_desktop.qt.core import Qt, Signal
from coven_desktop.qt.widgets import (
    QDialog,
    QDialogButtonBox,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QSplitter,
    QVBoxLayout,
    QWidget,
)
from coven_desktop.ui.bounded import room_for
from coven_desktop.ui.changes_view import ChangesView
from coven_desktop.ui.doors import Gateway
from coven_desktop.ui.settings.import_plan import Planned
from coven_desktop.ui.settings.importer import Importer, Result


class ImportDialog(QDialog):
    """`imported` comes with how many were taken, when the person leaves it after an import."""

    imported = Signal(int)

    def __init__(self, file_name: str, planned: Sequence[Planned], gateway: Gateway, parent: QWidget) -> None:
        super().__init__(parent)
        self._planned = planned
        self._gateway = gateway
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Import from {file}").format(file=file_name))
        self.resize(room_for(self, 760, 520))
        self.told = QLabel(self)
        self.told.setWordWrap(True)
        self.told.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.list = QListWidget(self)
        self.list.setAccessibleName(self.tr("Routines in the file"))
        for one in planned:
            item = QListWidgetItem(f"{one.name} — {self._standing(one)}", self.list)
            can = one.kind in ("new", "differs")
            item.setFlags(Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsUserCheckable)
            if can:
                item.setCheckState(Qt.CheckState.Checked if one.kind == "new" else Qt.CheckState.Unchecked)
            else:
                item.setFlags(Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEnabled)
        self.list.currentRowChanged.connect(self._show)
        self.list.itemChanged.connect(lambda _: self._count())
        self.changes = ChangesView(self)
        split = QSplitter(Qt.Orientation.Horizontal, self)
        split.addWidget(self.list)
        split.addWidget(self.changes)
        split.setStretchFactor(0, 2)
        split.setStretchFactor(1, 3)
        split.setChildrenCollapsible(False)
        self.take = QPushButton(self)
        self.take.setAutoDefault(False)
        self.take.clicked.connect(lambda _checked=False: self._import())
        self.close_button = QPushButton(self.tr("Cancel"), self)
        buttons = QDialogButtonBox(self)
        buttons.addButton(self.take, QDialogButtonBox.ButtonRole.ActionRole)
        buttons.addButton(self.close_button, QDialogButtonBox.ButtonRole.RejectRole)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.addWidget(self.told)
        column.addWidget(split, 1)
        column.addWidget(buttons)
        self._say_what()
        self._count()
        if planned:
            self.list.setCurrentRow(0)

    def chosen(self) -> list[Planned]:
        """The routines that would be taken."""
        checked = Qt.CheckState.Checked
        return [
            one
            for row, one in enumerate(self._planned)
            if one.kind in ("new", "differs") and self.list.item(row).checkState() == checked
        ]

    def _standing(self, one: Planned) -> str:
        match one.kind:
            case "new":
                return self.tr("new")
            case "same":
                return self.tr("the same is here")
            case "differs":
                return self.tr("differs from yours")
            case "unusable":
                return one.reason

    def _say_what(self) -> None:
        if not self._planned:
            self.told.setText(self.tr("There are no routines in this file."))
            return
        self.told.setText(
            self.tr(
                "Everything that is taken over is paused until you resume it. A routine that differs from yours takes"
                " its place when you tick it; what yours said before stays in its history."
            )
        )

    def _count(self) -> None:
        number = len(self.chosen())
        self.take.setEnabled(number > 0)
        text = self.tr("&Take over 1 routine, paused") if number == 1 else self.tr("&Take over {n} routines, paused")
        self.take.setText(text.format(n=number))

    def _show(self, row: int) -> None:
        if not 0 <= row < len(self._planned):
            return
        one = self._planned[row]
        heading = {
            "new": self.tr("“{name}” is new. It says:"),
            "same": self.tr("“{name}” is here already and says the same: there is nothing to take over."),
            "differs": self.tr("“{name}” is here. Taking it over changes:"),
            "unusable": self.tr("“{name}” cannot be taken over: {reason}."),
        }[one.kind].format(name=one.name, reason=one.reason)
        told = one.changes() if one.kind in ("new", "differs") else []
        self.changes.show_changes(heading, told, (), "")

    def _import(self) -> None:
        self.take.setEnabled(False)
        self.list.setEnabled(False)
        self.told.setText(self.tr("Taking over…"))
        importer = Importer(self._gateway, self.chosen(), self)
        importer.done.connect(self._done)
        importer.start()

    def _done(self, results: list[Result]) -> None:
        failed = [result for result in results if result.reason]
        taken = len(results) - len(failed)
        said = (
            self.tr("1 routine is taken over, paused.")
            if taken == 1
            else self.tr("{n} routines are taken over, paused.")
        )
        lines = [said.format(n=taken)]
        lines += [self.tr("“{name}”: {reason}").format(name=one.planned.name, reason=one.reason) for one in failed]
        self.told.setText("\n".join(lines))
        self.take.hide()
        self.close_button.setText(self.tr("Close"))
        self.imported.emit(taken)
