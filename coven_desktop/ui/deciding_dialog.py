"""What all dialogs about a run or a routine share: no default button, and a refusal that is said in its place.

None of them is modal: the output and the tables stay in reach while the person makes up their mind. They follow what
changes meanwhile, and what was typed stays until the engine has taken it.
"""

from __future__ import annotations

from collections.abc import Callable

from coven_desktop.qt.core import Qt
from coven_desktop.qt.gui import QPalette
from coven_desktop.qt.widgets import QDialog, QHBoxLayout, QLabel, QPushButton, QSizePolicy, QVBoxLayout, QWidget
from coven_desktop.ui import announcing, tones
from coven_desktop.ui.acts import Acts, Then
from coven_desktop.ui.plain import tip
from coven_desktop.ui.scrolled import Scrolled
from coven_desktop.ui.texts import Tone

WIDTH = 620
# What the window manager puts around a window: its title and its edges, in pixels at 100 %.
_FRAME = 40


class DecidingDialog(QDialog):
    """A heading, what subclasses add to `column`, a line for what went wrong or changed, and buttons."""

    def __init__(self, acts: Acts, title: str, heading: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
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
        self.body = Scrolled(self.tr("What is known, and what follows"), self)
        self.column = self.body.column
        self.column.addWidget(self.heading)
        self.body.grown.connect(self._fit)
        self.setMinimumWidth(WIDTH)

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

    def finish(self, *buttons: QPushButton) -> None:
        """Put the message and the buttons below; the last one is the safe one, which has the focus first."""
        line = QHBoxLayout()
        line.addStretch(1)
        for button in buttons:
            button.setAutoDefault(False)
            line.addWidget(button)
        below = QVBoxLayout()
        below.setContentsMargins(18, 0, 18, 14)
        below.setSpacing(12)
        below.addWidget(self.message)
        below.addLayout(line)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(12)
        whole.addWidget(self.body, 1)
        whole.addLayout(below)
        buttons[-1].setFocus()

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

    def setVisible(self, visible: bool) -> None:
        """See `QWidget`; it opens as high as what it says, or as the screen."""
        if visible and not self.isVisible():
            self._fit()
        super().setVisible(visible)

    def _fit(self) -> None:
        """Make room for all it says, as far as the screen has it: the rest is scrolled, the buttons stay in sight."""
        width = max(self.width() if self.isVisible() else 0, WIDTH)
        screen = self.screen().availableGeometry()
        layout = self.layout()
        if layout is None:
            return
        wanted = layout.minimumHeightForWidth(width) if layout.hasHeightForWidth() else layout.minimumSize().height()
        wanted += self.body.wanted(width) - self.body.minimumSizeHint().height()
        height = min(wanted, screen.height() - _FRAME)
        if not self.isVisible():
            self.resize(width, height)
        elif height > self.height():
            self.resize(self.width(), height)
            beyond = self.frameGeometry().bottom() - screen.bottom()
            if beyond > 0:
                self.move(self.x(), max(screen.top(), self.y() - beyond))

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
