"""Windows that are never larger than the screen: what does not fit is scrolled, and the buttons stay in sight.

At twice the size of everything a screen of 1280 × 800 has 640 × 400 left.
"""

from __future__ import annotations

from coven_desktop.qt.core import QRect, QSize, Qt
from coven_desktop.qt.widgets import QDialog, QFrame, QHBoxLayout, QPushButton, QScrollArea, QVBoxLayout, QWidget
from coven_desktop.ui.scrolled import Scrolled

# What the window manager puts around a window: its edges, and its title, in pixels at 100 %.
_EDGES, _FRAME = 8, 40
# Less than this of something is of no use.
_LEAST = 120


def screen_of(window: QWidget) -> QRect:
    """What a window may cover of the screen that it is on."""
    return window.screen().availableGeometry()


def room_for(window: QWidget, width: int, height: int) -> QSize:
    """This size, or as much of it as the window's screen has."""
    screen = screen_of(window)
    return QSize(min(width, screen.width() - _EDGES), min(height, screen.height() - _FRAME))


class Roomy(QScrollArea):
    """Shows a widget as it is, and lets it be scrolled both ways where the window has less room than it needs."""

    def __init__(self, inside: QWidget, parent: QWidget) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidget(inside)

    def minimumSizeHint(self) -> QSize:
        """See `QWidget`."""
        return QSize(_LEAST, _LEAST)


class BoundedDialog(QDialog):
    """What is added to `column` is scrolled when the screen is too low for it; `finish` puts the buttons below.

    It opens `wide` pixels wide, and as high as what it shows, or as `high` where that is more.
    """

    def __init__(self, name: str, wide: int, high: int = 0, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._wide = wide
        self._high = high
        self.body = Scrolled(name, self)
        self.column = self.body.column
        self.body.grown.connect(self._fit)
        self.setMinimumWidth(min(wide, room_for(self, wide, 0).width()))

    def finish(self, *buttons: QPushButton, over: QWidget | None = None) -> None:
        """Put the buttons below, and above them `over`; the last one is the safe one, which has the focus first."""
        line = QHBoxLayout()
        line.addStretch(1)
        for button in buttons:
            button.setAutoDefault(False)
            line.addWidget(button)
        foot = QWidget(self)
        below = QVBoxLayout(foot)
        below.setContentsMargins(0, 0, 0, 0)
        below.setSpacing(12)
        if over is not None:
            below.addWidget(over)
        below.addLayout(line)
        self.stand_on(foot)
        buttons[-1].setFocus()

    def stand_on(self, foot: QWidget) -> None:
        """Put this below what is scrolled: the buttons."""
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(12)
        whole.addWidget(self.body, 1)
        below = QVBoxLayout()
        below.setContentsMargins(18, 0, 18, 14)
        below.addWidget(foot)
        whole.addLayout(below)

    def setVisible(self, visible: bool) -> None:
        """See `QWidget`; it opens as high as what it says, or as the screen."""
        if visible and not self.isVisible():
            self._fit()
        super().setVisible(visible)

    def _fit(self) -> None:
        """Make room for all it says, as far as the screen has it: the rest is scrolled, the buttons stay in sight."""
        layout = self.layout()
        if layout is None:
            return
        width = max(self.width() if self.isVisible() else 0, room_for(self, self._wide, 0).width())
        wanted = layout.minimumHeightForWidth(width) if layout.hasHeightForWidth() else layout.minimumSize().height()
        wanted += self.body.wanted(width) - self.body.minimumSizeHint().height()
        height = room_for(self, 0, max(wanted, self._high)).height()
        if not self.isVisible():
            self.resize(width, height)
        elif height > self.height():
            self.resize(self.width(), height)
            screen = screen_of(self)
            beyond = self.frameGeometry().bottom() - screen.bottom()
            if beyond > 0:
                self.move(self.x(), max(screen.top(), self.y() - beyond))
