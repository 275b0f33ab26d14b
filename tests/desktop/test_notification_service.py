"""The desktop's notification service over a real bus: what it is sent, and what becomes of us when it is not there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from jeepney.bus_messages import message_bus
from jeepney.io.blocking import open_dbus_connection
from pytestqt.qtbot import QtBot

from coven_desktop.desktop.notifications import freedesktop
from coven_desktop.desktop.notifications.balloon import BalloonService
from coven_desktop.desktop.notifications.freedesktop import FreedesktopService
from coven_desktop.desktop.notifications.service import OPEN, Notification, Urgency
from coven_desktop.qt.widgets import QSystemTrayIcon
from tests.desktop.logind import Bus
from tests.desktop.notification_daemon import Daemon, new_signal_to

NOTE = Notification("quarantined", "“A & B” is quarantined", "<b>1 < 2</b> & so on", ((OPEN, "Show"), ("act", "Do")))


class Heard:
    """A service, and what it said."""

    def __init__(self, address: str) -> None:
        self.service = FreedesktopService(address, "Coven Desktop", "file:///icon.svg", "coven-desktop")
        self.acted: list[tuple[str, str, str]] = []
        self.said: list[tuple[str, str]] = []
        self.service.acted.connect(lambda *of: self.acted.append(of))
        self.service.closed.connect(lambda topic: self.said.append(("closed", topic)))
        self.service.not_shown.connect(lambda topic: self.said.append(("not shown", topic)))
        self.service.came.connect(lambda: self.said.append(("came", "")))


@pytest.fixture
def bus(tmp_path: Path) -> Iterator[Bus]:
    with Bus(tmp_path) as found:
        yield found


@pytest.fixture
def daemon(bus: Bus) -> Iterator[Daemon]:
    made = Daemon(bus.address)
    yield made
    made.close()


@pytest.fixture
def heard(bus: Bus, qtbot: QtBot) -> Iterator[Heard]:
    made = Heard(bus.address)
    made.service.open()
    yield made
    made.service.close()
    made.service.deleteLater()


def until(qtbot: QtBot, condition: Callable[[], object]) -> None:
    qtbot.waitUntil(lambda: bool(condition()), timeout=20_000)


def test_what_is_sent_says_who_we_are_and_is_escaped(daemon: Daemon, heard: Heard, qtbot: QtBot) -> None:
    heard.service.show(NOTE)
    until(qtbot, lambda: daemon.notified)
    assert daemon.notified == [
        (
            "Coven Desktop",
            0,
            "file:///icon.svg",
            "“A & B” is quarantined",
            "&lt;b&gt;1 &lt; 2&lt;/b&gt; &amp; so on",
            ["default", "Show", "act", "Do"],
            {"urgency": ("y", 1), "desktop-entry": ("s", "coven-desktop")},
            -1,
        )
    ]
    assert heard.said == [("came", "")]


def test_a_server_that_can_do_less_is_not_asked_for_more(bus: Bus, heard: Heard, qtbot: QtBot) -> None:
    daemon = Daemon(bus.address, ["body"])
    heard.service.show(Notification("away", "Away", "1 < 2", NOTE.actions, Urgency.LOW, quiet=True))
    until(qtbot, lambda: daemon.notified)
    hints = {"urgency": ("y", 0), "desktop-entry": ("s", "coven-desktop"), "suppress-sound": ("b", True)}
    assert daemon.notified[0][4:7] == ("1 < 2", [], hints)
    daemon.close()


def test_a_topic_takes_the_place_of_its_own_and_of_no_other(daemon: Daemon, heard: Heard, qtbot: QtBot) -> None:
    heard.service.show(Notification("away", "Away", ""))
    until(qtbot, lambda: daemon.notified)
    heard.service.show(NOTE)
    # at once: its number is not known yet
    heard.service.show(Notification("quarantined", "2 routines", ""))
    heard.service.show(Notification("quarantined", "3 routines", ""))
    until(qtbot, lambda: len(daemon.notified) == 3)
    assert [(each[3], each[1]) for each in daemon.notified] == [("Away", 0), (NOTE.title, 0), ("3 routines", 42)]
    heard.service.withdraw("quarantined")
    until(qtbot, lambda: daemon.closed)
    assert daemon.closed == [42]


def test_what_is_withdrawn_before_its_number_is_known_is_closed(daemon: Daemon, heard: Heard, qtbot: QtBot) -> None:
    daemon.hangs = True
    heard.service.show(NOTE)
    until(qtbot, lambda: daemon.unanswered)
    daemon.answer_late()
    until(qtbot, lambda: daemon.notified)
    heard.service.withdraw("quarantined")
    until(qtbot, lambda: daemon.closed == [41])


def test_buttons_come_back_with_their_token_and_those_of_others_do_not(
    daemon: Daemon, heard: Heard, qtbot: QtBot
) -> None:
    heard.service.show(NOTE)
    until(qtbot, lambda: daemon.notified)
    daemon.act(7, "act", "other")
    daemon.act(41, "act", "token-1")
    until(qtbot, lambda: heard.acted)
    daemon.act(41, OPEN)
    daemon.dismiss(41)
    until(qtbot, lambda: ("closed", "quarantined") in heard.said)
    assert heard.acted == [("quarantined", "act", "token-1"), ("quarantined", OPEN, "")]


def test_somebody_who_only_pretends_is_not_heard(bus: Bus, daemon: Daemon, heard: Heard, qtbot: QtBot) -> None:
    heard.service.show(NOTE)
    until(qtbot, lambda: daemon.notified)
    pretender = Daemon.__new__(Daemon)
    pretender.connection = open_dbus_connection(bus.address)
    pretender.act(41, "act")
    daemon.act(41, OPEN)
    until(qtbot, lambda: heard.acted)
    assert heard.acted == [("quarantined", OPEN, "")]
    pretender.connection.close()


def test_without_a_service_it_is_said_and_one_that_comes_is_told_of(bus: Bus, heard: Heard, qtbot: QtBot) -> None:
    heard.service.show(NOTE)
    until(qtbot, lambda: ("not shown", "quarantined") in heard.said)
    daemon = Daemon(bus.address)
    until(qtbot, lambda: ("came", "") in heard.said)
    heard.service.show(NOTE)
    until(qtbot, lambda: daemon.notified)
    daemon.close()
    until(qtbot, lambda: not heard.service.there)
    # another one, that knows nothing of the numbers of the first
    second = Daemon(bus.address, ["body"])
    until(qtbot, lambda: heard.said.count(("came", "")) == 2)
    heard.service.show(NOTE)
    until(qtbot, lambda: second.notified)
    assert second.notified[0][1] == 0
    assert second.notified[0][5] == []
    second.close()


def test_a_service_that_hangs_holds_nothing_up(
    bus: Bus, daemon: Daemon, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(freedesktop, "PATIENCE_MS", 50)
    heard = Heard(bus.address)
    heard.service.open()
    daemon.hangs = True
    heard.service.show(NOTE)
    until(qtbot, lambda: ("not shown", "quarantined") in heard.said)
    heard.service.withdraw("quarantined")
    daemon.answer_late()
    heard.service.show(NOTE)
    until(qtbot, lambda: daemon.notified)
    assert len(daemon.notified) == 1
    heard.service.close()


def test_a_service_that_refuses_is_as_good_as_none(daemon: Daemon, heard: Heard, qtbot: QtBot) -> None:
    daemon.refuses = True
    heard.service.show(NOTE)
    until(qtbot, lambda: ("not shown", "quarantined") in heard.said)


@pytest.mark.parametrize("address", ["", "unix:path=/nonexistent/bus", "tcp:host=localhost", "nonsense"])
def test_without_a_bus_nothing_is_shown_and_nothing_is_wrong(address: str, qtbot: QtBot) -> None:
    heard = Heard(address)
    heard.service.open()
    heard.service.show(NOTE)
    assert heard.said == []
    until(qtbot, lambda: heard.said == [("not shown", "quarantined")])
    heard.service.close()


def test_a_bus_that_goes_away_is_looked_for_again(bus: Bus, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(freedesktop, "AGAIN_MS", 20)
    heard = Heard(bus.address)
    heard.service.open()
    first = Daemon(bus.address)
    until(qtbot, lambda: heard.service.there)
    first.close()
    bus.end()
    bus.begin()
    second = Daemon(bus.address)
    until(qtbot, lambda: heard.said.count(("came", "")) == 2)
    heard.service.show(NOTE)
    until(qtbot, lambda: second.notified)
    second.close()
    heard.service.close()


def test_nonsense_from_the_bus_is_left_alone(daemon: Daemon, heard: Heard, qtbot: QtBot) -> None:
    until(qtbot, lambda: heard.service.there)
    for name in {name for name in everybody(daemon) if name != daemon.connection.unique_name}:
        daemon.connection.send(new_signal_to(name))
    heard.service.show(NOTE)
    until(qtbot, lambda: daemon.notified)


def everybody(daemon: Daemon) -> list[str]:
    with open_dbus_connection(f"unix:path={daemon.connection.sock.getpeername()}") as other:
        names = other.send_and_get_reply(message_bus.ListNames(), timeout=20).body[0]
        return [name for name in names if name.startswith(":") and name != other.unique_name]


def test_without_any_service_the_tray_host_shows_it_and_a_click_opens_it(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[tuple[str, str]] = []
    monkeypatch.setattr(QSystemTrayIcon, "supportsMessages", lambda _: True)
    monkeypatch.setattr(QSystemTrayIcon, "showMessage", lambda _, title, body: shown.append((title, body)))
    icons: list[QSystemTrayIcon] = []
    service = BalloonService(lambda: icons[0] if icons else None)
    acted: list[tuple[str, str, str]] = []
    service.acted.connect(lambda *of: acted.append(of))
    # without a tray nobody is told, and nothing is wrong
    service.show(NOTE)
    icons.append(QSystemTrayIcon())
    service.show(NOTE)
    service.show(NOTE)
    assert shown == [(NOTE.title, NOTE.body)] * 2
    icons[0].messageClicked.emit()
    assert acted == [("quarantined", OPEN, "")]
