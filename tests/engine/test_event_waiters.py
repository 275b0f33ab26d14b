"""coven.desktop.events.wait.v1: answered when there is something to tell, when the time is over, or at the end."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

import pytest

from coven_desktop.contract.errors import TypedRefusal
from coven_desktop.engine.answers import Answer, Pending
from coven_desktop.engine.commands import definitions, events
from coven_desktop.engine.event_waiters import WAITERS
from coven_desktop.store.errors import StoreFault
from tests.engine import test_feed
from tests.engine.conftest import HOUR, SECOND, Bench, definition, refused
from tests.engine.test_feed import ALL, NOTES, subscribe


def wait(bench: Bench, stream: Mapping[str, str] = ALL, **asked: Any) -> Pending:
    """A request that is not answered yet."""
    outcome = events.wait(bench.engine, {"stream": stream, **asked})
    assert isinstance(outcome, Pending)
    assert outcome.outcome is None
    return outcome


def page(outcome: Answer | Pending) -> dict[str, Any]:
    """The page that it was answered with."""
    answer = outcome.outcome if isinstance(outcome, Pending) else outcome
    assert isinstance(answer, Answer)
    return test_feed.page(answer)


@pytest.fixture
def quiet(bench: Bench) -> Bench:
    """A routine that does nothing by itself."""
    bench.create(status="PAUSED")
    return bench


def update(bench: Bench, name: str, automation_id: str = "notes") -> None:
    """Change a routine."""
    definitions.update(bench.engine, {"definition": definition(automation_id, status="PAUSED", name=name)})


def test_what_is_there_is_told_at_once(quiet: Bench) -> None:
    found = page(events.wait(quiet.engine, {"stream": ALL}))
    assert [event["kind"] for event in found["events"]] == ["definition.created"]
    assert found | {"checkpoint": ""} == subscribe(quiet) | {"checkpoint": ""}
    assert len(quiet.engine.event_waiters) == 0


@pytest.mark.parametrize("way", ["after", "checkpoint"])
@pytest.mark.parametrize("stream", [ALL, NOTES])
def test_what_comes_is_told_when_it_comes(quiet: Bench, stream: Mapping[str, str], way: str) -> None:
    read = subscribe(quiet, stream)
    pending = wait(quiet, stream, **{way: read["nextAfter" if way == "after" else "checkpoint"]})
    quiet.advance(20 * SECOND)
    assert pending.outcome is None
    update(quiet, "Other")
    quiet.turn()
    found = page(pending)
    assert [event["kind"] for event in found["events"]] == ["definition.revised"]
    assert (found["after"], found["nextAfter"]) == (0, 1)
    assert len(quiet.engine.event_waiters) == 0
    quiet.advance(HOUR)
    assert subscribe(quiet, stream, checkpoint=found["checkpoint"])["events"] == []


def test_a_stream_s_waiters_hear_of_that_stream_alone(bench: Bench) -> None:
    bench.create()
    bench.create("other", status="PAUSED")
    waiting = {
        "notes": wait(bench, NOTES, after=0),
        "other": wait(bench, {"kind": "automation", "id": "other"}, after=0),
        "a run to come": wait(bench, {"kind": "run", "id": "run-to-come"}),
        "feed": wait(bench, ALL, after=1),
    }
    update(bench, "New", "other")
    bench.turn()
    assert {name for name, pending in waiting.items() if pending.outcome is not None} == {"other", "feed"}
    assert [event["automationId"] for event in page(waiting["feed"])["events"]] == ["other"]


@pytest.mark.parametrize(("seconds", "milliseconds"), [(None, 30_000), (30, 30_000), (1, 1_000)])
def test_the_time_is_over(quiet: Bench, seconds: int | None, milliseconds: int) -> None:
    pending = wait(quiet, NOTES, after=0, waitSeconds=seconds)
    quiet.advance(milliseconds - 1)
    assert pending.outcome is None
    quiet.advance(1)
    found = page(pending)
    assert (found["stream"], found["after"], found["events"], found["nextAfter"]) == (NOTES, 0, [], 0)
    update(quiet, "Other")
    assert len(subscribe(quiet, NOTES, checkpoint=found["checkpoint"])["events"]) == 1
    assert len(quiet.engine.event_waiters) == 0


def test_no_time_at_all(quiet: Bench) -> None:
    found = page(events.wait(quiet.engine, {"stream": NOTES, "after": 0, "waitSeconds": 0}))
    assert (found["events"], found["nextAfter"]) == ([], 0)


def test_an_empty_feed_is_waited_for(bench: Bench) -> None:
    pending = wait(bench)
    bench.create(status="PAUSED")
    assert len(page(pending)["events"]) == 1


def test_who_waits_leaves_no_checkpoint_before_the_answer(quiet: Bench) -> None:
    pending = wait(quiet, after=0)
    assert quiet.value("SELECT count(*) FROM event_checkpoints") == 0
    quiet.advance(30 * SECOND)
    assert quiet.rows("SELECT checkpoint FROM event_checkpoints") == [(page(pending)["checkpoint"],)]


def test_a_commit_without_an_event_wakes_nobody(quiet: Bench) -> None:
    pending = wait(quiet, after=0)
    quiet.advance(25 * SECOND)
    with quiet.engine.core.change() as tx:
        tx.change("INSERT INTO maintenance VALUES ('x', 'y', 'z')")
    quiet.turn()
    assert pending.outcome is None


def test_the_end_of_the_engine_answers_at_once(quiet: Bench) -> None:
    waiting = [wait(quiet, after=0) for _ in range(40)]
    quiet.engine.stop()
    assert [page(pending)["events"] for pending in waiting] == [[]] * 40
    assert len(quiet.engine.event_waiters) == 0
    quiet.advance(HOUR)
    quiet.kill()
    quiet.restart()
    assert subscribe(quiet, checkpoint=page(waiting[0])["checkpoint"])["after"] == 0


def test_a_page_has_a_hundred_events(quiet: Bench) -> None:
    pending = wait(quiet, after=0)
    for number in range(150):
        update(quiet, f"Name {number}")
    quiet.turn()
    found = page(pending)
    assert len(found["events"]) == 100
    assert len(page(events.wait(quiet.engine, {"stream": ALL, "checkpoint": found["checkpoint"]}))["events"]) == 50


def test_very_many_wait_and_each_hears_of_its_own(quiet: Bench) -> None:
    streams = [{"kind": "automation", "id": f"routine-{number}"} for number in range(WAITERS)]
    waiting = [wait(quiet, stream) for stream in streams]
    told = refused(lambda: wait(quiet, after=0))
    assert (told.code, told.http_status, told.retryable) == ("CONCURRENCY_LIMIT", 429, True)
    quiet.create("routine-7", status="PAUSED")
    assert [number for number, pending in enumerate(waiting) if pending.outcome is not None] == [7]
    assert len(quiet.engine.event_waiters) == WAITERS - 1
    waiting.append(wait(quiet, after=1))
    quiet.advance(31 * SECOND)
    assert all(page(pending)["events"] == [] for number, pending in enumerate(waiting) if number != 7)
    assert len(quiet.engine.event_waiters) == 0


def test_who_waits_for_the_feed_is_told_a_few_at_a_time(quiet: Bench) -> None:
    waiting = [wait(quiet, after=0) for _ in range(WAITERS)]
    update(quiet, "Other")
    quiet.loop.run_until_idle()
    answered = sum(pending.outcome is not None for pending in waiting)
    assert 0 < answered < WAITERS
    quiet.advance(SECOND)
    assert all(len(page(pending)["events"]) == 1 for pending in waiting)


def test_a_locked_store_is_told(quiet: Bench) -> None:
    waiting = [wait(quiet, after=0) for _ in range(3)]
    quiet.store.connection.set_busy_timeout(0)
    lock = quiet.lock()
    quiet.advance(30 * SECOND)
    lock.close()
    for pending in waiting:
        assert isinstance(pending.outcome, StoreFault)
        assert pending.outcome.kind == "busy"
    assert len(quiet.engine.event_waiters) == 0


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        ({"waitSeconds": -1}, "VALIDATION_FAILED"),
        ({"waitSeconds": 31}, "VALIDATION_FAILED"),
        ({"waitSeconds": 1.0}, "VALIDATION_FAILED"),
        ({"waitSeconds": "1"}, "VALIDATION_FAILED"),
        ({"waitSeconds": True}, "VALIDATION_FAILED"),
        ({"limit": 5}, "VALIDATION_FAILED"),
        ({"after": 1, "checkpoint": "ecp"}, "VALIDATION_FAILED"),
        ({"checkpoint": "ecp"}, "NOT_FOUND"),
        ({"stream": {"kind": "feed", "id": "some"}}, "VALIDATION_FAILED"),
    ],
)
def test_a_bad_request(quiet: Bench, asked: dict[str, Any], code: str) -> None:
    with pytest.raises(TypedRefusal) as caught:
        functools.partial(events.wait, quiet.engine, {"stream": ALL, **asked})()
    assert caught.value.code == code
    assert len(quiet.engine.event_waiters) == 0
