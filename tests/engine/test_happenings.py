"""What the notifications find in the state: what needs the person, and what became of slots."""

from __future__ import annotations

import pytest

from coven_desktop.engine import happenings
from coven_desktop.settings import Settings
from tests.engine.conftest import DAY, HOUR, MINUTE, Bench
from tests.engine.definition_bodies import moved
from tests.engine.families import cadence, create, cron


def test_a_routine_that_failures_have_paused_needs_the_person_until_they_resume_it(bench: Bench) -> None:
    bench.engine.configure(Settings(pause_after_failures=2))
    create(bench, cron())
    begin = happenings.look(bench.engine.reads, None, None, 2).reached
    for _ in range(2):
        assert happenings.look(bench.engine.reads, begin, None, 2).waiting == ()
        bench.advance(MINUTE)
        bench.end(1)
    found = happenings.look(bench.engine.reads, begin, None, 2)
    (waiting,) = found.waiting
    assert (waiting.kind, waiting.automation_id, waiting.occurrence_id) == ("paused", "report", None)
    assert waiting.reason == "2"
    assert [ended.ending for ended in found.ended] == ["failed", "failed"]
    told = bench.engine.reads.open_work()["pausedByFailures"]
    assert told == [{"automationId": "report", "failures": 2}]
    # one that a person paused with fewer failures is none, nor is any where no number of failures pauses
    assert happenings.look(bench.engine.reads, begin, None, 3).waiting == ()
    assert happenings.look(bench.engine.reads, begin, None, 0).waiting == ()
    moved(bench, "activate", "report")
    assert happenings.look(bench.engine.reads, begin, None, 2).waiting == ()
    assert bench.engine.reads.open_work()["pausedByFailures"] == []


def test_a_look_beyond_the_feed_begins_at_its_end(bench: Bench) -> None:
    create(bench, cron())
    end = happenings.look(bench.engine.reads, None, None).reached
    assert happenings.look(bench.engine.reads, end + 1_000, None).reached == end
    assert not happenings.look(bench.engine.reads, 0, None).more


@pytest.mark.parametrize(
    ("schedule", "away", "missed"),
    [
        (cron("0 * * * *"), 4 * HOUR, 3),
        (cron(), 151 * MINUTE, 150),
        (cadence(catchUp="skip"), 2 * DAY + 2 * HOUR, 3),
        (cadence(catchUp="run-once"), 2 * DAY + 2 * HOUR, 2),
    ],
    ids=["cron", "cron with a record for the oldest", "cadence skipped", "cadence made up"],
)
def test_each_time_that_did_not_run_is_told_once(
    bench: Bench, schedule: dict[str, object], away: int, missed: int
) -> None:
    create(bench, schedule)
    begin = happenings.look(bench.engine.reads, None, None).reached
    bench.crash(away=away)
    found = happenings.look(bench.engine.reads, begin, None).ended
    assert sum(ended.slots for ended in found if ended.ending == "missed") == missed
