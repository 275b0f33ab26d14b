"""Settings that change while the engine works, and a backup that a person asks for."""

from __future__ import annotations

from pathlib import Path

import pytest

from coven_desktop.contract.errors import Refusal
from coven_desktop.engine.answers import Pending
from coven_desktop.engine.commands.configuring import back_up, configure
from coven_desktop.engine.retention import DAY_MS, SETTLE_MS
from coven_desktop.engine.upkeep import STEP_MS
from coven_desktop.settings import Settings
from coven_desktop.store import backup
from tests.engine.conftest import HOUR, Bench


def test_more_places_are_taken_at_once(bench: Bench) -> None:
    bench.again(places=1)
    for name in ("a", "b", "c"):
        bench.create(name)
    bench.advance(HOUR)
    assert [state for state, _ in bench.reasons()] == ["running", "planned", "planned"]
    configure(bench.engine, {"settings": Settings(max_concurrent_runs=2)})
    bench.turn()
    assert [state for state, _ in bench.reasons()] == ["running", "running", "planned"]
    configure(bench.engine, {"settings": Settings(max_concurrent_runs=0, pause_after_failures=3)})
    bench.turn()
    assert [state for state, _ in bench.reasons()] == ["running"] * 3
    assert bench.engine.core.pause_after_failures == 3


@pytest.mark.usefixtures("no_daily_backup")
def test_a_limit_of_the_history_holds_from_when_it_is_set(bench: Bench) -> None:
    bench.create(rrule="FREQ=WEEKLY;BYDAY=TU;BYHOUR=10", timeoutMinutes=44_640)
    for _ in range(2):
        bench.advance(HOUR)
        bench.end(0)
        bench.clock.jump(40 * DAY_MS - 40 * DAY_MS % (7 * DAY_MS))
    known = bench.value("SELECT count(*) FROM occurrences")
    bench.advance(2 * SETTLE_MS)
    assert bench.value("SELECT count(*) FROM occurrences") >= known
    configure(bench.engine, {"settings": Settings(retention_days=30)})
    bench.advance(2 * SETTLE_MS)
    kept = bench.value("SELECT count(*) FROM occurrences WHERE scheduled_for < '2026-09-02'")
    assert kept == 0
    # and not any more once it is taken back
    configure(bench.engine, {"settings": Settings()})
    assert bench.engine.retention._timer is None


def backed_up(bench: Bench, asked: Pending) -> Path:
    for _ in range(2_000):
        if asked.outcome is not None:
            break
        bench.advance(STEP_MS)
        sealing = bench.engine.upkeep._backup and bench.engine.upkeep._backup._sealing
        if sealing:
            sealing.join()
    return Path(bench.done(asked).payload["path"])


def test_a_backup_now(bench: Bench) -> None:
    bench.create()
    # asked for while the day's is made: that one is not the person's
    backed_up(bench, back_up(bench.engine, {}))
    assert [kept.kind for kept in backup.kept_backups(bench.home.backups)] == ["by_hand", "daily"]
    bench.advance(HOUR)
    first, second = back_up(bench.engine, {}), back_up(bench.engine, {})
    path = backed_up(bench, first)
    assert path == backed_up(bench, second) == backup.newest_backup(bench.home.backups)
    backup.check_sealed(path)


def test_a_backup_that_is_given_up_is_told(bench: Bench) -> None:
    asked = back_up(bench.engine, {})
    bench.engine.stop()
    assert isinstance(asked.outcome, Refusal)
