"""A time zone by its exact name, found by what people call it: a city, a country, an abbreviation, an offset."""

from __future__ import annotations

from coven_desktop.qt.core import QCoreApplication, QEvent, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal
from coven_desktop.qt.gui import QHideEvent, QKeyEvent, QStandardItem, QStandardItemModel
from coven_desktop.qt.widgets import QComboBox, QCompleter, QWidget
from coven_desktop.schedule import zone_search, zones
from coven_desktop.ui.times import Times, clock_face

SHOWN = 12
_NAME = Qt.ItemDataRole.UserRole
_NO_TEXT = Qt.ItemDataRole.UserRole + 1


class ZonePicker(QComboBox):
    """What is typed is searched; what is chosen is an exact name. `search_ended`: what was found is shown no more."""

    search_ended = Signal()

    def __init__(self, times: Times, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._times = times
        self.setEditable(True)
        self.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.addItems(["utc", "local", *sorted(zones.names())])
        self.setWhatsThis(
            self.tr(
                "The clocks that the schedule goes by. Type a city, a country, an abbreviation such as PST or an offset"
                " such as +9, and choose. “local” is the zone of this computer; its exact name is stored."
            )
        )
        self._found = QStandardItemModel(self)
        self._completer = _Found(self._found, self)
        self._completer.setMaxVisibleItems(SHOWN)
        self.setCompleter(self._completer)
        self._completer.activated.connect(lambda _text: self._end_search())
        line = self.lineEdit()
        assert line is not None
        popup = self._completer.popup()
        assert popup is not None
        popup.installEventFilter(self)
        line.textEdited.connect(self._search)
        line.editingFinished.connect(self._left)
        line.setPlaceholderText(self.tr("City, country, PST, +9 …"))

    def name(self) -> str:
        """What is entered, good or not."""
        return self.currentText().strip()

    def searching(self) -> bool:
        """Whether the person is still choosing from what was found."""
        line = self.lineEdit()
        return self._found.rowCount() > 0 and line is not None and line.hasFocus() and not _is_name(self.name())

    def found(self) -> list[tuple[str, str]]:
        """The name and the line of each zone that the list shows."""
        items = [self._found.item(row) for row in range(self._found.rowCount())]
        return [(item.data(_NAME), item.text()) for item in items if item is not None]

    def _left(self) -> None:
        popup = self._completer.popup()
        # Enter is told to the line first, and then to the list, which takes what is marked in it
        if popup is None or not popup.isVisible():
            self._end_search()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Enter in the list takes the first when none is marked. To mark it would write its name into the line."""
        popup = self._completer.popup()
        if (
            watched is popup
            and popup is not None
            and isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.KeyPress
            and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
            and not popup.currentIndex().isValid()
            and self._found.rowCount()
        ):
            popup.hide()
            self.setEditText(self.found()[0][0])
            self._end_search()
            return True
        return super().eventFilter(watched, event)

    def hideEvent(self, event: QHideEvent) -> None:
        """With the form gone nobody chooses: told later, it would be told to a form that is being taken apart."""
        self._found.clear()
        super().hideEvent(event)

    def _end_search(self) -> None:
        if self._found.rowCount():
            self._found.clear()
            self.search_ended.emit()

    def _search(self, text: str) -> None:
        self._found.clear()
        for name, places in zone_search.search(text, self._times.now())[:SHOWN]:
            item = QStandardItem(_line(name, places, self._times))
            item.setData(name, _NAME)
            self._found.appendRow(item)


class _Found(QCompleter):
    """Shows what was found, all of it, and marks none: by itself it would mark a name that begins as was typed."""

    def __init__(self, found: QStandardItemModel, parent: QObject) -> None:
        super().__init__(found, parent)
        self.setCompletionMode(QCompleter.CompletionMode.UnfilteredPopupCompletion)
        self.setCompletionRole(_NO_TEXT)

    def pathFromIndex(self, index: QModelIndex | QPersistentModelIndex) -> str:
        """The name of what is chosen."""
        return str(index.data(_NAME))


def clocks(name: str, times: Times) -> str:
    """What clocks in a zone show now, its offset and what its times are called: `14:05 now, UTC+1 (CET, CEST)`.

    Empty for what is no zone. `local` is resolved, and the sentence says to what.
    """
    try:
        exact = zones.resolve_local() if name == "local" else name
        zone = zones.zone(exact)
    except zones.ZoneError as error:
        return error.message if name == "local" else ""
    now = zone.local_of(times.now())
    offset = zone_search.offset_text(now.offset_seconds)
    called = ", ".join(zone_search.abbreviations(exact)) if exact != "utc" else ""
    text = _say("{time} now, {offset} ({names})") if called else _say("{time} now, {offset}")
    text = text.format(time=clock_face(now.wall), offset=offset, names=called)
    if name != "local":
        return text
    return _say("“local” is {zone} here, and that name is stored. {clocks}").format(zone=exact, clocks=text)


def _is_name(text: str) -> bool:
    return text == "local" or zones.is_valid_name(text)


def _line(name: str, places: str, times: Times) -> str:
    exact = name
    if name == "local":
        try:
            exact = places = zones.resolve_local()
        except zones.ZoneError:
            return name
    now = zones.zone(exact).local_of(times.now())
    parts = [name, places, zone_search.offset_text(now.offset_seconds), clock_face(now.wall)]
    return "  ·  ".join(dict.fromkeys(part for part in parts if part))


def _say(text: str) -> str:
    return QCoreApplication.translate("ZonePicker", text)
