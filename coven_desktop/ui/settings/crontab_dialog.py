"""Before a crontab is taken over: each of its lines, what becomes of it, and why a line is not taken over."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from coven_desktop.engine.answers import Answer, Outcome
from coven_desktop.engine.commands.crontab_import import import_crontab
from coven_desktop.qt.core import Qt, Signal
from coven_desktop.qt.widgets import (
    QAbstractItemView,
    QDialog,
    QDialogButtonBox,
    QHeaderView,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)
from coven_desktop.ui import refusals
from coven_desktop.ui.acts import reason_of
from coven_desktop.ui.bounded import room_for
from coven_desktop.ui.doors import Gateway
from coven_desktop.ui.family import NoRule, rule_of

_LONGEST = 200
"""Characters of a cell; what is selected is told in full."""
_LINES_OF_MORE = 6


class Line(NamedTuple):
    """A line of the crontab: its number, what it says, what becomes of it, and what there is to know of that."""

    number: int
    text: str
    becomes: str
    more: str


class CrontabDialog(QDialog):
    """Shows what a dry run has `found` in a crontab, `name` for people.

    `imported` comes with how many were taken over, `another_asked` when the person wants one from a file instead, which
    `another` offers.
    """

    imported = Signal(int)
    another_asked = Signal()

    def __init__(
        self,
        name: str,
        text: str,
        found: Mapping[str, Any],
        gateway: Gateway,
        parent: QWidget,
        *,
        another: bool = False,
    ) -> None:
        super().__init__(parent)
        self._text = text
        self._gateway = gateway
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Import a crontab: {name}").format(name=name))
        self.resize(room_for(self, 860, 520))
        self.told = QLabel(self)
        self.told.setTextFormat(Qt.TextFormat.PlainText)
        self.told.setWordWrap(True)
        self.lines = sorted(self._lines(found))
        self.table = QTableWidget(len(self.lines), 3, self)
        self.table.setHorizontalHeaderLabels(
            [self.tr("Line"), self.tr("In the crontab"), self.tr("What becomes of it")]
        )
        self.table.setAccessibleName(self.tr("Lines of the crontab"))
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.table.setTabKeyNavigation(False)
        self.table.setWordWrap(False)
        self.table.verticalHeader().hide()
        header = self.table.horizontalHeader()
        header.setHighlightSections(False)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(2, QHeaderView.ResizeMode.Stretch)
        for row, line in enumerate(self.lines):
            for column, cell in enumerate((str(line.number), line.text, line.becomes)):
                self.table.setItem(row, column, QTableWidgetItem(cell[:_LONGEST]))
        self.more = QPlainTextEdit(self)
        self.more.setReadOnly(True)
        self.more.setTabChangesFocus(True)
        self.more.setAccessibleName(self.tr("The selected line"))
        self.more.setFixedHeight(self.fontMetrics().lineSpacing() * _LINES_OF_MORE)
        self.table.currentCellChanged.connect(lambda row, *_: self._show(row))
        number = len(found["imported"])
        take = self.tr("&Take over 1 routine, paused") if number == 1 else self.tr("&Take over {n} routines, paused")
        self.take = QPushButton(take.format(n=number), self)
        self.take.setAutoDefault(False)
        self.take.setEnabled(number > 0)
        self.take.clicked.connect(lambda _checked=False: self._import())
        self.close_button = QPushButton(self.tr("Cancel"), self)
        buttons = QDialogButtonBox(self)
        self.another = QPushButton(self.tr("From a &file…"), self)
        self.another.setAutoDefault(False)
        self.another.setVisible(another)
        self.another.clicked.connect(lambda _checked=False: self._ask_another())
        if another:
            buttons.addButton(self.another, QDialogButtonBox.ButtonRole.ResetRole)
        buttons.addButton(self.take, QDialogButtonBox.ButtonRole.ActionRole)
        buttons.addButton(self.close_button, QDialogButtonBox.ButtonRole.RejectRole)
        buttons.rejected.connect(self.reject)
        column_of_all = QVBoxLayout(self)
        column_of_all.addWidget(self.told)
        column_of_all.addWidget(self.table, 1)
        column_of_all.addWidget(self.more)
        column_of_all.addWidget(buttons)
        self.told.setText(self._what(found))
        if self.lines:
            self.table.setCurrentCell(0, 0)

    def _what(self, found: Mapping[str, Any]) -> str:
        if not self.lines:
            return self.tr("There are no jobs in it.")
        if not found["imported"]:
            return self.tr("There is nothing to take over. Each line says why.")
        return self.tr(
            "Each job becomes a routine that is paused until you resume it. The crontab stays as it is, and cron goes"
            " on with it."
        )

    def _lines(self, found: Mapping[str, Any]) -> Iterator[Line]:
        for one in found["imported"]:
            try:
                when = rule_of({"kind": "cron", "expression": one["expression"], "timezone": one["timezone"]}).words
            except NoRule:
                when = one["expression"]
            more = [self.tr("New routine “{name}”: {when}.").format(name=one["name"], when=when)]
            if one["environment"]:
                more.append(self.tr("Variables: {names}.").format(names=", ".join(one["environment"])))
            more.append(one["prompt"])
            yield Line(one["line"], one["text"], self.tr("New: {when}").format(when=when), "\n".join(more))
        sentences = {
            "skipped": self.tr("Skipped: {reason}"),
            "refused": self.tr("Not taken over: {reason}"),
            "reported": self.tr("Left out: {reason}"),
        }
        for what, sentence in sentences.items():
            for one in found[what]:
                yield Line(one["line"], one["text"], sentence.format(reason=one["reason"]), self._said(one))

    def _said(self, one: Mapping[str, Any]) -> str:
        said = [refusals.sentence(one["reason"])]
        if one.get("suggestion"):
            said.append(self.tr("Write instead: {text}").format(text=one["suggestion"]))
        return "\n".join(said)

    def _show(self, row: int) -> None:
        self.more.setPlainText(self.lines[row].more if 0 <= row < len(self.lines) else "")

    def _ask_another(self) -> None:
        self.reject()
        self.another_asked.emit()

    def _import(self) -> None:
        self.another.hide()
        self.take.setEnabled(False)
        self.told.setText(self.tr("Taking over…"))
        body = {"adoptionKey": f"import:{uuid.uuid4().hex}", "crontab": self._text}
        self._gateway.submit(import_crontab, body, self._done)

    def _done(self, outcome: Outcome) -> None:
        if not isinstance(outcome, Answer):
            self.told.setText(self.tr("Nothing was taken over: {reason}").format(reason=reason_of(outcome)))
            self.take.setEnabled(True)
            return
        number = len(outcome.payload["result"]["imported"])
        said = (
            self.tr("1 routine is taken over, paused.")
            if number == 1
            else self.tr("{n} routines are taken over, paused.")
        )
        once = self.tr("Cron still runs these jobs: take each out of the crontab when you resume it.")
        self.told.setText(f"{said.format(n=number)}\n{once}")
        self.take.hide()
        self.close_button.setText(self.tr("Close"))
        self.imported.emit(number)
