"""The tray: a shape for each state, a menu that is not rebuilt while open, and a host that may come late."""

from __future__ import annotations

from dataclasses import replace

import pytest
from pytestqt.qtbot import QtBot

from coven_desktop.contract import timestamps
from coven_desktop.desktop import tray_host
from coven_desktop.desktop.tray_host import TrayHost
from coven_desktop.engine.listing import Startable
from coven_desktop.engine.pause_all import Pause
from coven_desktop.engine.reads import NextFiring, RunningRun, StateSummary
from coven_desktop.qt.gui import QGuiApplication
from coven_desktop.qt.widgets import QMenu
from coven_desktop.ui.shell import Shell
from coven_desktop.ui.status import STALLED_AFTER_MS, Heartbeat
from coven_desktop.ui.times import Times
from coven_desktop.ui.tray import app_icon, tray_icon
from coven_desktop.ui.tray_menu import TrayMenu
from coven_desktop.ui.tray_state import SHAPES, Shape, TrayState, attention_lines, state_line
from tests.ui.desk import Desk, until
from tests.ui.test_texts import StoppedClock
from tests.ui.test_window import press, question

NOW = 1_806_000_000_000
HOUR = 3_600_000
LATER = NOW + 4 * HOUR
QUIET = StateSummary(
    running=(),
    undecided=0,
    held=0,
    quarantined=0,
    waiting=0,
    next=(),
    active=3,
    paused=0,
    storage="ok",
    last_pass_at=NOW,
    clock_shift_ms=0,
)
RUN = RunningRun("run-1", "occ-1", "notes", "Notes & more", "session-1", "attempt-1", NOW - 42_000, False)

with_tray_host = pytest.mark.skipif(
    "QGuiApplication.platformName() != 'xcb'", reason="needs an X server with a panel, as packaging/test has"
)


@pytest.fixture
def tray(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> TrayMenu:
    monkeypatch.setenv("TZ", "utc")
    made = TrayMenu(Times(StoppedClock("2027-03-25T05:20:00Z")))
    qtbot.addWidget(made.menu)
    return made


@pytest.mark.parametrize(
    ("summary", "shape", "line"),
    [
        (QUIET, "idle", "Idle"),
        (replace(QUIET, active=0), "idle", "No routines yet"),
        (replace(QUIET, active=0, paused=2), "paused", "All routines are paused"),
        (replace(QUIET, running=(RUN,)), "running", "1 running"),
        (replace(QUIET, running=(RUN,), undecided=2), "attention", "2 need attention · 1 running"),
        (replace(QUIET, held=1), "attention", "1 needs attention"),
        (replace(QUIET, held=1, quarantined=1, waiting=2), "attention", "2 need attention · 2 wait to retry"),
        (replace(QUIET, waiting=1), "idle", "1 waits to retry"),
        (replace(QUIET, claims_wait=True), "idle", "Waiting for the network after sleep"),
        (replace(QUIET, pause=Pause(NOW, None)), "paused", "Everything is paused"),
        (replace(QUIET, pause=Pause(NOW, LATER)), "paused", "Everything is paused until 22:40"),
        (replace(QUIET, pause=Pause(NOW, None), running=(RUN,)), "paused", "Everything is paused · 1 running"),
        (replace(QUIET, pause=Pause(NOW, None), held=1), "attention", "Everything is paused · 1 needs attention"),
        (replace(QUIET, low_disk=True), "attention", "The disk is almost full: free some space"),
        (replace(QUIET, running=(RUN,), waiting_for_place=2), "running", "1 running · 2 wait for a free place"),
        (replace(QUIET, unknown=1), "attention", "1 run goes on that is not known here"),
        (replace(QUIET, storage="degraded"), "stalled", "The database is damaged: nothing is started"),
    ],
)
def test_the_shape_and_the_line_tell_what_matters_most(
    summary: StateSummary, shape: Shape, line: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TZ", "utc")
    state = TrayState(summary)
    assert (state.shape, state_line(state, Times(StoppedClock("2027-03-25T05:20:00Z")))) == (shape, line)
    stalled = replace(state, stalled=True)
    assert stalled.shape == "stalled"
    assert state_line(stalled) in ("The scheduler stands still", "The database is damaged: nothing is started")


def test_what_failed_unseen_is_told_and_asks_for_nothing() -> None:
    state = TrayState(QUIET, failed=1)
    assert (state.shape, state_line(state)) == ("idle", "1 failed since you last looked")
    state = TrayState(replace(QUIET, held=1), failed=3)
    assert state_line(state) == "1 needs attention · 3 failed since you last looked"


def test_what_is_held_and_quarantined_is_told_once() -> None:
    both = replace(QUIET, held=2, quarantined=1, held_in_quarantine=1)
    assert attention_lines(both) == ["1 failed run is held for your retry", "1 routine is quarantined"]


def test_every_state_has_a_shape_of_its_own_on_light_and_dark_panels(qtbot: QtBot) -> None:
    pictures = []
    for dark in (False, True):
        for shape in SHAPES:
            image = tray_icon(shape, dark_panel=dark).pixmap(22, 22).toImage()
            assert not image.isNull()
            # which pixels are drawn at all: the shape without its colour
            drawn = "".join("#" if image.pixelColor(x, y).alpha() > 160 else "." for y in range(22) for x in range(22))
            assert drawn.count("#") > 60
            pictures.append((dark, drawn))
    assert len(set(pictures)) == len(pictures)
    assert not app_icon().pixmap(64, 64).isNull()


def texts(menu: QMenu) -> list[str]:
    return [action.text() for action in menu.actions() if not action.isSeparator()]


def submenu(menu: QMenu, title: str) -> QMenu:
    for action in menu.actions():
        found = action.menu()
        if action.text() == title and isinstance(found, QMenu):
            return found
    raise AssertionError(f"no {title} in {texts(menu)}")


def full() -> TrayState:
    return TrayState(
        replace(
            QUIET,
            running=(RUN, replace(RUN, occurrence_id="occ-2", name="Backup", stopping=True)),
            undecided=1,
            next=(NextFiring("notes", "Notes", NOW + 3_600_000),),
        ),
        (Startable("notes", "Notes", False), Startable("review", "Review", True)),
        5,
    )


def test_while_everything_is_paused_the_menu_promises_no_next_run(tray: TrayMenu) -> None:
    state = full()
    tray.show_state(state)
    assert any("Notes" in text for text in texts(tray.menu))
    tray.show_state(replace(state, summary=replace(state.summary, pause=Pause(NOW, None))))
    assert not any("Notes" in text for text in texts(tray.menu))
    assert "Everything is paused" in texts(tray.menu)[0]


def test_the_menu_offers_what_is_done_most(tray: TrayMenu) -> None:
    assert texts(tray.menu) == ["Starting…", "Open Coven Desktop", "Settings…", "Quit"]
    tray.show_state(full())
    assert texts(tray.menu) == [
        "2 running",
        texts(tray.menu)[1],
        "Needs attention (1)",
        "Running",
        "Run now",
        "Pause all until…",
        "Snooze notifications",
        "Open Coven Desktop",
        "Settings…",
        "Quit… (2 runs go on)",
    ]
    assert texts(tray.menu)[1].endswith("   Notes")
    running = submenu(tray.menu, "Running")
    assert texts(running)[0].startswith("Notes && more   ")
    assert texts(running)[1] == "Backup   stopping…"
    assert texts(submenu(tray.menu, "Run now")) == ["Notes", "Review   (paused)", "3 more in the window…"]


@pytest.mark.parametrize(
    ("over_the_bus", "label"),
    # Qt makes the first & a _ for the bus, where `_&` is shown as &
    [(True, "my__notes && yours & theirs"), (False, "my_notes && yours && theirs")],
)
def test_a_name_is_shown_as_it_is_whoever_shows_the_menu(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, over_the_bus: bool, label: str
) -> None:
    monkeypatch.setenv("TZ", "utc")
    made = TrayMenu(Times(StoppedClock("2027-03-25T05:20:00Z")), over_the_bus=over_the_bus)
    qtbot.addWidget(made.menu)
    name = "my_notes & yours & theirs"
    made.show_state(
        TrayState(replace(QUIET, running=(replace(RUN, name=name),)), (Startable("notes", name, False),), 1)
    )
    assert label in texts(submenu(made.menu, "Run now"))
    assert texts(submenu(made.menu, "Running"))[0].startswith(label + "   ")


def test_of_many_runs_the_first_are_in_the_menu_and_the_rest_in_the_window(tray: TrayMenu) -> None:
    state = full()
    tray.show_state(replace(state, summary=replace(state.summary, running=(RUN,) * 500)))
    running = texts(submenu(tray.menu, "Running"))
    assert len(running) == 11
    assert running[-1] == "490 more in the window…"


def test_what_steers_the_writing_is_shown_as_nothing_else(tray: TrayMenu) -> None:
    steering = "one\ntwo \u202egnp.exe"
    tray.show_state(TrayState(QUIET, (Startable("notes", steering, False),), 1))
    assert texts(submenu(tray.menu, "Run now")) == ["one two �gnp.exe"]


def test_the_menu_says_what_was_asked_for(tray: TrayMenu) -> None:
    tray.show_state(full())
    asked: list[tuple[object, ...]] = []
    tray.run_asked.connect(lambda *what: asked.append(what))
    tray.output_asked.connect(lambda *what: asked.append(what))
    tray.stop_asked.connect(lambda *what: asked.append(what))
    submenu(tray.menu, "Run now").actions()[1].trigger()
    first, second = (action.menu() for action in submenu(tray.menu, "Running").actions())
    assert isinstance(first, QMenu)
    assert isinstance(second, QMenu)
    first.actions()[0].trigger()
    first.actions()[1].trigger()
    assert not second.actions()[1].isEnabled()
    assert asked == [("review", "Review", True), ("occ-1",), ("occ-1", "Notes & more")]


def test_the_menu_pauses_everything_and_resumes_it(tray: TrayMenu) -> None:
    asked: list[object] = []
    tray.pause_asked.connect(asked.append)
    tray.resume_asked.connect(lambda: asked.append("resume"))
    tray.show_state(full())
    pause = submenu(tray.menu, "Pause all until…")
    assert texts(pause) == ["For 1 hour", "Until tomorrow 08:00", "Until I resume"]
    for action in pause.actions():
        action.trigger()
    state = full()
    tray.show_state(replace(state, summary=replace(state.summary, pause=Pause(NOW, None))))
    assert "Pause all until…" not in texts(tray.menu)
    choose(tray.menu, "Resume everything")
    now = timestamps.parse("2027-03-25T05:20:00Z")
    assert asked == [now + HOUR, timestamps.parse("2027-03-26T08:00:00Z"), None, "resume"]


def test_the_menu_snoozes_notifications(tray: TrayMenu) -> None:
    asked: list[object] = []
    tray.snooze_asked.connect(asked.append)
    tray.settings_asked.connect(lambda: asked.append("settings"))
    tray.show_state(full())
    snooze = submenu(tray.menu, "Snooze notifications")
    assert texts(snooze) == ["For 30 minutes", "For 1 hour", "For 8 hours", "Until tomorrow 08:00"]
    for action in snooze.actions():
        action.trigger()
    now = timestamps.parse("2027-03-25T05:20:00Z")
    tray.show_state(replace(full(), snoozed_until=now + HOUR))
    choose(tray.menu, "Show notifications again (off until 06:20)")
    choose(tray.menu, "Settings…")
    tomorrow = timestamps.parse("2027-03-26T08:00:00Z")
    assert asked == [now + HOUR // 2, now + HOUR, now + 8 * HOUR, tomorrow, None, "settings"]


def choose(menu: QMenu, text: str) -> None:
    next(action for action in menu.actions() if action.text() == text).trigger()


def test_a_heartbeat_is_late_when_no_pass_ends_whatever_the_wall_clock_says() -> None:
    heartbeat = Heartbeat(1_000)
    heartbeat.see(NOW, 2_000)
    heartbeat.see(NOW, 100_000)
    assert not heartbeat.late(2_000 + STALLED_AFTER_MS)
    assert heartbeat.late(2_001 + STALLED_AFTER_MS)
    heartbeat.see(NOW - 1, 2_001 + STALLED_AFTER_MS)
    assert not heartbeat.late(2_001 + STALLED_AFTER_MS)


def test_a_pass_that_changed_nothing_rebuilds_nothing(tray: TrayMenu) -> None:
    tray.show_state(TrayState(QUIET))
    before = tray.menu.actions()
    tray.show_state(TrayState(replace(QUIET, last_pass_at=NOW + 60_000)))
    assert tray.menu.actions() == before
    tray.show_state(TrayState(replace(QUIET, active=4, waiting=1)))
    assert tray.menu.actions() != before
    assert texts(tray.menu)[0] == "1 waits to retry"


def test_the_menu_is_not_rebuilt_while_it_is_open(tray: TrayMenu) -> None:
    tray.show_state(TrayState(QUIET))
    tray.menu.aboutToShow.emit()
    before = tray.menu.actions()
    tray.show_state(full())
    assert tray.menu.actions() == before
    assert texts(tray.menu)[0] == "Idle"
    tray.menu.aboutToHide.emit()
    until("it is rebuilt once closed", lambda: "Running" in texts(tray.menu))


def test_a_host_that_never_says_that_it_closed_the_menu_shows_it_as_it_is_now(tray: TrayMenu) -> None:
    tray.show_state(TrayState(QUIET))
    tray.menu.aboutToShow.emit()
    tray.show_state(full())
    tray.menu.aboutToShow.emit()
    assert "Running" in texts(tray.menu)


def test_whoever_chose_something_has_closed_the_menu(tray: TrayMenu) -> None:
    tray.show_state(full())
    tray.menu.aboutToShow.emit()
    submenu(tray.menu, "Pause all until…").actions()[-1].trigger()
    tray.show_state(replace(full(), summary=replace(QUIET, pause=Pause(NOW, None))))
    assert "Resume everything" in texts(tray.menu)
    tray.menu.aboutToShow.emit()
    tray.show_state(full())
    assert "Running" not in texts(tray.menu)
    choose(tray.menu, "Open Coven Desktop")
    until("what came while it was open is shown", lambda: "Running" in texts(tray.menu))


def test_a_late_host_is_seen(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    there: list[bool] = []
    looks: list[bool] = []

    def present() -> bool:
        looks.append(bool(there))
        return bool(there)

    monkeypatch.setattr(tray_host, "present", present)
    monkeypatch.setattr(tray_host, "EAGER_MS", 1)
    host = TrayHost()
    came: list[bool] = []
    host.came.connect(lambda: came.append(True))
    host.watch()
    until("it has looked", lambda: len(looks) > 3)
    assert not came
    there.append(True)
    until("it has come", lambda: came)
    host.stop()
    assert came == [True]


def test_a_host_that_goes_and_comes_again_is_seen(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    there = [True]
    monkeypatch.setattr(tray_host, "present", lambda: there[0])
    monkeypatch.setattr(tray_host, "EAGER_MS", 1)
    monkeypatch.setattr(tray_host, "PATIENT_MS", 1)
    host = TrayHost()
    said: list[str] = []
    host.came.connect(lambda: said.append("came"))
    host.went.connect(lambda: said.append("went"))
    host.watch()
    for expected in ("came", "went", "came"):
        until(f"it has seen that it {expected}", lambda expected=expected: said[-1:] == [expected])  # type: ignore[misc]
        there[0] = not there[0]
    host.stop()


@with_tray_host
def test_on_a_desktop_with_a_panel_the_icon_is_shown(desk: Desk, shell: Shell) -> None:
    assert QGuiApplication.platformName() == "xcb"
    desk.routine("Backup", "sleep 300")
    occurrence = desk.run("backup")
    tray = until("the tray is there", lambda: shell.presence.tray)
    until("the host shows it", tray.icon.isVisible)
    until("the menu knows the run", lambda: "Running" in texts(tray.menu.menu))
    shell.window.close()
    assert not shell.window.isVisible()
    one = submenu(tray.menu.menu, "Running").actions()[0].menu()
    assert isinstance(one, QMenu)
    one.actions()[1].trigger()
    press(question(), "Stop it")
    until(
        "it is stopped", lambda: (stop := shell.acts.stop_of(occurrence)) is not None and stop.progress == "confirmed"
    )
    choose(tray.menu.menu, "Open Coven Desktop")
    assert shell.window.isVisible()
