"""create and edit with the real app: what is sent, what is refused in whose words, and what is said to have changed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from coven_desktop.cli.refusals import Refused
from tests.cli.covenctl import Result, covenctl
from tests.contract.rich_bodies import request, rich
from tests.rig import App, routine

RULE = "FREQ=WEEKLY;BYDAY=MO;BYHOUR=3"
SELDOM = {"rrule": RULE, "timezone": "Pacific/Kiritimati"}
NEW = ("--rrule", RULE, "--runtime", "shell", "--prompt", "true")


def call(app: App, *arguments: str, typed: str = "", cwd: Path | None = None) -> Result:
    return covenctl(*arguments, home=app.home.root, typed=typed, cwd=cwd)


def make(app: App, name: str, **members: object) -> dict[str, Any]:
    made: dict[str, Any] = app.act("create", definition=routine(name, "true", app.home.root) | SELDOM | members)[
        "routine"
    ]
    return made


def stored(app: App, name: str) -> dict[str, Any]:
    found: dict[str, Any] = app.act("get", id=name)["routine"]
    return found


def revision(app: App, name: str) -> int:
    (found,) = app.client.desktop("routine.list.v1", ids=[name])["routines"]
    return int(found["revision"])


def test_a_routine_is_made_of_options(served: App, tmp_path: Path) -> None:
    made = call(served, "create", "--name", "Tägliche Notizen!", *NEW, "--json", cwd=tmp_path)
    assert made.code == 0, made
    found = stored(served, "tagliche-notizen")
    assert made.json["routine"] == found
    assert found == {
        "schemaVersion": 1,
        "id": "tagliche-notizen",
        "name": "Tägliche Notizen!",
        "status": "ACTIVE",
        "rrule": RULE,
        "timezone": found["timezone"],
        "misfire": "latest",
        "overlap": "forbid",
        "timeoutMinutes": 30,
        "runtime": "shell",
        "prompt": "true",
        "cwd": str(tmp_path),
    }
    assert found["timezone"] != "local"


def test_every_option_has_its_member(served: App, tmp_path: Path) -> None:
    (tmp_path / "prompt.md").write_text("Über\nzwei Zeilen\n")
    options = {
        "--rrule": RULE,
        "--timezone": "utc",
        "--runtime": "shell",
        "--prompt-file": "prompt.md",
        "--cwd": "below",
        "--timeout": "90",
        "--model": "opus",
        "--familiar": "charm",
        "--retry-attempts": "3",
        "--retry-backoff": "fixed",
    }
    words = [word for option in options.items() for word in option]
    made = call(served, "create", "full", *words, "--tag", "a", "--tag", "b", "--paused", cwd=tmp_path)
    assert (made.code, made.err) == (0, "")
    assert made.out == f"Made: full, working in {tmp_path}/below\nIt is paused; let it run: covenctl resume full\n"
    found = stored(served, "full")
    retry = {"maxAttempts": 3, "backoffPolicy": "fixed", "backoffSeconds": 60}
    classes = ["transient_dispatch", "lease_expired", "runtime_unavailable"]
    assert found.pop("retry") == {**retry, "retryableClasses": classes}
    assert (found["prompt"], found["cwd"], found["timeoutMinutes"]) == ("Über\nzwei Zeilen\n", f"{tmp_path}/below", 90)
    assert (found["model"], found["familiarId"], found["tags"], found["status"]) == (
        "opus",
        "charm",
        ["a", "b"],
        "PAUSED",
    )
    assert (found["name"], found["timezone"]) == ("full", "utc")


def test_a_file_is_the_definition_and_options_go_before_it(served: App, tmp_path: Path) -> None:
    body = routine("filed", "true", served.home.root) | SELDOM | {"promt": "x", "model": "opus"}
    (tmp_path / "routine.json").write_text(json.dumps(body))
    made = call(served, "create", "-f", "routine.json", "--model", "", "--name", "Other", cwd=tmp_path)
    assert made.code == 0
    assert made.err == "covenctl: warning: unknown member `promt` was left out\n"
    found = stored(served, "filed")
    assert (found["name"], "model" in found) == ("Other", False)
    assert call(served, "create", "-f", "-", typed=json.dumps({**body, "id": "typed"})).code == 0
    again = call(served, "create", "-f", "-", typed=json.dumps(body))
    assert (again.code, "a routine with id `filed` exists already" in again.err) == (1, True)
    assert call(served, "create", "another", "-f", "-", typed=json.dumps(body)).code == 2
    without = {name: value for name, value in body.items() if name not in ("cwd", "promt")}
    told = call(served, "create", "-f", "-", typed=json.dumps({**without, "id": "nowhere"}))
    assert (told.code, "covenctl edit nowhere --cwd DIR" in told.err) == (0, True)


def test_the_same_key_makes_it_once(served: App) -> None:
    words = ("create", "keyed", *NEW, "--timezone", "utc", "--key", "adopt:keyed:1")
    first, second = call(served, *words, "--json"), call(served, *words, "--json")
    assert (first.code, first.json) == (0, second.json)
    assert revision(served, "keyed") == 1
    other = call(served, *words, "--name", "Other")
    assert (other.code, "already used for another request" in other.err) == (1, True)
    assert call(served, "create", "keyed", *NEW, "--key", "short").code == 2


FAULTS: list[dict[str, Any]] = [
    {"rrule": "FREQ=DAILY;BYHOUR=25"},
    {"rrule": "FREQ=HOURLY"},
    {"rrule": ""},
    {"timezone": "europe/paris"},
    {"timezone": "Nowhere/Land"},
    {"name": "x" * 161},
    {"name": " "},
    {"runtime": " "},
    {"prompt": "\n"},
    {"timeoutMinutes": 0},
    {"timeoutMinutes": "30"},
    {"retry": {"maxAttempts": 11, "backoffPolicy": "none"}},
    {"retry": {"maxAttempts": 2, "backoffPolicy": "fixed"}},
    {"retry": {"maxAttempts": 2, "backoffPolicy": "none", "wait": 1}},
    {"outputTarget": "x"},
    {"authority": {}},
    {"id": "-x"},
    {"id": "x" * 97},
    {"status": "DISABLED"},
    {"status": "active"},
    {"misfire": "backfill"},
    {"schemaVersion": 2},
    {"tags": "a"},
]


@pytest.mark.parametrize("fault", FAULTS, ids=json.dumps)
def test_a_dry_run_refuses_in_the_words_of_the_app(served: App, fault: dict[str, Any]) -> None:
    body = routine("faulty", "true", served.home.root) | SELDOM | fault
    with pytest.raises(Refused) as refused:
        served.act("create", definition=body)
    dry = covenctl("create", "-f", "-", "--dry-run", "--json", typed=json.dumps(body))
    assert (dry.code, dry.json["error"]["message"]) == (1, refused.value.message)


def test_a_dry_run_shows_what_would_be_and_needs_no_app(home: Path) -> None:
    words = ("create", "dry", "--rrule", "FREQ=DAILY;BYHOUR=2", "--timezone", "Europe/Paris", "--runtime", "shell")
    shown = covenctl(*words, "--prompt", "true", "--cwd", "/tmp", "--dry-run", home=home)
    assert (shown.code, shown.err) == (0, "")
    assert "Every day at 02:00 (Europe/Paris)" in shown.out
    assert shown.out.count(" 02:00 +0") == 5
    assert shown.out.endswith("Dry run: nothing was changed.\n")
    document = covenctl(*words, "--prompt", "true", "--dry-run", "--json", "--paused", home=home).json
    assert (document["dryRun"], document["routine"]["status"], len(document["firings"])) == (True, "PAUSED", 5)
    assert document["warnings"] == []
    local = covenctl("create", "dry", *NEW, "--dry-run", "--json", home=home, env={"TZ": "Asia/Tokyo"}).json
    assert local["routine"]["timezone"] == "Asia/Tokyo"


@pytest.mark.parametrize(
    "arguments",
    [
        ["create"],
        ["create", "x", "--rrule", RULE],
        ["create", "x", *NEW, "--timeout", "0"],
        ["create", "x", *NEW, "--prompt-file", "p"],
        ["create", "x", *NEW, "--no-retry", "--retry-attempts", "2"],
        ["create", "x", *NEW, "--retry-seconds", "2"],
        ["create", "x", "-f", "/nowhere/x.json"],
        ["create", "x", "-f", "-", "--prompt-file", "-"],
        ["edit", "x"],
        ["edit", "x", "--key", "adopt:edit:1"],
        ["edit", "x", "--status", "disabled"],
    ],
)
def test_what_does_not_go_together_is_a_usage_error(home: Path, arguments: list[str]) -> None:
    result = covenctl(*arguments, home=home)
    assert result.code == 2, result
    assert result.out == ""
    assert "covenctl" in result.err


@pytest.mark.parametrize(
    ("typed", "said"),
    [("", "empty"), ("[]", "needs a JSON object"), ('{"a":1,"a":2}', "stands twice"), ("{", "not valid JSON")],
)
def test_a_file_that_is_no_definition(home: Path, typed: str, said: str) -> None:
    result = covenctl("create", "-f", "-", home=home, typed=typed)
    assert (result.code, "standard input: " in result.err, said in result.err) == (1, True, True)


def test_only_what_is_named_is_changed(served: App) -> None:
    before = make(served, "edited", model="opus", tags=["a"], prompt="one\ntwo\nthree\n")
    edited = call(served, "edit", "edited", "--prompt", "one\n2\nthree\n", "--model", "", "--timeout", "5")
    assert (edited.code, edited.err) == (0, "")
    assert edited.out == (
        "Changed: edited is at revision 2.\n"
        "model           opus → –\n"
        "timeoutMinutes  44640 → 5\n"
        "prompt\n"
        "  @@ -1,3 +1,3 @@\n"
        "   one\n"
        "  -two\n"
        "  +2\n"
        "   three\n"
    )
    after = stored(served, "edited")
    assert after == {
        **{name: value for name, value in before.items() if name != "model"},
        "prompt": "one\n2\nthree\n",
        "timeoutMinutes": 5,
    }
    as_json = call(served, "edit", "edited", "--tag", "b", "--status", "paused", "--json").json
    assert (as_json["id"], as_json["revision"], as_json["warnings"]) == ("edited", 3, [])
    assert as_json["routine"] == stored(served, "edited")
    assert as_json["changes"] == [
        {"member": "status", "before": "ACTIVE", "after": "PAUSED"},
        {"member": "tags", "before": ["a"], "after": ["b"]},
    ]


def test_a_file_names_what_changes(served: App) -> None:
    before = make(served, "patched", model="opus")
    patch = {"model": None, "name": "New", "unknown": 1}
    edited = call(served, "edit", "patched", "-f", "-", typed=json.dumps(patch))
    assert (edited.code, edited.err) == (0, "covenctl: warning: unknown member `unknown` was left out\n")
    assert stored(served, "patched") == {**{k: v for k, v in before.items() if k != "model"}, "name": "New"}
    moved = call(served, "edit", "patched", "-f", "-", typed='{"id": "other"}')
    assert (moved.code, "the id of a routine stays what it is" in moved.err) == (1, True)


def test_retries_start_from_what_is_there(served: App) -> None:
    make(served, "retried")
    assert call(served, "edit", "retried", "--retry-seconds", "5").code == 2
    assert call(served, "edit", "retried", "--retry-attempts", "2", "--retry-on", "lease_expired").code == 0
    edited = call(served, "edit", "retried", "--retry-backoff", "exponential", "--retry-seconds", "9")
    assert edited.out == (
        "Changed: retried is at revision 3.\nretry.backoffPolicy   none → exponential\nretry.backoffSeconds  – → 9\n"
    )
    retry = {"maxAttempts": 2, "backoffPolicy": "exponential", "backoffSeconds": 9}
    assert stored(served, "retried")["retry"] == {**retry, "retryableClasses": ["lease_expired"]}
    assert call(served, "edit", "retried", "--no-retry").code == 0
    assert "retry" not in stored(served, "retried")


def test_a_routine_that_was_changed_meanwhile_is_left_alone(served: App) -> None:
    make(served, "contested")
    stale = call(served, "edit", "contested", "--name", "New", "--expected-revision", "7")
    assert stale.code == 1
    assert "refused (REVISION_CONFLICT): routine `contested` is at revision 1, not 7" in stale.err
    assert call(served, "edit", "contested", "--name", "New", "--expected-revision", "1").code == 0
    assert call(served, "edit", "contested", "--name", "New", "--expected-revision", "1").code == 1
    same = call(served, "edit", "contested", "--name", "New")
    assert (same.code, same.out) == (0, "Nothing to change: contested is so already, at revision 2.\n")
    keyed = ("edit", "contested", "--name", "Newer", "--expected-revision", "2", "--key", "adopt:edit:0001")
    assert [call(served, *keyed).code for _ in range(2)] == [0, 0]
    assert revision(served, "contested") == 3


def test_a_dry_run_of_an_edit_changes_nothing(served: App) -> None:
    make(served, "tried")
    shown = call(served, "edit", "tried", "--rrule", "FREQ=DAILY;BYHOUR=5", "--dry-run")
    assert shown.code == 0
    assert f"rrule  {RULE} → FREQ=DAILY;BYHOUR=5" in shown.out
    assert shown.out.count("05:00 +14:00") == 5
    assert call(served, "edit", "tried", "--rrule", "FREQ=DAILY;BYHOUR=55", "--dry-run").code == 1
    assert (revision(served, "tried"), stored(served, "tried")["rrule"]) == (1, RULE)


def test_what_the_versioned_api_manages_is_revised_by_it(served: App) -> None:
    body = routine("revised", "true", served.home.root) | SELDOM
    served.act("definition.create.v1", adoptionKey="adopt:author:0001", definition=body)
    assert call(served, "edit", "revised", "--name", "New").out.startswith("Changed: revised is at revision 2.\n")
    assert stored(served, "revised")["name"] == "New"
    unknown = call(served, "edit", "revised", "-f", "-", typed='{"promt": "x"}')
    assert (unknown.code, "unknown field `promt`" in unknown.err, "Instead: prompt" in unknown.err) == (1, True, True)
    hourly = call(served, "edit", "revised", "--rrule", "FREQ=HOURLY", "--json")
    assert (hourly.code, hourly.json["error"]["code"]) == (1, "CAPABILITY_UNSUPPORTED")
    assert hourly.json["error"]["details"]["variant"] == "trigger.schedule.frequency.hourly"


def test_a_rich_definition_is_not_made_flat_unasked(served: App) -> None:
    body = request("definition.create.v1", {"definition": rich(automationId="harboured")}, "adopt:rich:0001")
    served.act("command.v1", **{name: value for name, value in body.items() if name != "action"})
    edited = ("edit", "harboured", "--timeout", "13", "--json")
    refused = call(served, *edited)
    assert (refused.code, refused.json["error"]["code"]) == (1, "RICH_DEFINITION")
    assert revision(served, "harboured") == 1
    assert call(served, *edited, "--flat").json["changes"] == [{"member": "timeoutMinutes", "before": 12, "after": 13}]
    assert "definition" not in served.act("definition.get.v1", id="harboured")
    assert call(served, "edit", "harboured", "--name", "Flat").code == 0


def test_a_home_that_the_shell_did_not_expand(home: Path) -> None:
    refused = covenctl("create", "x", *NEW, "--cwd", "~/notes", home=home, env={"HOME": "/home/me"})
    assert (refused.code, refused.err.endswith("Instead: /home/me/notes\n")) == (1, True)
