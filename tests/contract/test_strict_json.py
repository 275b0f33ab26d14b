"""JSON as it is taken: one meaning, or a clear refusal (decisions.md 40)."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coven_desktop.contract import strict_json
from coven_desktop.contract.digest import canonical
from coven_desktop.contract.strict_json import PARTS_LIMIT, JsonError, decode

SAFE = 2**53 - 1
TEXTS = st.text(st.characters(codec="utf-8"))
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-SAFE, SAFE) | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(TEXTS, inner, max_size=5),
    max_leaves=30,
)


@pytest.mark.parametrize(
    ("data", "value"),
    [
        (b"{}", {}),
        (b' \t\r\n{"a": [1, -0, 1.5, 3e1, true, false, null]} ', {"a": [1, 0, 1.5, 30.0, True, False, None]}),
        ('"é€\U0001f600"'.encode(), "é€\U0001f600"),
        (b'"\\ud83d\\ude00"', "\U0001f600"),
        (b'"\\\\ud83d"', "\\ud83d"),
        (b'"\\u0000"', "\0"),
        (b"9007199254740991", SAFE),
        (b"-9007199254740991", -SAFE),
        (b'{"a":{"x":1},"b":{"x":1}}', {"a": {"x": 1}, "b": {"x": 1}}),
        (b'"123456789012345678901234567890"', "123456789012345678901234567890"),
        (b"1e-400", 0.0),
    ],
)
def test_json_is_read(data: bytes, value: Any) -> None:
    assert decode(data) == value


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "empty"),
        (b" \n", "empty"),
        (b"\xef\xbb\xbf{}", "byte order mark"),
        ("{}".encode("utf-16"), "not UTF-8"),
        ("{}".encode("utf-16-le"), "not valid JSON"),
        ("{}".encode("utf-32-be"), "not valid JSON"),
        (b'"\xff"', "the byte at 1"),
        (b'"\xc0\xaf"', "not UTF-8"),
        (b'"\xed\xa0\x80"', "not UTF-8"),
        (b"{} {}", "Extra data at line 1, column 4"),
        (b"{}\0", "Extra data"),
        (b'{"a":1,}', "not valid JSON"),
        (b"[1,]", "not valid JSON"),
        (b"{a:1}", "not valid JSON"),
        (b"{'a':1}", "not valid JSON"),
        (b"[1] // comment", "not valid JSON"),
        (b"01", "not valid JSON"),
        (b"+1", "not valid JSON"),
        (b".5", "not valid JSON"),
        (b"1.", "not valid JSON"),
        ("٣".encode(), "not valid JSON"),
        (b'"\n"', "not valid JSON"),
        (b'"\\x41"', "not valid JSON"),
        (b'{"a"', "not valid JSON"),
        (b"NaN", "NaN is not a JSON number"),
        (b'{"a":[Infinity]}', "Infinity is not a JSON number"),
        (b"-Infinity", "-Infinity is not a JSON number"),
        (b"1e400", "too large"),
        (b'{"a":[-1e400]}', "too large"),
        (b"1" * 310 + b".0", "too large"),
        (b'"\\ud800"', "surrogate"),
        (b'{"\\uDFFF":1}', "surrogate"),
        (b'["ok", "\\ude00\\ud83d"]', "surrogate"),
        (b"9007199254740992", "beyond"),
        (b'{"deep":[[{"n":-9007199254740992}]]}', "beyond"),
        (b"1" * 400, "beyond"),
        (b"[" + b"1" * 5_000 + b"]", "beyond"),
        (b"9" * 4_194_304, "beyond"),
    ],
)
def test_anything_else_is_refused_with_a_word_about_it(data: bytes, said: str) -> None:
    with pytest.raises(JsonError) as caught:
        decode(data)
    assert said in caught.value.message
    assert len(caught.value.message) < 250


@pytest.mark.parametrize(
    ("data", "key"),
    [
        (b'{"a":1,"b":2,"a":1}', '"a"'),
        (b'{"outer":[{"in":{"x":1,"x":2}}]}', '"x"'),
        (b'{"a":1,"\\u0061":2}', '"a"'),
        (b'{"":1,"":2}', '""'),
        (b'{"\\ud800":1,"\\ud800":2}', '"\\ud800"'),
    ],
)
def test_a_key_that_stands_twice_is_named(data: bytes, key: str) -> None:
    with pytest.raises(JsonError) as caught:
        decode(data)
    assert caught.value.message == f"the key {key} stands twice in one object"


def test_a_long_key_is_repeated_in_part() -> None:
    key = "k" * 100_000
    with pytest.raises(JsonError) as caught:
        decode(f'{{"{key}":1,"{key}":2}}'.encode())
    assert caught.value.message.startswith('the key "kkkk')
    assert len(caught.value.message) < 200


@pytest.mark.parametrize(("left", "right"), [("[", "]"), ('{"a":', "}"), ('[{"a":', "}]")])
def test_127_levels_are_read_and_128_are_not(left: str, right: str) -> None:
    levels = left.count("[") + left.count("{")
    whole = 127 // levels

    def nested(extra: int) -> bytes:
        return ("[" * extra + left * whole + "1" + right * whole + "]" * extra).encode()

    spare = 127 - whole * levels
    assert decode(nested(spare)) is not None
    with pytest.raises(JsonError, match="nested deeper than 127 levels"):
        decode(nested(spare + 1))


@pytest.mark.parametrize("data", [b"[" * 1_000_000, b"[" * 900 + b"]" * 900, b'{"a":' * 500_000])
def test_very_deep_documents_are_refused_as_quietly(data: bytes) -> None:
    with pytest.raises(JsonError, match=r"nested deeper than 127 levels|not valid JSON"):
        decode(data, parts=None)


def test_siblings_do_not_add_up_to_depth() -> None:
    assert decode(b"[" + b"[]," * 5_000 + b"[]]") == [[]] * 5_001


@given(VALUES)
def test_what_json_writes_is_read_back(value: Any) -> None:
    assert decode(json.dumps(value).encode()) == value
    assert decode(json.dumps(value, ensure_ascii=False, indent=1).encode()) == value


@given(st.binary(max_size=60) | st.text('[]{}",:\\ud8019eE.-+ntf \n\x00').map(str.encode))
def test_no_bytes_raise_anything_but_json_error(data: bytes) -> None:
    try:
        value = decode(data)
    except JsonError:
        return
    # whatever is accepted has a canonical form, so that it can be stored and its digest taken
    assert canonical(value)


# --- how much there may be in one document ----------------------------------------------------------------------------


def parts_of(value: Any) -> int:
    """Members and elements, counted in the value itself; an empty one counts as one."""
    if isinstance(value, dict):
        return max(1, len(value)) + sum(parts_of(member) for member in value.values())
    if isinstance(value, list):
        return max(1, len(value)) + sum(map(parts_of, value))
    return 0


@given(VALUES, st.booleans())
def test_parts_are_counted_as_they_are_in_the_value(value: Any, ascii_only: bool) -> None:
    data = json.dumps(value, ensure_ascii=ascii_only).encode()
    count = parts_of(value)
    assert decode(data, parts=count) == value
    if count:
        with pytest.raises(JsonError, match=f"more than {count - 1} members and elements"):
            decode(data, parts=count - 1)


@pytest.mark.parametrize(
    "text",
    [',[{"' * 30_000, "\\" * 50_000, '\\"' * 50_000, ',\\",' * 30_000, ",\\\\" * 30_000, '"' * 100_000, "é,[" * 50_000],
)
def test_what_stands_in_a_string_is_no_part(text: str) -> None:
    for ascii_only in (True, False):
        document = json.dumps({"definition": {"prompt": text, text: [text]}}, ensure_ascii=ascii_only).encode()
        assert decode(document, parts=4) == {"definition": {"prompt": text, text: [text]}}
        with pytest.raises(JsonError, match="more than 3"):
            decode(document, parts=3)


@pytest.mark.parametrize(
    "unit",
    [b"[]", b"{}", b"1", b'""', b'{"a":1}', b"[" * 100 + b"]" * 100, b"1.2345678901234567e-305", b'"\\ud83d\\ude00"'],
)
def test_a_body_of_very_many_parts_is_refused_unread(unit: bytes) -> None:
    crowd = b"[" + b",".join([unit] * (4_194_304 // (len(unit) + 1))) + b"]"
    # what is refused before it is read may even be broken at its end
    for document in (crowd, crowd + b"}"):
        with pytest.raises(JsonError, match=f"more than {PARTS_LIMIT} members and elements"):
            decode(document)
    assert len(decode(b"[" + b",".join([b"1"] * PARTS_LIMIT) + b"]")) == PARTS_LIMIT


def test_the_length_of_an_integer_is_looked_at_before_it_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []

    def reading(digits: str) -> int:
        read.append(digits)
        return int(digits)

    monkeypatch.setattr(strict_json, "int", reading, raising=False)
    with pytest.raises(JsonError, match="beyond"):
        decode(b"[1," + b"1" * 4_000 + b"]")
    assert read == ["1"]
