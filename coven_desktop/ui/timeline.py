"""The strip above the tables: what was due in the last 7 days and what will fire in the next 24 hours.

Drawn once into a picture and shown again until something changes. Every column can be pointed at and clicked; by
keyboard the arrow keys go from column to column and Enter opens it. The focused column is told to a screen reader.
"""

from __future__ import annotations

from dataclasses import dataclass

from coven_desktop.engine.overview import AHEAD_MS, HALF_MS, HOUR_MS, PAST_MS, Firing, Timeline
from coven_desktop.qt.core import QEvent, QPoint, QPointF, QRectF, QSize, Qt, Signal
from coven_desktop.qt.gui import (
    QAccessible,
    QAccessibleEvent,
    QColor,
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QPen,
    QPixmap,
)
from coven_desktop.qt.widgets import QSizePolicy, QToolTip, QWidget
from coven_desktop.ui import texts, tones
from coven_desktop.ui.plain import tip
from coven_desktop.ui.texts import Tone
from coven_desktop.ui.times import DAY, Times, clock_face, day

HEIGHT = 64
_LABELS = 16
_PAST_SHARE = 0.62
_MARGIN = 12
_NARROWEST = 5
# From the bottom of a column to its top: what is well first, what asks for the person last and on top.
_ORDER = (
    "succeeded",
    "superseded",
    "skipped",
    "cancelled",
    "planned",
    "claimed",
    "running",
    "failed",
    "held",
    "recovery_required",
)
_TALLEST = 24
_NAMES = 6


@dataclass(frozen=True)
class Column:
    """One column: the span of time it stands for, how many by state (empty for firings), and whom it leads to.

    `numbers` are occurrences, the one that matters most first; `firings` may count several times of a routine.
    """

    start: int
    end: int
    amounts: tuple[tuple[str, int], ...]
    numbers: tuple[int, ...]
    firings: tuple[Firing, ...]

    @property
    def amount(self) -> int:
        """How many there are."""
        return sum(amount for _, amount in self.amounts) + sum(firing.amount for firing in self.firings)


@dataclass(frozen=True)
class Shown:
    """What was read, and its columns from left to right."""

    timeline: Timeline
    columns: list[Column]


def laid_out(timeline: Timeline) -> Shown:
    """What was read in columns: hours of the past, and half hours of what is to come.

    Of many routines that is work of 20 ms and more, so it is done where the reading is (architecture.md, Threads).
    """
    found = []
    for hour in timeline.past:
        amounts = tuple((state, hour.amounts[state]) for state in _ORDER if state in hour.amounts)
        numbers = tuple(hour.numbers[state] for state, _ in reversed(amounts))
        end = min(hour.start + HOUR_MS, max(timeline.now, hour.start + 1))
        found.append(Column(hour.start, end, amounts, numbers, ()))
    ahead: dict[int, list[Firing]] = {}
    for firing in timeline.ahead:
        ahead.setdefault(firing.at // HALF_MS * HALF_MS, []).append(firing)
    found += [Column(start, start + HALF_MS, (), (), tuple(firings)) for start, firings in sorted(ahead.items())]
    return Shown(timeline, found)


class TimelineStrip(QWidget):
    """See the file's docstring."""

    span_asked = Signal(object)  # Column: show what was due then
    routine_asked = Signal(str)  # routine id: of a firing to come

    def __init__(self, times: Times, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._times = times
        self._timeline: Timeline | None = None
        self.columns: list[Column] = []
        self._current: int | None = None
        self._picture: QPixmap | None = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(HEIGHT)
        self.setAccessibleName(self.tr("Timeline: the last 7 days and the next 24 hours"))

    @property
    def timeline(self) -> Timeline | None:
        """What is shown."""
        return self._timeline

    def show_timeline(self, shown: Shown) -> None:
        """Show what was read."""
        was = self.columns[self._current].start if self._current is not None else None
        self._timeline = shown.timeline
        self.columns = shown.columns
        starts = [column.start for column in self.columns]
        self._current = starts.index(was) if was in starts else None
        self._forget_picture()

    def sizeHint(self) -> QSize:
        """See `QWidget`."""
        return QSize(600, HEIGHT)

    # --- where things are --------------------------------------------------------------------------------------------

    def _x(self, instant: int) -> float:
        """Where an instant is, from the left; the last 7 days and the next 24 hours have scales of their own."""
        assert self._timeline is not None
        width = self.width() - 2 * _MARGIN
        away = instant - self._timeline.now
        if away <= 0:
            x = _MARGIN + width * _PAST_SHARE * (1 + max(away, -PAST_MS) / PAST_MS)
        else:
            x = _MARGIN + width * (_PAST_SHARE + (1 - _PAST_SHARE) * min(away, AHEAD_MS) / AHEAD_MS)
        return self.width() - x if self.isRightToLeft() else x

    def _box(self, column: Column) -> QRectF:
        left, right = sorted((self._x(column.start), self._x(column.end)))
        if right - left < _NARROWEST:
            middle = (left + right) / 2
            left, right = middle - _NARROWEST / 2, middle + _NARROWEST / 2
        return QRectF(left, 2, max(right - left - 1, 2), self.height() - _LABELS - 4)

    def column_at(self, x: float) -> int | None:
        """The column nearest to a place, within a few pixels."""
        near = [(abs(self._box(column).center().x() - x), place) for place, column in enumerate(self.columns)]
        if not near:
            return None
        distance, place = min(near)
        return place if distance <= max(5.0, self._box(self.columns[place]).width()) else None

    # --- words -------------------------------------------------------------------------------------------------------

    def sentence(self, column: Column) -> str:
        """A column in words: from when to when, and what."""
        start, end = self._times.local(column.start), self._times.local(column.end)
        when = f"{day(start)}, {clock_face(start)}–{clock_face(end)}"
        if column.firings:
            lines = [
                self.tr("{time}  {name}").format(time=clock_face(self._times.local(firing.at)), name=firing.name)
                for firing in column.firings[:_NAMES]
            ]
            more = column.amount - len(lines)
            if more > 0:
                lines.append(self.tr("and {number} more").format(number=more))
            return "\n".join([self.tr("To come, {when}:").format(when=when), *lines])
        told = ", ".join(f"{amount} {texts.outcome(state).lower()}" for state, amount in reversed(column.amounts))
        return self.tr("{when}: {told}").format(when=when, told=told)

    # --- drawing -----------------------------------------------------------------------------------------------------

    def _forget_picture(self) -> None:
        self._picture = None
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """See `QWidget`."""
        ratio = self.devicePixelRatioF()
        if self._picture is None or self._picture.devicePixelRatioF() != ratio:
            self._picture = QPixmap(self.size() * ratio)
            self._picture.setDevicePixelRatio(ratio)
            self._picture.fill(Qt.GlobalColor.transparent)
            painter = QPainter(self._picture)
            self._draw(painter)
            painter.end()
        painter = QPainter(self)
        painter.drawPixmap(0, 0, self._picture)
        if self._current is not None and self.hasFocus():
            box = self._box(self.columns[self._current]).adjusted(-2, -1, 2, 1)
            painter.setPen(QPen(self.palette().color(QPalette.ColorRole.Highlight), 1.5))
            painter.drawRoundedRect(box, 2, 2)
        painter.end()

    def _draw(self, painter: QPainter) -> None:
        palette = self.palette()
        ground = self.height() - _LABELS
        painter.setPen(QPen(tones.colour(Tone.QUIET, palette), 1))
        painter.drawLine(QPointF(_MARGIN, ground), QPointF(self.width() - _MARGIN, ground))
        if self._timeline is None:
            return
        self._draw_labels(painter, ground)
        for column in self.columns:
            box = self._box(column)
            if column.firings:
                height = min(6 + 4 * column.amount, box.height())
                painter.setPen(QPen(tones.colour(Tone.PLAIN, palette), 1.2))
                painter.drawRect(QRectF(box.left(), ground - height, box.width(), height))
                continue
            bottom = float(ground)
            whole = box.height() * _height(column.amount)
            for state, amount in column.amounts:
                part = max(whole * amount / column.amount, 2.0)
                shade = tones.colour(texts.outcome_tone(state), palette)
                painter.fillRect(QRectF(box.left(), bottom - part, box.width(), part), shade)
                bottom -= part

    def _draw_labels(self, painter: QPainter, ground: int) -> None:
        assert self._timeline is not None
        now, palette = self._timeline.now, self.palette()
        font = self.font()
        font.setPointSizeF(font.pointSizeF() * 0.82)
        painter.setFont(font)
        faint = QColor(tones.colour(Tone.QUIET, palette))
        faint.setAlpha(90)
        marks = []
        midnight = self._times.local(now).replace(hour=0, minute=0, second=0, microsecond=0)
        for days in range(7):
            at = self._times.instant(midnight) - days * DAY
            marks.append((at, day(self._times.local(at + HOUR_MS * 2)) if days else self.tr("today")))
        for hours in (6, 12, 18):
            at = (now // HOUR_MS + hours) * HOUR_MS
            marks.append((at, clock_face(self._times.local(at))))
        for at, label in marks:
            if at <= now - PAST_MS:
                continue
            x = self._x(at)
            painter.setPen(QPen(faint, 1))
            painter.drawLine(QPointF(x, 2), QPointF(x, ground))
            painter.setPen(tones.colour(Tone.QUIET, palette))
            room = painter.fontMetrics().horizontalAdvance(label)
            if at > now or abs(self._x(now) - x) > room + 6:
                self._draw_label(painter, x, label)
        x = self._x(now)
        strong = palette.color(QPalette.ColorRole.Highlight)
        painter.setPen(QPen(strong, 2))
        painter.drawLine(QPointF(x, 0), QPointF(x, ground + 3))
        self._draw_label(painter, x, self.tr("now"))

    def _draw_label(self, painter: QPainter, x: float, label: str) -> None:
        """A label beside a line, on the side where time goes on."""
        room = painter.fontMetrics().horizontalAdvance(label)
        left = x - room - 3 if self.isRightToLeft() else x + 3
        painter.drawText(QPointF(left, self.height() - 3), label)

    # --- events ------------------------------------------------------------------------------------------------------

    def event(self, event: QEvent) -> bool:
        """Tooltips are made where the mouse is."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            place = self.column_at(event.pos().x())
            if place is None:
                QToolTip.hideText()
            else:
                QToolTip.showText(event.globalPos(), tip(self.sentence(self.columns[place])), self)
            return True
        return super().event(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """A hand where something can be clicked."""
        found = self.column_at(event.position().x()) is not None
        self.setCursor(Qt.CursorShape.PointingHandCursor if found else Qt.CursorShape.ArrowCursor)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A click opens the column."""
        place = self.column_at(event.position().x())
        if place is not None and event.button() == Qt.MouseButton.LeftButton:
            self._go_to(place, tell=False)
            self._open(place)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """The arrow keys go from column to column, Enter opens it."""
        steps = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
        key = Qt.Key(event.key())
        if key in steps and self.columns:
            step = -steps[key] if self.isRightToLeft() else steps[key]
            place = self._nearest_now() if self._current is None else self._current + step
            self._go_to(min(max(place, 0), len(self.columns) - 1))
        elif key in (Qt.Key.Key_Home, Qt.Key.Key_End) and self.columns:
            self._go_to(0 if key == Qt.Key.Key_Home else len(self.columns) - 1)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space) and self._current is not None:
            self._open(self._current)
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Whoever comes by keyboard finds the newest column chosen."""
        super().focusInEvent(event)
        by_keyboard = event.reason() in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)
        by_mouse = event.reason() == Qt.FocusReason.MouseFocusReason
        if not by_mouse and self._current is None and self.columns:
            self._go_to(self._nearest_now(), tell=by_keyboard)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """The frame around the column goes."""
        super().focusOutEvent(event)
        self.update()

    def changeEvent(self, event: QEvent) -> None:
        """Another palette or font: drawn anew."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._forget_picture()

    def resizeEvent(self, event: object) -> None:
        """Another size: drawn anew."""
        self._forget_picture()

    def _nearest_now(self) -> int:
        assert self._timeline is not None
        past = [place for place, column in enumerate(self.columns) if column.start <= self._timeline.now]
        return past[-1] if past else 0

    def _go_to(self, place: int, *, tell: bool = True) -> None:
        self._current = place
        self.update()
        column = self.columns[place]
        sentence = self.sentence(column)
        self.setAccessibleDescription(sentence)
        QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.DescriptionChanged))
        if tell:
            corner = self._box(column).bottomLeft().toPoint() + QPoint(0, 4)
            QToolTip.showText(self.mapToGlobal(corner), tip(sentence), self)

    def _open(self, place: int) -> None:
        column = self.columns[place]
        if column.firings:
            self.routine_asked.emit(column.firings[0].automation_id)
        else:
            self.span_asked.emit(column)


def _height(amount: int) -> float:
    """How tall a column is, of 1: each doubling adds as much, up to so many."""
    return min(1.0, 0.3 + 0.7 * (min(amount, _TALLEST).bit_length() - 1) / (_TALLEST.bit_length() - 1))
