"""What happened, in words: every kind of line is a sentence, and none carries words that are for programs."""

from __future__ import annotations

from typing import Any, get_args

import pytest

from coven_desktop.clock import SystemClock
from coven_desktop.contract import events
from coven_desktop.engine.activity import ActivityLine
from coven_desktop.engine.attempts import HELD
from coven_desktop.store.journal import Kind
from coven_desktop.ui.activity_words import activity_cells, sentence
from coven_desktop.ui.texts import Tone
from coven_desktop.ui.times import HOUR, Times

TIMES = Times(SystemClock())
NO_REASON = "Coven recorded the occurrence state"


def line(kind: str, **facts: Any) -> ActivityLine:
    """A line of this kind."""
    return ActivityLine(1, 0, kind, "notes", "Daily notes", False, None, None, None, facts)


def moved(to: str, reason: str = NO_REASON) -> ActivityLine:
    return line("occurrence.transitioned", to=to, reason=reason)


@pytest.mark.parametrize(
    ("happened", "said", "tone"),
    [
        (line("definition.created", revision=1, lifecycleState="active"), "Created", Tone.PLAIN),
        (line("definition.created", revision=1, lifecycleState="draft"), "Created as a draft", Tone.PLAIN),
        (line("definition.revised", revision=3), "Changed: revision 3", Tone.PLAIN),
        (line("definition.tombstoned", revision=4), "Deleted", Tone.PLAIN),
        (moved("succeeded"), "Succeeded", Tone.GOOD),
        (moved("failed", "session failed (exit code 3)"), "Failed: it ended with exit code 3", Tone.BAD),
        (moved("cancelled", "automation run cancelled by operator"), "Stopped on request", Tone.QUIET),
        (moved("recovery_required"), "Nobody knows how it ended: it needs your decision", Tone.ASKS),
        (
            line("attempt.transitioned", to="failed", attemptNumber=2, reason="it broke" + HELD),
            "Attempt 2 failed: it broke; it is held for your retry",
            Tone.BAD,
        ),
        (
            line("occurrence.misfire_recorded", disposition="collapsed_to_latest", collapsedSlots=1),
            "1 earlier time was missed; this run stands for it",
            Tone.QUIET,
        ),
        (
            line("occurrence.misfire_recorded", disposition="collapsed_to_latest", collapsedSlots=12),
            "12 earlier times were missed; this run stands for all of them",
            Tone.QUIET,
        ),
        (
            line("clock.jumped", milliseconds=2 * HOUR),
            "The computer slept, or its clock was set forward, by 2 h",
            Tone.QUIET,
        ),
        (line("clock.jumped", milliseconds=-HOUR), "The clock was set back by 1 h", Tone.QUIET),
        (
            line("pass.failed", failures=["stored routine `x` is invalid: the rule is odd"], errorClass=None),
            "The scheduler could not plan a routine: the rule is odd",
            Tone.BAD,
        ),
        (
            line("pass.failed", failures=[], errorClass="scheduler_pass_failed"),
            "The scheduler could not finish a pass; the log says more",
            Tone.BAD,
        ),
        (line("routine.quarantined", reason="it broke"), "Quarantined: it broke", Tone.ASKS),
        (
            line("settings.changed", environmentSet=["A"], secretsAdded=["TOKEN"]),
            "Its environment or secrets were changed: A, TOKEN",
            Tone.PLAIN,
        ),
    ],
)
def test_what_happened_is_a_sentence(happened: ActivityLine, said: str, tone: Tone) -> None:
    assert sentence(happened, TIMES) == (said, tone)


def test_an_absence_says_how_long_it_was() -> None:
    now = TIMES.now()
    said, _ = sentence(line("app.away", fromAt=now - 3 * HOUR, untilAt=now), TIMES)
    assert said.startswith("Coven Desktop did not run for 3 h, since ")


@pytest.mark.parametrize("kind", [*get_args(Kind), *sorted(events.KINDS)])
def test_every_kind_of_line_is_told(kind: str) -> None:
    cells = activity_cells(line(kind), TIMES).cells
    assert cells[1].text == "Daily notes"
    assert cells[2].text
    if kind not in ("run.transitioned", "receipt.recorded", "feed.snapshot"):
        assert kind not in cells[2].text  # those three are no lines of the page
