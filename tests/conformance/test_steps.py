"""Cases in steps: each says what is expected of it, and only what it says is compared (contract/commands.md §10.8)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from coven_desktop.conformance import vector_file
from coven_desktop.conformance.suites import compute
from coven_desktop.conformance.vector_file import NotVectors, passes
from tests.contract.rich_bodies import envelope, rich

SUITE = "command-envelope-outcomes"


def sent(command: str, payload: object, key: str, expected: int | None = None, **told: Any) -> dict[str, Any]:
    return {"kind": "send", "envelope": envelope(command, payload, key, expected), "expect": told}


CREATE = sent("definition.create.v1", {"definition": rich()}, "adopt:steps:1", outcome="committed", revision=1)
AGAIN = {**CREATE, "expect": {"outcome": "replayed", "replays": 0}}
RESTART = {"kind": "restart"}


def read(folder: Path, *steps: object, **members: Any) -> vector_file.Case:
    """The case of a file with one case of these steps."""
    document = {
        "schemaVersion": f"coven.automations.{SUITE}-vectors.v1",
        "cases": [{"caseId": "one", "steps": list(steps), **members}],
    }
    path = folder / "steps.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    (case,) = vector_file.read(path).cases
    return case


def told(case: vector_file.Case) -> list[dict[str, Any]]:
    actual = compute(SUITE, case.inputs)
    assert "error" not in actual, actual
    found: list[dict[str, Any]] = actual["steps"]
    return found


def test_what_is_expected_of_the_steps_is_no_input(tmp_path: Path) -> None:
    case = read(tmp_path, CREATE, RESTART, AGAIN)
    assert case.expected == {"steps": [CREATE["expect"], {}, AGAIN["expect"]]}
    assert [set(step) for step in case.inputs["steps"]] == [{"kind", "envelope"}, {"kind"}, {"kind", "envelope"}]
    assert passes(case.expected, compute(SUITE, case.inputs))


@pytest.mark.parametrize(
    ("expect", "good"),
    [
        ({}, True),
        ({"outcome": "committed"}, True),
        ({"outcome": "replayed"}, False),
        ({"revision": 2}, False),
        ({"revision": True}, False),
        ({"errorCode": "NOT_FOUND"}, False),
        ({"replays": None}, True),
        ({"result": {"definition": {"display": {"name": "Harbour log"}}}}, True),
        ({"result": {"definition": {"display": {"name": "Harbour logs"}}}}, False),
        ({"result": {"definition": {"display": {"title": None}}}}, False),
        ({"result": {"definition": {"display": {"tags": ["sea", "log"]}}}}, True),
        ({"result": {"definition": {"display": {"tags": ["sea"]}}}}, False),
        ({"result": {"routine": {"tags": ["log", "sea"]}}}, False),
        ({"event": {"origin": "cave"}}, True),
        ({"event": None}, False),
    ],
)
def test_only_what_is_said_is_compared(tmp_path: Path, expect: dict[str, Any], good: bool) -> None:
    case = read(tmp_path, {**CREATE, "expect": expect})
    assert passes(case.expected, compute(SUITE, case.inputs)) is good


def test_every_step_counts(tmp_path: Path) -> None:
    case = read(tmp_path, CREATE, AGAIN)
    actual = compute(SUITE, case.inputs)
    assert passes(case.expected, actual)
    assert not passes({"steps": [*case.expected["steps"], {}]}, actual)
    assert not passes({"steps": case.expected["steps"][:1]}, actual)


def test_a_refusal_tells_what_it_wrote(tmp_path: Path) -> None:
    stale = sent("definition.pause.v1", {"automationId": "harbour-log"}, "adopt:steps:2", 4)
    no_envelope = {**stale, "envelope": {**stale["envelope"], "more": 1}}
    cancel = sent("run.cancel.v1", {"runId": "run-1"}, "adopt:steps:3")
    found = told(read(tmp_path, CREATE, stale, stale, no_envelope, cancel))
    assert [(step["outcome"], step.get("errorCode"), step.get("writes")) for step in found] == [
        ("committed", None, None),
        ("rejected", "REVISION_CONFLICT", "adoption"),
        ("rejected", "REVISION_CONFLICT", "nothing"),
        ("refused", "VALIDATION_FAILED", "nothing"),
        ("rejected", "CAPABILITY_UNSUPPORTED", "nothing"),
    ]


def test_a_minute_passes_with_each_step_restarts_too(tmp_path: Path) -> None:
    other = sent("definition.create.v1", {"definition": rich(automationId="other")}, "adopt:steps:2")
    again = {**other, "expect": {}}
    found = told(read(tmp_path, CREATE, RESTART, other, again))
    listed = told(read(tmp_path, CREATE, RESTART, other, sent("events.read.v1", FEED, "adopt:steps:3")))[-1]
    instants = [event["recordedAt"] for event in listed["result"]["events"]]
    assert instants == ["2026-08-30T09:00:00.000Z", "2026-08-30T09:02:00.000Z"]
    assert (found[3]["outcome"], found[3]["replays"]) == ("replayed", 2)


FEED = {"stream": {"kind": "feed", "id": "all"}}


def test_a_replay_is_that_of_its_own_key(tmp_path: Path) -> None:
    flat = {
        "kind": "act",
        "action": "definition.tombstone.v1",
        "members": {"adoptionKey": "adopt:steps:2", "id": "harbour-log", "expectedRevision": 1},
    }
    there = sent("definition.tombstone.v1", {"automationId": "harbour-log"}, "adopt:steps:2", 1)
    found = told(read(tmp_path, CREATE, flat, there, AGAIN))
    assert [step["replays"] for step in found] == [None, None, 1, 0]


@pytest.mark.parametrize(
    ("steps", "said"),
    [
        ([], "1 to 32 steps"),
        ([RESTART] * 33, "1 to 32 steps"),
        ([{"kind": "wait"}], "unknown kind `wait`: known are send, act, restart"),
        ([{}], "needs `kind`"),
        ([{"kind": "send"}], "needs `envelope`"),
        ([{"kind": "send", "envelope": []}], "`envelope` must be an object"),
        ([{"kind": "act", "action": "run", "members": {}}], "unknown action `run`"),
        ([{"kind": "act", "action": "definition.pause.v1"}], "needs `members`"),
    ],
)
def test_a_case_that_cannot_be_computed_says_so(tmp_path: Path, steps: list[Any], said: str) -> None:
    case = read(tmp_path, *steps)
    actual = compute(SUITE, case.inputs)
    assert said in actual["error"]
    assert not passes(case.expected, actual)


@pytest.mark.parametrize("step", [1, None, [], {"kind": "send", "expect": 1}, {"kind": "send", "expect": None}])
def test_steps_that_are_none_are_no_vectors(tmp_path: Path, step: object) -> None:
    with pytest.raises(NotVectors, match="case one has no object `expected`"):
        read(tmp_path, step)


def test_what_is_expected_of_the_whole_case_stands_for_its_steps(tmp_path: Path) -> None:
    case = read(tmp_path, CREATE, expected={"steps": [{"outcome": "replayed"}]})
    assert case.expected == {"steps": [{"outcome": "replayed"}]}
    assert case.inputs["steps"] == [CREATE]
