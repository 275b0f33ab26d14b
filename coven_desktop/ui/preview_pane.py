"""Beside the form: the rule in words, its next ten firings in both zones, and what clock changes do to it.

It calls the very function the engine's own schedule walks by (design/schedules.md): a preview promises nothing else.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from coven_desktop.qt.core import QRect, Qt, QTimer
from coven_desktop.qt.gui import QBrush, QResizeEvent
from coven_desktop.qt.widgets import (
    QAbstractItemView,
    QHeaderView,
    QLabel,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)
from coven_desktop.schedule import preview
from coven_desktop.ui import clock_marks, tones
from coven_desktop.ui.family import NoRule, Rule
from coven_desktop.ui.texts import Tone
from coven_desktop.ui.times import Times, clock_face, day

FIRINGS = 10
_SHAPE = {"repeated": "repeated", "gap": "moved", "clamped": "moved", "last": "last"}
PAUSE_MS = 120


class PreviewPane(QWidget):
    """See the file's docstring. `show_rule` may be called on every key: it computes after a short pause."""

    def __init__(self, times: Times, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._times = times
        self._rule: Callable[[], Rule] = _nothing
        self._active = True
        self._words = QLabel(self)
        self._words.setWordWrap(True)
        self._words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        font = self._words.font()
        font.setPointSizeF(font.pointSizeF() * 1.2)
        self._words.setFont(font)
        self._heading = QLabel(self.tr("Next ten runs"), self)
        self.table = QTableWidget(self)
        self.table.setAccessibleName(self.tr("Next ten runs"))
        self.table.setColumnCount(3)
        self.table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.setTabKeyNavigation(False)
        self.table.setShowGrid(False)
        self.table.setWordWrap(True)
        self.table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.table.verticalHeader().hide()
        header = self.table.horizontalHeader()
        header.setHighlightSections(False)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header.setStretchLastSection(True)
        self.table.verticalHeader().setMinimumSectionSize(0)
        self.table.verticalHeader().setDefaultSectionSize(self.table.fontMetrics().height() + 6)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(self._words)
        column.addWidget(self._heading)
        column.addWidget(self.table, 1)
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(PAUSE_MS)
        self._pause.timeout.connect(self._compute)

    @property
    def sentence(self) -> str:
        """The rule in words, as shown."""
        return self._words.text()

    def show_rule(self, rule: Callable[[], Rule], *, active: bool = True) -> None:
        """Preview what `rule` gives; it may raise NoRule. A routine that is not active is told to be so."""
        self._rule, self._active = rule, active
        self._pause.start()

    def _compute(self) -> None:
        try:
            rule = self._rule()
            found = preview.preview(rule.schedule, self._times.now(), FIRINGS)
        except NoRule as error:
            self._words.setText(self.tr("No preview: {reason}").format(reason=error))
            self._heading.hide()
            self.table.setRowCount(0)
            return
        self._words.setText(rule.words)
        self._heading.setText(self._heading_text(len(found.firings)))
        self._heading.show()
        self._fill(found, rule.schedule.zone.name)

    def _heading_text(self, count: int) -> str:
        if not count:
            return self.tr("It never runs.")
        if count < FIRINGS:
            text = self.tr("The only run") if count == 1 else self.tr("All {count} runs").format(count=count)
        else:
            text = self.tr("Next ten runs")
        return text if self._active else self.tr("{what}, once it is active").format(what=text)

    def _fill(self, found: preview.Preview, zone_name: str) -> None:
        """Firings and notes in the order of their wall times."""
        here = self._times.zone_name
        both = here != zone_name
        shown_zone = "UTC" if zone_name == "utc" else zone_name
        self.table.setHorizontalHeaderLabels(
            [
                self.tr("In {zone}").format(zone=shown_zone),
                self.tr("For you ({zone})").format(zone=here) if here else self.tr("For you"),
                "",
            ]
        )
        self.table.setColumnHidden(1, not both)
        self.table.clearSpans()
        rows: list[tuple[str, preview.Firing | preview.Note]] = [
            *((firing.local_text[:19], firing) for firing in found.firings),
            *((note.wall_text, note) for note in found.notes),
        ]
        rows.sort(key=lambda row: (row[0], isinstance(row[1], preview.Note)))
        self.table.setRowCount(len(rows))
        for place, (wall_text, row) in enumerate(rows):
            if isinstance(row, preview.Firing):
                self._firing(place, wall_text, row)
            else:
                self._note(place, row)
        self._fit()
        self.table.scrollToTop()

    def _fit(self) -> None:
        """Columns as wide as their moments, rows as high as their notes: a spanned cell counts for neither in Qt."""
        metrics = self.table.fontMetrics()
        for column in (0, 1):
            header = self.table.horizontalHeaderItem(column)
            texts = [header.text() if header is not None else ""]
            for row in range(self.table.rowCount()):
                item = self.table.item(row, column)
                if item is not None and self.table.columnSpan(row, 0) == 1:
                    texts.append(item.text())
            self.table.setColumnWidth(column, max(metrics.horizontalAdvance(text) for text in texts) + 20)
        usual = self.table.verticalHeader().defaultSectionSize()
        room = QRect(0, 0, self.table.viewport().width() - 34, 10_000)
        for row in range(self.table.rowCount()):
            height = usual
            item = self.table.item(row, 0)
            if item is not None and self.table.columnSpan(row, 0) > 1:
                height = metrics.boundingRect(room, Qt.TextFlag.TextWordWrap, item.text()).height() + 8
            self.table.setRowHeight(row, height)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width: notes wrap anew."""
        super().resizeEvent(event)
        if self.table.rowCount():
            self._fit()

    def _firing(self, place: int, wall_text: str, firing: preview.Firing) -> None:
        wall = datetime.fromisoformat(wall_text)
        theirs = self._times.local(firing.at)
        notes = {
            "repeated": self.tr("comes twice; runs the first time"),
            "gap": self.tr("moved: its time does not exist that day"),
            "clamped": self.tr("moved: the month has no such day"),
            "last": self.tr("the last one"),
        }
        texts = (_moment(wall), _moment(theirs), notes.get(firing.note or "", ""))
        for column, text in enumerate(texts):
            item = QTableWidgetItem(text)
            item.setToolTip(f"{firing.local_text}\n{self._times.relative(firing.at)}")
            if column == 2 and firing.note is not None:
                item.setIcon(clock_marks.mark(_SHAPE[firing.note], self.palette()))
                item.setForeground(QBrush(tones.colour(Tone.ASKS, self.palette())))
            self.table.setItem(place, column, item)

    def _note(self, place: int, note: preview.Note) -> None:
        tone = Tone.ASKS
        item = QTableWidgetItem(clock_marks.mark(note.kind, self.palette()), note.text)
        item.setForeground(QBrush(tones.colour(tone, self.palette())))
        item.setToolTip(note.text)
        self.table.setItem(place, 0, item)
        self.table.setSpan(place, 0, 1, 3)


def _nothing() -> Rule:
    raise NoRule


def _moment(wall: datetime) -> str:
    return f"{day(wall)}, {clock_face(wall)}"
