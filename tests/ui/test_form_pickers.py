"""Zone and runtime: found by what people call them, told as they are on this machine, tried without waiting."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

import pytest
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from coven_desktop.qt.core import QCoreApplication, Qt
from coven_desktop.qt.widgets import QLineEdit
from coven_desktop.ui.doors import RuntimeChoice
from coven_desktop.ui.form_doors import FormDoors, Subject
from coven_desktop.ui.routine_form import RoutineForm
from coven_desktop.ui.runtime_picker import RuntimePicker
from coven_desktop.ui.times import Times
from coven_desktop.ui.zone_picker import ZonePicker, clocks
from tests.ui.desk import until
from tests.ui.test_texts import StoppedClock


@pytest.fixture
def times(monkeypatch: pytest.MonkeyPatch) -> Times:
    """A person in New York, in winter."""
    monkeypatch.setenv("TZ", "America/New_York")
    return Times(StoppedClock("2027-01-10T12:00:00Z"))


@pytest.fixture
def form(qtbot: QtBot, times: Times) -> RoutineForm:
    made = RoutineForm(times, FormDoors(lambda _: None), Subject())
    qtbot.addWidget(made, before_close_func=lambda _: made.done(0))
    made.show()
    until("it is the active window", made.isActiveWindow)
    return made


def line_of(picker: ZonePicker) -> QLineEdit:
    line = picker.lineEdit()
    assert line is not None
    return line


def type_zone(form: RoutineForm, text: str) -> None:
    """Replace the zone by what is typed."""
    line = line_of(form.inputs.zone)
    line.setFocus()
    line.selectAll()
    for character in text:
        QTest.keyClicks(line, character)
        QCoreApplication.processEvents()


# --- the zone ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "name"),
    [("new york", "America/New_York"), ("PST", "America/Los_Angeles"), ("+9", "Asia/Tokyo"), ("india", "Asia/Kolkata")],
)
def test_what_is_typed_is_found_and_enter_takes_the_first(form: RoutineForm, typed: str, name: str) -> None:
    type_zone(form, typed)
    assert form.inputs.zone.found()[0][0] == name
    popup = form.inputs.zone._completer.popup()
    assert popup is not None
    until("the list is shown", popup.isVisible)
    # nothing is written into the line while the person types
    assert line_of(form.inputs.zone).text() == typed
    QTest.keyClick(popup, Qt.Key.Key_Return)
    assert form.inputs.zone.name() == name
    assert not form.inputs.zone.searching()
    assert form.isVisible()


def test_arrows_walk_through_the_list_and_enter_takes_the_one_reached(form: RoutineForm) -> None:
    type_zone(form, "PST")
    popup = form.inputs.zone._completer.popup()
    assert popup is not None
    until("the list is shown", popup.isVisible)
    second = form.inputs.zone.found()[1][0]
    QTest.keyClick(popup, Qt.Key.Key_Down)
    QTest.keyClick(popup, Qt.Key.Key_Down)
    QTest.keyClick(popup, Qt.Key.Key_Return)
    assert form.inputs.zone.name() == second


def test_a_line_of_the_list_says_place_offset_and_time(form: RoutineForm) -> None:
    type_zone(form, "tokyo")
    assert form.inputs.zone.found() == [("Asia/Tokyo", "Asia/Tokyo  ·  Japan  ·  UTC+9  ·  21:00")]


def test_nothing_is_refused_while_the_person_chooses(form: RoutineForm) -> None:
    field = form.inputs.fields["timezone"]
    until("there is a preview", lambda: form.preview.sentence)
    before = form.preview.sentence
    type_zone(form, "tok")
    assert field.message == "Choose one of those that were found."
    popup = form.inputs.zone._completer.popup()
    assert popup is not None
    QTest.keyClick(popup, Qt.Key.Key_Escape)
    form.inputs.name.setFocus()
    until("it is refused", lambda: field.message.startswith("“tok” is no time zone"))
    assert field._suggestion == "Asia/Tokyo"
    assert form.isVisible()
    until("the preview says so too", lambda: form.preview.sentence != before)


def test_local_says_which_zone_is_stored(form: RoutineForm) -> None:
    form.inputs.zone.setEditText("local")
    message = form.inputs.fields["timezone"].message
    assert message == "“local” is America/New_York here, and that name is stored. 07:00 now, UTC-5 (EST, EDT)"


def test_local_is_refused_when_nobody_knows_what_it_is(form: RoutineForm, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "EST5EDT,M3.2.0,M11.1.0")
    form.inputs.zone.setEditText("local")
    assert "TZ override must be" in form.inputs.fields["timezone"].message
    assert not form.save_button.isEnabled()


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("utc", "12:00 now, UTC"),
        ("Asia/Kathmandu", "17:45 now, UTC+5:45"),
        ("Europe/Berlin", "13:00 now, UTC+1 (CET, CEST)"),
        ("Nowhere/At_All", ""),
    ],
)
def test_what_clocks_show_in_a_zone(times: Times, name: str, told: str) -> None:
    assert clocks(name, times) == told


# --- the runtime ------------------------------------------------------------------------------------------------------


@dataclass
class Trial:
    """How a trial went, as `Tried`."""

    verdict: Literal["works", "there", "not_found", "unknown", "failed", "too_slow"]
    command: tuple[str, ...] = ("/opt/claude", "--version")
    output: str = ""
    exit_code: int | None = None


@pytest.fixture
def threads_end() -> Iterator[None]:
    """What was begun beside the window is over before its widgets are taken apart, and cycles collected anywhere."""
    yield
    until("the threads have ended", lambda: not any(thread.name == "aside" for thread in threading.enumerate()))


@pytest.fixture
def picker(qtbot: QtBot, threads_end: None) -> Callable[..., RuntimePicker]:
    """A picker with one runtime called `claude`."""

    def make(**members: object) -> RuntimePicker:
        choice = RuntimeChoice("claude", **{"found": True, "command": ("/opt/claude", "-p"), **members})  # type: ignore[arg-type]
        made = RuntimePicker([choice])
        qtbot.addWidget(made)
        made.set_name("claude")
        made.show()
        return made

    return make


@pytest.mark.parametrize(
    ("prompt", "told"),
    [
        ("stdin", "Runs /opt/claude -p, with the prompt as its input."),
        ("file", "Runs /opt/claude -p, with the prompt in a file."),
        ("argument", "Runs /opt/claude -p, with the prompt as an argument."),
    ],
)
def test_a_runtime_says_what_it_starts(picker: Callable[..., RuntimePicker], prompt: str, told: str) -> None:
    assert picker(prompt=prompt).command.text() == told
    assert picker(prompt=prompt).warning() == ""


def test_one_that_is_not_here_says_what_to_do(picker: Callable[..., RuntimePicker]) -> None:
    assert "install it" in picker(found=False).warning()
    assert "whole path in runtimes.toml" in picker(found=False, own=True).warning()
    wrong = picker(found=False, own=True, command=(), problem="line 3: argv is missing.")
    assert "argv is missing" in wrong.warning()
    assert not wrong.test.isEnabled()
    wrong.set_name("nonsense")
    assert "No runtime of this name is known" in wrong.warning()
    assert not wrong.command.isVisible()


@pytest.mark.parametrize(
    ("trial", "told"),
    [
        (Trial("works", output="2.1.197", exit_code=0), "It works: /opt/claude --version answered."),
        (Trial("failed", output="no login", exit_code=3), "/opt/claude --version ended with code 3."),
        (Trial("failed", output="No such file"), "/opt/claude --version could not be started."),
        (Trial("too_slow"), "/opt/claude --version did not answer in time and was ended."),
        (Trial("there", command=()), "Its command is there. It was not started: what it would do is not known."),
        (Trial("not_found", command=()), "Its command was not found."),
        (Trial("unknown", command=()), "No runtime of this name is known any more."),
    ],
)
def test_a_test_says_how_it_went_and_what_was_printed(
    picker: Callable[..., RuntimePicker], trial: Trial, told: str
) -> None:
    made = picker(try_out=lambda: trial)
    made.test.click()
    until("it is told", lambda: made.result.text() == told)
    assert made.output.toPlainText() == trial.output
    assert made.output.isVisible() == bool(trial.output)
    assert made.test.isEnabled()


def test_a_test_keeps_nobody_waiting_and_its_answer_goes_to_what_was_asked(
    picker: Callable[..., RuntimePicker],
) -> None:
    go_on = threading.Event()

    def slow() -> Trial:
        go_on.wait(20)
        return Trial("works")

    made = picker(try_out=slow)
    made.test.click()
    assert made.result.text() == "Testing…"
    assert not made.test.isEnabled()
    made.set_name("nonsense")
    assert not made.result.isVisible()
    go_on.set()
    made.set_name("claude")
    made.test.click()
    until("it is told", lambda: made.result.text().startswith("It works"))


def test_a_test_whose_form_is_gone_tells_nobody(qtbot: QtBot, threads_end: None) -> None:
    go_on = threading.Event()
    began = threading.Event()
    ended = threading.Event()

    def slow() -> Trial:
        began.set()
        go_on.wait(20)
        ended.set()
        return Trial("works")

    made = RuntimePicker([RuntimeChoice("claude", True, ("/opt/claude",), try_out=slow)])
    made.set_name("claude")
    made.test.click()
    assert began.wait(20)
    made.deleteLater()
    del made
    qtbot.wait(1)
    go_on.set()
    assert ended.wait(20)
