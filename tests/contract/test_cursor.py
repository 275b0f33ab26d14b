"""Cursors of pages: what we give out we take back, and nothing else (contract/commands.md §5.1)."""

from __future__ import annotations

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coven_desktop.contract import cursor, timestamps

instants = st.integers(0, 250_000_000_000_000).map(timestamps.to_text)
entity_ids = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9._-]{0,159}", fullmatch=True)


def spelled(text: str) -> str:
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def test_the_contract_s_example() -> None:
    text = "WyIyMDI2LTEwLTA1VDA5OjAwOjAwLjAwMFoiLCJydW4tMSJd"
    assert cursor.encode("2026-10-05T09:00:00.000Z", "run-1") == text
    assert cursor.decode(text) == ("2026-10-05T09:00:00.000Z", "run-1")


@given(instant=instants, entity_id=entity_ids)
def test_there_and_back(instant: str, entity_id: str) -> None:
    text = cursor.encode(instant, entity_id)
    assert cursor.decode(text) == (instant, entity_id)
    assert "=" not in text
    assert not {"+", "/"} & set(text)


def test_a_manual_start_has_nanoseconds() -> None:
    pair = ("2026-10-05T09:00:00.000000001Z", "occ-1")
    assert cursor.decode(cursor.encode(*pair)) == pair


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x",
        "WyIyMDI2LTEwLTA1VDA5OjAwOjAwLjAwMFoiLCJydW4tMSJd=",
        "WyIyMDI2LTEwLTA1VDA5OjAwOjAwLjAwMFoiLCJydW4tMSJd\n",
        " WyIyMDI2LTEwLTA1VDA5OjAwOjAwLjAwMFoiLCJydW4tMSJd",
        "WyIyMDI2LTEwLTA1VDA5OjAwOjAwLjAwMFoiLCJydW4tMSJe",
        spelled('["2026-10-05T09:00:00.000Z", "run-1"]'),
        spelled('["2026-10-05T09:00:00.000Z","run-\\u0031"]'),
        spelled('["2026-10-05T09:00:00Z","run-1"]'),
        spelled('["2026-10-05T09:00:00.0000Z","run-1"]'),
        spelled('["2026-10-05","run-1"]'),
        spelled('["2026-10-05T09:00:00.000Z",""]'),
        spelled('["2026-10-05T09:00:00.000Z","run 1"]'),
        spelled('["2026-10-05T09:00:00.000Z","run-1",1]'),
        spelled('["2026-10-05T09:00:00.000Z"]'),
        spelled("[1,2]"),
        spelled('{"a":1}'),
        spelled("[" * 100_000),
        base64.urlsafe_b64encode(b"\xff\xfe").decode().rstrip("="),
        "é",
    ],
)
def test_other_spellings_are_no_cursors(text: str) -> None:
    with pytest.raises(ValueError, match="not a cursor"):
        cursor.decode(text)
