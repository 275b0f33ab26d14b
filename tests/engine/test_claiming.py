"""Which planned slot may start, in what order, and under which fence (contract/engine.md §4, decisions.md 5, 16)."""

from __future__ import annotations

import json

import apsw
import pytest

from coven_desktop.engine.commands import cancellation, definitions, execution
from coven_desktop.engine.core import DAEMON, SLICE, StaleLeadership
from coven_desktop.runtime.sessions import LaunchSpec
from coven_desktop.store import occurrences, scheduler
from tests.conftest import LoggedWarnings
from tests.engine.conftest import DAY, HOUR, MINUTE, Bench, definition

ONCE_A_DAY = "FREQ=DAILY;BYHOUR=10"
LATEST = "superseded by latest misfire policy"


def planned_behind(bench: Bench, automation_id: str = "notes") -> str:
    """A planned slot that has no place, because another routine's run takes the only one."""
    bench.again(places=1)
    bench.create("first", rrule="FREQ=DAILY;BYHOUR=10", timeoutMinutes=44640)
    bench.create(automation_id, rrule=ONCE_A_DAY)
    bench.advance(HOUR)
    occurrence = bench.value(
        f"SELECT id FROM occurrences WHERE automation_id = '{automation_id}' AND state = 'planned'"
    )
    return str(occurrence)


def claim(bench: Bench, occurrence_id: str) -> None:
    """A claim whose dispatch never came, as a power cut leaves it."""
    with bench.engine.core.change() as tx:
        claimed = occurrences.claim(
            tx,
            occurrence_id,
            owner=DAEMON,
            lease_expires_at="2026-09-01T11:00:00.000Z",
            generation=bench.engine.core.generation,
        )
    assert claimed
    bench.turn()


def test_a_claim_carries_owner_generation_fence_and_a_lease_of_an_hour(bench: Bench) -> None:
    bench.automatic = False
    bench.again()
    bench.run_due()
    (row,) = bench.rows("SELECT state, lease_owner, lease_expires_at, scheduler_generation, fence FROM occurrences")
    assert row == ("claimed", "daemon", "2026-09-01T11:00:00.000Z", 2, 1)


def test_a_slot_due_during_a_run_waits_and_the_newest_starts_when_it_is_over(bench: Bench) -> None:
    bench.run_due(timeoutMinutes=600)
    bench.advance(HOUR)
    assert bench.reasons() == [("running", None), ("planned", None)]
    bench.advance(HOUR)
    assert bench.reasons() == [("running", None), ("skipped", LATEST), ("planned", None)]
    assert len(bench.world.launched) == 1
    bench.end()
    assert bench.reasons() == [("succeeded", None), ("skipped", LATEST), ("running", None)]


def test_a_run_waiting_for_recovery_keeps_its_routine_from_starting(bench: Bench) -> None:
    session = bench.run_due()
    bench.runtime.end(session, None)
    bench.advance(2 * HOUR)
    assert [state for state, _ in bench.reasons()] == ["recovery_required", "skipped", "planned"]


def test_places_are_given_by_scheduled_time_then_id(bench: Bench) -> None:
    bench.again(places=1)
    for name in ("c", "a", "b"):
        bench.create(name, rrule=ONCE_A_DAY)
    bench.create("later", rrule="FREQ=DAILY;BYHOUR=11")
    bench.create("earlier", rrule="FREQ=DAILY;BYHOUR=10", timezone="utc")
    bench.advance(HOUR)
    assert [spec.automation_id for spec in bench.world.launched] == ["a"]
    assert bench.value("SELECT count(*) FROM occurrences WHERE state = 'planned' AND failure_reason IS NULL") == 3
    assert len(bench.engine.reads.occurrence_list("eligible")) == 3
    for _ in range(3):
        bench.end()
    assert [spec.automation_id for spec in bench.world.launched] == ["a", "b", "c", "earlier"]
    bench.end()
    bench.advance(HOUR)
    assert bench.world.launched[-1].automation_id == "later"


def test_a_place_that_is_free_is_taken_at_once(bench: Bench) -> None:
    planned_behind(bench)
    assert len(bench.world.launched) == 1
    bench.end()
    assert [spec.automation_id for spec in bench.world.launched] == ["first", "notes"]


def test_zero_places_mean_no_limit(bench: Bench) -> None:
    bench.again(places=0)
    for number in range(20):
        bench.create(f"routine-{number}")
    bench.advance(HOUR)
    assert len(bench.world.launched) == 20


def test_all_that_may_start_is_claimed_before_any_of_it_is_dispatched(bench: Bench) -> None:
    bench.again(places=0)
    left_planned: list[int] = []
    for number in range(SLICE + 6):
        bench.create(f"r{number:02}", rrule=ONCE_A_DAY)
    bench.runtime.on_launch = lambda spec: left_planned.append(
        bench.value("SELECT count(*) FROM occurrences WHERE state = 'planned'")
    )
    bench.advance(HOUR)
    assert left_planned == [0] * (SLICE + 6)


def test_a_transaction_of_many_ends_after_its_time(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    bench.again(places=0)
    for number in range(5):
        bench.create(f"r{number}", rrule=ONCE_A_DAY)
    committed: list[dict[str, int]] = []

    def slow() -> None:
        bench.clock.advance(10)

    def note() -> None:
        rows = bench.rows("SELECT state, count(*) FROM occurrences GROUP BY state")
        if not committed or committed[-1] != dict(rows):
            committed.append(dict(rows))

    monkeypatch.setattr(bench.loop, "breathe", slow)
    bench.store.on_commit = note
    bench.clock.advance(HOUR)
    for _ in bench.engine.passes.steps("deadline", bench.clock.wall()):
        pass
    # two at a time, 10 ms each, until 20 ms are over
    assert committed[:5] == [
        {"planned": 2},
        {"planned": 4},
        {"planned": 5},
        {"claimed": 2, "planned": 3},
        {"claimed": 4, "planned": 1},
    ]


def test_run_now_is_never_held_back(bench: Bench) -> None:
    planned_behind(bench)
    bench.create("third")
    bench.done(execution.run_now(bench.engine, bench.strict("occurrence.runNow.v1", automationId="third")))
    assert bench.world.launched[-1].automation_id == "third"


def test_a_run_waiting_for_recovery_takes_no_place(bench: Bench) -> None:
    planned_behind(bench)
    bench.runtime.end(bench.session, None)
    bench.turn()
    assert [spec.automation_id for spec in bench.world.launched] == ["first", "notes"]


def test_a_claim_without_a_run_fails_when_its_lease_ends_and_not_before(bench: Bench) -> None:
    occurrence_id = planned_behind(bench)
    claim(bench, occurrence_id)
    # nothing is dispatched on a damaged database
    bench.engine.core.storage_sound = False
    bench.advance(HOUR - 1)
    assert bench.reasons() == [("running", None), ("claimed", None)]
    bench.advance(1)
    assert bench.reasons() == [("running", None), ("failed", "lease expired")]
    (row,) = bench.rows(f"SELECT lease_owner, lease_expires_at, fence FROM occurrences WHERE id = '{occurrence_id}'")
    assert row == (None, None, 1)
    assert bench.last_pass()["recovered"] == 1


def test_the_lease_of_a_claim_with_a_run_settles_nothing(bench: Bench) -> None:
    bench.automatic = False
    bench.again()
    bench.run_due(rrule=ONCE_A_DAY, timeoutMinutes=600)
    bench.advance(2 * HOUR)
    assert bench.states() == [("notes", "claimed", "running", "dispatching")]
    bench.runtime.start(bench.session)
    bench.advance(2 * HOUR)
    assert bench.states() == [("notes", "running", "running", "observing")]


def test_a_revision_supersedes_what_is_planned_and_says_which(bench: Bench) -> None:
    occurrence_id = planned_behind(bench)
    definitions.update(bench.engine, {"definition": definition(rrule="FREQ=DAILY;BYHOUR=15"), "intentId": "later"})
    (row,) = bench.rows(f"SELECT state, failure_reason FROM occurrences WHERE id = '{occurrence_id}'")
    assert row == ("superseded", "superseded by revision 2 of the routine before it was claimed")
    event = json.loads(
        bench.value(f"SELECT body FROM events WHERE stream_id = '{occurrence_id}' ORDER BY sequence DESC LIMIT 1")
    )
    key = bench.value("SELECT adoption_key FROM adoptions WHERE command = 'legacy.definition.revise.v1'")
    assert event["causation"] == {"adoptionKey": key}
    bench.end()
    assert [spec.automation_id for spec in bench.world.launched] == ["first"]


def test_pausing_by_an_update_supersedes_too(bench: Bench) -> None:
    planned_behind(bench)
    definitions.update(bench.engine, {"definition": definition(status="PAUSED")})
    assert bench.reasons()[1][0] == "superseded"


def test_a_deletion_supersedes_what_is_planned(bench: Bench) -> None:
    planned_behind(bench)
    definitions.delete(bench.engine, {"id": "notes"})
    assert bench.reasons()[1] == ("superseded", "the routine was deleted before this slot was claimed")


def test_a_run_goes_on_when_its_routine_is_revised_or_deleted(bench: Bench) -> None:
    bench.run_due()
    definitions.update(bench.engine, {"definition": definition(prompt="echo other")})
    definitions.delete(bench.engine, {"id": "notes"})
    bench.end()
    assert bench.states() == [("notes", "succeeded", "succeeded", "succeeded")]


def test_the_fence_rises_with_every_claim_also_after_one_was_given_back(bench: Bench) -> None:
    occurrence_id = planned_behind(bench)
    claim(bench, occurrence_id)
    bench.crash()
    assert bench.reasons()[1] == ("planned", None)
    assert bench.last_pass()["recovered"] == 1
    bench.end(session_id=bench.world.launched[0].session_id)
    (row,) = bench.rows(
        "SELECT o.fence, r.occurrence_fence, a.occurrence_fence, o.scheduler_generation FROM occurrences o"
        f" JOIN runs r ON r.occurrence_id = o.id JOIN attempts a ON a.run_id = r.id WHERE o.id = '{occurrence_id}'"
    )
    assert row == (2, 2, 2, 3)


def test_an_orderly_end_gives_claims_back(bench: Bench) -> None:
    occurrence_id = planned_behind(bench)
    claim(bench, occurrence_id)
    bench.engine.stop()
    assert bench.value(f"SELECT state FROM occurrences WHERE id = '{occurrence_id}'") == "planned"


def test_quarantine_keeps_a_planned_slot_from_being_claimed(bench: Bench) -> None:
    planned_behind(bench)
    bench.store.connection.execute(
        "INSERT INTO retry_state VALUES ('notes', 1, '2026-09-01T10:00:00.000Z', 'transient_dispatch', 'x',"
        " '2026-09-01T10:00:00.000Z')"
    )
    bench.end()
    assert [spec.automation_id for spec in bench.world.launched] == ["first"]
    assert bench.reasons()[1] == ("planned", None)


def test_an_engine_that_lost_the_lead_writes_nothing_any_more(bench: Bench, logged: LoggedWarnings) -> None:
    bench.create()
    with bench.store.transaction(bench.clock.wall()) as tx:
        scheduler.acquire(tx, "somebody else")
    before = bench.rows("SELECT max(position) FROM events"), bench.rows("SELECT * FROM scheduler_last_pass")
    with pytest.raises(StaleLeadership):
        definitions.delete(bench.engine, {"id": "notes"})
    logged.expect("automations scheduler fence is stale")
    bench.advance(HOUR)
    assert (bench.rows("SELECT max(position) FROM events"), bench.rows("SELECT * FROM scheduler_last_pass")) == before
    assert not bench.engine.running


def two_due(bench: Bench) -> None:
    bench.create("a", rrule=ONCE_A_DAY)
    bench.create("b", rrule=ONCE_A_DAY)


def test_a_claim_whose_routine_is_revised_before_its_dispatch_is_superseded(bench: Bench) -> None:
    two_due(bench)

    def meanwhile(spec: LaunchSpec) -> None:
        if spec.automation_id == "a":
            definitions.update(bench.engine, {"definition": definition("b", rrule=ONCE_A_DAY, prompt="echo new")})

    bench.runtime.on_launch = meanwhile
    bench.advance(HOUR)
    assert bench.reasons()[1] == ("superseded", "superseded by revision 2 of the routine before it was claimed")
    assert [spec.automation_id for spec in bench.world.launched] == ["a"]
    assert bench.value("SELECT fence FROM occurrences WHERE automation_id = 'b'") == 1


def test_a_claim_whose_routine_is_deleted_before_its_dispatch_fails(bench: Bench) -> None:
    two_due(bench)

    def meanwhile(spec: LaunchSpec) -> None:
        if spec.automation_id == "a":
            definitions.delete(bench.engine, {"id": "b"})

    bench.runtime.on_launch = meanwhile
    bench.advance(HOUR)
    assert bench.reasons()[1] == ("failed", "routine `b` vanished during dispatch")


def test_a_claim_that_is_cancelled_before_its_dispatch_is_not_started(bench: Bench) -> None:
    two_due(bench)
    answers = []

    def meanwhile(spec: LaunchSpec) -> None:
        if spec.automation_id == "a":
            other = bench.value("SELECT id FROM occurrences WHERE automation_id = 'b'")
            body = bench.strict("occurrence.cancel.v1", occurrenceId=other, reason="not today")
            answers.append(cancellation.cancel_occurrence(bench.engine, body))

    bench.runtime.on_launch = meanwhile
    bench.advance(HOUR)
    assert len(answers) == 1
    assert bench.reasons()[1] == ("cancelled", "not today")
    assert [spec.automation_id for spec in bench.world.launched] == ["a"]
    assert bench.last_pass()["failures"] == 0


def test_a_claim_that_could_not_be_dispatched_is_dispatched_by_a_later_pass(
    bench: Bench, logged: LoggedWarnings
) -> None:
    two_due(bench)
    bench.store.connection.execute("PRAGMA busy_timeout = 0").fetchall()
    others: list[apsw.Connection] = []

    def meanwhile(spec: LaunchSpec) -> None:
        if not others:
            others.append(bench.lock())

    bench.runtime.on_launch = meanwhile
    logged.expect("automations tick failed: The database is in use")
    logged.expect("the pass cannot be recorded")
    logged.expect("its news cannot be written yet")
    bench.advance(HOUR)
    assert [state for state, _ in bench.reasons()] == ["claimed", "claimed"]
    others[0].close()
    bench.advance(6_000)
    assert [state for state, _ in bench.reasons()] == ["running", "running"]
    assert bench.rows("SELECT fence FROM occurrences") == [(1,), (1,)]


def test_slots_of_a_day_ago_are_claimed_once(bench: Bench) -> None:
    bench.create(rrule=ONCE_A_DAY)
    bench.crash(away=3 * DAY)
    bench.end()
    bench.advance(10 * MINUTE)
    assert len(bench.world.launched) == 1
