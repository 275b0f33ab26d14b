"""The torture of torture.py, in the suite's size: 30 kills, and 200 with --long (decisions.md 48)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.torture.torture import torture

SEED = 20_260_830


@pytest.mark.timeout(2_400)
def test_kills_lose_nothing_and_run_nothing_twice(tmp_path: Path, long_suite: bool) -> None:
    report = torture(tmp_path, 200 if long_suite else 30, SEED)

    assert report.faults == [], report.text()
    # It was a torture: work was done, and not merely planned.
    assert report.counts["commands"] >= report.rounds // 2, report.text()
