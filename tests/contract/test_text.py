"""What is blank, how long text is, and how much of it is repeated."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coven_desktop.contract import text


@pytest.mark.parametrize("blank", ["", " ", "\t\n\v\f\r", "\x85", "\xa0", "\u1680", "\u2003", "\u2028", "\u3000"])
def test_white_space_is_trimmed(blank: str) -> None:
    assert text.is_blank(blank)
    assert text.trim(f"{blank}a b{blank}") == "a b"


@pytest.mark.parametrize("mark", ["\x1c", "\x1f", "\u200b", "\ufeff", "\0"])
def test_what_only_looks_blank_is_kept(mark: str) -> None:
    assert not text.is_blank(mark)
    assert text.trim(f" {mark}a{mark} ") == f"{mark}a{mark}"


def test_length_is_counted_in_bytes() -> None:
    assert (text.byte_length("abc"), text.byte_length("é"), text.byte_length("\U0001f600")) == (3, 2, 4)


def test_a_lone_surrogate_is_not_text() -> None:
    assert text.is_unicode("\U0001f600")
    assert not text.is_unicode("a\ud83d")


def test_echo_is_bounded() -> None:
    assert text.echo("a" * 80) == "a" * 80
    assert text.echo("a" * 81) == "a" * 80 + "…"


@given(st.text())
def test_trim_removes_white_space_and_nothing_else(value: str) -> None:
    trimmed = text.trim(value)
    assert trimmed in value
    assert text.trim(trimmed) == trimmed
    assert not trimmed or not (trimmed[0] + trimmed[-1]).strip("\x1c\x1d\x1e\x1f").isspace()
