"""events: the newest or from a place on, and following that no restart of the app and no Ctrl-C makes a mess of."""

from __future__ import annotations

import json
import signal
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

import pytest

from tests.cli.covenctl import COMMAND, covenctl, environment
from tests.cli.feed_server import Feed
from tests.cli.stand_in import StandIn, completed, rejected
from tests.cli.test_reading import RUN
from tests.rig import App, routine, until

AWAY = "Coven Desktop is away; this goes on from the last event as soon as it answers again."


class Follower:
    """covenctl events --follow in a process of its own, and what it has printed so far."""

    def __init__(self, home: Path, *options: str) -> None:
        self.process = subprocess.Popen(
            [*COMMAND, "events", "--follow", *options],
            env=environment(home),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.lines: list[str] = []
        self.said: list[str] = []
        self._threads = [
            threading.Thread(target=self._drain, args=(self.process.stdout, self.lines)),
            threading.Thread(target=self._drain, args=(self.process.stderr, self.said)),
        ]
        for thread in self._threads:
            thread.start()

    @staticmethod
    def _drain(stream: TextIO, lines: list[str]) -> None:
        with stream:
            for line in stream:
                lines.append(line.rstrip("\n"))

    def positions(self) -> list[int]:
        return [json.loads(line)["sequence"] for line in self.lines]

    def interrupt(self) -> int:
        self.process.send_signal(signal.SIGINT)
        code = self.process.wait(20)
        for thread in self._threads:
            thread.join(20)
        return code


@contextmanager
def following(home: Path, *options: str) -> Iterator[Follower]:
    follower = Follower(home, *options)
    try:
        yield follower
    finally:
        follower.process.kill()
        follower.interrupt()


@pytest.fixture
def feed() -> Iterator[Feed]:
    made = Feed(30)
    yield made
    made.stop()


def test_the_newest_events_are_shown(home: Path, feed: Feed) -> None:
    feed.serve(home)
    shown = covenctl("events", home=home)
    assert (shown.code, shown.err) == (0, "")
    lines = shown.out.splitlines()
    assert len(lines) == 20
    assert lines[0].endswith("09:00:10  daily-notes  revised, revision 11")
    assert lines[-1].endswith("09:00:29  daily-notes  revised, revision 30")
    page = covenctl("events", "--limit", "2", "--json", home=home).json
    assert ([one["sequence"] for one in page["events"]], page["after"], page["nextAfter"]) == ([28, 29], 27, 29)
    assert len(covenctl("events", "--limit", "100", "--json", home=home).json["events"]) == 30
    since = covenctl("events", "--from", "2026-08-30T11:00:05+02:00", "--limit", "2", "--json", home=home).json
    assert [one["sequence"] for one in since["events"]] == [5, 6]
    after = covenctl("events", "--after", "6", "--limit", "1", "--json", home=home).json
    assert [one["sequence"] for one in after["events"]] == [7]
    feed.kept_from = 25
    assert len(covenctl("events", "--json", home=home).json["events"]) == 5
    expired = covenctl("events", "--after", "3", home=home)
    assert (expired.code, "begin anew" in expired.err) == (1, True)


def test_the_stream_is_named(home: Path, app: StandIn) -> None:
    page: dict[str, Any] = {"after": None, "nextAfter": None, "events": []}
    app.payload("events.read.v1", page)
    app.payload("get", {"routine": None})
    unknown = covenctl("events", "--routine", "nobody", home=home)
    assert (unknown.code, "no routine nobody" in unknown.err) == (1, True)
    app.payload("run.get.v1", {"run": RUN})
    assert covenctl("events", "--run", "run-1", home=home).out == "No events there.\n"
    covenctl("events", "--occurrence", "run-1", home=home)
    covenctl("events", home=home)
    streams = [(sent["stream"]["kind"], sent["stream"]["id"]) for sent in app.sent("events.read.v1")]
    assert list(dict.fromkeys(streams)) == [
        ("automation", "nobody"),
        ("run", "run-1"),
        ("occurrence", RUN["occurrenceId"]),
        ("feed", "all"),
    ]


@pytest.mark.parametrize(
    "options",
    [["--from", "yesterday"], ["--from", "2026-08-30"]],
)
def test_an_instant_that_is_none(home: Path, app: StandIn, options: list[str]) -> None:
    result = covenctl("events", *options, home=home)
    assert (result.code, "RFC 3339" in result.err) == (1, True)


@pytest.mark.parametrize(
    "options",
    [
        ["--limit", "0"],
        ["--limit", "1001"],
        ["--after", "-1"],
        ["--after", "1", "--from", "2026-08-30T09:00:00Z"],
        ["--run", "a", "--routine", "b"],
    ],
)
def test_what_does_not_go_together(home: Path, options: list[str]) -> None:
    assert covenctl("events", *options, home=home).code == 2


def test_each_event_is_one_line(home: Path, feed: Feed) -> None:
    feed.events.clear()
    feed.serve(home)
    stream = {"kind": "run", "id": "run-1"}
    moved: dict[str, Any] = {"stream": stream, "runId": "run-1", "occurrenceId": "occ-1"}
    attempt = {"entity": "attempt", "from": "none", "to": "adopted", "attemptNumber": 2}
    feed.add(kind="attempt.transitioned", payload={**attempt, "reason": "Coven recorded the attempt state"}, **moved)
    ended = {"entity": "run", "from": "running", "to": "failed", "reason": "exit 3\x1b[31m\nx"}
    feed.add(kind="run.transitioned", payload=ended, **moved)
    missed = {"disposition": "collapsed_to_latest", "collapsedSlots": 4}
    feed.add(kind="occurrence.misfire_recorded", payload=missed)
    feed.add(kind="receipt.recorded", payload={"receiptRef": "receipt-1", "outcome": "failed"})
    feed.add(kind="new.kind", summary="what this version does not know", payload={})
    lines = [line.partition("  ")[2] for line in covenctl("events", home=home).out.splitlines()]
    assert lines == [
        "daily-notes  attempt 2 of run-1 adopted",
        "daily-notes  run run-1 running → failed: exit 3\\x1b[31m\\nx",
        "daily-notes  4 missed, collapsed to latest",
        "daily-notes  receipt receipt-1: failed",
        "daily-notes  new.kind: what this version does not know",
    ]


def test_following_goes_on_over_a_restart_and_ends_calmly(home: Path, feed: Feed) -> None:
    feed.serve(home)
    with following(home, "--json") as follower:
        until("the newest are shown", lambda: follower.positions() == list(range(20, 30)))
        feed.add(2)
        until("what comes is shown", lambda: follower.positions()[-1:] == [31])
        until("it waits", lambda: feed.waits and feed.waits[-1].get("after") == 31)
        assert feed.waits[-1]["waitSeconds"] <= 30
        feed.stop()
        until("it says that the app is away", lambda: follower.said)
        feed.add(3)
        feed.serve(home)
        until("nothing was missed", lambda: follower.positions() == list(range(20, 35)))
        feed.stop()
        until("it says so again", lambda: len(follower.said) == 2)
        feed.serve(home)
        feed.add(1)
        until("it goes on again", lambda: follower.positions()[-1] == 35)
        assert follower.interrupt() == -signal.SIGINT
        assert follower.positions() == list(range(20, 36))
        assert follower.said == [AWAY] * 2


def test_following_from_a_place(home: Path, feed: Feed) -> None:
    feed.serve(home)
    with following(home, "--json", "--after", "3", "--limit", "4") as follower:
        until("all after it are shown", lambda: follower.positions() == list(range(4, 30)))
        assert follower.interrupt() == -signal.SIGINT
        assert follower.said == []


def test_following_an_empty_feed(home: Path, feed: Feed) -> None:
    feed.events.clear()
    feed.serve(home)
    with following(home) as follower:
        until("it waits", lambda: feed.waits)
        assert "after" not in feed.waits[0]
        feed.add(1)
        until("the first is shown", lambda: len(follower.lines) == 1)


def test_following_when_what_came_in_between_was_pruned_or_replaced(home: Path, feed: Feed) -> None:
    feed.serve(home)
    with following(home, "--json", "--limit", "1") as follower:
        until("it waits", lambda: feed.waits and feed.waits[-1].get("after") == 29)
        feed.stop()
        feed.add(5)
        feed.kept_from = 32
        feed.serve(home)
        until("it goes on with what is kept", lambda: follower.positions() == [29, 32, 33, 34])
        assert "not kept any more" in follower.said[-1]
        feed.stop()
        del feed.events[10:]
        feed.kept_from = 0
        feed.serve(home)
        until("it says that there are fewer", lambda: "fewer events than before" in follower.said[-1])
        feed.add(1)
        until("it goes on with new ones", lambda: follower.positions()[-1] == 10)


def test_following_ends_for_what_does_not_pass(home: Path, feed: Feed) -> None:
    server = feed.serve(home)
    server.ours("events.wait.v1", rejected(400, "unknown action"))
    ended = covenctl("events", "--follow", home=home)
    assert (ended.code, ended.err) == (1, "covenctl: refused: unknown action\n")
    server.ours("events.wait.v1", rejected(500, "a mistake", code="INTERNAL"))
    assert covenctl("events", "--follow", home=home).code == 3
    page = {"after": 29, "nextAfter": 29, "events": []}
    busy = rejected(503, "in use", code="STORE_BUSY")
    many = rejected(429, "very many wait", code="CONCURRENCY_LIMIT")
    server.ours("events.wait.v1", busy, many, completed(page), rejected(400, "unknown action"))
    assert covenctl("events", "--follow", home=home).err.startswith("Coven Desktop is too busy; ")
    feed.stop()
    assert covenctl("events", "--follow", home=home).code == 4


def test_following_a_real_app_over_its_restart(tmp_path: Path) -> None:
    def make(app: App, name: str) -> None:
        app.act("create", definition=routine(name, "true", app.home.root, rrule="FREQ=WEEKLY;BYDAY=MO;BYHOUR=3"))

    def names(follower: Follower) -> list[str]:
        return [json.loads(line)["automationId"] for line in list(follower.lines)]

    with App(tmp_path / "home") as app:
        app.ready()
        make(app, "before")
        with following(tmp_path / "home", "--json") as follower:
            until("the event that is there is shown", lambda: names(follower) == ["before"])
            make(app, "during")
            until("an event is shown as it comes", lambda: names(follower) == ["before", "during"])
            # The app answers those who wait before it ends.
            assert app.end() == 0
            until("it says that the app is away", lambda: follower.said == [AWAY])
            with App(tmp_path / "home") as again:
                again.ready()
                make(again, "after")
                until("it goes on", lambda: names(follower) == ["before", "during", "after"])
                assert follower.interrupt() == -signal.SIGINT
                assert follower.said == [AWAY]
                run = again.act("run", id="after")
                shown = covenctl("events", "--run", str(run["runId"]), home=tmp_path / "home")
                assert (shown.code, f"run {run['runId']} running" in shown.out) == (0, True)
                until("it has ended", lambda: again.act("runs", id="after")["runs"][0]["finishedAt"])
                assert again.end() == 0
