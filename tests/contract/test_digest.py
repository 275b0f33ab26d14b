"""Canonical JSON and its SHA-256."""

from __future__ import annotations

import json
from typing import Any

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from coven_desktop.contract import digest

SAFE = 2**53 - 1
TEXTS = st.text(st.characters(codec="utf-8"))
SCALARS = st.none() | st.booleans() | st.integers(-SAFE, SAFE) | st.floats(-1e9, 1e9) | TEXTS
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=20,
)


def test_the_contracts_example_of_a_fingerprint() -> None:
    command = {"reason": None, "expectedRevision": 2, "command": "definition.activate.v1", "automationId": "tiny"}
    assert digest.digest(command) == "25744ba4fa7ea805375f9ba8706884cfa4051b2e2648128abb535b7fc31b0303"


def test_the_contracts_example_of_an_integrity_digest() -> None:
    body = {
        "schemaVersion": "coven.automations.v1",
        "automationId": "tiny",
        "revision": 1,
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
    assert digest.digest(body) == "892523e46574e60d38b42ab68f41fd8a6381eadbb43d46efc663bbb53645585a"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"b": 1, "a": [True, None, {}, []]}, '{"a":[true,null,{},[]],"b":1}'),
        ({"€": 1, "\r": 2, "1": 3, "\U0001f600": 4, "\ufb33": 5}, '{"\\r":2,"1":3,"€":1,"\U0001f600":4,"\ufb33":5}'),
        ('"\\\b\t\n\f\r\x0b\x00é\u2028/', '"\\"\\\\\\b\\t\\n\\f\\r\\u000b\\u0000é\u2028/"'),
        (1.0, "1"),
        (-0.0, "0"),
        (1e21, "1e+21"),
        (1e-7, "1e-7"),
        (0.000001, "0.000001"),
        (SAFE, "9007199254740991"),
    ],
)
def test_canonical_form(value: Any, text: str) -> None:
    assert digest.canonical(value) == text.encode()


@pytest.mark.parametrize(
    "value", [SAFE + 1, -SAFE - 1, float("nan"), float("inf"), "\ud800", {1: 2}, {"a": b""}, [object()]]
)
def test_what_has_no_canonical_form_is_refused_and_never_rounded(value: Any) -> None:
    with pytest.raises(ValueError):
        digest.canonical(value)


def test_sha256_of_bytes() -> None:
    assert digest.sha256_hex(b"") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


@given(VALUES)
def test_canonical_text_reads_back_to_the_same_digest(value: Any) -> None:
    text = digest.canonical(value)
    assert digest.canonical(json.loads(text)) == text


@given(st.dictionaries(TEXTS, SCALARS, max_size=8))
def test_the_order_of_members_does_not_matter(members: dict[str, Any]) -> None:
    assert digest.digest(members) == digest.digest(dict(reversed(members.items())))


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-SAFE, SAFE) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3) | st.text("ab"), inner, max_size=6),
    max_leaves=20,
)


@given(PLAIN | VALUES | st.text('"\\/\b\f\n\r\t\x00\x1f\x7f\u2028é\ud800\U0001f600'))
def test_the_quick_way_writes_what_the_library_writes(value: Any) -> None:
    try:
        expected = rfc8785.dumps(value)
    except ValueError:
        with pytest.raises(ValueError):
            digest.canonical(value)
    else:
        assert digest.canonical(value) == expected


def test_every_character_is_written_as_the_library_writes_it() -> None:
    for first in range(0, 0x11_0000, 0x800):
        if not 0xD800 <= first < 0xE000:
            text = "".join(map(chr, range(first, first + 0x800)))
            assert digest.canonical({"text": text}) == rfc8785.dumps({"text": text})
