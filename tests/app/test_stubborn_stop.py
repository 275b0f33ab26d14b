"""A run that ignores SIGTERM, leaves its session and floods its output is stopped whole, and called cancelled then."""

from __future__ import annotations

from pathlib import Path

from tests.bench.stubborn_stop import stop_stubborn


def test_nothing_is_left_and_cancelled_is_recorded_only_then(tmp_path: Path) -> None:
    seen = stop_stubborn(tmp_path, grace_seconds=1)

    assert seen.status == "cancelled"
    assert seen.left == []
    assert seen.quiescent
    assert seen.stop_reason == "requested"
    assert seen.ended_before_recorded_ms >= 0
    assert seen.output_total_bytes > seen.output_limit_bytes
    # the bound is for what was printed; the records around it are small
    assert seen.output_file_bytes <= seen.output_limit_bytes * 1.1
