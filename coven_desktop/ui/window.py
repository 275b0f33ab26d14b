"""The window: Routines, Occurrences, Needs attention and Activity, a timeline above, the scheduler's state below."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from coven_desktop.engine import filter_words, overview
from coven_desktop.engine.activity import ActivityLine
from coven_desktop.engine.listing import Listing, OccurrenceRow, StoreFault
from coven_desktop.qt.core import QSettings, QSize, Qt, QTimer, Signal
from coven_desktop.qt.gui import (
    QCloseEvent,
    QHideEvent,
    QIcon,
    QKeyEvent,
    QShowEvent,
)
from coven_desktop.qt.widgets import (
    QLabel,
    QMainWindow,
    QPushButton,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)
from coven_desktop.ui.acts import Acts
from coven_desktop.ui.bars import BarStack, NoticeBar, UndoBar
from coven_desktop.ui.bounded import room_for
from coven_desktop.ui.leading import Leading
from coven_desktop.ui.menus import Menus
from coven_desktop.ui.page_beside import PageBeside
from coven_desktop.ui.pages import ATTENTION, KEYS, OCCURRENCES, ROUTINES, Pages
from coven_desktop.ui.pause_acts import PauseActs
from coven_desktop.ui.reader import ReaderThread, Sources
from coven_desktop.ui.row_acts import RowActs
from coven_desktop.ui.status import Status
from coven_desktop.ui.table_page import TablePage, act
from coven_desktop.ui.timeline import Column as Hour
from coven_desktop.ui.timeline import Shown, TimelineStrip, laid_out
from coven_desktop.ui.times import MINUTE, Times, duration
from coven_desktop.ui.tray_state import attention_lines, failed_line, state_line, what_to_do

T = TypeVar("T")

# The timeline looks through a week: while it is shown it is read again so often at most.
TIMELINE_REST_MS = 5_000
# What a notice is about that the database could not be read (`NoticeBar.withdraw`).
_READ = "read"
# And that little room is left on the disk.
_DISK = "disk"


class MainWindow(QMainWindow):
    """Shows; what the person asks for goes out as signals, for `Shell` to carry out."""

    new_asked = Signal()
    edit_asked = Signal(str)  # routine id
    duplicate_asked = Signal(str)  # routine id
    run_asked = Signal(str, str, bool)  # routine id, name, paused
    pause_asked = Signal(str)  # routine id: pause it, or resume it when it is paused
    delete_asked = Signal(str, str, bool)  # routine id, name, whether it has a run going on
    output_asked = Signal(str)  # occurrence id
    stop_asked = Signal(str, str)  # occurrence id, name
    decide_asked = Signal(str)  # occurrence id: of one that is undecided, or held for a retry
    release_asked = Signal(str)  # routine id
    quit_asked = Signal()
    read_me_asked = Signal()
    about_asked = Signal()
    close_asked = Signal()
    shown = Signal(bool)
    looked = Signal()  # the person sees what has ended

    def __init__(self, listing: Listing, reader: ReaderThread, acts: Acts, times: Times, icon: QIcon) -> None:
        super().__init__()
        self._listing = listing
        self._reader = reader
        self._times = times
        self._acts = acts
        self._leaving = False
        self._low_disk = False
        self._stale: set[TablePage] = set()
        self.status: Status | None = None
        self.setWindowTitle("Coven Desktop")
        self.setWindowIcon(icon)
        self.resize(room_for(self, 1120, 720))
        self.new = act(self, self.tr("&New routine"), "Ctrl+N", self.new_asked.emit, self.tr("Make a routine"))
        self.rows = RowActs(acts, self)
        self.pause_all = PauseActs(times, self)
        self._take_actions()
        made = Pages(listing, reader, times, self.rows, self.new, lambda: self.status, self._go, self)
        self.routines, self.occurrences, self.needs, self.activity = made.every
        self._pages = made
        self.pages = made.every
        self._leading = Leading(listing, reader, made, self._go, self._read_refused)
        self._beside = PageBeside(self.routines, listing, reader, times)
        self.panel = self._beside.panel
        self.timeline = TimelineStrip(times, self)
        self._timeline_rest = QTimer(self)
        self._timeline_rest.setSingleShot(True)
        self._timeline_rest.setInterval(TIMELINE_REST_MS)
        self._timeline_rest.timeout.connect(self._timeline_rested)
        self._timeline_stale = False
        self._build()
        self.menus = Menus(self, acts)
        self._connect()
        self._allow()

    # --- building ----------------------------------------------------------------------------------------------------

    def _take_actions(self) -> None:
        rows = self.rows
        self.edit, self.duplicate, self.run, self.pause, self.delete = (
            rows.edit,
            rows.duplicate,
            rows.run,
            rows.pause,
            rows.delete,
        )
        self.history, self.output, self.stop, self.decide = rows.history, rows.output, rows.stop, rows.decide
        self.show_page_action = rows.page

    def _build(self) -> None:
        self.tabs = QTabWidget(self)
        self.tabs.setDocumentMode(True)
        self.tabs.setAccessibleName(self.tr("Pages"))
        self.tabs.tabBar().setAccessibleName(self.tr("Pages"))
        for place, page in enumerate(self.pages):
            self.tabs.addTab(page, self._pages.title(place))
        middle = QWidget(self)
        column = QVBoxLayout(middle)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.timeline)
        column.addWidget(self.tabs, 1)
        self.setCentralWidget(middle)
        bars = BarStack(middle)
        self.notice = NoticeBar(bars)
        self.undo = UndoBar(self._acts, bars)
        bars.add(self.undo)
        bars.add(self.notice)
        self._state_label = QLabel(self)
        self._pass_label = QLabel(self)
        self.attention = QPushButton(self.tr("Show what needs &attention"), self)
        self.attention.setFlat(True)
        self.attention.setAutoDefault(False)
        self.attention.clicked.connect(lambda: self.show_attention())
        self.attention.hide()
        self.statusBar().addWidget(self._state_label)
        self.statusBar().addWidget(self.pause_all.button)
        self.pause_all.button.hide()  # the bar shows what it is given
        self.failed = QPushButton(self)
        self.failed.setFlat(True)
        self.failed.setAutoDefault(False)
        self.failed.clicked.connect(lambda: self._show_failed())
        self.failed.hide()
        self.statusBar().addWidget(self.attention)
        self.statusBar().addWidget(self.failed)
        self.statusBar().addPermanentWidget(self._pass_label)
        self.statusBar().setSizeGripEnabled(False)
        self._state_label.setContentsMargins(8, 0, 0, 2)
        self._pass_label.setContentsMargins(0, 0, 8, 2)

    def _connect(self) -> None:
        rows = self.rows
        for given, taken in (
            (rows.edit_asked, self.edit_asked),
            (rows.duplicate_asked, self.duplicate_asked),
            (rows.run_asked, self.run_asked),
            (rows.pause_asked, self.pause_asked),
            (rows.output_asked, self.output_asked),
            (rows.stop_asked, self.stop_asked),
            (rows.decide_asked, self.decide_asked),
            (rows.release_asked, self.release_asked),
        ):
            given.connect(taken)
        rows.history_asked.connect(self.show_occurrences_of)
        rows.page_asked.connect(self._beside.open)
        self.panel.run_asked.connect(self.output_asked)
        self.panel.step_asked.connect(rows.step)
        self.panel.edit_asked.connect(self.edit_asked)
        self.panel.history_asked.connect(self.show_occurrences_of)
        rows.fold_asked.connect(self._turn_fold)
        rows.told.connect(self.notice.say)
        for page in self.pages:
            page.selection_changed.connect(self._allow)
            page.model.refused.connect(self._read_refused)
            page.model.laid.connect(self._read_again)
        for page in (self.routines, self.occurrences):
            page.opened.connect(rows.open)
        self.needs.opened.connect(lambda cells: rows.step(cells.row))
        self.needs.step_asked.connect(lambda cells: rows.step(cells.row))
        self.activity.opened.connect(lambda cells: self._lead_to(cells.row))
        self.tabs.currentChanged.connect(self._page_changed)
        self.timeline.span_asked.connect(self._show_hour)
        self.timeline.routine_asked.connect(self.show_routine)
        self._acts.deletions_changed.connect(self._hide_deleted)

    # --- rows --------------------------------------------------------------------------------------------------------

    @property
    def page(self) -> TablePage:
        """The page that is shown."""
        return self.pages[max(self.tabs.currentIndex(), 0)]

    def refresh(self) -> None:
        """Something may have changed: ask for the rows again. The pages that are not shown are asked when they are."""
        self.page.refresh()
        self._read_timeline()
        self._beside.refresh()

    def restate(self) -> None:
        """Time has passed: say the rows and the status bar anew."""
        for page in self.pages:
            page.model.restate()
        self._beside.restate()
        self._read_timeline()
        self._say_status()

    def show_status(self, status: Status) -> None:
        """The state of scheduler and runs."""
        self.status = status
        self._say_status()
        if self.occurrences.model.loaded and self.occurrences.model.rowCount() == 0:
            self.occurrences.say_empty()

    def _say_status(self) -> None:
        status = self.status
        if status is None:
            return
        self._state_label.setText(state_line(replace(status.tray, failed=0), self._times))
        self._state_label.setToolTip("\n\n".join(what_to_do(status.tray.summary)))
        self._warn_of_disk(low=status.tray.summary.low_disk)
        self.failed.setText(failed_line(status.tray.failed))
        self.failed.setVisible(status.tray.failed > 0)
        self.pause_all.show_pause(status.tray.summary.pause)
        self.panel.show_pause(status.tray.summary.pause)
        title = self._pages.title(ATTENTION, status.tray.summary.attention)
        if self.tabs.tabText(ATTENTION) != title:
            self.tabs.setTabText(ATTENTION, title)
        told_apart = "\n".join(attention_lines(status.tray.summary))
        self.attention.setVisible(bool(told_apart))
        self.attention.setToolTip(told_apart)
        parts = []
        if status.tray.summary.clock_shift_ms:
            shift = duration(abs(status.tray.summary.clock_shift_ms), rough=True)
            parts.append(self.tr("Clock shifted by {duration}").format(duration=shift))
        finished = status.tray.summary.last_pass_at
        if finished is None:
            parts.append(self.tr("No pass yet"))
        else:
            parts.append(self.tr("Last pass {time}").format(time=self._times.seconds(finished)))
            wake = finished + MINUTE
            if status.tray.summary.next:
                wake = min(wake, max(status.tray.summary.next[0].at, finished))
            parts.append(self.tr("Next wake {time}").format(time=self._times.seconds(wake)))
        self._pass_label.setText("  ·  ".join(parts))

    def _warn_of_disk(self, *, low: bool) -> None:
        """A disk that runs full is told once, with what to do, and stays told until there is room again."""
        if not low:
            self.notice.withdraw(_DISK)
        elif not self._low_disk and self.status is not None:
            self.notice.say(what_to_do(self.status.tray.summary)[0], stays=True, about=_DISK)
        self._low_disk = low

    def _hide_deleted(self) -> None:
        for page in self.pages:
            if page is not self.activity:
                page.model.ask(hidden=self._acts.hidden)

    def _read_refused(self, sentence: str) -> None:
        self.notice.say(sentence, stays=True, about=_READ)

    def _read_again(self) -> None:
        self.notice.withdraw(_READ)

    # --- timeline and the routine's page -----------------------------------------------------------------------------

    def _read_timeline(self) -> None:
        if self.timeline.isHidden() or not self.isVisible():
            return
        if self._timeline_rest.isActive():
            self._timeline_stale = True
            return
        self._timeline_stale = False
        self._timeline_rest.start()
        now, known = self._times.now(), self.timeline.timeline

        def read(sources: Sources) -> Shown:
            return laid_out(overview.timeline(sources.reads.reader, now, known))

        self._reader.ask("timeline", read, self.timeline.show_timeline, self._read_refused)

    def _timeline_rested(self) -> None:
        if self._timeline_stale:
            self._read_timeline()

    def turn_timeline(self, on: bool) -> None:
        self.timeline.setVisible(on)
        self._read_timeline()

    def _show_hour(self, hour: Hour) -> None:
        """What was due in an hour: the very row, or the rows of the hour."""
        if hour.amount == 1:
            rows = self._read(lambda: self._listing.occurrences(hour.numbers)) or []
            if rows:
                self.show_occurrence(rows[0].id)
                return
        end = -(-hour.end // MINUTE) * MINUTE
        self.show_occurrences(filter_words.span_word(hour.start, end, self._times.calendar()))

    def _read(self, question: Callable[[], T]) -> T | None:
        """A read by key; None, and a notice, when the database refuses."""
        try:
            return question()
        except StoreFault as fault:
            self._read_refused(str(fault))
            return None

    def close_panel(self) -> None:
        """Close the routine's page."""
        self._beside.close()

    # --- acting ------------------------------------------------------------------------------------------------------

    def _allow(self) -> None:
        """Only what can be done with the selected rows is on."""
        page = self.page
        self.rows.select(page.all_selected(), page.amount_selected())
        if page is self.routines:
            self._beside.follow()

    def _turn_fold(self, row: OccurrenceRow) -> None:
        """Show the skipped occurrences that one stands for, or fold them again."""
        model, fold = self.occurrences.model, row.fold
        if fold is None:
            return
        known = model.question.unfolded
        others = tuple(one for one in known if (one.automation_id, one.first) != (fold.automation_id, fold.first))
        model.ask(unfolded=(*others, fold) if len(others) == len(known) else others)

    def _lead_to(self, row: object) -> None:
        """From what happened to the row it happened to."""
        if not isinstance(row, ActivityLine):
            return
        if row.occurrence_id is not None:
            self.show_occurrence(row.occurrence_id)
        elif row.automation_id is not None:
            self.show_routine(row.automation_id)

    # --- leading to a row --------------------------------------------------------------------------------------------

    def show_attention(self, wanted: str | None = None) -> None:
        """Go to what needs the person; `wanted` is the id of a routine or an occurrence to select there."""
        self._leading.attention(wanted)

    def show_routine(self, automation_id: str) -> None:
        """Go to a routine, deleted ones too, and select it."""
        self._leading.routine(automation_id)

    def show_occurrence(self, occurrence_id: str) -> None:
        """Go to an occurrence and select it, wherever it is."""
        self._leading.occurrence(occurrence_id)

    def show_new_routine(self, number: int) -> None:
        """Go to a routine that was just made, and select it as soon as it is listed."""
        self.tabs.setCurrentIndex(ROUTINES)
        self.routines.await_number(number)

    def show_occurrences(self, filter_text: str) -> None:
        """Go to the occurrences that match."""
        self.tabs.setCurrentIndex(OCCURRENCES)
        self.occurrences.set_filter(filter_text)

    def _show_failed(self) -> None:
        """What failed since the person last looked."""
        overlooked = self.status.overlooked if self.status is not None else None
        if overlooked is None or overlooked.due_from is None:
            return
        start, end = overlooked.due_from // MINUTE * MINUTE, (self._times.now() // MINUTE + 1) * MINUTE
        self.show_occurrences(f"status:failed {filter_words.span_word(start, end, self._times.calendar())}")
        self.looked.emit()

    def shows_what_ended(self) -> bool:
        """Whether a page is shown on which the person sees what has ended: all but the routines."""
        return self.isVisible() and self.tabs.currentIndex() != ROUTINES

    def _tell_looked(self) -> None:
        if self.shows_what_ended():
            self.looked.emit()

    def show_occurrences_of(self, automation_id: str) -> None:
        """Go to the occurrences of a routine."""
        self.show_occurrences(f'"{automation_id}"' if " " in automation_id else automation_id)

    def _go(self, place: int) -> None:
        self.tabs.setCurrentIndex(place)

    def go_by_key(self, place: int) -> None:
        """Whoever goes to a page by keyboard goes on by keyboard, in its rows."""
        self._go(place)
        self.page.focus_rows()

    def _page_changed(self) -> None:
        self._allow()
        self._tell_looked()
        if self.isVisible():
            self.page.refresh()

    # --- events ------------------------------------------------------------------------------------------------------

    def leave(self) -> None:
        """Close for good: the app quits."""
        self._leaving = True
        self.close()

    def close_by_key(self) -> None:
        self.close()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape closes the routine's page."""
        if event.key() == Qt.Key.Key_Escape and self._beside.shown and self.page is self.routines:
            self.close_panel()
        else:
            super().keyPressEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        """The window's own close button: what that means is for `Shell` to say."""
        if self._leaving:
            event.accept()
            return
        event.ignore()
        self.close_asked.emit()

    def showEvent(self, event: QShowEvent) -> None:
        """Shown: it wants fresh rows."""
        super().showEvent(event)
        self._tell_looked()
        self.shown.emit(True)

    def hideEvent(self, event: QHideEvent) -> None:
        """Hidden: it wants nothing."""
        super().hideEvent(event)
        if self.tabs.currentIndex() != ROUTINES:
            self.looked.emit()
        self.shown.emit(False)

    # --- what is kept between starts ---------------------------------------------------------------------------------

    def save(self, settings: QSettings) -> None:
        """Keep size, page, columns and order."""
        settings.setValue("window/geometry", self.saveGeometry())
        settings.setValue("window/page", self.tabs.currentIndex())
        settings.setValue("window/timeline", int(self.menus.timeline.isChecked()))
        settings.setValue("window/split", self.routines.split.saveState())
        for page, key in zip(self.pages, KEYS, strict=True):
            page.save(settings, key)

    def restore(self, settings: QSettings) -> None:
        """Take up what `save` kept."""
        geometry = settings.value("window/geometry")
        if geometry is not None:
            self.restoreGeometry(geometry)
        self.tabs.setCurrentIndex(int(str(settings.value("window/page", "0"))))
        self.menus.timeline.setChecked(str(settings.value("window/timeline", "1")) == "1")
        split = settings.value("window/split")
        if split is not None:
            self.routines.split.restoreState(split)
        for page, key in zip(self.pages, KEYS, strict=True):
            page.restore(settings, key)

    def sizeHint(self) -> QSize:
        """Room for seven columns."""
        return QSize(1120, 720)
