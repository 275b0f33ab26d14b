"""The vectors in our own words: each case passes, whatever it is called and whatever else is in the file."""

from __future__ import annotations

import json

import pytest

from coven_desktop.conformance import vector_file
from coven_desktop.conformance.__main__ import main
from coven_desktop.conformance.suites import SUITES, compute
from tests.conformance.own_vectors import VECTORS, suites

# The suites of the contract that this version computes (contract/conformance.md, commands.md §10).
KNOWN = {
    "attempt-terminal-immutability",
    "calendar-schedule-resolution",
    "cancellation-timeout-arbitration",
    "capability-negotiation",
    "command-adoption-idempotency",
    "command-envelope-outcomes",
    "definition-lifecycle-transitions",
    "misfire-latest-planning",
    "occurrence-fence-uniqueness",
    "occurrence-lease-recovery",
    "overlap-forbid-claiming",
    "retry-backoff-timing",
    "retry-quarantine-recovery",
    "rrule-vocabulary",
    "run-terminal-monotonicity",
    "scheduler-leadership-fencing",
    "startup-reconciliation-wake",
    # of our own
    "cadence-catch-up",
    "cadence-end-conditions",
    "cadence-resolution",
    "cron-clock-changes",
    "cron-missed-and-overlap",
    "cron-vocabulary",
    "delivery-outcome",
}


def test_there_are_vectors_for_every_suite() -> None:
    assert set(suites()) == set(SUITES) == KNOWN


@pytest.mark.parametrize("suite", suites())
def test_all_pass(suite: str) -> None:
    file = vector_file.read(VECTORS / f"{suite}.vectors.json")

    found = [(case.id, case.expected, compute(file.suite, case.inputs)) for case in file.cases]

    assert [(name, actual) for name, expected, actual in found if not vector_file.passes(expected, actual)] == []
    assert not any("error" in actual for _, _, actual in found)


def test_all_at_once(capsys: pytest.CaptureFixture[str]) -> None:
    files = [str(VECTORS / f"{suite}.vectors.json") for suite in suites() if not suite.startswith("startup")]

    assert main(files) == 0

    *cases, last = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert last == {"passed": len(cases), "failed": 0}
