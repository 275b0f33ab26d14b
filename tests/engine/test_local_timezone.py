"""`local` in a stored routine is replaced when the store opens, or waits for an answer (decisions.md 32)."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from coven_desktop.contract.definition import definition_digest, from_stored
from coven_desktop.contract.errors import Code, Refusal
from coven_desktop.engine.commands import definitions, execution, quarantine
from coven_desktop.schedule import zones
from coven_desktop.store import backup, migration
from tests.conftest import LoggedWarnings
from tests.engine.conftest import HOUR, MINUTE, Bench, definition, refused
from tests.engine.definition_bodies import authored, moved, next_due, revision, state
from tests.engine.held_runs import BUSY, policy, without_triggers
from tests.engine.old_stores import make_old
from tests.schedule import made_up_host

# not a whole hour from UTC, so that a slot tells in which zone it was found
HERE = "Asia/Kolkata"
LEDGER = (
    "SELECT migration, automation_id, old_revision, old_digest, old_body, new_revision, new_digest, recorded_at"
    " FROM migration_ledger ORDER BY number"
)


@pytest.fixture(autouse=True)
def _here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", HERE)


def reopened_as_old(bench: Bench, *local: str, bodies: dict[str, str] | None = None, away: int = 0) -> None:
    """Quit, let the database be one of the first version, and open it with this one."""
    bench.engine.stop()
    bench.store.close()
    make_old(bench.home, *local, bodies=bodies)
    bench.clock.advance(away)
    bench.restart()


def row(bench: Bench, automation_id: str = "notes") -> dict[str, Any]:
    """A stored routine."""
    names = "body revision digest lifecycle managed tombstoned_at created_at revised_at next_due_at broken_reason"
    (values,) = bench.rows(f"SELECT {', '.join(names.split())} FROM definitions WHERE id = '{automation_id}'")
    return dict(zip(names.split(), values, strict=True))


def told_of(bench: Bench, automation_id: str = "notes") -> list[dict[str, Any]]:
    """The events of a routine's stream."""
    found = bench.rows(
        f"SELECT body FROM events WHERE stream_kind = 'automation' AND stream_id = '{automation_id}' ORDER BY sequence"
    )
    return [json.loads(body) for (body,) in found]


def everything(bench: Bench) -> dict[str, list[tuple[Any, ...]]]:
    """All rows that a second opening must leave as they are."""
    tables = "definitions definition_revisions migration_ledger occurrences runs attempts events retry_state"
    return {table: bench.rows(f"SELECT * FROM {table}") for table in tables.split()}


def paused(bench: Bench) -> None:
    bench.create(status="PAUSED")


def disabled(bench: Bench) -> None:
    bench.create()
    moved(bench, "disable")


def quarantined(bench: Bench) -> None:
    bench.runtime.refuse = BUSY
    bench.run_due(retry=policy(attempts=1), timeoutMinutes=1)
    bench.runtime.refuse = None
    bench.advance(MINUTE)


def active(bench: Bench) -> None:
    bench.create()


def broken(bench: Bench) -> None:
    bench.create()
    bench.rows("UPDATE definitions SET broken_reason = 'something', next_due_at = NULL")


@pytest.mark.parametrize("arrange", [active, paused, disabled, quarantined, broken])
def test_it_becomes_the_next_revision_and_nothing_else_changes(bench: Bench, arrange: Callable[[Bench], None]) -> None:
    arrange(bench)
    lifecycle, managed = row(bench)["lifecycle"], row(bench)["managed"]
    before = revision(bench)
    status = json.loads(row(bench)["body"])["status"]
    reopened_as_old(bench, "notes", away=10 * MINUTE)
    now = row(bench)
    exact = from_stored(now["body"])
    assert (exact.timezone, exact.status) == (HERE, status)
    assert (now["revision"], now["lifecycle"], now["managed"]) == (before + 1, lifecycle, managed)
    assert now["digest"] == definition_digest(exact)
    assert now["broken_reason"] is None
    assert now["revised_at"] > now["created_at"]
    kept = bench.rows(f"SELECT digest, body, lifecycle FROM definition_revisions WHERE revision = {before + 1}")
    assert kept == [(now["digest"], now["body"], lifecycle)]
    event = told_of(bench)[-1]
    assert event["kind"] == "definition.revised"
    assert "causation" not in event
    assert event["payload"] == {
        "revision": before + 1,
        "definitionDigest": {"algorithm": "sha256", "canonicalization": "jcs-rfc8785", "value": now["digest"]},
        "lifecycleState": lifecycle,
    }
    (entry,) = bench.rows(LEDGER)
    name, automation_id, old_revision, old_digest, old_body, new_revision, new_digest, at = entry
    assert (name, automation_id) == ("local-timezone-normalization-v1", "notes")
    assert (old_revision, new_revision, new_digest, at) == (before, before + 1, now["digest"], now["revised_at"])
    was = from_stored(old_body)
    assert was.timezone == "local"
    assert old_digest == definition_digest(was)
    assert bench.rows(f"SELECT body FROM definition_revisions WHERE revision = {before}") == [(old_body,)]


def test_an_active_routine_goes_on_in_its_zone(bench: Bench) -> None:
    active(bench)
    reopened_as_old(bench, "notes")
    assert next_due(bench) == "2026-09-01T09:30:00.000Z"
    bench.advance(HOUR)
    assert bench.rows("SELECT scheduled_for, automation_revision FROM occurrences") == [("2026-09-01T09:30:00.000Z", 2)]
    assert bench.states() == [("notes", "running", "running", "observing")]


@pytest.mark.parametrize("arrange", [paused, disabled, quarantined])
def test_what_is_not_planned_gets_no_timer(bench: Bench, arrange: Callable[[Bench], None]) -> None:
    arrange(bench)
    reopened_as_old(bench, "notes")
    assert next_due(bench) is None


def test_a_quarantined_routine_stays_in_quarantine_until_it_is_released(bench: Bench) -> None:
    quarantined(bench)
    reopened_as_old(bench, "notes")
    assert bench.engine.reads.health("notes")["quarantinedAt"] == "2026-09-01T10:00:00.000Z"
    quarantine.unquarantine(bench.engine, {"id": "notes"})
    assert next_due(bench) == "2026-09-01T10:30:00.000Z"


def test_a_slot_that_was_planned_is_superseded(bench: Bench) -> None:
    bench.places = 1
    bench.again()
    bench.create("other")
    bench.create("notes", rrule="FREQ=DAILY;BYHOUR=10")
    bench.create("later", rrule="FREQ=DAILY;BYHOUR=10")
    bench.advance(HOUR)
    # one of the three has the place
    waiting = [name for (name,) in bench.rows("SELECT automation_id FROM occurrences WHERE state = 'planned'")]
    assert len(waiting) == 2
    reopened_as_old(bench, waiting[0])
    states = bench.rows(
        f"SELECT state, failure_reason, automation_revision FROM occurrences WHERE automation_id = '{waiting[0]}'"
    )
    assert states == [("superseded", "superseded by revision 2 of the routine before it was claimed", 1)]
    events = bench.rows("SELECT body FROM events WHERE stream_kind = 'occurrence' ORDER BY position DESC LIMIT 1")
    assert "causation" not in json.loads(events[0][0])
    assert bench.rows(f"SELECT state FROM occurrences WHERE automation_id = '{waiting[1]}'") == [("planned",)]


def test_a_claim_that_a_killed_app_left_is_superseded_too(bench: Bench) -> None:
    active(bench)
    bench.automatic = False
    bench.again()
    bench.advance(HOUR)
    session = bench.session
    bench.world.found[session] = ("never_started", None)
    assert bench.states()[0][1] == "claimed"
    bench.kill()
    make_old(bench.home, "notes")
    bench.restart()
    assert bench.reasons()[0] == ("superseded", "superseded by revision 2 of the routine before it was claimed")


def test_a_run_goes_on_under_the_revision_it_began_with(bench: Bench) -> None:
    session = bench.run_due()
    reopened_as_old(bench, "notes")
    assert row(bench)["revision"] == 2
    assert bench.states() == [("notes", "running", "running", "observing")]
    bench.end(session_id=session)
    assert bench.states() == [("notes", "succeeded", "succeeded", "succeeded")]
    assert from_stored(bench.value("SELECT definition_snapshot FROM runs")).timezone == "local"


def test_a_waiting_retry_is_not_superseded(bench: Bench) -> None:
    bench.runtime.refuse = BUSY
    bench.run_due(retry=policy(seconds=60))
    bench.runtime.refuse = None
    assert bench.states()[-1] == ("notes", "planned", "running", "adopted")
    reopened_as_old(bench, "notes")
    bench.advance(MINUTE)
    assert bench.states()[-1] == ("notes", "running", "running", "observing")
    bench.end()
    assert bench.states()[-1] == ("notes", "succeeded", "succeeded", "succeeded")


def test_a_deleted_routine_is_left_as_it_was(bench: Bench) -> None:
    active(bench)
    moved(bench, "tombstone")
    reopened_as_old(bench, "notes")
    now = row(bench)
    assert (json.loads(now["body"])["timezone"], now["revision"]) == ("local", 2)
    assert bench.rows(LEDGER) == []
    assert [event["kind"] for event in told_of(bench)] == ["definition.created", "definition.tombstoned"]


def test_others_are_left_alone_and_the_host_is_not_asked_for_them(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.create("other", timezone="Europe/Paris")
    bench.create("gone")
    definitions.delete(bench.engine, {"id": "gone"})
    monkeypatch.setattr(zones, "resolve_local", lambda: pytest.fail("nobody needs the host's zone"))
    reopened_as_old(bench, "gone")
    assert (row(bench, "other")["revision"], row(bench, "other")["next_due_at"]) == (1, "2026-09-01T10:00:00.000Z")
    assert bench.rows(LEDGER) == []


def test_opened_twice_it_is_done_once(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    active(bench)
    bench.create("other", status="PAUSED")
    reopened_as_old(bench, "notes", "other")
    assert len(bench.rows(LEDGER)) == 2
    before = everything(bench)
    monkeypatch.setenv("TZ", "Europe/Paris")
    bench.again()
    assert everything(bench) == before
    bench.crash()
    assert everything(bench) == before


def test_the_clock_set_back_makes_no_revision_older_than_the_one_before(bench: Bench) -> None:
    active(bench)
    bench.engine.stop()
    bench.store.close()
    make_old(bench.home, "notes")
    bench.clock.jump(-HOUR)
    bench.restart()
    assert row(bench)["revised_at"] == "2026-09-01T09:00:00.000Z"
    assert [event["recordedAt"] for event in told_of(bench)] == ["2026-09-01T09:00:00.000Z"] * 2


def test_a_restored_backup_of_the_first_version_is_rewritten_when_it_is_opened(
    bench: Bench, logged: LoggedWarnings
) -> None:
    # the run of the slot between backup and restore is still there
    logged.expect("the database knows nothing of it")
    active(bench)
    reopened_as_old(bench, "notes")
    (kept,) = [one for one in backup.kept_backups(bench.home.backups) if not one.daily]
    bench.advance(2 * HOUR)
    bench.engine.stop()
    bench.store.close()
    backup.restore(kept.path, bench.home.database)
    bench.restart()
    assert (from_stored(row(bench)["body"]).timezone, revision(bench)) == (HERE, 2)
    assert next_due(bench) == "2026-09-01T11:30:00.000Z"
    assert len(bench.rows(LEDGER)) == 1


def test_one_that_came_another_way_is_rewritten_too(bench: Bench) -> None:
    active(bench)
    triggers = bench.rows("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'")
    without_triggers(bench, "UPDATE definitions SET body = json_set(body, '$.timezone', 'local')")
    for _, sql in triggers:
        bench.rows(sql)
    bench.again()
    assert (from_stored(row(bench)["body"]).timezone, revision(bench)) == (HERE, 2)


# no answer


def unknown(monkeypatch: pytest.MonkeyPatch, folder: Path) -> str:
    monkeypatch.setenv("TZ", "Mars/Base")
    return "TZ override must be `utc` or an exact IANA timezone, got `Mars/Base`"


def empty(monkeypatch: pytest.MonkeyPatch, folder: Path) -> str:
    monkeypatch.setenv("TZ", "")
    return "TZ override must be `utc` or an exact IANA timezone, got ``"


def nameless(monkeypatch: pytest.MonkeyPatch, folder: Path) -> str:
    made_up_host.make(folder, monkeypatch)
    return "the host's time zone has no exact IANA name"


def disagreeing(monkeypatch: pytest.MonkeyPatch, folder: Path) -> str:
    made_up_host.make(folder, monkeypatch)
    made_up_host.link(folder, "Europe/Paris")
    (folder / "etc/timezone").write_text("Europe/Berlin\n")
    return "the host's time zone settings disagree"


def damaged(monkeypatch: pytest.MonkeyPatch, folder: Path) -> str:
    def unreadable(name: str) -> zones.Zone:
        raise zones.ZoneError(f"zone data of `{name}` cannot be used: it is cut short")

    monkeypatch.setattr(zones, "zone", unreadable)
    return f"zone data of `{HERE}` cannot be used"


NO_ANSWERS = [unknown, empty, nameless, disagreeing, damaged]


@pytest.mark.parametrize("no_answer", NO_ANSWERS)
def test_without_an_answer_it_waits_for_one_and_the_others_go_on(
    bench: Bench,
    no_answer: Callable[[pytest.MonkeyPatch, Path], str],
    tmp_path: Path,
    logged: LoggedWarnings,
) -> None:
    active(bench)
    bench.create("idle", status="PAUSED")
    bench.create("other")
    with pytest.MonkeyPatch.context() as patch:
        folder = tmp_path / "host"
        folder.mkdir()
        why = no_answer(patch, folder)
        logged.expect(why)
        reopened_as_old(bench, "notes", "idle")
        for name, lifecycle in (("notes", "active"), ("idle", "paused")):
            now = row(bench, name)
            assert (from_stored(now["body"]).timezone, now["revision"], now["lifecycle"]) == ("local", 1, lifecycle)
            assert now["next_due_at"] is None
            assert now["broken_reason"].startswith(
                f"stored routine `{name}` is invalid: timezone `local` cannot be resolved: {why}"
            )
            assert now["broken_reason"].endswith("; it is tried again at the next start")
        assert bench.rows(LEDGER) == []
        reason = row(bench)["broken_reason"]
        if no_answer is damaged:
            return
        bench.advance(HOUR)
        # the reason is the same in every pass
        assert row(bench)["broken_reason"] == reason
        assert bench.last_pass()["failures"] == 1
        assert bench.done(execution.tick(bench.engine, {})).payload["failed"] == [reason]
        assert bench.states() == [("other", "running", "running", "observing")]
    bench.again()
    assert (from_stored(row(bench)["body"]).timezone, row(bench)["broken_reason"]) == (HERE, None)
    assert (from_stored(row(bench, "idle")["body"]).timezone, revision(bench, "idle")) == (HERE, 2)
    assert next_due(bench) == "2026-09-01T10:30:00.000Z"
    assert len(bench.rows(LEDGER)) == 2


@pytest.fixture
def waiting(bench: Bench, monkeypatch: pytest.MonkeyPatch, logged: LoggedWarnings) -> Bench:
    """A bench with an active and a paused routine whose `local` has no answer."""
    active(bench)
    bench.create("idle", status="PAUSED")
    monkeypatch.setenv("TZ", "Mars/Base")
    logged.expect("Mars/Base")
    reopened_as_old(bench, "notes", "idle")
    return bench


def test_meanwhile_it_is_mended_by_a_zone_of_its_own(waiting: Bench) -> None:
    definitions.update(waiting.engine, {"definition": definition(timezone="Europe/Paris")})
    assert (row(waiting)["revision"], row(waiting)["broken_reason"]) == (2, None)
    assert next_due(waiting) == "2026-09-01T10:00:00.000Z"


def test_meanwhile_it_can_be_disabled_and_deleted(waiting: Bench) -> None:
    moved(waiting, "disable")
    assert (state(waiting), from_stored(row(waiting)["body"]).timezone) == ("disabled", "local")
    moved(waiting, "tombstone", "idle")
    assert state(waiting, "idle") == "tombstoned"


def test_meanwhile_it_is_neither_run_nor_moved(waiting: Bench) -> None:
    for name, command in (("notes", "pause"), ("idle", "activate")):
        refusal = refused(partial(moved, waiting, command, name))
        assert refusal.code == Code.VALIDATION_FAILED
        assert "revise it first" in refusal.reason
    with pytest.raises(Refusal, match="`local`"):
        execution.run(waiting.engine, {"id": "notes"})
    update = {"definition": definition(timezone="local")}
    with pytest.raises(Refusal, match="Mars/Base"):
        definitions.update(waiting.engine, update)
    assert waiting.world.launched == []


def test_a_disabled_one_gets_its_zone_when_there_is_one(waiting: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", HERE)
    moved(waiting, "disable")
    disabled_body = from_stored(row(waiting)["body"])
    assert (disabled_body.timezone, disabled_body.status) == (HERE, "DISABLED")


def test_released_from_quarantine_it_still_waits(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, logged: LoggedWarnings
) -> None:
    quarantined(bench)
    monkeypatch.setenv("TZ", "Mars/Base")
    logged.expect("Mars/Base")
    reopened_as_old(bench, "notes")
    quarantine.unquarantine(bench.engine, {"id": "notes"})
    bench.turn()
    assert next_due(bench) is None
    assert "Mars/Base" in row(bench)["broken_reason"]


# a body that is no routine


BAD = json.dumps(definition() | {"timezone": "local", "rrule": "FREQ=YEARLY"})


@pytest.mark.parametrize("tz", [HERE, "Mars/Base"])
@pytest.mark.parametrize("arrange", [active, paused, disabled, quarantined])
def test_a_body_that_is_no_routine_makes_it_invalid(
    bench: Bench,
    arrange: Callable[[Bench], None],
    tz: str,
    monkeypatch: pytest.MonkeyPatch,
    logged: LoggedWarnings,
) -> None:
    arrange(bench)
    before, digest = revision(bench), row(bench)["digest"]
    logged.expect("YEARLY")
    monkeypatch.setenv("TZ", tz)
    reopened_as_old(bench, bodies={"notes": BAD})
    now = row(bench)
    assert (now["lifecycle"], now["revision"], now["next_due_at"]) == ("invalid", before + 1, None)
    assert (now["body"], now["digest"]) == (BAD, digest)
    assert "YEARLY" in now["broken_reason"]
    event = told_of(bench)[-1]
    assert (event["kind"], event["payload"]["lifecycleState"]) == ("definition.invalidated", "invalid")
    assert "causation" not in event
    assert [entry[2:7] for entry in bench.rows(LEDGER)] == [(before, digest, BAD, before + 1, digest)]
    kept = everything(bench)
    bench.again()
    assert everything(bench) == kept
    # what leads on from there is a revision
    authored(bench, "revise", status="PAUSED")
    assert (state(bench), row(bench)["broken_reason"]) == ("paused", None)


def test_the_planned_slots_of_an_invalid_routine_are_superseded(bench: Bench, logged: LoggedWarnings) -> None:
    bench.places = 1
    bench.again()
    bench.create("first")
    bench.create("notes")
    bench.advance(HOUR)
    assert bench.states()[1][:2] == ("notes", "planned")
    logged.expect("YEARLY")
    reopened_as_old(bench, bodies={"notes": BAD})
    assert bench.states()[1][:2] == ("notes", "superseded")


@pytest.mark.parametrize("body", ["[]", '"local"', '{"timezone":["local"]}', '{"timezone":"Local"}'])
def test_any_other_broken_body_keeps_its_lifecycle(bench: Bench, body: str) -> None:
    active(bench)
    reopened_as_old(bench, bodies={"notes": body})
    bench.advance(HOUR)
    now = row(bench)
    assert (now["lifecycle"], now["revision"], now["body"]) == ("active", 1, body)
    assert now["broken_reason"].startswith("stored routine `notes` is invalid: ")


def test_the_look_for_them_reads_no_other_routine(bench: Bench) -> None:
    plan = bench.rows(
        "EXPLAIN QUERY PLAN SELECT id FROM definitions"
        " WHERE CASE WHEN json_valid(body) THEN json_extract(body, '$.timezone') END = 'local' ORDER BY id"
    )
    assert "definitions_local" in plan[0][3]
    assert migration.user_version(bench.store.connection) >= 2
