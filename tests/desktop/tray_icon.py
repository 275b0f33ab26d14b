"""A tray icon as a panel sees it: its properties and its menu, read and clicked over com.canonical.dbusmenu."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from tests.desktop.session import WATCHER, Session

ITEM = "org.kde.StatusNotifierItem"
MENU = "com.canonical.dbusmenu"
PROPERTIES = "org.freedesktop.DBus.Properties"


@dataclass
class Entry:
    """One entry of the menu; `text` without the mark of its shortcut."""

    number: int
    text: str
    enabled: bool
    entries: list[Entry] = field(default_factory=list)


class TrayIcon:
    """The one icon in the tray."""

    def __init__(self, session: Session, name: str, path: str) -> None:
        self._session = session
        self._name = name
        self._path = path

    @classmethod
    def found(cls, session: Session) -> TrayIcon | None:
        """The icon that is registered with the tray host; None while there is none."""
        if not session.owned(WATCHER):
            return None
        ((_, items),) = session.call(
            WATCHER, "/StatusNotifierWatcher", PROPERTIES, "Get", "ss", WATCHER, "RegisteredStatusNotifierItems"
        )
        if not items:
            return None
        (item,) = items
        name, slash, path = item.partition("/")
        return cls(session, name, slash + path if slash else "/StatusNotifierItem")

    def get(self, name: str) -> Any:
        """One property of the icon."""
        ((_, value),) = self._session.call(self._name, self._path, PROPERTIES, "Get", "ss", ITEM, name)
        return value

    def activate(self) -> None:
        """A click on the icon."""
        self._session.call(self._name, self._path, ITEM, "Activate", "ii", 0, 0)

    def menu(self) -> list[Entry]:
        """The menu as a person sees who opens and closes it."""
        entries = self.open()
        self.event(None, "closed")
        return entries

    def open(self) -> list[Entry]:
        """Open it, and let it stay open."""
        self._call("AboutToShow", "i", 0)
        self.event(None, "opened")
        return self.read()

    def read(self) -> list[Entry]:
        """The menu as it is, whether it is open or not."""
        _, layout = self._call("GetLayout", "iias", 0, -1, [])
        return _entry(layout).entries

    def texts(self) -> list[str]:
        """What the entries say."""
        return [entry.text for entry in self.menu()]

    def choose(self, *texts: str) -> None:
        """Click an entry, by what it and the menus above it say, or begin with.

        As most hosts do it, it says that the menu is closed before it says what was chosen.
        """
        entries, chosen = self.menu(), None
        for text in texts:
            chosen = next((entry for entry in entries if entry.text.startswith(text)), None)
            assert chosen is not None, f"no {text} in {[entry.text for entry in entries]}"
            entries = chosen.entries
        assert chosen is not None
        assert chosen.enabled
        self.event(chosen, "clicked")

    def event(self, entry: Entry | None, what: str) -> None:
        """What a host tells: `opened`, `closed`, `clicked`; None is the menu itself."""
        self._call("Event", "isvu", 0 if entry is None else entry.number, what, ("i", 0), 0)

    def _call(self, member: str, signature: str, *body: object) -> Any:
        return self._session.call(self._name, self.get("Menu"), MENU, member, signature, *body)


def _entry(layout: Any) -> Entry:
    number, properties, children = layout
    made = [_entry(child) for _, child in children]
    label = properties.get("label", ("s", ""))[1].replace("__", "\0").replace("_", "").replace("\0", "_")
    entries = [entry for entry in made if entry.text]
    return Entry(number, label, properties.get("enabled", ("b", True))[1], entries)
