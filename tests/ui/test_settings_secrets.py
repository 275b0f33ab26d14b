"""The page of secrets, on a real gnome-keyring that is open, locked or absent: what is said, and what is never seen."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from coven_desktop.qt.widgets import QLabel, QLineEdit, QWidget
from coven_desktop.ui.settings.secrets_page import SecretDialog, SecretsPage, keyring_words
from coven_desktop.ui.texts import Tone
from tests.keyrings import OwnBus, own_bus
from tests.ui.desk import Desk, until
from tests.ui.settings_house import Rooms, in_a_home_of_its_own

CANARY = "canary-4711-value"
TOLD = ("ready", "unmade", "locked", "absent", "no_bus", "prompting")


@pytest.fixture
def bus(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[OwnBus]:
    in_a_home_of_its_own(monkeypatch, tmp_path)
    with own_bus() as made:
        for name in ("DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR", "XDG_DATA_HOME"):
            monkeypatch.setenv(name, made.environ[name])
        yield made


@pytest.fixture
def rooms(bus: OwnBus, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Rooms]:
    monkeypatch.setenv("TZ", "America/New_York")
    desk = Desk(tmp_path / "home")
    made = Rooms(desk)
    yield made
    made.close()
    desk.close()


def names(page: SecretsPage) -> list[str]:
    return [item.text() for row in range(page.table.rowCount()) if (item := page.table.item(row, 0))]


def test_one_is_kept_replaced_and_deleted_and_never_shown(bus: OwnBus, rooms: Rooms) -> None:
    bus.open_keyring()
    page = rooms.page(SecretsPage)
    until("the keyring is open", lambda: page.keyring.sentence == "The keyring is open.")
    page.add.click()
    dialog = rooms.dialog(SecretDialog)
    assert dialog.value.echoMode() == QLineEdit.EchoMode.Password
    dialog.name.setText("not a name")
    dialog.value.setText(CANARY)
    dialog.save.click()
    until("it is refused", lambda: "Name must be" in dialog.fields["name"].message)
    dialog.name.setText("MY_TOKEN")
    dialog.save.click()
    until("it is kept", lambda: names(page) == ["MY_TOKEN"])
    page.table.selectRow(0)
    page.replace.click()
    dialog = rooms.dialog(SecretDialog)
    assert (dialog.name.text(), dialog.name.isReadOnly(), dialog.value.text()) == ("MY_TOKEN", True, "")
    dialog.value.setText("")
    dialog.save.click()
    until("it is refused", lambda: "Value must not be empty" in dialog.fields["value"].message)
    dialog.value.setText(CANARY + "2")
    dialog.save.click()
    until("it is kept", lambda: not rooms.window.findChildren(SecretDialog))
    assert "is in the keyring" in page.outcome.sentence
    shown = [found.text() for found in rooms.window.findChildren(QLabel)]
    shown += [found.text() for found in rooms.window.findChildren(QLineEdit)]
    assert not [text for text in shown if CANARY in text]
    until("the list is there", lambda: names(page) == ["MY_TOKEN"])
    page.table.selectRow(0)
    page.delete.click()
    rooms.answer(1)
    page.delete.click()
    rooms.answer(0)
    until("it is gone", lambda: names(page) == [])
    holding = [path for path in rooms.home.root.rglob("*") if path.is_file() and CANARY.encode() in path.read_bytes()]
    assert holding == []


def test_a_locked_keyring_is_told_with_what_to_do(bus: OwnBus, rooms: Rooms) -> None:
    bus.open_keyring()
    bus.lock()
    page = rooms.page(SecretsPage)
    until("it is told", lambda: "The keyring is locked" in page.keyring.sentence)
    assert page.keyring.step.text() == "Unlock…"


def test_no_keyring_is_told_with_what_to_do(rooms: Rooms) -> None:
    page = rooms.page(SecretsPage)
    until("it is told", lambda: "There is no keyring here. Install GNOME Keyring" in page.keyring.sentence)
    page.add.click()
    dialog = rooms.dialog(SecretDialog)
    dialog.name.setText("MY_TOKEN")
    dialog.value.setText(CANARY)
    dialog.save.click()
    until("it is refused", lambda: "no keyring service" in dialog.state.sentence)
    assert dialog.isVisible()


def test_a_keyring_that_nobody_has_made_is_not_said_to_be_open(bus: OwnBus, rooms: Rooms) -> None:
    bus.empty_keyring()
    page = rooms.page(SecretsPage)
    until("it is told", lambda: page.keyring.sentence.startswith("No keyring has been made yet."))


def test_without_a_session_bus_it_is_told_what_to_do(rooms: Rooms, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere/bus")
    page = rooms.page(SecretsPage)
    until("it is told", lambda: "There is no session bus here" in page.keyring.sentence)
    assert "Errno" not in page.keyring.sentence


def test_what_a_runtime_is_given_is_listed_though_it_was_never_set(rooms: Rooms) -> None:
    rooms.home.runtimes.write_text('[mine]\nargv = ["cat"]\nsecrets = ["GIVEN"]\n')
    page = rooms.page(SecretsPage)
    until("it is listed", lambda: names(page) == ["GIVEN"])
    row = [item.text() for column in range(3) if (item := page.table.item(0, column))]
    assert row == ["GIVEN", "not set here", "mine"]


@pytest.mark.parametrize("state", ["ready", "unmade", "locked", "absent", "no_bus", "prompting", "refused"])
def test_each_state_of_the_keyring_has_words_of_its_own(state: str) -> None:
    text, tone, step = keyring_words(state, "The keyring could not be asked (no).")
    assert text.endswith(".")
    assert (tone is Tone.GOOD) == (state == "ready")
    assert bool(step) == (state != "ready")
    others = {keyring_words(other, "")[0] for other in TOLD if other != state}
    assert text not in others


def test_the_dialog_forgets_what_was_typed(rooms: Rooms) -> None:
    parent = QWidget()
    dialog = SecretDialog(None, rooms.desk.gateway, parent)
    dialog.open()
    dialog.value.setText(CANARY)
    dialog.reject()
    until("it is gone", lambda: not parent.findChildren(SecretDialog))
