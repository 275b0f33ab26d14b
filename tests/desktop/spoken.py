"""What assistive programs see of the app: its widgets, read and operated over AT-SPI."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, NamedTuple

from jeepney import DBusAddress, new_method_call
from jeepney.io.blocking import DBusConnection, open_dbus_connection
from jeepney.wrappers import DBusErrorResponse, unwrap_msg

from tests.desktop.session import ACCESSIBILITY, Session
from tests.rig import until

ACCESSIBLE = "org.a11y.atspi.Accessible"
PROPERTIES = "org.freedesktop.DBus.Properties"
# Numbers of the specification.
SHOWING, LABELLED_BY = 25, 2
CONTROLS = {
    7: "check box",
    8: "check menu item",
    11: "combo box",
    31: "list",
    33: "menu",
    35: "menu item",
    37: "page tab",
    43: "push button",
    44: "radio button",
    45: "radio menu item",
    51: "slider",
    52: "spin button",
    55: "table",
    61: "text",
    62: "toggle button",
    65: "tree",
    66: "tree table",
    79: "entry",
    98: "list box",
}
FRAME, DIALOG, WINDOW, ALERT = 23, 16, 69, 2


class Place(NamedTuple):
    """Where a widget is on the bus."""

    name: str
    path: str


@dataclass(frozen=True)
class Widget:
    """One widget. `label` is the name of what labels it."""

    place: Place
    role: int
    name: str
    showing: bool
    label: str
    within: tuple[str, ...]

    @property
    def said(self) -> str:
        """What an assistive program would say."""
        return self.name or self.label

    def __str__(self) -> str:
        kind = CONTROLS.get(self.role, str(self.role))
        return f"{kind} “{self.said}” in {' > '.join(self.within)}"


class Spoken:
    """A walker over the accessibility bus of a session."""

    def __init__(self, session: Session) -> None:
        (address,) = session.call(ACCESSIBILITY, "/org/a11y/bus", ACCESSIBILITY, "GetAddress")
        self._bus: DBusConnection = open_dbus_connection(address)

    def close(self) -> None:
        """Leave the bus."""
        self._bus.close()

    def app(self) -> Place:
        """The one program on the bus, as soon as it is there."""
        registry = Place("org.a11y.atspi.Registry", "/org/a11y/atspi/accessible/root")
        found: Place = until("the app is on the accessibility bus", lambda: next(iter(self._children(registry)), None))
        return found

    def windows(self) -> list[Widget]:
        """The windows and dialogs that are shown."""
        return list(self._shown(self._children(self.app()), ()))

    def window(self, name: str) -> Widget:
        """A window, as soon as it is shown; its name begins so."""
        return until(
            f"the window {name} is shown",
            lambda: next((each for each in self.windows() if each.name.startswith(name)), None),
        )

    def all(self, top: Widget) -> Iterator[Widget]:
        """Everything shown in a window, save the cells of its tables; what goes meanwhile is left out."""
        with suppress(DBusErrorResponse):
            yield from self._below(top)

    def _below(self, top: Widget) -> Iterator[Widget]:
        for widget in self._shown(self._children(top.place), (*top.within, top.said or str(top.role))):
            yield widget
            if CONTROLS.get(widget.role) not in ("table", "tree", "tree table", "list", "combo box"):
                yield from self.all(widget)

    def _shown(self, places: list[Place], within: tuple[str, ...]) -> Iterator[Widget]:
        for place in places:
            with suppress(DBusErrorResponse):
                widget = self._widget(place, within)
                if widget.showing:
                    yield widget

    def find(self, top: Widget, role: int, name: str) -> Widget:
        """A widget in a window, as soon as it is shown; its name begins so."""
        return until(
            f"{CONTROLS.get(role, role)} {name} is shown",
            lambda: next((each for each in self.all(top) if each.role == role and each.name.startswith(name)), None),
        )

    def press(self, widget: Widget) -> None:
        """Do what the widget does first: a button is pressed, a tab is chosen."""
        self._call(widget.place, "org.a11y.atspi.Action", "DoAction", "i", 0)

    def choose(self, widget: Widget, number: int) -> bool:
        """Choose an entry of a list; False when it has not so many."""
        if number >= len(self._children(widget.place)):
            return False
        self._call(widget.place, "org.a11y.atspi.Selection", "SelectChild", "i", number)
        return True

    def text(self, widget: Widget) -> str:
        """What is written in it."""
        (said,) = self._call(widget.place, "org.a11y.atspi.Text", "GetText", "ii", 0, -1)
        return str(said)

    def _widget(self, place: Place, within: tuple[str, ...]) -> Widget:
        (role,) = self._call(place, ACCESSIBLE, "GetRole")
        ((low, high),) = self._call(place, ACCESSIBLE, "GetState")
        name = self._name(place)
        showing = bool((low | high << 32) >> SHOWING & 1)
        if CONTROLS.get(role) == "combo box" and name in self._choices(place):
            # Qt calls it after what is chosen in it; what it is, its label or its description says
            name = self._get(place, "Description")
        label = self._label(place) if not name and role in CONTROLS else ""
        return Widget(place, role, name, showing, label, within)

    def _choices(self, place: Place) -> set[str]:
        lists = self._children(place)
        return {self._name(choice) for each in lists for choice in self._children(each)}

    def _name(self, place: Place) -> str:
        return self._get(place, "Name")

    def _get(self, place: Place, name: str) -> str:
        ((_, value),) = self._call(place, PROPERTIES, "Get", "ss", ACCESSIBLE, name)
        return str(value)

    def _label(self, place: Place) -> str:
        (relations,) = self._call(place, ACCESSIBLE, "GetRelationSet")
        for kind, targets in relations:
            if kind == LABELLED_BY and targets:
                return self._name(Place(*targets[0]))
        return ""

    def _children(self, place: Place) -> list[Place]:
        (found,) = self._call(place, ACCESSIBLE, "GetChildren")
        return [Place(*each) for each in found]

    def _call(self, place: Place, interface: str, member: str, signature: str | None = None, *body: object) -> Any:
        address = DBusAddress(place.path, bus_name=place.name, interface=interface)
        message = new_method_call(address, member, signature, body)
        return unwrap_msg(self._bus.send_and_get_reply(message, timeout=20))
