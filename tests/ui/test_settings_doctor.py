"""Doctor and first run: each check in words and with a test, a report without secrets, and a sample to begin with."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from coven_desktop.engine.commands import reading
from coven_desktop.qt.core import QSettings
from coven_desktop.qt.gui import QGuiApplication
from coven_desktop.ui.settings.doctor_page import DoctorPage
from coven_desktop.ui.settings.doors import Finding
from coven_desktop.ui.settings.first_run import FirstRun
from coven_desktop.ui.texts import Tone
from tests.ui.desk import Desk, until
from tests.ui.settings_house import Rooms, in_a_home_of_its_own


@pytest.fixture
def rooms(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, desk: Desk) -> Iterator[Rooms]:
    in_a_home_of_its_own(monkeypatch, tmp_path)
    made = Rooms(desk)
    yield made
    made.close()


def looked(rooms: Rooms) -> bool:
    return all(row.lines and row.tone is not Tone.BUSY for row in rooms.room.checkup.rows.values())


# --- doctor -----------------------------------------------------------------------------------------------------------


def test_every_check_says_how_it_stands_and_can_be_made_again(rooms: Rooms) -> None:
    page = rooms.page(DoctorPage)
    until("it has looked", lambda: looked(rooms), 60)
    checkup = rooms.room.checkup
    assert set(page.rows.tests) == set(checkup.rows)
    assert "/bin/sh" in page.rows.texts["runtimes"].text()
    assert "no keyring" in page.rows.texts["keyring"].text()
    assert checkup.rows["keyring"].tone is Tone.PLAIN
    assert "Not installed: coven-code" in page.rows.texts["runtimes"].text()
    assert "does not start at login" in page.rows.texts["login"].text()
    assert "Version 20" in page.rows.texts["zones"].text()
    rooms.home.runtimes.write_text('[mine]\nargv = ["no-such-command"]\n')
    page.rows.tests["runtimes"].click()
    assert not page.rows.tests["runtimes"].isEnabled()
    until("it is seen", lambda: "no-such-command was not found" in page.rows.texts["runtimes"].text(), 60)
    # what to do is said with it
    assert "→ Install it" in page.rows.texts["runtimes"].text()
    assert checkup.rows["runtimes"].tone is Tone.BAD


def test_the_report_is_copied_without_secrets_and_without_the_person_s_name(
    rooms: Rooms, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_SECRET_TOKEN", "canary-4711")
    rooms.home.runtimes.write_text('[mine]\nargv = ["cat"]\nenv = { KEY = "canary-4711" }\n')
    page = rooms.page(DoctorPage)
    until("it has looked", lambda: looked(rooms), 60)
    page.copy.click()
    report = QGuiApplication.clipboard().text()
    assert report.startswith("Coven Desktop ")
    for row in rooms.room.checkup.rows.values():
        assert f"{row.title}: " in report
    assert "canary-4711" not in report
    assert os.path.expanduser("~") + "/" not in report


def test_a_test_of_the_notifications_shows_one(rooms: Rooms) -> None:
    shown: list[tuple[str, str]] = []
    rooms.room.notify_asked.connect(lambda title, text: shown.append((title, text)))
    page = rooms.page(DoctorPage)
    until("it has looked", lambda: looked(rooms), 60)
    page.rows.tests["notices"].click()
    assert shown == [("This is a test", "So Coven Desktop tells you when something needs your decision.")]
    until("it has looked", lambda: looked(rooms), 60)


def test_a_doctor_that_gives_no_report_is_told(rooms: Rooms, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.executable", "/bin/false")
    page = rooms.page(DoctorPage)
    until("it is told", lambda: "ended without a report" in page.rows.texts["zones"].text())


def test_the_worst_finding_gives_the_mark(rooms: Rooms) -> None:
    checkup = rooms.room.checkup
    row = checkup.rows["home"]
    checkup._take(row, [Finding("Home", "fine", "a."), Finding("App", "attention", "b.", "do c.")])
    assert checkup.rows["home"].tone is Tone.BAD
    assert (checkup.rows["home"].lines, checkup.rows["home"].advice) == (("a.", "b."), ("do c.",))
    checkup._take(row, [Finding("Home", "fine", "a."), Finding("Other", "attention", "not here.")])
    assert (checkup.rows["home"].tone, checkup.rows["home"].lines) == (Tone.GOOD, ("a.",))


# --- first run --------------------------------------------------------------------------------------------------------


def remembered(rooms: Rooms) -> QSettings:
    return QSettings(str(rooms.home.root / "window.ini"), QSettings.Format.IniFormat)


def welcomed(rooms: Rooms) -> FirstRun:
    rooms.room.welcome(remembered(rooms), routines=False, parent=None)
    return rooms.dialog(FirstRun)


def routines(rooms: Rooms) -> list[tuple[str, str]]:
    found = rooms.desk.do(reading.list_inventory, {})["routines"]
    return [(one["id"], one["lifecycle"]) for one in found]


def test_it_is_shown_once_and_never_to_whoever_has_routines(rooms: Rooms) -> None:
    rooms.room.welcome(remembered(rooms), routines=True, parent=None)
    assert rooms.room.first_run is None
    dialog = welcomed(rooms)
    dialog.skip.click()
    until("it is gone", lambda: rooms.room.first_run is None)
    rooms.room.welcome(remembered(rooms), routines=False, parent=None)
    assert rooms.room.first_run is None
    assert routines(rooms) == []


def test_a_sample_is_made_paused(rooms: Rooms) -> None:
    dialog = welcomed(rooms)
    dialog.paused.click()
    until("it is made", lambda: routines(rooms) == [("sample", "paused")])
    until("it is gone", lambda: rooms.room.first_run is None)


def test_a_sample_is_run_once_and_stays_paused(rooms: Rooms) -> None:
    made: list[str] = []
    rooms.room.sample_made.connect(made.append)
    dialog = welcomed(rooms)
    dialog.once.click()
    until("it runs", lambda: made == ["sample"])
    assert routines(rooms) == [("sample", "paused")]
    until(
        "it ends well", lambda: rooms.desk.do(reading.list_runs, {"id": "sample"})["runs"][0]["status"] == "succeeded"
    )


def test_agents_that_are_found_are_offered(rooms: Rooms, tmp_path: Path) -> None:
    program = tmp_path / "agent"
    program.write_text("#!/bin/sh\ncat\n")
    program.chmod(0o755)
    rooms.home.runtimes.write_text(f'[my-agent]\nargv = ["{program}"]\n')
    dialog = welcomed(rooms)
    until("it is offered", lambda: len(dialog.samples.buttons()) == 2)
    dialog.samples.button(1).click()
    dialog.paused.click()
    until("it is made", lambda: routines(rooms) == [("sample", "paused")])
    (body,) = rooms.desk.do(reading.list_routines, {})["routines"]
    assert b'"runtime":"my-agent"' in bytes(body)


def test_it_can_start_at_login(rooms: Rooms) -> None:
    dialog = welcomed(rooms)
    dialog.login.setChecked(True)
    dialog.skip.click()
    until("it does", lambda: rooms.room._login.look().state == "on")


def test_a_sample_that_is_there_already_is_told(rooms: Rooms) -> None:
    dialog = welcomed(rooms)
    rooms.desk.routine("Sample")
    dialog.paused.click()
    until("it is told", lambda: "It was not made: " in dialog.state.sentence)
    assert dialog.skip.isEnabled()
