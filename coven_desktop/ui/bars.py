"""Bars over the foot of the page: a calm notice with one thing to do about it, and Undo. They move nothing."""

from __future__ import annotations

from collections.abc import Callable

from coven_desktop.qt.core import QCoreApplication, QEvent, QObject, QTimer
from coven_desktop.qt.widgets import QFrame, QHBoxLayout, QLabel, QPushButton, QToolButton, QVBoxLayout, QWidget
from coven_desktop.ui.acts import Acts

NOTICE_MS = 12_000
# How far the bars keep from the edges of the page.
_BESIDE = 10


class Bar(QFrame):
    """A line of text, a button that is called `name`, and a way to close it."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.setAutoFillBackground(True)
        self.text = QLabel(self)
        self.text.setWordWrap(True)
        self.button = QPushButton(self)
        self.button.setAccessibleName(name)
        self.close_button = QToolButton(self)
        self.close_button.setText("×")
        self.close_button.setAutoRaise(True)
        self.close_button.setAccessibleName(self.tr("Close"))
        self.close_button.setToolTip(self.tr("Close"))
        line = QHBoxLayout(self)
        line.setContentsMargins(10, 4, 6, 4)
        line.addWidget(self.text, 1)
        line.addWidget(self.button)
        line.addWidget(self.close_button)
        self.hide()


class BarStack(QWidget):
    """Lays bars over the foot of its parent, so that what stands there stays where it is when one comes or goes."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._over = parent
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(4)
        self._bars: list[Bar] = []
        parent.installEventFilter(self)
        self.hide()

    def add(self, bar: Bar) -> None:
        """One more, below the others."""
        self._column.addWidget(bar)
        self._bars.append(bar)
        bar.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The parent has another size, or a bar comes, goes or says something else."""
        kinds = QEvent.Type
        if watched is self._over:
            if event.type() == kinds.Resize:
                self._place()
        elif event.type() in (kinds.ShowToParent, kinds.HideToParent, kinds.LayoutRequest):
            self._place()
        return False

    def _place(self) -> None:
        parent = self._over
        wanted = any(not bar.isHidden() for bar in self._bars)
        self.setVisible(wanted)
        if not wanted:
            return
        width = parent.width() - 2 * _BESIDE
        layout = self._column
        height = layout.heightForWidth(width) if layout.hasHeightForWidth() else layout.sizeHint().height()
        self.setGeometry(_BESIDE, parent.height() - height - _BESIDE, width, height)
        self.raise_()


class NoticeBar(Bar):
    """Says one thing at a time; what is only good to know goes by itself."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(QCoreApplication.translate("Bars", "Do what the notice offers"), parent)
        self._does: Callable[[], None] | None = None
        self._about = ""
        self._going = QTimer(self)
        self._going.setSingleShot(True)
        self._going.setInterval(NOTICE_MS)
        self._going.timeout.connect(self.hide)
        self.button.clicked.connect(self._act)
        self.close_button.clicked.connect(self.hide)

    def say(
        self,
        text: str,
        step: str | None = None,
        does: Callable[[], None] | None = None,
        *,
        stays: bool = False,
        about: str = "",
    ) -> None:
        """Show a sentence, and a button unless `step` is None; without `stays` it goes after 12 s.

        `about` names what it is true of: whoever sees that it is true no more takes it back (`withdraw`).
        """
        self._about = about
        self.text.setText(text)
        self.button.setText(step or "")
        self.button.setAccessibleName(step or self.tr("Do what the notice offers"))
        self.button.setVisible(step is not None)
        self._does = does
        self._going.stop()
        if not stays:
            self._going.start()
        self.show()

    @property
    def about(self) -> str:
        """What the sentence that is shown is true of; empty when none is shown, or it named nothing."""
        return self._about if not self.isHidden() else ""

    def withdraw(self, about: str) -> None:
        """Take back what was said about this, if it is still shown."""
        if self.about == about:
            self.hide()

    def _act(self) -> None:
        self.hide()
        if self._does is not None:
            self._does()


class UndoBar(Bar):
    """Stands while a deletion can be undone; closing it sends what waits."""

    def __init__(self, acts: Acts, parent: QWidget | None = None) -> None:
        super().__init__(QCoreApplication.translate("Bars", "Undo"), parent)
        self._acts = acts
        self.button.setText(self.tr("Undo"))
        self.button.clicked.connect(acts.undo)
        self.close_button.clicked.connect(acts.send_deletions)
        acts.deletions_changed.connect(self._show)

    def _show(self) -> None:
        waiting = self._acts.deletions
        if not waiting:
            self.hide()
            return
        newest = waiting[-1].name
        if len(waiting) == 1:
            text = self.tr("“{name}” is deleted.").format(name=newest)
        else:
            text = self.tr("“{name}” and {count} more are deleted.").format(name=newest, count=len(waiting) - 1)
        if any(deletion.running for deletion in waiting):
            text += " " + self.tr("What is running goes on to its end.")
        self.text.setText(text)
        self.show()
