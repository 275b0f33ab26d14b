"""Each case of vectors/ is there because something can break: the table of breaks, and the proof in the long suite."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import coven_desktop
from tests.conformance import (
    breaks_cadence,
    breaks_commands,
    breaks_cron,
    breaks_delivery,
    breaks_envelopes,
    breaks_handling,
    breaks_rich,
    breaks_scheduler,
    breaks_schedules,
)
from tests.conformance.breaks import Break
from tests.conformance.own_vectors import VECTORS, cases_of, suites

BREAKS: tuple[Break, ...] = (
    *breaks_schedules.VOCABULARY,
    *breaks_schedules.CALENDAR,
    *breaks_scheduler.MISFIRE,
    *breaks_scheduler.STARTUP,
    *breaks_scheduler.OVERLAP,
    *breaks_scheduler.LEASE,
    *breaks_scheduler.BACKOFF,
    *breaks_scheduler.QUARANTINE,
    *breaks_scheduler.UNIQUENESS,
    *breaks_scheduler.LEADERSHIP,
    *breaks_commands.ARBITRATION,
    *breaks_commands.ATTEMPTS,
    *breaks_commands.RUNS,
    *breaks_commands.ADOPTION,
    *breaks_commands.LIFECYCLE,
    *breaks_commands.NEGOTIATION,
    *breaks_envelopes.ENVELOPES,
    *breaks_rich.RICH,
    *breaks_cron.CRON_VOCABULARY,
    *breaks_cron.CLOCK_CHANGES,
    *breaks_cadence.CADENCE_RESOLUTION,
    *breaks_cadence.END_CONDITIONS,
    *breaks_delivery.DELIVERY_OUTCOME,
    *breaks_handling.CATCH_UP,
    *breaks_handling.MISSED,
)
PACKAGE = Path(coven_desktop.__file__).parent


@pytest.mark.parametrize("suite", suites())
def test_every_case_notices_a_break(suite: str) -> None:
    noticed = {case for found in BREAKS if found.suite == suite for case in found.cases}

    assert noticed == set(cases_of(suite))


def test_what_a_break_replaces_stands_once_in_its_file() -> None:
    texts = {
        path: (PACKAGE / path).read_text(encoding="utf-8") for path in {edit[0] for b in BREAKS for edit in b.edits}
    }
    gone = [
        (broken.rule, path, old) for broken in BREAKS for path, old, _ in broken.edits if texts[path].count(old) != 1
    ]

    assert gone == []  # look for the rule where it now lives, and write its break anew


@pytest.mark.parametrize("broken", BREAKS, ids=lambda broken: f"{broken.suite}: {broken.rule}")
def test_a_break_fails_its_cases(broken: Break, tmp_path: Path, long_suite: bool) -> None:
    if not long_suite:
        pytest.skip("a process for each break: --long")
    copy = tmp_path / "coven_desktop"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    for name, old, new in broken.edits:
        text = (copy / name).read_text(encoding="utf-8")
        assert text.count(old) == 1, f"in {name} this does not stand once, so the break is to be written anew: {old}"
        (copy / name).write_text(text.replace(old, new), encoding="utf-8")

    done = subprocess.run(
        [sys.executable, "-P", "-m", "coven_desktop.conformance", str(VECTORS / f"{broken.suite}.vectors.json")],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 1, done.stderr
    told = [json.loads(line) for line in done.stdout.splitlines()[:-1]]
    failed = {case["caseId"] for case in told if not case["passed"]}
    assert set(broken.cases) <= failed
