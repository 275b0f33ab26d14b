"""The window's menus: where a person looks for what can be done, with its key."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from coven_desktop.qt.core import QObject
from coven_desktop.qt.gui import QAction, QActionGroup, QKeySequence
from coven_desktop.qt.widgets import QMenu
from coven_desktop.ui.acts import Acts
from coven_desktop.ui.table_page import act, separator

if TYPE_CHECKING:
    from coven_desktop.ui.window import MainWindow


class Menus(QObject):
    """File, Routine, Run, View and Help. `file` takes the settings too; `timeline` is checked while it is shown."""

    def __init__(self, window: MainWindow, acts: Acts) -> None:
        super().__init__(window)
        self._window = window
        self._acts = acts
        self.file = self._menu(self.tr("&File"))
        self.close_window = self._act(self.tr("&Close the window"), "Ctrl+W", self.tr("The app goes on in the tray"))
        self.close_window.triggered.connect(lambda: window.close_by_key())
        leave = self._act(self.tr("&Quit"), "Ctrl+Q", self.tr("Quit Coven Desktop"))
        leave.triggered.connect(lambda: window.quit_asked.emit())
        pause = window.pause_all
        self.file.addActions([window.new, self._gap(), pause.menu.menuAction(), pause.resume, self._gap()])
        self.file.addActions([self.close_window, leave])
        self._routine()
        self._menu(self.tr("R&un")).addActions([window.output, window.stop, window.decide])
        self._view()
        self._help()
        acts.deletions_changed.connect(self._offer_undo)
        self._offer_undo()

    def add_settings(self, action: QAction) -> None:
        """Put the settings where they are looked for: in File, above what ends the window."""
        self.file.insertAction(self.close_window, action)
        self.file.insertSeparator(self.close_window)

    def _menu(self, title: str) -> QMenu:
        return self._window.menuBar().addMenu(title)

    def _gap(self) -> QAction:
        return separator(self._window)

    def _act(self, text: str, key: str | None, tip: str) -> QAction:
        return act(self._window, text, key, lambda: None, tip)

    def _routine(self) -> None:
        window = self._window
        self.undo = self._act(self.tr("&Undo"), "Ctrl+Z", self.tr("Take back what was deleted"))
        self.undo.triggered.connect(lambda: self._acts.undo())
        menu = self._menu(self.tr("&Routine"))
        menu.addActions([window.edit, window.duplicate, window.pause, window.delete, self.undo, self._gap()])
        menu.addActions([window.run, window.rows.run_with_note, window.show_page_action, window.history])

    def _offer_undo(self) -> None:
        waiting = bool(self._acts.deletions)
        self.undo.setText(self.tr("&Undo the deletion") if waiting else self.tr("&Undo"))
        self.undo.setEnabled(waiting)

    def _view(self) -> None:
        window = self._window
        view = self._menu(self.tr("&View"))
        for place in range(window.tabs.count()):
            text = window.tabs.tabText(place)
            view.addAction(act(window, text, f"Ctrl+{place + 1}", partial(window.go_by_key, place), text))
        find = self._act(self.tr("&Filter"), None, self.tr("Filter the rows"))
        find.setShortcut(QKeySequence(QKeySequence.StandardKey.Find))
        find.triggered.connect(lambda: window.page.focus_filter())
        self.timeline = QAction(self.tr("&Timeline"), window)
        self.timeline.setCheckable(True)
        self.timeline.setChecked(True)
        self.timeline.toggled.connect(window.turn_timeline)
        view.addActions([self._gap(), find, self.timeline])
        sort = view.addMenu(self.tr("&Sort by"))
        sort.aboutToShow.connect(lambda: self._fill_sort_menu(sort))

    def _fill_sort_menu(self, menu: QMenu) -> None:
        menu.clear()
        group = QActionGroup(menu)
        page = self._window.page
        question = page.model.question
        for column in page.model.columns:
            if column.order is None:
                continue
            for descending in (False, True):
                text = self.tr("{column}, descending") if descending else self.tr("{column}, ascending")
                action = QAction(text.format(column=column.title), menu)
                action.setCheckable(True)
                action.setChecked((column.order, descending) == (question.order, question.descending))
                action.triggered.connect(
                    lambda _checked=False, order=column.order, descending=descending: page.order_by(
                        order, descending=descending
                    )
                )
                group.addAction(action)
                menu.addAction(action)

    def _help(self) -> None:
        window = self._window
        menu = self._menu(self.tr("&Help"))
        self.read_me = self._act(self.tr("&Read me"), "F1", self.tr("How Coven Desktop is used"))
        self.read_me.triggered.connect(lambda: window.read_me_asked.emit())
        self.about = self._act(
            self.tr("&About Coven Desktop"), None, self.tr("Version, licence and where it keeps what")
        )
        self.about.triggered.connect(lambda: window.about_asked.emit())
        self.help = menu
        menu.addActions([self.read_me, self.about])
