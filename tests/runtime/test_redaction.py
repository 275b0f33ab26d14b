"""Secrets in the output, by the redactor alone: wherever the reads are cut, what is kept is the same."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from coven_desktop.runtime.redaction import Redactor

letters = st.sampled_from("ab")
values = st.dictionaries(st.sampled_from("KLM"), st.text(letters, min_size=4, max_size=9), max_size=3)


def through(redactor: Redactor, parts: Sequence[bytes]) -> bytes:
    """What is kept of a stream that came in these parts."""
    return b"".join(redactor.feed(part) for part in parts) + redactor.release()


def replaced(text: str, secrets: dict[str, str]) -> str:
    """The rule in plain words: from the left, the longest value that stands there, under its first name."""
    found = ""
    while text:
        there = sorted((-len(value), name) for name, value in secrets.items() if text.startswith(value))
        if there:
            found += f"[secret {there[0][1]}]"
            text = text[-there[0][0] :]
        else:
            found += text[0]
            text = text[1:]
    return found


@given(st.data(), values)
def test_where_the_reads_are_cut_makes_no_difference(data: st.DataObject, secrets: dict[str, str]) -> None:
    pieces = [letters, st.just("."), *(st.just(value) for value in secrets.values())]
    text = "".join(data.draw(st.lists(st.one_of(pieces), max_size=30)))
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=12)))
    parts = [text[a:b].encode() for a, b in zip([0, *cuts], [*cuts, len(text)], strict=True)]
    assert through(Redactor(secrets), parts).decode() == replaced(text, secrets)


@given(st.data(), values)
def test_only_the_beginning_of_a_value_is_held(data: st.DataObject, secrets: dict[str, str]) -> None:
    text = data.draw(st.text(st.sampled_from("ab."), max_size=40))
    redactor = Redactor(secrets)
    redactor.feed(text.encode())
    if redactor.holds:
        held = redactor.release().decode()
        assert text.endswith(held)
        assert any(value.startswith(held) and value != held for value in secrets.values())
    assert not redactor.holds


def test_what_was_released_does_not_let_the_rest_of_a_value_through() -> None:
    redactor = Redactor({"TOKEN": "sk-abcdefgh"})
    assert redactor.feed(b"key: sk-ab") == b"key: "
    assert (redactor.release(), redactor.holds) == (b"sk-ab", False)
    assert (redactor.feed(b"cd"), redactor.holds) == (b"", True)
    assert redactor.feed(b"efgh!") == b"[secret TOKEN]!"


def test_what_was_released_and_is_no_value_is_not_told_twice() -> None:
    redactor = Redactor({"TOKEN": "sk-abcdefgh"})
    assert redactor.feed(b"sk-ab") + redactor.release() == b"sk-ab"
    assert redactor.feed(b"out\n") == b"out\n"


def test_a_value_of_several_lines_is_known_by_its_lines_too() -> None:
    key = "-----BEGIN-----\nMIIEvQIBADAN\nshort\n-----END-----\n"
    redactor = Redactor({"KEY": key})
    assert through(redactor, [b"<" + key.encode() + b">"]) == b"<[secret KEY]\n>"
    assert through(Redactor({"KEY": key}), [b"MIIEvQIBADAN short"]) == b"[secret KEY] short"


def test_short_values_are_left_alone() -> None:
    assert through(Redactor({"PIN": "abc"}), [b"alphabet soup: abc"]) == b"alphabet soup: abc"
    assert through(Redactor({"PIN": " abcd\n"}), [b"abc", b"d"]) == b"[secret PIN]"


def test_a_flood_of_values_takes_its_time_once() -> None:
    """Each pattern is looked for from where it was found last: a mebibyte of matches is not searched again for each."""
    redactor = Redactor({"A": "aaaa", "NEVER": "never there"})
    assert redactor.feed(b"aaaa" * (1 << 18)) == b"[secret A]" * (1 << 18)
