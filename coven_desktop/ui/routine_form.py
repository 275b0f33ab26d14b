"""The form for a routine: fields on the left, what they mean on the right, and why Save is off.

The contract's own parser judges every change, so that a refusal stands at its field in the contract's words.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any

from coven_desktop.contract import definition
from coven_desktop.contract.definition import DefinitionError
from coven_desktop.engine.listing import RoutineRow
from coven_desktop.qt.core import Qt, QTimer
from coven_desktop.qt.gui import QKeySequence, QShortcut
from coven_desktop.qt.widgets import (
    QCheckBox,
    QComboBox,
    QCompleter,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QFormLayout,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QScrollArea,
    QSpinBox,
    QSplitter,
    QToolButton,
    QVBoxLayout,
    QWidget,
)
from coven_desktop.schedule import zones
from coven_desktop.ui import draft, questions
from coven_desktop.ui.doors import RuntimeChoice
from coven_desktop.ui.field import Field
from coven_desktop.ui.preview_pane import PreviewPane
from coven_desktop.ui.retry_editor import RetryEditor
from coven_desktop.ui.schedule_editor import ScheduleEditor
from coven_desktop.ui.times import Times

Save = Callable[[Mapping[str, Any], int | None], None]
CheckFolder = Callable[[str, Callable[[bool], None]], None]


class RoutineForm(QDialog):
    """Makes a new routine, or a new revision of `routine`. `save` gets the definition and the revision it began with.

    `id_taken` answers whether an id is or was in use; `check_folder` answers later whether a folder is there;
    `open_slots` are planned instants that saving supersedes.
    """

    def __init__(
        self,
        times: Times,
        runtimes: tuple[RuntimeChoice, ...],
        save: Save,
        *,
        routine: RoutineRow | None = None,
        copied: Mapping[str, Any] | None = None,
        id_taken: Callable[[str], bool] = lambda _id: False,
        check_folder: CheckFolder = lambda _path, _answer: None,
        open_slots: tuple[int, ...] = (),
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._times = times
        self._runtimes = runtimes
        self._save = save
        self._routine = routine
        self._id_taken = id_taken
        self._check_folder = check_folder
        self._missing_folder = ""
        self._open_slots = open_slots
        self._base: dict[str, Any] = dict(routine.body) if routine is not None else dict(copied or {})
        self._touched: set[str] = set()
        self._id_by_hand = routine is not None
        self._saving = False
        self.setWindowTitle(
            self.tr("New routine") if routine is None else self.tr("Edit “{name}”").format(name=routine.name)
        )
        self.setModal(False)
        self.resize(1020, 720)
        self._make_controls()
        self._lay_out()
        self._show_definition()
        self._connect()
        self._at_first = self.entered()
        self._judge()
        self._preview_now()
        self._look_for_folder()
        self.name.setFocus()

    # --- building ----------------------------------------------------------------------------------------------------

    def _make_controls(self) -> None:
        self.name = QLineEdit(self)
        self.name.setPlaceholderText(self.tr("Daily notes"))
        self.active = QCheckBox(self.tr("Active: runs on its schedule"), self)
        self.schedule = ScheduleEditor(self)
        self.zone = QComboBox(self)
        self.zone.setEditable(True)
        self.zone.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.zone.addItems(["utc", *sorted(zones.names())])
        completer = QCompleter(self.zone.model(), self)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        completer.setCompletionMode(QCompleter.CompletionMode.PopupCompletion)
        self.zone.setCompleter(completer)
        self.runtime = QComboBox(self)
        self.runtime.setEditable(True)
        self.runtime.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.runtime.addItems([choice.name for choice in self._runtimes])
        self.folder = QLineEdit(self)
        self.choose_folder = QPushButton(self.tr("Choose…"), self)
        self.choose_folder.setAccessibleName(self.tr("Choose the working folder"))
        self.prompt = QPlainTextEdit(self)
        self.prompt.setTabChangesFocus(True)
        self.prompt.setMinimumHeight(110)
        self.timeout = QSpinBox(self)
        self.timeout.setRange(1, definition.TIMEOUT_MINUTES_LIMIT)
        self.timeout.setSuffix(self.tr(" minutes"))
        self.timeout.setMaximumWidth(170)
        self.model = QLineEdit(self)
        self.tags = QLineEdit(self)
        self.retry = RetryEditor(self)
        self.id = QLineEdit(self)
        self.id.setReadOnly(self._routine is not None)
        self.preview = PreviewPane(self._times, self)
        self.banner = QLabel(self)
        self.banner.setWordWrap(True)
        self.banner.hide()

    def _lay_out(self) -> None:
        folder = QWidget(self)
        line = QHBoxLayout(folder)
        line.setContentsMargins(0, 0, 0, 0)
        line.addWidget(self.folder, 1)
        line.addWidget(self.choose_folder)
        folder.setFocusProxy(self.folder)
        self.folder.setAccessibleName(self.tr("Working folder"))
        self.fields = {
            "name": Field(self.name, self.tr("Name")),
            "rrule": Field(self.schedule, self.tr("Schedule")),
            "timezone": Field(self.zone, self.tr("Time zone")),
            "runtime": Field(self.runtime, self.tr("Runtime")),
            "cwd": Field(folder, self.tr("Working folder")),
            "prompt": Field(self.prompt, self.tr("Prompt")),
            "timeoutMinutes": Field(
                self.timeout, self.tr("Stop after"), hint=self.tr("A run that takes longer is stopped.")
            ),
            "model": Field(self.model, self.tr("Model"), hint=self.tr("Empty: the runtime's own choice.")),
            "tags": Field(self.tags, self.tr("Tags"), hint=self.tr("Separated by commas.")),
            "retry": Field(self.retry, self.tr("Try again")),
            "id": Field(self.id, self.tr("Id"), hint=self.tr("The name in the socket API; it never changes.")),
        }
        page = QWidget(self)
        form = self._form(page)
        self._rows(form, ("name", "rrule", "timezone", "runtime", "cwd", "prompt", "timeoutMinutes"))
        form.insertRow(1, "", self.active)
        self._more = QToolButton(self)
        self._more.setText(self.tr("More: model, tags, retry, id"))
        self._more.setCheckable(True)
        self._more.setAutoRaise(True)
        self._more.setArrowType(Qt.ArrowType.RightArrow)
        self._more.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._more.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._extra = QWidget(self)
        extra = self._form(self._extra)
        extra.setContentsMargins(0, 0, 0, 0)
        self._rows(extra, ("model", "tags", "retry", "id"))
        self._extra.hide()
        form.addRow("", self._more)
        form.addRow(self._extra)
        scroll = self._scroll = QScrollArea(self)
        scroll.setWidget(page)
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setMinimumWidth(520)
        right = QWidget(self)
        column = QVBoxLayout(right)
        column.setContentsMargins(14, 10, 4, 0)
        column.addWidget(self.preview)
        both = QSplitter(Qt.Orientation.Horizontal, self)
        both.addWidget(scroll)
        both.addWidget(right)
        both.setChildrenCollapsible(False)
        both.setStretchFactor(0, 5)
        both.setStretchFactor(1, 4)
        both.setSizes([580, 440])
        self.why = QLabel(self)
        self.why.setWordWrap(True)
        self.why.setAccessibleName(self.tr("Why Save is off"))
        self.buttons = QDialogButtonBox(self)
        self.save_button = self.buttons.addButton(self.tr("Save"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.buttons.addButton(self.tr("Cancel"), QDialogButtonBox.ButtonRole.RejectRole)
        bottom = QHBoxLayout()
        bottom.addWidget(self.why, 1)
        bottom.addWidget(self.buttons)
        whole = QVBoxLayout(self)
        whole.addWidget(self.banner)
        whole.addWidget(both, 1)
        whole.addLayout(bottom)

    def _form(self, page: QWidget) -> QFormLayout:
        form = QFormLayout(page)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        form.setLabelAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop)
        form.setVerticalSpacing(12)
        form.setHorizontalSpacing(12)
        return form

    def _rows(self, form: QFormLayout, names: tuple[str, ...]) -> None:
        labels = {
            "name": self.tr("&Name"),
            "rrule": self.tr("Sche&dule"),
            "timezone": self.tr("Time &zone"),
            "runtime": self.tr("&Runtime"),
            "cwd": self.tr("&Working folder"),
            "prompt": self.tr("&Prompt"),
            "timeoutMinutes": self.tr("Stop &after"),
            "model": self.tr("&Model"),
            "tags": self.tr("&Tags"),
            "retry": self.tr("Tr&y again"),
            "id": self.tr("&Id"),
        }
        width = max(self.fontMetrics().horizontalAdvance(text.replace("&", "")) for text in labels.values())
        for name in names:
            label = QLabel(labels[name], self)
            label.setBuddy(self.fields[name].control)
            label.setMinimumWidth(width)
            label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop)
            label.setContentsMargins(0, 5, 0, 0)
            form.addRow(label, self.fields[name])

    def _connect(self) -> None:
        self.name.textEdited.connect(self._name_edited)
        self.id.textEdited.connect(self._id_edited)
        self.active.toggled.connect(lambda: self._edited("status"))
        self.schedule.changed.connect(lambda: self._edited("rrule"))
        self.zone.editTextChanged.connect(lambda: self._edited("timezone"))
        self.runtime.editTextChanged.connect(lambda: self._edited("runtime"))
        self.folder.textEdited.connect(lambda: self._edited("cwd"))
        self.prompt.textChanged.connect(lambda: self._edited("prompt"))
        self.timeout.valueChanged.connect(lambda: self._edited("timeoutMinutes"))
        self.model.textEdited.connect(lambda: self._edited("model"))
        self.tags.textEdited.connect(lambda: self._edited("tags"))
        self.retry.changed.connect(lambda: self._edited("retry"))
        self.fields["rrule"].taken.connect(self.schedule.take)
        self.fields["timezone"].taken.connect(self.zone.setEditText)
        self.fields["cwd"].taken.connect(self._take_folder)
        self.fields["id"].taken.connect(self._take_id)
        self.choose_folder.clicked.connect(self._choose_folder)
        self._more.toggled.connect(self._show_more)
        self.buttons.accepted.connect(self._accept)
        self.buttons.rejected.connect(self.reject)
        QShortcut(QKeySequence("Ctrl+Return"), self, self._accept)

    def _show_definition(self) -> None:
        base = self._base
        self.name.setText(base.get("name", ""))
        self.active.setChecked(base.get("status", "ACTIVE") == "ACTIVE")
        self.schedule.set_rule(base.get("rrule", "FREQ=DAILY;BYHOUR=9"))
        self.zone.setEditText(base.get("timezone") or self._times.zone_name or "utc")
        first = next((choice.name for choice in self._runtimes if choice.found), "shell")
        self.runtime.setEditText(base.get("runtime", first))
        self.folder.setText(base.get("cwd") or ("" if base else os.path.expanduser("~")))
        self.prompt.setPlainText(base.get("prompt", ""))
        self.timeout.setValue(base.get("timeoutMinutes", 30))
        self.model.setText(base.get("model") or "")
        self.tags.setText(", ".join(base.get("tags", ())))
        self.retry.show_policy(base.get("retry"))
        fresh = draft.free_id(self.name.text(), self._id_taken)
        self.id.setText(fresh if self._routine is None else self._routine.id)

    # --- what is entered ---------------------------------------------------------------------------------------------

    def entered(self) -> dict[str, Any]:
        """The definition as it stands in the form, good or not."""
        body = dict(self._base)
        body |= {
            "schemaVersion": 1,
            "id": self.id.text(),
            "name": self.name.text(),
            "status": "ACTIVE" if self.active.isChecked() else "PAUSED",
            "rrule": self.schedule.rule_text(),
            "timezone": self.zone.currentText().strip(),
            "misfire": "latest",
            "overlap": "forbid",
            "timeoutMinutes": self.timeout.value(),
            "runtime": self.runtime.currentText().strip(),
            "prompt": self.prompt.toPlainText(),
        }
        tags = [tag.strip() for tag in self.tags.text().split(",") if tag.strip()]
        optional = {
            "cwd": self.folder.text().strip() or None,
            "model": self.model.text().strip() or None,
            "tags": tags or None,
            "retry": self.retry.policy(),
        }
        for name, value in optional.items():
            body.pop(name, None)
            if value is not None:
                body[name] = value
        return body

    def problems(self) -> dict[str, DefinitionError]:
        """Every field that cannot be saved, with its refusal, in the contract's order."""
        return draft.problems(self.entered(), id_taken=self._id_taken if self._routine is None else None)

    def _judge(self) -> None:
        """Say at each touched field what is wrong with it, and beside Save why it is off."""
        problems = self.problems()
        for name, field in self.fields.items():
            error = problems.get(name)
            if error is not None and name in self._touched:
                field.refuse(draft.reason(error.message), error.suggestion)
            else:
                field.calm()
        self._hint_runtime()
        if "cwd" not in problems:
            self._hint_folder()
        if problems:
            first = next(iter(problems.values()))
            self.why.setText(self.tr("Save is off: {reason}").format(reason=draft.reason(first.message)))
        else:
            self.why.setText(self.tr("Saving…") if self._saving else "")
        self.save_button.setEnabled(not problems and not self._saving)
        if self._extra.isHidden() and any(name in problems and name in self._touched for name in ("retry", "id")):
            self._more.setChecked(True)
        self._say_changes()

    def _hint_folder(self) -> None:
        """Decisions.md 19: the form warns before a run is refused."""
        folder = self.folder.text().strip()
        if not folder:
            self.fields["cwd"].warn(self.tr("Without a folder, Run now is refused."))
        elif folder == self._missing_folder:
            self.fields["cwd"].warn(self.tr("There is no such folder now: until there is, runs are refused."))

    def _look_for_folder(self) -> None:
        folder = self.folder.text().strip()
        if os.path.isabs(folder):
            self._check_folder(folder, lambda there: self._folder_looked(folder, there))

    def _folder_looked(self, folder: str, there: bool) -> None:
        self._missing_folder = "" if there else folder
        self._judge()

    def _hint_runtime(self) -> None:
        name = self.runtime.currentText().strip()
        known = {choice.name: choice.found for choice in self._runtimes}
        field = self.fields["runtime"]
        if field.message or not name or not known:
            return
        if name not in known:
            field.warn(self.tr("No runtime of this name is known: its runs will be refused."))
        elif not known[name]:
            field.warn(self.tr("The command of “{name}” was not found on this machine.").format(name=name))

    def _say_changes(self) -> None:
        """For an edit: what the new revision changes, and which planned run it replaces (decisions.md 5)."""
        if self._routine is None:
            return
        entered = self.entered()
        names = {**{name: field.control.accessibleName() for name, field in self.fields.items()}}
        names["status"] = self.tr("Active")
        changed = [
            names.get(name, name)
            for name in {**self._base, **entered}
            if self._base.get(name) != entered.get(name)
        ]
        if not changed:
            self.preview.show_changes(self.tr("Nothing is changed yet."))
            return
        lines = [
            self.tr("Revision {number} changes: {names}.").format(
                number=self._routine.revision + 1, names=", ".join(changed)
            )
        ]
        if self._open_slots:
            moments = ", ".join(self._times.day_and_time(slot) for slot in self._open_slots)
            text = self.tr("It replaces the run planned for {moments}, which will not start.")
            lines.append(text.format(moments=moments))
        self.preview.show_changes("\n".join(lines))

    # --- events ------------------------------------------------------------------------------------------------------

    def reject(self) -> None:
        """Cancel, Escape and the window's cross: what was entered is not thrown away unasked."""
        if self._saving or self.entered() == self._at_first:
            super().reject()
        else:
            questions.confirm_discard(super().reject, self)

    def _edited(self, name: str) -> None:
        self._touched.add(name)
        self.banner.hide()
        self._judge()
        if name in ("rrule", "timezone"):
            self._preview_now()
        elif name == "cwd":
            self._look_for_folder()

    def _preview_now(self) -> None:
        self.preview.show_rule(self.schedule.rule_text(), self.zone.currentText().strip())

    def _name_edited(self) -> None:
        if not self._id_by_hand:
            self.id.setText(draft.free_id(self.name.text(), self._id_taken))
        self._edited("name")

    def _id_edited(self) -> None:
        self._id_by_hand = True
        self._edited("id")

    def _take_id(self, text: str) -> None:
        self.id.setText(text)
        self._id_edited()

    def _choose_folder(self) -> None:
        start = self.folder.text().strip() or os.path.expanduser("~")
        dialog = QFileDialog(self, self.tr("Working folder"), start)
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(self._take_folder)
        dialog.open()

    def _take_folder(self, path: str) -> None:
        self.folder.setText(path)
        self._edited("cwd")

    def _show_more(self, shown: bool) -> None:
        self._more.setArrowType(Qt.ArrowType.DownArrow if shown else Qt.ArrowType.RightArrow)
        self._extra.setVisible(shown)
        if shown:
            # once the layout has given it its place
            QTimer.singleShot(0, self._extra, lambda: self._scroll.ensureWidgetVisible(self._extra))

    # --- saving ------------------------------------------------------------------------------------------------------

    def _accept(self) -> None:
        problems = self.problems()
        if problems or self._saving:
            self._touched |= set(problems)
            self._judge()
            return
        self._saving = True
        self._judge()
        self._save(self.entered(), None if self._routine is None else self._routine.revision)

    def refuse(self, reason: str, field: str | None = None) -> None:
        """The engine refused what was sent: say it at its field when it has one, else above the form."""
        self._saving = False
        self._judge()
        text = draft.reason(reason)
        if field is not None and field in self.fields:
            self.fields[field].refuse(text)
        self.banner.setText(self.tr("Not saved: {reason}").format(reason=text))
        self.banner.show()
