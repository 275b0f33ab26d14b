"""export.v1 and import.v1: routines of every family come back as they were, paused, and nothing is made twice."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coven_desktop import home as homes
from coven_desktop.contract.errors import Code
from coven_desktop.contract.timestamps import to_text
from coven_desktop.engine.commands import carrying, definitions, desktop_routines, routine_settings
from coven_desktop.home import Home
from coven_desktop.loop.manual import ManualClock
from tests.engine import definition_bodies as flat
from tests.engine.conftest import DAY, HOUR, Bench, definition, refused
from tests.engine.families import cadence, cron, fresh, outcomes, routine

MADE = ("id", "family", "managed", "definition")


def export(bench: Bench, **members: Any) -> dict[str, Any]:
    """The document, as a client reads it."""
    payload = carrying.export(bench.engine, members).payload
    document: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(payload))
    return document


def take(bench: Bench, document: Any, **members: Any) -> list[dict[str, Any]]:
    """Import a document; what is told of each routine."""
    body = {"adoptionKey": flat.fresh(), "document": document, **members}
    told: list[dict[str, Any]] = carrying.import_document(bench.engine, body).payload["result"]["routines"]
    return told


def of(*entries: dict[str, Any]) -> dict[str, Any]:
    """A document of these."""
    return {"schemaVersion": "coven.desktop.export.v1", "routines": list(entries)}


def entry(definition: dict[str, Any] | None, **members: Any) -> dict[str, Any]:
    """A routine in a document; the family is what the definition says."""
    family = (definition or {}).get("schedule", {}).get("kind", "rrule")
    return {"family": family, "managed": "v1", "definition": definition, **members}


def carried(document: dict[str, Any]) -> list[dict[str, Any]]:
    """What an export says and an import takes over."""
    return [
        {name: one[name] for name in MADE}
        | {"settings": {name: one["settings"][name] for name in ("environment", "secrets")}}
        for one in document["routines"]
    ]


# --- from store to store ----------------------------------------------------------------------------------------------

ZONES = st.sampled_from(["utc", "Europe/Paris", "Australia/Lord_Howe", "Asia/Kathmandu", "America/New_York"])
ANCHORS = st.datetimes().filter(lambda one: 1971 <= one.year <= 2090).map(lambda one: f"{one:%Y-%m-%dT%H:%M}:00Z")
TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=20).filter(
    lambda text: text.strip() != ""
)
NAMES = st.from_regex("[A-Z][A-Z0-9_]{0,7}", fullmatch=True)


@st.composite
def schedules(draw: st.DrawFn) -> dict[str, Any]:
    """A schedule of any family."""
    zone = draw(ZONES)
    match draw(st.sampled_from(["rrule", "cron", "cadence", "minutes", "seconds"])):
        case "rrule":
            rule = draw(st.sampled_from(["FREQ=DAILY", "FREQ=DAILY;BYHOUR=2,3", "freq=weekly;byday=MO,SUN;byhour=23"]))
            return {"kind": "rrule", "rrule": rule, "timezone": zone}
        case "cron":
            expression = draw(st.sampled_from(["*/5 * * * *", "0 9 1 * mon-fri", "30 2,14 29 2 *", "0 0 * JAN sun"]))
            return {"kind": "cron", "expression": expression, "timezone": zone}
        case "minutes":
            found: dict[str, Any] = {
                "kind": "cadence",
                "mode": "every_n_minutes",
                "minutes": draw(st.integers(1, 525_600)),
            }
        case "seconds":
            found = {"kind": "cadence", "mode": "cron", "expression": "*/10 0 9 * * *"}
        case _:
            modes = ["hourly", "daily", "weekly", "monthly", "yearly", "once"]
            found = {"kind": "cadence", "mode": draw(st.sampled_from(modes))}
    found |= {"timezone": zone, "anchor": draw(ANCHORS)}
    if found["mode"] != "once":
        more = draw(st.fixed_dictionaries({}, optional={"maxRuns": st.integers(1, 99)}))
        found |= more
        if draw(st.booleans()):
            found["until"] = f"2091{found['anchor'][4:]}".replace("-02-29", "-02-28")
    return found | draw(
        st.fixed_dictionaries({}, optional={"catchUp": st.sampled_from(["skip", "run-once", "run-all"])})
    )


@st.composite
def entries(draw: st.DrawFn, number: int) -> dict[str, Any]:
    """A routine of any family with everything that one can have."""
    schedule = draw(schedules())
    retries = {"maxAttempts": 3, "backoffPolicy": "fixed", "backoffSeconds": 5, "retryableClasses": ["lease_expired"]}
    optional: dict[str, st.SearchStrategy[Any]] = {
        "cwd": st.just("/tmp"),
        "model": TEXTS,
        "familiarId": st.just("owl"),
        "tags": st.lists(TEXTS, min_size=1, max_size=3),
        "retry": st.just(retries),
    }
    body: dict[str, Any] = {
        "id": f"made-{number}",
        "name": draw(TEXTS),
        "status": draw(st.sampled_from(["ACTIVE", "PAUSED", "DISABLED"])),
    }
    body |= {"runtime": "shell", "prompt": draw(TEXTS), "timeoutMinutes": draw(st.integers(1, 44_640))}
    body |= draw(st.fixed_dictionaries({}, optional=optional))
    if schedule["kind"] == "rrule":
        rule = {"rrule": schedule["rrule"], "timezone": schedule["timezone"]}
        body |= {"schemaVersion": 1, "misfire": "latest", "overlap": "forbid", **rule}
    else:
        deliveries = st.sampled_from([{"kind": "notification"}, {"kind": "file", "path": "/tmp/out", "mode": "append"}])
        body |= {"schemaVersion": "coven.desktop.routine.v1", "schedule": schedule}
        more: dict[str, st.SearchStrategy[Any]] = {"delivery": deliveries, "secrets": st.just(["OWN_TOKEN"])}
        body |= draw(st.fixed_dictionaries({}, optional=more))
    managed = draw(st.sampled_from(["legacy", "v1"])) if schedule["kind"] == "rrule" else "v1"
    given = {"environment": draw(st.dictionaries(NAMES, TEXTS, max_size=3)), "secrets": draw(st.just(["_TOKEN"]))}
    return {"family": schedule["kind"], "managed": managed, "definition": body, "settings": given}


@settings(max_examples=settings().max_examples // 10)
@given(st.data())
def test_what_is_exported_is_the_same_after_an_import_elsewhere(data: st.DataObject) -> None:
    given = [data.draw(entries(number)) for number in range(data.draw(st.integers(1, 6)))]
    with tempfile.TemporaryDirectory() as folder:
        stores = []
        try:
            for name in ("here", "there"):
                home = Home(Path(folder) / name)
                homes.prepare(home)
                stores.append(Bench(home, ManualClock()))
                stores[-1].start()
            here, there = stores
            told = take(here, of(*given))
            assert [one["outcome"] for one in told] == ["imported"] * len(given), told
            document = export(here)
            found = {one["id"]: one for one in document["routines"]}
            for one in given:
                body, kept = one["definition"], found[one["definition"]["id"]]
                stored = kept["definition"]
                assert one["settings"].items() <= kept["settings"].items()
                assert one["managed"] == kept["managed"]
                assert {**body, "status": "PAUSED", "schedule": 0} == {**stored, "schedule": 0}
                assert (body.get("schedule") or {}).items() <= (stored.get("schedule") or {}).items()
            assert [one["outcome"] for one in take(there, json.loads(json.dumps(document)))] == ["imported"] * len(
                given
            )
            assert carried(export(there)) == carried(document)
            assert {one["lifecycle"] for one in export(there)["routines"]} == {"paused"}
        finally:
            for bench in stores:
                bench.kill()


def test_routines_that_lived_come_back_paused_and_count_anew(bench: Bench) -> None:
    desktop_routines.create(
        bench.engine,
        {
            "adoptionKey": fresh(),
            "routine": routine(cadence("once"), "ended", delivery={"kind": "notification"}, secrets=["OWN"]),
        },
    )
    desktop_routines.create(bench.engine, {"adoptionKey": fresh(), "routine": routine(cron(), "often", tags=["a"])})
    flat.authored(bench, "create", "daily")
    routine_settings.put(
        bench.engine,
        {
            "adoptionKey": fresh(),
            "automationId": "often",
            "settings": {"environment": {"A": "1"}, "secrets": ["TOKEN"]},
            "expectedRevision": 0,
        },
    )
    bench.advance(2 * HOUR)
    document = export(bench)
    assert {one["id"]: one["lifecycle"] for one in document["routines"]} == {
        "ended": "disabled",
        "often": "active",
        "daily": "active",
    }
    assert outcomes(bench, "ended") != []
    for automation_id in ("ended", "often", "daily"):
        flat.moved(bench, "tombstone", automation_id)
    # the ids are spent here: they come back under others
    for one in document["routines"]:
        one["definition"]["id"] += "-2"
    told = take(bench, document)
    assert {one["id"]: one["outcome"] for one in told} == dict.fromkeys(("daily-2", "ended-2", "often-2"), "imported")
    assert {one["id"]: one.get("warnings") for one in told} == {
        "daily-2": None,
        "ended-2": ["see that the keyring has its secrets: OWN"],
        "often-2": ["see that the keyring has its secrets: TOKEN"],
    }
    back = {one["id"]: one for one in export(bench)["routines"]}
    assert {one["lifecycle"] for one in back.values()} == {"paused"}
    assert back["often-2"]["settings"] == {"revision": 1, "environment": {"A": "1"}, "secrets": ["TOKEN"]}
    told_again = desktop_routines.get(bench.engine, {"automationId": "ended-2"}).payload["routine"]
    assert (told_again["runCount"], told_again["lastStatus"], told_again["nextDueAt"]) == (0, None, None)
    bench.advance(DAY // 12)
    assert outcomes(bench, "often-2") == []


def test_a_dry_run_tells_the_same_and_writes_nothing(bench: Bench) -> None:
    given = of(
        entry(routine(cron(), "often")), entry(routine(cron(), "often")), entry(definition("daily")), entry(None)
    )
    dry = take(bench, given, dryRun=True)
    assert bench.rows("SELECT * FROM definitions") == []
    assert [one["outcome"] for one in dry] == ["imported", "skipped", "imported", "failed"]
    assert take(bench, given) == dry
    assert [one["outcome"] for one in take(bench, given)] == ["skipped", "skipped", "skipped", "failed"]


@pytest.mark.parametrize(
    ("bad", "field", "said"),
    [
        (entry(routine(cron("0 9 31 2 *"), "x")), "schedule.expression", "never comes"),
        (entry(routine(cadence("daily", maxRuns=0), "x")), "schedule.maxRuns", "maxRuns"),
        (entry({**definition("x"), "rrule": "FREQ=HOURLY"}, managed="legacy"), "rrule", "FREQ"),
        (entry(routine(cron(), "x", colour="blue")), "colour", "colour"),
        (entry(routine(cron(), "x"), settings={"environment": {"A-B": "1"}}), "settings.environment", "A-B"),
        (entry(definition("x"), family="moon"), None, "the family moon is not known"),
        (entry(None), None, "not understood any more"),
        (entry({"name": "No id"}, managed="legacy"), "schemaVersion", "schemaVersion"),
    ],
)
def test_one_that_is_refused_keeps_no_other_from_it(
    bench: Bench, bad: dict[str, Any], field: str | None, said: str
) -> None:
    first, second = take(bench, of(bad, entry(routine(cron(), "good"))))
    assert (first["outcome"], second["outcome"]) == ("failed", "imported")
    assert said in first["reason"]
    assert first["error"].get("details", {}).get("field") == field


def test_a_long_id_is_known_as_a_whole(bench: Bench) -> None:
    given = of(*(entry(routine(cron(), "x" * 95 + letter)) for letter in "ab"))
    assert [one["outcome"] for one in take(bench, given)] == ["imported", "imported"]
    assert [one["reason"] for one in take(bench, given)] == ["already exists"] * 2


def test_an_id_that_was_deleted_comes_back_to_the_actions_that_may_use_it_again(bench: Bench) -> None:
    take(bench, of(entry(definition("old"), managed="legacy"), entry(definition("new"))))
    flat.moved(bench, "tombstone", "new")
    definitions.delete(bench.engine, {"id": "old"})
    assert take(bench, of(entry(definition("old"))))[0]["reason"] == "routine `old` was deleted"
    told = take(bench, of(entry(definition("old"), managed="legacy"), entry(definition("new"), managed="legacy")))
    assert [(one["outcome"], one.get("reason")) for one in told] == [
        ("imported", None),
        ("failed", "routine `new` was deleted"),
    ]


@pytest.mark.parametrize(
    ("members", "said"),
    [
        ({"document": []}, "requires object field `document`"),
        ({"document": {}}, "schemaVersion must be coven.desktop.export.v1"),
        ({"document": of(), "dryRun": 1}, "`dryRun` must be true or false"),
        ({"document": of(), "expectedRevision": 1}, "takes no expectedRevision"),
        ({"document": {**of(), "routines": [{}]}}, "routines[0] must be an object with a definition"),
    ],
)
def test_what_is_no_export_is_refused_whole(bench: Bench, members: dict[str, Any], said: str) -> None:
    body = {"adoptionKey": flat.fresh(), **members}
    refusal = refused(lambda: carrying.import_document(bench.engine, body))
    assert (refusal.code, said in refusal.reason) == (Code.VALIDATION_FAILED, True), refusal.reason


def test_an_import_is_carried_out_once_per_key(bench: Bench) -> None:
    body = {"adoptionKey": "adopt:import:1", "document": of(entry(routine(cron(), "often")))}
    answer = carrying.import_document(bench.engine, body)
    again = carrying.import_document(bench.engine, body)
    assert (again.payload["outcome"], again.payload["result"]) == ("replayed", answer.payload["result"])
    other = refused(lambda: carrying.import_document(bench.engine, {**body, "dryRun": True}))
    assert other.code == Code.ADOPTION_REPLAY_MISMATCH


def test_an_export_names_its_maker_and_takes_ids(bench: Bench) -> None:
    take(bench, of(entry(routine(cron(), "one")), entry(routine(cron(), "two"))))
    document = export(bench, ids=["two"])
    assert [one["id"] for one in document["routines"]] == ["two"]
    assert (document["schemaVersion"], document["exportedAt"]) == (
        "coven.desktop.export.v1",
        to_text(bench.clock.wall()),
    )
    assert refused(lambda: export(bench, ids=[])).code == Code.VALIDATION_FAILED
