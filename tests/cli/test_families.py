"""Cadence and cron routines from the command line, with the real app: made, changed, looked at and taken back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from coven_desktop.cli.client import new_key
from coven_desktop.cli.refusals import Refused
from tests.cli.covenctl import Result, covenctl
from tests.rig import App

NEVER = "0 0 29 2 *"
WHAT = ("--runtime", "shell", "--prompt", "true", "--timezone", "utc")
DAILY = ("--cadence", "daily", "--anchor", "2099-01-31T09:00:00")


def call(app: App, *arguments: str, typed: str = "", cwd: Path | None = None) -> Result:
    return covenctl(*arguments, home=app.home.root, typed=typed, cwd=cwd)


def state(app: App, name: str) -> dict[str, Any]:
    found: dict[str, Any] = app.client.desktop("routine.get.v1", automationId=name)["routine"]
    return found


def schedule(app: App, name: str) -> dict[str, Any]:
    found: dict[str, Any] = state(app, name)["routine"]["schedule"]
    return found


def make(app: App, name: str, *options: str) -> None:
    made = call(app, "create", name, *options, *WHAT, "--cwd", "/tmp")
    assert (made.code, made.err) == (0, ""), made


def test_a_cadence_is_made_of_options(served: App, tmp_path: Path) -> None:
    ends = ("--until", "2100-01-31T09:00:00", "--max-runs", "10", "--catch-up", "run-all")
    made = call(served, "create", "made", *DAILY, *ends, *WHAT, "--tag", "a", cwd=tmp_path)
    assert (made.code, made.err) == (0, "")
    assert made.out.startswith(f"Made: made, working in {tmp_path}\nNext: ")
    found = state(served, "made")
    assert (found["family"], found["revision"], found["nextDueAt"]) == ("cadence", 1, "2099-01-31T09:00:00.000Z")
    assert found["routine"] == {
        "schemaVersion": "coven.desktop.routine.v1",
        "id": "made",
        "name": "made",
        "status": "ACTIVE",
        "schedule": {
            "kind": "cadence",
            "mode": "daily",
            "anchor": "2099-01-31T09:00:00",
            "timezone": "utc",
            "until": "2100-01-31T09:00:00",
            "maxRuns": 10,
            "catchUp": "run-all",
        },
        "timeoutMinutes": 30,
        "runtime": "shell",
        "prompt": "true",
        "cwd": str(tmp_path),
        "tags": ["a"],
    }


def test_every_n_minutes_and_six_fields_and_a_cron_routine(served: App) -> None:
    make(served, "minutes", "--cadence", "every_n_minutes", "--minutes", "90", "--anchor", "2099-01-01T00:00:00Z")
    assert (schedule(served, "minutes")["mode"], schedule(served, "minutes")["minutes"]) == ("every_n_minutes", 90)
    make(served, "seconds", "--cadence", "cron", "--cron", "30 0 0 29 2 *")
    assert schedule(served, "seconds")["expression"] == "30 0 0 29 2 *"
    make(served, "cron", "--cron", NEVER)
    assert schedule(served, "cron") == {"kind": "cron", "expression": NEVER, "timezone": "utc"}


def test_the_same_key_makes_it_once(served: App) -> None:
    words = ("create", "keyed", "--cron", NEVER, *WHAT, "--key", "adopt:families:1", "--json")
    first, again = call(served, *words), call(served, *words)
    assert (first.json["outcome"], again.json["outcome"]) == ("committed", "replayed")
    assert first.json["result"] == again.json["result"]
    other = call(served, *words, "--name", "Other")
    assert (other.code, other.json["error"]["code"]) == (1, "ADOPTION_REPLAY_MISMATCH")


FAULTS: list[dict[str, Any]] = [
    {"kind": "cron", "expression": "@daily"},
    {"kind": "cadence", "mode": "dayly", "anchor": "2099-01-01T00:00:00"},
    {"kind": "cadence", "mode": "daily"},
    {"kind": "cadence", "mode": "daily", "anchor": "2099-01-01T00:00:00", "maxRuns": 0},
    {"kind": "cadence", "mode": "daily", "anchor": "2099-01-01T00:00:00", "catchUp": "all"},
    {"kind": "cadence", "mode": "once", "anchor": "2020-01-01T00:00:00"},
    {"kind": "cron", "expression": NEVER, "timezone": "europe/paris"},
]


@pytest.mark.parametrize("fault", FAULTS, ids=json.dumps)
def test_a_dry_run_refuses_in_the_words_of_the_app(served: App, fault: dict[str, Any]) -> None:
    shared = {"id": "faulty", "name": "Faulty", "status": "ACTIVE", "timeoutMinutes": 5, "runtime": "shell"}
    body = {
        "schemaVersion": "coven.desktop.routine.v1",
        **shared,
        "prompt": "true",
        "schedule": {"timezone": "utc", **fault},
    }
    with pytest.raises(Refused) as refused:
        served.client.desktop("routine.create.v1", adoptionKey=new_key(), routine=body)
    dry = covenctl("create", "-f", "-", "--dry-run", "--json", typed=json.dumps(body))
    told, details = dry.json["error"], refused.value.error["details"]
    assert (dry.code, told["message"]) == (1, refused.value.message)
    assert (told["field"], told.get("suggestion")) == (details["field"], details.get("suggestion"))


@pytest.mark.parametrize(
    "options",
    [
        ("--rrule", "FREQ=DAILY", "--cron", NEVER),
        ("--cron", NEVER, "--anchor", "2099-01-01T00:00:00"),
        ("--rrule", "FREQ=DAILY", "--catch-up", "skip"),
        ("--until", "2099-01-01T00:00:00"),
    ],
)
def test_options_that_do_not_go_together(home: Path, options: tuple[str, ...]) -> None:
    assert covenctl("create", "x", *options, *WHAT, home=home).code == 2


def test_a_dry_run_shows_the_firings_and_needs_no_app(home: Path) -> None:
    shown = covenctl("create", "dry", *DAILY, "--max-runs", "2", *WHAT, "--dry-run", home=home)
    assert (shown.code, shown.err) == (0, "")
    assert shown.out.count(" 09:00 +00:00") == 2
    assert "the last one" in shown.out
    assert shown.out.endswith("Dry run: nothing was changed.\n")


def test_an_edit_changes_what_is_named_of_the_schedule(served: App) -> None:
    make(served, "edited", *DAILY, "--max-runs", "5")
    told = call(served, "edit", "edited", "--max-runs", "7", "--catch-up", "skip")
    assert (told.code, told.err) == (0, "")
    assert "schedule.maxRuns  5 → 7" in told.out
    assert "Next: " in told.out
    base = {"kind": "cadence", "anchor": "2099-01-31T09:00:00", "timezone": "utc", "catchUp": "skip"}
    assert schedule(served, "edited") == {**base, "mode": "daily", "maxRuns": 7}
    call(served, "edit", "edited", "--cadence", "every_n_minutes", "--minutes", "5", "--max-runs", "")
    assert schedule(served, "edited") == {**base, "mode": "every_n_minutes", "minutes": 5}
    # what belongs to another mode goes with it
    call(served, "edit", "edited", "--cadence", "monthly")
    assert schedule(served, "edited") == {**base, "mode": "monthly"}
    same = call(served, "edit", "edited", "--cadence", "monthly")
    assert same.out == "Nothing to change: edited is so already, at revision 4.\n"
    call(served, "edit", "edited", "--name", "Other", "--timezone", "Europe/Paris")
    assert state(served, "edited")["routine"]["name"] == "Other"
    assert schedule(served, "edited")["timezone"] == "Europe/Paris"


def test_cron_alone_is_the_expression_of_what_has_one_and_else_a_family(served: App) -> None:
    make(served, "crons", "--cadence", "cron", "--cron", NEVER, "--max-runs", "3")
    call(served, "edit", "crons", "--cron", "0 1 29 2 *")
    assert (schedule(served, "crons")["kind"], schedule(served, "crons")["expression"]) == ("cadence", "0 1 29 2 *")
    call(served, "edit", "crons", "--cadence", "yearly", "--anchor", "2099-01-01T00:00:00")
    call(served, "edit", "crons", "--cron", NEVER)
    assert schedule(served, "crons") == {"kind": "cron", "expression": NEVER, "timezone": "utc"}


def test_a_routine_changes_its_family_and_back(served: App) -> None:
    made = call(served, "create", "family", "--rrule", "FREQ=WEEKLY;BYHOUR=3", *WHAT, "--cwd", "/tmp", "--model", "m")
    assert made.code == 0
    assert served.act("get", id="family")["routine"]["model"] == "m"
    told = call(served, "edit", "family", "--cron", NEVER)
    assert (told.code, told.err) == (0, "")
    found = state(served, "family")
    assert (found["family"], found["routine"]["model"], found["routine"]["cwd"]) == ("cron", "m", "/tmp")
    assert call(served, "edit", "family", "--rrule", "FREQ=DAILY;BYHOUR=4").code == 0
    back = served.act("get", id="family")["routine"]
    assert (back["rrule"], back["timezone"], back["model"]) == ("FREQ=DAILY;BYHOUR=4", "utc", "m")


def test_a_file_in_our_own_form_is_taken_as_it_is(served: App) -> None:
    make(served, "filed", *DAILY)
    body = {**state(served, "filed")["routine"], "id": "typed", "delivery": {"kind": "notification"}}
    made = call(served, "create", "-f", "-", "--name", "Typed", typed=json.dumps(body))
    assert (made.code, made.err) == (0, "")
    assert state(served, "typed")["routine"] == {**body, "name": "Typed"}
    told = call(served, "edit", "typed", "-f", "-", typed='{"delivery": null}')
    assert (told.code, "delivery" in state(served, "typed")["routine"]) == (0, False)


def test_they_are_listed_shown_and_looked_forward_to(served: App) -> None:
    make(served, "looked", "--cadence", "hourly", "--anchor", "2026-01-01T00:30:00", "--max-runs", "2")
    make(served, "at", "--cron", "0 12 1 1 *")
    for command in ("list", "show looked"):
        assert "2 runs in all" in call(served, *command.split()).out
    assert "At 12:00" in call(served, "list").out
    listed = {one["id"]: one for one in call(served, "list", "--json").json["routines"]}
    assert listed["looked"] == state(served, "looked")["routine"]
    shown = call(served, "show", "looked")
    assert (shown.code, "Runs counted 0" in " ".join(shown.out.split())) == (0, True)
    assert "the newest runs once" in shown.out
    assert call(served, "show", "looked", "--json").json["routine"]["runCount"] == 0
    following = call(served, "next", "--limit", "1000", "--json").json["next"]
    assert [one["id"] for one in following].count("looked") == 2
    assert {"looked", "at"} <= {one["id"] for one in following}
    for words in (
        ("runs", "looked"),
        ("history", "looked"),
        ("occurrences", "looked"),
        ("events", "--routine", "looked"),
    ):
        assert call(served, *words).code == 0, words
    nearly = call(served, "show", "loked")
    assert (nearly.code, "looked" in nearly.err) == (1, True)


def test_one_is_run_paused_resumed_and_deleted_as_any_other(served: App) -> None:
    make(served, "moved", *DAILY)
    assert call(served, "run", "moved", "--wait").code == 0
    assert call(served, "pause", "moved").code == 0
    assert state(served, "moved")["lifecycleState"] == "paused"
    assert "next" in call(served, "resume", "moved").out
    assert call(served, "delete", "moved", "--yes").code == 0
    assert call(served, "show", "moved").code == 1


def test_a_disabled_one_is_taken_back_with_another_end(served: App) -> None:
    make(served, "ended", *DAILY, "--max-runs", "2")
    call(served, "disable", "ended", "--yes")
    assert "covenctl enable ended" in call(served, "show", "ended").out
    told = call(
        served, "enable", "ended", "--max-runs", "", "--until", "2100-01-01T00:00:00", "--anchor", "2099-06-01T08:00:00"
    )
    assert told.out == "Enabled: ended is paused, at revision 3.\nLet it run: covenctl resume ended\n"
    assert schedule(served, "ended") == {
        "kind": "cadence",
        "mode": "daily",
        "anchor": "2099-06-01T08:00:00",
        "timezone": "utc",
        "until": "2100-01-01T00:00:00",
        "catchUp": "run-once",
    }
    again = call(served, "enable", "ended", "--json")
    assert (again.code, again.json["error"]["code"]) == (1, "ILLEGAL_TRANSITION")
    assert call(served, "enable", "nobody").code == 1
    assert call(served, "enable", "ended", "--max-runs", "many").code == 1
