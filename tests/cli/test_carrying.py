"""import and export: everything comes back paused, under the API that managed it, and nothing is made twice."""

from __future__ import annotations

import json
import stat
from pathlib import Path
from typing import Any

import pytest

from tests.cli.covenctl import Result, covenctl
from tests.cli.stand_in import HUNG_UP, StandIn, completed
from tests.cli.test_moving import entry
from tests.cli.test_reading import ROUTINE
from tests.rig import App, routine

SELDOM = {"rrule": "FREQ=WEEKLY;BYDAY=MO;BYHOUR=3", "timezone": "Pacific/Kiritimati"}


def call(app: App, *arguments: str, typed: str = "") -> Result:
    return covenctl(*arguments, home=app.home.root, typed=typed)


def document(*routines: Any, **members: Any) -> str:
    return json.dumps({"schemaVersion": "coven.desktop.export.v1", "routines": list(routines), **members})


def test_what_is_exported_comes_back_paused(served: App, tmp_path: Path) -> None:
    for name in ("kept", "tagged"):
        served.act("create", definition=routine(name, "echo 日本\n", served.home.root, tags=["é"]) | SELDOM)
    body = routine("versioned", "true", served.home.root) | SELDOM
    served.act("definition.create.v1", adoptionKey="adopt:carry:0001", definition=body)
    file = tmp_path / "all.json"
    names = ("kept", "tagged", "versioned")
    exported = call(served, "export", *names, "-o", str(file))
    assert (exported.code, exported.out) == (0, f"Exported 3 routines to {file}\n")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    written = json.loads(file.read_text(encoding="utf-8"))
    assert written["schemaVersion"] == "coven.desktop.export.v1"
    assert written["routines"] == served.client.desktop("routine.list.v1", ids=list(names))["routines"]
    assert "日本" in file.read_text(encoding="utf-8")
    assert call(served, "export", "--json").json["routines"] == served.client.desktop("routine.list.v1")["routines"]

    skipped = call(served, "import", str(file))
    assert (skipped.code, skipped.out) == (0, "".join(f"Skipped: {name}: already exists\n" for name in names))
    assert call(served, "delete", "kept", "tagged", "--yes").code == 0
    dry = call(served, "import", str(file), "--dry-run")
    assert dry.code == 0
    assert dry.out == (
        "Would import: kept\nWould import: tagged\nSkipped: versioned: already exists\nDry run: nothing was changed.\n"
    )
    assert served.act("get", id="kept")["routine"] is None
    imported = call(served, "import", str(file), "--json")
    assert (imported.code, imported.json["dryRun"]) == (0, False)
    assert [one["outcome"] for one in imported.json["routines"]] == ["imported", "imported", "skipped"]
    back = served.act("get", id="kept")["routine"]
    assert back == {**written["routines"][0]["definition"], "status": "PAUSED"}


def test_a_routine_of_the_versioned_api_comes_back_to_it(served: App) -> None:
    body = routine("moved", "true", served.home.root) | SELDOM
    taken = call(served, "import", "-", typed=document({"managed": "v1", "definition": body}))
    assert taken.out == "Imported: moved\nThey are paused; let them run: covenctl resume moved\n"
    (found,) = served.client.desktop("routine.list.v1", ids=["moved"])["routines"]
    assert (found["managed"], found["lifecycle"]) == ("v1", "paused")
    assert call(served, "delete", "moved", "--yes").code == 0
    again = call(served, "import", "-", typed=document({"managed": "v1", "definition": body}))
    assert (again.code, again.out) == (1, "Failed: moved: routine `moved` was deleted\n")


def test_each_routine_has_its_result(served: App) -> None:
    good = routine("good-one", "true", served.home.root) | SELDOM | {"status": "DISABLED", "extra": 1}
    entries = [
        {"definition": {**good, "id": "bad-rule", "rrule": "FREQ=HOURLY"}},
        {"definition": good},
        {"definition": good},
        {"definition": {**good, "id": "other-kind"}, "family": "moon"},
        {"definition": {}},
        {"definition": {**good, "id": "bad-settings"}, "settings": {"environment": {"A-B": "1"}}},
        {"definition": {**good, "id": "with-settings"}, "settings": {"environment": {"A": "1"}, "secrets": ["TOKEN"]}},
    ]
    result = call(served, "import", "-", "--json", typed=document(*entries))
    assert result.code == 1
    found = result.json["routines"]
    outcomes = [(one["id"], one["outcome"]) for one in found]
    assert outcomes == [
        ("bad-rule", "failed"),
        ("good-one", "imported"),
        ("good-one", "skipped"),
        ("other-kind", "failed"),
        ("(no id)", "failed"),
        ("bad-settings", "failed"),
        ("with-settings", "imported"),
    ]
    assert found[0]["error"]["details"]["field"] == "rrule"
    assert found[1]["warnings"] == ["unknown member `extra` was left out"]
    assert found[6]["warnings"][1:] == ["see that the keyring has its secrets: TOKEN"]
    assert found[5]["error"]["details"]["field"] == "settings.environment"
    assert served.act("get", id="bad-settings")["routine"] is None
    (kept,) = served.client.desktop("routine.list.v1", ids=["with-settings"])["routines"]
    assert kept["settings"] == {"revision": 1, "environment": {"A": "1"}, "secrets": ["TOKEN"]}
    assert served.act("get", id="good-one")["routine"]["status"] == "PAUSED"


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("", "empty"),
        ("[]", "needs a JSON object"),
        ("{}", "schemaVersion must be coven.desktop.export.v1"),
        ('{"schemaVersion": "coven.desktop.export.v2", "routines": []}', "schemaVersion must be"),
        ('{"schemaVersion": "coven.desktop.export.v1"}', "routines must be a list"),
        (document({"definition": {}}, 7), "routines[1] must be an object with a definition"),
        (document({"definition": {}, "settings": []}), "routines[0].settings must be an object"),
        (document({"definition": {}, "settings": {"environment": 5}}), "routines[0].settings.environment must be"),
        (document({"definition": {}, "settings": {"secrets": "TOKEN"}}), "routines[0].settings.secrets must be a list"),
    ],
)
def test_a_document_that_is_none_sends_nothing(home: Path, app: StandIn, typed: str, said: str) -> None:
    result = covenctl("import", "-", home=home, typed=typed)
    assert (result.code, said in result.err) == (1, True), result
    assert app.requests == []


def taken(request: Any) -> Any:
    """What the app says of an import of which nothing is there yet."""
    told = [{"id": one["definition"]["id"], "outcome": "imported"} for one in request["document"]["routines"]]
    result = {"dryRun": request["dryRun"], "routines": told}
    return completed({"outcome": "committed", "revision": None, "result": result})


def test_an_export_of_a_thousand_routines_goes_in_parts_that_the_app_takes(home: Path, app: StandIn) -> None:
    app.actions["coven.desktop.import.v1"] = taken
    many = [{"definition": ROUTINE | {"id": f"routine-{number}"}} for number in range(2_000)]
    result = covenctl("import", "-", "--dry-run", "--json", home=home, typed=document(*many))
    assert (result.code, len(result.json["routines"])) == (0, 2_000), result.err
    sent = app.sent("import.v1", "coven.desktop.")
    assert [one for request in sent for one in request["document"]["routines"]] == many
    assert {len(request["document"]["routines"]) for request in sent} == {100}
    assert len({request["adoptionKey"] for request in sent}) == 20
    large = [{"definition": ROUTINE | {"id": f"large-{number}", "prompt": "x" * 400_000}} for number in range(5)]
    assert covenctl("import", "-", home=home, typed=document(*large)).code == 0
    assert [len(request["document"]["routines"]) for request in app.sent("import.v1", "coven.desktop.")[20:]] == [
        2,
        2,
        1,
    ]


def test_a_second_file_that_is_bad_keeps_the_first_from_being_sent(home: Path, app: StandIn, tmp_path: Path) -> None:
    good, bad = tmp_path / "good.json", tmp_path / "bad.json"
    good.write_text(document({"definition": ROUTINE}))
    bad.write_text("{")
    assert covenctl("import", str(good), str(bad), home=home).code == 1
    assert app.requests == []
    assert covenctl("import", str(good), str(tmp_path / "none.json"), home=home).code == 2
    toml = covenctl("import", "automation.toml", home=home)
    assert (toml.code, "read by the app" in toml.err) == (2, True)


def test_a_connection_that_breaks_says_what_is_done(home: Path, app: StandIn) -> None:
    many = document(*({"definition": {**ROUTINE, "id": f"routine-{number}"}} for number in range(101)))
    answers = iter((taken, lambda _: HUNG_UP))
    app.actions["coven.desktop.import.v1"] = lambda request: next(answers)(request)
    result = covenctl("import", "-", "--json", home=home, typed=many)
    assert result.code == 3
    assert [one["id"] for one in result.json["error"]["routines"]] == [f"routine-{number}" for number in range(100)]
    answers = iter((taken, lambda _: HUNG_UP))
    told = covenctl("import", "-", home=home, typed=many)
    assert "Import the file again: what is there already is skipped." in told.err


def test_nothing_is_written_when_a_name_is_wrong(home: Path, app: StandIn, tmp_path: Path) -> None:
    app.routines(entry())
    app.read("/api/v1/health", {"covenVersion": "9.9"})
    file = tmp_path / "out.json"
    result = covenctl("export", "daily-notes", "nobody", "-o", str(file), home=home)
    assert (result.code, "no routine nobody" in result.err, file.exists()) == (1, True, False)
    assert list(tmp_path.glob(".covenctl*")) == []


def test_a_file_is_replaced_whole_or_not_at_all(home: Path, app: StandIn, tmp_path: Path) -> None:
    app.routines(entry())
    file, link = tmp_path / "out.json", tmp_path / "link.json"
    file.write_text("before")
    link.symlink_to(file)
    assert covenctl("export", "-o", str(link), home=home).code == 0
    assert link.is_symlink()
    assert json.loads(file.read_text())["routines"] == [entry()]
    assert covenctl("export", "-o", "/dev/stdout", home=home).out.startswith("{")
    missing = covenctl("export", "-o", str(tmp_path / "none" / "out.json"), home=home)
    assert (missing.code, "No such file or directory" in missing.err) == (3, True)
    full = covenctl("export", "-o", "/dev/full", home=home)
    assert (full.code, "No space left" in full.err) == (3, True)
    assert sorted(one.name for one in tmp_path.iterdir() if one.is_file()) == ["link.json", "out.json"]


OURS = {
    "schemaVersion": "coven.desktop.routine.v1",
    "status": "ACTIVE",
    "runtime": "shell",
    "prompt": "true",
    "cwd": "/tmp",
    "timeoutMinutes": 30,
}


def test_routines_of_every_family_come_back_with_all_they_have(served: App, tmp_path: Path) -> None:
    cron = {"kind": "cron", "expression": "0 3 29 2 *", "timezone": "Pacific/Kiritimati"}
    ended = {"kind": "cadence", "mode": "once", "anchor": "2001-01-01T09:00:00", "timezone": "utc", "catchUp": "skip"}
    delivery = {"kind": "file", "path": "/tmp/told.txt", "mode": "append"}
    given: list[dict[str, Any]] = [
        {
            "definition": {**OURS, "id": "by-cron", "name": "Cron", "schedule": cron, "delivery": delivery},
            "family": "cron",
            "managed": "v1",
            "settings": {"environment": {"A": "1"}, "secrets": ["TOKEN"]},
        },
        {
            "definition": {**OURS, "id": "once-only", "name": "Once", "schedule": ended, "tags": ["é"]},
            "family": "cadence",
            "managed": "v1",
            "settings": {"environment": {}, "secrets": []},
        },
    ]
    result = call(served, "import", "-", typed=document(*given))
    assert (result.code, "Imported: by-cron\n" in result.out, "Imported: once-only\n" in result.out) == (0, True, True)
    file = tmp_path / "all.json"
    assert call(served, "export", "by-cron", "once-only", "-o", str(file)).code == 0
    written = json.loads(file.read_text(encoding="utf-8"))["routines"]
    for one, back in zip(given, written, strict=True):
        assert back["definition"] == {**one["definition"], "status": "PAUSED"}
        assert (back["family"], back["managed"], back["lifecycle"]) == (one["family"], "v1", "paused")
        assert one["settings"].items() <= back["settings"].items()


def test_the_automations_of_codex_become_drafts(tmp_path: Path) -> None:
    folder = tmp_path / "person" / ".codex" / "automations"
    for name, text in (
        ("daily", 'id = "triage"\nname = "Triage"\nrrule = "RRULE:FREQ=DAILY;BYHOUR=9;BYMINUTE=0"\nprompt = "true"\n'),
        ("broken", "id = [\n"),
    ):
        (folder / name).mkdir(parents=True)
        (folder / name / "automation.toml").write_text(text)
    with App(tmp_path / "home", environment={"HOME": str(tmp_path / "person")}) as app:
        app.ready()
        dry = call(app, "import", "--dry-run")
        assert (dry.code, "Would import: triage\n" in dry.out) == (1, True)
        assert app.act("list")["routines"] == []
        assert call(app, "import", "--json").json["result"]["imported"] == ["triage"]
        draft = call(app, "resume", "triage")
        assert (draft.code, "it is a draft" in draft.err) == (1, True)
        assert call(app, "edit", "triage", "--cwd", str(tmp_path), "--runtime", "shell").code == 0
        assert call(app, "resume", "triage").out.startswith("Resumed: triage; next ")
        (folder / "broken" / "automation.toml").unlink()
        again = call(app, "import")
        assert (again.code, again.out) == (0, "Skipped: triage: already exists\n")
        app.end()


def test_codex_is_imported_by_the_app(home: Path, app: StandIn) -> None:
    lines = {"imported": ["daily"], "skipped": ["weekly: no schedule"], "failures": []}
    report = {"source": "codex-automation-toml", "dryRun": False, **lines}
    app.payload("legacy.import.v1", {"outcome": "committed", "revision": None, "result": report})
    told = covenctl("import", home=home)
    assert told.code == 0
    assert told.out == (
        "Imported: daily\nSkipped: weekly: no schedule\n"
        "Their runtime is coven-code, and neither model nor folders are taken over: see covenctl show.\n"
        "They are drafts. Give each a working folder, which makes it a paused routine, and let it run:\n"
        "covenctl edit daily --cwd DIR && covenctl resume daily\n"
    )
    failed = {**report, "failures": ["/x/automation.toml: could not parse"]}
    app.payload("legacy.import.v1", {"outcome": "committed", "revision": None, "result": failed})
    dry = covenctl("import", "--dry-run", home=home)
    assert (dry.code, "Would import: daily\n" in dry.out) == (1, True)
    assert dry.out.endswith("Failed: /x/automation.toml: could not parse\nDry run: nothing was changed.\n")
    assert [(sent["source"], sent["dryRun"]) for sent in app.sent("legacy.import.v1")] == [
        ("codex-automation-toml", False),
        ("codex-automation-toml", True),
    ]
    assert covenctl("import", "--json", home=home).json["result"] == failed
