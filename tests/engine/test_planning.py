"""Which slot a pass plans, and that it plans it once (contract/engine.md §2.5, decisions.md 2, 28, 31)."""

from __future__ import annotations

import json

import pytest

from coven_desktop.contract import timestamps
from coven_desktop.contract.definition import Definition
from coven_desktop.engine import planning
from coven_desktop.engine.commands import definitions, execution
from coven_desktop.schedule import zones
from coven_desktop.store.definitions import DefinitionRow
from coven_desktop.store.transactions import Transaction
from tests.conftest import LoggedWarnings
from tests.engine.conftest import DAY, HOUR, MINUTE, Bench, definition


def slots(bench: Bench, automation_id: str = "notes") -> list[str]:
    rows = bench.rows(
        f"SELECT scheduled_for FROM occurrences WHERE automation_id = '{automation_id}' ORDER BY scheduled_for"
    )
    return [row[0] for row in rows]


def next_due(bench: Bench, automation_id: str = "notes") -> str | None:
    due: str | None = bench.value(f"SELECT next_due_at FROM definitions WHERE id = '{automation_id}'")
    return due


def test_a_slot_at_the_instant_of_creation_is_not_due(bench: Bench) -> None:
    bench.create()
    assert slots(bench) == []
    assert next_due(bench) == "2026-09-01T10:00:00.000Z"


def test_a_slot_one_millisecond_after_creation_is_due_at_its_instant(bench: Bench) -> None:
    bench.clock.jump(-1)
    bench.create()
    assert slots(bench) == []
    bench.advance(1)
    assert slots(bench) == ["2026-09-01T09:00:00.000Z"]
    assert next_due(bench) == "2026-09-01T10:00:00.000Z"


def test_what_is_planned_is_pinned_to_its_revision_digest_and_zone_data(bench: Bench) -> None:
    bench.run_due()
    (row,) = bench.rows(
        "SELECT o.id, o.automation_revision, o.definition_digest, o.kind, o.zone_data, d.digest"
        " FROM occurrences o JOIN definitions d ON d.id = o.automation_id"
    )
    slot = timestamps.parse("2026-09-01T10:00:00.000Z")
    assert row == (f"notes-{slot}", 1, row[5], "scheduled", zones.zone_data().version, row[5])


def test_a_revision_moves_the_bound_so_that_slots_missed_while_paused_never_run(bench: Bench) -> None:
    bench.create(status="PAUSED")
    bench.advance(90 * MINUTE)
    definitions.update(bench.engine, {"definition": definition()})
    bench.turn()
    assert slots(bench) == []
    bench.advance(30 * MINUTE)
    assert slots(bench) == ["2026-09-01T11:00:00.000Z"]


def test_a_slot_at_the_instant_of_a_revision_is_not_due(bench: Bench) -> None:
    bench.create(status="PAUSED")
    bench.advance(HOUR)
    definitions.update(bench.engine, {"definition": definition()})
    bench.advance(HOUR - 1)
    assert slots(bench) == []
    bench.advance(1)
    assert slots(bench) == ["2026-09-01T11:00:00.000Z"]


def test_of_several_missed_slots_the_newest_is_planned_and_one_event_counts_the_others(bench: Bench) -> None:
    bench.create()
    bench.crash(away=5 * HOUR + 30 * MINUTE)
    assert slots(bench) == ["2026-09-01T14:00:00.000Z"]
    assert next_due(bench) == "2026-09-01T15:00:00.000Z"
    (event,) = bench.rows("SELECT stream_kind, stream_id, body FROM events WHERE kind = 'occurrence.misfire_recorded'")
    assert event[:2] == ("occurrence", f"notes-{timestamps.parse('2026-09-01T14:00:00.000Z')}")
    assert json.loads(event[2])["payload"] == {"disposition": "collapsed_to_latest", "collapsedSlots": 4}


def test_one_missed_slot_collapses_nothing(bench: Bench) -> None:
    bench.create()
    bench.crash(away=HOUR)
    assert bench.value("SELECT count(*) FROM events WHERE kind = 'occurrence.misfire_recorded'") == 0


def test_no_pass_looks_back_further_than_fifteen_days(bench: Bench) -> None:
    bench.create(rrule="FREQ=DAILY;BYHOUR=10")
    bench.crash(away=40 * DAY)
    assert slots(bench) == ["2026-10-10T10:00:00.000Z"]
    event = bench.value("SELECT body FROM events WHERE kind = 'occurrence.misfire_recorded'")
    assert json.loads(event)["payload"]["collapsedSlots"] == 14
    assert json.loads(event)["summary"] == "at least 14 earlier slots collapsed into this one"


def test_all_that_were_missed_are_counted_when_there_were_none_further_back(bench: Bench) -> None:
    bench.create(rrule="FREQ=WEEKLY;BYDAY=FR;BYHOUR=10")
    bench.crash(away=17 * DAY + 2 * HOUR)
    event = bench.value("SELECT body FROM events WHERE kind = 'occurrence.misfire_recorded'")
    assert json.loads(event)["summary"] == "2 earlier slots collapsed into this one"


def test_a_slot_already_recorded_is_the_bound_also_under_a_new_revision(bench: Bench) -> None:
    bench.run_due()
    bench.end()
    # the clock is set back, and the routine is revised before the slot comes again
    bench.clock.jump(-30 * MINUTE)
    definitions.update(bench.engine, {"definition": definition(prompt="echo other")})
    bench.advance(40 * MINUTE)
    assert slots(bench) == ["2026-09-01T10:00:00.000Z"]
    bench.advance(50 * MINUTE)
    assert slots(bench) == ["2026-09-01T10:00:00.000Z", "2026-09-01T11:00:00.000Z"]


def test_a_clock_set_back_runs_no_slot_twice(bench: Bench) -> None:
    bench.run_due()
    bench.end()
    bench.clock.jump(-3 * HOUR)
    bench.advance(3 * HOUR + 30 * MINUTE)
    assert slots(bench) == ["2026-09-01T10:00:00.000Z"]
    bench.advance(30 * MINUTE)
    assert slots(bench)[1:] == ["2026-09-01T11:00:00.000Z"]


def test_a_clock_set_back_behind_the_creation_waits_for_the_creation(bench: Bench) -> None:
    bench.create()
    bench.clock.jump(-90 * MINUTE)
    bench.advance(90 * MINUTE)
    assert slots(bench) == []
    bench.advance(HOUR)
    assert slots(bench) == ["2026-09-01T10:00:00.000Z"]


@pytest.mark.parametrize("away", [False, True])
def test_paused_routines_plan_nothing(bench: Bench, away: bool) -> None:
    bench.create(status="PAUSED")
    if away:
        bench.crash(away=5 * HOUR)
    bench.advance(5 * HOUR)
    assert slots(bench) == []
    assert next_due(bench) is None


def test_deleted_routines_plan_nothing(bench: Bench) -> None:
    bench.create()
    definitions.delete(bench.engine, {"id": "notes"})
    bench.advance(5 * HOUR)
    assert slots(bench) == []
    assert next_due(bench) is None


def test_a_deleted_routine_that_is_created_anew_plans_from_then_on(bench: Bench) -> None:
    bench.create()
    definitions.delete(bench.engine, {"id": "notes"})
    bench.advance(90 * MINUTE)
    bench.create()
    assert slots(bench) == []
    bench.advance(30 * MINUTE)
    assert slots(bench) == ["2026-09-01T11:00:00.000Z"]


def test_all_due_routines_are_planned_in_one_pass_however_many(bench: Bench) -> None:
    for number in range(130):
        bench.create(f"routine-{number:03}")
    bench.places = 3
    bench.crash(away=HOUR)
    assert bench.value("SELECT count(*) FROM occurrences") == 130
    assert bench.last_pass()["planned"] == 130
    assert len(bench.world.launched) == bench.places


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ('{"id":"notes"}', "stored routine `notes` is invalid: "),
        ("[]", "stored routine `notes` is invalid: "),
        (json.dumps(definition() | {"timezone": "Mars/Base"}), "Mars/Base"),
        (json.dumps(definition() | {"rrule": "FREQ=YEARLY"}), "YEARLY"),
    ],
)
def test_a_broken_routine_fails_its_line_of_every_pass_and_stops_no_other(bench: Bench, body: str, told: str) -> None:
    bench.create()
    bench.create("other")
    bench.store.connection.execute("UPDATE definitions SET body = ? WHERE id = 'notes'", (body,))
    bench.advance(HOUR)
    assert slots(bench, "other") == ["2026-09-01T10:00:00.000Z"]
    assert slots(bench) == []
    broken, lifecycle = bench.rows("SELECT broken_reason, lifecycle FROM definitions WHERE id = 'notes'")[0]
    assert told in broken
    assert broken.startswith("stored routine `notes` is invalid: ")
    assert lifecycle == "active"
    for _ in range(2):
        assert bench.last_pass()["failures"] == 1
        assert bench.done(execution.tick(bench.engine, {})).payload["failed"] == [broken]
        bench.advance(MINUTE)


def test_a_broken_routine_that_can_be_understood_again_plans_again(bench: Bench) -> None:
    bench.create()
    bench.store.connection.execute("UPDATE definitions SET body = '[]' WHERE id = 'notes'")
    bench.advance(HOUR)
    whole = bench.value("SELECT body FROM definition_revisions WHERE automation_id = 'notes'")
    bench.store.connection.execute("UPDATE definitions SET body = ? WHERE id = 'notes'", (whole,))
    bench.advance(MINUTE)
    assert bench.value("SELECT broken_reason FROM definitions") is None
    assert slots(bench) == ["2026-09-01T10:00:00.000Z"]
    assert bench.states()[0][1] == "running"


def test_a_broken_routine_is_mended_by_an_update(bench: Bench) -> None:
    bench.create()
    bench.store.connection.execute("UPDATE definitions SET body = '[]' WHERE id = 'notes'")
    bench.advance(HOUR)
    definitions.update(bench.engine, {"definition": definition()})
    bench.advance(HOUR)
    assert slots(bench) == ["2026-09-01T11:00:00.000Z"]


def test_a_mistake_of_ours_about_one_routine_stops_no_other(
    bench: Bench, logged: LoggedWarnings, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.create()
    bench.create("other")
    plan = planning.plan

    def stumble(tx: Transaction, row: DefinitionRow, definition: Definition) -> list[str]:
        if row.id == "notes":
            raise KeyError("oops")
        return plan(tx, row, definition)

    monkeypatch.setattr(planning, "plan", stumble)
    logged.expect("routine notes could not be planned")
    bench.advance(HOUR)
    assert slots(bench, "other") == ["2026-09-01T10:00:00.000Z"]
    assert bench.last_pass()["status"] == "succeeded"
    assert bench.last_pass()["failures"] == 1


def test_new_zone_data_sets_every_timer_anew(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    bench.create()
    bench.create("paused", status="PAUSED")
    bench.create("torn")
    bench.engine.stop()
    bench.store.connection.execute("UPDATE definitions SET body = '[]' WHERE id = 'torn'")
    # as if other zone data had given this instant
    bench.store.connection.execute(
        "UPDATE definitions SET next_due_at = '2026-09-01T10:30:00.000Z' WHERE lifecycle = 'active'"
    )
    bench.kill()
    bench.restart()
    assert next_due(bench) == "2026-09-01T10:30:00.000Z"
    newer = zones.zone_data()._replace(version="2099z")
    monkeypatch.setattr(zones, "zone_data", lambda: newer)
    bench.again()
    assert next_due(bench) == "2026-09-01T10:00:00.000Z"
    assert next_due(bench, "paused") is None
    assert next_due(bench, "torn") is None
    assert bench.value("SELECT value FROM maintenance WHERE name = 'zone_data'") == "2099z"
