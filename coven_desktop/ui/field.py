"""A control with what is to be said about it underneath: a hint, a warning, or a refusal with its suggestion."""

from __future__ import annotations

from coven_desktop.qt.core import QEvent, Qt, Signal
from coven_desktop.qt.gui import QFocusEvent, QPalette
from coven_desktop.qt.widgets import QComboBox, QLabel, QPushButton, QVBoxLayout, QWidget
from coven_desktop.ui import tones
from coven_desktop.ui.plain import tip
from coven_desktop.ui.texts import Tone


class Field(QWidget):
    """`control` with a line of text below. `taken` is emitted with the suggestion when the person takes it."""

    taken = Signal(str)

    def __init__(self, control: QWidget, name: str, *, hint: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.control = control
        self._hint = hint
        self._tone = Tone.QUIET
        self._suggestion: str | None = None
        control.setAccessibleName(name)
        self._text = QLabel(self)
        self._text.setWordWrap(True)
        self._text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        font = self._text.font()
        font.setPointSizeF(font.pointSizeF() * 0.92)
        self._text.setFont(font)
        self._use = QPushButton(self)
        self._use.setAccessibleName(self.tr("Use the suggestion"))
        self._use.setAutoDefault(False)
        self._use.hide()
        self._use.clicked.connect(lambda: self.taken.emit(self._suggestion or ""))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addWidget(control)
        # below each other: a long suggestion beside it would leave the text no room
        column.addWidget(self._text)
        column.addWidget(self._use, 0, Qt.AlignmentFlag.AlignLeading)
        self.calm()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The control has it. Focus proxies of which one is another's keep Tab between them for ever."""
        self.control.setFocus(event.reason())

    @property
    def message(self) -> str:
        """What stands under the control."""
        return self._text.text()

    def calm(self, text: str = "") -> None:
        """Nothing is wrong: what is good to know, else the hint if there is one."""
        self._say(text or self._hint, Tone.QUIET, None)

    def warn(self, text: str) -> None:
        """Something the person should know; it can be saved all the same."""
        self._say(text, Tone.ASKS, None)

    def refuse(self, text: str, suggestion: str | None = None) -> None:
        """Why this cannot be saved, and what was probably meant."""
        self._say(text, Tone.BAD, suggestion)

    def _say(self, text: str, tone: Tone, suggestion: str | None) -> None:
        self._tone, self._suggestion = tone, suggestion
        self._text.setText(text)
        self._text.setVisible(bool(text))
        self._paint()
        self._use.setVisible(suggestion is not None)
        if suggestion is not None:
            shown = suggestion if len(suggestion) <= 40 else suggestion[:39] + "…"
            self._use.setText(self.tr("Use {suggestion}").format(suggestion=shown.replace("&", "&&")))
            self._use.setToolTip(tip(suggestion))
            self._use.setAccessibleName(self.tr("Use {suggestion}").format(suggestion=suggestion))
        # a screen reader hears it with what has the focus
        spoken = self.control
        while (inner := getattr(spoken, "focus_goes_to", None) or spoken.focusProxy()) is not None:
            spoken = inner
        for widget in (self.control, spoken):
            # a box is called after what is chosen in it: what it is, the description has to say (Qt on Linux)
            named = widget.accessibleName() if isinstance(widget, QComboBox) else ""
            widget.setAccessibleDescription(". ".join(part for part in (named, text) if part))

    def _paint(self) -> None:
        palette = self._text.palette()
        palette.setColor(QPalette.ColorRole.WindowText, tones.colour(self._tone, self.palette()))
        self._text.setPalette(palette)

    def changeEvent(self, event: QEvent) -> None:
        """A new palette: the text keeps its tone in it."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._paint()
