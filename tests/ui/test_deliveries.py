"""Where outputs go, as the window tells it: files and what became of them, and notifications that are outputs."""

from __future__ import annotations

import fcntl
import os
from typing import Any

import pytest

from coven_desktop.engine.commands import desktop_routines
from coven_desktop.engine.delivery import UNKNOWN
from coven_desktop.engine.happenings import Printed
from coven_desktop.engine.run_delivery import RunDelivery
from coven_desktop.ui import delivery_words, lawful, notices, texts
from coven_desktop.ui.run_window import RunWindow
from coven_desktop.ui.shell import Shell
from coven_desktop.ui.texts import Tone
from tests.ui.desk import Desk, definition, until
from tests.ui.test_run_window import lose, open_run


def routine(desk: Desk, name: str, prompt: str, delivery: dict[str, Any]) -> str:
    """A cron routine that is run by hand, as nobody waits for the new year."""
    shared = definition(name, prompt, str(desk.home.root))
    for member in ("schemaVersion", "rrule", "timezone", "misfire", "overlap"):
        shared.pop(member, None)
    body = shared | {
        "schemaVersion": "coven.desktop.routine.v1",
        "schedule": {"kind": "cron", "expression": "0 0 1 1 *", "timezone": "utc"},
        "delivery": delivery,
    }
    desk.do(desktop_routines.create, {"adoptionKey": f"test:delivery:{os.urandom(4).hex()}", "routine": body})
    return str(body["id"])


def ended(window: RunWindow, state: str) -> str:
    """The facts of a run once it is in a state."""
    until(f"it is {state}", lambda: window.state.text().startswith(state))
    return window.facts.text()


def test_a_file_is_told_with_what_became_of_it(desk: Desk, shell: Shell) -> None:
    path = desk.home.root / "tides.txt"
    made = routine(desk, "Tides", "echo high water", {"kind": "file", "path": str(path), "mode": "replace"})
    window = open_run(shell, desk.run(made))
    assert f"Output: written to {path}" in ended(window, "Succeeded")
    assert path.read_text() == "high water\n"


def test_a_lost_run_of_cron_asks_for_nothing(desk: Desk, shell: Shell) -> None:
    made = routine(desk, "Tides", "echo half of it; sleep 300", {"kind": "notification"})
    window = open_run(shell, desk.run(made))
    lose(window)
    ended(window, "Did not finish; it counts as failed soon, by itself")
    assert not window.decide_button.isVisible()
    row = shell._listing.routine(made)
    assert row is not None
    assert texts.routine_state(row, shell._times) == (window.state.text(), Tone.BAD)
    assert lawful.next_step(row) is None


def test_while_it_delivers_it_says_so_and_cannot_be_stopped(desk: Desk, shell: Shell) -> None:
    path = desk.home.root / "tides.txt"
    lock = os.open(path, os.O_WRONLY | os.O_CREAT)
    fcntl.flock(lock, fcntl.LOCK_EX)
    made = routine(desk, "Tides", "echo high water", {"kind": "file", "path": str(path), "mode": "append"})
    window = open_run(shell, desk.run(made))
    assert f"Output: is being written to {path}" in ended(window, "Delivering its output")
    assert not window.stop_button.isVisible()
    os.close(lock)
    assert f"Output: appended to {path}" in ended(window, "Succeeded")


def test_a_failed_delivery_says_why(desk: Desk, shell: Shell) -> None:
    path = desk.home.root / "missing" / "tides.txt"
    made = routine(desk, "Tides", "echo high water", {"kind": "file", "path": str(path), "mode": "replace"})
    window = open_run(shell, desk.run(made))
    assert f"Output: not written to {path}" in ended(window, "Failed")
    assert window.reason.text() == f"The output was not delivered: the folder {path.parent} does not exist."


def test_an_output_is_the_notification_and_leads_to_its_run(desk: Desk, shell: Shell) -> None:
    made = routine(desk, "Tides", "echo high water; printf '\\033[1mlow water'", {"kind": "notification"})
    until("the notifications know the state", lambda: shell.notices.looked)
    occurrence = desk.run(made)
    topic = f"printed:{occurrence}"
    notification = until("it is shown", lambda: desk.notifications.screen.get(topic))
    assert (notification.title, notification.body) == ("“Tides” succeeded", "high water\n�[1mlow water")
    desk.notifications.acted.emit(topic, "show", "")
    window = until("the run is shown", lambda: shell.deciding.runs.get(occurrence))
    assert "Output: shown as a notification" in ended(window, "Succeeded")
    assert topic not in desk.notifications.screen
    assert [each.topic for each in desk.notifications.given if each.topic == topic] == [topic]


def test_an_output_waits_while_nothing_is_to_be_shown(desk: Desk, shell: Shell) -> None:
    made = routine(desk, "Tides", "true", {"kind": "notification"})
    until("the notifications know the state", lambda: shell.notices.looked)
    shell.notices.snooze(desk.clock.wall() + 3_600_000)
    occurrence = desk.run(made)
    window = open_run(shell, occurrence)
    ended(window, "Succeeded")
    until("it was found", lambda: shell.notices._printed)
    assert desk.notifications.screen == {}
    shell.notices.snooze(0)
    notification = until("it is shown", lambda: desk.notifications.screen.get(f"printed:{occurrence}"))
    assert notification.body == "It printed nothing."


def test_a_thousand_outputs_are_not_remembered_for_ever(
    desk: Desk, shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notices, "REMEMBERED", 2)
    printed = [Printed("Tides", f"occ-{number}", "high water") for number in range(5)]
    shell.notices._show_printed(printed)
    assert len(desk.notifications.given) == 5
    assert sorted(shell.notices._shown) == ["printed:occ-3", "printed:occ-4"]
    assert {topic for topic, _ in shell.notices._leads} == {"printed:occ-3", "printed:occ-4"}


@pytest.mark.parametrize(
    ("delivery", "words"),
    [
        (None, ""),
        (RunDelivery("file", "/x", "replace", "none", None), "into /x, when the command has succeeded"),
        (RunDelivery("file", "/x", "append", "delivered", None), "appended to /x"),
        (RunDelivery("file", "/{x}", "replace", "failed", "it is full"), "not written to /{x}"),
        (
            RunDelivery("file", "/x", "append", "failed", UNKNOWN),
            "perhaps written to /x: look into the file, it is not written to again",
        ),
        (RunDelivery("notification", "", "", "none", None), "as a notification, when the command has succeeded"),
    ],
)
def test_each_way_of_it_has_words(delivery: RunDelivery | None, words: str) -> None:
    assert delivery_words.of_run(delivery) == words
