"""Marks for what clock changes do to a slot: their shapes differ, so that no colour is needed to tell them apart."""

from __future__ import annotations

from functools import lru_cache

from coven_desktop.qt.core import QPointF, QRectF, Qt
from coven_desktop.qt.gui import QColor, QGuiApplication, QIcon, QPainter, QPalette, QPen, QPixmap
from coven_desktop.ui import tones
from coven_desktop.ui.texts import Tone


def mark(kind: str, palette: QPalette) -> QIcon:
    """Skipped: a ring struck through. Repeated: a ring that turns back. Moved: an arrow. Last: an arrow to a bar."""
    shade = tones.colour(Tone.ASKS, palette).name()
    chosen = palette.color(QPalette.ColorRole.HighlightedText).name()
    return _mark(kind, shade, chosen, QGuiApplication.primaryScreen().devicePixelRatio())


@lru_cache(maxsize=32)
def _mark(kind: str, shade: str, chosen: str, ratio: float) -> QIcon:
    icon = QIcon()
    icon.addPixmap(_pixmap(kind, shade, ratio), QIcon.Mode.Normal)
    icon.addPixmap(_pixmap(kind, chosen, ratio), QIcon.Mode.Selected)
    return icon


def _pixmap(kind: str, shade: str, ratio: float) -> QPixmap:
    side = 16
    pixmap = QPixmap(round(side * ratio), round(side * ratio))
    pixmap.setDevicePixelRatio(ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    _draw(painter, kind, QColor(shade))
    painter.end()
    return pixmap


def _draw(painter: QPainter, kind: str, shade: QColor) -> None:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    pen = QPen(shade, 1.8)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    painter.setPen(pen)
    ring = QRectF(3, 3, 10, 10)
    if kind == "skipped":
        painter.drawEllipse(ring)
        painter.drawLine(QPointF(4.5, 11.5), QPointF(11.5, 4.5))
    elif kind == "repeated":
        # from one o'clock the long way round to eleven, with a head (angles are sixteenths of a degree)
        painter.drawArc(ring, 60 * 16, -300 * 16)
        painter.drawPolyline([QPointF(5.6, 1.2), QPointF(5.5, 3.7), QPointF(8.0, 4.6)])
    else:
        painter.drawLine(QPointF(2.5, 8), QPointF(11, 8))
        painter.drawPolyline([QPointF(8, 4.8), QPointF(11.2, 8), QPointF(8, 11.2)])
        if kind == "last":
            painter.drawLine(QPointF(13.5, 3.5), QPointF(13.5, 12.5))
