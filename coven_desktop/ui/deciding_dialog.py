"""What all dialogs about a run or a routine share: no default button, and a refusal that is said in its place.

None of them is modal: the output and the tables stay in reach while the person makes up their mind. They follow what
changes meanwhile, and what was typed stays until the engine has taken it.
"""

from __future__ import annotations

from collections.abc import Callable

from coven_desktop.qt.core import Qt
from coven_desktop.qt.gui import QPalette
from coven_desktop.qt.widgets import QLabel, QPushButton, QSizePolicy, QWidget
from coven_desktop.ui import announcing, tones
from coven_desktop.ui.acts import Acts, Then
from coven_desktop.ui.bounded import BoundedDialog
from coven_desktop.ui.plain import tip
from coven_desktop.ui.texts import Tone

WIDTH = 620


class DecidingDialog(BoundedDialog):
    """A heading, what subclasses add to `column`, a line for what went wrong or changed, and buttons."""

    def __init__(self, acts: Acts, title: str, heading: str, parent: QWidget | None = None) -> None:
        super().__init__(self.tr("What is known, and what follows"), WIDTH, parent=parent)
        self._acts = acts
        self._title = title
        self._asked = False
        self._gone = False
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(title)
        self.heading = QLabel(heading, self)
        self.heading.setWordWrap(True)
        self.heading.setSizePolicy(_as_high_as_its_text())
        font = self.heading.font()
        font.setPointSizeF(font.pointSizeF() * 1.15)
        font.setBold(True)
        self.heading.setFont(font)
        self.message = QLabel(self)
        self.message.setWordWrap(True)
        self.message.setTextFormat(Qt.TextFormat.PlainText)
        self.message.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.message.setAccessibleName(self.tr("Message"))
        self.message.hide()
        self.column.addWidget(self.heading)

    def paragraph(self, name: str, text: str = "") -> QLabel:
        """Text that wraps, can be selected, and has a name for those who do not see it."""
        label = QLabel(text, self)
        label.setWordWrap(True)
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setAccessibleName(name)
        label.setSizePolicy(_as_high_as_its_text())
        label.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        return label

    def caption(self, text: str, of: QWidget) -> QLabel:
        """A quiet line above something."""
        label = QLabel(text, self)
        label.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        label.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        label.setBuddy(of)
        return label

    def finish(self, *buttons: QPushButton, over: QWidget | None = None) -> None:
        """See `BoundedDialog`; the message stands above the buttons."""
        super().finish(*buttons, over=over or self.message)

    def act(self, does: Callable[[Then], None]) -> None:
        """Ask the engine; the dialog closes when it has done it, and says why when it has not."""
        if self._asked:
            return
        self._asked = True
        self.say("")
        self.restate()
        does(self._answered)

    def _answered(self, reason: str) -> None:
        self._asked = False
        if self._gone:
            if reason:
                self._acts.refused.emit(self._title, reason)
        elif reason:
            self.say(reason, Tone.BAD)
            self.restate()
        else:
            self.accept()

    @property
    def asked(self) -> bool:
        """Whether an answer of the engine is awaited: everything that would ask again is off."""
        return self._asked

    def restate(self) -> None:
        """Say everything anew: what is open may have changed."""

    def say(self, text: str, tone: Tone = Tone.PLAIN) -> None:
        """Show a sentence above the buttons, or nothing."""
        if text == self.message.text() and bool(text) != self.message.isHidden():
            return
        self.message.setText(text)
        self.message.setVisible(bool(text))
        palette = self.message.palette()
        palette.setColor(QPalette.ColorRole.WindowText, tones.colour(tone, self.palette()))
        self.message.setPalette(palette)
        announcing.announce(self.message, text)

    def done(self, result: int) -> None:
        """See `QDialog`; an answer that comes later changes nothing here."""
        self._gone = True
        super().done(result)


def _as_high_as_its_text() -> QSizePolicy:
    """What room is left over goes elsewhere; wrapped text is as high as it is at its width."""
    policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
    policy.setHeightForWidth(True)
    return policy


def step_button(text: str, why_off: str, button: QPushButton) -> None:
    """Let a button say what it does, or be off with the reason in its tooltip."""
    button.setText(text)
    button.setEnabled(not why_off)
    button.setToolTip(tip(why_off))
