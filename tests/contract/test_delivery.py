"""Where output goes: what a delivery may say, and what is said of one that may not be (design/schedules.md)."""

from __future__ import annotations

from typing import Any

import pytest

from coven_desktop.contract import delivery, routine
from coven_desktop.contract.definition import DefinitionError
from tests.contract.test_routine import whole

FILE = {"kind": "file", "path": "/home/me/report.txt", "mode": "replace"}


@pytest.mark.parametrize(
    "given",
    [FILE, {**FILE, "mode": "append"}, {**FILE, "path": "/" + "ä" * 2_047}, {"kind": "notification"}],
)
def test_it_is_stored_with_the_routine_and_read_again(given: dict[str, Any]) -> None:
    made = routine.parse(whole(delivery=given))
    assert routine.stored(made)["delivery"] == dict(sorted(given.items()))
    assert routine.from_stored(routine.stored_json(made)) == made
    assert routine.digest_of(made) != routine.digest_of(routine.parse(whole()))


def test_null_is_none() -> None:
    assert routine.stored(routine.parse({**whole(), "delivery": None})) == whole()


@pytest.mark.parametrize(
    ("field", "given", "said"),
    [
        ("delivery", "report.txt", "must be an object with kind file or notification"),
        ("delivery", ["file"], "must be an object with kind file or notification"),
        ("delivery.kind", {}, "must be file or notification"),
        ("delivery.kind", {"kind": "mail"}, "must be file or notification"),
        ("delivery.kind", {"kind": ["file"]}, "must be file or notification"),
        ("delivery.path", {"kind": "file", "mode": "append"}, "the whole path of a file"),
        ("delivery.path", {**FILE, "path": ""}, "the whole path of a file"),
        ("delivery.path", {**FILE, "path": 7}, "the whole path of a file"),
        ("delivery.path", {**FILE, "path": "report.txt"}, "begins with /"),
        ("delivery.path", {**FILE, "path": "~/report.txt"}, "`~` is not replaced"),
        ("delivery.path", {**FILE, "path": "/home/me/"}, "this names a folder"),
        ("delivery.path", {**FILE, "path": "/home/me/.."}, "this names a folder"),
        ("delivery.path", {**FILE, "path": "/home/me/a\nb"}, "without control characters"),
        ("delivery.path", {**FILE, "path": "/home/me/a\0b"}, "without control characters"),
        ("delivery.path", {**FILE, "path": "/" + "ä" * 2_048}, "at most 4095 bytes"),
        ("delivery.mode", {**FILE, "mode": None}, "must be replace or append"),
        ("delivery.mode", {**FILE, "mode": "Append"}, "must be replace or append"),
        ("delivery.mode", {**FILE, "mode": ["append"]}, "must be replace or append"),
        ("delivery.folder", {**FILE, "folder": "/tmp"}, "unknown field `delivery.folder`"),
        ("delivery.path", {"kind": "notification", "path": "/tmp/x"}, "is for kind file"),
    ],
)
def test_what_is_wrong_is_named_with_what_would_be_right(field: str, given: Any, said: str) -> None:
    with pytest.raises(DefinitionError) as caught:
        delivery.parse(given)
    assert caught.value.field == field
    assert caught.value.message.startswith("routine definition failed validation: ")
    assert said in caught.value.message


def test_a_slip_of_the_pen_is_guessed() -> None:
    with pytest.raises(DefinitionError) as caught:
        delivery.parse({**FILE, "pth": "/tmp/x"})
    assert caught.value.suggestion == "delivery.path"
