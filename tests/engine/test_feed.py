"""Reading the change feed and its streams: cursors, checkpoints, and what retention has taken (commands.md §6)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from coven_desktop import home as homes
from coven_desktop.contract import timestamps
from coven_desktop.contract.errors import TypedRefusal
from coven_desktop.engine.answers import Answer
from coven_desktop.engine.commands import events
from coven_desktop.engine.core import StaleLeadership
from coven_desktop.home import Home
from coven_desktop.store.errors import StoreBug
from tests.engine.conftest import DAY, HOUR, SECOND, Bench, refused
from tests.engine.test_retention import LIMIT, check_whole, limited, look, occurrences, pass_by, pause, ran

ALL = {"kind": "feed", "id": "all"}
NOTES = {"kind": "automation", "id": "notes"}


def page(answer: Answer) -> dict[str, Any]:
    """The page of an answer, its events read."""
    assert (answer.in_result, answer.in_event) == (True, False)
    return answer.payload | {"events": [json.loads(bytes(event)) for event in answer.payload["events"]]}


def read(bench: Bench, stream: Mapping[str, str] = ALL, *, since: str | None = None, **asked: Any) -> dict[str, Any]:
    """The page that events.read.v1 answers with; `since` is its `from`."""
    asked |= {} if since is None else {"from": since}
    return page(events.read(bench.engine, {"stream": stream, **asked}))


def subscribe(bench: Bench, stream: Mapping[str, str] = ALL, **asked: Any) -> dict[str, Any]:
    """The page that events.subscribe.v1 answers with."""
    return page(events.subscribe(bench.engine, {"stream": stream, **asked}))


def stored(bench: Bench, where: str = "1") -> list[dict[str, Any]]:
    """The envelopes as they are stored."""
    return [json.loads(row[0]) for row in bench.rows(f"SELECT body FROM events WHERE {where} ORDER BY position")]


def streams(bench: Bench) -> list[dict[str, str]]:
    """Every stream there is."""
    return [{"kind": kind, "id": stream_id} for kind, stream_id in bench.rows("SELECT kind, id FROM event_streams")]


@pytest.fixture
def lively(bench: Bench) -> Bench:
    """Two routines with three runs each, and one that was deleted."""
    for name in ("notes", "other"):
        bench.create(name)
    for _ in range(3):
        bench.advance(HOUR)
        for spec in bench.world.launched[-2:]:
            bench.end(session_id=spec.session_id)
    return bench


# --- pages ------------------------------------------------------------------------------------------------------------


def test_a_page(lively: Bench) -> None:
    page = read(lively, NOTES)
    assert list(page) == ["stream", "after", "events", "nextAfter", "checkpoint", "checkpointExpiresAt"]
    assert page["stream"] == NOTES
    assert page["after"] is None
    assert page["events"] == stored(lively, "stream_kind = 'automation' AND stream_id = 'notes'")
    assert page["nextAfter"] == page["events"][-1]["sequence"] == 0
    assert len(page["checkpoint"]) == 35
    assert page["checkpoint"].startswith("ecp")
    assert page["checkpointExpiresAt"] == timestamps.to_text(lively.clock.wall() + 24 * HOUR)


@pytest.mark.parametrize("limit", [1, 7, 100, 1000])
def test_every_stream_is_read_whole_and_in_order(lively: Bench, limit: int) -> None:
    for stream in streams(lively):
        found, after = [], None
        while True:
            page = read(lively, stream, after=after, limit=limit)
            assert page["after"] == after
            assert len(page["events"]) <= limit
            if not page["events"]:
                assert page["nextAfter"] == after
                break
            assert [event["sequence"] for event in page["events"]] == list(
                range(-1 if after is None else after, page["nextAfter"] + 1)
            )[1:]
            found += page["events"]
            after = page["nextAfter"]
        kind, stream_id = stream["kind"], stream["id"]
        assert found == stored(lively, f"stream_kind = '{kind}' AND stream_id = '{stream_id}'")


@pytest.mark.parametrize("limit", [1, 7, 1000])
def test_the_feed_is_read_whole_in_commit_order(lively: Bench, limit: int) -> None:
    found: list[dict[str, Any]] = []
    after = None
    while (page := read(lively, ALL, after=after, limit=limit))["events"]:
        found += page["events"]
        after = page["nextAfter"]
        # positions are counted from 0
        assert after == len(found) - 1
    assert found == stored(lively)
    assert {event["stream"]["kind"] for event in found} == {"automation", "occurrence", "run"}


def test_a_subscription_goes_on_from_its_checkpoint(lively: Bench) -> None:
    found: list[dict[str, Any]] = []
    page = subscribe(lively)
    seen = {page["checkpoint"]}
    while page["events"]:
        assert len(page["events"]) <= 100
        found += page["events"]
        previous, page = page, subscribe(lively, checkpoint=page["checkpoint"])
        assert page["after"] == previous["nextAfter"]
        assert page["checkpoint"] not in seen
        seen.add(page["checkpoint"])
    assert found == stored(lively)
    lively.create("new")
    assert [event["automationId"] for event in subscribe(lively, checkpoint=page["checkpoint"])["events"]] == ["new"]
    assert subscribe(lively, after=len(found) - 1)["events"] == stored(lively)[len(found) :]
    # a checkpoint can be gone on from more than once
    assert subscribe(lively, checkpoint=page["checkpoint"])["after"] == len(found) - 1


@pytest.mark.parametrize("kind", ["automation", "occurrence", "run"])
def test_an_unknown_stream_is_empty_until_it_begins(bench: Bench, kind: str) -> None:
    page = read(bench, {"kind": kind, "id": "notes"})
    assert (page["after"], page["events"], page["nextAfter"]) == (None, [], None)
    bench.create()
    later = subscribe(bench, {"kind": kind, "id": "notes"}, checkpoint=page["checkpoint"])
    assert len(later["events"]) == (kind == "automation")


def test_an_empty_feed(bench: Bench) -> None:
    for page in (read(bench), read(bench, since="2026-01-01T00:00:00Z"), subscribe(bench)):
        assert (page["after"], page["events"], page["nextAfter"]) == (None, [], None)
    assert read(bench, after=5)["nextAfter"] == 5


def test_from_begins_with_the_first_event_recorded_since(lively: Bench) -> None:
    everything = stored(lively)
    for stream, found in ((ALL, everything), *((stream, []) for stream in streams(lively))):
        found = found or [event for event in everything if event["stream"] == stream]
        instants = sorted({event["recordedAt"] for event in found})
        for instant in (*instants, "2026-01-01T00:00:00Z", "2026-01-01T00:00:00.000Z"):
            page = read(lively, stream, limit=1000, since=instant)
            assert page["events"] == [event for event in found if event["recordedAt"] >= instant]
            assert page["after"] == (len(found) - len(page["events"]) - 1 if page["after"] is not None else None)
        last = timestamps.to_text(timestamps.parse(instants[-1]) + 1)
        page = read(lively, stream, since=last)
        assert (page["after"], page["events"], page["nextAfter"]) == (len(found) - 1, [], len(found) - 1)


def test_a_page_of_the_feed_is_found_by_its_place(lively: Bench) -> None:
    for sql in (
        "SELECT position - 1, body FROM events WHERE position > 5 ORDER BY position LIMIT 10",
        "SELECT position - 2 FROM events WHERE recorded_at >= 'x' ORDER BY recorded_at, position LIMIT 1",
        "SELECT sequence, body FROM events WHERE stream_kind = 'run' AND stream_id = 'x' AND sequence > 1"
        " ORDER BY sequence LIMIT 10",
    ):
        [plan] = [row[3] for row in lively.rows("EXPLAIN QUERY PLAN " + sql)]
        assert plan.startswith("SEARCH"), plan


# --- checkpoints ------------------------------------------------------------------------------------------------------


def test_a_checkpoint_holds_for_a_day_and_is_known_for_a_week_more(bench: Bench) -> None:
    bench.create(status="PAUSED")
    page = read(bench)
    pass_by(bench, DAY - 1)
    assert subscribe(bench, checkpoint=page["checkpoint"])["after"] == 0
    for passing in (1, 7 * DAY - 1):
        pass_by(bench, passing)
        refusal = refused(lambda: subscribe(bench, checkpoint=page["checkpoint"]))
        assert refusal.code == "CURSOR_EXPIRED"
        assert refusal.http_status == 410
        assert refusal.details == {"expiredAt": page["checkpointExpiresAt"]}
    pass_by(bench, 1)
    refusal = refused(lambda: subscribe(bench, checkpoint=page["checkpoint"]))
    assert (refusal.code, refusal.details) == ("NOT_FOUND", None)


def test_an_expired_checkpoint_of_another_stream_is_one_of_another_stream(bench: Bench) -> None:
    bench.create(status="PAUSED")
    page = read(bench, NOTES)
    assert refused(lambda: subscribe(bench, checkpoint=page["checkpoint"])).code == "VALIDATION_FAILED"
    pass_by(bench, DAY)
    assert refused(lambda: subscribe(bench, checkpoint=page["checkpoint"])).code == "VALIDATION_FAILED"


def test_a_hundred_old_checkpoints_are_put_away_by_a_read(bench: Bench) -> None:
    for _ in range(205):
        read(bench)
    pass_by(bench, DAY)
    for lapsed in (100, 200, 205):
        read(bench)
        assert bench.value("SELECT count(*) FROM event_checkpoints WHERE lapsed = 1") == lapsed
    pass_by(bench, 7 * DAY)
    for left in (108 + 1, 8 + 2, 3 + 3):
        read(bench)
        assert bench.value("SELECT count(*) FROM event_checkpoints") == left


def test_a_refused_read_writes_nothing(bench: Bench) -> None:
    bench.create(status="PAUSED")
    for asked in ({"checkpoint": "ecp"}, {"after": 1, "checkpoint": "ecp"}, {"limit": 1}):
        refused(partial(events.subscribe, bench.engine, {"stream": ALL, **asked}))
    assert bench.value("SELECT count(*) FROM event_checkpoints") == 0


def test_a_checkpoint_outlives_the_app(bench: Bench) -> None:
    bench.create()
    page = read(bench)
    bench.crash()
    bench.create("other")
    [event] = subscribe(bench, checkpoint=page["checkpoint"])["events"]
    assert event["automationId"] == "other"


def test_reading_is_not_waited_for_and_wakes_nobody_and_leaves_what_lasts_as_durable(bench: Bench) -> None:
    bench.create(status="PAUSED")
    told: list[None] = []
    bench.engine.subscribe(lambda: told.append(None))
    bench.turn()
    told.clear()
    bench.rows("PRAGMA synchronous = FULL")
    with bench.engine.core.passing_change() as tx:
        assert tx.number("PRAGMA synchronous") == 1
    read(bench)
    with pytest.raises(StoreBug), bench.engine.core.passing_change() as tx:
        tx.change("DELETE FROM event_checkpoints; DELETE FROM nothing")
    assert bench.value("SELECT count(*) FROM event_checkpoints") == 1
    bench.turn()
    assert told == []
    with bench.engine.core.change() as tx:
        assert tx.number("PRAGMA synchronous") == 2


def test_who_has_lost_the_lead_leaves_no_checkpoint(bench: Bench) -> None:
    bench.rows("UPDATE scheduler_authority SET generation = generation + 1")
    with pytest.raises(StaleLeadership):
        read(bench)
    assert bench.value("SELECT count(*) FROM event_checkpoints") == 0
    bench.rows(f"UPDATE scheduler_authority SET generation = {bench.engine.core.generation} WHERE 0")
    bench.engine.core.generation += 1


# --- retention --------------------------------------------------------------------------------------------------------


@pytest.fixture
def old(tmp_path: Path) -> Iterator[Bench]:
    """Three occurrences older than the limit of 30 days, which no look has seen yet."""
    home = Home(tmp_path / "home")
    homes.prepare(home)
    made = limited(home)
    made.start()
    made.create()
    for _ in range(3):
        ran(made)
    pause(made)
    pass_by(made, LIMIT * DAY - 5 * HOUR)
    yield made
    check_whole(made)
    made.engine.stop()
    made.store.close()


def grown(bench: Bench) -> None:
    """The limit comes, and a look goes through what is older."""
    pass_by(bench, 5 * HOUR)
    look(bench)


def expired_now(bench: Bench, refusal: TypedRefusal) -> None:
    """It is told that what was asked for is gone, as of now."""
    assert refusal.code == "CURSOR_EXPIRED"
    assert refusal.details == {"expiredAt": timestamps.to_text(bench.clock.wall())}


def test_the_feed_begins_behind_what_was_pruned(old: Bench) -> None:
    everything = stored(old)
    grown(old)
    left = stored(old)
    first = next(n for n in range(len(everything)) if everything[n:] == left[-len(everything[n:]) :])
    assert 0 < first < len(everything)
    assert first + len(left) > len(everything), "some of what lies before it is left"
    page = read(old, limit=1000)
    assert page["after"] is None
    assert page["events"] == everything[first:]
    assert page["nextAfter"] == len(everything) - 1
    assert read(old, after=first - 1)["events"] == everything[first:]
    expired_now(old, refused(lambda: read(old, after=first - 2)))
    expired_now(old, refused(lambda: subscribe(old, after=0)))
    since = read(old, since="2026-01-01T00:00:00Z")
    assert (since["after"], since["events"]) == (first - 1, everything[first:])
    # the streams that are left are whole
    assert read(old, NOTES)["events"] == [event for event in everything if event["stream"] == NOTES]


def test_a_pruned_stream_is_gone_and_not_unknown(old: Bench) -> None:
    [run_id] = old.rows("SELECT id FROM runs ORDER BY started_at LIMIT 1")[0]
    stream = {"kind": "run", "id": run_id}
    last = read(old, stream)["nextAfter"]
    pass_by(old, DAY)
    grown(old)
    for after in (None, 0, last - 1):
        expired_now(old, refused(partial(read, old, stream, after=after)))
    page = read(old, stream, after=last)
    assert (page["after"], page["events"], page["nextAfter"]) == (last, [], last)
    assert read(old, stream, since="2026-01-01T00:00:00Z")["after"] == last


@pytest.mark.parametrize("whole_feed", [True, False])
def test_what_a_live_checkpoint_has_not_read_is_kept_until_it_expires(old: Bench, whole_feed: bool) -> None:
    before = occurrences(old)
    oldest = old.value("SELECT id FROM occurrences ORDER BY scheduled_for LIMIT 1")
    stream = ALL if whole_feed else {"kind": "occurrence", "id": oldest}
    page = read(old, stream, limit=1)
    grown(old)
    assert occurrences(old) == before if whole_feed else oldest in occurrences(old)
    assert len(subscribe(old, stream, checkpoint=page["checkpoint"])["events"]) > 2
    pass_by(old, DAY)
    look(old)
    assert oldest not in occurrences(old)


def test_a_checkpoint_that_has_read_all_keeps_nothing(old: Bench) -> None:
    page = read(old, limit=1000)
    grown(old)
    assert len(occurrences(old)) == 1
    assert subscribe(old, checkpoint=page["checkpoint"])["events"] == []
    old.advance(SECOND)
