"""One tab of the window: a filter, buttons, a table on a model of rows, and an empty state with the next step."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from coven_desktop.engine import filter_words
from coven_desktop.qt.core import (
    QEvent,
    QItemSelectionModel,
    QModelIndex,
    QPoint,
    QSettings,
    Qt,
    QTimer,
    Signal,
)
from coven_desktop.qt.gui import QAction, QFocusEvent, QKeyEvent, QKeySequence
from coven_desktop.qt.widgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QMenu,
    QSizePolicy,
    QSplitter,
    QStackedWidget,
    QTableView,
    QToolButton,
    QVBoxLayout,
    QWidget,
)
from coven_desktop.ui import search
from coven_desktop.ui.cells import Cells
from coven_desktop.ui.rows_model import STEP_ROLE, RowsModel
from coven_desktop.ui.table_parts import EmptyState, MarksDelegate, StepDelegate
from coven_desktop.ui.times import Times

FILTER_PAUSE_MS = 150
# What is done with several rows at once is done with so many at most.
MOST_SELECTED = 200


class TablePage(QWidget):
    """See the file's docstring. Opened rows and the context menu are for whoever owns the page."""

    opened = Signal(object)  # Cells
    step_asked = Signal(object)  # Cells
    selection_changed = Signal()

    def __init__(
        self,
        name: str,
        model: RowsModel,
        actions: Sequence[QAction],
        times: Times,
        *,
        several: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._times = times
        self.model = model
        model.setParent(self)
        model.palette = self.palette()
        self._keep: tuple[int, int] | None = None
        self._awaited: int | None = None
        self._by_keyboard = False  # somebody waits in the table for its rows
        self._build_bar(actions)
        self._build_table(name, actions, several)
        self.empty = EmptyState(self)
        self._stack = QStackedWidget(self)
        self._stack.addWidget(self.table)
        self._stack.addWidget(self.empty)
        self.say_empty: Callable[[], None] = lambda: None
        column = QVBoxLayout(self)
        column.setContentsMargins(10, 10, 10, 6)
        column.addLayout(self._bar)
        column.addWidget(self.hint)
        self.split = QSplitter(self)
        self.split.setChildrenCollapsible(False)
        self.split.addWidget(self._stack)
        self.split.setStretchFactor(0, 1)
        column.addWidget(self.split, 1)
        model.about_to_lay.connect(self._hold_place)
        model.laid.connect(self._laid)

    def _hide_doubles(self) -> None:
        """Where the next step is what another button does, as of a paused routine, one of them is enough."""
        said: set[str] = set()
        for button in self._buttons:
            text = button.defaultAction().text()
            button.setVisible(text not in said)
            said.add(text)

    def _build_bar(self, actions: Sequence[QAction]) -> None:
        self._bar = QHBoxLayout()
        self._bar.setSpacing(6)
        self._buttons: list[QToolButton] = []
        for action in actions:
            if action.isSeparator():
                self._bar.addSpacing(10)
                continue
            button = QToolButton(self)
            button.setDefaultAction(action)
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)
            self._bar.addWidget(button)
            self._buttons.append(button)
            action.changed.connect(self._hide_doubles)
        self._bar.addStretch(1)
        self.filter = search.FilterEdit(self)
        self.filter.setMinimumWidth(320)
        self._bar.addWidget(self.filter)
        self.hint = QLabel(self)
        self.hint.setWordWrap(True)
        self.hint.hide()
        self._filter_pause = QTimer(self)
        self._filter_pause.setSingleShot(True)
        self._filter_pause.setInterval(FILTER_PAUSE_MS)
        self._filter_pause.timeout.connect(self._apply_filter)
        self.filter.textChanged.connect(self._filter_pause.start)
        self.filter.returnPressed.connect(self._focus_table)

    def _build_table(self, name: str, actions: Sequence[QAction], several: bool) -> None:
        table = QTableView(self)
        table.setModel(self.model)
        table.setAccessibleName(name)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        modes = QAbstractItemView.SelectionMode
        table.setSelectionMode(modes.ExtendedSelection if several else modes.SingleSelection)
        table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        table.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        table.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        table.setShowGrid(False)
        table.setAlternatingRowColors(True)
        table.setWordWrap(False)
        table.setTabKeyNavigation(False)
        table.setCornerButtonEnabled(False)
        # Python is called for these cells only: the others are painted by Qt's own delegate
        for place, column in enumerate(self.model.columns):
            if column.marks:
                table.setItemDelegateForColumn(place, MarksDelegate(table))
            elif column.step:
                table.setItemDelegateForColumn(place, StepDelegate(table))
        rows = table.verticalHeader()
        rows.hide()
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        rows.setDefaultSectionSize(table.fontMetrics().height() + 12)
        header = table.horizontalHeader()
        header.setHighlightSections(False)
        header.setStretchLastSection(True)
        header.setSectionsClickable(True)
        header.setSectionsMovable(True)
        header.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        header.customContextMenuRequested.connect(self._header_menu)
        header.setSortIndicatorShown(any(column.order for column in self.model.columns))
        header.sectionClicked.connect(self._header_clicked)
        width = table.fontMetrics().averageCharWidth()
        for place, column in enumerate(self.model.columns):
            header.resizeSection(place, column.width * width)
        table.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        table.customContextMenuRequested.connect(self._context_menu)
        table.doubleClicked.connect(self._double_clicked)
        table.clicked.connect(self._clicked)
        table.verticalScrollBar().valueChanged.connect(self._tell_view)
        table.selectionModel().selectionChanged.connect(lambda *_: self._selected())
        table.installEventFilter(self)
        self._actions = list(actions)
        self.more_actions: list[QAction] = []
        self.table = table
        self._show_order()

    # --- asking ------------------------------------------------------------------------------------------------------

    def focus_filter(self) -> None:
        """Put the cursor into the filter."""
        self.filter.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.filter.selectAll()

    def order_by(self, order: str, *, descending: bool) -> None:
        """Sort by one of the columns' orders."""
        self.model.ask(order=order, descending=descending)
        self._show_order()

    def _header_clicked(self, section: int) -> None:
        order = self.model.columns[section].order
        question = self.model.question
        if order is not None:
            self.order_by(order, descending=question.order == order and not question.descending)
        self._show_order()

    def _show_order(self) -> None:
        question = self.model.question
        direction = Qt.SortOrder.DescendingOrder if question.descending else Qt.SortOrder.AscendingOrder
        for place, column in enumerate(self.model.columns):
            if column.order == question.order:
                self.table.horizontalHeader().setSortIndicator(place, direction)

    def _apply_filter(self) -> None:
        self._awaited = None
        reading = filter_words.read(self.filter.text(), self._times.calendar())
        self.hint.setText(search.told(reading.unknown))
        self.hint.setVisible(bool(reading.unknown))
        self.model.ask(**reading.filter)

    def refresh(self) -> None:
        """Something may have changed, or a day has begun that the filter means."""
        reading = filter_words.read(self.filter.text(), self._times.calendar())
        if self._filter_pause.isActive() or reading.filter["due"] == self.model.question.due:
            self.model.refresh()
        else:
            self.model.ask(**reading.filter)

    def set_filter(self, text: str) -> None:
        """Put a text into the filter and apply it at once."""
        self.filter.setText(text)
        self._filter_pause.stop()
        self._apply_filter()

    def focus_rows(self) -> None:
        """Put the keys into the rows, with one selected; where there are none, to what the page offers instead."""
        if self._stack.currentWidget() is self.empty and self.empty.button.isVisible():
            self.empty.button.setFocus(Qt.FocusReason.ShortcutFocusReason)
        elif self._stack.currentWidget() is self.empty:
            self.focus_filter()
        else:
            self._focus_table()

    def _focus_table(self) -> None:
        self.table.setFocus(Qt.FocusReason.TabFocusReason)
        self._by_keyboard = True
        self._select_something()

    def _select_something(self) -> None:
        """Whoever comes by keyboard finds a row selected."""
        if not self.table.selectionModel().hasSelection() and self.model.rowCount():
            self.table.selectRow(max(self.table.currentIndex().row(), 0))
            self._by_keyboard = False

    # --- the rows ----------------------------------------------------------------------------------------------------

    def selected(self) -> Cells | None:
        """The selected row; of several the one that is current."""
        selection = self.table.selectionModel()
        if not selection.hasSelection():
            return None
        current = self.table.currentIndex()
        if current.isValid() and selection.isRowSelected(current.row(), QModelIndex()):
            return self.model.cells_at(current.row())
        return self.model.cells_at(self._ranges()[0][0])

    def all_selected(self) -> list[Cells]:
        """The selected rows from the top, so many at most (`MOST_SELECTED`)."""
        ranges = sorted(self._ranges())
        rows: list[int] = []
        for top, bottom in ranges:
            rows += range(top, min(bottom, top + MOST_SELECTED) + 1)
        found = (self.model.cells_at(row) for row in dict.fromkeys(rows[:MOST_SELECTED]))
        return [cells for cells in found if cells is not None]

    def amount_selected(self) -> int:
        """How many rows are selected."""
        return sum(bottom - top + 1 for top, bottom in self._ranges())

    def _ranges(self) -> list[tuple[int, int]]:
        """The first and last row of each stretch that is selected: never row by row, for there may be a million."""
        selection = self.table.selectionModel().selection()
        found = [selection.at(place) for place in range(selection.count())]
        return [(one.top(), one.bottom()) for one in found]

    def select_number(self, number: int) -> None:
        """Select a row by its number and scroll to it, if it is on a page that is here."""
        place = self.model.place_of(number)
        if place is not None:
            flags = QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows
            self.table.selectionModel().setCurrentIndex(self.model.index(place, 0), flags)
            # not at the edge, where a notice may lie over it; and where it is in view already it stays
            rect = self.table.visualRect(self.model.index(place, 0))
            if not self.table.viewport().rect().adjusted(0, 0, 0, -2 * rect.height()).contains(rect):
                self.table.scrollTo(self.model.index(place, 0), QAbstractItemView.ScrollHint.PositionAtCenter)

    def await_number(self, number: int) -> None:
        """Select a row that was just made as soon as it is listed, unless the person selects or filters meanwhile."""
        self.select_number(number)
        self._awaited = number if self.model.place_of(number) is None else None

    def look_at(self, place: int, number: int) -> None:
        """Read the page around a place, and select the row with this number there."""
        self._awaited = number
        self.model.look_at(place)

    def _selected(self) -> None:
        self._awaited = None
        self.selection_changed.emit()

    def _open(self, row: int) -> None:
        cells = self.model.cells_at(row)
        if cells is not None:
            self.opened.emit(cells)

    def _clicked(self, index: QModelIndex) -> None:
        if index.data(STEP_ROLE):
            cells = self.model.cells_at(index.row())
            if cells is not None:
                self.step_asked.emit(cells)

    def _double_clicked(self, index: QModelIndex) -> None:
        if not index.data(STEP_ROLE):
            self._open(index.row())

    def _header_menu(self, place: QPoint) -> None:
        """Which columns are shown; at least one."""
        header = self.table.horizontalHeader()
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        shown = len(self.model.columns) - header.hiddenSectionCount()
        for section, column in enumerate(self.model.columns):
            action = menu.addAction(column.title)
            action.setCheckable(True)
            action.setChecked(not header.isSectionHidden(section))
            action.setEnabled(shown > 1 or header.isSectionHidden(section))
            action.toggled.connect(lambda on, section=section: header.setSectionHidden(section, not on))
        menu.popup(header.viewport().mapToGlobal(place))

    def _context_menu(self, place: QPoint) -> None:
        if self.selected() is None:
            return
        menu = QMenu(self)
        menu.addActions(self._actions)
        menu.addActions(self.more_actions)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.table.viewport().mapToGlobal(place))

    def _hold_place(self) -> None:
        """Before a change: which row is at the top. At the very top the person wants to see what is new instead."""
        scrolled = self.table.verticalScrollBar().value()
        height = self.table.verticalHeader().defaultSectionSize()
        number = self.model.number_at(scrolled // height) if scrolled else None
        self._keep = None if number is None else (number, scrolled % height)

    def _laid(self) -> None:
        if self._keep is not None:
            place = self.model.place_of(self._keep[0])
            if place is not None:
                height = self.table.verticalHeader().defaultSectionSize()
                self.table.verticalScrollBar().setValue(place * height + self._keep[1])
        self._keep = None
        empty = self.model.loaded and self.model.rowCount() == 0
        if empty:
            self.say_empty()
        self._stack.setCurrentWidget(self.empty if empty else self.table)
        if self._awaited is not None:
            self.await_number(self._awaited)
        elif self._by_keyboard and self.table.hasFocus():
            self._select_something()
        self.selection_changed.emit()

    def _tell_view(self) -> None:
        height = max(self.table.verticalHeader().defaultSectionSize(), 1)
        first = self.table.verticalScrollBar().value() // height
        self.model.show_rows(first, first + self.table.viewport().height() // height)

    # --- events ------------------------------------------------------------------------------------------------------

    def eventFilter(self, watched: object, event: QEvent) -> bool:
        """Enter opens the selected row: a table has no signal for it that works everywhere."""
        if watched is self.table and isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.table.currentIndex().isValid():
                self._open(self.table.currentIndex().row())
                return True
        elif watched is self.table and isinstance(event, QFocusEvent) and event.gotFocus() and _by_keyboard(event):
            self._select_something()
        return False

    def changeEvent(self, event: QEvent) -> None:
        """A new palette: the marks and quiet texts are drawn in it."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.StyleChange) and hasattr(self, "table"):
            self.model.palette = self.palette()
            self.model.restate()

    # --- what is kept between starts ---------------------------------------------------------------------------------

    def save(self, settings: QSettings, key: str) -> None:
        """Keep the columns' widths and the order."""
        settings.setValue(f"{key}/header", self.table.horizontalHeader().saveState())
        settings.setValue(f"{key}/columns", len(self.model.columns))
        settings.setValue(f"{key}/order", self.model.question.order)
        settings.setValue(f"{key}/descending", int(self.model.question.descending))

    def restore(self, settings: QSettings, key: str) -> None:
        """Take up what `save` kept, as far as it still fits."""
        state = settings.value(f"{key}/header")
        if state is not None and str(settings.value(f"{key}/columns")) == str(len(self.model.columns)):
            self.table.horizontalHeader().restoreState(state)
            self.table.horizontalHeader().setSectionsMovable(True)
        order = settings.value(f"{key}/order")
        if any(column.order == order for column in self.model.columns if column.order):
            self.order_by(str(order), descending=str(settings.value(f"{key}/descending", "0")) == "1")
        self._show_order()


def _by_keyboard(event: QFocusEvent) -> bool:
    return event.reason() in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)


def separator(parent: QWidget) -> QAction:
    """A gap between groups of actions."""
    action = QAction(parent)
    action.setSeparator(True)
    return action


def act(parent: QWidget, text: str, shortcut: str | None, does: Callable[[], None], tip: str) -> QAction:
    """An action with a text, a shortcut told in the tooltip, and what it does."""
    action = QAction(text, parent)
    if shortcut is not None:
        action.setShortcut(QKeySequence(shortcut))
        tip = f"{tip} ({QKeySequence(shortcut).toString(QKeySequence.SequenceFormat.NativeText)})"
    action.setToolTip(tip)
    action.setStatusTip("")
    action.triggered.connect(lambda _checked=False: does())
    return action
