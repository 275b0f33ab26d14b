"""The command: what it prints and answers for good files, bad files, and cases that cannot be computed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from coven_desktop.conformance.__main__ import main
from coven_desktop.conformance.suites import compute
from coven_desktop.conformance.vector_file import passes
from tests.conformance.own_vectors import VECTORS, cases_of

RULE = {"scenario": "any", "rrule": "FREQ=WEEKLY;BYHOUR=5", "expected": {"outcome": "accepted"}}


class Told:
    """What one call of the command said."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code = code
        self.err = err
        self.lines = [json.loads(line) for line in out.splitlines()]

    @property
    def errors(self) -> list[str]:
        """The errors of the cases that could not be computed."""
        return [line["actual"]["error"] for line in self.lines[:-1] if "error" in line["actual"]]


Ask = Callable[..., Told]


@pytest.fixture
def ask(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Ask:
    """Run the command on files with these documents: text as it is, anything else as JSON."""

    def call(*documents: object) -> Told:
        paths = []
        for index, document in enumerate(documents):
            path = tmp_path / f"{index}.json"
            path.write_text(document if isinstance(document, str) else json.dumps(document), encoding="utf-8")
            paths.append(str(path))
        code = main(paths)
        told = capsys.readouterr()
        return Told(code, told.out, told.err)

    return call


def file(*cases: dict[str, Any], suite: str = "rrule-vocabulary") -> dict[str, Any]:
    named = [{"caseId": f"case-{index}", **case} for index, case in enumerate(cases)]
    return {"schemaVersion": f"coven.automations.{suite}-vectors.v1", "cases": named}


def test_a_case_that_passes(ask: Ask) -> None:
    told = ask(file(RULE))

    assert (told.code, told.err) == (0, "")
    assert told.lines == [
        {
            "suite": "rrule-vocabulary",
            "caseId": "case-0",
            "passed": True,
            "expected": {"outcome": "accepted"},
            "actual": {"outcome": "accepted", "frequency": "weekly", "byHour": [5], "byDay": ["MO"]},
        },
        {"passed": 1, "failed": 0},
    ]


def test_a_case_that_fails_does_not_stop_the_others(ask: Ask) -> None:
    told = ask(file(RULE, RULE | {"expected": {"outcome": "rejected"}}, RULE), file(RULE))

    assert told.code == 1
    assert [line["passed"] for line in told.lines] == [True, False, True, True, 3]
    assert told.lines[-1] == {"passed": 3, "failed": 1}


def test_what_is_expected_does_not_change_what_is_computed(ask: Ask) -> None:
    wrong = {"outcome": "rejected", "frequency": "hourly", "byHour": [1], "byDay": ["SU"], "error": "x"}
    told = ask(file(RULE | {"expected": wrong, "caseId": "monthly"}))

    assert told.lines[0]["actual"] == {"outcome": "accepted", "frequency": "weekly", "byHour": [5], "byDay": ["MO"]}


@pytest.mark.parametrize(
    ("expected", "good"),
    [
        ({"a": 1, "b": [1, {"c": None}]}, True),
        ({}, True),
        ({"a": True}, False),
        ({"a": 1.0}, True),
        ({"b": [1]}, False),
        ({"b": [True, {"c": None}]}, False),
        ({"b": [1, {"c": None, "d": None}]}, False),
        ({"b": [1, {"c": False}]}, False),
        ({"t": True}, True),
        ({"t": 1}, False),
        ({"absent": None}, False),
    ],
)
def test_every_expected_member_must_be_equal(expected: dict[str, Any], good: bool) -> None:
    assert passes(expected, {"a": 1, "b": [1, {"c": None}], "t": True, "more": 2}) is good


@pytest.mark.parametrize(
    ("document", "why"),
    [
        ("", "there is no JSON"),
        ("FREQ=DAILY", "not valid JSON"),
        ('{"schemaVersion": 1, "schemaVersion": 2}', "schemaVersion"),
        ([], "schemaVersion must be"),
        ({"cases": []}, "schemaVersion must be"),
        ({"schemaVersion": 1, "cases": [{}]}, "schemaVersion must be"),
        (file(RULE) | {"schemaVersion": "coven.automations.rrule-vocabulary-vectors.v2"}, "schemaVersion must be"),
        (file(RULE) | {"schemaVersion": "coven.automations.-vectors.v1"}, "schemaVersion must be"),
        (file(RULE) | {"schemaVersion": "coven.automations.rrule-vocabulary-vectors.v1 "}, "schemaVersion must be"),
        (file(), "at least one case"),
        (file(RULE) | {"cases": {"case-0": RULE}}, "at least one case"),
        (file(RULE) | {"cases": ["case-0"]}, "case 1 is not an object with a caseId"),
        (file(RULE, {**RULE, "caseId": ""}), "case 2 is not an object with a caseId"),
        (file(RULE, {**RULE, "caseId": 2}), "case 2 is not an object with a caseId"),
        (file({**RULE, "expected": None}), "case case-0 has no object `expected`"),
        (file(RULE, {**RULE, "caseId": "case-0"}), "two cases have the caseId case-0"),
    ],
)
def test_a_file_that_is_no_vector_file(ask: Ask, document: object, why: str) -> None:
    told = ask(file(RULE), document)

    assert (told.code, told.lines) == (2, [])
    assert told.err.startswith("covenctl conformance: ")
    assert why in told.err


def test_a_file_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path / "nothing.json")]) == 2
    assert "cannot be read: No such file or directory" in capsys.readouterr().err
    assert main([str(tmp_path)]) == 2
    assert "cannot be read: Is a directory" in capsys.readouterr().err


def test_no_file_is_wrong_usage() -> None:
    with pytest.raises(SystemExit) as ended:
        main([])
    assert ended.value.code == 2


def test_a_suite_that_is_not_known(ask: Ask) -> None:
    told = ask(file(RULE, RULE, suite="moon-phases"))

    assert (told.code, told.lines[-1]) == (1, {"passed": 0, "failed": 2})
    assert all(error.startswith("unknown suite `moon-phases`: known are rrule-vocabulary, ") for error in told.errors)


@pytest.mark.parametrize(
    ("suite", "member"),
    [
        ("startup-reconciliation-wake", "scenario"),
        ("cancellation-timeout-arbitration", "scenario"),
        ("occurrence-fence-uniqueness", "scenario"),
        ("scheduler-leadership-fencing", "scenario"),
        ("overlap-forbid-claiming", "blocker"),
        ("definition-lifecycle-transitions", "operation"),
        ("definition-lifecycle-transitions", "initialState"),
        ("attempt-terminal-immutability", "firstState"),
        ("attempt-terminal-immutability", "attemptedState"),
        ("run-terminal-monotonicity", "replayStatus"),
    ],
)
def test_an_arrangement_that_is_not_known(ask: Ask, suite: str, member: str) -> None:
    case = next(iter(cases_of(suite).values()))
    told = ask(file(case | {member: "by-moonlight"}, suite=suite))

    assert told.code == 1
    assert told.errors[0].startswith(f"unknown {member} `by-moonlight`: known are ")


@pytest.mark.parametrize(
    ("suite", "changes", "why"),
    [
        ("rrule-vocabulary", {"rrule": 9}, "`rrule` must be a string"),
        ("calendar-schedule-resolution", {"from": "yesterday"}, "`from` must be an RFC 3339 instant"),
        ("retry-backoff-timing", {"nextAttemptNumber": "2"}, "`nextAttemptNumber` must be an integer"),
        ("retry-backoff-timing", {"policy": []}, "`policy` must be an object"),
        ("retry-backoff-timing", {"policy": {"maxAttempts": 0}}, "`policy` is refused: "),
        ("retry-quarantine-recovery", {"exhaustions": [1]}, "`exhaustions` must be a list of objects"),
        (
            "occurrence-lease-recovery",
            {"initial": {"state": "claimed", "leaseOwner": "a", "leaseExpiresAt": None, "runningRun": 0}},
            "`runningRun` must be true or false",
        ),
        ("misfire-latest-planning", {"definition": {"id": "x"}}, "`definition` is refused: "),
    ],
)
def test_inputs_that_cannot_be_used(ask: Ask, suite: str, changes: dict[str, Any], why: str) -> None:
    case = next(iter(cases_of(suite).values()))
    told = ask(file(case | changes, suite=suite))

    assert told.code == 1
    assert told.errors[0].startswith(why)


@pytest.mark.parametrize("path", sorted(VECTORS.iterdir()), ids=lambda path: path.name.partition(".")[0])
def test_inputs_that_are_missing(path: Path) -> None:
    """Whatever a suite reads it asks for by name; none breaks over an empty case."""
    error = compute(path.name.removesuffix(".vectors.json"), {})["error"]

    assert error.startswith("this suite needs `")


def test_a_fault_of_ours_fails_its_case_alone(monkeypatch: pytest.MonkeyPatch, ask: Ask) -> None:
    def faulty(text: str) -> None:
        raise ZeroDivisionError(f"of {text}")

    monkeypatch.setattr("coven_desktop.schedule.rrule.parse", faulty)
    told = ask(file(RULE))

    assert (told.code, told.errors) == (1, ["ZeroDivisionError: of FREQ=WEEKLY;BYHOUR=5"])


def test_covenctl_becomes_the_command(tmp_path: Path) -> None:
    path = tmp_path / "-vectors.json"
    path.write_text(json.dumps(file(RULE, RULE | {"expected": {"outcome": "r\u00e9jet\u00e9"}})), encoding="utf-8")
    command = [sys.executable, "-m", "coven_desktop.cli", "conformance", "--", path.name]

    done = subprocess.run(
        command, cwd=tmp_path, env={**os.environ, "PYTHONIOENCODING": "ascii"}, capture_output=True, check=False
    )

    assert (done.returncode, done.stderr) == (1, b"")
    told = Told(done.returncode, done.stdout.decode("ascii"), "")
    assert told.lines[1]["expected"] == {"outcome": "réjeté"}
    assert told.lines[-1] == {"passed": 1, "failed": 1}


def test_nothing_is_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ask: Ask) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(temporary))

    for suite in ("misfire-latest-planning", "scheduler-leadership-fencing"):
        assert ask(file(*cases_of(suite).values(), suite=suite)).code in (0, 1)

    assert list(temporary.iterdir()) == []
