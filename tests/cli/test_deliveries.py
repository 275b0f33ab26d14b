"""What covenctl says of a run that delivers what it printed, or has, or could not."""

from __future__ import annotations

from typing import Any

import pytest

from coven_desktop.cli import words
from coven_desktop.engine.delivery import UNKNOWN

FILE = {"kind": "file", "path": "/srv/tides", "mode": "replace"}
WORK: dict[str, Any] = {
    "phase": "delivering",
    "automationId": "tides",
    "runId": "run-1",
    "occurrenceId": "tides-1",
    "routineDeleted": True,
}


def run(status: str, delivery_status: str, error: str | None = None, **members: Any) -> dict[str, Any]:
    """A run whose command has succeeded."""
    attempt = {"state": "succeeded", "attemptNumber": 1, "stateReason": None}
    told = {"outcome": "ok", "deliveryStatus": delivery_status, "deliveryError": error, "delivery": FILE}
    return {"id": "run-1", "status": status, "attempts": [attempt], **told, **members}


def test_while_it_delivers_it_is_told_as_that_and_asks_for_nothing() -> None:
    assert words.run_state(run("running", "pending")).text == "delivering its output"
    waits = words.open_state(WORK, 0)
    assert waits is not None
    assert waits.text == "delivering its output"
    assert words.step_of_run(WORK) is None
    assert words.step_of_run({**WORK, "routineDeleted": False}) is None
    (line,) = words.left_behind({"runs": [WORK]}, 0)
    assert line == "run-1 of tides, which was deleted: delivering its output."


@pytest.mark.parametrize(
    ("told", "sentence"),
    [
        (run("succeeded", "delivered"), "Its output was brought to /srv/tides."),
        (
            run("succeeded", "delivered", delivery={"kind": "notification"}),
            "Its output was shown as a notification.",
        ),
        (
            run("failed", "failed", "the folder /srv does not exist"),
            "The command succeeded, but its output was not brought to /srv/tides: the folder /srv does not exist.",
        ),
        (
            run("failed", "failed", UNKNOWN),
            "The command succeeded. Whether its output was brought to /srv/tides is not known, and that is not"
            " repeated.",
        ),
    ],
)
def test_what_became_of_an_output_is_a_sentence(told: dict[str, Any], sentence: str) -> None:
    assert words.delivery(told) == sentence
