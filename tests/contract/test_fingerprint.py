"""Which requests are the same: the fingerprints of definition commands (contract/commands.md §3.2)."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coven_desktop.contract import fingerprint
from coven_desktop.contract.strict_json import decode


def test_the_contracts_example_of_a_digest() -> None:
    covered = {"automationId": "tiny", "expectedRevision": 2, "reason": None}
    assert (
        fingerprint.of("definition.activate.v1", covered)
        == "25744ba4fa7ea805375f9ba8706884cfa4051b2e2648128abb535b7fc31b0303"
    )


def test_the_contracts_example_of_a_lossless_form() -> None:
    assert fingerprint.lossless(decode(b'{"b":[true,null],"a":1}')) == [
        "object",
        [["a", ["number", "1"]], ["b", ["array", [["bool", True], ["null"]]]]],
    ]
    assert fingerprint.wire("x") == {"kind": "wire", "value": ["string", "x"]}


def key(text: str) -> str:
    return fingerprint.of("definition.create.v1", {"definition": fingerprint.wire(decode(text.encode()))})


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("1", "1.0"),
        ("1", '"1"'),
        ("0", "false"),
        ("1", "true"),
        ("0.0", "-0.0"),
        ("null", '"null"'),
        ("[]", "{}"),
        ("[1,2]", "[2,1]"),
        ('{"a":null}', "{}"),
        ('{"a":1}', '{"b":1}'),
        ('["number","1"]', "1"),
        ('{"tags":[]}', "{}"),
    ],
)
def test_what_differs_in_the_wire_differs(one: str, other: str) -> None:
    assert key(one) != key(other)


def test_the_order_of_members_and_blanks_make_no_difference() -> None:
    assert key('{"a":1,"b":{"c":2,"d":3}}') == key(' { "b" : { "d":3, "c":2 }, "a" : 1 } ')


def test_the_command_is_covered() -> None:
    assert fingerprint.of("definition.pause.v1", {}) != fingerprint.of("definition.activate.v1", {})


def test_numbers_that_canonical_json_has_not_are_covered_too() -> None:
    assert len(fingerprint.of("x", {"request": fingerprint.lossless(2**80)})) == 64


def test_a_body_as_deep_as_the_decoder_lets_through() -> None:
    deep = b'{"a":' * 126 + b"{}" + b"}" * 126
    assert len(key(deep.decode())) == 64


def test_what_is_not_json_is_refused() -> None:
    with pytest.raises(TypeError):
        fingerprint.lossless({1})
    with pytest.raises(ValueError):
        fingerprint.of("x", {"request": fingerprint.lossless("\ud800")})


values = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.floats(-9, 9).filter(lambda x: x == x) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


@given(values, values)
def test_two_documents_are_the_same_exactly_if_their_sorted_text_is(one: Any, other: Any) -> None:
    def text(value: Any) -> str:
        return json.dumps(value, sort_keys=True)

    assert (fingerprint.lossless(one) == fingerprint.lossless(other)) == (text(one) == text(other))
