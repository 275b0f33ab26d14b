"""Notifications from the engine to the screen and back: what is told of a night, and where its buttons lead."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import partial
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from coven_desktop.desktop.notifications import rules
from coven_desktop.desktop.notifications.rules import Ended, Matter, Summary, Telling
from coven_desktop.desktop.notifications.service import OPEN, Notification, Urgency
from coven_desktop.engine.answers import Answer
from coven_desktop.engine.commands import quarantine
from coven_desktop.engine.engine import Engine
from coven_desktop.settings import Settings
from coven_desktop.ui import notice_words
from coven_desktop.ui.decide_dialog import DecideDialog
from coven_desktop.ui.release_dialog import ReleaseDialog
from coven_desktop.ui.run_window import RunWindow
from coven_desktop.ui.shell import Shell
from coven_desktop.ui.times import MINUTE
from coven_desktop.ui.tray_state import TrayState
from tests.ui.desk import Desk, until
from tests.ui.test_ended import failed
from tests.ui.test_form_families import routine
from tests.ui.test_run_window import lost as lost  # a fixture
from tests.ui.test_skipped import EVERY_MINUTE
from tests.ui.test_waiting import MISSING, retry

HOUR = 3_600_000


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody gathers, and nothing was just done: that is for the rules' own tests."""
    monkeypatch.setattr(rules, "GATHER_MS", 0)
    monkeypatch.setattr(rules, "JUST_NOW_MS", -1)
    monkeypatch.setattr(rules, "APART_MS", 0)


def quarantined(desk: Desk, name: str) -> str:
    """A routine whose one attempt could not be started."""
    made = desk.routine(name, retry=retry(1), **MISSING)
    desk.run(made)
    return made


def told(desk: Desk, topic: str, title: str) -> Notification:
    def found() -> Notification | None:
        notification = desk.notifications.screen.get(topic)
        return notification if notification is not None and notification.title == title else None

    return until(f"“{title}” is told", found)


def test_a_quarantine_is_told_and_its_button_leads_to_the_release(desk: Desk, shell: Shell) -> None:
    shell.window.hide()
    quarantined(desk, "Ask claude")
    notification = told(desk, "quarantined", "“Ask claude” is quarantined")
    assert notification.body == (
        "The command “claude” of runtime “claude” was not found.\nNothing of it starts until you release it."
    )
    assert notification.actions == ((OPEN, "Show"), ("act", "Release…"), ("show", "Show"))
    desk.notifications.acted.emit("quarantined", "act", "a-token")
    assert shell.window.isVisible()
    dialog = until("the dialog is there", lambda: shell.window.findChild(ReleaseDialog))
    assert dialog.isVisible()
    dialog.close()
    # pressed: it is gone, and does not come again
    assert "quarantined" not in desk.notifications.screen
    assert os.environ.pop("XDG_ACTIVATION_TOKEN") == "a-token"


def test_an_unknown_outcome_is_told_and_its_button_leads_to_the_decision(
    desk: Desk, shell: Shell, lost: RunWindow
) -> None:
    notification = until("it is told", lambda: desk.notifications.screen.get("undecided"))
    assert notification.title.startswith("How “")
    assert notification.body.endswith("Nothing else of it starts until you decide.")
    lost.close()
    assert shell.deciding.runs == {}
    desk.notifications.acted.emit("undecided", "act", "")
    (shown,) = shell.deciding.runs.values()
    until("the decision is asked", lambda: shown.findChild(DecideDialog))


def test_a_name_that_steers_the_writing_does_not_steer_the_notification(desk: Desk, shell: Shell) -> None:
    matter = Matter("quarantined", "x", "one\ntwo \u202egnp.exe", None, 0, "why \x1b[2J")
    notification, _ = notice_words.words(Telling("quarantined", (matter,)))
    assert notification.title == "“one two �gnp.exe” is quarantined"
    assert "\x1b" not in notification.body


def test_several_are_one_and_a_release_elsewhere_takes_it_away(desk: Desk, shell: Shell) -> None:
    first, second = quarantined(desk, "Ask claude"), quarantined(desk, "Notes")
    notification = told(desk, "quarantined", "2 routines are quarantined")
    assert sorted(notification.body.partition(".")[0].split(", ")) == ["Ask claude", "Notes"]
    desk.notifications.acted.emit("quarantined", OPEN, "")
    assert shell.window.isVisible()
    third = quarantined(desk, "Triage")
    told(desk, "quarantined", "“Triage” is quarantined")
    for automation_id in (first, second, third):
        desk.do(quarantine.unquarantine, {"id": automation_id})
    until("it is taken away", lambda: "quarantined" not in desk.notifications.screen)


def test_what_was_told_is_not_told_by_the_next_app_and_what_was_not_is(desk: Desk) -> None:
    first = desk.shell_started()
    quarantined(desk, "Ask claude")
    told(desk, "quarantined", "“Ask claude” is quarantined")
    first.close()
    desk.notifications.screen.clear()
    # while no window is there to tell it
    quarantined(desk, "Notes")
    desk.shell_started()
    told(desk, "quarantined", "“Notes” is quarantined")


def test_without_a_service_it_is_told_once_when_one_comes(desk: Desk, shell: Shell) -> None:
    desk.notifications.present = False
    quarantined(desk, "Ask claude")
    until("it was tried", lambda: len(desk.notifications.given) == 1)
    desk.notifications.present = True
    desk.notifications.came.emit()
    told(desk, "quarantined", "“Ask claude” is quarantined")
    assert len(desk.notifications.given) == 2


def test_failures_and_held_runs_are_told_if_wanted(desk: Desk, shell: Shell) -> None:
    desk.routine("Fails", "exit 3")
    occurrence = desk.run("fails")
    notification = told(desk, "held", "“Fails” failed and is held for your retry")
    assert notification.actions[1] == ("act", "Retry…")
    desk.notifications.acted.emit("held", "show", "")
    assert occurrence in shell.deciding.runs
    desk.chosen = Settings(notify_quietly=True)
    desk.routine("Fails too", "exit 3")
    desk.run("fails-too")
    quarantined(desk, "Ask claude")
    assert told(desk, "quarantined", "“Ask claude” is quarantined").quiet
    assert [each.topic for each in desk.notifications.given] == ["held", "quarantined"]


def test_a_snooze_outlives_the_app_and_the_tray_says_so(desk: Desk) -> None:
    first = desk.shell_started()
    end = desk.clock.wall() + HOUR
    first.notices.snooze(end)
    first.close()
    second = desk.shell_started()
    assert second.notices.snoozed_until == end
    quarantined(desk, "Ask claude")
    assert _state_with_attention(second).snoozed_until == end
    assert desk.notifications.given == []
    second.notices.snooze(0)
    told(desk, "quarantined", "“Ask claude” is quarantined")
    assert second.notices.snoozed_until is None


def _state_with_attention(shell: Shell) -> TrayState:
    def found() -> TrayState | None:
        status = shell.window.status
        return status.tray if status is not None and status.tray.summary.attention else None

    return until("the tray knows", found)


def test_what_was_missed_is_summed_up_after_a_start(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules, "SETTLE_MS", 0)
    first = desk.shell_started()
    until("it has looked", lambda: first.notices.looked)
    first.close()
    desk.routine("Nightly", "true")
    desk.run("nightly")
    until("it has ended", lambda: _succeeded(desk))
    second = desk.shell_started()
    notification = told(desk, "away", "While the computer or the app was off")
    assert notification.body == "Since then: 1 ran."
    second.close()
    third = desk.shell_started()
    until("it has looked", lambda: third.notices.looked)
    assert [each.topic for each in desk.notifications.given] == ["away"]


def test_what_was_missed_in_a_sleep_is_summed_up_once(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    # nobody tells the engine: it sees what its clocks say within 5 s
    monkeypatch.setattr(rules, "SETTLE_MS", 7_000)
    shell = desk.shell_started()
    every_hour = "FREQ=DAILY;BYHOUR=" + ",".join(str(hour) for hour in range(24))
    desk.routine("Hourly", "true", rrule=every_hour)
    desk.routine("Fails", "exit 3", rrule=every_hour)
    until("it has looked", lambda: shell.notices.looked)
    # asleep: the wall clock goes on, and the monotonic one stands still
    desk.clock.sleep(8 * HOUR)
    notification = until("it is told", lambda: desk.notifications.screen.get("away"))
    # of eight slots each the newest is caught up
    assert notification.body == "14 times were missed. Since then: 1 ran, 1 failed."
    assert [each.topic for each in desk.notifications.given].count("away") == 1


def _succeeded(desk: Desk) -> bool:
    payload = desk.do(runs_of, {"id": "nightly"})
    return bool(payload["runs"]) and payload["runs"][0]["status"] == "succeeded"


def runs_of(engine: Engine, body: Mapping[str, Any]) -> Answer:
    return Answer({"runs": engine.reads.runs(body["id"])})


def matter(topic: rules.Kind, name: str) -> Matter:
    return Matter(topic, name, name, None if topic == "quarantined" else f"occ-{name}", 0, "exit  3\n" + "x" * 300)


@pytest.mark.parametrize(
    ("telling", "title", "leads"),
    [
        (
            Telling("undecided", matters=(matter("undecided", "A"),)),
            "How “A” ended is not known",
            {OPEN: ("run", "occ-A"), "act": ("decide", "occ-A"), "show": ("run", "occ-A")},
        ),
        (
            Telling("paused", matters=(Matter("paused", "A", "A", None, 0, "5"),)),
            "“A” is paused: 5 runs in a row failed",
            {OPEN: ("routine", "A"), "show": ("routine", "A")},
        ),
        (
            Telling("undecided", matters=(matter("undecided", "A"), matter("undecided", "B"))),
            "How 2 runs ended is not known",
            {OPEN: ("attention", ""), "show": ("attention", "")},
        ),
        (
            Telling("held", matters=tuple(matter("held", name) for name in "ABCDE")),
            "5 runs failed and are held for your retry",
            {OPEN: ("attention", ""), "show": ("attention", "")},
        ),
        (
            Telling("failed", failures=(Ended(1, "A", "A", "occ-A", "failed", 1, 0, 0, 0, "exit 1"),)),
            "“A” failed",
            {OPEN: ("run", "occ-A"), "show": ("run", "occ-A")},
        ),
        (
            Telling("away", summary=Summary(0, 1, 2, 0)),
            "While the computer or the app was off",
            {OPEN: ("runs", ""), "show": ("runs", "")},
        ),
    ],
)
def test_every_telling_has_words_and_leads_somewhere(
    telling: Telling, title: str, leads: notice_words.Leads, qtbot: QtBot
) -> None:
    notification, found = notice_words.words(telling)
    assert (notification.title, found) == (title, leads)
    assert {key for key, _ in notification.actions} == set(leads)
    assert len(notification.body) < 300
    assert "  " not in notification.body


def test_the_summary_counts_and_is_quiet_when_all_is_well(qtbot: QtBot) -> None:
    notification, _ = notice_words.words(Telling("away", summary=Summary(3, 1, 2, 0)))
    assert (notification.body, notification.urgency) == (
        "2 times were missed. Since then: 3 ran, 1 failed.",
        Urgency.NORMAL,
    )
    notification, _ = notice_words.words(Telling("away", summary=Summary(0, 0, 1, 0)))
    assert notification.body == "1 time was missed."
    notification, _ = notice_words.words(Telling("away", summary=Summary(3, 0, 0, 1)))
    assert (notification.body, notification.urgency) == ("Since then: 3 ran, 1 still to end.", Urgency.LOW)
    names = tuple(matter("held", name) for name in "ABCDE")
    notification, _ = notice_words.words(Telling("held", matters=names))
    assert notification.body.startswith("A, B, C and 2 more.\n")


def test_a_routine_that_failures_have_paused_is_told(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    shell = desk.shell_started()
    limit = shell._chosen().pause_after_failures
    routine(desk, EVERY_MINUTE, prompt="exit 3")
    for count in range(1, limit + 1):
        desk.clock.sleep(MINUTE)
        until("it failed", partial(failed, shell, count))
    notification = told(desk, "paused", f"“Notes” is paused: {limit} runs in a row failed")
    assert notification.body == "It does not run until you resume it."
