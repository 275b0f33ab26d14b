"""The event envelope."""

from __future__ import annotations

import json
from typing import Any

import pytest

from coven_desktop import __version__
from coven_desktop.contract import events

AT = "2026-08-30T09:00:00.000Z"


def make(**changes: Any) -> dict[str, Any]:
    members: dict[str, Any] = {
        "position": 16,
        "stream_kind": "run",
        "stream_id": "run-1",
        "sequence": 2,
        "recorded_at": AT,
        "kind": "attempt.transitioned",
        "summary": "attempt started",
        "payload": {"entity": "attempt"},
    }
    return events.envelope(**members | changes)


def test_a_whole_envelope() -> None:
    event = make(automation_id="tiny", occurrence_id="tiny-1", run_id="run-1", attempt_id="attempt-run-1-1")
    assert event == {
        "schemaVersion": "coven.automations.v1",
        "eventId": "evt00000000000000000000000000000010",
        "stream": {"kind": "run", "id": "run-1"},
        "sequence": 2,
        "recordedAt": AT,
        "observedAt": AT,
        "producer": {
            "component": "coven-desktop",
            "instanceId": "local-authority",
            "implementationVersion": __version__,
        },
        "automationId": "tiny",
        "occurrenceId": "tiny-1",
        "runId": "run-1",
        "attemptId": "attempt-run-1-1",
        "kind": "attempt.transitioned",
        "summary": "attempt started",
        "payload": {"entity": "attempt"},
        "privacy": {"classification": "operational", "retention": {"classification": "standard"}},
    }


def test_a_causation_names_the_command() -> None:
    assert make(adoption_key="adopt:create:0001")["causation"] == {"adoptionKey": "adopt:create:0001"}


def test_absent_members_are_left_out() -> None:
    optional = {"causation", "automationId", "occurrenceId", "runId", "attemptId", "integrity"}
    assert not optional & set(make())


def test_ids_that_do_not_fit_the_grammar_are_left_out() -> None:
    event = make(automation_id="-tiny", occurrence_id="a b", run_id="r" * 161, attempt_id="", adoption_key="short")
    assert not {"causation", "automationId", "occurrenceId", "runId", "attemptId"} & set(event)


def test_a_summary_has_1_to_300_characters() -> None:
    assert make(summary="é" * 301)["summary"] == "é" * 300
    with pytest.raises(ValueError, match="summary"):
        make(summary="")


@pytest.mark.parametrize(
    "kind",
    [
        "definition.created",
        "definition.revised",
        "definition.activated",
        "definition.paused",
        "definition.disabled",
        "definition.invalidated",
        "definition.tombstoned",
        "definition.imported",
        "occurrence.transitioned",
        "occurrence.misfire_recorded",
        "run.transitioned",
        "attempt.transitioned",
        "receipt.recorded",
        "feed.snapshot",
    ],
)
def test_the_contracts_kinds_are_known(kind: str) -> None:
    assert make(kind=kind)["kind"] == kind


def test_other_kinds_and_streams_are_refused() -> None:
    with pytest.raises(ValueError, match=r"definition\.changed"):
        make(kind="definition.changed")
    with pytest.raises(ValueError, match="feed"):
        make(stream_kind="feed")


def test_what_is_stored_reads_as_the_event_itself() -> None:
    reason = 'control \x01 \n, quotes ", a line \u2028, no ASCII é \U0001f9d9'
    event = make(payload={"reason": reason, "attemptNumber": 1})
    text = events.stored(event)
    assert json.loads(text) == event
    assert list(json.loads(text)) == list(event)
