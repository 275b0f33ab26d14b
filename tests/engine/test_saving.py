"""The form's save: the right command for each kind of routine, and nothing of a rich one lost."""

from __future__ import annotations

import json
from typing import Any

import pytest

from coven_desktop.contract.errors import Code, Refusal
from coven_desktop.engine.commands import definitions, saving
from coven_desktop.runtime.seam import LaunchRefused
from tests.engine import definition_bodies as flat
from tests.engine.conftest import Bench, definition, refused
from tests.engine.envelopes import ROUTINE, create, fresh, move, revise
from tests.engine.test_rich import row, view

BEYOND = {
    "display.description": "What the harbour sees.",
    "extensions": {"x-reviewed": [1.0, "é"]},
    "runtimeRequirements.capabilities": ["b", "a"],
}


def body(bench: Bench) -> dict[str, Any]:
    """The flat routine as the form is given it."""
    ((text,),) = bench.rows("SELECT body FROM definitions")
    found: dict[str, Any] = json.loads(text)
    return found


def save(bench: Bench, definition: dict[str, Any], expected: int) -> dict[str, Any]:
    asked = {"adoptionKey": fresh(), "definition": definition, "expectedRevision": expected}
    return saving.save(bench.engine, asked).payload


def active_rich(bench: Bench) -> None:
    """A rich routine at revision 3, active, with members no form shows."""
    create(bench, BEYOND)
    revise(bench, 1, BEYOND)
    move(bench, "activate", 2)


def test_a_rich_routine_keeps_what_the_form_does_not_show(bench: Bench) -> None:
    active_rich(bench)
    before = view(bench)
    assert save(bench, body(bench) | {"prompt": "Count the gulls.", "timeoutMinutes": 7}, 3) == {"revision": 4}
    after = view(bench)
    assert after["action"].pop("prompt") == "Count the gulls."
    assert after["policies"].pop("timeout") == {"perRunMinutes": 7}
    before["action"].pop("prompt")
    before["policies"].pop("timeout")
    for one in (before, after):
        del one["revision"], one["integrity"]
    assert after == before
    assert (body(bench)["prompt"], row(bench)[1]) == ("Count the gulls.", "active")


def test_every_member_the_form_shows_reaches_the_rich_form(bench: Bench) -> None:
    active_rich(bench)
    retry = {"maxAttempts": 3, "backoffPolicy": "fixed", "backoffSeconds": 5, "retryableClasses": ["lease_expired"]}
    wanted = body(bench) | {
        "name": "Gulls",
        "rrule": "FREQ=WEEKLY;BYDAY=FR",
        "timezone": "utc",
        "tags": ["x"],
        "cwd": "/srv",
        "model": "large",
        "runtime": "codex",
        "retry": retry,
    }
    save(bench, wanted, 3)
    found = view(bench)
    assert found["display"]["name"] == "Gulls"
    assert found["display"]["tags"] == ["x"]
    assert found["trigger"]["schedule"] == {"rrule": "FREQ=WEEKLY;BYDAY=FR", "timezone": "utc"}
    assert found["action"]["cwd"] == "/srv"
    assert found["runtimeRequirements"] == {"runtimeId": "codex", "model": "large", "capabilities": ["b", "a"]}
    assert found["policies"]["retry"] == retry
    assert body(bench) == wanted
    without = {name: value for name, value in wanted.items() if name not in ("tags", "cwd", "model", "retry")}
    save(bench, without, 4)
    found = view(bench)
    assert "tags" not in found["display"]
    assert "cwd" not in found["action"]
    assert "model" not in found["runtimeRequirements"]
    assert found["policies"]["retry"] == {"maxAttempts": 1, "backoffPolicy": "none"}
    assert body(bench) == without


def test_a_rich_routine_is_paused_and_activated_by_a_revision_after_the_first(bench: Bench) -> None:
    active_rich(bench)
    assert save(bench, body(bench) | {"status": "PAUSED", "name": "Later"}, 3) == {"revision": 5}
    assert (row(bench)[:2], view(bench)["display"]["name"]) == ((5, "paused"), "Later")
    assert save(bench, body(bench) | {"status": "ACTIVE"}, 5) == {"revision": 7}
    assert row(bench)[1] == "active"
    assert view(bench)["extensions"] == BEYOND["extensions"]


def test_a_draft_becomes_active_in_one_save(bench: Bench) -> None:
    create(bench, BEYOND)
    assert save(bench, body(bench) | {"status": "ACTIVE"}, 1) == {"revision": 3}
    assert row(bench)[:2] == (3, "active")


def test_what_cannot_be_activated_is_revised_and_says_why(bench: Bench) -> None:
    create(bench, BEYOND)
    bench.runtime.refuse = LaunchRefused("launch_refused", "runtime `nonsense` is not known")
    told = save(bench, body(bench) | {"status": "ACTIVE", "runtime": "nonsense"}, 1)
    assert told["revision"] == 2
    assert "nonsense" in told["statusRefused"]
    assert row(bench)[:2] == (2, "paused")


def test_the_rich_form_refuses_by_the_name_of_the_field(bench: Bench) -> None:
    active_rich(bench)
    with pytest.raises(saving.FieldRefusal) as caught:
        save(bench, body(bench) | {"tags": [""]}, 3)
    assert caught.value.field == "tags"
    assert row(bench)[0] == 3


def test_a_flat_versioned_routine_is_revised_by_the_versioned_command(bench: Bench) -> None:
    flat.authored(bench, "create", ROUTINE, status="ACTIVE")
    with pytest.raises(Refusal, match="versioned API"):
        definitions.update(bench.engine, {"definition": body(bench), "expectedRevision": 1})
    assert save(bench, body(bench) | {"status": "PAUSED", "prompt": "other"}, 1) == {"revision": 2}
    assert row(bench)[:3] == (2, "paused", "v1")


def test_an_unversioned_routine_stays_one(bench: Bench) -> None:
    definitions.create(bench.engine, {"definition": definition(ROUTINE)})
    assert save(bench, body(bench) | {"prompt": "other"}, 1) == {"revision": 2}
    assert row(bench)[:3:2] == (2, "legacy")


@pytest.mark.parametrize("kind", ["unversioned", "versioned", "rich"])
def test_every_kind_is_deleted_once(bench: Bench, kind: str) -> None:
    if kind == "unversioned":
        definitions.create(bench.engine, {"definition": definition(ROUTINE)})
    elif kind == "versioned":
        flat.authored(bench, "create", ROUTINE)
    else:
        active_rich(bench)
    asked = {"id": ROUTINE, "adoptionKey": fresh()}
    assert saving.delete(bench.engine, asked).payload == {"deleted": True}
    assert bench.rows("SELECT tombstoned_at IS NOT NULL FROM definitions") == [(1,)]
    assert saving.delete(bench.engine, {**asked, "adoptionKey": fresh()}).payload == {"deleted": False}
    assert saving.delete(bench.engine, {"id": "nothing", "adoptionKey": fresh()}).payload == {"deleted": False}


def test_another_revision_is_a_conflict_for_each_kind(bench: Bench) -> None:
    active_rich(bench)
    assert refused(lambda: save(bench, body(bench), 2)).code == Code.REVISION_CONFLICT
    flat.authored(bench, "create", "other", status="ACTIVE")
    other = definition("other")
    assert refused(lambda: save(bench, other, 2)).code == Code.REVISION_CONFLICT
