"""The journal: what happened to the app and is no event, told once and in its place among the events."""

from __future__ import annotations

import json
from typing import Any

from coven_desktop.contract import timestamps
from coven_desktop.engine import activity
from coven_desktop.engine.commands import pausing, quarantine
from coven_desktop.engine.engine import AWAY_TOLD_MS
from coven_desktop.store import retry_state
from coven_desktop.store.questions import Question
from tests.engine.conftest import DAY, HOUR, MINUTE, START, Bench

START_MS = timestamps.parse(START)


def told(bench: Bench) -> list[tuple[str, Any]]:
    """Kind and body of every line, oldest first."""
    return [(kind, json.loads(body)) for kind, body in bench.rows("SELECT kind, body FROM journal ORDER BY number")]


def test_an_app_that_was_away_says_from_when_until_when(bench: Bench) -> None:
    assert told(bench) == []
    bench.advance(MINUTE)
    last = timestamps.parse(bench.last_pass()["finishedAt"])
    bench.crash(away=3 * HOUR)
    assert told(bench) == [("app.away", {"fromAt": last, "untilAt": last + 3 * HOUR})]


def test_an_app_that_is_started_anew_says_nothing(bench: Bench) -> None:
    bench.advance(MINUTE)
    bench.crash(away=AWAY_TOLD_MS - 1)
    assert told(bench) == []


def test_a_sleep_and_a_clock_that_is_set_are_told_before_what_they_bring(bench: Bench) -> None:
    bench.create(rrule="FREQ=DAILY;BYHOUR=10")
    bench.sleep(2 * HOUR)
    bench.advance(MINUTE)
    assert told(bench)[0] == ("clock.jumped", {"milliseconds": 2 * HOUR})
    lines = activity.newest(bench.store, Question("time")).lines.numbers
    # after the creation, and before the slot that came due meanwhile
    ((planned,),) = bench.rows("SELECT min(position) FROM events WHERE kind = 'occurrence.transitioned'")
    ((known,),) = bench.rows("SELECT position FROM journal")
    assert known < planned
    assert lines[:2] == [-1, 1]
    bench.clock.jump(-DAY)
    bench.advance(MINUTE)
    assert told(bench)[-1] == ("clock.jumped", {"milliseconds": -DAY})
    bench.sleep(30_000)
    bench.advance(MINUTE)
    assert len(told(bench)) == 2


def test_the_same_errors_pass_after_pass_are_one_line(bench: Bench) -> None:
    bench.create()
    bench.store.connection.execute("UPDATE definitions SET body = '{}', next_due_at = created_at").fetchall()
    bench.advance(5 * MINUTE)
    kinds = [kind for kind, _ in told(bench)]
    assert kinds == ["pass.failed"]
    body = told(bench)[0][1]
    assert body["errorClass"] is None
    assert "stored routine `notes` is invalid" in body["failures"][0]


def test_a_quarantine_and_its_release_are_lines_of_their_routine(bench: Bench) -> None:
    bench.create()
    with bench.store.transaction(bench.clock.wall()) as tx:
        retry_state.record_exhaustion(tx, "notes", "runtime_error", "it failed")
        retry_state.record_exhaustion(tx, "notes", "runtime_error", "it failed again")
    quarantine.unquarantine(bench.engine, {"id": "notes"})
    quarantine.unquarantine(bench.engine, {"id": "notes"})
    assert told(bench) == [
        ("routine.quarantined", {"failureClass": "runtime_error", "reason": "it failed"}),
        ("routine.released", {}),
    ]
    assert bench.rows("SELECT DISTINCT automation_id FROM journal") == [("notes",)]


def test_a_pause_of_everything_and_its_end_are_told(bench: Bench) -> None:
    pausing.pause_all(bench.engine, {"adoptionKey": "adopt:pause:0001", "until": "2026-09-01T12:30:00Z"})
    bench.advance(4 * HOUR)
    until = timestamps.parse("2026-09-01T12:30:00Z")
    assert told(bench) == [("pause_all.began", {"untilAt": until}), ("pause_all.ended", {})]
