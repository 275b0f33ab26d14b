"""The window: Routines and Occurrences, what can be done with a row, and at the bottom how the scheduler is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from coven_desktop.engine.listing import Listing, OccurrenceRow, Page, Question, RoutineRow
from coven_desktop.qt.core import QSettings, QSize, Signal
from coven_desktop.qt.gui import QAction, QActionGroup, QCloseEvent, QHideEvent, QIcon, QKeySequence, QShowEvent
from coven_desktop.qt.widgets import QLabel, QMainWindow, QMenu, QPushButton, QTabWidget, QVBoxLayout, QWidget
from coven_desktop.ui import ending
from coven_desktop.ui.acts import Acts
from coven_desktop.ui.bars import NoticeBar, UndoBar
from coven_desktop.ui.cells import Cells, occurrence_cells, routine_cells
from coven_desktop.ui.paged_model import Column, PagedModel
from coven_desktop.ui.reader import ReaderThread, Sources
from coven_desktop.ui.status import Status
from coven_desktop.ui.table_page import TablePage, act, separator
from coven_desktop.ui.times import MINUTE, Times, duration
from coven_desktop.ui.tray import attention_lines, state_line


def _routine_page(sources: Sources, question: Question, offset: int) -> Page:
    return sources.listing.routine_page(question, offset)


def _occurrence_page(sources: Sources, question: Question, offset: int) -> Page:
    return sources.listing.occurrence_page(question, offset)


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
    close_asked = Signal()
    shown = Signal(bool)

    def __init__(self, listing: Listing, reader: ReaderThread, acts: Acts, times: Times, icon: QIcon) -> None:
        super().__init__()
        self._listing = listing
        self._times = times
        self._acts = acts
        self._leaving = False
        self.status: Status | None = None
        self.setWindowTitle("Coven Desktop")
        self.setWindowIcon(icon)
        self.resize(1080, 680)
        self._make_actions()
        self.routines = self._routines_page(reader)
        self.occurrences = self._occurrences_page(reader)
        self.tabs = QTabWidget(self)
        self.tabs.setDocumentMode(True)
        self.tabs.setAccessibleName(self.tr("Pages"))
        self.tabs.tabBar().setAccessibleName(self.tr("Pages"))
        self.tabs.addTab(self.routines, self.tr("Routines"))
        self.tabs.addTab(self.occurrences, self.tr("Occurrences"))
        self.tabs.currentChanged.connect(self._page_changed)
        self.notice = NoticeBar(self)
        self.undo = UndoBar(acts, self)
        middle = QWidget(self)
        column = QVBoxLayout(middle)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for part in (self.notice, self.undo):
            column.addWidget(part)
        column.addWidget(self.tabs, 1)
        self.setCentralWidget(middle)
        self._make_menus()
        self._state_label = QLabel(self)
        self._pass_label = QLabel(self)
        self.attention = QPushButton(self.tr("Show what needs &attention"), self)
        self.attention.setFlat(True)
        self.attention.setAutoDefault(False)
        self.attention.clicked.connect(self.show_attention)
        self.attention.hide()
        self.statusBar().addWidget(self._state_label)
        self.statusBar().addWidget(self.attention)
        self.statusBar().addPermanentWidget(self._pass_label)
        self.statusBar().setSizeGripEnabled(False)
        self._state_label.setContentsMargins(8, 0, 0, 2)
        self._pass_label.setContentsMargins(0, 0, 8, 2)
        for page in (self.routines, self.occurrences):
            page.selection_changed.connect(self._allow)
            page.model.refused.connect(self._read_refused)
        acts.deletions_changed.connect(self._hide_deleted)
        self._allow()

    # --- building ----------------------------------------------------------------------------------------------------

    def _make_actions(self) -> None:
        self.new = act(self, self.tr("&New routine"), "Ctrl+N", self.new_asked.emit, self.tr("Make a routine"))
        self.edit = act(self, self.tr("&Edit"), "Ctrl+E", self._edit, self.tr("Change the selected routine"))
        self.duplicate = act(
            self, self.tr("D&uplicate"), "Ctrl+D", self._duplicate, self.tr("Make a new routine like this one")
        )
        self.run = act(self, self.tr("&Run now"), "Ctrl+R", self._run, self.tr("Run the selected routine now"))
        self.pause = act(self, self.tr("&Pause"), "Ctrl+P", self._pause, self.tr("Pause or resume the schedule"))
        self.delete = act(self, self.tr("De&lete"), "Del", self._delete, self.tr("Delete the selected routine"))
        self.history = act(
            self, self.tr("Show its &occurrences"), "Ctrl+H", self._history, self.tr("What this routine has done")
        )
        self.output = act(
            self, self.tr("Show &output"), "Ctrl+O", self._output, self.tr("Attempts, timing and output of this run")
        )
        self.stop = act(self, self.tr("&Stop…"), "Ctrl+T", self._stop, self.tr("Stop this run"))
        self.decide = act(
            self,
            self.tr("&Decide…"),
            "Ctrl+J",
            self._decide,
            self.tr("Decide, retry or release: what the row waits for"),
        )

    def _routines_page(self, reader: ReaderThread) -> TablePage:
        columns = (
            Column(self.tr("Name"), "name", 26),
            Column(self.tr("State"), "state", 45),
            Column(self.tr("Schedule"), None, 34),
            Column(self.tr("Next run"), "next", 33),
            Column(self.tr("Last results"), None, 16, marks=True),
            Column(self.tr("Runtime"), "runtime", 12),
        )
        model = PagedModel(
            "routines", columns, reader, page=_routine_page, rows=self._routine_rows, question=Question("name")
        )
        actions = [self.new, separator(self), self.run, self.decide, self.edit, self.pause, self.delete]
        page = TablePage(self.tr("Routines"), model, actions, parent=self)
        page.more_actions = [self.duplicate, self.history]
        page.opened.connect(lambda cells: self.edit_asked.emit(cells.id))
        page.say_empty = self._say_no_routines
        return page

    def _occurrences_page(self, reader: ReaderThread) -> TablePage:
        columns = (
            Column(self.tr("Due"), "time", 20),
            Column(self.tr("Routine"), "routine", 26),
            Column(self.tr("State"), "state", 45),
            Column(self.tr("Took"), None, 22),
            Column(self.tr("How"), None, 12),
            Column(self.tr("Detail"), None, 40),
        )
        model = PagedModel(
            "occurrences",
            columns,
            reader,
            page=_occurrence_page,
            rows=self._occurrence_rows,
            question=Question("time", descending=True),
        )
        page = TablePage(self.tr("Occurrences"), model, [self.output, self.stop, self.decide], parent=self)
        page.opened.connect(lambda cells: self.output_asked.emit(cells.id))
        page.say_empty = self._say_no_occurrences
        return page

    def _make_menus(self) -> None:
        bar = self.menuBar()
        routine = bar.addMenu(self.tr("&Routine"))
        routine.addActions([self.new, separator(self), self.edit, self.duplicate, self.pause, self.delete])
        routine.addActions([separator(self), self.run, self.history, separator(self)])
        close = act(self, self.tr("&Close the window"), "Ctrl+W", self._close, self.tr("The app goes on in the tray"))
        leave = act(self, self.tr("&Quit"), "Ctrl+Q", self.quit_asked.emit, self.tr("Quit Coven Desktop"))
        routine.addActions([close, leave])
        run = bar.addMenu(self.tr("R&un"))
        run.addActions([self.output, self.stop, self.decide])
        view = bar.addMenu(self.tr("&View"))
        for place in range(self.tabs.count()):
            text = self.tabs.tabText(place)
            show = act(self, text, f"Ctrl+{place + 1}", partial(self.tabs.setCurrentIndex, place), text)
            view.addAction(show)
        find = act(self, self.tr("&Filter"), None, lambda: self.page.focus_filter(), self.tr("Filter the rows"))
        find.setShortcut(QKeySequence(QKeySequence.StandardKey.Find))
        view.addActions([separator(self), find])
        self._sort_menu = view.addMenu(self.tr("&Sort by"))
        self._sort_menu.aboutToShow.connect(lambda: self._fill_sort_menu(self._sort_menu))

    def _fill_sort_menu(self, menu: QMenu) -> None:
        menu.clear()
        group = QActionGroup(menu)
        question = self.page.model.question
        for column in self.page.model.columns:
            if column.order is None:
                continue
            for descending in (False, True):
                text = self.tr("{column}, descending") if descending else self.tr("{column}, ascending")
                action = QAction(text.format(column=column.title), menu)
                action.setCheckable(True)
                action.setChecked((column.order, descending) == (question.order, question.descending))
                action.triggered.connect(
                    lambda _checked=False, order=column.order, descending=descending: self.page.order_by(
                        order, descending=descending
                    )
                )
                group.addAction(action)
                menu.addAction(action)

    # --- rows --------------------------------------------------------------------------------------------------------

    def _routine_rows(self, numbers: Sequence[int]) -> Mapping[int, Cells]:
        return {row.number: routine_cells(row, self._times) for row in self._listing.routines(numbers)}

    def _occurrence_rows(self, numbers: Sequence[int]) -> Mapping[int, Cells]:
        return {row.number: occurrence_cells(row, self._times) for row in self._listing.occurrences(numbers)}

    @property
    def page(self) -> TablePage:
        """The page that is shown."""
        return self.occurrences if self.tabs.currentIndex() == 1 else self.routines

    def refresh(self) -> None:
        """Something may have changed: ask for the rows again. The page that is not shown is asked when it is."""
        self.page.model.refresh()

    def restate(self) -> None:
        """Time has passed: say the rows and the status bar anew."""
        for page in (self.routines, self.occurrences):
            page.model.restate()
        self._say_status()

    def show_status(self, status: Status) -> None:
        """The state of scheduler and runs."""
        self.status = status
        self._say_status()
        if self.occurrences.model.loaded and self.occurrences.model.rowCount() == 0:
            self._say_no_occurrences()

    def _say_status(self) -> None:
        status = self.status
        if status is None:
            return
        self._state_label.setText(state_line(status.tray))
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

    def _hide_deleted(self) -> None:
        self.routines.model.ask(hidden=self._acts.hidden)

    def _read_refused(self, sentence: str) -> None:
        self.notice.say(sentence, stays=True)

    # --- empty states ------------------------------------------------------------------------------------------------

    def _say_no_routines(self) -> None:
        if self.routines.filter.text().strip():
            self.routines.empty.say(
                self.tr("No routine matches"),
                self.tr("The filter is “{text}”.").format(text=self.routines.filter.text().strip()),
                self.tr("Clear the filter"),
                self.routines.filter.clear,
            )
            return
        self.routines.empty.say(
            self.tr("No routines yet"),
            self.tr(
                "A routine is a prompt or a script that runs by itself at its hours. Its output is kept, and how it"
                " ended is proven."
            ),
            self.tr("Make the first routine"),
            self.new_asked.emit,
        )

    def _say_no_occurrences(self) -> None:
        empty = self.occurrences.empty
        if self.occurrences.filter.text().strip():
            empty.say(
                self.tr("Nothing matches"),
                self.tr("The filter is “{text}”.").format(text=self.occurrences.filter.text().strip()),
                self.tr("Clear the filter"),
                self.occurrences.filter.clear,
            )
            return
        upcoming = self.status.tray.summary.next if self.status is not None else ()
        if upcoming:
            text = self.tr("The first run is “{name}”, {time}.").format(
                name=upcoming[0].name, time=self._times.day_and_time(upcoming[0].at)
            )
        else:
            text = self.tr("Every run of every routine is listed here, with how it ended.")
        empty.say(
            self.tr("Nothing has run yet"), text, self.tr("Go to the routines"), lambda: self.tabs.setCurrentIndex(0)
        )

    # --- acting ------------------------------------------------------------------------------------------------------

    def _routine(self) -> RoutineRow | None:
        cells = self.routines.selected() if self.page is self.routines else None
        return cells.row if cells is not None and isinstance(cells.row, RoutineRow) else None

    def _occurrence(self) -> OccurrenceRow | None:
        cells = self.occurrences.selected() if self.page is self.occurrences else None
        return cells.row if cells is not None and isinstance(cells.row, OccurrenceRow) else None

    def _allow(self) -> None:
        """Only what can be done with the selected row is on."""
        routine = self._routine()
        for action in (self.edit, self.duplicate, self.delete, self.history):
            action.setEnabled(routine is not None)
        self._allow_next_step(routine, self._occurrence())
        self.run.setEnabled(routine is not None and routine.lifecycle in ("active", "paused"))
        self.pause.setEnabled(routine is not None and routine.lifecycle in ("active", "paused"))
        paused = routine is not None and routine.lifecycle == "paused"
        self.pause.setText(self.tr("Resum&e") if paused else self.tr("&Pause"))
        occurrence = self._occurrence()
        self.output.setEnabled(occurrence is not None)
        phase = occurrence.phase if occurrence is not None else ""
        self.stop.setText(ending.verb(phase))
        self.stop.setEnabled(occurrence is not None and phase in ending.ENDABLE and not occurrence.stopping)

    def _allow_next_step(self, routine: RoutineRow | None, occurrence: OccurrenceRow | None) -> None:
        """Deciding, retrying and releasing are one action: the row says which of them it waits for."""
        phase = occurrence.phase if occurrence is not None else ""
        if routine is not None:
            phase = "quarantined" if routine.quarantine is not None else ""
            if not phase and routine.run is not None:
                phase = routine.run.phase
        steps = {
            "quarantined": self.tr("Re&lease…"),
            "held": self.tr("Retr&y…"),
            "recovery_required": self.tr("&Decide…"),
        }
        self.decide.setEnabled(phase in steps)
        self.decide.setText(steps.get(phase, steps["recovery_required"]))

    def _edit(self) -> None:
        if (routine := self._routine()) is not None:
            self.edit_asked.emit(routine.id)

    def _duplicate(self) -> None:
        if (routine := self._routine()) is not None:
            self.duplicate_asked.emit(routine.id)

    def _run(self) -> None:
        if (routine := self._routine()) is not None:
            self.run_asked.emit(routine.id, routine.name, routine.lifecycle == "paused")

    def _pause(self) -> None:
        if (routine := self._routine()) is not None:
            self.pause_asked.emit(routine.id)

    def _delete(self) -> None:
        if (routine := self._routine()) is not None:
            self.delete_asked.emit(routine.id, routine.name, routine.live)

    def _history(self) -> None:
        if (routine := self._routine()) is not None:
            self.show_occurrences(routine.id)

    def _output(self) -> None:
        if (occurrence := self._occurrence()) is not None:
            self.output_asked.emit(occurrence.id)

    def _stop(self) -> None:
        if (occurrence := self._occurrence()) is not None:
            self.stop_asked.emit(occurrence.id, occurrence.name)

    def _decide(self) -> None:
        routine = self._routine()
        if routine is not None and routine.quarantine is not None:
            self.release_asked.emit(routine.id)
        elif routine is not None and routine.run is not None:
            self.decide_asked.emit(routine.run.occurrence_id)
        elif (occurrence := self._occurrence()) is not None:
            self.decide_asked.emit(occurrence.id)

    def show_attention(self) -> None:
        """Go to the routines that wait for the person; each offers its next step."""
        self.tabs.setCurrentIndex(0)
        self.routines.filter.setText("status:attention")

    def show_new_routine(self, number: int) -> None:
        """Go to a routine that was just made, and select it as soon as it is listed."""
        self.tabs.setCurrentIndex(0)
        self.routines.await_number(number)

    def show_occurrences(self, filter_text: str) -> None:
        """Go to the occurrences that match."""
        self.tabs.setCurrentIndex(1)
        self.occurrences.filter.setText(filter_text)

    def _page_changed(self) -> None:
        self._allow()
        if self.isVisible():
            self.page.model.refresh()

    # --- events ------------------------------------------------------------------------------------------------------

    def leave(self) -> None:
        """Close for good: the app quits."""
        self._leaving = True
        self.close()

    def _close(self) -> None:
        self.close()

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
        self.shown.emit(True)

    def hideEvent(self, event: QHideEvent) -> None:
        """Hidden: it wants nothing."""
        super().hideEvent(event)
        self.shown.emit(False)

    # --- what is kept between starts ---------------------------------------------------------------------------------

    def save(self, settings: QSettings) -> None:
        """Keep size, page, columns and order."""
        settings.setValue("window/geometry", self.saveGeometry())
        settings.setValue("window/page", self.tabs.currentIndex())
        self.routines.save(settings, "routines")
        self.occurrences.save(settings, "occurrences")

    def restore(self, settings: QSettings) -> None:
        """Take up what `save` kept."""
        geometry = settings.value("window/geometry")
        if geometry is not None:
            self.restoreGeometry(geometry)
        self.tabs.setCurrentIndex(int(str(settings.value("window/page", "0"))))
        self.routines.restore(settings, "routines")
        self.occurrences.restore(settings, "occurrences")

    def sizeHint(self) -> QSize:
        """Room for six columns."""
        return QSize(1080, 680)
