"""What stands around the fields of the routine's form: the two sides, below them why Save is off, and the buttons."""

from __future__ import annotations

from coven_desktop.qt.core import QCoreApplication, QEvent, Qt
from coven_desktop.qt.widgets import QDialogButtonBox, QLabel, QPushButton, QSplitter, QWidget
from coven_desktop.schedule.families import Kind


def _say(text: str) -> str:
    return QCoreApplication.translate("RoutineForm", text)


def side_by_side(inputs: QWidget, preview: QWidget, changes: QWidget, parent: QWidget) -> QSplitter:
    """The fields on the left; on the right what they mean, and below that what they change."""
    right = QSplitter(Qt.Orientation.Vertical, parent)
    right.addWidget(preview)
    right.addWidget(changes)
    right.setChildrenCollapsible(False)
    right.setStretchFactor(0, 3)
    right.setStretchFactor(1, 2)
    right.setContentsMargins(14, 10, 4, 0)
    both = QSplitter(Qt.Orientation.Horizontal, parent)
    both.addWidget(inputs)
    both.addWidget(right)
    both.setChildrenCollapsible(False)
    both.setStretchFactor(0, 5)
    both.setStretchFactor(1, 4)
    both.setSizes([580, 440])
    return both


def why_line(parent: QWidget) -> QLabel:
    """The line that says why Save is off, with a link to the field."""
    why = QLabel(parent)
    why.setWordWrap(True)
    why.setTextFormat(Qt.TextFormat.RichText)
    why.setAccessibleName(_say("Why Save is off"))
    why.setTextInteractionFlags(
        Qt.TextInteractionFlag.LinksAccessibleByMouse | Qt.TextInteractionFlag.LinksAccessibleByKeyboard
    )
    return why


class _NoDefault(QDialogButtonBox):
    """When it is shown Qt makes the first button that accepts the default one, if there is none."""

    def event(self, event: QEvent) -> bool:
        """See `QWidget`."""
        done = super().event(event)
        if event.type() == QEvent.Type.Show:
            for button in self.buttons():
                if isinstance(button, QPushButton):
                    button.setDefault(False)
        return done


def buttons(parent: QWidget) -> tuple[QDialogButtonBox, QPushButton]:
    """Save and Cancel, neither of them a default: Enter in a field saves nothing. And Save alone."""
    box = _NoDefault(parent)
    save = box.addButton(_say("&Save"), QDialogButtonBox.ButtonRole.AcceptRole)
    save.setToolTip(_say("Save (Ctrl+S)"))
    cancel = box.addButton(_say("Cancel"), QDialogButtonBox.ButtonRole.RejectRole)
    for button in (save, cancel):
        button.setAutoDefault(False)
        button.setDefault(False)
    return box, save


def families(*, ours: bool) -> tuple[tuple[Kind, ...], str]:
    """Of what families an edited routine may become, and why of no other.

    What came as a Coven rule stays one, for the programs that know it as such; and none becomes one.
    """
    if ours:
        why = _say("Its history is not that of a Coven rule. Duplicate it, and make the copy one.")
        return ("cadence", "cron"), why
    return ("rrule",), _say("Other programs know this routine by its Coven rule. Duplicate it, and change the copy.")
