"""The commands that only look: what people read, and that `--json` is the payload as it came."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from coven_desktop.cli.table import display_width
from tests.cli.covenctl import covenctl
from tests.cli.stand_in import StandIn

ROUTINE: dict[str, Any] = {
    "cwd": "/home/me/notes",
    "id": "daily-notes",
    "misfire": "latest",
    "model": "opus",
    "name": "Daily notes",
    "overlap": "forbid",
    "prompt": "Write the notes.\nThen stop.\n",
    "retry": {"maxAttempts": 3, "backoffPolicy": "fixed", "backoffSeconds": 5},
    "rrule": "FREQ=DAILY;BYHOUR=9",
    "runtime": "claude",
    "schemaVersion": 1,
    "status": "ACTIVE",
    "tags": ["work", "日記"],
    "timeoutMinutes": 90,
    "timezone": "Europe/Paris",
}
ATTEMPT: dict[str, Any] = {"id": "attempt-run-1-1", "attemptNumber": 1, "state": "succeeded", "sessionId": "session-1"}
RUN: dict[str, Any] = {
    "id": "run-1",
    "automationId": "daily-notes",
    "occurrenceId": "daily-notes-1788080400000",
    "sessionId": "session-1",
    "status": "succeeded",
    "exitCode": 0,
    "startedAt": "2026-08-30T09:00:00.000Z",
    "finishedAt": "2026-08-30T09:02:05.000Z",
    "attempts": [ATTEMPT],
}
HEALTH: dict[str, Any] = {
    "automationId": "daily-notes",
    "consecutiveFailures": 0,
    "lastSuccessAt": "2026-08-30T09:02:05.000Z",
    "quarantinedAt": None,
    "quarantineReason": None,
    "staleReason": None,
}
DEADLINE = "2099-08-30T11:00:00.000Z"
HELD: dict[str, Any] = {
    "automationId": "daily-notes",
    "phase": "held",
    "runId": "run-1",
    "occurrenceId": "daily-notes-1788080400000",
    "attemptNumber": 1,
    "maxAttempts": 3,
    "notBefore": "2026-08-30T09:00:00.000Z",
    "settledAt": "2026-08-30T09:02:05.000Z",
    "timeoutAt": DEADLINE,
    "failureClass": None,
    "reason": "session failed (exit code 3); held for an operator retry until the run's deadline",
}
WAITING: dict[str, Any] = {
    **HELD,
    "phase": "waiting",
    "attemptNumber": 2,
    "notBefore": "2099-08-30T10:30:00.000Z",
    "reason": None,
}
UNDECIDED: dict[str, Any] = {**HELD, "phase": "recovery_required", "reason": "session vanished without evidence"}
QUARANTINED: dict[str, Any] = {
    "automationId": "daily-notes",
    "since": "2026-08-30T09:02:05.000Z",
    "failureClass": "runtime_unavailable",
    "reason": "claude is not there",
    "exhaustions": 2,
}
STATUS: dict[str, Any] = {
    "scheduler": {
        "authorityAssigned": True,
        "generation": 3,
        "ownerId": "x",
        "acquiredAt": "2026-08-30T09:00:00.000Z",
        "lastPass": {
            "trigger": "deadline",
            "status": "completed",
            "durationMs": 4,
            "finishedAt": "2026-08-30T09:00:00.000Z",
            "failures": 0,
        },
        "queue": {"planned": 2, "claimed": 0, "running": 1, "recoveryRequired": 1},
    }
}
APP_HEALTH: dict[str, Any] = {
    "ok": True,
    "covenVersion": "9.9",
    "daemon": {"pid": 4242, "startedAt": "2026-08-30T08:00:00.000000000Z", "socket": "/x"},
    "storage": {"status": "degraded"},
}


def run_like(attempt_state: str, status: str = "running", **members: Any) -> dict[str, Any]:
    attempts = [{**ATTEMPT, "state": attempt_state, **members.pop("attempt", {})}]
    return {**RUN, "status": status, "exitCode": None, "finishedAt": None, "attempts": attempts, **members}


def test_json_is_the_payload_unchanged(home: Path, app: StandIn) -> None:
    """Members, their order and their kinds, members this version knows nothing of included."""
    payloads = {
        ("status",): ("scheduler.status.v1", {**STATUS, "zeta": 1, "alpha": [1.0, None, "é\u2028"]}),
        ("list",): (
            "list",
            {"routines": [ROUTINE, {**ROUTINE, "id": "b", "name": "\x1b[31m"}], "more": {"b": 1, "a": 2}},
        ),
        ("show", "daily-notes"): ("get", {"routine": {**ROUTINE, "future": True}}),
        ("runs", "daily-notes"): ("runs", {"runs": [RUN, {**RUN, "future": 1e300}]}),
    }
    for command, (action, payload) in payloads.items():
        app.payload(action, payload)
        result = covenctl(*command, "--json", home=home)
        assert result.code == 0
        assert result.out == json.dumps(payload, ensure_ascii=False, separators=(",", ":")) + "\n"


def test_list_says_what_when_and_in_which_state(home: Path, app: StandIn) -> None:
    paused = {**ROUTINE, "id": "weekly", "name": "日本語のルーチン", "status": "PAUSED", "rrule": "FREQ=WEEKLY"}
    broken = {**ROUTINE, "id": "broken", "timezone": "Nowhere/Land"}
    app.payload("list", {"routines": [ROUTINE, paused, broken]})
    app.read("/api/v1/health", APP_HEALTH)
    result = covenctl("list", home=home)
    assert result.code == 0
    head, first, second, third = result.out.splitlines()
    assert head.split() == ["ROUTINE", "NAME", "STATE", "SCHEDULE", "NEXT", "RUNTIME"]
    assert "active" in first
    assert "Every day at 09:00 (Europe/Paris)" in first
    assert "(in " in first
    assert "paused" in second
    assert "Every Monday at 09:00 (Europe/Paris)" in second
    assert "(in " not in second
    assert "broken: " in third
    # Columns stand below one another by what a terminal shows, wide characters included.
    column = {display_width(line[: line.index("Every")]) for line in (first, second, third)}
    assert column == {display_width(head[: head.index("SCHEDULE")])}


@pytest.mark.parametrize(("here", "words"), [("Europe/Paris", ":00 (in "), ("UTC", ":00 here (in ")])
def test_when_it_is_next_is_told_by_the_clock_here(home: Path, app: StandIn, here: str, words: str) -> None:
    """Beside a schedule of another zone it says so: 09:00 there is another hour here."""
    app.payload("list", {"routines": [ROUTINE]})
    assert words in covenctl("list", home=home, env={"TZ": here}).out


def test_list_of_nothing(home: Path, app: StandIn) -> None:
    app.payload("list", {"routines": []})
    assert covenctl("list", home=home).out == "No routines yet.\n"


def test_a_name_cannot_steer_the_terminal(home: Path, app: StandIn) -> None:
    app.payload("list", {"routines": [{**ROUTINE, "name": "a\x1b[2J\u202eb\nc\x9b"}]})
    result = covenctl("list", home=home)
    assert "a\\x1b[2J\\u202eb\\nc\\x9b" in result.out
    assert len(result.out.splitlines()) == 2


def test_show_says_everything_of_one_routine(home: Path, app: StandIn) -> None:
    app.payload("get", {"routine": ROUTINE})
    app.payload("health", {"health": HEALTH})
    app.payload("runs", {"runs": [RUN]})
    result = covenctl("show", "daily-notes", home=home)
    assert result.code == 0
    for text in (
        "Daily notes",
        "active",
        "Every day at 09:00 (Europe/Paris)",
        "claude, model opus",
        "/home/me/notes",
        "1 h 30 min",
        "up to 3 attempts",
        "Write the notes. (and 1 more line)",
        "work, 日記",
        "run-1",
        "succeeded",
        "2 min 05 s",
    ):
        assert text in result.out
    assert app.sent("runs") == [{"action": "coven.automations.runs", "id": "daily-notes", "limit": 5}]


def test_show_says_why_there_is_no_date(home: Path, app: StandIn) -> None:
    app.payload("runs", {"runs": []})
    app.payload("get", {"routine": {**ROUTINE, "status": "PAUSED"}})
    app.payload("health", {"health": HEALTH})
    assert "none while paused" in covenctl("show", "daily-notes", home=home).out
    app.payload("get", {"routine": ROUTINE})
    app.state(HELD, quarantined=[QUARANTINED])
    told = covenctl("show", "daily-notes", home=home).out
    assert "quarantined, 2 runs used up their attempts: claude is not there" in told
    assert "none until it is released" in told
    assert "Release it: covenctl release daily-notes" in told


@pytest.mark.parametrize(
    ("work", "state", "step"),
    [
        (HELD, "held for your retry until Sun 30 Aug 2099, 11:00", "Try it again: covenctl retry run-1"),
        (WAITING, "retry 2 of 3 at Sun 30 Aug 2099, 10:30", None),
        ({**WAITING, "attemptNumber": 4, "notBefore": "2026-08-30T09:00:00.000Z"}, "retry 4 is due", None),
        (UNDECIDED, "needs your decision", "Decide: covenctl recover daily-notes-1788080400000 --failed, or --retry"),
        ({**UNDECIDED, "phase": "lost"}, "did not finish; it counts as failed soon, by itself", None),
    ],
)
def test_what_an_open_run_waits_for_is_told_everywhere_with_the_next_step(
    home: Path, app: StandIn, work: dict[str, Any], state: str, step: str | None
) -> None:
    app.state(work, undecided=int(work is UNDECIDED))
    app.payload("list", {"routines": [ROUTINE]})
    app.payload("get", {"routine": ROUTINE})
    app.payload("health", {"health": HEALTH})
    app.payload("runs", {"runs": [run_like("failed")]})
    for command in (("list",), ("show", "daily-notes"), ("runs", "daily-notes")):
        result = covenctl(*command, home=home)
        assert result.code == 0, result
        assert state in result.out
        assert step is None or command == ("list",) or step in result.out
    told = covenctl("list", home=home).out
    assert ("covenctl show ROUTINE" in told) == (step is not None)
    shown = covenctl("show", "daily-notes", home=home).out
    assert "held for an operator retry" not in shown


def test_show_of_an_unknown_routine(home: Path, app: StandIn) -> None:
    app.payload("get", {"routine": None})
    told = covenctl("show", "nobody", home=home)
    assert (told.code, told.out) == (1, "")
    assert "There is no routine nobody." in told.err
    as_json = covenctl("show", "nobody", "--json", home=home)
    assert (as_json.code, as_json.json) == (1, {"routine": None})


@pytest.mark.parametrize(
    ("work", "told"),
    [
        (
            HELD,
            "failed, and stays open until Sun 30 Aug 2099, 11:00, for its routine was deleted. Give it up: {cancel}",
        ),
        (
            WAITING,
            "its retry is not begun, and it stays open until Sun 30 Aug 2099, 11:00, for its routine was deleted."
            " Give it up: {cancel}",
        ),
        ({**HELD, "phase": "live"}, "goes on. Stop it: {cancel}"),
        (UNDECIDED, "needs your decision. Decide: covenctl recover daily-notes-1788080400000 --failed\n"),
    ],
)
def test_what_is_open_of_a_deleted_routine_is_told_with_the_command_that_ends_it(
    home: Path, app: StandIn, work: dict[str, Any], told: str
) -> None:
    line = "run-1 of daily-notes, which was deleted: " + told.format(cancel="covenctl cancel run-1")
    app.state({**work, "routineDeleted": True})
    app.payload("scheduler.status.v1", STATUS)
    app.payload("get", {"routine": None})
    for routines in ([], [{**ROUTINE, "id": "other"}]):
        app.payload("list", {"routines": routines})
        for command in ("list", "status"):
            assert line in covenctl(command, home=home).out
    shown = covenctl("show", "daily-notes", home=home)
    assert (shown.code, shown.out) == (1, "")
    assert "There is no routine daily-notes any more.\n" in shown.err
    assert line in shown.err
    assert "run-1" not in covenctl("show", "nobody", home=home).err


def test_another_routine_of_the_id_is_not_said_to_be_held_for_a_retry(home: Path, app: StandIn) -> None:
    app.state({**HELD, "routineDeleted": True})
    app.payload("get", {"routine": ROUTINE})
    app.payload("health", {"health": HEALTH})
    app.payload("runs", {"runs": [run_like("failed")]})
    shown = covenctl("show", "daily-notes", home=home).out
    assert "Give it up: covenctl cancel run-1" in shown
    assert "covenctl retry" not in shown


@pytest.mark.parametrize(
    ("run", "words"),
    [
        (RUN, "succeeded"),
        (run_like("dispatching"), "starting"),
        (run_like("observing"), "running"),
        (run_like("failed"), "held for your retry"),
        (run_like("ambiguous"), "needs your decision"),
        (
            run_like("adopted", attempt={"notBefore": "2026-08-30T09:10:00.000Z", "attemptNumber": 2}),
            "waits to retry",
        ),
        (run_like("observing", cancellation={"status": "stopping"}), "stopping"),
        (run_like("timed_out", "failed"), "timed out"),
        (run_like("failed", "failed"), "failed"),
        (run_like("cancelled", "cancelled"), "stopped"),
        (run_like("x", "a_state_of_later"), "a_state_of_later"),
    ],
)
def test_runs_are_told_in_the_words_of_the_product(home: Path, app: StandIn, run: dict[str, Any], words: str) -> None:
    app.payload("runs", {"runs": [run]})
    result = covenctl("runs", "daily-notes", "--limit", "7", home=home)
    assert result.code == 0
    assert f"run-1  {words}  " in result.out
    assert app.sent("runs")[0]["limit"] == 7


def test_runs_say_why_they_did_not_succeed(home: Path, app: StandIn) -> None:
    failed = run_like("failed", "failed", attempt={"stateReason": "the working folder /gone\nis not there"})
    done = {**RUN, "id": "run-2", "attempts": [{**ATTEMPT, "stateReason": "not told"}]}
    app.payload("runs", {"runs": [failed, done]})
    lines = covenctl("runs", "daily-notes", home=home).out.splitlines()
    assert [line.split()[0] for line in lines] == ["RUN", "run-1", "the", "run-2"]
    assert lines[2] == r"  the working folder /gone\nis not there"


@pytest.mark.parametrize("status", ["running", "cancelled"])
def test_no_reason_speaks_of_a_hold(home: Path, app: StandIn, status: str) -> None:
    """While it is held the state says so with its time; afterwards it is not true any more."""
    app.payload("runs", {"runs": [run_like("failed", status, attempt={"stateReason": HELD["reason"]})]})
    lines = covenctl("runs", "daily-notes", home=home).out.splitlines()
    assert lines[2] == "  session failed (exit code 3)"


def test_runs_of_a_deleted_an_idle_and_an_unknown_routine(home: Path, app: StandIn) -> None:
    app.payload("runs", {"runs": [RUN]})
    app.payload("get", {"routine": None})
    assert covenctl("runs", "deleted", home=home).code == 0
    app.payload("runs", {"runs": []})
    assert covenctl("runs", "unknown", home=home).code == 1
    assert covenctl("runs", "unknown", "--json", home=home)[:2] == (1, '{"runs":[]}\n')
    app.payload("get", {"routine": ROUTINE})
    assert covenctl("runs", "idle", home=home)[:2] == (0, "No runs yet.\n")


def test_status_says_what_runs_and_what_needs_the_person(home: Path, app: StandIn) -> None:
    app.payload("scheduler.status.v1", STATUS)
    app.read("/api/v1/health", APP_HEALTH)
    app.state({**HELD, "phase": "live"}, HELD, WAITING, UNDECIDED, quarantined=[QUARANTINED], undecided=1)
    result = covenctl("status", home=home)
    assert result.code == 0
    fields = dict(line.split("  ", 1) for line in result.out.splitlines())
    values = {name: value.strip() for name, value in fields.items()}
    assert values["App"] == "Coven Desktop 9.9, process 4242"
    assert values["Home"] == str(home)
    assert values["Running"] == "1"
    assert values["Waits to retry"] == "1"
    assert values["Planned"] == "1"
    assert values["Needs attention"] == "3: 1 without evidence, 1 held for your retry, 1 quarantined"
    assert "deadline, completed in 4 ms" in values["Last pass"]
    assert values["Storage"] == "degraded"


def test_status_says_what_due_work_waits_for(home: Path, app: StandIn) -> None:
    waits = {"claimsWait": "for the network after sleep"}
    app.payload("scheduler.status.v1", {"scheduler": STATUS["scheduler"] | waits})
    app.read("/api/v1/health", APP_HEALTH)
    result = covenctl("status", home=home)
    fields = dict(line.split("  ", 1) for line in result.out.splitlines())
    assert fields["Due work"].strip() == "waits for the network after sleep, 20 s at most"


def test_status_before_the_first_pass(home: Path, app: StandIn) -> None:
    app.payload("scheduler.status.v1", {"scheduler": {**STATUS["scheduler"], "lastPass": None}})
    app.read("/api/v1/health", {**APP_HEALTH, "daemon": None, "storage": None})
    result = covenctl("status", home=home)
    assert result.code == 0
    assert "none yet" in result.out


def test_an_answer_of_another_shape_is_a_fault_told_in_a_sentence(home: Path, app: StandIn) -> None:
    app.payload("list", {"routines": [{"id": 3}]})
    result = covenctl("list", home=home)
    assert result.code == 3
    assert result.err.startswith("covenctl: ")
    assert len(result.err.splitlines()) == 1


def test_what_is_due_next_of_all_routines(home: Path, app: StandIn) -> None:
    daily = {**ROUTINE, "timezone": "utc", "rrule": "FREQ=DAILY;BYHOUR=9", "name": "Daily"}
    others = [
        {**daily, "id": "hourly", "rrule": "FREQ=DAILY;BYHOUR=9,10"},
        {**daily, "id": "paused", "status": "PAUSED"},
        {**daily, "id": "ill"},
        {**daily, "id": "broken", "rrule": "FREQ=NEVER"},
        {**daily, "id": "lost", "timezone": "Nowhere/Land"},
    ]
    app.payload("list", {"routines": [daily, *others]})
    app.state(quarantined=[{**QUARANTINED, "automationId": "ill"}])
    found = covenctl("next", "--limit", "5", "--json", home=home).json["next"]
    assert [(one["id"], one["at"][11:16]) for one in found] in (
        [
            ("daily-notes", "09:00"),
            ("hourly", "09:00"),
            ("hourly", "10:00"),
            ("daily-notes", "09:00"),
            ("hourly", "09:00"),
        ],
        [
            ("hourly", "10:00"),
            ("daily-notes", "09:00"),
            ("hourly", "09:00"),
            ("hourly", "10:00"),
            ("daily-notes", "09:00"),
        ],
    )
    shown = covenctl("next", home=home).out.splitlines()
    assert (shown[0].split(), len(shown)) == (["WHEN", "ROUTINE", "NAME"], 11)
    app.payload("list", {"routines": [others[1]]})
    assert covenctl("next", home=home).out == "Nothing is due.\n"
    app.payload("list", {"routines": []})
    assert covenctl("next", home=home).out == "No routines yet.\n"


def shown_with(home: Path, app: StandIn, **state: Any) -> tuple[str, str]:
    """What list and show say of the one routine in this state."""
    app.state(**state)
    app.payload("list", {"routines": [ROUTINE]})
    app.payload("get", {"routine": ROUTINE})
    app.payload("health", {"health": HEALTH | {"nextDueAt": "2026-09-02T07:00:00.000Z"}})
    app.payload("runs", {"runs": []})
    return covenctl("list", home=home).out, covenctl("show", "daily-notes", home=home).out


def test_a_routine_that_failures_have_paused_says_so_and_how_to_resume_it(home: Path, app: StandIn) -> None:
    listed, shown = shown_with(home, app, pausedByFailures=[{"automationId": "daily-notes", "failures": 5}])
    assert "paused by itself: 5 runs in a row failed" in listed
    assert "paused by itself: 5 runs in a row failed" in shown
    assert "covenctl resume daily-notes" in shown


def test_where_the_clock_was_ahead_no_date_before_that_is_promised(home: Path, app: StandIn) -> None:
    ahead = [{"automationId": "daily-notes", "until": "2099-08-30T07:00:00.000Z"}]
    for said in shown_with(home, app, clockAhead=ahead):
        assert "Mon 31 Aug 2099, 07:00: the clock was ahead until Sun 30 Aug 2099, 07:00" in said
    upcoming = covenctl("next", "--json", home=home).json["next"]
    assert upcoming[0]["at"] == "2099-08-31T07:00:00.000Z"
    app.payload("unquarantine", {"automationId": "daily-notes", "released": True})
    assert "Next: Mon 31 Aug 2099, 07:00" in covenctl("release", "daily-notes", home=home).out


def test_while_everything_is_paused_no_next_time_is_promised(home: Path, app: StandIn) -> None:
    pause = {"since": "2026-01-01T00:00:00.000Z", "until": None}
    app.read("/api/v1/health", {"ok": True, "desktop": {"clockShiftMs": 0, "pauseAll": pause}})
    listed, _ = shown_with(home, app)
    first, *_, last = listed.splitlines()
    assert first == "Everything is paused until covenctl resume --all."
    assert "all paused" in last
    assert "(in " not in listed
    assert covenctl("next", home=home).out == "Everything is paused until covenctl resume --all.\n"


def test_why_a_routine_is_broken_is_said_in_the_app_s_own_words(home: Path, app: StandIn) -> None:
    why = "this host's zone cannot be told"
    for said in shown_with(home, app, broken=[{"automationId": "daily-notes", "reason": why}]):
        assert f"broken: {why}" in said
    assert covenctl("next", home=home).out == "Nothing is due.\n"


def test_a_slot_that_waits_for_a_free_place_is_told(home: Path, app: StandIn) -> None:
    slot = {"automationId": "daily-notes", "occurrenceId": "o", "scheduledFor": "2099-08-30T07:00:00.000Z"}
    listed, shown = shown_with(home, app, places=4, waitingForPlace=[slot])
    assert "waits for a free place" in listed
    assert "waits for a free place: 4 runs at the same time, at most" in shown
    app.payload("scheduler.status.v1", STATUS)
    app.read("/api/v1/health", APP_HEALTH)
    fields = dict(line.split("  ", 1) for line in covenctl("status", home=home).out.splitlines())
    assert fields["Wait for a place"].strip() == "1: 4 runs at the same time, at most"


def test_a_session_that_the_database_does_not_know_is_told_with_the_way_to_end_it(home: Path, app: StandIn) -> None:
    unknown = {"sessionId": "session-1", "process": 4242, "automationId": "daily-notes"}
    _, shown = shown_with(home, app, unknownSessions=[unknown, {**unknown, "process": 7, "automationId": "other"}])
    assert "still running: session-1 of daily-notes, process 4242." in shown
    assert "kill 7" not in shown
    app.payload("scheduler.status.v1", STATUS)
    app.read("/api/v1/health", APP_HEALTH)
    told = covenctl("status", home=home).out
    assert "Stop it: kill 4242\n" in told
    assert "Stop it: kill 7\n" in told
