"""Keeping history within a limit: what goes, what stays, and what a crash in between leaves (decisions.md 36)."""

from __future__ import annotations

import contextlib
import itertools
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coven_desktop import home as homes
from coven_desktop.contract import states, timestamps
from coven_desktop.contract.errors import Refusal
from coven_desktop.engine.commands import execution, recovery
from coven_desktop.engine.retention import AGAIN_MS, SETTLE_MS
from coven_desktop.home import Home
from coven_desktop.loop.manual import ManualClock
from coven_desktop.runtime.sessions import LaunchRefused
from coven_desktop.store import backup
from tests.conftest import LoggedWarnings
from tests.engine.conftest import DAY, HOUR, MINUTE, SECOND, Bench

LIMIT = 30
SETTLED = "('succeeded', 'failed', 'cancelled', 'skipped', 'superseded')"
NEWEST_SLOTS = (
    "SELECT id FROM occurrences o WHERE scheduled_for ="
    " (SELECT max(scheduled_for) FROM occurrences WHERE automation_id = o.automation_id AND kind = 'scheduled')"
)
WITH_STREAMS = (
    "SELECT stream_kind, stream_id FROM events WHERE stream_kind <> 'automation'"
    " EXCEPT SELECT 'occurrence', id FROM occurrences EXCEPT SELECT 'run', id FROM runs"
)


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    """A bench with a limit of 30 days."""
    home = Home(tmp_path / "home")
    homes.prepare(home)
    made = limited(home)
    made.start()
    yield made
    made.engine.stop()
    made.store.close()


def limited(home: Home, days: int | None = LIMIT) -> Bench:
    """A bench whose engine keeps history for so many days; it has not started."""
    made = Bench(home, ManualClock())
    made.kill()
    made.retention_days = days
    made.open()
    return made


def pass_by(bench: Bench, milliseconds: int) -> None:
    """Time passes in one stride, and the loop turns at its end."""
    bench.clock.advance(milliseconds)
    bench.turn()


def look(bench: Bench) -> None:
    """Let the next look begin and come to its end."""
    pass_by(bench, AGAIN_MS)
    bench.advance(2 * SECOND)


def ran(bench: Bench, exit_code: int | None = 0) -> tuple[str, str]:
    """The next slot comes and its run ends; returns the occurrence's and the session's id. It leaves files."""
    pass_by(bench, HOUR)
    session = bench.session
    make_folder(bench, session)
    pass_by(bench, MINUTE)
    bench.end(exit_code)
    (found,) = bench.rows(f"SELECT occurrence_id, status FROM runs WHERE session_id = '{session}'")
    return str(found[0]), session


def make_folder(bench: Bench, name: str, *, days_old: int = 0) -> Path:
    """A folder as a session host leaves it, written when the bench's clock says, or so many days earlier."""
    folder = bench.home.session(name)
    folder.root.mkdir(mode=0o700)
    at = (bench.clock.wall() - days_old * DAY) / 1000
    for file in (folder.lock, folder.output):
        file.write_bytes(b"words")
        os.utime(file, (at, at))
    os.utime(folder.root, (at, at))
    return folder.root


def some(bench: Bench, sql: str) -> set[str]:
    """The values that a query of one column gives."""
    return {row[0] for row in bench.rows(sql)}


def occurrences(bench: Bench) -> set[str]:
    return some(bench, "SELECT id FROM occurrences")


def pause(bench: Bench) -> None:
    """Nothing is planned from now on."""
    bench.rows("UPDATE definitions SET lifecycle = 'paused', next_due_at = NULL")


def check_whole(bench: Bench) -> None:
    """Nothing that is referred to is missing, and what is left is lawful."""
    assert bench.rows("PRAGMA foreign_key_check") == []
    assert bench.rows("PRAGMA integrity_check") == [("ok",)]
    assert bench.rows("SELECT * FROM retention_permit") == []
    assert (
        bench.rows("SELECT 1 FROM runs WHERE occurrence_id IS NULL OR session_id NOT IN (SELECT id FROM sessions)")
        == []
    )
    assert bench.rows("SELECT 1 FROM sessions WHERE attempt_id NOT IN (SELECT id FROM attempts)") == []
    assert bench.rows("SELECT 1 FROM stop_fences WHERE session_id NOT IN (SELECT id FROM sessions)") == []
    # every stream is there from its first event to its last, or gone
    assert (
        bench.rows(
            "SELECT s.kind, s.id FROM event_streams s"
            " LEFT JOIN events e ON e.stream_kind = s.kind AND e.stream_id = s.id"
            " GROUP BY s.kind, s.id HAVING count(e.position) NOT IN (0, s.next_sequence) OR min(e.sequence) <> 0"
        )
        == []
    )
    assert (
        bench.rows("SELECT DISTINCT stream_kind, stream_id FROM events EXCEPT SELECT kind, id FROM event_streams") == []
    )
    # and so is the feed, beyond what was deleted from it
    pruned = int(dict(bench.rows("SELECT name, value FROM maintenance")).get("events_pruned_through", 0))
    count, first, last = bench.rows(
        f"SELECT count(*), min(position), max(position) FROM events WHERE position > {pruned}"
    )[0]
    assert (first, last) == (pruned + 1, pruned + count)
    # the amounts of occurrences are those of the rows
    counted = bench.rows("SELECT automation_id, state, amount FROM occurrence_counts WHERE amount > 0 ORDER BY 1, 2")
    assert counted == bench.rows("SELECT automation_id, state, count(*) FROM occurrences GROUP BY 1, 2 ORDER BY 1, 2")
    # what each event says last is where its row stands
    for table, state, entity in (("occurrences", "state", "occurrence"), ("runs", "status", "run")):
        for entity_id, found in bench.rows(f"SELECT id, {state} FROM {table}"):
            assert found in states.STATES[entity]
            told = bench.rows(
                f"SELECT json_extract(body, '$.payload.to') FROM events WHERE stream_kind = '{entity}' AND stream_id ="
                f" '{entity_id}' AND kind = '{entity}.transitioned' ORDER BY sequence DESC LIMIT 1"
            )
            assert told == [(found,)]


def test_without_a_limit_everything_is_kept(tmp_path: Path) -> None:
    home = Home(tmp_path / "home")
    homes.prepare(home)
    bench = limited(home, None)
    bench.start()
    bench.create()
    kept = {ran(bench)[0] for _ in range(3)}
    pause(bench)
    pass_by(bench, 4000 * DAY)
    look(bench)
    assert occurrences(bench) == kept
    bench.engine.stop()
    bench.store.close()


def test_a_limit_below_the_least_is_a_mistake(tmp_path: Path) -> None:
    home = Home(tmp_path / "home")
    homes.prepare(home)
    with pytest.raises(ValueError, match="at least 30 days"):
        limited(home, 29)


def test_what_is_old_goes_with_all_that_hangs_on_it(bench: Bench) -> None:
    bench.create()
    old, old_session = ran(bench)
    failed, _ = ran(bench, 3)
    newest, newest_session = ran(bench)
    pause(bench)
    adoptions, revisions = bench.rows("SELECT * FROM adoptions"), bench.rows("SELECT * FROM definition_revisions")
    pass_by(bench, LIMIT * DAY)
    look(bench)
    assert occurrences(bench) == {newest}
    for table in ("runs", "attempts", "sessions"):
        assert bench.value(f"SELECT count(*) FROM {table}") == 1
    assert not bench.rows(WITH_STREAMS)
    assert not any(old in row[0] or failed in row[0] for row in bench.rows("SELECT body FROM events"))
    assert bench.rows("SELECT * FROM adoptions") == adoptions
    assert bench.rows("SELECT * FROM definition_revisions") == revisions
    assert not bench.home.session(old_session).root.exists()
    assert bench.home.session(newest_session).output.read_bytes() == b"words"
    check_whole(bench)


def test_a_routine_goes_on_from_where_it_was(bench: Bench) -> None:
    bench.create()
    for _ in range(3):
        ran(bench)
    pass_by(bench, 2 * LIMIT * DAY)
    bench.end()
    for _ in range(3):
        look(bench)
        bench.end()
    assert bench.value("SELECT count(*) FROM occurrences WHERE state = 'succeeded'") == 4
    assert len(bench.world.launched) == 7
    check_whole(bench)


def test_only_what_is_older_than_the_limit_goes(bench: Bench) -> None:
    bench.create()
    first, _ = ran(bench)
    settled = bench.clock.wall()
    second, _ = ran(bench)
    newest, _ = ran(bench)
    pause(bench)
    bench.clock.advance(settled + LIMIT * DAY - SETTLE_MS - bench.clock.wall())
    bench.again()
    pass_by(bench, SETTLE_MS)  # a look at the instant at which the first is exactly as old as the limit
    assert occurrences(bench) == {first, second, newest}
    bench.again()
    pass_by(bench, SETTLE_MS)
    assert occurrences(bench) == {second, newest}


def test_what_is_open_stays_whatever_its_age(bench: Bench) -> None:
    bench.create("lost", timeoutMinutes=44_640)
    bench.create("long", timeoutMinutes=44_640)
    pass_by(bench, HOUR)
    lost, long = bench.rows("SELECT id FROM occurrences ORDER BY automation_id")
    session = bench.value("SELECT session_id FROM runs WHERE automation_id = 'lost'")
    bench.runtime.end(session, None)
    bench.turn()
    for _ in range(2):
        pass_by(bench, HOUR)
    pause(bench)
    pass_by(bench, LIMIT * DAY)
    look(bench)
    assert {lost[0], long[0]} <= occurrences(bench)
    assert bench.value("SELECT count(*) FROM runs WHERE status = 'running'") == 2
    check_whole(bench)


def test_a_quarantined_routine_keeps_what_it_is_judged_by(bench: Bench) -> None:
    bench.create()
    kept = {ran(bench, 3)[0] for _ in range(3)}
    pause(bench)
    bench.rows("INSERT INTO retry_state VALUES ('notes', 3, 'x', 'runtime_error', 'it failed', 'x')")
    pass_by(bench, LIMIT * DAY)
    look(bench)
    assert occurrences(bench) == kept
    bench.rows("UPDATE retry_state SET quarantined_at = NULL, failure_class = NULL, reason = NULL")
    look(bench)
    assert len(occurrences(bench)) == 1


@pytest.mark.parametrize("alive", [True, False])
def test_a_session_that_may_still_live_keeps_its_rows(bench: Bench, alive: bool) -> None:
    bench.create()
    pass_by(bench, HOUR)
    session = bench.session
    make_folder(bench, session)
    bench.runtime.end(session, None)
    bench.turn()
    lost = bench.value("SELECT id FROM occurrences")
    body = bench.strict("occurrence.recover.v1", occurrenceId=lost, evidenceDetermination="failed_deterministic")
    recovery.recover(bench.engine, body)
    ran(bench)
    pause(bench)
    if alive:
        bench.world.found[session] = ("alive", None)
    pass_by(bench, LIMIT * DAY)
    look(bench)
    assert (lost in occurrences(bench)) is alive
    assert bench.home.session(session).root.exists() is alive


def test_the_newest_event_stays_so_that_positions_count_on(bench: Bench) -> None:
    bench.create(status="PAUSED")
    bench.done(execution.run(bench.engine, {"id": "notes"}))
    bench.end()
    (manual,) = occurrences(bench)
    newest = bench.value("SELECT max(position) FROM events")
    pass_by(bench, LIMIT * DAY)
    look(bench)
    assert occurrences(bench) == {manual}
    bench.create("other", status="PAUSED")
    look(bench)
    assert not occurrences(bench)
    assert bench.value("SELECT max(position) FROM events") == newest + 1
    check_whole(bench)


def test_run_now_is_answered_as_before_when_its_occurrence_is_gone(bench: Bench) -> None:
    bench.create()
    body = bench.strict("occurrence.runNow.v1", automationId="notes")
    first = bench.done(execution.run_now(bench.engine, body))
    bench.end()
    ran(bench)
    pause(bench)
    pass_by(bench, LIMIT * DAY)
    look(bench)
    assert first.payload["occurrenceId"] not in occurrences(bench)
    again = bench.done(execution.run_now(bench.engine, body))
    assert again.payload["occurrenceId"] == first.payload["occurrenceId"]
    assert len(bench.world.launched) == 2


def test_a_run_that_was_taken_back_leaves_nothing(bench: Bench) -> None:
    bench.automatic = False
    bench.again()
    bench.create()
    pass_by(bench, HOUR)
    bench.world.found[bench.session] = ("never_started", None)
    bench.automatic = True
    bench.crash()
    bench.end()
    ran(bench)
    pause(bench)
    assert len(bench.rows(WITH_STREAMS)) == 1
    pass_by(bench, LIMIT * DAY)
    look(bench)
    assert not bench.rows(WITH_STREAMS)
    assert len(occurrences(bench)) == 1
    check_whole(bench)


def test_a_crash_between_the_rows_and_their_files_leaves_no_litter(bench: Bench) -> None:
    bench.create()
    _, session = ran(bench)
    ran(bench)
    pause(bench)
    pass_by(bench, LIMIT * DAY + AGAIN_MS)  # the first slice, and no more
    assert len(occurrences(bench)) == 1
    assert bench.home.session(session).root.exists()
    bench.crash()
    pass_by(bench, SETTLE_MS)
    bench.advance(SECOND)
    assert not bench.home.session(session).root.exists()


def test_of_folders_without_a_session_only_old_ones_that_are_ours_go(bench: Bench) -> None:
    old = make_folder(bench, "session-old", days_old=LIMIT + 1)
    written = make_folder(bench, "session-written", days_old=LIMIT + 1)
    at = bench.clock.wall() / 1000
    os.utime(written / "output", (at, at))
    young = make_folder(bench, "session-young", days_old=LIMIT - 1)
    alive = make_folder(bench, "session-alive", days_old=LIMIT + 1)
    bench.world.found["session-alive"] = ("alive", None)
    other = make_folder(bench, "notes", days_old=LIMIT + 1)
    link = bench.home.session("session-link").root
    link.symlink_to(other, target_is_directory=True)
    look(bench)
    assert not old.exists()
    for kept in (written, young, alive, other / "output", link):
        assert kept.exists()


def test_a_folder_that_cannot_be_removed_is_told_and_tried_again(bench: Bench, logged: LoggedWarnings) -> None:
    bench.create()
    _, session = ran(bench)
    ran(bench)
    pause(bench)
    folder = bench.home.session(session).root
    elsewhere = folder.rename(bench.home.root / "elsewhere")
    folder.symlink_to(elsewhere, target_is_directory=True)
    pass_by(bench, LIMIT * DAY)
    look(bench)
    assert (elsewhere / "output").exists()
    logged.expect("cannot be removed")
    folder.unlink()
    elsewhere.rename(folder)
    look(bench)
    assert not folder.exists()


def test_much_is_deleted_in_slices_and_the_file_becomes_smaller(bench: Bench) -> None:
    bench.create()
    newest, _ = ran(bench)
    pause(bench)
    look(bench)
    columns = "automation_id, automation_revision, definition_digest, kind, state, failure_reason"
    with bench.store.transaction(bench.clock.wall()) as tx:
        tx.change(
            "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)"
            f" INSERT INTO occurrences (id, scheduled_for, created_at, updated_at, {columns})"
            " SELECT 'old-' || i, printf('2020-01-01T00:%02d:%02d.000Z', i / 60, i % 60), '2020', '2020',"
            " automation_id, automation_revision, definition_digest, 'scheduled', 'skipped', printf('%.500c', 'x')"
            " FROM n, occurrences"
        )
    pages = bench.value("PRAGMA page_count")
    pass_by(bench, AGAIN_MS)
    left = [bench.value("SELECT count(*) FROM occurrences")]
    for _ in range(80):
        bench.advance(20)
        left.append(bench.value("SELECT count(*) FROM occurrences"))
    assert max(before - after for before, after in itertools.pairwise(left)) <= 16
    bench.advance(10 * SECOND)
    assert occurrences(bench) == {newest}
    assert bench.value("PRAGMA freelist_count") == 0
    assert bench.value("PRAGMA page_count") < pages - 100
    check_whole(bench)


def checked(bench: Bench) -> None:
    """Let the check of the file that is under way come to its end: it must not come between later."""
    now = timestamps.to_text(bench.clock.wall())
    checks = f"SELECT 1 FROM maintenance WHERE name = 'last_integrity_check' AND updated_at >= '{now}'"
    bench.loop.run_until(lambda: bool(bench.rows(checks)))
    bench.advance(SECOND)  # and the backup


def old_history(bench: Bench) -> None:
    """One occurrence that a look will delete, and one that it will not."""
    bench.advance(SECOND)  # the first backup
    bench.create()
    ran(bench)
    ran(bench)
    pause(bench)


def test_a_clock_set_forward_deletes_nothing_at_once(bench: Bench) -> None:
    old_history(bench)
    bench.clock.jump(LIMIT * DAY)
    bench.clock.advance(SETTLE_MS - MINUTE)
    bench.clock.jump(-LIMIT * DAY)
    bench.turn()
    bench.clock.jump(LIMIT * DAY)
    look(bench)
    assert len(occurrences(bench)) == 2
    pass_by(bench, SETTLE_MS)
    bench.advance(SECOND)
    assert len(occurrences(bench)) == 1


def test_a_damaged_database_is_left_as_it_is(bench: Bench) -> None:
    old_history(bench)
    pass_by(bench, LIMIT * DAY - AGAIN_MS)
    checked(bench)
    bench.engine.core.storage_sound = False
    for _ in range(3):
        look(bench)
    assert len(occurrences(bench)) == 2
    bench.engine.core.storage_sound = True
    look(bench)
    assert len(occurrences(bench)) == 1


def test_a_store_that_cannot_be_written_is_tried_again(bench: Bench, logged: LoggedWarnings) -> None:
    old_history(bench)
    pass_by(bench, (LIMIT - 1) * DAY)
    checked(bench)
    bench.store.connection.set_busy_timeout(0)
    other = bench.lock()
    pass_by(bench, DAY)
    other.close()
    assert len(occurrences(bench)) == 2
    logged.expect("what is old cannot be deleted yet")
    logged.expect("automations tick failed")
    logged.expect("the pass cannot be recorded")
    look(bench)
    assert len(occurrences(bench)) == 1


def test_an_engine_that_lost_the_lead_deletes_nothing_more(bench: Bench) -> None:
    old_history(bench)
    pass_by(bench, (LIMIT - 1) * DAY)
    bench.rows("UPDATE scheduler_authority SET generation = generation + 1, owner_id = 'another'")
    bench.clock.advance(2 * DAY)
    bench.engine.retention._look()
    assert len(occurrences(bench)) == 2


def test_a_stop_in_the_middle_is_gone_on_from(bench: Bench) -> None:
    old_history(bench)
    pass_by(bench, LIMIT * DAY + AGAIN_MS)
    bench.again()
    pass_by(bench, SETTLE_MS)
    bench.advance(SECOND)
    assert len(occurrences(bench)) == 1
    check_whole(bench)


ACTS = st.sampled_from(
    ["hour", "hour", "day", "month", "ends", "ends", "fails", "vanishes", "refused", "never", "run", "recover", "crash"]
)


@pytest.mark.timeout(300)
@settings(max_examples=settings().max_examples // 5)
@given(acts=st.lists(ACTS, min_size=5, max_size=25))
def test_whatever_happened_nothing_that_is_needed_is_deleted(acts: list[str]) -> None:
    shared_memory = Path("/dev/shm")
    with (
        tempfile.TemporaryDirectory(dir=shared_memory if shared_memory.is_dir() else None) as folder,
        pytest.MonkeyPatch.context() as patch,
    ):
        patch.setattr(backup, "is_due", lambda *arguments: False)
        home = Home(Path(folder) / "home")
        homes.prepare(home)
        bench = limited(home)
        bench.automatic = False
        bench.kill()
        bench.open()
        bench.start()
        bench.create("a", timeoutMinutes=90)
        bench.create("b", timeoutMinutes=44_640)
        for act in acts:
            carry_out(bench, act)
        pause(bench)
        carry_out(bench, "month")
        bench.advance(2 * SECOND)
        limit = timestamps.to_text(bench.clock.wall() + AGAIN_MS - LIMIT * DAY)
        before = occurrences(bench)
        old = some(bench, f"SELECT id FROM occurrences WHERE state IN {SETTLED} AND updated_at < '{limit}'")
        newest = some(bench, NEWEST_SLOTS)
        living = {one for one, found in bench.world.found.items() if found[0] == "alive"}
        needed = newest | {
            occurrence_id
            for occurrence_id, session in bench.rows("SELECT occurrence_id, session_id FROM runs")
            if session in living
        }
        last = some(bench, "SELECT json_extract(body, '$.occurrenceId') FROM events ORDER BY position DESC LIMIT 1")
        look(bench)
        gone = before - occurrences(bench)
        assert old - needed - last <= gone <= old - needed
        check_whole(bench)
        folders = {entry.name for entry in home.sessions.iterdir()}
        assert folders <= some(bench, "SELECT id FROM sessions")
        bench.engine.stop()
        bench.store.close()


def carry_out(bench: Bench, act: str) -> None:
    """One thing that happens to two routines, in a world where a launch waits for its report."""
    living = [one for one in bench.runtime.launches if bench.world.found.get(one) == ("alive", None)]
    if act in ("ends", "fails", "vanishes") and living:
        bench.runtime.start(living[0])
        bench.turn()
        if not bench.home.session(living[0]).root.exists():
            make_folder(bench, living[0])
        known = bench.runtime.evidence(living[0], exit_code=0 if act == "ends" else 3)
        bench.runtime.end(living[0], known if act != "vanishes" else None)
    elif act == "refused" and living:
        bench.runtime.fail_start(living[0], LaunchRefused("launch_refused", "no", True))
    elif act == "never" and living:
        bench.world.found[living[0]] = ("never_started", None)
        bench.crash()
    elif act == "crash":
        bench.crash(away=HOUR)
    elif act == "run":
        with contextlib.suppress(Refusal):
            execution.run(bench.engine, {"id": "a"})
    elif act == "recover":
        for (lost,) in bench.rows("SELECT id FROM occurrences WHERE state = 'recovery_required'"):
            body = bench.strict(
                "occurrence.recover.v1", occurrenceId=lost, evidenceDetermination="failed_deterministic"
            )
            recovery.recover(bench.engine, body)
    else:
        pass_by(bench, {"hour": HOUR, "day": DAY, "month": 31 * DAY}.get(act, MINUTE))
    bench.turn()
