"""What a person is told before deciding: who stops a run, what is left of it, its note, and how it failed before."""

from __future__ import annotations

import fcntl
import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from coven_desktop.engine import circumstances
from coven_desktop.engine.circumstances import Circumstances, Remains
from coven_desktop.engine.commands import cancellation, execution
from coven_desktop.home import Home, prepare
from coven_desktop.runtime import session_files
from coven_desktop.runtime.environment import SESSION_VARIABLE
from coven_desktop.runtime.output_writer import STDOUT
from tests.engine.conftest import HOUR, SECOND, Bench
from tests.engine.held_runs import BUSY, policy
from tests.engine.test_session_output import Printing

SESSION = "ses-left"


def read(bench: Bench) -> Circumstances:
    return Circumstances(bench.store)


def newest(bench: Bench) -> tuple[str, str]:
    """The newest attempt with its run."""
    run, attempt = bench.rows("SELECT run_id, id FROM attempts ORDER BY opened_at DESC, attempt_number DESC LIMIT 1")[0]
    return str(run), str(attempt)


# stops


def test_a_run_that_nobody_stops_has_no_stop(bench: Bench) -> None:
    bench.run_due()
    assert read(bench).stop_of(*newest(bench)) is None


def test_a_cancellation_is_told_with_the_time_it_has_and_then_with_its_proof(bench: Bench) -> None:
    session = bench.run_due()
    cancellation.cancel_run(bench.engine, bench.cancel_body())
    began = bench.clock.wall()
    stop = read(bench).stop_of(*newest(bench))
    assert stop is not None
    assert (stop.owner, stop.since, stop.until) == ("cancellation", began, began + 30 * SECOND)
    assert (stop.outcome, stop.reason, stop.ended_at) == ("stopping", "enough", None)
    bench.advance(2 * SECOND)
    bench.runtime.confirm_stop(session)
    bench.turn()
    stop = read(bench).stop_of(*newest(bench))
    assert stop is not None
    assert (stop.owner, stop.until, stop.outcome, stop.ended_at) == (None, None, "cancelled", began + 2 * SECOND)


def test_a_deadline_stops_without_anybody_asking(bench: Bench) -> None:
    bench.run_due(timeoutMinutes=30)
    bench.advance(30 * 60 * SECOND)
    stop = read(bench).stop_of(*newest(bench))
    assert stop is not None
    assert (stop.owner, stop.outcome, stop.reason) == ("timeout", None, "")


# notes and earlier failures


def test_the_note_of_a_start_by_hand_is_kept(bench: Bench) -> None:
    bench.create()
    body = bench.strict("occurrence.runNow.v1", automationId="notes", note="after the login")
    bench.done(execution.run_now(bench.engine, body))
    occurrence = str(bench.value("SELECT id FROM occurrences"))
    assert read(bench).note_of(occurrence) == "after the login"
    assert read(bench).note_of("occ-unknown") is None


def test_a_scheduled_run_and_a_start_without_a_note_have_none(bench: Bench) -> None:
    bench.run_due()
    assert read(bench).note_of(str(bench.value("SELECT id FROM occurrences"))) is None


def test_failed_runs_come_newest_first_and_only_they(bench: Bench) -> None:
    bench.runtime.refuse = BUSY
    bench.run_due(retry=policy(attempts=1, classes=("runtime_unavailable",)), timeoutMinutes=30)
    first = bench.clock.wall()
    bench.advance(HOUR)
    bench.runtime.refuse = None
    bench.advance(HOUR)
    found = read(bench).failed_runs("notes", 5)
    assert bench.value("SELECT count(*) FROM runs") == 3
    assert [run.scheduled_for for run in found] == [first + HOUR, first]
    assert (found[0].failure_class, found[0].reason.startswith(BUSY.message)) == ("transient_dispatch", True)
    assert len(read(bench).failed_runs("notes", 1)) == 1
    assert read(bench).failed_runs("other", 5) == ()


# what is left


@pytest.fixture
def home(tmp_path: Path) -> Home:
    made = Home(tmp_path / "home")
    prepare(made)
    made.session(SESSION).root.mkdir(parents=True)
    return made


@pytest.fixture
def carrier() -> Iterator[subprocess.Popen[bytes]]:
    """A process that says it belongs to the session."""
    process = subprocess.Popen(["sleep", "60"], env={**os.environ, SESSION_VARIABLE: SESSION})
    yield process
    process.kill()
    process.wait()


def starting(home: Home, boot: str) -> None:
    document = {"bootId": boot, "pid": 4_000_000, "startTime": 1, "graceMs": 10_000}
    home.session(SESSION).starting.write_text(json.dumps(document))


def test_a_vanished_session_names_what_still_runs(home: Home, carrier: subprocess.Popen[bytes]) -> None:
    starting(home, session_files.boot_id())
    assert circumstances.remains(home, SESSION) == Remains("vanished", 4_000_000, False, ((carrier.pid, "sleep"),))


def test_of_another_boot_nothing_can_run(home: Home, carrier: subprocess.Popen[bytes]) -> None:
    starting(home, "another")
    assert circumstances.remains(home, SESSION) == Remains("vanished", 4_000_000, True, ())


def test_a_held_lock_is_a_live_host(home: Home) -> None:
    starting(home, session_files.boot_id())
    descriptor = os.open(home.session(SESSION).lock, os.O_CREAT | os.O_RDWR, 0o600)
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    try:
        assert circumstances.remains(home, SESSION).found == "alive"
    finally:
        os.close(descriptor)


def test_a_session_that_never_started_leaves_nothing(home: Home) -> None:
    assert circumstances.remains(home, SESSION) == Remains("never_started", None, False, ())


# the ends of an output


def test_a_short_output_is_all_beginning(bench: Bench) -> None:
    printing = Printing(bench)
    printing.say(b"one\n")
    printing.say(b"two\n")
    found = circumstances.ends(bench.engine.reads, printing.session_id)
    assert b"".join(record.data for record in found.first) == b"one\ntwo\n"
    assert (found.last, found.between) == ((), 0)


def test_of_a_long_output_the_middle_is_left_out_and_counted(bench: Bench) -> None:
    printing = Printing(bench)
    lines = [f"line {number:05}\n".encode() for number in range(2_000)]
    for line in lines:
        printing.say(line, STDOUT)
    found = circumstances.ends(bench.engine.reads, printing.session_id, 1_000)
    first = b"".join(record.data for record in found.first)
    last = b"".join(record.data for record in found.last)
    whole = b"".join(lines)
    assert whole.startswith(first)
    assert whole.endswith(last)
    assert (len(first), len(last)) == (1_000, 1_000)
    assert len(first) + found.between + len(last) == len(whole)


def test_one_great_record_has_a_beginning_and_an_end_too(bench: Bench) -> None:
    printing = Printing(bench)
    printing.say(b"a" * 700 + b"b" * 5_000 + b"c" * 700)
    found = circumstances.ends(bench.engine.reads, printing.session_id, 700)
    assert [record.data for record in found.first] == [b"a" * 700]
    assert [record.data for record in found.last] == [b"c" * 700]
    assert found.between == 5_000


def test_what_fits_is_whole(bench: Bench) -> None:
    printing = Printing(bench)
    printing.say(b"a" * 900)
    printing.say(b"b" * 600)
    found = circumstances.ends(bench.engine.reads, printing.session_id, 1_000)
    assert b"".join(record.data for record in (*found.first, *found.last)) == b"a" * 900 + b"b" * 600
    assert found.between == 0


def test_no_output_has_no_ends(bench: Bench) -> None:
    session = bench.run_due()
    assert circumstances.ends(bench.engine.reads, session) == circumstances.Ends((), (), 0)
