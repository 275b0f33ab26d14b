"""Beside the form: the rule in words, its next ten firings in both zones, and what clock changes do to it.

It calls the very function the engine's own schedule walks by (design/schedules.md): a preview promises nothing else.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from coven_desktop.qt.core import QEvent, QRect, Qt, QTimer
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
from coven_desktop.schedule.cadence import CadenceSchedule
from coven_desktop.ui import clock_marks, draft, tones
from coven_desktop.ui.family import NoRule, Rule
from coven_desktop.ui.texts import Tone
from coven_desktop.ui.times import Times, clock_face, day

FIRINGS = 10
BEFORE = 3
_SHAPE = {"repeated": "repeated", "gap": "moved", "clamped": "moved", "last": "last"}
PAUSE_MS = 120
MARK, WALL, THEIRS = range(3)


class PreviewPane(QWidget):
    """See the file's docstring. `show_rule` may be called on every key: it computes after a short pause."""

    def __init__(self, times: Times, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._times = times
        self._rule: Callable[[], Rule] = _nothing
        self._active = True
        self._counted = 0
        self._words = QLabel(self)
        self._words.setWordWrap(True)
        self._words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        font = self._words.font()
        font.setPointSizeF(font.pointSizeF() * 1.2)
        self._words.setFont(font)
        self._more = self._small()
        self._before = self._small()
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
        header.setMinimumSectionSize(8)  # else the last column pushes what spans all of them beyond the edge
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header.setStretchLastSection(True)
        self.table.verticalHeader().setMinimumSectionSize(0)
        self.table.verticalHeader().setDefaultSectionSize(self.table.fontMetrics().height() + 6)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(self._words)
        column.addWidget(self._more)
        column.addWidget(self._heading)
        column.addWidget(self.table, 1)
        column.addWidget(self._before)
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(PAUSE_MS)
        self._pause.timeout.connect(self._compute)

    def _small(self) -> QLabel:
        label = QLabel(self)
        label.setWordWrap(True)
        label.setForegroundRole(label.palette().ColorRole.PlaceholderText)
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        label.hide()
        return label

    @property
    def details(self) -> str:
        """What is less plain in the rule, as shown."""
        return self._more.text()

    @property
    def before(self) -> str:
        """The times before now, as shown."""
        return self._before.text()

    @property
    def sentence(self) -> str:
        """The rule in words, as shown."""
        return self._words.text()

    def show_rule(self, rule: Callable[[], Rule], *, active: bool = True, counted: int = 0) -> None:
        """Preview what `rule` gives; it may raise NoRule. A routine that is not active is told to be so.

        `counted`: so many runs of it were started, of those that it has at most.
        """
        self._rule, self._active, self._counted = rule, active, counted
        self._pause.start()

    def _compute(self) -> None:
        try:
            rule = self._rule()
        except NoRule as error:
            self._words.setText(self.tr("No preview: {reason}").format(reason=draft.reason(str(error))))
            for widget in (self._heading, self._more, self._before):
                widget.hide()
            self.table.setRowCount(0)
            return
        now = self._times.now()
        # a cadence that is saved now has a slot at its anchor, and at this very moment
        after = rule.schedule.counts_from(now) if isinstance(rule.schedule, CadenceSchedule) else now
        left = None if rule.most_runs is None else max(rule.most_runs - self._counted, 0)
        found = preview.preview(rule.schedule, after, FIRINGS, left)
        self._words.setText(rule.words)
        self._heading.setText(self._heading_text(len(found.firings)))
        self._heading.show()
        self._more.setText(" ".join(rule.sentences))
        self._more.setVisible(bool(rule.sentences))
        self._say_before(preview.preview_before(rule.schedule, now, BEFORE))
        self._fill(found, rule.schedule.zone.name)

    def _say_before(self, found: preview.Preview) -> None:
        """The times before now, in the zone of the schedule: whether the rule is what was meant shows there too."""
        moments = []
        for firing in reversed(found.firings):
            wall = datetime.fromisoformat(firing.local_text[:19])
            moments.append(f"{day(wall, year=True)}, {clock_face(wall)}".replace(" ", "\u00a0"))
        self._before.setText(self.tr("Times before now: {moments}").format(moments="; ".join(moments)))
        self._before.setVisible(bool(moments))

    def _heading_text(self, count: int) -> str:
        if not count:
            return self.tr("It never runs.")
        if count < FIRINGS:
            text = self.tr("The only run") if count == 1 else self.tr("All {count} runs").format(count=count)
        else:
            text = self.tr("Next ten runs")
        return text if self._active else self.tr("{what}, once it is active").format(what=text)

    def _fill(self, found: preview.Preview, zone_name: str) -> None:
        """Firings and notes in the order of their wall times; a firing that is special is explained below it."""
        here = self._times.zone_name
        both = here != zone_name
        self.table.setHorizontalHeaderLabels(
            [
                "",
                self.tr("In {zone}").format(zone="UTC" if zone_name == "utc" else zone_name),
                self.tr("For you ({zone})").format(zone=here) if here else self.tr("For you"),
            ]
        )
        self.table.setColumnHidden(THEIRS, not both)
        self.table.clearSpans()
        self.table.setRowCount(0)
        rows: list[tuple[str, preview.Firing | preview.Note]] = [
            *((firing.local_text[:19], firing) for firing in found.firings),
            *((note.wall_text, note) for note in found.notes),
        ]
        rows.sort(key=lambda row: (row[0], isinstance(row[1], preview.Note)))
        for wall_text, row in rows:
            if isinstance(row, preview.Firing):
                self._firing(wall_text, row)
            else:
                self._note(row.kind, row.text)
        self._fit()
        self.table.scrollToTop()

    def _fit(self) -> None:
        """Columns as wide as their moments, rows as high as their notes: a spanned cell counts for neither in Qt."""
        metrics = self.table.fontMetrics()
        self.table.setColumnWidth(MARK, 26)
        for column in (WALL, THEIRS):
            header = self.table.horizontalHeaderItem(column)
            texts = [header.text() if header is not None else ""]
            for row in range(self.table.rowCount()):
                item = self.table.item(row, column)
                if item is not None and self.table.columnSpan(row, WALL) == 1:
                    texts.append(item.text())
            self.table.setColumnWidth(column, max(metrics.horizontalAdvance(text) for text in texts) + 20)
        usual = self.table.verticalHeader().defaultSectionSize()
        room = QRect(0, 0, self.table.viewport().width() - 36, 10_000)
        for row in range(self.table.rowCount()):
            height = usual
            item = self.table.item(row, WALL)
            if item is not None and self.table.columnSpan(row, WALL) > 1:
                height = metrics.boundingRect(room, Qt.TextFlag.TextWordWrap, item.text()).height() + 8
            self.table.setRowHeight(row, height)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width: notes wrap anew."""
        super().resizeEvent(event)
        if self.table.rowCount():
            self._fit()

    def changeEvent(self, event: QEvent) -> None:
        """A new palette: the marks are drawn in its colours."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._pause.start()

    def _firing(self, wall_text: str, firing: preview.Firing) -> None:
        wall = datetime.fromisoformat(wall_text)
        theirs = self._times.local(firing.at)
        year = theirs.year != self._times.local(self._times.now()).year
        place = self._add_row(firing.note and _SHAPE[firing.note])
        for column, moment in ((WALL, wall), (THEIRS, theirs)):
            item = QTableWidgetItem(f"{day(moment, year=year)}, {clock_face(moment)}")
            item.setToolTip(f"{firing.local_text}\n{self._times.relative(firing.at)}")
            self.table.setItem(place, column, item)
        explained = {
            "clamped": self.tr("Moved: the month has no such day. It runs on its last day."),
            "last": self.tr("This is the last run."),
        }
        if firing.note in explained:
            self._note("", explained[firing.note])

    def _note(self, kind: str, text: str) -> None:
        # of a time that is moved or comes twice the run itself bears the mark
        place = self._add_row(kind if kind == "skipped" else "")
        item = QTableWidgetItem(text)
        item.setForeground(QBrush(tones.colour(Tone.ASKS, self.palette())))
        item.setToolTip(text)
        self.table.setItem(place, WALL, item)
        self.table.setSpan(place, WALL, 1, 2)

    def _add_row(self, kind: str | None) -> int:
        place = self.table.rowCount()
        self.table.insertRow(place)
        item = QTableWidgetItem()
        if kind:
            said = {
                "skipped": self.tr("Skipped"),
                "repeated": self.tr("Comes twice"),
                "moved": self.tr("Moved"),
                "last": self.tr("The last"),
            }[kind]
            item.setIcon(clock_marks.mark(kind, self.palette()))
            item.setToolTip(said)
            item.setData(Qt.ItemDataRole.AccessibleTextRole, said)
        self.table.setItem(place, MARK, item)
        return place


def _nothing() -> Rule:
    raise NoRule
