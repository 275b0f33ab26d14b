"""Colours that carry a tone, readable on light and dark palettes, and the pictures made of them."""

from __future__ import annotations

from functools import lru_cache

from coven_desktop.qt.core import QPointF, QRectF, Qt
from coven_desktop.qt.gui import QColor, QGuiApplication, QIcon, QPainter, QPalette, QPen, QPixmap
from coven_desktop.ui.texts import Tone

# (on a light ground, on a dark one); contrast against the palette's base is at least 4.5 : 1
_COLOURS = {
    Tone.QUIET: ("#6b7280", "#9ca3af"),
    Tone.PLAIN: ("#4b5563", "#d1d5db"),
    Tone.BUSY: ("#1d4ed8", "#93c5fd"),
    Tone.GOOD: ("#15803d", "#86efac"),
    Tone.BAD: ("#b91c1c", "#fca5a5"),
    Tone.ASKS: ("#b45309", "#fbbf24"),
}


def is_dark(palette: QPalette) -> bool:
    """Whether the palette is light text on a dark ground."""
    return palette.color(QPalette.ColorRole.Base).lightness() < 128


def colour(tone: Tone, palette: QPalette) -> QColor:
    """The colour of a tone on this palette."""
    return QColor(_COLOURS[tone][1 if is_dark(palette) else 0])


def mark(tone: Tone, palette: QPalette) -> QIcon:
    """A small mark for a state: its shape differs as well as its colour."""
    chosen = palette.color(QPalette.ColorRole.HighlightedText).name()
    return _mark(tone, is_dark(palette), chosen, QGuiApplication.primaryScreen().devicePixelRatio())


@lru_cache(maxsize=64)
def _mark(tone: Tone, dark: bool, chosen: str, ratio: float) -> QIcon:
    icon = QIcon()
    icon.addPixmap(_pixmap(tone, _COLOURS[tone][1 if dark else 0], ratio), QIcon.Mode.Normal)
    icon.addPixmap(_pixmap(tone, chosen, ratio), QIcon.Mode.Selected)
    return icon


def _pixmap(tone: Tone, shade: str, ratio: float) -> QPixmap:
    side = 16
    pixmap = QPixmap(round(side * ratio), round(side * ratio))
    pixmap.setDevicePixelRatio(ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    draw_mark(painter, QRectF(0, 0, side, side), tone, QColor(shade))
    painter.end()
    return pixmap


def draw_mark(painter: QPainter, box: QRectF, tone: Tone, shade: QColor) -> None:
    """Good: a tick. Bad: a cross. Asks: an exclamation. Busy: a full dot. Plain: a ring. Quiet: a bar."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    middle, unit = box.center(), min(box.width(), box.height()) / 16
    pen = QPen(shade, 2 * unit)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)

    def at(x: float, y: float) -> QPointF:
        return QPointF(middle.x() + x * unit, middle.y() + y * unit)

    if tone is Tone.GOOD:
        painter.drawPolyline([at(-4, 0.4), at(-1.2, 3.2), at(4, -3)])
    elif tone is Tone.BAD:
        painter.drawLine(at(-3, -3), at(3, 3))
        painter.drawLine(at(3, -3), at(-3, 3))
    elif tone is Tone.ASKS:
        painter.drawLine(at(0, -4.5), at(0, 0.8))
        painter.drawPoint(at(0, 4.2))
    elif tone is Tone.BUSY:
        painter.setBrush(shade)
        painter.drawEllipse(at(0, 0), 3 * unit, 3 * unit)
    elif tone is Tone.PLAIN:
        painter.drawEllipse(at(0, 0), 3 * unit, 3 * unit)
    else:
        painter.drawLine(at(-3, 0), at(3, 0))
