"""The page of data: a backup now, one put in place after a question, an export, and an import that tells changes."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from coven_desktop.engine.commands import cancellation, reading, routine_settings
from coven_desktop.qt.core import Qt
from coven_desktop.qt.widgets import QFileDialog
from coven_desktop.store import backup
from coven_desktop.ui.questions import Question
from coven_desktop.ui.settings.crontab_dialog import CrontabDialog
from coven_desktop.ui.settings.data_page import DataPage, _plain
from coven_desktop.ui.settings.import_dialog import ImportDialog
from coven_desktop.ui.settings.zones_page import ZonesPage
from tests.ui.desk import Desk, definition, until
from tests.ui.settings_house import Rooms, in_a_home_of_its_own


@pytest.fixture
def rooms(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, desk: Desk) -> Iterator[Rooms]:
    in_a_home_of_its_own(monkeypatch, tmp_path)
    made = Rooms(desk)
    yield made
    made.close()


def routines(rooms: Rooms) -> dict[str, dict[str, Any]]:
    """What is there, by id."""
    found = _plain(rooms.desk.do(reading.list_inventory, {}))
    return {one["id"]: one for one in found}


def export(rooms: Rooms, path: Path) -> dict[str, Any]:
    page = rooms.page(DataPage)
    page.export_to(path)
    until("it is written", lambda: str(path) in page.carried.sentence)
    document: dict[str, Any] = json.loads(path.read_text())
    return document


def importing(rooms: Rooms, path: Path) -> ImportDialog:
    rooms.page(DataPage).import_from(path)
    return rooms.dialog(ImportDialog)


def lines(dialog: ImportDialog) -> list[str]:
    return [dialog.list.item(row).text() for row in range(dialog.list.count())]


def take(dialog: ImportDialog | CrontabDialog) -> None:
    dialog.take.click()
    until("it is done", lambda: dialog.take.isHidden())


# --- backups ----------------------------------------------------------------------------------------------------------


def by_hand(page: DataPage) -> list[str]:
    """The lines of those that were asked for: the day's own may be made at the same time."""
    return [text for row in range(page.list.count()) if "made by you" in (text := page.list.item(row).text())]


def test_a_backup_now_is_made_told_and_listed(rooms: Rooms) -> None:
    page = rooms.page(DataPage)
    page.now.click()
    until("it is made", lambda: "was read through" in page.state.sentence)
    newest = backup.newest_backup(rooms.home.backups)
    assert newest is not None
    assert newest.name in page.state.sentence
    backup.check_sealed(newest)
    until("it is listed", lambda: by_hand(page))
    assert [text.startswith("today ") for text in by_hand(page)] == [True]
    assert page.now.isEnabled()


def test_restoring_is_asked_about_and_then_asked_for(rooms: Rooms) -> None:
    page = rooms.page(DataPage)
    asked: list[Path] = []
    rooms.room.restore_asked.connect(asked.append)
    page.now.click()
    until("it is listed", lambda: by_hand(page))
    assert not page.restore.isEnabled()
    page.list.setCurrentRow(0)
    page.restore.click()
    question = rooms.answer(1)
    assert asked == []
    until("it is gone", lambda: not question.isVisible())
    page.restore.click()
    rooms.answer(0)
    until("it is asked for", lambda: asked == [backup.newest_backup(rooms.home.backups)])


def test_nothing_is_restored_under_a_run(rooms: Rooms) -> None:
    rooms.desk.routine("Long", "sleep 600")
    run = rooms.desk.run("long")
    page = rooms.page(DataPage)
    page.now.click()
    until("it is listed", lambda: page.list.count() and "today" in page.list.item(0).text())
    page.list.setCurrentRow(0)
    page.restore.click()
    until("it is told", lambda: "Stop them or let them end" in page.state.sentence)
    body = {"action": "coven.automations.occurrence.cancel.v1", "adoptionKey": "test:stop:0001", "occurrenceId": run}
    rooms.desk.do(cancellation.cancel_occurrence, body)


# --- export and import ------------------------------------------------------------------------------------------------


def test_an_export_is_this_account_s_own_and_has_everything(rooms: Rooms, tmp_path: Path) -> None:
    rooms.desk.routine("Daily notes", tags=["notes"])
    body = {
        "adoptionKey": "test:settings:0001",
        "automationId": "daily-notes",
        "settings": {"environment": {"A": "1"}, "secrets": ["TOKEN"]},
        "expectedRevision": 0,
    }
    rooms.desk.do(routine_settings.put, body)
    path = tmp_path / "out.json"
    document = export(rooms, path)
    assert document["schemaVersion"] == "coven.desktop.export.v1"
    (one,) = document["routines"]
    assert one["definition"]["tags"] == ["notes"]
    assert (one["settings"]["environment"], one["settings"]["secrets"]) == ({"A": "1"}, ["TOKEN"])
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_what_is_the_same_is_not_offered(rooms: Rooms, tmp_path: Path) -> None:
    rooms.desk.routine("Daily notes")
    path = tmp_path / "out.json"
    export(rooms, path)
    dialog = importing(rooms, path)
    assert lines(dialog) == ["Daily notes — the same is here"]
    assert not dialog.take.isEnabled()


def test_new_ones_come_paused_with_their_settings(rooms: Rooms, tmp_path: Path) -> None:
    path = tmp_path / "in.json"
    settings = {"environment": {"A": "1"}, "secrets": ["TOKEN"]}
    entries = [
        {
            "managed": managed,
            "family": "rrule",
            "definition": definition(name, "true", str(tmp_path)),
            "settings": settings,
        }
        for name, managed in (("One", "legacy"), ("Two", "v1"))
    ]
    path.write_text(json.dumps({"schemaVersion": "coven.desktop.export.v1", "routines": entries}))
    dialog = importing(rooms, path)
    assert lines(dialog) == ["One — new", "Two — new"]
    assert dialog.take.text() == "&Take over 2 routines, paused"
    take(dialog)
    assert "2 routines are taken over, paused." in dialog.told.text()
    found = routines(rooms)
    assert [(one["lifecycle"], one["managed"]) for one in found.values()] == [("paused", "legacy"), ("paused", "v1")]
    assert found["two"]["settings"] == {"revision": 1, **settings}


def test_what_differs_is_shown_and_taken_only_when_it_is_ticked(rooms: Rooms, tmp_path: Path) -> None:
    rooms.desk.routine("Daily notes", "echo mine")
    path = tmp_path / "out.json"
    document = export(rooms, path)
    document["routines"][0]["definition"]["prompt"] = "echo theirs"
    document["routines"][0]["settings"]["environment"] = {"B": "2"}
    path.write_text(json.dumps(document))
    dialog = importing(rooms, path)
    assert lines(dialog) == ["Daily notes — differs from yours"]
    assert not dialog.take.isEnabled()
    for text in ("echo mine", "echo theirs", "Variables", "B=2"):
        assert text in dialog.changes.text
    dialog.list.item(0).setCheckState(Qt.CheckState.Checked)
    take(dialog)
    found = routines(rooms)["daily-notes"]
    assert (found["definition"]["prompt"], found["lifecycle"], found["revision"]) == ("echo theirs", "paused", 2)
    assert found["settings"]["environment"] == {"B": "2"}


def test_one_that_is_refused_is_told_and_the_others_are_taken(rooms: Rooms, tmp_path: Path) -> None:
    path = tmp_path / "in.json"
    entries = [
        {"definition": {**definition("Bad", "true", str(tmp_path)), "rrule": "FREQ=HOURLY"}},
        {"definition": definition("Good", "true", str(tmp_path))},
        {"family": "moon", "definition": definition("Moon", "true", str(tmp_path))},
    ]
    path.write_text(json.dumps({"schemaVersion": "coven.desktop.export.v1", "routines": entries}))
    dialog = importing(rooms, path)
    assert lines(dialog)[2] == "Moon — this version does not know its kind of schedule"
    take(dialog)
    assert "1 routine is taken over, paused." in dialog.told.text()
    assert "“Bad”: " in dialog.told.text()
    assert list(routines(rooms)) == ["good"]


CRON = {"kind": "cron", "expression": "0 9 * * mon-fri", "timezone": "utc"}


def ours(automation_id: str, schedule: dict[str, Any], **more: Any) -> dict[str, Any]:
    """An entry of a routine of our own form."""
    body = {
        "schemaVersion": "coven.desktop.routine.v1",
        "id": automation_id,
        "name": automation_id.title(),
        "status": "ACTIVE",
        "schedule": schedule,
        "runtime": "shell",
        "prompt": "true",
        "cwd": "/tmp",
        "timeoutMinutes": 30,
        **more,
    }
    settings = {"environment": {"A": "1"}, "secrets": ["TOKEN"]}
    return {"family": schedule["kind"], "managed": "v1", "definition": body, "settings": settings}


def test_routines_of_every_family_come_paused_and_what_differs_is_shown(rooms: Rooms, tmp_path: Path) -> None:
    path = tmp_path / "in.json"
    past = {"kind": "cadence", "mode": "once", "anchor": "2001-01-01T09:00:00", "timezone": "utc", "catchUp": "skip"}
    delivery = {"kind": "file", "path": "/tmp/told.txt", "mode": "append"}
    entries = [ours("often", CRON, delivery=delivery), ours("ended", past), {**ours("lost", CRON), "id": "lost"}]
    entries[2]["definition"] = None
    path.write_text(json.dumps({"schemaVersion": "coven.desktop.export.v1", "routines": entries}))
    dialog = importing(rooms, path)
    assert lines(dialog) == [
        "Often — new",
        "Ended — new",
        "lost — it was not understood any more when it was exported",
    ]
    assert "/tmp/told.txt" in dialog.changes.text
    take(dialog)
    found = routines(rooms)
    assert {one: found[one]["lifecycle"] for one in found} == {"ended": "paused", "often": "paused"}
    assert found["often"]["definition"]["delivery"] == delivery
    assert found["often"]["settings"] == {"revision": 1, "environment": {"A": "1"}, "secrets": ["TOKEN"]}
    dialog.close()
    # what differs takes the place of what is here, whatever family each is of
    entries = [
        ours("often", {**CRON, "expression": "0 10 * * *"}),
        {"family": "rrule", "managed": "legacy", "definition": definition("Ended", "true", str(tmp_path))},
    ]
    path.write_text(json.dumps({"schemaVersion": "coven.desktop.export.v1", "routines": entries}))
    again = importing(rooms, path)
    assert lines(again) == ["Often — differs from yours", "Ended — differs from yours"]
    assert "Schedule" in again.changes.text
    for row in range(2):
        again.list.item(row).setCheckState(Qt.CheckState.Checked)
    take(again)
    assert "2 routines are taken over, paused." in again.told.text()
    found = routines(rooms)
    assert found["often"]["definition"]["schedule"]["expression"] == "0 10 * * *"
    assert (found["ended"]["family"], found["ended"]["lifecycle"]) == ("rrule", "paused")


CRONTAB = """\
MAILTO=me
30 7 * * mon-fri cd ~/notes && make today
LEVEL=brief
0 9 1 * * cat > /tmp/x%hello
@daily rotate
"""


def looked_at(rooms: Rooms, path: Path) -> CrontabDialog:
    rooms.page(DataPage).import_crontab_from(path)
    return rooms.dialog(CrontabDialog)


def test_a_crontab_is_looked_at_line_by_line_and_then_taken_over(rooms: Rooms, tmp_path: Path) -> None:
    path = tmp_path / "table"
    path.write_text(CRONTAB)
    dialog = looked_at(rooms, path)
    assert [(line.number, line.becomes.split(":")[0]) for line in dialog.lines] == [
        (1, "Left out"),
        (2, "New"),
        (4, "New"),
        (5, "Not taken over"),
    ]
    for row, line in enumerate(dialog.lines):
        told = [dialog.table.item(row, column) for column in range(3)]
        assert [cell and cell.text() for cell in told] == [str(line.number), line.text, line.becomes]
    assert routines(rooms) == {}
    dialog.table.setCurrentCell(3, 0)
    assert "Write instead: 0 0 * * *" in dialog.more.toPlainText()
    dialog.table.setCurrentCell(2, 0)
    assert "Variables: LEVEL." in dialog.more.toPlainText()
    assert "hello" in dialog.more.toPlainText()
    assert dialog.take.text() == "&Take over 2 routines, paused"
    take(dialog)
    assert "take each out of the crontab" in dialog.told.text()
    assert {(one["family"], one["lifecycle"]) for one in routines(rooms).values()} == {("cron", "paused")}
    assert rooms.page(DataPage).carried.sentence.startswith("2 routines are taken over.")
    dialog.close()
    until("it is gone", lambda: not dialog.isVisible())
    again = looked_at(rooms, path)
    assert "Already here as" in again.lines[1].more
    assert not again.take.isEnabled()
    assert again.told.text() == "There is nothing to take over. Each line says why."


def test_it_begins_with_the_person_s_own_crontab(rooms: Rooms, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "bin" / "crontab"
    program.parent.mkdir()
    program.write_text('#!/bin/sh\n[ "$*" = -l ] && echo "0 9 * * * mine"\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")
    page = rooms.page(DataPage)
    page.crontab.click()
    dialog = rooms.dialog(CrontabDialog)
    assert [line.text for line in dialog.lines] == ["0 9 * * * mine"]
    assert "your crontab" in dialog.windowTitle()
    dialog.another.click()
    chooser = rooms.dialog(QFileDialog)
    assert not dialog.isVisible()
    chooser.reject()
    until("it is gone", lambda: not chooser.isVisible())
    # who has none is asked for a file
    program.write_text("#!/bin/sh\necho no crontab for me >&2\nexit 1\n")
    page.crontab.click()
    rooms.dialog(QFileDialog).reject()
    assert routines(rooms) == {}


def says(page: DataPage, words: str) -> bool:
    return words in page.carried.sentence


def test_a_file_that_is_no_crontab_is_told(rooms: Rooms, tmp_path: Path) -> None:
    page = rooms.page(DataPage)
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "binary").write_bytes(b"\xff\0")
    (tmp_path / "null").write_bytes(b"0 9 * * * x\0")
    (tmp_path / "large").write_bytes(b"#" * 300_000)
    for name, said in (
        ("pipe", "pipe is no file."),
        ("binary", "binary is no text in UTF-8."),
        ("null", "NUL"),
        ("large", "large is too large: there may be 256"),
        ("none", "none cannot be read: No such file or directory."),
    ):
        page.import_crontab_from(tmp_path / name)
        until(f"{name} is told", partial(says, page, said))
    page.import_from(tmp_path / "pipe")
    until("it is told", lambda: page.carried.sentence == "pipe is no file.")
    page.import_from(Path("/dev/zero"))
    until("it is told", lambda: page.carried.sentence == "zero is no file.")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("{", "is no export"),
        ("[]", "is no export of Coven Desktop"),
        ('{"schemaVersion": "x"}', "schemaVersion must be coven.desktop.export.v1"),
        ('{"schemaVersion": "coven.desktop.export.v1", "routines": [{}]}', "routines[0] must be an object"),
        (None, "cannot be read"),
    ],
)
def test_what_is_no_export_is_told(rooms: Rooms, tmp_path: Path, content: str | None, said: str) -> None:
    path = tmp_path / "in.json"
    if content is not None:
        path.write_text(content)
    page = rooms.page(DataPage)
    page.import_from(path)
    until("it is told", lambda: said in page.carried.sentence)


def test_a_place_that_takes_no_file_is_told(rooms: Rooms, tmp_path: Path) -> None:
    page = rooms.page(DataPage)
    page.export_to(tmp_path / "gone" / "out.json")
    until("it is told", lambda: "cannot be written" in page.carried.sentence)


def test_zone_data_and_zone_are_told(rooms: Rooms) -> None:
    page = rooms.page(ZonesPage)
    until("the data is told", lambda: page.data.sentence.startswith("Version 20"))
    until("the zone is told", lambda: page.local.sentence == "Your zone is America/New_York.")


def test_enter_alone_restores_nothing(rooms: Rooms) -> None:
    """A question has no button that Enter alone would press."""
    page = rooms.page(DataPage)
    page.now.click()
    until("it is listed", lambda: page.list.count() and "today" in page.list.item(0).text())
    page.list.setCurrentRow(0)
    page.restore.click()
    question = rooms.dialog(Question)
    assert not [button for button in question.buttons if button.isDefault() or button.autoDefault()]
    assert question.buttons[-1].text() == "Leave all as it is"
