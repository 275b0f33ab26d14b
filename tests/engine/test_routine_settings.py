"""What a run is given beside its definition: kept by revision, told by name, given at each launch as it is then."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from coven_desktop.contract.errors import Code
from coven_desktop.engine.answers import Answer, Pending
from coven_desktop.engine.commands import definitions, routine_settings, secrets
from coven_desktop.engine.engine import Engine
from coven_desktop.runtime.secrets import State
from coven_desktop.runtime.sessions import KnownRuntime
from coven_desktop.store import routine_settings as stored
from tests.engine.conftest import HOUR, SECOND, Bench, refused
from tests.engine.held_runs import BUSY, policy

GIVEN = {"environment": {"LEVEL": "brief"}, "secrets": ["TOKEN"]}


def give(bench: Bench, settings: dict[str, Any] = GIVEN, expected: int = 0, **members: Any) -> Answer:
    """Change the settings of `notes`."""
    key = f"adopt:settings:{expected}"
    body = {"adoptionKey": key, "automationId": "notes", "settings": settings, "expectedRevision": expected}
    return routine_settings.put(bench.engine, body | members)


def ask(
    bench: Bench, command: Callable[[Engine, Mapping[str, Any]], Answer | Pending], **members: Any
) -> dict[str, Any]:
    """The answer of a command, which may have to wait for the keyring."""
    return bench.done(command(bench.engine, members)).payload


def names_of_runs(bench: Bench) -> list[list[str]]:
    """What was given to each run, by its name."""
    return [json.loads(row[0]) for row in bench.rows("SELECT environment_names FROM runs ORDER BY started_at")]


def test_a_run_is_given_what_stands_beside_its_definition(bench: Bench) -> None:
    bench.create()
    told = give(bench).payload
    assert told["result"] == {"automationId": "notes", "settings": {"revision": 1, **GIVEN}}
    assert told["revision"] == 1, "the definition is what it was"
    bench.advance(HOUR)
    (spec,) = bench.world.launched
    assert (spec.environment, spec.secrets) == ({"LEVEL": "brief"}, ("TOKEN",))
    assert names_of_runs(bench) == [["LEVEL", "TOKEN"]]


def test_a_change_is_a_line_of_names_in_the_order_of_what_happened(bench: Bench) -> None:
    bench.create()
    give(bench)
    give(bench, {"environment": {"LEVEL": "long", "MORE": "x"}, "secrets": []}, 1)
    second, first = stored.changes(bench.store)
    assert (first.environment_set, first.secrets_added, first.revision) == (("LEVEL",), ("TOKEN",), 1)
    assert (second.environment_set, second.secrets_removed, second.revision) == (("LEVEL", "MORE"), ("TOKEN",), 2)
    assert (first.adoption_key, first.feed_position) == ("adopt:settings:0", 1)
    assert stored.changes(bench.store, before=second.number) == [first]
    assert stored.changes(bench.store, automation_id="other") == []


def test_the_same_settings_again_are_no_change(bench: Bench) -> None:
    bench.create()
    give(bench)
    assert give(bench, GIVEN, 1).payload["result"]["settings"]["revision"] == 1
    assert len(stored.changes(bench.store)) == 1


def test_nobody_overwrites_what_somebody_else_changed(bench: Bench) -> None:
    bench.create()
    give(bench)
    refusal = refused(lambda: give(bench, {"environment": {}, "secrets": []}, 0, adoptionKey="adopt:other:01"))
    assert (refusal.code, refusal.details) == (Code.REVISION_CONFLICT, {"settingsRevision": 1})
    assert give(bench).payload["outcome"] == "replayed"


def test_a_retry_is_given_what_stands_there_by_then(bench: Bench) -> None:
    bench.create(retry=policy())
    give(bench)
    bench.runtime.refuse = BUSY
    bench.advance(HOUR)
    assert names_of_runs(bench) == [["LEVEL", "TOKEN"]]
    give(bench, {"environment": {}, "secrets": ["MENDED"]}, 1)
    bench.runtime.refuse = None
    bench.advance(10 * SECOND)
    (spec,) = bench.world.launched
    assert (spec.environment, spec.secrets) == ({}, ("MENDED",))
    assert names_of_runs(bench) == [["MENDED"]]


def test_another_routine_of_a_deleted_ones_id_is_not_given_its_secrets(bench: Bench) -> None:
    bench.create()
    give(bench)
    definitions.delete(bench.engine, {"id": "notes"})
    assert refused(lambda: give(bench, GIVEN, 1)).code == Code.GONE_TOMBSTONED
    bench.create()
    assert stored.get(bench.store, "notes") == ("{}", "[]", 2)
    bench.advance(HOUR)
    assert bench.world.launched[-1].secrets == ()


def test_a_secret_goes_to_the_keyring_and_its_name_alone_stays_here(bench: Bench) -> None:
    bench.create()
    give(bench, {"environment": {}, "secrets": ["TOKEN", "NEVER_SET"]})
    bench.runtime.runtimes = (_runtime("claude", "API_KEY"),)
    assert ask(bench, secrets.put, name="TOKEN", value="hush") == {"name": "TOKEN"}
    assert bench.world.secrets == {"TOKEN": "hush"}
    told = ask(bench, secrets.names)["secrets"]
    routine = {"id": "notes", "name": "Notes"}
    assert told == [
        {"name": "API_KEY", "setAt": None, "routines": [], "runtimes": ["claude"]},
        {"name": "NEVER_SET", "setAt": None, "routines": [routine], "runtimes": []},
        {"name": "TOKEN", "setAt": "2026-09-01T09:00:00.000Z", "routines": [routine], "runtimes": []},
    ]
    assert ask(bench, secrets.check, names=["TOKEN", "NEVER_SET"])["missing"] == ["NEVER_SET"]
    assert ask(bench, secrets.delete, name="TOKEN") == {"name": "TOKEN"}
    assert (bench.world.secrets, bench.rows("SELECT * FROM secret_names")) == ({}, [])


@pytest.mark.parametrize(
    ("state", "sentence"),
    [
        ("locked", "The keyring is locked."),
        ("absent", "There is no keyring service on this desktop."),
        ("prompting", "The keyring asked to be unlocked and nobody answered in time."),
        ("refused", "The keyring could not be asked (out of order)."),
    ],
)
def test_what_the_keyring_refuses_is_told_and_nothing_is_kept(bench: Bench, state: State, sentence: str) -> None:
    bench.runtime.keyring_state = state
    told = ask(bench, secrets.check)
    assert (told["state"], told["sentence"]) == (state, sentence)
    with pytest.raises(Exception, match=sentence.replace("(", r"\(").replace(")", r"\)")):
        ask(bench, secrets.put, name="TOKEN", value="hush")
    assert bench.rows("SELECT * FROM secret_names") == []


@pytest.mark.parametrize(
    ("members", "named"),
    [
        ({"name": "MY-TOKEN", "value": "x"}, "name"),
        ({"name": "COVEN_RUN_ID", "value": "x"}, "name"),
        ({"name": "TOKEN", "value": ""}, "value"),
        ({"name": "TOKEN", "value": "hush\0hush"}, "value"),
        ({"name": "TOKEN", "value": "hush" * 3_000}, "value"),
    ],
)
def test_what_is_no_secret_is_refused_and_not_repeated(bench: Bench, members: dict[str, str], named: str) -> None:
    refusal = refused(lambda: secrets.put(bench.engine, members))
    assert refusal.code == Code.VALIDATION_FAILED
    assert refusal.reason.startswith(named)
    assert "hush" not in refusal.reason
    assert bench.runtime.asked == []


def _runtime(name: str, *names: str) -> KnownRuntime:
    return KnownRuntime(name, "runtimes.toml", (name,), (), "stdin", None, None, (), names, 0, 0, 0)
