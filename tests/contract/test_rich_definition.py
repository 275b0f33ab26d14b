"""Rich definitions: closed shape, digest, and the routine they stand for (contract/commands.md §7.4 to §7.6)."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coven_desktop.contract import digest
from coven_desktop.contract.definition import parse
from coven_desktop.contract.rich_definition import as_it_stands, check, routine_of
from coven_desktop.contract.rich_definition import sealed as integrity_of
from coven_desktop.contract.shapes import ShapeError
from tests.contract.rich_bodies import GONE, rich, sealed

SAFE = 2**53 - 1

TINY = {
    "schemaVersion": "coven.automations.v1",
    "automationId": "tiny",
    "revision": 1,
    "integrity": {
        "algorithm": "sha256",
        "canonicalization": "jcs-rfc8785",
        "value": "892523e46574e60d38b42ab68f41fd8a6381eadbb43d46efc663bbb53645585a",
    },
    "lifecycleState": "draft",
    "display": {"name": "Tiny"},
    "trigger": {"variant": "schedule", "version": 1, "schedule": {"rrule": "FREQ=DAILY", "timezone": "utc"}},
    "action": {"variant": "familiarInvocation", "version": 1, "prompt": "Hi"},
    "binding": {"familiarBindingPolicy": "exact", "authority": {"approvalPolicyRef": "p"}},
    "policies": {
        "timeout": {"perRunMinutes": 5},
        "retry": {"maxAttempts": 1, "backoffPolicy": "none"},
        "concurrency": {"overlap": "forbid"},
        "misfire": {"disposition": "latest"},
        "retention": {"occurrenceHistory": {"classification": "standard"}},
    },
}


def fault(definition: object) -> ShapeError:
    with pytest.raises(ShapeError) as caught:
        check("definition", definition)
    return caught.value


def test_the_contracts_example_has_the_digest_it_says() -> None:
    check("definition", TINY)
    assert integrity_of(TINY) == TINY["integrity"]
    # what is not said at the top is not what `integrity` means further in
    inner = sealed(TINY | {"extensions": {"x-a": {"integrity": 1}}})
    check("definition", inner)
    assert inner["integrity"] != integrity_of(TINY | {"extensions": {"x-a": {}}})


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"conditions": GONE, "provenance": GONE, "extensions": GONE, "runtimeRequirements": GONE},
        {"binding.familiarId": GONE, "binding.authority.approvalRecordRef": ""},
        {"action.cwd": "", "action.prompt": "x" * 100_000, "display.description": ""},
        {"display.name": "ü" * 160, "display.tags": ["t" * 64]},
        {"display.tags": [str(number) for number in range(64)]},
        {"revision": SAFE, "automationId": "a" * 96},
        {"policies.delivery": {}},
        {"policies.delivery": {"outputTarget": "report.md", "mode": "atomic"}},
        {"policies.retry": {"maxAttempts": 10, "backoffPolicy": "exponential", "retryableClasses": []}},
        {"policies.timeout.perRunMinutes": 44_640},
        {"policies.retention.runLogs": {"classification": "ephemeral", "deleteAfter": "2027-01-01T00:00:00Z"}},
        {"policies.retention.receipts": {"classification": "extended"}},
        {"activation": {}},
        {"activation": {"effectiveFrom": "2027-01-01T00:00:00Z", "effectiveUntil": "2027-02-01T00:00:00.000Z"}},
        {"deletion": {"tombstoned": True, "requestedAt": "2027-01-01T00:00:00Z", "reason": ""}},
        {"provenance": {"createdBy": {"principalId": "a@b"}, "updatedAt": "2027-01-01T00:00:00Z", "importedFrom": ""}},
        {"extensions": {"x-1": [1, {"b": None}], "a.b.c": 0, "a.b.c.d-e": ""}},
        {"runtimeRequirements.capabilities": [], "runtimeRequirements.model": ""},
        {"trigger.schedule.rrule": "FREQ=HOURLY", "trigger.schedule.timezone": "utc"},
        {"lifecycleState": "invalid", "runtimeRequirements": GONE},
        {"lifecycleState": "active"},
    ],
)
def test_what_has_the_shape(changes: dict[str, Any]) -> None:
    check("definition", rich(changes))


@pytest.mark.parametrize(
    ("changes", "place"),
    [
        ({"more": 1}, ""),
        *(
            ({name: GONE}, f".{name}")
            for name in ("schemaVersion", "automationId", "revision", "lifecycleState", "display")
        ),
        *(({name: GONE}, f".{name}") for name in ("trigger", "action", "binding", "policies")),
        *(({name: None}, f".{name}") for name in ("deletion", "conditions", "runtimeRequirements", "provenance")),
        *(({name: None}, f".{name}") for name in ("activation", "extensions", "display")),
        ({"schemaVersion": "coven.automations.v2"}, ".schemaVersion"),
        ({"automationId": "-a"}, ".automationId"),
        ({"automationId": "a" * 97}, ".automationId"),
        ({"revision": 0}, ".revision"),
        ({"revision": 1.0}, ".revision"),
        ({"revision": True}, ".revision"),
        ({"integrity.algorithm": "sha512"}, ".integrity.algorithm"),
        ({"integrity.canonicalization": "jcs"}, ".integrity.canonicalization"),
        ({"integrity.more": 1}, ".integrity"),
        ({"lifecycleState": "tombstoned"}, ".lifecycleState"),
        ({"deletion": {"tombstoned": False, "requestedAt": "2027-01-01T00:00:00Z"}}, ".deletion.tombstoned"),
        ({"deletion": {"tombstoned": True}}, ".deletion.requestedAt"),
        ({"display.name": ""}, ".display.name"),
        ({"display.name": "x" * 161}, ".display.name"),
        ({"display.description": "x" * 2001}, ".display.description"),
        ({"display.tags": [""]}, ".display.tags[0]"),
        ({"display.tags": ["t" * 65]}, ".display.tags[0]"),
        ({"display.tags": ["a", "b", "a"]}, ".display.tags"),
        ({"display.tags": [str(number) for number in range(65)]}, ".display.tags"),
        ({"trigger.variant": "webhook"}, ".trigger.variant"),
        ({"trigger.version": 2}, ".trigger.version"),
        ({"trigger.more": 1}, ".trigger"),
        ({"trigger.schedule.rrule": ""}, ".trigger.schedule.rrule"),
        ({"trigger.schedule.rrule": "FREQ=DAILY" + " " * 503}, ".trigger.schedule.rrule"),
        ({"trigger.schedule.timezone": "local"}, ".trigger.schedule.timezone"),
        ({"trigger.schedule.timezone": "Halifax"}, ".trigger.schedule.timezone"),
        ({"conditions": [{"variant": "always", "version": 1}]}, ".conditions"),
        ({"conditions": {}}, ".conditions"),
        ({"action.variant": "pipeline"}, ".action.variant"),
        ({"action.prompt": ""}, ".action.prompt"),
        ({"action.prompt": "x" * 100_001}, ".action.prompt"),
        ({"action.cwd": "x" * 1025}, ".action.cwd"),
        ({"action.cwd": None}, ".action.cwd"),
        ({"binding.familiarBindingPolicy": "any"}, ".binding.familiarBindingPolicy"),
        ({"binding.familiarId": ""}, ".binding.familiarId"),
        ({"binding.familiarId": "f" * 65}, ".binding.familiarId"),
        ({"binding.authority": GONE}, ".binding.authority"),
        ({"binding.authority.approvalPolicyRef": ""}, ".binding.authority.approvalPolicyRef"),
        ({"binding.authority.approvalRecordRef": "r" * 201}, ".binding.authority.approvalRecordRef"),
        ({"runtimeRequirements.runtimeId": ""}, ".runtimeRequirements.runtimeId"),
        ({"runtimeRequirements.runtimeId": "r" * 65}, ".runtimeRequirements.runtimeId"),
        ({"runtimeRequirements.capabilities": GONE}, ".runtimeRequirements.capabilities"),
        ({"runtimeRequirements.capabilities": ["a", "a"]}, ".runtimeRequirements.capabilities"),
        ({"runtimeRequirements.capabilities": ["c" * 97]}, ".runtimeRequirements.capabilities[0]"),
        ({"runtimeRequirements.model": "m" * 129}, ".runtimeRequirements.model"),
        ({"policies.timeout": GONE}, ".policies.timeout"),
        ({"policies.timeout.perRunMinutes": 44_641}, ".policies.timeout.perRunMinutes"),
        ({"policies.retry.maxAttempts": 11}, ".policies.retry.maxAttempts"),
        ({"policies.retry.backoffSeconds": GONE}, ".policies.retry.backoffSeconds"),
        ({"policies.retry.backoffSeconds": 86_401}, ".policies.retry.backoffSeconds"),
        ({"policies.retry.retryableClasses": ["timeout"]}, ".policies.retry.retryableClasses[0]"),
        ({"policies.concurrency.overlap": "allow"}, ".policies.concurrency.overlap"),
        ({"policies.misfire.disposition": "backfill"}, ".policies.misfire.disposition"),
        ({"policies.retention": {}}, ".policies.retention.occurrenceHistory"),
        (
            {"policies.retention.occurrenceHistory.classification": "long"},
            ".policies.retention.occurrenceHistory.classification",
        ),
        ({"policies.delivery": {"outputTarget": "report.md"}}, ".policies.delivery.mode"),
        ({"policies.delivery": {"mode": "stream"}}, ".policies.delivery.mode"),
        ({"provenance.createdBy": GONE}, ".provenance.createdBy"),
        ({"provenance.createdBy.principalId": "a b"}, ".provenance.createdBy.principalId"),
        ({"provenance.createdBy.displayName": "d" * 161}, ".provenance.createdBy.displayName"),
        ({"provenance.importedFrom": "i" * 201}, ".provenance.importedFrom"),
        ({"activation": {"effectiveFrom": "tomorrow"}}, ".activation.effectiveFrom"),
        ({"activation": {"from": "2027-01-01T00:00:00Z"}}, ".activation"),
        ({"extensions": {"note": 1}}, ".extensions"),
        ({"extensions": {"x-Note": 1}}, ".extensions"),
        ({"extensions": {"x-": 1}}, ".extensions"),
        ({"extensions": {"example.note": 1}}, ".extensions"),
        ({"extensions": {"a..b.c": 1}}, ".extensions"),
        ({"lifecycleState": "paused", "runtimeRequirements": GONE}, ".runtimeRequirements"),
        ({"lifecycleState": "active", "binding.familiarId": GONE}, ".binding.familiarId"),
        ({"lifecycleState": "disabled", "binding.familiarId": GONE}, ".binding.familiarId"),
    ],
)
def test_what_has_not_the_shape_is_told_with_its_place(changes: dict[str, Any], place: str) -> None:
    found = fault(rich(changes))
    assert found.place == f"definition{place}"
    assert str(found) == f"definition{place} {found.rule}"


@pytest.mark.parametrize("value", [None, [], "text", 1])
def test_a_definition_is_an_object(value: object) -> None:
    assert str(fault(value)) == "definition must be an object"


@pytest.mark.parametrize("value", ["", "a" * 63, "A" * 64, "0" * 64, None, 1])
def test_a_digest_that_is_not_that_of_the_content(value: object) -> None:
    definition = rich()
    definition["integrity"]["value"] = value
    assert fault(definition).place == "definition.integrity.value"


def test_every_change_of_the_content_needs_another_digest() -> None:
    definition = rich()
    definition["conditions"] = definition.pop("conditions")  # the order of members says nothing
    check("definition", definition)
    del definition["conditions"]  # an empty list that was there is content
    assert fault(definition).place == "definition.integrity.value"


@pytest.mark.parametrize("number", [2**53, -(2**53), 1e16, 1e300])
def test_large_integral_numbers_are_refused_and_not_rounded(number: float) -> None:
    definition = rich()
    definition["extensions"]["x-note"] = [{"a": number}]
    assert "canonical form" in str(fault(definition))
    with pytest.raises(ValueError):
        integrity_of(definition)


def test_no_value_that_was_sent_is_repeated() -> None:
    for changes in ({"display.name": "s3cret" * 99}, {"extensions": {"s3cret": 1}}, {"automationId": "s3cret!"}):
        assert "s3cret" not in str(fault(rich(changes)))


def test_a_member_that_is_not_known_is_named_and_cut() -> None:
    told = str(fault(rich({"display.titel": "Tide"})))
    assert told == "definition.display does not know `titel`: it takes name, description, tags"
    assert len(str(fault(rich({"display." + "t" * 999: 1})))) < 200


def test_the_routine_it_stands_for() -> None:
    assert routine_of(rich()) == {
        "schemaVersion": 1,
        "id": "harbour-log",
        "name": "Harbour log",
        "status": "PAUSED",
        "rrule": "FREQ=DAILY;BYHOUR=6,18",
        "timezone": "America/Halifax",
        "misfire": "latest",
        "overlap": "forbid",
        "timeoutMinutes": 12,
        "retry": {"maxAttempts": 2, "backoffPolicy": "fixed", "backoffSeconds": 45},
        "runtime": "shell",
        "prompt": "List the boats.",
        "cwd": "/srv/harbour",
        "model": "small",
        "familiarId": "keeper",
        "tags": ["sea", "log"],
    }
    parse(routine_of(rich()), drop_unknown=False)


def test_what_is_left_out_has_its_default() -> None:
    routine = routine_of(TINY)
    assert routine["runtime"] == "coven-code"
    assert routine["tags"] == []
    assert not {"cwd", "model", "familiarId"} & routine.keys()


@pytest.mark.parametrize(
    ("state", "status"), [("draft", "PAUSED"), ("paused", "PAUSED"), ("active", "ACTIVE"), ("invalid", "PAUSED")]
)
def test_only_active_is_active(state: str, status: str) -> None:
    assert routine_of(rich(lifecycleState=state))["status"] == status


def test_as_it_stands_carries_its_own_digest_and_leaves_the_rest() -> None:
    written = rich()
    later = as_it_stands(written, revision=4, lifecycle_state="active")
    check("definition", later)
    assert (later["revision"], later["lifecycleState"]) == (4, "active")
    assert later["integrity"]["value"] != written["integrity"]["value"]
    for name in written.keys() - {"revision", "lifecycleState", "integrity"}:
        assert later[name] == written[name]
    assert written == rich()
    assert as_it_stands(later, revision=1, lifecycle_state="draft") == written


# --- any content ------------------------------------------------------------------------------------------------------

TEXTS = st.text(st.characters(codec="utf-8"), max_size=12)
NUMBERS = st.integers(-SAFE, SAFE) | st.floats(allow_nan=False, allow_infinity=False).filter(
    lambda number: not number.is_integer() or abs(number) <= SAFE
)
OPAQUE = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=12,
)
EXTENSIONS = st.dictionaries(
    st.from_regex(r"x-[a-z0-9-]{1,8}|[a-z]{1,4}\.[a-z]{1,4}\.[a-z-]{1,4}", fullmatch=True), OPAQUE
)
DEFINITIONS = st.builds(
    lambda extensions, name, tags: rich(
        {"extensions": extensions, "display.name": name, "display.tags": tags},
    ),
    EXTENSIONS,
    TEXTS.filter(bool),
    st.lists(TEXTS.filter(bool), unique=True),
)


@given(DEFINITIONS)
def test_the_digest_survives_every_way_of_writing_the_same(definition: dict[str, Any]) -> None:
    check("definition", definition)
    canonical = digest.canonical(definition)
    for text in (canonical.decode(), json.dumps(definition, indent=3), json.dumps(definition, sort_keys=True)):
        again = json.loads(text)
        check("definition", again)
        assert digest.canonical(again) == canonical


@given(DEFINITIONS, OPAQUE)
def test_no_two_contents_share_a_digest(definition: dict[str, Any], other: Any) -> None:
    before = definition["extensions"].get("x-other", GONE)
    definition["extensions"]["x-other"] = other
    same = before is not GONE and digest.canonical(before) == digest.canonical(other)
    assert (integrity_of(definition) == definition["integrity"]) == same
