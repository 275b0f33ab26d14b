"""The flat definition: what is taken, what is refused and in which words, what is stored."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coven_desktop.contract import definition as d

PREFIX = "routine definition failed validation: "
MINIMAL: dict[str, Any] = {
    "schemaVersion": 1,
    "id": "tiny",
    "name": "Tiny",
    "status": "ACTIVE",
    "rrule": "FREQ=DAILY;BYHOUR=9",
    "timezone": "Europe/Paris",
    "misfire": "latest",
    "overlap": "forbid",
    "timeoutMinutes": 30,
    "runtime": "coven-code",
    "prompt": "Say hello",
}
ABSENT = object()


def body(**changes: Any) -> dict[str, Any]:
    return {name: value for name, value in (MINIMAL | changes).items() if value is not ABSENT}


def accept(**changes: Any) -> d.Definition:
    return d.parse(body(**changes), drop_unknown=False)[0]


def refuse(**changes: Any) -> d.DefinitionError:
    with pytest.raises(d.DefinitionError) as caught:
        d.parse(body(**changes), drop_unknown=False)
    # an update of a stored routine is refused alike
    with pytest.raises(d.DefinitionError, match=r"."):
        d.from_stored(json.dumps(body(**changes)))
    return caught.value


def test_the_minimal_routine() -> None:
    assert accept() == d.Definition(
        schema_version=1,
        id="tiny",
        name="Tiny",
        status="ACTIVE",
        rrule="FREQ=DAILY;BYHOUR=9",
        timezone="Europe/Paris",
        misfire="latest",
        overlap="forbid",
        timeout_minutes=30,
        runtime="coven-code",
        prompt="Say hello",
    )
    assert accept().retry == d.RetryPolicy(1, "none", None, ())


# --- missing, unknown, null -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", MINIMAL)
def test_a_missing_member_is_named(name: str) -> None:
    error = refuse(**{name: ABSENT})
    assert (error.field, error.message) == (name, f"{PREFIX}missing field `{name}`")


def test_the_first_missing_member_of_an_empty_body() -> None:
    with pytest.raises(d.DefinitionError) as caught:
        d.parse({}, drop_unknown=True)
    assert caught.value.message == PREFIX + "missing field `schemaVersion`"


@pytest.mark.parametrize("name", [*MINIMAL, "tags", "retry"])
def test_null_is_refused(name: str) -> None:
    error = refuse(**{name: None})
    assert error.field == name
    assert "null" in error.message


@pytest.mark.parametrize("name", ["familiarId", "cwd", "model", "outputTarget", "authority"])
def test_null_counts_as_absent(name: str) -> None:
    assert accept(**{name: None}) == accept()


def test_an_unknown_member_is_refused_with_what_was_meant() -> None:
    error = refuse(timezon="utc")
    assert (error.field, error.message) == ("timezon", f"{PREFIX}unknown field `timezon`")
    assert error.suggestion == "timezone"
    assert refuse(**{"q" * 9: 1}).suggestion is None


def test_unknown_members_are_dropped_and_named_where_that_is_asked_for() -> None:
    routine, dropped = d.parse(body(timezon="utc", schema_version=7, tag=["a"]), drop_unknown=True)
    assert routine == accept()
    assert dropped == ("timezon", "schema_version", "tag")


def test_a_long_unknown_name_is_repeated_in_part() -> None:
    _, dropped = d.parse(body(**{"x" * 100_000: 1}), drop_unknown=True)
    assert len(dropped[0]) < 100
    assert len(refuse(**{"x" * 100_000: 1}).message) < 200


@pytest.mark.parametrize("drop_unknown", [True, False])
def test_authority_is_refused(drop_unknown: bool) -> None:
    with pytest.raises(d.DefinitionError) as caught:
        d.parse(body(authority={}), drop_unknown=drop_unknown)
    assert caught.value.field == "authority"
    assert caught.value.message == "authority can only be declared through the versioned definition API"


@pytest.mark.parametrize("target", ["file", "", {}, 1])
def test_output_target_is_refused(target: Any) -> None:
    error = refuse(outputTarget=target)
    assert error.field == "outputTarget"
    assert "outputTarget is not supported until atomic delivery is certified" in error.message


# --- each member ------------------------------------------------------------------------------------------------------

ACCEPTED: list[tuple[str, Any]] = [
    ("id", "a"),
    ("id", "9" * 96),
    ("id", "q.."),
    ("id", "CON"),
    ("name", "n" * 160),
    ("name", "é" * 80),
    ("name", "  padded  "),
    ("name", " " * 200 + "n" * 160 + " " * 200),
    ("name", "a\nb\0c\u202e"),
    ("name", "\u200b"),
    ("name", "\x1c"),
    ("status", "PAUSED"),
    ("status", "DISABLED"),
    ("rrule", " freq=weekly ; BYDAY = MO,fri ; BYHOUR = 09,17 "),
    ("timezone", "utc"),
    ("timezone", "local"),
    ("timezone", "UTC"),
    ("timezone", "EST5EDT"),
    ("timezone", "Europe/Kyiv"),
    ("timeoutMinutes", 1),
    ("timeoutMinutes", 44_640),
    ("runtime", "r" * 64),
    ("runtime", "é" * 32),
    ("runtime", " /bin/sh "),
    ("prompt", "p" * 1_000_000),
    ("prompt", " a\0 "),
    ("familiarId", "f" * 64),
    ("familiarId", "../x"),
    ("familiarId", " " * 100 + "f"),
    ("cwd", ""),
    ("cwd", "~"),
    ("cwd", "relative/\0"),
    ("model", ""),
    ("model", "a model"),
    ("tags", []),
    ("tags", ["b", "a", "b", ""]),
]


@pytest.mark.parametrize(("name", "value"), ACCEPTED)
def test_taken_and_stored_as_sent(name: str, value: Any) -> None:
    routine = accept(**{name: value})
    assert d.stored(routine).get(name, []) == value
    assert d.from_stored(d.stored_json(routine)) == routine


REFUSED: list[tuple[str, Any, str]] = [
    ("schemaVersion", 0, "must be 1"),
    ("schemaVersion", 2, "must be 1"),
    ("schemaVersion", "1", "must be an integer, got a string"),
    ("schemaVersion", 1.0, "must be an integer, got a number"),
    ("schemaVersion", True, "must be an integer, got a boolean"),
    *(("id", value, "beginning with a letter or digit") for value in ("", "a" * 97, ".a", "-a", "_a", "a b", "a/b")),
    *(("id", value, "beginning with a letter or digit") for value in ("a:b", "a\n", "a\0", "é", "٣")),
    ("id", 1, "must be a string, got a number"),
    ("name", "", "must not be blank"),
    ("name", " \t\xa0\u3000", "must not be blank"),
    ("name", "n" * 161, "at most 160 bytes long, got 161"),
    ("name", "é" * 81, "at most 160 bytes long, got 162"),
    ("name", ["a"], "must be a string, got a list"),
    ("name", "\ud800", "surrogate"),
    *(("status", value, "ACTIVE, PAUSED or DISABLED") for value in ("active", "DRAFT", "", "ACTIVE ")),
    ("status", {"PAUSED": None}, "must be a string, got an object"),
    ("misfire", "Latest", "must be latest"),
    ("misfire", "all", "must be latest"),
    ("overlap", "allow", "must be forbid"),
    ("timeoutMinutes", 0, "between 1 and 44640, got 0"),
    ("timeoutMinutes", 44_641, "between 1 and 44640"),
    ("timeoutMinutes", -1, "between 1 and 44640"),
    ("timeoutMinutes", 1.0, "must be an integer"),
    ("timeoutMinutes", 1.5, "must be an integer"),
    ("timeoutMinutes", 1e20, "must be an integer"),
    ("timeoutMinutes", "30", "must be an integer"),
    ("timeoutMinutes", True, "must be an integer"),
    ("runtime", "", "must not be blank"),
    ("runtime", "\u3000", "must not be blank"),
    ("runtime", "r" * 65, "at most 64 bytes long, got 65"),
    ("runtime", "é" * 33, "at most 64 bytes long, got 66"),
    ("prompt", "", "must not be blank"),
    ("prompt", " \n", "must not be blank"),
    ("prompt", 5, "must be a string"),
    ("familiarId", "", "must not be blank"),
    ("familiarId", " ", "must not be blank"),
    ("familiarId", "f" * 65, "at most 64 bytes"),
    ("familiarId", 5, "must be a string"),
    ("cwd", 5, "must be a string"),
    ("model", False, "must be a string, got a boolean"),
    ("tags", "a", "must be a list of strings, got a string"),
    ("tags", [1], "must be a string, got a number"),
    ("tags", {}, "must be a list of strings, got an object"),
    ("retry", 3, "must be an object, got a number"),
    ("retry", [], "must be an object, got a list"),
]


@pytest.mark.parametrize(("name", "value", "said"), REFUSED)
def test_refused(name: str, value: Any, said: str) -> None:
    error = refuse(**{name: value})
    assert error.field == name
    assert error.message.startswith(f"{PREFIX}{name} ")
    assert said in error.message


@pytest.mark.parametrize(
    ("rule", "reason"),
    [
        ("  ", "rrule is required"),
        ("FREQ=DAILY;", "rrule contains an empty part"),
        ("FREQ=HOURLY", "FREQ `HOURLY` is not supported (DAILY or WEEKLY)"),
        ("FREQ=DAILY;BYDAY=MO", "BYDAY is supported only for FREQ=WEEKLY"),
        ("RRULE:FREQ=DAILY", "rrule key `RRULE:FREQ` is not supported"),
    ],
)
def test_a_rule_is_refused_in_the_contracts_words(rule: str, reason: str) -> None:
    error = refuse(rrule=rule)
    assert (error.field, error.message) == ("rrule", f"rrule failed validation: {reason}")


def test_a_rule_carries_its_suggestion() -> None:
    assert refuse(rrule="FREQ=DAILY;BYHOUR=9;").suggestion == "FREQ=DAILY;BYHOUR=9"


@pytest.mark.parametrize(
    "zone", ["", "Utc", "LOCAL", "america/new_york", "Factory", "localtime", "posix/UTC", "+02:00", "Europe/Paris "]
)
def test_a_zone_is_refused_in_the_contracts_words(zone: str) -> None:
    error = refuse(timezone=zone)
    assert error.field == "timezone"
    assert error.message == (
        f"{PREFIX}timezone must be `utc`, compatibility input `local`, or a valid IANA timezone, got `{zone}`"
    )


def test_suggestions() -> None:
    assert refuse(timezone="america/new_york").suggestion == "America/New_York"
    assert refuse(status="active").suggestion == "ACTIVE"
    assert refuse(misfire=" Latest").suggestion == "latest"
    assert refuse(status="DRAFT").suggestion is None


def test_nothing_sent_is_repeated_at_length() -> None:
    for name in ("status", "timezone", "rrule"):
        assert len(refuse(**{name: "x" * 100_000}).message) < 500, name


def test_faults_are_reported_in_the_contracts_order() -> None:
    faults: dict[str, Any] = {
        "id": "",
        "name": "",
        "rrule": "",
        "timeoutMinutes": 0,
        "retry": {"maxAttempts": 0, "backoffPolicy": "none"},
        "runtime": "",
        "prompt": "",
        "familiarId": "",
        "outputTarget": "x",
    }
    remaining = dict(faults)
    order = []
    while remaining:
        field = refuse(**remaining).field.partition(".")[0]
        order.append(field)
        del remaining[field]
    assert order == list(faults)


# --- retry ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        ({"maxAttempts": 1, "backoffPolicy": "none"}, None),
        ({"maxAttempts": 1, "backoffPolicy": "none", "backoffSeconds": None, "retryableClasses": []}, None),
        (
            {"maxAttempts": 1, "backoffPolicy": "none", "backoffSeconds": 5},
            {"backoffPolicy": "none", "backoffSeconds": 5, "maxAttempts": 1},
        ),
        ({"maxAttempts": 10, "backoffPolicy": "exponential"}, {"backoffPolicy": "exponential", "maxAttempts": 10}),
        (
            {"maxAttempts": 2, "backoffPolicy": "fixed", "backoffSeconds": 86_400},
            {"backoffPolicy": "fixed", "backoffSeconds": 86_400, "maxAttempts": 2},
        ),
        (
            {
                "maxAttempts": 1,
                "backoffPolicy": "none",
                "retryableClasses": ["runtime_unavailable", "lease_expired", "transient_dispatch", "lease_expired"],
            },
            {
                "backoffPolicy": "none",
                "maxAttempts": 1,
                "retryableClasses": ["transient_dispatch", "lease_expired", "runtime_unavailable"],
            },
        ),
    ],
)
def test_retry_has_one_stored_form_and_the_default_has_none(sent: dict[str, Any], kept: dict[str, Any] | None) -> None:
    stored = d.stored(accept(retry=sent))
    assert stored.get("retry") == kept
    if kept:
        assert list(stored["retry"]) == sorted(kept)


RETRY = {"maxAttempts": 2, "backoffPolicy": "exponential", "backoffSeconds": 5, "retryableClasses": ["lease_expired"]}


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("maxAttempts", ABSENT, "missing field `retry.maxAttempts`"),
        ("backoffPolicy", ABSENT, "missing field `retry.backoffPolicy`"),
        ("maxAttempts", 0, "between 1 and 10"),
        ("maxAttempts", 11, "between 1 and 10"),
        ("maxAttempts", 2.0, "must be an integer"),
        ("maxAttempts", "2", "must be an integer"),
        ("maxAttempts", True, "must be an integer"),
        ("maxAttempts", None, "got null"),
        ("backoffPolicy", "linear", "none, fixed or exponential"),
        ("backoffPolicy", None, "got null"),
        ("backoffSeconds", 0, "between 1 and 86400"),
        ("backoffSeconds", 86_401, "between 1 and 86400"),
        ("backoffSeconds", 1.0, "must be an integer"),
        ("retryableClasses", None, "got null"),
        ("retryableClasses", "lease_expired", "must be a list"),
        ("retryableClasses", ["launch_refused"], "transient_dispatch, lease_expired or runtime_unavailable"),
        ("retryableClasses", [1], "must be a string"),
        ("maxAttempt", 2, "unknown field `retry.maxAttempt`"),
    ],
)
def test_retry_is_refused(name: str, value: Any, said: str) -> None:
    retry = {member: kept for member, kept in (RETRY | {name: value}).items() if kept is not ABSENT}
    for drop_unknown in (True, False):
        with pytest.raises(d.DefinitionError) as caught:
            d.parse(body(retry=retry), drop_unknown=drop_unknown)
        assert caught.value.field == f"retry.{name}"
        assert caught.value.message.startswith(PREFIX)
        assert said in caught.value.message


def test_fixed_needs_seconds() -> None:
    error = refuse(retry={"maxAttempts": 2, "backoffPolicy": "fixed"})
    assert error.field == "retry.backoffSeconds"


# --- stored form and digest -------------------------------------------------------------------------------------------


def test_the_stored_form_is_sorted_and_leaves_out_what_is_absent() -> None:
    full = accept(
        familiarId="charm", cwd="/tmp", model="m", tags=["t"], retry={"maxAttempts": 3, "backoffPolicy": "exponential"}
    )
    assert list(d.stored(full)) == sorted({*MINIMAL, "familiarId", "cwd", "model", "tags", "retry"})
    assert d.stored(accept(tags=[], familiarId=None)) == MINIMAL


def test_the_digest_is_sha256_of_the_sorted_json() -> None:
    routine = accept(name="Überblick €", tags=["b", "a"])
    text = json.dumps(d.stored(routine), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert d.stored_json(routine) == text
    assert d.definition_digest(routine) == hashlib.sha256(text.encode()).hexdigest()


def test_the_digest_of_the_minimal_routine_never_changes() -> None:
    assert d.definition_digest(accept()) == "e8f0a758e45c952c35cab94c4e58d9a5accc9822c82b1c4c2a22bd60aed27a40"


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "null", "[" * 100_000, "{}", json.dumps(body(extra=1)), json.dumps(body(timezone="Mars/Olympus"))],
)
def test_a_stored_body_that_broke_is_a_definition_error(text: str) -> None:
    with pytest.raises(d.DefinitionError) as caught:
        d.from_stored(text)
    assert caught.value.message.startswith(PREFIX)


def test_a_stored_local_zone_of_an_older_version_can_be_read() -> None:
    assert d.from_stored(json.dumps(body(timezone="local"))).timezone == "local"


def test_changes_of_zone_and_status() -> None:
    routine = accept(timezone="local")
    assert d.stored(d.with_timezone(routine, "Asia/Tokyo")) == body(timezone="Asia/Tokyo")
    assert d.stored(d.with_status(routine, "PAUSED")) == body(timezone="local", status="PAUSED")
    with pytest.raises(d.DefinitionError, match="timezone must be"):
        d.with_timezone(routine, "Mars/Olympus")
    with pytest.raises(d.DefinitionError, match="status must be"):
        d.with_status(routine, "paused")


def test_a_status_names_a_lifecycle() -> None:
    assert d.LIFECYCLE_OF_STATUS == {"ACTIVE": "active", "PAUSED": "paused", "DISABLED": "disabled"}


TEXTS = st.text(st.characters(codec="utf-8"), min_size=1, max_size=30)
RETRIES = st.fixed_dictionaries(
    {"maxAttempts": st.integers(1, 10), "backoffPolicy": st.sampled_from(["none", "exponential"])},
    optional={
        "backoffSeconds": st.none() | st.integers(1, 86_400),
        "retryableClasses": st.lists(st.sampled_from(d.RETRYABLE_CLASSES), max_size=5),
    },
)
BODIES = st.fixed_dictionaries(
    {
        "schemaVersion": st.just(1),
        "id": st.from_regex(r"[A-Za-z0-9][A-Za-z0-9._-]{0,95}", fullmatch=True),
        "name": TEXTS.filter(lambda name: bool(name.strip())),
        "status": st.sampled_from(["ACTIVE", "PAUSED", "DISABLED"]),
        "rrule": st.sampled_from(["FREQ=DAILY", "BYHOUR=09,17;freq=weekly;BYDAY=MON,fr", " FREQ = DAILY "]),
        "timezone": st.sampled_from(["utc", "UTC", "local", "Europe/Paris", "America/New_York"]),
        "misfire": st.just("latest"),
        "overlap": st.just("forbid"),
        "timeoutMinutes": st.integers(1, 44_640),
        "runtime": st.sampled_from(["shell", "coven-code", " claude "]),
        "prompt": TEXTS.filter(lambda prompt: bool(prompt.strip())),
    },
    optional={
        "retry": RETRIES,
        "familiarId": st.none() | st.just("charm"),
        "cwd": st.none() | TEXTS,
        "model": st.none() | st.text(st.characters(codec="utf-8"), max_size=10),
        "tags": st.lists(TEXTS, max_size=4),
        "outputTarget": st.none(),
        "authority": st.none(),
    },
)


@given(BODIES)
def test_a_routine_comes_back_from_its_stored_form(raw: dict[str, Any]) -> None:
    routine, dropped = d.parse(raw, drop_unknown=False)
    stored = d.stored(routine)
    assert dropped == ()
    assert d.from_stored(d.stored_json(routine)) == routine
    assert d.parse(stored, drop_unknown=False)[0] == routine
    assert list(stored) == sorted(stored)
    assert all(stored[name] == raw[name] for name in MINIMAL)


@given(BODIES, st.randoms(use_true_random=False))
def test_the_digest_depends_on_the_routine_alone(raw: dict[str, Any], random: Any) -> None:
    routine = d.parse(raw, drop_unknown=False)[0]
    members = list(raw.items())
    random.shuffle(members)
    explicit: dict[str, Any] = {"tags": [], "cwd": None, "model": None, "familiarId": None}
    same = d.parse(explicit | dict(members), drop_unknown=True)[0]
    assert d.definition_digest(same) == d.definition_digest(routine)
    assert d.definition_digest(d.from_stored(d.stored_json(routine))) == d.definition_digest(routine)


@given(BODIES, st.sampled_from(sorted(MINIMAL)), st.none() | st.booleans() | st.floats() | st.lists(st.none()) | TEXTS)
def test_no_value_raises_anything_but_definition_error(raw: dict[str, Any], name: str, value: Any) -> None:
    try:
        routine = d.parse(raw | {name: value}, drop_unknown=True)[0]
    except d.DefinitionError as error:
        said = (error.field, error.message)
    else:
        said = (name, str(d.stored(routine)[name]))
    assert all(said)
