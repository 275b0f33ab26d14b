"""Which variant a body is refused for, and that it must be valid otherwise (contract/commands.md §8 and §10.5)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coven_desktop.contract.definition import RETRYABLE_CLASSES, DefinitionError
from coven_desktop.contract.negotiation import CONTRACT_PROFILE, VARIANT_NEGOTIATION, Unsupported, negotiate
from coven_desktop.contract.rich_shapes import RICH_MEMBERS

WEBHOOK = {"variant": "webhook", "version": 1, "webhook": {}}
SCHEDULE = {"variant": "schedule", "version": 1, "schedule": {"rrule": "FREQ=DAILY", "timezone": "utc"}}
INVOCATION = {"variant": "familiarInvocation", "version": 1, "prompt": "Hi", "cwd": "/tmp"}
RETRY = {"maxAttempts": 2, "backoffPolicy": "fixed", "backoffSeconds": 5, "retryableClasses": ["lease_expired"]}
POLICIES = {
    "timeout": {"perRunMinutes": 5},
    "retry": RETRY,
    "concurrency": {"overlap": "forbid"},
    "misfire": {"disposition": "latest"},
    "retention": {
        "occurrenceHistory": {"classification": "standard", "deleteAfter": "2026-08-30T09:00:00Z"},
        "receipts": {"classification": "standard"},
    },
}


def body(**changes: Any) -> dict[str, Any]:
    """The minimal routine of the contract's vectors, changed."""
    return {
        "schemaVersion": 1,
        "id": "minimal",
        "name": "Minimal",
        "status": "PAUSED",
        "rrule": "FREQ=DAILY",
        "timezone": "local",
        "misfire": "latest",
        "overlap": "forbid",
        "timeoutMinutes": 30,
        "runtime": "coven-code",
        "prompt": "Say hello.",
    } | changes


def refused(**changes: Any) -> Unsupported:
    with pytest.raises(Unsupported) as caught:
        negotiate(body(**changes))
    return caught.value


def schedule(**changes: Any) -> dict[str, Any]:
    return SCHEDULE | {"schedule": {"rrule": "FREQ=DAILY", "timezone": "utc"} | changes}


def policies(**changes: Any) -> dict[str, Any]:
    return POLICIES | changes


# --- the profile ------------------------------------------------------------------------------------------------------


def test_the_profile_has_the_contracts_structure() -> None:
    assert list(VARIANT_NEGOTIATION) == [
        *("version", "contractProfile", "description", "supported", "experimental", "refused", "negotiationRules"),
    ]
    assert list(VARIANT_NEGOTIATION["supported"]) == [
        *("triggers", "conditions", "actions", "triggerPolicies", "deliveryPolicies", "retentionPolicies"),
    ]
    assert (VARIANT_NEGOTIATION["version"], VARIANT_NEGOTIATION["contractProfile"]) == (1, CONTRACT_PROFILE)
    assert VARIANT_NEGOTIATION["experimental"] == []
    for group in VARIANT_NEGOTIATION["supported"].values():
        assert all(set(entry) == {"variant", "notes"} for entry in group)
    assert all(set(entry) == {"variant", "reason"} for entry in VARIANT_NEGOTIATION["refused"])
    json.dumps(VARIANT_NEGOTIATION)


def test_every_variant_that_the_profile_refuses_is_refused_with_its_reason() -> None:
    found = {
        error.variant: error.reason
        for error in (
            refused(trigger=WEBHOOK),
            refused(action={"variant": "pipeline", "version": 1}),
            refused(misfire="backfill"),
            refused(trigger=schedule(timezone="local")),
            refused(outputTarget="report.md"),
        )
    }
    assert found == {entry["variant"]: entry["reason"] for entry in VARIANT_NEGOTIATION["refused"]}


# --- what is supported ------------------------------------------------------------------------------------------------


def test_a_minimal_body_is_supported() -> None:
    assert negotiate(body()).timezone == "local"


@pytest.mark.parametrize("policy", ["none", "fixed", "exponential"])
def test_every_way_to_retry_is_supported(policy: str) -> None:
    retry = {"maxAttempts": 3, "backoffPolicy": policy, "backoffSeconds": 9, "retryableClasses": [*RETRYABLE_CLASSES]}
    assert negotiate(body(retry=retry)).retry.backoff_policy == policy


@pytest.mark.parametrize(
    "rich",
    [{"trigger": SCHEDULE}, {"conditions": []}, {"action": INVOCATION}, {"policies": POLICIES}],
)
def test_a_flat_body_is_never_taken_for_a_rich_one(rich: dict[str, Any]) -> None:
    with pytest.raises(DefinitionError, match="unknown field"):
        negotiate(body(**rich))


# --- which variant is told --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "variant"),
    [
        ({"trigger": WEBHOOK}, "trigger.webhook"),
        ({"trigger": schedule(timezone="local")}, "timezone.local.durable"),
        ({"trigger": schedule(rrule="BYHOUR=9;freq=Hourly")}, "trigger.schedule.frequency.hourly"),
        ({"conditions": [{"variant": "gitDirty", "version": 1}]}, "condition.gitDirty"),
        ({"action": {"variant": "pipeline", "version": 1, "steps": None}}, "action.pipeline"),
        ({"policies": policies(misfire={"disposition": "skip"})}, "misfire.skip"),
        ({"policies": policies(concurrency={"overlap": "queue"})}, "overlap.queue"),
        ({"policies": policies(retry=RETRY | {"backoffPolicy": "linear"})}, "retry.backoff.linear"),
        ({"policies": policies(retry=RETRY | {"retryableClasses": ["any"]})}, "retry.safe-classes.any"),
        ({"policies": {"delivery": {"outputTarget": "x", "mode": "atomic"}}}, "outputTarget.atomic"),
        ({"policies": {"delivery": {"outputTarget": "x", "mode": "stream"}}}, "outputTarget.stream"),
        (
            {"policies": {"retention": {"occurrenceHistory": {"classification": "extended"}}}},
            "retention.extended",
        ),
        ({"misfire": "run-all"}, "misfire.run-all"),
        ({"overlap": "queue"}, "overlap.queue"),
        ({"retry": {"maxAttempts": 2, "backoffPolicy": "linear"}}, "retry.backoff.linear"),
        ({"retry": RETRY | {"retryableClasses": ["lease_expired", "crash"]}}, "retry.safe-classes.crash"),
        ({"outputTarget": "report.md"}, "outputTarget.atomic"),
        ({"outputTarget": ""}, "outputTarget.atomic"),
        ({"rrule": "FREQ=MONTHLY"}, "trigger.schedule.frequency.monthly"),
        ({"rrule": " byday = MO , WED ; Freq = YEARLY "}, "trigger.schedule.frequency.yearly"),
        ({"rrule": "FREQ=DAİLY"}, "trigger.schedule.frequency.unknown"),
    ],
)
def test_an_unsupported_variant_is_named(changes: dict[str, Any], variant: str) -> None:
    error = refused(**changes)
    assert error.details == {"contractProfile": CONTRACT_PROFILE, "reason": error.reason, "variant": variant}
    assert error.reason


# In the order of the contract's search: of any two the first is told.
ORDER: list[tuple[dict[str, Any], str]] = [
    ({"trigger": schedule(timezone="local")}, "timezone.local.durable"),
    ({"conditions": [{"variant": "c", "version": 1}]}, "condition.c"),
    ({"action": {"variant": "a", "version": 1}}, "action.a"),
    ({"policies": {"misfire": {"disposition": "x"}}}, "misfire.x"),
    ({"misfire": "y"}, "misfire.y"),
    ({"overlap": "y"}, "overlap.y"),
    ({"retry": {"maxAttempts": 1, "backoffPolicy": "y", "retryableClasses": ["z"]}}, "retry.backoff.y"),
    ({"outputTarget": "o"}, "outputTarget.atomic"),
    ({"rrule": "FREQ=HOURLY"}, "trigger.schedule.frequency.hourly"),
]


def pairs() -> Iterator[tuple[dict[str, Any], str]]:
    for index, (first, variant) in enumerate(ORDER):
        for later, _ in ORDER[index + 1 :]:
            yield {**later, **first}, variant


@pytest.mark.parametrize(("changes", "variant"), list(pairs()))
def test_the_first_in_the_contracts_order_is_told(changes: dict[str, Any], variant: str) -> None:
    assert refused(**changes).variant == variant


def test_within_a_trigger_the_zone_comes_before_the_frequency() -> None:
    assert refused(trigger=schedule(timezone="local", rrule="FREQ=HOURLY")).variant == "timezone.local.durable"


def test_within_the_policies_the_order_is_fixed_too() -> None:
    wrong: dict[str, Any] = {
        "retention": {"occurrenceHistory": {"classification": "ephemeral"}},
        "delivery": {"outputTarget": "x", "mode": "m"},
        "retry": {"maxAttempts": 1, "backoffPolicy": "b", "retryableClasses": ["c"]},
        "concurrency": {"overlap": "o"},
        "misfire": {"disposition": "d"},
    }
    found = []
    while wrong:
        found.append(refused(policies=wrong).variant)
        del wrong[list(wrong)[-1]]
    assert found == ["misfire.d", "overlap.o", "retry.backoff.b", "outputTarget.m", "retention.ephemeral"]


@pytest.mark.parametrize("value", ["x" * 65, "a b", "ü", "x.y", "a\n", "webhook "])
def test_an_odd_value_is_not_repeated(value: str) -> None:
    assert refused(trigger={"variant": value, "version": 1}).variant == "trigger.unknown"
    assert refused(misfire=value).variant == "misfire.unknown"


def test_a_value_of_64_plain_characters_is_repeated() -> None:
    assert refused(overlap="A_b-9" * 12 + "xxxx").variant == "overlap." + "A_b-9" * 12 + "xxxx"


# --- valid otherwise --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "changes",
    [
        {"name": ""},
        {"more": 1},
        {"timeoutMinutes": 0},
        {"timezone": "Europe/Nowhere"},
        {"authority": {}},
        {"status": "DRAFT"},
        {"misfire": None},
        {"overlap": 1},
        {"retry": None},
        {"conditions": None},
        {"conditions": [{"variant": "c", "version": 1}, {}]},
        {"action": {}},
        {"action": {"variant": " ", "version": 1}},
        {"action": {"variant": "pipeline"}},
        {"action": {"variant": "pipeline", "version": 1.0}},
        {"action": {"variant": "pipeline", "version": True}},
        {"action": INVOCATION | {"more": 1}},
        {"action": INVOCATION | {"prompt": " "}},
        {"action": INVOCATION | {"prompt": "x" * 100_001}},
        {"action": INVOCATION | {"cwd": None}},
        {"action": INVOCATION | {"cwd": "x" * 1025}},
        {"policies": {}},
        {"policies": []},
        {"policies": {"more": {}}},
        {"policies": {"misfire": {}}},
        {"policies": {"misfire": None}},
        {"policies": {"misfire": {"disposition": " "}}},
        {"policies": {"misfire": {"disposition": "skip", "more": 1}}},
        {"policies": {"timeout": {"perRunMinutes": 0}}},
        {"policies": {"timeout": {"perRunMinutes": 1.0}}},
        {"policies": {"retry": {"maxAttempts": 1}}},
        {"policies": {"retry": None}},
        {"policies": {"retry": RETRY | {"retryableClasses": ["lease_expired", "lease_expired"]}}},
        {"policies": {"retry": RETRY | {"retryableClasses": [1]}}},
        {"policies": {"retry": RETRY | {"retryableClasses": "lease_expired"}}},
        {"policies": {"retry": {"maxAttempts": 1, "backoffPolicy": "none", "backoffSeconds": None}}},
        {"policies": {"delivery": {"outputTarget": "x"}}},
        {"policies": {"delivery": {"outputTarget": "x", "mode": " "}}},
        {"policies": {"delivery": {"outputTarget": None}}},
        {"policies": {"delivery": {"mode": "stream"}}},
        {"policies": {"retention": {}}},
        {"policies": {"retention": {"runLogs": {"classification": "standard"}}}},
        {"policies": {"retention": {"occurrenceHistory": {"classification": ["standard"]}}}},
        {"policies": {"retention": {"occurrenceHistory": {}}}},
        {"policies": {"retention": {"occurrenceHistory": None}}},
        {"policies": {"retention": {"occurrenceHistory": {"classification": "standard", "deleteAfter": 1}}}},
    ],
)
def test_a_body_that_is_wrong_in_another_way_is_not_negotiated(changes: dict[str, Any]) -> None:
    with pytest.raises(DefinitionError):
        negotiate(body(**{"trigger": WEBHOOK, **changes}))


@pytest.mark.parametrize(
    "trigger",
    [
        None,
        "webhook",
        {"variant": "webhook"},
        {"variant": "webhook", "version": 2},
        {"variant": "schedule", "version": 1},
        {"variant": "schedule", "version": 1, "schedule": None},
        SCHEDULE | {"more": 1},
        schedule(more=1),
        schedule(rrule=1),
        schedule(rrule=""),
        schedule(rrule="nonsense"),
        schedule(rrule="FREQ=DAILY;BYHOUR=" + "0" * 512),
        schedule(timezone="Europe/Nowhere"),
        schedule(timezone=None),
        schedule(timezone="local", more=1),
    ],
)
def test_a_trigger_that_is_not_well_formed_is_an_unknown_member(trigger: Any) -> None:
    with pytest.raises(DefinitionError, match="trigger"):
        negotiate(body(misfire="skip", trigger=trigger))


@pytest.mark.parametrize(
    "rule", ["FREQ=HOURLY;INTERVAL=2", "FREQ=HOURLY;FREQ=DAILY", "FREQ=MONTHLY;BYDAY=1MO", "FREQ="]
)
def test_a_rule_must_be_valid_but_for_its_frequency(rule: str) -> None:
    with pytest.raises(DefinitionError):
        negotiate(body(rrule=rule))


def test_well_formed_rich_members_do_not_hide_a_flat_variant() -> None:
    rich = {"trigger": SCHEDULE, "conditions": [], "action": INVOCATION, "policies": POLICIES}
    assert refused(overlap="queue", **rich).variant == "overlap.queue"


def test_a_body_is_left_as_it_was() -> None:
    asked = body(trigger=schedule(timezone="local"), policies={"misfire": {"disposition": "skip"}}, retry=RETRY)
    before = json.dumps(asked)
    with pytest.raises(Unsupported):
        negotiate(asked)
    assert json.dumps(asked) == before


values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-2, 2)
    | st.floats(-1, 1)
    | st.sampled_from(["schedule", "latest", "x", ""]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["variant", "version", "schedule", "rrule", "timezone", "misfire", "disposition", "retry"])
            | st.sampled_from(["backoffPolicy", "retryableClasses", "delivery", "mode", "outputTarget", "retention"]),
            inner,
            max_size=3,
        )
    ),
    max_leaves=10,
)


@given(
    st.dictionaries(
        st.sampled_from(["trigger", "conditions", "action", "policies", "misfire", "retry", "outputTarget", "rrule"]),
        values,
        max_size=4,
    )
)
def test_whatever_is_sent_is_judged(changes: dict[str, Any]) -> None:
    try:
        definition = negotiate(body(**changes))
    except (Unsupported, DefinitionError):
        return
    assert not changes.keys() & RICH_MEMBERS
    assert (definition.misfire, definition.overlap) == ("latest", "forbid")
