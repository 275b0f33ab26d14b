"""After an older backup was put in place: live sessions that the store does not know (engine/unknown_sessions.py)."""

from __future__ import annotations

import logging
import shutil
from pathlib import Path
from typing import Any

import pytest

from coven_desktop.contract.errors import Refusal
from coven_desktop.engine.commands import execution
from tests.engine.conftest import HOUR, Bench


@pytest.fixture
def restored(bench: Bench, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> Bench:
    """Two routines; a slot of one has begun, and then the backup of before is put in place."""
    bench.create()
    bench.create("other", rrule="FREQ=DAILY;BYHOUR=11")
    bench.engine.stop()
    bench.kill()
    backup = tmp_path / "backup"
    shutil.copy(bench.home.database, backup)
    bench.restart()
    bench.advance(HOUR)
    bench.kill()
    for beside in bench.home.root.glob("coven.sqlite3*"):
        beside.unlink()
    shutil.copy(backup, bench.home.database)
    with caplog.at_level(logging.ERROR):
        bench.restart()
    return bench


def unknown(bench: Bench) -> list[dict[str, Any]]:
    """What coven.desktop.state.v1 tells."""
    found: list[dict[str, Any]] = bench.engine.reads.open_work()["unknownSessions"]
    return found


def launched(bench: Bench) -> list[str]:
    """The routines of all launches so far."""
    return [spec.automation_id for spec in bench.world.launched]


def test_it_is_told_and_its_slot_does_not_run_beside_it(restored: Bench) -> None:
    assert unknown(restored) == [{"sessionId": restored.session, "process": 4242, "automationId": "notes"}]
    assert [row[:2] for row in restored.states()] == [("notes", "planned")]
    with pytest.raises(Refusal, match="overlap is forbidden"):
        execution.run(restored.engine, {"id": "notes"})
    restored.advance(HOUR)
    # others are not held back, and nothing is stopped unasked
    assert launched(restored) == ["notes", "other"]
    assert restored.world.stops == []


def test_when_it_has_ended_its_routine_goes_on(restored: Bench) -> None:
    restored.end()
    assert unknown(restored) == []
    assert launched(restored) == ["notes", "notes"]
    assert [row[:2] for row in restored.states()] == [("notes", "running")]


def test_it_is_met_by_the_next_start_as_well(restored: Bench, caplog: pytest.LogCaptureFixture) -> None:
    session = restored.session
    with caplog.at_level(logging.ERROR):
        restored.crash()
    assert [one["sessionId"] for one in unknown(restored)] == [session]
    assert launched(restored) == ["notes"]


def test_one_that_ended_while_no_app_ran_holds_nothing_back(restored: Bench) -> None:
    restored.world.found[restored.session] = ("ended", None)
    restored.crash()
    assert unknown(restored) == []
    assert launched(restored) == ["notes", "notes"]


def test_sessions_that_the_store_knows_are_not_unknown(bench: Bench) -> None:
    bench.run_due()
    bench.crash()
    assert unknown(bench) == []
    assert [row[:2] for row in bench.states()] == [("notes", "running")]
