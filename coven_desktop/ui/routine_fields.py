"""The left side of the form: a routine's fields, each with its label and what is to be said about it.

It shows a definition and gives back what the person made of it. A member that was not touched comes back as it was,
also where a control cannot show it as it is written.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from coven_desktop.contract import definition, routine
from coven_desktop.qt.core import Qt, QTimer, Signal
from coven_desktop.qt.widgets import (
    QCheckBox,
    QFileDialog,
    QFormLayout,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QSpinBox,
    QToolButton,
    QWidget,
)
from coven_desktop.ui.delivery_editor import DeliveryEditor
from coven_desktop.ui.doors import RuntimeChoice
from coven_desktop.ui.environment_editor import EnvironmentEditor, SecretsPicker
from coven_desktop.ui.family import document_of
from coven_desktop.ui.field import Field
from coven_desktop.ui.prompt_edit import PromptEdit
from coven_desktop.ui.retry_editor import RetryEditor
from coven_desktop.ui.runtime_picker import RuntimePicker
from coven_desktop.ui.schedule_editor import ScheduleEditor
from coven_desktop.ui.times import Times
from coven_desktop.ui.wheel import WheelGuard
from coven_desktop.ui.zone_picker import ZonePicker

# Folded away until they are wanted, or have something to say.
MORE = ("model", "tags", "environment", "secrets", "retry", "id")
# No control changes these; they go with the definition as they are.
_KEPT = ("familiarId",)
_KEPT_OF_OURS = (*_KEPT, "secrets")


class RoutineFields(QScrollArea):
    """See the file's docstring. `edited` names the field that the person changed."""

    edited = Signal(str)

    def __init__(
        self,
        times: Times,
        choices: Sequence[RuntimeChoice],
        *,
        failures: int,
        id_is_fixed: bool,
        parent: QWidget | None = None,
    ) -> None:
        """`failures`: so many runs in a row that fail pause a cron routine, 0: never."""
        super().__init__(parent)
        self._times = times
        self._failures = failures
        self._shown: dict[str, Any] = {}
        self._page = QWidget(self)
        self.fields: dict[str, Field] = {}
        self._labels: dict[str, QLabel] = {}
        self._make_upper(choices)
        self._make_more(id_is_fixed)
        self._lay_out()
        self._connect()

    # --- building, in the order in which the Tab key walks ------------------------------------------------------------

    def _make_upper(self, choices: Sequence[RuntimeChoice]) -> None:
        page = self._page
        self.name = QLineEdit(page)
        self.name.setPlaceholderText(self.tr("Daily notes"))
        self._add("name", self.tr("&Name"), self.tr("Name"), self.name)
        self.active = QCheckBox(self.tr("Acti&ve: runs on its schedule"), page)
        self.schedule = ScheduleEditor(self._times, self._failures, page)
        self._add("schedule", self.tr("Sche&dule"), self.tr("Schedule"), self.schedule)
        self.zone = ZonePicker(self._times, page)
        self._add("timezone", self.tr("Time &zone"), self.tr("Time zone"), self.zone)
        self.runtime = RuntimePicker(choices, page)
        self._add("runtime", self.tr("&Runtime"), self.tr("Runtime"), self.runtime)
        folder = QWidget(page)
        self.folder = QLineEdit(folder)
        self.folder.setAccessibleName(self.tr("Working folder"))
        self.folder.setWhatsThis(self.tr("The folder in which the command starts. It must be there when a run begins."))
        self.choose_folder = QPushButton(self.tr("Choose…"), folder)
        self.choose_folder.setAutoDefault(False)
        self.choose_folder.setAccessibleName(self.tr("Choose the working folder"))
        line = QHBoxLayout(folder)
        line.setContentsMargins(0, 0, 0, 0)
        line.addWidget(self.folder, 1)
        line.addWidget(self.choose_folder)
        folder.setFocusProxy(self.folder)
        self._add("cwd", self.tr("&Working folder"), self.tr("Working folder"), folder)
        self.prompt = PromptEdit(page)
        self.prompt.setTabChangesFocus(True)
        self.prompt.setMinimumHeight(110)
        self.prompt.setWhatsThis(self.tr("What the command is given to do. For the runtime “shell” it is a script."))
        self._add("prompt", self.tr("&Prompt"), self.tr("Prompt"), self.prompt)
        self.timeout = QSpinBox(page)
        self.timeout.setRange(1, definition.TIMEOUT_MINUTES_LIMIT)
        self.timeout.setSuffix(self.tr(" minutes"))
        self.timeout.setMaximumWidth(170)
        hint = self.tr("A run that takes longer is stopped.")
        self._add("timeoutMinutes", self.tr("Stop &after"), self.tr("Stop after"), self.timeout, hint)
        self.delivery = DeliveryEditor(page)
        self._add("delivery", self.tr("&Output"), self.tr("Output"), self.delivery)

    def _make_more(self, id_is_fixed: bool) -> None:
        self.more = QToolButton(self._page)
        self.more.setText(self.tr("More: model, tags, environment, secrets, retry, id"))
        self.more.setCheckable(True)
        self.more.setAutoRaise(True)
        self.more.setArrowType(Qt.ArrowType.LeftArrow if self.isRightToLeft() else Qt.ArrowType.RightArrow)
        self.more.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.more.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.extra = QWidget(self._page)
        self.model = QLineEdit(self.extra)
        hint = self.tr("Empty: the runtime's own choice.")
        self._add("model", self.tr("&Model"), self.tr("Model"), self.model, hint)
        self.tags = QLineEdit(self.extra)
        self._add("tags", self.tr("&Tags"), self.tr("Tags"), self.tags, self.tr("Separated by commas."))
        self.environment = EnvironmentEditor(self.extra)
        hint = self.tr("One variable a line: NAME=value.")
        self._add("environment", self.tr("&Environment"), self.tr("Environment"), self.environment, hint)
        self.secrets = SecretsPicker(self.extra)
        self._add("secrets", self.tr("Se&crets"), self.tr("Secrets"), self.secrets)
        self.retry = RetryEditor(self.extra)
        self._add("retry", self.tr("Tr&y again"), self.tr("Try again"), self.retry)
        self.id = QLineEdit(self.extra)
        self.id.setReadOnly(id_is_fixed)
        hint = self.tr("The name in the socket API; it never changes.")
        self._add("id", self.tr("&Id"), self.tr("Id"), self.id, hint)
        self.kept = QLabel(self.extra)
        self.kept.setWordWrap(True)
        self.kept.hide()
        self.extra.hide()

    def _add(self, name: str, label: str, spoken: str, control: QWidget, hint: str = "") -> None:
        self.fields[name] = Field(control, spoken, hint=hint, parent=control.parentWidget())
        made = self._labels[name] = QLabel(label, control.parentWidget())
        made.setBuddy(control)

    def _lay_out(self) -> None:
        width = max(label.sizeHint().width() for label in self._labels.values())
        for label in self._labels.values():
            label.setMinimumWidth(width)
            label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop)
            label.setContentsMargins(0, 5, 0, 0)
        form, extra = self._form(self._page), self._form(self.extra)
        self._main = form
        extra.setContentsMargins(0, 0, 0, 0)
        for name, field in self.fields.items():
            (extra if name in MORE else form).addRow(self._labels[name], field)
            if name == "name":
                form.addRow("", self.active)
        extra.addRow("", self.kept)
        form.addRow("", self.more)
        form.addRow(self.extra)
        self.setWidget(self._page)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        # where letters are large, what cannot become narrower would be cut off at the side
        edge = self.verticalScrollBar().sizeHint().width()
        self.setMinimumWidth(max(520, self._page.minimumSizeHint().width() + edge))
        WheelGuard(self).keep(self._page)

    def _form(self, page: QWidget) -> QFormLayout:
        form = QFormLayout(page)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        form.setLabelAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop)
        form.setVerticalSpacing(12)
        form.setHorizontalSpacing(12)
        return form

    def _connect(self) -> None:
        self.schedule.changed.connect(self._show_what_matters)
        for name, signal in (
            ("name", self.name.textEdited),
            ("status", self.active.toggled),
            ("schedule", self.schedule.changed),
            ("timezone", self.zone.editTextChanged),
            ("runtime", self.runtime.changed),
            ("cwd", self.folder.textEdited),
            ("prompt", self.prompt.textChanged),
            ("timeoutMinutes", self.timeout.valueChanged),
            ("delivery", self.delivery.changed),
            ("model", self.model.textEdited),
            ("tags", self.tags.textEdited),
            ("environment", self.environment.textChanged),
            ("secrets", self.secrets.changed),
            ("retry", self.retry.changed),
            ("id", self.id.textEdited),
        ):
            signal.connect(lambda *_, name=name: self.edited.emit(name))
        for name, take in (
            ("schedule", self.schedule.take),
            ("delivery", self.delivery.take),
            ("timezone", self.zone.setEditText),
            ("cwd", self.take_folder),
            ("id", self.take_id),
            ("runtime", self.runtime.set_name),
        ):
            self.fields[name].taken.connect(take)
        self.choose_folder.clicked.connect(self._choose_folder)
        self.more.toggled.connect(self._show_more)

    # --- a definition in, a definition out ----------------------------------------------------------------------------

    def show_body(self, body: Mapping[str, Any], automation_id: str) -> None:
        """Show a definition; what is missing shows as a new routine begins."""
        self.fill(body, automation_id)
        self._shown = self._read()

    def fill(self, body: Mapping[str, Any], automation_id: str) -> None:
        """Put in what the person wants of the definition that was shown."""
        self.blockSignals(True)
        self.name.setText(_text(body, "name"))
        self.active.setChecked(body.get("status", "ACTIVE") == "ACTIVE")
        self.schedule.show_body(body)
        delivery = body.get("delivery")
        self.delivery.show_value(delivery if isinstance(delivery, Mapping) else None)
        self._show_what_matters()
        self.zone.setEditText(_text(document_of(body), "timezone") or self._times.zone_name or "utc")
        self.runtime.set_name(_text(body, "runtime") or self.runtime.first_found())
        self.folder.setText(_text(body, "cwd") or ("" if body else os.path.expanduser("~")))
        self.prompt.setPlainText(_text(body, "prompt"))
        minutes = body.get("timeoutMinutes")
        self.timeout.setValue(minutes if isinstance(minutes, int) else 30)
        self.model.setText(_text(body, "model"))
        tags = body.get("tags")
        self.tags.setText(", ".join(map(str, tags)) if isinstance(tags, list | tuple) else "")
        retry = body.get("retry")
        self.retry.show_policy(retry if isinstance(retry, Mapping) else None)
        self.id.setText(automation_id)
        self.blockSignals(False)

    def entered(self, base: Mapping[str, Any]) -> dict[str, Any]:
        """The definition as it stands in the form, good or not; `base` is the one that was shown."""
        contracts = self.schedule.kind == "rrule"
        kept = _KEPT if contracts else _KEPT_OF_OURS
        body: dict[str, Any] = {name: base[name] for name in kept if name in base}
        body |= (
            {"schemaVersion": 1, "misfire": "latest", "overlap": "forbid"}
            if contracts
            else {"schemaVersion": routine.SCHEMA_VERSION}
        )
        for name, value in self._read().items():
            if name in base and value == self._shown.get(name):
                value = base[name]
            if value is not None:
                body[name] = value
        return body

    def _read(self) -> dict[str, Any]:
        tags = [tag.strip() for tag in self.tags.text().split(",") if tag.strip()]
        return {
            "id": self.id.text(),
            "name": self.name.text(),
            "status": "ACTIVE" if self.active.isChecked() else "PAUSED",
            **self.schedule.members(self.zone.name()),
            "runtime": self.runtime.name(),
            "cwd": self.folder.text().strip() or None,
            "prompt": self.prompt.toPlainText(),
            "timeoutMinutes": self.timeout.value(),
            "delivery": None if self.schedule.kind == "rrule" else self.delivery.value(),
            "model": self.model.text().strip() or None,
            "tags": tags or None,
            "retry": self.retry.policy(),
        }

    def show_beside(self, environment: Mapping[str, str], secrets: Sequence[str], known: Sequence[str]) -> None:
        """Show what stands beside the definition; `known` are names of secrets to choose from."""
        self.blockSignals(True)
        self.environment.show_variables(environment)
        self.secrets.show_names(secrets, known)
        self.blockSignals(False)

    def beside(self) -> dict[str, Any]:
        """What stands beside the definition as it is entered. Raises SettingsError when it cannot be read."""
        return {"environment": self.environment.variables(), "secrets": list(self.secrets.names())}

    def secrets_hint(self) -> str:
        """What is good to know of the secrets."""
        if not self.secrets.count():
            return self.tr("No secret is kept yet. Secrets are kept in Settings and chosen here by name.")
        return self.tr("Each reaches the command as an environment variable of its name.")

    def say_kept(self, names: str) -> None:
        """Name what the routine holds that no field shows, and that saving keeps."""
        self.kept.setText(self.tr("This routine also holds, kept as it is: {names}.").format(names=names))
        self.kept.setVisible(bool(names))

    # --- the person's hand --------------------------------------------------------------------------------------------

    def go_to(self, name: str) -> None:
        """Bring a field into view and put the focus there."""
        field = self.fields.get(name)
        if field is None:
            return
        if name in MORE:
            self.more.setChecked(True)
        field.control.setFocus(Qt.FocusReason.OtherFocusReason)
        QTimer.singleShot(0, field, lambda: self.ensureWidgetVisible(field))

    def take_folder(self, path: str) -> None:
        """Take a folder as if it had been typed."""
        self.folder.setText(path)
        self.edited.emit("cwd")

    def take_id(self, text: str) -> None:
        """Take an id as if it had been typed."""
        self.id.setText(text)
        self.edited.emit("id")

    def _choose_folder(self) -> None:
        start = self.folder.text().strip() or os.path.expanduser("~")
        dialog = QFileDialog(self, self.tr("Working folder"), start)
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(self.take_folder)
        dialog.open()

    def _show_what_matters(self) -> None:
        """Runs of a Coven rule deliver nowhere: the contract has no word for it."""
        self._main.setRowVisible(self.fields["delivery"], self.schedule.kind != "rrule")

    def _show_more(self, shown: bool) -> None:
        closed = Qt.ArrowType.LeftArrow if self.isRightToLeft() else Qt.ArrowType.RightArrow
        self.more.setArrowType(Qt.ArrowType.DownArrow if shown else closed)
        self.extra.setVisible(shown)
        if shown:
            # once the layout has given it its place
            QTimer.singleShot(0, self.extra, lambda: self.ensureWidgetVisible(self.extra))


def _text(body: Mapping[str, Any], name: str) -> str:
    value = body.get(name)
    return value if isinstance(value, str) else ""
