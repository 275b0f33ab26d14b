"""Where the app is without its window: a tray that is missing, late, or restarted; closing, logging out."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from coven_desktop.clock import SystemClock
from coven_desktop.desktop import tray_host
from coven_desktop.qt.widgets import QApplication
from coven_desktop.settings import Settings
from coven_desktop.ui import presence
from coven_desktop.ui.chosen import Chosen
from coven_desktop.ui.crash_dialog import CrashDialog
from coven_desktop.ui.presence import Presence
from coven_desktop.ui.times import Times
from tests.ui.desk import Desk, until
from tests.ui.test_window import press, question


class Host:
    """A tray host that comes and goes as the test says; the icon itself is not shown anywhere."""

    def __init__(self) -> None:
        self.there = True


@pytest.fixture
def host(monkeypatch: pytest.MonkeyPatch) -> Host:
    made = Host()
    monkeypatch.setattr(tray_host, "present", lambda: made.there)
    monkeypatch.setattr(tray_host, "EAGER_MS", 5)
    monkeypatch.setattr(tray_host, "PATIENT_MS", 5)
    monkeypatch.setattr(presence, "FOREGROUND_WAIT_MS", 20)
    monkeypatch.setattr(presence, "BACKGROUND_WAIT_MS", 20)
    monkeypatch.setattr(presence, "RESTART_WAIT_MS", 20)
    return made


def test_without_a_tray_the_window_says_so_calmly_and_once(desk: Desk, host: Host) -> None:
    host.there = False
    first = desk.shell_started()
    until("it is said", first.window.notice.isVisible)
    assert "no tray icons" in first.window.notice.text.text()
    first.close()
    second = desk.shell()
    second.start(background=True)
    until("the window opens all the same", second.window.isMinimized)
    assert not second.window.notice.isVisible()


def test_a_tray_that_comes_late_takes_the_notice_away(desk: Desk, host: Host) -> None:
    host.there = False
    shell = desk.shell_started()
    until("it is said", shell.window.notice.isVisible)
    host.there = True
    until("the icon is there", lambda: shell.presence.icon())
    assert not shell.window.notice.isVisible()


@pytest.mark.parametrize(
    ("desktop", "advice"),
    [("ubuntu:GNOME", "AppIndicator and KStatusNotifierItem Support"), ("XFCE", "its icon comes by itself")],
)
def test_it_says_what_can_be_done(
    desk: Desk, host: Host, desktop: str, advice: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CURRENT_DESKTOP", desktop)
    host.there = False
    shell = desk.shell_started()
    until("it is said", shell.window.notice.isVisible)
    assert advice in shell.window.notice.text.text()


def test_without_a_tray_closing_the_window_asks_what_is_meant(desk: Desk, host: Host) -> None:
    host.there = False
    shell = desk.shell_started()
    quits: list[bool] = []
    shell.quit_wanted.connect(lambda: quits.append(True))
    shell.window.close()
    press(question(), "Keep the window")
    assert shell.window.isVisible()
    shell.window.close()
    press(question(), "Quit")
    assert quits == [True]


def test_closing_the_window_goes_to_the_tray_and_says_so_once(desk: Desk, host: Host) -> None:
    shell = desk.shell_started()
    until("the tray is there", lambda: shell.presence.tray)
    shell.window.close()
    assert not shell.window.isVisible()
    assert [each.title for each in desk.notifications.given] == ["Coven Desktop goes on in the tray"]
    desk.notifications.acted.emit("note", "default", "")
    assert shell.window.isVisible()
    shell.window.close()
    assert len(desk.notifications.given) == 1


def test_one_who_wants_no_background_quits_by_closing(desk: Desk, host: Host) -> None:
    shell = desk.shell_started()
    until("the tray is there", lambda: shell.presence.tray)
    desk.chosen = Settings(run_in_background=False)
    quits: list[bool] = []
    shell.quit_wanted.connect(lambda: quits.append(True))
    shell.window.close()
    assert quits == [True]


def test_a_crash_is_offered_once_and_can_be_copied(
    desk: Desk, host: Host, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    desk.home.last_crash.write_text(f'Fatal Python error: Aborted\n  File "{tmp_path}/x.py", line 3 in work\n')
    first = desk.shell_started()
    assert "brought down" in first.window.notice.text.text()
    first.window.notice.button.click()
    dialog = until("it is shown", lambda: first.window.findChild(CrashDialog))
    dialog.copy_button.click()
    copied = QApplication.clipboard().text()
    assert 'File "~/x.py", line 3 in work' in copied
    assert copied.startswith("Coven Desktop ")
    dialog.close()
    first.close()
    second = desk.shell_started()
    assert not second.window.notice.isVisible()
    second.close()
    desk.home.last_crash.write_text("another\n")
    assert desk.shell_started().window.notice.isVisible()


def test_the_icon_is_there_before_anything_stands_behind_it(qtbot: QtBot, host: Host) -> None:
    alone = Presence(Times(SystemClock()))
    alone.look()
    assert alone.tray is not None
    texts = [action.text() for action in alone.tray.menu.menu.actions() if action.text()]
    assert texts == ["Starting…", "Open Coven Desktop", "Settings…", "Quit"]
    asked: list[str] = []
    alone.quit_asked.connect(lambda: asked.append("quit"))
    alone.open_asked.connect(lambda: asked.append("open"))
    for action in alone.tray.menu.menu.actions():
        if action.text() in ("Quit", "Open Coven Desktop"):
            action.trigger()
    assert asked == ["open", "quit"]
    alone.close()
    alone.close()
    assert not alone.tray.icon.isVisible()


def test_settings_count_as_soon_as_the_file_has_changed(tmp_path: Path) -> None:
    chosen = Chosen(tmp_path / "settings.toml")
    assert chosen() == Settings()
    (tmp_path / "settings.toml").write_text("notifications = false\n")
    assert chosen() == Settings(notifications=False)
    assert chosen() is chosen()
    (tmp_path / "settings.toml").unlink()
    assert chosen() == Settings()


def test_a_host_that_goes_for_good_brings_the_window_back_and_one_that_restarts_does_not(
    desk: Desk, host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    shell = desk.shell_started()
    until("the tray is there", lambda: shell.presence.icon())
    shell.window.close()
    monkeypatch.setattr(presence, "RESTART_WAIT_MS", 60_000)
    host.there = False
    until("it is gone", lambda: shell.presence.icon() is None)
    host.there = True
    until("it is back", lambda: shell.presence.icon())
    assert not shell.window.isVisible()
    monkeypatch.setattr(presence, "RESTART_WAIT_MS", 20)
    host.there = False
    until("the window is back", shell.window.isVisible)
    # and closing it asks again, for nothing would be left to see
    shell.window.close()
    press(question(), "Go on without a window")
    assert not shell.window.isVisible()


def test_a_logout_closes_the_window_unasked_and_one_broken_off_leaves_it_as_it_was(
    desk: Desk, host: Host, qtbot: QtBot
) -> None:
    host.there = False
    shell = desk.shell_started()
    shell.acts.delete("nobody", "Nobody")
    shell.session_ends()
    # what waited to be undone is sent: there is no later
    assert shell.acts.deletions == ()
    assert shell.window.close()
    assert not shell.window.isVisible()
    assert QApplication.activeModalWidget() is None
    shell.window.show()
    shell.window.removeEventFilter(shell)
    assert not shell.window.close()
    press(question(), "Keep the window")
