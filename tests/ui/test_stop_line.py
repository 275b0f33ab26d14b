"""What is said of a stop, in all its states: asked, under way and by whom, confirmed, unconfirmed, too late."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from coven_desktop.engine.circumstances import Stop
from coven_desktop.engine.listing import AttemptRow, OccurrenceRow, RunDetail
from coven_desktop.loop.manual import ManualClock
from coven_desktop.ui import acts, stop_line
from coven_desktop.ui.stop_line import StopLine
from coven_desktop.ui.times import Times

NOW = 1_790_000_000_000
SECOND = 1_000


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> ManualClock:
    monkeypatch.setenv("TZ", "UTC")
    return ManualClock(NOW)


@pytest.fixture
def times(clock: ManualClock) -> Times:
    return Times(clock)


def made(kind: Any, **members: Any) -> Any:
    """A row with these members; what is not said of it is None."""
    return kind(**({each.name: None for each in fields(kind)} | members))


def attempt(**changes: Any) -> AttemptRow:
    row: AttemptRow = made(AttemptRow, **{"number": 1, "state": "observing", "session_id": "ses-1"} | changes)
    return row


def detail(state: str, *attempts: AttemptRow) -> RunDetail:
    return RunDetail(made(OccurrenceRow, state=state), attempts or (attempt(),))


def stop(owner: Any, outcome: str | None, *, ended: int | None = None) -> Stop:
    until = NOW + 30 * SECOND if owner is not None else None
    return Stop(owner=owner, since=NOW, until=until, outcome=outcome, reason="enough", ended_at=ended)


@pytest.mark.parametrize(
    ("state", "stored", "asked", "says"),
    [
        ("running", None, None, ""),
        ("running", None, acts.Stop("asked"), "The stop was asked for. Waiting for the proof"),
        ("running", stop("cancellation", "stopping"), None, "The stop was asked for at "),
        ("running", stop("cancellation", "stopping"), acts.Stop("asked"), "The stop was asked for at "),
        ("running", stop("timeout", None), None, "Its time is over, so it is being stopped since "),
        ("recovery_required", stop("recovery", None), None, "What it left running is being stopped since "),
        ("cancelled", stop(None, "cancelled", ended=NOW), None, "The stop was confirmed at "),
        ("recovery_required", stop(None, "recovery_required"), None, "The stop could not be confirmed: something may"),
        ("failed", stop(None, "recovery_required"), None, ""),
        ("succeeded", stop(None, "rejected"), None, "A stop was asked for, but it had ended by itself before"),
        ("succeeded", None, acts.Stop("too_late", "It is over."), "The stop came too late. It is over."),
        ("running", None, acts.Stop("refused", "The disk is full."), "Not stopped: The disk is full."),
    ],
)
def test_each_state_of_a_stop_has_its_own_sentence(
    times: Times, state: str, stored: Stop | None, asked: acts.Stop | None, says: str
) -> None:
    said = stop_line.sentence(detail(state), stored, asked, times)
    assert said.startswith(says)
    assert bool(said) == bool(says)


@pytest.mark.parametrize(
    ("attempts", "says"),
    [
        ((attempt(session_id=None, state="cancelled"),), "Cancelled before anything was started."),
        ((attempt(state="failed"),), "Given up: nothing of this run was running any more."),
        ((attempt(state="failed"), attempt(session_id=None, state="cancelled")), "The retry was cancelled before it"),
        ((attempt(state="cancelled"),), "The stop was confirmed: nothing of this run is left."),
    ],
)
def test_what_was_cancelled_without_a_stop_says_what_was_there(
    times: Times, attempts: tuple[AttemptRow, ...], says: str
) -> None:
    assert stop_line.sentence(detail("cancelled", *attempts), None, None, times).startswith(says)


def test_the_bar_goes_with_the_time_of_the_fence_and_only_while_there_is_one(
    qtbot: QtBot, clock: ManualClock, times: Times
) -> None:
    line = StopLine(times)
    qtbot.addWidget(line)
    line.show_stop("being stopped", stop("cancellation", "stopping"))
    assert not line.bar.isHidden()
    assert (line.bar.value(), line.bar.maximum()) == (0, 30 * SECOND)
    clock.advance(12 * SECOND)
    qtbot.waitUntil(lambda: line.bar.value() == 12 * SECOND)
    clock.advance(60 * SECOND)
    qtbot.waitUntil(lambda: line.bar.value() == line.bar.maximum())
    line.show_stop("confirmed", stop(None, "cancelled", ended=NOW))
    assert line.bar.isHidden()
    line.show_stop("", None)
    assert line.isHidden()
